"""What many games between agents say about them: shares, places, pairings, ratings, each with a 95 % interval.

The games of one deal are not independent of one another, since all line-ups and seatings play it; the deals are. So
every interval is clustered by deal: a mean is that of the deals' own means, and its error comes from their spread.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from openskill.models import PlackettLuce, PlackettLuceRating

from agents.match import CONFIDENCE, Estimate, estimate, first_shares, margins, mean_places

POWER = 0.84  # standard errors: a difference as large as seen is found in 80 % of repetitions


@dataclass(frozen=True)
class Results:
    """The results of games of one player count.

    names        [agents], for tables
    deal         int64 [games], a number of the deal
    agents       int64 [games, seats], the number of the agent in each seat
    score        int64 [games, seats], the game's points
    standing     int64 [games, seats], seats that stand strictly before
    truncated    bool [games], ended by a limit, not by the rules
    """

    names: tuple[str, ...]
    deal: NDArray[np.int64]
    agents: NDArray[np.int64]
    score: NDArray[np.int64]
    standing: NDArray[np.int64]
    truncated: NDArray[np.bool_]

    @property
    def players(self) -> int:
        return int(self.agents.shape[1])

    @property
    def num_deals(self) -> int:
        return len(np.unique(self.deal))

    def first_places(self, agent: int) -> Estimate:
        """Share of first places a seat held, to be compared with 1 / players; k that share one count 1/k each."""
        return self._of(agent, first_shares(self.standing))

    def mean_standing(self, agent: int) -> Estimate:
        """Mean place, 0 for first; sharers of a place are given the mean of those that they take up."""
        return self._of(agent, mean_places(self.standing))

    def margin(self, agent: int) -> Estimate:
        """Mean points above the mean of the others at the table."""
        return self._of(agent, margins(self.score))

    def points(self, agent: int) -> Estimate:
        """Mean points."""
        return self._of(agent, self.score.astype(np.float64))

    def pairing(self, agent: int, other: int) -> Estimate:
        """Share of the meetings of two agents in which the first one stands before the second; equal counts 1/2.

        Copies of them at one table are as many meetings. Without any meeting the mean is NaN.
        """
        return estimate(self._pairing_by_deal(agent, other))

    def seat_share(self, seat: int) -> Estimate:
        """Share of first places of a seat, whoever sat there: what is above 1 / players is the seat's advantage."""
        return estimate(_by_deal(self.deal, first_shares(self.standing)[:, [seat]]))

    @property
    def ended_by_rules(self) -> Estimate:
        """Share of games that the rules ended."""
        return estimate(_by_deal(self.deal, 1.0 - self.truncated[:, None].astype(np.float64)))

    def more_deals(self, agent: int, other: int) -> float:
        """How many further deals it takes to tell two agents apart by their pairing: 0 if the interval does it already.

        So many, in all, that a difference as large as the one seen leaves 1/2 outside its 95 % interval in 80 % of
        repetitions: (1.96 + 0.84)² s² / (m - 1/2)² for the mean m and standard deviation s of the deals' pairings.
        Infinite if they are equal as far as one can see.
        """
        by_deal = self._pairing_by_deal(agent, other)
        pairing = estimate(by_deal)
        if pairing.low > 0.5 or pairing.high < 0.5:
            return 0.0
        if len(by_deal) < 2 or pairing.mean == 0.5:
            return math.inf
        needed = ((CONFIDENCE + POWER) * float(by_deal.std(ddof=1)) / (pairing.mean - 0.5)) ** 2
        return float(max(1, math.ceil(needed) - len(by_deal)))

    def _of(self, agent: int, values: NDArray[np.float64]) -> Estimate:
        return estimate(_by_deal(self.deal, values, self.agents == agent))

    def _pairing_by_deal(self, agent: int, other: int) -> NDArray[np.float64]:
        before = self.standing[:, :, None] < self.standing[:, None, :]
        equal = self.standing[:, :, None] == self.standing[:, None, :]
        meets = (self.agents == agent)[:, :, None] & (self.agents == other)[:, None, :]
        meets &= ~np.eye(self.players, dtype=np.bool_)  # nobody meets himself
        games = len(self.deal)
        return _by_deal(self.deal, (before + equal / 2).reshape(games, -1), meets.reshape(games, -1))


def _by_deal(
    deal: NDArray[np.int64], values: NDArray[np.float64], counted: NDArray[np.bool_] | None = None
) -> NDArray[np.float64]:
    """The mean of the counted values, [games, n], of each deal that has some, [deals]."""
    _, place = np.unique(deal, return_inverse=True)
    weights = np.ones_like(values) if counted is None else counted.astype(np.float64)
    total = np.bincount(place, (values * weights).sum(axis=1))
    number = np.bincount(place, weights.sum(axis=1))
    means: NDArray[np.float64] = total[number > 0] / number[number > 0]
    return means if len(means) else np.array([np.nan])


# ------------------------------------------------------------------------------------------------- ratings


@dataclass(frozen=True)
class Rating:
    """An agent's OpenSkill rating: mu, with the ends of its 95 % bootstrap interval. It begins at 25."""

    mu: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mu:.2f} ({self.low:.2f} … {self.high:.2f})"


def openskill_ratings(results: Results, replicates: int = 100, seed: int = 0) -> list[Rating]:
    """Ratings by the Plackett–Luce model of OpenSkill (Weng and Lin, 2011), from all rankings, one an agent.

    replicates    of the bootstrap: so many times as many deals are drawn with replacement, with all their games
    seed          of the draws and orders

    The model learns game by game, and later games weigh more; so the games come in a random order, mu is the mean over
    ORDERS of them, and every replicate has an order of its own. An agent's copies at a table are rated as players of
    their own that begin equal, and their mean is kept.
    """
    random = np.random.default_rng(seed)
    games = np.arange(len(results.deal))
    mu = np.mean([_fitted(results, random.permutation(games)) for _ in range(ORDERS)], axis=0)
    by_deal = [np.flatnonzero(results.deal == deal) for deal in np.unique(results.deal)]
    drawn = []
    for _ in range(replicates):
        chosen = random.integers(len(by_deal), size=len(by_deal))
        drawn.append(_fitted(results, random.permutation(np.concatenate([by_deal[deal] for deal in chosen]))))
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0) if drawn else (np.full(len(mu), np.nan),) * 2
    return [Rating(float(mu[agent]), float(low[agent]), float(high[agent])) for agent in range(len(mu))]


ORDERS = 10


def _fitted(results: Results, games: NDArray[np.int64]) -> list[float]:
    """The agents' mu after these games, in this order."""
    model = PlackettLuce()
    ratings = [model.rating() for _ in results.names]
    for seats, standing in zip(results.agents[games].tolist(), results.standing[games].tolist(), strict=True):
        rated = model.rate([[ratings[agent]] for agent in seats], ranks=standing)
        for agent in set(seats):
            copies = [team[0] for team, sitting in zip(rated, seats, strict=True) if sitting == agent]
            ratings[agent] = copies[0] if len(copies) == 1 else _mean_rating(model, copies)
    return [float(rating.mu) for rating in ratings]


def _mean_rating(model: PlackettLuce, ratings: Sequence[PlackettLuceRating]) -> PlackettLuceRating:
    mu, sigma = [rating.mu for rating in ratings], [rating.sigma for rating in ratings]
    return model.rating(mu=sum(mu) / len(mu), sigma=sum(sigma) / len(sigma))
