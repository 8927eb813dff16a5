"""Fixtures that all tests share."""

import warnings
from collections.abc import Iterator

import pytest

from pepperenvs import registry

# Files with few tests that take minutes: begun first, or the other processes would wait for them at the end.
LONG = ("test_parity.py", "test_cache.py", "test_library_versions.py", "test_experiments.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.name not in LONG)  # keeps the order otherwise


@pytest.fixture(params=registry.games())
def game(request: pytest.FixtureRequest) -> str:
    """The id of every registered game in turn."""
    return str(request.param)


@pytest.fixture
def uncached_is_error() -> Iterator[None]:
    """Numba's warning that it cannot cache a function (of a large global array, say) fails the test."""
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="(?i).*cannot cache")
        yield
