"""Searching agents: honest, repeatable, right where the right answer is known; and the trees that they grow."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from agents.base import SearchAgent, file_of, make_agent
from agents.flat_mc import FlatMonteCarloAgent
from agents.ismcts import ISMCTSAgent
from agents.match import play_match
from agents.policy import Policy, game_facts, write_checkpoint
from pepperenvs.core.jit import PURE_PYTHON
from pepperenvs.core.state import OVER
from pepperenvs.drivers._search import HASTE, NO_NODE
from pepperenvs.drivers.game import load
from pepperenvs.drivers.search import Position, Simulator, simulator
from pepperenvs.drivers.tree import Choices, Plan, Playouts, Tree
from pepperenvs.testing.match import HERE, Match
from tests import miniature
from tests.conformance import odd_variants

HEAT_GUESS = "heat_guess_v0"
KINDS = [ISMCTSAgent, FlatMonteCarloAgent]
SHORT = Plan(rollout="random", depth=6)  # no game is played to its end in these tests
CHEAP = Plan(rollout="random", depth=6, first_child="random")


def positions(game: str, seed: int = 0, most: int = 2**9) -> Iterator[Match]:
    """Matches with odd options and bots among the players, at the next choice after 1, 2, 4, 8 … decisions."""
    one = load(game)
    for values in odd_variants(one.spec):
        wanted = 1
        for decision, match in enumerate(Match(one, values, seed).positions(0.4), 1):
            if wanted > most or match.seat == OVER:
                break
            if decision >= wanted and match.counts[HERE] > 1:
                wanted *= 2
                yield match


def looked(match: Match, seed: int = 0) -> Simulator:
    return simulator(match.game, match.states, HERE, seed)


def replaced(match: Match, seed: int) -> Any:
    """The position with all that the seat to move cannot know, and the generator, drawn anew; [3] as in the match."""
    states = match.states.copy()
    match.game.resample(states, HERE, match.seat, np.array([seed], np.uint64))
    return states


# ------------------------------------------------------------------------------------------------- honesty


@pytest.mark.parametrize("kind", KINDS)
def test_the_move_depends_on_what_the_seat_knows_alone(game: str, kind: type[ISMCTSAgent]) -> None:
    agent = kind(simulations=40, plan=SHORT)
    for match in positions(game):
        move = agent.search(looked(match, 7))
        assert move in match.ids[HERE, : match.counts[HERE]]
        for seed in (1, 2):
            assert agent.search(simulator(match.game, replaced(match, seed), HERE, 7)) == move


class Cheat(ISMCTSAgent):
    """Looks at the true position, which the test lays into its hands."""

    def peek(self, match: Match, states: Any, seed: int) -> int:
        root = Position(match.game, states[HERE : HERE + 1].copy(), np.array([seed], np.uint64))
        simulated = Simulator(root, match.seat, seed)
        tree = Tree(simulated, self.plan)
        tree._game = Unhidden(tree._game)
        tree.grow(self.simulations)
        return tree.choices().most_visited()


class Unhidden:
    """A game whose searches redraw nothing."""

    def __init__(self, game: Any) -> None:
        self.spec, self.bot, self._game = game.spec, game.bot, game

    def search_entry(self, template: str, *examples: Any) -> Any:
        from pepperenvs.core import jit
        from pepperenvs.drivers import _search

        given = {**self._game._given_to_searches, "resample_hidden": nothing, "descend": None}
        given["descend"] = jit.bind(_search.descend, self.spec.folder, **given)
        return jit.entry(jit.bind(getattr(_search, template), self.spec.folder, **given), *examples)


def nothing(state: Any, seat: int) -> None:
    """Leave the hidden parts as they are."""


if not PURE_PYTHON:
    import numba

    nothing = numba.njit(nothing)


def test_a_planted_cheat_is_found_out() -> None:
    cheat, caught = Cheat(simulations=200, plan=Plan(depth=0, growth=0)), 0
    for match in positions(HEAT_GUESS):
        moves = {cheat.peek(match, replaced(match, seed), 7) for seed in range(6)}
        caught += len(moves) > 1
    assert caught > 0


# ------------------------------------------------------------------------------------------- what it depends on


@pytest.mark.parametrize("kind", KINDS)
def test_seed_and_roots_decide_threads_do_not(kind: type[ISMCTSAgent]) -> None:
    match = next(positions("pick_a_pepper_v0"))

    def found(roots: int, threads: int, seed: int = 3) -> bytes:
        choices = kind(simulations=301, roots=roots, threads=threads, plan=SHORT).choices(looked(match, seed))
        return b"".join(part.tobytes() for part in (choices.actions, choices.visits, choices.values))

    assert found(4, 1) == found(4, 4) == found(4, 3)
    assert len({found(4, 1), found(3, 1), found(1, 1), found(4, 1, seed=4)}) == 4


def test_a_tree_goes_on_as_if_it_had_not_stopped() -> None:
    match = next(positions("pick_a_pepper_v0"))
    whole, parts = Tree(looked(match), SHORT, roots=2), Tree(looked(match), SHORT, roots=2)
    whole.grow(3000)
    for _ in range(30):
        parts.grow(100)
    assert parts.iterations == whole.iterations == 3000
    assert np.array_equal(parts.choices().values, whole.choices().values)


@pytest.mark.parametrize("kind", KINDS)
def test_a_budget_in_milliseconds(kind: type[ISMCTSAgent]) -> None:
    match = next(positions(HEAT_GUESS))
    agent = kind(simulations=0, milliseconds=5, plan=CHEAP)
    agent.search(looked(match))
    assert agent.choices(looked(match)).visits.sum() > 100


# -------------------------------------------------------------------------------------------------- the trees


@pytest.mark.nojit
@pytest.mark.parametrize("outcomes", ["merged", "seen"])
def test_trees_count_right(game: str, outcomes: str) -> None:
    for match in positions(game, most=16):
        tree = Tree(looked(match, 5), dataclasses.replace(CHEAP, outcomes=outcomes), roots=2)
        tree.grow(41)
        assert tree.iterations == 41
        choices = tree.choices()
        assert set(choices.actions) <= set(match.ids[HERE, : match.counts[HERE]].tolist())
        assert choices.visits.sum() == 41 and (np.abs(choices.values) <= 1).all()
        for nodes, used in zip(tree._nodes, tree._used[:, 0], strict=True):
            check_tree(nodes, int(used))


def check_tree(nodes: Any, used: int) -> None:
    """Every node but the root is one child of one node; visits and chances fit; few children for few visits."""
    found = [0]
    for node in found:
        children = []
        child = int(nodes[node]["child"])
        while child != NO_NODE:
            children.append(child)
            child = int(nodes[child]["sibling"])
        found += children
        actions = [int(nodes[child]["action"]) for child in children]
        visits = sum(int(nodes[child]["visits"]) for child in children)
        assert len(set(actions)) == len(actions)
        assert visits == nodes[node]["visits"] if node == 0 else visits <= nodes[node]["visits"]
        for child in children:
            assert 1 <= nodes[child]["visits"] <= nodes[child]["chances"] <= nodes[node]["visits"]
            assert (np.abs(nodes[child]["total"]) <= nodes[child]["visits"]).all()
    assert sorted(found) == list(range(used))


@pytest.mark.nojit
@pytest.mark.parametrize("growth", [0.0, 1.0, 2.0, 3.0])
def test_the_slower_the_growth_the_fewer_children(growth: float) -> None:
    one = load(HEAT_GUESS)
    match = Match(one, one.spec.resolve(2, {"heats": 8}), 0)
    counts = []
    for visits in range(1, 31):
        tree = Tree(looked(match), Plan(rollout="random", first_child="random", growth=growth, exploration=10.0))
        tree.grow(visits)
        counts.append(len(tree.choices().actions))
    allowed = [min(8, visits if growth == 0 else int(round(visits ** (1 / growth), 9))) for visits in range(1, 31)]
    assert counts == allowed


def test_the_first_child_is_the_bots_move(game: str) -> None:
    for match in positions(game, most=16):
        tree = Tree(looked(match), Plan(rollout="random", depth=0, first_child="bot"))
        tree.grow(1)
        assert tree.choices().actions.tolist() == [match.game.bot(match.states, HERE)]


def test_the_first_child_gets_its_share_however_it_fares(game: str) -> None:
    match = next(positions(game))
    for share in (0.0, 0.3):
        tree = Tree(looked(match), Plan(rollout="random", depth=0, first_share=share, growth=0.0))
        tree.grow(20)
        tree._nodes["total"][0, 1] = -1e6  # the first child has lost, and lost again
        before = int(tree._nodes["visits"][0, 1])
        tree.grow(200)
        visits = int(tree._nodes["visits"][0, 1])
        assert visits == before if share == 0 else visits >= 0.3 * 220 - 1


def test_positions_valued_by_a_function(game: str) -> None:
    """As good for the seat that stands first as can be: the function is asked for what all seats see."""
    match = next(positions(game))
    asked = []

    def evaluate(seen: np.ndarray) -> np.ndarray:
        asked.append(seen.copy())
        return np.repeat([[0.25] * match.game.spec.max_seats], len(seen), axis=0)

    tree = Tree(looked(match), Plan(depth=0), roots=4)
    tree.grow(40, evaluate)
    choices = tree.choices()
    assert tree.iterations == 40 and choices.visits.sum() == 40
    assert {seen.shape[1:] for seen in asked} == {(match.game.spec.max_seats, match.game.spec.layout.size)}
    assert choices.values.max() == pytest.approx(0.25)
    first = asked[0][0]
    assert (first[match.num_seats :] == 0).all() and (first[: match.num_seats] != 0).any(axis=1).all()


def test_a_network_values_positions(tmp_path: Path) -> None:
    """The search asks it where playouts are cut off, and takes its word: here, that more points ahead are better."""
    match = next(positions(HEAT_GUESS))
    policy = Policy(HEAT_GUESS, 8)
    network = tmp_path / "network.safetensors"
    weights = {f"policy.{name}": tensor for name, tensor in policy.state_dict().items()}
    write_checkpoint(network, weights, {**game_facts(HEAT_GUESS), "hidden": 8})
    agent = make_agent(HEAT_GUESS, f"ismcts:60,roots=3,depth=0,value={network}")
    assert isinstance(agent, ISMCTSAgent) and file_of(agent.name) == str(network)
    choices = agent.choices(looked(match, 7))
    tree = Tree(looked(match, 7), agent.plan, 3)
    tree.grow(60, lambda seen: np.clip(values_of(policy, seen), -1, 1))
    assert choices.visits.tolist() == tree.choices().visits.tolist()
    assert np.allclose(choices.values, tree.choices().values, atol=1e-5)
    without = make_agent(HEAT_GUESS, "ismcts:60,roots=3,depth=0")
    assert isinstance(without, ISMCTSAgent) and not np.allclose(
        without.choices(looked(match, 7)).values, choices.values
    )


def values_of(policy: Policy, seen: np.ndarray) -> np.ndarray:
    """Seat by seat."""
    with torch.no_grad():
        return np.stack([policy.values(torch.from_numpy(seen[:, seat])).numpy() for seat in range(seen.shape[1])], 1)


def test_iterations_are_shared_out_among_roots_that_ask_a_function() -> None:
    tree = Tree(looked(next(positions(HEAT_GUESS))), Plan(depth=0), roots=4)
    tree.grow(10, lambda seen: np.zeros((len(seen), seen.shape[1])))
    assert tree.iterations == 10 and tree.choices().visits.sum() == 10


@pytest.mark.nojit
def test_conclude_ends_a_game_as_a_limit_would(game: str) -> None:
    for match in positions(game, most=64):
        tree = Playouts(looked(match), Plan(rollout="random", depth=0))
        tree.play(1)
        for state in tree._works:
            assert state["to_move"] == OVER and state["standing"][: match.num_seats].min() == 0
            assert sorted(state["standing"][: match.num_seats]) == standings_of(state["standing"][: match.num_seats])


def standings_of(standing: np.ndarray) -> list[int]:
    """What places there can be: as many as stand strictly before."""
    return sorted(int((standing < place).sum()) for place in standing)


# ----------------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    "name",
    ["ismcts:1000", "ismcts:50ms", "flat_mc:300", "ismcts:300,roots=4,rollout=random,depth=40,growth=0",
     "flat_mc:2.5ms,rollout=random", "ismcts:10,first_child=random,exploration=1.5,utility=win"],
)  # fmt: skip
def test_names_are_read_and_written(name: str) -> None:
    agent = make_agent(HEAT_GUESS, name)
    assert agent.name == name and isinstance(agent, SearchAgent)


@pytest.mark.parametrize(
    ("name", "reason"),
    [("ismcts:", "there is no agent"), ("ismcts", "there is no agent"), ("ismcts:ten", "no number"),
     ("ismcts:0", "above 0"), ("ismcts:-5", "above 0"), ("flat_mc:0ms", "above 0"), ("ismcts:10,roots=0", "at least 1"),
     ("ismcts:10,rollout=best", "rollout must be"), ("ismcts:10,depth=-1", "depth must not"),
     ("ismcts:10,speed=9", "no setting 'speed'"), ("ismcts:10,utility=score", "no common scale"),
     ("ismcts:10,growth=-1", "must not be negative"),
     ("ismcts:10,value=it.safetensors", "give a depth"), ("flat_mc:10,depth=3,value=it.safetensors", "no network"),
     ("ismcts:10,first_share=1", "first_share must be"),
     ("ismcts:10,caution=-1", "must not be negative"), ("flat_mc:10,depth=x", "no number")],
)  # fmt: skip
def test_a_name_that_means_nothing_is_refused(name: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        make_agent(HEAT_GUESS, name)


def test_only_the_seat_to_move_searches() -> None:
    match = next(match for match in positions(HEAT_GUESS) if match.num_seats > 1)
    other = (match.seat + 1) % match.num_seats
    with pytest.raises(ValueError, match="is to move"):
        Tree(simulator(match.game, match.states, HERE, 0, other), Plan())
    with pytest.raises(ValueError, match="at least 1"):
        Tree(looked(match), Plan(), roots=0)


# ------------------------------------------------------------------------------------------------ known answers


def test_of_sure_wins_the_earliest_is_chosen() -> None:
    actions = np.array([3, 5, 8], np.int32)
    assert Choices(actions, np.array([50, 40, 2]), np.array([0.96, 0.99, 1.0]), 3).most_visited(9.0) == 5
    assert Choices(actions, np.array([50, 40, 2]), np.array([0.5, 0.6, 1.0]), 8).most_visited() == 3
    assert Choices(actions, np.array([50, 50, 2]), np.array([0.5, 0.6, 1.0]), 8).most_visited() == 5


def test_caution_keeps_to_the_scripted_move_unless_another_is_clearly_better() -> None:
    """With 50 visits each the difference has a standard error of 0.2."""
    actions, visits = np.array([3, 5], np.int32), np.array([50, 50])
    for gain, caution, expected in ((0.1, 0.0, 5), (0.1, 1.0, 3), (0.3, 1.0, 5), (0.3, 2.0, 3), (-0.1, 0.0, 3)):
        choices = Choices(actions, visits, np.array([0.1, 0.1 + gain]), 3)
        assert choices.most_visited(caution) == choices.most_valued(caution) == expected
    assert Choices(actions, visits, np.array([0.1, 0.2]), 7).most_visited(9.0) == 5, "it was never tried"


def test_an_early_end_counts_more() -> None:
    """One card is left, of a known number: the right guess wins at once."""
    one = load(HEAT_GUESS)
    match = Match(one, one.spec.resolve(2, {"kinds": 2, "heats": 4, "copies": 1}), 0)
    state = match.states[HERE]
    state.pile_len, state.remaining[:] = 1, 0
    kind = state.pile[0]
    state.remaining[kind] = 1
    state.score[match.seat] = 1
    state.possible[kind, :4] = 0
    state.possible[kind, state.heat[kind] - 1] = 1
    tree = Tree(looked(match), Plan(rollout="random", first_child="random"))
    tree.grow(400)
    choices = tree.choices()
    assert choices.most_visited() == state.heat[kind] - 1
    assert choices.values.max() == pytest.approx(1.0 - HASTE / 101)


def test_on_small_heat_guess_it_plays_the_optimum() -> None:
    """With a hundred times the budget also where wasting a guess, so that the other must guess, is a little better."""
    one = load(miniature.GAME)
    values = one.spec.resolve(2, miniature.OPTIONS)
    plan = Plan(rollout="random", first_child="random", outcomes="seen", growth=1.0, exploration=1.0, caution=0.0)
    quick, patient = (ISMCTSAgent(simulations=simulations, plan=plan) for simulations in (3000, 300_000))
    losses, choices = [], 0
    for seed in range(40):
        for match in Match(one, values, seed).positions(0.5):
            if match.seat == OVER:
                break
            position = miniature.position_of(looked(match).observation)
            worths = np.array(miniature.action_values(position, None, None))
            if np.ptp(worths) > 0.02:
                choices += 1
                loss = worths.max() - worths[quick.search(looked(match, seed))]
                if loss > 0.02:
                    losses.append(loss)
                    assert worths.max() - worths[patient.search(looked(match, seed))] <= 0.02
    assert choices > 100 and len(losses) < 0.02 * choices


def test_searchers_take_part_in_matches() -> None:
    search = ISMCTSAgent(simulations=30, plan=SHORT)
    once, again = (play_match(HEAT_GUESS, [search, make_agent(HEAT_GUESS, "random")], 3, 5) for _ in range(2))
    assert np.array_equal(once.score, again.score) and once.names == ("ismcts:30,rollout=random,depth=6", "random")


def test_threads_do_not_change_a_match() -> None:
    agents = [make_agent("pick_a_pepper_v0", name) for name in ("ismcts:20,depth=6", "flat_mc:20,depth=6", "bot")]
    one, three = (play_match("pick_a_pepper_v0", agents, 3, 5, threads=threads) for threads in (1, 3))
    assert np.array_equal(one.score, three.score) and np.array_equal(one.length, three.length)
