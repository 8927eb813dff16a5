"""Declarations of what an observation holds and of what the action indices mean.

Everything about them that appears elsewhere (offsets, bounds, tables in RULES.md, descriptions, scaling) is computed
from these declarations.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Part:
    """Consecutive cells or indices that go by one name.

    extents    names and lengths of its axes, as {"seats": 4, "values": 14}; the last one runs fastest; empty for one
    """

    name: str
    extents: Mapping[str, int]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.extents.values())

    @property
    def length(self) -> int:
        return math.prod(self.shape)


class _Parts:
    """Parts one after another."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._starts: dict[str, int] = {}
        self.size = 0
        for part in parts:
            if part.name in self._starts:
                raise ValueError(f"{type(part).__name__.lower()} {part.name!r} is declared twice")
            self._starts[part.name] = self.size
            self.size += part.length

    def start(self, name: str) -> int:
        """The first cell or index of a part."""
        return self._starts[name]


# ---------------------------------------------------------------------------------------------- observation


@dataclass(frozen=True)
class Segment(Part):
    """A named part of an observation.

    low, high  bounds of every cell over all options and player counts
    usual      what networks scale by where the bound is far above all that ever occurs; None: the bound
    """

    low: int
    high: int
    meaning: str
    labels: Sequence[str] = ()  # names along the last axis, for people
    usual: int | None = None


class Layout(_Parts):
    """The segments of an observation, int16 counts as they lie on the table, one after another."""

    def __init__(self, *segments: Segment) -> None:
        super().__init__(segments)
        self.segments = segments
        for segment in segments:
            if not -32768 <= segment.low < segment.high <= 32767:
                raise ValueError(f"segment {segment.name!r}: low < high must hold within int16")

    @functools.cached_property
    def low(self) -> NDArray[np.int16]:
        """Lower bound of every cell, int16 [size]."""
        return self._spread([segment.low for segment in self.segments])

    @functools.cached_property
    def high(self) -> NDArray[np.int16]:
        """Upper bound of every cell, int16 [size]."""
        return self._spread([segment.high for segment in self.segments])

    @functools.cached_property
    def scale(self) -> NDArray[np.float32]:
        """What a network multiplies each cell by so that it lies in [-1, 1], or usually does, float32 [size]."""
        largest = [segment.usual or max(abs(segment.low), abs(segment.high)) for segment in self.segments]
        return (1.0 / self._spread(largest)).astype(np.float32)

    def _spread(self, values: list[int]) -> NDArray[np.int16]:
        return np.repeat(np.array(values, np.int16), [segment.length for segment in self.segments])

    def split(self, observation: NDArray[Any]) -> dict[str, Any]:
        """The segments of one observation (or of a batch, [..., size]) by name, as views of their shapes."""
        leading = np.shape(observation)[:-1]
        parts = {}
        for segment in self.segments:
            start = self._starts[segment.name]
            part = observation[..., start : start + segment.length]
            parts[segment.name] = part.reshape(leading + segment.shape)
        return parts

    def describe(self, observation: NDArray[Any]) -> str:
        """One observation, [size], as text for people: a line a segment, only what is not zero."""
        if np.shape(observation) != (self.size,):
            raise ValueError(f"an observation has shape ({self.size},), not {np.shape(observation)}")
        parts = self.split(np.asarray(observation))
        width = max(len(segment.name) for segment in self.segments)
        return "\n".join(f"{s.name:<{width}}  {_cells(s, parts[s.name])}" for s in self.segments)

    def rows(self) -> Iterator[tuple[str, str, str, str, str]]:
        """The layout as table rows: indices, name, shape, range, meaning."""
        for s in self.segments:
            start = self._starts[s.name]
            indices = f"{start}" if s.length == 1 else f"{start}–{start + s.length - 1}"
            shape = " × ".join(f"{length} {name}" for name, length in s.extents.items()) or "1"
            yield indices, s.name, shape, f"{s.low} … {s.high}", s.meaning


def _cells(segment: Segment, part: NDArray[Any]) -> str:
    if not segment.extents:
        return str(int(part))
    words = []
    for index in zip(*np.nonzero(part), strict=True):
        *outer, last = (int(i) for i in index)
        label = segment.labels[last] if segment.labels else str(last)
        place = ".".join([*map(str, outer), label])
        words.append(f"{place}={int(part[index])}")
    return " ".join(words) or "-"


# -------------------------------------------------------------------------------------------------- actions


@dataclass(frozen=True)
class Block(Part):
    """Consecutive action indices of one kind.

    string     the canonical action string of the indices along the axes
    relative   the first axis counts the seats to the left of the one to move, from 1; `string` is given the seat itself
    """

    string: Callable[..., str]
    meaning: str
    relative: bool = False

    def strings(self, seat: int, num_seats: int) -> Iterator[str]:
        """The strings in the order of the indices, as a seat among so many writes them."""
        for index in np.ndindex(self.shape):
            yield self.string((seat + 1 + index[0]) % num_seats, *index[1:]) if self.relative else self.string(*index)


class Actions(_Parts):
    """The blocks of a game's actions, in the order of their indices."""

    def __init__(self, *blocks: Block) -> None:
        super().__init__(blocks)
        self.blocks = blocks
        self._most = 1 + max((block.shape[0] for block in blocks if block.relative), default=0)
        self._written: dict[tuple[int, int], tuple[tuple[str, ...], dict[str, int]]] = {}

    @property
    def strings(self) -> tuple[str, ...]:
        """The canonical strings of all actions, by index; where they name seats, as seat 0 of the most players does."""
        return self.strings_of(0, None)

    def strings_of(self, seat: int, num_seats: int | None) -> tuple[str, ...]:
        """The same as a seat that is to move writes them, among so many players; None for the most."""
        return self._of(seat, num_seats)[0]

    def _of(self, seat: int, num_seats: int | None) -> tuple[tuple[str, ...], dict[str, int]]:
        key = (seat, num_seats or self._most) if self._most > 1 else (0, 1)
        if key not in self._written:
            strings = tuple(string for block in self.blocks for string in block.strings(*key))
            indices = {string: index for index, string in enumerate(strings)}
            if len(indices) != self.size:
                raise ValueError("two actions have the same string")
            self._written[key] = strings, indices
        return self._written[key]

    def string(self, action: int, seat: int = 0, num_seats: int | None = None) -> str:
        """The canonical string of a seat's action. Raises ValueError for an index that is none."""
        if not 0 <= action < self.size:
            raise ValueError(f"action {action} is not in 0 … {self.size - 1}")
        return self.strings_of(seat, num_seats)[action]

    def parse(self, string: str, seat: int = 0, num_seats: int | None = None) -> int:
        """The index of a seat's canonical action string. Raises ValueError for another text."""
        try:
            return self._of(seat, num_seats)[1][string]
        except (KeyError, TypeError):
            raise ValueError(f"{string!r} is no action, which look like {self._examples()}") from None

    def _examples(self) -> str:
        return ", ".join(repr(self.strings[self._starts[block.name]]) for block in self.blocks)

    def rows(self) -> Iterator[tuple[str, str, str, str]]:
        """The blocks as table rows: indices, first and last action, axes, meaning."""
        for block in self.blocks:
            start, last = self._starts[block.name], self._starts[block.name] + block.length - 1
            if block.length == 1:
                yield f"{start}", f"`{self.strings[start]}`", "1", block.meaning
            else:
                axes = " × ".join(f"{length} {name}" for name, length in block.extents.items())
                yield f"{start}–{last}", f"`{self.strings[start]}` … `{self.strings[last]}`", axes, block.meaning
