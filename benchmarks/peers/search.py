"""Iterations a second of information-set tree searches, ours and OpenSpiel's compiled one; see results/search.jsonl.

Both search from the middle of a game, on one core, by process CPU time, and play each iteration to the end of the game:
ours by the scripted player and at random, OpenSpiel's at random. The games are not the same, and their lengths differ
by an order of magnitude, so the figures say what a search may be given, not which code is quicker: for that compare
games of like length.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import bench_search, journal
from benchmarks.conditions import FULL, QUICK, Conditions, arguments
from benchmarks.run import as_json
from pepperenvs.bench import Figure, print_figures

SEARCH = journal.RESULTS / "search.jsonl"
PEERS = ("leduc_poker", "hearts", "gin_rummy")
SIMULATIONS = 200  # of a decision of OpenSpiel's player


def openspiel_figures(name: str, conditions: Conditions) -> list[Figure]:
    """Iterations a second of pyspiel.ISMCTSBot. Raises ModuleNotFoundError without OpenSpiel."""
    import pyspiel

    rates = []
    for seed in range(conditions.repetitions):
        state = _middle(pyspiel.load_game(name), seed)
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        policy = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        player = pyspiel.ISMCTSBot(seed, evaluator, 0.7, SIMULATIONS, -1, policy, False, False)
        decisions, began = 0, time.process_time()
        while (spent := time.process_time() - began) < conditions.seconds:
            player.step(state)
            decisions += 1
        rates.append(decisions * SIMULATIONS / spent)
    label = "tree iterations from the middle of a game, random playouts"
    return [Figure("iterations_random", label, "iterations/s", tuple(rates))]


def _middle(game: Any, seed: int) -> Any:
    """The first choice after half of the decisions of a random game."""
    chance = random.Random(seed)
    length = _played(game, chance, sys.maxsize)[1]
    while True:
        state, _ = _played(game, chance, length // 2)
        if not state.is_terminal():
            return state


def _played(game: Any, chance: random.Random, decisions: int) -> tuple[Any, int]:
    """A position after so many decisions, or the end, and after how many it is."""
    state, done = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(outcomes, weights)[0])
        elif done >= decisions and len(state.legal_actions()) > 1:
            break
        else:
            state.apply_action(chance.choice(state.legal_actions()))
            done += 1
    return state, done


def main(argv: Sequence[str] | None = None, results: Path = SEARCH, conditions: Conditions | None = None) -> int:
    argv = sys.argv[1:] if argv is None else argv
    given = arguments("benchmarks.peers.search", __doc__, argv)
    conditions = conditions or (QUICK if given.quick else FULL)
    found = {game: [figure for figure in bench_search.figures(game, conditions) if figure.unit == "iterations/s"]
             for game in given.games}  # fmt: skip
    versions = ["torch"]
    try:
        found |= {f"OpenSpiel {name}": openspiel_figures(name, conditions) for name in PEERS}
        versions.append("open_spiel")
    except ModuleNotFoundError:
        print("OpenSpiel is not installed, so nothing stands beside: pip install 'pepperenvs[openspiel]'")
    for name, figures in found.items():
        print(f"\n{name}")
        print_figures(figures)
    journal.append(results, "benchmarks.peers.search", argv,
                   {"figures": {name: as_json(figures) for name, figures in found.items()}}, *versions)  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
