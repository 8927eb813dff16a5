"""The table of Heat Guess as a picture."""

from typing import Any

from pepperenvs.core import svg as pen
from pepperenvs.games.heat_guess.state import OVER
from pepperenvs.games.heat_guess.tables import KIND_NAMES

COLUMNS = 2
TOP, ROW, GAP = 98, 64, 10
KINDS_X, CELL = 232, 319
SHOWN_WIDTH, SHOWN_HEIGHT = 196, 246
SEAT_HEIGHT = 96
RULED_OUT = "#a2937f"
COLOURS = ("#d55e00", "#0072b2", "#e6ab02", "#009e73", "#cc79a7", "#56b4e9")  # told apart without colour vision too


def svg(state: Any, seat: int | None = None) -> str:
    """The table as `seat` sees it, or with the hidden numbers ringed if `seat` is None."""
    parts = [
        pen.heading("Heat Guess", _facts(state), _news(state), state.to_move == OVER),
        _shown_card(state),
        *(_kind(state, kind, seat) for kind in range(state.kinds)),
        *(_seat(state, place, seat) for place in range(state.num_seats)),
    ]
    return pen.document(TOP + _middle_height(state) + SEAT_HEIGHT + 32, parts, f"Heat Guess: {_news(state)}")


def _facts(state: Any) -> str:
    return f"{state.moves} of at most {state.max_moves} guesses made, {state.wasted} of them wrong"


def _news(state: Any) -> str:
    if state.to_move == OVER:
        return pen.result(state)
    return f"player_{state.to_move} says how hot {KIND_NAMES[state.pile[state.pile_len - 1]]} is, 1 to {state.heats}"


def _middle_height(state: Any) -> int:
    rows = (int(state.kinds) + COLUMNS - 1) // COLUMNS
    return max(rows * ROW - 6, SHOWN_HEIGHT + 60)


def _shown_card(state: Any) -> str:
    """The top card face up on the pile, or what is left of the pile at the end."""
    x, y = pen.MARGIN, TOP + 6
    left = int(state.pile_len)
    words = f"{left} card{'' if left == 1 else 's'} in the pile"
    label = pen.text(x + SHOWN_WIDTH / 2, y + SHOWN_HEIGHT + 28, words, 16, pen.INK, "middle")
    if state.to_move == OVER:
        return pen.card_back(x, y, SHOWN_WIDTH, SHOWN_HEIGHT, left) + label
    kind = int(state.pile[left - 1])
    return (
        pen.card(x, y, SHOWN_WIDTH, SHOWN_HEIGHT, pen.PANEL, left)
        + pen.text(x + 16, y + 34, KIND_NAMES[kind], 24)
        + _pepper(kind, x + 22, y + 40, SHOWN_WIDTH - 44)
        + pen.text(x + SHOWN_WIDTH / 2, y + SHOWN_HEIGHT - 16, "how hot?", 18, pen.FADED, "middle")
        + label
    )


def _kind(state: Any, kind: int, seat: int | None) -> str:
    """A kind: its pepper, its cards left in the pile, the numbers that it can still have."""
    x = KINDS_X + kind % COLUMNS * (CELL + GAP)
    y = TOP + kind // COLUMNS * ROW
    is_shown = state.to_move != OVER and kind == state.pile[state.pile_len - 1]
    left = int(state.remaining[kind])
    return "".join(
        [
            pen.panel(x, y, CELL, ROW - 8, is_shown),
            _pepper(kind, x + 6, y + 6, 44),
            pen.text(x + 56, y + 21, KIND_NAMES[kind], 15),
            *(_copy_left(x + 96 + 16 * index, y + 8, index < left) for index in range(state.copies)),
            pen.text(x + 104 + 16 * int(state.copies), y + 21, f"{left} left" if left else "all gone", 13, pen.FADED),
            *(_number(state, kind, heat, x + 56 + 26 * heat, y + 29, seat) for heat in range(state.heats)),
        ]
    )


def _copy_left(x: float, y: float, is_left: bool) -> str:
    return pen.rect(x, y, 11, 15, pen.ACCENT if is_left else "none", pen.ACCENT if is_left else pen.LINE, 2)


def _number(state: Any, kind: int, heat: int, x: float, y: float, seat: int | None) -> str:
    """A heat number of a kind: dark if known, light if possible, struck out if not; ringed if true and all is shown."""
    middle, base = x + 11, y + 16
    if not state.possible[kind, heat]:
        stroke = pen.path(f"M{x + 4} {y + 18}l14 -14", "none", RULED_OUT, 1.2)
        return pen.text(middle, base, heat + 1, 13, RULED_OUT, "middle") + stroke
    is_known = int(state.possible[kind].sum()) == 1
    fill = pen.heat_colour(heat / max(int(state.heats) - 1, 1)) if is_known else pen.PALE
    ring = pen.INK if is_known else pen.LINE
    chip = pen.rect(x, y, 22, 22, fill, ring, 5, 2 if is_known else 1)
    if seat is None and state.heat[kind] == heat + 1 and not is_known:
        chip += pen.rect(x + 1, y + 1, 20, 20, "none", pen.ACCENT, 5, 3)
    return chip + pen.text(middle, base, heat + 1, 14, pen.ink_on(fill), "middle")


def _seat(state: Any, place: int, seat: int | None) -> str:
    """A seat: its points, whether it is to move, its place at the end."""
    width = (pen.WIDTH - 2 * pen.MARGIN - GAP * (int(state.num_seats) - 1)) / int(state.num_seats)
    width = min(width, 210)
    x, y = pen.MARGIN + place * (width + GAP), TOP + _middle_height(state) + 12
    is_active = place == state.to_move
    points = int(state.score[place])
    parts = [
        pen.panel(x, y, width, SEAT_HEIGHT, is_active),
        pen.arrow(x + 10, y + 20) if is_active else "",
        pen.text(x + (28 if is_active else 14), y + 25, f"player_{place}", 15),
        pen.text(x + 14, y + 62, points, 30),
        pen.text(x + 22 + 17 * len(str(points)), y + 62, "point" if points == 1 else "points", 14, pen.FADED),
    ]
    if state.to_move == OVER and state.num_seats > 1:
        parts.append(pen.tag(x + 12, y + 70, pen.ordinal(int(state.standing[place])), 44))
    if place == seat:
        parts.append(pen.text(x + width - 12, y + 84, "you", 13, pen.ACCENT, "end"))
    return "".join(parts)


def _pepper(kind: int, x: float, y: float, extent: float) -> str:
    """The pepper of a kind: a shape for each of the first six, the same with spots and another colour for the rest."""
    shape, is_spotted = kind % pen.SHAPES, kind >= pen.SHAPES
    colour = COLOURS[(shape + 3 * is_spotted) % len(COLOURS)]
    return pen.pepper(x, y, extent, colour, shape, is_spotted)
