"""How fast games are played: inside kernels, through PettingZoo's interface, in a large batch.

The loops, and what they count, are those of pepperenvs/bench.py.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks.conditions import FULL, QUICK, Conditions, arguments
from pepperenvs import bench
from pepperenvs.bench import Figure


def figures(game: str, conditions: Conditions) -> list[Figure]:
    """Raises bench.AuditError if what was timed is not sound."""
    return bench.measure(game, conditions.seconds, conditions.repetitions)


def main(argv: Sequence[str] | None = None) -> int:
    given = arguments("benchmarks.bench_steps", __doc__, argv)
    conditions = QUICK if given.quick else FULL
    return bench.main(given.games, conditions.seconds, conditions.repetitions)


if __name__ == "__main__":
    sys.exit(main())
