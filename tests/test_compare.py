"""Two revisions timed against each other: a planted slow-down is found, and what cannot be compared is said."""

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import compare, compare_child, journal
from benchmarks.compare import ChildError, Comparison, Conditions, NothingToCompare, Revision, Survey
from pepperenvs import registry
from pepperenvs.bench import Figure
from pepperenvs.core.jit import PURE_PYTHON
from pepperenvs.drivers.game import load
from tests.test_benchmarks import check_is_public

ROOT = Path(__file__).resolve().parent.parent
GAME = registry.games()[0]
SHORTEST = Conditions(rounds=1, pairs=6, seconds=0.001)

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="needs Git")
compiled_only = pytest.mark.skipif(PURE_PYTHON, reason="the slices are too long in pure Python")


def comparison(ratios: Sequence[float], name: str = "aec") -> Comparison:
    """Pairs with these ratios, the times of A all different."""
    times = [1.0 + index for index in range(len(ratios))]
    slower = tuple(time * ratio for time, ratio in zip(times, ratios, strict=True))
    return Comparison(Figure(name, "it", "µs", tuple(times)), Figure(name, "it", "µs", slower))


# ---- statistics ----


@pytest.mark.parametrize(("pairs", "rank"), [(6, 1), (8, 1), (9, 2), (15, 4), (20, 6), (25, 8), (100, 40)])
def test_the_interval_of_a_median_is_that_of_the_tables(pairs: int, rank: int) -> None:
    """Ranks as tabulated for the sign test at 95 %."""
    values = [float(value) for value in range(pairs, 0, -1)]
    assert compare.interval(values) == (rank, pairs + 1 - rank)


def test_five_pairs_have_no_interval() -> None:
    with pytest.raises(ValueError, match="at least 6 pairs, not 5"):
        compare.interval([1.0] * 5)


def test_ratios_are_taken_pair_by_pair() -> None:
    found = comparison([1.5] * 7)
    assert found.ratio == pytest.approx(1.5) and found.interval == pytest.approx((1.5, 1.5))
    assert found.b.median / found.a.median == pytest.approx(1.5)
    assert found.as_json() == {"unit": "µs", "a": 4.0, "b": 6.0, "ratio": 1.5, "low": 1.5, "high": 1.5, "pairs": 7}
    assert "1.500  (1.500 – 1.500)" in found.line()


@pytest.mark.parametrize(
    ("ratios", "is_beyond"),
    [
        ([1.75] * 9, True),
        ([1.5] * 9, False),
        ([0.5] * 9, False),
        ([1.0, *[1.75] * 8], True),  # one odd slice of nine says nothing
        ([1.0, 1.25, *[1.75] * 7], False),  # the median is beyond, the interval reaches below
    ],
)
def test_beyond_is_what_the_whole_interval_is(ratios: Sequence[float], is_beyond: bool) -> None:
    assert comparison(ratios).is_beyond(1.5) is is_beyond


class Again:
    """Measures again, and says what it was asked for."""

    def __init__(self, *found: Comparison) -> None:
        self.found, self.asked = found, list[str]()

    def __call__(self, loop: str) -> Sequence[Comparison]:
        self.asked.append(loop)
        return [one for one in self.found if compare.FIGURES[one.a.name].loop == loop]


SLOW, FINE = [2.0] * 9, [1.0] * 9


def test_what_is_beyond_twice_has_failed() -> None:
    first = [comparison(SLOW, "batch_step"), comparison(SLOW, "batch_sample"), comparison(FINE, "aec")]
    again = Again(comparison(SLOW, "batch_step"), comparison(FINE, "batch_sample"), comparison(SLOW, "aec"))
    assert compare.confirm(first, 1.3, again) == ["batch_step"]
    assert again.asked == ["batch"]


def test_what_was_fine_the_first_time_has_not_failed() -> None:
    first = [comparison(SLOW, "batch_step"), comparison(FINE, "batch_sample")]
    assert compare.confirm(first, 1.3, Again(comparison(FINE, "batch_step"), comparison(SLOW, "batch_sample"))) == []


def test_without_a_limit_nothing_is_measured_again() -> None:
    again = Again()
    assert compare.confirm([comparison(SLOW)], None, again) == [] == again.asked


def test_what_is_measured_again_has_more_pairs() -> None:
    for conditions in (compare.QUICK, compare.FULL):
        assert conditions.again.rounds >= 2 * conditions.rounds and conditions.again.pairs == conditions.pairs


def test_games_that_only_one_knows_or_that_differ_are_left_out() -> None:
    a = Survey(["same", "older", "changed", "option"], {"same": {"actions": 3}, "changed": {"actions": 3, "cells": 5},
                                                        "option": {"actions": 3}})  # fmt: skip
    b = Survey(["same", "newer", "changed", "option"], {"same": {"actions": 3}, "changed": {"actions": 4, "cells": 5},
                                                        "option": {"actions": 3, "new": 1}})  # fmt: skip
    assert compare.left_out(a, b, ["same", "older", "newer", "changed", "option"]) == {
        "older": "only A knows it",
        "newer": "only B knows it",
        "changed": "it does not mean the same: actions 3 and 4",
    }


# ---- repositories ----

# A package with what compare_child asks for, of two games; everything takes a tenth of a millisecond of CPU time.
FAKE = '''
import time
import numpy as np

def work(seconds=1e-4):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass

def games():
    return ("one_v0", "two_v0")

class make_batch:
    def __init__(self, game, num_envs, seed):
        self.options = {"num_players": 2}
        self.action_mask, self.observation = np.ones((num_envs, 3), np.int8), np.zeros((num_envs, 5), np.int16)
    def sample_actions(self):
        work()
    def step(self, actions):
        work()
    def random_rollout(self, moves):
        work()
        return 64 * moves, 1, 1.0

class make_aec:
    def __init__(self, game):
        self.moves = 0
    def reset(self, seed=None):
        self.moves = 0
    def last(self):
        return {"action_mask": np.ones(3, np.int8)}, 0.0, self.moves > 9, False, {}
    def step(self, action):
        assert self.moves <= 9
        self.moves += 1
        work(1e-5)

class one_v0:
    def raw_env():
        return make_aec("one_v0")

two_v0 = one_v0
'''
SLOWER = ("def step(self, actions):\n        work()", "def step(self, actions):\n        work(2e-4)")


class Repository:
    """A checkout of a history that the test writes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.git("init", "--quiet")

    def git(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.folder, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def write(self, file: str, text: str) -> None:
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def edit(self, file: str, old: str, new: str) -> None:
        text = (self.folder / file).read_text("utf-8")
        assert old in text
        self.write(file, text.replace(old, new))

    def commit(self) -> str:
        """Its hash; there need not be a change."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "a change")
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """An empty one, which is what gets compared."""
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a",
                "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a",
                "GIT_COMMITTER_EMAIL": "a@example.org"}  # fmt: skip
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(journal, "ROOT", tmp_path / "checkout")
    monkeypatch.setattr(compare, "kept_cache", lambda tree: tmp_path / "cache" / tree)
    return Repository(tmp_path / "checkout")


@pytest.fixture
def fake(repository: Repository) -> Repository:
    """The fake package and an empty benchmarks, in one commit."""
    repository.write("benchmarks/__init__.py", "")
    repository.write("pepperenvs/__init__.py", FAKE)
    repository.commit()
    return repository


# ---- which revision is compared with ----


@needs_git
def test_the_last_tag_before_it_is_compared_with(fake: Repository) -> None:
    tagged = fake.git("rev-parse", "HEAD")
    fake.git("tag", "v1")
    fake.commit()
    fake.git("tag", "v2")
    fake.commit()
    assert compare.baselines("v2") == [tagged]
    assert compare.baselines(".") == [fake.git("rev-parse", "v2")]


@needs_git
def test_a_tagged_checkout_is_compared_with_an_earlier_tag_unless_it_is_edited(fake: Repository) -> None:
    first = fake.git("rev-parse", "HEAD")
    fake.git("tag", "v1")
    second = fake.commit()
    fake.git("tag", "v2")
    assert compare.baselines(".") == [first]
    fake.write("pepperenvs/new.py", "")
    assert compare.baselines(".") == [second]


@needs_git
def test_without_a_tag_commits_are_tried_from_the_first_with_benchmarks(repository: Repository) -> None:
    repository.write("pepperenvs/__init__.py", FAKE)
    repository.commit()
    tried = []
    for text in ("", "# more"):
        repository.write("benchmarks/__init__.py", text)
        tried.append(repository.commit())
    repository.write("pepperenvs/new.py", "")
    repository.commit()
    assert compare.baselines(".") == tried


@needs_git
def test_the_first_that_runs_is_taken(fake: Repository, tmp_path: Path) -> None:
    good = fake.git("rev-parse", "HEAD")
    commits = [good]
    for source in ("raise ImportError('no more')", FAKE.replace("random_rollout", "rollout"), FAKE):
        fake.write("pepperenvs/__init__.py", source)
        commits.append(fake.commit())
    revision, found = compare.first_that_runs(commits[1:], ["one_v0"], tmp_path / "trees")
    assert revision.commit == commits[3] and [*found.meaning] == ["one_v0"]
    with pytest.raises(NothingToCompare, match=r"(?s)no commit.*ImportError: no more.*'random_rollout'"):
        compare.first_that_runs(commits[1:3], ["one_v0"], tmp_path / "others")


# ---- what is missing ----


def skipped(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    """What is said of missing history, without --ci and with it."""
    assert compare.main(argv) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("benchmarks.compare: ")
    assert compare.main([*argv, "--ci"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("skipped: ") and err == ""
    return out


@needs_git
def test_without_a_repository_it_is_skipped(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(repository.folder / ".git")
    assert "not a git repository" in skipped(capsys)


@needs_git
def test_a_repository_around_it_is_none_of_its_own(
    fake: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(journal, "ROOT", fake.folder / "pepperenvs")
    assert "lies within another one" in skipped(capsys, "HEAD")


def test_without_git_it_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "there is no git command" in skipped(capsys)


@needs_git
def test_an_unknown_commit_is_skipped(fake: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    assert "there is no commit 'v9' here" in skipped(capsys, "v9")
    assert "there is no commit 'v9' here" in skipped(capsys, "HEAD", "v9")


@needs_git
def test_a_first_commit_has_nothing_before_it(fake: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    assert "nothing comes before commit" in skipped(capsys)


@needs_git
@pytest.mark.parametrize("depth", ["1", "2"])
def test_a_shallow_clone_says_so(
    fake: Repository, tmp_path: Path, depth: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(3):
        fake.commit()
    fake.git("clone", "--quiet", "--depth", depth, fake.folder.as_uri(), str(tmp_path / "clone"))
    monkeypatch.setattr(journal, "ROOT", tmp_path / "clone")
    assert "the clone is shallow" in skipped(capsys)


@needs_git
def test_nothing_in_common_is_nothing_to_compare(fake: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    fake.edit("pepperenvs/__init__.py", '("one_v0", "two_v0")', '("three_v0",)')
    assert compare.main(["HEAD", "--ci"], conditions=SHORTEST) == 0
    assert "one_v0: left out, only A knows it" in (out := capsys.readouterr().out)
    assert out.endswith("skipped: there is no figure that both have\n")


@needs_git
def test_a_working_tree_that_does_not_run_is_never_skipped(
    fake: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.write("pepperenvs/__init__.py", "raise ImportError('not today')")
    assert compare.main(["HEAD", "--ci"]) == 2
    assert "ImportError: not today" in capsys.readouterr().err


@pytest.mark.parametrize("argv", [["--fail-above", "0.9"], ["--fail-above", "nan"], ["a", "b", "c"]])
def test_wrong_arguments_are_refused(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        compare.main(argv)
    assert refused.value.code == 2 and "error: " in capsys.readouterr().err


@needs_git
def test_an_unknown_game_is_refused(fake: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare.main(["HEAD", "--game", "chess_v0"]) == 2
    assert "there is no game 'chess_v0'; there are one_v0, two_v0" in capsys.readouterr().err


# ---- children ----


@needs_git
def test_a_child_imports_its_own_tree(fake: Repository, tmp_path: Path) -> None:
    fake.edit("pepperenvs/__init__.py", "two_v0", "three_v0")
    commit, tree = (compare.export(name, tmp_path / "trees") for name in ("HEAD", "."))
    with compare.Child(commit) as a, compare.Child(tree) as b:
        assert a.games() == ["one_v0", "two_v0"] and b.games() == ["one_v0", "three_v0"]
        assert Path(a.ask("about")["file"]) == commit.folder / "pepperenvs" / "__init__.py"
    assert commit.cache is not None and tree.cache is None


def test_a_child_that_imports_another_tree_is_refused(tmp_path: Path) -> None:
    with (
        compare.Child(Revision("it", "it", tmp_path, None)) as child,
        pytest.raises(ChildError, match=r"what is imported|No module named"),
    ):
        child.games()


@needs_git
def test_a_child_that_dies_is_an_error(fake: Repository, tmp_path: Path) -> None:
    fake.write("pepperenvs/__init__.py", FAKE.replace("work(seconds=1e-4):", "work(seconds=1e-4):\n    exit(3)"))
    with compare.Child(compare.export(".", tmp_path / "tree")) as child:
        assert child.games() == ["one_v0", "two_v0"]
        for _ in range(2):
            with pytest.raises(ChildError, match="the process ended with status 3"):
                child.ask("prepare", "rollout", "one_v0")


def test_slices_alternate_and_both_play_as_many_units() -> None:
    asked: list[tuple[Any, ...]] = []

    class Told:
        def __init__(self, name: str, units: int) -> None:
            self.name, self.units = name, units

        def ask(self, *words: Any) -> dict[str, Any]:
            asked.append((self.name, *words))
            return {"units": self.units} if words[0] == "calibrate" else {"aec": 1.0 if self.name == "A" else 2.0}

    a: Any = Told("A", 7)
    b: Any = Told("B", 5)
    pairs = [*compare._pairs(a, b, "aec", "one_v0", Conditions(rounds=1, pairs=3, seconds=0.1))]
    assert pairs == [({"aec": 1.0}, {"aec": 2.0})] * 3
    played = [words for words in asked if words[1] == "play"]
    assert "".join(words[0] for words in played) == "ABBAAB" and all(words[-1] == 5 for words in played)


@pytest.mark.parametrize("loop", compare_child.LOOPS)
def test_every_loop_plays_every_game(game: str, loop: str) -> None:
    assert compare_child.calibrate(loop, game, 1e-6) == {"units": 1}
    seconds = compare_child.play(loop, game, 2)
    assert [*seconds] == [name for name, known in compare.FIGURES.items() if known.loop == loop]
    assert all(0 < value < 1 for value in seconds.values())
    meaning = compare_child.prepare(loop, game)["meaning"]
    assert meaning["num_players"] == load(game).spec.players[2]
    assert json.loads(json.dumps(meaning, default=str))["actions"] == load(game).spec.actions.size


def test_caches_of_the_revisions_compared_last_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "cache_root", lambda: tmp_path)
    for age in range(compare.KEPT_CACHES + 2):
        folder = compare.kept_cache(f"{age}" * 40)
        os.utime(folder, (1000 + age, 1000 + age))
    assert sorted(path.name[0] for path in (tmp_path / "compare").iterdir()) == ["2", "3", "4", "5"]


# ---- the whole ----


@needs_git
def test_a_planted_slow_down_fails(fake: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    fake.edit("pepperenvs/__init__.py", *SLOWER)
    assert compare.main(["--game", "one_v0", "--fail-above", "1.3"], conditions=SHORTEST) == 1
    out, err = capsys.readouterr()
    assert err == "\nslower by more than 1.3: one_v0 batch_step\n"
    assert out.count("beyond 1.3; measured again:") == 1 and "the working tree" in out


@needs_git
def test_a_planted_slow_down_without_a_limit_is_only_said(
    fake: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.edit("pepperenvs/__init__.py", *SLOWER)
    path = tmp_path / "new" / "compare.jsonl"
    assert compare.main(["--keep", "--game", "one_v0"], path, SHORTEST) == 0
    (line,) = map(json.loads, path.read_text("utf-8").splitlines())
    assert line["command"] == f"python -m benchmarks.compare {fake.git('rev-parse', 'HEAD')} ."
    assert line["b"] == "working tree" and line["failed"] == [] and line["commit"].endswith("-dirty")
    assert [*line["figures"]] == ["one_v0"] and [*line["figures"]["one_v0"]] == [*compare.FIGURES]
    assert line["figures"]["one_v0"]["batch_step"]["ratio"] == pytest.approx(2, rel=0.2)
    check_is_public(path)
    assert "measured again" not in capsys.readouterr().out


@needs_git
def test_equal_trees_are_equal_and_no_line_is_kept_unasked(fake: Repository, tmp_path: Path) -> None:
    path = tmp_path / "compare.jsonl"
    assert compare.main(["HEAD", "HEAD", "--fail-above", "1.3"], path, SHORTEST) == 0
    assert not path.exists()


@needs_git
def test_what_a_revision_lacks_is_named_and_the_rest_compared(
    fake: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.edit("pepperenvs/__init__.py", "def raw_env", "def rough_env")
    fake.edit("pepperenvs/__init__.py", '"two_v0"', '"three_v0"')
    assert compare.main(["HEAD"], conditions=SHORTEST) == 0
    out = capsys.readouterr().out
    assert "aec_raw: left out, B lacks it (AttributeError: " in out and out.count("raw_env()") == 0
    assert "two_v0: left out, only A knows it" in out and "three_v0: left out, only B knows it" in out
    assert out.count("Batch.step") == 1


def test_published_results_are_public() -> None:
    if compare.COMPARE.exists():
        check_is_public(compare.COMPARE)


# ---- the project's own package ----


@pytest.fixture(scope="module")
def caches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Kernels of commits, compiled once for all tests here."""
    return tmp_path_factory.mktemp("caches")


@pytest.fixture
def copied(repository: Repository, caches: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """This checkout's package, in one commit."""
    monkeypatch.setattr(compare, "kept_cache", lambda tree: caches / tree)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "pepperenvs", repository.folder / "pepperenvs", ignore=ignored)
    repository.write("benchmarks/__init__.py", "")
    repository.commit()
    return repository


GENEROUS = Conditions(rounds=2, pairs=15, seconds=0.03)


@needs_git
@compiled_only
@pytest.mark.slow
def test_a_copy_is_as_fast(copied: Repository, tmp_path: Path) -> None:
    path = tmp_path / "compare.jsonl"
    assert compare.main(["HEAD", "--game", GAME, "--keep", "--fail-above", "1.3"], path, GENEROUS) == 0
    figures = json.loads(path.read_text("utf-8"))["figures"][GAME]
    assert [*figures] == [*compare.FIGURES]
    assert all(0.75 < figure["ratio"] < 1.3 for figure in figures.values()), figures


@needs_git
@compiled_only
@pytest.mark.slow
def test_a_slow_down_of_the_drivers_is_found(copied: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    checked, last = "given = self._checked(actions)\n", "    def last(self"
    copied.edit("pepperenvs/drivers/batch.py", checked, f"{checked}        sum(range(100_000))\n")
    slow_last = f"{last}, *given):\n        sum(range(2000))\n        return self.quick_last(*given)\n\n"
    copied.edit("pepperenvs/drivers/aec.py", last, f"{slow_last}    def quick_last(self")
    conditions = replace(GENEROUS, rounds=1)
    assert compare.main(["HEAD", "--game", GAME, "--fail-above", "1.3"], conditions=conditions) == 1
    named = capsys.readouterr().err
    assert f"{GAME} batch_step" in named and f"{GAME} aec_raw" in named and "rollout" not in named


@needs_git
@compiled_only
@pytest.mark.slow
def test_a_slow_down_of_a_kernel_is_found(
    copied: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PEPPERENVS_CACHE_DIR", str(tmp_path / "slow"))  # no use to anybody later
    mixing = "word = (word ^ (word >> _S30)) * _MIX_A"
    copied.edit("pepperenvs/core/rng.py", mixing, f"for _ in range(400):\n        {mixing}")
    conditions = replace(GENEROUS, rounds=1)
    assert compare.main(["HEAD", "--game", GAME, "--fail-above", "1.3"], conditions=conditions) == 1
    assert f"{GAME} rollout" in capsys.readouterr().err
