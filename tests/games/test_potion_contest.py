"""The Potion Contest on built positions: tiles lie where the test puts them, and the turns go on from there."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pepperenvs import make_parallel
from pepperenvs.core.jit import PURE_PYTHON
from pepperenvs.core.utility import KINDS
from pepperenvs.drivers.game import load
from pepperenvs.games.potion_contest import completeness, orders, tables
from pepperenvs.games.potion_contest import state as fields
from pepperenvs.games.potion_contest.actions import LINE_LENGTH, ON_GRID, OWN, PASS
from tests.fair import is_uniform
from tests.games import Table
from tests.twins import potion_contest as twin

pytestmark = pytest.mark.nojit

GAME = load("potion_contest_v0")
ACTIONS = GAME.spec.actions
LETTERS = dict(zip("hwepmf", tables.INGREDIENTS, strict=True))  # as tests write the ingredients
RECIPES = {1: "epm effp mmfpe", 2: "epmw effpw mmfpew", 3: "epmwh effpwh mmfpewh"}


def recipe(letters: str) -> list[str]:
    return [LETTERS[letter] for letter in letters]


def tile(word: str) -> str:
    """A tile with its turns: "eNES" is the eye with connectors to the north, east and south."""
    ways = [direction[0].upper() in word[1:] for direction in tables.DIRECTIONS]
    return next(
        name
        for code, name in enumerate(tables.CODE_NAMES)
        if name
        and tables.INGREDIENTS[tables.CODE_INGREDIENT[code]] == LETTERS[word[0]]
        and tables.CONNECTORS[code].tolist() == ways
    )


def cells_of(level: int) -> list[str]:
    return [tables.CELL_NAMES[cell] for cell in tables.CELLS[level, : tables.NUM_TILES_AT[level]]]


def board(placed: str, level: int) -> list[str]:
    """A board as in a deal: "a1=eEW b2=pNS" lies there, the other tiles follow in order, without turns."""
    there = {cell: tile(word) for cell, word in (pair.split("=") for pair in placed.split())}
    used = [name.split("@")[0] for name in there.values()]
    assert len(set(used)) == len(used), "a tile is placed twice"
    rest = iter(name for name in tables.TILE_NAMES[tables.FIRST_TILE[level] :] if name not in used)
    return [there[cell] if cell in there else f"{next(rest)}@0" for cell in cells_of(level)]


def deal(boards: Sequence[str], main: str = "", level: int = 1, recipes: str | None = None) -> dict[str, Any]:
    """A deal whose main orders begin with those named."""
    first = main.split()
    left = Counter(dict(zip(tables.ORDER_NAMES, tables.ORDER_COPIES.tolist(), strict=True))) - Counter(first)
    dealt = [recipe(letters) for letters in (recipes or RECIPES[level]).split()]
    return {"boards": [board(placed, level) for placed in boards], "recipes": dealt,
            "orders": first + list(left.elements())}  # fmt: skip


def place(
    boards: Sequence[str],
    main: str = "",
    level: int = 1,
    recipes: str | None = None,
    done: Sequence[str] = (),
    spent: Sequence[str] = (),
    **options: Any,
) -> Table:
    """A position before the first choice.

    boards    what `board` lays out for each seat
    done      the recipes that a seat has completed: "13" the first and the third
    spent     the personal orders that it has used: "push rotate"
    """
    built = Table(GAME, len(boards), {"level": level, **options}, deal(boards, main, level, recipes))
    for seat, numbers in enumerate(done):
        for number in numbers:
            built.state.done[seat, int(number) - 1] = 1
        built.state.score[seat] = len(numbers)
    for seat, used in enumerate(spent):
        for name in used.split():
            built.state.own[seat, tables.ORDER_NAMES.index(name)] = 0
        built.state.orders_left[seat] -= len(used.split())
        built.state.spent[seat] = len(used.split())
    built.audit()
    return built


def lies(built: Table, seat: int = 0) -> dict[str, str]:
    """What lies on the cells of a board."""
    codes = built.state.board[seat].tolist()
    return {name: tables.CODE_NAMES[code] for name, code in zip(tables.CELL_NAMES, codes, strict=True) if code}


def done(built: Table, seat: int = 0) -> list[int]:
    return built.state.done[seat, : tables.NUM_RECIPES].tolist()


def passes(built: Table, turns: int = 1) -> None:
    """All seats pass; a new pile is what lies ready."""
    for _ in range(turns):
        turn = int(built.state.turn)
        while built.to_move is not None and built.state.turn == turn:
            built.play("pass")


def stop(built: Table, move: str) -> None:
    """The last seat chooses, and the rules are carried on to the first outcome that is awaited."""
    GAME.step(built.states, 0, ACTIONS.parse(move))
    GAME.advance(built.states, 0)


# The first recipe of level 1 in the first row: complete, and spoiled by the eye. That of level 2, the same.
LINE, NO_LINE = "a1=eEW b1=pEW c1=mEW", "a1=eNS b1=pEW c1=mEW"
LINE_2, NO_LINE_2 = f"{LINE} d1=wEW", f"{NO_LINE} d1=wEW"
# The line leads on to a feather and another eye; the same, but the last eye shows elsewhere.
LONG, NOT_LONG = f"{LINE} d1=fSW d2=eNW", f"{LINE} d1=fSW d2=eSW"

# ----------------------------------------------------------------------------------------------------- set-up


@pytest.mark.parametrize(
    ("level", "cells", "rotations", "trades", "pushes"), [(1, 12, 24, 17, 14), (2, 15, 30, 22, 16), (3, 18, 36, 27, 18)]
)
def test_example_8_each_level_has_its_tiles_its_grid_and_its_actions(
    level: int, cells: int, rotations: int, trades: int, pushes: int
) -> None:
    for main, number in (("rotate", rotations), ("trade", trades), ("push", pushes)):
        built = place([""], main, level, personal_orders=0)
        assert len(built.legal) == number + 1 and built.legal[-1] == "pass"
        named = {word for move in built.legal for word in move.split() if word in tables.CELL_NAMES}
        assert named == ({*lies(built)} if main != "push" else set())
    assert len(lies(built)) == cells and max(lies(built)) == f"{'abcdef'[cells // 3 - 1]}3"
    seen = built.see(0)
    shown = {tables.INGREDIENTS[kind] for kind in np.argwhere(seen["ingredients"])[:, 2]}
    assert shown == set(recipe({1: "epmf", 2: "epmfw", 3: "epmfwh"}[level]))
    assert np.sum(seen["ingredients"][0]) == cells and np.sum(seen["connectors"][0]) == cells // 3 * 7
    places = np.sum(seen["recipes"], axis=2).tolist()
    assert places == [[1] * length + [0] * (7 - length) for length in (level + 2, level + 3, level + 4)]
    assert seen["level"] == level and seen["num_players"] == 1


def test_seats_are_seen_clockwise_from_the_own_one() -> None:
    built = place(["a1=eNS", "a1=pNS", "a1=mNS"])
    kinds = {kind: tables.INGREDIENTS.index(name) for kind, name in LETTERS.items()}
    for seat, shown in enumerate(("epm", "pme", "mep")):
        boards = built.see(seat)["ingredients"]
        assert [boards[place][0][kinds[letter]] for place, letter in enumerate(shown)] == [1, 1, 1]
        assert not np.any(boards[3:])


def test_tiles_turns_recipes_and_orders_are_dealt_at_random() -> None:
    tiles, turns, first, current = (Counter() for _ in range(4))
    blank = GAME.spec.blank(GAME.spec.resolve(1, {"level": 2}))
    for seed in range(300 if PURE_PYTHON else 1500):
        states = blank.copy()
        GAME.prepare(states, 0, blank, 0, seed)
        GAME.reset(states, 0)
        GAME.chance(states, 0)
        told = GAME.spec.part("record").outcome(states[0])
        name, turned = told["boards"][0][7].split("@")
        tiles[name] += 1
        turns[turned] += 1
        first[told["recipes"][2][0]] += 1
        current[told["orders"][0]] += 1
    for counts, length in ((tiles, 15), (turns, 4), (first, 5)):
        assert len(counts) == length and is_uniform(counts.values())
    assert is_uniform([current[name] / copies for name, copies in (("push", 4), ("trade", 4), ("rotate", 5))])


def test_three_orders_are_visible_and_the_first_is_current() -> None:
    built = place([""], "trade rotate push trade")
    seen = built.see(0)
    assert seen["orders"] == [[0, 1, 0], [0, 0, 1], [1, 0, 0]] and seen["pile_size"] == 10
    assert {move.split()[0] for move in built.legal} == {"trade", "pass"}
    passes(built)
    seen = built.see(0)
    assert seen["orders"] == [[0, 0, 1], [1, 0, 0], [0, 1, 0]] and seen["pile_size"] == 9
    assert (seen["turn"], seen["turns_left"]) == (2, 21) and built.state.discards.tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    "damage",
    [
        {"boards": []},
        {"boards": [["T07@0"] * 12]},
        {"boards": [board("", 1)[1:]]},
        {"boards": [["T01@0", *board("", 1)[1:]]]},
        {"boards": [["T07@4", *board("", 1)[1:]]]},
        {"boards": [["T07", *board("", 1)[1:]]]},
        {"boards": [["", *board("", 1)[1:]]]},
        {"boards": [[7, *board("", 1)[1:]]]},
        {"boards": ["T07@0"]},
        {"recipes": [recipe("epm"), recipe("effp")]},
        {"recipes": [recipe("epme"), recipe("ffp"), recipe("mmfpe")]},
        {"recipes": [recipe("epm"), recipe("effp"), recipe("mmfpp")]},
        {"recipes": [recipe("epm"), recipe("effp"), [*recipe("mmfp"), None]]},
        {"recipes": None},
        {"orders": ["push"] * 13},
        {"orders": deal([""])["orders"][1:]},
        {"orders": {"push": 4, "trade": 4, "rotate": 5}},
        {"spoon": 0},
    ],
)
def test_an_impossible_deal_is_refused_and_changes_nothing(damage: dict[str, Any]) -> None:
    built = Table(GAME, 1, {"level": 1})
    before = built.states.tobytes()
    with pytest.raises(ValueError, match="deal"):
        built.codec.impose(built.state, {**deal([""]), **damage})
    assert built.states.tobytes() == before


# ------------------------------------------------------------------------------------------------------ orders


def test_example_1_a_push_to_the_right() -> None:
    built = place([""], "push")
    before = lies(built)
    built.play("push row 2 right")
    after = lies(built)
    assert [after[f"{column}2"] for column in "abcd"] == [before[f"{column}2"] for column in "dabc"]
    assert all(after[cell] == before[cell] for cell in before if cell[1] != "2")


def test_pushes_of_columns_and_to_the_left() -> None:
    built = place([""], "push push", 3, personal_orders=0)
    before = lies(built)
    built.play("push col f up")
    moved = lies(built)
    assert [moved[f"f{row}"] for row in "123"] == [before[f"f{row}"] for row in "231"]
    built.play("push row 3 left")
    assert [lies(built)[f"{column}3"] for column in "abcdef"] == [moved[f"{column}3"] for column in "bcdefa"]


def test_example_2_a_rotate_keeps_the_place_a_trade_and_a_push_keep_the_turns() -> None:
    built = place(["a1=eNES b2=pSW"], "rotate trade push")
    before = lies(built)
    built.play("rotate b2 left")
    assert lies(built) == {**before, "b2": tile("pES")}
    built.play("trade a1 a2")
    assert lies(built) == {**before, "b2": tile("pES"), "a1": before["a2"], "a2": tile("eNES")}
    built.play("push col b down")
    after = lies(built)
    assert (after["b1"], after["b2"], after["b3"]) == (before["b3"], before["b1"], tile("pES"))


def test_a_turn_to_the_right_is_clockwise() -> None:
    built = place(["a1=eNES"], "rotate")
    assert built.see(0)["connectors"][0][0] == [1, 1, 1, 0], "north, east, south, west"
    built.play("rotate a1 right")
    assert lies(built)["a1"] == tile("eESW") and built.see(0)["connectors"][0][0] == [0, 1, 1, 1]


def test_nothing_is_done_and_nothing_seen_before_all_have_chosen_r1() -> None:
    built = place(["", "", ""], "rotate")
    before = [built.see(seat) for seat in range(3)]
    built.play("rotate a1 right", "rotate b1 left")
    for seat in range(3):
        now = built.see(seat)
        assert {name for name in now if now[name] != before[seat][name]} == {"to_choose"}
    built.play("pass")
    assert built.state.turn == 2 and built.to_move == 0
    told = [(lies(built, seat)["a1"], lies(built, seat)["b1"]) for seat in range(3)]
    assert told == [("T07@1", "T08@0"), ("T07@0", "T08@3"), ("T07@0", "T08@0")]
    assert [ACTIONS.string(a) for a in built.state.last_choice[:3]] == ["rotate a1 right", "rotate b1 left", "pass"]


def test_seats_are_asked_in_ascending_order_and_who_has_still_to_choose_is_seen_r1() -> None:
    built = place(["", "", ""])
    assert built.to_move == 0 and built.see(1)["to_choose"] == [1, 1, 1, 0, 0, 0]
    built.play("pass")
    assert built.to_move == 1 and built.see(0)["to_choose"] == [0, 1, 1, 0, 0, 0]
    built.play("pass")
    assert built.to_move == 2 and built.see(2)["to_choose"] == [1, 0, 0, 0, 0, 0]
    built.play("pass")
    assert built.to_move == 0 and built.see(2)["to_choose"] == [1, 1, 1, 0, 0, 0]


def test_a_personal_order_of_the_same_kind_is_not_offered_r2() -> None:
    built = place([""], "trade rotate push", 2)
    for main, others in (("trade", "rotate push"), ("rotate", "trade push"), ("push", "rotate trade")):
        found = [move.split()[move.startswith("own")] for move in built.legal if move.startswith("own")]
        assert list(dict.fromkeys(found)) == others.split()
        assert {move.split()[0] for move in built.legal} == {main, "own", "pass"}
        passes(built)


def test_example_7_a_personal_rotate_while_the_main_order_is_push() -> None:
    built = place(["b2=pSW", ""], "push push", 2)
    before = [lies(built, seat) for seat in range(2)]
    built.play("own rotate b2 left")
    seen = built.see(0)
    assert seen["own_orders"][0] == [1, 1, 1] and seen["orders_left"][0] == 3, "nothing is done before all have chosen"
    built.play("push row 1 left")
    assert lies(built) == {**before[0], "b2": tile("pES")}
    assert all(lies(built, 1)[cell] == before[1][cell] for cell in before[1] if cell[1] != "1")
    seen = built.see(1)
    assert seen["own_orders"][:2] == [[1, 1, 1], [1, 1, 0]] and seen["orders_left"][:2] == [3, 2]
    assert built.state.spent[:2].tolist() == [1, 0]
    own = {move.split()[1] for move in built.legal if move.startswith("own")}
    assert own == {"trade"}, "the rotate is spent for good"


def test_example_7_with_one_personal_order_none_is_legal_after_it() -> None:
    built = place(["", ""], "push push", 2, personal_orders=1)
    built.play("own trade a1 b1", "pass")
    assert not any(move.startswith("own") for move in built.legal)
    assert built.see(0)["own_orders"][0] == [1, 0, 1] and built.see(0)["orders_left"] == [0, 1, 0, 0, 0, 0]
    built.play("pass")
    assert {move.split()[1] for move in built.legal if move.startswith("own")} == {"rotate", "trade"}


def test_example_6_a_seat_without_personal_orders() -> None:
    built = place(["", ""], "trade rotate push", 2, personal_orders=[0, 3])
    for _ in range(9):
        assert not any(move.startswith("own") for move in built.legal)
        built.play("pass")
        assert any(move.startswith("own") for move in built.legal)
        built.play("pass")
    assert built.see(0)["orders_left"][:2] == [0, 3] and built.see(0)["own_orders"][0] == [1, 1, 1]


def test_example_8_level_1_has_no_personal_orders_whatever_the_option() -> None:
    built = place(["", ""], "push", personal_orders=[2, 3])
    assert not any(move.startswith("own") for move in built.legal)
    assert not np.any(built.see(0)["own_orders"]) and not np.any(built.see(0)["orders_left"])
    assert GAME.values(built.states)["personal_orders"] == [2, 3]


def test_the_kernels_on_choices_agree() -> None:
    """What is legal, how many there are, the nth of them, and whether an action is among them."""
    chooser = random.Random(4)
    for level in (1, 2, 3):
        built = Table(GAME, 3, {"level": level, "personal_orders": [3, 1, 2]})
        GAME.chance(built.states, 0)
        built.settle()
        for _ in range(40):
            state, seat = built.state, built.to_move
            legal = [ACTIONS.parse(move) for move in built.legal]
            assert orders.num_choices(state, seat) == len(legal)
            assert [int(orders.nth_choice(state, seat, nth)) for nth in range(len(legal))] == legal
            assert [a for a in range(-3, ACTIONS.size + 3) if orders.is_choice(state, seat, a)] == legal
            built.play(chooser.choice(built.legal))


# --------------------------------------------------------------------------------- rotate, trade, push as moves


def random_board(level: int, chooser: random.Random) -> np.ndarray:
    """Codes of all tiles of a level, placed and turned at random, uint8 [cells]."""
    codes = [1 + 4 * number + chooser.randrange(4) for number in range(tables.FIRST_TILE[level], tables.NUM_TILES)]
    chooser.shuffle(codes)
    laid = np.zeros(tables.NUM_CELLS, np.uint8)
    laid[tables.CELLS[level, : len(codes)]] = codes
    return laid


def inverse(action: int) -> int:
    """The action that takes back one of a main order."""
    *words, way = ACTIONS.string(action).split()
    back = {"left": "right", "right": "left", "up": "down", "down": "up"}
    return ACTIONS.parse(" ".join([*words, back.get(way, way)]))


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 3), st.data())
def test_every_move_permutes_the_tiles_and_can_be_taken_back(level: int, data: st.DataObject) -> None:
    action = data.draw(st.sampled_from([action for action in range(OWN) if ON_GRID[level, action]]))
    before = random_board(level, random.Random(data.draw(st.integers(0, 10**6))))
    after = before.copy()
    orders.move_tiles(after, level, action)
    changed = np.flatnonzero(after != before)
    if action < ACTIONS.start("trade"):
        assert changed.tolist() == [action // 2] and (after[changed] - 1) // 4 == (before[changed] - 1) // 4
    else:
        line = (action - ACTIONS.start("push")) // 2
        assert len(changed) == (LINE_LENGTH[level, line] if line >= 0 else 2)
        assert Counter(after.tolist()) == Counter(before.tolist())
    again = after.copy()
    orders.move_tiles(again, level, inverse(action))
    assert (again == before).all()
    for _ in range(59):  # 60 is a multiple of four turns, of two in a trade, and of the length of every line
        orders.move_tiles(after, level, action)
    assert (after == before).all()


# ------------------------------------------------------------------------------------------------ completeness


def ticked(placed: str, recipes: str) -> list[int]:
    """The recipes of level 1 that are ticked off after a first turn in which nothing is done."""
    built = place([placed], recipes=recipes)
    passes(built)
    return done(built)


def test_example_3_a_path_read_from_right_to_left_r4() -> None:
    assert ticked("a1=mES b1=pEW c1=eSW", RECIPES[1]) == [1, 0, 0]
    assert ticked("a1=mES b1=pNS c1=eSW", RECIPES[1]) == [0, 0, 0]


SQUARE = "b1=pSW b2=mNW a2=fNE"  # with an eye on a1 a path round a square
SQUARE_RECIPES = "eem epmf pffmp"


def test_example_4_a_tee_that_joins_the_first_and_the_fourth_cell_r4() -> None:
    built = place([f"a1=eNES {SQUARE}"], "rotate rotate", recipes=SQUARE_RECIPES)
    passes(built)
    assert done(built) == [0, 0, 0]
    built.play("rotate a1 left")
    assert lies(built)["a1"] == tile("eNEW") and done(built) == [0, 1, 0]


def test_a_path_may_not_touch_itself_anywhere_r4() -> None:
    """The last of five cells shows its connector to the second one, or not."""
    path = "a1=eEW b1=pESW c1=mSW c2=pNW"
    assert ticked(f"{path} b2=fNE", "eem pmff epmpf")[2] == 0
    assert ticked(f"{path} b2=fES", "eem pmff epmpf")[2] == 1


def test_connectors_that_lead_to_other_tiles_or_nowhere_do_no_harm_r4() -> None:
    below = "a2=fNE b2=fNS c2=fNEW"
    assert ticked(f"a1=eNES b1=pESW c1=mESW {below}", RECIPES[1])[0] == 1


def test_both_tiles_must_have_a_connector_r4() -> None:
    assert ticked("a1=eEW b1=pEW c1=mNS", RECIPES[1])[0] == 0
    assert ticked("a1=eNS b1=pEW c1=mEW", RECIPES[1])[0] == 0


def completes(placed: str, letters: str) -> bool:
    """Whether a board of level 3 completes a recipe of any length."""
    laid = np.array([tables.CODE_NAMES.index(name) for name in board(placed, 3)], np.uint8)
    return kernel_completes(laid, [tables.INGREDIENTS.index(name) for name in recipe(letters)])


def test_the_rim_never_connects_r4() -> None:
    """Neither with the other end of the line, nor with the row below."""
    assert completes("d1=eEW e1=hEW f1=wEW", "ehw") and completes("a1=eNS a2=hNS a3=wNS", "ehw")
    assert not completes("e1=eEW f1=hEW a2=wEW", "ehw")
    assert not completes("e1=eEW f1=hEW a1=wEW", "ehw")
    assert not completes("a2=eNS a3=hNS a1=wNS", "ehw")
    assert not completes("a2=eNS a3=hNS b1=wNS", "ehw")


def test_one_valid_placement_is_enough_r4() -> None:
    row = "a3=eEW b3=pEW c3={} d3=fEW"
    spoiled = f"a1=eNES {SQUARE}"
    assert ticked(f"{spoiled} {row.format('mNS')}", SQUARE_RECIPES)[1] == 0
    assert ticked(f"{spoiled} {row.format('mEW')}", SQUARE_RECIPES)[1] == 1


def test_an_ingredient_named_twice_needs_two_tiles_r4() -> None:
    assert ticked("a1=eES b1=pESW c1=eEW", "epe mffp mmfpe")[0] == 1
    assert ticked("a1=eES b1=pESW c1=mSW", "epe mffp mmfpe")[0] == 0


def test_one_tile_serves_several_recipes_r5_and_all_are_ticked_off_at_once_r3() -> None:
    assert ticked(LONG, "epm pmfe effpm") == [1, 1, 0]


def test_a_recipe_is_ticked_off_for_good_and_stays_open_to_the_others_r3() -> None:
    built = place([LINE, NO_LINE], "rotate rotate")
    passes(built)
    assert done(built) == [1, 0, 0] and done(built, 1) == [0, 0, 0]
    built.play("rotate a1 left", "rotate a1 left")
    assert done(built) == [1, 0, 0] and done(built, 1) == [1, 0, 0]
    assert built.see(1)["done"][:2] == [[1, 0, 0], [1, 0, 0]] and built.state.score[:2].tolist() == [1, 1]


def test_what_is_complete_by_luck_counts_at_the_first_verification_r8() -> None:
    built = place([LINE, LINE], "rotate")
    assert not np.any(built.see(0)["done"])
    built.play("pass", "rotate a1 left")
    assert done(built) == [1, 0, 0] and done(built, 1) == [0, 0, 0], "the verification comes after the orders"


def kernel_completes(laid: np.ndarray, kinds: Sequence[int]) -> bool:
    """The kernels' answer, for a recipe of a length that some level has."""
    level, row = np.argwhere(len(kinds) == tables.RECIPE_LENGTHS)[0].tolist()
    scratch = np.zeros(1, GAME.spec.state)[0]
    scratch.level = level
    scratch.recipe[row, : len(kinds)] = kinds
    return bool(completeness.is_complete(scratch, row, *completeness.read_board(laid)))


def walked(laid: np.ndarray, length: int, chooser: random.Random) -> list[int] | None:
    """The ingredients along a random walk over connected cells that comes to no cell twice; None if 50 walks end."""
    _, _, across, down = completeness.read_board(laid)
    beside = [int(completeness.neighbours(1 << cell, across, down)) for cell in range(tables.NUM_CELLS)]
    for _ in range(50):
        path = [int(chooser.choice(np.flatnonzero(laid)))]
        while len(path) < length:
            ways = [cell for cell in range(tables.NUM_CELLS) if beside[path[-1]] >> cell & 1 and cell not in path]
            if not ways:
                break
            path.append(chooser.choice(ways))
        else:
            return [int(tables.CODE_INGREDIENT[laid[cell]]) for cell in path]
    return None


@pytest.mark.parametrize("level", [1, 2, 3])
def test_completeness_is_what_trying_all_paths_finds_on_random_boards_r4(level: int) -> None:
    """Against the twin. Recipes that a walk on the board spells, with and without a path; and any others."""
    chooser, verdicts = random.Random(level), Counter()
    for number in range(1500 if PURE_PYTHON else 3000):
        laid = random_board(level, chooser)
        told = {name: tables.CODE_NAMES[laid[cell]] for cell, name in enumerate(tables.CELL_NAMES) if laid[cell]}
        length = 3 + number % 5
        kinds = walked(laid, length, chooser) if number % 4 else None
        if kinds is None:
            kinds = [chooser.randrange(tables.FIRST_INGREDIENT[level], tables.NUM_INGREDIENTS) for _ in range(length)]
        expected = twin.is_complete(told, [tables.INGREDIENTS[kind] for kind in kinds])
        assert kernel_completes(laid, kinds) == kernel_completes(laid, kinds[::-1]) == expected, (told, kinds)
        verdicts[expected, length] += 1
    assert all(verdicts[True, length] > 2 < verdicts[False, length] for length in range(3, 8)), verdicts


# ------------------------------------------------------------------------------------------------- maintenance


def test_example_8_when_the_pile_is_empty_all_discards_are_mixed_the_last_one_included() -> None:
    built = place([""], level=2, recall=True)
    for turn in range(10):
        assert built.state.pile_len == 10 - turn == built.see(0)["pile_size"] == sum(built.see(0)["pile"])
        passes(built)
    assert built.state.pile_len == 0 and built.state.discards.sum() == 10
    stop(built, "pass")
    assert built.awaited == "orders_reshuffle" and built.state.pile_len == 11 and not built.state.discards.any()
    laid = [tables.ORDER_NAMES[order] for order in built.state.pile[:11]]
    for wrong in (laid[1:], [*laid[1:], "own"], None, "push", [*laid, "push"], [*laid[1:], 1], ["push"] * 11):
        with pytest.raises(ValueError, match="orders_reshuffle must"):
            built.codec.impose(built.state, wrong)
    told = [*laid[3:], *laid[:3]]
    built.settle(told)
    assert tables.ORDER_NAMES[built.state.visible[2]] == told[0] and built.state.turn == 12
    assert [tables.ORDER_NAMES[order] for order in built.state.pile[:10]] == told[:0:-1]


def test_a_new_pile_is_shuffled() -> None:
    built = place([""], level=2)
    passes(built, 10)
    stop(built, "pass")
    laid, first = Counter(built.state.pile[:11].tolist()), Counter()
    for seed in range(1100):
        copy = built.states.copy()
        copy["rng"] = seed
        GAME.chance(copy, 0)
        assert Counter(copy["pile"][0, :11].tolist()) == laid
        first[int(copy["pile"][0, 10])] += 1
    assert is_uniform([first[order] / copies for order, copies in laid.items()])


# --------------------------------------------------------------------------------------------------------- end


def test_a_third_recipe_ends_the_game_when_all_have_chosen() -> None:
    built = place([NO_LINE, LINE, ""], "rotate", done=["23", "23", "1"])
    built.play("pass", "pass")
    assert built.to_move == 2
    built.play("pass")
    assert built.to_move is None and built.state.truncated == 0 and built.state.turn == 1
    assert built.state.score[:3].tolist() == [2, 3, 1] and built.state.standing[:3].tolist() == [1, 0, 2]
    seen = built.see(0)
    assert not any(seen["playing"]) and not any(seen["to_choose"]) and (seen["turn"], seen["turns_left"]) == (1, 59)
    assert seen["orders"][0] == [0, 0, 1] and seen["pile_size"] == 10, "nothing more is dealt"


def test_example_5_of_two_that_finish_together_the_one_with_fewer_spent_orders_wins() -> None:
    built = place([LINE_2, LINE_2], level=2, done=["23", "23"], spent=["push", "push trade"])
    passes(built)
    assert built.to_move is None and built.state.truncated == 0 and not built.state.is_tiebreak
    assert built.state.score[:2].tolist() == [3, 3] and built.state.standing[:2].tolist() == [0, 1]


def test_a_personal_order_that_finishes_counts_as_spent() -> None:
    built = place([LINE_2, NO_LINE_2], "push", 2, done=["23", "23"])
    built.play("pass", "own rotate a1 right")
    assert built.to_move is None and built.state.score[:2].tolist() == [3, 3]
    assert built.state.standing[:2].tolist() == [0, 1]


def test_after_the_last_turn_recipes_count_and_then_spent_orders() -> None:
    built = place(
        [NO_LINE_2] * 4, level=2, done=["2", "2", "23", ""], spent=["push", "push trade", "push", ""], max_turns=1
    )
    passes(built)
    assert built.to_move is None and built.state.truncated == 1
    assert built.state.score[:4].tolist() == [1, 1, 2, 0] and built.state.standing[:4].tolist() == [1, 2, 0, 3]
    seen = built.see(0)
    assert (seen["turn"], seen["turns_left"], seen["pile_size"]) == (1, 0, 10)


def test_a_game_decided_in_the_last_turn_is_not_cut_short() -> None:
    built = place([LINE, ""], done=["23", ""], max_turns=1)
    passes(built)
    assert built.to_move is None and built.state.truncated == 0 and built.state.standing[:2].tolist() == [0, 1]


def tied(boards: Sequence[str], main: str = "push rotate rotate rotate", **options: Any) -> Table:
    """Level 1: the first two seats have finished together, the others have two recipes; the tie-break's is dealt."""
    built = place(boards, main, done=["23"] * len(boards), **options)
    built.play(*["pass"] * (len(boards) - 1))
    stop(built, "pass")
    built.settle(recipe("epmfe"))
    return built


def test_example_8_a_tie_goes_on_for_a_recipe_of_five_that_only_the_tied_seats_play_for_r6() -> None:
    built = tied([LONG, NOT_LONG, NO_LINE])
    assert built.state.turn == 2 and built.to_move == 0, "verified first after the next turn"
    seen = built.see(2)
    assert seen["playing"] == [0, 1, 1, 0, 0, 0] and seen["to_choose"] == [0, 1, 1, 0, 0, 0]
    kinds = [tables.INGREDIENTS[kind] for kind in np.argmax(seen["tiebreak"], axis=1)]
    assert kinds == recipe("epmfe") and np.sum(seen["tiebreak"]) == 5
    built.play("pass", "pass")
    assert built.to_move is None and built.state.truncated == 0
    assert built.state.score[:3].tolist() == [3, 3, 2] and built.state.standing[:3].tolist() == [0, 1, 2]


def test_example_8_two_complete_it_together_and_are_joint_winners_r6() -> None:
    built = tied([LONG, NOT_LONG, NO_LINE])
    built.play("pass", "rotate d2 right")
    assert built.to_move is None and built.state.truncated == 0
    assert built.state.standing[:3].tolist() == [0, 0, 2] and built.state.score[:3].tolist() == [3, 3, 2]


def test_in_a_tiebreak_at_once_the_others_may_only_pass_r6() -> None:
    built = tied([LONG, NOT_LONG, NO_LINE])
    env = make_parallel("potion_contest_v0", num_players=3, level=1)
    env.set_state(GAME.save(built.states))
    masks = {agent: env.observe(agent)["action_mask"] for agent in env.agents}
    assert [env.action_string(action) for action in np.flatnonzero(masks["player_2"])] == ["pass"]
    assert masks["player_0"].sum() > 1 and masks["player_1"].sum() > 1
    turn = env.parse_action("rotate d2 right")
    env.step({"player_0": PASS, "player_1": turn, "player_2": PASS})
    built.play("pass", "rotate d2 right")
    assert env.get_state() == GAME.save(built.states) and env.agents == []
    env.set_state(GAME.save(tied([LONG, NOT_LONG, NO_LINE]).states))
    _, rewards, terminated, _, infos = env.step({"player_0": PASS, "player_1": turn, "player_2": turn})
    assert all(terminated.values()) and infos["player_2"]["illegal_action"]
    assert rewards == {"player_0": 0.0, "player_1": 0.0, "player_2": -1.0}


def test_a_tiebreak_goes_on_until_somebody_has_its_recipe_r6() -> None:
    built = tied([LONG, NOT_LONG])
    built.play("rotate d2 left", "pass")
    assert built.state.turn == 3 and built.to_move == 0 and not built.state.done[:, tables.TIEBREAK].any()
    built.play("pass", "rotate d2 right")
    assert built.to_move is None and built.state.standing[:2].tolist() == [1, 0]


def test_a_tie_of_level_1_goes_straight_to_it_and_another_only_if_as_many_orders_are_spent_r6() -> None:
    built = place([LINE, LINE], done=["23", "23"])
    built.play("pass")
    stop(built, "pass")
    assert built.awaited == "tiebreak_recipe"
    built = place([LINE_2] * 3, level=2, done=["23"] * 3, spent=["push", "trade", "push trade"])
    built.play("pass", "pass")
    stop(built, "pass")
    built.settle(recipe("epmfe"))
    assert built.see(0)["playing"] == [1, 1, 0, 0, 0, 0]


def test_orders_spent_in_a_tiebreak_are_gone_but_do_not_count_r6() -> None:
    built = place([LINE_2] * 2, "push push", 2, done=["23"] * 2, spent=["push", "trade"], max_turns=2)
    built.play("pass")
    stop(built, "pass")
    built.settle(recipe("wwwee"))
    built.play("own rotate a2 left", "pass")
    assert built.to_move is None and built.state.truncated == 1, "undecided in the last turn"
    assert built.state.standing[:2].tolist() == [0, 0] and built.state.spent[:2].tolist() == [1, 1]
    assert built.see(0)["orders_left"][:2] == [1, 2] and built.see(0)["own_orders"][0] == [0, 1, 0]


def test_turns_of_a_tiebreak_count_and_one_decided_in_the_last_is_not_cut_short_r6() -> None:
    built = tied([LONG, NOT_LONG], max_turns=2)
    assert built.see(0)["turns_left"] == 1
    built.play("pass", "pass")
    assert built.to_move is None and built.state.truncated == 0 and built.state.standing[:2].tolist() == [0, 1]
    assert built.see(0)["turns_left"] == 0


def test_a_tie_that_arises_in_the_last_turn_is_shared_r6() -> None:
    built = place([LINE, LINE, ""], done=["23", "23", "2"], max_turns=1)
    passes(built)
    assert built.to_move is None and built.state.truncated == 1 and not built.state.is_tiebreak
    assert built.state.standing[:3].tolist() == [0, 0, 2] and not np.any(built.see(0)["tiebreak"])


def test_the_recipe_of_a_tiebreak_comes_before_the_new_pile_r6() -> None:
    eleven = f"{'push ' * 4}{'trade ' * 4}{'rotate ' * 3}"
    built = place([NO_LINE, NO_LINE], eleven, done=["23", "23"])
    passes(built, 10)
    built.play("rotate a1 left")
    GAME.step(built.states, 0, ACTIONS.parse("rotate a1 left"))
    asked = []
    while GAME.advance(built.states, 0):
        asked.append(built.awaited)
    assert asked == ["tiebreak_recipe", "orders_reshuffle"] and built.state.turn == 12


def test_an_impossible_recipe_of_a_tiebreak_is_refused_r6() -> None:
    built = place([LINE, LINE], done=["23", "23"])
    built.play("pass")
    stop(built, "pass")
    before = built.states.tobytes()
    short, four, horn, odd = recipe("epmf"), recipe("eeeep"), recipe("epmfh"), [*recipe("epmf"), None]
    for wrong in (short, four, horn, odd, [*recipe("epmfe"), "eye"], None, "eye", {}, ["x"] * 5):
        with pytest.raises(ValueError, match="tiebreak_recipe must"):
            built.codec.impose(built.state, wrong)
    assert built.states.tobytes() == before


def test_the_recipe_of_a_tiebreak_is_drawn_from_all_recipe_tiles_r6() -> None:
    built = place([LINE_2, LINE_2], level=2, done=["23", "23"])
    built.play("pass")
    stop(built, "pass")
    places = [Counter(), Counter()]
    for seed in range(1000):
        copy = built.states.copy()
        copy["rng"] = seed
        GAME.chance(copy, 0)
        told = built.codec.outcome(copy[0])
        assert len(told) == 5 and max(Counter(told).values()) <= 3
        for index, counts in zip((0, 4), places, strict=True):
            counts[told[index]] += 1
    assert all(len(counts) == 5 and is_uniform(counts.values()) for counts in places)


@pytest.mark.parametrize(("ticks", "result"), [("", -1.0), ("2", -1 / 3), ("23", 1 / 3)])
def test_alone_the_last_turn_is_a_loss_by_the_rules_r7(ticks: str, result: float) -> None:
    built = place([NO_LINE], done=[ticks], max_turns=3)
    passes(built, 3)
    assert built.to_move is None and built.state.truncated == 0 and built.state.standing[0] == 0
    assert built.utility(KINDS["rank"]) == built.utility(KINDS["win"]) == pytest.approx([result])
    assert built.utility(KINDS["score"]) == [len(ticks)]


def test_alone_all_recipes_in_time_are_a_win_r7() -> None:
    built = place([LINE], done=["23"], max_turns=1)
    passes(built)
    assert built.to_move is None and built.utility() == [1.0] and built.state.truncated == 0


def test_alone_the_pile_runs_out_twice_r7() -> None:
    assert [GAME.spec.resolve(n)["max_turns"] for n in range(1, 7)] == [22, 60, 60, 60, 60, 60]
    built = place([""], level=2)
    passes(built, 21)
    assert built.to_move == 0 and built.state.pile_len == 0
    passes(built)
    assert built.to_move is None and built.see(0)["turn"] == 22 and built.state.pile_len == 0


# ---------------------------------------------------------------------------------------------------- secrecy


def test_choices_already_made_are_redrawn_uniformly_among_what_a_seat_may_do() -> None:
    built = place(["", "", ""], "trade", 2, personal_orders=[3, 0, 3])
    legal = len(built.legal)
    built.play("pass", "trade a1 b1")
    drawn = built.redraws(2, 15 * legal)
    first, second = (Counter(drawn["choice"][:, seat].tolist()) for seat in range(2))
    assert legal == 22 + 30 + 16 + 1 and len(first) == legal and is_uniform(first.values())
    assert len(second) == 23 and is_uniform(second.values())
    assert set(drawn["choice"][:, 2].tolist()) == {fields.NOTHING}
    kept = built.redraws(0, 300)["choice"]
    assert set(kept[:, 0].tolist()) == {PASS} and len(set(kept[:, 1].tolist())) == 23


def test_a_redraw_of_choices_knows_which_personal_orders_are_left() -> None:
    built = place(["", ""], "trade", 2, spent=["push", ""], personal_orders=[2, 3])
    built.play("pass")
    kinds = {
        ACTIONS.string(choice).split()[1] for choice in built.redraws(1, 500)["choice"][:, 0] if OWN <= choice < PASS
    }
    assert kinds == {"rotate"}


def test_the_order_of_the_pile_is_redrawn() -> None:
    built = place(["", ""], f"{'push ' * 3}{'trade ' * 3}{'rotate ' * 4}", 2)
    passes(built, 7)
    drawn = built.redraws(0, 1200)
    found = Counter(tuple(pile[:3]) for pile in drawn["pile"].tolist())
    assert len(found) == 6 and is_uniform(found.values())
    for name in ("board", "recipe", "recipe_pile", "visible", "discards", "pile_len", "own", "done", "last_choice"):
        assert (drawn[name] == built.states[name]).all()


def test_with_recall_the_orders_in_the_pile_are_counted() -> None:
    for recall in (False, True):
        built = place([""], "trade rotate push push", 2, recall=recall)
        assert built.see(0)["pile"] == ([3, 3, 4] if recall else [0, 0, 0])
        passes(built)
        assert built.see(0)["pile"] == ([2, 3, 4] if recall else [0, 0, 0])


# ------------------------------------------------------------------------------------------------------ audit

DAMAGE = [
    (1, {"board": ((0, 0), 70)}),
    (1, {"board": ((1, 2), 0)}),
    (1, {"board": ((1, 5), 9)}),
    (2, {"recipe": ((0, 0), 4)}),
    (2, {"recipe_pile": (0, 2)}),
    (3, {"discards": (0, 3)}),
    (3, {"visible": (0, 0)}),
    (3, {"pile": (0, 1)}),
    (4, {"own": ((0, 1), 0)}),
    (4, {"orders_left": (0, 1)}),
    (4, {"orders_left": (1, -1)}),
    (4, {"spent": (1, 1)}),
    (5, {"to_move": 2}),
    (5, {"to_move": -2}),
    (5, {"pending": 2}),
    (5, {"stage": 5}),
    (5, {"stage": fields.DRAWING}),
    (5, {"turn": 0}),
    (5, {"turn": 61}),
    (5, {"max_turns": 1001}),
    (5, {"is_tiebreak": 2}),
    (5, {"pile_len": 11}),
    (5, {"pile_len": -1}),
    (5, {"pile": (0, 3)}),
    (5, {"visible": (2, 3)}),
    (5, {"recipe": ((2, 5), 6)}),
    (5, {"recipe_pile": (17, 6)}),
    (5, {"board": ((0, 0), 73)}),
    (5, {"choice": (0, PASS + 1)}),
    (5, {"last_choice": (1, -2)}),
    (6, {"choice": (0, fields.NOTHING)}),
    (6, {"choice": (1, PASS)}),
    (6, {"choice": (0, OWN)}),
    (6, {"choice": (0, 10)}),
    (7, {"score": (0, 2)}),
    (7, {"done": ((1, 1), 1)}),
    (7, {"done": ((0, tables.TIEBREAK), 1)}),
    (8, {"done": ((0, 0), 0), "score": (0, 0)}),
    (9, {"playing": (1, 0)}),
]


@pytest.mark.parametrize(("number", "damage"), DAMAGE)
def test_the_audit_sees_damage(number: int, damage: dict[str, Any]) -> None:
    """Seat 0 has completed the first recipe, used its personal rotate, and chosen in the second turn."""
    built = place([LINE_2, NO_LINE_2], "push rotate", 2)
    built.play("own rotate a3 left", "pass", "pass")
    assert done(built) == [1, 0, 0] and built.fails_audit() == 0
    assert built.fails_audit(**damage) == number


def test_the_audit_sees_an_end_that_is_missed_and_a_tiebreak_for_one() -> None:
    """9: another seat plays than those that are tied, or an end is missed."""
    with pytest.raises(AssertionError, match="or an end is missed"):
        place([LINE, ""], done=["123", ""])
    built = tied([LONG, NOT_LONG, NO_LINE])
    assert built.fails_audit(playing=(2, 1)) == built.fails_audit(playing=(0, 0)) == 9
    assert built.fails_audit(done=((0, tables.TIEBREAK), 1)) == 9
    assert built.fails_audit(recipe=((tables.TIEBREAK, 0), 3)) == 2


def test_every_number_of_the_audit_is_seen() -> None:
    assert {number for number, _ in DAMAGE} == set(GAME.spec.audits)


# ---------------------------------------------------------------------------------------------------- actions


def test_actions_stand_where_the_rules_say() -> None:
    assert ACTIONS.size == 163
    for index, string in {
        0: "rotate a1 left", 1: "rotate a1 right", 2: "rotate b1 left", 12: "rotate a2 left", 35: "rotate f3 right",
        36: "trade a1 b1", 37: "trade b1 c1", 41: "trade a2 b2", 50: "trade e3 f3", 51: "trade a1 a2",
        52: "trade b1 b2", 57: "trade a2 a3", 62: "trade f2 f3", 63: "push row 1 left", 64: "push row 1 right",
        68: "push row 3 right", 69: "push col a up", 70: "push col a down", 80: "push col f down",
        81: "own rotate a1 left", 117: "own trade a1 b1", 144: "own push row 1 left", 161: "own push col f down",
        162: "pass",
    }.items():  # fmt: skip
        assert ACTIONS.string(index) == string and ACTIONS.parse(string) == index
    for index in range(OWN):
        assert ACTIONS.string(OWN + index) == f"own {ACTIONS.string(index)}"
