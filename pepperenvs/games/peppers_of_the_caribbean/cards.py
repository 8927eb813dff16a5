"""Peppers of the Caribbean: cards move between pile, supply, hands, fronts and discards."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.peppers_of_the_caribbean.bonuses import count_card
from pepperenvs.games.peppers_of_the_caribbean.state import NUM_SUPPLY
from pepperenvs.games.peppers_of_the_caribbean.tables import SHOWN, VALUES


@kernel
def add_card(cards, length, card):
    """Put a card into its place among `length` ascending ones."""
    place = length
    while place > 0 and cards[place - 1] > card:
        cards[place] = cards[place - 1]
        place -= 1
    cards[place] = card


@kernel
def remove_card(cards, length, card):
    """Take a card that is there out of `length` ascending ones; the last cell becomes zero."""
    place = 0
    while cards[place] != card:
        place += 1
    for index in range(place, length - 1):
        cards[index] = cards[index + 1]
    cards[length - 1] = 0


@kernel
def gain(state, seat, card):
    """A card joins a hand."""
    add_card(state.hand[seat], np.int64(state.hand_size[seat]), card)
    state.hand_size[seat] += 1


@kernel
def show(state, seat, card):
    """A card leaves a hand for all to see: it counts against the copies that the seat was known to hold."""
    remove_card(state.hand[seat], np.int64(state.hand_size[seat]), card)
    state.hand_size[seat] -= 1
    if state.known[seat, card] > 0:
        state.known[seat, card] -= 1


@kernel
def discard(state, seat, card):
    """A hand card goes to the discards."""
    show(state, seat, card)
    state.discards[card] += 1


@kernel
def lay_in_front(state, seat, card):
    """A hand card is laid in front of the seat and scores its value."""
    show(state, seat, card)
    state.front[seat, card] += 1
    state.score[seat] += VALUES[card]
    count_card(state, seat, card)


@kernel
def take_supply(state, seat, bit):
    """All supply cards that show a colour or dish join the hand; everybody has seen them."""
    left = 0
    for index in range(state.supply_len):
        card = np.int64(state.supply[index])
        if SHOWN[card] & bit:
            gain(state, seat, card)
            state.known[seat, card] += 1
        else:
            state.supply[left] = card
            left += 1
    for index in range(left, state.supply_len):
        state.supply[index] = 0
    state.supply_len = left


@kernel
def draw_card(state):
    """Remove and return the top card of the pile, which is not empty; no trace stays, since it may be hidden."""
    state.pile_len -= 1
    card = np.int64(state.pile[state.pile_len])
    state.pile[state.pile_len] = 0
    return card


@kernel
def refill_supply(state):
    """Lay out cards until there are six, or the pile is empty."""
    while state.supply_len < NUM_SUPPLY and state.pile_len > 0:
        add_card(state.supply, state.supply_len, draw_card(state))
        state.supply_len += 1


@kernel
def supply_bits(state):
    """All colours and dishes that the supply shows."""
    bits = 0
    for index in range(state.supply_len):
        bits |= SHOWN[state.supply[index]]
    return bits
