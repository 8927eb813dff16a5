"""The scripted player of Peppers of the Caribbean.

It scores the best set it has when that is worth more than what the cards promise, else it takes what makes the best
hand: different colours and dishes, dear cards, cards that the open bonus cards want. It keeps what scores, throws what
it misses least, and takes every bonus card it can. It looks only at its own hand and at what lies open.
"""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.peppers_of_the_caribbean.actions import DRAW, DROP, KEEP, PASS, TAKE, TAKE_BONUS, THROW
from pepperenvs.games.peppers_of_the_caribbean.bonuses import is_earned, tally
from pepperenvs.games.peppers_of_the_caribbean.cards import supply_bits
from pepperenvs.games.peppers_of_the_caribbean.sets import NUM_THROWN, has_one_more, has_two_more, set_bits
from pepperenvs.games.peppers_of_the_caribbean.state import DROPPING, HAND_LIMIT, LAST_TURNS, SET, TURN
from pepperenvs.games.peppers_of_the_caribbean.tables import (
    BIT_COUNTS,
    BONUS_BITS,
    BONUS_COUNTS,
    BONUS_NUMBER,
    BONUS_POINTS,
    IS_DURING,
    NAMED,
    NUM_BONUSES,
    NUM_TYPES,
    SHOWN,
    VALUES,
)

NOTHING = -1
POINT = 12  # all worths are in twelfths of a point
PER_SIGN = 8  # a colour or dish that the hand shows
PER_SECOND = 3  # one that it shows on two cards
HELD_SHARE = 6  # a card in hand is worth one part in so many of what it would score
FOUR_BEFORE = 5  # with fewer turns to come than this it does not wait for a fourth card
PATIENCE = 30  # a set of three is left for one of four unless it scores more, early in the game
LEAD = 2  # cards ahead, or behind, up to which the most of something is contested


@kernel
def bot(state):
    """The action of the seat to move; draws no random numbers."""
    seat = state.to_move
    if state.stage == TURN:
        return choose_turn(state, seat)
    if state.stage == SET:
        return choose_in_set(state, seat)
    if state.stage == DROPPING:
        return DROP + np.int64(state.hand[seat, least_missed(state, seat)])
    return choose_bonus(state, seat)


# ------------------------------------------------------------------------------------------------------- worth


@kernel
def most_of_others(state, seat, bonus):
    """The highest tally of a bonus card among the other seats."""
    most = 0
    for other in range(state.num_seats):
        if other != seat:
            most = max(most, tally(state, other, bonus))
    return most


@kernel
def bonus_worth(state, seat, bonus):
    """What one more counted card brings toward a bonus card: its points, shared among the cards still needed."""
    own, others = tally(state, seat, bonus), most_of_others(state, seat, bonus)
    points = BONUS_POINTS[bonus] * POINT
    if IS_DURING[bonus]:
        need = BONUS_NUMBER[bonus] - own
        return points // (need * need) if need > 0 else 0
    return points // 4 if abs(own - others) <= LEAD else 0


@kernel
def front_worth(state, seat, card):
    """What a card is worth in front of the seat: its points, and what it brings toward open bonus cards."""
    worth = VALUES[card] * POINT
    for bonus in range(NUM_BONUSES):
        if state.open_bonuses[bonus] and BONUS_COUNTS[card, bonus]:
            if BONUS_BITS[bonus] == 0 or SHOWN[card] & BONUS_BITS[bonus] & ~state.pirate_bits[seat]:
                worth += bonus_worth(state, seat, bonus)
    return worth


@kernel
def hand_worth(state, seat, without, taking):
    """What the hand promises: cards that go together, and what they would score.

    without    the place of a hand card that is left out, or NOTHING
    taking     a colour or dish: supply cards that show it count as well; 0 for none
    """
    once, twice, scores, count = 0, 0, 0, 0
    for index in range(np.int64(state.hand_size[seat])):
        if index != without:
            card = np.int64(state.hand[seat, index])
            twice |= once & SHOWN[card]
            once |= SHOWN[card]
            scores += front_worth(state, seat, card)
            count += 1
    for index in range(state.supply_len):
        card = np.int64(state.supply[index])
        if SHOWN[card] & taking:
            twice |= once & SHOWN[card]
            once |= SHOWN[card]
            scores += front_worth(state, seat, card)
            count += 1
    if count > HAND_LIMIT:
        scores = scores * HAND_LIMIT // count
    return PER_SIGN * BIT_COUNTS[once] + PER_SECOND * BIT_COUNTS[twice] + scores // HELD_SHARE


@kernel
def least_missed(state, seat):
    """The place of the hand card without which the hand promises most."""
    best, place = NOTHING, 0
    for index in range(np.int64(state.hand_size[seat])):
        worth = hand_worth(state, seat, index, 0)
        if worth > best:
            best, place = worth, index
    return place


# -------------------------------------------------------------------------------------------------------- turn


@kernel
def turns_to_come(state):
    """Turns that the seat can expect after this one: a turn takes about two cards from the pile."""
    return 0 if state.ending == LAST_TURNS else 1 + state.pile_len // (2 * state.num_seats)


@kernel
def choose_turn(state, seat):
    """Score if the best set is good enough for the time that is left; else take; else draw."""
    action = best_take(state, seat)
    worth, card = best_set(state, seat)
    if card != NOTHING and (action == NOTHING or worth >= wanted(state)):
        return KEEP + card
    if action != NOTHING:
        return action
    return np.int64(DRAW)


@kernel
def wanted(state):
    """What a set must be worth: the more, the longer the game still lasts."""
    turns = turns_to_come(state)
    return PATIENCE if turns >= FOUR_BEFORE else 0


@kernel
def best_take(state, seat):
    """The naming after which the hand promises most, or NOTHING."""
    shown, best, action = supply_bits(state), NOTHING, NOTHING
    for naming in range(2):
        for index in range(np.int64(state.hand_size[seat])):
            card = np.int64(state.hand[seat, index])
            if NAMED[naming, card] & shown:
                worth = hand_worth(state, seat, index, NAMED[naming, card])
                if worth > best:
                    best, action = worth, TAKE + naming * NUM_TYPES + card
    return action


@kernel
def best_set(state, seat):
    """What the best set keeps is worth, and the first card of it to keep; NOTHING if there is no set."""
    hand, size = state.hand[seat], np.int64(state.hand_size[seat])
    best, card = NOTHING, NOTHING
    if size <= 1 + NUM_THROWN:
        return best, card
    for index in range(size):
        kept = np.int64(hand[index])
        if has_two_more(hand, size, 0, SHOWN[kept]):
            worth = front_worth(state, seat, kept)
            second, more = best_second(state, seat, kept, SHOWN[kept], size)
            if second != NOTHING:
                worth += more
            if worth > best:
                best, card = worth, kept
    return best, card


@kernel
def best_second(state, seat, first, bits, size):
    """The dearest second card to keep, a later type than the first, and its worth; NOTHING if two cannot be kept.

    size    of the hand while the first card is still in it
    """
    hand, best, card = state.hand[seat], NOTHING, NOTHING
    if size > 2 + NUM_THROWN:
        for index in range(np.int64(state.hand_size[seat])):
            kept = np.int64(hand[index])
            if kept > first and not SHOWN[kept] & bits:
                if has_two_more(hand, np.int64(state.hand_size[seat]), 0, bits | SHOWN[kept]):
                    worth = front_worth(state, seat, kept)
                    if worth > best:
                        best, card = worth, kept
    return card, best


# --------------------------------------------------------------------------------------------- sets and bonuses


@kernel
def choose_in_set(state, seat):
    """Keep a second card if that can be; throw what the hand misses least."""
    bits, size = set_bits(state), np.int64(state.hand_size[seat])
    if state.num_kept == 1 and state.num_thrown == 0:
        second, _ = best_second(state, seat, np.int64(state.kept[0]), bits, size + 1)
        if second != NOTHING:
            return KEEP + second
    hand, best, action = state.hand[seat], NOTHING, np.int64(THROW)
    for index in range(size):
        card = np.int64(hand[index])
        if card > state.thrown[0] and not SHOWN[card] & bits:
            if state.num_thrown == 1 or has_one_more(hand, size, index + 1, bits | SHOWN[card]):
                worth = hand_worth(state, seat, index, 0)
                if worth > best:
                    best, action = worth, THROW + card
    return action


@kernel
def choose_bonus(state, seat):
    """The dearest bonus card that it has earned; of equal ones the one that another seat is nearer to."""
    best, action = NOTHING, np.int64(PASS)
    for bonus in range(NUM_BONUSES):
        if is_earned(state, seat, bonus):
            worth = 100 * BONUS_POINTS[bonus] + most_of_others(state, seat, bonus)
            if worth > best:
                best, action = worth, np.int64(TAKE_BONUS + bonus)
    return action
