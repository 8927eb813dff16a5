"""The scripted player of Peppers of the Caribbean: what it reckons with, and moves that are plain to a player."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from pepperenvs.games.peppers_of_the_caribbean import bot_worth, tables
from pepperenvs.games.peppers_of_the_caribbean import state as fields
from pepperenvs.games.peppers_of_the_caribbean.bot_worth import POINT, majority_share, race_share, wishes, worth
from pepperenvs.games.peppers_of_the_caribbean.tables import BONUS_COUNTS, BONUS_NAMES, BONUS_POINTS, IS_DURING, SHOWN
from tests.games import Table
from tests.games.test_peppers_of_the_caribbean import (
    GAME,
    SHORT,
    TYPES,
    cards,
    front,
    hand,
    kinds,
    legal,
    place,
    play,
)

pytestmark = pytest.mark.nojit

PLAYERS = (2, 3, 4)


def choice(built: Table) -> str:
    """What the bot does, its cards written short."""
    return " ".join(SHORT.get(word, word) for word in built.bot().split())


def own_turn(built: Table) -> list[str]:
    """The moves of the bot until its turn ends."""
    moves: list[str] = []
    while not moves or built.state.stage in (fields.SET, fields.DROPPING, fields.CHOOSING_BONUS):
        moves.append(choice(built))
        play(built, moves[-1])
    return moves


def last_turn(hands: list[str], supply: str, **given: Any) -> Table:
    """A position in which every seat has one turn more."""
    return place(hands, supply, discards="rest", turns_left=range(len(hands)), **given)


def dealt(num_players: int, seed: int) -> Table:
    built = Table(GAME, num_players, {})
    built.state.rng[0] = seed
    GAME.chance(built.states, 0)
    built.settle()
    return built


def advanced(built: Table, action: int) -> None:
    """An action is played; without the audit of Table.play, which takes most of the time in pure Python."""
    GAME.step(built.states, 0, action)
    assert not GAME.advance(built.states, 0)


def positions(num_players: int, seed: int) -> Iterator[Table]:
    """Every position of a game of bots."""
    built = dealt(num_players, seed)
    while built.to_move is not None:
        yield built
        advanced(built, GAME.bot(built.states, 0))
    built.audit()


# ---------------------------------------------------------------------------------------------- whole games


@pytest.mark.parametrize("num_players", PLAYERS)
def test_it_plays_legally_to_the_end_and_changes_nothing_by_thinking(num_players: int) -> None:
    seen: Counter[str] = Counter()
    for built in positions(num_players, seed=num_players):
        before = built.states.tobytes()
        move = built.bot()
        assert move in built.legal and built.states.tobytes() == before
        seen[move.split()[0]] += 1
    assert not built.state.truncated and built.state.ending == fields.LAST_TURNS
    assert {"take", "drop", "keep", "throw"} <= set(seen)


def test_it_looks_at_nothing_that_is_hidden() -> None:
    """Other hands, what is known of them, the pile's order and the generator are changed; the choice stays."""
    for number, built in enumerate(positions(3, seed=9)):
        if number % 4:
            continue
        move, kept = built.bot(), built.states.copy()
        state, seat = built.state, built.to_move
        for other in range(3):
            if other != seat:
                state.hand[other] = np.sort(np.resize(np.arange(70), 12))
        state.pile[: state.pile_len] = np.resize(np.arange(70)[::-1], int(state.pile_len))
        state.known[:], state.rng[0] = 1, 12345
        assert built.bot() == move
        built.states[:] = kept


def test_it_is_far_ahead_of_a_player_who_takes_the_first_legal_action() -> None:
    built = dealt(2, seed=4)
    while built.to_move is not None:
        first = built.spec.actions.parse(built.legal[0])
        advanced(built, GAME.bot(built.states, 0) if built.to_move == 0 else first)
    assert built.state.score[0] > 2 * built.state.score[1]


# --------------------------------------------------------------------------------------- what it reckons with


def is_set(types: tuple[int, ...]) -> bool:
    return all(not SHOWN[one] & SHOWN[other] for one, other in combinations(types, 2))


def test_cells_and_the_cards_that_fit() -> None:
    for kind in range(len(TYPES)):
        for pirate in range(tables.NUM_PIRATES):
            fits = bool(bot_worth.FITTING[kind] & bot_worth.CELL[pirate])
            assert fits == is_set((kind, pirate)), (TYPES[kind], TYPES[pirate])
    assert sorted(set(bot_worth.CELL[: tables.NUM_PIRATES].tolist())) == [1 << cell for cell in range(16)]
    assert not bot_worth.CELL[tables.NUM_PIRATES :].any()


def test_partners_of_cells_are_the_largest_set_among_them() -> None:
    random = np.random.default_rng(1)
    pirates = [TYPES.index(f"{colour}{dish}1") for colour in "rgby" for dish in "sfbh"]
    for _ in range(300):
        chosen = [kind for kind in pirates if random.random() < random.random()]
        cells = sum(int(bot_worth.CELL[kind]) for kind in chosen)
        sizes = [size for size in range(5) if any(map(is_set, combinations(chosen, size)))]
        assert bot_worth.PARTNERS[cells] == max(sizes), cards(chosen)


@pytest.mark.parametrize("num_players", PLAYERS)
def test_worth_is_the_value_and_a_share_of_each_open_bonus_card_that_counts_the_card(num_players: int) -> None:
    compared = 0
    for number, built in enumerate(positions(num_players, seed=20 + num_players)):
        if number % 9 or built.state.stage != fields.TURN:
            continue
        state, seat = built.state, built.to_move
        assert seat is not None
        wish, bits = wishes(state, seat), bits_in_front(built, seat)
        for kind in range(len(TYPES)):
            expected = POINT * int(tables.VALUES[kind])
            for bonus in np.flatnonzero(state.open_bonuses).tolist():
                new = tables.BONUS_BITS[bonus] == 0 or SHOWN[kind] & tables.BONUS_BITS[bonus] & ~bits
                if BONUS_COUNTS[kind, bonus] and new:
                    expected += POINT * int(BONUS_POINTS[bonus]) * share(built, seat, bonus) // 100
            assert worth(kind, wish) == expected, TYPES[kind]
            compared += expected > POINT * tables.VALUES[kind]
    assert compared > 100


def bits_in_front(built: Table, seat: int) -> int:
    """Colours and dishes of the pirates in front of a seat."""
    bits = 0
    for kind in kinds(front(built, seat)):
        bits |= int(SHOWN[kind]) if kind < tables.NUM_PIRATES else 0
    return bits


def share(built: Table, seat: int, bonus: int) -> int:
    state = built.state
    own = int(state.tallies[seat, bonus])
    rival = max(int(state.tallies[other, bonus]) for other in range(state.num_seats) if other != seat)
    return int(race_share(state, bonus, own, rival) if IS_DURING[bonus] else majority_share(state, own, rival))


def test_a_race_is_worth_more_the_nearer_its_end_and_less_behind() -> None:
    built = place(["rs1 rf1", "gs1 gf1"], bonuses="B01")
    red = BONUS_NAMES.index("B01")
    shares = [race_share(built.state, red, own, 0) for own in range(4)]
    assert shares[3] == 0 < shares[0] < shares[1] < shares[2] < 100
    assert 0 < race_share(built.state, red, 1, 2) < shares[1]
    assert race_share(built.state, red, 2, 3) == 100, "the rival takes it with its next set"


def test_a_majority_is_worth_most_where_it_is_close() -> None:
    built = place(["rs1 rf1", "gs1 gf1"], bonuses="B05")
    for num in (int(built.state.pile_len), 4):
        built.state.pile_len = num
        far_behind, behind, level, ahead = (majority_share(built.state, own, 4) for own in (0, 3, 4, 8))
        assert far_behind < behind <= level > ahead
    built.state.ending = fields.LAST_TURNS
    assert [majority_share(built.state, own, 4) for own in (2, 3, 4, 5)] == [0, 100, 0, 0]
    assert majority_share(built.state, 0, 0) == 100, "one card is the most if nobody has any"


def promised(text: str, turns: int) -> int:
    """What a hand promises; no bonus card lies open."""
    built = place([text, "gs3"], supply="gh1 gh2 yb1 yb2 yf1 yf2")
    places = bot_worth.hand_places(built.state, 0)
    return int(bot_worth.promise(built.state, 0, places, wishes(built.state, 0), turns))


def test_a_hand_promises_what_it_shows_holds_and_could_keep() -> None:
    assert promised("rs1 gf2", 9) == 4 * 10 + 30 * 12 // 100
    assert promised("rs1 rs1", 9) == 2 * 10 + 2 * 4 + 20 * 12 // 100, "shown twice"
    assert promised("rs1 rs1 rs2", 9) == 2 * 10 + 2 * 4 + 40 * 12 // 100, "three times is no more"
    three, four = 6 * 10 + 2 * 4, 8 * 10 + 2 * 4
    assert promised("rs4 gf4 bb4", 9) == 6 * 10 + 120 * 12 // 100, "nothing to stay in hand: no set"
    assert promised("rs4 gf4 bb4 bf4", 9) == three + 160 * 12 // 100 + 40 * 42 // 100 - 22
    assert promised("rs4 gf4 bb4 yh4", 9) == 8 * 10 + 160 * 12 // 100 + 40 * 42 // 100 - 22, "no card besides four"
    assert promised("rs4 gf4 bb4 yh4 rs1", 9) == four + 170 * 12 // 100 + 80 * 50 // 100 - 37


def test_before_the_last_turn_a_hand_promises_what_its_best_set_keeps() -> None:
    assert promised("rs4 gf4 bb1 yh1 rs1", 1) == 8 * 10 + 80 * 66 // 100
    assert promised("rs4 gf4 bb1 bf1", 1) == 6 * 10 + 40 * 66 // 100
    assert promised("rs4 gf4 bb1 yh1 rs1", 0) == 0


def test_bonus_cards_of_more_points_than_a_digit_holds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    bot_worth._check_digits()
    monkeypatch.setattr(bot_worth, "BONUS_POINTS", BONUS_POINTS + 5)
    with pytest.raises(ValueError, match="more points than the scripted player"):
        bot_worth._check_digits()


# --------------------------------------------------------------------------------------------------- scoring


def test_of_a_set_of_four_it_keeps_the_dearest_two() -> None:
    built = last_turn(["rs1 gf4 bb1 yh3 rs2", "gs1"], supply="gb1 gb2")
    assert own_turn(built)[:3] == ["keep gf4", "keep yh3", "throw rs1"]
    assert front(built, 0) == "gf4 yh3"


def test_of_a_set_of_three_it_keeps_the_dearest_card() -> None:
    built = last_turn(["rs1 gf2 bb4 gf1", "gs1"], supply="yf1 yf2")
    assert own_turn(built)[0] == "keep bb4" and front(built, 0) == "bb4"


def test_it_keeps_the_rum() -> None:
    built = last_turn(["rum-rg bs4 yf4 bs1", "gs1"], supply="gh1 gh2")
    assert own_turn(built)[0] == "keep rum-rg"


def test_it_plays_a_set_of_three_with_rum_rather_than_one_of_four_that_keeps_less() -> None:
    built = last_turn(["rs1 gf1 bb1 yh2 rum-ry", "gs1"], supply="gh1 gh2")
    assert own_turn(built)[0] == "keep rum-ry" and front(built, 0) == "rum-ry"


def test_it_keeps_what_completes_a_bonus_card_rather_than_a_dearer_card() -> None:
    for bonuses, first in (("B03", "keep bb2"), ("B01", "keep rs4")):
        built = last_turn(["rs4 gf1 bb2 gf2", "gs1"], supply="yh1 yh2", front=["bf1 bs1"], bonuses=bonuses)
        assert own_turn(built)[0] == first


def test_in_the_last_turn_it_keeps_the_card_that_ties_a_majority_rather_than_a_dearer_card() -> None:
    for own, first in (("bf1", "keep bb2"), ("", "keep rs4"), ("bf1 bs2", "keep rs4")):
        built = last_turn(["rs4 gf1 bb2 gf2", "gs1"], supply="yh1 yh2", front=[own, "bs1 bh1"], bonuses="B07")
        assert own_turn(built)[0] == first, own


def test_in_its_last_turn_it_scores_if_it_can() -> None:
    hands, shown = ["rs1 gh1 bb1 yh1", "gs3"], "gs1 gs2 gf1 gf2 gb1 gb2"
    assert choice(last_turn(hands, shown)).startswith("keep")
    assert choice(place(hands, shown)) == "take gh1 by green", "six cards for one, and the set can wait"


def test_it_scores_a_dear_set_of_four_at_once_when_taking_brings_little() -> None:
    built = place(["rs4 gf4 bb4 yh4 rs1 gf1 bb1", "gs1"], supply="yh1 yh2 gh1 gh2 yf1 yf2", bonuses="B02 B03")
    assert own_turn(built)[:2] == ["keep gf4", "keep bb4"]


def test_it_throws_a_card_that_its_hand_holds_twice() -> None:
    """Green fish or yellow fish goes with blue bread: one green fish more is left, but no yellow card."""
    built = place(["rs4 gf1 gf1 bb1 yf1", "gs1"], supply="rh1 rh2 rh3 rh4 rb1 rb2")
    play(built, "keep rs4")
    assert legal(built) == ["throw gf1", "throw bb1"]
    assert own_turn(built) == ["throw gf1", "throw bb1"]


# -------------------------------------------------------------------------------------------- taking, dropping


def test_it_takes_four_cards_of_four_dishes_rather_than_two() -> None:
    built = place(["rs1 gs1 gs2", "yh4"], supply="rf1 rb2 rh3 rf4 gh1 gb1")
    assert choice(built) == "take rs1 by red"


def test_it_takes_rum_rather_than_a_card_of_least_value() -> None:
    built = place(["rs1 gs1 bf2", "yh4"], supply="rum-ry gh1 yh2 yh3 yb1 yb2")
    assert choice(built) == "take rs1 by red"


def test_it_takes_the_card_that_completes_a_set_of_four_rather_than_score_one_of_three() -> None:
    """There is time for two turns; more cards by bread or fish would cost a card of the set."""
    shown = "yh4 yb1 yb2 yf1 yf2 yf3"
    built = place(["rs4 rh1 gf4 gf3 bb4", "yh1"], shown, pile="gs1 gs2", discards="rest")
    assert "keep rs4" in legal(built) and choice(built) == "take rh1 by ham"


def test_it_gives_a_card_that_its_hand_holds_twice() -> None:
    built = place(["rs1 rs1 gf2 bb3", "yh4"], supply="rf1 rb2 rh3 gs1 gs2 gh1")
    assert choice(built) in ("take rs1 by red", "take rs1 by stew")


def test_it_drops_a_card_of_least_value_that_its_hand_holds_twice() -> None:
    built = place(["rs4 gf4 gf1 gf1 bb4 yh4 gs1", "bh1"], supply="gb2 gh2 rf1 rf2 ys1 ys2")
    play(built, "take gs1 by green")
    assert hand(built, 0) == "rs4 gf1 gf1 gf4 gb2 gh2 bb4 yh4"
    assert own_turn(built) == ["drop gf1"]


def test_it_draws_if_nothing_matches_and_it_has_no_set() -> None:
    built = place(["rs1 rs2", "bb1"], supply="gf1 gf2 gb1 gb2 gh1 gh2")
    assert [choice(built)] == legal(built) == ["draw"]


# ------------------------------------------------------------------------------------------------ bonus cards


def at_the_bonuses(bonuses: str, rival: str = "") -> Table:
    """A set has been laid; in front lie eight cards of four colours and four dishes, many of them red, many of ham."""
    laid, shown = "rh1 rb1 rf1 gh1 bh1 yh2 rs2", "yf1 yf2 yf3 ys1 ys2 ys3"
    built = place(["rs1 gf1 bb1 gf2", "gs1"], shown, front=[laid, rival], bonuses=bonuses)
    play(built, "keep rs1", "throw gf1", "throw bb1")
    return built


def test_it_takes_the_dearest_bonus_card() -> None:
    built = at_the_bonuses("B01 B09 B12")
    assert legal(built) == ["bonus B01", "bonus B09", "bonus B12", "pass"]
    assert choice(built) == "bonus B12"


def test_of_equal_bonus_cards_it_takes_that_to_which_a_rival_is_nearer() -> None:
    assert choice(at_the_bonuses("B01 B16", rival="gh2 yh1")) == "bonus B16"
    assert choice(at_the_bonuses("B01 B16", rival="rf2 rb2")) == "bonus B01"


def test_it_never_passes_on_a_bonus_card() -> None:
    for name in ("B01", "B09", "B10", "B16"):
        assert choice(at_the_bonuses(name)) == f"bonus {name}"
