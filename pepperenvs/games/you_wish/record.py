"""You Wish in game records: its random outcome as JSON, out and in."""

from typing import Any

from pepperenvs.core import record
from pepperenvs.games.you_wish.state import DEAL, HAND
from pepperenvs.lexicon.deck import CARD_NAMES, NUM_CARDS

OUTCOMES = {DEAL: "deal"}


def outcome(state: Any) -> Any:
    """The deal that `chance` has just drawn, as the record writes it: hands, and the well in drawing order."""
    each, seats = int(HAND[state.num_seats]), int(state.num_seats)
    cards = [CARD_NAMES[card] for card in state.deck]
    return {"hands": [cards[seat * each : (seat + 1) * each] for seat in range(seats)], "well": cards[seats * each :]}


def impose(state: Any, value: Any) -> None:
    """Write the given deal where `chance` would have drawn one. Raises ValueError if it is impossible."""
    record.keys("deal", value, ("hands", "well"))
    each, seats = int(HAND[state.num_seats]), int(state.num_seats)
    hands, well = value["hands"], value["well"]
    if not isinstance(hands, list) or not isinstance(well, list) or not all(isinstance(hand, list) for hand in hands):
        raise ValueError("deal: hands must be a list of lists of cards, well a list of cards")
    if len(hands) != seats or any(len(hand) != each for hand in hands):
        raise ValueError(f"deal: hands must be {seats} lists of {each} cards")
    cards = [card for hand in hands for card in hand] + well
    state.deck[:] = record.order("deal", range(NUM_CARDS), CARD_NAMES, cards)
