"""Scoville, harvesting: farmers walk along the paths and take what the plots beside them breed.        [section 3]"""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.scoville.actions import PASS, STEP
from pepperenvs.games.scoville.geometry import EXITS, LEADS_TO, OPPOSITE, STAR, STEP_TRAVEL
from pepperenvs.games.scoville.state import NOTHING
from pepperenvs.games.scoville.tables import DOUBLE_BACK, EXTRA_STEP, YIELD_COLOUR, YIELD_COUNT

FREE_STEPS = 3  # that a seat makes without a tile
ALL_CORNERS = 4


@kernel
def place_farmer(state, seat):
    """In a seat's first harvest its farmer is placed on the star; that is no step and yields nothing.  [R9]"""
    if state.farmer[seat] == NOTHING:
        state.farmer[seat] = STAR
        state.num_farmers[STAR] += 1


@kernel
def next_to_walk(state, seat):
    """The notch from which the seat's farmer will walk on."""
    return STAR if state.farmer[seat] == NOTHING else np.int64(state.farmer[seat])


@kernel
def is_open(state, notch, step):
    """Whether a step from a notch stays on the grid and ends where nobody stands."""
    target = LEADS_TO[notch, step]
    return target != NOTHING and state.num_farmers[target] == 0


@kernel
def is_way(state, seat, corner):
    """Whether the seat may leave its notch through a corner: ahead, or behind with the tile; at first any.  [R11]"""
    if state.heading == NOTHING or corner == state.heading:
        return True
    return corner == OPPOSITE[state.heading] and state.tiles[seat, DOUBLE_BACK] != 0


@kernel
def has_steps_left(state, seat):
    """Three steps, and one more with the tile.  [R10]"""
    return state.steps < FREE_STEPS or (state.steps == FREE_STEPS and state.tiles[seat, EXTRA_STEP] != 0)


@kernel
def can_step(state, seat):
    """Whether a step of this seat is legal."""
    if not has_steps_left(state, seat):
        return False
    notch = state.farmer[seat]
    for corner in range(ALL_CORNERS):
        if is_way(state, seat, corner):
            for step in range(corner * EXITS, (corner + 1) * EXITS):
                if is_open(state, notch, step):
                    return True
    return False


@kernel
def legal_steps(state, ids):
    """Steps in ascending order, and after the first of them pass."""
    seat, count = state.to_move, 0
    notch = state.farmer[seat]
    for corner in range(ALL_CORNERS):
        if is_way(state, seat, corner):
            for step in range(corner * EXITS, (corner + 1) * EXITS):
                if is_open(state, notch, step):
                    ids[count] = STEP + step
                    count += 1
    if state.steps > 0:
        ids[count] = PASS
        count += 1
    return count


@kernel
def walk(state, seat, step):
    """Make a step, spend the tiles that it needs, take what the notch yields.  [R10, R11]"""
    if state.heading != NOTHING and step // EXITS != state.heading:
        state.tiles[seat, DOUBLE_BACK] = 0
    if state.steps == FREE_STEPS:
        state.tiles[seat, EXTRA_STEP] = 0
    state.num_farmers[state.farmer[seat]] -= 1
    notch = LEADS_TO[state.farmer[seat], step]
    state.farmer[seat] = notch
    state.num_farmers[notch] += 1
    state.heading = STEP_TRAVEL[step]
    state.steps += 1
    found = np.int64(state.notch_yield[notch])
    if found != 0:
        state.peppers[seat, YIELD_COLOUR[found]] += YIELD_COUNT[found]


@kernel
def end_walk(state):
    """The heading is forgotten; the next seat is to harvest."""
    state.steps = 0
    state.heading = NOTHING
    state.turn += 1
