"""Heat Guess for two, small enough to be solved: what agents, best responses to them and optimal play are worth.

Both players know the same, so a position is what everybody sees, and there are a few thousand of them. Values are
utilities of the seat to move: 1 for a win, 0 for a draw, -1 for a defeat.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple, TypeVar

import numpy as np

from pepperenvs import registry

GAME = "heat_guess_v0"
KINDS, HEATS, COPIES, MAX_MOVES = 2, 3, 2, 9
OPTIONS = {"kinds": KINDS, "heats": HEATS, "copies": COPIES, "max_moves": MAX_MOVES}


class Position(NamedTuple):
    """What everybody sees.

    possible     by kind: the numbers, from 0, that it may have
    remaining    by kind: the cards left
    shown        kind of the card on top
    lead         points of the seat to move above those of the other one
    left         guesses before the game is cut short
    """

    possible: tuple[frozenset[int], ...]
    remaining: tuple[int, ...]
    shown: int
    lead: int
    left: int


T = TypeVar("T")
Strategy = Callable[[Position], tuple[float, ...]]  # the probability of each guess


def uniform(position: Position) -> tuple[float, ...]:
    """The player that draws among all numbers, those that are ruled out too."""
    return (1 / HEATS,) * HEATS


def lowest(position: Position) -> tuple[float, ...]:
    """The scripted player: the lowest number that the card may have."""
    return surely(min(position.possible[position.shown]))


def stubborn(position: Position) -> tuple[float, ...]:
    """A player that always says the first number."""
    return surely(0)


def optimal(position: Position) -> tuple[float, ...]:
    """A player that nobody can exploit."""
    return surely(int(np.argmax(action_values(position, None, None))))


def surely(guess: int) -> tuple[float, ...]:
    return tuple(float(guess == heat) for heat in range(HEATS))


# ---------------------------------------------------------------------------------------------------- values


@functools.cache
def value(position: Position, mover: Strategy | None, other: Strategy | None) -> float:
    """For the seat to move, where it and the other one play so; None is who does the best for itself.

    With one None it is that of the best response, with two that of optimal play.
    """
    of_guess = action_values(position, mover, other)
    if mover is None:
        return max(of_guess)
    return sum(chance * worth for chance, worth in zip(mover(position), of_guess, strict=True))


def action_values(position: Position, mover: Strategy | None, other: Strategy | None) -> list[float]:
    """Of each guess, for the seat to move."""
    return [_of_guess(position, guess, mover, other) for guess in range(HEATS)]


def _of_guess(position: Position, guess: int, mover: Strategy | None, other: Strategy | None) -> float:
    kind, possible = position.shown, position.possible[position.shown]
    right = 1 / len(possible) if guess in possible else 0.0
    worth = 0.0
    if right > 0:
        won = position._replace(
            possible=_with(position.possible, kind, frozenset({guess})),
            remaining=_with(position.remaining, kind, position.remaining[kind] - 1),
            lead=position.lead + 1,
        )
        worth += right * _after(won, mover, other)
    if right < 1:
        missed = position._replace(possible=_with(position.possible, kind, possible - {guess}))
        worth += (1 - right) * _after(missed, mover, other)
    return worth


def _after(position: Position, mover: Strategy | None, other: Strategy | None) -> float:
    """For the seat that has just moved: the other one is next, with the top card turned up, or the game is over.

    Every card left is as likely to lie on top, one that was put back as well as any other.  [R2]
    """
    cards, left = sum(position.remaining), position.left - 1
    if cards == 0 or left == 0:
        return float(np.sign(position.lead))
    worth = 0.0
    for kind, count in enumerate(position.remaining):
        if count > 0:
            following = position._replace(shown=kind, lead=-position.lead, left=left)
            worth -= count / cards * value(following, other, mover)
    return worth


def _with(row: tuple[T, ...], place: int, new: T) -> tuple[T, ...]:
    return (*row[:place], new, *row[place + 1 :])


def from_the_start(first: Strategy | None, second: Strategy | None) -> float:
    """The value of the whole game for the seat that begins."""
    unknown = (frozenset(range(HEATS)),) * KINDS
    opening = (Position(unknown, (COPIES,) * KINDS, kind, 0, MAX_MOVES) for kind in range(KINDS))
    return float(np.mean([value(position, first, second) for position in opening]))


def mean_of_seats(own: Strategy | None, other: Strategy | None) -> float:
    """What a player gets against another one, the mean of sitting in either seat."""
    return (from_the_start(own, other) - from_the_start(other, own)) / 2


def exploitability(frozen: Strategy, other: Strategy | None = None) -> float:
    """What the best response gains over the frozen player in its place, against `other`, or else against its like."""
    other = other or frozen
    return mean_of_seats(None, other) - mean_of_seats(frozen, other)


# ---------------------------------------------------------------------------------------------------- agents


class StrategyAgent:
    """Plays the likeliest guess of a strategy, from what it sees in the game itself."""

    scripted: str | None = None

    def __init__(self, strategy: Strategy) -> None:
        self.name = getattr(strategy, "__name__", "response")
        self._strategy = strategy

    def act(self, observation: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        """As of agents.base.Agent."""
        return np.array([int(np.argmax(self._strategy(seen))) for seen in map(position_of, observation)], np.int64)

    def restart(self, seed: int) -> None:
        """Nothing to begin anew."""


def best_response(to: Strategy) -> Strategy:
    """The strategy that gets the most against another one."""

    def response(position: Position) -> tuple[float, ...]:
        return surely(int(np.argmax(action_values(position, None, to))))

    return response


def position_of(observation: np.ndarray) -> Position:
    """The position that the seat to move sees, from its observation, int16 [cells]."""
    cells = registry.spec(GAME).layout.split(observation)
    possible = cells["possible"].reshape(-1, cells["possible"].shape[-1])
    points = cells["points"]
    return Position(
        tuple(frozenset(np.flatnonzero(row).tolist()) for row in possible[:KINDS]),
        tuple(int(count) for count in cells["remaining"][:KINDS]),
        int(np.argmax(cells["shown"])),
        int(points[0] - points[1]),
        int(cells["moves_left"].item()),
    )
