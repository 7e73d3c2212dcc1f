"""Dealing the features of a table to threads."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np

from foldse.encoding import EncodedTable
from foldse.threads import MOST_PARALLEL_ROWS, in_parallel, n_threads

__all__ = ["FeatureShares", "Part", "Share"]

T = TypeVar("T")

Part = tuple[np.ndarray, np.ndarray]
"""A block of codes, and the positions of some of its features, ascending."""

PARALLEL_CELLS: Final = 400_000  # for each thread to count: to wake one takes as long as to count 80,000
NO_FEATURES: Final = np.empty(0, dtype=np.int64)


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
        """
        n_shares = max(1, min(self._most, n_cells // PARALLEL_CELLS))
        if n_shares not in self._dealt:
            self._dealt[n_shares] = self._deal(n_shares)
        return in_parallel(
            [functools.partial(work, share) for share in self._dealt[n_shares]], worthwhile=n_shares > 1
        )

    def _deal(self, n_shares: int) -> list[Share]:
        parts: list[list[Part]] = [[] for _ in range(n_shares)]
        for codes, features in zip(self._table.blocks, self._table.block_features, strict=True):
            bounds = itertools.pairwise(_bounds(len(features), n_shares))
            for part, (begin, end) in zip(parts, bounds, strict=True):
                if begin < end:
                    part.append((codes, features[begin:end]))
        return [
            Share(tuple(part), np.sort(np.concatenate([NO_FEATURES, *(features for _, features in part)])))
            for part in parts
        ]


def _bounds(n_features: int, n_shares: int) -> list[int]:
    """Return where each share of features begins, and where the last ends: in fours if there are enough."""
    together = 4 if n_features >= 4 * n_shares else 1
    inner = [together * round(n_features * share / (n_shares * together)) for share in range(n_shares)]
    return [*inner, n_features]
