"""Counting and partitioning the rows of an encoded table: the compiled steps that touch the data.

Rows are uint32 throughout, and what indexes an array is unsigned: the compiler then needs no test for
negative positions, which would take as long as the counting itself. Assignments to slices are written as
loops: they take a second to compile.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Final

import numpy as np

from foldse.cellplan import CELLS, NUMBERS, ROW, SHIFT, START, CellPlan, is_counted
from foldse.compiling import kernel
from foldse.encoding import CodeInterval, EncodedTable
from foldse.scratch import Scratch
from foldse.threads import MOST_PARALLEL_ROWS, in_parallel

__all__ = [
    "NO_MARKS",
    "NO_ROWS",
    "Change",
    "add_by_label",
    "partition",
    "put_last",
    "rows_with",
    "split_by_label",
    "total",
]

NO_MARKS = np.empty(0, dtype=np.uint8)
NO_ROWS = np.empty(0, dtype=np.uint32)

PARALLEL_ROWS: Final = 50_000  # to be partitioned: fewer are not worth waking a thread


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


@kernel
def _split(column, lo, hi, negated, rows, spare):
    """Move the rows whose code is in the interval to the front, in their order; return how many they are."""
    first, end = np.uint32(lo), np.uint32(hi)
    change, one = np.uint64(negated), np.uint64(1)
    n_inside, n_outside = np.uint64(0), np.uint64(0)
    for row in rows:
        # Both are written and one is kept: no branch to mispredict. What the front loses has been read.
        code = np.uint32(column[row])
        taken = np.uint64((first <= code) & (code < end)) ^ change
        rows[n_inside] = row
        spare[n_outside] = row
        n_inside += taken
        n_outside += one - taken
    for position in range(n_outside):
        rows[n_inside + np.uint64(position)] = spare[position]
    return n_inside


def partition(
    table: EncodedTable, interval: CodeInterval, sides: tuple[np.ndarray, np.ndarray], scratch: Scratch
) -> list[int]:
    """Move the rows that satisfy a literal to the front of each side, each part in its order.

    Parameters
    ----------
    table : EncodedTable
    interval : CodeInterval
    sides : (numpy.ndarray, numpy.ndarray) of uint32
        No row twice; changed in place.
    scratch : Scratch

    Returns
    -------
    list of int
        How many satisfy it on each side.
    """
    column = table.codes(interval.feature)
    at_once = min(map(len, sides)) >= PARALLEL_ROWS and table.n_rows <= MOST_PARALLEL_ROWS
    # What is never written takes no memory: one after the other they share the first part.
    spares = scratch.spare, scratch.spare[len(sides[0]) if at_once else 0 :]
    inside = in_parallel(
        [
            functools.partial(_split, column, interval.lo, interval.hi, int(interval.negated), rows, spare)
            for rows, spare in zip(sides, spares, strict=True)
        ],
        worthwhile=at_once,
    )
    return [int(n_rows) for n_rows in inside]


@kernel
def _put_marked_last(rows, marks, spare):
    one = np.uint64(1)
    n_kept, n_marked = np.uint64(0), np.uint64(0)
    for row in rows:
        marked = np.uint64(marks[row])
        rows[n_kept] = row
        spare[n_marked] = row
        n_kept += one - marked
        n_marked += marked
        marks[row] = 0
    for position in range(n_marked):
        rows[n_kept + np.uint64(position)] = spare[position]
    return n_kept


@kernel
def _mark(rows, marks):
    for row in rows:
        marks[row] = 1


def put_last(rows: np.ndarray, moved: list[np.ndarray], scratch: Scratch) -> int:
    """Move some of the rows behind the others, each part in its order.

    Parameters
    ----------
    rows : numpy.ndarray of uint32
        Changed in place.
    moved : list of numpy.ndarray of uint32
        Each of them among `rows`.
    scratch : Scratch

    Returns
    -------
    int
        How many stay in front.
    """
    if not any(len(part) for part in moved):
        return len(rows)
    for part in moved:
        _mark(part, scratch.marks)
    return int(_put_marked_last(rows, scratch.marks, scratch.spare))


@kernel
def add_by_label(rows, labels, weights, marks, sums):
    """Add the weight of rows to the sum of their label; with marks, of those unmarked, and mark them."""
    for row in rows:
        if len(marks):
            if marks[row]:
                continue
            marks[row] = 1
        sums[labels[row]] += 1 if weights is None else weights[row]


@kernel
def _total(rows, weights):
    result = np.int64(0)
    for row in rows:
        result += weights[row]
    return result


def total(rows: np.ndarray, weights: np.ndarray | None) -> int:
    """Return the total weight of some rows."""
    return len(rows) if weights is None else int(_total(rows, weights))


@kernel
def _rows_with(labels, label, rows):
    n_rows = np.uint64(0)
    for row in range(len(labels)):
        rows[n_rows] = row
        n_rows += np.uint64(labels[row] == label)
    return n_rows


@kernel
def _split_by_label(labels, label, left_out, having, others):
    n_having, n_others = np.uint64(0), np.uint64(0)
    for row in range(len(labels)):
        having[n_having] = row
        others[n_others] = row
        here = np.uint64(1) if len(left_out) == 0 else np.uint64(left_out[row] == 0)
        has = np.uint64(labels[row] == label) & here
        n_having += has
        n_others += here - has
    return n_having, n_others


def rows_with(labels: np.ndarray, label: int) -> np.ndarray:
    """Return the rows that have a label, as uint32, ascending."""
    # Room for one more, where the last row is written before it is known to belong elsewhere.
    rows = np.empty(len(labels) + 1, dtype=np.uint32)
    return rows[: int(_rows_with(labels, label, rows))]


def split_by_label(
    labels: np.ndarray, label: int, left_out: np.ndarray = NO_MARKS
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows that have a label and those that do not, as uint32, ascending.

    Parameters
    ----------
    labels : numpy.ndarray of int, shape (n_rows,)
    label : int
    left_out : numpy.ndarray of uint8, shape (n_rows,), optional
        Rows where it is not zero are in neither part.
    """
    having, others = (np.empty(len(labels) + 1, dtype=np.uint32) for _ in range(2))
    n_having, n_others = _split_by_label(labels, label, left_out, having, others)
    return having[: int(n_having)], others[: int(n_others)]
