"""The Potion Contest: what must hold between two moves."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.potion_contest.actions import PASS
from pepperenvs.games.potion_contest.completeness import is_complete, read_board
from pepperenvs.games.potion_contest.orders import is_choice
from pepperenvs.games.potion_contest.rules import fewest_spent, is_leader
from pepperenvs.games.potion_contest.state import CHOOSING, DRAWING, MAX_TURNS, NOTHING, OVER, SET_UP, VISIBLE
from pepperenvs.games.potion_contest.tables import (
    CELLS,
    COLUMNS,
    COLUMNS_AT,
    COPIES,
    FIRST_INGREDIENT,
    FIRST_TILE,
    NUM_CARDS,
    NUM_CELLS,
    NUM_CODES,
    NUM_INGREDIENTS,
    NUM_ORDERS,
    NUM_RECIPES,
    NUM_TILES,
    NUM_TILES_AT,
    ORDER_COPIES,
    RECIPE_LENGTHS,
    TIEBREAK,
    TIEBREAK_LENGTH,
    TURNS,
)

AUDITS = {
    1: "a board does not hold each tile of the level once, on the grid",
    2: "the recipes or the recipe tiles are not three of each ingredient, or the tie-break's is not the first of them",
    3: "a main order is missing or there too often",
    4: "personal orders used, spent, left and allowed do not agree",
    5: "a seat, stage, turn, length, tile, ingredient or order is out of range, or an outcome is awaited",
    6: "a choice is missing, or there too early, or not one that the seat may make",
    7: "the score of a seat is not the recipes that it has completed",
    8: "a verified recipe is complete on a board and not ticked off",
    9: "another seat plays than all, or in a tie-break than those that are tied, or an end is missed",
}


@kernel
def audit(state):
    """0 if the state is sound between two moves, else a number of AUDITS."""
    if not (is_in_range(state) and are_piles_in_range(state)):
        return 5
    for seat in range(state.num_seats):
        if not is_board_whole(state, seat):
            return 1
    if not are_recipes_whole(state):
        return 2
    for order in range(NUM_ORDERS):
        if count_order(state, order) != ORDER_COPIES[order]:
            return 3
    for seat in range(state.num_seats):
        fault = audit_seat(state, seat)
        if fault:
            return fault
    return 0 if are_players_right(state) else 9


@kernel
def is_in_range(state):
    """Whether the numbers that kernels use as an index or a length are one: a forged save could write anywhere."""
    if not (OVER <= state.to_move < state.num_seats and state.pending == 0 and SET_UP <= state.stage <= DRAWING):
        return False
    if not (1 <= state.turn <= state.max_turns <= MAX_TURNS and 0 <= state.is_tiebreak <= 1):
        return False
    if state.to_move != OVER and state.stage != CHOOSING:
        return False
    for seat in range(state.num_seats):
        if not (NOTHING <= state.choice[seat] <= PASS and NOTHING <= state.last_choice[seat] <= PASS):
            return False
        for cell in range(NUM_CELLS):
            if not 0 <= state.board[seat, cell] < NUM_CODES:
                return False
    return True


@kernel
def are_piles_in_range(state):
    """The same of what lies in the middle."""
    if not 0 <= state.pile_len <= NUM_CARDS - VISIBLE:
        return False
    for index in range(state.pile_len):
        if not 0 <= state.pile[index] < NUM_ORDERS:
            return False
    for place in range(VISIBLE):
        if not 0 <= state.visible[place] < NUM_ORDERS:
            return False
    for index in range(NUM_TILES):
        if not 0 <= state.recipe_pile[index] < NUM_INGREDIENTS:
            return False
    for row in range(NUM_RECIPES + state.is_tiebreak):
        for place in range(RECIPE_LENGTHS[state.level, row]):
            if not 0 <= state.recipe[row, place] < NUM_INGREDIENTS:
                return False
    return True


@kernel
def is_board_whole(state, seat):
    """Whether a board holds every tile of the level once, and none outside the grid."""
    for cell in range(NUM_CELLS):
        if cell % COLUMNS >= COLUMNS_AT[state.level] and state.board[seat, cell] != 0:
            return False
    for tile in range(FIRST_TILE[state.level], NUM_TILES):
        count = 0
        for index in range(NUM_TILES_AT[state.level]):
            count += (np.int64(state.board[seat, CELLS[state.level, index]]) + TURNS - 1) // TURNS == tile + 1
        if count != 1:
            return False
    return True


@kernel
def are_recipes_whole(state):
    """Whether the recipes use up the recipe tiles, and the recipe of a tie-break lies before the others in the pile."""
    for ingredient in range(FIRST_INGREDIENT[state.level], NUM_INGREDIENTS):
        dealt, piled = 0, 0
        for row in range(NUM_RECIPES):
            for place in range(RECIPE_LENGTHS[state.level, row]):
                dealt += state.recipe[row, place] == ingredient
        for index in range(NUM_TILES_AT[state.level]):
            piled += state.recipe_pile[index] == ingredient
        if dealt != COPIES or piled != COPIES:
            return False
    if state.is_tiebreak:
        for place in range(TIEBREAK_LENGTH):
            if state.recipe[TIEBREAK, place] != state.recipe_pile[place]:
                return False
    return True


@kernel
def count_order(state, order):
    """Main orders of a kind in the game."""
    count = np.int64(state.discards[order])
    for index in range(state.pile_len):
        count += state.pile[index] == order
    for place in range(VISIBLE):
        count += state.visible[place] == order
    return count


@kernel
def audit_seat(state, seat):
    """0 or the number of AUDITS that a seat fails."""
    if not are_orders_right(state, seat):
        return 4
    completed = 0
    for row in range(NUM_RECIPES):
        completed += np.int64(state.done[seat, row])
    if completed != state.score[seat] or (state.done[seat, TIEBREAK] and not state.is_tiebreak):
        return 7
    if not is_choice_right(state, seat):
        return 6
    return 0 if is_ticked_off(state, seat) else 8


@kernel
def are_orders_right(state, seat):
    """Whether the personal orders of a seat are those allowed less those used, and those that count are right."""
    spent, left, unused = np.int64(state.spent[seat]), np.int64(state.orders_left[seat]), 0
    for order in range(NUM_ORDERS):
        unused += np.int64(state.own[seat, order])
    if state.level == 1:
        return spent == left == unused == 0
    used = NUM_ORDERS - unused
    if left < 0 or used + left != state.personal_orders[seat]:
        return False
    return 0 <= spent <= used if state.is_tiebreak else spent == used


@kernel
def is_choice_right(state, seat):
    """Whether exactly the seats that play and come before the one to move have chosen, each what it may."""
    if seat >= state.to_move or not state.playing[seat]:
        return state.choice[seat] == NOTHING
    return is_choice(state, seat, np.int64(state.choice[seat]))


@kernel
def is_ticked_off(state, seat):
    """Whether no recipe that has been verified lies complete on a seat's board without being ticked off."""
    if state.turn == 1 and state.to_move != OVER:
        return True
    low, high, across, down = read_board(state.board[seat])
    for row in range(NUM_RECIPES):
        if not state.done[seat, row] and is_complete(state, row, low, high, across, down):
            return False
    return True


@kernel
def are_players_right(state):
    """Whether all seats play, or in a tie-break those that lead; and the game is over where it must be.  [R6]"""
    fewest, leaders, winners = fewest_spent(state), 0, 0
    for seat in range(state.num_seats):
        leads = is_leader(state, seat, fewest)
        if state.playing[seat] != (leads or not state.is_tiebreak):
            return False
        leaders += leads
        winners += np.int64(state.done[seat, TIEBREAK])
    if state.is_tiebreak:
        return leaders > 1 and (state.to_move == OVER or winners == 0)
    return leaders == 0 or state.to_move == OVER
