"""The actions of Pickled Peppers: flip, claim, pass."""

from pepperenvs.core.layout import Actions, Block

ACTIONS = Actions(
    Block("flip", {}, lambda: "flip", "turn up the top card of the own stack"),
    Block("claim", {}, lambda: "claim", "claim that the string and the live pepper make a word"),
    Block("pass", {}, lambda: "pass", "claim nothing after the last card of a pickle"),
)

FLIP, CLAIM, PASS = ACTIONS.start("flip"), ACTIONS.start("claim"), ACTIONS.start("pass")

action_string = ACTIONS.string
parse_action = ACTIONS.parse
