"""How far a board is from a recipe, as the scripted player of The Potion Contest reckons it.

A *plan* is a path on the grid for a recipe, and a tile for each cell of it. A tile has to be turned until it has the
connectors that the path needs there, and to be brought from where it lies: *quarters* and *steps*. From their sums
follows the *wait*, the turns that the plan will take: each turn allows but one kind of order, and those of the next two
turns are known. A path that winds back beside itself may turn out to be connected where it must not be, which is
reckoned as a longer wait. That tiles of a plan get into each other's way is not.

All paths are tried, depth first. Numbers stand in fields of words: where tiles lie, a field of CELL bits for each tile,
those of the first three ingredients in one word, the others in another; steps to each cell; quarters for each set of
directions.
"""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.potion_contest.completeness import is_complete, read_board
from pepperenvs.games.potion_contest.tables import (
    CELLS,
    COLUMNS,
    COLUMNS_AT,
    CONNECTORS,
    COPIES,
    DIRECTIONS,
    LANES,
    MAX_LENGTH,
    NUM_CARDS,
    NUM_CELLS,
    NUM_CODES,
    NUM_LEVELS,
    NUM_ORDERS,
    NUM_TILES_AT,
    ORDER_COPIES,
    PUSH,
    RECIPE_LENGTHS,
    ROTATE,
    ROWS,
    TRADE,
    TURNS,
)

TURN = 100  # waits are hundredths of a turn
FAR = 30_000  # the wait for what cannot be
PUSH_HELPS = 0.3  # steps that a push brings on the whole
RISK = 60  # by so much a wait is longer for each two cells of the path that touch

CELL, CELL_MASK = 5, 31  # bits of a cell
STEP, STEP_MASK = 3, 7  # of the steps between two cells
QUARTER, QUARTER_MASK = 4, 15  # of the quarters of a tile
NEVER = QUARTER_MASK  # quarters of a tile that cannot have such connectors

# ------------------------------------------------------------------------------------------------------- paths

_OFFSETS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # row and column, as DIRECTIONS

# The paths of a length on a grid as trees. A node is a cell and the directions in which the path leaves it; it is
# followed by what grows from it. Fields: cell, directions, place in the recipe, nodes from this one to the next that
# does not grow from it, and the path's next cell. At the end of a path the next node is such a one, and there the field
# holds how often the path touches itself.
NEED_AT, PLACE_AT, NEXT_AT, AHEAD_AT = 5, 9, 12, 25
NEED_MASK, PLACE_MASK, NEXT_MASK = 15, 7, 8191


def _beside(cell: int, direction: int, columns: int) -> int | None:
    """The neighbour of a cell on a grid of so many columns."""
    row, column = divmod(cell, COLUMNS)
    row, column = row + _OFFSETS[direction][0], column + _OFFSETS[direction][1]
    return row * COLUMNS + column if 0 <= row < ROWS and 0 <= column < columns else None


def _touching(path: list[int], columns: int) -> int:
    """Pairs of cells of a path that lie side by side, but do not follow each other."""
    return sum(
        _beside(cell, direction, columns) in path[place + 2 :]
        for place, cell in enumerate(path)
        for direction in range(len(DIRECTIONS))
    )


def _grow(nodes: list[int], path: list[int], need: int, length: int, columns: int) -> None:
    """Append all paths of a length that begin with these cells; `need` has the direction from which the last came."""
    place = len(path) - 1
    word = path[-1] | place << PLACE_AT
    if place == length - 1:
        nodes.append(word | need << NEED_AT | _touching(path, columns) << NEXT_AT)
        return
    for direction in range(len(DIRECTIONS)):
        beside = _beside(path[-1], direction, columns)
        if beside is not None and beside not in path:
            start = len(nodes)
            nodes.append(word | (need | 1 << direction) << NEED_AT | beside << AHEAD_AT)
            _grow(nodes, [*path, beside], 1 << (direction + TURNS // 2) % TURNS, length, columns)
            if len(nodes) == start + 1:
                nodes.pop()  # a dead end
            else:
                nodes[start] |= len(nodes) - start << NEXT_AT


_nodes: list[int] = []
PATHS_START = np.zeros((NUM_LEVELS + 1, MAX_LENGTH + 1), np.int64)  # of those of a level and length, in PATHS
PATHS_STOP = np.zeros((NUM_LEVELS + 1, MAX_LENGTH + 1), np.int64)
for _level in range(1, NUM_LEVELS + 1):
    for _length in sorted(set(RECIPE_LENGTHS[_level].tolist())):
        PATHS_START[_level, _length] = len(_nodes)
        for _cell in CELLS[_level, : NUM_TILES_AT[_level]].tolist():
            _grow(_nodes, [_cell], 0, _length, int(COLUMNS_AT[_level]))
        PATHS_STOP[_level, _length] = len(_nodes)
PATHS = np.array(_nodes, np.int32)  # [nodes]

# ------------------------------------------------------------------------------------------- quarters and steps


def _quarters(code: int, need: int) -> int:
    """Quarter turns, either way, after which a tile has connectors in all directions of a set; NEVER if it cannot."""
    first = 1 + (code - 1) // TURNS * TURNS
    found = [NEVER]
    for turns in range(TURNS):
        ways = CONNECTORS[first + (code - 1 + turns) % TURNS].tolist()
        if all(ways[way] for way in range(len(DIRECTIONS)) if need >> way & 1):
            found.append(min(turns, TURNS - turns))
    return min(found)


def _steps(cell: int, other: int) -> int:
    return abs(cell // COLUMNS - other // COLUMNS) + abs(cell % COLUMNS - other % COLUMNS)


QUARTERS = np.zeros(NUM_CODES, np.int64)  # of what lies there, a field for each set but that of all four, [codes]
for _code in range(1, NUM_CODES):
    QUARTERS[_code] = sum(_quarters(_code, need) << QUARTER * need for need in range(2 ** len(DIRECTIONS) - 1))
STEPS = np.array(  # from a cell, a field for each cell, [cells]
    [sum(_steps(cell, other) << STEP * other for other in range(NUM_CELLS)) for cell in range(NUM_CELLS)], np.int64
)

# ------------------------------------------------------------------------------------------------------- waits

# A wait stands in the table at the two orders of the next turns, the quarters and the steps. Sums with NEVER in them
# are FAR: the quarters of the tiles before are at most 2 (MAX_LENGTH - 1).
QUARTERS_AT, KNOWN_AT = 6, 11  # bits of the steps, of steps and quarters
COST, COST_MASK = 8, 255  # bits of the quarters and steps of one tile, as they stand there
_MOST_STEPS, _MOST_QUARTERS = 1 << QUARTERS_AT, 1 << KNOWN_AT - QUARTERS_AT


def _after(order: int, waits: np.ndarray) -> np.ndarray:
    """Waits before a turn with a certain order, from those after it, [quarters, steps]."""
    turned, nearer = waits[[0, *range(len(waits) - 1)]], waits[:, [0, *range(waits.shape[1] - 1)]]
    helped = {ROTATE: turned, TRADE: nearer, PUSH: PUSH_HELPS * nearer + (1 - PUSH_HELPS) * waits}[order]
    before = 1 + helped
    before[0, 0] = 0
    return before


def _unknown() -> np.ndarray:
    """Expected waits if no order is known, [quarters, steps]."""
    push, trade, rotate = (ORDER_COPIES / NUM_CARDS).tolist()
    move = trade + PUSH_HELPS * push
    waits = np.zeros((NEVER, _MOST_STEPS))
    for quarters in range(NEVER):
        for steps in range(_MOST_STEPS):
            helped = rotate * (quarters > 0) + move * (steps > 0)
            if helped > 0:
                waits[quarters, steps] = 1 / helped
            if quarters > 0:
                waits[quarters, steps] += rotate / helped * waits[quarters - 1, steps]
            if steps > 0:
                waits[quarters, steps] += move / helped * waits[quarters, steps - 1]
    return waits


_any = _unknown()
_waits = np.full((NUM_ORDERS, NUM_ORDERS, _MOST_QUARTERS, _MOST_STEPS), FAR)
for _order in range(NUM_ORDERS):
    for _then in range(NUM_ORDERS):
        _waits[_order, _then, :NEVER] = np.round(TURN * _after(_order, _after(_then, _any)))
WAITS = _waits.astype(np.int16).ravel()


@kernel
def known_orders(state):
    """Where the waits begin for the main orders of the next two turns, which lie face up behind the current one."""
    return (NUM_ORDERS * np.int64(state.visible[1]) + np.int64(state.visible[2])) << KNOWN_AT


# ------------------------------------------------------------------------------------------------------- plans


@kernel
def wait_for(state, board, row, limit):
    """The wait for a recipe after this turn, 0 if it is complete; `limit` or more if it is not below that."""
    low, high, across, down = read_board(board)
    if is_complete(state, row, low, high, across, down):
        return np.int64(0)
    return shortest_wait(state, board, row, limit)


@kernel
def shortest_wait(state, board, row, limit):
    """The shortest wait of all plans; `limit` if none is below that.

    A branch is left where the tiles laid so far, with the steps of the next one, take `limit`. There is no stack: what
    the laid tiles cost, and the cells they come from, are fields of two words, the last one lowest.
    """
    low, high = where_tiles_lie(board)
    last = RECIPE_LENGTHS[state.level, row] - 1
    node, stop = PATHS_START[state.level, last + 1], PATHS_STOP[state.level, last + 1]
    sums, costs, cells, used, laid = known_orders(state), 0, 0, 0, 0
    while node < stop:
        word = np.int64(PATHS[node])
        place = word >> PLACE_AT & PLACE_MASK
        while laid > place:
            sums -= costs & COST_MASK
            used ^= 1 << (cells & CELL_MASK)
            costs, cells, laid = costs >> COST, cells >> CELL, laid - 1
        lie = tiles_of(np.int64(state.recipe[row, place]), low, high)
        cost, cell = nearest_tile(board, lie, used, word & CELL_MASK, word >> NEED_AT & NEED_MASK)
        if place == last:
            limit = min(limit, WAITS[sums + cost] + RISK * (word >> NEXT_AT & NEXT_MASK))
            node += 1
            continue
        lie = tiles_of(np.int64(state.recipe[row, place + 1]), low, high)
        if WAITS[sums + cost + least_steps(lie, word >> AHEAD_AT)] >= limit:
            node += word >> NEXT_AT & NEXT_MASK
        else:
            sums += cost
            used |= 1 << cell
            costs, cells, laid = costs << COST | cost, cells << CELL | cell, laid + 1
            node += 1
    return limit


@kernel
def where_tiles_lie(board):
    """The cells of the tiles of the first three ingredients, and of the others."""
    low, high = 0, 0
    for cell in range(NUM_CELLS):
        tile = (np.int64(board[cell]) - 1) // TURNS
        if tile >= LANES * COPIES:
            high |= cell << CELL * (tile - LANES * COPIES)
        elif tile >= 0:
            low |= cell << CELL * tile
    return low, high


@kernel
def tiles_of(ingredient, low, high):
    """The cells of the tiles of an ingredient."""
    if ingredient < LANES:
        return low >> CELL * COPIES * ingredient
    return high >> CELL * COPIES * (ingredient - LANES)


@kernel
def nearest_tile(board, lie, used, cell, need):
    """The tile of three that is the least quarters and steps from lying on a cell as a path needs it.

    lie        the cells where they lie
    used       the set of cells whose tiles the plan uses already
    returns    its quarters and steps as they stand in the table of waits, and the cell where it lies
    """
    best, cost, chosen = 2 * NEVER, NEVER << QUARTERS_AT, 0
    for _ in range(COPIES):
        start = lie & CELL_MASK
        quarters = QUARTERS[board[start]] >> QUARTER * need & QUARTER_MASK | NEVER * (used >> start & 1)
        steps = STEPS[start] >> STEP * cell & STEP_MASK
        if quarters + steps < best:
            best, cost, chosen = quarters + steps, quarters << QUARTERS_AT | steps, start
        lie >>= CELL
    return cost, chosen


@kernel
def least_steps(lie, cell):
    """The steps from the nearest of three tiles to a cell."""
    steps = STEP_MASK
    for _ in range(COPIES):
        steps = min(steps, STEPS[lie & CELL_MASK] >> STEP * cell & STEP_MASK)
        lie >>= CELL
    return steps
