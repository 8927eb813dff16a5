"""The field's paths as tables, computed from its 10 × 7 plots.

A plot is row * COLUMNS + column, row 0 in the north. A notch is one side of a plot, where a farmer stands: first the
vertical ones, row by row, then the horizontal ones, line by line. Notches meet at corners. A step is a code 0 … 11:
the corner that it leaves a notch through, then the direction that it travels from there.
"""

import numpy as np

COLUMNS, ROWS = 10, 7
NUM_PLOTS = COLUMNS * ROWS
NUM_VERTICAL = (COLUMNS + 1) * ROWS
NUM_NOTCHES = NUM_VERTICAL + COLUMNS * (ROWS + 1)
NUM_CORNERS = (COLUMNS + 1) * (ROWS + 1)

NORTH, SOUTH, EAST, WEST = range(4)
COMPASS = "nsew"
OPPOSITE = np.array([SOUTH, NORTH, WEST, EAST], np.int64)  # [directions]

STEP_NAMES = ("nn", "ne", "nw", "ss", "se", "sw", "ee", "en", "es", "ww", "wn", "ws")
NUM_STEPS = len(STEP_NAMES)
EXITS = 3  # steps through one corner; those through corner c are 3c … 3c + 2
STEP_TRAVEL = np.array([COMPASS.index(name[1]) for name in STEP_NAMES], np.int64)  # direction of travel, [steps]
NOWHERE = -1


def vertical(x: int, row: int) -> int:
    """The notch on the vertical line x (0 … COLUMNS) beside a row."""
    return row * (COLUMNS + 1) + x


def horizontal(y: int, column: int) -> int:
    """The notch on the horizontal line y (0 … ROWS) beside a column."""
    return NUM_VERTICAL + y * COLUMNS + column


def plot(column: int, row: int) -> int:
    return row * COLUMNS + column


def plot_name(index: int) -> str:
    """As in "e4"."""
    return f"{'abcdefghij'[index % COLUMNS]}{index // COLUMNS + 1}"


def notch_name(notch: int) -> str:
    """As in "v5-4" or "h3-c"."""
    x, y, is_vertical = notch_place(notch)
    return f"v{x}-{y + 1}" if is_vertical else f"h{y}-{'abcdefghij'[x]}"


def notch_place(notch: int) -> tuple[int, int, bool]:
    """Line and row of a vertical notch, or column and line of a horizontal one, and whether it is vertical."""
    if notch < NUM_VERTICAL:
        return notch % (COLUMNS + 1), notch // (COLUMNS + 1), True
    return (notch - NUM_VERTICAL) % COLUMNS, (notch - NUM_VERTICAL) // COLUMNS, False


def _corner(notch: int, through: int) -> tuple[int, int] | None:
    """The corner (x, y) of a notch in a direction; None if it has none there."""
    x, y, is_vertical = notch_place(notch)
    ends = {NORTH: (x, y), SOUTH: (x, y + 1)} if is_vertical else {WEST: (x, y), EAST: (x + 1, y)}
    return ends.get(through)


def _from_corner(corner: tuple[int, int], travel: int) -> int:
    """The notch that leads away from a corner in a direction, or NOWHERE at the rim."""
    x, y = corner
    if travel == NORTH:
        return vertical(x, y - 1) if y > 0 else NOWHERE
    if travel == SOUTH:
        return vertical(x, y) if y < ROWS else NOWHERE
    if travel == EAST:
        return horizontal(y, x) if x < COLUMNS else NOWHERE
    return horizontal(y, x - 1) if x > 0 else NOWHERE


def _leads_to(notch: int, step: int) -> int:
    corner = _corner(notch, step // EXITS)
    return NOWHERE if corner is None else _from_corner(corner, int(STEP_TRAVEL[step]))


def _beside(notch: int) -> list[int]:
    """The two plots between which a notch lies; NOWHERE for one that is not there."""
    x, y, is_vertical = notch_place(notch)
    if is_vertical:
        return [plot(x - 1, y) if x > 0 else NOWHERE, plot(x, y) if x < COLUMNS else NOWHERE]
    return [plot(x, y - 1) if y > 0 else NOWHERE, plot(x, y) if y < ROWS else NOWHERE]


def _other_side(notch: int, index: int) -> int:
    """The plot on the other side of a notch."""
    first, second = _beside(notch)
    return second if first == index else first


def _halves(notch: int) -> tuple[int, int]:
    x, y, is_vertical = notch_place(notch)
    return (2 * x, 2 * y + 1) if is_vertical else (2 * x + 1, 2 * y)


# The notch that a step leads to from each notch, NOWHERE if there is none; [notches, steps].
LEADS_TO = np.array([[_leads_to(notch, step) for step in range(NUM_STEPS)] for notch in range(NUM_NOTCHES)], np.int16)
BESIDE = np.array([_beside(notch) for notch in range(NUM_NOTCHES)], np.int16)  # plots, [notches, 2]

# The notch on each side of each plot and the plot beyond it, NOWHERE at the rim; both [plots, directions].
SIDE = np.array(
    [
        [horizontal(row, column), horizontal(row + 1, column), vertical(column + 1, row), vertical(column, row)]
        for row in range(ROWS)
        for column in range(COLUMNS)
    ],
    np.int16,
)
BEYOND = np.array([[_other_side(notch, index) for notch in sides] for index, sides in enumerate(SIDE)], np.int16)

# Where each notch lies, in half plots east and south of the field's north-west corner, [notches, 2].
HALVES = np.array([_halves(notch) for notch in range(NUM_NOTCHES)], np.int16)

STAR = vertical(5, 3)
FIRST_PLOTS = (plot(4, 3), plot(5, 3))  # planted before the game begins, one on either side of the star
