"""Scoville on built positions: peppers, cards and farmers lie where the test puts them, and the round goes on there.

The worked examples of the rules are 1 to 13; the tests of each carry its number.
"""

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pepperenvs.drivers.game import load
from pepperenvs.games.scoville import geometry, tables
from pepperenvs.games.scoville.state import (
    BIDDING,
    CLAIMING,
    FULFILLING,
    HARVESTING,
    NOBODY,
    NOTHING,
    PLANTING,
)
from pepperenvs.games.scoville.tables import AFTERNOON, COLOURS, MARKET_IDS, MORNING, RECIPE_IDS, TILES, TYPES
from tests.fair import is_uniform
from tests.games import Table

pytestmark = pytest.mark.nojit

GAME = load("scoville_v0")
DATA = Path(tables.__file__).parent / "data"
GREG, RUTH, YURI = range(3)
PLOT = {geometry.plot_name(plot): plot for plot in range(geometry.NUM_PLOTS)}
NOTCH = {geometry.notch_name(notch): notch for notch in range(geometry.NUM_NOTCHES)}
PILES = {MORNING: range(tables.PER_PERIOD), AFTERNOON: range(tables.PER_PERIOD, tables.NUM_MARKET)}


# ------------------------------------------------------------------------------------------ building positions


def peppers(text: str) -> list[str]:
    """Peppers from a text: "red brownx2" is a red and two brown ones."""
    found = []
    for word in text.split():
        colour, _, count = word.partition("x")
        found += [colour] * int(count or 1)
    return found


def count(colours: Iterable[str]) -> list[int]:
    counted = Counter(colours)
    return [counted[colour] for colour in COLOURS]


def place(
    stage: int,
    *hands: str,
    field: dict[str, str] | None = None,
    farmers: dict[int, str] | None = None,
    order: Sequence[int] | None = None,
    coins: Sequence[int] | None = None,
    tiles: Sequence[str] | None = None,
    market: str | None = None,
    recipes: str | None = None,
    won: dict[int, str] | None = None,
    plaques: dict[int, str] | None = None,
    house: str = "",
    deck: str = "",
    rest: str = "deck",
    period: int = MORNING,
    house_period: int | None = None,
    rounds: int = 2,
    last: bool = False,
    **options: Any,
) -> Table:
    """A position at the start of a phase, carried on to its first decision.

    hands      each seat's peppers
    field      what is planted, by plot; red in e4 and yellow in f4 if not given
    tiles      each seat's unused tiles, all if not given
    market     the cards on display, the last seat having won the others that were shown; if not given, the first
               2n + 3 of the period are shown and those that nobody has won are on display; `recipes` likewise
    won        market cards and recipes that a seat has won
    plaques    stacks of which a seat has taken the top plaque, in this order
    house      auction cards; any others that there are follow from the deck
    deck       auction cards in drawing order; the rest of them lie below (rest="deck") or among the discards
    """
    built = Table(GAME, len(hands), options)
    state = built.state
    for seat, hand in enumerate(hands):
        state.peppers[seat] = count(peppers(hand))
        if coins:
            state.coins[seat] = coins[seat]
        if tiles:
            state.tiles[seat] = [tile in tiles[seat].split() for tile in TILES]
    state.order[: len(hands)] = order or range(len(hands))
    state.period, state.house_period = period, period if house_period is None else house_period
    put_auction(state, house.split(), deck.split(), rest)
    put_field(state, {"e4": "red", "f4": "yellow"} if field is None else field)
    for seat, notch in (farmers or {}).items():
        state.farmer[seat] = NOTCH[notch]
        state.num_farmers[NOTCH[notch]] += 1
    put_displays(state, market, recipes, {card: seat for seat, own in (won or {}).items() for card in own.split()})
    for seat, stacks in (plaques or {}).items():
        for stack in stacks.split():
            put_plaque(state, seat, stack)
    state.rounds, state.is_last, state.stage, state.pending = rounds, last, stage, 0
    built.settle()
    return built


def put_auction(state: Any, house: list[str], deck: list[str], rest: str) -> None:
    copies = tables.TYPE_COPIES[state.period]
    left = Counter({name: int(number) for name, number in zip(TYPES, copies, strict=True)})
    pool = left if state.house_period == state.period else Counter({name: 4 for name in TYPES[:3]})
    left.subtract(deck)
    while len(house) < state.num_seats:
        house = [*house, next(name for name in TYPES if pool[name] - Counter(house)[name] > 0)]
    if pool is left:
        left.subtract(house)
    assert min(left.values()) >= 0, "an auction card is used more often than there are"
    pile = deck + (list(left.elements()) if rest == "deck" else [])
    state.house[: len(house)] = [TYPES.index(name) for name in house]
    state.deck[:] = 0
    state.deck[: len(pile)] = [TYPES.index(name) for name in reversed(pile)]
    state.deck_len = len(pile)
    state.discards[:] = [left[name] if rest == "discards" else 0 for name in TYPES]
    if state.period == AFTERNOON:
        state.next_deck[:] = 0


def put_field(state: Any, field: dict[str, str]) -> None:
    state.plot[:] = 0
    for plot, colour in field.items():
        state.plot[PLOT[plot]] = COLOURS.index(colour) + 1
    planted = state.plot > 0
    state.planted[:] = count(field.values())
    state.num_planted = len(field)
    for plot in range(geometry.NUM_PLOTS):
        beyond = geometry.BEYOND[plot]
        state.frontier[plot] = not planted[plot] and planted[beyond[beyond != NOTHING]].any()
    for notch, (first, second) in enumerate(geometry.BESIDE):
        if min(first, second) != NOTHING and planted[first] and planted[second]:
            found = tables.YIELD[state.plot[first] - 1, state.plot[second] - 1]
            state.notch_yield[notch], state.notch_worth[notch] = found, tables.YIELD_WORTH[found]


def put_displays(state: Any, market: str | None, recipes: str | None, won: dict[str, int]) -> None:
    n = state.num_seats
    pile = state.morning_pile if state.period == MORNING else state.afternoon_pile
    owners = {MARKET_IDS.index(card): seat for card, seat in won.items() if card in MARKET_IDS}
    state.num_market = put_display(state, pile, 2 * n + 3, state.market, MARKET_IDS, market, owners)
    owners = {RECIPE_IDS.index(card): seat for card, seat in won.items() if card in RECIPE_IDS}
    state.num_recipes = put_display(state, state.recipe_pile, 4 * n, state.recipes, RECIPE_IDS, recipes, owners)


def put_display(
    state: Any, pile: Any, shown: int, display: Any, names: Sequence[str], there: str | None, owners: dict[int, int]
) -> int:
    """Show cards and give those that are not there any more to their owners; returns how many are on display."""
    is_market = names is MARKET_IDS
    on_display = [names.index(card) for card in (there or "").split()]
    known = [*owners, *on_display]
    others = [card for card in sorted(pile.tolist()) if card not in known]
    filled = others[: shown - len([card for card in known if card in pile])]
    if there is None:
        on_display = filled
    else:
        owners = {**owners, **{card: state.num_seats - 1 for card in filled}}
    gone = [card for card in pile.tolist() if card not in known and card not in filled]
    pile[:] = sorted({*known, *filled} & {*pile.tolist()}) + gone
    display[:] = 0
    display[: len(on_display)] = sorted(on_display)
    for card, seat in owners.items():
        (state.market_owner if is_market else state.recipe_owner)[card] = seat + 1
        state.points[seat] += (tables.MARKET_POINTS if is_market else tables.RECIPE_POINTS)[card]
        state.cards_won[seat, 0 if is_market else 1] += 1
    return len(on_display)


def put_plaque(state: Any, seat: int, stack: str) -> None:
    left = (tables.STACKS.index(stack) == tables.PLAQUE_STACK) & (state.plaque_owner == 0)
    top = int(np.flatnonzero(left)[0])
    state.plaque_owner[top] = seat + 1
    state.points[seat] += tables.PLAQUE_POINTS[top]


def hand(built: Table, seat: int) -> list[str]:
    return [colour for colour, held in zip(COLOURS, built.state.peppers[seat], strict=True) for _ in range(held)]


def seats(built: Table, field: str) -> list[Any]:
    return built.state[field][: built.state.num_seats].tolist()


def house(built: Table) -> list[str]:
    return [TYPES[kind] if kind != NOTHING else "" for kind in seats(built, "house")]


def discards(built: Table) -> list[str]:
    return [name for name, number in zip(TYPES, built.state.discards, strict=True) for _ in range(number)]


def market(built: Table) -> list[str]:
    return [MARKET_IDS[card] for card in built.state.market[: built.state.num_market]]


def recipes(built: Table) -> list[str]:
    return [RECIPE_IDS[card] for card in built.state.recipes[: built.state.num_recipes]]


def tiles(built: Table, seat: int) -> list[str]:
    return [tile for tile, left in zip(TILES, built.state.tiles[seat], strict=True) if left]


def at(built: Table, seat: int) -> str:
    """The notch of a seat's farmer."""
    notch = int(built.state.farmer[seat])
    return geometry.notch_name(notch) if notch != NOTHING else "off the board"


def of(kind: str, built: Table) -> list[str]:
    """What follows a word in the legal moves: of("plot", …) is a list of plots."""
    return [move.removeprefix(f"{kind} ") for move in built.legal if move.startswith(f"{kind} ")]


def deal(num_players: int, **given: Any) -> dict[str, Any]:
    """A deal whose piles begin with what is given."""

    def begin(name: str, everything: Sequence[str], length: int | None = None) -> list[str]:
        first = given.get(name, "").split()
        return (first + list((Counter(everything) - Counter(first)).elements()))[:length]

    decks = [[name for name, copies in zip(TYPES, row, strict=True) for _ in range(copies)]
             for row in tables.TYPE_COPIES]  # fmt: skip
    return {
        "turn_order": given.get("turn_order", [*range(num_players)]),
        "plots": given.get("plots", {"e4": "red", "f4": "blue"}),
        "market_morning": begin("market_morning", MARKET_IDS[:24], 2 * num_players + 3),
        "market_afternoon": begin("market_afternoon", MARKET_IDS[24:]),
        "recipes": begin("recipes", RECIPE_IDS, 4 * num_players),
        "auction_morning": begin("auction_morning", decks[MORNING]),
        "auction_afternoon": begin("auction_afternoon", decks[AFTERNOON]),
    }


# ------------------------------------------------------------------------------------------------------- data


def rows(name: str) -> list[dict[str, str]]:
    with open(DATA / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_example_9_a_recipe_is_worth_what_its_peppers_are() -> None:
    tiers = {row["colour"]: row["tier"] for row in rows("peppers.csv")}
    worth = {"primary": 1, "secondary": 2, "brown": 3, "extreme": 4, "phantom": 6}
    for row in rows("recipe_cards.csv"):
        needed = {colour: int(row[colour]) for colour in COLOURS}
        assert int(row["points"]) == sum(worth[tiers[colour]] * number for colour, number in needed.items())
        assert int(row["n_peppers"]) == sum(needed.values())
    assert tables.WORTH.tolist() == [worth[tiers[colour]] for colour in COLOURS]


def test_the_box_holds_what_the_rules_say() -> None:
    assert " ".join(COLOURS) == "red yellow blue green orange purple brown white black phantom"
    assert tables.TYPE_COPIES.sum(axis=1).tolist() == [30, 35] and len(RECIPE_IDS) == 30
    assert [card[:2] for card in MARKET_IDS] == ["MM"] * 24 + ["MA"] * 24
    assert tables.TYPE_PEPPERS[TYPES.index("red+yellow+blue")].tolist() == [1, 1, 1] + [0] * 7
    assert tables.TYPE_PEPPERS[TYPES.index("red+red")].tolist() == [2] + [0] * 9


def test_the_chart_does_not_mind_which_plot_is_which() -> None:
    assert (tables.YIELD.T == tables.YIELD).all()
    assert (tables.YIELD == 0).sum() == 12, "brown with each of the six simpler colours, both ways"


@pytest.mark.parametrize("num_players", range(2, 7))
def test_what_each_number_of_players_is_shown(num_players: int) -> None:
    built = Table(GAME, num_players, {}, deal(num_players))
    assert len(market(built)) == 2 * num_players + 3 and len(recipes(built)) == 4 * num_players
    assert len(house(built)) == num_players and "" not in house(built)
    assert built.see(0)["deck_size"] == 30 - num_players
    assert sum(built.see(0)["plaques"]) == (7 if num_players <= 3 else 12)


def test_each_seat_has_one_tile_of_each_kind_r2() -> None:
    built = Table(GAME, 6, {}, deal(6))
    assert built.state.tiles.sum() == 18 and built.state.tiles.sum(axis=0).tolist() == [6, 6, 6]
    assert built.see(3)["tiles"] == [[1, 1, 1]] * 6
    assert not Table(GAME, 2, {}, deal(2)).state.tiles[2:].any()


def test_the_auction_decks_stay_separate_r3() -> None:
    dealt = deal(3)
    morning, afternoon = set(dealt["auction_morning"]), set(dealt["auction_afternoon"])
    assert morning & afternoon == {"green", "orange", "purple"} and "white" not in morning and "red" not in afternoon
    built = place(FULFILLING, "", "", "", market="MM01")
    assert built.state.period == AFTERNOON and built.state.deck_len == 35
    assert {TYPES[kind] for kind in built.state.deck[:35]} == afternoon


def test_the_lower_phantom_plaque_is_worth_8_r4() -> None:
    built = place(PLANTING, "phantom", "", "", tiles=["", "", ""])
    built.play("plant phantom", "plot e3")
    assert built.state.points[GREG] == 8
    assert Table(GAME, 4, {}, deal(4)).see(0)["plaque_points"] == [2, 5, 7, 9, 12]


def test_the_supply_is_unlimited_r1() -> None:
    built = place(CLAIMING, "redx17", "redx17", house="red red")
    built.play("claim red", "claim red")
    assert hand(built, 0) == hand(built, 1) == ["red"] * 18
    built = place(HARVESTING, "", "phantomx9", field={"e3": "phantom", "f3": "phantom"}, tiles=["", ""])
    built.play("step nn")
    assert hand(built, 1) == ["phantom"] * 11


# ----------------------------------------------------------------------------------------------------- set-up


def test_the_set_up() -> None:
    built = Table(GAME, 3, {}, deal(3, turn_order=[YURI, GREG, RUTH], plots={"e4": "yellow", "f4": "blue"},
                                    market_morning="MM24 MM03", recipes="R30 R07",
                                    auction_morning="purple blue+blue red"))  # fmt: skip
    for seat in range(3):
        assert hand(built, seat) == ["red", "yellow", "blue"] and built.state.coins[seat] == 10
        assert at(built, seat) == "off the board"
    assert {"MM24", "MM03"} < set(market(built)) and {"R30", "R07"} < set(recipes(built))
    assert market(built) == sorted(market(built)) and recipes(built) == sorted(recipes(built))
    assert house(built) == ["purple", "blue+blue", "red"]
    field = built.see(0)["field"]
    assert field[tables.YELLOW][PLOT["e4"]] == field[tables.BLUE][PLOT["f4"]] == 1
    assert np.sum(field) == 2 and built.state.num_planted == 2


def test_round_1_begins_with_claiming_in_the_order_of_the_deal() -> None:
    built = Table(GAME, 3, {}, deal(3, turn_order=[YURI, GREG, RUTH]))
    assert built.to_move == YURI and all(move.startswith("claim") for move in built.legal)
    assert built.see(GREG)["turn_place"] == [2, 3, 1, 0, 0, 0] and built.see(GREG)["bid_known"] == [0] * 6
    assert built.see(YURI)["asked"] == [1, 0, 0, 0, 0, 0] and built.see(GREG)["asked"] == [0, 0, 1, 0, 0, 0]


def test_example_12_with_two_or_three_players_the_top_plaques_leave_the_game() -> None:
    assert Table(GAME, 3, {}, deal(3)).see(0)["plaques"] == [2, 2, 1, 1, 1]
    assert Table(GAME, 3, {}, deal(3)).see(0)["plaque_points"] == [2, 4, 5, 6, 8]
    assert Table(GAME, 4, {}, deal(4)).see(0)["plaques"] == [3, 3, 2, 2, 2]


def test_a_deal_is_told_as_it_was_given() -> None:
    piles = {"market_morning": "MM24 MM03", "market_afternoon": "MA24", "recipes": "R30 R07",
             "auction_morning": "purple", "auction_afternoon": "white black"}  # fmt: skip
    given = deal(3, turn_order=[YURI, GREG, RUTH], plots={"e4": "blue", "f4": "yellow"}, **piles)
    built = Table(GAME, 3, {})
    built.codec.impose(built.state, given)
    assert built.codec.outcome(built.state) == given


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("turn_order", [0, 1, 1], "turn_order must hold each seat once"),
        ("turn_order", [0, 1, 3], "turn_order must be a seat"),
        ("turn_order", "012", "turn_order must be a list"),
        ("plots", {"e4": "red", "f4": "red"}, "two different"),
        ("plots", {"e4": "red", "f4": "green"}, "two different"),
        ("plots", {"e4": "red", "d4": "blue"}, "keys"),
        ("market_morning", ["MM01"], "market_morning must name 9"),
        ("market_morning", ["MA01", *MARKET_IDS[:8]], "market_morning must name 9"),
        ("market_afternoon", [*MARKET_IDS[24:47], "MA01"], "market_afternoon must hold"),
        ("recipes", ["R01"] * 12, "recipes must name 12"),
        ("auction_morning", ["white"] * 30, "auction_morning must hold"),
        ("auction_afternoon", None, "auction_afternoon must be a list"),
    ],
)
def test_an_impossible_deal_is_refused(name: str, value: Any, complaint: str) -> None:
    built = Table(GAME, 3, {})
    before = built.states.tobytes()
    with pytest.raises(ValueError, match=complaint):
        built.codec.impose(built.state, {**deal(3), name: value})
    assert built.states.tobytes() == before, "nothing is written"


# ---------------------------------------------------------------------------------------------------- auction


def test_a_bid_is_at_most_the_coins_held() -> None:
    built = place(BIDDING, "", "", coins=[3, 0])
    assert built.legal == ["bid 0", "bid 1", "bid 2", "bid 3"]
    built.play("bid 0")
    assert built.to_move == 1 and built.legal == ["bid 0"], "a seat without coins is asked too"


@pytest.mark.parametrize(("max_bid", "coins", "most"), [(0, 10, 0), (5, 10, 5), (5, 3, 3), (99, 200, 99)])
def test_bids_are_capped_by_the_option_r15(max_bid: int, coins: int, most: int) -> None:
    built = place(BIDDING, "", "", coins=[coins, coins], max_bid=max_bid)
    assert built.legal == [f"bid {number}" for number in range(most + 1)]
    assert built.see(0)["max_bid"] == max_bid


def test_example_1_the_higher_bidder_chooses_first_and_of_equals_the_earlier() -> None:
    built = place(BIDDING, "red", "red", "red", order=[RUTH, GREG, YURI])
    built.play("bid 5", "bid 7", "bid 5")
    assert built.to_move == GREG and built.legal == ["space 1", "space 2", "space 3"]
    assert seats(built, "coins") == [10, 10, 10], "a bid is paid when the space is chosen"
    built.play("space 3")
    assert built.to_move == RUTH and built.legal == ["space 1", "space 2"]
    assert built.see(RUTH)["space"] == [0, 0, 3, 0, 0, 0] and built.see(RUTH)["to_act"] == [1, 1, 0, 0, 0, 0]
    built.play("space 1")
    assert built.to_move == YURI and built.legal == ["space 2"], "the last bidder is asked too"
    built.play("space 2")
    assert seats(built, "order") == [RUTH, YURI, GREG] and seats(built, "coins") == [3, 5, 5]
    assert built.see(GREG)["bids"][:3] == [7, 5, 5] and built.see(GREG)["space"] == [0] * 6


def test_example_1_harvesting_goes_from_the_last_to_the_first_r8() -> None:
    built = place(HARVESTING, "", "", "", order=[RUTH, YURI, GREG])
    asked = []
    for step in ("step nn", "step ss", "step ne"):
        asked.append(built.to_move)
        built.play(step, "pass")
    assert asked == [GREG, YURI, RUTH]


def test_of_equal_bids_the_earlier_in_the_previous_order_is_first() -> None:
    built = place(BIDDING, "", "", "", order=[YURI, GREG, RUTH])
    built.play("bid 2", "bid 2", "bid 2")
    asked = []
    for space in (1, 2, 3):
        asked.append(built.to_move)
        built.play(f"space {space}")
    assert asked == [YURI, GREG, RUTH]


def test_example_13_zero_bidders_fill_the_lowest_free_spaces_in_the_old_order() -> None:
    built = place(BIDDING, "", "", "", "", order=[3, 2, 1, 0])
    built.play("bid 0", "bid 4", "bid 0", "bid 0")
    assert built.to_move == 2 and built.see(0)["to_act"] == [0, 0, 1, 0, 0, 0]
    built.play("space 2")
    assert seats(built, "order") == [3, 2, 1, 0] and seats(built, "coins") == [10, 10, 6, 10]
    assert built.to_move == 3 and built.legal[0].startswith("claim"), "zero bidders are not asked"


def test_without_any_bid_the_order_stays() -> None:
    built = place(BIDDING, "", "", "", order=[YURI, RUTH, GREG])
    built.play("bid 0", "bid 0", "bid 0")
    assert seats(built, "order") == [YURI, RUTH, GREG] and built.to_move == YURI
    assert seats(built, "space") == [YURI, RUTH, GREG] and seats(built, "coins") == [10, 10, 10]


def test_example_11_each_claims_a_card_and_new_ones_come() -> None:
    built = place(CLAIMING, "", "", "", order=[RUTH, YURI, GREG], house="purple yellow+blue red", deck="blue green red")
    assert built.legal == ["claim red", "claim purple", "claim yellow+blue"]
    built.play("claim purple", "claim yellow+blue")
    assert house(built) == ["", "", "red"] and discards(built) == ["purple", "yellow+blue"]
    assert built.to_move == GREG and built.legal == ["claim red"]
    built.play("claim red")
    assert [hand(built, seat) for seat in (RUTH, YURI, GREG)] == [["purple"], ["yellow", "blue"], ["red"]]
    assert sorted(house(built)) == ["blue", "green", "red"] and discards(built) == ["red", "purple", "yellow+blue"]
    assert built.to_move == RUTH and built.legal == ["plant purple"]


def test_identical_cards_are_one_choice() -> None:
    built = place(CLAIMING, "", "", "", house="red+red blue red+red")
    assert built.legal == ["claim blue", "claim red+red"] and sum(built.see(0)["house"]) == 3
    built.play("claim red+red")
    assert built.legal == ["claim blue", "claim red+red"] and hand(built, 0) == ["red", "red"]


def test_the_deck_is_made_anew_in_the_middle_of_a_refill_r5() -> None:
    built = place(CLAIMING, "", "", "", house="purple red+red red", deck="blue", rest="discards")
    built.play("claim purple", "claim red+red")
    before = sorted([*discards(built), "red"])
    GAME.step(built.states, 0, GAME.spec.actions.parse("claim red"))
    GAME.advance(built.states, 0)
    assert built.awaited == "auction_reshuffle" and house(built) == ["blue", "", ""] and discards(built) == []
    laid = [TYPES[kind] for kind in built.state.deck[: built.state.deck_len]]
    assert sorted(laid) == before, "the cards claimed in this round are among them, those in the house are not"
    for wrong in (laid[1:], [*laid[1:], "white"], None, "red", [*laid[1:], 1]):
        with pytest.raises(ValueError, match="auction_reshuffle must"):
            built.codec.impose(built.state, wrong)
    wanted = ["purple", "red+red", *(Counter(laid) - Counter(["purple", "red+red"])).elements()]
    built.settle(wanted)
    assert house(built) == ["blue", "purple", "red+red"] and built.state.deck_len == len(laid) - 2
    assert built.to_move == GREG


def test_a_deck_emptied_exactly_waits_until_a_card_is_needed_r5() -> None:
    built = place(CLAIMING, "", "", house="purple red", deck="blue green", rest="discards", order=[RUTH, GREG])
    before = Counter(discards(built))
    built.play("claim purple", "claim red")
    assert house(built) == ["blue", "green"] and built.state.deck_len == 0
    assert Counter(discards(built)) == before + Counter(["purple", "red"])
    assert built.see(0)["deck_size"] == 0 and built.to_move == RUTH


def test_a_morning_card_claimed_in_the_afternoon_leaves_the_game_r5() -> None:
    built = place(CLAIMING, "", "", house="red green", deck="white black", period=AFTERNOON, house_period=MORNING)
    built.play("claim green")
    assert discards(built) == [] and hand(built, 0) == ["green"], "though there are green afternoon cards too"
    built.play("claim red")
    assert discards(built) == [] and house(built) == ["white", "black"] and built.state.house_period == AFTERNOON
    later = place(CLAIMING, "", "", house="white green", period=AFTERNOON)
    later.play("claim white")
    assert discards(later) == ["white"]


def test_the_house_is_refilled_in_the_last_round_too() -> None:
    built = place(CLAIMING, "", "", house="red blue", deck="yellow green", last=True)
    built.play("claim red", "claim blue")
    assert house(built) == ["yellow", "green"] and built.to_move == GREG


# --------------------------------------------------------------------------------------------------- planting


def test_a_seat_must_plant_what_it_holds() -> None:
    built = place(PLANTING, "red brownx2 white", "blue")
    assert built.legal == ["plant red", "plant brown", "plant white"]
    built.play("plant brown")
    assert hand(built, 0) == ["red", "brown", "white"] and built.see(1)["planting"] == count(["brown"])


def test_example_12_a_plot_is_orthogonally_next_to_a_planted_one() -> None:
    built = place(PLANTING, "red", "red")
    built.play("plant red")
    assert of("plot", built) == ["e3", "f3", "d4", "g4", "e5", "f5"] and built.legal == [
        f"plot {plot}" for plot in ("e3", "f3", "d4", "g4", "e5", "f5")
    ]
    assert [plot for plot, index in PLOT.items() if built.see(1)["plantable"][index]] == of("plot", built)
    corner = place(PLANTING, "red", "red", field={"a1": "red", "j7": "red", "a7": "blue", "b7": "blue"})
    corner.play("plant red")
    assert of("plot", corner) == ["b1", "a2", "a6", "b6", "j6", "c7", "i7"]


def test_example_12_the_first_purple_takes_a_plaque_of_the_shared_stack() -> None:
    built = place(PLANTING, "purple", "green", "red", tiles=[""] * 3)
    built.play("plant purple", "plot f3")
    assert built.state.points[GREG] == 2 and built.see(0)["plaques"] == [1, 2, 1, 1, 1]
    assert built.see(RUTH)["had_plaque"] == [0, 0, 1, 0, 0, 0] and built.to_move == RUTH
    built.play("plant green", "plot g3", "plant red", "plot e3")
    assert seats(built, "points") == [2, 2, 0] and built.see(0)["plaques"] == [0, 2, 1, 1, 1]


def test_what_is_planted_is_bred_at_once() -> None:
    built = place(PLANTING, "blue", "red", tiles=["", ""], field={"e4": "red", "f4": "yellow"})
    built.play("plant blue", "plot e3")
    worth = built.see(0)["notch_worth"]
    assert {name: worth[index] for name, index in NOTCH.items() if worth[index]} == {"v5-4": 2, "h3-e": 2}
    built.play("plant red", "plot f3")
    assert built.see(0)["notch_worth"][NOTCH["v5-3"]] == 2 and built.see(0)["notch_worth"][NOTCH["h3-f"]] == 2


@pytest.mark.parametrize(("colour", "points"), [("brown", [5, 4, 3, 0]), ("white", [7, 5, 0, 0]),
                                                ("black", [9, 6, 0, 0]), ("phantom", [12, 8, 0, 0])])  # fmt: skip
def test_plaques_are_taken_from_the_top_r7(colour: str, points: list[int]) -> None:
    built = place(PLANTING, *[colour] * 4, tiles=[""] * 4)
    for plot in ("e3", "e2", "e1", "f3"):
        built.play(f"plant {colour}", f"plot {plot}")
    assert seats(built, "points") == points and seats(built, "has_plaque") == [int(won > 0) for won in points]


def test_primary_peppers_have_no_plaque_r7() -> None:
    built = place(PLANTING, "red", "yellow", "blue", tiles=[""] * 3)
    built.play("plant red", "plot e3", "plant yellow", "plot f3", "plant blue", "plot g3")
    assert seats(built, "points") == [0, 0, 0] and seats(built, "has_plaque") == [0, 0, 0]


def first_moves(built: Table, until: str) -> None:
    """Play the first legal move, or pass, until a move of a kind is asked."""
    while not built.legal[0].startswith(until):
        built.play("pass" if "pass" in built.legal else built.legal[0])


def test_example_8_two_plaques_of_the_shared_stack_in_two_rounds_r7() -> None:
    built = place(PLANTING, "green", "red", tiles=["", ""], house="green red")
    built.play("plant green", "plot e3", "plant red", "plot e5")
    assert seats(built, "points") == [2, 0] and seats(built, "has_plaque") == [1, 0]
    first_moves(built, "claim")
    assert seats(built, "has_plaque") == [0, 0]
    built.play("claim green", "claim red", "plant green", "plot f3")
    assert seats(built, "points") == [4, 0] and built.see(0)["plaques"][0] == 0
def test_example_8_with_the_extra_planting_only_one_plaque_r7() -> None:
    built = place(PLANTING, "greenx2", "red")
    built.play("plant green", "plot e3", "plant green", "plot f3")
    assert built.state.points[0] == 2 and built.see(0)["plaques"][0] == 1 and built.to_move == 1


def test_the_extra_planting_takes_a_plaque_that_the_first_did_not_r7() -> None:
    built = place(PLANTING, "red white", "red")
    built.play("plant red", "plot e3", "plant white", "plot f3")
    assert built.state.points[0] == 5
    used_up = place(PLANTING, "white brown", "red", plaques={1: "white"})
    used_up.play("plant white", "plot e3", "plant brown", "plot f3")
    assert used_up.state.points[0] == 4, "an empty stack gave none"


def test_the_plaque_is_automatic_r7() -> None:
    built = place(PLANTING, "green phantom", "red")
    built.play("plant green", "plot e3")
    assert built.state.points[0] == 2 and built.legal == ["plant phantom", "pass"]
    built.play("plant phantom", "plot f3")
    assert built.state.points[0] == 2, "the seat cannot wait for a dearer one"


def test_the_tile_of_the_extra_planting_is_spent_when_the_colour_is_chosen() -> None:
    built = place(PLANTING, "red blue", "red")
    built.play("plant red", "plot e3")
    assert built.to_move == 0 and built.legal == ["plant blue", "pass"] and built.see(0)["extra_plant"] == 1
    assert tiles(built, 0) == ["extra_plant", "extra_step", "double_back"]
    built.play("plant blue")
    assert tiles(built, 0) == ["extra_step", "double_back"] and all(move.startswith("plot") for move in built.legal)
    built.play("plot d3")
    assert built.to_move == 1 and built.legal == ["plant red"] and built.see(0)["extra_plant"] == 0


def test_who_passes_keeps_the_tile_of_the_extra_planting() -> None:
    built = place(PLANTING, "red blue", "red")
    built.play("plant red", "plot e3", "pass")
    assert built.to_move == 1 and "extra_plant" in tiles(built, 0) and hand(built, 0) == ["blue"]
    assert built.legal == ["plant red"], "the first planting cannot be passed"


@pytest.mark.parametrize(("peppers_held", "tiles_held"), [("red", "extra_plant"), ("red blue", "extra_step")])
def test_without_a_pepper_or_the_tile_no_extra_planting_is_asked(peppers_held: str, tiles_held: str) -> None:
    built = place(PLANTING, peppers_held, "red", tiles=[tiles_held, ""])
    built.play("plant red", "plot e3")
    assert built.to_move == 1


def full_field(*empty: str) -> dict[str, str]:
    return {plot: "brown" for plot in PLOT if plot not in empty}


def test_if_the_field_is_full_planting_is_skipped_r6() -> None:
    built = place(PLANTING, "red", "red", field=full_field())
    assert built.to_move == 1 and built.legal[0].startswith("step"), "harvesting has begun"


def test_if_the_field_fills_the_seats_that_remain_are_skipped_r6() -> None:
    built = place(PLANTING, "red blue", "redx2", "red", field=full_field("a1", "j7"))
    built.play("plant red", "plot a1", "plant blue")
    assert built.legal == ["plot j7"]
    built.play("plot j7")
    assert built.to_move == YURI and built.legal[0].startswith("step") and hand(built, RUTH) == ["red", "red"]


def test_with_the_last_plot_planted_no_extra_planting_is_asked_r6() -> None:
    built = place(PLANTING, "red blue", "red", field=full_field("e4"))
    built.play("plant red", "plot e4")
    assert built.to_move == 1 and built.legal[0].startswith("step") and built.see(1)["extra_plant"] == 0
    assert hand(built, 0) == ["blue"] and "extra_plant" in tiles(built, 0)


# ------------------------------------------------------------------------------------------------- harvesting


def walker(*farmers: str, tiles: str = "", hand: str = "", **more: Any) -> Table:
    """The last seat is to harvest; its farmer stands on the last notch, the others' on those before."""
    hands = [""] * (len(farmers) - 1) + [hand]
    own = [""] * (len(farmers) - 1) + [tiles]
    return place(HARVESTING, *hands, farmers=dict(enumerate(farmers)), tiles=own, **more)


def test_example_13_a_farmer_is_placed_on_the_star_and_that_yields_nothing_r9() -> None:
    built = place(HARVESTING, "", "", "", tiles=[""] * 3)
    assert at(built, YURI) == "v5-4" and at(built, RUTH) == "off the board" and hand(built, YURI) == []
    assert built.see(YURI)["steps_made"] == 0 and built.see(YURI)["notch_worth"][NOTCH["v5-4"]] == 2
    assert of("step", built) == ["nn", "ne", "nw", "ss", "se", "sw"] and "pass" not in built.legal
    built.play("step nn", "step nn", "step nn")
    assert built.to_move == RUTH and at(built, RUTH) == "v5-4" and at(built, YURI) == "v5-1"


def test_a_farmer_is_placed_on_the_star_even_if_another_stands_there_r9() -> None:
    built = place(HARVESTING, "", "", farmers={0: "v5-4"}, tiles=["", ""])
    assert at(built, 1) == at(built, 0) == "v5-4" and built.state.num_farmers[NOTCH["v5-4"]] == 2
    assert built.see(1)["other_farmers"][NOTCH["v5-4"]] == 1
    built.play("step ne")
    assert built.state.num_farmers[NOTCH["v5-4"]] == 1


def test_no_step_ends_on_an_occupied_star_r9() -> None:
    assert of("step", walker("v5-4", "v5-3")) == ["nn", "ne", "nw", "se", "sw"]
    assert of("step", walker("v0-1", "v5-3")) == ["nn", "ne", "nw", "ss", "se", "sw"]


def test_example_2_three_steps_and_the_next_turn_starts_from_the_last_notch() -> None:
    field = {"f3": "yellow", "e2": "orange", "f2": "purple", "e1": "orange", "f1": "orange"}
    built = place(HARVESTING, "red", "", field=field, tiles=["", ""])
    assert built.to_move == 1
    built.play("step nn")
    assert hand(built, 1) == []
    built.play("step nn")
    assert hand(built, 1) == ["white"]
    built.play("step nn")
    assert hand(built, 1) == ["white", "black"] and at(built, 1) == "v5-1" and built.to_move == 0
    again = place(HARVESTING, "", "", field=field, tiles=["", ""], farmers={1: at(built, 1)})
    assert at(again, 1) == "v5-1" and of("step", again) == ["ne", "nw", "ss", "se", "sw"]


@pytest.mark.parametrize(
    ("west", "east", "found"),
    [
        ("blue", "blue", "bluex2"),
        ("brown", "orange", ""),
        ("brown", "white", "white"),
        ("white", "black", "phantom"),
        ("phantom", "brown", "brownx2"),
    ],
)
def test_example_3_what_grows_between_two_plots(west: str, east: str, found: str) -> None:
    for first, second in ((west, east), (east, west)):
        built = walker("v0-1", "v5-4", field={"e3": first, "f3": second})
        built.play("step nn")
        assert hand(built, 1) == peppers(found)
        built = walker("v0-1", "h2-e", field={"f2": first, "f3": second})
        built.play("step ee")
        assert hand(built, 1) == peppers(found)


def test_the_first_step_may_leave_through_either_corner_and_later_ones_only_ahead() -> None:
    built = walker("v0-1", "h3-c")
    assert of("step", built) == ["ee", "en", "es", "ww", "wn", "ws"]
    built.play("step wn")
    assert at(built, 1) == "v2-3" and built.legal == ["step nn", "step ne", "step nw", "pass"]
    assert built.see(0)["heading"] == [1, 0, 0, 0] and built.see(0)["steps_made"] == 1
    built.play("step ne")
    assert at(built, 1) == "h2-c" and built.legal == ["step ee", "step en", "step es", "pass"]


def test_no_step_leaves_the_grid() -> None:
    assert of("step", walker("v5-4", "v0-1")) == ["ne", "ss", "se"]
    assert of("step", walker("v5-4", "h7-j")) == ["en", "ww", "wn"]


def test_no_step_ends_where_a_farmer_stands() -> None:
    built = walker("v5-2", "h2-f", "v5-3")
    assert of("step", built) == ["nw", "ss", "se", "sw"]
    built.play("step nw")
    assert at(built, 2) == "h2-e" and at(built, 0) == "v5-2"


def test_one_to_three_steps_of_which_the_first_is_mandatory() -> None:
    built = walker("v0-1", "v5-4")
    for step in ("nn", "nn"):
        assert ("pass" in built.legal) == (step == "nn" and built.state.steps > 0)
        built.play(f"step {step}")
        assert "pass" in built.legal and built.to_move == 1
    built.play("step nw")
    assert built.to_move == 0, "after the third nothing is asked"
    short = walker("v0-1", "v5-4")
    short.play("step nn", "pass")
    assert short.to_move == 0 and at(short, 1) == "v5-3"


def test_a_seat_that_cannot_step_is_skipped() -> None:
    blocked = walker("h0-a", "h1-a", "v0-2", "v0-1")
    assert blocked.to_move == 2 and at(blocked, 3) == "v0-1"
    assert walker("h0-a", "h1-a", "v0-3", "v0-1").legal == ["step ss"]


def test_if_all_ahead_is_blocked_the_turn_ends_without_a_question() -> None:
    built = walker("v5-1", "h1-f", "h1-e", "v5-3")
    assert "nn" in of("step", built)
    built.play("step nn")
    assert built.to_move == 2 and at(built, 3) == "v5-2" and built.state.heading == NOTHING


def test_the_extra_step_is_spent_by_a_fourth_step_and_there_is_no_fifth_r10() -> None:
    built = walker("v0-1", "v5-7", tiles="extra_step double_back")
    built.play("step nn", "step nn", "step nn")
    assert tiles(built, 1) == ["extra_step", "double_back"] and built.to_move == 1 and "pass" in built.legal
    built.play("step nn")
    assert tiles(built, 1) == ["double_back"] and at(built, 1) == "v5-3" and built.to_move == 0
    kept = walker("v0-1", "v5-7", tiles="extra_step")
    kept.play("step nn", "step nn", "step nn", "pass")
    assert tiles(kept, 1) == ["extra_step"] and kept.to_move == 0


def test_double_back_is_spent_by_a_step_behind_r11() -> None:
    field = {"e3": "white", "f3": "black", "e2": "red", "f2": "blue"}
    built = walker("v0-1", "v5-4", tiles="double_back", field=field)
    assert "pass" not in built.legal
    built.play("step nn")
    assert of("step", built) == ["nn", "ne", "nw", "ss", "se", "sw"] and tiles(built, 1) == ["double_back"]
    built.play("step nn")
    assert hand(built, 1) == ["purple", "phantom"] and tiles(built, 1) == ["double_back"]
    built.play("step ss")
    assert hand(built, 1) == ["purple", "phantom", "phantom"] and tiles(built, 1) == []
    assert at(built, 1) == "v5-3" and built.to_move == 0


def test_after_double_back_ahead_is_the_new_direction_r11() -> None:
    built = walker("v0-1", "v5-4", tiles="double_back")
    built.play("step nn", "step se")
    assert at(built, 1) == "h3-f" and built.legal == ["step ee", "step en", "step es", "pass"]
    assert built.see(0)["heading"] == [0, 0, 1, 0] and built.see(0)["tiles"][1] == [0, 0, 0]


def test_a_step_behind_counts_as_a_step_r11() -> None:
    built = walker("v0-1", "v5-4", tiles="double_back")
    built.play("step nn", "step ss", "step ss")
    assert built.to_move == 0 and at(built, 1) == "v5-5"


def test_behind_stays_open_when_all_ahead_is_blocked_r11() -> None:
    built = walker("v5-1", "h1-f", "h1-e", "v5-3", tiles="double_back")
    built.play("step nn")
    assert built.to_move == 3 and built.legal == ["step ss", "step se", "step sw", "pass"]


def test_a_fourth_step_behind_spends_both_tiles_r10_r11() -> None:
    both = walker("v0-1", "v5-7", tiles="extra_step double_back")
    both.play("step nn", "step nn", "step nn")
    assert of("step", both) == ["nn", "ne", "nw", "ss", "se", "sw"]
    both.play("step ss")
    assert tiles(both, 1) == [] and at(both, 1) == "v5-5" and both.to_move == 0
    extra = walker("v0-1", "v5-7", tiles="extra_step")
    extra.play("step nn", "step nn", "step nn")
    assert of("step", extra) == ["nn", "ne", "nw"]
    back = walker("v0-1", "v5-7", tiles="double_back")
    back.play("step nn", "step nn", "step nn")
    assert back.to_move == 0 and tiles(back, 1) == ["double_back"]


def test_both_tiles_may_be_used_in_one_turn_r10_r11() -> None:
    built = walker("v0-1", "v5-4", tiles="extra_step double_back")
    built.play("step nn", "step ss", "step ss", "step ss")
    assert tiles(built, 1) == [] and at(built, 1) == "v5-6" and built.to_move == 0


def test_the_heading_is_forgotten_between_turns_r11() -> None:
    built = walker("v0-1", "v5-3")
    built.play("step nn", "pass", "step ss", "pass")
    first_moves(built, "plant")
    first_moves(built, "step")
    assert built.state.rounds == 3 and built.to_move == 1 and at(built, 1) == "v5-2" and tiles(built, 1) == []
    assert of("step", built) == ["nn", "ne", "nw", "ss", "se", "sw"] and "pass" not in built.legal


# ------------------------------------------------------------------------------------------------ fulfillment


def planted(**numbers: int) -> dict[str, str]:
    """A field that holds so many peppers of each colour, row by row."""
    return dict(zip(PLOT, [colour for colour, number in numbers.items() for _ in range(number)], strict=False))


def test_example_4_a_pepper_brings_half_of_what_is_planted_of_it_r12() -> None:
    field = planted(yellow=5, orange=2, blue=3, red=1)
    built = place(FULFILLING, "redx2 yellowx3 bluex2 orange purple", "", field=field, market="", recipes="")
    sales = ["yellow 1", "yellow 2", "yellow 3", "blue 1", "blue 2", "orange 1"]
    assert of("sell", built) == sales and built.legal == ["pass", *[f"sell {sale}" for sale in sales]]
    assert built.see(1)["price"] == [0, 2, 1, 0, 1, 0, 0, 0, 0, 0]
    built.play("sell yellow 3")
    assert built.state.coins[0] == 16 and hand(built, 0) == peppers("redx2 bluex2 orange purple")


def test_at_most_five_peppers_are_sold() -> None:
    built = place(FULFILLING, "redx7", "", field=planted(red=4), market="", recipes="")
    assert of("sell", built) == [f"red {number}" for number in range(1, 6)]
    built.play("sell red 5")
    assert built.state.coins[0] == 20 and hand(built, 0) == ["red", "red"]


def test_example_5_a_market_card() -> None:
    built = place(FULFILLING, "yellow orange red", "blue", market="MM16 MM01 MM02")
    points = built.state.points[0]
    assert of("market", built) == ["MM01", "MM02", "MM16"]
    built.play("market MM16")
    assert hand(built, 0) == ["red", "brown"] and built.state.coins[0] == 13 and built.state.points[0] == points + 1
    assert market(built) == ["MM01", "MM02"] and built.see(1)["market_won"][1] == 1 and not built.see(1)["market"][15]


def test_example_5_a_recipe() -> None:
    built = place(FULFILLING, "blackx2 brownx2 redx3", "", recipes="R21 R20", market="")
    assert built.legal == ["pass", "recipe R21"]
    built.play("recipe R21")
    assert hand(built, 0) == ["red"] and built.state.points[0] == 16 and built.state.coins[0] == 10
    assert recipes(built) == ["R20"] and built.see(1)["recipes_won"][1] == 1


def test_each_order_at_most_once_a_round_and_in_any_order() -> None:
    built = place(FULFILLING, "redx3 yellowx2 bluex2 purple orange", "red", field=planted(red=4),
                  market="MM01 MM02", recipes="R01 R02")  # fmt: skip
    assert [move.split()[0] for move in built.legal] == ["pass"] + ["market"] * 2 + ["recipe"] * 2 + ["sell"] * 3
    built.play("sell red 1")
    assert [move.split()[0] for move in built.legal] == ["pass"] + ["market"] * 2 + ["recipe"] * 2
    built.play("recipe R01")
    assert built.legal == ["pass", "market MM01", "market MM02"] and built.see(1)["done"] == [0, 1, 1]
    built.play("market MM02")
    assert built.to_move == 1, "with all three done nothing is asked"
    assert built.legal == ["pass", "market MM01", "sell red 1"] and built.see(1)["done"] == [0, 0, 0]


def test_a_reward_may_be_used_at_once() -> None:
    built = place(FULFILLING, "yellowx3 red blue", "", market="MM13", recipes="R07", field=planted(green=2))
    assert built.legal == ["pass", "market MM13"]
    built.play("market MM13")
    assert hand(built, 0) == ["red", "yellow", "blue", "brown"] and built.legal == ["pass", "recipe R07"]
    built.play("recipe R07")
    assert built.state.points[0] == 6 and hand(built, 0) == []


def test_who_can_do_nothing_more_is_not_asked() -> None:
    built = place(FULFILLING, "", "redx2", "red", market="MM01 MM02", recipes="R30", order=[GREG, YURI, RUTH])
    assert built.to_move == YURI, "who can do nothing at all is skipped"
    built.play("pass")
    assert built.to_move == RUTH
    built.play("market MM01")
    assert built.state.stage == BIDDING and built.state.rounds == 3


@pytest.mark.parametrize("card", ["MA21", "MA22"])
@pytest.mark.parametrize("reward", ["black", "white"])
def test_two_market_cards_let_the_player_choose(card: str, reward: str) -> None:
    built = place(FULFILLING, "green orange purple", "", market="MA21 MA22 MA23", period=AFTERNOON, recipes="R30")
    assert of("market", built) == ["MA21 black", "MA21 white", "MA22 black", "MA22 white"]
    built.play(f"market {card} {reward}")
    assert hand(built, 0) == [reward] and built.state.points[0] == 4 and card not in market(built)


@pytest.mark.parametrize("offer", range(tables.NUM_OFFERS))
def test_every_market_card_costs_and_brings_what_is_printed(offer: int) -> None:
    move = f"market {tables.OFFER_NAMES[offer]}"
    card, *chosen = tables.OFFER_NAMES[offer].split()
    (row,) = [row for row in rows("market_cards.csv") if row["card_id"] == card]
    cost = row["cost"].split("+")
    reward = chosen or ([] if row["reward_peppers"] == "none" else row["reward_peppers"].split("+"))
    period = MORNING if row["period"] == "morning" else AFTERNOON
    built = place(FULFILLING, " ".join(cost), "", market=card, recipes="", period=period, rounds=1)
    before = built.states.copy()[0]
    GAME.step(built.states, 0, GAME.spec.actions.parse(move))
    assert move in GAME.legal_strings(before.reshape(1)) and hand(built, 0) == reward
    assert built.state.coins[0] - before.coins[0] == int(row["reward_coins"])
    assert built.state.points[0] - before.points[0] == int(row["points"])


@pytest.mark.parametrize("recipe", RECIPE_IDS)
def test_every_recipe_needs_each_of_its_peppers(recipe: str) -> None:
    (row,) = [row for row in rows("recipe_cards.csv") if row["card_id"] == recipe]
    cost = [colour for colour in COLOURS for _ in range(int(row[colour]))]
    for missing in range(len(cost) + 1):
        held = cost[:missing] + cost[missing + 1 :]
        built = place(FULFILLING, " ".join(held), "white", market="", recipes=recipe, field=planted(white=2))
        assert (f"recipe {recipe}" in built.legal) == (missing == len(cost))
    built.play(f"recipe {recipe}")
    assert hand(built, 0) == [] and built.state.points[0] == int(row["points"])


# ------------------------------------------------------------------------------------------------- time check


def checked(num_market: int, num_recipes: int, period: int = MORNING, num_players: int = 3, **more: Any) -> Table:
    """What follows a round after which so many market cards and recipes are left."""
    cards = MARKET_IDS[24 * period : 24 * period + num_market]
    return place(FULFILLING, *[""] * num_players, market=" ".join(cards), recipes=" ".join(RECIPE_IDS[:num_recipes]),
                 period=period, **more)  # fmt: skip


def test_example_6_the_afternoon_begins() -> None:
    built = checked(1, 3, house="red yellow blue", deck="green", rest="discards")
    assert built.state.period == AFTERNOON and built.state.is_last == 0 and built.to_move == GREG
    assert len(market(built)) == 9 and all(card.startswith("MA") for card in market(built)) and len(recipes(built)) == 3
    assert house(built) == ["red", "yellow", "blue"] and built.state.house_period == MORNING
    assert discards(built) == [] and built.see(0)["deck_size"] == 35 and built.see(0)["afternoon"] == 1
    assert not built.state.next_deck.any()


def test_example_6_one_more_round_in_the_afternoon_and_both_short_is_the_end() -> None:
    built = checked(2, 3, AFTERNOON)
    assert built.state.is_last == 1 and built.state.rounds == 3 and built.see(0)["last_round"] == 1
    over = checked(2, 2, AFTERNOON)
    assert over.to_move is None and over.state.truncated == 0 and over.state.rounds == 2


def test_example_10_few_recipes_in_the_morning_make_the_next_round_the_last() -> None:
    for num_market in (2, 3, 9):
        built = checked(num_market, 2)
        assert built.state.period == MORNING and built.state.is_last == 1 and len(market(built)) == num_market


@pytest.mark.parametrize(
    ("period", "num_market", "num_recipes", "outcome"),
    [
        (MORNING, 3, 3, "goes on"),
        (MORNING, 2, 3, "afternoon"),
        (MORNING, 0, 12, "afternoon"),
        (MORNING, 3, 2, "last"),
        (MORNING, 2, 2, "last"),
        (AFTERNOON, 3, 3, "goes on"),
        (AFTERNOON, 2, 3, "last"),
        (AFTERNOON, 3, 2, "last"),
        (AFTERNOON, 2, 2, "over"),
        (AFTERNOON, 0, 0, "over"),
    ],
)
def test_the_time_check(period: int, num_market: int, num_recipes: int, outcome: str) -> None:
    built = checked(num_market, num_recipes, period)
    state = built.state
    assert (built.to_move is None) == (outcome == "over") and state.is_last == (outcome == "last")
    assert (state.period != period) == (outcome == "afternoon") and state.truncated == 0
    assert state.rounds == (2 if outcome == "over" else 3)
    limited = checked(num_market, num_recipes, period, max_rounds=2)
    assert limited.to_move is None and limited.state.truncated == (outcome != "over"), "R13"
    announced = checked(num_market, num_recipes, period, last=True)
    assert announced.to_move is None and announced.state.truncated == 0


@pytest.mark.parametrize("num_players", [2, 4, 6])
def test_the_time_check_goes_by_the_number_of_players(num_players: int) -> None:
    assert checked(num_players, num_players, num_players=num_players).state.is_last == 0
    assert checked(num_players, num_players - 1, num_players=num_players).state.is_last == 1
    built = checked(num_players - 1, num_players, num_players=num_players)
    assert built.state.period == AFTERNOON and len(market(built)) == 2 * num_players + 3


def test_the_round_limit_cuts_the_game_short_r13() -> None:
    built = checked(9, 12, max_rounds=2, coins=[30, 0, 0])
    assert built.to_move is None and built.state.truncated == 1 and built.state.rounds == 2
    assert seats(built, "score") == [12 + 10, 12, 12] and seats(built, "standing") == [0, 1, 1], "it is scored"
    assert checked(9, 12, max_rounds=3).see(0)["rounds_left"] == 0


def test_the_limit_takes_the_place_of_an_announced_last_round_r13() -> None:
    built = checked(9, 2, max_rounds=2)
    assert built.to_move is None and built.state.truncated == 1
    assert checked(9, 2, max_rounds=3).state.is_last == 1


def test_an_announced_last_round_ends_by_the_rules_also_at_the_limit_r13() -> None:
    built = checked(9, 2, max_rounds=2, last=True)
    assert built.to_move is None and built.state.truncated == 0


def test_after_the_morning_the_afternoon_market_is_shown_in_drawing_order() -> None:
    built = Table(GAME, 2, {}, deal(2, market_afternoon="MA24 MA11 MA02 MA20 MA07 MA16 MA05 MA01"))
    assert built.state.afternoon_pile[0] == MARKET_IDS.index("MA24")
    state = built.state
    state.market_owner[state.market[1:7]] = 1  # seat 0 has won all but one
    state.cards_won[0, 0], state.points[0] = 6, tables.MARKET_POINTS[state.market[1:7]].sum()
    state.market[1:], state.num_market, state.stage = 0, 1, FULFILLING
    state.peppers[:] = 0
    built.settle()
    assert market(built) == ["MA02", "MA05", "MA07", "MA11", "MA16", "MA20", "MA24"]


def test_a_new_round_begins_with_bids_in_the_order_of_the_old_one() -> None:
    built = place(FULFILLING, "", "", "", order=[YURI, GREG, RUTH], market="MM01 MM02 MM03")
    assert built.to_move == YURI and built.legal[0] == "bid 0"
    assert seats(built, "bid") == [NOTHING] * 3 and seats(built, "space") == [NOBODY] * 3


# -------------------------------------------------------------------------------------------------------- end


def test_example_7_what_counts_in_the_end() -> None:
    cards = "MM01 MM02 MM03 MM10 MM11 MM12 MM15 MM16"  # one point each
    meals = "R20 R05"  # 16 + 5
    built = place(FULFILLING, "", "", "", won={0: f"{cards} {meals}"}, plaques={0: "brown brown"}, last=True,
                  coins=[17, 0, 0], tiles=["extra_step", "", ""])  # fmt: skip
    assert built.state.points[0] == 8 + 21 + (4 + 3) and built.to_move is None
    assert built.state.score[0] == 45 == 8 + 21 + 7 + 4 + 5


def test_example_13_of_equal_points_more_coins_win() -> None:
    built = checked(9, 12, last=True, coins=[3, 5, 4])
    assert seats(built, "score") == [13, 13, 13] and seats(built, "standing") == [2, 0, 1]
    assert built.utility()[1] == max(built.utility())


def test_a_further_tie_is_shared() -> None:
    built = checked(9, 12, last=True, coins=[4, 3, 4])
    assert seats(built, "standing") == [0, 2, 0] and built.utility()[0] == built.utility()[2]
    points_first = checked(9, 12, last=True, coins=[5, 2, 0], tiles=["", "", "extra_step"])
    assert seats(points_first, "score") == [1, 0, 4] and seats(points_first, "standing") == [1, 2, 0]


# --------------------------------------------------------------------------------------------- what a seat sees


def test_screens_hide_what_a_seat_holds() -> None:
    hidden = ("known_peppers", "known_coins", "known_points")
    for recall in (False, True):
        built = place(BIDDING, "redx2", "blue", "", coins=[7, 8, 9], won={1: "R01"}, recall=recall)
        view = built.see(RUTH)
        assert view["peppers"] == count(["blue"]) and view["coins"] == 8 and view["points"] == 3
        if recall:
            assert view["known_peppers"][:3] == [count(["blue"]), count([]), count(["red", "red"])]
            assert view["known_coins"][:3] == [8, 9, 7] and view["known_points"][:3] == [3, 0, 0]
        else:
            assert not any(np.any(view[name]) for name in hidden)


def test_without_recall_nothing_seen_depends_on_what_another_holds() -> None:
    views = []
    for held, coins in (("", 0), ("phantomx9 red", 60)):
        built = place(BIDDING, "red", held, coins=[10, coins])
        built.play("bid 3")
        views.append(built.see(0))
    assert views[0] == views[1]


def test_no_bid_is_seen_before_all_are_in() -> None:
    built = place(BIDDING, "", "", "")
    built.play("bid 4")
    assert built.see(GREG)["bids"][0] == 4 and built.see(GREG)["bid_known"] == [1, 0, 0, 0, 0, 0]
    assert built.see(RUTH)["bids"] == [0] * 6 == built.see(RUTH)["bid_known"]
    assert built.state.last_seat == NOBODY and built.state.last_action == 0, "nor is the move told as the last one"
    built.play("bid 0")
    assert built.see(YURI)["bid_known"] == [0] * 6 and built.see(YURI)["to_act"] == [1, 0, 0, 0, 0, 0]
    built.play("bid 6")
    for seat in range(3):
        assert Counter(built.see(seat)["bids"][:3]) == Counter([4, 0, 6])
        assert built.see(seat)["bid_known"] == [1, 1, 1, 0, 0, 0]


@pytest.mark.parametrize(
    ("stage", "asked"),
    [(BIDDING, "bid"), (CLAIMING, "claim"), (PLANTING, "plant"), (HARVESTING, "step"), (FULFILLING, "order")],
)
def test_what_is_asked_is_seen(stage: int, asked: str) -> None:
    built = place(stage, "redx2", "redx2", field=planted(red=2))
    told = built.see(1)["decision"]
    assert sum(told) == 1 and ["bid", "space", "claim", "plant", "plot", "step", "order"][told.index(1)] == asked


def test_where_farmers_stand_and_what_the_own_next_step_brings() -> None:
    built = place(HARVESTING, "", "", field={"e3": "white", "f3": "black"}, farmers={0: "h0-a"})
    own, other = built.see(0), built.see(1)
    assert own["own_farmer"][NOTCH["h0-a"]] == 1 and own["other_farmers"][NOTCH["v5-4"]] == 1
    assert own["farmer_place"][:2] == [[1, 1, 0], [1, 10, 7]] and other["farmer_place"][:2] == [[1, 10, 7], [1, 1, 0]]
    assert other["step_yield"][0] == count(["phantom"]) and not np.any(other["step_yield"][1:])
    off = place(PLANTING, "red", "red", field={"e3": "white", "f3": "black"}).see(0)
    assert off["step_yield"][0] == count(["phantom"]) and not any(off["own_farmer"])
    assert off["farmer_place"] == [[0, 0, 0]] * 6


def test_cards_that_the_own_peppers_pay_are_marked() -> None:
    built = place(FULFILLING, "yellow purple", "red", market="MM02 MM17 MM01", recipes="R01 R02")
    view = built.see(0)
    assert [card for card, can in zip(MARKET_IDS, view["can_fulfil"], strict=True) if can] == ["MM02", "MM17"]
    assert [card for card, can in zip(RECIPE_IDS, view["can_cook"], strict=True) if can] == ["R01"]


def test_what_lies_behind_screens_is_kept_and_what_is_public_too_r14() -> None:
    built = place(BIDDING, "redx2", "blue brown", "", coins=[7, 8, 9], won={0: "R01", 1: "MM05"}, plaques={1: "white"},
                  farmers={0: "v1-1"}, deck="blue", rest="discards")  # fmt: skip
    built.play("bid 7")
    drawn = built.redraws(RUTH, 40)
    hidden = {"rng", "bid", "deck", "next_deck", "morning_pile", "afternoon_pile", "recipe_pile"}
    for name in drawn.dtype.names:
        assert name in hidden or (drawn[name] == built.states[name]).all(), name
    assert len(drawn) == 40 and len({tuple(state.bid.tolist()) for state in drawn}) > 1


@pytest.mark.parametrize(("coins", "max_bid", "cells"), [(5, 99, 6), (9, 3, 4), (0, 99, 1)])
def test_bids_not_yet_revealed_are_redrawn_uniformly_r14(coins: int, max_bid: int, cells: int) -> None:
    built = place(BIDDING, "", "", "", coins=[coins, 10, 10], max_bid=max_bid)
    built.play("bid 0", "bid 2")
    drawn = built.redraws(RUTH, 600)
    found = Counter(drawn["bid"][:, GREG].tolist())
    assert set(found) == set(range(cells)) and (cells == 1 or is_uniform(found.values()))
    assert set(drawn["bid"][:, RUTH].tolist()) == {2} and set(drawn["bid"][:, YURI].tolist()) == {NOTHING}
    built.play("bid 1")
    assert (built.redraws(YURI, 20)["bid"] == built.states["bid"]).all(), "revealed bids stay"


def test_the_order_of_the_current_deck_is_redrawn_r14() -> None:
    built = place(CLAIMING, "", "", deck="red green blue+blue", rest="discards")
    drawn = built.redraws(0, 600)
    orders = Counter(tuple(state.deck[:3].tolist()) for state in drawn)
    assert len(orders) == 6 and is_uniform(orders.values())
    assert (drawn["deck"][:, 3:] == built.states["deck"][:, 3:]).all()


def test_the_afternoons_decks_are_redrawn_in_the_morning_r14() -> None:
    drawn = place(CLAIMING, "", "").redraws(0, 700)
    first = Counter(drawn["afternoon_pile"][:, 0].tolist())
    assert set(first) == set(PILES[AFTERNOON]) and is_uniform(first.values())
    last = Counter(TYPES[kind] for kind in drawn["next_deck"][:, 34].tolist())
    alike = {"green", "orange", "purple"}  # four of each
    assert len(last) == 12 and is_uniform([last[kind] for kind in alike])


def test_the_cards_that_left_are_redrawn_r14() -> None:
    morning = place(CLAIMING, "", "")
    drawn = morning.redraws(0, 700)
    assert (drawn["morning_pile"][:, :7] == morning.state.morning_pile[:7]).all()
    assert (drawn["recipe_pile"][:, :8] == morning.state.recipe_pile[:8]).all()
    for pile, shown, cards in (("morning_pile", 7, 24), ("recipe_pile", 8, 30)):
        found = Counter(drawn[pile][:, shown].tolist())
        assert set(found) == set(range(shown, cards)) and is_uniform(found.values())
    afternoon = place(CLAIMING, "", "", period=AFTERNOON)
    drawn = afternoon.redraws(0, 700)
    assert (drawn["afternoon_pile"][:, :7] == afternoon.state.afternoon_pile[:7]).all()
    found = Counter(drawn["afternoon_pile"][:, 7].tolist())
    assert set(found) == set(range(31, 48)) and is_uniform(found.values())


def test_a_redraw_holds_no_trace_of_what_was_hidden_r14() -> None:
    first, second = (
        Table(GAME, 2, {}, {**deal(2, market_afternoon=later), "auction_morning": house + left[::sign],
                            "auction_afternoon": decks["auction_afternoon"][::sign]})
        for decks in [deal(2)]
        for house, left in [(decks["auction_morning"][:2], decks["auction_morning"][2:])]
        for later, sign in (("MA01", 1), ("MA24 MA05", -1))
    )  # fmt: skip
    assert (first.states["deck"] != second.states["deck"]).any()
    assert (first.states["afternoon_pile"] != second.states["afternoon_pile"]).any()
    for seat in range(2):
        one, other = first.redraws(seat, 20), second.redraws(seat, 20)
        for name in set(one.dtype.names) - {"rng"}:
            kept = 28 if name == "deck" else None  # two cards drawn lie above it
            assert (one[name].reshape(20, -1)[:, :kept] == other[name].reshape(20, -1)[:, :kept]).all(), name


# ------------------------------------------------------------------------------------------------------ audit

DAMAGE = [
    (1, {"to_move": 3}),
    (1, {"pending": 2}),
    (1, {"stage": 9}),
    (1, {"period": 2}),
    (1, {"house_period": AFTERNOON}),
    (1, {"turn": 4}),
    (1, {"rounds": 0}),
    (1, {"rounds": 31}),
    (1, {"steps": 5}),
    (1, {"colour": 10}),
    (1, {"heading": 4}),
    (1, {"is_extra": 2}),
    (1, {"deck_len": 36}),
    (1, {"last_seat": 3}),
    (1, {"is_last": 2}),
    (1, {"num_market": 10}),
    (1, {"num_recipes": 13}),
    (1, {"plot": (0, 11)}),
    (1, {"farmer": (0, geometry.NUM_NOTCHES)}),
    (1, {"deck": (0, 21)}),
    (1, {"next_deck": (34, -1)}),
    (1, {"house": (0, 21)}),
    (1, {"discards": (0, -1)}),
    (1, {"morning_pile": (0, 24)}),
    (1, {"afternoon_pile": (0, 23)}),
    (1, {"recipe_pile": (0, 30)}),
    (1, {"market": (0, 48)}),
    (1, {"recipes": (0, 30)}),
    (1, {"market_owner": (0, 4)}),
    (1, {"recipe_owner": (0, -1)}),
    (1, {"plaque_owner": (1, 4)}),
    (1, {"order": (0, 3)}),
    (1, {"space": (0, 3)}),
    (1, {"done": (0, 2)}),
    (2, {"order": (0, 1)}),
    (2, {"space": (0, 1)}),
    (2, {"has_space": (1, 1)}),
    (2, {"bid": (0, 11)}),
    (2, {"bid": (0, 100)}),
    (2, {"bid": (0, -2)}),
    (3, {"discards": (0, 1)}),
    (3, {"deck_len": 20}),
    (3, {"house": (0, TYPES.index("purple"))}),
    (3, {"next_deck": (0, 0)}),
    (4, {"morning_pile": (0, 23)}),
    (4, {"afternoon_pile": (0, 47)}),
    (4, {"market": (0, 1)}),
    (4, {"market": (0, 23)}),
    (4, {"num_market": 7}),
    (4, {"market_owner": (0, 1)}),
    (4, {"market_owner": (30, 1)}),
    (5, {"recipe_pile": (0, 29)}),
    (5, {"recipes": (0, 1)}),
    (5, {"num_recipes": 10}),
    (5, {"recipe_owner": (29, 1)}),
    (6, {"plaque_owner": (0, 0)}),
    (6, {"plaque_owner": (1, NOBODY)}),
    (6, {"plaque_owner": (2, 1)}),
    (7, {"tiles": ((1, 2), 2)}),
    (7, {"tiles": ((0, 0), -1)}),
    (8, {"coins": (2, -1)}),
    (8, {"peppers": ((1, 9), -1)}),
    (9, {"plot": (PLOT["e4"], 2)}),
    (9, {"planted": (0, 2)}),
    (9, {"num_planted": 3}),
    (9, {"frontier": (PLOT["e3"], 0)}),
    (9, {"frontier": (PLOT["e4"], 1)}),
    (9, {"notch_yield": (NOTCH["v5-4"], 0)}),
    (9, {"notch_yield": (NOTCH["v5-3"], 1)}),
    (10, {"farmer": (0, NOTCH["v1-1"])}),
    (10, {"num_farmers": (NOTCH["v0-1"], 0)}),
    (10, {"farmer": (1, NOTCH["v0-1"]), "num_farmers": (NOTCH["v0-1"], 2)}),
    (11, {"points": (0, 2)}),
    (11, {"cards_won": ((0, 0), 0)}),
    (11, {"cards_won": ((1, 1), 2)}),
    (11, {"market_owner": (MARKET_IDS.index("MM09"), 2)}),
]


@pytest.mark.parametrize(("number", "damage"), DAMAGE)
def test_the_audit_sees_damage(number: int, damage: dict[str, Any]) -> None:
    built = place(BIDDING, "red", "blue", "", farmers={0: "v0-1"}, won={0: "MM09", 1: "R02"})
    assert built.fails_audit() == 0 and built.fails_audit(**damage) == number


def test_several_farmers_on_the_star_are_sound() -> None:
    assert place(BIDDING, "", "", "", farmers={0: "v5-4", 1: "v5-4"}).fails_audit() == 0


def test_a_bid_that_was_paid_may_be_above_the_coins_left() -> None:
    built = place(BIDDING, "", "", coins=[10, 10])
    built.play("bid 10", "bid 9", "space 1")
    assert built.state.coins[0] == 0 and built.fails_audit() == 0
    assert built.fails_audit(coins=(1, 8)) == 2, "the other has still to pay"


def test_every_number_of_the_audit_is_seen() -> None:
    assert {number for number, _ in DAMAGE} == set(GAME.spec.audits)


# ---------------------------------------------------------------------------------------------------- actions


def test_actions_stand_where_the_rules_say() -> None:
    actions = GAME.spec.actions
    assert actions.size == 350
    for index, string in {
        0: "bid 0", 99: "bid 99", 100: "space 1", 105: "space 6", 106: "claim blue", 109: "claim green",
        117: "claim yellow+blue", 118: "claim white", 126: "claim red+yellow+blue", 127: "plant red",
        136: "plant phantom", 137: "plot a1", 146: "plot j1", 147: "plot a2", 206: "plot j7", 207: "step nn",
        208: "step ne", 212: "step sw", 213: "step ee", 218: "step ws", 219: "pass", 220: "market MM01",
        243: "market MM24", 244: "market MA01", 263: "market MA20", 264: "market MA21 black",
        265: "market MA21 white", 266: "market MA22 black", 267: "market MA22 white", 268: "market MA23",
        269: "market MA24", 270: "recipe R01", 299: "recipe R30", 300: "sell red 1", 304: "sell red 5",
        305: "sell yellow 1", 349: "sell phantom 5",
    }.items():  # fmt: skip
        assert actions.string(index) == string and actions.parse(string) == index
