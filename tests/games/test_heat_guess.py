"""Heat Guess on built positions: the deal is imposed, and every place where a card goes back."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pepperenvs.core.state import OVER
from pepperenvs.drivers.game import load
from tests.fair import is_uniform
from tests.games import Table

pytestmark = pytest.mark.nojit

GAME = load("heat_guess_v0")
KINDS = [f"p{number:02d}" for number in range(1, 13)]
RANK = 0


def table(heat: list[int], pile: str, num_players: int = 2, **options: int | bool) -> Table:
    """Kinds with these heat numbers; the pile as digits, "1" for p01, the first is drawn first."""
    cards = [KINDS[int(kind) - 1] for kind in pile]
    options = {"kinds": len(heat), "copies": len(cards) // len(heat), **options}
    return Table(GAME, num_players, options, {"heat": dict(zip(KINDS, heat, strict=False)), "pile": cards})


def pile_of(built: Table) -> str:
    """The pile as digits, the shown card first."""
    return "".join(str(kind + 1) for kind in built.state.pile[: built.state.pile_len][::-1])


def possible(built: Table, kind: int, seat: int = 0) -> set[int]:
    """The numbers that a seat sees as possible for a kind, which is counted from 1."""
    return {heat + 1 for heat, cell in enumerate(built.see(seat)["possible"][kind - 1]) if cell}


# --------------------------------------------------------------------------------------------------- the turn


def test_example_a_right_guess_scores_and_removes_the_card() -> None:
    built = table([2, 1], "12")
    built.play("say 2")
    assert built.state.score.tolist() == [1, 0, 0, 0, 0, 0] and pile_of(built) == "2" and built.to_move == 1
    assert possible(built, 1, seat=1) == {2} and built.see(1)["remaining"][:2] == [0, 1]


def test_example_a_wrong_guess_keeps_the_pile_and_rules_the_number_out_for_everyone() -> None:
    built = table([2, 1], "12", num_players=3)
    built.play("say 3", then=1)
    assert built.state.pile_len == 2 and not built.state.score.any() and built.to_move == 1
    assert [possible(built, 1, seat) for seat in range(3)] == [{1, 2, 4}] * 3
    assert possible(built, 2) == {1, 2, 3, 4}


def test_example_a_perfect_player_wastes_at_most_one_guess_a_kind() -> None:
    for heat in product((1, 2), repeat=2):
        built = table(list(heat), "12", num_players=1, heats=2)
        while built.to_move is not None:
            built.play(built.bot())
        assert built.state.wasted == heat.count(2) <= 2


def test_the_heat_numbers_are_drawn_anew_uniformly_and_independently_r1() -> None:
    states = np.repeat(table([1, 1], "12", heats=3).states, 1800)
    blank = GAME.blank(GAME.spec.resolve(2, {"kinds": 2, "heats": 3, "copies": 1}))
    tops, heats = Counter(), Counter()
    GAME.prepare(states, 0, blank, 0, 7)
    for index in range(len(states)):
        GAME.prepare(states, index, blank, 0, index)
        GAME.reset(states, index)
        GAME.chance(states, index)
        heats[tuple(states[index].heat[:2].tolist())] += 1
        tops[int(states[index].pile[1])] += 1
    assert set(heats) == set(product((1, 2, 3), repeat=2)) and is_uniform(heats.values())
    assert set(tops) == {0, 1} and is_uniform(tops.values())


@pytest.mark.parametrize(("place", "pile"), [(0, "1234"), (1, "2134"), (2, "2314"), (3, "2341")])
def test_k_cards_lie_above_the_card_that_goes_back_r2(place: int, pile: str) -> None:
    built = table([1, 1, 1, 1], "1234")
    built.play("say 2", then=place)
    assert pile_of(built) == pile


def test_the_place_is_uniform_among_all_r2() -> None:
    built = table([1, 1, 1, 1], "1234")
    GAME.step(built.states, 0, 1)
    places = Counter()
    for number in range(1000):
        built.state.rng[0] = number
        GAME.chance(built.states, 0)
        places[int(built.state.place)] += 1
    assert set(places) == {0, 1, 2, 3} and is_uniform(places.values())


@pytest.mark.parametrize("wrong", [-1, 2, 1.0, "0", None, True])
def test_a_place_outside_the_pile_is_refused_r2(wrong: object) -> None:
    built = table([1, 1], "12")
    GAME.step(built.states, 0, 1)
    with pytest.raises(ValueError, match="insert must be a whole number in 0 … 1"):
        built.codec.impose(built.state, wrong)


def test_the_number_is_hidden_until_it_is_guessed_or_revealed_r4() -> None:
    low, high = table([1, 1], "12"), table([1, 4], "12")
    assert low.see(0) == high.see(0) and low.see(0)["shown"][:3] == [1, 0, 0]
    for built in (low, high):
        built.play("say 1")
    assert low.see(0) == high.see(0) and possible(low, 2) == {1, 2, 3, 4}
    low.play("say 3", then=0)
    high.play("say 3", then=0)
    assert low.see(0) == high.see(0) and possible(low, 2) == {1, 2, 4}


def test_with_reveal_a_wrong_guess_shows_the_true_number_to_all_r4() -> None:
    built = table([2, 1], "12", reveal=True)
    built.play("say 4", then=0)
    assert possible(built, 1, seat=0) == possible(built, 1, seat=1) == {2} and built.state.score.sum() == 0


def test_when_all_other_numbers_are_ruled_out_the_last_one_is_known() -> None:
    built = table([2, 1], "12", heats=3)
    built.play("say 1", "say 3")
    assert possible(built, 1) == {2}


def test_numbers_above_heats_are_never_legal_and_those_ruled_out_stay_legal() -> None:
    built = table([2, 1], "12", heats=3)
    assert built.legal == ["say 1", "say 2", "say 3"]
    built.play("say 1")
    assert built.legal == ["say 1", "say 2", "say 3"]
    built.play("say 1")
    assert built.state.wasted == 2 and possible(built, 1) == {2, 3}
    assert GAME.spec.actions.strings == tuple(f"say {number}" for number in range(1, 11))


def test_seats_take_turns_and_see_the_points_from_their_own_place() -> None:
    built = table([1, 1, 1], "123", num_players=3)
    assert built.to_move == 0
    built.play("say 1", "say 1")
    assert built.to_move == 2 and built.see(2)["points"] == [0, 1, 1, 0, 0, 0]
    assert built.see(1)["points"] == [1, 0, 1, 0, 0, 0] and built.see(1)["num_players"] == 3


# ---------------------------------------------------------------------------------------------------- the end


def test_the_game_ends_when_the_pile_is_empty_and_ties_are_shared() -> None:
    built = table([1, 1, 1], "123", num_players=3)
    built.play("say 1", "say 1", "say 2", "say 1")
    assert built.to_move is None and built.state.truncated == 0 and built.legal == []
    assert built.state.score[:3].tolist() == [2, 1, 0] and built.state.standing[:3].tolist() == [0, 1, 2]
    tied = table([1, 1], "12")
    tied.play("say 1", "say 1")
    assert tied.state.standing[:2].tolist() == [0, 0] and tied.utility() == [0.0, 0.0]
    assert not any(tied.see(0)["shown"])


def test_the_limit_counts_all_seats_guesses_and_a_game_that_ends_with_it_is_not_cut_short() -> None:
    cut = table([1, 1], "12", max_moves=2)
    cut.play("say 1")
    assert cut.see(0)["moves_left"] == 1
    cut.play("say 2")
    assert cut.to_move is None and cut.state.truncated == 1 and cut.state.standing[:2].tolist() == [0, 1]
    ended = table([1, 1], "12", max_moves=2)
    ended.play("say 1", "say 1")
    assert ended.to_move is None and ended.state.truncated == 0
    assert table([1] * 4, "1234123412341234").state.max_moves == 50 * 16


@pytest.mark.parametrize(
    ("heats", "wasted", "result"), [(3, 0, 1.0), (3, 1, 0.5), (3, 2, 0.0), (3, 4, -1.0), (3, 7, -1.0), (5, 4, 0.0)]
)
def test_alone_the_result_counts_wasted_guesses_r3(heats: int, wasted: int, result: float) -> None:
    built = table([1, 1], "12", num_players=1, heats=heats)
    built.play(*["say 2"] * wasted, "say 1", "say 1")
    assert built.utility() == [result] and built.state.wasted == wasted


def test_alone_a_game_that_is_cut_short_gives_minus_one_r3() -> None:
    built = table([1, 1], "12", num_players=1, max_moves=1)
    built.play("say 1")
    assert built.state.truncated == 1 and built.utility() == [-1.0]


# ---------------------------------------------------------------------- the best player of the smallest game


def successors(state: NDArray, action: int) -> list[NDArray]:
    """The states that follow an action, equally likely: one for each place where the card may go."""
    state = state.copy()
    GAME.step(state, 0, action)
    if not state["pending"][0]:
        GAME.advance(state, 0)
        return [state]
    found = []
    for place in range(int(state["pile_len"][0])):
        put = state.copy()
        put["place"] = place
        GAME.advance(put, 0)
        found.append(put)
    return found


Belief = list[tuple[Fraction, NDArray]]


def value(belief: Belief, choose: Callable[[NDArray], list[int]]) -> Fraction:
    """Expected result of the best of the moves that `choose` names, over states that one player cannot tell apart."""
    state = belief[0][1]
    if state["to_move"][0] == OVER or state["wasted"][0] >= 2:  # the result is not below -1, and here not above it
        out = np.zeros(6)
        GAME.utilities(state, 0, RANK, out)
        return Fraction(out[0]) if state["to_move"][0] == OVER else Fraction(-1)
    return max(expected(belief, action, choose) for action in choose(state))


def expected(belief: Belief, action: int, choose: Callable[[NDArray], list[int]]) -> Fraction:
    views: dict[bytes, Belief] = {}
    for weight, state in belief:
        after = successors(state, action)
        for one in after:
            out = np.zeros(GAME.spec.layout.size, np.int16)
            GAME.observe(one, 0, 0, out)
            views.setdefault(out.tobytes(), []).append((weight / len(after), one))
    total = Fraction(0)
    for group in views.values():
        share = sum((weight for weight, _ in group), Fraction(0))
        total += share * value([(weight / share, state) for weight, state in group], choose)
    return total


@pytest.mark.parametrize("who", ["the best player", "the bot"])
def test_alone_with_two_kinds_two_heats_and_one_copy_the_optimum_is_zero_r3(who: str) -> None:
    deals = [table(list(heat), pile, 1, heats=2).states for heat in product((1, 2), repeat=2) for pile in ("12", "21")]
    choose = {"the best player": lambda state: [0, 1], "the bot": lambda state: [int(GAME.bot(state, 0))]}[who]
    for first in (0, 1):  # the top card is seen before the first guess
        belief = [(Fraction(1, 4), state) for state in deals if state["pile"][0, 1] == first]
        assert value(belief, choose) == 0


# ---------------------------------------------------------------------------------------------------- secrecy


def test_redraws_take_every_number_and_every_order_uniformly() -> None:
    built = table([2, 3, 1, 4], "1234")
    built.play("say 1", then=3)  # p01 is not 1, and goes below the others; p02 is shown
    built.play("say 1", then=0)  # p02 is not 1 and stays on top
    built.play("say 2", then=0)  # nor 2
    drawn = built.redraws(0, 2000)
    assert {int(state.pile[3]) for state in drawn} == {1}
    orders = Counter(tuple(state.pile[:3].tolist()) for state in drawn)
    assert set(orders) == set(permutations((0, 2, 3))) and is_uniform(orders.values())
    for kind, left in enumerate([{2, 3, 4}, {3, 4}, {1, 2, 3, 4}, {1, 2, 3, 4}]):
        heats = Counter(int(state.heat[kind]) for state in drawn)
        assert set(heats) == left and is_uniform(heats.values())
    pairs = Counter((int(state.heat[2]), int(state.heat[3])) for state in drawn)
    assert len(pairs) == 16 and is_uniform(pairs.values())


def test_redraws_keep_what_is_known() -> None:
    built = table([2, 3], "1212", reveal=True)
    built.play("say 2")
    built.play("say 1", then=1)
    for state in built.redraws(1, 100):
        assert state.heat[:2].tolist() == [2, 3] and state.pile[2] == 0
        assert sorted(state.pile[:3].tolist()) == [0, 1, 1]


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_every_seat_sees_the_same_but_for_the_order_of_points(data: st.DataObject) -> None:
    seats = data.draw(st.integers(1, 6))
    built = table(data.draw(st.lists(st.integers(1, 4), min_size=3, max_size=3)), "123123", seats)
    for _ in range(data.draw(st.integers(0, 12))):
        if built.to_move is not None:
            built.play(data.draw(st.sampled_from(built.legal)))
    views = [built.see(seat) for seat in range(seats)]
    points = [view.pop("points")[:seats] for view in views]
    assert all(view == views[0] for view in views)
    assert points == [points[0][seat:] + points[0][:seat] for seat in range(seats)]


# ------------------------------------------------------------------------------------------------------ audit


@pytest.mark.parametrize(
    ("number", "damage"),
    [
        (1, {"pile": (1, 0)}),
        (1, {"remaining": (1, 2)}),
        (2, {"score": (0, 2)}),
        (2, {"pile_len": 2}),
        (3, {"heat": (0, 3)}),
        (3, {"heat": (0, 0)}),
        (3, {"heat": (1, 5)}),
        (4, {"to_move": 2}),
        (4, {"to_move": -2}),
        (4, {"pending": 2}),
        (4, {"pile_len": -1}),
        (4, {"pile_len": 5}),
        (4, {"pile": (0, 2)}),
        (4, {"pile": (1, -1)}),
        (5, {"wasted": 3}),
        (5, {"moves": 1000}),
        (5, {"wasted": -1}),
    ],
)
def test_the_audit_sees_damage(number: int, damage: dict) -> None:
    built = table([2, 1], "2121")
    built.play("say 1")
    built.play("say 3", then=0)
    assert built.fails_audit() == 0 and built.fails_audit(**damage) == number


def test_every_number_of_the_audit_is_seen() -> None:
    marks = test_the_audit_sees_damage.pytestmark
    (cases,) = [mark.args[1] for mark in marks if mark.name == "parametrize"]
    assert {number for number, _ in cases} == set(GAME.spec.audits)
