"""Sample weights as integers, so that sums of them are exact and independent of the order of rows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np

__all__ = ["IntegerWeights", "class_weights", "weights_by_class"]

RESOLUTION = 2**50  # of the total; sums stay below 2**53 and so are exact as floats, too
MOST_FRACTIONS = 1000  # different weights that are looked at as fractions
LARGEST_DENOMINATOR = 10**8
LARGEST_TOTAL, SMALLEST_TOTAL = 1e307, 1e-290  # beyond these, a scale or a sum is not a float


@dataclass(frozen=True, slots=True)
class IntegerWeights:
    """Weights, each times a common scale.

    Attributes
    ----------
    values : numpy.ndarray of int64
    scale : float
        What a weight of 1 is among `values`; 1 where all weights are integers.

    Notes
    -----
    Weights that are fractions, such as 0.1 or those of balanced classes, are taken times their common
    denominator, so that ten times 0.1 is 1 and what should be as heavy is. Others are rounded.
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
            If there are not `n_rows` of them, one is negative, missing or infinite, or their total is above
            1e307 or, if not 0, below 1e-290.
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
        with np.errstate(over="ignore"):
            total = given.sum()
        if total > LARGEST_TOTAL or 0 < total < SMALLEST_TOTAL:
            size, way = ("large", "divide") if total > 1 else ("small", "multiply")
            raise ValueError(
                f"sample_weight adds up to {total:.3g}, which is too {size}; {way} all weights by one number"
            )
        if total < RESOLUTION and (given == np.floor(given)).all():
            return cls(given.astype(np.int64), 1)
        exact = _common_denominator(given, total)
        if exact is not None:
            return cls(np.rint(given * exact).astype(np.int64), exact)
        scale = RESOLUTION / total
        values = np.rint(given * scale).astype(np.int64)
        values[(given > 0) & (values == 0)] = 1  # a row that was given a weight keeps one
        return cls(values, scale)


def _common_denominator(weights: np.ndarray, total: float) -> int | None:
    """Return what makes all weights whole, if they are fractions for which sums stay exact; else None."""
    distinct = np.unique(weights)
    if len(distinct) > MOST_FRACTIONS:
        return None
    common = 1
    for weight in distinct.tolist():
        fraction = Fraction(weight).limit_denominator(LARGEST_DENOMINATOR)
        if not math.isclose(float(fraction), weight, rel_tol=1e-15):
            return None
        common = math.lcm(common, fraction.denominator)
        if common * total >= RESOLUTION:
            return None
    return common


def class_weights(
    given: Any, classes: Sequence[Any], labels: np.ndarray, sample_weight: IntegerWeights | None
) -> np.ndarray:
    """Return the weight of each class.

    Parameters
    ----------
    given : "balanced" or mapping from label to number
        As of scikit-learn's classifiers: with ``"balanced"`` all classes weigh the same and the total stays,
        which takes sample weights into account; a class that a mapping leaves out has weight 1.
    classes : sequence
        Labels.
    labels : numpy.ndarray of int, shape (n_rows,)
        Position of each row's class.
    sample_weight : IntegerWeights or None
        Weights of the rows.

    Returns
    -------
    numpy.ndarray of float64, shape (n_classes,)
        Factors of the weights of the rows.

    Raises
    ------
    ValueError
        If a weight is not a finite number of at least 0, or the mapping names what is not a label while it
        leaves a label out.

    Notes
    -----
    Not through `sklearn.utils.class_weight`, which takes the label ``'1'`` for 1, and whose older versions
    leave sample weights out of balanced ones.
    """
    if isinstance(given, str) and given == "balanced":
        values = np.ones(len(labels)) if sample_weight is None else sample_weight.values
        found = np.bincount(labels, weights=values, minlength=len(classes))
        present = found > 0
        # The scale of the weights is above and below the line.
        return np.divide(found.sum(), present.sum() * found, out=np.zeros(len(classes)), where=present)
    if not isinstance(given, Mapping):
        raise ValueError(
            f"class_weight must be 'balanced', a dict from label to weight or None; got {given!r}"
        )
    for label, weight in given.items():
        is_number = isinstance(weight, int | float | np.number) and not isinstance(weight, bool)
        if not is_number or not 0 <= weight < math.inf:
            raise ValueError(
                f"class_weight of {label!r} is {weight!r}; it must be a finite number of at least 0"
            )
    missing = [label for label in classes if label not in given]
    unknown = [label for label in given if label not in classes]
    if missing and unknown:
        raise ValueError(
            f"class_weight names {unknown[0]!r}, which is not a class of y; "
            f"its labels are {', '.join(map(repr, classes))}"
        )
    return np.array([float(given.get(label, 1)) for label in classes])


def weights_by_class(
    given: Any, classes: Sequence[Any], labels: np.ndarray, sample_weight: IntegerWeights | None
) -> IntegerWeights | None:
    """Return the weights of rows times those of their classes; None where each counts once.

    Parameters
    ----------
    given : "balanced", mapping from label to number, or None
        See `class_weights`.
    classes : sequence
        Labels.
    labels : numpy.ndarray of int, shape (n_rows,)
        Position of each row's class.
    sample_weight : IntegerWeights or None
        Weights of the rows.
    """
    if given is None:
        return sample_weight
    factors = class_weights(given, classes, labels, sample_weight)[labels]
    of_rows = 1 if sample_weight is None else sample_weight.values / sample_weight.scale
    return IntegerWeights.of(of_rows * factors, len(labels))
