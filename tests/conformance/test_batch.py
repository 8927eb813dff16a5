"""Batches: equal to single games byte for byte, whatever their size, and nothing but what was asked for changes."""

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from pepperenvs.core import rng as generator
from pepperenvs.core import utility
from pepperenvs.core.state import OVER, SaveError
from pepperenvs.drivers import game as games
from pepperenvs.drivers._kernels import ASKED, BOT, NO_LEARNER, OPPONENTS, RANDOM, RESTART
from pepperenvs.drivers.batch import _BUFFERS, Batch
from pepperenvs.drivers.game import Game, IllegalActionError
from tests.conformance import few

SEED = 71
MOST_STEPS = 20_000  # no game here may be longer
SENTINEL = 111


class Single:
    """One game played by the entry points for single games: what every batch is compared with."""

    def __init__(self, game: Game, num_players: int, seed: int) -> None:
        self.game = game
        self.states, self.blank = (game.blank(game.spec.resolve(num_players)) for _ in range(2))
        self.views = game.view_buffers(1)
        self.begin(seed)

    def begin(self, seed: int = -1) -> None:
        self.game.prepare(self.states, 0, self.blank, 0, seed)
        self.play(RESTART)

    def play(self, action: int) -> None:
        self.seat = self.game.turn(self.states, 0, action, *self.views)

    def utilities(self, kind: str) -> np.ndarray:
        out = np.zeros(self.game.spec.max_seats)
        self.game.utilities(self.states, 0, utility.KINDS[kind], out)
        return out


def player_counts(game: str) -> range:
    fewest, most, _ = games.load(game).spec.players
    return range(fewest, most + 1)


def snapshot(batch: Batch) -> dict[str, bytes]:
    """All bytes of a batch but those of its scratch arrays."""
    return {name: getattr(batch, name).tobytes() for name in _BUFFERS if name not in ("_actions", "_chosen", "_ids")}


def playing(batch: Batch, enough: int = 1) -> Iterator[np.ndarray]:
    """Random actions, step by step, until every game has ended so often; the caller steps."""
    ended = (batch.seat == OVER).astype(int)  # before anybody was asked
    for _ in range(MOST_STEPS):
        if (ended >= enough).all():
            return
        yield batch.sample_actions()
        ended += batch.finished
    raise AssertionError("games do not end")


def check_results(batch: Batch, index: int, single: Single, kind: str) -> None:
    """The reported results are those of a game that is over."""
    state = single.states[0]
    assert batch.truncated[index] == state["truncated"]
    assert batch.final_length[index] == state["moves"]
    assert batch.final_score[index].tolist() == state["score"].tolist()
    assert batch.final_standing[index].tolist() == state["standing"].tolist()
    assert batch.final_utility[index].tobytes() == single.utilities(kind).tobytes()


# ------------------------------------------------------------------------------------------ as one by one


@pytest.mark.parametrize(("num_envs", "kind"), [(1, "rank"), (3, "win"), (64, "score")])
def test_a_batch_equals_its_games_one_by_one(game: str, num_envs: int, kind: str) -> None:
    for num_players in player_counts(game):
        batch = Batch(game, num_envs, num_players=num_players, utility=kind, seed=SEED)
        singles = [Single(games.load(game), num_players, SEED + index) for index in range(num_envs)]
        for actions in playing(batch):
            batch.step(actions)
            for index, single in enumerate(singles):
                single.play(int(actions[index]))
                assert batch.finished[index] == (single.seat == OVER)
                if single.seat == OVER:
                    check_results(batch, index, single, kind)
                    single.begin()  # its own stream goes on
            assert batch.seat.tolist() == [single.seat for single in singles]
            assert batch._states.tobytes() == b"".join(single.states.tobytes() for single in singles)
            assert batch.action_mask.tobytes() == b"".join(single.views[2].tobytes() for single in singles)
            assert batch.observation.tobytes() == b"".join(single.views[3].tobytes() for single in singles)


def test_mask_and_observation_are_those_computed_afresh(game: str) -> None:
    batch = Batch(game, 3, seed=SEED)
    loaded = games.load(game)
    for actions in playing(batch, 2):
        batch.step(actions)
        for index in range(3):
            mask = np.zeros(batch.spec.actions.size, np.int8)
            mask[loaded.legal_ids(batch._states, index)] = 1
            assert batch.action_mask[index].tobytes() == mask.tobytes()
            seen = batch.observe(index, int(batch.seat[index]))
            assert batch.observation[index].tobytes() == seen.tobytes()
            strings = [loaded.strings(batch._states, index)[action] for action in np.flatnonzero(mask)]
            assert batch.legal_actions(index) == strings


@pytest.mark.nojit
def test_every_cell_is_written(game: str) -> None:
    clean, dirty = Batch(game, 5, seed=SEED, opponents="random"), Batch(game, 5, seed=SEED, opponents="random")
    finals = ("final_length", "final_score", "final_standing", "final_utility", "final_observation")
    for actions in playing(clean):
        for name in ("observation", "seat", "finished", "truncated", *finals):
            getattr(dirty, name).fill(SENTINEL)
        clean.step(actions)
        dirty.step(actions)
        for name in ("observation", "seat", "finished", "truncated", "action_mask", "learner", "policies"):
            assert getattr(clean, name).tobytes() == getattr(dirty, name).tobytes(), name
        for name in finals:
            assert (getattr(clean, name)[clean.finished] == getattr(dirty, name)[clean.finished]).all(), name
            assert (getattr(dirty, name)[~clean.finished] == SENTINEL).all(), name


def test_the_learners_view_of_the_end_is_kept(game: str) -> None:
    """With auto-reset the buffers show the next game already."""
    options = {"seed": SEED, "opponents": "random"}
    going_on, stopping = Batch(game, 5, **options), Batch(game, 5, autoreset=False, **options)
    while (stopping.seat != OVER).any():
        actions = np.where(stopping.seat != OVER, stopping.sample_actions(), going_on.sample_actions())
        going_on.step(actions)
        stopping.step(actions)
        rows = np.flatnonzero(stopping.finished)
        seen = stopping.observe_learners()
        assert (going_on.final_observation[rows] == seen[rows]).all()
        assert (stopping.final_observation[rows] == seen[rows]).all()
    assert Batch(game, 2).final_observation.shape == (0, going_on.spec.layout.size)


def test_the_neighbours_do_not_matter(game: str) -> None:
    batch, other = Batch(game, 3, seed=SEED), Batch(game, 3, seed=[SEED, 5, SEED + 2])
    for actions in playing(batch):
        other.step(np.where([False, True, False], other.sample_actions(), actions))
        batch.step(actions)
        for index in (0, 2):
            assert batch._states[index].tobytes() == other._states[index].tobytes()
            assert batch.observation[index].tobytes() == other.observation[index].tobytes()
            assert batch.action_mask[index].tobytes() == other.action_mask[index].tobytes()


def test_a_rollout_equals_steps_with_sampled_actions(game: str) -> None:
    stepped, rolled = Batch(game, 4, seed=SEED), Batch(game, 4, seed=SEED)
    moves = ended = lengths = 0
    for actions in playing(stepped, 2):
        stepped.step(actions)
        moves += 1
        ended += int(stepped.finished.sum())
        lengths += int(stepped.final_length[stepped.finished].sum())
    assert rolled.random_rollout(moves) == (4 * moves, ended, lengths / ended)
    for name in ("_states", "_sampling", "action_mask", "observation", "seat"):
        assert getattr(stepped, name).tobytes() == getattr(rolled, name).tobytes(), name
    assert rolled.random_rollout(0) == (0, 0, 0.0)


# --------------------------------------------------------------------------------------------------- seeds


@pytest.mark.nojit
def test_the_same_seed_gives_the_same_games(game: str) -> None:
    batch = Batch(game, 3, seed=SEED, opponents="random")
    first = snapshot(batch)
    batch.step(batch.sample_actions())
    batch.reset(seed=SEED)
    again = {name: data for name, data in snapshot(batch).items() if not name.startswith("final")}
    assert again == {name: first[name] for name in again}
    batch.reset(seed=[SEED, SEED + 1, SEED + 2])
    assert snapshot(batch)["_states"] == first["_states"]
    batch.reset(seed=np.array([SEED + 1, SEED, SEED + 2]))
    assert batch.get_state(1) == Batch(game, 1, seed=SEED, opponents="random", seat="random").get_state(0)


@pytest.mark.nojit
def test_reset_without_a_seed_goes_on_with_the_streams(game: str) -> None:
    batch, single = Batch(game, 1, seed=SEED), Single(games.load(game), games.load(game).spec.players[2], SEED)
    batch.reset()
    single.begin()
    assert batch._states.tobytes() == single.states.tobytes()
    assert batch._states["rng"][0, 0] != Batch(game, 1, seed=SEED)._states["rng"][0, 0]


def test_a_batch_without_a_seed_takes_entropy(game: str) -> None:
    assert (Batch(game, 2)._states["rng"] != Batch(game, 2)._states["rng"]).all()


@pytest.mark.nojit
def test_large_seeds_wrap_and_bad_ones_are_refused(game: str) -> None:
    batch = Batch(game, 2, seed=games.MAX_SEED)
    assert batch.get_state(1) == Batch(game, 1, seed=0).get_state(0)
    before = snapshot(batch)
    for seed in (-1, [3, -1], [1], [1, 2, 3]):
        with pytest.raises(ValueError, match="seed"):
            batch.reset(seed=seed)
    for seed in (1.5, "1", [1, 2.5]):
        with pytest.raises(TypeError):
            batch.reset(seed=seed)
    assert snapshot(batch) == before


@pytest.mark.nojit
def test_fewer_players_until_the_next_reset(game: str) -> None:
    fewest, most, _ = games.load(game).spec.players
    batch = Batch(game, 2, num_players=most, seed=SEED, opponents="bot")
    batch.reset(seed=SEED, num_players=fewest)
    assert batch._states.tobytes() == Batch(game, 2, num_players=fewest, seed=SEED, opponents="bot")._states.tobytes()
    assert batch.num_seats.tolist() == [fewest, fewest]
    assert not batch.policies[:, fewest:].any()
    batch.reset(seed=SEED)
    assert batch.num_seats.tolist() == [most, most]
    with pytest.raises(ValueError, match="num_players"):
        batch.reset(num_players=most + 1)


# -------------------------------------------------------------------------------------------- wrong inputs


@pytest.mark.nojit
def test_an_illegal_action_names_its_game_and_moves_none(game: str) -> None:
    batch = Batch(game, 4, seed=SEED)
    batch.step(batch.sample_actions())
    before = snapshot(batch)
    size = batch.spec.actions.size
    never = int(batch.action_mask[2].argmin())  # the first illegal action, in these games there is one
    for wrong in (never, size, -1, -size, 2**62):
        actions = batch.sample_actions(out=np.zeros(4, np.int64))
        batch._sampling[:] = np.frombuffer(before["_sampling"], np.uint64).reshape(4, 1)
        actions[2] = wrong
        with pytest.raises(IllegalActionError, match="game 2 of the batch") as caught:
            batch.step(actions)
        error = caught.value
        assert (error.game, error.index, error.seat) == (game, 2, batch.seat[2])
        assert list(error.legal) == batch.legal_actions(2)
        assert error.action == (games.load(game).strings(batch._states, 2)[wrong] if 0 <= wrong < size else str(wrong))
        assert snapshot(batch) == before
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.nojit
def test_actions_may_be_any_integers(game: str) -> None:
    expected = Batch(game, 2, seed=SEED)
    actions = expected.sample_actions()
    expected.step(actions)
    wide = np.zeros(4, np.int64)
    wide[::2] = actions
    for given in (actions.tolist(), tuple(actions), actions.astype(np.uint16), actions.astype(">i4"), wide[::2]):
        batch = Batch(game, 2, seed=SEED)
        batch.step(given)
        assert batch._states.tobytes() == expected._states.tobytes()


@pytest.mark.nojit
def test_wrong_actions_are_refused(game: str) -> None:
    batch = Batch(game, 2, seed=SEED)
    before = snapshot(batch)
    for wrong in ([0.0, 1.0], [True, False], ["a", "b"], [None, None], []):
        with pytest.raises(TypeError, match="actions must be integers"):
            batch.step(wrong)
    for wrong in (0, [0], [0, 0, 0], [[0, 0]], np.zeros((2, 1), int)):
        with pytest.raises(ValueError, match="shape"):
            batch.step(wrong)
    with pytest.raises(IllegalActionError, match=str(2**64 - 1)):
        batch.step(np.array([2**64 - 1, 0], np.uint64))
    assert snapshot(batch) == before


@pytest.mark.nojit
def test_wrong_arguments_are_refused(game: str) -> None:
    for arguments in (
        {"num_envs": 0},
        {"num_players": 99},
        {"utility": "fun"},
        {"opponents": "nobody"},
        {"opponents": {"bot": -1.0}},
        {"opponents": {"bot": float("nan")}},
        {"opponents": {"bot": 0}},
        {"opponents": {}},
        {"seat": 99},
        {"seat": -1},
        {"seat": "first"},
        {"seed": -5},
        {"no_such_option": 1},
    ):
        with pytest.raises(ValueError):
            Batch(game, **{"num_envs": 2, **arguments})
    with pytest.raises(ValueError, match="no game"):
        Batch("no_game_v0", 2)


@pytest.mark.nojit
def test_wrong_buffers_are_refused(game: str) -> None:
    batch = Batch(game, 2, seed=SEED)
    frozen = np.zeros(2, np.int64)
    frozen.flags.writeable = False
    for out in (np.zeros(3, np.int64), np.zeros(2, np.int32), np.zeros(4, np.int64)[::2], [0, 0], frozen):
        with pytest.raises(ValueError, match="out must be"):
            batch.sample_actions(out=out)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="out must be"):
            batch.bot_actions(out=out)  # type: ignore[arg-type]
    for chosen in ([True], [1.0, 0.0], [[True, False]]):
        with pytest.raises(ValueError, match="chosen must be"):
            batch.bot_actions(chosen)
    for index in (-1, 2):
        for method in (batch.legal_actions, batch.get_state, lambda index: batch.observe(index, 0)):
            with pytest.raises(IndexError):
                method(index)
    for seat in (-1, batch.num_players):
        with pytest.raises(ValueError, match="seat"):
            batch.observe(0, seat)


# ----------------------------------------------------------------------------------------- without auto-reset


def test_without_autoreset_finished_games_rest(game: str) -> None:
    batch, again = Batch(game, 3, seed=SEED, autoreset=False), Batch(game, 3, seed=SEED)
    over = np.zeros(3, bool)
    finals = {}
    for actions in playing(batch):
        resting = batch._states[over].tobytes()
        batch.step(np.where(over, SENTINEL * 1000, actions))
        again.step(np.where(over, again.sample_actions(), actions))
        assert resting == batch._states[over].tobytes()
        assert not batch.finished[over].any()
        for index in np.flatnonzero(batch.finished):
            assert again.finished[index]
            finals[index] = [batch.final_utility[index].tobytes(), batch.final_score[index].tobytes()]
            assert finals[index] == [again.final_utility[index].tobytes(), again.final_score[index].tobytes()]
        over |= batch.finished
        assert (batch.seat == OVER).tolist() == over.tolist()
        assert (batch.sample_actions() == RESTART).tolist() == over.tolist()
        assert not batch.action_mask[over].any() and not batch.observation[over].any()
    for index, (utilities, scores) in finals.items():
        assert batch.final_utility[index].tobytes() == utilities and batch.final_score[index].tobytes() == scores
    batch.step(batch.sample_actions())
    assert not batch.finished.any() and (batch.bot_actions() == -1).all()
    batch.reset()
    assert (batch.seat >= 0).all()


# ----------------------------------------------------------------------------------------------- opponents


def test_without_opponents_every_seat_is_asked(game: str) -> None:
    batch = Batch(game, 3, seed=SEED)
    seen = set()
    for actions in playing(batch):
        seen |= set(batch.seat.tolist())
        assert (batch.learner == NO_LEARNER).all() and (batch.policies == ASKED).all()
        batch.step(actions)
    assert seen == set(range(batch.num_players))


def test_bots_as_opponents_play_as_bots_that_are_asked(game: str) -> None:
    for num_players in player_counts(game):
        seat = num_players - 1
        batch = Batch(game, 3, num_players=num_players, seed=SEED, opponents="bot", seat=seat)
        asked = Batch(game, 3, num_players=num_players, seed=SEED, autoreset=False)
        over = np.zeros(3, bool)
        for actions in playing(batch):
            while ((asked.seat != seat) & (asked.seat != OVER)).any():
                _let_bots_move(asked, seat)
            over = over | (asked.seat == OVER)
            assert (batch._states["moves"] == asked._states["moves"])[~over].all()
            assert batch._states[~over].tobytes() == asked._states[~over].tobytes()
            assert (batch.seat == seat).all() and (batch.learner == seat).all()
            asked.step(np.where(over, 0, actions))
            batch.step(actions)


def _let_bots_move(batch: Batch, seat: int) -> None:
    """Bring every game whose seat to move is not `seat` one move on, the others not at all."""
    waiting = {index: batch.get_state(index) for index in np.flatnonzero(batch.seat == seat)}
    before = batch.seat == seat
    actions = np.where(before, batch.action_mask.argmax(axis=1), 0)
    batch.bot_actions(~before, out=actions)
    batch.step(actions)
    for index, state in waiting.items():
        batch.set_state(index, state)


@pytest.mark.nojit
def test_random_opponents_draw_from_their_own_stream(game: str) -> None:
    loaded, seat = games.load(game), 0
    batch = Batch(game, 1, num_players=few(game), seed=SEED, opponents="random", seat=seat)
    single, stream = Single(loaded, few(game), SEED), np.zeros(1, np.uint64)
    generator.seed(stream, SEED, OPPONENTS)
    for _ in range(1, few(game)):
        generator.below(stream, 1 << 31)  # the policy of another seat
    for actions in playing(batch):
        while single.seat not in (seat, OVER):
            legal = loaded.legal_ids(single.states)
            single.play(int(legal[generator.below(stream, len(legal))]))
        assert batch._states.tobytes() == single.states.tobytes()
        batch.sample_actions()  # draws elsewhere
        batch.step(actions)
        single.play(int(actions[0]))


def test_opponents_change_only_between_games(game: str) -> None:
    batch = Batch(game, 16, num_players=few(game), seed=SEED, opponents={"random": 1, "bot": 1, "agent": 1})
    seen = set()
    for actions in playing(batch, 2):
        policies, learner = batch.policies.copy(), batch.learner.copy()
        assert (policies[range(16), learner] == ASKED).all()
        assert (policies[range(16), batch.seat] == ASKED).all()
        seen |= set(policies[range(16), (learner + 1) % few(game)].tolist())
        batch.step(actions)
        assert (policies == batch.policies)[~batch.finished].all()
        assert (learner == batch.learner)[~batch.finished].all()
    assert seen == {ASKED, RANDOM, BOT}


def test_seats_and_opponents_are_drawn_as_often_as_asked(game: str) -> None:
    most = games.load(game).spec.players[1]
    mixture = {"random": 1, "bot": 5, "agent": 2}
    # Without auto-reset, which passes over games that end before the learner is asked.
    batch = Batch(game, 4000, num_players=most, seed=SEED, opponents=mixture, autoreset=False)
    counts = np.bincount(batch.learner, minlength=most)
    assert _chi_square(counts, np.full(most, 1 / most)) < _surely(most)
    others = np.arange(most) != batch.learner[:, None]
    counts = np.bincount(batch.policies[:, :most][others], minlength=3)
    assert _chi_square(counts, np.array([2, 1, 5]) / 8) < _surely(3)


def _chi_square(counts: np.ndarray, chances: np.ndarray) -> float:
    expected = chances * counts.sum()
    return float(((counts - expected) ** 2 / expected).sum())


def _surely(cells: int) -> float:
    """A bound that the statistic stays under but once in some ten thousand seeds; ours is fixed."""
    return cells - 1 + 5 * np.sqrt(2 * cells) + 5


def test_games_that_never_ask_the_learner_are_refused() -> None:
    with pytest.raises(RuntimeError, match="before the learner"):
        Batch("heat_guess_v0", 2, opponents="random", seat=1, max_moves=1)


# ------------------------------------------------------------------------------------------------- actions


def test_sampled_actions_are_uniform_over_the_legal_ones(game: str) -> None:
    batch = Batch(game, 2000, seed=SEED)
    batch.step(batch.sample_actions())
    for index in range(1, 2000):  # one position in every row
        batch.set_state(index, batch.get_state(0))
    legal = np.flatnonzero(batch.action_mask[0])
    counts = np.zeros(batch.spec.actions.size, int)
    for _ in range(10):
        counts += np.bincount(batch.sample_actions(), minlength=len(counts))
    assert counts.sum() == counts[legal].sum() == 20_000
    assert _chi_square(counts[legal], np.full(len(legal), 1 / len(legal))) < _surely(len(legal))


@pytest.mark.nojit
def test_sampling_changes_nothing_else(game: str) -> None:
    batch = Batch(game, 3, seed=SEED, opponents="random")
    before = snapshot(batch)
    out = np.zeros(3, np.int64)
    assert batch.sample_actions(out=out) is out
    assert {name for name, data in snapshot(batch).items() if data != before[name]} == {"_sampling"}


def test_bot_actions_are_the_bots(game: str) -> None:
    batch, loaded = Batch(game, 4, seed=SEED), games.load(game)
    chosen = np.array([True, False, True, True])
    for actions in playing(batch):
        before = snapshot(batch)
        expected = [loaded.bot(batch._states, index) for index in range(4)]
        assert batch.bot_actions().tolist() == expected
        assert batch.action_mask[range(4), expected].all()
        assert batch.bot_actions(chosen).tolist() == np.where(chosen, expected, -1).tolist()
        mixed = actions.copy()
        assert batch.bot_actions(chosen, out=mixed) is mixed
        assert mixed.tolist() == np.where(chosen, expected, actions).tolist()
        assert snapshot(batch) == before
        batch.step(mixed)


# -------------------------------------------------------------------------------------------- saved states


def test_a_saved_game_goes_on_anywhere(game: str) -> None:
    batch, other = Batch(game, 3, seed=SEED), Batch(game, 2, seed=SEED + 9)
    for _ in range(3):
        batch.step(batch.sample_actions())
    beside = other.get_state(0)
    other.set_state(1, batch.get_state(2))
    assert other.get_state(0) == beside and other.get_state(1) == batch.get_state(2)
    for actions in playing(batch):
        assert other.action_mask[1].tobytes() == batch.action_mask[2].tobytes()
        assert other.observation[1].tobytes() == batch.observation[2].tobytes()
        assert other.seat[1] == batch.seat[2]
        other.step([other.sample_actions()[0], actions[2]])
        batch.step(actions)
        assert other.finished[1] == batch.finished[2]


@pytest.mark.nojit
def test_states_that_do_not_fit_are_refused(game: str) -> None:
    fewest, most, _ = games.load(game).spec.players
    over = Batch(game, 1, num_players=most, seed=SEED, autoreset=False)
    for actions in playing(over):
        over.step(actions)
    batch = Batch(game, 2, num_players=most, seed=SEED, opponents="bot", seat=0)
    before = snapshot(batch)
    with pytest.raises(ValueError, match="over"):
        batch.set_state(0, over.get_state(0))
    with pytest.raises(ValueError, match="players"):
        batch.set_state(0, Batch(game, 1, num_players=fewest, seed=SEED).get_state(0))
    with pytest.raises(ValueError, match="opponent plays"):
        batch.set_state(0, Batch(game, 1, num_players=most, seed=SEED, opponents="bot", seat=1).get_state(0))
    with pytest.raises(ValueError, match="2 games"):
        batch.set_state(0, games.load(game).save(batch._states))
    with pytest.raises(SaveError):
        batch.set_state(0, b"nonsense")
    assert snapshot(batch) == before
    over.set_state(0, over.get_state(0))
    assert over.seat[0] == OVER


@pytest.mark.nojit
def test_a_pickled_batch_goes_on(game: str) -> None:
    batch = Batch(game, 3, seed=SEED, opponents={"random": 1, "bot": 1})
    batch.step(batch.sample_actions())
    copy: Any = pickle.loads(pickle.dumps(batch))
    for actions in playing(batch):
        assert (copy.sample_actions() == actions).all()
        batch.step(actions)
        copy.step(actions)
        assert snapshot(copy) == snapshot(batch)
        assert (copy.finished == batch.finished).all() and (copy.num_seats == batch.num_seats).all()
