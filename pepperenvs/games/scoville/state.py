"""The state of Scoville. Peppers are counted by colour, in the order of tables.COLOURS."""

import numpy as np

from pepperenvs.core.state import DEAL, OVER, state_dtype
from pepperenvs.games.scoville.geometry import NUM_NOTCHES, NUM_PLOTS
from pepperenvs.games.scoville.tables import (
    MAX_DECK,
    MAX_SEATS,
    MAX_SHOWN_MARKET,
    MAX_SHOWN_RECIPES,
    NUM_COLOURS,
    NUM_MARKET,
    NUM_PLAQUES,
    NUM_RECIPES,
    NUM_TILES,
    NUM_TYPES,
    PER_PERIOD,
)

__all__ = ["DEAL", "OVER", "RESHUFFLE", "State"]

MAX_BID = 99  # upper end of the option
MAX_ROUNDS = 100  # upper end of the option
START_COINS = 10
NOBODY, NOTHING = -1, -1

RESHUFFLE = 2  # awaited when an auction card must be drawn and the deck is empty: its discards become the deck  [R5]

# Where `advance` resumes (`stage`), in the order of a round.
SET_UP, BIDDING, CHOOSING, CLAIMING, REFILLING, PLANTING, HARVESTING, FULFILLING, CHECKING = range(9)

# What a seat may do but once in a fulfillment: the places of `done`.
MARKET_DONE, RECIPE_DONE, SALE_DONE = range(3)

State = state_dtype(
    MAX_SEATS,
    ("max_rounds", np.int64),  # option: rounds before the game is cut short
    ("max_bid", np.int64),  # option: highest bid, coins
    ("period", np.int64),  # MORNING or AFTERNOON
    ("rounds", np.int64),  # the round that is played, from 1
    ("is_last", np.int64),  # 1 in a round that was announced as the last
    ("turn", np.int64),  # seats that have had their turn in this stage; they are asked in its order
    ("colour", np.int64),  # colour that the seat to move is about to plant, NOTHING for none
    ("is_extra", np.int64),  # 1 after the seat's own planting, while it may plant once more or does
    ("steps", np.int64),  # steps that the harvesting seat has made in this turn
    ("heading", np.int64),  # direction of its last step in this turn, NOTHING before the first
    ("num_planted", np.int64),  # plots that are planted
    ("deck_len", np.int64),  # cards in the auction deck
    ("house_period", np.int64),  # period whose deck the cards in the house come from
    ("num_market", np.int64),  # market cards on display
    ("num_recipes", np.int64),  # recipes on display
    ("last_seat", np.int64),  # seat that moved last, NOBODY if it may not be shown
    ("last_action", np.int64),  # its action
    ("coins", np.int64, (MAX_SEATS,)),  # behind the screen
    ("points", np.int64, (MAX_SEATS,)),  # of market cards, recipes and plaques won; behind the screen
    ("peppers", np.int16, (MAX_SEATS, NUM_COLOURS)),  # behind the screen
    ("planted", np.int16, (NUM_COLOURS,)),  # peppers of each colour in the field
    ("farmer", np.int16, (MAX_SEATS,)),  # notch of each seat's farmer, NOTHING while it is off the board
    ("plot", np.int8, (NUM_PLOTS,)),  # colour + 1 of the pepper in each plot, 0 for none
    ("notch_yield", np.int8, (NUM_NOTCHES,)),  # what a step to each notch yields, as in tables.YIELD
    ("notch_worth", np.int8, (NUM_NOTCHES,)),  # the same in points of recipes, as in tables.YIELD_WORTH
    ("num_farmers", np.int8, (NUM_NOTCHES,)),  # farmers on each notch; more than one on the star only
    ("frontier", np.int8, (NUM_PLOTS,)),  # 1 for an empty plot beside a planted one
    ("order", np.int8, (MAX_SEATS,)),  # seats in turn order; that of the round before until the spaces are chosen
    ("bid", np.int8, (MAX_SEATS,)),  # coins bid in this round, NOTHING before; hidden until all have bid
    ("space", np.int8, (MAX_SEATS,)),  # seat in each space of the track, NOBODY for a free one
    ("has_space", np.int8, (MAX_SEATS,)),  # 1 for a seat that has its space of this round
    ("house", np.int8, (MAX_SEATS,)),  # types of the auction cards in the house, NOTHING for a gap
    ("deck", np.int8, (MAX_DECK,)),  # types; deck[deck_len - 1] is drawn next
    ("next_deck", np.int8, (MAX_DECK,)),  # the afternoon's auction deck while it is morning; its last card is first
    ("discards", np.int8, (NUM_TYPES,)),  # auction cards of the current deck, by type
    ("morning_pile", np.int8, (PER_PERIOD,)),  # market cards, the first ones are shown; the rest has left the game
    ("afternoon_pile", np.int8, (PER_PERIOD,)),  # market cards, the first ones are shown in the afternoon
    ("recipe_pile", np.int8, (NUM_RECIPES,)),  # recipes, the first ones are shown; the rest has left the game
    ("market", np.int8, (MAX_SHOWN_MARKET,)),  # market cards on display in ascending order, the first num_market
    ("recipes", np.int8, (MAX_SHOWN_RECIPES,)),  # recipes on display in ascending order, the first num_recipes
    ("market_owner", np.int8, (NUM_MARKET,)),  # seat + 1 of whoever has won a market card
    ("recipe_owner", np.int8, (NUM_RECIPES,)),  # seat + 1 of whoever has cooked a recipe
    ("plaque_owner", np.int8, (NUM_PLAQUES,)),  # seat + 1 of whoever has taken a plaque, NOBODY if it is not used
    ("has_plaque", np.int8, (MAX_SEATS,)),  # 1 for a seat that has taken a plaque in this round
    ("tiles", np.int8, (MAX_SEATS, NUM_TILES)),  # 1 for an unspent tile
    ("cards_won", np.int8, (MAX_SEATS, 2)),  # market cards, recipes
    ("done", np.int8, (3,)),  # 1 for what the seat to move has done in this fulfillment
    ("padding", np.int8, (6,)),
)
