"""The table of You Wish as a picture."""

from typing import Any

from pepperenvs.core import svg as pen
from pepperenvs.games.you_wish import text as facts
from pepperenvs.games.you_wish.state import NOBODY, OVER, WORDING
from pepperenvs.lexicon import letter_cards
from pepperenvs.lexicon.deck import LETTER_NAMES

MIDDLE_Y, PILE = 122, (46, 62)  # upper edge of what lies in the middle, extent of the well
ASK_X, LETTER = 110, 62  # the last ask: the letter asked for in a square, and what came of it
WELL_CARDS_X = 470  # the well's cards, if they are shown
INNER = pen.WIDTH - 2 * pen.MARGIN
SEATS_Y, SEAT_HEIGHT, SEAT_PITCH = 202, 138, 144
HAND_X, TILES_X = 178, 232  # within a seat's panel: the hand as a pile, and cards that are shown
WORDS_Y = 66  # the words, below two rows of cards


def svg(state: Any, seat: int | None = None) -> str:
    """The table as `seat` sees it, or with all cards open if `seat` is None."""
    is_over = state.to_move == OVER
    news = pen.result(state) if is_over else facts.news(state, seat)
    parts = [
        pen.heading("You Wish", facts.progress(state), news, is_over),
        _well(state, seat),
        _last_ask(state),
        *(_seat(state, place, seat) for place in range(state.num_seats)),
    ]
    height = SEATS_Y + int(state.num_seats) * SEAT_PITCH + 6
    return pen.document(height, parts, f"You Wish: {news}")


def _well(state: Any, seat: int | None) -> str:
    """The well, face down, with its size; its cards in drawing order if all is open."""
    size = int(state.well_len)
    parts = [
        pen.text(pen.MARGIN, MIDDLE_Y - 8, f"well {size}", 14),
        pen.card_back(pen.MARGIN, MIDDLE_Y, *PILE, size),
    ]
    cards = facts.well(state, seat)
    if cards:
        shown = letter_cards.tiles([("in drawing order", cards)], WELL_CARDS_X, MIDDLE_Y + 4, INNER - WELL_CARDS_X)
        parts.append(shown)
    return "".join(parts)


def _last_ask(state: Any) -> str:
    """The letter that was asked for last, who asked whom, and what came of it."""
    if state.asker == NOBODY:
        return pen.text(ASK_X, MIDDLE_Y + 36, "nobody has asked yet", 14, pen.FADED)
    asked, _, came = facts.last_ask(state).partition(": ")
    is_open = state.to_move != OVER and state.stage == WORDING
    line = pen.ACCENT if is_open else pen.LINE
    x = ASK_X + LETTER + 14
    return "".join(
        [
            pen.text(ASK_X, MIDDLE_Y - 8, "last ask", 14),
            pen.rect(ASK_X, MIDDLE_Y, LETTER, LETTER, pen.PALE, line, 9, 3 if is_open else 1.5),
            pen.text(ASK_X + LETTER / 2, MIDDLE_Y + 44, LETTER_NAMES[state.letter], 38, anchor="middle"),
            pen.text(x, MIDDLE_Y + 24, asked, 15),
            pen.text(x, MIDDLE_Y + 48, came, 15, pen.ACCENT),
        ]
    )


# ------------------------------------------------------------------------------------------------------- seats


def _seat(state: Any, place: int, seat: int | None) -> str:
    """A seat: name and record at the left, its hand as far as it is shown, and its words below."""
    x, y = pen.MARGIN, SEATS_Y + place * SEAT_PITCH
    width = INNER - TILES_X - 8
    lacks = facts.lacks(state, place, seat)
    shown = [*facts.hand(state, place, seat), *([(f"lacks {lacks}", [])] if lacks else [])]
    laid = [("", cards) for cards in facts.words(state, place)]
    return "".join(
        [
            pen.panel(x, y, INNER, SEAT_HEIGHT, place == state.to_move),
            _name(state, place, seat, x, y),
            _pile(facts.hand_size(state, place), x + HAND_X, y),
            letter_cards.tiles(shown, x + TILES_X, y + 12, width),
            letter_cards.tiles(laid, x + TILES_X, y + WORDS_Y, width),
        ]
    )


def _name(state: Any, place: int, seat: int | None, x: float, y: float) -> str:
    is_active = place == state.to_move
    start = x + (32 if is_active else 14)
    words, _, rest = facts.record(state, place).partition(", ")
    longest, _, gone = rest.partition(", has ")
    longest, _, best = longest.partition(", its ")
    parts = [
        pen.arrow(x + 12, y + 21) if is_active else "",
        pen.text(start, y + 27, f"player_{place}", 16),
        pen.text(start + 74, y + 27, "you" if place == seat else "", 14, pen.ACCENT),
        pen.text(x + 14, y + 52, words, 15),
        pen.text(x + 14, y + 73, longest, 13, pen.FADED),
        pen.text(x + 14, y + 92, best, 13, pen.FADED),
        pen.text(x + 14, y + 115, gone, 14, pen.ACCENT),
    ]
    if state.to_move == OVER:
        parts.append(pen.tag(x + 118, y + 102, pen.ordinal(int(state.standing[place])), 40))
    return "".join(parts)


def _pile(size: int, x: float, y: float) -> str:
    """The hand, face down, with its size."""
    return pen.text(x + 19, y + 24, f"hand {size}", 12, anchor="middle") + pen.card_back(x, y + 34, 38, 52, size)
