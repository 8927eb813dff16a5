"""The twins replay the golden records, hold the worked examples of their rules and play random games to the end."""

import json
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from pepperenvs import registry
from tests.conformance import player_counts, twin_of
from tests.twins import heat_guess, pick_a_pepper, play_random, replay

GOLDEN = Path(__file__).parent / "golden"
TWINS = [twin_of(registry.spec(game)) for game in registry.games()]
RECORDS = [(twin, path) for twin in TWINS for path in sorted(GOLDEN.glob(f"{twin.GAME}_*.jsonl"))]
RANDOM_GAMES, ENOUGH = 20, 600  # games for each number of players, or so many lines of them
SEATS = {module: player_counts(registry.spec(module.GAME)) for module in TWINS}


# ---- records ----


def test_there_are_golden_records_of_each_twin():
    assert {module for module, _ in RECORDS} == set(TWINS)


@pytest.mark.parametrize(("module", "path"), RECORDS, ids=lambda value: getattr(value, "stem", ""))
def test_golden_record(module, path):
    with open(path, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    starts = [i for i, line in enumerate(lines) if "record" in line] + [len(lines)]
    for start, end in pairwise(starts):
        replay(module, lines[start:end], module.audit)


@pytest.mark.parametrize("module", TWINS, ids=lambda module: module.GAME)
def test_same_seed_same_record(module):
    assert play_random(module, 3, {}, 5) == play_random(module, 3, {}, 5)
    assert play_random(module, 3, {}, 5) != play_random(module, 3, {}, 6)


@pytest.mark.parametrize("module", TWINS, ids=lambda module: module.GAME)
def test_illegal_moves_and_impossible_outcomes_change_nothing(module):
    rng = random.Random(3)
    num_players = SEATS[module][0]
    twin = module.Twin(num_players, {}, module.Twin.random_deal(num_players, {}, rng))
    moves = ["", "no such move", *registry.spec(module.GAME).actions.strings]
    while twin.to_move is not None:
        before = repr(vars(twin))
        for outcome in ({}, {"no such": 0}, {twin.awaiting or "insert": None}, {twin.awaiting or "insert": [None]}):
            with pytest.raises(ValueError):
                twin.chance(outcome)
        legal = [] if twin.awaiting else twin.legal()
        for move in [move for move in rng.sample(moves, min(8, len(moves))) if move not in legal]:
            with pytest.raises(ValueError):
                twin.play(move)
        assert repr(vars(twin)) == before
        if twin.awaiting:
            twin.chance(twin.random_outcome(rng))
        else:
            twin.play(rng.choice(legal))
    with pytest.raises(ValueError):
        twin.play(moves[2])


# ---- random games ----


@pytest.mark.parametrize(
    ("module", "num_players"),
    [(module, n) for module in TWINS for n in SEATS[module]],
    ids=lambda value: getattr(value, "GAME", str(value)),
)
def test_random_games_run_to_their_end(module, num_players):
    lines = 0
    for seed in range(RANDOM_GAMES):
        if lines > ENOUGH:
            break
        options = module.random_options(random.Random(f"{num_players} {seed}"))
        record = play_random(module, num_players, options, seed)
        record = json.loads(json.dumps(record))
        twin = replay(module, record, module.audit)
        assert sorted(twin.standing)[0] == 0
        lines += len(record)


@pytest.mark.parametrize("num_players", SEATS[pick_a_pepper])
def test_purposeful_games_reach_grabs_and_the_trigger(num_players):
    moves, ends = Counter(), Counter()
    for seed in range(10):
        options = {"difficulty": "hot", "max_rounds": 59}
        record = play_random(pick_a_pepper, num_players, options, seed, pick_a_pepper.purposeful)
        replay(pick_a_pepper, record, pick_a_pepper.audit)
        moves.update(line["move"].split()[0] for line in record if "move" in line)
        ends[record[-1]["truncated"]] += 1
    assert moves["grab"] and moves["cook"] and moves["regroup"] and ends[False], (moves, ends)


# ---- heat_guess: worked examples and rulings ----


def heats(heat, pile, num_players=2, **options):
    counts = Counter(pile)
    options = {"kinds": len(heat), "copies": max(counts.values()), **options}
    return heat_guess.Twin(num_players, options, {"heat": heat, "pile": pile})


def test_example_right_guess_scores_and_removes_the_card():
    twin = heats({"p01": 2, "p02": 1}, ["p01", "p02"])
    twin.play("say 2")
    assert twin.points == [1, 0] and twin.pile == ["p02"] and twin.awaiting is None and twin.to_move == 1
    assert twin.observe(1)["possible"][0] == [0, 1] + [0] * 8


def test_example_wrong_guess_keeps_the_pile_and_rules_out_for_everyone():
    twin = heats({"p01": 2, "p02": 1}, ["p01", "p02"])
    twin.play("say 3")
    assert twin.awaiting == "insert" and twin.legal() == []
    twin.chance({"insert": 1})
    assert twin.pile == ["p02", "p01"] and twin.points == [0, 0] and twin.to_move == 1
    for seat in (0, 1):
        assert twin.observe(seat)["possible"][0] == [1, 1, 0, 1] + [0] * 6
    assert twin.legal() == ["say 1", "say 2", "say 3", "say 4"]


def test_example_perfect_player_wastes_at_most_one_guess_a_kind():
    def choose(twin, legal, rng):
        possible = twin.observe(0)["possible"][twin.observe(0)["shown"].index(1)]
        return f"say {possible.index(1) + 1}"

    for seed in range(50):
        options = {"kinds": 2, "heats": 2, "copies": 1}
        record = play_random(heat_guess, 1, options, seed, choose)
        twin = replay(heat_guess, record, heat_guess.audit)
        assert twin.wasted <= 2
        assert twin.solitaire == 1 - 2 * twin.wasted / 2


def test_reveal_shows_the_true_number():
    twin = heats({"p01": 2, "p02": 1}, ["p01", "p02"], reveal=True)
    twin.play("say 4")
    twin.chance({"insert": 0})
    assert twin.observe(1)["possible"][0] == [0, 1] + [0] * 8


def test_r2_last_card_still_has_its_chance_line():
    twin = heats({"p01": 2, "p02": 1}, ["p01", "p02"])
    twin.play("say 2")
    twin.play("say 2")
    with pytest.raises(ValueError):
        twin.chance({"insert": 1})
    twin.chance({"insert": 0})
    twin.play("say 1")
    assert twin.to_move is None and twin.scores == [2, 0] and twin.standing == [0, 1] and not twin.truncated


def test_r3_solitaire():
    twin = heats({"p01": 2, "p02": 1}, ["p01", "p02"], num_players=1, heats=3)
    for move in ("say 1", "say 3"):
        twin.play(move)
        twin.chance({"insert": 0})
    twin.play("say 2")
    twin.play("say 1")
    assert twin.solitaire == 0.0
    lost = heats({"p01": 2, "p02": 1}, ["p01", "p02"], num_players=1, max_moves=1)
    lost.play("say 1")
    lost.chance({"insert": 1})
    assert lost.to_move is None and lost.truncated and lost.solitaire == -1.0
    just_in_time = heats({"p01": 2, "p02": 1}, ["p01", "p02"], num_players=1, max_moves=2)
    just_in_time.play("say 2")
    just_in_time.play("say 1")
    assert not just_in_time.truncated and just_in_time.solitaire == 1.0


# ---- pick_a_pepper: worked examples and rulings ----


def deal_of(first, num_players, spoon=0, sauces=()):
    """A deal whose deck begins with the given cards; the first sauces too are given."""
    rest = Counter(pick_a_pepper.ALL_CARDS) - Counter(first)
    left = [sauce for sauce in pick_a_pepper.sauces_in_play("mild") if sauce not in sauces]
    return {"deck": [*first, *rest.elements()], "sauces": [*sauces, *left], "spoon": spoon}


def position(hands, ingredients=None, slots=(), display=(), sauces=None, spoon=0, phase=2, deck_cards=None, **options):
    """A built position at the start of a round. The cards not named lie in the deck, those beyond deck_cards are
    discards; the display is filled up behind the sauces named."""
    n = len(hands)
    twin = pick_a_pepper.Twin(n, options, pick_a_pepper.Twin.random_deal(n, options, random.Random(0)))
    twin.hands = [Counter(hand) for hand in hands]
    twin.ingredients = [Counter(deck) for deck in ingredients or [()] * n]
    twin.slots = [list(slots[i]) if i < len(slots) else [] for i in range(pick_a_pepper.NUM_SLOTS)]
    twin.sauces = [list(own) for own in sauces or [()] * n]
    twin.display = list(display)
    gone = twin.display + [sauce for own in twin.sauces for sauce in own]
    in_play = pick_a_pepper.sauces_in_play(twin.options["difficulty"])
    twin.sauce_pile = [sauce for sauce in in_play if sauce not in gone]
    rest = Counter(pick_a_pepper.ALL_CARDS)
    for pile in [*twin.hands, *twin.ingredients, *twin.slots]:
        rest -= Counter(pile)
    rest = list(rest.elements())
    twin.deck, twin.discards = rest[:deck_cards], Counter(rest[deck_cards:] if deck_cards is not None else [])
    if phase == 2:
        twin._fill_display()
    twin.phase, twin.round, twin.spoon = phase, phase - 1, spoon
    twin.table = [[] for _ in hands]
    twin._start_round()
    pick_a_pepper.audit(twin)
    return twin


def play_all(twin, *moves):
    for move in moves:
        twin.play(move)
        pick_a_pepper.audit(twin)


def test_example_1_order_of_turns():
    twin = position([["5", "5"], ["12"] * 3, ["8"]], slots=[["1"]] * 7)
    play_all(twin, "play 5x2", "play 12x3")
    assert twin.observe(0)["turn_place"] == [0, 0, 0, 0] and twin.observe(0)["to_act"] == [1, 1, 0, 0]
    play_all(twin, "play 8x1")
    assert twin.order == [1, 0, 2] and twin.spoon == 1
    assert twin.observe(0)["turn_place"] == [2, 1, 3, 0] and twin.observe(0)["to_act"] == [1, 1, 1, 0]
    assert twin.observe(0)["spoon"] == [0, 1, 0, 0] and twin.observe(1)["spoon"] == [1, 0, 0, 0]


def test_example_2_what_collecting_adds():
    twin = position([["12"] * 3, ["8"]], slots=[["w"], ["2"] * 3, ["1"], ["3"], ["4"], ["6"], ["7"]], phase=1)
    play_all(twin, "play 12x3", "play 8x1", "take 1 keep")
    assert twin.ingredients[0] == Counter({"12": 3, "w": 1})
    twin.play("take 2 discard")
    assert twin.ingredients[1] + twin.hands[1] == Counter({"2": 3})  # phase 2 has begun: now its hand
    assert twin.discards == Counter({"8": 1})


def test_example_3_and_r3_what_cooks_what():
    shown = ["S13", "S07", "S01", "S02"]
    twin = position([["2"] * 6, ["12"] * 4 + ["w"]], slots=[["1"]] * 7, display=shown)
    play_all(twin, "play 2x6", "play 12x4+1w")
    assert "cook S13" in twin.legal()
    play_all(twin, "cook S13")
    assert twin.observe(0)["points"][0] == 8
    other = position([["12"] * 4 + ["w"], ["2"]], slots=[["1"]] * 7, display=shown)
    play_all(other, "play 12x4+1w", "play 2x1")
    assert "cook S07" in other.legal() and "cook S13" not in other.legal()
    wild = position([["w"] * 3, ["2"]], slots=[["1"]] * 7, display=shown)
    play_all(wild, "play 3w", "play 2x1")
    assert "cook S02" in wild.legal() and "cook S07" not in wild.legal()


def test_example_4_final_totals():
    sauces = [["S13", "S14", "S03"], ["S01", "S02", "S04", "S11"], ["S10", "S12", "S08"]]
    twin = position([["1"] * 5, ["2"], ["3"] * 5], slots=[["4"]] * 7, sauces=sauces)
    play_all(twin, "play 1x1", "play 2x1", "play 3x1")
    assert twin.order == [2, 1, 0]
    play_all(twin, "take none keep", "take none discard", "take none discard")
    assert twin.to_move is None and not twin.truncated
    assert twin.scores == [16, 12, 14] and twin.standing == [0, 2, 1]
    assert twin.observe(2)["points"] == [14, 16, 12, 0] and twin.observe(0)["step"] == [0, 0, 0]


def test_example_5_ties_and_wilds():
    twin = position([["13"], ["w"], ["13"]], slots=[["1"]] * 7, spoon=2)
    play_all(twin, "play 13x1", "play 13x1", "play 1w")
    assert twin.order == [1, 2, 0]


def test_example_6_filling_the_slots():
    first = ["5", "w", "5", "5", "5", "w", "5", "9", "1", "2"]
    twin = pick_a_pepper.Twin(2, {}, deal_of(first, 2))
    assert twin.slots == [["5"] * 3, ["w"], ["5"] * 2, ["w"], ["9"], ["1"], ["2"]]


def test_r1_left_over_groups_are_joined():
    twin = position([["13"], ["12"]], slots=[["5"], ["6"], ["7"], ["8"], ["9"], ["10"], ["11"]])
    twin.deck.sort(key=lambda card: card != "11")  # 11s come first, seven of them
    play_all(twin, "play 13x1", "play 12x1", "take 1 keep", "take none keep")
    assert twin.slots[0] == ["11"] and twin.slots[6] == ["11"] * 3


def test_example_7_required_sauces_end_cooking():
    own = [["S01", "S02", "S03", "S04"], [], []]
    twin = position([["5"] * 6, ["6"], ["7"]], slots=[["1"]] * 7, display=["S05", "S06", "S07"], sauces=own)
    play_all(twin, "play 5x6", "play 6x1", "play 7x1")
    assert twin.to_move == 0 and not any(move.startswith("cook") for move in twin.legal())
    assert "take none discard" in twin.legal()


def test_example_8_julia_collects():
    twin = position([["5", "5"], ["1"], ["1"]], slots=[["5", "5"]] + [["2"]] * 6)
    play_all(twin, "play 5x2", "play 1x1", "play 1x1", "take 1 keep")
    assert twin.ingredients[0] == Counter({"5": 4})


def test_example_8_two_cook_and_all_combinations_are_discarded():
    hands = [["12"] * 5 + ["1"], ["11"] * 5 + ["1"], ["8", "8", "1"]]
    twin = position(hands, slots=[["3"]] * 7, display=["S07", "S04", "S11", "S12", "S13"])
    play_all(twin, "play 12x5", "play 11x5", "play 8x2", "cook S07")
    assert [move for move in twin.legal() if move.startswith("cook")] == ["cook S04"]
    play_all(twin, "cook S04", "take none discard")
    assert twin.discards == Counter({"12": 5, "11": 5, "8": 2})
    assert twin.observe(0)["points"] == [4 - 1, 3 - 1, -1, 0]


def test_example_9_display_of_three_players():
    record = play_random(pick_a_pepper, 3, {"max_rounds": 1}, 1)
    seen = []
    replay(pick_a_pepper, record, lambda twin: seen.append((twin.phase, twin.step, sum(twin.observe(0)["display"]))))
    assert {count for phase, step, count in seen if (phase, step) == (2, "play")} == {5}
    assert {count for phase, _, count in seen if phase == 1} == {0}


def test_example_9_grab_after_cooking_the_last_card():
    slots = [["3"], ["4"], ["5"], ["6"], ["7"], ["8"], ["9", "9"]]
    twin = position([["1", "1"], ["2", "10"]], slots=slots, display=["S01", "S02", "S03", "S05"])
    play_all(twin, "play 1x2", "play 2x1", "cook S01", "take 2 keep")
    assert twin.to_move == 0 and twin.legal() == [f"grab {number}" for number in (1, 3, 4, 5, 6, 7)]
    view = twin.observe(1)
    assert view["to_grab"] == [0, 1, 0, 0] and view["step"] == [0, 0, 1] and view["turn_place"] == [2, 1, 0, 0]
    assert twin.observe(0)["display"].count(1) == 3
    play_all(twin, "grab 7")
    assert twin.hands[0] == Counter({"9": 2}) and all(twin.slots) and len(twin.display) == 4 and twin.round == 2


def test_example_9_others_still_take_their_turns_after_the_trigger():
    own = [["S01", "S02", "S03"], [], []]
    hands = [["13"] * 4, ["2", "2"], ["3"]]
    twin = position(hands, slots=[["4"]] * 7, display=["S04", "S05"], sauces=own)
    play_all(twin, "play 13x4", "play 2x1", "play 3x1", "cook S04")
    assert twin.to_move == 2
    play_all(twin, "take 1 keep", "take none discard")
    assert twin.to_move is None and not twin.truncated and not all(twin.slots)


def test_example_9_spoon_when_the_holder_regroups():
    ingredients = [["4"], ["4"], ["4"]]
    twin = position([["1"], ["2"], ["3", "3"]], ingredients, slots=[["5"]] * 7)
    play_all(twin, "regroup", "play 2x1", "play 3x2")
    assert twin.spoon == 2 and twin.to_move == 2 and twin.order == [2, 1]


def test_example_9_and_r2_spoon_stays_when_nobody_plays():
    twin = position([["1"], ["2"], ["3"]], [["4"], ["4"], ["4"]], slots=[["5"]] * 7, spoon=1)
    play_all(twin, "regroup", "regroup", "regroup")
    assert twin.spoon == 1 and twin.round == 2 and twin.to_move == 1
    assert "regroup" not in twin.legal()


def test_r4_reshuffle_in_the_middle_of_filling():
    slots = [["5"], ["6"], ["7"], ["8"], ["9"], ["10"], ["11"]]
    twin = position([["1", "1", "2"], ["2", "2"]], slots=slots, deck_cards=1)
    twin.discards[twin.deck[0]] += 1
    twin.deck = ["w"]
    twin.discards["w"] -= 1
    play_all(twin, "play 1x1", "play 2x1", "take 2 discard", "take 1 discard")
    assert twin.awaiting == "reshuffle" and twin.legal() == [] and twin.slots[:2] == [["w"], []]
    assert twin.observe(0)["discards"][:2] == [twin.discards["1"], twin.discards["2"]]
    cards = sorted(twin.discards.elements())
    with pytest.raises(ValueError):
        twin.chance({"reshuffle": cards[1:]})
    twin.chance({"reshuffle": cards})
    pick_a_pepper.audit(twin)
    assert all(twin.slots) and twin.step == "play" and not twin.discards


def test_r4_both_empty_slots_stay_empty_and_deck_used_up_is_not_replaced():
    everything = Counter(pick_a_pepper.ALL_CARDS)
    slots = [["5"], ["6"], ["7"], ["8"], ["9"], ["10"], ["11"]]
    rest = list((everything - Counter(["5", "6", "7", "8", "9", "10", "11", "1"])).elements())
    twin = position([rest, ["1"]], slots=slots, deck_cards=0)
    play_all(twin, "play 2x1", "play 1x1", "take 1 keep", "take none keep")
    assert twin.awaiting is None and twin.slots[0] == [] and not twin.deck and not twin.discards
    assert "take 1 keep" not in twin.legal()
    one_left = position([rest[2:], ["1", "1"]], slots=slots)
    play_all(one_left, "play 2x1", "play 1x1", "take 1 keep", "take none discard")
    assert one_left.awaiting is None and not one_left.deck and one_left.discards == Counter({"1": 1})


def test_r5_a_seat_without_ingredients_must_play():
    twin = position([["1"], ["2"]], [[], ["3"]], slots=[["4"]] * 7)
    assert twin.legal() == ["play 1x1"]
    play_all(twin, "play 1x1")
    assert twin.legal() == ["play 2x1", "regroup"]


def test_r6_no_slot_has_cards():
    everything = Counter(pick_a_pepper.ALL_CARDS)
    rest = list((everything - Counter(["1", "4"])).elements())
    twin = position([rest, ["1"]], slots=[["4"]], deck_cards=0, display=["S01", "S02", "S03", "S05"])
    play_all(twin, "play 2x2", "play 1x1", "take 1 keep", "take none discard")
    assert twin.hands[1] == Counter() and twin.awaiting == "reshuffle"


def test_grabs_follow_the_turns_then_the_seats_from_the_spoon_and_r7():
    twin = position([[], ["2"], [], ["3"]], slots=[["4"], ["5"], ["6"], ["7"], ["8"], ["9"], ["10"]], spoon=2)
    assert twin.observe(0)["to_play"] == [0, 1, 0, 1] and twin.to_move == 3
    play_all(twin, "play 3x1", "play 2x1", "take none discard", "take none discard")
    assert twin.grabbers == [3, 1, 0, 2]
    play_all(twin, "grab 1", "grab 2", "grab 3", "grab 4")
    assert [list(hand) for hand in twin.hands] == [["6"], ["5"], ["7"], ["4"]] and twin.round == 2


def test_r7_everybody_enters_phase_2_without_ingredients():
    seen = []

    def choose(twin, legal, rng):
        seen.append((twin.phase, twin.round, twin.step))
        return "take none discard" if twin.step == "turn" else rng.choice(legal)

    record = play_random(pick_a_pepper, 3, {"max_rounds": 1}, 4, choose)
    assert [entry for entry in seen if entry[0] == 2] == [(2, 1, "grab")] * 3
    assert record[-1]["truncated"]


def test_recall_and_the_secrecy_of_phase_1():
    for recall in (False, True):
        twin = position([["1", "2"], ["2"]], [["3"], []], slots=[["4"]] * 7, phase=1, recall=recall)
        view = twin.observe(1)
        assert not any(map(sum, view["known_hand"]))
        assert [sum(row) for row in view["known_ingredients"]] == [0, int(recall), 0, 0]
        later = position([["1", "2"], ["2"]], [["3"], []], slots=[["4"]] * 7, recall=recall)
        view = later.observe(1)
        assert [sum(row) for row in view["known_hand"]] == ([1, 2, 0, 0] if recall else [0] * 4)
        assert view["hand"][:2] == [0, 1]


def test_actions_are_780():
    assert len(pick_a_pepper.ACTIONS) == len(set(pick_a_pepper.ACTIONS)) == 780
    for index, action in {
        0: "play 1x1",
        6: "play 1x1+6w",
        727: "play 13x8+6w",
        728: "play 1w",
        734: "regroup",
        735: "take 1 keep",
        750: "take none discard",
        751: "cook S01",
        773: "grab 1",
    }.items():
        assert pick_a_pepper.ACTIONS[index] == action
