"""The ParallelEnv: the same game as in the AEC, a turn at a time; games without simultaneous turns have none."""

import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import pepperenvs
from pepperenvs import registry
from pepperenvs.core.state import SaveError
from pepperenvs.drivers import ids
from pepperenvs.drivers.aec import RawEnv
from pepperenvs.drivers.game import IllegalActionError
from pepperenvs.drivers.parallel import TurnEnv
from tests.conformance import player_counts

with warnings.catch_warnings():
    # The library's tests import one of its games in a manner that the library has deprecated.
    warnings.filterwarnings("ignore", "The old environment creation API", DeprecationWarning)
    from pettingzoo.test import parallel_api_test, parallel_seed_test

TOGETHER = [game for game in registry.games() if registry.spec(game).simultaneous]
IN_TURN = [game for game in registry.games() if not registry.spec(game).simultaneous]


@pytest.fixture(params=TOGETHER)
def together(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def players(game: str) -> range:
    return player_counts(registry.spec(game))


def choose(env: TurnEnv, seen: dict[str, Any], rng: np.random.Generator) -> dict[str, int]:
    return {agent: int(rng.choice(np.flatnonzero(seen[agent]["action_mask"]))) for agent in env.agents}


def play(env: TurnEnv, seed: int) -> tuple[list[dict[str, int]], dict[str, float]]:
    """A random game: the actions of every turn, and the rewards at the end."""
    rng, turns = np.random.default_rng(seed), []
    seen, _ = env.reset(seed)
    rewards: dict[str, float] = {}
    while env.agents:
        turns.append(choose(env, seen, rng))
        seen, rewards, *_ = env.step(turns[-1])
    return turns, rewards


# -------------------------------------------------------------------------------------------------- PettingZoo


def test_some_game_has_simultaneous_turns() -> None:
    assert TOGETHER and IN_TURN


def test_parallel_api(together: str) -> None:
    for number in players(together):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            parallel_api_test(pepperenvs.make_parallel(together, num_players=number), num_cycles=200)


def test_parallel_seed(together: str) -> None:
    parallel_seed_test(lambda: pepperenvs.make_parallel(together))


def test_names(together: str) -> None:
    names = getattr(pepperenvs, together)
    env = names.parallel_env(num_players=players(together)[-1])
    assert isinstance(env, TurnEnv) and len(env.possible_agents) == players(together)[-1]
    assert env.metadata["name"] == together
    for other in IN_TURN:
        assert not hasattr(getattr(pepperenvs, other), "parallel_env")
        with pytest.raises(ValueError, match=other):
            pepperenvs.make_parallel(other)


def test_registered_with_pettingzoo(together: str) -> None:
    pettingzoo = pytest.importorskip("pettingzoo")
    if not hasattr(pettingzoo, "parallel_registry"):
        pytest.skip("this PettingZoo has no registry")
    ids.register_with_pettingzoo()
    env = pettingzoo.make("parallel", ids.pettingzoo_id(together))
    assert isinstance(env.unwrapped, TurnEnv)
    assert not {ids.pettingzoo_id(game).replace("_v", "-v") for game in IN_TURN} & set(pettingzoo.parallel_registry)


# ---------------------------------------------------------------------------------------------- the same game


def test_same_moves_give_the_same_game_as_the_aec(together: str) -> None:
    for number in players(together):
        for seed in range(5):
            env, aec = pepperenvs.make_parallel(together, num_players=number), RawEnv(together, num_players=number)
            rng = np.random.default_rng(seed)
            seen, _ = env.reset(seed)
            aec.reset(seed)
            rewards: dict[str, float] = {}
            while env.agents:
                assert env.get_state() == aec.get_state()
                actions = choose(env, seen, rng)
                asked = [agent for agent in env.agents if seen[agent]["action_mask"].sum() > 1]
                follow(aec, seen, actions, asked)
                seen, rewards, *_ = env.step(actions)
            assert env.get_state() == aec.get_state()
            assert rewards == aec.rewards


def follow(aec: RawEnv, seen: dict[str, Any], actions: dict[str, int], asked: list[str]) -> None:
    """Play the same turn, and compare what every agent may do."""
    turn = aec._states["turn"][0]
    done = []
    while aec.agents and not any(aec.terminations.values()) and not any(aec.truncations.values()):
        if aec._states["turn"][0] != turn or aec.agent_selection in done:
            break
        agent = aec.agent_selection
        assert np.array_equal(aec.infos[agent]["action_mask"], seen[agent]["action_mask"])
        aec.step(actions[agent])
        done.append(agent)
    assert set(asked) <= set(done)


def test_observations_are_those_before_anybody_has_chosen(together: str) -> None:
    env = pepperenvs.make_parallel(together, num_players=players(together)[-1])
    seen, infos = env.reset(3)
    rng = np.random.default_rng(3)
    for _ in range(10):
        aec = RawEnv(together, num_players=players(together)[-1])
        aec.set_state(env.get_state())
        for agent in env.agents:
            assert np.array_equal(seen[agent]["observation"], aec.observe(agent)["observation"])
            assert seen[agent]["action_mask"] is infos[agent]["action_mask"]
            assert env.observation_space(agent).contains(seen[agent])
        seen, _, _, _, infos = env.step(choose(env, seen, rng))
        if not env.agents:
            break


def test_the_same_seed_gives_the_same_game(together: str) -> None:
    env = pepperenvs.make_parallel(together)
    assert play(env, 5) == play(env, 5) == play(pepperenvs.make_parallel(together), 5)
    assert play(env, 5) != play(env, 6)


# ------------------------------------------------------------------------------------------------ wrong actions


@pytest.mark.parametrize("wrong", [-1, 10**6, "no action", None, 1.5])
def test_what_is_no_action_is_refused(together: str, wrong: Any) -> None:
    env = pepperenvs.make_parallel(together, illegal="raise")
    seen, _ = env.reset(0)
    actions: dict[str, Any] = choose(env, seen, np.random.default_rng(0))
    before = env.get_state()
    actions[env.agents[-1]] = wrong
    with pytest.raises(IllegalActionError, match=together):
        env.step(actions)
    assert env.get_state() == before and len(env.agents) == len(seen)


def test_an_illegal_action_ends_the_game(together: str) -> None:
    env = pepperenvs.make_parallel(together)
    seen, _ = env.reset(0)
    actions = choose(env, seen, np.random.default_rng(0))
    guilty = env.agents[0]
    actions[guilty] = int(np.flatnonzero(seen[guilty]["action_mask"] == 0)[0])
    agents = list(env.agents)
    _, rewards, terminations, truncations, infos = env.step(actions)
    assert rewards == {agent: -1.0 if agent == guilty else 0.0 for agent in agents}
    assert all(terminations.values()) and not any(truncations.values()) and env.agents == []
    assert infos[guilty]["illegal_action"] and "illegal_action" not in infos[agents[-1]]
    with pytest.raises(ValueError, match="no agents"):
        env.step(actions)
    env.reset(0)
    assert env.agents == agents


def test_every_agent_must_act(together: str) -> None:
    env = pepperenvs.make_parallel(together)
    with pytest.raises(AssertionError, match="reset"):
        env.step({})
    seen, _ = env.reset(0)
    actions = choose(env, seen, np.random.default_rng(0))
    before = env.get_state()
    for wrong in ({}, {**actions, "player_9": 0}, dict(list(actions.items())[1:])):
        with pytest.raises(ValueError, match="action of each"):
            env.step(wrong)
    assert env.get_state() == before
    with pytest.raises(ValueError, match="illegal"):
        pepperenvs.make_parallel(together, illegal="never")


# ------------------------------------------------------------------------------------------------ save and load


def test_save_and_go_on(together: str) -> None:
    env = pepperenvs.make_parallel(together, num_players=players(together)[-1])
    seen, _ = env.reset(1)
    rng = np.random.default_rng(1)
    seen, *_ = env.step(choose(env, seen, rng))
    saved = env.get_state()
    actions = choose(env, seen, rng)
    after, *_ = env.step(actions)
    other = pepperenvs.make_parallel(together)
    other.set_state(saved)
    again, *_ = other.step(actions)
    assert other.get_state() == env.get_state() and other.options == env.options
    for agent, one in after.items():
        assert all(np.array_equal(one[key], again[agent][key]) for key in one)
    with pytest.raises(SaveError):
        other.set_state(saved[:-1])


def test_a_position_within_a_turn_asks_those_who_have_not_chosen(together: str) -> None:
    number = players(together)[-1]
    aec = RawEnv(together, num_players=number)
    aec.reset(2)
    aec.step(int(np.flatnonzero(aec.infos["player_0"]["action_mask"])[0]))
    env = pepperenvs.make_parallel(together, num_players=number)
    env.set_state(aec.get_state())
    seen = {agent: env.observe(agent) for agent in env.agents}
    assert list(np.flatnonzero(seen["player_0"]["action_mask"])) == [registry.spec(together).simultaneous.idle]
    env.step(choose(env, seen, np.random.default_rng(0)))


def test_a_copy_goes_on_by_itself(together: str) -> None:
    env = pepperenvs.make_parallel(together)
    seen, _ = env.reset(1)
    copied = pickle.loads(pickle.dumps(env))
    actions = choose(env, seen, np.random.default_rng(0))
    env.step(actions)
    assert copied.get_state() != env.get_state()
    copied.step(actions)
    assert copied.get_state() == env.get_state()
