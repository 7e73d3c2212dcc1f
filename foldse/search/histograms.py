"""Counting the rows of an encoded table by code (compiled kernels).

Rows are uint32 throughout, and what indexes an array is unsigned: the compiler then needs no test for
negative positions, which would take as long as the counting itself. Assignments to slices are written as
loops: they take a second to compile.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldse.runtime.kernels import kernel
from foldse.search.histogram_layout import (
    CELLS,
    NUMBERS,
    ROW,
    SHIFT,
    START,
    CellPlan,
    is_counted,
)

__all__ = [
    "Change",
]


@kernel
def _add_exact(codes, chosen, plan, rows, weights, sign, counts):
    """Add rows to the counters of features each code of which has one."""
    # Four features at a time: adding to one counter twice in a row waits for the first addition.
    whole = len(chosen) - len(chosen) % 4
    for start in range(0, whole, 4):
        a, b, c, d = chosen[start], chosen[start + 1], chosen[start + 2], chosen[start + 3]
        column_a, counts_a = codes[plan[a, ROW]], counts[plan[a, START] :]
        column_b, counts_b = codes[plan[b, ROW]], counts[plan[b, START] :]
        column_c, counts_c = codes[plan[c, ROW]], counts[plan[c, START] :]
        column_d, counts_d = codes[plan[d, ROW]], counts[plan[d, START] :]
        for row in rows:
            weight = sign if weights is None else sign * weights[row]
            counts_a[column_a[row]] += weight
            counts_b[column_b[row]] += weight
            counts_c[column_c[row]] += weight
            counts_d[column_d[row]] += weight
    for feature in chosen[whole:]:
        column, counters = codes[plan[feature, ROW]], counts[plan[feature, START] :]
        for row in rows:
            counters[column[row]] += sign if weights is None else sign * weights[row]


@kernel
def _add_runs(column, numbers, shift, rows, weights, sign, counts):
    """Add rows to the counters of a feature the numbers of which share them, run by run."""
    numbers, shift = np.uint32(numbers), np.uint32(shift)
    # Category k has the counter after the last run's plus k.
    back = numbers - np.uint32(((numbers - np.uint32(1)) >> shift) + np.uint32(1))
    for row in rows:
        code = np.uint32(column[row])
        cell = code >> shift if code < numbers else np.uint32(code - back)
        counts[cell] += sign if weights is None else sign * weights[row]


@kernel
def _change(codes, members, plan, limit, weights, rows, signs, clear, counts):
    """Change the counters of both sides, for features that have counters and at most `limit` of them."""
    exact = np.empty(len(members), dtype=np.int64)
    for side in range(2):
        n_exact = 0
        for feature in members:
            if not is_counted(feature, plan, limit):
                continue
            start, cells = plan[feature, START], plan[feature, CELLS]
            if clear[side]:
                for cell in range(start, start + cells):
                    counts[side, cell] = 0
            if plan[feature, SHIFT] == 0:
                exact[n_exact] = feature
                n_exact += 1
            else:
                _add_runs(
                    codes[plan[feature, ROW]],
                    plan[feature, NUMBERS],
                    plan[feature, SHIFT],
                    rows[side],
                    weights,
                    signs[side],
                    counts[side, start:],
                )
        _add_exact(codes, exact[:n_exact], plan, rows[side], weights, signs[side], counts[side])


@dataclass(frozen=True, slots=True)
class Change:
    """What happens to the counters of both sides.

    Attributes
    ----------
    rows : (numpy.ndarray, numpy.ndarray) of uint32
        Counted on each side.
    signs : (int, int)
        1 to add them, -1 to take them away.
    clear : (bool, bool)
        Whether a side's counters are set to zero first.
    """

    rows: tuple[np.ndarray, np.ndarray]
    signs: tuple[int, int] = (1, 1)
    clear: tuple[bool, bool] = (False, False)

    @property
    def n_rows(self) -> int:
        """How many rows are counted."""
        return len(self.rows[0]) + len(self.rows[1])

    def apply(
        self,
        codes: np.ndarray,
        features: np.ndarray,
        plan: CellPlan,
        limit: int,
        weights: np.ndarray | None,
        counts: np.ndarray,
    ) -> None:
        """Change the counters of some features.

        Parameters
        ----------
        codes : numpy.ndarray of unsigned int
            A block of the table.
        features : numpy.ndarray of int64
            Positions of features of the block.
        plan : CellPlan
        limit : int
            Features of more counters are left alone.
        weights : numpy.ndarray of int64, shape (n_rows of the table,), optional
            What each row counts; 1 by default.
        counts : numpy.ndarray of int, shape (2, plan.n_cells)
            Changed in place.
        """
        _change(codes, features, plan.features, limit, weights, self.rows, self.signs, self.clear, counts)
