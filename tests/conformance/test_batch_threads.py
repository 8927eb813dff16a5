"""Batches in several threads: the same bytes as in one, and no game left out or played twice."""

import multiprocessing
import threading
from collections import Counter

import numpy as np
import pytest

from pepperenvs.drivers.batch import Batch
from pepperenvs.drivers.threads import LEAST, Slices
from tests.conformance.test_batch import SEED, snapshot

GAMES = 5 * LEAST + 3


def test_threads_do_not_matter(game: str) -> None:
    one, three = (Batch(game, GAMES, seed=SEED, opponents={"random": 1, "bot": 1}, num_threads=n) for n in (1, 3))
    for _ in range(40):
        actions = one.sample_actions()
        assert (three.sample_actions() == actions).all()
        one.step(actions)
        three.step(actions)
        assert snapshot(one) == snapshot(three)
    assert (one.bot_actions() == three.bot_actions()).all()
    assert one.observe_seats().tobytes() == three.observe_seats().tobytes()
    assert one.observe_learners().tobytes() == three.observe_learners().tobytes()


def test_threads_do_not_matter_to_rollouts(game: str) -> None:
    one, three = (Batch(game, GAMES, seed=SEED, num_threads=n) for n in (1, 3))
    assert one.random_rollout(100) == three.random_rollout(100)
    assert snapshot(one) == snapshot(three)


@pytest.mark.parametrize("num_games", [1, LEAST, LEAST + 1, 1000, 12_345])
@pytest.mark.parametrize("num_threads", [1, 2, 5])
def test_every_game_lies_in_one_part(num_games: int, num_threads: int) -> None:
    counts = np.zeros(num_games, int)

    def kernel(first: int, stop: int, more: str) -> None:
        assert more == "more"
        counts[first:stop] += 1

    slices = Slices(num_games, num_threads)
    for _ in range(3):
        slices(kernel, "more")
    assert (counts == 3).all()


def test_parts_are_played_at_the_same_time() -> None:
    both = threading.Barrier(2, timeout=30)  # breaks unless two threads are in a part at once
    names: Counter[str] = Counter()

    def kernel(first: int, stop: int) -> None:
        names[threading.current_thread().name] += 1
        if first < 2 * LEAST:
            both.wait()

    Slices(8 * LEAST, 2)(kernel)
    assert len(names) == 2


def test_an_error_in_a_part_is_raised() -> None:
    def kernel(first: int, stop: int) -> None:
        if first:
            raise ArithmeticError

    with pytest.raises(ArithmeticError):
        Slices(8 * LEAST, 2)(kernel)


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")  # the very case that is tested
def test_a_forked_process_has_threads_of_its_own() -> None:
    batch = Batch("heat_guess_v0", GAMES, seed=SEED, num_threads=2)
    batch.step(batch.sample_actions())  # the threads run now
    child = multiprocessing.get_context("fork").Process(target=_step, args=(batch,))
    child.start()
    child.join(60)
    assert child.exitcode == 0


def _step(batch: Batch) -> None:
    for _ in range(5):
        batch.step(batch.sample_actions())


def test_there_is_at_least_one_thread() -> None:
    with pytest.raises(ValueError, match="num_threads"):
        Batch("heat_guess_v0", 1, num_threads=0)
