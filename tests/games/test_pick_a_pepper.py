"""Pick-a-Pepper on built positions: cards lie where the test puts them, and the round goes on from there."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from pepperenvs.drivers.game import load
from pepperenvs.games.pick_a_pepper import state as fields
from pepperenvs.games.pick_a_pepper import tables
from pepperenvs.games.pick_a_pepper.tables import SAUCE_NAMES, VALUE_NAMES, WILD
from tests.fair import is_uniform
from tests.games import Table

pytestmark = pytest.mark.nojit

GAME = load("pick_a_pepper_v0")
ALL_CARDS = Counter({name: int(count) for name, count in zip(VALUE_NAMES, tables.CARD_COUNTS, strict=True)})
FULL = ("4", "5", "6", "7", "8", "9", "10")  # a card in every slot


def cards(text: str) -> list[str]:
    """Cards from a text: "5x3 w 12" is three 5s, a wild and a 12."""
    found = []
    for word in text.split():
        value, _, count = word.partition("x")
        found += [value] * int(count or 1)
    return found


def count(pile: Iterable[str]) -> list[int]:
    counted = Counter(pile)
    return [counted[name] for name in VALUE_NAMES]


def names(counts: Sequence[int]) -> list[str]:
    """The cards that stand in a row of counts by value."""
    return [name for name, number in zip(VALUE_NAMES, counts, strict=True) for _ in range(number)]


def place(
    hands: Sequence[str],
    ingredients: Sequence[str] | None = None,
    slots: Sequence[str] = FULL,
    display: str = "",
    sauces: Sequence[str] | None = None,
    spoon: int = 0,
    phase: int = 2,
    deck: str | None = None,
    discards: str = "",
    **options: Any,
) -> Table:
    """A position at the start of a round.

    deck        its first cards in drawing order, and no others if `discards` is "rest"; else the rest follows by value
    discards    the discards, or "rest" for all cards that lie nowhere else
    display     the sauces named, and in phase 2 as many more as there should be
    """
    built = Table(GAME, len(hands), options)
    state = built.state
    rest = Counter(ALL_CARDS)

    def put(field: str, seat: int, pile: str) -> None:
        rest.subtract(cards(pile))
        getattr(state, field)[seat] = count(cards(pile))
        getattr(state, f"{field}_size")[seat] = len(cards(pile))

    for seat, hand in enumerate(hands):
        put("hand", seat, hand)
        put("ingredients", seat, ingredients[seat] if ingredients else "")
    for slot, pile in enumerate(slots):
        rest.subtract(cards(pile))
        state.slot_value[slot] = VALUE_NAMES.index(cards(pile)[0]) if cards(pile) else 0
        state.slot_size[slot] = len(cards(pile))
    rest.subtract(cards(deck or ""))
    if discards != "rest":
        rest.subtract(cards(discards))
    assert min(rest.values()) >= 0, "a card is used more often than there are"
    left = list(rest.elements())
    state.discards[:] = count(left if discards == "rest" else cards(discards))
    pile = cards(deck or "") + ([] if discards == "rest" else left)
    state.deck_len = len(pile)
    state.deck[:] = 0
    state.deck[: len(pile)] = [VALUE_NAMES.index(card) for card in reversed(pile)]
    put_sauces(state, display.split(), [own.split() for own in sauces or [""] * len(hands)], phase)
    state.spoon, state.phase, state.pending, state.stage = spoon, phase, 0, fields.NEW_ROUND
    built.settle()
    return built


def put_sauces(state: Any, display: list[str], sauces: list[list[str]], phase: int) -> None:
    gone = display + [sauce for own in sauces for sauce in own]
    pile = [
        sauce for sauce, name in enumerate(SAUCE_NAMES) if tables.IN_PLAY[state.difficulty, sauce] and name not in gone
    ]
    missing = len(sauces) + 2 - len(display) if phase == 2 else 0
    shown = [SAUCE_NAMES.index(name) for name in display] + pile[:missing]
    state.display[:] = 0
    state.display[shown] = 1
    state.sauce_len = len(pile[missing:])
    state.sauce_pile[:] = 0
    state.sauce_pile[: state.sauce_len] = pile[missing:][::-1]
    for seat, own in enumerate(sauces):
        for name in own:
            state.sauces[seat, SAUCE_NAMES.index(name)] = 1
            state.cooked_points[seat] += tables.SAUCE_POINTS[SAUCE_NAMES.index(name)]
        state.num_cooked[seat] = len(own)


def slots_of(built: Table) -> list[str]:
    return [" ".join([VALUE_NAMES[value]] * size) for value, size in slot_pairs(built)]


def slot_pairs(built: Table) -> Iterator[tuple[int, int]]:
    return zip(built.state.slot_value.tolist(), built.state.slot_size.tolist(), strict=True)


def hand(built: Table, seat: int) -> list[str]:
    return names(built.state.hand[seat])


def ingredients(built: Table, seat: int) -> list[str]:
    return names(built.state.ingredients[seat])


def discards(built: Table) -> list[str]:
    return names(built.state.discards)


def order(built: Table) -> list[int]:
    return built.state.turn_order[: built.state.num_turns].tolist()


def cooks(built: Table) -> list[str]:
    return [move for move in built.legal if move.startswith("cook")]


def deal(first: str, sauces: str = "", spoon: int = 0, difficulty: int = 0) -> dict[str, Any]:
    """A deal whose deck, and sauces, begin with those named."""
    begin, shown = cards(first), sauces.split()
    in_play = [name for name, used in zip(SAUCE_NAMES, tables.IN_PLAY[difficulty], strict=True) if used]
    rest = ALL_CARDS - Counter(begin)
    return {"deck": begin + list(rest.elements()), "sauces": shown + [name for name in in_play if name not in shown],
            "spoon": spoon}  # fmt: skip


# ----------------------------------------------------------------------------------------------------- set-up


def test_example_6_a_fourth_card_opens_a_new_slot_and_two_wilds_never_share_one() -> None:
    built = Table(GAME, 2, {}, deal("5 w 5x3 w 5 9 1 2"))
    assert slots_of(built) == ["5 5 5", "w", "5 5", "w", "9", "1", "2"]


def test_a_number_joins_the_group_that_is_not_full_r1() -> None:
    built = place(["13", "12"], slots=("5x3", "5", "6", "7", "8", "9", "10"), deck="5 5 5 1")
    built.play("play 13x1", "play 12x1", "take 7 keep", "take none keep")
    assert slots_of(built) == ["5 5 5", "5 5 5", "6", "7", "8", "9", "5"]


def test_a_group_left_over_from_before_is_joined_r1() -> None:
    built = place(["13", "12"], slots=("5", "6", "7", "8", "9", "10", "11"), deck="11 11 11 1")
    built.play("play 13x1", "play 12x1", "take 1 keep", "take none keep")
    assert slots_of(built) == ["11", "6", "7", "8", "9", "10", "11 11 11"]


def test_a_wild_opens_the_lowest_empty_slot_and_nothing_joins_it_r1() -> None:
    built = place(["13", "12"], slots=("w", "6", "7", "8", "9", "10", "11"), deck="w w 1")
    built.play("play 13x1", "play 12x1", "take 5 keep", "take 3 keep")
    assert slots_of(built) == ["w", "6", "w", "8", "w", "10", "11"]


@pytest.mark.parametrize(
    ("level", "num_players", "size", "required", "num_sauces"),
    [("mild", 2, 10, 5, 14), ("mild", 3, 10, 4, 14), ("hot", 4, 9, 4, 17), ("scorching", 2, 8, 6, 19)],
)
def test_the_difficulty_sets_hands_and_sauces(
    level: str, num_players: int, size: int, required: int, num_sauces: int
) -> None:
    number = tables.LEVELS.index(level)
    built = Table(GAME, num_players, {"difficulty": level}, deal("1 2 3 4 5 6 7 8 9 10", difficulty=number, spoon=1))
    assert built.state.hand_size[:num_players].tolist() == [size] * num_players and built.to_move == 1
    assert built.state.required == required and built.state.sauce_len == num_sauces
    assert [hand(built, seat).count(card) for seat, card in enumerate(("8", "9"))] != [0, 0]
    removed = {"mild": {7, 8, 9}, "hot": {2, 8, 9}, "scorching": {2, 3}}[level]
    pile = built.state.sauce_pile[: built.state.sauce_len]
    assert {int(tables.HOTNESS[sauce]) for sauce in pile} == set(range(2, 10)) - removed


def test_hands_are_dealt_one_card_at_a_time_from_seat_0() -> None:
    first = "1 2 3 4 5 6 7 " + "8 9 " * 8 + "10 11 " * 2
    built = Table(GAME, 2, {}, deal(first))
    assert hand(built, 0) == cards("8x8 10x2") and hand(built, 1) == cards("9x8 11x2")


# ----------------------------------------------------------------------------------------- playing and order


def test_any_cards_of_one_value_with_any_wilds_may_be_played() -> None:
    built = place(["5x2 7 w", "1"])
    assert built.legal == ["play 5x1", "play 5x1+1w", "play 5x2", "play 5x2+1w", "play 7x1", "play 7x1+1w", "play 1w"]


def test_example_1_more_cards_go_first_and_take_the_spoon() -> None:
    built = place(["5x2", "12x3", "8"])
    built.play("play 5x2", "play 12x3")
    assert built.see(0)["to_act"] == [1, 1, 0, 0] and built.see(0)["turn_place"] == [0, 0, 0, 0]
    built.play("play 8x1")
    assert order(built) == [1, 0, 2] and built.state.spoon == 1 and built.to_move == 1
    assert built.see(0)["turn_place"] == [2, 1, 3, 0] and built.see(1)["spoon"] == [1, 0, 0, 0]


def test_example_5_of_equal_combinations_the_earlier_is_higher_and_wilds_beat_numbers() -> None:
    tied = place(["13", "13", "13"], spoon=2)
    tied.play(*["play 13x1"] * 3)
    assert order(tied) == [2, 0, 1]
    wild = place(["13", "w", "13"], spoon=2)
    wild.play("play 13x1", "play 13x1", "play 1w")
    assert order(wild) == [1, 2, 0]
    higher = place(["6x2", "7x2", "6"])
    higher.play("play 6x2", "play 7x2", "play 6x1")
    assert order(higher) == [1, 0, 2]


def test_wilds_count_as_the_value_they_are_played_with() -> None:
    built = place(["5x2 w", "12x2", "6x3"])
    built.play("play 5x2+1w", "play 12x2", "play 6x3")
    assert order(built) == [2, 0, 1] and built.see(1)["table"][2][4] == 2 and built.see(1)["table"][2][WILD] == 1


def test_nobody_played_so_the_spoon_stays_r2() -> None:
    built = place(["1", "2", "3"], ["4", "4", "4"], spoon=1, slots=("5",) * 7)
    built.play("regroup", "regroup", "regroup")
    assert built.state.spoon == 1 and built.state.rounds == 2 and built.to_move == 1


def test_example_9_the_spoon_holder_regroups_and_the_best_combination_takes_the_spoon() -> None:
    built = place(["1", "2", "3x2"], ["4", "4", "4"], slots=("5",) * 7)
    built.play("regroup", "play 2x1", "play 3x2")
    assert built.state.spoon == 2 and order(built) == [2, 1] and hand(built, 0) == ["1", "4"]


def test_a_seat_without_ingredients_must_play_r5() -> None:
    built = place(["1", "2"], ["", "3"])
    assert built.legal == ["play 1x1"]
    built.play("play 1x1")
    assert built.legal == ["play 2x1", "regroup"]


def test_nobody_may_regroup_in_phase_1() -> None:
    built = place(["1", "2"], ["3", "3"], phase=1)
    assert built.legal == ["play 1x1"]


# ------------------------------------------------------------------------------------------------------ turns


def test_example_2_what_collecting_adds() -> None:
    built = place(["12x3", "8 1"], slots=("w", "2x3", "3", "4", "5", "6", "7"), phase=1)
    built.play("play 12x3", "play 8x1", "take 1 keep")
    assert ingredients(built, 0) == cards("12x3 w")
    built.play("take 2 discard")
    assert ingredients(built, 1) == cards("2x3") and discards(built) == ["8"]


def test_example_8_julia_takes_two_5s_and_keeps_her_own() -> None:
    built = place(["5x2 1", "1", "1"], slots=("5x2", "2", "2", "2", "3", "3", "3"))
    built.play("play 5x2", "play 1x1", "play 1x1", "take 1 keep")
    assert ingredients(built, 0) == cards("5x4")


def test_an_empty_slot_cannot_be_taken() -> None:
    built = place(["3x2 1", "2 1"])
    built.play("play 3x2", "play 2x1", "take 3 discard")
    takes = [move for move in built.legal if move.startswith("take")]
    assert takes == [f"take {slot} {what}" for slot in (1, 2, 4, 5, 6, 7, "none") for what in ("keep", "discard")]


def test_example_3_what_is_hot_enough_and_wilds_count_r3() -> None:
    shown = "S13 S07 S01 S02"
    six = place(["2x6", "12"], display=shown)
    six.play("play 2x6", "play 12x1")
    assert "cook S13" in cooks(six)
    six.play("cook S13")
    assert six.state.cooked_points[0] == 8 and discards(six) == cards("2x6")
    five = place(["12x4 w", "2"], display=shown)
    five.play("play 12x4+1w", "play 2x1")
    assert cooks(five) == ["cook S01", "cook S02", "cook S07"]


def test_wilds_alone_cook_too_r3() -> None:
    built = place(["wx3", "2"], display="S13 S07 S01 S02")
    built.play("play 3w", "play 2x1")
    assert cooks(built) == ["cook S01", "cook S02"]
    built.play("cook S02")
    assert discards(built) == cards("wx3") and names(built.state.ingredients[0]) == []


def test_nobody_cooks_in_phase_1() -> None:
    built = place(["2x6 1", "12 1"], phase=1)
    built.play("play 2x6", "play 12x1")
    assert cooks(built) == [] and not built.state.display.any()


def test_example_7_a_seat_with_the_required_sauces_cannot_cook_but_shed() -> None:
    built = place(["5x6", "6", "7"], display="S05 S06 S07", sauces=["S01 S02 S03 S04", "", ""])
    built.play("play 5x6", "play 6x1", "play 7x1")
    assert built.to_move == 0 and cooks(built) == [] and "take none discard" in built.legal


def test_example_8_after_one_has_cooked_the_next_cooks_a_cheaper_sauce() -> None:
    built = place(["12x5 1", "11x5 1", "8x2 1"], slots=("3",) * 7, display="S07 S04 S11 S12 S13")
    built.play("play 12x5", "play 11x5", "play 8x2", "cook S07")
    assert built.state.cooked_points[0] == 4 and cooks(built) == ["cook S04"]
    built.play("cook S04", "take none discard")
    assert built.state.cooked_points[1] == 3 and discards(built) == cards("8x2 11x5 12x5")


def test_a_combination_belongs_to_its_seat_and_none_is_left_on_the_table_r8() -> None:
    built = place(["5x2 1", "6 1"])
    built.play("play 5x2", "play 6x1")
    assert built.see(1)["table"][1] == count(cards("5x2")) and built.see(1)["hand_size"] == [1, 1, 0, 0]
    built.play("take none keep", "take none discard")
    assert built.to_move is not None and not np.any(built.see(0)["table"])
    assert ingredients(built, 0) == ["5", "5"] and discards(built) == ["6"]


# ------------------------------------------------------------------------------------------- end of the round


def test_the_deck_is_made_anew_in_the_middle_of_a_refill_r4() -> None:
    built = place(["1x2 2", "2x2"], slots=("5", "6", "7", "8", "9", "10", "11"), deck="w", discards="rest")
    built.play("play 1x1", "play 2x1", "take 2 discard")
    GAME.step(built.states, 0, GAME.spec.actions.parse("take 1 discard"))
    GAME.advance(built.states, 0)
    assert built.awaited == "reshuffle" and slots_of(built)[:2] == ["w", ""] and not built.state.discards.any()
    laid = names(count(VALUE_NAMES[card] for card in built.state.deck[: built.state.deck_len]))
    for wrong in (laid[1:], [*laid[1:], "w"], None, "w", [*laid, 1]):
        with pytest.raises(ValueError, match="reshuffle must"):
            built.codec.impose(built.state, wrong)
    built.settle(laid[::-1])
    assert slots_of(built)[1] == laid[-1] and built.state.deck_len == len(laid) - 1 and built.to_move is not None


def test_an_empty_deck_is_not_replaced_before_a_card_is_needed_r4() -> None:
    built = place(["1x2 2", "2x2"], slots=("5", "6", "7", "8", "9", "10", "11"), deck="w", discards="rest")
    before = discards(built)
    built.play("play 1x1", "play 2x1", "take 2 discard", "take none discard")
    assert slots_of(built)[1] == "w" and built.state.deck_len == 0
    assert discards(built) == sorted([*before, "1", "2"], key=VALUE_NAMES.index)


def test_slots_stay_empty_when_deck_and_discards_are_r4() -> None:
    slots = ("5", "6", "7", "8", "9", "10", "11")
    rest = " ".join((ALL_CARDS - Counter([*slots, "1", "1"])).elements())
    built = place([rest, "1x2"], slots=slots, discards="rest")
    built.play("play 2x1", "play 1x1", "take 1 keep", "take none keep")
    assert slots_of(built) == ["", *slots[1:]] and built.to_move == 0 and "take 1 keep" not in built.legal


def test_example_9_a_seat_without_any_card_grabs_into_its_hand() -> None:
    built = place(["1x2", "2 13"], slots=("3", "4", "5", "6", "7", "8", "9x2"), display="S01 S02 S03 S05", deck="10 11")
    built.play("play 1x2", "play 2x1", "cook S01", "take 2 keep")
    assert built.to_move == 0 and built.legal == [f"grab {slot}" for slot in (1, 3, 4, 5, 6, 7)]
    assert built.see(1)["to_grab"] == [0, 1, 0, 0] and built.see(1)["step"] == [0, 0, 1]
    assert sum(built.see(0)["display"]) == 3, "slots and display are refilled later"
    built.play("grab 7")
    assert hand(built, 0) == cards("9x2") and slots_of(built)[1] == "10" and slots_of(built)[6] == "11"
    assert sum(built.see(0)["display"]) == 4 and built.state.rounds == 2


def test_those_that_had_a_turn_grab_first_then_the_others_from_the_spoon_r6() -> None:
    built = place(["", "3", "", "2"], spoon=2)
    assert built.see(0)["to_play"] == [0, 1, 0, 1] and built.to_move == 3
    built.play("play 2x1", "play 3x1", "take none discard", "take none discard")
    asked = []
    for slot in (1, 2, 3, 4):
        asked.append(built.to_move)
        built.play(f"grab {slot}")
    assert asked == [1, 3, 2, 0] and [hand(built, seat) for seat in asked] == [["4"], ["5"], ["6"], ["7"]]


def test_where_no_slot_has_cards_nothing_is_grabbed_r6() -> None:
    slots = ("3",)
    rest = " ".join((ALL_CARDS - Counter(["3", "1"])).elements())
    built = place([rest, "1"], slots=slots, display="S01 S02 S03 S05", discards="rest")
    built.play("play 2x2", "play 1x1", "take 1 discard", "take none discard")
    assert hand(built, 1) == [] and built.state.rounds == 2 and built.to_move == 0


def test_a_seat_without_cards_at_the_start_is_skipped_r7() -> None:
    built = place(["1", "", "2x2"])
    built.play("play 1x1", "play 2x2")
    assert order(built) == [2, 0] and built.see(1)["turn_place"] == [0, 1, 2, 0]
    built.play("take none keep", "take none keep")
    assert built.to_move == 1 and all(move.startswith("grab") for move in built.legal)


def test_who_enters_phase_2_without_ingredients_is_skipped_in_round_1_and_grabs_r7() -> None:
    built = place(["1", "2"], ["", "3"], phase=1)
    built.play("play 1x1", "play 2x1", "take none discard", "take none discard")
    assert built.state.phase == 2 and built.state.rounds == 1 and hand(built, 1) == ["3"] and built.to_move == 1
    built.play("play 3x1", "take none keep")
    assert built.to_move == 0 and built.legal[0] == "grab 1" and hand(built, 1) == ["3"]


def test_an_empty_hand_takes_its_ingredients_and_others_keep_theirs() -> None:
    built = place(["5", "6 7"], ["1", "2"])
    built.play("play 5x1", "play 6x1", "take none keep", "take none keep")
    assert hand(built, 0) == ["1", "5"] and ingredients(built, 0) == []
    assert hand(built, 1) == ["7"] and ingredients(built, 1) == ["2", "6"]


def test_all_are_skipped_and_nobody_gets_a_card_so_the_game_ends_r9() -> None:
    built = place(["", ""])
    state = built.state  # no card is anywhere: with 110 cards this cannot happen
    state.slot_value[:], state.slot_size[:], state.deck_len, state.stage = 0, 0, 0, fields.PLAYING
    GAME.advance(built.states, 0)
    assert built.to_move is None and state.truncated == 0 and state.score[:2].tolist() == [0, 0]


def test_all_are_skipped_and_somebody_grabs_so_the_game_goes_on_r9() -> None:
    built = place(["", ""])
    assert built.to_move == 0 and built.state.num_turns == 0 and built.legal[0] == "grab 1"
    built.play("grab 1", "grab 2")
    assert built.state.rounds == 2 and built.to_move == 0 and hand(built, 0) == ["4"]


# ------------------------------------------------------------------------------------------------ phases, end


def test_phase_2_begins_when_nobody_has_hand_cards() -> None:
    built = place(["1", "2 3", "3"], ["4x2", "", "5"], phase=1)
    built.play("play 1x1", "play 2x1", "play 3x1", *["take none keep"] * 3)
    assert built.state.phase == 1 and built.to_move == 1, "one seat still has a hand card: the others are skipped"
    assert ingredients(built, 0) == ["1", "4", "4"] and not built.state.display.any()
    built.play("play 3x1", "take none keep")
    assert built.state.phase == 2 and built.state.rounds == 1 and built.state.display.sum() == 5
    assert [hand(built, seat) for seat in range(3)] == [["1", "4", "4"], ["2", "3"], ["3", "5"]]


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_example_9_players_and_two_sauces_are_displayed(num_players: int) -> None:
    built = place(["1x2"] * num_players, phase=2)
    assert sum(built.see(0)["display"]) == num_players + 2


def test_example_9_the_others_still_take_their_turns_after_the_trigger() -> None:
    built = place(["13x4", "2x2", "3"], display="S04 S05", sauces=["S01 S02 S03", "", ""])
    built.play("play 13x4", "play 2x1", "play 3x1", "cook S04")
    assert built.to_move == 2
    built.play("take 1 keep", "take none discard")
    assert built.to_move is None and built.state.truncated == 0 and built.state.slot_size[0] == 0
    assert built.state.score[:3].tolist() == [1 + 2 + 3 + 3, -1, -2]


@pytest.mark.parametrize(("hand_cards", "ingredients_cards"), [("13 1", ""), ("13", "1")])
def test_cards_left_keep_the_trigger_from_falling(hand_cards: str, ingredients_cards: str) -> None:
    built = place([hand_cards, "2"], [ingredients_cards, ""], sauces=["S01 S02 S03 S04 S05", ""])
    built.play("play 13x1", "play 2x1", "take none discard", "take none keep")
    assert built.state.rounds == 2 and hand(built, 0) == ["1"]


def test_example_4_points_less_cards_left() -> None:
    worth_20, worth_12, worth_19 = "S13 S14 S03", "S01 S02 S04 S11", "S10 S12 S08"
    built = place(["1x5", "2", "3x5"], sauces=[worth_20, worth_12, worth_19])
    built.play("play 1x1", "play 2x1", "play 3x1", "take none keep", "take none discard", "take none discard")
    assert built.to_move is None and built.state.truncated == 0
    assert built.state.score[:3].tolist() == [16, 12, 14] and built.state.standing[:3].tolist() == [0, 2, 1]
    assert built.see(2)["points"] == [14, 16, 12, 0] and built.see(0)["step"] == [0, 0, 0]


def test_after_the_last_round_the_game_is_scored_and_cut_short() -> None:
    built = place(["1", "2"], ["3", "3"], max_rounds=1, deck="11 12 13")
    assert built.see(0)["round"] == 1 and built.see(0)["rounds_left"] == 0
    built.play("play 1x1", "play 2x1", "take 1 keep", "take none keep")
    assert built.to_move is None and built.state.truncated == 1 and slots_of(built)[0] == "11", "(d) comes first"
    assert built.state.score[:2].tolist() == [-2, -3] and built.state.standing[:2].tolist() == [0, 1]


def test_the_trigger_in_the_last_round_is_no_truncation() -> None:
    built = place(["13", "2"], sauces=["S01 S02 S03 S04 S05", ""], max_rounds=1)
    built.play("play 13x1", "play 2x1", "take none discard", "take none keep")
    assert built.to_move is None and built.state.truncated == 0


# ---------------------------------------------------------------------------------------------------- secrecy


def test_with_recall_what_was_taken_openly_is_seen_and_hands_of_phase_1_are_not() -> None:
    for recall in (False, True):
        built = place(["1 2", "2"], ["3", ""], phase=1, recall=recall)
        view = built.see(1)
        assert not np.any(view["known_hand"])
        assert np.sum(view["known_ingredients"], axis=1).tolist() == [0, recall, 0, 0]
        later = place(["1 2", "2"], ["3", ""], recall=recall).see(1)
        assert np.sum(later["known_hand"], axis=1).tolist() == ([1, 2, 0, 0] if recall else [0] * 4)
        assert later["hand"] == count(["2"])


def hands_seen(drawn: np.ndarray, seat: int) -> Counter:
    return Counter(tuple(names(state.hand[seat])) for state in drawn)


def test_before_a_reshuffle_hands_are_redrawn_from_deck_and_hands_r10() -> None:
    rest = " ".join((ALL_CARDS - Counter(cards("1 2 3 4") + list(FULL))).elements())
    built = place(["1", "2", "3"], ["", "", rest], phase=1, deck="4", slots=FULL)
    drawn = built.redraws(0, 1200)
    assert {tuple(names(state.hand[0])) for state in drawn} == {("1",)}
    for seat in (1, 2):
        found = hands_seen(drawn, seat)
        assert set(found) == {("2",), ("3",), ("4",)} and is_uniform(found.values())
    left = Counter(VALUE_NAMES[state.deck[0]] for state in drawn)
    assert set(left) == {"2", "3", "4"} and is_uniform(left.values())
    assert (drawn["ingredients"] == built.states["ingredients"]).all()


def test_after_a_reshuffle_in_phase_1_hands_are_redrawn_among_themselves_r10() -> None:
    slots = ("5", "6", "7", "8", "9", "10", "11")
    rest = " ".join((ALL_CARDS - Counter(cards("1x2 2x2 3x2 4 12x2") + list(slots))).elements())
    built = place(["1x2", "2x2", "3x2"], [rest, "", ""], phase=1, slots=slots, discards="rest")
    assert sorted(discards(built)) == ["12", "12", "4"]
    built.play("play 1x1", "play 2x1", "play 3x1", "take 1 keep", "take none keep", "take none keep")
    assert built.state.reshuffled == 1 and built.state.phase == 1 and built.state.deck_len == 2
    drawn = built.redraws(0, 1000)
    for seat in (1, 2):
        found = hands_seen(drawn, seat)
        assert set(found) == {("2",), ("3",)} and is_uniform(found.values())
    orders = Counter(tuple(VALUE_NAMES[card] for card in state.deck[:2]) for state in drawn)
    assert set(orders) <= {("4", "12"), ("12", "4"), ("12", "12")}
    assert len(orders) == len(set(built.state.deck[:2].tolist()))


def test_from_phase_2_on_only_the_piles_are_redrawn_r10() -> None:
    rest = " ".join((ALL_CARDS - Counter(cards("1 2 11 12 13") + list(FULL))).elements())
    built = place(["1", f"2 {rest}"], phase=2, deck="11 12 13", display="S01 S02 S03 S04")
    drawn = built.redraws(0, 1200)
    for name in ("hand", "ingredients", "slot_value", "slot_size", "discards", "display", "deck_len", "sauce_len"):
        assert (drawn[name] == built.states[name]).all()
    orders = Counter(tuple(state.deck[:3].tolist()) for state in drawn)
    assert len(orders) == 6 and is_uniform(orders.values())
    for index in range(built.state.sauce_len):
        found = Counter(int(state.sauce_pile[index]) for state in drawn)
        assert len(found) == built.state.sauce_len and is_uniform(found.values())


def test_the_order_of_the_sauces_is_redrawn_in_phase_1_too_r10() -> None:
    drawn = place(["1", "2"], phase=1).redraws(1, 1400)
    for index in range(14):
        found = Counter(int(state.sauce_pile[index]) for state in drawn)
        assert len(found) == 14 and is_uniform(found.values())


def test_a_redraw_holds_no_trace_of_the_cards_that_were_dealt_r10() -> None:
    built = Table(GAME, 3, {}, deal("13x7 12x7 11x7 w"))
    assert not built.state.deck[built.state.deck_len :].any()
    for state in built.redraws(0, 20):
        assert not state.deck[state.deck_len :].any()


# ------------------------------------------------------------------------------------------------------ audit

DAMAGE = [
    (1, {"deck": (0, 0)}),
    (1, {"discards": (3, 1)}),
    (2, {"sauce_pile": (0, 21)}),
    (2, {"display": (21, 1)}),
    (3, {"hand_size": (0, 4)}),
    (3, {"ingredients_size": (1, 2)}),
    (3, {"cooked_points": (0, 99)}),
    (3, {"num_cooked": (1, 1)}),
    (1, {"slot_size": (2, 2)}),
    (5, {"to_move": 2}),
    (5, {"to_move": -2}),
    (5, {"pending": 2}),
    (5, {"deck_len": 111}),
    (5, {"sauce_len": -1}),
    (5, {"num_turns": 3}),
    (5, {"turn": 1}),
    (5, {"spoon": 2}),
    (5, {"stage": 6}),
    (5, {"deck": (0, 14)}),
    (5, {"sauce_pile": (0, 22)}),
    (5, {"slot_value": (0, -1)}),
    (5, {"combo_value": (1, 14)}),
    (5, {"turn_order": (0, 2)}),
    (6, {"required": 0}),
    (7, {"to_play": (0, 1)}),
    (7, {"stage": fields.GRABBING}),
]


@pytest.mark.parametrize(("number", "damage"), DAMAGE)
def test_the_audit_sees_damage(number: int, damage: dict) -> None:
    built = place(["1x2", "2x2"], ["3", ""], sauces=["S01", ""])
    built.play("play 1x1")
    assert built.fails_audit() == 0 and built.fails_audit(**damage) == number


@pytest.mark.parametrize("pile", ["5x4", "wx2"])
def test_the_audit_sees_a_slot_that_cannot_be(pile: str) -> None:
    """4: a slot holds too many cards, or two wilds."""
    with pytest.raises(AssertionError, match="a slot holds too many cards, or two wilds"):
        place(["1", "2"], slots=(pile, "8", "9", "10", "11", "12", "13"))


def test_the_audit_sees_too_many_sauces_on_display() -> None:
    """6: more are displayed than may be."""
    with pytest.raises(AssertionError, match="more are displayed than may be"):
        place(["1", "2"], display="S01 S02 S03 S04 S05")


def test_every_number_of_the_audit_is_seen() -> None:
    assert {number for number, _ in DAMAGE} | {4} == set(GAME.spec.audits)


# ---------------------------------------------------------------------------------------------------- actions


def test_actions_stand_where_the_rules_say() -> None:
    actions = GAME.spec.actions
    assert actions.size == 780
    for index, string in {
        0: "play 1x1", 6: "play 1x1+6w", 7: "play 1x2", 727: "play 13x8+6w", 728: "play 1w", 733: "play 6w",
        734: "regroup", 735: "take 1 keep", 736: "take 1 discard", 749: "take none keep", 750: "take none discard",
        751: "cook S01", 772: "cook S22", 773: "grab 1", 779: "grab 7",
    }.items():  # fmt: skip
        assert actions.string(index) == string and actions.parse(string) == index
    for value, numbers, wilds in ((1, 1, 0), (5, 2, 1), (13, 8, 6)):
        string = f"play {value}x{numbers}" + (f"+{wilds}w" if wilds else "")
        assert actions.parse(string) == ((value - 1) * 8 + numbers - 1) * 7 + wilds
