"""Naive twin of pick_a_pepper_v0, written from the rules text alone.

A card is a string, "1".."13" or "w". Piles are lists in drawing order (first drawn first), slots are lists, hands,
ingredient decks and the discards are Counters, and a combination on the table is a list of cards.
"""

import csv
from collections import Counter
from pathlib import Path

GAME = "pick_a_pepper_v0"
MAX_SEATS = 4
DEFAULTS = {"difficulty": "mild", "recall": False, "max_rounds": 60}
NUM_SLOTS = 7
GROUP_LIMIT = 3  # cards of one value in a slot
WILD = "w"
DATA = Path(__file__).resolve().parents[2] / "pepperenvs" / "games" / "pick_a_pepper" / "data"


def read_table(name):
    with open(DATA / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


ALL_CARDS = [row["value"] or WILD for row in read_table("chili_cards.csv") for _ in range(int(row["copies"]))]
FACES = list(dict.fromkeys(ALL_CARDS))  # "1".."13", "w"
SAUCES = {row["sauce_id"]: row for row in read_table("sauces.csv")}
HOTNESS = {sauce: int(row["hotness"]) for sauce, row in SAUCES.items()}
POINTS = {sauce: int(row["vp"]) for sauce, row in SAUCES.items()}
LEVELS = {row["level"]: row for row in read_table("difficulty.csv")}


def play_string(value, numbers, wilds):
    """play 5x2, play 5x2+1w, play 2w (then value is None).                                        [actions]"""
    if value is None:
        return f"play {wilds}w"
    return f"play {value}x{numbers}" + (f"+{wilds}w" if wilds else "")


def _all_actions():
    """Every action string, in the order of its index.                                            [actions]"""
    actions = [play_string(v, k, w) for v in FACES if v != WILD for k in range(1, 9) for w in range(7)]
    actions += [play_string(None, 0, w) for w in range(1, 7)]
    actions += ["regroup"]
    actions += [f"take {slot} {what}" for slot in (1, 2, 3, 4, 5, 6, 7, "none") for what in ("keep", "discard")]
    actions += [f"cook {sauce}" for sauce in sorted(SAUCES)]
    actions += [f"grab {slot}" for slot in range(1, NUM_SLOTS + 1)]
    return actions


ACTIONS = _all_actions()
INDEX = {action: index for index, action in enumerate(ACTIONS)}


def parse_play(move):
    """The cards of a `play` string as a list.                                                     [actions]"""
    cards = []
    for part in move.split()[1].split("+"):
        if part.endswith(WILD):
            cards += [WILD] * int(part[:-1])
        else:
            value, count = part.split("x")
            cards += [value] * int(count)
    return cards


def rank(cards):
    """Size, then value; wilds only are above all numbers.                                       [a round, 2]"""
    numbers = [int(card) for card in cards if card != WILD]
    return len(cards), numbers[0] if numbers else 14


def complete_options(options):
    """All options.                                                                                [options]"""
    unknown = set(options) - set(DEFAULTS)
    if unknown:
        raise ValueError(f"{GAME}: unknown options {sorted(unknown)}")
    return {**DEFAULTS, **options}


def sauces_in_play(difficulty):
    """The sauces left after the removal of this difficulty.                              [components, set-up]"""
    removed = {int(hotness) for hotness in LEVELS[difficulty]["removed_hotness"].split("|")}
    left = [sauce for sauce in sorted(SAUCES) if HOTNESS[sauce] not in removed]
    assert len(left) == int(LEVELS[difficulty]["sauces_left"])
    return left


class Twin:
    def __init__(self, num_players, options, deal):
        if not 2 <= num_players <= MAX_SEATS:
            raise ValueError(f"{GAME}: {num_players} players")
        self.num_players = num_players
        self.options = complete_options(options)
        self._check_deal(deal)
        level = LEVELS[self.options["difficulty"]]
        self.hand_cards = int(level["hand_cards"])
        self.required = int(level[f"required_{num_players}p"])
        self.deck = list(deal["deck"])
        self.discards = Counter()
        self.slots = [[] for _ in range(NUM_SLOTS)]
        self.hands = [Counter() for _ in self.seats]
        self.ingredients = [Counter() for _ in self.seats]
        self.table = [[] for _ in self.seats]
        self.sauce_pile = list(deal["sauces"])
        self.display = []
        self.sauces = [[] for _ in self.seats]
        self.spoon = deal["spoon"]
        self.phase = 1
        self.round = 0  # of phase 2, from 1
        self.step = None  # "play", "turn", "grab", "reshuffle"; "over"
        self.players = []  # seats that still have to play, in order
        self.played = []  # seats that have played a combination this round, in order
        self.order = []  # this round's order of turns
        self.turns = []  # the seats of the order whose turn lies ahead
        self.grabbers = []  # the seats that still have to grab, in order
        self.asked = self.spoon  # the seat asked, or the one that was asked last
        self.truncated = False
        self._set_up()

    @property
    def seats(self):
        return range(self.num_players)

    def _check_deal(self, deal):
        """110 cards, the sauces of this difficulty, a spoon holder.                               [set-up]"""
        if Counter(deal["deck"]) != Counter(ALL_CARDS):
            raise ValueError(f"{GAME}: the dealt deck does not hold the {len(ALL_CARDS)} cards")
        if sorted(deal["sauces"]) != sauces_in_play(self.options["difficulty"]):
            raise ValueError(f"{GAME}: the dealt sauces are not those of {self.options['difficulty']}")
        if deal["spoon"] not in self.seats:
            raise ValueError(f"{GAME}: nobody sits at {deal['spoon']!r} to hold the spoon")

    def _set_up(self):
        """The slots are filled, then the hands are dealt one card at a time from seat 0.          [set-up]"""
        self._fill_slots()
        for _ in range(self.hand_cards):
            for seat in self.seats:
                self.hands[seat][self.deck.pop(0)] += 1
        self._start_round()

    # ---- the interface ----

    @property
    def over(self):
        return self.step == "over"

    @property
    def awaiting(self):
        """A card must be revealed and the deck is empty: the discards' new order must come.            [R4]"""
        return "reshuffle" if self.step == "reshuffle" else None

    @property
    def to_move(self):
        """The seat asked; while a reshuffle is awaited, the seat that was asked last."""
        return None if self.over else self.asked

    def legal(self):
        """The legal actions, in the order of their indices.                                       [actions]"""
        if self.step == "play":
            moves = self._legal_plays()
        elif self.step == "turn":
            moves = self._legal_takes() + self._legal_cooks()
        elif self.step == "grab":
            moves = [f"grab {number}" for number in self._full_slots()]
        else:
            moves = []
        return sorted(moves, key=INDEX.get)

    def play(self, move):
        if move not in self.legal():
            raise ValueError(f"{GAME}: seat {self.to_move} cannot {move!r}; legal: {self.legal()}")
        verb = {
            "play": self._play,
            "regroup": self._regroup,
            "take": self._take,
            "cook": self._cook,
            "grab": self._grab,
        }[move.split()[0]]
        verb(self.asked, move)

    def chance(self, outcome):
        """All discards, shuffled, are the new deck; the filling goes on.                               [R4]"""
        if self.awaiting is None or list(outcome) != ["reshuffle"]:
            raise ValueError(f"{GAME}: {outcome} came where {self.awaiting} is awaited")
        if Counter(outcome["reshuffle"]) != +self.discards:
            raise ValueError(f"{GAME}: the reshuffled cards are not those of the discards")
        self.deck = list(outcome["reshuffle"])
        self.discards = Counter()
        self._refill()

    # ---- slots ----

    def _full_slots(self):
        """The numbers of the slots that hold cards."""
        return [number for number in range(1, NUM_SLOTS + 1) if self.slots[number - 1]]

    def _fill_slots(self):
        """Cards are revealed until every slot holds a card, or none is left in the deck.      [set-up, R1, R4]"""
        while self.deck and not all(self.slots):
            self._reveal(self.deck.pop(0))

    def _reveal(self, card):
        """A number joins the group of its value with fewer than three cards; else, and for wilds, the
        lowest-numbered empty slot is opened.                                                      [set-up, R1]"""
        for slot in self.slots:
            if card != WILD and card in slot and len(slot) < GROUP_LIMIT:
                slot.append(card)
                return
        next(slot for slot in self.slots if not slot).append(card)

    def _empty_slot(self, number):
        """All cards of a slot are taken."""
        cards = self.slots[number - 1]
        self.slots[number - 1] = []
        return cards

    # ---- 1. playing ----

    def _clockwise_from(self, first):
        return [(first + i) % self.num_players for i in self.seats]

    def _cards_of(self, seat):
        """How many cards a seat has in hand and ingredient deck."""
        return self.hands[seat].total() + self.ingredients[seat].total()

    def _start_round(self):
        """From the spoon holder clockwise, each seat with hand cards plays; others are skipped. [a round, 1, R7]"""
        nobody_has_hand_cards = not any(self.hands[seat].total() for seat in self.seats)
        if self.phase == 1 and nobody_has_hand_cards:
            self._start_phase_2()
        self.played = []
        self.order = []
        self.players = [seat for seat in self._clockwise_from(self.spoon) if self.hands[seat].total()]
        self._next_player()

    def _start_phase_2(self):
        """Every seat takes its ingredient deck as its hand, n + 2 sauces are displayed.            [phase 1]"""
        self.phase = 2
        self.round = 1
        for seat in self.seats:
            self._take_up_ingredients(seat)
        self._fill_display()

    def _take_up_ingredients(self, seat):
        self.hands[seat] += self.ingredients[seat]
        self.ingredients[seat] = Counter()

    def _next_player(self):
        if self.players:
            self.step = "play"
            self.asked = self.players[0]
        else:
            self._set_order()

    def _legal_plays(self):
        """One or more cards of one value with or without wilds, or wilds only; in phase 2 a seat with an
        ingredient deck may regroup.                                                   [a round, 1; phase 2, R5]"""
        hand = self.hands[self.asked]
        moves = ["regroup"] if self.phase == 2 and self.ingredients[self.asked].total() else []
        for wilds in range(hand[WILD] + 1):
            if wilds:
                moves.append(play_string(None, 0, wilds))
            for value in FACES:
                if value != WILD:
                    moves += [play_string(value, numbers, wilds) for numbers in range(1, hand[value] + 1)]
        return moves

    def _play(self, seat, move):
        """The combination lies face up before the seat.                                          [a round, 1]"""
        self.table[seat] = parse_play(move)
        self.hands[seat] = +(self.hands[seat] - Counter(self.table[seat]))
        self.played.append(seat)
        self.players.pop(0)
        self._next_player()

    def _regroup(self, seat, move):
        """The seat takes the deck into its hand and has no turn this round.                         [phase 2]"""
        self._take_up_ingredients(seat)
        self.players.pop(0)
        self._next_player()

    # ---- 2. order ----

    def _set_order(self):
        """More cards, then the higher value, then the one played earlier; the first takes the spoon. Nobody
        played: it stays.                                                                     [a round, 2, R2]"""
        self.order = sorted(self.played, key=lambda seat: rank(self.table[seat]), reverse=True)  # sorted() is stable
        if self.order:
            self.spoon = self.order[0]
        self.turns = list(self.order)
        self._next_turn()

    # ---- 3. turns ----

    def _next_turn(self):
        if self.turns:
            self.step = "turn"
            self.asked = self.turns[0]
        else:
            self._end_of_round()

    def _legal_takes(self):
        """All cards of one slot or none; the combination kept or discarded.                 [a round, 3, collect]"""
        return [f"take {slot} {what}" for slot in [*self._full_slots(), "none"] for what in ("keep", "discard")]

    def _legal_cooks(self):
        """Phase 2: a displayed sauce not hotter than the combination is large, unless the seat has the
        required number.                                                               [a round, 3, cook, R3]"""
        if self.phase == 1 or len(self.sauces[self.asked]) >= self.required:
            return []
        return [f"cook {sauce}" for sauce in self.display if HOTNESS[sauce] <= len(self.table[self.asked])]

    def _take(self, seat, move):
        """Collect: the slot's cards and the kept combination go into the ingredient deck.   [a round, 3, collect]"""
        _, slot, what = move.split()
        if slot != "none":
            self.ingredients[seat].update(self._empty_slot(int(slot)))
        if what == "keep":
            self.ingredients[seat].update(self.table[seat])
        else:
            self.discards.update(self.table[seat])
        self._end_turn(seat)

    def _cook(self, seat, move):
        """The combination is discarded, the sauce taken.                                     [a round, 3, cook]"""
        sauce = move.split()[1]
        self.display.remove(sauce)
        self.sauces[seat].append(sauce)
        self.discards.update(self.table[seat])
        self._end_turn(seat)

    def _end_turn(self, seat):
        """No combination is left on the table.                                                         [R8]"""
        self.table[seat] = []
        self.turns.pop(0)
        self._next_turn()

    # ---- 4. end of round ----

    def _end_of_round(self):
        """Phase 1: refill. Phase 2: (a) trigger, (b) hands taken up, (c) grabs, then (d) and (e).  [end of round]"""
        if self.phase == 2:
            if any(self._has_finished(seat) for seat in self.seats):
                self.step = "over"
                return
            for seat in self.seats:
                if not self.hands[seat].total():
                    self._take_up_ingredients(seat)
            self.grabbers = [seat for seat in self._grabbing_order() if not self._cards_of(seat)]
        self._next_grab()

    def _has_finished(self, seat):
        """The required sauces and neither hand nor deck.                                      [end of round, a]"""
        return len(self.sauces[seat]) >= self.required and not self._cards_of(seat)

    def _grabbing_order(self):
        """Those that had a turn, in its order, then the others clockwise from the spoon holder. [end of round, c]"""
        return self.order + [seat for seat in self._clockwise_from(self.spoon) if seat not in self.order]

    def _next_grab(self):
        """A seat without any card must take a slot's cards; no slot has any: it takes nothing. [end of round, c, R6]"""
        if not self._full_slots():
            self.grabbers = []
        if self.grabbers:
            self.step = "grab"
            self.asked = self.grabbers[0]
        else:
            self._refill()

    def _grab(self, seat, move):
        """The slot's cards go into the hand.                                                  [end of round, c]"""
        self.hands[seat].update(self._empty_slot(int(move.split()[1])))
        self.grabbers.pop(0)
        self._next_grab()

    def _refill(self):
        """Slots are refilled, in the middle of it the discards may become the deck.        [end of round, d, R4]"""
        self._fill_slots()
        if not all(self.slots) and self.discards.total():
            self.step = "reshuffle"
            return
        self._finish_round()

    def _finish_round(self):
        """(e) the display; then the next round, or the end.                      [end of round, e; max_rounds; R9]"""
        if self.phase == 2:
            self._fill_display()
            if not any(self._cards_of(seat) for seat in self.seats):
                self.step = "over"
                return
            if self.round == self.options["max_rounds"]:
                self.step = "over"
                self.truncated = True
                return
            self.round += 1
        self._start_round()

    def _fill_display(self):
        """n + 2 sauces while any remain.                                             [phase 1; end of round, e]"""
        while self.sauce_pile and len(self.display) < self.num_players + 2:
            self.display.append(self.sauce_pile.pop(0))

    # ---- the end ----

    @property
    def scores(self):
        """Points of the sauces, minus one per card in hand and ingredient deck.                      [score]"""
        return [sum(POINTS[sauce] for sauce in self.sauces[seat]) - self._cards_of(seat) for seat in self.seats]

    @property
    def standing(self):
        """Most points win, ties are shared: how many seats stand strictly before.                    [score]"""
        return [sum(other > mine for other in self.scores) for mine in self.scores]

    # ---- what a seat sees ----

    def observe(self, seat):
        """The table, and what is the seat's own; with recall also what is publicly known.  [what a seat sees]"""
        clockwise = self._clockwise_from(seat)
        absent = MAX_SEATS - self.num_players
        none = [0] * len(FACES)
        recall = self.options["recall"]
        asked_step = {"play": [1, 0, 0], "turn": [0, 1, 0], "grab": [0, 0, 1]}

        def cards(pile):
            count = Counter(pile)
            return [count[face] for face in FACES]

        def marks(sauces):
            return [int(sauce in sauces) for sauce in sorted(SAUCES)]

        def each(of, empty=0):
            """One entry a seat, own first, then clockwise, then the absent seats."""
            return [of(other) for other in clockwise] + [empty for _ in range(absent)]

        still_to_act = self.played if self.step == "play" else self.turns
        return {
            "hand": cards(self.hands[seat]),
            "ingredients": cards(self.ingredients[seat]),
            "slots": [cards(slot) for slot in self.slots],
            "table": each(lambda other: cards(self.table[other]), none),
            "to_play": each(lambda other: int(other in self.players)),
            "to_act": each(lambda other: int(other in still_to_act)),
            "turn_place": each(lambda other: self.order.index(other) + 1 if other in self.order else 0),
            "to_grab": each(lambda other: int(other in self.grabbers)),
            "spoon": each(lambda other: int(other == self.spoon)),
            "phase": self.phase,
            "round": self.round,
            "rounds_left": self.options["max_rounds"] - self.round,
            "step": asked_step.get(self.step, [0, 0, 0]),
            "discards": cards(self.discards),
            "deck_size": len(self.deck),
            "display": marks(self.display),
            "sauces": each(lambda other: marks(self.sauces[other]), [0] * len(SAUCES)),
            "sauce_pile": len(self.sauce_pile),
            "hand_size": each(lambda other: self.hands[other].total()),
            "ingredients_size": each(lambda other: self.ingredients[other].total()),
            "points": each(lambda other: self.scores[other]),
            "required": self.required,
            "hand_cards": self.hand_cards,
            "num_players": self.num_players,
            "known_hand": each(
                lambda other: cards(self.hands[other]) if recall and self.phase == 2 else list(none), none
            ),
            "known_ingredients": each(lambda other: cards(self.ingredients[other]) if recall else list(none), none),
        }

    # ---- randomness ----

    @staticmethod
    def random_deal(num_players, options, rng):
        """Deck and sauces shuffled, the spoon goes to a random seat.                                 [set-up]"""
        deck = list(ALL_CARDS)
        sauces = sauces_in_play(complete_options(options)["difficulty"])
        rng.shuffle(deck)
        rng.shuffle(sauces)
        return {"deck": deck, "sauces": sauces, "spoon": rng.randrange(num_players)}

    def random_outcome(self, rng):
        """The discards, shuffled.                                                                        [R4]"""
        if self.awaiting is None:
            raise ValueError(f"{GAME}: no random outcome is awaited")
        cards = list(self.discards.elements())
        rng.shuffle(cards)
        return {"reshuffle": cards}


# ---- how the tests play it ----


def changed_options(options):
    """Those that differ from the default."""
    return {name: value for name, value in options.items() if value != DEFAULTS[name]}


def random_options(rng):
    """Options other than the default; few rounds, since random play rarely ends before the limit."""
    return {
        "difficulty": rng.choice(["mild", "hot", "scorching"]),
        "recall": rng.choice([False, True]),
        "max_rounds": rng.choice([1, 2, 5, 12]),
    }


def purposeful(twin, legal, rng):
    """Collects until it can cook, then sheds its cards; now and then it errs. The last seat sheds all it can.
    So the games reach the grabs and the trigger."""
    if rng.random() < 0.1:
        return rng.choice(legal)
    if twin.to_move == twin.num_players - 1 and twin.step == "turn":
        return "take none discard"
    finished = len(twin.sauces[twin.to_move]) == twin.required
    cooks = [move for move in legal if move.startswith("cook")]
    if twin.step == "turn":
        return cooks[-1] if cooks else "take none discard" if finished else max(legal, key=lambda m: gain(twin, m))
    if twin.step == "play":
        best = max(legal, key=combination_size)
        cheapest = min((HOTNESS[sauce] for sauce in twin.display), default=0)
        return best if finished or combination_size(best) >= cheapest else legal[-1]
    return legal[0]


def combination_size(move):
    return len(parse_play(move)) if move.startswith("play") else 0


def gain(twin, move):
    """Cards that a `take` move adds to the ingredient deck."""
    _, slot, what = move.split()
    return (len(twin.slots[int(slot) - 1]) if slot != "none" else 0) + (what == "keep")


# ---- invariants ----


def audit(twin):
    """Everything is accounted for, and what the seats see agrees with it."""
    everything = Counter(twin.deck) + twin.discards
    for pile in [*twin.slots, *twin.hands, *twin.ingredients, *twin.table]:
        everything.update(pile)
    assert everything == Counter(ALL_CARDS)
    sauces = twin.sauce_pile + twin.display + [sauce for own in twin.sauces for sauce in own]
    assert sorted(sauces) == sauces_in_play(twin.options["difficulty"])
    for slot in twin.slots:
        assert len(set(slot)) <= 1 and len(slot) <= (1 if "w" in slot else 3)
    assert all(len(own) <= twin.required for own in twin.sauces)
    if twin.step in ("play", "grab", "over", "reshuffle"):
        assert not any(cards for seat, cards in enumerate(twin.table) if seat not in twin.played)
    if twin.step in ("grab", "over", "reshuffle"):
        assert not any(twin.table), "R8"
    if twin.awaiting:
        assert not twin.deck and not all(twin.slots)
    if twin.step == "play":
        assert len(twin.display) == (0 if twin.phase == 1 else twin.num_players + 2) or not twin.sauce_pile
    view = twin.observe(twin.asked)
    on_view = sum(view["hand_size"]) + sum(view["ingredients_size"]) + sum(view["discards"]) + view["deck_size"]
    assert on_view + sum(map(sum, view["slots"])) + sum(map(sum, view["table"])) == len(ALL_CARDS)
    assert view["hand_size"][0] == sum(view["hand"]) and sum(view["spoon"]) == 1
    assert (sum(view["step"]) == 0) == (twin.to_move is None or twin.awaiting is not None)
    if twin.step in ("play", "turn", "grab"):
        assert view["step"] == [int(twin.step == step) for step in ("play", "turn", "grab")]
        assert view[{"play": "to_play", "turn": "to_act", "grab": "to_grab"}[twin.step]][0] == 1
