"""Self-play with PPO: one network plays all seats of many games in lock step and learns from every seat's own moves.

    python -m experiments.ppo_selfplay                                   # Pick-a-Pepper, the preset
    python -m experiments.ppo_selfplay --game heat_guess_v0 --moves 500000
    python -m experiments.ppo_selfplay --resume runs/pick_a_pepper_v0-…  # goes on where it was stopped

In some games the other seats are played by past selves, which change only between games. A run's folder holds its
arguments, the versions it ran with, the learning curve, TensorBoard logs, the checkpoint and the report. Stopped by
Ctrl-C or a TERM signal it finishes the iteration and saves; resumed, it continues byte for byte as if never stopped.
"""

from __future__ import annotations

import csv
import json
import platform
import signal
import sys
import time
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import tyro
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from torch import Tensor, nn

from agents.base import Agent, make_agent
from agents.match import Match, play_match
from agents.policy import (
    CheckpointError,
    Policy,
    PolicyAgent,
    check_game,
    game_facts,
    read_checkpoint,
    write_checkpoint,
)
from experiments.options import game_options
from pepperenvs import __version__, make_batch, registry

PRESETS = Path(__file__).parent / "presets" / "ppo_selfplay"
CHECKPOINT = "checkpoint.safetensors"


@dataclass(frozen=True)
class Arguments:
    """What a run is made of. A game's preset (experiments/presets/ppo_selfplay) sets what differs from these values."""

    game: str = "pick_a_pepper_v0"
    players: int | None = None
    """seats of every game; by default the game's own default"""
    options: tuple[str, ...] = ()
    """options of the game, OPTION=JSON"""
    train_options: tuple[str, ...] = ()
    """options that hold in training only, as a lower limit of rounds; curve and report play the game without them"""
    seed: int = 0
    moves: int = 3_000_000
    """length of the training, in moves of all seats"""
    num_envs: int = 256
    rollout: int = 64
    """moves a game plays in one iteration"""
    hidden: int = 128
    learning_rate: float = 1e-3
    """falls to zero over the training"""
    epochs: int = 3
    minibatch: int = 2048
    discount: float = 1.0
    """per own decision of a seat"""
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    value_weight: float = 0.5
    max_grad_norm: float = 0.5
    score_weight: float = 0.0
    """what a point more than the others' mean adds to the utility that is learned from"""
    past_share: float = 0.25
    """share of the games in which past selves play all seats but one"""
    bot_share: float = 0.0
    """share of the games in which the game's bot plays all seats but one"""
    past_every: int = 10
    """iterations from one past self to the next"""
    past_kept: int = 4
    """the latest past selves, among which a new game's opponent is drawn"""
    opponents: tuple[str, ...] = ("random", "bot")
    """whom the report plays against, as agents.base.make_agent names them"""
    counts: tuple[str, ...] = ()
    """segments of the own final observation whose sum the report states"""
    curve_points: int = 10
    curve_deals: int = 100
    report_deals: int = 1000
    folder: str = ""
    """of the run; by default runs/GAME-DATE-TIME"""
    resume: str = ""
    """folder of a run that is to go on; all other arguments are then that run's own"""
    threads: int = 2


NO_RIVAL, BOT = -1, -2  # who plays the other seats of a game, besides the past selves: the learner, the bot


# ------------------------------------------------------------------------------------------------- learner


@dataclass
class Learner:
    """All that a training changes: what a checkpoint holds."""

    arguments: Arguments
    policy: Policy
    optimiser: torch.optim.Adam
    batch: Any  # pepperenvs.drivers.batch.Batch
    random: np.random.Generator
    iteration: int = 0
    past: dict[int, Policy] = field(default_factory=dict)  # by the iteration after which it was kept
    rivals: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))  # by game: key of `past`, or these

    @property
    def moves(self) -> int:
        return self.iteration * self.arguments.num_envs * self.arguments.rollout

    @property
    def num_iterations(self) -> int:
        return -(-self.arguments.moves // (self.arguments.num_envs * self.arguments.rollout))


def new_learner(arguments: Arguments) -> Learner:
    """A learner at the start of its training; everything in it follows from the arguments."""
    torch.set_num_threads(arguments.threads)  # the network's floats depend on it
    torch.manual_seed(arguments.seed)
    policy = Policy(arguments.game, arguments.hidden)
    optimiser = torch.optim.Adam(policy.parameters(), lr=arguments.learning_rate, eps=1e-5)
    batch = make_batch(arguments.game, arguments.num_envs, num_players=arguments.players, seed=arguments.seed,
                       **game_options(arguments.options + arguments.train_options))  # fmt: skip
    learner = Learner(arguments, policy, optimiser, batch, np.random.default_rng(arguments.seed))
    learner.rivals = np.full(arguments.num_envs, NO_RIVAL, np.int64)
    draw_rivals(learner, np.ones(arguments.num_envs, bool))
    return learner


def iterate(learner: Learner) -> dict[str, float]:
    """One iteration: play, learn, keep a past self now and then. Returns figures for the log."""
    rollout = play(learner)
    figures = learn(learner, rollout)
    learner.iteration += 1
    if learner.iteration % learner.arguments.past_every == 0:
        keep_past_self(learner)
    return {**rollout.figures, **figures}


# ---------------------------------------------------------------------------------------------------- play


@dataclass
class Rollout:
    """The decisions of one iteration that are learned from, one row each."""

    observation: Tensor  # int16 [rows, cells]
    mask: Tensor  # int8 [rows, actions]
    action: Tensor  # int64 [rows]
    log_prob: Tensor  # float32 [rows], when it was played
    advantage: Tensor  # float32 [rows]
    target: Tensor  # float32 [rows], for the value
    figures: dict[str, float]


def play(learner: Learner) -> Rollout:
    """Play `rollout` moves in every game and find the advantage of each decision that was the learner's own."""
    arguments, batch = learner.arguments, learner.batch
    shape = (arguments.rollout, arguments.num_envs)
    observation = np.empty((*shape, batch.observation.shape[1]), np.int16)
    mask = np.empty((*shape, batch.action_mask.shape[1]), np.int8)
    action, seat = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    log_prob, value = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    own, finished = np.zeros(shape, bool), np.zeros(shape, bool)
    reward = np.zeros((*shape, batch.spec.max_seats), np.float32)
    lengths, truncated = [], []
    for t in range(arguments.rollout):
        observation[t], mask[t], seat[t] = batch.observation, batch.action_mask, batch.seat
        own[t] = is_own(learner)
        choose(learner, own[t], action[t], log_prob[t], value[t])
        batch.step(action[t])
        finished[t] = batch.finished
        if finished[t].any():
            reward[t] = rewards(learner)
            lengths.extend(batch.final_length[finished[t]])
            truncated.extend(batch.truncated[finished[t]])
            draw_rivals(learner, finished[t])
    advantage = advantages(arguments, seat, value, own, finished, reward, bootstrap(learner))
    rows = own.reshape(-1)
    chosen = [array.reshape(rows.size, -1)[rows] for array in (observation, mask)]
    flat = [array.reshape(-1)[rows] for array in (action, log_prob, advantage, advantage + value)]
    figures = {"length": float(np.mean(lengths or [0])), "truncated": float(np.mean(truncated or [0]))}
    return Rollout(*(torch.from_numpy(array) for array in (*chosen, *flat)), figures)


def is_own(learner: Learner) -> NDArray[np.bool_]:
    """In which games the seat to move is the learner's: every seat, or one where a rival plays the others."""
    own_seat = np.arange(learner.arguments.num_envs) % learner.batch.num_players
    return (learner.rivals == NO_RIVAL) | (learner.batch.seat == own_seat)


def choose(learner: Learner, own: NDArray[np.bool_], action: NDArray[np.int64], log_prob: NDArray[np.float32],
           value: NDArray[np.float32]) -> None:  # fmt: skip
    """Draw an action for every game from the learner's policy or the rival's; write what learning needs of them."""
    batch = learner.batch
    if own.any():
        action[own], log_prob[own], value[own] = draw(learner, learner.policy, own)
    for key in np.unique(learner.rivals[~own]):
        rows = ~own & (learner.rivals == key)
        if key == BOT:
            batch.bot_actions(rows, out=action)
        else:
            action[rows], _, _ = draw(learner, learner.past[key], rows)
    assert batch.action_mask[np.arange(len(action)), action].all()


@torch.no_grad()
def draw(learner: Learner, policy: Policy, rows: NDArray[np.bool_]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Actions drawn from a policy in some games, their log-probabilities, and the values."""
    mask = learner.batch.action_mask[rows]
    columns, logits, value = policy(torch.from_numpy(learner.batch.observation[rows]), torch.from_numpy(mask))
    log_probs = logits.log_softmax(dim=1).numpy()
    cumulated = np.exp(log_probs).cumsum(axis=1)
    threshold = learner.random.random((len(mask), 1)) * cumulated[:, -1:]  # float64, so below the float32 total
    place = (cumulated > threshold).argmax(axis=1)
    return columns.numpy()[place], log_probs[np.arange(len(place)), place], value.numpy()


def rewards(learner: Learner) -> NDArray[np.float32]:
    """What each seat gets in the games that have just ended, float32 [games, seats]."""
    batch, weight = learner.batch, learner.arguments.score_weight
    players = batch.num_players
    if weight == 0 or players == 1:
        return batch.final_utility.astype(np.float32)
    score = batch.final_score.astype(np.float32)
    margin = (score * players - score.sum(axis=1, keepdims=True)) / (players - 1)
    return (batch.final_utility + weight * margin).astype(np.float32)


def draw_rivals(learner: Learner, finished: NDArray[np.bool_]) -> None:
    """Decide who plays in the games that have just begun: the first ones of the batch are those with the bot, the next
    those with past selves, as soon as there is one."""
    arguments = learner.arguments
    bots = int(arguments.bot_share * arguments.num_envs)
    learner.rivals[:bots] = BOT
    if learner.past:
        keys = sorted(learner.past)[-arguments.past_kept :]
        places = bots + np.flatnonzero(finished[bots : bots + int(arguments.past_share * arguments.num_envs)])
        learner.rivals[places] = learner.random.choice(keys, len(places))


def keep_past_self(learner: Learner) -> None:
    """Freeze a copy of the policy, and let go of copies that play no game and will play none."""
    kept = Policy(learner.arguments.game, learner.arguments.hidden)
    kept.load_state_dict(learner.policy.state_dict())
    learner.past[learner.iteration] = kept
    in_use = {*learner.rivals.tolist(), *sorted(learner.past)[-learner.arguments.past_kept :]}
    learner.past = {key: policy for key, policy in learner.past.items() if key in in_use}


@torch.no_grad()
def bootstrap(learner: Learner) -> NDArray[np.float32]:
    """The value of the position for every seat of every game, float32 [games, seats]."""
    observation = learner.batch.observe_seats()
    flat = torch.from_numpy(observation.reshape(-1, observation.shape[2]))
    values: NDArray[np.float32] = learner.policy.values(flat).numpy()
    return values.reshape(observation.shape[:2])


def advantages(arguments: Arguments, seat: NDArray[np.int64], value: NDArray[np.float32], own: NDArray[np.bool_],
               finished: NDArray[np.bool_], reward: NDArray[np.float32], last: NDArray[np.float32],
               ) -> NDArray[np.float32]:  # fmt: skip
    """Generalised advantage estimation along each seat's own decisions, float32 [moves, games].

    seat, value, own, finished    [moves, games]
    reward                        [moves, games, seats], paid where a game finishes, to every seat
    last                          [games, seats], values after the last move

    Source: Schulman et al., *High-Dimensional Continuous Control Using Generalized Advantage Estimation* (2016). The
    next state of a decision is the same seat's next decision, however many moves others make between.
    """
    games = np.arange(seat.shape[1])
    following, carried = last.copy(), np.zeros_like(last)
    advantage = np.zeros_like(value)
    for t in reversed(range(len(seat))):
        following[finished[t]] = reward[t, finished[t]]
        carried[finished[t]] = 0.0
        here = own[t]
        mover = seat[t, here], games[here]
        delta = arguments.discount * following[mover[1], mover[0]] - value[t, here]
        advantage[t, here] = delta + arguments.discount * arguments.gae_lambda * carried[mover[1], mover[0]]
        carried[mover[1], mover[0]] = advantage[t, here]
        following[mover[1], mover[0]] = value[t, here]
    return advantage


# --------------------------------------------------------------------------------------------------- learn


def learn(learner: Learner, rollout: Rollout) -> dict[str, float]:
    """PPO's clipped update over the rollout, some epochs of minibatches."""
    arguments = learner.arguments
    rate = arguments.learning_rate * (1.0 - learner.iteration / learner.num_iterations)
    learner.optimiser.param_groups[0]["lr"] = rate
    rollout.advantage = (rollout.advantage - rollout.advantage.mean()) / (rollout.advantage.std() + 1e-8)
    totals: dict[str, list[float]] = {"policy_loss": [], "value_loss": [], "entropy": [], "clipped": []}
    for rows in minibatches(learner, len(rollout.action)):
        loss, figures = ppo_loss(arguments, learner.policy, rollout, rows)
        learner.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(learner.policy.parameters(), arguments.max_grad_norm)
        learner.optimiser.step()
        for name, figure in figures.items():
            totals[name].append(float(figure))
    return {name: float(np.mean(figures)) for name, figures in totals.items()}


def minibatches(learner: Learner, rows: int) -> Iterator[Tensor]:
    """Row numbers in a new order for each epoch."""
    for _ in range(learner.arguments.epochs):
        order = torch.from_numpy(learner.random.permutation(rows))
        yield from order.split(learner.arguments.minibatch)


def ppo_loss(arguments: Arguments, policy: Policy, rollout: Rollout, rows: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss of a minibatch, and its parts.

    Source: Schulman et al., *Proximal Policy Optimization Algorithms* (2017).
    """
    columns, logits, value = policy(rollout.observation[rows], rollout.mask[rows])
    log_probs = logits.log_softmax(dim=1)
    place = torch.searchsorted(columns, rollout.action[rows])
    log_prob = log_probs.gather(1, place[:, None]).squeeze(1)
    entropy = -(log_probs.exp() * log_probs).sum(dim=1).mean()
    ratio = (log_prob - rollout.log_prob[rows]).exp()
    advantage = rollout.advantage[rows]
    clipped = ratio.clamp(1.0 - arguments.clip, 1.0 + arguments.clip)
    policy_loss = -torch.minimum(ratio * advantage, clipped * advantage).mean()
    value_loss = (value - rollout.target[rows]).square().mean()
    loss = policy_loss + arguments.value_weight * value_loss - arguments.entropy * entropy
    figures = {"policy_loss": policy_loss, "value_loss": value_loss, "entropy": entropy,
               "clipped": ((ratio - 1.0).abs() > arguments.clip).float().mean()}  # fmt: skip
    return loss, {name: figure.detach() for name, figure in figures.items()}


# ------------------------------------------------------------------------------------------------ checkpoint


def save(learner: Learner, path: Path) -> None:
    """Write everything in the learner to one file."""
    tensors = {f"policy.{name}": tensor for name, tensor in learner.policy.state_dict().items()}
    for key, policy in learner.past.items():
        tensors |= {f"past.{key}.{name}": tensor for name, tensor in policy.state_dict().items()}
    for number, state in learner.optimiser.state_dict()["state"].items():
        tensors |= {f"optimiser.{number}.{name}": tensor for name, tensor in state.items()}
    tensors["batch"] = torch.frombuffer(bytearray(learner.batch.save()), dtype=torch.uint8)
    tensors["rivals"] = torch.from_numpy(learner.rivals.copy())
    facts = {
        **game_facts(learner.arguments.game),
        "hidden": learner.arguments.hidden,
        "version": __version__,
        "arguments": asdict(learner.arguments),
        "iteration": learner.iteration,
        "random": learner.random.bit_generator.state,
    }
    write_checkpoint(path, tensors, facts)


def load(path: Path) -> Learner:
    """The learner that `save` wrote. Raises CheckpointError if the file is damaged, or of another game or version."""
    tensors, facts = read_checkpoint(path)
    if facts.get("version") != __version__:
        raise CheckpointError(f"{path}: written by version {facts.get('version')}; this is {__version__}, and its "
                              "training may go another way (playing the policy works)")  # fmt: skip
    try:
        check_game(path, facts, facts["game"])
        return _restored(tensors, facts)
    except CheckpointError:
        raise
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise CheckpointError(f"{path}: it holds no training that can go on here ({error!r})") from error


def _restored(tensors: dict[str, Tensor], facts: dict[str, Any]) -> Learner:
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in facts["arguments"].items()}
    learner = new_learner(Arguments(**given))
    learner.iteration = facts["iteration"]
    learner.random.bit_generator.state = facts["random"]
    learner.rivals = tensors["rivals"].numpy().copy()
    learner.policy.load_state_dict(_part(tensors, "policy."))
    for key in sorted({int(name.split(".")[1]) for name in tensors if name.startswith("past.")}):
        learner.past[key] = Policy(learner.arguments.game, learner.arguments.hidden)
        learner.past[key].load_state_dict(_part(tensors, f"past.{key}."))
    _load_optimiser(learner, tensors)
    learner.batch.restore(tensors["batch"].numpy().tobytes())
    return learner


def _load_optimiser(learner: Learner, tensors: dict[str, Tensor]) -> None:
    whole = learner.optimiser.state_dict()
    numbers = sorted({int(name.split(".")[1]) for name in tensors if name.startswith("optimiser.")})
    whole["state"] = {number: _part(tensors, f"optimiser.{number}.") for number in numbers}
    learner.optimiser.load_state_dict(whole)


def _part(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}


# -------------------------------------------------------------------------------------------------- reports


def against(learner: Learner, opponent: str, deals: int) -> Match:
    """A match of the policy against copies of an opponent, one a seat; alone where the game has one player."""
    arguments = learner.arguments
    agents: list[Agent] = [PolicyAgent(learner.policy, "ppo")]
    if learner.batch.num_players > 1:
        agents += [make_agent(arguments.game, opponent)] * (learner.batch.num_players - 1)
    return play_match(arguments.game, agents, deals, seed=1_000_000 + arguments.seed, **game_options(arguments.options))


def curve_point(learner: Learner, folder: Path) -> dict[str, float]:
    """Measure the policy, append a line to the curve, and return it."""
    point: dict[str, float] = {"moves": learner.moves}
    for opponent in learner.arguments.opponents:
        match = against(learner, opponent, learner.arguments.curve_deals)
        point[f"{label(opponent)}"] = match.first_places(0).mean
        for name in learner.arguments.counts:
            point[f"{name} against {label(opponent)}"] = match.segment(0, name).mean
    path = folder / "curve.csv"
    is_new = not path.exists()
    with open(path, "a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(point), lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow(point)
    return point


def label(opponent: str) -> str:
    """A short name: that of the file without folder and ending, where the opponent has one."""
    kind, _, path = opponent.partition(":")
    return Path(path).stem if path else kind


def draw_curve(learner: Learner, folder: Path) -> None:
    """The learning curve as curve.png."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    with open(folder / "curve.csv", encoding="utf-8", newline="") as file:
        points = list(csv.DictReader(file))
    figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
    for opponent in learner.arguments.opponents:
        moves = [int(point["moves"]) / 1e6 for point in points]
        axes.plot(moves, [float(point[label(opponent)]) for point in points], marker="o", label=label(opponent))
    axes.axhline(1 / learner.batch.num_players, color="grey", linestyle=":", label="as good as the others")
    axes.set(xlabel="moves (millions)", ylabel="share of first places", ylim=(-0.02, 1.02),
             title=f"{learner.arguments.game}: the policy against copies of")  # fmt: skip
    axes.legend()
    figure.savefig(folder / "curve.png", dpi=120)
    plt.close(figure)


def report(learner: Learner, folder: Path, console: Console) -> None:
    """Play the final matches; print them and write report.md."""
    arguments = learner.arguments
    columns = ["against", "first places", "mean standing", "margin", "points", *(f"{name} a game" for name in
               arguments.counts), "ended by the rules", "moves a game"]  # fmt: skip
    rows = []
    for opponent in arguments.opponents if learner.batch.num_players > 1 else arguments.opponents[:1]:
        match = against(learner, opponent, arguments.report_deals)
        figures = [match.first_places(0), match.mean_standing(0), match.margin(0), match.points(0)]
        figures += [match.segment(0, name) for name in arguments.counts]
        others = f"{learner.batch.num_players - 1} × {match.names[-1]}" if learner.batch.num_players > 1 else "nobody"
        rows.append([others, *map(str, figures), str(match.ended_by_rules), f"{match.length.mean():.0f}"])
    title = (f"{arguments.game} after {learner.moves:,} moves: {arguments.report_deals:,} deals × "
             f"{learner.batch.num_players} rotations, mean ± 95 % interval")  # fmt: skip
    table = Table(*columns, title=title)
    for row in rows:
        table.add_row(*row)
    console.print(table)
    equal = 1 / learner.batch.num_players
    lines = [f"# {title}", "", f"As good as the others would be {equal:.3f} of first places.", "",
             "| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns),
             *("| " + " | ".join(row) + " |" for row in rows), "", "![learning curve](curve.png)", ""]  # fmt: skip
    (folder / "report.md").write_text("\n".join(lines), encoding="utf-8")


# ------------------------------------------------------------------------------------------------------- run


def train(learner: Learner, folder: Path, console: Console) -> bool:
    """Iterate to the end or to a signal, save on the way; returns whether the training is complete."""
    from torch.utils.tensorboard import SummaryWriter

    arguments = learner.arguments
    every = max(1, learner.num_iterations // arguments.curve_points)
    with Interruption() as interruption, SummaryWriter(str(folder)) as writer, _progress(console) as bar:
        task = bar.add_task("moves", total=learner.num_iterations, completed=learner.iteration, note="")
        while learner.iteration < learner.num_iterations and not interruption.came:
            began = time.perf_counter()
            figures = iterate(learner)
            figures["moves_per_second"] = arguments.num_envs * arguments.rollout / (time.perf_counter() - began)
            if learner.iteration % every == 0 or learner.iteration == learner.num_iterations:
                point = curve_point(learner, folder)
                figures |= {f"first places/{name}": value for name, value in point.items() if name != "moves"}
                shown = "  ".join(f"{name} {value:.3g}" for name, value in point.items() if name != "moves")
                console.print(f"{learner.moves:>10,} moves  first places against {shown}", highlight=False)
                save(learner, folder / CHECKPOINT)
            for name, figure in figures.items():
                writer.add_scalar(name, figure, learner.moves)
            note = f"{figures['moves_per_second']:,.0f} moves/s, {figures['length']:.0f} a game"
            bar.update(task, completed=learner.iteration, note=note)
    save(learner, folder / CHECKPOINT)
    return learner.iteration >= learner.num_iterations


def _progress(console: Console) -> Progress:
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("iterations, {task.fields[note]}"), TimeRemainingColumn())
    return Progress(*columns, console=console)


class Interruption:
    """Notes INT and TERM signals instead of stopping in the middle of an iteration; a second one stops at once."""

    def __enter__(self) -> Interruption:
        self.came = False
        self._former = {number: signal.signal(number, self._note) for number in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._former.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: object) -> None:
        if self.came:
            raise KeyboardInterrupt
        self.came = True


def begin(arguments: Arguments, console: Console) -> tuple[Learner, Path]:
    """The learner of a new run or of one that is resumed, and its folder."""
    if arguments.resume:
        folder = Path(arguments.resume)
        learner = load(folder / CHECKPOINT)
        _cut_curve(folder / "curve.csv", learner.moves)
        console.print(f"Resuming {folder} after {learner.moves:,} moves")
        return learner, folder
    name = f"{arguments.game}-{time.strftime('%Y%m%d-%H%M%S')}"
    folder = Path(arguments.folder or f"runs/{name}")
    if (folder / CHECKPOINT).exists():
        raise ValueError(f"{folder} holds a run already; go on with it by --resume {folder}")
    check(arguments)
    learner = new_learner(arguments)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "arguments.json").write_text(json.dumps(asdict(arguments), indent=2) + "\n", encoding="utf-8")
    versions = {"pepperenvs": __version__, "python": platform.python_version(), "numpy": np.__version__,
                "torch": torch.__version__}  # fmt: skip
    (folder / "versions.json").write_text(json.dumps(versions, indent=2) + "\n", encoding="utf-8")
    return learner, folder


def check(arguments: Arguments) -> None:
    """Raises ValueError for what would else fail in the middle of the training."""
    for name in ("moves", "num_envs", "rollout", "hidden", "epochs", "minibatch", "past_every", "past_kept",
                 "curve_points", "curve_deals", "report_deals", "threads"):  # fmt: skip
        if getattr(arguments, name) < 1:
            raise ValueError(f"{name} must be at least 1, not {getattr(arguments, name)}")
    if min(arguments.bot_share, arguments.past_share) < 0 or arguments.bot_share + arguments.past_share > 1:
        raise ValueError("bot_share and past_share must not be negative, and at most 1 together")
    for opponent in arguments.opponents:
        make_agent(arguments.game, opponent)
    if len({*map(label, arguments.opponents)}) < len(arguments.opponents):
        raise ValueError("two opponents bear the same name: " + ", ".join(map(label, arguments.opponents)))
    segments = [segment.name for segment in registry.spec(arguments.game).layout.segments]
    if unknown := set(arguments.counts) - set(segments):
        raise ValueError(f"counts: {', '.join(sorted(unknown))} is none of {', '.join(segments)}")


def _cut_curve(path: Path, moves: int) -> None:
    """Drop the points of a curve after the checkpoint: a run that was killed measures them again."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if not text:
        path.unlink(missing_ok=True)
    else:
        header, *lines = text.splitlines()
        kept = [line for line in lines if line.count(",") == header.count(",") and int(line.split(",")[0]) <= moves]
        path.write_text("\n".join([header, *kept]) + "\n", encoding="utf-8")


def parse(argv: list[str]) -> Arguments:
    """The command line over the game's preset. Raises ValueError for a preset with an unknown argument."""
    game = Arguments.game
    for place, word in enumerate(argv):
        if word == "--game" and place + 1 < len(argv):
            game = argv[place + 1]
        elif word.startswith("--game="):
            game = word.removeprefix("--game=")
    return tyro.cli(Arguments, args=argv, default=with_preset(Arguments(game=game)), description=__doc__)


def with_preset(arguments: Arguments) -> Arguments:
    """The arguments with what the game's preset says."""
    path = PRESETS / f"{arguments.game.rpartition('_v')[0]}.toml"
    if not path.exists():
        return arguments
    preset = tomllib.loads(path.read_text(encoding="utf-8"))
    if unknown := set(preset) - {one.name for one in fields(Arguments)}:
        raise ValueError(f"{path.name}: there are no arguments {', '.join(sorted(unknown))}")
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in preset.items()}
    return replace(arguments, **values)


def main(argv: list[str] | None = None) -> int:
    """Run the experiment; returns the exit status."""
    console = Console(markup=False, width=None if sys.stdout.isatty() else 120)
    try:
        arguments = parse(sys.argv[1:] if argv is None else argv)
        console.print("Making the games ready; the first time their kernels are compiled")
        learner, folder = begin(arguments, console)
        arguments = learner.arguments
        console.print(f"{arguments.game}: {learner.num_iterations} iterations of "
                      f"{arguments.num_envs * arguments.rollout:,} moves, into {folder}")  # fmt: skip
        if not train(learner, folder, console):
            again = f"python -m experiments.ppo_selfplay --resume {folder}"
            console.print(f"Stopped and saved. To go on: {again}", soft_wrap=True)
            return 130
        draw_curve(learner, folder)
        report(learner, folder, console)
    except (ValueError, OSError) as error:
        print(f"ppo_selfplay: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:  # outside of the training, which saves first
        print("ppo_selfplay: interrupted", file=sys.stderr)
        return 130
    console.print(f"Curve, report and checkpoint are in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
