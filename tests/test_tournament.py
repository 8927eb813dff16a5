"""Tournaments: the same files byte for byte however they are played, stopped and gone on with; every line is true."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from agents.base import make_agent
from agents.tournament import (
    GAMES,
    MANIFEST,
    TIMES,
    Folder,
    agent_digest,
    labels,
    make_manifest,
    play_deal,
    record,
    schedule_of,
)
from experiments import tournament
from pepperenvs import records
from tests.conformance import few

ROOT = Path(__file__).resolve().parent.parent
SMALL = ("--game", "heat_guess_v0", "--agents", "random", "bot", "ismcts:20", "--players", "2", "--deals", "6")
LONG = ("--agents", "random", "bot", "ismcts:300", "--deals", "8")  # some seconds, if it is not stopped
WITHOUT_BOOTSTRAP = ("--replicates", "3")

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs the experiment in this process: exit status, output, errors."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: object) -> tuple[int, str, str]:
        status = tournament.main([*map(str, arguments), *WITHOUT_BOOTSTRAP])
        told = capsys.readouterr()
        return status, told.out, told.err

    return command


def files(folder: Path) -> dict[str, bytes]:
    """All that two runs must have in common."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != TIMES}


# -------------------------------------------------------------------------------------------- what is told


def test_tables_and_files(run: Run, tmp_path: Path) -> None:
    status, out, err = run(*SMALL, "--folder", tmp_path / "one")
    assert (status, err) == (0, "")
    assert "36 games, 6 deals, 100.0% ended by the rules" in out and "ismcts:20" in out and "1/n = 0.500" in out
    told = json.loads((tmp_path / "one" / "report.json").read_text())
    assert told["games"] == 36 and {agent["agent"] for agent in told["agents"]} == {"random", "bot", "ismcts:20"}
    assert told["agents"][-1]["agent"] == "random" and told["agents"][-1]["first_places"] < 0.1
    for name, rows in (("agents.csv", 3), ("pairings.csv", 6), ("seats.csv", 2)):
        assert len(list(csv.DictReader((tmp_path / "one" / name).read_text().splitlines()))) == rows
    assert (tmp_path / "one" / "report.png").read_bytes().startswith(b"\x89PNG")
    manifest = json.loads((tmp_path / "one" / MANIFEST).read_text())
    assert manifest["versions"].keys() == {"pepperenvs", "python", "numpy", "numba"}
    assert len({agent["digest"] for agent in manifest["agents"]}) == 3


def test_a_tournament_of_every_game(game: str, tmp_path: Path) -> None:
    players = max(2, few(game))
    folder = Folder(tmp_path, make_manifest(game, ["random", "bot"], 2, players=players))
    for number in range(2):
        folder.append(play_deal(folder.manifest, number))
    assert folder.is_complete and folder.verify() == len(folder.lines) == len(schedule_of(folder.manifest))
    text = [json.dumps(line) for line in record(folder.manifest, folder.lines[0])]
    assert records.check(text) == 1
    assert json.loads(text[0])["seed"] == 0 and json.loads(text[0])["game"] == game
    results = folder.results
    assert sum(results.seat_share(seat).mean for seat in range(players)) == pytest.approx(1)


def test_every_deal_is_played_by_all_in_all_seats() -> None:
    manifest = make_manifest("pick_a_pepper_v0", ["random", "bot", "bot"], 1, players=2)
    lines = [json.loads(line) for line in play_deal(manifest, 0).lines]
    assert [line["agents"] for line in lines] == [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]
    decks = [next(one for one in record(manifest, line) if "deal" in one) for line in lines]
    assert all(deal == decks[0] for deal in decks)
    assert labels(manifest) == ("random", "bot", "bot#2")
    assert [line["moves"] for line in lines[:2]] == [line["moves"] for line in lines[2:4]]  # the same bot


# ------------------------------------------------------------------------------------------ byte for byte


def test_the_number_of_workers_changes_nothing(run: Run, tmp_path: Path) -> None:
    assert run(*SMALL, "--folder", tmp_path / "one", "--workers", 1)[0] == 0
    assert run(*SMALL, "--folder", tmp_path / "three", "--workers", 3)[0] == 0
    assert files(tmp_path / "one") == files(tmp_path / "three")


def test_another_seed_is_another_tournament(run: Run, tmp_path: Path) -> None:
    assert run(*SMALL, "--folder", tmp_path / "one")[0] == 0
    assert run(*SMALL, "--folder", tmp_path / "other", "--seed", 100)[0] == 0
    assert files(tmp_path / "one")[GAMES] != files(tmp_path / "other")[GAMES]


@pytest.mark.slow
def test_killed_and_begun_again(run: Run, tmp_path: Path) -> None:
    assert run(*LONG, "--folder", tmp_path / "whole")[0] == 0
    killed = tmp_path / "killed"
    command = [sys.executable, "-m", "experiments.tournament", *LONG, *WITHOUT_BOOTSTRAP, "--folder", str(killed)]
    child = subprocess.Popen([*command, "--workers", "1"], cwd=ROOT, stdout=subprocess.DEVNULL)
    games = killed / GAMES
    while not (games.exists() and games.stat().st_size):
        assert child.poll() is None
        time.sleep(0.01)
    child.kill()
    child.wait()
    assert 0 < Folder(killed).deals_done < 8
    assert run(*LONG, "--folder", killed)[0] == 0
    assert files(tmp_path / "whole") == files(killed)


@pytest.mark.parametrize("left", [0, 1, 200, -1, -40])
def test_goes_on_behind_the_last_whole_deal(left: int, run: Run, tmp_path: Path) -> None:
    assert run(*SMALL, "--folder", tmp_path)[0] == 0
    whole = files(tmp_path)
    (tmp_path / GAMES).write_bytes(whole[GAMES][:left])  # as a write that was cut off leaves it
    assert run(*SMALL, "--folder", tmp_path)[0] == 0
    assert files(tmp_path) == whole


def test_the_same_command_finds_its_folder(run: Run, tmp_path: Path) -> None:
    assert run(*SMALL)[0] == 0
    (folder,) = (tmp_path / "runs").iterdir()
    whole = files(folder)
    (folder / GAMES).write_bytes(whole[GAMES][:500])
    assert run(*SMALL)[0] == 0
    assert [*(tmp_path / "runs").iterdir()] == [folder] and files(folder) == whole
    assert run("--folder", folder)[0] == 0  # alone, it says what is played


def test_interrupted_it_says_how_to_go_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tournament, "play_deal", interrupt)
    status, _, err = run(*SMALL)
    assert (status, err) == (130, "tournament: interrupted; the same command goes on\n")


# -------------------------------------------------------------------------------------------------- refusals


def test_another_tournament_is_refused(run: Run, tmp_path: Path) -> None:
    assert run(*SMALL, "--folder", tmp_path)[0] == 0
    before = files(tmp_path)
    status, _, err = run(*SMALL[:-1], "7", "--folder", tmp_path)
    assert status == 1 and "holds another tournament: its deals: 6, not 7" in err
    status, _, err = run(*SMALL, "--options", "heats=2", "--folder", tmp_path)
    assert status == 1 and "its options: {}" in err
    assert files(tmp_path) == before


def test_two_runs_do_not_write_into_one_folder(tmp_path: Path) -> None:
    manifest = make_manifest("heat_guess_v0", ["random", "bot"], 3, players=2)
    first, second = Folder(tmp_path, manifest), Folder(tmp_path, manifest)
    first.append(play_deal(manifest, 0))
    with pytest.raises(ValueError, match="another run"):
        second.append(play_deal(manifest, 0))
    with pytest.raises(ValueError, match="deal 1 is the next one, not 2"):
        first.append(play_deal(manifest, 2))
    first.append(play_deal(manifest, 1))
    assert Folder(tmp_path).deals_done == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--agents", "random", "nobody"), "there is no agent 'nobody'"),
        (("--agents", "bot"), "two agents"),
        (("--players", "1", "--game", "heat_guess_v0"), "two players or more"),
        (("--players", "9"), "num_players"),
        (("--game", "chess_v0"), "chess_v0"),
        (("--options", "goal"), "OPTION=JSON"),
        (("--agents", "bot", "ppo:nowhere.safetensors"), "nowhere.safetensors"),
        (("--deals", "0"), "a deal, not 2 and 0"),
        ((*SMALL, "--record", "36"), "there is no game 36: they are 0 … 35"),
    ],
)
def test_errors_in_one_line(arguments: tuple[str, ...], words: str, run: Run) -> None:
    status, _, err = run(*arguments)
    assert status == 1 and words in err and err.count("\n") == 1


# ----------------------------------------------------------------------------------------------------- truth


def test_verified_by_moves_and_by_agents(run: Run, tmp_path: Path) -> None:
    assert run(*SMALL, "--folder", tmp_path)[0] == 0
    status, out, _ = run("--folder", tmp_path, "--verify", "agents", "--record", "3", "35")
    assert status == 0 and "36 games replayed by the rules" in out and "36 games played again by the agents" in out
    assert records.check((tmp_path / "game-3.jsonl").read_bytes().splitlines()) == 1


@pytest.mark.parametrize("name", ["score", "standing", "truncated", "moves"])
def test_a_changed_line_is_found(name: str, run: Run, tmp_path: Path) -> None:
    assert run(*SMALL, "--folder", tmp_path)[0] == 0
    lines = [json.loads(line) for line in (tmp_path / GAMES).read_text().splitlines()]
    changed = {"score": [9, 9], "standing": [1, 1], "truncated": True, "moves": lines[4]["moves"][:-1]}
    lines[4][name] = changed[name]
    (tmp_path / GAMES).write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    status, _, err = run("--folder", tmp_path, "--verify", "moves")
    assert status == 1 and "game 4" in err


def test_agents_that_play_otherwise_are_found(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(*SMALL, "--folder", tmp_path)[0] == 0

    def other(game: str, name: str) -> Any:
        return make_agent(game, "random" if name == "ismcts:20" else name)

    monkeypatch.setattr("agents.tournament.make_agent", other)
    status, out, err = run("--folder", tmp_path, "--verify", "agents")
    assert status == 1 and "the agents play it otherwise now" in err and "Other agents than when it was played" in out


def test_digests_tell_agents_apart(tmp_path: Path) -> None:
    listed = tmp_path / "list.toml"
    listed.write_text((ROOT / "agents" / "shed_only.toml").read_text())
    before = agent_digest("pick_a_pepper_v0", f"priority:{listed}")
    assert agent_digest("pick_a_pepper_v0", f"priority:{listed}") == before
    listed.write_text(listed.read_text() + "\n# changed\n")
    assert agent_digest("pick_a_pepper_v0", f"priority:{listed}") != before
    names = ("bot", "random", "ismcts:20", "ismcts:21", "ismcts:20,roots=2", "flat_mc:20")
    assert len({agent_digest("pick_a_pepper_v0", name) for name in names}) == len(names)
    assert agent_digest("pick_a_pepper_v0", "ismcts:20,threads=2") == agent_digest("pick_a_pepper_v0", "ismcts:20")


# ------------------------------------------------------------------------------------------------- a cluster


def workers() -> list[psutil.Process]:
    """The processes that play deals for us."""
    children = psutil.Process().children(recursive=True)
    return [one for one in children if one.is_running() and any("ray::play_deal" in word for word in one.cmdline())]


@pytest.mark.slow
def test_a_cluster_comes_to_the_same_and_loses_no_deal(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ray", reason="ray is not installed: pip install 'pepperenvs[ray]'")
    assert run(*LONG, "--folder", tmp_path / "here")[0] == 0
    killed = []

    def kill_once(folder: Folder, deal: Any) -> None:
        if not killed:
            for worker in workers():
                os.kill(worker.pid, signal.SIGKILL)
                killed.append(worker.pid)
        append(folder, deal)

    append = Folder.append
    monkeypatch.setattr(Folder, "append", kill_once)
    assert run(*LONG, "--folder", tmp_path / "there", "--ray", "local")[0] == 0
    assert killed
    assert files(tmp_path / "there") == files(tmp_path / "here")
    assert not workers()


def test_without_ray_it_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    status, _, err = run(*SMALL, "--ray", "local")
    assert status == 1 and "pip install 'pepperenvs[ray]'" in err
