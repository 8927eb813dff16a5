"""The components of Pick-a-Pepper, read from data/*.csv and checked."""

import csv
from pathlib import Path

import numpy as np

_DATA = Path(__file__).resolve().parent / "data"


def _rows(name: str) -> list[dict[str, str]]:
    with open(_DATA / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


_CARDS = _rows("chili_cards.csv")
_SAUCES = _rows("sauces.csv")
_LEVELS = _rows("difficulty.csv")

NUM_NUMBERS = 13
WILD = NUM_NUMBERS  # its place behind the numbers wherever cards are counted by value
NUM_VALUES = NUM_NUMBERS + 1
VALUE_NAMES = (*(str(value + 1) for value in range(NUM_NUMBERS)), "w")

CARD_COUNTS = np.array([int(row["copies"]) for row in _CARDS], np.int64)  # cards of each value, [values]
MAX_COPIES = int(CARD_COUNTS[:NUM_NUMBERS].max())
NUM_WILDS = int(CARD_COUNTS[WILD])
NUM_CARDS = int(CARD_COUNTS.sum())

SAUCE_NAMES = tuple(row["sauce_id"] for row in _SAUCES)
NUM_SAUCES = len(_SAUCES)
HOTNESS = np.array([int(row["hotness"]) for row in _SAUCES], np.int64)  # cards needed to cook each sauce, [sauces]
MIN_HOTNESS = int(HOTNESS.min())
SAUCE_POINTS = np.array([int(row["vp"]) for row in _SAUCES], np.int64)  # points of each sauce, [sauces]

LEVELS = tuple(row["level"] for row in _LEVELS)
HAND_CARDS = np.array([int(row["hand_cards"]) for row in _LEVELS], np.int64)  # dealt to each seat, [levels]
REQUIRED = np.array(  # sauces a seat must cook, and may, [levels, players]
    [[0, 0, *(int(row[f"required_{players}p"]) for players in (2, 3, 4))] for row in _LEVELS], np.int64
)
IN_PLAY = np.array(  # 1 for a sauce that is used at this difficulty, [levels, sauces]
    [[row["hotness"] not in level["removed_hotness"].split("|") for row in _SAUCES] for level in _LEVELS], np.int64
)


def _check() -> None:
    values = [row["value"] or "w" for row in _CARDS]
    if values != list(VALUE_NAMES) or NUM_CARDS != 110 or NUM_WILDS != 6 or MAX_COPIES != 8:
        raise ValueError("chili_cards.csv: there must be 1 to 13, eight of each, and six wilds")
    if NUM_SAUCES != 22 or list(SAUCE_NAMES) != [f"S{number:02d}" for number in range(1, 23)]:
        raise ValueError("sauces.csv: there must be S01 to S22")
    if [int(row["sauces_left"]) for row in _LEVELS] != IN_PLAY.sum(axis=1).tolist():
        raise ValueError("difficulty.csv: sauces_left is not what removed_hotness leaves")
    if HOTNESS.min() < 1 or SAUCE_POINTS.min() < 0 or SAUCE_POINTS.sum() > 1000:
        raise ValueError("sauces.csv: hotness or points out of range")


_check()
