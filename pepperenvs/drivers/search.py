"""Search: what one seat knows of a position, as full positions that it cannot tell from the true one.

A driver makes a `Simulator` for a seat; a searcher asks it for a `Position` as often as it likes and plays there. **A
Simulator never holds the true state.** When it is made, the hidden parts and the generator are redrawn once, and it
keeps that redraw alone: nothing that can be reached from it leads back. Nor can the redraw be run backwards by a
searcher who knows the seed, since `resample_hidden` makes the same of all states that the seat cannot tell apart: what
a Simulator holds, and all its samples, depend on the seat's knowledge and the seed, and on nothing else.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pepperenvs.core import rng
from pepperenvs.core import utility as utilities
from pepperenvs.core.spec import GameSpec
from pepperenvs.core.state import OVER
from pepperenvs.drivers import game as games
from pepperenvs.drivers._kernels import BOT, RANDOM
from pepperenvs.drivers.game import Game

POLICIES = {"random": RANDOM, "bot": BOT}

# Streams of a searcher's seed; games, drivers and records use lower ones.
_ROOT, _SAMPLES, _FUTURE, _PLAYERS = 100, 101, 102, 103
_NO_ACTION = -1
_NO_LIMIT = 2**62


def _stream(seed: Any, use: int) -> NDArray[np.uint64]:
    """A generator for one use of a seed, uint64 [1]. Raises ValueError for a negative one, TypeError for no integer."""
    stream = np.zeros(1, np.uint64)
    rng.seed(stream, games.normalise_seed(seed), use)
    return stream


def _branch(stream: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A generator that another one starts, uint64 [1]."""
    return np.array([rng.next_word(stream)], np.uint64)


def _copied(states: NDArray[Any]) -> NDArray[Any]:
    """A copy of states; NumPy's own goes field by field and takes ten times as long."""
    return np.frombuffer(bytearray(states.tobytes()), states.dtype)


# ------------------------------------------------------------------------------------------------ positions


class Position:
    """A full state of a game, everything open, that belongs to whoever searches: it may be looked at and played on.

    It has two generators. The state's own draws the random outcomes of the rules; the other one draws random players'
    moves and redraws. A copy has the same of both, so the same moves lead to the same outcomes in it; `reseed` gives it
    another future.

    Two positions are equal if all bytes of their states are, generator included.
    """

    def __init__(self, game: Game, states: NDArray[Any], stream: NDArray[np.uint64]) -> None:
        """For drivers: `states`, [1], and `stream`, uint64 [1], become the position's own."""
        self._game, self._states, self._stream = game, states, stream
        self._ids: NDArray[np.int32] | None = None  # the legal actions, once somebody has asked

    def __getstate__(self) -> dict[str, Any]:
        return {"game": self._game.spec.id, "state": self.save(), "stream": int(self._stream[0])}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self._game = games.load(saved["game"])
        self._states = self._game.load(saved["state"])
        self._stream = np.array([saved["stream"]], np.uint64)
        self._ids = None

    def copy(self) -> Position:
        """The same position, with the same future; what is played in one does not touch the other."""
        copied = Position(self._game, _copied(self._states), self._stream.copy())
        copied._ids = self._ids
        return copied

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Position:
        return self.copy()

    def reseed(self, seed: int) -> None:
        """Begin both generators anew: another future, which depends on the position and the seed alone.

        Raises ValueError for a negative seed, TypeError for one that is no integer.
        """
        self._states["rng"][0] = _stream(seed, _FUTURE)
        self._stream = _stream(seed, _PLAYERS)

    def redraw(self, seat: int) -> Position:
        """Another position, one that `seat` cannot tell from this one, with a future of its own.

        For searchers that ask what another seat may believe. Raises ValueError if there is no such seat.
        """
        states = _copied(self._states)
        self._game.resample(states, 0, self._checked(seat), self._stream)
        return Position(self._game, states, _branch(self._stream))

    # ----------------------------------------------------------------------------------------------- look

    @property
    def spec(self) -> GameSpec:
        """What the game declares."""
        return self._game.spec

    @property
    def num_players(self) -> int:
        return int(self._states["num_seats"][0])

    @property
    def seat(self) -> int:
        """The seat to move, or OVER (-1)."""
        return int(self._states["to_move"][0])

    @property
    def is_over(self) -> bool:
        return self.seat == OVER

    @property
    def moves(self) -> int:
        """Decisions made so far, by all seats."""
        return int(self._states["moves"][0])

    @property
    def truncated(self) -> bool:
        """Whether a limit ended the game, not its rules."""
        return bool(self._states["truncated"][0])

    @property
    def score(self) -> NDArray[np.int64]:
        """The game's points, int64 [players], as far as the game counts them before the end."""
        scores: NDArray[np.int64] = self._states["score"][0, : self.num_players].copy()
        return scores

    @property
    def standing(self) -> NDArray[np.int64]:
        """Seats that stand strictly before each seat, int64 [players]; zeros before the end."""
        standings: NDArray[np.int64] = self._states["standing"][0, : self.num_players].copy()
        return standings

    @property
    def legal_actions(self) -> NDArray[np.int32]:
        """The legal actions of the seat to move in ascending order, int32 [legal], a new array; none after the end."""
        return self._legal().copy()

    @property
    def legal_strings(self) -> list[str]:
        """The same as canonical strings."""
        strings = self._game.strings(self._states)
        return [strings[action] for action in self._legal()]

    def _legal(self) -> NDArray[np.int32]:
        if self._ids is None:
            self._ids = self._game.legal_ids(self._states)
        return self._ids

    def observe(self, seat: int) -> NDArray[np.int16]:
        """What a seat sees, int16 [cells], a new array. Raises ValueError if there is no such seat."""
        out = np.zeros(self.spec.layout.size, np.int16)
        self._game.observe(self._states, 0, self._checked(seat), out)
        return out

    def _checked(self, seat: int) -> int:
        if not 0 <= operator.index(seat) < self.num_players:
            raise ValueError(f"seat must be in 0 … {self.num_players - 1}, not {seat!r}")
        return operator.index(seat)

    def bot_action(self) -> int:
        """The scripted player's action for the seat to move. Raises ValueError after the end."""
        if self.is_over:
            raise ValueError("the game is over: there is nothing to decide")
        return int(self._game.bot(self._states, 0))

    def utilities(self, kind: str = utilities.DEFAULT) -> NDArray[np.float64]:
        """Utilities of all seats at the end, float64 [players].

        kind    "rank", "win" or "score"

        Raises ValueError for another kind, and before the end.
        """
        number = utilities.kind_number(kind)
        if not self.is_over:
            raise ValueError("there are no utilities before the end: play on, or use `score`")
        out = np.zeros(self.spec.max_seats)
        self._game.utilities(self._states, 0, number, out)
        return out[: self.num_players]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.spec.id == other.spec.id and self._states.tobytes() == other._states.tobytes()

    def same_table(self, other: Position) -> bool:
        """Whether all but the generator is equal: cards, points, whose move it is."""
        aligned = other.copy()
        aligned._states["rng"] = self._states["rng"]
        return self == aligned

    def save(self) -> bytes:
        """The position as bytes, its generator included: what `set_state` of the environments takes."""
        return self._game.save(self._states)

    def __str__(self) -> str:
        """The table as text, everything open."""
        return str(self.spec.part("text").text(self._states[0], None))

    def _repr_svg_(self) -> str:
        """The table as a notebook shows it, everything open."""
        return str(self.spec.part("draw").svg(self._states[0], None))

    # ----------------------------------------------------------------------------------------------- play

    def step(self, action: int) -> None:
        """Play an action for the seat to move, and carry the rules on to the next decision or the end.

        Raises IllegalActionError, with everything left as it was, for one that is not legal, as all are after the end;
        TypeError for one that is no integer.
        """
        number, legal = operator.index(action), self._legal()
        place = int(np.searchsorted(legal, number))
        if place == len(legal) or legal[place] != number:
            raise self._game.illegal(self._states, number)
        self._play(number, RANDOM, 0, self._stream)

    def playout(self, policy: str = "random", limit: int | None = None, seed: int | None = None) -> int:
        """Play on, every seat by a policy, to the end or for so many moves; returns how many were played.

        policy    "random", uniform among the legal actions, or "bot", the scripted player
        limit     at most so many moves, not negative; None: to the end
        seed      of the random moves; None: the position's own generator of players goes on

        Raises ValueError for another policy, a negative limit or seed.
        """
        if policy not in POLICIES:
            raise ValueError(f"policy must be one of {', '.join(map(repr, POLICIES))}, not {policy!r}")
        most = _NO_LIMIT if limit is None else operator.index(limit)
        if most < 0:
            raise ValueError(f"limit must not be negative, got {limit}")
        stream = self._stream if seed is None else _stream(seed, _PLAYERS)
        return self._play(_NO_ACTION, POLICIES[policy], most, stream)

    def _play(self, action: int, policy: int, limit: int, stream: NDArray[np.uint64]) -> int:
        ids = np.zeros(self.spec.actions.size, np.int32)  # not one for all: playouts may run in threads
        played: int = self._game.play(self._states, 0, action, policy, min(limit, _NO_LIMIT), ids, stream)
        self._ids = None
        return played


# ----------------------------------------------------------------------------------------------- simulators


class Simulator:
    """What one seat knows, for a searcher: `sample` gives positions that the seat cannot tell from the true one.

    spec           what the game declares
    seat           whose knowledge it is

    The samples depend on what the seat knows and on the seed alone. See the module for what makes a Simulator honest.
    """

    def __init__(self, root: Position, seat: int, seed: int) -> None:
        """For drivers, which call `simulator`: `root`, a redraw for `seat`, becomes the Simulator's own."""
        self.spec, self.seat, self._root = root.spec, seat, root
        self.restart(seed)

    def __getstate__(self) -> dict[str, Any]:
        return {"root": self._root, "seat": self.seat, "samples": int(self._samples[0])}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self._root, self.seat = saved["root"], saved["seat"]
        self._samples = np.array([saved["samples"]], np.uint64)
        self.spec = self._root.spec

    def restart(self, seed: int) -> None:
        """Begin the samples anew: those that follow depend on the position and this seed alone.

        Raises ValueError for a negative seed, TypeError for one that is no integer.
        """
        self._samples = _stream(seed, _SAMPLES)

    def sample(self) -> Position:
        """A position drawn uniformly from those that the seat cannot tell from the true one, with its own future."""
        states = self.root
        self._root._game.resample(states, 0, self.seat, self._samples)
        return Position(self._root._game, states, _branch(self._samples))

    def samples(self, count: int) -> list[Position]:
        """So many positions, as `sample` gives them."""
        return [self.sample() for _ in range(count)]

    @property
    def root(self) -> NDArray[Any]:
        """A redraw of the position, [1], a new array of the type `spec.state`, for searches within kernels.

        It is what the Simulator itself holds, so it is as honest, and always the same; `resample_hidden` makes further
        redraws of it, after another generator is put into its field `rng`.
        """
        return _copied(self._root._states)

    @property
    def num_players(self) -> int:
        return self._root.num_players

    @property
    def to_move(self) -> int:
        """The seat to move, whether or not it is the one that looks; OVER (-1) after the end."""
        return self._root.seat

    @property
    def observation(self) -> NDArray[np.int16]:
        """What the seat sees, int16 [cells], a new array."""
        return self._root.observe(self.seat)

    @property
    def legal_actions(self) -> NDArray[np.int32]:
        """Its legal actions in ascending order, int32 [legal], a new array; none if it is not to move."""
        return self._root.legal_actions if self.seat == self.to_move else np.zeros(0, np.int32)

    @property
    def legal_strings(self) -> list[str]:
        """The same as canonical strings."""
        return self._root.legal_strings if self.seat == self.to_move else []

    @property
    def action_mask(self) -> NDArray[np.int8]:
        """The same as a mask, int8 [actions], a new array."""
        mask = np.zeros(self.spec.actions.size, np.int8)
        mask[self.legal_actions] = 1
        return mask


def simulator(game: Game, states: NDArray[Any], index: int, seed: int, viewer: int | None = None) -> Simulator:
    """A Simulator of what a seat knows of a true state, for drivers. The state is left as it is.

    states    [games], of which `index` is meant
    seed      of all that is drawn; the same knowledge, seat and seed give the same samples
    viewer    whose knowledge; None: the seat to move

    Raises ValueError if there is no such seat, as after the end if `viewer` is None, or for a negative seed; TypeError
    for a seed that is no integer.
    """
    num_seats = int(states["num_seats"][index])
    seat = int(states["to_move"][index]) if viewer is None else operator.index(viewer)
    if not 0 <= seat < num_seats:
        over = "the game is over: name a viewer" if viewer is None else f"not {viewer!r}"
        raise ValueError(f"viewer must be in 0 … {num_seats - 1}, {over}")
    root = Position(game, _copied(states[index : index + 1]), np.zeros(1, np.uint64))
    game.resample(root._states, 0, seat, _stream(seed, _ROOT))
    root.reseed(seed)
    return Simulator(root, seat, seed)
