"""Measurements of speed and strength: every script runs, what it times is audited, and its lines tell no secrets."""

import getpass
import json
import re
import socket
import sys
import tempfile
import time
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.match import Estimate
from benchmarks import (
    bench_first_call,
    bench_sb3,
    bench_search,
    bench_steps,
    bench_threads,
    bench_training,
    conditions,
    journal,
    run,
    strength,
)
from benchmarks.peers import search as peers_search
from pepperenvs import bench, cli, registry
from pepperenvs.bench import AuditError, Figure
from pepperenvs.drivers.aec import Env, RawEnv
from pepperenvs.drivers.batch import Batch
from pepperenvs.drivers.game import load
from pepperenvs.drivers.vector import SoloVectorEnv

SHORTEST = conditions.Conditions(seconds=0.001, repetitions=2, warm=1, fresh=1, envs=8, moves=4)
GAME = registry.games()[0]


def names(figures: list[Figure]) -> list[str]:
    return [figure.name for figure in figures]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


# ---- figures ----


def test_a_figure_is_a_median_with_its_range() -> None:
    figure = Figure("aec", "a loop", "moves/s", (3.0, 1.0, 1000.5, 4.0, 2.0))
    assert (figure.median, figure.low, figure.high) == (3.0, 1.0, 1000.5)
    assert figure.spread == "(1 – 1,000)"
    assert Figure("state", "one state", "bytes", (416.0,)).spread == ""


def test_numbers_for_people() -> None:
    assert [*map(bench.number, (8_123_456.7, 0.03456, 12.345, 416.0))] == ["8,123,457", "0.0346", "12.3", "416"]


# ---- what is timed ----


def test_every_game_is_measured_and_sound(game: str) -> None:
    figures = bench_steps.figures(game, SHORTEST)
    assert names(figures) == ["rollout", "aec", "aec_raw", "batch_step", "batch_sample", "vector", "vector_ratio",
                              "state", "length"]  # fmt: skip
    assert all(value > 0 for figure in figures for value in figure.values if figure.name != "length")
    assert figures[7].median == load(game).spec.state.itemsize


def test_threads_are_measured_with_and_without_a_neighbour(game: str) -> None:
    figures = bench_threads.figures(game, SHORTEST, games=200)
    assert names(figures) == ["threads_1", "threads_2", "threads_1_busy", "threads_2_busy"]
    assert all(value > 0 for figure in figures for value in figure.values)


def test_the_busy_process_is_busy_and_ends() -> None:
    with bench_threads.busy_process() as neighbour:
        time.sleep(1.0)
        assert neighbour.poll() is None
    assert neighbour.poll() is not None


def test_the_mean_length_is_that_of_whole_games() -> None:
    batch = Batch(GAME, 64, seed=0, autoreset=False)
    ended = np.zeros(64, bool)
    while not ended.all():
        batch.step(batch.sample_actions())
        ended |= batch.finished
    _, length = bench.time_rollout(GAME, 0.1, 0)
    assert length == pytest.approx(batch.final_length.mean(), rel=0.2)


@pytest.mark.parametrize("start", range(6))
def test_the_chooser_takes_the_first_legal_action_going_round(start: int) -> None:
    mask = np.array([0, 1, 0, 0, 1, 0], np.int8)
    assert bench.first_legal(mask, start) == (1, 1, 4, 4, 4, 1)[start]


# ---- the audit ----


def test_a_sound_batch_passes_the_audit_in_the_middle_and_at_the_end(game: str) -> None:
    batch = Batch(game, 4, seed=0, autoreset=False)
    while (batch.seat >= 0).any():
        bench.audit_batch(batch)
        batch.step(batch.sample_actions())
    bench.audit_batch(batch)


def damage_state(batch: Batch) -> None:
    batch._states["to_move"][2] = 77


def damage_mask(batch: Batch) -> None:
    batch.action_mask[2, np.flatnonzero(batch.action_mask[2])[-1]] = 0


def damage_observation(batch: Batch) -> None:
    batch.observation[2, -1] += 1


@pytest.mark.parametrize("damage", [damage_state, damage_mask, damage_observation])
def test_the_audit_names_the_damaged_game(game: str, damage: Any) -> None:
    batch = Batch(game, 4, seed=0)
    damage(batch)
    with pytest.raises(AuditError, match=f"{game}: state 2: "):
        bench.audit_batch(batch)


def test_the_audit_of_a_vector_looks_at_what_it_returned(game: str) -> None:
    env = SoloVectorEnv(game, 4)
    observations, infos = env.reset(seed=0)
    bench.audit_vector([env._batch], observations, masks := infos["action_mask"])
    for damaged, cell in ((observations, (2, -1)), (masks, (2, masks[2].argmax()))):
        damaged[cell] ^= 1
        with pytest.raises(AuditError, match=f"{game}: state 2: "):
            bench.audit_vector([env._batch], observations, masks)
        damaged[cell] ^= 1


@pytest.mark.parametrize("factory", [Env, RawEnv])
def test_the_audit_of_an_environment(game: str, factory: type[RawEnv]) -> None:
    env = factory(game)
    env.reset(seed=0)
    bench.audit_aec(env)
    env._observations[0, -1] += 1
    with pytest.raises(AuditError, match=game):
        bench.audit_aec(env)


@pytest.fixture
def unsound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every batch's states are damaged once it has been played."""
    play = Batch.random_rollout

    def play_and_damage(batch: Batch, moves: int) -> tuple[int, int, float]:
        played = play(batch, moves)
        batch._states["moves"] = -1
        batch._states["score"] = 99
        batch._states["to_move"] = 77
        return played

    monkeypatch.setattr(Batch, "random_rollout", play_and_damage)


@pytest.mark.usefixtures("unsound")
def test_a_failing_audit_is_said_and_nothing_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main([GAME], 0.001, 1) == 1
    assert f"the audit fails: {GAME}: state 0: " in capsys.readouterr().err
    assert run.main([GAME], tmp_path / "steps.jsonl", SHORTEST) == 1
    assert f"the audit fails: {GAME}: state 0: " in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


# ---- the scripts ----


def test_the_command_line_measures(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(bench.main, "__defaults__", (0.001, 1))
    assert cli.main(["bench", GAME]) == 0
    out = capsys.readouterr().out
    assert f"{GAME}, {load(GAME).spec.players[2]} players; all that was timed is sound" in out
    assert "moves/s" in out and "bytes" in out


@pytest.mark.parametrize(
    "script", [bench_steps, bench_search, bench_sb3, pytest.param(bench_training, marks=pytest.mark.slow)]
)
def test_scripts_run_alone(script: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(script, "QUICK", SHORTEST)
    assert script.main(["--quick", GAME]) == 0
    assert GAME in capsys.readouterr().out


@pytest.mark.parametrize(
    "script",
    [
        bench_steps,
        bench_threads,
        bench_first_call,
        bench_search,
        bench_sb3,
        bench_training,
        peers_search,
        run,
        strength,
    ],
)
def test_scripts_refuse_what_is_no_game(script: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        script.main(["chess_v0"])
    assert refused.value.code == 2 and "there is no game 'chess_v0'" in capsys.readouterr().err


def test_searches_are_measured() -> None:
    figures = {figure.name: figure.median for figure in bench_search.figures(GAME, SHORTEST)}
    kinds = [f"{figure}_{policy}" for policy in ("bot", "random") for figure in ("iterations", "iteration_cost")]
    assert [*figures] == ["playouts", "playouts_ratio", *kinds]
    assert all(value > 0 for value in figures.values())


def test_searches_are_measured_beside_those_of_openspiel(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "search.jsonl"
    assert peers_search.main([GAME], path, SHORTEST) == 0
    (line,) = lines(path)
    check_is_public(path)
    assert line["figures"][GAME].keys() == {"iterations_bot", "iterations_random"}
    if "is not installed" not in capsys.readouterr().out:
        assert line["figures"]["OpenSpiel hearts"]["iterations_random"]["median"] > 0
        monkeypatch.setitem(sys.modules, "pyspiel", None)
        assert peers_search.main([GAME], path, SHORTEST) == 0
        assert lines(path)[1]["figures"].keys() == {GAME} and "is not installed" in capsys.readouterr().out


def test_vectors_of_sb3_are_measured() -> None:
    found = {figure.name: figure.median for figure in bench_sb3.figures(GAME, SHORTEST, (4,))}
    assert [*found] == ["sb3_4", "sb3_4_ratio"] and all(value > 0 for value in found.values())


def test_import_is_measured_in_a_child() -> None:
    cpu, wall = bench_first_call.import_figures(SHORTEST)
    assert (cpu.name, wall.name) == ("import", "import_wall") and cpu.median > 0 and wall.median > 0


@pytest.mark.slow
def test_a_fresh_install_compiles_and_a_warm_one_does_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    figures = {figure.name: figure.median for figure in bench_first_call.figures(GAME, SHORTEST)}
    assert [*figures] == ["first_game", "first_game_wall", "first_game_fresh", "first_game_fresh_wall"]
    assert figures["first_game"] < figures["first_game_fresh"]
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_training_is_measured(game: str) -> None:
    whole, play, learn = bench_training.figures(game, SHORTEST)
    assert (whole.name, play.name, learn.name) == ("training", "training_play", "training_learn")
    assert 0 < whole.median < min(play.high, learn.high)


# ---- targets ----


@pytest.mark.parametrize(
    ("unit", "values", "target", "is_met"),
    [
        ("moves/s", (1.0, 8.0, 9.0), 8.0, True),
        ("moves/s", (7.9, 7.9, 99.0), 8.0, False),
        ("ms", (0.1, 0.4, 9.0), 0.4, True),
        ("times", (25.0,), 20.0, True),
        ("ms", (0.1, 0.41, 0.5), 0.4, False),
        ("s", (21.0,), 20.0, False),
    ],
)
def test_rates_reach_their_target_and_times_stay_below(
    unit: str, values: tuple[float, ...], target: float, is_met: bool
) -> None:
    figure = Figure("it", "it", unit, values)
    assert run.meets(figure, target) is is_met
    assert run.remark(figure, {"it": target}).endswith("met" if is_met else "MISSED")
    assert run.remark(figure, {"other": target}) == ""


def test_a_game_overrules_what_holds_for_every_game(tmp_path: Path) -> None:
    path = tmp_path / "targets.toml"
    path.write_text(f"[pepperenvs]\nimport = 1\n[every_game]\naec = 2\nrollout = 3\n[{GAME}]\naec = 4\n")
    targets = run.read_targets(path)
    assert targets["pepperenvs"] == {"import": 1} and targets[GAME] == {"aec": 4, "rollout": 3}
    assert targets[registry.games()[-1]] == {"aec": 2, "rollout": 3}


def test_targets_are_for_games_and_figures_that_there_are() -> None:
    known = {"import", "rollout", "aec", "aec_raw", "batch_step", "batch_sample", "vector", "vector_ratio",
             "first_game", "first_game_fresh", "playouts_ratio", "iterations_bot", "iteration_cost_bot",
             "iteration_cost_random", "sb3_64_ratio", "sb3_1024_ratio"}  # fmt: skip
    declared = tomllib.loads(run.TARGETS.read_text("utf-8"))
    assert {*declared} <= {"pepperenvs", "every_game", *registry.games()}
    assert {name for table in declared.values() for name in table} <= known


# ---- the lines of results ----


@pytest.fixture
def without_children(monkeypatch: pytest.MonkeyPatch) -> None:
    """Child processes take half a minute; here they say at once what they took."""
    monkeypatch.setattr(bench_first_call, "child", lambda code, *argv, cache=None: (1.5, 2.5))


@pytest.mark.slow
@pytest.mark.usefixtures("without_children")
def test_a_run_appends_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "new" / "steps.jsonl"
    for _ in range(2):
        assert run.main(["--quick", GAME], path, replace(SHORTEST, repetitions=1)) == 0
    first, second = lines(path)
    assert [*first] == ["date", "command", "commit", "machine", "versions", "conditions", "figures"] == [*second]
    assert first["command"] == f"python -m benchmarks.run --quick {GAME}"
    assert [*first["figures"]] == ["pepperenvs", GAME]
    assert first["figures"]["pepperenvs"]["import"] == {"unit": "s", "median": 1.5, "min": 1.5, "max": 1.5}
    assert {"rollout", "first_game_fresh", "training"} <= {*first["figures"][GAME]}
    assert "target ≥" in capsys.readouterr().out
    check_is_public(path)


def test_facts_of_the_machine() -> None:
    facts = journal.machine()
    assert [*facts] == ["cpu", "cores", "system", "architecture", "load"]
    assert facts["cores"] >= 1 and re.fullmatch(r"\w+ [\d.]+", facts["system"])
    assert [*journal.versions("torch")] == ["python", "pepperenvs", *journal.PACKAGES, "torch"]
    assert re.fullmatch(r"[0-9a-f]{40}(-dirty)?|unknown", journal.commit())


def test_outside_a_repository_the_commit_is_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "ROOT", tmp_path)
    assert journal.commit() == "unknown"


def check_is_public(path: Path) -> None:
    """No line of a file of results names this host, its user, or a path."""
    for line in lines(path):
        text = json.dumps({key: value for key, value in line.items() if key != "figures"})
        for secret in (socket.gethostname(), getpass.getuser()):
            assert not re.search(rf"(?<![\w.-]){re.escape(secret)}(?![\w-])", text)
        for secret in (str(journal.ROOT), str(Path.home()), str(path.parent)):
            assert secret not in json.dumps(line)
        assert not re.search(r"(^|[\s\"'])[~/]\S", json.dumps(line)) and "\\" not in json.dumps(
            line, ensure_ascii=False
        )


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.name) for path in (run.STEPS, strength.STRENGTH, peers_search.SEARCH)]
)
def test_published_results_are_public(path: Path) -> None:
    if path.exists():
        check_is_public(path)


@pytest.mark.parametrize("secret", ["/srv/work/games", "~/games", socket.gethostname()])
def test_the_check_finds_secrets(tmp_path: Path, secret: str) -> None:
    journal.append(path := tmp_path / "it.jsonl", "benchmarks.run", [secret], {})
    with pytest.raises(AssertionError):
        check_is_public(path)


# ---- strength ----


def test_every_game_and_number_of_players_has_a_match_of_the_bot_against_random_players(game: str) -> None:
    fewest, most, _ = load(game).spec.players
    players = [c.players for c in strength.CONTESTS if (c.game, c.challenger, c.opponent) == (game, "bot", "random")]
    assert players == [*range(fewest, most + 1)]


def test_quick_bounds_are_weaker_and_all_are_above_chance() -> None:
    for contest in strength.BOTS:
        chance = 1 / max(2, contest.players)
        assert chance < contest.quick.first_places <= contest.long.first_places <= 1, contest
        assert 0 < contest.quick.margin <= contest.long.margin, contest


def test_searchers_beat_the_bot_in_four_games_and_get_better_with_their_budget() -> None:
    beaten = [contest.game for contest in strength.SEARCHERS
              if contest.opponent == "bot" and contest.long.first_places >= 1 / contest.players]  # fmt: skip
    assert len(set(beaten)) >= 4
    budgets = [(contest.challenger, contest.opponent) for contest in strength.SEARCHERS
               if contest.opponent.startswith("ismcts") and contest.long.first_places >= 0.5]  # fmt: skip
    assert budgets.count(("ismcts:1000", "ismcts:100")) == budgets.count(("ismcts:10000", "ismcts:1000")) == 2
    for contest in strength.SEARCHERS:
        assert contest.quick.first_places <= contest.long.first_places <= 1, contest


@pytest.mark.parametrize(
    ("share", "margin", "holds"), [(0.9, 5.0, True), (0.86, 4.0, True), (0.84, 9.0, False), (0.9, 3.9, False)]
)
def test_bounds_hold_if_both_intervals_lie_above(share: float, margin: float, holds: bool) -> None:
    estimates = Estimate(share, 0.05), Estimate(margin, 1.0)
    bounds = strength.Bounds(0.8, 3.0)
    outcome = strength.Outcome(strength.CONTESTS[0], ("a", "b"), 10, bounds, *estimates, 1.0, 10.0)
    assert outcome.holds is holds and ("MISSED" in outcome.line()) is not holds


def test_contests_are_played_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "strength.jsonl"
    strength.main(["--quick"], path, deals=2)
    (line,) = lines(path)
    check_is_public(path)
    played = [contest for contest in strength.CONTESTS if contest.quick_deals]
    assert [*line][-2:] == ["seed", "matches"] and len(line["matches"]) == len(played)
    assert {match["challenger"] for match in line["matches"]} == {"bot", "shed-only", "ismcts:1000"}
    assert all(match["games"] == 2 * match["players"] for match in line["matches"])
    assert len(capsys.readouterr().out.splitlines()) == len(played)


def test_the_same_contest_has_the_same_outcome() -> None:
    contest = strength.CONTESTS[0]
    assert strength.play(contest, 10, contest.quick) == strength.play(contest, 10, contest.quick)


def test_a_missed_bound_is_the_exit_status(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contest = next(contest for contest in strength.CONTESTS if contest.players == 2)
    monkeypatch.setattr(strength, "CONTESTS", (replace(contest, challenger="random", opponent="bot"),))
    assert strength.main([contest.game], tmp_path / "it.jsonl", deals=20) == 1
    assert lines(tmp_path / "it.jsonl")[0]["matches"][0]["holds"] is False


@pytest.mark.strength
@pytest.mark.timeout(600)
def test_players_are_as_strong_as_they_should_be(tmp_path: Path) -> None:
    assert strength.main(["--quick"], tmp_path / "strength.jsonl") == 0
