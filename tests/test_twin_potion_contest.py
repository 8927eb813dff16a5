"""The naive twin of The Potion Contest: records, worked examples, rulings, random games."""

import copy
import json
import random
from collections import Counter
from itertools import combinations, product
from pathlib import Path

import pytest

from tests.twins import play_random, potion_contest, replay
from tests.twins.potion_contest import ALL_ORDERS, CELLS, INGREDIENT, KINDS, Twin, applied, is_complete

GOLDEN = sorted((Path(__file__).parent / "golden").glob("potion_contest_v0_*.jsonl"))
GAMES = 3
STRAIGHT = {  # each ingredient's straight tile, lying from west to east
    "horn": "T01@1", "wings": "T04@1", "eye": "T07@1", "potion": "T10@1", "mushroom": "T13@1", "feather": "T16@1",
}  # fmt: skip
TEE = {row["ingredient_id"]: tile for tile, row in potion_contest.TILE_ROWS.items() if row["shape"] == "tee"}
FULL = {"horn": "ogre_horn", "wings": "dwarf_vampire_wings"}  # ids of the ingredients that are shorter here


def read_lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


# ---- records ----


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_records(path):
    twin = replay(potion_contest, read_lines(path), potion_contest.audit)
    assert twin.turn == twin.options["max_turns"] == {1: 22, 2: 60}[twin.num_players]


def test_there_are_golden_records():
    assert [path.stem for path in GOLDEN] == ["potion_contest_v0_1p_s12", "potion_contest_v0_2p_s11"]


DAMAGE = {
    "another seat": (2, lambda line: line.update(seat=1)),
    "an illegal move": (2, lambda line: line.update(move="rotate b2 left")),
    "a cell off the grid": (2, lambda line: line.update(move="trade e1 f1")),
    "no move": (2, lambda line: line.update(move="")),
    "a legal action missing": (3, lambda line: line["legal"].pop()),
    "legal actions in another order": (4, lambda line: line["legal"].reverse()),
    "a personal order spent twice": (3, lambda line: line.update(move="own push col b down")),
    "other players": (0, lambda line: line.update(players=2)),
    "no players": (0, lambda line: line.update(players=0)),
    "an unknown option": (0, lambda line: line.update(options={"lvl": 2})),
    "another level": (0, lambda line: line.update(options={"level": 3})),
    "an impossible level": (0, lambda line: line.update(options={"level": 4})),
    "impossible personal orders": (0, lambda line: line.update(options={"personal_orders": 4})),
    "personal orders of two seats": (0, lambda line: line.update(options={"personal_orders": [3, 3]})),
    "fewer personal orders": (0, lambda line: line.update(options={"personal_orders": [0]})),
    "a shorter game": (0, lambda line: line.update(options={"max_turns": 21})),
    "a tile twice": (1, lambda line: line["deal"]["boards"][0].__setitem__(0, "T05@1")),
    "five quarter turns": (1, lambda line: line["deal"]["boards"][0].__setitem__(0, "T18@5")),
    "no quarter turns": (1, lambda line: line["deal"]["boards"][0].__setitem__(0, "T18")),
    "a tile missing": (1, lambda line: line["deal"]["boards"][0].pop()),
    "a board too many": (1, lambda line: line["deal"]["boards"].append(line["deal"]["boards"][0])),
    "an ingredient four times": (1, lambda line: line["deal"]["recipes"][0].__setitem__(0, "eye")),
    "an ingredient of level 3": (1, lambda line: line["deal"]["recipes"][0].__setitem__(0, "ogre_horn")),
    "a short recipe": (1, lambda line: line["deal"]["recipes"][2].pop()),
    "recipes in another order": (1, lambda line: line["deal"]["recipes"].reverse()),
    "an order missing": (1, lambda line: line["deal"]["orders"].pop()),
    "another order": (1, lambda line: line["deal"]["orders"].__setitem__(0, "push")),
    "a word that is no order": (1, lambda line: line["deal"]["orders"].__setitem__(0, "turn")),
    "an unknown key": (1, lambda line: line["deal"].update(spoon=0)),
    "no orders": (1, lambda line: line["deal"].pop("orders")),
    "a reshuffled order missing": (13, lambda line: line["chance"]["orders_reshuffle"].pop()),
    "a reshuffled order too many": (13, lambda line: line["chance"]["orders_reshuffle"].append("push")),
    "other reshuffled orders": (13, lambda line: line["chance"]["orders_reshuffle"].__setitem__(0, "push")),
    "another outcome": (13, lambda line: line.update(chance={"reshuffle": line["chance"]["orders_reshuffle"]})),
    "other scores": (-1, lambda line: line.update(scores=[2])),
    "another standing": (-1, lambda line: line.update(standing=[1])),
    "truncated": (-1, lambda line: line.update(truncated=True)),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_line_is_refused(damage):
    number, change = DAMAGE[damage]
    lines = read_lines(GOLDEN[0])
    change(lines[number])
    with pytest.raises((AssertionError, ValueError)):
        replay(potion_contest, lines)


@pytest.mark.parametrize("number", range(1, 24))
@pytest.mark.parametrize("times", [0, 2])
def test_a_missing_or_doubled_line_is_refused(number, times):
    lines = read_lines(GOLDEN[0])
    lines[number : number + 1] = [lines[number]] * times
    with pytest.raises((AssertionError, ValueError, KeyError)):  # without its key `deal` a line is no deal
        replay(potion_contest, lines)


# ---- random games ----


def checked(record):
    """Replays a game; every turn it reckons from the moves alone what they change, and counts what happened."""
    header, deal, *middle, result = record
    twin = Twin(header["players"], header["options"], deal["deal"])
    stats, chosen, before = Counter(), {}, None
    potion_contest.audit(twin)
    for line in middle:
        if not chosen:
            before = {name: copy.copy(vars(twin)[name]) for name in ("boards", "spent", "tied")}
            before |= {name: [list(own) for own in vars(twin)[name]] for name in ("unused", "done")}
        if "chance" in line:
            stats[next(iter(line["chance"]))] += 1
            twin.chance(line["chance"])
        else:
            assert twin.to_move == line["seat"] and twin.legal() == line["legal"] != []
            chosen[line["seat"]] = line["move"]
            last = len(twin.to_choose) == 1
            twin.play(line["move"])
            stats[" ".join(line["move"].split()[: 2 if line["move"].startswith("own") else 1])] += 1
            if last:
                ledger(twin, before, chosen)
                chosen = {}
            else:
                assert twin.boards == before["boards"] and twin.spent == before["spent"]
        potion_contest.audit(twin)
    assert twin.to_move is None
    assert {"scores": twin.scores, "standing": twin.standing, "truncated": twin.truncated} == result
    stats[how_it_ended(twin)] += 1
    return stats


def ledger(twin, before, chosen):
    """What a turn's choices change: boards, personal orders, recipes done."""
    assert sorted(chosen) == before["tied"] or (not before["tied"] and len(chosen) == twin.num_players)
    for seat, board in enumerate(before["boards"]):
        move = chosen.get(seat, "pass")
        own = move.startswith("own ")
        moved = [cell for cell in board if board[cell] != twin.boards[seat][cell]]
        verb, *words = move.removeprefix("own ").split()
        assert len(moved) == {"pass": 0, "rotate": 1, "trade": 2}.get(verb, len(moved))
        if verb == "push":
            assert moved == [cell for cell in board if words[1] in cell]
        elif verb != "pass":
            assert moved == sorted([word for word in words if word in board], key=CELLS.index)
        assert twin.spent[seat] == before["spent"][seat] + own
        assert sorted([*twin.unused[seat], *([verb] if own else [])]) == sorted(before["unused"][seat])
        for number, was_done in enumerate(before["done"][seat]):
            if was_done or before["tied"]:
                assert twin.done[seat][number] == was_done
            elif twin.done[seat][number] or twin.turn % 10 == 0:  # it takes long
                assert twin.done[seat][number] == brute_force(twin.boards[seat], twin.recipes[number])


def brute_force(board, recipe):
    """R4 word for word: different cells hold the ingredients in order, exactly the consecutive pairs are connected.
    In reverse order it is the same cells named from the other end."""
    places = [[cell for cell in board if INGREDIENT[board[cell]] == kind] for kind in recipe]
    joined = set()
    for cell, tile in board.items():
        for direction, other in potion_contest.NEIGHBOURS[cell].items():
            if other in board and direction in potion_contest.CONNECTORS[tile]:
                joined.add((cell, other))
    joined = {(one, other) for one, other in joined if (other, one) in joined}
    for cells in product(*places):
        if len(set(cells)) == len(cells):
            pairs = {(i, j) for i, j in combinations(range(len(cells)), 2) if (cells[i], cells[j]) in joined}
            if pairs == {(i, i + 1) for i in range(len(cells) - 1)}:
                return True
    return False


def how_it_ended(twin):
    finished = sum(score == 3 for score in twin.scores)
    if twin.tied and twin.winners:
        return "joint winners" if len(twin.winners) > 1 else "tie-break won"
    if twin.tied:
        return "tie-break undecided" if twin.tiebreak else "tied in the last turn"
    if finished:
        return "several, one first" if finished > 1 else "one finished"
    return "limit" if twin.truncated else "lost alone"


@pytest.mark.parametrize("n", range(1, 7))
def test_random_games(n):
    for seed in range(GAMES):
        options = potion_contest.random_options(random.Random(f"{n} {seed}")) if seed % 3 else {"max_turns": 30}
        checked(json.loads(json.dumps(play_random(potion_contest, n, options, seed))))


@pytest.mark.slow
def test_purposeful_games_reach_every_end():
    stats = Counter()
    for seed in range(112, 143):
        record = play_random(potion_contest, 2 + seed % 2, {}, seed, potion_contest.purposeful)
        stats += checked(json.loads(json.dumps(record)))
    ends = ["one finished", "several, one first", "tie-break won", "joint winners", "tie-break undecided", "limit"]
    moves = ["push", "trade", "rotate", "own push", "own trade", "own rotate", "pass"]
    seen = [*ends, *moves, "tiebreak_recipe", "orders_reshuffle"]
    assert not [what for what in seen if not stats[what]], stats


# ---- positions ----


def kind(name):
    return FULL.get(name, name)


def board_of(level, cells):
    """A board as in a deal with the tiles given; the others fill the rest in order, unturned."""
    rest = [tile for tile in potion_contest.tiles_of(level) if tile not in [given[:3] for given in cells.values()]]
    return [cells.get(cell) or f"{rest.pop(0)}@0" for cell in potion_contest.grid(level)]


def some_first(first, pile):
    """A pile that begins with some of its cards."""
    return [*first, *(Counter(pile) - Counter(first)).elements()]


def position(*boards, recipes=(), orders=("rotate", "trade", "push"), level=1, done=None, spent=None, **options):
    """A dealt game: tiles by cell for each seat, the first recipes (short names), the first orders; then the recipes
    that each seat has done and the kinds of the personal orders it has spent are put in."""
    named = [kind(name) for recipe in recipes for name in recipe]
    rest = list((Counter(potion_contest.recipe_tiles_of(level)) - Counter(named)).elements())
    lengths = potion_contest.recipe_lengths(level)
    dealt = [[kind(name) for name in recipe] for recipe in recipes]
    for length in lengths[len(recipes) :]:
        dealt.append(rest[:length])
        rest = rest[length:]
    deal = {
        "boards": [board_of(level, cells) for cells in boards],
        "recipes": dealt,
        "orders": some_first(orders, ALL_ORDERS),
    }
    twin = Twin(len(boards), {"level": level, **options}, json.loads(json.dumps(deal)))
    for seat, numbers in enumerate(done or []):
        twin.done[seat] = [number in numbers for number in (1, 2, 3)]
    for seat, kinds in enumerate(spent or []):
        twin.spent[seat] = len(kinds)
        twin.unused[seat] = [order for order in twin.unused[seat] if order not in kinds]
    potion_contest.audit(twin)
    return twin


def play_all(twin, *moves):
    for move in moves:
        twin.play(move)
        potion_contest.audit(twin)


def row_of(*names, row="1"):
    """Straight tiles side by side, connected."""
    return {f"{column}{row}": STRAIGHT[name] for column, name in zip("abcdef", names)}


FOUR = ["eye", "potion", "mushroom", "feather"]  # the recipe that lies ready in most positions of level 2
FIVE = [*FOUR, "wings"]
READY = row_of(*FIVE)
SPOILT = {**READY, "a1": "T07@0"}  # the first tile is turned away


def race(*boards, done=None, **more):
    """Level 2: every seat has the second and third recipe; the first, FOUR, is complete on READY."""
    done = done or [(2, 3)] * len(boards)
    return position(*boards, recipes=[FOUR], level=2, done=done, **more)


# ---- components ----


def test_components():
    assert KINDS == ["ogre_horn", "dwarf_vampire_wings", "eye", "potion", "mushroom", "feather"]
    assert Counter(ALL_ORDERS) == {"push": 4, "trade": 4, "rotate": 5}
    assert potion_contest.ORDERS == ["push", "trade", "rotate"]
    shapes = Counter(
        (row["ingredient_id"], "".join(sorted(potion_contest.CONNECTORS[f"{tile}@0"])))
        for tile, row in potion_contest.TILE_ROWS.items()
    )
    assert shapes == {(name, shape): 1 for name in KINDS for shape in ("NS", "EN", "ENS")}
    assert potion_contest.CONNECTORS["T02@1"] == {"E", "S"} and potion_contest.CONNECTORS["T03@3"] == {"W", "N", "E"}
    for level, lengths in {1: [3, 4, 5], 2: [4, 5, 6], 3: [5, 6, 7]}.items():
        assert potion_contest.recipe_lengths(level) == lengths
        assert Counter(potion_contest.recipe_tiles_of(level)) == {name: 3 for name in KINDS[3 - level :]}


def test_actions_are_163():
    assert len(potion_contest.ACTIONS) == len(set(potion_contest.ACTIONS)) == 163
    for index, action in {
        0: "rotate a1 left", 1: "rotate a1 right", 2: "rotate b1 left", 12: "rotate a2 left", 35: "rotate f3 right",
        36: "trade a1 b1", 40: "trade e1 f1", 41: "trade a2 b2", 50: "trade e3 f3",
        51: "trade a1 a2", 52: "trade b1 b2", 57: "trade a2 a3", 62: "trade f2 f3",
        63: "push row 1 left", 64: "push row 1 right", 68: "push row 3 right",
        69: "push col a up", 70: "push col a down", 80: "push col f down",
        81: "own rotate a1 left", 161: "own push col f down", 162: "pass",
    }.items():  # fmt: skip
        assert potion_contest.ACTIONS[index] == action


# ---- worked examples ----


def test_example_1_a_push():
    twin = position({"a2": "T07@0", "b2": "T10@1", "c2": "T13@2", "d2": "T16@3"}, orders=["push"])
    before = dict(twin.boards[0])
    play_all(twin, "push row 2 right")
    assert [twin.boards[0][cell] for cell in ("a2", "b2", "c2", "d2")] == ["T16@3", "T07@0", "T10@1", "T13@2"]
    assert all(twin.boards[0][cell] == before[cell] for cell in before if cell[1] != "2")
    board = twin.boards[0]
    left = applied(board, "push row 2 left")
    assert [left[cell] for cell in ("a2", "b2", "c2", "d2")] == ["T07@0", "T10@1", "T13@2", "T16@3"]
    up, down = applied(board, "push col b up"), applied(board, "push col b down")
    assert [up[cell] for cell in ("b1", "b2", "b3")] == [board[cell] for cell in ("b2", "b3", "b1")]
    assert [down[cell] for cell in ("b1", "b2", "b3")] == [board[cell] for cell in ("b3", "b1", "b2")]


def test_example_2_what_orders_keep():
    board = position({"b2": "T13@0", "c2": "T07@3"}).boards[0]
    others = {cell: tile for cell, tile in board.items() if cell not in ("b2", "c2")}
    assert applied(board, "rotate b2 right") == {**board, "b2": "T13@1"}
    assert applied(board, "rotate b2 left") == {**board, "b2": "T13@3"}
    assert applied(board, "rotate c2 right") == {**board, "c2": "T07@0"}
    assert applied(board, "trade b2 c2") == {**others, "b2": "T07@3", "c2": "T13@0"}
    for way in ("push row 2 left", "push row 2 right", "push col c up", "push col c down"):
        assert sorted(applied(board, way).values()) == sorted(board.values())


def test_example_3_a_path_read_from_right_to_left():
    twin = position(row_of("mushroom", "potion", "eye"), recipes=[["eye", "potion", "mushroom"]])
    play_all(twin, "pass")
    assert twin.scores == [1] and twin.observe(0)["done"][0] == [1, 0, 0]
    broken = position({**row_of("mushroom", "potion", "eye"), "b1": "T10@0"}, recipes=[["eye", "potion", "mushroom"]])
    play_all(broken, "pass")
    assert broken.scores == [0]


def test_example_4_a_tee_that_joins_the_ends():
    square = {"a1": "T09@0", "b1": "T11@2", "b2": "T14@3", "a2": "T17@0"}
    twin = position(square, recipes=[["mushroom"] * 2 + ["eye"], ["eye", "potion", "mushroom", "feather"]])
    assert potion_contest.are_connected(twin.boards[0], "a1", "a2")
    play_all(twin, "pass")
    assert twin.observe(0)["done"][0][1] == 0
    twin = position(square, recipes=[["mushroom"] * 2 + ["eye"], ["eye", "potion", "mushroom", "feather"]])
    play_all(twin, "rotate a1 left")
    assert twin.boards[0]["a1"] == "T09@3" and not potion_contest.are_connected(twin.boards[0], "a1", "a2")
    assert twin.observe(0)["done"][0][1] == 1


def test_example_5_fewer_spent_personal_orders_win():
    twin = race(READY, READY, spent=[["push", "trade"], ["push"]])
    play_all(twin, "pass", "pass")
    assert twin.to_move is None and twin.awaiting is None and not twin.truncated
    assert twin.scores == [3, 3] and twin.standing == [1, 0]


def test_an_order_spent_in_the_last_turn_counts():
    twin = race(READY, READY)
    play_all(twin, "own trade a3 b3", "pass")
    assert twin.to_move is None and twin.standing == [1, 0] and twin.spent == [1, 0]


def test_example_6_no_personal_orders():
    def choose(twin, legal, rng):
        own = [move for move in legal if move.startswith("own")]
        offered[twin.to_move] += bool(own)
        return rng.choice(legal)

    offered = Counter()
    play_random(potion_contest, 3, {"personal_orders": [3, 0, 1], "max_turns": 20}, 1, choose)
    assert offered[0] and offered[2] and not offered[1]
    view = position({}, {}, level=2, personal_orders=[3, 0]).observe(1)
    assert view["orders_left"] == [0, 3, 0, 0, 0, 0] and view["own_orders"] == [[1, 1, 1]] * 2 + [[0] * 3] * 4


def test_example_7_a_personal_order():
    twin = position({"b2": "T07@0"}, {"b2": "T07@0"}, orders=["push", "push"], level=2)
    before = copy.deepcopy(twin.boards)
    play_all(twin, "own rotate b2 left", "pass")
    assert twin.boards == [{**before[0], "b2": "T07@3"}, before[1]]
    assert twin.spent == [1, 0] and twin.unused[0] == ["push", "trade"]
    assert {" ".join(move.split()[:2]) for move in twin.legal() if move.startswith("own")} == {"own trade"}
    view = twin.observe(1)
    assert view["own_orders"][:2] == [[1, 1, 1], [1, 1, 0]] and view["orders_left"][:2] == [3, 2]
    play_all(twin, "pass", "pass", "pass", "pass")
    assert twin.unused[0] == ["push", "trade"]


def test_example_7_one_of_any_kind():
    twin = position({}, {}, orders=["push", "push", "trade", "rotate"], level=2, personal_orders=1)
    assert {move.split()[1] for move in twin.legal() if move.startswith("own")} == {"trade", "rotate"}
    play_all(twin, "own rotate b2 left", "pass")
    for _ in range(3):
        assert not any(move.startswith("own") for move in twin.legal())
        play_all(twin, "pass")
        assert any(move.startswith("own") for move in twin.legal())
        play_all(twin, "pass")


@pytest.mark.parametrize(("level", "columns"), [(1, "abcd"), (2, "abcde"), (3, "abcdef")])
def test_example_8_levels(level, columns):
    def cells_named(moves):
        return {word for move in moves for word in move.split() if word in CELLS}

    seen = set()
    for order, others in (("rotate", "trade"), ("trade", "push"), ("push", "rotate")):
        twin = position({}, orders=[order, others], level=level)
        assert list(twin.boards[0]) == [column + row for row in "123" for column in columns]
        assert cells_named(twin.legal()) <= set(twin.boards[0])
        assert any(move.startswith("own") for move in twin.legal()) == (level > 1)
        seen |= set(twin.legal())
    wide = len(columns)
    per_kind = {"rotate": 6 * wide, "trade": 3 * (wide - 1) + 2 * wide, "push": 6 + 2 * wide}
    assert Counter(move.split()[0] for move in seen if not move.startswith("own")) == {**per_kind, "pass": 1}
    assert Counter(INGREDIENT[tile] for tile in twin.boards[0].values()) == {name: 3 for name in KINDS[3 - level :]}
    with pytest.raises(ValueError):
        Twin(1, {"level": 1 + level % 3}, Twin.random_deal(1, {"level": level}, random.Random(1)))


def tie(*boards, **more):
    """The tie-break of seats that have just finished together; it is dealt the five kinds of level 2."""
    twin = race(*boards, **more)
    play_all(twin, *["pass"] * len(boards))
    assert twin.awaiting == "tiebreak_recipe" and twin.to_move is not None and twin.legal() == []
    twin.chance({"tiebreak_recipe": [kind(name) for name in FIVE]})
    potion_contest.audit(twin)
    return twin


def test_example_8_joint_winners_of_a_tie_break():
    twin = tie(READY, SPOILT, READY)
    assert twin.tied == [0, 2] and twin.turn == 2 and twin.to_move == 0  # complete already, verified after this turn
    assert twin.observe(1)["playing"] == [0, 1, 1, 0, 0, 0] and twin.observe(1)["to_choose"] == [0, 1, 1, 0, 0, 0]
    play_all(twin, "pass")
    assert twin.to_move == 2 and twin.observe(2)["to_choose"] == [1, 0, 0, 0, 0, 0]
    play_all(twin, "pass")
    assert twin.to_move is None and not twin.truncated and twin.winners == [0, 2]
    assert twin.scores == [3, 2, 3] and twin.standing == [0, 2, 0]


def test_example_8_an_empty_pile():
    twin = position({}, orders=["rotate"] * 5 + ["trade"] * 4 + ["push"] * 4)
    play_all(twin, *["pass"] * 10)
    assert twin.turn == 11 and twin.visible == ["push"] * 3 and twin.pile == [] and twin.awaiting is None
    play_all(twin, "pass")
    assert twin.awaiting == "orders_reshuffle" and twin.legal() == [] and twin.turn == 11
    assert Counter(twin.discards) == {"rotate": 5, "trade": 4, "push": 2}  # the one just used included
    mixed = ["trade", "push", "rotate"] * 2 + ["rotate"] * 3 + ["trade"] * 2
    for wrong in (mixed[1:], [*mixed, "push"], ["push", *mixed[1:]], None, [], [None], "push", [["push"]] * 11):
        with pytest.raises(ValueError):
            twin.chance({"orders_reshuffle": wrong})
    with pytest.raises(ValueError):
        twin.play("pass")
    twin.chance({"orders_reshuffle": mixed})
    assert twin.visible == ["push", "push", "trade"] and twin.pile == mixed[1:] and twin.discards == []
    assert twin.turn == 12 and twin.legal()[0] == "push row 1 left"


# ---- rulings ----


def test_r1_choices_are_secret_and_applied_together():
    twin = race(SPOILT, SPOILT, READY, done=[(3,)] * 3)
    views = [twin.observe(seat) for seat in range(3)]
    for seat in range(2):
        play_all(twin, "rotate a1 right")
        for looker in range(3):
            view = twin.observe(looker)
            waiting = [int(other > seat) for other in range(3)]
            assert view["to_choose"][:3] == waiting[looker:] + waiting[:looker]
            assert {**view, "to_choose": 0} == {**views[looker], "to_choose": 0}
    play_all(twin, "pass")
    assert twin.scores == [2, 2, 2] and twin.boards[0]["a1"] == "T07@1" and twin.turn == 2


def test_r2_no_personal_order_of_the_kind_of_the_main_order():
    for order in ("push", "trade", "rotate"):
        twin = position({}, orders=[order], level=2)
        own = {move.split()[1] for move in twin.legal() if move.startswith("own")}
        main = {move.split()[0] for move in twin.legal() if not move.startswith("own")}
        assert own == {"push", "trade", "rotate"} - {order} and main == {order, "pass"}
        assert twin.legal()[-1] == "pass"


def test_r3_several_recipes_at_once_and_for_good():
    recipes = [["eye", "potion", "mushroom"], ["mushroom", "eye", "potion", "feather"]]
    board = {**row_of("mushroom", "eye", "potion", "feather"), "a2": "T08@1", "b2": "T12@1", "c2": "T14@3"}
    twin = position(board, {}, recipes=recipes)
    play_all(twin, "pass", "pass")
    assert twin.done[0] == [True, True, False] and twin.scores == [2, 0]
    play_all(twin, "trade a1 a2", "pass")
    assert not is_complete(twin.boards[0], twin.recipes[1])
    assert twin.scores == [2, 0] and twin.observe(1)["done"][:2] == [[0, 0, 0], [1, 1, 0]]


def test_r3_a_completed_recipe_stays_open_to_the_others():
    twin = race(READY, SPOILT, done=[(3,), (3,)])
    play_all(twin, "pass", "pass")
    assert twin.scores == [2, 1] and twin.visible[0] == "trade"
    play_all(twin, "pass", "own rotate a1 right")
    assert twin.scores == [2, 2]


def test_r4_connected():
    board = position({"a1": "T07@1", "b1": "T10@1", "a2": "T13@0", "c1": "T16@0", "d1": "T17@0"}).boards[0]
    assert potion_contest.are_connected(board, "a1", "b1") and potion_contest.are_connected(board, "b1", "a1")
    assert not potion_contest.are_connected(board, "a1", "a2")  # only the second faces the first
    assert not potion_contest.are_connected(board, "b1", "c1")  # only the first faces the second
    assert not potion_contest.are_connected(board, "c1", "d1")  # neither does
    assert not potion_contest.are_connected(board, "a1", "c1")  # not adjacent
    assert potion_contest.beside("a1", "N") is None and potion_contest.beside("a1", "W") is None  # the rim


def test_r4_the_rim_of_a_small_grid_does_not_connect():
    for level, last in ((1, "d"), (2, "e")):
        board = position({f"{last}1": STRAIGHT["eye"]}, level=level).boards[0]
        assert potion_contest.CONNECTORS[board[f"{last}1"]] == {"E", "W"}
        neighbour = potion_contest.beside(f"{last}1", "E")
        assert neighbour not in board and not is_complete(board, ["eye", "eye", "eye"])


def test_r4_other_connectors_do_no_harm():
    """Tees with connectors to the rim and to tiles that are not among the cells."""
    board = {"a2": "T09@1", "b2": "T12@1", "c2": "T15@1", "a3": "T17@0", "b3": "T16@0", "c3": "T18@0"}
    twin = position(board, recipes=[["eye", "potion", "mushroom"]])
    assert potion_contest.are_connected(twin.boards[0], "b2", "b3")
    play_all(twin, "pass")
    assert twin.done[0][0]


def test_r4_one_valid_placement_is_enough():
    """Two eyes beside the potion: one of them is joined to the feather as well."""
    square = {"a1": "T08@1", "b1": "T12@1", "b2": "T14@3", "a2": "T17@0"}
    recipes = [["mushroom"] * 2 + ["eye"], ["eye", "potion", "mushroom", "feather"]]
    twin = position({**square, "c1": "T07@1"}, recipes=recipes)
    assert potion_contest.is_valid(twin.boards[0], ["c1", "b1", "b2", "a2"])
    assert not potion_contest.is_valid(twin.boards[0], ["a1", "b1", "b2", "a2"])
    play_all(twin, "rotate c3 left")
    assert twin.done[0][1]
    alone = position({**square, "c1": "T07@0"}, recipes=recipes)
    play_all(alone, "pass")
    assert not alone.done[0][1]


def test_r4_cells_must_differ():
    """An eye cannot be used twice in one placement."""
    twin = position(row_of("eye", "potion"), recipes=[["eye", "potion", "eye"]])
    assert potion_contest.are_connected(twin.boards[0], "a1", "b1")
    play_all(twin, "pass")
    assert not twin.done[0][0]
    for turns, done in ((0, False), (2, True)):  # the corner looks north and east, then south and west
        two = position({**row_of("eye", "potion"), "c1": f"T08@{turns}"}, recipes=[["eye", "potion", "eye"]])
        play_all(two, "pass")
        assert two.done[0][0] == done


@pytest.mark.parametrize("level", [1, 2, 3])
def test_r4_against_all_choices_of_cells(level):
    rng, seen = random.Random(level), Counter()
    for _ in range(150):
        deal = Twin.random_deal(1, {"level": level}, rng)
        board = dict(zip(potion_contest.grid(level), deal["boards"][0]))
        if rng.random() < 0.5:  # tees alone make short cuts
            board = {cell: TEE[INGREDIENT[tile]] + tile[3:] for cell, tile in board.items()}
        way = walk(board, rng)
        recipe = [INGREDIENT[board[cell]] for cell in way]
        for wanted in (recipe, rng.sample(recipe, len(recipe)), deal["recipes"][0]):
            seen[len(wanted), is_complete(board, wanted)] += 1
            assert is_complete(board, wanted) == brute_force(board, wanted) == is_complete(board, wanted[::-1])
        seen["short cut"] += not potion_contest.is_valid(board, way)
    assert all(seen[length, done] for length in (3, 4, 5, 6) for done in (True, False)) and seen["short cut"], seen


def walk(board, rng):
    """Up to seven connected cells, all different."""
    way = [rng.choice(list(board))]
    while len(way) < 7:
        onward = [cell for cell in board if cell not in way and potion_contest.are_connected(board, way[-1], cell)]
        if not onward:
            break
        way.append(rng.choice(onward))
    return way


def test_r5_tiles_are_not_used_up():
    recipes = [["eye", "potion", "mushroom"], ["eye", "potion", "mushroom", "feather"]]
    twin = position(row_of("eye", "potion", "mushroom", "feather"), recipes=recipes)
    play_all(twin, "pass")
    assert twin.done[0] == [True, True, False]


def test_r6_one_winner_of_a_tie_break():
    twin = tie(READY, READY, READY)
    play_all(twin, "trade a1 a2", "pass", "trade a1 a2")
    assert twin.to_move is None and twin.winners == [1] and twin.standing == [1, 0, 1] and not twin.truncated


def test_r6_the_first_verification_in_which_somebody_has_it_decides():
    twin = tie({**READY, "e1": "T04@0"}, {**READY, "e1": "T04@0"}, orders=["push", "trade", "rotate"])
    play_all(twin, "pass", "pass")
    assert twin.turn == 3 and twin.to_move == 0 and twin.winners == []
    play_all(twin, "rotate e1 left", "rotate e1 right")
    assert twin.to_move is None and twin.winners == [0, 1] and twin.standing == [0, 0] and twin.scores == [3, 3]


def test_r6_personal_orders_in_a_tie_break():
    """They may be used, are spent, and do not count for the standing."""
    twin = tie({**READY, "e1": "T04@0"}, {**READY, "e1": "T04@0"}, SPOILT, spent=[["push"], ["push"], []])
    assert twin.observe(0)["orders_left"][:3] == [2, 2, 3] and twin.visible[0] == "trade"
    play_all(twin, "own rotate e1 left", "pass")
    assert twin.winners == [0] and twin.spent == [2, 1, 0] and twin.standing == [0, 1, 2]
    twin = tie({**READY, "e1": "T04@0"}, {**READY, "e1": "T04@0"}, personal_orders=1, spent=[["push"], ["push"]])
    assert not any(move.startswith("own") for move in twin.legal())
    twin = tie(READY, READY, READY, spent=[[], [], ["push"]])
    assert twin.tied == [0, 1]  # all three have finished
    play_all(twin, "own push row 3 left", "own push row 3 left")
    assert twin.standing == [0, 0, 2] and twin.spent == [1, 1, 1]


def test_r6_only_the_recipe_of_the_tie_break_is_verified():
    twin = tie(SPOILT, READY, READY, orders=["push", "rotate", "push"])
    assert twin.tied == [1, 2]
    twin.boards[0]["a1"] = "T07@1"  # seat 0 is out: its board counts no more
    play_all(twin, "rotate a1 left", "rotate a1 left")
    assert twin.scores == [2, 3, 3] and twin.to_move == 1 and twin.turn == 3


def test_r6_undecided_at_the_limit():
    twin = tie({**READY, "e1": "T04@0"}, SPOILT, {**READY, "e1": "T04@0"}, max_turns=2, done=[(2, 3), (2,), (2, 3)])
    assert twin.observe(0)["turns_left"] == 1
    play_all(twin, "pass", "pass")
    assert twin.to_move is None and twin.awaiting is None and twin.truncated
    assert twin.standing == [0, 2, 0] and twin.scores == [3, 1, 3]
    view = twin.observe(0)
    assert view["turn"] == 2 and view["turns_left"] == 0 and sum(view["playing"]) == 0 and sum(view["to_choose"]) == 0
    decided = tie(READY, READY, max_turns=2)
    play_all(decided, "pass", "pass")
    assert not decided.truncated and decided.winners == [0, 1]


def test_r6_a_tie_in_the_last_turn():
    twin = race(READY, READY, SPOILT, max_turns=1)
    play_all(twin, "pass", "pass", "pass")
    assert twin.to_move is None and twin.awaiting is None and twin.truncated and twin.standing == [0, 0, 2]
    assert not any(map(sum, twin.observe(0)["tiebreak"]))
    alone_first = race(READY, SPOILT, max_turns=1)
    play_all(alone_first, "pass", "pass")
    assert not alone_first.truncated and alone_first.standing == [0, 1]


def test_r6_impossible_recipes_of_a_tie_break():
    twin = race(READY, READY)
    play_all(twin, "pass", "pass")
    good = ["eye", "eye", "eye", "potion", "mushroom"]
    for wrong in (good[1:], [*good, "potion"], ["eye"] * 4 + ["potion"], ["ogre_horn", *good[1:]], None, [None], "eye",
                  ["pepper", *good[1:]], [["eye"]] * 5):  # fmt: skip
        with pytest.raises(ValueError):
            twin.chance({"tiebreak_recipe": wrong})
    for wrong in ({}, {"orders_reshuffle": good}, {"tiebreak_recipe": good, "orders_reshuffle": []}):
        with pytest.raises(ValueError):
            twin.chance(wrong)
    twin.chance({"tiebreak_recipe": good})
    assert twin.tiebreak == good and twin.turn == 2
    view = twin.observe(1)["tiebreak"]
    assert [row.index(1) for row in view] == [KINDS.index(name) for name in good] and sum(map(sum, view)) == 5
    with pytest.raises(ValueError):
        twin.chance({"tiebreak_recipe": good})


def test_level_1_ties_go_straight_to_the_tie_break():
    board = row_of("eye", "potion", "mushroom", "feather")
    recipes = [["eye", "potion", "mushroom"]]
    twin = position(board, board, recipes=recipes, done=[(2, 3)] * 2, personal_orders=[3, 0])
    view = twin.observe(0)
    assert view["own_orders"] == [[0, 0, 0]] * 6 and view["orders_left"] == [0] * 6
    play_all(twin, "pass", "pass")
    assert twin.awaiting == "tiebreak_recipe"
    with pytest.raises(ValueError):
        twin.chance({"tiebreak_recipe": [kind(name) for name in FIVE]})  # no wings at level 1


def test_the_order_at_a_turns_end():
    """Verification, decision, limit, tiebreak_recipe, maintenance with its reshuffle."""
    board = {**READY, "a1": "T07@0"}
    twin = race(board, board, orders=["trade"] * 4 + ["push"] * 4 + ["rotate"] * 5)
    play_all(twin, *["pass"] * 20)
    assert twin.turn == 11 and twin.pile == [] and twin.visible[0] == "rotate"
    play_all(twin, "rotate a1 left", "rotate a1 right")
    assert twin.awaiting == "tiebreak_recipe" and len(twin.visible) == 3 and twin.turn == 11
    twin.chance({"tiebreak_recipe": ["eye"] * 3 + ["potion"] * 2})
    potion_contest.audit(twin)
    assert twin.awaiting == "orders_reshuffle" and len(twin.discards) == 11
    twin.chance({"orders_reshuffle": sorted(twin.discards)})
    assert twin.turn == 12 and twin.to_move == 0 and twin.awaiting is None and twin.tied == [0, 1]
    finishing = race(board, READY, orders=["trade"] * 4 + ["push"] * 4 + ["rotate"] * 5, max_turns=11)
    finishing.boards[1]["a1"] = "T07@0"
    play_all(finishing, *["pass"] * 20, "rotate a1 left", "pass")
    assert finishing.to_move is None and not finishing.truncated and finishing.visible == ["rotate"] * 3


def test_the_limit_of_turns():
    twin = race(SPOILT, SPOILT, SPOILT, done=[(2,), (3,), ()], spent=[["push"], [], []], max_turns=11)
    play_all(twin, *["pass"] * 33)
    assert twin.to_move is None and twin.awaiting is None and twin.truncated and twin.turn == 11
    assert twin.scores == [1, 1, 0] and twin.standing == [1, 0, 2] and len(twin.visible) == 3
    shared = race(SPOILT, SPOILT, SPOILT, done=[(2,), (3,), ()], max_turns=1)
    play_all(shared, *["pass"] * 3)
    assert shared.standing == [0, 0, 2] and shared.observe(0)["turns_left"] == 0
    assert race(SPOILT, SPOILT).options["max_turns"] == 60 and race(SPOILT).options["max_turns"] == 22


def test_r7_alone():
    lost = race(SPOILT, done=[(2, 3)])
    while lost.to_move is not None:
        assert lost.observe(0)["turns_left"] == 23 - lost.turn
        if lost.awaiting:
            lost.chance({"orders_reshuffle": list(lost.discards)})
        else:
            play_all(lost, "pass")
    assert lost.turn == 22 and not lost.truncated and lost.scores == [2] and lost.standing == [0]
    assert lost.solitaire == -1 + 2 * 2 / 3 and lost.awaiting is None
    none = race(SPOILT, done=[()], max_turns=1)
    play_all(none, "pass")
    assert none.solitaire == -1 and not none.truncated
    won = race(SPOILT, max_turns=1)
    play_all(won, "rotate a1 left")
    assert won.solitaire == 1 and won.scores == [3] and not won.truncated and won.awaiting is None


def test_r8_complete_at_the_start():
    twin = race(READY, READY, done=[(3,), (3,)])
    assert twin.scores == [1, 1]
    play_all(twin, "pass", "rotate a1 left")  # seat 1 spoils it before the first verification
    assert twin.scores == [2, 1]


# ---- what a seat sees ----

SHAPES = {
    "ingredients": (6, 18, 6), "connectors": (6, 18, 4), "recipes": (3, 7, 6), "done": (6, 3), "own_orders": (6, 3),
    "orders_left": (6,), "orders": (3, 3), "pile_size": (), "to_choose": (6,), "turn": (), "turns_left": (),
    "tiebreak": (5, 6), "playing": (6,), "level": (), "num_players": (), "pile": (3,),
}  # fmt: skip


def shape(value):
    if not isinstance(value, list):
        assert type(value) is int
        return ()
    assert len({shape(part) for part in value}) == 1
    return (len(value), *shape(value[0]))


@pytest.mark.parametrize("level", [1, 2, 3])
def test_shapes_and_absent_seats(level):
    twin = Twin(2, {"level": level}, Twin.random_deal(2, {"level": level}, random.Random(level)))
    for seat in (0, 1):
        view = twin.observe(seat)
        assert {name: shape(value) for name, value in view.items()} == SHAPES and list(view) == list(SHAPES)
        for name in ("ingredients", "connectors", "done", "own_orders", "orders_left", "to_choose", "playing"):
            assert not any(char in "123456789" for char in str(view[name][2:])), name
        assert view["level"] == level and view["num_players"] == 2 and view["turn"] == 1 and view["turns_left"] == 60


def test_what_a_seat_sees():
    board = {"a1": "T08@1", "f3": "T03@2"}
    twin = position(board, {"a1": "T18@0"}, level=3, orders=["push", "rotate", "trade", "trade"], recall=True)
    mine, theirs = twin.observe(0), twin.observe(1)
    assert mine["ingredients"][0][0] == [0, 0, 1, 0, 0, 0] and mine["connectors"][0][0] == [0, 1, 1, 0]
    assert mine["ingredients"][0][17] == [1, 0, 0, 0, 0, 0] and mine["connectors"][0][17] == [1, 0, 1, 1]
    assert theirs["ingredients"][0] == mine["ingredients"][1] and theirs["ingredients"][1] == mine["ingredients"][0]
    assert theirs["ingredients"][0][0] == [0, 0, 0, 0, 0, 1] and theirs["connectors"][0][0] == [1, 1, 1, 0]
    assert mine["orders"] == [[1, 0, 0], [0, 0, 1], [0, 1, 0]] and mine["pile_size"] == 10
    assert mine["pile"] == [3, 3, 4] and mine["recipes"] == theirs["recipes"]
    for number, recipe in enumerate(twin.recipes):
        rows = mine["recipes"][number]
        assert [KINDS[row.index(1)] for row in rows[: len(recipe)]] == recipe and not any(map(sum, rows[len(recipe) :]))
    small = position({"a2": "T08@1"}, level=1)
    assert small.observe(0)["ingredients"][0][6] == [0, 0, 1, 0, 0, 0]  # a2 comes after f1 at every level
    assert small.observe(0)["ingredients"][0][4:6] == [[0] * 6] * 2 and small.observe(0)["pile"] == [0, 0, 0]


def test_options():
    assert potion_contest.changed_options({}) == {}
    assert potion_contest.changed_options({"level": 2, "personal_orders": 3, "recall": False}) == {}
    assert potion_contest.changed_options({"personal_orders": [3, 3], "max_turns": None}) == {}
    changed = {"level": 1, "personal_orders": [3, 0], "max_turns": 7, "recall": True}
    assert potion_contest.changed_options(changed) == changed
    assert position({}, {}, level=2, personal_orders=2).allowed == [2, 2]
