"""The cache of machine code: never stale, safe for two processes at once, and not where it cannot be written."""

import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from pepperenvs.core import jit
from pepperenvs.core.jit import PURE_PYTHON
from pepperenvs.drivers.game import Game, load

ROOT = Path(__file__).resolve().parent.parent

compiled_only = pytest.mark.skipif(PURE_PYTHON, reason="nothing is compiled, so nothing is cached")

# Guesses until a card is won, kernel by kernel, and prints the points.
PROGRAM = """
import numpy as np
from pepperenvs.drivers.game import load
game = load("heat_guess_v0")
blank = game.blank(game.spec.resolve(2, {"heats": 2}))
states = blank.copy()
game.prepare(states, 0, blank, 0, 0)
game.reset(states, 0)
while not states["score"].any():
    if states["pending"][0]:
        game.chance(states, 0)
    if not game.advance(states, 0):
        game.step(states, 0, 0)
print(states["score"].sum())
"""


class Checkout:
    """A copy of the package in a folder of its own, with a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cache = folder / "tree", folder / "cache"
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "pepperenvs", self.folder / "pepperenvs", ignore=ignored)

    def start(self, **environment: str) -> subprocess.Popen[str]:
        own = {"PEPPERENVS_CACHE_DIR": str(self.cache), "PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.Popen(
            [sys.executable, "-c", PROGRAM], cwd=self.folder, env={**os.environ, **own, **environment},
            text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def run(self, **environment: str) -> str:
        return finished(self.start(**environment))[0]

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.folder / "pepperenvs" / "games" / "heat_guess" / file
        source = path.read_text("utf-8")
        assert source.count(old) == 1
        path.write_text(source.replace(old, new), "utf-8")

    def files(self) -> dict[str, int]:
        """The cached files of the game with the time of their last change."""
        return {str(path): path.stat().st_mtime_ns for path in self.cache.glob("heat_guess-*/*")}


def finished(process: subprocess.Popen[str]) -> tuple[str, str]:
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out.strip(), err


@pytest.mark.slow
@compiled_only
def test_an_edit_is_never_served_stale_code_and_an_edit_of_the_text_costs_no_compilation(tmp_path: Path) -> None:
    checkout = Checkout(tmp_path)
    assert checkout.run() == "1"
    before = checkout.files()
    assert before
    checkout.edit("text.py", "Heat Guess: over", "Heat Guess: at an end")
    assert checkout.run() == "1"
    assert checkout.files() == before
    checkout.edit("rules.py", "state.score[state.to_move] += 1", "state.score[state.to_move] += 3")
    assert checkout.run() == "3"
    assert checkout.files().keys() > before.keys()


@pytest.mark.slow
@compiled_only
def test_two_processes_may_compile_at_once(tmp_path: Path) -> None:
    checkout = Checkout(tmp_path)
    for process in [checkout.start(), checkout.start()]:
        assert finished(process) == ("1", "")
    before = checkout.files()
    assert checkout.run() == "1" and checkout.files() == before


def test_a_cache_that_cannot_be_written_falls_back_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("PEPPERENVS_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.warns(RuntimeWarning, match=r"cannot be written .* Set PEPPERENVS_CACHE_DIR"):
        fallback = jit.cache_root.__wrapped__()
    assert fallback.is_dir() and fallback.parent == tmp_path


def test_the_cache_lies_where_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PEPPERENVS_CACHE_DIR", str(tmp_path / "here"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert jit.cache_root.__wrapped__() == tmp_path / "here"
    assert (tmp_path / "here").is_dir()


def test_old_digests_are_pruned_and_other_games_are_left_alone(tmp_path: Path) -> None:
    for age in range(jit.KEPT_DIGESTS + 3):
        folder = tmp_path / f"jungle-{age:016x}"
        folder.mkdir()
        os.utime(folder, (1000 - age, 1000 - age))
    (tmp_path / "jungle-two-0123").mkdir()
    jit._prune(tmp_path / "jungle-0000000000000000")
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == [*(f"jungle-{age:016x}" for age in range(jit.KEPT_DIGESTS)), "jungle-two-0123"]


ENTRIES = (
    "prepare", "turn", "show", "observe", "legal", "step", "reset", "chance", "advance", "bot", "audit", "resample",
    "utilities",
)  # fmt: skip


@compiled_only
def test_every_function_of_a_game_can_be_cached(game: str, uncached_is_error: None) -> None:
    """Numba refuses, with a warning only, to cache what refers to a large global array."""
    fresh = Game(load(game).spec)
    for name in ENTRIES:
        getattr(fresh, name)
    kept = jit.cache_folder(fresh.spec.folder)
    for name in ENTRIES:
        template = f"{name}_at"
        assert list(kept.glob(f"*{template}*.nbi")) and list(kept.glob(f"*{template}*.nbc")), f"{template} is not kept"
