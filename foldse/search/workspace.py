"""What the searches of one table share: memory, and how its features are dealt to threads."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np

from foldse.reading.encoding import EncodedTable
from foldse.runtime.threads import MAX_PARALLEL_ROWS, n_threads, run_parallel
from foldse.search.histogram_layout import HistogramLayout

__all__ = ["DUMMY_BINS", "FeatureShares", "Share", "Workspace"]

T = TypeVar("T")

Part = tuple[np.ndarray, np.ndarray]
"""A matrix of codes, and the positions of some of its features, ascending."""

DUMMY_BINS: Final = 16  # rows that are not to be counted add nothing, to one of the first so many bins
CELLS_PER_THREAD: Final = 400_000  # to be counted: to wake a thread takes as long as to count 80,000


@dataclass(frozen=True, slots=True)
class Share:
    """Some features of a table.

    Attributes
    ----------
    parts : tuple of Part
        By matrix.
    features : numpy.ndarray of int64
        Positions of those of all parts, ascending.
    """

    parts: tuple[Part, ...]
    features: np.ndarray


class FeatureShares:
    """The features of a table in as many shares as there is work for.

    Parameters
    ----------
    table : EncodedTable
        With at least one feature.
    """

    __slots__ = ("_dealt", "_most", "_table")

    def __init__(self, table: EncodedTable):
        threads = n_threads() if table.n_rows <= MAX_PARALLEL_ROWS else 1
        self._table = table
        self._most = max(1, min(threads, len(table.features)))
        self._dealt: dict[int, list[Share]] = {}

    def each(self, n_cells: int, work: Callable[[Share], T]) -> list[T]:
        """Do something to all features, a share in each thread, and return what comes of each share.

        Parameters
        ----------
        n_cells : int
            How many cells of the table are read, which decides about threads.
        work : callable
            Called with each `Share`.

        Returns
        -------
        list
        """
        n_shares = max(1, min(self._most, n_cells // CELLS_PER_THREAD))
        if n_shares not in self._dealt:
            self._dealt[n_shares] = self._deal(n_shares)
        return run_parallel([functools.partial(work, share) for share in self._dealt[n_shares]])

    def _deal(self, n_shares: int) -> list[Share]:
        """Deal the features of each matrix, four at a time if there are enough, to the smallest share."""
        parts: list[list[Part]] = [[] for _ in range(n_shares)]
        loads = [0] * n_shares
        for codes, features in zip(self._table.matrices, self._table.matrix_features, strict=True):
            together = 4 if len(features) >= 4 * n_shares else 1
            taken = [0] * n_shares
            for begin in range(0, len(features), together):
                smallest = loads.index(min(loads))
                n_features = min(together, len(features) - begin)
                taken[smallest] += n_features
                loads[smallest] += n_features
            for part, n_features, end in zip(parts, taken, itertools.accumulate(taken), strict=True):
                if n_features:
                    part.append((codes, features[end - n_features : end]))
        return [
            Share(tuple(part), np.sort(np.concatenate([features for _, features in part]))) for part in parts
        ]


class Workspace:
    """What operations on the rows of one table share.

    Parameters
    ----------
    table : EncodedTable
    weighted : bool
        Whether rows count by weights.
    layout : HistogramLayout, optional
        Of the histograms that are kept from search to search; by default that of
        `HistogramLayout.from_table`.

    Attributes
    ----------
    count_dtype : numpy.dtype
        Of histograms: unweighted ones need four bytes only, as rows do.
    layout : HistogramLayout
    shares : FeatureShares
        Of the table.
    marks : numpy.ndarray of uint8, shape (n_rows,)
        Zero between operations.
    spare : numpy.ndarray of uint32, shape (n_rows,)
    """

    __slots__ = ("_idle", "_n_codes", "count_dtype", "layout", "marks", "shares", "spare")

    def __init__(self, table: EncodedTable, weighted: bool, layout: HistogramLayout | None = None):
        self.layout = HistogramLayout.from_table(table) if layout is None else layout
        self.count_dtype = np.dtype(np.int64 if weighted else np.int32)
        self.shares = FeatureShares(table)
        self.marks = np.zeros(table.n_rows, dtype=np.uint8)
        self.spare = np.empty(table.n_rows, dtype=np.uint32)
        self._n_codes = max(DUMMY_BINS, int(self.layout.features["n_codes"].max(initial=0)))
        self._idle: list[np.ndarray] = []

    @contextmanager
    def lend_code_counts(self) -> Iterator[np.ndarray]:
        """Lend counts of both classes for the codes of any one feature.

        Yields
        ------
        numpy.ndarray of count_dtype, shape (2, n_codes)
            Zero, and to be zero again in the end. Pages of memory that are never touched are never there;
            those that are stay until the table is learned: at most two counts for each code of the feature
            that has the most, for each thread.
        """
        try:
            lent = self._idle.pop()  # several threads may ask at once
        except IndexError:
            lent = np.zeros((2, self._n_codes), dtype=self.count_dtype)
        yield lent
        self._idle.append(lent)
