"""Peppers of the Caribbean: bonus cards, during the game and at its end."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.peppers_of_the_caribbean.actions import PASS, TAKE_BONUS
from pepperenvs.games.peppers_of_the_caribbean.tables import (
    BIT_COUNTS,
    BONUS_BITS,
    BONUS_COUNTS,
    BONUS_LETTER,
    BONUS_NUMBER,
    BONUS_POINTS,
    IS_DURING,
    NUM_BONUSES,
    NUM_OPEN,
    NUM_PIRATES,
    SHOWN,
)


@kernel
def reveal_bonuses(state):
    """Lay out bonus cards until eight lie open; one whose letter is already out is skipped. The rest plays no part."""
    letters, shown = 0, 0
    for index in range(NUM_BONUSES):
        bonus = np.int64(state.bonus_pile[index])
        letter = 1 << BONUS_LETTER[bonus] if BONUS_LETTER[bonus] else 0
        if shown < NUM_OPEN and not letters & letter:
            state.open_bonuses[bonus] = 1
            letters |= letter
            shown += 1
        state.bonus_pile[index] = 0


@kernel
def count_card(state, seat, card):
    """A card laid in front of a seat counts for the bonus cards: cards, or different colours or dishes.  [R8]"""
    if card < NUM_PIRATES:
        state.pirate_bits[seat] |= SHOWN[card]
    tallies = state.tallies[seat]
    for bonus in range(NUM_BONUSES):
        if BONUS_BITS[bonus]:
            tallies[bonus] = BIT_COUNTS[state.pirate_bits[seat] & BONUS_BITS[bonus]]
        else:
            tallies[bonus] += BONUS_COUNTS[card, bonus]


@kernel
def tally(state, seat, bonus):
    """What a bonus card counts in front of a seat."""
    return np.int64(state.tallies[seat, bonus])


@kernel
def is_earned(state, seat, bonus):
    """Whether a bonus card lies open that is given during the game, and the seat fulfils it.  [R4]"""
    return state.open_bonuses[bonus] and IS_DURING[bonus] and tally(state, seat, bonus) >= BONUS_NUMBER[bonus]


@kernel
def can_take_bonus(state, seat):
    """Whether the seat could take some bonus card now."""
    for bonus in range(NUM_BONUSES):
        if is_earned(state, seat, bonus):
            return True
    return False


@kernel
def legal_bonuses(state, ids):
    """The bonus cards that the seat has earned, or none."""
    count = 0
    for bonus in range(NUM_BONUSES):
        if is_earned(state, state.to_move, bonus):
            ids[count] = TAKE_BONUS + bonus
            count += 1
    ids[count] = PASS
    return count + 1


@kernel
def give_bonus(state, seat, bonus):
    """The seat is given a bonus card and its points."""
    state.bonus_cards[seat, bonus] = 1
    state.score[seat] += BONUS_POINTS[bonus]


@kernel
def take_bonus(state, seat, bonus):
    """The seat takes an open bonus card."""
    state.open_bonuses[bonus] = 0
    give_bonus(state, seat, bonus)


@kernel
def give_last_bonuses(state):
    """The open bonus cards for the most of something go to every seat that has most of it, and some.  [R6]"""
    for bonus in range(NUM_BONUSES):
        if state.open_bonuses[bonus] and not IS_DURING[bonus]:
            most = 1
            for seat in range(state.num_seats):
                most = max(most, tally(state, seat, bonus))
            for seat in range(state.num_seats):
                if tally(state, seat, bonus) == most:
                    give_bonus(state, seat, bonus)
            state.open_bonuses[bonus] = 0
