"""The rules of Heat Guess as kernels. RULES.md has the text; [R…] are its rulings."""

from pepperenvs.core.jit import kernel
from pepperenvs.core.rng import below, shuffle
from pepperenvs.core.utility import rank_by
from pepperenvs.games.heat_guess.state import DEAL, INSERT, OVER


@kernel
def reset(state):
    """Lay out the cards, unshuffled and with no heat number yet; the deal is awaited."""
    for kind in range(state.kinds):
        state.remaining[kind] = state.copies
        for heat in range(state.heats):
            state.possible[kind, heat] = 1
        for _ in range(state.copies):
            state.pile[state.pile_len] = kind
            state.pile_len += 1
    state.pending = DEAL


@kernel
def legal_actions(state, ids):
    """Any number up to `heats`; those already ruled out stay legal.

    ids        int32 [actions], receives the legal action indices in ascending order
    returns    how many there are
    """
    for heat in range(state.heats):
        ids[heat] = heat
    return state.heats


@kernel
def step(state, action):
    """The seat to move says a number: right, it keeps the card; wrong, the card will go back into the pile.  [R2]

    action    the number minus one, 0 .. heats-1
    """
    kind = state.pile[state.pile_len - 1]
    state.moves += 1
    if state.heat[kind] == action + 1:
        state.pile_len -= 1
        state.remaining[kind] -= 1
        state.score[state.to_move] += 1
        make_known(state, kind)
    else:
        state.wasted += 1
        state.possible[kind, action] = 0
        state.pending = INSERT
        if state.reveal:
            make_known(state, kind)


@kernel
def make_known(state, kind):
    """All see the number of a kind."""
    state.possible[kind] = 0
    state.possible[kind, state.heat[kind] - 1] = 1


@kernel
def chance(state):
    """The deal: shuffle the pile and draw each kind's number [R1]. After a wrong guess: draw the place [R2]."""
    if state.pending == DEAL:
        for kind in range(state.kinds):
            state.heat[kind] = 1 + below(state.rng, state.heats)
        shuffle(state.pile, 0, state.pile_len, state.rng)
    else:
        state.place = below(state.rng, state.pile_len)


@kernel
def advance(state):
    """Put the card back if the guess was wrong, then ask the next seat; or end the game.  [R2]"""
    if state.pending == DEAL:
        state.to_move = 0
    else:
        if state.pending == INSERT:
            put_back(state)
        state.to_move = (state.to_move + 1) % state.num_seats
    state.pending = 0
    if state.pile_len == 0 or state.moves >= state.max_moves:
        end_game(state)


@kernel
def end_game(state):
    """Rank the seats by their points; with cards left the game is cut short."""
    state.truncated = state.pile_len > 0
    state.to_move = OVER
    rank_by(state.score, state.num_seats, state.standing)


@kernel
def conclude(state):
    """End the game as the table lies, as its limit would."""
    end_game(state)


@kernel
def put_back(state):
    """The shown card goes below `place` of the others."""
    top = state.pile_len - 1
    card = state.pile[top]
    for index in range(top, top - state.place, -1):
        state.pile[index] = state.pile[index - 1]
    state.pile[top - state.place] = card
    state.place = 0


@kernel
def solitaire(state):
    """The result with one player: 1 - 2 x wasted / (cards x (heats - 1)), not below -1; truncated: -1.  [R3]"""
    if state.truncated:
        return -1.0
    return max(-1.0, 1.0 - 2.0 * state.wasted / (state.kinds * state.copies * (state.heats - 1)))


AUDITS = {
    1: "the cards of a kind in the pile are not those counted",
    2: "points and pile do not make up all the cards",
    3: "a kind's number is out of range, or held to be impossible",
    4: "the seat to move, the pile or a card is out of range, or an outcome is awaited",
    5: "more guesses wasted than made, or more made than allowed",
}


@kernel
def audit(state):
    """0 if the state is sound between two moves, else a number of AUDITS."""
    if state.to_move < OVER or state.to_move >= state.num_seats or state.pending != 0:
        return 4
    if state.pile_len < 0 or state.pile_len > state.kinds * state.copies:
        return 4
    points = 0
    for seat in range(state.num_seats):
        points += state.score[seat]
    if points + state.pile_len != state.kinds * state.copies:
        return 2
    for index in range(state.pile_len):
        if state.pile[index] < 0 or state.pile[index] >= state.kinds:
            return 4
    for kind in range(state.kinds):
        count = 0
        for index in range(state.pile_len):
            count += state.pile[index] == kind
        if count != state.remaining[kind]:
            return 1
        heat = state.heat[kind]
        if heat < 1 or heat > state.heats or state.possible[kind, heat - 1] != 1:
            return 3
    if state.wasted > state.moves or state.wasted < 0 or state.moves > state.max_moves:
        return 5
    return 0
