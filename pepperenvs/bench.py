"""The timing loops that `pepperenvs bench` and benchmarks/ call.

Conditions: process CPU time, so on one core; the median and range of five repetitions of at least two seconds each;
default options and players; repetition k has the seed k; games begin anew when they are over. Compilation is done
before. What was timed is audited: the game's own `audit` of every state, and every mask and observation against a fresh
one.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pepperenvs import registry
from pepperenvs.core.state import OVER
from pepperenvs.drivers.aec import Env, RawEnv
from pepperenvs.drivers.batch import Batch
from pepperenvs.drivers.game import Game, load
from pepperenvs.drivers.vector import SoloVectorEnv, sync_vector_env

SECONDS, REPETITIONS = 2.0, 5

# In-kernel play goes through the batch game by game, so that the arrays of one game, some kilobytes, stay in the
# innermost cache however large the batch is. 64 games give the audit something to look at.
ROLLOUT_GAMES, ROLLOUT_MOVES = 64, 200  # games, moves of each between two audits
AEC_MOVES = 1000  # between two audits
BATCH_GAMES = 1024
SYNC_GAMES, SYNC_SHARE = 64, 0.25  # SyncVectorEnv's speed hardly depends on how many; share of a repetition's time

_clock = time.process_time


class AuditError(AssertionError):
    """What was timed is not sound, so its speed means nothing."""


@dataclass(frozen=True)
class Figure:
    """One measurement: what each of its repetitions gave.

    name     a word, by which results and targets know it
    label    what was measured, for people
    unit     of the values: "moves/s", "ms", …
    """

    name: str
    label: str
    unit: str
    values: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    @property
    def low(self) -> float:
        return min(self.values)

    @property
    def high(self) -> float:
        return max(self.values)

    @property
    def spread(self) -> str:
        """The range, as text; nothing for a single value."""
        return f"({number(self.low)} – {number(self.high)})" if len(self.values) > 1 else ""


def number(value: float) -> str:
    """A figure's value as people read it: thousands apart, three or four digits that count."""
    return f"{value:,.0f}" if value >= 1000 or value == int(value) else f"{value:.3g}"


def measure(game: str, seconds: float = SECONDS, repetitions: int = REPETITIONS) -> list[Figure]:
    """All figures of a game.

    seconds    CPU time of each repetition, at least
    raises     AuditError if what was timed is not sound
    """
    seeds = range(repetitions)
    rollout = [time_rollout(game, seconds, seed) for seed in seeds]
    env = [time_aec(Env, game, seconds, seed) for seed in seeds]
    raw_env = [time_aec(RawEnv, game, seconds, seed) for seed in seeds]
    batch = [time_batch(game, seconds, seed) for seed in seeds]
    vector = [time_vector(game, seconds, seed) for seed in seeds]
    kernels = f"random play in kernels, mask and observation after every move, {ROLLOUT_GAMES} games"
    loop = "last() + step(), first legal action from a random place on"
    vectors = f"SoloVectorEnv.step, {BATCH_GAMES:,} games, actions given"
    compared = f"that, against SyncVectorEnv over SoloEnv, {SYNC_GAMES} games"
    return [
        Figure("rollout", kernels, "moves/s", tuple(rate for rate, _ in rollout)),
        Figure("aec", f"env(): {loop}", "moves/s", tuple(env)),
        Figure("aec_raw", f"raw_env(): {loop}", "moves/s", tuple(raw_env)),
        Figure("batch_step", f"Batch.step, {BATCH_GAMES:,} games, actions given", "ms", tuple(s for s, _ in batch)),
        Figure("batch_sample", f"Batch.sample_actions, {BATCH_GAMES:,} games", "ms", tuple(s for _, s in batch)),
        Figure("vector", vectors, "steps/s", tuple(rate for rate, _ in vector)),
        Figure("vector_ratio", compared, "times", tuple(ratio for _, ratio in vector)),
        Figure("state", "one state", "bytes", (float(registry.spec(game).state.itemsize),)),
        Figure("length", "mean length of a random game", "moves", tuple(length for _, length in rollout)),
    ]


# ------------------------------------------------------------------------------------------------ the loops


def time_rollout(game: str, seconds: float, seed: int) -> tuple[float, float]:
    """Random play inside kernels: moves per CPU second, and the mean length of the games that ended (0.0 if none)."""
    batch = Batch(game, ROLLOUT_GAMES, seed=seed)
    ended, moves = 0, 0.0

    def play() -> int:
        nonlocal ended, moves
        played, finished, length = batch.random_rollout(ROLLOUT_MOVES)
        ended += finished
        moves += finished * length
        return played

    rate = _rate(play, lambda: audit_batch(batch), seconds)
    return rate, moves / ended if ended else 0.0


def time_aec(factory: type[RawEnv], game: str, seconds: float, seed: int) -> float:
    """A PettingZoo environment played through last() and step(): moves per CPU second, the choosing included."""
    env = factory(game)
    env.reset(seed=seed)
    random = Random(seed).random
    return _rate(lambda: _play_aec(env, random), lambda: audit_aec(env), seconds)


def _play_aec(env: RawEnv, random: Callable[[], float]) -> int:
    """Play AEC_MOVES moves; returns how many."""
    size = env._num_actions
    for _ in range(AEC_MOVES):
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
            observation = env.last()[0]
        assert observation is not None
        env.step(first_legal(observation["action_mask"], int(random() * size)))
    return AEC_MOVES


def first_legal(mask: NDArray[np.int8], start: int) -> int:
    """The first legal action from `start` on, going round; a fifth of a microsecond, where drawing uniformly costs more
    than the environment."""
    cells = mask.tobytes()
    action = cells.find(1, start)
    return action if action >= 0 else cells.find(1)


def time_batch(game: str, seconds: float, seed: int) -> tuple[float, float]:
    """CPU milliseconds of one `step`, and of one `sample_actions`, of a large batch."""
    batch = Batch(game, BATCH_GAMES, seed=seed)
    batch.step(batch.sample_actions())
    stepping, sampling, steps = 0.0, 0.0, 0
    while stepping + sampling < seconds:
        began = _clock()
        actions = batch.sample_actions()
        between = _clock()
        batch.step(actions)
        stepping += _clock() - between
        sampling += between - began
        steps += 1
    audit_batch(batch)
    return 1000 * stepping / steps, 1000 * sampling / steps


def time_vector(game: str, seconds: float, seed: int) -> tuple[float, float]:
    """Learners' steps per CPU second of a large vector of solo games, and how many times those of Gymnasium's own."""
    env, one_by_one = SoloVectorEnv(game, BATCH_GAMES), sync_vector_env(game, SYNC_GAMES)
    rate = _step_rate(env, [env._batch], seconds, seed)
    solos: Any = one_by_one.envs
    batches = [solo._batch for solo in solos]
    return rate, rate / _step_rate(one_by_one, batches, SYNC_SHARE * seconds, seed)


def _step_rate(env: Any, batches: Sequence[Batch], seconds: float, seed: int) -> float:
    """Steps per CPU second of a vector environment whose games stand in these batches; choosing is not counted."""
    env.reset(seed=seed)
    spent, steps, has_ended = 0.0, 0, False
    while spent < seconds:
        actions = np.concatenate([batch.sample_actions() for batch in batches])
        began = _clock()
        observations, _, terminations, truncations, infos = env.step(actions)
        if has_ended:
            spent += _clock() - began
            steps += len(actions)
        else:  # the first end compiles
            has_ended = bool((terminations | truncations).any())
    audit_vector(batches, observations, infos["action_mask"])
    return steps / spent


def _rate(play: Callable[[], int], audit: Callable[[], None], seconds: float) -> float:
    """Moves per CPU second of `play`, which returns how many it played. The audits lie outside the clock."""
    play()  # compiles, and fills the caches
    played, spent = 0, 0.0
    while spent < seconds:
        began = _clock()
        played += play()
        spent += _clock() - began
        audit()
    return played / spent


# ------------------------------------------------------------------------------------------------ the audit


def audit_batch(batch: Batch) -> None:
    """Raises AuditError if a state of the batch is not sound, or a mask or observation is not what a fresh one is."""
    for index in range(batch.num_envs):
        _audit(batch._game, batch._states, index, batch.observation[index], batch.action_mask[index])


def audit_vector(batches: Sequence[Batch], observations: NDArray[Any], masks: NDArray[Any]) -> None:
    """The same of what a vector environment returned, whose games stand in these batches."""
    games = [(batch, index) for batch in batches for index in range(batch.num_envs)]
    for (batch, index), observation, mask in zip(games, observations, masks, strict=True):
        _audit(batch._game, batch._states, index, observation, mask)


def audit_aec(env: RawEnv) -> None:
    """The same of an environment, and of what `last` returns."""
    seen: Any = env.last()[0]
    _audit(env._game, env._states, 0, seen["observation"], seen["action_mask"])


def _audit(game: Game, states: NDArray[Any], index: int, observation: NDArray[Any], mask: NDArray[Any]) -> None:
    where = f"{game.spec.id}: state {index}"
    if fault := game.audit(states, index):
        raise AuditError(f"{where}: {game.spec.audits[fault]}")
    fresh_mask = np.zeros_like(mask)
    fresh_mask[game.legal_ids(states, index)] = 1
    if fresh_mask.tobytes() != mask.tobytes():
        raise AuditError(f"{where}: the mask is not that of its legal actions")
    seat = int(states["to_move"][index])
    if seat == OVER:  # nobody's view is due
        return
    fresh = np.zeros_like(observation)
    game.observe(states, index, seat, fresh)
    if fresh.tobytes() != observation.tobytes():
        raise AuditError(f"{where}: the observation is not what seat {seat} sees")


# ---------------------------------------------------------------------------------------------------- main


def print_figures(figures: Sequence[Figure], remarks: Sequence[str] = ()) -> None:
    """A line a figure: what it is, median, unit, range, and a remark of its own if there are any."""
    width = max(len(figure.label) for figure in figures)
    for index, figure in enumerate(figures):
        remark = remarks[index] if remarks else ""
        line = f"  {figure.label:<{width}} {number(figure.median):>12} {figure.unit:<8} {figure.spread:<27} {remark}"
        print(line.rstrip())


def main(games: Sequence[str], seconds: float = SECONDS, repetitions: int = REPETITIONS) -> int:
    """Measure games and print their figures; returns the exit status, 1 if what was timed is not sound."""
    print(f"CPU time, one core; median (and range) of {repetitions} repetitions of {seconds:g} s")
    for game in games:
        players = load(game).spec.players[2]
        try:
            figures = measure(game, seconds, repetitions)
        except AuditError as error:
            print(f"pepperenvs: the audit fails: {error}", file=sys.stderr)
            return 1
        print(f"\n{game}, {players} players; all that was timed is sound")
        print_figures(figures)
    return 0
