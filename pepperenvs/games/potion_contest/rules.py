"""The rules of The Potion Contest as kernels: what happens when; choices are in orders, verification in completeness.

RULES.md has the text; [R…] are its rulings.
"""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.core.rng import below, shuffle, sort_pile
from pepperenvs.games.potion_contest.completeness import verify
from pepperenvs.games.potion_contest.orders import carry_out, legal_choices
from pepperenvs.games.potion_contest.state import (
    CHOOSING,
    DEAL,
    DRAWING,
    MAINTENANCE,
    NOTHING,
    OVER,
    RESHUFFLE,
    SET_UP,
    TIEBREAK_RECIPE,
    TIED,
    VISIBLE,
)
from pepperenvs.games.potion_contest.tables import (
    CELLS,
    COPIES,
    FIRST_TILE,
    NUM_ORDERS,
    NUM_RECIPES,
    NUM_TILES_AT,
    ORDER_COPIES,
    RECIPE_LENGTHS,
    TIEBREAK,
    TIEBREAK_LENGTH,
    TURNS,
)


@kernel
def reset(state):
    """Lay out tiles, recipe tiles and orders, unshuffled; the deal is awaited."""
    for index in range(NUM_TILES_AT[state.level]):
        tile = FIRST_TILE[state.level] + index
        state.recipe_pile[index] = tile // COPIES
        for seat in range(state.num_seats):
            state.board[seat, CELLS[state.level, index]] = 1 + TURNS * tile
    for order in range(NUM_ORDERS):
        for _ in range(ORDER_COPIES[order]):
            state.pile[state.pile_len] = order
            state.pile_len += 1
    for seat in range(state.num_seats):
        state.choice[seat] = NOTHING
        state.last_choice[seat] = NOTHING
        state.playing[seat] = 1
        if state.level > 1:
            state.own[seat] = 1
            state.orders_left[seat] = state.personal_orders[seat]
    state.stage = SET_UP
    state.pending = DEAL


@kernel
def chance(state):
    """The deal: shuffle and turn tiles, shuffle recipe tiles and orders. Else: the new pile, or the tie-break's recipe.

    Of the recipe tiles that the tie-break leaves, the order means nothing.
    """
    if state.pending != TIEBREAK_RECIPE:
        shuffle(state.pile, 0, state.pile_len, state.rng)
    if state.pending != RESHUFFLE:
        shuffle(state.recipe_pile, 0, NUM_TILES_AT[state.level], state.rng)
    if state.pending == TIEBREAK_RECIPE:
        sort_pile(state.recipe_pile, TIEBREAK_LENGTH, NUM_TILES_AT[state.level])
    if state.pending == DEAL:
        for seat in range(state.num_seats):
            shuffle_board(state.board[seat], state.level, state.rng)


@kernel
def shuffle_board(board, level, rng):
    """Shuffle the tiles of a board, none of which is turned, and turn each at random."""
    for last in range(NUM_TILES_AT[level] - 1, -1, -1):
        other = CELLS[level, below(rng, last + 1)]
        code = np.int64(board[other])
        board[other] = board[CELLS[level, last]]
        board[CELLS[level, last]] = code + below(rng, TURNS)


@kernel
def legal_actions(state, ids):
    """The legal actions of the seat to move.

    ids        int32 [actions], receives their indices in ascending order
    returns    how many there are
    """
    return legal_choices(state, state.to_move, ids)


@kernel
def step(state, action):
    """The seat to move chooses, unseen by the others; nothing is done before all have chosen.  [R1]"""
    state.moves += 1
    state.choice[state.to_move] = action


@kernel
def advance(state):
    """Carry the rules on to the next decision, random outcome, or end."""
    state.pending = 0
    while True:
        if state.stage == SET_UP:
            set_up(state)
            state.stage = CHOOSING
        elif state.stage == CHOOSING:
            if ask_next_seat(state):
                break
            carry_out_all(state)
            verify(state)
            state.stage = MAINTENANCE
            if decide(state):
                break
        elif state.stage == TIED:
            begin_tiebreak(state)
            state.stage = MAINTENANCE
        elif state.stage == MAINTENANCE:
            discard_order(state)
            state.stage = DRAWING
        else:
            if not draw_last_order(state):
                break
            state.turn += 1
            state.stage = CHOOSING


@kernel
def set_up(state):
    """Deal the recipes from the recipe tiles, turn the first orders face up."""
    dealt = 0
    for row in range(NUM_RECIPES):
        for place in range(RECIPE_LENGTHS[state.level, row]):
            state.recipe[row, place] = state.recipe_pile[dealt]
            dealt += 1
    sort_pile(state.recipe_pile, 0, NUM_TILES_AT[state.level])
    for place in range(VISIBLE):
        state.visible[place] = draw_order(state)
    state.turn = 1


@kernel
def ask_next_seat(state):
    """The next seat that has still to choose, in seat order, is to move; False if all have.  [R1]"""
    for seat in range(state.num_seats):
        if state.playing[seat] and state.choice[seat] == NOTHING:
            state.to_move = seat
            return True
    return False


@kernel
def carry_out_all(state):
    """What the seats have chosen is done on all boards together.  [R1]"""
    for seat in range(state.num_seats):
        if state.playing[seat]:
            carry_out(state, seat, np.int64(state.choice[seat]))
        state.last_choice[seat] = state.choice[seat]
        state.choice[seat] = NOTHING


# ------------------------------------------------------------------------------------------------ end of the turn


@kernel
def decide(state):
    """After a verification: the end, or a tie-break; True if the game is over or a recipe is awaited.  [R6, R7]"""
    fewest, num_first = fewest_spent(state), 0
    for seat in range(state.num_seats):
        num_first += np.int64(state.done[seat, TIEBREAK] if state.is_tiebreak else is_leader(state, seat, fewest))
    is_tied = num_first > 1 and not state.is_tiebreak
    is_decided = num_first > 0 and not is_tied
    if is_decided or state.turn >= state.max_turns:
        end_game(state)
        state.truncated = not is_decided and state.num_seats > 1
        return True
    if is_tied:
        state.pending = TIEBREAK_RECIPE
        state.stage = TIED
    return is_tied


@kernel
def fewest_spent(state):
    """The fewest personal orders that a seat with all recipes has spent; NOTHING if no seat has all."""
    fewest = NOTHING
    for seat in range(state.num_seats):
        if state.score[seat] == NUM_RECIPES and (fewest == NOTHING or state.spent[seat] < fewest):
            fewest = np.int64(state.spent[seat])
    return fewest


@kernel
def is_leader(state, seat, fewest):
    """Whether a seat has all recipes and has spent no more personal orders than `fewest`."""
    return state.score[seat] == NUM_RECIPES and state.spent[seat] == fewest


@kernel
def begin_tiebreak(state):
    """The tied seats play on for a recipe that is dealt from all recipe tiles.  [R6]"""
    for place in range(TIEBREAK_LENGTH):
        state.recipe[TIEBREAK, place] = state.recipe_pile[place]
    fewest = fewest_spent(state)
    for seat in range(state.num_seats):
        state.playing[seat] = is_leader(state, seat, fewest)
    state.is_tiebreak = 1


@kernel
def discard_order(state):
    """The current order is discarded, the others move up."""
    state.discards[state.visible[0]] += 1
    for place in range(VISIBLE - 1):
        state.visible[place] = state.visible[place + 1]


@kernel
def draw_last_order(state):
    """Turn up the order after the visible ones; False if the discards must become the pile first, and lie there."""
    if state.pile_len == 0:
        for order in range(NUM_ORDERS):
            for _ in range(state.discards[order]):
                state.pile[state.pile_len] = order
                state.pile_len += 1
            state.discards[order] = 0
        state.pending = RESHUFFLE
        return False
    state.visible[VISIBLE - 1] = draw_order(state)
    return True


@kernel
def draw_order(state):
    """Remove and return the top order; the pile is not empty. No trace of it stays."""
    state.pile_len -= 1
    order = state.pile[state.pile_len]
    state.pile[state.pile_len] = 0
    return order


@kernel
def end_game(state):
    """More recipes stand first, then fewer personal orders spent, then winners of the tie-break.  [R6]"""
    for seat in range(state.num_seats):
        before = 0
        for other in range(state.num_seats):
            before += is_before(state, other, seat)
        state.standing[seat] = before
    state.to_move = OVER


@kernel
def conclude(state):
    """End the game as the table lies, as its limit would.  [R7]"""
    end_game(state)
    state.truncated = state.num_seats > 1


@kernel
def is_before(state, seat, other):
    """Whether a seat stands before another one."""
    if state.score[seat] != state.score[other]:
        return state.score[seat] > state.score[other]
    if state.spent[seat] != state.spent[other]:
        return state.spent[seat] < state.spent[other]
    return state.done[seat, TIEBREAK] > state.done[other, TIEBREAK]


@kernel
def solitaire(state):
    """The result of a player alone: 1 with all recipes, else -1 + 2 x done / 3.  [R7]"""
    return -1.0 + 2.0 * state.score[0] / NUM_RECIPES
