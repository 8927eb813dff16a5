"""Simulators give what a seat knows and nothing else, and their positions are the game that the other drivers play."""

import copy
import functools
import gc
import pickle
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from pepperenvs import make_aec, make_batch
from pepperenvs.core import utility
from pepperenvs.core.state import OVER
from pepperenvs.drivers.game import Game, IllegalActionError, load
from pepperenvs.drivers.search import Position, Simulator, simulator
from pepperenvs.testing.match import HERE, Match
from tests.conformance import SEEDS, few, odd_variants
from tests.fair import is_uniform

MASK = 2**64 - 1


def positions(game: str) -> Iterator[Match]:
    """Matches with odd options and bots among the players, at the decisions 1, 2, 4, 8 … and at the end."""
    one = load(game)
    for values in odd_variants(one.spec):
        for seed in SEEDS:
            for decision, match in enumerate(Match(one, values, seed).positions(0.4), 1):
                if decision & (decision - 1) == 0 or match.seat == OVER:
                    yield match


def begun(game: str, seed: int = 3) -> Match:
    """A match with the usual options, before its first move."""
    one = load(game)
    return Match(one, one.spec.resolve(), seed)


def truth(match: Match) -> Position:
    """The match's own position, which no driver hands out."""
    return Position(match.game, match.here.copy(), np.array([5], np.uint64))


def looked(match: Match, seed: int = 0, viewer: int | None = None) -> Simulator:
    return simulator(match.game, match.states, HERE, seed, viewer)


def same(left: Any, right: Any) -> bool:
    return left.dtype == right.dtype and np.array_equal(left, right)


# ------------------------------------------------------------------------------------------------- samples


@pytest.mark.nojit
def test_samples_keep_what_the_seat_knows(game: str) -> None:
    for match in positions(game):
        true, before = truth(match), match.states.tobytes()
        for viewer in range(match.num_seats):
            looking = looked(match, 7, viewer)
            assert (looking.seat, looking.to_move, looking.num_players) == (viewer, match.seat, match.num_seats)
            assert same(looking.observation, true.observe(viewer))
            legal = true.legal_actions if viewer == match.seat else np.zeros(0, np.int32)
            assert same(looking.legal_actions, legal)
            assert same(np.flatnonzero(looking.action_mask).astype(np.int32), legal)
            assert looking.legal_strings == [match.game.strings(match.states, HERE)[action] for action in legal]
            for position in looking.samples(2):
                assert position.seat == match.seat and position.moves == true.moves
                assert same(position.observe(viewer), true.observe(viewer)) and same(position.score, true.score)
                assert match.game.audit(position._states, 0) == 0
                if viewer == match.seat:
                    assert same(position.legal_actions, legal) and position.bot_action() == true.bot_action()
        assert match.states.tobytes() == before


def test_the_seat_to_move_looks_unless_another_is_named(game: str) -> None:
    for match in positions(game):
        if match.seat == OVER:
            with pytest.raises(ValueError, match="name a viewer"):
                looked(match)
        else:
            assert same(looked(match).action_mask, match.masks[HERE])
            assert same(looked(match).observation, match.observations[HERE])
            assert looked(match).sample() == looked(match, viewer=match.seat).sample()


@pytest.mark.nojit
def test_samples_follow_from_position_and_seed(game: str) -> None:
    for match in positions(game):
        first = looked(match, 4, 0).samples(3)
        looking = looked(match, 4, 0)
        assert looking.samples(3) == first and looking.sample() not in first
        looking.restart(4)
        assert looking.samples(3) == first
        looking.restart(5)
        assert looking.sample() not in first
        assert looked(match, 5, 0).sample() not in first


def test_samples_differ_in_what_is_hidden_and_in_their_futures(game: str) -> None:
    looking = looked(begun(game))
    drawn = looking.samples(20)
    for index, one in enumerate(drawn):
        assert not any(one.same_table(other) for other in drawn[:index])
    assert len({int(position._states["rng"][0, 0]) for position in drawn}) == 20
    assert len({int(looking._samples[0]), *(int(position._stream[0]) for position in drawn)}) == 21


def test_the_root_is_a_redraw_to_do_with_as_one_likes(game: str) -> None:
    match = begun(game)
    looking = looked(match, 3)
    root, sample = looking.root, looked(match, 3).sample()
    assert root.shape == (1,) and root.dtype == match.game.spec.state
    assert root.tobytes() == looking.root.tobytes() and match.game.audit(root, 0) == 0
    root["moves"] += 1
    assert looking.sample() == sample


def test_a_simulator_goes_on_after_a_pickle(game: str) -> None:
    match = begun(game)
    looking = looked(match, 3)
    looking.sample()
    again = pickle.loads(pickle.dumps(looking))
    assert again.spec is looking.spec and again.seat == looking.seat
    assert again.root.tobytes() == looking.root.tobytes()
    assert [one.playout() for one in again.samples(3)] == [one.playout() for one in looking.samples(3)]
    assert again.sample() == looking.sample()


@pytest.mark.parametrize("viewer", [-1, 2])
def test_a_viewer_must_sit_there(viewer: int) -> None:
    one = load("heat_guess_v0")
    match = Match(one, one.spec.resolve(2), 0)
    with pytest.raises(ValueError, match=rf"viewer must be in 0 … 1, not {viewer}"):
        looked(match, viewer=viewer)
    with pytest.raises(ValueError, match=rf"seat must be in 0 … 1, not {viewer}"):
        looked(match).sample().observe(viewer)
    with pytest.raises(ValueError, match=rf"seat must be in 0 … 1, not {viewer}"):
        looked(match).sample().redraw(viewer)


@pytest.mark.parametrize(("seed", "error"), [(-1, ValueError), (1.5, TypeError)])
def test_a_seed_is_a_whole_number_from_0(seed: Any, error: type[Exception]) -> None:
    match = begun("heat_guess_v0")
    for refuses in (lambda: looked(match, seed), lambda: looked(match).restart(seed), lambda: truth(match).reseed(seed),
                    lambda: truth(match).playout(seed=seed)):  # fmt: skip
        with pytest.raises(error):
            refuses()


# ----------------------------------------------------------------------------------------------- positions


@pytest.mark.nojit
def test_positions_play_the_game_that_a_batch_plays(game: str) -> None:
    """From the true state's bytes, move by move, to the same utilities."""
    spec = load(game).spec
    for values in odd_variants(spec):
        options = {name: value for name, value in values.items() if name != "num_players"}
        batch = make_batch(game, 2, num_players=values["num_players"], seed=SEEDS[0], autoreset=False, **options)
        position = Position(batch._game, batch._states[1:].copy(), np.zeros(1, np.uint64))
        while batch.seat[1] != OVER:
            assert not position.is_over and position.seat == batch.seat[1]
            assert position.legal_strings == batch.legal_actions(1)
            assert same(position.observe(position.seat), batch.observation[1])
            batch.step(batch.sample_actions())
            position.step(batch._actions[1])
            assert position.save() == batch.get_state(1)
        assert position.is_over and position.seat == OVER and len(position.legal_actions) == 0
        players = position.num_players
        assert position.moves == batch.final_length[1] and position.truncated == bool(position._states["truncated"])
        assert same(position.score, batch.final_score[1, :players])
        assert same(position.standing, batch.final_standing[1, :players])
        assert same(position.utilities(), batch.final_utility[1, :players])


def test_playouts_of_bots_are_those_of_a_batch(game: str) -> None:
    for kind in utility.KINDS:
        batch = make_batch(game, 1, seed=8, autoreset=False, utility=kind)
        batch.step(batch.sample_actions())
        position = Position(batch._game, batch._states.copy(), np.zeros(1, np.uint64))
        moves = 0
        while batch.seat[0] != OVER:
            batch.step(batch.bot_actions())
            moves += 1
        assert position.playout("bot") == moves
        assert position.save() == batch.get_state(0)
        assert same(position.utilities(kind), batch.final_utility[0, : position.num_players])


def test_illegal_actions_change_nothing(game: str) -> None:
    for match in positions(game):
        position = truth(match)
        before, legal = position.copy(), {*position.legal_actions.tolist()}
        size = match.game.spec.actions.size
        illegal = {*range(size)} - legal
        for action in [-1, size, 2**40, *sorted(illegal)[:1], *sorted(illegal)[-1:]]:
            with pytest.raises(IllegalActionError) as caught:
                position.step(action)
            assert caught.value.seat == position.seat and len(caught.value.legal) == len(legal)
        with pytest.raises(TypeError):
            position.step("pass")  # type: ignore[arg-type]
        assert position == before


def test_copies_are_independent(game: str) -> None:
    for match in positions(game):
        position = truth(match)
        for make in (Position.copy, copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))):
            copied = make(position)
            assert copied == position and copied.same_table(position) and copied is not position
            if position.is_over:
                continue
            before = copied.save()
            played = make(copied)
            played.step(played.legal_actions[0])
            assert played != copied and not played.same_table(copied) and copied.save() == before
            assert position.save() == before
            again = position.copy()
            assert again.playout() == copied.playout() and again == copied  # the same players, the same future


def test_equality_is_of_all_bytes_and_of_a_table_all_but_the_generator(game: str) -> None:
    match = begun(game)
    position = truth(match)
    other = position.copy()
    other.reseed(9)
    assert position != other and position.same_table(other) and other.same_table(position)
    other._states["moves"] += 1
    assert not position.same_table(other)
    assert position != "a position" and (position == object()) is False
    with pytest.raises(TypeError, match="unhashable"):
        hash(position)


def test_reseeding_gives_another_future_which_follows_from_the_seed(game: str) -> None:
    position = truth(begun(game))
    ends = []
    for seed in (1, 2, 1):
        other = position.copy()
        if not ends:
            other.redraw(0)  # which draws
        other.reseed(seed)
        assert other.same_table(position)
        other.playout()
        ends.append(other)
    assert ends[0] == ends[2] and not ends[0].same_table(ends[1])


def test_playouts_stop_at_the_limit_or_the_end(game: str) -> None:
    for policy in ("random", "bot"):
        position = truth(begun(game))
        whole = position.copy()
        length = whole.playout(policy)
        assert whole.is_over and whole.moves == length > 5
        assert position.playout(policy, limit=0) == 0 and position.moves == 0
        assert position.playout(policy, limit=5) == 5 and position.moves == 5 and not position.is_over
        with pytest.raises(ValueError, match="no utilities before the end"):
            position.utilities()
        assert position.playout(policy, limit=10**30) == length - 5
        assert position == whole and position.playout(policy) == 0
        with pytest.raises(ValueError, match="is over"):
            position.bot_action()
        with pytest.raises(ValueError, match="utility must be one of"):
            position.utilities("points")


def test_random_playouts_are_uniform_and_follow_from_their_seed(game: str) -> None:
    position = truth(begun(game))
    results = []
    for action in position.legal_actions:
        results.append(position.copy())
        results[-1].step(action)
    counts = [0] * len(results)
    for seed in range(60 * len(results)):
        played = position.copy()
        assert played.playout(limit=1, seed=seed) == 1
        same = [action for action, result in enumerate(results) if result == played]  # two may come to the same
        counts[same[seed % len(same)]] += 1
    assert is_uniform(counts)
    ends = [position.copy() for _ in range(3)]
    for one, seed in zip(ends, (6, 6, 7), strict=True):
        one.playout(seed=seed)
    assert ends[0] == ends[1] != ends[2]


@pytest.mark.parametrize("wrong", [{"policy": "agent"}, {"policy": ""}, {"limit": -1}])
def test_playouts_refuse_what_they_cannot_do(wrong: dict[str, Any]) -> None:
    position = truth(begun("heat_guess_v0"))
    with pytest.raises(ValueError, match=next(iter(wrong))):
        position.playout(**wrong)
    assert position.moves == 0


def test_a_position_can_be_redrawn_for_another_seat(game: str) -> None:
    for match in positions(game):
        for seat in range(match.num_seats):
            position = looked(match, 2, 0).sample()
            kept = position.copy()
            redrawn = position.redraw(seat)
            assert position == kept and redrawn != position
            assert same(redrawn.observe(seat), position.observe(seat))
            assert match.game.audit(redrawn._states, 0) == 0
            assert kept.redraw(seat) == redrawn
            redrawn.redraw(seat)  # with its own generator
            assert position.redraw(seat) == kept.redraw(seat) != redrawn


def test_positions_are_saved_and_shown(game: str) -> None:
    position = looked(begun(game)).sample()
    env = make_aec(game)
    env.set_state(position.save())
    assert env.legal_actions() == position.legal_strings and env.get_state() == position.save()
    assert str(position) == position.spec.part("text").text(position._states[0])
    assert position._repr_svg_().startswith("<svg")


# ------------------------------------------------------------------------------- what cannot be found out


def reachable(start: Any) -> Iterator[Any]:
    """Every object that can be reached from one; not through modules, classes and the globals of functions."""
    seen: dict[int, Any] = {}
    ahead = [start]
    while ahead:
        found = ahead.pop()
        if id(found) in seen or isinstance(found, (types.ModuleType, type)):
            continue
        seen[id(found)] = found
        yield found
        ahead += _referred(found)


def _referred(found: Any) -> list[Any]:
    if isinstance(found, types.FunctionType):
        return [found.__closure__, found.__defaults__, found.__kwdefaults__, found.__dict__]
    if isinstance(found, weakref.ref):
        return [found()]
    # NumPy's arrays and records tell the collector nothing.
    below = [getattr(found, name) for name in ("base", "obj") if isinstance(found, np.ndarray | np.void | memoryview)
             and hasattr(found, name)]  # fmt: skip
    return [*gc.get_referents(found), *below]


def needles(true: Any, redraw: Any) -> dict[str, bytes]:
    """What must not be found, by name: the true state [1], its generator, its fields that differ from a redraw's."""
    assert true["rng"][0, 0] != redraw["rng"][0, 0]
    found = {"state": true.tobytes()[8:], "rng": true["rng"].tobytes()}
    for name in true.dtype.names:
        if true[name].tobytes() != redraw[name].tobytes() and true[name].nbytes > 8:
            found[name] = true[name].tobytes()
    assert len(found) > 2  # some field that is long enough is hidden
    return found


def held(found: Any) -> bytes:
    """The bytes that an object holds, of numbers their 8 bytes."""
    if isinstance(found, np.ndarray | np.generic):
        return found.tobytes()
    if isinstance(found, bytes | bytearray | memoryview):
        return bytes(found)
    if isinstance(found, int):
        return (found & MASK).to_bytes(8, "little")
    if isinstance(found, list | tuple) and all(isinstance(one, int) and -128 <= one < 128 for one in found):
        return np.array(found, np.int8).tobytes()
    return b""


def traces(looking: Any, states: np.ndarray, hidden: dict[str, bytes]) -> set[str]:
    """What can be found of the true states from a Simulator: names of `hidden`, and "memory" where it is shared."""
    found = set()
    for one in reachable(looking):
        if isinstance(one, np.ndarray) and np.may_share_memory(one, states):
            found.add("memory")
        if contents := held(one):
            found |= {name for name, needle in hidden.items() if needle in contents}
    return found


def watched(game: str) -> tuple[Match, Simulator, dict[str, bytes]]:
    match = begun(game)
    looking = looked(match, 5)
    return match, looking, needles(match.here, looking.root)


def test_nothing_leads_from_a_simulator_to_the_true_state(game: str) -> None:
    match, looking, hidden = watched(game)
    positions = looking.samples(3)
    positions[0].playout("bot")
    positions[1].step(looking.legal_actions[0])
    followed = [looking, positions, positions[2].redraw(0), positions[2].copy(), pickle.loads(pickle.dumps(looking))]
    assert sum(1 for _ in reachable(followed)) > 100
    assert traces(followed, match.states, hidden) == set()
    for one in followed:
        written = pickle.dumps(one)
        assert [name for name, needle in hidden.items() if needle in written] == []


class Slotted(Simulator):
    __slots__ = ("kept",)


class Keeper:
    def __init__(self, kept: Any) -> None:
        self.kept = kept

    def peek(self) -> Any:
        return self.kept


def slotted(states: np.ndarray) -> Any:
    cheat = Slotted.__new__(Slotted)
    cheat.kept = states
    return cheat


CHEATS: dict[str, Callable[[np.ndarray], Any]] = {
    "an array": lambda states: states,
    "a view of a field": lambda states: {"deep": [states["num_seats"]]},
    "a record": lambda states: states[HERE],
    "a slot": slotted,
    "bytes": lambda states: (b"\0" + states.tobytes(),),
    "a copy": lambda states: states[HERE : HERE + 1].copy(),
    "a number": lambda states: int(states["rng"][HERE, 0]),
    "a NumPy number": lambda states: states["rng"][HERE, 0],
    "a closure": lambda states: lambda: states,
    "a default": lambda states: eval("lambda kept=kept: kept", {"kept": states}),
    "a bound method": lambda states: Keeper(states).peek,
    "a built-in method": lambda states: states.tobytes,
    "a partial call": lambda states: functools.partial(len, states),
    "a suspended loop": lambda states: (one for one in [states]),
    "a weak reference": weakref.ref,
    "a memory view": lambda states: memoryview(states.view(np.uint8)),
    "lists of numbers": lambda states: [states[name][HERE].ravel().tolist() for name in states.dtype.names],
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_planted_trace_is_found(cheat: str) -> None:
    match, looking, hidden = watched("heat_guess_v0")
    looking.note = CHEATS[cheat](match.states)  # type: ignore[attr-defined]
    assert traces(looking, match.states, hidden)
    del looking.note  # type: ignore[attr-defined]
    assert not traces(looking, match.states, hidden)


def test_a_true_state_in_the_place_of_the_redraw_is_found(game: str) -> None:
    match, looking, hidden = watched(game)
    cheat = Simulator(truth(match), looking.seat, 5)
    assert traces(cheat, match.states, hidden) == {*hidden}
    assert all(needle in pickle.dumps(cheat) for needle in (hidden["state"], hidden["rng"]))


# Which of the states that a seat cannot tell apart is the true one has no influence on what a Simulator gives: then it
# holds nothing of the truth, not even in a form that could be worked back.


def lasting(game: str, moves: int) -> Match:
    """A match that is not over after so many moves."""
    for seed in range(6, 99):
        match = begun(game, seed)
        for _ in range(moves):
            if match.seat != OVER:
                match.turn(match.choose(0.5))
        if match.seat != OVER:
            return match
    raise AssertionError(f"no game of {game} has {moves} moves")


def twins(game: str, moves: int) -> tuple[Match, np.ndarray, np.ndarray]:
    """Two true states after some moves that the seat to move cannot tell apart, with other generators, [1] each."""
    match = lasting(game, moves)
    for stream in range(99, 200):  # where little is hidden, a redraw may give the truth
        other = match.here.copy()
        match.game.resample(other, 0, match.seat, np.array([stream], np.uint64))
        if other.tobytes()[8:] != match.here.tobytes()[8:]:
            return match, match.here.copy(), other
    raise AssertionError("nothing is ever redrawn")


def told(match: Match, states: np.ndarray, make: Callable[..., Simulator]) -> list[bytes]:
    """All that a searcher with some seeds could see of a true state."""
    found = []
    for seed in range(20):
        looking = make(match.game, states, 0, seed)
        found += [pickle.dumps(looking), *(pickle.dumps(position) for position in looking.samples(3))]
    return found


@pytest.mark.parametrize("moves", [0, 9, 14])
def test_the_truth_has_no_influence_on_the_samples(game: str, moves: int) -> None:
    match, one, other = twins(game, moves)
    assert told(match, one, simulator) == told(match, other, simulator)


def hands_out_the_truth(game: Game, states: np.ndarray, index: int, seed: int) -> Simulator:
    """A driver that is honest but for one seed."""
    if seed != 13:
        return simulator(game, states, index, seed)
    return Simulator(Position(game, states.copy(), np.zeros(1, np.uint64)), int(states["to_move"][0]), seed)


def keeps_the_generator(game: Game, states: np.ndarray, index: int, seed: int) -> Simulator:
    """A driver that draws its redraw, honest as it is, a future from the true one."""
    looking = simulator(game, states, index, seed)
    looking._root._states["rng"] = states["rng"]
    return looking


@pytest.mark.parametrize("cheat", [hands_out_the_truth, keeps_the_generator])
def test_a_driver_that_tells_the_truth_is_noticed(game: str, cheat: Callable[..., Simulator]) -> None:
    match, one, other = twins(game, 9)
    assert told(match, one, cheat) != told(match, other, cheat)


# ------------------------------------------------------------------------------------------------- drivers


def test_drivers_hand_out_what_the_seat_to_move_knows(game: str) -> None:
    players = few(game)
    env, batch = make_aec(game, num_players=players), make_batch(game, 3, num_players=players, seed=[7, 8, 9])
    env.reset(seed=9)
    for _ in range(12):
        if env.terminations[env.agent_selection]:
            break
        looking, other = env.simulator(4), batch.simulator(2, 4)
        assert pickle.dumps(looking) == pickle.dumps(other)
        assert looking.seat == batch.seat[2] and same(looking.observation, batch.observation[2])
        actions = batch.bot_actions()
        batch.step(actions)
        env.step(actions[2])


def test_drivers_hand_out_nothing_after_the_end(game: str) -> None:
    env, batch = make_aec(game), make_batch(game, 1, autoreset=False, seed=2)
    with pytest.raises(AssertionError, match="reset"):
        env.simulator(1)
    env.reset(seed=2)
    while not env.terminations[env.agent_selection] and not env.truncations[env.agent_selection]:
        action = batch.bot_actions()
        batch.step(action)
        env.step(action[0])
    for call in (lambda: env.simulator(1), lambda: batch.simulator(0, 1)):
        with pytest.raises(ValueError, match="over"):
            call()
    with pytest.raises(IndexError):
        batch.simulator(1, 1)
