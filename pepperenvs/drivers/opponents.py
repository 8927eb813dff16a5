"""Who plays the seats that are not the learner's: names, agents, and mixtures of them."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pepperenvs.core.state import OVER
from pepperenvs.drivers._kernels import ASKED, BOT, CHOSEN_AT_RANDOM, FIRST_AGENT, NO_LEARNER, RANDOM

POLICIES = {"agent": ASKED, "random": RANDOM, "bot": BOT}
MAX_AGENTS = 100  # policies are int8


class Agent(Protocol):
    """Whoever decides for other seats.

    It may have `scripted`, "random" or "bot": then the kernel plays in its place; and `restart(seed)`, which a reset
    with a seed calls, so that what follows depends on the seed alone.
    """

    def act(self, observation: NDArray[np.int16], action_mask: NDArray[np.int8]) -> ArrayLike:
        """Actions [n] for observations [n, cells] and masks [n, actions]."""


Opponents = str | Agent | Mapping[Any, float] | None


@dataclass(frozen=True)
class Lineup:
    """How likely each policy is for a seat that is not the learner's.

    weights    float64 [FIRST_AGENT + agents], which sum to 1: ASKED, RANDOM, BOT, then the agents in their order
    """

    weights: NDArray[np.float64]
    agents: tuple[Agent, ...]

    @property
    def leaves_all_to_the_caller(self) -> bool:
        return bool(self.weights[ASKED] == 1.0)

    def restart(self, seed: int) -> None:
        """Let the agents begin anew, each with a seed of its own."""
        for number, agent in enumerate(self.agents):
            restart = getattr(agent, "restart", None)
            if restart is not None:
                restart(seed + number)

    def check(self, states: NDArray[Any], policies: NDArray[np.int8], learner: NDArray[np.int64],
              wanted: NDArray[np.int64]) -> None:  # fmt: skip
        """Raises ValueError unless saved policies [games, seats] and learners [games] could be this line-up's.

        wanted    int64 [games]: a seat, CHOSEN_AT_RANDOM or NO_LEARNER
        """
        most = ASKED if self.leaves_all_to_the_caller else len(self.weights) - 1
        if (policies < ASKED).any() or (policies > most).any():
            raise ValueError("the batch was saved with other opponents")
        without = wanted == NO_LEARNER
        fits = np.where(without, learner == NO_LEARNER, (learner >= 0) & (learner < states["num_seats"]))
        if not fits.all():
            raise ValueError("the batch was saved with another learner's seat")
        seats = states["to_move"]
        if policies[np.arange(len(seats)), seats][seats != OVER].any():
            raise ValueError("an opponent is to move in a saved game")


def lineup(opponents: Opponents, names: Sequence[str] = tuple(POLICIES)) -> Lineup:
    """Who plays the seats that are not the learner's.

    opponents    a name, an agent, or a mapping from names and agents to weights; None is "agent": the caller is asked
    names        those that are allowed, of POLICIES

    Raises ValueError for another name, for what is no agent, for a weight that is negative or not finite, and if all
    weights are 0.
    """
    if isinstance(opponents, list):
        raise ValueError(f"opponents are mixed by a mapping, as {{'bot': 1, agent: 2}}, not by {opponents!r}")
    given = opponents if isinstance(opponents, Mapping) else {opponents: 1.0}
    weights, agents = [0.0] * FIRST_AGENT, list[Any]()
    for one, weight in given.items():
        if not (math.isfinite(weight) and weight >= 0):
            raise ValueError(f"the weight of opponent {one!r} must be a number from 0, not {weight!r}")
        name = one if isinstance(one, str) else "agent" if one is None else getattr(one, "scripted", None)
        if name is not None:
            weights[_policy(name, names)] += weight
        elif callable(getattr(one, "act", None)):
            agents.append(one)
            weights.append(weight)
        else:
            raise ValueError(f"opponents must be among {_listed(names)}, weights of these, or have `act`; not {one!r}")
    if len(agents) > MAX_AGENTS:
        raise ValueError(f"at most {MAX_AGENTS} agents can be mixed, not {len(agents)}")
    if sum(weights) == 0:
        raise ValueError("opponents: some weight must be more than 0")
    return Lineup(np.array(weights) / sum(weights), tuple(agents))


def _policy(name: str, names: Sequence[str]) -> int:
    if name not in names:
        asked = "None, as nobody else is asked here" if name == "agent" else repr(name)
        raise ValueError(f"opponents must be among {_listed(names)}, or an agent; not {asked}")
    return POLICIES[name]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names))


def wanted_seat(seat: int | str | None, num_seats: int) -> int:
    """A seat argument as the kernels take it. Raises ValueError unless it is "random" or one of the seats."""
    if seat == "random":
        return CHOSEN_AT_RANDOM
    if isinstance(seat, str) or seat is None or not 0 <= operator.index(seat) < num_seats:
        raise ValueError(f"seat must be 'random' or in 0 … {num_seats - 1}, not {seat!r}")
    return operator.index(seat)
