"""The letter cards in pictures and texts, as all three games show them. No kernels here."""

import functools
from collections.abc import Iterable

from pepperenvs.core import svg as pen
from pepperenvs.lexicon.deck import CARD_LETTER, CARD_NAMES, CARD_RANK, CARD_SUIT, CHILIES, IS_ANIMAL, LETTER_NAMES

TILE, TILE_PITCH = (20.5, 19), (21.5, 22)  # a small card that bears its name alone, and how far apart they lie
GROUP_GAP = 10  # between groups of tiles

CREAM, GREEN = "#fff8e8", "#cfe2bd"  # plain cards and Animals; Chili Peppers have the colour of their heat
CHILI = "#b3262e"  # on light cards; on dark ones cream
SUIT_FILLS = ("#5b3a86", "#1d5c84", "#8a3f1d", "#2f5f2d")  # a suit's badge also bears its number

cached = functools.lru_cache(maxsize=4096)  # for parts that look the same in many pictures


# ------------------------------------------------------------------------------------------------------- words


def in_order(cards: Iterable[int]) -> list[int]:
    """Cards by letter, then suit: for those of which nobody knows, or needs to know, how they lie."""
    return sorted(cards, key=lambda card: CARD_NAMES[card])


def names(cards: Iterable[int]) -> str:
    """Cards by their names, "E1 T3"; "-" for none."""
    return " ".join(CARD_NAMES[card] for card in cards) or "-"


def letters(cards: Iterable[int]) -> str:
    """The letters of cards, "ET"."""
    return "".join(LETTER_NAMES[CARD_LETTER[card]] for card in cards)


def count(number: int, noun: str) -> str:
    """A number with its noun: "1 card", "3 cards"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


# ------------------------------------------------------------------------------------------------------- cards


@cached
def face(card: int, x: float, y: float, width: float, height: float, with_rank: bool = False) -> str:
    """A card's face: its suit, its letter, its chilies or the mark of an Animal; if wanted its rank at the foot."""
    fill = ground(card)
    ink = pen.ink_on(fill)
    letter, middle = 0.46 * height, x + 0.4 * width
    foot = 0.7 if with_rank else 0.8
    parts = [
        pen.card(x, y, width, height, fill),
        _badge(int(CARD_SUIT[card]), x + 4, y + 4),
        pen.text(middle, y + foot * height, LETTER_NAMES[CARD_LETTER[card]], letter, ink, "middle"),
    ]
    side, chili = 0.17 * height, CHILI if ink == pen.INK else CREAM
    for place in range(int(CHILIES[card])):
        parts.append(pen.pepper(x + width - side - 3, y + 4 + side * place, side - 1, chili))
    if IS_ANIMAL[card]:
        parts.append(paw(x + width - 0.4 * width - 3, y + 4, 0.4 * width))
    if with_rank:
        size = max(12, 0.17 * height)
        parts.append(pen.text(x + width / 2, y + height - 5, int(CARD_RANK[card]), size, ink, "middle"))
    return "".join(parts)


def ground(card: int) -> str:
    """The colour of a card: the hotter, the darker; green for an Animal."""
    if CHILIES[card]:
        return pen.heat_colour((int(CHILIES[card]) - 1) / 5)
    return GREEN if IS_ANIMAL[card] else CREAM


def _badge(suit: int, x: float, y: float) -> str:
    ground = pen.rect(x, y, 15, 15, SUIT_FILLS[suit - 1], radius=4)
    return ground + pen.text(x + 7.5, y + 12, suit, 12, "#ffffff", "middle")


@cached
def paw(x: float, y: float, extent: float) -> str:
    """The mark of an Animal in a square: a paw."""
    where = f"translate({x:g} {y:g}) scale({extent / 100:g})"
    pad = "M50 48C66 48 84 70 80 84C76 98 62 90 50 90C38 90 24 98 20 84C16 70 34 48 50 48Z"
    toes = "".join(f"M{left} {top}a11 14 0 1 1 .1 0Z" for left, top in ((14, 58), (37, 36), (63, 36), (86, 58)))
    return pen.path(pad + toes, pen.INK, transform=where)


def back(x: float, y: float, width: float, height: float) -> str:
    """A card face down that others may lie over: its left edge tells what it is."""
    edge = pen.rect(x + 2.5, y + 2.5, width - 5, height - 5, "none", "#a9cfdf", min(width / 10, 11))
    return pen.card(x, y, width, height, pen.ACCENT) + edge


# ------------------------------------------------------------------------------------------------------- tiles


@cached
def tile(card: int, x: float, y: float) -> str:
    """A small card that bears its name alone."""
    fill, (width, height) = ground(card), TILE
    name = pen.text(x + width / 2, y + 14, CARD_NAMES[card], 12, pen.ink_on(fill), "middle")
    return pen.rect(x, y, width, height, fill, pen.INK, 4, 0.8) + name


def tiles(groups: Iterable[tuple[str, list[int]]], x: float, y: float, width: float) -> str:
    """Groups of cards one after another, each with its title before it, in as many rows as they need."""
    parts, left, top = [], x, y
    for title, cards in groups:
        room = 6 * len(title) + 9 if title else 0
        if left + room + TILE[0] > x + width:
            left, top = x, top + TILE_PITCH[1]
        parts.append(pen.text(left, top + 14, title, 12, pen.FADED))
        left += room
        for card in cards:
            if left + TILE[0] > x + width:
                left, top = x, top + TILE_PITCH[1]
            parts.append(tile(card, round(left, 2), top))
            left += TILE_PITCH[0]
        left += GROUP_GAP
    return "".join(parts)
