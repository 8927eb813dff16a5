"""The process that benchmarks.compare starts for each of two revisions: plays a slice whenever it is told to.

It is run as a file, with another revision's tree on the path, so it imports nothing of this repository but pepperenvs,
and of that only what is public and old: make_batch, step, sample_actions, random_rollout, make_aec, raw_env.

It reads one JSON list a line, the name of a function of ANSWERS and its arguments, and answers each with one line: a
JSON object, which holds "error" alone if the revision could not do it. It ends with its input.
"""

from __future__ import annotations

import functools
import json
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any

Play = Callable[[int], dict[str, float]]

SEED = 0
ROLLOUT_GAMES, ROLLOUT_MOVES, BATCH_GAMES, AEC_MOVES = 64, 200, 1024, 100

_clock = time.process_time

# ------------------------------------------------------------------------------------------------ the loops
#
# Each makes a function that plays so many units and returns the CPU seconds that one move, or one call, took, by the
# name of the figure. Games begin anew when they are over, and a slice goes on where the last one stopped.


def rollout(game: str) -> Play:
    """Random play inside kernels; a unit is ROLLOUT_MOVES moves in each game."""
    import pepperenvs

    batch = pepperenvs.make_batch(game, ROLLOUT_GAMES, seed=SEED)

    def play(units: int) -> dict[str, float]:
        began = _clock()
        played = sum(batch.random_rollout(ROLLOUT_MOVES)[0] for _ in range(units))
        return {"rollout": (_clock() - began) / played}

    return play


def batch(game: str) -> Play:
    """A large batch; a unit is one call of `sample_actions` and one of `step`."""
    import pepperenvs

    batch = pepperenvs.make_batch(game, BATCH_GAMES, seed=SEED)

    def play(units: int) -> dict[str, float]:
        stepping = sampling = 0.0
        for _ in range(units):
            began = _clock()
            actions = batch.sample_actions()
            between = _clock()
            batch.step(actions)
            stepping += _clock() - between
            sampling += between - began
        return {"batch_step": stepping / units, "batch_sample": sampling / units}

    return play


def aec(game: str) -> Play:
    """`env()` through last() and step()."""
    import pepperenvs

    return _agents_in_turn("aec", pepperenvs.make_aec(game))


def aec_raw(game: str) -> Play:
    """`raw_env()` likewise."""
    import pepperenvs

    return _agents_in_turn("aec_raw", getattr(pepperenvs, game).raw_env())


def _agents_in_turn(name: str, env: Any) -> Play:
    """A unit is AEC_MOVES moves, each the first legal action from a random place on."""
    random = Random(SEED).random
    env.reset(seed=SEED)

    def play(units: int) -> dict[str, float]:
        began = _clock()
        for _ in range(units * AEC_MOVES):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                observation = env.last()[0]
            cells = observation["action_mask"].tobytes()
            action = cells.find(1, int(random() * len(cells)))
            env.step(action if action >= 0 else cells.find(1))
        return {name: (_clock() - began) / (units * AEC_MOVES)}

    return play


LOOPS: dict[str, Callable[[str], Play]] = {"rollout": rollout, "batch": batch, "aec": aec, "aec_raw": aec_raw}

# ------------------------------------------------------------------------------------------------ the answers


@functools.cache
def _loop(name: str, game: str) -> Play:
    play = LOOPS[name](game)
    play(1)  # compiles, and fills the caches
    return play


def about() -> dict[str, Any]:
    """Which pepperenvs this is: its file, and the ids of its games."""
    import pepperenvs

    return {"file": pepperenvs.__file__, "games": list(pepperenvs.games())}


def prepare(loop: str, game: str) -> dict[str, Any]:
    """Make a loop ready, kernels compiled; what decides whether two revisions time the same game."""
    import pepperenvs

    _loop(loop, game)
    batch = pepperenvs.make_batch(game, 1, seed=SEED)
    sizes = {"actions": batch.action_mask.shape[1], "cells of an observation": batch.observation.shape[1]}
    return {"meaning": {**sizes, **batch.options}}


def calibrate(loop: str, game: str, seconds: float) -> dict[str, int]:
    """How many units take about so many CPU seconds, at least 1."""
    play, units = _loop(loop, game), 1
    while True:
        began = _clock()
        play(units)
        spent = _clock() - began
        if spent >= seconds / 2:
            return {"units": max(1, round(units * seconds / spent))}
        units *= 2


def play(loop: str, game: str, units: int) -> dict[str, float]:
    """Play a slice: seconds by the names of the loop's figures."""
    return _loop(loop, game)(units)


ANSWERS: dict[str, Callable[..., dict[str, Any]]] = {
    function.__name__: function for function in (about, prepare, calibrate, play)
}


def main() -> None:
    answers, sys.stdout = sys.stdout, sys.stderr  # what a revision prints is no answer
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        try:
            answer = ANSWERS[name](*arguments)
        except Exception as error:  # whatever an old revision lacks
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer, default=str), file=answers, flush=True)


if __name__ == "__main__":
    main()
