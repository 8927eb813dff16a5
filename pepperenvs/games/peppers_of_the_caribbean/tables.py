"""The components of Peppers of the Caribbean, read from data/*.csv and checked."""

import csv
import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_DATA = Path(__file__).resolve().parent / "data"


def _rows(name: str) -> list[dict[str, str]]:
    with open(_DATA / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


_PIRATES = _rows("pirates.csv")
_RUM = _rows("rum.csv")
_BONUSES = _rows("bonus_cards.csv")

COLOURS = ("red", "green", "blue", "yellow")
DISHES = ("stew", "fish", "bread", "ham")

# What a card shows, as bits: a colour is its place in COLOURS, a dish its place in DISHES behind them.
COLOUR_BITS, DISH_BITS = 0b1111, 0b1111_0000
_BIT = {word: 1 << place for place, word in enumerate((*COLOURS, *DISHES))}

# Types: the pirates, then the rum, in the order of the tables.
NUM_PIRATES, NUM_TYPES = len(_PIRATES), len(_PIRATES) + len(_RUM)
TYPE_NAMES = (
    *("-".join((row["colour"], row["dish"], row["value"])) for row in _PIRATES),
    *(f"rum-{row['colour_1']}-{row['colour_2']}" for row in _RUM),
)
_NAMINGS = (  # the two words by which a card of each type can be named
    *((row["dish"], row["colour"]) for row in _PIRATES),
    *((row["colour_1"], row["colour_2"]) for row in _RUM),
)
NAMINGS = tuple(zip(*_NAMINGS, strict=True))  # words, [2][types]
NAMED = np.array([[_BIT[word] for word in words] for words in NAMINGS], np.int64)  # their bits, [2, types]
SHOWN = NAMED[0] | NAMED[1]  # all that a type shows, bits, [types]
COPIES = np.array([int(row["copies"]) for row in (*_PIRATES, *_RUM)], np.int64)  # cards of each type, [types]
VALUES = np.array([int(row["value"]) for row in (*_PIRATES, *_RUM)], np.int64)  # points of a card, [types]
MAX_COPIES = int(COPIES.max())
CARDS = np.repeat(np.arange(NUM_TYPES), COPIES).astype(np.int8)  # all cards by type, [cards]
NUM_CARDS = len(CARDS)

BONUS_NAMES = tuple(row["bonus_id"] for row in _BONUSES)
NUM_BONUSES = len(_BONUSES)
BONUS_POINTS = np.array([int(row["vp"]) for row in _BONUSES], np.int64)  # points, [bonuses]
IS_DURING = np.array([row["timing"] == "during" for row in _BONUSES], np.int64)  # 1: given during the game, [bonuses]
_LETTERS = sorted({row["set_letter"] for row in _BONUSES} - {""})
BONUS_LETTER = np.array(  # number of the letter, from 1, 0 for none, [bonuses]
    [_LETTERS.index(row["set_letter"]) + 1 if row["set_letter"] else 0 for row in _BONUSES], np.int64
)
NUM_OPEN = 8  # bonus cards that are laid out
MAX_POINTS = int((COPIES * VALUES).sum() + BONUS_POINTS.sum())


# What a bonus card counts: cards in front of a seat of some types, or how many different colours (or dishes) they show.
_CONDITION = re.compile(r"(?:first_(?P<number>\d+)|most)_(?P<what>\w+)")


def _counted(bonus: dict[str, str]) -> list[bool]:
    """Whether a card of each type counts for a bonus card."""
    what, rum = _what(bonus), bonus["rum_counts"].startswith("yes")
    words = sum(_BIT[word] for word in bonus["parameter"].split("|") if word) or COLOUR_BITS | DISH_BITS
    if what == "rum_cards":
        return [kind >= NUM_PIRATES for kind in range(NUM_TYPES)]
    return [bool(SHOWN[kind] & words) and (rum or kind < NUM_PIRATES) for kind in range(NUM_TYPES)]


def _what(bonus: dict[str, str]) -> str:
    found = _CONDITION.fullmatch(bonus["condition"])
    if found is None or (found["number"] is None) != (bonus["timing"] == "end"):
        raise ValueError(f"bonus_cards.csv: {bonus['bonus_id']} has a condition of no known form")
    return found["what"]


def _number(bonus: dict[str, str]) -> int:
    found = _CONDITION.fullmatch(bonus["condition"])
    return int(found["number"] or 0) if found else 0


_DIFFERENT = {"different_colours": COLOUR_BITS, "different_dishes": DISH_BITS}

BONUS_COUNTS = np.array([_counted(row) for row in _BONUSES], np.int8).T.copy()  # 1 if a card counts, [types, bonuses]
BONUS_NUMBER = np.array([_number(row) for row in _BONUSES], np.int64)  # wanted; 0 for "most", [bonuses]
BONUS_BITS = np.array(  # of which different ones are counted; 0 where cards are, [bonuses]
    [_DIFFERENT.get(_what(row), 0) for row in _BONUSES], np.int64
)
BIT_COUNTS: NDArray[np.int64] = np.array([bits.bit_count() for bits in range(256)], np.int64)


def _check() -> None:
    if len(set(TYPE_NAMES)) != 70 or NUM_PIRATES != 64 or int(COPIES[:NUM_PIRATES].sum()) != 96:
        raise ValueError("pirates.csv and rum.csv: there must be 96 pirates of 64 types, and rum of six")
    if {(row["colour"], row["dish"]) for row in _PIRATES} != {(c, d) for c in COLOURS for d in DISHES}:
        raise ValueError("pirates.csv: every colour must come with every dish")
    pairs = {frozenset(words) for words in _NAMINGS[NUM_PIRATES:]}
    if len(pairs) != 6 or any(len(pair) != 2 for pair in pairs) or set(COPIES[NUM_PIRATES:].tolist()) != {1}:
        raise ValueError("rum.csv: there must be each pair of colours once")
    if list(BONUS_NAMES) != [f"B{number:02d}" for number in range(1, 19)]:
        raise ValueError("bonus_cards.csv: there must be B01 to B18")
    whats = {"pirates_of_colour", "of_colour", "of_dish", "of_two_dishes", "rum_cards", "cards", *_DIFFERENT}
    if not {_what(row) for row in _BONUSES} <= whats or not BONUS_COUNTS.any(axis=0).all():
        raise ValueError("bonus_cards.csv: a condition of no known form, or one that nothing fulfils")
    if VALUES.min() < 1 or BONUS_POINTS.min() < 1 or MAX_POINTS > 1000:
        raise ValueError("pirates.csv, rum.csv, bonus_cards.csv: values or points out of range")


_check()
