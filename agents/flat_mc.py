"""Flat Monte Carlo: playouts after every legal action from redrawn positions, and the action of the best mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from agents.searcher import Searcher
from pepperenvs.drivers.tree import Choices, Playouts

if TYPE_CHECKING:
    from pepperenvs.drivers.search import Simulator


@dataclass(frozen=True)
class FlatMonteCarloAgent(Searcher):
    """Plays out as often after each action, from the same redraws for all of them.

    There are no nodes, so the plan's exploration, growth and first child mean nothing. Raises ValueError for a value.
    """

    kind: ClassVar[str] = "flat_mc"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.value:
            raise ValueError("flat_mc asks no network for values; ismcts does")

    def choices(self, simulator: Simulator) -> Choices:
        """What the playouts say about each action."""
        playouts = Playouts(simulator, self.plan, self.roots, self.threads)
        if self.milliseconds:
            playouts.play_for(self.milliseconds / 1000)
        else:
            playouts.play(self.simulations)
        return playouts.choices()

    def choose(self, choices: Choices) -> int:
        """The action of the highest mean value; see `Choices.most_valued`."""
        return choices.most_valued(self.plan.caution)
