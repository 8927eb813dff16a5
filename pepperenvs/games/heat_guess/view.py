"""What a seat may know in Heat Guess: what it observes, and what is redrawn because it cannot know it."""

from pepperenvs.core.jit import kernel
from pepperenvs.core.layout import Layout, Segment
from pepperenvs.core.rng import below, shuffle_anew
from pepperenvs.games.heat_guess.state import MAX_MOVES, MAX_SEATS, OVER
from pepperenvs.games.heat_guess.tables import KIND_NAMES, MAX_CARDS, MAX_COPIES, MAX_HEATS, MAX_KINDS

_KINDS = {"kinds": MAX_KINDS}
_NUMBERS = tuple(str(heat + 1) for heat in range(MAX_HEATS))

OBS = Layout(
    Segment("shown", _KINDS, 0, 1, "1 for the kind on the top card; none after the end", KIND_NAMES),
    Segment("possible", {**_KINDS, "heats": MAX_HEATS}, 0, 1, "1 where a kind may still have that number", _NUMBERS),
    Segment("remaining", _KINDS, 0, MAX_COPIES, "cards of each kind in the pile, the shown one included", KIND_NAMES),
    Segment("points", {"seats": MAX_SEATS}, 0, MAX_CARDS, "points, own seat first, then clockwise"),
    Segment("num_players", {}, 1, MAX_SEATS, "players"),
    Segment("heats", {}, 2, MAX_HEATS, "heat numbers are 1 … this"),
    Segment("reveal", {}, 0, 1, "1 if a wrong guess reveals the number"),
    Segment("moves_left", {}, 0, MAX_MOVES, "guesses left before the game is cut short"),
)

_SHOWN, _POSSIBLE, _REMAINING = OBS.start("shown"), OBS.start("possible"), OBS.start("remaining")
_POINTS, _PLAYERS, _HEATS = OBS.start("points"), OBS.start("num_players"), OBS.start("heats")
_REVEAL, _MOVES_LEFT = OBS.start("reveal"), OBS.start("moves_left")


@kernel
def observe(state, seat, out):
    """Write all that `seat` sees; everything in this game but the order of the pile and the numbers not yet known.

    out    int16 [OBS.size], every cell is written
    """
    for kind in range(MAX_KINDS):
        out[_SHOWN + kind] = 0
        out[_REMAINING + kind] = state.remaining[kind]
        for heat in range(MAX_HEATS):
            out[_POSSIBLE + kind * MAX_HEATS + heat] = state.possible[kind, heat]
    if state.to_move != OVER:
        out[_SHOWN + state.pile[state.pile_len - 1]] = 1
    for place in range(MAX_SEATS):
        out[_POINTS + place] = 0
    for place in range(state.num_seats):
        out[_POINTS + place] = state.score[(seat + place) % state.num_seats]
    out[_PLAYERS] = state.num_seats
    out[_HEATS] = state.heats
    out[_REVEAL] = state.reveal
    out[_MOVES_LEFT] = state.max_moves - state.moves


@kernel
def resample_hidden(state, seat):
    """Redraw every unknown number among those not ruled out, and the order of the pile below the shown card."""
    for kind in range(state.kinds):
        count = 0
        for heat in range(state.heats):
            count += state.possible[kind, heat]
        if count > 1:
            choose_heat(state, kind, below(state.rng, count))
    shuffle_anew(state.pile, 0, state.pile_len - 1, state.rng)


@kernel
def choose_heat(state, kind, nth):
    """Give a kind the nth of its possible numbers, counted from 0."""
    for heat in range(state.heats):
        if state.possible[kind, heat]:
            if nth == 0:
                state.heat[kind] = heat + 1
            nth -= 1
