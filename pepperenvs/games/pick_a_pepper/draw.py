"""The table of Pick-a-Pepper as a picture."""

from typing import Any

from pepperenvs.core import svg as pen
from pepperenvs.games.pick_a_pepper import text as words
from pepperenvs.games.pick_a_pepper.state import GROUP, NUM_SLOTS, OVER
from pepperenvs.games.pick_a_pepper.tables import (
    HOTNESS,
    NUM_NUMBERS,
    NUM_SAUCES,
    NUM_VALUES,
    SAUCE_NAMES,
    SAUCE_POINTS,
    VALUE_NAMES,
    WILD,
)

SLOTS_Y, DISPLAY_Y, SEATS_Y = 98, 262, 388  # upper edges of the three parts of the table
SLOT_PITCH, CARD, FAN = 71, (50, 66), 20  # a slot's cards lie over one another, FAN apart
SAUCE_PITCH, SAUCE_CARD = 104, (96, 112)
SEAT_HEIGHT, SEAT_GAP = 112, 8
SMALL, SMALL_PITCH = (26, 40), 28  # cards of hands
MOST_BACKS, BACK_PITCH = 28, 13  # cards face down of a hand that are drawn; the number stands beside them
WILD_COLOUR = "#2f6f9f"


def svg(state: Any, seat: int | None = None) -> str:
    """The table as `seat` sees it, or with all hands open if `seat` is None."""
    is_over = state.to_move == OVER
    news = pen.result(state) if is_over else words.news(state)
    parts = [
        pen.heading("Pick-a-Pepper", words.progress(state), news, is_over),
        *(_slot(state, slot) for slot in range(NUM_SLOTS)),
        _piles(state),
        _display(state),
        _order(state),
        *(_seat(state, place, seat) for place in range(state.num_seats)),
    ]
    height = SEATS_Y + int(state.num_seats) * (SEAT_HEIGHT + SEAT_GAP) + 12
    return pen.document(height, parts, f"Pick-a-Pepper: {news}")


# ------------------------------------------------------------------------------------------ middle of the table


def _slot(state: Any, slot: int) -> str:
    """A slot with its number below and its cards, which cover one another but for their values."""
    x = pen.MARGIN + slot * SLOT_PITCH
    width, height = CARD
    full = height + FAN * (GROUP - 1)
    parts = [
        pen.rect(x, SLOTS_Y, 62, full + 12, pen.PALE, radius=8),
        pen.text(x + 31, SLOTS_Y + full + 31, f"slot {slot + 1}", 13, pen.FADED, "middle"),
    ]
    shown = [int(state.slot_value[slot])] * int(state.slot_size[slot])
    parts += [_card(value, x + 6, SLOTS_Y + 6 + FAN * k, width, height) for k, value in enumerate(shown)]
    return "".join(parts)


def _piles(state: Any) -> str:
    """The deck face down, and the discards by value."""
    x, y = pen.MARGIN + NUM_SLOTS * SLOT_PITCH + 8, SLOTS_Y
    parts = [
        pen.card_back(x, y + 12, 56, 74, int(state.deck_len)),
        pen.text(x + 28, y + 107, f"deck {state.deck_len}", 14, pen.INK, "middle"),
        pen.text(x + 78, y + 14, f"discards {int(state.discards.sum())}", 14),
    ]
    for value in range(NUM_VALUES):
        left, top = x + 78 + value % 5 * 55, y + 22 + value // 5 * 38
        parts.append(_counted(value, int(state.discards[value]), left, top))
    return "".join(parts)


def _counted(value: int, number: int, x: float, y: float) -> str:
    """How many cards of a value lie among the discards."""
    if number == 0:
        empty = pen.rect(x, y, 24, 32, "none", pen.LINE, 4)
        return empty + pen.text(x + 12, y + 21, VALUE_NAMES[value], 13, pen.FADED, "middle")
    face = pen.card(x, y, 24, 32, _colour(value))
    name = pen.text(x + 12, y + 21, VALUE_NAMES[value], 14, pen.ink_on(_colour(value)), "middle")
    return face + name + pen.text(x + 28, y + 21, f"×{number}", 13)


def _display(state: Any) -> str:
    """The sauces on display, in the order of their numbers, and the pile of those to come."""
    x, height = pen.MARGIN + (int(state.num_seats) + 2) * SAUCE_PITCH, SAUCE_CARD[1]
    width = x - pen.MARGIN - SAUCE_PITCH + SAUCE_CARD[0]
    parts = [pen.rect(pen.MARGIN, DISPLAY_Y, width, height, pen.PALE, radius=8)]
    if state.phase == 1:
        middle = pen.MARGIN + width / 2
        parts.append(pen.text(middle, DISPLAY_Y + 61, "sauces from phase 2 on", 16, pen.FADED, "middle"))
    shown = [sauce for sauce in range(NUM_SAUCES) if state.display[sauce]]
    parts += [_sauce(sauce, pen.MARGIN + index * SAUCE_PITCH, DISPLAY_Y) for index, sauce in enumerate(shown)]
    parts.append(pen.card_back(x, DISPLAY_Y + 4, 62, 80, int(state.sauce_len)))
    parts.append(pen.text(x + 31, DISPLAY_Y + 106, f"sauces {state.sauce_len}", 13, pen.INK, "middle"))
    return "".join(parts)


def _sauce(sauce: int, x: float, y: float) -> str:
    """A sauce on display: bottle with its points, as many peppers as it is hot."""
    width, height = SAUCE_CARD
    hotness = int(HOTNESS[sauce])
    peppers = [pen.pepper(x + 46 + k % 3 * 15, y + 26 + k // 3 * 16, 14, _sauce_colour(sauce)) for k in range(hotness)]
    return "".join(
        [
            pen.rect(x, y, width, height, pen.PANEL, pen.LINE, 8, 1.5),
            _bottle(sauce, x + 8, y + 6, 1.75),
            pen.text(x + 70, y + 20, SAUCE_NAMES[sauce], 12, pen.FADED, "middle"),
            *peppers,
            pen.text(x + width - 5, y + 88, f"heat {hotness}", 13, pen.FADED, "end"),
            pen.text(x + width / 2, y + 105, words.count(int(SAUCE_POINTS[sauce]), "point"), 14, pen.INK, "middle"),
        ]
    )


def _bottle(sauce: int, x: float, y: float, scale: float) -> str:
    """A bottle 20 × 46, times the scale, with the sauce's points on its label."""
    where = f"translate({x:g} {y:g}) scale({scale:g})"
    glass = "M7 3h6v10c0 3 6 4 6 9v19c0 3 -2 4 -4 4h-10c-2 0 -4 -1 -4 -4v-19c0 -5 6 -6 6 -9Z"
    size = 13 if scale < 1.5 else 18
    return "".join(
        [
            pen.path(glass, _sauce_colour(sauce), pen.INK, 1, where),
            pen.path("M6 1h8v5h-8Z", pen.STEM, pen.INK, 0.8, where),
            pen.path("M1.5 24h17v14h-17Z", "#ffffff", pen.INK, 0.6, where),
            pen.text(x + 10 * scale, y + 31 * scale + size * 0.36, SAUCE_POINTS[sauce], size, pen.INK, "middle"),
        ]
    )


def _order(state: Any) -> str:
    """The order of turns, to the right of the display, the seat whose turn it is marked."""
    x, y = 744, DISPLAY_Y
    parts = [pen.text(x, y + 14, "order of turns", 14, pen.FADED)]
    order = words.turns(state)
    for index, place in enumerate(order):
        base = y + 38 + 22 * index
        is_now = index == state.turn and place == state.to_move
        fill = pen.ACCENT if is_now else pen.FADED if index < state.turn else pen.INK
        parts.append(pen.arrow(x, base - 5) if is_now else "")
        parts.append(pen.text(x + 18, base, f"{index + 1}  player_{place}", 14, fill))
    if not order:
        parts.append(pen.text(x, y + 38, "follows once all", 13, pen.FADED))
        parts.append(pen.text(x, y + 55, "have played", 13, pen.FADED))
    return "".join(parts)


# ------------------------------------------------------------------------------------------------------- seats


def _seat(state: Any, place: int, seat: int | None) -> str:
    """A seat: name, spoon, points and sauces at the left, its combination, its hand and ingredient deck."""
    x, y = pen.MARGIN, SEATS_Y + place * (SEAT_HEIGHT + SEAT_GAP)
    return "".join(
        [
            pen.panel(x, y, pen.WIDTH - 2 * pen.MARGIN, SEAT_HEIGHT, place == state.to_move),
            _name(state, place, seat, x, y),
            _cooked(state, place, x + 14, y + 54),
            _combination(state, place, x + 268, y),
            _holding("hand", state.hand_size[place], words.hand(state, place, seat), x + 378, y + 10),
            _holding(
                "ingredients", state.ingredients_size[place], words.ingredients(state, place, seat), x + 378, y + 61
            ),
        ]
    )


def _name(state: Any, place: int, seat: int | None, x: float, y: float) -> str:
    is_active = place == state.to_move
    start = x + (32 if is_active else 14)
    cooked = f"{state.num_cooked[place]} of {state.required} sauces"
    parts = [
        pen.arrow(x + 12, y + 18) if is_active else "",
        pen.text(start, y + 24, f"player_{place}", 16),
        pen.text(x + 14, y + 45, f"{words.count(words.points(state, place), 'point')}, {cooked}", 13, pen.FADED),
    ]
    if state.to_move == OVER:
        parts.append(pen.tag(x + 122, y + 9, pen.ordinal(int(state.standing[place])), 40))
    if place == seat:
        parts.append(pen.text(start + 73, y + 24, "you", 14, pen.ACCENT))
    if state.spoon == place:
        parts.append(_spoon(x + 170, y + 6))
    return "".join(parts)


def _spoon(x: float, y: float) -> str:
    """A wooden spoon with its name."""
    shape = "M0 9C0 3 6 0 12 0C19 0 24 4 25 7L40 7C42 7 42 11 40 11L25 11C24 14 19 18 12 18C6 18 0 15 0 9Z"
    name = pen.text(x + 47, y + 18, "spoon", 13)
    return pen.path(shape, "#c08a4a", pen.INK, 1.2, f"translate({x:g} {y + 4:g})") + name


def _cooked(state: Any, place: int, x: float, y: float) -> str:
    """The sauces that a seat has cooked: bottles with points, hotness beside them."""
    parts = []
    cooked = [sauce for sauce in range(NUM_SAUCES) if state.sauces[place, sauce]]
    for index, sauce in enumerate(cooked):
        left = x + 39 * index
        parts.append(_bottle(sauce, left, y, 1.1))
        parts.append(pen.text(left + 28, y + 14, HOTNESS[sauce], 12, pen.FADED, "middle"))
        parts.append(pen.pepper(left + 22, y + 16, 12, _sauce_colour(sauce)))
    return "".join(parts)


def _combination(state: Any, place: int, x: float, y: float) -> str:
    """The cards that a seat has played, by value with their number, and what it has still to do."""
    value, numbers = int(state.combo_value[place]), int(state.combo_numbers[place])
    groups = [(value, numbers), (WILD, int(state.combo_wilds[place]))]
    parts = [pen.text(x, y + 100, words.status(state, place), 13, pen.FADED)]
    left = x
    for kind, number in groups:
        if number:
            parts.append(pen.card(left, y + 14, 42, 62, _colour(kind), number))
            parts.append(_face(kind, left, y + 14, 42, 62, number))
            left += 56
    return "".join(parts)


def _holding(noun: str, size: int, held: Any, x: float, y: float) -> str:
    """A hand or ingredient deck: the cards by value, or face down where they are hidden."""
    parts = [
        pen.text(x + 74, y + 16, noun, 12, pen.FADED, "end"),
        pen.text(x + 74, y + 34, int(size), 16, pen.INK, "end"),
    ]
    left = x + 84
    if size == 0 or held is None:
        covered = min(int(size), MOST_BACKS) - 1 if noun == "hand" else 0
        parts += [pen.card(left + BACK_PITCH * k, y, *SMALL, pen.ACCENT) for k in range(covered)]
        parts.append(pen.card_back(left + BACK_PITCH * max(covered, 0), y, *SMALL, min(int(size), 1)))
        return "".join(parts)
    for value in range(NUM_VALUES):
        if held[value]:
            parts.append(pen.card(left, y, *SMALL, _colour(value)))
            parts.append(_face(value, left, y, *SMALL, int(held[value])))
            left += SMALL_PITCH
    return "".join(parts)


# ------------------------------------------------------------------------------------------------------- cards


def _card(value: int, x: float, y: float, width: float, height: float) -> str:
    """A card of a slot: its value, which stays in sight when others lie over it, and a pepper."""
    return pen.card(x, y, width, height, _colour(value)) + _face(value, x, y, width, height, 1)


def _face(value: int, x: float, y: float, width: float, height: float, number: int) -> str:
    """A card's value and pepper; in place of the pepper the number of cards if there are more than one."""
    ink = pen.ink_on(_colour(value))
    size = 16 if width < 40 else 18
    parts = [pen.text(x + width / 2, y + size + 1, VALUE_NAMES[value], size, ink, "middle")]
    if number > 1:
        parts.append(pen.text(x + width / 2, y + height - 7, f"×{number}", 13 if width < 40 else 16, ink, "middle"))
    elif value == WILD:
        parts.append(_star(x + width / 2, y + (size + height) / 2, 0.3 * width))
    else:
        side = 0.62 * width
        left, top = x + (width - side) / 2, y + (size + height - side) / 2 + 1
        parts.append(pen.pepper(left, top, side, "#fff8e8", _shape(value)))
    return "".join(parts)


def _star(x: float, y: float, radius: float) -> str:
    star = "M0 -10L2.9 -4L9.5 -3.1L4.7 1.5L5.9 8.1L0 5L-5.9 8.1L-4.7 1.5L-9.5 -3.1L-2.9 -4Z"
    return pen.path(star, "#ffd75e", pen.INK, 0.8, f"translate({x:g} {y:g}) scale({radius / 10:g})")


def _colour(value: int) -> str:
    return WILD_COLOUR if value == WILD else pen.heat_colour(value / (NUM_NUMBERS - 1))


def _shape(value: int) -> int:
    """Plump peppers for low values, long ones for high."""
    return (pen.BELL, pen.ROUND, pen.BLUNT, pen.LANTERN, pen.LONG)[min(value // 3, 4)]


def _sauce_colour(sauce: int) -> str:
    return pen.heat_colour((int(HOTNESS[sauce]) - int(HOTNESS.min())) / int(HOTNESS.max() - HOTNESS.min()))
