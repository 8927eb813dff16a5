"""Scoville: what must hold between two moves."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.scoville.fulfillment import MARKET_CARD, RECIPE_CARD
from pepperenvs.games.scoville.geometry import BESIDE, BEYOND, NUM_NOTCHES, NUM_PLOTS, STAR
from pepperenvs.games.scoville.state import (
    BIDDING,
    CHECKING,
    CHOOSING,
    NOBODY,
    NOTHING,
    OVER,
    SET_UP,
)
from pepperenvs.games.scoville.tables import (
    AFTERNOON,
    LARGE_TABLE,
    MARKET_POINTS,
    MAX_DECK,
    MORNING,
    NUM_COLOURS,
    NUM_MARKET,
    NUM_PLAQUES,
    NUM_RECIPES,
    NUM_TILES,
    NUM_TYPES,
    PER_PERIOD,
    PLAQUE_POINTS,
    PLAQUE_STACK,
    PLAQUE_USED,
    RECIPE_POINTS,
    SHOWN_MARKET,
    SHOWN_RECIPES,
    TYPE_COPIES,
    YIELD,
    YIELD_WORTH,
)

AUDITS = {
    1: "a seat, stage, card, place or length is out of range, or an outcome is awaited",
    2: "the turn order, the spaces or the bids are not those of the seats",
    3: "an auction card is missing or there twice",
    4: "a market card is missing or there twice, or out of its place",
    5: "a recipe is missing or there twice, or out of its place",
    6: "a plaque is there twice, or was not on top",
    7: "a tile is there twice",
    8: "coins or peppers are negative",
    9: "the field's counts, yields or free plots are not those of its plots",
    10: "farmers and notches do not agree",
    11: "points or numbers of cards won are not those of the cards",
}


@kernel
def audit(state):
    """0 if the state is sound between two moves, else a number of AUDITS."""
    if not is_in_range(state):
        return 1
    if not is_order_sound(state):
        return 2
    if not is_auction_sound(state):
        return 3
    if not is_market_sound(state):
        return 4
    if not is_cookery_sound(state):
        return 5
    if not are_plaques_sound(state):
        return 6
    for seat in range(state.num_seats):
        fault = audit_seat(state, seat)
        if fault:
            return fault
    if not is_field_sound(state):
        return 9
    return 0 if are_farmers_sound(state) else 10


@kernel
def all_within(cells, low, stop):
    """Whether all cells of an array lie in low .. stop-1."""
    for index in range(len(cells)):
        if cells[index] < low or cells[index] >= stop:
            return False
    return True


@kernel
def is_in_range(state):
    """Whether all that kernels use as an index or a length is one: without this a forged save could write anywhere."""
    n = state.num_seats
    if not (OVER <= state.to_move < n and state.pending == 0 and SET_UP <= state.stage <= CHECKING):
        return False
    if not (MORNING <= state.period <= AFTERNOON and MORNING <= state.house_period <= state.period):
        return False
    if not (0 <= state.turn <= n and 1 <= state.rounds <= state.max_rounds and 0 <= state.steps <= 4):
        return False
    if not (NOTHING <= state.colour < NUM_COLOURS and NOTHING <= state.heading < 4 and 0 <= state.is_extra <= 1):
        return False
    if not (0 <= state.deck_len <= MAX_DECK and NOBODY <= state.last_seat < n and 0 <= state.is_last <= 1):
        return False
    if not (0 <= state.num_market <= SHOWN_MARKET[n] and 0 <= state.num_recipes <= SHOWN_RECIPES[n]):
        return False
    if not (all_within(state.plot, 0, NUM_COLOURS + 1) and all_within(state.farmer, NOTHING, NUM_NOTCHES)):
        return False
    if not (all_within(state.deck, 0, NUM_TYPES) and all_within(state.next_deck, 0, NUM_TYPES)):
        return False
    if not (all_within(state.house, NOTHING, NUM_TYPES) and all_within(state.discards, 0, MAX_DECK)):
        return False
    if not (all_within(state.morning_pile, 0, PER_PERIOD) and all_within(state.recipe_pile, 0, NUM_RECIPES)):
        return False
    if not all_within(state.afternoon_pile, PER_PERIOD, NUM_MARKET):
        return False
    if not (all_within(state.market, 0, NUM_MARKET) and all_within(state.recipes, 0, NUM_RECIPES)):
        return False
    return (
        all_within(state.market_owner, 0, n + 1)
        and all_within(state.recipe_owner, 0, n + 1)
        and all_within(state.plaque_owner, NOBODY, n + 1)
        and all_within(state.order, 0, n)
        and all_within(state.space, NOBODY, n)
        and all_within(state.done, 0, 2)
    )


@kernel
def is_order_sound(state):
    """Every seat once in the order; who has a space has one; no bid is above the coins that must pay it."""
    for seat in range(state.num_seats):
        places, spaces = 0, 0
        for place in range(state.num_seats):
            places += state.order[place] == seat
            spaces += state.space[place] == seat
        if places != 1 or spaces != state.has_space[seat]:
            return False
        if not NOTHING <= state.bid[seat] <= state.max_bid:
            return False
        unpaid = state.stage == BIDDING or (state.stage == CHOOSING and not state.has_space[seat])
        if unpaid and state.bid[seat] > state.coins[seat]:
            return False
    return True


@kernel
def is_auction_sound(state):
    """Deck, discards and house hold the period's cards; the afternoon's lie apart in the morning."""
    for kind in range(NUM_TYPES):
        count, later = np.int64(state.discards[kind]), 0
        for index in range(state.deck_len):
            count += state.deck[index] == kind
        if state.house_period == state.period:
            for place in range(state.num_seats):
                count += state.house[place] == kind
        if count != TYPE_COPIES[state.period, kind]:
            return False
        if state.period == MORNING:
            for index in range(MAX_DECK):
                later += state.next_deck[index] == kind
            if later != TYPE_COPIES[AFTERNOON, kind]:
                return False
    return True


@kernel
def is_pile_sound(pile, shown, owner, display, length):
    """Each card once in its pile; the first ones are on display in ascending order or won, no other is.

    display, length    length -1 if the pile is not, or no longer, on display
    """
    for index in range(len(pile)):
        for other in range(index):
            if pile[other] == pile[index]:
                return False
    for place in range(1, length):
        if display[place - 1] >= display[place]:
            return False
    for index in range(len(pile)):
        there = 0
        for place in range(length):
            there += display[place] == pile[index]
        if owner[pile[index]] != 0:
            there += 1
        if there > (index < shown) or (length >= 0 and there != (index < shown)):
            return False
    return True


@kernel
def is_market_sound(state):
    shown = SHOWN_MARKET[state.num_seats]
    if state.period == MORNING:
        return is_pile_sound(
            state.morning_pile, shown, state.market_owner, state.market, state.num_market
        ) and is_pile_sound(state.afternoon_pile, 0, state.market_owner, state.market, -1)
    return is_pile_sound(state.morning_pile, shown, state.market_owner, state.market, -1) and is_pile_sound(
        state.afternoon_pile, shown, state.market_owner, state.market, state.num_market
    )


@kernel
def is_cookery_sound(state):
    shown = SHOWN_RECIPES[state.num_seats]
    return is_pile_sound(state.recipe_pile, shown, state.recipe_owner, state.recipes, state.num_recipes)


@kernel
def are_plaques_sound(state):
    """Those that are not used are marked; below a plaque that lies in its stack none is taken."""
    for plaque in range(NUM_PLAQUES):
        used = PLAQUE_USED[np.int64(state.num_seats >= LARGE_TABLE), plaque]
        if (state.plaque_owner[plaque] == NOBODY) != (used == 0):
            return False
        if plaque > 0 and PLAQUE_STACK[plaque] == PLAQUE_STACK[plaque - 1]:
            if state.plaque_owner[plaque] > 0 and state.plaque_owner[plaque - 1] == 0:
                return False
    return True


@kernel
def audit_seat(state, seat):
    """0 or the number of AUDITS that a seat fails."""
    for tile in range(NUM_TILES):
        if not 0 <= state.tiles[seat, tile] <= 1:
            return 7
    if state.coins[seat] < 0:
        return 8
    for colour in range(NUM_COLOURS):
        if state.peppers[seat, colour] < 0:
            return 8
    points, cards, recipes = 0, 0, 0
    for card in range(NUM_MARKET):
        if state.market_owner[card] == seat + 1:
            points += MARKET_POINTS[card]
            cards += 1
    for recipe in range(NUM_RECIPES):
        if state.recipe_owner[recipe] == seat + 1:
            points += RECIPE_POINTS[recipe]
            recipes += 1
    for plaque in range(NUM_PLAQUES):
        if state.plaque_owner[plaque] == seat + 1:
            points += PLAQUE_POINTS[plaque]
    won = state.cards_won[seat]
    if points != state.points[seat] or cards != won[MARKET_CARD] or recipes != won[RECIPE_CARD]:
        return 11
    return 0


@kernel
def is_field_sound(state):
    """What is kept about the field is what its plots give."""
    total = 0
    for colour in range(NUM_COLOURS):
        planted = 0
        for plot in range(NUM_PLOTS):
            planted += state.plot[plot] == colour + 1
        if planted != state.planted[colour]:
            return False
        total += planted
    if total != state.num_planted:
        return False
    for plot in range(NUM_PLOTS):
        beside = False
        for side in range(4):
            beyond = BEYOND[plot, side]
            beside = beside or (beyond != NOTHING and state.plot[beyond] != 0)
        if state.frontier[plot] != (beside and state.plot[plot] == 0):
            return False
    for notch in range(NUM_NOTCHES):
        first, second = BESIDE[notch, 0], BESIDE[notch, 1]
        bred = 0
        if first != NOTHING and second != NOTHING and state.plot[first] != 0 and state.plot[second] != 0:
            bred = YIELD[state.plot[first] - 1, state.plot[second] - 1]
        if state.notch_yield[notch] != bred or state.notch_worth[notch] != YIELD_WORTH[bred]:
            return False
    return True


@kernel
def are_farmers_sound(state):
    """Each farmer is counted on its notch; only the star holds more than one."""
    for notch in range(NUM_NOTCHES):
        count = 0
        for seat in range(state.num_seats):
            count += state.farmer[seat] == notch
        if count != state.num_farmers[notch] or (count > 1 and notch != STAR):
            return False
    return True
