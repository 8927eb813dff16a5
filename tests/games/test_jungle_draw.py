"""Text and picture of Jungle: all that lies open is in them, colours aside, and nothing hidden."""

import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pepperenvs.core import svg as pen
from pepperenvs.core.state import OVER
from pepperenvs.drivers.game import load
from pepperenvs.games.jungle import draw
from pepperenvs.games.jungle import state as fields
from pepperenvs.games.jungle import text as words
from pepperenvs.lexicon import letter_cards
from pepperenvs.lexicon.deck import CARD_NAMES, CARD_RANK, NUM_CARDS
from tests.conformance.test_render import boxes
from tests.games import Table

pytestmark = pytest.mark.nojit

GAME = load("jungle_v0")
VIEWS = (None, 0, 1)

FACE_UP, LAID_BY = "N4 K1 Q1 M4 V2", (0, 1, 2, 1, 2)
FACE_DOWN = ("", "E1 E2 E3", "A1 A2 A3")
SOURCE = {1: fields.UNSEEN, 2: fields.IN_STACK}
TAKEN, RECYCLED, SPARE = ("S3 I1", "", "T1"), "R1 N2 O2", "Z4"  # RECYCLED is seat 2's stack, top card last


def kinds(names: str) -> list[int]:
    return [CARD_NAMES.index(name) for name in names.split()]


def lay(state: Any, field: str, names: str, *where: int) -> None:
    """These cards in a pile."""
    cards = kinds(names)
    getattr(state, field)[(*where, slice(0, len(cards)))] = cards


def place(**options: Any) -> NDArray[Any]:
    """Three seats: seats 1 and 2 were tied and have laid three cards down and one up; seat 2 is about to take."""
    states = Table(GAME, 3, options).states
    state = states[0]
    state.deck[:] = 0
    state.pending, state.to_move, state.stage, state.moves = 0, 2, fields.CLAIMING, 37
    state.taker, state.has_laid = 2, 1
    lay(state, "face_up", FACE_UP)
    state.face_up_len, state.laid_by[:5], state.contest[:3] = 5, LAID_BY, (0, 1, 1)
    state.shown[:3] = kinds("N4 M4 V2")
    for seat in range(3):
        lay(state, "face_down", FACE_DOWN[seat], seat)
        state.face_down_len[seat] = len(FACE_DOWN[seat].split())
        state.source[seat, : state.face_down_len[seat]] = SOURCE.get(seat, 0)
        lay(state, "taken", TAKEN[seat], seat)
        state.taken_len[seat] = len(TAKEN[seat].split())
    lay(state, "spare", SPARE)
    lay(state, "stack", RECYCLED, 2)
    state.spare_len, state.stack_len[2], state.recycled[2] = 1, 3, 1
    used = kinds(" ".join((FACE_UP, *FACE_DOWN, *TAKEN, RECYCLED, SPARE)))
    unseen = [card for card in range(NUM_CARDS) if card not in used]
    for seat, cards in ((0, unseen[::2]), (1, unseen[1::2])):
        state.stack[seat, : len(cards)], state.stack_len[seat] = cards, len(cards)
    assert GAME.audit(states, 0) == 0
    return states


def flipping(**options: Any) -> NDArray[Any]:
    """Two seats at the start: seat 0 has turned up L2, seat 1 is to flip."""
    rest = [name for name in CARD_NAMES if name != "L2"]
    table = Table(GAME, 2, options, {"stacks": [["L2", *rest[:25]], rest[25:]], "spare": []})
    table.play("flip")
    return table.states


def ended(states: NDArray[Any], truncated: int = 0, standing: tuple[int, ...] = (0, 2, 1)) -> NDArray[Any]:
    other = states.copy()
    other[0].to_move, other[0].truncated, other[0].standing[:3], other[0].score[:3] = OVER, truncated, standing, -4
    return other


def changed(states: NDArray[Any], field: str, *where: int, to: int) -> NDArray[Any]:
    """The same with one number changed."""
    other = states.copy()
    other[field][(0, *where)] = to
    return other


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


def look_alike(*tables: NDArray[Any], views: tuple[int | None, ...] = (0, 1, 2)) -> None:
    for seat in views:
        assert len({shown(states, seat) for states in tables}) == 1, seat


def tiles(svg: str) -> list[str]:
    """The cards shown small, by their names."""
    return re.findall(">([A-Z][1-4])</text>", svg)


# ------------------------------------------------------------------------------------- what lies open is shown


@pytest.mark.parametrize("index", [0, 4])
def test_each_face_up_card_is_told_apart(index: int) -> None:
    states = place()
    are_told_apart(*(changed(states, "face_up", index, to=card) for card in range(NUM_CARDS)), views=(0,))


def test_the_order_and_the_seats_of_face_up_cards_are_told_apart() -> None:
    states = place()
    other = states.copy()
    other["face_up"][0, [0, 1]], other["laid_by"][0, [0, 1]] = states["face_up"][0, [1, 0]], (1, 0)
    are_told_apart(states, other, changed(states, "laid_by", 4, to=0), changed(states, "face_up_len", to=4))


@pytest.mark.parametrize(
    ("field", "number"),
    [("moves", 38), ("max_moves", 9999), ("min_len", 4), ("words", 0), ("scrump", fields.JUNGLE), ("taker", 1),
     ("spare_len", 0), ("to_move", 0), ("stage", fields.FLIPPING)],
)  # fmt: skip
def test_numbers_are_told_apart(field: str, number: int) -> None:
    states = place()
    are_told_apart(states, changed(states, field, to=number))


def test_sizes_and_who_takes_part_are_told_apart() -> None:
    states = place()
    for seat in range(3):
        for field in ("stack_len", "taken_len", "face_down_len"):
            are_told_apart(states, changed(states, field, seat, to=int(states[field][0, seat]) + 1))
        are_told_apart(states, changed(states, "contest", seat, to=1 - int(states["contest"][0, seat])))


def test_results_are_told_apart() -> None:
    states = place()
    are_told_apart(states, ended(states), ended(states, 1), ended(states, standing=(1, 2, 0)))


def test_the_text_of_a_position() -> None:
    assert words.text(place()[0], 0) == (
        "Jungle: words of 3 letters or more any time, 37 moves of at most 10000\n"
        "  player_2 may claim a word of 3+ letters, or takes 12 cards\n"
        "face up   N4(0) K1(1) Q1(2) M4(1) V2(2)\n"
        "spare     1 card\n"
        "  player_0: 19 cards, you, out of the contest\n"
        "    stack     17 cards\n"
        "    taken     2 cards\n"
        "    laid      N4 (rank 24)\n"
        "  player_1: 17 cards, in the contest\n"
        "    stack     17 cards\n"
        "    taken     0 cards\n"
        "    laid      K1 (Animal 48), 3 down + M4 (rank 39)\n"
        "> player_2: 4 cards, in the contest, would take\n"
        "    stack     3 cards\n"
        "    taken     1 card\n"
        "    laid      Q1 (Animal 50), 3 down + V2 (Animal 47)"
    )


def test_every_decision_is_put_in_words() -> None:
    states = flipping(scrump="anytime")
    assert words.news(states[0]) == "player_1 flips a card"
    states["stage"], states["taker"], states["to_move"] = fields.CLAIMING, 1, 0
    assert words.news(states[0]) == "player_0 may claim a word of 2+ letters, or player_1 takes 1 card"
    assert words.news(place(min_len=4)[0]) == "player_2 may claim a word of 4+ letters, or takes 12 cards"
    assert words.news(ended(states)[0]) == "the game is over"
    assert words.news(ended(states, 1)[0]) == "the game is over (cut short by the limit of moves)"


def test_options_are_put_in_words() -> None:
    for options, claims in (
        ({}, "words of 3 letters or more after the Jungle rule"),
        ({"scrump": "anytime", "min_len": 2}, "words of 2 letters or more any time"),
        ({"words": "off"}, "no words"),
    ):
        assert words.progress(flipping(**options)[0]) == f"{claims}, 1 move of at most 10000"


def test_a_hint_says_whether_there_is_a_word() -> None:
    states = place(spell_hint=True)
    assert " letters (there is none), or" in words.news(states[0])
    lay(states[0], "face_up", "L4 O2 W4")
    assert " letters (there is one), or" in words.news(states[0])
    assert "there is" not in words.news(changed(states, "spell_hint", to=0)[0])


def test_the_contest_is_put_in_words_once_it_is_one() -> None:
    states = place()
    assert [words.status(states[0], seat) for seat in range(3)] == ["out of the contest", *["in the contest"] * 2]
    assert [words.status(flipping()[0], seat) for seat in range(2)] == ["", ""]


@pytest.mark.parametrize(
    ("down", "cards", "laid"),
    [
        (0, "", []),
        (0, "L2", [(0, "L2")]),
        (3, "W4 B2", [(0, "W4"), (3, "B2")]),
        (5, "W4 B2 V2", [(0, "W4"), (3, "B2"), (2, "V2")]),
        (3, "W4 B2 V2", [(0, "W4"), (3, "B2"), (0, "V2")]),
        (2, "W4", [(0, "W4"), (2, None)]),
    ],
)
def test_cards_face_down_stand_before_the_one_face_up_r9(down: int, cards: str, laid: list[Any]) -> None:
    states = place()
    state = states[0]
    lay(state, "face_up", cards)
    state.face_up_len, state.laid_by[:5], state.face_down_len[1] = len(cards.split()), 1, down
    found = [(number, None if card is None else CARD_NAMES[card]) for number, card in words.rounds(state, 1)]
    assert found == laid


# ------------------------------------------------------------------------------------------- what is hidden is not


@pytest.mark.parametrize("recall", [False, True])
def test_stacks_and_what_lies_face_down_are_hidden_even_from_their_owners(recall: bool) -> None:
    states = place(recall=recall)
    other = states.copy()
    for seat in range(3):
        for field, length in (("stack", "stack_len"), ("face_down", "face_down_len")):
            number = int(states[length][0, seat])
            other[field][0, seat, :number] = states[field][0, seat, :number][::-1]
    for field, where, to_field, to_where in (
        ("spare", (0,), "stack", (0, 0)),
        ("face_down", (1, 0), "stack", (1, 0)),
        ("face_down", (2, 1), "stack", (2, 1)),  # of a stack that all know, from which it was laid
    ):
        one, two = int(other[field][(0, *where)]), int(other[to_field][(0, *to_where)])
        other[field][(0, *where)], other[to_field][(0, *to_where)] = two, one
    other["rng"] += 1
    look_alike(states, other)
    are_told_apart(states, other, views=(None,))


def test_without_recall_nothing_is_remembered() -> None:
    states = place()
    other = states.copy()
    lay(other[0], "taken", "O2", 2)
    lay(other[0], "stack", "R1 N2 T1", 2)
    other["source"][0, 1, :3] = fields.USED_UP
    look_alike(states, other, changed(states, "recycled", 2, to=0))


def test_recall_shows_taken_piles_and_recycled_stacks() -> None:
    states = place(recall=True)
    for seat in range(3):
        text = words.text(states[0], seat)
        assert "    stack     17 cards\n    taken     2 cards: I1 S3\n" in text
        assert "    stack     3 cards\n    taken     1 card: T1\n    hidden    A1 A2 A3 N2 O2 R1\n" in text
        assert tiles(draw.svg(states[0], seat)) == ["I1", "S3", "T1", "A1", "A2", "A3", "N2", "O2", "R1"]
    assert tiles(draw.svg(place()[0], 0)) == []
    states["face_down_len"][0, 2] = 0
    assert "    stack     3 cards: N2 O2 R1\n    taken     1 card: T1\n" in words.text(states[0], 0)


def test_with_all_open_every_card_is_named() -> None:
    state = place()[0]
    text = words.text(state)
    assert "stack     3 cards, top first: O2 N2 R1\n" in text and "face down A1 A2 A3\n" in text
    assert "spare     1 card: Z4\n" in text
    found = [*tiles(draw.svg(state)), *FACE_UP.split(), SPARE]
    assert sorted(found) == sorted(CARD_NAMES)
    assert letter_cards.face(*kinds(SPARE), pen.MARGIN, draw.MIDDLE_Y, *draw.CARD, with_rank=True) in draw.svg(state)


# ------------------------------------------------------------------------------------------------- the pictures


def test_every_face_up_card_bears_its_rank() -> None:
    picture = draw.svg(place()[0], 0)
    for name in FACE_UP.split():
        assert picture.count(f">{CARD_RANK[kinds(name)[0]]}</text>") == 2  # in the order laid, and at its seat


def test_as_many_backs_as_cards_face_down() -> None:
    states = place()
    for number in (0, 2, 3):
        states["face_down_len"][0, 1] = number
        left = draw.LAID_X + pen.MARGIN + draw.CARD[0] + draw.ROUND_GAP
        y = draw.SEATS_Y + draw.SEAT_PITCH + 27
        backs = [letter_cards.back(left + draw.BACK_PITCH * k, y, *draw.CARD) for k in range(4)]
        assert [back in draw.svg(states[0]) for back in backs] == [k < number for k in range(4)]


def test_the_last_eight_are_underlined_where_words_may_be_claimed() -> None:
    states = place()
    lay(states[0], "face_up", "N4 K1 Q1 M4 V2 B2 H1 W4 X4 L2")
    states["face_up_len"] = 10
    underline = f'height="4" rx="2" fill="{pen.ACCENT}"'
    assert draw.svg(states[0]).count(underline) == fields.LAST_CARDS
    assert "face up   N4(0) K1(1) | Q1(2) " in words.text(states[0])
    states["words"] = 0
    assert draw.svg(states[0]).count(underline) == 0 and "|" not in words.text(states[0])


def test_who_takes_and_who_takes_after_a_word_are_marked() -> None:
    states = place()
    for taker in range(3):
        states["taker"] = taker
        marks = [re.findall(">(would take|takes if there is a word)<", draw._seat(states[0], k, 0)) for k in range(3)]
        assert marks[taker] == ["would take"] and marks[(taker + 1) % 3] == ["takes if there is a word"]
        assert marks[(taker + 2) % 3] == []
    assert not re.search("would take|if there is a word", draw.svg(flipping()[0]))


def test_the_end_names_winners_and_places() -> None:
    picture = draw.svg(ended(place())[0])
    assert "The end: player_0 wins with -4 points" in picture
    for word in ("1st", "2nd", "3rd"):
        assert f">{word}<" in picture
    assert "Cut short: player_0 wins" in draw.svg(ended(place(), 1)[0])


def test_the_longest_challenge_stays_in_the_panel() -> None:
    """There are 12 Animals, so two seats can be tied six times: seven cards face up each, eighteen face down."""
    states = place()
    state = states[0]
    state.face_up[:14], state.laid_by[:14], state.face_up_len = np.arange(14), [0, 1] * 7, 14
    state.face_down_len[:2], state.contest[:2] = 18, 1
    picture = draw.svg(state)
    edges = [float(x) + float(width) for x, width in re.findall('<rect x="([^"]+)" y="[^"]+" width="([^"]+)"', picture)]
    assert max(edge for edge in edges if edge != pen.WIDTH) <= pen.WIDTH - pen.MARGIN
    assert [down for down, _ in words.rounds(state, 0)] == [0, 3, 3, 3, 3, 3, 3]


@pytest.mark.parametrize("first", [1, 20, 38, 51])
def test_all_cards_of_a_seat_stay_in_its_panel(first: int) -> None:
    state = place()[0]
    state.stack[0], state.stack_len[0] = np.arange(NUM_CARDS), first
    state.taken[0], state.taken_len[0] = np.arange(NUM_CARDS)[::-1], NUM_CARDS - first
    found = boxes(f"<svg xmlns='http://www.w3.org/2000/svg'>{draw._seat(state, 0, None)}</svg>")
    named = [box for box in found if re.fullmatch("[A-Z][1-4]", box[0])]
    assert len(named) == NUM_CARDS
    bottom = draw.SEATS_Y + draw.SEAT_HEIGHT
    assert all(right < pen.WIDTH - pen.MARGIN and low + 5 < bottom for *_, right, low in named)
