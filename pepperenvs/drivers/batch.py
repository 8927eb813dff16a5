"""Many games of one kind in lock step: arrays in, arrays out, no Python per game."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pepperenvs.core import utility as utility_kinds
from pepperenvs.core.state import OVER
from pepperenvs.drivers import game as games
from pepperenvs.drivers._kernels import ASKED, BOT, CHOSEN_AT_RANDOM, NO_LEARNER, RANDOM, RESTART

POLICIES = {"agent": ASKED, "random": RANDOM, "bot": BOT}
Opponents = str | Mapping[str, float] | None

# All that makes up a batch in play; everything else in it is a view of these, or bound code.
_BUFFERS = (
    "_states", "_blanks", "_variants", "_streams", "_sampling", "_actions", "_chosen", "_wanted", "_weights",
    "_ids", "_counts", "action_mask", "observation", "seat", "learner", "policies",
    "_finished", "_truncated", "final_length", "final_score", "final_standing", "final_utility",
)  # fmt: skip

_entries: dict[tuple[games.Game, str, str], Any] = {}


def opponent_weights(opponents: Opponents) -> NDArray[np.float64]:
    """How likely a seat that is not the learner's is asked, random, the bot, float64 [3], which sum to 1.

    opponents    None (asked), a name of POLICIES, or a mapping from such names to weights

    Raises ValueError for another name, for a weight that is negative or not finite, and if all are 0.
    """
    given = {"agent": 1.0} if opponents is None else {opponents: 1.0} if isinstance(opponents, str) else opponents
    weights = np.zeros(len(POLICIES))
    for name, weight in given.items():
        if name not in POLICIES:
            raise ValueError(f"opponents must be among {', '.join(map(repr, POLICIES))}, not {name!r}")
        if not (math.isfinite(weight) and weight >= 0):
            raise ValueError(f"the weight of opponent {name!r} must be a number from 0, not {weight!r}")
        weights[POLICIES[name]] = weight
    total = weights.sum()
    if total == 0:
        raise ValueError("opponents: some weight must be more than 0")
    weights /= total
    return weights


def wanted_seat(seat: int | str | None, num_seats: int) -> int:
    """A seat argument as the kernels take it. Raises ValueError unless it is "random" or one of the seats."""
    if seat == "random":
        return CHOSEN_AT_RANDOM
    if isinstance(seat, str) or seat is None or not 0 <= operator.index(seat) < num_seats:
        raise ValueError(f"seat must be 'random' or in 0 … {num_seats - 1}, not {seat!r}")
    return operator.index(seat)


class Batch:
    """`num_envs` games in lock step. It begins them when it is made; each `step` plays one move in each.

    game           its id, "heat_guess_v0"
    num_players    seats of every game; None: the game's default
    utility        "rank", "win" or "score": what `final_utility` holds
    seed           as of `reset`, which the constructor calls
    autoreset      a game that ends begins anew in the same step, and goes on with its own stream of random numbers
    opponents      None: every seat is asked. "random", "bot", or a mapping of weights over "random", "bot" and "agent":
                   who plays the seats that are not the learner's, drawn for each seat when a game begins. They move
                   inside the kernel; an "agent" seat is asked like the learner's, with `seat` != `learner`.
    seat           the learner's seat, or "random": drawn when a game begins, the default if there are opponents
    options        the game's options

    **The arrays are the batch's own buffers and are written anew by every call**: copy what is to be kept, and write
    into none of them. Rows of games that are over (autoreset off) are zero.

    observation       int16 [games, cells], of the seat to move
    action_mask       int8 [games, actions], 1 where the seat to move may act so
    seat              int64 [games], the seat to move, or OVER (-1)
    learner           int64 [games], the learner's seat, -2 without one
    policies          int8 [games, MAX_SEATS], who plays each seat: values of POLICIES
    num_seats         int64 [games]
    finished          bool [games], a game ended in this step
    truncated         bool [games], and a limit ended it, not the rules
    final_utility     float64 [games, MAX_SEATS], of the game that ended last in that row; absent seats 0
    final_score       int64 [games, MAX_SEATS], likewise, as are the next two
    final_standing    int64 [games, MAX_SEATS]
    final_length      int64 [games], moves by all seats

    Game i depends on its seed and its actions alone, neither on its neighbours nor on how many there are.

    Raises ValueError for a bad game, option, seat, opponent or seed, and RuntimeError if games end, time after time,
    before anybody is asked.
    """

    observation: NDArray[np.int16]
    action_mask: NDArray[np.int8]
    seat: NDArray[np.int64]
    learner: NDArray[np.int64]
    policies: NDArray[np.int8]
    final_utility: NDArray[np.float64]
    final_score: NDArray[np.int64]
    final_standing: NDArray[np.int64]
    final_length: NDArray[np.int64]

    def __init__(
        self,
        game: str,
        num_envs: int,
        *,
        num_players: int | None = None,
        utility: str = utility_kinds.DEFAULT,
        seed: Any = None,
        autoreset: bool = True,
        opponents: Opponents = None,
        seat: int | str | None = None,
        **options: Any,
    ) -> None:
        self._game = games.load(game)
        self.spec = self._game.spec
        self.num_envs = operator.index(num_envs)
        if self.num_envs < 1:
            raise ValueError(f"num_envs must be at least 1, not {num_envs!r}")
        self._given = dict(options)
        self.options = self.spec.resolve(num_players, options)
        self.num_players: int = self.options["num_players"]
        self.autoreset = bool(autoreset)
        self._kind = utility_kinds.kind_number(utility)
        self._is_seeded = False
        self._allocate()
        self._weights[:] = opponent_weights(opponents)
        if seat is None and opponents is None:
            self._wanted[:] = NO_LEARNER
        else:
            self._wanted[:] = wanted_seat("random" if seat is None else seat, self.num_players)
        self._connect()
        self.reset(seed)

    def _allocate(self) -> None:
        n, seats = self.num_envs, self.spec.max_seats
        self._states = np.zeros(n, self.spec.state)
        self._blanks, self._variants = self._game.blank(self.options), np.zeros(n, np.int64)
        self._streams, self._sampling = np.zeros((n, 1), np.uint64), np.zeros((n, 1), np.uint64)
        self._actions, self._chosen = np.zeros(n, np.int64), np.ones(n, np.int8)
        self._wanted, self._weights = np.zeros(n, np.int64), np.zeros(len(POLICIES))
        self._ids, self._counts, self.action_mask, self.observation = self._game.view_buffers(n)
        self.seat, self.learner = np.full(n, OVER, np.int64), np.full(n, NO_LEARNER, np.int64)
        self.policies = np.zeros((n, seats), np.int8)
        self._finished, self._truncated = np.zeros(n, np.int8), np.zeros(n, np.int8)
        self.final_length = np.zeros(n, np.int64)
        self.final_score, self.final_standing = np.zeros((n, seats), np.int64), np.zeros((n, seats), np.int64)
        self.final_utility = np.zeros((n, seats), np.float64)

    def _connect(self) -> None:
        """Make the views and argument lists of the buffers; compile, unless this process has done it."""
        self.finished, self.truncated = self._finished.view(np.bool_), self._truncated.view(np.bool_)
        self.num_seats = self._states["num_seats"]
        self._everybody = np.ones(self.num_envs, np.int8)
        self._views = (self._ids, self._counts, self.action_mask, self.observation)
        lineup = (self.policies, self.learner, self._wanted, self._weights)
        results = (self._finished, self._truncated, self.final_length, self.final_score, self.final_standing,
                   self.final_utility)  # fmt: skip
        self._arguments = (self._states, self._actions, self._chosen, self._blanks, self._variants, lineup,
                           self._streams, self._views, self.seat, self._kind, int(self.autoreset), results)  # fmt: skip
        # Without opponents the kernel holds neither the bot nor a second call of `legal_actions`: it compiles quicker.
        self._opponent = "no_opponent" if self._weights[ASKED] == 1.0 else "any_opponent"
        self._play = self._entry("batch_step", 0, self.num_envs, *self._arguments)
        self._seed_games = self._entry("seed_games", self._states, self._streams, self._sampling, self._actions)
        self._first_illegal = self._entry("first_illegal", self._actions, self._chosen, self.action_mask)
        self._sample = self._entry(
            "sample_actions", self._ids, self._counts, self._sampling, self._chosen, self._actions
        )

    def _entry(self, template: str, *examples: Any) -> Any:
        """An entry point; found again for every later batch of the game, since finding it takes milliseconds."""
        key = (self._game, template, self._opponent)
        if key not in _entries:
            _entries[key] = self._game.entry(template, *examples, opponent=self._game.bind(self._opponent))
        return _entries[key]

    def __getstate__(self) -> dict[str, Any]:
        kept = ("num_envs", "options", "num_players", "autoreset", "_given", "_kind", "_is_seeded", *_BUFFERS)
        return {"game": self.spec.id, **{name: getattr(self, name) for name in kept}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._game = games.load(state["game"])
        self.spec = self._game.spec
        for name, value in state.items():
            if name != "game":
                # Entry points check nothing: a copy has the layout that they take, whatever the pickle did to it.
                setattr(self, name, value.copy() if isinstance(value, np.ndarray) else value)
        self._connect()

    # ------------------------------------------------------------------------------------------------ play

    def reset(self, seed: Any = None, *, num_players: int | None = None) -> None:
        """Begin all games.

        seed           S: game i gets the seed S + i. A sequence of one seed a game: as it stands. None: entropy the
                       first time, afterwards every game goes on with its streams.
        num_players    seats of all games until the next reset; None: as many as the batch was made for

        Raises ValueError for a negative seed, another number of seeds, or a number of players that the game, an option
        or the learner's seat does not allow; TypeError for a seed that is no integer.
        """
        numbers = self._seeds(seed)
        self._seat_players(self.num_players if num_players is None else num_players)
        if numbers is not None:
            self._seed_games(self._states, self._streams, self._sampling, numbers)
            self._is_seeded = True
        self._actions.fill(RESTART)
        self._chosen.fill(1)
        self._play(0, self.num_envs, *self._arguments)
        if self.autoreset and (self.seat == OVER).any():
            raise RuntimeError(f"{self.spec.id}: with these options games end before the learner is ever asked")

    def _seat_players(self, num_players: int) -> None:
        if num_players == self._blanks["num_seats"][0]:
            return
        values = self.spec.resolve(num_players, self._given)
        if self._wanted[0] >= num_players:
            raise ValueError(f"seat {self._wanted[0]} is the learner's, but there are {num_players} players")
        self._blanks[:] = self._game.blank(values)

    def _seeds(self, seed: Any) -> NDArray[np.int64] | None:
        if seed is None:
            if self._is_seeded:
                return None
            seed = games.fresh_seed()
        if np.ndim(seed) == 0:
            numbers = np.arange(self.num_envs, dtype=np.uint64) + np.uint64(games.normalise_seed(seed))
            return (numbers & np.uint64(games.MAX_SEED)).astype(np.int64)
        if len(seed) != self.num_envs:
            raise ValueError(f"{len(seed)} seeds for {self.num_envs} games")
        return np.array([games.normalise_seed(one) for one in seed], np.int64)

    def step(self, actions: ArrayLike) -> None:
        """Play one move in every game, and those of the opponents until somebody is asked again.

        actions    integers [games]; with autoreset off, those of games that are over are ignored

        Raises IllegalActionError, which names the first game with an illegal action, and TypeError or ValueError for
        another type or shape; no game has moved then.
        """
        given = self._checked(actions)
        self._actions[:] = given
        if not self.autoreset:
            np.not_equal(self.seat, OVER, out=self._chosen, casting="unsafe")
        index = self._first_illegal(self._actions, self._chosen, self.action_mask)
        if index >= 0:
            raise self._game.illegal(self._states, int(given[index]), index)
        self._play(0, self.num_envs, *self._arguments)

    def _checked(self, actions: ArrayLike) -> NDArray[Any]:
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions must be integers, not {given.dtype}")
        if given.shape != (self.num_envs,):
            raise ValueError(f"actions must have the shape ({self.num_envs},), not {given.shape}")
        return given

    def sample_actions(self, chosen: ArrayLike | None = None, out: NDArray[np.int64] | None = None
                       ) -> NDArray[np.int64]:  # fmt: skip
        """Uniformly drawn legal actions for the seats to move, int64 [games].

        chosen, out    as of `bot_actions`

        Every game draws from a generator of its own, only when it is chosen: neither the rules' random outcomes nor the
        opponents' moves nor other games depend on it.
        """
        asked, out = self._asked(chosen), self._actions_out(out)
        self._sample(self._ids, self._counts, self._sampling, asked, out)
        return out

    def bot_actions(self, chosen: ArrayLike | None = None, out: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """The scripted bot's actions for the seats to move, int64 [games].

        chosen    bool [games], for which games; None: for all
        out       where to write them, int64 [games] in one piece; cells of games that are over or not chosen keep what
                  they hold. None: a new array, which holds -1 there
        """
        asked, out = self._asked(chosen), self._actions_out(out)
        arguments = (self._states, self.seat, asked, out)
        self._entry("bot_actions", *arguments)(*arguments)
        return out

    def _asked(self, chosen: ArrayLike | None) -> NDArray[np.int8]:
        if chosen is None:
            return self._everybody
        mask = np.asarray(chosen)
        if mask.shape != (self.num_envs,) or mask.dtype.kind not in "biu":
            raise ValueError(f"chosen must be booleans of the shape ({self.num_envs},)")
        asked: NDArray[np.int8] = (mask != 0).astype(np.int8)
        return asked

    def _actions_out(self, out: NDArray[np.int64] | None) -> NDArray[np.int64]:
        """The array to write actions into: what goes into an entry point must be exactly of its type."""
        if out is None:
            return np.full(self.num_envs, RESTART, np.int64)
        fits = isinstance(out, np.ndarray) and out.dtype == np.int64 and out.shape == (self.num_envs,)
        if not fits or not (out.flags.c_contiguous and out.flags.writeable and out.flags.aligned):
            raise ValueError(f"out must be a writable int64 array of the shape ({self.num_envs},), in one piece")
        return out

    def random_rollout(self, moves: int) -> tuple[int, int, float]:
        """Play `moves` random moves in every game within one kernel, mask and observation written after each.

        returns    moves played, games finished, their mean length (0.0 if none finished)

        Games that end begin anew, whatever `autoreset` says. For measuring speed: it writes no results.
        Raises ValueError in a batch with opponents, whose seats it would have to leave to them.
        """
        if self._weights[ASKED] != 1.0:
            raise ValueError("random_rollout plays every seat: make the batch without opponents")
        totals = np.zeros(3, np.int64)
        arguments = (0, self.num_envs, operator.index(moves), self._states, self._blanks, self._variants,
                     self._sampling, self._views, totals)  # fmt: skip
        self._entry("random_rollout", *arguments)(*arguments)
        self.seat[:] = self._states["to_move"]
        self._finished.fill(0)
        self._truncated.fill(0)
        played, ended, length = (int(total) for total in totals)
        return played, ended, length / ended if ended else 0.0

    # -------------------------------------------------------------------------------------------- one game

    def observe(self, index: int, seat: int) -> NDArray[np.int16]:
        """What a seat of game `index` sees, int16 [cells], a new array. Raises IndexError, ValueError."""
        index = self._index(index)
        if not 0 <= operator.index(seat) < self.num_seats[index]:
            raise ValueError(f"seat must be in 0 … {self.num_seats[index] - 1}, not {seat!r}")
        out = np.zeros(self.spec.layout.size, np.int16)
        self._game.observe(self._states, index, operator.index(seat), out)
        return out

    def observe_seats(self) -> NDArray[np.int16]:
        """What every seat sees in every game, int16 [games, MAX_SEATS, cells], a new array; absent seats get zeros."""
        out = np.zeros((self.num_envs, self.spec.max_seats, self.spec.layout.size), np.int16)
        self._entry("observe_seats", self._states, out)(self._states, out)
        return out

    def legal_actions(self, index: int) -> list[str]:
        """The canonical strings of the legal actions in game `index`, by ascending action. Raises IndexError."""
        return self._game.legal_strings(self._states, self._index(index))

    def get_state(self, index: int) -> bytes:
        """Game `index` as bytes, its generator included, but neither who plays its seats nor their generators."""
        index = self._index(index)
        return self._game.save(self._states[index : index + 1])

    def set_state(self, index: int, data: bytes) -> None:
        """Put a saved game in the place of game `index`; who plays which seat stays.

        Raises SaveError for bytes that are no sound game of this kind, ValueError for one with another number of
        players, with an opponent to move, or, with autoreset, for one that is over; nothing has changed then.
        """
        index = self._index(index)
        loaded = self._game.load(data)
        self._game.values(loaded)  # options out of range would lead kernels astray
        seat = int(loaded["to_move"][0])
        if len(loaded) != 1:
            raise ValueError(f"{len(loaded)} games are saved there, not one")
        if loaded["num_seats"][0] != self.num_seats[index]:
            raise ValueError(f"the saved game has {loaded['num_seats'][0]} players, not {self.num_seats[index]}")
        if seat == OVER and self.autoreset:
            raise ValueError("the saved game is over, and this batch begins such games anew")
        if seat != OVER and self.policies[index, seat] != ASKED:
            raise ValueError(f"seat {seat} is to move there, which an opponent plays in game {index}")
        self._states[index] = loaded[0]
        self.seat[index] = self._game.show(self._states, index, *self._views)
        self._finished[index] = self._truncated[index] = 0

    def _index(self, index: int) -> int:
        if not 0 <= operator.index(index) < self.num_envs:
            raise IndexError(f"game {index} of a batch of {self.num_envs}")
        return operator.index(index)
