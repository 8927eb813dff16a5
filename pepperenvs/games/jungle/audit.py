"""Jungle: what must hold between two moves."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.jungle.challenge import claimer, is_claim_open
from pepperenvs.games.jungle.piles import num_held
from pepperenvs.games.jungle.state import CLAIMING, FLIPPING, IN_STACK, NOBODY, OVER, UNSEEN
from pepperenvs.lexicon.deck import NUM_CARDS

AUDITS = {
    1: "a card is missing or there twice",
    2: "a seat, stage, length or card is out of range, or an outcome is awaited",
    3: "a seat shows another card than it laid last, or takes part without one",
    4: "the seat to move has nothing to do",
    5: "a seat has no cards, but the game goes on",
    6: "cards lie face down that no Jungle rule laid",
}


@kernel
def audit(state):
    """0 if the state is sound between two moves, else a number of AUDITS."""
    if not is_in_range(state):
        return 2
    if not is_complete(state):
        return 1
    if not are_shown_sound(state):
        return 3
    if state.to_move != OVER and not can_act(state):
        return 4
    if state.to_move != OVER and state.stage == FLIPPING and state.to_move == 0:
        for seat in range(state.num_seats):
            if num_held(state, seat) == 0:
                return 5
    for seat in range(state.num_seats):
        if state.face_down_len[seat] > 0 and not state.has_laid:
            return 6
    return 0


@kernel
def is_in_range(state):
    """Whether all that kernels use as an index or a length is one: without this a forged save could write anywhere."""
    if not (OVER <= state.to_move < state.num_seats and state.pending == 0 and 0 <= state.moves <= state.max_moves):
        return False
    if state.to_move != OVER and state.stage != FLIPPING and state.stage != CLAIMING:
        return False
    if not (0 <= state.face_up_len <= NUM_CARDS and 0 <= state.spare_len <= 1 and 0 <= state.has_laid <= 1):
        return False
    if not (NOBODY <= state.taker < state.num_seats and state.to_pay == 0):
        return False
    for index in range(state.face_up_len):
        if not 0 <= state.laid_by[index] < state.num_seats:
            return False
    for seat in range(state.num_seats):
        if not is_seat_in_range(state, seat):
            return False
    return True


@kernel
def is_seat_in_range(state, seat):
    """The same of what a seat has."""
    if not (0 <= state.stack_len[seat] <= NUM_CARDS and 0 <= state.taken_len[seat] <= NUM_CARDS):
        return False
    if not (0 <= state.face_down_len[seat] <= NUM_CARDS and 0 <= state.shown[seat] < NUM_CARDS):
        return False
    if not (0 <= state.recycled[seat] <= 1 and 0 <= state.contest[seat] <= 1):
        return False
    for index in range(state.face_down_len[seat]):
        source = state.source[seat, index]
        if not UNSEEN <= source <= IN_STACK or (source != UNSEEN and not state.recycled[seat]):
            return False
        if source == UNSEEN and index > 0 and state.source[seat, index - 1] != UNSEEN:
            return False
    return True


@kernel
def is_complete(state):
    """Whether every card is there once."""
    found, count = 0, 0
    for seat in range(state.num_seats):
        found |= card_bits(state.stack[seat], state.stack_len[seat])
        found |= card_bits(state.taken[seat], state.taken_len[seat])
        found |= card_bits(state.face_down[seat], state.face_down_len[seat])
        count += num_held(state, seat) + state.face_down_len[seat]
    found |= card_bits(state.face_up, state.face_up_len) | card_bits(state.spare, state.spare_len)
    count += state.face_up_len + state.spare_len
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
def last_laid(state, seat):
    """The card that a seat laid face up last in this challenge; 0, as `shown` has it, if there is none."""
    for index in range(state.face_up_len - 1, -1, -1):
        if state.laid_by[index] == seat:
            return np.int64(state.face_up[index])
    return np.int64(0)


@kernel
def are_shown_sound(state):
    """Whether every seat shows the card that it laid last."""
    for seat in range(state.num_seats):
        if state.shown[seat] != last_laid(state, seat):
            return False
    return True


@kernel
def can_act(state):
    """Whether the seat to move has a card to flip in its turn, or a word to claim."""
    if state.stage == FLIPPING:
        is_first = state.face_up_len == state.to_move and not state.has_laid and state.taker == NOBODY
        return is_first and num_held(state, state.to_move) > 0
    return state.taker != NOBODY and is_claim_open(state) and state.to_move == claimer(state)
