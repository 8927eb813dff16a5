"""Pick-a-Pepper, the first step of a round: seats play combinations, and these set the order of turns."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.pick_a_pepper.actions import PLAY, PLAY_WILDS, REGROUP, WILD_CHOICES
from pepperenvs.games.pick_a_pepper.tables import MAX_COPIES, NUM_NUMBERS, NUM_VALUES, WILD


@kernel
def legal_plays(state, ids):
    """Cards of one value with any wilds, wilds alone; in phase 2 regroup if there is something to take.  [R5]"""
    hand = state.hand[state.to_move]
    wilds = np.int64(hand[WILD])
    count = 0
    for value in range(NUM_NUMBERS):
        first = PLAY + value * MAX_COPIES * WILD_CHOICES
        for _ in range(hand[value]):
            ids[count] = first
            count += 1
            for extra in range(1, wilds + 1):
                ids[count] = first + extra
                count += 1
            first += WILD_CHOICES
    for extra in range(wilds):
        ids[count] = PLAY_WILDS + extra
        count += 1
    if state.phase == 2 and state.ingredients_size[state.to_move] > 0:
        ids[count] = REGROUP
        count += 1
    return count


@kernel
def play(state, seat, action):
    """Lay a combination from the hand before the seat."""
    if action < PLAY_WILDS:
        value = (action - PLAY) // (MAX_COPIES * WILD_CHOICES)
        numbers = (action - PLAY) // WILD_CHOICES % MAX_COPIES + 1
        wilds = (action - PLAY) % WILD_CHOICES
        state.hand[seat, value] -= numbers
    else:
        value, numbers, wilds = WILD, 0, action - PLAY_WILDS + 1
    state.hand[seat, WILD] -= wilds
    state.hand_size[seat] -= numbers + wilds
    state.combo_value[seat] = value
    state.combo_numbers[seat] = numbers
    state.combo_wilds[seat] = wilds
    state.to_play[seat] = 0


@kernel
def take_ingredients(state, seat):
    """The seat's ingredient deck becomes part of its hand."""
    for value in range(NUM_VALUES):
        state.hand[seat, value] += state.ingredients[seat, value]
        state.ingredients[seat, value] = 0
    state.hand_size[seat] += state.ingredients_size[seat]
    state.ingredients_size[seat] = 0


@kernel
def combo_size(state, seat):
    """Cards in the combination before a seat; 0 for none."""
    return np.int64(state.combo_numbers[seat]) + np.int64(state.combo_wilds[seat])


@kernel
def clockwise(state, seat, distance):
    """The seat that sits `distance` seats clockwise of another, 0 .. num_seats-1; a division would cost more."""
    other = seat + distance
    return other - state.num_seats if other >= state.num_seats else other


@kernel
def ask_next_player(state):
    """The next seat to play, clockwise from the spoon holder, is to move; False if all have played."""
    for distance in range(state.num_seats):
        seat = clockwise(state, state.spoon, distance)
        if state.to_play[seat]:
            state.to_move = seat
            return True
    return False


@kernel
def order_turns(state):
    """More cards first, then the higher value, wilds-only above, then the earlier; the first takes the spoon.  [R2]"""
    first = state.spoon
    for distance in range(state.num_seats):
        seat = clockwise(state, first, distance)
        if combo_size(state, seat) > 0:
            place = state.num_turns
            while place > 0 and is_higher(state, seat, state.turn_order[place - 1]):
                state.turn_order[place] = state.turn_order[place - 1]
                place -= 1
            state.turn_order[place] = seat
            state.num_turns += 1
    if state.num_turns > 0:
        state.spoon = state.turn_order[0]


@kernel
def is_higher(state, seat, other):
    """Whether a seat's combination goes before that of another seat that played earlier."""
    size, rival = combo_size(state, seat), combo_size(state, other)
    return size > rival or (size == rival and state.combo_value[seat] > state.combo_value[other])
