"""Batches whose games differ in options and players, are begun or played in part, and are played against agents."""

import pickle
from typing import Any

import numpy as np
import pytest

from pepperenvs.core.spec import GameSpec
from pepperenvs.core.state import OVER
from pepperenvs.drivers import game as games
from pepperenvs.drivers._kernels import ASKED, BOT, FIRST_AGENT, RANDOM
from pepperenvs.drivers.batch import Batch
from pepperenvs.drivers.game import IllegalActionError
from pepperenvs.testing.match import variants
from tests.conformance import few
from tests.conformance.test_batch import SEED, player_counts, playing, snapshot


class FirstLegal:
    """An agent that plays the first legal action, and notes how many decisions it was asked for at once."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def act(self, observation: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        self.asked.append(len(observation))
        return action_mask.argmax(axis=1)


class LastLegal:
    def act(self, observation: np.ndarray, action_mask: np.ndarray) -> list[int]:
        return [int(np.flatnonzero(mask)[-1]) for mask in action_mask]


class Failing:
    """An agent that answers wrongly from a certain time on."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.good = answer, 10**9

    def act(self, observation: np.ndarray, action_mask: np.ndarray) -> Any:
        self.good -= 1
        return action_mask.argmax(axis=1) if self.good >= 0 else [self.answer] * len(observation)


def several(spec: GameSpec) -> list[dict[str, Any]]:
    """Some quite different sets of options, one for every player count at least."""
    found = variants(spec)
    return [values for index, values in enumerate(found) if index % 3 == 0 or index == len(found) - 1]


# ------------------------------------------------------------------------------------------ different options


def test_games_of_different_options_equal_batches_of_their_own(game: str) -> None:
    mixed = several(games.load(game).spec)
    together = Batch(game, len(mixed) + 1, variants=mixed, seed=SEED)
    alone = [Batch(game, 1, **values, seed=SEED + index) for index, values in enumerate([*mixed, mixed[0]])]
    for actions in playing(together):
        for index, one in enumerate(alone):
            assert together.options_of(index) == one.options
            assert together._states[index].tobytes() == one._states.tobytes()
            assert together.observation[index].tobytes() == one.observation.tobytes()
            assert together.num_seats[index] == one.num_players == one.num_seats[0]
            one.step(actions[index : index + 1])
        together.step(actions)
        for name in ("finished", "truncated", "final_score", "final_standing", "final_utility", "final_length"):
            assert getattr(together, name).tolist() == [getattr(one, name)[0].tolist() for one in alone], name


def test_variants_overrule_what_holds_for_all(game: str) -> None:
    counts = player_counts(game)
    batch = Batch(game, 5, num_players=counts[-1], variants=[{}, {"num_players": counts[0]}])
    assert batch.num_seats.tolist() == [counts[-1], counts[0], counts[-1], counts[0], counts[-1]]
    batch.reset(num_players=counts[0])
    assert batch.num_seats.tolist() == [counts[0]] * 5
    batch.reset()
    assert batch.num_seats.tolist() == [counts[-1], counts[0], counts[-1], counts[0], counts[-1]]


def test_wrong_variants_are_refused(game: str) -> None:
    fewest, most = player_counts(game)[0], player_counts(game)[-1]
    for wrong in ([], [{"num_players": most + 1}], [{"no_such_option": 1}], [{}, {"num_players": 0}]):
        with pytest.raises(ValueError):
            Batch(game, 2, variants=wrong)
    with pytest.raises(ValueError, match="seat"):
        Batch(game, 2, variants=[{"num_players": most}, {"num_players": fewest}], seat=most - 1)
    batch = Batch(game, 2, seed=SEED, num_players=most)
    before = snapshot(batch)
    with pytest.raises(ValueError):
        batch.reset(num_players=most + 1)
    assert snapshot(batch) == before


# ------------------------------------------------------------------------------------------ parts of a batch


def test_only_the_chosen_games_begin(game: str) -> None:
    batch, other = Batch(game, 4, seed=SEED), Batch(game, 4, seed=SEED + 50)
    for actions in playing(batch):
        batch.step(actions)
    kept = [batch.get_state(index) for index in range(4)]
    batch.reset(SEED + 50, chosen=[False, True, False, True])
    for index, begun in enumerate((False, True, False, True)):
        assert batch.get_state(index) == (other.get_state(index) if begun else kept[index])
    assert not batch.finished.any()


def test_only_the_chosen_games_are_played(game: str) -> None:
    batch = Batch(game, 4, seed=SEED)
    kept = [batch.get_state(index) for index in range(4)]
    actions = batch.sample_actions()
    actions[1] = 10**9  # not looked at
    batch.step(actions, chosen=[True, False, False, True])
    assert [batch.get_state(index) == kept[index] for index in range(4)] == [False, True, True, False]


def test_a_batch_may_begin_later(game: str) -> None:
    batch = Batch(game, 3, begin=False)
    assert (batch.seat == OVER).all() and not batch.action_mask.any() and not batch.num_seats.any()
    with pytest.raises(IllegalActionError):
        batch.step([0, 0, 0])
    batch.reset(SEED)
    assert snapshot(batch) == snapshot(Batch(game, 3, seed=SEED))


def test_learners_see_the_final_table(game: str) -> None:
    batch = Batch(game, 3, seed=SEED, opponents="bot", seat=1, autoreset=False, num_players=few(game))
    for actions in playing(batch):
        batch.step(actions)
        assert batch.observe_learners().tolist() == [batch.observe(index, 1).tolist() for index in range(3)]
    out = np.full_like(batch.observation, 99)
    assert batch.observe_learners([True, False, True], out) is out
    assert (out[1] == 99).all() and out[2].tobytes() == batch.observe(2, 1).tobytes()
    with pytest.raises(ValueError, match="out must be"):
        batch.observe_learners(out=out[:, ::2])
    with pytest.raises(ValueError, match="no learner"):
        Batch(game, 1).observe_learners()


# ---------------------------------------------------------------------------------------------------- agents


@pytest.mark.parametrize("autoreset", [True, False])
def test_agents_play_as_if_the_caller_asked_them(game: str, autoreset: bool) -> None:
    most = player_counts(game)[-1]
    given: dict[str, Any] = {"num_players": most, "seed": SEED, "seat": 0, "autoreset": autoreset}
    mine = Batch(game, 6, opponents=FirstLegal(), **given)
    asked = Batch(game, 6, opponents="agent", **given)
    ended = np.zeros(6, bool)
    while not ended.all():
        ended |= _ask_others(asked)
        ended |= mine.finished
        assert snapshot_of_play(mine) == snapshot_of_play(asked)
        actions = mine.sample_actions()
        mine.step(actions)
        running = asked.seat != OVER
        asked.step(np.where(running, actions, 0))
        ended |= asked.finished


def _ask_others(batch: Batch) -> np.ndarray:
    """Play the first legal action for every seat that is not the learner's; returns which games have ended by it."""
    ended = np.zeros(batch.num_envs, bool)
    while (others := (batch.seat != OVER) & (batch.seat != batch.learner)).any():
        batch.step(batch.action_mask.argmax(axis=1), chosen=others)
        ended |= batch.finished
    return ended


def snapshot_of_play(batch: Batch) -> dict[str, bytes]:
    """What does not tell who answers for a seat, nor in which call a game ended."""
    return {
        name: data
        for name, data in snapshot(batch).items()
        if name not in ("policies", "_finished", "_truncated", "_sampling", "_streams")
    }


def test_agents_are_asked_for_many_games_at_once(game: str) -> None:
    agent = FirstLegal()
    batch = Batch(game, 64, num_players=few(game), seed=SEED, seat=0, opponents=agent)
    for _ in range(5):
        batch.step(batch.sample_actions())
    assert max(agent.asked) > 8


def test_a_mixture_holds_names_and_agents(game: str) -> None:
    first, last = FirstLegal(), LastLegal()
    mixture = {"random": 1, first: 2, "bot": 1, last: 4}
    # Without auto-reset, which passes over games that end before the learner is asked.
    batch = Batch(game, 4000, num_players=few(game), seed=SEED, seat=0, opponents=mixture, autoreset=False)
    counts = np.bincount(batch.policies[:, 1], minlength=5)
    shares = {RANDOM: 1 / 8, BOT: 1 / 8, FIRST_AGENT: 2 / 8, FIRST_AGENT + 1: 4 / 8}
    assert counts[ASKED] == 0
    for policy, share in shares.items():
        assert abs(counts[policy] / 4000 - share) < 5 * np.sqrt(share * (1 - share) / 4000)
    policies = batch.policies.copy()
    batch.step(batch.sample_actions())
    assert (policies == batch.policies)[~batch.finished].all()


@pytest.mark.parametrize(("answer", "error"), [(10**6, IllegalActionError), (0.5, TypeError)])
def test_a_failing_agent_leaves_only_a_reset(game: str, answer: Any, error: type[Exception]) -> None:
    agent = Failing(answer)
    batch = Batch(game, 2, num_players=few(game), seed=SEED, seat=0, opponents=agent)
    agent.good = 3
    with pytest.raises(error):
        for _ in range(200):
            batch.step(batch.sample_actions())
    for call in (lambda: batch.step([0, 0]), batch.save):
        with pytest.raises(RuntimeError, match="reset the batch"):
            call()
    agent.good = 10**9
    batch.reset(SEED)
    assert snapshot(batch) == snapshot(Batch(game, 2, num_players=few(game), seed=SEED, seat=0, opponents=FirstLegal()))


def test_games_that_never_ask_the_learner_are_refused_with_agents_too() -> None:
    with pytest.raises(RuntimeError, match="before the learner"):
        Batch("heat_guess_v0", 2, opponents=FirstLegal(), seat=1, max_moves=1)


@pytest.mark.parametrize("wrong", ["nobody", object(), {"bot": -1}, {"bot": 0}, {}, {"bot": float("nan")}, 3])
def test_who_is_no_opponent_is_refused(game: str, wrong: Any) -> None:
    with pytest.raises(ValueError, match="opponent"):
        Batch(game, 1, opponents=wrong)


def test_a_batch_with_agents_and_variants_is_pickled(game: str) -> None:
    batch = Batch(game, 4, variants=[{"num_players": count} for count in player_counts(game)], seed=SEED,
                  opponents={"bot": 1, LastLegal(): 1}, num_threads=2)  # fmt: skip
    copy: Any = pickle.loads(pickle.dumps(batch))
    for actions in playing(batch):
        batch.step(actions)
        copy.sample_actions()
        copy.step(actions)
        assert snapshot(copy) == snapshot(batch)
