"""The scripted player of Pick-a-Pepper: a stub follows."""

from pepperenvs.core.jit import kernel
from pepperenvs.games.pick_a_pepper.actions import GRAB
@kernel
def bot(state):
    return GRAB
