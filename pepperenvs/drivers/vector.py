"""Many solo games as one Gymnasium vector environment: a batch, and no Python for each game."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from pepperenvs.core import utility as utility_kinds
from pepperenvs.core.state import OVER
from pepperenvs.drivers import game as games
from pepperenvs.drivers import render
from pepperenvs.drivers._kernels import MAX_UNASKED
from pepperenvs.drivers.batch import Batch
from pepperenvs.drivers.opponents import Opponents, lineup
from pepperenvs.drivers.solo import ILLEGAL_REWARD, OPPONENTS, SoloEnv
from pepperenvs.drivers.variants import fewer_players

RENDER_MODES = ("ansi", "rgb_array")  # Gymnasium's vectors return what they render: no windows

Observations = NDArray[np.int16]
Which = NDArray[np.bool_]  # [games]
Info = dict[str, Any]


class SoloVectorEnv(VectorEnv[Observations, ArrayLike, NDArray[Any]]):
    """`num_envs` games, each seen from one seat; what it returns equals SyncVectorEnv over SoloEnv in every cell.

    game              its id, "heat_guess_v0"
    num_players       seats of every game; None: the game's default
    opponents         who plays the other seats, as in SoloEnv; an agent is asked for all games at once, with
                      `act(observation [n, cells], action_mask [n, actions])`
    seat              the learner's, or "random": drawn for each game when it begins
    utility           "rank", "win" or "score": the reward at a game's end; before, rewards are 0
    illegal           what an illegal action does: "end" that game with the reward -1, or "raise" IllegalActionError,
                      which names the game, and leave all games as they are
    autoreset_mode    what happens to a game that has ended, a gymnasium.vector.AutoresetMode or its value:
                      "NextStep" begins it anew at the next step, whose action for it is ignored; "SameStep" at once,
                      the ended one's observation and info standing in `infos["final_obs"]` and `infos["final_info"]`;
                      "Disabled" leaves it to `reset(options={"reset_mask": …})`
    render_mode       None, "ansi" or "rgb_array": the tables as the learners see them
    variants          None, or options that overrule those of all games, as in Batch
    num_threads       threads that play, from 1; more than one pays from about a thousand games
    options           the game's options

    Observations are int16 [num_envs, cells], rewards float64, terminations and truncations bool [num_envs]. `infos`
    has `action_mask`, int8 [num_envs, actions], and `seat`, the learners'; once some game has ended also `scores` and
    `standing`, int64 [num_envs, MAX_SEATS], and `length`, or `illegal_action`. Beside each key stands, with an
    underscore before it, which games have a value there. All arrays are new at each call. Game i of the seed S is the
    solo game of the seed S + i.

    A game that has ended has an action mask of zeros until it begins anew: with "NextStep" any action will do there,
    so draw actions from `infos["action_mask"]` only where it holds a 1.

    Raises ValueError for a bad argument.
    """

    metadata: dict[str, Any] = {
        "render_modes": [*RENDER_MODES],
        "render_fps": 2,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        game: str,
        num_envs: int,
        *,
        num_players: int | None = None,
        opponents: Opponents = "random",
        seat: int | str = "random",
        utility: str = utility_kinds.DEFAULT,
        illegal: str = "end",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        variants: Sequence[Mapping[str, Any]] | None = None,
        num_threads: int = 1,
        **options: Any,
    ) -> None:
        if illegal not in ("end", "raise"):
            raise ValueError(f"illegal must be 'end' or 'raise', not {illegal!r}")
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode must be None, 'ansi' or 'rgb_array', not {render_mode!r}")
        self.render_mode = render_mode
        self._view = render.View(render_mode)
        self._ends_if_illegal = illegal == "end"
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        lineup(opponents, OPPONENTS)  # nobody here plays an "agent" seat that is not the learner's
        games.load(game).spec.resolve(num_players, options)  # else an argument of Batch would pass for an option
        self._batch = Batch(game, num_envs, num_players=num_players, utility=utility, autoreset=False, begin=False,
                            opponents=opponents, seat=seat, variants=variants, num_threads=num_threads,
                            **options)  # fmt: skip
        self.num_envs = self._batch.num_envs
        self._most_players = self._batch.fewest_players
        self._running = np.zeros(self.num_envs, np.bool_)  # in which games the learner may act
        self._is_ready = False  # all games have begun, and no opponent has failed in the middle of a step
        self._declare_spaces()

    def _declare_spaces(self) -> None:
        layout, actions = self._batch.spec.layout, self._batch.spec.actions
        self.single_observation_space = spaces.Box(layout.low, layout.high, dtype=np.int16)
        self.single_action_space = spaces.Discrete(actions.size)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    # ------------------------------------------------------------------------------------------------ play

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Observations, Info]:
        """Begin games, each at its learner's first decision.

        seed       S: game i gets S + i. A sequence of a seed or None for each game. None: entropy the first time,
                   later the streams of random numbers go on
        options    "num_players": fewer seats for this one episode; "reset_mask": bool [num_envs], which games are
                   begun, `infos` holding these alone; others are ignored

        Raises ValueError for bad seeds, masks or numbers of players, TypeError for a seed that is no integer,
        ResetNeeded for a mask before all games have begun, RuntimeError if games end, time after time, before the
        learner is asked.
        """
        given = options or {}
        chosen = self._chosen(given.get("reset_mask"))
        wanted, fewest = given.get("num_players"), self._batch.spec.players[0]
        num_players = None if wanted is None else fewer_players(wanted, fewest, self._most_players)
        parts = self._seeded_parts(seed, chosen)
        super().reset(seed=None if np.ndim(seed) else parts[0][1])
        self._is_ready = False
        self._running[chosen] = False
        for part, numbers in parts:
            self._begin(part, numbers, num_players)
        self._running[chosen] = self._is_ready = True
        return self._observations(), self._info(chosen)

    def _chosen(self, mask: Any) -> Which:
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        fits = isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == (self.num_envs,)
        if not fits or not mask.any():
            raise ValueError(f"reset option 'reset_mask' must be a bool array [{self.num_envs}] with some True in it")
        if not self._is_ready and not mask.all():
            raise ResetNeeded("call reset() for all games before resetting some of them")
        chosen: Which = mask.copy()
        return chosen

    def _seeded_parts(self, seed: Any, chosen: Which) -> list[tuple[Which, Any]]:
        """The chosen games with their seeds, as a batch takes them: those with one apart from those without."""
        if seed is None or np.ndim(seed) == 0:
            return [(chosen, seed if seed is None else games.normalise_seed(seed))]
        numbers = [None if one is None else games.normalise_seed(one) for one in seed]
        if len(numbers) != self.num_envs:
            raise ValueError(f"{len(numbers)} seeds for {self.num_envs} games")
        has_one = np.array([number is not None for number in numbers])
        filler = next((number for number in numbers if number is not None), None)
        parts = [(chosen & has_one, [filler if number is None else number for number in numbers]),
                 (chosen & ~has_one, None)]  # fmt: skip
        return [part for part in parts if part[0].any()]

    def _begin(self, chosen: Which, seed: Any = None, num_players: int | None = None) -> None:
        """Begin games, and anew those that end before their learner is asked."""
        for _ in range(MAX_UNASKED):
            self._batch.reset(seed, num_players=num_players, chosen=chosen)
            chosen = chosen & (self._batch.seat == OVER)
            if not chosen.any():
                return
            seed = None
        raise RuntimeError(f"{self._batch.spec.id}: with these options games end before the learner is ever asked")

    def step(self, actions: ArrayLike) -> tuple[Observations, NDArray[Any], NDArray[Any], NDArray[Any], Info]:
        """Play the learners' actions, then in each game the opponents' moves until its learner is asked again.

        actions    integers [num_envs]; those of games that are begun anew in this step are ignored

        Raises ResetNeeded before `reset`, or without autoreset if a game is over; TypeError or ValueError for another
        type or shape; IllegalActionError if asked to. All games are unchanged then. What an agent among the opponents
        raises comes from the middle of the step: all games must be reset.
        """
        if not self._is_ready:
            raise ResetNeeded("call reset() before the first step, and after an opponent has failed")
        if self.autoreset_mode is AutoresetMode.DISABLED and not self._running.all():
            raise ResetNeeded(f"games {np.flatnonzero(~self._running).tolist()} are over: reset them")
        given, asked = self._batch._checked(actions), self._running
        wrong = asked & ~self._are_legal(given)
        if not self._ends_if_illegal and wrong.any():
            index = int(wrong.argmax())
            raise self._batch._game.illegal(self._batch._states, int(given[index]), index)
        self._is_ready, self._running = False, np.zeros_like(asked)  # until all has gone well
        if not asked.all():
            self._begin(~asked)
        self._batch.step(given, chosen=asked & ~wrong)
        returned = self._outcome(given, wrong)
        self._is_ready = True
        return returned

    def _are_legal(self, actions: NDArray[Any]) -> Which:
        exist = (actions >= 0) & (actions < self._batch.spec.actions.size)
        legal: Which = self._batch.action_mask[np.arange(self.num_envs), np.where(exist, actions, 0)] != 0
        return legal & exist

    def _outcome(self, actions: NDArray[Any], wrong: Which
                 ) -> tuple[Observations, NDArray[Any], NDArray[Any], NDArray[Any], Info]:  # fmt: skip
        """What `step` returns once all games have moved but those with wrong actions."""
        batch = self._batch
        ended, truncations = batch.finished.copy(), batch.truncated.copy()
        done = ended | wrong
        rewards = np.where(wrong, ILLEGAL_REWARD, 0.0)
        rewards[ended] = batch.final_utility[ended, batch.learner[ended]]
        terminations = done & ~truncations
        self._running = ~done
        begins_anew = self.autoreset_mode is AutoresetMode.SAME_STEP and bool(done.any())
        infos = self._info(done if begins_anew else np.ones_like(done))
        self._add_results(infos, ended)
        self._add_illegal(infos, actions, wrong)
        observations = self._observations()
        if begins_anew:
            finals = _row_by_row(observations, done)
            self._begin(done)
            self._running = np.ones_like(done)
            observations[done] = self._batch.observation[done]
            infos = {"final_obs": finals, "_final_obs": done.copy(), "final_info": infos, "_final_info": done.copy(),
                     **self._info(self._running)}  # fmt: skip
        return observations, rewards, terminations, truncations, infos

    # ------------------------------------------------------------------------------------- what is returned

    def _observations(self) -> Observations:
        seen: Observations = self._batch.observation.copy()
        over = self._batch.seat == OVER
        if over.any():
            self._batch.observe_learners(over, seen)
        return seen

    def _info(self, chosen: Which) -> Info:
        """What is to be known of chosen games at every step."""
        infos: Info = {}
        _add(infos, "action_mask", self._masks(), chosen)
        _add(infos, "seat", self._batch.learner.copy(), chosen)
        return infos

    def _add_results(self, infos: Info, ended: Which) -> None:
        if ended.any():
            _add(infos, "scores", self._batch.final_score.copy(), ended)
            _add(infos, "standing", self._batch.final_standing.copy(), ended)
            _add(infos, "length", self._batch.final_length.copy(), ended)

    def _add_illegal(self, infos: Info, actions: NDArray[Any], wrong: Which) -> None:
        """The strings of wrong actions, and of those that do not exist the numbers."""
        if not wrong.any():
            return
        asked = [self._asked(int(index), int(actions[index])) for index in np.flatnonzero(wrong)]
        are_numbers = not any(isinstance(one, str) for one in asked)  # Gymnasium makes an array of numbers of these
        named = np.zeros(self.num_envs, np.int64) if are_numbers else np.full(self.num_envs, None, np.object_)
        named[wrong] = asked
        infos["illegal_action"], infos["_illegal_action"] = named, wrong.copy()

    def _asked(self, index: int, action: int) -> str | int:
        strings = self._batch._game.strings(self._batch._states, index)
        return strings[action] if 0 <= action < len(strings) else action

    def action_masks(self) -> NDArray[np.bool_]:
        """The learners' legal actions, bool [num_envs, actions], as MaskablePPO asks for them; a new array.

        All false before the first `reset`, and in games that are over.
        """
        return self._masks().astype(np.bool_)

    def _masks(self) -> NDArray[np.int8]:
        masks: NDArray[np.int8] = self._batch.action_mask.copy()
        if not self._running.all():
            masks[~self._running] = 0
        return masks

    # ---------------------------------------------------------------------------------------------- render

    def render(self) -> tuple[Any, ...]:
        """The tables as the learners see them, one a game: text (ansi), uint8 [height, width, 3] (rgb_array).

        Raises ResetNeeded before the first `reset`, and after an opponent has failed.
        """
        if self.render_mode is not None and not self._is_ready:
            raise ResetNeeded("call reset() before render()")
        tables = zip(self._batch._states, self._batch.learner.tolist(), strict=True)
        return tuple(self._view.render(self._batch.spec, state, seat, "make_vec") for state, seat in tables)


def _row_by_row(observations: Observations, which: Which) -> NDArray[np.object_]:
    """Copies of some games' observations, one array each, as Gymnasium has them; None elsewhere."""
    rows = np.full(len(which), None, np.object_)
    for index, seen in zip(np.flatnonzero(which), observations[which], strict=True):
        rows[index] = seen
    return rows


def _add(infos: Info, key: str, values: NDArray[Any], which: Which) -> None:
    """Add values of some games, in Gymnasium's form. The array is handed over: it is set to zero in the others."""
    if not which.all():
        values[~which] = 0
    infos[key], infos[f"_{key}"] = values, which.copy()


def sync_vector_env(
    game: str, num_envs: int, autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP, **options: Any
) -> SyncVectorEnv:
    """The same games one by one, as Gymnasium makes a vector of them: what SoloVectorEnv equals, to compare it with."""
    return SyncVectorEnv([functools.partial(SoloEnv, game, **options)] * num_envs, autoreset_mode=autoreset_mode)
