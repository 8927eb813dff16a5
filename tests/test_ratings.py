"""Schedules and ratings: seats and neighbours are balanced, and the statistics agree with known answers."""

import math
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from openskill.models import PlackettLuce

from agents.match import CONFIDENCE, estimate
from agents.ratings import Results, openskill_ratings
from agents.report import make_report
from agents.schedule import Schedule, balanced_seatings, line_ups, make_schedule, seatings


def results(
    rows: list[tuple[int, tuple[int, ...], tuple[int, ...]]],
    names: tuple[str, ...] = ("a", "b", "c"),
    score: list[tuple[int, ...]] | None = None,
) -> Results:
    """Results of games: deal, agents by seat, standings by seat."""
    return Results(
        names,
        np.array([row[0] for row in rows]),
        np.array([row[1] for row in rows]),
        np.array(score if score else [[-place for place in row[2]] for row in rows]),
        np.array([row[2] for row in rows]),
        np.zeros(len(rows), np.bool_),
    )


# ------------------------------------------------------------------------------------------------ schedules


@pytest.mark.parametrize(("players", "number"), [(2, 2), (3, 6), (4, 24), (5, 20), (6, 30)])
def test_balanced_seatings(players: int, number: int) -> None:
    chosen = balanced_seatings(players)
    assert len(set(chosen)) == len(chosen) == number
    seats = Counter((seat, place) for one in chosen for seat, place in enumerate(one))
    neighbours = Counter(pair for one in chosen for pair in zip(one, one[1:] + one[:1], strict=True))
    assert set(seats.values()) == {number // players} and len(seats) == players**2
    assert set(neighbours.values()) == {number // (players - 1)} and len(neighbours) == players * (players - 1)


def test_orders_of_seats() -> None:
    assert [len(seatings(players)) for players in (2, 3, 4, 5, 6)] == [2, 6, 24, 20, 30]
    assert len(seatings(5, "all")) == 120
    assert seatings(3, "rotations") == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    with pytest.raises(ValueError, match="no order 'any'"):
        seatings(3, "any")


def test_line_ups() -> None:
    assert list(line_ups(3, 2)) == [(0, 1), (0, 2), (1, 2)]
    assert list(line_ups(2, 3)) == [(0, 0, 1), (0, 1, 1)]  # copies, but never of one alone


def test_copies_at_a_table_are_seated_equally() -> None:
    schedule = make_schedule(2, 3, 5)
    assert schedule.seats_of_deal == [(0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)]
    assert len(schedule) == 30
    for order in ("all", "balanced", "rotations"):
        for seats in range(2, 7):
            games = make_schedule(2, seats, 1, order).seats_of_deal
            held = Counter((seat, agent) for one in games for seat, agent in enumerate(one))
            assert len({held[seat, 0] for seat in range(seats)}) == 1, (order, seats)


def test_a_schedule_needs_agents_deals_and_players() -> None:
    for numbers, words in (((1, 2, 1), "two agents"), ((2, 2, 0), "a deal"), ((2, 1, 1), "two players")):
        with pytest.raises(ValueError, match=words):
            make_schedule(*numbers)
    assert Schedule(2, ((0, 1),), ((0, 1), (1, 0))).games_a_deal == 2


# ------------------------------------------------------------------------------------------------- figures


def test_figures_of_a_built_table() -> None:
    table = results(
        [(0, (0, 1, 2), (0, 0, 2)), (0, (2, 0, 1), (0, 1, 2)), (1, (0, 1, 2), (0, 1, 2)), (1, (2, 0, 1), (0, 0, 2))],
        score=[(9, 9, 0), (7, 5, 3), (6, 3, 0), (4, 4, 1)],
    )
    # a: 1/2 and 0 on the first deal, 1 and 1/2 on the second
    assert table.first_places(0).mean == pytest.approx((0.25 + 0.75) / 2)
    assert table.first_places(0).half_width == pytest.approx(CONFIDENCE * np.std([0.25, 0.75], ddof=1) / math.sqrt(2))
    assert table.mean_standing(0).mean == pytest.approx((0.5 + 1 + 0 + 0.5) / 4)
    assert table.margin(0).mean == pytest.approx((4.5 + 0 + 4.5 + 1.5) / 4)
    assert table.points(2).mean == pytest.approx((0 + 7 + 0 + 4) / 4)
    assert table.pairing(0, 1).mean == pytest.approx((0.5 + 1 + 1 + 1) / 4)
    assert table.pairing(1, 0).mean == pytest.approx(1 - table.pairing(0, 1).mean)
    assert table.seat_share(0).mean == pytest.approx((0.5 + 1 + 1 + 0.5) / 4)
    assert sum(table.seat_share(seat).mean for seat in range(3)) == pytest.approx(1)
    assert table.num_deals == 2 and table.ended_by_rules.mean == 1


def test_agents_that_never_meet_have_no_pairing() -> None:
    table = results([(0, (0, 1), (0, 1)), (0, (1, 2), (0, 1))])
    assert math.isnan(table.pairing(0, 2).mean)
    assert table.pairing(0, 1).mean == 1


def test_copies_at_a_table_meet_twice() -> None:
    table = results([(0, (0, 0, 1), (0, 2, 1))])
    assert table.pairing(0, 1).mean == 0.5
    assert table.first_places(0).mean == 0.5 and table.first_places(1).mean == 0


# --------------------------------------------------------------------------------------------- intervals


def tournament(random: np.random.Generator, deals: int, strength: float = 0.0, luck: float = 1.5) -> Results:
    """Two agents, of which the first is so much stronger; all four games of a deal share the luck of its cards."""
    cards = random.normal(size=(deals, 1)) * luck
    ahead = strength + cards + random.normal(size=(deals, 4)) > 0  # of the first agent, in all games of the deal
    rows = [(deal, (0, 1), (0, 1) if won else (1, 0)) for deal in range(deals) for won in ahead[deal]]
    return results(rows, ("a", "b"))


def share(condition: Callable[[Results], bool], tournaments: int, deals: int, strength: float = 0.0) -> float:
    random = np.random.default_rng(7)
    return sum(condition(tournament(random, deals, strength)) for _ in range(tournaments)) / tournaments


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    def holds(table: Results) -> bool:
        pairing = table.pairing(0, 1)
        return pairing.low <= 0.5 <= pairing.high

    def would_hold_by_games(table: Results) -> bool:
        """As if the games of a deal were independent."""
        pairing = estimate((table.standing[:, 0] == 0).astype(np.float64))
        return pairing.low <= 0.5 <= pairing.high

    assert 0.92 <= share(holds, 1000, 100) <= 0.98
    assert share(would_hold_by_games, 1000, 100) < 0.85


def test_so_many_more_deals_tell_two_agents_apart() -> None:
    truth = tournament(np.random.default_rng(0), 40_000, 0.3)
    by_deal: NDArray[np.float64] = (truth.standing[:, 0] == 0).reshape(-1, 4).mean(axis=1)
    needed = (2.8 * by_deal.std() / (by_deal.mean() - 0.5)) ** 2
    told_apart = share(lambda table: table.more_deals(0, 1) == 0, 300, round(needed), 0.3)
    assert 0.72 <= told_apart <= 0.88


def test_more_deals_by_hand() -> None:
    table = results([(deal, (0, 1), (0, 1) if deal < 11 else (1, 0)) for deal in range(20)])
    deviation = math.sqrt(11 / 20 * 9 / 20 * 20 / 19)
    assert table.more_deals(0, 1) == math.ceil((2.8 * deviation / 0.05) ** 2) - 20


def test_more_deals_at_the_ends() -> None:
    clear = results([(deal, (0, 1), (0, 1)) for deal in range(5)])
    assert clear.more_deals(0, 1) == clear.more_deals(1, 0) == 0
    equal = results([(0, (0, 1), (0, 1)), (1, (0, 1), (1, 0))])
    assert equal.more_deals(0, 1) == math.inf


# ------------------------------------------------------------------------------------------------- ratings


def test_one_game_is_rated_as_the_library_does() -> None:
    model = PlackettLuce()
    seats = (2, 0, 1)
    rated = model.rate([[model.rating()] for _ in seats], ranks=[1, 0, 1])
    ratings = openskill_ratings(results([(0, seats, (1, 0, 1))]), 0)
    assert [ratings[agent].mu for agent in seats] == pytest.approx([team[0].mu for team in rated])


def test_ratings_follow_strength_and_hold_their_intervals() -> None:
    random = np.random.default_rng(5)
    rows = []
    for deal in range(150):
        for seats in make_schedule(3, 3, 1).seats_of_deal:
            strength = random.normal(size=3) + [0.8 * (2 - agent) for agent in seats]
            rows.append((deal, seats, tuple(int((strength > one).sum()) for one in strength)))
    ratings = openskill_ratings(results(rows), 40)
    assert ratings[0].low > ratings[1].high and ratings[1].low > ratings[2].high
    assert all(one.low < one.mu < one.high for one in ratings)
    assert openskill_ratings(results(rows), 40) == ratings


def test_equal_agents_have_equal_ratings() -> None:
    table = tournament(np.random.default_rng(3), 300, 0.0, 0.0)
    first, second = openskill_ratings(table, 40)
    assert first.low < second.high and second.low < first.high


def test_copies_are_rated_together() -> None:
    both = openskill_ratings(results([(0, (0, 0, 1), (0, 1, 2)), (1, (0, 1, 0), (0, 2, 1))], ("a", "b")), 0)
    assert both[0].mu > 25 > both[1].mu


def test_a_report_sorts_by_rating() -> None:
    table = results([(deal, (0, 1, 2), (2, 0, 1)) for deal in range(4)])
    report = make_report(table, 5)
    assert report.order == [1, 2, 0]
    assert report.games_a_deal == 1 and [share.mean for share in report.seats] == [0, 1, 0]
