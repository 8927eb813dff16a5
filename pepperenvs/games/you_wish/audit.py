"""You Wish: what must hold between two moves."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.you_wish.hands import can_ask, known_not, letters_of, num_cards, rack_of
from pepperenvs.games.you_wish.state import (
    ALL_LETTERS,
    ASKING,
    HIT,
    LUCKY,
    MAX_SEATS,
    MAX_WELL,
    MAX_WORDS,
    NO_LETTER,
    NO_RESULT,
    NOBODY,
    NUM_LENGTHS,
    OVER,
    WORDING,
)
from pepperenvs.lexicon.deck import CARD_RANK, NUM_CARDS, NUM_LETTERS
from pepperenvs.lexicon.lookup import NO_WORD, is_word, spell
from pepperenvs.lexicon.racks import rack_of_cards

AUDITS = {
    1: "a card is missing or there twice",
    2: "a seat, stage, letter, length or card is out of range, or an outcome is awaited",
    3: "what is known of a hand is not so",
    4: "a word on the table is none, or the words are not those that the seats' records are of",
    5: "the word window is not that of the hand, or is open where it should not be",
    6: "the seat to move can ask nothing, or the game should be over",
}


@kernel
def audit(state):
    """0 if the state is sound between two moves, else a number of AUDITS."""
    if not is_in_range(state):
        return 2
    if not is_complete(state):
        return 1
    for seat in range(MAX_SEATS):
        if state.known[seat] & ~state.hand[seat] or letters_of(state.hand[seat]) & known_not(state, seat):
            return 3
        if seat >= state.num_seats and (state.hand[seat] or state.named[seat]):
            return 3
    if not are_words_sound(state):
        return 4
    if not is_window_sound(state):
        return 5
    return 0 if state.to_move == OVER or goes_on(state) else 6


@kernel
def is_in_range(state):
    """Whether all that kernels use as an index or a length is one: without this a forged save could write anywhere."""
    if not (OVER <= state.to_move < state.num_seats and state.pending == 0 and 0 <= state.moves <= state.max_moves):
        return False
    if state.to_move != OVER and not ASKING <= state.stage <= WORDING:
        return False
    if not (0 <= state.well_len <= MAX_WELL and 0 <= state.num_words <= MAX_WORDS):
        return False
    for index in range(state.num_words):
        if not (0 <= state.word_seat[index] < state.num_seats and 0 < state.word_len[index] <= NUM_CARDS):
            return False
    return is_ask_in_range(state)


@kernel
def is_ask_in_range(state):
    """The last ask, and the sets of cards and letters."""
    for seat in range(MAX_SEATS):
        if state.hand[seat] >> NUM_CARDS or state.named[seat] & ~ALL_LETTERS:
            return False
    for place in range(NUM_LENGTHS):
        if state.chosen[place] < NO_WORD:
            return False
    if not NOBODY <= state.gone_out < state.num_seats:
        return False
    if state.asker == NOBODY:
        return state.asked == NOBODY and state.letter == NO_LETTER and state.result == NO_RESULT
    is_pair = 0 <= state.asker < state.num_seats and 0 <= state.asked < state.num_seats and state.asker != state.asked
    return is_pair and 0 <= state.letter < NUM_LETTERS and HIT <= state.result <= LUCKY


@kernel
def is_complete(state):
    """Whether every card is there once."""
    found, count = np.int64(0), 0
    for seat in range(state.num_seats):
        found |= state.hand[seat]
        count += num_cards(state.hand[seat])
    for place in range(state.well_len):
        if not 0 <= state.well[place] < NUM_CARDS:
            return False
        found |= np.int64(1) << np.int64(state.well[place])
    for place in range(num_laid(state)):
        if not 0 <= state.table[place] < NUM_CARDS:
            return False
        found |= np.int64(1) << np.int64(state.table[place])
    return count + state.well_len + num_laid(state) == NUM_CARDS and found == (1 << NUM_CARDS) - 1


@kernel
def num_laid(state):
    """Cards on the table; more than there are if the lengths of words say so."""
    count = 0
    for index in range(state.num_words):
        count += np.int64(state.word_len[index])
    return min(count, NUM_CARDS)


@kernel
def are_words_sound(state):
    """Whether the table holds words, and each seat's number of them, longest and best card are theirs."""
    start = 0
    for index in range(state.num_words):
        stop = start + np.int64(state.word_len[index])
        if not is_word(rack_of_cards(state.table, start, stop), state.min_len):
            return False
        start = stop
    for seat in range(state.num_seats):
        if not is_record_sound(state, seat):
            return False
    return True


@kernel
def is_record_sound(state, seat):
    """Whether a seat's number of words, its longest one, and the best card in those of that length are so."""
    count, longest, best, start = 0, np.int64(0), np.int64(0), 0
    for index in range(state.num_words):
        length = np.int64(state.word_len[index])
        if state.word_seat[index] == seat:
            count += 1
            if length > longest:
                longest, best = length, np.int64(0)
            if length == longest:
                for place in range(start, start + length):
                    best = max(best, CARD_RANK[state.table[place]])
        start += length
    return count == state.score[seat] and longest == state.longest[seat] and best == state.best_card[seat]


@kernel
def is_window_sound(state):
    """Whether the words that may be played are those of the hand that has just received a card; else there are none."""
    is_open = False
    for place in range(NUM_LENGTHS):
        is_open |= state.chosen[place] != NO_WORD
    if state.to_move == OVER or state.stage != WORDING:
        return not is_open
    if state.to_move != state.asker or (state.result != HIT and state.result != LUCKY) or not is_open:
        return False
    there = state.chosen.copy()
    spell(rack_of(state.hand[state.to_move]), state.letter, state.min_len, state.chosen)
    is_same = True
    for place in range(NUM_LENGTHS):
        is_same &= state.chosen[place] == there[place]
    state.chosen[:] = there
    return is_same


@kernel
def goes_on(state):
    """Whether there is something to decide, and nobody has gone out."""
    if state.gone_out != NOBODY or state.moves >= state.max_moves:
        return False
    if state.stage == WORDING:
        return True
    return state.well_len > 0 and can_ask(state, state.to_move)
