"""The state of Jungle. Cards are numbers 0 … 51, as in lexicon.deck.CARD_NAMES."""

import numpy as np

from pepperenvs.core.state import DEAL, OVER, state_dtype
from pepperenvs.lexicon.deck import NUM_CARDS

__all__ = ["DEAL", "OVER", "RESTACK", "State"]

MAX_SEATS = 3
FACE_DOWN = 3  # cards that the Jungle rule lays face down for each seat
LAST_CARDS = 8  # face-up cards that may make a word
PENALTY = 5  # cards that a wrong claim costs
MAX_MOVES = 30_000  # upper end of the option, so that the moves left fit the observation

RESTACK = 2  # awaited when a card is due from an empty stack: the seat's taken pile becomes its stack  [R3]

SCRUMPS = ("jungle", "anytime")  # when words may be claimed
JUNGLE, ANYTIME = range(2)
NOBODY = -1

# Where `advance` resumes (`stage`). Asked are the seats while FLIPPING and CLAIMING.
SET_UP, FLIPPING, CLAIMING, TURNING_UP, DECIDING, TIED, LAYING, PAYING, TAKING = range(9)
# What is known of a card that lies face down: nothing; that it is of a stack that was a taken pile, used up by now; or
# of one that is still there.
UNSEEN, USED_UP, IN_STACK = range(3)

State = state_dtype(
    MAX_SEATS,
    ("words", np.int64),  # option: 1 if words may be claimed
    ("min_len", np.int64),  # option: letters of the shortest word
    ("spell_hint", np.int64),  # option: 1 if observations say whether a claim would be right
    ("scrump", np.int64),  # option: JUNGLE or ANYTIME
    ("drawer", np.int64),  # seat whose stack a card is due from
    ("to_lay", np.int64),  # cards that the drawer still lays face down under the Jungle rule
    ("has_laid", np.int64),  # 1 if the Jungle rule has laid cards in this challenge
    ("taker", np.int64),  # seat that takes the cards of this challenge, or NOBODY before that is decided
    ("to_pay", np.int64),  # cards of a penalty that are still to be paid
    ("face_up_len", np.int64),  # face-up cards of this challenge
    ("spare_len", np.int64),  # 1 while the spare card of three players lies there
    ("stack_len", np.int64, (MAX_SEATS,)),  # cards in each stack
    ("taken_len", np.int64, (MAX_SEATS,)),  # cards in each taken pile
    ("face_down_len", np.int64, (MAX_SEATS,)),  # cards that each seat has laid face down in this challenge
    ("deck", np.int8, (NUM_CARDS,)),  # until the deal: all cards; then zeros
    ("stack", np.int8, (MAX_SEATS, NUM_CARDS)),  # stack[seat, stack_len[seat] - 1] is on top; unknown to all
    ("taken", np.int8, (MAX_SEATS, NUM_CARDS)),  # cards of each taken pile, as they came; all have seen them
    ("recycled", np.int8, (MAX_SEATS,)),  # 1 if the stack was a taken pile, so that all know which cards are in it
    ("face_down", np.int8, (MAX_SEATS, NUM_CARDS)),  # cards of each seat, as they were laid; unknown to all
    ("source", np.int8, (MAX_SEATS, NUM_CARDS)),  # UNSEEN, USED_UP or IN_STACK for each of them
    ("face_up", np.int8, (NUM_CARDS,)),  # cards of this challenge, as they were laid
    ("laid_by", np.int8, (NUM_CARDS,)),  # the seat that laid each of them
    ("shown", np.int8, (MAX_SEATS,)),  # each seat's last face-up card of this challenge
    ("contest", np.int8, (MAX_SEATS,)),  # 1 for a seat that still takes part in this challenge
    ("spare", np.int8, (1,)),  # the spare card
    ("padding", np.int8, (2,)),
)
