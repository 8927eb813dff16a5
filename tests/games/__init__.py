"""Tests of single games on positions that are built."""

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pepperenvs.core.state import OVER
from pepperenvs.drivers.game import Game


class Table:
    """One game whose deal and random outcomes the test chooses; every position is audited."""

    def __init__(self, game: Game, num_players: int, options: dict[str, Any], deal: Any = None) -> None:
        self.game, self.spec, self.codec = game, game.spec, game.spec.part("record")
        self.states = self.spec.blank(self.spec.resolve(num_players, options))
        game.reset(self.states, 0)
        if deal is not None:
            self.codec.impose(self.state, deal)
            self.settle()

    @property
    def state(self) -> Any:
        """The state, whose fields are attributes and may be written to."""
        return self.states[0]

    @property
    def awaited(self) -> str | None:
        """The name of the outcome that is pending."""
        return self.codec.OUTCOMES[int(self.state.pending)] if self.state.pending else None

    @property
    def to_move(self) -> int | None:
        return None if self.state.to_move == OVER else int(self.state.to_move)

    @property
    def legal(self) -> list[str]:
        return self.game.legal_strings(self.states)

    def settle(self, *outcomes: Any) -> None:
        """Carry the rules on to the next decision; an outcome that is not given is what lies ready, unshuffled."""
        given = iter(outcomes)
        for _ in itertools.count():
            if self.awaited and (outcome := next(given, None)) is not None:
                self.codec.impose(self.state, outcome)
            if not self.game.advance(self.states, 0):
                break
        assert next(given, None) is None, "an outcome was not asked for"
        self.audit()

    def play(self, *moves: str, then: Any = None) -> None:
        """Play moves by their strings; `then` is the outcome that follows the last."""
        for move in moves:
            assert move in self.legal, f"{move!r} is not among {self.legal}"
            self.game.step(self.states, 0, self.game.parse(self.states, move))
            self.settle(*([then] if then is not None and move == moves[-1] else []))

    def see(self, seat: int) -> dict[str, Any]:
        """What a seat observes, by segment, as lists and numbers."""
        out = np.zeros(self.spec.layout.size, np.int16)
        self.game.observe(self.states, 0, seat, out)
        return {name: part.tolist() for name, part in self.spec.layout.split(out).items()}

    def redraws(self, seat: int, count: int) -> NDArray[Any]:
        """Redraws of what a seat cannot know, [count]."""
        drawn = np.repeat(self.states, count)
        stream = np.ones(1, np.uint64)
        for index in range(count):
            self.game.resample(drawn, index, seat, stream)
        return drawn

    def bot(self) -> str:
        return self.game.strings(self.states)[self.game.bot(self.states, 0)]

    def utility(self, kind: int = 0) -> list[float]:
        out = np.zeros(self.spec.max_seats)
        self.game.utilities(self.states, 0, kind, out)
        return out[: self.state.num_seats].tolist()

    def audit(self) -> None:
        number = int(self.game.audit(self.states, 0))
        assert number == 0, self.spec.audits[number]

    def fails_audit(self, **damage: Any) -> int:
        """The number that the audit gives after damage, {field: (index, value)} or {field: value}; all is set back."""
        kept = self.states.copy()
        for field, value in damage.items():
            if isinstance(value, tuple):
                self.states[field][(0, *np.atleast_1d(value[0]))] = value[1]
            else:
                self.states[field] = value
        number = int(self.game.audit(self.states, 0))
        self.states[:] = kept
        return number
