"""Peppers of the Caribbean in game records: the deal as JSON, out and in."""

from typing import Any

from pepperenvs.core import record
from pepperenvs.games.peppers_of_the_caribbean.state import DEAL
from pepperenvs.games.peppers_of_the_caribbean.tables import BONUS_NAMES, TYPE_NAMES

OUTCOMES = {DEAL: "deal"}


def outcome(state: Any) -> Any:
    """The deal that `chance` has just drawn, as the record writes it: piles in drawing order."""
    return {
        "deck": [TYPE_NAMES[card] for card in state.pile[: state.pile_len][::-1]],
        "bonus": [BONUS_NAMES[bonus] for bonus in state.bonus_pile],
        "starter": int(state.starter),
    }


def impose(state: Any, value: Any) -> None:
    """Write the given deal where `chance` would have drawn one. Raises ValueError if it is impossible."""
    record.keys("deal", value, ("deck", "bonus", "starter"))
    cards = [int(card) for card in state.pile[: state.pile_len]]
    deck = record.order("deal: deck", cards, TYPE_NAMES, value["deck"])
    bonuses = record.order("deal: bonus", range(len(BONUS_NAMES)), BONUS_NAMES, value["bonus"])
    starter = record.seat("deal: starter", value["starter"], state.num_seats)
    state.pile[: len(deck)] = deck[::-1]
    state.bonus_pile[:] = bonuses
    state.starter = starter
