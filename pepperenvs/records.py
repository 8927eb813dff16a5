"""Game records: write a game, read it again, replay it and check every line against the rules.

A record is JSON Lines in UTF-8 and holds every random outcome, so it can be replayed without the generator:

    {"record": 1, "game": "heat_guess_v0", "players": 2, "options": {}, "seed": 7}     options that differ, by name
    {"deal": {…}}                                                                      the set-up
    {"seat": 0, "move": "say 3", "legal": ["say 1", …]}                                "legal" only if asked for
    {"chance": {"insert": 5}}                                                          one outcome a line
    {"scores": [1, 2], "standing": [1, 0], "truncated": false}

Several records may follow one another in one file. Reading stops at the first line that contradicts the rules or what
came before, with a `RecordError` that names it; it never guesses.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from pepperenvs import registry
from pepperenvs.core import rng
from pepperenvs.core.state import DEAL, OVER
from pepperenvs.drivers._kernels import SAMPLING
from pepperenvs.drivers.game import MAX_SEED, Game, load, normalise_seed

FORMAT = 1
HEADER_KEYS = ("record", "game", "players", "options", "seed")
MOVE_KEYS = ("seat", "move")  # and "legal", in all move lines of a record or in none
RESULT_KEYS = ("scores", "standing", "truncated")

Line = dict[str, Any]
Chooser = Callable[[NDArray[Any]], int]
"""Chooses an action for the seat to move; is handed the states, [1], and must not change them."""


class RecordError(ValueError):
    """A record that contradicts the rules, or itself.

    line      the number of the line where it shows, from 1; the one after the last if the file ends too early
    reason    what is wrong
    """

    def __init__(self, line: int, reason: str) -> None:
        self.line, self.reason = line, reason
        super().__init__(f"line {line}: {reason}")


# -------------------------------------------------------------------------------------------------- agents

_FIRST_STREAM = SAMPLING + 1  # of a seed, for seat 0: the streams before it are those of the rules and of the drivers


def random_chooser(game: Game, seed: int, seat: int) -> Chooser:
    """Uniform legal moves, from the seat's own stream of the seed: the record follows from its header alone."""
    stream = np.zeros(1, np.uint64)
    rng.seed(stream, normalise_seed(seed), _FIRST_STREAM + seat)

    def choose(states: NDArray[Any]) -> int:
        ids = game.legal_ids(states)
        return int(ids[rng.below(stream, len(ids))])

    return choose


def bot_chooser(game: Game, seed: int, seat: int) -> Chooser:
    """The scripted player's moves."""
    return lambda states: int(game.bot(states, 0))


AGENTS: Mapping[str, Callable[[Game, int, int], Chooser]] = {"random": random_chooser, "bot": bot_chooser}


def choosers(game: Game, names: Sequence[str], num_players: int, seed: int) -> list[Chooser]:
    """A chooser for each seat.

    names    of AGENTS, one for all seats or one a seat

    Raises ValueError for an unknown name or another number of names.
    """
    if len(names) not in (1, num_players):
        raise ValueError(f"{len(names)} agents for {num_players} seats: name one for all or one a seat")
    for name in names:
        if name not in AGENTS:
            raise ValueError(f"there is no agent {name!r}; there are {', '.join(AGENTS)}")
    seats = names if len(names) == num_players else [names[0]] * num_players
    return [AGENTS[name](game, seed, seat) for seat, name in enumerate(seats)]


# ------------------------------------------------------------------------------------------------- writing


def record_game(
    game: Game,
    num_players: int | None,
    options: Mapping[str, Any] | None,
    seed: int,
    agents: Sequence[Chooser],
    legal: bool = False,
) -> Iterator[Line]:
    """Play one game and yield its record, line by line.

    agents    a chooser for each seat
    legal     whether move lines list the legal actions

    It is the game that every driver plays from the same seed and actions. Raises ValueError for options out of range,
    IllegalActionError if an agent chooses what is not legal.
    """
    spec = game.spec
    values = spec.resolve(num_players, options)
    number = normalise_seed(seed)
    chosen = {name: plain_value(value) for name, value in spec.differing(values).items()}
    yield {"record": FORMAT, "game": spec.id, "players": values["num_players"], "options": chosen, "seed": number}
    states = _begin(game, values, number)
    yield from _outcomes(game, states)
    while states["to_move"][0] != OVER:
        yield _played(game, states, agents[int(states["to_move"][0])], legal)
        yield from _outcomes(game, states)
    yield _result(states)


def _begin(game: Game, values: Mapping[str, Any], seed: int) -> NDArray[Any]:
    """A state with the deal pending, [1]."""
    states = game.blank(values)
    game.prepare(states, 0, states.copy(), 0, seed)
    game.reset(states, 0)
    return states


def _outcomes(game: Game, states: NDArray[Any]) -> Iterator[Line]:
    """Carry the rules on to the next decision or the end; a line for each random outcome on the way."""
    codec = game.spec.part("record")
    while True:
        pending = int(states["pending"][0])
        if pending:
            game.chance(states, 0)
            outcome = codec.outcome(states[0])
            yield {"deal": outcome} if pending == DEAL else {"chance": {codec.OUTCOMES[pending]: outcome}}
        if not game.advance(states, 0):
            return


def _played(game: Game, states: NDArray[Any], choose: Chooser, legal: bool) -> Line:
    action = choose(states)
    ids = game.legal_ids(states)
    if action not in ids:
        raise game.illegal(states, action)
    strings = game.strings(states)
    line: Line = {"seat": int(states["to_move"][0]), "move": strings[action]}
    if legal:
        line["legal"] = [strings[index] for index in ids]
    game.step(states, 0, action)
    return line


def _result(states: NDArray[Any]) -> Line:
    seats = int(states["num_seats"][0])
    return {
        "scores": states["score"][0, :seats].tolist(),
        "standing": states["standing"][0, :seats].tolist(),
        "truncated": bool(states["truncated"][0]),
    }


def plain_value(value: Any) -> Any:
    """An option's value as JSON has it."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    return [plain_value(one) for one in value] if isinstance(value, (list, tuple)) else value


def dump(lines: Iterable[Line], out: IO[str]) -> None:
    """Write lines to a text file that is open."""
    for line in lines:
        out.write(json.dumps(line) + "\n")


def write(path: str | os.PathLike[str], lines: Iterable[Line]) -> None:
    """Write lines to a file, which appears under its name only when it is complete; raises OSError."""
    target = Path(os.path.realpath(path))  # a link stays one
    if target.exists() and not target.is_file():  # a device or a pipe must not be replaced
        with target.open("w", encoding="ascii", newline="\n") as out:
            dump(lines, out)
        return
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with partial.open("w", encoding="ascii", newline="\n") as out:
            dump(lines, out)
        partial.replace(target)
    finally:
        with contextlib.suppress(OSError):
            partial.unlink()


# ------------------------------------------------------------------------------------------------- reading


@dataclass(frozen=True)
class Event:
    """A line of a record that has been replayed.

    number     of the line in its file, from 1
    index      of the game in its file, from 0
    kind       "header", "deal", "chance", "move" or "result"
    line       its JSON object
    moves      decisions of this game so far
    states     the position after the line, [1]; the replay goes on in the same array
    settled    whether a seat can move, or the game is over
    """

    number: int
    index: int
    kind: str
    line: Line
    game: Game
    moves: int
    states: NDArray[Any]
    settled: bool


def replay(lines: Iterable[bytes | str]) -> Iterator[Event]:
    """Replay records and check each line; an event a line.

    lines    of a file, with or without their ends; bytes are UTF-8

    Raises RecordError at the first line that contradicts the rules.
    """
    one: _Replay | None = None
    number, index = 0, 0
    for number, line in _parsed(lines):
        if one is None:
            one, kind = _Replay(line, number), "header"
        else:
            kind = one.play(line, number)
        yield one.event(kind, line, number, index)
        if kind == "result":
            one, index = None, index + 1
    if number == 0:
        raise RecordError(1, "the file is empty")
    if one is not None:
        raise RecordError(number + 1, f"the file ends where {one.awaited} is awaited")


def replay_file(path: str | os.PathLike[str]) -> Iterator[Event]:
    """`replay` of a file; raises OSError too."""
    with open(path, "rb") as file:
        yield from replay(file)


def check(lines: Iterable[bytes | str]) -> int:
    """Replay records to their end and return how many games there are. Raises RecordError."""
    return sum(event.kind == "result" for event in replay(lines))


def position(
    source: str | os.PathLike[str] | Iterable[bytes | str], moves: int, game_index: int = 0
) -> tuple[Game, NDArray[Any]]:
    """The game and the position after so many moves of a record, the rules carried on to the next decision.

    source        a path, or lines
    game_index    which game of the file, from 0
    returns       states [1]; `game.save(states)` gives bytes that every driver loads

    The generator stands where it would stand had the game been played from the header's seed. Lines behind the position
    are not read. Raises RecordError, and ValueError if there are fewer moves or games.
    """
    if moves < 0:
        raise ValueError(f"moves must not be negative, got {moves}")
    last = None
    for event in replay_file(source) if isinstance(source, (str, os.PathLike)) else replay(source):
        last = event
        if event.index == game_index and event.settled and event.moves == moves:
            return event.game, event.states.copy()
        if event.index == game_index and event.kind == "result":
            break
    if last is None or last.index < game_index:
        raise ValueError(f"the file has {0 if last is None else last.index + 1} games, none with index {game_index}")
    raise ValueError(f"the game has {last.moves} moves, fewer than {moves}")


def _parsed(lines: Iterable[bytes | str]) -> Iterator[tuple[int, Line]]:
    """The lines with their numbers, from 1, as JSON objects. Raises RecordError at one that is none."""
    for number, raw in enumerate(lines, 1):
        try:
            yield number, _parse(raw)
        except ValueError as error:
            raise RecordError(number, str(error)) from None


def _parse(raw: bytes | str) -> Line:
    try:
        text = raw if isinstance(raw, str) else raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8, from byte {error.start + 1} of the line") from None
    if not text.strip():
        raise ValueError("a blank line")
    value = parse_json(text)
    if not isinstance(value, dict):
        raise ValueError(f"a line must be a JSON object, not {_short(value)}")
    return value


def parse_json(text: str) -> Any:
    """JSON without fractions, NaN and doubled keys, none of which a record or an option has. Raises ValueError."""
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_float=_no_fraction, parse_constant=_no_fraction)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg}, at character {error.pos + 1}") from None
    except RecursionError as error:
        raise ValueError(_reason(error)) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {_short(key)} is doubled")
        found[key] = value
    return found


def _no_fraction(text: str) -> Any:
    raise ValueError(f"{_short(text)[1:-1]} is not a whole number")


def _reason(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def _short(value: Any) -> str:
    """A value for an error message, on one line and not endless."""
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:160]} … {text[-30:]}"


def _same(found: Any, expected: Any) -> bool:
    """Equality of JSON values, where true is not 1."""
    return json.dumps(found, sort_keys=True) == json.dumps(expected, sort_keys=True)


def _demand_keys(line: Line, keys: Sequence[str], optional: Sequence[str] = ()) -> None:
    for key in line:
        if key not in keys and key not in optional:
            raise ValueError(f"unknown key {_short(key)}; the keys are {', '.join((*keys, *optional))}")
    for key in keys:
        if key not in line:
            raise ValueError(f"the key {key!r} is missing")


def _header(line: Line) -> tuple[Game, dict[str, Any], int]:
    """The game, its resolved options and the seed that a header names. Raises ValueError."""
    if not any(key in line for key in HEADER_KEYS):
        raise ValueError(f"a header is awaited here, not {_kind(line)}")
    if "record" in line and (type(line["record"]) is not int or line["record"] != FORMAT):
        raise ValueError(f"record format {_short(line['record'])} is not read here, only {FORMAT}")
    _demand_keys(line, HEADER_KEYS)
    game = load(_known(line["game"]))
    seed = line["seed"]
    if type(seed) is not int or not 0 <= seed <= MAX_SEED:
        raise ValueError(f"seed must be a whole number in 0 … {MAX_SEED}, not {_short(seed)}")
    if type(line["players"]) is not int:
        raise ValueError(f"players must be a whole number, not {_short(line['players'])}")
    if not isinstance(line["options"], dict):
        raise ValueError(f"options must be an object, not {_short(line['options'])}")
    return game, game.spec.resolve(line["players"], line["options"]), seed


def _known(game: Any) -> str:
    """The id of a registered game; another version is refused by name."""
    if not isinstance(game, str):
        raise ValueError(f"game must be a name, not {_short(game)}")
    for known in registry.games():
        if game not in registry.games() and game.rpartition("_v")[0] == known.rpartition("_v")[0]:
            raise ValueError(f"the record is of {_short(game)}, another version than {known}, which is played here")
    return registry.canonical(game)


_KINDS = {"record": "a header", "deal": "a deal", "chance": "a random outcome", "move": "a move", "seat": "a move",
          "scores": "a result", "standing": "a result"}  # fmt: skip


def _kind(line: Line) -> str:
    """What a line seems to be, for an error message."""
    for key, kind in _KINDS.items():
        if key in line:
            return kind
    return f"a line with the keys {_short(list(line))}"


class _Replay:
    """One game of a record, from its header to its result."""

    def __init__(self, header: Line, number: int) -> None:
        try:
            self.game, values, seed = _header(header)
        except (ValueError, RecursionError) as error:
            raise RecordError(number, _reason(error)) from None
        self._codec = self.game.spec.part("record")
        self._states = _begin(self.game, values, seed)
        self._pending = int(self._states["pending"][0])
        self._moves = 0
        self._lists_legal: bool | None = None  # whether the move lines have "legal"; unknown before the first

    @property
    def awaited(self) -> str:
        """What the next line must be, in words."""
        if self._pending == DEAL:
            return "a deal"
        if self._pending:
            return f"the random outcome {self._codec.OUTCOMES[self._pending]!r}"
        seat = int(self._states["to_move"][0])
        return "the result" if seat == OVER else f"a move of seat {seat}"

    def event(self, kind: str, line: Line, number: int, index: int) -> Event:
        return Event(number, index, kind, line, self.game, self._moves, self._states, not self._pending)

    def play(self, line: Line, number: int) -> str:
        """Check a line, carry it out and return its kind. Raises RecordError."""
        try:
            return self._play(line)
        except (ValueError, RecursionError) as error:
            raise RecordError(number, _reason(error)) from None

    def _play(self, line: Line) -> str:
        if self._pending:
            return self._outcome(line)
        if self._states["to_move"][0] != OVER:
            return self._move(line)
        return self._result(line)

    def _demand(self, line: Line, *keys: str) -> None:
        if not any(key in line for key in keys):
            raise ValueError(f"{self.awaited} is awaited here, not {_kind(line)}")

    def _outcome(self, line: Line) -> str:
        kind = "deal" if self._pending == DEAL else "chance"
        self._demand(line, kind)
        _demand_keys(line, (kind,))
        value = line[kind]
        if kind == "chance":
            name = self._codec.OUTCOMES[self._pending]
            if not isinstance(value, dict) or list(value) != [name]:
                raise ValueError(f"chance must be an object with the key {name!r} alone, not {_short(value)}")
            value = value[name]
        self._impose(value)
        self._pending = int(self.game.advance(self._states, 0))
        return kind

    def _impose(self, value: Any) -> None:
        # The generator moves on as if it had drawn the outcome itself, so that a position can be played on from here
        # as from the game that was recorded. It draws on a copy: the outcome counts, not the draw.
        drawn = self._states.copy()
        self.game.chance(drawn, 0)
        self._states["rng"] = drawn["rng"]
        try:
            self._codec.impose(self._states[0], value)
        except (TypeError, LookupError, OverflowError) as error:  # a value of a kind that the game did not think of
            raise ValueError(f"impossible outcome {_short(value)}: {error}") from None

    def _move(self, line: Line) -> str:
        self._demand(line, *MOVE_KEYS)
        _demand_keys(line, MOVE_KEYS, ("legal",))
        game, states = self.game, self._states
        seat = int(states["to_move"][0])
        if type(line["seat"]) is not int or line["seat"] != seat:
            raise ValueError(f"seat must be {seat}, which is to move, not {_short(line['seat'])}")
        self._check_legal(line)
        if not isinstance(line["move"], str):
            raise ValueError(f"move must be an action string, not {_short(line['move'])}")
        action = game.parse(states, line["move"])
        if action not in game.legal_ids(states):
            raise game.illegal(states, action)
        game.step(states, 0, action)
        self._moves += 1
        self._pending = int(states["pending"][0]) or int(game.advance(states, 0))
        return "move"

    def _check_legal(self, line: Line) -> None:
        listed = "legal" in line
        if self._lists_legal is None:
            self._lists_legal = listed
        if listed != self._lists_legal:
            raise ValueError(f"this line {'has' if listed else 'lacks'} 'legal', unlike the move lines before it")
        if listed and not _same(line["legal"], expected := self.game.legal_strings(self._states)):
            raise ValueError(f"legal must be {json.dumps(expected)}, not {_short(line['legal'])}")

    def _result(self, line: Line) -> str:
        self._demand(line, *RESULT_KEYS)
        _demand_keys(line, RESULT_KEYS)
        for key, expected in _result(self._states).items():
            if not _same(line[key], expected):
                raise ValueError(f"{key} must be {json.dumps(expected)}, not {_short(line[key])}")
        return "result"
