"""The table of The Potion Contest as a picture."""

import functools
from typing import Any

from pepperenvs.core import svg as pen
from pepperenvs.games.potion_contest import text as words
from pepperenvs.games.potion_contest.actions import (
    LEFT,
    LINE_LENGTH,
    LINE_START,
    LINE_STRIDE,
    PAIRS,
    PUSHES,
    TRADES,
)
from pepperenvs.games.potion_contest.state import NOTHING, OVER
from pepperenvs.games.potion_contest.tables import (
    CODE_INGREDIENT,
    COLUMNS,
    COLUMNS_AT,
    FIRST_INGREDIENT,
    INGREDIENTS,
    NUM_CELLS,
    NUM_ORDERS,
    NUM_RECIPES,
    ORDER_NAMES,
    ROWS,
    TIEBREAK,
)

MIDDLE_Y, RECIPE_PITCH, TOKEN, TOKEN_PITCH = 122, 36, 31, 35  # recipes below one another, at the left
ORDERS_X, ORDER, ORDER_PITCH = 318, (74, 84), 82  # the main orders that lie face up
PILE_X, CONTENT_X, TIEBREAK_X = 578, 648, 702
LEGEND_Y, SEATS_Y, GAP = 244, 278, 8
CELL, CELL_ALONE = (0, 72, 64, 52), (0, 116, 112, 108)  # pitch of the cells by level, with several boards and with one
BOARD_X, BOARD_Y = 26, 50  # a board in its seat's panel
DIRECTION = {1: 90, -1: 270, COLUMNS: 180, -COLUMNS: 0}  # of an arrow, degrees from north, by the step between cells

RECIPE_FILLS = (
    "#f4cf3a",
    "#5aaee8",
    "#ee6a4c",
    "#ffffff",
)  # of the recipes and that of a tie-break; as light as differ
GROUND, TILE, STUB, PIPE = "#e6dcc6", "#fbf7ec", "#d9cdb4", "#4a3b2e"

cached = functools.lru_cache(maxsize=4096)  # for parts that look the same in many pictures


def svg(state: Any, seat: int | None = None) -> str:
    """The table as `seat` sees it, or with all choices and the pile open if `seat` is None."""
    is_over = state.to_move == OVER
    news = _result(state) if is_over else words.news(state)
    parts = [
        pen.heading("The Potion Contest", words.progress(state), news, is_over),
        *(_recipe(state, row) for row in range(NUM_RECIPES)),
        _orders(state),
        _pile(state, seat),
        _tiebreak(state),
        _legend(int(state.level)),
        *(_seat(state, place, seat) for place in range(state.num_seats)),
    ]
    rows = (int(state.num_seats) + 1) // 2
    return pen.document(SEATS_Y + rows * (_panel(state)[1] + GAP) + 6, parts, f"The Potion Contest: {news}")


def _result(state: Any) -> str:
    return pen.result(state) if state.num_seats > 1 else f"The end: {words.result_alone(state)}"


def _cell(state: Any) -> int:
    """From cell to cell of a board."""
    return (CELL_ALONE if state.num_seats == 1 else CELL)[state.level]


def _panel(state: Any) -> tuple[float, float]:
    """The extent of a seat's panel: two beside one another, or one that is alone."""
    width = pen.WIDTH - 2 * pen.MARGIN
    return (width if state.num_seats == 1 else (width - GAP) / 2), BOARD_Y + ROWS * _cell(state) + 32


# ------------------------------------------------------------------------------------------------ ingredients

# In a square of 100: fill, outline, lines above it; how far down the middle of the letter is, and how far right.
_PICTURES = (
    (
        "#d9aa55",
        "M12 50C4 62 18 92 36 96C82 98 102 52 88 3C82 28 62 40 40 41C26 41 16 44 12 50Z",
        "M64 35C74 46 78 62 76 80M78 24C86 34 90 44 91 52",
        40,
        67,
    ),
    (
        "#3b3d4a",
        "M50 30C47 20 41 20 38 29C28 13 13 9 1 17C11 31 11 48 7 68C16 58 25 60 31 71C37 63 44 67 50 86"
        "C56 67 63 63 69 71C75 60 84 58 93 68C89 48 89 31 99 17C87 9 72 13 62 29C59 20 53 20 50 30Z",
        "",
        50,
        49,
    ),
    ("#ffffff", "M1 50C20 13 80 13 99 50C80 87 20 87 1 50Z", "", 50, 50),
    ("#8a4fae", "M39 12H61V36C82 42 94 57 90 76C86 91 71 97 50 97C29 97 14 91 10 76C6 57 18 42 39 36Z", "", 50, 67),
    ("#cf4436", "M3 55C3 24 24 4 50 4C76 4 97 24 97 55C97 62 91 65 84 65H16C9 65 3 62 3 55Z", "", 50, 37),
    (
        "#9bd3c4",
        "M22 80C12 50 30 14 66 4C76 1 92 2 96 5C99 10 99 26 95 36L86 38L90 46C82 66 66 78 46 82L42 74L38 84"
        "C32 84 26 82 22 80Z",
        "M3 98L34 66",
        60,
        42,
    ),
)
_IRIS = "M50 20A30 30 0 1 1 49.9 20Z"
_CORK = "M36 2H64V13H36Z"
_STEM = "M35 65C38 76 35 86 29 96H71C65 86 62 76 65 65Z"
_UNDER = {INGREDIENTS.index("mushroom"): (_STEM, "#f6e7cd")}
_OVER = {INGREDIENTS.index("eye"): (_IRIS, "#2f6d4f"), INGREDIENTS.index("potion"): (_CORK, "#c79a63")}


@cached
def _token(kind: int, x: float, y: float, extent: float) -> str:
    """An ingredient in a square, with its letter: horn, wings, eye, bottle, mushroom or feather."""
    fill, outline, lines, right, down = _PICTURES[kind]
    where, stroke = f"translate({x:g} {y:g}) scale({extent / 100:g})", 5
    parts = [pen.path(_UNDER[kind][0], _UNDER[kind][1], pen.INK, stroke, where)] if kind in _UNDER else []
    parts.append(pen.path(outline, fill, pen.INK, stroke, where))
    if kind in _OVER:
        parts.append(pen.path(_OVER[kind][0], _OVER[kind][1], pen.INK, stroke, where))
    parts.append(pen.path(lines, "none", pen.INK, stroke, where) if lines else "")
    size = max(12, 0.42 * extent)
    ink = "#ffffff" if kind in _OVER else pen.ink_on(fill)
    base = y + extent * down / 100 + 0.36 * size
    return "".join(parts) + pen.text(x + extent * right / 100, base, words.LETTERS[kind], size, ink, "middle")


def _tokens(kinds: list[int], x: float, y: float) -> str:
    return "".join(_token(kind, x + TOKEN_PITCH * place, y, TOKEN) for place, kind in enumerate(kinds))


@cached
def _legend(level: int) -> str:
    """The names of the ingredients that are played with."""
    parts, x = [], pen.MARGIN
    for kind in range(int(FIRST_INGREDIENT[level]), len(INGREDIENTS)):
        name = words.name(kind)
        parts += [_token(kind, x, LEGEND_Y, 24), pen.text(x + 28, LEGEND_Y + 17, name, 13, pen.FADED)]
        x += 52 + round(7.4 * len(name))
    return "".join(parts)


# ---------------------------------------------------------------------------------------- middle of the table


def _title(x: float, content: str) -> str:
    return pen.text(x, MIDDLE_Y - 8, content, 14)


def _recipe(state: Any, row: int) -> str:
    """A recipe: its number, and its ingredients in order."""
    y = MIDDLE_Y + RECIPE_PITCH * row
    title = "" if row else _title(pen.MARGIN, "recipes")
    return title + _badge(row, pen.MARGIN + 12, y + 17, 11) + _tokens(words.recipe(state, row), pen.MARGIN + 30, y + 1)


@cached
def _badge(row: int, x: float, y: float, radius: float, is_filled: bool = True) -> str:
    """The number of a recipe in its colour, or T for that of a tie-break; its middle at (x, y)."""
    fill, line = (RECIPE_FILLS[row], pen.INK) if is_filled else ("none", pen.LINE)
    size = max(12, 1.3 * radius)
    ring = pen.rect(x - radius, y - radius, 2 * radius, 2 * radius, fill, line, radius, 1.4)
    ink = pen.INK if is_filled else pen.FADED
    return ring + pen.text(x, y + 0.36 * size, "T" if row == TIEBREAK else row + 1, size, ink, "middle")


def _orders(state: Any) -> str:
    """The main orders that lie face up; the current one is framed."""
    parts = [_title(ORDERS_X, "main orders")]
    for place, (order, name) in enumerate(zip(state.visible, ("this turn", "next", "then"), strict=True)):
        x, y = ORDERS_X + ORDER_PITCH * place, MIDDLE_Y + 1
        ground, line, stroke = (pen.HIGHLIGHT, pen.ACCENT, 4) if place == 0 else (pen.PANEL, pen.LINE, 1.5)
        parts += [
            pen.rect(x, y, *ORDER, ground, line, 9, stroke),
            _sign(int(order), x + 17, y + 9, 40),
            pen.text(x + ORDER[0] / 2, y + 71, ORDER_NAMES[order], 15, pen.INK, "middle"),
            pen.text(x + ORDER[0] / 2, y + 104, name, 13, pen.ACCENT if place == 0 else pen.FADED, "middle"),
        ]
    return "".join(parts)


_SIGNS = (  # push, trade, rotate: lines in a square of 100
    "M2 50H42M26 30L46 50L26 70M58 22H96V78H58Z",
    "M6 32H90M70 12L92 32L70 52M94 70H10M30 50L8 70L30 90",
    "M84 66A38 38 0 1 1 82 30M86 6V32H60",
)


@cached
def _sign(order: int, x: float, y: float, extent: float, ink: str = pen.INK) -> str:
    """The sign of an order: a block that is pushed, two opposite arrows, or one that turns."""
    return pen.path(_SIGNS[order], "none", ink, 11, f"translate({x:g} {y:g}) scale({extent / 100:g})")


def _pile(state: Any, seat: int | None) -> str:
    """The pile of main orders; with everything open in its order, with `recall` how many of each kind."""
    parts = [
        pen.card_back(PILE_X, MIDDLE_Y + 5, 56, 74, int(state.pile_len)),
        pen.text(PILE_X + 28, MIDDLE_Y + 105, f"pile {state.pile_len}", 13, pen.INK, "middle"),
    ]
    x, y = CONTENT_X, MIDDLE_Y + 2
    if seat is None:
        for place, order in enumerate(words.coming(state)):
            parts.append(_sign(order, x + 24 * (place % 2), y + 19 * (place // 2), 15))
    elif state.recall:
        for order, number in enumerate(words.counted(state)):
            parts.append(_sign(order, x, y + 6 + 27 * order, 18))
            parts.append(pen.text(x + 23, y + 20 + 27 * order, f"×{number}", 13))
    return "".join(parts)


def _tiebreak(state: Any) -> str:
    """The recipe of a tie-break, and who plays for it."""
    if not state.is_tiebreak:
        return ""
    who = ", ".join(str(place) for place in range(state.num_seats) if state.playing[place])
    x, y = TIEBREAK_X, MIDDLE_Y
    return "".join(
        [
            _title(x, "tie-break of players"),
            _badge(TIEBREAK, x + 11, y + 17, 11),
            pen.text(x + 28, y + 22, who, 14),
            _tokens(words.recipe(state, TIEBREAK), x, y + 37),
        ]
    )


# ------------------------------------------------------------------------------------------------------ boards


def _board(state: Any, place: int, x: float, y: float) -> str:
    """A board: tiles, what joins them, the last move, and the recipes that it spells."""
    cell, columns, board = _cell(state), int(COLUMNS_AT[state.level]), state.board[place].tobytes()
    mark = _mark(words.moved(int(state.last_choice[place])), int(state.level))
    tokens, side = [], 0.62 * cell
    for index in range(NUM_CELLS):
        if board[index]:
            left, top = _middle(index, cell, x, y)
            tokens.append(_disc(left, top, 0.36 * cell))
            tokens.append(_token(int(CODE_INGREDIENT[board[index]]), left - side / 2, top - side / 2, side))
    traced = {row: path for row in words.rows(state, place) if (path := words.trace(state, place, row))}
    return "".join(
        [
            pen.rect(x - 5, y - 5, columns * cell + 10, ROWS * cell + 10, GROUND, "none", 8),
            _names(columns, cell, x, y),
            *(_tile(words.stubs(board, index), index, cell, x, y) for index in range(NUM_CELLS) if board[index]),
            _frame(mark[0], mark[1], cell, x, y) if mark else "",
            _pipes(board, cell, x, y),
            *(_wire(path, row, lane, len(traced), cell, x, y) for lane, (row, path) in enumerate(traced.items())),
            *tokens,
            _arrows(*mark, cell, x, y) if mark else "",
            *_badges(traced, cell, x, y),
        ]
    )


def _middle(index: int, cell: float, x: float, y: float) -> tuple[float, float]:
    """The middle of a cell of a board whose upper left corner is (x, y)."""
    return x + (index % COLUMNS + 0.5) * cell, y + (index // COLUMNS + 0.5) * cell


def _disc(x: float, y: float, radius: float) -> str:
    return pen.rect(x - radius, y - radius, 2 * radius, 2 * radius, "#ffffff", pen.LINE, radius, 1.2)


@cached
def _names(columns: int, cell: float, x: float, y: float) -> str:
    """The letters of the columns and the numbers of the rows."""
    across = [pen.text(x + (k + 0.5) * cell, y - 9, "abcdef"[k], 13, pen.FADED, "middle") for k in range(columns)]
    down = [pen.text(x - 14, y + (k + 0.5) * cell + 4.5, k + 1, 13, pen.FADED, "middle") for k in range(ROWS)]
    return "".join(across + down)


@cached
def _tile(stubs: tuple[int, ...], index: int, cell: float, x: float, y: float) -> str:
    """A tile without its ingredient; connectors that lead nowhere, given by direction, are pale and end at its edge."""
    left, top = _middle(index, cell, x, y)
    half, wide = 0.445 * cell, 0.105 * cell
    parts = [pen.rect(left - half, top - half, 2 * half, 2 * half, TILE, pen.LINE, 0.12 * cell, 1.2)]
    for way in stubs:
        x1, x2 = {words.EAST: (0, half), words.WEST: (-half, 0)}.get(way, (-wide, wide))
        y1, y2 = {words.SOUTH: (0, half), words.NORTH: (-half, 0)}.get(way, (-wide, wide))
        parts.append(pen.rect(left + x1, top + y1, x2 - x1, y2 - y1, STUB, "#a8977b", 0, 1.2))
    return "".join(parts)


@cached
def _pipes(board: bytes, cell: float, x: float, y: float) -> str:
    """What joins connected tiles: dark, from the one to the other."""
    lines = [_line([_middle(index, cell, x, y) for index in pair]) for pair in words.links(board)]
    return pen.path("".join(lines), "none", PIPE, 0.23 * cell) if lines else ""


def _line(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{left:g} {top:g}" for left, top in points)


@cached
def _wire(path: tuple[int, ...], row: int, lane: int, lanes: int, cell: float, x: float, y: float) -> str:
    """The way of a recipe through the pipes, in one of several lanes."""
    pitch = 0.19 * cell / lanes
    shift = pitch * (lane - (lanes - 1) / 2)
    points = [_middle(index, cell, x + shift, y + shift) for index in path]
    return pen.path(_line(points), "none", RECIPE_FILLS[row], 0.11 * cell if lanes == 1 else 0.75 * pitch)


def _badges(traced: dict[int, tuple[int, ...]], cell: float, x: float, y: float) -> list[str]:
    """The numbers of the traced recipes at their first cells, each recipe's in a corner of its own."""
    corners, parts = ((-1, -1), (1, -1), (1, 1), (-1, 1)), []
    for row, path in traced.items():
        left, top = _middle(path[0], cell, x, y)
        right, down = (0.36 * cell * way for way in corners[row])
        parts.append(_badge(row, left + right, top + down, max(7.5, 0.12 * cell)))
    return parts


def _mark(action: int, level: int) -> tuple[int, int, tuple[int, int]] | None:
    """What to mark of a move: first and last of its cells, and where to the two sides beside them go, in cells.

    The upper side of a tile that is turned to the left goes to the left, its lower side to the right.
    """
    if action == NOTHING:
        return None
    if action < TRADES:
        step = -1 if action % 2 == LEFT else 1
        return action // 2, action // 2, (step, -step)
    if action < PUSHES:
        one, other = (int(cell) for cell in PAIRS[action - TRADES])
        return one, other, (other - one, one - other)
    line, way = divmod(action - PUSHES, 2)
    first, stride = int(LINE_START[line]), int(LINE_STRIDE[line])
    step = -stride if way == LEFT else stride
    return first, first + stride * (int(LINE_LENGTH[level, line]) - 1), (step, step)


@cached
def _frame(first: int, last: int, cell: float, x: float, y: float) -> str:
    """A frame around the cells of the last move."""
    (left, top), (right, bottom) = (_middle(index, cell, x, y) for index in (first, last))
    half = 0.49 * cell
    extent = (right - left + 2 * half, bottom - top + 2 * half)
    return pen.rect(left - half, top - half, *extent, "none", pen.ACCENT, 0.14 * cell, 0.06 * cell)


@cached
def _arrows(first: int, last: int, steps: tuple[int, int], cell: float, x: float, y: float) -> str:
    """Arrows on the two long sides of that frame, near the end that they point to."""
    (left, top), (right, bottom) = (_middle(index, cell, x, y) for index in (first, last))
    parts, half = [], 0.49 * cell
    for step, side in zip(steps, (-half, half), strict=True):
        forwards, along = step > 0, 0.24 * cell
        if abs(step) == 1:
            spot = (right + along if forwards else left - along, top + side)
        else:
            spot = (left + side, bottom + along if forwards else top - along)
        where = f"translate({spot[0]:g} {spot[1]:g}) rotate({DIRECTION[step]}) scale({cell / 100:g})"
        parts.append(pen.path("M0 -12L12 9H-12Z", pen.ACCENT, "#ffffff", 4, where))
    return "".join(parts)


# ------------------------------------------------------------------------------------------------------- seats


def _seat(state: Any, place: int, seat: int | None) -> str:
    """A seat: its name, its board, beside that what it has done and what it has left, below that what it did."""
    width, height = _panel(state)
    x, y = pen.MARGIN + place % 2 * (width + GAP), SEATS_Y + place // 2 * (height + GAP)
    cell = _cell(state)
    beside = x + BOARD_X + int(COLUMNS_AT[state.level]) * cell + 13
    base = y + height - 9
    last, chosen = words.last(state, place), words.chosen(state, place, seat)
    return "".join(
        [
            pen.panel(x, y, width, height, place == state.to_move),
            _name(state, place, seat, x, y, width),
            _board(state, place, x + BOARD_X, y + BOARD_Y),
            *(_tick(state, place, row, beside + 11, y + BOARD_Y + 11 + 23 * row) for row in words.rows(state, place)),
            _own(state, place, beside, y + BOARD_Y + 3 * cell) if state.level > 1 else "",
            pen.text(x + BOARD_X - 5, base, f"last: {last}" if last else "", 13, pen.FADED),
            pen.text(x + width - 10, base, f"chose {chosen}" if chosen else "", 13, pen.ACCENT, "end"),
        ]
    )


def _name(state: Any, place: int, seat: int | None, x: float, y: float, width: float) -> str:
    """The head of a panel: name, recipes completed, place at the end; whether the seat has chosen, or is out."""
    is_active = place == state.to_move
    start, status = x + (29 if is_active else 11), words.status(state, place)
    done = f"{state.score[place]} of {words.count(NUM_RECIPES, 'recipe')}"
    parts = [
        pen.arrow(x + 11, y + 19) if is_active else "",
        pen.text(start, y + 24, f"player_{place}", 16),
        pen.text(start + 74, y + 24, "you" if place == seat else "", 14, pen.ACCENT),
        pen.text(x + 140, y + 24, done, 13, pen.FADED),
        pen.text(x + width - 12, y + 24, status, 13, pen.ACCENT, "end"),
    ]
    if state.to_move == OVER and state.num_seats > 1:
        parts.append(pen.tag(x + 238, y + 9, pen.ordinal(int(state.standing[place])), 44))
    return "".join(parts)


@cached
def _check(x: float, y: float) -> str:
    return pen.path("M0 7L6 14L17 0", "none", pen.STEM, 4, f"translate({x:g} {y:g})")


def _tick(state: Any, place: int, row: int, x: float, y: float) -> str:
    """A recipe's number, ticked once the seat has completed it."""
    is_done = bool(state.done[place, row])
    return _badge(row, x, y, 10, is_done) + (_check(x + 17, y - 7) if is_done else "")


def _own(state: Any, place: int, x: float, end: float) -> str:
    """The personal orders of a seat, those it has used crossed out; how many it may still use, how many count."""
    y, parts = end - 62, []
    for order in range(NUM_ORDERS):
        left = x + 21 * order
        is_unused = bool(state.own[place, order])
        parts.append(pen.rect(left, y, 19, 19, pen.PANEL if is_unused else "none", pen.LINE, 4, 1.2))
        parts.append(_sign(order, left + 2.5, y + 2.5, 14, pen.INK if is_unused else "#a39780"))
        if not is_unused:
            parts.append(pen.path(f"M{left:g} {y + 19:g}l19 -19", "none", pen.FADED, 2))
    parts.append(pen.text(x, y + 38, f"{state.orders_left[place]} left", 12.5))
    parts.append(pen.text(x, y + 55, f"{state.spent[place]} spent", 12.5, pen.FADED))
    return "".join(parts)
