"""The scripted player of Pick-a-Pepper.

It gathers the few values of which it has most, cooks the best sauce that it can, sheds what serves no sauce, and when
it has cooked all it may, it lays down everything as fast as it can. It looks only at its own cards and at what lies
open.
"""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.pick_a_pepper.actions import (
    COOK,
    DISCARD,
    GRAB,
    KEEP,
    NO_SLOT,
    REGROUP,
    play_action,
    take_action,
)
from pepperenvs.games.pick_a_pepper.playing import combo_size
from pepperenvs.games.pick_a_pepper.round_end import num_cards
from pepperenvs.games.pick_a_pepper.state import NUM_SLOTS, PLAYING, TURNS
from pepperenvs.games.pick_a_pepper.tables import HOTNESS, NUM_NUMBERS, NUM_SAUCES, SAUCE_POINTS, WILD

NOTHING = -1
GATHERED = 3  # values that it gathers at least; one less than the sauces required if that is more
USEFUL_GROUP = 3  # cards of one value that may become a sauce
SAUCE_CARDS = 5  # cards that it reckons with for a sauce
WILD_WORTH = 4  # a wild in a slot is worth a group of so many
GOOD_POINTS = 4  # of a sauce that it would wait for at the start of phase 2; one less each round
WILD_COST = 1  # points that a wild in a combination should bring
SAUCE_REST = 4  # cards that are kept back for another sauce, if there are so many


@kernel
def bot(state):
    """The action of the seat to move; draws no random numbers."""
    seat = state.to_move
    if state.stage == PLAYING:
        if state.phase == 1:
            return play_all(state, seat, largest(state, seat))
        return choose_play(state, seat)
    if state.stage == TURNS:
        return choose_turn(state, seat)
    return GRAB + smallest_slot(state)


# ---------------------------------------------------------------------------------------------------- playing


@kernel
def play_all(state, seat, value):
    """Play every card of a value that the hand holds, without wilds; wilds one by one."""
    if value == WILD:
        return play_action(WILD, 0, 1)
    return play_action(value, np.int64(state.hand[seat, value]), 0)


@kernel
def largest(state, seat):
    """The value of which the hand holds most; the higher of two, wilds only if there is nothing else."""
    best = WILD
    for value in range(NUM_NUMBERS):
        if state.hand[seat, value] > 0 and (best == WILD or state.hand[seat, value] >= state.hand[seat, best]):
            best = value
    return best


@kernel
def choose_play(state, seat):
    """Phase 2: play for a good sauce; or regroup if hand and ingredients together make one; else shed."""
    if state.num_cooked[seat] >= state.required:
        return shed(state, seat)
    good = wanted_points(state)
    value, sauce = best_cook(state, seat, False)
    if sauce != NOTHING and SAUCE_POINTS[sauce] >= good:
        return play_for(state, seat, value, sauce)
    if state.ingredients_size[seat] > 0:
        _, sauce = best_cook(state, seat, True)
        if sauce != NOTHING and SAUCE_POINTS[sauce] >= good:
            return REGROUP
    return play_all(state, seat, least_useful(state, seat))


@kernel
def shed(state, seat):
    """Play as many cards as can be: the largest group with all wilds."""
    value = largest(state, seat)
    wilds = np.int64(state.hand[seat, WILD])
    numbers = np.int64(state.hand[seat, value]) if value != WILD else 0
    return play_action(value, numbers, wilds)


@kernel
def wanted_points(state):
    """Points below which a sauce is not cooked yet: less each round, then anything."""
    return max(1, GOOD_POINTS - state.rounds)


@kernel
def best_cook(state, seat, with_ingredients):
    """The value and displayed sauce that bring most from the hand (and ingredients); NOTHING for no sauce.

    Of equals that of the lowest value, and of that the first sauce.
    """
    best_value, best_sauce, best = 0, NOTHING, -100
    wilds = num_held(state, seat, WILD, with_ingredients)
    for sauce in range(NUM_SAUCES):
        if state.display[sauce]:
            for value in range(NUM_NUMBERS):
                numbers = num_held(state, seat, value, with_ingredients)
                if numbers > 0 and HOTNESS[sauce] <= numbers + wilds:
                    worth = SAUCE_POINTS[sauce] - WILD_COST * max(0, HOTNESS[sauce] - numbers)
                    if worth > best or (worth == best and value < best_value):
                        best_value, best_sauce, best = value, sauce, worth
    return best_value, best_sauce


@kernel
def num_held(state, seat, value, with_ingredients):
    """Cards of a value in a seat's hand, or in hand and ingredient deck."""
    count = np.int64(state.hand[seat, value])
    if with_ingredients:
        count += np.int64(state.ingredients[seat, value])
    return count


@kernel
def play_for(state, seat, value, sauce):
    """The combination that cooks a sauce: wilds only where needed, and no rest that is too small for a sauce.

    Its last number takes all wilds along: they act earlier, and would count against it.
    """
    numbers = np.int64(state.hand[seat, value])
    wilds = max(0, HOTNESS[sauce] - numbers)
    if numbers - HOTNESS[sauce] >= SAUCE_REST:
        numbers = HOTNESS[sauce]
    if num_cards(state, seat) == numbers + np.int64(state.hand[seat, WILD]):
        wilds = np.int64(state.hand[seat, WILD])
    return play_action(value, numbers, wilds)


@kernel
def least_useful(state, seat):
    """The value in hand that it gathers least: of the largest groups of those, or wilds if there is nothing else."""
    best, fewest = WILD, 100
    for value in range(NUM_NUMBERS):
        if state.hand[seat, value] > 0:
            count = num_gathered(state, seat, value)
            if count < fewest:
                best, fewest = value, count
    return best


# ------------------------------------------------------------------------------------------------------ turns


@kernel
def num_gathered(state, seat, value):
    """Cards of a value that a seat has in hand, ingredient deck and combination."""
    count = num_held(state, seat, value, True)
    if value == WILD:
        count += np.int64(state.combo_wilds[seat])
    elif value == state.combo_value[seat]:
        count += np.int64(state.combo_numbers[seat])
    return count


@kernel
def is_gathering(state, seat, value, more):
    """Whether a value, with `more` cards of it from a slot, is a wild or one of those of which the seat has most."""
    if value == WILD:
        return True
    own = num_gathered(state, seat, value) + more
    before = 0
    for other in range(NUM_NUMBERS):
        if other != value and num_gathered(state, seat, other) >= own:
            before += 1
    return before < max(GATHERED, state.required - 1)


@kernel
def is_hungry(state, seat):
    """Whether its useful groups are too few cards for the sauces it lacks, or the largest too small for any shown."""
    wilds = num_gathered(state, seat, WILD)
    useful, most = wilds, 0
    for value in range(NUM_NUMBERS):
        count = num_gathered(state, seat, value)
        most = max(most, count)
        if count >= USEFUL_GROUP:
            useful += count
    if useful < SAUCE_CARDS * (state.required - np.int64(state.num_cooked[seat])):
        return True
    return state.phase == 2 and best_sauce(state, most + wilds) == NOTHING


@kernel
def choose_turn(state, seat):
    """Cook the best sauce if it is good enough; else collect what is gathered, and keep what serves."""
    if state.phase == 2:
        if state.num_cooked[seat] >= state.required:
            return take_action(NO_SLOT, DISCARD)
        ending = is_ending(state)
        sauce = best_sauce(state, combo_size(state, seat))
        if sauce != NOTHING and (ending or SAUCE_POINTS[sauce] >= wanted_points(state)):
            return COOK + sauce
        if ending:
            return take_action(NO_SLOT, DISCARD)
    keep = KEEP if is_gathering(state, seat, np.int64(state.combo_value[seat]), 0) else DISCARD
    return take_action(best_slot(state, seat), keep)


@kernel
def is_ending(state):
    """Whether the game is sure to end with this round: a seat has all its sauces, no cards, and has had its turn."""
    for seat in range(state.num_seats):
        if state.num_cooked[seat] >= state.required and num_cards(state, seat) + combo_size(state, seat) == 0:
            return True
    return state.rounds >= state.max_rounds


@kernel
def best_sauce(state, size):
    """The displayed sauce with most points that `size` cards cook, or NOTHING."""
    best = NOTHING
    for sauce in range(NUM_SAUCES):
        if state.display[sauce] and HOTNESS[sauce] <= size:
            if best == NOTHING or SAUCE_POINTS[sauce] > SAUCE_POINTS[best]:
                best = sauce
    return best


@kernel
def best_slot(state, seat):
    """The slot whose cards make the largest group with its own, or NO_SLOT if it needs none."""
    best, most = NO_SLOT, 0
    hungry = is_hungry(state, seat)
    for slot in range(NUM_SLOTS):
        value, size = np.int64(state.slot_value[slot]), np.int64(state.slot_size[slot])
        if size > 0:
            worth = WILD_WORTH if value == WILD else num_gathered(state, seat, value) + size
            if worth > most and (hungry or worth > WILD_WORTH) and is_gathering(state, seat, value, size):
                best, most = slot, worth
    return best


@kernel
def smallest_slot(state):
    """The slot with the fewest cards that is not empty."""
    best = NO_SLOT
    for slot in range(NUM_SLOTS):
        size = state.slot_size[slot]
        if size > 0 and (best == NO_SLOT or size < state.slot_size[best]):
            best = slot
    return best
