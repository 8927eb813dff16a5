"""The actions of Scoville: bid, space, claim, plant, plot, step, pass, market, recipe, sell."""

from pepperenvs.core.layout import Actions, Block
from pepperenvs.games.scoville.geometry import NUM_PLOTS, NUM_STEPS, STEP_NAMES, plot_name
from pepperenvs.games.scoville.state import MAX_BID
from pepperenvs.games.scoville.tables import (
    COLOURS,
    MAX_SEATS,
    NUM_COLOURS,
    NUM_OFFERS,
    NUM_RECIPES,
    NUM_TYPES,
    OFFER_NAMES,
    RECIPE_IDS,
    TYPES,
)

MAX_SALE = 5  # peppers sold at once

ACTIONS = Actions(
    Block("bid", {"coins": MAX_BID + 1}, lambda coins: f"bid {coins}", "bid coins for the turn order"),
    Block("space", {"spaces": MAX_SEATS}, lambda space: f"space {space + 1}", "choose a place in the turn order"),
    Block("claim", {"types": NUM_TYPES}, lambda kind: f"claim {TYPES[kind]}", "take an auction card's peppers"),
    Block("plant", {"colours": NUM_COLOURS}, lambda colour: f"plant {COLOURS[colour]}", "choose a pepper to plant"),
    Block("plot", {"plots": NUM_PLOTS}, lambda plot: f"plot {plot_name(plot)}", "plant it there"),
    Block("step", {"steps": NUM_STEPS}, lambda step: f"step {STEP_NAMES[step]}", "walk on, through a corner, that way"),
    Block("pass", {}, lambda: "pass", "no extra planting, no further step, no further order"),
    Block("market", {"offers": NUM_OFFERS}, lambda offer: f"market {OFFER_NAMES[offer]}", "fulfil a market card"),
    Block("recipe", {"recipes": NUM_RECIPES}, lambda recipe: f"recipe {RECIPE_IDS[recipe]}", "cook a recipe"),
    Block(
        "sell",
        {"colours": NUM_COLOURS, "peppers": MAX_SALE},
        lambda colour, peppers: f"sell {COLOURS[colour]} {peppers + 1}",
        "sell peppers of one colour",
    ),
)

BID, SPACE, CLAIM = ACTIONS.start("bid"), ACTIONS.start("space"), ACTIONS.start("claim")
PLANT, PLOT, STEP = ACTIONS.start("plant"), ACTIONS.start("plot"), ACTIONS.start("step")
PASS, MARKET, RECIPE, SELL = (ACTIONS.start(name) for name in ("pass", "market", "recipe", "sell"))

action_string = ACTIONS.string
parse_action = ACTIONS.parse
