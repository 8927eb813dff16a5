"""Many games of one kind in lock step: arrays in, arrays out, no Python per game."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pepperenvs.core import state as states
from pepperenvs.core import utility as utility_kinds
from pepperenvs.core.state import OVER
from pepperenvs.drivers import game as games
from pepperenvs.drivers import opponents as seating
from pepperenvs.drivers._kernels import ASKED, FIRST_AGENT, MAX_UNASKED, NO_LEARNER, RESTART
from pepperenvs.drivers.arguments import at_least_one, fitting
from pepperenvs.drivers.opponents import Opponents
from pepperenvs.drivers.search import Simulator, simulator
from pepperenvs.drivers.threads import Slices
from pepperenvs.drivers.variants import Variants

# All that makes up a batch in play, [games] each; everything else in it is a view of these, or bound code.
_PER_GAME = ("_states", "_streams", "_sampling", "learner", "policies", "_finished", "_truncated", "final_length",
             "final_score", "final_standing", "final_utility", "final_observation")  # fmt: skip
_BUFFERS = (*_PER_GAME, "_actions", "_chosen", "_wanted", "_ids", "_counts", "action_mask", "observation", "seat")

_entries: dict[tuple[games.Game, str, str], Any] = {}


class Batch:
    """`num_envs` games in lock step. Each `step` plays one move in each.

    game           its id, "heat_guess_v0"
    num_players    seats of every game; None: the game's default
    variants       None, or options that overrule those of all games, "num_players" too: game i is played with
                   variants[i % len(variants)]
    utility        "rank", "win" or "score": what `final_utility` holds
    seed           as of `reset`, which the constructor calls
    autoreset      a game that ends begins anew in the same step, and goes on with its own stream of random numbers
    opponents      None: every seat is asked. "random", "bot", an agent, or a mapping of weights over these and "agent":
                   who plays the seats that are not the learner's, drawn for each seat when a game begins. "random" and
                   "bot" move inside the kernel; agents, with `act(observation [n, cells], action_mask [n, actions])`,
                   are asked by the batch; an "agent" seat is asked of the caller like the learner's, with `seat` !=
                   `learner`
    seat           the learner's seat, or "random": drawn when a game begins, the default if there are opponents
    begin          begin all games now; else they begin with the first `reset`, and until then are as if over
    num_threads    threads that play, from 1; more than one pays from about a thousand games
    options        the game's options

    **The arrays are the batch's own buffers and are written anew by every call**: copy what is to be kept, and write
    into none of them. Rows of games that are over (autoreset off) are zero.

    observation       int16 [games, cells], of the seat to move
    action_mask       int8 [games, actions], 1 where the seat to move may act so
    seat              int64 [games], the seat to move, or OVER (-1)
    learner           int64 [games], the learner's seat, -2 without one
    policies          int8 [games, MAX_SEATS], who plays each seat: values of opponents.POLICIES, from FIRST_AGENT on
                      the agents among the opponents in their order
    num_seats         int64 [games]; of games that have not begun 0
    finished          bool [games], a game ended in this call of `step` or `reset`
    truncated         bool [games], and a limit ended it, not the rules
    final_utility     float64 [games, MAX_SEATS], of the game that ended last in that row; absent seats 0
    final_score       int64 [games, MAX_SEATS], likewise, as are the next two
    final_standing    int64 [games, MAX_SEATS]
    final_length      int64 [games], moves by all seats
    final_observation int16 [games, cells], the learner's view of that game's end; [0, cells] without a learner

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
    final_observation: NDArray[np.int16]

    def __init__(
        self,
        game: str,
        num_envs: int,
        *,
        num_players: int | None = None,
        variants: Sequence[Mapping[str, Any]] | None = None,
        utility: str = utility_kinds.DEFAULT,
        seed: Any = None,
        autoreset: bool = True,
        opponents: Opponents = None,
        seat: int | str | None = None,
        begin: bool = True,
        num_threads: int = 1,
        **options: Any,
    ) -> None:
        self._game = games.load(game)
        self.spec = self._game.spec
        self.num_envs = at_least_one("num_envs", num_envs)
        self._variants = Variants(self._game, self.num_envs, num_players, options, variants)
        self.autoreset = bool(autoreset)
        self._kind = utility_kinds.kind_number(utility)
        self._is_seeded = self._is_asking = False
        self._slices = Slices(self.num_envs, at_least_one("num_threads", num_threads))
        self._lineup = seating.lineup(opponents)
        has_learner = seat is not None or opponents is not None
        self._allocate(has_learner)
        if not has_learner:
            self._wanted[:] = NO_LEARNER
        else:
            self._wanted[:] = seating.wanted_seat("random" if seat is None else seat, self._variants.fewest_players)
        self._connect()
        if begin:
            self.reset(seed)

    @property
    def options(self) -> dict[str, Any]:
        """The resolved options with which game 0 is played, "num_players" first; see `options_of`."""
        return self.options_of(0)

    @property
    def num_players(self) -> int:
        """Seats of game 0; `num_seats` has those of all."""
        return int(self._variants.blanks["num_seats"][self._variants.row[0]])

    @property
    def fewest_players(self) -> int:
        """Seats of the smallest game."""
        return self._variants.fewest_players

    def options_of(self, index: int) -> dict[str, Any]:
        """The resolved options with which game `index` is played. Raises IndexError."""
        return self._game.values(self._variants.blanks, self._variants.row[self._index(index)])

    def _allocate(self, has_learner: bool) -> None:
        n, seats = self.num_envs, self.spec.max_seats
        self._states = np.zeros(n, self.spec.state)
        self._streams, self._sampling = np.zeros((n, 1), np.uint64), np.zeros((n, 1), np.uint64)
        self._actions, self._chosen = np.zeros(n, np.int64), np.ones(n, np.int8)
        self._wanted = np.zeros(n, np.int64)
        self._ids, self._counts, self.action_mask, self.observation = self._game.view_buffers(n)
        self.seat, self.learner = np.full(n, OVER, np.int64), np.full(n, NO_LEARNER, np.int64)
        self.policies = np.zeros((n, seats), np.int8)
        self._finished, self._truncated = np.zeros(n, np.int8), np.zeros(n, np.int8)
        self.final_length = np.zeros(n, np.int64)
        self.final_score, self.final_standing = np.zeros((n, seats), np.int64), np.zeros((n, seats), np.int64)
        self.final_utility = np.zeros((n, seats), np.float64)
        self.final_observation = np.zeros((n if has_learner else 0, self.spec.layout.size), np.int16)

    def _connect(self) -> None:
        """Make the views and argument lists of the buffers; compile, unless this process has done it."""
        self.finished, self.truncated = self._finished.view(np.bool_), self._truncated.view(np.bool_)
        self.num_seats = self._states["num_seats"]
        self._everybody, self._rows = np.ones(self.num_envs, np.int8), np.arange(self.num_envs)
        self._views = (self._ids, self._counts, self.action_mask, self.observation)
        self._collect()
        # Without opponents the kernel holds neither the bot nor a second call of `legal_actions`: it compiles quicker.
        self._opponent = "no_opponent" if self._lineup.leaves_all_to_the_caller else "any_opponent"
        self._play = self._entry("batch_step", 0, self.num_envs, *self._arguments)
        self._seed_games = self._entry("seed_games", self._states, self._streams, self._sampling, self._chosen,
                                       self._actions)  # fmt: skip
        self._first_illegal = self._entry("first_illegal", self._actions, self._chosen, self.action_mask)
        self._sample = self._entry("sample_actions", self._ids, self._counts, self._sampling, self._chosen,
                                   self._actions)  # fmt: skip

    def _collect(self) -> None:
        """Put the arguments of `batch_step` together; again whenever a blank has been added."""
        lineup = (self.policies, self.learner, self._wanted, self._lineup.weights)
        results = (self._finished, self._truncated, self.final_length, self.final_score, self.final_standing,
                   self.final_utility)  # fmt: skip
        self._arguments = (self._states, self._actions, self._chosen, self._variants.blanks, self._variants.row, lineup,
                           self._streams, self._views, self.seat, self._kind, int(self.autoreset), results,
                           self.final_observation)  # fmt: skip

    def _entry(self, template: str, *examples: Any) -> Any:
        """An entry point; found again for every later batch of the game, since finding it takes milliseconds."""
        key = (self._game, template, self._opponent)
        if key not in _entries:
            _entries[key] = self._game.entry(template, *examples, opponent=self._game.bind(self._opponent))
        return _entries[key]

    def __getstate__(self) -> dict[str, Any]:
        kept = ("num_envs", "autoreset", "_variants", "_slices", "_lineup", "_kind", "_is_seeded", "_is_asking")
        return {"game": self.spec.id, **{name: getattr(self, name) for name in (*kept, *_BUFFERS)}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._game = games.load(state["game"])
        self.spec = self._game.spec
        for name, value in state.items():
            if name != "game":
                # Entry points check nothing: a copy has the layout that they take, whatever the pickle did to it.
                setattr(self, name, value.copy() if isinstance(value, np.ndarray) else value)
        self._variants.connect(self._game)
        self._connect()

    # ------------------------------------------------------------------------------------------------ play

    def reset(self, seed: Any = None, *, num_players: int | None = None, chosen: ArrayLike | None = None) -> None:
        """Begin games.

        seed           S: game i gets the seed S + i. A sequence of one seed a game: as it stands. None: entropy the
                       first time, afterwards every game goes on with its streams.
        num_players    seats of these games until they are reset again; None: as many as the batch was made for
        chosen         bool [games], which games are begun; None: all

        Raises ValueError for a negative seed, another number of seeds, or a number of players that the game, an option
        or the learner's seat does not allow; TypeError for a seed that is no integer. Nothing has changed then.
        """
        asked = self._asked(chosen)
        numbers = self._seeds(seed)
        self._seat_players(num_players, asked)
        self._is_asking = False
        self._chosen[:] = asked
        if numbers is not None:
            self._seed_games(self._states, self._streams, self._sampling, self._chosen, numbers)
            self._is_seeded = True
        if numbers is not None and seed is not None:
            self._lineup.restart(int(numbers[0]))
        self._actions.fill(RESTART)
        self._carry_out()
        if self.autoreset and (self.seat[asked != 0] == OVER).any():
            raise RuntimeError(f"{self.spec.id}: with these options games end before the learner is ever asked")

    def _seat_players(self, num_players: int | None, asked: NDArray[np.int8]) -> None:
        if num_players is not None and self._wanted[0] >= num_players:
            raise ValueError(f"seat {self._wanted[0]} is the learner's, but there are {num_players} players")
        self._variants.choose(num_players, asked != 0)
        self._collect()

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

    def step(self, actions: ArrayLike, chosen: ArrayLike | None = None) -> None:
        """Play one move in every game, and those of the opponents until somebody is asked again.

        actions    integers [games]; those of games that are not chosen, or over (autoreset off), are ignored
        chosen     bool [games], in which games; None: in all

        Raises IllegalActionError, which names the first game with an illegal action, and TypeError or ValueError for
        another type or shape; no game has moved then. If an agent among the opponents fails, or chooses an illegal
        action, its error is raised in the middle of the step: then only `reset` is left (RuntimeError).
        """
        if self._is_asking:
            raise RuntimeError("an opponent failed in the middle of the step before: reset the batch")
        given = self._checked(actions)
        self._actions[:] = given
        if chosen is None and self.autoreset:
            self._chosen.fill(1)
        else:
            np.logical_and(self._asked(chosen), self.seat != OVER, out=self._chosen, casting="unsafe")
        self._refuse_illegal(given)
        self._carry_out()

    def _refuse_illegal(self, given: NDArray[Any]) -> None:
        """Raises IllegalActionError if an action is illegal, which tells it as it was given, of whatever size."""
        index = self._first_illegal(self._actions, self._chosen, self.action_mask)
        if index >= 0:
            raise self._game.illegal(self._states, int(given[index]), index)

    def _carry_out(self) -> None:
        """Play the actions of the chosen games, then let the agents move until the caller is asked in all of them."""
        self._finished.fill(0)
        self._truncated.fill(0)
        self._slices(self._play, *self._arguments)
        if not self._lineup.agents:
            return
        self._is_asking = True  # until all have answered
        ended = np.zeros(self.num_envs, np.int64)
        while (whose := self._agents_to_move()).any():
            self._ask(whose)
            before = self._finished.copy()
            self._finished.fill(0)
            self._slices(self._play, *self._arguments)
            ended += self._finished
            self._finished |= before
            if (ended > MAX_UNASKED).any():
                raise RuntimeError(f"{self.spec.id}: with these options games end before the learner is ever asked")
        self._is_asking = False

    def _agents_to_move(self) -> NDArray[np.int8]:
        """The policy of the agent that is to move in each game, 0 where none is."""
        whose: NDArray[np.int8] = self.policies[self._rows, self.seat]
        whose[(self.seat == OVER) | (whose < FIRST_AGENT)] = 0
        return whose

    def _ask(self, whose: NDArray[np.int8]) -> None:
        """Choose the games in which an agent is to move, and get its actions. Raises what agents raise."""
        for number, agent in enumerate(self._lineup.agents, FIRST_AGENT):
            rows = np.flatnonzero(whose == number)
            if len(rows):
                answer = np.asarray(agent.act(self.observation[rows], self.action_mask[rows]))
                if answer.dtype.kind not in "iu":
                    raise TypeError(f"an opponent must answer with integers, not {answer.dtype}")
                self._actions[rows] = answer.reshape(len(rows))
        self._chosen[:] = whose != 0
        self._refuse_illegal(self._actions)

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
        self._slices(self._entry("bot_actions", 0, self.num_envs, *arguments), *arguments)
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
        return np.full(self.num_envs, RESTART, np.int64) if out is None else fitting("out", out, self._actions)

    def random_rollout(self, moves: int) -> tuple[int, int, float]:
        """Play `moves` random moves in every game within one kernel, mask and observation written after each.

        returns    moves played, games finished, their mean length (0.0 if none finished)

        Games that end begin anew, whatever `autoreset` says. For measuring speed: it writes no results.
        Raises ValueError in a batch with opponents, whose seats it would have to leave to them.
        """
        if not self._lineup.leaves_all_to_the_caller:
            raise ValueError("random_rollout plays every seat: make the batch without opponents")
        totals = np.zeros((self.num_envs, 3), np.int64)
        arguments = (operator.index(moves), self._states, self._variants.blanks, self._variants.row, self._sampling,
                     self._views, totals)  # fmt: skip
        self._slices(self._entry("random_rollout", 0, self.num_envs, *arguments), *arguments)
        self.seat[:] = self._states["to_move"]
        self._finished.fill(0)
        self._truncated.fill(0)
        played, ended, length = totals.sum(axis=0).tolist()
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
        self._slices(self._entry("observe_seats", 0, self.num_envs, self._states, out), self._states, out)
        return out

    def observe_learners(self, chosen: ArrayLike | None = None, out: NDArray[np.int16] | None = None
                         ) -> NDArray[np.int16]:  # fmt: skip
        """What the learners see, int16 [games, cells], also of a game that is over: there `observation` is zero.

        chosen    bool [games], of which games; None: of all
        out       where to write it, in one piece; rows of games that are not chosen keep what they hold. None: a new
                  array, whose other rows are zero

        Raises ValueError in a batch without a learner, and for arrays that do not fit.
        """
        if self._wanted[0] == NO_LEARNER:
            raise ValueError("this batch has no learner: give it a seat or opponents")
        asked = self._asked(chosen)
        out = np.zeros_like(self.observation) if out is None else fitting("out", out, self.observation)
        arguments = (self._states, self.learner, asked, out)
        self._slices(self._entry("observe_learners", 0, self.num_envs, *arguments), *arguments)
        return out

    def legal_actions(self, index: int) -> list[str]:
        """The canonical strings of the legal actions in game `index`, by ascending action. Raises IndexError."""
        return self._game.legal_strings(self._states, self._index(index))

    # ----------------------------------------------------------------------------------------------- saves

    def save(self) -> bytes:
        """All games with their generators, opponents and last results as bytes, checksummed; see `restore`."""
        if self._is_asking:
            raise RuntimeError("an opponent failed in the middle of the last step: reset the batch")
        cells = np.zeros(self.num_envs, self._saved_dtype)
        for name in _PER_GAME:
            buffer = getattr(self, name)
            cells[name][: len(buffer)] = buffer  # without a learner it has no final observation: zeros
        return states.save(cells, self.spec.id)

    def restore(self, data: bytes) -> None:
        """Go on where the batch that `save` wrote was, with the options that its games have; the next `reset` goes
        back to this batch's own.

        Raises SaveError for bytes that are no sound batch of this game, ValueError if it does not fit this batch:
        another number of games, other kinds of opponents, a game that is over although this batch begins such anew.
        Nothing has changed then.
        """
        cells = states.load(data, self.spec.id, self._saved_dtype)
        if len(cells) != self.num_envs:
            raise ValueError(f"{len(cells)} games are saved there, but this batch has {self.num_envs}")
        games_saved = np.zeros(self.num_envs, self.spec.state)  # in one piece, as entry points take them
        games_saved[:] = cells["_states"]
        values = self._game.check(games_saved)
        if (cells["_finished"] & ~1).any() or (cells["_truncated"] & ~1).any():
            raise states.SaveError("saved batch: a truth value is neither 0 nor 1")
        if self.autoreset and (games_saved["to_move"] == OVER).any():
            raise ValueError("a saved game is over, and this batch begins such games anew")
        self._lineup.check(games_saved, cells["policies"], cells["learner"], self._wanted)
        for name in _PER_GAME:
            buffer = getattr(self, name)
            buffer[:] = cells[name][: len(buffer)]
        self._variants.row[:] = [self._variants.find(one) for one in values]
        self._collect()
        for index in range(self.num_envs):
            self.seat[index] = self._game.show(self._states, index, *self._views)
        self._is_seeded, self._is_asking = True, False

    @property
    def _saved_dtype(self) -> np.dtype[Any]:
        buffers = [(name, getattr(self, name)) for name in _PER_GAME]
        return np.dtype([(name, buffer.dtype, buffer.shape[1:]) for name, buffer in buffers])

    def simulator(self, index: int, seed: int) -> Simulator:
        """Game `index` for a search by the seat that is to move, which cannot reach the true state; see Simulator.

        Raises IndexError, and ValueError for a game that is over.
        """
        return simulator(self._game, self._states, self._index(index), seed)

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
