"""The table of Pickled Peppers as a picture."""

from typing import Any

from pepperenvs.core import svg as pen
from pepperenvs.games.pickled_peppers import text as words
from pepperenvs.games.pickled_peppers.state import NO_CARD, OVER
from pepperenvs.lexicon import letter_cards

MIDDLE_Y, CARD, CARD_PITCH = 122, (74, 100), 82  # upper edge of the large cards, their extent, and how far apart
SPARE_X, SPARE = 116, (40, 56)
LIVE_X, STRING_X, WORD_X = 206, 330, 676  # the live pepper, the string beside it, and the letters of both
NO_PEPPER = (670, 100)  # the place of all three
TILES_Y, INNER = 258, pen.WIDTH - 2 * pen.MARGIN  # the cards in play, in two rows
SEATS_Y, SEAT_HEIGHT, SEAT_PITCH = 314, 84, 90
STACK_X, TAKEN_X, PILE, KNOWN_X = 190, 250, (34, 46), 312  # within a seat's panel


def svg(state: Any, seat: int | None = None) -> str:
    """The table as `seat` sees it, or with all cards open if `seat` is None."""
    is_over = state.to_move == OVER
    news = pen.result(state) if is_over else words.news(state)
    parts = [
        pen.heading("Pickled Peppers", words.progress(state), news, is_over),
        _centre(state),
        _spare(state),
        _pickle(state),
        letter_cards.tiles(_in_play(state, seat), pen.MARGIN, TILES_Y, INNER),
        *(_seat(state, place, seat) for place in range(state.num_seats)),
    ]
    height = SEATS_Y + int(state.num_seats) * SEAT_PITCH + 6
    return pen.document(height, parts, f"Pickled Peppers: {news}")


# ---------------------------------------------------------------------------------------- middle of the table


def _title(x: float, content: str) -> str:
    return pen.text(x, MIDDLE_Y - 8, content, 14)


def _centre(state: Any) -> str:
    """The centre pile: how many cards, and the top one; others peep out behind it."""
    pile, x = words.centre(state), pen.MARGIN
    parts = [_title(x, f"centre {len(pile)}")]
    if pile:
        parts.append(pen.card(x, MIDDLE_Y, *CARD, letter_cards.CREAM, len(pile)))
        parts.append(letter_cards.face(pile[-1], x, MIDDLE_Y, *CARD))
    else:
        parts.append(pen.card_back(x, MIDDLE_Y, *CARD, 0))
    return "".join(parts)


def _spare(state: Any) -> str:
    """The spare cards, face down, until they are taken."""
    if not state.spare_len:
        return ""
    return _title(SPARE_X, f"spare {state.spare_len}") + pen.card_back(SPARE_X, MIDDLE_Y, *SPARE, int(state.spare_len))


def _pickle(state: Any) -> str:
    """The live pepper and its owner, the string beside it with places for the cards still needed."""
    if state.live == NO_CARD:
        x, (width, height) = LIVE_X, NO_PEPPER
        ground = pen.rect(x, MIDDLE_Y, width, height, pen.PALE, radius=9)
        return ground + pen.text(x + width / 2, MIDDLE_Y + 56, "no pepper is live", 14, pen.FADED, "middle")
    string, base = words.string(state), MIDDLE_Y + CARD[1] + 20
    parts = [
        _title(LIVE_X, "live pepper"),
        pen.rect(LIVE_X - 4, MIDDLE_Y - 4, CARD[0] + 8, CARD[1] + 8, "none", pen.ACCENT, 12, 3),
        letter_cards.face(int(state.live), LIVE_X, MIDDLE_Y, *CARD),
        pen.text(LIVE_X, base, f"of player_{state.owner}: {words.need(state)}", 13),
        _title(STRING_X, f"string of player_{state.pickler}: {state.laid} of {state.need} laid"),
    ]
    for place in range(int(state.need)):
        x = STRING_X + CARD_PITCH * place
        is_laid = place < len(string)
        parts.append(
            letter_cards.face(string[place], x, MIDDLE_Y, *CARD) if is_laid else pen.card_back(x, MIDDLE_Y, *CARD, 0)
        )
    return "".join([*parts, _word(state) if state.words else ""])


def _word(state: Any) -> str:
    """The letters that a claim would be made of, and whether one has been made of them."""
    letters = " ".join(letter_cards.letters(words.word_cards(state)))
    claimed = "claimed wrongly" if state.claimed else ""
    return (
        _title(WORD_X, "letters for a word")
        + pen.rect(WORD_X, MIDDLE_Y, 200, 56, pen.PALE, radius=9)
        + pen.text(WORD_X + 100, MIDDLE_Y + 39, letters, 30, anchor="middle")
        + pen.text(WORD_X, MIDDLE_Y + 76, claimed, 14, pen.ACCENT)
    )


def _in_play(state: Any, seat: int | None) -> list[tuple[str, list[int]]]:
    """What else is in play: the earlier strings; the centre pile and the spare cards if they are shown."""
    groups = [("centre", words.centre(state))] if words.knows_all(state, seat) else []
    groups += [("" if place else "strings", cards) for place, cards in enumerate(words.earlier_strings(state))]
    return [group for group in [*groups, ("spare", words.spare(state, seat))] if group[1]]


# ------------------------------------------------------------------------------------------------------- seats


def _seat(state: Any, place: int, seat: int | None) -> str:
    """A seat: name, cards and part in the pickle at the left, its stack and taken pile, and what is shown of them."""
    x, y = pen.MARGIN, SEATS_Y + place * SEAT_PITCH
    stack, order = words.stack(state, place, seat)
    shown = [group for group in ((f"stack{order}", stack), ("taken", words.taken(state, place, seat))) if group[1]]
    return "".join(
        [
            pen.panel(x, y, INNER, SEAT_HEIGHT, place == state.to_move),
            _name(state, place, seat, x, y),
            _pile("stack", int(state.stack_len[place]), x + STACK_X, y),
            _pile("taken", int(state.taken_len[place]), x + TAKEN_X, y),
            letter_cards.tiles(shown, x + KNOWN_X, y + 10, INNER - KNOWN_X - 8),
        ]
    )


def _name(state: Any, place: int, seat: int | None, x: float, y: float) -> str:
    is_active = place == state.to_move
    start = x + (32 if is_active else 14)
    parts = [
        pen.arrow(x + 12, y + 21) if is_active else "",
        pen.text(start, y + 27, f"player_{place}", 16),
        pen.text(start + 74, y + 27, "you" if place == seat else "", 14, pen.ACCENT),
        pen.text(x + 14, y + 50, letter_cards.count(words.held(state, place), "card"), 15),
        pen.text(x + 14, y + 71, words.status(state, place), 13, pen.ACCENT),
    ]
    if state.to_move == OVER:
        parts.append(pen.tag(x + 92, y + 35, pen.ordinal(int(state.standing[place])), 40))
    return "".join(parts)


def _pile(noun: str, size: int, x: float, y: float) -> str:
    """A stack or taken pile, face down, with its size."""
    middle = x + PILE[0] / 2
    return pen.text(middle, y + 19, f"{noun} {size}", 12, anchor="middle") + pen.card_back(x, y + 29, *PILE, size)
