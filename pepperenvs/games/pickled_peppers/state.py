"""The state of Pickled Peppers. Cards are numbers 0 … 51, as in lexicon.deck.CARD_NAMES."""

import numpy as np

from pepperenvs.core.state import DEAL, OVER, state_dtype
from pepperenvs.lexicon.deck import CHILIES, NUM_CARDS

__all__ = ["DEAL", "OVER", "RESTACK", "State"]

MAX_SEATS = 5
MAX_NEED = int(CHILIES.max())  # cards of the longest string
PENALTY = 5  # cards that a wrong claim costs
FIRST_SEAT = 1  # that acts first: the dealer's left neighbour  [R2]
MAX_MOVES = 20_000  # upper end of the option, so that the moves left fit the observation

RESTACK = 2  # awaited when a card is due from an empty stack: the seat's taken pile becomes its stack  [R3]

NOBODY = -1
NO_CARD = -1

# Where `advance` resumes (`stage`). Asked are the seats while FLIPPING (normal play), PICKLING (the next card of a
# string), and LAST (claim or pass, after the last card).
SET_UP, FLIPPING, PICKLING, LAST, LAYING, PAYING, COMPLETED = range(7)

State = state_dtype(
    MAX_SEATS,
    ("words", np.int64),  # option: 1 if words may be claimed
    ("min_len", np.int64),  # option: letters of the shortest word
    ("spell_hint", np.int64),  # option: 1 if observations say whether a claim would be right
    ("live", np.int64),  # the live pepper, or NO_CARD
    ("owner", np.int64),  # seat whose pepper it is, or NOBODY
    ("pickler", np.int64),  # seat that must pickle it, or NOBODY
    ("need", np.int64),  # plain cards that the pickle needs
    ("laid", np.int64),  # plain cards of its string so far
    ("claimed", np.int64),  # 1 once the pickler has claimed wrongly since it laid a card
    ("to_pay", np.int64),  # cards of a penalty that are still to be paid
    ("centre_len", np.int64),  # cards in the centre pile
    ("earlier_len", np.int64),  # cards in earlier strings
    ("spare_len", np.int64),  # spare cards, face down under the centre
    ("out_at", np.int64, (MAX_SEATS,)),  # number of the decision with which a seat went out; 0 while it is in
    ("stack_len", np.int64, (MAX_SEATS,)),  # cards in each stack
    ("taken_len", np.int64, (MAX_SEATS,)),  # cards in each taken pile
    ("deck", np.int8, (NUM_CARDS,)),  # until the deal: all cards; then zeros
    ("stack", np.int8, (MAX_SEATS, NUM_CARDS)),  # stack[seat, stack_len[seat] - 1] is on top; unknown to all
    ("taken", np.int8, (MAX_SEATS, NUM_CARDS)),  # cards of each taken pile, as they came; all have seen them
    ("recycled", np.int8, (MAX_SEATS,)),  # 1 if the stack was a taken pile, so that all know which cards are in it
    ("centre", np.int8, (NUM_CARDS,)),  # cards flipped in normal play, the last one on top
    ("earlier", np.int8, (NUM_CARDS,)),  # cards of earlier strings, as they were laid
    ("string", np.int8, (MAX_NEED,)),  # cards of the pickler's string, the first `laid`
    ("spare", np.int8, (2,)),  # the first spare_len
    ("padding", np.int8, (1,)),
)
