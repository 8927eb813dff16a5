"""Game records: written, replayed and checked; damage is reported where it shows; a position can be played on from."""

import copy
import importlib
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pepperenvs import records, registry
from pepperenvs.drivers.aec import RawEnv
from pepperenvs.drivers.game import IllegalActionError, load
from pepperenvs.records import RecordError

# Of registered games: a twin and its records may be there before the game is.
GOLDEN = sorted(
    path for path in (Path(__file__).parent / "golden").glob("*.jsonl") if path.name.startswith(registry.games())
)
HEAT_GUESS = "heat_guess_v0"


def lines_of(
    game: str,
    seats: int | None = None,
    seed: int = 5,
    agents: Sequence[str] = ("bot",),
    legal: bool = True,
    **options: Any,
) -> list[str]:
    """A game's record as text lines."""
    one = load(game)
    seats = seats or one.spec.players[2]
    choosers = records.choosers(one, agents, seats, seed)
    return [json.dumps(line) for line in records.record_game(one, seats, options, seed, choosers, legal)]


def error_of(lines: Sequence[bytes | str]) -> RecordError | None:
    """What a check says against the lines, None if nothing."""
    try:
        records.check(lines)
    except RecordError as error:
        return error
    return None


def twin_of(game: str) -> Any:
    """The naive implementation of a game, or None."""
    try:
        return importlib.import_module(f"tests.twins.{game.rpartition('_v')[0]}")
    except ModuleNotFoundError:
        return None


# ---- writing and reading ----


@pytest.mark.nojit
@pytest.mark.parametrize("agents", ["random", "bot"])
def test_every_game_and_seat_count_is_written_and_checked(game: str, agents: str) -> None:
    fewest, most, _ = registry.spec(game).players
    for seats in range(fewest, most + 1):
        for legal in (False, True):
            assert records.check(lines_of(game, seats, seats, [agents], legal)) == 1


@pytest.mark.nojit
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_records_check(path: Path) -> None:
    events = list(records.replay_file(path))
    assert [event.kind for event in events][:2] == ["header", "deal"] and events[-1].kind == "result"
    assert json.dumps(events[-1].line) + "\n" == path.read_text("utf-8").splitlines(keepends=True)[-1]


def test_every_game_has_a_golden_record(game: str) -> None:
    assert any(path.name.startswith(f"{game}_") for path in GOLDEN)


def test_the_twins_accept_what_is_written(game: str) -> None:
    from tests.twins import replay

    if (module := twin_of(game)) is None:
        pytest.skip("no twin")
    fewest, most, _ = registry.spec(game).players
    for seats in range(fewest, most + 1):
        for agents in ("random", "bot"):
            replay(module, [json.loads(line) for line in lines_of(game, seats, 7 + seats, [agents])])


def test_what_the_twins_write_is_accepted(game: str) -> None:
    from tests.twins import play_random

    if (module := twin_of(game)) is None:
        pytest.skip("no twin")
    fewest, most, _ = registry.spec(game).players
    for seats in range(fewest, most + 1):
        assert records.check(json.dumps(line) for line in play_random(module, seats, {}, 40 + seats)) == 1


def test_the_same_seed_gives_the_same_record(game: str) -> None:
    assert lines_of(game, agents=["random"]) == lines_of(game, agents=["random"])
    assert lines_of(game, agents=["random"]) != lines_of(game, agents=["random"], seed=6)


def test_one_agent_a_seat_and_unknown_agents() -> None:
    game = load(HEAT_GUESS)
    assert len(records.choosers(game, ["bot", "random"], 2, 0)) == 2
    with pytest.raises(ValueError, match="3 agents for 2 seats"):
        records.choosers(game, ["bot"] * 3, 2, 0)
    with pytest.raises(ValueError, match="no agent 'nobody'; there are random, bot"):
        records.choosers(game, ["nobody"], 2, 0)


def test_random_seats_do_not_move_alike() -> None:
    moves: dict[int, list[str]] = {0: [], 1: []}
    for event in records.replay(lines_of(HEAT_GUESS, 2, agents=["random"])):
        if event.kind == "move":
            moves[event.line["seat"]].append(event.line["move"])
    assert moves[0] != moves[1]


def test_an_agent_that_chooses_illegally_is_named() -> None:
    game = load(HEAT_GUESS)
    with pytest.raises(IllegalActionError, match="seat 0 cannot 'say 9'"):
        list(records.record_game(game, 2, {}, 1, [lambda states: 8] * 2))


def test_header_holds_the_options_that_differ() -> None:
    options: dict[str, Any] = {"kinds": np.int64(3), "heats": 4, "reveal": True, "max_moves": 450}
    header = json.loads(lines_of(HEAT_GUESS, 3, **options)[0])
    assert header == {"record": 1, "game": HEAT_GUESS, "players": 3, "options": {"kinds": 3, "reveal": True}, "seed": 5}


def test_an_option_that_equals_its_default_is_accepted() -> None:
    lines = lines_of(HEAT_GUESS)
    lines[0] = lines[0].replace('"options": {}', '"options": {"kinds": 8, "recall": false}')
    assert records.check(lines) == 1


def test_several_games_follow_one_another() -> None:
    lines = lines_of(HEAT_GUESS) + lines_of(HEAT_GUESS, 3, legal=False) + lines_of(HEAT_GUESS, 1)
    assert records.check(lines) == 3
    assert [event.index for event in records.replay(lines) if event.kind == "header"] == [0, 1, 2]


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    records.write(path, map(json.loads, lines_of(HEAT_GUESS)))
    before = path.read_bytes()
    assert before == "".join(line + "\n" for line in lines_of(HEAT_GUESS)).encode()

    def failing() -> Iterator[dict[str, Any]]:
        yield {"record": 1}
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        records.write(path, failing())
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "target")
    records.write(link, [{"a": 1}])
    assert link.is_symlink() and (tmp_path / "target").read_text() == '{"a": 1}\n'
    records.write("/dev/null", [{"a": 1}])
    assert not Path("/dev/null").is_file()


def test_the_end_of_the_last_line_and_of_others_does_not_matter() -> None:
    text = "\n".join(lines_of(HEAT_GUESS)).encode()
    assert records.check(text.split(b"\n")) == 1
    assert records.check(text.replace(b"\n", b"\r\n").splitlines(keepends=True)) == 1


# ---- positions ----


def test_positions_are_those_of_the_aec(game: str) -> None:
    for agents in ("random", "bot"):
        lines = lines_of(game, seed=11, agents=[agents])
        env = RawEnv(game, num_players=registry.spec(game).players[2])
        env.reset(seed=11)
        moves = moves_of(lines)
        for played, move in enumerate(moves):
            if played % max(1, len(moves) // 8) == 0:
                one, states = records.position(lines, played)
                assert one.save(states) == env.get_state(), f"{agents}, after {played} moves"
            env.step(env.parse_action(move))
        one, states = records.position(lines, len(moves))
        assert one.save(states) == env.get_state()


def test_a_position_is_played_on_from_in_the_aec(game: str) -> None:
    lines = lines_of(game, seed=8, agents=["random"])
    moves = moves_of(lines)
    one, states = records.position(lines, 4)
    env = RawEnv(game)
    env.reset(seed=99)
    env.set_state(one.save(states))
    for move in moves[4:]:
        env.step(env.parse_action(move))
    assert env.get_state() == one.save(records.position(lines, len(moves))[1])


def moves_of(lines: Sequence[str]) -> list[str]:
    return [json.loads(line)["move"] for line in lines if line.startswith('{"seat"')]


def test_position_of_a_later_game_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "two.jsonl"
    path.write_text("\n".join(lines_of(HEAT_GUESS) + lines_of(HEAT_GUESS, 3, seed=6)))
    _, states = records.position(path, 2, game_index=1)
    assert states["num_seats"][0] == 3 and states["moves"][0] == 2
    with pytest.raises(ValueError, match="the file has 2 games"):
        records.position(path, 0, game_index=2)
    with pytest.raises(ValueError, match=f"the game has {len(moves_of(lines_of(HEAT_GUESS)))} moves"):
        records.position(path, 10_000)
    with pytest.raises(ValueError, match="must not be negative"):
        records.position(path, -1)


def test_lines_behind_a_position_are_not_read() -> None:
    lines = [*lines_of(HEAT_GUESS)[:8], "damaged"]
    assert records.position(lines, 1)[1]["moves"][0] == 1
    with pytest.raises(RecordError, match="line 9: not JSON"):
        records.position(lines, 1000)


# ---- damage ----


def test_an_empty_file() -> None:
    with pytest.raises(RecordError, match="line 1: the file is empty"):
        records.check([])


def test_a_file_that_ends_in_the_middle_names_the_line_after_the_last(game: str) -> None:
    lines = lines_of(game)
    for length in range(1, len(lines)):
        error = error_of(lines[:length])
        assert error is not None and error.line == length + 1 and "the file ends where" in error.reason


class Oracle:
    """The line at which the twin of a game first sees a contradiction in a record that was changed from one line on."""

    def __init__(self, game: str, lines: Sequence[str]) -> None:
        self._module = twin_of(game)
        self._before: list[Any] = [None, None]  # the twin before each line
        one: Any = None
        for line in map(json.loads, lines):
            if "deal" in line:
                header = json.loads(lines[0])
                one = self._module.Twin(header["players"], header["options"], line["deal"])
            elif one is not None:
                self._before.append(copy.deepcopy(one))
                self._take(one, line)

    def contradiction(self, lines: Sequence[str], changed: int) -> int | None:
        """Of lines that are sound up to the index `changed`, from 2: the number of the first bad one, or None."""
        one = copy.deepcopy(self._before[changed])
        for index in range(changed, len(lines)):
            try:
                ended = self._take(one, json.loads(lines[index]))
            except ValueError:
                return index + 1
            if ended:
                return None if index == len(lines) - 1 else index + 2
        return len(lines) + 1

    @staticmethod
    def _take(one: Any, line: dict[str, Any]) -> bool:
        if "chance" in line:
            one.chance(line["chance"])
        elif "move" in line:
            if one.awaiting or one.to_move != line["seat"] or one.legal() != line["legal"]:
                raise ValueError("not this seat's turn, or not its choice")
            one.play(line["move"])
        elif one.to_move is not None or one.awaiting or line != {
            "scores": one.scores, "standing": one.standing, "truncated": one.truncated}:  # fmt: skip
            raise ValueError("not the result")
        return "scores" in line


def test_each_removed_line_is_noticed(game: str) -> None:
    lines = lines_of(game, agents=["bot"])
    oracle = Oracle(game, lines) if twin_of(game) else None
    for index in range(len(lines)):
        damaged = lines[:index] + lines[index + 1 :]
        error = error_of(damaged)
        assert error is not None, f"line {index + 1} removed"
        expected = index + 1 if oracle is None or index < 2 else oracle.contradiction(damaged, index)
        assert error.line == expected if oracle else error.line >= expected, f"line {index + 1} removed: {error}"


def test_each_doubled_and_swapped_line_is_noticed_where_the_twin_does(game: str) -> None:
    if twin_of(game) is None:
        pytest.skip("no twin")
    lines = lines_of(game, agents=["bot"])
    oracle = Oracle(game, lines)
    for index in range(2, len(lines) - 1):
        doubled = [*lines[: index + 1], *lines[index:]]
        swapped = [*lines[:index], lines[index + 1], lines[index], *lines[index + 2 :]]
        for damaged in (doubled, swapped):
            error = error_of(damaged)
            expected = oracle.contradiction(damaged, index)
            assert (error.line if error else None) == expected, f"line {index + 1}: {error}"


def changed_moves(line: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Other moves, seats and legal lists, of the right types."""
    for move in line["legal"]:
        if move != line["move"]:
            yield {**line, "move": move}
    for other in ("say 10", "take 7 keep", "pass", ""):
        if other not in line["legal"]:
            yield {**line, "move": other}
    yield {**line, "seat": line["seat"] + 1}
    yield {**line, "seat": -1}
    yield {**line, "legal": line["legal"][:-1]}
    yield {**line, "legal": [*line["legal"], "pass"]}
    if len(line["legal"]) > 1:
        yield {**line, "legal": line["legal"][::-1]}


def test_each_changed_move_is_noticed_where_the_twin_does(game: str) -> None:
    if twin_of(game) is None:
        pytest.skip("no twin")
    lines = lines_of(game, agents=["bot"])
    oracle = Oracle(game, lines)
    moves = [index for index, line in enumerate(lines) if line.startswith('{"seat"')]
    for index in moves[:: max(1, len(moves) // 12)]:
        for changed in changed_moves(json.loads(lines[index])):
            damaged = [*lines[:index], json.dumps(changed), *lines[index + 1 :]]
            error = error_of(damaged)
            assert (error.line if error else None) == oracle.contradiction(damaged, index), f"{changed}: {error}"


def damages(line: dict[str, Any]) -> Iterator[str]:
    """A line damaged so that it is no longer a line of a record, whatever the game."""
    text = json.dumps(line)
    yield from (
        "",
        "   ",
        "null",
        "[]",
        "{}",
        "7",
        '"text"',
        text[:-1],
        text[1:],
        text + "}",
        text + text,
        "\ufeff" + text,
    )
    yield text[:-1] + ', "extra": 1}'
    for key, value in line.items():
        yield f'{text[:-1]}, "{key}": {json.dumps(value)}}}'
        for other in (None, True, False, 1.0, 0.5, "x", -1, [], {}, [[]], 10**30, {key: value}, [value]):
            if json.dumps(other) != json.dumps(value) and not (key == "truncated" and isinstance(other, bool)):
                yield json.dumps({**line, key: other})
        if key != "legal":  # that shows in the next move line, if this is the first
            yield json.dumps({other: value for other, value in line.items() if other != key})
        yield json.dumps({("_" + other if other == key else other): value for other, value in line.items()})
        yield text.replace(json.dumps(value), "NaN")
        yield text.replace(json.dumps(value), "Infinity")
        yield text.replace(json.dumps(value), "[" * 100_000)


def test_each_damaged_line_is_reported_with_its_number(game: str) -> None:
    for legal in (False, True):
        lines = lines_of(game, legal=legal)
        first_of_kind: dict[str, int] = {}
        for event in records.replay(lines):
            first_of_kind.setdefault(event.kind, event.number - 1)
        for index in [*first_of_kind.values(), len(lines) // 2]:
            line = json.loads(lines[index])
            for damaged in damages(line):
                error = error_of([*lines[:index], damaged, *lines[index + 1 :]])
                assert error is not None and error.line == index + 1, f"{damaged[:300]}: {error}"
                assert "\n" not in str(error) and len(str(error)) < 20_000


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"record": 2}, "record format 2 is not read here, only 1"),
        ({"record": True}, "record format True is not read"),
        ({"game": "chess_v0"}, "there is no game 'chess_v0'; there are heat_guess_v0"),
        ({"game": "heat_guess_v1"}, "'heat_guess_v1', another version than heat_guess_v0"),
        ({"game": "heat_guess"}, "there is no game 'heat_guess'"),
        ({"game": ["heat_guess_v0"]}, "game must be a name"),
        ({"players": 7}, "option 'num_players' must be a whole number in 1 … 6, not 7"),
        ({"players": True}, "players must be a whole number, not True"),
        ({"options": {"kinds": 13}}, "option 'kinds' must be a whole number in 2 … 12, not 13"),
        ({"options": {"kinds": True}}, "option 'kinds' must be"),
        ({"options": {"reveal": 1}}, "option 'reveal' must be true or false, not 1"),
        ({"options": {"colour": 1}}, "unknown option 'colour'"),
        ({"options": {"num_players": 2}}, "unknown option 'num_players'"),
        ({"options": []}, r"options must be an object, not \[\]"),
        ({"seed": -1}, "seed must be a whole number in 0"),
        ({"seed": 2**63}, "seed must be a whole number in 0"),
        ({"seed": "5"}, "seed must be a whole number in 0"),
    ],
)
def test_a_header_that_is_refused(change: dict[str, Any], reason: str) -> None:
    lines = lines_of(HEAT_GUESS)
    lines[0] = json.dumps({**json.loads(lines[0]), **change})
    with pytest.raises(RecordError, match=f"^line 1: .*{reason}"):
        records.check(lines)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"scores": [0, 0]}, r"scores must be \[\d+, \d+\], not \[0, 0\]"),
        ({"standing": [3, 3]}, "standing must be"),
        ({"truncated": True}, "truncated must be false, not True"),
        ({"truncated": 0}, "truncated must be false, not 0"),
    ],
)
def test_a_result_that_differs(change: dict[str, Any], reason: str) -> None:
    lines = lines_of(HEAT_GUESS)
    lines[-1] = json.dumps({**json.loads(lines[-1]), **change})
    with pytest.raises(RecordError, match=f"^line {len(lines)}: {reason}"):
        records.check(lines)


def test_what_comes_after_a_result_must_be_a_header() -> None:
    lines = lines_of(HEAT_GUESS)
    for extra, reason in ((lines[-1], "a header is awaited here, not a result"), (lines[2], "not a move"),
                          ("", "a blank line"), ("{}", "a header is awaited")):  # fmt: skip
        with pytest.raises(RecordError, match=f"^line {len(lines) + 1}: .*{reason}"):
            records.check([*lines, extra])
    with pytest.raises(RecordError, match=f"^line {len(lines) + 2}: the file ends where a deal is awaited"):
        records.check([*lines, lines[0]])


def test_legal_stands_in_all_move_lines_or_in_none() -> None:
    listed, bare = lines_of(HEAT_GUESS), lines_of(HEAT_GUESS, legal=False)
    index = max(i for i, line in enumerate(bare) if line.startswith('{"seat"'))
    for one, other, word in ((listed, bare, "lacks"), (bare, listed, "has")):
        with pytest.raises(RecordError, match=f"^line {index + 1}: this line {word} 'legal'"):
            records.check([*one[:index], other[index], *one[index + 1 :]])


def test_bytes_that_are_no_utf_8() -> None:
    lines: list[bytes] = [line.encode() for line in lines_of(HEAT_GUESS)]
    lines[2] = lines[2].replace(b"say", b"s\xe4y")
    with pytest.raises(RecordError, match=r"^line 3: not UTF-8, from byte 23 of the line"):
        records.check(lines)


# ---- whatever a file may hold ----

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["p01", "w", "1", "insert"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3) | st.sampled_from(
        ["deal", "chance", "insert", "heat", "pile", "deck", "sauces", "spoon", "reshuffle"]), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
RELAXED = settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))


@RELAXED
@given(st.binary(max_size=300))
def test_any_bytes_are_refused_politely(data: bytes) -> None:
    assert error_of(data.split(b"\n")) is not None


@RELAXED
@given(st.data())
def test_a_record_with_any_bytes_in_it(data: st.DataObject) -> None:
    text = bytearray("\n".join(lines_of(HEAT_GUESS, seed=3, kinds=2, heats=2)).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        text[start : start + data.draw(st.integers(0, 5))] = data.draw(st.binary(max_size=5))
    error_of(bytes(text).split(b"\n"))


@pytest.fixture(scope="module")
def recorded() -> dict[str, list[str]]:
    return {game: lines_of(game, seed=3) for game in registry.games()}


@RELAXED
@given(data=st.data())
def test_a_record_with_any_json_in_it(recorded: dict[str, list[str]], data: st.DataObject) -> None:
    lines = list(recorded[data.draw(st.sampled_from(registry.games()))])
    index = data.draw(st.integers(0, min(len(lines) - 1, 8)) | st.just(len(lines) - 1))
    line = json.loads(lines[index])
    place, key = line, data.draw(st.sampled_from(sorted(line)))
    while isinstance(place[key], (dict, list)) and place[key] and data.draw(st.booleans()):
        place = place[key]
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
    place[key] = data.draw(JSON)
    lines[index] = json.dumps(line)
    error = error_of(lines)
    assert error is None or error.line >= index + 1


def test_random_text_damage_of_every_game(recorded: dict[str, list[str]]) -> None:
    rng = random.Random(1)
    for lines in recorded.values():
        text = "\n".join(lines)
        for _ in range(100):
            start = rng.randrange(len(text))
            put = rng.choice(["", "0", '"', "}", "\n", ",", "\\", "e", "-"])
            damaged = text[:start] + put + text[start + rng.randrange(3) :]
            error = error_of(damaged.split("\n"))
            assert error is None or error.line >= text[:start].count("\n") + 1
