"""The scripted player of Pickled Peppers: all letters lie open, so it claims exactly when it is right."""

from pepperenvs.core.jit import kernel
from pepperenvs.games.pickled_peppers.actions import CLAIM, FLIP, PASS
from pepperenvs.games.pickled_peppers.rules import can_claim, is_claim_right
from pepperenvs.games.pickled_peppers.state import LAST


@kernel
def bot(state):
    """The action of the seat to move; draws no random numbers."""
    if can_claim(state) and is_claim_right(state):
        return CLAIM
    return PASS if state.stage == LAST else FLIP
