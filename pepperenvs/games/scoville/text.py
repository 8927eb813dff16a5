"""The table of Scoville as text."""

from typing import Any

import numpy as np

from pepperenvs.games.scoville.actions import action_string
from pepperenvs.games.scoville.geometry import (
    COLUMNS,
    COMPASS,
    HALVES,
    NUM_PLOTS,
    ROWS,
    STAR,
    notch_name,
)
from pepperenvs.games.scoville.state import (
    BIDDING,
    CHOOSING,
    CLAIMING,
    FULFILLING,
    HARVESTING,
    NOBODY,
    NOTHING,
    OVER,
    PLANTING,
)
from pepperenvs.games.scoville.tables import (
    AFTERNOON,
    COINS_PER_POINT,
    COLOURS,
    MARKET_COINS,
    MARKET_COST,
    MARKET_IDS,
    MARKET_POINTS,
    MORNING,
    NUM_PLAQUES,
    NUM_STACKS,
    NUM_TILES,
    OFFER_CARD,
    OFFER_REWARD,
    PERIODS,
    PLAQUE_POINTS,
    PLAQUE_STACK,
    RECIPE_COST,
    RECIPE_IDS,
    RECIPE_POINTS,
    SHOWN_MARKET,
    STACKS,
    TILE_POINTS,
    TILES,
    TYPES,
)

LETTERS = "RYBGOPNWKX"  # a letter for each colour, where there is no room for its name
COMPASS_NAMES = dict(zip(COMPASS, ("north", "south", "east", "west"), strict=True))
ORDERS = ("fulfil a market card", "cook", "sell")  # in the order of `done`
VERBS = {
    BIDDING: "bid",
    CHOOSING: "choose a space",
    CLAIMING: "claim",
    PLANTING: "plant",
    HARVESTING: "harvest",
    FULFILLING: "fulfil orders",
}


def text(state: Any, seat: int | None = None) -> str:
    """The table as `seat` sees it, or with everything open if `seat` is None."""
    lines = [f"Scoville: {progress(state)}", f"  {news(state)}"]
    if last_move(state):
        lines.append(f"  last move: {last_move(state)}")
    lines += [f"  {line}" for line in time_left(state)]
    lines += ["track    " + "  ".join(f"{space + 1}: {_name(who)}" for space, who in enumerate(track(state)))]
    lines += ["bids     " + "  ".join(f"{_name(who)} {bid(state, who, seat)}" for who in bidders(state))]
    lines += _house_lines(state, seat)
    lines += ["field    " + ", ".join(f"{letter} {colour}" for letter, colour in zip(LETTERS, COLOURS, strict=True))]
    lines += _field_lines(state)
    lines += ["planted  " + ", ".join(_planted(state, int(colour)) for colour in np.flatnonzero(state.planted))]
    lines += ["market   " + _cards([market_card(int(card)) for card in state.market[: state.num_market]])]
    if seat is None and state.period == MORNING:
        later = state.afternoon_pile[: SHOWN_MARKET[state.num_seats]]
        lines.append("later    " + _cards([market_card(int(card)) for card in later]))
    lines += ["recipes  " + _cards([recipe(int(dish)) for dish in state.recipes[: state.num_recipes]])]
    lines += ["plaques  " + ", ".join(_stack(state, stack) for stack in range(NUM_STACKS))]
    for place in range(state.num_seats):
        lines += _seat_lines(state, place, seat)
    return "\n".join(lines)


def _cards(cards: list[str]) -> str:
    """Cards below one another."""
    return "\n         ".join(cards) or "-"


def _name(who: int) -> str:
    return "-" if who == NOBODY else f"player_{who}"


def _house_lines(state: Any, seat: int | None) -> list[str]:
    """The auction cards in the house, what is known of their deck, and its cards if everything is open."""
    cards = ", ".join("-" if kind == NOTHING else TYPES[kind] for kind in state.house[: state.num_seats])
    left = [f"{TYPES[kind]} {number}" for kind, number in enumerate(state.discards) if number]
    deck = f"{PERIODS[state.period]} deck of {count(int(state.deck_len), 'card')}, discards: {', '.join(left) or '-'}"
    lines = [f"house    {cards}", f"         {deck}"]
    if seat is None:
        order = [TYPES[kind] for kind in state.deck[: state.deck_len][::-1]]
        lines.append(f"         next: {', '.join(order) or '-'}")
    return lines


def _field_lines(state: Any) -> list[str]:
    """Plots with their peppers, a dot where can be planted; farmers by number on the notches between the corners +."""
    marks = [["+" if x % 2 == y % 2 == 0 else " " for x in range(2 * COLUMNS + 1)] for y in range(2 * ROWS + 1)]
    planted, frontier = state.plot, state.frontier
    for plot in range(NUM_PLOTS):
        mark = LETTERS[planted[plot] - 1] if planted[plot] else "." if frontier[plot] else " "
        marks[2 * (plot // COLUMNS) + 1][2 * (plot % COLUMNS) + 1] = mark
    for notch, mark in [(STAR, "*"), *((notch, str(standing[0])) for notch, standing in farmers(state).items())]:
        x, y = HALVES[notch]
        marks[y][x] = mark
    lines = [" " * 5 + "   ".join("abcdefghij")]
    for y, row in enumerate(marks):
        lines.append(f"{y // 2 + 1 if y % 2 else ' '}  {' '.join(row)}".rstrip())
    return lines


def _planted(state: Any, colour: int) -> str:
    return f"{COLOURS[colour]} {state.planted[colour]} (${price(state, colour)})"


def _stack(state: Any, stack: int) -> str:
    return f"{STACKS[stack]} {' '.join(map(str, plaques(state, stack))) or '-'}"


def _seat_lines(state: Any, place: int, seat: int | None) -> list[str]:
    """A seat's name and standing, then its farmer, tiles and cards, and what lies behind its screen if it is shown."""
    words = ["you" if place == seat else "", status(state, place)]
    if state.to_move == OVER:
        words += [count(int(state.score[place]), "point"), f"standing {state.standing[place]}"]
    words += ["took a plaque" if state.has_plaque[place] else ""]
    mark = ">" if place == state.to_move else " "
    lines = [f"{mark} player_{place}: {', '.join(word for word in words if word)}".rstrip(": ")]
    lines.append(f"    farmer   {_farmer(state, place)}")
    lines.append(f"    tiles    {', '.join(TILES[tile].replace('_', ' ') for tile in tiles(state, place)) or '-'}")
    lines.append(f"    cards    {cards_won(state, place)}")
    if is_shown(state, place, seat):
        holding = f"{peppers(state.peppers[place])}; ${state.coins[place]}"
        lines.append(f"    screen   {holding}; {count(int(state.points[place]), 'point')} won")
    return lines


def _farmer(state: Any, place: int) -> str:
    notch = int(state.farmer[place])
    if notch == NOTHING:
        return "off the board"
    heading = ""
    if state.heading != NOTHING and place == state.to_move:
        heading = f", heading {COMPASS_NAMES[COMPASS[state.heading]]}, {count(int(state.steps), 'step')} made"
    return f"{notch_name(notch)}{' (the star)' if notch == STAR else ''}{heading}"


# ------------------------------------------------------------------- facts, in words, for the picture as well


def progress(state: Any) -> str:
    """The period and the round."""
    last = ", the last one" if state.is_last else ""
    return f"{PERIODS[state.period]}, round {state.rounds} of at most {state.max_rounds}{last}"


def news(state: Any) -> str:
    """Whose decision it is and which, or that the game is over."""
    if state.to_move == OVER:
        return "the game is over" + (" (cut short by the limit of rounds)" if state.truncated else "")
    return f"player_{state.to_move} {_decision(state)}"


def _decision(state: Any) -> str:
    if state.stage == BIDDING:
        return "bids for the turn order"
    if state.stage == CHOOSING:
        return f"pays its bid of ${state.bid[state.to_move]} for a space"
    if state.stage == CLAIMING:
        return "claims an auction card"
    if state.stage == PLANTING:
        return _planting(state)
    if state.stage == HARVESTING:
        made = int(state.steps)
        return f"may harvest on, {count(made, 'step')} made" if made else "harvests: its first step"
    *others, last = [verb for verb, done in zip(ORDERS, state.done, strict=True) if not done]
    return f"may {', '.join(others)}{' or ' if others else ''}{last}"


def _planting(state: Any) -> str:
    extra = "extra " if state.is_extra else ""
    if state.colour != NOTHING:
        return f"chooses a plot for its {extra}{COLOURS[state.colour]} pepper"
    return "may plant an extra pepper" if state.is_extra else "plants a pepper"


def last_move(state: Any) -> str:
    """The last move that all have seen; empty before the first, and after a bid."""
    if state.last_seat == NOBODY:
        return ""
    return f"player_{state.last_seat} {action_string(int(state.last_action))}"


def time_left(state: Any) -> list[str]:
    """What brings the afternoon and the last round."""
    if state.is_last or state.to_move == OVER:
        return []
    few = int(state.num_seats)
    coming = "the last round" if state.period == AFTERNOON else "the afternoon"
    lines = [
        f"{count(int(state.num_market), 'market card')} left, fewer than {few} bring {coming}",
        f"{count(int(state.num_recipes), 'recipe')} left, fewer than {few} bring the last round",
    ]
    return [*lines, "fewer of both end the game at once"] if state.period == AFTERNOON else lines


def status(state: Any, place: int) -> str:
    """What a seat has still to do in this phase; empty after the end, for the seat to move, and if it has acted."""
    if state.to_move in (OVER, place):
        return ""
    if state.stage == CHOOSING:
        waits = not state.has_space[place] and state.bid[place] > 0
    elif state.stage == HARVESTING:
        waits = place in state.order[: state.num_seats][::-1][state.turn :]
    else:
        waits = place in state.order[: state.num_seats][state.turn :]
    return f"still to {VERBS[int(state.stage)]}" if waits else ""


def track(state: Any) -> list[int]:
    """The seat in each space of the track, NOBODY for a free one."""
    is_open = state.to_move != OVER and state.stage in (BIDDING, CHOOSING)
    return [int(who) for who in (state.space if is_open else state.order)[: state.num_seats]]


def bidders(state: Any) -> list[int]:
    """The seats in turn order; in the order of the round before while they bid and choose."""
    return [int(who) for who in state.order[: state.num_seats]]


def bid(state: Any, place: int, seat: int | None) -> str:
    """A seat's bid; "-" if it has made none, "?" for one that `seat` does not know yet."""
    if state.bid[place] == NOTHING:
        return "-"
    if state.stage == BIDDING and seat not in (None, place):
        return "?"
    return f"${state.bid[place]}"


def is_shown(state: Any, place: int, seat: int | None) -> bool:
    """Whether `seat` is shown what lies behind the screen of `place`."""
    return seat in (None, place) or bool(state.recall)


def points(state: Any, place: int) -> int:
    """A seat's points if the game ended now."""
    unspent = len(tiles(state, place)) * TILE_POINTS
    return int(state.points[place]) + unspent + int(state.coins[place]) // COINS_PER_POINT


def tiles(state: Any, place: int) -> list[int]:
    """A seat's unspent tiles."""
    return [tile for tile in range(NUM_TILES) if state.tiles[place, tile]]


def cards_won(state: Any, place: int) -> str:
    """How many cards a seat has won: "3 market cards, 1 recipe"."""
    market, recipes = (int(number) for number in state.cards_won[place])
    return f"{count(market, 'market card')}, {count(recipes, 'recipe')}"


def plaques(state: Any, stack: int) -> list[int]:
    """The points of the plaques left in a stack, top first."""
    left = [one for one in range(NUM_PLAQUES) if PLAQUE_STACK[one] == stack and state.plaque_owner[one] == 0]
    return [int(PLAQUE_POINTS[one]) for one in left]


def price(state: Any, colour: int) -> int:
    """What the bank pays for a pepper, coins; 0 if it buys none."""
    return int(state.planted[colour]) // 2


def farmers(state: Any) -> dict[int, list[int]]:
    """The seats whose farmers stand on each notch that is not empty."""
    standing: dict[int, list[int]] = {}
    for place, notch in enumerate(state.farmer[: state.num_seats].tolist()):
        if notch != NOTHING:
            standing.setdefault(notch, []).append(place)
    return standing


def rewards(card: int) -> list[Any]:
    """The peppers that a market card gives, by colour; more than one entry if it lets choose."""
    return [reward for reward, owner in zip(OFFER_REWARD, OFFER_CARD, strict=True) if owner == card and reward.any()]


def market_card(card: int) -> str:
    """A market card: "MM16: yellow, orange -> brown, $3, 1 point"."""
    gains = [" or ".join(peppers(reward) for reward in rewards(card))]
    gains += [f"${MARKET_COINS[card]}" if MARKET_COINS[card] else ""]
    gains += [count(int(MARKET_POINTS[card]), "point") if MARKET_POINTS[card] else ""]
    return f"{MARKET_IDS[card]}: {peppers(MARKET_COST[card])} -> {', '.join(gain for gain in gains if gain)}"


def recipe(dish: int) -> str:
    """A recipe: "R21: red x2, brown x2, black x2 -> 16 points"."""
    return f"{RECIPE_IDS[dish]}: {peppers(RECIPE_COST[dish])} -> {count(int(RECIPE_POINTS[dish]), 'point')}"


def peppers(counts: Any) -> str:
    """Peppers by colour: "red x2, brown"; "-" for none."""
    held = np.flatnonzero(counts)
    shown = [COLOURS[colour] + (f" x{counts[colour]}" if counts[colour] > 1 else "") for colour in held]
    return ", ".join(shown) or "-"


def count(number: int, noun: str) -> str:
    """A number with its noun: "1 card", "3 cards"."""
    return f"{number} {noun}{'' if number in (1, -1) else 's'}"
