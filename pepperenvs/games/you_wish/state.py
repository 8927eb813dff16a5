"""The state of You Wish. Cards are numbers 0 … 51, as in lexicon.deck.CARD_NAMES, letters 0 … 25.

A set of cards is an int64 with bit c for card c, a set of letters one with bit l for letter l.
"""

import numpy as np

from pepperenvs.core.state import DEAL, OVER, state_dtype
from pepperenvs.lexicon.deck import NUM_CARDS, NUM_LETTERS
from pepperenvs.lexicon.words import MAX_LENGTH, MIN_LENGTH

__all__ = ["DEAL", "OVER", "State"]

MAX_SEATS = 4
HAND = np.array([0, 0, 0, 13, 10], np.int64)  # cards dealt to each seat, [players]; the rest is the well
MAX_WELL = 13
FIRST_SEAT = 1  # that asks first: the dealer's left neighbour  [R2]
MAX_MOVES = 20_000  # upper end of the option, so that the moves left fit the observation

NUM_LENGTHS = MAX_LENGTH - MIN_LENGTH + 1
MAX_WORDS = NUM_CARDS // MIN_LENGTH  # on the table, if all cards are
ALL_LETTERS = (1 << NUM_LETTERS) - 1

NOBODY = -1
NO_LETTER = -1

# Where `advance` resumes (`stage`). Asked are the seats while ASKING, and WORDING: a word, or pass.
SET_UP, ASKING, WORDING, GOING_ON, TURN_ENDS = range(5)

NO_RESULT, HIT, MISS, LUCKY = range(-1, 3)  # of the last ask; a miss is lucky if the card drawn opens the word window

State = state_dtype(
    MAX_SEATS,
    ("min_len", np.int64),  # option: letters of the shortest word
    ("asker", np.int64),  # of the last ask, or NOBODY
    ("asked", np.int64),  # of the last ask, or NOBODY
    ("letter", np.int64),  # of the last ask, or NO_LETTER
    ("result", np.int64),  # of the last ask: HIT, MISS, LUCKY or NO_RESULT
    ("next_seat", np.int64),  # whose turn begins when this one has ended
    ("gone_out", np.int64),  # seat that has emptied its hand by a word, or NOBODY
    ("well_len", np.int64),  # cards in the well
    ("num_words", np.int64),  # words on the table
    ("hand", np.int64, (MAX_SEATS,)),  # set of cards of each hand; others know of those in `known` alone
    ("known", np.int64, (MAX_SEATS,)),  # set of cards in each hand that everybody has seen go there
    ("named", np.int64, (MAX_SEATS,)),  # set of letters a seat asked for, or was asked for, since its last unseen draw
    ("longest", np.int64, (MAX_SEATS,)),  # letters of each seat's longest word; 0 without one
    ("best_card", np.int64, (MAX_SEATS,)),  # highest rank in its words of that length; 0 without one
    ("chosen", np.int32, (NUM_LENGTHS,)),  # while WORDING: the word of each length, or NO_WORD; else NO_WORD  [R16]
    ("well", np.int8, (MAX_WELL,)),  # well[well_len - 1] is drawn next; hidden from all
    ("table", np.int8, (NUM_CARDS,)),  # cards of the words, word by word in the order in which they were played
    ("word_seat", np.int8, (MAX_WORDS,)),  # seat that played each word
    ("word_len", np.int8, (MAX_WORDS,)),  # letters of each word
    ("deck", np.int8, (NUM_CARDS,)),  # until the deal: all cards; then zeros
    ("kept", np.int8, (MAX_WELL,)),  # zeros, but for moments within a redraw
    ("padding", np.int8, (2,)),
)
