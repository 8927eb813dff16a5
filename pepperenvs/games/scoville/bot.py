"""The scripted player of Scoville.

It aims at the recipe that brings most for the trouble of finding the peppers it lacks, and at the market card that it
can best pay besides. It bids when the house holds something better than the rest, plants for plaques and for what it
can breed near its farmer, walks where it finds most, and fulfils what gains most. It remembers what lies behind the
screens [R14]. Amounts are tenths of a point; packed peppers: see bot_route.
"""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.scoville.actions import BID, CLAIM, MARKET, MAX_SALE, PASS, PLANT, PLOT, RECIPE, SELL, SPACE
from pepperenvs.games.scoville.bot_route import (
    LOST,
    ONE_WALK,
    POINT,
    REWARD_PACKED,
    add,
    aims,
    card_coins,
    choose_step,
    digit,
    distance,
    find_worth,
    is_ending,
    missing,
    plain_hand,
    spare_rate,
    value,
    worth_of,
)
from pepperenvs.games.scoville.fulfillment import can_pay, price
from pepperenvs.games.scoville.geometry import BEYOND, NUM_PLOTS, SIDE
from pepperenvs.games.scoville.harvest import next_to_walk
from pepperenvs.games.scoville.planting import top_plaque
from pepperenvs.games.scoville.state import (
    BIDDING,
    CLAIMING,
    FULFILLING,
    HARVESTING,
    MARKET_DONE,
    NOBODY,
    NOTHING,
    PLANTING,
    RECIPE_DONE,
    SALE_DONE,
)
from pepperenvs.games.scoville.tables import (
    COINS_PER_POINT,
    COLOUR_STACK,
    FIRST_OFFER,
    MARKET_PACKED,
    NUM_CHOICES,
    NUM_COLOURS,
    PACK_BITS,
    PACK_HIGH,
    PLAQUE_POINTS,
    RECIPE_PACKED,
    RECIPE_POINTS,
    TILE_POINTS,
    TYPE_PEPPERS,
    WORTH,
    YIELD,
)

BID_SHARE = 2  # it bids at most one part in so many of its coins
CONTESTED = 20  # what it is worth to cook before another seat that aims at, or could soon pay, the same
CLOSE = 4  # points in recipes that a hand may lack which can soon pay
TWO_WALKS = 2 * ONE_WALK
BRED_NEAR, BRED_FAR, BRED_ELSEWHERE = 40, 15, 5  # per cent of a yield credited to a planting: one walk away, two, more

TYPE_PACKED = (TYPE_PEPPERS << PACK_BITS * np.arange(NUM_COLOURS)).sum(axis=1)  # [types]


@kernel
def bot(state):
    """The action of the seat to move; draws no random numbers."""
    seat = state.to_move
    if state.stage == HARVESTING:
        return choose_step(state, seat)
    if state.stage == PLANTING:
        return choose_planting(state, seat)
    if state.stage == FULFILLING:
        return choose_order(state, seat)
    if state.stage == CLAIMING:
        return choose_claim(state, seat)
    if state.stage == BIDDING:
        return choose_bid(state, seat)
    return pick_space(state)


# ---------------------------------------------------------------------------------------------------- auction


@kernel
def choose_claim(state, seat):
    """The card whose peppers are worth most."""
    hand = plain_hand(state, seat)
    wishes, rate = aims(state, seat, hand)[1], spare_rate(state)
    best, kind = -1, np.int64(0)
    for place in range(state.num_seats):
        if state.house[place] != NOTHING:
            worth = value(add(hand, TYPE_PACKED[state.house[place]]), wishes, rate)
            if worth > best:
                best, kind = worth, np.int64(state.house[place])
    return CLAIM + kind


@kernel
def early_gain(state, seat):
    """What a first place in the turn order is worth: the best card instead of an average one, and cooking first."""
    hand = plain_hand(state, seat)
    cost, wishes = aims(state, seat, hand)
    rate = spare_rate(state)
    best, total = 0, 0
    for place in range(state.num_seats):
        worth = value(add(hand, TYPE_PACKED[state.house[place]]), wishes, rate)
        best = max(best, worth)
        total += worth
    gain = best - total // state.num_seats
    return gain + CONTESTED if is_contested(state, seat, cost) else gain


@kernel
def is_contested(state, seat, cost):
    """Whether this seat and another both lack little of what this one aims at."""
    if worth_of(missing(plain_hand(state, seat), cost)) > CLOSE:
        return False
    for other in range(state.num_seats):
        if other != seat and worth_of(missing(plain_hand(state, other), cost)) <= CLOSE:
            return True
    return False


@kernel
def choose_bid(state, seat):
    """What an early place gains, in coins, but not all of its coins."""
    coins = early_gain(state, seat) * COINS_PER_POINT // POINT
    return BID + min(coins, state.coins[seat] // BID_SHARE, state.max_bid)


@kernel
def pick_space(state):
    """The first free space: whoever bids wants to claim, plant and cook early."""
    space = 0
    while state.space[space] != NOBODY:
        space += 1
    return SPACE + space


# --------------------------------------------------------------------------------------------------- planting


@kernel
def choose_planting(state, seat):
    """Plant what brings most; once more only if that is worth more than the tile."""
    hand, rate = plain_hand(state, seat), spare_rate(state)
    wishes = aims(state, seat, hand)[1]
    need = missing(hand, wishes)
    if state.colour != NOTHING:
        return PLOT + best_plot(state, seat, state.colour, hand, need, rate)[0]
    before = value(hand, wishes, rate)
    best, action = np.int64(POINT * TILE_POINTS if state.is_extra else LOST), np.int64(PASS)
    for colour in range(NUM_COLOURS):
        if digit(hand, colour) > 0:
            cost = before - value(hand - (1 << PACK_BITS * colour), wishes, rate)
            gain = best_plot(state, seat, colour, hand, need, rate)[1] + plaque_gain(state, seat, colour) - cost
            if gain > best:
                best, action = gain, np.int64(PLANT + colour)
    return action


@kernel
def plaque_gain(state, seat, colour):
    """Points of the plaque that planting a colour would win."""
    stack = COLOUR_STACK[colour]
    if stack == NOTHING or state.has_plaque[seat]:
        return 0
    plaque = top_plaque(state, stack)
    return POINT * PLAQUE_POINTS[plaque] if plaque != NOTHING else 0


@kernel
def best_plot(state, seat, colour, hand, need, rate):
    """The free plot beside a planted one where a colour breeds most for this seat, and how much."""
    best, chosen = -1, 0
    for plot in range(NUM_PLOTS):
        if state.frontier[plot]:
            gain = breeds(state, seat, colour, plot, hand, need, rate)
            if gain > best:
                best, chosen = gain, plot
    return chosen, best


@kernel
def breeds(state, seat, colour, plot, hand, need, rate):
    """What a colour in a plot would yield on its four sides, less if that is far from the farmer."""
    notch, total = next_to_walk(state, seat), 0
    for side in range(4):
        beyond = BEYOND[plot, side]
        if beyond != NOTHING and state.plot[beyond] != 0:
            found = YIELD[colour, state.plot[beyond] - 1]
            away = distance(notch, SIDE[plot, side])
            share = BRED_NEAR if away <= ONE_WALK else BRED_FAR if away <= TWO_WALKS else BRED_ELSEWHERE
            total += share * find_worth(found, hand, need, rate)
    return total // 100


# ------------------------------------------------------------------------------------------------- fulfillment


@kernel
def choose_order(state, seat):
    """The market card and recipe that together gain most, the card first, as it may pay for the recipe; then a sale."""
    hand, rate = plain_hand(state, seat), spare_rate(state)
    cost, wishes = aims(state, seat, hand)
    if is_ending(state):
        cost, wishes = np.int64(0), np.int64(0)  # what is not cooked now never will be
    gain, recipe = best_recipe(state, hand, cost, rate)
    if not state.done[MARKET_DONE]:
        offer = best_offer(state, hand, cost, rate, gain)
        if offer != NOTHING:
            return MARKET + offer
    if recipe != NOTHING:
        return RECIPE + recipe
    return choose_sale(state, hand, wishes, rate)


@kernel
def best_offer(state, hand, cost, rate, gain):
    """The market card and its reward that, with a recipe after it, gain most; NOTHING if not more than `gain`."""
    before, best, chosen = value(hand, cost, rate), gain, np.int64(NOTHING)
    for place in range(state.num_market):
        card = state.market[place]
        if can_pay(hand | PACK_HIGH, MARKET_PACKED[card]):
            for offer in range(FIRST_OFFER[card], FIRST_OFFER[card] + NUM_CHOICES[card]):
                after = add(hand - MARKET_PACKED[card], REWARD_PACKED[offer])
                gain = card_coins(card) + value(after, cost, rate) - before + best_recipe(state, after, cost, rate)[0]
                if gain > best:
                    best, chosen = gain, np.int64(offer)
    return chosen


@kernel
def best_recipe(state, hand, cost, rate):
    """The gain of the recipe that gains most, and which; 0 and NOTHING for none. The one aimed at robs no other."""
    before, best, chosen = value(hand, cost, rate), np.int64(0), np.int64(NOTHING)
    if state.done[RECIPE_DONE]:
        return best, chosen
    for place in range(state.num_recipes):
        recipe = np.int64(state.recipes[place])
        if can_pay(hand | PACK_HIGH, RECIPE_PACKED[recipe]):
            if RECIPE_PACKED[recipe] == cost:
                gain = (POINT - rate) * RECIPE_POINTS[recipe]
            else:
                gain = POINT * RECIPE_POINTS[recipe] + value(hand - RECIPE_PACKED[recipe], cost, rate) - before
            if gain > best:
                best, chosen = gain, recipe
    return best, chosen


@kernel
def choose_sale(state, hand, wishes, rate):
    """Sell up to five of a colour that it does not wish for, if the bank pays more than they are worth; else pass."""
    best, action = np.int64(0), np.int64(PASS)
    if state.done[SALE_DONE]:
        return action
    for colour in range(NUM_COLOURS):
        count = min(digit(hand, colour) - digit(wishes, colour), MAX_SALE)
        gain = count * (POINT * price(state, colour) - COINS_PER_POINT * rate * WORTH[colour])
        if count > 0 and gain > best:
            best, action = gain, SELL + colour * MAX_SALE + count - 1
    return action
