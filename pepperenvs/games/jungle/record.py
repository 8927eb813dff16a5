"""Jungle in game records: its random outcomes as JSON, out and in."""

from typing import Any

from pepperenvs.core import record
from pepperenvs.games.jungle.state import DEAL, RESTACK
from pepperenvs.lexicon.deck import CARD_NAMES, NUM_CARDS

OUTCOMES = {DEAL: "deal", RESTACK: "restack"}


def outcome(state: Any) -> Any:
    """The random outcome that `chance` has just drawn for `state.pending`, as the record writes it: top card first."""
    if state.pending == RESTACK:
        seat = int(state.drawer)
        return {"seat": seat, "stack": _names(state.stack[seat, : state.stack_len[seat]][::-1])}
    seats, each = int(state.num_seats), NUM_CARDS // int(state.num_seats)
    stacks = [_names(state.deck[seat * each : (seat + 1) * each]) for seat in range(seats)]
    return {"stacks": stacks, "spare": _names(state.deck[seats * each :])}


def impose(state: Any, value: Any) -> None:
    """Write the given outcome where `chance` would have drawn one. Raises ValueError if it is impossible."""
    if state.pending == RESTACK:
        _impose_stack(state, value)
    else:
        _impose_deal(state, value)


def _impose_stack(state: Any, value: Any) -> None:
    record.keys("restack", value, ("seat", "stack"))
    seat = record.seat("restack: seat", value["seat"], state.num_seats)
    if seat != state.drawer:
        raise ValueError(f"restack: seat {state.drawer} needs a stack, not {seat}")
    cards = [int(card) for card in state.stack[seat, : state.stack_len[seat]]]
    drawn = record.order("restack: stack", cards, CARD_NAMES, value["stack"])
    state.stack[seat, : len(drawn)] = drawn[::-1]


def _impose_deal(state: Any, value: Any) -> None:
    record.keys("deal", value, ("stacks", "spare"))
    seats, each = int(state.num_seats), NUM_CARDS // int(state.num_seats)
    stacks, spare = value["stacks"], value["spare"]
    if not isinstance(stacks, list) or not isinstance(spare, list) or not all(isinstance(one, list) for one in stacks):
        raise ValueError("deal: stacks must be a list of lists of cards, spare a list of cards")
    if len(stacks) != seats or any(len(stack) != each for stack in stacks):
        raise ValueError(f"deal: stacks must be {seats} lists of {each} cards")
    deck = record.order("deal", range(NUM_CARDS), CARD_NAMES, [card for stack in stacks for card in stack] + spare)
    state.deck[:] = deck


def _names(cards: Any) -> list[str]:
    return [CARD_NAMES[card] for card in cards]
