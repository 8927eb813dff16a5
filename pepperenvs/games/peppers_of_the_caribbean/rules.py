"""The rules of Peppers of the Caribbean as kernels: what happens when. RULES.md has the text; [R…] are its rulings."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.core.rng import below, shuffle
from pepperenvs.core.utility import rank_by
from pepperenvs.games.peppers_of_the_caribbean.actions import DRAW, DROP, KEEP, PASS, TAKE, TAKE_BONUS, THROW
from pepperenvs.games.peppers_of_the_caribbean.bonuses import (
    can_take_bonus,
    give_last_bonuses,
    legal_bonuses,
    reveal_bonuses,
    take_bonus,
)
from pepperenvs.games.peppers_of_the_caribbean.cards import (
    discard,
    draw_card,
    gain,
    refill_supply,
    supply_bits,
    take_supply,
)
from pepperenvs.games.peppers_of_the_caribbean.sets import (
    begin_set,
    can_score,
    is_new,
    keep,
    legal_first_keeps,
    legal_set,
    throw,
)
from pepperenvs.games.peppers_of_the_caribbean.state import (
    CHOOSING_BONUS,
    DEAL,
    DEALT_CARDS,
    DRAWN_CARDS,
    DROPPING,
    HAND_LIMIT,
    LAST_TURNS,
    NOT_YET,
    OVER,
    PILE_EMPTY,
    SET,
    SET_UP,
    TURN,
    TURN_END,
)
from pepperenvs.games.peppers_of_the_caribbean.tables import CARDS, NAMED, NUM_BONUSES, NUM_CARDS, NUM_TYPES, SHOWN


@kernel
def reset(state):
    """Lay out all cards and bonus cards, unshuffled; the deal is awaited."""
    state.pile[:] = CARDS
    state.pile_len = NUM_CARDS
    for bonus in range(NUM_BONUSES):
        state.bonus_pile[bonus] = bonus
    begin_set(state)
    state.stage = SET_UP
    state.pending = DEAL


@kernel
def chance(state):
    """The deal: shuffle pile and bonus cards, and draw the seat that starts."""
    shuffle(state.pile, 0, state.pile_len, state.rng)
    shuffle(state.bonus_pile, 0, NUM_BONUSES, state.rng)
    state.starter = below(state.rng, state.num_seats)


@kernel
def deal(state):
    """Lay out the bonus cards, deal four cards to each seat, one at a time from seat 0, and six to the supply."""
    reveal_bonuses(state)
    for _ in range(DEALT_CARDS):
        for seat in range(state.num_seats):
            gain(state, seat, draw_card(state))
    refill_supply(state)
    state.to_move = state.starter


@kernel
def legal_actions(state, ids):
    """The legal actions of the seat to move.

    ids        int32 [actions], receives their indices in ascending order
    returns    how many there are
    """
    if state.stage == TURN:
        return legal_first_keeps(state, ids, legal_takes(state, ids))
    if state.stage == SET:
        return legal_set(state, ids)
    if state.stage == DROPPING:
        return legal_drops(state, ids)
    return legal_bonuses(state, ids)


@kernel
def legal_takes(state, ids):
    """Every hand card by each of its namings that the supply shows; failing all, draw if there is a pile.  [R2, R3]"""
    hand, size = state.hand[state.to_move], np.int64(state.hand_size[state.to_move])
    shown, count = supply_bits(state), 0
    for naming in range(2):
        for index in range(size):
            card = np.int64(hand[index])
            if NAMED[naming, card] & shown and is_new(hand, index):
                ids[count] = TAKE + naming * NUM_TYPES + card
                count += 1
    if count == 0 and state.pile_len > 0:
        ids[0] = DRAW
        count = 1
    return count


@kernel
def legal_drops(state, ids):
    """Every card in hand."""
    hand, size = state.hand[state.to_move], np.int64(state.hand_size[state.to_move])
    count = 0
    for index in range(size):
        if is_new(hand, index):
            ids[count] = DROP + np.int64(hand[index])
            count += 1
    return count


@kernel
def step(state, action):
    """Play a legal action for the seat to move."""
    state.moves += 1
    seat = state.to_move
    if action < DRAW:
        take(state, seat, (action - TAKE) // NUM_TYPES, (action - TAKE) % NUM_TYPES)
    elif action == DRAW:
        draw(state, seat)
    elif action < KEEP:
        discard(state, seat, action - DROP)
        end_taking(state, seat)
    elif action < THROW:
        keep(state, seat, action - KEEP)
        state.stage = SET
    elif action < TAKE_BONUS:
        if throw(state, seat, action - THROW):
            begin_set(state)
            state.stage = CHOOSING_BONUS if can_take_bonus(state, seat) else TURN_END
    else:
        if action < PASS:
            take_bonus(state, seat, action - TAKE_BONUS)
        state.stage = TURN_END


@kernel
def take(state, seat, naming, card):
    """Discard a card, take all of the supply that shows what it was named by, refill the supply."""
    discard(state, seat, card)
    take_supply(state, seat, NAMED[naming, card])
    refill_supply(state)
    end_taking(state, seat)


@kernel
def draw(state, seat):
    """Two cards from the pile, or the last one.  [R3]"""
    for _ in range(min(DRAWN_CARDS, state.pile_len)):
        gain(state, seat, draw_card(state))
    end_taking(state, seat)


@kernel
def end_taking(state, seat):
    """More than seven cards: the seat must drop one; otherwise its turn ends."""
    state.stage = DROPPING if state.hand_size[seat] > HAND_LIMIT else TURN_END


@kernel
def advance(state):
    """Carry the rules on to the next decision or the end."""
    state.pending = 0
    if state.stage == SET_UP:
        deal(state)
        state.stage = TURN
    if state.pile_len == 0 and state.ending == NOT_YET:
        state.ending = PILE_EMPTY
        state.turns_left[: state.num_seats] = 1
    if state.stage == TURN_END:
        end_turn(state)
    if state.to_move != OVER and state.moves >= state.max_moves:
        end_game(state, 1)


@kernel
def end_turn(state):
    """The next seat has its turn. With the pile empty each has one more, and loses it if it cannot play.  [R5]"""
    if state.ending == LAST_TURNS:
        state.turns_left[state.to_move] = 0
    elif state.ending == PILE_EMPTY:
        state.ending = LAST_TURNS
    state.stage = TURN
    next_seat(state)
    if state.ending == LAST_TURNS:
        while state.turns_left[state.to_move] and not can_play(state, state.to_move):
            state.turns_left[state.to_move] = 0
            next_seat(state)
        if not state.turns_left[state.to_move]:
            end_game(state, 0)


@kernel
def next_seat(state):
    """The seat to the left is to move."""
    state.to_move = state.to_move + 1 if state.to_move + 1 < state.num_seats else 0


@kernel
def can_play(state, seat):
    """Whether a seat can take, or score a set."""
    shown = supply_bits(state)
    for index in range(np.int64(state.hand_size[seat])):
        if SHOWN[state.hand[seat, index]] & shown:
            return True
    return can_score(state, seat)


@kernel
def end_game(state, truncated):
    """Give the bonus cards of the end, also after a truncation, and rank the seats."""
    give_last_bonuses(state)
    rank_by(state.score, state.num_seats, state.standing)
    state.truncated = truncated
    state.to_move = OVER


@kernel
def conclude(state):
    """End the game as the table lies, as its limit would."""
    end_game(state, 1)
