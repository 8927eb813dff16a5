"""The command line: pepperenvs list | info | play | record | replay | warmup | bench.

Errors are one line on standard error: status 2 for a wrong request, 1 for a file that cannot be read or contradicts
the rules. What loads the compiler is imported where it is needed, so that `list` and `--help` answer at once.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.util
import io
import json
import os
import shlex
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import tyro

from pepperenvs import registry

if TYPE_CHECKING:
    from pepperenvs.drivers.game import Game
    from pepperenvs.records import Chooser, Event, Line

GameArg = Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="GAME")]
GamesArg = Annotated[list[str], tyro.conf.Positional, tyro.conf.arg(metavar="GAME")]
FileArg = Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="FILE")]
AgentsArg = Annotated[list[str], tyro.conf.arg(metavar="NAME")]
SetArg = Annotated[tyro.conf.UseAppendAction[list[list[str]]], tyro.conf.arg(name="set", metavar="OPTION=JSON")]
Switch: TypeAlias = tyro.conf.FlagCreatePairsOff[bool]


# ------------------------------------------------------------------------------------------------ commands


@dataclass
class List:
    """List the games."""

    def run(self) -> int:
        for game in registry.games():
            about = (importlib.import_module(registry.package(game)).__doc__ or "").partition("Rules:")[0]
            print(f"{game:<28}{' '.join(about.split())}".rstrip())
        return 0


@dataclass
class Info:
    """Show a game's players, options, actions and observation."""

    game: GameArg
    """id, as `pepperenvs list` shows it"""

    def run(self) -> int:
        from pepperenvs import docs

        spec = registry.spec(self.game)
        fewest, most, default = spec.players
        print(f"{spec.title} ({spec.id}): {spec.summary}\nplayers: {fewest} to {most}, {default} by default")
        for name, text in spec.tags.items():
            print(f"{name}: {text}")
        for title, (head, *rows) in docs.tables(spec).items():
            print(f"\n{title}")
            _print_columns([head, *rows])
        return 0


@dataclass
class Play:
    """Play a game in the terminal: type an action or its number; `?` lists them, `q` quits."""

    game: GameArg
    """id, as `pepperenvs list` shows it"""
    agents: AgentsArg = field(default_factory=list)
    """human, bot or random: one for all seats or one a seat; by default you are player_0 among bots"""
    players: int | None = None
    """number of players; by default as many as agents are named, or the game's own default"""
    seed: int | None = None
    """seed of the game; drawn if not given"""
    options: SetArg = field(default_factory=list)
    """options of the game, values in JSON"""

    def run(self) -> int:
        from pepperenvs import records
        from pepperenvs.drivers.game import fresh_seed, load

        game, seed = load(self.game), fresh_seed() if self.seed is None else self.seed
        players = self.players if self.players is not None or len(self.agents) < 2 else len(self.agents)
        values = game.spec.resolve(players, _options(self.options))
        options = {name: value for name, value in values.items() if name != "num_players"}
        seats = values["num_players"]
        names = self.agents or ["human"] + ["bot"] * (seats - 1)
        deciders = records.choosers(game, ["bot" if name == "human" else name for name in names], seats, seed)
        names = names if len(names) == seats else names * seats
        humans = [seat for seat, name in enumerate(names) if name == "human"]
        for seat in humans:
            deciders[seat] = functools.partial(_ask, game, len(humans) > 1)
        try:
            for event in records.replay(map(json.dumps, records.record_game(game, seats, options, seed, deciders))):
                _announce(event, humans)
        except (EOFError, KeyboardInterrupt):
            print("\nThe game is left unfinished.")
        return 0


@dataclass
class Record:
    """Play games between agents and write their records."""

    game: GameArg
    """id, as `pepperenvs list` shows it"""
    out: Annotated[str, tyro.conf.arg(metavar="FILE")]
    """file to write, which appears when it is complete; - for standard output"""
    players: int | None = None
    """number of players; the game's own default if not given"""
    seed: int = 0
    """seed of the first game; the others follow it"""
    games: int = 1
    """number of games"""
    options: SetArg = field(default_factory=list)
    """options of the game, values in JSON"""
    agents: AgentsArg = field(default_factory=lambda: ["random"])
    """random or bot: one for all seats or one a seat"""
    legal: Switch = False
    """list the legal actions with every move"""

    def run(self) -> int:
        from pepperenvs import records

        if self.games < 1:
            raise ValueError(f"--games must be at least 1, not {self.games}")
        if self.out == "-":
            records.dump(self._lines(), sys.stdout)
            return 0
        try:
            records.write(self.out, self._lines())
        except OSError as error:
            raise _Refused(f"{self.out}: {error.strerror}") from error
        return 0

    def _lines(self) -> Iterator[Line]:
        from pepperenvs import records
        from pepperenvs.drivers.game import load

        game, options = load(self.game), _options(self.options)
        seats = game.spec.resolve(self.players, options)["num_players"]
        for seed in range(self.seed, self.seed + self.games):
            agents = records.choosers(game, self.agents, seats, seed)
            yield from records.record_game(game, seats, options, seed, agents, self.legal)


@dataclass
class Replay:
    """Replay the records of a file move by move, and check them."""

    file: FileArg
    """file of records; - for standard input"""
    check: Switch = False
    """only check: show each game's final table, then ok"""
    moves: int | None = None
    """show the position after this many moves, and stop"""
    nth: int = 1
    """with --moves: which game of the file, from 1"""

    def run(self) -> int:
        from pepperenvs import records

        if self.moves is not None and (self.check or self.moves < 0 or self.nth < 1):
            raise ValueError("--moves counts from 0, --nth from 1, and neither goes with --check")
        if self.moves is None and self.nth != 1:
            raise ValueError("--nth goes with --moves")
        name = "standard input" if self.file == "-" else self.file
        try:
            with open(self.file, "rb") if self.file != "-" else contextlib.nullcontext(sys.stdin.buffer) as file:
                self._show(records, file)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise _Refused(f"{name}: {error.strerror}") from error
        except ValueError as error:
            raise _Refused(f"{name}: {error}") from error
        return 0

    def _show(self, records: ModuleType, lines: Iterable[bytes]) -> None:
        if self.moves is not None:
            game, states = records.position(lines, self.moves, self.nth - 1)
            print(_table(game, states))
            return
        for event in records.replay(lines):
            if event.kind == "result":
                _print_result(event)
            elif not self.check:
                _print_line(event)
        if self.check:
            print("ok")


@dataclass
class Warmup:
    """Compile everything once, so that nothing has to wait for it later."""

    games: GamesArg = field(default_factory=list)
    """ids; all games if none is given"""

    def run(self) -> int:
        for game in self.games or registry.games():
            registry.canonical(game)
        for game in self.games or registry.games():
            _warm_up(game)
        return 0


@dataclass
class Bench:
    """Measure how fast the games run on this machine."""

    games: GamesArg = field(default_factory=list)
    """ids; all games if none is given"""

    def run(self) -> int:
        if not importlib.util.find_spec("pepperenvs.bench"):
            raise _Refused("this installation has no benchmarks")
        games = [registry.canonical(game) for game in self.games or registry.games()]
        return int(importlib.import_module("pepperenvs.bench").main(games) or 0)


# ------------------------------------------------------------------------------------------------- options


def _options(groups: list[list[str]]) -> dict[str, Any]:
    """The options of `--set OPTION=JSON …`. Raises ValueError for what is not that."""
    from pepperenvs.records import parse_json

    options: dict[str, Any] = {}
    for given in (given for group in groups for given in group):
        name, equals, text = given.partition("=")
        if not name or not equals:
            raise ValueError(f"--set takes OPTION=JSON, not {given!r}")
        if name == "num_players":
            raise ValueError("the number of players is set by --players")
        if name in options:
            raise ValueError(f"option {name!r} is set twice")
        try:
            options[name] = parse_json(text)
        except ValueError as error:
            example = shlex.quote(f"{name}={json.dumps(text)}")  # the shell would take the quotes away
            raise ValueError(f"--set {name}: {error}; values are JSON, a word is written --set {example}") from None
    return options


# -------------------------------------------------------------------------------------------- for the eyes


def _print_columns(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())


def _table(game: Game, states: Any, seat: int | None = None) -> str:
    """The table as one seat sees it, or all of it."""
    return str(game.spec.part("text").text(states[0], seat))


def _print_line(event: Event) -> None:
    """A line of a record that is no result, as text."""
    line = event.line
    if event.kind == "header":
        options = "".join(f", {name} {json.dumps(value)}" for name, value in line["options"].items())
        print(f"{line['game']}: {line['players']} players{options}, seed {line['seed']}")
    elif event.kind == "move":
        print(f"{event.moves:>5}  player_{line['seat']}: {line['move']}")
    else:
        outcome = line if event.kind == "deal" else line["chance"]
        print("".join(f"       {name}: {json.dumps(value)}" for name, value in outcome.items()))


def _print_result(event: Event) -> None:
    line = event.line
    print(_table(event.game, event.states))
    print(f"scores {line['scores']}, standing {line['standing']}" + (", cut short" if line["truncated"] else ""))


def _announce(event: Event, humans: Sequence[int]) -> None:
    """Tell the people at the terminal what they may know of a line: no outcome, no choice made in secret."""
    if event.kind == "header":
        _print_line(event)
    elif event.kind == "result":
        _print_result(event)
    elif event.kind == "move" and event.line["seat"] not in humans:
        secret = _is_secret(event) and bool(humans)
        print(f"player_{event.line['seat']}: {'has chosen' if secret else event.line['move']}")


def _is_secret(event: Event) -> bool:
    """Whether the move's block is among those that the game's tag `secret` names: chosen unseen by the others."""
    actions, names = event.game.spec.actions, event.game.spec.tags.get("secret", "").split()
    action = actions.parse(event.line["move"], event.line["seat"], int(event.states["num_seats"][0]))
    return any(actions.start(block.name) <= action < actions.start(block.name) + block.length
               for block in actions.blocks if block.name in names)  # fmt: skip


def _ask(game: Game, several: bool, states: Any) -> int:
    """A person's move. Raises EOFError when they quit, or the input ends."""
    seat = int(states["to_move"][0])
    if several and sys.stdin.isatty():  # the next person must not see what the last one saw
        input(f"\033[2J\033[Hplayer_{seat}, press Enter when nobody else looks. ")
    print(f"\n{_table(game, states, seat)}")
    legal = game.legal_strings(states)
    while True:
        typed = " ".join(input(f"player_{seat}> ").split())
        if typed == "q":
            raise EOFError
        if typed == "?":
            _print_columns([(str(number), string) for number, string in enumerate(legal, 1)])
        elif typed in legal:
            return game.parse(states, typed)
        elif typed.isdecimal() and 1 <= int(typed) <= len(legal):
            return game.parse(states, legal[int(typed) - 1])
        else:
            print(f"{typed!r} is not legal here; ? lists the {len(legal)} actions that are, q quits")


# ------------------------------------------------------------------------------------------------- warm-up


def _warm_up(name: str) -> None:
    """Compile all that the drivers call of a game, and say on standard error how it goes."""
    from pepperenvs.core import jit
    from pepperenvs.drivers.game import load

    began = time.perf_counter()
    game = load(name)
    for done in _warm_up_steps(game):
        if sys.stderr.isatty():
            print(f"\r\033[K{name}: {done}", end="", file=sys.stderr, flush=True)
    seconds = time.perf_counter() - began
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    print(f"{name}: ready after {seconds:.1f} s, kept in {jit.cache_folder(game.spec.folder)}", flush=True)


def _warm_up_steps(game: Game) -> Iterator[str]:
    from pepperenvs import records

    for name, attribute in vars(type(game)).items():
        if isinstance(attribute, functools.cached_property) and not name.startswith("_"):
            yield name
            getattr(game, name)
    yield "a record"
    seats = game.spec.players[2]
    agents: list[Chooser] = records.choosers(game, ["random"], seats, 0)
    for line in records.record_game(game, seats, None, 0, agents):
        if "move" in line:
            break
    if importlib.util.find_spec("pepperenvs.drivers.batch"):
        yield from _warm_up_batches(game)


def _warm_up_batches(game: Game) -> Iterator[str]:
    from pepperenvs.drivers.batch import Batch

    for opponents in (None, "bot"):
        yield f"batch, opponents {opponents}"
        batch = Batch(game.spec.id, 2, opponents=opponents, seed=0)
        batch.step(batch.sample_actions())
    yield "batch of random games"
    batch = Batch(game.spec.id, 2, seed=0)
    batch.bot_actions()
    batch.random_rollout(1)


# ---------------------------------------------------------------------------------------------------- main


class _Refused(Exception):
    """A request that is in order but cannot be fulfilled: status 1."""


_COMMANDS = {"list": List, "info": Info, "play": Play, "record": Record, "replay": Replay, "warmup": Warmup,
             "bench": Bench}  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status; `argv` without the program's name, by default the process's own."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal of few characters must not end the program
            stream.reconfigure(errors="backslashreplace")
    try:
        command = _command(sys.argv[1:] if argv is None else list(argv))
        status: int = command.run()
        sys.stdout.flush()
        return status
    except SystemExit as done:  # help was asked for, or the arguments are wrong: all is said
        return int(done.code or 0)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # whoever read has enough; Python would complain again when it closes the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (_Refused, OSError) as error:
        return _complain(error, 1)
    except ValueError as error:
        return _complain(error, 2)


def _complain(error: Exception, status: int) -> int:
    print(f"pepperenvs: {' '.join(str(error).split())}", file=sys.stderr)
    return status


def _command(argv: list[str]) -> Any:
    """What the arguments ask for. Raises SystemExit after help, or after one line about what is wrong."""
    choices: Any = functools.reduce(
        lambda one, other: one | other,
        [Annotated[command, tyro.conf.subcommand(name)] for name, command in _COMMANDS.items()],
    )
    complaint = io.StringIO()
    try:
        with contextlib.redirect_stderr(complaint):
            return tyro.cli(choices, args=argv, prog="pepperenvs", description="Tabletop games about peppers.")
    except SystemExit:
        words = complaint.getvalue().translate(dict.fromkeys(map(ord, "╭╮╰╯│─"), " ")).split()
        if words:
            print("pepperenvs:", *words, file=sys.stderr)
        raise
