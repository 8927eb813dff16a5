"""The vector of solo games equals Gymnasium's own, SyncVectorEnv over SoloEnv, in every cell of all that it returns."""

import copy
import functools
import pickle
import random
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

import pepperenvs
from pepperenvs.drivers import game as games
from pepperenvs.drivers import ids
from pepperenvs.drivers.game import IllegalActionError
from pepperenvs.drivers.solo import SoloEnv
from pepperenvs.drivers.vector import SoloVectorEnv, sync_vector_env
from tests.conformance import few, player_counts, twin_of

SEED = 37
GAMES = 5
MOST_STEPS = 20_000
MODES = [*AutoresetMode]

each_mode = pytest.mark.parametrize("mode", MODES, ids=[mode.name.lower() for mode in MODES])


class Counting:
    """An agent whose legal action depends on what it sees, and on nothing else."""

    def act(self, observation: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        wanted = observation.astype(np.int64).sum(axis=1) % action_mask.sum(axis=1)
        return (action_mask.cumsum(axis=1) > wanted[:, None]).argmax(axis=1)


class Moody:
    """An agent whose play depends on the seed that it was last given."""

    def __init__(self) -> None:
        self.restart(0)

    def restart(self, seed: int) -> None:
        self.chooser = np.random.default_rng(seed)

    def act(self, observation: np.ndarray, action_mask: np.ndarray) -> list[int]:
        return [int(self.chooser.choice(np.flatnonzero(mask))) for mask in action_mask]


class Stubborn:
    """An agent that from some time on plays an action that is never there."""

    is_stubborn = False

    def act(self, observation: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        return np.full(len(action_mask), -1) if self.is_stubborn else action_mask.argmax(axis=1)


class Played(NamedTuple):
    """What happened, by number of games."""

    ended: int
    truncated: int
    illegal: int


def check_same(one: Any, other: Any, where: str = "it") -> None:
    """Two values are the same in type, keys, shapes, dtypes and bytes, all the way down."""
    assert type(one) is type(other), where
    if isinstance(one, dict):
        assert {*one} == {*other}, where
        for key, value in one.items():
            check_same(value, other[key], f"{where}[{key!r}]")
    elif isinstance(one, (tuple, list)):
        assert len(one) == len(other), where
        for index, value in enumerate(one):
            check_same(value, other[index], f"{where}[{index}]")
    elif isinstance(one, np.ndarray):
        assert (one.dtype, one.shape) == (other.dtype, other.shape), where
        check_same(one.tolist(), other.tolist(), where) if one.dtype == object else np.testing.assert_array_equal(
            one, other, where
        )
    else:
        assert one == other, where


def pair(game: str, mode: AutoresetMode, num_envs: int = GAMES, **options: Any) -> tuple[SoloVectorEnv, SyncVectorEnv]:
    """The same games twice: at once, and one by one."""
    return (
        SoloVectorEnv(game, num_envs, autoreset_mode=mode, **options),
        sync_vector_env(game, num_envs, autoreset_mode=mode, **options),
    )


def check_reset(envs: tuple[SoloVectorEnv, VectorEnv], seed: Any = None, **options: Any) -> dict[str, Any]:
    """Reset both; returns the infos."""
    returned, expected = (env.reset(seed=seed, options=dict(options) if options else None) for env in envs)
    check_same(returned, expected, "reset")
    return returned[1]


def actions_for(env: SoloVectorEnv, chooser: np.random.Generator, wrong: str = "") -> np.ndarray:
    """A legal action for each game, or, with `wrong`, rarely one that is not: a "rule" forbids it, or no such "number"
    exists. For games that are over, which ignore it, nonsense."""
    actions = np.full(env.num_envs, 10**6)
    for index, mask in enumerate(env.action_masks()):
        if wrong and chooser.random() < 0.1:
            illegal = np.flatnonzero(~mask) if wrong == "rule" else np.array([-1, -5, len(mask), 10**9])
            actions[index] = chooser.choice(illegal) if mask.any() and len(illegal) else mask.argmax()
        elif mask.any():
            actions[index] = chooser.choice(np.flatnonzero(mask))
    return actions


def check_play(
    envs: tuple[SoloVectorEnv, VectorEnv], episodes: int, chooser: np.random.Generator, wrong: str = ""
) -> Played:
    """Play both with the same actions until so many games have ended, and compare all that they return."""
    ended = truncated = illegal = 0
    for number in range(MOST_STEPS):
        over = ~envs[0].action_masks().any(axis=1)
        if envs[0].metadata["autoreset_mode"] is AutoresetMode.DISABLED and over.any():
            check_reset(envs, reset_mask=over)
        actions = actions_for(envs[0], chooser, wrong)
        returned, expected = (env.step(actions) for env in envs)
        check_same(returned, expected, f"step {number}")
        _, _, terminations, truncations, infos = returned
        done = terminations | truncations
        ended, truncated = ended + int(done.sum()), truncated + int(truncations.sum())
        illegal += int(infos.get("final_info", infos).get("_illegal_action", np.zeros(1, bool)).sum())
        if ended >= episodes:
            return Played(ended, truncated, illegal)
    raise AssertionError(f"after {MOST_STEPS} steps {ended} games have ended")


# ------------------------------------------------------------------------------------------------- equality


@each_mode
def test_it_equals_the_games_one_by_one(game: str, mode: AutoresetMode) -> None:
    for num_players in player_counts(games.load(game).spec):
        envs, chooser = pair(game, mode, num_players=num_players), np.random.default_rng(num_players)
        for seed in (SEED, None, [5, 3, 3, 0, 2**63 + 1], [None, 7, None, 8, None], np.arange(GAMES)):
            check_reset(envs, seed)
            assert check_play(envs, 2, chooser).illegal == 0


@each_mode
@pytest.mark.parametrize(
    "options",
    [
        {"opponents": "bot", "utility": "win"},
        {"opponents": {"random": 1, "bot": 1}, "seat": 1},
        {"opponents": Counting(), "utility": "score"},
        {"opponents": {Counting(): 1, Counting(): 1, "bot": 1}, "seat": 0},
    ],
    ids=["bot", "mixture", "agent", "agents"],
)
def test_it_equals_them_with_every_kind_of_opponent(game: str, mode: AutoresetMode, options: dict[str, Any]) -> None:
    fewest, most, _ = games.load(game).spec.players
    envs, chooser = pair(game, mode, num_players=max(2, min(most, fewest + 2)), **options), np.random.default_rng(SEED)
    check_reset(envs, SEED)
    check_play(envs, 2 * GAMES, chooser)


@each_mode
@pytest.mark.parametrize("wrong", ["rule", "number"])
def test_it_equals_them_over_illegal_actions(game: str, mode: AutoresetMode, wrong: str) -> None:
    envs, chooser = pair(game, mode), np.random.default_rng(SEED)
    check_reset(envs, SEED)
    assert check_play(envs, 4 * GAMES, chooser, wrong).illegal > GAMES


@pytest.mark.nojit
@each_mode
def test_it_equals_them_when_a_limit_ends_games(mode: AutoresetMode) -> None:
    envs, chooser = pair("heat_guess_v0", mode, max_moves=3, kinds=2), np.random.default_rng(SEED)
    check_reset(envs, SEED)
    played = check_play(envs, 8 * GAMES, chooser)
    assert 0 < played.truncated <= played.ended and not played.illegal
    assert check_play(envs, 4 * GAMES, chooser, "rule").illegal


@pytest.mark.nojit
@each_mode
def test_it_equals_them_when_games_end_before_the_learner_is_asked(mode: AutoresetMode) -> None:
    envs, chooser = pair("heat_guess_v0", mode, num_players=2, max_moves=1, utility="score"), np.random.default_rng(1)
    for seed in (SEED, None):
        assert (check_reset(envs, seed)["seat"] == 0).all()
        check_play(envs, 4 * GAMES, chooser)
    fewer = pair("heat_guess_v0", mode, num_players=3, max_moves=1)
    check_reset(fewer, SEED, num_players=2)
    check_play(fewer, 4 * GAMES, chooser)


@each_mode
def test_it_equals_them_when_some_games_are_reset(game: str, mode: AutoresetMode) -> None:
    fewest, most, _ = games.load(game).spec.players
    envs, chooser = pair(game, mode, num_players=most), np.random.default_rng(SEED)
    check_reset(envs, SEED)
    for seed in (None, SEED, [*range(GAMES)], [1, None, 2, None, None]):
        check_play(envs, 2, chooser)
        while not (mask := chooser.random(GAMES) < 0.5).any():
            pass
        infos = check_reset(envs, seed, reset_mask=mask, num_players=fewest, unknown=1)
        assert (infos["_seat"] == mask).all() and (envs[0]._batch.num_seats[mask] == fewest).all()


@each_mode
def test_fewer_players_for_one_episode(game: str, mode: AutoresetMode) -> None:
    fewest, most, _ = games.load(game).spec.players
    envs, chooser = pair(game, mode, num_players=most), np.random.default_rng(SEED)
    check_reset(envs, SEED, num_players=fewest)
    assert (envs[0]._batch.num_seats == fewest).all()
    check_play(envs, 4 * GAMES, chooser)
    check_reset(envs)
    assert (envs[0]._batch.num_seats == most).all()


def test_games_may_have_options_of_their_own(game: str) -> None:
    spec = games.load(game).spec
    variants = [{"num_players": number} for number in player_counts(spec)]
    made = [functools.partial(SoloEnv, game, **variants[index % len(variants)]) for index in range(GAMES)]
    envs, chooser = (SoloVectorEnv(game, GAMES, variants=variants), SyncVectorEnv(made)), np.random.default_rng(SEED)
    check_reset(envs, SEED)
    check_play(envs, 3 * GAMES, chooser)
    check_reset(envs, num_players=spec.players[0])


def test_other_options_of_the_game(game: str) -> None:
    options = twin_of(games.load(game).spec).random_options(random.Random(3))
    envs, chooser = pair(game, AutoresetMode.NEXT_STEP, **options), np.random.default_rng(SEED)
    check_reset(envs, SEED)
    check_play(envs, 2 * GAMES, chooser)


def test_each_game_is_the_solo_game_of_its_seed(game: str) -> None:
    chooser, opponents = np.random.default_rng(SEED), {"random": 1, "bot": 1}
    env = SoloVectorEnv(game, GAMES, opponents=opponents)
    alone = [SoloEnv(game, opponents=opponents) for _ in range(GAMES)]
    observations, infos = env.reset(seed=SEED)
    seen = [one.reset(seed=SEED + index)[0] for index, one in enumerate(alone)]
    done = np.zeros(GAMES, np.bool_)
    while not done.any():
        np.testing.assert_array_equal(observations, seen)
        actions = actions_for(env, chooser)
        observations, rewards, terminations, truncations, infos = env.step(actions)
        steps = [one.step(action) for one, action in zip(alone, actions, strict=True)]
        seen = [step[0] for step in steps]
        done = terminations | truncations
        assert [*zip(rewards, terminations, truncations, strict=True)] == [step[1:4] for step in steps]
    ended = int(done.argmax())
    assert infos["length"][ended] == steps[ended][4]["length"] > 0


@pytest.mark.parametrize("num_envs", [200])
def test_threads_change_nothing(game: str, num_envs: int) -> None:
    one, several = (SoloVectorEnv(game, num_envs, num_threads=number) for number in (1, 3))
    check_same(one.reset(seed=SEED), several.reset(seed=SEED))
    for _ in range(100):
        actions = one._batch.sample_actions()
        check_same(one.step(actions), several.step(actions))


def test_an_agent_begins_anew_with_the_seed(game: str) -> None:
    env, returned = SoloVectorEnv(game, GAMES, opponents=Moody()), []
    for _ in range(2):
        chooser, steps = np.random.default_rng(SEED), [env.reset(seed=SEED)]
        steps += [env.step(actions_for(env, chooser)) for _ in range(50)]
        returned.append(steps)
    check_same(*returned)


# ----------------------------------------------------------------------------------------------- what is returned


def arrays(value: Any) -> list[np.ndarray]:
    """All arrays in what a step or reset returns."""
    if isinstance(value, dict):
        return [array for one in value.values() for array in arrays(one)]
    if isinstance(value, (tuple, list)):
        return [array for one in value for array in arrays(one)]
    if not isinstance(value, np.ndarray):
        return []
    return [value] + (arrays(value.tolist()) if value.dtype == object else [])


@each_mode
def test_all_arrays_are_new(game: str, mode: AutoresetMode) -> None:
    env, other = (SoloVectorEnv(game, GAMES, autoreset_mode=mode) for _ in range(2))
    chooser, done = np.random.default_rng(SEED), np.zeros(GAMES, np.bool_)
    returned, expected = env.reset(seed=SEED), other.reset(seed=SEED)
    buffers = arrays(vars(env)) + arrays(vars(env._batch))
    while not done.any():
        found = arrays(returned)
        for index, array in enumerate(found):
            assert array.flags.writeable
            assert not any(np.shares_memory(array, one) for one in (*buffers, *found[:index]) if array.dtype != object)
            if array.dtype != object:
                array.fill(1)  # and nothing that follows depends on it
        actions = actions_for(env, chooser)
        check_same(env.action_masks(), other.action_masks())
        returned, expected = env.step(actions), other.step(actions)
        check_same(returned, expected)
        done = returned[2] | returned[3]


def test_masks_of_all_games_at_once(game: str) -> None:
    env = SoloVectorEnv(game, GAMES)
    size = int(env.single_action_space.n)
    assert not env.action_masks().any() and env.action_masks().shape == (GAMES, size)
    _, infos = env.reset(seed=SEED)
    assert env.action_masks().dtype == np.bool_ and (env.action_masks() == infos["action_mask"]).all()
    actions = env.action_masks().argmax(axis=1)
    actions[2] = size
    *_, infos = env.step(actions)
    assert (env.action_masks() == infos["action_mask"]).all()
    assert env.action_masks().any(axis=1).tolist() == (np.arange(GAMES) != 2).tolist()
    env.step(actions)
    assert env.action_masks()[2].any()


def test_illegal_actions_of_both_kinds_in_one_step(game: str) -> None:
    """Gymnasium makes an array of numbers if the first is one, into which no string goes; here both can stand."""
    env = SoloVectorEnv(game, 3)
    env.reset(seed=SEED)
    masks, strings = env.action_masks(), games.load(game).strings(env._batch._states, 1)
    illegal = [-1, int((~masks[1]).argmax()), int(masks[2].argmax())]
    if masks[1].all():
        pytest.skip("every action is legal at first")
    infos = env.step(illegal)[4]
    named = strings[illegal[1]]
    assert infos["illegal_action"].tolist() == [-1, named, None]
    assert infos["_illegal_action"].tolist() == [True, True, False]


# ------------------------------------------------------------------------------------------ illegal actions raise


@each_mode
def test_an_illegal_action_raises_if_asked_to(game: str, mode: AutoresetMode) -> None:
    env, other = (SoloVectorEnv(game, GAMES, illegal="raise", autoreset_mode=mode) for _ in range(2))
    chooser, size = np.random.default_rng(SEED), int(env.single_action_space.n)
    check_same(env.reset(seed=SEED), other.reset(seed=SEED))
    done = np.zeros(GAMES, np.bool_)
    while not done.any():  # then, with NEXT_STEP, some are to begin anew
        actions = actions_for(env, chooser)
        returned = env.step(actions)
        check_same(returned, other.step(actions))
        done = returned[2] | returned[3]
    if mode is AutoresetMode.DISABLED:
        check_same(*(one.reset(options={"reset_mask": done}) for one in (env, other)))
    if mode is AutoresetMode.NEXT_STEP and done.all():  # games of one length: all begin anew, then some action is legal
        check_same(env.step(actions), other.step(actions))
    actions = actions_for(env, chooser)
    index = int(env.action_masks().any(axis=1).argmax())
    for illegal in (-1, size, 10**9):
        wrong = actions.copy()
        wrong[index:] = illegal
        before = env._batch.save(), env.action_masks()
        with pytest.raises(IllegalActionError, match=f"game {index} ") as caught:
            env.step(wrong)
        assert (caught.value.index, caught.value.action) == (index, str(illegal))
        assert list(caught.value.legal) == env._batch.legal_actions(index)
        assert env._batch.save() == before[0] and (env.action_masks() == before[1]).all()
    check_same(env.step(actions), other.step(actions))


# ----------------------------------------------------------------------------------------------- wrong calls


@pytest.mark.nojit
def test_wrong_arguments_are_refused(game: str) -> None:
    for arguments in (
        {"num_envs": 0},
        {"opponents": "agent"},
        {"opponents": None},
        {"opponents": {"agent": 1.0}},
        {"opponents": 7},
        {"seat": 99},
        {"utility": "fun"},
        {"illegal": "ignore"},
        {"autoreset_mode": "Never"},
        {"render_mode": "human"},
        {"num_players": 99},
        {"no_such_option": 1},
    ):
        with pytest.raises(ValueError):
            SoloVectorEnv(game, **{"num_envs": 2, **arguments})


@pytest.mark.nojit
def test_steps_need_a_reset(game: str) -> None:
    env = SoloVectorEnv(game, 2, autoreset_mode="Disabled", render_mode="ansi")
    for method in (
        lambda: env.step([0, 0]),
        env.render,
        lambda: env.reset(options={"reset_mask": np.array([True, False])}),
    ):
        with pytest.raises(ResetNeeded):
            method()
    env.reset(seed=SEED)
    env.step([int(env.action_masks()[0].argmax()), -1])
    with pytest.raises(ResetNeeded, match=r"\[1\]"):
        env.step([int(env.action_masks()[0].argmax()), 0])
    env.reset(options={"reset_mask": np.array([False, True])})
    env.step(env.action_masks().argmax(axis=1))


@pytest.mark.nojit
def test_wrong_actions_are_refused_and_nothing_moves(game: str) -> None:
    env = SoloVectorEnv(game, 2)
    env.reset(seed=SEED)
    before, legal = env._batch.save(), env.action_masks().argmax(axis=1)
    for wrong in (legal * 1.0, ["say 1", "say 2"], None, [None, None], legal > 0):
        with pytest.raises(TypeError):
            env.step(wrong)
    for wrong in (legal[:1], [*legal, 0], legal[:, None], legal[0]):
        with pytest.raises(ValueError):
            env.step(wrong)
    assert env._batch.save() == before
    other = copy.deepcopy(env)
    check_same(env.step(legal.tolist()), other.step(legal.astype(np.uint16)))


@pytest.mark.nojit
def test_wrong_resets_are_refused_and_nothing_changes(game: str) -> None:
    fewest, most, _ = games.load(game).spec.players
    env = SoloVectorEnv(game, 2, num_players=most)
    env.reset(seed=SEED)
    before = env._batch.save()
    for seed in (-1, [1, -1], [1], [1, 2, 3]):
        with pytest.raises(ValueError):
            env.reset(seed=seed)
    for seed in (1.5, [1, 1.5], "ab"):
        with pytest.raises(TypeError):
            env.reset(seed=seed)
    for wanted in (fewest - 1, most + 1, "2", 2.0):
        with pytest.raises(ValueError, match="num_players"):
            env.reset(options={"num_players": wanted})
    for mask in ([True, False], np.ones(3, bool), np.ones(2), np.zeros(2, bool)):
        with pytest.raises(ValueError, match="reset_mask"):
            env.reset(options={"reset_mask": mask})
    assert env._batch.save() == before
    env.step(env.action_masks().argmax(axis=1))
    with pytest.raises(ValueError, match="seat"):
        SoloVectorEnv(game, 2, num_players=most, seat=most - 1).reset(options={"num_players": fewest})


def test_games_that_never_ask_the_learner_are_refused() -> None:
    with pytest.raises(RuntimeError, match="before the learner"):
        SoloVectorEnv("heat_guess_v0", 2, seat=1, max_moves=1).reset(seed=SEED)


def test_after_an_opponents_failure_all_games_must_be_reset(game: str) -> None:
    agent = Stubborn()
    env = SoloVectorEnv(game, GAMES, num_players=few(game), opponents={agent: 1, "random": 1}, seat=0)
    env.reset(seed=SEED)
    agent.is_stubborn = True
    with pytest.raises(IllegalActionError):
        for _ in range(MOST_STEPS):
            env.step(env.action_masks().argmax(axis=1))
    assert not env.action_masks().any()
    with pytest.raises(ResetNeeded):
        env.step(np.zeros(GAMES, int))
    with pytest.raises(ResetNeeded):
        env.reset(options={"reset_mask": np.arange(GAMES) == 1})
    agent.is_stubborn = False
    env.reset(options={"reset_mask": np.ones(GAMES, np.bool_)})
    env.step(env.action_masks().argmax(axis=1))


# ------------------------------------------------------------------------------------------ with Gymnasium


def test_gymnasium_makes_it_by_its_id(game: str) -> None:
    name = ids.gymnasium_id(game)
    native = gymnasium.make_vec(name, num_envs=8, vectorization_mode="vector_entry_point", autoreset_mode="SameStep")
    assert type(native) is SoloVectorEnv and native.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert type(gymnasium.make_vec(name, num_envs=2)) is SoloVectorEnv  # the mode that is taken without one
    assert type(gymnasium.make_vec(native.spec)) is SoloVectorEnv and native.num_envs == 8
    assert str(native) == f"SoloVectorEnv({name}, num_envs=8)"
    made = pepperenvs.make_vec(game, 2, seat=1, render_mode="ansi")
    assert type(made) is SoloVectorEnv and made.render_mode == "ansi"
    modes = [one.metadata["autoreset_mode"] for one in (SoloVectorEnv, made, native)]
    assert modes == [AutoresetMode.NEXT_STEP, AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP]


def test_gymnasium_makes_the_same_game_by_game(game: str) -> None:
    name = ids.gymnasium_id(game)
    envs = (gymnasium.make_vec(name, num_envs=GAMES, seat=0),
            gymnasium.make_vec(name, num_envs=GAMES, vectorization_mode="sync", seat=0))  # fmt: skip
    assert type(envs[1]) is SyncVectorEnv
    for space in ("observation_space", "action_space", "single_observation_space", "single_action_space"):
        assert getattr(envs[0], space) == getattr(envs[1], space)
    check_reset(envs, SEED)
    check_play(envs, 2, np.random.default_rng(SEED))
    for env in envs:
        env.close()
    envs[0].close()
    assert envs[0].closed


def test_observations_lie_in_their_space(game: str) -> None:
    env, chooser = SoloVectorEnv(game, GAMES), np.random.default_rng(SEED)
    observations, _ = env.reset(seed=SEED)
    for _ in range(100):
        assert env.observation_space.contains(observations)
        actions = env.action_space.sample(tuple(mask.astype(np.int8) for mask in env.action_masks()))
        assert env.action_space.contains(actions)
        observations = env.step(actions_for(env, chooser))[0]


@each_mode
def test_gymnasiums_wrappers_take_it(game: str, mode: AutoresetMode) -> None:
    native, one_by_one = pair(game, mode)
    envs, chooser = [RecordEpisodeStatistics(env) for env in (native, one_by_one)], np.random.default_rng(SEED)
    for env in envs:
        env.reset(seed=SEED)
    done = np.zeros(GAMES, np.bool_)
    while not done.any():
        actions = actions_for(native, chooser)
        returned, expected = (env.step(actions) for env in envs)
        done = returned[2] | returned[3]
    for infos in (returned[4], expected[4]):
        del infos["episode"]["t"]  # seconds
    check_same(returned, expected)
    infos = DictInfoToList(native).reset(seed=SEED)[1]
    assert [info["action_mask"].tolist() for info in infos] == native.action_masks().tolist()


def test_copies_go_on_as_the_original(game: str) -> None:
    env, chooser = SoloVectorEnv(game, GAMES, opponents={"random": 1, "bot": 1}), np.random.default_rng(SEED)
    env.reset(seed=SEED)
    for _ in range(3):
        env.step(actions_for(env, chooser, "number"))
    copies = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
    for _ in range(100):
        actions = actions_for(env, chooser, "number")
        returned = env.step(actions)
        for other in copies:
            check_same(other.step(actions), returned)


# ------------------------------------------------------------------------------------------------- pictures


def test_text_is_rendered_game_by_game(game: str) -> None:
    envs, chooser = pair(game, AutoresetMode.NEXT_STEP, render_mode="ansi"), np.random.default_rng(SEED)
    check_reset(envs, SEED)
    check_same(envs[0].render(), envs[1].render())
    check_play(envs, 1, chooser)
    check_same(envs[0].render(), envs[1].render())
    plain = SoloVectorEnv(game, 2)
    plain.reset(seed=SEED)
    with pytest.warns(UserWarning, match="make_vec"):
        assert plain.render() == (None, None)


def test_pictures_are_drawn_game_by_game(game: str) -> None:
    pytest.importorskip("resvg_py")
    pytest.importorskip("pygame")
    envs = pair(game, AutoresetMode.NEXT_STEP, 2, render_mode="rgb_array")
    check_reset(envs, SEED)
    pictures = envs[0].render()
    assert len(pictures) == 2 and all(one.dtype == np.uint8 and one.ndim == 3 for one in pictures)
    check_same(pictures, envs[1].render())
