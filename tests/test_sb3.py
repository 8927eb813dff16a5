"""The vector for Stable-Baselines3: the games that its own vector of solo games plays, in every cell."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

from agents.base import make_agent
from agents.match import play_match
from agents.policy import CheckpointError
from agents.random_agent import RandomAgent
from agents.sb3_policies import LayoutScaling, MaskableAgent, scaled
from experiments import sb3_maskable_ppo
from pepperenvs import make_batch, make_solo, registry
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


# ------------------------------------------------------------------------------------- the agent, and the script


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """An untrained model for Heat Guess."""
    games = SB3VecEnv(HEAT_GUESS, 2)
    made = MaskablePPO("MlpPolicy", games, n_steps=2, batch_size=4, policy_kwargs=scaled(HEAT_GUESS, net_arch=[8]),
                       seed=1, device="cpu")  # fmt: skip
    made.save(tmp_path / "model.zip")
    return tmp_path / "model.zip"


def test_observations_are_scaled_by_the_layout() -> None:
    games = SB3VecEnv(HEAT_GUESS, 3)
    extractor = LayoutScaling(games.observation_space, HEAT_GUESS)
    seen = games.reset()
    features = extractor(torch.from_numpy(seen).float()).numpy()
    assert np.allclose(features, seen * registry.spec(HEAT_GUESS).layout.scale)
    assert extractor.features_dim == seen.shape[1]


def test_a_model_plays_matches(model: Path) -> None:
    agent = make_agent(HEAT_GUESS, f"sb3:{model}")
    first, again = (play_match(HEAT_GUESS, [agent, make_agent(HEAT_GUESS, "bot")], 3, 5) for _ in range(2))
    assert np.array_equal(first.score, again.score) and first.names == ("sb3:model", "bot")


@pytest.mark.parametrize("sample", [False, True])
def test_an_agents_actions_are_legal_and_its_own(model: Path, sample: bool) -> None:
    agent = MaskableAgent.read(HEAT_GUESS, model)
    agent = MaskableAgent(agent._policy, sample=sample)
    batch = make_batch(HEAT_GUESS, 300, seed=3)
    mask = batch.action_mask.copy()
    mask[:, 0] = 0  # some that are legal in the game are not allowed here
    agent.restart(7)
    actions = agent.act(batch.observation, mask)
    assert actions.dtype == np.int64 and mask[np.arange(300), actions].all()
    agent.restart(7)
    assert np.array_equal(agent.act(batch.observation, mask), actions)
    if not sample:  # nobody's answer depends on the others in the batch
        assert agent.act(batch.observation[280:281], mask[280:281]) == actions[280]
    else:
        assert len(set(actions.tolist())) > 1


def test_models_of_another_game_or_none_at_all_are_refused(model: Path, tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="not for pick_a_pepper_v0"):
        make_agent("pick_a_pepper_v0", f"sb3:{model}")
    (tmp_path / "torn.zip").write_bytes(model.read_bytes()[:500])
    with pytest.raises(CheckpointError, match="no model"):
        make_agent(HEAT_GUESS, f"sb3:{tmp_path / 'torn.zip'}")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        make_agent(HEAT_GUESS, "sb3:nowhere.zip")


TINY = ("--game", HEAT_GUESS, "--steps", "64", "--num-envs", "8", "--rollout", "4", "--hidden", "8", "--minibatch",
        "16", "--epochs", "1", "--curve-points", "2", "--curve-deals", "2", "--threads", "1")  # fmt: skip


def test_the_script_trains_measures_and_saves(tmp_path: Path, capsys: pytest.CaptureFixture[str], model: Path) -> None:
    folder = tmp_path / "run"
    opponents = ("--opponents", "random=0.5", "bot", f"sb3:{model}=2")
    assert sb3_maskable_ppo.main([*TINY, *opponents, "--folder", str(folder)]) == 0
    first, last = csv.DictReader((folder / "curve.csv").read_text().splitlines())
    assert last["steps"] == "64" and int(first["steps"]) >= 32 and 0 <= float(last["bot"]) <= 1
    assert f"sb3:{model}" in last and json.loads((folder / "arguments.json").read_text())["steps"] == 64
    assert make_agent(HEAT_GUESS, f"sb3:{folder / 'model.zip'}").name == "sb3:model"
    assert f"sb3:{folder / 'model.zip'}" in capsys.readouterr().out
    assert sb3_maskable_ppo.main([*TINY, "--folder", str(folder)]) == 1
    assert "holds a run already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(("--opponents", "ismcts:10"), "searches"), (("--opponents", "nobody"), "no agent"), (("--players", "9"), "num_p"),
     (("--options", "kinds"), "OPTION=JSON"), (("--opponents", "bot=-1"), "weight")],
)  # fmt: skip
def test_the_script_refuses_in_one_line(
    arguments: tuple[str, ...], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sb3_maskable_ppo.main([*TINY, *arguments, "--folder", str(tmp_path / "run")]) == 1
    err = capsys.readouterr().err
    assert words in err and err.count("\n") == 1
