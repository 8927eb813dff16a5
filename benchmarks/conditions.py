"""How long the scripts measure, and the arguments that all of them take."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

from pepperenvs import bench, registry


@dataclass(frozen=True)
class Conditions:
    """What a run of the speed measurements takes.

    seconds        CPU seconds of a repetition, at least
    repetitions    of what is timed within a process; repetition k has the seed k
    warm           child processes that import, or play a first game with its kernels in the cache
    fresh          child processes that play a first game with an empty cache, and so compile
    envs, moves    games of the training's batch, and moves that each plays in an iteration
    """

    seconds: float = bench.SECONDS
    repetitions: int = bench.REPETITIONS
    warm: int = 5
    fresh: int = 3
    envs: int = 256
    moves: int = 64


FULL = Conditions()
QUICK = Conditions(seconds=0.2, repetitions=3, warm=2, fresh=1, envs=64, moves=16)


def arguments(script: str, description: str | None, argv: Sequence[str] | None) -> argparse.Namespace:
    """The games (ids; all if none is given) and whether it is to be quick. Exits with status 2 if they are wrong."""
    parser = argparse.ArgumentParser(f"python -m {script}", description=(description or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="id, as in heat_guess_v0; all games if none is given")
    parser.add_argument("--quick", action="store_true", help="a short run, to see that all works")
    parsed = parser.parse_args(argv)
    try:
        parsed.games = [registry.canonical(game) for game in parsed.games or registry.games()]
    except ValueError as error:
        parser.error(str(error))
    return parsed
