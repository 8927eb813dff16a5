"""The naive twin of Peppers of the Caribbean: records, worked examples, rulings, random games."""

import copy
import json
import random
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.twins import peppers_of_the_caribbean as caribbean
from tests.twins import play_random, replay
from tests.twins.peppers_of_the_caribbean import ALL_CARDS, BONUSES, TYPES, Twin

GAMES = 10  # for each number of players
RECORDS = sorted((Path(__file__).parent / "golden").glob(f"{caribbean.GAME}_*.jsonl"))
PADDING = ["B17", "B18", "B08", "B07", "B06", "B05", "B11", "B10", "B14", "B13"]
FIVE_HAM = "yellow-ham-1 yellow-ham-2 yellow-ham-2 yellow-ham-3 yellow-ham-4"
YELLOW_HAM = f"yellow-ham-1 {FIVE_HAM}"
FIVE_BREAD = "red-bread-4 green-bread-3 blue-bread-3 yellow-bread-3 yellow-bread-4"
SUPPLY = f"red-bread-3 {FIVE_BREAD}"


# ---- positions ----


def padded(bonuses):
    """Eight open bonus cards with these among them, no letter twice."""
    bonuses = list(bonuses)
    for bonus in PADDING:
        letters = [BONUSES[other]["set_letter"] for other in bonuses]
        if len(bonuses) < 8 and bonus not in bonuses and (BONUSES[bonus]["set_letter"] or None) not in letters:
            bonuses.append(bonus)
    return bonuses


def position(hands, supply=SUPPLY, front=(), bonuses=(), pile=None, to_move=0, **options):
    """The start of a turn; strings name cards. Those not named lie in the pile, or on the discards if a pile is given.
    An empty pile: the last turns begin with this one."""
    n = len(hands)
    twin = Twin(n, options, Twin.random_deal(n, options, random.Random(1)))
    twin.hands = [Counter(cards.split()) for cards in hands]
    twin.supply = supply.split()
    twin.front = [Counter(front[seat].split() if seat < len(front) else []) for seat in range(n)]
    rest = Counter(ALL_CARDS)
    for cards in [*twin.hands, *twin.front, twin.supply, pile.split() if pile else []]:
        rest.subtract(cards)
    assert min(rest.values()) >= 0
    twin.pile = list(rest.elements()) if pile is None else pile.split()
    twin.discards = Counter() if pile is None else +rest
    twin.open_bonuses = padded(bonuses)
    twin.asked = to_move
    if not twin.pile:
        twin.last_turns = twin.in_last_turn = True
        twin.turns_left = [(to_move + i) % n for i in range(n)]
    caribbean.audit(twin)
    return twin


def play_all(twin, *moves):
    for move in moves:
        twin.play(move)
        caribbean.audit(twin)


def verbs(twin, verb):
    """What follows this verb in the legal actions."""
    return [move.partition(" ")[2] for move in twin.legal() if move.split()[0] == verb]


def shown(row):
    """The cards of a row of counts."""
    return Counter({card: count for card, count in zip(TYPES, row) if count})


# ---- components and set-up ----


def test_components_and_r1():
    assert len(ALL_CARDS) == 102 and len(TYPES) == 70 and sum(map(caribbean.is_rum, TYPES)) == 6
    pairs = {tuple(caribbean.COLOURS_OF[card]) for card in TYPES[64:]}
    assert len(pairs) == 6 and all(caribbean.VALUE[card] == 6 for card in TYPES[64:])
    assert Counter(caribbean.VALUE[card] for card in ALL_CARDS) == {1: 32, 2: 32, 3: 16, 4: 16, 6: 6}
    assert len(BONUSES) == 18
    assert [bonus for bonus in BONUSES if BONUSES[bonus]["condition"] == "most_of_two_dishes"] == ["B17", "B18"]
    at_the_end = [bonus for bonus in BONUSES if BONUSES[bonus]["timing"] == "end"]
    assert at_the_end == ["B05", "B06", "B07", "B08", "B17", "B18"]


def test_actions_are_370():
    assert len(caribbean.ACTIONS) == len(set(caribbean.ACTIONS)) == 370
    for index, action in {
        0: "take red-stew-1 by stew", 13: "take red-ham-2 by ham", 64: "take rum-red-green by red",
        69: "take rum-blue-yellow by blue", 70: "take red-stew-1 by red", 83: "take red-ham-2 by red",
        134: "take rum-red-green by green", 139: "take rum-blue-yellow by yellow", 140: "draw",
        141: "drop red-stew-1", 210: "drop rum-blue-yellow", 211: "keep red-stew-1", 280: "keep rum-blue-yellow",
        281: "throw red-stew-1", 350: "throw rum-blue-yellow", 351: "bonus B01", 368: "bonus B18", 369: "pass",
    }.items():  # fmt: skip
        assert caribbean.ACTIONS[index] == action


def test_set_up():
    deal = Twin.random_deal(3, {}, random.Random(4))
    twin = Twin(3, {}, {**deal, "starter": 2})
    deck = deal["deck"]
    assert twin.hands == [Counter(deck[seat:12:3]) for seat in range(3)]
    assert twin.supply == deck[12:18] and twin.pile == deck[18:] and twin.to_move == 2
    assert all(Twin(n, {}, {**deal, "starter": 0}).hands[n - 1].total() == 4 for n in (2, 3, 4))


def test_example_9_a_letter_already_out_is_skipped():
    first = ["B05", "B01", "B13", "B10", "B09", "B12", "B11", "B03", "B07", "B14", "B17", "B02", "B15"]
    rest = [bonus for bonus in BONUSES if bonus not in first]
    deal = {**Twin.random_deal(2, {}, random.Random(4)), "bonus": first + rest}
    assert Twin(2, {}, deal).open_bonuses == ["B05", "B13", "B10", "B12", "B03", "B14", "B17", "B02"]


@pytest.mark.parametrize(
    "damage",
    [
        {"deck": ALL_CARDS[1:]}, {"deck": [*ALL_CARDS[1:], "red-stew-5"]}, {"deck": [*ALL_CARDS[1:], "red-stew-2"]},
        {"deck": [*ALL_CARDS, "red-stew-1"]}, {"deck": None}, {"deck": "red-stew-1"}, {"deck": [None] * 102},
        {"bonus": list(BONUSES)[1:]}, {"bonus": [*list(BONUSES)[1:], "B02"]}, {"bonus": 5}, {"bonus": [[]] * 18},
        {"starter": 3}, {"starter": -1}, {"starter": "0"}, {"starter": None}, {"starter": True}, {"spoon": 0},
    ],
)  # fmt: skip
def test_impossible_deals_are_refused(damage):
    deal = Twin.random_deal(3, {}, random.Random(4))
    assert Twin(3, {}, deal).to_move in range(3)
    with pytest.raises(ValueError):
        Twin(3, {}, {**deal, **damage})


def test_missing_parts_options_and_players_are_refused():
    deal = Twin.random_deal(2, {}, random.Random(4))
    for name in deal:
        with pytest.raises(ValueError):
            Twin(2, {}, {key: value for key, value in deal.items() if key != name})
    for num_players, options in ((1, {}), (5, {}), (2, {"max_rounds": 3})):
        with pytest.raises(ValueError):
            Twin(num_players, options, deal)


def test_nothing_is_random_after_the_deal():
    twin = position(["red-stew-1", "red-stew-2"])
    for outcome in ({"deal": {}}, {"deck": []}, {}):
        with pytest.raises(ValueError):
            twin.chance(outcome)
    with pytest.raises(ValueError):
        twin.random_outcome(random.Random(1))
    assert twin.awaiting is None


# ---- take and draw ----


def test_example_1_and_9_taking_and_dropping():
    hand = "green-fish-2 red-stew-1 red-stew-2 red-stew-3 blue-stew-1"
    twin = position([hand, "blue-fish-1"], "green-ham-1 green-ham-2 green-ham-3 yellow-bread-1 red-bread-3 red-bread-4")
    new = twin.pile[:3]
    play_all(twin, "take green-fish-2 by green")
    assert twin.hands[0].total() == 7 and twin.to_move == 1 and twin.step == "turn"
    assert twin.supply == ["yellow-bread-1", "red-bread-3", "red-bread-4", *new]
    assert twin.discards == Counter(["green-fish-2"])
    twin = position([hand, "blue-fish-1"], "green-ham-1 green-ham-2 green-ham-3 green-ham-4 red-bread-3 red-bread-4")
    play_all(twin, "take green-fish-2 by green")
    assert twin.hands[0].total() == 8 and twin.to_move == 0 and twin.step == "drop" and len(twin.supply) == 6
    assert verbs(twin, "drop") == sorted(twin.hands[0], key=TYPES.index) and len(twin.legal()) == 8
    play_all(twin, "drop green-ham-4")  # it has just been taken
    assert twin.hands[0].total() == 7 and twin.to_move == 1
    assert twin.discards == Counter(["green-fish-2", "green-ham-4"])


def test_drops_one_at_a_time_of_types():
    hand = "red-stew-1 red-stew-1 red-stew-2 red-stew-2 red-stew-3 red-stew-4 red-ham-1"
    twin = position([hand, "blue-fish-1"], YELLOW_HAM)
    play_all(twin, "take red-ham-1 by ham")
    assert twin.hands[0].total() == 12
    play_all(twin, *["drop yellow-ham-1"] * 2, "drop red-stew-1", "drop yellow-ham-4")
    assert twin.step == "drop" and "drop yellow-ham-1" not in twin.legal() and "drop red-stew-1" in twin.legal()
    play_all(twin, "drop red-stew-1")
    assert twin.to_move == 1 and twin.hands[0].total() == 7


def test_example_7_and_r8_rum_is_taken_by_colour_only():
    supply = "rum-green-blue rum-red-yellow red-fish-1 yellow-bread-3 yellow-bread-4 red-bread-3"
    twin = position(["blue-fish-1 rum-blue-yellow", "red-stew-1"], supply)
    assert verbs(twin, "take") == [
        "blue-fish-1 by fish", "rum-blue-yellow by blue", "blue-fish-1 by blue", "rum-blue-yellow by yellow",
    ]  # fmt: skip
    by_dish = copy.deepcopy(twin)
    play_all(by_dish, "take blue-fish-1 by fish")
    assert by_dish.hands[0] == Counter(["rum-blue-yellow", "red-fish-1"])
    by_rum = copy.deepcopy(twin)
    play_all(by_rum, "take rum-blue-yellow by yellow")
    assert by_rum.hands[0] == Counter(["blue-fish-1", "rum-red-yellow", "yellow-bread-3", "yellow-bread-4"])
    play_all(twin, "take blue-fish-1 by blue")
    assert twin.hands[0] == Counter(["rum-blue-yellow", "rum-green-blue"])


def test_r2_the_naming_must_match():
    twin = position(["red-stew-1 blue-bread-1", "red-stew-1"], f"{FIVE_HAM} blue-stew-1")
    assert twin.legal() == ["take red-stew-1 by stew", "take blue-bread-1 by blue"]
    with pytest.raises(ValueError):
        twin.play("take red-stew-1 by red")
    with pytest.raises(ValueError):
        twin.play("draw")


def test_r3_drawing():
    twin = position(["red-stew-1", "red-stew-1"], YELLOW_HAM)
    first = twin.pile[:2]
    assert twin.legal() == ["draw"]
    play_all(twin, "draw")
    assert twin.hands[0] == Counter(["red-stew-1", *first]) and twin.to_move == 1 and len(twin.supply) == 6
    scores = position(["red-stew-1 red-stew-2 green-fish-1 blue-bread-1", "red-stew-1"], YELLOW_HAM)
    assert scores.legal() == ["draw"] + [f"keep {card}" for card in sorted(scores.hands[0], key=TYPES.index)]
    full = position(
        ["red-stew-1 red-stew-2 red-stew-3 red-stew-4 red-fish-1 red-fish-2 red-fish-3", "red-stew-1"], YELLOW_HAM
    )
    play_all(full, "draw")
    assert full.hands[0].total() == 9 and full.step == "drop"
    play_all(full, "drop red-stew-1", "drop red-stew-2")
    assert full.to_move == 1
    last = position(["red-stew-1", "red-stew-1"], YELLOW_HAM, pile="green-fish-1")
    play_all(last, "draw")
    assert last.hands[0] == Counter(["red-stew-1", "green-fish-1"]) and last.last_turns and last.over


def test_r7_a_hand_of_one_card_may_take():
    twin = position(["red-stew-1", "red-stew-2"])
    play_all(twin, "take red-stew-1 by red")
    assert twin.hands[0] == Counter(["red-bread-3", "red-bread-4"])


# ---- score ----


def test_example_2_a_set_of_three():
    cards = ["red-ham-2", "blue-ham-4", "red-stew-1", "green-fish-4"]
    assert not caribbean.is_set(cards) and caribbean.is_set(cards[1:])
    twin = position([" ".join(cards), "red-stew-2"])
    assert verbs(twin, "keep") == ["red-stew-1", "green-fish-4", "blue-ham-4"]
    without = position([" ".join(cards[1:]), "red-stew-2"])
    assert verbs(without, "keep") == []  # one card must stay in hand


def test_example_3_a_set_of_four_needs_five_cards():
    four = "red-stew-1 green-fish-2 blue-bread-2 yellow-ham-4"
    twin = position([four + " red-stew-2", "red-stew-3"])
    play_all(twin, "keep red-stew-1")
    assert verbs(twin, "keep") == ["green-fish-2", "blue-bread-2", "yellow-ham-4"]
    assert verbs(twin, "throw") == ["green-fish-2", "blue-bread-2"]
    play_all(twin, "keep blue-bread-2")
    assert twin.legal() == ["throw green-fish-2"]
    play_all(twin, "throw green-fish-2")
    assert twin.legal() == ["throw yellow-ham-4"]
    play_all(twin, "throw yellow-ham-4")
    assert twin.front[0] == Counter(["red-stew-1", "blue-bread-2"]) and twin.hands[0] == Counter(["red-stew-2"])
    assert twin.discards == Counter(["green-fish-2", "yellow-ham-4"]) and twin.to_move == 1
    exactly = position([four, "red-stew-3"])
    play_all(exactly, "keep red-stew-1")
    assert exactly.legal() == ["throw green-fish-2", "throw blue-bread-2"]
    play_all(exactly, "throw green-fish-2")
    assert exactly.legal() == ["throw blue-bread-2", "throw yellow-ham-4"]


def test_two_copies_are_two_cards_in_hand():
    twin = position(["red-stew-1 red-stew-1 green-fish-2 blue-bread-2", "red-stew-3"])
    play_all(twin, "keep red-stew-1")
    assert twin.legal() == ["throw green-fish-2"]
    play_all(twin, "throw green-fish-2", "throw blue-bread-2")
    assert twin.hands[0] == Counter(["red-stew-1"])


def test_example_4_and_r8_rum_in_a_set():
    rum = "rum-red-green"
    assert caribbean.is_set([rum, "blue-bread-1", "yellow-fish-1"])
    assert not caribbean.is_set([rum, "blue-bread-1", "green-fish-1"])
    assert not caribbean.is_set([rum, "blue-bread-1", "yellow-bread-1"])
    assert not caribbean.is_set([rum, "rum-blue-yellow", "blue-bread-1"])
    assert not caribbean.is_set([rum, "rum-blue-yellow", "rum-red-blue"])
    assert not caribbean.is_set([rum, "blue-bread-1", "yellow-fish-1", "red-stew-1"])
    assert not caribbean.is_set([rum, "blue-bread-1"]) and not caribbean.is_set([rum, "rum-blue-yellow"])
    twin = position(["rum-red-green blue-bread-1 yellow-fish-1 red-bread-1", "red-stew-1"])
    assert verbs(twin, "keep") == ["blue-bread-1", "yellow-fish-1", rum]
    play_all(twin, f"keep {rum}", "throw blue-bread-1", "throw yellow-fish-1")
    assert twin.scores == [6, 0] and twin.hands[0] == Counter(["red-bread-1"])
    clash = position(["rum-red-green blue-bread-1 blue-fish-1 green-ham-1", "red-stew-1"])
    assert verbs(clash, "keep") == []


def test_example_8_keeping_and_throwing_in_type_order():
    twin = position(["blue-ham-4 red-stew-1 green-fish-4 red-stew-2 red-stew-3", "red-fish-1"])
    play_all(twin, "keep blue-ham-4")
    assert twin.front[0] == Counter(["blue-ham-4"]) and verbs(twin, "keep") == []
    assert verbs(twin, "throw") == ["red-stew-1", "red-stew-2", "red-stew-3"]
    play_all(twin, "throw red-stew-2")
    assert twin.discards == Counter(["red-stew-2"])
    play_all(twin, "throw green-fish-4")
    assert twin.to_move == 1 and twin.hands[0].total() == 2 and twin.scores == [4, 0]
    hand = "green-fish-4 yellow-stew-1 red-bread-1 blue-ham-4 blue-ham-3"
    twin = position([hand, "red-fish-1"])
    play_all(twin, "keep green-fish-4", "keep yellow-stew-1", "throw red-bread-1")
    assert twin.legal() == ["throw blue-ham-3", "throw blue-ham-4"]
    play_all(twin, "throw blue-ham-4")
    assert twin.front[0] == Counter(["green-fish-4", "yellow-stew-1"]) and twin.hands[0] == Counter(["blue-ham-3"])
    other = position([hand, "red-fish-1"])
    play_all(other, "keep yellow-stew-1")
    with pytest.raises(ValueError):
        other.play("keep green-fish-4")


# ---- bonus cards ----

SCORING = ["keep blue-stew-1", "throw red-fish-1", "throw green-bread-1"]
SCORER = "blue-stew-1 red-fish-1 green-bread-1 red-fish-2"


@pytest.mark.parametrize(
    ("bonus", "front", "offered"),
    [
        ("B03", "blue-ham-1 blue-ham-2", True),
        ("B03", "blue-ham-1 rum-red-blue", False),
        ("B03", "blue-ham-1", False),
        ("B09", "red-fish-3 green-fish-3 yellow-fish-3", True),
        ("B09", "red-fish-3 green-fish-3 rum-red-yellow", False),
        ("B10", "red-fish-3 red-bread-1 red-ham-1", True),
        ("B10", "red-fish-3 red-bread-1 rum-red-green", False),
        ("B11", "rum-red-green rum-red-blue rum-red-yellow", True),
        ("B11", "rum-red-green rum-red-blue", False),
        ("B12", "red-ham-1 red-ham-1 red-ham-2 red-ham-2 red-ham-3 red-ham-4 rum-red-green", True),
        ("B12", "red-ham-1 red-ham-1 red-ham-2 red-ham-2 red-ham-3 red-ham-4", False),
        ("B13", "red-stew-1 blue-stew-2", True),
        ("B13", "red-stew-1 rum-red-green", False),
    ],
)
def test_example_5_and_r8_bonus_cards_scored_during_the_game(bonus, front, offered):
    twin = position([SCORER, "red-fish-1"], front=[front], bonuses=[bonus])
    before = twin.scores[0]
    play_all(twin, *SCORING)
    assert (twin.step == "bonus") == offered and twin.to_move == (0 if offered else 1)
    if offered:
        assert twin.legal() == [f"bonus {bonus}", "pass"]
        play_all(twin, f"bonus {bonus}")
        assert twin.to_move == 1 and twin.bonus_cards == [[bonus], []] and bonus not in twin.open_bonuses
        assert twin.scores[0] == before + 1 + int(BONUSES[bonus]["vp"])


@pytest.mark.parametrize(
    ("bonus", "card"),
    [
        ("B01", "red-ham-3"), ("B02", "green-ham-3"), ("B04", "yellow-ham-3"), ("B14", "blue-fish-3"),
        ("B15", "blue-bread-4"), ("B16", "blue-ham-3"),
    ],
)  # fmt: skip
def test_the_other_bonus_cards_count_three_of_their_own(bonus, card):
    colour, dish, _ = card.split("-")
    named = dish if int(bonus[1:]) > 12 else colour
    other = "yellow-stew-3" if named != "yellow" else "red-stew-3"
    pirates = [other for other in TYPES[:64] if named in other.split("-")]
    assert caribbean.tally(bonus, pirates[:3]) == 3 == caribbean.NEEDED[BONUSES[bonus]["condition"]]
    assert caribbean.tally(bonus, [*pirates[:2], *TYPES[64:], other]) == 2
    assert caribbean.tally(bonus, TYPES) == 16


def test_bonus_cards_scored_at_the_end_are_never_actions():
    front = "red-stew-1 red-stew-2 red-stew-3 blue-stew-2 green-fish-1"
    twin = position([SCORER, "red-fish-1"], front=[front], bonuses=["B17", "B05", "B06", "B13"])
    play_all(twin, *SCORING)
    assert twin.legal() == ["bonus B13", "pass"]


def test_example_9_and_r4_two_bonus_cards_in_two_turns():
    hand = "blue-ham-3 red-fish-1 green-bread-1 red-stew-1 green-fish-1 yellow-bread-1 yellow-bread-2"
    front = "blue-ham-1 blue-ham-2"
    scoring = ["keep blue-ham-3", "throw red-fish-1", "throw green-bread-1"]
    again = ["keep red-stew-1", "throw green-fish-1", "throw yellow-bread-1"]
    twin = position([hand, "red-stew-2"], front=[front], bonuses=["B03", "B16"])
    play_all(twin, *scoring)
    assert twin.legal() == ["bonus B03", "bonus B16", "pass"]
    play_all(twin, "bonus B03", "take red-stew-2 by red")
    assert twin.to_move == 0 and verbs(twin, "bonus") == []
    play_all(twin, *again)
    assert twin.legal() == ["bonus B16", "pass"]
    play_all(twin, "bonus B16")
    assert twin.bonus_cards == [["B03", "B16"], []] and twin.scores[0] == 3 + 1 + 2 + 1 + 3 + 3
    passing = position([hand, "red-stew-2"], front=[front], bonuses=["B03", "B16"])
    play_all(passing, *scoring, "pass", "take red-stew-2 by red", *again)
    assert passing.legal() == ["bonus B03", "bonus B16", "pass"]  # met in an earlier turn
    gone = position([hand, SCORER.replace("red-fish-1", "red-fish-3")], front=[front, front], bonuses=["B03"])
    play_all(gone, *scoring, "pass", "keep blue-stew-1", "throw red-fish-3", "throw green-bread-1", "bonus B03", *again)
    assert gone.to_move == 1 and gone.bonus_cards == [[], ["B03"]]  # another seat was faster


def test_no_bonus_card_without_scoring():
    twin = position(["blue-ham-3", "red-stew-2"], front=["blue-ham-1 blue-ham-2 blue-stew-1"], bonuses=["B03"])
    play_all(twin, "take blue-ham-3 by blue")
    assert twin.to_move == 1 and twin.open_bonuses[0] == "B03"


def test_example_6_and_r6_ties_for_most():
    front = ["red-ham-1 red-ham-2", "rum-red-blue red-bread-1", "blue-ham-1 blue-ham-2"]
    hands = ["red-stew-1", "red-stew-2", "red-stew-3"]
    bonuses = ["B05", "B06", "B07", "B17", "B18", "B04"]
    twin = position(hands, "yellow-fish-1 red-fish-1", front, bonuses, pile="")
    play_all(twin, "take red-stew-1 by red")
    assert twin.over and not twin.truncated
    # green, stew and fish: nobody has any. One rum with blue does not reach the most of blue.
    assert twin.bonus_cards == [["B05", "B18"], ["B05"], ["B07", "B18"]]
    assert twin.scores == [3 + 3 + 4, 7 + 3, 3 + 3 + 4] and twin.standing == [0, 0, 0]
    assert twin.open_bonuses[:1] == ["B04"] and not {"B05", "B06", "B07", "B17", "B18"} & set(twin.open_bonuses)


def test_r6_rum_counts_for_both_its_colours_and_dishes_are_added_up():
    front = ["rum-red-blue red-stew-1", "red-fish-1 blue-stew-2", "red-ham-1"]
    hands = ["red-stew-2", "red-stew-3", "red-stew-4"]
    twin = position(hands, "red-fish-2", front, ["B05", "B06", "B07", "B17", "B18"], pile="")
    play_all(twin, "take red-stew-2 by red")
    assert twin.over and twin.bonus_cards == [["B05", "B07"], ["B07", "B17"], ["B18"]]
    assert twin.standing == [0, 1, 2] and twin.scores == [7 + 6, 3 + 7, 1 + 4]


# ---- the end ----


def test_example_9_and_r5_everybody_has_one_more_turn():
    hands = ["red-stew-1", "red-stew-1", "green-stew-1"]
    twin = position(hands, pile="red-fish-1 red-fish-2", to_move=1)
    assert not twin.last_turns and twin.observe(0)["turns_left"] == [0, 0, 0, 0]
    play_all(twin, "take red-stew-1 by red")  # the supply is just complete
    assert len(twin.supply) == 6 and twin.last_turns and twin.to_move == 2
    assert twin.observe(2)["turns_left"] == [1, 1, 1, 0] and twin.observe(2)["last_turns"] == 2
    play_all(twin, "take green-stew-1 by green")
    assert len(twin.supply) == 5 and twin.to_move == 0  # it stays short
    assert twin.observe(2)["turns_left"] == [0, 1, 1, 0] and twin.observe(0)["turns_left"] == [1, 1, 0, 0]
    play_all(twin, "take red-stew-1 by red")
    assert twin.to_move == 1 and not verbs(twin, "draw")
    play_all(twin, twin.legal()[0])
    assert twin.over and not twin.truncated and twin.observe(0)["turns_left"] == [0, 0, 0, 0]


def test_r5_the_turn_that_empties_the_pile_is_finished():
    hand = "red-stew-1 red-stew-2 red-stew-3 red-stew-4 green-stew-1 green-stew-2 green-stew-3"
    twin = position([hand, "red-fish-3"], pile="red-fish-1 red-fish-2")
    play_all(twin, "take red-stew-1 by red")
    assert twin.step == "drop" and twin.last_turns and twin.observe(0)["turns_left"] == [1, 1, 0, 0]
    play_all(twin, "drop red-stew-2")
    assert twin.to_move == 1 and twin.observe(0)["turns_left"] == [1, 1, 0, 0]
    play_all(twin, "take red-fish-3 by red")
    assert twin.to_move == 0 and twin.observe(0)["turns_left"] == [1, 0, 0, 0]


def test_a_seat_that_can_neither_take_nor_score_is_skipped_in_the_last_turns():
    hands = ["yellow-ham-1", "red-stew-2", "red-stew-3 green-fish-1 blue-bread-1 red-stew-4", "red-stew-1"]
    twin = position(hands, FIVE_HAM, pile="")
    play_all(twin, "take yellow-ham-1 by ham")
    assert twin.supply == [] and twin.to_move == 2
    assert twin.observe(2)["turns_left"] == [1, 1, 0, 0]  # seat 1 has used its turn up
    assert {move.split()[0] for move in twin.legal()} == {"keep"}  # no passing
    play_all(twin, "keep red-stew-3", "throw green-fish-1", "throw blue-bread-1")
    assert twin.over and not twin.truncated


def test_the_game_may_end_with_the_pile():
    twin = position(["red-stew-1", "red-stew-2"], YELLOW_HAM, pile="red-fish-1 red-fish-2")
    play_all(twin, "draw")
    assert twin.over and not twin.truncated and twin.observe(0)["last_turns"] == 2
    assert twin.observe(0)["turns_left"] == [0, 0, 0, 0]


def test_the_move_limit():
    front = ["", "red-ham-1"]
    twin = position([SCORER, "red-fish-1"], front=front, bonuses=["B05", "B07"], max_moves=1)
    play_all(twin, "keep blue-stew-1")
    assert twin.over and twin.truncated and twin.legal() == [] and twin.to_move is None
    # a kept card counts, also for the bonus cards; hand cards do not
    assert twin.bonus_cards == [["B07", "B17"], ["B05", "B18"]] and twin.scores == [1 + 3 + 4, 1 + 3 + 4]
    assert twin.standing == [0, 0] and twin.observe(0)["moves_left"] == 0
    with pytest.raises(ValueError):
        twin.play("throw red-fish-1")
    just_in_time = position(["red-stew-1", "red-stew-2"], YELLOW_HAM, pile="red-fish-1 red-fish-2", max_moves=1)
    play_all(just_in_time, "draw")
    assert just_in_time.over and not just_in_time.truncated
    early = position(["red-stew-1", "red-stew-2"], YELLOW_HAM, max_moves=2)
    play_all(early, "draw")
    assert not early.over and early.observe(0)["moves_left"] == 1


# ---- what a seat sees ----


def test_the_view_of_a_set_and_of_a_bonus():
    twin = position(
        ["red-fish-1", SCORER, "red-fish-3"], front=["", "blue-ham-1 blue-ham-2"], bonuses=["B03"], to_move=1
    )
    assert [twin.observe(1)["step"], twin.observe(0)["active"]] == [[1, 0, 0, 0], [0, 1, 0, 0]]
    play_all(twin, *SCORING[:2])
    view = twin.observe(0)
    assert shown(view["kept"]) == Counter(["blue-stew-1"]) and shown(view["thrown"]) == Counter(["red-fish-1"])
    assert shown(view["front"][1]) == Counter(["blue-ham-1", "blue-ham-2", "blue-stew-1"])
    assert shown(view["discards"]) == Counter(["red-fish-1"]) and view["step"] == [0, 1, 0, 0]
    assert view["points"] == [0, 4, 0, 0] and view["hand_size"] == [1, 2, 1, 0] and view["num_players"] == 3
    play_all(twin, SCORING[2])
    view = twin.observe(1)
    assert view["step"] == [0, 0, 0, 1] and not any(view["kept"]) and not any(view["thrown"])
    assert view["active"] == [1, 0, 0, 0] and shown(view["hand"]) == Counter(["red-fish-2"])
    assert view["open_bonuses"][2] == 1 and not any(map(any, view["bonus_cards"]))
    play_all(twin, "bonus B03")
    view = twin.observe(0)
    assert view["open_bonuses"][2] == 0 and [row[2] for row in view["bonus_cards"]] == [0, 1, 0, 0]
    assert view["points"] == [0, 7, 0, 0] and view["active"] == [0, 0, 1, 0]
    assert twin.observe(2)["points"] == [0, 0, 7, 0]
    assert shown(view["supply"]) == Counter(SUPPLY.split()) and view["pile_size"] == len(twin.pile)


@pytest.mark.parametrize("recall", [False, True])
def test_recall(recall):
    supply = "red-ham-2 red-ham-3 red-bread-3 blue-fish-3 blue-fish-4 green-fish-3"
    pile = f"{YELLOW_HAM} green-stew-1 green-stew-2 green-stew-3"
    twin = position(["red-ham-2 red-stew-1", "blue-bread-1", "red-stew-2"], supply, pile=pile, recall=recall)

    def known(looker, place):
        return sorted(shown(twin.observe(looker)["known_hand"][place]).elements())

    def expect(*cards):
        """What seat 0 is known to hold: the others see it, and it sees what they know."""
        assert known(2, 1) == known(1, 2) == known(0, 0) == (sorted(cards) if recall else [])

    expect()
    play_all(twin, "take red-ham-2 by red")  # shown before the other copy is taken
    expect("red-ham-2", "red-ham-3", "red-bread-3")
    assert known(0, 1) == [] and known(2, 0) == []
    play_all(twin, "take blue-bread-1 by blue", "draw", "take red-ham-3 by ham", "drop red-stew-1")
    assert known(0, 1) == (["blue-fish-3", "blue-fish-4"] if recall else []) and known(0, 2) == []
    expect("red-ham-2", "red-bread-3", *["yellow-ham-1"] * 2, *["yellow-ham-2"] * 2, "yellow-ham-3")


def test_recall_counts_a_card_shown_against_the_known_copies_first():
    hand = "red-ham-2 blue-stew-1 red-stew-2 green-fish-2"
    twin = position([hand, "blue-bread-1"], f"red-ham-2 {FIVE_BREAD}", recall=True)
    play_all(twin, "take red-stew-2 by red", "take blue-bread-1 by blue")
    assert twin.known[0] == Counter(["red-ham-2", "red-bread-4"]) and twin.hands[0]["red-ham-2"] == 2
    kept = copy.deepcopy(twin)
    play_all(kept, "keep blue-stew-1", "throw red-bread-4", "throw green-fish-2")
    assert kept.known[0] == Counter(["red-ham-2"])
    other = copy.deepcopy(twin)
    play_all(other, "keep red-ham-2", "throw green-fish-2", "throw blue-stew-1")
    assert other.known[0] == Counter(["red-bread-4"]) and other.hands[0] == Counter(["red-ham-2", "red-bread-4"])


def test_recall_does_not_know_what_was_drawn():
    twin = position(["red-stew-1", "red-stew-2"], YELLOW_HAM, recall=True)
    play_all(twin, "draw")
    assert twin.hands[0].total() == 3 and not any(map(any, twin.observe(1)["known_hand"]))


# ---- records ----


def lines_of(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_records_replay(path):
    twin = replay(caribbean, lines_of(path), caribbean.audit)
    assert twin.over


def test_there_are_two_records_of_others():
    assert {"peppers_of_the_caribbean_v0_3p_s11", "peppers_of_the_caribbean_v0_4p_s12"} <= {p.stem for p in RECORDS}


def damaged_copies(lines):
    """The record with a line missing, doubled or changed, in every eighth place. None is another legal game."""
    last = len(lines) - 1
    for i in [1, *range(2, last, 8), last]:
        yield lines[:i] + lines[i + 1 :]
        yield lines[: i + 1] + lines[i:]
    for i in range(2, last, 8):
        line = lines[i]
        changes = [{"seat": line["seat"] + 1}, {"move": "draw"}, {"move": "fold"}, {"legal": line["legal"][1:]}]
        changes += [{"legal": line["legal"][::-1]}] if len(line["legal"]) > 1 else []
        for change in changes:
            yield [*lines[:i], {**line, **change}, *lines[i + 1 :]]
        yield [*lines[:i], {"chance": {"deal": lines[1]["deal"]}}, *lines[i:]]
    for change in ({"scores": [0] * 4}, {"standing": [0] * 4}, {"truncated": True}):
        yield [*lines[:last], {**lines[last], **change}]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_damaged_records_are_refused(path):
    damaged = list(damaged_copies(lines_of(path)))
    assert len(damaged) > 80
    for record in damaged:
        with pytest.raises((ValueError, AssertionError, KeyError)):
            replay(caribbean, record)


# ---- random games ----


def snapshot(twin):
    """What the ledger compares, before a move."""
    return SimpleNamespace(
        asked=twin.asked, hands=[Counter(hand) for hand in twin.hands], front=[Counter(front) for front in twin.front],
        discards=Counter(twin.discards), supply=list(twin.supply), pile=list(twin.pile), kept=list(twin.kept),
        last_turns=twin.last_turns, in_last_turn=twin.in_last_turn, num_left=len(twin.turns_left), legal=twin.legal(),
    )  # fmt: skip


def ledger(twin, before, move):
    """What a move changes, reckoned from its string alone."""
    verb, *words = move.split()
    hand, front, discards = Counter(), Counter(), Counter()
    if verb in ("take", "drop", "keep", "throw"):
        hand[words[0]] -= 1
        (front if verb == "keep" else discards)[words[0]] += 1
    if verb == "take":
        hand.update(card for card in before.supply if words[2] in card.split("-"))
    if verb == "draw":
        hand.update(before.pile[:2])
    for seat in twin.seats:
        mine = seat == before.asked
        assert changed(before.hands[seat], twin.hands[seat]) == (hand if mine else Counter()), move
        assert changed(before.front[seat], twin.front[seat]) == (front if mine else Counter()), move
    assert changed(before.discards, twin.discards) == discards, move


def changed(then, now):
    """How many more there are of each card."""
    difference = Counter(now)
    difference.subtract(then)
    return difference


def happened(before, move, twin):
    """The names of what a test wants to have seen."""
    verb = move.split()[0]
    yield verb
    if verb == "take" and before.hands[before.asked].total() == 1:
        yield "take with the only card"
    if verb == "draw" and len(before.legal) > 1:
        yield "draw instead of a set"
    if verb == "keep" and before.kept:
        yield "set of four"
    if verb in ("keep", "throw") and caribbean.is_rum(move.split()[1]):
        yield "rum in a set"
    if before.num_left - len(twin.turns_left) > 1:
        yield "skipped"
    if twin.last_turns and not before.last_turns:
        yield f"pile emptied by {verb}"
    if twin.truncated and twin.kept:
        yield "cut short in a set"


def checked(record):
    """A record replayed with every check; what happened in it."""
    header, deal, *middle, result = record
    twin = Twin(header["players"], header["options"], deal["deal"])
    caribbean.audit(twin)
    seen = Counter()
    for line in middle:
        before = snapshot(twin)
        assert twin.to_move == line["seat"] and before.legal == line["legal"] != []
        twin.play(line["move"])
        caribbean.audit(twin)
        ledger(twin, before, line["move"])
        seen.update(happened(before, line["move"], twin))
    assert {"scores": twin.scores, "standing": twin.standing, "truncated": twin.truncated} == result
    seen["cut short" if twin.truncated else "by the rules"] += 1
    given = Counter(bonus for own in twin.bonus_cards for bonus in own)
    seen.update(given.keys())
    seen["most shared"] += max(given.values(), default=0) > 1
    return seen


@pytest.mark.parametrize("n", [2, 3, 4])
def test_random_games(n):
    seen = Counter()
    for seed in range(GAMES):
        options = {"recall": True, "max_moves": 7 * seed} if seed % 2 else {}
        seen += checked(json.loads(json.dumps(play_random(caribbean, n, options, seed))))
    assert seen["by the rules"] >= GAMES // 2 and seen["cut short"] and seen["take"] and seen["keep"], seen


@pytest.mark.slow
def test_purposeful_games_reach_what_is_rare():
    seen = Counter()
    for seed in range(4 * GAMES):
        seen += checked(play_random(caribbean, 2 + seed % 3, {}, seed, caribbean.purposeful))
    rare = ["pass", "set of four", "rum in a set", "take with the only card", "skipped", "most shared"]
    assert [name for name in [*rare, "draw", "by the rules", *BONUSES] if not seen[name]] == []


# ---- the audit ----


def lose_a_card(twin):
    twin.pile.pop()


def know_too_much(twin):
    twin.known[1]["rum-red-green"] += 1


def empty_a_hand(twin):
    twin.discards += twin.hands[1]
    twin.hands[1].clear()


def fill_a_hand(twin):
    twin.hands[1].update(twin.pile[:8])
    del twin.pile[:8]


def shorten_the_supply(twin):
    twin.discards[twin.supply.pop()] += 1


def give_an_unearned_bonus(twin):
    twin.bonus_cards[0].append(twin.open_bonuses.pop(0))


def open_a_letter_twice(twin):
    twin.open_bonuses[1:3] = ["B01", "B05"]


def give_at_the_end_too_early(twin):
    twin.bonus_cards[0].append("B17")


def forget_the_last_turns(twin):
    twin.discards.update(twin.pile)
    twin.pile = []


def keep_beyond_the_set(twin):
    twin.kept.append("blue-ham-1")


def play_on_too_long(twin):
    twin.moves = 2001


@pytest.mark.parametrize(
    "damage",
    [
        lose_a_card, know_too_much, empty_a_hand, fill_a_hand, shorten_the_supply, give_an_unearned_bonus,
        open_a_letter_twice, give_at_the_end_too_early, forget_the_last_turns, keep_beyond_the_set, play_on_too_long,
    ],
)  # fmt: skip
def test_the_audit_sees_damage(damage):
    twin = position([SCORER, "red-stew-1"], front=["blue-ham-1", "red-ham-1"], bonuses=["B03", "B04"])
    caribbean.audit(twin)
    damage(twin)
    with pytest.raises(AssertionError):
        caribbean.audit(twin)
