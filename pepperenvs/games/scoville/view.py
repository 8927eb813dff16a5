"""What a seat may know in Scoville: what it observes, and what is redrawn because it cannot know it."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.core.layout import Layout, Segment
from pepperenvs.core.rng import below, shuffle_anew
from pepperenvs.games.scoville.fulfillment import can_pay, packed_hand, price
from pepperenvs.games.scoville.geometry import (
    HALVES,
    LEADS_TO,
    NUM_NOTCHES,
    NUM_PLOTS,
    NUM_STEPS,
    notch_name,
    plot_name,
)
from pepperenvs.games.scoville.harvest import next_to_walk
from pepperenvs.games.scoville.state import (
    BIDDING,
    CHOOSING,
    FULFILLING,
    HARVESTING,
    MAX_BID,
    MAX_ROUNDS,
    NOBODY,
    NOTHING,
    OVER,
    PLANTING,
)
from pepperenvs.games.scoville.tables import (
    COLOURS,
    MARKET_IDS,
    MARKET_PACKED,
    MARKET_POINTS,
    MAX_DECK,
    MAX_SEATS,
    MORNING,
    NUM_COLOURS,
    NUM_MARKET,
    NUM_PLAQUES,
    NUM_RECIPES,
    NUM_STACKS,
    NUM_TILES,
    NUM_TYPES,
    PER_PERIOD,
    PLAQUE_POINTS,
    PLAQUE_STACK,
    RECIPE_IDS,
    RECIPE_PACKED,
    RECIPE_POINTS,
    SHOWN_MARKET,
    SHOWN_RECIPES,
    STACKS,
    TILES,
    TYPE_COPIES,
    TYPES,
    YIELD_COLOUR,
    YIELD_COUNT,
    YIELD_WORTH,
)

DECISIONS = ("bid", "space", "claim", "plant", "plot", "step", "order")
_BID, _SPACE, _CLAIM, _PLANT, _PLOT, _STEP, _ORDER = range(len(DECISIONS))

# A round brings at most two peppers of a colour by a card, eight by four steps, three as a reward; and coins by
# a sale of five at half the field's price and by the best card.
_MOST_PEPPERS = 1 + 13 * MAX_ROUNDS
_MOST_COINS = 10 + (5 * (NUM_PLOTS // 2) + 7) * MAX_ROUNDS
_MOST_POINTS = int(MARKET_POINTS.sum() + RECIPE_POINTS.sum() + PLAQUE_POINTS.sum())
_PEPPERS, _COINS, _POINTS = 8, 40, 60  # what is usual

_SEATS, _COLOURS, _NOTCHES = {"seats": MAX_SEATS}, {"colours": NUM_COLOURS}, {"notches": NUM_NOTCHES}
_CARDS, _DISHES, _TYPES = {"cards": NUM_MARKET}, {"recipes": NUM_RECIPES}, {"types": NUM_TYPES}

_PLOT_NAMES = tuple(plot_name(plot) for plot in range(NUM_PLOTS))
_NOTCH_NAMES = tuple(notch_name(notch) for notch in range(NUM_NOTCHES))

OBS = Layout(
    Segment("field", {**_COLOURS, "plots": NUM_PLOTS}, 0, 1, "1 for what is planted", _PLOT_NAMES),
    Segment("plantable", {"plots": NUM_PLOTS}, 0, 1, "1 for a free plot beside a planted one", _PLOT_NAMES),
    Segment("notch_worth", _NOTCHES, 0, int(YIELD_WORTH.max()), "points in recipes of what a step to a notch yields",
            _NOTCH_NAMES),
    Segment("other_farmers", _NOTCHES, 0, MAX_SEATS - 1, "farmers of the others on each notch", _NOTCH_NAMES, usual=1),
    Segment("decision", {"decisions": len(DECISIONS)}, 0, 1, "1 for what is asked; none after the end", DECISIONS),
    Segment("asked", _SEATS, 0, 1, "1 for the seat that is asked"),
    Segment("to_act", _SEATS, 0, 1, "1 while a seat has still to act in this phase, the one asked included"),
    Segment("round", {}, 0, MAX_ROUNDS, "round, from 1", usual=20),
    Segment("rounds_left", {}, 0, MAX_ROUNDS, "rounds still to begin before the game is cut short", usual=20),
    Segment("afternoon", {}, 0, 1, "0 morning, 1 afternoon"),
    Segment("last_round", {}, 0, 1, "1 if this round was announced as the last"),
    Segment("turn_place", _SEATS, 0, MAX_SEATS, "place in the turn order, 1 = first; that of the round before until "
            "the new one is complete"),
    Segment("space", _SEATS, 0, MAX_SEATS, "space taken in the auction going on; 0 for none, and afterwards"),
    Segment("bids", _SEATS, 0, MAX_BID, "bids of this round: the own one when made, all when revealed", usual=10),
    Segment("bid_known", _SEATS, 0, 1, "1 where `bids` holds a bid"),
    Segment("own_farmer", _NOTCHES, 0, 1, "1 for the notch of the own farmer", _NOTCH_NAMES),
    Segment("farmer_place", {**_SEATS, "place": 3}, 0, int(HALVES.max()), "1 for a farmer on the board, then where, in "
            "half plots east and south of the north-west corner", ("there", "east", "south")),
    Segment("heading", {"directions": 4}, 0, 1, "1 for the direction last travelled in this turn",
            ("north", "south", "east", "west")),
    Segment("steps_made", {}, 0, 4, "steps made in this turn"),
    Segment("step_yield", {"steps": NUM_STEPS, **_COLOURS}, 0, 2, "peppers that each step from the own farmer's notch "
            "(the star while it is off the board) would bring, whether it is free or not", COLOURS),
    Segment("extra_plant", {}, 0, 1, "1 while the planting asked for, or begun, is that of the tile"),
    Segment("planting", _COLOURS, 0, 1, "1 for the pepper that must now be put on a plot", COLOURS),
    Segment("had_plaque", _SEATS, 0, 1, "1 for a seat that has taken a plaque this round"),
    Segment("done", {"orders": 3}, 0, 1, "1 for what the seat that is asked has done in this fulfillment",
            ("market", "recipe", "sell")),
    Segment("price", _COLOURS, 0, NUM_PLOTS // 2, "coins that the bank pays for a pepper", COLOURS, usual=8),
    Segment("house", _TYPES, 0, MAX_SEATS, "cards in the auction house", TYPES),
    Segment("discards", _TYPES, 0, int(TYPE_COPIES.max()), "discards of the current auction deck", TYPES),
    Segment("deck_size", {}, 0, MAX_DECK, "cards left in it"),
    Segment("market", _CARDS, 0, 1, "1 for a market card on display", MARKET_IDS),
    Segment("can_fulfil", _CARDS, 0, 1, "1 for one that the own peppers can pay", MARKET_IDS),
    Segment("recipes", _DISHES, 0, 1, "1 for a recipe on display", RECIPE_IDS),
    Segment("can_cook", _DISHES, 0, 1, "1 for one that the own peppers can pay", RECIPE_IDS),
    Segment("plaques", {"stacks": NUM_STACKS}, 0, 3, "plaques left", STACKS),
    Segment("plaque_points", {"stacks": NUM_STACKS}, 0, int(PLAQUE_POINTS.max()), "points of the top one", STACKS),
    Segment("tiles", {**_SEATS, "tiles": NUM_TILES}, 0, 1, "1 for an unspent tile", TILES),
    Segment("market_won", _SEATS, 0, NUM_MARKET, "market cards won", usual=8),
    Segment("recipes_won", _SEATS, 0, NUM_RECIPES, "recipes won", usual=8),
    Segment("peppers", _COLOURS, 0, _MOST_PEPPERS, "own peppers", COLOURS, usual=_PEPPERS),
    Segment("coins", {}, 0, _MOST_COINS, "own coins", usual=_COINS),
    Segment("points", {}, 0, _MOST_POINTS, "own points of market cards, recipes and plaques", usual=_POINTS),
    Segment("num_players", {}, 2, MAX_SEATS, "players"),
    Segment("max_bid", {}, 0, MAX_BID, "highest bid allowed"),
    Segment("known_peppers", {**_SEATS, **_COLOURS}, 0, _MOST_PEPPERS, "with `recall`: each seat's peppers", COLOURS,
            usual=_PEPPERS),
    Segment("known_coins", _SEATS, 0, _MOST_COINS, "with `recall`: each seat's coins", usual=_COINS),
    Segment("known_points", _SEATS, 0, _MOST_POINTS, "with `recall`: each seat's points", usual=_POINTS),
)  # fmt: skip

_AT = {segment.name: OBS.start(segment.name) for segment in OBS.segments}
_DECISION, _ASKED, _TO_ACT, _ROUND = _AT["decision"], _AT["asked"], _AT["to_act"], _AT["round"]
_ROUNDS_LEFT, _AFTERNOON, _LAST_ROUND = _AT["rounds_left"], _AT["afternoon"], _AT["last_round"]
_TURN_PLACE, _SPACE_TAKEN, _BIDS, _BID_KNOWN = _AT["turn_place"], _AT["space"], _AT["bids"], _AT["bid_known"]
_FIRST_NARROW = _AT["decision"]
_FIELD, _PLANTABLE, _NOTCH_WORTH = _AT["field"], _AT["plantable"], _AT["notch_worth"]
_OWN_FARMER, _OTHER_FARMERS, _FARMER_PLACE = _AT["own_farmer"], _AT["other_farmers"], _AT["farmer_place"]
_HEADING, _STEPS_MADE, _STEP_YIELD = _AT["heading"], _AT["steps_made"], _AT["step_yield"]
_EXTRA_PLANT, _PLANTING, _HAD_PLAQUE, _DONE = _AT["extra_plant"], _AT["planting"], _AT["had_plaque"], _AT["done"]
_PRICE, _HOUSE, _DISCARDS, _DECK_SIZE = _AT["price"], _AT["house"], _AT["discards"], _AT["deck_size"]
_MARKET, _CAN_FULFIL, _RECIPES, _CAN_COOK = _AT["market"], _AT["can_fulfil"], _AT["recipes"], _AT["can_cook"]
_PLAQUES, _PLAQUE_POINTS, _TILES = _AT["plaques"], _AT["plaque_points"], _AT["tiles"]
_MARKET_WON, _RECIPES_WON = _AT["market_won"], _AT["recipes_won"]
_PEPPERS_HELD, _COINS_HELD, _POINTS_WON = _AT["peppers"], _AT["coins"], _AT["points"]
_PLAYERS, _MAX_BID = _AT["num_players"], _AT["max_bid"]
_KNOWN_PEPPERS, _KNOWN_COINS, _KNOWN_POINTS = _AT["known_peppers"], _AT["known_coins"], _AT["known_points"]


@kernel
def observe(state, seat, out):
    """Write all that `seat` sees: what is public, and what lies behind its own screen; with recall behind all.

    out    int16 [OBS.size], every cell is written
    """
    observe_field(state, out)
    out[_FIRST_NARROW:] = 0
    observe_time(state, out)
    observe_path(state, seat, out)
    observe_cards(state, out)
    observe_own(state, seat, out)
    for other in range(state.num_seats):
        observe_seat(state, seat, other, place_of(state, seat, other), out)
    observe_turns(state, seat, out)


@kernel
def place_of(state, seat, other):
    """Where another seat stands in an observation: 0 for the own one, then clockwise."""
    return other - seat if other >= seat else other - seat + state.num_seats


@kernel
def decision(state):
    """What the seat to move is asked, an index of DECISIONS."""
    if state.stage == HARVESTING:
        return _STEP
    if state.stage == PLANTING:
        return _PLANT if state.colour == NOTHING else _PLOT
    if state.stage == FULFILLING:
        return _ORDER
    if state.stage == BIDDING:
        return _BID
    return _SPACE if state.stage == CHOOSING else _CLAIM


@kernel
def observe_time(state, out):
    if state.to_move != OVER:
        out[_DECISION + decision(state)] = 1
    out[_ROUND] = state.rounds
    out[_ROUNDS_LEFT] = state.max_rounds - state.rounds
    out[_AFTERNOON] = state.period
    out[_LAST_ROUND] = state.is_last
    if state.heading != NOTHING:
        out[_HEADING + state.heading] = 1
    out[_STEPS_MADE] = state.steps
    out[_EXTRA_PLANT] = state.is_extra
    if state.colour != NOTHING:
        out[_PLANTING + state.colour] = 1
    for what in range(3):
        out[_DONE + what] = state.done[what]
    out[_DECK_SIZE] = state.deck_len
    out[_PLAYERS] = state.num_seats
    out[_MAX_BID] = state.max_bid
    for colour in range(NUM_COLOURS):
        out[_PRICE + colour] = price(state, colour)


@kernel
def observe_turns(state, seat, out):
    """The turn order, and who has still to act: in a phase without bids and spaces, those from `turn` on."""
    for turn in range(state.num_seats):
        other = np.int64(state.order[turn])
        out[_TURN_PLACE + place_of(state, seat, other)] = turn + 1
        if state.to_move == OVER:
            continue
        if state.stage == CHOOSING:
            acts = not state.has_space[other] and state.bid[other] > 0
        elif state.stage == HARVESTING:
            acts = state.num_seats - 1 - turn >= state.turn
        else:
            acts = turn >= state.turn
        out[_TO_ACT + place_of(state, seat, other)] = acts
    if state.to_move != OVER:
        out[_ASKED + place_of(state, seat, state.to_move)] = 1
    if state.stage == CHOOSING:
        for space in range(state.num_seats):
            if state.space[space] != NOBODY:
                out[_SPACE_TAKEN + place_of(state, seat, np.int64(state.space[space]))] = space + 1


@kernel
def observe_field(state, out):
    """The wide segments, which come first: each cell is written once, in loops that compile to vector instructions."""
    for colour in range(NUM_COLOURS):
        for plot in range(NUM_PLOTS):
            out[_FIELD + colour * NUM_PLOTS + plot] = state.plot[plot] == colour + 1
    for plot in range(NUM_PLOTS):
        out[_PLANTABLE + plot] = state.frontier[plot]
    for notch in range(NUM_NOTCHES):
        out[_NOTCH_WORTH + notch] = state.notch_worth[notch]
    for notch in range(NUM_NOTCHES):
        out[_OTHER_FARMERS + notch] = state.num_farmers[notch]


@kernel
def observe_path(state, seat, out):
    """The own farmer, taken out of the others', and what its next step would bring."""
    notch = next_to_walk(state, seat)
    if state.farmer[seat] != NOTHING:
        out[_OWN_FARMER + notch] = 1
        out[_OTHER_FARMERS + notch] -= 1
    for step in range(NUM_STEPS):
        target = LEADS_TO[notch, step]
        if target != NOTHING:
            found = np.int64(state.notch_yield[target])
            if found != 0:
                out[_STEP_YIELD + step * NUM_COLOURS + YIELD_COLOUR[found]] = YIELD_COUNT[found]


@kernel
def observe_cards(state, out):
    for place in range(state.num_seats):
        if state.house[place] != NOTHING:
            out[_HOUSE + np.int64(state.house[place])] += 1
    for kind in range(NUM_TYPES):
        out[_DISCARDS + kind] = state.discards[kind]
    for plaque in range(NUM_PLAQUES - 1, -1, -1):
        if state.plaque_owner[plaque] == 0:
            out[_PLAQUES + PLAQUE_STACK[plaque]] += 1
            out[_PLAQUE_POINTS + PLAQUE_STACK[plaque]] = PLAQUE_POINTS[plaque]


@kernel
def observe_own(state, seat, out):
    """What lies behind the own screen, and which cards it can pay."""
    hand = packed_hand(state, seat)
    for place in range(state.num_market):
        card = np.int64(state.market[place])
        out[_MARKET + card] = 1
        out[_CAN_FULFIL + card] = can_pay(hand, MARKET_PACKED[card])
    for place in range(state.num_recipes):
        recipe = np.int64(state.recipes[place])
        out[_RECIPES + recipe] = 1
        out[_CAN_COOK + recipe] = can_pay(hand, RECIPE_PACKED[recipe])
    for colour in range(NUM_COLOURS):
        out[_PEPPERS_HELD + colour] = state.peppers[seat, colour]
    out[_COINS_HELD] = state.coins[seat]
    out[_POINTS_WON] = state.points[seat]


@kernel
def observe_seat(state, seat, other, place, out):
    """What is public of a seat, which stands at `place` of the observation; with recall all of it."""
    if state.bid[other] != NOTHING and (other == seat or state.stage != BIDDING):
        out[_BIDS + place] = state.bid[other]
        out[_BID_KNOWN + place] = 1
    if state.farmer[other] != NOTHING:
        out[_FARMER_PLACE + 3 * place] = 1
        out[_FARMER_PLACE + 3 * place + 1] = HALVES[state.farmer[other], 0]
        out[_FARMER_PLACE + 3 * place + 2] = HALVES[state.farmer[other], 1]
    out[_HAD_PLAQUE + place] = state.has_plaque[other]
    for tile in range(NUM_TILES):
        out[_TILES + place * NUM_TILES + tile] = state.tiles[other, tile]
    out[_MARKET_WON + place] = state.cards_won[other, 0]
    out[_RECIPES_WON + place] = state.cards_won[other, 1]
    if state.recall:
        for colour in range(NUM_COLOURS):
            out[_KNOWN_PEPPERS + place * NUM_COLOURS + colour] = state.peppers[other, colour]
        out[_KNOWN_COINS + place] = state.coins[other]
        out[_KNOWN_POINTS + place] = state.points[other]


@kernel
def resample_hidden(state, seat):
    """Redraw the order of the decks, the afternoon market, the cards that left the game, hidden bids.  [R14]"""
    shuffle_anew(state.deck, 0, state.deck_len, state.rng)
    shown = SHOWN_MARKET[state.num_seats]
    shuffle_anew(state.morning_pile, shown, PER_PERIOD, state.rng)
    if state.period == MORNING:
        shuffle_anew(state.next_deck, 0, len(state.next_deck), state.rng)
        shuffle_anew(state.afternoon_pile, 0, PER_PERIOD, state.rng)
    else:
        shuffle_anew(state.afternoon_pile, shown, PER_PERIOD, state.rng)
    shuffle_anew(state.recipe_pile, SHOWN_RECIPES[state.num_seats], NUM_RECIPES, state.rng)
    if state.stage == BIDDING:
        for other in range(state.num_seats):
            if other != seat and state.bid[other] != NOTHING:
                state.bid[other] = below(state.rng, min(state.coins[other], state.max_bid) + 1)
