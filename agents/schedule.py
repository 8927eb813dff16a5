"""Who plays whom, where and on which deal: fixed before the first move of a tournament.

Every line-up plays the same deals (duplicate play), each deal in the same set of seatings, so that neither the cards
nor the seats favour anybody.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

MOST_SEATINGS = 24  # up to here, those of four different players, all of them are played if nothing else is asked for
ORDERS = ("all", "balanced", "rotations")

Seating = tuple[int, ...]  # by seat, the place in the line-up of whoever sits there


@dataclass(frozen=True)
class Schedule:
    """All games of a tournament in their order: deal by deal, line-up by line-up, seating by seating.

    deals       number of deals
    line_ups    the agents of each line-up, by their numbers, one a player
    seatings    what every line-up plays on every deal
    """

    deals: int
    line_ups: tuple[tuple[int, ...], ...]
    seatings: tuple[Seating, ...]

    @property
    def seats_of_deal(self) -> list[tuple[int, ...]]:
        """The games of a deal: the number of the agent in each seat."""
        return [seats for line_up in self.line_ups for seats in _seated(line_up, self.seatings)]

    @property
    def games_a_deal(self) -> int:
        return len(self.seats_of_deal)

    def __len__(self) -> int:
        return self.deals * self.games_a_deal


def make_schedule(num_agents: int, players: int, deals: int, order: str = "") -> Schedule:
    """The schedule of all line-ups of so many agents.

    players    seats of every game, at least two
    order      "all" permutations of the seats; "balanced", see `balanced_seatings`; "rotations", in which everybody has
               the same left neighbour throughout. "": all if they are MOST_SEATINGS at most, else balanced

    Raises ValueError for numbers out of range or an unknown order.
    """
    if players < 2:
        raise ValueError("a tournament is of games with two players or more")
    if num_agents < 2 or deals < 1:
        raise ValueError(f"a tournament needs two agents and a deal, not {num_agents} and {deals}")
    return Schedule(deals, tuple(line_ups(num_agents, players)), tuple(seatings(players, order)))


def line_ups(num_agents: int, players: int) -> Iterator[tuple[int, ...]]:
    """All sets of agents that can meet; where they are fewer than the seats, with copies, but never of one alone."""
    if num_agents >= players:
        yield from itertools.combinations(range(num_agents), players)
    else:
        for line_up in itertools.combinations_with_replacement(range(num_agents), players):
            if len(set(line_up)) > 1:
                yield line_up


def seatings(players: int, order: str = "") -> list[Seating]:
    """The seatings of an order, see `make_schedule`."""
    number = 1
    for count in range(2, players + 1):
        number *= count
    chosen = order or ("all" if number <= MOST_SEATINGS else "balanced")
    if chosen == "all":
        return list(itertools.permutations(range(players)))
    if chosen == "balanced":
        return balanced_seatings(players)
    if chosen == "rotations":
        return _moved_on(tuple(range(players)))
    raise ValueError(f"there is no order {order!r} of seats; there are {', '.join(ORDERS)}")


def balanced_seatings(players: int) -> list[Seating]:
    """Few seatings in which everybody sits equally often in each seat, and equally often after each other one.

    The seat after the last is the first. They are some orders in which the steps from one seat's player to the next
    one's, modulo n, are 1 … n - 1 equally often, with all players moved on by 0 … n - 1. There are 2, 6, 24, 20 and 30
    for 2 … 6 players.
    """
    count = 1
    while True:
        steps, rest = divmod(count * players, players - 1)
        chosen = None if rest else _orders(players, count, [steps] * (players - 1))
        if chosen is not None:
            return [seating for order in chosen for seating in _moved_on(order)]
        count += 1  # all orders together are balanced


def _orders(players: int, count: int, steps_left: list[int], first: int = 0) -> list[Seating] | None:
    """So many different orders, from the `first` in lexical order on, that use up each step; None if there are none."""
    if count == 0:
        return [] if not any(steps_left) else None
    candidates = list(itertools.permutations(range(1, players)))
    for number in range(first, len(candidates)):
        order = (0, *candidates[number])
        left = steps_left.copy()
        for here, there in zip(order, order[1:] + order[:1], strict=True):
            left[(there - here) % players - 1] -= 1
        if min(left) >= 0 and (rest := _orders(players, count - 1, left, number + 1)) is not None:
            return [order, *rest]
    return None


def _moved_on(order: Seating) -> list[Seating]:
    """An order in which everybody takes the part of the player 0, 1, … after it: all play every part once."""
    players = len(order)
    return [tuple((place + shift) % players for place in order) for shift in range(players)]


def _seated(line_up: tuple[int, ...], seatings: tuple[Seating, ...]) -> list[tuple[int, ...]]:
    """The agents by seat in each seating; if copies make all of them repeat equally often, each is there once."""
    times = Counter(tuple(line_up[place] for place in seating) for seating in seatings)
    return list(times) if len(set(times.values())) == 1 else list(times.elements())
