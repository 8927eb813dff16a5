"""Naive twin of you_wish_v0, written from the rules text alone.

A card is a string, letter and suit: "E1". A hand and the cards known of it are lists, the well is a list in drawing
order. A word that has been played is the list of its cards.
"""

import re
from collections import Counter

from tests.twins.letters import CARDS, COPIES, LETTER, RANK, WORDS, can_spell, words_of_all

GAME = "you_wish_v0"
MAX_SEATS = 4
DEFAULTS = {"min_len": 3, "recall": False, "max_moves": 1024}
DEALT = {3: 13, 4: 10}  # cards a seat
LENGTHS = range(2, 14)
LETTERS = sorted(COPIES)
STEPS, RESULTS = ["ask", "word"], ["hit", "miss", "lucky"]


# ---- words ----


def cost(word):
    """How common its letters are in the deck, added up.                                               [R16]"""
    return sum(COPIES[letter] for letter in word)


CHOICES = {(letter, length): [] for letter in LETTERS for length in LENGTHS}  # words with the letter, the chosen first
for spelled in sorted(WORDS, key=lambda word: (cost(word), word)):
    for contained in set(spelled):
        CHOICES[contained, len(spelled)].append(spelled)
CHOICES = {key: " ".join(["", *words, ""]) for key, words in CHOICES.items()}


def chosen_words(hand, received, min_len):
    """For each length that can be spelled with the received letter the word that is played.      [word, R16]"""
    letters = [LETTER[card] for card in hand]
    of_held_letters = re.compile(rf" ([{''.join(letters)}]+)(?= )")
    chosen = {}
    for length in range(min_len, min(len(hand), LENGTHS[-1]) + 1):
        for match in of_held_letters.finditer(CHOICES[received, length]):
            if can_spell(match[1], letters):
                chosen[length] = match[1]
                break
    return chosen


def highest_cards(word, hand):
    """For every letter of the word a card of the hand, the highest ranks first.                    [word, R16]"""
    cards = []
    for letter, count in Counter(word).items():
        held = sorted((card for card in hand if LETTER[card] == letter), key=RANK.get)
        cards += held[-count:]
    return cards


def complete_options(options):
    """All options; every claim being right, there are no others.                                   [options]"""
    unknown = set(options) - set(DEFAULTS)
    if unknown:
        raise ValueError(f"{GAME}: unknown options {sorted(unknown)}")
    complete = {**DEFAULTS, **options}
    if complete["min_len"] not in (2, 3, 4):
        raise ValueError(f"{GAME}: min_len {complete['min_len']!r} is not 2, 3 or 4")
    return complete


class Twin:
    def __init__(self, num_players, options, deal):
        if num_players not in DEALT:
            raise ValueError(f"{GAME}: {num_players} players")
        self.num_players = num_players
        self.options = complete_options(options)
        self._check_deal(deal)
        self.hands = [list(hand) for hand in deal["hands"]]
        self.well = list(deal["well"])
        self.words = [[] for _ in self.seats]
        self.known = [[] for _ in self.seats]  # cards in hand that everybody knows of
        self.named = [[] for _ in self.seats]  # letters a seat asked for or was asked for since its last unseen draw
        self.turn = 1  # R2
        self.step = "ask"  # one of STEPS, or "over"
        self.last_ask = None  # asker, asked, letter, one of RESULTS
        self.open_words = {}  # in the word step: the word of each length that can be played
        self.gone_out = None  # the seat that emptied its hand by a word
        self.moves = 0
        self.truncated = False

    @property
    def seats(self):
        return range(self.num_players)

    def _check_deal(self, deal):
        """Thirteen cards each, or ten; the rest is the well.                                            [deal]"""
        if not isinstance(deal, dict) or sorted(deal) != ["hands", "well"]:
            raise ValueError(f"{GAME}: a deal has hands and a well, and nothing else")
        if not isinstance(deal["hands"], list) or len(deal["hands"]) != self.num_players:
            raise ValueError(f"{GAME}: a hand for each of {self.num_players} seats must be dealt")
        for pile in [*deal["hands"], deal["well"]]:
            if not isinstance(pile, list) or not all(isinstance(card, str) for card in pile):
                raise ValueError(f"{GAME}: {pile!r} is not a list of cards")
        if any(len(hand) != DEALT[self.num_players] for hand in deal["hands"]):
            raise ValueError(f"{GAME}: every hand has {DEALT[self.num_players]} cards")
        if Counter(CARDS) != Counter(card for pile in [*deal["hands"], deal["well"]] for card in pile):
            raise ValueError(f"{GAME}: the dealt cards are not the {len(CARDS)}")

    # ---- the interface ----

    @property
    def over(self):
        return self.step == "over"

    @property
    def awaiting(self):
        """Nothing is random after the deal.                                                             [deal]"""
        return None

    @property
    def to_move(self):
        return None if self.over else self.turn

    def legal(self):
        """The legal actions, in the order of their indices.                                       [actions]"""
        if self.step == "ask":
            return self._legal_asks()
        if self.step == "word":
            return [f"word {length}" for length in self.open_words] + ["pass"]
        return []

    def play(self, move):
        if move not in self.legal():
            raise ValueError(f"{GAME}: seat {self.to_move} cannot {move!r}; legal: {self.legal()}")
        verb = {"ask": self._ask, "word": self._word, "pass": self._pass}[move.split()[0]]
        self.moves += 1
        verb(*move.split()[1:])
        if self.moves == self.options["max_moves"] and not self.over:
            self.truncated = True
            self.step = "over"

    def chance(self, outcome):
        raise ValueError(f"{GAME}: {outcome} came where no random outcome is awaited")

    # ---- ask ----

    def _legal_asks(self):
        """Another seat that has cards, a letter that the asker does not hold.                       [ask, R17]"""
        held = {LETTER[card] for card in self.hands[self.turn]}
        others = [(self.turn + offset) % self.num_players for offset in range(1, self.num_players)]
        return [
            f"ask {other} {letter}" for other in others if self.hands[other] for letter in LETTERS if letter not in held
        ]

    def _ask(self, asked, letter):
        """Whether it is a hit or a miss, now neither of the two is known to hold another card of it.    [ask]"""
        asked = int(asked)
        given = [card for card in self.hands[asked] if LETTER[card] == letter]
        self.named[self.turn].append(letter)
        self.named[asked].append(letter)
        if given:
            self._hit(asked, letter, given)
        else:
            self._miss(asked, letter)

    def _hit(self, asked, letter, given):
        """All cards of the letter change hands openly.                                                  [hit]"""
        self.last_ask = (self.turn, asked, letter, "hit")
        for card in given:
            self._leave_hand(asked, card)
        self.hands[self.turn] += given
        self.known[self.turn] += given
        self._open_window(letter)
        if not self.open_words:
            self._go_on()

    def _miss(self, asked, letter):
        """A card from the well; a lucky one may open the window, else the refusing seat is next.      [miss, R15]"""
        self.last_ask = (self.turn, asked, letter, "miss")
        drawn = self._draw()
        if drawn and LETTER[drawn] == letter:
            self._open_window(letter)
        if self.open_words:
            self.last_ask = (self.turn, asked, letter, "lucky")
        else:
            self._end_turn(asked)

    def _draw(self):
        """One card, unseen: nobody knows any more what this seat lacks. An empty well gives nothing.      [R15]"""
        if not self.well:
            return None
        card = self.well.pop(0)
        self.hands[self.turn].append(card)
        self.named[self.turn] = []
        return card

    def _leave_hand(self, seat, card):
        """Everybody sees it.                                                                [what a seat sees]"""
        self.hands[seat].remove(card)
        if card in self.known[seat]:
            self.known[seat].remove(card)

    # ---- word ----

    def _open_window(self, received):
        """Only if a word with the received letter is possible.                                        [word]"""
        self.open_words = chosen_words(self.hands[self.turn], received, self.options["min_len"])
        if self.open_words:
            self.step = "word"

    def _word(self, length):
        """It lies open and stays; the seat that empties its hand by it wins at once.              [word, end]"""
        cards = highest_cards(self.open_words[int(length)], self.hands[self.turn])
        for card in cards:
            self._leave_hand(self.turn, card)
        self.words[self.turn].append(cards)
        if not self.hands[self.turn]:
            self.gone_out = self.turn
            self.step = "over"
        else:
            self._close_window()

    def _pass(self):
        self._close_window()

    def _close_window(self):
        """After a hit the turn goes on; after a lucky draw it ends.                               [hit, miss]"""
        self.open_words = {}
        _, asked, _, result = self.last_ask
        if result == "hit":
            self._go_on()
        else:
            self._end_turn(asked)

    # ---- turns, the end ----

    def _go_on(self):
        """The seat asks; if it can ask nothing it draws without wording, and the left one is next.       [R18]"""
        self.step = "ask"
        if not self._legal_asks():
            self._draw()
            self._end_turn((self.turn + 1) % self.num_players)

    def _end_turn(self, next_seat):
        """Whoever draws the last card of the well finishes its turn, and the game is over.                [end]"""
        if not self.well:
            self.step = "over"
        else:
            self.turn = next_seat
            self._go_on()

    @property
    def scores(self):
        """Words played.                                                                                  [end]"""
        return [len(words) for words in self.words]

    def longest(self, seat):
        """Letters of its longest word, 0 without one.                                                    [end]"""
        return max((len(word) for word in self.words[seat]), default=0)

    def best_card(self, seat):
        """The highest rank in its words of that length, 0 without one.                                   [end]"""
        longest = [word for word in self.words[seat] if len(word) == self.longest(seat)]
        return max((RANK[card] for word in longest for card in word), default=0)

    @property
    def standing(self):
        """Gone out; most words; the longest word; the best card in it: how many stand strictly before.   [end]"""
        keys = [
            (seat == self.gone_out, len(self.words[seat]), self.longest(seat), self.best_card(seat))
            for seat in self.seats
        ]
        return [sum(other > mine for other in keys) for mine in keys]

    # ---- what a seat sees ----

    def known_not(self, seat):
        """Letters that it is known not to hold: named, and not among the cards it took openly. [what a seat sees]"""
        return [letter for letter in self.named[seat] if letter not in [LETTER[card] for card in self.known[seat]]]

    def observe(self, seat):
        """The table, and the seat's hand; with recall also what everybody knows of hands.   [what a seat sees]"""
        clockwise = [(seat + i) % self.num_players for i in self.seats]
        recall = self.options["recall"]
        asker, asked, asked_for, result = self.last_ask or (None, None, None, None)
        wording = self.step == "word"

        def cards(pile):
            return [int(card in pile) for card in CARDS]

        def letters(some):
            return [int(letter in some) for letter in LETTERS]

        def each(of):
            """One entry a seat, own first, then clockwise, then the absent seats: zeros like the others."""
            present = [of(other) for other in clockwise]
            empty = [0] * len(present[0]) if isinstance(present[0], list) else 0
            return present + [empty] * (MAX_SEATS - self.num_players)

        return {
            "hand": cards(self.hands[seat]),
            "hand_size": each(lambda other: len(self.hands[other])),
            "well": len(self.well),
            "num_words": each(lambda other: len(self.words[other])),
            "longest": each(self.longest),
            "best_card": each(self.best_card),
            "words": each(lambda other: cards([card for word in self.words[other] for card in word])),
            "active": each(lambda other: int(other == self.to_move)),
            "step": [int(self.step == step) for step in STEPS],
            "asker": each(lambda other: int(other == asker)),
            "asked": each(lambda other: int(other == asked)),
            "ask_letter": letters([asked_for]),
            "ask_result": [int(result == other) for other in RESULTS],
            "received": letters([asked_for] if wording else []),
            "open_words": [int(wording and seat == self.turn and length in self.open_words) for length in LENGTHS],
            "min_len": self.options["min_len"],
            "moves_left": self.options["max_moves"] - self.moves,
            "num_players": self.num_players,
            "known_hand": each(lambda other: cards(self.known[other] if recall else [])),
            "known_not": each(lambda other: letters(self.known_not(other) if recall else [])),
        }

    # ---- randomness ----

    @staticmethod
    def random_deal(num_players, options, rng):
        """All cards shuffled.                                                                           [deal]"""
        cards = list(CARDS)
        rng.shuffle(cards)
        each = DEALT[num_players]
        hands = [cards[seat * each : (seat + 1) * each] for seat in range(num_players)]
        return {"hands": hands, "well": cards[num_players * each :]}

    def random_outcome(self, rng):
        raise ValueError(f"{GAME}: no random outcome is awaited")


# ---- how the tests play it ----


def changed_options(options):
    """Those that differ from the default."""
    return {name: value for name, value in options.items() if value != DEFAULTS[name]}


def random_options(rng):
    """Options other than the default; the games end by the rules or are cut short anywhere."""
    return {
        "min_len": rng.randint(2, 4),
        "recall": rng.choice([False, True]),
        "max_moves": rng.choice([rng.randint(1, 40), 200]),
    }


def purposeful(twin, legal, rng):
    """Looks into hands and well. The well's last card decides what the game is like: all make for a hand that one word
    plays out, or all count on luck and play short words, or seat 0 collects letters, or it strips the others of their
    cards, who let it. Now and then one errs. So the games reach the ends by going out, the last card drawn with luck,
    ties, seats that can ask nothing, and turns without cards."""
    if rng.random() < 0.05:
        return rng.choice(legal)
    mood = RANK[twin.well[-1]] % 4 if twin.well else 0
    if twin.step == "word":
        return max(legal, key=lambda move: (value_of_word(twin, move, mood), rng.random()))
    return max(legal, key=lambda move: (value_of_ask(twin, move, mood), rng.random()))


def value_of_word(twin, move, mood):
    """Of a word or a pass: its length, or what it leaves; in the last mood what it rids the hand of."""
    length = int(move.split()[1]) if move != "pass" else 0
    if mood == 0:
        return length
    if mood == 1:
        return -length if length else -99
    if mood == 2:
        return -length
    hand = twin.hands[twin.turn]
    left = set(hand) - set(highest_cards(twin.open_words[length], hand) if length else [])
    letters = {LETTER[card] for card in left}
    return -sum(LETTER[card] in letters for other in others_of(twin) for card in twin.hands[other]), length


def value_of_ask(twin, move, mood):
    """Of an ask, by the cards that it brings from the seat asked or from the well."""
    _, asked, letter = move.split()
    hand = twin.hands[twin.turn]
    given = [card for card in twin.hands[int(asked)] if LETTER[card] == letter]
    lucky = not given and LETTER[twin.well[0]] == letter
    if mood == 0:
        gained = given + (twin.well[:1] if lucky else [])
        letters = [LETTER[card] for card in hand + gained]
        return bool(gained and words_of_all(letters, twin.options["min_len"])), len(given)
    if mood == 1:
        return lucky, not given
    if twin.turn != 0:
        return asked == "0", not given
    return len(given), lucky


def others_of(twin):
    return [seat for seat in twin.seats if seat != twin.turn]


# ---- invariants ----


def audit(twin):
    """Everything is accounted for, and what the seats see agrees with it."""
    audit_cards(twin)
    audit_turn(twin)
    for seat in twin.seats:
        audit_knowledge(twin, seat)
        audit_view(twin, seat)


def audit_cards(twin):
    on_table = [card for words in twin.words for word in words for card in word]
    everything = Counter(twin.well + on_table)
    for hand in twin.hands:
        everything.update(hand)
    assert everything == Counter(CARDS)
    for word in (word for words in twin.words for word in words):
        assert words_of_all([LETTER[card] for card in word], twin.options["min_len"]), "a word lies on the table"


def audit_turn(twin):
    assert (twin.legal() == []) == twin.over == (twin.to_move is None)
    assert twin.moves <= twin.options["max_moves"] and (twin.moves == twin.options["max_moves"] or not twin.truncated)
    assert (twin.gone_out is not None) <= (twin.over and not twin.truncated)
    assert any(twin.hands) or twin.gone_out is not None
    if twin.step == "ask":
        assert twin.well and any(twin.hands[other] for other in others_of(twin)), "R18"
    if twin.step == "word":
        audit_window(twin)
    if twin.over and not twin.truncated and twin.gone_out is None:
        assert not twin.well
    if twin.gone_out is not None:
        assert not twin.hands[twin.gone_out] and twin.words[twin.gone_out]


def audit_window(twin):
    asker, _, letter, result = twin.last_ask
    assert asker == twin.turn and result in ("hit", "lucky") and twin.open_words
    for length, word in twin.open_words.items():
        assert len(word) == length >= twin.options["min_len"] and letter in word
        assert can_spell(word, [LETTER[card] for card in twin.hands[twin.turn]])


def audit_knowledge(twin, seat):
    held = {LETTER[card] for card in twin.hands[seat]}
    assert len(set(twin.known[seat])) == len(twin.known[seat]) and set(twin.known[seat]) <= set(twin.hands[seat])
    assert not held & set(twin.known_not(seat)), "what is known is true"
    assert len(twin.words[seat]) == 0 or twin.longest(seat) >= twin.options["min_len"]


def audit_view(twin, seat):
    view = twin.observe(seat)
    assert sum(view["hand_size"]) + view["well"] + sum(map(sum, view["words"])) == len(CARDS)
    assert view["hand_size"][0] == sum(view["hand"]) and view["num_players"] == twin.num_players
    assert sum(view["step"]) == sum(view["active"]) == (not twin.over)
    assert view["active"][0] == (seat == twin.to_move)
    once = (twin.last_ask is not None,) * 4
    assert once == tuple(sum(view[name]) for name in ("asker", "asked", "ask_letter", "ask_result"))
    assert view["asker"] != view["asked"] or not once[0]
    assert sum(view["received"]) == view["step"][1] and (any(view["open_words"]) <= view["step"][1] * view["active"][0])
    for name in ("num_words", "longest", "best_card"):
        assert [bool(count) for count in view[name]] == [any(row) for row in view["words"]]
    if not twin.options["recall"]:
        assert not any(map(any, view["known_hand"] + view["known_not"]))
