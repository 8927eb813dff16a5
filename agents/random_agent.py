"""The player that draws uniformly among the legal actions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class RandomAgent:
    """Draws uniformly among the legal actions, from a generator of its own."""

    def __init__(self, seed: int = 0) -> None:
        self.name = "random"
        self.scripted: str | None = "random"
        self.restart(seed)

    def restart(self, seed: int) -> None:
        """Begin the generator anew."""
        self._random = np.random.default_rng(seed)

    def act(self, observation: NDArray[np.int16], action_mask: NDArray[np.int8]) -> NDArray[np.int64]:
        """Uniform legal actions, int64 [n]; shapes as in base.Agent."""
        rows = len(action_mask)
        nth = (self._random.random(rows) * action_mask.sum(axis=1)).astype(np.int64)
        counted = np.cumsum(action_mask, axis=1, dtype=np.int64)
        chosen: NDArray[np.int64] = np.argmax(counted > nth[:, None], axis=1)
        return chosen
