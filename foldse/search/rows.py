"""Partitioning the rows of an encoded table, and adding up their weights (compiled kernels).

Rows are uint32 throughout, and what indexes an array is unsigned: the compiler then needs no test for
negative positions, which would take as long as the work itself. Assignments to slices are written as
loops: they take a second to compile.
"""

from __future__ import annotations

import functools
from typing import Final

import numpy as np

from foldse.reading.encoding import CodeInterval, EncodedTable
from foldse.runtime.kernels import kernel
from foldse.runtime.threads import MAX_PARALLEL_ROWS, run_parallel
from foldse.search.workspace import Workspace

__all__ = [
    "NO_MARKS",
    "NO_ROWS",
    "add_by_label",
    "partition",
    "put_last",
    "split_by_label",
    "total",
]

NO_MARKS = np.empty(0, dtype=np.uint8)
NO_ROWS = np.empty(0, dtype=np.uint32)
MIN_PARALLEL_ROWS: Final = 50_000  # to be partitioned: fewer are not worth waking a thread


@kernel
def _split(column, lo, hi, negated, rows, spare):
    """Move the rows whose code is in an interval to the front, in their order, and return how many they are.

    Parameters
    ----------
    column : array of unsigned int, shape (n_rows,)
        Codes of the feature.
    lo, hi : int
        The interval is lo <= code < hi.
    negated : int
        1 to move the rows outside it, else 0.
    rows : array of uint32
        Permuted in place.
    spare : array of uint32, at least as long as `rows`
        Overwritten.

    Returns
    -------
    uint64
    """
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
    table: EncodedTable, interval: CodeInterval, sides: tuple[np.ndarray, np.ndarray], workspace: Workspace
) -> list[int]:
    """Move the rows that satisfy a literal to the front of each side, each part in its order.

    Parameters
    ----------
    table : EncodedTable
    interval : CodeInterval
    sides : (numpy.ndarray, numpy.ndarray) of uint32
        No row twice; changed in place.
    workspace : Workspace

    Returns
    -------
    list of int
        How many satisfy it on each side.
    """
    column = table.codes(interval.feature)
    at_once = min(map(len, sides)) >= MIN_PARALLEL_ROWS and table.n_rows <= MAX_PARALLEL_ROWS
    # What is never written takes no memory: one after the other they share the first part.
    spares = workspace.spare, workspace.spare[len(sides[0]) if at_once else 0 :]
    inside = run_parallel(
        [
            functools.partial(_split, column, interval.lo, interval.hi, int(interval.negated), rows, spare)
            for rows, spare in zip(sides, spares, strict=True)
        ],
        parallel=at_once,
    )
    return [int(n_rows) for n_rows in inside]


@kernel
def _put_marked_last(rows, marks, spare):
    """Move marked rows behind the others, each part in its order, and return how many are in front.

    Parameters
    ----------
    rows : array of uint32
        Permuted in place.
    marks : array of uint8, shape (n_rows of the table,)
        1 or 0; set to 0 for all rows.
    spare : array of uint32, at least as long as `rows`
        Overwritten.

    Returns
    -------
    uint64
    """
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
    """Mark rows.

    Parameters
    ----------
    rows : array of uint32
    marks : array of uint8, shape (n_rows of the table,)
        Set to 1 for these rows.

    Returns
    -------
    None
    """
    for row in rows:
        marks[row] = 1


def put_last(rows: np.ndarray, moved: list[np.ndarray], workspace: Workspace) -> int:
    """Move some of the rows behind the others, each part in its order.

    Parameters
    ----------
    rows : numpy.ndarray of uint32
        Changed in place.
    moved : list of numpy.ndarray of uint32
        Each of them among `rows`.
    workspace : Workspace

    Returns
    -------
    int
        How many stay in front.
    """
    if not any(len(part) for part in moved):
        return len(rows)
    for part in moved:
        _mark(part, workspace.marks)
    return int(_put_marked_last(rows, workspace.marks, workspace.spare))


@kernel
def add_by_label(rows, labels, weights, marks, sums):
    """Add the weight of rows to the sum of their label.

    Parameters
    ----------
    rows : array of uint32
    labels : array of int, shape (n_rows of the table,)
    weights : array of int64, shape (n_rows of the table,), or None
    marks : array of uint8, shape (n_rows of the table,) or (0,)
        Rows that are marked are left out, and those added are marked; `NO_MARKS` for all rows.
    sums : array of int64, shape (n_labels,)
        Changed in place.

    Returns
    -------
    None
    """
    for row in rows:
        if len(marks):
            if marks[row]:
                continue
            marks[row] = 1
        sums[labels[row]] += 1 if weights is None else weights[row]


@kernel
def _total(rows, weights):
    """Return the total weight of some rows.

    Parameters
    ----------
    rows : array of uint32
    weights : array of int64, shape (n_rows of the table,)

    Returns
    -------
    int64
    """
    result = np.int64(0)
    for row in rows:
        result += weights[row]
    return result


def total(rows: np.ndarray, weights: np.ndarray | None) -> int:
    """Return the total weight of some rows."""
    return len(rows) if weights is None else int(_total(rows, weights))


@kernel
def _split_by_label(labels, label, left_out, having, others):
    """Write the rows with a label and those without, and return how many there are of each.

    Parameters
    ----------
    labels : array of int, shape (n_rows,)
    label : int
    left_out : array of uint8, shape (n_rows,) or (0,)
        Rows where it is not zero are in neither part.
    having, others : array of uint32, shape (n_rows + 1,)
        Written to. The room for one more is where the last row goes before it is known to belong elsewhere.

    Returns
    -------
    (uint64, uint64)
    """
    n_having, n_others = np.uint64(0), np.uint64(0)
    for row in range(len(labels)):
        having[n_having] = row
        others[n_others] = row
        here = np.uint64(1) if len(left_out) == 0 else np.uint64(left_out[row] == 0)
        has = np.uint64(labels[row] == label) & here
        n_having += has
        n_others += here - has
    return n_having, n_others


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
