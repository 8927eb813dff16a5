"""The table of Peppers of the Caribbean as a picture."""

import functools
from typing import Any

from pepperenvs.core import svg as pen
from pepperenvs.games.peppers_of_the_caribbean import text as words
from pepperenvs.games.peppers_of_the_caribbean.state import NO_CARD, NUM_SUPPLY, OVER
from pepperenvs.games.peppers_of_the_caribbean.tables import (
    BONUS_BITS,
    BONUS_NAMES,
    BONUS_NUMBER,
    BONUS_POINTS,
    COLOUR_BITS,
    COLOURS,
    DISHES,
    IS_DURING,
    NAMINGS,
    NUM_OPEN,
    NUM_PIRATES,
    NUM_TYPES,
    VALUES,
)

SUPPLY_Y, CARD, CARD_PITCH = 122, (74, 100), 81  # upper edge of the large cards, their extent, and how far apart
PILE_X, SET_X, SET = 514, 640, (236, 100)  # left edges of the pile and the set that is being played, its extent
MIDDLE_Y, BONUS, BONUS_PITCH, PER_ROW = 262, (104, 96), (108, 101), 4  # the bonus cards, in two rows
BOX_PITCH = 17  # boxes that say how far each seat is
DISCARDS_X, CELL, ROW_PITCH = 466, 97, 33  # the discards: rows of a colour, cells of a colour and dish
CHIP_PITCH, RUM_PITCH = 15.3, 64.7  # values in a cell, and rum below the rows
SEATS_Y, SEAT_HEIGHT, SEAT_PITCH = 486, 122, 129
HOLDING_X, FRONT_X, HOLDING_WIDTH = 176, 532, 340  # hand and cards in front, side by side
SMALL, SMALL_PITCH, NARROW = (40, 54), 43, 31  # their cards, and the width below which a face is laid out otherwise
AWARD, AWARD_PITCH = (80, 24), 84  # bonus cards that a seat has been given

# Each colour has a sign as well, and none is as light or dark as the two that could be mistaken for it.
FILLS = dict(zip(COLOURS, ("#c4302b", "#5fb878", "#1f4e96", "#f7d33e"), strict=True))
SIGNS = dict(
    zip(
        COLOURS,
        (
            "M50 4A46 46 0 1 1 49.9 4Z",
            "M50 4L98 92H2Z",
            "M8 8H92V92H8Z",
            "M50 2L67 31L99 38L78 63L81 96L50 83L19 96L22 63L1 38L33 31Z",
        ),
        strict=True,
    )
)
LETTER_AT = dict(zip(COLOURS, (0.68, 0.82, 0.68, 0.73), strict=True))  # base of a sign's letter, parts of its extent
CREAM, GOLD, GLASS = "#fff6df", "#f3c63f", "#f4ead2"

cached = functools.lru_cache(maxsize=4096)  # for parts that look the same in many pictures


def svg(state: Any, seat: int | None = None) -> str:
    """The table as `seat` sees it, or with all hands open if `seat` is None."""
    is_over = state.to_move == OVER
    news = pen.result(state) if is_over else words.news(state)
    parts = [
        pen.heading("Peppers of the Caribbean", words.progress(state), news, is_over),
        _supply(state),
        _set(state),
        _bonuses(state),
        _discards(state),
        *(_seat(state, place, seat) for place in range(state.num_seats)),
    ]
    height = SEATS_Y + int(state.num_seats) * SEAT_PITCH + 6
    return pen.document(height, parts, f"Peppers of the Caribbean: {news}")


# ------------------------------------------------------------------------------------------------------- signs

# In a square of 100: the colour of the dish, its outline, and lines above it.
_PICTURES = {
    "stew": (
        "#eec08f",
        "M10 50H90C90 74 76 92 50 92C24 92 10 74 10 50Z",
        "M4 50H96M32 38C24 30 40 24 32 12M50 38C42 30 58 24 50 12M68 38C60 30 76 24 68 12",
    ),
    "fish": (
        "#d3e9f2",
        "M4 52C20 22 54 20 72 44L96 26V78L72 60C54 84 20 82 4 52Z",
        "M24 46h.5M44 36C51 46 51 58 44 68",
    ),
    "bread": (
        "#f6dda6",
        "M18 48C4 38 12 14 34 16H66C88 14 96 38 82 48V90H18Z",
        "M34 48L46 34M50 58L64 42M36 74L48 60",
    ),
    "ham": (
        "#f6c2b4",
        "M58 60L76 80C71 90 82 98 88 90C98 91 99 79 90 77L70 50Z"
        "M12 44C12 16 50 4 70 28C86 48 74 70 56 72C34 76 12 66 12 44Z",
        "M24 44C24 32 36 24 48 26",
    ),
}


@cached
def _dish(dish: str, x: float, y: float, extent: float) -> str:
    """A dish in a square: a steaming bowl, a fish, a loaf, or a ham on the bone."""
    fill, outline, lines = _PICTURES[dish]
    where = f"translate({x:g} {y:g}) scale({extent / 100:g})"
    stroke = 4 if extent > 30 else 6
    return pen.path(outline, fill, pen.INK, stroke, where) + pen.path(lines, "none", pen.INK, stroke, where)


@cached
def _sign(colour: str, x: float, y: float, extent: float, fill: str = "") -> str:
    """The sign of a colour in a square: disc, triangle, square or star; with the colour's letter if it is large."""
    fill = fill or FILLS[colour]
    where = f"translate({x:g} {y:g}) scale({extent / 100:g})"
    shape = pen.path(SIGNS[colour], fill, pen.INK, 120 / extent, where)
    if extent < 18:
        return shape
    size, base = max(12, extent * 0.5), y + extent * LETTER_AT[colour]
    return shape + pen.text(x + extent / 2, base, colour[0].upper(), size, pen.ink_on(fill), "middle")


@cached
def _bottle(left: str, right: str, x: float, y: float, extent: float) -> str:
    """A bottle of rum in a square, its left and right half of these colours."""
    where = f"translate({x:g} {y:g}) scale({extent / 100:g})"
    halves = (
        "M50 14H40V32C40 42 24 44 24 60V92C24 96 27 99 31 99H50Z",
        "M50 14H60V32C60 42 76 44 76 60V92C76 96 73 99 69 99H50Z",
    )
    stroke = 4 if extent > 30 else 6
    return "".join(
        [
            *(pen.path(half, fill, pen.INK, stroke, where) for half, fill in zip(halves, (left, right), strict=True)),
            pen.path("M41 2H59V14H41Z", pen.STEM, pen.INK, stroke, where),
        ]
    )


# ------------------------------------------------------------------------------------------------------- cards


@cached
def _card(kind: int, x: float, y: float, width: float, height: float) -> str:
    """A card's face: its value, the signs of what colours it has, and its dish or a bottle."""
    face = _narrow if width < NARROW else _wide
    if words.is_rum(kind):
        ground, ink = GLASS, pen.INK
        signs = [(naming[kind], FILLS[naming[kind]]) for naming in NAMINGS]
    else:
        ground = FILLS[NAMINGS[1][kind]]
        ink, signs = pen.ink_on(ground), [(NAMINGS[1][kind], CREAM)]
    return pen.card(x, y, width, height, ground) + face(kind, signs, ink, x, y, width, height)


def _wide(kind: int, signs: list[tuple[str, str]], ink: str, x: float, y: float, width: float, height: float) -> str:
    """Value at the upper left, sign at the upper right, dish below; a rum's bottle has its signs beside it."""
    size, sign = 0.3 * height, 0.34 * width
    parts = [pen.text(x + 0.28 * width, y + size + 1, int(VALUES[kind]), size, ink, "middle")]
    if words.is_rum(kind):
        side = 0.58 * height
        parts.append(_content(kind, x + 0.3 * width - side / 2, y + 0.39 * height, side))
        places = [(0.6, 0.4), (0.6, 0.68)]
    else:
        side = min(0.68 * width, 0.52 * height)
        parts.append(_content(kind, x + (width - side) / 2, y + 0.92 * height - side, side))
        places = [(0.58, 0.08)]
    parts += [
        _sign(name, x + across * width, y + down * height, sign, fill)
        for (name, fill), (across, down) in zip(signs, places, strict=True)
    ]
    return "".join(parts)


def _narrow(kind: int, signs: list[tuple[str, str]], ink: str, x: float, y: float, width: float, height: float) -> str:
    """Value, signs and dish or bottle beneath one another."""
    middle, size = x + width / 2, max(12, min(0.3 * height, 0.7 * width))
    sign = min(0.8 * width, 0.2 * height) if len(signs) == 1 else 0.42 * width
    side = min(0.86 * width, 0.42 * height)
    left = middle - sign * len(signs) / 2
    return "".join(
        [
            pen.text(middle, y + size * 0.9 + 1, int(VALUES[kind]), size, ink, "middle"),
            *(_sign(name, left + sign * k, y + 0.34 * height, sign, fill) for k, (name, fill) in enumerate(signs)),
            _content(kind, middle - side / 2, y + 0.96 * height - side, side),
        ]
    )


def _content(kind: int, x: float, y: float, extent: float) -> str:
    """The dish of a pirate, or a bottle in the colours of the rum."""
    if words.is_rum(kind):
        return _bottle(FILLS[NAMINGS[0][kind]], FILLS[NAMINGS[1][kind]], x, y, extent)
    return _dish(NAMINGS[0][kind], x, y, extent)


def _row(kinds: list[int], x: float, y: float) -> tuple[str, list[tuple[float, float]]]:
    """Small cards beside one another, NO_CARD face down, all narrower if they are many; and each one's x and width."""
    pitch = min(SMALL_PITCH, HOLDING_WIDTH / max(len(kinds), 1))
    width, height = round(pitch - 3, 2), SMALL[1]
    spots = [(round(x + pitch * index, 2), width) for index in range(len(kinds))]
    parts = [
        pen.card_back(left, y, width, height) if kind == NO_CARD else _card(kind, left, y, width, height)
        for kind, (left, _) in zip(kinds, spots, strict=True)
    ]
    return "".join(parts), spots


# ---------------------------------------------------------------------------------------- middle of the table


def _title(x: float, content: str, y: float = MIDDLE_Y, end: float = 0, note: str = "") -> str:
    return pen.text(x, y - 8, content, 14) + pen.text(end, y - 8, note, 13, pen.FADED, "end")


def _supply(state: Any) -> str:
    """The cards that lie open, and the pile."""
    shown, y = words.supply(state), SUPPLY_Y
    parts = [_title(pen.MARGIN, "supply", y)]
    for index in range(NUM_SUPPLY):
        x = pen.MARGIN + CARD_PITCH * index
        is_there = index < len(shown)
        parts.append(_card(shown[index], x, y, *CARD) if is_there else pen.card_back(x, y, *CARD, 0))
    parts.append(_title(PILE_X, f"pile {state.pile_len}", y))
    parts.append(pen.card_back(PILE_X, y, *CARD, int(state.pile_len)))
    return "".join(parts)


def _set(state: Any) -> str:
    """The set that is being played: the cards kept, then the one thrown; the last one is marked."""
    laid = [("kept", kind) for kind in words.kept(state)] + [("thrown", kind) for kind in words.thrown(state)]
    parts = (
        []
        if laid
        else [
            pen.rect(SET_X, SUPPLY_Y, *SET, pen.PALE, radius=9),
            pen.text(SET_X + SET[0] / 2, SUPPLY_Y + SET[1] / 2 + 5, "no set is being played", 13, pen.FADED, "middle"),
        ]
    )
    last = words.last_laid(state)
    for index, (name, kind) in enumerate(laid):
        x = SET_X + CARD_PITCH * index
        parts += [_title(x, name, SUPPLY_Y), _card(kind, x, SUPPLY_Y, *CARD)]
        if kind == last:
            parts.append(pen.rect(x - 3.5, SUPPLY_Y - 3.5, CARD[0] + 7, CARD[1] + 7, "none", pen.ACCENT, 11, 3))
    return "".join(parts)


def _bonuses(state: Any) -> str:
    """The bonus cards that lie open, in the order of their numbers."""
    shown = words.open_bonuses(state)
    end = pen.MARGIN + BONUS_PITCH[0] * (PER_ROW - 1) + BONUS[0]
    parts = [_title(pen.MARGIN, "bonus cards", end=end, note="boxes: what each seat has, in order")]
    for index in range(NUM_OPEN):
        x = pen.MARGIN + BONUS_PITCH[0] * (index % PER_ROW)
        y = MIDDLE_Y + BONUS_PITCH[1] * (index // PER_ROW)
        is_there = index < len(shown)
        parts.append(_bonus(state, shown[index], x, y) if is_there else pen.card_back(x, y, *BONUS, 0))
    return "".join(parts)


def _bonus(state: Any, bonus: int, x: float, y: float) -> str:
    """A bonus card with how far each seat is; who fulfils it, or has most, is marked."""
    found = words.tallies(state, bonus)
    wanted = int(BONUS_NUMBER[bonus]) if IS_DURING[bonus] else max(1, *found)
    left = x + BONUS[0] - 4 - BOX_PITCH * len(found)
    boxes = [_box(number, number >= wanted, left + BOX_PITCH * k, y + 73) for k, number in enumerate(found)]
    return _bonus_face(bonus, x, y) + "".join(boxes)


@cached
def _bonus_face(bonus: int, x: float, y: float) -> str:
    """A bonus card: points, how it is earned, what it counts, and its name."""
    return "".join(
        [
            pen.rect(x, y, *BONUS, pen.PANEL, pen.LINE, 8, 1.5),
            _points(bonus, x + 18, y + 19, 12.5),
            pen.text(x + 37, y + 24, words.aim(bonus), 14),
            _pictures(bonus, x + BONUS[0] / 2, y + 37, 24),
            pen.text(x + 7, y + 87, BONUS_NAMES[bonus], 12, pen.FADED),
        ]
    )


@cached
def _box(number: int, is_reached: bool, x: float, y: float) -> str:
    width, fill = BOX_PITCH - 2, pen.ACCENT if is_reached else pen.PALE
    ground = pen.rect(x, y, width, 18, fill, radius=3)
    return ground + pen.text(x + width / 2, y + 13.5, number, 12, pen.ink_on(fill), "middle")


def _points(bonus: int, x: float, y: float, radius: float) -> str:
    """The points of a bonus card on a coin whose middle is (x, y)."""
    coin = pen.rect(x - radius, y - radius, 2 * radius, 2 * radius, GOLD, pen.INK, radius)
    size = 1.2 * radius
    return coin + pen.text(x, y + 0.36 * size, int(BONUS_POINTS[bonus]), size, pen.INK, "middle")


def _pictures(bonus: int, x: float, y: float, extent: float) -> str:
    """What a bonus card counts, in pictures around x: signs, dishes, bottles, or any cards; as many as it wants."""
    if BONUS_BITS[bonus]:
        names = list(COLOURS if BONUS_BITS[bonus] == COLOUR_BITS else DISHES)
    else:
        names = words.counted_words(bonus)
        names = (["card"] if len(names) > len(COLOURS) else names) + (["rum"] if words.counts_rum(bonus) else [])
    if len(names) == 1:
        names *= int(min(max(BONUS_NUMBER[bonus], 1), len(COLOURS)))
    left = x - extent * len(names) / 2
    return "".join(_picture(name, left + extent * k + 1, y + 1, extent - 2) for k, name in enumerate(names))


def _picture(name: str, x: float, y: float, extent: float) -> str:
    if name in COLOURS:
        return _sign(name, x, y, extent)
    if name in DISHES:
        return _dish(name, x, y, extent)
    if name == "rum":
        return _bottle(GLASS, GLASS, x, y, extent)
    return pen.card(x + 0.16 * extent, y, 0.68 * extent, extent, CREAM)


def _discards(state: Any) -> str:
    """The discards: a row for each colour, a column for each dish, in them the values; below them the rum."""
    x, y = DISCARDS_X, MIDDLE_Y
    discards = state.discards
    parts = [_title(x, f"discards {int(discards.sum())}")]
    parts += [_dish(dish, x + 24 + CELL * (place + 0.5) - 11, y, 22) for place, dish in enumerate(DISHES)]
    for row, colour in enumerate(COLOURS):
        top = y + 26 + ROW_PITCH * row
        parts.append(_sign(colour, x, top + 5, 20))
        for column, dish in enumerate(DISHES):
            left = x + 26 + CELL * column
            parts.append(_cell(tuple(words.values(discards, colour, dish)), FILLS[colour], left, top))
    for place, kind in enumerate(range(NUM_PIRATES, NUM_TYPES)):
        parts.append(_discarded_rum(kind, int(discards[kind]), x + 26 + RUM_PITCH * place, y + 160))
    return "".join(parts)


@cached
def _cell(values: tuple[int, ...], fill: str, x: float, y: float) -> str:
    """The discards of a colour and dish: a small card for each value."""
    width = CHIP_PITCH - 1.5
    parts = [pen.rect(x, y, CELL - 3, 30, pen.PALE, radius=4)]
    for place, value in enumerate(values):
        left = x + 1.5 + CHIP_PITCH * place
        parts.append(pen.rect(left, y + 4, width, 22, fill, pen.INK, 3))
        parts.append(pen.text(left + width / 2, y + 20, value, 13.5, pen.ink_on(fill), "middle"))
    return "".join(parts)


@cached
def _discarded_rum(kind: int, number: int, x: float, y: float) -> str:
    """The place of a rum among the discards, the bottle in it if it lies there."""
    ground = pen.rect(x, y, RUM_PITCH - 3, 36, pen.PALE, radius=4)
    if number == 0:
        return ground
    names = [naming[kind] for naming in NAMINGS]
    signs = [_sign(name, x + 29 + 16 * place, y + 11, 14) for place, name in enumerate(names)]
    return ground + _bottle(FILLS[names[0]], FILLS[names[1]], x + 1, y + 3, 30) + "".join(signs)


# ------------------------------------------------------------------------------------------------------- seats


def _seat(state: Any, place: int, seat: int | None) -> str:
    """A seat: name and points at the left, its hand and its cards in front, below them its bonus cards."""
    x, y = pen.MARGIN, SEATS_Y + place * SEAT_PITCH
    return "".join(
        [
            pen.panel(x, y, pen.WIDTH - 2 * pen.MARGIN, SEAT_HEIGHT, place == state.to_move),
            _name(state, place, seat, x, y),
            _hand(state, place, seat, HOLDING_X, y),
            _front(state, place, FRONT_X, y),
            *(_award(bonus, index, y + 90) for index, bonus in enumerate(words.bonus_cards(state, place))),
        ]
    )


def _name(state: Any, place: int, seat: int | None, x: float, y: float) -> str:
    is_active = place == state.to_move
    start = x + (32 if is_active else 14)
    parts = [
        pen.arrow(x + 12, y + 22) if is_active else "",
        pen.text(start, y + 28, f"player_{place}", 16),
        pen.text(start + 74, y + 28, "you" if place == seat else "", 14, pen.ACCENT),
        pen.text(x + 14, y + 54, words.count(int(state.score[place]), "point"), 16),
        pen.text(x + 14, y + 77, words.status(state, place), 13, pen.ACCENT),
        pen.text(x + 14, y + 106, "began" if place == state.starter else "", 13, pen.FADED),
    ]
    if state.to_move == OVER:
        parts.append(pen.tag(x + 106, y + 39, pen.ordinal(int(state.standing[place])), 40))
    return "".join(parts)


def _hand(state: Any, place: int, seat: int | None, x: float, y: float) -> str:
    """A hand: the cards that are shown, the others face down; with `recall` an eye below those that all know of."""
    shown, hidden = words.hand(state, place, seat)
    cards, spots = _row(shown + [NO_CARD] * hidden, x, y + 25)
    known, parts = words.known(state, place), [pen.text(x, y + 19, f"hand {state.hand_size[place]}", 13), cards]
    for kind, (left, width) in zip(shown, spots, strict=False):
        if kind in known:
            known.remove(kind)
            parts.append(_eye(left + width / 2, y + 84.5))
    return "".join(parts)


def _eye(x: float, y: float) -> str:
    where = f"translate({x:g} {y:g})"
    lids = pen.path("M-7 0C-4 -5 4 -5 7 0C4 5 -4 5 -7 0Z", "#ffffff", pen.INK, 1.2, where)
    return lids + pen.path("M0 0h.01", "none", pen.INK, 4, where)


def _front(state: Any, place: int, x: float, y: float) -> str:
    """The cards in front of a seat; those of the set that is being played are underlined."""
    front = words.each(state.front[place])
    cards, spots = _row(front, x, y + 25)
    parts = [pen.text(x, y + 19, f"in front {len(front)}", 13), cards]
    if place == state.to_move:
        for kind in words.kept(state):
            left, width = spots[front.index(kind)]
            parts.append(pen.rect(left, y + 83, width, 4, pen.ACCENT, radius=2))
    return "".join(parts)


@cached
def _award(bonus: int, index: int, y: float) -> str:
    """A bonus card that a seat has been given: its points, and what it counts."""
    x = HOLDING_X + AWARD_PITCH * index
    face = pen.rect(x, y, *AWARD, CREAM, pen.LINE, 6, 1.5)
    return face + _points(bonus, x + 13, y + 12, 10) + _pictures(bonus, x + 52, y + 5, 14)
