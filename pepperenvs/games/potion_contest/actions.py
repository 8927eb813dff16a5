"""The actions of The Potion Contest: rotate, trade, push, the same by a personal order, pass; which a grid allows."""

import numpy as np

from pepperenvs.core.layout import Actions, Block
from pepperenvs.games.potion_contest.tables import (
    CELL_NAMES,
    COLUMNS,
    COLUMNS_AT,
    NUM_CELLS,
    NUM_LEVELS,
    NUM_ORDERS,
    PUSH,
    ROTATE,
    ROWS,
    TRADE,
)

LEFT, RIGHT = 0, 1  # of a rotation and of a row's push; a column's push goes up or down
WAYS = ("left", "right")
WAYS_OF_COLUMNS = ("up", "down")

# Two neighbouring cells each, the upper or left one first: those in rows, then those in columns.
PAIRS = np.array(
    [(cell, cell + 1) for cell in range(NUM_CELLS) if cell % COLUMNS < COLUMNS - 1]
    + [(cell, cell + COLUMNS) for cell in range(NUM_CELLS - COLUMNS)],
    np.int64,
)
NUM_PAIRS = len(PAIRS)

# Lines that are pushed: the rows, then the columns. The first cell, and from one cell to the next.
LINE_START = np.array([row * COLUMNS for row in range(ROWS)] + [*range(COLUMNS)], np.int64)
LINE_STRIDE = np.array([1] * ROWS + [COLUMNS] * COLUMNS, np.int64)
NUM_LINES = ROWS + COLUMNS
LINE_LENGTH = np.array(  # cells, 0 for a column that is not there, [levels + 1, lines]
    [[columns] * ROWS + [ROWS * (column < columns) for column in range(COLUMNS)] for columns in COLUMNS_AT.tolist()],
    np.int64,
)


def _rotate(cell: int, way: int) -> str:
    return f"rotate {CELL_NAMES[cell]} {WAYS[way]}"


def _trade(pair: int) -> str:
    return "trade " + " ".join(CELL_NAMES[cell] for cell in PAIRS[pair])


def _push(line: int, way: int) -> str:
    if line < ROWS:
        return f"push row {line + 1} {WAYS[way]}"
    return f"push col {CELL_NAMES[line - ROWS][0]} {WAYS_OF_COLUMNS[way]}"


_CELLS, _PAIRS, _LINES = {"cells": NUM_CELLS, "ways": 2}, {"pairs": NUM_PAIRS}, {"lines": NUM_LINES, "ways": 2}

ACTIONS = Actions(
    Block("rotate", _CELLS, _rotate, "turn a tile by a quarter, to the left or to the right"),
    Block("trade", _PAIRS, _trade, "swap two neighbouring tiles"),
    Block("push", _LINES, _push, "move a row or column by one cell; what is pushed out comes in at the other end"),
    Block("own_rotate", _CELLS, lambda cell, way: f"own {_rotate(cell, way)}", "turn by a personal order"),
    Block("own_trade", _PAIRS, lambda pair: f"own {_trade(pair)}", "swap by a personal order"),
    Block("own_push", _LINES, lambda line, way: f"own {_push(line, way)}", "move a line by a personal order"),
    Block("pass", {}, lambda: "pass", "do nothing this turn"),
)

TRADES, PUSHES = ACTIONS.start("trade"), ACTIONS.start("push")
OWN = ACTIONS.start("own_rotate")  # an action of the main order and the same by a personal order lie so far apart
PASS = ACTIONS.start("pass")

action_string = ACTIONS.string
parse_action = ACTIONS.parse

IN_ORDER = np.array([ROTATE, TRADE, PUSH], np.int64)  # the kinds of orders as their actions stand
ORDER_OF = np.repeat(IN_ORDER, [TRADES, PUSHES - TRADES, OWN - PUSHES])  # of each action of a main order, [OWN]


def _is_on_grid(action: int, level: int) -> bool:
    """Whether the grid of a level has the cells of a main order's action."""
    columns = COLUMNS_AT[level]
    if action < TRADES:
        return bool(action // 2 % COLUMNS < columns)
    if action < PUSHES:
        return bool(PAIRS[action - TRADES, 1] % COLUMNS < columns)
    return bool(LINE_LENGTH[level, (action - PUSHES) // 2] > 0)


ON_GRID = np.array(  # 1 for an action of a main order that a level has, [levels + 1, OWN]
    [[_is_on_grid(action, level) for action in range(OWN)] for level in range(NUM_LEVELS + 1)], np.int8
)
NUM_MOVES = np.zeros((NUM_LEVELS + 1, NUM_ORDERS), np.int64)  # actions that an order offers at each level
MOVES = np.zeros((NUM_LEVELS + 1, NUM_ORDERS, OWN), np.int64)  # their indices, ascending
for _level in range(NUM_LEVELS + 1):
    for _order in range(NUM_ORDERS):
        _found = np.flatnonzero((ON_GRID[_level] == 1) & np.equal(ORDER_OF, _order))
        NUM_MOVES[_level, _order] = len(_found)
        MOVES[_level, _order, : len(_found)] = _found
