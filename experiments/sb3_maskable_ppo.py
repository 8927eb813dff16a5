"""MaskablePPO of sb3-contrib against chosen opponents, on the native vector of solo games.

    python -m experiments.sb3_maskable_ppo                                             # Pick-a-Pepper against bots
    python -m experiments.sb3_maskable_ppo --game heat_guess_v0 --players 2 --steps 300000
    python -m experiments.sb3_maskable_ppo --opponents bot=1 random=1 ppo:runs/…/checkpoint.safetensors=2

The learner sits in a seat drawn for each game; the others are drawn from the opponents when a game begins. The folder
holds the model, its arguments, the curve of matches against the opponents (masks are used there too) and TensorBoard
logs; `sb3:FOLDER/model.zip` names the trained agent in matches and tournaments.
"""

from __future__ import annotations

import csv
import json
import platform
import sys
import time
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import torch
import tyro
from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from agents.base import make_agent
from agents.match import Estimate, play_match
from agents.sb3_policies import MaskableAgent, scaled
from experiments.options import game_options
from pepperenvs import __version__, registry
from pepperenvs.adapters.sb3 import SB3VecEnv

MODEL, CURVE, ARGUMENTS, VERSIONS = "model.zip", "curve.csv", "arguments.json", "versions.json"


@dataclass(frozen=True)
class Arguments:
    """What a run is made of."""

    game: str = "pick_a_pepper_v0"
    players: int | None = None
    """seats of every game; by default the game's own default"""
    options: tuple[str, ...] = ()
    """options of the game, OPTION=JSON"""
    opponents: tuple[str, ...] = ("bot",)
    """who plays the other seats, AGENT or AGENT=WEIGHT, agents as agents.base.make_agent names them but no searchers"""
    seed: int = 0
    steps: int = 1_000_000
    """decisions of the learner"""
    num_envs: int = 256
    rollout: int = 64
    """decisions of each game's learner in one iteration"""
    hidden: int = 128
    learning_rate: float = 1e-3
    """falls to zero over the training"""
    epochs: int = 3
    minibatch: int = 2048
    discount: float = 1.0
    gae_lambda: float = 0.95
    entropy: float = 0.01
    curve_points: int = 10
    """matches that are played on the way, the last one at the end"""
    curve_deals: int = 100
    folder: str = ""
    """of the run; by default runs/sb3-GAME-DATE-TIME"""
    threads: int = 2


def weighted(text: str) -> tuple[str, float]:
    """An opponent's name and weight, from AGENT or AGENT=WEIGHT."""
    name, _, weight = text.rpartition("=")
    try:
        return (name, float(weight)) if name else (text, 1.0)
    except ValueError:
        return text, 1.0


def mixture(game: str, opponents: tuple[str, ...]) -> dict[Any, float]:
    """Agents with their weights. Raises ValueError for what is no agent, for a searcher, and for a bad weight."""
    mixed: dict[Any, float] = {}
    for name, weight in map(weighted, opponents):
        agent = make_agent(game, name)
        if not hasattr(agent, "act"):
            raise ValueError(f"opponent {name!r} searches; opponents here are asked for many games at once")
        mixed[agent.scripted or agent] = weight
    return mixed


def new_model(arguments: Arguments, folder: Path) -> MaskablePPO:
    """A model at the start of its training; everything in it follows from the arguments."""
    torch.set_num_threads(arguments.threads)
    games = SB3VecEnv(arguments.game, arguments.num_envs, num_players=arguments.players,
                      opponents=mixture(arguments.game, arguments.opponents),
                      **game_options(arguments.options))  # fmt: skip
    shape = {"net_arch": [arguments.hidden, arguments.hidden]}
    return MaskablePPO(
        "MlpPolicy", games, learning_rate=lambda left: left * arguments.learning_rate, n_steps=arguments.rollout,
        batch_size=arguments.minibatch, n_epochs=arguments.epochs, gamma=arguments.discount,
        gae_lambda=arguments.gae_lambda, ent_coef=arguments.entropy, policy_kwargs=scaled(arguments.game, **shape),
        tensorboard_log=str(folder), seed=arguments.seed, device="cpu",
    )  # fmt: skip


class Curve(BaseCallback):
    """Plays the model against its opponents now and then, and writes how it fares."""

    def __init__(self, arguments: Arguments, folder: Path, console: Console) -> None:
        super().__init__()
        self._arguments, self._folder, self._console = arguments, folder, console
        self._points = [
            round(arguments.steps * (k + 1) / arguments.curve_points) for k in range(arguments.curve_points)
        ]
        self._started = time.process_time()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        while self._points and self.num_timesteps >= self._points[0]:
            self._measure(self._points.pop(0))

    def _on_training_end(self) -> None:
        if self._points:
            self._measure(self._points.pop())

    def _measure(self, steps: int) -> None:
        spent = time.process_time() - self._started
        row: dict[str, Any] = {"steps": self.num_timesteps, "cpu_seconds": round(spent, 1)}
        for name, _ in map(weighted, self._arguments.opponents):
            share = against(self._arguments, self.model, name)
            row |= {name: round(share.mean, 4), f"{name} ±": round(share.half_width, 4)}
        with (self._folder / CURVE).open("a", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(row), lineterminator="\n")
            if file.tell() == 0:
                writer.writeheader()
            writer.writerow(row)
        shares = ", ".join(f"{key} {row[key]}" for key in row if key not in ("steps", "cpu_seconds"))
        self._console.print(f"{self.num_timesteps:,} steps: first places against {shares}")


def against(arguments: Arguments, model: Any, opponent: str) -> Estimate:
    """The model's share of first places among copies of an opponent, on deals that training has not seen."""
    players = registry.spec(arguments.game).resolve(arguments.players)["num_players"]
    seated = [MaskableAgent(model.policy), *[make_agent(arguments.game, opponent)] * (players - 1)]
    seed = 10_000_000 + arguments.seed
    match = play_match(arguments.game, seated, arguments.curve_deals, seed, **game_options(arguments.options))
    return match.first_places(0)


def run(arguments: Arguments, folder: Path, console: Console) -> None:
    """Train and save. Raises ValueError, OSError."""
    model = new_model(arguments, folder)
    (folder / ARGUMENTS).write_text(json.dumps(asdict(arguments), indent=2) + "\n", encoding="utf-8")
    named = ("numpy", "torch", "stable-baselines3", "sb3-contrib")
    versions = {"pepperenvs": __version__, "python": platform.python_version(),
                **{name: metadata.version(name) for name in named}}  # fmt: skip
    (folder / VERSIONS).write_text(json.dumps(versions, indent=2) + "\n", encoding="utf-8")
    began = time.process_time()
    model.learn(arguments.steps, callback=Curve(arguments, folder, console))
    pace = model.num_timesteps / (time.process_time() - began)
    model.save(folder / MODEL)
    console.print(
        f"{model.num_timesteps:,} steps, {pace:,.0f} a CPU second; the agent is sb3:{folder / MODEL}", soft_wrap=True
    )


def main(argv: list[str] | None = None) -> int:
    """Run the experiment; returns the exit status."""
    console = Console(markup=False, highlight=False, width=None if sys.stdout.isatty() else 120)
    arguments = tyro.cli(Arguments, args=argv, prog="python -m experiments.sb3_maskable_ppo", description=__doc__)
    try:
        registry.spec(arguments.game).resolve(arguments.players, game_options(arguments.options))
        stamp = time.strftime("%Y%m%d-%H%M%S")
        folder = Path(arguments.folder or f"runs/sb3-{arguments.game}-{stamp}")
        if (folder / MODEL).exists() or (folder / CURVE).exists():
            raise ValueError(f"{folder} holds a run already")
        folder.mkdir(parents=True, exist_ok=True)
        run(arguments, folder, console)
    except (ValueError, OSError) as error:
        print(f"sb3_maskable_ppo: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("sb3_maskable_ppo: interrupted, nothing is saved", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
