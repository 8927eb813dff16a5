"""Scoville, the auction: hidden bids, spaces on the track, cards claimed, the house refilled.          [section 1]"""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.scoville.actions import BID, CLAIM, SPACE
from pepperenvs.games.scoville.state import NOBODY, NOTHING, RESHUFFLE
from pepperenvs.games.scoville.tables import NUM_COLOURS, NUM_TYPES, TYPE_PEPPERS


@kernel
def open_bidding(state):
    """No bid is made, every space is free; the order stays that of the round before until the spaces are chosen."""
    for seat in range(state.num_seats):
        state.bid[seat] = NOTHING
        state.space[seat] = NOBODY
        state.has_space[seat] = 0


@kernel
def legal_bids(state, ids):
    """Any number of coins that the seat has, up to max_bid.  [R15]"""
    most = min(state.coins[state.to_move], state.max_bid)
    for coins in range(most + 1):
        ids[coins] = BID + coins
    return most + 1


@kernel
def next_chooser(state):
    """The highest bidder without a space, of equals the one that was earlier; NOBODY when only zero bids are left."""
    best, chooser = 0, np.int64(NOBODY)
    for place in range(state.num_seats):
        seat = np.int64(state.order[place])
        if not state.has_space[seat] and state.bid[seat] > best:
            best, chooser = np.int64(state.bid[seat]), seat
    return chooser


@kernel
def legal_spaces(state, ids):
    count = 0
    for space in range(state.num_seats):
        if state.space[space] == NOBODY:
            ids[count] = SPACE + space
            count += 1
    return count


@kernel
def choose_space(state, seat, space):
    """The seat pays its bid for a free space."""
    state.space[space] = seat
    state.has_space[seat] = 1
    state.coins[seat] -= state.bid[seat]


@kernel
def settle_order(state):
    """Zero bidders fill the lowest free spaces in the old order; the spaces are the new turn order."""
    space = 0
    for place in range(state.num_seats):
        seat = state.order[place]
        if not state.has_space[seat]:
            while state.space[space] != NOBODY:
                space += 1
            state.space[space] = seat
            state.has_space[seat] = 1
    for place in range(state.num_seats):
        state.order[place] = state.space[place]


@kernel
def legal_claims(state, ids):
    """Every type of card in the house once, in ascending order."""
    count = 0
    for place in range(state.num_seats):
        kind = np.int64(state.house[place])
        if kind == NOTHING:
            continue
        slot = count
        while slot > 0 and ids[slot - 1] > CLAIM + kind:
            slot -= 1
        if slot > 0 and ids[slot - 1] == CLAIM + kind:
            continue
        for later in range(count, slot, -1):
            ids[later] = ids[later - 1]
        ids[slot] = CLAIM + kind
        count += 1
    return count


@kernel
def claim(state, seat, kind):
    """The seat takes the peppers of a card; it is discarded, or gone if its deck is no longer the current one.  [R5]"""
    place = 0
    while state.house[place] != kind:
        place += 1
    state.house[place] = NOTHING
    if state.house_period == state.period:
        state.discards[kind] += 1
    for colour in range(NUM_COLOURS):
        state.peppers[seat, colour] += TYPE_PEPPERS[kind, colour]


@kernel
def refill_house(state):
    """Draw a card into every gap of the house; True if the deck has run out and a reshuffle is awaited.  [R5]"""
    for place in range(state.num_seats):
        if state.house[place] == NOTHING:
            if state.deck_len == 0:
                return_discards(state)
                state.pending = RESHUFFLE
                return True
            state.deck_len -= 1
            state.house[place] = state.deck[state.deck_len]
    state.house_period = state.period
    return False


@kernel
def return_discards(state):
    """The discards become the deck, unshuffled."""
    for kind in range(NUM_TYPES):
        for _ in range(state.discards[kind]):
            state.deck[state.deck_len] = kind
            state.deck_len += 1
        state.discards[kind] = 0
