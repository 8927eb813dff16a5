"""A batch in parts: kernels that release the interpreter's lock run in several threads."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

PARTS = 4  # parts for each thread: one that a busy machine holds up leaves the rest to the others
LEAST = 64  # games in a part; handing a part to a thread costs as much as a few games


class Slices:
    """Calls `kernel(first, stop, *arguments)` for all games, in parts that `num_threads` threads take in turn.

    The parts must be independent of one another, as games are. The caller's own thread is one of them.
    """

    def __init__(self, num_games: int, num_threads: int) -> None:
        self.num_threads = num_threads
        wanted = 1 if num_threads == 1 else num_threads * PARTS
        size = max(LEAST, math.ceil(num_games / wanted))
        self._bounds = [(first, min(first + size, num_games)) for first in range(0, num_games, size)]
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_pool": None}

    def __call__(self, kernel: Callable[..., Any], *arguments: Any) -> None:
        if len(self._bounds) == 1:
            kernel(*self._bounds[0], *arguments)
            return
        parts = iter(self._bounds)  # threads share it: taking the next one is a single operation of the interpreter
        helpers = [self._threads().submit(_work, kernel, parts, arguments) for _ in range(self.num_threads - 1)]
        _work(kernel, parts, arguments)
        for helper in helpers:
            if not helper.cancel():  # one that has not begun has nothing left to do
                helper.result()

    def _threads(self) -> ThreadPoolExecutor:
        if self._pool is None or self._process != os.getpid():  # threads do not survive a fork
            self._pool, self._process = ThreadPoolExecutor(self.num_threads - 1, "pepperenvs"), os.getpid()
        return self._pool


def _work(kernel: Callable[..., Any], parts: Iterator[tuple[int, int]], arguments: tuple[Any, ...]) -> None:
    for first, stop in parts:
        kernel(first, stop, *arguments)
