"""OpenSpiel's own checks and algorithms on every game, and that it plays the games that the other drivers play."""

import copy
import pickle
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from pepperenvs import make_batch, registry

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install pepperenvs[openspiel]")

from open_spiel.python import rl_environment  # noqa: E402
from open_spiel.python.algorithms import cfr, exploitability, external_sampling_mccfr, ismcts  # noqa: E402

from pepperenvs.adapters.openspiel import (  # noqa: E402
    LONGEST,
    SHORT_NAME,
    PepperGame,
    PepperState,
    PlayoutEvaluator,
    make_openspiel,
)

# Heat Guess for two players with 32 information states at which they decide.
SMALL: dict[str, Any] = {"kinds": 2, "heats": 2, "copies": 1, "max_moves": 3, "deals": 8}


def few(game: str) -> int:
    return max(2, registry.spec(game).players[0])


def most(game: str) -> int:
    return registry.spec(game).players[1]


def dealt(game: PepperGame, deal: int = 0) -> PepperState:
    state = game.new_initial_state()
    state.apply_action(deal)
    return state


def walk(state: PepperState, seed: int, limit: int = 100_000) -> Iterator[PepperState]:
    """The state itself before each of at most `limit` random moves, and at the end if it comes to that."""
    chooser = random.Random(seed)
    for _ in range(limit):
        yield state
        if state.is_terminal():
            return
        state.apply_action(chooser.choice(state.legal_actions()))


def sampler(seed: int) -> Callable[[], float]:
    return random.Random(seed).random


# ------------------------------------------------------------------------------------------ OpenSpiel's checks


@pytest.mark.parametrize("players", [few, most])
def test_openspiels_own_simulation(game: str, players: Callable[[str], int]) -> None:
    """Clones, histories, masks, strings of actions, serialization and the ranges of what is declared."""
    one = make_openspiel(game, players(game), deals=50, memory=2)
    pyspiel.random_sim_test(one, 1, players is few, False)


def test_the_games_are_registered() -> None:
    (kind,) = [kind for kind in pyspiel.registered_games() if kind.short_name == SHORT_NAME]
    assert kind.min_num_players == min(registry.spec(game).players[0] for game in registry.games())
    assert kind.max_num_players == max(most(game) for game in registry.games())
    assert pyspiel.load_game(SHORT_NAME).setup.game.spec.id == "heat_guess_v0"


def test_a_game_is_loaded_by_its_parameters(game: str) -> None:
    loaded = pyspiel.load_game(f"{SHORT_NAME}(game={game},players={most(game)},utility=win)")
    made = make_openspiel(game, most(game), "win")
    assert isinstance(loaded, PepperGame) and str(loaded) == str(made) == str(pyspiel.load_game(str(made)))
    assert str(pickle.loads(pickle.dumps(made))) == str(made)
    assert made.num_players() == most(game)
    assert made.num_distinct_actions() == registry.spec(game).actions.size
    assert made.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM


def test_options_reach_the_game_and_come_back() -> None:
    options = {"kinds": 3, "reveal": True, "recall": False}
    made = make_openspiel("heat_guess_v0", 2, **options)
    assert options.items() <= pyspiel.load_game(str(made)).setup.values.items()
    assert made.max_game_length() == made.setup.values["max_moves"]
    assert make_openspiel("jungle_v0", words="off").setup.values["words"] == "off"
    assert make_openspiel("heat_guess_v0").setup.values["recall"] is True
    orders = make_openspiel("potion_contest_v0", 2, personal_orders=[0, 1])
    assert pyspiel.load_game(str(orders)).setup.values["personal_orders"] == [0, 1]
    assert make_openspiel("scoville_v0").max_game_length() == LONGEST


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"game": "mild_v0"}, "there is no game"),
        ({"num_players": 9}, "num_players"),
        ({"kinds": 99}, "kinds"),
        ({"sorts": 2}, "unknown option 'sorts'"),
        ({"utility": "joy"}, "utility"),
        ({"deals": 0}, "deals"),
        ({"max_score": 0}, "max_score"),
        ({"first_deal": -1}, "first_deal"),
        ({"first_deal": 2**31}, "first_deal"),
        ({"memory": -1}, "memory"),
    ],
)
def test_what_is_not_allowed_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_openspiel(**{"game": "heat_guess_v0", **given})


def test_options_of_another_form_are_refused() -> None:
    with pytest.raises(ValueError, match="options must look like"):
        pyspiel.load_game(f"{SHORT_NAME}(options=kinds)")


# ----------------------------------------------------------------------------------- the same game as elsewhere


@pytest.mark.parametrize(("players", "utility"), [(few, "rank"), (most, "win"), (few, "score")])
def test_it_plays_the_games_of_the_batch(game: str, players: Callable[[str], int], utility: str) -> None:
    count, spec, chooser = players(game), registry.spec(game), random.Random(1)
    batch = make_batch(game, 1, num_players=count, utility=utility, seed=5, autoreset=False, recall=True)
    state = dealt(make_openspiel(game, count, utility, first_deal=3, max_score=100_000), 2)
    while not state.is_terminal():
        seat, legal = state.current_player(), state.legal_actions()
        assert seat == batch.seat[0] and legal == np.flatnonzero(batch.action_mask[0]).tolist()
        strings = spec.actions.strings_of(seat, count)
        assert [state.action_to_string(action) for action in legal] == [strings[action] for action in legal]
        seen = np.array(state.observation_tensor(seat), np.float32)
        assert np.array_equal(seen, batch.observation[0] * spec.layout.scale)
        assert state.returns() == [0.0] * count
        action = chooser.choice(legal)
        state.apply_action(action)
        batch.step([action])
    assert batch.finished[0] and state.returns() == batch.final_utility[0, :count].tolist()


def test_deals_are_equally_likely_and_differ(game: str) -> None:
    made = make_openspiel(game, deals=4)
    root = made.new_initial_state()
    assert root.is_chance_node() and root.chance_outcomes() == [(deal, 0.25) for deal in range(4)]
    assert root.action_to_string(3) == "deal 3" and str(root) == "before the deal"
    assert not np.any(root.observation_tensor(0))
    assert len({dealt(made, deal).position.save() for deal in (0, 1, 2, 3, 0)}) == 4
    with pytest.raises(ValueError, match="before the deal"):
        _ = root.position


def test_an_illegal_action_is_refused_and_changes_nothing(game: str) -> None:
    state = dealt(make_openspiel(game))
    illegal = next(action for action in range(state.num_distinct_actions()) if action not in state.legal_actions())
    saved = state.serialize()
    with pytest.raises(ValueError, match="cannot"):
        state.apply_action(illegal)
    assert state.serialize() == saved


def test_a_score_beyond_the_declared_bound_is_an_error() -> None:
    state = dealt(make_openspiel("heat_guess_v0", utility="score", max_score=1))
    with pytest.raises(ValueError, match="max_score=1"):
        for here in walk(state, 1):
            here.returns()


# ------------------------------------------------------------------------------------------------------ clones


def test_a_clone_stands_alone_and_has_the_same_future(game: str) -> None:
    state = dealt(make_openspiel(game, memory=1))
    for here in walk(state, 3, 12):
        saved, clone, twin = here.serialize(), here.clone(), copy.deepcopy(here)
        ends = [list(walk(one, 4))[-1] for one in (clone, twin)]
        assert here.serialize() == saved != clone.serialize()
        assert ends[0].history() == ends[1].history() and ends[0].position == ends[1].position


# ------------------------------------------------------------------------------------------ information states


def own_decisions(state: PepperState, player: int) -> tuple[Any, ...]:
    """What a player saw and did so far and sees now, by playing the history again."""
    again, seen = state.get_game().new_initial_state(), []
    for action in state.history():
        if not again.is_chance_node() and again.current_player() == player:
            seen.append((again.observation_string(player), action))
        again.apply_action(action)
    return (*seen, again.observation_string(player))


def tree(state: PepperState) -> Iterator[PepperState]:
    """All states that are not chance nodes."""
    if not state.is_chance_node():
        yield state
    for action in state.legal_actions():
        yield from tree(state.child(action))


def test_information_states_are_those_of_perfect_recall() -> None:
    memories: dict[str, tuple[Any, ...]] = {}
    legal: dict[str, list[int]] = {}
    count = 0
    for state in tree(make_openspiel("heat_guess_v0", 2, **SMALL).new_initial_state()):
        for player in range(2):
            key, memory = state.information_state_string(player), own_decisions(state, player)
            assert memories.setdefault(key, memory) == memory
            assert legal.setdefault(key, state.legal_actions(player)) == state.legal_actions(player)
            count += 1
    assert len(set(memories.values())) == len(memories) < count


def test_a_player_knows_what_it_did(game: str) -> None:
    """Also where nothing on the table tells."""
    for here in walk(dealt(make_openspiel(game, few(game))), 9, 20):
        player, children = here.current_player(), [here.child(action) for action in here.legal_actions()]
        assert len({child._table.pasts[player].digest for child in children}) == len(children)
        assert len({child.information_state_string(player) for child in children}) == len(children)


def test_the_tensor_of_the_information_state_holds_the_last_decisions(game: str) -> None:
    made = make_openspiel(game, few(game), memory=2)
    cells, actions = registry.spec(game).layout.size, registry.spec(game).actions.size
    assert made.information_state_tensor_shape() == [cells + 2 * (cells + actions)]
    state = dealt(made)
    kept: list[tuple[list[float], int]] = []
    chooser = random.Random(2)
    for _ in range(20):
        if state.is_terminal():
            break
        now, past, acts = np.split(np.array(state.information_state_tensor(0)), [cells, 3 * cells])
        assert now.tolist() == state.observation_tensor(0)
        wanted = kept[:2]
        assert past.reshape(2, cells).tolist()[: len(wanted)] == [seen for seen, _ in wanted]
        assert not np.any(past.reshape(2, cells)[len(wanted) :])
        assert [np.flatnonzero(row).tolist() for row in acts.reshape(2, actions)][: len(wanted)] == [
            [action] for _, action in wanted
        ]
        action = chooser.choice(state.legal_actions())
        if state.current_player() == 0:
            kept.insert(0, (state.observation_tensor(0), action))
        state.apply_action(action)


def test_without_memory_there_is_no_such_tensor() -> None:
    made = make_openspiel("heat_guess_v0")
    assert not made.get_type().provides_information_state_tensor
    observer = made.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    assert observer.tensor is None and observer.dict == {}
    observer.set_from(dealt(made), 0)


def test_observations_come_whole() -> None:
    made = make_openspiel("heat_guess_v0")
    for kind in (
        pyspiel.IIGObservationType(perfect_recall=False, public_info=False),
        pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS),
    ):
        with pytest.raises(ValueError, match="all that one player sees"):
            made.make_py_observer(kind)


# -------------------------------------------------------------------------------------------------- resampling


@pytest.mark.parametrize("players", [few, most])
def test_a_redraw_keeps_what_the_player_knows(game: str, players: Callable[[str], int]) -> None:
    state = dealt(make_openspiel(game, players(game), memory=2))
    for step, here in enumerate(walk(state, 5)):
        if step & (step - 1) and not here.is_terminal():
            continue
        for player in range(players(game)):
            drawn = here.resample_from_infostate(player, sampler(step))
            assert drawn.information_state_string(player) == here.information_state_string(player)
            assert drawn.information_state_tensor(player) == here.information_state_tensor(player)
            assert drawn.current_player() == here.current_player() and drawn.history() == []
            if player == here.current_player():
                assert drawn.legal_actions() == here.legal_actions()


def test_a_redraw_changes_what_is_hidden(game: str) -> None:
    state = dealt(make_openspiel(game, few(game)))
    player = state.current_player()
    drawn = [state.resample_from_infostate(player, sampler(seed)) for seed in range(20)]
    assert not any(one.position.same_table(state.position) for one in drawn)
    assert len({one.position.save() for one in drawn}) == 20


def test_a_redraw_follows_from_the_players_knowledge_and_the_number(game: str) -> None:
    for step, here in enumerate(walk(dealt(make_openspiel(game, few(game))), 6, 40)):
        if here.is_terminal():
            return
        player = here.current_player()
        other = here.resample_from_infostate(player, sampler(1000 + step))
        first, second = (one.resample_from_infostate(player, sampler(step)) for one in (here, other))
        assert first.position == second.position and first.serialize() == second.serialize()


def test_a_redraw_forgets_the_pasts_of_others(game: str) -> None:
    """Else their information states, from which searches make nodes, would tell what they saw."""
    states = list(walk(dealt(make_openspiel(game, few(game), memory=3)), 7, 30))
    here = states[-1]
    drawn = here.resample_from_infostate(0, sampler(1))
    assert here._table.pasts[1].recent and drawn._table.pasts[0] is here._table.pasts[0]
    assert {past.digest for past in drawn._table.pasts[1:]} == {b"unknown"}
    assert not any(past.recent for past in drawn._table.pasts[1:])


def test_there_is_nothing_to_redraw_before_the_deal() -> None:
    with pytest.raises(ValueError, match="before the deal"):
        make_openspiel("heat_guess_v0").new_initial_state().resample_from_infostate(0, sampler(1))


# ------------------------------------------------------------------------------------------------- algorithms


def searcher(made: PepperGame, simulations: int, seed: int) -> ismcts.ISMCTSBot:
    """OpenSpiel's ISMCTS whose redraws follow from the seed: by itself it takes the time for one."""
    bot = ismcts.ISMCTSBot(made, PlayoutEvaluator(), 1.4, simulations, random_state=np.random.RandomState(seed))
    numbers = sampler(seed)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, numbers))
    return bot


@pytest.mark.parametrize("name", ["heat_guess_v0", "pick_a_pepper_v0", "you_wish_v0"])
def test_openspiels_ismcts_plays_whole_games(name: str) -> None:
    made = make_openspiel(name, few(name))
    bot = ismcts.ISMCTSBot(made, PlayoutEvaluator("bot"), 1.4, 4, random_state=np.random.RandomState(1))
    state = dealt(made)
    while not state.is_terminal():
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
    assert sum(state.returns()) == pytest.approx(0.0)


def test_openspiels_ismcts_knows_no_hidden_truth(game: str) -> None:
    made = make_openspiel(game, few(game))
    for here in walk(dealt(made), 8, 6):
        if here.is_terminal():
            break
        other = here.resample_from_infostate(here.current_player(), sampler(9))
        assert searcher(made, 6, 1).get_policy(here) == searcher(made, 6, 1).get_policy(other)


def test_openspiels_ismcts_beats_random_players() -> None:
    made = make_openspiel("heat_guess_v0", 2)
    chooser, total = random.Random(1), 0.0
    for deal in range(10):
        state, bot = dealt(made, deal), searcher(made, 30, deal)
        while not state.is_terminal():
            is_own = state.current_player() == deal % 2
            state.apply_action(bot.step(state) if is_own else chooser.choice(state.legal_actions()))
        total += state.returns()[deal % 2]
    assert total > 0


def test_openspiels_cfr_comes_near_equilibrium() -> None:
    made = make_openspiel("heat_guess_v0", 2, **SMALL)
    solver = cfr.CFRSolver(made)
    before = exploitability.nash_conv(made, solver.average_policy())
    for _ in range(50):
        solver.evaluate_and_update_policy()
    after = exploitability.nash_conv(made, solver.average_policy())
    assert before > 0.5 and after < 0.05


def test_openspiels_mccfr_comes_nearer_equilibrium() -> None:
    made = make_openspiel("heat_guess_v0", 2, **SMALL)
    np.random.seed(0)  # noqa: NPY002 -- its solver draws from NumPy's global generator
    solver = external_sampling_mccfr.ExternalSamplingSolver(made)
    for _ in range(200):
        solver.iteration()
    assert exploitability.nash_conv(made, solver.average_policy()) < 0.25


def test_openspiels_learners_environment_takes_it(game: str) -> None:
    environment = rl_environment.Environment(make_openspiel(game, few(game)))
    environment.seed(1)
    step, chooser, moves = environment.reset(), random.Random(1), 0
    while not step.last():
        legal = step.observations["legal_actions"][step.observations["current_player"]]
        step = environment.step([chooser.choice(legal)])
        moves += 1
    assert moves > 0 and sum(step.rewards) == pytest.approx(0.0)


@pytest.mark.parametrize("policy", ["random", "bot"])
def test_playouts_are_averages_of_returns_and_leave_the_state(game: str, policy: str) -> None:
    state, evaluator = dealt(make_openspiel(game, few(game))), PlayoutEvaluator(policy, 3)
    saved, values = state.serialize(), evaluator.evaluate(state)
    assert values.shape == (few(game),) and np.all(np.abs(values) <= 1) and values.sum() == pytest.approx(0.0)
    assert state.serialize() == saved
    prior = evaluator.prior(state)
    assert [action for action, _ in prior] == state.legal_actions()
    assert sum(chance for _, chance in prior) == pytest.approx(1.0)
