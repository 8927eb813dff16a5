"""The kernels and the naive twin play the same games, outcome by outcome."""

import itertools
import json
import random
from typing import Any

import numpy as np
import pytest

from pepperenvs.core.state import OVER
from pepperenvs.drivers.game import Game, load
from tests.conformance import player_counts, twin_of

QUICK, ALL = 60, 1000  # games of each game, divided over the player counts


class Pair:
    """One game played by the kernels and by the twin. The outcomes are drawn by one of the two, told to the other."""

    def __init__(self, game: Game, num_players: int, options: dict[str, Any], seed: int) -> None:
        self.game, self.spec, self.module = game, game.spec, twin_of(game.spec)
        self.codec = self.spec.part("record")
        self.chooser = random.Random(seed)
        self.twin_draws = seed % 2 == 1
        values = self.spec.resolve(num_players, options)
        blanks = self.spec.blank(values)
        self.states = blanks.copy()
        self.out = np.zeros(self.spec.layout.size, np.int16)
        game.prepare(self.states, 0, blanks, 0, seed)
        game.reset(self.states, 0)
        deal = self.draw(lambda: self.module.Twin.random_deal(num_players, options, self.chooser))
        self.twin = self.module.Twin(num_players, options, deal)
        self.settle()

    def draw(self, twins: Any) -> Any:
        """The awaited outcome, drawn by the kernels or by the twin, put into the state."""
        if self.twin_draws:
            outcome = twins()
            self.codec.impose(self.states[0], outcome)
            return outcome
        self.game.chance(self.states, 0)
        return json.loads(json.dumps(self.codec.outcome(self.states[0])))

    def settle(self) -> None:
        """Both carry the rules on, outcome by outcome, to the next decision."""
        while self.game.advance(self.states, 0):
            self.chance()

    def chance(self) -> None:
        name = self.codec.OUTCOMES[int(self.states["pending"][0])]
        assert self.twin.awaiting == name
        outcome = self.draw(lambda: self.twin.random_outcome(self.chooser)[name])
        self.twin.chance({name: outcome})

    def play(self, move: str) -> None:
        self.game.step(self.states, 0, self.game.parse(self.states, move))
        self.twin.play(move)
        if self.states["pending"][0]:
            self.chance()
        self.settle()

    def choose(self, kind: int) -> str:
        """A move: random, purposeful or the bot's."""
        legal = self.twin.legal()
        if kind == 0:
            return self.chooser.choice(legal)
        if kind == 1:
            return self.module.purposeful(self.twin, legal, self.chooser)
        return self.game.strings(self.states)[self.game.bot(self.states, 0)]

    def compare(self) -> None:
        seat = int(self.states["to_move"][0])
        assert (None if seat == OVER else seat) == self.twin.to_move
        assert self.twin.awaiting is None
        assert self.game.legal_strings(self.states) == self.twin.legal()
        seats = {looker % self.twin.num_players for looker in (seat, seat + 1, int(self.states["moves"][0]))}
        for looker in range(self.twin.num_players) if seat == OVER else seats:
            self.game.observe(self.states, 0, looker, self.out)
            told = self.twin.observe(looker)
            if self.out.tolist() != self.flat(told):
                parts = {name: part.tolist() for name, part in self.spec.layout.split(self.out).items()}
                assert parts == told, f"seat {looker}"
                raise AssertionError("the twin's observation has another order")

    def flat(self, told: dict[str, Any]) -> list[int]:
        """The twin's observation as a row of cells, in the order of the layout."""
        cells: list[int] = []
        for segment in self.spec.layout.segments:
            part = told[segment.name]
            for _ in segment.shape[1:]:
                part = itertools.chain.from_iterable(part)
            cells.extend(part if segment.shape else [part])
        return cells

    def compare_results(self) -> None:
        seats = self.twin.num_players
        assert self.states["score"][0, :seats].tolist() == self.twin.scores
        assert self.states["standing"][0, :seats].tolist() == self.twin.standing
        assert bool(self.states["truncated"][0]) == self.twin.truncated
        if seats == 1:
            out = np.zeros(self.spec.max_seats)
            self.game.utilities(self.states, 0, 0, out)
            assert out[0] == self.twin.solitaire


def num_games(game: str) -> int:
    """Games that are played; fewer where the twin says that its games are long."""
    return int(getattr(twin_of(load(game).spec), "GAMES", ALL))


def play_games(game: Game, numbers: range) -> None:
    """Games of these numbers. Player counts, options and choosers change in turn."""
    counts = player_counts(game.spec)
    module = twin_of(game.spec)
    for number in numbers:
        num_players = counts[(number + number // 6) % len(counts)]
        options = module.random_options(random.Random(number)) if number % 5 else {}
        pair = Pair(game, num_players, options, number)
        try:
            while pair.twin.to_move is not None:
                pair.compare()
                pair.play(pair.choose(number % 3))
            pair.compare()
            pair.compare_results()
        except Exception as error:
            moves = pair.states["moves"][0]
            error.add_note(f"{game.spec.id}: {num_players} players, {options}, seed {number}, after {moves} moves")
            raise


def test_twin(game: str) -> None:
    play_games(load(game), range(num_games(game) * QUICK // ALL))


@pytest.mark.slow
def test_twin_in_many_games(game: str) -> None:
    play_games(load(game), range(num_games(game) * QUICK // ALL, num_games(game)))
