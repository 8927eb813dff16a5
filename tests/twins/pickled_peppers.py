"""Naive twin of pickled_peppers_v0, written from the rules text alone.

A card is a string, "E1". A stack is a list, its top first; the centre pile is a list, its top last; taken piles and
spare cards are lists. A pepper that went live in normal play lies on the centre, a Pickled Pepper last in its string.
"""

from tests.twins.letters import CARDS, CHILIES, LETTER, words_of_all

GAME = "pickled_peppers_v0"
MAX_SEATS, LONGEST_STRING, PENALTY = 5, 4, 5
DEFAULTS = {"words": "claim", "min_len": 3, "spell_hint": False, "recall": False, "max_moves": 5000}
ACTIONS = ["flip", "claim", "pass"]
STEPS = ["flip", "pickle", "last"]


def complete_options(options):
    """All options.                                                                                [options]"""
    unknown = set(options) - set(DEFAULTS)
    if unknown:
        raise ValueError(f"{GAME}: unknown options {sorted(unknown)}")
    complete = {**DEFAULTS, **options}
    if complete["words"] not in ("off", "claim") or complete["min_len"] not in (2, 3, 4):
        raise ValueError(f"{GAME}: words is off or claim, min_len is 2, 3 or 4: {options}")
    return complete


def is_shuffle(pile, cards):
    """The pile is a list of exactly these cards in some order."""
    return isinstance(pile, list) and sorted(map(repr, pile)) == sorted(map(repr, cards))


def is_pepper(card):
    return CHILIES[card] > 0


class Twin:
    def __init__(self, num_players, options, deal):
        if not 2 <= num_players <= MAX_SEATS:
            raise ValueError(f"{GAME}: {num_players} players")
        self.num_players = num_players
        self.options = complete_options(options)
        self._check_deal(deal)
        self.stacks = [list(stack) for stack in deal["stacks"]]
        self.taken = [[] for _ in self.seats]
        self.centre = []
        self.spare = list(deal["spare"])  # those still face down under the centre
        self.live = None  # the live pepper, its owner, and the seat that must pickle it
        self.owner = None
        self.pickler = None
        self.string = []  # of the current pickler
        self.strings = []  # the earlier ones that are in play
        self.claimed = False  # for the card laid last, a claim has been made
        self.owing = 0  # cards of a penalty that are still to be paid
        self.step = "flip"  # one of STEPS, or "over"
        self.asked = 1  # the seat asked, or the one that was asked last                                [R2]
        self.awaiting = None  # "restack" when the seat asked needs a card and has none in its stack
        self.out = [None for _ in self.seats]  # with which move a seat went out
        self.seen = set()  # cards that have lain face up
        self.moves = 0
        self.truncated = False

    @property
    def seats(self):
        return range(self.num_players)

    def _check_deal(self, deal):
        """All 52 cards, the same number for each seat; the spare ones are fewer than the seats.        [R4]"""
        if not isinstance(deal, dict) or sorted(deal) != ["spare", "stacks"]:
            raise ValueError(f"{GAME}: a deal has stacks and spare cards, and nothing else")
        stacks, spare = deal["stacks"], deal["spare"]
        if not isinstance(stacks, list) or not all(isinstance(pile, list) for pile in [*stacks, spare]):
            raise ValueError(f"{GAME}: stacks and spare cards are lists")
        sizes = [len(pile) for pile in [*stacks, spare]]
        each = len(CARDS) // self.num_players
        if sizes != [each] * self.num_players + [len(CARDS) % self.num_players]:
            raise ValueError(f"{GAME}: the deal has {sizes} cards")
        if not is_shuffle([card for pile in [*stacks, spare] for card in pile], CARDS):
            raise ValueError(f"{GAME}: the deal does not hold the {len(CARDS)} cards")

    # ---- the interface ----

    @property
    def over(self):
        return self.step == "over"

    @property
    def to_move(self):
        return None if self.over else self.asked

    def legal(self):
        """The legal actions, in the order of their indices.                                       [actions]"""
        if self.awaiting or self.over:
            return []
        if self.step == "last":
            return ["claim", "pass"]
        return ["flip", "claim"] if self._can_claim() else ["flip"]

    def _can_claim(self):
        """A string has been begun, and nothing has been claimed for its last card yet.        [claiming, R6]"""
        return self.options["words"] == "claim" and self.string != [] and not self.claimed

    def play(self, move):
        if move not in self.legal():
            raise ValueError(f"{GAME}: seat {self.to_move} cannot {move!r}; legal: {self.legal()}")
        self.moves += 1
        if move == "flip":
            self._flip()
        elif move == "claim":
            self._claim()
        else:
            self._complete()
        self._end_decision()

    def chance(self, outcome):
        """The seat's taken pile, shuffled, becomes its stack; then what needed a card goes on.         [R3]"""
        self._check_restack(outcome)
        self.stacks[self.asked] = list(outcome["restack"]["stack"])
        self.taken[self.asked] = []
        self.awaiting = None
        if self.owing:
            self._pay()
        else:
            self._flip()
        self._end_decision()

    def _check_restack(self, outcome):
        if not self.awaiting or not isinstance(outcome, dict) or list(outcome) != ["restack"]:
            raise ValueError(f"{GAME}: {outcome} came where {self.awaiting} was awaited")
        value = outcome["restack"]
        if not isinstance(value, dict) or sorted(value) != ["seat", "stack"]:
            raise ValueError(f"{GAME}: a restack has a seat and a stack, and nothing else")
        if type(value["seat"]) is not int or value["seat"] != self.asked:
            raise ValueError(f"{GAME}: seat {self.asked} needs its taken cards, not {value['seat']!r}")
        if not is_shuffle(value["stack"], self.taken[self.asked]):
            raise ValueError(f"{GAME}: the stack is not what seat {self.asked} has taken")

    # ---- cards ----

    def cards_of(self, seat):
        """What a seat holds: its stack and its taken pile."""
        return self.stacks[seat] + self.taken[seat]

    @property
    def earlier(self):
        """The cards of the earlier strings."""
        return [card for string in self.strings for card in string]

    def _next_with_cards(self, first):
        """This seat, or the next one to its left that has cards; None if nobody has."""
        for i in self.seats:
            seat = (first + i) % self.num_players
            if self.cards_of(seat):
                return seat
        return None

    def _top_card(self):
        """The top card of the seat asked, turned up; None if its taken pile has to be shuffled first."""
        if not self.stacks[self.asked]:
            self.awaiting = "restack"
            return None
        card = self.stacks[self.asked].pop(0)
        self.seen.add(card)
        return card

    def _take_all(self, taker):
        """Everything in play: the centre, all strings, the spare cards, now turned up.                 [R4]"""
        self.taken[taker] += self.centre + self.earlier + self.string + self.spare
        self.seen.update(self.spare)
        self.centre, self.string, self.strings, self.spare = [], [], [], []
        self.live = self.owner = self.pickler = None
        self.claimed = False

    # ---- flips ----

    def _flip(self):
        card = self._top_card()
        if card is None:
            return
        if self.live is None:
            self.centre.append(card)
        else:
            self.string.append(card)
            self.claimed = False
        if is_pepper(card):
            self._go_live(card)
        elif self.live is None:
            self._lead(self.asked + 1)
        elif len(self.string) == CHILIES[self.live] or not self.cards_of(self.pickler):  # R7
            self._last_card_laid()

    def _go_live(self, pepper):
        """The next seat with cards pickles; if no other has any, the owner takes all and wins.         [R7]"""
        if self.string:
            self.strings.append(self.string)
            self.string = []
        self.live, self.owner = pepper, self.asked
        self.pickler = self._next_with_cards(self.owner + 1)
        if self.pickler is None or self.pickler == self.owner:
            self._take_all(self.owner)
            self.step = "over"
        else:
            self.step, self.asked = "pickle", self.pickler

    def _last_card_laid(self):
        """The pickle is completed, or first the pickler may claim.                            [claiming, R7]"""
        if self.options["words"] == "claim":
            self.step = "last"
        else:
            self._complete()

    def _complete(self):
        """The owner takes everything, the pickler leads.                                            [pickling]"""
        pickler = self.pickler
        self._take_all(self.owner)
        self._lead(pickler)

    def _lead(self, seat):
        """Normal play: this seat acts, or the next one with cards. One that alone has cards wins.    [R7, end]"""
        self.step, self.asked = "flip", self._next_with_cards(seat)
        if [bool(self.cards_of(seat)) for seat in self.seats].count(True) == 1:
            self.step = "over"

    # ---- claims ----

    def is_right(self):
        """The letters of the string and of the live pepper, all of them, form a word.                  [R5]"""
        return words_of_all([LETTER[card] for card in [*self.string, self.live]], self.options["min_len"]) != []

    def _claim(self):
        """Right: the pickler takes everything and leads. Wrong: it pays.                           [R1, R6]"""
        if self.is_right():
            pickler = self.pickler
            self._take_all(pickler)
            self._lead(pickler)
        else:
            self.claimed = True
            self.owing = PENALTY
            self._pay()

    def _pay(self):
        """Card by card, face up, as far as the pickler has cards; then the pickle goes on.         [R1, R6, R7]"""
        while self.owing and self.cards_of(self.pickler):
            card = self._top_card()
            if card is None:
                return
            self.taken[self.owner].append(card)
            self.owing -= 1
        self.owing = 0
        if self.step == "last" or not self.cards_of(self.pickler):
            self._complete()

    # ---- the end ----

    def _end_decision(self):
        """Seats without cards are out, save the owner and the pickler; then the move limit.            [R7]"""
        if self.awaiting:
            return
        for seat in self.seats:
            if self.out[seat] is None and not self.cards_of(seat) and seat not in (self.owner, self.pickler):
                self.out[seat] = self.moves
        if self.moves == self.options["max_moves"] and not self.over:
            self.truncated = True
            self.step = "over"

    @property
    def scores(self):
        """Cards held; what is in play belongs to nobody.                                               [end]"""
        return [len(self.cards_of(seat)) for seat in self.seats]

    @property
    def standing(self):
        """By when a seat went out, later is better, never is best; if cut short, by cards held.        [end, R8]"""
        never = self.moves + 1
        worth = self.scores if self.truncated else [never if out is None else out for out in self.out]
        return [sum(other > mine for other in worth) for mine in worth]

    # ---- what a seat sees ----

    def observe(self, seat):
        """The table; with recall also where the cards are that have been seen.                [what a seat sees]"""
        clockwise = [(seat + i) % self.num_players for i in self.seats]

        def cards(pile):
            there = set(pile)
            return [int(card in there) for card in CARDS] if pile else [0] * len(CARDS)

        def each(of, absent=0):
            """One entry a seat, own first, then clockwise, then the absent seats."""
            return [of(other) for other in clockwise] + [absent] * (MAX_SEATS - self.num_players)

        def known(pile):
            return cards(self.seen.intersection(pile) if self.options["recall"] else [])

        return {
            "stack": each(lambda other: len(self.stacks[other])),
            "taken": each(lambda other: len(self.taken[other])),
            "out": each(lambda other: int(self.out[other] is not None)),
            "centre_top": cards(self.centre[-1:]),
            "centre_size": len(self.centre),
            "spare": len(self.spare),
            "live": cards([self.live] if self.live else []),
            "owner": each(lambda other: int(other == self.owner)),
            "need": CHILIES[self.live] if self.live else 0,
            "laid": len(self.string),
            "string": [cards(self.string[place : place + 1]) for place in range(LONGEST_STRING)],
            "strings": cards(self.earlier),
            "pickler": each(lambda other: int(other == self.pickler)),
            "active": each(lambda other: int(other == self.to_move)),
            "step": [int(self.step == step) for step in STEPS],
            "can_claim": int("claim" in self.legal()),
            "hint": int(self.options["spell_hint"] and "claim" in self.legal() and self.is_right()),
            "words": int(self.options["words"] == "claim"),
            "min_len": self.options["min_len"],
            "moves_left": self.options["max_moves"] - self.moves,
            "num_players": self.num_players,
            "known": [
                known(self.centre + self.earlier + self.string),
                *each(lambda other: known(self.taken[other]), cards([])),
                *each(lambda other: known(self.stacks[other]), cards([])),
            ],
        }

    # ---- randomness ----

    @staticmethod
    def random_deal(num_players, options, rng):
        """All cards equally; those left over are spare.                                                [R4]"""
        deck = list(CARDS)
        rng.shuffle(deck)
        each = len(deck) // num_players
        stacks = [deck[seat * each : (seat + 1) * each] for seat in range(num_players)]
        return {"stacks": stacks, "spare": deck[num_players * each :]}

    def random_outcome(self, rng):
        if not self.awaiting:
            raise ValueError(f"{GAME}: no random outcome is awaited")
        stack = list(self.taken[self.asked])
        rng.shuffle(stack)
        return {"restack": {"seat": self.asked, "stack": stack}}


# ---- how the tests play it ----


def changed_options(options):
    """Those that differ from the default."""
    return {name: value for name, value in options.items() if value != DEFAULTS[name]}


def random_options(rng):
    """Options other than the default; the games end by the rules or are cut short anywhere."""
    return {
        "words": rng.choice(["claim", "claim", "off"]),
        "min_len": rng.choice([2, 3, 4]),
        "spell_hint": rng.choice([False, True]),
        "recall": rng.choice([False, True]),
        "max_moves": rng.choice([rng.randint(1, 120), 400]),
    }


def purposeful(twin, legal, rng):
    """Seldom misses a right claim. Odd seats pay away their cards with wrong ones, even ones hardly ever do; now and
    then one errs. So the games reach every kind of right claim, exhausted picklers and winners without a card."""
    if rng.random() < 0.05 or legal == ["flip"]:
        return rng.choice(legal)
    if twin.is_right() or (twin.asked % 2 and rng.random() < 0.5):
        return "claim"
    return legal[0] if legal[0] != "claim" else "pass"


# ---- invariants ----


def audit(twin):
    """Everything is accounted for, and what a seat sees agrees with it: all see the same, so one looks at a time."""
    audit_cards(twin)
    audit_pickle(twin)
    audit_turn(twin)
    audit_view(twin, twin.moves % twin.num_players)


def audit_cards(twin):
    everything = twin.centre + twin.earlier + twin.string + twin.spare
    for seat in twin.seats:
        everything += twin.stacks[seat] + twin.taken[seat]
    assert sorted(everything) == sorted(CARDS)
    assert twin.seen.issuperset(twin.centre + twin.earlier + twin.string) and not twin.seen.intersection(twin.spare)
    for seat in twin.seats:
        assert twin.seen.issuperset(twin.taken[seat])
        assert len(twin.seen.intersection(twin.stacks[seat])) in (0, len(twin.stacks[seat])), "dealt or recycled"


def audit_pickle(twin):
    """The live pepper is the last of its kind to be laid, and lies where it was laid."""
    laid = twin.strings[-1] if twin.strings else twin.centre
    peppers = [card for card in twin.centre + twin.earlier if is_pepper(card)]
    if twin.live is None:
        assert twin.owner is None and twin.pickler is None and not peppers
        assert not twin.string and not twin.strings and not twin.claimed and not twin.owing
        assert twin.step in ("flip", "over")
    else:
        assert laid[-1] == twin.live == peppers[-1] and len(peppers) == len(twin.strings) + 1
        assert twin.owner != twin.pickler == twin.asked and twin.step in ("pickle", "last", "over")
        assert not any(map(is_pepper, twin.string)) and len(twin.string) <= CHILIES[twin.live]
        assert all(is_pepper(string[-1]) for string in twin.strings)
        complete = len(twin.string) == CHILIES[twin.live] or not twin.cards_of(twin.pickler)
        assert complete == (twin.step == "last") or twin.over or twin.awaiting
    assert twin.awaiting or not twin.owing
    assert not (twin.claimed and twin.options["words"] == "off")


def audit_turn(twin):
    with_cards = [seat for seat in twin.seats if twin.cards_of(seat)]
    if twin.awaiting:
        assert not twin.stacks[twin.asked] and twin.taken[twin.asked] and not twin.over
    else:
        for seat in twin.seats:
            playing = seat in with_cards or seat in (twin.owner, twin.pickler)
            assert (twin.out[seat] is None) == playing, "R7"
    assert (twin.legal() == []) == (twin.over or twin.awaiting is not None)
    assert twin.over == (twin.to_move is None)
    if twin.step == "flip":
        assert twin.asked in with_cards and len(with_cards) > 1
    if twin.over and not twin.truncated:
        assert len(with_cards) == 1 and twin.standing[with_cards[0]] == 0 and twin.standing.count(0) == 1
        assert sorted(twin.standing) == list(twin.seats), "no two go out in the same decision"
    assert twin.moves <= twin.options["max_moves"] and (twin.moves == twin.options["max_moves"] or not twin.truncated)


def audit_view(twin, seat):
    view = twin.observe(seat)
    in_play = view["centre_size"] + sum(view["strings"]) + view["laid"]
    assert sum(view["stack"]) + sum(view["taken"]) + in_play + view["spare"] == len(CARDS)
    assert sum(view["centre_top"]) == (view["centre_size"] > 0)
    assert [sum(place) for place in view["string"]] == [int(place < view["laid"]) for place in range(LONGEST_STRING)]
    assert sum(view["live"]) == sum(view["owner"]) == sum(view["pickler"]) == (view["need"] > 0)
    assert sum(view["active"]) == sum(view["step"]) == (not twin.over)
    assert view["active"][0] == (seat == twin.to_move) and view["hint"] <= view["can_claim"] <= view["words"]
    if twin.options["recall"]:
        sizes = [sum(row) for row in view["known"]]
        assert sizes[0] == in_play and sizes[1 : 1 + MAX_SEATS] == view["taken"]
        assert all(size in (0, stack) for size, stack in zip(sizes[1 + MAX_SEATS :], view["stack"]))
    else:
        assert not any(map(any, view["known"]))
