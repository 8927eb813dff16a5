"""What the scripted player of Scoville wants to hold, and the walk that brings most of it.

Amounts are tenths of a point. Peppers are packed into one number, a digit for each colour, as in tables.PACK_BITS: a
whole hand is compared with a card by a few operations. A digit stops at PACK_MOST, of which no card wants more.
"""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.scoville.actions import PASS, STEP
from pepperenvs.games.scoville.fulfillment import can_pay, packed_hand
from pepperenvs.games.scoville.geometry import (
    EXITS,
    HALVES,
    LEADS_TO,
    NUM_NOTCHES,
    NUM_STEPS,
    NUM_VERTICAL,
    STEP_TRAVEL,
)
from pepperenvs.games.scoville.harvest import ALL_CORNERS, FREE_STEPS, is_open, is_way, next_to_walk
from pepperenvs.games.scoville.state import NOTHING
from pepperenvs.games.scoville.tables import (
    AFTERNOON,
    COINS_PER_POINT,
    FIRST_OFFER,
    MARKET_COINS,
    MARKET_COST,
    MARKET_PACKED,
    MARKET_POINTS,
    NUM_COLOURS,
    OFFER_REWARD,
    PACK_BITS,
    PACK_HIGH,
    PACK_MOST,
    RECIPE_PACKED,
    RECIPE_POINTS,
    TILE_POINTS,
    WORTH,
    YIELD_COLOUR,
    YIELD_COUNT,
)

POINT = 10  # tenths
LOST = -1000000  # less than anything is worth

# What a pepper is worth for each of its points in recipes: wished for, not wished for, one too many.
NEEDED, SPARE, GLUT = 10, 4, 1
ENOUGH = 3  # peppers of a colour; further ones that are not wished for are too many

# Effort is what it takes to find a pepper, for each of its points in recipes: bred near, bred elsewhere, not bred.
NEAR, FAR, UNSEEN = 2, 3, 5
A_ROUND, NO_ROUND = 8, 2  # effort that each recipe takes besides, since a round cooks but one; when no other will come
EFFORT_BITS = 6  # of each colour in packed efforts
ONE_WALK = 6  # half plots that a farmer comes in three steps

COOK_NOW = 5  # for each point of the dearest recipe that a walk lets it cook; all of it, POINT, when the game is ending
PROSPECT = 4  # the best yield beside the end of a walk counts one part in so many

_PLACES = PACK_BITS * np.arange(NUM_COLOURS)
YIELD_PACKED = YIELD_COUNT << PACK_BITS * YIELD_COLOUR  # [yields]
REWARD_PACKED = (OFFER_REWARD << _PLACES).sum(axis=1)  # [offers]
CARD_WORTH = (OFFER_REWARD[FIRST_OFFER] - MARKET_COST) @ WORTH  # points in recipes gained by a card's peppers, [cards]
WORTH_PACKED = int((WORTH << _PLACES).sum())
ENOUGH_PACKED = int((ENOUGH << _PLACES).sum())


# ------------------------------------------------------------------------------------------- packed peppers


@kernel
def plain_hand(state, seat):
    """A seat's peppers, packed, without the high bits."""
    return packed_hand(state, seat) ^ PACK_HIGH


@kernel
def add(peppers, more):
    """Both together; a digit stops at PACK_MOST, of which no card wants more."""
    total = peppers + more
    full = total & PACK_HIGH
    return (total | (full - (full >> 3))) & ~PACK_HIGH


@kernel
def missing(hand, cost):
    """What a hand lacks of a cost: in each digit the difference, 0 where the hand has enough."""
    apart = (cost | PACK_HIGH) - hand
    lacks = apart & PACK_HIGH
    return apart & (lacks - (lacks >> 3))


@kernel
def digit(peppers, colour):
    """How many of a colour."""
    return (peppers >> (PACK_BITS * colour)) & PACK_MOST


@kernel
def weigh(peppers, weights, bits):
    """The sum of packed peppers times the weights of their colours, which are packed in digits of `bits`."""
    total, most = 0, (1 << bits) - 1
    while peppers != 0:
        total += (peppers & PACK_MOST) * (weights & most)
        peppers >>= PACK_BITS
        weights >>= bits
    return total


@kernel
def worth_of(peppers):
    """Points in recipes of packed peppers."""
    return weigh(peppers, WORTH_PACKED, PACK_BITS)


# ------------------------------------------------------------------------------- the aim, what peppers are worth


@kernel
def is_ending(state):
    """Whether the game is sure to end with this round."""
    if state.is_last or state.rounds == state.max_rounds:
        return True
    return state.period == AFTERNOON and state.num_market < state.num_seats and state.num_recipes < state.num_seats


@kernel
def bred(state, seat):
    """Bits of the colours that the field breeds within a walk of the seat's farmer, then of those bred anywhere."""
    notch = next_to_walk(state, seat)
    near, anywhere = 0, 0
    for other in range(NUM_NOTCHES):
        found = np.int64(state.notch_yield[other])
        if found != 0:
            bit = np.int64(1) << YIELD_COLOUR[found]
            anywhere |= bit
            if distance(notch, other) <= ONE_WALK:
                near |= bit
    return near, anywhere


@kernel
def distance(notch, other):
    """Half plots between two notches; a step covers two."""
    return abs(np.int64(HALVES[notch, 0]) - np.int64(HALVES[other, 0])) + abs(
        np.int64(HALVES[notch, 1]) - np.int64(HALVES[other, 1])
    )


@kernel
def efforts(state, seat):
    """What it takes to find a pepper of each colour, packed in digits of EFFORT_BITS."""
    near, anywhere = bred(state, seat)
    total = 0
    for colour in range(NUM_COLOURS):
        effort = UNSEEN
        if (near >> colour) & 1:
            effort = NEAR
        elif (anywhere >> colour) & 1:
            effort = FAR
        total |= (effort * WORTH[colour]) << (EFFORT_BITS * colour)
    return total


@kernel
def aims(state, seat, hand):
    """What a seat wants to hold: the cost of the recipe that it aims at; that with the cost of a market card."""
    effort = efforts(state, seat)
    work = NO_ROUND if is_ending(state) else A_ROUND
    cost = recipe_aim(state, hand, effort, work)
    left = missing(cost, hand)  # what the recipe leaves of the hand
    return cost, add(cost, market_aim(state, left, effort, work))


@kernel
def recipe_aim(state, hand, effort, work):
    """The cost of the recipe shown that brings most points for the effort of what it lacks and a round's; 0 if none."""
    best, cost = 0, np.int64(0)
    for place in range(state.num_recipes):
        recipe = state.recipes[place]
        rate = 1000 * RECIPE_POINTS[recipe] // (work + weigh(missing(hand, RECIPE_PACKED[recipe]), effort, EFFORT_BITS))
        if rate >= best:
            best, cost = rate, RECIPE_PACKED[recipe]
    return cost


@kernel
def market_aim(state, hand, effort, work):
    """The cost of the market card shown that gains most for the effort of what it lacks and a round's; 0 if none."""
    best, cost = 0, np.int64(0)
    for place in range(state.num_market):
        card = state.market[place]
        gain = card_coins(card) + SPARE * CARD_WORTH[card]
        rate = 100 * gain // (work + weigh(missing(hand, MARKET_PACKED[card]), effort, EFFORT_BITS))
        if rate > best:
            best, cost = rate, MARKET_PACKED[card]
    return cost


@kernel
def card_coins(card):
    """What a market card brings in points and coins."""
    return POINT * (MARKET_POINTS[card] * COINS_PER_POINT + MARKET_COINS[card]) // COINS_PER_POINT


@kernel
def spare_rate(state):
    """What a pepper that the aim does not need is worth for each of its points."""
    return GLUT if is_ending(state) else SPARE


@kernel
def common(peppers, others):
    """What two packed numbers have in common: the smaller of each digit."""
    return others - missing(peppers, others)


@kernel
def value(hand, wishes, rate):
    """What a hand is worth: all that is wished for in full, of the rest enough of each colour at a rate."""
    worth = GLUT * worth_of(hand) + (rate - GLUT) * worth_of(common(hand, ENOUGH_PACKED))
    return worth + (NEEDED - rate) * worth_of(common(hand, wishes))


# -------------------------------------------------------------------------------------------------- harvesting


@kernel
def find_worth(found, hand, need, rate):
    """What a notch's yield is worth."""
    colour, count = YIELD_COLOUR[found], YIELD_COUNT[found]
    useful = min(count, digit(need, colour))
    if digit(hand, colour) >= ENOUGH:
        rate = np.int64(GLUT)
    return WORTH[colour] * (rate * count + (NEEDED - rate) * useful)


@kernel
def choose_step(state, seat):
    """The first step of the walk that brings most; tiles are spent for what is worth more than their points."""
    hand = plain_hand(state, seat)
    need, rate = missing(hand, aims(state, seat, hand)[1]), spare_rate(state)
    if is_ending(state):
        need = np.int64(0)  # only what can be cooked at once counts
    cash, notch = payable(state, hand), np.int64(state.farmer[seat])
    best, action = LOST, np.int64(PASS)
    if state.steps > 0:
        best = stop(state, notch, hand, need, rate, cash)
    for corner in range(ALL_CORNERS):
        if is_way(state, seat, corner):
            for step in range(corner * EXITS, (corner + 1) * EXITS):
                if is_open(state, notch, step):
                    worth = walk_first(state, notch, step, hand, need, rate, cash) - tile_cost(state, corner)
                    if worth > best:
                        best, action = worth, STEP + step
    return action


@kernel
def tile_cost(state, corner):
    """What the tiles are worth that a step through a corner spends."""
    cost = 0
    if state.heading != NOTHING and corner != state.heading:
        cost += POINT * TILE_POINTS
    if state.steps == FREE_STEPS:
        cost += POINT * TILE_POINTS
    return cost


@kernel
def stop(state, notch, hand, need, rate, cash):
    """What it is worth to end a walk at a notch: the recipe that can be cooked, and what lies before the next walk."""
    best = 0
    start = 0 if notch < NUM_VERTICAL else NUM_STEPS // 2
    for step in range(start, start + NUM_STEPS // 2):
        target = LEADS_TO[notch, step]
        if target != NOTHING:
            best = max(best, find_worth(np.int64(state.notch_yield[target]), hand, need, rate))
    return cash + best // PROSPECT


@kernel
def payable(state, hand):
    """What the dearest recipe shown that a hand can pay is worth; they lie in the order of their points."""
    worth = POINT if is_ending(state) else COOK_NOW
    for place in range(state.num_recipes - 1, -1, -1):
        if can_pay(hand | PACK_HIGH, RECIPE_PACKED[state.recipes[place]]):
            return worth * RECIPE_POINTS[state.recipes[place]]
    return np.int64(0)


@kernel
def cash_after(state, found, hand, cash):
    """What the dearest recipe that a hand can pay after a step is worth; `cash` if the step has found nothing."""
    return payable(state, hand) if found != 0 else cash


@kernel
def walk_first(state, notch, step, hand, need, rate, cash):
    """What a walk is worth that begins with this step: what it finds, and the best way on with the steps left."""
    target, heading = np.int64(LEADS_TO[notch, step]), STEP_TRAVEL[step]
    found = np.int64(state.notch_yield[target])
    held, rest = add(hand, YIELD_PACKED[found]), missing(YIELD_PACKED[found], need)
    gain, cash = find_worth(found, hand, need, rate), cash_after(state, found, held, cash)
    if state.steps + 1 >= FREE_STEPS:
        return gain + stop(state, target, held, rest, rate, cash)
    if state.steps + 2 >= FREE_STEPS:
        return gain + walk_last(state, target, heading, held, rest, rate, cash)
    return gain + walk_second(state, target, heading, held, rest, rate, cash)


@kernel
def walk_second(state, notch, heading, hand, need, rate, cash):
    """What a walk is still worth at a notch from which it may go on for two steps."""
    best = stop(state, notch, hand, need, rate, cash)
    for step in range(heading * EXITS, (heading + 1) * EXITS):
        if is_open(state, notch, step):
            target = np.int64(LEADS_TO[notch, step])
            found = np.int64(state.notch_yield[target])
            held, rest = add(hand, YIELD_PACKED[found]), missing(YIELD_PACKED[found], need)
            now = cash_after(state, found, held, cash)
            worth = walk_last(state, target, STEP_TRAVEL[step], held, rest, rate, now)
            best = max(best, worth + find_worth(found, hand, need, rate))
    return best


@kernel
def walk_last(state, notch, heading, hand, need, rate, cash):
    """What a walk is still worth at a notch from which it may go on for one step."""
    best = stop(state, notch, hand, need, rate, cash)
    for step in range(heading * EXITS, (heading + 1) * EXITS):
        if is_open(state, notch, step):
            target = np.int64(LEADS_TO[notch, step])
            found = np.int64(state.notch_yield[target])
            held, rest = add(hand, YIELD_PACKED[found]), missing(YIELD_PACKED[found], need)
            worth = stop(state, target, held, rest, rate, cash_after(state, found, held, cash))
            best = max(best, worth + find_worth(found, hand, need, rate))
    return best
