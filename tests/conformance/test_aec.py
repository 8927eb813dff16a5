"""The PettingZoo environments: the library's own checks, and what ours promise beyond them."""

import copy
import pickle
import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete

from pepperenvs.core import utility
from pepperenvs.core.state import OVER, SaveError
from pepperenvs.drivers._kernels import RESTART
from pepperenvs.drivers.aec import Env, RawEnv
from pepperenvs.drivers.game import IllegalActionError, load
from tests.conformance import odd_variants, player_counts

with warnings.catch_warnings():
    # The library's tests import one of its games in a manner that the library has deprecated.
    warnings.filterwarnings("ignore", "The old environment creation API", DeprecationWarning)
    from pettingzoo.test import api_test, render_test, seed_test

# PettingZoo gives them to every Dict observation but those of its own games, which it lists by name.
KNOWN_WARNINGS = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}


@pytest.fixture(params=[RawEnv, Env])
def kind(request: pytest.FixtureRequest) -> type[RawEnv]:
    """Both classes in turn."""
    found: type[RawEnv] = request.param
    return found


def legal_ids(mask: Any) -> list[int]:
    return [int(action) for action in np.flatnonzero(mask)]


def play(env: RawEnv, chooser: random.Random, moves: int = 10**9) -> list[int]:
    """Random legal moves until the game is over or so many are made; returns the actions."""
    actions: list[int] = []
    while len(actions) < moves:
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            break
        assert observation is not None
        actions.append(chooser.choice(legal_ids(observation["action_mask"])))
        env.step(actions[-1])
    return actions


def shown(env: RawEnv) -> dict[str, Any]:
    """All that an environment shows, as plain values."""
    return {
        "state": env.get_state(),
        "seats": env.state().tobytes(),
        "agents": [*env.agents],
        "selection": env.agent_selection,
        "rewards": dict(env.rewards),
        "paid": dict(env._cumulative_rewards),
        "terminations": dict(env.terminations),
        "truncations": dict(env.truncations),
        "masks": {agent: info["action_mask"].tobytes() for agent, info in env.infos.items()},
    }


# ---------------------------------------------------------------------------------------- PettingZoo's own checks


def test_api(game: str, kind: type[RawEnv], uncached_is_error: None) -> None:
    for num_players in player_counts(load(game).spec):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            api_test(kind(game, num_players), num_cycles=500)
        assert {str(warning.message) for warning in caught} == KNOWN_WARNINGS


def test_seeds(game: str, kind: type[RawEnv]) -> None:
    seed_test(lambda: kind(game), num_cycles=200)


def test_rendering(game: str, kind: type[RawEnv], monkeypatch: pytest.MonkeyPatch) -> None:
    for extra in ("resvg_py", "pygame", "pepperenvs.drivers.render"):
        pytest.importorskip(extra)
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    render_test(lambda **options: kind(game, **options))


# ------------------------------------------------------------------------------------------------------- games


def play_beside_the_kernels(env: RawEnv, seed: int) -> None:
    """Play a game with an environment and with the game's own functions; compare after every move."""
    loaded = load(env.metadata["name"])
    states, views = loaded.blank(env.options), loaded.view_buffers(1)
    loaded.prepare(states, 0, loaded.blank(env.options), 0, seed)
    seat = loaded.turn(states, 0, RESTART, *views)
    chooser = random.Random(seed)
    env.reset(seed=seed)
    while seat != OVER:
        assert env.get_state() == loaded.save(states)
        assert env.agent_selection == f"player_{seat}"
        assert set(env.rewards.values()) == set(env._cumulative_rewards.values()) == {0}
        assert not any(env.terminations.values()) and not any(env.truncations.values())
        observation, _, _, _, info = env.last()
        assert observation is not None and observation["action_mask"] is info["action_mask"]
        assert info["action_mask"].tobytes() == views[2].tobytes()
        assert observation["observation"].tobytes() == views[3].tobytes()
        assert env.legal_actions() == loaded.legal_strings(states)
        action = chooser.choice(legal_ids(info["action_mask"]))
        seat = loaded.turn(states, 0, action, *views)
        env.step(action)
    assert env.get_state() == loaded.save(states)
    check_end(env, states)


def check_end(env: RawEnv, states: Any) -> None:
    """Rewards and dicts after the last move, then each agent stepped once with None."""
    paid = np.zeros(len(states["score"][0]))
    load(env.metadata["name"]).utilities(states, 0, utility.RANK, paid)
    truncated = bool(states["truncated"][0])
    agents = [f"player_{seat}" for seat in range(env.num_players)]
    assert env.agents == agents
    assert env.rewards == env._cumulative_rewards == dict(zip(agents, paid.tolist(), strict=False))
    assert env.truncations == dict.fromkeys(agents, truncated)
    assert env.terminations == dict.fromkeys(agents, not truncated)
    assert env.legal_actions() == []
    for agent in agents:
        observation, reward, _, _, info = env.last()
        assert env.agent_selection == agent and reward == paid[agents.index(agent)]
        assert observation is not None and observation["action_mask"] is info["action_mask"]
        assert not info["action_mask"].any() and env.observation_space(agent).contains(observation)
        env.step(None)
        assert agent not in env.agents
    assert env.agents == [] and env.rewards == env.infos == {}


@pytest.mark.nojit
def test_a_game_is_that_of_the_kernels(game: str, kind: type[RawEnv]) -> None:
    for number, options in enumerate(odd_variants(load(game).spec)):
        play_beside_the_kernels(kind(game, **options), seed=number)


def test_several_games_after_one_seed(game: str, kind: type[RawEnv]) -> None:
    one, other = kind(game), kind(game)
    starts = []
    for seed in (5, None, None, 5, None):
        one.reset(seed=seed)
        other.reset(seed=seed)
        starts.append(one.get_state())
        for moves in (3, 10**9):
            assert play(one, random.Random(1), moves) == play(other, random.Random(1), moves)
            assert shown(one) == shown(other)
    assert starts[:2] == starts[3:] and len(set(starts)) == 3


def test_seeds_are_normalised(game: str, kind: type[RawEnv]) -> None:
    env = kind(game)
    for bad, error in ((-1, ValueError), (1.5, TypeError), ("1", TypeError)):
        with pytest.raises(error):
            env.reset(seed=bad)  # type: ignore[arg-type]
    starts = []
    for seed in (7, np.int64(7), 7 + 2**63):
        env.reset(seed=seed)  # type: ignore[arg-type]
        starts.append(env.get_state())
    assert len(set(starts)) == 1
    fresh = [kind(game), kind(game)]
    for env in fresh:
        env.reset()
    assert fresh[0].get_state() != fresh[1].get_state()  # the generators differ, by entropy


def test_a_limit_truncates(game: str, kind: type[RawEnv]) -> None:
    limits = [option for option in load(game).spec.options if option.name == "max_moves"]
    if not limits:
        pytest.skip("the game limits rounds or turns")
    env = kind(game, max_moves=limits[0].low)  # type: ignore[union-attr]
    env.reset(seed=1)
    assert len(play(env, random.Random(1))) == limits[0].low  # type: ignore[union-attr]
    assert all(env.truncations.values()) and not any(env.terminations.values())


# --------------------------------------------------------------------------------------- observations and spaces


def test_spaces(game: str, kind: type[RawEnv]) -> None:
    env, spec = kind(game), load(game).spec
    for agent in env.possible_agents:
        space, actions = env.observation_space(agent), env.action_space(agent)
        assert space is env.observation_space(agent) and actions is env.action_space(agent)
        cells, mask = Box(spec.layout.low, spec.layout.high, dtype=np.int16), Box(0, 1, (spec.actions.size,), np.int8)
        assert space == Dict({"observation": cells, "action_mask": mask}) and actions == Discrete(spec.actions.size)
    spaces = [env.observation_space(agent) for agent in env.possible_agents]
    assert len({id(space) for space in spaces}) == len(spaces)
    with pytest.raises(KeyError, match=r"player_99.*player_0"):
        env.action_space("player_99")
    with pytest.raises(KeyError, match=r"player_99.*player_0"):
        env.observation_space("player_99")


def test_observations_are_new_arrays_that_stay(game: str, kind: type[RawEnv]) -> None:
    env = kind(game)
    env.reset(seed=1)
    kept, chooser = [], random.Random(1)
    for _ in range(12):
        first, second = env.last()[0], env.last()[0]
        assert first is not None and second is not None
        assert first["observation"] is not second["observation"]
        kept.append((first, copy.deepcopy(first), env.infos[env.agent_selection]))
        if not play(env, chooser, 1):
            break
    for observation, at_the_time, info in kept:
        assert observation["observation"].dtype == np.int16 and observation["action_mask"].dtype == np.int8
        assert all(np.array_equal(observation[key], at_the_time[key]) for key in observation)
        assert info["action_mask"] is observation["action_mask"]


def test_every_seat_is_observed(game: str, kind: type[RawEnv]) -> None:
    env, loaded = kind(game), load(game)
    env.reset(seed=2)
    chooser = random.Random(2)
    for _ in range(20):
        whole = env.state()
        assert whole.shape == (loaded.spec.max_seats, loaded.spec.layout.size) and whole.dtype == np.int16
        assert not whole[env.num_players :].any()
        for seat, agent in enumerate(env.agents):
            observation = env.observe(agent)
            assert observation["action_mask"] is env.infos[agent]["action_mask"]
            assert observation["action_mask"].any() == (agent == env.agent_selection and not env.terminations[agent])
            assert observation["observation"].tobytes() == whole[seat].tobytes()
            assert env.observation_space(agent).contains(observation)
        if not play(env, chooser, 1):
            break
    with pytest.raises(KeyError, match="player_99"):
        env.observe("player_99")


def test_fewer_players_for_a_game(game: str, kind: type[RawEnv]) -> None:
    fewest, most, _ = load(game).spec.players
    env = kind(game, num_players=most)
    for num_players in (fewest, most, fewest):
        env.reset(seed=1, options={"num_players": num_players, "colour": "red"})
        assert env.num_players == env.options["num_players"] == env.num_agents == num_players
        assert env.max_num_agents == most
        one = kind(game, num_players)
        one.reset(seed=1)
        assert shown(one) == shown(env)
        play(env, random.Random(1))
        before = shown(env)
        for bad in (most + 1, fewest - 1, "2", 2.0, True):
            with pytest.raises(ValueError, match=rf"num_players.*{fewest} … {most}"):
                env.reset(options={"num_players": bad})
        assert shown(env) == before
    env.reset()
    assert env.num_players == most
    if fewest < most:
        env = kind(game, num_players=fewest)
        with pytest.raises(ValueError, match=rf"num_players.*{fewest} … {fewest}"):
            env.reset(options={"num_players": most})


# ------------------------------------------------------------------------------------------- what is refused


def refused(env: RawEnv, action: Any) -> IllegalActionError:
    """The error of an action that must change nothing."""
    before = shown(env)
    with pytest.raises(IllegalActionError) as caught:
        env.step(action)
    assert shown(env) == before
    return caught.value


@pytest.mark.nojit
def test_illegal_actions_change_nothing(game: str) -> None:
    env, spec = RawEnv(game), load(game).spec
    env.reset(seed=3)
    chooser = random.Random(3)
    for _ in range(30):
        if env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            break
        legal = legal_ids(env.infos[env.agent_selection]["action_mask"])
        illegal = [action for action in range(spec.actions.size) if action not in legal]
        for action in chooser.sample(illegal, min(2, len(illegal))):
            error = refused(env, chooser.choice([int, np.int64, np.int32])(action))
            assert error.action == env.action_string(action)
            assert str(error.seat) == env.agent_selection.removeprefix("player_")
            assert error.game == game and [*error.legal] == env.legal_actions() == [env.action_string(i) for i in legal]
            assert all(legal_string in str(error) for legal_string in error.legal)
        for action in (-1, -2, spec.actions.size, 10**30, np.int64(-1), None, 1.0, "1", [1], np.array([1]), object()):
            assert [*refused(env, action).legal] == env.legal_actions()
        if not play(env, chooser, 1):
            break


def test_integers_of_all_kinds_are_actions(game: str) -> None:
    one, other = RawEnv(game), RawEnv(game)
    one.reset(seed=4)
    other.reset(seed=4)
    for cast in (int, np.int64, np.int32, np.int16, np.uint64, np.array):
        (action,) = play(one, random.Random(4), 1)
        other.step(cast(action))  # type: ignore[operator]
        assert shown(one) == shown(other)


def test_dead_agents_take_none_only(game: str) -> None:
    env = RawEnv(game)
    env.reset(seed=5)
    play(env, random.Random(5))
    for action in (0, np.int64(0), -1, 10**30, 0.0, "0"):
        assert refused(env, action).legal == ()
    while env.agents:
        env.step(None)
    for action in (None, 0):
        with pytest.raises(IllegalActionError, match="over"):
            env.step(action)


def test_an_error_can_be_pickled(game: str) -> None:
    env = RawEnv(game)
    env.reset(seed=1)
    error = refused(env, -1)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.legal == error.legal


def test_nothing_goes_before_reset(game: str, kind: type[RawEnv]) -> None:
    env = kind(game)
    calls: dict[str, Callable[[], Any]] = {
        "step": lambda: env.step(0),
        "observe": lambda: env.observe("player_0"),
        "state": env.state,
        "render": env.render,
        "get_state": env.get_state,
        "legal_actions": env.legal_actions,
    }
    for name, call in calls.items():
        with pytest.raises(AssertionError, match=f"before {name}"):
            call()
    for name in ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents"):
        assert not hasattr(env, name)


def test_bad_arguments_are_named(game: str, kind: type[RawEnv]) -> None:
    spec = load(game).spec
    bad = object()
    for option in spec.options:
        with pytest.raises(ValueError) as caught:
            kind(game, **{option.name: bad})
        assert option.name in str(caught.value) and option.allowed in str(caught.value)
    with pytest.raises(ValueError, match=spec.options[0].name):
        kind(game, no_such_option=1)
    with pytest.raises(ValueError, match=rf"num_players.*{spec.players[0]} … {spec.players[1]}"):
        kind(game, num_players=spec.players[1] + 1)
    with pytest.raises(ValueError, match=r"utility.*'rank', 'win', 'score'"):
        kind(game, utility="money")
    with pytest.raises(ValueError, match=r"render_mode.*'ansi', 'rgb_array', 'human'"):
        kind(game, render_mode="film")
    with pytest.raises(ValueError, match=game):
        kind("no_such_game_v0")


# ---------------------------------------------------------------------------------------- copies and saved positions


def restored(env: RawEnv) -> RawEnv:
    """Another environment at the same position."""
    other = type(env)(env.metadata["name"], num_players=env.num_players)
    other.set_state(env.get_state())
    return other


@pytest.mark.parametrize("way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)), restored])
def test_a_copy_goes_on_alike_and_alone(game: str, kind: type[RawEnv], way: Callable[[RawEnv], RawEnv]) -> None:
    env = kind(game)
    env.reset(seed=6)
    for moves in (0, 1, 7, 10**9):
        play(env, random.Random(6), moves)
        before, other = shown(env), way(env)
        assert shown(other) == before
        assert all(info["action_mask"] is other.observe(agent)["action_mask"] for agent, info in other.infos.items())
        played = play(other, random.Random(7))
        assert shown(env) == before
        if moves < 10**9:
            assert played == play(third := way(env), random.Random(7)) and shown(other) == shown(third)
        other.reset()
        play(other, random.Random(8))
        assert shown(env) == before


def test_copies_before_reset_and_with_spaces(game: str, kind: type[RawEnv]) -> None:
    env = kind(game)
    env.action_space("player_0").seed(3)
    other = copy.deepcopy(env)
    assert [other.action_space("player_0").sample() for _ in range(9)] == [
        env.action_space("player_0").sample() for _ in range(9)
    ]
    other.reset(seed=1)
    assert not hasattr(env, "agents")


def test_a_saved_position_brings_players_and_options(game: str, kind: type[RawEnv]) -> None:
    spec = load(game).spec
    env = kind(game, num_players=spec.players[0])
    for options in odd_variants(spec):
        source = kind(game, **options)
        source.reset(seed=9)
        for moves in (4, 10**9):
            play(source, random.Random(9), moves)
            env.set_state(source.get_state())
            assert shown(env) == shown(source) and env.options == source.options == options
            assert env.possible_agents == source.possible_agents
        env.reset()
        assert env.options == spec.resolve(spec.players[0]) and env.num_agents == env.max_num_agents == spec.players[0]


def test_a_bad_save_changes_nothing(game: str, kind: type[RawEnv]) -> None:
    env, loaded = kind(game), load(game)
    env.reset(seed=1)
    play(env, random.Random(1), 5)
    before, data = shown(env), env.get_state()
    two = loaded.save(np.concatenate([loaded.load(data), loaded.load(data)]))
    for bad in (b"", data[:-1], data + b"!", data[:-9] + b"!" + data[-8:], two, loaded.save(loaded.load(data)[:0])):
        with pytest.raises(SaveError):
            env.set_state(bad)
        assert shown(env) == before


# --------------------------------------------------------------------------------------------------- for people


def test_words(game: str, kind: type[RawEnv]) -> None:
    env, spec = kind(game), load(game).spec
    env.reset(seed=1)
    assert str(env) == env.metadata["name"] == game and env.unwrapped is env
    legal = legal_ids(env.infos[env.agent_selection]["action_mask"])
    assert [env.parse_action(string) for string in env.legal_actions()] == legal
    assert all(env.parse_action(env.action_string(action)) == action for action in range(spec.actions.size))
    assert env.describe() == env.describe(env.agent_selection)
    assert all(segment.name in env.describe(env.agents[-1]) for segment in spec.layout.segments)


def test_text(game: str, kind: type[RawEnv]) -> None:
    env = kind(game, render_mode="ansi")
    env.reset(seed=1)
    text = load(game).spec.part("text").text
    assert env.render() == text(env._states[0], int(env.agent_selection.removeprefix("player_")))
    play(env, random.Random(1))
    assert isinstance(env.render(), str)
    env.close()


def test_rendering_without_a_mode_warns(game: str, kind: type[RawEnv]) -> None:
    env = kind(game)
    env.reset()
    with pytest.warns(UserWarning, match="without specifying any render mode"):
        assert env.render() is None
