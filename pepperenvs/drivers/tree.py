"""Searches that run inside kernels: trees over what one seat knows, and plain playouts after each action.

They are made of a Simulator, which holds a redraw of the position and never the true one, so they know no more than it.
Given the Simulator's seed and a number of iterations the outcome is always the same, whatever the number of threads.
"""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pepperenvs.core import rng
from pepperenvs.core import utility as utilities
from pepperenvs.drivers._kernels import BOT, RANDOM
from pepperenvs.drivers._search import MAX_DEPTH, NO_ACTION, NO_ITERATION, NO_NODE
from pepperenvs.drivers.search import Simulator

POLICIES = {"random": RANDOM, "bot": BOT}
TO_THE_END = 2**62
_CHUNK_SECONDS = 0.004  # between two looks at the clock
_NODES = 1024  # that a tree has room for at first
_NO_FIRST_ACTION = np.array([NO_ACTION], np.int32)

# Values of positions for all seats, float64 [n, MAX_SEATS], from what they see there, int16 [n, MAX_SEATS, cells].
Evaluate = Callable[[NDArray[np.int16]], NDArray[np.float64]]


def node_type(max_seats: int) -> np.dtype[Any]:
    """The type of a node: the action that leads to it, its first child and next sibling, how often it was visited, how
    often it could have been, and the sum of the values of its visits by seat."""
    links = [("action", np.int32), ("child", np.int32), ("sibling", np.int32), ("visits", np.int32)]
    return np.dtype((np.record, [*links, ("chances", np.int64), ("total", np.float64, (max_seats,))]))


@dataclass(frozen=True)
class Plan:
    """How iterations are played.

    rollout        who plays when the tree ends: "random", uniform among the legal actions, or "bot", the scripted one
    depth          moves of the rollout; a game that goes on then is valued as if it ended there. None: to the end
    first_child    a node's first child: "bot", the scripted player's move, or "random"
    outcomes       "seen": a node stands for the moves that lead to it and for what the searching seat saw after each;
                   "merged": for the moves alone, whatever else happened, so that later moves in the tree cannot depend
                   on it: more visits a node, but wrong where the answer to a card turned up is what matters
    exploration    weight of the exploration term; values lie in [-1, 1]
    growth         a node may have n children once it has been visited n ** growth times; 0: every child is tried before
                   any is visited again
    first_share    of the root's visits, which its first child gets at least. It is what the others are compared with;
                   without a share, a few unlucky visits at the beginning can rule it out for good
    utility        "rank" or "win", what the seats want
    caution        an action is played instead of the scripted player's only if its value is higher by so many standard
                   errors, taking values to spread by 1; 0: always the best one found
    """

    rollout: str = "bot"
    depth: int | None = None
    first_child: str = "bot"
    outcomes: str = "seen"
    exploration: float = 0.7
    growth: float = 2.0
    first_share: float = 0.1
    utility: str = utilities.DEFAULT
    caution: float = 1.0

    def __post_init__(self) -> None:
        for name in ("rollout", "first_child"):
            if getattr(self, name) not in POLICIES:
                raise ValueError(f"{name} must be 'random' or 'bot', not {getattr(self, name)!r}")
        if self.outcomes not in ("merged", "seen"):
            raise ValueError(f"outcomes must be 'merged' or 'seen', not {self.outcomes!r}")
        if self.depth is not None and self.depth < 0:
            raise ValueError(f"depth must not be negative, got {self.depth}")
        if min(self.exploration, self.growth, self.caution) < 0:
            raise ValueError("exploration, growth and caution must not be negative")
        if not 0 <= self.first_share < 1:
            raise ValueError(f"first_share must be at least 0 and below 1, not {self.first_share}")
        if utilities.kind_number(self.utility) == utilities.SCORE:
            raise ValueError("utility must be 'rank' or 'win': points have no common scale")

    @property
    def numbers(self) -> tuple[int, int, int, int, float, float, float]:
        """As kernels take it."""
        depth = TO_THE_END if self.depth is None else self.depth
        policies = POLICIES[self.rollout], depth, POLICIES[self.first_child]
        weights = float(self.exploration), float(self.growth), float(self.first_share)
        return *policies, int(self.outcomes == "seen"), *weights


@dataclass(frozen=True)
class Choices:
    """What a search found out about the actions of the seat to move; those that it never tried are left out.

    actions     int32 [n], ascending
    visits      int64 [n]
    values      float64 [n], the mean value for the seat
    scripted    the scripted player's action
    """

    actions: NDArray[np.int32]
    visits: NDArray[np.int64]
    values: NDArray[np.float64]
    scripted: int

    def most_visited(self, caution: float = 0.0) -> int:
        """The action visited most, of equals that of the highest value; or the scripted player's, see Plan.caution.

        Where several are as good as sure to win the highest value is chosen, which is that of the earliest end.
        """
        winning = (self.visits >= self.visits.max() / 4) & (self.values >= _SURE)
        if winning.any():
            return int(self.actions[np.argmax(np.where(winning, self.values, -np.inf))])
        return self._or_scripted(int(np.lexsort((self.values, self.visits))[-1]), caution)

    def most_valued(self, caution: float = 0.0) -> int:
        """The action of the highest value, the first of equals; or the scripted player's, see Plan.caution."""
        return self._or_scripted(int(self.values.argmax()), caution)

    def _or_scripted(self, place: int, caution: float) -> int:
        scripted = np.flatnonzero(self.actions == self.scripted)
        if len(scripted) and caution > 0:
            usual = scripted[0]
            error = np.sqrt(1 / self.visits[place] + 1 / self.visits[usual])
            if self.values[place] - self.values[usual] < caution * error:
                place = usual
        return int(self.actions[place])


_SURE = 0.9  # of the highest value, 1, an early end counts up to 0.05


class Search:
    """What all searches share: roots that grow on their own, each with its stream of random numbers and its buffers."""

    def __init__(self, simulator: Simulator, plan: Plan, roots: int = 1, threads: int | None = 1) -> None:
        """Begin at a position, of which the Simulator's seat is to move; the Simulator's stream goes on.

        roots      trees that grow on their own; the outcome depends on it
        threads    that share the roots; the outcome does not depend on it. None: one a processor

        Raises ValueError if another seat is to move, and for numbers below 1.
        """
        if simulator.seat != simulator.to_move:
            raise ValueError(f"seat {simulator.to_move} is to move, and the Simulator is seat {simulator.seat}'s")
        if roots < 1 or (threads is not None and threads < 1):
            raise ValueError("roots and threads must be at least 1")
        self.plan, self.seat, self.num_roots = plan, simulator.seat, roots
        self.legal_actions = simulator.legal_actions
        self._game = simulator._root._game
        self._threads = min(roots, threads or os.cpu_count() or 1)
        self._kind = utilities.kind_number(plan.utility)
        self._roots = simulator.root
        self._works = np.repeat(self._roots, roots)
        actions, seats = simulator.spec.actions.size, simulator.spec.max_seats
        streams = np.array([[rng.next_word(simulator._samples)] for _ in range(roots)], np.uint64)
        self._buffers = (
            np.zeros((roots, actions), np.int32),
            np.zeros((roots, actions + 1), np.int64),
            np.zeros((roots, MAX_DEPTH + 2), np.int32),
            streams,
            np.zeros((roots, simulator.spec.layout.size), np.int16),
            np.zeros((roots, seats)),
        )
        self._used = np.ones((roots, 1), np.int64)
        self._nodes = self._planted(roots, seats)
        self._moves, self._depths = np.zeros(roots, np.int64), np.zeros(roots, np.int64)
        self._unseen = np.zeros((0, seats, simulator.spec.layout.size), np.int16)

    @staticmethod
    def _planted(roots: int, seats: int) -> NDArray[Any]:
        nodes: NDArray[Any] = np.zeros((roots, _NODES), node_type(seats))
        for link in ("action", "child", "sibling"):
            nodes[link][:, 0] = NO_NODE
        return nodes

    @property
    def _trees(self) -> tuple[Any, ...]:
        return (self._nodes, self._used, *self._buffers)

    @property
    def moves(self) -> int:
        """Played so far in all playouts and trees."""
        return int(self._moves.sum())

    @property
    def _scripted(self) -> int:
        """What the scripted player would do, which knows no more than the searching seat."""
        return int(self._game.bot(self._roots, 0))

    def _make_room(self, iterations: int) -> None:
        """Of nodes for so many further iterations, most of which add one."""
        needed = int(self._used.max()) + 2 * iterations
        if needed > self._nodes.shape[1]:
            larger = np.zeros((self.num_roots, max(needed, 2 * self._nodes.shape[1])), self._nodes.dtype)
            larger[:, : self._nodes.shape[1]] = self._nodes
            self._nodes = larger

    def _iterate(self, actions: NDArray[np.int32], rounds: list[int], totals: NDArray[np.float64],
                 observations: NDArray[np.int16] | None = None) -> None:  # fmt: skip
        """So many rounds of each root; see drivers/_search.py."""
        seen = self._unseen if observations is None else observations
        arguments = (self._roots, self._works, self._trees, self.seat, self.plan.numbers, self._kind, actions,
                     np.array(rounds, np.int64), totals, self._moves, self._depths, seen)  # fmt: skip
        kernel = self._game.search_entry("iterate_at", 0, 1, *arguments)
        if self._threads == 1:
            kernel(0, self.num_roots, *arguments)
        else:
            list(_pool(self._threads).map(lambda root: kernel(root, root + 1, *arguments), range(self.num_roots)))


@functools.cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, "pepperenvs-search")


def _shares(total: int, parts: int) -> list[int]:
    """A number in parts that differ by one at most."""
    return [total // parts + (part < total % parts) for part in range(parts)]


class Tree(Search):
    """A tree search over information sets, the same move for the same knowledge (see drivers/_search.py)."""

    def grow(self, iterations: int, evaluate: Evaluate | None = None) -> None:
        """So many iterations in all, shared out among the roots.

        evaluate    values the last positions of iterations in which the game goes on: float64 [n, MAX_SEATS] of
                    observations int16 [n, MAX_SEATS, cells], where absent seats see zeros; it is called with as many
                    positions as there are roots at most. None: they are valued as if the game ended there
        """
        shares = _shares(iterations, self.num_roots)
        self._make_room(max(shares))
        if evaluate is None:
            self._iterate(_NO_FIRST_ACTION, shares, self._totals)
            return
        for done in range(max(shares)):
            self._grow_once([int(done < share) for share in shares], evaluate)

    def grow_for(self, seconds: float, evaluate: Evaluate | None = None) -> int:
        """Iterations for so long, by the clock; returns how many. How many there are depends on the machine."""
        end, done, chunk = time.perf_counter() + seconds, 0, self.num_roots
        while True:
            begun = time.perf_counter()
            self.grow(chunk, evaluate)
            done += chunk
            now = time.perf_counter()
            if now >= end:
                return done
            pace = max(now - begun, 1e-6) / chunk
            chunk = max(1, min(2 * chunk, int(min(_CHUNK_SECONDS, end - now) / pace)))

    def _grow_once(self, rounds: list[int], evaluate: Evaluate) -> None:
        """One iteration of each root, or none."""
        seen, values = self._observations, self._buffers[-1]
        self._depths.fill(NO_ITERATION)
        self._iterate(_NO_FIRST_ACTION, rounds, self._totals, seen)
        goes_on = self._depths >= 0
        if goes_on.any():
            values[goes_on] = evaluate(seen[goes_on])
        credit = self._game.search_entry("credit_at", self._trees, self._depths)
        credit(self._trees, self._depths)

    @functools.cached_property
    def _observations(self) -> NDArray[np.int16]:
        return np.zeros((self.num_roots, self._game.spec.max_seats, self._game.spec.layout.size), np.int16)

    @property
    def iterations(self) -> int:
        """Made so far, by all roots."""
        return int(self._nodes["visits"][:, 0].sum())

    def choices(self) -> Choices:
        """The actions tried at the roots, all roots together."""
        size = self._game.spec.actions.size
        visits, totals = np.zeros(size, np.int64), np.zeros(size)
        for nodes in self._nodes:
            child = int(nodes["child"][0])
            while child != NO_NODE:
                one = nodes[child]
                visits[one["action"]] += one["visits"]
                totals[one["action"]] += one["total"][self.seat]
                child = int(one["sibling"])
        tried = np.flatnonzero(visits)
        return Choices(tried.astype(np.int32), visits[tried], totals[tried] / visits[tried], self._scripted)

    @functools.cached_property
    def _totals(self) -> NDArray[np.float64]:
        return np.zeros((self.num_roots, 1))


class Playouts(Search):
    """Flat Monte Carlo: playouts after every legal action, each time from the same redraw for all of them."""

    def play(self, playouts: int) -> None:
        """So many playouts in all, at least one an action, shared out evenly among the actions and the roots."""
        sweeps = _shares(max(playouts, len(self.legal_actions)) // len(self.legal_actions), self.num_roots)
        for root, count in enumerate(sweeps):
            self._sweeps[root] += count
        self._iterate(self.legal_actions, sweeps, self._totals)

    def play_for(self, seconds: float) -> int:
        """Playouts for so long, by the clock; returns how many."""
        end, done, step = time.perf_counter() + seconds, 0, len(self.legal_actions) * self.num_roots
        while True:
            self.play(step)
            done += step
            if time.perf_counter() >= end:
                return done

    def choices(self) -> Choices:
        """All legal actions, all roots together."""
        count = int(self._sweeps.sum())
        visits = np.full(len(self.legal_actions), count, np.int64)
        return Choices(self.legal_actions, visits, self._totals.sum(axis=0) / max(1, count), self._scripted)

    @functools.cached_property
    def _sweeps(self) -> NDArray[np.int64]:
        return np.zeros(self.num_roots, np.int64)

    @functools.cached_property
    def _totals(self) -> NDArray[np.float64]:
        return np.zeros((self.num_roots, len(self.legal_actions)))
