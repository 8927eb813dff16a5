"""The naive twin of You Wish: records, worked examples, rulings, random games."""

import copy
import json
import random
from collections import Counter
from itertools import chain
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.twins import play_random, replay, you_wish
from tests.twins.letters import CARDS, LETTER, RANK, WORDS
from tests.twins.you_wish import LETTERS, Twin

GAMES = 10  # for each number of players
RECORDS = sorted((Path(__file__).parent / "golden").glob(f"{you_wish.GAME}_*.jsonl"))
ONE_EACH = "A1 B2 C1 D2 E1 F3 G3 H1 I1 J3 K1 L2 M4 N1 O1 P3 Q1 R1 S1 T1 U1 V2 W4 X4 Y2 Z4"


# ---- positions ----


def position(hands, well=None, words=(), rest=None, to_move=0, **options):
    """Before an ask; strings name cards. Those not named follow in the well, or are in the hand of the seat `rest`."""
    n = len(hands)
    twin = Twin(n, options, Twin.random_deal(n, options, random.Random(1)))
    twin.hands = [cards.split() for cards in hands]
    twin.words = [[word.split() for word in words[seat]] if seat < len(words) else [] for seat in range(n)]
    twin.well = (well or "").split()
    named = {card for pile in [*twin.hands, twin.well, *chain(*twin.words)] for card in pile}
    left = [card for card in CARDS if card not in named]
    twin.well += left if rest is None else []
    if rest is not None:
        twin.hands[rest] += left
    twin.turn = to_move
    you_wish.audit(twin)
    return twin


def play_all(twin, *moves):
    for move in moves:
        twin.play(move)
        you_wish.audit(twin)


def spelled(twin, seat):
    """The words on the table in front of a seat, as sets of cards."""
    return [set(word) for word in twin.words[seat]]


def shown(row):
    """The cards of a row of 0 and 1."""
    return {card for card, cell in zip(CARDS, row, strict=True) if cell}


def letters_in(row):
    return "".join(letter for letter, cell in zip(LETTERS, row, strict=True) if cell)


def open_lengths(view):
    return [length for length, cell in enumerate(view["open_words"], 2) if cell]


# ---- set-up and actions ----


@pytest.mark.parametrize(("n", "each", "well"), [(3, 13, 13), (4, 10, 12)])
def test_example_6_and_r2_set_up(n, each, well):
    deal = Twin.random_deal(n, {}, random.Random(4))
    twin = Twin(n, {}, deal)
    assert [len(hand) for hand in twin.hands] == [each] * n and len(twin.well) == well
    assert twin.hands == deal["hands"] and twin.well == deal["well"]
    assert twin.to_move == 1 and twin.step == "ask" and twin.scores == [0] * n


def damaged_deals():
    deal = Twin.random_deal(3, {}, random.Random(4))
    (first, *hand), second, third = deal["hands"]
    well = deal["well"]
    yield {"hands": [hand, second, third]}
    yield {"hands": [[second[0], *hand], second, third]}
    yield {"hands": [[*hand, "E5"], second, third]}
    yield {"hands": [[first, *hand, well[0]], second, third], "well": well[1:]}
    yield {"hands": [[*hand, None], second, third]}
    yield {"hands": [[*hand, [first]], second, third]}
    yield {"hands": ["".join([first, *hand]), second, third]}
    yield from ({"hands": hands} for hands in (deal["hands"][:2], [*deal["hands"], []], None, {}, "hands"))
    yield from ({"well": pile} for pile in (well[1:], [*well, well[0]], [*well[1:], well[1]], None, {}, 13))
    yield {"spare": []}


@pytest.mark.parametrize("damage", list(damaged_deals()), ids=str)
def test_impossible_deals_are_refused(damage):
    deal = Twin.random_deal(3, {}, random.Random(4))
    assert Twin(3, {}, deal).to_move == 1
    with pytest.raises(ValueError):
        Twin(3, {}, {**deal, **damage})


def test_missing_parts_options_and_players_are_refused():
    deal = Twin.random_deal(3, {}, random.Random(4))
    for broken in ({"hands": deal["hands"]}, {"well": deal["well"]}, {}, None, [deal]):
        with pytest.raises(ValueError):
            Twin(3, {}, broken)
    unknown = [{"words": "claim"}, {"words": "off"}, {"spell_hint": False}, {"min_len": 1}, {"min_len": 5}]
    for num_players, options in [(2, {}), (4, {}), (5, {}), *((3, options) for options in unknown)]:
        with pytest.raises(ValueError):
            Twin(num_players, options, deal)


def test_nothing_is_random_after_the_deal():
    twin = position(["T1 S1", "E1", "A1"])
    for outcome in ({"deal": {}}, {"well": twin.well}, {"restack": {"seat": 0, "stack": []}}, {}):
        with pytest.raises(ValueError):
            twin.chance(outcome)
    with pytest.raises(ValueError):
        twin.random_outcome(random.Random(1))
    assert twin.awaiting is None


@pytest.mark.parametrize("turn", [0, 2])
def test_actions_go_clockwise_from_the_asker_then_by_letter(turn):
    hands = ["E1", "E2", "E3", "E4"]
    twin = position(hands, to_move=turn)
    expected = [f"ask {(turn + i) % 4} {letter}" for i in (1, 2, 3) for letter in LETTERS if letter != "E"]
    assert twin.legal() == expected and len(expected) == 75 and len(LETTERS) == 26
    without = ["" if seat == turn + 1 else hand for seat, hand in enumerate(hands)]  # nothing to ask the left one for
    assert position(without, to_move=turn).legal() == expected[25:]


# ---- ask ----


def test_example_1_a_letter_held_cannot_be_asked_for():
    twin = position(["T1 S1", "T2 E1", "A1"])
    for move in ("ask 1 T", "ask 2 S", "ask 0 E", "ask 3 E", "ask 1 e", "ask 1", "word 3", "pass", "ask 1 E1"):
        assert move not in twin.legal()
        with pytest.raises(ValueError):
            twin.play(move)
    assert "ask 1 E" in twin.legal() and "ask 2 E" in twin.legal() and len(twin.legal()) == 2 * 24


def test_example_2_all_cards_of_a_letter_change_hands():
    twin = position(["X4 Z4", "E1 N1 E4 E3", "E2 C1"])
    play_all(twin, "ask 1 E")
    assert sorted(twin.hands[0]) == ["E1", "E3", "E4", "X4", "Z4"] and twin.hands[1:] == [["N1"], ["E2", "C1"]]
    assert twin.to_move == 0 and twin.step == "ask" and twin.last_ask == (0, 1, "E", "hit")


@pytest.mark.parametrize(("n", "asked"), [(3, 1), (3, 2), (4, 1), (4, 2), (4, 3)])
def test_example_3_and_r15_after_a_miss_the_refusing_seat_is_next(n, asked):
    twin = position(["X4 Z4", "E1", "E2", "E3"][:n], well="K1")
    before = copy.deepcopy(twin.hands)
    play_all(twin, f"ask {asked} C")
    assert twin.to_move == asked and twin.step == "ask" and twin.last_ask == (0, asked, "C", "miss")
    assert twin.hands == [[*before[0], "K1"], *before[1:]] and twin.well[0] != "K1"


def test_example_10_the_letter_again_only_when_none_is_left():
    twin = position(["C1 T1 X4 Z4", "A1 S1", "A2 A3 S2"])
    play_all(twin, "ask 1 A")
    asks = copy.deepcopy(twin)
    play_all(asks, "pass")
    assert asks.to_move == 0 and "ask 2 A" not in asks.legal() and "ask 2 S" in asks.legal()
    play_all(twin, "word 3")
    assert spelled(twin, 0) == [{"A1", "C1", "T1"}] and "ask 2 A" in twin.legal() and "ask 1 A" in twin.legal()
    play_all(twin, "ask 2 A")
    assert set(twin.hands[0]) == {"X4", "Z4", "A2", "A3"} and twin.last_ask[3] == "hit"


# ---- words ----


def test_example_4_a_lucky_draw_allows_a_word_but_the_turn_ends():
    twin = position(["A1 T1 X4", "E1", "E2"], well="C1 S1")
    play_all(twin, "ask 2 C")
    assert twin.last_ask == (0, 2, "C", "lucky") and twin.to_move == 0 and twin.legal() == ["word 3", "pass"]
    passing = copy.deepcopy(twin)
    play_all(twin, "word 3")
    assert spelled(twin, 0) == [{"A1", "C1", "T1"}] and twin.hands[0] == ["X4"]
    play_all(passing, "pass")
    assert passing.words[0] == [] and len(passing.hands[0]) == 4
    for after in (twin, passing):
        assert after.to_move == 2 and after.step == "ask" and after.last_ask[3] == "lucky"


def test_only_a_draw_of_the_letter_asked_for_is_lucky():
    twin = position(["A1 T1 X4", "E1", "E2"], well="C1 S1")
    play_all(twin, "ask 2 S")  # C would make a word, too
    assert twin.last_ask == (0, 2, "S", "miss") and twin.to_move == 2 and "C1" in twin.hands[0]


def test_a_lucky_draw_without_a_word_looks_like_a_miss():
    twin = position(["X4 Z4", "E1", "E2"], well="C1")
    play_all(twin, "ask 1 C")
    assert twin.hands[0] == ["X4", "Z4", "C1"] and twin.to_move == 1 and twin.last_ask == (0, 1, "C", "miss")


def test_example_8_a_word_after_a_hit_has_the_received_letter_and_the_turn_goes_on():
    twin = position(["A1 T1 C1 X4", "M4 B2", "E2"])
    play_all(twin, "ask 1 M")
    assert twin.open_words == {3: "CAM"} and twin.legal() == ["word 3", "pass"]  # ACT and CAT have no M
    play_all(twin, "word 3")
    assert spelled(twin, 0) == [{"C1", "A1", "M4"}] and twin.to_move == 0 and twin.step == "ask"
    none = position(["A1 T1 C1", "Q1 B2", "E2"])
    play_all(none, "ask 1 Q")  # no word with a Q, and no window for those without
    assert none.step == "ask" and none.to_move == 0 and none.last_ask[3] == "hit"
    passing = position(["A1 T1 C1 X4", "M4 B2", "E2"])
    play_all(passing, "ask 1 M", "pass", "ask 1 B")
    assert passing.last_ask == (0, 1, "B", "hit") and passing.step == "word" and len(passing.hands[0]) == 6


def test_the_same_word_may_be_played_again():
    twin = position(["A1 A2 T1 T2 X4", "E1 S1", "E2 S2"])
    play_all(twin, "ask 1 E", "word 3")
    assert spelled(twin, 0) == [{"A2", "T2", "E1"}]
    play_all(twin, "ask 2 E")
    assert twin.open_words == {3: "ATE"}
    play_all(twin, "word 3")
    assert spelled(twin, 0) == [{"A2", "T2", "E1"}, {"A1", "T1", "E2"}] and twin.scores == [2, 0, 0]


@pytest.mark.parametrize(
    ("hand", "received", "min_len", "chosen"),
    [
        ("A1 C1 T1", "A", 3, {3: "ACT"}),  # as dear as CAT
        ("A1 C1 T1 M4 J3", "A", 3, {3: "CAM"}),  # JAM and MAC cost 6 as well, ACT costs 9
        ("A1 C1 T1 M4 J3", "T", 3, {3: "ACT"}),  # CAM has no T; MAT costs 9, too
        ("A1 C1 T1 M4 J3", "A", 2, {2: "AM", 3: "CAM"}),
        ("E1 E2 T1 L2", "E", 3, {3: "EEL"}),  # LEE costs 10, too, LET too
        ("E1 T1 A1 Z4", "E", 4, {4: "ZETA"}),
        ("Z4 Q1 X4", "Q", 2, {}),
    ],
)
def test_r16_which_word_is_chosen(hand, received, min_len, chosen):
    assert you_wish.chosen_words(hand.split(), received, min_len) == chosen


def test_r16_against_the_whole_list():
    rng = random.Random(7)
    copies = Counter(LETTER.values())
    for size in (3, 5, 8, 11, 14, 18, 24):
        hand = rng.sample(CARDS, size)
        letters, received = Counter(LETTER[card] for card in hand), LETTER[hand[0]]
        fitting = [word for word in WORDS if received in word and set(word) <= set(letters)]
        fitting = [word for word in fitting if not Counter(word) - letters]
        for min_len in (2, 3, 4):
            chosen = {}
            for word in fitting:
                best = chosen.setdefault(len(word), word) if len(word) >= min_len else word
                if (sum(map(copies.get, word)), word) < (sum(map(copies.get, best)), best):
                    chosen[len(word)] = word
            assert you_wish.chosen_words(hand, received, min_len) == chosen, hand


def test_the_highest_ranks_are_played():
    twin = position(["T1 T4 T2 X4", "E1 E4 E2", "S1"])
    play_all(twin, "ask 1 E", "word 3")
    assert spelled(twin, 0) == [{"T4", "E4", "E2"}] and set(twin.hands[0]) == {"T1", "T2", "X4", "E1"}


def test_min_len_and_the_longest_word():
    for min_len in (2, 3, 4):
        twin = position(["T1 H1 N1 K1", "I1 B2", "S1"], min_len=min_len)
        play_all(twin, "ask 1 I")
        assert twin.legal() == [f"word {length}" for length in range(min_len, 6)] + ["pass"]
        assert twin.open_words[5] == "THINK"
    everything = position(["", "E1 E2 E3 E4", "Z4"], well="Q1 K1", rest=0)
    play_all(everything, "ask 1 E")
    assert max(everything.open_words) == 13 and len(everything.hands[0]) == 49


# ---- the end ----

TWO_WORDS = [["A3", "C1", "T3"], ["A4", "R1", "T4"]]


def test_example_5_going_out_wins_against_more_words():
    twin = position(["A1 T1", "M4", "S1"], words=[[], [" ".join(word) for word in TWO_WORDS]])
    play_all(twin, "ask 1 M", "word 3")
    assert twin.over and not twin.truncated and twin.hands[0] == [] and twin.gone_out == 0
    assert twin.scores == [1, 2, 0] and twin.standing == [0, 1, 2] and twin.well
    assert twin.legal() == [] and twin.to_move is None and twin.observe(1)["step"] == [0, 0]
    lucky = position(["A1 T1", "E1", "S1"], well="M4 Q1", words=[[], [" ".join(word) for word in TWO_WORDS]])
    play_all(lucky, "ask 1 M", "word 3")
    assert lucky.over and lucky.gone_out == 0 and lucky.standing == [0, 1, 2]


def last_draw(words):
    """The twin after the last card of the well has been drawn for nothing, with these words on the table."""
    twin = position(["X4", *[""] * (len(words) - 1)], well="K1", words=words, rest=1)
    play_all(twin, "ask 1 K")
    assert twin.over and not twin.truncated and twin.well == []
    return twin


@pytest.mark.parametrize(
    ("words", "scores", "standing"),
    [
        ([[], [], []], [0, 0, 0], [0, 0, 0]),
        ([["A1 T1 C1"], [], []], [1, 0, 0], [0, 1, 1]),
        # most words, though another has a longer one
        ([["A1 T1 C1"], ["A2 R1 T2", "A3 R2 T3"], ["T4 R3 E1 E2 S1"]], [1, 2, 1], [2, 0, 1]),
        # the longest word; the number of letters on the table does not matter
        ([["A1 T1 C1", "A2 R1 T2 S1"], ["A3 R2 T3", "T4 R3 E1 E2 S2"], []], [2, 2, 0], [1, 0, 2]),
        # the best card in a word of that length, in whichever; one in a shorter word does not count
        ([["A1 T1 S1 R1", "Z4 A2 P3"], ["A3 R2 T3 S2", "A4 T2 O1"], []], [2, 2, 0], [1, 0, 2]),
        ([["M4 A1 T1", "W4 A2 R1"], ["T2 E1 A3", "P3 A4 T3"], ["L4 O1 T4"]], [2, 2, 1], [1, 0, 2]),
        # a seat without a word is behind one with a word of low ranks
        ([[], ["T1 E1 A1"], [], ["T2 E2 A2"]], [0, 1, 0, 1], [2, 1, 2, 0]),
    ],
)
def test_example_7_the_tie_breaks_in_order(words, scores, standing):
    twin = last_draw(words)
    assert twin.scores == scores and twin.standing == standing


def test_the_last_card_of_the_well_ends_the_game_after_that_turn():
    twin = position(["A1 T1 X4", "E1", ""], well="C1", rest=2)
    before = copy.deepcopy(twin)
    play_all(twin, "ask 1 C")
    assert twin.step == "word" and not twin.over and twin.well == []  # with luck, there is still a word
    passing = copy.deepcopy(twin)
    play_all(twin, "word 3")
    assert twin.over and twin.scores == [1, 0, 0] and twin.standing == [0, 1, 1] and not twin.truncated
    play_all(passing, "pass")
    assert passing.over and passing.standing == [0, 0, 0]
    play_all(before, "ask 1 B")
    assert before.over and "C1" in before.hands[0] and before.last_ask[3] == "miss"


def test_the_turn_before_the_last_draw_goes_on_after_a_hit():
    twin = position(["X4", "K1 Z4", ""], well="Q1", rest=2)
    play_all(twin, "ask 1 K", "ask 1 Z")
    assert not twin.over and twin.well == ["Q1"] and twin.to_move == 0


def test_r15_an_exhausted_well_gives_nothing():
    twin = position(["X4", "K1 Z4", ""], well="Q1", rest=2)
    twin.hands[2].append(twin.well.pop())  # cannot happen: the game would be over
    twin.play("ask 1 Q")
    assert twin.over and twin.hands[0] == ["X4"] and twin.last_ask[3] == "miss"


def test_example_9_and_r17_a_hand_emptied_by_an_ask():
    twin = position(["X4 Z4", "K1", "B2 D2"], well="Q1 E1 E2")
    play_all(twin, "ask 1 K")
    assert twin.hands[1] == [] and not twin.over and twin.to_move == 0
    assert not any(move.startswith("ask 1") for move in twin.legal()) and len(twin.legal()) == 23
    play_all(twin, "ask 2 E", "ask 0 C")
    assert twin.to_move == 0 and not any(move.startswith("ask 1") for move in twin.legal())


def test_r18_and_r17_a_seat_that_can_ask_nobody_draws_and_the_left_one_asks_without_cards():
    twin = position(["X4 T1", "Z4", ""], well="A1 S1 Q1")
    play_all(twin, "ask 1 Z")
    assert twin.hands == [["X4", "T1", "Z4", "A1"], [], []] and twin.to_move == 1 and twin.step == "ask"
    assert twin.last_ask == (0, 1, "Z", "hit") and twin.legal() == [f"ask 0 {letter}" for letter in LETTERS]
    play_all(twin, "ask 0 T")
    assert twin.hands[1] == ["T1"] and twin.to_move == 1
    missing = copy.deepcopy(twin)
    play_all(missing, "ask 0 S")  # lucky, but there is no word; seat 0 is next
    assert missing.hands[1] == ["T1", "S1"] and missing.to_move == 0


def test_r18_after_a_word_or_a_pass_and_the_draw_opens_no_window():
    twin = position(["A1 T1 X4", "C1", ""], well="S1 Q1")
    play_all(twin, "ask 1 C")
    passing = copy.deepcopy(twin)
    play_all(twin, "word 3")
    assert twin.hands[0] == ["X4", "S1"] and twin.to_move == 1 and twin.step == "ask"
    play_all(passing, "pass")
    assert set(passing.hands[0]) == {"A1", "T1", "X4", "C1", "S1"} and passing.to_move == 1 and passing.step == "ask"


def test_r18_a_seat_that_holds_every_letter():
    twin = position([ONE_EACH.replace(" Z4", ""), "Z4 E2", "E3"], well="E4")
    play_all(twin, "ask 1 Z")
    assert twin.step == "word" and twin.to_move == 0
    play_all(twin, "pass")
    assert "E4" in twin.hands[0] and len(twin.hands[0]) == 27 and twin.to_move == 1 and twin.step == "ask"


def test_r18_the_last_card_of_the_well_ends_the_game():
    twin = position(["X4 T1", "Z4", ""], well="A1", rest=0)
    assert twin.well == ["A1"]
    play_all(twin, "ask 1 Z")
    play_all(twin, *(["pass"] if twin.step == "word" else []))
    assert twin.over and not twin.truncated and twin.well == [] and "A1" in twin.hands[0]


def test_the_move_limit():
    twin = position(["A1 T1 X4", "M4 C1", "S1"], words=[[], ["T2 E1 A2"]], max_moves=2)
    play_all(twin, "ask 1 C")
    assert twin.step == "word" and twin.observe(0)["moves_left"] == 1
    play_all(twin, "word 3")
    assert twin.over and twin.truncated and twin.scores == [1, 1, 0] and twin.standing == [0, 1, 2]
    assert twin.observe(0)["moves_left"] == 0 and twin.legal() == []
    with pytest.raises(ValueError):
        twin.play("ask 1 M")
    window = position(["A1 T1 X4", "M4 C1", "S1"], max_moves=1)
    play_all(window, "ask 1 C")
    assert window.over and window.truncated and window.standing == [0, 0, 0]
    assert not any(window.observe(0)["received"] + window.observe(0)["open_words"])


def test_an_end_by_the_rules_with_the_last_move_is_not_cut_short():
    out = position(["A1 T1", "M4", "S1"], max_moves=2)
    play_all(out, "ask 1 M", "word 3")
    drawn = position(["", "Z4", ""], well="Q1", rest=0, max_moves=2)  # it can ask nothing after the pass
    play_all(drawn, "ask 1 Z", "pass")
    well = position(["X4", "Z4", ""], well="Q1", rest=2, max_moves=1)
    play_all(well, "ask 1 K")
    for twin in (out, drawn, well):
        assert twin.over and not twin.truncated


# ---- what a seat sees ----


def test_the_view_at_the_start():
    deal = Twin.random_deal(3, {}, random.Random(4))
    twin = Twin(3, {"max_moves": 30}, deal)
    for seat in range(3):
        view = twin.observe(seat)
        assert shown(view["hand"]) == set(deal["hands"][seat]) and view["hand_size"] == [13, 13, 13, 0]
        assert view["well"] == 13 and view["active"] == [int((seat + i) % 3 == 1) for i in range(3)] + [0]
        assert view["step"] == [1, 0] and view["moves_left"] == 30 and view["min_len"] == 3 and view["num_players"] == 3
        for name in ("asker", "asked", "ask_letter", "ask_result", "received", "open_words", "num_words", "best_card"):
            assert not any(view[name]), name


def test_the_view_of_a_hit_and_of_words():
    twin = position(["Q1", "A1 T1 S1 X4", "E1 E4 K1", "Z4"], to_move=1, min_len=2)
    play_all(twin, "ask 2 E")
    for seat, place in ((0, 1), (1, 0), (2, 3), (3, 2)):
        view = twin.observe(seat)
        assert view["active"].index(1) == view["asker"].index(1) == place and sum(view["asker"]) == 1
        assert view["asked"].index(1) == (place + 1) % 4 and view["step"] == [0, 1]
        assert letters_in(view["ask_letter"]) == letters_in(view["received"]) == "E"
        assert view["ask_result"] == [1, 0, 0]
        assert open_lengths(view) == (list(twin.open_words) if seat == 1 else []), "the lengths tell of the hand"
    assert twin.observe(0)["hand_size"] == [1, 6, 1, 1] and shown(twin.observe(1)["hand"]) >= {"E1", "E4"}
    play_all(twin, "word 4")
    view = twin.observe(3)
    assert shown(view["words"][2]) == {"A1", "X4", "E4", "S1"} and not any(map(any, view["words"][:2]))
    assert view["num_words"] == [0, 0, 1, 0] and view["longest"] == [0, 0, 4, 0]
    assert view["best_card"] == [0, 0, RANK["X4"], 0] and view["step"] == [1, 0]
    assert not any(view["received"]) and view["ask_result"] == [1, 0, 0] and letters_in(view["ask_letter"]) == "E"


def test_the_view_of_luck_and_of_a_miss():
    twin = position(["A1 T1 X4", "E1", "E2"], well="C1 S1")
    missing = copy.deepcopy(twin)
    play_all(missing, "ask 2 B")
    view = missing.observe(1)
    assert view["ask_result"] == [0, 1, 0] and letters_in(view["ask_letter"]) == "B" and view["step"] == [1, 0]
    assert view["asker"] == [0, 0, 1, 0] and view["asked"] == [0, 1, 0, 0] and view["active"] == [0, 1, 0, 0]
    play_all(twin, "ask 2 C")
    view = twin.observe(1)
    assert view["ask_result"] == [0, 0, 1] and letters_in(view["received"]) == "C" and view["step"] == [0, 1]
    assert view["hand_size"] == [1, 1, 4, 0] and view["well"] == len(twin.well) and not any(view["open_words"])
    play_all(twin, "pass")
    assert twin.observe(1)["ask_result"] == [0, 0, 1] and not any(twin.observe(1)["received"])
    unlucky = position(["X4 Z4", "E1", "E2"], well="C1")
    play_all(unlucky, "ask 1 C")  # a C has been drawn, but no word is possible
    for seat in range(3):
        assert unlucky.observe(seat)["ask_result"] == [0, 1, 0]


def test_the_best_card_is_that_of_the_longest_words():
    twin = position(["E1", "O1", "Q1"], words=[["A1 T1 S1 R1", "Z4 A2 P3", "A3 R2 T3 S2"]])
    view = twin.observe(2)
    assert view["num_words"] == [0, 3, 0, 0] and view["longest"] == [0, 4, 0, 0]
    assert view["best_card"] == [0, RANK["R2"], 0, 0]


def known(twin, looker, seat):
    """The cards that a seat is known to hold, and the letters that it is known not to hold, as another sees it."""
    view, place = twin.observe(looker), (seat - looker) % twin.num_players
    return shown(view["known_hand"][place]), letters_in(view["known_not"][place])


def test_recall_of_cards_taken_openly():
    twin = position(["X4 T1 A1", "E1 E3 Z4", "S1"], well="Q1 K1", recall=True)
    play_all(twin, "ask 1 E")
    assert known(twin, 2, 0) == known(twin, 1, 0) == known(twin, 0, 0) == ({"E1", "E3"}, "")
    assert known(twin, 2, 1) == known(twin, 0, 1) == (set(), "E"), "all its cards of the letter are gone"
    play_all(twin, "word 3")  # one E stays
    assert spelled(twin, 0) == [{"A1", "T1", "E3"}] and known(twin, 1, 0) == ({"E1"}, "")
    play_all(twin, "ask 2 B")  # a miss; the card drawn, Q1, is not known
    assert known(twin, 1, 0) == ({"E1"}, "") and known(twin, 1, 2) == (set(), "B") and twin.to_move == 2
    play_all(twin, "ask 0 E")
    assert known(twin, 0, 2) == ({"E1"}, "B") and known(twin, 1, 0) == (set(), "E")


def test_recall_of_letters_asked_for_and_denied_until_the_next_draw():
    twin = position(["X4", "Z4", "S1 T1"], well="Q1 K1 R1 H1", recall=True)
    play_all(twin, "ask 2 E")
    assert known(twin, 1, 2) == (set(), "E") and known(twin, 1, 0) == (set(), ""), "it has drawn since it asked"
    play_all(twin, "ask 0 B")  # 2 asks, draws and may hold an E again
    assert known(twin, 1, 2) == (set(), "") and known(twin, 1, 0) == (set(), "B")
    play_all(twin, "ask 1 Z")
    assert known(twin, 2, 0) == ({"Z4"}, "B") and known(twin, 2, 1) == (set(), "Z")
    play_all(twin, "ask 2 D")
    assert known(twin, 1, 0) == ({"Z4"}, "") and known(twin, 1, 2) == (set(), "D")


def test_recall_of_a_letter_received_and_played_out():
    twin = position(["X4 T1 A1", "E1 Z4", "S1"], well="Q1 K1", recall=True)
    play_all(twin, "ask 1 E", "word 3")
    assert known(twin, 1, 0) == (set(), "E"), "it had none but the one that it has played"


def test_recall_of_a_lucky_draw():
    twin = position(["A1 T1 X4", "E1", "S1 B2"], well="C1 Q1", recall=True)
    play_all(twin, "ask 1 E", "pass")
    assert twin.to_move == 0 and known(twin, 1, 0) == ({"E1"}, "")
    play_all(twin, "ask 2 C")
    assert twin.step == "word" and known(twin, 1, 0) == ({"E1"}, ""), "which card it is has not been shown"
    play_all(twin, f"word {max(twin.open_words)}")
    assert known(twin, 1, 0)[1] == "" and known(twin, 1, 2) == (set(), "C")


def test_recall_of_a_draw_by_a_seat_that_can_ask_nothing():
    twin = position(["X4 T1", "Z4", ""], well="A1 S1 Q1", recall=True)
    twin.named[0] = ["B"]
    play_all(twin, "ask 1 Z")
    assert known(twin, 1, 0) == ({"Z4"}, "") and known(twin, 0, 1) == (set(), "Z")


def test_without_recall_nothing_is_remembered():
    twin = position(["X4 T1 A1", "E1 E3 Z4", "S1"])
    play_all(twin, "ask 1 E")
    assert twin.known[0] and twin.known_not(1)
    for looker in range(3):
        assert all(known(twin, looker, seat) == (set(), "") for seat in range(3))


# ---- records ----


def lines_of(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_records_replay(path):
    twin = replay(you_wish, lines_of(path), you_wish.audit)
    assert twin.over


def test_there_are_two_records_of_others():
    assert {"you_wish_v0_3p_s11", "you_wish_v0_4p_s12"} <= {path.stem for path in RECORDS}


def damaged_copies(lines):
    """The record with a line missing, doubled or changed. None is another legal game."""
    last = len(lines) - 1
    for i in range(1, last + 1):
        yield lines[:i] + lines[i + 1 :]
        yield lines[: i + 1] + lines[i:]
    for i in range(2, last):
        line = lines[i]
        held = next(letter for letter in LETTERS if not any(move.endswith(letter) for move in line["legal"]))
        changes = [{"seat": line["seat"] + 1}, {"move": "word 14"}, {"move": f"ask 0 {held}"}, {"move": "flip"}]
        changes += [{"legal": line["legal"][1:]}, {"legal": line["legal"][::-1]}]
        for change in changes:
            yield [*lines[:i], {**line, **change}, *lines[i + 1 :]]
        yield [*lines[:i], {"chance": {"deal": lines[1]["deal"]}}, *lines[i:]]
    for change in ({"scores": [9] * 4}, {"standing": [0] * 4}, {"truncated": True}):
        yield [*lines[:last], {**lines[last], **change}]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_damaged_records_are_refused(path):
    damaged = list(damaged_copies(lines_of(path)))
    assert len(damaged) > 100
    for record in damaged:
        with pytest.raises((ValueError, AssertionError, KeyError)):
            replay(you_wish, record)


# ---- random games ----


def snapshot(twin):
    """What the ledgers compare, before a move."""
    return SimpleNamespace(
        turn=twin.turn, step=twin.step, hands=[set(hand) for hand in twin.hands], well=list(twin.well),
        words=copy.deepcopy(twin.words), last_ask=twin.last_ask, legal=twin.legal(),
    )  # fmt: skip


def ledger(twin, before, move):
    """Which cards a move brings where, reckoned from its string; what has been drawn is the top of the well."""
    verb, *words = move.split()
    hands, mine = copy.deepcopy(before.hands), copy.deepcopy(before.hands[before.turn])
    if verb == "ask":
        given = {card for card in mine.union(*hands) if card in hands[int(words[0])] and card[0] == words[1]}
        hands[int(words[0])] -= given
        mine |= given
        assert bool(given) == (twin.last_ask[3] == "hit"), move
    if verb == "word":
        word = twin.words[before.turn][-1]
        before.words[before.turn].append(word)
        mine -= set(word)
        assert len(word) == int(words[0]) and before.last_ask[2] in {card[0] for card in word}, move
        assert all(RANK[card] > RANK[left] for card in word for left in mine if card[0] == left[0]), move
    drawn = before.well[: len(before.well) - len(twin.well)]
    hands[before.turn] = mine.union(drawn)
    assert hands == [set(hand) for hand in twin.hands] and before.words == twin.words, move
    assert before.well == drawn + twin.well and len(drawn) <= 1, move


def turns(twin, before, move):
    """Who draws a card and who is next; that nobody is asked who can ask nothing, is for the audit."""
    drawn = before.well[: len(before.well) - len(twin.well)]
    asks = move.startswith("ask")
    _, asked, _, result = twin.last_ask
    if result != "hit":
        assert len(drawn) == asks, move
        following = before.turn if asks and result == "lucky" else asked
    elif drawn:
        assert twin.step != "word" and any(stuck(twin, before, drawn)), move
        following = (before.turn + 1) % twin.num_players
    else:
        following = before.turn
    assert twin.over or twin.turn == following, move


def stuck(twin, before, drawn):
    """Whether nobody else had cards, whether the seat had every letter."""
    letters = {LETTER[card] for card in twin.hands[before.turn] if card not in drawn}
    return not any(twin.hands[seat] for seat in twin.seats if seat != before.turn), len(letters) == len(LETTERS)


def happened(before, move, twin):
    """The names of what a test wants to have seen."""
    verb, *words = move.split()
    result = twin.last_ask[3]
    yield result if verb == "ask" else verb
    drawn = before.well[: len(before.well) - len(twin.well)]
    if verb == "ask" and not before.hands[before.turn]:
        yield "asks without cards"
    if verb == "ask" and not twin.hands[int(words[0])]:
        yield "hand emptied by an ask"
    if verb == "ask" and result == "miss" and LETTER[drawn[0]] == words[1]:
        yield "luck without a word"
    if result == "hit" and drawn:
        nobody, _ = stuck(twin, before, drawn)
        yield "nobody to ask" if nobody else "every letter"
        if twin.over:
            yield "last card drawn for want of asks"
    if verb == "word" and twin.over and not twin.well and result == "lucky":
        yield "word with the last card"


def ends(twin):
    """The names of what the result shows."""
    yield "cut short" if twin.truncated else "by the rules"
    keys = [(len(twin.words[seat]), twin.longest(seat)) for seat in twin.seats if twin.words[seat]]
    if len(set(keys)) < len(keys):
        yield "best card decides"
    if len({num_words for num_words, _ in keys}) < len(set(keys)):
        yield "longest word decides"
    if len(keys) < twin.num_players - 1:
        yield "several without a word"
    if twin.gone_out is not None:
        yield "gone out with luck" if twin.last_ask[3] == "lucky" else "gone out"
        if len(twin.words[twin.gone_out]) < max(twin.scores):
            yield "gone out with fewer words"


def checked(record):
    """A record replayed with every check; what happened in it."""
    header, deal, *middle, result = record
    twin = Twin(header["players"], header["options"], deal["deal"])
    you_wish.audit(twin)
    seen = Counter()
    for line in middle:
        before = snapshot(twin)
        assert twin.to_move == line["seat"] and before.legal == line["legal"] != []
        twin.play(line["move"])
        you_wish.audit(twin)
        ledger(twin, before, line["move"])
        turns(twin, before, line["move"])
        seen.update(happened(before, line["move"], twin))
    assert {"scores": twin.scores, "standing": twin.standing, "truncated": twin.truncated} == result
    seen.update(ends(twin))
    return seen


@pytest.mark.parametrize("n", [3, 4])
def test_random_games(n):
    seen = Counter()
    for seed in range(GAMES):
        options = {"recall": True, "min_len": 2 + seed % 3, "max_moves": 4 * seed} if seed % 2 else {}
        seen += checked(json.loads(json.dumps(play_random(you_wish, n, options, seed))))
    assert all(seen[name] for name in ("by the rules", "cut short", "hit", "miss", "word", "pass")), seen


RARE = [
    "lucky", "luck without a word", "hand emptied by an ask", "asks without cards", "nobody to ask", "every letter",
    "word with the last card", "last card drawn for want of asks", "best card decides", "longest word decides",
    "several without a word", "gone out", "gone out with luck", "gone out with fewer words",
]  # fmt: skip


@pytest.mark.slow
def test_purposeful_games_reach_what_is_rare():
    seen = Counter()
    for seed in range(16 * GAMES):
        options = you_wish.random_options(random.Random(seed)) if seed % 2 else {"recall": True}
        seen += checked(play_random(you_wish, 3 + seed // 2 % 2, options, seed, you_wish.purposeful))
    assert [name for name in RARE if not seen[name]] == [], seen


# ---- the audit ----


def lose_a_card(twin):
    twin.well.pop()


def deal_a_card_twice(twin):
    twin.hands[1].append(twin.hands[0][0])


def play_no_word(twin):
    twin.words[1][0] += [twin.well.pop()]


def play_too_short_a_word(twin):
    twin.options["min_len"] = 4


def know_too_much(twin):
    twin.known[2].append(twin.well[0])


def know_twice(twin):
    twin.known[0].append("E1")


def miss_what_is_there(twin):
    twin.named[2].append("S")


def empty_the_well(twin):
    twin.hands[2] += twin.well
    twin.well = []


def have_nobody_to_ask(twin):
    twin.well += twin.hands[1] + twin.hands[2]
    twin.hands[1:] = [[], []]


def open_no_window(twin):
    twin.step, twin.open_words = "word", {}


def open_a_wrong_window(twin):
    twin.step, twin.open_words = "word", {3: "JAM"}


def open_a_window_without_the_letter(twin):
    twin.hands[0] += ["A1", "T1"]
    twin.step, twin.open_words = "word", {3: "TAX"}


def end_too_early(twin):
    twin.step = "over"


def go_out_with_cards(twin):
    twin.step, twin.gone_out = "over", 0


def play_on_too_long(twin):
    twin.moves = 1025


def cut_too_early(twin):
    twin.step, twin.truncated = "over", True


@pytest.mark.parametrize(
    "damage",
    [
        lose_a_card, deal_a_card_twice, play_no_word, play_too_short_a_word, know_too_much, know_twice,
        miss_what_is_there, empty_the_well, have_nobody_to_ask, open_no_window, open_a_wrong_window,
        open_a_window_without_the_letter, end_too_early, go_out_with_cards, play_on_too_long, cut_too_early,
    ],
)  # fmt: skip
def test_the_audit_sees_damage(damage):
    twin = position(["X4", "E1 Z4", "S1 T1"], words=[[], ["A2 T2 C1"]])
    play_all(twin, "ask 1 E")
    damage(twin)
    with pytest.raises(AssertionError):
        you_wish.audit(twin)
