"""Jungle on built positions: cards lie where the test puts them, and a challenge begins."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pepperenvs.core.jit import PURE_PYTHON
from pepperenvs.core.utility import SCORE
from pepperenvs.drivers.batch import Batch
from pepperenvs.drivers.game import load
from pepperenvs.games.jungle import state as fields
from pepperenvs.lexicon.deck import CARD_NAMES, CARD_RANK, IS_ANIMAL, NUM_CARDS
from tests.fair import is_uniform
from tests.games import Table
from tests.twins.letters import LETTER, words_of_any

pytestmark = pytest.mark.nojit

GAME = load("jungle_v0")
CARDS = dict(zip(CARD_NAMES, range(NUM_CARDS), strict=True))
TIE = ["W4 T1 T2 T3 L2", "X4 N2 N3 N4 O1"]  # the fourth example: both tie, then L leads


def cards(text: str) -> list[int]:
    return [CARDS[name] for name in text.split()]


def place(
    stacks: Sequence[str],
    taken: Sequence[str] = (),
    rest: int | None = None,
    spare: str = "",
    recycled: Sequence[int] = (),
    **options: Any,
) -> Table:
    """A challenge that is about to begin. Stacks are given top first; cards that are not named lie in the taken pile of
    the seat `rest`, the last one unless it is given."""
    built = Table(GAME, len(stacks), options)
    state, seats = built.state, len(stacks)
    state.deck[:] = 0
    named = " ".join([*stacks, *taken, spare]).split()
    others = [name for name in CARD_NAMES if name not in named]
    for seat in range(seats):
        stack = cards(stacks[seat])
        state.stack_len[seat], state.stack[seat, : len(stack)] = len(stack), stack[::-1]
        pile = cards(taken[seat]) if seat < len(taken) else []
        pile += cards(" ".join(others)) if seat == (seats - 1 if rest is None else rest) else []
        state.taken_len[seat], state.taken[seat, : len(pile)] = len(pile), pile
        state.recycled[seat], state.contest[seat] = seat in recycled, 1
    state.spare_len = len(spare.split())
    state.spare[: state.spare_len] = cards(spare)
    state.to_move, state.pending, state.stage = 0, 0, fields.FLIPPING
    built.audit()
    return built


def flips(built: Table) -> Table:
    """Every seat flips once."""
    built.play(*["flip"] * int(built.state.num_seats))
    return built


def stack(*face_up: str) -> str:
    """A stack of which these cards come face up, each after the first below three cards laid face down."""
    return " . . . ".join(face_up)


def fill(*stacks: str) -> list[str]:
    """Puts letters, no Animals, where the stacks have dots."""
    named = " ".join(stacks).split()
    fillers = [name for name in CARD_NAMES if name not in named and CARD_RANK[CARDS[name]] <= 32]
    return [" ".join(fillers.pop(0) if card == "." else card for card in text.split()) for text in stacks]


def held(built: Table) -> list[int]:
    state = built.state
    return [int(state.stack_len[seat] + state.taken_len[seat]) for seat in range(state.num_seats)]


def names(pile: Any) -> str:
    return " ".join(CARD_NAMES[card] for card in pile)


def taken(built: Table, seat: int) -> set[str]:
    return set(names(built.state.taken[seat, : built.state.taken_len[seat]]).split())


def face_up(built: Table) -> str:
    return names(built.state.face_up[: built.state.face_up_len])


def face_down(built: Table, seat: int) -> str:
    return names(built.state.face_down[seat, : built.state.face_down_len[seat]])


def stop(built: Table, move: str) -> None:
    """Play a move and stop where an outcome is awaited."""
    GAME.step(built.states, 0, GAME.parse(built.states, move))
    GAME.advance(built.states, 0)


def restack(built: Table, seat: int, text: str) -> None:
    assert built.awaited == "restack"
    built.settle({"seat": seat, "stack": text.split()})


# ------------------------------------------------------------------------------------------------------- set-up


@pytest.mark.parametrize(("players", "each", "spare"), [(2, 26, 0), (3, 17, 1)])
def test_the_deal(players: int, each: int, spare: int) -> None:
    deck = [*CARD_NAMES]
    deal = {"stacks": [deck[s * each : (s + 1) * each] for s in range(players)], "spare": deck[players * each :]}
    built = Table(GAME, players, {}, deal)
    assert held(built) == [each] * players and built.state.spare_len == spare and built.to_move == 0
    assert built.legal == ["flip"] and names(built.state.stack[1, each - 1 :: -1]) == " ".join(deal["stacks"][1])
    again = Table(GAME, players, {})
    again.codec.impose(again.state, deal)
    assert again.codec.outcome(again.state) == deal
    for damage in ({"stacks": deal["stacks"][1:]}, {"stacks": None}, {"spare": ["E1"] * (1 - spare)}, {"extra": 1}):
        with pytest.raises(ValueError, match="deal"):
            Table(GAME, players, {}, {**deal, **damage})


def test_options() -> None:
    assert GAME.spec.resolve(2)["scrump"] == "jungle" and GAME.spec.resolve(3)["scrump"] == "anytime"
    assert GAME.spec.resolve(2)["min_len"] == 3 and GAME.spec.resolve(2)["max_moves"] == 10_000


# -------------------------------------------------------------------------------------------------- two players


def test_the_higher_rank_takes_both() -> None:
    built = place(["E1 T1 S1", "T2 E2"])
    built.play("flip")
    assert built.to_move == 1 and built.legal == ["flip"] and face_up(built) == "E1"
    built.play("flip")
    assert built.to_move == 0 and {"E1", "T2"} <= taken(built, 1) and not face_up(built)
    assert taken(flips(built), 0) == {"T1", "E2"}


def test_example_1_two_animals_are_a_tie() -> None:
    assert [CARD_RANK[card] for card in cards("J3 Q1")] == [51, 50]
    built = flips(place(["J3 T1 T2 T3 S1 S2", "Q1 N2 N3 N4 R1 R2"]))
    assert built.state.has_laid and face_up(built) == "J3 Q1 S1 R1"
    assert [face_down(built, seat) for seat in (0, 1)] == ["T1 T2 T3", "N2 N3 N4"]
    assert built.state.taker == 1, "the new cards decide"


def test_example_2_an_animal_takes_a_letter() -> None:
    assert CARD_RANK[CARDS["H1"]] == 41 and not IS_ANIMAL[CARDS["G3"]]
    built = flips(place(["H1 T1", "G3 T2"]))
    assert taken(built, 0) == {"H1", "G3"} and not built.state.has_laid


def test_two_animals_again_the_jungle_rule_again() -> None:
    built = flips(place(fill(stack("Z4", "F3", "G3"), stack("H1", "Q1", "M4"))))
    assert built.state.laid_by[:6].tolist() == [0, 1] * 3 and built.see(0)["face_down"] == [6, 6, 0]
    assert built.state.taker == 0 and built.to_move == 1, "G against M; the loser is asked"
    built.play("pass")
    assert len(taken(built, 0)) == 18 and not built.state.has_laid


@pytest.mark.parametrize(
    ("left", "down", "up"),
    [("T1 L2", "T1", "L2"), ("L2", "", "L2"), ("T1 T2 L2", "T1 T2", "L2"), ("T1 T2 T3 L2 S1", "T1 T2 T3", "L2")],
)
def test_example_3_with_fewer_than_four_cards_r9(left: str, down: str, up: str) -> None:
    built = flips(place([f"W4 {left}", "X4 N2 N3 N4 M4 S2"]))
    assert face_down(built, 0) == down and face_up(built) == f"W4 X4 {up} M4" and face_down(built, 1) == "N2 N3 N4"
    assert built.legal == ["claim", "pass"] and built.to_move == 0
    built.play("pass")
    if left.endswith("S1"):
        assert built.to_move == 0
    else:
        assert built.to_move is None and built.state.score[:2].tolist() == [0, 52] and not built.state.truncated


def test_stack_and_taken_pile_are_counted_together_r9_r3() -> None:
    built = place(["W4 T1", "X4 N2 N3 N4 M4 S2"], ["S1 S3 L2 E1 R1"])
    built.play("flip")
    stop(built, "flip")
    assert built.awaited == "restack" and face_down(built, 0) == "T1"
    restack(built, 0, "S3 R1 L2 S1 E1")
    assert face_down(built, 0) == "T1 S3 R1" and face_up(built) == "W4 X4 L2 M4"
    assert built.state.stack_len[0] == 2 and built.state.taken_len[0] == 0


@pytest.mark.parametrize("words", ["claim", "off"])
@pytest.mark.parametrize("loser", [0, 1])
def test_without_a_card_the_game_is_lost_at_once_r9(loser: int, words: str) -> None:
    stacks = ["W4", "X4 N2 N3 N4 M4 S2"]
    built = flips(place(stacks[:: 1 - 2 * loser], rest=1 - loser, words=words, scrump="anytime"))
    assert built.to_move is None and not built.state.truncated and built.state.face_up_len == 2
    assert built.state.score[:2].tolist() == [0, 50][:: 1 - 2 * loser], "the pot belongs to nobody"
    assert built.state.standing[:2].tolist() == [1, 0][:: 1 - 2 * loser]


def test_both_without_a_card_is_a_draw_r9() -> None:
    """Built within a challenge in which all other cards lie face down already."""
    built = place(["W4", "X4"])
    state = built.state
    pile = state.taken[1, : state.taken_len[1]].tolist()
    state.taken[1], state.taken_len[1], state.has_laid = 0, 0, 1
    state.face_down[0, : len(pile)], state.face_down_len[0] = pile, len(pile)
    stop(built, "flip")
    stop(built, "flip")
    assert built.to_move is None and state.score[:2].tolist() == [0, 0] == state.standing[:2].tolist()


def test_who_has_taken_all_cards_wins() -> None:
    built = flips(place(["E1", "T1 T2"]))
    assert built.to_move is None and built.state.score[:2].tolist() == [0, 52] and built.utility() == [-1.0, 1.0]
    assert built.state.standing[:2].tolist() == [1, 0] and not any(built.see(0)["active"])


# --------------------------------------------------------------------------------------- claims of two players


def test_example_4_a_right_claim_takes_all_ten_r1() -> None:
    built = flips(place([TIE[0] + " S1", TIE[1] + " S2"], spell_hint=True))
    assert built.state.taker == 0 and built.to_move == 1 and built.legal == ["claim", "pass"]
    assert built.see(0)["hint"] == built.see(1)["hint"] == 1 and built.see(0)["taker"] == [1, 0, 0]
    before = held(built)
    built.play("claim")
    assert [now - then for then, now in zip(before, held(built), strict=True)] == [0, 10], "nobody pays"
    assert built.to_move == 0 and built.legal == ["flip"]


def test_example_4_a_wrong_claim_pays_five_r10() -> None:
    built = flips(place(["W4 T1 T2 T3 L2 S1 S2", "X4 N2 N3 N4 R1 E1 E2 E3 E4 R2 R3"], rest=0))
    assert built.to_move == 1
    built.play("claim")
    assert names(built.state.stack[1, :1]) == "R3" and built.state.stack_len[1] == 1
    assert {"E1", "E2", "E3", "E4", "R2", "W4", "X4", "L2", "R1", "T1", "N4"} <= taken(built, 0)
    assert built.to_move == 0 and built.legal == ["flip"], "one claim a challenge"


def test_the_taken_pile_is_recycled_for_the_penalty_r10_r3() -> None:
    built = flips(place(["W4 T1 T2 T3 L2 S1", "X4 N2 N3 N4 R1 E1 E2"], ["", "I1 I2"], rest=0))
    stop(built, "claim")
    assert built.awaited == "restack" and {"E1", "E2"} <= taken(built, 0) and built.state.face_up_len == 4
    restack(built, 1, "I2 I1")
    assert built.to_move is None and built.state.score[:2].tolist() == [52, 0]


def test_no_restack_before_the_next_card_is_due_r3() -> None:
    built = flips(place(["W4 T1 T2 T3 L2 S1", "X4 N2 N3 N4 R1 E1 E2 E3 E4 R2"], ["", "I1 I2"], rest=0))
    built.play("claim", "flip")
    assert built.awaited is None and built.state.stack_len[1] == 0 and built.to_move == 1
    stop(built, "flip")
    wrongs = ({"seat": 0, "stack": ["I1", "I2"]}, {"seat": 0, "stack": []}, {"seat": 1, "stack": ["I1"]})
    for wrong in (*wrongs, {"seat": 1}, None):
        with pytest.raises(ValueError, match="restack"):
            built.codec.impose(built.state, wrong)
    built.codec.impose(built.state, told := {"seat": 1, "stack": ["I1", "I2"]})
    assert built.codec.outcome(built.state) == told
    built.settle()
    assert built.to_move == 0 and "I1" in taken(built, 0) and names(built.state.stack[1, :1]) == "I2"


def test_a_restack_is_a_fair_shuffle_r3() -> None:
    built = place(["E1 T1", ""], ["", "I1 I2 R1"], rest=0)
    built.play("flip")
    stop(built, "flip")
    orders = {order: 0 for order in permutations(cards("I1 I2 R1"))}
    for seed in range(3000):
        states = built.states.copy()
        states["rng"] = seed * 7919
        GAME.chance(states, 0)
        orders[tuple(states[0].stack[1, :3].tolist())] += 1
    assert is_uniform(orders.values())


def test_two_players_are_asked_after_the_jungle_rule_alone() -> None:
    built = flips(place(["O1 W4 T1 T2 T3 L2 S1", "P3 X4 N2 N3 N4 O2 S2"]))
    assert built.legal == ["flip"] and built.to_move == 0
    flips(built)
    assert built.legal == ["claim", "pass"] and built.to_move == 1


@pytest.mark.parametrize("min_len", [2, 3, 4])
def test_anytime_two_letters_count_without_the_jungle_rule(min_len: int) -> None:
    built = flips(place(["X4 T1", "O1 T2"], min_len=min_len, scrump="anytime", spell_hint=True))
    assert built.to_move == 1 and built.see(0)["hint"] == 1, "ox"
    built.play("claim")
    assert {"X4", "O1"} <= taken(built, 1)
    none = flips(place(["X4 T1", "L2 T2"], min_len=min_len, scrump="anytime", spell_hint=True))
    assert none.legal == ["claim", "pass"] and none.see(0)["hint"] == 0
    tied = flips(
        place(["X4 T1 T2 T3 R1", "Z4 N2 N3 N4 O1"], min_len=min_len, scrump="anytime", spell_hint=True)
    )  # or, ox; the Jungle rule has laid cards
    assert tied.see(0)["hint"] == (min_len == 2)


@pytest.mark.parametrize(("min_len", "right"), [(2, 1), (3, 1), (4, 0)])
def test_min_len(min_len: int, right: int) -> None:
    built = flips(place([TIE[0] + " S1", TIE[1] + " E1 E2 E3 E4 A1 A2"], rest=0, min_len=min_len, spell_hint=True))
    assert built.see(0)["hint"] == right
    before = held(built)[1]
    built.play("claim")
    assert held(built)[1] == before + (10 if right else -5)


def test_words_off_asks_nobody() -> None:
    for players, scrump in ((2, "jungle"), (2, "anytime"), (3, "anytime"), (3, "jungle")):
        stacks = [TIE[0] + " S1", TIE[1] + " S2", "E1 E2"][:players]
        built = flips(place(stacks, rest=1, words="off", scrump=scrump))
        assert built.legal == ["flip"] and built.to_move == 0 and len(taken(built, 0)) == 8 + players


def test_the_last_eight_face_up_cards_count() -> None:
    eight = flips(place(fill(stack("Y2", "K1", "B2", "L2"), stack("X4", "Z4", "V2", "S1")), spell_hint=True))
    assert eight.state.face_up_len == 8 and eight.see(0)["hint"] == 1, "sky"
    ten = flips(place(fill(stack("Y2", "K1", "B2", "J3", "L2"), stack("X4", "Z4", "V2", "Q1", "S1")), spell_hint=True))
    assert face_up(ten) == "Y2 X4 K1 Z4 B2 V2 J3 Q1 L2 S1" and ten.see(0)["hint"] == 0
    seen = ten.see(1)
    assert [np.flatnonzero(row).tolist() for row in seen["face_up"]] == [[c] for c in cards("K1 Z4 B2 V2 J3 Q1 L2 S1")]
    assert np.flatnonzero(seen["earlier"]).tolist() == sorted(cards("Y2 X4"))
    assert seen["laid_by"] == [[0, 1, 0], [1, 0, 0]] * 4


# ------------------------------------------------------------------------------------------------ three players


def test_the_highest_of_three_takes_the_pot_and_the_spare() -> None:
    built = flips(place(["T1 T2", "R1 R2", "N2 N3"], spare="Z4", words="off"))
    assert taken(built, 1) == {"N2", "R1", "T1", "Z4"} and built.state.spare_len == 0
    assert {"N3", "R2", "T2"} <= taken(flips(built), 1)


def test_example_6_the_spare_goes_to_the_first_taker() -> None:
    for move, taker in (("claim", 2), ("pass", 1)):
        built = flips(place(["T1 T2", "R1 R2", "A1 N3"], spare="Z4"))
        assert built.to_move == 1, "R leads; art"
        built.play(move)
        assert {"A1", "R1", "T1", "Z4"} <= taken(built, taker)


def test_the_tied_seats_alone_play_the_jungle_rule_r12() -> None:
    built = flips(place(["W4 T1 T2 T3 L2 S1", "G3 S2 S3", "X4 N2 N3 N4 M4 S4"]))
    assert built.state.contest[:3].tolist() == [1, 0, 1] and built.state.laid_by[:5].tolist() == [0, 1, 2, 0, 2]
    assert built.state.taker == 2 and built.see(1)["contest"] == [0, 1, 1]
    built.play("pass")
    assert "G3" in taken(built, 2) and built.state.contest[:3].tolist() == [1, 1, 1], "it stays in the pot"


def test_example_5_the_third_drops_out_of_the_contest_r12() -> None:
    built = flips(place(fill(stack("H1", "B2", "L2"), stack("K1", "V2", "D2"), "Q1 . . . M4 S1")))
    assert face_up(built) == "H1 K1 Q1 B2 V2 M4 L2 D2" and built.state.contest[:3].tolist() == [1, 1, 0]
    assert built.see(2)["face_down"] == [3, 6, 6] and built.to_move == 0


def test_one_animal_of_three_is_no_tie_r12() -> None:
    built = flips(place(["H1 T1", "G3 T2", "M4 T3"], words="off"))
    assert taken(built, 0) == {"H1", "G3", "M4"}


def test_a_tied_seat_without_cards_drops_out_r12() -> None:
    one_left = flips(place(["W4", "X4 N2 N3 N4 M4", "T1 T2"]))
    assert one_left.state.contest[:3].tolist() == [0, 1, 0] and one_left.to_move == 1 and not one_left.state.has_laid
    one_left.play("pass")
    assert one_left.to_move is None and one_left.state.score[:3].tolist() == [0, -7, -45]
    lower = flips(place(["X4", "W4 N2 N3 N4 M4", "T1 T2"], words="off"))
    assert lower.state.score[:3].tolist() == [0, -7, -45], "also with the lower Animal"
    two_left = flips(place(["Z4", "X4 N2 N3 N4 M4", "W4 R2 R3 R4 L2"]))
    assert two_left.state.contest[:3].tolist() == [0, 1, 1] and two_left.state.laid_by[:5].tolist() == [0, 1, 2, 1, 2]


def test_if_none_of_the_tied_has_cards_the_highest_animal_takes_r12() -> None:
    built = flips(place(["W4", "X4", "T1 T2"]))
    assert built.to_move == 1 and built.see(0)["taker"] == [0, 1, 0]
    built.play("pass")
    assert built.to_move is None and built.state.standing[:3].tolist() == [0, 1, 2]


@pytest.mark.parametrize("min_len", [2, 3, 4])
@pytest.mark.parametrize("scrump", ["jungle", "anytime"])
def test_when_three_players_are_asked(min_len: int, scrump: str) -> None:
    built = flips(place(["T1 T2", "A1 A2", "R1 R2"], min_len=min_len, scrump=scrump, spell_hint=True))
    is_asked = scrump == "anytime" and min_len <= 3
    assert (built.legal == ["claim", "pass"]) == is_asked and built.see(0)["hint"] == is_asked
    assert built.to_move == (2 if is_asked else 0)
    tied = flips(place([TIE[0], TIE[1], "E1 E2"], min_len=min_len, scrump=scrump))
    assert tied.legal == ["claim", "pass"] and tied.state.face_up_len == 5


def test_example_6_who_plays_the_last_card_and_does_not_take_wins_r11() -> None:
    built = flips(place(["E1", "R1 R2", "N2 N3"], words="off"))
    assert built.to_move is None and built.state.score[:3].tolist() == [0, -4, -48] and not built.state.truncated
    assert built.state.standing[:3].tolist() == [0, 1, 2] and built.utility(SCORE) == [0.0, -4.0, -48.0]
    takes = flips(place(["R1", "E1 R2", "N2 N3"], words="off"))
    assert takes.to_move == 0 and takes.state.taken_len[0] == 3


def test_several_at_once_share_r11() -> None:
    built = flips(place(["E1", "R1 R2", "N2"], rest=1, words="off"))
    assert built.state.score[:3].tolist() == [0, -52, 0] and built.state.standing[:3].tolist() == [0, 2, 0]


def test_a_neighbour_that_pays_its_last_card_can_win_r11_r13() -> None:
    built = flips(place(["T1 S1", "N2 N3", "R1 R2"], rest=1))
    assert built.to_move == 2
    built.play("claim")
    assert built.to_move is None and built.state.standing[0] == 0 and "S1" in taken(built, 2)


def test_example_6_after_a_right_claim_the_left_neighbour_takes_r13() -> None:
    for seat in range(3):  # who leads
        stacks = [["T1 T2", "A1 A2", "R1 R2"][(i + 2 - seat) % 3] for i in range(3)]
        built = flips(place(stacks, rest=seat))
        assert built.state.taker == built.to_move == seat
        built.play("claim")
        assert taken(built, (seat + 1) % 3) == {"A1", "R1", "T1"} and built.to_move == 0


def test_example_6_after_a_wrong_claim_the_left_neighbour_pays_five_r13() -> None:
    built = flips(place(["T1 S1 S2 S3 S4 E1 E2", "N2 N3 N4", "R1 R2"], rest=1))
    built.play("claim")
    assert taken(built, 2) == {"T1", "N2", "R1", "S1", "S2", "S3", "S4", "E1"}
    assert names(built.state.stack[0, :1]) == "E2" and built.to_move == 0


def test_a_game_cut_short() -> None:
    two = place(["E1 E2", "T1 T2"], max_moves=1, rest=0)
    two.play("flip")
    assert two.to_move is None and two.state.truncated == 1 and two.state.standing[:2].tolist() == [0, 1]
    three = place(["E1 E2", "T1 T2", "R1 R2"], max_moves=1, rest=0)
    three.play("flip")
    assert three.state.standing[:3].tolist() == [2, 0, 0] and three.state.score[1] == -2


def test_a_game_that_ends_with_the_last_move_is_not_cut_short() -> None:
    built = flips(place(["E1", "T1 T2"], max_moves=2))
    assert built.to_move is None and not built.state.truncated and built.state.score[:2].tolist() == [0, 52]


def test_the_limit_waits_until_the_last_move_is_carried_out_r3() -> None:
    built = place(["W4 T1", "X4 N2 N3 N4 M4 S2"], ["S1 S3 L2 E1 R1"], max_moves=2)
    built.play("flip")
    stop(built, "flip")
    assert built.awaited == "restack" and built.to_move == 1 and not built.state.truncated
    restack(built, 0, "S3 R1 L2 S1 E1")
    assert built.to_move is None and built.state.truncated and built.state.taker == 1, "a claim is not asked any more"
    assert built.state.score[:2].tolist() == held(built) == [2, 40], "cards on the table count for nobody"


# ------------------------------------------------------------------------------------------- what a seat may know


def test_the_hint_is_an_option() -> None:
    for told in (0, 1):
        built = flips(place([TIE[0] + " S1", TIE[1] + " S2"], spell_hint=bool(told)))
        assert built.see(0)["hint"] == built.see(1)["hint"] == told


def test_seats_are_seen_clockwise_from_the_own_one() -> None:
    built = flips(place(["A1 A2", "T1 T2 S1", "R1 R2 E1 E2"], recycled=[2], recall=True))
    seen = built.see(1)
    assert seen["stack"] == [2, 3, 1] and seen["laid_by"][:3] == [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    assert seen["taker"] == seen["active"] == [0, 1, 0] and seen["step"] == [0, 1] and seen["moves_left"] == 9997
    assert np.flatnonzero(seen["known"][0]).tolist() == sorted(cards("A1 T1 R1"))
    assert [sum(row) for row in seen["known"][1:4]] == seen["taken"] == [0, 52 - 9, 0]
    stacks = [np.flatnonzero(row).tolist() for row in seen["known"][4:]]
    assert stacks == [[], sorted(cards("R2 E1 E2")), []], "only what was a taken pile is known"
    assert not np.any(flips(place(["A1 A2", "T1 T2 S1", "R1 R2 E1 E2"], recycled=[2])).see(1)["known"])


def test_face_down_cards_become_known_when_they_are_taken_r14() -> None:
    built = flips(place(["W4 T1 T2 T3 L2 S1", "X4 N2 N3 N4 O1 S2"], recall=True))
    lying = cards("T1 T2 T3 N2 N3 N4")
    assert not np.array(built.see(0)["known"])[:, lying].any()
    built.play("pass")
    assert np.array(built.see(1)["known"])[2, lying].all(), "in the taken pile of seat 0"


def test_recycled_cards_that_lie_face_down_are_redrawn_with_their_stack_r14() -> None:
    built = flips(place(["W4 T1 T2 T3 L2 S1", "X4 N2 N3 N4 O1 S2"], recycled=[0], recall=True))
    known = np.flatnonzero(built.see(0)["known"][4]).tolist()
    assert known == sorted(cards("T1 T2 T3 S1"))
    orders: Counter[tuple[int, ...]] = Counter({order: 0 for order in permutations(cards("T1 T2 T3 S1"))})
    for state in built.redraws(1, 2400):
        orders[(*state.face_down[0, :3].tolist(), int(state.stack[0, 0]))] += 1
        assert sorted(state.face_down[1, :3].tolist() + state.stack[1, :1].tolist()) == sorted(cards("N2 N3 N4 S2"))
    assert len(orders) == 24 and is_uniform(orders.values())


def after_a_restack(recycled: Sequence[int]) -> Table:
    """Seat 0 has laid T1 and T2 face down from one stack, then S3 from the next; L2 lies face up, and S1 is left."""
    built = place(["W4 T1 T2", "X4 N2 N3 N4 M4 S2"], ["S1 S3 L2"], recycled=recycled, recall=True)
    built.play("flip")
    stop(built, "flip")
    restack(built, 0, "S3 L2 S1")
    assert face_down(built, 0) == "T1 T2 S3" and names(built.state.stack[0, :1]) == "S1"
    return built


def test_cards_of_a_stack_used_up_are_redrawn_among_themselves_r14() -> None:
    built = after_a_restack([0])
    assert np.flatnonzero(built.see(1)["known"][5]).tolist() == sorted(cards("T1 T2 S3 S1"))
    orders = {used + left: 0 for used in permutations(cards("T1 T2")) for left in permutations(cards("S3 S1"))}
    for state in built.redraws(1, 1200):
        orders[(*state.face_down[0, :3].tolist(), int(state.stack[0, 0]))] += 1
    assert is_uniform(orders.values())


def test_unseen_cards_that_lie_face_down_stay_unseen_when_the_taken_pile_is_stacked_r14() -> None:
    built = after_a_restack([])
    assert np.flatnonzero(built.see(1)["known"][5]).tolist() == sorted(cards("S3 S1"))
    unseen = cards("T1 T2 N2 N3 N4 S2")
    pairs, last = {pair: 0 for pair in permutations(unseen, 2)}, {card: 0 for card in cards("S3 S1")}
    for state in built.redraws(0, 3000):
        pairs[tuple(state.face_down[0, :2].tolist())] += 1
        last[int(state.face_down[0, 2])] += 1
        assert sorted([*state.face_down[0, :2], *state.face_down[1, :3], state.stack[1, 0]]) == sorted(unseen)
    assert is_uniform(pairs.values()) and is_uniform(last.values())


def test_unseen_cards_change_places_with_one_another() -> None:
    built = place(["T1 T2", "N2", "S1"], spare="Z4", recycled=[2])
    orders = {order: 0 for order in permutations(cards("T1 T2 N2 Z4"))}
    for state in built.redraws(0, 4800):
        orders[(*state.stack[0, :2].tolist(), int(state.stack[1, 0]), int(state.spare[0]))] += 1
        assert state.stack[2, 0] == CARDS["S1"] and not state.deck.any()
    assert is_uniform(orders.values())


# --------------------------------------------------------------------------------------------- bot, audit, chance


def test_the_bot_claims_exactly_when_it_is_right() -> None:
    assert flips(place([TIE[0] + " S1", TIE[1] + " S2"])).bot() == "claim"
    assert flips(place([TIE[0] + " S1", "X4 N2 N3 N4 R1 S2"])).bot() == "pass"
    assert place(["E1", "E2"]).bot() == "flip"


@settings(max_examples=100, deadline=None)
@given(st.permutations(range(NUM_CARDS)), st.integers(2, 3), st.integers(2, 4))
def test_the_bot_claims_what_the_word_list_has(deck: list[int], players: int, min_len: int) -> None:
    """The last eight letters are looked up in the plain list, subset by subset."""
    built = flips(place(dealt(deck, players), min_len=min_len, scrump="anytime", spell_hint=True))
    if built.legal == ["claim", "pass"]:
        least = 2 if players == 2 and not built.state.has_laid else min_len
        letters = [LETTER[name] for name in face_up(built).split()[-8:]]
        is_word = bool(words_of_any(letters, least))
        assert (built.bot() == "claim") == is_word == built.see(0)["hint"]


def dealt(deck: Sequence[int], players: int) -> list[str]:
    """All cards as stacks, save for one of three players."""
    each = NUM_CARDS // players
    return [names(deck[seat * each : (seat + 1) * each]) for seat in range(players)]


@pytest.mark.parametrize(
    ("number", "damage"),
    [
        (1, {"taken_len": (1, 5)}), (1, {"face_up": (0, 60)}), (1, {"spare_len": 1}), (2, {"to_move": 2}),
        (2, {"pending": 2}), (2, {"stage": 9}), (2, {"taker": 2}), (2, {"to_pay": 1}), (2, {"laid_by": (0, 3)}),
        (2, {"recycled": (0, 2)}), (2, {"shown": (0, 52)}), (2, {"source": ((0, 0), 1)}), (2, {"has_laid": 2}),
        (2, {"face_down_len": (0, 53)}), (2, {"contest": (0, 2)}), (3, {"shown": (0, 5)}), (4, {"to_move": 0}),
        (4, {"taker": fields.NOBODY}), (4, {"stage": fields.FLIPPING}), (4, {"words": 0}), (4, {"has_laid": 0}),
    ],
)  # fmt: skip
def test_the_audit_sees_damage(number: int, damage: dict[str, Any]) -> None:
    built = flips(place([TIE[0] + " S1", TIE[1] + " S2"]))
    assert built.fails_audit(**damage) == number


def test_the_audit_sees_a_game_that_should_be_over_and_cards_that_nobody_laid() -> None:
    built = place(["E1 E2", "T1"], rest=0)
    pile, length = built.state.taken[0].copy(), int(built.state.taken_len[0])
    moved = built.states.copy()
    built.state.stack[0, 2], built.state.stack_len[0], built.state.stack_len[1] = CARDS["T1"], 3, 0
    assert GAME.audit(built.states, 0) == 5
    built.states[:] = moved
    built.state.face_down[0, 0], built.state.face_down_len[0] = pile[length - 1], 1
    built.state.taken_len[0] = length - 1
    assert GAME.audit(built.states, 0) == 6


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 3), st.booleans(), st.sampled_from(["jungle", "anytime"]))
def test_no_card_is_lost(seed: int, players: int, words: bool, scrump: str) -> None:
    """The audit counts them after every move; see conformance for many games."""
    options = {"words": "claim" if words else "off", "scrump": scrump, "max_moves": 60}
    batch = Batch(GAME.spec.id, 1, num_players=players, seed=seed, autoreset=False, **options)
    while batch.seat[0] >= 0:
        batch.step(batch.sample_actions())
        assert GAME.audit(batch._states, 0) == 0


@pytest.mark.slow
@pytest.mark.skipif(PURE_PYTHON, reason="10,000 games are too many for pure Python")
@pytest.mark.parametrize(("players", "expected"), [(2, 428), (3, 115)])
def test_base_games_are_as_long_as_in_independent_simulations(players: int, expected: int) -> None:
    batch = Batch(GAME.spec.id, 10_000, num_players=players, seed=0, autoreset=False, words="off")
    while (batch.seat >= 0).any():
        batch.step(batch.sample_actions())
    assert batch.final_length.mean() == pytest.approx(expected, rel=0.05)
