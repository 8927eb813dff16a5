"""Pickled Peppers on built positions: cards lie where the test puts them, and the game goes on from there."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pepperenvs.core.jit import PURE_PYTHON
from pepperenvs.drivers.batch import Batch
from pepperenvs.drivers.game import load
from pepperenvs.games.pickled_peppers import state as fields
from pepperenvs.lexicon.deck import CARD_NAMES, CHILIES, NUM_CARDS
from tests.fair import is_uniform
from tests.games import Table
from tests.twins import letters

pytestmark = pytest.mark.nojit

GAME = load("pickled_peppers_v0")
CARDS = dict(zip(CARD_NAMES, range(NUM_CARDS), strict=True))


def cards(text: str) -> list[int]:
    return [CARDS[name] for name in text.split()]


def names(pile: Any, length: int) -> str:
    return " ".join(CARD_NAMES[card] for card in pile[:length])


def place(
    stacks: Sequence[str],
    taken: Sequence[str] = (),
    centre: str = "",
    strings: str = "",
    string: str = "",
    spare: str = "",
    live: str = "",
    owner: int = 0,
    turn: int | None = None,
    rest: int = 0,
    recycled: Sequence[int] = (),
    **options: Any,
) -> Table:
    """A position. Stacks are given top first; cards that are not named lie at the bottom of the stack of seat `rest`.

    live       a pepper that is live: it lies on the centre, or at the end of the earlier strings if there are any
    turn       the seat to move; with a live pepper the next one to the left of the owner
    recycled   seats whose stacks were taken piles
    """
    built = Table(GAME, len(stacks), options)
    state, seats = built.state, len(stacks)
    state.deck[:] = 0
    named = " ".join([*stacks, *taken, centre, strings, string, spare, live]).split()
    rest_cards = [card for card in CARDS if card not in named]
    for seat in range(seats):
        stack = cards(stacks[seat]) + (cards(" ".join(rest_cards)) if seat == rest else [])
        state.stack_len[seat], state.stack[seat, : len(stack)] = len(stack), stack[::-1]
        pile = cards(taken[seat]) if seat < len(taken) else []
        state.taken_len[seat], state.taken[seat, : len(pile)] = len(pile), pile
        state.recycled[seat] = seat in recycled
    piles = {"centre": cards(centre), "earlier": cards(strings), "string": cards(string), "spare": cards(spare)}
    if live:
        piles["earlier" if strings else "centre"] += cards(live)
        state.live, state.owner, state.need = CARDS[live], owner, CHILIES[CARDS[live]]
        state.pickler = (owner + 1) % seats if turn is None else turn
    for name, pile in piles.items():
        state[name][: len(pile)] = pile
    state.centre_len, state.earlier_len = len(piles["centre"]), len(piles["earlier"])
    state.laid, state.spare_len = len(piles["string"]), len(piles["spare"])
    state.to_move = state.pickler if live else (1 if turn is None else turn)
    state.pending, state.stage, state.moves = 0, fields.PICKLING if live else fields.FLIPPING, 1
    for seat in range(seats):
        if not held(built)[seat] and seat not in (state.owner, state.pickler):
            state.out_at[seat] = 1
    built.audit()
    return built


def held(built: Table) -> list[int]:
    state = built.state
    return [int(state.stack_len[seat] + state.taken_len[seat]) for seat in range(state.num_seats)]


def taken(built: Table, seat: int) -> Counter[str]:
    return Counter(names(built.state.taken[seat], built.state.taken_len[seat]).split())


def bag(text: str) -> Counter[str]:
    return Counter(text.split())


def stop(built: Table, move: str) -> None:
    """Play a move and stop where an outcome is awaited."""
    assert move in built.legal
    GAME.step(built.states, 0, GAME.parse(built.states, move))
    GAME.advance(built.states, 0)


def restack(built: Table, seat: int, stack: str) -> None:
    assert built.awaited == "restack"
    built.settle({"seat": seat, "stack": stack.split()})


# ------------------------------------------------------------------------------------------------------- set-up


@pytest.mark.parametrize(("players", "each", "spare"), [(2, 26, 0), (3, 17, 1), (4, 13, 0), (5, 10, 2)])
def test_examples_5_and_8_the_deal_r2_r4(players: int, each: int, spare: int) -> None:
    deck = list(CARD_NAMES)
    deal = {"stacks": [deck[s * each : (s + 1) * each] for s in range(players)], "spare": deck[players * each :]}
    built = Table(GAME, players, {}, deal)
    assert held(built) == [each] * players and built.state.spare_len == spare == len(deal["spare"])
    assert built.to_move == 1 and built.legal == ["flip"]
    built.play("flip")
    assert names(built.state.centre, 1) == deal["stacks"][1][0]


@pytest.mark.parametrize(
    "damage",
    [{"stacks": []}, {"stacks": None}, {"spare": []}, {"spare": ["E1"]}, {"spare": None}, {"starter": 1},
     {"stacks": [[*CARD_NAMES[:16], "E9"], [*CARD_NAMES[17:34]], [*CARD_NAMES[34:51]]]},
     {"stacks": [[*CARD_NAMES[:16]], [*CARD_NAMES[16:34]], [*CARD_NAMES[34:51]]]}],
)  # fmt: skip
def test_an_impossible_deal_is_refused(damage: dict[str, Any]) -> None:
    built = Table(GAME, 3, {})
    deal = {"stacks": [[*CARD_NAMES[s * 17 : (s + 1) * 17]] for s in range(3)], "spare": [CARD_NAMES[51]]}
    with pytest.raises(ValueError, match="deal"):
        built.codec.impose(built.state, {**deal, **damage})


# ------------------------------------------------------------------------------------------ normal play, pickling


def test_normal_play_goes_to_the_left() -> None:
    built = place(["T1", "N1 T2", "R1 T3"], centre="S1")
    order = []
    for _ in range(3):
        order.append(built.to_move)
        built.play("flip")
    assert order == [1, 2, 0] and names(built.state.centre, 4) == "S1 N1 R1 T1" and built.state.live == fields.NO_CARD


@pytest.mark.parametrize(("pepper", "chilies"), [("I1", 1), ("O1", 2), ("A1", 3), ("E1", 4)])
def test_example_1_a_pepper_makes_the_next_seat_lay_cards(pepper: str, chilies: int) -> None:
    for stacks, pickler in ((["T1 T2 T3 N1 N2", "R1"], 1), (["", "T1 T2 T3 N1 N2"], 2)):  # the next seat with cards
        built = place([f"{pepper} T4", *stacks], turn=0, words="off")
        built.play("flip")
        assert (built.state.live, built.state.owner, built.state.need) == (CARDS[pepper], 0, chilies)
        for laid in range(chilies):
            assert built.to_move == pickler == built.state.pickler and built.state.laid == laid
            built.play("flip")
        assert built.state.live == fields.NO_CARD and built.state.taken_len[0] == 1 + chilies


def test_example_4_the_pickler_leads_not_the_taker() -> None:
    built = place(["T4", "T1 T2 N3", "R1"], centre="S1 S2", live="O1", words="off")
    built.play("flip", "flip")
    assert taken(built, 0) == bag("S1 S2 O1 T1 T2") and built.to_move == 1 and built.legal == ["flip"]
    asked = place(["T4", "T1 T2 N3", "R1"], centre="S1 S2", live="O1")
    asked.play("flip", "flip")
    assert asked.to_move == 1 and asked.legal == ["claim", "pass"] and not taken(asked, 0)
    asked.play("pass")
    assert taken(asked, 0) == bag("S1 S2 O1 T1 T2") and asked.to_move == 1


def test_example_7_a_pickled_pepper_ends_the_pickle_r4() -> None:
    built = place(["T4", "T1 I1 N2", "L2 L4"], centre="S1", spare="Z4", live="O1", words="off")
    built.play("flip", "flip")
    state = built.state
    assert (state.live, state.owner, state.pickler, state.need) == (CARDS["I1"], 1, 2, 1) and built.to_move == 2
    assert names(state.earlier, state.earlier_len) == "T1 I1" and state.laid == 0
    built.play("flip")
    assert taken(built, 1) == bag("S1 O1 T1 I1 L2 Z4") and state.spare_len == state.earlier_len == 0
    assert built.to_move == 2 and not taken(built, 0)


def test_a_right_claim_takes_the_spare_cards_r4() -> None:
    built = place(["T4", "L2 W4 N2", "T1"], centre="S1", spare="Z4", live="O1")
    assert built.see(1)["spare"] == 1
    built.play("flip", "flip", "claim")
    assert taken(built, 1) == bag("S1 O1 L2 W4 Z4") and built.see(1)["spare"] == 0


# ------------------------------------------------------------------------------------------------------- claims


def test_example_2_low() -> None:
    built = place(["T4", "L2 W4 N2"], centre="S1", live="O1", spell_hint=True)
    assert built.legal == ["flip"] and built.see(1)["can_claim"] == 0
    built.play("flip")
    assert built.legal == ["flip", "claim"] and (built.see(0)["can_claim"], built.see(0)["hint"]) == (1, 0)
    built.play("flip")
    assert built.legal == ["claim", "pass"] and built.see(0)["hint"] == built.see(1)["hint"] == 1
    built.play("claim")
    assert taken(built, 1) == bag("S1 O1 L2 W4") and built.to_move == 1 and held(built) == [47, 5]


def test_example_2_l_alone_and_o_is_no_word_of_three() -> None:
    built = place(["T4", "L2 W4 N2"], centre="S1", live="O1")
    built.play("flip", "claim")
    assert built.to_move is None and built.state.score[:2].tolist() == [52, 0], "it paid its last cards"


@pytest.mark.parametrize("min_len", [2, 3, 4])
def test_words_have_min_len_letters_r5(min_len: int) -> None:
    built = place(["T4", "L2 W4 N2 R1 R2 R3 R4"], live="O1", min_len=min_len, spell_hint=True)
    built.play("flip")
    assert built.see(1)["hint"] == (min_len == 2) and built.see(1)["min_len"] == min_len
    built.play("flip")
    assert built.see(1)["hint"] == (min_len < 4)


def test_all_letters_are_used_in_any_order_r5() -> None:
    built = place(["T4", "W4 L2 T1 N2"], live="A1", spell_hint=True)
    built.play("flip", "flip")
    assert built.see(0)["hint"] == 1, "LAW"
    built.play("flip")
    assert built.see(0)["hint"] == 0, "it does not use the T"
    later = place(["L2 W4 T1", "R1", "S1"], centre="E1", strings="T2 R2", live="O2", owner=2, rest=1, spell_hint=True)
    later.play("flip", "flip")
    assert later.see(0)["hint"] == 1, "earlier strings do not count"


def test_the_hint_is_an_option() -> None:
    built = place(["T4", "L2 W4 N2"], live="O1")
    built.play("flip", "flip")
    assert built.see(1)["can_claim"] == 1 and built.see(1)["hint"] == 0


def test_nobody_pays_for_a_right_claim_r1() -> None:
    built = place(["T4", "T1 R1 R2", "S1"], live="O1", min_len=2, rest=2)
    built.play("flip")
    before = held(built)
    built.play("claim")
    assert [now - then for then, now in zip(before, held(built), strict=True)] == [0, 2, 0]


def test_a_wrong_claim_pays_five_and_the_pickle_goes_on_r6() -> None:
    built = place(["T4", "T1 T2 N1 N2 N3 N4 R1 R2"], live="A1")
    built.play("flip", "claim")
    assert names(built.state.taken[0], 5) == "T2 N1 N2 N3 N4" and built.state.stack_len[1] == 2
    assert built.to_move == 1 and built.legal == ["flip"] and built.see(0)["can_claim"] == 0
    built.play("flip")
    assert built.legal == ["flip", "claim"], "one claim for each card"


def test_the_penalty_goes_to_the_owner_r6() -> None:
    built = place(["T4", "T3", "T1 T2 N1 N2 N3 N4 R1 R2", "S1"], live="A1", turn=2)
    built.play("flip", "claim")
    assert built.state.taken_len[:4].tolist() == [5, 0, 0, 0]


def test_example_3_a_wrong_claim_with_three_cards_left_pays_three_r6_r7() -> None:
    built = place(["T4", "T1 T2 N1 N2", "S1"], live="A1")
    built.play("flip", "claim")
    assert taken(built, 0) == bag("T2 N1 N2 A1 T1") and built.to_move == 2, "it is not asked again"
    assert built.state.out_at[:3].tolist() == [0, 3, 0] and built.see(0)["out"] == [0, 1, 0, 0, 0]


def test_the_taken_pile_is_recycled_for_the_penalty_r6() -> None:
    built = place(["T4", "T1 T2"], taken=["", "R1 R2 R3 R4 S1"], live="A1")
    built.play("flip")
    stop(built, "claim")
    assert names(built.state.taken[0], 1) == "T2" and built.to_move == 1
    restack(built, 1, "S1 R4 R3 R2 R1")
    assert names(built.state.taken[0], 5) == "T2 S1 R4 R3 R2" and names(built.state.stack[1], 1) == "R1"
    assert built.legal == ["flip"] and built.state.recycled[1] == 1


def test_a_stack_that_is_paid_exactly_is_not_yet_replaced_r3_r6() -> None:
    built = place(["T4", "T1 T2 N1 N2 N3 N4"], taken=["", "R1 R2"], live="A1")
    built.play("flip", "claim")
    assert taken(built, 0) == bag("T2 N1 N2 N3 N4") and built.awaited is None and built.legal == ["flip"]
    assert built.state.stack_len[1] == 0 and built.state.taken_len[1] == 2
    stop(built, "flip")
    assert built.awaited == "restack"


def test_a_wrong_claim_on_the_last_card_completes_the_pickle_r6() -> None:
    built = place(["T4", "L2 L4 N1 N2 N3 N4 R1 R2"], live="O1")
    built.play("flip", "flip", "claim")
    assert taken(built, 0) == bag("N1 N2 N3 N4 R1 O1 L2 L4")
    assert built.to_move == 1 and built.legal == ["flip"] and names(built.state.stack[1], 1) == "R2"


def test_without_words_nothing_is_asked() -> None:
    built = place(["T4", "L2 W4 N2"], live="O1", words="off", spell_hint=True)
    built.play("flip")
    seen = built.see(0)
    assert built.legal == ["flip"] and seen["can_claim"] == seen["words"] == seen["hint"] == 0
    built.play("flip")
    assert built.state.taken_len[0] == 3 and built.to_move == 1


# ------------------------------------------------------------------------------------------- stacks that run out


def test_example_6_a_stack_runs_out_in_the_middle_r3() -> None:
    built = place(["T4", "T1"], taken=["", "R1 R2 R3"], live="A1")
    built.play("flip")
    assert built.awaited is None and built.legal == ["flip", "claim"], "a stack is replaced when a card is due"
    stop(built, "flip")
    assert built.awaited == "restack" and built.to_move == 1 and built.state.laid == 1
    for wrong in (
        {"seat": 0, "stack": ["R1", "R2", "R3"]}, {"seat": True, "stack": ["R1", "R2", "R3"]}, {"seat": 1, "stack": []},
        {"seat": 1, "stack": ["R1", "R2", "R2"]}, {"seat": 1, "stack": ["R1", "R2", "T1"]}, {"seat": 1}, None,
    ):  # fmt: skip
        with pytest.raises(ValueError, match="restack"):
            built.codec.impose(built.state, wrong)
    others = names(built.state.stack[0], built.state.stack_len[0]).split()
    with pytest.raises(ValueError, match="seat 1 needs a stack, not 0"):
        built.codec.impose(built.state, {"seat": 0, "stack": others})
    restack(built, 1, "R2 R3 R1")
    assert names(built.state.string, 2) == "T1 R2" and names(built.state.stack[1], 2) == "R1 R3"
    assert built.state.taken_len[1] == 0


def test_a_restack_is_a_fair_shuffle_r3() -> None:
    built = place(["T4", "T1"], taken=["", "R1 R2 R3"], live="A1")
    built.play("flip")
    stop(built, "flip")
    counts = {order: 0 for order in permutations(["R1", "R2", "R3"])}
    for seed in range(3000):
        states = built.states.copy()
        states["rng"] = seed * 7919
        GAME.chance(states, 0)
        counts[tuple(names(states[0].stack[1], 3).split())] += 1
    assert is_uniform(counts.values())


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(sorted({*CARD_NAMES} - {"T4", "T1", "A1"})), unique=True, min_size=1), st.integers(0))
def test_a_restack_is_a_permutation_and_nothing_else_r3(pile: list[str], seed: int) -> None:
    built = place(["T4", "T1"], taken=["", " ".join(pile)], live="A1")
    built.play("flip")
    stop(built, "flip")
    built.states["rng"] = seed % 2**64
    before = built.states.copy()
    GAME.chance(built.states, 0)
    stack = built.state.stack[1, : len(pile)]
    assert built.state.stack_len[1] == len(pile) and Counter(stack.tolist()) == Counter(cards(" ".join(pile)))
    for field in ("stack", "rng"):
        before[field] = built.states[field]
    assert before.tobytes() == built.states.tobytes()


def test_a_record_names_the_restack_from_the_top() -> None:
    built = place(["T4", "T1"], taken=["", "R1 R2 R3"], live="A1")
    built.play("flip")
    stop(built, "flip")
    built.codec.impose(built.state, {"seat": 1, "stack": ["R2", "R3", "R1"]})
    assert built.codec.outcome(built.state) == {"seat": 1, "stack": ["R2", "R3", "R1"]}
    built.settle()
    assert names(built.state.string, 2) == "T1 R2"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_record_names_the_deal_from_the_top_r4(players: int) -> None:
    built = Table(GAME, players, {})
    GAME.chance(built.states, 0)
    told = built.codec.outcome(built.state)
    built.settle()
    state, each = built.state, NUM_CARDS // players
    for seat, stack in enumerate(told["stacks"]):
        assert names(state.stack[seat][:each][::-1], each).split() == stack
    assert names(state.spare, state.spare_len).split() == told["spare"]


def test_a_seat_without_cards_in_normal_play_is_out_r7() -> None:
    built = place(["T4", "T1", "S1 S2"])
    built.play("flip")
    assert built.state.out_at[:3].tolist() == [0, 2, 0] and built.to_move == 2
    built.play("flip", "flip")
    assert built.to_move == 2, "seat 1 is passed over"


def test_the_owner_of_the_live_pepper_is_not_out_r7() -> None:
    def owner_without_cards(min_len: int) -> Table:
        built = place(["T4", "I1", "S1 S2"], min_len=min_len)
        built.play("flip")
        assert held(built)[1] == 0 and not built.state.out_at.any() and built.to_move == 2
        return built

    built = owner_without_cards(3)
    built.play("flip", "pass")
    assert not built.state.out_at.any() and held(built)[1] == 2
    built = owner_without_cards(2)
    built.play("flip", "claim")
    assert built.state.out_at[:3].tolist() == [0, 4, 0] and held(built)[2] == 3 and built.to_move == 2, "IS"


def test_an_exhausted_pickler_completes_the_pickle_r7() -> None:
    built = place(["T4", "T1 N1", "S1"], live="E1", words="off")
    built.play("flip", "flip")
    assert taken(built, 0) == bag("E1 T1 N1") and built.state.out_at[1] == 3 and built.to_move == 2
    between = place(["S1", "T4", "T1 N1"], live="E1", owner=1, rest=1, words="off")
    between.play("flip", "flip")
    assert between.to_move == 0 and between.state.out_at[2] == 3, "the taker is not the leader"


def test_the_last_card_of_an_exhausted_pickler_may_be_claimed_r7() -> None:
    for move, winner in (("claim", 1), ("pass", 0)):
        built = place(["T4", "N1 T1", "S1"], live="E1")
        built.play("flip", "flip")
        assert built.legal == ["claim", "pass"] and built.see(0)["step"] == [0, 0, 1]
        built.play(move)
        assert taken(built, winner) == bag("E1 T1 N1") and built.to_move == 1 + (move == "pass")


@pytest.mark.parametrize("left", ["", "Z4", "Z4 I3"])
def test_a_pepper_that_nobody_can_pickle_wins_r7(left: str) -> None:
    """All other cards are in play; the pepper comes from the last seat that had any, and may be its last card."""
    others = [name for name in CARD_NAMES if name not in ("E1", "I2", *left.split())]
    plain = [name for name in others if not CHILIES[CARDS[name]]]
    peppers = [name for name in others if CHILIES[CARDS[name]]]
    built = place(["", f"E1 {left}", ""], centre=" ".join(plain), strings=" ".join(peppers), live="I2")
    built.play("flip")
    assert built.to_move is None and built.state.score[:3].tolist() == [0, 52, 0]
    assert built.state.standing[:3].tolist() == [1, 0, 2], "the owner of I2 was out later than seat 2"


def test_an_owner_without_cards_is_out_when_its_pepper_is_no_longer_live_r7() -> None:
    built = place(["T4 I2", "I1", "O1"], min_len=2)
    built.play("flip", "flip")
    assert built.state.out_at[:3].tolist() == [0, 3, 0] and built.to_move == 0 and built.state.owner == 2


# ------------------------------------------------------------------------------------------------------- the end


def test_the_last_seat_with_cards_wins_r8() -> None:
    built = place(["T4", "T1", ""], centre="S1")
    built.play("flip")
    assert built.to_move is None and built.state.truncated == 0
    assert built.state.score[:3].tolist() == [50, 0, 0], "the centre belongs to nobody"
    assert built.state.standing[:3].tolist() == [0, 1, 2], "who went out later stands before"


def test_seats_out_with_the_same_decision_tie_r8() -> None:
    built = place(["T4", "T1", "", "", ""], centre="S1")
    assert built.state.out_at[2:].tolist() == [1, 1, 1]
    built.play("flip")
    assert built.state.standing[:5].tolist() == [0, 1, 2, 2, 2]


def test_a_game_that_ends_with_the_move_that_reaches_the_limit_is_not_cut_short_r8() -> None:
    built = place(["T4", "T1", ""], centre="S1", max_moves=2)
    built.play("flip")
    assert built.to_move is None and built.state.moves == 2 and built.state.truncated == 0
    assert built.state.standing[:3].tolist() == [0, 1, 2]


def test_a_game_cut_short_is_decided_by_cards_held() -> None:
    built = place(["T4", "T1 T2", "S1 S2"], centre="R1", max_moves=2, rest=2)
    built.play("flip")
    assert built.to_move is None and built.state.truncated == 1
    assert built.state.score[:3].tolist() == [1, 1, 48] and built.state.standing[:3].tolist() == [1, 1, 0]


# ------------------------------------------------------------------------------------------- what a seat may know


def test_what_a_seat_sees() -> None:
    built = place(["T4", "T1 T2 N3", "R1"], taken=["S4"], centre="S1 S2", live="O1", recall=True)
    built.play("flip")
    seen = built.see(1)
    assert seen["stack"][:3] == [2, 1, held(built)[0] - 1] and seen["taken"] == [0, 0, 1, 0, 0]
    assert np.flatnonzero(seen["centre_top"]).tolist() == cards("O1") and seen["centre_size"] == 3
    assert np.flatnonzero(seen["live"]).tolist() == cards("O1") and seen["owner"] == [0, 0, 1, 0, 0]
    assert (seen["need"], seen["laid"]) == (2, 1) and seen["pickler"] == seen["active"] == [1, 0, 0, 0, 0]
    known = {place: np.flatnonzero(row).tolist() for place, row in enumerate(seen["known"]) if any(row)}
    assert known == {0: sorted(cards("S1 S2 O1 T1")), 3: cards("S4")}
    assert not any(map(any, place(["T4", "T1"], taken=["S4"]).see(0)["known"]))


def test_recall_knows_what_is_in_a_recycled_stack_but_not_its_order() -> None:
    built = place(["T4", "R1 R2 R3"], recall=True, recycled=[1])
    known = built.see(0)["known"]
    assert np.flatnonzero(known[1 + fields.MAX_SEATS + 1]).tolist() == sorted(cards("R1 R2 R3"))
    orders = {order: 0 for order in permutations(cards("R1 R2 R3"))}
    for state in built.redraws(0, 3000):
        orders[tuple(state.stack[1, :3].tolist())] += 1
    assert is_uniform(orders.values())


def test_unseen_cards_change_places_with_one_another_only() -> None:
    placed = ["T1", "T2", "R1", "N1", "N2", "S1", "S2", "Z4", "I1"]
    built = place(
        ["T1 T2", "R1", "N1 N2"],
        taken=["", "S1 S2"],
        spare="Z4",
        recycled=[2],
        centre=" ".join(name for name in CARD_NAMES if not CHILIES[CARDS[name]] and name not in placed),
        strings=" ".join(name for name in CARD_NAMES if CHILIES[CARDS[name]] and name not in placed),
        live="I1",
        owner=2,
        turn=0,
    )
    orders = {order: 0 for order in permutations(cards("T1 T2 R1 Z4"))}
    for state in built.redraws(1, 4800):
        orders[(*state.stack[0, :2].tolist(), int(state.stack[1, 0]), int(state.spare[0]))] += 1
        assert sorted(state.stack[2, :2].tolist()) == sorted(cards("N1 N2"))
        assert state.taken[1, :2].tolist() == cards("S1 S2") and not state.deck.any()
    assert is_uniform(orders.values())


# --------------------------------------------------------------------------------------------- bot, audit, chance


def test_the_bot_claims_exactly_when_it_is_right() -> None:
    built = place(["T4", "L2 W4 N2"], centre="S1", live="O1")
    built.play("flip")
    assert built.bot() == "flip"
    built.play("flip")
    assert built.bot() == "claim"
    wrong = place(["T4", "L2 L4 N2"], live="O1")
    wrong.play("flip", "flip")
    assert wrong.bot() == "pass"


@pytest.mark.parametrize("min_len", [2, 3, 4])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_bot_claims_exactly_when_the_word_list_says_so(players: int, min_len: int) -> None:
    stream = random.Random(players)
    deck, each = stream.sample(CARD_NAMES, NUM_CARDS), NUM_CARDS // players
    deal = {"stacks": [deck[s * each : (s + 1) * each] for s in range(players)], "spare": deck[players * each :]}
    built = Table(GAME, players, {"min_len": min_len, "max_moves": 400}, deal)
    seen: Counter[str] = Counter()
    while built.to_move is not None:
        laid = [CARD_NAMES[card] for card in (*built.state.string[: built.state.laid], built.state.live)]
        is_right = "claim" in built.legal and letters.words_of_all([letters.LETTER[card] for card in laid], min_len)
        assert built.bot() == ("claim" if is_right else "pass" if "pass" in built.legal else "flip")
        seen[built.bot()] += 1
        built.play(stream.choice([move for move in built.legal if move != "claim"]))
    assert seen["claim"] and seen["pass"] and seen["flip"]


@pytest.mark.parametrize(
    ("number", "damage"),
    [
        (1, {"taken_len": (0, 0)}), (1, {"centre_len": 0}), (2, {"to_move": 3}), (2, {"pending": 2}), (2, {"stage": 9}),
        (2, {"live": 52}), (2, {"owner": 3}), (2, {"laid": 5}), (2, {"spare_len": 3}), (2, {"to_pay": 1}),
        (2, {"stack_len": (0, 53)}), (2, {"taken_len": (0, 53)}), (2, {"centre_len": 53}), (2, {"earlier_len": 53}),
        (2, {"need": 5}), (2, {"pickler": 3}), (2, {"moves": 5001}), (2, {"moves": -1}), (2, {"to_move": -2}),
        (2, {"recycled": (0, 2)}), (2, {"claimed": 2}), (3, {"owner": fields.NOBODY}),
        (3, {"pickler": fields.NOBODY}), (3, {"need": 1}), (3, {"live": CARDS["I1"], "need": 1}), (5, {"to_move": 0}),
        (5, {"stage": fields.FLIPPING}), (5, {"stage": fields.LAST}), (6, {"out_at": (2, 1)}),
        (6, {"out_at": (1, 1)}),
    ],
)  # fmt: skip
def test_the_audit_sees_damage(number: int, damage: dict[str, Any]) -> None:
    built = place(["T4", "T1 T2 N3", "R1"], taken=["S4"], centre="S1 S2", live="O1")
    built.play("flip")
    assert built.fails_audit(**damage) == number


def test_the_audit_sees_cards_of_the_wrong_kind() -> None:
    built = place(["T4", "T1 T2 N3", "R1"], centre="S1 S2", live="O1")
    built.play("flip")
    pepper = int(np.flatnonzero([CHILIES[card] and card != CARDS["O1"] for card in range(NUM_CARDS)])[0])
    stack = built.state.stack[0].tolist()
    swapped = [CARDS["T1"] if card == pepper else card for card in stack]
    assert built.fails_audit(string=(0, pepper), stack=(0, swapped)) == 4
    assert built.fails_audit(centre=(0, 60)) == 1
    assert place(["T4", "T1"], words="off", live="O1").fails_audit(claimed=1) == 4
    assert place(["T4", "T1", ""], centre="S1").fails_audit(out_at=(2, 0)) == 6
    assert place(["T4", "T1", ""], centre="S1").fails_audit(out_at=(2, 2)) == 6, "after the last move"


def test_the_audit_sees_a_string_that_is_too_long() -> None:
    built = place(["T4 T3", "T1 T2 N3", "R1"], centre="S1 S2", live="I1")
    longer = {"string": (slice(0, 2), cards("T4 T3")), "laid": 2, "stack_len": (0, built.state.stack_len[0] - 2)}
    assert built.fails_audit(**longer) == 4


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 5), st.booleans())
def test_no_card_is_lost(seed: int, players: int, words: bool) -> None:
    """The audit counts them after every move; see conformance for 10,000 games."""
    batch = Batch(
        GAME.spec.id,
        1,
        num_players=players,
        seed=seed,
        autoreset=False,
        words="claim" if words else "off",
        max_moves=60,
    )
    while batch.seat[0] >= 0:
        batch.step(batch.sample_actions())
        assert GAME.audit(batch._states, 0) == 0


def mean_length(players: int, games: int) -> float:
    batch = Batch(GAME.spec.id, games, num_players=players, seed=0, autoreset=False, words="off")
    while (batch.seat >= 0).any():
        batch.step(batch.sample_actions())
    return float(batch.final_length.mean())


@pytest.mark.slow
@pytest.mark.skipif(PURE_PYTHON, reason="10,000 games are too many for pure Python")
@pytest.mark.parametrize(("players", "expected"), [(2, 225), (3, 290), (4, 325)])
def test_base_games_are_as_long_as_in_independent_simulations(players: int, expected: int) -> None:
    assert mean_length(players, 10_000) == pytest.approx(expected, rel=0.05)
