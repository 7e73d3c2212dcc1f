"""How sure a rule is: CON-FOLD's confidence, and how good labels with a confidence are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

__all__ = ["Confidence", "inverse_brier_score"]


@dataclass(frozen=True, slots=True)
class Confidence:
    """The confidence of a rule, with its interval.

    Attributes
    ----------
    value : float
        From 0 to 1.
    low, high : float
        The ends of the interval; both are `value` where a person has set the confidence.

    Notes
    -----
    McGinness and Baumgartner, "CON-FOLD: Explainable Machine Learning with Confidence", arXiv 2408.07854: the
    centre of Wilson's score interval for the precision of the rule, with z = 3. The ends are those of the
    same interval, which covers 99.7 %.
    """

    value: float
    low: float
    high: float

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.value <= self.high <= 1:
            raise ValueError(
                f"a confidence must lie in its interval, and that from 0 to 1; got {self.value!r} "
                f"in [{self.low!r}, {self.high!r}]"
            )

    @classmethod
    def of(cls, correct: float, covered: float, z: float = 3.0) -> Self:
        """Return the confidence of a rule that is right about some of the examples that it covers.

        Parameters
        ----------
        correct, covered : float
            Weights of examples, ``0 <= correct <= covered``.
        z : float, default=3.0
            Half the width of the interval, in standard deviations.

        Examples
        --------
        >>> Confidence.of(9, 10).value
        0.7105263157894737
        """
        total = covered + z * z
        centre = (correct + z * z / 2) / total if total else 0.5
        if not covered:
            return cls(centre, 0.0, 1.0)
        wrong = covered - correct
        half = z * math.sqrt(correct * wrong / covered + z * z / 4) / total
        return cls(centre, max(0.0, centre - half), min(1.0, centre + half))

    @classmethod
    def given(cls, value: float) -> Self:
        """Return a confidence that a person has set, from 0 to 1."""
        return cls(float(value), float(value), float(value))


def inverse_brier_score(y_true: Any, y_pred: Any, confidence: Any) -> float:
    """Return how good labels with a confidence are: 1 at best.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
    confidence : array-like of float, shape (n_rows,)
        From 0 to 1; NaN where a row has no label.

    Returns
    -------
    float
        1 minus the mean of (1 - c)² for a right label, c² for a wrong one, and 0.25 for none.

    Notes
    -----
    As the authors of CON-FOLD define it.
    """
    right = np.asarray(y_true, dtype=object) == np.asarray(y_pred, dtype=object)
    sure = np.asarray(confidence, dtype=float)
    if not right.ndim == sure.ndim == 1 or len(right) != len(sure) or not len(sure):
        raise ValueError("y_true, y_pred and confidence must be of one length, of at least one row")
    if ((sure < 0) | (sure > 1)).any():
        raise ValueError("a confidence must be from 0 to 1, or NaN where a row has no label")
    return float(1 - np.mean(np.where(np.isnan(sure), 0.25, np.where(right, (1 - sure) ** 2, sure**2))))
