"""The Potion Contest in game records: its random outcomes as JSON, out and in."""

from collections import Counter
from typing import Any

from pepperenvs.core import record
from pepperenvs.games.potion_contest.state import DEAL, RESHUFFLE, TIEBREAK_RECIPE
from pepperenvs.games.potion_contest.tables import (
    CELLS,
    CODE_NAMES,
    FIRST_TILE,
    INGREDIENTS,
    NUM_RECIPES,
    NUM_TILES_AT,
    ORDER_NAMES,
    RECIPE_LENGTHS,
    TIEBREAK_LENGTH,
    TILE_NAMES,
    TURNS,
)

OUTCOMES = {DEAL: "deal", RESHUFFLE: "orders_reshuffle", TIEBREAK_RECIPE: "tiebreak_recipe"}


def outcome(state: Any) -> Any:
    """The random outcome that `chance` has just drawn for `state.pending`, as the record writes it."""
    orders = [ORDER_NAMES[order] for order in state.pile[: state.pile_len][::-1]]
    if state.pending == RESHUFFLE:
        return orders
    dealt = [INGREDIENTS[ingredient] for ingredient in state.recipe_pile]
    if state.pending == TIEBREAK_RECIPE:
        return dealt[:TIEBREAK_LENGTH]
    cells = _cells(state)
    boards = [[CODE_NAMES[state.board[seat, cell]] for cell in cells] for seat in range(state.num_seats)]
    recipes, start = [], 0
    for length in _lengths(state):
        recipes.append(dealt[start : start + length])
        start += length
    return {"boards": boards, "recipes": recipes, "orders": orders}


def impose(state: Any, value: Any) -> None:
    """Write the given outcome where `chance` would have drawn one. Raises ValueError if it is impossible."""
    orders = [int(order) for order in state.pile[: state.pile_len]]
    tiles = [int(ingredient) for ingredient in state.recipe_pile[: NUM_TILES_AT[state.level]]]
    if state.pending == RESHUFFLE:
        _lay(state.pile, record.order("orders_reshuffle", orders, ORDER_NAMES, value))
    elif state.pending == TIEBREAK_RECIPE:
        state.recipe_pile[: len(tiles)] = _tiebreak_recipe(tiles, value)
    else:
        record.keys("deal", value, ("boards", "recipes", "orders"))
        boards = [_board(state, board) for board in _lists("deal: boards", value["boards"], state.num_seats)]
        recipes = _lists("deal: recipes", value["recipes"], NUM_RECIPES)
        if [len(recipe) for recipe in recipes] != _lengths(state):
            raise ValueError(f"deal: recipes must have the lengths {_lengths(state)}")
        dealt = record.order("deal: recipes", tiles, INGREDIENTS, [name for recipe in recipes for name in recipe])
        _lay(state.pile, record.order("deal: orders", orders, ORDER_NAMES, value["orders"]))
        state.recipe_pile[: len(tiles)] = dealt
        state.board[: state.num_seats, _cells(state)] = boards


def _cells(state: Any) -> list[int]:
    """The cells of the grid."""
    cells: list[int] = CELLS[state.level, : NUM_TILES_AT[state.level]].tolist()
    return cells


def _lengths(state: Any) -> list[int]:
    """The lengths of the recipes."""
    lengths: list[int] = RECIPE_LENGTHS[state.level, :NUM_RECIPES].tolist()
    return lengths


def _lists(what: str, value: Any, count: int) -> list[list[Any]]:
    if not isinstance(value, list) or len(value) != count or not all(isinstance(one, list) for one in value):
        raise ValueError(f"{what} must be a list of {count} lists")
    return value


def _board(state: Any, names: list[Any]) -> list[int]:
    """What lies on the cells of a grid, from names of tiles and turns."""
    for name in names:
        if not isinstance(name, str) or name not in CODE_NAMES[1:]:
            raise ValueError(f"deal: boards must hold tiles with quarter turns, as in {CODE_NAMES[1]!r}, not {name!r}")
    codes = [CODE_NAMES.index(name) for name in names]
    tiles = range(FIRST_TILE[state.level], len(TILE_NAMES))
    record.order("deal: a board", tiles, TILE_NAMES, [TILE_NAMES[(code - 1) // TURNS] for code in codes])
    return codes


def _tiebreak_recipe(tiles: list[int], names: Any) -> list[int]:
    """The recipe tiles with the recipe first and the others sorted."""
    if not isinstance(names, list) or len(names) != TIEBREAK_LENGTH or not all(isinstance(name, str) for name in names):
        raise ValueError(f"tiebreak_recipe must be a list of {TIEBREAK_LENGTH} names")
    rest = Counter(INGREDIENTS[tile] for tile in tiles)
    rest.subtract(names)
    if min(rest.values()) < 0:
        raise ValueError(
            f"tiebreak_recipe must hold recipe tiles of the level; {min(rest, key=rest.__getitem__)!r} is off"
        )
    return [INGREDIENTS.index(name) for name in names] + sorted(INGREDIENTS.index(name) for name in rest.elements())


def _lay(pile: Any, drawn: list[int]) -> None:
    """Put a pile into drawing order: its last order is drawn first."""
    pile[: len(drawn)] = drawn[::-1]
