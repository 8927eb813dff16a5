"""Whole batches as bytes: they go on as if nothing had happened, and what does not fit is refused."""

from typing import Any

import numpy as np
import pytest

from pepperenvs.core.state import SaveError
from pepperenvs.drivers.batch import Batch
from tests.conformance.test_batch import SEED, player_counts, playing, snapshot


def several_players(game: str) -> list[dict[str, int]]:
    return [{"num_players": count} for count in player_counts(game)]


@pytest.mark.parametrize("autoreset", [True, False])
def test_a_restored_batch_goes_on(game: str, autoreset: bool) -> None:
    given: dict[str, Any] = {"opponents": {"random": 1, "bot": 1}, "autoreset": autoreset}
    batch = Batch(game, 5, variants=several_players(game), seed=SEED, **given)
    for _, actions in zip(range(30), playing(batch), strict=False):
        batch.step(actions)
    other = Batch(game, 5, **given)  # it had games of other options
    other.restore(batch.save())
    assert snapshot(other) == snapshot(batch) and other.save() == batch.save()
    for _ in range(300):
        actions = batch.sample_actions()
        assert (other.sample_actions() == actions).all()
        batch.step(actions)
        other.step(actions)
        assert snapshot(other) == snapshot(batch)
        assert [other.options_of(index) for index in range(5)] == [batch.options_of(index) for index in range(5)]
    other.reset(SEED)
    assert other._states.tobytes() == Batch(game, 5, seed=SEED, **given)._states.tobytes()


def test_what_does_not_fit_is_refused_and_changes_nothing(game: str) -> None:
    most = player_counts(game)[-1]
    given: dict[str, Any] = {"num_players": most, "seed": SEED + 1}
    batch = Batch(game, 2, opponents="bot", seat=0, num_players=most, seed=SEED)
    over = Batch(game, 2, opponents="bot", seat=0, autoreset=False, **given)
    for actions in playing(over):
        over.step(actions)
    before = snapshot(batch)
    for other, message in (
        (Batch(game, 3, opponents="bot", seat=0, **given), "3 games"),
        (Batch(game, 2, **given), "learner's seat"),
        (over, "over"),
    ):
        with pytest.raises(ValueError, match=message):
            batch.restore(other.save())
    with pytest.raises(ValueError, match="other opponents"):
        Batch(game, 2, **given).restore(batch.save())
    with pytest.raises(ValueError, match="opponent is to move"):
        batch.restore(_with(batch, "policies", np.ones_like(batch.policies)))
    assert snapshot(batch) == before


def test_damage_is_refused(game: str) -> None:
    batch = Batch(game, 2, seed=SEED)
    data, before = batch.save(), snapshot(batch)
    for wrong in (b"", data[:-1], data[:-1] + b"x", batch.get_state(0), b"nonsense"):
        with pytest.raises(SaveError):
            batch.restore(wrong)
    states = batch._states.copy()
    states["num_seats"][1] = 99
    with pytest.raises(SaveError):
        batch.restore(_with(batch, "_states", states))
    assert snapshot(batch) == before


def _with(batch: Batch, name: str, value: np.ndarray) -> bytes:
    """What a batch would save with another value in one of its buffers."""
    buffer = getattr(batch, name)
    kept = buffer.copy()
    buffer[:] = value
    try:
        return batch.save()
    finally:
        buffer[:] = kept
