"""Text and picture of You Wish: what a seat may see is shown, and no more."""

import re
from typing import Any

import pytest

from pepperenvs.core import svg as pen
from pepperenvs.games.you_wish import draw
from pepperenvs.games.you_wish import text as words
from pepperenvs.lexicon.deck import CARD_NAMES
from tests.conformance.test_render import boxes
from tests.games import Table
from tests.games.test_you_wish import hand, place

pytestmark = pytest.mark.nojit


def table(**options: Any) -> Table:
    """Seat 0 is to ask; seat 1 has two words, and a card that all know of; seat 1 is known to lack Q and V."""
    return place(
        ["A1 T1 C1 X4", "M4 B2 N1", "E2"],
        well="K1 S2",
        rest=2,
        words=[[], ["A2 R1 T2", "S1 T3 A3 R2"]],
        known=["", "B2"],
        named=["", "QV"],
        **options,
    )


def shown(built: Table, seat: int | None) -> set[str]:
    """The cards that the picture names."""
    return set(re.findall(r">([A-Z][1-4])</text>", draw.svg(built.state, seat)))


def named(built: Table, seat: int | None) -> set[str]:
    """The cards that the text names."""
    return set(re.findall(r"\b[A-Z][1-4]\b", words.text(built.state, seat)))


@pytest.mark.parametrize("recall", [False, True])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_seat_sees_its_own_hand_the_table_and_what_it_remembers(seat: int, recall: bool) -> None:
    built = table(recall=recall)
    laid = {"A2", "R1", "T2", "S1", "T3", "A3", "R2"}
    expected = hand(built, seat) | laid | ({"B2"} if recall else set())
    assert shown(built, seat) == named(built, seat) == expected
    assert ("lacks QV" in draw.svg(built.state, seat)) == (recall and seat != 1)


def test_with_all_open_every_card_is_named() -> None:
    built = table()
    assert shown(built, None) == named(built, None) == set(CARD_NAMES)
    assert "in drawing order: K1 S2" in words.text(built.state, None)


def test_the_text_of_a_position() -> None:
    assert words.text(table(recall=True).state, 0).splitlines() == [
        "You Wish: words of 3 letters or more, 0 moves of at most 1024",
        "  player_0 asks for a letter",
        "well      2 cards",
        "> player_0: 4 cards, no words, you",
        "    hand      A1 C1 T1 X4",
        "  player_1: 3 cards, 2 words, longest 4, its best card of rank 30",
        "    known     B2",
        "    lacks     QV",
        "    words     ART: A2 R1 T2 | STAR: S1 T3 A3 R2",
        "  player_2: 36 cards, no words",
    ]


def test_the_last_ask_is_told() -> None:
    built = table()
    assert "nobody has asked yet" in draw.svg(built.state)
    built.play("ask 1 M")
    assert words.last_ask(built.state) == "player_0 asked player_1 for M: a hit"
    assert (
        words.news(built.state, 0) == words.news(built.state, None) == "player_0 may play a word with M, of 3 letters"
    )
    assert words.news(built.state, 1) == "player_0 may play a word with M"
    built.play("word 3")
    assert "CAM: C1 A1 M4" in words.text(built.state, 2)
    built.play("ask 1 K")
    assert words.last_ask(built.state) == "player_0 asked player_1 for K: a miss"
    lucky = place(["A1 T1 X4", "E1", "E2"], well="C1 S1", rest=1)
    lucky.play("ask 2 C")
    assert words.last_ask(lucky.state).endswith("a miss, and a lucky draw")


def test_the_end_names_winners_and_places() -> None:
    built = place(["A1 T1", "M4", "S1"], well="K1", rest=2)
    built.play("ask 1 M", "word 3")
    picture = draw.svg(built.state, 1)
    assert "The end: player_0 wins with 1 point" in picture and "gone out" in picture
    assert all(f">{pen.ordinal(place)}<" in picture for place in (0, 1))
    assert "standing 0" in words.text(built.state, None) and "the game is over" in words.text(built.state, None)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seat", [None, 0])
def test_nothing_overlaps_and_all_lies_within(players: int, seat: int | None) -> None:
    """Also where one seat has most of the cards, and where it has spelled many words."""
    many = ["A1 R1 T1", "A2 R2 T2", "A3 R3 T3", "A4 R4 T4", "S1 O1 N1", "S2 O2 N2", "S3 O3 N3", "M4 E1 N4"]
    for built in (
        place(["X4", "Z4", "K1", "Q1"][:players], well="E4", rest=1, recall=True),
        place(
            ["X4", "Z4", "K1", "Q1"][:players], well="E4", rest=2, words=[many], recall=True, named=["", "ABCDEFGHIJ"]
        ),
    ):
        picture = draw.svg(built.state, seat)
        height = float(re.findall('<svg[^>]* height="([0-9.]+)"', picture)[0])
        found = boxes(picture)
        for content, left, top, right, bottom in found:
            assert left >= 0 and right <= pen.WIDTH and top >= 0 and bottom <= height, content
        for index, (one, left, top, right, bottom) in enumerate(found):
            for other, left_2, top_2, right_2, bottom_2 in found[index + 1 :]:
                apart = right <= left_2 + 0.5 or right_2 <= left + 0.5 or bottom <= top_2 + 0.5 or bottom_2 <= top + 0.5
                assert apart, (one, other)
