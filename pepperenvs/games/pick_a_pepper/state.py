"""The state of Pick-a-Pepper. Cards are counted by value: 0 … 12 for the numbers 1 … 13, WILD behind them."""

import numpy as np

from pepperenvs.core.state import DEAL, OVER, state_dtype
from pepperenvs.games.pick_a_pepper.tables import NUM_CARDS, NUM_SAUCES, NUM_VALUES

__all__ = ["DEAL", "OVER", "RESHUFFLE", "State"]

MAX_SEATS = 4
NUM_SLOTS = 7
GROUP = 3  # cards of one number that share a slot
MAX_ROUNDS = 1000  # upper end of the option

RESHUFFLE = 2  # awaited when a card must be revealed and the deck is empty: the discards become the deck

# Where `advance` resumes (`stage`), in the order of a round.
SET_UP, NEW_ROUND, PLAYING, TURNS, GRABBING, REFILLING = range(6)

State = state_dtype(
    MAX_SEATS,
    ("difficulty", np.int64),  # option: place in tables.LEVELS
    ("max_rounds", np.int64),  # option: rounds of phase 2
    ("required", np.int64),  # sauces that a seat must cook, and may
    ("hand_cards", np.int64),  # cards dealt to each seat
    ("phase", np.int64),  # 1 gathering, 2 cooking
    ("rounds", np.int64),  # the round of phase 2, counted from 1; 0 in phase 1
    ("spoon", np.int64),  # seat that holds the spoon: it plays first
    ("num_turns", np.int64),  # seats that have a turn this round, from the end of its playing
    ("turn", np.int64),  # place in `turn_order` of the seat whose turn it is; num_turns when all had theirs
    ("reshuffled", np.int64),  # 1 once the deck has been made of discards in phase 1: its cards are known to all [R10]
    ("deck_len", np.int64),  # cards in the deck
    ("sauce_len", np.int64),  # sauces face down
    ("cooked_points", np.int64, (MAX_SEATS,)),  # points of the sauces that a seat has cooked
    ("deck", np.int8, (NUM_CARDS,)),  # values; deck[deck_len - 1] is drawn next
    ("sauce_pile", np.int8, (NUM_SAUCES,)),  # sauces; sauce_pile[sauce_len - 1] is drawn next
    ("discards", np.int8, (NUM_VALUES,)),  # cards, face up
    ("display", np.int8, (NUM_SAUCES,)),  # 1 for a sauce on display
    ("sauces", np.int8, (MAX_SEATS, NUM_SAUCES)),  # 1 for a sauce that a seat has cooked
    ("num_cooked", np.int8, (MAX_SEATS,)),  # sauces that a seat has cooked
    ("hand", np.int8, (MAX_SEATS, NUM_VALUES)),  # cards; hidden from others in phase 1
    ("ingredients", np.int8, (MAX_SEATS, NUM_VALUES)),  # cards in a seat's ingredient deck; all were taken openly
    ("hand_size", np.int8, (MAX_SEATS,)),  # cards in hand
    ("ingredients_size", np.int8, (MAX_SEATS,)),  # cards in the ingredient deck
    ("slot_value", np.int8, (NUM_SLOTS,)),  # value of the cards in each slot; 0 in an empty one
    ("slot_size", np.int8, (NUM_SLOTS,)),  # cards in each slot
    ("combo_value", np.int8, (MAX_SEATS,)),  # value of the combination before a seat, WILD for wilds only
    ("combo_numbers", np.int8, (MAX_SEATS,)),  # its cards of that value, wilds not counted
    ("combo_wilds", np.int8, (MAX_SEATS,)),  # its wilds
    ("to_play", np.int8, (MAX_SEATS,)),  # 1 while a seat has still to play or regroup this round
    ("turn_order", np.int8, (MAX_SEATS,)),  # seats in the order of turns, the first num_turns
    ("to_grab", np.int8, (MAX_SEATS,)),  # 1 while a seat has still to grab at the end of this round
    ("padding", np.int8, (6,)),
)
