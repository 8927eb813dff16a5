"""The command line: what it prints, its exit status, and one line for every error."""

import builtins
import io
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pepperenvs import cli, records, registry
from pepperenvs.drivers.game import load
from tests.conformance import few

HEAT_GUESS = "heat_guess_v0"
ROOT = Path(__file__).resolve().parent.parent

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process: exit status, output, errors."""

    def command(*arguments: object) -> tuple[int, str, str]:
        status = cli.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return command


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Gives the lines that a person types, and keeps the prompts."""

    def prepare(*lines: str) -> list[str]:
        waiting, prompts = iter(lines), []

        def answer(prompt: str = "") -> str:
            prompts.append(prompt)
            for line in waiting:
                if line == "^C":
                    raise KeyboardInterrupt
                return line
            raise EOFError

        monkeypatch.setattr(builtins, "input", answer)
        return prompts

    return prepare


@pytest.fixture
def recorded(tmp_path: Path, run: Run) -> Path:
    path = tmp_path / "games.jsonl"
    assert run("record", HEAT_GUESS, "--players", 2, "--seed", 5, "--games", 2, "--out", path) == (0, "", "")
    return path


# ---- list, info, help ----


def test_list_names_every_game(run: Run) -> None:
    status, out, _ = run("list")
    assert status == 0 and [line.split()[0] for line in out.splitlines()] == list(registry.games())
    assert "guess the heat" in out and "RULES" not in out


def test_info_shows_options_actions_and_observation(game: str, run: Run) -> None:
    spec = registry.spec(game)
    status, out, _ = run("info", game)
    assert status == 0 and spec.title in out
    for name in ("num_players", *(option.name for option in spec.options)):
        assert f"\n  {name} " in out
    assert f"–{spec.layout.size - 1} " in out or f"\n  {spec.layout.size - 1} " in out
    assert spec.actions.strings[-1] in out


@pytest.mark.parametrize("arguments", [["--help"], ["record", "--help"]])
def test_help(run: Run, arguments: list[str]) -> None:
    status, out, err = run(*arguments)
    assert status == 0 and "usage: pepperenvs" in out and not err


@pytest.mark.parametrize("command", ["list", "--help"])
def test_list_and_help_load_no_compiler(command: str) -> None:
    code = f"import sys; from pepperenvs.cli import main; main([{command!r}]); assert 'numba' not in sys.modules"
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert time.perf_counter() - began < 10  # far less unless the machine is busy


# ---- record ----


def test_record_writes_what_the_record_module_plays(recorded: Path) -> None:
    game = load(HEAT_GUESS)
    expected = [
        json.dumps(line)
        for seed in (5, 6)
        for line in records.record_game(game, 2, {}, seed, records.choosers(game, ["random"], 2, seed))
    ]
    assert recorded.read_text().splitlines() == expected


def test_record_to_standard_output_with_options(run: Run) -> None:
    arguments = ("record", HEAT_GUESS, "--players", 3, "--seed", 1, "--legal", "--agents", "bot", "random", "bot")
    status, out, err = run(*arguments, "--set", "kinds=2", "reveal=true", "--set", "heats=3", "--out", "-")
    header, _, move, *_ = map(json.loads, out.splitlines())
    assert (status, err) == (0, "")
    assert header["options"] == {"kinds": 2, "heats": 3, "reveal": True} and header["players"] == 3
    assert move["legal"] == ["say 1", "say 2", "say 3"]
    assert records.check(out.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["chess_v0"], "there is no game 'chess_v0'; there are heat_guess_v0"),
        ([HEAT_GUESS, "--players", "9"], "option 'num_players' must be a whole number in 1 … 6, not 9"),
        ([HEAT_GUESS, "--set", "kinds=99"], "option 'kinds' must be a whole number in 2 … 12, not 99"),
        ([HEAT_GUESS, "--set", "kinds=2.0"], "2.0 is not a whole number"),
        ([HEAT_GUESS, "--set", "kinds=true"], "option 'kinds' must be"),
        ([HEAT_GUESS, "--set", "kinds=many"], "a word is written --set 'kinds=\"many\"'"),
        ([HEAT_GUESS, "--set", "kinds"], "--set takes OPTION=JSON, not 'kinds'"),
        ([HEAT_GUESS, "--set", "kinds=2", "--set", "kinds=3"], "option 'kinds' is set twice"),
        ([HEAT_GUESS, "--set", "colour=1"], "unknown option 'colour'"),
        ([HEAT_GUESS, "--set", "num_players=2"], "the number of players is set by --players"),
        ([HEAT_GUESS, "--seed", "-1"], "a seed must not be negative"),
        ([HEAT_GUESS, "--seed", "x"], "--seed"),
        ([HEAT_GUESS, "--games", "0"], "--games must be at least 1"),
        ([HEAT_GUESS, "--agents", "nobody"], "there is no agent 'nobody'; there are random, bot"),
        ([HEAT_GUESS, "--agents", "bot", "bot", "bot"], "3 agents for 2 seats"),
        ([HEAT_GUESS, "--colour"], "--colour"),
    ],
)
def test_a_wrong_request_is_one_line_and_writes_nothing(
    run: Run, tmp_path: Path, arguments: list[str], reason: str
) -> None:
    status, out, err = run("record", *arguments, "--out", tmp_path / "games.jsonl")
    assert status == 2 and out == ""
    assert err.startswith("pepperenvs: ") and err.count("\n") == 1 and reason in err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("arguments", [[], ["dance"], ["record"], ["info"], ["replay", "a", "b"]])
def test_wrong_arguments_are_one_line(run: Run, arguments: list[str]) -> None:
    status, out, err = run(*arguments)
    assert status == 2 and out == "" and err.startswith("pepperenvs: ") and err.count("\n") == 1


def test_a_file_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    status, _, err = run("record", HEAT_GUESS, "--out", tmp_path / "none" / "games.jsonl")
    assert status == 1 and err == f"pepperenvs: {tmp_path}/none/games.jsonl: No such file or directory\n"


# ---- replay ----


def test_replay_prints_the_game(run: Run, recorded: Path) -> None:
    status, out, err = run("replay", recorded)
    assert (status, err) == (0, "")
    assert out.startswith("heat_guess_v0: 2 players, seed 5\n") and "\n    1  player_0: say" in out
    assert out.count("scores [") == 2 and "insert: " in out


def test_replay_check_prints_the_final_tables_and_ok(run: Run, recorded: Path) -> None:
    status, out, err = run("replay", recorded, "--check")
    assert (status, err) == (0, "") and out.endswith("\nok\n")
    assert out.count("Heat Guess: over") == 2 and "player_0: say" not in out


def test_replay_shows_a_position(run: Run, recorded: Path) -> None:
    status, out, _ = run("replay", recorded, "--moves", 1)
    game, states = records.position(recorded, 1)
    assert status == 0 and out == game.spec.part("text").text(states[0]) + "\n"
    status, out, _ = run("replay", recorded, "--moves", 1, "--nth", 2)
    assert status == 0 and out == game.spec.part("text").text(records.position(recorded, 1, 1)[1][0]) + "\n"


def test_replay_of_standard_input(run: Run, recorded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(recorded.read_bytes())))
    assert run("replay", "-", "--check")[0] == 0


def test_replay_of_a_damaged_file_names_the_line(run: Run, recorded: Path) -> None:
    lines = recorded.read_text().splitlines()
    recorded.write_text("\n".join([*lines[:3], "", *lines[3:]]))
    for more in ([], ["--check"], ["--moves", "5"]):
        status, out, err = run("replay", recorded, *more)
        assert status == 1 and "ok" not in out and err == f"pepperenvs: {recorded}: line 4: a blank line\n"


@pytest.mark.parametrize(
    ("arguments", "status", "reason"),
    [
        (["--moves", "100000"], 1, "fewer than 100000"),
        (["--moves", "1", "--nth", "3"], 1, "the file has 2 games"),
        (["--moves", "-1"], 2, "--moves"),
        (["--moves", "1", "--check"], 2, "neither goes with --check"),
        (["--nth", "2"], 2, "--nth goes with --moves"),
    ],
)
def test_positions_that_there_are_not(run: Run, recorded: Path, arguments: list[str], status: int, reason: str) -> None:
    found, out, err = run("replay", recorded, *arguments)
    assert (found, out) == (status, "") and reason in err and err.count("\n") == 1


def test_a_file_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    assert run("replay", tmp_path / "none")[2] == f"pepperenvs: {tmp_path}/none: No such file or directory\n"
    assert run("replay", tmp_path)[0] == 1


# ---- play ----


def test_play_by_string_by_number_and_to_the_end(run: Run, typed: Callable[..., list[str]]) -> None:
    prompts = typed("say  2", "1", *(["2", "1"] * 40))
    options = ("--set", "kinds=2", "heats=2", "copies=1")
    status, out, err = run("play", HEAT_GUESS, "--seed", 3, *options)
    assert (status, err) == (0, "") and set(prompts) == {"player_0> "}
    assert "player_1: say" in out and "player_0: say" not in out and "Heat Guess: over" in out
    assert out.splitlines()[-1].startswith("scores [")


def test_play_lists_refuses_and_quits(run: Run, typed: Callable[..., list[str]]) -> None:
    typed("?", "say 9", "0", "", "q", "say 1")
    status, out, _ = run("play", HEAT_GUESS, "--seed", 3)
    assert status == 0 and "\n  1  say 1\n" in out and "'say 9' is not legal here" in out and "'0' is not legal" in out
    assert out.endswith("The game is left unfinished.\n")


@pytest.mark.parametrize("lines", [[], ["^C"], ["say 1", "^C"]])
def test_play_ends_cleanly_with_the_input_and_on_interruption(
    run: Run, typed: Callable[..., list[str]], lines: list[str]
) -> None:
    typed(*lines)
    status, out, err = run("play", HEAT_GUESS)
    assert (status, err) == (0, "") and out.endswith("\nThe game is left unfinished.\n")


def test_play_shows_nothing_hidden(run: Run, typed: Callable[..., list[str]]) -> None:
    typed("say 1", "say 2", "q")
    _, out, _ = run("play", HEAT_GUESS, "--seed", 3)
    assert "heat 1" not in out and 'pile"' not in out and "insert" not in out


def test_play_without_people(game: str, run: Run) -> None:
    agents = ["bot", *["random"] * (few(game) - 1)]
    status, out, _ = run("play", game, "--agents", *agents, "--seed", 3)
    assert status == 0 and "player_0: " in out and "player_1: " in out and "scores [" in out


def test_play_every_game_as_a_person(game: str, run: Run, typed: Callable[..., list[str]]) -> None:
    typed("1", "?", "1", "q")
    status, out, _ = run("play", game, "--agents", *["human"] * few(game), "--seed", 3)
    assert status == 0 and "left unfinished" in out


def test_what_is_chosen_in_secret_is_not_told(
    run: Run, typed: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(load(HEAT_GUESS).spec.tags, "secret", "say")
    typed("1", "1", "q")
    _, out, _ = run("play", HEAT_GUESS, "--seed", 3)
    assert "player_1: has chosen" in out and "player_1: say" not in out


# ---- warm-up, bench ----


@pytest.mark.slow
def test_warmup_compiles_and_says_where(run: Run) -> None:
    status, out, _ = run("warmup", HEAT_GUESS)
    assert status == 0 and out.startswith(f"{HEAT_GUESS}: ready after ") and "heat_guess-" in out
    assert run("warmup", "chess_v0")[0] == 2


def test_the_reader_of_the_output_may_leave() -> None:
    command = f"{sys.executable} -m pepperenvs record {HEAT_GUESS} --games 50 --out - | head -n 1"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.count("\n") == 1 and done.stderr == ""


def test_the_module_runs_as_a_program() -> None:
    done = subprocess.run([sys.executable, "-m", "pepperenvs", "info", "chess_v0"], cwd=ROOT, capture_output=True)
    assert done.returncode == 2 and done.stderr.startswith(b"pepperenvs: there is no game")
