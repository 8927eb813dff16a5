"""What a game declares about itself: seats, options, kernels, data types. Drivers know a game by this alone."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pepperenvs.core.layout import Actions, Layout

Values = Mapping[str, Any]
Kernel = Callable[..., Any]


# -------------------------------------------------------------------------------------------------- options


@dataclass(frozen=True)
class IntOption:
    """An option that is a whole number in low … high; the default may be a function of the options before it."""

    name: str
    low: int
    high: int
    default: int | Callable[[Values], int]
    meaning: str

    @property
    def allowed(self) -> str:
        return f"a whole number in {self.low} … {self.high}"

    def is_allowed(self, value: Any, num_players: int) -> bool:
        return _is_int(value) and self.low <= value <= self.high

    def plain(self, value: Any, num_players: int) -> int:
        return int(value)

    def encode(self, value: Any) -> int:
        return int(value)

    def decode(self, cell: Any, num_players: int) -> Any:
        return cell


@dataclass(frozen=True)
class BoolOption:
    """An option that is on or off."""

    name: str
    default: bool | Callable[[Values], bool]
    meaning: str
    allowed: str = "true or false"

    def is_allowed(self, value: Any, num_players: int) -> bool:
        return isinstance(value, (bool, np.bool_))

    def plain(self, value: Any, num_players: int) -> bool:
        return bool(value)

    def encode(self, value: Any) -> int:
        return int(value)

    def decode(self, cell: Any, num_players: int) -> Any:
        return {0: False, 1: True}.get(cell, cell)


@dataclass(frozen=True)
class ChoiceOption:
    """An option that is one of some words; the state holds its place among them."""

    name: str
    choices: tuple[str, ...]
    default: str | Callable[[Values], str]
    meaning: str

    @property
    def allowed(self) -> str:
        return "one of " + ", ".join(map(repr, self.choices))

    def is_allowed(self, value: Any, num_players: int) -> bool:
        return isinstance(value, str) and value in self.choices

    def plain(self, value: Any, num_players: int) -> str:
        return str(value)

    def encode(self, value: Any) -> int:
        return self.choices.index(value)

    def decode(self, cell: Any, num_players: int) -> Any:
        return dict(enumerate(self.choices)).get(cell, cell)


@dataclass(frozen=True)
class SeatsOption:
    """An option that is a whole number in low … high for each seat, given as a list or as one number for all."""

    name: str
    low: int
    high: int
    default: int | list[int] | Callable[[Values], int | list[int]]
    meaning: str

    @property
    def allowed(self) -> str:
        return f"a whole number in {self.low} … {self.high}, or a list with one for each seat"

    def is_allowed(self, value: Any, num_players: int) -> bool:
        if _is_int(value):
            return bool(self.low <= value <= self.high)
        if not isinstance(value, (list, tuple, np.ndarray)) or len(value) != num_players:
            return False
        return all(_is_int(one) and self.low <= one <= self.high for one in value)

    def plain(self, value: Any, num_players: int) -> list[int]:
        return [int(value)] * num_players if _is_int(value) else [int(one) for one in value]

    def encode(self, value: Any) -> list[int]:
        return list(value)

    def decode(self, cell: Any, num_players: int) -> Any:
        return cell[:num_players]


# `plain` gives an allowed value as Python's own type, since NumPy's integers would wrap in the defaults that depend on
# it, and one number for all seats as a list; `encode` gives that as the state holds it; `decode` takes a state's cell,
# a Python number or list, back to the value. A cell that stands for no value is given back as it is, so that
# `is_allowed` refuses it.
Option = IntOption | BoolOption | ChoiceOption | SeatsOption

RECALL = BoolOption("recall", False, "observations also show what a perfect memory would still know")


def _is_int(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))


# ----------------------------------------------------------------------------------------------------- game


@dataclass(frozen=True)
class Kernels:
    """The kernels of a game; ARCHITECTURE of each: pepperenvs/games/README.md."""

    reset: Kernel
    chance: Kernel
    advance: Kernel
    legal_actions: Kernel
    step: Kernel
    observe: Kernel
    resample_hidden: Kernel
    bot: Kernel
    audit: Kernel
    conclude: Kernel
    solitaire: Kernel  # (state) -> float64, the result of a game with one player; 0 where there is none


@dataclass(frozen=True)
class Simultaneous:
    """Says of a game that its seats choose at the same time in every turn, and see the choices only afterwards.

    turn    the field of the state that counts turns: it changes when all have chosen, and only then
    idle    the action of a seat that is not asked in a turn; nothing comes of it
    """

    turn: str
    idle: int


@dataclass(frozen=True)
class GameSpec:
    """A game's declaration.

    name, version    "heat_guess", 0: the id is "heat_guess_v0"
    players          fewest, most and default number of players
    options          in the order in which defaults may depend on one another
    state            its record type; has a field of the name of every option
    package          the game's package, for the parts that drivers import when they need them: record, text, draw
    audits           what each number that `audit` returns says
    simultaneous     for games in which every decision is one of all seats at once; None for the others
    """

    name: str
    version: int
    title: str
    package: str
    players: tuple[int, int, int]
    options: tuple[Option, ...]
    state: np.dtype[Any]
    actions: Actions
    layout: Layout
    kernels: Kernels
    audits: Mapping[int, str]
    simultaneous: Simultaneous | None = None
    summary: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)  # hidden, chance, decisions: for the table of games

    def __post_init__(self) -> None:
        for option in self.options:
            if option.name not in (self.state.names or ()):
                raise ValueError(f"{self.id}: the state has no field {option.name!r} for the option")
        if self.simultaneous and self.simultaneous.turn not in (self.state.names or ()):
            raise ValueError(f"{self.id}: the state has no field {self.simultaneous.turn!r} that counts turns")

    @property
    def id(self) -> str:
        return f"{self.name}_v{self.version}"

    @property
    def max_seats(self) -> int:
        return int(self.state["score"].shape[0])

    @property
    def folder(self) -> Path:
        """The folder of the game's sources."""
        return Path(str(importlib.import_module(self.package).__file__)).resolve().parent

    def part(self, name: str) -> ModuleType:
        """A module of the game that not every driver needs: "record", "text" or "draw"."""
        return importlib.import_module(f"{self.package}.{name}")

    def resolve(self, num_players: int | None = None, options: Values | None = None) -> dict[str, Any]:
        """All options with their values, "num_players" first.

        Raises ValueError that names the option and what is allowed.
        """
        values: dict[str, Any] = {"num_players": self._players(num_players)}
        given = dict(options or {})
        for option in self.options:
            default = option.default(values) if callable(option.default) else option.default
            value = given.pop(option.name, default)
            if not option.is_allowed(value, values["num_players"]):
                raise ValueError(f"{self.id}: option {option.name!r} must be {option.allowed}, not {value!r}")
            values[option.name] = option.plain(value, values["num_players"])
        if given:
            known = ", ".join(repr(option.name) for option in self.options)
            raise ValueError(f"{self.id}: unknown option {next(iter(given))!r}; there are 'num_players', {known}")
        return values

    def _players(self, num_players: int | None) -> int:
        fewest, most, default = self.players
        if num_players is None:
            return default
        if not _is_int(num_players) or not fewest <= num_players <= most:
            raise ValueError(
                f"{self.id}: option 'num_players' must be a whole number in {fewest} … {most}, not {num_players!r}"
            )
        return int(num_players)

    def differing(self, values: Values) -> dict[str, Any]:
        """Of resolved options those that differ from the default, without "num_players"."""
        num_players = values["num_players"]
        defaults = self.resolve(num_players, None)
        chosen: dict[str, Any] = {}
        for option in self.options:
            default = option.default({**defaults, **chosen, "num_players": num_players}) \
                if callable(option.default) else option.default  # fmt: skip
            if option.encode(values[option.name]) != option.encode(option.plain(default, num_players)):
                chosen[option.name] = values[option.name]
        return chosen

    def blank(self, values: Values) -> NDArray[Any]:
        """A state before `reset`, [1]: zeros, the number of seats and the resolved options."""
        state = np.zeros(1, self.state)
        state["num_seats"] = values["num_players"]
        for option in self.options:
            encoded = option.encode(values[option.name])
            if isinstance(encoded, list):
                state[option.name][0, : len(encoded)] = encoded
            else:
                state[option.name] = encoded
        return state
