"""The rules of Pick-a-Pepper as kernels. RULES.md has the text; [R…] are its rulings."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.core.rng import below, shuffle
from pepperenvs.core.utility import rank_by
from pepperenvs.games.pick_a_pepper.actions import (
    COOK,
    DISCARD,
    GRAB,
    MAX_COPIES,
    NO_SLOT,
    PLAY,
    PLAY_WILDS,
    REGROUP,
    TAKE,
    WILD_CHOICES,
    play_action,
    take_action,
)
from pepperenvs.games.pick_a_pepper.state import (
    DEAL,
    GRABBING,
    GROUP,
    NEW_ROUND,
    NUM_SLOTS,
    OVER,
    PLAYING,
    REFILLING,
    RESHUFFLE,
    SET_UP,
    TURNS,
)
from pepperenvs.games.pick_a_pepper.tables import (
    CARD_COUNTS,
    HAND_CARDS,
    HOTNESS,
    IN_PLAY,
    NUM_CARDS,
    NUM_NUMBERS,
    NUM_SAUCES,
    NUM_VALUES,
    REQUIRED,
    SAUCE_POINTS,
    WILD,
)

# --------------------------------------------------------------------------------------------- set-up, chance


@kernel
def reset(state):
    """Lay out all cards and the sauces of this difficulty, unshuffled; the deal is awaited."""
    state.required = REQUIRED[state.difficulty, state.num_seats]
    state.hand_cards = HAND_CARDS[state.difficulty]
    state.phase = 1
    for value in range(NUM_VALUES):
        for _ in range(CARD_COUNTS[value]):
            state.deck[state.deck_len] = value
            state.deck_len += 1
    for sauce in range(NUM_SAUCES):
        if IN_PLAY[state.difficulty, sauce]:
            state.sauce_pile[state.sauce_len] = sauce
            state.sauce_len += 1
    state.stage = SET_UP
    state.pending = DEAL


@kernel
def chance(state):
    """The deal: shuffle deck and sauces, give the spoon to a random seat. Reshuffle: shuffle the new deck.  [R4]"""
    shuffle(state.deck, 0, state.deck_len, state.rng)
    if state.pending == DEAL:
        shuffle(state.sauce_pile, 0, state.sauce_len, state.rng)
        state.spoon = below(state.rng, state.num_seats)


@kernel
def draw_card(state):
    """Remove and return the deck's top card; the deck is not empty."""
    state.deck_len -= 1
    return np.int64(state.deck[state.deck_len])


@kernel
def deal_hands(state):
    """Deal the hands, one card at a time from seat 0."""
    for _ in range(state.hand_cards):
        for seat in range(state.num_seats):
            state.hand[seat, draw_card(state)] += 1
            state.hand_size[seat] += 1


# --------------------------------------------------------------------------------------------- legal actions


@kernel
def legal_actions(state, ids):
    """The legal actions of the seat to move.

    ids        int32 [actions], receives their indices in ascending order
    returns    how many there are
    """
    if state.stage == PLAYING:
        return legal_plays(state, ids)
    if state.stage == TURNS:
        return legal_turns(state, ids)
    return legal_grabs(state, ids)


@kernel
def legal_plays(state, ids):
    """Any cards of one value with any wilds, wilds alone, and in phase 2 regroup if there is something to take.  [R5]"""
    hand = state.hand[state.to_move]
    wilds = np.int64(hand[WILD])
    count = 0
    for value in range(NUM_NUMBERS):
        for numbers in range(hand[value]):
            first = PLAY + (value * MAX_COPIES + numbers) * WILD_CHOICES
            for extra in range(wilds + 1):
                ids[count] = first + extra
                count += 1
    for extra in range(wilds):
        ids[count] = PLAY_WILDS + extra
        count += 1
    if state.phase == 2 and state.ingredients_size[state.to_move] > 0:
        ids[count] = REGROUP
        count += 1
    return count


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
    if state.phase == 2 and state.num_cooked[seat] < state.required:
        size = combo_size(state, seat)
        for sauce in range(NUM_SAUCES):
            if state.display[sauce] and HOTNESS[sauce] <= size:
                ids[count] = COOK + sauce
                count += 1
    return count


@kernel
def legal_grabs(state, ids):
    """Any slot that still has cards.  [R6]"""
    count = 0
    for slot in range(NUM_SLOTS):
        if state.slot_size[slot] > 0:
            ids[count] = GRAB + slot
            count += 1
    return count


# ------------------------------------------------------------------------------------------------------ step


@kernel
def step(state, action):
    """Play a legal action for the seat to move."""
    state.moves += 1
    seat = state.to_move
    if action < REGROUP:
        play(state, seat, action)
    elif action == REGROUP:
        take_ingredients(state, seat)
        state.to_play[seat] = 0
    elif action < COOK:
        collect(state, seat, (action - TAKE) // 2, (action - TAKE) % 2)
        state.turn += 1
    elif action < GRAB:
        cook(state, seat, action - COOK)
        state.turn += 1
    else:
        grab(state, seat, action - GRAB)


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
def collect(state, seat, slot, discard):
    """The seat takes a slot's cards (or NO_SLOT) into its ingredient deck and keeps or discards its combination."""
    if slot != NO_SLOT:
        empty_slot(state, slot, state.ingredients[seat])
        state.ingredients_size[seat] += state.slot_size[slot]
        state.slot_size[slot] = 0
    if discard:
        clear_combo(state, seat, state.discards)
    else:
        state.ingredients_size[seat] += combo_size(state, seat)
        clear_combo(state, seat, state.ingredients[seat])


@kernel
def empty_slot(state, slot, cards):
    """Move a slot's cards to `cards`, counts by value; its size is left to the caller."""
    for value in range(NUM_VALUES):
        cards[value] += state.slots[slot, value]
        state.slots[slot, value] = 0


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


@kernel
def grab(state, seat, slot):
    """A seat without cards takes a slot's cards into its hand.  [R6]"""
    empty_slot(state, slot, state.hand[seat])
    state.hand_size[seat] += state.slot_size[slot]
    state.slot_size[slot] = 0
    state.to_grab[seat] = 0


# --------------------------------------------------------------------------------------------------- advance


@kernel
def advance(state):
    """Carry the rules on to the next decision, reshuffle, or end."""
    state.pending = 0
    while True:
        if state.stage == SET_UP:
            fill_slots(state)
            deal_hands(state)
            state.stage = NEW_ROUND
        elif state.stage == NEW_ROUND:
            begin_round(state)
        elif state.stage == PLAYING:
            if ask_next_player(state):
                break
            order_turns(state)
            state.stage = TURNS
        elif state.stage == TURNS:
            if state.turn < state.num_turns:
                state.to_move = state.turn_order[state.turn]
                break
            if end_turns(state):
                break
        elif state.stage == GRABBING:
            if ask_next_grabber(state):
                break
            state.stage = REFILLING
        elif end_round(state):
            break


@kernel
def begin_round(state):
    """Enter phase 2 when nobody has hand cards in phase 1; then every seat with hand cards is to play.  [R7]"""
    if state.phase == 1 and not is_anybody_holding(state):
        state.phase = 2
        for seat in range(state.num_seats):
            take_ingredients(state, seat)
        refill_display(state)
    if state.phase == 2:
        state.rounds += 1
    for seat in range(state.num_seats):
        state.to_play[seat] = state.hand_size[seat] > 0
    state.num_turns = 0
    state.turn = 0
    state.stage = PLAYING


@kernel
def is_anybody_holding(state):
    """Whether some seat has a card in hand."""
    for seat in range(state.num_seats):
        if state.hand_size[seat] > 0:
            return True
    return False


@kernel
def ask_next_player(state):
    """The next seat to play, clockwise from the spoon holder, is to move; False if all have played."""
    for distance in range(state.num_seats):
        seat = (state.spoon + distance) % state.num_seats
        if state.to_play[seat]:
            state.to_move = seat
            return True
    return False


@kernel
def order_turns(state):
    """More cards first, then the higher value, wilds-only above all, then the earlier; the first takes the spoon.  [R2]"""
    first = state.spoon
    for distance in range(state.num_seats):
        seat = (first + distance) % state.num_seats
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
def ask_next_grabber(state):
    """The next seat that must grab is to move: turn order first, then clockwise from the spoon; False if none.  [R6]"""
    if not is_any_slot_filled(state):
        state.to_grab[:] = 0
    for place in range(state.num_turns):
        if state.to_grab[state.turn_order[place]]:
            state.to_move = state.turn_order[place]
            return True
    for distance in range(state.num_seats):
        seat = (state.spoon + distance) % state.num_seats
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
def fill_slots(state):
    """Reveal cards until every slot holds one; False if the discards must become the deck first.  [R1, R4]

    Then they lie in the deck unshuffled.
    """
    while lowest_empty_slot(state) != NO_SLOT:
        if state.deck_len == 0:
            lay_discards(state)
            return state.deck_len == 0  # neither deck nor discards: the slots stay empty
        value = draw_card(state)
        slot = slot_of_group(state, value)
        state.slots[slot, value] += 1
        state.slot_size[slot] += 1
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
    """Where a revealed card goes: to the group of its number that is not full, else to the lowest empty slot.  [R1]"""
    if value != WILD:
        for slot in range(NUM_SLOTS):
            if 0 < state.slots[slot, value] < GROUP:
                return slot
    return lowest_empty_slot(state)


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


# ----------------------------------------------------------------------------------------------------- audit

AUDITS = {
    1: "a chili card is missing or there twice",
    2: "a sauce is missing or there twice",
    3: "a size is not the number of cards or sauces it stands for, or points are not those of the sauces",
    4: "a slot holds cards of two values, too many of one, or two wilds",
    5: "the seat to move, the stage or the awaited outcome is out of range",
    6: "a seat has cooked more sauces than it may, or more are displayed than may be",
    7: "a combination lies before a seat that has none to play",
}


@kernel
def audit(state):
    """0 if the state is sound between two moves, else a number of AUDITS."""
    if state.to_move < OVER or state.to_move >= state.num_seats or state.pending != 0:
        return 5
    if state.deck_len < 0 or state.deck_len > NUM_CARDS or state.sauce_len < 0 or state.sauce_len > NUM_SAUCES:
        return 5
    if not 0 <= state.turn <= state.num_turns <= state.num_seats:
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
def count_value(state, value):
    """Cards of one value in the whole game."""
    count = np.int64(state.discards[value])
    for index in range(state.deck_len):
        count += state.deck[index] == value
    for slot in range(NUM_SLOTS):
        count += np.int64(state.slots[slot, value])
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
        cards, kinds = 0, 0
        for value in range(NUM_VALUES):
            cards += np.int64(state.slots[slot, value])
            kinds += state.slots[slot, value] != 0
            if state.slots[slot, value] > (1 if value == WILD else GROUP):
                return 4
        if kinds > 1:
            return 4
        if cards != state.slot_size[slot]:
            return 3
    shown = 0
    for sauce in range(NUM_SAUCES):
        shown += np.int64(state.display[sauce])
    return 6 if shown > state.num_seats + 2 else 0
