"""The state of Heat Guess."""

import numpy as np

from pepperenvs.core.state import DEAL, OVER, state_dtype
from pepperenvs.games.heat_guess.tables import MAX_CARDS, MAX_HEATS, MAX_KINDS

__all__ = ["DEAL", "INSERT", "MAX_MOVES", "MAX_SEATS", "OVER", "State"]

MAX_SEATS = 6
MAX_MOVES = 20_000  # upper end of the option, so that the moves left fit the observation

INSERT = 2  # awaited after a wrong guess: the place where the card goes back into the pile

State = state_dtype(
    MAX_SEATS,
    ("kinds", np.int64),  # option: kinds of peppers
    ("heats", np.int64),  # option: heat numbers are 1 … heats
    ("copies", np.int64),  # option: cards of each kind
    ("reveal", np.int64),  # option: 1 if a wrong guess reveals the number
    ("wasted", np.int64),  # wrong guesses so far, of all seats
    ("place", np.int64),  # while INSERT is awaited: cards that will lie above the one put back
    ("pile_len", np.int64),  # cards in the pile, the shown one included
    ("pile", np.int8, (MAX_CARDS,)),  # kind of each card; pile[pile_len - 1] is the top one, which all see
    ("heat", np.int8, (MAX_KINDS,)),  # heat number of each kind, 1 … heats; hidden until guessed or revealed [R4]
    ("remaining", np.int8, (MAX_KINDS,)),  # cards of each kind in the pile, the shown one included
    ("possible", np.int8, (MAX_KINDS, MAX_HEATS)),  # 1 where a kind may have that number (minus one), for all to see
)
