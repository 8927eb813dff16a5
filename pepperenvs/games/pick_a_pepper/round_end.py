"""Pick-a-Pepper, the end of a round: the trigger, grabs, and what is refilled."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.core.utility import rank_by
from pepperenvs.games.pick_a_pepper.actions import GRAB, NO_SLOT
from pepperenvs.games.pick_a_pepper.playing import clockwise, take_ingredients
from pepperenvs.games.pick_a_pepper.state import GRABBING, GROUP, NEW_ROUND, NUM_SLOTS, OVER, REFILLING, RESHUFFLE
from pepperenvs.games.pick_a_pepper.tables import NUM_SAUCES, NUM_VALUES, WILD
from pepperenvs.games.pick_a_pepper.turns import empty_slot


@kernel
def end_turns(state):
    """End of round, (a) the trigger, (b) empty hands take their deck, (c) who must grab; True if the game is over."""
    state.stage = REFILLING
    if state.phase == 2:
        for seat in range(state.num_seats):
            if state.num_cooked[seat] >= state.required and num_cards(state, seat) == 0:
                end_game(state, 0)
                return True
        for seat in range(state.num_seats):
            if state.hand_size[seat] == 0:
                take_ingredients(state, seat)
            state.to_grab[seat] = state.hand_size[seat] == 0
        state.stage = GRABBING
    return False


@kernel
def num_cards(state, seat):
    """Cards in a seat's hand and ingredient deck."""
    return np.int64(state.hand_size[seat]) + np.int64(state.ingredients_size[seat])


@kernel
def legal_grabs(state, ids):
    """Any slot that still has cards.  [R6]"""
    count = 0
    for slot in range(NUM_SLOTS):
        if state.slot_size[slot] > 0:
            ids[count] = GRAB + slot
            count += 1
    return count


@kernel
def ask_next_grabber(state):
    """The next seat that must grab is to move: turn order first, then clockwise from the spoon; False if none.  [R6]"""
    if not is_any_slot_filled(state):
        state.to_grab[:] = 0
    for place in range(state.num_turns):
        if state.to_grab[state.turn_order[place]]:
            state.to_move = state.turn_order[place]
            return True
    for distance in range(state.num_seats):
        seat = clockwise(state, state.spoon, distance)
        if state.to_grab[seat]:
            state.to_move = seat
            return True
    return False


@kernel
def is_any_slot_filled(state):
    """Whether some slot holds cards."""
    for slot in range(NUM_SLOTS):
        if state.slot_size[slot] > 0:
            return True
    return False


@kernel
def grab(state, seat, slot):
    """A seat without cards takes a slot's cards into its hand.  [R6]"""
    state.hand_size[seat] += state.slot_size[slot]
    empty_slot(state, slot, state.hand[seat])
    state.to_grab[seat] = 0


@kernel
def end_round(state):
    """End of round, (d) slots and (e) display are refilled; True if a reshuffle is awaited or the game is over.

    Entered again after a reshuffle, which can fall in the middle of the refill.
    """
    if not fill_slots(state):
        state.pending = RESHUFFLE
        return True
    if state.phase == 2:
        refill_display(state)
        if state.num_turns == 0 and not is_anybody_holding(state):  # nobody had a card, nobody got one  [R9]
            end_game(state, 0)
            return True
        if state.rounds >= state.max_rounds:
            end_game(state, 1)
            return True
    state.stage = NEW_ROUND
    return False


@kernel
def is_anybody_holding(state):
    """Whether some seat has a card in hand."""
    for seat in range(state.num_seats):
        if state.hand_size[seat] > 0:
            return True
    return False


@kernel
def fill_slots(state):
    """Reveal cards until every slot holds one; False if the discards must become the deck first.  [R1, R4]

    Then they lie in the deck unshuffled.
    """
    empty = lowest_empty_slot(state)
    while empty != NO_SLOT:
        if state.deck_len == 0:
            lay_discards(state)
            return state.deck_len == 0  # neither deck nor discards: the slots stay empty
        value = draw_card(state)
        slot = slot_of_group(state, value)
        if slot == NO_SLOT:
            slot = empty
        state.slot_value[slot] = value
        state.slot_size[slot] += 1
        if slot == empty:
            empty = lowest_empty_slot(state)
    return True


@kernel
def lowest_empty_slot(state):
    """The lowest-numbered empty slot, or NO_SLOT."""
    for slot in range(NUM_SLOTS):
        if state.slot_size[slot] == 0:
            return slot
    return NO_SLOT


@kernel
def slot_of_group(state, value):
    """The slot whose group a revealed number joins, one that is not full; NO_SLOT for none, and for a wild.  [R1]"""
    if value != WILD:
        for slot in range(NUM_SLOTS):
            if state.slot_value[slot] == value and 0 < state.slot_size[slot] < GROUP:
                return slot
    return NO_SLOT


@kernel
def draw_card(state):
    """Remove and return the top card; the deck is not empty. No trace stays: the card may be dealt, and hidden."""
    state.deck_len -= 1
    value = np.int64(state.deck[state.deck_len])
    state.deck[state.deck_len] = 0
    return value


@kernel
def lay_discards(state):
    """The discards become the deck, unshuffled."""
    for value in range(NUM_VALUES):
        for _ in range(state.discards[value]):
            state.deck[state.deck_len] = value
            state.deck_len += 1
        state.discards[value] = 0
    if state.phase == 1:
        state.reshuffled = 1


@kernel
def refill_display(state):
    """Sauces are displayed up to two more than there are players, while they last."""
    shown = 0
    for sauce in range(NUM_SAUCES):
        shown += np.int64(state.display[sauce])
    while shown < state.num_seats + 2 and state.sauce_len > 0:
        state.sauce_len -= 1
        state.display[state.sauce_pile[state.sauce_len]] = 1
        shown += 1


@kernel
def end_game(state, truncated):
    """Score the seats, points of the sauces minus one for each card, and end the game."""
    for seat in range(state.num_seats):
        state.score[seat] = state.cooked_points[seat] - num_cards(state, seat)
    rank_by(state.score, state.num_seats, state.standing)
    state.truncated = truncated
    state.to_move = OVER


@kernel
def conclude(state):
    """End the game as the table lies, as its limit would."""
    end_game(state, 1)
