"""What a seat may know in Pick-a-Pepper: what it observes, and what is redrawn because it cannot know it."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.core.layout import Layout, Segment
from pepperenvs.core.rng import shuffle_anew
from pepperenvs.games.pick_a_pepper.playing import clockwise, combo_size
from pepperenvs.games.pick_a_pepper.round_end import num_cards
from pepperenvs.games.pick_a_pepper.state import (
    GRABBING,
    MAX_ROUNDS,
    MAX_SEATS,
    NUM_SLOTS,
    OVER,
    PLAYING,
    TURNS,
)
from pepperenvs.games.pick_a_pepper.tables import (
    HAND_CARDS,
    MAX_COPIES,
    NUM_CARDS,
    NUM_SAUCES,
    NUM_VALUES,
    REQUIRED,
    SAUCE_NAMES,
    SAUCE_POINTS,
    VALUE_NAMES,
    WILD,
)

_SEATS, _VALUES = {"seats": MAX_SEATS}, {"values": NUM_VALUES}
_BY_VALUE = {**_SEATS, **_VALUES}
_MAX_POINTS = int(SAUCE_POINTS.sum())

OBS = Layout(
    Segment("hand", _VALUES, 0, MAX_COPIES, "own hand", VALUE_NAMES),
    Segment("ingredients", _VALUES, 0, MAX_COPIES, "own ingredient deck", VALUE_NAMES),
    Segment("slots", {"slots": NUM_SLOTS, **_VALUES}, 0, 3, "cards in each slot", VALUE_NAMES),
    Segment("table", _BY_VALUE, 0, MAX_COPIES, "combination before each seat, wilds in the last cell", VALUE_NAMES),
    Segment("to_play", _SEATS, 0, 1, "1 while a seat has still to play or regroup this round"),
    Segment("to_act", _SEATS, 0, 1, "1 while a seat's turn this round lies ahead: a combination lies before it"),
    Segment(
        "turn_place",
        _SEATS,
        0,
        MAX_SEATS,
        "place in this round's order of turns, 1 = first; 0 for none or while combinations are played",
    ),
    Segment("to_grab", _SEATS, 0, 1, "1 while a seat has still to grab at the end of this round"),
    Segment("spoon", _SEATS, 0, 1, "1 for the seat that holds the spoon"),
    Segment("phase", {}, 1, 2, "1 gathering, 2 cooking"),
    Segment("round", {}, 0, MAX_ROUNDS, "round of phase 2, from 1; 0 in phase 1"),
    Segment("rounds_left", {}, 0, MAX_ROUNDS, "rounds of phase 2 still to begin before the game is cut short"),
    Segment("step", {"steps": 3}, 0, 1, "1 for the decision asked; none after the end", ("play", "turn", "grab")),
    Segment("discards", _VALUES, 0, MAX_COPIES, "discarded cards", VALUE_NAMES),
    Segment("deck_size", {}, 0, NUM_CARDS, "cards in the deck"),
    Segment("display", {"sauces": NUM_SAUCES}, 0, 1, "1 for a sauce on display", SAUCE_NAMES),
    Segment("sauces", {**_SEATS, "sauces": NUM_SAUCES}, 0, 1, "1 for a sauce that a seat has cooked", SAUCE_NAMES),
    Segment("sauce_pile", {}, 0, NUM_SAUCES, "sauces face down"),
    Segment("hand_size", _SEATS, 0, NUM_CARDS, "cards in each hand"),
    Segment("ingredients_size", _SEATS, 0, NUM_CARDS, "cards in each ingredient deck"),
    Segment("points", _SEATS, -NUM_CARDS, _MAX_POINTS, "points if the game ended now"),
    Segment("required", {}, 0, int(REQUIRED.max()), "sauces that a seat must cook, and may"),
    Segment("hand_cards", {}, 0, int(HAND_CARDS.max()), "cards dealt to each seat"),
    Segment("num_players", {}, 2, MAX_SEATS, "players"),
    Segment(
        "known_hand", _BY_VALUE, 0, MAX_COPIES, "with `recall`: cards that a seat is known to hold in hand", VALUE_NAMES
    ),
    Segment("known_ingredients", _BY_VALUE, 0, MAX_COPIES, "with `recall`: cards in each ingredient deck", VALUE_NAMES),
)

_HAND, _INGREDIENTS, _SLOTS, _TABLE = (OBS.start(name) for name in ("hand", "ingredients", "slots", "table"))
_TO_PLAY, _TO_ACT, _TURN_PLACE = OBS.start("to_play"), OBS.start("to_act"), OBS.start("turn_place")
_TO_GRAB, _SPOON, _PHASE, _ROUND = (OBS.start(name) for name in ("to_grab", "spoon", "phase", "round"))
_ROUNDS_LEFT, _STEP, _DISCARDS = OBS.start("rounds_left"), OBS.start("step"), OBS.start("discards")
_DECK_SIZE, _DISPLAY, _SAUCES = OBS.start("deck_size"), OBS.start("display"), OBS.start("sauces")
_SAUCE_PILE, _HAND_SIZE = OBS.start("sauce_pile"), OBS.start("hand_size")
_INGREDIENTS_SIZE, _POINTS, _REQUIRED = OBS.start("ingredients_size"), OBS.start("points"), OBS.start("required")
_HAND_CARDS, _PLAYERS = OBS.start("hand_cards"), OBS.start("num_players")
_KNOWN_HAND, _KNOWN_INGREDIENTS = OBS.start("known_hand"), OBS.start("known_ingredients")


@kernel
def observe(state, seat, out):
    """Write all that `seat` sees: own cards, and everything that lies open.

    out    int16 [OBS.size], every cell is written: zeros first, then what is there
    """
    out[:] = 0
    observe_table(state, out)
    for value in range(NUM_VALUES):
        out[_HAND + value] = state.hand[seat, value]
    for value in range(NUM_VALUES):
        out[_INGREDIENTS + value] = state.ingredients[seat, value]
    for place in range(state.num_seats):
        other = clockwise(state, seat, place)
        observe_seat(state, other, place, out)
        if state.recall:
            observe_memory(state, other, place, out)
    for index in range(state.num_turns):
        place = np.int64(state.turn_order[index]) - seat
        out[_TURN_PLACE + (place if place >= 0 else place + state.num_seats)] = index + 1
    place = state.spoon - seat
    out[_SPOON + (place if place >= 0 else place + state.num_seats)] = 1


@kernel
def observe_table(state, out):
    """What lies in the middle and is the same for every seat."""
    for slot in range(NUM_SLOTS):
        out[_SLOTS + slot * NUM_VALUES + np.int64(state.slot_value[slot])] = state.slot_size[slot]
    for value in range(NUM_VALUES):
        out[_DISCARDS + value] = state.discards[value]
    for sauce in range(NUM_SAUCES):
        out[_DISPLAY + sauce] = state.display[sauce]
    out[_PHASE] = state.phase
    out[_ROUND] = state.rounds
    out[_ROUNDS_LEFT] = state.max_rounds - state.rounds
    out[_DECK_SIZE] = state.deck_len
    out[_SAUCE_PILE] = state.sauce_len
    out[_REQUIRED] = state.required
    out[_HAND_CARDS] = state.hand_cards
    out[_PLAYERS] = state.num_seats
    if state.to_move != OVER:
        if state.stage == PLAYING:
            out[_STEP] = 1
        elif state.stage == TURNS:
            out[_STEP + 1] = 1
        elif state.stage == GRABBING:
            out[_STEP + 2] = 1


@kernel
def observe_seat(state, other, place, out):
    """What lies open of a seat that sits `place` seats clockwise of the one that looks."""
    size = combo_size(state, other)
    if size > 0:
        value = np.int64(state.combo_value[other])
        out[_TABLE + place * NUM_VALUES + value] = state.combo_numbers[other]
        out[_TABLE + place * NUM_VALUES + WILD] = state.combo_wilds[other]
        out[_TO_ACT + place] = 1
    out[_TO_PLAY + place] = state.to_play[other]
    out[_TO_GRAB + place] = state.to_grab[other]
    if state.num_cooked[other] > 0:
        for sauce in range(NUM_SAUCES):
            out[_SAUCES + place * NUM_SAUCES + sauce] = state.sauces[other, sauce]
    out[_HAND_SIZE + place] = state.hand_size[other]
    out[_INGREDIENTS_SIZE + place] = state.ingredients_size[other]
    out[_POINTS + place] = state.cooked_points[other] - num_cards(state, other)


@kernel
def observe_memory(state, other, place, out):
    """What a perfect memory knows of a seat's cards: all but hands in phase 1.  [R10]"""
    for value in range(NUM_VALUES):
        if state.phase == 2:
            out[_KNOWN_HAND + place * NUM_VALUES + value] = state.hand[other, value]
        out[_KNOWN_INGREDIENTS + place * NUM_VALUES + value] = state.ingredients[other, value]


@kernel
def resample_hidden(state, seat):
    """Redraw the order of deck and sauces, and in phase 1 the other seats' hands.  [R10]

    Until a reshuffle in phase 1 the hands are drawn from deck and hands together; after it the deck's cards are known
    (they were the discards), and the hands are redrawn among themselves.
    """
    shuffle_anew(state.sauce_pile, 0, state.sauce_len, state.rng)
    if state.phase == 1:
        end = collect_hands(state, seat)
        if state.reshuffled:
            shuffle_anew(state.deck, state.deck_len, end, state.rng)
            shuffle_anew(state.deck, 0, state.deck_len, state.rng)
        else:
            shuffle_anew(state.deck, 0, end, state.rng)
        deal_again(state, seat, end)
    else:
        shuffle_anew(state.deck, 0, state.deck_len, state.rng)


@kernel
def collect_hands(state, seat):
    """Lay the other seats' hand cards behind the deck; returns where they end."""
    end = state.deck_len
    for other in range(state.num_seats):
        if other != seat:
            for value in range(NUM_VALUES):
                for _ in range(state.hand[other, value]):
                    state.deck[end] = value
                    end += 1
                state.hand[other, value] = 0
    return end


@kernel
def deal_again(state, seat, end):
    """Give the cards behind the deck, up to `end`, to the other seats, as many to each as it had."""
    for other in range(state.num_seats):
        if other != seat:
            for _ in range(state.hand_size[other]):
                end -= 1
                state.hand[other, state.deck[end]] += 1
                state.deck[end] = 0
