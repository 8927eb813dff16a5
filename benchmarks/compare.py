"""Two revisions timed against each other on one machine: by how much is the second slower than the first?

    python -m benchmarks.compare [A [B]] [--game GAME …] [--quick] [--fail-above RATIO] [--ci] [--keep]

A and B are Git revisions; B is the working tree as it is (`.`) if it is not named. A is then the last tag before B, or,
where there is none, the first commit before B that has benchmarks and can run every loop of this comparison.

**How.** Each revision lives in a process of its own, which imports the exported tree and plays a slice of some
hundredths of a second when it is told to. Only one of the two runs at a time, in the order A B, B A, A B, …, and both
on the same core (where the system lets us choose): what else the machine does strikes both alike. On cores of their
own, equal trees came out up to 17 % apart on a machine that was busy otherwise, on one core within 6 %. Both play the
same number of moves a slice. A pair of slices gives one ratio of process CPU times, B/A; the figure is the median of
the ratios, with the sign test's interval, which assumes nothing about how they are distributed. Kernels are compiled
before. Where code and data happen to lie in memory differs from process to process, which no number of slices averages
out: without --quick the pairs come from several processes, and even so a difference of some percent may mean nothing.

**--fail-above 1.3.** The exit status is 1 if the *lower end of the interval*, and so the ratio too, is beyond 1.3. The
ratio alone would fail now and then on a machine with noisy neighbours, where single slices take twice as long; an
interval that reaches below the limit says that nothing is certain. What fails is measured again, with more pairs in new
processes, and counts only if it fails again.

**--ci.** Where there is nothing to compare with (no Git, no history in a shallow clone, no such commit, no earlier
commit that runs) the program says "skipped" and returns 0, where it otherwise returns 2.

Games that only one revision knows are left out, as is whatever a revision lacks, and games whose numbers of actions or
observation cells, or defaults of options, differ; all are named. Nothing is audited here: bench_steps.py does that.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import compare_child, journal
from pepperenvs.bench import Figure, number
from pepperenvs.core.jit import cache_root

COMPARE = journal.RESULTS / "compare.jsonl"
WORKING_TREE = "."
CONFIDENCE = 0.95
KEPT_CACHES = 4  # of revisions compared last


class Known(NamedTuple):
    """What there is to know of a figure of compare_child: its loop, label, unit, and how many units are a second."""

    loop: str
    label: str
    unit: str
    scale: float


FIGURES = {
    "rollout": Known("rollout", f"random play in kernels, {compare_child.ROLLOUT_GAMES} games", "ns/move", 1e9),
    "batch_step": Known("batch", f"Batch.step, {compare_child.BATCH_GAMES:,} games", "µs", 1e6),
    "batch_sample": Known("batch", f"Batch.sample_actions, {compare_child.BATCH_GAMES:,} games", "µs", 1e6),
    "aec": Known("aec", "env(): last() + step()", "µs/move", 1e6),
    "aec_raw": Known("aec_raw", "raw_env(): last() + step()", "µs/move", 1e6),
}
LABEL_WIDTH = max(len(known.label) for known in FIGURES.values())


@dataclass(frozen=True)
class Conditions:
    """How long a comparison measures.

    rounds     pairs of fresh processes
    pairs      of slices, in each round
    seconds    CPU time of a slice, about, in the slower revision
    """

    rounds: int
    pairs: int
    seconds: float

    @property
    def again(self) -> Conditions:
        """How long what is beyond the limit is measured again."""
        return replace(self, rounds=max(3, 2 * self.rounds))


FULL = Conditions(rounds=5, pairs=20, seconds=0.05)
QUICK = Conditions(rounds=1, pairs=20, seconds=0.03)


class NothingToCompare(Exception):
    """There is no revision to compare with; the message says why."""


class ChildError(Exception):
    """A revision could not do what it was asked for; the message is its answer."""


# ---------------------------------------------------------------------------------------------- statistics


def interval(ratios: Sequence[float]) -> tuple[float, float]:
    """The sign test's interval of the median, at least 95 % sure: the j-th smallest and the j-th largest value.

    j is the largest number for which fewer than j of n fair coins show heads with a chance of at most 2.5 % (Conover,
    Practical Nonparametric Statistics, 3.2). Raises ValueError for fewer than 6 values, for which there is none.
    """
    ordered, n = sorted(ratios), len(ratios)
    tail, rank = 0, 0
    while tail + math.comb(n, rank) <= (1 - CONFIDENCE) / 2 * 2**n:
        tail += math.comb(n, rank)
        rank += 1
    if rank == 0:
        raise ValueError(f"an interval takes at least 6 pairs, not {n}")
    return ordered[rank - 1], ordered[n - rank]


@dataclass(frozen=True)
class Comparison:
    """One figure of both revisions; values[k] of `a` and of `b` are a pair."""

    a: Figure
    b: Figure

    @property
    def ratios(self) -> list[float]:
        """B's time over A's, pair by pair: above 1 if B is slower."""
        return [b / a for a, b in zip(self.a.values, self.b.values, strict=True)]

    @property
    def ratio(self) -> float:
        return statistics.median(self.ratios)

    @property
    def interval(self) -> tuple[float, float]:
        return interval(self.ratios)

    def is_beyond(self, limit: float) -> bool:
        """Whether B is surely slower than A by more than the factor `limit`; the ratio is never below the interval."""
        return self.interval[0] > limit

    def line(self) -> str:
        """For people."""
        low, high = self.interval
        medians = f"{number(self.a.median):>9} {number(self.b.median):>9} {self.a.unit:<8}"
        return (f"  {self.a.label:<{LABEL_WIDTH}} {medians}{self.ratio:>7.3f}  ({low:.3f} – {high:.3f})")  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        """For the file of results; four digits count."""
        low, high = self.interval
        values = {"a": self.a.median, "b": self.b.median, "ratio": self.ratio, "low": low, "high": high}
        rounded = {key: float(f"{value:.4g}") for key, value in values.items()}
        return {"unit": self.a.unit, **rounded, "pairs": len(self.ratios)}


# ----------------------------------------------------------------------------------------------- revisions


@dataclass(frozen=True)
class Revision:
    """A tree to be timed.

    name         for people
    commit       its hash; "working tree" if it is none
    folder       holds the package pepperenvs
    cache        folder of its compiled kernels; None: the usual one
    """

    name: str
    commit: str
    folder: Path
    cache: Path | None


def git(*arguments: str) -> bytes:
    """What Git prints. Raises NothingToCompare if there is no Git, and with Git's words if it refuses."""
    try:
        done = subprocess.run(["git", *arguments], cwd=journal.ROOT, capture_output=True)
    except OSError as error:
        raise NothingToCompare(f"there is no git command ({error.strerror})") from None
    if done.returncode:
        words = done.stderr.decode(errors="replace").strip().removeprefix("fatal: ")
        raise NothingToCompare(f"git {arguments[0]}: {words or done.returncode}")
    return done.stdout


def _line(*arguments: str) -> str:
    return git(*arguments).decode().strip()


def commit_of(name: str) -> str:
    """The hash of a revision. Raises NothingToCompare if this checkout does not hold it, or is none."""
    if Path(_line("rev-parse", "--show-toplevel")).resolve() != journal.ROOT.resolve():
        raise NothingToCompare("this copy of the files is no checkout, but lies within another one")
    try:
        return _line("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    except NothingToCompare:
        raise NothingToCompare(f"there is no commit {name!r} here{_if_shallow()}") from None


def _if_shallow() -> str:
    shallow = _line("rev-parse", "--is-shallow-repository") == "true"
    return "; the clone is shallow, so its history is cut off: git fetch --unshallow --tags" if shallow else ""


def baselines(b: str) -> list[str]:
    """Hashes that A may be where only B is named, to be tried in this order: the last tag, or commits from the first.

    b    a revision, or WORKING_TREE; without changes it is its commit, and so compared with what came before that

    Raises NothingToCompare if nothing comes before.
    """
    head = commit_of("HEAD" if b == WORKING_TREE else b)
    is_changed = b == WORKING_TREE and _line("status", "--porcelain", "--", "pepperenvs") != ""
    tip = head if is_changed else _parent(head)
    with contextlib.suppress(NothingToCompare):  # no tag
        return [commit_of(_line("describe", "--tags", "--abbrev=0", tip))]
    if cut := _if_shallow():
        raise NothingToCompare(f"there is no tag here{cut}")
    found = _line("rev-list", "--reverse", "--first-parent", tip, "--", "benchmarks").split()
    if not found:
        raise NothingToCompare("no commit before this one has benchmarks")
    return found


def _parent(commit: str) -> str:
    try:
        return commit_of(f"{commit}^")
    except NothingToCompare:
        raise NothingToCompare(f"nothing comes before commit {commit[:7]} here{_if_shallow()}") from None


def export(name: str, folder: Path) -> Revision:
    """Write a revision's package into a new folder below `folder`. Raises NothingToCompare as `commit_of`, and if the
    revision has no package."""
    if name == WORKING_TREE:
        place = folder / "working-tree"
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(journal.ROOT / "pepperenvs", place / "pepperenvs", ignore=ignored)
        return Revision("the working tree", "working tree", place, None)
    commit = commit_of(name)
    place = folder / commit
    with zipfile.ZipFile(io.BytesIO(git("archive", "--format=zip", commit, "pepperenvs"))) as archive:
        archive.extractall(place)
    about = _line("log", "-1", "--format=%h %cs %s", commit)
    return Revision(about, commit, place, kept_cache(_line("rev-parse", f"{commit}:pepperenvs")))


def kept_cache(tree: str) -> Path:
    """The folder of compiled kernels of a commit, by the hash of its package, so that it compiles once; those used
    longest ago are removed. Its own, lest a revision that misjudged what its kernels depend on gets another's."""
    folder = cache_root() / "compare" / tree[:16]
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    for old in sorted(folder.parent.iterdir(), key=os.path.getmtime)[:-KEPT_CACHES]:
        shutil.rmtree(old, ignore_errors=True)
    return folder


# ------------------------------------------------------------------------------------------------ children


class Child:
    """A process that imports a revision's tree, and answers as compare_child says.

    Raises ChildError if it imports another pepperenvs.
    """

    def __init__(self, revision: Revision) -> None:
        self.revision = revision
        own = {"PYTHONPATH": os.pathsep.join(filter(None, (str(revision.folder), os.environ.get("PYTHONPATH")))),
               "PYTHONHASHSEED": "0"}  # fmt: skip
        if revision.cache:
            own["PEPPERENVS_CACHE_DIR"] = str(revision.cache)
        # -P: the folder of the script, and so this checkout, is not on the path.
        self._process = subprocess.Popen(
            [sys.executable, "-P", compare_child.__file__], cwd=revision.folder, env={**os.environ, **own},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):  # it has ended
            self._process.communicate()

    def ask(self, *words: Any) -> dict[str, Any]:
        """Its answer. Raises ChildError if that is an error, or if the process has ended."""
        assert self._process.stdin and self._process.stdout
        try:
            self._process.stdin.write(json.dumps(words) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except OSError:
            line = ""
        if not line:
            raise ChildError(f"the process ended with status {self._process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise ChildError(answer["error"])
        return answer

    def pin(self, turn: int) -> None:
        """Keep it on one core, another at every turn, where the system can."""
        if hasattr(os, "sched_setaffinity"):
            cores = sorted(os.sched_getaffinity(0))
            os.sched_setaffinity(self._process.pid, {cores[turn % len(cores)]})

    def games(self) -> list[str]:
        """The ids of its games. Raises ChildError also if they are not this revision's."""
        about = self.ask("about")
        if not Path(about["file"]).resolve().is_relative_to(self.revision.folder.resolve()):
            raise ChildError(f"{self.revision.name} is in {self.revision.folder}, but what is imported {about['file']}")
        return list(about["games"])


Meaning = dict[str, Any]


@dataclass
class Survey:
    """What a revision can do.

    games      all ids it knows
    meaning    of a game: its sizes, and the defaults of its options; games that were looked at
    lacks      (game, loop) -> why that cannot be timed
    """

    games: list[str]
    meaning: dict[str, Meaning] = field(default_factory=dict)
    lacks: dict[tuple[str, str], str] = field(default_factory=dict)


def survey(revision: Revision, wanted: Sequence[str] | None = None) -> Survey:
    """Try every loop of every game, of those `wanted`, and so compile its kernels. Raises ChildError if the revision
    cannot be imported."""
    with Child(revision) as child:
        found = Survey(child.games())
        for game in found.games:
            if wanted is None or game in wanted:
                _survey_game(child, game, found)
    return found


def _survey_game(child: Child, game: str, found: Survey) -> None:
    for loop in compare_child.LOOPS:
        try:
            found.meaning[game] = child.ask("prepare", loop, game)["meaning"]
        except ChildError as error:
            found.lacks[game, loop] = str(error)


def first_that_runs(commits: Sequence[str], games: Sequence[str], folder: Path) -> tuple[Revision, Survey]:
    """The first of the commits that knows one of the games and runs every loop of those it knows; a single commit, a
    tag, is taken as it is. Raises NothingToCompare if there is none."""
    reasons = []
    for commit in commits:
        revision = export(commit, folder)
        try:
            found = survey(revision, games)
        except ChildError as error:
            reasons.append(f"{revision.name}: {error}")
            continue
        if len(commits) == 1 or (found.meaning and not found.lacks):
            return revision, found
        reasons.append(f"{revision.name}: {next(iter(found.lacks.values()), 'none of the games')}")
    raise NothingToCompare("no commit to compare with runs\n  " + "\n  ".join(reasons))


def left_out(a: Survey, b: Survey, wanted: Sequence[str]) -> dict[str, str]:
    """Which of the wanted games cannot be compared at all, and why."""
    reasons = {}
    for game in wanted:
        here = a.meaning.get(game, {}), b.meaning.get(game, {})
        differing = [key for key in here[0] if key in here[1] and here[0][key] != here[1][key]]
        if game not in a.games or game not in b.games:
            reasons[game] = f"only {'A' if game in a.games else 'B'} knows it"
        elif differing:
            changes = ", ".join(f"{key} {here[0][key]} and {here[1][key]}" for key in differing)
            reasons[game] = f"it does not mean the same: {changes}"
    return reasons


# ----------------------------------------------------------------------------------------------- measuring


def measure(a: Revision, b: Revision, game: str, loops: Sequence[str], conditions: Conditions) -> list[Comparison]:
    """Time loops of a game in both revisions. Raises ChildError if one of them fails."""
    spent: dict[str, tuple[list[float], list[float]]] = {}
    for turn in range(conditions.rounds):
        with Child(a) as child_a, Child(b) as child_b:
            for child in (child_a, child_b):
                child.games()
                child.pin(turn)
            for loop in loops:
                for slice_a, slice_b in _pairs(child_a, child_b, loop, game, conditions):
                    for name in slice_a:
                        values = spent.setdefault(name, ([], []))
                        values[0].append(slice_a[name])
                        values[1].append(slice_b[name])
    return [Comparison(_figure(name, of_a), _figure(name, of_b)) for name, (of_a, of_b) in spent.items()]


def _pairs(a: Child, b: Child, loop: str, game: str, conditions: Conditions
           ) -> Iterator[tuple[dict[str, float], dict[str, float]]]:  # fmt: skip
    """Slices of both, A before B and B before A by turns."""
    units = min(child.ask("calibrate", loop, game, conditions.seconds)["units"] for child in (a, b))
    for pair in range(conditions.pairs):
        if pair % 2 == 0:
            slice_a = a.ask("play", loop, game, units)
            yield slice_a, b.ask("play", loop, game, units)
        else:
            slice_b = b.ask("play", loop, game, units)
            yield a.ask("play", loop, game, units), slice_b


def _figure(name: str, seconds: Sequence[float]) -> Figure:
    known = FIGURES[name]
    return Figure(name, known.label, known.unit, tuple(known.scale * value for value in seconds))


def confirm(
    found: Sequence[Comparison], limit: float | None, measure_again: Callable[[str], Sequence[Comparison]]
) -> list[str]:
    """The names of the figures that are beyond the limit and are so again when their loop is measured anew."""
    beyond = [] if limit is None else [comparison.a.name for comparison in found if comparison.is_beyond(limit)]
    failed = []
    for loop in dict.fromkeys(FIGURES[name].loop for name in beyond):
        print(f"  beyond {limit:g}; measured again:")
        for comparison in measure_again(loop):
            if comparison.a.name in beyond:
                print(comparison.line(), flush=True)
                if limit is not None and comparison.is_beyond(limit):
                    failed.append(comparison.a.name)
    return failed


# ---------------------------------------------------------------------------------------------------- main


def compare(a: str | None, b: str, games: Sequence[str] | None, conditions: Conditions, limit: float | None
            ) -> tuple[dict[str, Any], list[str]]:  # fmt: skip
    """Compare and print; facts for the file of results, and the figures that failed.

    Raises NothingToCompare, and ChildError if a revision that could be timed at first then fails.
    """
    candidates = baselines(b) if a is None else [commit_of(a) if a != WORKING_TREE else a]
    with tempfile.TemporaryDirectory() as folder:
        of_b = export(b, Path(folder, "b"))
        with Child(of_b) as child:
            wanted = _checked(games, child.games())
        of_a, can_a = first_that_runs(candidates, wanted, Path(folder, "a"))
        can_b = survey(of_b, [game for game in wanted if game in can_a.games])
        _print_heading(of_a, of_b, conditions)
        reasons = left_out(can_a, can_b, wanted if games else [*dict.fromkeys([*can_b.games, *can_a.games])])
        for game, reason in reasons.items():
            print(f"\n{game}: left out, {reason}")
        figures, failed = {}, []
        for game in (game for game in wanted if game not in reasons):
            lacks = {"A": can_a.lacks, "B": can_b.lacks}
            figures[game], slower = _compare_game(of_a, of_b, game, lacks, conditions, limit)
            failed += [f"{game} {name}" for name in slower]
    if not any(figures.values()):
        raise NothingToCompare("there is no figure that both have")
    facts = {"a": of_a.commit, "b": of_b.commit, "conditions": asdict(conditions), "failed": failed, "figures": figures}
    return facts, failed


def _checked(asked: Sequence[str] | None, known: list[str]) -> list[str]:
    unknown = [game for game in asked or [] if game not in known]
    if unknown:
        raise ChildError(f"there is no game {unknown[0]!r}; there are {', '.join(known)}")
    return [game for game in known if not asked or game in asked]


def _print_heading(a: Revision, b: Revision, conditions: Conditions) -> None:
    print(f"A  {a.name}\nB  {b.name}")
    print(f"CPU time: medians of {conditions.rounds * conditions.pairs} pairs of slices of {conditions.seconds:g} s, "
          f"{conditions.rounds} pair(s) of processes; B/A above 1: B is slower", flush=True)  # fmt: skip


def _compare_game(
    a: Revision, b: Revision, game: str, lacks: Mapping[str, Mapping[tuple[str, str], str]], conditions: Conditions,
    limit: float | None,
) -> tuple[dict[str, Any], list[str]]:  # fmt: skip
    """Compare and print a game; its figures for the file of results, and the names of those that failed."""
    print(f"\n{game:<{LABEL_WIDTH + 2}} {'A':>9} {'B':>9} {'':<8}{'B/A':>7}  {CONFIDENCE:.0%} interval")
    reasons = [(loop, side, lacks[side][game, loop]) for loop in compare_child.LOOPS for side in lacks
               if (game, loop) in lacks[side]]  # fmt: skip
    for loop, side, reason in reasons:
        print(f"  {loop}: left out, {side} lacks it ({reason})")
    loops = [loop for loop in compare_child.LOOPS if loop not in {loop for loop, _, _ in reasons}]
    found = measure(a, b, game, loops, conditions) if loops else []
    for comparison in found:
        print(comparison.line(), flush=True)
    failed = confirm(found, limit, lambda loop: measure(a, b, game, [loop], conditions.again))
    return {comparison.a.name: comparison.as_json() for comparison in found}, failed


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Exits with status 2 if they are wrong."""
    parser = argparse.ArgumentParser("python -m benchmarks.compare", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("a", nargs="?", metavar="A", help="revision; the last tag, or the first commit that runs")
    parser.add_argument("b", nargs="?", metavar="B", default=WORKING_TREE, help="revision; the working tree: .")
    parser.add_argument("--game", action="append", metavar="GAME", help="compare this game alone; may be repeated")
    parser.add_argument("--quick", action="store_true", help="a short run")
    parser.add_argument("--fail-above", type=float, metavar="RATIO", help="exit status 1 if B is surely slower than so")
    parser.add_argument("--ci", action="store_true", help="exit status 0 if there is nothing to compare with")
    parser.add_argument("--keep", action="store_true", help="append a line to results/compare.jsonl")
    parsed = parser.parse_args(argv)
    if parsed.fail_above is not None and not parsed.fail_above >= 1:
        parser.error(f"--fail-above is a ratio from 1, not {parsed.fail_above:g}")
    return parsed


def main(argv: Sequence[str] | None = None, results: Path = COMPARE, conditions: Conditions | None = None) -> int:
    """Exit status 1 if a figure is beyond the limit, 2 if nothing could be compared."""
    given = arguments(argv)
    conditions = conditions or (QUICK if given.quick else FULL)
    try:
        facts, failed = compare(given.a, given.b, given.game, conditions, given.fail_above)
    except NothingToCompare as error:
        if given.ci:
            print(f"skipped: {error}")
            return 0
        print(f"benchmarks.compare: {error}", file=sys.stderr)
        return 2
    except ChildError as error:
        print(f"benchmarks.compare: {error}", file=sys.stderr)
        return 2
    if given.keep:
        named = [facts["a"], WORKING_TREE if given.b == WORKING_TREE else facts["b"]]
        flags = [flag for flag, is_set in (("--quick", given.quick), ("--ci", given.ci)) if is_set]
        journal.append(results, "benchmarks.compare", [*named, *flags], facts)
    if failed:
        print(f"\nslower by more than {given.fail_above:g}: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
