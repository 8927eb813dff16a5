"""One learner's seat as a Gymnasium environment; the other seats are played by opponents."""

from __future__ import annotations

import operator
from typing import Any, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from pepperenvs.core import utility as utility_kinds
from pepperenvs.core.state import OVER
from pepperenvs.drivers import game as games
from pepperenvs.drivers import render
from pepperenvs.drivers._kernels import MAX_UNASKED
from pepperenvs.drivers.batch import Batch
from pepperenvs.drivers.opponents import Opponents, lineup
from pepperenvs.drivers.variants import fewer_players

ILLEGAL_REWARD = -1.0
OPPONENTS = ("random", "bot")

Observation = NDArray[np.int16]
Info = dict[str, Any]


class SoloEnv(gymnasium.Env[Observation, np.int64]):
    """One game seen from one seat: a batch of one with opponents.

    game           its id, "heat_guess_v0"
    num_players    seats; None: the game's default
    opponents      who plays the other seats: "random", "bot", an agent with `act(observation [1, cells], action_mask
                   [1, actions])`, or a mapping of weights over these, drawn for each seat when a game begins
    seat           the learner's, or "random": drawn when a game begins
    utility        "rank", "win" or "score": the reward at the game's end; before, rewards are 0
    illegal        what an illegal action does: "end" the episode with the reward -1, or "raise" IllegalActionError and
                   leave the game as it is
    render_mode    None, "ansi", "rgb_array" or "human": the table as the learner sees it
    options        the game's options

    Observations are int16 [cells], new arrays at each call; the legal actions stand in `info["action_mask"]`, int8
    [actions], and `action_masks()`. The rules' end is `terminated`, a limit `truncated`; the last observation is the
    learner's view of the final table, and its mask is zero. `info` also holds `seat`, the learner's, and after the
    game's end `scores` and `standing`, int64 [MAX_SEATS], absent seats 0, and `length`, the moves of all seats.

    Raises ValueError for a bad argument.
    """

    metadata = {"render_modes": [*render.MODES], "render_fps": 2}

    def __init__(
        self,
        game: str,
        *,
        num_players: int | None = None,
        opponents: Opponents = "random",
        seat: int | str = "random",
        utility: str = utility_kinds.DEFAULT,
        illegal: str = "end",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if illegal not in ("end", "raise"):
            raise ValueError(f"illegal must be 'end' or 'raise', not {illegal!r}")
        self.render_mode = render_mode
        self._view = render.View(render_mode)
        self._ends_if_illegal = illegal == "end"
        lineup(opponents, OPPONENTS)  # nobody here plays an "agent" seat that is not the learner's
        games.load(game).spec.resolve(num_players, options)  # else an argument of Batch would pass for an option
        self._batch = Batch(game, 1, num_players=num_players, utility=utility, autoreset=False, opponents=opponents,
                            seat=seat, begin=False, **options)  # fmt: skip
        self._most_players = self._batch.num_players
        self._action = np.zeros(1, np.int64)
        self._is_running = self._has_begun = False
        layout = self._batch.spec.layout
        self.observation_space = spaces.Box(layout.low, layout.high, dtype=np.int16)
        self.action_space = spaces.Discrete(self._batch.spec.actions.size)

    # ------------------------------------------------------------------------------------------------ play

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Begin a game, at the learner's first decision.

        seed       None: entropy the first time, later the streams of random numbers go on
        options    "num_players": fewer seats for this one episode; others are ignored

        Raises ValueError for a negative seed or a number of players that cannot be, RuntimeError if games end, time
        after time, before the learner is asked.
        """
        number = None if seed is None else games.normalise_seed(seed)
        fewest, wanted = self._batch.spec.players[0], (options or {}).get("num_players")
        num_players = fewer_players(wanted, fewest, self._most_players)
        super().reset(seed=number)
        self._is_running = False
        self._begin(number, num_players)
        self._is_running = self._has_begun = True
        if self.render_mode == "human":
            self.render()
        return self._observation(), self._info()

    def _begin(self, seed: int | None, num_players: int) -> None:
        for _ in range(MAX_UNASKED):
            self._batch.reset(seed, num_players=num_players)
            if self._batch.seat[0] != OVER:
                return
            seed = None
        raise RuntimeError(f"{self._batch.spec.id}: with these options games end before the learner is ever asked")

    def step(self, action: SupportsIndex) -> tuple[Observation, float, bool, bool, Info]:
        """Play the learner's action, then the opponents' moves until the learner is asked again or the game is over.

        Raises ResetNeeded before `reset` and after the end, TypeError for an action that is no integer,
        IllegalActionError for an illegal one if asked to (the game is unchanged), or for an agent's illegal one.
        """
        if not self._is_running:
            raise ResetNeeded("call reset() before the first step and after the end of an episode")
        number = operator.index(action)
        if not self._is_legal(number):
            return self._end_illegally(number)
        self._is_running = False  # until all has gone well: an agent may raise, or choose an illegal action
        self._play(number)
        is_over = bool(self._batch.seat[0] == OVER)
        truncated = bool(self._batch.truncated[0])
        self._is_running = not is_over
        reward = float(self._batch.final_utility[0, self._learner]) if is_over else 0.0
        if self.render_mode == "human":
            self.render()
        return self._observation(), reward, is_over and not truncated, truncated, self._info()

    def _is_legal(self, action: int) -> bool:
        return 0 <= action < self._batch.spec.actions.size and bool(self._batch.action_mask[0, action])

    def _end_illegally(self, action: int) -> tuple[Observation, float, bool, bool, Info]:
        if not self._ends_if_illegal:
            raise self._batch._game.illegal(self._batch._states, action)
        self._is_running = False
        strings = self._batch._game.strings(self._batch._states)
        asked = strings[action] if 0 <= action < len(strings) else action
        return self._observation(), ILLEGAL_REWARD, True, False, {**self._info(), "illegal_action": asked}

    def _play(self, action: int) -> None:
        self._action[0] = action
        self._batch.step(self._action)

    # ------------------------------------------------------------------------------------- what is returned

    @property
    def _learner(self) -> int:
        return int(self._batch.learner[0])

    def _observation(self) -> Observation:
        if self._batch.seat[0] == OVER:
            return self._batch.observe(0, self._learner)
        seen: Observation = self._batch.observation[0].copy()
        return seen

    def _info(self) -> Info:
        batch = self._batch
        info: Info = {"action_mask": self._mask(), "seat": self._learner}
        if batch.seat[0] == OVER:
            info["scores"], info["standing"] = batch.final_score[0].copy(), batch.final_standing[0].copy()
            info["length"] = int(batch.final_length[0])
        return info

    def action_masks(self) -> NDArray[np.bool_]:
        """The learner's legal actions, bool [actions], as MaskablePPO asks for them; a new array.

        All false before the first `reset` and after the end.
        """
        return self._mask().astype(np.bool_)

    def _mask(self) -> NDArray[np.int8]:
        mask: NDArray[np.int8] = self._batch.action_mask[0]
        return mask.copy() if self._is_running else np.zeros_like(mask)

    # ---------------------------------------------------------------------------------------------- render

    def render(self) -> Any:  # Gymnasium's type names its own frames, and a list of them
        """The table as the learner sees it: text (ansi), uint8 [height, width, 3] (rgb_array), a window (human).

        Raises ResetNeeded before the first `reset`.
        """
        if self.render_mode is not None and not self._has_begun:
            raise ResetNeeded("call reset() before render()")
        return self._view.render(self._batch.spec, self._batch._states[0], self._learner, "make_solo")

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows for an environment: the table as the learner sees it."""
        if not self._has_begun:
            return None
        return str(self._batch.spec.part("draw").svg(self._batch._states[0], self._learner))

    def close(self) -> None:
        """Close the window, if there is one. May be called again."""
        self._view.close()
