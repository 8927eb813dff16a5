"""The rules of You Wish as kernels. RULES.md has the text; [R…] are its rulings."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.core.rng import shuffle
from pepperenvs.games.you_wish.actions import ASK, PASS, WORD
from pepperenvs.games.you_wish.hands import (
    LETTER_SET,
    can_ask,
    deal,
    draw,
    highest_card,
    leave_hand,
    letters_of,
    rack_of,
)
from pepperenvs.games.you_wish.state import (
    ASKING,
    DEAL,
    FIRST_SEAT,
    GOING_ON,
    HIT,
    LUCKY,
    MISS,
    NO_LETTER,
    NO_RESULT,
    NOBODY,
    NUM_LENGTHS,
    OVER,
    SET_UP,
    TURN_ENDS,
    WORDING,
)
from pepperenvs.lexicon.deck import CARD_LETTER, CARD_RANK, NO_CARD, NUM_CARDS, NUM_LETTERS
from pepperenvs.lexicon.lookup import NO_WORD, spell
from pepperenvs.lexicon.tables import SPELLING
from pepperenvs.lexicon.words import SPELLING_BASE


@kernel
def reset(state):
    """Lay out all cards, unshuffled; the deal is awaited."""
    for card in range(NUM_CARDS):
        state.deck[card] = card
    state.asker = state.asked = state.gone_out = NOBODY
    state.letter, state.result = NO_LETTER, NO_RESULT
    state.chosen[:] = NO_WORD
    state.stage = SET_UP
    state.pending = DEAL


@kernel
def chance(state):
    """The deal: shuffle the deck. Nothing is random afterwards."""
    shuffle(state.deck, 0, NUM_CARDS, state.rng)


@kernel
def legal_actions(state, ids):
    """Asks: a seat that has cards, a letter that the asker does not hold [R17]. Or the words of the window, and pass.

    ids        int32 [actions], receives their indices in ascending order
    returns    how many there are
    """
    count = 0
    if state.stage == WORDING:
        for place in range(NUM_LENGTHS):
            if state.chosen[place] != NO_WORD:
                ids[count] = WORD + place
                count += 1
        ids[count] = PASS
        return count + 1
    seat, held = state.to_move, letters_of(state.hand[state.to_move])
    for distance in range(1, state.num_seats):
        if state.hand[(seat + distance) % state.num_seats] != 0:
            for letter in range(NUM_LETTERS):
                if not (held >> letter) & 1:
                    ids[count] = ASK + (distance - 1) * NUM_LETTERS + letter
                    count += 1
    return count


@kernel
def step(state, action):
    """Play a legal action for the seat to move."""
    state.moves += 1
    if action < WORD:
        distance = 1 + action // NUM_LETTERS
        ask(state, (state.to_move + distance) % state.num_seats, action % NUM_LETTERS)
    else:
        word = NO_WORD if action == PASS else np.int64(state.chosen[action - WORD])
        state.chosen[:] = NO_WORD
        close_window(state)
        if word != NO_WORD:
            play_word(state, state.to_move, word)


@kernel
def ask(state, asked, letter):
    """All cards of the letter change hands openly; if there are none the asker draws one.  [R15]

    Neither of the two is known to hold another card of the letter then.
    """
    seat, bit = state.to_move, np.int64(1) << letter
    state.asker, state.asked, state.letter = seat, asked, letter
    state.named[seat] |= bit
    state.named[asked] |= bit
    given = state.hand[asked] & LETTER_SET[letter]
    if given:
        leave_hand(state, asked, given)
        state.hand[seat] |= given
        state.known[seat] |= given
        state.result = HIT
    else:
        card = draw(state, seat)
        state.result = LUCKY if card != NO_CARD and CARD_LETTER[card] == letter else MISS
    if state.result == MISS or not open_window(state):
        close_window(state)


@kernel
def open_window(state):
    """Find the words that may be played with a card just received; False if there are none.  [R16]"""
    if spell(rack_of(state.hand[state.to_move]), state.letter, state.min_len, state.chosen) == 0:
        return False
    state.stage = WORDING
    return True


@kernel
def close_window(state):
    """After a hit the turn goes on; otherwise it ends, and that of the seat that was asked begins."""
    if state.stage != WORDING and state.result == LUCKY:
        state.result = MISS
    state.next_seat = state.asked
    state.stage = GOING_ON if state.result == HIT else TURN_ENDS


@kernel
def play_word(state, seat, word):
    """Lay a word out, of each letter the highest cards held. A seat that has no cards then has gone out.  [R16]"""
    start = 0
    for index in range(state.num_words):
        start += np.int64(state.word_len[index])
    rest, length, best = SPELLING[word], 0, np.int64(0)
    while rest > 0:
        card = highest_card(state.hand[seat], rest % SPELLING_BASE - 1)
        leave_hand(state, seat, np.int64(1) << card)
        state.table[start + length] = card
        best = max(best, CARD_RANK[card])
        rest //= SPELLING_BASE
        length += 1
    state.word_seat[state.num_words] = seat
    state.word_len[state.num_words] = length
    state.num_words += 1
    state.score[seat] += 1
    if length > state.longest[seat]:
        state.longest[seat], state.best_card[seat] = length, 0
    if length == state.longest[seat]:
        state.best_card[seat] = max(state.best_card[seat], best)
    if state.hand[seat] == 0:
        state.gone_out = seat


@kernel
def advance(state):
    """Carry the rules on to the next decision or the end."""
    state.pending = 0
    if state.stage == SET_UP:
        deal(state)
        state.to_move = FIRST_SEAT
        state.stage = GOING_ON
    if state.gone_out != NOBODY:
        end_game(state, 0)
    while state.to_move != OVER and (state.stage == GOING_ON or state.stage == TURN_ENDS):
        go_on(state)
    if state.to_move != OVER and state.moves >= state.max_moves:
        end_game(state, 1)


@kernel
def go_on(state):
    """After a turn the game ends if the well is empty; a seat that can ask nothing draws, and its turn ends.  [R18]"""
    if state.stage == TURN_ENDS:
        if state.well_len == 0:
            end_game(state, 0)
        else:
            state.to_move = state.next_seat
            state.stage = GOING_ON
    elif can_ask(state, state.to_move):
        state.stage = ASKING
    else:
        draw(state, state.to_move)
        state.next_seat = (state.to_move + 1) % state.num_seats
        state.stage = TURN_ENDS


@kernel
def end_game(state, truncated):
    """A seat that has gone out stands first; the others by words, the longest one, and the best card in it."""
    for seat in range(state.num_seats):
        before = 0
        for other in range(state.num_seats):
            before += is_before(state, other, seat)
        state.standing[seat] = before
    state.chosen[:] = NO_WORD
    state.truncated = truncated
    state.to_move = OVER


@kernel
def is_before(state, seat, other):
    """Whether a seat stands before another one."""
    if (seat == state.gone_out) != (other == state.gone_out):
        return seat == state.gone_out
    if state.score[seat] != state.score[other]:
        return state.score[seat] > state.score[other]
    if state.longest[seat] != state.longest[other]:
        return state.longest[seat] > state.longest[other]
    return state.best_card[seat] > state.best_card[other]


@kernel
def conclude(state):
    """End the game as the table lies, as its limit would."""
    end_game(state, 1)
