"""Tournaments as data: what is played, fixed before the first move, and what came of it, a line a game.

A tournament's folder holds

    manifest.json    game, options, seeds, seatings, versions, and every agent with a digest of what it is made of
    games.jsonl      a line a game in the order of the schedule: seats, moves, points, places
    times.jsonl      a line a deal: where and how long it was played, which no result depends on

The games of a deal are played together, and what comes of them depends on the manifest and the deal alone. So it does
not matter where deals are played and in which order they are ready: the lines, which are written in the order of the
schedule, come out byte for byte the same, and a tournament that was stopped goes on behind its last whole deal.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import socket
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pepperenvs
from agents.base import file_of, make_agent
from agents.match import play_out, seed_from
from agents.ratings import Results
from agents.schedule import Schedule, line_ups, make_schedule
from pepperenvs import make_batch, registry
from pepperenvs.core import jit
from pepperenvs.drivers.game import Game, load, normalise_seed
from pepperenvs.records import Line, plain_value, record_game

FORMAT = 1
MANIFEST, GAMES, TIMES = "manifest.json", "games.jsonl", "times.jsonl"

Manifest = dict[str, Any]


def make_manifest(
    game: str,
    names: Sequence[str],
    deals: int,
    *,
    players: int | None = None,
    seed: int = 0,
    order: str = "",
    **options: Any,
) -> Manifest:
    """What a tournament is made of, as JSON has it.

    names      of the agents, as agents.base.make_agent takes them; one may be there several times
    deals      number of deals; deal d has the seed `seed` + d
    players    seats of every game; None: the game's default
    order      of the seats, see agents.schedule.make_schedule
    options    the game's options

    Raises ValueError for what is out of range or unknown, OSError for an agent's file that cannot be read.
    """
    spec = registry.spec(game)
    values = spec.resolve(players, options)
    schedule = make_schedule(len(names), values["num_players"], deals, order)
    chosen = {name: plain_value(value) for name, value in spec.differing(values).items()}
    return {
        "format": FORMAT,
        "game": game,
        "players": values["num_players"],
        "options": chosen,
        "seed": normalise_seed(seed),
        "deals": deals,
        "order": order or "by number",
        "seatings": [list(seating) for seating in schedule.seatings],
        "agents": [{"name": name, "digest": agent_digest(game, name)} for name in names],
        "versions": {"pepperenvs": pepperenvs.__version__, "python": platform.python_version(),
                     **{name: metadata.version(name) for name in ("numpy", "numba")}},
    }  # fmt: skip


def agent_digest(game: str, name: str) -> str:
    """Digest of all that an agent's moves depend on, 16 hexadecimal digits.

    That is its name with its settings, its file if it has one, the sources of the agents and the drivers, and whatever
    the game's machine code depends on. Raises ValueError for a name that is none, OSError for a missing file.
    """
    total = hashlib.sha256(f"{make_agent(game, name).name} {jit.digest(registry.spec(game).folder)}".encode())
    drivers = Path(pepperenvs.__file__).parent / "drivers"
    for source in [*sorted(Path(__file__).parent.glob("*.py")), *sorted(drivers.glob("*.py"))]:
        total.update(source.read_bytes())
    if path := file_of(name):
        total.update(Path(path).read_bytes())
    return total.hexdigest()[:16]


def schedule_of(manifest: Manifest) -> Schedule:
    """All games of a tournament in their order."""
    lined_up = tuple(line_ups(len(manifest["agents"]), manifest["players"]))
    return Schedule(manifest["deals"], lined_up, tuple(tuple(seating) for seating in manifest["seatings"]))


def labels(manifest: Manifest) -> tuple[str, ...]:
    """The agents' names for tables; the second of two alike gets "#2" behind it."""
    names = [agent["name"] for agent in manifest["agents"]]
    before = [names[:number].count(name) for number, name in enumerate(names)]
    return tuple(f"{name}#{count + 1}" if count else name for name, count in zip(names, before, strict=True))


# ----------------------------------------------------------------------------------------------- one deal


@dataclass(frozen=True)
class Deal:
    """All games of a deal, played.

    number     of the deal, from 0
    lines      what they add to the games' file, a line a game, without ends
    host       where
    seconds    by the clock
    """

    number: int
    lines: tuple[str, ...]
    host: str
    seconds: float


def play_deal(manifest: Manifest, number: int) -> Deal:
    """Play a deal with all line-ups and seatings. The lines depend on the arguments alone.

    Raises ValueError if an agent chooses what is not legal.
    """
    begun = time.perf_counter()
    seats = schedule_of(manifest).seats_of_deal
    players = [make_agent(manifest["game"], agent["name"]) for agent in manifest["agents"]]
    own = seed_from(manifest["seed"], number)  # not the deal's: from that an agent could tell the cards
    for index, player in enumerate(players):
        player.restart(seed_from(own, index))
    seeds = [normalise_seed(manifest["seed"] + number)] * len(seats)
    batch = make_batch(manifest["game"], len(seats), num_players=manifest["players"], seed=seeds, autoreset=False,
                       **manifest["options"])  # fmt: skip
    moves: list[list[int]] = [[] for _ in seats]
    truncated = play_out(batch, players, np.array(seats), own, moves=moves)
    lines = []
    for index, sitting in enumerate(seats):
        line = {
            "game": number * len(seats) + index,
            "deal": number,
            "agents": list(sitting),
            "score": batch.final_score[index, : len(sitting)].tolist(),
            "standing": batch.final_standing[index, : len(sitting)].tolist(),
            "truncated": bool(truncated[index]),
            "moves": moves[index],
        }
        lines.append(json.dumps(line, separators=(",", ":")))
    return Deal(number, tuple(lines), socket.gethostname(), time.perf_counter() - begun)


def record(manifest: Manifest, line: Line) -> Iterator[Line]:
    """The record (pepperenvs.records) of a game from its line, which is replayed without its agents.

    Raises ValueError if its moves do not fit the rules, or lead to another result.
    """
    game = load(manifest["game"])
    moves = iter(line["moves"])
    seed = normalise_seed(manifest["seed"] + line["deal"])
    choose = [lambda states: _next_move(game, states, moves, line["game"])] * manifest["players"]
    last: Line = {}
    for last in record_game(game, manifest["players"], manifest["options"], seed, choose):
        yield last
    told = {"scores": line["score"], "standing": line["standing"], "truncated": line["truncated"]}
    if told != last or next(moves, None) is not None:
        raise ValueError(f"game {line['game']}: its moves lead to {last}, and its line says {told}")


def _next_move(game: Game, states: NDArray[Any], moves: Iterator[int], number: int) -> int:
    move = next(moves, None)
    if move is None or move not in game.legal_ids(states):
        raise ValueError(f"game {number}: " + ("its moves end too early" if move is None else f"{move} is not legal"))
    return move


# --------------------------------------------------------------------------------------------- the folder


class Folder:
    """Where a tournament's manifest and its games are kept."""

    def __init__(self, path: str | Path, manifest: Manifest | None = None) -> None:
        """Open a folder, or begin it.

        manifest    None: the one that lies there; else that one must be this one, or there is none yet

        A line that was written in part is left out, and so are those of a deal that is not complete; the next deal is
        written over them. Raises ValueError if another tournament lies there or its lines do not fit the schedule,
        FileNotFoundError if none does.
        """
        self.path = Path(path)
        kept = self.path / MANIFEST
        if manifest is not None and not kept.exists():
            self.path.mkdir(parents=True, exist_ok=True)
            partial = kept.with_suffix(".part")
            partial.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
            partial.replace(kept)
        self.manifest: Manifest = json.loads(kept.read_text("utf-8"))
        if manifest is not None and manifest != self.manifest:
            raise ValueError(f"{self.path} holds another tournament: {_difference(self.manifest, manifest)}")
        if self.manifest.get("format") != FORMAT:
            raise ValueError(f"{kept}: format {self.manifest.get('format')!r}; this version reads {FORMAT}")
        self._games = self.path / GAMES
        self._games_a_deal = schedule_of(self.manifest).games_a_deal
        data = self._games.read_bytes() if self._games.exists() else b""
        whole = data[: data.rfind(b"\n") + 1].splitlines(keepends=True)
        whole = whole[: len(whole) // self._games_a_deal * self._games_a_deal]
        self._size, self._whole = len(data), sum(map(len, whole))  # of the file, and of its whole deals
        self.lines: list[Line] = [json.loads(line) for line in whole]
        self._check_lines()

    def _check_lines(self) -> None:
        seats = schedule_of(self.manifest).seats_of_deal
        for number, line in enumerate(self.lines):
            if line["game"] != number or tuple(line["agents"]) != seats[number % len(seats)]:
                raise ValueError(f"{self._games}: line {number + 1} does not fit the schedule")

    @property
    def deals_done(self) -> int:
        """How many deals are complete; they are the first ones."""
        return len(self.lines) // self._games_a_deal

    @property
    def is_complete(self) -> bool:
        return bool(self.deals_done == self.manifest["deals"])

    def append(self, deal: Deal) -> None:
        """Write the next deal. Raises ValueError if it is another one, or if another run has written here meanwhile."""
        if deal.number != self.deals_done:
            raise ValueError(f"deal {self.deals_done} is the next one, not {deal.number}")
        self._games.touch()
        with self._games.open("r+b") as file:
            if file.seek(0, os.SEEK_END) != self._size:
                raise ValueError(f"{self._games} has changed since this run read it: does another run write there?")
            file.truncate(self._whole)
            file.seek(self._whole)
            file.write("".join(f"{line}\n" for line in deal.lines).encode())
            self._size = self._whole = file.tell()
        took = {"deal": deal.number, "host": deal.host, "seconds": round(deal.seconds, 3)}
        with (self.path / TIMES).open("a", encoding="utf-8") as file:
            file.write(json.dumps(took) + "\n")
        self.lines += [json.loads(line) for line in deal.lines]

    @property
    def results(self) -> Results:
        """What the games that are there came to. Raises ValueError if there are none."""
        if not self.lines:
            raise ValueError(f"{self.path}: no deal has been played yet")
        columns = {name: np.array([line[name] for line in self.lines], np.int64)
                   for name in ("deal", "agents", "score", "standing")}  # fmt: skip
        truncated = np.array([line["truncated"] for line in self.lines], np.bool_)
        return Results(labels(self.manifest), **columns, truncated=truncated)

    def verify(self) -> int:
        """Replay all games by the rules alone, from their moves; how many. Raises ValueError at a wrong one."""
        for line in self.lines:
            for _ in record(self.manifest, line):
                pass
        return len(self.lines)


def _difference(old: Manifest, new: Manifest) -> str:
    for name in new:
        if old.get(name) != new[name]:
            return f"its {name}: {_short(old.get(name))}, not {_short(new[name])}"
    return f"its {', '.join(old.keys() - new.keys())}"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 200 else text[:199] + "…"
