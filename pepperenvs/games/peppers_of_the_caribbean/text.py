"""The table of Peppers of the Caribbean as text."""

import functools
from typing import Any

import numpy as np

from pepperenvs.games.peppers_of_the_caribbean.state import (
    CHOOSING_BONUS,
    DROPPING,
    HAND_LIMIT,
    LAST_TURNS,
    NOT_YET,
    OVER,
    PILE_EMPTY,
    SET,
)
from pepperenvs.games.peppers_of_the_caribbean.tables import (
    BONUS_BITS,
    BONUS_COUNTS,
    BONUS_NAMES,
    BONUS_NUMBER,
    BONUS_POINTS,
    COLOUR_BITS,
    COLOURS,
    DISHES,
    IS_DURING,
    NAMINGS,
    NUM_PIRATES,
    NUM_TYPES,
    SHOWN,
    TYPE_NAMES,
    VALUES,
)

_KINDS = {  # the types of each colour and dish, in the order of their values
    (colour, dish): [kind for kind in range(NUM_PIRATES) if (NAMINGS[1][kind], NAMINGS[0][kind]) == (colour, dish)]
    for colour in COLOURS
    for dish in DISHES
}


def text(state: Any, seat: int | None = None) -> str:
    """The table as `seat` sees it, or with all hands open if `seat` is None."""
    lines = [
        f"Peppers of the Caribbean: {progress(state)}",
        f"  {news(state)}",
        f"supply    {cards(supply(state))}",
        *_titled("bonuses", [bonus_line(state, bonus) for bonus in open_bonuses(state)]),
        *_titled("discards", [f"{title:<7} {held}" for title, held in by_colour(state.discards)]),
    ]
    if state.num_kept:
        lines.append(f"set       kept {cards(kept(state))}; thrown {cards(thrown(state))}")
    for place in range(state.num_seats):
        lines += _seat_lines(state, place, seat)
    return "\n".join(lines)


def _titled(title: str, below: list[str]) -> list[str]:
    """Lines below one another, the title before the first."""
    first, *others = below or ["-"]
    return [f"{title:<10}{first}", *(f"{'':<10}{line}" for line in others)]


def _seat_lines(state: Any, place: int, seat: int | None) -> list[str]:
    """A seat's name and standing, then its cards in front, its bonus cards and its hand."""
    words = [count(int(state.score[place]), "point")]
    if state.to_move == OVER:
        words.append(f"standing {state.standing[place]}")
    words += ["you" if place == seat else "", "began" if place == state.starter else "", status(state, place)]
    mark = ">" if place == state.to_move else " "
    front = "; ".join(f"{title} {held}" for title, held in by_colour(state.front[place]))
    bonuses = "; ".join(f"{_bonus(bonus)} ({BONUS_POINTS[bonus]})" for bonus in bonus_cards(state, place))
    lines = [
        f"{mark} player_{place}: {', '.join(word for word in words if word)}",
        f"    front    {front or '-'}",
        f"    bonuses  {bonuses or '-'}",
        f"    hand     {_hand(state, place, seat)}",
    ]
    if state.recall and seat in (None, place):
        lines.append(f"    known    {cards(known(state, place))}")
    return lines


def _hand(state: Any, place: int, seat: int | None) -> str:
    """A hand: its size, the cards that are shown, and how many are not."""
    shown, hidden = hand(state, place, seat)
    parts = [cards(shown) if shown else "", f"{hidden} unknown" if shown and hidden else ""]
    held = ", ".join(part for part in parts if part)
    return count(int(state.hand_size[place]), "card") + (f": {held}" if held else "")


# ------------------------------------------------------------------- facts, in words, for the picture as well


def progress(state: Any) -> str:
    """How far the game is: the pile, or the last turns; and the moves."""
    if state.ending == NOT_YET:
        pile = f"{count(int(state.pile_len), 'card')} in the pile"
    else:
        pile = "the pile is empty" if state.ending == PILE_EMPTY else "last turns"
    return f"{pile}, {count(int(state.moves), 'move')} of at most {state.max_moves}"


def news(state: Any) -> str:
    """Whose decision it is and which, or that the game is over."""
    if state.to_move == OVER:
        return "the game is over" + (" (cut short by the limit of moves)" if state.truncated else "")
    return f"player_{state.to_move} {_decision(state)}"


def _decision(state: Any) -> str:
    """What is asked, without what only the seat to move can know."""
    if state.stage == DROPPING:
        return f"drops a card: {state.hand_size[state.to_move]} in hand, {HAND_LIMIT} may stay"
    if state.stage == CHOOSING_BONUS:
        return "may take a bonus card"
    if state.stage == SET:
        if state.num_thrown:
            return "throws the last card of its set"
        return "throws a card of its set" + (" or keeps another one" if state.num_kept == 1 else "")
    return "takes, draws or scores a set" if state.pile_len else "takes or scores a set"


def status(state: Any, place: int) -> str:
    """What a seat has left to play, once the pile is empty."""
    if state.ending == NOT_YET:
        return ""
    if state.to_move == OVER:
        return "last turn not played" if state.turns_left[place] else ""
    if not state.turns_left[place]:
        return "no more turns"
    if place == state.to_move and state.ending == LAST_TURNS:
        return "its last turn"
    return "one more turn"


def supply(state: Any) -> list[int]:
    """The types in the supply."""
    return [int(card) for card in state.supply[: state.supply_len]]


def kept(state: Any) -> list[int]:
    """The types kept of the set that is being played."""
    return [int(card) for card in state.kept[: state.num_kept]]


def thrown(state: Any) -> list[int]:
    """The types thrown of the set that is being played."""
    return [int(card) for card in state.thrown[: state.num_thrown]]


def last_laid(state: Any) -> int:
    """The type laid last of the set that is being played, NO_CARD outside one."""
    return int(state.thrown[0] if state.num_thrown else state.kept[state.num_kept - 1])


def hand(state: Any, place: int, seat: int | None) -> tuple[list[int], int]:
    """The types in `place`'s hand that `seat` is shown, and how many cards it is not shown."""
    size = int(state.hand_size[place])
    if seat in (None, place):
        return [int(card) for card in state.hand[place, :size]], 0
    shown = known(state, place)
    return shown, size - len(shown)


def known(state: Any, place: int) -> list[int]:
    """With `recall`, the types that all know a seat to hold, since it took them openly."""
    return each(state.known[place]) if state.recall else []


def open_bonuses(state: Any) -> list[int]:
    """The bonus cards that lie open."""
    return [int(bonus) for bonus in np.flatnonzero(state.open_bonuses)]


def bonus_cards(state: Any, place: int) -> list[int]:
    """The bonus cards that a seat has been given."""
    return [int(bonus) for bonus in np.flatnonzero(state.bonus_cards[place])]


def tallies(state: Any, bonus: int) -> list[int]:
    """What a bonus card counts in front of each seat: cards, or different colours or dishes."""
    return [int(number) for number in state.tallies[: state.num_seats, bonus]]


def bonus_line(state: Any, bonus: int) -> str:
    """A bonus card, and how far each seat is: "B03 first to 3 blue pirates: 3 points (so far 2, 0)"."""
    so_far = ", ".join(map(str, tallies(state, bonus)))
    return f"{_bonus(bonus)}: {count(int(BONUS_POINTS[bonus]), 'point')} (so far {so_far})"


def _bonus(bonus: int) -> str:
    return f"{BONUS_NAMES[bonus]} {aim(bonus)} {counted(bonus)}"


def aim(bonus: int) -> str:
    """How a bonus card is earned, before what it counts: "first to 3" or "most"."""
    return f"first to {BONUS_NUMBER[bonus]}" if IS_DURING[bonus] else "most"


@functools.cache
def counted(bonus: int) -> str:
    """What a bonus card counts: "blue pirates", "blue cards, rum included", "different dishes"."""
    with_rum = counts_rum(bonus)
    if BONUS_BITS[bonus]:
        what = "colours" if BONUS_BITS[bonus] == COLOUR_BITS else "dishes"
        return f"different {what}{', rum included' if with_rum else ''}"
    words = counted_words(bonus)
    if not words:
        return "rum"
    which = "" if len(words) == len(COLOURS + DISHES) else " or ".join(words) + " "
    return f"{which}cards, rum included" if with_rum else f"{which}pirates"


def counted_words(bonus: int) -> list[str]:
    """The colours and dishes of which every pirate counts for a bonus card."""
    pirates = SHOWN[:NUM_PIRATES]
    counts = BONUS_COUNTS[:NUM_PIRATES, bonus]
    return [word for place, word in enumerate(COLOURS + DISHES) if counts[(pirates >> place & 1) == 1].all()]


def counts_rum(bonus: int) -> bool:
    """Whether some rum counts for a bonus card."""
    return bool(BONUS_COUNTS[NUM_PIRATES:, bonus].any())


def each(counts: Any) -> list[int]:
    """The type of each card, of counts by type."""
    return [int(kind) for kind in np.repeat(np.arange(NUM_TYPES), counts)]


def cards(kinds: list[int]) -> str:
    """Cards by their names; "-" for none."""
    return "  ".join(TYPE_NAMES[kind] for kind in kinds) or "-"


def by_colour(counts: Any) -> list[tuple[str, str]]:
    """Cards of counts by type: for each colour the values by dish, "stew 1 1 3, ham 4"; rum by its two colours."""
    rows = []
    for colour in COLOURS:
        held = [(dish, values(counts, colour, dish)) for dish in DISHES]
        rows.append((colour, ", ".join(f"{dish} {' '.join(map(str, found))}" for dish, found in held if found)))
    rows.append(("rum", ", ".join(TYPE_NAMES[kind].removeprefix("rum-") for kind in each(counts) if is_rum(kind))))
    return [row for row in rows if row[1]]


def values(counts: Any, colour: str, dish: str) -> list[int]:
    """The values of the pirates of a colour and dish, of counts by type."""
    return [int(VALUES[kind]) for kind in _KINDS[colour, dish] for _ in range(counts[kind])]


def is_rum(kind: int) -> bool:
    """Whether a type is a rum."""
    return kind >= NUM_PIRATES


def count(number: int, noun: str) -> str:
    """A number with its noun: "1 card", "3 cards"."""
    return f"{number} {noun}{'' if number in (1, -1) else 's'}"
