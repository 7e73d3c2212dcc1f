"""Counting and partitioning the rows of an encoded table: the compiled steps that touch the data."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from foldse.compiling import kernel
from foldse.encoding import CodeInterval, EncodedTable
from foldse.threads import MOST_PARALLEL_ROWS, in_parallel, n_threads

__all__ = [
    "NO_MARKS",
    "add_by_label",
    "count_codes",
    "on_features",
    "partition",
    "rows_with",
    "split_by_label",
    "without",
]

T = TypeVar("T")

NO_MARKS = np.empty(0, dtype=np.uint8)

PARALLEL_CELLS = 1_000_000  # to be looked at, from which on features are shared out among threads


def on_features(table: EncodedTable, n_rows: int, work: Callable[[np.ndarray, np.ndarray], T]) -> list[T]:
    """Do something to all features, some at a time, and return what comes of each part.

    Parameters
    ----------
    table : EncodedTable
    n_rows : int
        How many rows are looked at, which decides about threads.
    work : callable
        Called with a block of codes and the positions of some of its features, ascending.
    """
    worthwhile = n_rows * len(table.features) >= PARALLEL_CELLS and table.n_rows <= MOST_PARALLEL_ROWS
    parts = []
    for codes, features in zip(table.blocks, table.block_features, strict=True):
        n_parts = min(n_threads(), len(features)) if worthwhile else 1
        bounds = [len(features) * part // n_parts for part in range(n_parts + 1)]
        parts += [(codes, features[a:b]) for a, b in itertools.pairwise(bounds)]
    return in_parallel([functools.partial(work, *part) for part in parts], worthwhile)


@kernel
def _add(codes, members, block_rows, offsets, starts, limit, rows, weights, side, sign, counts):
    """Add the rows to the counters of one side, for features with counters and at most `limit` codes."""
    chosen = np.empty(len(members) + 3, dtype=np.int64)
    n_chosen = 0
    for feature in members:
        if starts[feature] >= 0 and offsets[feature + 1] - offsets[feature] <= limit:
            chosen[n_chosen] = feature
            n_chosen += 1
    # Four features at a time: adding to one counter twice in a row waits for the first addition.
    for start in range(0, n_chosen - 3, 4):
        a, b, c, d = chosen[start], chosen[start + 1], chosen[start + 2], chosen[start + 3]
        base_a, base_b = starts[a], starts[b]
        base_c, base_d = starts[c], starts[d]
        column_a, column_b = codes[block_rows[a]], codes[block_rows[b]]
        column_c, column_d = codes[block_rows[c]], codes[block_rows[d]]
        for row in rows:
            weight = sign if weights is None else sign * weights[row]
            counts[base_a + column_a[row], side] += weight
            counts[base_b + column_b[row], side] += weight
            counts[base_c + column_c[row], side] += weight
            counts[base_d + column_d[row], side] += weight
    for position in range(n_chosen - n_chosen % 4, n_chosen):
        base, column = starts[chosen[position]], codes[block_rows[chosen[position]]]
        for row in rows:
            counts[base + column[row], side] += sign if weights is None else sign * weights[row]


def count_codes(
    table: EncodedTable,
    rows: np.ndarray,
    weights: np.ndarray | None,
    counts: np.ndarray,
    side: int,
    sign: int,
    limit: int,
) -> None:
    """Add rows to counters, or take them away.

    Parameters
    ----------
    table : EncodedTable
    rows : numpy.ndarray of int32
    weights : numpy.ndarray of int64, shape (table.n_rows,), optional
        What each row counts; 1 by default.
    counts : numpy.ndarray of int, shape (table.n_counters, 2)
        Changed in place.
    side : {0, 1}
        The column of `counts`.
    sign : {1, -1}
    limit : int
        Features of more codes are left alone.
    """
    if not len(rows):
        return
    on_features(
        table,
        len(rows),
        lambda codes, features: _add(
            codes,
            features,
            table.block_rows,
            table.offsets,
            table.counter_starts,
            limit,
            rows,
            weights,
            side,
            sign,
            counts,
        ),
    )


@kernel
def _split(column, lo, hi, negated, rows, inside, outside):
    """Write the rows whose code is in the interval to `inside`, the others to `outside`.

    Returns how many are inside.
    """
    n_inside, n_outside = 0, 0
    for row in rows:
        code = column[row]
        # Both are written and one is kept: no branch to mispredict.
        inside[n_inside] = row
        outside[n_outside] = row
        taken = int((lo <= code) & (code < hi)) ^ negated
        n_inside += taken
        n_outside += 1 - taken
    return n_inside


def partition(table: EncodedTable, interval: CodeInterval, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows that satisfy a literal and those that do not, each in their order."""
    inside, outside = np.empty_like(rows), np.empty_like(rows)
    n_inside = _split(
        table.codes(interval.feature), interval.lo, interval.hi, int(interval.negated), rows, inside, outside
    )
    return inside[:n_inside], outside[: len(rows) - n_inside]


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
def _rows_with(labels, label, rows):
    n_rows = 0
    for row in range(len(labels)):
        rows[n_rows] = row
        n_rows += int(labels[row] == label)
    return n_rows


@kernel
def _split_by_label(labels, label, rows_with, rows_without):
    n_with, n_without = 0, 0
    for row in range(len(labels)):
        rows_with[n_with] = row
        rows_without[n_without] = row
        has = int(labels[row] == label)
        n_with += has
        n_without += 1 - has
    return n_with


@kernel
def _keep(rows, removed, marks, kept):
    for row in removed:
        marks[row] = 1
    n_kept = 0
    for row in rows:
        kept[n_kept] = row
        n_kept += 1 - int(marks[row])
    for row in removed:
        marks[row] = 0
    return n_kept


def rows_with(labels: np.ndarray, label: int) -> np.ndarray:
    """Return the rows that have a label, as int32, ascending."""
    rows = np.empty(len(labels), dtype=np.int32)
    return rows[: _rows_with(labels, label, rows)]


def split_by_label(labels: np.ndarray, label: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows that have a label and those that do not, as int32, ascending."""
    # Room for one more, where the last row is written before it is known to belong elsewhere.
    rows = [np.empty(len(labels) + 1, dtype=np.int32) for _ in range(2)]
    n_with = _split_by_label(labels, label, *rows)
    return rows[0][:n_with], rows[1][: len(labels) - n_with]


def without(rows: np.ndarray, removed: np.ndarray, marks: np.ndarray) -> np.ndarray:
    """Return rows that are not among the removed, in their order.

    Parameters
    ----------
    rows, removed : numpy.ndarray of int32
    marks : numpy.ndarray of uint8, shape (table.n_rows,)
        Scratch space, zero before and after.
    """
    if not len(removed):
        return rows
    kept = np.empty_like(rows)
    return kept[: _keep(rows, removed, marks, kept)]
