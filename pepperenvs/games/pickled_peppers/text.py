"""The table of Pickled Peppers as text."""

from typing import Any

from pepperenvs.games.pickled_peppers.rules import can_claim, is_claim_right
from pepperenvs.games.pickled_peppers.state import LAST, NO_CARD, OVER, PICKLING
from pepperenvs.lexicon.deck import CARD_NAMES, CHILIES
from pepperenvs.lexicon.letter_cards import count, in_order, letters, names


def text(state: Any, seat: int | None = None) -> str:
    """The table as `seat` sees it, or with all cards open if `seat` is None."""
    lines = [f"Pickled Peppers: {progress(state)}", f"  {news(state)}", f"centre    {_centre(state, seat)}"]
    if state.spare_len:
        lines.append(f"spare     {_size(int(state.spare_len), spare(state, seat))}")
    if earlier_strings(state):
        lines.append(f"strings   {' | '.join(names(string) for string in earlier_strings(state))}")
    if state.live != NO_CARD:
        lines.append(f"live      {CARD_NAMES[state.live]} of player_{state.owner}: {need(state)}")
        lines.append(f"string    {names(string(state))}, of player_{state.pickler}{_letters(state)}")
    for place in range(state.num_seats):
        lines += _seat_lines(state, place, seat)
    return "\n".join(lines)


def _centre(state: Any, seat: int | None) -> str:
    pile = centre(state)
    if not pile or knows_all(state, seat):
        return _size(len(pile), pile)
    return f"{count(len(pile), 'card')}, on top {CARD_NAMES[pile[-1]]}"


def _letters(state: Any) -> str:
    """What a word would be made of, after the string."""
    claimed = "; claimed wrongly" if state.claimed else ""
    return f"; letters for a word {letters(word_cards(state))}{claimed}" if state.words else ""


def _seat_lines(state: Any, place: int, seat: int | None) -> list[str]:
    """A seat's name and standing, then its stack and its taken pile."""
    facts = [count(held(state, place), "card")]
    if state.to_move == OVER:
        facts.append(f"standing {state.standing[place]}")
    facts += ["you" if place == seat else "", status(state, place)]
    mark = ">" if place == state.to_move else " "
    known, order = stack(state, place, seat)
    return [
        f"{mark} player_{place}: {', '.join(fact for fact in facts if fact)}",
        f"    stack     {_size(int(state.stack_len[place]), known, order)}",
        f"    taken     {_size(int(state.taken_len[place]), taken(state, place, seat))}",
    ]


def _size(number: int, cards: list[int], order: str = "") -> str:
    """How many cards there are, and those of them that are shown."""
    return count(number, "card") + (f"{order}: {names(cards)}" if cards else "")


# ------------------------------------------------------------------- facts, in words, for the picture as well


def progress(state: Any) -> str:
    """What words may be claimed; and the moves."""
    claims = f"words of {state.min_len} letters or more" if state.words else "no words"
    return f"{claims}, {count(int(state.moves), 'move')} of at most {state.max_moves}"


def news(state: Any) -> str:
    """Whose decision it is and which, or that the game is over."""
    if state.to_move == OVER:
        return "the game is over" + (" (cut short by the limit of moves)" if state.truncated else "")
    return f"player_{state.to_move} {_decision(state)}{_hint(state)}"


def _decision(state: Any) -> str:
    if state.stage == LAST:
        return "has laid its last card: it may claim a word"
    if state.stage == PICKLING:
        claim = ", or claims a word" if can_claim(state) else ""
        return f"pickles card {state.laid + 1} of {state.need}{claim}"
    return "flips a card onto the centre"


def _hint(state: Any) -> str:
    """With `spell_hint`, whether a claim made now would be right."""
    if not (state.spell_hint and can_claim(state)):
        return ""
    return f" (it would be {'right' if is_claim_right(state) else 'wrong'})"


def status(state: Any, place: int) -> str:
    """What a seat has to do with the live pepper, or that it is out."""
    if place == state.owner:
        return "owns the live pepper"
    if place == state.pickler:
        return f"pickles, {state.laid} of {state.need} laid"
    return "out" if state.out_at[place] else ""


def need(state: Any) -> str:
    """What the live pepper demands: "4 chilies, 4 cards to pickle"."""
    return f"{_chilies(int(CHILIES[state.live]))}, {count(int(state.need), 'card')} to pickle"


def _chilies(number: int) -> str:
    return f"{number} {'chili' if number == 1 else 'chilies'}"


def held(state: Any, place: int) -> int:
    """The cards that a seat has."""
    return int(state.stack_len[place]) + int(state.taken_len[place])


def knows_all(state: Any, seat: int | None) -> bool:
    """Whether cards are shown that have been seen, but do not lie open now."""
    return seat is None or bool(state.recall)


def centre(state: Any) -> list[int]:
    """The cards of the centre pile, the last one on top."""
    return _cards(state.centre, state.centre_len)


def string(state: Any) -> list[int]:
    """The pickler's string."""
    return _cards(state.string, state.laid)


def word_cards(state: Any) -> list[int]:
    """What a claim would be made of: the live pepper, and the string."""
    return [int(state.live), *string(state)]


def earlier_strings(state: Any) -> list[list[int]]:
    """The earlier strings that are still in play, each up to the Pickled Pepper that ended it."""
    strings: list[list[int]] = []
    is_ended = True
    for card in _cards(state.earlier, state.earlier_len):
        if is_ended:
            strings.append([])
        strings[-1].append(card)
        is_ended = bool(CHILIES[card])
    return strings


def spare(state: Any, seat: int | None) -> list[int]:
    """The spare cards, if they are shown."""
    return _cards(state.spare, state.spare_len) if seat is None else []


def stack(state: Any, place: int, seat: int | None) -> tuple[list[int], str]:
    """The cards of a stack that are shown, and how: in drawing order, or in none for those that all know of."""
    cards = _cards(state.stack[place], state.stack_len[place])
    if seat is None:
        return cards[::-1], ", top first"
    return (in_order(cards), "") if state.recall and state.recycled[place] else ([], "")


def taken(state: Any, place: int, seat: int | None) -> list[int]:
    """The cards of a taken pile, if they are shown."""
    return in_order(_cards(state.taken[place], state.taken_len[place])) if knows_all(state, seat) else []


def _cards(pile: Any, length: int) -> list[int]:
    return [int(card) for card in pile[:length]]
