"""The actions of Peppers of the Caribbean: take, draw, drop, keep, throw, bonus, pass."""

from pepperenvs.core.layout import Actions, Block
from pepperenvs.games.peppers_of_the_caribbean.tables import BONUS_NAMES, NAMINGS, NUM_BONUSES, NUM_TYPES, TYPE_NAMES

_TYPES = {"types": NUM_TYPES}

ACTIONS = Actions(
    Block(
        "take",
        {"namings": 2, **_TYPES},
        lambda naming, kind: f"take {TYPE_NAMES[kind]} by {NAMINGS[naming][kind]}",
        "discard a card and take all of the supply that shows what it is named by",
    ),
    Block("draw", {}, lambda: "draw", "take two cards from the pile, since no card matches the supply"),
    Block("drop", _TYPES, lambda kind: f"drop {TYPE_NAMES[kind]}", "discard one of more than seven cards"),
    Block("keep", _TYPES, lambda kind: f"keep {TYPE_NAMES[kind]}", "lay a card of a set in front, to stay there"),
    Block("throw", _TYPES, lambda kind: f"throw {TYPE_NAMES[kind]}", "lay a card of a set on the discards"),
    Block("bonus", {"bonus cards": NUM_BONUSES}, lambda bonus: f"bonus {BONUS_NAMES[bonus]}", "take a bonus card"),
    Block("pass", {}, lambda: "pass", "take none"),
)

TAKE, DRAW, DROP, KEEP = (ACTIONS.start(name) for name in ("take", "draw", "drop", "keep"))
THROW, TAKE_BONUS, PASS = ACTIONS.start("throw"), ACTIONS.start("bonus"), ACTIONS.start("pass")

action_string = ACTIONS.string
parse_action = ACTIONS.parse
