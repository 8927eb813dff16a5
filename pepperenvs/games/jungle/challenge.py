"""Jungle: who wins a challenge; the Jungle rule; what a claim is worth."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.jungle.piles import has_card_ready, lay_face_down, lay_face_up, num_held
from pepperenvs.games.jungle.state import ANYTIME, FACE_DOWN, LAST_CARDS, NOBODY
from pepperenvs.lexicon.deck import CARD_RANK, IS_ANIMAL
from pepperenvs.lexicon.lookup import has_word
from pepperenvs.lexicon.racks import rack_of_cards

SHORTEST = 2  # letters of a word where two cards alone lie there


@kernel
def highest(state):
    """The seat whose last face-up card ranks highest of those that take part."""
    best = NOBODY
    for seat in range(state.num_seats):
        if state.contest[seat] and (best < 0 or CARD_RANK[state.shown[seat]] > CARD_RANK[state.shown[best]]):
            best = seat
    return best


@kernel
def num_animals(state):
    """Animals among the last face-up cards of the seats that take part."""
    count = 0
    for seat in range(state.num_seats):
        if state.contest[seat]:
            count += IS_ANIMAL[state.shown[seat]]
    return count


@kernel
def keep_tied(state):
    """Only the seats that show Animals go on.  [R12]"""
    for seat in range(state.num_seats):
        if not IS_ANIMAL[state.shown[seat]]:
            state.contest[seat] = 0


@kernel
def num_able(state):
    """Seats that take part and have a card to lay."""
    count = 0
    for seat in range(state.num_seats):
        count += state.contest[seat] and num_held(state, seat) > 0
    return count


@kernel
def drop_unable(state):
    """Tied seats without cards drop out of the contest.  [R12]"""
    for seat in range(state.num_seats):
        if num_held(state, seat) == 0:
            state.contest[seat] = 0


@kernel
def next_layer(state, seat):
    """The first seat from `seat` on that takes part, made ready to lay; NOBODY if there is none.  [R9]"""
    for other in range(seat, state.num_seats):
        if state.contest[other]:
            state.to_lay = min(FACE_DOWN, num_held(state, other) - 1)
            return other
    return NOBODY


@kernel
def lay_all(state):
    """The Jungle rule's cards are laid from `drawer` on; False if a restack is awaited first."""
    while state.drawer != NOBODY:
        if not has_card_ready(state, state.drawer):
            return False
        if state.to_lay > 0:
            lay_face_down(state, state.drawer)
            state.to_lay -= 1
        else:
            lay_face_up(state, state.drawer)
            state.drawer = next_layer(state, state.drawer + 1)
    return True


@kernel
def loser(state):
    """The left neighbour of the taker: with two players it loses the cards, with three it may have to take them."""
    return (state.taker + 1) % state.num_seats


@kernel
def is_claim_open(state):
    """Whether a word may be claimed, now that the taker is known.  [R10, R13]"""
    if not state.words:
        return False
    if state.has_laid:
        return True
    return state.scrump == ANYTIME and state.face_up_len >= shortest_word(state)


@kernel
def shortest_word(state):
    """Letters that a word must have here: with two players two, where the Jungle rule laid no cards."""
    return SHORTEST if state.num_seats == 2 and not state.has_laid else state.min_len


@kernel
def is_claim_right(state):
    """Whether there is a word in the last eight face-up cards.  [R10]"""
    start = max(0, state.face_up_len - LAST_CARDS)
    return has_word(rack_of_cards(state.face_up, start, state.face_up_len), shortest_word(state))


@kernel
def claimer(state):
    """The seat that may claim: with two players the one about to lose the cards, with three the one about to take."""
    return loser(state) if state.num_seats == 2 else np.int64(state.taker)
