"""Pick-a-Pepper in game records: its random outcomes as JSON, out and in."""

from collections import Counter
from typing import Any

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
        _impose_pile("reshuffle", state.deck, state.deck_len, VALUE_NAMES, value)
        return
    if not isinstance(value, dict) or set(value) != {"deck", "sauces", "spoon"}:
        raise ValueError("deal must have exactly the keys 'deck', 'sauces' and 'spoon'")
    spoon = value["spoon"]
    if type(spoon) is not int or not 0 <= spoon < state.num_seats:
        raise ValueError(f"deal: spoon must be a seat in 0 … {state.num_seats - 1}, not {spoon!r}")
    _impose_pile("deal: deck", state.deck, state.deck_len, VALUE_NAMES, value["deck"])
    _impose_pile("deal: sauces", state.sauce_pile, state.sauce_len, SAUCE_NAMES, value["sauces"])
    state.spoon = spoon


def _impose_pile(what: str, pile: Any, length: int, names: tuple[str, ...], value: Any) -> None:
    """Put a pile, which already holds these components, into the order of `value`, its drawing order."""
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ValueError(f"{what} must be a list of names")
    there = Counter(names[component] for component in pile[:length])
    if Counter(value) != there:
        wrong = next(iter((Counter(value) - there) or (there - Counter(value))))
        raise ValueError(f"{what} must hold exactly the {length} components that lie there; {wrong!r} is off")
    for index, name in enumerate(reversed(value)):
        pile[index] = names.index(name)
