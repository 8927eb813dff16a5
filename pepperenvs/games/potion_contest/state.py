"""The state of The Potion Contest. Cells are counted row by row in rows of six, also where the grid is narrower."""

import numpy as np

from pepperenvs.core.state import DEAL, OVER, state_dtype
from pepperenvs.games.potion_contest.tables import (
    MAX_LENGTH,
    NUM_CARDS,
    NUM_CELLS,
    NUM_ORDERS,
    NUM_RECIPES,
    NUM_TILES,
)

__all__ = ["DEAL", "OVER", "RESHUFFLE", "TIEBREAK_RECIPE", "State"]

MAX_SEATS = 6
MAX_TURNS = 1000  # upper end of the option
USUAL_TURNS, SOLO_TURNS = 60, 22  # its defaults; alone the pile, which runs out after 11 turns, may do so twice  [R7]
VISIBLE = 3  # main orders that lie face up: the current one and the next two
NOTHING = -1

RESHUFFLE = 2  # awaited when an order must be drawn and the pile is empty: the discards become the pile
TIEBREAK_RECIPE = 3  # awaited when seats have finished together

# Where `advance` resumes (`stage`), in the order of a turn.
SET_UP, CHOOSING, TIED, MAINTENANCE, DRAWING = range(5)

State = state_dtype(
    MAX_SEATS,
    ("level", np.int64),  # option: 1 … 3
    ("max_turns", np.int64),  # option: turns before the game ends undecided
    ("turn", np.int64),  # the turn that is played, from 1
    ("is_tiebreak", np.int64),  # 1 once the recipe of a tie-break has been dealt
    ("pile_len", np.int64),  # orders in the pile
    ("choice", np.int16, (MAX_SEATS,)),  # action that a seat has chosen this turn, NOTHING before; hidden from others
    ("last_choice", np.int16, (MAX_SEATS,)),  # what it did in the turn before, open to all; NOTHING for none
    ("board", np.uint8, (MAX_SEATS, NUM_CELLS)),  # what lies on each cell: 0 or a tile and its turns, see tables
    ("recipe", np.uint8, (NUM_RECIPES + 1, MAX_LENGTH)),  # ingredients; the last row is that of a tie-break
    ("recipe_pile", np.uint8, (NUM_TILES,)),  # recipe tiles of the level, sorted; in a tie-break its recipe comes first
    ("done", np.int8, (MAX_SEATS, NUM_RECIPES + 1)),  # 1 for a recipe that a seat has completed
    ("personal_orders", np.int8, (MAX_SEATS,)),  # option: personal orders that a seat may use in the game
    ("own", np.int8, (MAX_SEATS, NUM_ORDERS)),  # 1 for a personal order that a seat has not used
    ("orders_left", np.int8, (MAX_SEATS,)),  # personal orders that a seat may still use; 0 at level 1
    ("spent", np.int8, (MAX_SEATS,)),  # personal orders used before a tie-break: those that count
    ("playing", np.int8, (MAX_SEATS,)),  # 1 for a seat that plays: all, in a tie-break those that are tied
    ("pile", np.uint8, (NUM_CARDS,)),  # kinds of orders; pile[pile_len - 1] is drawn next
    ("visible", np.uint8, (VISIBLE,)),  # kinds of the orders that lie face up; the first is the current main order
    ("discards", np.int8, (NUM_ORDERS,)),  # used main orders of each kind, face up
    ("padding", np.int8, (1,)),
)
