"""The rules of Scoville as kernels: what happens when; each phase has a module of its own.

RULES.md has the text; [R…] are its rulings.
"""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.core.rng import below, shuffle, sort_pile
from pepperenvs.games.scoville.actions import BID, CLAIM, MARKET, MAX_SALE, PASS, PLANT, PLOT, RECIPE, SELL, SPACE, STEP
from pepperenvs.games.scoville.auction import (
    choose_space,
    claim,
    legal_bids,
    legal_claims,
    legal_spaces,
    next_chooser,
    open_bidding,
    refill_house,
    settle_order,
)
from pepperenvs.games.scoville.fulfillment import can_fulfil, cook, end_orders, fulfil, legal_orders, sell
from pepperenvs.games.scoville.geometry import FIRST_PLOTS, NUM_PLOTS
from pepperenvs.games.scoville.harvest import can_step, end_walk, legal_steps, place_farmer, walk
from pepperenvs.games.scoville.planting import (
    choose_colour,
    end_planting,
    legal_plantings,
    plant,
    put_in_field,
)
from pepperenvs.games.scoville.state import (
    BIDDING,
    CHECKING,
    CHOOSING,
    CLAIMING,
    DEAL,
    FULFILLING,
    HARVESTING,
    NOBODY,
    NOTHING,
    PLANTING,
    REFILLING,
    SET_UP,
    START_COINS,
)
from pepperenvs.games.scoville.tables import (
    AFTERNOON,
    BLUE,
    LARGE_TABLE,
    MORNING,
    NUM_PLAQUES,
    NUM_RECIPES,
    NUM_TILES,
    NUM_TYPES,
    PER_PERIOD,
    PLAQUE_USED,
    RED,
    SHOWN_MARKET,
    SHOWN_RECIPES,
    TYPE_COPIES,
    YELLOW,
)
from pepperenvs.games.scoville.time_check import check_time, end_game, show

_LEFT, _RIGHT = FIRST_PLOTS


@kernel
def reset(state):
    """Lay everything out unshuffled; the deal is awaited."""
    for seat in range(state.num_seats):
        state.coins[seat] = START_COINS
        state.order[seat] = seat
        state.farmer[seat] = NOTHING
        state.house[seat] = NOTHING
        for colour in range(RED, BLUE + 1):
            state.peppers[seat, colour] = 1
        for tile in range(NUM_TILES):
            state.tiles[seat, tile] = 1
    open_bidding(state)
    for plaque in range(NUM_PLAQUES):
        if not PLAQUE_USED[np.int64(state.num_seats >= LARGE_TABLE), plaque]:
            state.plaque_owner[plaque] = NOBODY
    for index in range(PER_PERIOD):
        state.morning_pile[index] = index
        state.afternoon_pile[index] = PER_PERIOD + index
    for index in range(NUM_RECIPES):
        state.recipe_pile[index] = index
    state.deck_len = lay_out_deck(state.deck, MORNING)
    lay_out_deck(state.next_deck, AFTERNOON)
    state.plot[_LEFT], state.plot[_RIGHT] = RED + 1, YELLOW + 1
    state.rounds = 1
    state.colour = NOTHING
    state.heading = NOTHING
    state.last_seat = NOBODY
    state.stage = SET_UP
    state.pending = DEAL


@kernel
def lay_out_deck(deck, period):
    """All auction cards of a period, by type; returns how many."""
    length = 0
    for kind in range(NUM_TYPES):
        for _ in range(TYPE_COPIES[period, kind]):
            deck[length] = kind
            length += 1
    return length


@kernel
def chance(state):
    """The deal: shuffle decks and piles, draw the turn order and the first two peppers. Else: the new deck.  [R5]"""
    shuffle(state.deck, 0, state.deck_len, state.rng)
    if state.pending == DEAL:
        shuffle(state.next_deck, 0, len(state.next_deck), state.rng)
        shuffle(state.morning_pile, 0, PER_PERIOD, state.rng)
        shuffle(state.afternoon_pile, 0, PER_PERIOD, state.rng)
        shuffle(state.recipe_pile, 0, NUM_RECIPES, state.rng)
        sort_pile(state.morning_pile, SHOWN_MARKET[state.num_seats], PER_PERIOD)  # what leaves the game has no order
        sort_pile(state.recipe_pile, SHOWN_RECIPES[state.num_seats], NUM_RECIPES)
        shuffle(state.order, 0, state.num_seats, state.rng)
        left = below(state.rng, 3)
        right = below(state.rng, 2)
        state.plot[_LEFT] = left + 1
        state.plot[_RIGHT] = (right if right < left else right + 1) + 1


@kernel
def set_up(state):
    """Show market and recipes, plant the two peppers that the deal has laid beside the star."""
    state.num_market = SHOWN_MARKET[state.num_seats]
    show(state.morning_pile, state.num_market, state.market)
    state.num_recipes = SHOWN_RECIPES[state.num_seats]
    show(state.recipe_pile, state.num_recipes, state.recipes)
    for plot in FIRST_PLOTS:
        colour = np.int64(state.plot[plot]) - 1
        state.plot[plot] = 0
        put_in_field(state, plot, colour)


@kernel
def legal_actions(state, ids):
    """The legal actions of the seat to move.

    ids        int32 [actions], receives their indices in ascending order
    returns    how many there are
    """
    if state.stage == HARVESTING:
        return legal_steps(state, ids)
    if state.stage == PLANTING:
        return legal_plantings(state, ids)
    if state.stage == FULFILLING:
        return legal_orders(state, ids)
    if state.stage == CLAIMING:
        return legal_claims(state, ids)
    if state.stage == BIDDING:
        return legal_bids(state, ids)
    return legal_spaces(state, ids)


@kernel
def step(state, action):
    """Play a legal action for the seat to move."""
    seat = state.to_move
    state.moves += 1
    state.last_seat = seat
    state.last_action = action
    if action < SPACE:
        state.bid[seat] = action - BID
        state.turn += 1
        state.last_seat = NOBODY  # nobody may see it
        state.last_action = 0
    elif action < CLAIM:
        choose_space(state, seat, action - SPACE)
    elif action < PLANT:
        claim(state, seat, action - CLAIM)
        state.turn += 1
    elif action < PLOT:
        choose_colour(state, seat, action - PLANT)
    elif action < STEP:
        plant(state, seat, action - PLOT)
    elif action < PASS:
        walk(state, seat, action - STEP)
    elif action == PASS:
        pass_on(state)
    elif action < RECIPE:
        fulfil(state, seat, action - MARKET)
    elif action < SELL:
        cook(state, seat, action - RECIPE)
    else:
        sell(state, seat, (action - SELL) // MAX_SALE, (action - SELL) % MAX_SALE + 1)


@kernel
def pass_on(state):
    """The seat's turn in this phase is over."""
    if state.stage == PLANTING:
        end_planting(state)
    elif state.stage == HARVESTING:
        end_walk(state)
    else:
        end_orders(state)


@kernel
def advance(state):
    """Carry the rules on to the next decision, reshuffle, or end."""
    state.pending = 0
    while True:
        if state.stage == SET_UP:
            set_up(state)
            enter(state, REFILLING)
        elif state.stage == BIDDING:
            if state.turn < state.num_seats:
                state.to_move = state.order[state.turn]
                return
            enter(state, CHOOSING)
        elif state.stage == CHOOSING:
            state.to_move = next_chooser(state)
            if state.to_move != NOBODY:
                return
            settle_order(state)
            enter(state, CLAIMING)
        elif state.stage == CLAIMING:
            if state.turn < state.num_seats:
                state.to_move = state.order[state.turn]
                return
            enter(state, REFILLING)
        elif state.stage == REFILLING:
            if refill_house(state):
                return
            enter(state, CLAIMING if state.moves == 0 else PLANTING)  # the first house comes before anything else
        elif state.stage == PLANTING:
            if ask_planter(state):
                return
            enter(state, HARVESTING)
        elif state.stage == HARVESTING:
            if ask_harvester(state):
                return
            enter(state, FULFILLING)
        elif state.stage == FULFILLING:
            if ask_for_orders(state):
                return
            enter(state, CHECKING)
        else:
            if not check_time(state):
                end_game(state)
                return
            begin_round(state)


@kernel
def enter(state, stage):
    """The next stage of the round begins."""
    state.stage = stage
    state.turn = 0


@kernel
def begin_round(state):
    """Bids are made, and every seat may take a plaque again.  [R7]"""
    open_bidding(state)
    for seat in range(state.num_seats):
        state.has_plaque[seat] = 0
    enter(state, BIDDING)


@kernel
def ask_planter(state):
    """The next seat in turn order is to plant; False if all have, or the field is full.  [R6]"""
    if state.turn < state.num_seats and (state.num_planted < NUM_PLOTS or state.colour != NOTHING):
        state.to_move = state.order[state.turn]
        return True
    return False


@kernel
def ask_harvester(state):
    """The next seat in reverse turn order that can step is to move; False if all have walked.  [R8]"""
    while state.turn < state.num_seats:
        seat = state.order[state.num_seats - 1 - state.turn]
        place_farmer(state, seat)
        if can_step(state, seat):
            state.to_move = seat
            return True
        end_walk(state)
    return False


@kernel
def ask_for_orders(state):
    """The next seat in turn order that can fulfil or sell anything is to move; False if none can."""
    while state.turn < state.num_seats:
        seat = state.order[state.turn]
        if can_fulfil(state, seat):
            state.to_move = seat
            return True
        end_orders(state)
    return False
