"""The rules of Pick-a-Pepper as kernels: what happens when; the steps of a round are in playing, turns and round_end.

RULES.md has the text; [R…] are its rulings.
"""

from pepperenvs.core.jit import kernel
from pepperenvs.core.rng import below, shuffle
from pepperenvs.games.pick_a_pepper.actions import COOK, GRAB, REGROUP, TAKE
from pepperenvs.games.pick_a_pepper.playing import ask_next_player, legal_plays, order_turns, play, take_ingredients
from pepperenvs.games.pick_a_pepper.round_end import (
    ask_next_grabber,
    draw_card,
    end_round,
    end_turns,
    fill_slots,
    grab,
    is_anybody_holding,
    legal_grabs,
    refill_display,
)
from pepperenvs.games.pick_a_pepper.state import DEAL, GRABBING, NEW_ROUND, PLAYING, REFILLING, SET_UP, TURNS
from pepperenvs.games.pick_a_pepper.tables import CARD_COUNTS, HAND_CARDS, IN_PLAY, NUM_SAUCES, NUM_VALUES, REQUIRED
from pepperenvs.games.pick_a_pepper.turns import collect, cook, legal_turns


@kernel
def reset(state):
    """Lay out all cards and the sauces of this difficulty, unshuffled; the deal is awaited."""
    state.required = REQUIRED[state.difficulty, state.num_seats]
    state.hand_cards = HAND_CARDS[state.difficulty]
    state.phase = 1
    for value in range(NUM_VALUES):
        for _ in range(CARD_COUNTS[value]):
            state.deck[state.deck_len] = value
            state.deck_len += 1
    for sauce in range(NUM_SAUCES):
        if IN_PLAY[state.difficulty, sauce]:
            state.sauce_pile[state.sauce_len] = sauce
            state.sauce_len += 1
    state.stage = SET_UP
    state.pending = DEAL


@kernel
def chance(state):
    """The deal: shuffle deck and sauces, give the spoon to a random seat. Reshuffle: shuffle the new deck.  [R4]"""
    shuffle(state.deck, 0, state.deck_len, state.rng)
    if state.pending == DEAL:
        shuffle(state.sauce_pile, 0, state.sauce_len, state.rng)
        state.spoon = below(state.rng, state.num_seats)


@kernel
def deal_hands(state):
    """Deal the hands, one card at a time from seat 0."""
    for _ in range(state.hand_cards):
        for seat in range(state.num_seats):
            state.hand[seat, draw_card(state)] += 1
            state.hand_size[seat] += 1


@kernel
def legal_actions(state, ids):
    """The legal actions of the seat to move.

    ids        int32 [actions], receives their indices in ascending order
    returns    how many there are
    """
    if state.stage == PLAYING:
        return legal_plays(state, ids)
    if state.stage == TURNS:
        return legal_turns(state, ids)
    return legal_grabs(state, ids)


@kernel
def step(state, action):
    """Play a legal action for the seat to move."""
    state.moves += 1
    seat = state.to_move
    if action < REGROUP:
        play(state, seat, action)
    elif action == REGROUP:
        take_ingredients(state, seat)
        state.to_play[seat] = 0
    elif action < COOK:
        collect(state, seat, (action - TAKE) // 2, (action - TAKE) % 2)
        state.turn += 1
    elif action < GRAB:
        cook(state, seat, action - COOK)
        state.turn += 1
    else:
        grab(state, seat, action - GRAB)


@kernel
def advance(state):
    """Carry the rules on to the next decision, reshuffle, or end."""
    state.pending = 0
    while True:
        if state.stage == SET_UP:
            fill_slots(state)
            deal_hands(state)
            state.stage = NEW_ROUND
        elif state.stage == NEW_ROUND:
            begin_round(state)
        elif state.stage == PLAYING:
            if ask_next_player(state):
                break
            order_turns(state)
            state.stage = TURNS
        elif state.stage == TURNS:
            if state.turn < state.num_turns:
                state.to_move = state.turn_order[state.turn]
                break
            if end_turns(state):
                break
        elif state.stage == GRABBING:
            if ask_next_grabber(state):
                break
            state.stage = REFILLING
        elif end_round(state):
            break


@kernel
def begin_round(state):
    """Enter phase 2 when nobody has hand cards in phase 1; then every seat with hand cards is to play.  [R7]"""
    if state.phase == 1 and not is_anybody_holding(state):
        state.phase = 2
        for seat in range(state.num_seats):
            take_ingredients(state, seat)
        refill_display(state)
    if state.phase == 2:
        state.rounds += 1
    for seat in range(state.num_seats):
        state.to_play[seat] = state.hand_size[seat] > 0
    state.num_turns = 0
    state.turn = 0
    state.stage = PLAYING
