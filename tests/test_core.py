"""The core on its own: generator, layout, actions, options, saved states, utilities, record types, binding."""

import itertools
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pepperenvs import registry
from pepperenvs.core import jit, rng, state, utility
from pepperenvs.core.jit import PURE_PYTHON
from pepperenvs.core.layout import Actions, Block, Layout, Segment
from pepperenvs.core.spec import BoolOption, ChoiceOption, GameSpec, IntOption, Kernels, SeatsOption
from pepperenvs.core.state import SaveError, state_dtype
from tests.fair import is_uniform

pytestmark = pytest.mark.nojit

# --------------------------------------------------------------------------------------------------- generator


def stream(number: int = 0) -> np.ndarray:
    cell = np.zeros(1, np.uint64)
    cell[0] = number
    return cell


@pytest.mark.parametrize(
    ("start", "words"),
    [  # SplitMix64 as published by Steele, Lea and Flood, and by Vigna (splitmix64.c)
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]),
        (1234567, [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]),
    ],
)
def test_the_generator_is_splitmix64(start: int, words: list[int]) -> None:
    cell = stream(start)
    assert [int(rng.next_word(cell)) for _ in words] == words


def splitmix(word: int) -> int:
    """The output function, written again with Python's integers."""
    mask = 2**64 - 1
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & mask
    word = (word ^ word >> 27) * 0x94D049BB133111EB & mask
    return word ^ word >> 31


@settings(deadline=None)
@given(st.integers(0, 2**64 - 1))
def test_mix_wraps_like_a_64_bit_word(word: int) -> None:
    assert int(rng.mix(np.uint64(word))) == splitmix(word)


def test_seeds_and_streams_start_apart() -> None:
    starts = set()
    for number, name in itertools.product([*range(50), 2**63 - 1], range(4)):
        cell = stream()
        rng.seed(cell, number, name)
        starts.add(int(cell[0]))
    assert len(starts) == 51 * 4


@pytest.mark.parametrize("bound", [1, 2, 3, 5, 7, 13, 52])
def test_bounded_draws_are_uniform(bound: int) -> None:
    cell, draws = stream(bound), 400 * bound
    counts = Counter(int(rng.below(cell, bound)) for _ in range(draws))
    assert set(counts) == set(range(bound))
    assert bound == 1 or is_uniform(counts.values())


def test_bounded_draws_reject_what_would_bias_them() -> None:
    bound = 3 << 30  # three quarters of 2^32: a quarter of all words must be rejected
    cell, low, words = stream(1), 0, 0
    for _ in range(3000):
        before = int(cell[0])
        low += int(rng.below(cell, bound)) < bound // 2
        words += ((int(cell[0]) - before) * pow(0x9E3779B97F4A7C15, -1, 2**64)) % 2**64
    assert 1350 < low < 1650
    assert 3700 < words < 4300  # 4000 expected: four words for three draws


def test_a_shuffle_is_uniform_and_stays_in_its_span() -> None:
    cell, orders = stream(5), Counter()
    for _ in range(2400):
        pile = np.arange(6, dtype=np.int8)
        rng.shuffle(pile, 1, 5, cell)
        assert pile[0] == 0 and pile[5] == 5
        orders[tuple(pile[1:5].tolist())] += 1
    assert set(orders) == set(itertools.permutations((1, 2, 3, 4)))
    assert is_uniform(orders.values())


# ----------------------------------------------------------------------------------------- layout and actions


LAYOUT = Layout(
    Segment("hand", {"values": 3}, 0, 4, "own hand", ("a", "b", "w")),
    Segment("table", {"seats": 2, "values": 3}, -1, 9, "what lies open"),
    Segment("round", {}, 1, 5, "the round"),
)


def test_a_layout_counts_its_cells() -> None:
    assert LAYOUT.size == 10 and [LAYOUT.start(name) for name in ("hand", "table", "round")] == [0, 3, 9]
    assert LAYOUT.low.tolist() == [0] * 3 + [-1] * 6 + [1] and LAYOUT.high.tolist() == [4] * 3 + [9] * 6 + [5]
    assert LAYOUT.low.dtype == LAYOUT.high.dtype == np.int16
    assert np.allclose(LAYOUT.scale, [1 / 4] * 3 + [1 / 9] * 6 + [1 / 5])


def test_a_layout_splits_single_observations_and_batches() -> None:
    parts = LAYOUT.split(np.arange(10))
    assert parts["hand"].tolist() == [0, 1, 2] and parts["table"].tolist() == [[3, 4, 5], [6, 7, 8]]
    assert parts["round"].shape == () and parts["round"] == 9
    assert {name: part.shape for name, part in LAYOUT.split(np.zeros((7, 10))).items()} == {
        "hand": (7, 3), "table": (7, 2, 3), "round": (7,)}  # fmt: skip


def test_a_layout_describes_what_is_not_zero() -> None:
    assert LAYOUT.describe(np.array([0, 2, 1, 0, 0, 0, 0, -1, 0, 3])).splitlines() == [
        "hand   b=2 w=1", "table  1.1=-1", "round  3"]  # fmt: skip
    with pytest.raises(ValueError, match=r"shape \(10,\)"):
        LAYOUT.describe(np.zeros(9))


def test_a_layout_has_rows_for_a_table() -> None:
    assert list(LAYOUT.rows())[1:] == [
        ("3–8", "table", "2 seats × 3 values", "-1 … 9", "what lies open"),
        ("9", "round", "1", "1 … 5", "the round"),
    ]


@pytest.mark.parametrize(("low", "high"), [(1, 1), (2, 1), (-40000, 0), (0, 32768)])
def test_a_segment_without_proper_bounds_is_refused(low: int, high: int) -> None:
    with pytest.raises(ValueError, match="'x'"):
        Layout(Segment("x", {}, low, high, ""))


def test_what_is_declared_twice_is_refused() -> None:
    segment, block = Segment("x", {}, 0, 1, ""), Block("x", {}, lambda: "x", "")
    with pytest.raises(ValueError, match="'x' is declared twice"):
        Layout(segment, segment)
    with pytest.raises(ValueError, match="'x' is declared twice"):
        Actions(block, block)


ACTIONS = Actions(
    Block("play", {"values": 2, "cards": 3}, lambda value, cards: f"play {value}x{cards + 1}", "play"),
    Block("pass", {}, lambda: "pass", "pass"),
)


def test_actions_are_numbered_with_the_last_axis_fastest() -> None:
    assert ACTIONS.strings == ("play 0x1", "play 0x2", "play 0x3", "play 1x1", "play 1x2", "play 1x3", "pass")
    assert [ACTIONS.parse(string) for string in ACTIONS.strings] == list(range(7))
    assert list(ACTIONS.rows()) == [
        ("0–5", "`play 0x1` … `play 1x3`", "2 values × 3 cards", "play"), ("6", "`pass`", "1", "pass")]  # fmt: skip


@pytest.mark.parametrize("wrong", ["play", "", "PASS", None, 3, ["pass"]])
def test_another_text_is_no_action(wrong: object) -> None:
    with pytest.raises(ValueError, match="which look like 'play 0x1', 'pass'"):
        ACTIONS.parse(wrong)


@pytest.mark.parametrize("wrong", [-1, 7])
def test_another_index_is_no_action(wrong: int) -> None:
    with pytest.raises(ValueError, match="not in 0 … 6"):
        ACTIONS.string(wrong)


def test_strings_that_name_seats_depend_on_who_writes_them() -> None:
    ask = Block("ask", {"seats": 3, "letters": 2}, lambda seat, letter: f"ask {seat} {'AB'[letter]}", "", relative=True)
    actions = Actions(ask, Block("pass", {}, lambda: "pass", ""))
    assert actions.strings == ("ask 1 A", "ask 1 B", "ask 2 A", "ask 2 B", "ask 3 A", "ask 3 B", "pass")
    assert actions.strings_of(2, 3)[:4] == ("ask 0 A", "ask 0 B", "ask 1 A", "ask 1 B")
    assert actions.string(1, 3, 4) == "ask 0 B" and actions.parse("ask 0 B", 3, 4) == 1 == actions.parse("ask 1 B")
    assert actions.parse("pass", 1, 3) == 6
    with pytest.raises(ValueError, match="ask 3 A"):
        actions.parse("ask 3 A", 3, 4)


def test_two_actions_of_one_string_are_refused() -> None:
    with pytest.raises(ValueError, match="same string"):
        Actions(Block("play", {"n": 2}, lambda n: "play", "")).parse("play")


# ---------------------------------------------------------------------------------------------------- options


def spec_of(*options: object, players: tuple[int, int, int] = (1, 4, 2)) -> GameSpec:
    """A game that declares these options, and nothing else of interest."""
    fields = [(o.name, np.int64, (4,)) if isinstance(o, SeatsOption) else (o.name, np.int64) for o in options]
    kernels = Kernels(**dict.fromkeys(Kernels.__dataclass_fields__, jit.slot))
    return GameSpec(
        "toy", 3, "Toy", "tests", players, options, state_dtype(4, *fields), ACTIONS, LAYOUT, kernels, {1: "wrong"}
    )  # fmt: skip


CARDS = IntOption("cards", 1, 9, 5, "")
LIMIT = IntOption("limit", 1, 999, lambda o: 10 * o["cards"] + o["num_players"], "")
LEVEL = ChoiceOption("level", ("mild", "hot"), lambda o: "hot" if o["cards"] > 5 else "mild", "")
OPEN = BoolOption("open", lambda o: o["num_players"] == 2, "")
GOALS = SeatsOption("goals", 0, 3, lambda o: [1] * o["num_players"], "")
SPEC = spec_of(CARDS, LIMIT, LEVEL, OPEN, GOALS)


def test_defaults_depend_on_what_was_chosen_before() -> None:
    assert SPEC.resolve() == {"num_players": 2, "cards": 5, "limit": 52, "level": "mild", "open": True, "goals": [1, 1]}
    assert SPEC.resolve(3, {"cards": 7}) == {
        "num_players": 3, "cards": 7, "limit": 73, "level": "hot", "open": False, "goals": [1, 1, 1]}  # fmt: skip


def test_only_what_differs_from_the_default_is_told() -> None:
    assert SPEC.differing(SPEC.resolve(3)) == {}
    assert SPEC.differing(SPEC.resolve(3, {"cards": 7})) == {"cards": 7}  # the limit follows from it
    told = {"cards": 7, "limit": 53, "level": "mild", "open": True, "goals": [0, 1, 3]}
    assert SPEC.differing(SPEC.resolve(3, told)) == told
    assert SPEC.differing(SPEC.resolve(2, {"goals": (1, 1), "open": np.True_, "cards": np.int8(5)})) == {}


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("cards", 0, "a whole number in 1 … 9"),
        ("cards", 10, "a whole number in 1 … 9"),
        ("cards", 5.0, "a whole number in 1 … 9"),
        ("cards", True, "a whole number in 1 … 9"),
        ("cards", "5", "a whole number in 1 … 9"),
        ("limit", 1000, "a whole number in 1 … 999"),
        ("open", 1, "true or false"),
        ("open", None, "true or false"),
        ("level", "MILD", "one of 'mild', 'hot'"),
        ("level", 0, "one of 'mild', 'hot'"),
        ("goals", [1], "a whole number in 0 … 3, or a list with one for each seat"),
        ("goals", [1, 4], "a whole number in 0 … 3, or a list with one for each seat"),
        ("goals", [1, True], "a whole number in 0 … 3, or a list with one for each seat"),
        ("goals", 4, "a whole number in 0 … 3, or a list with one for each seat"),
        ("goals", -1, "a whole number in 0 … 3, or a list with one for each seat"),
        ("goals", True, "a whole number in 0 … 3, or a list with one for each seat"),
        ("goals", 1.0, "a whole number in 0 … 3, or a list with one for each seat"),
        ("goals", "1", "a whole number in 0 … 3, or a list with one for each seat"),
        ("goals", {0: 1, 1: 1}, "a whole number in 0 … 3, or a list with one for each seat"),
    ],
)
def test_an_option_out_of_range_is_named_with_its_range(name: str, value: object, allowed: str) -> None:
    with pytest.raises(ValueError) as error:
        SPEC.resolve(2, {name: value})
    assert str(error.value) == f"toy_v3: option {name!r} must be {allowed}, not {value!r}"


def test_one_number_stands_for_all_seats() -> None:
    assert SPEC.resolve(3, {"goals": 2})["goals"] == [2, 2, 2] == SPEC.resolve(3, {"goals": [2, 2, 2]})["goals"]
    assert SPEC.resolve(1, {"goals": np.int8(0)})["goals"] == [0]
    assert SPEC.differing(SPEC.resolve(2, {"goals": 1})) == {}
    assert SPEC.differing(SPEC.resolve(2, {"goals": 3})) == {"goals": [3, 3]}
    assert SPEC.blank(SPEC.resolve(3, {"goals": 2}))[0].goals.tolist() == [2, 2, 2, 0]


@pytest.mark.parametrize("default", [2, [2, 2], lambda o: 2])
def test_the_default_of_all_seats_may_be_one_number(default: object) -> None:
    spec = spec_of(SeatsOption("goals", 0, 3, default, ""))
    assert spec.resolve(2)["goals"] == [2, 2] and spec.differing(spec.resolve(2)) == {}
    assert spec.differing(spec.resolve(2, {"goals": [2, 1]})) == {"goals": [2, 1]}


@pytest.mark.parametrize("number", [0, 5, 2.0, True, "2"])
def test_a_number_of_players_out_of_range_is_named_with_its_range(number: object) -> None:
    with pytest.raises(ValueError, match=r"toy_v3: option 'num_players' must be a whole number in 1 … 4, not"):
        SPEC.resolve(number)


def test_an_unknown_option_is_named_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="unknown option 'colour'; there are 'num_players', 'cards', 'limit'"):
        SPEC.resolve(2, {"colour": 1})


def test_a_blank_holds_seats_and_options() -> None:
    blank = SPEC.blank(SPEC.resolve(3, {"level": "hot", "goals": [3, 0, 2]}))[0]
    assert (blank.num_seats, blank.cards, blank.limit, blank.level, blank.open) == (3, 5, 53, 1, 0)
    assert blank.goals.tolist() == [3, 0, 2, 0] and blank.rng[0] == 0


def test_an_option_needs_a_field_in_the_state() -> None:
    kernels = Kernels(**dict.fromkeys(Kernels.__dataclass_fields__, jit.slot))
    with pytest.raises(ValueError, match="no field 'cards'"):
        GameSpec("toy", 0, "Toy", "tests", (1, 2, 2), (CARDS,), state_dtype(2), ACTIONS, LAYOUT, kernels, {1: ""})


# ----------------------------------------------------------------------------------------------- record types


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ([("round", np.int64)], "np.record has an attribute"),
        ([("size", np.int8, (8,))], "np.record has an attribute"),
        ([("cards", np.int8)], "scalars are int64"),
        ([("deck", np.int8, (8,)), ("turn", np.int64)], "comes after a narrower field"),
        ([("deck", np.int8, (8,)), ("worth", np.int16, (4,))], "comes after a narrower field"),
        ([("deck", np.int8, (9,))], "multiple of 8"),
    ],
)
def test_a_careless_record_type_is_refused(fields: list, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        state_dtype(2, *fields)


def test_a_record_type_is_packed_and_begins_with_the_common_fields() -> None:
    kind = state_dtype(3, ("turn", np.int64), ("worth", np.int16, (4,)), ("deck", np.int8, (2, 4)))
    assert kind.names[:3] == ("rng", "to_move", "pending") and kind["standing"].shape == (3,)
    assert kind.itemsize == sum(kind[name].itemsize for name in kind.names) and kind.type is np.record


# ----------------------------------------------------------------------------------------------- saved states

KIND = state_dtype(2, ("deck", np.int8, (16,)))
STATES = np.zeros(3, KIND)
STATES["deck"] = np.arange(48).reshape(3, 16)
SAVED = state.save(STATES, "toy_v3")


def test_saved_states_come_back() -> None:
    loaded = state.load(SAVED, "toy_v3", KIND)
    assert loaded.tobytes() == STATES.tobytes() and loaded.dtype == KIND
    loaded["moves"] = 7  # and can be written to


@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(SAVED) - 1), st.integers(1, 255))
def test_any_changed_byte_is_noticed(place: int, flips: int) -> None:
    damaged = bytearray(SAVED)
    damaged[place] ^= flips
    with pytest.raises(SaveError):
        state.load(bytes(damaged), "toy_v3", KIND)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(SAVED) - 1), st.binary(min_size=1, max_size=300))
def test_missing_and_added_bytes_are_noticed(length: int, more: bytes) -> None:
    for damaged in (SAVED[:length], SAVED + more, more):
        with pytest.raises(SaveError):
            state.load(damaged, "toy_v3", KIND)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (state.save(STATES, "toy_v2"), "it is of game 'toy_v2', not of 'toy_v3'"),
        (state.save(np.zeros(3, state_dtype(2, ("pile", np.int8, (16,)))), "toy_v3"), "another record type"),
        (state.save(STATES[:0], "toy_v3"), "no 0 states"),
        (b"", "does not begin like one"),
        (SAVED[:20], "truncated in the length of the header"),
        (SAVED[:60], "truncated in the header"),
    ],
)
def test_a_refusal_says_what_is_wrong(data: bytes, reason: str) -> None:
    with pytest.raises(SaveError, match=reason):
        state.load(data, "toy_v3", KIND)


# -------------------------------------------------------------------------------------------------- utilities


def utilities(standing: list[int], kind: str, score: list[int] | None = None, alone: float = 0.0) -> list[float]:
    seats = len(standing)
    out = np.full(6, 99.0)
    points, places = np.zeros(6, np.int64), np.zeros(6, np.int64)
    points[:seats], places[:seats] = score or [0] * seats, standing
    utility.utilities(points, places, seats, utility.kind_number(kind), alone, out)
    assert (out[seats:] == 99.0).all()
    return out[:seats].tolist()


def test_rank_counts_seats_beaten_less_seats_lost_to() -> None:
    assert utilities([0, 1], "rank") == [1.0, -1.0]
    assert utilities([2, 0, 1], "rank") == [-1.0, 1.0, 0.0]
    assert utilities([0, 0, 2], "rank") == [0.5, 0.5, -1.0]
    assert utilities([0, 0, 0, 0], "rank") == [0.0] * 4
    assert utilities([0, 1, 1, 1], "rank") == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])


def test_win_is_shared_by_the_winners_and_paid_by_the_others() -> None:
    assert utilities([1, 0], "win") == [-1.0, 1.0]
    assert utilities([0, 0, 2], "win") == [0.5, 0.5, -1.0]
    assert utilities([0, 1, 2, 3], "win") == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])
    assert utilities([0, 0], "win") == [0.0, 0.0]


def test_score_is_the_points_as_they_are() -> None:
    assert utilities([1, 0], "score", [-3, 20]) == [-3.0, 20.0]
    assert utilities([0], "score", [7], alone=0.5) == [7.0]


def test_alone_rank_and_win_give_the_games_own_result() -> None:
    assert utilities([0], "rank", alone=-0.25) == utilities([0], "win", alone=-0.25) == [-0.25]


def test_an_unknown_utility_is_refused() -> None:
    with pytest.raises(ValueError, match="'rank', 'win', 'score', not 'luck'"):
        utility.kind_number("luck")


@settings(deadline=None)
@given(st.lists(st.integers(-5, 5), min_size=2, max_size=6))
def test_standings_share_ties_and_utilities_are_zero_sum(score: list[int]) -> None:
    points, standing = np.zeros(6, np.int64), np.zeros(6, np.int64)
    points[: len(score)] = score
    utility.rank_by(points, len(score), standing)
    places = standing[: len(score)].tolist()
    assert places == [sum(other > mine for other in score) for mine in score]
    for kind in ("rank", "win"):
        paid = utilities(places, kind)
        assert sum(paid) == pytest.approx(0) and all(-1 <= one <= 1 for one in paid)
        assert all((paid[a] > paid[b]) <= (places[a] < places[b]) for a in range(len(paid)) for b in range(len(paid)))


# ---------------------------------------------------------------------------------------------------- binding

_BINDING = """
import sys
from pathlib import Path
from pepperenvs.core import jit

score = jit.slot

@jit.kernel
def double(number):
    return 2 * number

@jit.kernel
def square(number):
    return number * number

def twice(number):
    return score(number) + score(number)

folder = Path(__file__).parent
bound = jit.bind(twice, folder, score={"double": double, "square": square}[sys.argv[1]])
print(jit.entry(bound, 1)(5), sum(bound.stats.cache_hits.values()))
"""


def test_a_name_that_is_left_unbound_is_refused(tmp_path: Path) -> None:
    from pepperenvs.drivers import _kernels

    with pytest.raises(TypeError, match="template legal_at: nothing is given for 'legal_actions'"):
        jit.bind(_kernels.legal_at, tmp_path, step=len)
    with pytest.raises(TypeError, match="before it is bound"):
        jit.slot(1)


@pytest.mark.skipif(PURE_PYTHON, reason="nothing is compiled, so nothing is cached")
def test_one_template_bound_to_two_kernels_in_two_processes_has_two_machine_codes(tmp_path: Path) -> None:
    program = tmp_path / "toy" / "program.py"
    program.parent.mkdir()
    program.write_text(_BINDING)
    environment = {**os.environ, "PEPPERENVS_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": os.getcwd()}

    def run(name: str) -> list[str]:
        command = [sys.executable, str(program), name]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()

    assert [run("double"), run("square"), run("double")] == [["20", "0"], ["50", "0"], ["20", "1"]]


def test_numpy_integers_as_options_become_python_numbers() -> None:
    spec = registry.spec("heat_guess_v0")
    options = {"kinds": np.uint8(3), "copies": np.uint8(3), "reveal": np.bool_(True)}
    values = spec.resolve(np.int8(2), options)
    assert values == spec.resolve(2, {"kinds": 3, "copies": 3, "reveal": True}) and values["max_moves"] == 450
    assert {type(value) for value in values.values()} == {int, bool}
