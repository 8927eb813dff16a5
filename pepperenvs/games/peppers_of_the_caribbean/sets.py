"""Peppers of the Caribbean: sets, laid card by card.

Cards make a set if no two show the same colour or dish. Three suffice, four are possible with pirates alone: a rum and
two pirates show all four colours, and two rum leave no colour for a third card.
"""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.peppers_of_the_caribbean.actions import KEEP, THROW
from pepperenvs.games.peppers_of_the_caribbean.cards import discard, lay_in_front
from pepperenvs.games.peppers_of_the_caribbean.state import NO_CARD
from pepperenvs.games.peppers_of_the_caribbean.tables import SHOWN

NUM_THROWN = 2  # cards of a set that are thrown; the rest, one or two, is kept


@kernel
def begin_set(state):
    """No card of a set lies there."""
    state.num_kept = 0
    state.num_thrown = 0
    state.kept[:] = NO_CARD
    state.thrown[:] = NO_CARD


@kernel
def keep(state, seat, card):
    """A card of the set is laid in front."""
    lay_in_front(state, seat, card)
    state.kept[state.num_kept] = card
    state.num_kept += 1


@kernel
def throw(state, seat, card):
    """A card of the set is discarded; returns whether it was the last."""
    discard(state, seat, card)
    if state.num_thrown == NUM_THROWN - 1:
        return True
    state.thrown[state.num_thrown] = card
    state.num_thrown += 1
    return False


@kernel
def set_bits(state):
    """All colours and dishes of the set so far."""
    bits = 0
    for index in range(state.num_kept):
        bits |= SHOWN[state.kept[index]]
    for index in range(state.num_thrown):
        bits |= SHOWN[state.thrown[index]]
    return bits


@kernel
def is_new(hand, index):
    """Whether no equal card stands before this one in a hand, whose cards ascend."""
    return index == 0 or hand[index] != hand[index - 1]


@kernel
def has_one_more(hand, size, start, bits):
    """Whether a hand card from place `start` on shows none of the bits."""
    for index in range(start, size):
        if not SHOWN[hand[index]] & bits:
            return True
    return False


@kernel
def has_two_more(hand, size, start, bits):
    """Whether two hand cards from place `start` on show none of the bits, and nothing in common."""
    for index in range(start, size - 1):
        if not SHOWN[hand[index]] & bits and has_one_more(hand, size, index + 1, bits | SHOWN[hand[index]]):
            return True
    return False


@kernel
def can_score(state, seat):
    """Whether the hand has a set and a card besides."""
    size = np.int64(state.hand_size[seat])
    return size > 1 + NUM_THROWN and places_in_sets(state.hand[seat], size) != 0


@kernel
def places_in_sets(hand, size):
    """The places of all hand cards that are part of a set of three, as bits; every set of four contains such sets."""
    places = 0
    for first in range(size - 2):
        shown = SHOWN[hand[first]]
        for second in range(first + 1, size - 1):
            if not shown & SHOWN[hand[second]]:
                both = shown | SHOWN[hand[second]]
                for third in range(second + 1, size):
                    if not both & SHOWN[hand[third]]:
                        places |= (1 << first) | (1 << second) | (1 << third)
    return places


@kernel
def legal_first_keeps(state, ids, count):
    """Every card that is part of a set, if another card stays; returns the new count."""
    hand, size = state.hand[state.to_move], np.int64(state.hand_size[state.to_move])
    if size > 1 + NUM_THROWN:
        places = places_in_sets(hand, size)
        for index in range(size):
            if places >> index & 1 and is_new(hand, index):
                ids[count] = KEEP + np.int64(hand[index])
                count += 1
    return count


@kernel
def legal_set(state, ids):
    """Inside a set: a second card to keep, or one to throw; types ascend, and the set can be completed."""
    hand, size = state.hand[state.to_move], np.int64(state.hand_size[state.to_move])
    bits, count = set_bits(state), 0
    if state.num_kept == 1 and state.num_thrown == 0 and size > 1 + NUM_THROWN:
        for index in range(size):
            card = np.int64(hand[index])
            if card > state.kept[0] and is_new(hand, index) and not SHOWN[card] & bits:
                if has_two_more(hand, size, 0, bits | SHOWN[card]):
                    ids[count] = KEEP + card
                    count += 1
    for index in range(size):
        card = np.int64(hand[index])
        if card > state.thrown[0] and is_new(hand, index) and not SHOWN[card] & bits:
            if state.num_thrown == 1 or has_one_more(hand, size, index + 1, bits | SHOWN[card]):
                ids[count] = THROW + card
                count += 1
    return count


@kernel
def can_complete(state):
    """Whether the set that is being played can be completed from the hand of the seat to move."""
    hand, size = state.hand[state.to_move], np.int64(state.hand_size[state.to_move])
    if state.num_thrown == 0:
        return has_two_more(hand, size, 0, set_bits(state))
    for index in range(size):
        if hand[index] > state.thrown[0] and not SHOWN[hand[index]] & set_bits(state):
            return True
    return False
