"""All measurements of speed, next to the project's targets; appends a line to results/steps.jsonl."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks import bench_first_call, bench_sb3, bench_search, bench_steps, bench_threads, bench_training, journal
from benchmarks.conditions import FULL, QUICK, Conditions, arguments
from pepperenvs import registry
from pepperenvs.bench import AuditError, Figure, number, print_figures

TARGETS = Path(__file__).with_name("targets.toml")
STEPS = journal.RESULTS / "steps.jsonl"
Bench = Callable[[str, Conditions], list[Figure]]
BENCHES: tuple[Bench, ...] = (
    bench_steps.figures,
    bench_threads.figures,
    bench_first_call.figures,
    bench_search.figures,
    bench_sb3.figures,
    bench_training.figures,
)

Targets = Mapping[str, Mapping[str, float]]


def read_targets(path: Path = TARGETS) -> Targets:
    """Targets by game ("pepperenvs" for what concerns none), then by a figure's name."""
    declared = tomllib.loads(path.read_text("utf-8"))
    by_game = {game: {**declared["every_game"], **declared.get(game, {})} for game in registry.games()}
    return {"pepperenvs": declared["pepperenvs"], **by_game}


def meets(figure: Figure, target: float) -> bool:
    """Whether the median is as good as the target: rates at least so high, all else at most."""
    return figure.median >= target if is_better_high(figure) else figure.median <= target


def is_better_high(figure: Figure) -> bool:
    """Rates and ratios are, times and sizes are not."""
    return figure.unit.endswith(("/s", "times"))


def remark(figure: Figure, targets: Mapping[str, float]) -> str:
    """The target and whether it is met; nothing if there is none."""
    if figure.name not in targets:
        return ""
    target = targets[figure.name]
    bound = "≥" if is_better_high(figure) else "≤"
    return f"target {bound} {number(target)}: {'met' if meets(figure, target) else 'MISSED'}"


def as_json(figures: Sequence[Figure]) -> dict[str, Any]:
    """Figures by name: unit, median, min, max; four digits count."""
    found = {}
    for figure in figures:
        values = {"median": figure.median, "min": figure.low, "max": figure.high}
        found[figure.name] = {"unit": figure.unit, **{key: float(f"{value:.4g}") for key, value in values.items()}}
    return found


def run(games: Sequence[str], conditions: Conditions) -> dict[str, list[Figure]]:
    """Measure and print; figures by game, "pepperenvs" for those that concern none.

    Raises AuditError if what was timed is not sound.
    """
    targets = read_targets()
    found: dict[str, list[Figure]] = {}
    for subject in ("pepperenvs", *games):
        if subject == "pepperenvs":
            figures = bench_first_call.import_figures(conditions)
        else:
            figures = [figure for bench in BENCHES for figure in bench(subject, conditions)]
        found[subject] = figures
        print(f"\n{subject}")
        print_figures(figures, [remark(figure, targets.get(subject, {})) for figure in figures])
    return found


def main(argv: Sequence[str] | None = None, results: Path = STEPS, conditions: Conditions | None = None) -> int:
    """Exit status 1, and no line, if what was timed is not sound. A missed target is only said."""
    argv = sys.argv[1:] if argv is None else argv
    given = arguments("benchmarks.run", __doc__, argv)
    conditions = conditions or (QUICK if given.quick else FULL)
    print(f"CPU time, one core; median (and range) of {conditions.repetitions} repetitions of {conditions.seconds:g} s")
    try:
        found = run(given.games, conditions)
    except AuditError as error:
        print(f"the audit fails: {error}", file=sys.stderr)
        return 1
    figures = {subject: as_json(measured) for subject, measured in found.items()}
    journal.append(results, "benchmarks.run", argv, {"conditions": asdict(conditions), "figures": figures}, "torch",
                   "stable_baselines3")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
