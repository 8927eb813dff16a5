"""Naive twin of peppers_of_the_caribbean_v0, written from the rules text alone.

A card is a string, "red-ham-2" or "rum-red-green". The pile is a list in drawing order (first drawn first), the supply
is a list; hands, the cards in front of the seats and the discards are Counters; bonus cards are ids.
"""

import csv
from collections import Counter
from itertools import combinations
from pathlib import Path

GAME = "peppers_of_the_caribbean_v0"
MAX_SEATS = 4
DEFAULTS = {"recall": False, "max_moves": 2000}
DEALT, SUPPLY, HAND_LIMIT, DRAWN, OPEN_BONUSES = 4, 6, 7, 2, 8
STEPS = ["turn", "set", "drop", "bonus"]
DATA = Path(__file__).resolve().parents[2] / "pepperenvs" / "games" / "peppers_of_the_caribbean" / "data"


def read_table(name):
    with open(DATA / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


# ---- components ----

COLOURS_OF, DISH_OF, VALUE, NAMES, ALL_CARDS = {}, {}, {}, {}, []
for row in read_table("pirates.csv"):
    card = f"{row['colour']}-{row['dish']}-{row['value']}"
    COLOURS_OF[card], DISH_OF[card], VALUE[card] = [row["colour"]], row["dish"], int(row["value"])
    NAMES[card] = [row["dish"], row["colour"]]  # what a discarded card can name, in the order of the actions
    ALL_CARDS += [card] * int(row["copies"])
for row in read_table("rum.csv"):
    card = f"rum-{row['colour_1']}-{row['colour_2']}"
    COLOURS_OF[card], DISH_OF[card], VALUE[card] = [row["colour_1"], row["colour_2"]], None, int(row["value"])
    NAMES[card] = [row["colour_1"], row["colour_2"]]
    ALL_CARDS += [card] * int(row["copies"])
TYPES = list(NAMES)
NO_CARDS = dict.fromkeys(TYPES, 0)
BONUSES = {row["bonus_id"]: row for row in read_table("bonus_cards.csv")}
NEEDED = {  # how much a bonus card that is scored during the game asks for
    "first_3_pirates_of_colour": 3,
    "first_4_different_colours": 4,
    "first_4_different_dishes": 4,
    "first_3_rum_cards": 3,
    "first_8_cards": 8,
    "first_3_of_dish": 3,
}


def _all_actions():
    """Every action string, in the order of its index.                                            [actions]"""
    actions = [f"take {card} by {NAMES[card][0]}" for card in TYPES]
    actions += [f"take {card} by {NAMES[card][1]}" for card in TYPES]
    actions += ["draw"]
    for verb in ("drop", "keep", "throw"):
        actions += [f"{verb} {card}" for card in TYPES]
    return actions + [f"bonus {bonus}" for bonus in BONUSES] + ["pass"]


ACTIONS = _all_actions()
INDEX = {action: index for index, action in enumerate(ACTIONS)}


def is_rum(card):
    return DISH_OF[card] is None


def shows(card, name):
    """The card shows this dish or colour; rum shows both its colours and no dish.                      [R8]"""
    return name == DISH_OF[card] or name in COLOURS_OF[card]


def is_set(cards):
    """Three or four cards, all of different colours and different dishes, at most one of them rum.     [score]"""
    colours = [colour for card in cards for colour in COLOURS_OF[card]]
    if len(set(colours)) < len(colours) or len(cards) not in (3, 4):
        return False
    dishes = [DISH_OF[card] for card in cards if not is_rum(card)]
    return len(set(dishes)) == len(dishes) and sum(map(is_rum, cards)) <= 1


def tally(bonus, cards):
    """How much of what a bonus card counts these cards are.                          [bonus_cards.csv, R6, R8]"""
    condition, parameter = BONUSES[bonus]["condition"], BONUSES[bonus]["parameter"]
    if not BONUSES[bonus]["rum_counts"].startswith("yes"):
        cards = [card for card in cards if not is_rum(card)]
    if condition == "first_4_different_colours":
        return len({colour for card in cards for colour in COLOURS_OF[card]})
    if condition == "first_4_different_dishes":
        return len({DISH_OF[card] for card in cards})
    if condition == "first_3_rum_cards":
        return sum(is_rum(card) for card in cards)
    if condition == "first_8_cards":
        return len(cards)
    return sum(any(shows(card, name) for name in parameter.split("|")) for card in cards)


def complete_options(options):
    """All options.                                                                                [options]"""
    unknown = set(options) - set(DEFAULTS)
    if unknown:
        raise ValueError(f"{GAME}: unknown options {sorted(unknown)}")
    return {**DEFAULTS, **options}


def is_shuffle(pile, cards):
    """The pile is a list of exactly these cards in some order."""
    return isinstance(pile, list) and sorted(map(repr, pile)) == sorted(map(repr, cards))


class Twin:
    def __init__(self, num_players, options, deal):
        if not 2 <= num_players <= MAX_SEATS:
            raise ValueError(f"{GAME}: {num_players} players")
        self.num_players = num_players
        self.options = complete_options(options)
        self._check_deal(deal)
        self.pile = list(deal["deck"])
        self.supply = []
        self.discards = Counter()
        self.hands = [Counter() for _ in self.seats]
        self.known = [Counter() for _ in self.seats]  # hand cards that everybody knows of
        self.front = [Counter() for _ in self.seats]
        self.open_bonuses = []
        self.bonus_cards = [[] for _ in self.seats]
        self.kept, self.thrown = [], []  # of the set that is being played
        self.step = "turn"  # one of STEPS, or "over"
        self.asked = deal["starter"]  # the seat asked, or the one that was asked last
        self.last_turns = False
        self.turns_left = []  # once the pile is empty: the seats that have not finished their last turn, in order
        self.in_last_turn = False  # this turn is the last one of the seat asked
        self.moves = 0
        self.truncated = False
        self._set_up(deal["bonus"])

    @property
    def seats(self):
        return range(self.num_players)

    def _check_deal(self, deal):
        """102 cards, 18 bonus cards, a starter.                                                    [set-up]"""
        if not isinstance(deal, dict) or sorted(deal) != ["bonus", "deck", "starter"]:
            raise ValueError(f"{GAME}: a deal has a deck, bonus cards and a starter, and nothing else")
        if not is_shuffle(deal["deck"], ALL_CARDS):
            raise ValueError(f"{GAME}: the dealt deck does not hold the {len(ALL_CARDS)} cards")
        if not is_shuffle(deal["bonus"], BONUSES):
            raise ValueError(f"{GAME}: the dealt bonus cards are not the {len(BONUSES)}")
        if type(deal["starter"]) is not int or deal["starter"] not in self.seats:
            raise ValueError(f"{GAME}: nobody sits at {deal['starter']!r} to start")

    def _set_up(self, bonus_pile):
        """Bonus cards until eight lie open, none whose letter is out; then hands and supply.       [set-up]"""
        letters = []
        for bonus in bonus_pile:
            letter = BONUSES[bonus]["set_letter"]
            if len(self.open_bonuses) < OPEN_BONUSES and letter not in letters:
                self.open_bonuses.append(bonus)
                letters += [letter] if letter else []
        for _ in range(DEALT):
            for seat in self.seats:
                self.hands[seat][self.pile.pop(0)] += 1
        self._refill()

    # ---- the interface ----

    @property
    def over(self):
        return self.step == "over"

    @property
    def awaiting(self):
        """Nothing is random after the deal.                                                       [set-up]"""
        return None

    @property
    def to_move(self):
        return None if self.over else self.asked

    def legal(self):
        """The legal actions, in the order of their indices.                                       [actions]"""
        moves = []
        if self.step == "turn":
            takes = self._legal_takes()
            draws = ["draw"] if not takes and self.pile else []  # R3
            moves = takes + draws + self._legal_set_moves()
        elif self.step == "set":
            moves = self._legal_set_moves()
        elif self.step == "drop":
            moves = [f"drop {card}" for card in self.hands[self.asked]]
        elif self.step == "bonus":
            moves = [f"bonus {bonus}" for bonus in self._fulfilled()] + ["pass"]
        return sorted(moves, key=INDEX.get)

    def play(self, move):
        if move not in self.legal():
            raise ValueError(f"{GAME}: seat {self.to_move} cannot {move!r}; legal: {self.legal()}")
        verb = {
            "take": self._take,
            "draw": self._draw,
            "drop": self._drop,
            "keep": self._keep,
            "throw": self._throw,
            "bonus": self._bonus,
            "pass": self._pass,
        }[move.split()[0]]
        self.moves += 1
        verb(*move.split()[1:])
        if self.moves == self.options["max_moves"] and not self.over:
            self.truncated = True
            self._finish()

    def chance(self, outcome):
        raise ValueError(f"{GAME}: {outcome} came where no random outcome is awaited")

    # ---- take ----

    def _legal_takes(self):
        """A hand card names what at least one supply card shows.                                        [R2]"""
        return [
            f"take {card} by {name}"
            for card in self.hands[self.asked]
            for name in NAMES[card]
            if any(shows(other, name) for other in self.supply)
        ]

    def _leave_hand(self, card):
        """Everybody sees a card leave the hand: first one that they knew of.                [what a seat sees]"""
        self.hands[self.asked] -= Counter([card])
        self.known[self.asked] -= Counter([card])

    def _take(self, card, _by, name):
        """The card is discarded, all supply cards that show what it names join the hand.               [take]"""
        self._leave_hand(card)
        self.discards[card] += 1
        taken = [other for other in self.supply if shows(other, name)]
        self.supply = [other for other in self.supply if not shows(other, name)]
        self.hands[self.asked].update(taken)
        self.known[self.asked].update(taken)
        self._refill()
        self._check_hand()

    def _refill(self):
        """To six; one that the pile cannot complete stays short.                                        [take, R5]"""
        while self.pile and len(self.supply) < SUPPLY:
            self.supply.append(self.pile.pop(0))
        self._check_pile()

    def _draw(self):
        """Two cards from the pile, or the last one.                                                     [R3]"""
        for _ in range(DRAWN):
            if self.pile:
                self.hands[self.asked][self.pile.pop(0)] += 1
        self._check_pile()
        self._check_hand()

    def _check_pile(self):
        """The pile is empty: every seat, this one last, has one more turn.                              [R5]"""
        if not self.pile and not self.last_turns:
            self.last_turns = True
            self.turns_left = [(self.asked + i) % self.num_players for i in range(1, self.num_players + 1)]

    def _check_hand(self):
        """More than seven cards: one must be dropped.                                                   [take]"""
        if self.hands[self.asked].total() > HAND_LIMIT:
            self.step = "drop"
        else:
            self._end_turn()

    def _drop(self, card):
        self._leave_hand(card)
        self.discards[card] += 1
        self._check_hand()

    # ---- score ----

    def _ways_to_score(self):
        """Every set in the hand with which the turn began, as the moves that play it out.              [score]"""
        hand = self.hands[self.asked] + Counter(self.kept + self.thrown)
        held = sorted(hand, key=TYPES.index)
        ways = []
        for num_cards in (3, 4):
            if hand.total() <= num_cards:  # at least one card stays in hand
                continue
            for cards in filter(is_set, combinations(held, num_cards)):
                for kept in combinations(cards, num_cards - 2):
                    thrown = [card for card in cards if card not in kept]
                    ways.append([f"keep {card}" for card in kept] + [f"throw {card}" for card in thrown])
        return ways

    def _legal_set_moves(self):
        """What continues the set that is being played so that it can still be completed.               [score]"""
        done = [f"keep {card}" for card in self.kept] + [f"throw {card}" for card in self.thrown]
        return list({way[len(done)] for way in self._ways_to_score() if way[: len(done)] == done})

    def _keep(self, card):
        """A kept card lies in front at once.                                                           [score]"""
        self.step = "set"
        self._leave_hand(card)
        self.front[self.asked][card] += 1
        self.kept.append(card)

    def _throw(self, card):
        """A thrown card lies on the discards at once; the second one completes the set.                [score]"""
        self._leave_hand(card)
        self.discards[card] += 1
        self.thrown.append(card)
        if len(self.thrown) == 2:
            self.kept, self.thrown = [], []
            if self._fulfilled():
                self.step = "bonus"
            else:
                self._end_turn()

    # ---- bonus cards ----

    def _fulfilled(self):
        """Open bonus cards scored during the game, of which the seat has enough in front.          [score, R4]"""
        cards = list(self.front[self.asked].elements())
        during = [bonus for bonus in self.open_bonuses if BONUSES[bonus]["timing"] == "during"]
        return [bonus for bonus in during if tally(bonus, cards) >= NEEDED[BONUSES[bonus]["condition"]]]

    def _bonus(self, bonus):
        self.open_bonuses.remove(bonus)
        self.bonus_cards[self.asked].append(bonus)
        self._end_turn()

    def _pass(self):
        self._end_turn()

    # ---- turns, the end ----

    def _end_turn(self):
        """The next seat; in the last turns one that can neither take nor score is skipped.             [end, R5]"""
        if self.in_last_turn:
            self.turns_left.pop(0)
        self.step = "turn"
        self.asked = (self.asked + 1) % self.num_players
        self.in_last_turn = self.last_turns
        if self.last_turns and not self.turns_left:
            self._finish()
        elif self.last_turns and not self.legal():
            self._end_turn()

    def _finish(self):
        """The bonus cards scored at the end go to every seat with most, if it has any.                 [end, R6]"""
        self.step = "over"
        for bonus in [bonus for bonus in self.open_bonuses if BONUSES[bonus]["timing"] == "end"]:
            self.open_bonuses.remove(bonus)
            tallies = [tally(bonus, list(self.front[seat].elements())) for seat in self.seats]
            for seat in self.seats:
                if tallies[seat] == max(tallies) > 0:
                    self.bonus_cards[seat].append(bonus)

    @property
    def scores(self):
        """Values of the cards in front plus bonus cards.                                               [end]"""
        return [
            sum(VALUE[card] for card in self.front[seat].elements())
            + sum(int(BONUSES[bonus]["vp"]) for bonus in self.bonus_cards[seat])
            for seat in self.seats
        ]

    @property
    def standing(self):
        """Most points win, ties are shared: how many seats stand strictly before.                      [end]"""
        scores = self.scores
        return [sum(other > mine for other in scores) for mine in scores]

    # ---- what a seat sees ----

    def observe(self, seat):
        """The table, and the seat's hand; with recall also the hand cards known.            [what a seat sees]"""
        clockwise = [(seat + i) % self.num_players for i in self.seats]
        scores = self.scores

        def cards(pile):
            return list({**NO_CARDS, **Counter(pile)}.values())

        def bonuses(ids):
            return [int(bonus in ids) for bonus in BONUSES]

        def each(of):
            """One entry a seat, own first, then clockwise, then the absent seats: zeros like the others."""
            present = [of(other) for other in clockwise]
            empty = [0] * len(present[0]) if isinstance(present[0], list) else 0
            return present + [empty] * (MAX_SEATS - self.num_players)

        return {
            "hand": cards(self.hands[seat]),
            "supply": cards(self.supply),
            "front": each(lambda other: cards(self.front[other])),
            "bonus_cards": each(lambda other: bonuses(self.bonus_cards[other])),
            "open_bonuses": bonuses(self.open_bonuses),
            "discards": cards(self.discards),
            "kept": cards(self.kept),
            "thrown": cards(self.thrown),
            "step": [int(self.step == step) for step in STEPS],
            "active": each(lambda other: int(other == self.to_move)),
            "hand_size": each(lambda other: self.hands[other].total()),
            "pile_size": len(self.pile),
            "last_turns": int(self.last_turns) + int(self.in_last_turn),
            "turns_left": each(lambda other: int(other in self.turns_left)),
            "points": each(lambda other: scores[other]),
            "moves_left": self.options["max_moves"] - self.moves,
            "num_players": self.num_players,
            "known_hand": each(lambda other: cards(self.known[other] if self.options["recall"] else [])),
        }

    # ---- randomness ----

    @staticmethod
    def random_deal(num_players, options, rng):
        """Cards and bonus cards shuffled, a random seat starts.                                        [set-up]"""
        deck, bonus = list(ALL_CARDS), list(BONUSES)
        rng.shuffle(deck)
        rng.shuffle(bonus)
        return {"deck": deck, "bonus": bonus, "starter": rng.randrange(num_players)}

    def random_outcome(self, rng):
        raise ValueError(f"{GAME}: no random outcome is awaited")


# ---- how the tests play it ----


def changed_options(options):
    """Those that differ from the default."""
    return {name: value for name, value in options.items() if value != DEFAULTS[name]}


def random_options(rng):
    """Options other than the default; the games end by the rules or are cut short anywhere."""
    return {"recall": rng.choice([False, True]), "max_moves": rng.choice([rng.randint(1, 120), 300])}


def purposeful(twin, legal, rng):
    """Scores what it can and keeps what the bonus cards ask for. Odd seats take as few cards as they can, as all do in
    the last turns; even ones gather variety, and seat 0 with room in its hand waits for a set of four. Now and then
    one errs. So the games reach every bonus card, sets of four, hands of one card, draws and skipped seats."""
    if rng.random() < 0.1:
        return rng.choice(legal)
    keeps = [move for move in legal if move.startswith("keep")]
    fours = [way for way in twin._ways_to_score() if len(way) == 4]
    others = [move for move in legal if move not in keeps]
    waits = twin.asked == 0 and not fours and twin.step == "turn" and twin.hands[0].total() < HAND_LIMIT
    if keeps and not (waits and others):
        return max(keeps, key=lambda move: (any(move in way[:2] for way in fours), use(twin, move), rng.random()))
    if twin.step == "turn" and (twin.asked % 2 or twin.last_turns):
        return min(others, key=lambda move: (hand_after(twin, move).total(), rng.random()))
    if twin.step in ("turn", "drop"):
        return max(others, key=lambda move: (variety(hand_after(twin, move)), rng.random()))
    return legal[0] if twin.step == "bonus" else rng.choice(legal)


def hand_after(twin, move):
    """The hand after a take or a drop; what a draw would bring is not looked at."""
    verb, *words = move.split()
    taken = [card for card in twin.supply if verb == "take" and shows(card, words[2])]
    return twin.hands[twin.asked] - Counter(words[:1]) + Counter(taken)


def variety(hand):
    """How many colours and dishes a hand shows, and how many rum it holds."""
    return len({name for card in hand for name in NAMES[card]}) + sum(map(is_rum, hand))


def use(twin, move):
    """What a card would add to the open bonus cards, rum for its own above all; then its value."""
    card = move.split()[1]
    front = list(twin.front[twin.asked].elements())
    gain = sum(tally(bonus, [*front, card]) - tally(bonus, front) for bonus in twin.open_bonuses)
    return is_rum(card) and "B11" in twin.open_bonuses, gain, VALUE[card]


# ---- invariants ----


def audit(twin):
    """Everything is accounted for, and what the seats see agrees with it."""
    audit_cards(twin)
    audit_bonuses(twin)
    audit_turn(twin)
    for seat in twin.seats:
        audit_view(twin, seat)


def audit_cards(twin):
    everything = Counter(twin.pile) + Counter(twin.supply) + twin.discards
    for cards in twin.hands + twin.front:
        everything.update(cards)
    assert everything == Counter(ALL_CARDS)
    assert len(twin.supply) == SUPPLY or not twin.pile
    assert all(known <= hand for known, hand in zip(twin.known, twin.hands)), "known cards are held"
    for seat, hand in enumerate(twin.hands):
        dropping = twin.step in ("drop", "over") and seat == twin.asked
        assert hand.total() >= 1 and (hand.total() <= HAND_LIMIT or dropping), "R7"


def audit_bonuses(twin):
    given = [bonus for own in twin.bonus_cards for bonus in own]
    during = [bonus for bonus in given if BONUSES[bonus]["timing"] == "during"]
    assert len(set(during)) == len(during) and not set(during) & set(twin.open_bonuses)
    assert len(during) + len(twin.open_bonuses) == OPEN_BONUSES or twin.over
    letters = [BONUSES[bonus]["set_letter"] for bonus in during + twin.open_bonuses if BONUSES[bonus]["set_letter"]]
    assert len(set(letters)) == len(letters)
    for front, own in zip(twin.front, twin.bonus_cards):
        cards = list(front.elements())
        assert all(tally(bonus, cards) >= NEEDED.get(BONUSES[bonus]["condition"], 1) for bonus in own)
    timings = {BONUSES[bonus]["timing"] for bonus in (twin.open_bonuses if twin.over else given)}
    assert timings <= {"during"}


def audit_turn(twin):
    assert twin.last_turns == (not twin.pile)
    assert (twin.legal() == []) == twin.over == (twin.to_move is None)
    if twin.step in ("turn", "drop", "bonus"):
        assert not twin.kept and not twin.thrown
    if twin.step == "set":
        assert 1 <= len(twin.kept) <= 2 and len(twin.thrown) <= 1
        assert sorted(twin.kept, key=TYPES.index) == twin.kept
        assert not Counter(twin.kept) - twin.front[twin.asked] and not Counter(twin.thrown) - twin.discards
    if twin.step == "turn" and twin.last_turns:
        assert twin.in_last_turn and twin.turns_left[0] == twin.asked, "R5"
    if twin.over and not twin.truncated:
        assert twin.last_turns and not twin.turns_left
    assert twin.moves <= twin.options["max_moves"] and (twin.moves == twin.options["max_moves"] or not twin.truncated)


def audit_view(twin, seat):
    view = twin.observe(seat)
    on_view = sum(view["hand_size"]) + sum(view["supply"]) + sum(view["discards"]) + view["pile_size"]
    assert on_view + sum(map(sum, view["front"])) == len(ALL_CARDS)
    assert view["hand_size"][0] == sum(view["hand"]) and view["num_players"] == sum(map(bool, view["hand_size"]))
    assert sum(view["step"]) == sum(view["active"]) == (not twin.over)
    assert view["active"][0] == (seat == twin.to_move)
    assert (view["last_turns"] > 0) == (view["pile_size"] == 0) and (view["last_turns"] or not any(view["turns_left"]))
    assert all(known <= held for known, held in zip(view["known_hand"][0], view["hand"]))
    points = [row[:] for row in view["front"]]
    for place, row in enumerate(view["bonus_cards"]):
        worth = sum(count * VALUE[card] for count, card in zip(points[place], TYPES))
        worth += sum(int(BONUSES[bonus]["vp"]) for has, bonus in zip(row, BONUSES) if has)
        assert view["points"][place] == worth
