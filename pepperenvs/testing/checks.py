"""Conformance checks: what must hold for every game, as plain functions.

    from pepperenvs.testing import checks
    checks.check_game(SPEC)                    # all of them; or one by one, as a test each

Every check takes what a game declares (`GameSpec`) or the game that a driver has bound (`Game`), plays through the same
entry points as the drivers do, and raises `ConformanceError`, which names the game and, of a game that is played, the
options, the seed and the move; what the game itself raises is passed on. The registry is not asked: a game from outside
this repository is checked as it is. README.md in this folder has a table of the checks and a complete example.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pepperenvs.core import rng, state, utility
from pepperenvs.core.spec import GameSpec
from pepperenvs.core.state import OVER, SaveError
from pepperenvs.drivers._kernels import ILLEGAL
from pepperenvs.drivers.game import Game
from pepperenvs.testing.match import HERE, ConformanceError, Match, Values, bound, variants

BOTS = 0.6  # share of the moves that the scripted player makes in a match of an odd seed
SENTINELS = (-12345, 23456)  # no observation holds them, so a cell that keeps one was not written


def _expect(holds: Any, what: str) -> None:
    if not holds:
        raise ConformanceError(what)


def _same(left: NDArray[Any], right: NDArray[Any]) -> bool:
    return left.dtype == right.dtype and left.tobytes() == right.tobytes()


# ------------------------------------------------------------------------------------------------ structure


def check_structure(game: Game | GameSpec) -> None:
    """The record type is packed, has the common fields, no reserved names and room for all seats; bounds are bounds."""
    spec = bound(game).spec
    kind = spec.state
    names = kind.names or ()
    _expect(kind.type is np.record, f"{spec.id}: the state is no np.record type")
    _expect(kind.itemsize % 8 == 0, f"{spec.id}: {kind.itemsize} bytes are no multiple of 8")
    _expect(sum(kind[name].itemsize for name in names) == kind.itemsize, f"{spec.id}: the record has gaps")
    common = state.state_dtype(spec.max_seats).names or ()
    _expect(names[: len(common)] == common, f"{spec.id}: the state does not begin with the common fields")
    for name in names:
        _expect(not hasattr(np.record, name), f"{spec.id}: field {name!r} is an attribute of np.record")
        _expect(kind[name].shape or kind[name] == np.int64, f"{spec.id}: scalar {name!r} is not int64")
    fewest, most, default = spec.players
    _expect(1 <= fewest <= default <= most <= spec.max_seats, f"{spec.id}: players {spec.players} do not fit the seats")
    _expect(0 not in spec.audits and spec.audits, f"{spec.id}: audits are numbers from 1")
    _expect((spec.layout.low < spec.layout.high).all(), f"{spec.id}: a cell whose lower bound is not below its upper")
    for values in variants(spec):
        blank = spec.blank(values)
        _expect(blank["num_seats"][0] == values["num_players"], f"{spec.id}: a blank without its number of seats")
        again = spec.resolve(values["num_players"], spec.differing(values))
        _expect(again == values, f"{spec.id}: {values} is {again} after it was told by its differences")


def check_actions(game: Game | GameSpec) -> None:
    """Strings and indices of actions are inverse to each other; anything else is refused."""
    spec = bound(game).spec
    actions = spec.actions
    writers = [(seat, seats) for seats in range(spec.players[0], spec.players[1] + 1) for seat in range(seats)]
    for seat, seats in writers:
        strings = [string for block in actions.blocks for string in block.strings(seat, seats)]
        _expect(len(set(strings)) == actions.size, "two actions have one string")
        for index in range(actions.size):
            string = actions.string(index, seat, seats)
            _expect(actions.parse(string, seat, seats) == index, f"action {index} is not what its string says")
    for wrong in ("", " ", "no such action", actions.string(0) + " ", actions.string(0).upper() + "!"):
        _expect(_refuses(actions.parse, wrong), f"{wrong!r} is taken for an action")
    for index in (-1, actions.size):
        _expect(_refuses(actions.string, index), f"{index} is taken for an action")


def _refuses(call: Callable[..., Any], *arguments: Any, error: type[Exception] = ValueError) -> bool:
    try:
        call(*arguments)
    except error:
        return True
    return False


def check_saves(game: Game | GameSpec, seed: int = 0) -> None:
    """Saved states come back byte for byte; a foreign version, an edit, a truncation or a bad position is refused."""
    one = bound(game)
    spec = one.spec
    positions = itertools.islice(Match(one, spec.resolve(), seed).positions(BOTS), 5)
    saved = np.concatenate([match.here.copy() for match in positions])
    data = one.save(saved)
    _expect(_same(one.load(data), saved), f"{spec.id}: saved states do not come back as they were")
    newer = dataclasses.replace(spec, version=spec.version + 1)
    foreign = state.save(saved, newer.id)
    _expect(_refuses(one.load, foreign, error=SaveError), f"{spec.id}: a save of {newer.id} is taken")
    chooser = random.Random(seed)
    for _ in range(50):
        place = chooser.randrange(len(data))
        damaged = data[:place] + bytes([data[place] ^ 1 << chooser.randrange(8)]) + data[place + 1 :]
        _expect(_refuses(one.load, damaged, error=SaveError), f"{spec.id}: a flip in byte {place} is not seen")
        _expect(_refuses(one.load, data[:place], error=SaveError), f"{spec.id}: {place} bytes pass for all")
    saved["to_move"][0] = spec.max_seats
    _expect(_refuses(one.load, one.save(saved), error=SaveError), f"{spec.id}: a seat that is not there is taken")


# ------------------------------------------------------------------------------------------------- playouts


def check_playouts(game: Game | GameSpec, seeds: Sequence[int] = (0, 1), which: Iterable[Values] | None = None) -> int:
    """Random games keep what all games keep, at every move; returns the number of moves.

    seeds    one match each; the scripted player takes part where it is odd
    which    resolved options; all `variants` unless given

    At every decision: the state is sound by `audit`; mask, ids, count and observation are those of fresh buffers that
    held sentinels; ids ascend and there is one; every seat's observation lies within the layout's bounds; looking
    changes nothing, nor does an illegal action; the scripted move is legal; the neighbours in the batch are untouched;
    and the kernels called one by one on a copy give the same bytes, generator included.
    """
    one = bound(game)
    moves = 0
    for values in variants(one.spec) if which is None else which:
        for seed in seeds:
            match = Match(one, values, seed)
            shadow = _begin(match)
            while match.seat != OVER:
                _check_decision(match, shadow)
                action = match.choose(BOTS if seed % 2 else 0.0)
                match.expect(match.turn(action) == match.seat, "the turn does not return the seat to move")
                one.step(shadow, 0, action)
                _settle(one, shadow)
            _check_end(match, shadow)
            moves += int(match.here["moves"][0])
    return moves


def _begin(match: Match) -> NDArray[Any]:
    """The same game from the same seed in a buffer of its own, kernel by kernel, up to the first decision; [1]."""
    states = match.blanks.copy()
    match.game.prepare(states, 0, match.blanks, 0, match.seed)
    match.game.reset(states, 0)
    match.expect(states["pending"][0] == state.DEAL, "reset does not leave the deal pending")
    _settle(match.game, states)
    return states


def _settle(game: Game, states: NDArray[Any]) -> None:
    while True:
        if states["pending"][0]:
            game.chance(states, 0)
        if not game.advance(states, 0):
            return


def _check_decision(match: Match, shadow: NDArray[Any]) -> None:
    game, spec = match.game, match.game.spec
    _check_state(match, shadow)
    match.expect(0 <= match.seat < match.num_seats, "no such seat")
    ids = np.full(spec.actions.size, -7, np.int32)
    count = int(game.legal(match.states, HERE, ids))
    match.expect(count >= 1, "no action is legal")
    legal = ids[:count]
    match.expect(legal[0] >= 0 and legal[-1] < spec.actions.size and (np.diff(legal) > 0).all(), "ids do not ascend")
    mask = np.zeros(spec.actions.size, np.int8)
    mask[legal] = 1
    match.expect(count == match.counts[HERE] == mask.sum(), "the count is not the sum of the mask")
    match.expect(_same(match.masks[HERE], mask), "the mask is not that of fresh legal actions")
    match.expect(_same(match.ids[HERE, :count], legal), "the ids are not those of fresh legal actions")
    for seat in range(match.num_seats):
        seen = _observed(match, seat)
        if seat == match.seat:
            match.expect(_same(match.observations[HERE], seen), "the observation is not a fresh one")
    action = int(game.bot(match.states, HERE))
    match.expect(mask[action] == 1 if 0 <= action < len(mask) else False, "the bot's move {} is illegal", action)
    match.expect(int(game.bot(match.states, HERE)) == action, "the bot chooses twice and differently")
    _check_illegal(match, mask)
    match.expect(_same(match.here, shadow), "looking on, or an illegal action, has changed the state")


def _observed(match: Match, seat: int) -> NDArray[np.int16]:
    layout = match.game.spec.layout
    fresh = [np.full(layout.size, sentinel, np.int16) for sentinel in SENTINELS]
    for out in fresh:
        match.game.observe(match.states, HERE, seat, out)
    seen = fresh[0]
    match.expect(_same(*fresh), "seat {}: cells {} are not written", seat, fresh[0] != fresh[1])
    outside = (seen < layout.low) | (seen > layout.high)
    match.expect(not outside.any(), "seat {}: cells {} are out of bounds", seat, outside)
    return seen


def _check_illegal(match: Match, mask: NDArray[np.int8]) -> None:
    """Illegal actions are refused; whether they changed anything is seen afterwards."""
    illegal = np.flatnonzero(mask == 0)
    tried = [len(mask), len(mask) + 1000, -5]
    if len(illegal):
        tried.append(int(match.chooser.choice(illegal.tolist())))
    before = [buffer[HERE].tobytes() for buffer in (match.ids, match.counts, match.masks, match.observations)]
    for action in tried:
        match.expect(match.turn(action) == ILLEGAL, "the illegal action {} is played", action)
    after = [buffer[HERE].tobytes() for buffer in (match.ids, match.counts, match.masks, match.observations)]
    match.expect(before == after, "an illegal action has changed mask, ids or observation")


def _check_state(match: Match, shadow: NDArray[Any]) -> None:
    fault = int(match.game.audit(match.states, HERE))
    match.expect(not fault, "audit {}: {}", fault, match.game.spec.audits.get(fault))
    match.expect(match.untouched(), "the neighbours in the batch have changed")
    match.expect(_same(match.here, shadow), "a turn is not its kernels one by one, or one seed is two games")
    match.expect(match.here["pending"][0] == 0, "a decision is asked while an outcome is awaited")


def _check_end(match: Match, shadow: NDArray[Any]) -> None:
    _check_state(match, shadow)
    n, end = match.num_seats, match.here[0]
    match.expect(match.counts[HERE] == 0 and not match.masks[HERE].any(), "actions are legal after the end")
    match.expect(not match.observations[HERE].any(), "the observation after the end is not zero")
    for seat in range(n):
        _observed(match, seat)
    standing = end["standing"][:n].tolist()
    match.expect(standing == [sum(o < mine for o in standing) for mine in standing], "standing {}", standing)
    match.expect(not end["standing"][n:].any() and not end["score"][n:].any(), "an absent seat has a result")
    match.expect(end["truncated"] in (0, 1), "truncated is neither 0 nor 1")
    for name, kind in utility.KINDS.items():
        out = np.full(match.game.spec.max_seats, 7.5)
        match.game.utilities(match.states, HERE, kind, out)
        match.expect((out[n:] == 7.5).all(), "utility {} is written to absent seats", name)
        if kind != utility.SCORE:
            match.expect(n == 1 or abs(out[:n].sum()) < 1e-9, "utility {} is not zero-sum", name)
            match.expect((np.abs(out[:n]) <= 1.0).all(), "utility {} is not within -1 and 1", name)


# -------------------------------------------------------------------------------------------------- secrecy


@dataclasses.dataclass
class Redraws:
    """What `check_secrecy` has seen: redraws, those that left all as it was, those that were played to the end."""

    made: int = 0
    unchanged: int = 0
    played_on: int = 0

    def __str__(self) -> str:
        share = self.unchanged / max(1, self.made)
        return f"{self.made} redraws, {self.unchanged} left all as it was ({share:.2%}), {self.played_on} played on"


def check_secrecy(
    game: Game | GameSpec, seeds: Sequence[int] = (0, 1), which: Iterable[Values] | None = None
) -> Redraws:
    """Redraws of what a seat cannot know are states that it cannot tell from the true one, and really are redrawn.

    seeds, which    as in `check_playouts`

    For every move and seat: the observation, and for the seat to move the legal actions and the scripted move, stay as
    they are; another seat that is to move keeps a legal action; public fields keep their values; the state is
    sound; the generator is replaced; neither the true one nor the true hidden part has any influence: the same stream
    gives the same redraw from every state that the seat cannot tell from the true one. Before the first move, redraws
    differ. Redraws of the decisions 1, 2, 4, 8 … are played to the end.
    """
    one = bound(game)
    seen = Redraws()
    for values in variants(one.spec) if which is None else which:
        for seed in seeds:
            stream = np.zeros(1, np.uint64)
            rng.seed(stream, seed, 7)
            match = Match(one, values, seed)
            for decision, _ in enumerate(match.positions(BOTS if seed % 2 else 0.0), 1):
                if decision == 1:
                    _check_it_redraws(match, stream)
                for seat in range(match.num_seats):
                    drawn = _check_redraw(match, seat, stream, seen)
                    if decision & (decision - 1) == 0 and seat == decision.bit_length() % match.num_seats:
                        _play_on(match, drawn)
                        seen.played_on += 1
    return seen


def _redrawn(match: Match, seat: int, stream: NDArray[np.uint64]) -> NDArray[Any]:
    """A redraw, [1]."""
    copy = match.here.copy()
    match.game.resample(copy, 0, seat, stream)
    return copy


def _hidden(states: NDArray[Any]) -> bytes:
    """The bytes of a state without its generator."""
    return states.tobytes()[8:]


def _check_it_redraws(match: Match, stream: NDArray[np.uint64]) -> None:
    for seat in range(match.num_seats):
        found = {_hidden(_redrawn(match, seat, stream)) for _ in range(30)}
        match.expect(len(found) > 1, "30 redraws for seat {} are all the same", seat)


PUBLIC = ("to_move", "pending", "stage", "moves", "max_moves", "num_seats", "recall", "truncated", "score", "standing")


def _check_redraw(match: Match, seat: int, stream: NDArray[np.uint64], seen: Redraws) -> NDArray[Any]:
    game, spec = match.game, match.game.spec
    before = stream.copy()
    drawn = _redrawn(match, seat, stream)
    seen.made += 1
    seen.unchanged += _hidden(drawn) == _hidden(match.here)
    match.expect(drawn["rng"][0, 0] != match.here["rng"][0, 0], "the generator is not replaced")
    other = match.here.copy()
    other["rng"] ^= np.uint64(0x5555)
    game.resample(other, 0, seat, before.copy())
    match.expect(_same(other, drawn), "the true generator decides what seat {} is shown", seat)
    for name in (*PUBLIC, *(option.name for option in spec.options)):
        match.expect(_same(drawn[name], match.here[name]), "the redraw for seat {} changes {}", seat, name)
    views = np.zeros((2, spec.layout.size), np.int16)
    game.observe(match.states, HERE, seat, views[0])
    game.observe(drawn, 0, seat, views[1])
    match.expect(_same(*views), "seat {} sees the redraw in cells {}", seat, views[0] != views[1])
    fault = int(game.audit(drawn, 0))
    match.expect(not fault, "the redraw for seat {} fails audit {}: {}", seat, fault, spec.audits.get(fault))
    game.resample(other, 0, seat, ~before)
    game.resample(other, 0, seat, before)
    match.expect(_same(other, drawn), "the true hidden part decides what seat {} is shown", seat)
    if match.seat == OVER:
        return drawn
    legal = game.legal_ids(drawn).tolist()
    match.expect(legal, "the redraw for seat {} leaves no legal action", seat)
    if seat == match.seat:
        match.expect(legal == match.legal, "the legal actions of the seat to move depend on what it cannot know")
        same = game.bot(drawn, 0) == game.bot(match.states, HERE)
        match.expect(same, "the scripted move depends on what the seat cannot know")
    return drawn


def _play_on(match: Match, states: NDArray[Any]) -> None:
    """A redraw is played to the end at random, and stays sound."""
    game = match.game
    while states["to_move"][0] != OVER:
        game.step(states, 0, match.chooser.choice(game.legal_ids(states).tolist()))
        _settle(game, states)
        fault = int(game.audit(states, 0))
        match.expect(not fault, "a redraw, played on, fails audit {}: {}", fault, game.spec.audits.get(fault))


# -------------------------------------------------------------------------------------------------- records


def check_records(game: Game | GameSpec, seeds: Sequence[int] = (0, 1), which: Iterable[Values] | None = None) -> int:
    """`outcome` and `impose` of record.py are inverse to each other; returns the number of outcomes.

    For every random outcome of a game: told as JSON and imposed on the state before it was drawn, it gives the same
    bytes but for the generator; what is no outcome is refused with a ValueError.
    """
    one = bound(game)
    codec = one.spec.part("record")
    count = 0
    for values in variants(one.spec) if which is None else which:
        for seed in seeds:
            match = Match(one, values, seed)
            states = match.blanks.copy()
            one.prepare(states, 0, match.blanks, 0, seed)
            one.reset(states, 0)
            told = _settle_and_compare(match, states, codec, 0)
            while match.seat != OVER:
                action = match.choose(BOTS if seed % 2 else 0.0)
                match.turn(action)
                one.step(states, 0, action)
                told = _settle_and_compare(match, states, codec, told)
            count += told
    return count


def _settle_and_compare(match: Match, states: NDArray[Any], codec: Any, count: int) -> int:
    """Carry the rules on outcome by outcome; `count` outcomes came before, returns how many there are now."""
    while True:
        if states["pending"][0]:
            imposed = states.copy()
            match.game.chance(states, 0)
            told = json.loads(json.dumps(codec.outcome(states[0])))
            match.expect(int(states["pending"][0]) in codec.OUTCOMES, "an outcome without a name")
            for wrong in (None, -1, "x", [], {}, [told], {"told": told}, 10**6) if count < 3 else ():
                refused = _refuses(codec.impose, imposed.copy()[0], wrong)
                match.expect(refused or wrong == told, "{!r} is imposed as an outcome", wrong)
            codec.impose(imposed[0], told)
            match.expect(_hidden(imposed) == _hidden(states), "an outcome that is told and imposed is another one")
            count += 1
        if not match.game.advance(states, 0):
            return count


# ------------------------------------------------------------------------------------------------------ all


def check_game(game: Game | GameSpec, seeds: Sequence[int] = (0, 1), which: Iterable[Values] | None = None) -> Redraws:
    """All checks of this module; returns what `check_secrecy` has counted."""
    one = bound(game)
    chosen = list(variants(one.spec) if which is None else which)
    check_structure(one)
    check_actions(one)
    check_saves(one)
    check_playouts(one, seeds, chosen)
    check_records(one, seeds, chosen)
    return check_secrecy(one, seeds, chosen)
