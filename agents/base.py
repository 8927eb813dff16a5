"""What an agent is: it sees observations and masks, in batches, or searches one position; it answers with actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pepperenvs.drivers.search import Simulator


class Agent(Protocol):
    """A player of one game.

    name        for tables
    scripted    "random" or "bot" for a player that the drivers have inside their kernels: they play it there, since
                it needs no arrays; None for every other agent
    """

    name: str
    scripted: str | None

    def act(self, observation: NDArray[np.int16], action_mask: NDArray[np.int8]) -> NDArray[np.int64]:
        """Actions for a batch of decisions.

        observation    int16 [n, cells], each of the seat that is to move
        action_mask    int8 [n, actions], 1 where legal; at least one in every row
        returns        int64 [n], legal
        """
        ...

    def restart(self, seed: int) -> None:
        """Begin anew: what the agent does afterwards depends on the seed and on what it sees alone."""
        ...


@runtime_checkable
class SearchAgent(Protocol):
    """A player that tries moves out, in positions that it cannot tell from the true one, before it chooses.

    name, scripted    as of an Agent; `scripted` is None
    """

    @property
    def name(self) -> str: ...

    @property
    def scripted(self) -> str | None: ...

    def search(self, simulator: Simulator) -> int:
        """One legal action for the seat that is to move, which is the one that the Simulator looks for.

        The answer depends on the Simulator and on what `restart` began alone. The Simulator's seed is new at every
        decision.
        """
        ...

    def restart(self, seed: int) -> None:
        """As of an Agent."""
        ...


def make_agent(game: str, name: str) -> Agent | SearchAgent:
    """The agent of a name: "random", "bot", "priority:FILE", "ppo:FILE", "sb3:FILE", "ismcts:BUDGET", "flat_mc:BUDGET".

    game      id of the game it is to play
    FILE      a list of priorities (agents/priority_agent.py); a checkpoint that experiments/ppo_selfplay.py wrote; a
              model that experiments/sb3_maskable_ppo.py saved
    BUDGET    simulations a move, or milliseconds as in "50ms"; settings may follow (agents/searcher.py)

    Raises ValueError for a name that is none of these, or a file that is not for this game.
    """
    kind, _, path = name.partition(":")
    if name == "random":
        from agents.random_agent import RandomAgent

        return RandomAgent()
    if name == "bot":
        from agents.bot_agent import BotAgent

        return BotAgent()
    if kind == "priority" and path:
        from agents.priority_agent import PriorityAgent

        return PriorityAgent.read(game, path)
    if kind == "ppo" and path:
        from agents.policy import PolicyAgent

        return PolicyAgent.read(game, path)
    if kind == "sb3" and path:
        from agents.sb3_policies import MaskableAgent

        return MaskableAgent.read(game, path)
    if kind == "ismcts" and path:
        from agents.ismcts import ISMCTSAgent

        return ISMCTSAgent.parse(path)
    if kind == "flat_mc" and path:
        from agents.flat_mc import FlatMonteCarloAgent

        return FlatMonteCarloAgent.parse(path)
    known = "'random', 'bot', 'priority:FILE', 'ppo:FILE', 'sb3:FILE', 'ismcts:BUDGET' and 'flat_mc:BUDGET'"
    raise ValueError(f"there is no agent {name!r}; there are {known}")


def file_of(name: str) -> str | None:
    """The file of an agent that has one, as its name gives it: its list, its network, or that of its values."""
    kind, _, rest = name.partition(":")
    if kind in ("priority", "ppo", "sb3"):
        return rest
    settings = dict(setting.partition("=")[::2] for setting in rest.split(","))
    return settings.get("value") or None


def check_actions(actions: Any, action_mask: NDArray[np.int8]) -> NDArray[np.int64]:
    """An agent's answer as int64 [n]. Raises ValueError if it is not one legal action for every row of the mask."""
    answer = np.asarray(actions)
    rows = len(action_mask)
    if answer.shape != (rows,) or answer.dtype.kind not in "iu":
        raise ValueError(
            f"an agent must answer with integers of the shape ({rows},), not {answer.dtype} {answer.shape}"
        )
    if (answer < 0).any() or (answer >= action_mask.shape[1]).any() or not action_mask[np.arange(rows), answer].all():
        raise ValueError("an agent answered with an illegal action")
    return answer.astype(np.int64)
