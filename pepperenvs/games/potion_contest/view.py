"""What a seat may know in The Potion Contest: what it observes, and what is redrawn because it cannot know it."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.core.layout import Layout, Segment
from pepperenvs.core.rng import below, shuffle_anew
from pepperenvs.games.potion_contest.orders import nth_choice, num_choices
from pepperenvs.games.potion_contest.state import MAX_SEATS, MAX_TURNS, NOTHING, OVER, USUAL_TURNS, VISIBLE
from pepperenvs.games.potion_contest.tables import (
    CONNECTORS,
    DIRECTIONS,
    INGREDIENTS,
    IS_INGREDIENT,
    MAX_LENGTH,
    NUM_CARDS,
    NUM_CELLS,
    NUM_INGREDIENTS,
    NUM_LEVELS,
    NUM_ORDERS,
    NUM_RECIPES,
    ORDER_COPIES,
    ORDER_NAMES,
    RECIPE_LENGTHS,
    TIEBREAK,
    TIEBREAK_LENGTH,
    TURNS,
)

_SEATS, _CELLS, _KINDS = {"seats": MAX_SEATS}, {"cells": NUM_CELLS}, {"kinds": NUM_INGREDIENTS}
_ROWS, _ORDERS = {"recipes": NUM_RECIPES}, {"orders": NUM_ORDERS}

OBS = Layout(
    Segment(
        "ingredients",
        {**_SEATS, **_CELLS, **_KINDS},
        0,
        1,
        "1 for the ingredient on each cell, as the board was at the start of the turn",
        INGREDIENTS,
    ),
    Segment(
        "connectors",
        {**_SEATS, **_CELLS, "directions": len(DIRECTIONS)},
        0,
        1,
        "1 for each connector of the tile there",
        DIRECTIONS,
    ),
    Segment(
        "recipes",
        {**_ROWS, "places": MAX_LENGTH, **_KINDS},
        0,
        1,
        "1 for the ingredient at each place of a recipe, first recipe first",
        INGREDIENTS,
    ),
    Segment("done", {**_SEATS, **_ROWS}, 0, 1, "1 for a recipe that a seat has completed"),
    Segment(
        "own_orders",
        {**_SEATS, **_ORDERS},
        0,
        1,
        "1 for a personal order that a seat has not used, as at the start of the turn; zero at level 1",
        ORDER_NAMES,
    ),
    Segment("orders_left", _SEATS, 0, NUM_ORDERS, "personal orders a seat may still use, as at the start of the turn"),
    Segment(
        "orders",
        {"visible": VISIBLE, **_ORDERS},
        0,
        1,
        "1 for the kind of the current main order and of the next two",
        ORDER_NAMES,
    ),
    Segment("pile_size", {}, 0, NUM_CARDS - VISIBLE, "orders in the pile, the visible ones not counted"),
    Segment("to_choose", _SEATS, 0, 1, "1 while a seat has still to choose this turn"),
    Segment("turn", {}, 1, MAX_TURNS, "turn, from 1", usual=USUAL_TURNS),
    Segment(
        "turns_left",
        {},
        0,
        MAX_TURNS,
        "turns before the limit, the current one included; 0 after the end by limit",
        usual=USUAL_TURNS,
    ),
    Segment(
        "tiebreak",
        {"places": TIEBREAK_LENGTH, **_KINDS},
        0,
        1,
        "1 for the ingredient at each place of the recipe of the tie-break; zero before one",
        INGREDIENTS,
    ),
    Segment(
        "playing",
        _SEATS,
        0,
        1,
        "1 for a seat that still plays: all, or the tied ones in a tie-break; none after the end",
    ),
    Segment("level", {}, 1, NUM_LEVELS, "level"),
    Segment("num_players", {}, 1, MAX_SEATS, "players"),
    Segment(
        "pile",
        _ORDERS,
        0,
        int(ORDER_COPIES.max()),
        "with `recall`: orders of each kind in the pile",
        ORDER_NAMES,
    ),
)

_AT = {segment.name: OBS.start(segment.name) for segment in OBS.segments}
_INGREDIENTS, _CONNECTORS, _RECIPES, _DONE = _AT["ingredients"], _AT["connectors"], _AT["recipes"], _AT["done"]
_OWN_ORDERS, _ORDERS_LEFT, _VISIBLE = _AT["own_orders"], _AT["orders_left"], _AT["orders"]
_PILE_SIZE, _TO_CHOOSE, _TURN, _TURNS_LEFT = _AT["pile_size"], _AT["to_choose"], _AT["turn"], _AT["turns_left"]
_TIEBREAK, _PLAYING, _LEVEL = _AT["tiebreak"], _AT["playing"], _AT["level"]
_PLAYERS, _PILE = _AT["num_players"], _AT["pile"]


@kernel
def observe(state, seat, out):
    """Write all that `seat` sees: everything but choices not yet carried out, and the order of the pile.

    out    int16 [OBS.size], every cell is written: zeros first, but for the boards that are there
    """
    out[_INGREDIENTS + state.num_seats * NUM_CELLS * NUM_INGREDIENTS : _CONNECTORS] = 0
    out[_CONNECTORS + state.num_seats * NUM_CELLS * TURNS :] = 0
    for place in range(state.num_seats):
        other = seat + place
        if other >= state.num_seats:
            other -= state.num_seats
        observe_board(state, other, place, out)
        observe_seat(state, other, place, out)
    observe_recipes(state, out)
    observe_orders(state, out)
    is_over = state.to_move == OVER
    out[_TURN] = state.turn
    out[_TURNS_LEFT] = state.max_turns - state.turn + (0 if is_over else 1)
    out[_LEVEL] = state.level
    out[_PLAYERS] = state.num_seats


@kernel
def observe_board(state, other, place, out):
    """The board of a seat that sits `place` seats clockwise of the one that looks.

    All its cells are written, zeros too: rows of a table are copied several at once, which single cells are not.
    """
    for cell in range(NUM_CELLS):
        code = np.int64(state.board[other, cell])
        first = _INGREDIENTS + (place * NUM_CELLS + cell) * NUM_INGREDIENTS
        for ingredient in range(NUM_INGREDIENTS):
            out[first + ingredient] = IS_INGREDIENT[code, ingredient]
        first = _CONNECTORS + (place * NUM_CELLS + cell) * TURNS
        for direction in range(TURNS):
            out[first + direction] = CONNECTORS[code, direction]


@kernel
def observe_seat(state, other, place, out):
    """What else lies open of that seat."""
    for row in range(NUM_RECIPES):
        out[_DONE + place * NUM_RECIPES + row] = state.done[other, row]
    for order in range(NUM_ORDERS):
        out[_OWN_ORDERS + place * NUM_ORDERS + order] = state.own[other, order]
    out[_ORDERS_LEFT + place] = state.orders_left[other]
    if state.playing[other] and state.to_move != OVER:
        out[_PLAYING + place] = 1
        out[_TO_CHOOSE + place] = state.choice[other] == NOTHING


@kernel
def observe_recipes(state, out):
    """The recipes, and in a tie-break its own."""
    for row in range(NUM_RECIPES):
        for place in range(RECIPE_LENGTHS[state.level, row]):
            ingredient = np.int64(state.recipe[row, place])
            out[_RECIPES + (row * MAX_LENGTH + place) * NUM_INGREDIENTS + ingredient] = 1
    if state.is_tiebreak:
        for place in range(TIEBREAK_LENGTH):
            out[_TIEBREAK + place * NUM_INGREDIENTS + np.int64(state.recipe[TIEBREAK, place])] = 1


@kernel
def observe_orders(state, out):
    """The main orders that lie face up, and how many, with recall which, are in the pile."""
    for place in range(VISIBLE):
        out[_VISIBLE + place * NUM_ORDERS + np.int64(state.visible[place])] = 1
    out[_PILE_SIZE] = state.pile_len
    if state.recall:
        for index in range(state.pile_len):
            out[_PILE + np.int64(state.pile[index])] += 1


@kernel
def resample_hidden(state, seat):
    """Redraw the order of the pile, and what other seats have chosen this turn, uniformly among what they may."""
    shuffle_anew(state.pile, 0, state.pile_len, state.rng)
    for other in range(state.num_seats):
        if other != seat and state.choice[other] != NOTHING:
            state.choice[other] = nth_choice(state, other, below(state.rng, num_choices(state, other)))
