"""The actions of Jungle: flip, claim, pass."""

from pepperenvs.core.layout import Actions, Block

ACTIONS = Actions(
    Block("flip", {}, lambda: "flip", "turn up the top card of the own stack"),
    Block("claim", {}, lambda: "claim", "claim that there is a word in the face-up cards"),
    Block("pass", {}, lambda: "pass", "claim nothing"),
)

FLIP, CLAIM, PASS = ACTIONS.start("flip"), ACTIONS.start("claim"), ACTIONS.start("pass")

action_string = ACTIONS.string
parse_action = ACTIONS.parse
