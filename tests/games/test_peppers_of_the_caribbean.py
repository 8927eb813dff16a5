"""Peppers of the Caribbean on built positions: cards lie where the test puts them, and a turn goes on from there.

Cards are written short: `rh2` is the red ham of value 2, `rum-rg` the rum of red and green.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from pepperenvs.drivers.game import load
from pepperenvs.games.peppers_of_the_caribbean import state as fields
from pepperenvs.games.peppers_of_the_caribbean import tables
from pepperenvs.games.peppers_of_the_caribbean.bonuses import count_card
from pepperenvs.games.peppers_of_the_caribbean.tables import BONUS_NAMES, BONUS_POINTS, TYPE_NAMES, VALUES
from tests.fair import is_uniform
from tests.games import Table

pytestmark = pytest.mark.nojit

GAME = load("peppers_of_the_caribbean_v0")


def shortened(name: str) -> str:
    first, second, third = name.split("-")
    return f"rum-{second[0]}{third[0]}" if first == "rum" else f"{first[0]}{second[0]}{third}"


TYPES = [shortened(name) for name in TYPE_NAMES]
LONG = dict(zip(TYPES, TYPE_NAMES, strict=True))
SHORT = {long: short for short, long in LONG.items()}
ALL_CARDS = Counter({card: int(count) for card, count in zip(TYPES, tables.COPIES, strict=True)})


def kinds(text: str | Iterable[str]) -> list[int]:
    """The types of cards, ascending."""
    return sorted(TYPES.index(card) for card in (text.split() if isinstance(text, str) else text))


def place(
    hands: Sequence[str],
    supply: str | None = None,
    pile: str = "",
    discards: str = "",
    front: Sequence[str] = (),
    known: Sequence[str] = (),
    bonuses: str = "",
    given: Sequence[str] = (),
    turn: int = 0,
    turns_left: Collection[int] = (),
    **options: Any,
) -> Table:
    """A position at the start of a turn.

    pile          its first cards in drawing order, and no others if `discards` is "rest"; else the rest follows by type
    discards      the discards, or "rest" for all cards that lie nowhere else
    supply        None for the first six cards by type that lie nowhere else
    known         hand cards that a seat is known to hold
    bonuses       bonus cards that lie open
    given         bonus cards of each seat
    turns_left    seats that have their last turn before them: the pile is empty
    """
    built = Table(GAME, len(hands), options)
    state, rest = built.state, Counter(ALL_CARDS)

    def lay(text: str) -> list[int]:
        rest.subtract(text.split())
        return kinds(text)

    for seat, text in enumerate(hands):
        state.hand_size[seat] = len(text.split())
        state.hand[seat, : state.hand_size[seat]] = lay(text)
    for seat, text in enumerate(front):
        for kind in lay(text):
            state.front[seat, kind] += 1
            count_card(state, seat, kind)
    for seat, text in enumerate(known):
        np.add.at(state.known[seat], kinds(text), 1)
    lay(pile)
    thrown = [] if discards == "rest" else lay(discards)
    shown = lay(supply) if supply is not None else lay(" ".join(list((+rest).elements())[:6]))
    assert min(rest.values()) >= 0, "a card is used more often than there are"
    left = list(rest.elements())
    np.add.at(state.discards, kinds(left) if discards == "rest" else thrown, 1)
    laid = pile.split() + ([] if discards == "rest" else left)
    state.pile[:], state.pile_len = 0, len(laid)
    state.pile[: len(laid)] = [TYPES.index(card) for card in reversed(laid)]
    state.supply_len = len(shown)
    state.supply[: len(shown)] = shown
    put_bonuses(state, bonuses.split(), given)
    state.score[: len(hands)] += (state.front[: len(hands)] * VALUES).sum(axis=1)
    if turns_left:
        state.ending = fields.LAST_TURNS
        state.turns_left[list(turns_left)] = 1
    state.starter = state.to_move = turn
    state.pending, state.stage = 0, fields.TURN
    built.settle()
    return built


def put_bonuses(state: Any, shown: Sequence[str], given: Sequence[str]) -> None:
    state.bonus_pile[:] = 0
    state.open_bonuses[[BONUS_NAMES.index(name) for name in shown]] = 1
    for seat, text in enumerate(given):
        own = [BONUS_NAMES.index(name) for name in text.split()]
        state.bonus_cards[seat, own] = 1
        state.score[seat] += BONUS_POINTS[own].sum()


def play(built: Table, *moves: str) -> None:
    """Play moves whose cards are written short."""
    built.play(*(" ".join(LONG.get(word, word) for word in move.split()) for move in moves))


def legal(built: Table, verb: str = "") -> list[str]:
    """The legal moves that begin with a word, their cards written short."""
    moves = [" ".join(SHORT.get(word, word) for word in move.split()) for move in built.legal]
    return [move for move in moves if move.startswith(verb)]


def lay_set(built: Table, kept: str) -> None:
    """Lay a set of three, throwing the first cards that may be thrown."""
    play(built, f"keep {kept}")
    for _ in range(2):
        play(built, legal(built, "throw")[0])


def cards(types: Iterable[int]) -> str:
    return " ".join(TYPES[card] for card in types)


def of_counts(counts: Sequence[int]) -> str:
    return cards(kind for kind, count in enumerate(counts) for _ in range(count))


def hand(built: Table, seat: int) -> str:
    return cards(built.state.hand[seat, : built.state.hand_size[seat]])


def supply(built: Table) -> str:
    return cards(built.state.supply[: built.state.supply_len])


def front(built: Table, seat: int) -> str:
    return of_counts(built.state.front[seat])


def discards(built: Table) -> str:
    return of_counts(built.state.discards)


def open_bonuses(built: Table) -> str:
    return " ".join(name for name, is_open in zip(BONUS_NAMES, built.state.open_bonuses, strict=True) if is_open)


def owners(built: Table, bonus: str) -> list[int]:
    """The seats that have been given a bonus card."""
    return np.flatnonzero(built.state.bonus_cards[:, BONUS_NAMES.index(bonus)]).tolist()


def score(built: Table) -> list[int]:
    return built.state.score[: built.state.num_seats].tolist()


def turns_left(built: Table) -> list[int]:
    return np.flatnonzero(built.state.turns_left).tolist()


def deal(first: str = "", bonuses: str = "", starter: Any = 0) -> dict[str, Any]:
    """A deal whose deck and bonus cards begin with those named."""
    rest = (ALL_CARDS - Counter(first.split())).elements()
    return {
        "deck": [LONG[card] for card in (*first.split(), *rest)],
        "bonus": [*bonuses.split(), *(name for name in BONUS_NAMES if name not in bonuses)],
        "starter": starter,
    }


# ----------------------------------------------------------------------------------------------------- set-up


def test_components_r1() -> None:
    assert sum(ALL_CARDS.values()) == 102 and len(TYPES) == 70
    rum = TYPES[64:]
    assert rum == ["rum-rg", "rum-rb", "rum-ry", "rum-gb", "rum-gy", "rum-by"]
    assert [int(VALUES[TYPES.index(card)]) for card in rum] == [6] * 6 and sum(ALL_CARDS[card] for card in rum) == 6
    assert len(BONUS_NAMES) == 18
    two_dishes = tables.BONUS_COUNTS.T[16:]
    for counts, dishes in zip(two_dishes, ("sf", "bh"), strict=True):
        assert {card for card, counted in zip(TYPES, counts, strict=True) if counted} == {
            card for card in TYPES[:64] if card[1] in dishes
        }
    assert not tables.IS_DURING[16:].any(), "each majority of two dishes is there once"


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_hands_are_dealt_one_card_at_a_time_from_seat_0_and_six_are_supplied(num_players: int) -> None:
    dealt = "rs1 rf1 rb1 rh1 gs1 gf1 gb1 gh1 bs1 bf1 bb1 bh1 ys1 yf1 yb1 yh1"[: num_players * 16 - 1]
    built = Table(GAME, num_players, {}, deal(f"{dealt} yh4 yh3 yh2 yb4 yb3 yb2 rum-by", starter=1))
    for seat in range(num_players):
        assert hand(built, seat) == " ".join(dealt.split()[seat::num_players])
    assert supply(built) == "yb2 yb3 yb4 yh2 yh3 yh4" and built.to_move == 1
    assert built.state.pile_len == 102 - 4 * num_players - 6
    assert cards(built.state.pile[built.state.pile_len - 1 : built.state.pile_len]) == "rum-by"


def test_example_9_a_bonus_card_whose_letter_is_out_is_skipped() -> None:
    order = "B05 B01 B10 B09 B12 B11 B18 B16 B03 B07 B17 B08 B06 B02 B13"
    built = Table(GAME, 2, {}, deal(bonuses=order))
    assert open_bonuses(built) == "B03 B05 B08 B10 B12 B16 B17 B18"
    assert not built.state.bonus_pile.any(), "the rest is out of the game"


def test_bonus_cards_without_a_letter_do_not_exclude_each_other() -> None:
    built = Table(GAME, 2, {}, deal(bonuses="B13 B14 B15 B16 B17 B18 B01 B02"))
    assert open_bonuses(built) == "B01 B02 B13 B14 B15 B16 B17 B18"


# ------------------------------------------------------------------------------------------- taking, drawing


def test_example_1_what_is_taken_and_how_many_are_dropped() -> None:
    three = place(["gf2 rs1 rs1 bh1 yb1", "rs2"], "gs1 gb1 gh1 rf1 bf1 yf1", "bb1 bb2 bb3 rum-by")
    play(three, "take gf2 by green")
    assert hand(three, 0) == "rs1 rs1 gs1 gb1 gh1 bh1 yb1" and three.to_move == 1
    assert discards(three) == "gf2" and supply(three) == "rf1 bf1 bb1 bb2 bb3 yf1"
    four = place(["gf2 rs1 rs1 bh1 yb1", "rs2"], "gs1 gs2 gb1 gh1 bf1 yf1")
    play(four, "take gf2 by green")
    assert four.state.hand_size[0] == 8 and four.to_move == 0 and four.see(1)["step"] == [0, 0, 1, 0]
    assert legal(four) == [f"drop {card}" for card in ("rs1", "gs1", "gs2", "gb1", "gh1", "bh1", "yb1")]
    play(four, "drop rs1")
    assert hand(four, 0) == "rs1 gs1 gs2 gb1 gh1 bh1 yb1" and four.to_move == 1 and discards(four) == "rs1 gf2"


def test_example_7_a_rum_in_the_supply_is_taken_by_either_of_its_colours() -> None:
    for card, naming in (("bh1", "blue"), ("gh1", "green")):
        built = place([card, "rs1"], "rum-gb rs1 rs2 rs2 rs3 rs4")
        assert legal(built) == [f"take {card} by {naming}"]
        play(built, f"take {card} by {naming}")
        assert hand(built, 0) == "rum-gb" and built.state.known[0, TYPES.index("rum-gb")] == 1


def test_a_rum_is_discarded_by_either_of_its_colours() -> None:
    built = place(["rum-ry ys1", "rs1"], "rf1 gf1 bf1 yf1 yf2 gf2")
    assert legal(built, "take") == ["take rum-ry by red", "take ys1 by yellow", "take rum-ry by yellow"]
    play(built, "take rum-ry by yellow")
    assert hand(built, 0) == "ys1 yf1 yf2" and discards(built) == "rum-ry"


def test_a_naming_must_match_the_supply_r2() -> None:
    built = place(["rs1 gf1 gf1 bb1", "rs2"], "rh1 rh2 rh3 yf1 yf2 yf3")
    assert legal(built, "take") == ["take gf1 by fish", "take rs1 by red"]


def test_the_discarded_card_is_not_taken_back() -> None:
    built = place(["rs1", "rs2"], "rf1 gf1 bf1 yf1 yf2 gf2", "bb1 bb2")
    play(built, "take rs1 by red")
    assert hand(built, 0) == "rf1" and supply(built) == "gf1 gf2 bf1 bb1 yf1 yf2" and discards(built) == "rs1"


def test_example_9_a_card_taken_just_now_may_be_dropped_and_drops_come_in_any_order() -> None:
    built = place(["rs1 gs1 gs2 gb1 gb2 gh1 gh2", "rs2"], "rf1 rf2 rb1 rb2 rh1 rh2")
    play(built, "take rs1 by red")
    assert built.state.hand_size[0] == 12
    play(built, "drop rf1", "drop gh2", "drop rb2", "drop gs1", "drop rh1")
    assert built.to_move == 1 and hand(built, 0) == "rf2 rb1 rh2 gs2 gb1 gb2 gh1"


RED_STEW = "rs1 rs1 rs2 rs2 rs3 rs4"  # a supply of one colour and one dish


def test_a_seat_draws_only_if_no_card_matches_r3() -> None:
    assert legal(place(["gf1 bb1 rh1", "gf2"], RED_STEW)) == ["take rh1 by red"]
    built = place(["gf1 bb1", "gf2"], RED_STEW, "yh1 yh2 yh3")
    assert legal(built) == ["draw"]
    play(built, "draw")
    assert hand(built, 0) == "gf1 bb1 yh1 yh2" and built.to_move == 1 and supply(built) == RED_STEW
    assert not built.state.known.any() and discards(built) == ""


def test_a_seat_that_may_draw_may_score_instead_r3() -> None:
    built = place(["gf1 bb1 yh1 yh1", "gf2"], RED_STEW)
    assert legal(built) == ["draw", "keep gf1", "keep bb1", "keep yh1"]


def test_drawn_cards_count_towards_the_limit_r3() -> None:
    for hand_cards, drops in (
        ("gf1 gf2 gf3 gb1 gb2", 0),
        ("gf1 gf2 gf3 gb1 gb2 gb3", 1),
        ("gf1 " * 2 + "gb1 " * 2 + "gh1 gh1 gh2", 2),
    ):
        built = place([hand_cards, "bf2"], RED_STEW, "yh1 yh2 yh3")
        play(built, "draw", *["drop yh1", "drop yh2"][:drops])
        assert built.to_move == 1 and built.state.hand_size[0] == 7


def test_the_last_card_alone_is_drawn_r3() -> None:
    built = place(["gf1 bb1", "gf2"], RED_STEW, "yh1", "rest")
    play(built, "draw")
    assert hand(built, 0) == "gf1 bb1 yh1" and built.state.pile_len == 0


def test_a_single_card_takes_r7() -> None:
    built = place(["rh1", "gf2"], RED_STEW)
    play(built, "take rh1 by red")
    assert hand(built, 0) == RED_STEW and built.to_move == 1


# ------------------------------------------------------------------------------------------------------- sets


def test_example_2_no_colour_and_no_dish_twice() -> None:
    built = place(["rh2 bh4 rs1 gf4", "yb1"])
    assert legal(built, "keep") == ["keep rs1", "keep gf4", "keep bh4"]
    play(built, "keep gf4")
    assert legal(built) == ["throw rs1"]
    play(built, "throw rs1")
    assert legal(built) == ["throw bh4"]
    assert legal(place(["rh2 bh4 rs1 rs1", "yb1"]), "keep") == []


def test_example_3_a_set_of_four_needs_a_fifth_card() -> None:
    built = place(["rs1 gf1 bb1 yh1 yh2", "yb1"])
    play(built, "keep rs1", "keep gf1")
    assert legal(built) == ["throw bb1"]
    play(built, "throw bb1", "throw yh2")
    assert front(built, 0) == "rs1 gf1" and hand(built, 0) == "yh1" and built.to_move == 1
    exact = place(["rs1 gf1 bb1 yh1", "yb1"])
    play(exact, "keep rs1")
    assert legal(exact) == ["throw gf1", "throw bb1"]


def test_a_second_card_is_kept_only_if_two_are_left_to_throw() -> None:
    built = place(["rs1 gf1 bb1 yb1 yb2", "yh1"])
    play(built, "keep rs1")
    assert legal(built) == ["throw gf1"]


def test_a_seat_keeps_a_card_in_hand_r7() -> None:
    three = place(["rs1 gf1 bb1", "yb1"], "yh1 yh1 yh2 yh2 yh3 yh4")
    assert legal(three) == ["draw"]
    built = place(["rs1 gf1 bb1 bb1", "yb1"])
    lay_set(built, "rs1")
    assert hand(built, 0) == "bb1" and built.to_move == 1


def test_example_4_a_rum_takes_up_both_its_colours_and_no_dish_r8() -> None:
    built = place(["rum-rg bb1 bb2 yf1", "ys1"])
    assert legal(built, "keep") == ["keep bb1", "keep bb2", "keep yf1", "keep rum-rg"]
    lay_set(built, "rum-rg")
    assert front(built, 0) == "rum-rg" and discards(built) == "bb1 yf1" and score(built) == [6, 0]
    assert legal(place(["rum-rg gs1 bb1 bb2", "ys1"]), "keep") == []


def test_two_rum_make_no_set() -> None:
    assert legal(place(["rum-rg rum-by rum-rb gs1", "ys1"]), "keep") == []
    built = place(["rum-rg rum-by rs1 gf1", "ys1"])
    assert legal(built, "keep") == ["keep rs1", "keep gf1", "keep rum-by"]
    play(built, "keep rum-by")
    assert legal(built) == ["throw rs1"]


def test_example_8_one_of_three_or_two_of_four_are_kept() -> None:
    built = place(["rh2 bh4 rs1 gf4", "yb1"])
    play(built, "keep bh4")
    assert front(built, 0) == "bh4" and score(built) == [4, 0] and hand(built, 0) == "rs1 rh2 gf4"
    assert built.see(1)["front"][1] == built.see(0)["kept"] and sum(built.see(0)["kept"]) == 1
    play(built, "throw rs1")
    assert discards(built) == "rs1" and sum(built.see(1)["thrown"]) == 1 and built.to_move == 0
    play(built, "throw gf4")
    assert front(built, 0) == "bh4" and discards(built) == "rs1 gf4" and hand(built, 0) == "rh2" and built.to_move == 1
    four = place(["gf4 ys1 rb1 bh1 bh1", "yb1"])
    play(four, "keep gf4", "keep ys1", "throw rb1", "throw bh1")
    assert front(four, 0) == "gf4 ys1" and score(four) == [5, 0] and discards(four) == "rb1 bh1"


def test_cards_are_laid_in_the_order_of_types() -> None:
    built = place(["gf4 ys1 rb1 bh1 bh1", "yb1"])
    play(built, "keep gf4")
    assert legal(built) == ["keep bh1", "keep ys1", "throw rb1", "throw bh1"]
    play(built, "keep bh1")
    assert legal(built) == ["throw rb1"]
    last = place(["gf4 ys1 rb1 bh1 bh1", "yb1"])
    play(last, "keep ys1")
    assert legal(last) == ["throw rb1", "throw gf4"], "with a second card kept, there is none left to throw"


# ----------------------------------------------------------------------------------------------- bonus cards


def test_example_5_three_blue_pirates() -> None:
    built = place(["bb1 rs1 gf1 rs2", "yb1"], front=["bs1 bf1", ""], bonuses="B03")
    lay_set(built, "bb1")
    assert built.to_move == 0 and built.legal == ["bonus B03", "pass"] and built.see(1)["step"] == [0, 0, 0, 1]
    assert not np.any(built.see(0)["kept"]) and not np.any(built.see(0)["thrown"])
    built.play("bonus B03")
    assert owners(built, "B03") == [0] and open_bonuses(built) == "" and score(built) == [3 + 3, 0]
    rum = place(["rb1 gs1 bf1 rs2", "yb1"], front=["bs1 bb1 rum-rb", ""], bonuses="B03")
    lay_set(rum, "rb1")
    assert rum.to_move == 1 and owners(rum, "B03") == []


HELPERS = "rs2 gf2 bh2 yb2"  # whatever is kept, two of them complete the set


@pytest.mark.parametrize(
    ("bonus", "before", "kept", "is_offered"),
    [
        ("B01", "rs1 rf1", "rb1", True), ("B01", "rs1 rum-rg", "rb1", False), ("B01", "gs1 bs1", "rb1", False),
        ("B02", "gs1 gh1", "gb1", True), ("B02", "gs1 rum-gb", "gb1", False), ("B02", "rb1 bb1", "gb1", False),
        ("B03", "bs1 bf1", "bb1", True), ("B03", "bs1 rum-rb", "bb1", False), ("B03", "rb1 gb1", "bb1", False),
        ("B04", "ys1 yf1", "yh1", True), ("B04", "ys1 rum-ry", "yh1", False), ("B04", "rh1 gh1", "yh1", False),
        ("B09", "rs1 gs1 ys1", "bb1", True), ("B09", "rs1 gs1 rum-ry", "bb1", False),
        ("B09", "rs1 gs1 bs1 bs2", "bb1", False),
        ("B10", "rs1 rf1 rh1", "rb1", True), ("B10", "rs1 rf1 rum-rg", "rb1", False),
        ("B10", "rs1 rf1 gb1 bb1", "rb1", False),
        ("B11", "rum-rg rum-gb", "rum-ry", True), ("B11", "rum-rg rs1 rs3", "rum-ry", False),
        ("B12", "rs1 rs1 rf1 rf1 gs1 gs1 rum-rg", "bb1", True), ("B12", "rs1 rs1 rf1 rf1 gs1 rum-rg", "bb1", False),
        ("B13", "rs1 gs1", "bs1", True), ("B13", "rs1 rum-rg", "bs1", False), ("B13", "bf1 bb1", "bs1", False),
        ("B14", "rf1 gf1", "bf1", True), ("B14", "rf1 rum-rg", "bf1", False), ("B14", "bs1 bb1", "bf1", False),
        ("B15", "rb1 gb1", "bb1", True), ("B15", "rb1 rum-rg", "bb1", False), ("B15", "bs1 bf1", "bb1", False),
        ("B16", "rh1 gh1", "bh1", True), ("B16", "rh1 rum-rg", "bh1", False), ("B16", "bs1 bf1", "bh1", False),
    ],
)  # fmt: skip
def test_what_a_bonus_card_of_the_game_asks_for_r8(bonus: str, before: str, kept: str, is_offered: bool) -> None:
    built = place([f"{kept} {HELPERS}", "yf4"], front=[before, ""], bonuses=bonus)
    lay_set(built, kept)
    assert built.to_move == (0 if is_offered else 1)
    if is_offered:
        before_it = score(built)[0]
        built.play(f"bonus {bonus}")
        assert score(built)[0] - before_it == {"B09": 2, "B10": 2, "B11": 4, "B12": 4}.get(bonus, 3)
        assert owners(built, bonus) == [0] and built.to_move == 1


def test_what_was_fulfilled_earlier_still_counts_and_more_than_asked_for_too_r4() -> None:
    built = place(["bb1 rs1 gf1 rs2", "yb1"], front=["ys1 ys2 yf1 yf2", ""], bonuses="B04 B03")
    lay_set(built, "bb1")
    assert built.legal == ["bonus B04", "pass"]
    built.play("pass")
    assert open_bonuses(built) == "B03 B04" and built.to_move == 1 and score(built)[0] == 7


def test_the_seat_counts_only_what_lies_in_front_of_itself() -> None:
    built = place(["bb1 rs1 gf1 rs2", "yb1"], front=["bs1", "bf1 bf2 bh1"], bonuses="B03")
    lay_set(built, "bb1")
    assert built.to_move == 1


def test_example_9_one_bonus_card_a_turn_and_the_other_later_with_the_same_cards_r4() -> None:
    built = place(
        ["bb1 rs1 yf1 rs2 gf2 bh2 yb2", "yb1 rs3"], "rf1 rf2 bf1 bf2 yb3 yb4", front=["bs1 bf3 gs1 gf1 gh1", ""],
        bonuses="B02 B03",
    )  # fmt: skip
    play(built, "keep bb1", "throw rs1", "throw yf1")
    assert built.legal == ["bonus B02", "bonus B03", "pass"]
    play(built, "bonus B03", "take yb1 by yellow")
    assert built.to_move == 0 and legal(built, "bonus") == [], "a turn that takes gives no bonus card"
    play(built, "keep rs2", "throw gf2", "throw bh2")
    assert built.legal == ["bonus B02", "pass"]
    play(built, "bonus B02")
    assert owners(built, "B02") == owners(built, "B03") == [0] and built.to_move == 1


def test_a_turn_that_takes_gives_no_bonus_card() -> None:
    built = place(["rs1 rs2", "yb1"], front=["rb1 rb2 rf1", ""], bonuses="B01")
    play(built, legal(built, "take")[0])
    assert built.to_move == 1 and owners(built, "B01") == []


def test_bonus_cards_of_the_end_are_no_actions() -> None:
    built = place([f"bb1 {HELPERS}", "yf4"], front=["rs1 gs1 bs1 ys1", ""], bonuses="B05 B06 B07 B08 B17 B18")
    lay_set(built, "bb1")
    assert built.to_move == 1 and built.state.bonus_cards.sum() == 0


# ---------------------------------------------------------------------------------------------------- the end


@pytest.mark.parametrize(
    ("bonus", "fronts", "given"),
    [
        ("B05", ["rs1", "rum-rg", "gs1 bs1"], [0, 1]), ("B05", ["gs1 gs2", "", "rum-by"], []),
        ("B06", ["gs1 gf1", "rum-rg", ""], [0]), ("B06", ["rum-gb rum-gy", "gs1", "gh1"], [0]),
        ("B07", ["rs1", "bs1 rum-rb", "bf1 bf1"], [1, 2]), ("B08", ["", "ys1", "rum-ry yf1"], [2]),
        ("B17", ["rs1 rf1", "rs2 rum-rg rum-gb", "rb1 rh1 bh1"], [0]), ("B17", ["rum-rg", "", "rb1"], []),
        ("B18", ["rb1", "gh1", "rum-by rum-gy rs1 rs2"], [0, 1]), ("B18", ["rb1 rh1", "bb1 bb1 ", "bh1"], [0, 1]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("is_cut_short", [False, True])
def test_the_most_of_something_at_the_end_r6(
    bonus: str, fronts: list[str], given: list[int], is_cut_short: bool
) -> None:
    ending: dict[str, Any] = {"max_moves": 1} if is_cut_short else {"turns_left": [0], "discards": "rest"}
    built = place(["rh4", "gs4", "bs4"], "rh2 yf4 yb4 yh4 yh3 yh2", front=fronts, bonuses=f"{bonus} B16", **ending)
    before = score(built)
    play(built, "take rh4 by red")
    assert built.to_move is None and built.state.truncated == is_cut_short
    assert owners(built, bonus) == given and owners(built, "B16") == [] and open_bonuses(built) == "B16"
    points = 4 if bonus in ("B17", "B18") else 3
    assert score(built) == [own + points * (seat in given) for seat, own in enumerate(before)]


def test_example_6_two_seats_tied_for_most_red_both_score_it_r6() -> None:
    built = place(["rh4", "gs4", "bs4"], "rh2", front=["rs3", "rb3", "rum-by"], bonuses="B05", turns_left=[0],
                  discards="rest")  # fmt: skip
    play(built, "take rh4 by red")
    assert score(built) == [6, 6, 6] and owners(built, "B05") == [0, 1]
    assert built.state.standing[:3].tolist() == [0, 0, 0], "ties are shared, and hand cards are worth nothing"


def test_most_points_win() -> None:
    built = place(["rh4", "gs4", "bs4"], "rh2", front=["rs3", "rb4", "rum-by"], turns_left=[0], discards="rest")
    play(built, "take rh4 by red")
    assert score(built) == [3, 4, 6] and built.state.standing[:3].tolist() == [2, 1, 0]
    assert built.see(1)["points"] == [4, 6, 3, 0] and built.see(0)["step"] == [0, 0, 0, 0]


MIXED = "rs1 rs2 rf1 rf2 yf1 ys1"  # shows red, yellow, stew and fish


def test_example_9_the_last_card_is_drawn_and_every_seat_has_one_more_turn_r5() -> None:
    built = place(["gb1 bh1", "gs1", "bf1"], MIXED, "rh1", "rest")
    assert built.see(0)["last_turns"] == 0 and built.see(0)["turns_left"] == [0, 0, 0, 0]
    play(built, "draw")
    assert built.to_move == 1 and built.see(1)["turns_left"] == [1, 1, 1, 0] and built.see(0)["last_turns"] == 2
    play(built, "take gs1 by stew")
    assert built.to_move == 2 and turns_left(built) == [0, 2] and supply(built) == "rf1 rf2 yf1", "it stays short"
    play(built, "take bf1 by fish")
    assert supply(built) == "" and built.to_move is None and built.state.truncated == 0 and turns_left(built) == []
    again = place(["gb1 bh1", "gs1", "yb1"], MIXED, "rh1", "rest")
    play(again, "draw", "take gs1 by stew", "take yb1 by yellow")
    assert again.to_move == 0 and turns_left(again) == [0] and again.see(2)["turns_left"] == [0, 1, 0, 0]
    play(again, "take rh1 by red")
    assert again.to_move is None and again.state.truncated == 0 and hand(again, 0) == "rf1 rf2 gb1 bh1"


def test_a_supply_that_is_just_complete_begins_the_end_r5() -> None:
    built = place(["gs1", "bf1 gb1"], MIXED, "bb1 bb2 bb3", "rest")
    play(built, "take gs1 by stew")
    assert supply(built) == "rf1 rf2 bb1 bb2 bb3 yf1" and built.state.pile_len == 0
    assert built.to_move == 1 and turns_left(built) == [0, 1]
    more = place(["gs1", "bf1 gb1"], MIXED, "bb1 bb2 bb3 bh1", "rest")
    play(more, "take gs1 by stew")
    assert more.state.pile_len == 1 and turns_left(more) == [] and more.see(1)["last_turns"] == 0


def test_a_refill_that_the_pile_cannot_complete_stays_short_r5() -> None:
    built = place(["gs1", "bf1 gb1"], MIXED, "bb1", "rest")
    play(built, "take gs1 by stew")
    assert supply(built) == "rf1 rf2 bb1 yf1" and turns_left(built) == [0, 1]


def test_the_seat_that_emptied_the_pile_finishes_its_turn_r5() -> None:
    built = place(["gs1 gb1 gb2 gh1 gh2", "bf1"], MIXED, "bb1", "rest")
    play(built, "take gs1 by stew")
    assert built.to_move == 1, "seven are not too many"
    built = place(["gs1 gs2 gb1 gb2 gh1 gh2", "bf1"], MIXED, "bb1", "rest")
    play(built, "take gs1 by stew")
    assert built.to_move == 0 and legal(built, "drop") == legal(built)
    assert built.see(0)["last_turns"] == 1 and built.see(0)["turns_left"] == [1, 1, 0, 0]
    play(built, "drop gb1")
    assert built.to_move == 1 and turns_left(built) == [0, 1]
    play(built, "take bf1 by fish")
    assert built.to_move == 0 and turns_left(built) == [0]


def test_a_last_turn_may_score_and_take_a_bonus_card_r5() -> None:
    built = place(["bb1 gf1 yh1 yh2", "bf1"], "rs3", front=["bs1 bf2", ""], bonuses="B03", turns_left=[0, 1],
                  discards="rest")  # fmt: skip
    assert legal(built) == ["keep gf1", "keep bb1", "keep yh1", "keep yh2"], "there is nothing to draw"
    lay_set(built, "bb1")
    assert turns_left(built) == [0, 1] and built.to_move == 0
    built.play("bonus B03")
    assert built.to_move is None and score(built) == [1 + 1 + 2 + 3, 0], "the other seat cannot play"


def test_a_seat_that_can_neither_take_nor_score_is_skipped_in_the_last_turns_r5() -> None:
    built = place(["rs1", "bb1 yh1 gf1", "bf1", "rh1"], "rf1 rf2", turns_left=[0, 1, 2, 3], turn=3, discards="rest")
    assert built.to_move == 3
    play(built, "take rh1 by red")
    assert built.to_move is None and turns_left(built) == [], "nobody has anything to take, so all are skipped"
    built = place(["gf1", "bb1 yh1 gb1", "yf1 bb1", "rh1"], "bs1 rf2", turns_left=[0, 1, 2, 3], discards="rest", turn=3)
    play(built, "take rh1 by red")
    assert built.to_move == 1 and turns_left(built) == [1, 2], "seat 0's turn is used up"
    built = place(["gs1", "gb1 yh1", "bb1 yh2 gf1 gf2", "bf1"], "rs1 rf2", turns_left=[0, 1, 2, 3], discards="rest")
    play(built, "take gs1 by stew")
    assert built.to_move == 2 and turns_left(built) == [2, 3], "seat 1 cannot play, seat 2 scores"
    lay_set(built, "bb1")
    assert built.to_move == 3
    play(built, "take bf1 by fish")
    assert built.to_move is None and built.state.truncated == 0


def test_three_cards_of_a_set_do_not_save_a_last_turn_r5() -> None:
    built = place(["rh1", "gf1 bb1 yh1"], "rs1 rs2", turns_left=[0, 1], discards="rest")
    play(built, "take rh1 by red")
    assert built.to_move is None


# ------------------------------------------------------------------------------------------------ cut short


def test_a_game_is_cut_short_in_the_middle_of_a_set() -> None:
    built = place(["bh4 rs1 gf4 rh2", "yb1"], front=["", "rum-by"], max_moves=2)
    assert built.see(0)["moves_left"] == 2
    play(built, "keep bh4")
    assert built.to_move == 0 and built.see(0)["moves_left"] == 1
    play(built, "throw rs1")
    assert built.to_move is None and built.state.truncated == 1 and built.see(0)["moves_left"] == 0
    assert score(built) == [4, 6] and built.state.standing[:2].tolist() == [1, 0] and hand(built, 0) == "rh2 gf4"


def test_a_game_is_cut_short_before_a_drop_and_before_a_bonus_card() -> None:
    drop = place(["gf2 rs1 rs1 bh1 yb1", "rs2"], "gs1 gs2 gb1 gh1 bf1 yf1", max_moves=1)
    play(drop, "take gf2 by green")
    assert drop.to_move is None and drop.state.truncated == 1 and drop.state.hand_size[0] == 8
    bonus = place(["bb1 rs1 gf1 rs2", "yb1"], front=["bs1 bf1", ""], bonuses="B03", max_moves=3)
    lay_set(bonus, "bb1")
    assert (
        bonus.to_move is None and bonus.state.truncated == 1 and owners(bonus, "B03") == [] and score(bonus) == [3, 0]
    )


def test_a_game_is_cut_short_between_two_turns_and_not_one_move_later() -> None:
    built = place(["rs1", "yb1"], MIXED, "bb1 bh1 bh2 bb2", max_moves=2)
    play(built, "take rs1 by stew", "take yb1 by yellow")
    assert built.to_move is None and built.state.truncated == 1


def test_the_very_last_move_ends_the_game_by_its_rules() -> None:
    built = place(["rh4", "gs4"], "rh2 rs3", turns_left=[0], discards="rest", max_moves=1)
    play(built, "take rh4 by red")
    assert built.to_move is None and built.state.truncated == 0
    skipped = place(["rh4", "gf4"], "rh2 rs3 bs1", turns_left=[0, 1], discards="rest", max_moves=1)
    play(skipped, "take rh4 by red")
    assert skipped.to_move is None and skipped.state.truncated == 0, "the other seat cannot play"
    cut = place(["rh4", "bf4"], "rh2 rs3 bs1", turns_left=[0, 1], discards="rest", max_moves=1)
    play(cut, "take rh4 by red")
    assert cut.to_move is None and cut.state.truncated == 1


# ---------------------------------------------------------------------------------------------------- secrecy


def test_what_was_taken_openly_is_known_until_it_is_shown() -> None:
    for recall in (False, True):
        built = place(["gs1 rs1 bb1", "yh1"], MIXED, recall=recall)
        assert not np.any(built.see(1)["known_hand"])
        play(built, "take gs1 by stew")
        assert of_counts(built.see(1)["known_hand"][1]) == ("rs1 rs2 ys1" if recall else "")
        assert of_counts(built.see(0)["known_hand"][0]) == ("rs1 rs2 ys1" if recall else "")
        assert of_counts(built.see(0)["hand"]) == "rs1 rs1 rs2 bb1 ys1" and built.see(1)["hand_size"] == [1, 5, 0, 0]


def test_a_shown_card_counts_against_the_known_copies_first() -> None:
    hands, known = ["rs1 rs1 gf1 bb1 yh1", "yh2"], ["rs1 gf1", ""]
    taken = place(hands, "rf1 gh2 gh3 gh4 bh1 bh2", known=known, recall=True)
    play(taken, "take rs1 by red")
    assert of_counts(taken.see(1)["known_hand"][1]) == "rf1 gf1"
    laid = place(hands, known=known, recall=True)
    play(laid, "keep rs1", "throw gf1")
    assert of_counts(laid.see(1)["known_hand"][1]) == ""
    dropped = place(["gf2 rs1 rs1 bh1 yb1", "rs2"], "gs1 gs2 gb1 gh1 bf1 yf1", recall=True)
    play(dropped, "take gf2 by green", "drop gs1")
    assert of_counts(dropped.see(1)["known_hand"][1]) == "gs2 gb1 gh1"


def hidden(built: Table, state: Any) -> tuple[str, ...]:
    """All that may be hidden: the hands, and the pile in drawing order."""
    hands = [cards(state.hand[seat, : state.hand_size[seat]]) for seat in range(built.state.num_seats)]
    return (*hands, cards(state.pile[: state.pile_len][::-1]))


def redrawn(built: Table, count: int, seat: int = 0) -> Counter[tuple[str, ...]]:
    """What redraws hide, counted; in all of them the seat sees the same, and nothing else has changed."""
    drawn = built.redraws(seat, count)
    changing = ("rng", "hand", "pile")
    for name in (name for name in GAME.spec.state.names or () if name not in changing):
        assert (drawn[name] == built.states[name]).all(), name
    seen, moves = built.see(seat), built.legal
    for index in range(0, count, 50):
        other = Table(GAME, int(built.state.num_seats), {})
        other.states[:] = drawn[index : index + 1]
        other.audit()
        assert other.see(seat) == seen and bool(other.legal) == bool(moves)
        assert built.to_move != seat or other.legal == moves
        assert not other.state.pile[other.state.pile_len :].any(), "no trace of what was drawn"
    return Counter(hidden(built, state) for state in drawn)


def deals(unknown: str, sizes: Sequence[int]) -> list[list[str]]:
    """Every way to part cards, all different, into hands of these sizes and a pile, whose order counts."""
    found: list[list[str]] = [[]]
    for size in sizes:
        found = [
            [*parts, " ".join(some)]
            for parts in found
            for some in combinations([card for card in unknown.split() if card not in " ".join(parts).split()], size)
        ]
    return found


def sorted_hand(*texts: str) -> str:
    return cards(kinds(" ".join(texts)))


def test_what_was_not_taken_openly_is_redrawn_and_the_rest_stays_r9() -> None:
    built = place(["rh1 rh2", "rs1 gf1", "bb1"], pile="yh1", discards="rest", known=["", "rs1", ""])
    found = redrawn(built, 480)
    assert set(found) == {
        ("rh1 rh2", sorted_hand("rs1", own), other, left)
        for own, other, left in map(str.split, ("gf1 bb1 yh1", "gf1 yh1 bb1", "bb1 gf1 yh1", "bb1 yh1 gf1",
                                                "yh1 gf1 bb1", "yh1 bb1 gf1"))
    }  # fmt: skip
    assert is_uniform(found.values())


def test_of_two_equal_cards_the_known_one_stays_r9() -> None:
    built = place(["rh1", "rs1 rs1", "bb1"], pile="yh1", discards="rest", known=["", "rs1", ""])
    found = Counter(one for _, one, *_ in redrawn(built, 360).elements())
    assert set(found) == {"rs1 rs1", "rs1 bb1", "rs1 yh1"} and is_uniform(found.values())


def test_the_order_of_the_pile_is_redrawn_r9() -> None:
    built = place(["rh1", "rs1"], pile="yh1 yh2 yh3", discards="rest", known=["", "rs1"])
    found = redrawn(built, 480)
    assert len(found) == 6 and is_uniform(found.values())


def test_a_redraw_does_not_depend_on_the_truth_r9() -> None:
    kept, shown = ["", "rf1", ""], "ys1 ys2 ys3 ys4 yf1 yf2"
    one = place(["rh1", "rs1 rf1 gf1", "bb1"], shown, "yh1 yh2", "rest", known=kept)
    other = place(["rh1", "rf1 bb1 yh2", "gf1"], shown, "rs1 yh1", "rest", known=kept)
    assert one.redraws(0, 40).tobytes() == other.redraws(0, 40).tobytes()


def test_who_is_in_the_middle_of_a_set_can_complete_it_r9() -> None:
    built = place(["yf2", "bh1 rs1 rs2 gf1", "ys1"], pile="bb1", discards="rest", turn=1)
    play(built, "keep bh1")
    found = redrawn(built, 600)
    fitting = [
        (one, other)
        for one, other in deals("rs1 rs2 gf1 bb1 ys1", (3, 1))
        if "gf1" in one.split() and {"rs1", "rs2", "ys1"} & set(one.split())
    ]
    assert len(fitting) == 12 and {key[1:3] for key in found} == {(sorted_hand(one), two) for one, two in fitting}
    assert len(found) == 12 and is_uniform(found.values())


def test_a_card_that_completes_a_set_comes_after_the_one_thrown_r9() -> None:
    built = place(["yf2", "bh1 gf1 bb1 ys1", "rs1"], pile="rb1", discards="rest", turn=1)
    play(built, "keep bh1", "throw gf1")
    found = redrawn(built, 360)
    assert {key[1] for key in found} == {"bb1 ys1", "rs1 ys1", "rb1 ys1"}, "a red card would have been thrown first"
    assert len(found) == 6 and is_uniform(found.values())


def test_known_cards_alone_may_complete_a_set_r9() -> None:
    built = place(["yf2", "bh1 rs1 rs2 gf1", "bb2"], pile="bb1", discards="rest", known=["", "gf1 rs1 bh1", ""], turn=1)
    play(built, "keep bh1")
    found = redrawn(built, 360)
    assert len(found) == 6 and is_uniform(found.values()) and all("rs1" in key[1] and "gf1" in key[1] for key in found)


@pytest.mark.parametrize(
    ("hands", "can_play"),
    [
        (["yf2", "rf1", "gb1", "ys2"], {"rf1", "ys2"}),
        (["yf2", "gf1 bb1 yh1 gb1", "gh1"], {"gf1 gb1 bb1 yh1", "gf1 gh1 bb1 yh1"}),
    ],
)
def test_who_has_its_last_turn_can_play_r9(hands: list[str], can_play: set[str]) -> None:
    built = place(hands, "rs1", discards="rest", turn=1, turns_left=[1, 0])
    found = redrawn(built, 240)
    assert {key[1] for key in found} == can_play and len(found) == (4 if len(hands) == 4 else 2)
    assert is_uniform(found.values())


def test_in_an_earlier_turn_and_for_the_looker_no_hand_is_barred_r9() -> None:
    built = place(["yf2", "rf1", "gb1"], RED_STEW, "bb1", "rest", turn=1)
    assert {key[1] for key in redrawn(built, 240)} == {"rf1", "gb1", "bb1"}
    built = place(["yf2", "rf1", "gb1"], "rs1", discards="rest", turn=1, turns_left=[0, 1])
    assert {key[0] for key in redrawn(built, 100, seat=1)} == {"yf2", "gb1"}


def test_after_the_end_no_hand_is_barred_and_what_was_taken_is_known_r9() -> None:
    built = place(["yf2", "rf1", "gb1"], "rs1", discards="rest", turn=1, turns_left=[1])
    play(built, "take rf1 by red")
    assert built.to_move is None and {key[:3] for key in redrawn(built, 50)} == {("yf2", "rs1", "gb1")}
    assert {key[:3] for key in redrawn(built, 100, seat=1)} == {("yf2", "rs1", "gb1"), ("gb1", "rs1", "yf2")}


def test_a_card_that_is_drawn_can_no_longer_be_read_in_the_pile() -> None:
    built = Table(GAME, 4, {}, deal("yh4 rum-by"))
    assert not built.state.pile[built.state.pile_len :].any()
