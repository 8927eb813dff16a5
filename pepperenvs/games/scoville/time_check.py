"""Scoville, the time check at a round's end, the afternoon, the scores.                        [section 5, End]"""

from pepperenvs.core.jit import kernel
from pepperenvs.core.rng import sort_pile
from pepperenvs.games.scoville.state import OVER
from pepperenvs.games.scoville.tables import (
    AFTERNOON,
    COINS_PER_POINT,
    NUM_TILES,
    NUM_TYPES,
    SHOWN_MARKET,
    TILE_POINTS,
    TYPE_COPIES,
)


@kernel
def check_time(state):
    """Whether the game goes on after this round, and how: as it was, with a last round, or in the afternoon.  [R13]"""
    few_recipes, few_cards = state.num_recipes < state.num_seats, state.num_market < state.num_seats
    if state.is_last or (state.period == AFTERNOON and few_recipes and few_cards):
        return False
    if state.rounds == state.max_rounds:
        state.truncated = 1
        return False
    if few_recipes or (state.period == AFTERNOON and few_cards):
        state.is_last = 1
    elif few_cards:
        begin_afternoon(state)
    state.rounds += 1
    return True


@kernel
def begin_afternoon(state):
    """Afternoon market cards replace those left, the afternoon's auction deck the morning's; the house stays."""
    state.period = AFTERNOON
    show(state.afternoon_pile, SHOWN_MARKET[state.num_seats], state.market)
    state.num_market = SHOWN_MARKET[state.num_seats]
    state.deck_len = 0
    for kind in range(NUM_TYPES):
        state.discards[kind] = 0
        state.deck_len += TYPE_COPIES[AFTERNOON, kind]
    for place in range(state.deck_len):
        state.deck[place] = state.next_deck[place]
        state.next_deck[place] = 0


@kernel
def show(pile, count, display):
    """Put the first cards of a pile on display, in ascending order, in which they lie afterwards in the pile too."""
    sort_pile(pile, 0, count)
    for place in range(len(display)):
        display[place] = pile[place] if place < count else 0


@kernel
def end_game(state):
    """Cards, recipes, plaques, unused tiles and coins make the score; ties are broken by coins."""
    for seat in range(state.num_seats):
        tiles = 0
        for tile in range(NUM_TILES):
            tiles += state.tiles[seat, tile]
        state.score[seat] = state.points[seat] + TILE_POINTS * tiles + state.coins[seat] // COINS_PER_POINT
    for seat in range(state.num_seats):
        before = 0
        for other in range(state.num_seats):
            before += state.score[other] > state.score[seat] or (
                state.score[other] == state.score[seat] and state.coins[other] > state.coins[seat]
            )
        state.standing[seat] = before
    state.to_move = OVER


@kernel
def conclude(state):
    """End the game as the table lies, as its limit would."""
    end_game(state)
    state.truncated = 1
