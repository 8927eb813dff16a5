"""The vector for Stable-Baselines3: the games that its own vector of solo games plays, in every cell."""

from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

from agents.random_agent import RandomAgent
from pepperenvs import make_solo
from pepperenvs.adapters.sb3 import SB3VecEnv
from pepperenvs.drivers.game import IllegalActionError
from tests.conformance import few

HEAT_GUESS = "heat_guess_v0"
SEED = 11


def pair(game: str, num_envs: int = 3, **options: Any) -> tuple[SB3VecEnv, DummyVecEnv]:
    """Ours, and SB3's over solo games, with the same seed."""
    ours = SB3VecEnv(game, num_envs, **options)
    theirs = DummyVecEnv([lambda: make_solo(game, **options)] * num_envs)
    assert ours.seed(SEED) == theirs.seed(SEED)
    return ours, theirs


def legal(masks: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    return (masks * chance.random(masks.shape)).argmax(axis=1)


def compare(ours: SB3VecEnv, theirs: DummyVecEnv, steps: int, illegal: float = 0.0) -> int:
    """Play the same actions in both; returns how many games ended."""
    chance = np.random.default_rng(SEED)
    assert np.array_equal(ours.reset(), theirs.reset())
    ended = 0
    for _ in range(steps):
        masks = get_action_masks(ours)
        assert masks.dtype == bool and np.array_equal(masks, get_action_masks(theirs))
        actions = legal(masks, chance)
        wrong = chance.random(len(actions)) < illegal
        actions[wrong] = chance.integers(masks.shape[1], size=wrong.sum())
        observations, rewards, dones, infos = ours.step(actions)
        expected, their_rewards, their_dones, their_infos = theirs.step(actions)
        assert observations.dtype == expected.dtype and np.array_equal(observations, expected)
        assert rewards.dtype == their_rewards.dtype and np.array_equal(rewards, their_rewards)
        assert np.array_equal(dones, their_dones)
        for one, other in zip(np.array(infos)[dones], np.array(their_infos)[dones], strict=True):
            ended += 1
            assert np.array_equal(one["terminal_observation"], other["terminal_observation"])
            assert one["TimeLimit.truncated"] == other["TimeLimit.truncated"]
            for name in ("seat", "scores", "standing", "length", "illegal_action"):
                assert (name in one) == (name in other) and np.array_equal(one.get(name, 0), other.get(name, 0)), name
        assert not any(info for info, done in zip(infos, dones, strict=True) if not done)
    return ended


def test_the_same_games_as_sb3s_vector_of_solo_games(game: str) -> None:
    for opponents in ("random", "bot"):
        compare(*pair(game, num_players=few(game), opponents=opponents), steps=60)


def test_many_ends_and_limits() -> None:
    assert compare(*pair(HEAT_GUESS, 5, kinds=2, heats=2, copies=1, opponents={"bot": 1, "random": 1}), steps=80) > 30
    assert compare(*pair(HEAT_GUESS, 5, num_players=2, max_moves=9, opponents="bot", seat=1), steps=60) > 20


def test_illegal_actions_end_a_game_or_raise() -> None:
    assert compare(*pair("pick_a_pepper_v0", 4), steps=60, illegal=0.2) > 20
    strict = SB3VecEnv("pick_a_pepper_v0", 2, illegal="raise")
    strict.reset()
    before = strict.action_masks()
    with pytest.raises(IllegalActionError):
        strict.step(before.argmin(axis=1))
    assert np.array_equal(strict.action_masks(), before)


def test_agents_as_opponents() -> None:
    games = SB3VecEnv(HEAT_GUESS, 4, num_players=3, opponents=RandomAgent())
    games.reset()
    assert sum(games.step(legal(games.action_masks(), np.random.default_rng(i)))[2].sum() for i in range(200)) > 0


def test_episodes_are_told_as_by_the_monitor() -> None:
    ours = SB3VecEnv(HEAT_GUESS, 3, kinds=2, heats=2, copies=1)
    with pytest.warns(UserWarning, match="already wrapped"):  # so it says of all that tell of episodes themselves
        monitored = VecMonitor(SB3VecEnv(HEAT_GUESS, 3, kinds=2, heats=2, copies=1))
    for one in (ours, monitored):
        one.seed(SEED)
        one.reset()
    chance, seen = np.random.default_rng(0), 0
    for _ in range(40):
        actions = legal(ours.action_masks(), chance)
        _, _, dones, infos = ours.step(actions)
        told = monitored.step(actions)[3]
        for index in np.flatnonzero(dones):
            seen += 1
            assert {key: infos[index]["episode"][key] for key in "rl"} == {
                key: told[index]["episode"][key] for key in "rl"
            }
    assert seen > 10


def test_what_sb3_asks_of_games() -> None:
    games = SB3VecEnv(HEAT_GUESS, 3, render_mode="rgb_array")
    games.reset()
    assert is_masking_supported(games) and not games.has_attr("nonsense")
    assert np.array_equal(games.env_method("action_masks", indices=[2]), games.action_masks()[[2]])
    stacked = np.stack(games.env_method("action_masks"))
    assert type(stacked) is np.ndarray and np.array_equal(stacked, games.action_masks())
    assert np.array_equal(np.concatenate(games.env_method("action_masks")), games.action_masks().ravel())
    assert games.env_is_wrapped(VecMonitor) == [False] * 3
    images = games.get_images()
    assert len(images) == 3 and images[0].dtype == np.uint8
    for call in (lambda: games.env_method("render"), lambda: games.set_attr("seat", 1)):
        with pytest.raises(AttributeError):
            call()
    games.close()


def test_bad_arguments_are_refused() -> None:
    for arguments, word in (({"illegal": "no"}, "illegal"), ({"render_mode": "human"}, "render_mode"),
                            ({"kinds": 99}, "kinds"), ({"autoreset": False}, "autoreset"),
                            ({"opponents": "agent"}, "agent"), ({"seat": 7}, "seat")):  # fmt: skip
        with pytest.raises(ValueError, match=word):
            SB3VecEnv(HEAT_GUESS, 2, **arguments)
    games = SB3VecEnv(HEAT_GUESS, 2)
    games.set_options([{"num_players": 2}, {}])
    with pytest.raises(ValueError, match="same options"):
        games.reset()


@pytest.mark.slow
def test_maskable_ppo_learns_on_it() -> None:
    """Alone with two kinds of one card each and two numbers: three guesses a game are the best possible mean."""
    options = {"num_players": 1, "kinds": 2, "heats": 2, "copies": 1, "utility": "rank"}
    games = SB3VecEnv(HEAT_GUESS, 64, **options)
    model = MaskablePPO("MlpPolicy", games, n_steps=32, batch_size=256, n_epochs=4, learning_rate=3e-3, seed=1,
                        device="cpu", policy_kwargs={"net_arch": [32]})  # fmt: skip
    before, _ = evaluate_policy(model, SB3VecEnv(HEAT_GUESS, 8, **options), 200, use_masking=True)
    model.learn(40_000)
    after, _ = evaluate_policy(model, SB3VecEnv(HEAT_GUESS, 8, **options), 200, use_masking=True)
    assert after > before + 0.05
