"""Whether counts are those of fair draws."""

from collections.abc import Collection


def chi_squared(counts: Collection[int]) -> float:
    """The chi-squared statistic of counts against equal shares."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def limit(cells: int) -> float:
    """The value that one fair sample in a million exceeds: Wilson and Hilferty's approximation."""
    degrees = cells - 1
    return degrees * (1 - 2 / (9 * degrees) + 4.76 * (2 / (9 * degrees)) ** 0.5) ** 3


def is_uniform(counts: Collection[int]) -> bool:
    return len(counts) == 1 or chi_squared(counts) < limit(len(counts))
