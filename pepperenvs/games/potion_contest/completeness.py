"""The Potion Contest, the second step of a turn: whether a board completes a recipe.

A recipe is complete where cells hold its ingredients in order, such that among them exactly the consecutive ones are
connected: an *induced path* of the graph of connected cells. Read from its other end the same path spells the recipe in
reverse, so one direction is enough. Sets of cells are numbers with a bit for each cell, see tables.
"""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.potion_contest.tables import (
    ALL_CELLS,
    COLUMNS,
    EAST_SHIFT,
    LANES,
    NORTH_SHIFT,
    NOT_LAST_COLUMN,
    NUM_CELLS,
    NUM_RECIPES,
    RECIPE_LENGTHS,
    SHIFT,
    SOUTH_SHIFT,
    TIEBREAK,
    WORDS,
)


@kernel
def verify(state):
    """Tick off what is complete on the boards of the seats that play, several recipes at once if so.  [R3, R5, R8]

    In a tie-break only its recipe is verified. [R6] Writes done and score.
    """
    first, stop = (TIEBREAK, TIEBREAK + 1) if state.is_tiebreak else (0, NUM_RECIPES)
    for seat in range(state.num_seats):
        if state.playing[seat]:
            low, high, across, down = read_board(state.board[seat])
            for row in range(first, stop):
                if not state.done[seat, row] and is_complete(state, row, low, high, across, down):
                    state.done[seat, row] = 1
                    state.score[seat] += row != TIEBREAK


@kernel
def read_board(board):
    """A board as bits.

    returns    the cells of each of the first three ingredients in lanes, those of the others; the cells that are
               connected with the next one in their row; with the next one in their column
    """
    low, high, ways, west = 0, 0, 0, 0
    for cell in range(NUM_CELLS):
        code = np.int64(board[cell])
        low |= WORDS[code, 0] << cell
        high |= WORDS[code, 1] << cell
        ways |= WORDS[code, 2] << cell
        west |= WORDS[code, 3] << cell
    across = ways >> EAST_SHIFT & west >> 1 & NOT_LAST_COLUMN  # the rim never connects
    down = ways >> SOUTH_SHIFT & (ways >> NORTH_SHIFT & ALL_CELLS) >> COLUMNS & ALL_CELLS
    return low, high, across, down


@kernel
def cells_of(ingredient, low, high):
    """The cells that hold an ingredient."""
    return (low if ingredient < LANES else high) >> SHIFT[ingredient] & ALL_CELLS


@kernel
def neighbours(cells, across, down):
    """The cells that are connected with one of some cells."""
    sideways = (cells & across) << 1 | cells >> 1 & across
    return sideways | (cells & down) << COLUMNS | cells >> COLUMNS & down


@kernel
def is_complete(state, row, low, high, across, down):
    """Whether a board, as `read_board` returns it, completes a recipe.  [R4]

    Most boards fail already if the path may cross and touch itself. Else the ends that such a path can have are tried.
    """
    last = RECIPE_LENGTHS[state.level, row] - 1
    ends = cells_of(np.int64(state.recipe[row, 0]), low, high)
    for place in range(1, last + 1):
        ends = neighbours(ends, across, down) & cells_of(np.int64(state.recipe[row, place]), low, high)
        if ends == 0:
            return False
    while ends:
        end = ends & -ends
        if is_end(state, row, end, low, high, across, down):
            return True
        ends ^= end
    return False


@kernel
def is_end(state, row, end, low, high, across, down):
    """Whether an induced path that spells a recipe ends on a cell, given as its bit.

    The path is led back from there, depth first, and at each place the lowest cell is tried first. It needs no stack:
    an induced path has but one cell that is connected with its head, so the way back is in the path itself.
    """
    path, head, tried = end, end, 0
    place = RECIPE_LENGTHS[state.level, row] - 2
    while True:
        beside = neighbours(head, across, down)
        found = cells_of(np.int64(state.recipe[row, place]), low, high) & beside & ~tried
        found &= ~(path | neighbours(path ^ head, across, down))  # it may not touch itself
        if found and place == 0:
            return True
        if found:
            head, tried = found & -found, 0
            path |= head
            place -= 1
        elif path == end:
            return False
        else:
            path ^= head
            tried = 2 * head - 1  # this cell and those below it
            head = beside & path
            place += 1
