"""The scripted player of You Wish: asks where a hit is likely and of use, and plays what gets it out soonest.

It remembers what everybody could see: cards that went openly into a hand, and letters that a seat asked for or denied.
"""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.games.you_wish.actions import ASK, PASS, WORD
from pepperenvs.games.you_wish.hands import LETTER_SET, known_not, letters_of, num_cards, rack_of
from pepperenvs.games.you_wish.state import MAX_SEATS, NUM_LENGTHS, WORDING
from pepperenvs.lexicon.deck import NUM_CARDS, NUM_LETTERS
from pepperenvs.lexicon.lookup import NO_WORD, has_word_with, is_word
from pepperenvs.lexicon.racks import LETTER_RACK
from pepperenvs.lexicon.tables import SPELLING
from pepperenvs.lexicon.words import MIN_LENGTH, SPELLING_BASE

# What a hit is worth, by what can be done with it.
_GOES_OUT, _MAKES_WORD, _MAKES_NONE = 12.0, 1.0, 0.15


@kernel
def bot(state):
    """The action of the seat to move; draws no random numbers."""
    return best_word(state) if state.stage == WORDING else best_ask(state)


# ------------------------------------------------------------------------------------------------- which word


@kernel
def best_word(state):
    """The length that empties the hand; else one after which a single letter would do so; else the longest."""
    hand = rack_of(state.hand[state.to_move])
    held, unseen = num_cards(state.hand[state.to_move]), unseen_by(state, state.to_move)
    best, highest = PASS, -1
    for place in range(NUM_LENGTHS):
        if state.chosen[place] != NO_WORD:
            length = place + MIN_LENGTH
            value = length
            if length == held:
                return WORD + place
            if num_finishing(hand - rack_of_word(state.chosen[place]), unseen, state.min_len) > 0:
                value += NUM_CARDS
            if value > highest:
                best, highest = WORD + place, value
    return best


@kernel
def rack_of_word(word):
    """The rack of a word's letters."""
    rack, rest = np.int64(0), SPELLING[word]
    while rest > 0:
        rack += LETTER_RACK[rest % SPELLING_BASE - 1]
        rest //= SPELLING_BASE
    return rack


@kernel
def num_finishing(rack, unseen, min_len):
    """How many letters there are of which a card may come from elsewhere, and make one word of all the rack."""
    count = 0
    for letter in range(NUM_LETTERS):
        if unseen & LETTER_SET[letter] and is_word(rack + LETTER_RACK[letter], min_len):
            count += 1
    return count


# -------------------------------------------------------------------------------------------------- which ask


@kernel
def best_ask(state):
    """The ask that is worth most: how likely a hit is, times what can be done with it."""
    seat = state.to_move
    hand, held, unseen = rack_of(state.hand[seat]), letters_of(state.hand[seat]), unseen_by(state, seat)
    best, highest = -1, -1.0
    for letter in range(NUM_LETTERS):
        if (held >> letter) & 1:
            continue
        makes_word = has_word_with(hand + LETTER_RACK[letter], letter, state.min_len)
        for distance in range(1, state.num_seats):
            other = (seat + distance) % state.num_seats
            if state.hand[other] != 0:
                value = worth(state, hand, other, letter, unseen, makes_word)
                if value > highest:
                    best, highest = ASK + (distance - 1) * NUM_LETTERS + letter, value
    return best


@kernel
def worth(state, hand, other, letter, unseen, makes_word):
    """How likely a seat has a letter, times what can be done with it; a word of all the hand needs a single card.

    makes_word    whether one card of the letter is enough for a word: looked up once, as a look-up is slow
    """
    copies = num_cards(state.known[other] & LETTER_SET[letter])
    any_card, one_card = hit_chances(state, other, letter, unseen)
    if copies > 0:
        any_card, one_card = 1.0, (1.0 - any_card if copies == 1 else 0.0)
    if any_card == 0.0:
        return 0.0
    if copies > 1 and not makes_word:
        makes_word = has_word_with(hand + copies * LETTER_RACK[letter], letter, state.min_len)
    value = any_card * (_MAKES_WORD if makes_word else _MAKES_NONE)
    if one_card > 0.0 and is_word(hand + LETTER_RACK[letter], state.min_len):
        value += one_card * _GOES_OUT
    return value


@kernel
def hit_chances(state, other, letter, unseen):
    """How likely some, and how likely exactly one, of a seat's unknown cards are of a letter, all unseen cards being
    equally likely anywhere."""
    if (known_not(state, other) >> letter) & 1:
        return 0.0, 0.0
    total, unknown = num_cards(unseen), num_cards(state.hand[other] & ~state.known[other])
    none, one = 1.0, 0.0
    for copy in range(num_cards(unseen & LETTER_SET[letter])):
        left = np.float64(total - copy)  # places for this copy, of which the seat has those that no earlier copy took
        one = one * (left - (unknown - 1)) / left + none * unknown / left
        none *= max(0.0, left - unknown) / left
    return 1.0 - none, max(0.0, one)


@kernel
def unseen_by(state, seat):
    """The set of the cards of which a seat does not know where they are: neither its own, nor seen elsewhere."""
    seen = state.hand[seat]
    for other in range(MAX_SEATS):
        seen |= state.known[other]
    start = 0
    for index in range(state.num_words):
        for place in range(start, start + np.int64(state.word_len[index])):
            seen |= np.int64(1) << np.int64(state.table[place])
        start += np.int64(state.word_len[index])
    return ~seen & ((1 << NUM_CARDS) - 1)
