"""A fixed policy that a person writes down: the first pattern of a list that some legal action fits decides."""

from __future__ import annotations

import fnmatch
import tomllib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pepperenvs import registry


class PriorityAgent:
    """Plays the first legal action of a fixed order of all actions; it does not look at the observation.

    It shows what a policy is worth that ignores the game's point, and so what a learner must beat.
    """

    def __init__(self, game: str, name: str, patterns: list[str]) -> None:
        """Order all actions by the patterns.

        patterns    shell patterns over action strings ("cook *"), best first; within a pattern the later action goes
                    first if the pattern begins with "-", else the earlier one

        Raises ValueError if some pattern fits no action, or some action no pattern.
        """
        self.name = name
        self.scripted: str | None = None
        self._rank = _ranks(registry.spec(game).actions.strings, patterns)

    @classmethod
    def read(cls, game: str, path: str | Path) -> PriorityAgent:
        """The agent of a TOML file with `game`, `name` and `patterns`.

        Raises ValueError if one of them is missing, or the file is for another game.
        """
        with open(path, "rb") as file:
            declared = tomllib.load(file)
        if declared.get("game") != game:
            raise ValueError(f"{path} is for {declared.get('game')!r}, not for {game!r}")
        if missing := {"name", "patterns"} - set(declared):
            raise ValueError(f"{path} lacks {', '.join(sorted(missing))}")
        return cls(game, declared["name"], declared["patterns"])

    def restart(self, seed: int) -> None:
        """Nothing to do: it draws no random numbers."""

    def act(self, observation: NDArray[np.int16], action_mask: NDArray[np.int8]) -> NDArray[np.int64]:
        """The first legal action in its order, int64 [n]; shapes as in base.Agent."""
        ranks = np.where(action_mask != 0, self._rank, len(self._rank))
        chosen: NDArray[np.int64] = np.argmin(ranks, axis=1)
        return chosen


def _ranks(strings: tuple[str, ...], patterns: list[str]) -> NDArray[np.int64]:
    """The place of every action in the order, int64 [actions], 0 first."""
    order: dict[str, int] = {}
    for pattern in patterns:
        backwards = pattern.startswith("-")
        fitting = [string for string in strings if fnmatch.fnmatchcase(string, pattern.removeprefix("-"))]
        if not fitting:
            raise ValueError(f"pattern {pattern!r} fits no action")
        for string in reversed(fitting) if backwards else fitting:
            order.setdefault(string, len(order))
    missing = [string for string in strings if string not in order]
    if missing:
        raise ValueError(f"no pattern fits {missing[0]!r}")
    return np.array([order[string] for string in strings], np.int64)
