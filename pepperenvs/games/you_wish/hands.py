"""You Wish: sets of cards and letters, and what lies in the hands."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.you_wish.state import ALL_LETTERS, HAND
from pepperenvs.lexicon.deck import CARD_LETTER, LETTER_CARDS, NO_CARD, NUM_CARDS, NUM_LETTERS
from pepperenvs.lexicon.racks import CARD_RACK

LETTER_SET = np.zeros(NUM_LETTERS, np.int64)  # the set of a letter's cards, [letters]
for _card in range(NUM_CARDS):
    LETTER_SET[CARD_LETTER[_card]] |= np.int64(1) << _card


@kernel
def num_cards(cards):
    """Cards in a set."""
    count = 0
    while cards:
        cards &= cards - 1
        count += 1
    return count


@kernel
def letters_of(cards):
    """The set of the letters of a set of cards."""
    letters = np.int64(0)
    for letter in range(NUM_LETTERS):
        if cards & LETTER_SET[letter]:
            letters |= np.int64(1) << letter
    return letters


@kernel
def rack_of(cards):
    """The rack of a set of cards (lexicon/racks.py)."""
    rack = np.int64(0)
    for card in range(NUM_CARDS):
        if (cards >> card) & 1:
            rack += CARD_RACK[card]
    return rack


@kernel
def highest_card(cards, letter):
    """Of a set the card of a letter with the highest rank, or NO_CARD.  [R16]"""
    for place in range(LETTER_CARDS.shape[1]):
        card = LETTER_CARDS[letter, place]
        if card != NO_CARD and (cards >> card) & 1:
            return card
    return np.int64(NO_CARD)


@kernel
def deal(state):
    """Seat 0 gets the first cards of the deck, and so on; the rest is the well, the first of it drawn first."""
    each = HAND[state.num_seats]
    for place in range(each * state.num_seats):
        state.hand[place // each] |= np.int64(1) << np.int64(state.deck[place])
    state.well_len = NUM_CARDS - each * state.num_seats
    for place in range(state.well_len):
        state.well[state.well_len - 1 - place] = state.deck[NUM_CARDS - state.well_len + place]
    state.deck[:] = 0


@kernel
def draw(state, seat):
    """A seat draws from the well, unseen by others, who no longer know what it lacks; the card, or NO_CARD.  [R15]"""
    if state.well_len == 0:
        return np.int64(NO_CARD)
    state.well_len -= 1
    card = np.int64(state.well[state.well_len])
    state.well[state.well_len] = 0
    state.hand[seat] |= np.int64(1) << card
    state.named[seat] = 0
    return card


@kernel
def leave_hand(state, seat, cards):
    """A set of cards leaves a hand, and everybody sees it."""
    state.hand[seat] &= ~cards
    state.known[seat] &= ~cards


@kernel
def known_not(state, seat):
    """The set of letters that a seat is known not to hold: named, and not among the cards that it is known to have."""
    return state.named[seat] & ~letters_of(state.known[seat])


@kernel
def can_ask(state, seat):
    """Whether another seat has cards, and there is a letter that this one does not hold.  [R17, R18]"""
    others = np.int64(0)
    for other in range(state.num_seats):
        if other != seat:
            others |= state.hand[other]
    return others != 0 and letters_of(state.hand[seat]) != ALL_LETTERS
