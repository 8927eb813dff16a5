"""The table of Pick-a-Pepper as text."""

from typing import Any

from pepperenvs.games.pick_a_pepper.state import NUM_SLOTS, OVER, PLAYING, TURNS
from pepperenvs.games.pick_a_pepper.tables import HOTNESS, SAUCE_NAMES, SAUCE_POINTS, VALUE_NAMES, WILD


def text(state: Any, seat: int | None = None) -> str:
    """The table as `seat` sees it, or with all hands open if `seat` is None."""
    lines = [
        f"Pick-a-Pepper: {progress(state)}",
        f"  {news(state)}",
        "slots     " + "   ".join(f"{slot + 1}: {_slot(state, slot)}" for slot in range(NUM_SLOTS)),
        f"discards  {cards(state.discards)}",
        f"deck      {count(state.deck_len, 'card')}, {count(state.sauce_len, 'sauce')} face down",
        f"display   {sauces(state.display)}",
    ]
    if state.num_turns:
        lines.append("turns     " + ", ".join(f"player_{place}" for place in turns(state)))
    for place in range(state.num_seats):
        lines += _seat_lines(state, place, seat)
    return "\n".join(lines)


def _slot(state: Any, slot: int) -> str:
    size = int(state.slot_size[slot])
    return f"{VALUE_NAMES[state.slot_value[slot]]}x{size}" if size else "-"


def _seat_lines(state: Any, place: int, seat: int | None) -> list[str]:
    """A seat's name and standing, then its combination, sauces, hand and ingredient deck."""
    words = [count(points(state, place), "point")]
    if state.to_move == OVER:
        words.append(f"standing {state.standing[place]}")
    words += ["you" if place == seat else "", "has the spoon" if state.spoon == place else "", status(state, place)]
    mark = ">" if place == state.to_move else " "
    lines = [
        f"{mark} player_{place}: {', '.join(word for word in words if word)}",
        f"    sauces       {state.num_cooked[place]} of {state.required}: {sauces(state.sauces[place])}",
        f"    hand         {_held(state.hand_size[place], hand(state, place, seat))}",
        f"    ingredients  {_held(state.ingredients_size[place], ingredients(state, place, seat))}",
    ]
    if combination(state, place):
        lines.insert(1, f"    played       {combination(state, place)}")
    return lines


def _held(size: int, held: Any) -> str:
    return count(size, "card") + ("" if held is None or size == 0 else f": {cards(held)}")


# ------------------------------------------------------------------- facts, in words, for the picture as well


def progress(state: Any) -> str:
    """The phase, and how far it is."""
    if state.phase == 1:
        return "phase 1, gathering"
    return f"phase 2, cooking, round {state.rounds} of at most {state.max_rounds}"


def news(state: Any) -> str:
    """Whose decision it is and which, or that the game is over."""
    if state.to_move == OVER:
        return "the game is over" + (" (cut short by the limit of rounds)" if state.truncated else "")
    if state.stage == PLAYING:
        todo = "plays a combination" + (" or regroups" if state.phase == 2 else "")
    elif state.stage == TURNS:
        todo = "collects" + (" or cooks" if state.phase == 2 else "")
    else:
        todo = "has no card and grabs those of a slot"
    return f"player_{state.to_move} {todo}"


def status(state: Any, place: int) -> str:
    """What a seat has still to do in this round; empty after the end and for the seat to move."""
    if state.to_move == OVER or state.to_move == place:
        return ""
    if state.to_play[place]:
        return "still to play"
    if state.to_grab[place]:
        return "still to grab"
    order = turns(state)
    if place in order[int(state.turn) :]:
        return f"turn {order.index(place) + 1}"
    if state.stage == PLAYING:
        return "has played" if combination(state, place) else "no turn this round"
    return "had its turn" if place in order else "no turn this round"


def turns(state: Any) -> list[int]:
    """The seats in the order of their turns in this round; none while combinations are played."""
    return [int(place) for place in state.turn_order[: state.num_turns]]


def points(state: Any, place: int) -> int:
    """A seat's points if the game ended now."""
    return int(state.cooked_points[place]) - int(state.hand_size[place]) - int(state.ingredients_size[place])


def hand(state: Any, place: int, seat: int | None) -> Any:
    """The cards of `place`'s hand by value if `seat` is shown them, else None. With `recall`, phase 2 hides none."""
    return state.hand[place] if seat in (None, place) or (state.recall and state.phase == 2) else None


def ingredients(state: Any, place: int, seat: int | None) -> Any:
    """The cards of `place`'s ingredient deck by value if `seat` is shown them, else None."""
    return state.ingredients[place] if seat in (None, place) or state.recall else None


def combination(state: Any, place: int) -> str:
    """The combination before a seat as its action says it, "5x2+1w"; empty for none."""
    numbers, wilds = int(state.combo_numbers[place]), int(state.combo_wilds[place])
    if state.combo_value[place] == WILD or not numbers:
        return f"{wilds}w" if wilds else ""
    return f"{VALUE_NAMES[state.combo_value[place]]}x{numbers}" + (f"+{wilds}w" if wilds else "")


def cards(counts: Any) -> str:
    """Cards by value: "5x2 12 wx3"; "-" for none."""
    shown = [name + (f"x{number}" if number > 1 else "") for name, number in zip(VALUE_NAMES, counts) if number]
    return " ".join(shown) or "-"


def sauces(present: Any) -> str:
    """Sauces with hotness and points; "-" for none."""
    shown = [
        f"{name} (hotness {HOTNESS[sauce]}, {count(SAUCE_POINTS[sauce], 'point')})"
        for sauce, name in enumerate(SAUCE_NAMES)
        if present[sauce]
    ]
    return ", ".join(shown) or "-"


def count(number: int, noun: str) -> str:
    """A number with its noun: "1 card", "3 cards"."""
    return f"{number} {noun}{'' if number in (1, -1) else 's'}"
