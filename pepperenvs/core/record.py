"""What the games' record modules share: reading random outcomes from JSON, with errors that say what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any


def keys(what: str, value: Any, wanted: Collection[str]) -> dict[str, Any]:
    """The value, if it is an object with exactly these keys. Raises ValueError."""
    if not isinstance(value, dict) or set(value) != set(wanted):
        raise ValueError(f"{what} must have exactly the keys {', '.join(map(repr, wanted))}")
    return value


def seat(what: str, value: Any, num_seats: int) -> int:
    """The value, if it is a seat. Raises ValueError."""
    if type(value) is not int or not 0 <= value < num_seats:
        raise ValueError(f"{what} must be a seat in 0 … {num_seats - 1}, not {value!r}")
    return value


def order(what: str, components: Collection[int], names: Sequence[str], value: Any) -> list[int]:
    """The components that lie there in the order of `value`, a list of their names. Raises ValueError."""
    there = Counter(names[component] for component in components)
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ValueError(f"{what} must be a list of names")
    if Counter(value) != there:
        wrong = next(iter((Counter(value) - there) or (there - Counter(value))))
        raise ValueError(f"{what} must hold exactly the {len(components)} components that lie there; {wrong!r} is off")
    return [names.index(name) for name in value]


def choice(what: str, components: Collection[int], names: Sequence[str], count: int, value: Any) -> list[int]:
    """So many different ones of the components, in the order of `value`, a list of their names. Raises ValueError."""
    there = {names[component] for component in components}
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ValueError(f"{what} must be a list of names")
    if len(value) != count or len(set(value)) != count or not there.issuperset(value):
        raise ValueError(f"{what} must name {count} different ones of {', '.join(sorted(there))}")
    return [names.index(name) for name in value]
