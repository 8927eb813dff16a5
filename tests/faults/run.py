"""Put each listed fault into a copy of a game; some test must notice it.

    python -m tests.faults.run [GAME …]

A list, <game>.toml, holds entries of this form:

    [[fault]]
    what = "the spoon goes to the last seat"        what a player would call the mistake
    file = "playing.py"                             in the game's folder
    old = "state.spoon = state.turn_order[0]"       found exactly once in the file
    new = "state.spoon = state.turn_order[-1]"
    tests = "spoon"                                 optional: which of the game's tests must notice, as for `pytest -k`

The tests are the game's own and its quick games against the twin, run as pure Python: nothing is compiled.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LISTS = Path(__file__).resolve().parent
SECONDS = 300  # a fault may also make a game endless


@dataclass(frozen=True)
class Fault:
    """One line of a game's rules gone wrong."""

    game: str
    what: str
    file: str
    old: str
    new: str
    tests: str = ""

    def path(self) -> Path:
        """The source that holds the line, relative to the root. Raises LookupError if the entry is stale."""
        path = Path("pepperenvs", "games", self.game, self.file)
        found = (ROOT / path).read_text("utf-8").count(self.old) if (ROOT / path).is_file() else 0
        if found != 1:
            raise LookupError(f"{self.game}: {self.what!r} is stale: {self.old!r} stands in {self.file} {found} times")
        return path


def listed(game: str) -> list[Fault]:
    """The faults of a game. Raises TypeError for an unknown or a missing key."""
    entries = tomllib.loads((LISTS / f"{game}.toml").read_text("utf-8"))["fault"]
    return [Fault(game=game, **entry) for entry in entries]


def games() -> list[str]:
    return sorted(path.stem for path in LISTS.glob("*.toml"))


def is_noticed(fault: Fault) -> tuple[bool, str]:
    """Whether a test of the game fails with the fault, and which."""
    with tempfile.TemporaryDirectory(prefix="pepperenvs-fault-") as folder:
        tree = Path(folder)
        for name in ("pepperenvs", "tests", "pyproject.toml"):
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, tree / name)
        source = tree / fault.path()
        source.write_text(source.read_text("utf-8").replace(fault.old, fault.new), "utf-8")
        return tested(fault, tree)


def tested(fault: Fault, tree: Path) -> tuple[bool, str]:
    selection = [f"tests/games/test_{fault.game}.py", "tests/conformance/test_twin.py"]
    chosen = f"({fault.tests or fault.game}) or (test_twin and {fault.game})"
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider", "-m", "not slow",
               "--timeout", str(SECONDS), "-k", chosen, *selection]  # fmt: skip
    own = {"NUMBA_DISABLE_JIT": "1", "PEPPERENVS_CACHE_DIR": str(tree / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=tree, env={**os.environ, **own}, capture_output=True, text=True, check=False)
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if done.returncode == 0:
        return False, "no test notices"
    if done.returncode == 1 and failed:
        return True, failed[0].split(" - ")[0].rpartition("::")[2]
    raise RuntimeError(f"{fault.game}: {fault.what}: pytest ended with {done.returncode}\n{done.stdout}{done.stderr}")


def results(faults: list[Fault]) -> Iterator[tuple[Fault, bool, str, float]]:
    """Each fault with whether it is noticed, by what, and in how many seconds."""

    def timed(fault: Fault) -> tuple[Fault, bool, str, float]:
        start = time.perf_counter()
        return fault, *is_noticed(fault), time.perf_counter() - start

    with ThreadPoolExecutor(os.cpu_count()) as workers:
        yield from workers.map(timed, faults)


def main(names: list[str]) -> int:
    faults = [fault for game in names or games() for fault in listed(game)]
    for fault in faults:
        fault.path()
    missed = 0
    for fault, noticed, by, seconds in results(faults):
        missed += not noticed
        print(
            f"{'noticed' if noticed else 'MISSED ':7}  {seconds:5.1f} s  {fault.game}: {fault.what}  [{by}]", flush=True
        )
    print(f"{len(faults) - missed} of {len(faults)} faults are noticed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
