"""Scoville, planting: a pepper into a plot beside a planted one, plaques, the extra planting.          [section 2]"""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.scoville.actions import PASS, PLANT, PLOT
from pepperenvs.games.scoville.geometry import BEYOND, NUM_PLOTS, SIDE
from pepperenvs.games.scoville.state import NOTHING
from pepperenvs.games.scoville.tables import (
    COLOUR_STACK,
    EXTRA_PLANT,
    NUM_COLOURS,
    NUM_PLAQUES,
    PLAQUE_POINTS,
    PLAQUE_STACK,
    YIELD,
    YIELD_WORTH,
)


@kernel
def can_plant_more(state, seat):
    """Whether the seat's extra planting is possible: the tile, a pepper and a free plot."""
    if not state.tiles[seat, EXTRA_PLANT] or state.num_planted == NUM_PLOTS:
        return False
    for colour in range(NUM_COLOURS):
        if state.peppers[seat, colour] > 0:
            return True
    return False


@kernel
def legal_plantings(state, ids):
    """A colour that the seat holds, and pass if it is the extra planting; then a free plot beside a planted one."""
    count = 0
    if state.colour != NOTHING:
        for plot in range(NUM_PLOTS):
            if state.frontier[plot]:
                ids[count] = PLOT + plot
                count += 1
        return count
    for colour in range(NUM_COLOURS):
        if state.peppers[state.to_move, colour] > 0:
            ids[count] = PLANT + colour
            count += 1
    if state.is_extra:
        ids[count] = PASS
        count += 1
    return count


@kernel
def choose_colour(state, seat, colour):
    """Choose what to plant, which leaves the hand; an extra planting spends its tile now."""
    state.colour = colour
    state.peppers[seat, colour] -= 1
    if state.is_extra:
        state.tiles[seat, EXTRA_PLANT] = 0


@kernel
def plant(state, seat, plot):
    """Plant the chosen pepper, take the plaque that there may be; then comes the extra planting, or the next seat."""
    colour = state.colour
    state.colour = NOTHING
    put_in_field(state, plot, colour)
    take_plaque(state, seat, colour)
    if state.is_extra or not can_plant_more(state, seat):
        end_planting(state)
    else:
        state.is_extra = 1


@kernel
def end_planting(state):
    """The next seat is to plant."""
    state.is_extra = 0
    state.turn += 1


@kernel
def put_in_field(state, plot, colour):
    """A pepper comes into an empty plot: what its notches yield, and where can be planted, follows."""
    state.plot[plot] = colour + 1
    state.planted[colour] += 1
    state.num_planted += 1
    state.frontier[plot] = 0
    for side in range(4):
        beyond = BEYOND[plot, side]
        if beyond == NOTHING:
            continue
        neighbour = np.int64(state.plot[beyond])
        if neighbour == 0:
            state.frontier[beyond] = 1
        else:
            notch, found = SIDE[plot, side], YIELD[colour, neighbour - 1]
            state.notch_yield[notch] = found
            state.notch_worth[notch] = YIELD_WORTH[found]


@kernel
def take_plaque(state, seat, colour):
    """The top plaque of the colour's stack, once a round.  [R7]"""
    if state.has_plaque[seat] or COLOUR_STACK[colour] == NOTHING:
        return
    plaque = top_plaque(state, COLOUR_STACK[colour])
    if plaque != NOTHING:
        state.plaque_owner[plaque] = seat + 1
        state.points[seat] += PLAQUE_POINTS[plaque]
        state.has_plaque[seat] = 1


@kernel
def top_plaque(state, stack):
    """The plaque on top of a stack, NOTHING if none is left."""
    for plaque in range(NUM_PLAQUES):
        if PLAQUE_STACK[plaque] == stack and state.plaque_owner[plaque] == 0:
            return plaque
    return NOTHING
