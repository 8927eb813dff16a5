"""What the searching agents share: their budget, and how their names are written."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from pepperenvs.drivers.tree import Choices, Plan

if TYPE_CHECKING:
    from pepperenvs.drivers.search import Simulator

S = TypeVar("S", bound="Searcher")


@dataclass(frozen=True)
class Searcher:
    """Plays out in positions that the seat to move cannot tell from the true one, and chooses by what came of it.

    simulations    playouts a move, all roots together; 0 if `milliseconds` is given
    milliseconds   time a move, by the clock; then the moves depend on the machine
    roots          searches that go on beside one another and are added up: the moves depend on it
    threads        that share the roots; the moves do not depend on it
    plan           how playouts go, see pepperenvs.drivers.tree.Plan
    value          checkpoint of a network (agents/policy.py) that values positions in which playouts are cut off by the
                   plan's depth; "": they are valued as if the game ended there

    Raises ValueError for a number out of range.
    """

    simulations: int = 1000
    milliseconds: float = 0.0
    roots: int = 1
    threads: int = 1
    plan: Plan = field(default_factory=Plan)
    value: str = ""

    kind: ClassVar[str]
    scripted: ClassVar[str | None] = None

    def __post_init__(self) -> None:
        if min(self.simulations, self.milliseconds) < 0 or (self.simulations > 0) == (self.milliseconds > 0):
            raise ValueError("either simulations or milliseconds must be above 0, and the other one 0")
        if self.roots < 1 or self.threads < 1:
            raise ValueError("roots and threads must be at least 1")
        if self.value and self.plan.depth is None:
            raise ValueError("a value is asked where playouts are cut off: give a depth too")

    @classmethod
    def parse(cls: type[S], text: str) -> S:
        """The agent of a name without its kind, as in "1000", "50ms" or "1000,rollout=random,depth=40,roots=4".

        Raises ValueError that says what is wrong.
        """
        budget, *settings = text.split(",")
        is_time = budget.endswith("ms")
        given: dict[str, Any] = {"simulations": 0, "milliseconds": _number(float, budget[:-2])} if is_time else {
            "simulations": _number(int, budget)
        }  # fmt: skip
        planned: dict[str, Any] = {}
        for setting in settings:
            name, _, value = setting.partition("=")
            if name in ("roots", "threads"):
                given[name] = _number(int, value)
            elif name == "value":
                given[name] = value
            elif name in _PLAN:
                planned[name] = _PLAN[name](value)
            else:
                known = ", ".join(["roots", "threads", "value", *_PLAN])
                raise ValueError(f"{cls.kind}: there is no setting {name!r}; there are {known}")
        return cls(**given, plan=Plan(**planned))

    @property
    def name(self) -> str:
        """As `parse` takes it, after the kind and a colon; threads, which change nothing, are left out."""
        budget = f"{self.milliseconds:g}ms" if self.milliseconds else str(self.simulations)
        parts = [budget] + ([f"roots={self.roots}"] if self.roots > 1 else [])
        usual = Plan()
        for one in dataclasses.fields(Plan):
            value = getattr(self.plan, one.name)
            if value != getattr(usual, one.name):
                parts.append(f"{one.name}={value:g}" if isinstance(value, float) else f"{one.name}={value}")
        parts += [f"value={self.value}"] if self.value else []
        return f"{self.kind}:{','.join(parts)}"

    def search(self, simulator: Simulator) -> int:
        """The action chosen; a single one is played without a search."""
        legal = simulator.legal_actions
        return int(legal[0]) if len(legal) == 1 else self.choose(self.choices(simulator))

    def choices(self, simulator: Simulator) -> Choices:
        """What the search found out about each action."""
        raise NotImplementedError

    def choose(self, choices: Choices) -> int:
        """One of the actions."""
        raise NotImplementedError

    def restart(self, seed: int) -> None:
        """Nothing to begin anew: all that is random comes from the Simulator."""


def _number(kind: type[int] | type[float], text: str) -> float:
    try:
        return kind(text)
    except ValueError:
        raise ValueError(f"{text!r} is no number; a searcher's name is as in 'ismcts:1000' or 'ismcts:50ms'") from None


def _float(text: str) -> float:
    return float(_number(float, text))


def _depth(text: str) -> int | None:
    return None if text == "None" else int(_number(int, text))


_PLAN: dict[str, Callable[[str], Any]] = {
    "rollout": str,
    "depth": _depth,
    "first_child": str,
    "outcomes": str,
    "exploration": _float,
    "growth": _float,
    "first_share": _float,
    "utility": str,
    "caution": _float,
}
