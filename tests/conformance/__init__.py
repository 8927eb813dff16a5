"""Checks that run on every registered game; what a game has of its own comes from its twin, tests/twins/<game>.py."""

import importlib
import random
from types import ModuleType
from typing import Any

from pepperenvs.core.spec import GameSpec


def twin_of(spec: GameSpec) -> ModuleType:
    """The naive twin of a game."""
    return importlib.import_module(f"tests.twins.{spec.name}")


def player_counts(spec: GameSpec) -> range:
    fewest, most, _ = spec.players
    return range(fewest, most + 1)


def odd_variants(spec: GameSpec, each: int = 1) -> list[dict[str, Any]]:
    """Resolved options of games that are not long, other than the default: so many for each player count."""
    chooser, twin = random.Random(1), twin_of(spec)
    return [spec.resolve(n, twin.random_options(chooser)) for n in player_counts(spec) for _ in range(each)]
