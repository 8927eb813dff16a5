"""The deck of letters, read from data/deck.csv and checked: 52 cards in four suits, in the order of the table."""

import csv
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

DATA = Path(__file__).resolve().parent / "data"


def _rows() -> list[dict[str, str]]:
    with open(DATA / "deck.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


_CARDS = _rows()


def _column(name: str) -> NDArray[np.int64]:
    return np.array([int(row[name]) for row in _CARDS], np.int64)


LETTER_NAMES = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
NUM_LETTERS = len(LETTER_NAMES)

NUM_CARDS = len(_CARDS)
CARD_NAMES = tuple(row["card"] for row in _CARDS)  # letter and suit: "E1"
CARD_LETTER = np.array([LETTER_NAMES.index(row["letter"]) for row in _CARDS], np.int64)  # [cards]
CARD_SUIT = _column("suit")  # 1 .. 4, [cards]
CHILIES = _column("chilies")  # of a Chili Pepper 1 .. 4, of other cards 0, [cards]
IS_ANIMAL = _column("animal")  # 1 for an Animal, [cards]
CARD_RANK = _column("rank")  # 1 .. NUM_CARDS, each once; the highest wins, [cards]

LETTER_COPIES = np.bincount(CARD_LETTER, minlength=NUM_LETTERS).astype(np.int64)  # cards of each letter, [letters]
MAX_COPIES = int(LETTER_COPIES.max())
NO_CARD = -1
LETTER_CARDS = np.full((NUM_LETTERS, MAX_COPIES), NO_CARD, np.int64)  # highest rank first, [letters, copies]
for _letter in range(NUM_LETTERS):
    _cards = np.flatnonzero(_letter == CARD_LETTER)
    LETTER_CARDS[_letter, : len(_cards)] = _cards[np.argsort(-CARD_RANK[_cards])]


def _check() -> None:
    if NUM_CARDS != 52 or list(CARD_NAMES) != [f"{row['letter']}{row['suit']}" for row in _CARDS]:
        raise ValueError("deck.csv: there must be 52 cards, named by letter and suit")
    if len(set(CARD_NAMES)) != NUM_CARDS or np.bincount(CARD_SUIT).tolist() != [0, 13, 13, 13, 13]:
        raise ValueError("deck.csv: there must be four suits of 13, with a letter at most once in each")
    if sorted(CARD_RANK.tolist()) != list(range(1, NUM_CARDS + 1)) or LETTER_COPIES.min() < 1:
        raise ValueError("deck.csv: every rank must be there once, and every letter")
    if int((CHILIES > 0).sum()) != 16 or not set(CHILIES.tolist()) <= {0, 1, 2, 3, 4}:
        raise ValueError("deck.csv: there must be 16 Chili Peppers, with 1 to 4 chilies")
    animals = IS_ANIMAL == 1
    if animals.sum() != 12 or IS_ANIMAL.max() > 1 or CHILIES[animals].any():
        raise ValueError("deck.csv: there must be 12 Animals, none of them a Chili Pepper")
    if CARD_RANK[animals].min() < CARD_RANK[~animals].max():
        raise ValueError("deck.csv: the Animals must rank above all other cards")


_check()
