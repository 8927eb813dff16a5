"""The components of Scoville, read from data/*.csv and checked.

Colours go by their index in peppers.csv wherever they are counted.
"""

import csv
from pathlib import Path

import numpy as np

_DATA = Path(__file__).resolve().parent / "data"


def _rows(name: str) -> list[dict[str, str]]:
    with open(_DATA / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


_AUCTION = _rows("auction_types.csv")
_MARKET = _rows("market_cards.csv")
_RECIPES = _rows("recipe_cards.csv")
_PLAQUES = _rows("plaques.csv")
_COUNTS = _rows("player_counts.csv")

MORNING, AFTERNOON = 0, 1
PERIODS = ("morning", "afternoon")

# ------------------------------------------------------------------------------------------------- peppers

COLOURS = tuple(row["colour"] for row in _rows("peppers.csv"))
NUM_COLOURS = len(COLOURS)
RED, YELLOW, BLUE, GREEN, ORANGE, PURPLE, BROWN, WHITE, BLACK, PHANTOM = range(NUM_COLOURS)
WORTH = np.array([1, 1, 1, 2, 2, 2, 3, 4, 4, 6], np.int64)  # points of a pepper in a recipe, [colours]


def _count(peppers: str) -> list[int]:
    """Peppers by colour of a text as in "red+red+green"; "none" for none."""
    names = [] if peppers == "none" else peppers.split("+")
    return [names.count(colour) for colour in COLOURS]


# What a notch between two planted plots yields, [colours, colours]: 0 for nothing, else YIELD_TWO * (peppers - 1) +
# colour + 1.
YIELD_TWO = NUM_COLOURS
NUM_YIELDS = 2 * NUM_COLOURS + 1


def _yield_code(cell: str) -> int:
    if cell == "X":
        return 0
    number, colour = cell.split()
    return YIELD_TWO * (int(number) - 1) + COLOURS.index(colour) + 1


YIELD = np.array([[_yield_code(row[colour]) for colour in COLOURS] for row in _rows("breeding_matrix.csv")], np.int64)
YIELD_COLOUR = np.array([0, *range(NUM_COLOURS), *range(NUM_COLOURS)], np.int64)  # [yields]
YIELD_COUNT = np.array([0] + [1] * NUM_COLOURS + [2] * NUM_COLOURS, np.int64)  # peppers, [yields]
YIELD_WORTH = WORTH[YIELD_COLOUR] * YIELD_COUNT  # points in recipes, [yields]

# -------------------------------------------------------------------------------------------- auction cards

TYPES = tuple(dict.fromkeys(row["peppers"] for row in _AUCTION))
NUM_TYPES = len(TYPES)
TYPE_PEPPERS = np.array([_count(name) for name in TYPES], np.int64)  # peppers by colour, [types, colours]
_COPIES = {(row["period"], row["peppers"]): int(row["copies"]) for row in _AUCTION}
TYPE_COPIES = np.array(  # cards in each deck, [periods, types]
    [[_COPIES.get((period, name), 0) for name in TYPES] for period in PERIODS], np.int64
)
MAX_DECK = int(TYPE_COPIES.sum(axis=1).max())

# --------------------------------------------------------------------------------- market cards and recipes

# A cost is packed into one number, a digit of 4 bits for each colour: PACK_HIGH set in every digit of a hand, minus a
# cost, keeps all of these bits if and only if the hand can pay. Digits are at most PACK_MOST.
PACK_BITS, PACK_MOST = 4, 7
PACK_HIGH = sum(8 << PACK_BITS * colour for colour in range(NUM_COLOURS))


def _pack(counts: list[int]) -> int:
    return sum(count << PACK_BITS * colour for colour, count in enumerate(counts))


MARKET_IDS = tuple(row["card_id"] for row in _MARKET)
NUM_MARKET = len(_MARKET)
PER_PERIOD = NUM_MARKET // 2  # market cards of each period; the morning's come first
_MARKET_COSTS = [_count(row["cost"]) for row in _MARKET]
MARKET_COST = np.array(_MARKET_COSTS, np.int64)  # peppers by colour, [cards, colours]
MARKET_PACKED = np.array([_pack(cost) for cost in _MARKET_COSTS], np.int64)
MARKET_COINS = np.array([int(row["reward_coins"]) for row in _MARKET], np.int64)
MARKET_POINTS = np.array([int(row["points"]) for row in _MARKET], np.int64)
_CHOICES = [row["reward_peppers"].split("|") for row in _MARKET]
_DEALS = [(card, choice) for card, choices in enumerate(_CHOICES) for choice in choices]

# An offer is a market card with one of the rewards between which it lets choose, in the order of the actions.
NUM_OFFERS = len(_DEALS)
OFFER_CARD = np.array([card for card, _ in _DEALS], np.int64)  # [offers]
OFFER_REWARD = np.array([_count(choice) for _, choice in _DEALS], np.int64)  # peppers by colour, [offers, colours]
OFFER_NAMES = tuple(
    f"{MARKET_IDS[card]} {choice}" if len(_CHOICES[card]) > 1 else MARKET_IDS[card] for card, choice in _DEALS
)
FIRST_OFFER = np.array([OFFER_CARD.tolist().index(card) for card in range(NUM_MARKET)], np.int64)  # [cards]
NUM_CHOICES = np.array([len(choices) for choices in _CHOICES], np.int64)  # offers of each card, [cards]

RECIPE_IDS = tuple(row["card_id"] for row in _RECIPES)
NUM_RECIPES = len(_RECIPES)
_RECIPE_COSTS = [[int(row[colour]) for colour in COLOURS] for row in _RECIPES]
RECIPE_COST = np.array(_RECIPE_COSTS, np.int64)  # peppers by colour, [recipes, colours]
RECIPE_PACKED = np.array([_pack(cost) for cost in _RECIPE_COSTS], np.int64)
RECIPE_POINTS = np.array([int(row["points"]) for row in _RECIPES], np.int64)

# -------------------------------------------------------------------------------------- plaques and tiles

STACKS = tuple(dict.fromkeys(row["stack"] for row in _PLAQUES))
NUM_STACKS, NUM_PLAQUES = len(STACKS), len(_PLAQUES)
PLAQUE_STACK = np.array([STACKS.index(row["stack"]) for row in _PLAQUES], np.int64)  # [plaques], top first
PLAQUE_POINTS = np.array([int(row["points"]) for row in _PLAQUES], np.int64)  # [plaques]
PLAQUE_USED = np.array(  # 1 for a plaque that is in the game, [small or large table, plaques]
    [[row[f"used_{table}_players"] == "yes" for row in _PLAQUES] for table in ("2_3", "4_6")], np.int64
)
LARGE_TABLE = 4  # players from which on all plaques are used
_STACK_OF = {colour: STACKS.index(row["stack"]) for row in _PLAQUES for colour in row["matches"].split("|")}
COLOUR_STACK = np.array([_STACK_OF.get(colour, -1) for colour in COLOURS], np.int64)  # -1 for none, [colours]

TILES = tuple(row["tile_type"] for row in _rows("bonus_tiles.csv"))
NUM_TILES = len(TILES)
EXTRA_PLANT, EXTRA_STEP, DOUBLE_BACK = range(NUM_TILES)
TILE_POINTS = 4
COINS_PER_POINT = 3

MIN_SEATS, MAX_SEATS = int(_COUNTS[0]["players"]), int(_COUNTS[-1]["players"])
_SHOWN = {int(row["players"]): (int(row["market_cards"]), int(row["recipe_cards"])) for row in _COUNTS}
SHOWN_MARKET = np.array([_SHOWN.get(n, (0, 0))[0] for n in range(MAX_SEATS + 1)], np.int64)  # cards, [players]
SHOWN_RECIPES = np.array([_SHOWN.get(n, (0, 0))[1] for n in range(MAX_SEATS + 1)], np.int64)
MAX_SHOWN_MARKET, MAX_SHOWN_RECIPES = int(SHOWN_MARKET.max()), int(SHOWN_RECIPES.max())


def _check() -> None:
    if NUM_COLOURS != 10 or (YIELD != YIELD.T).any() or YIELD.shape != (NUM_COLOURS, NUM_COLOURS):
        raise ValueError("breeding_matrix.csv: the chart must be symmetric over the ten colours")
    if TYPE_COPIES.sum(axis=1).tolist() != [30, 35] or NUM_TYPES != 21:
        raise ValueError("auction_types.csv: there must be 30 morning and 35 afternoon cards of 21 types")
    if [row["period"] for row in _MARKET] != ["morning"] * 24 + ["afternoon"] * 24 or NUM_OFFERS != 50:
        raise ValueError("market_cards.csv: there must be 24 morning, then 24 afternoon cards, two with a choice")
    if NUM_RECIPES != 30 or (RECIPE_COST @ WORTH != RECIPE_POINTS).any():
        raise ValueError("recipe_cards.csv: 30 recipes, whose points follow from their peppers")
    if max(MARKET_COST.max(), RECIPE_COST.max()) > PACK_MOST:
        raise ValueError("a card costs more peppers of a colour than a packed cost can hold")
    if NUM_PLAQUES != 12 or PLAQUE_USED.sum(axis=1).tolist() != [7, 12] or NUM_STACKS != 5:
        raise ValueError("plaques.csv: five stacks of 12 plaques, 7 of them with 2 or 3 players")
    if (MIN_SEATS, MAX_SEATS, NUM_TILES) != (2, 6, 3):
        raise ValueError("player_counts.csv, bonus_tiles.csv: 2 to 6 players, three kinds of tiles")
    for players, (market, recipes) in _SHOWN.items():
        if (market, recipes) != (2 * players + 3, 4 * players):
            raise ValueError(f"player_counts.csv: {players} players are shown {market} market cards, {recipes} recipes")


_check()
