"""What a seat cannot know does not change what it sees, may do and is advised to do; and it is really redrawn."""

import pytest

from pepperenvs.drivers.game import load
from pepperenvs.testing import checks
from tests.conformance import SEEDS, odd_variants


@pytest.mark.nojit
def test_secrecy(game: str) -> None:
    one = load(game)
    seen = checks.check_secrecy(one, seeds=SEEDS, which=odd_variants(one.spec))
    print(f"{game}: {seen}")
    assert seen.played_on and seen.unchanged < seen.made


@pytest.mark.slow
def test_secrecy_of_every_player_count_and_option_end(game: str) -> None:
    seen = checks.check_secrecy(load(game), seeds=(2, 3))
    print(f"{game}: {seen}")
    assert seen.unchanged < seen.made
