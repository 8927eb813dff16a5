"""The scripted player of Jungle: all letters lie open, so it claims exactly when it is right."""

from pepperenvs.core.jit import kernel
from pepperenvs.games.jungle.actions import CLAIM, FLIP, PASS
from pepperenvs.games.jungle.challenge import is_claim_right
from pepperenvs.games.jungle.state import CLAIMING


@kernel
def bot(state):
    """The action of the seat to move; draws no random numbers."""
    if state.stage != CLAIMING:
        return FLIP
    return CLAIM if is_claim_right(state) else PASS
