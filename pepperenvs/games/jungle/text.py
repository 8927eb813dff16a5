"""The table of Jungle as text."""

from typing import Any

from pepperenvs.games.jungle.challenge import is_claim_right, loser, shortest_word
from pepperenvs.games.jungle.state import ANYTIME, CLAIMING, FACE_DOWN, LAST_CARDS, OVER, UNSEEN
from pepperenvs.lexicon.deck import CARD_NAMES, CARD_RANK, IS_ANIMAL
from pepperenvs.lexicon.letter_cards import count, in_order, names

HIDDEN = "hidden"  # the title of cards that lie in a stack, or face down from it: nobody knows which


def text(state: Any, seat: int | None = None) -> str:
    """The table as `seat` sees it, or with all cards open if `seat` is None."""
    lines = [f"Jungle: {progress(state)}", f"  {news(state)}", f"face up   {_face_up(state)}"]
    if state.spare_len:
        lines.append(f"spare     {_size(1, spare(state, seat))}")
    for place in range(state.num_seats):
        lines += _seat_lines(state, place, seat)
    return "\n".join(lines)


def _face_up(state: Any) -> str:
    """The face-up cards in the order laid, each with its seat; a bar after those that are too old for a word."""
    laid = [f"{CARD_NAMES[card]}({seat})" for card, seat in face_up(state)]
    first = first_for_words(state)
    if first:
        laid.insert(first, "|")
    return " ".join(laid) or "-"


def _seat_lines(state: Any, place: int, seat: int | None) -> list[str]:
    """A seat's name and standing, its stack and taken pile, and what it has laid in this challenge."""
    facts = [count(held(state, place), "card")]
    if state.to_move == OVER:
        facts.append(f"standing {state.standing[place]}")
    facts += ["you" if place == seat else "", status(state, place), "would take" if is_taker(state, place) else ""]
    mark = ">" if place == state.to_move else " "
    known = dict(shown(state, place, seat))
    order = ", top first" if seat is None else ""
    lines = [
        f"{mark} player_{place}: {', '.join(fact for fact in facts if fact)}",
        f"    stack     {_size(int(state.stack_len[place]), known.pop('stack', []), order)}",
        f"    taken     {_size(int(state.taken_len[place]), known.pop('taken', []))}",
        *(f"    {title:<10}{names(cards)}" for title, cards in known.items()),
    ]
    return [*lines, *(f"    laid      {', '.join(map(_round, laid))}" for laid in [rounds(state, place)] if laid)]


def _size(number: int, cards: list[int], order: str = "") -> str:
    """How many cards there are, and those of them that are shown."""
    return count(number, "card") + (f"{order}: {names(cards)}" if cards else "")


def _round(laid: tuple[int, int | None]) -> str:
    """Cards face down, then one face up with its rank: "3 down + W4 (Animal 43)"."""
    down, card = laid
    parts = [f"{down} down"] if down else []
    if card is not None:
        parts.append(f"{CARD_NAMES[card]} ({'Animal' if IS_ANIMAL[card] else 'rank'} {CARD_RANK[card]})")
    return " + ".join(parts)


# ------------------------------------------------------------------- facts, in words, for the picture as well


def progress(state: Any) -> str:
    """What words may be claimed and when; and the moves."""
    claims = "no words"
    if state.words:
        when = "any time" if state.scrump == ANYTIME else "after the Jungle rule"
        claims = f"words of {state.min_len} letters or more {when}"
    return f"{claims}, {count(int(state.moves), 'move')} of at most {state.max_moves}"


def news(state: Any) -> str:
    """Whose decision it is and which, or that the game is over."""
    if state.to_move == OVER:
        return "the game is over" + (" (cut short by the limit of moves)" if state.truncated else "")
    if state.stage != CLAIMING:
        return f"player_{state.to_move} flips a card"
    taker = "" if state.taker == state.to_move else f"player_{state.taker} "
    word = f"may claim a word of {shortest_word(state)}+ letters{_hint(state)}"
    return f"player_{state.to_move} {word}, or {taker}takes {count(pot(state), 'card')}"


def _hint(state: Any) -> str:
    """With `spell_hint`, whether there is a word."""
    if not state.spell_hint:
        return ""
    return f" (there is {'one' if is_claim_right(state) else 'none'})"


def status(state: Any, place: int) -> str:
    """Whether a seat takes part in the contest, once not all do, or cards have been laid for it."""
    if not state.contest[place]:
        return "out of the contest"
    return "in the contest" if state.has_laid or not state.contest[: state.num_seats].all() else ""


def is_taker(state: Any, place: int) -> bool:
    """Whether a seat takes all cards of the challenge if nobody claims a word."""
    return bool(state.to_move != OVER and state.stage == CLAIMING and state.taker == place)


def takes_after_claim(state: Any, place: int) -> bool:
    """Whether a seat takes them if the claim that may be made is right."""
    return bool(state.to_move != OVER and state.stage == CLAIMING and loser(state) == place)


def held(state: Any, place: int) -> int:
    """The cards that a seat has, in its stack and its taken pile."""
    return int(state.stack_len[place]) + int(state.taken_len[place])


def pot(state: Any) -> int:
    """The cards that lie in the challenge, the spare one included."""
    return int(state.face_up_len) + int(state.face_down_len[: state.num_seats].sum()) + int(state.spare_len)


def face_up(state: Any) -> list[tuple[int, int]]:
    """The face-up cards of the challenge in the order laid, each with the seat that laid it."""
    return [(int(state.face_up[index]), int(state.laid_by[index])) for index in range(state.face_up_len)]


def first_for_words(state: Any) -> int:
    """The first face-up card that may be in a word."""
    return max(0, int(state.face_up_len) - LAST_CARDS) if state.words else 0


def rounds(state: Any, place: int) -> list[tuple[int, int | None]]:
    """What a seat has laid: at first a face-up card, by each Jungle rule some face down and one face up.  [R9]

    As many face down as the rule wants, save with the last card that the seat had; None where none is face up.
    """
    cards = [card for card, seat in face_up(state) if seat == place]
    left = int(state.face_down_len[place])
    laid: list[tuple[int, int | None]] = []
    for index, card in enumerate(cards):
        down = min(FACE_DOWN, left) if index else 0
        laid.append((down, card))
        left -= down
    return [*laid, (left, None)] if left else laid


def spare(state: Any, seat: int | None) -> list[int]:
    """The spare card of three players, if it is shown."""
    return _cards(state.spare, state.spare_len) if seat is None else []


def shown(state: Any, place: int, seat: int | None) -> list[tuple[str, list[int]]]:
    """The cards of a seat that `seat` is shown, under titles: all of them, or with `recall` those that all know of.

    Of a stack that was a taken pile all know which cards are in it, or face down from it, but not their order.
    """
    stack = _cards(state.stack[place], state.stack_len[place])
    down = _cards(state.face_down[place], state.face_down_len[place])
    groups = [("taken", in_order(_cards(state.taken[place], state.taken_len[place])))]
    if seat is None:
        groups = [("stack", stack[::-1]), *groups, ("face down", down)]
    elif not state.recall:
        groups = []
    elif state.recycled[place]:
        from_stack = [card for index, card in enumerate(down) if state.source[place, index] != UNSEEN]
        groups.append((HIDDEN if from_stack else "stack", in_order(stack + from_stack)))
    return [group for group in groups if group[1]]


def _cards(pile: Any, length: int) -> list[int]:
    return [int(card) for card in pile[:length]]
