"""What threads bring to a large batch, on a quiet machine and beside a busy process.

Wall-clock time, since threads share the work of one process. One and two threads take turns, so that both meet the same
neighbours.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from benchmarks.conditions import FULL, QUICK, Conditions, arguments
from pepperenvs.bench import Figure, print_figures
from pepperenvs.drivers.batch import Batch

GAMES = 16_384
THREADS = (1, 2)
WARM_UP = 20  # steps, after which the games are no longer all at their beginning


def figures(game: str, conditions: Conditions, games: int = GAMES) -> list[Figure]:
    """Moves of all seats per second of wall-clock time in batch steps; drawing the actions is not counted."""
    batches = [Batch(game, games, seed=0, num_threads=threads) for threads in THREADS]
    for batch in batches:
        for _ in range(WARM_UP):
            batch.step(batch.sample_actions())
    found = _rates(batches, conditions, "", "")
    with busy_process():
        return found + _rates(batches, conditions, "_busy", ", beside a busy process")


def _rates(batches: Sequence[Batch], conditions: Conditions, name: str, label: str) -> list[Figure]:
    rates: list[list[float]] = [[] for _ in batches]
    for _ in range(conditions.repetitions):
        for batch, found in zip(batches, rates, strict=True):
            found.append(_rate(batch, conditions.seconds))
    return [
        Figure(f"threads_{n}{name}", f"batch of {batches[0].num_envs:,}, {n} thread{'s' * (n > 1)}{label}", "moves/s",
               tuple(found))
        for n, found in zip(THREADS, rates, strict=True)
    ]  # fmt: skip


def _rate(batch: Batch, seconds: float) -> float:
    spent, steps = 0.0, 0
    while spent < seconds:
        actions = batch.sample_actions()
        began = time.perf_counter()
        batch.step(actions)
        spent += time.perf_counter() - began
        steps += 1
    return steps * batch.num_envs / spent


@contextmanager
def busy_process() -> Iterator[subprocess.Popen[bytes]]:
    """Another process that does nothing, as fast as it can."""
    neighbour = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield neighbour
    finally:
        neighbour.kill()
        neighbour.wait()


def main(argv: Sequence[str] | None = None) -> int:
    given = arguments("benchmarks.bench_threads", __doc__, argv)
    for game in given.games:
        print(f"\n{game}")
        print_figures(figures(game, QUICK if given.quick else FULL))
    return 0


if __name__ == "__main__":
    sys.exit(main())
