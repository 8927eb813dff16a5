"""Stable-Baselines3: many solo games as one of its vectors, with the masks that sb3-contrib's MaskablePPO asks for."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env.base_vec_env import VecEnv

from pepperenvs.core import utility as utility_kinds
from pepperenvs.drivers import game as games
from pepperenvs.drivers import render
from pepperenvs.drivers.batch import Batch
from pepperenvs.drivers.opponents import Opponents, lineup
from pepperenvs.drivers.solo import ILLEGAL_REWARD, OPPONENTS

RENDER_MODES = (None, "rgb_array")

Indices = int | Iterable[int] | None
Info = dict[str, Any]
Stepped = tuple[NDArray[np.int16], NDArray[np.float32], NDArray[np.bool_], list[Info]]


class SB3VecEnv(VecEnv):
    """`num_envs` games, each seen from one learner's seat; no Python for each game.

    game           its id, "pick_a_pepper_v0"
    num_players    seats of every game; None: the game's default
    opponents      who plays the other seats, as in make_solo; an agent is asked for all games at once
    seat           the learner's, or "random": drawn for each game when it begins
    utility        "rank", "win" or "score": the reward at a game's end; before, rewards are 0
    illegal        what an illegal action does: "end" that game with the reward -1, or "raise" IllegalActionError and
                   leave all games as they are
    render_mode    None or "rgb_array": the tables as the learners see them
    num_threads    threads that play, from 1; more than one pays from about a thousand games
    options        the game's options

    They are the games that SB3's DummyVecEnv over `make_solo` plays, with the same observations, rewards and ends:

        from sb3_contrib import MaskablePPO
        from pepperenvs.adapters.sb3 import SB3VecEnv

        MaskablePPO("MlpPolicy", SB3VecEnv("pick_a_pepper_v0", 256, opponents="bot")).learn(1_000_000)

    A game that has ended begins anew in the same step. Its info then holds `terminal_observation`,
    `TimeLimit.truncated`, `episode` as SB3's Monitor writes it ("r", the reward, "l", the learner's decisions, "t",
    seconds since the start), `seat`, `scores`, `standing` and `length`. The infos of other games are empty, and the
    same ones at every step: write nothing there. Masks come from `action_masks()`, for which sb3-contrib's training and
    evaluation ask by themselves.

    `seed(S)` gives game i the seed S + i at the next `reset`. Raises ValueError for a bad argument.
    """

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
        render_mode: str | None = None,
        num_threads: int = 1,
        **options: Any,
    ) -> None:
        if illegal not in ("end", "raise"):
            raise ValueError(f"illegal must be 'end' or 'raise', not {illegal!r}")
        if render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode must be None or 'rgb_array', not {render_mode!r}")
        lineup(opponents, OPPONENTS)  # nobody here plays an "agent" seat that is not the learner's
        games.load(game).spec.resolve(num_players, options)  # else an argument of Batch would pass for an option
        self._batch = Batch(game, num_envs, num_players=num_players, utility=utility, opponents=opponents, seat=seat,
                            begin=False, num_threads=num_threads, **options)  # fmt: skip
        self._mode, self._view = render_mode, render.View(render_mode)
        self._ends_if_illegal = illegal == "end"
        self._rows = np.arange(self._batch.num_envs)
        self._nothing: list[Info] = [{} for _ in self._rows]  # made at each step they would take longer than the games
        self._actions: NDArray[Any] = np.zeros(self._batch.num_envs, np.int64)
        self._decisions, self._begun = np.zeros(self._batch.num_envs, np.int64), time.perf_counter()
        layout, actions = self._batch.spec.layout, self._batch.spec.actions
        observed = spaces.Box(layout.low, layout.high, dtype=np.int16)
        super().__init__(self._batch.num_envs, observed, spaces.Discrete(actions.size))

    # ------------------------------------------------------------------------------------------------ play

    def reset(self) -> NDArray[np.int16]:
        """Begin all games; observations int16 [num_envs, cells], a new array.

        Of options to reset with ("num_players", as in make_solo) all games must have the same: ValueError.
        """
        options = self._options[0]
        if any(one != options for one in self._options):
            raise ValueError("all games are reset with the same options")
        self._batch.reset(self._seeds_wanted(), num_players=options.get("num_players"))
        self._reset_seeds()
        self._reset_options()
        self._decisions.fill(0)
        self._seats = self._batch.learner.copy()
        self.reset_infos = [{"seat": seat} for seat in self._seats.tolist()]
        return self._batch.observation.copy()

    def _seeds_wanted(self) -> Any:
        if all(seed is None for seed in self._seeds):
            return None
        return [games.fresh_seed() if seed is None else seed for seed in self._seeds]

    def step_async(self, actions: NDArray[Any]) -> None:
        """Keep the learners' actions, integers [num_envs]."""
        self._actions = actions

    def step_wait(self) -> Stepped:
        """Play them: observations int16 [num_envs, cells], rewards float32, dones bool, all new, an info for each game.

        Raises IllegalActionError if asked to, TypeError or ValueError for actions of another type or shape.
        """
        batch = self._batch
        wrong = self._wrong(self._actions) if self._ends_if_illegal else None
        batch.step(self._actions, chosen=None if wrong is None else ~wrong)
        self._decisions += 1
        dones, truncated = batch.finished.copy(), batch.truncated.copy()
        rewards = np.zeros(self.num_envs, np.float32)
        if dones.any():
            rewards[dones] = batch.final_utility[self._rows, self._seats][dones]
        infos = self._nothing.copy()
        for index in np.flatnonzero(dones).tolist():
            infos[index] = self._ended(index, float(rewards[index]), bool(truncated[index]))
        if wrong is not None:
            self._end(wrong, rewards, infos)
            dones |= wrong
        if dones.any():
            self._decisions[dones] = 0
            self._seats = batch.learner.copy()
        return batch.observation.copy(), rewards, dones, infos

    def _wrong(self, actions: NDArray[Any]) -> NDArray[np.bool_] | None:
        """Which actions are illegal; None if none is."""
        given = self._batch._checked(actions)
        exist = (given >= 0) & (given < self._batch.spec.actions.size)
        legal = self._batch.action_mask[self._rows, np.where(exist, given, 0)] != 0
        wrong: NDArray[np.bool_] = ~(legal & exist)
        return wrong if wrong.any() else None

    def _ended(self, index: int, reward: float, is_truncated: bool) -> Info:
        """The info of a game that the rules or a limit ended."""
        batch = self._batch
        return {
            **self._ending(index, reward, batch.final_observation[index].copy()),
            "TimeLimit.truncated": is_truncated,
            "scores": batch.final_score[index].copy(),
            "standing": batch.final_standing[index].copy(),
            "length": int(batch.final_length[index]),
        }

    def _ending(self, index: int, reward: float, seen: NDArray[np.int16]) -> Info:
        seconds = round(time.perf_counter() - self._begun, 6)
        episode = {"r": reward, "l": int(self._decisions[index]), "t": seconds}
        return {"terminal_observation": seen, "episode": episode, "seat": int(self._seats[index])}

    def _end(self, wrong: NDArray[np.bool_], rewards: NDArray[np.float32], infos: list[Info]) -> None:
        """End games over their illegal actions, and begin them anew."""
        batch = self._batch
        seen = batch.observe_learners(wrong)
        for index in np.flatnonzero(wrong).tolist():
            asked = int(self._actions[index])
            strings = batch._game.strings(batch._states, index)
            named = strings[asked] if 0 <= asked < len(strings) else asked
            infos[index] = {**self._ending(index, ILLEGAL_REWARD, seen[index].copy()), "TimeLimit.truncated": False,
                            "illegal_action": named}  # fmt: skip
        rewards[wrong] = ILLEGAL_REWARD
        batch.reset(chosen=wrong)

    def action_masks(self) -> NDArray[np.bool_]:
        """The learners' legal actions, bool [num_envs, actions], a new array."""
        return self._batch.action_mask.astype(np.bool_)

    def close(self) -> None:
        """Nothing is held."""

    # ------------------------------------------------------------------------- what SB3 asks of each game

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """An attribute that all games share, as often as there are games. Raises AttributeError."""
        shared = {"render_mode": self._mode, "spec": None, "action_masks": self.action_masks}
        if attr_name not in shared:
            raise AttributeError(f"games of one vector have no attribute {attr_name!r} of their own")
        return [shared[attr_name]] * len(self._which(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Raises AttributeError: the games share what they are made of."""
        raise AttributeError("games of one vector share their attributes: make a vector with other arguments")

    def env_method(self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any) -> Any:
        """`action_masks` of the games, bool [games, actions], a view. Raises AttributeError for another method."""
        if method_name != "action_masks":
            raise AttributeError(f"games of one vector have no method {method_name!r} of their own")
        masks = self._batch.action_mask.view(np.bool_)
        return (masks if indices is None else masks[self._which(indices)]).view(_Stacked)

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> list[bool]:
        """No game is wrapped; but episodes are told of as SB3's Monitor does it, so for that one it is so."""
        return [wrapper_class.__name__ == "Monitor"] * len(self._which(indices))

    def get_images(self) -> Sequence[Any]:
        """The tables as the learners see them, uint8 [height, width, 3] each, with the render mode "rgb_array"."""
        tables = zip(self._batch._states, self._batch.learner.tolist(), strict=True)
        return [self._view.render(self._batch.spec, state, seat, "SB3VecEnv") for state, seat in tables]

    def _which(self, indices: Indices) -> list[int]:
        return list(self._get_indices(indices))


class _Stacked(np.ndarray[Any, np.dtype[Any]]):
    """Rows that sb3-contrib asks to be stacked, and which are so already: row by row it takes longer than the games."""

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func is np.stack and len(args) == 1 and isinstance(args[0], _Stacked) and not kwargs:
            return np.array(args[0], subok=False)
        return super().__array_function__(func, types, args, kwargs)
