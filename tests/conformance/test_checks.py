"""The conformance checks notice a game that breaks what they check: Heat Guess with one function put out of order."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pepperenvs.core import rng
from pepperenvs.drivers.game import Game, load
from pepperenvs.testing import checks
from pepperenvs.testing.match import HERE, ConformanceError

pytestmark = pytest.mark.nojit

SOUND = load("heat_guess_v0")
WHICH = [SOUND.spec.resolve(2, {"kinds": 3})]


def broken(**functions: Callable[..., Any]) -> Game:
    """The game with other functions in place of its entry points."""
    game = Game(SOUND.spec)
    for name in (
        "prepare",
        "turn",
        "observe",
        "legal",
        "step",
        "reset",
        "chance",
        "advance",
        "bot",
        "audit",
        "resample",
    ):
        game.__dict__[name] = functions.get(name, getattr(SOUND, name))
    return game


def only_the_generator(states: Any, index: int, seat: int, stream: Any) -> None:
    states[index].rng[0] = rng.next_word(stream)


def all_but_the_generator(states: Any, index: int, seat: int, stream: Any) -> None:
    before = states[index].rng[0]
    SOUND.resample(states, index, seat, stream)
    states[index].rng[0] = before


def led_by_the_true_generator(states: Any, index: int, seat: int, stream: Any) -> None:
    own = stream ^ states["rng"][index]
    SOUND.resample(states, index, seat, own)
    stream[0] = rng.next_word(stream)


def shuffles_what_is_there(states: Any, index: int, seat: int, stream: Any) -> None:
    """As good as any shuffle, to those who do not know the stream."""
    hidden = states["pile"][index, : states["pile_len"][index] - 1].copy()
    SOUND.resample(states, index, seat, stream)
    rng.shuffle(hidden, 0, len(hidden), stream.copy())
    states["pile"][index, : len(hidden)] = hidden


def swaps_the_shown_card(states: Any, index: int, seat: int, stream: Any) -> None:
    SOUND.resample(states, index, seat, stream)
    length = states["pile_len"][index]
    states["pile"][index, :length] = np.sort(states["pile"][index, :length])[:: 1 if stream[0] % 2 else -1]


def loses_a_card(states: Any, index: int, seat: int, stream: Any) -> None:
    SOUND.resample(states, index, seat, stream)
    states["pile"][index, 0] = states["pile"][index, states["pile_len"][index] - 1]


def says_the_true_number(states: Any, index: int) -> int:
    state = states[index]
    return int(state.heat[state.pile[state.pile_len - 1]]) - 1


def shows_a_hidden_number(states: Any, index: int, seat: int, out: Any) -> None:
    SOUND.observe(states, index, seat, out)
    out[SOUND.spec.layout.start("remaining") + 11] = states["heat"][index, 0] % 3


def leaves_a_cell(states: Any, index: int, seat: int, out: Any) -> None:
    kept = out[7]
    SOUND.observe(states, index, seat, out)
    out[7] = kept


def too_high(states: Any, index: int, seat: int, out: Any) -> None:
    SOUND.observe(states, index, seat, out)
    out[0] = 2


def counts_too_many(states: Any, index: int, ids: Any) -> int:
    return int(SOUND.legal(states, index, ids)) + 1


def turns_the_ids_round(states: Any, index: int, ids: Any) -> int:
    count = int(SOUND.legal(states, index, ids))
    ids[:count] = ids[:count][::-1].copy()
    return count


def touches_a_neighbour(states: Any, index: int, *rest: Any) -> int:
    states["moves"][HERE + 1] += 1
    return int(SOUND.turn(states, index, *rest))


def plays_what_is_illegal(states: Any, index: int, action: int, *rest: Any) -> int:
    return int(SOUND.turn(states, index, action if 0 <= action < 4 or action == -1 else 0, *rest))


@pytest.mark.parametrize(
    ("function", "put", "said"),
    [
        ("resample", only_the_generator, "30 redraws for seat 0 are all the same"),
        ("resample", all_but_the_generator, "the generator is not replaced"),
        ("resample", led_by_the_true_generator, "the true generator decides"),
        ("resample", shuffles_what_is_there, "the true hidden part decides"),
        ("resample", swaps_the_shown_card, "sees the redraw in cells"),
        ("resample", loses_a_card, "fails audit 1"),
        ("bot", says_the_true_number, "the scripted move depends on what the seat cannot know"),
        ("observe", shows_a_hidden_number, "sees the redraw in cells"),
    ],
)
def test_a_breach_of_secrecy_is_noticed(function: str, put: Callable[..., Any], said: str) -> None:
    with pytest.raises(ConformanceError, match=said):
        checks.check_secrecy(broken(**{function: put}), which=WHICH)


@pytest.mark.parametrize(
    ("function", "put", "said"),
    [
        ("observe", leaves_a_cell, r"cells \[7\] are not written"),
        ("observe", too_high, r"cells \[0\] are out of bounds"),
        ("legal", counts_too_many, "ids do not ascend"),
        ("legal", turns_the_ids_round, "ids do not ascend"),
        ("bot", lambda states, index: 7, "the bot's move 7 is illegal"),
        ("audit", lambda states, index: 3, "audit 3: a kind's number is out of range"),
        ("turn", touches_a_neighbour, "the neighbours in the batch have changed"),
        ("turn", plays_what_is_illegal, "the illegal action .* is played"),
    ],
)
def test_a_fault_in_a_playout_is_noticed(function: str, put: Callable[..., Any], said: str) -> None:
    with pytest.raises(ConformanceError, match=said):
        checks.check_playouts(broken(**{function: put}), which=WHICH)


def test_a_game_from_elsewhere_is_checked_by_its_declaration_alone() -> None:
    checks.check_structure(SOUND.spec)
    checks.check_actions(SOUND.spec)


def test_an_error_names_game_options_seed_and_move() -> None:
    with pytest.raises(
        ConformanceError, match=r"heat_guess_v0, options \{'num_players': 2, 'kinds': 3\}, seed 0, after 0 "
    ):
        checks.check_playouts(broken(audit=lambda states, index: 3), which=WHICH)


def test_all_checks_in_one() -> None:
    assert checks.check_game(SOUND, seeds=(1,), which=WHICH).made > 0
