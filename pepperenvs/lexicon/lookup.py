"""Which words a rack can spell: the look-ups of the three letter games.

All take racks (racks.py). `min_len` is the length of the shortest word that counts, 2 .. 13. A word is named by its
number, as words.py gives it. Nothing is allocated and no random numbers are drawn.
"""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.lexicon.deck import LETTER_NAMES
from pepperenvs.lexicon.racks import (
    LETTER_DIGIT,
    LETTER_GROUP,
    NUM_GROUPS,
    NUM_TIERS,
    TIER_COPIES,
    copies_in,
    group_value,
    in_tier,
    num_letters,
)
from pepperenvs.lexicon.tables import BOUNDS, FITS, GROUP_ROW, NO_ROW, SPELLING
from pepperenvs.lexicon.words import COLUMN_BITS, MAX_LENGTH, MIN_LENGTH, SPELLING_BASE

NO_WORD = -1


@kernel
def is_word(rack, min_len):
    """Whether the letters of a rack, all of them, in any order, form a word.                    [Pickled Peppers R5]"""
    length = num_letters(rack)
    return min_len <= length <= MAX_LENGTH and _first_word(rack, NO_ROW, length) != NO_WORD


@kernel
def has_word(rack, min_len):
    """Whether any letters of a rack, some or all of them, form a word.                                      [Jungle]"""
    return _has_word(rack, NO_ROW, min_len)


@kernel
def has_word_with(rack, letter, min_len):
    """The same of words with a certain letter: whether `spell` would find any, told sooner.               [You Wish]"""
    return _has_word(rack, _row_without(rack, letter), min_len)


@kernel
def spell(rack, letter, min_len, chosen):
    """For each length, the word that a seat plays from its hand, with a letter that must be in it.    [You Wish R16]

    chosen    out: word numbers, NO_WORD for lengths that cannot be spelled, [NUM_LENGTHS] from MIN_LENGTH on; of any
              integer type with room for 2^16
    returns   how many lengths can be spelled

    Of the words of a length it is that of the least cost, and of those the alphabetically first. A letter that the rack
    lacks is in none of them.
    """
    without, longest, number = _row_without(rack, letter), num_letters(rack), np.int64(0)
    for length in range(MIN_LENGTH, MAX_LENGTH + 1):
        chosen[length - MIN_LENGTH] = NO_WORD
        if min_len <= length <= longest:
            word = _first_word(rack, without, length)
            if word != NO_WORD:
                chosen[length - MIN_LENGTH] = word
                number += 1
    return number


@kernel
def word_letters(word, letters):
    """Write a word's letters, 0 .. 25, in order into the first cells of letters, [at least MAX_LENGTH].

    returns   the length of the word
    """
    rest, length = SPELLING[word], np.int64(0)
    while rest > 0:
        letters[length] = rest % SPELLING_BASE - 1
        rest //= SPELLING_BASE
        length += 1
    return length


def word_string(word: int) -> str:
    """A word in small letters. Raises IndexError where no word is."""
    rest, string = int(SPELLING[word]), ""
    if word < 0 or rest == 0:
        raise IndexError(f"no word has the number {word}")
    while rest:
        rest, digit = divmod(rest, SPELLING_BASE)
        string += LETTER_NAMES[digit - 1].lower()
    return string


# ------------------------------------------------------------------------------------------------- the search


@kernel
def _has_word(rack, without, min_len):
    for length in range(min_len, min(num_letters(rack), MAX_LENGTH) + 1):
        if _first_word(rack, without, length) != NO_WORD:
            return True
    return False


@kernel
def _first_word(rack, without, length):
    """The first word of a length that a rack can spell, or NO_WORD.

    without   a row of FITS: what fits it is not wanted
    length    MIN_LENGTH .. MAX_LENGTH, and no more than the rack has letters

    Only columns are looked at that can hold a word between the cheapest and the dearest letters of the rack. When all
    letters are to be used the two are one, and few columns are left.
    """
    start, stop = BOUNDS[0, length, _least_cost(rack, length)], BOUNDS[1, length, _greatest_cost(rack, length)]
    for column in range(start, stop):
        bits = ~FITS[without, column]
        for group in range(NUM_GROUPS):
            bits &= FITS[GROUP_ROW[group] + group_value(rack, group), column]
        if bits != 0:
            return column * COLUMN_BITS + _lowest_bit(bits)
    return NO_WORD


@kernel
def _row_without(rack, letter):
    """The row of a letter's group with as much of the other letters as a rack has, and none of this one."""
    group = LETTER_GROUP[letter]
    return GROUP_ROW[group] + group_value(rack, group) - copies_in(rack, letter) * LETTER_DIGIT[letter]


@kernel
def _least_cost(rack, length):
    """The cost of as many letters of a rack, the cheapest."""
    total, left = np.int64(0), length
    for tier in range(NUM_TIERS):
        number = min(in_tier(rack, tier), left)
        total += number * TIER_COPIES[tier]
        left -= number
    return total


@kernel
def _greatest_cost(rack, length):
    """The cost of as many letters of a rack, the dearest."""
    total, left = np.int64(0), length
    for tier in range(NUM_TIERS - 1, -1, -1):
        number = min(in_tier(rack, tier), left)
        total += number * TIER_COPIES[tier]
        left -= number
    return total


@kernel
def _lowest_bit(bits):
    """The place of the lowest bit that is set in an int64, which is not 0."""
    place, half = np.int64(0), np.int64(COLUMN_BITS // 2)
    while half > 0:
        if bits & ((1 << half) - 1) == 0:
            bits >>= half
            place += half
        half >>= 1
    return place
