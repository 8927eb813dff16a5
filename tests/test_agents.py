"""Agents, matches between them, and checkpoints."""

import errno
import json
import math
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file

from agents import policy as policies
from agents.base import Agent, SearchAgent, check_actions, make_agent
from agents.bot_agent import BotAgent
from agents.match import CONFIDENCE, Match, play_match
from agents.policy import CheckpointError, Policy, PolicyAgent, game_facts, read_checkpoint, write_checkpoint
from agents.priority_agent import PriorityAgent
from agents.random_agent import RandomAgent
from pepperenvs import make_aec, make_batch, registry
from pepperenvs.core.state import OVER
from pepperenvs.drivers.game import load
from pepperenvs.drivers.search import Position, Simulator

HEAT_GUESS, PICK_A_PEPPER = "heat_guess_v0", "pick_a_pepper_v0"
ROOT = Path(__file__).resolve().parent.parent
SHED_ONLY = ROOT / "agents" / "shed_only.toml"
CHI_SQUARED_6 = 22.46  # 99.9 % of the distribution with six degrees of freedom lie below


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


class Hashing:
    """Answers with a legal action that follows from the observation in no meaningful way."""

    def __init__(self, game: str, name: str = "hashing") -> None:
        self.name = name
        self.scripted = None
        self._weights = np.random.default_rng(3).integers(1, 1000, registry.spec(game).layout.size)

    def restart(self, seed: int) -> None:
        pass

    def act(self, observation: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        return np.array([self._one(*row) for row in zip(observation, action_mask, strict=True)], np.int64)

    def _one(self, observation: np.ndarray, mask: np.ndarray) -> int:
        legal = np.flatnonzero(mask)
        return int(legal[int(observation @ self._weights) % len(legal)])


class Drawing(RandomAgent):
    """Random by its own generator, not by the drivers' kernels."""

    def __init__(self) -> None:
        super().__init__()
        self.scripted = None


class Stubborn(Hashing):
    """Answers with something that is not legal, wherever there is such a thing."""

    def act(self, observation: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        return action_mask.argmin(axis=1)


def positions(game: str, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks of games that have gone on for different whiles."""
    batch = make_batch(game, count, seed=7)
    observation, mask = batch.observation.copy(), batch.action_mask.copy()
    for move in range(40):
        batch.step(batch.sample_actions())
        rows = np.arange(count) % 40 == move
        observation[rows], mask[rows] = batch.observation[rows], batch.action_mask[rows]
    return observation, mask


def chi_squared(drawn: np.ndarray, probabilities: np.ndarray) -> float:
    expected = len(drawn) * probabilities
    return float(((np.bincount(drawn, minlength=len(expected)) - expected) ** 2 / expected).sum())


# ------------------------------------------------------------------------------------------------- scripted


def test_random_agent_is_uniform_over_the_legal_actions() -> None:
    mask = np.zeros((14_000, 20), np.int8)
    legal = [0, 3, 4, 9, 12, 18, 19]
    mask[:, legal] = 1
    drawn = RandomAgent(seed=1).act(np.zeros((len(mask), 1), np.int16), mask)
    assert set(drawn) == set(legal)
    assert chi_squared(np.searchsorted(legal, drawn), np.full(7, 1 / 7)) < CHI_SQUARED_6


def test_random_agent_plays_legally_and_begins_anew(game: str) -> None:
    observation, mask = positions(game, 80)
    agent = RandomAgent(seed=5)
    first = [check_actions(agent.act(observation, mask), mask) for _ in range(3)]
    assert not np.array_equal(first[0], first[1]) and not np.array_equal(first[1], first[2])
    agent.restart(5)
    assert np.array_equal(first, [agent.act(observation, mask) for _ in range(3)])


def test_the_bot_does_not_act_on_observations() -> None:
    with pytest.raises(TypeError, match="bot_actions"):
        BotAgent().act(*positions(HEAT_GUESS, 3))


def test_priorities_decide_in_their_order() -> None:
    every = PriorityAgent(HEAT_GUESS, "test", ["say 3", "-say [1246]", "say *"])
    order = [3, 6, 4, 2, 1, 5, 7, 8, 9, 10]
    observation = np.zeros((10, 1), np.int16)
    mask = np.zeros((10, 10), np.int8)
    for row in range(10):
        mask[row, [number - 1 for number in order[row:]]] = 1
    assert every.act(observation, mask).tolist() == [number - 1 for number in order]


@pytest.mark.parametrize(
    ("patterns", "message"),
    [
        (["say *", "cook *"], "pattern 'cook *' fits no action"),
        (["-cook *", "say *"], "pattern '-cook *' fits no action"),
        (["say ?"], "no pattern fits 'say 10'"),
        ([], "no pattern fits 'say 1'"),
    ],
)
def test_priorities_must_fit_the_actions(patterns: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        PriorityAgent(HEAT_GUESS, "test", patterns)


def test_priorities_of_another_game_are_refused() -> None:
    with pytest.raises(ValueError, match="is for 'pick_a_pepper_v0', not for 'heat_guess_v0'"):
        PriorityAgent.read(HEAT_GUESS, SHED_ONLY)


def cards_of(action: str) -> int:
    """Cards that a play lays down: "play 3x4+2w" six, "play 2w" two."""
    return sum(map(int, re.findall(r"(?<=x)\d+|\d+(?=w)", action)))


def test_shed_only_lays_down_the_most_cards_and_gathers_nothing_it_need_not() -> None:
    strings = registry.spec(PICK_A_PEPPER).actions.strings
    agent, random = PriorityAgent.read(PICK_A_PEPPER, SHED_ONLY), np.random.default_rng(1)
    plays = [action for action, string in enumerate(strings) if string.startswith("play ")]
    collecting = [action for action, string in enumerate(strings) if re.match(r"cook |take \d|regroup", string)]
    refusing = {string: strings.index(string) for string in ("take none discard", "take none keep")}
    mask = np.zeros((900, len(strings)), np.int8)
    for row in mask:
        row[random.choice(collecting, random.integers(1, 9))] = 1
    for row in mask[:600]:
        row[random.choice(plays, random.integers(1, 30))] = 1
    mask[600:, refusing["take none keep"]] = 1
    mask[600:700, refusing["take none discard"]] = 1
    chosen = [strings[action] for action in check_actions(agent.act(np.zeros((900, 1)), mask), mask)]
    for row, string in enumerate(chosen[:600]):
        assert cards_of(string) == max(cards_of(strings[action]) for action in plays if mask[row, action])
    assert chosen[600:700] == ["take none discard"] * 100 and chosen[700:] == ["take none keep"] * 200


# --------------------------------------------------------------------------------------- names and answers


def test_agents_by_name(tmp_path: Path) -> None:
    assert isinstance(make_agent(HEAT_GUESS, "random"), RandomAgent)
    assert isinstance(make_agent(HEAT_GUESS, "bot"), BotAgent)
    assert make_agent(PICK_A_PEPPER, f"priority:{SHED_ONLY}").name == "shed-only"
    path = tmp_path / "mine.safetensors"
    write_policy(path)
    assert make_agent(HEAT_GUESS, f"ppo:{path}").name == "ppo:mine"


@pytest.mark.parametrize("name", ["", "nobody", "random:", "bot:x", "priority", "priority:", "ppo:", ":", "Bot"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"there is no agent {name!r}")):
        make_agent(HEAT_GUESS, name)


@pytest.mark.parametrize("text", ["game =", 'game = "heat_guess_v0"', 'game = "heat_guess_v0"\nname = "x"'])
def test_unfinished_priorities_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "p.toml").write_text(text)
    with pytest.raises(ValueError):
        make_agent(HEAT_GUESS, f"priority:{tmp_path / 'p.toml'}")


def test_missing_files_are_named(tmp_path: Path) -> None:
    for kind in ("priority", "ppo"):
        with pytest.raises(FileNotFoundError, match=re.escape(str(tmp_path / "none"))):
            make_agent(HEAT_GUESS, f"{kind}:{tmp_path / 'none'}")


@pytest.mark.parametrize(
    "answer",
    [[0], [0, 1, 0], [[0, 1]], 0, None, [0.0, 1.0], [True, False], ["0", "1"], [0, 2], [0, -1], [0, 3], [1, 1]],
)
def test_answers_must_be_one_legal_action_a_row(answer: Any) -> None:
    mask = np.array([[1, 0, 1], [0, 1, 0]], np.int8)
    with pytest.raises(ValueError, match="an agent"):
        check_actions(answer, mask)
    for fine in ([2, 1], np.array([0, 1], np.uint8), (0, 1)):
        checked = check_actions(fine, mask)
        assert checked.dtype == np.int64 and checked.tolist() == list(fine)


# --------------------------------------------------------------------------------------------------- policy


def undecided(game: str, hidden: int = 16) -> Policy:
    """A policy to which all actions are equally good but for rounding: a changed last bit changes its answer."""
    torch.manual_seed(1)
    policy = Policy(game, hidden)
    with torch.no_grad():
        policy.logits.weight[:] = torch.randn(hidden)
    return policy


@pytest.mark.parametrize("rows", [1, 7, 256, 300])
def test_a_policy_answers_each_row_for_itself(game: str, rows: int) -> None:
    observation, mask = positions(game, 600)
    agent = PolicyAgent(undecided(game))
    whole = check_actions(agent.act(observation, mask), mask)
    parts = [agent.act(observation[i : i + rows], mask[i : i + rows]) for i in range(0, 600, rows)]
    assert np.concatenate(parts).tobytes() == whole.tobytes()


def test_a_policy_that_samples_begins_anew(game: str) -> None:
    observation, mask = positions(game, 80)
    mask[:] = 1  # some games hardly ever leave a choice
    agent = PolicyAgent(undecided(game), sample=True, seed=5)
    first = [check_actions(agent.act(observation, mask), mask) for _ in range(3)]
    assert not np.array_equal(first[0], first[1])
    agent.restart(5)
    assert np.array_equal(first, [agent.act(observation, mask) for _ in range(3)])


def test_a_policy_samples_its_distribution() -> None:
    observation, mask = (array[:1].repeat(10_000, axis=0) for array in positions(HEAT_GUESS, 1))
    mask[:] = [1, 1, 0, 1, 1, 0, 0, 1, 1, 1]
    torch.manual_seed(2)
    policy = Policy(HEAT_GUESS, 8)
    with torch.no_grad():
        policy.logits.weight.normal_(std=0.5)
        columns, logits, _ = policy(torch.from_numpy(observation[:1]), torch.from_numpy(mask[:1]))
    drawn = PolicyAgent(policy, sample=True, seed=1).act(observation, mask)
    assert set(drawn) <= set(columns.tolist()) and len(columns) == 7
    columns = columns.numpy()
    assert chi_squared(np.searchsorted(columns, drawn), logits.softmax(dim=1).numpy()[0]) < CHI_SQUARED_6


def test_a_policy_leaves_the_number_of_threads_alone() -> None:
    torch.set_num_threads(2)
    PolicyAgent(undecided(HEAT_GUESS)).act(*positions(HEAT_GUESS, 2))
    assert torch.get_num_threads() == 2


# -------------------------------------------------------------------------------------------------- matches


def replayed(game: str, seated: list[Agent], seed: int, **options: Any) -> tuple[Any, list[np.ndarray]]:
    """One game by way of PettingZoo: its final state, and what each seat sees then."""
    bound = load(game)
    env = make_aec(game, num_players=len(seated), **options)
    env.reset(seed=seed)
    while env.agents:
        seen, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            break
        seat = env.agents.index(env.agent_selection)
        if seated[seat].scripted == "bot":
            env.step(bound.bot(bound.load(env.get_state()), 0))
        else:
            env.step(int(seated[seat].act(seen["observation"][None], seen["action_mask"][None])[0]))
    return bound.load(env.get_state())[0], [env.observe(agent)["observation"] for agent in env.possible_agents]


def test_each_deal_is_played_with_all_rotations(game: str) -> None:
    """Against the same games played one by one."""
    players = registry.spec(game).players[2]
    agents: list[Agent] = [Hashing(game), *[BotAgent() for _ in range(players - 1)]]
    match = play_match(game, agents, 2, seed=11)
    for deal, rotation in product(range(2), range(players)):
        seated = [agents[(seat - rotation) % players] for seat in range(players)]
        state, seen = replayed(game, seated, 11 + deal)
        assert match.length[deal, rotation] == state["moves"]
        assert match.truncated[deal, rotation] == bool(state["truncated"])
        for agent in range(players):
            seat = (agent + rotation) % players
            assert match.score[deal, rotation, agent] == state["score"][seat]
            assert match.standing[deal, rotation, agent] == state["standing"][seat]
            assert np.array_equal(match.final[deal, rotation, agent], seen[seat])


def test_games_cut_short_are_told_from_those_that_the_rules_end() -> None:
    """Though they do not end in the same move of all."""
    agents: list[Agent] = [Hashing(PICK_A_PEPPER), BotAgent()]
    match = play_match(PICK_A_PEPPER, agents, 6, seed=1, max_rounds=12)
    for deal, rotation in product(range(6), range(2)):
        state, _ = replayed(PICK_A_PEPPER, agents if rotation == 0 else agents[::-1], 1 + deal, max_rounds=12)
        assert match.truncated[deal, rotation] == bool(state["truncated"])
    assert 0 < match.ended_by_rules.mean < 1
    assert len({*match.length[match.truncated]}) > 1


def test_random_seats_draw_from_their_games_streams() -> None:
    match = play_match(HEAT_GUESS, [RandomAgent()] * 3, 4, seed=2)
    for deal in range(4):
        batch = make_batch(HEAT_GUESS, 1, num_players=3, seed=[2 + deal], autoreset=False)
        while batch.seat[0] != OVER:
            batch.step(batch.sample_actions())
        for rotation in range(3):  # agent a sits in seat (a + rotation) % 3
            assert np.roll(match.score[deal, rotation], rotation).tolist() == batch.final_score[0, :3].tolist()
            assert match.length[deal, rotation] == batch.final_length[0]


def built_match() -> Match:
    """Three agents, two deals: 0 wins alone, all tie, 1 and 2 tie for first …"""
    standing = [[[0, 1, 2], [0, 0, 0], [2, 0, 0]], [[0, 1, 1], [1, 0, 2], [0, 0, 2]]]
    score = [[[9, 5, 1], [4, 4, 4], [1, 8, 8]], [[7, 2, 2], [3, 6, 0], [5, 5, -1]]]
    truncated = np.array([[False, True, False], [False, False, False]])
    length, final = np.ones((2, 3), np.int64), np.zeros((2, 3, 3, registry.spec(HEAT_GUESS).layout.size), np.int16)
    return Match(HEAT_GUESS, ("a", "b", "c"), np.array(score), np.array(standing), truncated, length, final)


def plainly(games: list[list[float]]) -> tuple[float, float]:
    """Mean and half-width over the means of deals."""
    deals = [sum(values) / len(values) for values in games]
    mean = sum(deals) / len(deals)
    variance = sum((deal - mean) ** 2 for deal in deals) / (len(deals) - 1)
    return mean, CONFIDENCE * math.sqrt(variance / len(deals))


def test_figures_of_a_built_match() -> None:
    match = built_match()
    expected = {
        match.first_places(0): [[1, 1 / 3, 0], [1, 0, 1 / 2]],
        match.first_places(2): [[0, 1 / 3, 1 / 2], [0, 0, 0]],
        match.first_places_of([1, 2]): [[0, 2 / 3, 1], [0, 1, 1 / 2]],
        match.mean_standing(0): [[0, 1, 2], [0, 1, 0.5]],
        match.mean_standing(2): [[2, 1, 0.5], [1.5, 2, 2]],
        match.margin(0): [[6, 0, -7], [5, 0, 3]],
        match.points(2): [[1, 4, 8], [2, 0, -1]],
        match.ended_by_rules: [[1, 0, 1], [1, 1, 1]],
    }
    for estimate, games in expected.items():
        assert (estimate.mean, estimate.half_width) == pytest.approx(plainly(games))
        assert estimate.high - estimate.low == pytest.approx(2 * estimate.half_width)
    assert sum(match.first_places(agent).mean for agent in range(3)) == pytest.approx(1)
    assert sum(match.mean_standing(agent).mean for agent in range(3)) == pytest.approx(3)


def test_figures_of_a_played_match() -> None:
    match = play_match(HEAT_GUESS, [Hashing(HEAT_GUESS), BotAgent(), RandomAgent()], 30, seed=5, kinds=3)
    for agent in range(3):
        shares, margins = [], []
        for scores in match.score.tolist():
            shares.append([(game[agent] == max(game)) / game.count(max(game)) for game in scores])
            margins.append([game[agent] - (sum(game) - game[agent]) / 2 for game in scores])
        for estimate, games in ((match.first_places(agent), shares), (match.margin(agent), margins)):
            assert (estimate.mean, estimate.half_width) == pytest.approx(plainly(games))
    assert match.segment(1, "points").mean == pytest.approx(match.points(1).mean)  # of the own row alone
    assert match.segment(0, "num_players").mean == 3


def test_one_deal_has_no_interval() -> None:
    assert play_match(HEAT_GUESS, [BotAgent()] * 2, 1).first_places(0).half_width == math.inf


@pytest.mark.parametrize("same", [True, False])
def test_copies_of_an_agent_share_first_places_exactly(same: bool) -> None:
    one = Hashing(HEAT_GUESS)
    agents = [one] * 3 if same else [one, Hashing(HEAT_GUESS), Hashing(HEAT_GUESS)]
    match = play_match(HEAT_GUESS, agents, 10)
    for agent in range(3):
        assert match.first_places(agent).mean == pytest.approx(1 / 3)
        assert match.first_places(agent).half_width == pytest.approx(0)
    assert len({tuple(np.sort(game)) for game in match.score.reshape(-1, 3)}) > 1


def test_an_agent_in_several_seats_is_itself_in_each() -> None:
    """Two seats of one object and two of equal objects are the same match; a deterministic agent cannot tell."""
    one, bot = Hashing(HEAT_GUESS), BotAgent()
    shared = play_match(HEAT_GUESS, [one, bot, one], 5)
    apart = play_match(HEAT_GUESS, [one, bot, Hashing(HEAT_GUESS)], 5)
    assert equal(shared, apart)


def equal(first: Match, second: Match) -> bool:
    names = ("score", "standing", "truncated", "length", "final")
    return all(np.array_equal(getattr(first, name), getattr(second, name)) for name in names)


def test_a_match_follows_from_its_arguments(game: str) -> None:
    """Whatever the agents have drawn before."""
    players = registry.spec(game).players[2]
    sampling = PolicyAgent(undecided(game), sample=True)
    agents: list[Agent] = [sampling, Drawing(), *[RandomAgent()] * (players - 2)]
    first = play_match(game, agents, 1, seed=4)
    observation, mask = positions(game, 5)
    for agent in agents:
        agent.act(observation, mask)
    assert equal(first, play_match(game, agents, 1, seed=4))
    assert not equal(first, play_match(game, agents, 1, seed=5))


def test_an_illegal_answer_stops_the_match() -> None:
    with pytest.raises(ValueError, match="illegal action"):
        play_match(HEAT_GUESS, [RandomAgent(), Stubborn(HEAT_GUESS)], 3)


def test_alone() -> None:
    match = play_match(HEAT_GUESS, [BotAgent()], 6, seed=3, kinds=2, copies=2)
    assert match.score.shape == (6, 1, 1) and match.num_deals == 6
    assert (match.score == 4).all() and not match.truncated.any()  # every card is won in the end
    assert match.first_places(0).mean == 1 and match.mean_standing(0).mean == 0
    assert match.margin(0).mean == match.points(0).mean == 4


# ------------------------------------------------------------------------------------------------ searchers


class FlatMonteCarlo:
    """Tries every legal action out in the same samples, plays on with bots, and takes the best on average."""

    def __init__(self, samples: int = 5) -> None:
        self.name = f"flat:{samples}"
        self.scripted = None
        self._samples = samples
        self.asked: list[int] = []  # the generators of the Simulators that it was given, decision by decision

    def restart(self, seed: int) -> None:
        self.asked = []

    def search(self, simulator: Simulator) -> int:
        self.asked.append(int(simulator._samples[0]))
        drawn = simulator.samples(self._samples)
        means = [np.mean([self._try(position.copy(), action, simulator.seat) for position in drawn])
                 for action in simulator.legal_actions]  # fmt: skip
        return int(simulator.legal_actions[int(np.argmax(means))])

    def _try(self, position: Position, action: int, seat: int) -> float:
        position.step(action)
        position.playout("bot")
        return float(position.utilities()[seat])


class Looking:
    """Decides as an agent does on observation and mask, but is asked with a Simulator."""

    def __init__(self, agent: Hashing) -> None:
        self.name, self.scripted, self._agent = "looking", None, agent

    def restart(self, seed: int) -> None:
        self._agent.restart(seed)

    def search(self, simulator: Simulator) -> int:
        return int(self._agent.act(simulator.observation[None], simulator.action_mask[None])[0])


def test_a_searcher_beats_random_players() -> None:
    """With three numbers a player that remembers what was ruled out, as samples do, is right far more often."""
    match = play_match(HEAT_GUESS, [FlatMonteCarlo(), RandomAgent()], 40, seed=1, kinds=4, heats=3, copies=2)
    assert match.first_places(0).low > 0.55
    assert match.names == ("flat:5", "random")


def test_a_searcher_sees_what_an_agent_sees(game: str) -> None:
    one, other = Hashing(game), Hashing(game)
    others: list[Agent] = [BotAgent()] * (registry.spec(game).players[2] - 1)
    assert equal(play_match(game, [Looking(one), *others], 2, seed=3), play_match(game, [other, *others], 2, seed=3))


def test_a_match_of_searchers_follows_from_its_arguments() -> None:
    """Every seed, game and move brings other samples."""
    asked, matches = [], []
    for seed in (4, 5, 4):
        agent = FlatMonteCarlo(1)
        matches.append(play_match(HEAT_GUESS, [agent, agent], 2, seed=seed, kinds=3, copies=2))
        asked.append(agent.asked)
        assert len({*agent.asked}) == len(agent.asked) == matches[-1].length.sum()
    assert equal(matches[0], matches[2]) and asked[0] == asked[2] and not {*asked[0]} & {*asked[1]}


@pytest.mark.parametrize("answer", [4, -1, None, 1.0])
def test_an_illegal_answer_of_a_searcher_stops_the_match(answer: Any) -> None:
    agent = FlatMonteCarlo()
    agent.search = lambda simulator: answer  # type: ignore[method-assign]
    with pytest.raises(ValueError, match=r"an agent (must answer|answered)"):
        play_match(HEAT_GUESS, [agent, RandomAgent()], 1)


def test_a_searcher_needs_what_its_protocol_names() -> None:
    agent = FlatMonteCarlo()
    assert isinstance(agent, SearchAgent) and not isinstance(Hashing(HEAT_GUESS), SearchAgent)
    del agent.scripted
    with pytest.raises(TypeError, match="is no agent"):
        play_match(HEAT_GUESS, [agent, RandomAgent()], 1)


# ---------------------------------------------------------------------------------------------- checkpoints


def write_policy(path: Path, hidden: int = 4, **facts: Any) -> Policy:
    """A small policy for Heat Guess, and an empty and a scalar tensor besides."""
    torch.manual_seed(3)
    policy = Policy(HEAT_GUESS, hidden)
    tensors = {f"policy.{name}": tensor for name, tensor in policy.state_dict().items()}
    tensors |= {"scalar": torch.tensor(2.5), "bytes": torch.arange(5, dtype=torch.uint8), "empty": torch.zeros(0, 3)}
    write_checkpoint(path, tensors, {**game_facts(HEAT_GUESS), "hidden": hidden, "word": "höt", **facts})
    return policy


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    path = tmp_path / "policy.safetensors"
    write_policy(path)
    return path


def contents(path: Path) -> tuple[dict[str, tuple[str, tuple[int, ...], bytes]], dict[str, Any]]:
    """A checkpoint as something that can be compared."""
    tensors, facts = read_checkpoint(path)
    return {name: (str(t.dtype), tuple(t.shape), t.numpy().tobytes()) for name, t in tensors.items()}, facts


def refused(path: Path, game: str = HEAT_GUESS) -> str:
    """The error for a checkpoint that must not be read, which names it."""
    with pytest.raises(CheckpointError) as caught:
        PolicyAgent.read(game, path)
    assert str(caught.value).startswith(f"{path}: ") and "\n" not in str(caught.value)
    return str(caught.value)


def test_a_checkpoint_comes_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "policy.safetensors"
    policy = write_policy(path)
    tensors, facts = read_checkpoint(path)
    assert facts["word"] == "höt" and facts["game"] == HEAT_GUESS
    assert tensors["scalar"].shape == () and tensors["scalar"] == 2.5 and tensors["empty"].shape == (0, 3)
    for name, tensor in policy.state_dict().items():
        assert torch.equal(tensors[f"policy.{name}"], tensor)
    observation, mask = positions(HEAT_GUESS, 50)
    answers = [agent.act(observation, mask) for agent in (PolicyAgent(policy), PolicyAgent.read(HEAT_GUESS, path))]
    assert np.array_equal(*answers)


def test_a_truncated_checkpoint_is_refused(checkpoint: Path) -> None:
    data = checkpoint.read_bytes()
    for length in [*range(0, len(data), 53), len(data) - 1]:
        checkpoint.write_bytes(data[:length])
        refused(checkpoint)
    checkpoint.write_bytes(data + b"\0")
    refused(checkpoint)


def test_any_changed_byte_is_refused(checkpoint: Path) -> None:
    """Every byte of the header and each seventh of the rest; blanks after the header's JSON say nothing."""
    data, random = checkpoint.read_bytes(), np.random.default_rng(1)
    header = 8 + int.from_bytes(data[:8], "little")
    blanks = range(8 + len(data[8:header].rstrip()), header)
    whole = contents(checkpoint)
    for place in [*range(header), *range(header, len(data), 7), len(data) - 1]:
        damaged = bytearray(data)
        damaged[place] ^= int(random.integers(1, 256))
        checkpoint.write_bytes(damaged)
        if place in blanks and damaged[place] in b" \t\r\n":
            assert contents(checkpoint) == whole
        else:
            refused(checkpoint)


def metadata(path: Path) -> dict[str, str]:
    with safe_open(path, framework="pt") as file:
        return dict(file.metadata())


@pytest.mark.parametrize(
    ("former", "edited"), [('"hidden": 4', '"hidden": 5'), ("heat_guess", "heat_gUess"), ('"format": 1', '"format": 2')]
)
def test_edited_facts_are_refused(checkpoint: Path, former: str, edited: str) -> None:
    tensors, _ = read_checkpoint(checkpoint)
    sealed = json.loads(metadata(checkpoint)["pepperenvs"])
    assert former in sealed["facts"]
    sealed["facts"] = sealed["facts"].replace(former, edited)
    save_file(tensors, checkpoint, {"pepperenvs": json.dumps(sealed)})
    assert "digest" in refused(checkpoint)


def test_equal_checkpoints_are_equal_files(checkpoint: Path, tmp_path: Path) -> None:
    for again in range(4):
        write_checkpoint(tmp_path / f"again{again}", *read_checkpoint(checkpoint))
        assert (tmp_path / f"again{again}").read_bytes() == checkpoint.read_bytes()


def test_swapped_tensors_are_refused(checkpoint: Path) -> None:
    tensors, _ = read_checkpoint(checkpoint)
    known = metadata(checkpoint)
    names = ("policy.trunk.0.bias", "policy.trunk.2.bias")
    tensors[names[0]], tensors[names[1]] = tensors[names[0]] + 1, tensors[names[0]]
    save_file(tensors, checkpoint, known)
    assert "digest" in refused(checkpoint)


def test_other_files_are_refused(checkpoint: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tensors, _ = read_checkpoint(checkpoint)
    save_file(tensors, checkpoint)
    assert "metadata" in refused(checkpoint)
    checkpoint.write_text("# a page about peppers\n" * 40)
    refused(checkpoint)
    with monkeypatch.context() as patch:
        patch.setattr(policies, "FORMAT", 2)
        write_policy(checkpoint)
    assert "format 2" in refused(checkpoint)
    write_checkpoint(checkpoint, {"weights": torch.zeros(3)}, {**game_facts(HEAT_GUESS), "hidden": 4})
    assert "no policy" in refused(checkpoint)
    write_policy(checkpoint, **{"hidden": 4})
    write_checkpoint(checkpoint, read_checkpoint(checkpoint)[0], {**game_facts(HEAT_GUESS), "hidden": 5})
    assert "no policy" in refused(checkpoint)


def test_a_checkpoint_of_another_game_or_declaration_is_refused(checkpoint: Path) -> None:
    assert "its game is 'heat_guess_v0', here it is 'pick_a_pepper_v0'" in refused(checkpoint, PICK_A_PEPPER)
    for name in ("observation", "actions"):
        write_policy(checkpoint, **{name: "0123456789abcdef"})
        assert f"its {name} is" in refused(checkpoint)


def test_game_facts_follow_the_declarations(monkeypatch: pytest.MonkeyPatch) -> None:
    facts, spec = game_facts(HEAT_GUESS), registry.spec(HEAT_GUESS)
    rows = [(*row[:3], "0 … 9", row[4]) for row in spec.layout.rows()]
    changed = SimpleNamespace(layout=SimpleNamespace(rows=lambda: rows), actions=spec.actions)
    monkeypatch.setattr(registry, "spec", lambda game: changed)
    other = game_facts(HEAT_GUESS)
    assert other["observation"] != facts["observation"] and other["actions"] == facts["actions"]


class FullDisk:
    """A file on a disk with room for 1,000 bytes."""

    def __init__(self, path: Path, mode: str) -> None:
        self._file = open(path, mode)  # noqa: SIM115

    def __enter__(self) -> "FullDisk":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, data: bytes) -> None:
        self._file.write(data[:1000])
        raise OSError(errno.ENOSPC, "No space left on device")


def no_space(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(("where", "name", "fails"), [
    (policies, "open", FullDisk), (policies.os, "fsync", no_space), (policies.os, "replace", no_space)
])  # fmt: skip
def test_a_failed_write_leaves_the_former_checkpoint(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch, where: Any, name: str, fails: Callable[..., Any]
) -> None:
    before = checkpoint.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(where, name, fails, raising=False)
        with pytest.raises(OSError, match="No space left"):
            write_policy(checkpoint, hidden=5)
    assert checkpoint.read_bytes() == before and [*checkpoint.parent.iterdir()] == [checkpoint]
    PolicyAgent.read(HEAT_GUESS, checkpoint)
    write_policy(checkpoint, hidden=5)
    assert read_checkpoint(checkpoint)[1]["hidden"] == 5


KILLED = """
import os, signal, sys
import torch
from agents.policy import write_checkpoint

def kill(*_):
    os.kill(os.getpid(), signal.SIGKILL)

setattr(os, sys.argv[2], kill)
write_checkpoint(sys.argv[1], {"weights": torch.zeros(1000)}, {"hidden": 4})
"""


@pytest.mark.slow
@pytest.mark.parametrize("at", ["fsync", "replace"])
def test_a_killed_write_leaves_the_former_checkpoint(checkpoint: Path, at: str) -> None:
    before = checkpoint.read_bytes()
    child = subprocess.run([sys.executable, "-c", KILLED, str(checkpoint), at], cwd=ROOT, check=False)
    assert child.returncode == -signal.SIGKILL
    assert checkpoint.read_bytes() == before
    PolicyAgent.read(HEAT_GUESS, checkpoint)
    write_policy(checkpoint, hidden=5)
    assert read_checkpoint(checkpoint)[1]["hidden"] == 5 and [*checkpoint.parent.iterdir()] == [checkpoint]


def test_a_match_refuses_what_is_none() -> None:
    with pytest.raises(ValueError, match="deals must be at least 1"):
        play_match(HEAT_GUESS, [BotAgent(), BotAgent()], 0)
    with pytest.raises(TypeError, match="'bot' is no agent"):
        play_match(HEAT_GUESS, ["bot", "random"], 1)  # type: ignore[list-item]
