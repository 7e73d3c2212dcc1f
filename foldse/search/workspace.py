"""What the searches of one table share: space, and how its features are dealt to threads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import numpy as np

from foldse.reading.encoding import EncodedTable
from foldse.search.histogram_layout import SIZE, CellPlan
from foldse.search.sharing import FeatureShares

__all__ = ["LEAST_CODES", "Scratch"]

LEAST_CODES: Final = 16  # rows that are not to be counted add nothing, to one of the first so many counters


class Scratch:
    """What operations on the rows of one table share.

    Parameters
    ----------
    table : EncodedTable
    weighted : bool
        Whether rows count by weights.
    plan : CellPlan, optional
        Which counters are kept from search to search; by default what `CellPlan.of` makes of the table.

    Attributes
    ----------
    count_dtype : numpy.dtype
        Of counters: unweighted ones need four bytes only, as rows do.
    shares : FeatureShares
        Of the table.
    marks : numpy.ndarray of uint8, shape (n_rows,)
        Zero between operations.
    spare : numpy.ndarray of uint32, shape (n_rows,)
    """

    __slots__ = ("_idle", "_most_codes", "count_dtype", "marks", "plan", "shares", "spare")

    def __init__(self, table: EncodedTable, weighted: bool, plan: CellPlan | None = None):
        self.plan = CellPlan.of(table) if plan is None else plan
        self.count_dtype = np.dtype(np.int64 if weighted else np.int32)
        self.shares = FeatureShares(table)
        self.marks = np.zeros(table.n_rows, dtype=np.uint8)
        self.spare = np.empty(table.n_rows, dtype=np.uint32)
        self._most_codes = max(LEAST_CODES, int(self.plan.features[:, SIZE].max(initial=0)))
        self._idle: list[np.ndarray] = []

    @contextmanager
    def lent_counters(self) -> Iterator[np.ndarray]:
        """Lend counters of both sides for the codes of any one feature.

        Yields
        ------
        numpy.ndarray of count_dtype, shape (2, n_codes)
            Zero, and to be zero again in the end. Pages of memory that are never touched are never there;
            those that are stay until the table is learned: at most two counters for each code of the
            feature that has the most, for each thread.
        """
        try:
            lent = self._idle.pop()  # several threads may ask at once
        except IndexError:
            lent = np.zeros((2, self._most_codes), dtype=self.count_dtype)
        yield lent
        self._idle.append(lent)
