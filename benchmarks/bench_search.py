"""How fast searches inside kernels are: playouts, and iterations of a tree (pepperenvs/drivers/tree.py).

All from the middle of a game between bots: the first position with a choice after half of its moves.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence

from benchmarks.conditions import FULL, QUICK, Conditions, arguments
from pepperenvs import bench, make_batch
from pepperenvs.bench import Figure, print_figures
from pepperenvs.core.state import OVER
from pepperenvs.drivers.search import Simulator
from pepperenvs.drivers.tree import Plan, Playouts, Tree

CHUNK = 500  # iterations between two looks at the clock
ITERATIONS = 5000  # of a tree, after which another is begun
MOST_MOVES = 2000  # of a playout
PLANS = {"bot": Plan(rollout="bot"), "random": Plan(rollout="random", first_child="random", depth=MOST_MOVES)}


def figures(game: str, conditions: Conditions) -> list[Figure]:
    """Per CPU second. A tree's iteration is set beside a playout of the same policy from the same position."""
    playouts, ratios = [], []
    rates: dict[str, list[tuple[float, float]]] = {name: [] for name in PLANS}
    for seed in range(conditions.repetitions):
        start = middle(game, seed, 0.0)
        playouts.append(moves_a_second(start, conditions.seconds))
        ratios.append(playouts[-1] / bench.time_rollout(game, conditions.seconds, seed)[0])
        looking = middle(game, seed, 0.5)
        for name, plan in PLANS.items():
            rates[name].append(iterations_a_second(looking, plan, conditions.seconds))
    found = [
        Figure("playouts", "random playouts from the beginning, without observation", "moves/s", tuple(playouts)),
        Figure("playouts_ratio", "that, against random play with mask and observation", "times", tuple(ratios)),
    ]
    compared = "one of them, in such playouts without a tree"
    for name, measured in rates.items():
        trees, costs = zip(*measured, strict=True)
        label = f"tree iterations from the middle of a game, {name} playouts"
        found.append(Figure(f"iterations_{name}", label, "iterations/s", trees))
        found.append(Figure(f"iteration_cost_{name}", compared, "playouts", costs))
    return found


def middle(game: str, seed: int, share: float) -> Simulator:
    """What the seat to move knows at the first choice after this share of a bots' game."""
    batch = make_batch(game, 1, seed=seed, autoreset=False)
    length = 0
    while batch.seat[0] != OVER:
        batch.step(batch.bot_actions())
        length += 1
    batch.reset(seed=seed)
    played = 0
    while True:
        if played >= share * length and batch.action_mask[0].sum() > 1:
            return batch.simulator(0, seed)
        batch.step(batch.bot_actions())
        played += 1
        if batch.seat[0] == OVER:  # no choice after that
            return middle(game, seed, share / 2)


def moves_a_second(looking: Simulator, seconds: float) -> float:
    """Moves of random playouts."""
    search = Playouts(looking, PLANS["random"], roots=len(looking.legal_actions))
    search.play(1)  # compiles
    before = search.moves
    spent = _spent(lambda: search.play(CHUNK), seconds)
    return (search.moves - before) / spent


def iterations_a_second(looking: Simulator, plan: Plan, seconds: float) -> tuple[float, float]:
    """Iterations of trees, and what one costs in playouts; both take turns, so that they meet the same neighbours."""
    trees = [Tree(looking, plan)]

    def grow() -> None:
        if trees[-1].iterations >= ITERATIONS:
            trees.append(Tree(looking, plan))
        trees[-1].grow(CHUNK)

    flat = Playouts(looking, plan)
    growing, playing = 0.0, 0.0
    while growing + playing < seconds:
        growing += _spent(grow, seconds / 20)
        playing += _spent(lambda: flat.play(CHUNK), seconds / 20)
    rate = sum(tree.iterations for tree in trees) / growing
    return rate, (int(flat.choices().visits.sum()) / playing) / rate


def _spent(work: Callable[[], object], seconds: float) -> float:
    """CPU seconds of doing it again and again for at least so long."""
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        work()
    return spent


def main(argv: Sequence[str] | None = None) -> int:
    given = arguments("benchmarks.bench_search", __doc__, argv)
    for game in given.games:
        print(f"\n{game}")
        print_figures(figures(game, QUICK if given.quick else FULL))
    return 0


if __name__ == "__main__":
    sys.exit(main())
