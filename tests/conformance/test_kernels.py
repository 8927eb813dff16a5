"""Every game keeps what all games keep: structure, actions, saves, playouts, records (see pepperenvs/testing)."""

import pytest

from pepperenvs.drivers.game import load
from pepperenvs.testing import checks
from pepperenvs.testing.match import variants
from tests.conformance import SEEDS, odd_variants


@pytest.mark.nojit
def test_structure(game: str) -> None:
    checks.check_structure(load(game))


@pytest.mark.nojit
def test_actions(game: str) -> None:
    checks.check_actions(load(game))


@pytest.mark.nojit
def test_saves(game: str) -> None:
    checks.check_saves(load(game))


@pytest.mark.nojit
def test_playouts(game: str) -> None:
    one = load(game)
    assert checks.check_playouts(one, seeds=SEEDS, which=odd_variants(one.spec)) > 0


@pytest.mark.nojit
def test_records(game: str) -> None:
    one = load(game)
    assert checks.check_records(one, seeds=SEEDS, which=odd_variants(one.spec)) > 0


@pytest.mark.slow
def test_playouts_of_every_player_count_and_option_end(game: str) -> None:
    checks.check_playouts(load(game), seeds=(2, 3))


@pytest.mark.slow
def test_records_of_every_player_count_and_option_end(game: str) -> None:
    checks.check_records(load(game), seeds=(2, 3))


def test_the_variants_hold_every_option_end(game: str) -> None:
    spec = load(game).spec
    found = variants(spec)
    assert {values["num_players"] for values in found} == set(range(spec.players[0], spec.players[1] + 1))
    for option in spec.options:
        told = {repr(values[option.name]) for values in found}
        assert {repr(getattr(option, end)) for end in ("low", "high") if hasattr(option, end)} <= told or len(told) > 1
