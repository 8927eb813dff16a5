"""The tables of the look-ups, as words.py has made and explains them; loaded from data/words.npz."""

import numpy as np

from pepperenvs.lexicon.racks import GROUP_VALUES
from pepperenvs.lexicon.words import MAX_COST, MAX_LENGTH, TABLES

with np.load(TABLES) as _tables:
    FITS = _tables["fits"].astype(np.int64)  # 64 words a cell, [values of all groups and NO_ROW, columns]
    BOUNDS = _tables["bounds"].astype(np.int64)  # columns, [least or most, lengths from 0, costs]
    SPELLING = _tables["spelling"].astype(np.int64)  # [words], 0 where no word is

GROUP_ROW = np.cumsum([0, *GROUP_VALUES[:-1]])  # the first row of each group, [groups]
NO_ROW = np.int64(sum(GROUP_VALUES))  # the row without a bit; no int, for whose value Numba would compile kernels anew


def _check() -> None:
    if len(FITS) != NO_ROW + 1 or FITS[NO_ROW].any() or BOUNDS.shape != (2, MAX_LENGTH + 1, MAX_COST + 1):
        raise ValueError("words.npz is of another deck: run python -m pepperenvs.lexicon.words")


_check()
