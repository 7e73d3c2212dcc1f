"""Where the codes of a table are counted: one counter a code, or one for a run of numbers.

A feature of many numbers is counted in runs of them. Which runs can hold the best threshold follows from the
counts of the runs, and only the numbers of these are counted one by one, see `foldse.search.refine`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from foldse.reading.encoding import EncodedTable
from foldse.runtime.kernels import kernel

__all__ = [
    "CELLS",
    "FIRST",
    "NUMBERS",
    "ROW",
    "SHIFT",
    "SIZE",
    "START",
    "CellPlan",
    "is_counted",
]

# Columns of `CellPlan.features`.
ROW: Final = 0  # of the feature in its block of codes
FIRST: Final = 1  # number of its code 0 among the codes of all features
SIZE: Final = 2  # codes
NUMBERS: Final = 3  # codes that are numbers, which come first
SHIFT: Final = 4  # number c is counted in cell c >> SHIFT
START: Final = 5  # its first cell; -1 where it has none
CELLS: Final = 6

MOST_RUNS: Final = 512  # of numbers: the counters of a feature, of both sides, stay in the fastest cache
APART: Final = 16  # counters between those of two features: no two threads write to one line of a cache
COUNTERS: Final = 500_000  # that are kept at least: few megabytes


@kernel
def is_counted(feature, plan, limit):
    """Whether a feature has counters, of codes or of runs, and at most `limit` of them."""
    return plan[feature, START] >= 0 and plan[feature, CELLS] <= limit


@kernel
def _is_exact(feature, plan, limit):
    """Whether a feature has a counter for each code, and at most `limit` of them."""
    return is_counted(feature, plan, limit) and plan[feature, SHIFT] == 0


@kernel
def _not_exact(plan, limit):
    found = np.empty(len(plan), dtype=np.bool_)
    for feature in range(len(plan)):
        found[feature] = not _is_exact(feature, plan, limit)
    return found


@dataclass(frozen=True, slots=True)
class CellPlan:
    """Which counter counts which code.

    Attributes
    ----------
    features : numpy.ndarray of int64, shape (n_features, 7)
        See the constants of this module.
    n_cells : int
    """

    features: np.ndarray
    n_cells: int

    @classmethod
    def of(cls, table: EncodedTable, most_runs: int | None = MOST_RUNS) -> CellPlan:
        """Plan the counters of a table.

        Parameters
        ----------
        table : EncodedTable
        most_runs : int or None
            Numbers of a feature share this many counters if there are more than twice as many numbers, or
            eight times where the table has 128 rows for each number: then reading the rows again costs more
            than slower counters. None gives every code a counter of its own.

        Notes
        -----
        Counters go to the features that need the fewest first, as long as there are not too many in all:
        half a million, or one for each 512 cells of the table.
        """
        n_rows, n_numbers, sizes = table.n_rows, table.n_numbers, np.diff(table.offsets)
        features = np.zeros((len(sizes), 7), dtype=np.int64)
        features[:, ROW] = [row for _, row in table.places]
        features[:, FIRST] = table.offsets[:-1]
        features[:, SIZE] = sizes
        features[:, NUMBERS] = n_numbers
        most = None if most_runs is None else max(COUNTERS, len(sizes) * n_rows // 512)
        if most_runs is not None:
            features[:, SHIFT] = [_shift(int(n), most_runs, n_rows) for n in n_numbers]
        runs = np.ceil(n_numbers / 2.0 ** features[:, SHIFT]).astype(np.int64)
        features[:, CELLS] = runs + sizes - n_numbers
        features[:, START] = -1
        taken = 0
        for feature in np.argsort(features[:, CELLS], kind="stable"):
            if most is not None and taken + features[feature, CELLS] > most:
                break
            features[feature, START] = taken
            taken += math.ceil(features[feature, CELLS] / APART + 1) * APART
        return cls(features, taken)

    def not_exact(self, limit: int) -> np.ndarray:
        """Return which features have not a counter for each code, as bool of shape (n_features,).

        Parameters
        ----------
        limit : int
            More counters than this do not count as any.
        """
        return np.asarray(_not_exact(self.features, limit))


def _shift(n_numbers: int, most_runs: int, n_rows: int) -> int:
    if n_numbers <= max(2 * most_runs, min(8 * most_runs, n_rows // 128)):
        return 0
    shift = 2
    while (n_numbers + (1 << shift) - 1) >> shift > most_runs:
        shift += 1
    return shift
