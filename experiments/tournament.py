"""A tournament: agents play the same deals in all line-ups and seats; tables, ratings and plots say how they fared.

    python -m experiments.tournament --game pick_a_pepper_v0 --agents random bot ismcts:300 --deals 200
    python -m experiments.tournament --agents bot ismcts:300 --players 2 --ray local     # the same on a Ray cluster
    python -m experiments.tournament --folder runs/… --verify agents                     # play it all again, compare

The schedule is fixed before the first move, and the games are written in its order (agents/tournament.py). Given again,
a command goes on where it was stopped, and comes to the same files, byte for byte, as if it had not been; so it does
with another number of workers, and on a cluster. On other machines than this one pepperenvs must be installed, with the
extra `agents`; the checkout's code is sent there.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from agents import report
from agents.tournament import MANIFEST, Deal, Folder, Manifest, labels, make_manifest, play_deal, record, schedule_of
from experiments.options import game_options
from pepperenvs import records

ROOT = Path(__file__).resolve().parent.parent
NOT_SENT = (".git", ".venv", "runs", "dist", "build", "**/__pycache__")  # of the checkout, to a cluster
LOCAL = "local"


@dataclass(frozen=True)
class Arguments:
    """What is played, where, and what is told of it."""

    game: str = "pick_a_pepper_v0"
    agents: tuple[str, ...] = ("random", "bot")
    """as agents.base.make_agent names them: random, bot, ismcts:300, flat_mc:50ms, priority:FILE, ppo:FILE …; with more
    of them than seats every set of them meets, with fewer some sit there twice"""
    deals: int = 100
    """each is played in all line-ups and seatings"""
    players: int | None = None
    """seats of every game; by default the game's own default"""
    options: tuple[str, ...] = ()
    """options of the game, OPTION=JSON"""
    seed: int = 0
    """of the first deal; the next one has the next"""
    order: Literal["", "all", "balanced", "rotations"] = ""
    """of the seats: by default all permutations up to four players, else a balanced set (agents/schedule.py)"""
    folder: str = ""
    """of the results; by default under runs/, named by what is played. A folder alone opens what lies there"""
    workers: int = os.cpu_count() or 1
    """deals that are played at the same time on this machine"""
    ray: Annotated[str, tyro.conf.arg(metavar="local|ADDRESS")] = ""
    """play on a Ray cluster: one that is started here, or the one with this address"""
    replicates: int = 100
    """of the bootstrap, for the ratings' intervals"""
    verify: Literal["no", "moves", "agents"] = "no"
    """moves: replay every game that is there by the rules; agents: let the agents play it again too"""
    record: tuple[int, ...] = ()
    """write these games, by their numbers from 0, as records that `pepperenvs replay` shows"""


# ---------------------------------------------------------------------------------------------- playing


def open_folder(arguments: Arguments) -> Folder:
    """The folder that is asked for: begun, or as far as it has come. Raises ValueError, OSError."""
    if arguments.folder and (Path(arguments.folder) / MANIFEST).exists() and not _says_what_is_played(arguments):
        return Folder(arguments.folder)
    manifest = make_manifest(arguments.game, arguments.agents, arguments.deals, players=arguments.players,
                             seed=arguments.seed, order=arguments.order, **game_options(arguments.options))  # fmt: skip
    digest = hashlib.sha256(json.dumps(manifest).encode()).hexdigest()[:8]
    return Folder(arguments.folder or Path("runs") / f"tournament-{arguments.game}-{digest}", manifest)


def _says_what_is_played(arguments: Arguments) -> bool:
    names = ("game", "agents", "deals", "players", "options", "seed", "order")
    return any(getattr(arguments, name) != getattr(Arguments(), name) for name in names)


def play(folder: Folder, arguments: Arguments, console: Console) -> None:
    """Play the deals that are still to be played, and write each as soon as those before it are written."""
    left = range(folder.deals_done, folder.manifest["deals"])
    if not left:
        return
    played = _on_ray if arguments.ray else _in_threads
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("deals", total=folder.manifest["deals"], completed=folder.deals_done)
        for deal in played(folder.manifest, left, arguments):
            folder.append(deal)
            progress.advance(bar)


def _in_threads(manifest: Manifest, left: range, arguments: Arguments) -> Iterator[Deal]:
    """Deals in order. Kernels release the interpreter's lock, so that searching agents share the cores."""
    with ThreadPoolExecutor(max(1, arguments.workers), "pepperenvs-tournament") as pool:
        waiting: deque[Any] = deque()
        try:
            for number in left:
                waiting.append(pool.submit(play_deal, manifest, number))
                if len(waiting) > 2 * arguments.workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _on_ray(manifest: Manifest, left: range, arguments: Arguments) -> Iterator[Deal]:
    """Deals in order, played by a cluster. A deal whose worker dies is played again by another."""
    ray = _ray()
    ray.init(**_cluster(arguments.ray))
    try:
        task = ray.remote(num_cpus=1, max_retries=-1)(play_deal)
        shared = ray.put(manifest)
        most = 4 * max(1, int(ray.cluster_resources().get("CPU", 1)))
        waiting: deque[Any] = deque()
        for number in left:
            waiting.append(task.remote(shared, number))
            if len(waiting) > most:
                yield ray.get(waiting.popleft())
        while waiting:
            yield ray.get(waiting.popleft())
    finally:
        ray.shutdown()


def _ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a cluster started here reports to nobody,
    os.environ.setdefault("RAY_worker_niceness", "0")  # and its workers do not wait for all others
    try:
        import ray
    except ModuleNotFoundError:
        raise ValueError("--ray needs the package ray: pip install 'pepperenvs[ray]'") from None
    return ray


def _cluster(address: str) -> dict[str, Any]:
    """The arguments of `ray.init`. A cluster of our own sees this checkout, another one is sent a copy."""
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    if address == LOCAL:
        environment = {"env_vars": {"PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}}
        return {**quiet, "address": LOCAL, "include_dashboard": False, "runtime_env": environment}
    sent = {"working_dir": str(ROOT), "excludes": list(NOT_SENT)}
    return {**quiet, "address": address, "runtime_env": sent}


# ---------------------------------------------------------------------------------------------- checking


def verify(folder: Folder, arguments: Arguments, console: Console) -> None:
    """Raises ValueError if a game that is there does not come out as its line says."""
    console.print(f"{folder.verify():,} games replayed by the rules: each comes out as written")
    if arguments.verify != "agents":
        return
    today = make_manifest(folder.manifest["game"], [agent["name"] for agent in folder.manifest["agents"]],
                          folder.manifest["deals"])  # fmt: skip
    for name in ("agents", "versions"):
        if folder.manifest[name] != today[name]:
            console.print(f"Other {name} than when it was played: {today[name]}")
    games = iter(folder.lines)
    for deal in _in_threads(folder.manifest, range(folder.deals_done), arguments):
        for line in deal.lines:
            if (written := next(games)) != json.loads(line):
                raise ValueError(f"game {written['game']}: the agents play it otherwise now")
    console.print(f"{len(folder.lines):,} games played again by the agents: each is the same, move by move")


def write_records(folder: Folder, numbers: tuple[int, ...], console: Console) -> None:
    """Write games as records. Raises ValueError for one that is not there."""
    for number in numbers:
        if not 0 <= number < len(folder.lines):
            raise ValueError(f"there is no game {number}: they are 0 … {len(folder.lines) - 1}")
        path = folder.path / f"game-{number}.jsonl"
        records.write(path, record(folder.manifest, folder.lines[number]))
        console.print(f"pepperenvs replay {path}", soft_wrap=True)


# ------------------------------------------------------------------------------------------------- main


def _title(manifest: Manifest) -> str:
    names = ", ".join(labels(manifest))
    return f"{manifest['game']}, {manifest['players']} players: {names}; {len(schedule_of(manifest)):,} games"


def tell(folder: Folder, arguments: Arguments, console: Console) -> None:
    """Print the tables, and write the report beside the games."""
    made = report.make_report(folder.results, arguments.replicates)
    console.print(report.tables(made))
    report.write(made, folder.path)


def main(argv: list[str] | None = None) -> int:
    """Run the experiment; returns the exit status."""
    console = Console(markup=False, highlight=False, width=None if sys.stdout.isatty() else 120)
    arguments = tyro.cli(Arguments, args=argv, prog="python -m experiments.tournament", description=__doc__)
    try:
        folder = open_folder(arguments)
        console.print(f"{_title(folder.manifest)}, into {folder.path}", soft_wrap=True)
        if arguments.verify != "no":
            verify(folder, arguments, console)
        else:
            play(folder, arguments, console)
            tell(folder, arguments, console)
        write_records(folder, arguments.record, console)
    except (ValueError, OSError) as error:
        print(f"tournament: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("tournament: interrupted; the same command goes on", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
