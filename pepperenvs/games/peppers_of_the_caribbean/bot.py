"""The scripted player of Peppers of the Caribbean.

It plays its best set if that brings more, with what its hand promises then, than its hand would promise after the best
taking. It keeps the cards of a set that are worth most, by their values and for bonus cards, and parts with those that
its hand misses least. It looks only at its own hand and at what lies open.
"""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.peppers_of_the_caribbean.actions import DRAW, DROP, KEEP, PASS, TAKE, TAKE_BONUS, THROW
from pepperenvs.games.peppers_of_the_caribbean.bonuses import is_earned
from pepperenvs.games.peppers_of_the_caribbean.bot_worth import (
    LOST,
    hand_places,
    most_of_rivals,
    promise,
    supply_places,
    turns_to_come,
    wishes,
    worth,
)
from pepperenvs.games.peppers_of_the_caribbean.cards import supply_bits
from pepperenvs.games.peppers_of_the_caribbean.sets import NUM_THROWN, has_two_more, is_new, set_bits
from pepperenvs.games.peppers_of_the_caribbean.state import DROPPING, NO_CARD, SET, TURN
from pepperenvs.games.peppers_of_the_caribbean.tables import (
    BONUS_NUMBER,
    BONUS_POINTS,
    NAMED,
    NUM_BONUSES,
    NUM_TYPES,
    SHOWN,
)

NOWHERE = -1
DRAWN_WORTH = 40  # of two cards from the pile, tenths of a point


@kernel
def bot(state):
    """The action of the seat to move; draws no random numbers."""
    seat = state.to_move
    if state.stage == TURN:
        return choose_turn(state, seat)
    if state.stage == SET:
        return choose_set_card(state, seat)
    if state.stage == DROPPING:
        return choose_drop(state, seat)
    return choose_bonus(state, seat)


@kernel
def choose_turn(state, seat):
    """Take, draw or score, whichever is worth most."""
    wish, turns = wishes(state, seat), turns_to_come(state)
    taken, action = best_take(state, seat, wish, turns)
    if action == DRAW and state.pile_len > 0:
        taken = promise(state, seat, hand_places(state, seat), wish, turns) + DRAWN_WORTH
    scored, place = best_score(state, seat, wish, turns)
    return action if taken > scored else KEEP + np.int64(state.hand[seat, place])


# ------------------------------------------------------------------------------------------ taking, dropping


@kernel
def best_take(state, seat, wish, turns):
    """What the hand promises after the best taking, and that action; LOST and DRAW if nothing matches the supply."""
    hand, places, shown = state.hand[seat], hand_places(state, seat), supply_bits(state)
    best, action = LOST, np.int64(DRAW)
    for index in range(np.int64(state.hand_size[seat])):
        card = np.int64(hand[index])
        for naming in range(2):
            if NAMED[naming, card] & shown and is_new(hand, index):
                taken = supply_places(state, seat, NAMED[naming, card])
                value = promise(state, seat, places & ~(1 << index) | taken, wish, turns)
                if value > best:
                    best, action = value, TAKE + naming * NUM_TYPES + card
    return best, action


@kernel
def choose_drop(state, seat):
    """The card that the hand misses least."""
    place = least_missed(state, seat, NO_CARD, 0, wishes(state, seat), turns_to_come(state))
    return DROP + np.int64(state.hand[seat, place])


@kernel
def least_missed(state, seat, after, bits, wish, turns):
    """The place of the hand card that is missed least, of the types behind `after` that show none of the bits."""
    hand, places = state.hand[seat], hand_places(state, seat)
    best, place = LOST, NOWHERE
    for index in range(np.int64(state.hand_size[seat])):
        if hand[index] > after and not SHOWN[hand[index]] & bits and is_new(hand, index):
            value = promise(state, seat, places & ~(1 << index), wish, turns)
            if value > best:
                best, place = value, index
    return place


# --------------------------------------------------------------------------------------------------- scoring


@kernel
def best_score(state, seat, wish, turns):
    """What the best set brings, with what the hand promises then, and the place of its first card; LOST if none.

    It is the set of three with the dearest card to keep, or that of four with the dearest two.
    """
    if state.hand_size[seat] <= 1 + NUM_THROWN:
        return LOST, NOWHERE
    place = dearest(state, seat, NO_CARD, 0, wish)
    if place == NOWHERE:
        return LOST, NOWHERE
    best = set_value(state, seat, 1 << place, wish, turns)
    if state.hand_size[seat] > 2 + NUM_THROWN:
        first, second = dearest_two(state, seat, wish)
        if first != NOWHERE:
            value = set_value(state, seat, 1 << first | 1 << second, wish, turns)
            if value >= best:
                return value, first
    return best, place


@kernel
def dearest(state, seat, after, bits, wish):
    """The place of the hand card worth most in front, of the types behind `after` that complete a set with the bits."""
    hand, size = state.hand[seat], np.int64(state.hand_size[seat])
    most, place = LOST, NOWHERE
    for index in range(size):
        card = np.int64(hand[index])
        if card > after and not SHOWN[card] & bits and worth(card, wish) > most:
            if has_two_more(hand, size, 0, bits | SHOWN[card]):
                most, place = worth(card, wish), index
    return place


@kernel
def dearest_two(state, seat, wish):
    """The places of the two hand cards worth most in front that a set of four can keep, or NOWHERE twice."""
    hand = state.hand[seat]
    most, first, second = LOST, NOWHERE, NOWHERE
    for index in range(np.int64(state.hand_size[seat])):
        card = np.int64(hand[index])
        other = dearest(state, seat, card, SHOWN[card], wish)
        if other != NOWHERE:
            value = worth(card, wish) + worth(np.int64(hand[other]), wish)
            if value > most:
                most, first, second = value, index, other
    return first, second


@kernel
def set_value(state, seat, kept, wish, turns):
    """What the cards kept of a set are worth, and what the hand promises then.

    kept    their places, as bits
    """
    value, bits = 0, 0
    for index in range(np.int64(state.hand_size[seat])):
        if kept >> index & 1:
            value += worth(np.int64(state.hand[seat, index]), wish)
            bits |= SHOWN[state.hand[seat, index]]
    return value + best_throws(state, seat, hand_places(state, seat) & ~kept, bits, wish, turns)[0]


@kernel
def best_throws(state, seat, places, bits, wish, turns):
    """What the hand promises without the two cards that it misses least, and the place of the first of them.

    places    of the cards that are left
    bits      of the set so far, which the two complete
    """
    hand, size = state.hand[seat], np.int64(state.hand_size[seat])
    best, place = LOST, NOWHERE
    for first in range(size - 1):
        if places >> first & 1 and not SHOWN[hand[first]] & bits:
            both = bits | SHOWN[hand[first]]
            for second in range(first + 1, size):
                if places >> second & 1 and not SHOWN[hand[second]] & both:
                    value = promise(state, seat, places & ~(1 << first | 1 << second), wish, turns)
                    if value > best:
                        best, place = value, first
    return best, place


@kernel
def choose_set_card(state, seat):
    """Keep a second card if that is possible; throw what the hand misses least."""
    wish, turns, bits = wishes(state, seat), turns_to_come(state), set_bits(state)
    hand = state.hand[seat]
    if state.num_thrown > 0:
        return THROW + np.int64(hand[least_missed(state, seat, np.int64(state.thrown[0]), bits, wish, turns)])
    if state.num_kept == 1 and state.hand_size[seat] > 1 + NUM_THROWN:
        place = dearest(state, seat, np.int64(state.kept[0]), bits, wish)
        if place != NOWHERE:
            return KEEP + np.int64(hand[place])
    return THROW + np.int64(hand[best_throws(state, seat, hand_places(state, seat), bits, wish, turns)[1]])


# ---------------------------------------------------------------------------------------------------- bonuses


@kernel
def choose_bonus(state, seat):
    """The bonus card with most points; of equal ones that to which a rival is nearest, so that it comes first."""
    best, action = LOST, np.int64(PASS)
    for bonus in range(NUM_BONUSES):
        if is_earned(state, seat, bonus):
            lacking = max(0, BONUS_NUMBER[bonus] - most_of_rivals(state, seat, bonus))
            value = 100 * BONUS_POINTS[bonus] - lacking
            if value > best:
                best, action = value, np.int64(TAKE_BONUS + bonus)
    return action
