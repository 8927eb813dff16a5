"""The options of a batch's games: one set for all, or different ones, also with different numbers of players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pepperenvs.drivers.game import Game

Values = dict[str, Any]


def fewer_players(wanted: Any, fewest: int, most: int) -> int:
    """What a reset's option "num_players" asks for; `most`, for which the environment was made, if it is None.

    Raises ValueError unless it is a whole number in fewest … most.
    """
    if wanted is None:
        return most
    is_whole = isinstance(wanted, (int, np.integer)) and not isinstance(wanted, bool)
    if not is_whole or not fewest <= wanted <= most:
        raise ValueError(f"reset option 'num_players' must be a whole number in {fewest} … {most}, not {wanted!r}")
    return int(wanted)


class Variants:
    """Which options each game is begun with.

    blanks     states [rows], one for each set of resolved options that has been met
    row        int64 [games], the blank that each game begins from
    """

    def __init__(self, game: Game, num_envs: int, num_players: int | None, options: Values,
                 variants: Sequence[Mapping[str, Any]] | None) -> None:  # fmt: skip
        """
        options     of all games
        variants    what overrules them, "num_players" too: game i has variants[i % len(variants)]

        Raises ValueError for what the game does not allow.
        """
        if variants is not None and (isinstance(variants, (str, Mapping)) or not len(variants)):
            raise ValueError(f"variants must be a list of one or more mappings of options, not {variants!r}")
        given = [{"num_players": num_players, **options, **one} for one in variants or ({},)]
        self._players = [one.pop("num_players") for one in given]
        self._given = given
        self._game = game
        self._kind = np.arange(num_envs) % len(given)
        self.blanks = np.zeros(0, game.spec.state)
        self._rows: dict[bytes, int] = {}
        self.row = np.zeros(num_envs, np.int64)
        self.choose(None, np.ones(num_envs, np.bool_))

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_game"}

    def connect(self, game: Game) -> None:
        """After unpickling: the game, which pickles leave out."""
        self._game = game
        self.blanks = self.blanks.copy()  # entry points take arrays of one layout, whatever the pickle did to it
        self.row = self.row.copy()

    @property
    def fewest_players(self) -> int:
        """Of all games as they are begun."""
        return int(self.blanks["num_seats"][self.row].min())

    def choose(self, num_players: int | None, chosen: NDArray[np.bool_]) -> None:
        """Set the rows of chosen games: to their own variants, with `num_players` seats unless that is None.

        Raises ValueError for a number of players that an option does not allow; nothing has changed then.
        """
        kinds = np.unique(self._kind[chosen])
        values = {kind: self._values(kind, num_players) for kind in kinds.tolist()}
        for kind, resolved in values.items():
            self.row[chosen & (self._kind == kind)] = self.find(resolved)

    def _values(self, kind: int, num_players: int | None) -> Values:
        return self._game.spec.resolve(self._players[kind] if num_players is None else num_players, self._given[kind])

    def find(self, values: Values) -> int:
        """The row of a set of resolved options, which is added if it is new."""
        blank = self._game.blank(values)
        row = self._rows.setdefault(blank.tobytes(), len(self._rows))
        if row == len(self.blanks):
            more = np.zeros(row + 1, self._game.spec.state)  # np.concatenate would lose the record type
            more[:row], more[row] = self.blanks, blank[0]
            self.blanks = more
        return row
