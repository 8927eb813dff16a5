"""The table of Jungle as a picture."""

from typing import Any

from pepperenvs.core import svg as pen
from pepperenvs.games.jungle import text as words
from pepperenvs.games.jungle.state import OVER
from pepperenvs.lexicon import letter_cards

MIDDLE_Y, CARD = 122, (44, 62)  # upper edge of the face-up cards of all seats, the extent of every card
ORDER_X, ORDER_PITCH = 112, 50  # and how far apart they lie
SEATS_Y, SEAT_HEIGHT, SEAT_PITCH = 226, 150, 156
STACK_X, TAKEN_X, PILE = 196, 262, (40, 56)  # within a seat's panel
LAID_X, BACK_PITCH, ROUND_GAP = 334, 9, 7  # its cards of the challenge: of those face down an edge peeps out
INNER = pen.WIDTH - 2 * pen.MARGIN


def svg(state: Any, seat: int | None = None) -> str:
    """The table as `seat` sees it, or with all cards open if `seat` is None."""
    is_over = state.to_move == OVER
    news = pen.result(state) if is_over else words.news(state)
    parts = [
        pen.heading("Jungle", words.progress(state), news, is_over),
        _spare(state, seat),
        _order(state),
        *(_seat(state, place, seat) for place in range(state.num_seats)),
    ]
    height = SEATS_Y + int(state.num_seats) * SEAT_PITCH + 6
    return pen.document(height, parts, f"Jungle: {news}")


# ---------------------------------------------------------------------------------------- middle of the table


def _spare(state: Any, seat: int | None) -> str:
    """The spare card, face down until it is taken."""
    if not state.spare_len:
        return ""
    parts = [pen.text(pen.MARGIN, MIDDLE_Y - 8, "spare", 14), pen.card_back(pen.MARGIN, MIDDLE_Y, *CARD)]
    parts += [_card(card, pen.MARGIN, MIDDLE_Y) for card in words.spare(state, seat)]
    return "".join(parts)


def _order(state: Any) -> str:
    """The face-up cards of all seats in the order laid, the seats below; those that may be in a word are underlined."""
    laid, first = words.face_up(state), words.first_for_words(state)
    title = "face up in this challenge, in the order laid, and by which seat"
    parts = [
        pen.text(ORDER_X, MIDDLE_Y - 8, title, 14),
        pen.text(pen.WIDTH - pen.MARGIN, MIDDLE_Y - 8, f"on the table: {words.pot(state)}", 14, pen.INK, "end"),
    ]
    if not laid:
        width = pen.WIDTH - pen.MARGIN - ORDER_X
        parts.append(pen.rect(ORDER_X, MIDDLE_Y, width, CARD[1], pen.PALE, radius=9))
    for index, (card, seat) in enumerate(laid):
        x = ORDER_X + ORDER_PITCH * index
        parts.append(_card(card, x, MIDDLE_Y))
        parts.append(pen.text(x + CARD[0] / 2, MIDDLE_Y + CARD[1] + 20, f"by {seat}", 12, pen.FADED, "middle"))
        if state.words and index >= first:
            parts.append(pen.rect(x, MIDDLE_Y + CARD[1] + 4, CARD[0], 4, pen.ACCENT, radius=2))
    return "".join(parts)


# ------------------------------------------------------------------------------------------------------- seats


def _seat(state: Any, place: int, seat: int | None) -> str:
    """A seat: name and part in the challenge at the left, its piles, the cards it has laid; below what is known."""
    x, y = pen.MARGIN, SEATS_Y + place * SEAT_PITCH
    return "".join(
        [
            pen.panel(x, y, INNER, SEAT_HEIGHT, place == state.to_move),
            _name(state, place, seat, x, y),
            _pile("stack", int(state.stack_len[place]), x + STACK_X, y),
            _pile("taken", int(state.taken_len[place]), x + TAKEN_X, y),
            _laid(state, place, x + LAID_X, y),
            letter_cards.tiles(_shown(state, place, seat), x + 14, y + 102, INNER - 22),
        ]
    )


def _shown(state: Any, place: int, seat: int | None) -> list[tuple[str, list[int]]]:
    """The cards of a seat that are shown, under titles; whoever sees a stack sees its order as well."""
    groups = words.shown(state, place, seat)
    return [("stack, top first" if seat is None and title == "stack" else title, cards) for title, cards in groups]


def _name(state: Any, place: int, seat: int | None, x: float, y: float) -> str:
    is_active = place == state.to_move
    start = x + (32 if is_active else 14)
    parts = [
        pen.arrow(x + 12, y + 21) if is_active else "",
        pen.text(start, y + 27, f"player_{place}", 16),
        pen.text(start + 74, y + 27, "you" if place == seat else "", 14, pen.ACCENT),
        pen.text(x + 14, y + 49, letter_cards.count(words.held(state, place), "card"), 15),
        pen.text(x + 14, y + 69, words.status(state, place), 13, pen.ACCENT),
    ]
    if state.to_move == OVER:
        parts.append(pen.tag(x + 92, y + 34, pen.ordinal(int(state.standing[place])), 40))
    if words.is_taker(state, place):
        parts.append(pen.tag(x + 12, y + 75, "would take", 92))
    elif words.takes_after_claim(state, place):
        parts.append(pen.tag(x + 12, y + 75, "takes if there is a word", 170, pen.PALE))
    return "".join(parts)


def _pile(noun: str, size: int, x: float, y: float) -> str:
    """A stack or taken pile, face down, with its size."""
    middle = x + PILE[0] / 2
    return pen.text(middle, y + 19, f"{noun} {size}", 12, anchor="middle") + pen.card_back(x, y + 31, *PILE, size)


def _laid(state: Any, place: int, x: float, y: float) -> str:
    """What a seat has laid in the challenge, the cards face down each time below the one face up."""
    down, left = int(state.face_down_len[place]), x
    title = f"laid{f': {down} face down' if down else ''}" if words.rounds(state, place) else ""
    parts = [pen.text(x, y + 19, title, 12)]
    for backs, card in words.rounds(state, place):
        for _ in range(backs):
            parts.append(letter_cards.back(left, y + 27, *CARD))
            left += BACK_PITCH
        if card is not None:
            parts.append(_card(card, left, y + 27))
        left += CARD[0] + ROUND_GAP
    return "".join(parts)


def _card(card: int, x: float, y: float) -> str:
    return letter_cards.face(card, x, y, *CARD, with_rank=True)
