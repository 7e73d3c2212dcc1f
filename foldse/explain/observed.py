"""The values that the rows of a column hold, one at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from foldse.explain.proof import ObservedValue
from foldse.reading.columns import Column

__all__ = ["value_reader"]


def value_reader(column: Column) -> Callable[[int], float | ObservedValue]:
    """Return what gives the value of a column in a row: a bare number, or an observed value otherwise."""
    numbers = column.numbers()
    is_number = ~np.isnan(numbers)
    if is_number.all():
        return lambda row: float(numbers[row])
    distinct = column.distinct()
    positions = distinct.positions - distinct.n_numbers
    known = [ObservedValue(category, is_number=False) for category in distinct.categories]
    return lambda row: float(numbers[row]) if is_number[row] else known[positions[row]]
