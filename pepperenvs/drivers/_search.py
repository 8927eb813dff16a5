"""Search templates, bound to each game's kernels as those of _kernels.py are: a tree over what one seat knows.

The tree is a single-observer information-set tree for any number of seats: every iteration redraws what the searching
seat cannot know and the generator, then walks down along moves that are legal in that redraw. A node stands for the
moves that lead to it, whatever the redraw; it holds the sum of all seats' values, and at a decision the seat to move
looks at its own. How often a child could have been chosen is counted too, since it is not legal in every redraw
(Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012). If the plan wants so, a node stands for
what the searching seat has seen too: after each move comes a node for every outcome that looks different to it.

A root is a tree of its own with its own stream of random numbers, nodes and scratch space, so roots may grow in
threads. Arrays by root: works states [roots], nodes [roots, nodes] of the type drivers.tree.node_type, used int64
[roots, 1], ids int32 [roots, actions], marks int64 [roots, actions + 1], paths int32 [roots, MAX_DEPTH + 2], streams
uint64 [roots, 1], seen int16 [roots, cells], values float64 [roots, seats].
"""

import math

import numpy as np

from pepperenvs.core.jit import slot
from pepperenvs.core.rng import below, next_word
from pepperenvs.core.state import OVER
from pepperenvs.core.utility import utilities
from pepperenvs.drivers._kernels import BOT

# A game's kernels.
step = legal_actions = observe = resample_hidden = bot = solitaire = conclude = slot
# Templates that others are built from.
settle = add_child = logarithm = choose_child = outcome_child = descend = appraise = credit = slot

MAX_DEPTH = 400  # from the root to the deepest node that has children
NO_NODE = -1
NO_ACTION = -1
NO_ITERATION = -(2**31)  # a depth

# An early end counts a little more than a late one of the same result: a searcher that is sure to win ends the game,
# one that is sure to lose does not hurry. After n moves a result counts 1 - HASTE * n / (n + HALF_HASTE) times.
HASTE, HALF_HASTE = 0.05, 100.0

# Of what a seat sees a number below 2 ** 31, which a node has room for: the sum of its cells, each with a factor that
# looks random, modulo a prime. Two outcomes of a move are hardly ever taken for the same. The sum stays below 2 ** 63.
# There are factors for 2 ** 13 cells, then the first ones come again.
PRIME = 2**31 - 1
FACTORS = np.array([pow(16807, place + 1, PRIME) for place in range(8192)], np.int64)

LOGARITHMS = np.log(np.maximum(np.arange(4096), 1))


def choose_child(nodes, used, node, seat, ids, count, suggestion, marks, exploration, growth, share, stream):
    """The child to go on to: a new one if there may be one more, else that of the highest upper confidence bound.

    ids, count     the legal actions
    suggestion     the action of the first child, or NO_ACTION
    marks          int64 [actions + 1]; its last cell counts the calls, so that it need not be cleared
    growth         a node may have n children once it has been visited n ** growth times; 0 tries all before any twice
    share          of the visits, which the first child gets at least
    returns        a node; `used` has grown by one if it is new
    """
    marks[-1] += 2
    legal, tried = marks[-1], marks[-1] + 1
    for index in range(count):
        marks[ids[index]] = legal
    best, highest, num_tried = NO_NODE, -math.inf, 0
    child = nodes[node].child
    while child != NO_NODE:
        one = nodes[child]
        if marks[one.action] == legal:
            marks[one.action] = tried
            num_tried += 1
            one.chances += 1
            bound = one.total[seat] / one.visits + exploration * math.sqrt(logarithm(one.chances) / one.visits)
            if one.sibling == NO_NODE and one.visits < share * nodes[node].visits:
                bound = math.inf
            if bound > highest:
                best, highest = child, bound
        child = one.sibling
    room = used[0] < len(nodes)
    if num_tried == count or not room or (num_tried > 0 and (num_tried + 1.0) ** growth > nodes[node].visits + 1):
        return np.int64(best)
    action = suggestion
    if action == NO_ACTION or marks[action] != legal:
        skip = below(stream, count - num_tried)
        index = 0
        while marks[ids[index]] != legal or skip > 0:
            skip -= marks[ids[index]] == legal
            index += 1
        action = np.int64(ids[index])
    return np.int64(add_child(nodes, used, node, action))


def logarithm(number):
    """The natural logarithm of a number from 1 on; small ones are looked up."""
    return LOGARITHMS[number] if number < len(LOGARITHMS) else math.log(number)


def outcome_child(nodes, used, node, seen):
    """The child of a move that stands for what the searching seat sees after it; NO_NODE if there is no room for it.

    seen    int16 [cells], its observation
    """
    key = np.int64(0)
    for place in range(len(seen)):
        key += np.int64(seen[place]) * FACTORS[place & (len(FACTORS) - 1)]
    key %= PRIME
    child = nodes[node].child
    while child != NO_NODE:
        if nodes[child].action == key:
            nodes[child].chances += 1
            return np.int64(child)
        child = nodes[child].sibling
    return np.int64(add_child(nodes, used, node, key)) if used[0] < len(nodes) else np.int64(NO_NODE)


def add_child(nodes, used, node, action):
    """A new child, without visits; returns its number."""
    child = used[0]
    used[0] += 1
    one = nodes[child]
    one.action, one.child, one.sibling = action, NO_NODE, nodes[node].child
    one.visits, one.chances = 0, 1
    one.total[:] = 0.0
    nodes[node].child = child
    return child


def descend(roots, works, index, word, action, nodes, used, ids, marks, path, stream, seen, viewer, plan):
    """One iteration up to its last position, in works[index]: a redraw, moves in the tree, moves of a policy.

    roots     states [1], what the searching seat knows of the position
    word      starts the redraw's generator, and so decides it and all outcomes
    action    NO_ACTION, or a move that is played first, without a tree
    path      receives the nodes that were visited, the root first
    seen      int16 [cells], scratch space for what the searching seat sees
    plan      who plays after the tree, RANDOM or BOT, and for how many moves; whether a node's first child is the bot's
              move, BOT, or a random one; whether outcomes have nodes; exploration, growth, and the share of the root's
              first child, see `choose_child`
    returns   the number of nodes below the root

    The kernels have one call site each, though it makes the loop harder to read: LLVM optimises them at every one.
    """
    policy, left, prior, splits, exploration, growth, share = plan
    works[index] = roots[0]
    state = works[index]
    state.rng[0] = word
    resample_hidden(state, viewer)
    node, depth, count = np.int64(0), 0, 0
    path[0] = 0
    is_inside, is_new = action == NO_ACTION, False
    while state.to_move != OVER and (is_inside or left > 0 or action != NO_ACTION):
        if action == NO_ACTION:
            if is_inside:
                asks_bot = prior == BOT and nodes[node].child == NO_NODE
            else:
                asks_bot = policy == BOT
                left -= 1
            if asks_bot:
                action = np.int64(bot(state))
            if is_inside or not asks_bot:
                count = legal_actions(state, ids)
            if is_inside:
                node = choose_child(
                    nodes, used, node, state.to_move, ids, count, action, marks, exploration, growth,
                    0.0 if depth > 0 else share, stream
                )  # fmt: skip
                if node == NO_NODE:  # no room for another
                    is_inside, node, action = False, np.int64(0), np.int64(NO_ACTION)
                    continue
                action = np.int64(nodes[node].action)
                depth += 1
                path[depth] = node
                is_new = nodes[node].visits == 0 and count > 1
            elif not asks_bot:
                action = np.int64(ids[below(stream, count)])
        step(state, action)
        settle(state)
        action = np.int64(NO_ACTION)
        if is_inside and splits and state.to_move != OVER:
            observe(state, viewer, seen)
            child = outcome_child(nodes, used, node, seen)
            if child != NO_NODE:
                node = child
                depth += 1
                path[depth] = node
                is_new = is_new or nodes[node].visits == 0
            else:
                is_new = True
        if is_inside:
            is_inside = not is_new and depth < MAX_DEPTH
    return depth


def appraise(state, kind, begun, values):
    """Every seat's value of a position that an iteration ends in, float64 [seats]: its utility if the game ended here.

    begun    moves that had been played before the search
    """
    length = np.float64(state.moves - begun)
    if state.to_move != OVER:
        conclude(state)
    alone = solitaire(state) if state.num_seats == 1 else 0.0
    utilities(state.score, state.standing, state.num_seats, kind, alone, values)
    for seat in range(state.num_seats):
        values[seat] *= 1.0 - HASTE * length / (length + HALF_HASTE)


def credit(nodes, path, depth, values):
    """Add an iteration's values to all the nodes that it visited."""
    for place in range(depth + 1):
        one = nodes[path[place]]
        one.visits += 1
        for seat in range(len(one.total)):
            one.total[seat] += values[seat]


def iterate_at(
    first, stop, roots, works, trees, viewer, plan, kind, actions, rounds, totals, moves, depths, observations
):  # fmt: skip
    """So many rounds at each of the roots first .. stop-1. One kernel for all searches, as each costs a compilation.

    trees           nodes, used, ids, marks, paths, streams, seen, values: see the module
    actions         int32 [n], played first in a round, one after the other from the same redraw; NO_ACTION for a tree
    rounds          int64 [roots]
    totals          float64 [roots, n], the searching seat's values are added
    moves           int64 [roots], the moves of all iterations are added
    depths          int64 [roots], receives the number of nodes below the root that the last iteration visited
    observations    int16 [roots, seats, cells]: if there is room, an iteration of a tree is left as it is where the
                    game goes on, with what each seat sees there, for values that come from elsewhere; `credit_at` then
                    adds them. Where it does not, the values are written, and the depth is given as -1 - depth
    """
    nodes, used, ids, marks, paths, streams, seen, values = trees
    for root in range(first, stop):
        for _ in range(rounds[root]):
            word = next_word(streams[root])
            for place in range(len(actions)):
                action = np.int64(actions[place])
                depth = descend(
                    roots, works, root, word, action, nodes[root], used[root], ids[root], marks[root], paths[root],
                    streams[root], seen[root], viewer, plan
                )  # fmt: skip
                depths[root] = depth
                moves[root] += works[root].moves - roots[0].moves
                if len(observations) > 0 and works[root].to_move != OVER:
                    for seat in range(works[root].num_seats):
                        observe(works[root], seat, observations[root, seat])
                    continue
                appraise(works[root], kind, roots[0].moves, values[root])
                totals[root, place] += values[root, viewer]
                if len(observations) > 0:
                    depths[root] = -1 - depth
                elif action == NO_ACTION:
                    credit(nodes[root], paths[root], depth, values[root])


def credit_at(trees, depths):
    """Add the values of the iterations that `iterate_at` left as they were."""
    nodes, _, _, _, paths, _, _, values = trees
    for root in range(len(depths)):
        if depths[root] != NO_ITERATION:
            depth = depths[root] if depths[root] >= 0 else -1 - depths[root]
            credit(nodes[root], paths[root], depth, values[root])
