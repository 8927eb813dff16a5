"""Pick-a-Pepper, the second step of a round: in their order the seats collect or cook."""

from pepperenvs.core.jit import kernel
from pepperenvs.games.pick_a_pepper.actions import COOK, DISCARD, NO_SLOT, take_action
from pepperenvs.games.pick_a_pepper.playing import combo_size
from pepperenvs.games.pick_a_pepper.state import NUM_SLOTS
from pepperenvs.games.pick_a_pepper.tables import HOTNESS, MIN_HOTNESS, NUM_SAUCES, SAUCE_POINTS, WILD


@kernel
def legal_turns(state, ids):
    """Take the cards of one slot or none; in phase 2 cook a displayed sauce that the combination is hot enough for."""
    seat = state.to_move
    count = 0
    for slot in range(NUM_SLOTS):
        if state.slot_size[slot] > 0:
            ids[count] = take_action(slot, 0)
            ids[count + 1] = take_action(slot, DISCARD)
            count += 2
    ids[count] = take_action(NO_SLOT, 0)
    ids[count + 1] = take_action(NO_SLOT, DISCARD)
    count += 2
    size = combo_size(state, seat)
    if state.phase == 2 and size >= MIN_HOTNESS and state.num_cooked[seat] < state.required:
        for sauce in range(NUM_SAUCES):
            if state.display[sauce] and HOTNESS[sauce] <= size:
                ids[count] = COOK + sauce
                count += 1
    return count


@kernel
def collect(state, seat, slot, discard):
    """The seat takes a slot's cards (or NO_SLOT) into its ingredient deck and keeps or discards its combination."""
    if slot != NO_SLOT:
        state.ingredients_size[seat] += state.slot_size[slot]
        empty_slot(state, slot, state.ingredients[seat])
    if discard:
        clear_combo(state, seat, state.discards)
    else:
        state.ingredients_size[seat] += combo_size(state, seat)
        clear_combo(state, seat, state.ingredients[seat])


@kernel
def empty_slot(state, slot, cards):
    """Move a slot's cards to `cards`, counts by value."""
    cards[state.slot_value[slot]] += state.slot_size[slot]
    state.slot_value[slot] = 0
    state.slot_size[slot] = 0


@kernel
def clear_combo(state, seat, cards):
    """Move the combination before a seat to `cards`, counts by value.  [R8]"""
    cards[state.combo_value[seat]] += state.combo_numbers[seat]
    cards[WILD] += state.combo_wilds[seat]
    state.combo_value[seat] = 0
    state.combo_numbers[seat] = 0
    state.combo_wilds[seat] = 0


@kernel
def cook(state, seat, sauce):
    """The combination is discarded, the sauce taken.  [R3]"""
    clear_combo(state, seat, state.discards)
    state.display[sauce] = 0
    state.sauces[seat, sauce] = 1
    state.num_cooked[seat] += 1
    state.cooked_points[seat] += SAUCE_POINTS[sauce]
