"""Naive twin of heat_guess_v0, written from the rules text alone. Cards are strings, the pile is a list, top first."""

from collections import Counter

GAME = "heat_guess_v0"
MAX_SEATS = 6
MAX_KINDS = 12
MAX_HEATS = 10
ALL_KINDS = [f"p{number:02d}" for number in range(1, MAX_KINDS + 1)]
DEFAULTS = {"kinds": 8, "heats": 4, "copies": 3, "reveal": False, "recall": False, "max_moves": None}


def complete_options(options):
    """All options; max_moves defaults to 50 x cards.                                              [options]"""
    unknown = set(options) - set(DEFAULTS)
    if unknown:
        raise ValueError(f"{GAME}: unknown options {sorted(unknown)}")
    complete = {**DEFAULTS, **options}
    if complete["max_moves"] is None:
        complete["max_moves"] = 50 * complete["kinds"] * complete["copies"]
    return complete


def changed_options(options):
    """Those that differ from the default; that of max_moves depends on the number of cards.         [records]"""
    usual = {**DEFAULTS, "max_moves": complete_options({**options, "max_moves": None})["max_moves"]}
    return {name: value for name, value in options.items() if value is not None and value != usual[name]}


def full_pile(options):
    """`copies` cards of each kind, unshuffled.                                                         [R1]"""
    return [kind for kind in ALL_KINDS[: options["kinds"]] for _ in range(options["copies"])]


class Twin:
    def __init__(self, num_players, options, deal):
        if not 1 <= num_players <= MAX_SEATS:
            raise ValueError(f"{GAME}: {num_players} players")
        self.num_players = num_players
        self.options = complete_options(options)
        self._check_deal(deal)
        self.heat = dict(deal["heat"])
        self.pile = list(deal["pile"])
        self.possible = {kind: set(range(1, self.options["heats"] + 1)) for kind in self.heat}
        self.points = [0] * num_players
        self.guesses = 0
        self.wasted = 0
        self.returning = None  # the card wrongly guessed, on its way back into the pile
        self.seat = 0  # seat 0 begins

    def _check_deal(self, deal):
        """The deal has a number for each kind and the right cards.                              [deal, R1]"""
        if sorted(deal["heat"]) != ALL_KINDS[: self.options["kinds"]]:
            raise ValueError(f"{GAME}: the deal names the kinds {sorted(deal['heat'])}")
        if not all(1 <= heat <= self.options["heats"] for heat in deal["heat"].values()):
            raise ValueError(f"{GAME}: a dealt heat is not in 1..{self.options['heats']}")
        if Counter(deal["pile"]) != Counter(full_pile(self.options)):
            raise ValueError(f"{GAME}: the dealt pile does not hold {self.options['copies']} of each kind")

    # ---- what happens ----

    @property
    def awaiting(self):
        """A wrong guess must be followed by the card's new place.                                      [R2]"""
        return "insert" if self.returning is not None else None

    @property
    def over(self):
        """The pile is empty, or all guesses are used up.                                [the end, max_moves]"""
        if self.awaiting:
            return False
        return not self.pile or self.guesses >= self.options["max_moves"]

    @property
    def to_move(self):
        """The seat asked; while the place of a card is awaited, the seat that guessed."""
        return None if self.over else self.seat

    def legal(self):
        """All numbers up to `heats`, those ruled out too.                                         [actions]"""
        if self.over or self.awaiting:
            return []
        return [f"say {number}" for number in range(1, self.options["heats"] + 1)]

    def play(self, move):
        """A seat says a number for the card shown.                                                [a turn]"""
        if move not in self.legal():
            raise ValueError(f"{GAME}: seat {self.seat} cannot {move!r}; legal: {self.legal()}")
        number = int(move.split()[1])
        self.guesses += 1
        if number == self.heat[self.pile[0]]:
            self._right()
        else:
            self._wrong(number)

    def _right(self):
        """One point, the card is kept, its kind's number is known.                       [a turn, public]"""
        kind = self.pile.pop(0)
        self.points[self.seat] += 1
        self.possible[kind] = {self.heat[kind]}
        self._next_seat()

    def _wrong(self, number):
        """The number is ruled out (with `reveal` all but the true one), the card goes back.      [R2, public]"""
        kind = self.pile.pop(0)
        self.wasted += 1
        self.possible[kind].discard(number)
        if self.options["reveal"]:
            self.possible[kind] = {self.heat[kind]}
        self.returning = kind

    def chance(self, outcome):
        """The card goes back with k cards above it, k in 0..m, m other cards being left.               [R2]"""
        if self.awaiting is None or list(outcome) != ["insert"]:
            raise ValueError(f"{GAME}: {outcome} came where {self.awaiting} is awaited")
        place = outcome["insert"]
        if type(place) is not int or not 0 <= place <= len(self.pile):
            raise ValueError(f"{GAME}: place {place!r} is not in 0..{len(self.pile)}")
        self.pile.insert(place, self.returning)
        self.returning = None
        self._next_seat()

    def _next_seat(self):
        """Right or wrong, then it is the next seat's turn.                                        [a turn]"""
        self.seat = (self.seat + 1) % self.num_players

    # ---- the end ----

    @property
    def truncated(self):
        """The move limit ended a game with cards still in the pile.                             [max_moves]"""
        return self.over and bool(self.pile)

    @property
    def scores(self):
        """One point a card.                                                                       [the end]"""
        return list(self.points)

    @property
    def standing(self):
        """Most points win, ties are shared: how many seats stand strictly before.                 [the end]"""
        return [sum(other > mine for other in self.points) for mine in self.points]

    @property
    def solitaire(self):
        """1 - 2 x wasted / (cards x (heats - 1)), not below -1; truncated: -1.                          [R3]"""
        if self.truncated:
            return -1.0
        cards = self.options["kinds"] * self.options["copies"]
        return max(-1.0, 1 - 2 * self.wasted / (cards * (self.options["heats"] - 1)))

    # ---- what a seat sees ----

    def observe(self, seat):
        """All that is public; nothing else is seen by anybody.                                     [public]"""
        shown = None if self.over or self.awaiting else self.pile[0]
        left = Counter(self.pile)
        if self.awaiting:
            left[self.returning] += 1
        own_first = [self.points[(seat + i) % self.num_players] for i in range(self.num_players)]
        return {
            "shown": [int(kind == shown) for kind in ALL_KINDS],
            "possible": [
                [int(number in self.possible.get(kind, ())) for number in range(1, MAX_HEATS + 1)] for kind in ALL_KINDS
            ],
            "remaining": [left[kind] for kind in ALL_KINDS],
            "points": own_first + [0] * (MAX_SEATS - self.num_players),
            "num_players": self.num_players,
            "heats": self.options["heats"],
            "reveal": int(self.options["reveal"]),
            "moves_left": self.options["max_moves"] - self.guesses,
        }

    # ---- randomness ----

    @staticmethod
    def random_deal(num_players, options, rng):
        """Numbers uniform and independent for each kind, the pile shuffled.                            [R1]"""
        options = complete_options(options)
        pile = full_pile(options)
        rng.shuffle(pile)
        heat = {kind: rng.randint(1, options["heats"]) for kind in ALL_KINDS[: options["kinds"]]}
        return {"heat": heat, "pile": pile}

    def random_outcome(self, rng):
        """A uniformly random place.                                                                    [R2]"""
        if self.awaiting is None:
            raise ValueError(f"{GAME}: no random outcome is awaited")
        return {"insert": rng.randint(0, len(self.pile))}


# ---- how the tests play it ----


def random_options(rng):
    """Options other than the default."""
    options = {
        "kinds": rng.randint(2, 12),
        "heats": rng.randint(2, 10),
        "copies": rng.randint(1, 4),
        "reveal": rng.choice([False, True]),
        "recall": rng.choice([False, True]),
    }
    if rng.random() < 0.3:
        options["max_moves"] = rng.randint(1, 40)
    return options


def purposeful(twin, legal, rng):
    """Says a number that the card may have, now and then any number."""
    possible = [f"say {number}" for number in twin.possible[twin.pile[0]]]
    return rng.choice(legal if rng.random() < 0.1 else possible)


# ---- invariants ----


def audit(twin):
    """Everything is accounted for, and what the seats see agrees with it."""
    cards = twin.options["kinds"] * twin.options["copies"]
    view = twin.observe(twin.seat)
    assert sum(view["remaining"]) + sum(twin.points) == cards
    assert view["points"][0] == twin.points[twin.seat] and len(view["points"]) == MAX_SEATS
    assert twin.guesses == twin.wasted + sum(twin.points) == twin.options["max_moves"] - view["moves_left"]
    for number, kind in enumerate(ALL_KINDS):
        if kind in twin.heat:
            assert view["possible"][number][twin.heat[kind] - 1] == 1
            assert not any(view["possible"][number][twin.options["heats"] :])
        else:
            assert not any(view["possible"][number])
    assert sum(view["shown"]) == (twin.awaiting is None and twin.to_move is not None)
