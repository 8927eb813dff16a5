"""The naive twin of Jungle: records, worked examples, rulings, random games."""

import copy
import json
import random
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.twins import jungle, play_random, replay
from tests.twins.jungle import Twin
from tests.twins.letters import ANIMALS, CARDS, RANK

GAMES = 15  # for each number of players
RECORDS = sorted((Path(__file__).parent / "golden").glob(f"{jungle.GAME}_*.jsonl"))
TIE = ["W4 T1 T2 T3 L2", "X4 N2 N3 N4 O1"]  # the fourth example: both tie, then L leads


# ---- positions ----


def position(stacks, taken=(), rest=None, spare="", **options):
    """A challenge that is about to begin; strings name cards, those of a stack top first. The cards not named lie in
    the taken pile of the seat `rest`, the last one unless given; so their owner has seen them."""
    n = len(stacks)
    twin = Twin(n, options, Twin.random_deal(n, options, random.Random(1)))
    twin.stacks = [cards.split() for cards in stacks]
    twin.taken = [taken[seat].split() if seat < len(taken) else [] for seat in range(n)]
    twin.spare = spare.split()
    named = [card for pile in [*twin.stacks, *twin.taken, twin.spare] for card in pile]
    twin.taken[n - 1 if rest is None else rest] += [card for card in CARDS if card not in named]
    twin.seen = {card for pile in twin.taken for card in pile}
    jungle.audit(twin)
    return twin


def play_all(twin, *moves):
    for move in moves:
        twin.play(move)
        jungle.audit(twin)


def flips(twin):
    """Every seat flips once."""
    play_all(twin, *["flip"] * twin.num_players)


def after(twin, *moves):
    """Another copy of the position after some moves."""
    twin = copy.deepcopy(twin)
    play_all(twin, *moves)
    return twin


def restack(twin, seat, cards):
    twin.chance({"restack": {"seat": seat, "stack": cards.split()}})
    jungle.audit(twin)


def stack(*face_up):
    """A stack of which these cards come face up, each after the first below three cards laid face down."""
    return " . . . ".join(face_up)


def fill(*stacks):
    """Puts letters, no Animals, where the stacks have dots."""
    fillers = [card for card in CARDS if card not in " ".join(stacks).split() and RANK[card] <= 32]
    return [" ".join(fillers.pop(0) if card == "." else card for card in cards.split()) for cards in stacks]


def shown(row):
    """The cards of a row of the view."""
    return {card for card, here in zip(CARDS, row) if here}


def known(twin, seat, row):
    """What a seat's view tells: row 0 face up, 1 … 3 taken piles, 4 … 6 stacks, its own first."""
    return shown(twin.observe(seat)["known"][row])


# ---- deal ----


def test_the_deal():
    assert len(CARDS) == len(set(CARDS)) == 52 and len(ANIMALS) == 12
    assert min(RANK[card] for card in ANIMALS) == 41 and sorted(RANK.values()) == list(range(1, 53))
    for n, each, spare in ((2, 26, 0), (3, 17, 1)):
        deal = Twin.random_deal(n, {}, random.Random(4))
        twin = Twin(n, {}, deal)
        assert [len(stack) for stack in deal["stacks"]] == [each] * n and len(deal["spare"]) == spare
        assert twin.stacks == deal["stacks"] and twin.spare == deal["spare"] and twin.legal() == ["flip"]
        assert not twin.seen


def test_some_deals_let_animals_meet():
    rows = []
    for seed in range(40):
        deal = Twin.random_deal(3, {}, random.Random(seed))
        assert sorted(card for pile in [deal["spare"], *deal["stacks"]] for card in pile) == sorted(CARDS)
        rows.append(max(sum(card in ANIMALS for stack in deal["stacks"] for card in stack[i::4]) for i in range(4)))
    assert sum(number >= 9 for number in rows) in range(2, 20)


def damaged_deals(n):
    deal = Twin.random_deal(n, {}, random.Random(4))
    stacks, spare = deal["stacks"], deal["spare"]
    first, second = stacks[0], stacks[1]
    yield {**deal, "stacks": [first[1:], *stacks[1:]]}
    yield {**deal, "stacks": [[second[0], *first[1:]], *stacks[1:]]}
    yield {**deal, "stacks": [["Q3", *first[1:]], *stacks[1:]]}
    yield {**deal, "stacks": [[None, *first[1:]], *stacks[1:]]}
    yield {**deal, "stacks": [[[], *first[1:]], *stacks[1:]]}
    yield {**deal, "stacks": [[*first, second[0]], second[1:], *stacks[2:]]}
    yield {**deal, "stacks": [" ".join(first), *stacks[1:]]}
    yield {**deal, "stacks": stacks[1:]}
    yield {**deal, "stacks": [*stacks, []]}
    yield {**deal, "stacks": {"0": first}}
    yield {**deal, "stacks": None}
    yield {**deal, "spare": [*spare, first[0]]}
    yield {**deal, "spare": [] if spare else ["Q1"]}
    yield {**deal, "spare": None}
    yield {**deal, "spare": "T3"}
    yield {**deal, "starter": 0}
    yield {"stacks": stacks}
    yield {"spare": spare}
    yield []
    yield None


@pytest.mark.parametrize("n", [2, 3])
def test_impossible_deals_are_refused(n):
    damaged = list(damaged_deals(n))
    assert len(damaged) == 20
    for deal in damaged:
        with pytest.raises(ValueError):
            Twin(n, {}, deal)


def test_unknown_options_and_player_numbers_are_refused():
    deal = Twin.random_deal(2, {}, random.Random(4))
    for num_players, options in ((1, {}), (4, {}), (3, {}), (2, {"max_rounds": 3})):
        with pytest.raises(ValueError):
            Twin(num_players, options, deal)


def test_options():
    assert position(["E1", "E2"]).options == {
        "words": "claim", "min_len": 3, "spell_hint": False, "scrump": "jungle", "recall": False, "max_moves": 10_000
    }  # fmt: skip
    assert position(["E1", "E2", "E3"]).options["scrump"] == "anytime"
    assert jungle.changed_options({"words": "claim", "min_len": 2, "recall": False}) == {"min_len": 2}
    assert jungle.changed_options({"scrump": "jungle"}) == {"scrump": "jungle"}


# ---- two players ----


def test_r2_seat_0_flips_first_in_every_challenge():
    twin = position(["E1 T1 S1", "T2 E2"])
    assert twin.to_move == 0 and twin.legal() == ["flip"]
    play_all(twin, "flip")
    assert twin.to_move == 1 and twin.up == [(0, "E1")]
    play_all(twin, "flip")
    assert twin.to_move == 0 and twin.taken[1][-2:] == ["E1", "T2"] and not twin.up  # the higher rank takes both
    flips(twin)
    assert twin.taken[0] == ["T1", "E2"] and twin.to_move == 0


def test_example_1_two_animals_are_a_tie():
    assert RANK["J3"] == 51 and RANK["Q1"] == 50
    twin = position(["J3 T1 T2 T3 S1 S2", "Q1 N2 N3 N4 R1 R2"])
    flips(twin)
    assert twin.jungle_laid and twin.up == [(0, "J3"), (1, "Q1"), (0, "S1"), (1, "R1")]
    assert twin.down == [*[(0, f"T{i}") for i in (1, 2, 3)], *[(1, f"N{i}") for i in (2, 3, 4)]]  # seat by seat
    assert twin.taker == 1  # the new cards decide


def test_example_2_an_animal_takes_a_letter():
    twin = position(["H1 T1", "G3 T2"])
    assert RANK["H1"] == 41 and RANK["G3"] == 40 and "G3" not in ANIMALS
    flips(twin)
    assert twin.taken[0] == ["H1", "G3"] and not twin.jungle_laid


def test_the_new_cards_decide_over_everything():
    twin = position(["Z4 T1 T2 T3 E1 S1", "H1 N2 N3 N4 E2 S2"], words="off")
    flips(twin)
    assert len(twin.taken[1]) - (52 - 12) == 10 and twin.to_move == 0  # Z ranks highest, but it is E2 against E1
    animal = position(["Z4 T1 T2 T3 F3 S1", "H1 N2 N3 N4 G3 S2"], words="off")
    flips(animal)
    assert len(animal.taken[0]) == 10


def test_two_animals_again_the_jungle_rule_again():
    twin = position(fill(stack("Z4", "F3", "G3"), stack("H1", "Q1", "M4")))
    flips(twin)
    assert [by for by, _ in twin.up] == [0, 1, 0, 1, 0, 1] and len(twin.down) == 12
    assert twin.taker == 0 and twin.to_move == 1 and twin.observe(0)["face_down"] == [6, 6, 0]
    play_all(twin, "pass")
    assert len(twin.taken[0]) == 18 and not twin.down and not twin.jungle_laid


@pytest.mark.parametrize(
    ("left", "down", "up"),
    [("T1 L2", "T1", "L2"), ("L2", "", "L2"), ("T1 T2 L2", "T1 T2", "L2"), ("T1 T2 T3 L2 S1", "T1 T2 T3", "L2")],
)
def test_example_3_and_r9_with_fewer_than_four_cards(left, down, up):
    twin = position([f"W4 {left}", "X4 N2 N3 N4 M4 S2"])
    flips(twin)
    assert [card for by, card in twin.down if by == 0] == down.split() and (0, up) in twin.up
    assert [card for by, card in twin.down if by == 1] == ["N2", "N3", "N4"]
    assert twin.step == "claim" and twin.to_move == 0
    end = after(twin, "pass")
    assert end.over == (left != "T1 T2 T3 L2 S1")
    if end.over:
        assert end.scores == [0, 52] and end.standing == [1, 0] and not end.truncated


def test_r9_stack_and_taken_are_counted_together():
    twin = position(["W4 T1", "X4 N2 N3 N4 M4 S2"], ["S1 S3 L2 E1 R1"])
    flips(twin)
    assert twin.awaiting == "restack" and twin.down == [(0, "T1")]
    restack(twin, 0, "S3 R1 L2 S1 E1")
    assert [card for by, card in twin.down if by == 0] == ["T1", "S3", "R1"] and twin.up[2] == (0, "L2")
    assert twin.stacks[0] == ["S1", "E1"]


@pytest.mark.parametrize("words", ["claim", "off"])
@pytest.mark.parametrize("loser", [0, 1])
def test_r9_without_a_card_the_game_is_lost_at_once(loser, words):
    stacks = ["W4", "X4 N2 N3 N4 M4 S2"]
    twin = position(stacks[:: 1 - 2 * loser], rest=1 - loser, words=words, scrump="anytime")
    flips(twin)
    assert twin.over and not twin.truncated and len(twin.up) == 2 and not twin.down
    scores = [0, 50]  # the pot belongs to nobody, and nobody has laid more cards
    assert twin.scores == scores[:: 1 - 2 * loser] and twin.standing == [1, 0][:: 1 - 2 * loser]


def test_r9_both_without_a_card_is_a_draw():
    """Built with all other cards in the pot: from the deal there are too few Animals to come to it."""
    twin = position(["W4", "X4"])
    pot = twin.taken[1]
    twin.taken[1] = []
    twin.seen = {"Z4", "J3"}
    twin.up = [(0, "Z4"), (1, "J3")] * 7
    twin.down = [(number % 2, card) for number, card in enumerate(pot) if card not in ("Z4", "J3")]
    twin.jungle_laid, twin.due = True, [("lay up", 0), ("lay up", 1), ("decide",)]
    twin._carry_on()
    assert twin.over and twin.scores == [0, 0] and twin.standing == [0, 0] and not twin.truncated


def test_a_seat_that_has_taken_all_cards_wins():
    twin = position(["E1", "T1 T2"])
    flips(twin)
    assert twin.over and twin.scores == [0, 52] and twin.standing == [1, 0] and twin.to_move is None
    assert twin.observe(0)["active"] == [0, 0, 0] and twin.observe(0)["step"] == [0, 0] and twin.legal() == []
    assert twin.observe(1)["taken"][0] + twin.observe(1)["stack"][0] == 52
    with pytest.raises(ValueError):
        twin.play("flip")


# ---- claims with two players ----


def test_example_4_and_r1_a_right_claim_takes_all_ten():
    twin = position([TIE[0] + " S1", TIE[1] + " S2"])
    flips(twin)
    assert twin.taker == 0 and twin.to_move == 1 and twin.legal() == ["claim", "pass"]
    before = twin.cards_of(0), twin.cards_of(1)
    play_all(twin, "claim")  # L, O and W: low
    assert twin.cards_of(0) == before[0] and twin.cards_of(1) == before[1] + 10  # nobody pays
    assert twin.to_move == 0 and twin.legal() == ["flip"]


def test_example_4_and_r10_a_wrong_claim_pays_five():
    stacks = ["W4 T1 T2 T3 L2 S1 S2", "X4 N2 N3 N4 R1 E1 E2 E3 E4 R2 R3"]
    twin = position(stacks, rest=0)
    flips(twin)
    assert twin.to_move == 1
    passed = after(twin, "pass")
    assert passed.stacks == [["S1", "S2"], ["E1", "E2", "E3", "E4", "R2", "R3"]]
    play_all(twin, "claim")
    assert twin.stacks[1] == ["R3"] and twin.taken[1] == []
    pot = ["W4", "X4", "L2", "R1", "T1", "T2", "T3", "N2", "N3", "N4"]
    assert sorted(twin.taken[0]) == sorted([*passed.taken[0], "E1", "E2", "E3", "E4", "R2"])
    assert set(pot) <= set(twin.taken[0]) and twin.to_move == 0 and twin.step == "flip"  # one claim a challenge


def test_r10_fewer_are_paid_if_there_are_fewer_and_the_taken_pile_is_recycled_first():
    twin = position(["W4 T1 T2 T3 L2 S1", "X4 N2 N3 N4 R1 E1 E2"], ["", "I1 I2"], rest=0)
    flips(twin)
    short = copy.deepcopy(twin)
    play_all(twin, "claim")
    assert twin.awaiting == "restack" and twin.legal() == [] and {"E1", "E2"} <= set(twin.taken[0])
    assert twin.observe(0)["stack"][1] == 0 and len(twin.up) == 4  # paid first, the pot is still there
    with pytest.raises(ValueError):
        twin.play("flip")
    restack(twin, 1, "I2 I1")
    assert twin.over and twin.scores == [52, 0] and twin.standing == [0, 1]
    short.taken = [[*short.taken[0], "I1", "I2"], []]
    play_all(short, "claim")
    assert short.awaiting is None and short.over and short.scores == [52, 0]


def test_r3_no_restack_before_the_next_card_is_due():
    twin = position(["W4 T1 T2 T3 L2 S1", "X4 N2 N3 N4 R1 E1 E2 E3 E4 R2"], ["", "I1 I2"], rest=0)
    flips(twin)
    play_all(twin, "claim")
    assert twin.stacks[1] == [] and twin.taken[1] == ["I1", "I2"] and twin.awaiting is None
    play_all(twin, "flip")
    assert twin.awaiting is None and twin.to_move == 1
    play_all(twin, "flip")
    assert twin.awaiting == "restack" and twin.to_move == 1
    restack(twin, 1, "I1 I2")
    assert twin.to_move == 0 and twin.stacks[1] == ["I2"] and "I1" in twin.taken[0]


def test_only_the_loser_is_asked_and_only_after_the_jungle_rule():
    twin = position(["O1 W4 T1 T2 T3 L2 S1", "P3 X4 N2 N3 N4 O2 S2"])
    flips(twin)
    assert twin.step == "flip" and twin.to_move == 0  # no Jungle rule
    flips(twin)
    assert twin.step == "claim" and twin.to_move == 1 and twin.jungle_laid
    leader = position([TIE[1], TIE[0]])
    flips(leader)
    assert leader.taker == 1 and leader.to_move == 0


def test_words_off_asks_nobody():
    for n, scrump in ((2, "jungle"), (2, "anytime"), (3, "anytime"), (3, "jungle")):
        stacks = [TIE[0] + " S1", TIE[1] + " S2", "E1 E2"][:n]
        twin = position(stacks, rest=1, words="off", scrump=scrump)
        flips(twin)
        assert twin.step == "flip" and twin.to_move == 0 and len(twin.taken[0]) == 10 + n - 2


@pytest.mark.parametrize(("min_len", "right"), [(2, True), (3, True), (4, False)])
def test_min_len(min_len, right):
    twin = position([TIE[0] + " S1", TIE[1] + " E1 E2 E3 E4 A1 A2"], rest=0, min_len=min_len, spell_hint=True)
    flips(twin)
    assert twin.is_right() == right and twin.observe(0)["hint"] == twin.observe(1)["hint"] == right
    before = twin.cards_of(1)
    play_all(twin, "claim")
    assert twin.cards_of(1) == before + (10 if right else -5)


@pytest.mark.parametrize("min_len", [2, 3, 4])
def test_anytime_two_letters_count_without_the_jungle_rule(min_len):
    twin = position(["X4 T1", "O1 T2"], min_len=min_len, scrump="anytime")
    flips(twin)
    assert twin.step == "claim" and twin.to_move == 1 and twin.is_right()  # ox
    play_all(twin, "claim")
    assert twin.taken[1][-2:] == ["X4", "O1"]
    none = position(["X4 T1", "L2 T2"], min_len=min_len, scrump="anytime")
    flips(none)
    assert none.step == "claim" and not none.is_right()
    tied = position(["X4 T1 T2 T3 R1", "Z4 N2 N3 N4 O1"], min_len=min_len, scrump="anytime")
    flips(tied)
    assert tied.step == "claim" and tied.is_right() == (min_len == 2)  # or, ox; the Jungle rule has laid cards


def test_a_word_uses_each_card_once():
    twin = position(["W4 T1 T2 T3 L2", "X4 N2 N3 N4 E1"], min_len=4)
    flips(twin)
    assert twin.step == "claim" and not twin.is_right()  # one L is too few for well
    two = position(["W4 T1 T2 T3 L2", "X4 N2 N3 N4 E1", "Z4 R2 R3 R4 L4"], min_len=4)
    flips(two)
    assert len(two.up) == 6 and two.is_right()


def test_the_last_eight_face_up_cards_in_the_order_laid():
    eight = position(fill(stack("Y2", "K1", "B2", "L2"), stack("X4", "Z4", "V2", "S1")), spell_hint=True)
    flips(eight)
    assert len(eight.up) == 8 and eight.is_right()  # sky
    ten = position(fill(stack("Y2", "K1", "B2", "J3", "L2"), stack("X4", "Z4", "V2", "Q1", "S1")), spell_hint=True)
    flips(ten)
    first, last = ["Y2", "X4"], ["K1", "Z4", "B2", "V2", "J3", "Q1", "L2", "S1"]
    assert [card for _, card in ten.up] == first + last and not ten.is_right()
    view = ten.observe(1)
    assert [shown(row) for row in view["face_up"]] == [{card} for card in last]
    assert shown(view["earlier"]) == {"Y2", "X4"} and view["laid_by"] == [[0, 1, 0], [1, 0, 0]] * 4
    assert view["hint"] == 0 and eight.observe(0)["hint"] == 1
    nine = position(fill(stack("X4", "K1", "B2", "J3", "L2"), stack("Y2", "Z4", "V2", "Q1", "S1")))
    flips(nine)
    assert not nine.is_right()  # the second card of ten does not count either


# ---- three players ----


def test_three_flip_and_the_highest_takes_the_pot_and_the_spare():
    twin = position(["T1 T2", "R1 R2", "N2 N3"], spare="Z4", words="off")
    assert twin.observe(0)["spare"] == 1
    flips(twin)
    assert sorted(twin.taken[1]) == ["N2", "R1", "T1", "Z4"] and twin.observe(0)["spare"] == 0
    assert not twin.over and twin.to_move == 0
    flips(twin)
    assert sorted(twin.taken[1])[:6] == ["N2", "N3", "R1", "R2", "T1", "T2"] and twin.spare == []


def test_example_6_the_spare_goes_to_who_takes_first():
    twin = position(["T1 T2", "R1 R2", "A1 N3"], spare="Z4")
    flips(twin)
    assert twin.to_move == twin.taker == 1  # R leads; A, R and T: art
    claimed = after(twin, "claim")
    assert claimed.spare == [] and {"A1", "R1", "T1", "Z4"} <= set(claimed.taken[2])
    passed = after(twin, "pass")
    assert sorted(passed.taken[1]) == ["A1", "R1", "T1", "Z4"]


def test_r12_the_tied_seats_alone_play_the_jungle_rule():
    twin = position(["W4 T1 T2 T3 L2 S1", "G3 S2 S3", "X4 N2 N3 N4 M4 S4"])
    flips(twin)
    assert twin.contest == [0, 2] and [by for by, _ in twin.up] == [0, 1, 2, 0, 2]
    assert twin.taker == 2 and twin.observe(0)["contest"] == [1, 0, 1] and twin.observe(1)["contest"] == [0, 1, 1]
    play_all(twin, "pass")
    assert "G3" in twin.taken[2] and twin.stacks[1] == ["S2", "S3"]  # the third card stays in the pot
    assert twin.contest == [0, 1, 2]


def test_one_animal_is_no_tie():
    twin = position(["H1 T1", "G3 T2", "M4 T3"], words="off")
    flips(twin)
    assert twin.taken[0] == ["H1", "G3", "M4"]


def test_example_5_the_third_of_three_drops_out_of_the_contest():
    twin = position(fill(stack("H1", "B2", "L2"), stack("K1", "V2", "D2"), "Q1 . . . M4 S1"))
    flips(twin)
    assert [card for _, card in twin.up] == ["H1", "K1", "Q1", "B2", "V2", "M4", "L2", "D2"] and twin.contest == [0, 1]
    assert twin.observe(2)["face_down"] == [3, 6, 6] and twin.stacks[2] == ["S1"]
    assert twin.taker == twin.to_move == 0
    among_three = position(["H1 T1 T2 T3 F3", "K1 N2 N3 N4 E1", "Q1 R2 R3 R4 M4"])
    flips(among_three)
    assert among_three.taker == 0 and among_three.contest == [0, 1, 2]  # one Animal is no tie


def test_a_card_of_who_has_dropped_out_counts_no_more():
    twin = position(fill(stack("H1", "B2", "E1"), stack("K1", "V2", "E2"), "Q1 . . . M4 S1"))
    flips(twin)
    assert twin.taker == 1  # E2 against E1, though M lies there


def test_r12_a_tied_seat_without_cards_drops_out():
    one_left = position(["W4", "X4 N2 N3 N4 M4", "T1 T2"], spare="")
    flips(one_left)
    assert one_left.contest == [1] and one_left.taker == one_left.to_move == 1 and len(one_left.up) == 3
    assert not one_left.jungle_laid and one_left.step == "claim"
    play_all(one_left, "pass")
    assert one_left.over and one_left.scores == [0, -7, -45] and one_left.standing == [0, 1, 2]
    lower = position(["X4", "W4 N2 N3 N4 M4", "T1 T2"], words="off")
    flips(lower)
    assert lower.over and lower.scores == [0, -7, -45]  # also with the lower Animal
    two_left = position(["Z4", "X4 N2 N3 N4 M4", "W4 R2 R3 R4 L2"])
    flips(two_left)
    assert two_left.contest == [1, 2] and [by for by, _ in two_left.up] == [0, 1, 2, 1, 2] and two_left.taker == 1


def test_r12_the_animal_of_a_seat_that_has_dropped_out_ties_no_more():
    twin = position(["Z4", "X4 N2 N3 N4 M4", "W4 R2 R3 R4 F3"], rest=1)
    flips(twin)
    assert twin.taker == 2 and len(twin.up) == 5 and twin.contest == [1, 2]  # Z still lies there, but F meets a letter
    play_all(twin, "pass")
    assert twin.over and twin.standing == [0, 2, 1] and twin.scores == [0, -41, -11]


def test_r12_none_of_the_tied_has_cards_the_highest_of_their_animals_takes():
    twin = position(["W4", "X4", "T1 T2"])
    flips(twin)
    assert twin.contest == [] and twin.taker == twin.to_move == 1 and twin.observe(0)["taker"] == [0, 1, 0]
    play_all(twin, "pass")
    assert twin.over and twin.scores == [0, -3, -49] and twin.standing == [0, 1, 2]
    later = position(fill(stack("Z4", "H1"), stack("X4", "K1"), "E1 . ."))
    flips(later)
    assert later.contest == [] and later.taker == 1 and len(later.up) == 5  # Z lies there, but the newest decide


def test_r12_claims_are_asked_as_after_any_other_challenge():
    for scrump, asked in (("anytime", True), ("jungle", False)):
        twin = position(["W4", "X4 N2 N3 N4 M4", "T1 T2"], scrump=scrump)
        flips(twin)
        assert (twin.step == "claim") == asked and twin.over != asked
        later = position(fill(stack("Z4", "H1"), stack("X4", "K1", "G3"), "E1 E2"), scrump=scrump)
        flips(later)
        assert later.step == "claim" and later.contest == [1]  # the Jungle rule has laid cards before


@pytest.mark.parametrize("min_len", [2, 3, 4])
@pytest.mark.parametrize("scrump", ["jungle", "anytime"])
def test_when_three_players_are_asked(min_len, scrump):
    twin = position(["T1 T2", "A1 A2", "R1 R2"], min_len=min_len, scrump=scrump)
    flips(twin)
    assert (twin.step == "claim") == (scrump == "anytime" and min_len <= 3)
    if twin.step == "claim":
        assert twin.to_move == 2 and twin.is_right()  # rat
    tied = position([TIE[0], TIE[1], "E1 E2"], min_len=min_len, scrump=scrump)
    flips(tied)
    assert tied.step == "claim" and len(tied.up) == 5


def test_two_letters_are_not_enough_for_three_players():
    twin = position(["X4 T2", "O1 A2", "N2 R2"], min_len=3)
    flips(twin)
    assert twin.step == "claim" and not twin.is_right()
    twin.options["min_len"] = 2
    assert twin.is_right()  # ox


def test_example_6_and_r11_who_plays_the_last_card_and_does_not_take_wins():
    twin = position(["E1", "R1 R2", "N2 N3"], words="off")
    flips(twin)
    assert twin.over and twin.scores == [0, -4, -48] and twin.standing == [0, 1, 2] and not twin.truncated
    takes = position(["R1", "E1 R2", "N2 N3"], words="off")
    flips(takes)
    assert not takes.over and len(takes.taken[0]) == 3


def test_r11_several_at_once_share():
    twin = position(["E1", "R1 R2", "N2"], rest=1, words="off")
    flips(twin)
    assert twin.over and twin.scores == [0, -52, 0] and twin.standing == [0, 2, 0]


def test_example_6_and_r13_a_right_claim_the_left_neighbour_takes():
    for seat in range(3):  # who leads
        stacks = ["T1 T2", "A1 A2", "R1 R2"]
        stacks = [stacks[(i + 2 - seat) % 3] for i in range(3)]
        twin = position(stacks, rest=seat)
        flips(twin)
        assert twin.taker == twin.to_move == seat
        play_all(twin, "claim")
        assert sorted(twin.taken[(seat + 1) % 3]) == ["A1", "R1", "T1"] and twin.to_move == 0


def test_r13_a_right_claim_with_the_last_card_wins():
    twin = position(["T1 T2", "A1", "R1"], rest=0)
    flips(twin)
    play_all(twin, "claim")
    assert twin.over and twin.standing == [2, 0, 0] and twin.scores == [-52, 0, 0]


def test_r13_a_left_neighbour_without_cards_may_have_to_take():
    twin = position(["T1", "A1 A2", "R1 R2"], rest=1)
    flips(twin)
    play_all(twin, "claim")
    assert not twin.over and sorted(twin.taken[0]) == ["A1", "R1", "T1"]


def test_example_6_and_r13_a_wrong_claim_the_left_neighbour_pays_the_claimant():
    stacks = ["T1 S1 S2 S3 S4 E1 E2", "N2 N3 N4", "R1 R2"]
    twin = position(stacks, rest=1)
    flips(twin)
    assert twin.taker == twin.to_move == 2
    play_all(twin, "claim")
    assert sorted(twin.taken[2]) == sorted(["T1", "N2", "R1", "S1", "S2", "S3", "S4", "E1"])
    assert twin.stacks == [["E2"], ["N3", "N4"], ["R2"]] and twin.to_move == 0 and not twin.over


def test_example_6_and_r11_a_neighbour_that_pays_its_last_card_wins():
    twin = position(["T1 S1 S2", "N2 N3 N4", "R1 R2"], ["E1 E2"], rest=1)
    flips(twin)
    play_all(twin, "claim")
    assert twin.awaiting == "restack" and {"S1", "S2"} == set(twin.taken[2])
    restack(twin, 0, "E2 E1")
    assert twin.over and twin.scores == [0, -44, -8] and twin.standing == [0, 2, 1]
    shared = position(["T1", "N2", "R1 R2"], rest=2)
    flips(shared)
    play_all(shared, "claim")  # the neighbour has nothing to pay
    assert shared.over and shared.standing == [0, 0, 2]


# ---- restacks ----


def test_r3_restacks_of_one_jungle_rule_in_seat_order():
    taken = ["E1 E2 E3 E4", "A1 A2 A3 A4 I1", "I2 I3 I4 O1"]
    twin = position(["H1 T1", "K1", "Q1 N2 N3"], taken, rest=1)
    flips(twin)
    assert twin.awaiting == "restack" and twin.down == [(0, "T1")]
    restack(twin, 0, "E4 E3 E2 E1")
    assert twin.awaiting == "restack" and twin.up[-1] == (0, "E2") and twin.stacks[0] == ["E1"]
    outcome = twin.random_outcome(random.Random(5))
    assert outcome["restack"]["seat"] == 1 and sorted(outcome["restack"]["stack"]) == sorted(twin.taken[1])
    twin.chance(outcome)
    assert twin.awaiting == "restack" and len(twin.up) == 5
    restack(twin, 2, "O1 I4 I3 I2")
    assert twin.up[-1] == (2, "I4") and twin.stacks[2] == ["I3", "I2"] and twin.awaiting is None
    assert twin.step == "claim"


def test_r3_impossible_restacks_are_refused():
    twin = position(["E1 E2", ""], ["T1 T2", "A1 A2"], rest=0)
    good = {"seat": 1, "stack": ["A2", "A1"]}
    with pytest.raises(ValueError):
        twin.chance({"restack": good})  # not due
    with pytest.raises(ValueError):
        twin.random_outcome(random.Random(1))
    play_all(twin, "flip", "flip")
    before = repr(vars(twin))
    impossible = [
        {"restack": {**good, "seat": 0}}, {"restack": {**good, "seat": True}}, {"restack": {**good, "seat": "1"}},
        {"restack": {**good, "seat": 1.0}}, {"restack": {**good, "stack": ["A1"]}}, {"restack": {"seat": 1}},
        {"restack": {**good, "stack": ["A1", "A1"]}}, {"restack": {**good, "stack": ["A1", "A2", "A3"]}},
        {"restack": {**good, "stack": "A1A2"}}, {"restack": {**good, "stack": None}}, {"restack": {**good, "pile": 1}},
        {"restack": {**good, "stack": ["A1", None]}}, {"restack": {**good, "stack": ["A1", ["A2"]]}},
        {"restack": ["A1", "A2"]}, {"restack": None}, {"reshuffle": good}, {"restack": good, "deal": 0}, {}, None,
    ]  # fmt: skip
    for outcome in impossible:
        with pytest.raises(ValueError):
            twin.chance(outcome)
        assert repr(vars(twin)) == before
    twin.chance({"restack": good})
    assert {"E1", "A2"} <= set(twin.taken[0]) | set(twin.taken[1]) and twin.stacks[1] == ["A1"]


# ---- the move limit ----


@pytest.mark.parametrize("n", [2, 3])
def test_the_move_limit(n):
    stacks = ["T1 T2", "N2 N3 N4", "R1 R2"][:n]
    twin = position(stacks, max_moves=n + 1, words="off")
    play_all(twin, *["flip"] * (n + 1))
    assert twin.over and twin.truncated and twin.legal() == [] and twin.up == [(0, "T2")]
    assert twin.scores == ([0, 51] if n == 2 else [0, -2, -49])  # a card that lies there counts for nobody
    assert twin.standing == ([1, 0] if n == 2 else [0, 1, 2])
    assert twin.observe(0)["moves_left"] == 0 and shown(twin.observe(1)["face_up"][0]) == {"T2"}
    with pytest.raises(ValueError):
        twin.play("flip")


def test_an_end_by_the_rules_is_not_cut_short():
    for n, standing in ((2, [1, 0]), (3, [0, 1, 2])):
        twin = position(["E1", "R1 R2", "N2 N3"][:n], max_moves=n, words="off")
        flips(twin)
        assert twin.over and not twin.truncated and twin.standing == standing


def test_the_limit_comes_after_what_the_last_move_sets_off():
    twin = position(["W4", "X4 N2 N3 N4 O1"], ["T1 T2 T3 L2 S1"], max_moves=2)
    play_all(twin, "flip", "flip")
    assert twin.awaiting == "restack" and not twin.over and twin.to_move == 1
    restack(twin, 0, "T1 T2 T3 L2 S1")
    assert twin.over and twin.truncated and len(twin.up) == 4 and twin.scores == [1, 41]
    view = twin.observe(0)
    assert view["taker"] == [0, 0, 0] and view["step"] == [0, 0] and view["hint"] == 0 and view["face_down"][0] == 3
    claim = position(["W4 T1 T2 T3 L2", "X4 N2 N3 N4 O1 S1"], max_moves=3)
    flips(claim)
    play_all(claim, "claim")
    assert claim.over and not claim.truncated and claim.scores == [0, 52]
    early = position(["E1 T1", "R1 R2"], max_moves=3)
    flips(early)
    assert not early.over and early.observe(0)["moves_left"] == 1


# ---- what a seat sees ----


def test_the_view_of_a_challenge():
    twin = position([TIE[0] + " S1", "E1 E2", TIE[1]], ["S3 S4"], spell_hint=True, min_len=2, scrump="jungle")
    play_all(twin, "flip")
    view = twin.observe(2)
    assert view["stack"] == [5, 5, 2] and view["taken"] == [52 - 15, 2, 0] and view["active"] == [0, 0, 1]
    assert view["step"] == [1, 0] and view["taker"] == [0, 0, 0] and view["contest"] == [1, 1, 1]
    assert shown(view["face_up"][0]) == {"W4"} and view["laid_by"][0] == [0, 1, 0] and view["laid_by"][1] == [0, 0, 0]
    play_all(twin, "flip", "flip")
    view = twin.observe(2)
    assert [shown(row) for row in view["face_up"][:6]] == [{card} for card in ["W4", "E1", "X4", "L2", "O1"]] + [set()]
    assert view["laid_by"][:5] == [[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [1, 0, 0]]
    assert view["taker"] == view["active"] == [0, 1, 0] and view["step"] == [0, 1] and view["hint"] == 1
    assert view["face_down"] == [3, 3, 0] and view["contest"] == [1, 1, 0] and not any(view["earlier"])
    assert [view[name] for name in ("words", "scrump", "min_len", "moves_left", "num_players", "spare")] == [
        1, 0, 2, 9_997, 3, 0
    ]  # fmt: skip
    blind = position([TIE[0], TIE[1]], words="off", scrump="anytime", min_len=4)
    assert [blind.observe(0)[name] for name in ("words", "scrump", "min_len", "num_players")] == [0, 1, 4, 2]
    hintless = position([TIE[0], TIE[1]])
    flips(hintless)
    assert hintless.is_right() and hintless.observe(0)["hint"] == 0


def test_without_recall_nothing_is_remembered():
    twin = position([TIE[0], TIE[1]])
    flips(twin)
    assert not any(map(any, twin.observe(0)["known"]))


def test_r14_face_down_cards_become_known_when_taken():
    twin = position([TIE[0] + " S1 S2", TIE[1] + " E1 E2"], rest=0, recall=True)
    rest = set(twin.taken[0])
    assert known(twin, 0, 1) == known(twin, 1, 2) == rest and not known(twin, 0, 4) | known(twin, 0, 5)
    flips(twin)
    assert known(twin, 0, 0) == known(twin, 1, 0) == {"W4", "X4", "L2", "O1"}
    assert known(twin, 0, 1) == rest and not known(twin, 0, 4) | known(twin, 0, 5)  # never seen, face down or in stacks
    play_all(twin, "claim")
    pot = {"W4", "X4", "L2", "O1", "T1", "T2", "T3", "N2", "N3", "N4"}
    assert known(twin, 1, 1) == known(twin, 0, 2) == pot and not known(twin, 0, 0)
    assert not any(map(any, twin.observe(0)["known"][3:]))  # an absent seat, and stacks of cards never seen


def test_r14_a_recycled_stack_stays_together_until_its_face_down_cards_are_taken():
    twin = position(["", "X4 N2 N3 N4 O1 R1"], ["W4 T1 T2 T3 L2 S1 S2"], recall=True)
    play_all(twin, "flip")
    assert known(twin, 1, 2) == {"W4", "T1", "T2", "T3", "L2", "S1", "S2"} and not known(twin, 1, 5)
    restack(twin, 0, "W4 T1 T2 T3 L2 S1 S2")
    assert known(twin, 1, 0) == {"W4"} and not known(twin, 1, 2)
    assert known(twin, 1, 5) == known(twin, 0, 4) == {"T1", "T2", "T3", "L2", "S1", "S2"}
    play_all(twin, "flip")
    assert twin.stacks[0] == ["S1", "S2"] and known(twin, 0, 0) == {"W4", "X4", "L2", "O1"}
    assert known(twin, 0, 4) == {"T1", "T2", "T3", "S1", "S2"} and not known(twin, 0, 5)
    play_all(twin, "pass")
    assert known(twin, 0, 4) == {"S1", "S2"} and twin.taker is None
    assert known(twin, 0, 1) == {"W4", "X4", "L2", "O1", "T1", "T2", "T3", "N2", "N3", "N4"}


def test_r14_cards_paid_are_known_and_so_is_the_spare_when_taken():
    twin = position(["T1 S1 S2 S3 S4 E1 E2", "N2 N3 N4", "R1 R2"], rest=1, spare="Z4", recall=True)
    flips(twin)
    assert all("Z4" not in known(twin, 0, row) for row in range(7))
    play_all(twin, "claim")
    assert known(twin, 2, 1) == known(twin, 0, 3) == {"Z4", "T1", "N2", "R1", "S1", "S2", "S3", "S4", "E1"}
    assert not known(twin, 0, 4)


# ---- records ----


def lines_of(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_records_replay(path):
    twin = replay(jungle, lines_of(path), jungle.audit)
    assert twin.over


def test_there_are_two_records_of_others():
    assert {"jungle_v0_2p_s11", "jungle_v0_3p_s12"} <= {path.stem for path in RECORDS}


def damaged_copies(lines):
    """The record with a line missing, doubled or changed, in some 30 places. None is another legal game."""
    last = len(lines) - 1
    places = sorted({*random.Random(1).sample(range(2, last), min(24, last - 2))})
    places += [i for i, line in enumerate(lines) if "chance" in line][:6]
    for i in [1, *places, last]:
        yield lines[:i] + lines[i + 1 :]
        yield lines[: i + 1] + lines[i:]
    for i in places:
        for change in damaged_lines(lines[i]):
            yield [*lines[:i], change, *lines[i + 1 :]]
        yield [*lines[:i], {"chance": {"deal": lines[1]["deal"]}}, *lines[i:]]
        yield [*lines[:i], {"chance": {"restack": {"seat": 0, "stack": []}}}, *lines[i:]]
    for change in ({"scores": [1] * 3}, {"standing": [0] * 3}, {"truncated": True}):
        yield [*lines[:last], {**lines[last], **change}]


def damaged_lines(line):
    if "move" in line:
        other = "pass" if line["move"] == "flip" else "flip"
        yield from ({**line, **change} for change in ({"seat": line["seat"] + 1}, {"move": other}, {"move": "fold"}))
        yield from ({**line, "legal": legal} for legal in ([], ["flip", "claim", "pass"], ["pass", "claim"]))
        return
    restack = line["chance"]["restack"]
    stack = restack["stack"]
    wrong = [{"seat": 1 - restack["seat"]}, {"stack": stack[1:]}, {"stack": [*stack, stack[0]]}, {"stack": [*stack, 5]}]
    yield from ({"chance": {"restack": {**restack, **change}}} for change in wrong)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_damaged_records_are_refused(path):
    damaged = list(damaged_copies(lines_of(path)))
    assert len(damaged) > 200
    for record in damaged:
        with pytest.raises((ValueError, AssertionError, KeyError)):
            replay(jungle, record)


# ---- random games ----


def snapshot(twin):
    """What the ledger compares, before a move."""
    claiming = twin.step == "claim"
    return SimpleNamespace(
        asked=twin.asked, cards=[twin.cards_of(seat) for seat in twin.seats], taker=twin.taker, contest=twin.contest,
        right=claiming and twin.is_right(), pot=len(twin.up) + len(twin.down) + len(twin.spare), up=list(twin.up),
    )  # fmt: skip


def ledger(twin, before, move):
    """How many cards each seat holds after a claim or a pass, reckoned from the rules once more."""
    cards = list(before.cards)
    if move == "flip":
        cards[before.asked] -= 1
        assert before.asked == twin.num_players - 1 or [twin.cards_of(seat) for seat in twin.seats] == cards
        return
    taker, left = before.taker, (before.taker + 1) % twin.num_players
    if move == "claim" and before.right:
        taker = left
    elif move == "claim":
        payer = before.asked if twin.num_players == 2 else left
        paid = min(5, cards[payer])
        cards[payer] -= paid
        cards[taker] += paid
    cards[taker] += before.pot
    assert [twin.cards_of(seat) for seat in twin.seats] == cards and not twin.spare, move


def happened(twin, before, move):
    """The names of what a test wants to have seen."""
    n = twin.num_players
    yield f"{move} {'right' if before.right else 'wrong'} {n}" if move != "flip" else "flip"
    if move == "claim" and before.right and len(before.up) == 2:
        yield "two letters"
    if move == "flip" and twin.step == "claim":
        laid = sorted(sum(by == seat for by, _ in twin.up) for seat in twin.seats)
        yield f"asked after {min(laid[-1] - 1, 4)} Jungle rules {n}"
        yield from ["more than eight"] * (len(twin.up) > 8)
        yield from ["fewer than four"] * (len(twin.down) < 3 * (len(twin.up) - n))
        yield from ["of three, two go on"] * (n == 3 and laid[0] > 1 and laid[0] < laid[1])
        yield from [f"{len(twin.contest)} left in the contest"] * (n == 3 and len(twin.contest) < 2)
    if twin.over:
        yield from end_of(twin, before, move)


def end_of(twin, before, move):
    if twin.truncated:
        yield "cut short with a pot" if twin.up else "cut short"
    elif twin.num_players == 2:
        yield "lost without a card" if twin.up else f"all cards by {move}"
    else:
        empty = [seat for seat in twin.seats if not twin.cards_of(seat)]
        yield f"{len(empty)} win"
        if move == "claim":
            payers_last = not before.right and before.cards[(before.taker + 1) % 3] > 0
            yield "claimant wins" if before.taker in empty else "payer wins" if payers_last else "others win"


def checked(record, audit=jungle.audit):
    """A record replayed with every check; what happened in it."""
    header, deal, *middle, result = record
    twin, seen, before, move = Twin(header["players"], header["options"], deal["deal"]), Counter(), None, None
    audit(twin)
    for line in middle:
        if "chance" in line:
            seen["restack in the Jungle rule" if twin.jungle_laid else f"restack by {move}"] += 1
            twin.chance(line["chance"])
        else:
            before, move = snapshot(twin), line["move"]
            assert twin.to_move == line["seat"] and twin.legal() == line["legal"] != []
            twin.play(move)
        audit(twin)
        if not twin.awaiting:
            ledger(twin, before, move)
            seen.update(happened(twin, before, move))
    assert {"scores": twin.scores, "standing": twin.standing, "truncated": twin.truncated} == result
    return seen


@pytest.mark.parametrize("n", [2, 3])
def test_random_games(n):
    seen = Counter()
    for seed in range(GAMES):
        options = {"recall": True, "max_moves": 7 * seed} if seed % 2 else {}
        seen += checked(json.loads(json.dumps(play_random(jungle, n, options, seed))))
    assert seen["cut short"] + seen["cut short with a pot"] and seen["restack by flip"], seen
    assert sum(number for name, number in seen.items() if name.startswith("all cards") or name.endswith(" win")), seen


@pytest.mark.slow
def test_purposeful_games_reach_what_is_rare():
    seen = Counter()
    for seed in range(20 * GAMES):
        chooser = random.Random(seed)
        options = {"min_len": chooser.choice([2, 3, 4]), "recall": True, "scrump": chooser.choice(jungle.SCRUMPS)}
        record = play_random(jungle, 3 if seed % 6 else 2, options, seed, jungle.purposeful)
        seen += checked(record, jungle.audit if seed % 4 == 0 else lambda twin: None)
    rare = [
        "claim right 2", "claim right 3", "claim wrong 2", "claim wrong 3", "pass right 2", "pass right 3",
        "two letters", "more than eight", "fewer than four", "of three, two go on", "1 left in the contest",
        "0 left in the contest", "asked after 4 Jungle rules 2", "asked after 3 Jungle rules 3", "lost without a card",
        "all cards by flip", "all cards by claim", "all cards by pass", "1 win", "2 win", "claimant wins",
        "payer wins", "others win", "restack in the Jungle rule", "restack by flip", "restack by claim",
    ]  # fmt: skip
    assert [name for name in rare if not seen[name]] == [], seen


# ---- the audit ----


def lose_a_card(twin):
    twin.stacks[0].pop()


def double_a_card(twin):
    twin.taken[1][0] = twin.stacks[0][0]


def keep_the_spare(twin):
    twin.spare = twin.taken[1][:2]
    del twin.taken[1][:2]


def forget_a_card(twin):
    twin.seen.discard(twin.taken[1][0])


def see_into_a_stack(twin):
    twin.seen.add(twin.stacks[0][0])


def lay_too_much(twin):
    twin.down.append((0, twin.stacks[0].pop()))


def lay_out_of_turn(twin):
    twin.up.append((1, twin.taken[1].pop()))


def leave_the_contest(twin):
    twin.contest = [1]


def leave_something_due(twin):
    twin.due = [("decide",)]


def end_too_early(twin):
    twin.step = "over"


def play_on_too_long(twin):
    twin.moves = 10_001


def cut_short_too_early(twin):
    twin.truncated = True


def ask_the_taker(twin):
    twin.step, twin.taker, twin.asked = "claim", 0, 0


DAMAGES = [
    lose_a_card, double_a_card, keep_the_spare, forget_a_card, see_into_a_stack, lay_too_much, lay_out_of_turn,
    leave_the_contest, leave_something_due, end_too_early, play_on_too_long, cut_short_too_early, ask_the_taker,
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_the_audit_sees_damage(damage):
    twin = position(["T1 T2 T3", "R1 R2"], recall=True)
    jungle.audit(twin)
    damage(twin)
    with pytest.raises(AssertionError):
        jungle.audit(twin)
