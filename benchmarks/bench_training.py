"""How fast PPO self-play trains (experiments/ppo_selfplay.py): moves per CPU second, of playing and of learning.

One thread, and the script's own default arguments but for the size of the batch.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any

from benchmarks.conditions import FULL, QUICK, Conditions, arguments
from pepperenvs.bench import Figure, print_figures


def figures(game: str, conditions: Conditions) -> list[Figure]:
    """Moves of all seats per CPU second; every repetition has a learner of its own, after one iteration untimed."""
    import torch  # takes seconds, which other scripts need not pay

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        rates = [_repetition(game, conditions, seed) for seed in range(conditions.repetitions)]
    finally:
        torch.set_num_threads(threads)
    whole, play, learn = zip(*rates, strict=True)
    label = f"PPO, {conditions.envs} games of {conditions.moves} moves an iteration"
    return [
        Figure("training", label, "moves/s", whole),
        Figure("training_play", "of this, playing alone", "moves/s", play),
        Figure("training_learn", "of this, learning alone", "moves/s", learn),
    ]


def _repetition(game: str, conditions: Conditions, seed: int) -> tuple[float, float, float]:
    """Moves per CPU second of whole iterations, of their playing and of their learning."""
    from experiments import ppo_selfplay

    given = ppo_selfplay.Arguments(game=game, seed=seed, num_envs=conditions.envs, rollout=conditions.moves)
    learner = ppo_selfplay.new_learner(given)
    _iterate(ppo_selfplay, learner)
    playing, learning, moves = 0.0, 0.0, 0
    while playing + learning < conditions.seconds:
        times = _iterate(ppo_selfplay, learner)
        playing, learning = playing + times[0], learning + times[1]
        moves += conditions.envs * conditions.moves
    return moves / (playing + learning), moves / playing, moves / learning


def _iterate(script: Any, learner: Any) -> tuple[float, float]:
    """One iteration; CPU seconds of its two halves."""
    began = time.process_time()
    rollout = script.play(learner)
    between = time.process_time()
    script.learn(learner, rollout)
    learner.iteration += 1
    return between - began, time.process_time() - between


def main(argv: Sequence[str] | None = None) -> int:
    given = arguments("benchmarks.bench_training", __doc__, argv)
    for game in given.games:
        print(f"\n{game}")
        print_figures(figures(game, QUICK if given.quick else FULL))
    return 0


if __name__ == "__main__":
    sys.exit(main())
