"""The state of Peppers of the Caribbean. Cards are types: 0 … 63 pirates, 64 … 69 rum, as in tables.TYPE_NAMES."""

import numpy as np

from pepperenvs.core.state import DEAL, OVER, state_dtype
from pepperenvs.games.peppers_of_the_caribbean.tables import NUM_BONUSES, NUM_CARDS, NUM_TYPES

__all__ = ["DEAL", "OVER", "State"]

MAX_SEATS = 4
DEALT_CARDS = 4  # to each seat
NUM_SUPPLY = 6  # cards that lie open
HAND_LIMIT = 7  # cards that a seat may hold at the end of its turn
MAX_HAND = HAND_LIMIT - 1 + NUM_SUPPLY  # that it may hold before it drops
DRAWN_CARDS = 2  # by `draw`
MAX_MOVES = 20_000  # upper end of the option, so that the moves left fit the observation

NO_CARD = -1

# Where `advance` resumes (`stage`): the decision of a turn, or its end.
SET_UP, TURN, SET, DROPPING, CHOOSING_BONUS, TURN_END = range(6)
# How far the end has come (`ending`): the pile is empty and a turn is being finished; every seat has one turn more.
NOT_YET, PILE_EMPTY, LAST_TURNS = range(3)

State = state_dtype(
    MAX_SEATS,
    ("ending", np.int64),  # NOT_YET, PILE_EMPTY or LAST_TURNS
    ("starter", np.int64),  # seat that had the first turn
    ("pile_len", np.int64),  # cards in the pile
    ("supply_len", np.int64),  # cards in the supply
    ("num_kept", np.int64),  # cards kept of the set that is being played; 0 outside one
    ("num_thrown", np.int64),  # cards thrown of it
    ("pirate_bits", np.int64, (MAX_SEATS,)),  # colours and dishes that the pirates in front of a seat show
    ("pile", np.int8, (NUM_CARDS,)),  # types; pile[pile_len - 1] is drawn next
    ("supply", np.int8, (NUM_SUPPLY,)),  # types, ascending, the first supply_len
    ("hand", np.int8, (MAX_SEATS, MAX_HAND)),  # types, ascending, the first hand_size; hidden from the others
    ("hand_size", np.int8, (MAX_SEATS,)),  # cards in hand
    ("known", np.int8, (MAX_SEATS, NUM_TYPES)),  # hand cards of each type that were taken openly and not shown since
    ("front", np.int8, (MAX_SEATS, NUM_TYPES)),  # cards of each type kept in front of a seat
    ("discards", np.int8, (NUM_TYPES,)),  # discarded cards of each type, face up
    ("kept", np.int8, (2,)),  # types kept of the set that is being played, ascending; NO_CARD behind them
    ("thrown", np.int8, (1,)),  # type thrown of it, or NO_CARD
    ("bonus_pile", np.int8, (NUM_BONUSES,)),  # until the deal: bonus cards in drawing order; then zeros
    ("open_bonuses", np.int8, (NUM_BONUSES,)),  # 1 for a bonus card that lies open
    ("bonus_cards", np.int8, (MAX_SEATS, NUM_BONUSES)),  # 1 for a bonus card that a seat has been given
    ("tallies", np.int8, (MAX_SEATS, NUM_BONUSES)),  # what each bonus card counts in front of a seat
    ("turns_left", np.int8, (MAX_SEATS,)),  # 1 for a seat that has not finished its last turn, once the pile is empty
    ("padding", np.int8, (7,)),
)
