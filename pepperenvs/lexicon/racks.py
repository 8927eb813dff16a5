"""Racks: how many of each letter somebody has, packed into one int64, so that letters are added by adding numbers.

A rack is the sum of LETTER_RACK over its letters, or of CARD_RACK over its cards; 0 is the empty rack. Letters that are
taken away are subtracted. It can hold the whole deck, but never more copies of a letter than the deck has: the digits
would run over. From the lowest bit on it consists of

- a field for every *group* of letters, that says how many copies of each of them are there: as a number whose digits
  are the copies of the group's letters, so that a group of four letters with one copy each has 16 values;
- a field for every *tier*, the letters with the same number of copies in the deck: how many of them are there.

The groups serve the look-ups, which have a table row for each value of each group; the tiers give the number of letters
in a rack, and between which limits the cost of its words lies.
"""

import numpy as np
from numpy.typing import NDArray

from pepperenvs.core.jit import kernel
from pepperenvs.lexicon.deck import CARD_LETTER, LETTER_COPIES, NUM_LETTERS

_MOST_VALUES = 16  # of a group: more and longer groups would mean fewer table rows to look at, but more to keep


def _grouped() -> list[list[int]]:
    """All letters, those with few copies first, in groups as large as may be."""
    groups: list[list[int]] = [[]]
    for letter in np.argsort(LETTER_COPIES, kind="stable").tolist():
        if np.prod(LETTER_COPIES[[*groups[-1], letter]] + 1) > _MOST_VALUES:
            groups.append([])
        groups[-1].append(letter)
    return groups


def _widths(largest: list[int]) -> list[int]:
    return [number.bit_length() for number in largest]


GROUPS = _grouped()
NUM_GROUPS = len(GROUPS)
GROUP_VALUES = [int(np.prod(LETTER_COPIES[letters] + 1)) for letters in GROUPS]
TIER_COPIES = np.array(sorted(set(LETTER_COPIES.tolist())), np.int64)  # copies of each of its letters, [tiers]
NUM_TIERS = len(TIER_COPIES)
_TIER_CARDS = [int(LETTER_COPIES[copies == LETTER_COPIES].sum()) for copies in TIER_COPIES]

_WIDTHS = [*_widths([values - 1 for values in GROUP_VALUES]), *_widths(_TIER_CARDS)]
_SHIFTS = np.cumsum([0, *_WIDTHS[:-1]])
_MASKS = np.array([(1 << width) - 1 for width in _WIDTHS], np.int64)
GROUP_SHIFT, TIER_SHIFT = _SHIFTS[:NUM_GROUPS], _SHIFTS[NUM_GROUPS:]  # where the fields begin, [groups], [tiers]
GROUP_MASK, TIER_MASK = _MASKS[:NUM_GROUPS], _MASKS[NUM_GROUPS:]  # their bits, after a shift, [groups], [tiers]

LETTER_GROUP = np.zeros(NUM_LETTERS, np.int64)  # [letters]
LETTER_DIGIT = np.zeros(NUM_LETTERS, np.int64)  # what one copy adds to the value of its group, [letters]
for _group, _letters in enumerate(GROUPS):
    LETTER_GROUP[_letters] = _group
    LETTER_DIGIT[_letters] = np.cumprod([1, *(LETTER_COPIES[_letters[:-1]] + 1)])
_TIER = np.searchsorted(TIER_COPIES, LETTER_COPIES)

LETTER_RACK: NDArray[np.int64] = (  # the rack of one copy of each letter, [letters]
    (LETTER_DIGIT << GROUP_SHIFT[LETTER_GROUP]) + (np.int64(1) << TIER_SHIFT[_TIER])
)
CARD_RACK = LETTER_RACK[CARD_LETTER]  # the rack of each card alone, [cards]


@kernel
def rack_of_cards(cards, start, stop):
    """The rack of the cards in cards[start:stop], any integer array of card numbers."""
    rack = np.int64(0)
    for index in range(start, stop):
        rack += CARD_RACK[cards[index]]
    return rack


@kernel
def rack_of_counts(counts):
    """The rack with counts[letter] copies of each letter, [letters] of any integer type."""
    rack = np.int64(0)
    for letter in range(NUM_LETTERS):
        rack += np.int64(counts[letter]) * LETTER_RACK[letter]
    return rack


@kernel
def num_letters(rack):
    """How many letters are in a rack, copies counted."""
    total = np.int64(0)
    for tier in range(NUM_TIERS):
        total += in_tier(rack, tier)
    return total


@kernel
def in_tier(rack, tier):
    """How many letters of a tier are in a rack."""
    return (rack >> TIER_SHIFT[tier]) & TIER_MASK[tier]


@kernel
def group_value(rack, group):
    """The value of a group in a rack: its digits are the copies of its letters."""
    return (rack >> GROUP_SHIFT[group]) & GROUP_MASK[group]


@kernel
def copies_in(rack, letter):
    """How many copies of a letter are in a rack."""
    return group_value(rack, LETTER_GROUP[letter]) // LETTER_DIGIT[letter] % (LETTER_COPIES[letter] + 1)
