"""Heat Guess in game records: its random outcomes as JSON, out and in."""

from typing import Any

from pepperenvs.core import record
from pepperenvs.games.heat_guess.state import DEAL, INSERT
from pepperenvs.games.heat_guess.tables import KIND_NAMES

OUTCOMES = {DEAL: "deal", INSERT: "insert"}


def outcome(state: Any) -> Any:
    """The random outcome that `chance` has just drawn for `state.pending`, as the record writes it."""
    if state.pending == INSERT:
        return int(state.place)
    pile = state.pile[: state.pile_len][::-1]
    return {
        "heat": {KIND_NAMES[kind]: int(state.heat[kind]) for kind in range(state.kinds)},
        "pile": [KIND_NAMES[kind] for kind in pile],
    }


def impose(state: Any, value: Any) -> None:
    """Write the given outcome where `chance` would have drawn one. Raises ValueError if it is impossible."""
    if state.pending == INSERT:
        _impose_place(state, value)
    else:
        _impose_deal(state, value)


def _impose_place(state: Any, value: Any) -> None:
    if type(value) is not int or not 0 <= value < state.pile_len:
        raise ValueError(f"insert must be a whole number in 0 … {state.pile_len - 1}, not {value!r}")
    state.place = value


def _impose_deal(state: Any, value: Any) -> None:
    record.keys("deal", value, ("heat", "pile"))
    names, cards = KIND_NAMES[: state.kinds], [int(kind) for kind in state.pile[: state.pile_len]]
    heat = record.keys("deal: heat", value["heat"], names)
    for name, number in heat.items():
        if type(number) is not int or not 1 <= number <= state.heats:
            raise ValueError(f"deal: heat of {name} must be a whole number in 1 … {state.heats}, not {number!r}")
    pile = record.order("deal: pile", cards, names, value["pile"])
    for kind, name in enumerate(names):
        state.heat[kind] = heat[name]
    state.pile[: len(pile)] = pile[::-1]
