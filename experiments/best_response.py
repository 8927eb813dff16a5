"""How much can agents be exploited? All seats but one are frozen, and whoever sits there does the best against them.

    python -m experiments.best_response --game pick_a_pepper_v0 --frozen bot              # PPO learns to beat the bot
    python -m experiments.best_response --frozen ppo:runs/…/checkpoint.safetensors --start runs/…/checkpoint.safetensors
    python -m experiments.best_response --frozen bot --by ismcts:300 ismcts:1000 flat_mc:1000   # searchers instead
    python -m experiments.best_response --frozen random bot bot --by ppo bot    # in the place of the first of them

The figure is the gain: the exploiter's mean utility less what the frozen agent gets in the same place, on the same
deals and in all seats, with a 95 % interval clustered by deal. The best response gains at least as much as any
exploiter, so the gain is a lower bound of how much the agents can be exploited, and the interval's lower end holds with
97.5 % confidence (by the normal approximation: where all deals but a few come out the same, the interval is too short).
A small gain does not say that they are safe: perhaps the exploiter was weak.

Nothing is measured where it was chosen. There are three sets of deals, of which no two have a seed in common: PPO
trains on the first; of several exploiters (the checkpoints of a training, each of `--by`) the one that gains most on
the second is chosen; and what is reported is its gain on the third. The candidates' gains on the second, which are
written too, are no such bounds: the highest of several is too high.

ISMCTS expects opponents that do their best for themselves, which the frozen agents need not do. Flat Monte Carlo with
`rollout=bot` (the usual) or `rollout=random` does best, one move ahead, against frozen agents that play just so.

The folder holds result.json (figures, candidates, compute, seeds, arguments, versions), and, where a trained exploiter
was chosen, its network: `ppo:FOLDER/exploiter.safetensors` names the agent.
"""

from __future__ import annotations

import copy
import json
import platform
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

import numpy as np
import tyro
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

from agents.base import make_agent
from agents.match import Estimate, Match, Player, estimate, play_match
from agents.policy import PolicyAgent, game_facts, read_policy, write_checkpoint
from agents.searcher import Searcher
from agents.tournament import agent_digest
from experiments import ppo_selfplay as ppo
from experiments.options import game_options
from pepperenvs import __version__, make_batch, registry
from pepperenvs.core import utility as utility_kinds

RESULT, EXPLOITER = "result.json", "exploiter.safetensors"
TRAIN = "ppo"  # the exploiter that is trained here, among those of `by`


@dataclass(frozen=True)
class Arguments:
    """Who is exploited, by whom, and how closely it is measured."""

    game: str = "pick_a_pepper_v0"
    players: int | None = None
    """seats of every game; by default the game's own default"""
    options: tuple[str, ...] = ()
    """options of the game, OPTION=JSON"""
    utility: Literal["rank", "win"] = "rank"
    """what is gained, and trained for; searchers have a setting of their own, as in ismcts:1000,utility=win"""
    frozen: tuple[str, ...] = ("bot",)
    """agents as agents.base.make_agent names them: one for all seats, or one for each, around the table; the exploiter
    takes the first one's place"""
    by: tuple[str, ...] = (TRAIN,)
    """exploiters, of which the best is reported: ppo is trained here, others are named as the frozen ones"""
    seed: int = 0
    select_deals: int = 200
    """on which one of several exploiters is chosen; each deal is played in all seats"""
    report_deals: int = 1000
    moves: int = 1_000_000
    """of the training, the exploiter's own"""
    checkpoints: int = 5
    """of the training, evenly spaced, among which one is chosen; the last one is that of its end"""
    start: str = ""
    """checkpoint of experiments/ppo_selfplay.py with which the training begins; by default with a new network"""
    training: tuple[str, ...] = ()
    """what differs in the training from experiments/ppo_selfplay.py with its preset for the game, as hidden=64"""
    folder: str = ""
    """of the results; by default runs/best-response-GAME-DATE-TIME"""
    threads: int = 2
    """for networks in training, and for searchers"""

    @property
    def num_players(self) -> int:
        return int(registry.spec(self.game).resolve(self.players, game_options(self.options))["num_players"])


# ---------------------------------------------------------------------------------------------------- deals

USES = ("train", "select", "report")
DEALS_APART = 2**32  # seeds between the first deals of two uses, and more than anybody plays
MAX_SEED = 2**63 // (len(USES) * DEALS_APART) - 1


def first_deal(seed: int, use: str) -> int:
    """The seed of the first of the deals that a run has for one use; no two runs and no two uses share one."""
    return (seed * len(USES) + USES.index(use)) * DEALS_APART


# ------------------------------------------------------------------------------------------------- compute


@dataclass
class Cost:
    """What one part of the work took.

    cpu_seconds           of all threads
    moves                 in training the learner's own, in matches those of all seats
    simulations           of the exploiters, if they search
    frozen_simulations    of the frozen agents, if they search
    """

    cpu_seconds: float = 0.0
    moves: int = 0
    simulations: int = 0
    frozen_simulations: int = 0


class Counted:
    """A searcher that notes how many simulations it makes; it plays as it would without."""

    scripted: str | None = None

    def __init__(self, agent: Searcher) -> None:
        self.name = agent.name
        self.simulations = 0
        self._agent = agent
        self._lock = threading.Lock()

    def search(self, simulator: Any) -> int:
        """As of base.SearchAgent."""
        legal = simulator.legal_actions
        if len(legal) == 1:
            return int(legal[0])
        choices = self._agent.choices(simulator)
        with self._lock:
            self.simulations += int(choices.visits.sum())
        return self._agent.choose(choices)

    def restart(self, seed: int) -> None:
        """As of base.Agent."""
        self._agent.restart(seed)


def counted(agent: Player) -> Player:
    """The agent, which counts its simulations if it is one that makes them."""
    return Counted(agent) if isinstance(agent, Searcher) else agent


def simulations_of(agents: Sequence[Player]) -> int:
    """All simulations that agents have made so far."""
    return sum(agent.simulations for agent in set(agents) if isinstance(agent, Counted))


# ------------------------------------------------------------------------------------------------ training


def training_of(arguments: Arguments) -> ppo.Arguments:
    """How PPO trains: as in self-play, but that nobody else learns. Raises ValueError for what cannot be set."""
    usual = ppo.with_preset(ppo.Arguments(game=arguments.game))
    fixed = {"players": arguments.players, "options": arguments.options, "moves": arguments.moves,
             "seed": first_deal(arguments.seed, "train"), "threads": arguments.threads, "opponents": (), "counts": (),
             "past_share": 0.0, "bot_share": 0.0, "past_every": 2**62}  # fmt: skip
    given = game_options(arguments.training)
    tunable = {name for name, value in asdict(usual).items() if isinstance(value, int | float)} | {"train_options"}
    if unknown := set(given) - (tunable - set(fixed)):
        raise ValueError(f"training: {', '.join(sorted(unknown))} cannot be set there")
    for name, value in given.items():
        if name != "train_options" and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise ValueError(f"training: {name} must be a number, not {value!r}")
    if "train_options" in given:
        given["train_options"] = tuple(given["train_options"])
    training = replace(usual, **(fixed | given))
    ppo.check(training)
    return training


def new_exploiter(arguments: Arguments, opponent: Player) -> ppo.Learner:
    """A learner whose games have the opponent in all seats but its own, which is drawn for each game."""
    training = training_of(arguments)
    begun = read_policy(arguments.game, arguments.start) if arguments.start else None
    if begun is not None:
        training = replace(training, hidden=begun.value.in_features)
    learner = ppo.new_learner(training)
    if begun is not None:
        learner.policy.load_state_dict(begun.state_dict())
    learner.batch = make_batch(arguments.game, training.num_envs, num_players=arguments.players, seed=training.seed,
                               utility=arguments.utility, opponents=opponent.scripted or opponent, seat="random",
                               **game_options(training.options + training.train_options))  # fmt: skip
    return learner


def train(arguments: Arguments, opponent: Player, console: Console) -> tuple[list[PolicyAgent], Cost]:
    """Train against an opponent; the exploiters of the checkpoints, and what they cost together.

    Compiling the kernels, which happens once on a machine, is not counted as far as it comes before the first move.
    """
    learner = new_exploiter(arguments, opponent)
    began = time.process_time()
    iterations = learner.num_iterations
    kept = {-(-iterations * (number + 1) // arguments.checkpoints) for number in range(arguments.checkpoints)}
    exploiters = []
    for _ in track(range(iterations), "training", console=console, transient=True):
        ppo.iterate(learner)
        if learner.iteration in kept:
            exploiters.append(PolicyAgent(copy.deepcopy(learner.policy), f"{TRAIN}@{learner.moves}"))
    return exploiters, Cost(time.process_time() - began, learner.moves)


# --------------------------------------------------------------------------------------------------- matches


@dataclass(frozen=True)
class Measured:
    """An exploiter on some deals, beside the frozen agent in the same place.

    gain                   utility above the frozen agent's
    gain_by_seat           [seats]
    utility                of the exploiter
    frozen_utility         of the frozen agent whose place it takes
    first_places           share of the exploiter
    frozen_first_places    share of the frozen agent
    """

    name: str
    gain: Estimate
    gain_by_seat: tuple[Estimate, ...]
    utility: Estimate
    frozen_utility: Estimate
    first_places: Estimate
    frozen_first_places: Estimate


def measure(arguments: Arguments, exploiters: Sequence[Player], frozen: Sequence[Player], use: str
            ) -> tuple[list[Measured], Cost]:  # fmt: skip
    """Play the deals of a use with the frozen agents alone, and once more with each exploiter in the first's place.

    frozen     [players]
    use        "select" or "report"
    """
    deals = {"select": arguments.select_deals, "report": arguments.report_deals}[use]
    made = {id(agent): counted(agent) for agent in frozen}  # one that sits twice stays one
    still, tried = [made[id(agent)] for agent in frozen], [counted(agent) for agent in exploiters]

    def play(first: Player) -> Match:
        return play_match(arguments.game, [first, *still[1:]], deals, first_deal(arguments.seed, use),
                          threads=arguments.threads, **game_options(arguments.options))  # fmt: skip

    began = time.process_time()
    alone, *others = [play(first) for first in (still[0], *tried)]
    cost = Cost(time.process_time() - began, sum(int(match.length.sum()) for match in (alone, *others)),
                simulations_of(tried), simulations_of(still))  # fmt: skip
    return [compare(match, alone, arguments.utility) for match in others], cost


def compare(match: Match, alone: Match, utility: str) -> Measured:
    """What agent 0 of one match gains over agent 0 of another one on the same deals, pair by pair."""
    reached, before = utilities_of(match, utility)[:, :, 0], utilities_of(alone, utility)[:, :, 0]
    gain = reached - before  # [deals, rotations]; in rotation r agent 0 sits in seat r
    return Measured(
        name=match.names[0],
        gain=estimate(gain.mean(axis=1)),
        gain_by_seat=tuple(estimate(of_seat) for of_seat in gain.T),
        utility=estimate(reached.mean(axis=1)),
        frozen_utility=estimate(before.mean(axis=1)),
        first_places=match.first_places(0),
        frozen_first_places=alone.first_places(0),
    )


def utilities_of(match: Match, utility: str) -> NDArray[np.float64]:
    """Every agent's utility, float64 [deals, rotations, agents], of a match of two or more."""
    players, kind = len(match.names), utility_kinds.kind_number(utility)
    values = np.zeros((match.truncated.size, players))
    games = zip(match.score.reshape(-1, players), match.standing.reshape(-1, players), values, strict=True)
    for score, standing, out in games:
        utility_kinds.utilities(score, standing, players, kind, 0.0, out)  # nobody is alone
    return values.reshape(match.score.shape)


# -------------------------------------------------------------------------------------------------- exploit


@dataclass
class Found:
    """The exploiter that was chosen and all that was measured.

    candidates    on the deals for selection; empty where there was nothing to choose
    costs         by the parts of the work: train, select, report
    """

    exploiter: Player
    measured: Measured
    candidates: list[Measured] = field(default_factory=list)
    costs: dict[str, Cost] = field(default_factory=dict)


def exploit(arguments: Arguments, frozen: Sequence[Player], console: Console) -> Found:
    """Train or make the exploiters, choose one, and measure it on deals that nobody has seen.

    frozen     [players], who sits around the table; the exploiter takes the first one's place

    Raises ValueError for arguments that `check` refuses.
    """
    check(arguments, frozen)
    costs: dict[str, Cost] = {}
    exploiters: list[Player] = [make_agent(arguments.game, name) for name in arguments.by if name != TRAIN]
    if TRAIN in arguments.by:
        trained, costs["train"] = train(arguments, frozen[1], console)
        exploiters += trained
    candidates: list[Measured] = []
    best = 0
    if len(exploiters) > 1:
        candidates, costs["select"] = measure(arguments, exploiters, frozen, "select")
        best = int(np.argmax([candidate.gain.mean for candidate in candidates]))
    (measured,), costs["report"] = measure(arguments, exploiters[best : best + 1], frozen, "report")
    return Found(exploiters[best], measured, candidates, costs)


def seated(arguments: Arguments) -> list[Player]:
    """The frozen agents around the table, one object for each name. Raises ValueError for a wrong number of them."""
    players = arguments.num_players
    if len(arguments.frozen) not in (1, players):
        raise ValueError(f"frozen: name one agent for all seats or {players}, not {len(arguments.frozen)}")
    made = {name: make_agent(arguments.game, name) for name in arguments.frozen}
    return [made[name] for name in arguments.frozen] * (players // len(arguments.frozen))


def check(arguments: Arguments, frozen: Sequence[Player]) -> None:
    """Raises ValueError for what cannot be done, or would fail after the training."""
    if arguments.num_players < 2:
        raise ValueError("alone there is nobody to exploit: players must be at least 2")
    for name, least in (("select_deals", 2), ("report_deals", 2), ("checkpoints", 1), ("threads", 1)):
        if not least <= getattr(arguments, name) < DEALS_APART:
            raise ValueError(f"{name} must be at least {least}, not {getattr(arguments, name)}")
    if not 0 <= arguments.seed <= MAX_SEED:
        raise ValueError(f"seed must be in 0 … {MAX_SEED}, not {arguments.seed}")
    if not arguments.by or len(set(arguments.by)) < len(arguments.by):
        raise ValueError("by: name at least one exploiter, and none twice")
    for name in arguments.by:
        if name != TRAIN:
            make_agent(arguments.game, name)
    if TRAIN in arguments.by:
        check_trainable(arguments, frozen[1:])


def check_trainable(arguments: Arguments, opponents: Sequence[Player]) -> None:
    """Raises ValueError if nobody can be trained against these opponents, or not so."""
    if len(set(opponents)) > 1:
        raise ValueError("ppo trains against one agent in all other seats; name searchers to exploit several (--by)")
    if isinstance(opponents[0], Searcher):
        raise ValueError(f"{opponents[0].name} searches, and in training opponents are asked for many games at once; "
                         "name searchers to exploit it (--by)")  # fmt: skip
    training_of(arguments)
    if arguments.start:
        read_policy(arguments.game, arguments.start)


# -------------------------------------------------------------------------------------------------- results


def result_of(arguments: Arguments, found: Found) -> dict[str, Any]:
    """All that result.json holds."""
    names = [*arguments.frozen, *(name for name in arguments.by if name != TRAIN)]
    first = {use: first_deal(arguments.seed, use) for use in USES}
    versions = {"pepperenvs": __version__, "python": platform.python_version(),
                **{name: metadata.version(name) for name in ("numpy", "numba", "torch")}}  # fmt: skip
    return {
        "game": arguments.game,
        "options": registry.spec(arguments.game).resolve(arguments.players, game_options(arguments.options)),
        "equal_share": 1 / arguments.num_players,
        "exploiter": figures_of(found.measured),
        "candidates": [figures_of(candidate) for candidate in found.candidates],
        "cost": {part: asdict(cost) for part, cost in found.costs.items()},
        "first_deal": first,
        "arguments": asdict(arguments),
        "training": asdict(training_of(arguments)) if TRAIN in arguments.by else None,
        "digests": {name: agent_digest(arguments.game, name) for name in names},
        "versions": versions,
    }


def figures_of(measured: Measured) -> dict[str, Any]:
    """A measurement as JSON has it: each estimate with the ends of its interval."""
    told: dict[str, Any] = {}
    for name, value in vars(measured).items():
        if isinstance(value, Estimate):
            told[name] = ends_of(value)
        elif isinstance(value, tuple):
            told[name] = [ends_of(one) for one in value]
        else:
            told[name] = value
    return told


def ends_of(figure: Estimate) -> dict[str, float]:
    return {"mean": figure.mean, "low": figure.low, "high": figure.high}


def write(arguments: Arguments, found: Found, folder: Path) -> None:
    """Write result.json, and the network of an exploiter that was trained."""
    exploiter = found.exploiter
    if isinstance(exploiter, PolicyAgent) and exploiter.name.startswith(f"{TRAIN}@"):
        policy = exploiter._policy
        weights = {f"policy.{name}": tensor for name, tensor in policy.state_dict().items()}
        facts = {**game_facts(arguments.game), "hidden": policy.value.in_features, "version": __version__}
        write_checkpoint(folder / EXPLOITER, weights, facts)
    text = json.dumps(result_of(arguments, found), indent=2, allow_nan=False)
    (folder / RESULT).write_text(text + "\n", encoding="utf-8")


def tell(arguments: Arguments, found: Found, console: Console) -> None:
    """Print the candidates, the gain and the compute."""
    if found.candidates:
        console.print(candidates_table(arguments, found))
    measured, equal = found.measured, 1 / arguments.num_players
    deals = f"{arguments.report_deals:,} fresh deals × {arguments.num_players} seats, mean ± 95 % interval"
    table = Table("", "exploiter", "frozen", title=f"{measured.name} in the place of {arguments.frozen[0]}: {deals}")
    table.add_row(f"utility ({arguments.utility})", str(measured.utility), str(measured.frozen_utility))
    table.add_row(f"first places (1/n = {equal:.3f})", str(measured.first_places), str(measured.frozen_first_places))
    table.add_row("gain", str(measured.gain), "")
    for seat, gain in enumerate(measured.gain_by_seat):
        table.add_row(f"gain in seat {seat}", str(gain), "")
    console.print(table)
    console.print(costs_table(found))
    if measured.gain.low > 0:
        console.print(f"The frozen agents can be exploited by {measured.gain.low:.3f} or more (97.5 % confidence)")
    else:
        console.print("No exploiter was found that surely gains, which does not prove that there is none")


def candidates_table(arguments: Arguments, found: Found) -> Table:
    table = Table("candidate", "gain", "first places", title=f"Chosen among, on {arguments.select_deals:,} other deals")
    for candidate in found.candidates:
        chosen = " (chosen)" if candidate.name == found.measured.name else ""
        table.add_row(candidate.name + chosen, str(candidate.gain), str(candidate.first_places))
    return table


def costs_table(found: Found) -> Table:
    table = Table("compute", "CPU seconds", "moves", "simulations", "of frozen agents")
    for part, cost in found.costs.items():
        counts = (cost.moves, cost.simulations, cost.frozen_simulations)
        table.add_row(part, f"{cost.cpu_seconds:,.1f}", *(f"{count:,}" for count in counts))
    return table


def begin(arguments: Arguments) -> Path:
    """The folder of the results. Raises ValueError if it holds some already."""
    name = f"best-response-{arguments.game}-{time.strftime('%Y%m%d-%H%M%S')}"
    folder = Path(arguments.folder or f"runs/{name}")
    if (folder / RESULT).exists():
        raise ValueError(f"{folder} holds a result already")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def main(argv: list[str] | None = None) -> int:
    """Run the experiment; returns the exit status."""
    console = Console(markup=False, highlight=False, width=None if sys.stdout.isatty() else 120)
    arguments = tyro.cli(Arguments, args=argv, prog="python -m experiments.best_response", description=__doc__)
    try:
        frozen = seated(arguments)
        check(arguments, frozen)
        folder = begin(arguments)
        found = exploit(arguments, frozen, console)
        write(arguments, found, folder)
        tell(arguments, found, console)
    except (ValueError, OSError) as error:
        print(f"best_response: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("best_response: interrupted, nothing is saved", file=sys.stderr)
        return 130
    console.print(f"The result is {folder / RESULT}", soft_wrap=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
