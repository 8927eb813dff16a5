"""The components of The Potion Contest, read from data/*.csv and checked; its grid, and its tiles as bits."""

import csv
from pathlib import Path

import numpy as np

_DATA = Path(__file__).resolve().parent / "data"


def _rows(name: str) -> list[dict[str, str]]:
    with open(_DATA / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


_KINDS = _rows("ingredients.csv")
_TILES = _rows("tiles.csv")
_LEVELS = _rows("levels.csv")
_MAIN = [row for row in _rows("orders.csv") if row["deck"] == "main"]
_OWN = [row for row in _rows("orders.csv") if row["deck"].startswith("personal")]

# ----------------------------------------------------------------------------------------------------- orders

ORDER_NAMES = tuple(row["order"] for row in _MAIN)
NUM_ORDERS = len(ORDER_NAMES)
PUSH, TRADE, ROTATE = range(NUM_ORDERS)
ORDER_COPIES = np.array([int(row["copies"]) for row in _MAIN], np.int64)  # main orders of each kind, [orders]
NUM_CARDS = int(ORDER_COPIES.sum())

# ------------------------------------------------------------------------------------------ levels and their grids

NUM_LEVELS = len(_LEVELS)
COLUMNS = max(int(row["grid_cols"]) for row in _LEVELS)
ROWS = max(int(row["grid_rows"]) for row in _LEVELS)
NUM_CELLS = ROWS * COLUMNS  # cells are counted row by row, at every level in rows of COLUMNS
CELL_NAMES = tuple(f"{chr(ord('a') + cell % COLUMNS)}{cell // COLUMNS + 1}" for cell in range(NUM_CELLS))

# By level, from 1; row 0 is empty. A seat has as many tiles as its grid has cells.
NUM_TILES_AT = np.array([0, *(int(row["tiles_per_player"]) for row in _LEVELS)], np.int64)  # [levels + 1]
COLUMNS_AT = np.array([0, *(int(row["grid_cols"]) for row in _LEVELS)], np.int64)  # [levels + 1]
CELLS = np.zeros((NUM_LEVELS + 1, NUM_CELLS), np.int64)  # cells of the grid, the first NUM_TILES_AT
for _level in range(1, NUM_LEVELS + 1):
    _found = [cell for cell in range(NUM_CELLS) if cell % COLUMNS < COLUMNS_AT[_level]]
    CELLS[_level, : len(_found)] = _found

NUM_RECIPES = 3
TIEBREAK = NUM_RECIPES  # its recipe stands behind the others
TIEBREAK_LENGTH = 5  # ingredients
RECIPE_LENGTHS = np.array(  # ingredients, [levels + 1, recipes and that of the tie-break]
    [[0] * (NUM_RECIPES + 1)]
    + [[*(int(row[f"recipe_{r + 1}_len"]) for r in range(NUM_RECIPES)), TIEBREAK_LENGTH] for row in _LEVELS],
    np.int64,
)
MAX_LENGTH = int(RECIPE_LENGTHS.max())

# ------------------------------------------------------------------------------------------- ingredients and tiles

INGREDIENTS = tuple(row["ingredient_id"] for row in _KINDS)
NUM_INGREDIENTS = len(INGREDIENTS)
COPIES = 3  # tiles, and recipe tiles, of each ingredient
FIRST_INGREDIENT = np.array(  # ingredients of a level are those from this one on, [levels + 1]
    [0, *(NUM_INGREDIENTS - int(row["ingredient_kinds"]) for row in _LEVELS)], np.int64
)

TILE_NAMES = tuple(row["tile_id"] for row in _TILES)
NUM_TILES = len(TILE_NAMES)
FIRST_TILE = FIRST_INGREDIENT * COPIES  # tiles of a level are those from this one on, [levels + 1]

# What lies on a cell: 0 for nothing, else 1 + 4 * tile + quarter turns clockwise.
TURNS = 4
NUM_CODES = 1 + TURNS * NUM_TILES
CODE_NAMES = ("", *(f"{tile}@{turns}" for tile in TILE_NAMES for turns in range(TURNS)))
CODE_INGREDIENT = np.array(  # [codes]
    [0, *(INGREDIENTS.index(row["ingredient_id"]) for row in _TILES for _ in range(TURNS))], np.int64
)

IS_INGREDIENT = np.array(  # 1 for the ingredient of what lies there, [codes, ingredients]
    [[code > 0 and kind == CODE_INGREDIENT[code] for kind in range(NUM_INGREDIENTS)] for code in range(NUM_CODES)],
    np.int16,
)

DIRECTIONS = ("north", "east", "south", "west")  # clockwise, as the tiles turn
_NORTH, _EAST, _SOUTH, _WEST = range(len(DIRECTIONS))


def _connectors(row: dict[str, str], turns: int) -> list[int]:
    """1 for each direction in which a tile has a connector after so many quarter turns."""
    at_first = ["NESW".index(letter) for letter in row["connectors_at_rotation_0"].split("|")]
    return [(direction - turns) % TURNS in at_first for direction in range(TURNS)]


CONNECTORS = np.array(  # 1 for a connector, [codes, directions]
    [[0] * TURNS, *(_connectors(row, turns) for row in _TILES for turns in range(TURNS))], np.int16
)

# --------------------------------------------------------------------------------------------------- tiles as bits

# A set of cells is a number with a bit for each; a word holds three sets in lanes. Words of a board: the cells of each
# of the first three ingredients, of the other three; those with a connector to the north, east, south; to the west.
LANE = 21
LANES = 3
ALL_CELLS = (1 << NUM_CELLS) - 1
SHIFT = np.array([LANE * (kind % LANES) for kind in range(NUM_INGREDIENTS)], np.int64)  # to an ingredient's lane
NORTH_SHIFT, EAST_SHIFT, SOUTH_SHIFT = LANE * _NORTH, LANE * _EAST, LANE * _SOUTH
NOT_LAST_COLUMN = sum(1 << cell for cell in range(NUM_CELLS) if cell % COLUMNS < COLUMNS - 1)


def _words(code: int) -> list[int]:
    """What a tile on the first cell adds to the words of a board."""
    if not code:
        return [0, 0, 0, 0]
    kind, ways = int(CODE_INGREDIENT[code]), CONNECTORS[code].tolist()
    named = 1 << int(SHIFT[kind])
    to_north_east_south = ways[_NORTH] << NORTH_SHIFT | ways[_EAST] << EAST_SHIFT | ways[_SOUTH] << SOUTH_SHIFT
    return [named if kind < LANES else 0, named if kind >= LANES else 0, to_north_east_south, ways[_WEST]]


WORDS = np.array([_words(code) for code in range(NUM_CODES)], np.int64)  # [codes, words]


def _check() -> None:
    if ORDER_NAMES != ("push", "trade", "rotate") or ORDER_COPIES.tolist() != [4, 4, 5]:
        raise ValueError("orders.csv: there must be 4 push, 4 trade and 5 rotate, in this order")
    if [(row["order"], row["copies"], row["level_1"]) for row in _OWN] != [(name, "1", "no") for name in ORDER_NAMES]:
        raise ValueError("orders.csv: a player must have one personal order of each kind, none at level 1")
    if [row["level"] for row in _LEVELS] != ["1", "2", "3"] or any(int(row["grid_rows"]) != ROWS for row in _LEVELS):
        raise ValueError("levels.csv: there must be the levels 1 to 3, with the same number of rows")
    if any(int(row["tiles_per_player"]) != int(row["grid_cols"]) * ROWS for row in _LEVELS):
        raise ValueError("levels.csv: there must be a tile for each cell of the grid")
    if not (RECIPE_LENGTHS[1:, :NUM_RECIPES].sum(axis=1) == [int(row["recipe_tiles_used"]) for row in _LEVELS]).all():
        raise ValueError("levels.csv: the recipes must use all recipe tiles")
    for level, row in enumerate(_LEVELS, 1):
        used = [int(kind["min_level"]) <= level for kind in _KINDS]
        if used != [kind >= FIRST_INGREDIENT[level] for kind in range(NUM_INGREDIENTS)]:
            raise ValueError("ingredients.csv: those of a lower level must come later")
        if not int(row["tiles_per_player"]) == int(row["recipe_tiles_used"]) == COPIES * int(row["ingredient_kinds"]):
            raise ValueError("levels.csv: there must be three tiles and recipe tiles of each ingredient")
    if any(row[name] != str(COPIES) for row in _KINDS for name in ("tiles_per_player", "recipe_tiles")):
        raise ValueError("ingredients.csv: there must be three tiles and recipe tiles of each")
    if [row["ingredient_id"] for row in _TILES] != [name for name in INGREDIENTS for _ in range(COPIES)]:
        raise ValueError("tiles.csv: there must be three tiles of each ingredient, in the order of ingredients.csv")
    if any(len(row["connectors_at_rotation_0"].split("|")) != int(row["connector_count"]) for row in _TILES):
        raise ValueError("tiles.csv: connector_count is not the number of connectors")


_check()
