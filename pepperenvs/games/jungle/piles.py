"""Jungle: cards move between stacks, taken piles, and the table."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.jungle.state import IN_STACK, NOBODY, RESTACK, UNSEEN, USED_UP
from pepperenvs.lexicon.deck import NUM_CARDS


@kernel
def num_held(state, seat):
    """Cards that a seat has, in its stack and its taken pile."""
    return state.stack_len[seat] + state.taken_len[seat]


@kernel
def deal(state):
    """All seats get equally many cards; seat 0 gets the first of the deck. A card too many is the spare."""
    each = NUM_CARDS // state.num_seats
    for seat in range(state.num_seats):
        state.stack_len[seat] = each
        for index in range(each):
            state.stack[seat, each - 1 - index] = state.deck[seat * each + index]
    if each * state.num_seats < NUM_CARDS:
        state.spare[0] = state.deck[NUM_CARDS - 1]
        state.spare_len = 1
    state.deck[:] = 0


@kernel
def recycle(state, seat):
    """The taken pile becomes the stack, unshuffled. What the old one left face down is of a stack used up.  [R3]"""
    count = state.taken_len[seat]
    for index in range(count):
        state.stack[seat, index] = state.taken[seat, index]
        state.taken[seat, index] = 0
    state.stack_len[seat] = count
    state.taken_len[seat] = 0
    state.recycled[seat] = 1
    for index in range(state.face_down_len[seat]):
        if state.source[seat, index] == IN_STACK:
            state.source[seat, index] = USED_UP


@kernel
def has_card_ready(state, seat):
    """Whether a stack has a card; else the taken pile is laid out as one, and a restack awaited."""
    if state.stack_len[seat] > 0:
        return True
    recycle(state, seat)
    state.drawer = seat
    state.pending = RESTACK
    return False


@kernel
def draw_card(state, seat):
    """Remove and return the top card of a stack, which is not empty; no trace stays."""
    state.stack_len[seat] -= 1
    card = np.int64(state.stack[seat, state.stack_len[seat]])
    state.stack[seat, state.stack_len[seat]] = 0
    return card


@kernel
def lay_face_up(state, seat):
    """A seat lays its top card face up."""
    card = draw_card(state, seat)
    state.face_up[state.face_up_len] = card
    state.laid_by[state.face_up_len] = seat
    state.face_up_len += 1
    state.shown[seat] = card


@kernel
def lay_face_down(state, seat):
    """A seat lays its top card face down."""
    index = state.face_down_len[seat]
    state.face_down[seat, index] = draw_card(state, seat)
    state.source[seat, index] = IN_STACK if state.recycled[seat] else UNSEEN
    state.face_down_len[seat] += 1


@kernel
def receive(state, seat, card):
    """A card goes to a seat's taken pile."""
    state.taken[seat, state.taken_len[seat]] = card
    state.taken_len[seat] += 1


@kernel
def take_all(state, taker):
    """A seat takes all cards of the challenge, and the spare if it is there; all see them.  [R14]"""
    for index in range(state.face_up_len):
        receive(state, taker, state.face_up[index])
        state.face_up[index] = 0
        state.laid_by[index] = 0
    state.face_up_len = 0
    for seat in range(state.num_seats):
        for index in range(state.face_down_len[seat]):
            receive(state, taker, state.face_down[seat, index])
            state.face_down[seat, index] = 0
            state.source[seat, index] = UNSEEN
        state.face_down_len[seat] = 0
    if state.spare_len:
        receive(state, taker, state.spare[0])
        state.spare[0] = 0
        state.spare_len = 0


@kernel
def begin_challenge(state):
    """All seats take part, and none has shown a card."""
    state.taker = NOBODY
    state.has_laid = 0
    for seat in range(state.num_seats):
        state.contest[seat] = 1
        state.shown[seat] = 0
