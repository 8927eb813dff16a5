"""Long matches, with lower bounds that must hold: how well players play; appends a line to results/strength.jsonl.

Every deal is played in all rotations of the seats. The challenger sits with copies of its opponent; where a game has
one player, both play the deal alone and the higher utility takes the first place. Counted is the challenger's share of
first places, and the margin in points, each with its 95 % interval clustered by deal. Equals would get 1/players of the
first places, alone 1/2.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.base import Agent, SearchAgent, make_agent
from agents.match import Estimate, estimate, play_match
from benchmarks import journal
from benchmarks.conditions import arguments
from pepperenvs import make_batch
from pepperenvs.core.state import OVER

STRENGTH = journal.RESULTS / "strength.jsonl"
SEED = 2_000_000  # of the first deal: none on which a player was tuned
DEALS, QUICK_DEALS = 2000, 400
SHED_ONLY = "priority:agents/shed_only.toml"


class Bounds(NamedTuple):
    """What the lower ends of the intervals must not be below.

    first_places    share
    margin          points, as of Outcome
    """

    first_places: float
    margin: float


@dataclass(frozen=True)
class Contest:
    """A match, as data.

    challenger, opponent    as agents.base.make_agent names them; a file's path is relative to the checkout
    long, quick             bounds of the long match and of the quick one
    deals, quick_deals      how many each has; 0: it has no quick one
    """

    game: str
    players: int
    challenger: str
    opponent: str
    long: Bounds
    quick: Bounds
    deals: int = DEALS
    quick_deals: int = QUICK_DEALS


BOTS = (
    Contest("heat_guess_v0", 1, "bot", "random", Bounds(0.99, 1.4), Bounds(0.95, 1.2)),
    Contest("heat_guess_v0", 2, "bot", "random", Bounds(0.99, 11.5), Bounds(0.95, 10.0)),
    Contest("heat_guess_v0", 3, "bot", "random", Bounds(0.99, 9.4), Bounds(0.95, 8.5)),
    Contest("heat_guess_v0", 4, "bot", "random", Bounds(0.99, 8.0), Bounds(0.95, 7.2)),
    Contest("heat_guess_v0", 5, "bot", "random", Bounds(0.98, 7.0), Bounds(0.94, 6.3)),
    Contest("heat_guess_v0", 6, "bot", "random", Bounds(0.97, 6.2), Bounds(0.93, 5.6)),
    Contest("pick_a_pepper_v0", 2, "bot", "random", Bounds(0.99, 40.0), Bounds(0.95, 36.0)),
    Contest("pick_a_pepper_v0", 3, "bot", "random", Bounds(0.99, 35.0), Bounds(0.95, 31.0)),
    Contest("pick_a_pepper_v0", 4, "bot", "random", Bounds(0.99, 31.0), Bounds(0.95, 28.0)),
    Contest("pick_a_pepper_v0", 2, "bot", SHED_ONLY, Bounds(0.99, 20.0), Bounds(0.95, 18.0)),
    Contest("pick_a_pepper_v0", 3, "bot", SHED_ONLY, Bounds(0.99, 15.0), Bounds(0.95, 13.5)),
    Contest("pick_a_pepper_v0", 4, "bot", SHED_ONLY, Bounds(0.99, 12.0), Bounds(0.95, 10.5)),
    Contest("scoville_v0", 2, "bot", "random", Bounds(0.99, 110.0), Bounds(0.95, 100.0)),
    Contest("scoville_v0", 3, "bot", "random", Bounds(0.99, 115.0), Bounds(0.95, 105.0)),
    Contest("scoville_v0", 4, "bot", "random", Bounds(0.99, 125.0), Bounds(0.95, 110.0)),
    Contest("scoville_v0", 5, "bot", "random", Bounds(0.99, 110.0), Bounds(0.95, 100.0)),
    Contest("scoville_v0", 6, "bot", "random", Bounds(0.99, 100.0), Bounds(0.95, 90.0)),
    Contest("peppers_of_the_caribbean_v0", 2, "bot", "random", Bounds(0.99, 46.0), Bounds(0.95, 42.0)),
    Contest("peppers_of_the_caribbean_v0", 3, "bot", "random", Bounds(0.99, 30.5), Bounds(0.95, 28.0)),
    Contest("peppers_of_the_caribbean_v0", 4, "bot", "random", Bounds(0.99, 22.5), Bounds(0.95, 20.5)),
    Contest("potion_contest_v0", 1, "bot", "random", Bounds(0.99, 1.85), Bounds(0.97, 1.75)),
    Contest("potion_contest_v0", 2, "bot", "random", Bounds(0.99, 2.9), Bounds(0.97, 2.85)),
    Contest("potion_contest_v0", 3, "bot", "random", Bounds(0.99, 2.9), Bounds(0.97, 2.85)),
    Contest("potion_contest_v0", 4, "bot", "random", Bounds(0.99, 2.9), Bounds(0.97, 2.85)),
    Contest("potion_contest_v0", 5, "bot", "random", Bounds(0.99, 2.9), Bounds(0.97, 2.85)),
    Contest("potion_contest_v0", 6, "bot", "random", Bounds(0.99, 2.9), Bounds(0.97, 2.85)),
    Contest("pickled_peppers_v0", 2, "bot", "random", Bounds(0.99, 50.0), Bounds(0.97, 48.0)),
    Contest("pickled_peppers_v0", 3, "bot", "random", Bounds(0.96, 48.0), Bounds(0.94, 46.0)),
    Contest("pickled_peppers_v0", 4, "bot", "random", Bounds(0.91, 45.5), Bounds(0.89, 43.5)),
    Contest("pickled_peppers_v0", 5, "bot", "random", Bounds(0.84, 41.5), Bounds(0.82, 39.5)),
    Contest("jungle_v0", 2, "bot", "random", Bounds(0.79, 30.0), Bounds(0.76, 27.0)),
    Contest("jungle_v0", 3, "bot", "random", Bounds(0.65, 18.0), Bounds(0.62, 16.5)),
    Contest("you_wish_v0", 3, "bot", "random", Bounds(0.95, 2.7), Bounds(0.92, 2.5)),
    Contest("you_wish_v0", 4, "bot", "random", Bounds(0.85, 1.9), Bounds(0.81, 1.75)),
    Contest("pick_a_pepper_v0", 2, SHED_ONLY, "random", Bounds(0.98, 33.0), Bounds(0.95, 30.0)),
    Contest("pick_a_pepper_v0", 3, SHED_ONLY, "random", Bounds(0.98, 27.0), Bounds(0.94, 25.0)),
    Contest("pick_a_pepper_v0", 4, SHED_ONLY, "random", Bounds(0.98, 24.0), Bounds(0.94, 22.0)),
)

# Searchers think long, so they play fewer deals, and most of them none in the quick run. They want first places, and
# take points as they come. Where a bound lies below equality the scripted player is not beaten, or hardly.
ANY = -1000.0  # points


def _search(game: str, players: int, challenger: str, opponent: str, first_places: float, deals: int,
            quick: float = 0.0, quick_deals: int = 0) -> Contest:  # fmt: skip
    return Contest(
        game, players, challenger, opponent, Bounds(first_places, ANY), Bounds(quick, ANY), deals, quick_deals
    )


SEARCHERS = (
    _search("pick_a_pepper_v0", 3, "ismcts:1000", "bot", 0.75, 100, 0.55, 10),
    _search("peppers_of_the_caribbean_v0", 2, "ismcts:1000", "random", 0.95, 50, 0.8, 6),
    _search("you_wish_v0", 3, "ismcts:1000", "random", 0.9, 50, 0.7, 10),
    _search("peppers_of_the_caribbean_v0", 2, "ismcts:1000", "bot", 0.5, 60),
    _search("potion_contest_v0", 2, "ismcts:1000", "bot", 0.6, 20),
    _search("scoville_v0", 2, "ismcts:1000", "bot", 0.7, 20),
    _search("heat_guess_v0", 2, "ismcts:1000", "bot", 0.45, 500),
    _search("you_wish_v0", 3, "ismcts:1000", "bot", 0.3, 100),
    _search("pickled_peppers_v0", 2, "ismcts:1000", "bot", 0.4, 100),
    _search("jungle_v0", 2, "ismcts:1000", "bot", 0.4, 60),
    _search("pick_a_pepper_v0", 2, "ismcts:1000", "ismcts:100", 0.5, 60),
    _search("pick_a_pepper_v0", 2, "ismcts:10000", "ismcts:1000", 0.5, 60),
    _search("peppers_of_the_caribbean_v0", 2, "ismcts:1000", "ismcts:100", 0.5, 60),
    _search("peppers_of_the_caribbean_v0", 2, "ismcts:10000", "ismcts:1000", 0.5, 30),
)
CONTESTS = BOTS + SEARCHERS


@dataclass(frozen=True)
class Outcome:
    """What a contest gave.

    names             of challenger and opponent
    first_places      the challenger's share
    margin            mean points above the others' mean; with one player, mean utility above the opponent's
    ended_by_rules    share of games that no limit ended
    length            mean moves a game
    """

    contest: Contest
    names: tuple[str, str]
    deals: int
    bounds: Bounds
    first_places: Estimate
    margin: Estimate
    ended_by_rules: float
    length: float

    @property
    def holds(self) -> bool:
        return self.first_places.low >= self.bounds.first_places and self.margin.low >= self.bounds.margin

    def line(self) -> str:
        """For people."""
        game = f"{self.contest.game} {self.contest.players}p"
        holds = "holds" if self.holds else "MISSED"
        return (f"{game:<20} {' against '.join(self.names):<25} first places {self.first_places} (at least "
                f"{self.bounds.first_places:g}), margin {self.margin} (at least {self.bounds.margin:g}): {holds}; "
                f"{self.ended_by_rules:.1%} ended by the rules, {self.length:.0f} moves a game")  # fmt: skip

    def as_json(self) -> dict[str, Any]:
        """For the file of results; intervals as mean, lower and upper end."""
        contest = self.contest
        return {
            "game": contest.game,
            "players": contest.players,
            "challenger": self.names[0],
            "opponent": self.names[1],
            "deals": self.deals,
            "games": self.deals * contest.players,
            "first_places": _interval(self.first_places),
            "margin": _interval(self.margin),
            "bounds": self.bounds._asdict(),
            "holds": self.holds,
            "ended_by_rules": round(self.ended_by_rules, 4),
            "length": round(self.length, 1),
        }


def _interval(estimate: Estimate) -> list[float]:
    return [round(value, 4) for value in (estimate.mean, estimate.low, estimate.high)]


# ------------------------------------------------------------------------------------------------- playing


def play(contest: Contest, deals: int, bounds: Bounds) -> Outcome:
    """Play a contest. The outcome depends on the arguments alone."""
    agents = _agent(contest.game, contest.challenger), _agent(contest.game, contest.opponent)
    if contest.players == 1:
        return _play_alone(contest, agents, deals, bounds)
    seated = [agents[0], *[agents[1]] * (contest.players - 1)]
    match = play_match(contest.game, seated, deals, SEED, threads=os.cpu_count() or 1)
    return Outcome(contest, (agents[0].name, agents[1].name), deals, bounds, match.first_places(0), match.margin(0),
                   match.ended_by_rules.mean, float(match.length.mean()))  # fmt: skip


def _agent(game: str, name: str) -> Agent | SearchAgent:
    kind, _, path = name.partition(":")
    return make_agent(game, f"{kind}:{journal.ROOT / path}" if kind in ("ppo", "priority") else name)


def _play_alone(
    contest: Contest, agents: tuple[Agent | SearchAgent, Agent | SearchAgent], deals: int, bounds: Bounds
) -> Outcome:
    utility, truncated, length = _alone(contest.game, agents[0], deals)
    difference = utility - _alone(contest.game, agents[1], deals)[0]
    shares = (np.sign(difference) + 1) / 2
    return Outcome(contest, (agents[0].name, agents[1].name), deals, bounds, estimate(shares), estimate(difference),
                   1.0 - float(truncated.mean()), float(length.mean()))  # fmt: skip


def _alone(
    game: str, agent: Agent | SearchAgent, deals: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.int64]]:
    """What a scripted agent gets in games of one player: utility, whether a limit ended them, moves, [deals] each."""
    batch = make_batch(game, deals, num_players=1, seed=SEED, autoreset=False)
    truncated = np.zeros(deals, np.bool_)
    while (batch.seat != OVER).any():
        batch.step(batch.bot_actions() if agent.scripted == "bot" else batch.sample_actions())
        truncated |= batch.truncated  # the batch says it only in the step in which a game ends
    return batch.final_utility[:, 0], truncated, batch.final_length


# ---------------------------------------------------------------------------------------------------- main


def main(argv: Sequence[str] | None = None, results: Path = STRENGTH, deals: int | None = None) -> int:
    """Play the contests of the games asked for. Exit status 1 if a bound is missed.

    deals    of each contest at most; None: as many as each has
    """
    argv = sys.argv[1:] if argv is None else argv
    given = arguments("benchmarks.strength", __doc__, argv)
    outcomes = []
    for contest in CONTESTS:
        number = contest.quick_deals if given.quick else contest.deals
        if contest.game in given.games and number:
            bounds = contest.quick if given.quick else contest.long
            outcomes.append(play(contest, min(number, deals or number), bounds))
            print(outcomes[-1].line(), flush=True)
    facts = {"seed": SEED, "matches": [outcome.as_json() for outcome in outcomes]}
    journal.append(results, "benchmarks.strength", argv, facts)
    return 0 if all(outcome.holds for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
