"""Scoville's field and the walks on it, against a lattice of half plots that the tests lay out themselves.

In half plots east and south of the field's north-west corner, plots lie at odd/odd points, corners at even/even,
vertical notches at even/odd and horizontal ones at odd/even: a step goes one point to the corner, one on from there.
"""

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pepperenvs.games.scoville import geometry, tables
from pepperenvs.games.scoville.geometry import BESIDE, BEYOND, HALVES, LEADS_TO, NOWHERE, NUM_NOTCHES, SIDE, STEP_NAMES
from pepperenvs.games.scoville.state import HARVESTING
from pepperenvs.games.scoville.tables import COLOURS, DOUBLE_BACK, EXTRA_STEP, TILES
from tests.games import Table
from tests.games.test_scoville import NOTCH, PLOT, at, of, place, tiles

pytestmark = pytest.mark.nojit

COLUMNS, LETTERS = "abcdefghij", {"n": (0, -1), "s": (0, 1), "e": (1, 0), "w": (-1, 0)}
OPPOSITE = {"n": "s", "s": "n", "e": "w", "w": "e"}
Point = tuple[int, int]


def moved(point: Point, letter: str) -> Point:
    return point[0] + LETTERS[letter][0], point[1] + LETTERS[letter][1]


def is_on_grid(point: Point) -> bool:
    return 0 <= point[0] <= 20 and 0 <= point[1] <= 14


def point_of(notch: str) -> Point:
    """Where a notch lies: "v5-4" on line 5 beside row 4, "h3-c" on line 3 beside column c."""
    line, _, beside = notch[1:].partition("-")
    if notch[0] == "v":
        return 2 * int(line), 2 * int(beside) - 1
    return 2 * COLUMNS.index(beside) + 1, 2 * int(line)


def plot_at(point: Point) -> int:
    if not (0 < point[0] < 20 and 0 < point[1] < 14):
        return NOWHERE
    return PLOT[f"{COLUMNS[point[0] // 2]}{point[1] // 2 + 1}"]


POINTS = {notch: point_of(notch) for notch in NOTCH}
AT = {point: notch for notch, point in POINTS.items()}


def end_of(notch: str, step: str) -> str | None:
    """The notch that a step leads to."""
    corner = moved(POINTS[notch], step[0])
    if corner[0] % 2 or corner[1] % 2:
        return None
    return AT.get(moved(corner, step[1]))


def test_how_many_notches_plots_and_corners_there_are() -> None:
    touched = Counter(np.sum(BESIDE != NOWHERE, axis=1).tolist())
    assert touched == {2: 123, 1: 34} and NUM_NOTCHES == len(POINTS) == len(AT) == 157
    assert geometry.NUM_CORNERS == 88 and geometry.NUM_PLOTS == len(PLOT) == 70
    corners = {moved(point, letter) for point in AT for letter in LETTERS}
    assert len([point for point in corners if point[0] % 2 == point[1] % 2 == 0 and is_on_grid(point)]) == 88


def test_six_first_steps_lead_from_the_star() -> None:
    assert NOTCH["v5-4"] == geometry.STAR
    reached = [geometry.notch_name(notch) for notch in LEADS_TO[geometry.STAR] if notch != NOWHERE]
    assert reached == ["v5-3", "h3-f", "h3-e", "v5-5", "h4-f", "h4-e"]
    assert [geometry.plot_name(plot) for plot in BESIDE[geometry.STAR]] == ["e4", "f4"]
    assert [geometry.plot_name(plot) for plot in geometry.FIRST_PLOTS] == ["e4", "f4"]


def test_every_step_leads_where_its_letters_say() -> None:
    for notch, index in NOTCH.items():
        ends = [end_of(notch, step) for step in STEP_NAMES]
        assert LEADS_TO[index].tolist() == [NOWHERE if end is None else NOTCH[end] for end in ends], notch


def test_notches_and_plots_lie_beside_each_other() -> None:
    for notch, index in NOTCH.items():
        point = POINTS[notch]
        assert HALVES[index].tolist() == list(point)
        letters = "we" if notch[0] == "v" else "ns"
        assert BESIDE[index].tolist() == [plot_at(moved(point, letter)) for letter in letters]
    for plot, index in PLOT.items():
        centre = 2 * COLUMNS.index(plot[0]) + 1, 2 * int(plot[1]) - 1
        for direction, letter in enumerate(geometry.COMPASS):
            side = moved(centre, letter)
            assert geometry.notch_name(SIDE[index, direction]) == AT[side]
            assert BEYOND[index, direction] == plot_at(moved(side, letter))


def test_how_many_steps_there_are() -> None:
    """A corner at which d notches meet lets one go from each of them to each other one."""
    inside, edge, outermost = 9 * 6, 2 * 9 + 2 * 6, 4
    assert (LEADS_TO != NOWHERE).sum() == inside * 4 * 3 + edge * 3 * 2 + outermost * 2 * 1
    ways = np.sum(LEADS_TO != NOWHERE, axis=1)
    assert ways.max() == 6 and ways.min() == 3, "nobody is ever without a way"


notches = st.sampled_from(sorted(NOTCH))
steps = st.sampled_from(STEP_NAMES)


@given(notch=notches, step=steps)
def test_every_step_can_be_walked_backwards(notch: str, step: str) -> None:
    """Back through the corner that was left, the opposite way: after "ne" that is "ws"."""
    end = LEADS_TO[NOTCH[notch], STEP_NAMES.index(step)]
    if end != NOWHERE:
        back = OPPOSITE[step[1]] + OPPOSITE[step[0]]
        assert LEADS_TO[end, STEP_NAMES.index(back)] == NOTCH[notch]


@given(notch=notches)
def test_no_two_steps_lead_to_the_same_notch_and_none_stays(notch: str) -> None:
    ends = [end for end in LEADS_TO[NOTCH[notch]].tolist() if end != NOWHERE]
    assert len(set(ends)) == len(ends) and NOTCH[notch] not in ends


@given(notch=notches, first=steps, second=steps)
def test_steps_ahead_never_return_to_the_notch_just_left(notch: str, first: str, second: str) -> None:
    middle = LEADS_TO[NOTCH[notch], STEP_NAMES.index(first)]
    if middle == NOWHERE:
        return
    end = LEADS_TO[middle, STEP_NAMES.index(second)]
    if second[0] == first[1]:
        assert end != NOTCH[notch]
    elif second[0] == OPPOSITE[first[1]] and second[1] == OPPOSITE[first[0]]:
        assert end == NOTCH[notch], "stepping back re-enters it"


NEAR_THE_STAR = [notch for notch, (x, y) in POINTS.items() if abs(x - 10) < 4 and abs(y - 7) < 4]


def position(seed: int) -> Table:
    """The last of 2 to 6 seats is to harvest, somewhere in some field, with some tiles; often near an occupied star."""
    random = Random(seed)
    num_players = random.randint(2, 6)
    where = random.sample(random.choice([NEAR_THE_STAR, list(NOTCH)]), num_players)
    if "v5-4" not in where and random.random() < 0.5:
        where[0] = "v5-4"
    share = random.random()
    field = {plot: random.choice(COLOURS) for plot in PLOT if random.random() < share}
    held = [tile for tile in TILES if random.random() < 0.6]
    return place(HARVESTING, *[""] * num_players, farmers=dict(enumerate(where)), field=field,
                 tiles=[*[""] * (num_players - 1), " ".join(held)])  # fmt: skip


positions = st.integers(0, 2**32 - 1).map(position)


class Walk:
    """What the rules say of the last seat's walk, kept beside the kernels' own account."""

    def __init__(self, built: Table) -> None:
        self.built, self.seat = built, int(built.state.num_seats) - 1
        self.path, self.heading = [at(built, self.seat)], ""
        self.others = {at(built, seat) for seat in range(self.seat)}
        self.field = built.state.plot.copy()
        self.tiles, self.peppers = set(tiles(built, self.seat)), Counter[str]()

    def legal(self) -> list[str]:
        """The steps that section 3 allows, in the order of the actions."""
        made = len(self.path) - 1
        if made > 3 or (made == 3 and "extra_step" not in self.tiles):
            return []
        corners = set(LETTERS) if not made else {self.heading}
        if made and "double_back" in self.tiles:
            corners.add(OPPOSITE[self.heading])
        ends = {step: end_of(self.path[-1], step) for step in STEP_NAMES if step[0] in corners}
        return [step for step, end in ends.items() if end is not None and end not in self.others]

    def step(self, step: str) -> None:
        if self.heading and step[0] != self.heading:
            self.tiles.remove("double_back")
        if len(self.path) == 4:
            self.tiles.remove("extra_step")
        self.heading = step[1]
        end = end_of(self.path[-1], step)
        assert end is not None
        self.path.append(end)
        west, east = (self.field[plot] if plot != NOWHERE else 0 for plot in BESIDE[NOTCH[end]])
        if west and east and (found := int(tables.YIELD[west - 1, east - 1])):
            self.peppers[COLOURS[tables.YIELD_COLOUR[found]]] += int(tables.YIELD_COUNT[found])

    def check(self) -> None:
        state, seat = self.built.state, self.seat
        assert at(self.built, seat) == self.path[-1] and set(tiles(self.built, seat)) == self.tiles
        assert {colour: int(held) for colour, held in zip(COLOURS, state.peppers[seat], strict=True) if held} == (
            self.peppers
        )


@given(built=positions, data=st.data())
@settings(max_examples=100, deadline=None)
def test_a_walk_keeps_to_the_rules(built: Table, data: st.DataObject) -> None:
    """It stays on the grid, meets no farmer, turns back with the tile only, and takes what lies beside its notches."""
    walk = Walk(built)
    if not walk.legal():
        assert not (built.to_move == walk.seat and of("step", built)), "it is skipped"
        return
    while allowed := walk.legal():
        made = len(walk.path) - 1
        assert built.to_move == walk.seat and of("step", built) == allowed
        assert ("pass" in built.legal) == (made > 0) and built.state.steps == made
        choice = data.draw(st.sampled_from([*allowed, *(["pass"] if made else [])]))
        if choice == "pass":
            built.play("pass")
            break
        walk.step(choice)
        built.play(f"step {choice}")
        walk.check()
    assert not (built.to_move == walk.seat and of("step", built)), "the turn is over"
    walk.check()


@given(built=positions, data=st.data())
@settings(max_examples=30, deadline=None)
def test_double_back_re_enters_the_notch_just_left(built: Table, data: st.DataObject) -> None:
    seat = int(built.state.num_seats) - 1
    built.state.tiles[seat, [EXTRA_STEP, DOUBLE_BACK]] = 0, 1
    start = at(built, seat)
    if built.to_move != seat or not of("step", built):
        return
    step = data.draw(st.sampled_from(of("step", built)))
    built.play(f"step {step}")
    back = OPPOSITE[step[1]] + OPPOSITE[step[0]]
    built.play(f"step {back}")
    assert at(built, seat) == start and not built.state.tiles[seat, DOUBLE_BACK]
