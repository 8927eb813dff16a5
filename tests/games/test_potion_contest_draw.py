"""Text and picture of The Potion Contest: all that lies open is in them, colours aside, and nothing hidden."""

import itertools
import random
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pepperenvs.core import svg as pen
from pepperenvs.core.jit import PURE_PYTHON
from pepperenvs.core.state import OVER
from pepperenvs.games.potion_contest import actions, draw, tables
from pepperenvs.games.potion_contest import state as fields
from pepperenvs.games.potion_contest import text as words
from pepperenvs.games.potion_contest.actions import OWN, PASS
from pepperenvs.games.potion_contest.tables import CELL_NAMES, INGREDIENTS, NUM_CODES, NUM_ORDERS, TIEBREAK
from tests.conformance.test_render import WIDTH, boxes
from tests.games import Table
from tests.games.test_potion_contest import (
    ACTIONS,
    LINE_2,
    LONG,
    NO_LINE,
    NO_LINE_2,
    NOT_LONG,
    place,
    random_board,
    tied,
    walked,
)
from tests.twins import potion_contest as twin

pytestmark = pytest.mark.nojit

VIEWS = (None, 0, 1)


def second_turn(recall: bool = False, level: int = 2) -> NDArray[Any]:
    """Three seats in the second turn: seat 0 has chosen, seat 1 is asked, and has completed the first recipe."""
    first = (NO_LINE_2, NO_LINE_2, "") if level == 2 else ("", "", "")
    built = place(first, "rotate push trade", level, recall=recall, spent=["", "trade", "push rotate"])
    built.play("pass", "rotate a1 left", "own push row 3 right" if level == 1 else "pass")
    built.play("push col b up")
    return built.states


def tiebreak(**options: Any) -> NDArray[Any]:
    """Level 1: the first two seats play on for a recipe of five, the first of them has chosen."""
    built = tied([LONG, NOT_LONG, NO_LINE], "push push push rotate", **options)
    built.play("push row 3 left")
    return built.states


def ended(states: NDArray[Any], truncated: int = 0, standing: tuple[int, ...] = (0, 2, 1)) -> NDArray[Any]:
    """The same after the end."""
    other = states.copy()
    state = other[0]
    state.choice[:] = fields.NOTHING
    state.to_move, state.truncated, state.standing[: len(standing)] = OVER, truncated, standing
    return other


def changed(states: NDArray[Any], field: str, *where: int, to: Any = None, by: int = 1) -> NDArray[Any]:
    """The same with one number changed."""
    other = states.copy()
    spot = (0, *where)
    other[field][spot] = other[field][spot] + by if to is None else to
    return other


def grey(svg: str) -> str:
    """A picture as somebody sees it who tells no colours apart."""
    return re.sub("#[0-9a-f]{6}", "#777777", svg)


def shown(states: NDArray[Any], seat: int | None) -> tuple[str, str]:
    return words.text(states[0], seat), grey(draw.svg(states[0], seat))


def are_told_apart(*all_states: NDArray[Any], views: tuple[int | None, ...] = VIEWS) -> None:
    """No two of these have the same text, or the same picture, for any who looks."""
    for seat in views:
        for parts in zip(*(shown(states, seat) for states in all_states), strict=True):
            assert len(set(parts)) == len(all_states), seat


def look_the_same(one: NDArray[Any], other: NDArray[Any], seats: tuple[int | None, ...]) -> None:
    for seat in seats:
        assert words.text(one[0], seat) == words.text(other[0], seat)
        assert draw.svg(one[0], seat) == draw.svg(other[0], seat)


# ------------------------------------------------------------------------------------- what lies open is shown


@pytest.mark.parametrize("cell", ["a1", "c2", "f3"])
def test_each_ingredient_with_each_set_of_connectors_is_told_apart(cell: str) -> None:
    states, looks = place(["", ""], level=3).states, {}
    for code in range(1, NUM_CODES):
        tile = int(tables.CODE_INGREDIENT[code]), tuple(tables.CONNECTORS[code].tolist())
        looks.setdefault(tile, []).append(shown(changed(states, "board", 1, CELL_NAMES.index(cell), to=code), 0))
    assert len(looks) == len(INGREDIENTS) * (2 + 4 + 4)
    for parts in (0, 1):
        assert len({look[0][parts] for look in looks.values()}) == len(looks)
    assert all(len(set(look)) == 1 for look in looks.values())


def test_each_cell_of_each_board_is_shown() -> None:
    states = place(["", "", ""], level=3).states
    for cell in range(tables.NUM_CELLS):
        are_told_apart(states, *(changed(states, "board", seat, cell, to=70) for seat in range(3)), views=(0,))


def test_each_ingredient_is_told_apart_at_each_place_of_the_recipes() -> None:
    states, kinds = place(["", ""], level=3).states, range(len(INGREDIENTS))
    looks = [states]
    for row in range(tables.NUM_RECIPES):
        for spot in range(tables.RECIPE_LENGTHS[3, row]):
            now = int(states["recipe"][0, row, spot])
            looks += [changed(states, "recipe", row, spot, to=kind) for kind in kinds if kind != now]
    are_told_apart(*looks, views=(0,))
    states, kinds = tiebreak(), range(2, len(INGREDIENTS))
    looks = [states]
    for spot in range(tables.TIEBREAK_LENGTH):
        now = int(states["recipe"][0, TIEBREAK, spot])
        looks += [changed(states, "recipe", TIEBREAK, spot, to=kind) for kind in kinds if kind != now]
    are_told_apart(*looks)


def test_each_visible_order_is_told_apart_in_its_order() -> None:
    states = second_turn()
    orders = itertools.product(range(NUM_ORDERS), repeat=fields.VISIBLE)
    are_told_apart(*(changed(states, "visible", slice(None), to=each) for each in orders), views=(0,))


@pytest.mark.parametrize("field", ["turn", "max_turns", "pile_len"])
def test_numbers_are_told_apart(field: str) -> None:
    states = second_turn()
    are_told_apart(states, changed(states, field, by=-1), changed(states, field, by=-2))


def test_levels_are_told_apart() -> None:
    are_told_apart(*(place(["", ""], "push trade rotate", level).states for level in (1, 2, 3)))


def test_completed_recipes_are_told_apart() -> None:
    """Each of each seat; and of one that is done, whether it still lies on the board."""
    states = second_turn()
    assert states["done"][0, :3, 0].tolist() == [0, 1, 0]
    more = [changed(states, "done", seat, row) for seat in range(3) for row in range(3) if (seat, row) != (1, 0)]
    are_told_apart(states, *more, changed(states, "done", 1, 0, to=0))
    are_told_apart(states, *(changed(states, "score", seat) for seat in range(3)))


def test_personal_orders_are_told_apart() -> None:
    states = second_turn()
    used = [changed(states, "own", seat, order) for seat in range(3) for order in range(NUM_ORDERS)]
    looks = [one if one["own"].max() == 1 else changed(one, "own", slice(None), to=one["own"][0] % 2) for one in used]
    counts = [changed(states, field, seat) for field in ("orders_left", "spent") for seat in range(3)]
    are_told_apart(states, *looks, *counts)


def test_level_1_has_no_personal_orders() -> None:
    states = place(["", ""]).states
    for seat in VIEWS:
        assert "orders     " not in words.text(states[0], seat) and "spent" not in draw.svg(states[0], seat)
        assert "personal" not in words.news(states[0])


def test_each_last_move_is_told_apart() -> None:
    states = place([""], level=3).states
    are_told_apart(*(changed(states, "last_choice", 0, to=one) for one in range(fields.NOTHING, PASS + 1)), views=(0,))
    states = second_turn()
    are_told_apart(states, *(changed(states, "last_choice", seat, to=3) for seat in range(3)))


def test_who_has_chosen_and_who_is_asked_are_told_apart() -> None:
    built = place(["", "", ""])
    steps = [built.states.copy()]
    for _ in range(2):
        built.play("pass")
        steps.append(built.states.copy())
    are_told_apart(*steps, views=(0, 1, 2))
    status = [[words.status(one[0], seat) for seat in range(3)] for one in steps]
    assert status == [
        ["", "still to choose", "still to choose"],
        ["has chosen", "", "still to choose"],
        ["has chosen", "has chosen", ""],
    ]
    for one, told in zip(steps, status, strict=True):
        for seat in VIEWS:
            found = Counter(re.findall(">(has chosen|still to choose)<", draw.svg(one[0], seat)))
            assert found == Counter(word for word in told if word)


def test_who_plays_in_a_tiebreak_is_told_apart() -> None:
    states = tiebreak()
    looks = [states]
    for playing in ((1, 0, 1), (0, 1, 1), (1, 1, 1)):
        looks.append(changed(states, "playing", slice(3), to=playing))
    are_told_apart(*looks, changed(states, "is_tiebreak", to=0))
    assert [words.status(states[0], seat) for seat in range(3)] == ["has chosen", "", "out of the tie-break"]
    assert ">0, 1<" in draw.svg(states[0], 2)
    assert ">0, 1, 2<" in draw.svg(looks[-1][0], 2)
    for field, seat in (("done", 0), ("done", 1)):
        are_told_apart(states, changed(states, field, seat, TIEBREAK))


def test_before_a_tiebreak_nothing_of_it_is_shown() -> None:
    states = second_turn()
    look_the_same(states, changed(states, "recipe", TIEBREAK, to=4), VIEWS)
    assert "tie-break" not in words.text(states[0]) + draw.svg(states[0])


def test_results_are_told_apart() -> None:
    states = second_turn()
    other, shared = ended(states, standing=(1, 0, 2)), ended(states, standing=(0, 0, 2))
    are_told_apart(states, ended(states), ended(states, 1), other, shared, ended(tiebreak()))


def test_the_end_names_winners_and_places() -> None:
    states = second_turn()
    states["score"][0, :3] = 3, 1, 2
    picture = draw.svg(ended(states)[0])
    assert "The end: player_0 wins with 3 points" in picture
    assert re.findall(">(1st|2nd|3rd)<", picture) == ["1st", "3rd", "2nd"]
    assert "Cut short: player_0 wins" in draw.svg(ended(states, 1)[0])


def test_every_decision_and_end_is_put_in_words() -> None:
    states = place(["", ""], "trade", 2).states
    assert words.news(states[0]) == "player_0 chooses: trade, a personal order or pass"
    assert words.news(changed(states, "orders_left", 0, to=0)[0]) == "player_0 chooses: trade or pass"
    only_that = changed(states, "own", 0, to=[0, 1, 0])
    assert words.news(only_that[0]) == "player_0 chooses: trade or pass", "it is of the same kind"
    assert words.news(ended(states)[0]) == "the game is over"
    assert words.news(ended(states, 1)[0]) == "the game is over (cut short by the limit of turns)"
    alone = ended(place([""], "trade", 2).states)
    assert words.news(alone[0]) == "the game is over: no turns are left"
    won = changed(alone, "score", 0, to=3)
    assert words.news(won[0]) == "the game is over: all recipes in time"
    assert ">The end: all recipes in time<" in draw.svg(won[0]) and ">1st<" not in draw.svg(won[0])


def test_the_text_of_a_position() -> None:
    assert (
        words.text(second_turn(recall=True)[0], 0)
        == """\
The Potion Contest: level 2, turn 2 of at most 60
  player_1 chooses: push, a personal order or pass
orders    now push, next trade, push
pile      9 orders: push x2, trade x3, rotate x4
recipe 1  E-P-M-W
recipe 2  E-F-F-P-W
recipe 3  M-M-F-P-E-W
letters   W dwarf vampire wings, E eye, P potion, M mushroom, F feather
  player_0: 0 of 3 recipes, you, has chosen
       a   b   c   d   e    recipe 1   -
       .               .    recipe 2   -
    1  E  -P---M---W-  W-   recipe 3   -
       |   .   .   .   .    orders     push, trade, rotate; 3 may be used, 0 spent
    2  W-  E-  E-  P-  P-   last turn  pass
       |   .   |   .   |    chosen     push col b up
    3  M-  M-  F   F-  F-
           '   '       '
> player_1: 1 of 3 recipes
       a   b   c   d   e    recipe 1   done (a1 b1 c1 d1)
                       .    recipe 2   -
    1 -E---P---M---W-  W-   recipe 3   -
       .   .   .   .   .    orders     push, rotate; 2 may be used, 1 spent
    2  W-  E-  E-  P-  P-   last turn  rotate a1 left
       |   .   |   .   |
    3  M-  M-  F   F-  F-
           '   '       '
  player_2: 0 of 3 recipes, still to choose
       a   b   c   d   e    recipe 1   -
       .   .   .   .   .    recipe 2   -
    1  W   W-  W-  E   E-   recipe 3   -
       |   .   |   |   .    orders     trade; 1 may be used, 2 spent
    2  E-  P   P-  P-  M    last turn  pass
       |   |   .   |   |
    3  M-  M-  F   F-  F-
           '   '       '"""
    )


def test_the_text_of_a_tiebreak() -> None:
    text = words.text(tiebreak()[0], 2)
    assert "tie-break E-P-M-F-E" in text and "1, turn 2 of at most 60, tie-break" in text
    assert [line for line in text.splitlines() if "player_" in line] == [
        "  player_1 chooses: push or pass",
        "  player_0: 3 of 3 recipes, has chosen",
        "> player_1: 3 of 3 recipes",
        "  player_2: 2 of 3 recipes, you, out of the tie-break",
    ]
    assert text.count("tie-break  -") == 2 and text.count("done (no longer there)") == 6


# ------------------------------------------------------------------------------------------- what is hidden is not


def test_no_choice_of_this_turn_is_shown_to_the_others() -> None:
    """Whatever a seat has chosen; its own view, and the one with all open, tell every choice."""
    states = second_turn()
    choices = [changed(states, "choice", 0, to=choice) for choice in range(PASS + 1)]
    for other in choices:
        look_the_same(states, other, (1, 2))
    are_told_apart(*choices, views=(None, 0))
    two = changed(states, "choice", 1, to=PASS)
    two["to_move"] = 2
    look_the_same(two, changed(changed(two, "choice", 0, to=7), "choice", 1, to=63), (2,))
    assert "chosen     push col b up" in words.text(two[0], 0)
    assert "chose pass" not in draw.svg(two[0], 0) and "chose pass" in draw.svg(two[0], 1)


def test_no_choice_of_this_turn_is_shown_in_a_tiebreak() -> None:
    states = tiebreak()
    look_the_same(states, changed(states, "choice", 0, to=PASS), (1, 2))
    are_told_apart(states, changed(states, "choice", 0, to=PASS), views=(None, 0))


def turned_over(states: NDArray[Any]) -> NDArray[Any]:
    """The same with the pile in another order."""
    other, size = states.copy(), int(states["pile_len"][0])
    other["pile"][0, :size] = states["pile"][0, :size][::-1]
    assert other.tobytes() != states.tobytes()
    return other


@pytest.mark.parametrize("recall", [False, True])
def test_the_order_of_the_pile_and_the_generator_are_hidden(recall: bool) -> None:
    states = second_turn(recall)
    look_the_same(states, turned_over(states), (0, 1, 2))
    are_told_apart(states, turned_over(states), views=(None,))
    look_the_same(states, changed(states, "rng"), VIEWS)


@pytest.mark.parametrize("recall", [False, True])
def test_which_orders_are_in_the_pile_is_shown_only_with_recall(recall: bool) -> None:
    states = second_turn(recall)
    assert states["pile"][0, 0] == tables.ROTATE and states["discards"][0].tolist() == [0, 0, 1]
    other = changed(changed(states, "pile", 0, to=tables.PUSH), "discards", slice(None), to=[0, 0, 2])
    if recall:
        are_told_apart(states, other)
    else:
        look_the_same(states, other, (0, 1, 2))


# ------------------------------------------------------------------------------------------------------- paths


def laid_out(board: NDArray[np.uint8]) -> dict[str, str]:
    """A board as the twin has it."""
    return {name: tables.CODE_NAMES[code] for name, code in zip(CELL_NAMES, board.tolist(), strict=True) if code}


@pytest.mark.parametrize("level", [1, 2, 3])
def test_links_and_stubs_are_what_the_twin_finds_on_random_boards(level: int) -> None:
    chooser = random.Random(level)
    for _ in range(60):
        board = random_board(level, chooser)
        told = laid_out(board)
        links = {frozenset(CELL_NAMES[cell] for cell in pair) for pair in words.links(board.tobytes())}
        assert links == {frozenset(pair) for pair in itertools.combinations(told, 2) if twin.are_connected(told, *pair)}
        for name in told:
            ends = len(words.stubs(board.tobytes(), CELL_NAMES.index(name))) + sum(name in pair for pair in links)
            assert ends == len(twin.CONNECTORS[told[name]])


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_traced_path_spells_its_recipe_and_is_found_if_there_is_one_r4(level: int) -> None:
    """Against the twin, which tries all paths; recipes that a walk on the board spells, or any others."""
    chooser, verdicts = random.Random(level), Counter()
    for number in range(300 if PURE_PYTHON else 1500):
        board, length = random_board(level, chooser), 3 + number % 5
        kinds = walked(board, length, chooser) if number % 4 else None
        if kinds is None:
            kinds = [chooser.randrange(tables.FIRST_INGREDIENT[level], len(INGREDIENTS)) for _ in range(length)]
        told, recipe = laid_out(board), [INGREDIENTS[kind] for kind in kinds]
        path = [CELL_NAMES[cell] for cell in words.spelled(board.tobytes(), tuple(kinds))]
        assert bool(path) == twin.is_complete(told, recipe)
        if path:
            assert [twin.INGREDIENT[told[cell]] for cell in path] == recipe
            pairs = {frozenset(pair) for pair in itertools.combinations(path, 2) if twin.are_connected(told, *pair)}
            assert pairs == {frozenset(pair) for pair in itertools.pairwise(path)} and len(set(path)) == len(path)
        verdicts[bool(path)] += 1
    assert min(verdicts.values()) > 20, verdicts


def wires(state: Any) -> Counter[str]:
    """The wires in a picture that can be seen as such, by the colour of their recipe."""
    return Counter(re.findall(f'fill="none" stroke="({"|".join(draw.RECIPE_FILLS)})"', draw.svg(state)))


def test_a_recipe_is_traced_on_the_boards_of_those_that_have_it_as_long_as_it_lies_there() -> None:
    states = second_turn()
    assert wires(states[0]) == Counter([draw.RECIPE_FILLS[0]])
    assert words.trace(states[0], 1, 0) == (0, 1, 2, 3)
    gone = changed(states, "board", 1, to=states["board"][0, 0])
    assert not wires(gone[0]) and "done (no longer there)" in words.text(gone[0])
    not_yet = place([LINE_2], level=2).states
    assert not wires(not_yet[0]) and "done" not in words.text(not_yet[0]), "not before it is verified"


def all_traced() -> Table:
    """The first board spells all three recipes and that of the tie-break, from the same cell or the next."""
    built = tied([LONG, NOT_LONG, NO_LINE])
    built.play("rotate a1 left", "pass")
    state = built.state
    state.recipe[1, :4], state.recipe[2, :5] = (3, 4, 5, 2), state.recipe[TIEBREAK, :5]
    state.board[0], state.done[0, TIEBREAK] = state.board[1], 1
    for cell, word in (("a1", "T07@1"), ("d2", "T08@3")):
        state.board[0, CELL_NAMES.index(cell)] = tables.CODE_NAMES.index(word)
    return built


def test_several_recipes_are_traced_side_by_side() -> None:
    state = all_traced().state
    assert [len(words.trace(state, 0, row)) for row in words.rows(state)] == [3, 4, 5, 5]
    found = wires(state)
    assert all(found[fill] for fill in draw.RECIPE_FILLS)
    starts = re.findall(f'd="M([0-9.]+ [0-9.]+)L[^"]*" fill="none" stroke="(?:{"|".join(draw.RECIPE_FILLS)})"',
                        draw._board(state, 0, 0, 0))  # fmt: skip
    assert len(set(starts)) == 4


def test_joined_tiles_are_joined_from_middle_to_middle_and_loose_ends_stop_at_the_edge() -> None:
    board = place(["a1=eEW b1=pEW c1=mNS"], "push").state.board[0].tobytes()
    pipes = draw._pipes(board, 100, 0, 0)
    assert "M50 50L150 50" in pipes and "M150 50L250 50" not in pipes
    assert len(re.findall("M", pipes)) == len(words.links(board))
    assert words.stubs(board, 0) == (words.WEST,) and words.stubs(board, 1) == (words.EAST,)
    loose = draw._tile((words.EAST,), 0, 100, 0, 0)
    right = [
        float(x) + float(width) for x, width in re.findall('<rect x="([0-9.]+)" y="[^"]*" width="([0-9.]+)"', loose)
    ]
    assert right[0] == right[1] < 100, "not beyond the tile"


def test_ticks_are_those_of_completed_recipes() -> None:
    tick = re.compile(r'd="M0 7L6 14L17 0"')
    states = second_turn()
    assert len(tick.findall(draw.svg(states[0]))) == 1
    assert len(tick.findall(draw.svg(changed(states, "done", 2, 1)[0]))) == 2
    assert len(tick.findall(draw.svg(tiebreak()[0]))) == 3 + 3 + 2


# ------------------------------------------------------------------------------------------------- the pictures


def test_ingredients_differ_without_colours_and_without_letters() -> None:
    for extent in (24, draw.TOKEN, 0.62 * draw.CELL[3]):
        tokens = [draw._token(kind, 0, 0, extent) for kind in range(len(INGREDIENTS))]
        shapes = {grey(re.sub("<text.*</text>", "", token)) for token in tokens}
        assert len(shapes) == len(INGREDIENTS)
        letters = [re.findall(">([A-Z])</text>", token) for token in tokens]
        assert letters == [[name.split("_")[-1][0].upper()] for name in INGREDIENTS]
    assert len(set(words.LETTERS)) == len(INGREDIENTS)


def test_orders_differ_without_colours() -> None:
    assert len({grey(draw._sign(order, 0, 0, 14)) for order in range(NUM_ORDERS)}) == NUM_ORDERS


def test_the_last_move_is_marked_on_the_board() -> None:
    """Each move has a mark of its own around the cells that it moved, the same one for a personal order; pass none."""
    level, marks = 3, {}
    for action in range(OWN):
        mark = draw._mark(words.moved(action), level)
        assert mark is not None and mark == draw._mark(words.moved(OWN + action), level)
        marks[draw._frame(mark[0], mark[1], 54, 9, 9) + draw._arrows(*mark, 54, 9, 9)] = action
        named = twin.cells_of(ACTIONS.string(action))
        x, y = zip(*((CELL_NAMES.index(name) % 6, CELL_NAMES.index(name) // 6) for name in named), strict=True)
        assert mark[:2] == (min(x) + 6 * min(y), max(x) + 6 * max(y)), ACTIONS.string(action)
    assert len(marks) == OWN
    assert draw._mark(words.moved(PASS), level) is draw._mark(words.moved(fields.NOTHING), level) is None


def test_arrows_point_to_where_the_tiles_went() -> None:
    east, west, south, north = 1, -1, tables.COLUMNS, -tables.COLUMNS
    assert [draw._mark(ACTIONS.parse(move), 2) for move in (
        "push row 2 left", "push row 2 right", "push col b up", "push col b down", "trade a1 b1", "trade a1 a2",
        "rotate c1 left", "rotate c1 right",
    )] == [
        (6, 10, (west, west)), (6, 10, (east, east)), (1, 13, (north, north)), (1, 13, (south, south)),
        (0, 1, (east, west)), (0, 6, (south, north)), (2, 2, (west, east)), (2, 2, (east, west)),
    ]  # fmt: skip
    turned = {step: draw.DIRECTION[step] for step in (north, east, south, west)}
    assert list(turned.values()) == [0, 90, 180, 270], "degrees from north"


def test_frames_are_drawn_for_each_seat_that_moved_something() -> None:
    frame = re.compile(f'fill="none" stroke="{pen.ACCENT}" stroke-width="{0.06 * draw.CELL[2]:g}"')
    states = second_turn()
    assert len(frame.findall(draw.svg(states[0]))) == 1
    assert len(frame.findall(draw.svg(changed(states, "last_choice", 2, to=OWN + 80)[0]))) == 2
    assert len(frame.findall(draw.svg(changed(states, "last_choice", 1, to=PASS)[0]))) == 0


def crowded(num_players: int, level: int) -> NDArray[Any]:
    """The longest names of moves everywhere, a personal order used, a tie-break; seat 0 to move."""
    built = place([""] * num_players, "push", level, recall=True)
    state = built.state
    state.done[:num_players], state.playing[:num_players], state.score[:num_players] = 1, 1, 3
    state.last_choice[:num_players] = ACTIONS.parse("own push row 2 right")
    state.choice[1:num_players] = ACTIONS.parse("own push row 3 right")
    state.own[:num_players, 0] = 0
    state.is_tiebreak, state.turn, state.max_turns = 1, 999, 1000
    state.recipe[TIEBREAK, :5] = 5
    return built.states


def rectangles(svg: str) -> list[tuple[float, float, float, float]]:
    found = re.findall('<rect x="([^"]*)" y="([^"]*)" width="([^"]*)" height="([^"]*)"', svg)
    return [(float(x), float(y), float(x) + float(width), float(y) + float(height)) for x, y, width, height in found]


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("num_players", range(1, fields.MAX_SEATS + 1))
def test_nothing_overlaps_at_any_level_and_number_of_players(num_players: int, level: int) -> None:
    states = crowded(num_players, level)
    if num_players == 1:
        states["is_tiebreak"] = 0
    for one in (states, ended(states, standing=(0,) * min(num_players, 3)) if num_players >= 3 else states):
        for seat in (None, 0):
            svg = draw.svg(one[0], seat)
            height = float(re.findall('<svg[^>]* height="([0-9.]+)"', svg)[0])
            found = boxes(svg)
            assert all(
                left >= 0 and right <= WIDTH and top >= 0 and end <= height for _, left, top, right, end in found
            )
            for (word, *a), (other, *b) in itertools.combinations(found, 2):
                assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (word, other)
            assert all(x >= 0 and y >= 0 and x2 <= WIDTH and y2 <= height for x, y, x2, y2 in rectangles(svg))


@pytest.mark.parametrize(
    ("standing", "winners"),
    [
        ((0,) * 6, "all players share"),
        ((0,) * 5 + (5,), "player_0, player_1, player_2, player_3 and player_4 share"),
        ((1, 0, 1), "player_1 wins"),
        ((0, 0), "player_0 and player_1 share"),
    ],
)
def test_the_names_of_many_winners_fit(standing: tuple[int, ...], winners: str) -> None:
    states = ended(crowded(len(standing), 1), 1, standing)
    states["score"] = 1
    (news, left, _, right, _), *_ = (box for box in boxes(draw.svg(states[0])) if box[0].startswith("Cut short"))
    assert news.startswith(f"Cut short: {winners}") and left > pen.MARGIN and right < pen.WIDTH - pen.MARGIN


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("num_players", [1, 2, 6])
def test_all_of_a_seat_lies_in_its_panel(num_players: int, level: int) -> None:
    states = crowded(num_players, level)
    state = states[0]
    for place_ in range(num_players):
        svg = draw._seat(state, place_, None)
        (x, y, x2, y2), *inner = rectangles(svg)
        inner += [box[1:] for box in boxes(f'<svg xmlns="http://www.w3.org/2000/svg">{svg}</svg>')]
        assert all(x <= box[0] and y <= box[1] and box[2] <= x2 and box[3] <= y2 for box in inner)
        beside = rectangles(svg.rpartition("</text>")[0])[-4 if level == 1 else -7 :]  # numbers of recipes, then orders
        assert all(one[3] < other[1] or one[2] < other[0] for one, other in itertools.pairwise(beside))


def test_traces_and_their_numbers_overlap_nothing() -> None:
    found = boxes(draw.svg(all_traced().state))
    for (word, *a), (other, *b) in itertools.combinations(found, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (word, other)


def test_the_names_of_cells_are_those_of_the_actions() -> None:
    assert {name for action in range(actions.TRADES) for name in ACTIONS.string(action).split()[1:2]} == {*CELL_NAMES}
    for level in (1, 2, 3):
        columns = int(tables.COLUMNS_AT[level])
        labels = re.findall(">([a-z0-9])</text>", draw._names(columns, 50, 20, 20))
        assert labels == [*"abcdef"[:columns], *"123"]
