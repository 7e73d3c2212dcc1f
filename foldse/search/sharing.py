"""Dealing the features of a table to threads."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np

from foldse.reading.encoding import EncodedTable
from foldse.runtime.threads import MOST_PARALLEL_ROWS, in_parallel, n_threads

__all__ = ["FeatureShares", "Share"]

T = TypeVar("T")

Part = tuple[np.ndarray, np.ndarray]
"""A block of codes, and the positions of some of its features, ascending."""

PARALLEL_CELLS: Final = 400_000  # for each thread to count: to wake one takes as long as to count 80,000


@dataclass(frozen=True, slots=True)
class Share:
    """Some features of a table.

    Attributes
    ----------
    parts : tuple of Part
        By block.
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
        threads = n_threads() if table.n_rows <= MOST_PARALLEL_ROWS else 1
        self._table = table
        self._most = max(1, min(threads, len(table.features)))
        self._dealt: dict[int, list[Share]] = {}

    def each(self, n_cells: int, work: Callable[[Share], T]) -> list[T]:
        """Do something to all features, a share in each thread, and return what comes of each share.

        Parameters
        ----------
        n_cells : int
            How many cells of the table are looked at, which decides about threads.
        work : callable
            Called with each `Share`.

        Returns
        -------
        list
        """
        n_shares = max(1, min(self._most, n_cells // PARALLEL_CELLS))
        if n_shares not in self._dealt:
            self._dealt[n_shares] = self._deal(n_shares)
        return in_parallel(
            [functools.partial(work, share) for share in self._dealt[n_shares]], worthwhile=True
        )

    def _deal(self, n_shares: int) -> list[Share]:
        """Deal the features of each block, four at a time if there are enough, to the smallest share."""
        parts: list[list[Part]] = [[] for _ in range(n_shares)]
        loads = [0] * n_shares
        for codes, features in zip(self._table.blocks, self._table.block_features, strict=True):
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
