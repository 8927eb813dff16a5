"""One game played through the entry points that the drivers use: what the checks, and tests of games, build on."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pepperenvs.core.spec import BoolOption, ChoiceOption, GameSpec, IntOption, Option
from pepperenvs.core.state import OVER
from pepperenvs.drivers._kernels import RESTART
from pepperenvs.drivers.game import Game

Values = Mapping[str, Any]

HERE = 1  # the cell of the batch of three in which a match is played; the other two are its neighbours


class ConformanceError(AssertionError):
    """A game that breaks a rule which all games keep."""


def bound(game: Game | GameSpec) -> Game:
    """The game, bound to the driver templates if it is not yet."""
    return Game(game) if isinstance(game, GameSpec) else game


def ends(option: Option, num_players: int) -> list[Any]:
    """The values at the ends of an option's range; all of them where there are few."""
    if isinstance(option, IntOption):
        return [option.low, option.high]
    if isinstance(option, BoolOption):
        return [False, True]
    if isinstance(option, ChoiceOption):
        return list(option.choices)
    seats = range(num_players)
    return [[option.low] * num_players, [option.high] * num_players, [(option.low, option.high)[s % 2] for s in seats]]


def variants(spec: GameSpec, players: Iterable[int] | None = None) -> list[dict[str, Any]]:
    """Resolved options for every player count: the defaults, each option at its ends, all together at theirs."""
    fewest, most, _ = spec.players
    found: list[dict[str, Any]] = []
    for num_players in range(fewest, most + 1) if players is None else players:
        spans = {option.name: ends(option, num_players) for option in spec.options}
        chosen: list[dict[str, Any]] = [{}]
        chosen += [{name: value} for name, span in spans.items() for value in span]
        chosen += [{name: span[place] for name, span in spans.items()} for place in (0, -1)]
        resolved = [spec.resolve(num_players, given) for given in chosen]
        found += [values for index, values in enumerate(resolved) if values not in resolved[:index]]
    return found


class Match:
    """One game in the middle of a batch of three, played through the entry points that the drivers use.

    states, ids, counts, masks, observations    the buffers, [3, …]; the neighbours hold sentinels
    chooser                                     draws the moves; the game itself draws from its own generator
    """

    def __init__(self, game: Game | GameSpec, values: Values, seed: int) -> None:
        self.game = bound(game)
        self.values, self.seed = values, seed
        self.chooser = random.Random(f"{sorted(values.items(), key=repr)} {seed}")
        self.states = np.frombuffer(b"\xa5" * 3 * self.game.spec.state.itemsize, self.game.spec.state).copy()
        self.ids, self.counts, self.masks, self.observations = self.game.view_buffers(3)
        for buffer in (self.ids, self.counts, self.masks, self.observations):
            buffer[:] = 77
        self.counts[HERE] = 0
        self.masks[HERE] = 0
        self.around = self._neighbours()
        self.blanks = self.game.blank(values)
        self.game.prepare(self.states, HERE, self.blanks, 0, seed)
        self.turn(RESTART)

    @property
    def here(self) -> NDArray[Any]:
        """The state that is played, [1], a view."""
        return self.states[HERE : HERE + 1]

    @property
    def seat(self) -> int:
        """The seat to move, or OVER."""
        return int(self.states["to_move"][HERE])

    @property
    def num_seats(self) -> int:
        return int(self.values["num_players"])

    @property
    def legal(self) -> list[int]:
        """The legal actions as the buffers hold them."""
        ids: list[int] = self.ids[HERE, : self.counts[HERE]].tolist()
        return ids

    def turn(self, action: int) -> int:
        """One turn; returns what the driver's template returns."""
        return int(self.game.turn(self.states, HERE, action, self.ids, self.counts, self.masks, self.observations))

    def choose(self, bots: float) -> int:
        """A move: the scripted player's with the probability `bots`, else a random legal one."""
        if self.chooser.random() < bots:
            return int(self.game.bot(self.states, HERE))
        return self.chooser.choice(self.legal)

    def positions(self, bots: float = 0.0) -> Iterator[Match]:
        """Play to the end; yields this match at every decision and once more at the end."""
        while self.seat != OVER:
            yield self
            self.turn(self.choose(bots))
        yield self

    def untouched(self) -> bool:
        """Whether the neighbours are as they were."""
        return self._neighbours() == self.around

    def _neighbours(self) -> list[bytes]:
        buffers = (self.states, self.ids, self.counts, self.masks, self.observations)
        return [buffer[cell].tobytes() for buffer in buffers for cell in (HERE - 1, HERE + 1)]

    def expect(self, holds: Any, what: str, *details: Any) -> None:
        """Raise ConformanceError that names this position unless `holds`; the details fill the braces of `what`."""
        if not holds:
            spec, said = self.game.spec, what.format(*map(_shown, details))
            options = {"num_players": self.num_seats, **spec.differing(self.values)}
            place = f"{spec.id}, options {options}, seed {self.seed}, after {self.here['moves'][0]} moves"
            raise ConformanceError(f"{place}, seat {self.seat} to move: {said}")


def _shown(detail: Any) -> Any:
    """A detail for a message; of marked cells their indices."""
    return np.flatnonzero(detail) if isinstance(detail, np.ndarray) else detail
