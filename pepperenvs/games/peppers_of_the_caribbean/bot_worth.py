"""What cards are worth to the scripted player of Peppers of the Caribbean: in front of it, and in its hand.

Amounts are tenths of a point. What the open bonus cards add to the worth of cards in front of a seat is its *wish*, two
packed numbers: one for pirates, with a digit for each colour and dish, and one for rum, with a digit for each type.
"""

import itertools

import numpy as np
from numpy.typing import NDArray

from pepperenvs.core.jit import kernel
from pepperenvs.games.peppers_of_the_caribbean.bonuses import tally
from pepperenvs.games.peppers_of_the_caribbean.sets import NUM_THROWN
from pepperenvs.games.peppers_of_the_caribbean.state import HAND_LIMIT, LAST_TURNS, NOT_YET
from pepperenvs.games.peppers_of_the_caribbean.tables import (
    BIT_COUNTS,
    BONUS_BITS,
    BONUS_COUNTS,
    BONUS_LETTER,
    BONUS_NUMBER,
    BONUS_POINTS,
    COLOUR_BITS,
    COLOURS,
    DISHES,
    IS_DURING,
    NUM_BONUSES,
    NUM_PIRATES,
    NUM_TYPES,
    SHOWN,
    VALUES,
)

POINT = 10  # tenths
LOST = -1000000  # less than anything is worth

# Per cent of a bonus card's points that one more card in front is worth.
RACE_SHARE = (0, 62, 38, 17, 25)  # given during the game, by the cards that lack; the last for that and all above
LAST_KIND_SHARE = 92  # if the last of different ones lacks: everybody comes so far, and the next set decides
BEHIND_SHARE = 65  # per cent that is left of the share if a rival has more
MAJORITY_SHARE = (12, 28, 39, 42, 32, 16, 9)  # given at the end, by the lead over the best rival
LATE_MAJORITY_SHARE = (4, 28, 50, 57, 36, 12, 0)  # the same when few turns are to come
MAX_LEAD = 3  # those shares begin with a lead of minus this
ALL = 100

CARDS_A_TURN = 2  # that the pile loses, about
FEW_TURNS = 8

# What a hand promises.
FIRST_SHOWN, SECOND_SHOWN = 10, 4  # for every colour and dish that a card shows, and that another shows as well
HELD_SHARE, HELD_RUM = 12, 3  # per cent of what a pirate is worth in front; for a rum
FOUR_SHARE, FOUR_COST = 50, 37  # per cent of what the best set of four would keep, less its cards and its turn
THREE_SHARE, THREE_COST = 42, 22  # the same for a set of three, if there is none of four
LAST_SHOWN, LAST_SHARE = 10, 66  # instead, if one turn is to come: for what is shown first, per cent of the best set

DIGIT_BITS = 7
DIGIT = (1 << DIGIT_BITS) - 1
WORDS = len(COLOURS) + len(DISHES)


# ------------------------------------------------------------------------------------------------- tables


def _cells() -> NDArray[np.int64]:
    """The cell of each pirate in the square of colours and dishes, as a bit; 0 for rum, [types]."""
    colour, dish = (np.frexp(bits)[1] - 1 for bits in (SHOWN & COLOUR_BITS, SHOWN >> len(COLOURS)))
    return np.where(np.arange(NUM_TYPES) < NUM_PIRATES, 1 << len(DISHES) * colour + np.maximum(dish, 0), 0)


def _fitting_cells() -> NDArray[np.int64]:
    """The cells of the pirates that show nothing of what a card shows, as bits, [types]."""
    pirates, fits = CELL[:NUM_PIRATES], (SHOWN[:, None] & SHOWN[:NUM_PIRATES]) == 0
    return np.array([np.bitwise_or.reduce(pirates[row]) for row in fits], np.int64)


def _most_partners() -> NDArray[np.int8]:
    """How many cells of some, given as bits, can have different colours and different dishes, [cells]."""
    cells = np.arange(1 << len(COLOURS) * len(DISHES))
    most = np.zeros(len(cells), np.int64)
    for dishes in itertools.permutations(range(len(DISHES))):
        places = [len(DISHES) * colour + dish for colour, dish in enumerate(dishes)]
        most = np.maximum(most, sum(cells >> place & 1 for place in places))
    return most.astype(np.int8)


def _counted_words() -> NDArray[np.int64]:
    """Colours and dishes, as bits, of which a pirate shows one if a bonus card counts it, else none, [bonuses]."""
    shown = BIT_COUNTS[SHOWN[:NUM_PIRATES] & np.arange(1 << WORDS)[:, None]]
    fits = [np.flatnonzero((shown == counts).all(axis=1)) for counts in BONUS_COUNTS[:NUM_PIRATES].T]
    if not all(map(len, fits)):
        raise ValueError("bonus_cards.csv: a bonus card that counts other pirates than those of some colours or dishes")
    return np.array([words[0] for words in fits], np.int64)


def _digits(ones: NDArray[np.int64]) -> NDArray[np.int64]:
    """Ones and zeros packed into numbers, the first as the lowest digit, [numbers] from [numbers, digits]."""
    packed: NDArray[np.int64] = (ones << DIGIT_BITS * np.arange(ones.shape[1])).sum(axis=1)
    return packed


def _check_digits() -> None:
    """A digit must hold the points of all bonus cards that add to it and can lie open together."""
    pirates = COUNTED >> np.arange(WORDS)[:, None] & 1
    for adds in (*pirates, *BONUS_COUNTS[NUM_PIRATES:]):
        most = np.zeros(BONUS_LETTER.max() + 1, np.int64)  # only one of a letter lies open
        np.maximum.at(most, BONUS_LETTER, BONUS_POINTS * adds)
        most[0] = (BONUS_POINTS * adds)[BONUS_LETTER == 0].sum()
        if POINT * most.sum() > DIGIT:
            raise ValueError("bonus_cards.csv: a card can bring more points than the scripted player reckons with")


CELL = _cells()
FITTING = _fitting_cells()
PARTNERS = _most_partners()
COUNTED = np.where(BONUS_BITS > 0, BONUS_BITS, _counted_words())
ONES = _digits(np.arange(1 << WORDS)[:, None] >> np.arange(WORDS) & 1)  # a one in the digit of each bit, [words]
RUM_ONES = _digits(BONUS_COUNTS[NUM_PIRATES:].T.astype(np.int64))  # in the digit of each rum that counts, [bonuses]
COLOUR_DIGIT = DIGIT_BITS * (np.frexp(SHOWN & COLOUR_BITS)[1].astype(np.int64) - 1)  # where it begins; pirates, [types]
DISH_DIGIT = DIGIT_BITS * (np.frexp(SHOWN)[1].astype(np.int64) - 1)
_check_digits()


# ------------------------------------------------------------------------------------------------ in front


@kernel
def turns_to_come(state):
    """Turns that a seat will have after this one, about; none in its last turn, else at least one."""
    if state.ending == LAST_TURNS:
        return 0
    return 1 + state.pile_len // (CARDS_A_TURN * state.num_seats)


@kernel
def most_of_rivals(state, seat, bonus):
    """The most that a bonus card counts in front of another seat."""
    most = 0
    for other in range(state.num_seats):
        if other != seat:
            most = max(most, tally(state, other, bonus))
    return most


@kernel
def race_share(state, bonus, own, rival):
    """The share of a bonus card given during the game that one more card for it is worth."""
    lacking = BONUS_NUMBER[bonus] - own
    if lacking <= 0:
        return 0
    if lacking == 1:
        if state.ending != NOT_YET or rival >= BONUS_NUMBER[bonus]:  # now or never
            return ALL
        if BONUS_BITS[bonus]:
            return LAST_KIND_SHARE
    share = RACE_SHARE[min(lacking, len(RACE_SHARE) - 1)]
    return share * BEHIND_SHARE // 100 if own < rival else share


@kernel
def majority_share(state, own, rival):
    """The share of a bonus card given at the end that one more card for it is worth.  [R6]"""
    lead = own - max(rival, 1)
    if state.ending == LAST_TURNS:
        return ALL if lead == -1 else 0
    place = MAX_LEAD + min(max(lead, -MAX_LEAD), MAX_LEAD)
    return LATE_MAJORITY_SHARE[place] if turns_to_come(state) < FEW_TURNS else MAJORITY_SHARE[place]


@kernel
def wishes(state, seat):
    """What the open bonus cards add to the worth of cards in front of a seat: digits of pirates, digits of rum."""
    pirates, rum = 0, 0
    for bonus in range(NUM_BONUSES):
        if state.open_bonuses[bonus]:
            own, rival = tally(state, seat, bonus), most_of_rivals(state, seat, bonus)
            if IS_DURING[bonus]:
                share = race_share(state, bonus, own, rival)
            else:
                share = majority_share(state, own, rival)
            gain = POINT * BONUS_POINTS[bonus] * share // 100
            words = COUNTED[bonus] & ~state.pirate_bits[seat] if BONUS_BITS[bonus] else COUNTED[bonus]
            pirates += gain * ONES[words]
            rum += gain * RUM_ONES[bonus]
    return pirates, rum


@kernel
def worth(card, wish):
    """What a card is worth in front of a seat: its value, and what it brings toward bonus cards."""
    pirates, rum = wish
    points = POINT * VALUES[card]
    if card >= NUM_PIRATES:
        return points + (rum >> DIGIT_BITS * (card - NUM_PIRATES) & DIGIT)
    return points + (pirates >> COLOUR_DIGIT[card] & DIGIT) + (pirates >> DISH_DIGIT[card] & DIGIT)


# ------------------------------------------------------------------------------------------------- in hand
# Places, as bits: those of a seat's hand, and behind them those of the supply.


@kernel
def hand_places(state, seat):
    """All places of a hand."""
    return (1 << np.int64(state.hand_size[seat])) - 1


@kernel
def supply_places(state, seat, bit):
    """The places of the supply cards that show a colour or dish."""
    places, size, supply = 0, np.int64(state.hand_size[seat]), state.supply
    for index in range(state.supply_len):
        if SHOWN[supply[index]] & bit:
            places |= 1 << size + index
    return places


@kernel
def card_at(hand, size, supply, place):
    """The card at a place, of a hand of so many cards or of the supply."""
    return np.int64(hand[place]) if place < size else np.int64(supply[place - size])


@kernel
def promise(state, seat, places, wish, turns):
    """What cards are worth as the hand with which a seat ends its turn.

    They take what comes by the colours and dishes that they show, and they make sets; pirates may be laid in front
    some day. Of more than seven cards the rest is dropped.

    turns    to come
    """
    hand, size, supply = state.hand[seat], np.int64(state.hand_size[seat]), state.supply
    cells, count, end = 0, 0, 0
    while places >> end:
        if places >> end & 1:
            cells |= CELL[card_at(hand, size, supply, end)]
            count += 1
        end += 1
    once, twice, held, three, first, second = 0, 0, 0, 0, 0, 0
    for place in range(end):
        if places >> place & 1:
            card = card_at(hand, size, supply, place)
            own, partners = worth(card, wish), PARTNERS[cells & FITTING[card]]
            twice |= once & SHOWN[card]
            once |= SHOWN[card]
            held += own if card < NUM_PIRATES else HELD_RUM * 100 // HELD_SHARE
            three = max(three, own if partners >= NUM_THROWN else 0)
            in_four = own if partners > NUM_THROWN else 0
            second = max(second, min(first, in_four))
            first = max(first, in_four)
    four = first + second if second > 0 and count > 2 + NUM_THROWN else 0
    held = held * min(count, HAND_LIMIT) // max(count, 1)
    return appraise((once, twice), held, three if count > 1 + NUM_THROWN else 0, four, turns)


@kernel
def appraise(shown, held, three, four, turns):
    """What a hand promises.

    shown          colours and dishes, as bits, of one card at least, of two at least
    held           what its cards are worth in front
    three, four    what the best sets of three and of four would keep, or 0
    turns          to come
    """
    once, twice = shown
    if turns == 0:
        return 0
    if turns == 1:
        return LAST_SHOWN * BIT_COUNTS[once] + max(three, four) * LAST_SHARE // 100
    value = FIRST_SHOWN * BIT_COUNTS[once] + SECOND_SHOWN * BIT_COUNTS[twice] + held * HELD_SHARE // 100
    if four > 0:
        return value + four * FOUR_SHARE // 100 - FOUR_COST
    return value + three * THREE_SHARE // 100 - THREE_COST if three > 0 else value
