"""Checks of what callers hand to the drivers."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray


def at_least_one(name: str, number: Any) -> int:
    """A number from 1. Raises ValueError for a smaller one, TypeError for what is no integer."""
    if operator.index(number) < 1:
        raise ValueError(f"{name} must be at least 1, not {number!r}")
    return operator.index(number)


def fitting(name: str, given: NDArray[Any], example: NDArray[Any]) -> NDArray[Any]:
    """An array that an entry point may write to, which checks nothing. Raises ValueError for another."""
    fits = isinstance(given, np.ndarray) and given.dtype == example.dtype and given.shape == example.shape
    if not fits or not (given.flags.c_contiguous and given.flags.writeable and given.flags.aligned):
        raise ValueError(f"{name} must be a writable {example.dtype} array of the shape {example.shape}, in one piece")
    return given
