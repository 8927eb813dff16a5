"""The Gymnasium environment of one learner: the libraries' own checks, rewards, illegal actions, opponents, seeds."""

import copy
import functools
import importlib.util
import pickle
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

from pepperenvs.drivers import game as games
from pepperenvs.drivers import ids, render
from pepperenvs.drivers._kernels import ASKED
from pepperenvs.drivers.batch import Batch
from pepperenvs.drivers.game import IllegalActionError
from pepperenvs.drivers.solo import SoloEnv
from tests.conformance import few

SEED = 37
MOST_STEPS = 20_000

Step = tuple[np.ndarray, float, bool, bool, dict[str, Any]]


class FirstLegal:
    """An agent that plays the first legal action, and notes what it was handed."""

    def __init__(self) -> None:
        self.seen: list[tuple[np.ndarray, np.ndarray]] = []

    def act(self, observation: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        self.seen.append((observation, action_mask))
        return action_mask.argmax(axis=1)


class Moody:
    """An agent whose play depends on the seed that it was last given."""

    def restart(self, seed: int) -> None:
        self.chooser = np.random.default_rng(seed)

    def act(self, observation: np.ndarray, action_mask: np.ndarray) -> list[int]:
        return [int(self.chooser.choice(np.flatnonzero(mask))) for mask in action_mask]


class Scripted(FirstLegal):
    """An agent that the drivers have inside their kernels."""

    scripted = "bot"


class Stubborn:
    """An agent that plays an action that is never there."""

    def act(self, observation: np.ndarray, action_mask: np.ndarray) -> list[int]:
        return [-1]


def legal(info: dict[str, Any], chooser: np.random.Generator) -> int:
    return int(chooser.choice(np.flatnonzero(info["action_mask"])))


def episode(env: SoloEnv, seed: int | None, **options: Any) -> Iterator[Step]:
    """Every step of an episode with legal actions drawn from `seed`, the reset first as a step without a reward."""
    observation, info = env.reset(seed=seed, options=options)
    yield observation, 0.0, False, False, info
    chooser = np.random.default_rng(seed)
    for _ in range(MOST_STEPS):
        step = env.step(legal(info, chooser))
        yield step
        _, _, terminated, truncated, info = step
        if terminated or truncated:
            return
    raise AssertionError("the episode does not end")


def same(one: Step, other: Step) -> bool:
    """Two steps hold the same bytes."""
    return pickle.dumps(_plain(one)) == pickle.dumps(_plain(other))


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.tolist()
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, (list, tuple)) else value


# ---------------------------------------------------------------------------------- the libraries' checks


def test_gymnasium_finds_nothing_to_object_to(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawing = all(importlib.util.find_spec(name) for name in ("resvg_py", "pygame"))
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    check_env(gymnasium.make(ids.gymnasium_id(game)).unwrapped, skip_render_check=not drawing)


def test_stable_baselines_finds_nothing_to_object_to(game: str) -> None:
    with warnings.catch_warnings():  # of what it imports; what it finds in our environment comes later
        warnings.simplefilter("ignore")
        checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(SoloEnv(game), skip_render_check=True)


def test_gymnasium_makes_it_by_its_id(game: str) -> None:
    env = gymnasium.make(ids.gymnasium_id(game), seat=0, opponents="bot")
    observation, info = env.reset(seed=SEED)
    assert env.observation_space.contains(observation)
    assert env.action_space.contains(env.action_space.sample(info["action_mask"]))
    for _ in range(MOST_STEPS):
        observation, _, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        if terminated or truncated:
            break
    env.close()
    assert terminated or truncated
    assert "HeatGuess-v0" in ids.gymnasium_id("heat_guess_v0")


@pytest.mark.nojit
def test_what_is_returned_is_new_and_of_the_declared_kind(game: str) -> None:
    env = SoloEnv(game)
    kept: list[tuple[np.ndarray, np.ndarray]] = []
    for observation, reward, terminated, truncated, info in episode(env, SEED):
        assert env.observation_space.contains(observation) and observation.dtype == np.int16
        mask = info["action_mask"]
        assert mask.dtype == np.int8 and mask.shape == (env.action_space.n,)
        assert env.action_masks().dtype == np.bool_ and (env.action_masks() == mask).all()
        assert [type(value) for value in (reward, terminated, truncated)] == [float, bool, bool]
        for array in (observation, mask, env.action_masks()):
            assert array.base is None and array.flags.writeable
            assert not any(np.shares_memory(array, other) for pair in kept[-1:] for other in pair)
        kept.append((observation, mask))
    first = next(episode(env, SEED))
    assert (first[0] == kept[0][0]).all() and (first[4]["action_mask"] == kept[0][1]).all()


# ------------------------------------------------------------------------------------------- as in a batch


@pytest.mark.parametrize("opponents", ["random", "bot", {"random": 1.0, "bot": 1.0}])
def test_it_equals_a_batch_of_one(game: str, opponents: Any) -> None:
    fewest, most, _ = games.load(game).spec.players
    for num_players in range(fewest, most + 1):
        for seat in (0, "random"):
            given = {"num_players": num_players, "opponents": opponents, "seat": seat, "utility": "win"}
            _compare_episodes(SoloEnv(game, **given), Batch(game, 1, seed=SEED, **given))


def _compare_episodes(env: SoloEnv, batch: Batch) -> None:
    """Two episodes: the second goes on with the first one's streams."""
    for seed in (SEED, None):
        chooser = np.random.default_rng(seed)
        observation, info = env.reset(seed=seed)
        reward, done = 0.0, False
        while not done:
            assert observation.tobytes() == batch.observation.tobytes()
            assert info["action_mask"].tobytes() == batch.action_mask.tobytes()
            assert info["seat"] == batch.learner[0] == batch.seat[0]
            assert reward == 0.0 and "scores" not in info
            action, learner = legal(info, chooser), int(batch.learner[0])
            observation, reward, terminated, truncated, info = env.step(action)
            batch.step([action])
            done = terminated or truncated
            assert done == batch.finished[0] and truncated == batch.truncated[0]
        assert not (terminated and truncated) and info["seat"] == learner
        assert reward == batch.final_utility[0, learner]
        assert (info["scores"] == batch.final_score[0]).all() and (info["standing"] == batch.final_standing[0]).all()
        assert info["length"] == batch.final_length[0]
        assert not info["action_mask"].any()


def test_the_last_observation_is_the_learners_view_of_the_final_table(game: str) -> None:
    env = SoloEnv(game, seat=0)
    *_, (observation, _, _, _, info) = episode(env, SEED)
    assert (observation == env._batch.observe(0, info["seat"])).all() and observation.any()


@pytest.mark.nojit
def test_the_limit_truncates() -> None:
    env = SoloEnv("heat_guess_v0", seat=0, max_moves=3)
    *_, (_, reward, terminated, truncated, info) = episode(env, SEED)
    assert (terminated, truncated, info["length"]) == (False, True, 3)
    assert reward == np.sign(int(info["scores"][0] - info["scores"][1]))


def test_games_that_never_ask_the_learner_are_refused() -> None:
    with pytest.raises(RuntimeError, match="before the learner"):
        SoloEnv("heat_guess_v0", seat=1, max_moves=1).reset(seed=SEED)


@pytest.mark.nojit
def test_games_that_end_before_the_learner_is_asked_are_passed_over() -> None:
    env = SoloEnv("heat_guess_v0", num_players=2, max_moves=1, utility="score")
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(20)} == {0}


# ------------------------------------------------------------------------------------------ illegal actions


@pytest.mark.nojit
def test_an_illegal_action_ends_the_episode(game: str) -> None:
    env = SoloEnv(game)
    size = int(env.action_space.n)
    env.reset(seed=SEED)
    strings = games.load(game).strings(env._batch._states)
    for wrong in (-1, size, 10**30, *np.flatnonzero(env.reset(seed=SEED)[1]["action_mask"] == 0)[:1]):
        before, _ = env.reset(seed=SEED)
        observation, reward, terminated, truncated, info = env.step(wrong)
        assert (observation == before).all() and env.observation_space.contains(observation)
        assert (reward, terminated, truncated) == (-1.0, True, False)
        named = strings[int(wrong)] if 0 <= wrong < size else wrong
        assert info["illegal_action"] == named and "scores" not in info
        assert not info["action_mask"].any() and not env.action_masks().any()
        with pytest.raises(ResetNeeded):
            env.step(0)
    assert "illegal_action" not in env.reset()[1]


@pytest.mark.nojit
def test_an_illegal_action_raises_if_asked_to(game: str) -> None:
    env, other = SoloEnv(game, illegal="raise"), SoloEnv(game, illegal="raise")
    _, info = env.reset(seed=SEED)
    other.reset(seed=SEED)
    before = env._batch.get_state(0)
    for wrong in (-1, int(env.action_space.n), 10**30):
        with pytest.raises(IllegalActionError) as caught:
            env.step(wrong)
        assert (caught.value.action, caught.value.seat) == (str(wrong), info["seat"])
        assert list(caught.value.legal) == env._batch.legal_actions(0)
        assert env._batch.get_state(0) == before
    action = legal(info, np.random.default_rng(SEED))
    assert same(env.step(action), other.step(action))


@pytest.mark.nojit
def test_actions_are_whole_numbers(game: str) -> None:
    env = SoloEnv(game)
    _, info = env.reset(seed=SEED)
    action = legal(info, np.random.default_rng(SEED))
    for wrong in (1.0, "say 1", None, np.array([1, 2])):
        with pytest.raises(TypeError):
            env.step(wrong)  # type: ignore[arg-type]
    expected = env.step(action)
    for given in (np.int64(action), np.int32(action), np.array(action)):
        env.reset(seed=SEED)
        assert same(env.step(given), expected)  # type: ignore[arg-type]


@pytest.mark.nojit
def test_steps_need_a_reset(game: str) -> None:
    env = SoloEnv(game, render_mode="ansi")
    for method in (lambda: env.step(0), env.render):
        with pytest.raises(ResetNeeded):
            method()
    assert not env.action_masks().any()
    for _ in episode(env, SEED):
        pass
    with pytest.raises(ResetNeeded):
        env.step(0)


@pytest.mark.nojit
def test_wrong_arguments_are_refused(game: str) -> None:
    for arguments in (
        {"opponents": "agent"},
        {"opponents": {"agent": 1.0}},
        {"opponents": "nobody"},
        {"opponents": {}},
        {"opponents": 7},
        {"seat": 99},
        {"utility": "fun"},
        {"illegal": "ignore"},
        {"render_mode": "smell"},
        {"num_players": 99},
        {"no_such_option": 1},
    ):
        with pytest.raises(ValueError):
            SoloEnv(game, **arguments)


# ------------------------------------------------------------------------------------------------ opponents


@pytest.mark.nojit
def test_an_agent_is_asked_for_its_seats(game: str) -> None:
    most = games.load(game).spec.players[1]
    agent = FirstLegal()
    env, batch = SoloEnv(game, num_players=most, opponents=agent, seat=most - 1), Batch(game, 1, num_players=most)
    batch.reset(seed=SEED)
    _, info = env.reset(seed=SEED)
    chooser, done = np.random.default_rng(SEED), False
    while not done:
        while batch.seat[0] != most - 1 and not batch.finished[0]:
            observation, mask = agent.seen.pop(0)
            assert observation.tobytes() == batch.observation.tobytes() and observation.shape == (
                1,
                len(observation[0]),
            )
            assert mask.tobytes() == batch.action_mask.tobytes()
            batch.step(mask.argmax(axis=1))
        action = legal(info, chooser)
        _, reward, terminated, truncated, info = env.step(action)
        done = terminated or truncated
        batch.step([action])
    while not batch.finished[0]:
        batch.step(agent.seen.pop(0)[1].argmax(axis=1))
    assert not agent.seen and reward == batch.final_utility[0, most - 1]


@pytest.mark.nojit
def test_an_agent_begins_anew_with_the_seed(game: str) -> None:
    env = SoloEnv(game, opponents=Moody())
    first = list(episode(env, SEED))
    assert all(same(one, again) for one, again in zip(first, episode(env, SEED), strict=True))


def test_a_scripted_agent_is_played_in_the_kernel(game: str) -> None:
    agent = Scripted()
    pairs = zip(
        episode(SoloEnv(game, opponents=agent), SEED), episode(SoloEnv(game, opponents="bot"), SEED), strict=True
    )
    assert all(same(one, other) for one, other in pairs)
    assert not agent.seen


@pytest.mark.nojit
def test_an_agents_illegal_action_is_an_error(game: str) -> None:
    env = SoloEnv(game, num_players=few(game), opponents=Stubborn(), seat=0)
    with pytest.raises(IllegalActionError):
        for _ in episode(env, SEED):
            pass
    with pytest.raises(ResetNeeded):
        env.step(0)


def test_opponents_of_a_mixture_change_only_between_episodes(game: str) -> None:
    env = SoloEnv(game, num_players=few(game), opponents={"random": 1, "bot": 1}, seat=0)
    seen = set()
    for seed in range(12):
        policies = {env._batch.policies.tobytes() for _ in episode(env, seed)}
        assert len(policies) == 1
        assert env._batch.policies[0, 0] == ASKED
        seen |= policies
    assert len(seen) == 2 ** (few(game) - 1)


def test_the_learners_seat_is_drawn_anew_for_each_episode(game: str) -> None:
    most = games.load(game).spec.players[1]
    env = SoloEnv(game, num_players=most)
    assert {env.reset()[1]["seat"] for _ in range(30 * most)} == set(range(most))
    assert {SoloEnv(game, num_players=most, seat=1).reset()[1]["seat"] for _ in range(5)} == {1}


# ---------------------------------------------------------------------------------------------- seeds, copies


def test_the_same_seed_gives_the_same_episode(game: str) -> None:
    env, other = SoloEnv(game, opponents="random"), SoloEnv(game, opponents="random")
    first = list(episode(env, SEED))
    for _ in episode(other, SEED + 1):
        pass
    assert all(same(one, again) for one, again in zip(first, episode(other, SEED), strict=True))
    assert not all(map(same, first, episode(env, SEED + 2)))
    assert (env.reset(seed=SEED)[0] == other.reset(seed=np.int64(SEED))[0]).all()


def test_bad_seeds_are_refused(game: str) -> None:
    env = SoloEnv(game)
    with pytest.raises(ValueError, match="negative"):
        env.reset(seed=-1)
    with pytest.raises(TypeError):
        env.reset(seed=1.5)  # type: ignore[arg-type]


def test_without_a_seed_every_environment_differs(game: str) -> None:
    first, second = SoloEnv(game), SoloEnv(game)
    first.reset()
    second.reset()
    assert first._batch.get_state(0) != second._batch.get_state(0)


@pytest.mark.nojit
def test_fewer_players_for_one_episode(game: str) -> None:
    fewest, most, _ = games.load(game).spec.players
    env, small = SoloEnv(game, num_players=most), SoloEnv(game, num_players=fewest)
    pairs = zip(episode(env, SEED, num_players=fewest, unknown=1), episode(small, SEED), strict=True)
    assert all(same(one, other) for one, other in pairs)
    env.reset(seed=SEED)
    assert env._batch.num_seats.tolist() == [most]
    for wrong in (fewest - 1, most + 1, "2", 2.0):
        with pytest.raises(ValueError, match="num_players"):
            env.reset(options={"num_players": wrong})
    with pytest.raises(ValueError, match="seat"):
        SoloEnv(game, num_players=most, seat=most - 1).reset(options={"num_players": fewest})


def test_copies_go_on_as_the_original(game: str) -> None:
    env = SoloEnv(game, opponents={"random": 1, "bot": 1})
    _, info = env.reset(seed=SEED)
    copies = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
    chooser = np.random.default_rng(SEED)
    for _ in range(50):
        action = legal(info, chooser)
        step = env.step(action)
        assert all(same(step, other.step(action)) for other in copies)
        info = step[4]
        if step[2] or step[3]:
            _, info = env.reset()
            for other in copies:
                assert same((other.reset()[1],), (info,))  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------- vectors, pictures


def test_text_is_rendered_from_the_learners_seat(game: str) -> None:
    env = SoloEnv(game, render_mode="ansi", seat=0)
    env.reset(seed=SEED)
    assert env.render() == games.load(game).spec.part("text").text(env._batch._states[0], 0)
    env.close()
    env.close()
    plain = SoloEnv(game)
    plain.reset(seed=SEED)
    with pytest.warns(UserWarning, match="render"):
        assert plain.render() is None


def test_pictures_are_drawn_from_the_learners_seat(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resvg_py")
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pictures, window = SoloEnv(game, render_mode="rgb_array", seat=1), SoloEnv(game, render_mode="human", seat=1)
    _, info = pictures.reset(seed=SEED)
    window.reset(seed=SEED)
    first = pictures.render()
    assert first.dtype == np.uint8 and first.ndim == 3 and first.shape[2] == 3
    assert (first == render.rgb_array(games.load(game).spec, pictures._batch._states[0], 1)).all()
    action = legal(info, np.random.default_rng(SEED))
    assert same(pictures.step(action), window.step(action))
    assert window.render() is None and (pictures.render() != first).any()
    assert pickle.loads(pickle.dumps(window))._view._window is None
    window.close()
    window.close()


@pytest.mark.slow
def test_it_works_in_processes_of_its_own(game: str) -> None:
    made = [functools.partial(SoloEnv, game, opponents="bot") for _ in range(2)]
    many: Any = AsyncVectorEnv(made, autoreset_mode=AutoresetMode.SAME_STEP)
    few: Any = SyncVectorEnv(made, autoreset_mode=AutoresetMode.SAME_STEP)
    chooser, ended = np.random.default_rng(SEED), 0
    try:
        (_, infos), (_, expected) = many.reset(seed=SEED), few.reset(seed=SEED)
        for _ in range(300):
            assert (infos["action_mask"] == expected["action_mask"]).all()
            actions = np.array([chooser.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
            *returned, infos = many.step(actions)
            *wanted, expected = few.step(actions)
            assert all((one == other).all() for one, other in zip(returned, wanted, strict=True))
            ended += int(returned[2].sum())
        assert ended or game != "heat_guess_v0"
    finally:
        many.close()
        few.close()
