"""The rules of Jungle as kernels: what happens when. RULES.md has the text; [R…] are its rulings."""

from pepperenvs.core.jit import kernel
from pepperenvs.core.rng import shuffle
from pepperenvs.core.utility import rank_by
from pepperenvs.games.jungle.actions import CLAIM, FLIP, PASS
from pepperenvs.games.jungle.challenge import (
    claimer,
    drop_unable,
    highest,
    is_claim_open,
    is_claim_right,
    keep_tied,
    lay_all,
    loser,
    next_layer,
    num_able,
    num_animals,
)
from pepperenvs.games.jungle.piles import (
    begin_challenge,
    deal,
    draw_card,
    has_card_ready,
    lay_face_up,
    num_held,
    receive,
    take_all,
)
from pepperenvs.games.jungle.state import (
    CLAIMING,
    DEAL,
    DECIDING,
    FLIPPING,
    LAYING,
    NOBODY,
    OVER,
    PAYING,
    PENALTY,
    SET_UP,
    TAKING,
    TIED,
    TURNING_UP,
)
from pepperenvs.lexicon.deck import NUM_CARDS


@kernel
def reset(state):
    """Lay out all cards, unshuffled; the deal is awaited."""
    for card in range(NUM_CARDS):
        state.deck[card] = card
    state.taker = NOBODY
    state.stage = SET_UP
    state.pending = DEAL


@kernel
def chance(state):
    """The deal: shuffle the deck. Restack: shuffle the stack of the seat that needs a card.  [R3]"""
    if state.pending == DEAL:
        shuffle(state.deck, 0, NUM_CARDS, state.rng)
    else:
        shuffle(state.stack[state.drawer], 0, state.stack_len[state.drawer], state.rng)


@kernel
def legal_actions(state, ids):
    """Flip; or claim or pass.

    ids        int32 [actions], receives their indices in ascending order
    returns    how many there are
    """
    if state.stage == FLIPPING:
        ids[0] = FLIP
        return 1
    ids[0], ids[1] = CLAIM, PASS
    return 2


@kernel
def step(state, action):
    """Play a legal action for the seat to move. A right claim turns it round; a wrong one costs five.  [R10, R13]"""
    state.moves += 1
    if action == FLIP:
        state.stage = TURNING_UP
    elif action == PASS:
        state.stage = TAKING
    elif is_claim_right(state):
        state.taker = loser(state)
        state.stage = TAKING
    else:
        state.to_pay = PENALTY
        state.stage = PAYING


@kernel
def advance(state):
    """Carry the rules on to the next decision, restack, or end."""
    state.pending = 0
    while state.to_move != OVER and not go_on(state):
        pass
    if state.pending == 0 and state.to_move != OVER and state.moves >= state.max_moves:
        end_game(state, 1)


@kernel
def go_on(state):
    """One stage of a challenge; True if a decision is asked or a restack awaited."""
    if state.stage == SET_UP:
        deal(state)
        begin_challenge(state)
        return ask_first(state)
    if state.stage == TURNING_UP:
        return turn_up(state)
    if state.stage == DECIDING:
        return decide(state)
    if state.stage == TIED:
        return tie(state)
    if state.stage == LAYING:
        if lay_all(state):
            state.stage = DECIDING
            return False
        return True
    if state.stage == PAYING:
        return pay(state)
    return take(state)


@kernel
def ask_first(state):
    """Seat 0 is to flip."""
    state.to_move = 0
    state.stage = FLIPPING
    return True


@kernel
def turn_up(state):
    """The seat to move turns up its top card, then the next seat is to flip, or all have."""
    if not has_card_ready(state, state.to_move):
        return True
    lay_face_up(state, state.to_move)
    if state.to_move + 1 < state.num_seats:
        state.to_move += 1
        state.stage = FLIPPING
        return True
    state.stage = DECIDING
    return False


@kernel
def decide(state):
    """Two Animals or more are tied; otherwise the highest card takes, unless a word turns it round.  [R12]"""
    if num_animals(state) > 1:
        keep_tied(state)
        state.stage = TIED
        return False
    return give_to(state, highest(state))


@kernel
def give_to(state, taker):
    """A seat is about to take all cards: ask whether there is a word, if that may be asked."""
    state.taker = taker
    if is_claim_open(state):
        state.to_move = claimer(state)
        state.stage = CLAIMING
        return True
    state.stage = TAKING
    return False


@kernel
def tie(state):
    """The tied seats lay cards. Of two players one that has none loses; of three it drops out.  [R9, R12]"""
    able = num_able(state)
    if state.num_seats == 2:
        if able < 2:
            end_game(state, 0)
            return True
    elif able < 2:
        taker = highest(state)  # among those tied, if none can go on
        drop_unable(state)
        return give_to(state, taker if able == 0 else highest(state))
    else:
        drop_unable(state)
    state.has_laid = 1
    state.drawer = next_layer(state, 0)
    state.stage = LAYING
    return False


@kernel
def pay(state):
    """A wrong claim: the left neighbour of the taker pays it its top cards, face up; True if a restack is awaited."""
    payer = loser(state)
    while state.to_pay > 0 and num_held(state, payer) > 0:
        if not has_card_ready(state, payer):
            return True
        receive(state, state.taker, draw_card(state, payer))
        state.to_pay -= 1
    state.to_pay = 0
    state.stage = TAKING
    return False


@kernel
def take(state):
    """The taker takes all cards; the game is over when a seat has none, else the next challenge begins.  [R11]"""
    take_all(state, state.taker)
    begin_challenge(state)
    for seat in range(state.num_seats):
        if num_held(state, seat) == 0:
            end_game(state, 0)
            return True
    return ask_first(state)


@kernel
def end_game(state, truncated):
    """Score the cards held, with three players against their seats, and rank by that."""
    for seat in range(state.num_seats):
        held = num_held(state, seat)
        state.score[seat] = held if state.num_seats == 2 else -held
    rank_by(state.score, state.num_seats, state.standing)
    state.truncated = truncated
    state.to_move = OVER


@kernel
def conclude(state):
    """End the game as the table lies, as its limit would."""
    end_game(state, 1)
