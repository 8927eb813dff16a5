"""Naive twin of potion_contest_v0, written from the rules text alone.

A tile and its quarter turns are a string as in records, "T03@1". A board is a dict from cells, "a1" to "f3", to such
strings, row by row. Orders are "push", "trade", "rotate"; the pile is a list in drawing order (first drawn first).
"""

import csv
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path

GAME = "potion_contest_v0"
MAX_SEATS = 6
GAMES = 250  # to compare with the kernels: a hundred take about a quarter of a minute
DEFAULTS = {"level": 2, "personal_orders": 3, "max_turns": None, "recall": False}
USUAL_TURNS, TURNS_ALONE = 60, 22
NUM_RECIPES, MOST_PLACES, TIEBREAK_LENGTH, NUM_VISIBLE = 3, 7, 5, 3
DATA = Path(__file__).resolve().parents[2] / "pepperenvs" / "games" / "potion_contest" / "data"
COLUMNS, ROWS = "abcdef", "123"
CELLS = [column + row for row in ROWS for column in COLUMNS]
DIRECTIONS = "NESW"  # clockwise


def read_table(name):
    with open(DATA / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


# ---- components ----

KINDS = [row["ingredient_id"] for row in read_table("ingredients.csv")]
FIRST_LEVEL = {row["ingredient_id"]: int(row["min_level"]) for row in read_table("ingredients.csv")}
RECIPE_TILES = {row["ingredient_id"]: int(row["recipe_tiles"]) for row in read_table("ingredients.csv")}
LEVELS = {int(row["level"]): row for row in read_table("levels.csv")}
MAIN = [row for row in read_table("orders.csv") if row["deck"] == "main"]
PERSONAL = [row for row in read_table("orders.csv") if row["deck"] == "personal (per player)"]
ORDERS = [row["order"] for row in MAIN]
ALL_ORDERS = [row["order"] for row in MAIN for _ in range(int(row["copies"]))]
TILE_ROWS = {row["tile_id"]: row for row in read_table("tiles.csv")}


def turned(connectors, turns):
    """The directions of connectors after quarter turns clockwise."""
    return {DIRECTIONS[(DIRECTIONS.index(direction) + turns) % 4] for direction in connectors}


def tile_at(tile, turns):
    """T03@1"""
    return f"{tile}@{turns % 4}"


INGREDIENT = {}  # of T03@1
CONNECTORS = {}  # of T03@1, a set of directions
for name, entry in TILE_ROWS.items():
    for number in range(4):
        INGREDIENT[tile_at(name, number)] = entry["ingredient_id"]
        CONNECTORS[tile_at(name, number)] = turned(entry["connectors_at_rotation_0"].split("|"), number)


def kinds_of(level):
    """The ingredients of a level.                                                                   [set-up]"""
    return [kind for kind in KINDS if FIRST_LEVEL[kind] <= level]


def tiles_of(level):
    """Every player's tiles: three of each ingredient.                                               [set-up]"""
    return [tile for tile, row in TILE_ROWS.items() if row["ingredient_id"] in kinds_of(level)]


def recipe_tiles_of(level):
    """The recipe tiles, unshuffled: three of each ingredient.                                       [set-up]"""
    return [kind for kind in kinds_of(level) for _ in range(RECIPE_TILES[kind])]


def recipe_lengths(level):
    return [int(LEVELS[level][f"recipe_{number}_len"]) for number in range(1, NUM_RECIPES + 1)]


def grid(level):
    """The cells of a level, row by row.                                                             [set-up]"""
    columns = COLUMNS[: int(LEVELS[level]["grid_cols"])]
    rows = ROWS[: int(LEVELS[level]["grid_rows"])]
    return [cell for cell in CELLS if cell[0] in columns and cell[1] in rows]


# ---- actions ----

TRADES = [f"trade {COLUMNS[i]}{row} {COLUMNS[i + 1]}{row}" for row in ROWS for i in range(5)]
TRADES += [f"trade {column}{ROWS[i]} {column}{ROWS[i + 1]}" for i in range(2) for column in COLUMNS]
PUSHES = [f"push row {row} {way}" for row in ROWS for way in ("left", "right")]
PUSHES += [f"push col {column} {way}" for column in COLUMNS for way in ("up", "down")]
MAIN_ACTIONS = [f"rotate {cell} {way}" for cell in CELLS for way in ("left", "right")] + TRADES + PUSHES
ACTIONS = MAIN_ACTIONS + [f"own {action}" for action in MAIN_ACTIONS] + ["pass"]


@cache
def cells_of(order):
    """The cells that an order without `own` moves or turns, as if the grid were 6 x 3."""
    words = order.split()
    if words[0] != "push":
        return [word for word in words if word in CELLS]
    return [cell for cell in CELLS if words[2] in cell]


def fits(action, level):
    """Cells outside the level's grid are never legal; a line is shorter on a smaller grid.         [actions]"""
    words = action.removeprefix("own ").split()
    if words[0] == "pass":
        return True
    if words[0] == "push":
        return any(cell in grid(level) for cell in cells_of(" ".join(words)))
    return all(cell in grid(level) for cell in cells_of(" ".join(words)))


FITTING = {level: [action for action in ACTIONS if fits(action, level)] for level in LEVELS}


def applied(board, order):
    """The board after an order without `own`.                                                  [a turn, 1]"""
    words = order.split()
    after = dict(board)
    if words[0] == "rotate":
        tile, turns = board[words[1]].split("@")
        after[words[1]] = tile_at(tile, int(turns) + (1 if words[2] == "right" else -1))
    elif words[0] == "trade":
        after[words[1]], after[words[2]] = board[words[2]], board[words[1]]
    elif words[0] == "push":
        line = [cell for cell in cells_of(order) if cell in board]
        tiles = [board[cell] for cell in line]
        if words[3] in ("left", "up"):
            tiles = tiles[1:] + tiles[:1]
        else:
            tiles = tiles[-1:] + tiles[:-1]
        after.update(zip(line, tiles))
    return after


# ---- complete ----


def beside(cell, direction):
    """The cell next to one, None beyond 6 x 3."""
    column = COLUMNS.index(cell[0]) + {"E": 1, "W": -1}.get(direction, 0)
    row = ROWS.index(cell[1]) + {"S": 1, "N": -1}.get(direction, 0)
    return COLUMNS[column] + ROWS[row] if 0 <= column < len(COLUMNS) and 0 <= row < len(ROWS) else None


NEIGHBOURS = {cell: {d: beside(cell, d) for d in DIRECTIONS if beside(cell, d)} for cell in CELLS}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}


def are_connected(board, one, other):
    """Orthogonally adjacent, and both tiles have a connector facing the other.                         [R4]"""
    for direction, cell in NEIGHBOURS[one].items():
        if cell == other:
            return direction in CONNECTORS[board[one]] and OPPOSITE[direction] in CONNECTORS[board[other]]
    return False


def is_valid(board, path):
    """Among these cells exactly the consecutive pairs are connected.                                   [R4]"""
    pairs = combinations(range(len(path)), 2)
    return all(are_connected(board, path[i], path[j]) == (j == i + 1) for i, j in pairs)


def can_go_on(board, recipe, path):
    """Whether different cells can be added to the path until it is a valid placement of the recipe.    [R4]"""
    if len(path) == len(recipe):
        return is_valid(board, path)
    cells = NEIGHBOURS[path[-1]].values() if path else board
    for cell in cells:
        if cell not in board or cell in path or INGREDIENT[board[cell]] != recipe[len(path)]:
            continue
        if path and not are_connected(board, path[-1], cell):
            continue
        if can_go_on(board, recipe, [*path, cell]):
            return True
    return False


def is_complete(board, recipe):
    """A placement holds the recipe's ingredients, in order or in reverse order.                        [R4]"""
    return can_go_on(board, recipe, []) or can_go_on(board, recipe[::-1], [])


# ---- options ----


def complete_options(options, num_players):
    """All options; max_turns defaults to 60, alone to 22; personal_orders to a list.              [options]"""
    unknown = set(options) - set(DEFAULTS)
    if unknown:
        raise ValueError(f"{GAME}: unknown options {sorted(unknown)}")
    complete = {**DEFAULTS, **options}
    if complete["max_turns"] is None:
        complete["max_turns"] = TURNS_ALONE if num_players == 1 else USUAL_TURNS
    if not isinstance(complete["personal_orders"], list):
        complete["personal_orders"] = [complete["personal_orders"]] * num_players
    if complete["level"] not in LEVELS:
        raise ValueError(f"{GAME}: level {complete['level']}")
    if len(complete["personal_orders"]) != num_players or not set(complete["personal_orders"]) <= set(range(4)):
        raise ValueError(f"{GAME}: personal orders {complete['personal_orders']} for {num_players} players")
    return complete


def are_strings(cards):
    return isinstance(cards, list) and all(isinstance(card, str) for card in cards)


def are_some_of(cards, pile):
    """Whether a list holds nothing but cards of the pile, none more often than the pile."""
    return are_strings(cards) and Counter(cards) <= Counter(pile)


def marks(things, there):
    """1 for each of the things that is there."""
    return [int(thing in there) for thing in things]


@cache
def kind_row(tile):
    """1 for the ingredient of T03@1; None is no tile."""
    return marks(KINDS, [INGREDIENT[tile]] if tile else [])


@cache
def connector_row(tile):
    """1 for each connector of T03@1; None is no tile."""
    return marks(DIRECTIONS, CONNECTORS[tile] if tile else [])


class Twin:
    def __init__(self, num_players, options, deal):
        if not 1 <= num_players <= MAX_SEATS:
            raise ValueError(f"{GAME}: {num_players} players")
        self.num_players = num_players
        self.options = complete_options(options, num_players)
        self.level = self.options["level"]
        self._check_deal(deal)
        self.boards = [dict(zip(grid(self.level), board)) for board in deal["boards"]]
        self.recipes = [list(recipe) for recipe in deal["recipes"]]
        self.visible = deal["orders"][:NUM_VISIBLE]  # the current order first
        self.pile = deal["orders"][NUM_VISIBLE:]
        self.discards = []
        personal = [row["order"] for row in PERSONAL if row[f"level_{self.level}"] == "yes"]
        self.unused = [list(personal) for _ in self.seats]
        self.allowed = [number if personal else 0 for number in self.options["personal_orders"]]
        self.spent = [0 for _ in self.seats]
        self.done = [[False] * NUM_RECIPES for _ in self.seats]
        self.tied = []  # the seats of a tie-break
        self.tiebreak = []  # its recipe
        self.winners = []  # who had it first
        self.spent_before = None  # personal orders spent when it began
        self.turn = 0  # from 1
        self.step = None  # "choose", "tiebreak_recipe", "orders_reshuffle", "over"
        self.choices = {}  # of this turn, by seat
        self.asked = None  # the seat asked, or the one that was asked last
        self.truncated = False
        self._start_turn()

    @property
    def seats(self):
        return range(self.num_players)

    def _check_deal(self, deal):
        """The tiles of the level for everybody, recipes of its lengths, the main orders.            [set-up]"""
        if sorted(deal) != ["boards", "orders", "recipes"]:
            raise ValueError(f"{GAME}: the deal has {sorted(deal)}")
        if len(deal["boards"]) != self.num_players:
            raise ValueError(f"{GAME}: {len(deal['boards'])} boards are dealt to {self.num_players} players")
        for board in deal["boards"]:
            if not are_strings(board) or not set(board) <= set(INGREDIENT):
                raise ValueError(f"{GAME}: there are no such tiles: {board}")
            if sorted(tile.split("@")[0] for tile in board) != sorted(tiles_of(self.level)):
                raise ValueError(f"{GAME}: a dealt board does not hold the tiles of level {self.level}")
        if not all(map(are_strings, deal["recipes"])) or list(map(len, deal["recipes"])) != recipe_lengths(self.level):
            raise ValueError(f"{GAME}: the dealt recipes are not {recipe_lengths(self.level)} long")
        if not are_some_of([kind for recipe in deal["recipes"] for kind in recipe], recipe_tiles_of(self.level)):
            raise ValueError(f"{GAME}: the dealt recipes are not made of the recipe tiles of level {self.level}")
        if not are_some_of(deal["orders"], ALL_ORDERS) or len(deal["orders"]) != len(ALL_ORDERS):
            raise ValueError(f"{GAME}: the dealt orders are not the {len(ALL_ORDERS)} main orders")

    # ---- the interface ----

    @property
    def over(self):
        return self.step == "over"

    @property
    def awaiting(self):
        """The recipe of a tie-break, or the new order of the discards."""
        return self.step if self.step in ("tiebreak_recipe", "orders_reshuffle") else None

    @property
    def to_move(self):
        """The seat asked; while an outcome is awaited, the seat that was asked last."""
        return None if self.over else self.asked

    def legal(self):
        """The current main order, an unused personal order of another kind, or pass.    [a turn, 1; actions, R2]"""
        if self.step != "choose":
            return []
        return [action for action in FITTING[self.level] if self._may(self.asked, action)]

    def _may(self, seat, action):
        """Whether a seat has the order that an action on the grid needs.                     [a turn, 1; R2]"""
        words = action.split()
        if words[0] == "pass":
            return True
        if words[0] == "own":
            may_spend = self.spent[seat] < self.allowed[seat]
            return may_spend and words[1] in self.unused[seat] and words[1] != self.visible[0]
        return words[0] == self.visible[0]

    def play(self, move):
        """The choice is kept until all have chosen.                                                    [R1]"""
        if move not in self.legal():
            raise ValueError(f"{GAME}: seat {self.to_move} cannot {move!r}; legal: {self.legal()}")
        self.choices[self.asked] = move
        self._next_choice()

    def chance(self, outcome):
        if self.awaiting is None or list(outcome) != [self.awaiting]:
            raise ValueError(f"{GAME}: {outcome} came where {self.awaiting} is awaited")
        if self.awaiting == "tiebreak_recipe":
            self._deal_tiebreak(outcome["tiebreak_recipe"])
        else:
            self._reshuffle(outcome["orders_reshuffle"])

    # ---- 1. orders ----

    @property
    def playing(self):
        """The seats that still play: all, or the tied ones.                                            [R6]"""
        return [] if self.over else self.tied or list(self.seats)

    @property
    def to_choose(self):
        """The seats that have still to choose this turn, in seat order.                                [R1]"""
        return [seat for seat in self.playing if seat not in self.choices] if self.step == "choose" else []

    def _start_turn(self):
        self.turn += 1
        self.choices = {}
        self.step = "choose"
        self._next_choice()

    def _next_choice(self):
        """When nobody is left to choose, all choices are applied together.                             [R1]"""
        if self.to_choose:
            self.asked = self.to_choose[0]
            return
        for seat, move in self.choices.items():
            if move.startswith("own "):
                self.unused[seat].remove(move.split()[1])
                self.spent[seat] += 1
            self.boards[seat] = applied(self.boards[seat], move.removeprefix("own "))
        self._end_turn()

    # ---- 2. verification and what follows it ----

    def _end_turn(self):
        """Verification, decision, limit, tiebreak_recipe, maintenance.                                  [end]"""
        if self.tied:
            self._verify_tiebreak()
        else:
            self._verify()
        if self.over:
            return
        if self.turn == self.options["max_turns"]:
            self.step = "over"
            self.truncated = self.num_players > 1  # R7: alone it is a loss by the rules
        elif self.tied and not self.tiebreak:
            self.step = "tiebreak_recipe"
        else:
            self._maintain()

    def _verify(self):
        """Complete recipes are ticked off for good; who has all three decides the end.         [a turn, 2; R3]"""
        for seat in self.seats:
            for number, recipe in enumerate(self.recipes):
                if is_complete(self.boards[seat], recipe):
                    self.done[seat][number] = True
        finished = [seat for seat in self.seats if all(self.done[seat])]
        if finished:
            fewest = min(self.spent[seat] for seat in finished)
            first = [seat for seat in finished if self.spent[seat] == fewest]
            if len(first) == 1:
                self.step = "over"
            else:
                self.tied = first
                self.spent_before = list(self.spent)

    def _verify_tiebreak(self):
        """Only this recipe is verified; whoever of the tied has it wins.                               [R6]"""
        self.winners = [seat for seat in self.tied if is_complete(self.boards[seat], self.tiebreak)]
        if self.winners:
            self.step = "over"

    def _deal_tiebreak(self, recipe):
        """Five ingredients from all recipe tiles of the level.                                          [end]"""
        if not are_some_of(recipe, recipe_tiles_of(self.level)) or len(recipe) != TIEBREAK_LENGTH:
            raise ValueError(f"{GAME}: {recipe} cannot be the recipe of a tie-break at level {self.level}")
        self.tiebreak = list(recipe)
        self._maintain()

    # ---- 3. maintenance ----

    def _maintain(self):
        """The current order is discarded, the others move up, a new one is drawn.               [a turn, 3]"""
        self.discards.append(self.visible.pop(0))
        if self.pile:
            self._draw_order()
        else:
            self.step = "orders_reshuffle"

    def _reshuffle(self, orders):
        """All discards, the one just used included, are the new pile.                           [a turn, 3]"""
        if not are_some_of(orders, self.discards) or len(orders) != len(self.discards):
            raise ValueError(f"{GAME}: the reshuffled orders are not the discards")
        self.pile = list(orders)
        self.discards = []
        self._draw_order()

    def _draw_order(self):
        self.visible.append(self.pile.pop(0))
        self._start_turn()

    # ---- the end ----

    @property
    def scores(self):
        """Recipes completed; the tie-break adds nothing.                                           [end, R6]"""
        return [sum(self.done[seat]) for seat in self.seats]

    @property
    def standing(self):
        """More recipes, then fewer personal orders spent before a tie-break, then who won it: how many seats
        stand strictly before.                                                                       [standing]"""
        spent = self.spent_before or self.spent
        places = [(self.scores[seat], -spent[seat], seat in self.winners) for seat in self.seats]
        return [sum(other > mine for other in places) for mine in places]

    @property
    def solitaire(self):
        """+1 if all three are done in time, else -1 + 2 x done / 3.                                    [R7]"""
        done = self.scores[0]
        return 1.0 if done == NUM_RECIPES else -1 + 2 * done / NUM_RECIPES

    # ---- what a seat sees ----

    def observe(self, seat):
        """All boards, recipes and orders as at the start of the turn; no choice of this turn.  [what a seat sees]"""

        def each(of, empty=0):
            """One entry a seat, own first, then clockwise, then the absent seats."""
            there = [of((seat + i) % self.num_players) for i in self.seats]
            return there + [empty for _ in range(MAX_SEATS - self.num_players)]

        def ingredients(recipe, places):
            """A recipe's ingredients place by place."""
            return [marks(KINDS, recipe[i : i + 1]) for i in range(places)]

        turns_left = self.options["max_turns"] - self.turn + (0 if self.over else 1)
        boards = each(lambda other: [self.boards[other].get(cell) for cell in CELLS], [None] * len(CELLS))
        return {
            "ingredients": [[kind_row(tile) for tile in board] for board in boards],
            "connectors": [[connector_row(tile) for tile in board] for board in boards],
            "recipes": [ingredients(recipe, MOST_PLACES) for recipe in self.recipes],
            "done": each(lambda other: [int(done) for done in self.done[other]], [0] * NUM_RECIPES),
            "own_orders": each(lambda other: marks(ORDERS, self.unused[other]), [0] * len(ORDERS)),
            "orders_left": each(lambda other: self.allowed[other] - self.spent[other]),
            "orders": [marks(ORDERS, self.visible[i : i + 1]) for i in range(NUM_VISIBLE)],
            "pile_size": len(self.pile),
            "to_choose": each(lambda other: int(other in self.to_choose)),
            "turn": self.turn,
            "turns_left": turns_left,
            "tiebreak": ingredients(self.tiebreak, TIEBREAK_LENGTH),
            "playing": each(lambda other: int(other in self.playing)),
            "level": self.level,
            "num_players": self.num_players,
            "pile": [self.pile.count(order) if self.options["recall"] else 0 for order in ORDERS],
        }

    # ---- randomness ----

    @staticmethod
    def random_deal(num_players, options, rng):
        """All shuffled, the tiles turned; often all boards are alike, so that seats tie.                 [set-up]"""
        level = complete_options(options, num_players)["level"]

        def shuffled(things):
            return rng.sample(things, len(things))

        boards = [[tile_at(tile, rng.randrange(4)) for tile in shuffled(tiles_of(level))] for _ in range(num_players)]
        if rng.random() < 0.7:
            boards = [list(boards[0]) for _ in range(num_players)]
        tiles = shuffled(recipe_tiles_of(level))
        recipes = []
        for length in recipe_lengths(level):
            recipes.append(tiles[:length])
            tiles = tiles[length:]
        return {"boards": boards, "recipes": recipes, "orders": shuffled(ALL_ORDERS)}

    def random_outcome(self, rng):
        """Five of the shuffled recipe tiles, or the discards, shuffled.                     [end; a turn, 3]"""
        if self.awaiting is None:
            raise ValueError(f"{GAME}: no random outcome is awaited")
        if self.awaiting == "tiebreak_recipe":
            return {"tiebreak_recipe": rng.sample(recipe_tiles_of(self.level), TIEBREAK_LENGTH)}
        return {"orders_reshuffle": rng.sample(self.discards, len(self.discards))}


# ---- how the tests play it ----


def changed_options(options):
    """Those that differ from the default; max_turns, whose default depends on the players, if it is given."""
    given = dict(options)
    if given.get("personal_orders") in [[DEFAULTS["personal_orders"]] * n for n in range(1, MAX_SEATS + 1)]:
        del given["personal_orders"]
    return {name: value for name, value in given.items() if value != DEFAULTS[name]}


def random_options(rng):
    """Options other than the default."""
    return {
        "level": rng.choice([1, 1, 2, 3]),
        "personal_orders": rng.choice([0, 1, 2, 3]),
        "max_turns": rng.choice([2, 15, 40, 80]),
        "recall": rng.choice([False, True]),
    }


def purposeful(twin, legal, rng):
    """Moves tiles to where the next recipe needs them; a seat whose board looks like that of the first one copies its
    choice, or wastes a personal order near the end. Now and then a seat errs. So the games reach all three recipes,
    several seats at once, and tie-breaks with one winner or with several."""
    leader, seat = twin.playing[0], twin.asked
    if seat != leader and look_alike(twin.boards[leader], twin.boards[seat]):
        if rng.random() < (0.7 if twin.tied else 0.999):
            return copied(twin, legal, rng, twin.choices[leader])
    if rng.random() < 0.02:
        return rng.choice(legal)
    board, recipe = twin.boards[seat], recipe_sought(twin, seat)
    places = paths(tuple(board), len(recipe))
    if rng.random() < 0.5:  # not always the nearest: it may be out of reach
        places = rng.sample(places, len(places) // 10)
    goal = nearest_placement(board, recipe, places)
    now = distance(board, goal)
    concerned = cells_concerned(board, goal)
    if seat == leader and sum(twin.done[seat]) == 2 and now == 1 and rng.random() < 0.5:
        return "pass"  # one order before the end it waits, so that others can waste theirs

    price = 0.5 if rng.random() < 0.2 else 1.5  # of a personal order, in turns and moves of one cell

    def badness(move):
        order = move.removeprefix("own ")
        after = distance(applied(board, order), goal) if concerned.intersection(cells_of(order)) else now
        return after + price * move.startswith("own "), rng.random()

    return min(legal, key=badness)


def recipe_sought(twin, seat):
    return twin.tiebreak or twin.recipes[twin.done[seat].index(False)]


def look_alike(one, other):
    """The same tiles on the same cells, turned or not."""
    return all(one[cell][:3] == tile[:3] for cell, tile in other.items())


def copied(twin, legal, rng, choice):
    """The same choice. Where it is a pass near the end, a personal order may be wasted on a tile out of the way."""
    board, recipe = twin.boards[twin.asked], recipe_sought(twin, twin.asked)
    if choice == "pass" and sum(twin.done[twin.asked]) == 2 and rng.random() < 0.5:
        concerned = cells_concerned(board, nearest_placement(board, recipe, paths(tuple(board), len(recipe))))
        wastes = [move for move in legal if move.startswith("own rotate") and move.split()[2] not in concerned]
        if wastes:
            return rng.choice(wastes)
    return choice if choice in legal else "pass"


@cache
def paths(cells, length):
    """Every path of so many cells without a short cut, as lists of a cell and the directions that it must connect."""
    if length == 1:
        return [[(cell, "")] for cell in cells]
    longer = []
    for path in paths(cells, length - 1):
        taken = [cell for cell, _ in path]
        for direction, cell in NEIGHBOURS[taken[-1]].items():
            if cell in cells and sum(other in taken for other in NEIGHBOURS[cell].values()) == 1:
                last = (taken[-1], path[-1][1] + direction)
                longer.append([*path[:-1], last, (cell, OPPOSITE[direction])])
    return longer


@cache
def orders_needed(tile, at, cell, needed):
    """How many turns and moves of one cell bring a tile to a cell so that it connects as needed."""
    name, turns = tile.split("@")
    fitting = [k for k in (0, 1, -1, 2) if set(needed) <= CONNECTORS[tile_at(name, int(turns) + k)]]
    moves = abs(COLUMNS.index(at[0]) - COLUMNS.index(cell[0])) + abs(ROWS.index(at[1]) - ROWS.index(cell[1]))
    return moves + abs(fitting[0]) if fitting else 99


def nearest_placement(board, recipe, places):
    """Where to bring which tile for a recipe: a list of tile, cell and the connections needed."""
    at = {kind: [cell for cell, tile in board.items() if INGREDIENT[tile] == kind] for kind in recipe}
    sources = {}  # of a kind and a place: the cells of its tiles, the one that needs the fewest orders first
    best, nearest = 1000, []
    for path in places:
        total, taken = 0, []
        for kind, place in zip(recipe, path):
            if (kind, place) not in sources:
                sources[kind, place] = sorted((orders_needed(board[cell], cell, *place), cell) for cell in at[kind])
            cost, source = next(pair for pair in sources[kind, place] if pair[1] not in taken)
            total += cost
            taken.append(source)
            if total >= best:
                break
        else:
            best = total
            nearest = [(board[source][:3], *place) for source, place in zip(taken, path)]
    return nearest


def cells_concerned(board, goal):
    """Where the tiles of a placement are now."""
    return {cell for cell, tile in board.items() if tile[:3] in [name for name, _, _ in goal]}


def distance(board, goal):
    """How many turns and moves of one cell are missing."""
    at = {tile[:3]: cell for cell, tile in board.items()}
    return sum(orders_needed(board[at[tile]], at[tile], cell, needed) for tile, cell, needed in goal)


# ---- invariants ----


def audit(twin):
    """Everything is accounted for, and what the seats see agrees with it."""
    kinds, n = kinds_of(twin.level), twin.num_players
    for seat in range(n):
        assert list(twin.boards[seat]) == grid(twin.level)
        assert sorted(tile[:3] for tile in twin.boards[seat].values()) == sorted(tiles_of(twin.level))
        assert len(set(twin.unused[seat])) == len(twin.unused[seat]) == (0 if twin.level == 1 else 3) - twin.spent[seat]
        assert 0 <= twin.spent[seat] <= twin.allowed[seat]
    assert Counter(twin.visible + twin.pile + twin.discards) == Counter(ALL_ORDERS)
    assert len(twin.visible) == (2 if twin.awaiting == "orders_reshuffle" else 3)
    assert 1 <= twin.turn <= twin.options["max_turns"] and not (twin.over and twin.to_choose)
    finished = [seat for seat in range(n) if all(twin.done[seat])]
    assert not finished or twin.tied or twin.over
    assert set(twin.tied) <= set(finished) and len(twin.tied) != 1 and set(twin.winners) <= set(twin.tied)
    assert len({twin.spent_before[seat] for seat in twin.tied}) <= 1
    assert not (twin.tied and not twin.tiebreak) or twin.truncated or twin.awaiting == "tiebreak_recipe"
    assert twin.truncated <= (twin.over and twin.turn == twin.options["max_turns"] and n > 1 and not twin.winners)
    assert (twin.to_move is None) == twin.over and (twin.step == "choose") == bool(twin.to_choose)
    for seat in range(n):
        view = twin.observe(seat)
        for cells, lines in zip(view["ingredients"][:n], view["connectors"][:n]):
            assert [sum(column) for column in zip(*cells)] == [3 * (kind in kinds) for kind in KINDS]
            assert [sum(line) > 0 for line in lines] == [cell in grid(twin.level) for cell in CELLS]
            assert sum(map(sum, lines)) == 7 * len(kinds)
        assert sum(map(sum, view["done"])) == sum(twin.scores)
        assert sum(view["playing"]) == len(twin.playing) and not (twin.over and sum(view["playing"]))
        assert sum(view["to_choose"]) <= sum(view["playing"])
        if twin.awaiting is None and not twin.over:
            assert view["to_choose"][0] == (seat in twin.playing and seat not in twin.choices)
            assert view["turns_left"] >= 1
        assert sum(view["pile"]) == (view["pile_size"] if twin.options["recall"] else 0)
