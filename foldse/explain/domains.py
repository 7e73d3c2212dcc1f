"""The values that a program can tell apart: each feature's domain as a finite number of regions."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import count, pairwise

from foldse.explain.proof import ObservedValue, value_reader
from foldse.explain.wording import number_words, value_words
from foldse.model.literals import (
    Category,
    Literal,
    Value,
)
from foldse.reading.columns import Column, NumberColumn
from foldse.reading.conversion import BOOL, CODE, NUMBER, single_type

__all__ = ["Domain", "Region", "domain"]


@dataclass(frozen=True, slots=True)
class Region:
    """Values of a feature for which the same literals hold.

    Attributes
    ----------
    value : float, str, bool, int or None
        The one to use.
    is_number : bool
        Whether it is compared by size.
    says : str
        What the values have in common, such as ``at most 23.25`` or ``female``.
    truths : int
        Bit k is set if the k-th of the feature's literals holds.
    cost : tuple of int
        What it costs to go there, see `domain`.
    """

    value: Value
    is_number: bool
    says: str
    truths: int
    cost: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Domain:
    """The regions of one feature; the first is the one that the row is in, and costs nothing.

    Attributes
    ----------
    feature : str
    literals : tuple of Literal
        The program's literals about the feature.
    observed : ObservedValue
        The row's value.
    regions : tuple of Region
    holding : tuple of int
        Of each literal the regions in which it holds: bit k is set for the k-th region.
    """

    feature: str
    literals: tuple[Literal, ...]
    observed: ObservedValue
    regions: tuple[Region, ...]
    holding: tuple[int, ...]

    @property
    def everywhere(self) -> int:
        """All regions, as a set of bits."""
        return (1 << len(self.regions)) - 1


NATURAL, OTHER_KIND, MISSING = range(3)


def domain(
    column: Column, literals: Sequence[Literal], position: int, allow_missing: bool, learned: str = ""
) -> Domain:
    """Part the domain of a feature by the literals about it.

    Parameters
    ----------
    column : Column
        The row's value, as the column of a table of one row.
    literals : sequence of Literal
        All literals of the program about this feature.
    position : int
        Of the feature in the training table; it is part of the cost.
    allow_missing : bool
        Whether a value may become missing.
    learned : str, default=""
        What the feature held when the model was learned, see `foldse.reading.conversion.types_of`. The
        values of the regions are of this type, if it is one: where it held numbers only, no word is proposed.

    Returns
    -------
    Domain
        Regions with the same truths are one, of the cheapest. The cost of a region is, compared in this
        order: 1 feature, the literals whose truth changes, how unnatural the change is (0; 1 for a
        category that no rule names or for a change between number and category; 2 for becoming
        missing), how many other intervals have a nearer number, `position`.

    Notes
    -----
    A number is moved as little as it is easily said: to the threshold itself where it has to be at most
    that, and else to a number above the threshold of as few further digits as can be: 24 is above 23,
    23.26 above 23.25.
    """
    first = value_reader(column)(0)
    observed = ObservedValue(first, is_number=True) if isinstance(first, float) else first
    thresholds = sorted({literal.threshold for literal in literals if literal.op.is_threshold})
    categories = _distinct([literal.value for literal in literals if not literal.op.is_threshold])

    def truths_of(value: Value, is_number: bool) -> int:
        return sum(literal.holds(value, is_number) << bit for bit, literal in enumerate(literals))

    here = Region(
        observed.value,
        observed.is_number,
        str(observed),
        truths_of(observed.value, observed.is_number),
        (0,) * 5,
    )

    numbers = list(_numbers(thresholds, observed))
    nearest = _by_distance([value for value, _ in numbers], observed, thresholds)

    def region(value: Value, is_number: bool, says: str, is_other: bool = False) -> Region:
        truths = truths_of(value, is_number)
        changes = (truths ^ here.truths).bit_count()
        unnatural = NATURAL
        if value is None and not is_number:
            unnatural = MISSING
        elif is_other or (is_number != observed.is_number and observed.value is not None):
            unnatural = OTHER_KIND
        nearer = nearest.index(value) if value in nearest and is_number else 0
        return Region(value, is_number, says, truths, (1, changes, unnatural, nearer, position))

    found = [region(number, True, says) for number, says in numbers]
    found += [region(category, False, value_words(category)) for category in categories]
    if categories:
        is_number = not thresholds and isinstance(column, NumberColumn) and categories == [None]
        another = 0.0 if is_number else _another(categories, learned)
        if another is not None:
            found.append(region(another, is_number, _other_than(categories), is_other=True))
    else:
        found.append(region(None, False, "missing"))
    best: dict[int, Region] = {here.truths: here}
    for other in found:
        if other.value is None and not allow_missing:
            continue
        known = best.get(other.truths)
        if known is None or other.cost < known.cost:
            best[other.truths] = other
    regions = tuple(best.values())
    holding = tuple(
        sum(1 << k for k, region in enumerate(regions) if region.truths >> bit & 1)
        for bit in range(len(literals))
    )
    return Domain(column.name, tuple(literals), observed, regions, holding)


def _distinct(categories: Sequence[Category]) -> list[Category]:
    return list({(type(category), category): category for category in categories}.values())  # True is not 1


def _numbers(thresholds: Sequence[float], observed: ObservedValue) -> Iterator[tuple[float, str]]:
    """Yield a number of each interval between thresholds, in ascending order."""
    if not thresholds:
        return
    bounds = [-math.inf, *thresholds, math.inf]
    for low, high in pairwise(bounds):
        above, most = f"more than {number_words(low)}", f"at most {number_words(high)}"
        says = most if low == -math.inf else above if high == math.inf else f"{above} and {most}"
        comes_from_below = observed.is_number and -math.inf < low and observed.value <= low  # type: ignore[operator]
        value = _just_above(low, high) if high == math.inf or comes_from_below else high
        yield value, says


def _by_distance(numbers: list[float], observed: ObservedValue, thresholds: Sequence[float]) -> list[float]:
    """Return numbers by their distance from a value, the nearest first; none if that is not a number."""
    if not observed.is_number:
        return []
    old = float(observed.value)  # type: ignore[arg-type]
    start = bisect_left(thresholds, old)
    # All are as far from an infinity, but for the thresholds between.
    return sorted(numbers, key=lambda x: (abs(x - old), abs(bisect_left(thresholds, x) - start), x))


def _just_above(low: float, high: float) -> float:
    """Return a number above `low`, and at most `high`, that is short to write."""
    exact = Decimal(repr(low)).normalize()
    last_digit = min(0, int(exact.as_tuple().exponent))
    for digit in range(last_digit, last_digit - 20, -1):
        value = float(exact + Decimal(10) ** digit)
        if low < value <= high:
            return value
    return math.nextafter(low, math.inf)


def _another(categories: Sequence[Category], learned: str) -> Category:
    """Return a category that is not among those given, of the type that the feature held, or None."""
    flags = [flag for flag in (True, False) if not any(category is flag for category in categories)]
    if single_type(learned) == NUMBER:
        return None
    if learned == CODE:
        return next(number for number in count() if number not in categories)
    if len(flags) == 1 or (learned == BOOL and flags):
        return flags[0]
    if learned == BOOL:
        return None
    text, number = "other", 2
    while text in categories:
        text, number = f"other_{number}", number + 1
    return text


def _other_than(categories: Sequence[Category]) -> str:
    named = [value_words(category) for category in categories if category is not None]
    says = [f"other than {' or '.join(named)}"] if named else []
    return " and ".join(says + ["not missing"] * (None in categories))
