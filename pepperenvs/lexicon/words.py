"""The word list, and how the tables of the look-ups are made from it: `python -m pepperenvs.lexicon.words` writes them.

Only words that the deck can spell are kept, and of words with the same letters only the alphabetically first: the rules
never choose another. They are put in order of length, then cost, then alphabet, so that the first word of a length that
a hand can spell is the one that R16 chooses. *Cost* is the sum, over every letter of the word, of that letter's number
of copies in the deck.

A word's number is its place in that order, 64 places to a *column*; each length begins a new column, and no rack can
spell what is at the places that this leaves over. The tables, which tables.py loads, are

    fits      a row for each value of each group of letters (racks.py), and one row without a bit: bit b of its cell in
              column c says whether word 64 c + b needs no more of the group's letters than that value has. So the AND
              of one row of each group has, cell by cell, a bit for exactly those words that a rack can spell.
    bounds    between which columns the words of a length lie that cost at least and at most so much
    spelling  each word as a number in base 27, its first letter in the lowest digit
"""

import gzip
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from pepperenvs.lexicon.deck import DATA, LETTER_COPIES, LETTER_NAMES, NUM_LETTERS
from pepperenvs.lexicon.racks import GROUP_MASK, GROUP_SHIFT, GROUP_VALUES, GROUPS, LETTER_DIGIT, LETTER_RACK

MIN_LENGTH, MAX_LENGTH = 2, 13  # letters of the shortest and the longest word
NUM_LENGTHS = MAX_LENGTH - MIN_LENGTH + 1
MAX_COST = MAX_LENGTH * int(LETTER_COPIES.max())
COLUMN_BITS = 64
SPELLING_BASE = NUM_LETTERS + 1  # a digit is 0 for no letter, else 1 + letter; 13 of them go into an int64
TABLES = DATA / "words.npz"

_NUMBER = {name.lower(): letter for letter, name in enumerate(LETTER_NAMES)}
_COPIES = {name: int(LETTER_COPIES[letter]) for name, letter in _NUMBER.items()}


def word_list() -> list[str]:
    """All words of the list, in small letters, alphabetical; also those that the deck cannot spell."""
    return gzip.decompress((DATA / "english.txt.gz").read_bytes()).decode("ascii").split()


def cost(word: str) -> int:
    """What R16 wants least: the copies in the deck of every letter of a word, summed."""
    return sum(_COPIES[letter] for letter in word)


def kept_words() -> list[str]:
    """The words that are worth a place, in order."""
    kept: dict[str, str] = {}
    for word in word_list():
        if all(count <= _COPIES[letter] for letter, count in Counter(word).items()):
            kept.setdefault("".join(sorted(word)), word)
    return sorted(kept.values(), key=lambda word: (len(word), cost(word), word))


def _places(words: list[str]) -> NDArray[np.int64]:
    """The place of each word, [words]."""
    places, place = [], 0
    for before, word in zip(["", *words], words, strict=False):
        if len(before) != len(word):
            place += -place % COLUMN_BITS
        places.append(place)
        place += 1
    return np.array(places, np.int64)


def _group_fits(group: int) -> NDArray[np.bool_]:
    """Whether what a word needs of a group is in what a rack has of it, [values had, values needed]."""
    values = np.arange(GROUP_VALUES[group])
    fits = np.ones((len(values), len(values)), np.bool_)
    for letter in GROUPS[group]:
        copies = values // LETTER_DIGIT[letter] % (LETTER_COPIES[letter] + 1)
        fits &= copies[:, None] >= copies
    return fits


def _fits(words: list[str], places: NDArray[np.int64], columns: int) -> NDArray[np.int64]:
    racks = np.array([sum(int(LETTER_RACK[_NUMBER[letter]]) for letter in word) for word in words])
    bits = np.zeros((sum(GROUP_VALUES) + 1, columns * COLUMN_BITS), np.bool_)
    row = 0
    for group, values in enumerate(GROUP_VALUES):
        needed = (racks >> GROUP_SHIFT[group]) & GROUP_MASK[group]
        bits[row : row + values, places] = _group_fits(group)[:, needed]
        row += values
    return np.packbits(bits, axis=1, bitorder="little").view("<i8").astype(np.int64)


def _bounds(words: list[str], places: NDArray[np.int64]) -> NDArray[np.int64]:
    """[least or most, lengths from 0, costs]: the words begin with the column of [0], and end before that of [1]."""
    bounds = np.zeros((2, MAX_LENGTH + 1, MAX_COST + 1), np.int64)
    some = np.arange(MAX_COST + 1)
    for length in range(MIN_LENGTH, MAX_LENGTH + 1):
        costs = [cost(word) for word in words if len(word) == length]
        first = places[[len(word) for word in words].index(length)]
        bounds[0, length] = (first + np.searchsorted(costs, some, "left")) // COLUMN_BITS
        bounds[1, length] = -(-(first + np.searchsorted(costs, some, "right")) // COLUMN_BITS)
    return bounds


def _spelling(word: str) -> int:
    return sum((1 + _NUMBER[letter]) * SPELLING_BASE**place for place, letter in enumerate(word))


def make_tables() -> dict[str, NDArray[np.int64]]:
    """The tables by their names, made anew from the list and the deck; takes about a second."""
    words = kept_words()
    places = _places(words)
    columns = int(places[-1]) // COLUMN_BITS + 1
    spelling = np.zeros(columns * COLUMN_BITS, np.int64)
    spelling[places] = [_spelling(word) for word in words]
    return {"fits": _fits(words, places, columns), "bounds": _bounds(words, places), "spelling": spelling}


if __name__ == "__main__":
    made = make_tables()
    np.savez_compressed(TABLES, fits=made["fits"], bounds=made["bounds"], spelling=made["spelling"])
