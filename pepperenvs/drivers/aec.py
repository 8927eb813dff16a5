"""PettingZoo environments, one agent after another: `RawEnv` refuses illegal actions, `Env` ends the game over them.

Agents are player_0 … player_{n-1}, by seat. Rewards are utilities and exist only at the end. Nothing is kept up to date
in a step but what has changed: the agent to move, its mask, and the info of the two agents concerned.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from pepperenvs.core import utility as utilities
from pepperenvs.core.state import OVER, SaveError
from pepperenvs.drivers import game as drivers
from pepperenvs.drivers import ids, render
from pepperenvs.drivers._kernels import RESTART
from pepperenvs.drivers.game import IllegalActionError
from pepperenvs.drivers.search import Simulator, simulator

Observation = dict[str, Any]  # {"observation": int16 [cells], "action_mask": int8 [actions]}

GO_ON = -1  # in place of a seed: the state's generator goes on
ILLEGAL_REWARD = -1.0  # of the agent whose illegal action ends an `Env`

# What a copy or a pickle leaves out: entry points, what is bound to buffers, and the window.
_VIEWS = frozenset({"_states", "_ids", "_counts", "_masks", "_observations"})  # of `_cells`
_NOT_SAVED = _VIEWS | {"_game", "_turn", "_copy_mask", "_copy_observation"}


class RawEnv(AECEnv):  # type: ignore[misc]  # PettingZoo declares no types
    """A game for PettingZoo. What the rules do not allow raises IllegalActionError and changes nothing.

    game           its id, as in "heat_guess_v0"
    num_players    fixes `possible_agents`; the game's own number if None
    utility        "rank", "win" or "score": what rewards are at the end
    render_mode    None, "ansi", "rgb_array" or "human"
    options        the game's options

    Raises ValueError that names the game, option, utility or mode and what is allowed.
    """

    metadata: dict[str, Any] = {"render_modes": [*render.MODES], "is_parallelizable": False, "render_fps": 2}

    # These there are from the first reset on. Descriptors with a clearer error before it would cost 10% of the speed.
    agents: list[str]
    agent_selection: str
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, dict[str, Any]]

    def __init__(
        self,
        game: str,
        num_players: int | None = None,
        utility: str = utilities.DEFAULT,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        loaded = drivers.load(game)
        spec = loaded.spec
        self.metadata = {"name": spec.id, **type(self).metadata}
        self.render_mode = render_mode
        self._view = render.View(render_mode)
        self._is_shown = render_mode == "human"
        self._utility = utilities.kind_number(utility)
        self._given = options
        self._made_with = self._playing = spec.resolve(num_players, options)
        self._names = [f"player_{seat}" for seat in range(spec.max_seats)]
        self.possible_agents = self._names[: self.num_players]
        self._action_spaces: dict[str, Discrete[np.int64]] = {}
        self._observation_spaces: dict[str, Dict] = {}
        self._cells = loaded.cells()
        self._blank = loaded.blank(self._playing)
        self._cells["state"] = self._blank
        self._num_actions = spec.actions.size
        self._nothing = np.zeros(self._num_actions, np.int8)  # the mask of whoever is not to move
        self._mover = ""  # the agent to move, "" before the first reset and after the end
        self._bind()

    def _bind(self) -> None:
        """Take hold of what cannot be copied or pickled."""
        self._game = drivers.load(self.metadata["name"])
        self._turn = self._game.turn_in
        cells = self._cells
        self._states, self._ids, self._counts = cells["state"], cells["ids"], cells["count"]
        self._masks, self._observations = cells["mask"], cells["observation"]
        self._copy_mask, self._copy_observation = self._masks[0].copy, self._observations[0].copy

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in _NOT_SAVED}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self._bind()

    # ------------------------------------------------------------------------------------------ beginning

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game.

        seed       not negative; without one the first game takes entropy, later ones go on with the same stream
        options    {"num_players": k} lowers the number of players for this game; everything else is ignored

        Raises ValueError for a negative seed or another number of players, TypeError for a seed that is no integer.
        """
        values = self._values_for((options or {}).get("num_players"))
        number = self._number(seed)
        if values is not self._playing:
            self._playing, self._blank = values, self._game.blank(values)
        self._game.prepare(self._states, 0, self._blank, 0, number)
        self._begin(self._turn(self._cells, RESTART))

    def _values_for(self, num_players: Any) -> dict[str, Any]:
        """The resolved options of a game for so many players, None for as many as the environment was made for."""
        fewest, most = self._game.spec.players[0], self._made_with["num_players"]
        if num_players is None:
            return self._made_with
        is_whole = isinstance(num_players, (int, np.integer)) and not isinstance(num_players, bool)
        if not is_whole or not fewest <= num_players <= most:
            raise ValueError(
                f"{self.metadata['name']}: reset option 'num_players' must be a whole number in {fewest} … {most} "
                f"(the environment was made for {most}), not {num_players!r}"
            )
        return self._game.spec.resolve(num_players, self._given)

    def _number(self, seed: int | None) -> int:
        if seed is not None:
            return drivers.normalise_seed(seed)
        return GO_ON if self._is_reset else drivers.fresh_seed()

    @property
    def _views(self) -> tuple[NDArray[Any], ...]:
        return self._ids, self._counts, self._masks, self._observations

    @property
    def _is_reset(self) -> bool:
        return "agents" in vars(self)

    def _require_reset(self, name: str) -> None:
        if not self._is_reset:
            raise AssertionError(f"reset() needs to be called before {name}.")

    def _begin(self, seat: int) -> None:
        """All agents of the game in progress, with `seat` to move, or OVER."""
        most = max(self.num_players, self._made_with["num_players"])
        if len(self.possible_agents) != most:  # a state of more players was set, or is left
            self.possible_agents = self._names[:most]
        self.agents = agents = self._names[: self.num_players]
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self._nothing = np.zeros_like(self._nothing)
        self.infos = {agent: {"action_mask": self._nothing} for agent in agents}
        self._skip_agent_selection: str | None = None
        self._has_updated = True
        if seat == OVER:
            self._finish()
        else:
            self.agent_selection = self._mover = agent = agents[seat]
            self._mask = self._copy_mask()
            self.infos[agent] = {"action_mask": self._mask}
        if self._is_shown:
            self.render()

    # -------------------------------------------------------------------------------------------- playing

    def step(self, action: Any) -> None:
        """Play an action for `agent_selection`; None takes a dead agent out of the game.

        Raises IllegalActionError, with everything left as it was, for an action that is not legal, for None of a live
        agent, for another action of a dead one, and after the end.
        """
        if action.__class__ is not int:
            if action.__class__ is not np.int64:
                return self._step_otherwise(action)
            action = int(action)
        agent = self._mover
        try:
            # Other people's wrappers write to these dicts: they decide who is alive.
            is_usual = self.agent_selection == agent and not (self.terminations[agent] or self.truncations[agent])
        except (AttributeError, KeyError):  # before the first reset, after the last agent
            is_usual = False
        if not is_usual or not 0 <= action < self._num_actions:
            return self._step_otherwise(action)
        seat = self._turn(self._cells, action)
        if seat >= 0:
            infos = self.infos
            infos[agent] = {"action_mask": self._nothing}
            self.agent_selection = self._mover = agent = self._names[seat]
            self._mask = mask = self._copy_mask()
            infos[agent] = {"action_mask": mask}
        elif seat == OVER:
            self._finish()
        else:
            return self._step_otherwise(action)
        self._has_updated = True  # for `Env.agent_iter`
        if self._is_shown:
            self.render()

    def _step_otherwise(self, action: Any) -> None:
        """A step that is not a legal int of a live agent: refuse it, take out a dead agent, or convert the action."""
        self._require_reset("step")
        agent = self.agent_selection
        if not self._is_live(agent):
            if action is not None or agent not in self.agents:
                raise self._refusal(agent, action)
            self._was_dead_step(None)
            return
        try:
            number = operator.index(action)
        except TypeError:
            raise self._refusal(agent, action) from None
        if agent != self._mover or not 0 <= number < self._num_actions or not self._masks[0][number]:
            raise self._refusal(agent, number)
        self.step(int(number))

    def _is_live(self, agent: str) -> bool:
        return not (self.terminations.get(agent, True) or self.truncations.get(agent, True))

    def _refusal(self, agent: str, action: Any) -> IllegalActionError:
        if agent == self._mover and self._is_live(agent):
            return self._game.illegal(self._states, action)
        return IllegalActionError(self.metadata["name"], self._names.index(agent), self._words(action), ())

    def _words(self, action: Any) -> str:
        """An action as its canonical string, or as it is if it is none."""
        known = isinstance(action, (int, np.integer)) and 0 <= action < self._num_actions
        return self.action_string(int(action)) if known else str(action)

    def _finish(self) -> None:
        """The game is over: every agent is, and now has a reward."""
        game, states = self._game, self._states
        self._mover = ""
        is_truncated = bool(states["truncated"][0])
        paid = np.zeros(game.spec.max_seats)
        game.utilities(states, 0, self._utility, paid)
        for agent, reward in zip(self._names[: self.num_players], paid.tolist(), strict=False):
            if agent in self.rewards:
                self.rewards[agent] = reward
                self._cumulative_rewards[agent] += reward
                self.terminations[agent] = not is_truncated
                self.truncations[agent] = is_truncated
                self.infos[agent] = {"action_mask": self._nothing}
        self.agent_selection = self.agents[0]

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last step, terminated, truncated and info of `agent_selection`."""
        agent = self.agent_selection
        observation: Observation | None = None
        if observe:
            if agent == self._mover:
                observation = {"observation": self._copy_observation(), "action_mask": self._mask}
            else:
                observation = self.observe(agent)
        return (
            observation,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> Observation:
        """What an agent of this game sees: fresh int16 [cells], and its mask, int8 [actions], as in its info."""
        self._require_reset("observe")
        if agent == self._mover:
            return {"observation": self._copy_observation(), "action_mask": self._mask}
        out = np.empty_like(self._observations[0])
        self._game.observe(self._states, 0, self._seat(agent), out)
        return {"observation": out, "action_mask": self._nothing}

    def state(self) -> NDArray[np.int16]:
        """Every seat's observation, int16 [MAX_SEATS, cells]; absent seats are zero."""
        self._require_reset("state")
        out = np.zeros((len(self._names), self._observations.shape[1]), np.int16)
        for seat in range(self.num_players):
            self._game.observe(self._states, 0, seat, out[seat])
        return out

    def simulator(self, seed: int) -> Simulator:
        """The game for a search by the agent to move, which cannot reach the true state; see drivers.search.

        Raises ValueError after the end and for a negative seed.
        """
        self._require_reset("simulator")
        return simulator(self._game, self._states, 0, seed)

    # --------------------------------------------------------------------------------- agents and spaces

    @property
    def num_players(self) -> int:
        """Players of the game in progress."""
        return int(self._playing["num_players"])

    @property
    def options(self) -> dict[str, Any]:
        """All options of the game in progress with their values, "num_players" first."""
        return dict(self._playing)

    def _seat(self, agent: str) -> int:
        agents = self._names[: self.num_players]
        if agent not in agents:
            raise KeyError(f"no agent {agent!r} in this game; there are {', '.join(agents)}")
        return agents.index(agent)

    def action_space(self, agent: str) -> Discrete[np.int64]:
        """The same object at every call."""
        if agent not in self._action_spaces:
            self._require_possible(agent)
            self._action_spaces[agent] = Discrete(self._num_actions)
        return self._action_spaces[agent]

    def observation_space(self, agent: str) -> Dict:
        """The same object at every call: {"observation": int16 [cells], "action_mask": int8 [actions]}."""
        if agent not in self._observation_spaces:
            self._require_possible(agent)
            layout = self._game.spec.layout
            cells = Box(layout.low, layout.high, dtype=np.int16)
            mask = Box(0, 1, (self._num_actions,), np.int8)
            self._observation_spaces[agent] = Dict({"observation": cells, "action_mask": mask})
        return self._observation_spaces[agent]

    def _require_possible(self, agent: str) -> None:
        if agent not in self.possible_agents:
            raise KeyError(f"no agent {agent!r}; there are {', '.join(self.possible_agents)}")

    # ------------------------------------------------------------------------------------- save and load

    def get_state(self) -> bytes:
        """The position with its options, player count and generator."""
        self._require_reset("get_state")
        return self._game.save(self._states)

    def set_state(self, data: bytes) -> None:
        """Go on from a position that `get_state` gave, in this or another environment of the same game.

        It brings its player count and options along, for this game: the next reset is what the environment was made
        for. Rewards come with a game that is over. Raises SaveError, with everything left as it was.
        """
        states = self._game.load(data)
        if len(states) != 1:
            raise SaveError(f"saved state: it holds {len(states)} games, an environment plays one")
        values = self._game.values(states)
        np.copyto(self._states, states)
        self._playing = values
        self._begin(self._game.show(self._states, 0, *self._views))

    # -------------------------------------------------------------------------------------- for people

    def action_string(self, action: int) -> str:
        """The canonical string of an action of the agent to move. Raises ValueError for an index that is none."""
        return self._game.spec.actions.string(action, *self._writer)

    def parse_action(self, string: str) -> int:
        """The index of a canonical action string. Raises ValueError for another text."""
        return self._game.spec.actions.parse(string, *self._writer)

    @property
    def _writer(self) -> tuple[int, int]:
        """The seat to move, 0 if there is none, and the number of players: some actions' strings name other seats."""
        return self._names.index(self._mover) if self._mover else 0, self.num_players

    def legal_actions(self) -> list[str]:
        """The legal actions of the agent to move as strings, in the order of their indices; none after the end."""
        self._require_reset("legal_actions")
        return self._game.legal_strings(self._states) if self._is_live(self.agent_selection) else []

    def describe(self, agent: str | None = None) -> str:
        """An agent's observation in words, a line a segment; that of `agent_selection` if None."""
        observation = self.observe(self.agent_selection if agent is None else agent)["observation"]
        return self._game.spec.layout.describe(observation)

    def render(self) -> str | NDArray[np.uint8] | None:
        """The table as `agent_selection` sees it: text, a picture uint8 [height, width, 3], or None and a window."""
        self._require_reset("render")
        seat = self._names.index(self.agent_selection)
        return self._view.render(self._game.spec, self._states[0], seat, "make_aec")

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows for an environment: the table as `agent_selection` sees it."""
        if not self._is_reset:
            return None
        return str(self._game.spec.part("draw").svg(self._states[0], self._names.index(self.agent_selection)))

    def close(self) -> None:
        """Close the window, if there is one."""
        self._view.close()


class Env(RawEnv):
    """A game for PettingZoo that behaves as its wrappers around RawEnv would, at its own speed.

    They are OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(raw, illegal_reward=-1))): an action
    that is not in the action space is an AssertionError, an illegal one ends the game with a reward of -1 for its agent
    and 0 for the others, and nothing goes before the first reset.
    """

    # As the wrappers call them.
    _has_reset = False
    _has_updated = False
    _terminated = False

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        self._has_reset = self._has_updated = True
        self._terminated = False
        super().reset(seed, options)

    def set_state(self, data: bytes) -> None:
        super().set_state(data)
        self._has_reset = True
        self._terminated = False

    def _step_otherwise(self, action: Any) -> None:
        """A step that is not a legal int of a live agent, in the order in which the wrappers look at it."""
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        self._has_updated = True
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        is_dead = self.terminations[agent] or self.truncations[agent]
        if not (action is None and is_dead) and not self.action_space(agent).contains(action):
            raise AssertionError("action is not in action space")
        if self._terminated and is_dead:
            self._was_dead_step(action)
        elif not is_dead and not (self._masks[0] if agent == self._mover else self._nothing)[action]:
            self._end_over(agent)
        else:
            super()._step_otherwise(action)

    def _end_over(self, agent: str) -> None:
        """An illegal action of an agent ends the game for all."""
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[agent] = 0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.truncations, 0)
        self.rewards[agent] = ILLEGAL_REWARD
        self._accumulate_rewards()
        self._deads_step_first()
        self._terminated = True

    def agent_iter(self, max_iter: int = 2**63) -> Iterable[str]:
        """The agents in the order in which they are to step; a step or reset must lie between two of them."""
        if not self._has_reset:
            EnvLogger.error_agent_iter_before_reset()
        return _InOrder(self, max_iter)


class _InOrder:
    """What `Env.agent_iter` returns."""

    def __init__(self, env: Env, max_iter: int) -> None:
        self._env, self._max_iter = env, max_iter

    def __iter__(self) -> Iterator[str]:
        env = self._env
        for _ in range(self._max_iter):
            if not env.agents:
                return
            if not env._has_updated:
                raise AssertionError("need to call step() or reset() in a loop over `agent_iter`")
            env._has_updated = False
            yield env.agent_selection


ids.register_with_pettingzoo()
