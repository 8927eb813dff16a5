"""Scoville in game records: its random outcomes as JSON, out and in."""

from typing import Any

from pepperenvs.core import record
from pepperenvs.games.scoville.geometry import FIRST_PLOTS, plot_name
from pepperenvs.games.scoville.state import DEAL, RESHUFFLE
from pepperenvs.games.scoville.tables import (
    BLUE,
    COLOURS,
    MARKET_IDS,
    PER_PERIOD,
    RECIPE_IDS,
    SHOWN_MARKET,
    SHOWN_RECIPES,
    TYPES,
)

OUTCOMES = {DEAL: "deal", RESHUFFLE: "auction_reshuffle"}
_KEYS = ("turn_order", "plots", "market_morning", "market_afternoon", "recipes", "auction_morning", "auction_afternoon")


def outcome(state: Any) -> Any:
    """The random outcome that `chance` has just drawn for `state.pending`, as the record writes it."""
    deck = [TYPES[kind] for kind in state.deck[: state.deck_len][::-1]]
    if state.pending == RESHUFFLE:
        return deck
    return {
        "turn_order": state.order[: state.num_seats].tolist(),
        "plots": {plot_name(plot): COLOURS[state.plot[plot] - 1] for plot in FIRST_PLOTS},
        "market_morning": [MARKET_IDS[card] for card in state.morning_pile[: SHOWN_MARKET[state.num_seats]]],
        "market_afternoon": [MARKET_IDS[card] for card in state.afternoon_pile],
        "recipes": [RECIPE_IDS[card] for card in state.recipe_pile[: SHOWN_RECIPES[state.num_seats]]],
        "auction_morning": deck,
        "auction_afternoon": [TYPES[kind] for kind in state.next_deck[::-1]],
    }


def impose(state: Any, value: Any) -> None:
    """Write the given outcome where `chance` would have drawn one. Raises ValueError if it is impossible."""
    deck = state.deck[: state.deck_len]
    if state.pending == RESHUFFLE:
        deck[::-1] = record.order("auction_reshuffle", deck.tolist(), TYPES, value)
        return
    record.keys("deal", value, _KEYS)
    seats = range(state.num_seats)
    order = [record.seat("deal: turn_order", seat, state.num_seats) for seat in _list(value["turn_order"])]
    if sorted(order) != [*seats]:
        raise ValueError(f"deal: turn_order must hold each seat once, not {order}")
    plots = _plots(value["plots"])
    morning, afternoon = range(PER_PERIOD), range(PER_PERIOD, 2 * PER_PERIOD)
    shown = int(SHOWN_MARKET[state.num_seats])
    market = record.choice("deal: market_morning", morning, MARKET_IDS, shown, value["market_morning"])
    later = record.order("deal: market_afternoon", afternoon, MARKET_IDS, value["market_afternoon"])
    cooked = range(len(RECIPE_IDS))
    recipes = record.choice(
        "deal: recipes", cooked, RECIPE_IDS, int(SHOWN_RECIPES[state.num_seats]), value["recipes"]
    )  # fmt: skip
    first = record.order("deal: auction_morning", deck.tolist(), TYPES, value["auction_morning"])
    second = record.order("deal: auction_afternoon", state.next_deck.tolist(), TYPES, value["auction_afternoon"])
    state.order[: state.num_seats] = order
    for plot, colour in zip(FIRST_PLOTS, plots, strict=True):
        state.plot[plot] = colour + 1
    state.morning_pile[:] = market + [card for card in morning if card not in market]
    state.afternoon_pile[:] = later
    state.recipe_pile[:] = recipes + [card for card in cooked if card not in recipes]
    deck[::-1] = first
    state.next_deck[::-1] = second


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"deal: turn_order must be a list of seats, not {value!r}")
    return value


def _plots(value: Any) -> list[int]:
    """The colours beside the star, west and east."""
    names = [plot_name(plot) for plot in FIRST_PLOTS]
    record.keys("deal: plots", value, names)
    colours = [value[name] for name in names]
    if colours[0] == colours[1] or not set(COLOURS[: BLUE + 1]).issuperset(colours):
        raise ValueError(f"deal: plots must hold two different ones of {', '.join(COLOURS[: BLUE + 1])}")
    return [COLOURS.index(colour) for colour in colours]
