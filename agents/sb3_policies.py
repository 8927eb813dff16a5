"""Stable-Baselines3: an extractor of features that scales observations, and the agent that plays a trained model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor

from agents.policy import ROWS, CheckpointError, one_thread
from pepperenvs import registry


class LayoutScaling(BaseFeaturesExtractor):
    """Counts as they lie on the table, scaled by the game's layout: float32 [n, cells] within about -1 … 1.

    Give it to a model by `policy_kwargs=scaled("scoville_v0")`.
    """

    scale: Tensor

    def __init__(self, observation_space: Any, game: str) -> None:
        super().__init__(observation_space, int(np.prod(observation_space.shape)))
        self.register_buffer("scale", torch.from_numpy(registry.spec(game).layout.scale.copy()), persistent=False)

    def forward(self, observations: Tensor) -> Tensor:
        """Of observations float32 [n, cells], as SB3 hands them over."""
        return observations * self.scale


def scaled(game: str, **policy_kwargs: Any) -> dict[str, Any]:
    """Arguments of an SB3 policy that scales a game's observations by its layout, beside others such as `net_arch`."""
    return {"features_extractor_class": LayoutScaling, "features_extractor_kwargs": {"game": game}, **policy_kwargs}


class MaskableAgent:
    """Plays a model of MaskablePPO: its likeliest action, or, with `sample`, one drawn from its distribution.

    The network always gets ROWS decisions, on one thread: without `sample` the answer to an observation does not depend
    on the other rows.
    """

    def __init__(self, policy: Any, name: str = "sb3", *, sample: bool = False, seed: int = 0) -> None:
        """policy: of a MaskablePPO model, whose weights are not copied."""
        self.name = name
        self.scripted: str | None = None
        self._policy, self._sample = policy, sample
        self.restart(seed)

    @classmethod
    def read(cls, game: str, path: str | Path) -> MaskableAgent:
        """The agent of a file that `model.save` wrote; it is a pickle, so read only what you trust.

        Raises CheckpointError if it is not a model for this game, FileNotFoundError if there is none.
        """
        if not Path(path).is_file():
            raise FileNotFoundError(f"there is no model {path}")
        try:
            model = MaskablePPO.load(path, device="cpu")
        except Exception as error:  # a zip of pickles: whatever its loader raises means the same
            raise CheckpointError(f"{path}: no model of MaskablePPO ({error})") from error
        spec = registry.spec(game)
        trained = model.policy_kwargs.get("features_extractor_kwargs", {}).get("game", game)
        actions: Any = model.action_space
        fits = model.observation_space.shape == (spec.layout.size,) and actions.n == spec.actions.size
        if trained != game or not fits:
            raise CheckpointError(f"{path}: it was trained for {trained}, not for {game} as it is declared now")
        return cls(model.policy, f"sb3:{Path(path).stem}")

    def restart(self, seed: int) -> None:
        """Begin the generator of sampled actions anew."""
        self._random = np.random.default_rng(seed)

    def act(self, observation: NDArray[np.int16], action_mask: NDArray[np.int8]) -> NDArray[np.int64]:
        """Actions int64 [n]; shapes as in base.Agent."""
        rows = len(observation)
        probabilities = np.concatenate([
            self._probabilities(observation[start : start + ROWS], action_mask[start : start + ROWS])
            for start in range(0, rows, ROWS)
        ])  # fmt: skip
        if self._sample:
            cumulated = probabilities.cumsum(axis=1)
            threshold = self._random.random((rows, 1)) * cumulated[:, -1:]
            chosen: NDArray[np.int64] = np.argmax(cumulated > threshold, axis=1)
        else:
            chosen = np.argmax(probabilities, axis=1)
        return chosen

    def _probabilities(self, observation: NDArray[np.int16], mask: NDArray[np.int8]) -> NDArray[np.float64]:
        """Of all actions, float64 [n, actions], 0 for illegal ones; for ROWS decisions at most."""
        cells = np.zeros((ROWS, observation.shape[1]), np.int16)
        legal = np.ones((ROWS, mask.shape[1]), np.bool_)
        cells[: len(observation)], legal[: len(mask)] = observation, mask != 0
        with one_thread(), torch.no_grad():
            distribution = self._policy.get_distribution(torch.from_numpy(cells), action_masks=legal)
            found: NDArray[np.float64] = distribution.distribution.probs.numpy().astype(np.float64)
        return found[: len(observation)]
