"""A tournament's results for people: tables for the terminal, CSV and JSON, and plots."""

from __future__ import annotations

import csv
import itertools
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from rich.console import Group
from rich.table import Table

from agents.match import Estimate
from agents.ratings import Rating, Results, openskill_ratings

AGENTS, PAIRINGS, SEATS = "agents.csv", "pairings.csv", "seats.csv"
REPORT, PLOT = "report.json", "report.png"


@dataclass(frozen=True)
class Report:
    """All figures of some results, each computed once.

    ratings         [agents]
    first_places    [agents], share of first places of a seat that the agent held
    standing        [agents], mean place, 0 for first
    margin          [agents], points above the others' mean
    pairings        [agents][agents], share of their meetings in which the first stands before the second
    more_deals      [agents][agents], further deals that it takes to tell them apart
    seats           [seats], share of first places of each seat
    """

    results: Results
    ratings: Sequence[Rating]
    first_places: Sequence[Estimate]
    standing: Sequence[Estimate]
    margin: Sequence[Estimate]
    pairings: Sequence[Sequence[Estimate]]
    more_deals: Sequence[Sequence[float]]
    seats: Sequence[Estimate]

    @property
    def order(self) -> list[int]:
        """The agents from the highest rating to the lowest."""
        return sorted(range(len(self.ratings)), key=lambda agent: -self.ratings[agent].mu)

    @property
    def games_a_deal(self) -> float:
        return len(self.results.deal) / self.results.num_deals


def make_report(results: Results, replicates: int = 100) -> Report:
    """The report of some results; the ratings' intervals come from so many replicates, see `openskill_ratings`."""
    agents = range(len(results.names))
    return Report(
        results=results,
        ratings=openskill_ratings(results, replicates),
        first_places=[results.first_places(agent) for agent in agents],
        standing=[results.mean_standing(agent) for agent in agents],
        margin=[results.margin(agent) for agent in agents],
        pairings=[[results.pairing(agent, other) for other in agents] for agent in agents],
        more_deals=[[results.more_deals(agent, other) for other in agents] for agent in agents],
        seats=[results.seat_share(seat) for seat in range(results.players)],
    )


# ------------------------------------------------------------------------------------------------- tables


def tables(report: Report) -> Group:
    """For the terminal: the agents by rating, their pairings, the seats."""
    results, equal = report.results, f"(1/n = {1 / report.results.players:.3f})"
    played = f"{len(results.deal):,} games, {results.num_deals:,} deals"
    return Group(
        f"\n{played}, {results.ended_by_rules.mean:.1%} ended by the rules",
        _agents_table(report, equal),
        "\nShare of meetings in which the row's agent stands before the column's",
        _pairings_table(report),
        f"\nShare of first places of each seat {equal}",
        _seats_table(report),
    )


def _agents_table(report: Report, equal: str) -> Table:
    table = Table()
    table.add_column("agent", overflow="fold")
    for name in ("rating", f"first places {equal}", "mean place (0 = first)", "margin"):
        table.add_column(name, justify="right")
    for agent in report.order:
        table.add_row(report.results.names[agent], str(report.ratings[agent]), str(report.first_places[agent]),
                      str(report.standing[agent]), _points(report.margin[agent]))  # fmt: skip
    return table


def _pairings_table(report: Report) -> Table:
    """A row's agent against a column's; below, how much longer it takes where it is open."""
    table = Table()
    table.add_column("agent", overflow="fold")
    for agent in report.order:
        table.add_column(report.results.names[agent], justify="right", overflow="fold")
    for agent in report.order:
        cells = ["" if other == agent else _pairing(report, agent, other) for other in report.order]
        table.add_row(report.results.names[agent], *cells)
    return table


def _pairing(report: Report, agent: int, other: int) -> str:
    text = str(report.pairings[agent][other])
    more = report.more_deals[agent][other]
    if more == 0:
        return text
    games = "" if math.isinf(more) else f" {math.ceil(more * report.games_a_deal):,} games more"
    return f"{text}\nopen:{games or ' they look equal'}"


def _seats_table(report: Report) -> Table:
    table = Table()
    table.add_column("seat", justify="right")
    table.add_column("first places", justify="right")
    for seat, share in enumerate(report.seats):
        table.add_row(str(seat), str(share))
    return table


def _points(estimate: Estimate) -> str:
    return f"{estimate.mean:+.2f} ± {estimate.half_width:.2f}"


# ------------------------------------------------------------------------------------------------- files


def write(report: Report, folder: Path) -> None:
    """Write agents.csv, pairings.csv, seats.csv, report.json and report.png into a folder."""
    _write_csv(folder / AGENTS, _agent_rows(report))
    _write_csv(folder / PAIRINGS, _pairing_rows(report))
    _write_csv(folder / SEATS, [{"seat": seat, **_ends("first_places", share)}
                                for seat, share in enumerate(report.seats)])  # fmt: skip
    (folder / REPORT).write_text(json.dumps(as_json(report), indent=1) + "\n", encoding="utf-8")
    plot(report).savefig(folder / PLOT, dpi=120)


def as_json(report: Report) -> dict[str, Any]:
    """Everything as JSON has it; an interval is a mean and its two ends, and what is not finite is null."""
    results = report.results
    return {
        "games": len(results.deal),
        "deals": results.num_deals,
        "players": results.players,
        "ended_by_rules": _rounded(results.ended_by_rules.mean),
        "agents": _agent_rows(report),
        "pairings": _pairing_rows(report),
        "seats": [{"seat": seat, **_ends("first_places", share)} for seat, share in enumerate(report.seats)],
    }


def _agent_rows(report: Report) -> list[dict[str, Any]]:
    rows = []
    for agent in report.order:
        rating = report.ratings[agent]
        rows.append(
            {
                "agent": report.results.names[agent],
                "rating": _rounded(rating.mu),
                "rating_low": _rounded(rating.low),
                "rating_high": _rounded(rating.high),
                **_ends("first_places", report.first_places[agent]),
                **_ends("standing", report.standing[agent]),
                **_ends("margin", report.margin[agent]),
            }
        )
    return rows


def _pairing_rows(report: Report) -> list[dict[str, Any]]:
    names = report.results.names
    return [
        {"agent": names[agent], "other": names[other], **_ends("before", report.pairings[agent][other]),
         "more_deals": _rounded(report.more_deals[agent][other])}
        for agent, other in itertools.permutations(report.order, 2)
    ]  # fmt: skip


def _ends(name: str, estimate: Estimate) -> dict[str, float | None]:
    """A column for the mean and each end of an interval."""
    ends = {"": estimate.mean, "_low": estimate.low, "_high": estimate.high}
    return {name + end: _rounded(value) for end, value in ends.items()}


def _rounded(value: float) -> float | None:
    return round(value, 4) if math.isfinite(value) else None


def _write_csv(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


# ------------------------------------------------------------------------------------------------- plots


def plot(report: Report) -> Figure:
    """Ratings, first places, pairings and seats side by side."""
    names = [report.results.names[agent] for agent in report.order]
    figure = Figure(figsize=(14, 3 + 0.35 * len(names)), layout="constrained")
    left, middle, right, last = figure.subplots(1, 4)
    _plot_ratings(left, report, names)
    _plot_shares(middle, [report.first_places[agent] for agent in report.order], names, report, "first places")
    _plot_pairings(right, report, names)
    _plot_shares(last, report.seats, [f"seat {seat}" for seat in range(report.results.players)], report, "by seat")
    return figure


def _plot_ratings(axes: Any, report: Report, names: Sequence[str]) -> None:
    ratings = [report.ratings[agent] for agent in report.order]
    reach = [[max(0.0, one.mu - one.low) for one in ratings], [max(0.0, one.high - one.mu) for one in ratings]]
    axes.errorbar([one.mu for one in ratings], range(len(names)), xerr=reach, fmt="o")
    _label_rows(axes, names, "OpenSkill rating")


def _plot_shares(axes: Any, shares: Sequence[Estimate], names: Sequence[str], report: Report, title: str) -> None:
    reach = [share.half_width if math.isfinite(share.half_width) else 0.0 for share in shares]
    axes.errorbar([share.mean for share in shares], range(len(names)), xerr=reach, fmt="o")
    axes.axvline(1 / report.results.players, color="grey", linewidth=1)
    _label_rows(axes, names, title)


def _label_rows(axes: Any, names: Sequence[str], title: str) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_title(title)


def _plot_pairings(axes: Any, report: Report, names: Sequence[str]) -> None:
    shares = [[report.pairings[agent][other].mean if agent != other else math.nan for other in report.order]
              for agent in report.order]  # fmt: skip
    axes.imshow(shares, vmin=0, vmax=1, cmap="RdYlGn", aspect="auto")
    for row, column in itertools.permutations(range(len(names)), 2):
        axes.text(column, row, f"{shares[row][column]:.2f}", ha="center", va="center")
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right")
    axes.set_yticks(range(len(names)), names)
    axes.set_title("stands before")
