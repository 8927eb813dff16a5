"""Pick-a-Pepper: what must hold between two moves."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.pick_a_pepper.playing import combo_size
from pepperenvs.games.pick_a_pepper.state import GRABBING, GROUP, NUM_SLOTS, OVER, REFILLING, SET_UP
from pepperenvs.games.pick_a_pepper.tables import (
    CARD_COUNTS,
    IN_PLAY,
    NUM_CARDS,
    NUM_SAUCES,
    NUM_VALUES,
    SAUCE_POINTS,
    WILD,
)

AUDITS = {
    1: "a chili card is missing or there twice",
    2: "a sauce is missing or there twice",
    3: "a size is not the number of cards or sauces it stands for, or points are not those of the sauces",
    4: "a slot holds too many cards, or two wilds, or has a value but no card",
    5: "a seat, stage, length or card is out of range, or an outcome is awaited",
    6: "a seat has cooked more sauces than it may, or more are displayed than may be",
    7: "a combination lies before a seat that has none to play",
}


@kernel
def audit(state):
    """0 if the state is sound between two moves, else a number of AUDITS."""
    if not is_in_range(state):
        return 5
    for value in range(NUM_VALUES):
        if count_value(state, value) != CARD_COUNTS[value]:
            return 1
    for sauce in range(NUM_SAUCES):
        if count_sauce(state, sauce) != IN_PLAY[state.difficulty, sauce]:
            return 2
    for seat in range(state.num_seats):
        fault = audit_seat(state, seat)
        if fault:
            return fault
    return audit_slots(state)


@kernel
def is_in_range(state):
    """Whether all that kernels use as an index or a length is one: without this a forged save could write anywhere."""
    if not (OVER <= state.to_move < state.num_seats and state.pending == 0 and 0 <= state.spoon < state.num_seats):
        return False
    if not (0 <= state.deck_len <= NUM_CARDS and 0 <= state.sauce_len <= NUM_SAUCES):
        return False
    if not (0 <= state.turn <= state.num_turns <= state.num_seats and SET_UP <= state.stage <= REFILLING):
        return False
    for index in range(state.deck_len):
        if not 0 <= state.deck[index] < NUM_VALUES:
            return False
    for index in range(state.sauce_len):
        if not 0 <= state.sauce_pile[index] < NUM_SAUCES:
            return False
    for slot in range(NUM_SLOTS):
        if not 0 <= state.slot_value[slot] < NUM_VALUES:
            return False
    for seat in range(state.num_seats):
        if not (0 <= state.combo_value[seat] < NUM_VALUES and 0 <= state.turn_order[seat] < state.num_seats):
            return False
    return True


@kernel
def count_value(state, value):
    """Cards of one value in the whole game."""
    count = np.int64(state.discards[value])
    for index in range(state.deck_len):
        count += state.deck[index] == value
    for slot in range(NUM_SLOTS):
        if state.slot_value[slot] == value:
            count += np.int64(state.slot_size[slot])
    for seat in range(state.num_seats):
        count += np.int64(state.hand[seat, value]) + np.int64(state.ingredients[seat, value])
        if state.combo_value[seat] == value:
            count += np.int64(state.combo_numbers[seat])
        if value == WILD:
            count += np.int64(state.combo_wilds[seat])
    return count


@kernel
def count_sauce(state, sauce):
    """How often one sauce is in the game."""
    count = np.int64(state.display[sauce])
    for index in range(state.sauce_len):
        count += state.sauce_pile[index] == sauce
    for seat in range(state.num_seats):
        count += np.int64(state.sauces[seat, sauce])
    return count


@kernel
def audit_seat(state, seat):
    """0 or the number of AUDITS that a seat fails."""
    hand, ingredients, cooked, worth = 0, 0, 0, 0
    for value in range(NUM_VALUES):
        if state.hand[seat, value] < 0 or state.ingredients[seat, value] < 0:
            return 1
        hand += np.int64(state.hand[seat, value])
        ingredients += np.int64(state.ingredients[seat, value])
    for sauce in range(NUM_SAUCES):
        cooked += np.int64(state.sauces[seat, sauce])
        worth += np.int64(state.sauces[seat, sauce]) * SAUCE_POINTS[sauce]
    if hand != state.hand_size[seat] or ingredients != state.ingredients_size[seat]:
        return 3
    if cooked != state.num_cooked[seat] or worth != state.cooked_points[seat]:
        return 3
    if cooked > state.required:
        return 6
    if combo_size(state, seat) > 0 and (state.to_play[seat] or state.stage == GRABBING):
        return 7
    return 0


@kernel
def audit_slots(state):
    """0 or the number of AUDITS that the slots or the display fail."""
    for slot in range(NUM_SLOTS):
        value, size = state.slot_value[slot], state.slot_size[slot]
        if size < 0 or size > (1 if value == WILD else GROUP) or (size == 0 and value != 0):
            return 4
    shown = 0
    for sauce in range(NUM_SAUCES):
        shown += np.int64(state.display[sauce])
    return 6 if shown > state.num_seats + 2 else 0
