"""Fixtures that all tests share."""

import pytest

from pepperenvs import registry


@pytest.fixture(params=registry.games())
def game(request: pytest.FixtureRequest) -> str:
    """The id of every registered game in turn."""
    return str(request.param)
