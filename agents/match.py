"""Matches: every deal is played with all rotations of the agents around the table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.base import Agent, SearchAgent, check_actions
from pepperenvs import make_batch, registry
from pepperenvs.core.state import OVER

Player = Agent | SearchAgent

CONFIDENCE = 1.96  # standard errors on either side of a mean: 95 %


@dataclass(frozen=True)
class Estimate:
    """A mean with the half-width of its 95 % interval, whose standard error is clustered by deal."""

    mean: float
    half_width: float

    @property
    def low(self) -> float:
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        return self.mean + self.half_width

    def __str__(self) -> str:
        return f"{self.mean:.3f} ± {self.half_width:.3f}"


@dataclass(frozen=True)
class Match:
    """The results of all games of a match, by deal, rotation and agent.

    names        [agents]
    score        int64 [deals, rotations, agents], the game's points
    standing     int64 [deals, rotations, agents], seats that stand strictly before
    truncated    bool [deals, rotations], ended by a limit, not by the rules
    length       int64 [deals, rotations], decisions of all seats
    final        int16 [deals, rotations, agents, cells], each agent's own observation of the final position
    """

    game: str
    names: tuple[str, ...]
    score: NDArray[np.int64]
    standing: NDArray[np.int64]
    truncated: NDArray[np.bool_]
    length: NDArray[np.int64]
    final: NDArray[np.int16]

    @property
    def num_deals(self) -> int:
        return len(self.score)

    def first_places(self, agent: int) -> Estimate:
        """Share of first places; one that k agents share counts 1/k for each."""
        return _estimate(first_shares(self.standing)[:, :, agent])

    def first_places_of(self, agents: Sequence[int]) -> Estimate:
        """Share of first places that some agents have together."""
        return _estimate(first_shares(self.standing)[:, :, list(agents)].sum(axis=2))

    def mean_standing(self, agent: int) -> Estimate:
        """Mean place, 0 for first; sharers of a place are given its mean."""
        return _estimate(mean_places(self.standing)[:, :, agent])

    def margin(self, agent: int) -> Estimate:
        """Mean points above the mean of the others; above 0 with one player."""
        return _estimate(margins(self.score)[:, :, agent])

    def points(self, agent: int) -> Estimate:
        """Mean points."""
        return _estimate(self.score[:, :, agent].astype(np.float64))

    def segment(self, agent: int, name: str) -> Estimate:
        """Mean sum of a segment of the agent's final observation; of its own row if the segment has one a seat."""
        layout = registry.spec(self.game).layout
        cells = layout.split(self.final[:, :, agent])[name]
        declared = next(segment for segment in layout.segments if segment.name == name)
        if next(iter(declared.extents), None) == "seats":
            cells = cells[:, :, 0]
        return _estimate(cells.reshape(*self.truncated.shape, -1).sum(axis=2).astype(np.float64))

    @property
    def ended_by_rules(self) -> Estimate:
        """Share of games that the rules ended."""
        return _estimate(1.0 - self.truncated)


def _estimate(values: NDArray[Any]) -> Estimate:
    """Mean and interval of [deals, rotations]: the games of one deal are not independent, the deals are."""
    return estimate(values.mean(axis=1))


def estimate(by_deal: NDArray[Any]) -> Estimate:
    """Mean and interval of one value a deal, [deals]; of a single deal the interval has no end."""
    if len(by_deal) < 2:
        return Estimate(float(by_deal.mean()), math.inf)
    return Estimate(float(by_deal.mean()), float(CONFIDENCE * by_deal.std(ddof=1) / math.sqrt(len(by_deal))))


# The last axis of these is that of a game's players, the others are free.


def first_shares(standing: NDArray[np.int64]) -> NDArray[np.float64]:
    """Each player's share of the first place, which k players share as 1/k each."""
    first = standing == 0
    shares: NDArray[np.float64] = first / first.sum(axis=-1, keepdims=True)
    return shares


def mean_places(standing: NDArray[np.int64]) -> NDArray[np.float64]:
    """Each player's place, 0 for first; sharers of a place are given the mean of those that they take up."""
    sharing = (standing[..., :, None] == standing[..., None, :]).sum(axis=-1)
    places: NDArray[np.float64] = standing + (sharing - 1) / 2
    return places


def margins(score: NDArray[np.int64]) -> NDArray[np.float64]:
    """Each player's points above the mean of the others; above 0 where there are none."""
    rest = (score.sum(axis=-1, keepdims=True) - score) / max(1, score.shape[-1] - 1)
    above: NDArray[np.float64] = score - rest
    return above


def play_match(
    game: str, agents: Sequence[Player], deals: int, seed: int = 0, *, threads: int = 1, **options: Any
) -> Match:
    """Play agents against one another.

    agents     one for each player; the same object may stand for several. A SearchAgent is asked game by game, with a
               Simulator of what the seat to move knows; another agent is asked for all its games together
    deals      number of deals; deal d has the seed `seed` + d
    threads    games for which a SearchAgent is asked at the same time; it must bear that, as those of this package do
    options    the game's options

    In rotation r of a deal, agent a sits in seat (a + r) modulo the number of players. The result depends on the
    arguments alone. Raises ValueError if an agent answers with something that is not legal, or there are no deals;
    TypeError for an agent that is none, as a name is.
    """
    players = len(agents)
    if deals < 1:
        raise ValueError(f"deals must be at least 1, not {deals}")
    for agent in agents:
        if not callable(getattr(agent, "act", None)) and not isinstance(agent, SearchAgent):
            raise TypeError(f"{agent!r} is no agent; agents.base.make_agent makes one from a name")
    rotations = np.tile(np.arange(players), deals)
    seeds = np.repeat(np.arange(seed, seed + deals), players)
    batch = make_batch(game, len(seeds), num_players=players, seed=seeds, autoreset=False, **options)
    for index, agent in enumerate(dict.fromkeys(agents)):
        agent.restart(seed_from(seed, index))  # not a deal's: from that an agent could tell the cards
    places = np.zeros((len(seeds), players), np.int64)  # whose turn it is when a seat is to move, [games, seats]
    for number, agent in enumerate(agents):
        first = next(index for index, other in enumerate(agents) if other is agent)
        places[np.arange(len(seeds)), (number + rotations) % players] = first
    with ThreadPoolExecutor(threads, "pepperenvs-match") as pool:
        truncated = play_out(batch, agents, places, seed, pool if threads > 1 else None)
    return _collect(game, batch, agents, rotations, truncated)


def play_out(
    batch: Any,
    agents: Sequence[Player],
    places: NDArray[np.int64],
    seed: int,
    pool: ThreadPoolExecutor | None = None,
    moves: Sequence[list[int]] | None = None,
) -> NDArray[np.bool_]:
    """Play all games of a batch without auto-reset to their ends, with agents that have been restarted.

    places     int64 [games, seats], the number of the agent that sits there
    seed       what the searchers' seeds follow from, with the game's place in the batch and the move's in the game
    pool       where the SearchAgents are asked; None: one after the other
    moves      a list a game, to which its actions are appended
    returns    bool [games], which a limit cut short: the batch says it in the step of the end only

    Raises ValueError if an agent answers with something that is not legal.
    """
    truncated = np.zeros(batch.num_envs, np.bool_)
    actions = np.zeros(batch.num_envs, np.int64)
    rows = np.arange(batch.num_envs)
    while (batch.seat != OVER).any():
        running = batch.seat != OVER
        whose = np.where(running, places[rows, batch.seat], -1)
        for number in np.unique(whose[running]):
            _answer(batch, agents[number], whose == number, actions, seed, pool)
        if moves is not None:
            for row in np.flatnonzero(running).tolist():
                moves[row].append(int(actions[row]))
        batch.step(actions)
        truncated |= batch.truncated
    return truncated


def _answer(
    batch: Any,
    agent: Player,
    chosen: NDArray[np.bool_],
    actions: NDArray[np.int64],
    seed: int,
    pool: ThreadPoolExecutor | None,
) -> None:
    """Write an agent's actions for the games in which it is to move."""
    if isinstance(agent, SearchAgent):
        rows = np.flatnonzero(chosen).tolist()
        each = pool.map if pool else map
        actions[chosen] = list(each(lambda row: _searched(batch, agent, row, seed), rows))
    elif agent.scripted == "bot":
        batch.bot_actions(chosen, out=actions)
    elif agent.scripted == "random":
        batch.sample_actions(chosen, out=actions)
    else:
        mask = batch.action_mask[chosen]
        actions[chosen] = check_actions(agent.act(batch.observation[chosen], mask), mask)


def _searched(batch: Any, agent: SearchAgent, row: int, seed: int) -> int:
    """A searcher's action in one game. The Simulator's seed follows from the match's seed, the game and the move."""
    simulator = batch.simulator(row, seed_from(seed, row, int(batch._states["moves"][row])))
    return int(check_actions([agent.search(simulator)], batch.action_mask[row : row + 1])[0])


def seed_from(*numbers: int) -> int:
    """A seed that follows from some numbers, 0 … 2^63 - 1."""
    return int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0]) >> 1


def _collect(game: str, batch: Any, agents: Sequence[Player], rotations: NDArray[np.int64],
             truncated: NDArray[np.bool_]) -> Match:  # fmt: skip
    players = len(agents)
    shape = (len(rotations) // players, players)
    seats = (np.arange(players) + rotations[:, None]) % players  # [games, agents]
    final = np.stack([[batch.observe(row, seat) for seat in of] for row, of in enumerate(seats)])
    return Match(
        game=game,
        names=tuple(agent.name for agent in agents),
        score=np.take_along_axis(batch.final_score, seats, axis=1).reshape(*shape, players),
        standing=np.take_along_axis(batch.final_standing, seats, axis=1).reshape(*shape, players),
        truncated=truncated.reshape(shape),
        length=batch.final_length.reshape(shape).copy(),
        final=final.reshape(*shape, players, -1),
    )
