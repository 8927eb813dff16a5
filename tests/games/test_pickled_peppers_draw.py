"""Text and picture of Pickled Peppers, and the letter cards: what lies open is shown, colours aside, and no more."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pepperenvs.core import jit
from pepperenvs.core import svg as pen
from pepperenvs.core.state import OVER
from pepperenvs.drivers.game import load
from pepperenvs.games.pickled_peppers import draw
from pepperenvs.games.pickled_peppers import state as fields
from pepperenvs.games.pickled_peppers import text as words
from pepperenvs.lexicon import deck, letter_cards
from pepperenvs.lexicon.deck import CARD_NAMES, CHILIES, NUM_CARDS
from tests.conformance.test_render import boxes
from tests.games import Table

pytestmark = pytest.mark.nojit

GAME = load("pickled_peppers_v0")
VIEWS = (None, 0, 1)

CENTRE, EARLIER, STRING, SPARE = "T1 N2 E1", "R1 O2", "L4", "Z4"
TAKEN = ("S3 A1 A2", "I1", "")
RECYCLED = "H1 B2 D2"  # seat 0's stack, top card last
PLAIN = [card for card in range(NUM_CARDS) if not CHILIES[card]]
PEPPERS = [card for card in range(NUM_CARDS) if CHILIES[card]]


def kinds(names: str) -> list[int]:
    return [CARD_NAMES.index(name) for name in names.split()]


def lay(state: Any, field: str, names: str, *where: int) -> None:
    """These cards in a pile."""
    cards = kinds(names)
    getattr(state, field)[(*where, slice(0, len(cards)))] = cards


def place(**options: Any) -> NDArray[Any]:
    """Seat 0 has pickled R1 and O2 for E1; for its O2 seat 1 pickles two cards, and has laid L4."""
    states = Table(GAME, 3, options).states
    state = states[0]
    state.deck[:] = 0
    state.pending, state.to_move, state.stage, state.moves = 0, 1, fields.PICKLING, 37
    state.live, state.owner, state.pickler, state.need, state.laid = *kinds("O2"), 0, 1, 2, 1
    for field, names in (("centre", CENTRE), ("earlier", EARLIER), ("string", STRING), ("spare", SPARE)):
        lay(state, field, names)
    state.centre_len, state.earlier_len, state.spare_len = 3, 2, 1
    lay(state, "stack", RECYCLED, 0)
    state.stack_len[0], state.recycled[0] = 3, 1
    for seat, names in enumerate(TAKEN):
        lay(state, "taken", names, seat)
        state.taken_len[seat] = len(names.split())
    used = kinds(" ".join((CENTRE, EARLIER, STRING, SPARE, RECYCLED, *TAKEN)))
    unseen = [card for card in range(NUM_CARDS) if card not in used]
    for seat, cards in ((1, unseen[::2]), (2, unseen[1::2])):
        state.stack[seat, : len(cards)], state.stack_len[seat] = cards, len(cards)
    assert GAME.audit(states, 0) == 0
    return states


def ended(states: NDArray[Any], truncated: int = 0, standing: tuple[int, ...] = (0, 2, 1)) -> NDArray[Any]:
    other = states.copy()
    other[0].to_move, other[0].truncated, other[0].standing[:3], other[0].score[:3] = OVER, truncated, standing, 30
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


# ------------------------------------------------------------------------------------- what lies open is shown


@pytest.mark.parametrize(("field", "where"), [("centre", (2,)), ("earlier", (0,)), ("string", (0,))])
def test_each_card_is_told_apart_where_it_lies_open(field: str, where: tuple[int, ...]) -> None:
    states = place()
    are_told_apart(*(changed(states, field, *where, to=card) for card in PLAIN), views=(0,))


def test_each_live_pepper_is_told_apart() -> None:
    states = place()
    are_told_apart(*(changed(states, "live", to=card) for card in PEPPERS), views=(0,))


def test_earlier_strings_end_with_their_pickled_peppers() -> None:
    state = place()[0]
    lay(state, "earlier", "T1 E1 O2 R1 N1 I3")
    state.earlier_len = 6
    assert [letter_cards.names(string) for string in words.earlier_strings(state)] == ["T1 E1", "O2", "R1 N1 I3"]
    assert "strings   T1 E1 | O2 | R1 N1 I3\n" in words.text(state, 0)


@pytest.mark.parametrize(
    ("field", "number"),
    [("moves", 38), ("max_moves", 4999), ("min_len", 4), ("words", 0), ("claimed", 1), ("owner", 2), ("need", 3),
     ("laid", 0), ("centre_len", 2), ("spare_len", 0), ("earlier_len", 1), ("to_move", 0)],
)  # fmt: skip
def test_numbers_are_told_apart(field: str, number: int) -> None:
    states = place()
    are_told_apart(states, changed(states, field, to=number))


def test_sizes_of_stacks_and_taken_piles_and_who_is_out_are_told_apart() -> None:
    states = place()
    for seat in range(3):
        for field in ("stack_len", "taken_len"):
            are_told_apart(states, changed(states, field, seat, to=int(states[field][0, seat]) + 1))
    are_told_apart(states, changed(states, "out_at", 2, to=9))


def test_decisions_are_told_apart() -> None:
    states = place()
    flipping = changed(states, "stage", to=fields.FLIPPING)
    flipping["live"] = flipping["owner"] = flipping["pickler"] = -1
    flipping["laid"] = flipping["need"] = 0
    last = changed(states, "stage", to=fields.LAST)
    are_told_apart(states, flipping, last, ended(states), ended(states, 1), ended(states, standing=(1, 2, 0)))


def test_the_text_of_a_position() -> None:
    assert words.text(place()[0], 0) == (
        "Pickled Peppers: words of 3 letters or more, 37 moves of at most 5000\n"
        "  player_1 pickles card 2 of 2, or claims a word\n"
        "centre    3 cards, on top E1\n"
        "spare     1 card\n"
        "strings   R1 O2\n"
        "live      O2 of player_0: 2 chilies, 2 cards to pickle\n"
        "string    L4, of player_1; letters for a word OL\n"
        "  player_0: 6 cards, you, owns the live pepper\n"
        "    stack     3 cards\n"
        "    taken     3 cards\n"
        "> player_1: 20 cards, pickles, 1 of 2 laid\n"
        "    stack     19 cards\n"
        "    taken     1 card\n"
        "  player_2: 19 cards\n"
        "    stack     19 cards\n"
        "    taken     0 cards"
    )


def test_every_decision_is_put_in_words() -> None:
    states = place()
    for changes, news in (
        ({"claimed": 1}, "pickles card 2 of 2"),
        ({"words": 0}, "pickles card 2 of 2"),
        ({"laid": 0}, "pickles card 1 of 2"),
        ({"stage": fields.LAST}, "has laid its last card: it may claim a word"),
        ({"stage": fields.FLIPPING}, "flips a card onto the centre"),
    ):
        other = states.copy()
        for field, number in changes.items():
            other[field] = number
        assert words.news(other[0]) == f"player_1 {news}"
    assert words.news(ended(states)[0]) == "the game is over"
    assert words.news(ended(states, 1)[0]) == "the game is over (cut short by the limit of moves)"


def test_a_hint_says_whether_a_claim_would_be_right() -> None:
    states = place(spell_hint=True)
    assert words.news(states[0]).endswith(" (it would be wrong)")
    lay(states[0], "string", "L4 W4")
    states["laid"], states["stage"] = 2, fields.LAST
    assert words.news(states[0]).endswith(" (it would be right)")
    assert "(it" not in words.news(changed(states, "spell_hint", to=0)[0])
    assert "(it" not in words.news(changed(changed(states, "claimed", to=1), "stage", to=fields.PICKLING)[0])


# ------------------------------------------------------------------------------------------- what is hidden is not


@pytest.mark.parametrize("recall", [False, True])
def test_stacks_and_spare_cards_are_hidden_even_from_their_owners(recall: bool) -> None:
    states = place(recall=recall)
    other = states.copy()
    for seat in range(3):
        length = int(states["stack_len"][0, seat])
        other["stack"][0, seat, :length] = states["stack"][0, seat, :length][::-1]
    other["spare"][0, 0], other["stack"][0, 2, 0] = states["stack"][0, 2, 0], states["spare"][0, 0]
    other["rng"] += 1
    look_alike(states, other)
    are_told_apart(states, other, views=(None,))


def test_without_recall_nothing_is_remembered() -> None:
    states = place()
    other = states.copy()
    lay(other[0], "taken", "D2 H1 B2", 0)
    lay(other[0], "stack", "A1 A2 S3", 0)
    lay(other[0], "centre", "N2 T1 E1")
    look_alike(states, other, changed(states, "recycled", 0, to=0))


def test_recall_shows_taken_piles_recycled_stacks_and_the_centre() -> None:
    states = place(recall=True)
    for seat in range(3):
        text = words.text(states[0], seat)
        assert "centre    3 cards: T1 N2 E1\n" in text
        assert "    stack     3 cards: B2 D2 H1\n    taken     3 cards: A1 A2 S3\n" in text
        assert "    stack     19 cards\n    taken     1 card: I1\n" in text
        assert tiles(draw.svg(states[0], seat)) == [
            "T1",
            "N2",
            "E1",
            "R1",
            "O2",
            "B2",
            "D2",
            "H1",
            "A1",
            "A2",
            "S3",
            "I1",
        ]
    assert tiles(draw.svg(place()[0], 0)) == ["R1", "O2"]
    are_told_apart(states, changed(states, "recycled", 0, to=0), views=(0, 1))


def test_with_all_open_every_card_is_named() -> None:
    state = place()[0]
    assert "stack     3 cards, top first: D2 B2 H1\n" in words.text(state)
    found = [*tiles(draw.svg(state)), *(CARD_NAMES[card] for card in words.string(state))]
    assert sorted(found) == sorted(CARD_NAMES)


def tiles(svg: str) -> list[str]:
    """The cards shown small, by their names."""
    return re.findall(">([A-Z][1-4])</text>", svg)


# ------------------------------------------------------------------------------------------------- the pictures


def test_places_for_cards_still_needed_are_left_open() -> None:
    states = place()
    empty = pen.card_back(draw.STRING_X + draw.CARD_PITCH, draw.MIDDLE_Y, *draw.CARD, 0)
    assert empty in draw.svg(states[0])
    lay(states[0], "string", "L4 W4")
    states["laid"] = 2
    assert empty not in draw.svg(states[0])


def test_the_letters_of_a_claim_stand_together() -> None:
    states = place()
    assert ">O L</text>" in draw.svg(states[0])
    assert ">O L</text>" not in draw.svg(changed(states, "words", to=0)[0])


def test_the_end_names_winners_and_places() -> None:
    picture = draw.svg(ended(place())[0])
    assert "The end: player_0 wins with 30 points" in picture
    for word in ("1st", "2nd", "3rd"):
        assert f">{word}<" in picture
    assert "Cut short: player_0 wins" in draw.svg(ended(place(), 1)[0])


@pytest.mark.parametrize("first", [1, 20, 27, 39, 51])
def test_all_cards_of_a_seat_stay_in_its_panel(first: int) -> None:
    states = place()
    state = states[0]
    state.stack[0], state.stack_len[0] = np.arange(NUM_CARDS), first
    state.taken[0], state.taken_len[0] = np.arange(NUM_CARDS)[::-1], NUM_CARDS - first
    bottom = draw.SEATS_Y + draw.SEAT_HEIGHT
    found = boxes(f"<svg xmlns='http://www.w3.org/2000/svg'>{draw._seat(state, 0, None)}</svg>")
    assert len(found) > NUM_CARDS
    assert all(right < pen.WIDTH - pen.MARGIN and low < bottom for _, _, _, right, low in found)


def test_many_strings_stay_above_the_seats() -> None:
    """As many strings as can be, and all cards in play."""
    order = [card for pair in zip(PEPPERS, PLAIN, strict=False) for card in pair] + PLAIN[len(PEPPERS) :]
    states = place()
    state = states[0]
    state.earlier[:], state.earlier_len, state.centre_len = order, 50, 1
    picture = draw.svg(state)
    lowest = [bottom for content, _, _, _, bottom in boxes(picture) if re.fullmatch("[A-Z][1-4]", content)]
    strings = sorted(bottom for bottom in lowest if bottom < draw.SEATS_Y)
    assert len(strings) > 50 and strings[-1] + 5 < draw.SEATS_Y - 4


# ---------------------------------------------------------------------------------------------- the letter cards


@pytest.mark.parametrize("with_rank", [False, True])
def test_cards_differ_in_more_than_colour(with_rank: bool) -> None:
    faces = [letter_cards.face(card, 0, 0, 44, 62, with_rank) for card in range(NUM_CARDS)]
    assert len({grey(face) for face in faces}) == NUM_CARDS
    assert len({grey(letter_cards.tile(card, 0, 0)) for card in range(NUM_CARDS)}) == NUM_CARDS


@pytest.mark.parametrize("with_rank", [False, True])
def test_a_card_bears_letter_suit_chilies_mark_and_rank(with_rank: bool) -> None:
    pepper = re.escape(pen.pepper(0, 0, 1, letter_cards.CHILI).split('"')[1])  # its outline
    for card, name in enumerate(CARD_NAMES):
        face = letter_cards.face(card, 0, 0, 44, 62, with_rank)
        rank = [str(deck.CARD_RANK[card])] if with_rank else []
        assert re.findall(">([A-Z0-9]+)</text>", face) == [name[1], name[0], *rank]
        assert len(re.findall(f'd="{pepper}"', face)) == CHILIES[card]
        assert (letter_cards.paw(23.4, 4, 17.6) in face) == (deck.IS_ANIMAL[card] == 1)


@pytest.mark.parametrize("extent", [(44, 62), (74, 100)])
def test_the_letters_of_a_card_lie_within_it_and_apart(extent: tuple[float, float]) -> None:
    width, height = extent
    for card in range(NUM_CARDS):
        svg = letter_cards.face(card, 0, 0, *extent, with_rank=True)
        found = boxes(f"<svg xmlns='http://www.w3.org/2000/svg'>{svg}</svg>")
        for index, (_, left, top, right, bottom) in enumerate(found):
            assert left > 0 and right < width and top > 0 and bottom < height
            assert all(bottom <= top2 or bottom2 <= top for _, _, top2, _, bottom2 in found[:index])


def test_chilies_stand_out_from_their_card() -> None:
    for card in PEPPERS:
        ground = letter_cards.ground(card)
        fill = letter_cards.CHILI if pen.ink_on(ground) == pen.INK else letter_cards.CREAM
        assert abs(light(ground) - light(fill)) > 60, CARD_NAMES[card]


def light(fill: str) -> float:
    """How light a colour given as #rrggbb looks, 0 to 255."""
    return float(np.dot([int(fill[index : index + 2], 16) for index in (1, 3, 5)], (0.3, 0.59, 0.11)))


def test_an_edit_of_a_drawing_costs_no_compilation() -> None:
    """Of a game or of the letter cards; an edit of a look-up or of the deck does."""
    folder = Path(draw.__file__).parent
    found = {path.relative_to(folder.parent.parent).as_posix() for path in jit._machine_code_sources(folder)}
    assert {"lexicon/lookup.py", "lexicon/deck.py", "lexicon/data/deck.csv", "core/rng.py"} <= found
    assert "games/pickled_peppers/rules.py" in found
    drawn = {"lexicon/letter_cards.py", "games/pickled_peppers/draw.py", "games/pickled_peppers/text.py", "core/svg.py"}
    assert not drawn & found
