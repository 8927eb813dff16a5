"""The rules of Pickled Peppers as kernels. RULES.md has the text; [R…] are its rulings."""

from pepperenvs.core.jit import kernel
from pepperenvs.core.rng import shuffle
from pepperenvs.core.utility import rank_by
from pepperenvs.games.pickled_peppers.actions import CLAIM, FLIP, PASS
from pepperenvs.games.pickled_peppers.piles import (
    deal,
    draw_card,
    end_pickle,
    next_holding,
    num_held,
    num_holding,
    put_string_aside,
    receive,
    recycle,
    take_all,
)
from pepperenvs.games.pickled_peppers.state import (
    COMPLETED,
    DEAL,
    FIRST_SEAT,
    FLIPPING,
    LAST,
    LAYING,
    NO_CARD,
    OVER,
    PAYING,
    PENALTY,
    PICKLING,
    RESTACK,
    SET_UP,
)
from pepperenvs.lexicon.deck import CHILIES, NUM_CARDS
from pepperenvs.lexicon.lookup import is_word
from pepperenvs.lexicon.racks import CARD_RACK


@kernel
def reset(state):
    """Lay out all cards, unshuffled; the deal is awaited."""
    for card in range(NUM_CARDS):
        state.deck[card] = card
    end_pickle(state)
    state.stage = SET_UP
    state.pending = DEAL


@kernel
def chance(state):
    """The deal: shuffle the deck. Restack: shuffle the stack of the seat that needs a card.  [R3]"""
    if state.pending == DEAL:
        shuffle(state.deck, 0, NUM_CARDS, state.rng)
    else:
        shuffle(state.stack[state.to_move], 0, state.stack_len[state.to_move], state.rng)


@kernel
def legal_actions(state, ids):
    """Flip; in a pickle also claim, once after each card laid; after its last card claim or pass.  [R6]

    ids        int32 [actions], receives their indices in ascending order
    returns    how many there are
    """
    if state.stage == LAST:
        ids[0], ids[1] = CLAIM, PASS
        return 2
    ids[0], ids[1] = FLIP, CLAIM
    return 2 if can_claim(state) else 1


@kernel
def can_claim(state):
    """Whether the seat to move may claim."""
    return state.words and state.laid > 0 and not state.claimed


@kernel
def is_claim_right(state):
    """Whether the string and the live pepper, all letters used, make a word.  [R5]"""
    if state.laid == 0:
        return False
    rack = CARD_RACK[state.live]
    for index in range(state.laid):
        rack += CARD_RACK[state.string[index]]
    return is_word(rack, state.min_len)


@kernel
def step(state, action):
    """Play a legal action for the seat to move."""
    state.moves += 1
    if action == FLIP:
        state.stage = LAYING
    elif action == PASS:
        state.stage = COMPLETED
    elif is_claim_right(state):
        leader = state.pickler
        take_all(state, leader)
        lead(state, leader)
    else:
        state.claimed = 1
        state.to_pay = PENALTY
        state.stage = PAYING


@kernel
def advance(state):
    """Carry the rules on to the next decision, restack, or end."""
    state.pending = 0
    if state.stage == SET_UP:
        deal(state)
        lead(state, FIRST_SEAT)
    if state.stage == LAYING and not lay_card(state):
        return
    if state.stage == PAYING and not pay(state):
        return
    if state.stage == COMPLETED:
        complete(state)
    note_outs(state)
    if state.live == NO_CARD and num_holding(state) == 1:
        end_game(state, 0)
    elif state.moves >= state.max_moves:
        end_game(state, 1)


@kernel
def lead(state, seat):
    """Normal play: a seat, or the next one that has cards, is to flip."""
    state.to_move = seat if num_held(state, seat) > 0 else next_holding(state, seat)
    state.stage = FLIPPING


@kernel
def has_card_ready(state, seat):
    """Whether a stack has a card; else the taken pile is laid out as one, and a restack awaited."""
    if state.stack_len[seat] > 0:
        return True
    recycle(state, seat)
    state.pending = RESTACK
    return False


@kernel
def lay_card(state):
    """The seat to move turns up its top card; False if a restack is awaited first."""
    seat = state.to_move
    if not has_card_ready(state, seat):
        return False
    card = draw_card(state, seat)
    if state.live == NO_CARD:
        state.centre[state.centre_len] = card
        state.centre_len += 1
        if CHILIES[card]:
            make_live(state, seat, card)
        else:
            lead(state, next_holding(state, seat))
    elif CHILIES[card]:
        put_string_aside(state)
        state.earlier[state.earlier_len] = card
        state.earlier_len += 1
        make_live(state, seat, card)
    else:
        lengthen_string(state, seat, card)
    return True


@kernel
def make_live(state, seat, card):
    """A Chili Pepper is live: the next seat with cards pickles it; with none the owner takes everything, and wins."""
    state.live = card
    state.owner = seat
    state.need = CHILIES[card]
    state.claimed = 0
    pickler = next_holding(state, seat)
    if pickler < 0 or pickler == seat:
        take_all(state, seat)
        lead(state, seat)
    else:
        state.pickler = state.to_move = pickler
        state.stage = PICKLING


@kernel
def lengthen_string(state, seat, card):
    """A plain card joins the string. The last one that is needed, or that there is, completes the pickle.  [R7]"""
    state.string[state.laid] = card
    state.laid += 1
    state.claimed = 0
    if state.laid < state.need and num_held(state, seat) > 0:
        state.stage = PICKLING
    else:
        state.stage = LAST if state.words else COMPLETED


@kernel
def pay(state):
    """A wrong claim: the pickler's top cards go to the owner face up; False if a restack is awaited first.  [R6]

    The pickle is completed if its last card was laid, or the pickler has no more.
    """
    seat = state.pickler
    while state.to_pay > 0 and num_held(state, seat) > 0:
        if not has_card_ready(state, seat):
            return False
        receive(state, state.owner, draw_card(state, seat))
        state.to_pay -= 1
    state.to_pay = 0
    is_done = state.laid == state.need or num_held(state, seat) == 0
    state.stage = COMPLETED if is_done else PICKLING
    return True


@kernel
def complete(state):
    """The owner takes everything in play; the pickler leads next, or the next seat with cards.  [R7]"""
    owner, pickler = state.owner, state.pickler
    take_all(state, owner)
    lead(state, pickler)


@kernel
def note_outs(state):
    """A seat without cards that is neither owner nor pickler is out, with this decision."""
    for seat in range(state.num_seats):
        if state.out_at[seat] == 0 and num_held(state, seat) == 0 and seat != state.owner and seat != state.pickler:
            state.out_at[seat] = state.moves


@kernel
def end_game(state, truncated):
    """Score the cards held. By the rules the last seat wins, the others in the order in which they went out.  [R8]"""
    for seat in range(state.num_seats):
        state.score[seat] = num_held(state, seat)
    if truncated:
        rank_by(state.score, state.num_seats, state.standing)
    else:
        for seat in range(state.num_seats):
            state.standing[seat] = num_better(state, seat)
    state.truncated = truncated
    state.to_move = OVER


@kernel
def conclude(state):
    """End the game as the table lies, as its limit would."""
    end_game(state, 1)


@kernel
def num_better(state, seat):
    """How many seats stand before one: those still in, and those that went out later."""
    count = 0
    if state.out_at[seat] > 0:
        for other in range(state.num_seats):
            count += state.out_at[other] == 0 or state.out_at[other] > state.out_at[seat]
    return count
