"""You Wish on built positions: cards lie where the test puts them, and a turn begins."""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.base import make_agent
from agents.match import play_match
from pepperenvs.core.jit import PURE_PYTHON
from pepperenvs.drivers.batch import Batch
from pepperenvs.drivers.game import load
from pepperenvs.games.you_wish import bot
from pepperenvs.games.you_wish import state as fields
from pepperenvs.lexicon.deck import CARD_LETTER, CARD_NAMES, CARD_RANK, LETTER_NAMES, NUM_CARDS
from pepperenvs.lexicon.lookup import NO_WORD, word_string
from tests.fair import is_uniform
from tests.games import Table
from tests.twins.letters import WORDS

pytestmark = pytest.mark.nojit

GAME = load("you_wish_v0")
CARDS = dict(zip(CARD_NAMES, range(NUM_CARDS), strict=True))
ONE_EACH = "A1 B2 C1 D2 E1 F3 G3 H1 I1 J3 K1 L2 M4 N1 O1 P3 Q1 R1 S1 T1 U1 V2 W4 X4 Y2 Z4"


def packed(text: str) -> int:
    """The set of these cards."""
    return sum(1 << CARDS[name] for name in text.split())


def letter_set(text: str) -> int:
    return sum(1 << LETTER_NAMES.index(letter) for letter in text)


def place(
    hands: Sequence[str],
    well: str = "",
    words: Sequence[Sequence[str]] = (),
    rest: int | None = None,
    turn: int = 0,
    known: Sequence[str] = (),
    named: Sequence[str] = (),
    **options: Any,
) -> Table:
    """A seat is to ask. The well is given in drawing order; cards that are not named follow in it, or are in the hand
    of the seat `rest`.

    words    by seat, the cards of each
    known    cards of each hand that all know of
    named    letters that each seat has asked for or denied
    """
    built = Table(GAME, len(hands), options)
    state = built.state
    state.deck[:] = 0
    laid = [(seat, word) for seat, own in enumerate(words) for word in own]
    used = " ".join([*hands, well, *(word for _, word in laid)]).split()
    left = [name for name in CARD_NAMES if name not in used]
    drawn = well.split() + (left if rest is None else [])
    assert len(drawn) <= fields.MAX_WELL, "there is no room for so many in the well: give `rest`"
    for seat, hand in enumerate(hands):
        state.hand[seat] = packed(hand) | (packed(" ".join(left)) if seat == rest else 0)
    for seat, text in enumerate(known):
        state.known[seat] = packed(text)
    for seat, text in enumerate(named):
        state.named[seat] = letter_set(text)
    state.well_len = len(drawn)
    state.well[: len(drawn)] = [CARDS[name] for name in reversed(drawn)]
    lay(state, laid)
    state.to_move, state.pending, state.stage = turn, 0, fields.GOING_ON
    built.settle()
    return built


def lay(state: Any, laid: Sequence[tuple[int, str]]) -> None:
    start = 0
    for index, (seat, word) in enumerate(laid):
        cards = [CARDS[name] for name in word.split()]
        state.table[start : start + len(cards)] = cards
        state.word_seat[index], state.word_len[index] = seat, len(cards)
        start += len(cards)
        state.score[seat] += 1
        state.longest[seat] = max(state.longest[seat], len(cards))
    state.num_words = len(laid)
    for seat, word in laid:
        ranks = [int(CARD_RANK[CARDS[name]]) for name in word.split()]
        if len(ranks) == state.longest[seat]:
            state.best_card[seat] = max(int(state.best_card[seat]), *ranks)


def members(cards: Any) -> set[str]:
    return {CARD_NAMES[card] for card in range(NUM_CARDS) if int(cards) >> card & 1}


def hand(built: Table, seat: int) -> set[str]:
    return members(built.state.hand[seat])


def well(built: Table) -> str:
    return " ".join(CARD_NAMES[card] for card in built.state.well[: built.state.well_len][::-1])


def played(built: Table, seat: int) -> list[str]:
    """The cards of a seat's words, as they are spelled."""
    state, found, start = built.state, [], 0
    for index in range(state.num_words):
        stop = start + int(state.word_len[index])
        if state.word_seat[index] == seat:
            found.append(" ".join(CARD_NAMES[card] for card in state.table[start:stop]))
        start = stop
    return found


def chosen(built: Table) -> dict[int, str]:
    return {length: word_string(word).upper() for length, word in enumerate(built.state.chosen, 2) if word != NO_WORD}


def shown(row: Any, names: Sequence[str]) -> set[str]:
    return {name for name, cell in zip(names, row, strict=True) if cell}


# ------------------------------------------------------------------------------------------------------- set-up


@pytest.mark.parametrize(("players", "each", "well_size"), [(3, 13, 13), (4, 10, 12)])
def test_example_6_the_deal_r2(players: int, each: int, well_size: int) -> None:
    deck = [*CARD_NAMES]
    deal = {"hands": [deck[s * each : (s + 1) * each] for s in range(players)], "well": deck[players * each :]}
    built = Table(GAME, players, {}, deal)
    assert [hand(built, seat) for seat in range(players)] == [set(cards) for cards in deal["hands"]]
    assert well(built).split() == deal["well"] and len(deal["well"]) == well_size
    assert built.to_move == 1 and built.see(0)["well"] == well_size
    for damage in ({"hands": deal["hands"][1:]}, {"hands": None}, {"well": deal["well"][1:]}, {"well": None}, {"x": 1},
                   {"hands": [deal["hands"][0][1:], *deal["hands"][1:]]}, {"well": ["E1"] * well_size}):  # fmt: skip
        with pytest.raises(ValueError, match="deal"):
            Table(GAME, players, {}, {**deal, **damage})


def test_options() -> None:
    for unknown in ({"words": "claim"}, {"words": "off"}, {"spell_hint": False}):
        with pytest.raises(ValueError, match="unknown option"):
            GAME.spec.resolve(3, unknown)
    for wrong in ({"min_len": 1}, {"min_len": 5}, {"max_moves": 0}):
        with pytest.raises(ValueError, match="must be"):
            GAME.spec.resolve(3, wrong)
    for players in (2, 5):
        with pytest.raises(ValueError, match="num_players"):
            GAME.spec.resolve(players)


@pytest.mark.parametrize("turn", [0, 2])
def test_asks_go_to_the_left_then_by_letter(turn: int) -> None:
    built = place(["E1", "E2", "E3", "E4"], well="K1", rest=(turn + 1) % 4, turn=turn)
    expected = [f"ask {(turn + k) % 4} {letter}" for k in (1, 2, 3) for letter in LETTER_NAMES if letter != "E"]
    assert built.legal == expected and len(expected) == 75
    assert GAME.legal_ids(built.states)[0] == 0, "the index counts from the asker"


# --------------------------------------------------------------------------------------------------------- asks


def test_example_1_a_letter_held_cannot_be_asked_for() -> None:
    built = place(["T1 S1", "T2 E1", "A1"], well="K1", rest=2)
    assert not {"ask 1 T", "ask 2 S", "ask 0 E", "pass", "word 3"} & set(built.legal)
    assert {"ask 1 E", "ask 2 E"} <= set(built.legal) and len(built.legal) == 2 * 24


def test_example_2_all_cards_of_a_letter_change_hands() -> None:
    built = place(["X4 Z4", "E1 N1 E4 E3", "E2 C1"], well="K1", rest=2)
    built.play("ask 1 E")
    assert hand(built, 0) == {"E1", "E3", "E4", "X4", "Z4"} and hand(built, 1) == {"N1"}
    assert members(built.state.known[0]) == {"E1", "E3", "E4"} and built.to_move == 0
    seen = built.see(1)
    assert seen["ask_result"] == [1, 0, 0] and shown(seen["ask_letter"], LETTER_NAMES) == {"E"}
    assert (seen["asker"], seen["asked"]) == ([0, 0, 1, 0], [1, 0, 0, 0])


@pytest.mark.parametrize(("players", "asked"), [(3, 1), (3, 2), (4, 1), (4, 2), (4, 3)])
def test_example_3_after_a_miss_the_refusing_seat_is_next_r15(players: int, asked: int) -> None:
    built = place(["X4 Z4", "E1", "E2", "E3"][:players], well="K1 S1", rest=asked % (players - 1) + 1)
    before = [hand(built, seat) for seat in range(players)]
    built.play(f"ask {asked} K")  # K1 is drawn, with which there is no word
    assert built.to_move == asked and hand(built, 0) == before[0] | {"K1"} and well(built) == "S1"
    assert built.see(0)["ask_result"] == [0, 1, 0] and hand(built, asked) == before[asked]


def test_example_10_the_letter_again_only_when_none_is_left() -> None:
    built = place(["C1 T1 X4 Z4", "A1 S1", "A2 A3 S2"], well="K1", rest=1)
    built.state.hand[1] &= ~packed("A4")
    built.state.hand[2] |= packed("A4")
    built.play("ask 1 A")
    assert built.state.stage == fields.WORDING
    passing = built.states.copy()
    built.play("word 3")
    assert played(built, 0) and {"ask 1 A", "ask 2 A"} <= set(built.legal)
    built.play("ask 2 A")
    assert {"A2", "A3", "A4"} <= hand(built, 0)
    built.states[:] = passing
    built.play("pass")
    assert "ask 2 A" not in built.legal and "ask 2 S" in built.legal


# -------------------------------------------------------------------------------------------------------- words


def test_example_4_a_lucky_draw_allows_a_word_but_the_turn_ends() -> None:
    for move in ("word 3", "pass"):
        built = place(["A1 T1 X4", "E1", "E2"], well="C1 S1", rest=1)
        built.play("ask 2 C")
        assert built.to_move == 0 and built.legal == ["word 3", "pass"] and built.see(1)["ask_result"] == [0, 0, 1]
        assert shown(built.see(1)["received"], LETTER_NAMES) == {"C"} and not any(built.see(1)["open_words"])
        assert built.see(0)["open_words"][1] == 1 and not members(built.state.known[0])
        built.play(move)
        assert built.to_move == 2 and built.see(0)["ask_result"] == [0, 0, 1]
        assert hand(built, 0) == ({"X4"} if move == "word 3" else {"A1", "T1", "X4", "C1"})


def test_only_a_draw_of_the_letter_asked_for_is_lucky() -> None:
    built = place(["A1 T1 X4", "E1", "E2"], well="C1 S1", rest=1)
    built.play("ask 2 S")
    assert built.to_move == 2 and "C1" in hand(built, 0) and built.see(0)["ask_result"] == [0, 1, 0]


def test_a_lucky_draw_without_a_word_looks_like_a_miss() -> None:
    built = place(["X4 Z4", "E1", "E2"], well="C1 S1", rest=2)
    built.state.hand[2] &= ~packed("C1")
    built.play("ask 1 C")
    assert hand(built, 0) == {"X4", "Z4", "C1"} and built.to_move == 1 and built.see(0)["ask_result"] == [0, 1, 0]


def test_example_8_a_word_after_a_hit_has_the_received_letter_and_the_turn_goes_on() -> None:
    built = place(["A1 T1 C1 X4", "M4 B2", "E2"], well="K1", rest=2)
    built.play("ask 1 M")
    assert chosen(built) == {3: "CAM"} and built.legal == ["word 3", "pass"], "ACT and CAT have no M"
    built.play("word 3")
    assert played(built, 0) == ["C1 A1 M4"] and built.to_move == 0 and built.state.stage == fields.ASKING
    none = place(["A1 T1 C1", "Q1 B2", "E2"], well="K1", rest=2)
    none.play("ask 1 Q")
    assert none.to_move == 0 and none.state.stage == fields.ASKING, "without a word the turn goes on"


@pytest.mark.parametrize(
    ("held", "received", "min_len", "expected"),
    [
        ("C1 T1", "A", 3, {3: "ACT"}),  # as dear as CAT
        ("C1 T1 M4 J3", "A", 3, {3: "CAM"}),  # JAM and MAC cost 6 as well, ACT costs 9
        ("A1 C1 M4 J3", "T", 3, {3: "ACT"}),  # CAM has no T; MAT costs 9, too
        ("C1 T1 M4 J3", "A", 2, {2: "AM", 3: "CAM"}),
        ("E1 T1 A1", "Z", 4, {4: "ZETA"}),
        ("Z4 X4", "Q", 2, {}),
    ],
)
def test_which_word_is_chosen_r16(held: str, received: str, min_len: int, expected: dict[int, str]) -> None:
    given = next(name for name in CARD_NAMES if name[0] == received and name not in held.split())
    built = place([held, given, "E4"], well="K1", rest=2, min_len=min_len)
    built.play(f"ask 1 {received}")
    assert chosen(built) == expected


def test_the_words_of_large_hands_against_the_whole_list_r16() -> None:
    rng = np.random.default_rng(7)
    copies = Counter(LETTER_NAMES[letter] for letter in CARD_LETTER)
    for size in (4, 8, 12, 18):
        names = [CARD_NAMES[card] for card in rng.permutation(NUM_CARDS)[:size]]
        received = next(name for name in names if all(other[0] != name[0] for other in names if other != name))
        others = [name for name in CARD_NAMES if name not in names]
        built = place([" ".join(n for n in names if n != received), received, " ".join(others[1:])], well=others[0])
        built.play(f"ask 1 {received[0]}")
        letters, best = Counter(name[0] for name in names), {}
        for word in WORDS:
            if received[0] in word and 3 <= len(word) <= 13 and not Counter(word) - letters:
                key = (sum(copies[letter] for letter in word), word)
                best[len(word)] = min(best.get(len(word), key), key)
        assert chosen(built) == {length: word for length, (_, word) in best.items()}


def test_the_highest_ranks_are_played_r16() -> None:
    built = place(["T1 T4 T2 X4", "E1 E4 E2", "S1"], well="K1", rest=2)
    built.play("ask 1 E", "word 3")
    assert set(played(built, 0)[0].split()) == {"T4", "E4", "E2"} and hand(built, 0) == {"T1", "T2", "X4", "E1"}
    assert members(built.state.known[0]) == {"E1"}


# ------------------------------------------------------------------------------------------------------ the end


TWO_WORDS = ["A3 C1 T3", "A4 R1 T4"]


def test_example_5_going_out_wins_against_more_words() -> None:
    built = place(["A1 T1", "M4", "S1"], well="K1", words=[[], TWO_WORDS], rest=2)
    built.play("ask 1 M", "word 3")
    assert built.to_move is None and not built.state.truncated and built.state.gone_out == 0
    assert built.state.score[:3].tolist() == [1, 2, 0] and built.state.standing[:3].tolist() == [0, 1, 2]


def last_draw(words: Sequence[Sequence[str]]) -> Table:
    """After the last card of the well has been drawn for nothing, with these words on the table."""
    built = place(["X4", *[""] * (len(words) - 1)], well="K1", words=words, rest=1)
    built.play("ask 1 K")
    assert built.to_move is None and not built.state.truncated and built.state.well_len == 0
    return built


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
def test_example_7_the_tie_breaks_in_order(
    words: Sequence[Sequence[str]], scores: list[int], standing: list[int]
) -> None:
    built = last_draw(words)
    assert built.state.score[: len(words)].tolist() == scores
    assert built.state.standing[: len(words)].tolist() == standing


def test_the_best_card_is_that_of_a_longer_word_once_there_is_one() -> None:
    built = place(["S1 T3 R2 Q1", "A3", "E1"], well="K1", rest=2, words=[["Z4 A2 P3"]])
    assert built.state.best_card[0] == CARD_RANK[CARDS["Z4"]]
    built.play("ask 1 A", "word 4")
    assert built.state.longest[0] == 4
    assert built.state.best_card[0] == max(CARD_RANK[CARDS[name]] for name in ("S1", "T3", "R2", "A3"))


def test_the_last_card_of_the_well_ends_the_game_after_that_turn() -> None:
    built = place(["A1 T1 X4", "E1", ""], well="C1", rest=2)
    built.play("ask 1 C")
    assert built.legal == ["word 3", "pass"] and built.state.well_len == 0, "with luck there is still a word"
    built.play("word 3")
    assert built.to_move is None and built.state.score[:3].tolist() == [1, 0, 0]


def test_example_9_a_hand_emptied_by_an_ask_goes_on_r17() -> None:
    built = place(["X4 Z4", "E1", "S1"], well="K1 S2 S3", rest=2)
    built.play("ask 1 E")
    assert hand(built, 1) == set() and built.to_move == 0 and built.state.gone_out == fields.NOBODY
    assert built.legal and not [move for move in built.legal if move.startswith("ask 1")], "it cannot be asked"


def test_a_seat_without_cards_asks_as_usual_r17() -> None:
    built = place(["", "E1 Z4", "S1"], well="K1 S2", rest=2)
    assert len(built.legal) == 2 * 26
    built.play("ask 1 E")
    assert hand(built, 0) == {"E1"} and built.to_move == 0


def test_a_seat_that_can_ask_nothing_draws_and_its_left_neighbour_is_next_r18() -> None:
    """It holds every letter: so it may ask for none."""
    built = place([ONE_EACH, "E2", ""], well="S2 S3", rest=2, turn=0)
    assert built.to_move == 1 and "S2" in hand(built, 0) and well(built) == "S3", "before its first ask"
    middle = place([ONE_EACH.replace("E1 ", ""), "E1 E2", ""], well="S2 S3", rest=2, min_len=4)
    middle.play("ask 1 E")
    assert middle.state.stage == fields.WORDING
    middle.play("pass")
    assert middle.to_move == 1 and "S2" in hand(middle, 0), "in the middle of its turn"
    last = place([ONE_EACH, "E2", ""], well="S2", rest=2)
    assert last.to_move is None and not last.state.truncated, "it was the last card"


def test_a_game_cut_short_is_scored_as_it_stands() -> None:
    built = place(["X4 Z4", "E1 E2", "S1"], well="K1 S2", rest=2, words=[[], ["A1 C1 T1"]], max_moves=1)
    built.play("ask 1 E")
    assert built.to_move is None and built.state.truncated == 1 and built.state.standing[:3].tolist() == [1, 0, 1]


# ------------------------------------------------------------------------------------------- what a seat may know


def test_what_a_seat_sees() -> None:
    built = place(["X4 Z4", "E1 N1", "S1"], well="K1 S2", rest=2, words=[[], ["A1 C1 T1"]], known=["X4"],
                  named=["", "QV"], recall=True)  # fmt: skip
    seen = built.see(1)
    assert shown(seen["hand"], CARD_NAMES) == {"E1", "N1"} and seen["hand_size"][:3] == [2, len(hand(built, 2)), 2]
    assert (seen["num_words"], seen["longest"]) == ([1, 0, 0, 0], [3, 0, 0, 0])
    assert seen["best_card"][0] == max(CARD_RANK[CARDS[name]] for name in ("A1", "C1", "T1"))
    assert shown(seen["words"][0], CARD_NAMES) == {"A1", "C1", "T1"} and seen["active"] == [0, 0, 1, 0]
    assert shown(seen["known_hand"][2], CARD_NAMES) == {"X4"} and shown(seen["known_not"][0], LETTER_NAMES) == {
        "Q",
        "V",
    }
    built.state.recall = 0
    seen = built.see(1)
    assert not np.any(seen["known_hand"]) and not np.any(seen["known_not"])


def test_what_is_known_of_a_hand() -> None:
    built = place(["X4 Z4", "E1 N1", "S1"], well="K1 S2", rest=2, recall=True)
    built.play("ask 1 E")
    seen = built.see(2)
    assert shown(seen["known_hand"][1], CARD_NAMES) == {"E1"}, "all have seen it go there"
    assert shown(seen["known_not"][1], LETTER_NAMES) == set(), "E is among its known cards"
    assert shown(seen["known_not"][2], LETTER_NAMES) == {"E"}, "it has given all"
    built.play("ask 1 C")
    seen = built.see(2)
    assert shown(seen["known_not"][1], LETTER_NAMES) == set(), "it has drawn an unseen card"
    assert shown(seen["known_not"][2], LETTER_NAMES) == {"C", "E"}


def small(known: Sequence[str] = (), named: Sequence[str] = ()) -> Table:
    """Four cards are hidden from seat 0: two in hand 1, one in hand 2, one in the well. All others lie in words."""
    hidden = ["N1", "R1", "S1", "T1"]
    rest = [name for name in CARD_NAMES if name not in hidden]
    return place([" ".join(rest), "N1 R1", "S1"], well="T1", known=known, named=named, turn=1)


def deals(built: Table, count: int, seat: int = 0) -> Counter[tuple[Any, ...]]:
    """How often each deal of the other hands and the well comes out."""
    found: Counter[tuple[Any, ...]] = Counter()
    for state in built.redraws(seat, count):
        found[(int(state.hand[1]), int(state.hand[2]), tuple(state.well[: state.well_len].tolist()))] += 1
        assert state.hand[0] == built.state.hand[0] and not state.deck.any() and not state.kept.any()
    return found


def consistent(built: Table) -> set[tuple[Any, ...]]:
    """All deals of the hidden cards of `small` that agree with what is known."""
    hidden = ["N1", "R1", "S1", "T1"]
    found = set()
    for first, second, third in product(hidden, repeat=3):
        left = [name for name in hidden if name not in (first, second, third)]
        if len({first, second, third}) < 3 or first > second:
            continue
        hands = [{first, second}, {third}]
        fits = all(
            members(built.state.known[1 + k]) <= cards and not {name[0] for name in cards} & known_letters(built, 1 + k)
            for k, cards in enumerate(hands)
        )
        if fits:
            found.add((packed(f"{first} {second}"), packed(third), (CARDS[left[0]],)))
    return found


def known_letters(built: Table, seat: int) -> set[str]:
    """The letters that a seat is known not to hold."""
    named = {letter for k, letter in enumerate(LETTER_NAMES) if int(built.state.named[seat]) >> k & 1}
    return named - {name[0] for name in members(built.state.known[seat])}


def test_a_redraw_is_uniform_where_nothing_is_known() -> None:
    built = small()
    found = deals(built, 3000)
    assert set(found) == consistent(built) and len(found) == 12 and is_uniform(found.values())


@pytest.mark.parametrize(
    ("known", "named"),
    [(["", "N1"], []), ([], ["", "ST"]), ([], ["", "T", "N"]), (["", "R1", "S1"], ["", "T"]), ([], ["", "", "RNT"]),
     (["", "N1"], ["", "N"]), ([], ["", "ST", "RN"])],
)  # fmt: skip
def test_a_redraw_agrees_with_what_is_known_and_all_that_agree_come_out(known: list[str], named: list[str]) -> None:
    built = small(known, named)
    assert set(deals(built, 600)) == consistent(built)


def test_a_redraw_during_the_window_keeps_it_open() -> None:
    built = place(["A1 T1 X4 S2", "E1 N1", "R1 L2"], well="C1 S1 O1 I1", rest=1)
    built.play("ask 2 C")
    assert built.state.result == fields.LUCKY
    drawn = built.redraws(1, 300)
    for state in drawn:
        assert (state["chosen"] != NO_WORD).any() and "C" in {name[0] for name in members(state.hand[0])}
        assert state.hand[1] == built.state.hand[1]
    assert len({int(state.hand[0]) for state in drawn}) > 20
    for state in built.redraws(0, 20):
        assert state.hand[0] == built.state.hand[0] and (state["chosen"] == built.state.chosen).all()


def test_a_redraw_leaves_the_seat_that_asks_a_letter_to_ask_for() -> None:
    """Seat 1 lacks E alone; seat 0 does not know of its N, S and T, and E1 is as likely as any to take their place."""
    held = ONE_EACH.replace("E1 ", "")
    built = place(["R2", f"{held} S2 T2", ""], well="S3 S4", rest=2, turn=1, known=["", held.replace("N1 ", "")])
    assert built.legal == ["ask 2 E", "ask 0 E"]
    drawn = built.redraws(0, 300)
    for state in drawn:
        letters = {name[0] for name in members(state.hand[1])}
        assert len(letters) < len(LETTER_NAMES)
    assert len({int(state.hand[1]) for state in drawn}) > 20


@pytest.mark.skipif(PURE_PYTHON, reason="many games")
def test_hardly_ever_is_a_redraw_of_an_open_window_given_up() -> None:
    """Only where all hidden cards must lie as they do may the redraw of a window be the true position."""
    same = tried = 0
    for seed in range(400):
        batch = Batch(GAME.spec.id, 1, num_players=3 + seed % 2, seed=seed, autoreset=False)
        while batch.seat[0] >= 0:
            state = batch._states[0]
            if state.stage == fields.WORDING:
                looker = (int(batch.seat[0]) + 1) % (3 + seed % 2)
                drawn = batch._states.copy()
                GAME.resample(drawn, 0, looker, np.array([seed], np.uint64))
                tried += 1
                same += bool((drawn["hand"] == batch._states["hand"]).all() and state.well_len > 3)
            batch.step(batch.sample_actions())
    assert tried > 500 and same <= tried / 1000


# --------------------------------------------------------------------------------------------- bot, audit, chance


def test_the_bot_goes_out_if_it_can() -> None:
    built = place(["A1 T1", "M4", "S1"], well="K1", rest=2, known=["", "M4"])
    assert built.bot() == "ask 1 M"
    built.play("ask 1 M")
    assert built.bot() == "word 3"


def test_the_bot_asks_where_a_hit_is_sure() -> None:
    built = place(["A1 T1 X4 B2", "C1 R1", "S1"], well="K1", rest=2, known=["", "C1"])
    assert built.bot() == "ask 1 C"


def test_the_chances_that_the_bot_reckons_with() -> None:
    """Four cards are unseen by seat 0, of which hand 1 has two: N1 N2 R1 S1."""
    hidden = ["N1", "N2", "R1", "S1"]
    rest = " ".join(name for name in CARD_NAMES if name not in hidden)
    for named, expected in (("", (5 / 6, 4 / 6)), ("N", (0.0, 0.0))):
        built = place([rest, "R1 S1", "N1"], well="N2", named=["", named], turn=1)
        unseen = bot.unseen_by(built.state, 0)
        assert members(unseen) == set(hidden)
        assert bot.hit_chances(built.state, 1, LETTER_NAMES.index("N"), unseen) == pytest.approx(expected)
        assert bot.hit_chances(built.state, 1, LETTER_NAMES.index("R"), unseen) == pytest.approx((0.5, 0.5))
        assert bot.hit_chances(built.state, 1, LETTER_NAMES.index("Z"), unseen) == (0.0, 0.0)


@pytest.mark.skipif(PURE_PYTHON, reason="many games")
def test_the_bot_beats_random_players() -> None:
    agents = [make_agent(GAME.spec.id, name) for name in ("bot", "random")]
    match = play_match(GAME.spec.id, [agents[0], agents[1], agents[1]], 100, seed=9)
    assert match.first_places(0).low > 0.85 and match.ended_by_rules.mean == 1.0


@pytest.mark.parametrize(
    ("number", "damage"),
    [
        (1, {"well_len": 1}), (1, {"hand": (0, 0)}), (1, {"table": (0, 60)}), (2, {"to_move": 3}), (2, {"pending": 1}),
        (2, {"stage": 9}), (2, {"well_len": 14}), (2, {"num_words": 27}), (2, {"word_seat": (0, 3)}),
        (2, {"word_len": (0, 0)}), (2, {"asked": 0}), (2, {"letter": 26}), (2, {"result": 3}), (2, {"gone_out": 3}),
        (2, {"hand": (1, 1 << 52)}), (2, {"named": (0, 1 << 26)}), (2, {"chosen": (0, -2)}), (2, {"asker": -1}),
        (3, {"known": (0, 1)}), (3, {"named": (3, 1)}), (4, {"score": (0, 5)}), (4, {"longest": (1, 4)}),
        (4, {"best_card": (1, 4)}), (4, {"word_seat": (0, 0)}), (5, {"chosen": (1, NO_WORD)}),
        (5, {"chosen": (3, 7)}), (5, {"result": fields.MISS}), (5, {"stage": fields.ASKING}), (6, {"gone_out": 1}),
        (6, {"max_moves": 1}),
    ],
)  # fmt: skip
def test_the_audit_sees_damage(number: int, damage: dict[str, Any]) -> None:
    built = place(["A1 T1 C1 X4", "M4 B2", "E2"], well="K1 S2", rest=2, words=[[], ["A2 R1 T2"]])
    built.play("ask 1 M")
    assert built.fails_audit(**damage) == number


def test_the_audit_sees_a_word_that_is_none_and_a_seat_that_cannot_ask() -> None:
    built = place(["X4", "E1 N1", "S1"], well="K1 S2", rest=2, words=[[], ["A1 C1 T1"]])
    assert built.fails_audit(table=(0, CARDS["C1"])) == 1
    swapped = built.states.copy()
    built.state.table[0] = CARDS["X4"]
    built.state.hand[0] = packed("A1")
    built.state.best_card[1] = max(int(CARD_RANK[CARDS[name]]) for name in ("X4", "C1", "T1"))
    assert GAME.audit(built.states, 0) == 4
    built.states[:] = swapped
    assert built.fails_audit(named=(1, letter_set("N"))) == 3


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.integers(3, 4), st.integers(2, 4))
def test_no_card_is_lost(seed: int, players: int, min_len: int) -> None:
    """The audit counts them after every move; see conformance for many games."""
    batch = Batch(GAME.spec.id, 1, num_players=players, seed=seed, autoreset=False, min_len=min_len, max_moves=60)
    while batch.seat[0] >= 0:
        batch.step(batch.sample_actions())
        assert GAME.audit(batch._states, 0) == 0
