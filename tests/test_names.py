"""What `import pepperenvs` offers, costs, and tells Gymnasium and PettingZoo."""

import pickle
import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pettingzoo
import pytest

import pepperenvs
import pepperenvs.games.heat_guess.rules as rules
from pepperenvs import registry
from pepperenvs.drivers import ids
from pepperenvs.drivers.aec import Env, RawEnv
from pepperenvs.drivers.game import load

ROOT = Path(__file__).resolve().parent.parent
IMPORT_RATIO = 1.25  # CPU of `import pepperenvs` over that of NumPy and Gymnasium alone, which it cannot do without


def run(code: str) -> str:
    """What a fresh process prints."""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


# -------------------------------------------------------------------------------------------------------- names


def test_games_is_a_package_and_a_function() -> None:
    assert pepperenvs.games() == registry.games()
    assert pepperenvs.games.heat_guess.rules is rules  # type: ignore[attr-defined]
    assert run("import pepperenvs; print(*pepperenvs.games())").split() == [*registry.games()]


def test_every_game_has_a_name(game: str) -> None:
    names = getattr(pepperenvs, game)
    assert game in dir(pepperenvs) and pepperenvs.game(game) is load(game).spec
    players = load(game).spec.players[1]
    assert type(names.env(num_players=players)) is type(pepperenvs.make_aec(game)) is Env
    assert type(raw := names.raw_env(num_players=players)) is RawEnv and raw.num_players == players
    assert pickle.loads(pickle.dumps(names.env))().metadata["name"] == game  # a constructor for worker processes


def test_unknown_names() -> None:
    with pytest.raises(AttributeError, match="no_such_game_v0"):
        _ = pepperenvs.no_such_game_v0
    for make in (
        pepperenvs.make_aec,
        pepperenvs.game,
        pepperenvs.make_solo,
        lambda name: pepperenvs.make_batch(name, 2),
    ):
        with pytest.raises(ValueError, match="heat_guess_v0"):
            make("no_such_game_v0")


def test_the_makers(game: str) -> None:
    assert pepperenvs.make_batch(game, 3, autoreset=False).num_envs == 3
    assert isinstance(pepperenvs.make_solo(game, seat=0), gymnasium.Env)


# --------------------------------------------------------------------------------------------------------- costs


def test_import_is_quick() -> None:
    """Beside what it imports, in turns: how long either takes says more about the machine than about the code."""
    code = "import time, {}; print(time.process_time())"
    ours, theirs = [], []
    for _ in range(10):
        ours.append(float(run(code.format("pepperenvs"))))
        theirs.append(float(run(code.format("numpy, gymnasium"))))
        if len(ours) >= 3 and min(ours) <= IMPORT_RATIO * min(theirs):
            return
    pytest.fail(f"importing pepperenvs takes {min(ours):.2f} s of CPU, NumPy and Gymnasium alone {min(theirs):.2f} s")


# ----------------------------------------------------------------------------------------------------------- ids


def test_ids() -> None:
    assert ids.gymnasium_id("pick_a_pepper_v0") == "pepperenvs/PickAPepper-v0"
    assert ids.pettingzoo_id("pick_a_pepper_v0") == "pepperenvs/pick_a_pepper_v0"


def test_gymnasium_makes_every_game(game: str) -> None:
    env = gymnasium.make(ids.gymnasium_id(game), disable_env_checker=True)
    observation, info = env.reset(seed=1)
    assert np.shape(observation) == (load(game).spec.layout.size,) and info["action_mask"].any()
    assert ids.gymnasium_id(game) in run("import pepperenvs, gymnasium; print(*gymnasium.registry)").split()


def test_pettingzoo_makes_every_game(game: str) -> None:
    players = load(game).spec.players[1]
    env = pettingzoo.make("aec", ids.pettingzoo_id(game), num_players=players)
    assert type(env) is Env and env.metadata["name"] == game and env.num_players == players


@pytest.mark.parametrize(
    "first",
    [
        "import pettingzoo, pepperenvs",
        "import pepperenvs.drivers.registration",
        "import pepperenvs, pepperenvs.drivers.registration",
        "import pepperenvs; pepperenvs.make_aec('heat_guess_v0')",
        "from pepperenvs import heat_guess_v0; heat_guess_v0.raw_env()",
    ],
)
def test_pettingzoo_knows_the_games_after(first: str) -> None:
    code = f"{first}; import pettingzoo; print(pettingzoo.make('aec', 'pepperenvs/heat_guess_v0'))"
    assert run(code) == "heat_guess_v0"


def test_registering_again_changes_nothing() -> None:
    before = {**gymnasium.registry}, {**pettingzoo.aec_registry}
    ids.register_with_gymnasium()
    ids.register_with_pettingzoo()
    assert ({**gymnasium.registry}, {**pettingzoo.aec_registry}) == before
