"""Peppers of the Caribbean: what must hold between two moves."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.peppers_of_the_caribbean.rules import can_play
from pepperenvs.games.peppers_of_the_caribbean.sets import can_complete, set_bits
from pepperenvs.games.peppers_of_the_caribbean.state import (
    DROPPING,
    HAND_LIMIT,
    LAST_TURNS,
    MAX_HAND,
    NO_CARD,
    NOT_YET,
    NUM_SUPPLY,
    OVER,
    SET,
    TURN,
    TURN_END,
)
from pepperenvs.games.peppers_of_the_caribbean.tables import (
    BIT_COUNTS,
    BONUS_BITS,
    BONUS_COUNTS,
    BONUS_LETTER,
    BONUS_POINTS,
    COPIES,
    IS_DURING,
    NUM_BONUSES,
    NUM_CARDS,
    NUM_OPEN,
    NUM_PIRATES,
    NUM_TYPES,
    SHOWN,
    VALUES,
)

AUDITS = {
    1: "a card is missing or there twice",
    2: "a hand or the supply is not in order, or cells behind it are not empty",
    3: "points are not those of the cards in front and the bonus cards",
    4: "a seat is known to hold cards that it does not hold",
    5: "a seat, stage, length or card is out of range, or an outcome is awaited",
    6: "too many bonus cards lie open, two of one letter are out, or one that is given once has been given twice",
    7: "a hand is empty, or holds too many cards, or the supply was not refilled",
    8: "the set that is being played is none, or lies there outside a turn that scores",
    9: "the end has not begun with an empty pile, or has with a full one",
    10: "what the bonus cards count is not what lies in front of a seat",
}


@kernel
def audit(state):
    """0 if the state is sound between two moves, else a number of AUDITS."""
    if not is_in_range(state):
        return 5
    for kind in range(NUM_TYPES):
        if count_cards(state, kind) != COPIES[kind]:
            return 1
    for seat in range(state.num_seats):
        fault = audit_seat(state, seat)
        if fault:
            return fault
    if not is_ascending(state.supply, state.supply_len):
        return 2
    if not are_bonuses_sound(state):
        return 6
    if state.supply_len < NUM_SUPPLY and state.pile_len > 0:
        return 7
    if not is_set_sound(state):
        return 8
    return 0 if is_end_sound(state) else 9


@kernel
def is_in_range(state):
    """Whether all that kernels use as an index or a length is one: without this a forged save could write anywhere."""
    if not (OVER <= state.to_move < state.num_seats and state.pending == 0 and TURN <= state.stage <= TURN_END):
        return False
    if state.to_move != OVER and state.stage == TURN_END:
        return False
    if not (0 <= state.pile_len <= NUM_CARDS and 0 <= state.supply_len <= NUM_SUPPLY):
        return False
    if not (NOT_YET <= state.ending <= LAST_TURNS and 0 <= state.moves <= state.max_moves):
        return False
    if not (0 <= state.num_kept <= 2 and 0 <= state.num_thrown <= 1 and 0 <= state.starter < state.num_seats):
        return False
    for seat in range(state.num_seats):
        if not (0 <= state.hand_size[seat] <= MAX_HAND and 0 <= state.turns_left[seat] <= (state.ending != NOT_YET)):
            return False
    return are_cards(state.pile) and are_cards(state.supply) and are_hands(state)


@kernel
def are_cards(cards):
    """Whether every cell of a pile is a type."""
    for card in cards:
        if not 0 <= card < NUM_TYPES:
            return False
    return True


@kernel
def are_hands(state):
    """Whether every cell of the hands, and of the set that is being played, is a type."""
    for seat in range(state.num_seats):
        for card in state.hand[seat]:
            if not 0 <= card < NUM_TYPES:
                return False
    return are_laid(state.kept, state.num_kept) and are_laid(state.thrown, state.num_thrown)


@kernel
def are_laid(cards, length):
    """Whether the first `length` cells are types, and NO_CARD stands behind them."""
    for index in range(len(cards)):
        if not (0 if index < length else NO_CARD) <= cards[index] < (NUM_TYPES if index < length else 0):
            return False
    return True


@kernel
def count_cards(state, kind):
    """Cards of one type in the whole game; a count below zero makes it wrong."""
    count = np.int64(state.discards[kind])
    if count < 0:
        return -1
    for index in range(state.pile_len):
        count += state.pile[index] == kind
    for index in range(state.supply_len):
        count += state.supply[index] == kind
    for seat in range(state.num_seats):
        if state.front[seat, kind] < 0:
            return -1
        count += np.int64(state.front[seat, kind]) + count_in_hand(state, seat, kind)
    return count


@kernel
def count_in_hand(state, seat, kind):
    """Cards of one type in a hand."""
    count = 0
    for index in range(np.int64(state.hand_size[seat])):
        count += state.hand[seat, index] == kind
    return count


@kernel
def is_ascending(cards, length):
    """Whether the first `length` cards ascend, and zeros follow."""
    for index in range(1, len(cards)):
        if index < length and cards[index - 1] > cards[index]:
            return False
    for index in range(length, len(cards)):
        if cards[index] != 0:
            return False
    return True


@kernel
def audit_seat(state, seat):
    """0 or the number of AUDITS that a seat fails."""
    size, points = np.int64(state.hand_size[seat]), 0
    if not is_ascending(state.hand[seat], size):
        return 2
    for kind in range(NUM_TYPES):
        points += np.int64(state.front[seat, kind]) * VALUES[kind]
        if not 0 <= state.known[seat, kind] <= count_in_hand(state, seat, kind):
            return 4
    for bonus in range(NUM_BONUSES):
        points += np.int64(state.bonus_cards[seat, bonus]) * BONUS_POINTS[bonus]
    if points != state.score[seat]:
        return 3
    if not are_tallies_sound(state, seat):
        return 10
    is_dropping = state.stage == DROPPING and seat == state.to_move
    if state.to_move != OVER and (size == 0 or (size > HAND_LIMIT) != is_dropping):
        return 7
    return 0


@kernel
def are_tallies_sound(state, seat):
    """Whether the seat's tallies are those of the cards in front of it, counted anew."""
    shown = 0
    for kind in range(NUM_PIRATES):
        if state.front[seat, kind] > 0:
            shown |= SHOWN[kind]
    if shown != state.pirate_bits[seat]:
        return False
    for bonus in range(NUM_BONUSES):
        count = BIT_COUNTS[shown & BONUS_BITS[bonus]]
        if BONUS_BITS[bonus] == 0:
            for kind in range(NUM_TYPES):
                count += np.int64(state.front[seat, kind]) * BONUS_COUNTS[kind, bonus]
        if count != state.tallies[seat, bonus]:
            return False
    return True


@kernel
def are_bonuses_sound(state):
    """Whether at most eight bonus cards are out, no two of a letter, and each is open or with one seat.

    Those given at the end may be with several.
    """
    out, letters = 0, 0
    for bonus in range(NUM_BONUSES):
        owners = 0
        for seat in range(state.num_seats):
            owners += np.int64(state.bonus_cards[seat, bonus])
        if owners > 1 and IS_DURING[bonus]:
            return False
        if not 0 <= state.open_bonuses[bonus] <= (owners == 0):
            return False
        if owners > 0 or state.open_bonuses[bonus]:
            letter = 1 << BONUS_LETTER[bonus] if BONUS_LETTER[bonus] else 0
            if letters & letter:
                return False
            letters |= letter
            out += 1
    return out <= NUM_OPEN


@kernel
def is_set_sound(state):
    """Whether a set lies there exactly while one is played, can be completed, and shows nothing twice."""
    if (state.num_kept > 0) != (state.stage == SET) or state.num_thrown > state.num_kept:
        return False
    if state.stage == SET and state.to_move != OVER and not can_complete(state):
        return False
    shown = 0
    for index in range(state.num_kept):
        shown += BIT_COUNTS[SHOWN[state.kept[index]]]
    for index in range(state.num_thrown):
        shown += BIT_COUNTS[SHOWN[state.thrown[index]]]
    return BIT_COUNTS[set_bits(state)] == shown


@kernel
def is_end_sound(state):
    """Whether the end began with an empty pile, and the seat to move has its last turn and can play.

    Before that, only the seat that emptied the pile is to move, while it drops cards.
    """
    if (state.pile_len == 0) != (state.ending != NOT_YET):
        return False
    if state.ending == NOT_YET or state.to_move == OVER:
        return True
    if state.ending != LAST_TURNS:
        return state.stage == DROPPING
    return state.turns_left[state.to_move] == 1 and (state.stage != TURN or can_play(state, state.to_move))
