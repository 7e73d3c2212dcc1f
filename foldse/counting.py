"""Counting and partitioning the rows of an encoded table: the compiled steps that touch the data."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
from numba import config as numba_config
from numba import njit

from foldse.encoding import CodeInterval, EncodedTable

__all__ = ["count_codes", "in_parallel", "partition", "without"]

T = TypeVar("T")

PARALLEL_CELLS = 1_000_000  # below, handing work to a thread costs more than it saves

_pool: ThreadPoolExecutor | None = None


def _forget_pool() -> None:
    """Drop the pool in a forked child, which has none of its threads."""
    global _pool
    _pool = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pool)


def in_parallel(tasks: Sequence[Callable[[], T]], n_cells: int) -> list[T]:
    """Run tasks, in threads if there is enough to do, and return their results in order.

    Parameters
    ----------
    tasks : sequence of callable
        Worth running in threads only if they release the interpreter lock.
    n_cells : int
        Cells of the table that the tasks look at, all together.

    Notes
    -----
    As many threads as numba is configured for (``NUMBA_NUM_THREADS``, by default one a processor). Threads of
    our own rather than numba's: a numba parallel region makes a later fork unsafe.
    """
    n_threads = numba_config.NUMBA_NUM_THREADS
    if n_threads == 1 or len(tasks) == 1 or n_cells < PARALLEL_CELLS:
        return [task() for task in tasks]
    global _pool
    if _pool is None:
        _pool = ThreadPoolExecutor(n_threads, thread_name_prefix="foldse")
    return list(_pool.map(lambda task: task(), tasks))


def feature_chunks(table: EncodedTable, n_rows: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return (codes, features) of parts of the table that threads may work on independently."""
    n_threads = numba_config.NUMBA_NUM_THREADS
    if n_threads == 1 or n_rows * len(table.features) < PARALLEL_CELLS:
        return list(zip(table.blocks, table.block_features, strict=True))
    chunks = []
    for codes, members in zip(table.blocks, table.block_features, strict=True):
        bounds = np.linspace(0, len(members), min(n_threads, len(members)) + 1).astype(int)
        chunks += [(codes[a:b], members[a:b]) for a, b in itertools.pairwise(bounds)]
    return chunks


@njit(cache=True, nogil=True)
def _add(codes, members, offsets, limit, rows, weights, side, sign, counts):
    """Add the rows to the counters of one side, for every feature of at most `limit` codes."""
    chosen = np.empty(len(members) + 3, dtype=np.int64)
    n_chosen = 0
    for member in range(len(members)):
        if offsets[members[member] + 1] - offsets[members[member]] <= limit:
            chosen[n_chosen] = member
            n_chosen += 1
    # Four features at a time: adding to one counter twice in a row waits for the first addition.
    for start in range(0, n_chosen - 3, 4):
        a, b, c, d = chosen[start], chosen[start + 1], chosen[start + 2], chosen[start + 3]
        base_a, base_b = offsets[members[a]], offsets[members[b]]
        base_c, base_d = offsets[members[c]], offsets[members[d]]
        column_a, column_b, column_c, column_d = codes[a], codes[b], codes[c], codes[d]
        for row in rows:
            weight = sign if weights is None else sign * weights[row]
            counts[base_a + column_a[row], side] += weight
            counts[base_b + column_b[row], side] += weight
            counts[base_c + column_c[row], side] += weight
            counts[base_d + column_d[row], side] += weight
    for position in range(n_chosen - n_chosen % 4, n_chosen):
        base, column = offsets[members[chosen[position]]], codes[chosen[position]]
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
    counts : numpy.ndarray of int, shape (n_codes, 2)
        Changed in place.
    side : {0, 1}
        The column of `counts`.
    sign : {1, -1}
    limit : int
        Features of more codes are left alone.
    """
    if not len(rows):
        return
    chunks = feature_chunks(table, len(rows))
    in_parallel(
        [
            lambda codes=codes, members=members: _add(  # type: ignore[misc]
                codes, members, table.offsets, limit, rows, weights, side, sign, counts
            )
            for codes, members in chunks
        ],
        len(rows) * len(table.features),
    )


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def _keep(rows, removed, marks, kept):
    for row in removed:
        marks[row] = 1
    n_kept = 0
    for row in rows:
        kept[n_kept] = row
        n_kept += 1 - marks[row]
    for row in removed:
        marks[row] = 0
    return n_kept


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
