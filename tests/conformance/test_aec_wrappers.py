"""`Env` behaves as PettingZoo's wrappers around `RawEnv`: the same calls, wrong ones included, compared one by one."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils import AssertOutOfBoundsWrapper, BaseWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper
from pettingzoo.utils.env_logger import EnvLogger

from pepperenvs.drivers.aec import Env, RawEnv
from pepperenvs.drivers.game import IllegalActionError, load
from tests.conformance import odd_variants

SHOWN = (
    "agents",
    "agent_selection",
    "rewards",
    "_cumulative_rewards",
    "terminations",
    "truncations",
    "infos",
    "num_agents",
    "max_num_agents",
    "possible_agents",
    "num_players",
    "options",
    "metadata",
    "render_mode",
)


def wrapped(game: str, **options: Any) -> OrderEnforcingWrapper:
    return OrderEnforcingWrapper(
        AssertOutOfBoundsWrapper(TerminateIllegalWrapper(RawEnv(game, **options), illegal_reward=-1))
    )


def plain(value: Any) -> Any:
    """A value that can be compared: arrays with type and shape."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape, value.tobytes()
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(one) for one in value]
    return value


def outcome(call: Callable[[], Any]) -> Any:
    """What a call returns or raises, and what the library logs."""
    EnvLogger.flush()
    try:
        result = plain(call())
    except Exception as error:
        # Attributes that are missing before the first reset are missing in both; the wrapper words it otherwise.
        result = type(error), "" if isinstance(error, AttributeError) else str(error)
    return result, [*EnvLogger.mqueue]


def shown(env: Any) -> Any:
    """All that an environment shows."""
    return {
        **{name: outcome(lambda name=name: getattr(env, name)) for name in SHOWN},
        "bytes": env.unwrapped._states.tobytes(),
        "name": str(env),
        "unwrapped": str(env.unwrapped),
    }


class Pair:
    """The two environments, with one iterator over the agents each."""

    def __init__(self, game: str, **options: Any) -> None:
        self.both: list[Any] = [Env(game, **options), wrapped(game, **options)]
        self.iterators: list[Any] = [None, None]
        self.compare()

    @property
    def native(self) -> Env:
        env: Env = self.both[0]
        return env

    def compare(self) -> None:
        ours, theirs = (shown(env) for env in self.both)
        assert ours == theirs

    def do(self, call: Callable[[Any], Any]) -> Any:
        """Do the same with both; returns the outcome."""
        ours, theirs = (outcome(lambda env=env: call(env)) for env in self.both)
        assert ours == theirs
        self.compare()
        return ours[0]

    def iterate(self, max_iter: int) -> None:
        def begin(env: Any) -> None:
            self.iterators[self.both.index(env)] = iter(env.agent_iter(max_iter))

        self.do(begin)

    def next_agent(self) -> None:
        if None not in self.iterators:
            ended = object()
            ours, theirs = (outcome(lambda one=one: next(one, ended)) for one in self.iterators)
            assert ours == theirs
            if ours[0] is ended or isinstance(ours[0], tuple):
                self.iterators = [None, None]
            self.compare()


def split(env: Env) -> tuple[list[int], list[int]]:
    """The legal and the illegal actions of the position, whoever is still alive."""
    mask = env._masks[0]
    return np.flatnonzero(mask).tolist(), np.flatnonzero(mask == 0).tolist()


def right_call(env: Env, chooser: random.Random) -> Callable[[Any], Any]:
    """A step that is right after the first reset: a random legal one, None if the agent is dead."""
    agent = getattr(env, "agent_selection", "player_0")
    is_dead = hasattr(env, "agents") and (env.terminations.get(agent, True) or env.truncations.get(agent, True))
    action = None if is_dead else chooser.choice(split(env)[0] or [0])
    return lambda e: e.step(action)


def any_call(env: Env, chooser: random.Random) -> Callable[[Any], Any]:
    """A random call, most of them wrong in some way."""
    legal, illegal = (chooser.choice(actions or [0]) for actions in split(env))
    agent = chooser.choice([*env.possible_agents, "player_99"])
    size = env.action_space("player_0").n
    return chooser.choice(
        [
            lambda e: e.step(legal),
            lambda e: e.step(np.int64(legal)),
            lambda e: e.step(np.int32(legal)),
            lambda e: e.step(np.uint64(legal)),
            lambda e: e.step(np.array(legal)),
            lambda e: e.step(np.array([legal])),
            lambda e: e.step(float(legal)),
            lambda e: e.step(str(legal)),
            lambda e: e.step(True),
            lambda e: e.step([legal]),
            lambda e: e.step(None),
            lambda e: e.step(illegal),
            lambda e: e.step(np.int64(illegal)),
            lambda e: e.step(size),
            lambda e: e.step(np.int64(size)),
            lambda e: e.step(-1),
            lambda e: e.step(-2),
            lambda e: e.step(10**30),
            lambda e: e.last(),
            lambda e: e.last(),
            lambda e: e.last(observe=False),
            lambda e: e.observe(agent),
            lambda e: e.state(),
            lambda e: e.render(),
            lambda e: e.action_space(agent).n,
            lambda e: e.observation_space(agent)["action_mask"].shape,
            lambda e: e.legal_actions(),
            lambda e: e.describe(),
            lambda e: e.get_state(),
            lambda e: e.reset(seed=-1),
            lambda e: e.reset(options={"num_players": 99}),
        ]
    )


def test_any_calls_give_the_same(game: str) -> None:
    for number, options in enumerate(odd_variants(load(game).spec)):
        chooser = random.Random(number)
        pair = Pair(game, render_mode="ansi", **options)
        for _ in range(10):  # before the first reset
            pair.do(any_call(pair.native, chooser))
        for episode in range(12):
            seed, players = 100 * number + episode, chooser.choice(range(1, options["num_players"] + 2))
            pair.do(lambda e, seed=seed: e.reset(seed=seed))
            pair.do(lambda e, k=players, seed=seed: e.reset(seed=seed, options={"num_players": k}))
            wrong = chooser.choice([0, 0.1, 0.3])
            for _ in range(chooser.choice([20, 80])):
                if chooser.random() < 0.1:
                    pair.iterate(chooser.choice([3, 1000]))
                if chooser.random() < 0.5:
                    pair.next_agent()
                call = any_call if chooser.random() < wrong else right_call
                pair.do(call(pair.native, chooser))


def test_whole_games_and_steps_after_the_end_give_the_same(game: str) -> None:
    for number, options in enumerate(odd_variants(load(game).spec)):
        chooser = random.Random(number)
        pair = Pair(game, **options)
        pair.do(lambda e, seed=number: e.reset(seed=seed))
        while not any([*pair.native.terminations.values(), *pair.native.truncations.values()]):
            pair.do(lambda e: e.last())
            pair.do(right_call(pair.native, chooser))
        pair.do(lambda e: e.step(0))
        for _ in pair.native.agents[:]:
            pair.do(lambda e: e.last())
            pair.do(lambda e: e.step(None))
        assert pair.native.agents == []
        for action in (None, 0, -1):
            pair.do(lambda e, action=action: e.step(action))


def test_an_illegal_action_ends_the_game_for_all(game: str) -> None:
    pair = Pair(game)
    pair.do(lambda e: e.reset(seed=1))
    chooser, env = random.Random(1), pair.native
    while not split(env)[1]:
        pair.do(right_call(env, chooser))
    culprit, before = env.agent_selection, env._states.tobytes()
    illegal = split(env)[1][0]
    pair.do(lambda e: e.step(illegal))
    assert env.rewards == {agent: -1.0 if agent == culprit else 0 for agent in env.possible_agents}
    assert all(env.terminations.values()) and env._states.tobytes() == before and env.legal_actions() == []
    for _ in env.agents[:]:
        pair.do(lambda e: e.step(0))
        pair.do(lambda e: e.last())
        pair.do(lambda e: e.step(None))
    assert env.agents == []
    pair.do(lambda e: e.reset())
    pair.do(right_call(env, chooser))


def test_a_loop_that_forgets_to_step_is_told(game: str) -> None:
    pair = Pair(game)
    with pytest.raises(AssertionError, match="before agent_iter"):
        pair.native.agent_iter()
    pair.iterate(5)
    pair.do(lambda e: e.reset(seed=1))
    pair.iterate(5)
    pair.next_agent()
    pair.next_agent()  # no step lies between
    pair.do(right_call(pair.native, random.Random(1)))
    pair.iterate(1)
    pair.next_agent()
    pair.next_agent()  # max_iter is reached


class CutShort(BaseWrapper):
    """Somebody's wrapper: ends the game after some steps, in the way of PettingZoo's own wrappers."""

    def __init__(self, env: Any, limit: int, ended: str) -> None:
        super().__init__(env)
        self.limit, self.ended = limit, ended

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.steps = 0
        super().reset(seed, options)

    def step(self, action: Any) -> None:
        super().step(action)
        self.steps += 1
        if self.steps == self.limit and self.agents:
            setattr(self.env.unwrapped, self.ended, dict.fromkeys(self.agents, True))
            self.env.unwrapped.rewards = dict.fromkeys(self.agents, 0.5)
            self.env.unwrapped._accumulate_rewards()
            self.env.unwrapped._deads_step_first()


@pytest.mark.parametrize("limit", [3, 4])
@pytest.mark.parametrize("ended", ["terminations", "truncations"])
def test_other_wrappers_write_to_the_public_dicts(game: str, limit: int, ended: str) -> None:
    pair = Pair(game)
    native = pair.native
    pair.both = [CutShort(env, limit, ended) for env in pair.both]
    pair.do(lambda e: e.reset(seed=1))
    chooser = random.Random(1)
    for _ in range(limit):
        pair.do(right_call(native, chooser))
    assert all(getattr(native, ended).values())
    for action in split(native)[0]:
        assert pair.do(lambda e, action=action: e.step(action))[0] is IllegalActionError
    while native.agents:
        pair.do(lambda e: e.last())
        pair.do(lambda e: e.step(None))
    pair.do(lambda e: e.step(None))


def test_the_wrappers_take_it_for_an_environment(game: str) -> None:
    pair = Pair(game)
    native = pair.native
    pair.both = [OrderEnforcingWrapper(env) for env in pair.both]
    pair.do(lambda e: e.reset(seed=1))
    chooser = random.Random(1)
    for _ in range(20):
        pair.do(chooser.choice([any_call, right_call])(native, chooser))
