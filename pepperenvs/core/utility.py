"""Utilities at the end of a game, the same formulas for every game.

Standing is the number of seats that stand strictly before a seat (0, 0, 2 when two share first place).
"""

import numpy as np

from pepperenvs.core.jit import kernel

RANK, WIN, SCORE = 0, 1, 2
KINDS = {"rank": RANK, "win": WIN, "score": SCORE}
DEFAULT = "rank"


def kind_number(name: str) -> int:
    """RANK, WIN or SCORE for its name. Raises ValueError for another."""
    if name not in KINDS:
        raise ValueError(f"utility must be one of {', '.join(map(repr, KINDS))}, not {name!r}")
    return KINDS[name]


@kernel
def rank_by(score, num_seats, standing):
    """Write each seat's standing by score alone, the highest first; ties share a place.

    score, standing    [>= num_seats], int64
    """
    for seat in range(num_seats):
        before = 0
        for other in range(num_seats):
            if score[other] > score[seat]:
                before += 1
        standing[seat] = before


@kernel
def utilities(score, standing, num_seats, kind, solitaire, out):
    """Write every seat's utility.

    kind         RANK: (seats beaten - seats lost to) / (n - 1); WIN: winners share +1, the others share -1, all tied 0;
                 SCORE: the points as they are
    solitaire    the game's own result for one player, used by RANK and WIN when n = 1
    out          float64 [>= num_seats]

    RANK lies in [-1, 1], RANK and WIN are zero-sum for two seats and more.
    """
    if kind == SCORE:
        for seat in range(num_seats):
            out[seat] = np.float64(score[seat])
    elif num_seats == 1:
        out[0] = solitaire
    elif kind == WIN:
        _write_win(standing, num_seats, out)
    else:
        _write_rank(standing, num_seats, out)


@kernel
def _write_win(standing, num_seats, out):
    winners = 0
    for seat in range(num_seats):
        if standing[seat] == 0:
            winners += 1
    for seat in range(num_seats):
        if winners == num_seats:
            out[seat] = 0.0
        elif standing[seat] == 0:
            out[seat] = 1.0 / winners
        else:
            out[seat] = -1.0 / (num_seats - winners)


@kernel
def _write_rank(standing, num_seats, out):
    for seat in range(num_seats):
        difference = 0
        for other in range(num_seats):
            if standing[other] > standing[seat]:
                difference += 1
            elif standing[other] < standing[seat]:
                difference -= 1
        out[seat] = difference / (num_seats - 1)


@kernel
def no_solitaire(state):
    """The result of a game for one player, where the game has none."""
    return 0.0
