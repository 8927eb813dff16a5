"""What a seat may know in You Wish: what it observes, and what is redrawn as it cannot know it."""

import numpy as np

from pepperenvs.core.jit import kernel
from pepperenvs.core.layout import Layout, Segment
from pepperenvs.core.rng import below, shuffle
from pepperenvs.games.you_wish.hands import LETTER_SET, can_ask, known_not, num_cards, rack_of
from pepperenvs.games.you_wish.state import (
    ALL_LETTERS,
    ASKING,
    LUCKY,
    MAX_MOVES,
    MAX_SEATS,
    MAX_WELL,
    MAX_WORDS,
    NO_RESULT,
    NOBODY,
    NUM_LENGTHS,
    OVER,
    WORDING,
)
from pepperenvs.lexicon.deck import CARD_LETTER, CARD_NAMES, LETTER_NAMES, NO_CARD, NUM_CARDS, NUM_LETTERS
from pepperenvs.lexicon.lookup import NO_WORD, spell
from pepperenvs.lexicon.words import MAX_LENGTH, MIN_LENGTH

_SEATS, _CARDS, _LETTERS = {"seats": MAX_SEATS}, {"cards": NUM_CARDS}, {"letters": NUM_LETTERS}
_STEPS, _RESULTS = ("ask", "word"), ("hit", "miss", "lucky")
_LENGTHS = tuple(str(length) for length in range(MIN_LENGTH, MAX_LENGTH + 1))

OBS = Layout(
    Segment("hand", _CARDS, 0, 1, "1 for each card of the own hand", CARD_NAMES),
    Segment("hand_size", _SEATS, 0, NUM_CARDS, "cards in each hand"),
    Segment("well", {}, 0, MAX_WELL, "cards left in the well"),
    Segment("num_words", _SEATS, 0, MAX_WORDS, "words of each seat on the table"),
    Segment("longest", _SEATS, 0, MAX_LENGTH, "letters of each seat's longest word, 0 without one"),
    Segment("best_card", _SEATS, 0, NUM_CARDS, "highest rank in its words of that length, 0 without one"),
    Segment("words", {**_SEATS, **_CARDS}, 0, 1, "1 for each card in a seat's words", CARD_NAMES),
    Segment("active", _SEATS, 0, 1, "1 for the seat to move; none after the end"),
    Segment("step", {"steps": len(_STEPS)}, 0, 1, "1 for the decision asked; none after the end", _STEPS),
    Segment("asker", _SEATS, 0, 1, "1 for the seat that asked last"),
    Segment("asked", _SEATS, 0, 1, "1 for the seat that it asked"),
    Segment("ask_letter", _LETTERS, 0, 1, "1 for the letter that it asked for", LETTER_NAMES),
    Segment("ask_result", {"results": len(_RESULTS)}, 0, 1, "1 for what came of it", _RESULTS),
    Segment("received", _LETTERS, 0, 1, "1 for the letter that must be in a word played now", LETTER_NAMES),
    Segment("open_words", {"lengths": NUM_LENGTHS}, 0, 1, "1 for each length that one may play oneself", _LENGTHS),
    Segment("min_len", {}, 2, 4, "letters of the shortest word"),
    Segment("moves_left", {}, 0, MAX_MOVES, "decisions before the game is cut short", usual=1024),
    Segment("num_players", {}, 3, MAX_SEATS, "players"),
    Segment("known_hand", {**_SEATS, **_CARDS}, 0, 1, "with `recall`: the cards known to be in a hand", CARD_NAMES),
    Segment(
        "known_not", {**_SEATS, **_LETTERS}, 0, 1, "with `recall`: the letters that a seat is known not to hold",
        LETTER_NAMES
    ),
)  # fmt: skip

_AT = {segment.name: OBS.start(segment.name) for segment in OBS.segments}
_HAND, _SIZE, _WELL, _NUM_WORDS, _LONGEST = (_AT[n] for n in ("hand", "hand_size", "well", "num_words", "longest"))
_BEST, _WORDS, _ACTIVE, _STEP, _ASKER = (_AT[n] for n in ("best_card", "words", "active", "step", "asker"))
_ASKED, _LETTER, _RESULT, _RECEIVED = (_AT[n] for n in ("asked", "ask_letter", "ask_result", "received"))
_OPEN, _MIN_LEN, _MOVES_LEFT, _PLAYERS = (_AT[n] for n in ("open_words", "min_len", "moves_left", "num_players"))
_KNOWN, _KNOWN_NOT = _AT["known_hand"], _AT["known_not"]


@kernel
def observe(state, seat, out):
    """Write all that `seat` sees: its hand, what lies open, the last ask.

    out    int16 [OBS.size], every cell is written: zeros first, then what is there
    """
    out[:] = 0
    write_set(state.hand[seat], NUM_CARDS, out, _HAND)
    out[_WELL] = state.well_len
    out[_MIN_LEN] = state.min_len
    out[_MOVES_LEFT] = state.max_moves - state.moves
    out[_PLAYERS] = state.num_seats
    for place in range(state.num_seats):
        other = seat + place if seat + place < state.num_seats else seat + place - state.num_seats
        out[_SIZE + place] = num_cards(state.hand[other])
        out[_NUM_WORDS + place] = state.score[other]
        out[_LONGEST + place] = state.longest[other]
        out[_BEST + place] = state.best_card[other]
        if state.recall:
            write_set(state.known[other], NUM_CARDS, out, _KNOWN + place * NUM_CARDS)
            write_set(known_not(state, other), NUM_LETTERS, out, _KNOWN_NOT + place * NUM_LETTERS)
    observe_words(state, seat, out)
    observe_ask(state, seat, out)


@kernel
def write_set(members, size, out, start):
    """A cell for each possible member of a set, 1 if it is in; only the ones are written."""
    for member in range(size):
        if (members >> member) & 1:
            out[start + member] = 1


@kernel
def place_of(state, seat, other):
    """Where another seat stands in an observation: 0 for the own one, then clockwise."""
    return other - seat if other >= seat else other - seat + state.num_seats


@kernel
def observe_words(state, seat, out):
    """The cards of the words on the table."""
    start = 0
    for index in range(state.num_words):
        row = _WORDS + place_of(state, seat, np.int64(state.word_seat[index])) * NUM_CARDS
        for place in range(start, start + np.int64(state.word_len[index])):
            out[row + np.int64(state.table[place])] = 1
        start += np.int64(state.word_len[index])


@kernel
def observe_ask(state, seat, out):
    """The last ask, what came of it, and the decision that is asked now."""
    if state.asker != NOBODY:
        out[_ASKER + place_of(state, seat, state.asker)] = 1
        out[_ASKED + place_of(state, seat, state.asked)] = 1
        out[_LETTER + state.letter] = 1
    if state.result != NO_RESULT:
        out[_RESULT + state.result] = 1
    if state.to_move == OVER:
        return
    out[_ACTIVE + place_of(state, seat, state.to_move)] = 1
    out[_STEP + state.stage - ASKING] = 1
    if state.stage == WORDING:
        out[_RECEIVED + state.letter] = 1
        if seat == state.to_move:
            for place in range(NUM_LENGTHS):
                out[_OPEN + place] = state.chosen[place] != NO_WORD


# -------------------------------------------------------------------------------------------------- redraws

TRIES = 500  # redraws in a row that leave another seat nothing to decide, before the true hands are kept

_OTHERS = MAX_SEATS - 1  # counted to the left of the seat that looks; place _OTHERS is the well
_BYTE = 8  # bits of a number that is packed with others into an int64
_GROUPS = 1 << _OTHERS  # sets of other seats

# What dealing a card takes from the slack of each set of seats, a byte each: the set loses one of the cards that its
# seats may get, and does not fill a place of theirs.  [seats that may get the card, place it goes to]
_TAKES = np.zeros((_GROUPS, _OTHERS + 1), np.int64)
for _allowed in range(_GROUPS):
    for _place in range(_OTHERS + 1):
        for _group in range(1, _GROUPS):
            if _allowed & _group and not (_place < _OTHERS and (_group >> _place) & 1):
                _TAKES[_allowed, _place] |= np.int64(1) << (_BYTE * _group)


@kernel
def resample_hidden(state, seat):
    """Redraw the unknown cards of other hands and the well: known cards stay, and nobody gets a letter that it is known
    not to hold. Every deal that agrees with both can come out.

    Another seat that is to move can still move: an open word window stays open, its hand spelling a word with a card
    that it has just received, and a seat that is to ask does not get all letters.
    """
    if seat == state.to_move or state.to_move == OVER:
        redraw(state, seat, NO_CARD)
        return
    hands = (state.hand[0], state.hand[1], state.hand[2], state.hand[3])
    state.kept[:] = state.well
    is_lucky = state.stage == WORDING and state.result == LUCKY
    for _ in range(TRIES):
        redraw(state, seat, drawn_again(state, seat) if is_lucky else np.int64(NO_CARD))
        if can_move(state):
            break
    else:
        for other in range(MAX_SEATS):
            state.hand[other] = hands[other]
        state.well[:] = state.kept
        can_move(state)
    state.kept[:] = 0


@kernel
def can_move(state):
    """Whether the seat to move has something to decide; the words of an open window are found anew."""
    if state.stage == WORDING:
        return spell(rack_of(state.hand[state.to_move]), state.letter, state.min_len, state.chosen) > 0
    return can_ask(state, state.to_move)


@kernel
def drawn_again(state, seat):
    """A card of the letter that the seat to move has drawn with luck: any that `seat` has not seen."""
    cards = unseen_cards(state, seat) & LETTER_SET[state.letter]
    skip = below(state.rng, num_cards(cards))
    for _ in range(skip):
        cards &= cards - 1
    return lowest_card(cards)


@kernel
def lowest_card(cards):
    """The first card of a set that is not empty."""
    card = np.int64(0)
    while not (cards >> card) & 1:
        card += 1
    return card


@kernel
def unseen_cards(state, seat):
    """The set of the cards that a seat has not seen: in the well, and the unknown ones of other hands."""
    cards = np.int64(0)
    for place in range(state.well_len):
        cards |= np.int64(1) << np.int64(state.well[place])
    for other in range(state.num_seats):
        if other != seat:
            cards |= state.hand[other] & ~state.known[other]
    return cards


@kernel
def forbidden_letters(state, seat, place):
    """The set of letters that the seat so many to the left, less one, is known not to hold; all where no seat is."""
    if place + 1 >= state.num_seats:
        return np.int64(ALL_LETTERS)
    return known_not(state, (seat + 1 + place) % state.num_seats)


@kernel
def redraw(state, seat, first):
    """Deal the cards that `seat` has not seen anew, one by one in random order, each to a random free place of those
    after which the rest can still be dealt.

    first    NO_CARD, or a card that the seat to move gets before the others are dealt

    The rest can be dealt as long as every set of seats may get as many cards as it has places (Hall's theorem): its
    slack, a byte each, must not fall below 0.
    """
    cards, places = unseen_cards(state, seat), np.int64(state.well_len) << (_BYTE * _OTHERS)
    for place in range(state.num_seats - 1):
        other = (seat + 1 + place) % state.num_seats
        places += num_cards(state.hand[other] & ~state.known[other]) << (_BYTE * place)
        state.hand[other] &= state.known[other]
    barred = (
        forbidden_letters(state, seat, 0), forbidden_letters(state, seat, 1), forbidden_letters(state, seat, 2)
    )  # fmt: skip
    count, slack = 0, np.int64(0)
    for group in range(1, _GROUPS):
        slack -= num_places(places, group) << (_BYTE * group)
    for card in range(NUM_CARDS):
        if (cards >> card) & 1:
            state.deck[count] = card
            count += 1
            slack += _TAKES[allowed(barred, CARD_LETTER[card]), _OTHERS]
    shuffle(state.deck, 0, count, state.rng)
    state.well_len = 0
    if first != NO_CARD:
        place = (state.to_move - seat + state.num_seats) % state.num_seats - 1
        slack -= _TAKES[allowed(barred, CARD_LETTER[first]), place]
        places -= np.int64(1) << (_BYTE * place)
        put(state, seat, place, first)
    for index in range(count):
        card = np.int64(state.deck[index])
        state.deck[index] = 0
        if card != first:
            group = allowed(barred, CARD_LETTER[card])
            place = random_place(state, group, places, slack)
            slack -= _TAKES[group, place]
            places -= np.int64(1) << (_BYTE * place)
            put(state, seat, place, card)


@kernel
def allowed(barred, letter):
    """The set of other seats that may get a letter."""
    bit = np.int64(1) << letter
    return np.int64(barred[0] & bit == 0) | np.int64(barred[1] & bit == 0) << 1 | np.int64(barred[2] & bit == 0) << 2


@kernel
def num_places(places, group):
    """Free places of a set of seats."""
    count = np.int64(0)
    for place in range(_OTHERS):
        if (group >> place) & 1:
            count += (places >> (_BYTE * place)) & 0xFF
    return count


@kernel
def random_place(state, group, places, slack):
    """A random free place for a card that a set of seats may get, by the number of free places of each and of the well.

    There is one: a position in which all cards can be dealt stays one with some place for each card.
    """
    weights = np.int64(0)
    for place in range(_OTHERS + 1):
        if is_open(group, place, slack):
            weights |= places & (np.int64(0xFF) << (_BYTE * place))
    total = np.int64(0)
    for place in range(_OTHERS + 1):
        total += (weights >> (_BYTE * place)) & 0xFF
    left = below(state.rng, total)
    for place in range(_OTHERS + 1):
        left -= (weights >> (_BYTE * place)) & 0xFF
        if left < 0:
            return np.int64(place)
    return np.int64(_OTHERS)


@kernel
def is_open(group, place, slack):
    """Whether a card may go to a place, and all the rest can be dealt then."""
    if place < _OTHERS and not (group >> place) & 1:
        return False
    for other in range(1, _GROUPS):
        shift = _BYTE * other
        if (_TAKES[group, place] >> shift) & 1 and (slack >> shift) & 0xFF == 0:
            return False
    return True


@kernel
def put(state, seat, place, card):
    """Give a card to the hand at a place, or lay it into the well."""
    if place == _OTHERS:
        state.well[state.well_len] = card
        state.well_len += 1
    else:
        state.hand[(seat + 1 + place) % state.num_seats] |= np.int64(1) << card
