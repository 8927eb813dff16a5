"""What a seat may know in Peppers of the Caribbean: what it observes, and what is redrawn as it cannot know it."""

import numpy as np

from pepperenvs.core.cells import write_cells
from pepperenvs.core.jit import kernel
from pepperenvs.core.layout import Layout, Segment
from pepperenvs.core.rng import shuffle, sort_pile
from pepperenvs.games.peppers_of_the_caribbean.cards import add_card
from pepperenvs.games.peppers_of_the_caribbean.rules import can_play
from pepperenvs.games.peppers_of_the_caribbean.sets import can_complete
from pepperenvs.games.peppers_of_the_caribbean.state import (
    LAST_TURNS,
    MAX_HAND,
    MAX_MOVES,
    MAX_SEATS,
    OVER,
    SET,
    SET_UP,
    TURN,
)
from pepperenvs.games.peppers_of_the_caribbean.tables import (
    BONUS_NAMES,
    MAX_COPIES,
    MAX_POINTS,
    NUM_BONUSES,
    NUM_CARDS,
    NUM_TYPES,
    TYPE_NAMES,
)

_SEATS, _TYPES, _BONUSES = {"seats": MAX_SEATS}, {"types": NUM_TYPES}, {"bonus cards": NUM_BONUSES}
_BY_TYPE = {**_SEATS, **_TYPES}
_STEPS = ("turn", "set", "drop", "bonus")  # in the order of the stages, from TURN on

OBS = Layout(
    Segment("hand", _TYPES, 0, MAX_COPIES, "own hand", TYPE_NAMES),
    Segment("supply", _TYPES, 0, MAX_COPIES, "cards in the supply", TYPE_NAMES),
    Segment("front", _BY_TYPE, 0, MAX_COPIES, "cards in front of each seat", TYPE_NAMES),
    Segment("bonus_cards", {**_SEATS, **_BONUSES}, 0, 1, "1 for a bonus card that a seat has been given", BONUS_NAMES),
    Segment("open_bonuses", _BONUSES, 0, 1, "1 for a bonus card that lies open", BONUS_NAMES),
    Segment("discards", _TYPES, 0, MAX_COPIES, "discarded cards", TYPE_NAMES),
    Segment("kept", _TYPES, 0, 1, "cards kept of the set that is being played", TYPE_NAMES),
    Segment("thrown", _TYPES, 0, 1, "cards thrown of it", TYPE_NAMES),
    Segment("step", {"steps": len(_STEPS)}, 0, 1, "1 for the decision asked; none after the end", _STEPS),
    Segment("active", _SEATS, 0, 1, "1 for the seat to move; none after the end"),
    Segment("hand_size", _SEATS, 0, MAX_HAND, "cards in each hand"),
    Segment("pile_size", {}, 0, NUM_CARDS, "cards in the pile"),
    Segment("last_turns", {}, 0, 2, "1 once the pile is empty, while that turn is finished; 2 in the last turns"),
    Segment("turns_left", _SEATS, 0, 1, "1 for a seat that has not finished its last turn, once the pile is empty"),
    Segment("points", _SEATS, 0, MAX_POINTS, "points of the cards in front and of the bonus cards", usual=30),
    Segment("moves_left", {}, 0, MAX_MOVES, "moves before the game is cut short", usual=2000),
    Segment("num_players", {}, 2, MAX_SEATS, "players"),
    Segment(
        "known_hand",
        _BY_TYPE,
        0,
        MAX_COPIES,
        "with `recall`: cards that a seat is known to hold in hand; of the own seat, what the others know",
        TYPE_NAMES,
    ),
)

_AT = {segment.name: OBS.start(segment.name) for segment in OBS.segments}
_HAND, _SUPPLY, _FRONT, _BONUS_CARDS = _AT["hand"], _AT["supply"], _AT["front"], _AT["bonus_cards"]
_OPEN, _DISCARDS, _KEPT, _THROWN = _AT["open_bonuses"], _AT["discards"], _AT["kept"], _AT["thrown"]
_STEP, _ACTIVE, _HAND_SIZE, _PILE_SIZE = _AT["step"], _AT["active"], _AT["hand_size"], _AT["pile_size"]
_LAST, _TURNS_LEFT, _POINTS, _MOVES_LEFT = _AT["last_turns"], _AT["turns_left"], _AT["points"], _AT["moves_left"]
_PLAYERS, _KNOWN = _AT["num_players"], _AT["known_hand"]


@kernel
def observe(state, seat, out):
    """Write all that `seat` sees: its hand, and everything that lies open.

    out    int16 [OBS.size], every cell is written: zeros first, then what is there
    """
    out[:] = 0
    for index in range(np.int64(state.hand_size[seat])):
        out[_HAND + np.int64(state.hand[seat, index])] += 1
    observe_table(state, out)
    for place in range(state.num_seats):
        other = seat + place if seat + place < state.num_seats else seat + place - state.num_seats
        observe_seat(state, other, place, out)
    if state.to_move != OVER:
        place = state.to_move - seat
        out[_ACTIVE + (place if place >= 0 else place + state.num_seats)] = 1


@kernel
def observe_table(state, out):
    """What lies in the middle and is the same for every seat."""
    for index in range(state.supply_len):
        out[_SUPPLY + np.int64(state.supply[index])] += 1
    write_cells(out, _OPEN, state.open_bonuses)
    write_cells(out, _DISCARDS, state.discards)
    for index in range(state.num_kept):
        out[_KEPT + np.int64(state.kept[index])] = 1
    for index in range(state.num_thrown):
        out[_THROWN + np.int64(state.thrown[index])] = 1
    if state.to_move != OVER and state.stage > SET_UP:
        out[_STEP + state.stage - TURN] = 1
    out[_PILE_SIZE] = state.pile_len
    out[_LAST] = state.ending
    out[_MOVES_LEFT] = state.max_moves - state.moves
    out[_PLAYERS] = state.num_seats


@kernel
def observe_seat(state, other, place, out):
    """What lies open of a seat that sits `place` seats clockwise of the one that looks."""
    if state.score[other] > 0:  # else it has nothing in front
        write_cells(out, _FRONT + place * NUM_TYPES, state.front[other])
        write_cells(out, _BONUS_CARDS + place * NUM_BONUSES, state.bonus_cards[other])
    out[_HAND_SIZE + place] = state.hand_size[other]
    out[_TURNS_LEFT + place] = state.turns_left[other]
    out[_POINTS + place] = state.score[other]
    if state.recall:
        write_cells(out, _KNOWN + place * NUM_TYPES, state.known[other])


@kernel
def resample_hidden(state, seat):
    """Redraw the pile and the hand cards of other seats that were not taken openly.

    Whoever is to move can play or complete its set; so the hands are drawn until that is so: uniform among the hands
    for which it is. The true hands are one of them, so drawing ends.
    """
    end = collect_hands(state, seat)
    sort_pile(state.pile, 0, end)
    while True:
        shuffle(state.pile, 0, end, state.rng)
        deal_again(state, seat, end)
        if state.to_move == OVER or state.to_move == seat or can_go_on(state):
            break
    state.pile[state.pile_len : end] = 0


@kernel
def collect_hands(state, seat):
    """Lay copies of the unknown hand cards of all other seats behind the pile; returns where they end."""
    end = state.pile_len
    for other in range(state.num_seats):
        if other != seat:
            index, size = 0, np.int64(state.hand_size[other])
            while index < size:
                card, first = np.int64(state.hand[other, index]), index
                while index < size and state.hand[other, index] == card:
                    index += 1
                for _ in range(index - first - np.int64(state.known[other, card])):
                    state.pile[end] = card
                    end += 1
    return end


@kernel
def deal_again(state, seat, end):
    """Each other seat holds what it is known to hold, and as many of the cards behind the pile as it lacks."""
    for other in range(state.num_seats):
        if other != seat:
            hand, held = state.hand[other], 0
            for kind in range(NUM_TYPES):
                for _ in range(state.known[other, kind]):
                    hand[held] = kind
                    held += 1
            while held < state.hand_size[other]:
                end -= 1
                add_card(hand, held, np.int64(state.pile[end]))
                held += 1


@kernel
def can_go_on(state):
    """Whether the seat to move has a legal action."""
    if state.stage == SET:
        return can_complete(state)
    if state.stage == TURN and state.ending == LAST_TURNS:
        return can_play(state, state.to_move)
    return True
