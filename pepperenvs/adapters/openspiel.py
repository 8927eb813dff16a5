"""OpenSpiel: every game as an OpenSpiel game in Python, for its tree searches, CFR and learners.

    from pepperenvs.adapters.openspiel import make_openspiel

    game = make_openspiel("pick_a_pepper_v0", num_players=3)
    state = game.new_initial_state()

    import pyspiel
    import pepperenvs.adapters.openspiel                            # registers the name
    game = pyspiel.load_game("python_pepperenvs(game=pick_a_pepper_v0,players=3)")

**Chance.** The root is a chance node that chooses among `deals` seeds, all equally likely; everything random after it
follows from the seed. So a game is finite, "explicit stochastic", and what is computed over its whole tree is exact for
that list of deals, not for the game with all its deals. With a few deals and small options CFR can walk it. (Random
outcomes cannot be nodes of their own: those of a shuffled deck are too many to list. Nor is the game "sampled
stochastic": OpenSpiel cannot serialize such games in Python.)

A clone has the same future, so a search that merely clones the true state sees what is hidden and what will be drawn.
`mcts.MCTSBot` does that; `ismcts.ISMCTSBot` asks `resample_from_infostate` and is honest.

**Information states.** A player's information state is what it saw and did at each of its own decisions, and what it
sees now. The option `recall` is on unless it is given, so that it also sees what it would still know from the moves of
others. The string is a digest, since the text would grow with the game. The tensor holds the last `memory` decisions:
it is one of perfect recall only where a player has no more. There is none if `memory` is 0.

**Resampling.** `resample_from_infostate` redraws all that the player cannot know, the future too, as Simulator does:
not from the listed deals, but from all that it cannot tell apart. The other players' pasts are unknown in a redraw, and
its history is empty, or it would tell what they did in secret.

OpenSpiel's compiled CFR works with these games. Its compiled MCTSBot and ISMCTSBot do not: as of 2.0.2 they end the
process with a segmentation fault on games written in Python, OpenSpiel's own too. Use the bots written in Python, with
`PlayoutEvaluator`, which plays on within kernels.
"""

from __future__ import annotations

import functools
import hashlib
import operator
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyspiel
from numpy.typing import NDArray
from open_spiel.python.algorithms import mcts

from pepperenvs import registry
from pepperenvs.core import utility as utilities
from pepperenvs.core.state import OVER
from pepperenvs.drivers import game as games
from pepperenvs.drivers._kernels import RESTART
from pepperenvs.drivers.arguments import at_least_one
from pepperenvs.drivers.search import Position, simulator

SHORT_NAME = "python_pepperenvs"
DEALS = 10_000
MAX_SCORE = 10_000
LONGEST = 100_000  # decisions; declared for games that limit rounds or turns instead

_DIGEST = 16  # bytes
_MAX_NUMBER = 2**31 - 1  # the largest that OpenSpiel's parameters can be

# The parameters of `pyspiel.load_game` with their defaults; `options` as _written, 0 players for the game's default.
_PARAMETERS: dict[str, Any] = {
    "game": "heat_guess_v0",
    "players": 0,
    "utility": utilities.DEFAULT,
    "options": "",
    "deals": DEALS,
    "first_deal": 0,
    "memory": 0,
    "max_score": MAX_SCORE,
}


def make_openspiel(
    game: str,
    num_players: int | None = None,
    utility: str = utilities.DEFAULT,
    *,
    deals: int = DEALS,
    first_deal: int = 0,
    memory: int = 0,
    max_score: int = MAX_SCORE,
    **options: Any,
) -> PepperGame:
    """A game as an OpenSpiel game; see the module.

    game          its id, "pick_a_pepper_v0"
    num_players   None: the game's default
    utility       "rank", "win" or "score": the returns at the end; before, they are 0
    deals         how many deals the root chooses among, from 1
    first_deal    deal i is the game that drivers play from the seed first_deal + i
    memory        decisions that the tensor of the information state holds, the last ones; 0: there is no such tensor
    max_score     for "score": returns are declared to lie in -max_score … max_score, and a greater one is an error
    options       the game's options; `recall` is on unless it is given

    Raises ValueError for what is not allowed, TypeError for a number that is no integer.
    """
    given = {
        "game": game,
        "players": 0 if num_players is None else at_least_one("num_players", num_players),
        "utility": utility,
        "options": _written(options),
        "deals": deals,
        "first_deal": first_deal,
        "memory": memory,
        "max_score": max_score,
    }
    return PepperGame(given)


def _written(options: dict[str, Any]) -> str:
    """Options as one parameter, without the signs that have a meaning to OpenSpiel: "copies:2;reveal:true;a:1/2"."""

    def text(value: Any) -> str:
        if isinstance(value, (bool, np.bool_)):
            return str(bool(value)).lower()
        return "/".join(map(str, value)) if isinstance(value, (list, tuple, np.ndarray)) else str(value)

    return ";".join(f"{name}:{text(value)}" for name, value in options.items())


def _read(options: str) -> dict[str, Any]:
    """_written backwards. Raises ValueError for another form."""

    def value(text: str) -> Any:
        if text in ("true", "false"):
            return text == "true"
        numbers = text.split("/")
        if all(number.removeprefix("-").isdecimal() for number in numbers):
            return int(text) if len(numbers) == 1 else [int(number) for number in numbers]
        return text

    pairs = [one.partition(":") for one in options.split(";") if one]
    if not all(name and colon for name, colon, _ in pairs):
        raise ValueError(f"options must look like 'copies:2;reveal:true', not {options!r}")
    return {name: value(text) for name, _, text in pairs}


def _number(parameters: dict[str, Any], name: str, low: int) -> int:
    """A parameter that is a whole number. Raises ValueError for one too small or large, TypeError for no integer."""
    number = operator.index(parameters[name])
    if not low <= number <= _MAX_NUMBER:
        raise ValueError(f"{name} must be in {low} … {_MAX_NUMBER}, not {number}")
    return number


# -------------------------------------------------------------------------------------------------- set-up


class _Setup:
    """What all states of a game share: its rules with their options, and what the parameters say. Never changed."""

    def __init__(self, parameters: dict[str, Any]) -> None:
        self.parameters = parameters
        self.game = games.load(parameters["game"])
        options = {"recall": True, **_read(parameters["options"])}
        self.values = self.game.spec.resolve(parameters["players"] or None, options)
        self.num_players: int = self.values["num_players"]
        self.utility: str = parameters["utility"]
        utilities.kind_number(self.utility)
        self.deals = _number(parameters, "deals", 1)
        self.first_deal = _number(parameters, "first_deal", 0)
        self.memory = _number(parameters, "memory", 0)
        self.max_score = _number(parameters, "max_score", 1)
        self.nothing = np.zeros(self.game.spec.layout.size, np.int16)  # what is seen before the deal

    def __deepcopy__(self, memo: Any) -> _Setup:
        return self

    def __reduce__(self) -> Any:
        return _setup, (tuple(self.parameters.items()),)

    def deal(self, number: int) -> Position:
        """The game of a deal at its first decision."""
        blank = self.game.blank(self.values)
        states = np.zeros(1, self.game.spec.state)
        self.game.prepare(states, 0, blank, 0, self.first_deal + number)
        self.game.turn(states, 0, RESTART, *self.game.view_buffers(1))
        return Position(self.game, states, np.array([number], np.uint64))

    def returns(self, position: Position) -> list[float]:
        """The utilities of a finished game. Raises ValueError where they exceed `max_score`."""
        returns: list[float] = position.utilities(self.utility).tolist()
        if self.utility == "score" and max(map(abs, returns)) > self.max_score:
            raise ValueError(f"scores {returns} exceed max_score={self.max_score}: give a greater one")
        return returns

    @property
    def is_zero_sum(self) -> bool:
        return self.num_players > 1 and self.utility != "score"

    @property
    def game_type(self) -> pyspiel.GameType:
        kinds = pyspiel.GameType.Utility
        kind = kinds.ZERO_SUM if self.is_zero_sum else kinds.GENERAL_SUM
        return _game_type(self.num_players, self.num_players, kind, self.memory > 0)

    @property
    def game_info(self) -> pyspiel.GameInfo:
        bound = float(self.max_score) if self.utility == "score" else 1.0
        return pyspiel.GameInfo(
            num_distinct_actions=self.game.spec.actions.size,
            max_chance_outcomes=self.deals,
            num_players=self.num_players,
            min_utility=-bound,
            max_utility=bound,
            utility_sum=0.0 if self.is_zero_sum else None,
            max_game_length=self.values.get("max_moves", LONGEST),
        )


@functools.lru_cache(maxsize=64)
def _setup(parameters: tuple[tuple[str, Any], ...]) -> _Setup:
    return _Setup(dict(parameters))


# ------------------------------------------------------------------------------------- what a player has seen


class _Past(NamedTuple):
    """What a player saw and did at its own decisions.

    digest    of all of them; depends on nothing else
    recent    observation int16 [cells] and action of the last ones, the latest first
    """

    digest: bytes
    recent: tuple[tuple[NDArray[np.int16], int], ...]

    def after(self, observation: NDArray[np.int16], action: int, memory: int) -> _Past:
        word = observation.tobytes() + action.to_bytes(4, "little")
        return _Past(_digest(self.digest + word), ((observation, action), *self.recent)[:memory])


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_DIGEST).digest()


_NOTHING_YET = _Past(b"", ())
_UNKNOWN = _Past(b"unknown", ())  # another player's past in a redraw


class _Table:
    """All that a state holds in Python: the position, None before the deal, and every player's past.

    One object, since OpenSpiel copies and pickles a state's attributes one by one.
    """

    __slots__ = ("pasts", "position", "setup")

    def __init__(self, setup: _Setup, position: Position | None, pasts: Sequence[_Past]) -> None:
        self.setup, self.position, self.pasts = setup, position, tuple(pasts)

    def __deepcopy__(self, memo: Any) -> _Table:
        return _Table(self.setup, self.position and self.position.copy(), self.pasts)

    def observation(self, player: int) -> NDArray[np.int16]:
        """int16 [cells], zeros before the deal; not to be written to."""
        return self.position.observe(player) if self.position else self.setup.nothing

    def play(self, action: int) -> None:
        """Raises IllegalActionError, with everything left as it was."""
        assert self.position is not None
        player = self.position.seat
        seen = self.observation(max(0, player))
        self.position.step(action)
        pasts = list(self.pasts)
        pasts[player] = pasts[player].after(seen, action, self.setup.memory)
        self.pasts = tuple(pasts)

    def redrawn(self, player: int, seed: int) -> _Table:
        """What `player` knows, with everything else redrawn."""
        assert self.position is not None
        position = simulator(self.setup.game, self.position._states, 0, seed, player).sample()
        pasts = [past if seat == player else _UNKNOWN for seat, past in enumerate(self.pasts)]
        return _Table(self.setup, position, pasts)


# ------------------------------------------------------------------------------------------- game and state


class PepperGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A game with its options, made by `make_openspiel` or `pyspiel.load_game`."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """params as _PARAMETERS, which fill up what is not given. Raises ValueError for what is not allowed."""
        parameters = {**_PARAMETERS, **(params or {})}
        self.setup = _setup(tuple((name, parameters[name]) for name in _PARAMETERS))
        super().__init__(self.setup.game_type, self.setup.game_info, parameters)

    def new_initial_state(self) -> PepperState:
        """The chance node before the deal."""
        return PepperState(self)

    def max_chance_nodes_in_history(self) -> int:
        return 1

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> PepperObserver:
        """Observations, or information states where `iig_obs_type` asks for perfect recall.

        Raises ValueError for parameters and for one without the public or with other than the player's private part:
        our observations are not divided so.
        """
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        own = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if params or not kind.public_info or kind.private_info != own:
            raise ValueError(f"an observation is all that one player sees, without parameters; not {kind} {params}")
        return PepperObserver(self.setup, kind.perfect_recall)


class PepperState(pyspiel.State):  # type: ignore[misc]
    """A position in a game; see the module."""

    def __init__(self, game: PepperGame) -> None:
        """For PepperGame.new_initial_state."""
        super().__init__(game)
        self._table = _Table(game.setup, None, [_NOTHING_YET] * game.setup.num_players)

    @property
    def position(self) -> Position:
        """The position, everything open, a copy. Raises ValueError before the deal."""
        if self._table.position is None:
            raise ValueError("there is no position before the deal")
        return self._table.position.copy()

    def current_player(self) -> int:
        position = self._table.position
        if position is None:
            return int(pyspiel.PlayerId.CHANCE)
        seat = position.seat
        return int(pyspiel.PlayerId.TERMINAL) if seat == OVER else seat

    def is_terminal(self) -> bool:
        position = self._table.position
        return position is not None and position.is_over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals, all equally likely."""
        deals = self._table.setup.deals
        return [(number, 1.0 / deals) for number in range(deals)]

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * self._table.setup.num_players
        return self._table.setup.returns(self.position)

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> PepperState:
        """A state that the player cannot tell from this one; see the module.

        probability_sampler    gives numbers in 0 … 1, one of which is drawn; the redraw depends on it and on what the
                               player knows, on nothing else

        Raises ValueError before the deal and for no such player.
        """
        if self._table.position is None:
            raise ValueError("nothing is hidden before the deal")
        state = PepperState(self.get_game())
        state._table = self._table.redrawn(player_id, int(probability_sampler() * _MAX_NUMBER))
        return state

    def _legal_actions(self, player: int) -> list[int]:
        legal: list[int] = self._table.position.legal_actions.tolist() if self._table.position else []
        return legal

    def _apply_action(self, action: int) -> None:
        if self._table.position is None:
            self._table.position = self._table.setup.deal(action)
        else:
            self._table.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        setup = self._table.setup
        if player < 0:
            return f"deal {setup.first_deal + action}"
        return setup.game.spec.actions.string(action, player, setup.num_players)

    def __str__(self) -> str:
        """The table, everything open."""
        return str(self._table.position or "before the deal")


class PepperObserver:
    """What a player sees, as OpenSpiel's observers give it.

    tensor    float32 [size], every cell scaled as its layout says; None for information states if `memory` is 0
    dict      its parts by name, as views: "observation" [cells]; for information states also "past_observations"
              [memory, cells] and "past_actions" [memory, actions], 1 for the action, the latest decision first
    """

    def __init__(self, setup: _Setup, perfect_recall: bool) -> None:
        self._setup, self._perfect_recall = setup, perfect_recall
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        spec, memory = setup.game.spec, setup.memory
        parts: dict[str, tuple[int, ...]] = {"observation": (spec.layout.size,)}
        if perfect_recall:
            parts |= {"past_observations": (memory, spec.layout.size), "past_actions": (memory, spec.actions.size)}
        if not perfect_recall or memory:
            self._allot(parts)

    def _allot(self, parts: dict[str, tuple[int, ...]]) -> None:
        lengths = [int(np.prod(shape)) for shape in parts.values()]
        self.tensor = np.zeros(sum(lengths), np.float32)
        views = np.split(self.tensor, np.cumsum(lengths)[:-1])
        self.dict = {name: view.reshape(shape) for (name, shape), view in zip(parts.items(), views, strict=True)}

    def set_from(self, state: PepperState, player: int) -> None:
        """Write `tensor`, and `dict` with it."""
        if self.tensor is None:
            return
        self.tensor.fill(0.0)
        scale = self._setup.game.spec.layout.scale
        self.dict["observation"][:] = state._table.observation(player) * scale
        if self._perfect_recall:
            for place, (observation, action) in enumerate(state._table.pasts[player].recent):
                self.dict["past_observations"][place] = observation * scale
                self.dict["past_actions"][place, action] = 1.0

    def string_from(self, state: PepperState, player: int) -> str:
        """The observation as text for people, or the information state as a digest."""
        observation = state._table.observation(player)
        if not self._perfect_recall:
            return f"player {player}\n{self._setup.game.spec.layout.describe(observation)}"
        return f"player {player} {_digest(state._table.pasts[player].digest + observation.tobytes()).hex()}"


class PlayoutEvaluator(mcts.Evaluator):  # type: ignore[misc]
    """Random or scripted playouts for OpenSpiel's tree searches, played within kernels: no Python for each move.

    policy    "random", or "bot", the scripted player for every seat
    count     playouts for each state, whose returns are averaged
    """

    def __init__(self, policy: str = "random", count: int = 1) -> None:
        self.policy, self.count = policy, at_least_one("count", count)

    def evaluate(self, state: PepperState) -> NDArray[np.float64]:
        """float64 [players]"""
        setup, total = state._table.setup, np.zeros(state._table.setup.num_players)
        for _ in range(self.count):
            position = state.position
            position.playout(self.policy)
            total += setup.returns(position)
        return total / self.count

    def prior(self, state: PepperState) -> list[tuple[int, float]]:
        """All legal actions alike."""
        legal = state.legal_actions()
        return [(action, 1.0 / len(legal)) for action in legal]


# -------------------------------------------------------------------------------------------- registration


def _game_type(fewest: int, most: int, utility: Any, has_state_tensor: bool) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=SHORT_NAME,
        long_name="Pepper games",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=has_state_tensor,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_PARAMETERS,
    )


def _register() -> None:
    counts = [registry.spec(game).players for game in registry.games()]
    fewest, most = min(count[0] for count in counts), max(count[1] for count in counts)
    pyspiel.register_game(_game_type(fewest, most, pyspiel.GameType.Utility.GENERAL_SUM, False), PepperGame)


_register()
