"""What a seat may know in Jungle: what it observes, and what is redrawn as it cannot know it.

All seats know the same: nobody knows a stack, not even its owner, nor what lies face down; everything else lies open.
"""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.core.layout import Layout, Segment
from pepperenvs.core.rng import shuffle_anew
from pepperenvs.games.jungle.challenge import is_claim_right
from pepperenvs.games.jungle.state import (
    CLAIMING,
    FLIPPING,
    IN_STACK,
    LAST_CARDS,
    MAX_MOVES,
    MAX_SEATS,
    OVER,
    UNSEEN,
    USED_UP,
)
from pepperenvs.lexicon.deck import CARD_NAMES, NUM_CARDS

_SEATS, _CARDS, _LAST = {"seats": MAX_SEATS}, {"cards": NUM_CARDS}, {"places": LAST_CARDS}
_STEPS = ("flip", "claim")  # in the order of the stages, from FLIPPING on
_PLACES = ("face up", *(f"taken {seat}" for seat in range(MAX_SEATS)), *(f"stack {seat}" for seat in range(MAX_SEATS)))

OBS = Layout(
    Segment("stack", _SEATS, 0, NUM_CARDS, "cards in each stack"),
    Segment("taken", _SEATS, 0, NUM_CARDS, "cards in each taken pile"),
    Segment("face_up", {**_LAST, **_CARDS}, 0, 1, "the last face-up cards of this challenge, oldest first", CARD_NAMES),
    Segment("laid_by", {**_LAST, **_SEATS}, 0, 1, "1 for the seat that laid each of them"),
    Segment("earlier", _CARDS, 0, 1, "1 for a face-up card of this challenge before those", CARD_NAMES),
    Segment("face_down", _SEATS, 0, NUM_CARDS, "cards that each seat has laid face down in this challenge"),
    Segment("spare", {}, 0, 1, "1 while the spare card has not been taken"),
    Segment("contest", _SEATS, 0, 1, "1 for a seat that still takes part in this challenge"),
    Segment("taker", _SEATS, 0, 1, "1 for the seat that takes if nobody claims; none before that is decided"),
    Segment("active", _SEATS, 0, 1, "1 for the seat to move; none after the end"),
    Segment("step", {"steps": len(_STEPS)}, 0, 1, "1 for the decision asked; none after the end", _STEPS),
    Segment("hint", {}, 0, 1, "with `spell_hint`: 1 if a claim made now would be right"),
    Segment("words", {}, 0, 1, "1 if words may be claimed in this game"),
    Segment("scrump", {}, 0, 1, "when: 0 after the Jungle rule, 1 after every challenge"),
    Segment("min_len", {}, 2, 4, "letters of the shortest word"),
    Segment("moves_left", {}, 0, MAX_MOVES, "decisions before the game is cut short", usual=10_000),
    Segment("num_players", {}, 2, MAX_SEATS, "players"),
    Segment(
        "known",
        {"places": len(_PLACES), **_CARDS},
        0,
        1,
        "with `recall`: where each card that has been seen is: face up, in a seat's taken pile, or in its stack "
        "(or face down from it)",
        CARD_NAMES,
    ),
)

_AT = {segment.name: OBS.start(segment.name) for segment in OBS.segments}
_STACK, _TAKEN, _FACE_UP, _LAID_BY, _EARLIER = (_AT[n] for n in ("stack", "taken", "face_up", "laid_by", "earlier"))
_FACE_DOWN, _SPARE, _CONTEST, _TAKER, _ACTIVE = (_AT[n] for n in ("face_down", "spare", "contest", "taker", "active"))
_STEP, _HINT, _WORDS, _SCRUMP, _MIN_LEN = (_AT[n] for n in ("step", "hint", "words", "scrump", "min_len"))
_MOVES_LEFT, _PLAYERS, _KNOWN = _AT["moves_left"], _AT["num_players"], _AT["known"]
_TAKEN_ROW = _KNOWN + NUM_CARDS
_STACK_ROW = _TAKEN_ROW + MAX_SEATS * NUM_CARDS


@kernel
def observe(state, seat, out):
    """Write all that `seat` sees: everything but the stacks and what lies face down.

    out    int16 [OBS.size], every cell is written: zeros first, then what is there
    """
    out[:] = 0
    observe_challenge(state, seat, out)
    for place in range(state.num_seats):
        other = seat + place if seat + place < state.num_seats else seat + place - state.num_seats
        out[_STACK + place] = state.stack_len[other]
        out[_TAKEN + place] = state.taken_len[other]
        out[_FACE_DOWN + place] = state.face_down_len[other]
        out[_CONTEST + place] = state.contest[other]
        if state.recall:
            observe_memory(state, other, place, out)
    if state.recall:
        for index in range(state.face_up_len):
            out[_KNOWN + np.int64(state.face_up[index])] = 1
    out[_SPARE] = state.spare_len
    out[_WORDS] = state.words
    out[_SCRUMP] = state.scrump
    out[_MIN_LEN] = state.min_len
    out[_MOVES_LEFT] = state.max_moves - state.moves
    out[_PLAYERS] = state.num_seats


@kernel
def place_of(state, seat, other):
    """Where another seat stands in an observation: 0 for the own one, then clockwise."""
    return other - seat if other >= seat else other - seat + state.num_seats


@kernel
def observe_challenge(state, seat, out):
    """The face-up cards, and what is asked."""
    start = max(0, state.face_up_len - LAST_CARDS)
    for index in range(start):
        out[_EARLIER + np.int64(state.face_up[index])] = 1
    for index in range(start, state.face_up_len):
        place = index - start
        out[_FACE_UP + place * NUM_CARDS + np.int64(state.face_up[index])] = 1
        out[_LAID_BY + place * MAX_SEATS + place_of(state, seat, np.int64(state.laid_by[index]))] = 1
    if state.to_move != OVER:
        out[_ACTIVE + place_of(state, seat, state.to_move)] = 1
        if state.stage == CLAIMING:
            out[_STEP + 1] = 1
            out[_TAKER + place_of(state, seat, state.taker)] = 1
            out[_HINT] = state.spell_hint and is_claim_right(state)
        elif state.stage == FLIPPING:
            out[_STEP] = 1


@kernel
def observe_memory(state, other, place, out):
    """Where a perfect memory knows the cards of a seat to be."""
    for index in range(state.taken_len[other]):
        out[_TAKEN_ROW + place * NUM_CARDS + np.int64(state.taken[other, index])] = 1
    first = _STACK_ROW + place * NUM_CARDS
    if state.recycled[other]:
        for index in range(state.stack_len[other]):
            out[first + np.int64(state.stack[other, index])] = 1
    for index in range(state.face_down_len[other]):
        if state.source[other, index] != UNSEEN:
            out[first + np.int64(state.face_down[other, index])] = 1


@kernel
def resample_hidden(state, seat):
    """Permute the cards that nobody has seen among their places, and those of each stack that was a taken pile.

    A card that was laid face down from such a stack is redrawn together with the rest of that stack.  [R14]
    """
    for other in range(state.num_seats):
        if state.recycled[other]:
            redraw(state, other, IN_STACK)
            redraw(state, other, USED_UP)
    count = 0
    for other in range(state.num_seats):
        count = lay_out(state, other, UNSEEN, count)
    for index in range(state.spare_len):
        state.deck[count] = state.spare[index]
        count += 1
    shuffle_anew(state.deck, 0, count, state.rng)
    count = 0
    for other in range(state.num_seats):
        count = put_back(state, other, UNSEEN, count)
    for index in range(state.spare_len):
        state.spare[index] = state.deck[count]
        count += 1
    state.deck[:count] = 0


@kernel
def redraw(state, seat, source):
    """Permute the cards of one source of a seat among their places."""
    count = lay_out(state, seat, source, 0)
    shuffle_anew(state.deck, 0, count, state.rng)
    put_back(state, seat, source, 0)
    state.deck[:count] = 0


@kernel
def is_stack_of(state, seat, source):
    """Whether what is in a seat's stack is of this source."""
    return source == (IN_STACK if state.recycled[seat] else UNSEEN)


@kernel
def lay_out(state, seat, source, count):
    """Copy the cards of one source of a seat to `deck` from `count` on; returns where they end."""
    if is_stack_of(state, seat, source):
        for index in range(state.stack_len[seat]):
            state.deck[count] = state.stack[seat, index]
            count += 1
    for index in range(state.face_down_len[seat]):
        if state.source[seat, index] == source:
            state.deck[count] = state.face_down[seat, index]
            count += 1
    return count


@kernel
def put_back(state, seat, source, count):
    """Put cards of `deck` from `count` on into those places; returns where they end."""
    if is_stack_of(state, seat, source):
        for index in range(state.stack_len[seat]):
            state.stack[seat, index] = state.deck[count]
            count += 1
    for index in range(state.face_down_len[seat]):
        if state.source[seat, index] == source:
            state.face_down[seat, index] = state.deck[count]
            count += 1
    return count
