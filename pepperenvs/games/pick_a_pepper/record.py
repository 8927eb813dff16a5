"""Pick-a-Pepper in game records: its random outcomes as JSON, out and in."""

from typing import Any

from pepperenvs.core import record
from pepperenvs.games.pick_a_pepper.state import DEAL, RESHUFFLE
from pepperenvs.games.pick_a_pepper.tables import SAUCE_NAMES, VALUE_NAMES

OUTCOMES = {DEAL: "deal", RESHUFFLE: "reshuffle"}


def outcome(state: Any) -> Any:
    """The random outcome that `chance` has just drawn for `state.pending`, as the record writes it."""
    deck = [VALUE_NAMES[value] for value in state.deck[: state.deck_len][::-1]]
    if state.pending == RESHUFFLE:
        return deck
    sauces = [SAUCE_NAMES[sauce] for sauce in state.sauce_pile[: state.sauce_len][::-1]]
    return {"deck": deck, "sauces": sauces, "spoon": int(state.spoon)}


def impose(state: Any, value: Any) -> None:
    """Write the given outcome where `chance` would have drawn one. Raises ValueError if it is impossible."""
    if state.pending == RESHUFFLE:
        _lay(state.deck, record.order("reshuffle", _cards(state.deck, state.deck_len), VALUE_NAMES, value))
        return
    record.keys("deal", value, ("deck", "sauces", "spoon"))
    spoon = record.seat("deal: spoon", value["spoon"], state.num_seats)
    deck = record.order("deal: deck", _cards(state.deck, state.deck_len), VALUE_NAMES, value["deck"])
    sauces = _cards(state.sauce_pile, state.sauce_len)
    _lay(state.sauce_pile, record.order("deal: sauces", sauces, SAUCE_NAMES, value["sauces"]))
    _lay(state.deck, deck)
    state.spoon = spoon


def _cards(pile: Any, length: int) -> list[int]:
    return [int(card) for card in pile[:length]]


def _lay(pile: Any, drawn: list[int]) -> None:
    """Put a pile into drawing order: its last card is drawn first."""
    pile[: len(drawn)] = drawn[::-1]
