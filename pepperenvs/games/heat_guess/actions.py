"""The actions of Heat Guess: say a number."""

from pepperenvs.core.layout import Actions, Block
from pepperenvs.games.heat_guess.tables import MAX_HEATS

ACTIONS = Actions(
    Block("say", {"heats": MAX_HEATS}, lambda heat: f"say {heat + 1}", "say the heat number of the shown pepper"),
)

action_string = ACTIONS.string
parse_action = ACTIONS.parse
