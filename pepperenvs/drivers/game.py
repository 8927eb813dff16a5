"""A game's kernels bound to the driver templates: what every driver calls."""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pepperenvs import registry
from pepperenvs.core import jit, state
from pepperenvs.core.spec import GameSpec
from pepperenvs.core.state import OVER
from pepperenvs.drivers import _kernels, _search

MAX_SEED = 2**63 - 1


class IllegalActionError(ValueError):
    """An action that the rules do not allow; the state is unchanged.

    game, seat, action, legal    the id, the seat that was to move, what was asked, the legal action strings
    index                        which game of a batch, None outside batches
    """

    def __init__(self, game: str, seat: int, action: str, legal: Sequence[str], index: int | None = None) -> None:
        self.game, self.seat, self.action, self.legal, self.index = game, seat, action, tuple(legal), index
        shown = ", ".join(self.legal) or "nothing (the game is over, or has not begun)"
        where = game if index is None else f"{game}, game {index} of the batch"
        super().__init__(f"{where}: seat {seat} cannot {action!r}; legal: {shown}")

    def __reduce__(self) -> Any:  # exceptions travel between processes in vector environments
        return type(self), (self.game, self.seat, self.action, self.legal, self.index)


def normalise_seed(seed: Any) -> int:
    """A seed in 0 … 2^63-1. Raises ValueError for a negative one, TypeError for one that is no integer."""
    number = operator.index(seed)
    if number < 0:
        raise ValueError(f"a seed must not be negative, got {number}")
    return number & MAX_SEED


def fresh_seed() -> int:
    """A seed from the system's entropy."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) & MAX_SEED


class Game:
    """One game's functions, compiled when they are first used. Made once a process by `load`."""

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self._folder = spec.folder
        self._given: dict[str, Any] = dict(vars(spec.kernels))
        self._search_entries: dict[str, Any] = {}
        for name in ("settle", "show", "turn", "restart", "assign", "begin", "finish"):
            self._given[name] = self.bind(name, inline=True)  # a fifth less to compile

    def bind(self, template: str, **more: Any) -> Any:
        """A template of drivers/_kernels.py bound to this game."""
        return jit.bind(getattr(_kernels, template), self._folder, **{**self._given, **more})

    @functools.cached_property
    def _given_to_searches(self) -> dict[str, Any]:
        given = dict(self._given)
        for name in ("add_child", "logarithm", "choose_child", "outcome_child", "descend", "appraise", "credit"):
            given[name] = jit.bind(getattr(_search, name), self._folder, **given)
        return given

    def search_entry(self, template: str, *examples: Any) -> Any:
        """The compiled entry point of a template of drivers/_search.py for arguments like these; kept by its name."""
        if template not in self._search_entries:
            bound = jit.bind(getattr(_search, template), self._folder, **self._given_to_searches)
            self._search_entries[template] = jit.entry(bound, *examples)
        return self._search_entries[template]

    # ------------------------------------------------------------------------------------------- buffers

    def blank(self, values: Mapping[str, Any]) -> NDArray[Any]:
        """A blank state with these resolved options, [1]."""
        return self.spec.blank(values)

    def values(self, states: NDArray[Any], index: int = 0) -> dict[str, Any]:
        """The resolved options that a state holds, "num_players" first: `blank` backwards.

        Raises SaveError if an option is out of range.
        """
        seats = int(states["num_seats"][index])
        given = {one.name: one.decode(states[one.name][index].tolist(), seats) for one in self.spec.options}
        try:
            return self.spec.resolve(seats, given)
        except ValueError as error:
            raise state.SaveError(f"saved state: {error}") from error

    def view_buffers(self, num_games: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
        """ids int32 [games, actions], counts int64 [games], masks int8 [games, actions], observations int16."""
        actions, cells = self.spec.actions.size, self.spec.layout.size
        return (
            np.zeros((num_games, actions), np.int32),
            np.zeros(num_games, np.int64),
            np.zeros((num_games, actions), np.int8),
            np.zeros((num_games, cells), np.int16),
        )

    def cells(self) -> NDArray[Any]:
        """One game with all its buffers in one record, [1]: state, count, ids, observation, mask; for `turn_in`."""
        actions, cells = self.spec.actions.size, self.spec.layout.size
        fields = [("state", self.spec.state), ("count", np.int64), ("ids", np.int32, (actions,)),
                  ("observation", np.int16, (cells,)), ("mask", np.int8, (actions,))]  # fmt: skip
        return np.zeros(1, np.dtype((np.record, fields)))

    def entry(self, template: str, *examples: Any, **more: Any) -> Any:
        """The compiled entry point of a template for arguments like these."""
        return jit.entry(self.bind(template, **more), *examples)

    @functools.cached_property
    def _examples(self) -> tuple[NDArray[Any], ...]:
        return (np.zeros(1, self.spec.state), *self.view_buffers(1))

    # -------------------------------------------------------------------------- entry points, single game

    @functools.cached_property
    def prepare(self) -> Any:
        states = self._examples[0]
        return self.entry("prepare_at", states, 0, states, 0, 0)

    @functools.cached_property
    def turn(self) -> Any:
        states, *views = self._examples
        return self.entry("turn_at", states, 0, 0, *views)

    @functools.cached_property
    def turn_in(self) -> Any:
        return self.entry("turn_in", self.cells(), 0)

    @functools.cached_property
    def show(self) -> Any:
        states, *views = self._examples
        return self.entry("show_at", states, 0, *views)

    @functools.cached_property
    def observe(self) -> Any:
        states, _, _, _, observations = self._examples
        return self.entry("observe_at", states, 0, 0, observations[0])

    @functools.cached_property
    def legal(self) -> Any:
        states, ids, *_ = self._examples
        return self.entry("legal_at", states, 0, ids[0])

    @functools.cached_property
    def step(self) -> Any:
        return self.entry("step_at", self._examples[0], 0, 0)

    @functools.cached_property
    def reset(self) -> Any:
        return self.entry("reset_at", self._examples[0], 0)

    @functools.cached_property
    def chance(self) -> Any:
        return self.entry("chance_at", self._examples[0], 0)

    @functools.cached_property
    def advance(self) -> Any:
        return self.entry("advance_at", self._examples[0], 0)

    @functools.cached_property
    def bot(self) -> Any:
        return self.entry("bot_at", self._examples[0], 0)

    @functools.cached_property
    def audit(self) -> Any:
        return self.entry("audit_at", self._examples[0], 0)

    @functools.cached_property
    def resample(self) -> Any:
        return self.entry("resample_at", self._examples[0], 0, 0, np.zeros(1, np.uint64))

    @functools.cached_property
    def utilities(self) -> Any:
        return self.entry("utilities_at", self._examples[0], 0, 0, np.zeros(self.spec.max_seats))

    @functools.cached_property
    def play(self) -> Any:
        states, ids, *_ = self._examples
        opponent = self.bind("any_opponent")
        return self.entry("play_at", states, 0, 0, 0, 0, ids[0], np.zeros(1, np.uint64), opponent=opponent)

    # ------------------------------------------------------------------------------------------ for people

    def legal_ids(self, states: NDArray[Any], index: int = 0) -> NDArray[np.int32]:
        """The legal actions of the seat to move in ascending order, int32 [legal]; none after the end."""
        if states["to_move"][index] == OVER:
            return np.zeros(0, np.int32)
        ids = np.zeros(self.spec.actions.size, np.int32)
        return ids[: self.legal(states, index, ids)]

    def legal_strings(self, states: NDArray[Any], index: int = 0) -> list[str]:
        """The same as canonical strings."""
        strings = self.strings(states, index)
        return [strings[action] for action in self.legal_ids(states, index)]

    def strings(self, states: NDArray[Any], index: int = 0) -> tuple[str, ...]:
        """The canonical strings of all actions, as the seat to move writes them."""
        return self.spec.actions.strings_of(max(0, int(states["to_move"][index])), int(states["num_seats"][index]))

    def parse(self, states: NDArray[Any], string: str, index: int = 0) -> int:
        """The index of an action that the seat to move writes so. Raises ValueError for another text."""
        seat, seats = max(0, int(states["to_move"][index])), int(states["num_seats"][index])
        return self.spec.actions.parse(string, seat, seats)

    def illegal(self, states: NDArray[Any], action: Any, index: int | None = None) -> IllegalActionError:
        """The error for an action that is not legal in this state; `index` in a batch only."""
        cell = index or 0
        strings = self.strings(states, cell)
        asked = strings[action] if isinstance(action, int) and 0 <= action < len(strings) else str(action)
        seat = int(states["to_move"][cell])
        return IllegalActionError(self.spec.id, seat, asked, self.legal_strings(states, cell), index)

    def save(self, states: NDArray[Any]) -> bytes:
        """States as bytes with a self-describing, checksummed header."""
        return state.save(states, self.spec.id)

    def load(self, data: bytes) -> NDArray[Any]:
        """The states that `save` wrote, [n]. Raises SaveError if they are not sound states of this game."""
        states = state.load(data, self.spec.id, self.spec.state)
        self.check(states)
        return states

    def check(self, states: NDArray[Any]) -> list[dict[str, Any]]:
        """The resolved options of states that came from elsewhere. Raises SaveError if one is not sound."""
        values = []
        for index in range(len(states)):
            values.append(self.values(states, index))  # options first: `audit` takes them as they are
            seat, seats = states["to_move"][index], states["num_seats"][index]
            if not OVER <= seat < seats:
                raise state.SaveError(f"saved state: seat {seat} is to move, of {seats}")
            if number := self.audit(states, index):
                raise state.SaveError(f"saved state: it is no position of {self.spec.id}: {self.spec.audits[number]}")
        return values


@functools.cache
def _bound(spec_id: str) -> Game:
    return Game(registry.spec(spec_id))


def load(game: str) -> Game:
    """The game of this id ("heat_guess_v0"), bound once a process. Raises ValueError for an unknown one."""
    return _bound(registry.canonical(game))
