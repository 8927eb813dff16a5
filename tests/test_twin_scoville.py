"""The naive twin of Scoville: records, worked examples, rulings, random games."""

import json
import random
from collections import Counter

import pytest

from tests.twins import play_random, scoville
from tests.twins.scoville import COLOURS, NOTCHES, PLOTS, Twin

GAMES = 2


def ledger(twin, line, before):
    """What a move changes of the mover's peppers and coins, reckoned from its string alone."""
    peppers, coins = before
    seat, (verb, *words) = line["seat"], line["move"].split()
    for other in range(twin.num_players):
        if other != seat:
            assert twin.peppers[other] == peppers[other] and twin.coins[other] == coins[other]
    gain, money = Counter(), 0
    if verb == "claim":
        gain.update(words[0].split("+"))
    elif verb == "plant":
        gain.subtract(words)
    elif verb == "market":
        card = scoville.MARKET[words[0]]
        gain.subtract(card["cost"].split("+"))
        reward = words[1] if len(words) > 1 else card["reward_peppers"]
        gain.update([] if reward == "none" else reward.split("+"))
        money = int(card["reward_coins"])
    elif verb == "recipe":
        gain.subtract({c: int(scoville.RECIPES[words[0]][c]) for c in COLOURS})
    elif verb == "sell":
        gain.subtract({words[0]: int(words[1])})
        money = int(words[1]) * (list(twin.field.values()).count(words[0]) // 2)
    elif verb == "space":
        money = -twin.bids[seat]
    change = Counter(twin.peppers[seat])
    change.subtract(peppers[seat])
    if verb == "step":
        assert 0 <= sum(change.values()) <= 2 and min(change.values(), default=0) >= 0
    else:
        change.subtract(gain)
        assert not any(change.values()), (line, change)
    assert twin.coins[seat] == coins[seat] + money


def checked(record):
    header, deal, *middle, result = record
    twin = Twin(header["players"], header["options"], deal["deal"])
    stats = Counter()
    scoville.audit(twin)
    for line in middle:
        if "chance" in line:
            twin.chance(line["chance"])
            stats["reshuffle " + twin.period] += 1
        else:
            assert twin.to_move == line["seat"] and twin.legal() == line["legal"] != []
            before = [Counter(p) for p in twin.peppers], list(twin.coins)
            tiles = sum(map(len, twin.tiles))
            twin.play(line["move"])
            ledger(twin, line, before)
            stats[line["move"].split()[0]] += 1
            spent = tiles - sum(map(len, twin.tiles))
            stats["spent " + line["move"].split()[0]] += spent
            stats["both tiles"] += spent == 2
        scoville.audit(twin)
        stats["full"] = max(stats["full"], len(twin.field))
    assert twin.to_move is None
    assert {"scores": twin.scores, "standing": twin.standing, "truncated": twin.truncated} == result
    stats[f"end {twin.period} {'cut' if twin.truncated else 'rules'} announced={twin.last_round}"] += 1
    stats["rounds"] += twin.round
    return stats


@pytest.mark.slow
@pytest.mark.parametrize("purposeful", [False, True])
@pytest.mark.parametrize("n", range(2, 7))
def test_random_games(n, purposeful):
    stats = Counter()
    for seed in range(GAMES):
        options = scoville.random_options(random.Random(f"{n} {seed}")) if seed % 2 else {}
        record = play_random(scoville, n, options, seed, scoville.purposeful if purposeful else None)
        stats += checked(json.loads(json.dumps(record)))
    print(n, purposeful, dict(stats))


# ---- positions ----


def position(n, order=None, field=None, peppers=None, house=None, coins=None, **options):
    """The claims of round 1, with what is given put in."""
    twin = Twin(n, options, Twin.random_deal(n, options, random.Random(1)))
    twin.order = list(order or range(n))
    if field is not None:
        twin.field = dict(field)
    if peppers:
        twin.peppers = [Counter(held) for held in peppers]
    if coins:
        twin.coins = list(coins)
    if house:
        back = [kind for _, kind in twin.house] + twin.deck
        for kind in house:
            back.remove(kind)
        twin.house, twin.deck = [("morning", kind) for kind in house], back
    twin.waiting = list(twin.order)
    twin._ask("claim")
    return twin


def play_all(twin, *moves):
    for move in moves:
        twin.play(move)


def bidding(twin):
    """The next round's auction."""
    twin._start_round()
    assert twin.step == "bid"
    return twin


def harvesting(twin, notch, seat=0, heading=None, steps_made=0):
    """Seat's farmer is about to step."""
    twin.waiting = [None, seat]
    twin.farmers[seat] = notch
    twin._next_harvester()
    twin.heading, twin.steps_made = heading, steps_made
    return twin


def test_components():
    assert len(PLOTS) == 70 and len(NOTCHES) == 157
    assert sum(len(scoville.plots_beside(notch)) == 1 for notch in NOTCHES) == 34
    assert scoville.plots_beside("v5-4") == ["f4", "e4"] and set(scoville.plots_beside("h3-c")) == {"c3", "c4"}
    assert len(scoville.AUCTION["morning"]) == 30 and len(scoville.AUCTION["afternoon"]) == 35
    assert len(scoville.IDS["morning"]) == len(scoville.IDS["afternoon"]) == 24 and len(scoville.RECIPES) == 30
    assert len(scoville.TYPES) == 21 and len(scoville.ACTIONS) == len(set(scoville.ACTIONS)) == 350
    assert scoville.ACTIONS[220:246] == [f"market MM{i:02d}" for i in range(1, 25)] + ["market MA01", "market MA02"]
    assert scoville.ACTIONS[263:270] == [
        "market MA20", "market MA21 black", "market MA21 white", "market MA22 black", "market MA22 white",
        "market MA23", "market MA24",
    ]  # fmt: skip
    assert scoville.ACTIONS[207:220] == [f"step {s}" for s in scoville.STEPS] + ["pass"]
    for n, row in scoville.COUNTS.items():
        assert int(row["market_cards"]) == 2 * n + 3 and int(row["recipe_cards"]) == 4 * n
    chart = scoville.CHART
    rows = scoville.read_table("breeding_matrix.csv")
    assert all(row[c] == chart[frozenset([row[""], c])] for row in rows for c in COLOURS)
    corners = {scoville.moved(NOTCHES[n], s) for n in NOTCHES for s in "nesw"}
    assert sum(x % 2 == 0 and y % 2 == 0 for x, y in corners) == 88


def test_geometry_of_steps():
    assert scoville.step_end("v5-4", "ne") == "h3-f" and scoville.step_end("v5-4", "nn") == "v5-3"
    assert scoville.step_end("v5-4", "sw") == "h4-e" and scoville.step_end("h3-c", "en") == "v3-3"
    assert scoville.step_end("h3-c", "ws") == "v2-4" and scoville.step_end("h3-c", "ee") == "h3-d"
    assert scoville.step_end("v0-1", "nn") is None and scoville.step_end("v0-1", "nw") is None
    assert scoville.step_end("v0-1", "ne") == "h0-a" and scoville.step_end("h7-j", "ee") is None
    assert scoville.step_end("h7-j", "en") == "v10-7" and scoville.step_end("v5-4", "en") is None
    back = {"n": "s", "s": "n", "e": "w", "w": "e"}
    for notch in NOTCHES:  # every step can be undone
        for step in scoville.STEPS:
            end = scoville.step_end(notch, step)
            if end:
                assert scoville.step_end(end, back[step[1]] + back[step[0]]) == notch


def test_example_1_auction_order():
    greg, ruth, yuri = 0, 1, 2
    twin = bidding(position(3, order=[ruth, yuri, greg]))
    play_all(twin, "bid 5", "bid 5", "bid 7")
    assert twin.to_move == greg and twin.coins == [10, 10, 10]
    play_all(twin, "space 3")
    assert twin.to_move == ruth and twin.legal() == ["space 1", "space 2"] and twin.coins == [3, 10, 10]
    play_all(twin, "space 1")
    assert twin.to_move == yuri and twin.legal() == ["space 2"]
    play_all(twin, "space 2")
    assert twin.order == [ruth, yuri, greg] and twin.coins == [3, 5, 5]
    twin._start_harvest()
    assert twin.waiting == [greg, yuri, ruth]


def test_example_2_a_harvest():
    # nn to v5-3: empty/yellow; nn to v5-2: purple/orange gives white; ne to h1-f: orange/orange gives black
    field = {"f3": "yellow", "f2": "orange", "e2": "purple", "f1": "orange", "e4": "red"}
    twin = harvesting(position(2, field=field, peppers=[[], []]), "v5-4")
    play_all(twin, "step nn")
    assert twin.peppers[0] == Counter()
    play_all(twin, "step nn")
    assert twin.peppers[0] == Counter(["white"])
    play_all(twin, "step ne")
    assert twin.peppers[0] == Counter(["white", "black"]) and twin.farmers[0] == "h1-f"
    harvesting(twin, twin.farmers[0])
    assert twin.legal() == ["step ee", "step en", "step es", "step ww", "step wn", "step ws"]


@pytest.mark.parametrize(
    ("pair", "crop"),
    [
        (("blue", "blue"), ["blue"] * 2), (("brown", "orange"), []), (("brown", "white"), ["white"]),
        (("white", "black"), ["phantom"]), (("phantom", "brown"), ["brown"] * 2),
    ],
)  # fmt: skip
def test_example_3_crops(pair, crop):
    for one, other in (pair, pair[::-1]):
        twin = position(2, field={"e4": one, "f4": other})
        assert twin._yield_at("v5-4") == Counter(crop)


def test_example_4_and_r12_sales():
    colours = ["yellow"] * 5 + ["orange"] * 3 + ["blue"] * 2 + ["red"] + ["purple"] * 0
    twin = position(2, field=dict(zip(PLOTS, colours)), peppers=[Counter({c: 6 for c in COLOURS}), []], coins=[0, 0])
    twin._start_fulfillment()
    sales = [move for move in twin.legal() if move.startswith("sell")]
    assert sales == [f"sell {c} {k}" for c in ("yellow", "blue", "orange") for k in range(1, 6)]
    twin.play("sell yellow 3")
    assert twin.coins[0] == 6 and twin.peppers[0]["yellow"] == 3
    assert not any(move.startswith("sell") for move in twin.legal())


def test_example_5_costs_and_rewards():
    twin = position(2, peppers=[["yellow", "orange"] + ["black", "brown", "red"] * 2, []], coins=[0, 0])
    twin.market, twin.recipes = ["MM16"], ["R21"]
    twin._start_fulfillment()
    play_all(twin, "market MM16")
    assert twin.coins[0] == 3 and twin._card_points(0) == 1 and twin.peppers[0]["brown"] == 3
    play_all(twin, "recipe R21")
    assert twin._card_points(0) == 17 and twin.peppers[0] == Counter(["brown"])


def test_choice_of_reward():
    twin = position(2, peppers=[["green", "orange", "purple"], []])
    twin.market, twin.recipes = ["MA21"], []
    twin._start_fulfillment()
    assert twin.legal() == ["pass", "market MA21 black", "market MA21 white"]
    twin.play("market MA21 white")
    assert twin.peppers[0] == Counter(["white"]) and twin.round == 2


def check_time(n, market, recipes, period="morning", last=False, rounds=1, **options):
    twin = position(n, **options)
    twin.discards = [twin.deck.pop(0)]
    if period == "afternoon":
        twin._start_afternoon()
    twin.market, twin.recipes = twin.market[:market], twin.recipes[:recipes]
    twin.last_round, twin.round = last, rounds
    twin._time_check()
    return twin


def test_examples_6_and_10_time_check_and_r13():
    twin = check_time(3, 1, 3)
    assert twin.period == "afternoon" and len(twin.market) == 9 and len(twin.house) == 3 and not twin.last_round
    assert {period for period, _ in twin.house} == {"morning"} and len(twin.deck) == 35 and twin.discards == []
    twin = check_time(3, 2, 3, "afternoon")
    assert twin.last_round and not twin.over
    twin = check_time(3, 3, 2, "afternoon")
    assert twin.last_round and not twin.over
    twin = check_time(3, 2, 2, "afternoon")
    assert twin.over and not twin.truncated
    twin = check_time(3, 3, 3, "afternoon")
    assert not twin.over and not twin.last_round
    for market in (2, 3):
        twin = check_time(3, market, 2)
        assert twin.last_round and twin.period == "morning" and not twin.over and twin.round == 2
    twin = check_time(3, 3, 3)
    assert twin.period == "morning" and not twin.last_round
    assert check_time(3, 9, 9, last=True).over
    for args in ((3, 9, 9), (3, 9, 2), (3, 2, 9), (3, 2, 9, "afternoon")):
        twin = check_time(*args, rounds=4, max_rounds=4)
        assert twin.over and twin.truncated and not twin.last_round and twin.round == 4
    for args in ((3, 2, 2, "afternoon"), (3, 9, 9, "morning", True)):
        twin = check_time(*args, rounds=4, max_rounds=4)
        assert twin.over and not twin.truncated


def test_example_7_score():
    twin = position(2, coins=[17, 0])
    twin.tiles[0] = ["double_back"]
    twin.market_won[0], twin.recipes_won[0], twin.plaques_won[0] = ["MA19", "MA02", "MA05"], ["R21", "R04"], [5, 2]
    assert twin._card_points(0) == 8 + 21 + 7 and twin.scores[0] == 45


def test_example_8_and_r7_plaques():
    twin = position(4, field={"e4": "red", "f4": "blue"}, peppers=[["green"] * 4] + [[]] * 3)
    twin.waiting = [None, 0]
    twin._next_planter()
    play_all(twin, "plant green", "plot e5", "plant green", "plot e6")
    assert twin.plaques_won[0] == [2] and twin.tiles[0] == ["extra_step", "double_back"]
    bidding(twin)
    twin.waiting = [None, 0]
    twin._next_planter()
    play_all(twin, "plant green", "plot f5")
    assert twin.plaques_won[0] == [2, 2] and len(twin.plaques["secondary"]) == 1


def test_a_plaque_by_the_extra_planting():
    twin = position(4, field={"e4": "red", "f4": "blue"}, peppers=[["red", "white"]] + [[]] * 3)
    twin.waiting = [None, 0]
    twin._next_planter()
    play_all(twin, "plant red", "plot e5")
    assert twin.legal() == ["plant white", "pass"]
    play_all(twin, "plant white", "plot e6")
    assert twin.plaques_won[0] == [7] and twin.step != "plot"


def test_example_9_recipe_points():
    worth = {"primary": 1, "secondary": 2, "brown": 3, "extreme": 4, "phantom": 6}
    tier = {row["colour"]: worth[row["tier"]] for row in scoville.read_table("peppers.csv")}
    for row in scoville.RECIPES.values():
        assert int(row["points"]) == sum(tier[c] * int(row[c]) for c in COLOURS)


def test_example_11_claims():
    ruth, yuri, greg = 0, 1, 2
    twin = position(3, order=[ruth, yuri, greg], house=["purple", "yellow+blue", "red"], peppers=[[]] * 3)
    assert twin.legal() == ["claim red", "claim purple", "claim yellow+blue"]
    play_all(twin, "claim purple", "claim yellow+blue", "claim red")
    assert twin.peppers == [Counter(["purple"]), Counter(["yellow", "blue"]), Counter(["red"])]
    assert len(twin.house) == 3 and {p for p, _ in twin.house} == {"morning"} and len(twin.deck) == 24
    assert twin.step == "plant"


def test_example_12_planting():
    twin = position(3, field={"e4": "red", "f4": "blue"}, peppers=[["purple"], ["red"], ["red"]])
    assert sum(map(len, twin.plaques.values())) == 7
    assert twin.plaques == {"secondary": [2, 2], "brown": [4, 3], "white": [5], "black": [6], "phantom": [8]}
    twin._start_planting()
    twin.play("plant purple")
    assert "plot d3" not in twin.legal() and twin.legal() == [f"plot {p}" for p in ("e3", "f3", "d4", "g4", "e5", "f5")]
    twin.play("plot d4")
    assert twin._card_points(0) == 2 and twin.plaques["secondary"] == [2] and twin.to_move == 1


def test_example_13_star_zero_bidders_and_ties():
    twin = position(3, field={"e4": "red", "f4": "blue"}, peppers=[[], [], []])
    twin._start_harvest()
    assert twin.to_move == 2 and twin.farmers == [None, None, "v5-4"] and twin.peppers[2] == Counter()
    assert twin.legal() == [f"step {s}" for s in ("nn", "ne", "nw", "ss", "se", "sw")]
    twin = bidding(position(3, order=[2, 0, 1]))
    play_all(twin, "bid 0", "bid 0", "bid 3", "space 2")
    assert twin.order == [2, 1, 0]
    twin = bidding(position(3, order=[2, 0, 1]))
    play_all(twin, "bid 0", "bid 0", "bid 0")
    assert twin.order == [2, 0, 1] and twin.step == "claim"
    twin = position(3, coins=[9, 11, 12])
    twin.tiles = [[], [], []]
    assert twin.scores == [3, 3, 4] and twin.standing == [2, 1, 0]
    twin.coins = [9, 9, 12]
    assert twin.standing == [1, 1, 0]


def test_r6_a_full_field():
    full = dict.fromkeys(PLOTS, "red")
    del full["a1"], full["j7"]
    twin = position(3, field=full, peppers=[["red"] * 2] * 3)
    twin._start_planting()
    play_all(twin, "plant red", "plot a1", "plant red", "plot j7")
    assert twin.step == "step" and twin.peppers[1]["red"] >= 2


def test_r8_r9_star_with_another_farmer():
    twin = position(3, field={"e4": "red", "f4": "blue"})
    twin.farmers = ["v5-4", None, "v5-3"]
    harvesting(twin, None, seat=1)
    assert twin.farmers[1] == "v5-4" and "step nn" not in twin.legal()
    play_all(twin, "step ne")
    assert twin.farmers[1] == "h3-f"
    assert "step ws" not in twin.legal() and "step wn" not in twin.legal()  # the star and v5-3 are taken
    assert "step ww" in twin.legal()


def test_r10_r11_tiles_in_harvest():
    twin = harvesting(position(2, field={"e4": "red", "f4": "blue"}), "v5-4")
    assert "pass" not in twin.legal()
    play_all(twin, "step nn")
    assert twin.legal() == [f"step {s}" for s in ("nn", "ne", "nw", "ss", "se", "sw")] + ["pass"]
    play_all(twin, "step ss")
    assert twin.tiles[0] == ["extra_plant", "extra_step"] and twin.farmers[0] == "v5-4"
    assert twin.peppers[0]["purple"] == 1
    assert twin.legal() == [f"step {s}" for s in ("ss", "se", "sw")] + ["pass"]
    play_all(twin, "step ss", "step ss")
    assert twin.tiles[0] == ["extra_plant"] and twin.step != "step"
    twin = harvesting(position(2, field={"e4": "red", "f4": "blue"}), "v5-4")
    play_all(twin, "step nn", "step nn", "step nn")
    assert "step ss" in twin.legal()
    play_all(twin, "step ss")
    assert twin.tiles[0] == ["extra_plant"]
    twin = harvesting(position(2, field={"e4": "red", "f4": "blue"}), "v5-4")
    twin.tiles[0].remove("extra_step")
    play_all(twin, "step nn", "step nn", "step nn")
    assert twin.step != "step"
    twin = harvesting(position(2, field={"e4": "red", "f4": "blue"}), "v0-2")
    twin.farmers[1] = "h0-a"
    play_all(twin, "step nn")
    assert twin.legal() == ["step ss", "step se", "pass"]
    twin = harvesting(position(2, field={"e4": "red", "f4": "blue"}), "v0-2")
    twin.farmers[1] = "h0-a"
    twin.tiles[0] = []
    play_all(twin, "step nn")
    assert twin.step != "step"


def test_a_farmer_that_cannot_step_is_skipped():
    twin = position(4, field={"e4": "red", "f4": "blue"})
    twin.farmers = ["v0-1", "h0-a", "v0-2", "h1-a"]
    twin.waiting = [None, 0, 1]
    twin._next_harvester()
    assert twin.to_move == 1 and twin.farmers[0] == "v0-1"
    twin.farmers[3] = "h1-b"
    twin.waiting = [None, 0, 1]
    twin._next_harvester()
    assert twin.to_move == 0 and twin.legal() == ["step se"]


def test_r5_reshuffle():
    twin = position(2, house=["red", "blue"])
    twin.discards = twin.deck[1:]
    twin.deck = twin.deck[:1]
    play_all(twin, "claim red", "claim blue")
    assert twin.awaiting == "auction_reshuffle" and len(twin.house) == 1 and twin.legal() == []
    assert Counter(twin.discards) >= Counter(["red", "blue"])
    with pytest.raises(ValueError):
        twin.chance({"auction_reshuffle": twin.discards[1:]})
    with pytest.raises(ValueError):
        twin.play("pass")
    twin.chance({"auction_reshuffle": sorted(twin.discards)})
    assert len(twin.house) == 2 and twin.house[1] == ("morning", "blue") and twin.step == "plant"
    exactly = position(2, house=["red", "blue"])
    exactly.discards = exactly.deck[2:]
    exactly.deck = exactly.deck[:2]
    play_all(exactly, "claim red", "claim blue")
    assert exactly.awaiting is None and exactly.deck == []


def test_a_morning_card_claimed_in_the_afternoon_leaves():
    twin = check_time(2, 1, 8)
    play_all(twin, "bid 0", "bid 0")
    play_all(twin, twin.legal()[0])
    play_all(twin, twin.legal()[0])
    assert twin.discards == [] and [p for p, _ in twin.house] == ["afternoon"] * 2 and len(twin.deck) == 33


def test_r15_and_penniless_bids():
    twin = bidding(position(3, coins=[0, 120, 5], max_bid=3))
    assert twin.legal() == ["bid 0"]
    play_all(twin, "bid 0")
    assert twin.legal() == ["bid 0", "bid 1", "bid 2", "bid 3"]
    rich = bidding(position(2, coins=[120, 0]))
    assert len(rich.legal()) == 100


def test_secret_bids_and_recall():
    for recall in (False, True):
        twin = bidding(position(3, recall=recall))
        twin.play("bid 4")
        assert twin.observe(1)["bids"] == [0] * 6 and twin.observe(1)["bid_known"] == [0] * 6
        assert twin.observe(0)["bids"] == [4, 0, 0, 0, 0, 0] and twin.observe(0)["bid_known"][0] == 1
        assert twin.observe(0)["to_act"] == [0, 1, 1, 0, 0, 0] and twin.observe(1)["to_act"] == [1, 1, 0, 0, 0, 0]
        play_all(twin, "bid 0", "bid 2")
        assert twin.observe(1)["bids"] == [0, 2, 4, 0, 0, 0] and twin.observe(1)["bid_known"] == [1, 1, 1, 0, 0, 0]
        assert twin.observe(1)["to_act"] == [0, 1, 1, 0, 0, 0]
        play_all(twin, "space 2")
        assert twin.observe(0)["space"] == [2, 0, 0, 0, 0, 0] and twin.observe(0)["coins"] == 6
        assert twin.observe(0)["known_coins"] == ([6, 10, 10, 0, 0, 0] if recall else [0] * 6)
        play_all(twin, "space 1")
        assert twin.observe(0)["space"] == [0] * 6 and twin.observe(0)["turn_place"] == [2, 3, 1, 0, 0, 0]
