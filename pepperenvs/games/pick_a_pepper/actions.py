"""The actions of Pick-a-Pepper: play, regroup, take, cook, grab."""

from pepperenvs.core.jit import kernel
from pepperenvs.core.layout import Actions, Block
from pepperenvs.games.pick_a_pepper.state import NUM_SLOTS
from pepperenvs.games.pick_a_pepper.tables import MAX_COPIES, NUM_NUMBERS, NUM_SAUCES, NUM_WILDS, SAUCE_NAMES, WILD

WILD_CHOICES = NUM_WILDS + 1  # none up to all


def _play(value: int, numbers: int, wilds: int) -> str:
    return f"play {value + 1}x{numbers + 1}" + (f"+{wilds}w" if wilds else "")


def _take(slot: int, discard: int) -> str:
    return f"take {slot + 1 if slot < NUM_SLOTS else 'none'} {'discard' if discard else 'keep'}"


ACTIONS = Actions(
    Block(
        "play",
        {"values": NUM_NUMBERS, "cards": MAX_COPIES, "wilds": WILD_CHOICES},
        _play,
        "play cards of one value, wilds among them",
    ),
    Block("play_wilds", {"wilds": NUM_WILDS}, lambda wilds: f"play {wilds + 1}w", "play wilds only"),
    Block("regroup", {}, lambda: "regroup", "take the ingredient deck into the hand instead of playing"),
    Block(
        "take",
        {"slots or none": NUM_SLOTS + 1, "keep or discard": 2},
        _take,
        "take a slot's cards or none; the combination is kept or discarded",
    ),
    Block("cook", {"sauces": NUM_SAUCES}, lambda sauce: f"cook {SAUCE_NAMES[sauce]}", "cook a displayed sauce"),
    Block("grab", {"slots": NUM_SLOTS}, lambda slot: f"grab {slot + 1}", "a seat without cards takes a slot's"),
)

PLAY, PLAY_WILDS, REGROUP = ACTIONS.start("play"), ACTIONS.start("play_wilds"), ACTIONS.start("regroup")
TAKE, COOK, GRAB = ACTIONS.start("take"), ACTIONS.start("cook"), ACTIONS.start("grab")
KEEP, DISCARD = 0, 1
NO_SLOT = NUM_SLOTS  # in place of a slot: take none

action_string = ACTIONS.string
parse_action = ACTIONS.parse


@kernel
def play_action(value, numbers, wilds):
    """The action that plays `numbers` cards of a value and `wilds` wilds; value WILD for wilds only."""
    if value == WILD:
        return PLAY_WILDS + wilds - 1
    return PLAY + (value * MAX_COPIES + numbers - 1) * WILD_CHOICES + wilds


@kernel
def take_action(slot, discard):
    """The action that takes a slot (or NO_SLOT) and keeps or discards the combination."""
    return TAKE + slot * 2 + discard
