"""Driver templates: written once, bound to each game's kernels by `core.jit.bind`.

The names declared as `slot` are filled with a game's kernels, or with another template that is already bound. Arrays
are those of a batch: states [games], and by game, ids int32 [games, actions], counts int64 [games], masks int8
[games, actions], observations int16 [games, cells]; a single game is a batch of one. Legality is checked here and
nowhere below. Each kernel has one call site in a template, since LLVM optimises everything below every call again.
"""

import numpy as np

from pepperenvs.core.jit import slot
from pepperenvs.core.rng import below, next_word, seed
from pepperenvs.core.state import OVER
from pepperenvs.core.utility import utilities

# A game's kernels.
reset = chance = advance = legal_actions = step = observe = resample_hidden = bot = audit = solitaire = slot
# Templates that others are built from.
settle = show = turn = restart = opponent = assign = finish = begin = slot

RESTART = -1  # in place of an action: begin a new game
ILLEGAL = -2  # returned in place of the seat to move

# Who decides for a seat: the caller, a random legal action, the game's bot, or one of the driver's agents.
ASKED, RANDOM, BOT, FIRST_AGENT = 0, 1, 2, 3
CHOSEN_AT_RANDOM = -1  # in place of the learner's seat
NO_LEARNER = -2

OPPONENTS, SAMPLING = 1, 2  # streams of a game's seed beside the rules' own, which is 0
MAX_UNASKED = 1000  # games in a row that may end without asking the caller, before auto-reset gives up


def settle(state):
    """Carry the rules on until a seat must decide or the game is over. After `reset` and after every `step`."""
    while True:
        if state.pending != 0:
            chance(state)
        advance(state)
        if state.pending == 0:
            break


def show(state, ids, count, mask, out):
    """Bring ids, mask and observation up to date for the seat to move; returns the number of legal actions.

    count    how many ids stand from before: only those cells of the mask are set back
    """
    for index in range(count):
        mask[ids[index]] = 0
    if state.to_move == OVER:
        out[:] = 0
        return 0
    count = legal_actions(state, ids)
    for index in range(count):
        mask[ids[index]] = 1
    observe(state, state.to_move, out)
    return count


def restart(states, index, blanks, variant):
    """Make a state blank again, but for its generator, and reset it."""
    rng = states[index].rng[0]
    states[index] = blanks[variant]
    states[index].rng[0] = rng
    reset(states[index])


# --------------------------------------------------------------------------------------------- a single game


def prepare_at(states, index, blanks, variant, number):
    """Before a restart: seed the state's generator, or let it go on if `number` is negative."""
    rng = states[index].rng[0]
    states[index] = blanks[variant]
    states[index].rng[0] = rng
    if number >= 0:
        seed(states[index].rng, number, 0)


def turn(state, action, ids, count, mask, out):
    """One turn: legality, step, the rules carried on, then mask and observation of the seat to move.

    action     RESTART begins the game (after prepare_at)
    returns    the number of legal actions, 0 after the end, or ILLEGAL, where nothing has changed
    """
    if action == RESTART:
        reset(state)
    elif action < 0 or action >= len(mask) or mask[action] == 0:
        return ILLEGAL
    else:
        step(state, action)
    settle(state)
    return show(state, ids, count, mask, out)


def turn_at(states, index, action, ids, counts, masks, observations):
    """`turn` in a batch; returns the seat to move, OVER, or ILLEGAL."""
    count = turn(states[index], action, ids[index], counts[index], masks[index], observations[index])
    if count == ILLEGAL:
        return ILLEGAL
    counts[index] = count
    return states[index].to_move


def turn_in(cells, action):
    """`turn` in the one cell of Game.cells: an array handed over costs 0.1 µs, so a single one takes all along."""
    cell = cells[0]
    count = turn(cell.state, action, cell.ids, cell.count, cell.mask, cell.observation)
    if count == ILLEGAL:
        return np.int64(ILLEGAL)
    cell.count = count
    return cell.state.to_move


def show_at(states, index, ids, counts, masks, observations):
    """Ids, mask and observation of a state that came from elsewhere; the mask must be that of the ids before."""
    counts[index] = show(states[index], ids[index], counts[index], masks[index], observations[index])
    return states[index].to_move


def observe_at(states, index, seat, out):
    """One seat's observation, int16 [cells]."""
    observe(states[index], seat, out)


def legal_at(states, index, ids):
    """The legal actions of the seat to move in ascending order, int32 [actions]; returns how many."""
    return legal_actions(states[index], ids)


def step_at(states, index, action):
    """Play a legal action and stop there: for records, which carry on outcome by outcome."""
    step(states[index], action)


def reset_at(states, index):
    """Reset and stop there, with the deal pending."""
    reset(states[index])


def chance_at(states, index):
    """Draw the pending outcome."""
    chance(states[index])


def advance_at(states, index):
    """Carry the rules on to the next decision, outcome or end; returns the pending outcome, 0 for none."""
    advance(states[index])
    return states[index].pending


def bot_at(states, index):
    """The scripted player's move for the seat to move."""
    return np.int64(bot(states[index]))


def audit_at(states, index):
    """0 if the state is sound, else what the game's AUDITS name."""
    return audit(states[index])


def resample_at(states, index, seat, rng):
    """Redraw what `seat` cannot know, from the stream `rng`, uint64 [1]; the state's generator is hidden too."""
    states[index].rng[0] = next_word(rng)
    resample_hidden(states[index], seat)


def play_at(states, index, action, policy, limit, ids, rng):
    """Play `action`, unless it is negative, then at most `limit` moves of a policy; returns how many were played.

    policy    RANDOM or BOT, for every seat; `rng`, uint64 [1], draws the random ones
    """
    state = states[index]
    played = 0
    while state.to_move != OVER:
        if action < 0:
            if limit <= 0:
                break
            limit -= 1
            action = opponent(state, policy, ids, rng)
        step(state, action)
        settle(state)
        played += 1
        action = np.int64(RESTART)
    return played


def utilities_at(states, index, kind, out):
    """Utilities of all seats at the end, float64 [seats]."""
    state = states[index]
    alone = solitaire(state) if state.num_seats == 1 else 0.0
    utilities(state.score, state.standing, state.num_seats, kind, alone, out)


# --------------------------------------------------------------------------------------------------- batches


def no_opponent(state, policy, ids, rng):
    """Every seat is asked."""
    return np.int64(RESTART)


def any_opponent(state, policy, ids, rng):
    """The move of a seat that is not asked: a random legal one, or the bot's."""
    if policy == RANDOM:
        return np.int64(ids[below(rng, legal_actions(state, ids))])
    return np.int64(bot(state))


def assign(policies, num_seats, learner, weights, rng):
    """Decide who plays each seat of a new game; returns the learner's seat.

    policies    int8 [seats], receives ASKED, RANDOM, BOT or the number of an agent, from FIRST_AGENT
    learner     a seat, CHOSEN_AT_RANDOM or NO_LEARNER
    weights     float64 [policies]: how likely each of them is for another seat, in that order; they sum to 1
    """
    if learner == CHOSEN_AT_RANDOM:
        learner = below(rng, num_seats)
    for seat in range(len(policies)):
        policies[seat] = ASKED
        if seat < num_seats and seat != learner and weights[ASKED] < 1.0:
            draw = np.float64(below(rng, 1 << 31)) / np.float64(1 << 31)
            while policies[seat] < len(weights) - 1 and draw >= weights[policies[seat]]:
                draw -= weights[policies[seat]]
                policies[seat] += 1
    return learner


def seed_games(states, streams, sampling, chosen, numbers):
    """Start the generators of chosen games from their seeds: the rules', the opponents', that of sampled actions.

    numbers    int64 [games], 0 .. 2^63 - 1
    """
    for index in range(len(numbers)):
        if chosen[index] == 0:
            continue
        seed(states[index].rng, numbers[index], 0)
        seed(streams[index], numbers[index], OPPONENTS)
        seed(sampling[index], numbers[index], SAMPLING)


def finish(state, index, kind, results):
    """Write a finished game's results; absent seats get zeros."""
    finished, truncated, lengths, scores, standings, utility = results
    finished[index] = 1
    truncated[index] = state.truncated
    lengths[index] = state.moves
    for seat in range(len(state.score)):
        scores[index, seat] = state.score[seat]
        standings[index, seat] = state.standing[seat]
        utility[index, seat] = 0.0
    alone = solitaire(state) if state.num_seats == 1 else 0.0
    utilities(state.score, state.standing, state.num_seats, kind, alone, utility[index])


def begin(states, index, blanks, variant, lineup, rng):
    """Restart a game of a batch and decide who plays its seats; see `batch_step` and `assign`."""
    policies, learners, wanted, weights = lineup
    restart(states, index, blanks, variant)
    learners[index] = assign(policies[index], states[index].num_seats, wanted[index], weights, rng)


def batch_step(
    first, stop, states, actions, chosen, blanks, variants, lineup, streams, views, seats, kind, autoreset, results,
    finals
):  # fmt: skip
    """One step of the games first .. stop-1 whose `chosen` cell is not 0: play on until somebody is asked, then show.

    actions    RESTART begins a new game
    lineup     policies int8 [games, seats], learners int64 [games], the same as wanted int64 [games], and weights, see
               `assign`
    streams    uint64 [games, 1], the drivers' own generators
    views      ids, counts, masks, observations
    seats      int64 [games], receives the seat to move or OVER
    results    see `finish`; `finished` and `truncated` are only set; with auto-reset the game goes on with the next one
    finals     int16 [games, cells], receives what the learner saw at the end; [0, cells] in a batch without learners

    A long function, since what it would hand to a shorter one at every move are twenty arrays, a third of its time.
    """
    ids, counts, masks, observations = views
    policies = lineup[0]
    for index in range(first, stop):
        if chosen[index] == 0:
            continue
        for k in range(counts[index]):
            masks[index, ids[index, k]] = 0
        action = actions[index]
        is_new, unasked = action == RESTART, 0
        while True:
            if action == RESTART:
                begin(states, index, blanks, variants[index], lineup, streams[index])
            else:
                step(states[index], action)
            state = states[index]
            settle(state)
            if state.to_move == OVER:
                if not autoreset or (unasked == 0 and not is_new):  # a game that asked nobody is as if never played
                    finish(state, index, kind, results)
                    if len(finals) > 0:
                        observe(state, lineup[1][index], finals[index])
                unasked += 1
                if not autoreset or unasked > MAX_UNASKED:
                    break
                action = np.int64(RESTART)
            else:
                policy = policies[index, state.to_move]
                if policy == ASKED or policy >= FIRST_AGENT:
                    break
                action = opponent(state, policy, ids[index], streams[index])
        counts[index] = show(states[index], ids[index], 0, masks[index], observations[index])
        seats[index] = states[index].to_move


def first_illegal(actions, chosen, masks):
    """The first game whose action is illegal, or -1. Nothing is written."""
    for index in range(len(actions)):
        if chosen[index] != 0:
            action = actions[index]
            if action < 0 or action >= masks.shape[1] or masks[index, action] == 0:
                return index
    return -1


def sample_actions(ids, counts, streams, chosen, out):
    """A uniform legal action for every chosen game that is not over; the others keep what they have."""
    for index in range(len(out)):
        if chosen[index] != 0 and counts[index] > 0:
            out[index] = ids[index, below(streams[index], counts[index])]


def bot_actions(first, stop, states, seats, chosen, out):
    """The bot's move for every chosen game that is not over; the others keep what they have."""
    for index in range(first, stop):
        if chosen[index] != 0 and seats[index] != OVER:
            out[index] = bot(states[index])


def observe_learners(first, stop, states, learners, chosen, out):
    """The learner's observation of every chosen game, int16 [games, cells], also after the end."""
    for index in range(first, stop):
        if chosen[index] != 0:
            observe(states[index], learners[index], out[index])


def observe_seats(first, stop, states, out):
    """Every seat's observation in every game, int16 [games, seats, cells]; absent seats get zeros."""
    for index in range(first, stop):
        for seat in range(out.shape[1]):
            if seat < states[index].num_seats:
                observe(states[index], seat, out[index, seat])
            else:
                out[index, seat] = 0


def random_rollout(first, stop, moves, states, blanks, variants, streams, views, totals):
    """Random play: `moves` moves in each game, with mask and observation after every move; games begin anew when over.

    totals    int64 [games, 3]: adds moves, finished games and their moves
    """
    ids, counts, masks, observations = views
    for index in range(first, stop):
        state, stream, count = states[index], streams[index], counts[index]
        legal, mask, out = ids[index], masks[index], observations[index]
        played = 0
        while True:
            if state.to_move == OVER:
                restart(states, index, blanks, variants[index])
            elif played < moves:
                step(state, np.int64(legal[below(stream, count)]))
                played += 1
            else:
                break
            settle(state)
            count = show(state, legal, count, mask, out)
            if state.to_move == OVER:
                totals[index, 1] += 1
                totals[index, 2] += state.moves
        counts[index] = count
        totals[index, 0] += played
