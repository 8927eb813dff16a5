"""A PettingZoo ParallelEnv for games whose seats choose at the same time: a step is a turn, all agents at once.

The game is the same as in the AEC environment, which asks the seats one after another and shows nobody's choice before
all have chosen: the same seed and the same actions give the same game.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from pepperenvs import registry
from pepperenvs.core import utility as utilities
from pepperenvs.core.state import OVER
from pepperenvs.drivers import game as drivers
from pepperenvs.drivers import ids, render
from pepperenvs.drivers.aec import ILLEGAL_REWARD, Observation, RawEnv
from pepperenvs.drivers.game import IllegalActionError

Infos = dict[str, dict[str, Any]]


class TurnEnv(ParallelEnv):  # type: ignore[misc]  # PettingZoo declares no types
    """A game for PettingZoo in which all agents act at once.

    game           its id, as in "potion_contest_v0"; its spec must declare `simultaneous`
    num_players    fixes `possible_agents`; the game's own number if None
    utility        "rank", "win" or "score": what rewards are at the end; before, they are 0
    illegal        what an illegal action does: "end" the game for all, with a reward of -1 for the agents that are at
                   fault and 0 for the others, or "raise" IllegalActionError and leave everything as it was
    render_mode    None, "ansi", "rgb_array" or "human": the table as the first agent sees it
    options        the game's options

    Observations are dicts, {"observation": int16 [cells], "action_mask": int8 [actions]}, of the table before anybody
    has chosen. An agent that is not asked in a turn may only do what `simultaneous.idle` is, and nothing comes of it.

    Raises ValueError for a game without simultaneous turns, and as RawEnv does.
    """

    metadata: dict[str, Any] = {"render_modes": [*render.MODES], "render_fps": 2}

    agents: list[str]

    def __init__(
        self,
        game: str,
        num_players: int | None = None,
        utility: str = utilities.DEFAULT,
        illegal: str = "end",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        declared = registry.spec(game).simultaneous
        if declared is None:
            raise ValueError(f"{game}: its seats act one after another and see what was done, so there is only the AEC")
        if illegal not in ("end", "raise"):
            raise ValueError(f"illegal must be 'end' or 'raise', not {illegal!r}")
        self._declared = declared
        self._ends_if_illegal = illegal == "end"
        self._aec = RawEnv(game, num_players, utility, render_mode, **options)
        self._game = drivers.load(game)
        self._ahead = self._game.cells()  # where the seats of a turn are asked beforehand
        self.metadata = {"name": self._aec.metadata["name"], **type(self).metadata}
        self.render_mode = render_mode
        self.possible_agents = list(self._aec.possible_agents)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_game"}  # entry points stay

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self._game = drivers.load(self.metadata["name"])

    # ------------------------------------------------------------------------------------------- playing

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], Infos]:
        """Begin a game; seed and options as for RawEnv."""
        self._aec.reset(seed, options)
        self.agents = list(self._aec.agents)
        return self._begin_turn()

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Play a turn: an action of every live agent.

        Raises ValueError if an agent is missing or is none of the game, and, if made so, IllegalActionError; then
        nothing has changed.
        """
        self._require_reset()
        if set(actions) != set(self.agents):
            raise ValueError(f"a turn needs an action of each of {', '.join(self.agents) or 'no agents'}")
        numbers = {agent: self._number(action) for agent, action in actions.items()}
        wrong = [agent for agent in self.agents if not self._is_legal(agent, numbers[agent])]
        if wrong and not self._ends_if_illegal:
            raise self._refusal(wrong[0], actions[wrong[0]])
        if wrong:
            return self._end_over(wrong)
        for agent in self._asked:
            self._aec.step(numbers[agent])
        return self._after_turn()

    def _begin_turn(self) -> tuple[dict[str, Observation], Infos]:
        """Ask every seat of the turn for its legal actions, and show all agents the table."""
        self._masks = {agent: np.zeros(self._num_actions, np.int8) for agent in self.agents}
        self._asked = self._ask_ahead()
        for agent in self.agents:
            if agent not in self._asked and not self._is_over:
                self._masks[agent][self._declared.idle] = 1
        return self._show(self.agents)

    def _ask_ahead(self) -> list[str]:
        """The agents that choose in this turn, in order; writes their masks.

        Each plays its first legal action on a copy of the position until the turn is over. Legal actions of a seat do
        not depend on what the others choose, or they would betray it.
        """
        asked: list[str] = []
        ahead, counter = self._ahead, self._declared.turn
        np.copyto(ahead, self._aec._cells)
        state, seat = ahead["state"], int(ahead["state"]["to_move"][0])
        turn = state[counter][0]
        while seat != OVER and state[counter][0] == turn:
            agent = self._aec.agents[seat]
            asked.append(agent)
            self._masks[agent] = ahead["mask"][0].copy()
            seat = self._game.turn_in(ahead, int(ahead["ids"][0, 0]))
        return asked

    @property
    def _is_over(self) -> bool:
        return bool(self._aec._states["to_move"][0] == OVER)

    def _show(self, agents: list[str]) -> tuple[dict[str, Observation], Infos]:
        return {agent: self.observe(agent) for agent in agents}, {
            agent: {"action_mask": self._masks[agent]} for agent in agents
        }

    def _after_turn(
        self,
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        aec = self._aec
        observations, infos = self._begin_turn()
        if self._is_over:
            self.agents = []
        return observations, dict(aec.rewards), dict(aec.terminations), dict(aec.truncations), infos

    def _end_over(
        self, wrong: list[str]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Illegal actions end the game for all."""
        agents, self.agents = self.agents, []
        self._masks = {agent: np.zeros(self._num_actions, np.int8) for agent in agents}
        observations, infos = self._show(agents)
        for agent in wrong:
            infos[agent]["illegal_action"] = True
        rewards = {agent: ILLEGAL_REWARD if agent in wrong else 0.0 for agent in agents}
        return observations, rewards, dict.fromkeys(agents, True), dict.fromkeys(agents, False), infos

    # ---------------------------------------------------------------------------------------------- checks

    @property
    def _num_actions(self) -> int:
        return int(self._aec.action_space(self.possible_agents[0]).n)

    def _require_reset(self) -> None:
        if "agents" not in vars(self):
            raise AssertionError("reset() needs to be called before step.")

    @staticmethod
    def _number(action: Any) -> int:
        """An action as an index; -1, which is never legal, for what is none."""
        try:
            return operator.index(action)
        except TypeError:
            return -1

    def _is_legal(self, agent: str, number: int) -> bool:
        return 0 <= number < self._num_actions and bool(self._masks[agent][number])

    def _refusal(self, agent: str, action: Any) -> IllegalActionError:
        legal = [self.action_string(int(index)) for index in np.flatnonzero(self._masks[agent])]
        number = self._number(action)
        asked = self.action_string(number) if 0 <= number < self._num_actions else str(action)
        return IllegalActionError(self.metadata["name"], self.possible_agents.index(agent), asked, legal)

    # -------------------------------------------------------------------------------------- as in the AEC

    def observation_space(self, agent: str) -> Dict:
        """The same object at every call: {"observation": int16 [cells], "action_mask": int8 [actions]}."""
        return self._aec.observation_space(agent)

    def action_space(self, agent: str) -> Discrete[np.int64]:
        """The same object at every call."""
        return self._aec.action_space(agent)

    def observe(self, agent: str) -> Observation:
        """What an agent sees and may do in this turn, as `step` returned it; after `set_state` ask here."""
        self._require_reset()
        return {"observation": self._aec.observe(agent)["observation"], "action_mask": self._masks[agent]}

    def state(self) -> NDArray[np.int16]:
        """Every seat's observation, int16 [MAX_SEATS, cells]; absent seats are zero."""
        return self._aec.state()

    def get_state(self) -> bytes:
        """The position before a turn, with its options, player count and generator; RawEnv and others read it too."""
        return self._aec.get_state()

    def set_state(self, data: bytes) -> None:
        """Go on from a saved position. Raises SaveError, with everything left as it was.

        In one that an AEC environment saved within a turn, the agents that have chosen are no longer asked.
        """
        self._aec.set_state(data)
        self.possible_agents = list(self._aec.possible_agents)
        self.agents = [] if self._is_over else list(self._aec.agents)
        self._begin_turn()

    @property
    def num_players(self) -> int:
        """Players of the game in progress."""
        return self._aec.num_players

    @property
    def options(self) -> dict[str, Any]:
        """All options of the game in progress with their values, "num_players" first."""
        return self._aec.options

    def action_string(self, action: int) -> str:
        """The canonical string of an action. Raises ValueError for an index that is none."""
        return self._aec.action_string(action)

    def parse_action(self, string: str) -> int:
        """The index of a canonical action string. Raises ValueError for another text."""
        return self._aec.parse_action(string)

    def describe(self, agent: str) -> str:
        """An agent's observation in words, a line a segment."""
        return self._aec.describe(agent)

    def render(self) -> str | NDArray[np.uint8] | None:
        """The table as the first agent sees it: text, a picture uint8 [height, width, 3], or None and a window."""
        return self._aec.render()

    def _repr_svg_(self) -> str | None:
        return self._aec._repr_svg_()

    def close(self) -> None:
        """Close the window, if there is one."""
        self._aec.close()


ids.register_with_pettingzoo()
