"""The table of Scoville as a picture."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from pepperenvs.core import svg as pen
from pepperenvs.games.scoville import text as words
from pepperenvs.games.scoville.actions import MARKET, PASS, PLOT, RECIPE, SELL, SPACE, STEP
from pepperenvs.games.scoville.geometry import COLUMNS, EXITS, HALVES, LEADS_TO, NUM_PLOTS, ROWS, STAR
from pepperenvs.games.scoville.state import BIDDING, CHOOSING, NOBODY, NOTHING, OVER
from pepperenvs.games.scoville.tables import (
    AFTERNOON,
    COLOUR_STACK,
    COLOURS,
    MARKET_COINS,
    MARKET_COST,
    MARKET_IDS,
    MARKET_POINTS,
    NUM_COLOURS,
    NUM_STACKS,
    NUM_TILES,
    OFFER_CARD,
    RECIPE_COST,
    RECIPE_IDS,
    RECIPE_POINTS,
    SHOWN_MARKET,
    SHOWN_RECIPES,
    TILES,
    TYPE_PEPPERS,
    YIELD_COLOUR,
    YIELD_COUNT,
)

FIELD_X, FIELD_Y, PITCH, PLOT_SIDE = 40, 120, 48, 35  # upper left corner; plots lie PITCH apart, paths between them
SIDE_X, SIDE_WIDTH = 548, 332  # the column to the right of the field
BANK_Y = FIELD_Y + ROWS * PITCH + 38
CARDS_Y, PER_ROW, CARD, CARD_PITCH = BANK_Y + 66, 8, (104, 50), (108, 55)
SEAT, SEAT_PITCH = (426, 94), (434, 102)  # two in a row

FILLS = (  # of the peppers, by colour
    "#d93a2b", "#f6d22f", "#3a78c9", "#4f9e41", "#f28c28", "#8e55ad", "#8a5a36", "#fffdf6", "#34343a", "#8fd3c8",
)  # fmt: skip
LETTER_AT = {pen.BELL: 0.56, pen.ROUND: 0.57, pen.BLUNT: 0.54, pen.LANTERN: 0.47}  # how far down, parts of the extent
SHAPES = (*[pen.BELL] * 3, *[pen.ROUND] * 3, pen.BLUNT, *[pen.ROUND] * 2, pen.LANTERN)
SEAT_COLOURS = ("#d55e00", "#0072b2", "#e6ab02", "#009e73", "#cc79a7", "#56b4e9")  # as told apart as can be
SOIL, PATH, SPROUT, STRAW, GOLD, BOARD = "#d9c6a2", "#f3ead6", "#7a9a55", "#fdf3c8", "#f3c63f", "#b89f77"
TOWARDS = ((0, -1), (0, 1), (1, 0), (-1, 0))  # east and south, by direction

cached = functools.lru_cache(maxsize=4096)  # for parts that look the same in many pictures


def svg(state: Any, seat: int | None = None) -> str:
    """The table as `seat` sees it, or with everything open if `seat` is None."""
    is_over = state.to_move == OVER
    news = pen.result(state) if is_over else words.news(state)
    recipes_y = CARDS_Y + _height(SHOWN_MARKET[state.num_seats]) + 24
    seats_y = recipes_y + _height(SHOWN_RECIPES[state.num_seats]) + 8
    parts = [
        pen.heading("Scoville", words.progress(state), news, is_over),
        _last_move(state),
        _field(state),
        _track(state),
        _bids(state, seat),
        _house(state, seat),
        _plaques(state),
        _time_left(state),
        _bank(state),
        _market(state, seat, CARDS_Y),
        _recipes(state, seat, recipes_y),
        *(_seat(state, place, seat, seats_y) for place in range(state.num_seats)),
    ]
    height = seats_y + (int(state.num_seats) + 1) // 2 * SEAT_PITCH[1] + 8
    return pen.document(height, parts, f"Scoville: {news}")


def _height(cards: int) -> int:
    """Of the rows that so many cards fill."""
    return -(-int(cards) // PER_ROW) * CARD_PITCH[1]


def _last_move(state: Any) -> str:
    """In the heading, at the right."""
    last = "" if state.to_move == OVER else words.last_move(state)
    return pen.text(pen.WIDTH - pen.MARGIN - 14, 72, f"last: {last}" if last else "", 13, "#d5e8f0", "end")


def _is_last(state: Any, first: int, end: int) -> bool:
    """Whether the last move's action lies in first … end - 1."""
    return bool(state.last_seat != NOBODY and first <= state.last_action < end)


# ----------------------------------------------------------------------------------------------------- tokens


@cached
def _token(colour: int, x: float, y: float, extent: float) -> str:
    """A pepper in its colour, with the colour's letter, in a square."""
    size = max(12, extent * 0.44)
    fill, shape = FILLS[colour], SHAPES[colour]
    base = y + extent * LETTER_AT[shape] + size * 0.36
    letter = pen.text(x + extent / 2, base, words.LETTERS[colour], size, pen.ink_on(fill), "middle")
    return pen.pepper(x, y, extent, fill, shape) + letter


def _tokens(colours: list[int], x: float, y: float, pitch: float, extent: float) -> str:
    """Peppers beside one another."""
    return "".join(_token(colour, x + pitch * index, y, extent) for index, colour in enumerate(colours))


def _each(counts: Any) -> list[int]:
    """The colour of each pepper, of counts by colour."""
    return [int(colour) for colour in np.repeat(np.arange(NUM_COLOURS), counts)]


def _hat(place: int, x: float, y: float, radius: float = 10) -> str:
    """A farmer from above, its middle at (x, y): a straw hat in the seat's colour with the seat's number."""
    fill = SEAT_COLOURS[place]
    return (
        _disc(x, y, radius, STRAW, pen.INK, 1.2)
        + _disc(x, y, radius * 0.78, fill)
        + pen.text(x, y + 4.5, place, 12.5, pen.ink_on(fill), "middle")
    )


def _disc(x: float, y: float, radius: float, fill: str, line: str = "none", stroke: float = 1) -> str:
    return pen.rect(x - radius, y - radius, 2 * radius, 2 * radius, fill, line, radius, stroke)


# ------------------------------------------------------------------------------------------------------ field


def _field(state: Any) -> str:
    """Plots, what the notches between them yield, the star, the farmers; the last move marked."""
    width, height = COLUMNS * PITCH, ROWS * PITCH
    labels = [(FIELD_X + (column + 0.5) * PITCH, FIELD_Y - 13.5, "abcdefghij"[column]) for column in range(COLUMNS)]
    labels += [(FIELD_X - 18.0, FIELD_Y + (row + 0.5) * PITCH + 4.5, str(row + 1)) for row in range(ROWS)]
    planted, frontier, farmers = state.plot, state.frontier, words.farmers(state)
    last = int(state.last_action) - PLOT if _is_last(state, PLOT, STEP) else NOTHING
    yields = [(int(notch), int(state.notch_yield[notch])) for notch in np.flatnonzero(state.notch_yield)]
    return "".join(
        [
            *(pen.text(x, y, name, 13, pen.FADED, "middle") for x, y, name in labels),
            pen.rect(FIELD_X - 7, FIELD_Y - 7, width + 14, height + 14, PATH, BOARD, 9, 1.5),
            *(_plot(plot, int(planted[plot]), bool(frontier[plot]), plot == last) for plot in range(NUM_PLOTS)),
            _star(*_notch(STAR)),
            *(_yield(notch, found) for notch, found in yields if notch not in farmers),
            _trail(state),
            *(_farmers(state, notch, standing) for notch, standing in farmers.items()),
        ]
    )


@cached
def _plot(plot: int, planted: int, is_free: bool, is_last: bool) -> str:
    """A plot with its pepper, colour + 1; one that can be planted has a sprout, the one planted last a frame."""
    gap = (PITCH - PLOT_SIDE) / 2
    x, y = FIELD_X + plot % COLUMNS * PITCH + gap, FIELD_Y + plot // COLUMNS * PITCH + gap
    line, stroke = (pen.ACCENT, 3) if is_last else (BOARD, 0.8)
    if planted:
        soil = pen.rect(x, y, PLOT_SIDE, PLOT_SIDE, "#e7d9bb", line, 6, stroke)
        return soil + _token(planted - 1, x + 1, y, PLOT_SIDE - 2)
    if is_free:
        sprout = f"M{x + 17.5:g} {y + 26:g}v-13m0 6c-7 1 -9 -3 -9 -7c6 -1 9 2 9 7m0 -2c7 1 9 -4 9 -8c-6 -1 -9 3 -9 8"
        return pen.rect(x, y, PLOT_SIDE, PLOT_SIDE, SOIL, SPROUT, 6, 1.4) + pen.path(sprout, "none", SPROUT, 1.6)
    return pen.rect(x, y, PLOT_SIDE, PLOT_SIDE, SOIL, "none", 6)


def _notch(notch: int) -> tuple[float, float]:
    """The middle of a notch."""
    east, south = (int(half) for half in HALVES[notch])
    return FIELD_X + east * PITCH / 2, FIELD_Y + south * PITCH / 2


@cached
def _yield(notch: int, found: int) -> str:
    """What a step to a notch brings, as in tables.YIELD: small chips along the path."""
    colour, number = int(YIELD_COLOUR[found]), int(YIELD_COUNT[found])
    x, y = _notch(notch)
    across, along = (0, 1) if HALVES[notch, 1] % 2 else (1, 0)
    parts = []
    for index in range(number):
        shift = 13 * (index - (number - 1) / 2)
        left, top = x + across * shift, y + along * shift
        parts.append(_disc(left, top, 6.5, FILLS[colour], BOARD, 0.8))
        parts.append(pen.text(left, top + 4.3, words.LETTERS[colour], 12, pen.ink_on(FILLS[colour]), "middle"))
    return "".join(parts)


def _star(x: float, y: float) -> str:
    star = "M0 -10L2.9 -4L9.5 -3.1L4.7 1.5L5.9 8.1L0 5L-5.9 8.1L-4.7 1.5L-9.5 -3.1L-2.9 -4Z"
    return pen.path(star, GOLD, pen.INK, 0.8, f"translate({x:g} {y:g}) scale(1.3)")


def _trail(state: Any) -> str:
    """The last step, from the notch that it left through a corner to where the farmer stands."""
    if not _is_last(state, STEP, PASS):
        return ""
    step, target = int(state.last_action) - STEP, int(state.farmer[state.last_seat])
    source = int(np.flatnonzero(LEADS_TO[:, step] == target)[0])
    (x, y), (x2, y2) = _notch(source), _notch(target)
    east, south = (PITCH / 2 * part for part in TOWARDS[step // EXITS])
    return pen.path(f"M{x:g} {y:g}L{x + east:g} {y + south:g}L{x2:g} {y2:g}", "none", pen.ACCENT, 4)


def _farmers(state: Any, notch: int, standing: list[int]) -> str:
    """The farmers on a notch, above one another; the one that harvests looks where it travelled last."""
    x, y = _notch(notch)
    parts = []
    for index, place in enumerate(standing):
        top = y + 13 * (index - (len(standing) - 1) / 2)
        is_walking = place == state.to_move and state.heading != NOTHING
        parts.append(_nose(x, top, int(state.heading)) if is_walking else "")
        parts.append(_hat(place, x, top))
    return "".join(parts)


def _nose(x: float, y: float, heading: int) -> str:
    """A triangle beside a farmer, in the direction that it looks in."""
    turn = (270, 90, 0, 180)[heading]
    return pen.path("M7 -8L18 0L7 8Z", pen.ACCENT, "none", 1, f"translate({x:g} {y:g}) rotate({turn})")


# ----------------------------------------------------------------------------------------- beside the field


def _title(x: float, y: float, content: str, note: str = "", end: float = SIDE_X + SIDE_WIDTH) -> str:
    return pen.text(x, y, content, 14) + pen.text(end, y, note, 13, pen.FADED, "end")


def _track(state: Any) -> str:
    """The spaces of the turn track and who stands there; the one chosen last has a frame."""
    parts = [_title(SIDE_X, 109, "turn track", "harvesting goes from right to left")]
    for space, who in enumerate(words.track(state)):
        x, y = SIDE_X + 55.5 * space, 117
        is_last = _is_last(state, SPACE, SPACE + int(state.num_seats)) and state.last_action - SPACE == space
        line, stroke = (pen.ACCENT, 3) if is_last else (pen.LINE, 1.5)
        ground = pen.HIGHLIGHT if who == state.to_move and who != NOBODY else pen.PANEL
        parts.append(pen.rect(x, y, 52, 34, ground, line, 7, stroke))
        parts.append(pen.text(x + 11, y + 22, space + 1, 14, pen.FADED, "middle"))
        parts.append(_hat(who, x + 33, y + 17, 11) if who != NOBODY else "")
    return "".join(parts)


def _bids(state: Any, seat: int | None) -> str:
    """Every seat's bid, in the order that breaks ties."""
    is_asked = state.stage in (BIDDING, CHOOSING)
    note = "none in the first round" if state.rounds == 1 else "in the order of the round before" if is_asked else ""
    parts = [_title(SIDE_X, 172, "bids", note)]
    for index, who in enumerate(words.bidders(state)):
        x = SIDE_X + 55.5 * index
        parts.append(_hat(who, x + 11, 190))
        parts.append(pen.text(x + 25, 195, words.bid(state, who, seat), 14))
    return "".join(parts)


def _house(state: Any, seat: int | None) -> str:
    """The auction cards in the house, and their deck: face down, or with the next card up if everything is open."""
    left = int(state.deck_len)
    parts = [_title(SIDE_X, 226, "auction house", f"{left} in the deck, {int(state.discards.sum())} discards")]
    parts += [_auction_card(int(state.house[place]), SIDE_X + 47 * place, 234) for place in range(state.num_seats)]
    x = SIDE_X + 47 * int(state.num_seats) + 6
    if seat is None and left:
        parts.append(_auction_card(int(state.deck[left - 1]), x, 234, left))
    else:
        parts.append(pen.card_back(x, 234, 42, 62, left))
    return "".join(parts)


def _auction_card(kind: int, x: float, y: float, copies: int = 1) -> str:
    """An auction card with its peppers above one another; its place if it has been claimed."""
    if kind == NOTHING:
        return pen.rect(x, y, 42, 62, "none", pen.LINE, 6, 1.5)
    each = _each(TYPE_PEPPERS[kind])
    extent, pitch = ((34, 0), (29, 28), (22, 19))[len(each) - 1]
    top = y + 31 - (extent + pitch * (len(each) - 1)) / 2
    parts = [pen.card(x, y, 42, 62, pen.PANEL, copies)]
    parts += [_token(colour, x + 21 - extent / 2, top + pitch * index, extent) for index, colour in enumerate(each)]
    return "".join(parts)


def _plaques(state: Any) -> str:
    """The stacks of plaques: what to plant for them, the points of the top one and of those below."""
    parts = [_title(SIDE_X, 322, "plaques for planting")]
    for stack in range(NUM_STACKS):
        x, y = SIDE_X + 67 * stack, 330
        left = words.plaques(state, stack)
        colours = np.flatnonzero(stack == COLOUR_STACK).tolist()
        parts.append(pen.rect(x, y, 63, 58, pen.PANEL, pen.LINE, 7, 1.5))
        parts.append(_tokens(colours, x + 29.5 - 9 * len(colours), y + 4, 18, 22))
        parts += [_plaque(points, x + 4, y + 29, index) for index, points in enumerate(left)]
        parts.append("" if left else pen.text(x + 31, y + 47, "all taken", 12, pen.FADED, "middle"))
    return "".join(parts)


def _plaque(points: int, x: float, y: float, index: int) -> str:
    """The top plaque of a stack, or the points of one below it."""
    if index:
        return pen.text(x + 21 + 14 * index, y + 18, points, 12, pen.FADED, "middle")
    return pen.rect(x, y, 26, 24, GOLD, pen.INK, 5) + pen.text(x + 13, y + 17.5, points, 15, pen.INK, "middle")


def _time_left(state: Any) -> str:
    lines = enumerate(words.time_left(state))
    return "".join(pen.text(SIDE_X, 412 + 18 * index, line, 12.5, pen.FADED) for index, line in lines)


def _bank(state: Any) -> str:
    """The colours with their names, how many are planted, and what the bank pays."""
    y = BANK_Y
    parts = [
        _title(pen.MARGIN, y - 8, "peppers", "planted in the field, price at the bank", pen.WIDTH - pen.MARGIN),
        pen.rect(pen.MARGIN, y, pen.WIDTH - 2 * pen.MARGIN, 40, pen.PALE, "none", 8),
    ]
    for colour, name in enumerate(COLOURS):
        x = pen.MARGIN + 4 + 85.4 * colour
        price = words.price(state, colour)
        parts.append(_token(colour, x, y + 6, 28))
        parts.append(pen.text(x + 30, y + 17, name, 12))
        parts.append(pen.text(x + 30, y + 33, f"{state.planted[colour]}", 12, pen.FADED))
        parts.append(pen.text(x + 48, y + 33, f"${price}" if price else "", 12.5, pen.ACCENT))
    return "".join(parts)


# ----------------------------------------------------------------------------------------- market and recipes


def _market(state: Any, seat: int | None, y: float) -> str:
    pile = state.afternoon_pile if state.period == AFTERNOON else state.morning_pile
    last = int(OFFER_CARD[state.last_action - MARKET]) if _is_last(state, MARKET, RECIPE) else NOTHING
    return _display(state, seat, MARKET_FACES, pile[: SHOWN_MARKET[state.num_seats]], state.market_owner, last, y)


def _recipes(state: Any, seat: int | None, y: float) -> str:
    pile = state.recipe_pile[: SHOWN_RECIPES[state.num_seats]]
    last = int(state.last_action) - RECIPE if _is_last(state, RECIPE, SELL) else NOTHING
    return _display(state, seat, RECIPE_FACES, pile, state.recipe_owner, last, y)


def _display(state: Any, seat: int | None, faces: Faces, pile: Any, owners: Any, last: int, y: float) -> str:
    """Cards in the places where they were shown; one that is gone leaves its place empty.

    pile      cards that were shown
    owners    seat + 1 of whoever has a card, 0 while it is on display, [cards]
    last      card that was taken by the last move, or NOTHING
    """
    payer = OVER if state.to_move == OVER else int(state.to_move) if seat is None else seat
    note = f"{np.count_nonzero(owners[pile] == 0)} of {len(pile)} left"
    if payer != OVER:
        note += f", framed what {'you' if payer == seat else f'player_{payer}'} can pay"
    can_pay = (state.peppers[payer] >= faces.costs).all(axis=1) & (payer != OVER)
    parts = [_title(pen.MARGIN, y - 8, faces.title, note, pen.WIDTH - pen.MARGIN)]
    for index, card in enumerate(pile.tolist()):
        x, top = pen.MARGIN + index % PER_ROW * CARD_PITCH[0], y + index // PER_ROW * CARD_PITCH[1]
        owner = int(owners[card]) - 1
        if owner == NOBODY:
            parts.append(_card(faces.names[card], int(faces.points[card]), bool(can_pay[card]), x, top))
            parts.append(faces.inside(card, x, top))
        else:
            parts.append(_won(owner, words.is_shown(state, owner, seat), card == last, faces.names[card], x, top))
    return "".join(parts)


def _card(name: str, points: int, can_pay: bool, x: float, y: float) -> str:
    """A card's face with its points and name; one that can be paid has a coloured border."""
    ground = pen.HIGHLIGHT if can_pay else pen.PANEL
    line, stroke = (pen.ACCENT, 2) if can_pay else (pen.LINE, 1.5)
    return "".join(
        [
            pen.rect(x, y, *CARD, ground, line, 8, stroke),
            _disc(x + 18, y + 17, 12.5, GOLD if points else "none", pen.INK if points else "none"),
            pen.text(x + 18, y + 22.5, points if points else "", 15, pen.INK, "middle"),
            pen.text(x + 18.5, y + 44, name, 12, pen.FADED, "middle"),
        ]
    )


def _won(owner: int, is_shown: bool, is_last: bool, name: str, x: float, y: float) -> str:
    """The place of a card that is gone, with its winner where that may be shown; framed if it went last."""
    line, stroke = (pen.ACCENT, 3) if is_last else (pen.LINE, 1)
    empty = pen.rect(x, y, *CARD, "none", line, 8, stroke)
    if not (is_shown or is_last):
        return empty
    return empty + pen.text(x + 34, y + 29.5, name, 12, pen.FADED, "middle") + _hat(owner, x + 68, y + 25)


@cached
def _trade(card: int, x: float, y: float) -> str:
    """What a market card costs, above what it gives."""
    rewards = words.rewards(card)
    arrow = pen.path(f"M{x + 38.5:g} {y + 32.5:g}l6 5l-6 5Z", pen.FADED)
    parts = [_tokens(_each(MARKET_COST[card]), x + 36, y + 2, 19, 23), arrow]
    left = x + 46
    for index, reward in enumerate(rewards):
        if index:
            parts.append(pen.text(left + 3, y + 41, "/", 13, pen.FADED))
            left += 8
        parts.append(_tokens(_each(reward), left, y + 25, 17, 22))
        left += 17 * int(reward.sum()) + 5
    if MARKET_COINS[card]:
        parts.append(pen.text(left + 2, y + 42, f"${MARKET_COINS[card]}", 13, pen.INK))
    return "".join(parts)


@cached
def _dish(dish: int, x: float, y: float) -> str:
    """What a recipe costs, four peppers in a row."""
    each = _each(RECIPE_COST[dish])
    top = y + (2 if len(each) > 4 else 13)
    return _tokens(each[:4], x + 34, top, 16, 22) + _tokens(each[4:], x + 34, top + 23, 16, 22)


class Faces(NamedTuple):
    """What the cards of one kind look like, by card."""

    title: str
    names: tuple[str, ...]
    points: Any
    costs: Any  # peppers by colour, [cards, colours]
    inside: Callable[[int, float, float], str]  # draws all but name and points


MARKET_FACES = Faces("market", MARKET_IDS, MARKET_POINTS, MARKET_COST, _trade)
RECIPE_FACES = Faces("recipes", RECIPE_IDS, RECIPE_POINTS, RECIPE_COST, _dish)


# ------------------------------------------------------------------------------------------------------ seats


def _seat(state: Any, place: int, seat: int | None, top: float) -> str:
    """A seat: name and points, its peppers or the screen before them, its unspent tiles and the cards won."""
    x, y = pen.MARGIN + place % 2 * SEAT_PITCH[0], top + place // 2 * SEAT_PITCH[1]
    is_shown = words.is_shown(state, place, seat)
    won = words.cards_won(state, place)
    return "".join(
        [
            pen.panel(x, y, *SEAT, place == state.to_move),
            _name(state, place, seat, x, y),
            _purse(state, place, is_shown, x + SEAT[0] - 12, y),
            _peppers(state, place, x + 10, y + 33) if is_shown else _screen(x + 10, y + 34),
            *(_tile(tile, bool(state.tiles[place, tile]), x + 10 + 77 * tile, y + 66) for tile in range(NUM_TILES)),
            pen.text(x + SEAT[0] - 12, y + 81, won, 12.5, pen.FADED, "end"),
        ]
    )


def _name(state: Any, place: int, seat: int | None, x: float, y: float) -> str:
    start = x + (26 if place == state.to_move else 10)
    parts = [
        pen.arrow(x + 9, y + 18) if place == state.to_move else "",
        _hat(place, start + 11, y + 18, 11),
        pen.text(start + 28, y + 23, f"player_{place}", 15),
        pen.text(start + 98, y + 23, "you" if place == seat else "", 14, pen.ACCENT),
        pen.text(x + 142, y + 23, words.status(state, place), 13, pen.FADED),
    ]
    if state.to_move == OVER:
        parts.append(pen.tag(x + 146, y + 8, pen.ordinal(int(state.standing[place])), 44))
    return "".join(parts)


def _purse(state: Any, place: int, is_shown: bool, end: float, y: float) -> str:
    """Coins and points, as far as they are shown."""
    if not is_shown and state.to_move != OVER:
        return ""
    points = words.count(words.points(state, place), "point")
    coins = pen.text(end - 92, y + 23, f"${state.coins[place]}", 15, pen.ACCENT, "end") if is_shown else ""
    return coins + pen.text(end, y + 23, points, 15, pen.INK, "end")


def _peppers(state: Any, place: int, x: float, y: float) -> str:
    """How many peppers of each colour a seat has; those it lacks are left out, each keeps its place."""
    parts, held = [], state.peppers[place]
    for colour in np.flatnonzero(held):
        left = x + 41 * colour
        parts.append(_token(int(colour), left, y, 27))
        parts.append(pen.text(left + 27, y + 20, int(held[colour]), 13))
    return "".join(parts)


def _screen(x: float, y: float) -> str:
    """The screen of a seat that may not be looked behind."""
    width = SEAT[0] - 20
    slats = [pen.path(f"M{x + 29 * index:g} {y:g}v26", "none", "#b7ccd6", 1) for index in (1, 2, 3, 4, 10, 11, 12, 13)]
    word = pen.text(x + width / 2, y + 17.5, "behind the screen", 12.5, pen.FADED, "middle")
    return pen.rect(x, y, width, 26, "#d3e2ea", "#b7ccd6", 4) + "".join(slats) + word


def _tile(tile: int, is_unspent: bool, x: float, y: float) -> str:
    """A bonus tile; only an outline once it is spent."""
    name = TILES[tile].replace("_", " ")
    ground, line, ink = (STRAW, pen.INK, pen.INK) if is_unspent else ("none", pen.LINE, "#a2937f")
    return pen.rect(x, y, 74, 20, ground, line, 4) + pen.text(x + 37, y + 14.5, name, 12, ink, "middle")
