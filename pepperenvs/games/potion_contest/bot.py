"""The scripted player of The Potion Contest."""

from pepperenvs.core.jit import kernel
from pepperenvs.games.potion_contest.orders import nth_choice


@kernel
def bot(state):
    """The first action that the seat to move may choose."""
    return nth_choice(state, state.to_move, 0)
