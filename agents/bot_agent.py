"""The game's scripted bot as an agent."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class BotAgent:
    """The bot of the game: a kernel over positions, which drivers call for the seat to move.

    It looks only at what that seat may know.
    """

    def __init__(self) -> None:
        self.name = "bot"
        self.scripted: str | None = "bot"

    def restart(self, seed: int) -> None:
        """Nothing to do: the bot draws no random numbers."""

    def act(self, observation: NDArray[np.int16], action_mask: NDArray[np.int8]) -> NDArray[np.int64]:
        """Raises TypeError: the bot plays in the drivers, as opponents="bot" and Batch.bot_actions()."""
        raise TypeError('the bot reads positions, not observations: use opponents="bot" or Batch.bot_actions()')
