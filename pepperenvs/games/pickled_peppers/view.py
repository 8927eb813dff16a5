"""What a seat may know in Pickled Peppers: what it observes, and what is redrawn as it cannot know it.

All seats know the same: nobody knows a stack, not even its owner, and everything else lies open.
"""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.core.layout import Layout, Segment
from pepperenvs.core.rng import shuffle, shuffle_anew, sort_pile
from pepperenvs.games.pickled_peppers.rules import can_claim, is_claim_right
from pepperenvs.games.pickled_peppers.state import (
    FLIPPING,
    LAST,
    MAX_MOVES,
    MAX_NEED,
    MAX_SEATS,
    NO_CARD,
    OVER,
)
from pepperenvs.lexicon.deck import CARD_NAMES, NUM_CARDS

_SEATS, _CARDS = {"seats": MAX_SEATS}, {"cards": NUM_CARDS}
_STEPS = ("flip", "pickle", "last")  # in the order of the stages, from FLIPPING on
_PLACES = ("in play", *(f"taken {seat}" for seat in range(MAX_SEATS)), *(f"stack {seat}" for seat in range(MAX_SEATS)))

OBS = Layout(
    Segment("stack", _SEATS, 0, NUM_CARDS, "cards in each stack"),
    Segment("taken", _SEATS, 0, NUM_CARDS, "cards in each taken pile"),
    Segment("out", _SEATS, 0, 1, "1 for a seat that is out"),
    Segment("centre_top", _CARDS, 0, 1, "1 for the card on top of the centre pile", CARD_NAMES),
    Segment("centre_size", {}, 0, NUM_CARDS, "cards in the centre pile"),
    Segment("spare", {}, 0, 2, "spare cards that lie face down under the centre"),
    Segment("live", _CARDS, 0, 1, "1 for the live pepper; none in normal play", CARD_NAMES),
    Segment("owner", _SEATS, 0, 1, "1 for the seat that owns it"),
    Segment("need", {}, 0, MAX_NEED, "plain cards that its pickle needs"),
    Segment("laid", {}, 0, MAX_NEED, "plain cards laid by the pickler"),
    Segment("string", {"places": MAX_NEED, **_CARDS}, 0, 1, "the pickler's string, first card first", CARD_NAMES),
    Segment("strings", _CARDS, 0, 1, "1 for a card of an earlier string that is still in play", CARD_NAMES),
    Segment("pickler", _SEATS, 0, 1, "1 for the seat that must pickle"),
    Segment("active", _SEATS, 0, 1, "1 for the seat to move; none after the end"),
    Segment("step", {"steps": len(_STEPS)}, 0, 1, "1 for the decision asked; none after the end", _STEPS),
    Segment("can_claim", {}, 0, 1, "1 if the seat to move may claim"),
    Segment("hint", {}, 0, 1, "with `spell_hint`: 1 if a claim made now would be right"),
    Segment("words", {}, 0, 1, "1 if words may be claimed in this game"),
    Segment("min_len", {}, 2, 4, "letters of the shortest word"),
    Segment("moves_left", {}, 0, MAX_MOVES, "decisions before the game is cut short", usual=5000),
    Segment("num_players", {}, 2, MAX_SEATS, "players"),
    Segment(
        "known",
        {"places": len(_PLACES), **_CARDS},
        0,
        1,
        "with `recall`: where each card that has been seen is: in play, in a seat's taken pile, or in its stack",
        CARD_NAMES,
    ),
)

_AT = {segment.name: OBS.start(segment.name) for segment in OBS.segments}
_STACK, _TAKEN, _OUT, _TOP, _CENTRE_SIZE = (_AT[n] for n in ("stack", "taken", "out", "centre_top", "centre_size"))
_SPARE, _LIVE, _OWNER, _NEED, _LAID = (_AT[n] for n in ("spare", "live", "owner", "need", "laid"))
_STRING, _STRINGS, _PICKLER, _ACTIVE, _STEP = (_AT[n] for n in ("string", "strings", "pickler", "active", "step"))
_CAN_CLAIM, _HINT, _WORDS, _MIN_LEN = (_AT[n] for n in ("can_claim", "hint", "words", "min_len"))
_MOVES_LEFT, _PLAYERS, _KNOWN = _AT["moves_left"], _AT["num_players"], _AT["known"]
_TAKEN_ROW = _KNOWN + NUM_CARDS
_STACK_ROW = _TAKEN_ROW + MAX_SEATS * NUM_CARDS


@kernel
def observe(state, seat, out):
    """Write all that `seat` sees: everything but the stacks and the spare cards.

    out    int16 [OBS.size], every cell is written: zeros first, then what is there
    """
    out[:] = 0
    observe_centre(state, out)
    observe_pickle(state, seat, out)
    for place in range(state.num_seats):
        other = seat + place if seat + place < state.num_seats else seat + place - state.num_seats
        out[_STACK + place] = state.stack_len[other]
        out[_TAKEN + place] = state.taken_len[other]
        out[_OUT + place] = state.out_at[other] > 0
        if state.recall:
            observe_memory(state, other, place, out)
    if state.recall:
        observe_play(state, out)


@kernel
def place_of(state, seat, other):
    """Where another seat stands in an observation: 0 for the own one, then clockwise."""
    return other - seat if other >= seat else other - seat + state.num_seats


@kernel
def observe_centre(state, out):
    """The centre, the options, and the time that is left."""
    if state.centre_len > 0:
        out[_TOP + np.int64(state.centre[state.centre_len - 1])] = 1
    out[_CENTRE_SIZE] = state.centre_len
    out[_SPARE] = state.spare_len
    out[_WORDS] = state.words
    out[_MIN_LEN] = state.min_len
    out[_MOVES_LEFT] = state.max_moves - state.moves
    out[_PLAYERS] = state.num_seats


@kernel
def observe_pickle(state, seat, out):
    """The live pepper, its pickle, the strings, and what is asked."""
    if state.live != NO_CARD:
        out[_LIVE + state.live] = 1
        out[_OWNER + place_of(state, seat, state.owner)] = 1
        out[_PICKLER + place_of(state, seat, state.pickler)] = 1
        out[_NEED] = state.need
        out[_LAID] = state.laid
        for index in range(state.laid):
            out[_STRING + index * NUM_CARDS + np.int64(state.string[index])] = 1
        for index in range(state.earlier_len):
            out[_STRINGS + np.int64(state.earlier[index])] = 1
    if state.to_move != OVER:
        out[_ACTIVE + place_of(state, seat, state.to_move)] = 1
        if FLIPPING <= state.stage <= LAST:
            out[_STEP + state.stage - FLIPPING] = 1
        if can_claim(state):
            out[_CAN_CLAIM] = 1
            out[_HINT] = state.spell_hint and is_claim_right(state)


@kernel
def observe_memory(state, other, place, out):
    """Where a perfect memory knows the cards of a seat to be."""
    for index in range(state.taken_len[other]):
        out[_TAKEN_ROW + place * NUM_CARDS + np.int64(state.taken[other, index])] = 1
    if state.recycled[other]:
        for index in range(state.stack_len[other]):
            out[_STACK_ROW + place * NUM_CARDS + np.int64(state.stack[other, index])] = 1


@kernel
def observe_play(state, out):
    """Which cards have been seen and are in play."""
    for index in range(state.centre_len):
        out[_KNOWN + np.int64(state.centre[index])] = 1
    for index in range(state.earlier_len):
        out[_KNOWN + np.int64(state.earlier[index])] = 1
    for index in range(state.laid):
        out[_KNOWN + np.int64(state.string[index])] = 1


@kernel
def resample_hidden(state, seat):
    """Permute the cards that nobody has seen among their places; shuffle each stack that was a taken pile in itself."""
    count = 0
    for other in range(state.num_seats):
        if state.recycled[other]:
            shuffle_anew(state.stack[other], 0, state.stack_len[other], state.rng)
        else:
            for index in range(state.stack_len[other]):
                state.deck[count] = state.stack[other, index]
                count += 1
    for index in range(state.spare_len):
        state.deck[count] = state.spare[index]
        count += 1
    sort_pile(state.deck, 0, count)
    shuffle(state.deck, 0, count, state.rng)
    deal_again(state)


@kernel
def deal_again(state):
    """Give the cards laid out in `deck` to the stacks that nobody has seen, and to the spare ones; `deck` is zeros."""
    count = 0
    for other in range(state.num_seats):
        if not state.recycled[other]:
            for index in range(state.stack_len[other]):
                state.stack[other, index] = state.deck[count]
                count += 1
    for index in range(state.spare_len):
        state.spare[index] = state.deck[count]
        count += 1
    state.deck[:count] = 0
