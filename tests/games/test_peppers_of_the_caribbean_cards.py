"""Peppers of the Caribbean, what holds in every position.

Sets are laid as by hand, no card is lost or made, the audit sees damage, deals go out and in, actions are in order.
"""

import functools
import json
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pepperenvs.games.peppers_of_the_caribbean import state as fields
from pepperenvs.games.peppers_of_the_caribbean.tables import BONUS_NAMES
from tests.games import Table
from tests.games.test_peppers_of_the_caribbean import (
    ALL_CARDS,
    GAME,
    LONG,
    SHORT,
    TYPES,
    cards,
    deal,
    discards,
    front,
    hand,
    legal,
    place,
    play,
    score,
    sorted_hand,
    supply,
)

pytestmark = pytest.mark.nojit

DECK = list(ALL_CARDS.elements())


def shown(card: str) -> list[str]:
    """The colours and the dish of a card, in words."""
    return [word for word in LONG[card].split("-") if word != "rum" and not word.isdigit()]


def pile(built: Table) -> list[str]:
    """The pile in drawing order."""
    return cards(built.state.pile[: built.state.pile_len][::-1]).split()


def all_cards(built: Table) -> Counter[str]:
    found = Counter(pile(built) + supply(built).split() + discards(built).split())
    for seat in range(built.state.num_seats):
        found.update(hand(built, seat).split() + front(built, seat).split())
    return found


def step(built: Table, move: str) -> None:
    """Play a move that is known to be legal, without an audit."""
    GAME.step(built.states, 0, GAME.spec.actions.parse(" ".join(LONG.get(word, word) for word in move.split())))
    GAME.advance(built.states, 0)


# ------------------------------------------------------------------------------------------------------- sets


def ways(held: list[str]) -> Iterator[tuple[str, ...]]:
    """Every way to lay a set from a hand: the moves from the first keep to the second throw."""
    types = sorted(set(held), key=TYPES.index)
    for size in (3, 4):
        if len(held) > size:
            for some in combinations(types, size):
                words = [word for card in some for word in shown(card)]
                if len(words) == len(set(words)) and sum(card.startswith("rum") for card in some) < 2:
                    for kept in combinations(some, size - 2):
                        thrown = [card for card in some if card not in kept]
                        yield (*(f"keep {card}" for card in kept), *(f"throw {card}" for card in thrown))


def walked(built: Table, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The same by the kernels: all that can be played until the set is laid. Nothing is lost on the way."""
    position = built.states.copy()
    moves = legal(built) if before else legal(built, "keep")
    assert moves or not before, f"{before} leads nowhere"
    for move in moves:
        step(built, move)
        assert all_cards(built) == ALL_CARDS
        laid = (*before, move)
        if built.state.stage == fields.SET:
            yield from walked(built, laid)
        else:
            kept, thrown = ([name.split()[1] for name in laid if name.startswith(verb)] for verb in ("keep", "throw"))
            assert front(built, 0).split() == kept and discards(built).split() == thrown
            assert score(built)[0] == sum(int(card[2]) if card[:3] != "rum" else 6 for card in kept)
            assert built.to_move == 1 and hand(built, 0) != ""
            yield laid
        built.states[:] = position


@pytest.mark.parametrize(
    ("held", "number"),
    [
        ("rs1 gf1 bb1", 0),  # none would be left in hand
        ("rs1 gf1 bb1 yh1", 12),  # four sets of three
        ("rs1 gf1 bb1 bb1", 3),
        ("rs1 rs1 gf1 gf2 bb1 bb1", 6),  # equal cards are one choice
        ("rs1 gf1 bb1 yh1 yh1", 18),  # and one of four
        ("rs1 rf1 rb1 rh1 rs2 rf2 rb2", 0),  # one colour
        ("rs1 gs1 bs1 ys1 rs2 gs2 bs2", 0),  # one dish
        ("rum-rg rum-gb rum-by rum-ry rs1 gs1", 0),
        ("rum-rg bs1 yf1 rum-by gh1 rb1", 24),  # two with a rum, four and one without
        ("rs1 gf1 gh1 bb1 bh1 ys1 yf1", 36),
    ],
)
def test_sets_of_built_hands(held: str, number: int) -> None:
    found = list(walked(place([held, "yb4"])))
    assert sorted(found) == sorted(ways(held.split())) and len(found) == number


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, len(DECK) - 1), min_size=1, max_size=7, unique=True))
def test_sets_of_any_hand_and_no_card_is_lost_in_one(chosen: list[int]) -> None:
    held = [DECK[index] for index in chosen]
    other = next(card for card in DECK if (Counter(held) + Counter([card]) <= ALL_CARDS))
    found = list(walked(place([" ".join(held), other])))
    assert sorted(found) == sorted(ways(held))


# ---------------------------------------------------------------------------------- taking, drawing, dropping


def expected(built: Table, move: str) -> tuple[Counter[str], Counter[str], Counter[str], list[str]]:
    """Hand, supply, discards and pile after a move that takes, draws or drops."""
    own, left, gone = (
        Counter(text.split()) for text in (hand(built, built.to_move or 0), supply(built), discards(built))
    )
    rest, words = pile(built), move.split()
    if words[0] == "draw":
        return own + Counter(rest[:2]), left, gone, rest[2:]
    own.subtract([words[1]])
    gone.update([words[1]])
    if words[0] == "take":
        taken = Counter(card for card in left.elements() if words[3] in shown(card))
        refill = rest[: 6 - left.total() + taken.total()]
        own, left, rest = own + taken, left - taken + Counter(refill), rest[len(refill) :]
    return +own, left, gone, rest


@settings(max_examples=12, deadline=None)
@given(st.integers(2, 4), st.integers(0, 2**32))
def test_no_card_is_lost_or_made(num_players: int, seed: int) -> None:
    chooser = np.random.default_rng(seed)
    deck = [str(card) for card in chooser.permutation(DECK)]
    built = Table(GAME, num_players, {}, deal(" ".join(deck)))
    for _ in range(80):
        if built.to_move is None:
            break
        assert all_cards(built) == ALL_CARDS
        moves, seat = legal(built), built.to_move
        move = str(chooser.choice([one for one in moves if one[:4] in ("keep", "draw")] or moves))
        wanted = expected(built, move) if move[:4] in ("take", "draw", "drop") else None
        step(built, move)
        if wanted is not None:
            texts = hand(built, seat), supply(built), discards(built)
            assert (*(Counter(text.split()) for text in texts), pile(built)) == wanted, move


# ------------------------------------------------------------------------------------------------------ audit


def kind(card: str) -> int:
    return TYPES.index(card)


def hand_row(text: str) -> list[int]:
    row = [kind(card) for card in text.split()]
    return row + [0] * (fields.MAX_HAND - len(row))


@functools.cache
def position(name: str) -> Table:
    """A position to be damaged; the tests set it back."""
    if name == "drop":
        built = place(["gf2 rs1 rs1 bh1 yb1", "rs2"], "gs1 gs2 gb1 gh1 bf1 yf1")
        play(built, "take gf2 by green")
        return built
    if name == "last":
        return place(["rh4", "gs4", "bs4"], "rh2", discards="rest", turns_left=[0, 2])
    shown = "rf1 rf2 rf3 rh1 rh2 rh3"
    built = place(["rs1 gf1 bb1 yh1 rs2", "gs1"], shown, front=["rb1", ""], bonuses="B03 B09", given=["B01", ""])
    play(built, *["keep gf1"][: name == "set"])
    return built


def counts(some: Counter[str]) -> list[int]:
    return [some[card] for card in TYPES]


TOO_MANY = [int(name in "B02 B03 B04 B09 B11 B13 B14 B15") for name in (f"B{number:02d}" for number in range(1, 19))]
DAMAGE = [
    (1, "turn", {"discards": (0, 1)}),
    (1, "turn", {"discards": (0, -1)}),
    (1, "turn", {"front": ((1, 5), 1)}),
    (1, "turn", {"front": ((1, 5), -1)}),
    (1, "turn", {"pile": (0, 0)}),
    (1, "turn", {"pile_len": 60}),
    (1, "turn", {"supply_len": 5}),
    (1, "turn", {"hand_size": (0, 4)}),
    (2, "turn", {"hand": (0, hand_row("gf1 rs1 rs2 bb1 yh1"))}),
    (2, "turn", {"hand": ((1, 11), 3)}),
    (2, "turn", {"supply": hand_row("rh3 rh2 rh1 rf3 rf2 rf1")[:6]}),
    (2, "turn", {"supply_len": 5, "discards": (kind("rh3"), 1)}),
    (3, "turn", {"score": (0, 99)}),
    (3, "turn", {"bonus_cards": ((1, 4), 1)}),
    (4, "turn", {"known": ((0, kind("bh4")), 1)}),
    (4, "turn", {"known": ((0, kind("rs1")), 2)}),
    (4, "turn", {"known": ((0, kind("rs1")), -1)}),
    (5, "turn", {"to_move": 2}),
    (5, "turn", {"to_move": -2}),
    (5, "turn", {"pending": 1}),
    (5, "turn", {"stage": fields.SET_UP}),
    (5, "turn", {"stage": fields.TURN_END}),
    (5, "turn", {"stage": 6}),
    (5, "turn", {"pile_len": 103}),
    (5, "turn", {"pile_len": -1}),
    (5, "turn", {"supply_len": 7}),
    (5, "turn", {"supply_len": -1}),
    (5, "turn", {"ending": 3}),
    (5, "turn", {"ending": -1}),
    (5, "turn", {"moves": 2001}),
    (5, "turn", {"moves": -1}),
    (5, "turn", {"num_kept": 3}),
    (5, "turn", {"num_thrown": 2}),
    (5, "turn", {"starter": 2}),
    (5, "turn", {"hand_size": (0, 13)}),
    (5, "turn", {"hand_size": (1, -1)}),
    (5, "turn", {"turns_left": (0, 1)}),
    (5, "turn", {"pile": (101, 70)}),
    (5, "turn", {"supply": (0, -1)}),
    (5, "turn", {"hand": ((0, 11), 70)}),
    (5, "turn", {"kept": (0, 3)}),
    (5, "turn", {"thrown": (0, 3)}),
    (5, "set", {"kept": (0, fields.NO_CARD)}),
    (5, "set", {"kept": (0, 70)}),
    (5, "set", {"num_kept": 2}),
    (5, "set", {"num_thrown": 1}),
    (5, "last", {"turns_left": (0, 2)}),
    (6, "turn", {"open_bonuses": (0, 1)}),
    (6, "turn", {"open_bonuses": (4, 1)}),
    (6, "turn", {"open_bonuses": (9, 1)}),
    (6, "turn", {"open_bonuses": (2, 2)}),
    (6, "turn", {"open_bonuses": (2, -1)}),
    (6, "turn", {"open_bonuses": TOO_MANY}),
    (6, "turn", {"bonus_cards": ((1, 0), 1), "score": (1, 3)}),
    (7, "turn", {"hand": (1, hand_row("")), "hand_size": (1, 0), "discards": (kind("gs1"), 1)}),
    (7, "turn", {"supply_len": 5, "supply": (5, 0), "discards": (kind("rh3"), 1)}),
    (7, "turn", {"stage": fields.DROPPING}),
    (7, "drop", {"stage": fields.TURN}),
    (8, "turn", {"stage": fields.SET}),
    (8, "turn", {"num_kept": 1, "kept": (0, 3)}),
    (8, "turn", {"num_thrown": 1, "thrown": (0, 3)}),
    (8, "set", {"stage": fields.TURN}),
    (8, "set", {"kept": (0, kind("yb1"))}),
    (8, "set", {"num_thrown": 1, "thrown": (0, kind("yh1"))}),
    (8, "set", {"num_kept": 2, "kept": (1, kind("gf2"))}),
    (9, "turn", {"ending": fields.PILE_EMPTY}),
    (9, "turn", {"ending": fields.LAST_TURNS}),
    (9, "last", {"turns_left": (0, 0)}),
    (9, "last", {"ending": fields.NOT_YET, "turns_left": 0}),
    (9, "last", {"ending": fields.PILE_EMPTY}),
    (9, "last", {"to_move": 1}),
    (9, "last", {"supply": (0, kind("yf4")), "discards": counts(ALL_CARDS - Counter(["rh4", "gs4", "bs4", "yf4"]))}),
    (10, "turn", {"pirate_bits": (0, 0)}),
    (10, "turn", {"tallies": ((0, 11), 2)}),
]


@pytest.mark.parametrize(("number", "name", "damage"), DAMAGE)
def test_the_audit_sees_damage(number: int, name: str, damage: dict[str, Any]) -> None:
    built = position(name)
    assert built.fails_audit() == 0 and built.fails_audit(**damage) == number


def test_every_number_of_the_audit_is_seen() -> None:
    assert {number for number, *_ in DAMAGE} == set(GAME.spec.audits)


OPTIONS = ("rng", "num_seats", "recall", "max_moves", "padding")  # the audit takes options as they are


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_what_passes_the_audit_can_be_shown_and_played(data: st.DataObject) -> None:
    built = position(data.draw(st.sampled_from(["turn", "set", "drop", "last"])))
    sound = built.states.copy()
    name = data.draw(st.sampled_from([name for name in sound.dtype.names or () if name not in OPTIONS]))
    cell = tuple(data.draw(st.integers(0, extent - 1)) for extent in sound[name].shape[1:])
    built.states[name][(0, *cell)] = data.draw(st.integers(-2, 12) | st.integers(-128, 127))
    try:
        if GAME.audit(built.states, 0) == 0 and built.to_move is not None:
            check_it_is_shown_and_played(built)
    finally:
        built.states[:] = sound


def check_it_is_shown_and_played(built: Table) -> None:
    assert built.legal
    for seat in range(built.state.num_seats):
        out = np.zeros(GAME.spec.layout.size, np.int16)
        GAME.observe(built.states, 0, seat, out)
        assert (out >= GAME.spec.layout.low).all() and (out <= GAME.spec.layout.high).all()


# ------------------------------------------------------------------------------------------------------ records


@pytest.mark.parametrize("num_players", [2, 4])
def test_a_deal_goes_out_and_in(num_players: int) -> None:
    drawn, again = Table(GAME, num_players, {}), Table(GAME, num_players, {})
    GAME.chance(drawn.states, 0)
    outcome = json.loads(json.dumps(drawn.codec.outcome(drawn.state)))
    again.codec.impose(again.state, outcome)
    again.state.rng[:] = drawn.state.rng
    assert drawn.states.tobytes() == again.states.tobytes() and outcome != deal()
    drawn.settle()
    order = outcome["deck"][: 4 * num_players]
    assert hand(drawn, 0) == sorted_hand(*(SHORT[card] for card in order[::num_players]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"deck": deal()["deck"][1:]}, "deal: deck"),
        ({"deck": [*deal()["deck"][1:], "red-ham-4"]}, "deal: deck"),
        ({"deck": [*deal()["deck"], "red-ham-4"]}, "deal: deck"),
        ({"deck": [*deal()["deck"][1:], 0]}, "deal: deck must be a list of names"),
        ({"deck": "red-ham-4"}, "deal: deck must be a list of names"),
        ({"bonus": list(BONUS_NAMES[1:])}, "deal: bonus"),
        ({"bonus": [*BONUS_NAMES[1:], "B02"]}, "deal: bonus"),
        ({"bonus": [*BONUS_NAMES[1:], "B19"]}, "deal: bonus"),
        ({"bonus": None}, "deal: bonus"),
        ({"starter": 3}, "deal: starter"), ({"starter": -1}, "deal: starter"), ({"starter": True}, "deal: starter"),
        ({"starter": None}, "deal: starter"), ({"supply": []}, "exactly the keys"),
    ],
)  # fmt: skip
def test_an_impossible_deal_is_refused(change: dict[str, Any], message: str) -> None:
    built = Table(GAME, 3, {})
    before = built.states.tobytes()
    with pytest.raises(ValueError, match=message):
        built.codec.impose(built.state, {**deal(starter=2), **change})
    assert built.states.tobytes() == before


@pytest.mark.parametrize("value", [None, [], "deck", {"deck": deal()["deck"], "bonus": list(BONUS_NAMES)}])
def test_what_is_no_deal_is_refused(value: Any) -> None:
    built = Table(GAME, 3, {})
    with pytest.raises(ValueError, match="exactly the keys"):
        built.codec.impose(built.state, value)


# ---------------------------------------------------------------------------------------------------- actions


def test_actions_stand_where_the_rules_say_r8() -> None:
    actions = GAME.spec.actions
    assert actions.size == 370
    for index, string in {
        0: "take red-stew-1 by stew", 63: "take yellow-ham-4 by ham", 64: "take rum-red-green by red",
        69: "take rum-blue-yellow by blue", 70: "take red-stew-1 by red", 133: "take yellow-ham-4 by yellow",
        134: "take rum-red-green by green", 139: "take rum-blue-yellow by yellow", 140: "draw",
        141: "drop red-stew-1", 210: "drop rum-blue-yellow", 211: "keep red-stew-1", 280: "keep rum-blue-yellow",
        281: "throw red-stew-1", 350: "throw rum-blue-yellow", 351: "bonus B01", 368: "bonus B18", 369: "pass",
    }.items():  # fmt: skip
        assert actions.string(index) == string and actions.parse(string) == index
    for wrong in ("take rum-red-green by stew", "take red-ham-2 by green", "keep rum-green-red"):
        with pytest.raises(ValueError):
            actions.parse(wrong)
