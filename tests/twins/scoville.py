"""Naive twin of scoville_v0, written from the rules text alone.

A pepper is its colour, a seat's peppers are a Counter, the planted plots a dict from "e4" to the colour. Plots, notches
and corners are points of one lattice, (x, y) in half plots from the north-west corner of the field: plots at odd/odd
points, corners at even/even, vertical notches at even/odd and horizontal ones at odd/even. So a plot's four notches lie
one point away from it, a notch's corners and plots one point away from the notch. An auction card is a pair of period
and type, market cards and recipes are ids, piles are lists in drawing order (first drawn first).
"""

import csv
from collections import Counter
from pathlib import Path

GAME = "scoville_v0"
MAX_SEATS = 6
GAMES = 60  # to compare with the kernels: one takes a second or two
DEFAULTS = {"recall": False, "max_rounds": 30, "max_bid": 99}
DATA = Path(__file__).resolve().parents[2] / "pepperenvs" / "games" / "scoville" / "data"
COLUMNS, ROWS = "abcdefghij", "1234567"
LETTERS = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}
STEPS = ["nn", "ne", "nw", "ss", "se", "sw", "ee", "en", "es", "ww", "wn", "ws"]
USUAL_STEPS = 3  # a fourth needs the extra_step
FIRST_COINS, TILE_POINTS, COINS_A_POINT, MOST_SOLD = 10, 4, 3, 5


def read_table(name):
    with open(DATA / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def peppers_of(text):
    """The peppers of a CSV cell, "red+yellow" or "none"."""
    return Counter() if text == "none" else Counter(text.split("+"))


# ---- components ----

COLOURS = [row["colour"] for row in read_table("peppers.csv")]
PRIMARIES = [row["colour"] for row in read_table("peppers.csv") if row["tier"] == "primary"]
TIER = {row["colour"]: row["tier"] for row in read_table("peppers.csv")}
WORTH = {"primary": 1, "secondary": 2, "brown": 3, "extreme": 4, "phantom": 6}  # points of a pepper in a recipe
TILES = [row["tile_type"] for row in read_table("bonus_tiles.csv")]
CHART = {  # what grows between two peppers: "1 green", "2 red" or "X"
    frozenset([row[""], colour]): row[colour] for row in read_table("breeding_matrix.csv") for colour in COLOURS
}
AUCTION = {  # all cards of a period's deck, unshuffled
    period: [
        row["peppers"]
        for row in read_table("auction_types.csv")
        for _ in range(int(row["copies"]))
        if row["period"] == period
    ]
    for period in ("morning", "afternoon")
}
TYPES = list(dict.fromkeys(row["peppers"] for row in read_table("auction_types.csv")))
MARKET = {row["card_id"]: row for row in read_table("market_cards.csv")}
IDS = {period: [card for card, row in MARKET.items() if row["period"] == period] for period in AUCTION}
RECIPES = {row["card_id"]: row for row in read_table("recipe_cards.csv")}
PLAQUES = {}  # points of each stack's plaques, top first
STACK_OF = {}  # the stack of a colour; primary colours have none
for row in read_table("plaques.csv"):
    PLAQUES.setdefault(row["stack"], []).append(int(row["points"]))
    STACK_OF.update(dict.fromkeys(row["matches"].split("|"), row["stack"]))
COUNTS = {int(row["players"]): row for row in read_table("player_counts.csv")}


# ---- the field ----

PLOTS = [column + row for row in ROWS for column in COLUMNS]


def plot_point(plot):
    return 2 * COLUMNS.index(plot[0]) + 1, 2 * ROWS.index(plot[1]) + 1


PLOT_AT = {plot_point(plot): plot for plot in PLOTS}
VERTICAL = {f"v{line}-{row}": (2 * line, 2 * int(row) - 1) for row in ROWS for line in range(len(COLUMNS) + 1)}
HORIZONTAL = {
    f"h{line}-{column}": (2 * COLUMNS.index(column) + 1, 2 * line)
    for line in range(len(ROWS) + 1)
    for column in COLUMNS
}
NOTCHES = {**VERTICAL, **HORIZONTAL}  # row by row from the north, the vertical ones first
NOTCH_AT = {point: notch for notch, point in NOTCHES.items()}
STAR = "v5-4"


def moved(point, letter):
    return point[0] + LETTERS[letter][0], point[1] + LETTERS[letter][1]


def next_plots(plot):
    """The plots orthogonally next to a plot."""
    around = [moved(moved(plot_point(plot), letter), letter) for letter in LETTERS]
    return [PLOT_AT[point] for point in around if point in PLOT_AT]


def plots_beside(notch):
    """The two plots that touch a notch; on the rim there is but one."""
    return [PLOT_AT[point] for letter in LETTERS if (point := moved(NOTCHES[notch], letter)) in PLOT_AT]


def step_end(notch, step):
    """The notch reached through a corner in a direction, None where there is no such step.                [3]"""
    corner = moved(NOTCHES[notch], step[0])
    if corner[0] % 2 or corner[1] % 2:
        return None  # a vertical notch has no corner east or west, a horizontal one none north or south
    return NOTCH_AT.get(moved(corner, step[1]))


def opposite(letter):
    return {"n": "s", "s": "n", "e": "w", "w": "e"}[letter]


# ---- actions ----


def market_moves(card):
    """`market ID`, or one for each reward that the player may choose.                                     [4]"""
    rewards = MARKET[card]["reward_peppers"].split("|")
    return [f"market {card}"] if len(rewards) == 1 else [f"market {card} {reward}" for reward in rewards]


def _all_actions():
    """Every action string, in the order of its index.                                            [actions]"""
    actions = [f"bid {coins}" for coins in range(100)]
    actions += [f"space {number}" for number in range(1, MAX_SEATS + 1)]
    actions += [f"claim {kind}" for kind in TYPES]
    actions += [f"plant {colour}" for colour in COLOURS]
    actions += [f"plot {plot}" for plot in PLOTS]
    actions += [f"step {step}" for step in STEPS]
    actions += ["pass"]
    actions += [move for card in MARKET for move in market_moves(card)]
    actions += [f"recipe {card}" for card in RECIPES]
    actions += [f"sell {colour} {number}" for colour in COLOURS for number in range(1, MOST_SOLD + 1)]
    return actions


ACTIONS = _all_actions()
INDEX = {action: index for index, action in enumerate(ACTIONS)}
DECISIONS = ["bid", "space", "claim", "plant", "plot", "step", "order"]
ONCE_A_ROUND = ["market", "recipe", "sell"]


def complete_options(options):
    """All options.                                                                                [options]"""
    unknown = set(options) - set(DEFAULTS)
    if unknown:
        raise ValueError(f"{GAME}: unknown options {sorted(unknown)}")
    return {**DEFAULTS, **options}


class Twin:
    def __init__(self, num_players, options, deal):
        if num_players not in COUNTS:
            raise ValueError(f"{GAME}: {num_players} players")
        self.num_players = num_players
        self.options = complete_options(options)
        self.num_market = int(COUNTS[num_players]["market_cards"])
        self._check_deal(deal)
        self.period = "morning"
        self.round = 0
        self.last_round = False  # this round was announced as the last
        self.order = list(deal["turn_order"])  # of this round; in its auction still that of the round before
        self.field = dict(deal["plots"])
        self.market = list(deal["market_morning"])
        self.market_afternoon = list(deal["market_afternoon"])
        self.recipes = list(deal["recipes"])
        self.decks = {"morning": list(deal["auction_morning"]), "afternoon": list(deal["auction_afternoon"])}
        self.deck = self.decks["morning"]
        self.discards = []
        self.house = [("morning", self.deck.pop(0)) for _ in self.seats]
        self.plaques = {stack: points[int(num_players <= 3) :] for stack, points in PLAQUES.items()}
        self.coins = [FIRST_COINS for _ in self.seats]
        self.peppers = [Counter(PRIMARIES) for _ in self.seats]
        self.tiles = [list(TILES) for _ in self.seats]
        self.market_won = [[] for _ in self.seats]
        self.recipes_won = [[] for _ in self.seats]
        self.plaques_won = [[] for _ in self.seats]  # points of each
        self.farmers = [None for _ in self.seats]  # notches; None: off the board
        self.step = None  # a decision of DECISIONS, "reshuffle" or "over"
        self.waiting = []  # the seats still to act in this phase, in order; the first is asked
        self.asked = self.order[0]  # the seat asked, or the one that was asked last
        self.truncated = False
        self._start_round()

    @property
    def seats(self):
        return range(self.num_players)

    def _check_deal(self, deal):
        """Cards of the right kinds and numbers.                                                    [set-up]"""
        keys = ["turn_order", "plots", "market_morning", "market_afternoon", "recipes"]
        if set(deal) != {*keys, "auction_morning", "auction_afternoon"}:
            raise ValueError(f"{GAME}: the deal's keys are {sorted(deal)}")
        if sorted(deal["turn_order"]) != list(self.seats):
            raise ValueError(f"{GAME}: {deal['turn_order']} is no turn order")
        planted = set(deal["plots"].values())
        if set(deal["plots"]) != {"e4", "f4"} or len(planted) != 2 or not planted <= set(PRIMARIES):
            raise ValueError(f"{GAME}: {deal['plots']} cannot be planted")
        for name, cards, number in (
            ("market_morning", IDS["morning"], self.num_market),
            ("market_afternoon", IDS["afternoon"], len(IDS["afternoon"])),
            ("recipes", list(RECIPES), int(COUNTS[self.num_players]["recipe_cards"])),
            ("auction_morning", AUCTION["morning"], len(AUCTION["morning"])),
            ("auction_afternoon", AUCTION["afternoon"], len(AUCTION["afternoon"])),
        ):
            if len(deal[name]) != number or Counter(deal[name]) - Counter(cards):
                raise ValueError(f"{GAME}: the dealt {name} are not {number} of its cards")

    # ---- the interface ----

    @property
    def over(self):
        return self.step == "over"

    @property
    def awaiting(self):
        """An auction card is needed and the deck is empty: the discards' new order must come.            [R5]"""
        return "auction_reshuffle" if self.step == "reshuffle" else None

    @property
    def to_move(self):
        """The seat asked; while a reshuffle is awaited, the seat that was asked last."""
        return None if self.over else self.asked

    def legal(self):
        """The legal actions, in the order of their indices.                                       [actions]"""
        if self.step not in DECISIONS:
            return []
        moves = {
            "bid": self._legal_bids,
            "space": self._legal_spaces,
            "claim": self._legal_claims,
            "plant": self._legal_plants,
            "plot": self._legal_plots,
            "step": self._legal_in_harvest,
            "order": self._legal_in_fulfillment,
        }[self.step]()
        return sorted(moves, key=INDEX.get)

    def play(self, move):
        if move not in self.legal():
            raise ValueError(f"{GAME}: seat {self.to_move} cannot {move!r}; legal: {self.legal()}")
        verb, *words = move.split()
        {
            "bid": self._bid,
            "space": self._space,
            "claim": self._claim,
            "plant": self._plant,
            "plot": self._plot,
            "step": self._step,
            "market": self._market,
            "recipe": self._recipe,
            "sell": self._sell,
            "pass": self._pass,
        }[verb](self.asked, *words)

    def chance(self, outcome):
        """The discards, shuffled, are the new deck; the refilling goes on.                               [R5]"""
        if self.awaiting is None or list(outcome) != ["auction_reshuffle"]:
            raise ValueError(f"{GAME}: {outcome} came where {self.awaiting} is awaited")
        if Counter(outcome["auction_reshuffle"]) != Counter(self.discards):
            raise ValueError(f"{GAME}: the reshuffled cards are not those of the discards")
        self.deck = list(outcome["auction_reshuffle"])
        self.discards = []
        self._refill_house()

    def _ask(self, step):
        """The first of those that wait is asked for a decision."""
        self.step = step
        self.asked = self.waiting[0]

    def _pass(self, seat):
        """No extra planting, no further step, no further order: the next phase of play goes on.     [2, 3, 4]"""
        {"plant": self._next_planter, "step": self._next_harvester, "order": self._next_to_fulfil}[self.step]()

    # ---- 1. auction ----

    def _start_round(self):
        """Round 1 has no bids, its order was dealt.                                               [a round]"""
        self.round += 1
        self.bids = {}
        self.spaces = {}  # seats by the space that they took in this auction
        self.revealed = False
        self.had_plaque = set()  # seats that took a plaque this round
        self.extra = False  # the planting asked for, or begun, is the extra one
        self.chosen = None  # the colour that the seat asked has to put on a plot
        self.heading = None  # the letter that the farmer whose turn it is travelled in last
        self.steps_made = 0
        self.done = set()  # what the seat asked has done of ONCE_A_ROUND
        self.waiting = list(self.order)
        self._ask("claim" if self.round == 1 else "bid")

    def _legal_bids(self):
        """0 up to all coins, or up to max_bid.                                                       [1, R15]"""
        return [f"bid {coins}" for coins in range(min(self.coins[self.asked], self.options["max_bid"]) + 1)]

    def _bid(self, seat, coins):
        """Secretly, in the order of the round before.                                                     [1]"""
        self.bids[seat] = int(coins)
        self.waiting.pop(0)
        if self.waiting:
            self._ask("bid")
        else:
            self._reveal_bids()

    def _reveal_bids(self):
        """From the highest bid down, ties as the order was before; zero bidders are not asked.            [1]"""
        self.revealed = True
        bidders = [seat for seat in self.order if self.bids[seat] > 0]
        self.waiting = sorted(bidders, key=lambda seat: -self.bids[seat])  # sorted() is stable
        self._next_bidder()

    def _next_bidder(self):
        if self.waiting:
            self._ask("space")
        else:
            self._set_order()

    def _free_spaces(self):
        return [number for number in range(1, self.num_players + 1) if number not in self.spaces]

    def _legal_spaces(self):
        return [f"space {number}" for number in self._free_spaces()]

    def _space(self, seat, number):
        """The seat takes a free space and pays its bid.                                                   [1]"""
        self.spaces[int(number)] = seat
        self.coins[seat] -= self.bids[seat]
        self.waiting.pop(0)
        self._next_bidder()

    def _set_order(self):
        """Zero bidders fill the lowest free spaces in their old order; then the claims begin.              [1]"""
        for seat in self.order:
            if self.bids[seat] == 0:
                self.spaces[self._free_spaces()[0]] = seat
        self.order = [self.spaces[number] for number in sorted(self.spaces)]
        self.spaces = {}
        self.waiting = list(self.order)
        self._ask("claim")

    def _legal_claims(self):
        """Identical cards are one choice.                                                                  [1]"""
        return {f"claim {kind}" for _, kind in self.house}

    def _claim(self, seat, kind):
        """The seat takes the card's peppers and discards it; in the afternoon a morning card leaves.  [1, R5]"""
        card = next(card for card in self.house if card[1] == kind)
        self.house.remove(card)
        self.peppers[seat] += peppers_of(kind)
        if card[0] == self.period:
            self.discards.append(kind)
        self.waiting.pop(0)
        if self.waiting:
            self._ask("claim")
        else:
            self._refill_house()

    def _refill_house(self):
        """n cards of the period's deck; the discards become the deck when a card is needed.            [1, R5]"""
        while len(self.house) < self.num_players:
            if not self.deck:
                self.step = "reshuffle"
                return
            self.house.append((self.period, self.deck.pop(0)))
        self._start_planting()

    # ---- 2. planting ----

    def _free_plots(self):
        """Empty plots orthogonally next to a planted one.                                                 [2]"""
        near = {plot for planted in self.field for plot in next_plots(planted)}
        return [plot for plot in PLOTS if plot in near and plot not in self.field]

    def _start_planting(self):
        """In turn order.                                                                                  [2]"""
        self.waiting = [None, *self.order]
        self._next_planter()

    def _next_planter(self):
        """On a full field nobody plants any more.                                                      [2, R6]"""
        self.waiting.pop(0)
        self.extra = False
        if self.waiting and self._free_plots():
            self._ask("plant")
        else:
            self._start_harvest()

    def _legal_plants(self):
        """A colour that the seat holds; the extra planting may be declined.                               [2]"""
        held = [f"plant {colour}" for colour in self.peppers[self.asked]]
        return [*held, "pass"] if self.extra else held

    def _plant(self, seat, colour):
        """The pepper is on its way to a plot; the extra one costs the tile.                               [2]"""
        self.peppers[seat] -= Counter([colour])
        self.chosen = colour
        if self.extra:
            self.tiles[seat].remove("extra_plant")
        self._ask("plot")

    def _legal_plots(self):
        return [f"plot {plot}" for plot in self._free_plots()]

    def _plot(self, seat, plot):
        """Planted; a plaque may be won; the tile opens the extra planting.                             [2, R7]"""
        self.field[plot] = self.chosen
        self._award_plaque(seat, self.chosen)
        self.chosen = None
        if not self.extra and "extra_plant" in self.tiles[seat] and self.peppers[seat] and self._free_plots():
            self.extra = True
            self._ask("plant")
        else:
            self._next_planter()

    def _award_plaque(self, seat, colour):
        """The top one of the colour's stack, at most one a round.                                         [R7]"""
        stack = self.plaques.get(STACK_OF.get(colour))
        if stack and seat not in self.had_plaque:
            self.plaques_won[seat].append(stack.pop(0))
            self.had_plaque.add(seat)

    # ---- 3. harvesting ----

    def _start_harvest(self):
        """In reverse turn order.                                                                       [3, R8]"""
        self.waiting = [None, *reversed(self.order)]
        self._next_harvester()

    def _next_harvester(self):
        """In its first harvest the farmer is put on the star, without a yield, whoever stands there.    [3, R9]"""
        self.waiting.pop(0)
        self.heading = None
        self.steps_made = 0
        if not self.waiting:
            self._start_fulfillment()
            return
        if self.farmers[self.waiting[0]] is None:
            self.farmers[self.waiting[0]] = STAR
        self._go_on_harvesting()

    def _go_on_harvesting(self):
        """Asked while a further step is legal; a blocked farmer is skipped.                               [3]"""
        if self._legal_steps(self.waiting[0]):
            self._ask("step")
        else:
            self._next_harvester()

    def _legal_in_harvest(self):
        steps = [f"step {step}" for step in self._legal_steps(self.asked)]
        return [*steps, "pass"] if self.steps_made else steps

    def _legal_steps(self, seat):
        """On the grid, not onto another farmer, through a corner that is open.                  [3, R9, R10, R11]"""
        most = USUAL_STEPS + ("extra_step" in self.tiles[seat])
        if self.steps_made >= most:
            return []
        others = [self.farmers[other] for other in self.seats if other != seat]
        ends = {step: step_end(self.farmers[seat], step) for step in STEPS if step[0] in self._open_corners(seat)}
        return [step for step, end in ends.items() if end is not None and end not in others]

    def _open_corners(self, seat):
        """First either corner, then the one ahead, with double_back the one behind too.               [3, R11]"""
        if self.heading is None:
            return list(LETTERS)
        return [self.heading, opposite(self.heading)] if "double_back" in self.tiles[seat] else [self.heading]

    def _step(self, seat, step):
        """To the next notch; spends the tiles it needs, and yields.                               [3, R10, R11]"""
        if self.heading is not None and step[0] != self.heading:
            self.tiles[seat].remove("double_back")
        self.steps_made += 1
        if self.steps_made > USUAL_STEPS:
            self.tiles[seat].remove("extra_step")
        self.farmers[seat] = step_end(self.farmers[seat], step)
        self.heading = step[1]
        self.peppers[seat] += self._yield_at(self.farmers[seat])
        self._go_on_harvesting()

    def _yield_at(self, notch):
        """The chart's peppers between two planted plots.                                          [3, chart]"""
        parents = [self.field[plot] for plot in plots_beside(notch) if plot in self.field]
        if len(parents) < 2 or CHART[frozenset(parents)] == "X":
            return Counter()
        number, colour = CHART[frozenset(parents)].split()
        return Counter({colour: int(number)})

    # ---- 4. fulfillment ----

    def _start_fulfillment(self):
        """In turn order.                                                                                  [4]"""
        self.waiting = [None, *self.order]
        self._next_to_fulfil()

    def _next_to_fulfil(self):
        self.waiting.pop(0)
        self.done = set()
        if self.waiting:
            self._go_on_fulfilling()
        else:
            self._time_check()

    def _go_on_fulfilling(self):
        """Asked until nothing more is possible.                                                           [4]"""
        if self._possible_orders(self.waiting[0]):
            self._ask("order")
        else:
            self._next_to_fulfil()

    def _legal_in_fulfillment(self):
        return [*self._possible_orders(self.asked), "pass"]

    def _possible_orders(self, seat):
        """Market card, recipe and sale, each once a round.                                                [4]"""
        moves = self._possible_markets(seat) + self._possible_recipes(seat) + self._possible_sales(seat)
        return [move for move in moves if move.split()[0] not in self.done]

    def _possible_markets(self, seat):
        can = [card for card in self.market if peppers_of(MARKET[card]["cost"]) <= self.peppers[seat]]
        return [move for card in can for move in market_moves(card)]

    def _possible_recipes(self, seat):
        return [f"recipe {card}" for card in self.recipes if self._recipe_cost(card) <= self.peppers[seat]]

    def _recipe_cost(self, card):
        return Counter({colour: int(RECIPES[card][colour]) for colour in COLOURS})

    def _price(self, colour):
        """Half the planted peppers of the colour, rounded down.                                           [4]"""
        return list(self.field.values()).count(colour) // 2

    def _possible_sales(self, seat):
        """1 to 5 of one colour, never for nothing.                                                    [4, R12]"""
        return [
            f"sell {colour} {number}"
            for colour, held in self.peppers[seat].items()
            for number in range(1, min(held, MOST_SOLD) + 1)
            if self._price(colour) > 0
        ]

    def _market(self, seat, card, choice=None):
        """The cost for the reward; the card is kept.                                                      [4]"""
        self.market.remove(card)
        self.market_won[seat].append(card)
        self.peppers[seat] -= peppers_of(MARKET[card]["cost"])
        self.peppers[seat] += peppers_of(choice or MARKET[card]["reward_peppers"])
        self.coins[seat] += int(MARKET[card]["reward_coins"])
        self._done("market")

    def _recipe(self, seat, card):
        """The peppers are paid, the card is kept.                                                         [4]"""
        self.recipes.remove(card)
        self.recipes_won[seat].append(card)
        self.peppers[seat] -= self._recipe_cost(card)
        self._done("recipe")

    def _sell(self, seat, colour, number):
        """Each for the colour's price.                                                                    [4]"""
        self.peppers[seat] -= Counter({colour: int(number)})
        self.coins[seat] += int(number) * self._price(colour)
        self._done("sell")

    def _done(self, what):
        self.done.add(what)
        self._go_on_fulfilling()

    # ---- 5. time check ----

    def _time_check(self):
        """Does the game end, go on, or go on for a last round?                                        [5, R13]"""
        few_market = len(self.market) < self.num_players
        few_recipes = len(self.recipes) < self.num_players
        both_few = few_market and few_recipes
        if self.last_round or (self.period == "afternoon" and both_few):
            self.step = "over"
        elif self.round == self.options["max_rounds"]:
            self.step = "over"
            self.truncated = True
        else:
            if few_recipes or (self.period == "afternoon" and few_market):
                self.last_round = True
            elif few_market:
                self._start_afternoon()
            self._start_round()

    def _start_afternoon(self):
        """New market cards; the house stays, later cards come from the afternoon deck.                    [5]"""
        self.period = "afternoon"
        self.market = self.market_afternoon[: self.num_market]
        self.deck = self.decks["afternoon"]
        self.discards = []

    # ---- the end ----

    def _card_points(self, seat):
        """Points won: market cards, recipes and plaques.                                                [end]"""
        market = sum(int(MARKET[card]["points"]) for card in self.market_won[seat])
        recipes = sum(int(RECIPES[card]["points"]) for card in self.recipes_won[seat])
        return market + recipes + sum(self.plaques_won[seat])

    @property
    def scores(self):
        """Points won, 4 for each unused tile, one for every three coins.                                [end]"""
        return [
            self._card_points(seat) + TILE_POINTS * len(self.tiles[seat]) + self.coins[seat] // COINS_A_POINT
            for seat in self.seats
        ]

    @property
    def standing(self):
        """Most points win, then most coins; a further tie is shared: how many stand strictly before.     [end]"""
        places = list(zip(self.scores, self.coins))
        return [sum(other > mine for other in places) for mine in places]

    # ---- what a seat sees ----

    def observe(self, seat):
        """What is public, what lies behind the own screen; with recall behind every screen.    [what a seat sees]

        A segment of seats begins with the own one, then clockwise, then zeros for the absent ones. Colours are in the
        order of peppers.csv, auction types, market cards and recipes in that of the actions.

        decision       [7] 1 for what is asked: bid, space, claim, plant, plot, step, order; none after the end
        asked          [seats] 1 for the seat asked; none after the end
        to_act         [seats] 1 while a seat has still to act in the current phase, the one asked included
        round          from 1
        rounds_left    rounds still to begin before the game is cut short
        afternoon      0 morning, 1 afternoon
        last_round     1 if this round was announced as the last
        turn_place     [seats] place in the turn order, 1 = first; until the new order is complete, that of the old one
        space          [seats] space taken in the auction going on; 0 for none, and once the order is complete
        bids           [seats] bids of this round: the own one when made, all once they are revealed
        bid_known      [seats] 1 where `bids` holds a bid
        field          [10 colours, 70 plots] 1 for what is planted; plots row by row as in the actions
        plantable      [70 plots] 1 for an empty plot next to a planted one
        notch_worth    [157 notches] what a step there yields, in the points that recipes give for such peppers:
                       1 primary, 2 secondary, 3 brown, 4 white or black, 6 phantom; the notches go
                       v0-1 v1-1 .. v10-1 v0-2 .. v10-7, then h0-a h0-b .. h0-j h1-a .. h7-j
        own_farmer     [157 notches] 1 for where the own farmer stands
        other_farmers  [157 notches] farmers of other seats there
        farmer_place   [seats, 3] 1 and the lattice point of a farmer that is on the board
        heading        [4: n s e w] 1 for the letter last travelled in, within the turn of the farmer that is moving
        steps_made     steps made in the turn of the farmer that is moving
        step_yield     [12 steps, 10 colours] peppers that the notch grows to which each step from the own farmer leads,
                       or from the star if it is not on the board
        extra_plant    1 while the planting asked for, or begun, is that of the tile
        planting       [10 colours] 1 for the pepper that must now be put on a plot
        had_plaque     [seats] 1 for a seat that has taken a plaque this round
        done           [3: market, recipe, sell] 1 for what the seat whose orders are asked has done already
        price          [10 colours] what the bank pays
        house          [21 types] cards in the auction house
        discards       [21 types] discards of the current deck
        deck_size      cards left in it
        market         [48 ids] 1 for a card shown
        can_fulfil     [48 ids] 1 for a card shown that the own peppers pay
        recipes        [30 ids] 1 for a card shown
        can_cook       [30 ids] 1 for a card shown that the own peppers pay
        plaques        [5 stacks: secondary brown white black phantom] plaques left in each
        plaque_points  [5 stacks] points of the top one
        tiles          [seats, 3: extra_plant extra_step double_back] 1 for a tile not used
        market_won     [seats] market cards won
        recipes_won    [seats] recipes won
        peppers        [10 colours] own peppers; one that must be put on a plot is no longer among them
        coins          own coins
        points         own points of market cards, recipes and plaques
        num_players    players
        max_bid        the option
        known_peppers  [seats, 10 colours] with recall: peppers of every seat
        known_coins    [seats] with recall
        known_points   [seats] with recall
        """
        recall = self.options["recall"]

        def each(of, empty=0):
            """One entry a seat, own first, then clockwise, then the absent seats."""
            there = [of((seat + i) % self.num_players) for i in self.seats]
            return there + [empty for _ in range(MAX_SEATS - self.num_players)]

        def marks(things, there):
            return [int(thing in there) for thing in things]

        def mark(things, thing):
            """1 for one thing, 0 for the others; all 0 for None."""
            row = [0] * len(things)
            if thing is not None:
                row[things.index(thing)] = 1
            return row

        def count(things, there):
            return [there.count(thing) for thing in things]

        def bid_of(other):
            """A bid that the seat knows, else None."""
            return self.bids.get(other) if self.revealed or other == seat else None

        def peppers(other):
            return [self.peppers[other][colour] for colour in COLOURS]

        def pays(cost):
            return peppers_of(cost) <= self.peppers[seat]

        def cooks(card):
            return self._recipe_cost(card) <= self.peppers[seat]

        def grown(notch):
            return self._yield_at(notch) if notch else Counter()

        notches = list(NOTCHES)
        taken = {other: number for number, other in self.spaces.items()}
        asked = [self.asked] if self.step in DECISIONS else []
        return {
            "decision": mark(DECISIONS, self.step if asked else None),
            "asked": each(lambda other: int(other in asked)),
            "to_act": each(lambda other: int(other in self.waiting)),
            "round": self.round,
            "rounds_left": self.options["max_rounds"] - self.round,
            "afternoon": int(self.period == "afternoon"),
            "last_round": int(self.last_round),
            "turn_place": each(lambda other: self.order.index(other) + 1),
            "space": each(lambda other: taken.get(other, 0)),
            "bids": each(lambda other: bid_of(other) or 0),
            "bid_known": each(lambda other: int(bid_of(other) is not None)),
            "field": [[int(self.field.get(plot) == colour) for plot in PLOTS] for colour in COLOURS],
            "plantable": [
                int(plot not in self.field and any(other in self.field for other in next_plots(plot))) for plot in PLOTS
            ],
            "notch_worth": [
                sum(WORTH[TIER[colour]] * number for colour, number in self._yield_at(notch).items())
                for notch in notches
            ],
            "own_farmer": mark(notches, self.farmers[seat]),
            "other_farmers": [
                sum(self.farmers[other] == notch for other in range(self.num_players) if other != seat)
                for notch in notches
            ],
            "farmer_place": each(
                lambda other: [1, *NOTCHES[self.farmers[other]]] if self.farmers[other] else [0, 0, 0], [0, 0, 0]
            ),
            "heading": mark(["n", "s", "e", "w"], self.heading),
            "steps_made": self.steps_made,
            "step_yield": [
                [grown(step_end(self.farmers[seat] or STAR, step))[colour] for colour in COLOURS] for step in STEPS
            ],
            "extra_plant": int(self.extra),
            "planting": mark(COLOURS, self.chosen),
            "had_plaque": each(lambda other: int(other in self.had_plaque)),
            "done": marks(ONCE_A_ROUND, self.done),
            "price": [self._price(colour) for colour in COLOURS],
            "house": count(TYPES, [kind for _, kind in self.house]),
            "discards": count(TYPES, self.discards),
            "deck_size": len(self.deck),
            "market": marks(MARKET, self.market),
            "can_fulfil": marks(MARKET, [card for card in self.market if pays(MARKET[card]["cost"])]),
            "recipes": marks(RECIPES, self.recipes),
            "can_cook": marks(RECIPES, [card for card in self.recipes if cooks(card)]),
            "plaques": [len(stack) for stack in self.plaques.values()],
            "plaque_points": [stack[0] if stack else 0 for stack in self.plaques.values()],
            "tiles": each(lambda other: marks(TILES, self.tiles[other]), [0] * len(TILES)),
            "market_won": each(lambda other: len(self.market_won[other])),
            "recipes_won": each(lambda other: len(self.recipes_won[other])),
            "peppers": peppers(seat),
            "coins": self.coins[seat],
            "points": self._card_points(seat),
            "num_players": self.num_players,
            "max_bid": self.options["max_bid"],
            "known_peppers": each(lambda other: peppers(other) if recall else [0] * len(COLOURS), [0] * len(COLOURS)),
            "known_coins": each(lambda other: self.coins[other] if recall else 0),
            "known_points": each(lambda other: self._card_points(other) if recall else 0),
        }

    # ---- randomness ----

    @staticmethod
    def random_deal(num_players, options, rng):
        """All shuffled; two different primary peppers; a random turn order.                        [set-up]"""

        def shuffled(things):
            return rng.sample(things, len(things))

        counts = COUNTS[num_players]
        return {
            "turn_order": shuffled(range(num_players)),
            "plots": dict(zip(["e4", "f4"], rng.sample(PRIMARIES, 2))),
            "market_morning": rng.sample(IDS["morning"], int(counts["market_cards"])),
            "market_afternoon": shuffled(IDS["afternoon"]),
            "recipes": rng.sample(list(RECIPES), int(counts["recipe_cards"])),
            "auction_morning": shuffled(AUCTION["morning"]),
            "auction_afternoon": shuffled(AUCTION["afternoon"]),
        }

    def random_outcome(self, rng):
        """The discards, shuffled.                                                                        [R5]"""
        if self.awaiting is None:
            raise ValueError(f"{GAME}: no random outcome is awaited")
        return {"auction_reshuffle": rng.sample(self.discards, len(self.discards))}


# ---- how the tests play it ----


def changed_options(options):
    """Those that differ from the default."""
    return {name: value for name, value in options.items() if value != DEFAULTS[name]}


def random_options(rng):
    """Options other than the default; mostly few rounds, since a round is long."""
    return {
        "recall": rng.choice([False, True]),
        "max_rounds": rng.choice([1, 3, 6, 29]),
        "max_bid": rng.choice([0, 2, 10, 98]),
    }


def purposeful(twin, legal, rng):
    """Bids little, plants where much is planted, harvests what yields, fulfils what it can; now and then it errs.
    So the games reach the afternoon, the plaques, every tile and the end by the rules."""
    if rng.random() < 0.05:
        return rng.choice(legal)
    if twin.step == "bid":
        return rng.choice(legal[:4])
    if twin.step == "plant":
        return "pass" if twin.extra and rng.random() < 0.8 else max(legal, key=lambda move: (wanted(twin, move), move))
    if twin.step == "plot":
        return max(legal, key=lambda move: (neighbours(twin, move), rng.random()))
    if twin.step == "step":
        return max(legal, key=lambda move: (harvest(twin, move), rng.random()))
    if twin.step == "order":
        return max(legal, key=lambda move: (["pass", "sell", "market", "recipe"].index(move.split()[0]), rng.random()))
    return rng.choice(legal)


def wanted(twin, move):
    """Worth of planting a colour: a plaque, then a colour held often. A refusal of the tile is worth least."""
    if move == "pass":
        return -1
    colour = move.split()[1]
    stack = twin.plaques.get(STACK_OF.get(colour), [])
    return sum(stack[:1]) * (twin.asked not in twin.had_plaque) + twin.peppers[twin.asked][colour]


def neighbours(twin, move):
    """Planted plots next to a plot."""
    return sum(plot in twin.field for plot in next_plots(move.split()[1]))


def harvest(twin, move):
    """Peppers that a step yields; a step that spends a tile must yield the rarer ones to be better than a pass."""
    if move == "pass":
        return 0.5
    step = move.split()[1]
    gain = twin._yield_at(step_end(twin.farmers[twin.asked], step))
    spends = (twin.heading not in (None, step[0])) + (twin.steps_made >= USUAL_STEPS)
    return sum(COLOURS.index(colour) ** 0.5 + 1 for colour in gain.elements()) - 2 * spends


# ---- invariants ----


def audit(twin):
    """Everything is accounted for, and what the seats see agrees with it."""
    n = twin.num_players
    auction = Counter(twin.deck) + Counter(twin.discards) + Counter(k for p, k in twin.house if p == twin.period)
    gone = Counter(AUCTION[twin.period]) - auction
    assert not auction - Counter(AUCTION[twin.period]) and not gone
    assert len(twin.house) <= n and sorted(twin.order) == list(range(n))
    ids = twin.market + [card for own in twin.market_won for card in own]
    assert len(ids) == len(set(ids))
    won_now = [card for own in twin.market_won for card in own if card in IDS[twin.period]]
    assert len(twin.market) + len(won_now) == 2 * n + 3
    assert len(twin.recipes) + sum(map(len, twin.recipes_won)) == 4 * n
    assert len(set(twin.recipes + [card for own in twin.recipes_won for card in own])) == 4 * n
    plaques = [p for s in twin.plaques.values() for p in s] + [p for own in twin.plaques_won for p in own]
    assert sorted(plaques) == sorted(p for s in PLAQUES.values() for p in s[n <= 3 :])
    assert min(twin.coins) >= 0 and all(v > 0 for held in twin.peppers for v in held.values())
    off_star = [f for f in twin.farmers if f not in (None, STAR)]
    assert len(off_star) == len(set(off_star))
    reached, todo = {"e4"}, ["e4"]
    while todo:
        new = [p for p in next_plots(todo.pop()) if p in twin.field and p not in reached]
        reached |= set(new)
        todo += new
    assert reached == set(twin.field)
    for seat in range(n):
        view = twin.observe(seat)
        assert sum(view["decision"]) == sum(view["asked"]) == (twin.to_move is not None and twin.awaiting is None)
        assert sum(map(sum, view["field"])) == len(twin.field)
        standing = sum(view["own_farmer"]) + sum(view["other_farmers"])
        assert standing == sum(f is not None for f in twin.farmers) == sum(row[0] for row in view["farmer_place"])
        assert sum(view["tiles"][0]) == len(twin.tiles[seat])
        assert sorted(view["turn_place"][:n]) == list(range(1, n + 1))
        assert all(t >= a for t, a in zip(view["to_act"], view["asked"]))
        assert view["peppers"] == [twin.peppers[seat][c] for c in COLOURS]
        assert (view["known_peppers"][0] == view["peppers"]) or not twin.options["recall"]
        if twin.step == "bid":
            assert sum(view["bid_known"]) == (seat in twin.bids)
