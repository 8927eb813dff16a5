"""Experiments: each runs, is resumed exactly, refuses what it cannot do, and learns what is known."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from rich.console import Console

from agents.match import play_match
from agents.policy import CheckpointError, Policy, PolicyAgent, read_checkpoint, write_checkpoint
from experiments import ppo_selfplay as ppo
from experiments.ppo_selfplay import CHECKPOINT, Arguments, Learner
from pepperenvs import registry

HEAT_GUESS = "heat_guess_v0"
ROOT = Path(__file__).resolve().parent.parent
PRESETS = sorted(ppo.PRESETS.glob("*.toml"))
BELOW_ONE = np.nextafter(1.0, 0.0)

TINY = Arguments(
    game=HEAT_GUESS, options=("kinds=3", "heats=3", "copies=1"), moves=256, num_envs=8, rollout=16, hidden=8, epochs=2,
    minibatch=48, past_share=0.5, past_every=1, past_kept=2, curve_points=2, curve_deals=1, report_deals=2, threads=1,
)  # fmt: skip

# A solved game: alone with two kinds of one card each and two numbers, a perfect player wastes one guess on average.
KNOWN_ANSWER = replace(
    TINY, players=1, options=("kinds=2", "heats=2", "copies=1"), moves=60_000, num_envs=64, rollout=16, hidden=32,
    learning_rate=3e-3, epochs=4, minibatch=256, past_share=0.0,
)  # fmt: skip

Run = Callable[..., tuple[int, str]]


@pytest.fixture(autouse=True)
def _checkout(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """In the checkout, where the presets' paths begin, and on one thread."""
    monkeypatch.chdir(ROOT)
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the experiment in this process: exit status, errors."""

    def command(*arguments: object) -> tuple[int, str]:
        status = ppo.main([str(argument) for argument in arguments])
        return status, capsys.readouterr().err

    return command


def words(arguments: Arguments, **changes: Any) -> list[str]:
    """The command line of arguments."""
    given = []
    for name, value in vars(replace(arguments, **changes)).items():
        if value != getattr(Arguments(), name) or name in changes:
            values = value if isinstance(value, tuple) else (value,)
            given += ["--" + name.replace("_", "-"), *map(str, values)]
    return given


def state_of(folder: Path) -> tuple[dict[str, bytes], dict[str, Any]]:
    """All that the checkpoint of a run holds, but for the folder's name."""
    tensors, facts = contents(folder / CHECKPOINT)
    del facts["arguments"]["folder"]
    return tensors, facts


def contents(path: Path) -> tuple[dict[str, bytes], dict[str, Any]]:
    tensors, facts = read_checkpoint(path)
    return {name: tensor.numpy().tobytes() for name, tensor in tensors.items()}, facts


# ----------------------------------------------------------------------------------------------------- runs


def test_one_iteration_of_every_game(game: str, tmp_path: Path, run: Run) -> None:
    small = [
        "--opponents",
        "random",
        "bot",
        "--rollout",
        8,
        "--num-envs",
        6,
        "--hidden",
        8,
        "--curve-deals",
        1,
        "--report-deals",
        1,
        "--threads",
        1,
    ]
    assert run("--game", game, "--moves", 48, *small, "--folder", tmp_path) == (0, "")
    (point,) = csv.DictReader((tmp_path / "curve.csv").read_text().splitlines())
    assert point["moves"] == "48" and 0 <= float(point["random"]) <= 1 and 0 <= float(point["bot"]) <= 1
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    report = (tmp_path / "report.md").read_text()
    assert f"{game} after 48 moves" in report and "× random |" in report and "× bot |" in report
    assert json.loads((tmp_path / "arguments.json").read_text())["game"] == game
    assert {"pepperenvs", "python", "numpy", "torch"} <= set(json.loads((tmp_path / "versions.json").read_text()))
    assert [*tmp_path.glob("events.*")]
    PolicyAgent.read(game, tmp_path / CHECKPOINT)


def test_a_game_for_one(tmp_path: Path, run: Run) -> None:
    assert run(*words(TINY, players=1, folder=tmp_path)) == (0, "")
    assert "| nobody |" in (tmp_path / "report.md").read_text()


def test_a_folder_holds_one_run(tmp_path: Path, run: Run) -> None:
    assert run(*words(TINY, folder=tmp_path)) == (0, "")
    before = contents(tmp_path / CHECKPOINT)
    status, error = run(*words(TINY, folder=tmp_path))
    assert status == 1 and "holds a run already" in error
    assert run("--resume", tmp_path) == (0, "")  # complete: reports once more
    assert contents(tmp_path / CHECKPOINT) == before


# --------------------------------------------------------------------------------------------------- resume


def iterated(learner: Learner, iterations: int) -> Learner:
    for _ in range(iterations):
        ppo.iterate(learner)
    return learner


@pytest.mark.parametrize("former, later", [(1, 2), (3, 1), (0, 2)])
def test_saving_and_loading_changes_nothing(tmp_path: Path, former: int, later: int) -> None:
    """After k + m iterations all bytes are the same, with a pause after k or without; past selves and bots play."""
    arguments = replace(TINY, players=3, bot_share=0.25, moves=10_000)
    whole = iterated(ppo.new_learner(arguments), former + later)
    assert former + later < 3 or (whole.rivals > 0).any()
    ppo.save(whole, tmp_path / "whole")
    ppo.save(iterated(ppo.new_learner(arguments), former), tmp_path / "part")
    resumed = ppo.load(tmp_path / "part")
    assert resumed.iteration == former and resumed.arguments == arguments
    ppo.save(resumed, tmp_path / "again")
    assert contents(tmp_path / "again") == contents(tmp_path / "part")
    ppo.save(iterated(resumed, later), tmp_path / "resumed")
    assert contents(tmp_path / "resumed") == contents(tmp_path / "whole")


def test_every_game_resumes(game: str, tmp_path: Path) -> None:
    arguments = replace(TINY, game=game, options=())
    learner = iterated(ppo.new_learner(arguments), 1)
    ppo.save(learner, tmp_path / "first")
    for name, one in (("whole", learner), ("resumed", ppo.load(tmp_path / "first"))):
        ppo.save(iterated(one, 1), tmp_path / name)
    assert contents(tmp_path / "resumed") == contents(tmp_path / "whole")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_iteration_and_saves(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    assert run(*words(TINY, folder=tmp_path / "whole")) == (0, "")
    iterate = ppo.iterate

    def interrupted(learner: Learner) -> dict[str, float]:
        if learner.iteration == 0:
            signal.raise_signal(number)
        return iterate(learner)

    before = signal.getsignal(number)
    with monkeypatch.context() as patch:
        patch.setattr(ppo, "iterate", interrupted)
        assert run(*words(TINY, folder=tmp_path / "stopped")) == (130, "")
    assert signal.getsignal(number) == before
    assert ppo.load(tmp_path / "stopped" / CHECKPOINT).iteration == 1
    assert run("--resume", tmp_path / "stopped") == (0, "")
    assert state_of(tmp_path / "stopped") == state_of(tmp_path / "whole")
    for name in ("curve.csv", "report.md"):
        assert (tmp_path / "stopped" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_resumed_run_keeps_its_own_number_of_threads(tmp_path: Path, run: Run) -> None:
    """The network's floats depend on it."""
    ppo.save(ppo.new_learner(TINY), tmp_path / CHECKPOINT)
    torch.set_num_threads(2)
    assert run("--resume", tmp_path, "--threads", 2) == (0, "")
    assert torch.get_num_threads() == 1


@pytest.mark.parametrize("lost", ["640,0.5,0.5\n", "640,0.", "320,0.5,0.5\n640,0.5"])
def test_points_after_the_checkpoint_are_measured_again(tmp_path: Path, lost: str) -> None:
    """A run that was killed may have written more of its curve than it saved."""
    learner, curve = iterated(ppo.new_learner(TINY), 2), tmp_path / "curve.csv"
    ppo.save(learner, tmp_path / CHECKPOINT)
    ppo.curve_point(learner, tmp_path)
    before = curve.read_bytes()
    curve.write_bytes(before + lost.encode())
    resumed, folder = ppo.begin(Arguments(resume=str(tmp_path)), Console(quiet=True))
    assert resumed.moves == 256 and folder == tmp_path and curve.read_bytes() == before


def test_a_run_killed_at_its_first_point_is_resumed(tmp_path: Path, run: Run) -> None:
    ppo.save(ppo.new_learner(TINY), tmp_path / CHECKPOINT)
    (tmp_path / "curve.csv").touch()
    assert run("--resume", tmp_path) == (0, "")
    assert (tmp_path / "curve.csv").read_text().startswith("moves,random,bot\n128,")


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", "-m", "experiments.ppo_selfplay", *arguments]
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                            text=True)  # fmt: skip


@pytest.mark.slow
def test_an_interrupted_process_is_resumed_by_another(tmp_path: Path, run: Run) -> None:
    """The same weights, games and curve as those of a run that nobody interrupted."""
    arguments = replace(TINY, moves=120 * 128, curve_points=30)
    child = start(*words(arguments, folder=tmp_path / "stopped"))
    deadline = time.monotonic() + 300
    while not (tmp_path / "stopped" / CHECKPOINT).exists() and child.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=300)[1] == "" and child.returncode == 130
    assert 0 < ppo.load(tmp_path / "stopped" / CHECKPOINT).iteration < 120
    child = start("--resume", str(tmp_path / "stopped"))
    assert run(*words(arguments, folder=tmp_path / "whole")) == (0, "")
    assert child.communicate(timeout=600)[1] == "" and child.returncode == 0
    assert state_of(tmp_path / "stopped") == state_of(tmp_path / "whole")
    assert (tmp_path / "stopped" / "curve.csv").read_text() == (tmp_path / "whole" / "curve.csv").read_text()


# ------------------------------------------------------------------------------------------------- refusals


def one_line(error: str) -> str:
    assert error.startswith("ppo_selfplay: ") and error.count("\n") == 1
    return error


def test_a_damaged_checkpoint_is_one_line(tmp_path: Path, run: Run) -> None:
    path = tmp_path / CHECKPOINT
    status, error = run("--resume", tmp_path)
    assert status == 1 and str(path) in one_line(error)
    ppo.save(ppo.new_learner(TINY), path)
    data = path.read_bytes()
    for place in (4, 40, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        status, error = run("--resume", tmp_path)
        assert status == 1 and str(path) in one_line(error)
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize(
    ("name", "value"),
    [("game", "nothing_v0"), ("version", "0.0.0"), ("arguments", {"no_such": 1}),
     ("arguments", {"game": HEAT_GUESS, "seed": -1}), ("random", {}), ("observation", "0"),
     ("iteration", None)],
)  # fmt: skip
def test_a_checkpoint_of_another_kind_is_refused(tmp_path: Path, name: str, value: Any) -> None:
    path = tmp_path / CHECKPOINT
    ppo.save(ppo.new_learner(TINY), path)
    tensors, facts = read_checkpoint(path)
    whole = {key: fact for key, fact in {**facts, name: value}.items() if fact is not None}
    write_checkpoint(path, tensors, whole)
    with pytest.raises(CheckpointError) as caught:
        ppo.load(path)
    assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.parametrize("prefix", ["policy.", "batch", "rivals"])
def test_a_checkpoint_that_lacks_something_is_refused(tmp_path: Path, prefix: str) -> None:
    path = tmp_path / CHECKPOINT
    ppo.save(iterated(ppo.new_learner(TINY), 1), path)
    tensors, facts = read_checkpoint(path)
    write_checkpoint(path, {name: one for name, one in tensors.items() if not name.startswith(prefix)}, facts)
    with pytest.raises(CheckpointError):
        ppo.load(path)


@pytest.mark.parametrize(
    "bad",
    ["--game nothing_v0", "--game heat_guess", "--players 7", "--players 0", "--options kinds", "--options kinds=",
     "--options kinds=99", "--options chillies=3", "--options kinds=[/]", "--opponents nobody",
     "--opponents ppo:nowhere",
     "--opponents priority:agents/shed_only.toml", "--opponents bot bot", "--counts sauces", "--moves 0",
     "--rollout 0", "--num-envs -1", "--minibatch 0", "--past-every 0", "--curve-points 0", "--threads 0",
     "--past-share 1.5", "--bot-share 0.8", "--seed -1", "--resume nowhere"],
)  # fmt: skip
def test_bad_arguments_are_one_line(tmp_path: Path, run: Run, bad: str) -> None:
    """They are refused before anything is played or written."""
    folder = tmp_path / "run"
    game = [] if "--game" in bad else ["--game", HEAT_GUESS]
    status, error = run(*game, "--hidden", 8, *bad.split(), "--folder", folder)
    assert status == 1 and one_line(error)
    assert not folder.exists()


@pytest.mark.parametrize("bad", ["--nothing 3", "--moves many", "--seed 1.5", "extra"])
def test_unknown_arguments_are_refused_by_the_parser(run: Run, bad: str) -> None:
    with pytest.raises(SystemExit) as caught:
        run("--game", HEAT_GUESS, *bad.split())
    assert caught.value.code == 2


# -------------------------------------------------------------------------------------------------- presets


@pytest.mark.parametrize("path", PRESETS, ids=[path.stem for path in PRESETS])
def test_presets_are_sound(path: Path) -> None:
    (game,) = [game for game in registry.games() if registry.spec(game).name == path.stem]
    arguments = ppo.with_preset(Arguments(game=game))
    assert arguments != Arguments(game=game)
    for one in fields(Arguments):
        value, default = getattr(arguments, one.name), getattr(Arguments(), one.name)
        assert default is None or isinstance(value, (type(default), int)), one.name
    ppo.check(arguments)
    assert ppo.parse(["--game", game]) == ppo.parse([f"--game={game}"]) == arguments
    assert ppo.parse(["--game", game, "--moves", "7"]) == replace(arguments, moves=7)


def test_a_preset_with_an_unknown_argument_is_refused(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "heat_guess.toml").write_text("moves = 3\npeppers = 4\n")
    monkeypatch.setattr(ppo, "PRESETS", tmp_path)
    assert run("--game", HEAT_GUESS) == (1, "ppo_selfplay: heat_guess.toml: there are no arguments peppers\n")


# --------------------------------------------------------------------------------------------------- pieces


def gae(
    arguments: Arguments, value: list[float], ends: list[bool], reward: list[float], last: float, own: list[bool]
) -> list[float]:
    """Advantages of one seat of one game, forwards and by the definition.

    own            which of the moves of all are its own decisions
    ends, reward   after which moves the game is over, and what it pays then
    """
    advantage = [0.0] * len(value)
    for move in range(len(value)):
        if not own[move]:
            continue
        factor, t = 1.0, move
        while t < len(value):
            following = t
            while following < len(value) and not ends[following] and not (following > t and own[following]):
                following += 1
            is_over = following < len(value) and ends[following] and not (following > t and own[following])
            after = last if following == len(value) else reward[following] if is_over else value[following]
            advantage[move] += factor * (arguments.discount * after - value[t])
            if is_over or following == len(value):
                break
            factor, t = factor * arguments.discount * arguments.gae_lambda, following
    return advantage


@pytest.mark.parametrize(("discount", "gae_lambda"), [(1.0, 0.95), (0.9, 0.7), (1.0, 1.0), (0.8, 0.0)])
def test_advantages_are_those_of_each_seat_by_itself(discount: float, gae_lambda: float) -> None:
    arguments = Arguments(discount=discount, gae_lambda=gae_lambda)
    random = np.random.default_rng(4)
    moves, games, seats = 40, 12, 3
    seat = random.integers(0, seats, (moves, games))
    own, ends = random.random((moves, games)) < 0.8, random.random((moves, games)) < 0.1
    value = np.where(own, random.normal(size=(moves, games)), 0).astype(np.float32)
    reward = random.normal(size=(moves, games, seats)).astype(np.float32)  # counts only where a game ends
    last = random.normal(size=(games, seats)).astype(np.float32)
    found = ppo.advantages(arguments, seat, value, own, ends, reward, last)
    expected = np.zeros((moves, games))
    for game in range(games):
        for one in range(seats):
            mine = own[:, game] & (seat[:, game] == one)
            columns = (value[:, game], ends[:, game], reward[:, game, one])
            expected[:, game] += gae(arguments, *(c.tolist() for c in columns), float(last[game, one]), mine.tolist())
    assert not found[~own].any()
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("score_weight", [0.0, 0.05])
@pytest.mark.parametrize("players", [2, 4])
def test_rewards_sum_to_zero(players: int, score_weight: float) -> None:
    arguments = replace(TINY, players=players, num_envs=32, score_weight=score_weight)
    learner, finished = ppo.new_learner(arguments), 0
    while finished < 50:
        learner.batch.step(learner.batch.sample_actions())
        ended = learner.batch.finished
        finished += ended.sum()
        reward, score = ppo.rewards(learner)[ended, :players], learner.batch.final_score[ended, :players]
        np.testing.assert_allclose(reward.sum(axis=1), 0, atol=1e-5)
        margin = score - (score.sum(axis=1, keepdims=True) - score) / (players - 1)
        np.testing.assert_allclose(
            reward, learner.batch.final_utility[ended, :players] + score_weight * margin, atol=1e-5
        )


def test_a_reward_alone_is_the_utility() -> None:
    learner = ppo.new_learner(replace(TINY, players=1, score_weight=0.5))
    while not learner.batch.finished.any():
        learner.batch.step(learner.batch.sample_actions())
    assert np.array_equal(ppo.rewards(learner), learner.batch.final_utility.astype(np.float32))


@pytest.mark.parametrize("spread", [0.01, 1.0, 100.0])
def test_draws_are_legal_whatever_the_random_numbers(game: str, spread: float) -> None:
    """At 0 and just below 1, and where nearly all the probability lies on one action."""
    torch.manual_seed(1)
    policy = Policy(game, 8)
    with torch.no_grad():
        policy.logits.weight.normal_(std=spread)
    learner = ppo.new_learner(replace(TINY, game=game, options=(), num_envs=64))
    batch, rows = learner.batch, np.arange(64)
    for number in (0.0, BELOW_ONE, 0.5, 5e-324, 1 - 1e-7, None):
        numbers = np.random.default_rng(2)
        drawn = (lambda shape, n=number: np.full(shape, n)) if number is not None else numbers.random
        learner.random = SimpleNamespace(random=drawn)
        for _ in range(5):
            action, log_prob, value = ppo.draw(learner, policy, np.ones(64, bool))
            assert batch.action_mask[rows, action].all()
            assert np.isfinite(log_prob).all() and (log_prob <= 0).all() and np.isfinite(value).all()
            batch.step(action)


def test_draws_follow_the_distribution() -> None:
    learner = ppo.new_learner(replace(TINY, num_envs=20_000))
    learner.batch.observation[:] = learner.batch.observation[0]
    with torch.no_grad():
        learner.policy.logits.weight.normal_()
        _, logits, _ = learner.policy(
            *(torch.from_numpy(a) for a in (learner.batch.observation, learner.batch.action_mask))
        )
    action, log_prob, _ = ppo.draw(learner, learner.policy, np.ones(20_000, bool))
    probability = logits[0].softmax(dim=0).numpy()
    np.testing.assert_allclose(np.exp(log_prob), probability[action], rtol=1e-4)
    np.testing.assert_allclose(np.bincount(action, minlength=3) / 20_000, probability, atol=0.015)


def test_learning_starts_from_the_probabilities_that_were_played() -> None:
    """In the first minibatch no ratio differs from 1, and no rival's move is learned from."""
    learner = iterated(ppo.new_learner(replace(TINY, players=2, moves=10_000)), 3)
    assert (learner.rivals > 0).any()
    rollout = ppo.play(learner)
    assert 0 < len(rollout.action) < TINY.num_envs * TINY.rollout
    _, figures = ppo.ppo_loss(learner.arguments, learner.policy, rollout, torch.arange(len(rollout.action)))
    assert figures["clipped"] == 0
    assert figures["policy_loss"] == pytest.approx(-float(rollout.advantage.mean()), abs=1e-5)


# ------------------------------------------------------------------------------------------- known answers


@pytest.mark.slow
def test_ppo_solves_the_smallest_game() -> None:
    """Two cards, two numbers: half of all guesses at an unknown number are wasted, so the best mean is 0.0."""
    learner = ppo.new_learner(KNOWN_ANSWER)
    iterated(learner, learner.num_iterations)
    match = play_match(HEAT_GUESS, [PolicyAgent(learner.policy)], 10_000, seed=10**6, kinds=2, heats=2, copies=1)
    wasted = match.length - match.score.sum(axis=2)  # every guess that is right scores a point
    result = np.maximum(-1.0, 1.0 - 2.0 * wasted / 2)  # ruling R3: with two wasted all is lost, even the wish to end
    assert abs(result.mean()) <= 0.05


def test_threads_of_pytorch_are_told_not_to_spin() -> None:
    """Before it is loaded: beside busy processes training is twenty times slower otherwise."""
    environment = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"}
    code = "import sys, experiments, os; print('torch' in sys.modules, os.environ['OMP_WAIT_POLICY'])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.stdout == "False PASSIVE\n", done.stderr
