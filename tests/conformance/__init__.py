"""Checks that run on every registered game; what a game has of its own comes from its twin, tests/twins/<game>.py."""

import importlib
import random
from types import ModuleType
from typing import Any

from pepperenvs import registry
from pepperenvs.core.jit import PURE_PYTHON
from pepperenvs.core.spec import GameSpec

SEEDS = (1,) if PURE_PYTHON else (0, 1)  # of the checks in pepperenvs/testing; in the second match bots take part


def twin_of(spec: GameSpec) -> ModuleType:
    """The naive twin of a game."""
    return importlib.import_module(f"tests.twins.{spec.name}")


def player_counts(spec: GameSpec) -> range:
    fewest, most, _ = spec.players
    return range(fewest, most + 1)


def few(game: str) -> int:
    """Two players, or the fewest that a game for more has."""
    return max(2, registry.spec(game).players[0])


def odd_variants(spec: GameSpec) -> list[dict[str, Any]]:
    """Resolved options of games that are not long, for each player count; in pure Python for the usual one alone."""
    chooser, twin = random.Random(1), twin_of(spec)
    counts = [spec.players[2]] if PURE_PYTHON else player_counts(spec)
    return [spec.resolve(n, twin.random_options(chooser)) for n in counts]
