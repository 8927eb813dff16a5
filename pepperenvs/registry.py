"""The games by id. A further game is one line here."""

from __future__ import annotations

import importlib
import re

from pepperenvs.core.spec import GameSpec

_PACKAGES = {
    "heat_guess_v0": "pepperenvs.games.heat_guess",
    "pick_a_pepper_v0": "pepperenvs.games.pick_a_pepper",
    "scoville_v0": "pepperenvs.games.scoville",
    "peppers_of_the_caribbean_v0": "pepperenvs.games.peppers_of_the_caribbean",
    "potion_contest_v0": "pepperenvs.games.potion_contest",
    "pickled_peppers_v0": "pepperenvs.games.pickled_peppers",
    "jungle_v0": "pepperenvs.games.jungle",
    "you_wish_v0": "pepperenvs.games.you_wish",
}


def games() -> tuple[str, ...]:
    """The ids of all games, in the order in which they were registered."""
    return tuple(_PACKAGES)


def register(game: str, package: str) -> None:
    """Add a game from outside this repository.

    game       its id, name and version, as in "my_game_v0"
    package    the importable package of its folder, whose module `spec` declares SPEC

    Raises ValueError for what is no such id or package, and if the id is taken by another package.
    """
    if not isinstance(game, str) or not re.fullmatch(r"[a-z][a-z0-9_]*_v[0-9]+", game):
        raise ValueError(f"a game's id is lower-case words and a version, as in 'my_game_v0', not {game!r}")
    if not isinstance(package, str) or not re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", package):
        raise ValueError(f"the package of {game} must be the name of one, as in 'my_games.my_game', not {package!r}")
    if _PACKAGES.setdefault(game, package) != package:
        raise ValueError(f"{game} is registered already, by {_PACKAGES[game]}")


def canonical(game: str) -> str:
    """The id of a game. Raises ValueError that names the games there are."""
    if game not in _PACKAGES:
        raise ValueError(f"there is no game {game!r}; there are {', '.join(_PACKAGES)}")
    return game


def package(game: str) -> str:
    """The package of a game's folder."""
    return _PACKAGES[canonical(game)]


def spec(game: str) -> GameSpec:
    """What the game declares; imports its folder. Raises ValueError for an unknown game."""
    try:
        found: GameSpec = importlib.import_module(f"{package(game)}.spec").SPEC
    except ModuleNotFoundError as error:
        error.add_note(f"while the game {game} was looked for in the package {_PACKAGES[game]}")
        raise
    if found.id != game:
        raise ValueError(f"{game} is registered with the package of {found.id}")
    return found
