"""Every game keeps what all games keep: structure, actions, saves, playouts, records (see pepperenvs/testing)."""

import numpy as np
import pytest

from pepperenvs.core import rng
from pepperenvs.drivers.game import load
from pepperenvs.drivers.search import POLICIES
from pepperenvs.testing import checks
from pepperenvs.testing.match import variants
from tests.conformance import SEEDS, odd_variants, player_counts


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


@pytest.mark.slow
@pytest.mark.parametrize(("policy", "count"), [("random", 10_000), ("bot", 2_000)])
def test_many_games_pass_the_audit_at_every_move(game: str, policy: str, count: int) -> None:
    """All player counts in turn; the bot meets itself after some random moves, else its games would be few."""
    one, stream = load(game), np.zeros(1, np.uint64)
    ids, counts = np.zeros(one.spec.actions.size, np.int32), player_counts(one.spec)
    blanks = [one.blank(one.spec.resolve(num_players)) for num_players in counts]
    states = blanks[0].copy()
    for number in range(count):
        rng.seed(stream, number, 3)
        one.prepare(states, 0, blanks[number % len(counts)], 0, number)
        one.reset(states, 0)
        while states["pending"][0]:
            one.chance(states, 0)
            one.advance(states, 0)
        random_moves = number % 10 if policy == "bot" else 0
        one.play(states, 0, -1, POLICIES["random"], random_moves, ids, stream)
        while one.play(states, 0, -1, POLICIES[policy], 1, ids, stream):
            fault = one.audit(states, 0)
            assert not fault, f"{one.spec.audits[fault]}: game {number}, after {states['moves'][0]} moves"


def test_the_variants_hold_every_option_end(game: str) -> None:
    spec = load(game).spec
    found = variants(spec)
    assert {values["num_players"] for values in found} == set(range(spec.players[0], spec.players[1] + 1))
    for option in spec.options:
        told = {repr(values[option.name]) for values in found}
        assert {repr(getattr(option, end)) for end in ("low", "high") if hasattr(option, end)} <= told or len(told) > 1
