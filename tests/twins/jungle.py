"""Naive twin of jungle_v0, written from the rules text alone.

A card is a string, "E1"; a stack is a list, top first; a taken pile is a list whose order means nothing. Whatever the
rules still have to do by themselves before the next decision stands in a list, `due`, first thing first; it waits there
when a card is due from an empty stack and the taken pile must be shuffled.
"""

from tests.twins.letters import ANIMALS, CARDS, LETTER, RANK, words_of_any

GAME = "jungle_v0"
MAX_SEATS = 3
DEFAULTS = {
    "words": "claim",
    "min_len": 3,
    "spell_hint": False,
    "scrump": None,  # "jungle" with two players, "anytime" with three
    "recall": False,
    "max_moves": 10_000,
}
STEPS = ["flip", "claim"]
SCRUMPS = ["jungle", "anytime"]
FACE_DOWN = 3  # cards that the Jungle rule lays face down before the one face up
PLACES = 8  # so many of the face-up cards count for a word, the last ones
PENALTY = 5


def complete_options(num_players, options):
    """All options; when a seat may claim depends on the number of players.                           [options]"""
    unknown = set(options) - set(DEFAULTS)
    if unknown:
        raise ValueError(f"{GAME}: unknown options {sorted(unknown)}")
    complete = {**DEFAULTS, **options}
    if complete["scrump"] is None:
        complete["scrump"] = "jungle" if num_players == 2 else "anytime"
    return complete


def is_shuffle(pile, cards):
    """The pile is a list of exactly these cards in some order."""
    return isinstance(pile, list) and sorted(map(repr, pile)) == sorted(map(repr, cards))


class Twin:
    def __init__(self, num_players, options, deal):
        if num_players not in (2, 3):
            raise ValueError(f"{GAME}: {num_players} players")
        self.num_players = num_players
        self.options = complete_options(num_players, options)
        self._check_deal(deal)
        self.stacks = [list(stack) for stack in deal["stacks"]]
        self.spare = list(deal["spare"])  # until it is taken
        self.taken = [[] for _ in self.seats]
        self.seen = set()  # cards that have lain face up or been taken                                    [R14]
        self.truncated = False
        self.moves = 0
        self.due = []
        self._start_challenge()

    @property
    def seats(self):
        return range(self.num_players)

    def _check_deal(self, deal):
        """26 cards each, or 17 each and a spare one.                                                     [deal]"""
        if not isinstance(deal, dict) or sorted(deal) != ["spare", "stacks"]:
            raise ValueError(f"{GAME}: a deal has stacks and a spare, and nothing else")
        stacks, spare = deal["stacks"], deal["spare"]
        if not isinstance(stacks, list) or not all(isinstance(pile, list) for pile in [*stacks, spare]):
            raise ValueError(f"{GAME}: stacks and spare are lists of cards")
        if [len(stack) for stack in stacks] != [len(CARDS) // self.num_players] * self.num_players:
            raise ValueError(f"{GAME}: every seat gets the same number of cards, as many as there are")
        if not is_shuffle([card for pile in [*stacks, spare] for card in pile], CARDS):
            raise ValueError(f"{GAME}: the deal does not hold the {len(CARDS)} cards")

    # ---- the interface ----

    @property
    def over(self):
        return self.step == "over"

    @property
    def awaiting(self):
        """A card is due from an empty stack: the new order of the seat's taken pile must come.             [R3]"""
        if self.due and self.due[0][0] in ("lay up", "lay down", "pay"):
            seat = self.due[0][1]
            if not self.stacks[seat] and self.taken[seat]:
                return "restack"
        return None

    @property
    def to_move(self):
        """The seat asked; while a restack is awaited, the seat that was asked last."""
        return None if self.over else self.asked

    def legal(self):
        """The legal actions, in the order of their indices.                                            [actions]"""
        if self.over or self.awaiting:
            return []
        return ["flip"] if self.step == "flip" else ["claim", "pass"]

    def play(self, move):
        if move not in self.legal():
            raise ValueError(f"{GAME}: seat {self.to_move} cannot {move!r}; legal: {self.legal()}")
        self.moves += 1
        if move == "flip":
            self._flip()
        elif move == "claim":
            self._claim()
        else:
            self.due = [("award",)]
        self._carry_on()

    def chance(self, outcome):
        """The taken pile, shuffled, is the stack.                                                          [R3]"""
        if self.awaiting is None or not isinstance(outcome, dict) or list(outcome) != ["restack"]:
            raise ValueError(f"{GAME}: {outcome} came where {self.awaiting} is awaited")
        restack, seat = outcome["restack"], self.due[0][1]
        if not isinstance(restack, dict) or sorted(restack) != ["seat", "stack"]:
            raise ValueError(f"{GAME}: a restack has a seat and its stack, and nothing else")
        if type(restack["seat"]) is not int or restack["seat"] != seat:
            raise ValueError(f"{GAME}: it is seat {seat} whose stack is empty")
        if not is_shuffle(restack["stack"], self.taken[seat]):
            raise ValueError(f"{GAME}: the new stack is not seat {seat}'s taken pile")
        self.stacks[seat] = list(restack["stack"])
        self.taken[seat] = []
        self._carry_on()

    def _carry_on(self):
        """What the rules do by themselves, until a stack must be made or a seat is asked."""
        while self.due and self.awaiting is None:
            name, *seats = self.due.pop(0)
            {
                "lay up": self._lay_up,
                "lay down": self._lay_down,
                "pay": self._pay,
                "ask next": self._ask_next,
                "decide": self._decide,
                "award": self._award,
            }[name](*seats)
        if not self.due and not self.over and self.moves == self.options["max_moves"]:
            self.truncated = True
            self.step = "over"

    # ---- cards ----

    def cards_of(self, seat):
        """How many cards a seat holds, stack and taken together."""
        return len(self.stacks[seat]) + len(self.taken[seat])

    def _lay_up(self, seat):
        card = self.stacks[seat].pop(0)
        self.up.append((seat, card))
        self.seen.add(card)

    def _lay_down(self, seat):
        self.down.append((seat, self.stacks[seat].pop(0)))

    def _pay(self, payer, payee):
        """One card, face up, to the taken pile; nothing if the seat has none left.                        [R10]"""
        if self.stacks[payer]:
            card = self.stacks[payer].pop(0)
            self.taken[payee].append(card)
            self.seen.add(card)

    # ---- the challenge ----

    def _start_challenge(self):
        """All take part, seat 0 flips first.                                                        [challenge]"""
        self.up, self.down = [], []  # (seat, card) in the order laid
        self.contest = list(self.seats)
        self.jungle_laid = False  # the Jungle rule has laid cards in this challenge
        self.taker = None
        self.step, self.asked = "flip", 0

    def _flip(self):
        self.due = [("lay up", self.asked)]
        self.due.append(("ask next",) if self.asked < self.num_players - 1 else ("decide",))

    def _ask_next(self):
        self.asked += 1

    def _latest(self):
        """The newest face-up card of each seat."""
        return dict(self.up)

    def _decide(self):
        """The highest card of those that take part, unless two or three of theirs are Animals.     [challenge]"""
        latest = self._latest()
        tied = [seat for seat in self.contest if latest[seat] in ANIMALS]
        if len(tied) < 2:
            self._would_take(self._highest(self.contest))
        else:
            self._jungle_rule(tied)

    def _highest(self, seats):
        latest = self._latest()
        return max(seats, key=lambda seat: RANK[latest[seat]])

    def _jungle_rule(self, tied):
        """Each lays three face down and one face up, seat by seat; with fewer cards fewer face down.       [R9]"""
        able = [seat for seat in tied if self.cards_of(seat)]
        if self.num_players == 2 and len(able) < 2:
            self.step = "over"  # R9: who has none loses at once, before anybody lays
            return
        self.contest = able
        if not able:
            self._would_take(self._highest(tied))  # R12
        elif len(able) == 1:
            self._would_take(able[0])  # R12
        else:
            self.jungle_laid = True
            for seat in able:
                self.due += [("lay down", seat)] * min(FACE_DOWN, self.cards_of(seat) - 1) + [("lay up", seat)]
            self.due.append(("decide",))

    # ---- claims ----

    def _would_take(self, taker):
        """With two players the other one is asked, with three the taker; or nobody.               [claiming, R13]"""
        self.taker = taker
        if self._is_asked():
            self.step = "claim"
            self.asked = 1 - taker if self.num_players == 2 else taker
        else:
            self.due = [("award",)]

    def _is_asked(self):
        """Whether a claim is possible in this challenge.                                              [claiming]"""
        if self.options["words"] == "off":
            return False
        if self.options["scrump"] == "jungle":
            return self.jungle_laid
        return self.num_players == 2 or len(self.up) >= self.options["min_len"]

    def is_right(self):
        """A word out of the last eight face-up cards; two letters are enough if two players have laid no others."""
        short = self.num_players == 2 and not self.jungle_laid
        letters = [LETTER[card] for _, card in self.up[-PLACES:]]
        return bool(words_of_any(letters, 2 if short else self.options["min_len"]))

    @property
    def rival(self):
        """Who takes instead if a claim is right, and pays if it is wrong: with two players the one who claims, with
        three the left neighbour of the one who claims. Both times the seat to the left of the taker.    [R10, R13]"""
        return (self.taker + 1) % self.num_players

    def _claim(self):
        """Right: the rival takes the cards. Wrong: the rival pays five, then they go as decided.        [R10, R13]"""
        if self.is_right():
            self.taker = self.rival
            self.due = [("award",)]
        else:
            self.due = [("pay", self.rival, self.taker)] * PENALTY + [("award",)]

    def _award(self):
        """All cards of the challenge go to the taker, with the first challenge the spare. Face-down ones become known.
        [R11, R14]"""
        cards = [card for _, card in self.up + self.down] + self.spare
        self.taken[self.taker] += cards
        self.spare = []
        self.seen.update(cards)
        self._start_challenge()
        if not all(self.cards_of(seat) for seat in self.seats):
            self.step = "over"

    # ---- the end ----

    @property
    def scores(self):
        """Cards held; with three players minus the cards held.                                           [standing]"""
        cards = [self.cards_of(seat) for seat in self.seats]
        return cards if self.num_players == 2 else [-number for number in cards]

    @property
    def standing(self):
        """Two players: more cards are better; three: fewer.                                              [standing]"""
        scores = self.scores
        return [sum(other > mine for other in scores) for mine in scores]

    # ---- what a seat sees ----

    def observe(self, seat):
        """The table; with recall where every card lies that has been seen.                                   [sees]"""
        clockwise = [(seat + i) % self.num_players for i in self.seats]
        claiming = self.step == "claim"

        def each(of):
            """One entry a seat, own first, then clockwise, then the absent seat."""
            return [int(of(other)) for other in clockwise] + [0] * (MAX_SEATS - self.num_players)

        def places(rows, width):
            """The last eight, left-aligned."""
            return rows + [[0] * width for _ in range(PLACES - len(rows))]

        last = self.up[-PLACES:]
        return {
            "stack": each(lambda other: len(self.stacks[other])),
            "taken": each(lambda other: len(self.taken[other])),
            "face_up": places([one_hot([card]) for _, card in last], len(CARDS)),
            "laid_by": places([each(lambda other, by=by: other == by) for by, _ in last], MAX_SEATS),
            "earlier": one_hot([card for _, card in self.up[:-PLACES]]),
            "face_down": each(lambda other: sum(by == other for by, _ in self.down)),
            "spare": len(self.spare),
            "contest": each(lambda other: other in self.contest),
            "taker": each(lambda other: claiming and other == self.taker),
            "active": each(lambda other: other == self.to_move),
            "step": [int(self.step == step) for step in STEPS],
            "hint": int(self.options["spell_hint"] and claiming and self.is_right()),
            "words": int(self.options["words"] == "claim"),
            "scrump": SCRUMPS.index(self.options["scrump"]),
            "min_len": self.options["min_len"],
            "moves_left": self.options["max_moves"] - self.moves,
            "num_players": self.num_players,
            "known": self._known(clockwise),
        }

    def _known(self, clockwise):
        """Cards seen that lie face up; in each taken pile; in each stack or laid face down from it.         [R14]"""
        up = [card for _, card in self.up]
        taken = [self.taken[seat] for seat in clockwise]
        stacks = [self.stacks[seat] + [card for by, card in self.down if by == seat] for seat in clockwise]
        absent = [[]] * (MAX_SEATS - self.num_players)
        seen = self.seen if self.options["recall"] else set()
        return [one_hot(seen.intersection(cards)) for cards in [up, *taken, *absent, *stacks, *absent]]

    # ---- randomness ----

    @staticmethod
    def random_deal(num_players, options, rng):
        """All cards shuffled; now and then some Animals are put where they meet again and again.             [deal]"""
        cards, stack = list(CARDS), len(CARDS) // num_players
        rng.shuffle(cards)
        if rng.random() < 0.25:
            let_animals_meet(cards, stack, num_players, rng)
        stacks = [cards[seat * stack : (seat + 1) * stack] for seat in range(num_players)]
        return {"stacks": stacks, "spare": cards[num_players * stack :]}

    def random_outcome(self, rng):
        """The taken pile, shuffled; now and then its Animals lie on top.                                       [R3]"""
        if self.awaiting is None:
            raise ValueError(f"{GAME}: no random outcome is awaited")
        seat = self.due[0][1]
        stack = list(self.taken[seat])
        rng.shuffle(stack)
        if rng.random() < 0.25:
            stack.sort(key=lambda card: card not in ANIMALS)
        return {"restack": {"seat": seat, "stack": stack}}


def one_hot(cards):
    return [int(card in cards) for card in CARDS]


# ---- how the tests play it ----


def let_animals_meet(cards, stack, num_players, rng):
    """Swaps Animals to every fourth place of all or two of the stacks: there the Jungle rule lays face up."""
    seats = rng.sample(range(num_players), rng.choice([2, num_players]))
    animals = rng.sample(ANIMALS, len(ANIMALS))
    for place in range(rng.randrange(8), stack, FACE_DOWN + 1):
        for seat in seats if len(animals) >= len(seats) else []:
            here, there = seat * stack + place, cards.index(animals.pop())
            cards[here], cards[there] = cards[there], cards[here]


def changed_options(options):
    """Those that differ from the default; scrump, whose default depends on the players, if it is given."""
    return {name: value for name, value in options.items() if value != DEFAULTS[name]}


def random_options(rng):
    """Options other than the default; the games end by the rules or are cut short anywhere."""
    return {
        "words": rng.choice(["claim", "claim", "claim", "off"]),
        "min_len": rng.choice([2, 3, 4]),
        "spell_hint": rng.choice([False, True]),
        "scrump": rng.choice(SCRUMPS),
        "recall": rng.choice([False, True]),
        "max_moves": rng.choice([rng.randint(1, 80), 300]),
    }


def purposeful(twin, legal, rng):
    """Claims what is right and passes otherwise, save that a seat that would pay its last cards is often made to. Now
    and then it errs. So the games reach right claims in every place, and ends by a penalty."""
    if legal == ["flip"] or rng.random() < 0.05:
        return rng.choice(legal)
    ruinous = twin.cards_of(twin.rival) <= PENALTY and rng.random() < 0.5
    return "claim" if twin.is_right() or ruinous else "pass"


# ---- invariants ----


def audit(twin):
    """Everything is accounted for, and what the seats see agrees with it."""
    audit_cards(twin)
    audit_challenge(twin)
    audit_turn(twin)
    for seat in twin.seats:
        audit_view(twin, seat)


def audit_cards(twin):
    up, down = [card for _, card in twin.up], [card for _, card in twin.down]
    everything = [card for pile in [*twin.stacks, *twin.taken, up, down, twin.spare] for card in pile]
    assert sorted(everything) == sorted(CARDS)
    assert len(twin.spare) <= (twin.num_players == 3)
    for stack, taken in zip(twin.stacks, twin.taken):
        assert all(card in twin.seen for card in taken)
        assert len({card in twin.seen for card in stack}) <= 1, "a stack is the first one or a recycled one"
    assert all(card in twin.seen for card in up) and not any(card in twin.seen for card in twin.spare)


def audit_challenge(twin):
    """What has been laid agrees with who takes part."""
    laid = [sum(by == seat for by, _ in twin.up) for seat in twin.seats]
    if not twin.jungle_laid:
        assert not twin.down and max(laid) <= 1
    for seat in twin.seats:
        rounds = laid[seat] - 1 + (("lay up", seat) in twin.due)
        assert sum(by == seat for by, _ in twin.down) <= FACE_DOWN * max(rounds, 0)
    assert twin.contest == sorted(twin.contest) and (twin.num_players == 3 or twin.contest == [0, 1])
    if twin.step == "flip" and not twin.due:
        assert [by for by, _ in twin.up] == list(range(twin.asked)) and not twin.down
        assert twin.contest == list(twin.seats) and twin.taker is None
        assert all(twin.cards_of(seat) or seat < twin.asked for seat in twin.seats)
    if twin.step == "claim":
        assert twin.options["words"] == "claim" and twin.taker in (twin.contest or twin.seats)
        assert twin.jungle_laid or twin.options["scrump"] == "anytime"
        assert twin.asked == (twin.taker if twin.num_players == 3 else 1 - twin.taker)


def audit_turn(twin):
    assert (twin.legal() == []) == (twin.over or twin.awaiting is not None)
    assert twin.over == (twin.to_move is None) and (not twin.due or twin.awaiting == "restack")
    if twin.over and not twin.truncated:
        assert min(twin.cards_of(seat) for seat in twin.seats) == 0
        if twin.up:
            assert twin.num_players == 2 and all(card in ANIMALS for card in twin._latest().values()), "R9"
    assert twin.moves <= twin.options["max_moves"] and (twin.moves == twin.options["max_moves"] or not twin.truncated)


def audit_view(twin, seat):
    view = twin.observe(seat)
    on_view = sum(view["stack"]) + sum(view["taken"]) + sum(map(sum, view["face_up"])) + sum(view["earlier"])
    assert on_view + sum(view["face_down"]) + view["spare"] == len(CARDS)
    assert sum(view["step"]) == sum(view["active"]) == (not twin.over) and view["active"][0] == (seat == twin.to_move)
    assert [sum(row) for row in view["laid_by"]] == [sum(row) for row in view["face_up"]]
    assert sum(view["earlier"]) == 0 or sum(map(sum, view["face_up"])) == PLACES
    assert sum(view["taker"]) == view["step"][1] and view["hint"] <= view["step"][1]
    assert all(sum(column) <= 1 for column in zip(*view["known"])), "a known card is known in one place"
    if twin.options["recall"]:
        assert sum(map(sum, view["known"])) == len(twin.seen)
        assert [sum(row) for row in view["known"][1:4]] == view["taken"]
        assert sum(view["known"][0]) == len(twin.up)
    else:
        assert not any(map(any, view["known"]))
