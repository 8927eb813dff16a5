"""Pickled Peppers: cards move between stacks, taken piles, and what is in play."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.pickled_peppers.state import NO_CARD, NOBODY
from pepperenvs.lexicon.deck import NUM_CARDS


@kernel
def num_held(state, seat):
    """Cards that a seat has, in its stack and its taken pile."""
    return state.stack_len[seat] + state.taken_len[seat]


@kernel
def num_holding(state):
    """How many seats have cards."""
    count = 0
    for seat in range(state.num_seats):
        count += num_held(state, seat) > 0
    return count


@kernel
def next_holding(state, seat):
    """The next seat to the left of another that has cards; that other one itself if no other has, or NOBODY."""
    for distance in range(1, state.num_seats + 1):
        other = (seat + distance) % state.num_seats
        if num_held(state, other) > 0:
            return other
    return NOBODY


@kernel
def deal(state):
    """All seats get equally many cards, the spare ones go under the centre; seat 0 gets the first of the deck.  [R4]"""
    each = NUM_CARDS // state.num_seats
    for seat in range(state.num_seats):
        state.stack_len[seat] = each
        for index in range(each):
            state.stack[seat, each - 1 - index] = state.deck[seat * each + index]
    for index in range(each * state.num_seats, NUM_CARDS):
        state.spare[state.spare_len] = state.deck[index]
        state.spare_len += 1
    state.deck[:] = 0


@kernel
def recycle(state, seat):
    """The taken pile becomes the stack, unshuffled.  [R3]"""
    count = state.taken_len[seat]
    for index in range(count):
        state.stack[seat, index] = state.taken[seat, index]
        state.taken[seat, index] = 0
    state.stack_len[seat] = count
    state.taken_len[seat] = 0
    state.recycled[seat] = 1


@kernel
def draw_card(state, seat):
    """Remove and return the top card of a stack, which is not empty; no trace stays."""
    state.stack_len[seat] -= 1
    card = np.int64(state.stack[seat, state.stack_len[seat]])
    state.stack[seat, state.stack_len[seat]] = 0
    return card


@kernel
def receive(state, seat, card):
    """A card goes to a seat's taken pile."""
    state.taken[seat, state.taken_len[seat]] = card
    state.taken_len[seat] += 1


@kernel
def take_all(state, seat):
    """A seat takes everything in play: centre, strings, and the spare cards, which are turned up.  [R4]"""
    for index in range(state.centre_len):
        receive(state, seat, state.centre[index])
        state.centre[index] = 0
    for index in range(state.earlier_len):
        receive(state, seat, state.earlier[index])
        state.earlier[index] = 0
    for index in range(state.laid):
        receive(state, seat, state.string[index])
        state.string[index] = 0
    for index in range(state.spare_len):
        receive(state, seat, state.spare[index])
        state.spare[index] = 0
    state.centre_len = state.earlier_len = state.laid = state.spare_len = 0
    end_pickle(state)


@kernel
def end_pickle(state):
    """No pepper is live."""
    state.live = NO_CARD
    state.owner = state.pickler = NOBODY
    state.need = state.claimed = 0


@kernel
def put_string_aside(state):
    """The pickler's string becomes an earlier one, which stays in play."""
    for index in range(state.laid):
        state.earlier[state.earlier_len] = state.string[index]
        state.earlier_len += 1
        state.string[index] = 0
    state.laid = 0
