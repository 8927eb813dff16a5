"""The table of The Potion Contest as text."""

import functools
import itertools
from collections import Counter
from typing import Any

from pepperenvs.games.potion_contest.actions import OWN, PAIRS, PASS, action_string
from pepperenvs.games.potion_contest.state import NOTHING, OVER
from pepperenvs.games.potion_contest.tables import (
    CELL_NAMES,
    CODE_INGREDIENT,
    COLUMNS,
    COLUMNS_AT,
    CONNECTORS,
    DIRECTIONS,
    FIRST_INGREDIENT,
    INGREDIENTS,
    NUM_CELLS,
    NUM_ORDERS,
    NUM_RECIPES,
    ORDER_NAMES,
    RECIPE_LENGTHS,
    ROWS,
    TIEBREAK,
)

LETTERS = tuple(name.rpartition("_")[2][0].upper() for name in INGREDIENTS)  # where there is no room for the name
NORTH, EAST, SOUTH, WEST = range(len(DIRECTIONS))

# The drawn grid: characters from letter to letter, and what a connector looks like that leads nowhere.
ACROSS, DOWN = 4, 2
STUBS = {NORTH: (0, -1, "."), EAST: (1, 0, "-"), SOUTH: (0, 1, "'"), WEST: (-1, 0, "-")}


def text(state: Any, seat: int | None = None) -> str:
    """The table as `seat` sees it, or with all choices and the pile open if `seat` is None."""
    lines = [
        f"The Potion Contest: {progress(state)}",
        f"  {news(state)}",
        f"orders    now {visible(state)[0]}, next {', '.join(visible(state)[1:])}",
        f"pile      {pile(state, seat)}",
    ]
    for row in rows(state):
        lines.append(f"{_title(row):<10}" + "-".join(LETTERS[kind] for kind in recipe(state, row)))
    present = range(int(FIRST_INGREDIENT[state.level]), len(INGREDIENTS))
    lines.append("letters   " + ", ".join(f"{LETTERS[kind]} {name(kind)}" for kind in present))
    for place in range(state.num_seats):
        lines += _seat_lines(state, place, seat)
    return "\n".join(lines).rstrip("\n")  # the last board's last line may be empty: no connector leads down there


def _seat_lines(state: Any, place: int, seat: int | None) -> list[str]:
    """A seat's name and standing, then its board, and beside that what it has done and what it has left."""
    words = [f"{state.score[place]} of {count(NUM_RECIPES, 'recipe')}"]
    if state.to_move == OVER:
        words.append(f"standing {state.standing[place]}")
    words += ["you" if place == seat else "", status(state, place)]
    mark = ">" if place == state.to_move else " "
    facts = [(_title(row), _completed(state, place, row)) for row in rows(state, place)]
    if state.level > 1:
        facts.append(("orders", _own(state, place)))
    facts += [("last turn", last(state, place)), ("chosen", chosen(state, place, seat))]
    told = [f"{title:<11}{fact}" for title, fact in facts if fact]
    width = 8 + ACROSS * int(COLUMNS_AT[state.level])
    lines = [f"{line:<{width}}{fact}" for line, fact in itertools.zip_longest(_board(state, place), told, fillvalue="")]
    return [f"{mark} player_{place}: {', '.join(word for word in words if word)}", *(line.rstrip() for line in lines)]


def _title(row: int) -> str:
    return "tie-break" if row == TIEBREAK else f"recipe {row + 1}"


def _completed(state: Any, place: int, row: int) -> str:
    """Whether a seat has completed a recipe, and where it lies: "done (a1 b1 c1)"."""
    if not state.done[place, row]:
        return "-"
    return f"done ({' '.join(CELL_NAMES[cell] for cell in trace(state, place, row)) or 'no longer there'})"


def _own(state: Any, place: int) -> str:
    """The personal orders that a seat has not used, how many of them it may use, and how many count as spent."""
    spent = f"{state.spent[place]} spent{' before the tie-break' if state.is_tiebreak else ''}"
    return f"{', '.join(unused(state, place)) or '-'}; {state.orders_left[place]} may be used, {spent}"


def _board(state: Any, place: int) -> list[str]:
    """Tiles by their letters in a grid with names; lines join connected ones, stubs lead nowhere."""
    columns, board = int(COLUMNS_AT[state.level]), state.board[place]
    marks = [[" "] * (ACROSS * columns) for _ in range(DOWN * ROWS + 1)]
    for cell in range(NUM_CELLS):
        if board[cell]:
            x, y = 1 + ACROSS * (cell % COLUMNS), 1 + DOWN * (cell // COLUMNS)
            marks[y][x] = LETTERS[CODE_INGREDIENT[board[cell]]]
            for direction in stubs(board.tobytes(), cell):
                right, below, mark = STUBS[direction]
                marks[y + below][x + right] = mark
    for one, other in links(board.tobytes()):
        x, y = 1 + ACROSS * (one % COLUMNS), 1 + DOWN * (one // COLUMNS)
        if other == one + 1:
            marks[y][x + 1 : x + ACROSS] = "-" * (ACROSS - 1)
        else:
            marks[y + 1][x] = "|"
    names = " " * 7 + (" " * (ACROSS - 1)).join("abcdef"[:columns])
    return [names, *(f"    {y // DOWN + 1 if y % DOWN else ' '} {''.join(row)}" for y, row in enumerate(marks))]


# ------------------------------------------------------------------- facts, in words, for the picture as well


def progress(state: Any) -> str:
    """The level, how far the game is, and whether a tie-break is on."""
    tiebreak = ", tie-break" if state.is_tiebreak else ""
    return f"level {state.level}, turn {state.turn} of at most {state.max_turns}{tiebreak}"


def news(state: Any) -> str:
    """Whose decision it is and among what, or that the game is over."""
    if state.to_move != OVER:
        own = "a personal order" if can_use_own(state, int(state.to_move)) else ""
        return f"player_{state.to_move} chooses: {visible(state)[0]}{', ' if own else ''}{own} or pass"
    if state.num_seats == 1:
        return f"the game is over: {result_alone(state)}"
    return "the game is over" + (" (cut short by the limit of turns)" if state.truncated else "")


def result_alone(state: Any) -> str:
    """How the game of a player alone ended.  [R7]"""
    return "all recipes in time" if state.score[0] == NUM_RECIPES else "no turns are left"


def status(state: Any, place: int) -> str:
    """Whether a seat is out of a tie-break, or has chosen this turn; else empty, and for the seat to move."""
    if not state.playing[place]:
        return "out of the tie-break"
    if state.to_move in (OVER, place):
        return ""
    return "still to choose" if state.choice[place] == NOTHING else "has chosen"


def visible(state: Any) -> list[str]:
    """The main orders that lie face up, the current one first."""
    return [ORDER_NAMES[order] for order in state.visible]


def pile(state: Any, seat: int | None) -> str:
    """How many orders are in the pile, and which ones as far as they are shown."""
    size = count(int(state.pile_len), "order")
    if seat is None and state.pile_len:
        return f"{size}, next {', '.join(ORDER_NAMES[order] for order in coming(state))}"
    if state.recall:
        held = (f"{order} x{number}" for order, number in zip(ORDER_NAMES, counted(state), strict=True))
        return f"{size}: {', '.join(held)}"
    return size


def coming(state: Any) -> list[int]:
    """The orders in the pile, the next one first."""
    return [int(order) for order in state.pile[: state.pile_len][::-1]]


def counted(state: Any) -> list[int]:
    """Orders of each kind in the pile."""
    found = Counter(coming(state))
    return [found[order] for order in range(NUM_ORDERS)]


def rows(state: Any, place: int | None = None) -> list[int]:
    """The recipes, and in a tie-break its own; only those that a seat plays for, if one is given."""
    has_tiebreak = state.is_tiebreak and (place is None or state.playing[place])
    return [*range(NUM_RECIPES), *([TIEBREAK] if has_tiebreak else [])]


def recipe(state: Any, row: int) -> list[int]:
    """The ingredients of a recipe."""
    return [int(kind) for kind in state.recipe[row, : RECIPE_LENGTHS[state.level, row]]]


def name(kind: int) -> str:
    """An ingredient's name."""
    return INGREDIENTS[kind].replace("_", " ")


def can_use_own(state: Any, place: int) -> bool:
    """Whether a seat may choose a personal order now."""
    return bool(state.orders_left[place] > 0 and any(order != visible(state)[0] for order in unused(state, place)))


def unused(state: Any, place: int) -> list[str]:
    """The personal orders that a seat has not used."""
    return [order for order, is_there in zip(ORDER_NAMES, state.own[place], strict=True) if is_there]


def last(state: Any, place: int) -> str:
    """What a seat did in the turn before; empty for nothing."""
    return _action(int(state.last_choice[place]))


def chosen(state: Any, place: int, seat: int | None) -> str:
    """What a seat has chosen this turn, if `seat` is shown it; empty for nothing."""
    return _action(int(state.choice[place])) if seat in (None, place) else ""


def _action(action: int) -> str:
    return "" if action == NOTHING else action_string(action)


def moved(action: int) -> int:
    """The action of a main order that does the same to a board; NOTHING for one that does nothing."""
    return NOTHING if action in (NOTHING, PASS) else action % OWN


# ------------------------------------------------------------------------------------------ paths on a board


@functools.lru_cache(maxsize=1024)
def links(board: bytes) -> tuple[tuple[int, int], ...]:
    """The pairs of neighbouring cells that are connected, the upper or left one first; a board as its cells' codes."""
    pairs = [(int(one), int(other)) for one, other in PAIRS]
    return tuple((one, other) for one, other in pairs if _is_linked(board, one, other))


def _is_linked(board: bytes, one: int, other: int) -> bool:
    there, back = (EAST, WEST) if other == one + 1 else (SOUTH, NORTH)
    return bool(CONNECTORS[board[one], there] and CONNECTORS[board[other], back])


@functools.lru_cache(maxsize=16384)
def stubs(board: bytes, cell: int) -> tuple[int, ...]:
    """The directions of a tile's connectors that lead nowhere."""
    steps = {NORTH: -COLUMNS, EAST: 1, SOUTH: COLUMNS, WEST: -1}
    pairs = links(board)
    linked = {way for way, step in steps.items() if (cell, cell + step) in pairs or (cell + step, cell) in pairs}
    return tuple(way for way in range(len(DIRECTIONS)) if CONNECTORS[board[cell], way] and way not in linked)


def trace(state: Any, place: int, row: int) -> tuple[int, ...]:
    """The cells on which a recipe that a seat has completed still lies: the first path that is found.  [R4]"""
    return () if not state.done[place, row] else spelled(state.board[place].tobytes(), tuple(recipe(state, row)))


@functools.lru_cache(maxsize=4096)
def spelled(board: bytes, kinds: tuple[int, ...]) -> tuple[int, ...]:
    """An induced path whose cells hold these ingredients in order, among connected cells; empty if there is none."""
    beside: dict[int, list[int]] = {cell: [] for cell in range(NUM_CELLS)}
    for one, other in links(board):
        beside[one].append(other)
        beside[other].append(one)

    def lead_on(path: list[int]) -> list[int]:
        if len(path) == len(kinds):
            return path
        for cell in beside[path[-1]]:
            touches = cell in path or any(other in path[:-1] for other in beside[cell])
            if CODE_INGREDIENT[board[cell]] == kinds[len(path)] and not touches:
                found = lead_on([*path, cell])
                if found:
                    return found
        return []

    starts = [cell for cell in range(NUM_CELLS) if board[cell] and CODE_INGREDIENT[board[cell]] == kinds[0]]
    return tuple(next((found for cell in starts if (found := lead_on([cell]))), []))


def count(number: int, noun: str) -> str:
    """A number with its noun: "1 card", "3 cards"."""
    return f"{number} {noun}{'' if number in (1, -1) else 's'}"
