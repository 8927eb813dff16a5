"""The Potion Contest, the first step of a turn: what a seat may choose, and what its choice does to its board."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.potion_contest.actions import (
    IN_ORDER,
    LEFT,
    LINE_LENGTH,
    LINE_START,
    LINE_STRIDE,
    MOVES,
    NUM_MOVES,
    ON_GRID,
    ORDER_OF,
    OWN,
    PAIRS,
    PASS,
    PUSHES,
    TRADES,
)
from pepperenvs.games.potion_contest.tables import NUM_ORDERS, TURNS

# ---------------------------------------------------------------------------------------------------- choices


@kernel
def has_own(state, seat, order):
    """Whether a seat may use its personal order of a kind now: not if the main order is of the same kind.  [R2]"""
    return state.orders_left[seat] > 0 and state.own[seat, order] and order != state.visible[0]


@kernel
def legal_choices(state, seat, ids):
    """Write what a seat may choose, ascending: the main order, its personal orders, pass.  [R1]

    ids        int32 [actions]
    returns    how many there are
    """
    order = np.int64(state.visible[0])
    count = NUM_MOVES[state.level, order]
    for index in range(count):
        ids[index] = MOVES[state.level, order, index]
    for place in range(NUM_ORDERS):
        order = IN_ORDER[place]
        if has_own(state, seat, order):
            for index in range(NUM_MOVES[state.level, order]):
                ids[count] = OWN + MOVES[state.level, order, index]
                count += 1
    ids[count] = PASS
    return count + 1


@kernel
def num_choices(state, seat):
    """How many actions a seat may choose from."""
    count = NUM_MOVES[state.level, state.visible[0]] + 1
    for order in range(NUM_ORDERS):
        if has_own(state, seat, order):
            count += NUM_MOVES[state.level, order]
    return count


@kernel
def nth_choice(state, seat, nth):
    """The nth of the actions that a seat may choose from, counted from 0."""
    order = np.int64(state.visible[0])
    if nth < NUM_MOVES[state.level, order]:
        return MOVES[state.level, order, nth]
    nth -= NUM_MOVES[state.level, order]
    for place in range(NUM_ORDERS):
        order = IN_ORDER[place]
        if has_own(state, seat, order):
            if nth < NUM_MOVES[state.level, order]:
                return OWN + MOVES[state.level, order, nth]
            nth -= NUM_MOVES[state.level, order]
    return np.int64(PASS)


@kernel
def is_choice(state, seat, action):
    """Whether a seat may choose an action, any number."""
    if action == PASS:
        return True
    if not 0 <= action < PASS or not ON_GRID[state.level, action % OWN]:
        return False
    order = ORDER_OF[action % OWN]
    return order == state.visible[0] if action < OWN else has_own(state, seat, order)


# ------------------------------------------------------------------------------------------------------ boards


@kernel
def carry_out(state, seat, action):
    """Do what a seat has chosen; a personal order is spent, and counts unless a tie-break is on.  [R6]"""
    if action == PASS:
        return
    if action >= OWN:
        action -= OWN
        state.own[seat, ORDER_OF[action]] = 0
        state.orders_left[seat] -= 1
        state.spent[seat] += 1 - state.is_tiebreak
    move_tiles(state.board[seat], state.level, action)


@kernel
def move_tiles(board, level, action):
    """Rotate, trade or push on a board.

    board     int8 [cells]
    action    one of a main order that the level's grid has
    """
    if action < TRADES:
        rotate(board, action // 2, action % 2)
    elif action < PUSHES:
        trade(board, action - TRADES)
    else:
        push(board, level, (action - PUSHES) // 2, (action - PUSHES) % 2)


@kernel
def rotate(board, cell, way):
    """Turn a tile by a quarter, left is anticlockwise."""
    code = np.int64(board[cell]) - 1
    turns = (code + (TURNS - 1 if way == LEFT else 1)) % TURNS
    board[cell] = 1 + code // TURNS * TURNS + turns


@kernel
def trade(board, pair):
    """Swap two neighbouring tiles; they are not turned."""
    one, other = PAIRS[pair, 0], PAIRS[pair, 1]
    tile = board[one]
    board[one] = board[other]
    board[other] = tile


@kernel
def push(board, level, line, way):
    """Move a line by one cell, LEFT towards its first; the tile pushed out fills the cell at the other end."""
    first, stride = LINE_START[line], LINE_STRIDE[line]
    last = first + stride * (LINE_LENGTH[level, line] - 1)
    if way == LEFT:
        first, last, stride = last, first, -stride
    tile = board[last]
    for cell in range(last, first, -stride):
        board[cell] = board[cell - stride]
    board[first] = tile
