"""The scripted player of The Potion Contest: what it reckons with, and moves that are plain to a player."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from pepperenvs import make_batch
from pepperenvs.core.jit import PURE_PYTHON
from pepperenvs.core.state import OVER
from pepperenvs.games.potion_contest import bot_plan, completeness, orders, tables
from pepperenvs.games.potion_contest.actions import MOVES, NUM_MOVES, PASS
from pepperenvs.games.potion_contest.bot import STRIDE, take_back
from pepperenvs.games.potion_contest.bot_plan import FAR, RISK, TURN, WAITS, wait_for
from pepperenvs.games.potion_contest.tables import (
    ALL_CELLS,
    NUM_LEVELS,
    NUM_ORDERS,
    PUSH,
    RECIPE_LENGTHS,
    ROTATE,
    TRADE,
)
from tests.games import Table
from tests.games.test_potion_contest import GAME, LINE, NO_LINE, NO_LINE_2, done, place, recipe

pytestmark = pytest.mark.nojit

LEVELS = range(1, NUM_LEVELS + 1)


def dealt(level: int, seed: int, num_players: int = 1, **options: Any) -> Table:
    built = Table(GAME, num_players, {"level": level, **options})
    built.state.rng[0] = seed
    GAME.chance(built.states, 0)
    built.settle()
    return built


def positions(built: Table) -> Iterator[Table]:
    """Every position of a game of bots."""
    while built.to_move is not None:
        yield built
        GAME.step(built.states, 0, GAME.bot(built.states, 0))
        while GAME.advance(built.states, 0):
            GAME.chance(built.states, 0)
    built.audit()


def play_bot(built: Table) -> str:
    """The bot's move, which is played."""
    move = built.bot()
    built.play(move)
    return move


# ---------------------------------------------------------------------------------------------- whole games


@pytest.mark.parametrize("level", LEVELS)
def test_it_plays_legally_and_changes_nothing_by_thinking(level: int) -> None:
    for built in positions(dealt(level, seed=level, num_players=2, max_turns=6 if PURE_PYTHON else 60)):
        before = built.states.tobytes()
        assert built.bot() in built.legal and built.states.tobytes() == before


def test_it_looks_at_nothing_that_is_hidden() -> None:
    """Choices of this turn, the pile's order and the generator are changed; the choice stays."""
    for built in positions(dealt(2, seed=9, num_players=3, max_turns=4)):
        move, kept = built.bot(), built.states.copy()
        built.state.choice[: built.to_move] = PASS
        built.state.pile[: built.state.pile_len] = np.sort(built.state.pile[: built.state.pile_len])
        built.state.rng[0] = 12345
        assert built.bot() == move
        built.states[:] = kept


def alone(level: int, games: int, max_turns: int) -> tuple[Any, Any]:
    """Recipes completed and turns played in games of a bot alone, [games] each."""
    options = {"num_players": 1, "level": level, "max_turns": max_turns}
    batch = make_batch("potion_contest_v0", games, seed=1, autoreset=False, **options)
    while (batch.seat != OVER).any():
        batch.step(batch.bot_actions())
    return batch.final_score[:, 0], batch.final_length


@pytest.mark.skipif(PURE_PYTHON, reason="hundreds of games")
@pytest.mark.parametrize(("level", "in_time"), [(1, 0.97), (2, 0.92), (3, 0.55)])
def test_alone_it_wins_most_deals_in_time_and_rarely_gets_stuck(level: int, in_time: float) -> None:
    score, turns = alone(level, 300, 60)
    finished = score == tables.NUM_RECIPES
    assert np.mean(finished & (turns <= 22)) >= in_time
    assert np.mean(finished) >= (0.93 if level == 3 else 0.98)


@pytest.mark.skipif(PURE_PYTHON, reason="hundreds of games")
@pytest.mark.parametrize("num_players", [2, 6])
def test_it_does_not_lose_to_random_play(num_players: int) -> None:
    batch = make_batch("potion_contest_v0", 200, num_players=num_players, seed=2, autoreset=False)
    while (batch.seat != OVER).any():
        actions = batch.sample_actions().copy()
        own = batch.seat == 0
        actions[own] = batch.bot_actions()[own]
        batch.step(actions)
    assert (batch.final_utility[:, 0] == 1).all()


# ------------------------------------------------------------------------------------------- plain moves


@pytest.mark.parametrize(
    ("main", "placed"),
    [
        ("rotate", NO_LINE),
        ("trade", "a1=eEW b1=mEW c1=pEW"),
        ("push", "a1=eEW b1=pEW c2=mEW"),
        ("push", "a1=pEW b1=mEW d1=eEW"),
    ],
)
def test_it_completes_a_recipe_with_the_main_order(main: str, placed: str) -> None:
    built = place([placed], main)
    assert not done(built)[0]
    play_bot(built)
    assert done(built)[0]


def test_it_completes_a_recipe_at_the_start_by_leaving_it_alone() -> None:
    built = place([LINE], "push")
    play_bot(built)
    assert done(built)[0]


def test_it_uses_a_personal_order_to_complete_what_would_take_long() -> None:
    built = place([NO_LINE_2], "push trade trade", 2)
    assert play_bot(built) in ("own rotate a1 left", "own rotate a1 right")
    assert done(built)[0]


@pytest.mark.parametrize("visible", ["rotate push push", "push rotate push"])
def test_it_wastes_no_personal_order_if_the_main_one_does_it_now_or_next_turn(visible: str) -> None:
    built = place([NO_LINE_2], visible, 2)
    while not done(built)[0]:
        assert not play_bot(built).startswith("own ")
    assert built.state.turn <= 3 and built.state.own[0].all()


def test_it_plans_for_the_orders_that_come() -> None:
    """A tile lies one step away and is turned wrong: turned now, moved next turn, and the other way round."""
    for visible, first, second in (("rotate trade push", "rotate", "trade"), ("trade rotate push", "trade", "rotate")):
        built = place(["a1=eEW b1=pEW c2=mNS c1=fNW"], visible)
        assert play_bot(built).startswith(first) and play_bot(built).startswith(second)
        assert done(built)[0]


def test_it_turns_to_the_recipes_that_are_not_done() -> None:
    """One quarter turn is missing in the first row, for a recipe that is done, and one in the others."""
    placed = "a1=eNS b1=pEW c1=mEW a3=mNES b3=mES c3=fEW d3=pSW d2=eSW"
    built = place([placed], "rotate", done=["12"])
    assert play_bot(built).startswith("rotate d3")


def test_in_a_tie_break_only_its_recipe_counts() -> None:
    """The feather below the end of the line is turned wrong for the recipe that is dealt."""
    placed = f"{LINE} d1=fSW d2=fEW"
    built = place([placed, placed], "push rotate", done=["23", "23"])
    built.play("pass")
    built.play("pass", then=recipe("epmff"))
    assert built.state.is_tiebreak
    assert play_bot(built) == "rotate d2 left" == play_bot(built)
    assert built.to_move is None and built.state.standing[:2].tolist() == [0, 0]


def test_if_nothing_helps_it_tries_another_move_each_turn() -> None:
    """A pass changes nothing, so it could only pass for ever."""
    for level in LEVELS:
        for order in range(NUM_ORDERS):
            count = int(NUM_MOVES[level, order])
            assert len({STRIDE * turn % count for turn in range(count)}) == count


# --------------------------------------------------------------------------------------- what it reckons with


def wait_now(built: Table, row: int, limit: int = FAR) -> int:
    return int(wait_for(built.state, built.state.board[built.to_move or 0], row, np.int64(limit)))


def test_a_move_that_is_taken_back_leaves_the_board_as_it_was() -> None:
    built = dealt(3, seed=3)
    before = built.state.board[0].tolist()
    for order in range(NUM_ORDERS):
        for move in MOVES[3, order, : NUM_MOVES[3, order]].tolist():
            orders.move_tiles(built.state.board[0], 3, move)
            assert built.state.board[0].tolist() != before
            take_back(built.state.board[0], 3, move)
            assert built.state.board[0].tolist() == before


@pytest.mark.parametrize("level", LEVELS)
def test_all_paths_of_each_length_are_in_the_trees(level: int) -> None:
    columns = int(tables.COLUMNS_AT[level])
    cells = [cell for cell in range(tables.NUM_CELLS) if cell % tables.COLUMNS < columns]
    for length in sorted(set(RECIPE_LENGTHS[level].tolist())):
        paths = [[cell] for cell in cells]
        for _ in range(length - 1):
            longer = [[*path, cell] for path in paths for cell in cells if are_beside(path[-1], cell)]
            paths = [path for path in longer if path[-1] not in path[:-1]]
        expected = [(tuple(path), touching(path)) for path in paths]
        assert sorted(walk(level, length)) == sorted(expected) and expected


def are_beside(cell: int, other: int) -> bool:
    return abs(cell // 6 - other // 6) + abs(cell % 6 - other % 6) == 1


def touching(path: list[int]) -> int:
    return sum(are_beside(one, other) for one, other in itertools.combinations(path, 2)) - len(path) + 1


def walk(level: int, length: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """The paths of a tree as it is walked, their directions and the ends of its branches checked."""
    path: list[int] = []
    needs: list[int] = []
    ends: list[int] = []
    ahead: list[int] = []
    start, stop = bot_plan.PATHS_START[level, length], bot_plan.PATHS_STOP[level, length]
    for node in range(start, stop):
        word = int(bot_plan.PATHS[node])
        place = word >> bot_plan.PLACE_AT & bot_plan.PLACE_MASK
        del path[place:], needs[place:]
        for end in ends[place:]:
            assert end == node
        del ends[place:], ahead[place:]
        path.append(word & bot_plan.CELL_MASK)
        needs.append(word >> bot_plan.NEED_AT & bot_plan.NEED_MASK)
        if place < length - 1:
            ends.append(node + (word >> bot_plan.NEXT_AT & bot_plan.NEXT_MASK))
            ahead.append(word >> bot_plan.AHEAD_AT)
        else:
            assert needs == [toward(path, at) for at in range(length)] and ahead == path[1:]
            yield tuple(path), word >> bot_plan.NEXT_AT


def toward(path: list[int], at: int) -> int:
    """The directions in which the neighbours of a path's cell in it lie."""
    ways = {-6: 1, 1: 2, 6: 4, -1: 8}  # north, east, south, west
    return sum(ways[path[other] - path[at]] for other in (at - 1, at + 1) if 0 <= other < len(path))


def test_quarters_of_a_tile() -> None:
    def quarters(code: str, ways: str) -> int:
        need = sum(1 << "NESW".index(way) for way in ways)
        word = int(bot_plan.QUARTERS[tables.CODE_NAMES.index(code)])
        return word >> bot_plan.QUARTER * need & bot_plan.QUARTER_MASK

    assert [quarters("T07@0", ways) for ways in ("N", "NS", "E", "EW", "NE")] == [0, 0, 1, 1, bot_plan.NEVER]
    assert [quarters("T08@0", ways) for ways in ("NE", "SE", "NW", "SW", "W", "NS")] == [0, 1, 1, 2, 1, bot_plan.NEVER]
    assert [quarters("T09@0", ways) for ways in ("NES", "ESW", "NS", "EW", "W", "NESW"[1:])] == [0, 1, 0, 1, 1, 1]
    assert quarters("T09@1", "NS") == 1 and quarters("T09@2", "E") == 1


def test_waits_grow_with_what_is_missing_and_fit_the_orders_that_come() -> None:
    waits = WAITS.reshape(NUM_ORDERS, NUM_ORDERS, 1 << 5, 1 << bot_plan.QUARTERS_AT)
    possible = waits[:, :, : bot_plan.NEVER].astype(int)
    assert not np.any(possible[:, :, 0, 0]) and possible.max() < FAR and np.all(waits[:, :, bot_plan.NEVER :] == FAR)
    assert np.all(np.diff(possible, axis=2) >= 0) and np.all(np.diff(possible, axis=3) >= 0)
    assert possible[ROTATE, ROTATE, 2, 0] == possible[ROTATE, TRADE, 1, 1] == possible[TRADE, ROTATE, 1, 1] == 2 * TURN
    assert possible[TRADE, TRADE, 0, 1] == TURN < possible[PUSH, TRADE, 0, 1] < 2 * TURN
    assert possible[PUSH, PUSH, 1, 0] == 2 * TURN + round(TURN * 13 / 5)


def test_the_wait_is_nothing_exactly_for_a_complete_recipe() -> None:
    for level, seed in itertools.product(LEVELS, range(4 if PURE_PYTHON else 200)):
        built = dealt(level, seed)
        low, high, across, down = completeness.read_board(built.state.board[0])
        for row in range(tables.NUM_RECIPES):
            complete = completeness.is_complete(built.state, row, low, high, across, down)
            assert (wait_now(built, row) == 0) == complete


@pytest.mark.parametrize(
    ("placed", "wait"),
    [
        (LINE, 0),
        (NO_LINE, 2 * TURN),
        ("a1=eEW b1=pEW c2=mEW c1=fNW", TURN),
        ("a1=eEW b1=pEW c2=mNS c1=fNW", 2 * TURN),
    ],
)
def test_the_wait_fits_quarters_and_steps_to_the_orders(placed: str, wait: int) -> None:
    assert wait_now(place([placed], "push trade rotate"), 0) == wait


def test_a_path_that_touches_itself_is_reckoned_longer() -> None:
    """In a square the last cell touches the first: where they are connected, the recipe is not complete."""
    built = place(["a1=eES b1=pSW b2=mNW a2=wNE"], level=2)
    assert wait_now(built, 0) == RISK
    built = place(["a1=eEW b1=pSW b2=mNW a2=wNE"], level=2)
    assert wait_now(built, 0) == 0


def test_no_tile_serves_two_places_of_a_plan() -> None:
    """Of the two eyes of the recipe one lies right, the other two steps away."""
    built = place(["a1=eEW b1=pEW c3=eSW d3=eNES"], "push trade trade", recipes="epe mffp mmfpe")
    assert wait_now(built, 0) == 2 * TURN


def test_a_limit_ends_the_search_early_and_is_returned() -> None:
    built = dealt(2, seed=5)
    for row in range(tables.NUM_RECIPES):
        wait = wait_now(built, row)
        assert wait_now(built, row, wait) == wait and wait_now(built, row, wait + 1) == wait
        assert wait_now(built, row, wait - 1) == wait - 1


def test_fields_are_wide_enough() -> None:
    assert ALL_CELLS < 1 << (1 << bot_plan.CELL) and tables.NUM_CELLS * bot_plan.STEP < 63
    assert bot_plan.COST * (tables.MAX_LENGTH - 1) < 63 and bot_plan.PATHS.max() < 2**31 - 1
