"""The scripted player of The Potion Contest.

It tries every move that it has on its own board, and takes the one after which it has the least to wait for its
recipes, that for the nearest counting most; how long, see bot_plan. It knows the order of this turn and those of the
next two. If nothing brings it nearer, it takes a move that at least takes it no farther, each turn another one: where
two tiles of a plan must pass each other, no single move helps. A personal order it uses only if that gains much more
than the main order does.
"""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.potion_contest.actions import (
    LEFT,
    MOVES,
    NUM_MOVES,
    OWN,
    PAIRS,
    PASS,
    PUSHES,
    RIGHT,
    TRADES,
)
from pepperenvs.games.potion_contest.bot_plan import FAR, TURN, wait_for
from pepperenvs.games.potion_contest.orders import has_own, move_tiles
from pepperenvs.games.potion_contest.tables import (
    CODE_INGREDIENT,
    CONNECTORS,
    DIRECTIONS,
    NUM_INGREDIENTS,
    NUM_ORDERS,
    NUM_RECIPES,
    RECIPE_LENGTHS,
    TIEBREAK,
)

WEIGHTS = np.array([10, 3, 1], np.int64)  # of the waits for the nearest recipe, the next, the farthest
PRICE = 15 * TURN  # what a personal order must gain above the main one: 1.5 turns for the nearest recipe
HOPE = 3 * TURN  # a wait does not become shorter by more in one turn: else a move is not tried to the end
STRIDE = 13  # moves are tried from another one on each turn; prime to the number that any order offers

NO_MOVE = -1
NO_AIM = 1 << 40  # behind all others
ROW_BITS, ROW_MASK = 2, 3
IS_STRAIGHT = (np.roll(CONNECTORS, len(DIRECTIONS) // 2, axis=1) == CONNECTORS).all(axis=1)  # [codes]
ALL_INGREDIENTS = (1 << NUM_INGREDIENTS) - 1


@kernel
def bot(state):
    """The action of the seat to move; draws no random numbers, and leaves its board as it was."""
    seat = state.to_move
    aims = find_aims(state, seat)
    idle = cost_of(aims)
    move, cost = best_move(state, seat, np.int64(state.visible[0]), aims, idle + 1)
    action = move if move != NO_MOVE else np.int64(PASS)
    cost = min(cost, idle) - PRICE
    for order in range(NUM_ORDERS):
        if has_own(state, seat, order):
            move, cost = best_move(state, seat, order, aims, cost)
            if move != NO_MOVE:
                action = OWN + move
    return action


# -------------------------------------------------------------------------------------------------------- aims


@kernel
def find_aims(state, seat):
    """The recipes that a seat has still to complete, the nearest first, each with the wait for it if it passes.

    returns    three numbers, wait << ROW_BITS | recipe each, NO_AIM behind the last
    """
    first, second, third = np.int64(NO_AIM), np.int64(NO_AIM), np.int64(NO_AIM)
    start, stop = (TIEBREAK, TIEBREAK + 1) if state.is_tiebreak else (0, NUM_RECIPES)
    for row in range(start, stop):
        if not state.done[seat, row]:
            aim = wait_for(state, state.board[seat], row, np.int64(FAR)) << ROW_BITS | row
            if aim < first:
                first, second, third = aim, first, second
            elif aim < second:
                second, third = aim, second
            else:
                third = aim
    return first, second, third


@kernel
def cost_of(aims):
    """The waits of aims, weighted."""
    total = 0
    for rank in range(NUM_RECIPES):
        if aims[rank] != NO_AIM:
            total += WEIGHTS[rank] * (aims[rank] >> ROW_BITS)
    return total


@kernel
def least_cost(aims):
    """What no single move is hoped to better."""
    total = 0
    for rank in range(NUM_RECIPES):
        if aims[rank] != NO_AIM:
            total += WEIGHTS[rank] * max(0, (aims[rank] >> ROW_BITS) - HOPE)
    return total


# ------------------------------------------------------------------------------------------------------- moves


@kernel
def best_move(state, seat, order, aims, limit):
    """The move that an order allows with the least cost below `limit`, or NO_MOVE; and that cost, else `limit`."""
    best = np.int64(NO_MOVE)
    board, num_moves = state.board[seat], NUM_MOVES[state.level, order]
    for index in range(num_moves):
        move = MOVES[state.level, order, (index + STRIDE * state.turn) % num_moves]
        moved = ingredients_moved(board, move)
        if moved:
            move_tiles(board, state.level, move)
            cost = cost_after(state, board, aims, moved, limit)
            take_back(board, state.level, move)
            if cost < limit:
                best, limit = move, cost
    return best, limit


@kernel
def ingredients_moved(board, move):
    """The set of ingredients whose tiles a move turns or moves; none for a second way to turn a straight tile."""
    if move < TRADES:
        code = board[move // 2]
        if move % 2 == RIGHT and IS_STRAIGHT[code]:
            return 0
        return 1 << CODE_INGREDIENT[code]
    if move < PUSHES:
        one, other = PAIRS[move - TRADES, 0], PAIRS[move - TRADES, 1]
        return 1 << CODE_INGREDIENT[board[one]] | 1 << CODE_INGREDIENT[board[other]]
    return ALL_INGREDIENTS


@kernel
def take_back(board, level, move):
    """Undo a move: the same the other way, or the same trade."""
    if move >= PUSHES:
        move = PUSHES + ((move - PUSHES) ^ (LEFT ^ RIGHT))
    elif move < TRADES:
        move ^= LEFT ^ RIGHT
    move_tiles(board, level, move)


@kernel
def cost_after(state, board, aims, moved, limit):
    """The weighted waits of aims on a board; `limit` if they are not below it, or will hardly be.

    moved    set of ingredients whose tiles do not lie as they lay when the aims were found
    """
    total, hoped = 0, least_cost(aims)
    for rank in range(NUM_RECIPES):
        aim, weight = aims[rank], WEIGHTS[rank]
        if aim != NO_AIM:
            row, wait = aim & ROW_MASK, aim >> ROW_BITS
            hoped -= weight * max(0, wait - HOPE)
            most = min(FAR, (limit - total - hoped + weight - 1) // weight)
            if most > 0 and needs(state, row, moved):
                wait = wait_for(state, board, row, most)
            if wait >= most:
                return limit
            total += weight * wait
    return total


@kernel
def needs(state, row, ingredients):
    """Whether a recipe has one of some ingredients."""
    for place in range(RECIPE_LENGTHS[state.level, row]):
        if ingredients >> np.int64(state.recipe[row, place]) & 1:
            return True
    return False
