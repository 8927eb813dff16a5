"""A game outside this repository: the page in pepperenvs/testing is followed word by word, and what it says is true.

The game is Heat Guess under another name, so everything that it does can be compared.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest

import pepperenvs
from pepperenvs.drivers import ids
from tests.test_cache import PROGRAM, compiled_only

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "pepperenvs" / "testing" / "README.md"
GAME, PATTERN = "guess_again_v0", "heat_guess_v0"
CHECKS = ("structure", "actions", "saves", "playouts", "records", "secrecy")



def blocks(language: str) -> list[str]:
    """The blocks of code on the page that are in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


class Newcomer:
    """A folder in which somebody has done what the page says, with a cache of machine code of its own."""

    def __init__(self, folder: Path) -> None:
        self.tree, self.cache = folder / "elsewhere", folder / "cache"
        self.tree.mkdir()
        (commands,) = blocks("sh")
        self.run("sh", "-ec", commands)
        for block in blocks("python"):
            named = re.match(r"# (\S+\.py)\n", block)
            assert named, f"a block of Python does not begin with the name of its file: {block}"
            (self.tree / named[1]).write_text(block, "utf-8")

    def start(self, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """A finished process in the folder, for which `python` is this interpreter and pepperenvs this checkout."""
        own = {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PEPPERENVS_CACHE_DIR": str(self.cache),
        }
        known = {**os.environ, **own, **environment}
        return subprocess.run(command, cwd=self.tree, env=known, capture_output=True, text=True, check=False)

    def run(self, *command: str, **environment: str) -> str:
        """What a process that goes well prints."""
        done = self.start(*command, **environment)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def python(self, *arguments: str, **environment: str) -> str:
        return self.run(sys.executable, "-W", "error", *arguments, **environment)

    def test(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """The newcomer's own tests."""
        command = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", "test_guess_again.py", *arguments)
        return self.start(sys.executable, *command, **environment)

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.tree / "mygames" / "guess_again" / file
        source = path.read_text("utf-8")
        assert source.count(old) == 1
        path.write_text(source.replace(old, new), "utf-8")

    def digests(self) -> set[str]:
        """The folders of machine code of the game."""
        return {path.name for path in self.cache.glob("guess_again-*")}


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Newcomer:
    """One for all tests that edit nothing."""
    return Newcomer(tmp_path_factory.mktemp("newcomer"))


# ------------------------------------------------------------------------------------------------------ the game


def test_nothing_of_the_pattern_is_left(newcomer: Newcomer) -> None:
    files = [path for path in (newcomer.tree / "mygames").rglob("*") if path.suffix in (".py", ".md", ".csv")]
    assert {path.name for path in files} >= {"__init__.py", "__main__.py", "RULES.md", "rules.py", "spec.py"}
    for path in files:
        assert not re.search("heat.?guess", path.read_text("utf-8"), re.IGNORECASE), path


@pytest.mark.slow
@compiled_only
def test_the_newcomers_tests_pass(newcomer: Newcomer) -> None:
    done = newcomer.test("-rp")
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(f"PASSED test_guess_again.py::test_guess_again[check_{check}]" in done.stdout for check in CHECKS)
    assert "7 passed" in done.stdout
    assert len(newcomer.digests()) == 1 and not list(newcomer.cache.glob("heat_guess*"))
    compiled = {path.name.partition("-")[0] for path in newcomer.cache.glob("guess_again-*/*.nbc")}
    assert any("turn_at" in name for name in compiled) and any("resample_at" in name for name in compiled), compiled


# One fault for each check, which notices it in its first game: nothing is compiled.
FAULTS = {
    "structure": ("spec.py", "players=(1, MAX_SEATS, 2)", "players=(1, MAX_SEATS + 1, 2)", "do not fit the seats"),
    "actions": ("actions.py", 'f"say {heat + 1}"', 'f"say {heat // 2}"', "two actions have one string"),
    "saves": ("rules.py", "    return 0\n", "    return 5\n", "no position of guess_again_v0"),
    "playouts": ("view.py", "    out[_MOVES_LEFT] =", "    _ =", r"cells \[\d+\] are not written"),
    "records": ("record.py", "state.heat[kind] = heat[name]", "state.heat[kind] = 1", "imposed is another one"),
    "secrecy": ("view.py", "    for kind in range(state.kinds):", "    return\n    for kind in ():", "30 redraws"),
}


@pytest.mark.parametrize("check", ["secrecy", *(pytest.param(name, marks=pytest.mark.slow) for name in CHECKS[:-1])])
def test_a_planted_fault_is_noticed(check: str, tmp_path: Path) -> None:
    newcomer = Newcomer(tmp_path)
    file, old, new, said = FAULTS[check]
    newcomer.edit(file, old, new)
    done = newcomer.test("-k", check, NUMBA_DISABLE_JIT="1")
    assert done.returncode == 1 and "1 failed" in done.stdout, done.stdout + done.stderr
    assert re.search(rf"^E .*{said}", done.stdout, re.MULTILINE), done.stdout


# -------------------------------------------------------------------------------------------------- its surroundings


def played(game: str) -> dict[str, list[str]]:
    """What each driver tells of a game of random moves, as digests: equal for a game and its copy."""
    chooser = np.random.default_rng(3)

    def told(*values: object) -> str:
        whole = b"".join(np.asarray(value).tobytes() for value in values)
        return hashlib.sha256(whole).hexdigest()[:8]

    def legal(mask: np.ndarray) -> int:
        return int(chooser.choice(np.flatnonzero(mask)))

    found: dict[str, list[str]] = {"aec": [], "batch": [], "solo": []}
    env = pepperenvs.make_aec(game, num_players=3)
    env.reset(seed=5)
    for _ in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        assert observation is not None
        found["aec"].append(told(observation["observation"], info["action_mask"], reward))
        env.step(None if terminated or truncated else legal(info["action_mask"]))
    batch = pepperenvs.make_batch(game, 4, seed=5)
    for _ in range(50):
        batch.step(batch.sample_actions())
        found["batch"].append(told(batch.observation, batch.action_mask, batch.seat))
    solo = gymnasium.make(ids.gymnasium_id(game), opponents="bot")
    seen, info = solo.reset(seed=5)
    over = False
    while not over:
        found["solo"].append(told(seen, info["action_mask"]))
        seen, reward, terminated, truncated, info = solo.step(legal(info["action_mask"]))
        over = terminated or truncated
    found["solo"].append(told(seen, reward))
    return found


_PLAYED = """
import json
import mygames
from tests import test_third_game
print(json.dumps(test_third_game.played("guess_again_v0")))
"""

_NAMES = """
import gymnasium
env = gymnasium.make("mygames:pepperenvs/GuessAgain-v0")  # nothing of ours is imported before
import pepperenvs
assert env.unwrapped.reset(seed=1)[0].shape == pepperenvs.game("guess_again_v0").layout.low.shape
assert "guess_again_v0" in pepperenvs.games() and "heat_guess_v0" in pepperenvs.games()
from pepperenvs import guess_again_v0
assert guess_again_v0.raw_env(num_players=3).metadata["name"] == "guess_again_v0"
import pettingzoo
if hasattr(pettingzoo, "make"):
    assert str(pettingzoo.make("aec", "pepperenvs/guess_again_v0", num_players=3)) == "guess_again_v0"
"""


def test_all_libraries_know_its_names(newcomer: Newcomer) -> None:
    newcomer.python("-c", _NAMES, NUMBA_DISABLE_JIT="1")
    assert "pepperenvs/GuessAgain-v0" not in gymnasium.registry


@pytest.mark.slow
def test_every_driver_plays_it_as_the_game_that_it_is_a_copy_of(newcomer: Newcomer) -> None:
    found, pattern = json.loads(newcomer.python("-c", _PLAYED)), played(PATTERN)
    assert found == pattern and all(len(set(steps)) > 5 for steps in pattern.values())


def test_the_command_line_knows_it(newcomer: Newcomer) -> None:
    def run(*arguments: str) -> str:
        return newcomer.python("-m", "mygames", *arguments, NUMBA_DISABLE_JIT="1")

    assert re.search(rf"^{GAME} +Guess Again: guess the heat", run("list"), re.MULTILINE)
    assert run("info", GAME).startswith(f"Guess Again ({GAME}): ")
    assert "standing [" in run("play", GAME, "--agents", "bot", "--seed", "3")
    run("record", GAME, "--seed", "3", "--out", "games.jsonl")
    assert json.loads((newcomer.tree / "games.jsonl").read_text("utf-8").splitlines()[0])["game"] == GAME
    assert run("replay", "games.jsonl", "--check").endswith("ok\n")


# Guesses until a card is won, with few functions, and prints the points.
_SCORED = "import mygames\n" + PROGRAM.replace("heat_guess_v0", GAME)


@pytest.mark.slow
@compiled_only
def test_an_edit_of_its_sources_is_noticed(tmp_path: Path) -> None:
    newcomer = Newcomer(tmp_path)
    assert newcomer.python("-c", _SCORED) == "1\n"
    before = newcomer.digests()
    newcomer.edit("text.py", "Guess Again: over", "Guess Again: at an end")
    assert newcomer.python("-c", _SCORED) == "1\n" and newcomer.digests() == before
    newcomer.edit("rules.py", "state.score[state.to_move] += 1", "state.score[state.to_move] += 3")
    assert newcomer.python("-c", _SCORED) == "3\n"
    assert len(before) == 1 and len(newcomer.digests()) == 2
