"""The values that a program can tell apart: each feature's domain as a finite number of regions."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import count, pairwise
from typing import NamedTuple

from foldse.explain.observed import value_reader
from foldse.explain.proof import ObservedValue
from foldse.explain.wording import number_words, observed_words, value_words
from foldse.model.literals import Category, Literal, Op, Value, is_number
from foldse.reading.columns import Column, NumberColumn
from foldse.reading.conversion import BOOL, CODE, NUMBER, TEXT, single_type

__all__ = ["Allowed", "Domain", "Region", "domain", "observed_value"]


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
        The program's literals about the feature, and those that constraints add.
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

    def as_far(self, region: int) -> int:
        """Return a region and, of a number, those in which it moved the same way and further, as bits."""
        chosen = self.regions[region]
        if not (chosen.is_number and self.observed.is_number):
            return 1 << region
        old, new = _size(self.observed.value), _size(chosen.value)
        return 1 << region | sum(
            1 << k
            for k, other in enumerate(self.regions)
            if k and other.is_number and _size(other.value) != new
            if (_size(other.value) > new) == (new > old)
        )


@dataclass(frozen=True, slots=True)
class Allowed:
    """The new values that a feature may take.

    Attributes
    ----------
    low, high : float
        The closed range of new numbers.
    by_size : bool
        Whether only numbers that are compared by size are allowed.
    listed : tuple of ObservedValue or None
        The values that are allowed, if not any.
    missing : bool
        Whether a value may become missing.
    """

    low: float = -math.inf
    high: float = math.inf
    by_size: bool = False
    listed: tuple[ObservedValue, ...] | None = None
    missing: bool = True

    def admits(self, value: Value, by_size: bool) -> bool:
        """Whether a value that is listed may be taken."""
        if by_size:
            return self.low <= _size(value) <= self.high
        return not self.by_size and (self.missing or value is not None)


def _size(value: Value) -> float:
    """Return a value that is known to be a number."""
    assert is_number(value)
    return float(value)  # type: ignore[arg-type]


NATURAL, OTHER_KIND, MISSING = range(3)


class _Candidate(NamedTuple):
    """A value of a region, what the values of the region have in common, and whether any rule names it."""

    value: Value
    is_number: bool
    says: str
    is_named: bool = True


def domain(
    column: Column,
    literals: Sequence[Literal],
    position: int,
    allowed: Allowed | None,
    learned: str = "",
    asked: Sequence[Literal] = (),
    price: int = 1,
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
    allowed : Allowed or None
        The values that the feature may take beside the row's; None if it has to stay.
    learned : str, default=""
        What the feature held when the model was learned, see `foldse.reading.conversion.types_of`. The
        values of the regions are of this type, if it is one: where it held numbers only, no word is proposed.
    asked : sequence of Literal, default=()
        Further literals about this feature, that the program does not have.
    price : int, default=1
        What it costs to change the feature.

    Returns
    -------
    Domain
        Regions with the same truths are one, of the cheapest. The cost of a region is, compared in this
        order: `price`, 1 feature, the literals of the program whose truth changes, how unnatural the change
        is (0; 1 for a category that no literal names or for a change between number and category; 2 for
        becoming missing), how many other intervals have a nearer number, `position`.

    Notes
    -----
    A number is moved as little as it is easily said: to the threshold itself where it has to be at most
    that, and else to a number above the threshold of as few further digits as can be: 24 is above 23,
    23.26 above 23.25. Where a range cuts an interval, the number and the condition are those of the part
    that is left.
    """
    observed = observed_value(column)
    everything = (*literals, *asked)
    of_program = (1 << len(literals)) - 1

    def truths_of(value: Value, by_size: bool) -> int:
        return sum(literal.holds(value, by_size) << bit for bit, literal in enumerate(everything))

    truths = truths_of(observed.value, observed.is_number)
    here = Region(observed.value, observed.is_number, str(observed), truths, (0,) * 6)
    found = [] if allowed is None else list(_candidates(column, everything, observed, allowed, learned))
    thresholds = _thresholds(everything)
    nearest = _by_distance([_size(value) for value, by_size, *_ in found if by_size], observed, thresholds)
    best: dict[int, Region] = {here.truths: here}
    for value, by_size, says, is_named in found:
        truths = truths_of(value, by_size)
        changes = ((truths ^ here.truths) & of_program).bit_count()
        unnatural = NATURAL
        if value is None and not by_size:
            unnatural = MISSING
        elif not is_named or (by_size != observed.is_number and observed.value is not None):
            unnatural = OTHER_KIND
        nearer = nearest.index(_size(value)) if nearest and by_size else 0
        region = Region(value, by_size, says, truths, (price, 1, changes, unnatural, nearer, position))
        known = best.get(truths)
        if known is None or region.cost < known.cost:
            best[truths] = region
    regions = tuple(best.values())
    holding = tuple(
        sum(1 << k for k, region in enumerate(regions) if region.truths >> bit & 1)
        for bit in range(len(everything))
    )
    return Domain(column.name, everything, observed, regions, holding)


def observed_value(column: Column) -> ObservedValue:
    """Return the value of a column of one row."""
    first = value_reader(column)(0)
    return ObservedValue(first, is_number=True) if isinstance(first, float) else first


def _thresholds(literals: Sequence[Literal]) -> list[float]:
    return sorted({literal.threshold for literal in literals if literal.op.is_threshold})


def _candidates(
    column: Column, literals: Sequence[Literal], observed: ObservedValue, allowed: Allowed, learned: str
) -> Iterator[_Candidate]:
    """Yield values that may be taken, at least one of each region that has such values."""
    thresholds = _thresholds(literals)
    categories = _distinct([literal.value for literal in literals if not literal.op.is_threshold])
    if allowed.listed is not None:
        yield from _listed(literals, categories, allowed)
        return
    # A column of numbers of which it is only asked whether one is missing has no thresholds.
    any_number = not thresholds and isinstance(column, NumberColumn) and categories == [None]
    if thresholds or allowed.by_size:
        yield from _numbers(thresholds, observed, allowed)
    if allowed.by_size:
        return
    for category in categories:
        if allowed.missing or category is not None:
            yield _Candidate(category, False, value_words(category))
    if not categories:
        kinds = learned.split("+")
        if allowed.missing:
            yield _Candidate(None, False, "missing")
        elif TEXT in kinds or BOOL in kinds:
            yield _Candidate("other" if TEXT in kinds else True, False, "no number", is_named=False)
        return
    another = 0.0 if any_number else _another(categories, learned)
    if another is not None:
        yield _Candidate(another, any_number, _other_than(categories), is_named=False)


def _listed(
    literals: Sequence[Literal], categories: Sequence[Category], allowed: Allowed
) -> Iterator[_Candidate]:
    """Yield the first listed value of each region, which says all of them."""
    groups: dict[tuple[bool, ...], list[ObservedValue]] = {}
    for listed in allowed.listed or ():
        if allowed.admits(*listed):
            truths = tuple(literal.holds(*listed) for literal in literals)
            groups.setdefault(truths, []).append(listed)
    for group in groups.values():
        first = next((listed for listed in group if listed.value is not None), group[0])
        names = list(dict.fromkeys(observed_words(listed) for listed in group))
        is_named = first.is_number or any(
            Literal("", Op.EQ, category).holds(*first) for category in categories
        )
        yield _Candidate(first.value, first.is_number, " or ".join(names), is_named)


def _distinct(categories: Sequence[Category]) -> list[Category]:
    return list({(type(category), category): category for category in categories}.values())  # True is not 1


def _numbers(thresholds: Sequence[float], observed: ObservedValue, allowed: Allowed) -> Iterator[_Candidate]:
    """Yield an allowed number of each interval between thresholds that has one, in ascending order."""
    for low, high in pairwise([-math.inf, *thresholds, math.inf]):
        includes_low = allowed.low > low  # the interval itself does not
        bottom, top = max(low, allowed.low), min(high, allowed.high)
        if bottom > top or (bottom == top and not includes_low):
            continue
        comes_from_below = observed.is_number and -math.inf < bottom and _size(observed.value) <= bottom
        if not comes_from_below and top < math.inf:
            value = top
        elif bottom == -math.inf:
            value = 0.0
        else:
            value = bottom if includes_low else _just_above(bottom, top)
        yield _Candidate(value, True, _interval_words(bottom, includes_low, top))


def _interval_words(low: float, includes_low: bool, high: float) -> str:
    if low == high:
        return number_words(low)
    above = f"{'at least' if includes_low else 'more than'} {number_words(low)}"
    parts = [above] * (low > -math.inf) + [f"at most {number_words(high)}"] * (high < math.inf)
    return " and ".join(parts) or "a number"


def _by_distance(numbers: list[float], observed: ObservedValue, thresholds: Sequence[float]) -> list[float]:
    """Return numbers by their distance from a value, the nearest first; none if that is not a number."""
    if not observed.is_number:
        return []
    old = _size(observed.value)
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
