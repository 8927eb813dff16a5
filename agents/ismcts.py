"""Information-set Monte Carlo tree search: the same agent for every game, without a line for any of them."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from agents.searcher import Searcher
from pepperenvs.drivers.tree import Choices, Evaluate, Tree

if TYPE_CHECKING:
    from pepperenvs.drivers.search import Simulator


@dataclass(frozen=True)
class ISMCTSAgent(Searcher):
    """Searches a single-observer information-set tree in which every seat maximises its own utility."""

    kind: ClassVar[str] = "ismcts"

    def choices(self, simulator: Simulator) -> Choices:
        """What the trees say about each action that they tried."""
        tree = Tree(simulator, self.plan, self.roots, self.threads)
        evaluate = _value_function(simulator.spec.id, self.value) if self.value else None
        if self.milliseconds:
            tree.grow_for(self.milliseconds / 1000, evaluate)
        else:
            tree.grow(self.simulations, evaluate)
        return tree.choices()

    def choose(self, choices: Choices) -> int:
        """The action that was visited most; see `Choices.most_visited`."""
        return choices.most_visited(self.plan.caution)


@functools.lru_cache(maxsize=8)
def _value_function(game: str, path: str) -> Evaluate:
    from agents.policy import ValueFunction

    return ValueFunction.read(game, path)
