"""How fast games stand ready for Stable-Baselines3: steps with masks of the native vector, and of SB3's own.

SB3's DummyVecEnv stands over the same solo environments. Counted is the CPU time of a step and of asking for the masks,
as sb3-contrib's MaskablePPO does both; drawing the actions and the network are not.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.conditions import FULL, QUICK, Conditions, arguments
from pepperenvs import make_solo
from pepperenvs.bench import Figure, print_figures

SIZES = (64, 1024)


def figures(game: str, conditions: Conditions, sizes: Sequence[int] = SIZES) -> list[Figure]:
    """Decisions of the learner per CPU second, random ones against random opponents; both vectors take turns."""
    from stable_baselines3.common.vec_env import DummyVecEnv

    from pepperenvs.adapters.sb3 import SB3VecEnv

    found = []
    for size in sizes:
        ours, theirs = SB3VecEnv(game, size), DummyVecEnv([lambda: make_solo(game)] * size)
        for games in (ours, theirs):
            games.seed(0)
            games.reset()
        pairs = [(_rate(ours, conditions.seconds), _rate(theirs, conditions.seconds))
                 for _ in range(conditions.repetitions)]  # fmt: skip
        label = f"decisions with masks of {size:,} games, random opponents"
        found.append(Figure(f"sb3_{size}", f"SB3VecEnv, {label}", "moves/s", tuple(one for one, _ in pairs)))
        ratios = tuple(one / other for one, other in pairs)
        found.append(Figure(f"sb3_{size}_ratio", "that, against SB3's DummyVecEnv", "times", ratios))
    return found


def _rate(games: Any, seconds: float) -> float:
    from sb3_contrib.common.maskable.utils import get_action_masks

    chance, spent, steps = np.random.default_rng(0), 0.0, 0
    while spent < seconds:
        began = time.process_time()
        masks = get_action_masks(games)
        spent += time.process_time() - began
        actions = (masks * chance.random(masks.shape, np.float32)).argmax(axis=1)
        began = time.process_time()
        games.step(actions)
        spent += time.process_time() - began
        steps += 1
    return steps * games.num_envs / spent


def main(argv: Sequence[str] | None = None) -> int:
    given = arguments("benchmarks.bench_sb3", __doc__, argv)
    for game in given.games:
        print(f"\n{game}")
        print_figures(figures(game, QUICK if given.quick else FULL))
    return 0


if __name__ == "__main__":
    sys.exit(main())
