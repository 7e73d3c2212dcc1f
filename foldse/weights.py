"""Sample weights as integers, so that sums of them are exact and independent of the order of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

__all__ = ["IntegerWeights"]

RESOLUTION = 2**50  # of the total; sums stay below 2**53 and so are exact as floats, too


@dataclass(frozen=True, slots=True)
class IntegerWeights:
    """Weights, each times a common scale.

    Attributes
    ----------
    values : numpy.ndarray of int64
    scale : float
        What a weight of 1 is among `values`; 1 where all weights are integers.
    """

    values: np.ndarray
    scale: float

    @property
    def total(self) -> float:
        """Sum of the weights as they were given."""
        return int(self.values.sum()) / self.scale

    def take(self, rows: np.ndarray) -> Self:
        """Return the weights of some rows, on the same scale."""
        return type(self)(self.values[rows], self.scale)

    @classmethod
    def of(cls, weights: Any, n_rows: int) -> Self:
        """Read weights as a user gives them.

        Parameters
        ----------
        weights : array-like of shape (n_rows,) or number
        n_rows : int

        Returns
        -------
        IntegerWeights

        Raises
        ------
        ValueError
            If there are not `n_rows` of them, or one is negative, missing or infinite.
        """
        given = np.asarray(weights, dtype=np.float64)
        if given.ndim == 0:
            given = np.full(n_rows, float(given))
        if given.shape != (n_rows,):
            raise ValueError(f"sample_weight.shape == {given.shape}, expected {(n_rows,)}!")
        bad = np.flatnonzero(~(np.isfinite(given) & (given >= 0)))
        if len(bad):
            raise ValueError(
                f"sample_weight of row {bad[0]} is {given[bad[0]]}; weights must be finite and not negative"
            )
        total = given.sum()
        if total < RESOLUTION and (given == np.floor(given)).all():
            return cls(given.astype(np.int64), 1)
        scale = RESOLUTION / total
        values = np.rint(given * scale).astype(np.int64)
        values[(given > 0) & (values == 0)] = 1  # a row that was given a weight keeps one
        return cls(values, scale)
