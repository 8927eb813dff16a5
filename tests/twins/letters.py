"""What the naive twins of the three letter games share: the deck, the word list and plain tests of words.

A card is a string, letter and suit: "E1". Letters and words are in capitals.
"""

import csv
import gzip
from collections import Counter
from itertools import combinations
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "pepperenvs" / "lexicon" / "data"


def read_deck():
    with open(DATA / "deck.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def read_words():
    with gzip.open(DATA / "english.txt.gz", "rt", encoding="utf-8") as file:
        return file.read().upper().split()


DECK = read_deck()
CARDS = [row["card"] for row in DECK]  # in the order of the table
LETTER = {row["card"]: row["letter"] for row in DECK}
CHILIES = {row["card"]: int(row["chilies"]) for row in DECK}
ANIMALS = [row["card"] for row in DECK if row["animal"] == "1"]
RANK = {row["card"]: int(row["rank"]) for row in DECK}
COPIES = Counter(LETTER.values())  # cards of each letter in the deck

WORDS = read_words()  # alphabetical
SPELLINGS = {}  # words by their letters in alphabetical order
for word in WORDS:
    SPELLINGS.setdefault("".join(sorted(word)), []).append(word)


def can_spell(word, letters):
    """The letters, as a Counter or a list, have every letter of the word as often as the word has it."""
    return Counter(word) <= Counter(letters)


def words_of_all(letters, min_len):
    """The words spelled with all of these letters, in any order.                                       [words]"""
    return SPELLINGS.get("".join(sorted(letters)), []) if len(letters) >= min_len else []


def words_of_any(letters, min_len):
    """The words spelled with any or all of these few letters.                                          [words]"""
    some = {tuple(sorted(chosen)) for n in range(min_len, len(letters) + 1) for chosen in combinations(letters, n)}
    return sorted(word for chosen in some for word in words_of_all(chosen, min_len))
