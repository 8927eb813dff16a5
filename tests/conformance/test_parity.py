"""Compiled kernels give the bytes that pure Python gives, and read and write inside their arrays only."""

import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pepperenvs import registry
from pepperenvs.core import rng
from pepperenvs.drivers.game import Game, load
from pepperenvs.testing.match import HERE, Match
from tests.conformance import player_counts, twin_of

ROOT = Path(__file__).resolve().parents[2]
FEW, MANY = 1, 2  # games for each player count
CLOSELY, SELDOM = 10, 7  # decisions at first that are looked at from all sides; later one in so many


def digest_of_game(game: Game, num_players: int, seed: int) -> str:
    """Digest of all that the kernels write in one short game: states, masks, observations, redraws, results."""
    options = twin_of(game.spec).random_options(random.Random(seed))
    match = Match(game, game.spec.resolve(num_players, options), seed)
    total, stream = hashlib.sha256(), np.zeros(1, np.uint64)
    rng.seed(stream, seed, 9)
    out = np.zeros(game.spec.layout.size, np.int16)
    for number, _ in enumerate(match.positions(0.5 * (seed % 2))):
        total.update(match.here.tobytes() + match.masks[HERE].tobytes() + match.observations[HERE].tobytes())
        if number > CLOSELY and number % SELDOM and match.legal:
            continue  # pure Python takes its time
        total.update(bytes([int(game.audit(match.states, HERE))]))
        for seat in range(num_players):
            game.observe(match.states, HERE, seat, out)
            drawn = match.here.copy()
            game.resample(drawn, 0, seat, stream)
            total.update(out.tobytes() + drawn.tobytes())
        if match.legal:
            total.update(np.int64(game.bot(match.states, HERE)).tobytes())
    for kind in range(3):
        utilities = np.zeros(game.spec.max_seats)
        game.utilities(match.states, HERE, kind, utilities)
        total.update(utilities.tobytes())
    return total.hexdigest()


def digests(name: str, each: int) -> dict[str, str]:
    """The digests of some games, by player count and seed."""
    game = load(name)
    cases = [(n, seed) for n in player_counts(game.spec) for seed in range(n, n + each)]
    return {f"{n} players, seed {seed}": digest_of_game(game, n, seed) for n, seed in cases}


def in_a_child(each: int, **environment: str) -> dict[str, dict[str, str]]:
    """The digests of all games, by name, in a process with these environment variables."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.conformance.test_parity", str(each)],
        cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, dict[str, str]] = json.loads(done.stdout)
    return found


def here(each: int) -> dict[str, dict[str, str]]:
    return {name: digests(name, each) for name in registry.games()}


def test_compiled_bytes_are_those_of_pure_python() -> None:
    assert here(FEW) == in_a_child(FEW, NUMBA_DISABLE_JIT="1")


@pytest.mark.slow
def test_compiled_bytes_are_those_of_pure_python_in_more_games() -> None:
    assert here(MANY) == in_a_child(MANY, NUMBA_DISABLE_JIT="1")


@pytest.mark.slow
def test_no_kernel_reads_or_writes_outside_its_arrays() -> None:
    assert here(MANY) == in_a_child(MANY, NUMBA_BOUNDSCHECK="1")


if __name__ == "__main__":
    print(json.dumps(here(int(sys.argv[1]))))
