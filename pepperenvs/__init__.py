"""pepperenvs: reinforcement-learning environments for tabletop games about peppers.

    make_aec(game, …)                 PettingZoo, one agent after another
    make_parallel(game, …)            the same with all agents at once, for games in which they choose at the same time
    make_batch(game, num_envs, …)     many games in lock step, arrays in and out
    make_solo(game, …)                Gymnasium, one learner among scripted or random players
    make_vec(game, num_envs, …)       the same as a Gymnasium vector environment, many games at once
    games(), game(id)                 the ids of all games; what one of them declares
    register(game, package)           add a game of your own

The games also go by PettingZoo's manner: `from pepperenvs import heat_guess_v0; heat_guess_v0.env(num_players=3)`.
Importing pepperenvs compiles nothing and imports neither Numba nor PettingZoo; Gymnasium then knows
"pepperenvs/HeatGuess-v0" and the others.
"""

from __future__ import annotations

import functools
import types
from typing import TYPE_CHECKING, Any

from pepperenvs import games as _package
from pepperenvs import registry

if TYPE_CHECKING:
    from pepperenvs.core.spec import GameSpec
    from pepperenvs.drivers.aec import Env, RawEnv
    from pepperenvs.drivers.batch import Batch
    from pepperenvs.drivers.parallel import TurnEnv
    from pepperenvs.drivers.solo import SoloEnv
    from pepperenvs.drivers.vector import SoloVectorEnv

__version__ = "0.1.0.dev0"

__all__ = ["make_aec", "make_batch", "make_parallel", "make_solo", "make_vec", "register", "game", "games"]


def make_aec(game: str, **options: Any) -> Env:
    """A PettingZoo environment of a game, as drivers.aec.Env: num_players, utility, render_mode, the game's options."""
    from pepperenvs.drivers.aec import Env

    return Env(game, **options)


def make_parallel(game: str, **options: Any) -> TurnEnv:
    """A PettingZoo ParallelEnv of a game with simultaneous turns, as drivers.parallel.TurnEnv."""
    from pepperenvs.drivers.parallel import TurnEnv

    return TurnEnv(game, **options)


def make_batch(game: str, num_envs: int, **options: Any) -> Batch:
    """Many games in lock step, as drivers.batch.Batch."""
    from pepperenvs.drivers.batch import Batch

    return Batch(game, num_envs, **options)


def make_solo(game: str, **options: Any) -> SoloEnv:
    """A Gymnasium environment for one learner, as drivers.solo.SoloEnv."""
    from pepperenvs.drivers.solo import SoloEnv

    return SoloEnv(game, **options)


def make_vec(game: str, num_envs: int, **options: Any) -> SoloVectorEnv:
    """A Gymnasium vector environment of many such games at once, as drivers.vector.SoloVectorEnv."""
    from pepperenvs.drivers.vector import SoloVectorEnv

    return SoloVectorEnv(game, num_envs, **options)


def register(game: str, package: str) -> None:
    """Add a game from outside this repository, with its names in Gymnasium and PettingZoo.

    game       its id, name and version, as in "my_game_v0"
    package    the importable package of its folder, whose module `spec` declares SPEC

    Raises ValueError for what is no such id or package, and if the id is taken by another package.
    """
    registry.register(game, package)
    _register_ids()


def game(game: str) -> GameSpec:
    """What a game declares: players, options, actions, observation. Raises ValueError for an unknown one."""
    return registry.spec(game)


class _Games(types.ModuleType):
    """The package pepperenvs.games, which bears the name of a function and so is one too."""

    def __call__(self) -> tuple[str, ...]:
        """The ids of all games."""
        return registry.games()


_package.__class__ = _Games
if TYPE_CHECKING:

    def games() -> tuple[str, ...]:
        """The ids of all games."""


class _Names:
    """What PettingZoo keeps in a module of the game's name."""

    def __init__(self, game: str) -> None:
        self.game = game

    def env(self, **options: Any) -> Env:
        """The environment that ends the game over an illegal action, as drivers.aec.Env."""
        return make_aec(self.game, **options)

    def raw_env(self, **options: Any) -> RawEnv:
        """The environment that raises IllegalActionError, as drivers.aec.RawEnv."""
        from pepperenvs.drivers.aec import RawEnv

        return RawEnv(self.game, **options)

    def __getattr__(self, name: str) -> Any:
        """`parallel_env`, where the seats choose at the same time: drivers.parallel.TurnEnv."""
        game = vars(self).get("game")  # none yet while it is unpickled
        if name == "parallel_env" and game and registry.spec(game).simultaneous:
            return functools.partial(make_parallel, game)
        raise AttributeError(f"{game} has no {name!r}")


def __getattr__(name: str) -> _Names:
    if name not in registry.games():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _Names(name)


def __dir__() -> list[str]:
    return [*globals(), *registry.games()]


def _register_ids() -> None:
    from pepperenvs.drivers import ids

    ids.register()


_register_ids()
