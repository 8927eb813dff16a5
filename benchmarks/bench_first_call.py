"""What a fresh process pays: the import, and a game's first game with its kernels in the cache and without.

Each measurement is a child process. The first game counts from before `import pepperenvs` to the end of one random
game. "After a fresh install" means that the cache of compiled kernels is empty.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from benchmarks.conditions import FULL, QUICK, Conditions, arguments
from benchmarks.journal import ROOT
from pepperenvs.bench import Figure, print_figures

_TIMED = """
import json, sys, time
began, cpu = time.perf_counter(), time.process_time()
{}
print(json.dumps([time.process_time() - cpu, time.perf_counter() - began]))
"""
IMPORT = _TIMED.format("import pepperenvs")
FIRST_GAME = _TIMED.format("""
import pepperenvs
env = pepperenvs.make_aec(sys.argv[1])
env.reset(seed=int(sys.argv[2]))
for agent in env.agent_iter():
    observation, _, terminated, truncated, _ = env.last()
    is_over = terminated or truncated
    env.step(None if is_over else env.action_space(agent).sample(observation["action_mask"]))
""")


def child(code: str, *argv: object, cache: str | None = None) -> tuple[float, float]:
    """CPU and wall seconds that a fresh process reports of itself; `cache` is its folder of compiled kernels."""
    environment = os.environ if cache is None else {**os.environ, "PEPPERENVS_CACHE_DIR": cache}
    command = [sys.executable, "-c", code, *map(str, argv)]
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    cpu, wall = json.loads(done.stdout.splitlines()[-1])
    return cpu, wall


def import_figures(conditions: Conditions) -> list[Figure]:
    """What `import pepperenvs` takes."""
    child(IMPORT)  # writes the byte code
    return _pair("import", "import pepperenvs", [child(IMPORT) for _ in range(conditions.warm)])


def figures(game: str, conditions: Conditions) -> list[Figure]:
    """What a game's first game in a process takes. The last fresh run fills the cache of the warm ones."""
    fresh = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(conditions.fresh):
            cache = os.path.join(folder, str(seed))
            fresh.append(child(FIRST_GAME, game, seed, cache=cache))
        warm = [child(FIRST_GAME, game, seed, cache=cache) for seed in range(conditions.warm)]
    return [
        *_pair("first_game", "first game of a process", warm),
        *_pair("first_game_fresh", "first game after a fresh install", fresh),
    ]


def _pair(name: str, label: str, times: list[tuple[float, float]]) -> list[Figure]:
    cpu, wall = zip(*times, strict=True)
    return [Figure(name, f"{label}, CPU", "s", cpu), Figure(f"{name}_wall", f"{label}, by the clock", "s", wall)]


def main(argv: Sequence[str] | None = None) -> int:
    given = arguments("benchmarks.bench_first_call", __doc__, argv)
    conditions = QUICK if given.quick else FULL
    print_figures(import_figures(conditions))
    for game in given.games:
        print(f"\n{game}")
        print_figures(figures(game, conditions))
    return 0


if __name__ == "__main__":
    sys.exit(main())
