"""The ids under which Gymnasium and PettingZoo know the games, registered with entry points that are strings.

Importing this module registers nothing and imports neither library.
"""

from __future__ import annotations

import sys

from pepperenvs import registry

NAMESPACE = "pepperenvs"


def gymnasium_id(game: str) -> str:
    """The game's id in Gymnasium: "pepperenvs/HeatGuess-v0" for "heat_guess_v0"."""
    name, _, version = game.rpartition("_v")
    return f"{NAMESPACE}/{''.join(word.capitalize() for word in name.split('_'))}-v{version}"


def pettingzoo_id(game: str) -> str:
    """The game's id in PettingZoo: "pepperenvs/heat_guess_v0", which its registry also knows with "-v0"."""
    return f"{NAMESPACE}/{game}"


def register_with_gymnasium() -> None:
    """Register every game that is not registered yet."""
    from gymnasium.envs import registration

    for game in registry.games():
        if gymnasium_id(game) not in registration.registry:
            registration.register(
                gymnasium_id(game),
                entry_point="pepperenvs.drivers.solo:SoloEnv",
                vector_entry_point="pepperenvs.drivers.vector:SoloVectorEnv",
                kwargs={"game": game},
            )


def register_with_pettingzoo() -> None:
    """Register every game that is not registered yet; nothing before PettingZoo 1.27, which has no registry."""
    import pettingzoo

    if not hasattr(pettingzoo, "aec_registry"):
        return
    for game in registry.games():
        name = pettingzoo_id(game)
        if name.replace("_v", "-v") not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, entry_point="pepperenvs.drivers.aec:Env", kwargs={"game": game})
        if registry.spec(game).simultaneous and name.replace("_v", "-v") not in pettingzoo.parallel_registry:
            entry_point = "pepperenvs.drivers.parallel:TurnEnv"
            pettingzoo.register("parallel", name, entry_point=entry_point, kwargs={"game": game})


def register() -> None:
    """What `import pepperenvs` does: Gymnasium at once, PettingZoo only if it is imported already, since it is slow."""
    register_with_gymnasium()
    if "pettingzoo" in sys.modules:
        register_with_pettingzoo()
