"""Text and picture of Peppers of the Caribbean: all that lies open is in them, colours aside, and nothing hidden."""

import itertools
import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pepperenvs.core import svg as pen
from pepperenvs.core.state import OVER
from pepperenvs.drivers.game import load
from pepperenvs.games.peppers_of_the_caribbean import draw, tables
from pepperenvs.games.peppers_of_the_caribbean import state as fields
from pepperenvs.games.peppers_of_the_caribbean import text as words
from pepperenvs.games.peppers_of_the_caribbean.tables import (
    BONUS_NAMES,
    NUM_BONUSES,
    NUM_TYPES,
    TYPE_NAMES,
)
from tests.games import Table

pytestmark = pytest.mark.nojit

GAME = load("peppers_of_the_caribbean_v0")
VIEWS = (None, 0, 1)

HANDS = (
    "red-stew-1 red-fish-3 green-bread-2 rum-red-blue",
    "red-ham-4 blue-stew-2 blue-fish-1 yellow-ham-3 yellow-ham-2",
    "green-stew-3 yellow-stew-4",
)
KNOWN = ("red-fish-3 rum-red-blue", "blue-stew-2 yellow-ham-3", "green-stew-3")
FRONTS = ("green-fish-4 blue-bread-1 rum-green-yellow", "red-bread-3", "blue-ham-2 blue-ham-2")
DISCARDS = "red-stew-1 red-stew-2 green-ham-1 rum-red-green"
SUPPLY = "red-bread-1 green-stew-1 blue-bread-4 yellow-fish-1 rum-green-blue rum-blue-yellow"
OPEN, GIVEN = ("B02", "B05", "B12", "B18"), (("B09",), (), ("B03", "B15"))


def kinds(names: str) -> list[int]:
    return [TYPE_NAMES.index(name) for name in names.split()]


def lay_in_front(state: Any, seat: int, names: str) -> None:
    """Cards in front of a seat, and what the bonus cards count there."""
    np.add.at(state.front[seat], kinds(names), 1)
    front = np.repeat(np.arange(NUM_TYPES), state.front[seat])
    state.pirate_bits[seat] = np.bitwise_or.reduce(tables.SHOWN[front[front < tables.NUM_PIRATES]], initial=0)
    different = tables.BIT_COUNTS[state.pirate_bits[seat] & tables.BONUS_BITS]
    cards = tables.BONUS_COUNTS[front].sum(axis=0)
    state.tallies[seat] = np.where(tables.BONUS_BITS > 0, different, cards)


def place(recall: bool = False) -> NDArray[Any]:
    """A position with something of everything: seat 1 begins its turn."""
    states = Table(GAME, 3, {"recall": recall}).states
    state = states[0]
    state.pending, state.to_move, state.stage, state.starter, state.moves = 0, 1, fields.TURN, 2, 37
    state.pile[:] = 0
    state.pile_len = 9
    state.pile[:9] = [*kinds("red-ham-1 green-ham-2 blue-stew-1 blue-fish-2 yellow-bread-1"), 3, 9, 17, 60]
    state.supply[:], state.supply_len = kinds(SUPPLY), 6
    for seat in range(3):
        hand = sorted(kinds(HANDS[seat]))
        state.hand[seat, : len(hand)], state.hand_size[seat] = hand, len(hand)
        np.add.at(state.known[seat], kinds(KNOWN[seat]), 1)
        lay_in_front(state, seat, FRONTS[seat])
        for name in GIVEN[seat]:
            state.bonus_cards[seat, BONUS_NAMES.index(name)] = 1
    np.add.at(state.discards, kinds(DISCARDS), 1)
    state.score[:3] = 13, 3, 10
    for name in OPEN:
        state.open_bonuses[BONUS_NAMES.index(name)] = 1
    return states


def end(states: NDArray[Any], *turns_left: int, ending: int = fields.LAST_TURNS) -> NDArray[Any]:
    """The same with an empty pile, and last turns left to these seats."""
    state = states[0]
    state.pile_len, state.ending = 0, ending
    for seat in turns_left:
        state.turns_left[seat] = 1
    return states


def laid(states: NDArray[Any], kept: str, thrown: str = "") -> NDArray[Any]:
    """The same within a set, of which these cards lie."""
    state = states[0]
    state.stage, state.num_kept, state.num_thrown = fields.SET, len(kept.split()), len(thrown.split())
    state.kept[: state.num_kept], state.thrown[: state.num_thrown] = kinds(kept), kinds(thrown)
    lay_in_front(state, int(state.to_move), kept)
    np.add.at(state.discards, kinds(thrown), 1)
    return states


def ended(states: NDArray[Any], truncated: int = 0) -> NDArray[Any]:
    states[0].to_move, states[0].truncated, states[0].standing[:3] = OVER, truncated, (0, 2, 1)
    return states


def grey(svg: str) -> str:
    """A picture as somebody sees it who tells no colours apart."""
    return re.sub("#[0-9a-f]{6}", "#777777", svg)


def shown(states: NDArray[Any], seat: int | None) -> tuple[str, str]:
    return words.text(states[0], seat), grey(draw.svg(states[0], seat))


def are_told_apart(*tables: NDArray[Any], views: tuple[int | None, ...] = VIEWS) -> None:
    """No two of these have the same text, or the same picture, for any who looks."""
    for seat in views:
        for parts in zip(*(shown(states, seat) for states in tables), strict=True):
            assert len(set(parts)) == len(tables), seat


def changed(states: NDArray[Any], field: str, *where: int, by: int = 1) -> NDArray[Any]:
    """The same with one number changed."""
    other = states.copy()
    if where:
        other[field][(0, *where)] += by
    else:
        other[field] += by
    return other


# ------------------------------------------------------------------------------------- what lies open is shown


@pytest.mark.parametrize("field", ["discards", "front"])
def test_each_type_is_told_apart_among_discards_and_in_front(field: str) -> None:
    states = place()
    for where in [(seat,) for seat in range(3)] if field == "front" else [()]:
        more = [changed(states, field, *where, kind) for kind in range(NUM_TYPES)]
        are_told_apart(states, *more, views=(0,))


def test_each_type_is_told_apart_in_the_supply_and_in_the_own_hand() -> None:
    states = place()
    for field, where in (("supply", (2,)), ("hand", (0, 1))):
        now = int(states[field][(0, *where)])
        are_told_apart(*(changed(states, field, *where, by=kind - now) for kind in range(NUM_TYPES)), views=(0,))


def test_a_short_supply_is_told_apart() -> None:
    states = place()
    are_told_apart(states, changed(states, "supply_len", by=-1))


def test_each_bonus_card_is_told_apart_open_and_with_each_seat() -> None:
    states = place()
    for bonus in range(NUM_BONUSES):
        states["open_bonuses"][0, bonus] = states["bonus_cards"][0, :, bonus] = 0
        given = [changed(states, "bonus_cards", seat, bonus) for seat in range(3)]
        are_told_apart(states, changed(states, "open_bonuses", bonus), *given, views=(0,))
    for field, where in (("open_bonuses", ()), ("bonus_cards", (1,))):
        are_told_apart(*(changed(states, field, *where, bonus) for bonus in range(NUM_BONUSES)))


@pytest.mark.parametrize("field", ["moves", "max_moves", "starter", "pile_len"])
def test_numbers_are_told_apart(field: str) -> None:
    states = place()
    are_told_apart(states, changed(states, field, by=-1))


def test_points_and_sizes_of_hands_are_told_apart() -> None:
    states = place()
    for seat in range(3):
        are_told_apart(states, changed(states, "score", seat))
        assert shown(states, 0) != shown(changed(states, "hand_size", seat), 0)


def test_decisions_and_seats_to_move_are_told_apart() -> None:
    states = place()
    steps = [states.copy() for _ in range(3)]
    for one, stage in zip(steps, (fields.TURN, fields.DROPPING, fields.CHOOSING_BONUS), strict=True):
        one["stage"] = stage
    steps += [laid(states.copy(), "red-stew-1"), changed(states, "to_move"), ended(states.copy())]
    are_told_apart(*steps)


def test_the_cards_of_a_set_are_told_apart() -> None:
    sets = [
        ("blue-stew-2", ""),
        ("red-ham-4", ""),
        ("red-ham-4 blue-stew-2", ""),
        ("red-ham-4 blue-fish-1", ""),
        ("red-ham-4", "blue-stew-2"),
        ("red-ham-4", "blue-fish-1"),
        ("blue-fish-1", "red-ham-4"),
        ("red-ham-4 blue-stew-2", "blue-fish-1"),
    ]
    steps = [laid(place(), *cards) for cards in sets]
    steps += [ended(laid(place(), *cards), 1) for cards in sets]  # a game may be cut short within a set
    are_told_apart(*steps)


def test_the_last_turns_are_told_apart() -> None:
    steps = [place()]
    steps += [end(place(), *seats) for seats in ((0, 1, 2), (0, 1), (1, 2), (1,))]
    steps.append(end(place(), 0, 1, 2, ending=fields.PILE_EMPTY))
    steps += [ended(one.copy(), 1) for one in steps]
    steps.append(ended(end(place())))
    are_told_apart(*steps)


def test_results_are_told_apart() -> None:
    states = ended(end(place()))
    other = states.copy()
    other["standing"][0, :3] = 1, 0, 2
    tied = changed(states, "standing", 1, by=-1)
    are_told_apart(states, other, tied, ended(states.copy(), 1))


def test_the_text_of_a_position() -> None:
    assert words.text(place()[0], 0) == (
        "Peppers of the Caribbean: 9 cards in the pile, 37 moves of at most 2000\n"
        "  player_1 takes, draws or scores a set\n"
        "supply    red-bread-1  green-stew-1  blue-bread-4  yellow-fish-1  rum-green-blue  rum-blue-yellow\n"
        "bonuses   B02 first to 3 green pirates: 3 points (so far 1, 0, 0)\n"
        "          B05 most red cards, rum included: 3 points (so far 0, 1, 0)\n"
        "          B12 first to 8 cards, rum included: 4 points (so far 3, 1, 2)\n"
        "          B18 most bread or ham pirates: 4 points (so far 1, 1, 2)\n"
        "discards  red     stew 1 2\n"
        "          green   ham 1\n"
        "          rum     red-green\n"
        "  player_0: 13 points, you\n"
        "    front    green fish 4; blue bread 1; rum green-yellow\n"
        "    bonuses  B09 first to 4 different colours (2)\n"
        "    hand     4 cards: red-stew-1  red-fish-3  green-bread-2  rum-red-blue\n"
        "> player_1: 3 points\n"
        "    front    red bread 3\n"
        "    bonuses  -\n"
        "    hand     5 cards\n"
        "  player_2: 10 points, began\n"
        "    front    blue ham 2 2\n"
        "    bonuses  B03 first to 3 blue pirates (3); B15 first to 3 bread pirates (3)\n"
        "    hand     2 cards"
    )


def test_every_decision_is_put_in_words() -> None:
    sets = {
        ("red-ham-4", ""): "throws a card of its set or keeps another one",
        ("red-ham-4 blue-stew-2", ""): "throws a card of its set",
        ("red-ham-4", "blue-stew-2"): "throws the last card of its set",
    }
    for cards, news in sets.items():
        assert words.news(laid(place(), *cards)[0]) == f"player_1 {news}"
    states = place()
    for stage, news in (
        (fields.DROPPING, "drops a card: 5 in hand, 7 may stay"),
        (fields.CHOOSING_BONUS, "may take a bonus card"),
        (fields.TURN, "takes, draws or scores a set"),
    ):
        states["stage"] = stage
        assert words.news(states[0]) == f"player_1 {news}"
    assert words.news(end(states, 1)[0]) == "player_1 takes or scores a set"
    assert words.news(ended(states)[0]) == "the game is over"
    assert words.news(ended(states, 1)[0]) == "the game is over (cut short by the limit of moves)"


def test_last_turns_are_put_in_words() -> None:
    """Whoever empties the pile has one more turn after that one; in the last turns the seat to move has none."""
    emptied, last = end(place(), 0, 1, 2, ending=fields.PILE_EMPTY), end(place(), 0, 1)
    assert [words.status(place()[0], seat) for seat in range(3)] == ["", "", ""]
    assert [words.status(emptied[0], seat) for seat in range(3)] == ["one more turn"] * 3
    assert [words.status(last[0], seat) for seat in range(3)] == ["one more turn", "its last turn", "no more turns"]
    cut_short = ended(last, 1)[0]
    assert [words.status(cut_short, seat) for seat in range(3)] == ["last turn not played"] * 2 + [""]


# ------------------------------------------------------------------------------------------- what is hidden is not


def swapped(states: NDArray[Any], seat: int, names: str) -> NDArray[Any]:
    """The same with other cards in a hand, as many."""
    other = states.copy()
    other["hand"][0, seat, : len(names.split())] = sorted(kinds(names))
    return other


@pytest.mark.parametrize("recall", [False, True])
def test_a_hand_is_shown_to_its_seat_alone(recall: bool) -> None:
    states = place(recall)
    other = swapped(states, 1, "blue-stew-2 blue-fish-3 yellow-ham-3 yellow-bread-2 rum-red-yellow")
    for seat in (0, 2):
        assert shown(states, seat) == shown(other, seat)
    are_told_apart(states, other, views=(None, 1))


def test_no_card_of_another_hand_is_named() -> None:
    states = place()
    for seat in range(3):
        text = words.text(states[0], seat)
        for other in range(3):
            assert [name in text for name in HANDS[other].split()] == [other == seat] * len(HANDS[other].split())


@pytest.mark.parametrize("recall", [False, True])
def test_pile_and_generator_are_hidden(recall: bool) -> None:
    states = place(recall)
    other = states.copy()
    other["pile"][0, :9] = states["pile"][0, 8::-1]
    other["rng"] += 1
    for seat in VIEWS:
        assert shown(states, seat) == shown(other, seat)


def test_without_recall_nothing_is_remembered() -> None:
    states = place()
    other = states.copy()
    other["known"] = 0
    for seat in VIEWS:
        assert shown(states, seat) == shown(other, seat)


def test_recall_shows_what_all_know_of_a_hand_and_nothing_more() -> None:
    states = place(recall=True)
    text = words.text(states[0], 0)
    assert "hand     5 cards: blue-stew-2  yellow-ham-3, 3 unknown" in text
    assert "known    red-fish-3  rum-red-blue" in text
    for name in ("red-ham-4", "blue-fish-1", "yellow-ham-2", "yellow-stew-4"):
        assert name not in text
    for seat in range(3):
        for kind in kinds(KNOWN[seat]):
            are_told_apart(states, changed(states, "known", seat, kind, by=-1))


# ------------------------------------------------------------------------------------------------- the pictures


@pytest.mark.parametrize("extent", [draw.CARD, draw.SMALL, (25.3, 54), (12, 54)])
def test_cards_differ_in_more_than_colour(extent: tuple[float, float]) -> None:
    cards = [draw._card(kind, 0, 0, *extent) for kind in range(NUM_TYPES)]
    assert len({grey(card) for card in cards}) == NUM_TYPES


def test_bonus_cards_differ_in_more_than_colour() -> None:
    assert len({grey(draw._pictures(bonus, 0, 0, 14)) for bonus in range(NUM_BONUSES)}) == NUM_BONUSES


def test_large_cards_bear_the_letters_of_their_colours() -> None:
    for kind, name in enumerate(TYPE_NAMES):
        letters = {colour[0].upper() for colour in tables.COLOURS if colour in name}
        assert set(re.findall(">([RGBY])</text>", draw._card(kind, 0, 0, *draw.CARD))) == letters


def test_bonus_cards_show_whether_rum_counts() -> None:
    glass = f'fill="{draw.GLASS}"'
    shown = [glass in draw._pictures(bonus, 0, 0, 24) for bonus in range(NUM_BONUSES)]
    assert shown == [bool(tables.BONUS_COUNTS[tables.NUM_PIRATES :, bonus].any()) for bonus in range(NUM_BONUSES)]
    assert [name for name, is_shown in zip(BONUS_NAMES, shown, strict=True) if is_shown] == [
        "B05", "B06", "B07", "B08", "B11", "B12",
    ]  # fmt: skip


def test_colours_differ_in_lightness() -> None:
    """Each by a contrast that stands out when the hue is lost, but for two that keep theirs: red and blue."""
    light = {colour: luminance(fill) for colour, fill in draw.FILLS.items()}
    order = sorted(light, key=lambda colour: light[colour])
    assert order == ["blue", "red", "green", "yellow"]
    contrasts = [(light[b] + 0.05) / (light[a] + 0.05) for a, b in itertools.pairwise(order)]
    assert min(contrasts[1:]) > 1.5 and contrasts[0] > 1.3


def luminance(fill: str) -> float:
    """Of a colour given as #rrggbb: 0 black, 1 white; relative luminance of sRGB."""
    parts = [int(fill[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))


def test_the_card_laid_last_is_marked() -> None:
    """Of a set that is being played; the mark moves on with each card."""
    marks = [
        marked(laid(place(), *cards)[0])
        for cards in (("red-ham-4", ""), ("red-ham-4 blue-stew-2", ""), ("red-ham-4", "blue-stew-2"))
    ]
    assert marks == [["red-ham-4"], ["blue-stew-2"], ["blue-stew-2"]]
    assert marked(place()[0]) == []


def marked(state: Any) -> list[str]:
    """The cards of the set that have a thick border."""
    frame = re.compile(
        f'<rect x="([0-9.]+)" y="[0-9.]+" width="81" height="107" rx="11" fill="none" stroke="{pen.ACCENT}"'
    )
    cards = words.kept(state) + words.thrown(state)
    places = [(float(x) + 3.5 - draw.SET_X) / draw.CARD_PITCH for x in frame.findall(draw.svg(state))]
    return [TYPE_NAMES[cards[round(index)]] for index in places]


def test_cards_kept_in_this_turn_are_underlined_in_front() -> None:
    states = place()
    underline = f'height="4" rx="2" fill="{pen.ACCENT}"'
    assert draw.svg(states[0]).count(underline) == 0
    assert draw.svg(laid(states, "red-ham-4")[0]).count(underline) == 1


def test_the_end_names_winners_and_places() -> None:
    states = ended(end(place()))
    picture = draw.svg(states[0])
    assert "The end: player_0 wins with 13 points" in picture
    for word in ("1st", "2nd", "3rd"):
        assert f">{word}<" in picture
    assert "Cut short: player_0 wins" in draw.svg(ended(states, 1)[0])


def test_many_cards_fit_in_front() -> None:
    """More than fit at full width: narrower ones, each whole, and none beyond the panel."""
    states = place()
    states["front"][0, 0] = tables.COPIES // 2
    number = int(states["front"][0, 0].sum())
    assert number == 32
    cards, spots = draw._row(words.each(states["front"][0, 0]), draw.FRONT_X, draw.SEATS_Y + 25)
    assert len(spots) == number and spots[-1][0] + spots[-1][1] <= pen.WIDTH - pen.MARGIN
    assert all(left + width <= after for (left, width), (after, _) in itertools.pairwise(spots))
    assert cards in draw.svg(states[0])


def test_bonus_cards_mark_the_seats_that_fulfil_them() -> None:
    """Those given at the end the seats that have most, not those that have none."""
    states = place()
    lay_in_front(states[0], 1, "green-stew-2 green-fish-2 green-ham-3")
    states["open_bonuses"][0] = 0
    for name, marks in {"B02": [1], "B06": [1], "B07": [2], "B18": [1, 2], "B11": [], "B08": [0], "B04": []}.items():
        states["open_bonuses"][0, BONUS_NAMES.index(name)] = 1
        picture = draw.svg(states[0])
        boxes = re.findall(r'height="18" rx="3" fill="([^"]*)"', picture)
        assert [seat for seat, fill in enumerate(boxes) if fill == pen.ACCENT] == marks, name
        assert len(boxes) == 3
        states["open_bonuses"][0] = 0
    states["tallies"] = 0
    states["open_bonuses"][0] = 1 - tables.IS_DURING
    assert pen.ACCENT not in re.findall(r'height="18" rx="3" fill="([^"]*)"', draw.svg(states[0]))
