"""Pickled Peppers: what must hold between two moves."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.pickled_peppers.piles import num_held, num_holding
from pepperenvs.games.pickled_peppers.state import FLIPPING, LAST, MAX_NEED, NO_CARD, NOBODY, OVER, PICKLING
from pepperenvs.lexicon.deck import CHILIES, NUM_CARDS

AUDITS = {
    1: "a card is missing or there twice",
    2: "a seat, stage, length or card is out of range, or an outcome is awaited",
    3: "a pepper is live without owner or pickler, or the other way round",
    4: "the string is too long for the pickle, or holds a Chili Pepper",
    5: "the seat to move has nothing to do",
    6: "a seat is out that has cards or a pepper, or is in without",
}


@kernel
def audit(state):
    """0 if the state is sound between two moves, else a number of AUDITS."""
    if not is_in_range(state):
        return 2
    if not is_complete(state):
        return 1
    if not is_pickle_sound(state):
        return 3
    if not is_string_sound(state):
        return 4
    if state.to_move != OVER and not can_act(state):
        return 5
    for seat in range(state.num_seats):
        is_in = num_held(state, seat) > 0 or seat == state.owner or seat == state.pickler
        if is_in != (state.out_at[seat] == 0) or not 0 <= state.out_at[seat] <= state.moves:
            return 6
    return 0


@kernel
def is_in_range(state):
    """Whether all that kernels use as an index or a length is one: without this a forged save could write anywhere."""
    if not (OVER <= state.to_move < state.num_seats and state.pending == 0 and 0 <= state.moves <= state.max_moves):
        return False
    if state.to_move != OVER and not FLIPPING <= state.stage <= LAST:
        return False
    if not (0 <= state.centre_len <= NUM_CARDS and 0 <= state.earlier_len <= NUM_CARDS and 0 <= state.spare_len <= 2):
        return False
    if not (0 <= state.laid <= MAX_NEED and 0 <= state.need <= MAX_NEED and NO_CARD <= state.live < NUM_CARDS):
        return False
    if not (NOBODY <= state.owner < state.num_seats and NOBODY <= state.pickler < state.num_seats):
        return False
    if state.to_pay != 0 or not 0 <= state.claimed <= 1:
        return False
    for seat in range(state.num_seats):
        if not (0 <= state.stack_len[seat] <= NUM_CARDS and 0 <= state.taken_len[seat] <= NUM_CARDS):
            return False
        if not 0 <= state.recycled[seat] <= 1:
            return False
    return True


@kernel
def is_complete(state):
    """Whether every card is there once."""
    found, count = 0, 0
    for seat in range(state.num_seats):
        found |= card_bits(state.stack[seat], state.stack_len[seat])
        found |= card_bits(state.taken[seat], state.taken_len[seat])
        count += num_held(state, seat)
    found |= card_bits(state.centre, state.centre_len) | card_bits(state.earlier, state.earlier_len)
    found |= card_bits(state.string, state.laid) | card_bits(state.spare, state.spare_len)
    count += state.centre_len + state.earlier_len + state.laid + state.spare_len
    return count == NUM_CARDS and found == (1 << NUM_CARDS) - 1


@kernel
def card_bits(cards, length):
    """The first `length` cards as bits; -1, which is no set of cards, if one is none."""
    bits = 0
    for index in range(length):
        card = np.int64(cards[index])
        if not 0 <= card < NUM_CARDS:
            return -1
        bits |= 1 << card
    return bits


@kernel
def is_pickle_sound(state):
    """Whether a live pepper lies in play and has an owner and another seat that pickles it, or there is none of it."""
    if state.live == NO_CARD:
        return state.owner == NOBODY and state.pickler == NOBODY and state.need == 0 and state.laid == 0
    if state.owner == NOBODY or state.pickler == NOBODY or state.owner == state.pickler:
        return False
    if CHILIES[state.live] != state.need or state.need == 0:
        return False
    bit = 1 << state.live
    return bool((card_bits(state.centre, state.centre_len) | card_bits(state.earlier, state.earlier_len)) & bit)


@kernel
def is_string_sound(state):
    """Whether the string is no longer than its pickle, of plain cards."""
    for index in range(state.laid):
        if CHILIES[state.string[index]]:
            return False
    if state.laid > state.need:
        return False
    return state.words == 1 or state.claimed == 0


@kernel
def can_act(state):
    """Whether the seat to move is the one whose turn it is, and has a card to flip or a claim to make."""
    seat = state.to_move
    if state.stage == FLIPPING:
        return state.live == NO_CARD and num_held(state, seat) > 0 and num_holding(state) > 1
    if state.live == NO_CARD or seat != state.pickler:
        return False
    is_last = state.laid == state.need or num_held(state, seat) == 0
    if state.stage == PICKLING:
        return not is_last
    return is_last and state.laid > 0 and state.words == 1 and state.claimed == 0
