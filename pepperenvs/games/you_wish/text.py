"""The table of You Wish as text."""

from typing import Any

from pepperenvs.games.you_wish.state import HIT, LUCKY, NOBODY, OVER, WORDING
from pepperenvs.lexicon.deck import LETTER_NAMES, NUM_CARDS
from pepperenvs.lexicon.letter_cards import count, in_order, letters, names
from pepperenvs.lexicon.lookup import NO_WORD
from pepperenvs.lexicon.words import MIN_LENGTH


def text(state: Any, seat: int | None = None) -> str:
    """The table as `seat` sees it, or with all cards open if `seat` is None."""
    well_line = f"well      {_size(int(state.well_len), well(state, seat))}"
    lines = [f"You Wish: {progress(state)}", f"  {news(state, seat)}", well_line]
    if state.asker != NOBODY:
        lines.append(f"last ask  {last_ask(state)}")
    for place in range(state.num_seats):
        lines += _seat_lines(state, place, seat)
    return "\n".join(lines)


def _seat_lines(state: Any, place: int, seat: int | None) -> list[str]:
    """A seat's name and standing, then its hand as far as it is shown, and its words."""
    facts = [count(hand_size(state, place), "card"), record(state, place)]
    if state.to_move == OVER:
        facts.append(f"standing {state.standing[place]}")
    facts.append("you" if place == seat else "")
    mark = ">" if place == state.to_move else " "
    lines = [f"{mark} player_{place}: {', '.join(fact for fact in facts if fact)}"]
    for title, cards in hand(state, place, seat):
        lines.append(f"    {title:<9} {names(cards)}")
    if lacks(state, place, seat):
        lines.append(f"    lacks     {lacks(state, place, seat)}")
    laid = [f"{letters(cards)}: {names(cards)}" for cards in words(state, place)]
    if laid:
        lines.append(f"    words     {' | '.join(laid)}")
    return lines


def _size(number: int, cards: list[int]) -> str:
    """How many cards there are, and those of them that are shown, in drawing order."""
    return count(number, "card") + (f", in drawing order: {names(cards)}" if cards else "")


# ------------------------------------------------------------------- facts, in words, for the picture as well


def progress(state: Any) -> str:
    """How long words must be; and the moves."""
    return f"words of {state.min_len} letters or more, {count(int(state.moves), 'move')} of at most {state.max_moves}"


def news(state: Any, seat: int | None) -> str:
    """Whose decision it is and which, or that the game is over."""
    if state.to_move == OVER:
        return "the game is over" + (" (cut short by the limit of moves)" if state.truncated else "")
    if state.stage != WORDING:
        return f"player_{state.to_move} asks for a letter"
    letter = LETTER_NAMES[state.letter]
    return f"player_{state.to_move} may play a word with {letter}{_lengths(state, seat)}"


def _lengths(state: Any, seat: int | None) -> str:
    """Which lengths there are words of, for those who may know."""
    if seat is not None and seat != state.to_move:
        return ""
    found = [str(place + MIN_LENGTH) for place, word in enumerate(state.chosen) if word != NO_WORD]
    return f", of {', '.join(found)} letters"


def last_ask(state: Any) -> str:
    """Who asked whom for what, and what came of it."""
    what = f"player_{state.asker} asked player_{state.asked} for {LETTER_NAMES[state.letter]}"
    if state.result == HIT:
        return f"{what}: a hit"
    return f"{what}: a miss, and a lucky draw" if state.result == LUCKY else f"{what}: a miss"


def record(state: Any, place: int) -> str:
    """What counts at the end: the number of words, and the longest one with its best card."""
    if not state.score[place]:
        return "no words"
    best = f"longest {state.longest[place]}, its best card of rank {state.best_card[place]}"
    gone = ", has gone out" if place == state.gone_out else ""
    return f"{count(int(state.score[place]), 'word')}, {best}{gone}"


def well(state: Any, seat: int | None) -> list[int]:
    """The cards of the well in drawing order, if they are shown."""
    return [int(card) for card in state.well[: state.well_len][::-1]] if seat is None else []


def hand_size(state: Any, place: int) -> int:
    """The cards that a seat holds."""
    return len(members(state.hand[place]))


def hand(state: Any, place: int, seat: int | None) -> list[tuple[str, list[int]]]:
    """What is shown of a hand: all of it, or the cards known to be there."""
    if seat is None or place == seat:
        return [("hand", in_order(members(state.hand[place])))] if state.hand[place] else []
    known = in_order(members(state.known[place])) if state.recall else []
    return [("known", known)] if known else []


def lacks(state: Any, place: int, seat: int | None) -> str:
    """The letters that a perfect memory knows another seat not to hold, "AEK"."""
    if seat is None or place == seat or not state.recall:
        return ""
    known = letters(members(state.known[place]))
    return "".join(LETTER_NAMES[letter] for letter in members(state.named[place]) if LETTER_NAMES[letter] not in known)


def words(state: Any, place: int) -> list[list[int]]:
    """The cards of a seat's words, as they are spelled."""
    found, start = [], 0
    for owner, length in zip(state.word_seat[: state.num_words], state.word_len[: state.num_words], strict=True):
        if owner == place:
            found.append([int(card) for card in state.table[start : start + int(length)]])
        start += int(length)
    return found


def members(packed: Any) -> list[int]:
    """The members of a set."""
    return [member for member in range(NUM_CARDS) if int(packed) >> member & 1]
