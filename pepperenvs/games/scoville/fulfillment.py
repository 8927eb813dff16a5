"""Scoville, fulfillment: market cards, recipes, sales.                                                 [section 4]"""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.scoville.actions import MARKET, MAX_SALE, PASS, RECIPE, SELL
from pepperenvs.games.scoville.state import MARKET_DONE, RECIPE_DONE, SALE_DONE
from pepperenvs.games.scoville.tables import (
    FIRST_OFFER,
    MARKET_COINS,
    MARKET_COST,
    MARKET_PACKED,
    MARKET_POINTS,
    NUM_CHOICES,
    NUM_COLOURS,
    OFFER_CARD,
    OFFER_REWARD,
    PACK_BITS,
    PACK_HIGH,
    PACK_MOST,
    RECIPE_COST,
    RECIPE_PACKED,
    RECIPE_POINTS,
)

MARKET_CARD, RECIPE_CARD = 0, 1  # places of cards_won


@kernel
def packed_hand(state, seat):
    """A seat's peppers in the form that `can_pay` compares."""
    hand = np.int64(PACK_HIGH)
    for colour in range(NUM_COLOURS):
        hand |= min(np.int64(state.peppers[seat, colour]), PACK_MOST) << (PACK_BITS * colour)
    return hand


@kernel
def can_pay(hand, cost):
    """Whether a packed hand holds all the peppers of a packed cost: no digit borrows from its high bit."""
    return (hand - cost) & PACK_HIGH == PACK_HIGH


@kernel
def price(state, colour):
    """What the bank pays for one pepper, coins; 0 if it does not buy.  [R12]"""
    return np.int64(state.planted[colour]) // 2


@kernel
def can_fulfil(state, seat):
    """Whether the seat can fulfil, cook or sell anything that it has not yet done in this turn."""
    hand = packed_hand(state, seat)
    if not state.done[MARKET_DONE]:
        for place in range(state.num_market):
            if can_pay(hand, MARKET_PACKED[state.market[place]]):
                return True
    if not state.done[RECIPE_DONE]:
        for place in range(state.num_recipes):
            if can_pay(hand, RECIPE_PACKED[state.recipes[place]]):
                return True
    if not state.done[SALE_DONE]:
        for colour in range(NUM_COLOURS):
            if state.peppers[seat, colour] > 0 and price(state, colour) > 0:
                return True
    return False


@kernel
def legal_orders(state, ids):
    """Pass, then the cards that the seat can pay, then sales."""
    seat = state.to_move
    hand = packed_hand(state, seat)
    ids[0] = PASS
    count = 1
    if not state.done[MARKET_DONE]:
        for place in range(state.num_market):
            card = np.int64(state.market[place])
            if can_pay(hand, MARKET_PACKED[card]):
                for choice in range(NUM_CHOICES[card]):
                    ids[count] = MARKET + FIRST_OFFER[card] + choice
                    count += 1
    if not state.done[RECIPE_DONE]:
        for place in range(state.num_recipes):
            recipe = np.int64(state.recipes[place])
            if can_pay(hand, RECIPE_PACKED[recipe]):
                ids[count] = RECIPE + recipe
                count += 1
    if not state.done[SALE_DONE]:
        count = legal_sales(state, seat, ids, count)
    return count


@kernel
def legal_sales(state, seat, ids, count):
    """Up to five peppers of a colour that the bank buys; returns the new count.  [R12]"""
    for colour in range(NUM_COLOURS):
        if price(state, colour) > 0:
            for more in range(min(np.int64(state.peppers[seat, colour]), MAX_SALE)):
                ids[count] = SELL + colour * MAX_SALE + more
                count += 1
    return count


@kernel
def fulfil(state, seat, offer):
    """Pay a market card, take its reward, keep the card."""
    card = OFFER_CARD[offer]
    for colour in range(NUM_COLOURS):
        state.peppers[seat, colour] += OFFER_REWARD[offer, colour] - MARKET_COST[card, colour]
    state.coins[seat] += MARKET_COINS[card]
    state.points[seat] += MARKET_POINTS[card]
    state.market_owner[card] = seat + 1
    state.cards_won[seat, MARKET_CARD] += 1
    state.num_market = take_out(state.market, state.num_market, card)
    state.done[MARKET_DONE] = 1


@kernel
def cook(state, seat, recipe):
    """Pay a recipe's peppers, keep the card."""
    for colour in range(NUM_COLOURS):
        state.peppers[seat, colour] -= RECIPE_COST[recipe, colour]
    state.points[seat] += RECIPE_POINTS[recipe]
    state.recipe_owner[recipe] = seat + 1
    state.cards_won[seat, RECIPE_CARD] += 1
    state.num_recipes = take_out(state.recipes, state.num_recipes, recipe)
    state.done[RECIPE_DONE] = 1


@kernel
def sell(state, seat, colour, count):
    """Sell peppers of one colour to the bank.  [R12]

    count    peppers, 1 .. MAX_SALE
    """
    state.peppers[seat, colour] -= count
    state.coins[seat] += count * price(state, colour)
    state.done[SALE_DONE] = 1


@kernel
def take_out(display, length, card):
    """Take a card out of a display in ascending order; returns its new length."""
    place = 0
    while display[place] != card:
        place += 1
    for later in range(place + 1, length):
        display[later - 1] = display[later]
    display[length - 1] = 0
    return length - 1


@kernel
def end_orders(state):
    """The next seat is to fulfil orders."""
    state.turn += 1
    for what in range(len(state.done)):
        state.done[what] = 0
