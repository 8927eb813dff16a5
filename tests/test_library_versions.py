"""The environments work with the oldest Gymnasium and PettingZoo that pyproject.toml allows, and with newer ones.

The two libraries alone, without what they need, are installed into a temporary folder that comes before the installed
packages; what is asked of them runs in processes of its own. The functions without `test_` run there.
"""

import functools
import hashlib
import os
import random
import re
import subprocess
import sys
import tomllib
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
LIBRARIES = ("gymnasium", "pettingzoo")
NEWEST = {"gymnasium": "1.4.0", "pettingzoo": "1.27.0"}  # that have been tried
REGISTRY = (1, 27)  # the version of PettingZoo that brought `pettingzoo.make`
STEPS = 60  # at most, of an episode

# What pip says when it has not reached an index, or has lost it; not when the index lacks the version.
UNREACHED = re.compile(r"from versions: none|ConnectionPool|Connection (refused|reset|aborted)|timed out|Max retries")


def oldest() -> dict[str, str]:
    """The lower bounds of pyproject.toml."""
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    bounds = dict(one.split(">=") for one in needed if ">=" in one)
    return {name: bounds[name] for name in LIBRARIES}


def numbers(version: str) -> tuple[int, ...]:
    """(1, 25, 0) for "1.25"."""
    found = tuple(int(part) for part in version.split("."))
    return found + (0,) * (3 - len(found))


def install(folder: Path, versions: dict[str, str]) -> None:
    """Both libraries in these versions; skips the test if no index can be reached."""
    wanted = [f"{name}=={version}" for name, version in versions.items()]
    # PettingZoo 1.25 says that it is not for Python 3.13, on which it runs.
    how = ("--no-deps", "--ignore-requires-python", "--disable-pip-version-check", "--retries", "2", "--target", folder)
    environment = {name: value for name, value in os.environ.items() if name != "PIP_CONSTRAINT"}
    command = [sys.executable, "-m", "pip", "install", "-q", *map(str, how), *wanted]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode and UNREACHED.search(done.stderr):
        pytest.skip(f"no package index can be reached for {' and '.join(wanted)}")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module", params=["oldest", "newest"])
def overlay(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The folder with both libraries in their oldest versions, then in their newest; and these versions."""
    versions = oldest() if request.param == "oldest" else NEWEST
    folder = tmp_path_factory.mktemp(request.param)
    install(folder, versions)
    return folder, versions


def call(folder: Path, function: str, *arguments: str) -> str:
    """What a function of this module returns in a process that finds the libraries in the folder."""
    told = f"import tests.test_library_versions as t; print(t.{function}(*{arguments!r}))"
    known = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, "-W", "error", "-c", told]
    done = subprocess.run(command, cwd=ROOT, env=known, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{function} {arguments}\n{done.stdout}{done.stderr}"
    return done.stdout.strip().splitlines()[-1]


# ------------------------------------------------------------------------------------------- what runs over there


def versions_and_places() -> str:
    """The libraries that a process finds."""
    import gymnasium
    import pettingzoo

    return " ".join(f"{one.__version__} {Path(one.__file__).parent.parent}" for one in (gymnasium, pettingzoo))


def registered() -> str:
    """Which of the libraries knows which of the games, by the import of pepperenvs and by that of `registration`."""
    import gymnasium

    import pepperenvs
    from pepperenvs.drivers import ids

    games = pepperenvs.games()
    assert {ids.gymnasium_id(game) for game in games} <= set(gymnasium.registry)
    assert "pettingzoo" not in sys.modules
    import pettingzoo

    import pepperenvs.drivers.registration

    if not hasattr(pettingzoo, "make"):
        return "without a registry"
    for game in games:
        assert str(pettingzoo.make("aec", ids.pettingzoo_id(game))) == game
    return "with a registry"


class Told:
    """A digest of all that an episode shows, and random legal moves."""

    def __init__(self) -> None:
        self.digest, self.chooser = hashlib.sha256(), random.Random(5)

    def see(self, *values: Any) -> None:
        for value in values:
            self.digest.update(repr(np.asarray(value, np.float64).tolist()).encode())

    def move(self, mask: Any) -> int:
        """A legal action; 0 if there is none, as after the end of a vector's game."""
        return self.chooser.choice([int(action) for action in np.flatnonzero(mask)] or [0])


def pettingzoo_episode(env: Any, told: Told) -> None:
    env.reset(seed=7)
    for agent in env.agent_iter(STEPS):
        observation, reward, terminated, truncated, info = env.last()
        told.see(int(agent[-1]), observation["observation"], info["action_mask"], reward, terminated, truncated)
        env.step(None if terminated or truncated else told.move(info["action_mask"]))
    env.close()


def gymnasium_episode(env: Any, told: Told) -> None:
    observation, info = env.reset(seed=7)
    for _ in range(STEPS):
        told.see(observation, info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(told.move(info["action_mask"]))
        told.see(reward, terminated, truncated)
        if terminated or truncated:
            break
    env.close()


def vector_episodes(envs: Any, told: Told) -> None:
    observations, infos = envs.reset(seed=7)
    for _ in range(STEPS):
        told.see(observations, infos["action_mask"])
        moves = np.array([told.move(mask) for mask in infos["action_mask"]])
        observations, rewards, terminated, truncated, infos = envs.step(moves)
        told.see(rewards, terminated, truncated)
    envs.close()


def batch_episodes(batch: Any, told: Told) -> None:
    for _ in range(STEPS):
        told.see(batch.observation, batch.seat)
        batch.step(batch.sample_actions())
        told.see(batch.finished, batch.final_score)


def episodes(game: str) -> str:
    """A short episode with every driver, twice: the digest of all that is seen, which the seeds decide."""
    import gymnasium

    import pepperenvs
    from pepperenvs.drivers import ids

    vector = {"vector_entry_point"} if gymnasium.spec(ids.gymnasium_id(game)).vector_entry_point else set()

    def digests() -> Iterator[str]:
        told = Told()
        pettingzoo_episode(pepperenvs.make_aec(game), told)
        pettingzoo_episode(getattr(pepperenvs, game).raw_env(), told)
        gymnasium_episode(gymnasium.make(ids.gymnasium_id(game), opponents="bot"), told)
        batch_episodes(pepperenvs.make_batch(game, 4, seed=7), told)
        for mode in ("sync", *vector):
            vector_episodes(gymnasium.make_vec(ids.gymnasium_id(game), 3, vectorization_mode=mode), told)
        yield told.digest.hexdigest()

    (first,), (again,) = digests(), digests()
    assert first == again
    return first


def checked_episodes(game: str) -> str:
    """The same after the libraries' own checks."""
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    import pepperenvs
    from pepperenvs.drivers import ids
    from tests.conformance.test_aec import KNOWN_WARNINGS, api_test, seed_test

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(pepperenvs.make_aec(game), num_cycles=STEPS)
    assert {str(warning.message) for warning in caught} == KNOWN_WARNINGS
    seed_test(lambda: getattr(pepperenvs, game).raw_env(), num_cycles=50)
    check_env(gymnasium.make(ids.gymnasium_id(game)).unwrapped, skip_render_check=True)
    return episodes(game)


# ----------------------------------------------------------------------------------------------------------- tests


def test_the_bounds_are_read() -> None:
    assert all(numbers(version) < numbers(NEWEST[name]) for name, version in oldest().items())
    assert numbers("1.25") == (1, 25, 0) < numbers("1.26.1")


def test_a_lost_connection_is_told_from_a_version_that_is_not_there() -> None:
    assert UNREACHED.search("ERROR: Could not find a version that satisfies x==9 (from versions: none)")
    assert not UNREACHED.search("ERROR: Could not find a version that satisfies x==9 (from versions: 1.0, 1.1)")


@pytest.mark.slow
def test_the_libraries_are_those(overlay: tuple[Path, dict[str, str]]) -> None:
    folder, versions = overlay
    first, one, second, other = call(folder, "versions_and_places").split()
    assert [numbers(first), numbers(second)] == [numbers(versions[name]) for name in LIBRARIES]
    assert Path(one) == Path(other) == folder


@pytest.mark.slow
def test_both_libraries_know_the_games(overlay: tuple[Path, dict[str, str]]) -> None:
    folder, versions = overlay
    has_registry = numbers(versions["pettingzoo"]) >= REGISTRY
    assert call(folder, "registered") == ("with a registry" if has_registry else "without a registry")


@functools.cache
def installed(game: str) -> str:
    """What `episodes` says with the libraries that are installed."""
    return episodes(game)


@pytest.mark.slow
def test_the_libraries_checks_pass_and_the_games_are_the_same(game: str, overlay: tuple[Path, dict[str, str]]) -> None:
    assert call(overlay[0], "checked_episodes", game) == installed(game)
