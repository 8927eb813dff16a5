"""Best responses: bounds that hold where the exact answer is known, fresh deals, and what the script writes."""

import io
import itertools
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from rich.console import Console

from agents.base import make_agent
from agents.ismcts import ISMCTSAgent
from agents.match import Match, Player, first_shares, mean_places, play_match
from agents.policy import PolicyAgent, read_policy
from experiments import best_response as script
from experiments.best_response import DEALS_APART, EXPLOITER, MAX_SEED, RESULT, USES, Arguments, Counted, Found
from pepperenvs.drivers.tree import Plan
from tests import miniature
from tests.conformance import few
from tests.miniature import StrategyAgent

SMALL = Arguments(
    game=miniature.GAME, players=2, options=tuple(f"{name}={value}" for name, value in miniature.OPTIONS.items()),
    select_deals=100, report_deals=500, moves=60_000, threads=1,
    training=("num_envs=64", "rollout=16", "hidden=32", "learning_rate=3e-3", "epochs=4", "minibatch=256"),
)  # fmt: skip
TINY = replace(SMALL, select_deals=2, report_deals=3, moves=128, checkpoints=2,
               training=("num_envs=4", "rollout=8", "hidden=8", "epochs=1"))  # fmt: skip
SILENT = Console(file=io.StringIO())

FROZEN = {
    miniature.uniform: make_agent(miniature.GAME, "random"),
    miniature.lowest: make_agent(miniature.GAME, "bot"),
    miniature.stubborn: StrategyAgent(miniature.stubborn),
    miniature.optimal: StrategyAgent(miniature.optimal),
}


@pytest.fixture(autouse=True)
def _threads() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def exploited(frozen: Player, **changes: Any) -> Found:
    """What an experiment in the miniature finds against copies of an agent."""
    return script.exploit(replace(SMALL, **changes), [frozen, frozen], SILENT)


# ------------------------------------------------------------------------------------------- known answers


@pytest.mark.parametrize(
    ("frozen", "other"),
    [(miniature.uniform, miniature.uniform), (miniature.stubborn, miniature.stubborn),
     (miniature.uniform, miniature.lowest), (miniature.lowest, miniature.stubborn)],
)  # fmt: skip
def test_a_best_response_gains_what_it_must(frozen: Any, other: Any) -> None:
    """The solver and the measurement check each other; three standard errors."""
    response = StrategyAgent(miniature.best_response(other))
    arguments = replace(SMALL, report_deals=1500)
    (measured,), _ = script.measure(arguments, [response], [FROZEN[frozen], FROZEN[other]], "report")
    for estimate, exact in (
        (measured.gain, miniature.exploitability(frozen, other)),
        (measured.utility, miniature.mean_of_seats(None, other)),
        (measured.frozen_utility, miniature.mean_of_seats(frozen, other)),
        (measured.gain_by_seat[0],
         miniature.from_the_start(None, other) - miniature.from_the_start(frozen, other)),
    ):  # fmt: skip
        assert abs(estimate.mean - exact) <= 1.55 * estimate.half_width + 1e-12


def test_exact_values() -> None:
    """Against the one that always says the first number, it pays to know it: the best of all play gains less."""
    assert miniature.mean_of_seats(None, None) == pytest.approx(0.0)
    assert miniature.exploitability(miniature.optimal) == pytest.approx(0.0)
    assert miniature.exploitability(miniature.uniform) == pytest.approx(0.640, abs=1e-3)
    gain = miniature.exploitability(miniature.stubborn)
    assert gain == pytest.approx(0.800, abs=1e-3)
    assert miniature.mean_of_seats(miniature.optimal, miniature.stubborn) < gain - 0.05


@pytest.mark.parametrize("frozen", [miniature.uniform, miniature.stubborn])
def test_a_trained_exploiter_comes_near_the_best_response(frozen: Any) -> None:
    """Within 0.1 of it after 60,000 moves, and not above it, as far as the interval goes."""
    exact, found = miniature.exploitability(frozen), exploited(FROZEN[frozen])
    assert found.measured.gain.low <= exact
    assert found.measured.gain.high >= exact - 0.1 and found.measured.gain.mean >= exact - 0.12
    assert found.measured.first_places.low > 0.5 and len(found.candidates) == SMALL.checkpoints
    first = found.candidates[0].gain
    assert first.high < exact - 0.05, "it was learned on the way"


@pytest.mark.parametrize("by", ["ismcts:300", "flat_mc:300,rollout=random"])
def test_a_searching_exploiter_comes_near_the_best_response(by: str) -> None:
    exact, found = miniature.exploitability(miniature.uniform), exploited(FROZEN[miniature.uniform], by=(by,))
    assert found.measured.gain.low <= exact <= found.measured.gain.high + 0.02
    assert found.measured.name == by and found.candidates == [] and set(found.costs) == {"report"}


@pytest.mark.parametrize("frozen", [miniature.optimal, miniature.lowest])
def test_nobody_gains_against_optimal_play(frozen: Any) -> None:
    """The bot is as good as optimal here. Of a trained exploiter, a search and the bot the best comes to about 0."""
    assert miniature.exploitability(frozen) < 1e-3
    found = exploited(FROZEN[frozen], by=("ppo", "ismcts:1000", "bot"), moves=20_000, checkpoints=2)
    assert found.measured.gain.low <= 0.0 and abs(found.measured.gain.mean) <= 0.05
    trained = [candidate for candidate in found.candidates if candidate.name.startswith("ppo@")]
    assert len(trained) == 2 and all(candidate.gain.low <= 0.0 for candidate in trained)


# --------------------------------------------------------------------------------------------------- deals


def test_no_two_uses_and_no_two_runs_share_a_deal() -> None:
    firsts = [script.first_deal(seed, use) for seed in (0, 1, 2, MAX_SEED) for use in USES]
    assert all(after - before >= DEALS_APART for before, after in itertools.pairwise(firsts))
    assert firsts[-1] + DEALS_APART <= 2**63


def test_what_is_trained_chosen_and_reported_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each candidate and the frozen agents play the same deals; those of the report are played after the choice."""
    played: list[tuple[str, int, int]] = []

    def spy(game: str, agents: Any, deals: int, seed: int, **options: Any) -> Match:
        played.append((agents[0].name, deals, seed))
        return play_match(game, agents, deals, seed, **options)

    monkeypatch.setattr(script, "play_match", spy)
    found = exploited(FROZEN[miniature.uniform], by=("random", "bot"), report_deals=60, seed=7)
    select, report = script.first_deal(7, "select"), script.first_deal(7, "report")
    assert played == [("random", 100, select), ("random", 100, select), ("bot", 100, select),
                      ("random", 60, report), ("bot", 60, report)]  # fmt: skip
    assert found.measured.name == "bot" and [one.name for one in found.candidates] == ["random", "bot"]
    assert found.candidates[0].gain.mean == 0.0 and found.candidates[0].gain.half_width == 0.0
    assert found.candidates[1].gain.mean != found.measured.gain.mean
    learner = script.new_exploiter(replace(TINY, seed=7), FROZEN[miniature.lowest])
    assert learner.arguments.seed == script.first_deal(7, "train")


def test_the_best_on_the_deals_for_selection_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """And stays so, though it is the worst on those of the report."""
    measure = script.measure

    def swapped(arguments: Arguments, exploiters: Any, frozen: Any, use: str) -> Any:
        if use == "report":
            return measure(arguments, exploiters, frozen, use)
        measured, cost = measure(arguments, exploiters, frozen, use)
        gains = [one.gain for one in measured][::-1]
        return [replace(one, gain=gain) for one, gain in zip(measured, gains, strict=True)], cost

    monkeypatch.setattr(script, "measure", swapped)
    found = exploited(FROZEN[miniature.lowest], by=("random", "bot"), select_deals=50, report_deals=50)
    assert found.measured.name == "random" and found.measured.gain.high < 0 == found.measured.frozen_utility.mean


@pytest.mark.parametrize("players", [2, 3, 4])
def test_utilities_of_a_match(players: int) -> None:
    agents = [make_agent(miniature.GAME, "random")] * players
    match = play_match(miniature.GAME, agents, 60, 3, heats=2, max_moves=2 * players)
    assert np.allclose(script.utilities_of(match, "rank"), 1 - 2 * mean_places(match.standing) / (players - 1))
    share = first_shares(match.standing)
    others = (share == 0).sum(axis=-1, keepdims=True)
    assert (others == 0).any() and (others > 0).any()
    expected = np.where(others == 0, 0.0, np.where(share > 0, share, -1 / np.maximum(others, 1)))
    assert np.allclose(script.utilities_of(match, "win"), expected)


# ------------------------------------------------------------------------------------------------- compute


def test_counting_changes_no_move() -> None:
    agent = ISMCTSAgent(simulations=30, plan=Plan(rollout="random"))
    noted = Counted(agent)
    plain, same = (play_match(miniature.GAME, [one, FROZEN[miniature.lowest]], 4, 5, **miniature.OPTIONS)
                   for one in (agent, noted))  # fmt: skip
    assert np.array_equal(plain.final, same.final) and np.array_equal(plain.length, same.length)
    simulations = noted.simulations
    assert plain.names == same.names and 0 < simulations <= 30 * int(same.length.sum())
    forced = SimpleNamespace(legal_actions=np.array([4], np.int32))
    assert noted.search(forced) == 4 and noted.simulations == simulations


def test_simulations_of_exploiters_and_frozen_agents_are_told_apart() -> None:
    """Of 10 deals in 2 seats, where the exploiter, another object of the same settings, plays just the same."""
    exploiter, frozen = (make_agent(miniature.GAME, "ismcts:20") for _ in range(2))
    arguments = replace(SMALL, report_deals=10)
    (measured,), cost = script.measure(arguments, [exploiter], [frozen, frozen], "report")
    assert measured.gain.mean == measured.gain.half_width == 0.0
    assert cost.simulations % 20 == cost.frozen_simulations % 20 == 0
    assert cost.simulations + cost.frozen_simulations == 20 * cost.moves  # each guess of both matches is searched
    assert cost.frozen_simulations > 2 * cost.simulations > 0 and cost.cpu_seconds > 0  # it plays about a quarter


# ------------------------------------------------------------------------------------------------ training


def test_training_is_that_of_self_play_with_the_games_preset() -> None:
    training = script.training_of(Arguments(game="pick_a_pepper_v0", moves=50, training=("hidden=16", "epochs=9")))
    assert (training.hidden, training.epochs, training.moves) == (16, 9, 50)
    assert training.train_options == ("max_rounds=15",) and training.minibatch == 512  # the preset's
    assert training.past_share == training.bot_share == 0.0
    given = Arguments(game="pick_a_pepper_v0", training=('train_options=["max_rounds=3"]',))
    assert script.training_of(given).train_options == ("max_rounds=3",)


def test_all_seats_but_one_are_frozen_while_it_learns() -> None:
    """The learner is asked for one seat a game alone, and learns from the utility that is asked for."""
    arguments = replace(TINY, players=3, utility="win")
    batch = script.new_exploiter(arguments, FROZEN[miniature.stubborn]).batch
    seats, utilities = set(), set()
    for _ in range(200):
        assert (batch.seat == batch.learner).all()
        seats |= set(batch.seat.tolist())
        batch.step(batch.sample_actions())
        utilities |= {tuple(sorted(row[:3])) for row in batch.final_utility[batch.finished]}
    assert seats == {0, 1, 2} and utilities == {(-0.5, -0.5, 1.0), (-1.0, 0.5, 0.5), (0.0, 0.0, 0.0)}


def test_a_training_can_begin_with_a_checkpoint(tmp_path: Path) -> None:
    assert script.main(words(TINY, folder=str(tmp_path / "one"))) == 0
    path = tmp_path / "one" / EXPLOITER
    arguments = replace(TINY, start=str(path), training=("num_envs=4", "rollout=8", "learning_rate=0", "epochs=1"))
    exploiters, cost = script.train(arguments, FROZEN[miniature.lowest], SILENT)
    begun = read_policy(miniature.GAME, path).state_dict()
    assert [agent.name for agent in exploiters] == ["ppo@64", "ppo@128"] and cost.moves == 128
    for agent in exploiters:
        assert all(torch.equal(begun[name], tensor) for name, tensor in agent._policy.state_dict().items())
    frozen = make_agent(miniature.GAME, f"ppo:{path}")
    found = script.exploit(arguments, [frozen, frozen], SILENT)
    assert found.measured.gain.mean == found.measured.gain.half_width == 0.0, "the same network plays the same"


# -------------------------------------------------------------------------------------------------- script


def words(arguments: Arguments, **changes: Any) -> list[str]:
    """The command line of arguments."""
    given = []
    for name, value in vars(replace(arguments, **changes)).items():
        if value != getattr(Arguments(), name):
            values = value if isinstance(value, tuple) else (value,)
            given += ["--" + name.replace("_", "-"), *map(str, values)]
    return given


def result_in(folder: Path) -> dict[str, Any]:
    """What a run found, without what two equal runs need not share."""
    result: dict[str, Any] = json.loads((folder / RESULT).read_text("utf-8"))
    for cost in result["cost"].values():
        assert cost.pop("cpu_seconds") > 0
    del result["arguments"]["folder"]
    return result


def test_the_script_writes_all_that_it_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "two"):
        command = words(TINY, by=("ppo", "ismcts:20", "bot"), frozen=("random",), folder=str(tmp_path / name))
        assert script.main(command) == 0
    told = capsys.readouterr().out
    assert "(chosen)" in told and "first places (1/n = 0.500)" in told
    result = result_in(tmp_path / "one")
    assert result == result_in(tmp_path / "two")
    exploiter = result["exploiter"]
    assert exploiter["name"] in {"ismcts:20", "bot", "ppo@64", "ppo@128"} and len(result["candidates"]) == 4
    assert exploiter["gain"]["low"] <= exploiter["gain"]["mean"] <= exploiter["gain"]["high"]
    assert len(exploiter["gain_by_seat"]) == 2 and result["equal_share"] == 0.5
    assert result["cost"]["train"]["moves"] == 128 and result["cost"]["select"]["simulations"] > 0
    assert result["options"]["max_moves"] == 9 and set(result["first_deal"]) == set(USES)
    assert set(result["digests"]) == {"random", "ismcts:20", "bot"}
    assert {"pepperenvs", "python", "numpy", "numba", "torch"} == set(result["versions"])
    assert result["training"]["hidden"] == 8 and result["arguments"]["report_deals"] == 3
    assert script.main(words(TINY, folder=str(tmp_path / "one"))) == 1
    assert "holds a result already" in capsys.readouterr().err


def test_a_trained_exploiter_is_kept(tmp_path: Path) -> None:
    assert script.main(words(TINY, folder=str(tmp_path))) == 0
    result = result_in(tmp_path)
    agent = make_agent(miniature.GAME, f"ppo:{tmp_path / EXPLOITER}")
    assert isinstance(agent, PolicyAgent)
    (measured,), _ = script.measure(TINY, [agent], [FROZEN[miniature.lowest]] * 2, "report")
    assert script.ends_of(measured.gain) == result["exploiter"]["gain"]


def test_every_game_can_be_exploited(game: str, tmp_path: Path) -> None:
    """By one iteration of training, and by the bot, which gains nothing over itself."""
    players = max(2, few(game))
    arguments = Arguments(game=game, players=players, select_deals=2, report_deals=2, moves=16, checkpoints=1,
                          training=("num_envs=4", "rollout=4", "hidden=8", "epochs=1"), threads=1)  # fmt: skip
    assert script.main(words(arguments, folder=str(tmp_path / "ppo"), by=("ppo", "bot"))) == 0
    result = result_in(tmp_path / "ppo")
    assert [one["name"] for one in result["candidates"]] == ["bot", "ppo@16"]
    assert result["candidates"][0]["gain"] == {"mean": 0.0, "low": 0.0, "high": 0.0}


def test_several_frozen_agents(tmp_path: Path) -> None:
    """The place of the first is taken: the one beside it stays."""
    arguments = replace(TINY, players=3, options=(), frozen=("random", "bot", "flat_mc:10"), by=("bot",))
    assert script.main(words(arguments, folder=str(tmp_path))) == 0
    result = result_in(tmp_path)
    assert len(result["exploiter"]["gain_by_seat"]) == 3 and result["training"] is None
    assert result["cost"]["report"]["frozen_simulations"] > 0 == result["cost"]["report"]["simulations"]
    assert not (tmp_path / EXPLOITER).exists()


@pytest.mark.parametrize(
    ("by", "frozen", "said"),
    [("bot", "random", "can be exploited by 0."), ("random", "bot", "No exploiter was found that surely gains")],
)
def test_what_is_concluded(by: str, frozen: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = words(SMALL, by=(by,), frozen=(frozen,), report_deals=100, folder=str(tmp_path))
    assert script.main(command) == 0
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changes", "reason"),
    [({"players": 1}, "nobody to exploit"), ({"frozen": ("bot", "bot", "bot")}, "for all seats or 2"),
     ({"frozen": ("nobody",)}, "there is no agent"), ({"by": ("nobody",)}, "there is no agent"),
     ({"by": ("bot", "bot")}, "none twice"), ({"frozen": ("ismcts:10",)}, "searches"),
     ({"players": 3, "frozen": ("bot", "bot", "random")}, "one agent in all other seats"),
     ({"report_deals": 1}, "at least 2"), ({"checkpoints": 0}, "at least 1"), ({"seed": -1}, "seed must be"),
     ({"seed": MAX_SEED + 1}, "seed must be"), ({"start": "none.safetensors"}, "no checkpoint"),
     ({"training": ("past_share=1",)}, "past_share cannot be set"), ({"training": ("speed=1",)}, "speed cannot be"),
     ({"training": ("moves=1",)}, "moves cannot be"), ({"training": ('hidden="x"',)}, "must be a number"),
     ({"training": ("hidden=0",)}, "hidden must be at least 1"), ({"options": ("kinds",)}, "OPTION=JSON")],
)  # fmt: skip
def test_what_cannot_be_done_is_refused_in_one_line(
    changes: dict[str, Any], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = replace(TINY, options=(), **changes) if "options" not in changes else replace(TINY, **changes)
    folder = tmp_path / "run"
    assert script.main(words(arguments, folder=str(folder))) == 1
    err = capsys.readouterr().err
    assert reason in err and err.count("\n") == 1 and not folder.exists()
