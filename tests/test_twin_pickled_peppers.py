"""The naive twin of Pickled Peppers: records, worked examples, rulings, random games."""

import copy
import json
import random
from collections import Counter
from itertools import permutations
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.twins import letters, play_random, replay
from tests.twins import pickled_peppers as pickled
from tests.twins.letters import CARDS
from tests.twins.pickled_peppers import Twin

GAMES = 12  # for each number of players
RECORDS = sorted((Path(__file__).parent / "golden").glob(f"{pickled.GAME}_*.jsonl"))
WORDS = set(letters.WORDS)


# ---- positions ----


def position(
    stacks, taken=(), centre="", spare="", live=None, owner=None, pickler=None, strings=(), string="",
    to_move=1, rest=0, **options,
):  # fmt: skip
    """Strings name cards, the top of a stack first. With a live pepper a pickle goes on: the pepper lies on the centre,
    or after earlier strings at the end of the last one. Cards not named are dealt cards at the bottom of stack `rest`.
    """
    n = len(stacks)
    twin = Twin(n, options, Twin.random_deal(n, options, random.Random(1)))
    twin.stacks = [stack.split() for stack in stacks]
    twin.taken = [taken[seat].split() if seat < len(taken) else [] for seat in twin.seats]
    twin.centre, twin.spare, twin.string = centre.split(), spare.split(), string.split()
    twin.strings = [earlier.split() for earlier in strings]
    twin.asked = to_move
    if live:
        (twin.strings[-1] if strings else twin.centre).append(live)
        twin.live, twin.owner = live, owner
        twin.pickler = twin.asked = (owner + 1) % n if pickler is None else pickler
    twin.seen = set(sum(twin.taken, twin.centre + twin.earlier + twin.string))
    named = sum(twin.stacks, twin.spare + list(twin.seen))
    twin.stacks[rest] += [card for card in CARDS if card not in named]
    if live:
        twin.step = "pickle"
        if twin.string and (len(twin.string) == pickled.CHILIES[live] or not twin.cards_of(twin.pickler)):
            twin.step = "last"
    for seat in twin.seats:
        if not twin.cards_of(seat) and seat not in (twin.owner, twin.pickler):
            twin.out[seat] = 0
    pickled.audit(twin)
    return twin


def play_all(twin, *moves):
    for move in moves:
        twin.play(move)
        pickled.audit(twin)


def restack(twin, *stack):
    twin.chance({"restack": {"seat": twin.asked, "stack": list(stack)}})
    pickled.audit(twin)


def held(twin):
    return [len(twin.cards_of(seat)) for seat in twin.seats]


# ---- components and set-up ----


def test_components():
    assert len(CARDS) == len(set(CARDS)) == 52 and CARDS[0] == "E1" and CARDS[51] == "Z4"
    chilies = Counter(pickled.CHILIES[card] for card in CARDS)
    assert sum(chilies.values()) - chilies[0] == 16 and set(chilies) == {0, 1, 2, 3, 4}
    assert pickled.CHILIES["E3"] == 4 and pickled.CHILIES["O2"] == 2 and pickled.CHILIES["W4"] == 0
    assert {"LOW", "LO"} <= WORDS and len(WORDS) == 74667
    assert pickled.ACTIONS == ["flip", "claim", "pass"]


def test_examples_5_and_8_and_r2_and_r4_the_deal():
    for n, each, left_over in ((2, 26, 0), (3, 17, 1), (4, 13, 0), (5, 10, 2)):
        deal = Twin.random_deal(n, {}, random.Random(4))
        twin = Twin(n, {}, deal)
        pickled.audit(twin)
        assert [len(stack) for stack in deal["stacks"]] == [each] * n == held(twin)
        assert len(deal["spare"]) == left_over == twin.observe(0)["spare"]
        assert twin.to_move == 1 and twin.legal() == ["flip"] and not twin.seen
        play_all(twin, "flip")
        assert twin.centre == [deal["stacks"][1][0]] and twin.cards_of(1) == deal["stacks"][1][1:]


FULL = [CARDS[seat * 17 : (seat + 1) * 17] for seat in range(3)]


@pytest.mark.parametrize(
    "damage",
    [
        {"stacks": FULL[:2]}, {"stacks": [*FULL, []]}, {"stacks": None}, {"stacks": [FULL[0], FULL[1], None]},
        {"stacks": [FULL[0][1:], FULL[1], FULL[2]]}, {"stacks": [[*FULL[0][1:], "E5"], FULL[1], FULL[2]]},
        {"stacks": [[*FULL[0][1:], "A1"], FULL[1], FULL[2]]}, {"stacks": [[*FULL[0][1:], []], FULL[1], FULL[2]]},
        {"stacks": [[*FULL[0], "Z4"], FULL[1], FULL[2]], "spare": []}, {"stacks": ["E1", FULL[1], FULL[2]]},
        {"spare": []}, {"spare": ["E1"]}, {"spare": "Z4"}, {"spare": None}, {"spare": ["Z4", "Z4"]}, {"starter": 1},
    ],
)  # fmt: skip
def test_impossible_deals_are_refused(damage):
    deal = {"stacks": FULL, "spare": ["Z4"]}
    assert Twin(3, {}, deal).to_move == 1
    with pytest.raises(ValueError):
        Twin(3, {}, {**deal, **damage})


def test_missing_parts_options_and_players_are_refused():
    deal = Twin.random_deal(2, {}, random.Random(4))
    for name in deal:
        with pytest.raises(ValueError):
            Twin(2, {}, {key: value for key, value in deal.items() if key != name})
    for options in ({"max_rounds": 3}, {"words": "on"}, {"words": True}, {"min_len": 1}, {"min_len": 5}):
        with pytest.raises(ValueError):
            Twin(2, options, deal)
    for num_players in (1, 3, 6):
        with pytest.raises(ValueError):
            Twin(num_players, {}, deal)


# ---- normal play and pickling ----


def test_normal_play_goes_clockwise():
    twin = position(["T1", "N1 T2", "R1 T3"], centre="S1")
    play_all(twin, "flip")
    assert twin.centre == ["S1", "N1"] and twin.to_move == 2
    play_all(twin, "flip")
    assert twin.to_move == 0
    play_all(twin, "flip")
    assert twin.centre == ["S1", "N1", "R1", "T1"] and twin.to_move == 1 and twin.live is None


@pytest.mark.parametrize(("pepper", "chilies"), [("I1", 1), ("O1", 2), ("A1", 3), ("E1", 4)])
def test_example_1_a_pepper_makes_the_next_seat_lay_cards(pepper, chilies):
    for stacks, pickler in ((["T1 T2 T3 N1 N2", "R1"], 1), (["", "T1 T2 T3 N1 N2"], 2)):  # the next seat with cards
        twin = position([f"{pepper} T4", *stacks], to_move=0, words="off")
        play_all(twin, "flip")
        view = twin.observe(0)
        assert view["need"] == chilies and view["owner"][0] == 1 == view["pickler"][pickler] and twin.owner == 0
        for laid in range(chilies):
            assert twin.to_move == pickler and twin.observe(2)["laid"] == laid and twin.live == pepper
            play_all(twin, "flip")
        assert twin.live is None and len(twin.taken[0]) == 1 + chilies and twin.centre == []


def test_example_4_the_pickler_leads_not_the_taker():
    twin = position(["T4", "T1 T2 N3", "R1"], centre="S1 S2", live="O1", owner=0, words="off")
    play_all(twin, "flip", "flip")
    assert Counter(twin.taken[0]) == Counter(["S1", "S2", "O1", "T1", "T2"]) and twin.to_move == 1
    assert twin.step == "flip" and twin.legal() == ["flip"]
    asked = position(["T4", "T1 T2 N3", "R1"], centre="S1 S2", live="O1", owner=0)
    play_all(asked, "flip", "flip")
    assert asked.to_move == 1 and asked.step == "last" and asked.legal() == ["claim", "pass"] and asked.taken[0] == []
    play_all(asked, "pass")
    assert Counter(asked.taken[0]) == Counter(["S1", "S2", "O1", "T1", "T2"]) and asked.to_move == 1


def test_example_7_and_r4_a_pickled_pepper_ends_the_pickle():
    twin = position(["T4", "T1 I1 N2", "L2 L4"], centre="S1", spare="Z4", live="O1", owner=0, words="off")
    play_all(twin, "flip", "flip")
    assert twin.live == "I1" and twin.owner == 1 and twin.pickler == 2 == twin.to_move
    assert twin.strings == [["T1", "I1"]] and twin.string == [] and twin.observe(2)["need"] == 1
    play_all(twin, "flip")
    assert Counter(twin.taken[1]) == Counter(["S1", "O1", "T1", "I1", "L2", "Z4"]) and twin.spare == []
    assert twin.to_move == 2 and twin.taken[0] == [] and twin.strings == []


def test_earlier_strings_do_not_count_for_the_need_or_the_word():
    twin = position(["T4 S4", "N2", "O2 N3"], centre="E1", strings=["W4 L2"], live="O1", owner=1)
    assert twin.pickler == 2 and twin.legal() == ["flip"] and twin.observe(0)["laid"] == 0
    play_all(twin, "flip")
    assert twin.strings == [["W4", "L2", "O1"], ["O2"]] and twin.owner == 2 and twin.pickler == 0
    assert twin.observe(0)["need"] == 2 and twin.observe(0)["laid"] == 0
    play_all(twin, "flip")  # T and the live O; with the W it would be TWO
    assert not twin.is_right() and twin.observe(0)["laid"] == 1


# ---- claiming ----


def test_example_2_low():
    twin = position(["T4", "L2 W4 N2"], centre="S1", live="O1", owner=0, spell_hint=True)
    assert twin.legal() == ["flip"]
    play_all(twin, "flip")
    assert twin.legal() == ["flip", "claim"] and twin.observe(0)["hint"] == 0
    wrong = copy.deepcopy(twin)
    play_all(wrong, "claim")
    assert wrong.over and wrong.scores == [52, 0]  # it paid W4 and N2, its last cards
    play_all(twin, "flip")
    assert twin.legal() == ["claim", "pass"] and twin.observe(0)["hint"] == 1 == twin.observe(1)["hint"]
    play_all(twin, "claim")
    assert Counter(twin.taken[1]) == Counter(["S1", "O1", "L2", "W4"]) and twin.to_move == 1 and not twin.over
    assert held(twin) == [47, 5]


def test_example_2_and_r5_two_letters_with_min_len():
    for min_len in (2, 3, 4):
        twin = position(["T4", "L2 W4 N2 R1 R2 R3 R4"], live="O1", owner=0, min_len=min_len, spell_hint=True)
        play_all(twin, "flip")
        assert twin.observe(1)["hint"] == int(min_len == 2) and twin.observe(1)["min_len"] == min_len
        both = copy.deepcopy(twin)
        play_all(twin, "claim")
        assert (twin.live is None) == (min_len == 2) and len(twin.taken[1]) == (2 if min_len == 2 else 0)
        play_all(both, "flip")
        assert both.observe(1)["hint"] == int(min_len < 4)


def test_r1_knowing_is_the_players_business():
    twin = position(["T4", "N2 R1 R2 R3 R4 S1 S2"], live="O1", owner=0)
    play_all(twin, "flip")
    assert "claim" in twin.legal() and twin.observe(1)["hint"] == 0  # ON has two letters only
    right = position(["T4", "T1 R1 R2", "S1"], live="O1", owner=0, min_len=2, rest=2)
    play_all(right, "flip")
    before = held(right)
    play_all(right, "claim")
    assert [now - then for then, now in zip(before, held(right))] == [0, 2, 0], "nobody pays"


def test_r5_all_letters_in_any_order():
    twin = position(["T4", "W4 L2 T1 N2"], live="A1", owner=0)
    play_all(twin, "flip", "flip")
    assert twin.is_right()  # LAW
    play_all(twin, "flip")
    assert twin.step == "last" and not twin.is_right()  # it does not use the T
    after_a_pickled_pepper = position(
        ["L2 W4 T1", "R1", "S1"], centre="E1", strings=["T2 R2"], live="O2", owner=2, rest=1
    )
    play_all(after_a_pickled_pepper, "flip", "flip")
    assert after_a_pickled_pepper.is_right()


def test_r6_a_wrong_claim_pays_five_and_the_pickle_goes_on():
    twin = position(["T4", "T1 T2 N1 N2 N3 N4 R1 R2"], live="A1", owner=0)
    play_all(twin, "flip", "claim")
    assert twin.taken == [["T2", "N1", "N2", "N3", "N4"], []] and twin.stacks[1] == ["R1", "R2"]
    assert twin.live == "A1" and twin.string == ["T1"] and twin.to_move == 1
    assert twin.legal() == ["flip"] and twin.observe(0)["can_claim"] == 0
    play_all(twin, "flip")  # the next card may be claimed again
    assert twin.legal() == ["flip", "claim"] and twin.observe(0)["can_claim"] == 1


def test_r6_the_penalty_goes_to_the_owner_and_not_to_the_next_seat():
    twin = position(["T4", "T3", "T1 T2 N1 N2 N3 N4 R1 R2", "S1"], live="A1", owner=0, pickler=2)
    play_all(twin, "flip", "claim")
    assert [len(pile) for pile in twin.taken] == [5, 0, 0, 0]


def test_example_3_and_r6_a_wrong_claim_with_three_cards_left_pays_three():
    twin = position(["T4", "T1 T2 N1 N2", "S1"], live="A1", owner=0)
    play_all(twin, "flip", "claim")
    assert Counter(twin.taken[0]) == Counter(["T2", "N1", "N2", "A1", "T1"]) and twin.to_move == 2
    assert twin.out == [None, 2, None] and twin.observe(0)["out"] == [0, 1, 0, 0, 0]  # R7: not asked again
    assert twin.live is None and twin.step == "flip"


def test_r6_the_taken_pile_is_recycled_first():
    twin = position(["T4", "T1 T2"], taken=["", "R1 R2 R3 R4 S1"], live="A1", owner=0)
    play_all(twin, "flip")
    twin.play("claim")
    pickled.audit(twin)
    assert twin.awaiting == "restack" and twin.taken[0] == ["T2"] and twin.to_move == 1 and twin.legal() == []
    restack(twin, "S1", "R4", "R3", "R2", "R1")
    assert twin.taken == [["T2", "S1", "R4", "R3", "R2"], []] and twin.stacks[1] == ["R1"]
    assert twin.step == "pickle" and twin.legal() == ["flip"] and twin.moves == 2


def test_r6_no_card_is_taken_where_five_are_paid_exactly():
    twin = position(["T4", "T1 T2 N1 N2 N3 N4"], taken=["", "R1"], live="A1", owner=0)
    play_all(twin, "flip", "claim")
    assert twin.awaiting is None and twin.stacks[1] == [] and twin.taken[1] == ["R1"]
    twin.play("flip")
    assert twin.awaiting == "restack"
    restack(twin, "R1")
    assert twin.string == ["T1", "R1"] and twin.step == "last"  # it was its last card


def test_r6_a_wrong_claim_on_the_last_card_completes_the_pickle():
    twin = position(["T4", "L2 L4 N1 N2 N3 N4 R1 R2"], live="O1", owner=0)
    play_all(twin, "flip", "flip", "claim")
    assert Counter(twin.taken[0]) == Counter(["N1", "N2", "N3", "N4", "R1", "O1", "L2", "L4"])
    assert twin.to_move == 1 and twin.step == "flip" and twin.stacks[1] == ["R2"] and twin.legal() == ["flip"]


def test_r6_the_penalty_on_the_last_card_may_be_recycled_too():
    twin = position(["T4", "T1", "S1"], taken=["", "R1 R2", ""], live="I1", owner=0)
    play_all(twin, "flip")
    assert twin.step == "last"
    twin.play("claim")
    assert twin.awaiting == "restack" and twin.owing == 5
    restack(twin, "R2", "R1")
    assert Counter(twin.taken[0]) == Counter(["R1", "R2", "I1", "T1"]) and twin.out == [None, 2, None]
    assert twin.to_move == 2 and twin.step == "flip"


def test_without_words_nothing_is_asked():
    twin = position(["T4", "L2 W4 N2"], live="O1", owner=0, words="off", spell_hint=True)
    play_all(twin, "flip")
    view = twin.observe(0)
    assert twin.legal() == ["flip"] and view["can_claim"] == view["words"] == view["hint"] == 0
    play_all(twin, "flip")
    assert len(twin.taken[0]) == 3 and twin.step == "flip" and twin.to_move == 1


# ---- stacks that run out ----


def test_example_6_and_r3_a_stack_that_runs_out_in_the_middle():
    twin = position(["T4", "T1"], taken=["", "R1 R2 R3"], live="A1", owner=0)
    play_all(twin, "flip")
    assert twin.awaiting is None and twin.stacks[1] == [] and twin.legal() == ["flip", "claim"]
    twin.play("flip")
    pickled.audit(twin)
    assert twin.awaiting == "restack" and twin.string == ["T1"] and twin.to_move == 1
    for wrong in (
        {"seat": 0, "stack": ["R1", "R2", "R3"]}, {"seat": True, "stack": ["R1", "R2", "R3"]},
        {"seat": 1, "stack": ["R1", "R2"]}, {"seat": 1, "stack": ["R1", "R2", "R3", "R3"]},
        {"seat": 1, "stack": ["R1", "R2", "R2"]}, {"seat": 1, "stack": ["R1", "R2", "T1"]},
        {"seat": 1, "stack": ["R1", "R2", None]}, {"seat": 1, "stack": "R1"}, {"seat": 1, "stack": None},
        {"seat": 1}, {"stack": ["R1", "R2", "R3"]}, {"seat": 1, "stack": ["R1", "R2", "R3"], "top": "R1"}, None, [],
    ):  # fmt: skip
        with pytest.raises(ValueError):
            twin.chance({"restack": wrong})
    with pytest.raises(ValueError):
        twin.chance({"reshuffle": {"seat": 1, "stack": ["R1", "R2", "R3"]}})
    with pytest.raises(ValueError):
        twin.play("flip")
    restack(twin, "R2", "R3", "R1")
    assert twin.string == ["T1", "R2"] and twin.stacks[1] == ["R3", "R1"] and twin.taken[1] == []
    with pytest.raises(ValueError):
        twin.chance({"restack": {"seat": 1, "stack": ["R3", "R1"]}})
    with pytest.raises(ValueError):
        twin.random_outcome(random.Random(1))


def test_r3_the_line_follows_the_flip_that_needs_the_card():
    twin = position(["T4", "T1"], taken=["", "R1 R2"])
    play_all(twin, "flip", "flip")
    assert twin.awaiting is None and twin.to_move == 1
    twin.play("flip")
    assert twin.awaiting == "restack" and twin.moves == 3
    restack(twin, "R2", "R1")
    assert twin.centre[-1] == "R2" and twin.to_move == 0


def test_r7_a_seat_without_cards_in_normal_play_is_out():
    twin = position(["T4", "T1", "S1 S2"])
    play_all(twin, "flip")
    assert twin.out == [None, 1, None] and twin.to_move == 2 and twin.observe(2)["out"] == [0, 0, 1, 0, 0]
    play_all(twin, "flip", "flip")
    assert twin.to_move == 2  # seat 1 is passed over


def test_r7_the_owner_of_the_live_pepper_is_not_out():
    twin = position(["T4", "I1", "S1 S2"])
    play_all(twin, "flip")
    assert twin.cards_of(1) == [] and twin.out == [None, None, None] and twin.owner == 1 and twin.to_move == 2
    taking, losing = copy.deepcopy(twin), copy.deepcopy(twin)
    play_all(taking, "flip", "pass")
    assert taking.out == [None, None, None] and held(taking)[1] == 2
    losing.options["min_len"] = 2  # IS
    play_all(losing, "flip", "claim")
    assert losing.out == [None, 3, None] and losing.to_move == 2 and held(losing)[2] == 3


def test_r7_an_owner_without_cards_is_out_with_a_pickled_pepper():
    twin = position(["T4", "I1", "O1 S2"])
    play_all(twin, "flip", "flip")
    assert twin.out == [None, 2, None] and twin.owner == 2 and twin.live == "O1" and twin.to_move == 0


def test_r7_an_exhausted_pickler_completes_the_pickle():
    twin = position(["T4", "T1 N1", "S1"], live="E1", owner=0, words="off")
    play_all(twin, "flip", "flip")
    assert Counter(twin.taken[0]) == Counter(["E1", "T1", "N1"]) and twin.out == [None, 2, None] and twin.to_move == 2
    between = position(["S1", "T4", "T1 N1"], live="E1", owner=1, rest=1, words="off")
    play_all(between, "flip", "flip")
    assert between.to_move == 0 and between.out == [None, None, 2]  # the taker is not the leader


def test_r7_the_last_card_of_an_exhausted_pickler_may_be_claimed():
    twin = position(["T4", "N1 T1", "S1"], live="E1", owner=0)
    play_all(twin, "flip", "flip")
    assert twin.legal() == ["claim", "pass"] and twin.observe(0)["step"] == [0, 0, 1] and twin.out[1] is None
    right, wrong = copy.deepcopy(twin), copy.deepcopy(twin)
    play_all(right, "claim")  # TEN
    assert Counter(right.taken[1]) == Counter(["E1", "T1", "N1"]) and right.to_move == 1
    play_all(twin, "pass")
    assert twin.out == [None, 3, None] and twin.to_move == 2 and held(twin)[0] == 51
    wrong.options["min_len"] = 4
    play_all(wrong, "claim")  # there is nothing to pay
    assert wrong.out == [None, 3, None] and wrong.to_move == 2 and held(wrong)[0] == 51


def test_r7_a_pickler_that_lost_its_last_cards_by_a_claim_is_not_asked():
    twin = position(["T4", "T1 N1 N2 N3 N4 R1", "S1"], centre="S2", live="E1", owner=0)
    play_all(twin, "flip", "claim")
    assert twin.live is None and twin.out == [None, 2, None] and twin.to_move == 2
    assert Counter(twin.taken[0]) == Counter(["N1", "N2", "N3", "N4", "R1", "S2", "E1", "T1"])


PLAIN = [card for card in CARDS if not pickled.is_pepper(card)]
PEPPERS = [card for card in CARDS if pickled.is_pepper(card)]


@pytest.mark.parametrize("left", ["", "Z4", "Z4 X4"])
def test_r7_no_other_seat_has_cards_when_a_pepper_goes_live(left):
    """Seat 0 has laid its last card, the I2, and seat 1 pickles; all but seat 1's cards are in play."""
    centre = [card for card in PLAIN if card not in left.split()] + ["I1"]
    strings = [pepper for pepper in PEPPERS if pepper not in ("I1", "I2", "E1")]
    twin = position(["", f"E1 {left}", ""], centre=" ".join(centre), strings=[*strings, ""], live="I2", owner=0)
    play_all(twin, "flip")
    assert twin.over and not twin.truncated and twin.scores == [0, 52, 0]
    assert twin.out == [1, None, 0] and twin.standing == [1, 0, 2] and twin.centre == twin.strings == []
    view = twin.observe(0)
    assert not any(view["live"] + view["owner"] + view["pickler"] + view["active"] + view["step"]) and not view["need"]


# ---- the end ----


def test_the_last_seat_with_cards_wins_and_the_centre_belongs_to_nobody():
    twin = position(["T4", "T1", ""], centre="S1 S2", spare="Z4")
    play_all(twin, "flip")
    assert twin.over and not twin.truncated and twin.to_move is None and twin.legal() == []
    assert twin.scores == [48, 0, 0] and twin.standing == [0, 1, 2] and twin.centre == ["S1", "S2", "T1"]
    with pytest.raises(ValueError):
        twin.play("flip")
    with pytest.raises(ValueError):
        twin.chance({"restack": {"seat": 1, "stack": []}})


def test_taken_cards_are_cards():
    others = " ".join(card for card in CARDS if card not in ("T1", "N1", "N2"))
    twin = position(["", "T1", ""], taken=["N1", "", "N2"], spare=others)
    play_all(twin, "flip")
    assert not twin.over and twin.out == [None, 1, None] and twin.to_move == 2
    twin.play("flip")
    restack(twin, "N2")
    assert twin.over and twin.scores == [1, 0, 0] and twin.standing == [0, 2, 1]


@pytest.mark.parametrize("words", ["off", "claim"])
def test_the_owner_wins_when_it_takes_the_last_cards(words):
    twin = position(["T4", "T1"], centre="S1", live="E1", owner=0, words=words)
    play_all(twin, "flip", *["pass"] * (words == "claim"))
    assert twin.over and twin.scores == [52, 0] and twin.standing == [0, 1]


def test_no_end_while_a_pepper_is_live():
    twin = position(["E1", "T1 T2 T3", ""], rest=1, to_move=0, words="off")
    play_all(twin, "flip")
    assert held(twin) == [0, 51, 0] and not twin.over
    play_all(twin, "flip", "flip", "flip")
    assert not twin.over and twin.step == "pickle"


def test_a_right_claim_against_an_owner_without_cards_wins():
    twin = position(["I1", "N1 T1", ""], rest=1, to_move=0, min_len=2)
    play_all(twin, "flip", "flip", "claim")  # IN
    assert twin.over and twin.scores == [0, 52, 0] and twin.standing == [1, 0, 2] and twin.out == [3, None, 0]


def test_r8_standing_by_when_a_seat_went_out():
    twin = position(["T4", "T1", "N1", "N2"])
    play_all(twin, "flip", "flip", "flip")
    assert twin.over and twin.out == [None, 1, 2, 3] and twin.standing == [0, 3, 2, 1]
    together = position(["T4", "T1", "", ""])  # no game leads there: two that went out in the same decision
    together.play("flip")
    assert together.over and together.standing == [0, 1, 2, 2]


def test_the_move_limit():
    twin = position(["T4 T3", "T1 T2 N1", "S1"], centre="R1", live="O1", owner=0, max_moves=1, spell_hint=True)
    play_all(twin, "flip")
    view = twin.observe(1)
    assert twin.over and twin.truncated and twin.to_move is None and twin.legal() == []
    assert twin.scores == [46, 2, 1] and twin.standing == [0, 1, 2] and view["moves_left"] == 0
    assert view["laid"] == 1 and sum(view["live"]) == 1 == view["pickler"][0] and view["can_claim"] == 0
    assert not any(view["active"] + view["step"]) and view["hint"] == 0
    with pytest.raises(ValueError):
        twin.play("flip")


def test_the_move_limit_ties_by_cards_held():
    half = [card for card in CARDS if card not in ("T1", "T2", "N1", "N2")]
    stacks = [" ".join(half[:24]), " ".join(["T1", *half[24:]]), "", ""]
    twin = position(stacks, centre="N1 T2", spare="N2", max_moves=1)
    play_all(twin, "flip")
    assert twin.truncated and twin.scores == [24, 24, 0, 0] and twin.standing == [0, 0, 2, 2]


def test_the_end_by_the_rules_comes_first_and_a_restack_belongs_to_its_move():
    just_in_time = position(["T4", "T1"], max_moves=1)
    play_all(just_in_time, "flip")
    assert just_in_time.over and not just_in_time.truncated
    twin = position(["T4", ""], taken=["", "R1 R2"], max_moves=1)
    twin.play("flip")
    assert twin.awaiting and not twin.over
    restack(twin, "R1", "R2")
    assert twin.truncated and twin.scores == [50, 1]
    early = position(["T4", "T1 T2"], max_moves=2)
    play_all(early, "flip")
    assert not early.over and early.observe(0)["moves_left"] == 1


# ---- what a seat sees ----


def shown(row):
    """The cards of a row of ones and zeros."""
    return [card for card, there in zip(CARDS, row) if there]


def test_the_view_of_normal_play():
    view = position(["T4 S4", "N2 N3", "S1"], taken=["", "R1"], centre="T1 T2", spare="Z4").observe(1)
    assert view["stack"] == [2, 1, 45, 0, 0] and view["taken"] == [1, 0, 0, 0, 0] and view["out"] == [0] * 5
    assert shown(view["centre_top"]) == ["T2"] and view["centre_size"] == 2 and view["spare"] == 1
    assert not any(view["live"] + view["owner"] + view["strings"] + view["pickler"])
    assert [shown(place) for place in view["string"]] == [[], [], [], []]
    assert view["need"] == view["laid"] == view["can_claim"] == view["hint"] == 0
    assert view["active"] == [1, 0, 0, 0, 0] and view["step"] == [1, 0, 0]
    assert view["words"] == 1 and view["min_len"] == 3 and view["moves_left"] == 5000 and view["num_players"] == 3
    assert not any(position(["T4", "N2"]).observe(0)["centre_top"])


def test_the_view_of_a_pickle():
    twin = position(["T4 S4", "N2 N3", "L2 L4", "R3 R4"], centre="S1 I1", strings=["T1"], live="A1", owner=1)
    play_all(twin, "flip", "flip")
    view = twin.observe(3)
    assert shown(view["live"]) == ["A1"] and view["owner"] == [0, 0, 1, 0, 0] and view["pickler"] == [0, 0, 0, 1, 0]
    assert view["need"] == 3 and view["laid"] == 2 and shown(view["strings"]) == ["A1", "T1"]
    assert [shown(place) for place in view["string"]] == [["L2"], ["L4"], [], []]
    assert shown(view["centre_top"]) == ["I1"] and view["centre_size"] == 2
    assert view["active"] == view["pickler"] and view["step"] == [0, 0, 1]  # it was its last card
    assert view["can_claim"] == 1 and view["hint"] == 0
    turned = {name: view[name] for name in ("stack", "owner", "pickler", "active")}
    assert view == {**twin.observe(0), **turned}  # the others see the same from where they sit


def test_the_live_pepper_of_normal_play_lies_on_the_centre():
    twin = position(["T4", "I1 N2", "S1 S2"], centre="R1")
    play_all(twin, "flip")
    view = twin.observe(0)
    assert shown(view["centre_top"]) == shown(view["live"]) == ["I1"] and view["centre_size"] == 2


def test_spell_hint_is_off_by_default():
    twin = position(["T4", "L2 W4 N2"], live="O1", owner=0)
    play_all(twin, "flip", "flip")
    assert twin.is_right() and twin.observe(0)["hint"] == 0 and twin.observe(0)["can_claim"] == 1


@pytest.mark.parametrize("recall", [False, True])
def test_recall(recall):
    twin = position(
        ["T4", "T1 T2 N1 N2 N3 N4 R1 R2", "S1 S2"], spare="Z4", centre="S3", live="A1", owner=0, recall=recall
    )

    def expect(seat, in_play, taken, stacks):
        """Where cards are known to be: in play, in the taken piles and in the stacks of the seats, own seat first."""
        rows = [in_play, *taken, "", "", *stacks, "", ""]
        found = [shown(row) for row in twin.observe(seat)["known"]]
        assert found == [sorted(row.split() if recall else [], key=CARDS.index) for row in rows]

    expect(0, "S3 A1", ["", "", ""], ["", "", ""])
    play_all(twin, "flip", "claim")  # paid face up
    expect(0, "S3 A1 T1", ["T2 N1 N2 N3 N4", "", ""], ["", "", ""])
    expect(1, "S3 A1 T1", ["", "", "T2 N1 N2 N3 N4"], ["", "", ""])
    play_all(twin, "flip", "flip", "pass")  # the spare card is turned up
    pile = "S3 A1 T1 T2 N1 N2 N3 N4 R1 R2 Z4"
    expect(2, "", ["", pile, ""], ["", "", ""])


@pytest.mark.parametrize("recall", [False, True])
def test_recall_of_a_recycled_stack(recall):
    twin = position(["T4", "", "S1 S2 S3"], taken=["", "R1 R2", ""], recall=recall)
    twin.play("flip")
    known = [shown(row) for row in twin.observe(2)["known"]]
    assert known == [[], [], [], ["R1", "R2"] if recall else [], *[[]] * 7]
    restack(twin, "R2", "R1")
    for seat, row in ((2, 6 + 2), (1, 6 + 0), (0, 6 + 1)):
        known = [shown(row) for row in twin.observe(seat)["known"]]
        assert known[0] == (["R2"] if recall else []) and known[row] == (["R1"] if recall else [])
        assert sum(map(len, known)) == (2 if recall else 0)


# ---- records ----


def lines_of(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_records_replay(path):
    twin = replay(pickled, lines_of(path), pickled.audit)
    assert twin.over


def test_there_are_two_records_of_others():
    assert {"pickled_peppers_v0_2p_s11", "pickled_peppers_v0_3p_s12"} <= {path.stem for path in RECORDS}


def damaged_moves(lines, i):
    """The record with a move line missing, doubled or changed."""
    line = lines[i]
    changes = [{"seat": line["seat"] + 1}, {"seat": line["seat"] - 1}, {"move": "fold"}, {"legal": line["legal"][1:]}]
    changes += [{"move": move} for move in pickled.ACTIONS if move not in line["legal"]]
    changes += [{"legal": line["legal"][::-1]}] if len(line["legal"]) > 1 else []
    for change in changes:
        yield [*lines[:i], {**line, **change}, *lines[i + 1 :]]
    yield lines[:i] + lines[i + 1 :]
    yield lines[: i + 1] + lines[i:]


def damaged_outcomes(lines, i):
    """The record with a restack missing, doubled, changed, or for another seat."""
    seat, stack = lines[i]["chance"]["restack"]["seat"], lines[i]["chance"]["restack"]["stack"]
    for change in (
        {"seat": seat + 1},
        {"stack": stack[1:]},
        {"stack": [*stack, stack[0]]},
        {"stack": [*stack[1:], "E0"]},
    ):
        yield [*lines[:i], {"chance": {"restack": {"seat": seat, "stack": stack, **change}}}, *lines[i + 1 :]]
    yield [*lines[:i], {"chance": {"deal": lines[1]["deal"]}}, *lines[i + 1 :]]
    yield lines[:i] + lines[i + 1 :]
    yield lines[: i + 1] + lines[i:]


def damaged_copies(lines):
    """Damage of every line. None is another legal game."""
    last = len(lines) - 1
    yield from ([lines[0], *lines[2:]], [*lines[:2], *lines[1:]], lines[:last], [*lines, lines[last]])
    for i in range(2, last):
        yield from damaged_outcomes(lines, i) if "chance" in lines[i] else damaged_moves(lines, i)
    for change in ({"scores": [0] * 4}, {"standing": [0] * 4}, {"truncated": True}):
        yield [*lines[:last], {**lines[last], **change}]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_damaged_records_are_refused(path):
    damaged = list(damaged_copies(lines_of(path)))
    assert len(damaged) > 300
    for record in damaged:
        with pytest.raises((ValueError, AssertionError, KeyError)):
            replay(pickled, record)


# ---- random games ----


def is_word(cards, min_len):
    """Some order of the letters is in the list: tried one after another."""
    spellings = ("".join(order) for order in permutations(card[0] for card in cards))
    return len(cards) >= min_len and not WORDS.isdisjoint(spellings)


def snapshot(twin):
    """What the ledger compares, before a move."""
    return SimpleNamespace(
        asked=twin.asked, live=twin.live, owner=twin.owner, step=twin.step, string=list(twin.string), held=held(twin),
        pile=len(twin.centre + twin.spare + twin.earlier + twin.string), right=None, legal=twin.legal(),
        top=twin.stacks[twin.asked][:1],
    )  # fmt: skip


def ledger(twin, before, move, outcomes):
    """How many cards each seat wins or loses with a move, reckoned from where it stood."""
    gains, in_play, taker = Counter(), before.pile, None
    if move == "flip":
        gains[before.asked] -= 1
        in_play += 1
        card = (before.top or outcomes[0]["restack"]["stack"])[0]
        if before.live and twin.live is None:  # without words, or no other seat has cards for a Pickled Pepper
            taker = before.asked if pickled.is_pepper(card) else before.owner
    elif move == "pass":
        taker = before.owner
    elif before.right:
        taker = before.asked
    else:
        paid = min(pickled.PENALTY, before.held[before.asked])
        gains.update({before.asked: -paid, before.owner: paid})
        if before.step == "last" or paid == before.held[before.asked]:
            taker = before.owner
    gains[taker] += in_play
    assert [now - then for then, now in zip(before.held, held(twin))] == [gains[seat] for seat in twin.seats], move
    assert (taker is None) == (twin.live is not None or before.live is None)
    if taker is not None and held(twin)[before.asked] and not twin.over:
        assert twin.to_move == before.asked, "the pickler leads"


def happened(before, move, twin, outcomes):
    """The names of what a test wants to have seen."""
    exhausted, pays = before.held[before.asked] == 0, before.held[before.asked]
    if move == "claim":
        yield f"{'right' if before.right else 'wrong'} {'with the last card' if exhausted else before.step}"
        if not before.right and exhausted < pays < pickled.PENALTY:
            yield "pays less"
        if not before.right and before.step == "pickle" and twin.live is None:
            yield "last cards lost by a claim"
        if before.right and twin.out[before.owner]:
            yield "right against an owner without cards"
        if outcomes:
            yield "restack in a penalty"
    if move == "pass" and exhausted:
        yield "pass with the last card"
    if move == "flip" and before.live and twin.live not in (None, before.live):
        yield "Pickled Pepper"
        if twin.out[before.owner] is not None:
            yield "owner out by a Pickled Pepper"
    if twin.truncated:
        yield f"cut short in {before.step}"
    elif twin.over:
        yield f"won by {move}{'' if before.live else ' in normal play'}"


def checked(record):
    """A record replayed with every check; what happened in it."""
    header, deal, *middle, result = record
    twin = Twin(header["players"], header["options"], deal["deal"])
    pickled.audit(twin)
    seen = Counter()
    while middle:
        line = middle.pop(0)
        before = snapshot(twin)
        before.right = bool(twin.live and twin.string) and is_word([*twin.string, twin.live], twin.options["min_len"])
        assert twin.to_move == line["seat"] and before.legal == line["legal"] != []
        assert twin.observe(0)["hint"] == (twin.options["spell_hint"] and "claim" in before.legal and before.right)
        twin.play(line["move"])
        outcomes = []
        while twin.awaiting:
            pickled.audit(twin)
            outcomes.append(middle.pop(0)["chance"])
            twin.chance(outcomes[-1])
        pickled.audit(twin)
        ledger(twin, before, line["move"], outcomes)
        seen.update(happened(before, line["move"], twin, outcomes))
    assert {"scores": twin.scores, "standing": twin.standing, "truncated": twin.truncated} == result
    return seen


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_random_games(n):
    seen = Counter()
    for seed in range(GAMES):
        options = pickled.random_options(random.Random(seed))
        seen += checked(json.loads(json.dumps(play_random(pickled, n, options, seed))))
    assert any(name.startswith("won") for name in seen) and any(name.startswith("cut") for name in seen), seen


def test_random_games_without_words_end():
    seen = Counter()
    for seed in range(GAMES):
        seen += checked(play_random(pickled, 2 + seed % 4, {"words": "off"}, seed))
    assert seen["won by flip"] and seen["won by flip"] + seen["won by flip in normal play"] == GAMES


RARE = [
    "right pickle", "right last", "right with the last card", "wrong pickle", "wrong last", "wrong with the last card",
    "pays less", "last cards lost by a claim", "right against an owner without cards", "restack in a penalty",
    "pass with the last card", "Pickled Pepper", "owner out by a Pickled Pepper", "won by claim", "won by pass",
    "won by flip", "won by flip in normal play",
]  # fmt: skip


@pytest.mark.slow
def test_purposeful_games_reach_what_is_rare():
    seen = Counter()
    for seed in range(2 * GAMES):
        options = {"recall": seed % 2 == 1, "spell_hint": seed % 3 == 1}
        seen += checked(play_random(pickled, 2 + seed % 4, options, seed, pickled.purposeful))
    assert [name for name in RARE if not seen[name]] == [], seen


# ---- the audit ----


def lose_a_card(twin):
    twin.stacks[0].pop()


def turn_up_a_spare_card(twin):
    twin.seen.add("Z4")


def peep_into_a_stack(twin):
    twin.seen.add("T4")


def forget_a_taken_card(twin):
    twin.seen.remove("R1")


def forget_the_pepper(twin):
    twin.live = None


def name_another_pepper(twin):
    twin.live = "I1"


def pickle_ones_own(twin):
    twin.owner = twin.pickler


def lay_too_many(twin):
    twin.string += twin.stacks[1][:3]
    twin.seen.update(twin.string)
    del twin.stacks[1][:3]


def ask_too_early(twin):
    twin.step = "last"


def owe(twin):
    twin.owing = 1


def put_a_seat_out(twin):
    twin.out[1] = 1


def let_a_seat_in(twin):
    twin.out[2] = None


def await_without_need(twin):
    twin.awaiting = "restack"


def end_too_early(twin):
    twin.step = "over"


def play_on_too_long(twin):
    twin.moves = 5001


@pytest.mark.parametrize(
    "damage",
    [
        lose_a_card, turn_up_a_spare_card, peep_into_a_stack, forget_a_taken_card, forget_the_pepper,
        name_another_pepper, pickle_ones_own, lay_too_many, ask_too_early, owe, put_a_seat_out, let_a_seat_in,
        await_without_need, end_too_early, play_on_too_long,
    ],
)  # fmt: skip
def test_the_audit_sees_damage(damage):
    twin = position(
        ["T4 S4", "N1 N2 N3 N4", ""], taken=["R1"], spare="Z4", centre="S1 I1", strings=["S2"], live="O1", owner=0,
        string="T1",
    )  # fmt: skip
    damage(twin)
    with pytest.raises(AssertionError):
        pickled.audit(twin)
