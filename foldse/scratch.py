"""Space for the search that is made once for a table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from foldse.cellplan import SIZE
from foldse.encoding import EncodedTable

__all__ = ["Scratch"]


class Scratch:
    """Space that operations on the rows of one table share.

    Parameters
    ----------
    table : EncodedTable

    Attributes
    ----------
    marks : numpy.ndarray of uint8, shape (n_rows,)
        Zero between operations.
    spare : numpy.ndarray of uint32, shape (n_rows,)
    """

    __slots__ = ("_idle", "_most_codes", "marks", "spare")

    def __init__(self, table: EncodedTable):
        self.marks = np.zeros(table.n_rows, dtype=np.uint8)
        self.spare = np.empty(table.n_rows, dtype=np.uint32)
        self._most_codes = int(table.plan.features[:, SIZE].max(initial=0))
        self._idle: list[np.ndarray] = []

    @contextmanager
    def counters(self, dtype: np.dtype) -> Iterator[np.ndarray]:
        """Lend counters of both sides for the codes of any one feature.

        Parameters
        ----------
        dtype : numpy.dtype
            The same in every call.

        Yields
        ------
        numpy.ndarray of dtype, shape (2, n_codes)
            Zero, and to be zero again in the end. What is never touched takes no memory.
        """
        try:
            lent = self._idle.pop()  # several threads may ask at once
        except IndexError:
            lent = np.zeros((2, self._most_codes), dtype=dtype)
        yield lent
        self._idle.append(lent)
