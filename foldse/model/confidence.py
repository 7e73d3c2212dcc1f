"""How sure a rule is: CON-FOLD's confidence, and how good labels with a confidence are."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Self

__all__ = ["Confidence", "inverse_brier_score"]


Z = 3.0  # half the width of the interval, in standard deviations


@dataclass(frozen=True, slots=True)
class Confidence:
    """The confidence of a rule, with its interval.

    Attributes
    ----------
    value : float
        From 0 to 1.
    low, high : float
        The ends of the interval; both are `value` where a person has set the confidence.
    evidence : (float, float) or None
        Weight of the examples that the rule is right about, and of those that it covers; None where a person
        has set the confidence.

    Notes
    -----
    McGinness and Baumgartner, "CON-FOLD: Explainable Machine Learning with Confidence", arXiv 2408.07854: the
    centre of Wilson's score interval for the precision of the rule, with z = 3. The ends are those of the
    same interval, which covers 99.7 %.
    """

    value: float
    low: float
    high: float
    evidence: tuple[float, float] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.value <= self.high <= 1:
            raise ValueError(
                f"a confidence must lie in its interval, and that from 0 to 1; got {self.value!r} "
                f"in [{self.low!r}, {self.high!r}]"
            )

    def __str__(self) -> str:
        if self.low == self.high:
            return f"{self.value:.2f}"
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f})"

    @classmethod
    def of(cls, correct: float, covered: float) -> Self:
        """Return the confidence of a rule that is right about some of the examples that it covers.

        Parameters
        ----------
        correct, covered : float
            Weights of examples, ``0 <= correct <= covered``.

        Examples
        --------
        >>> Confidence.of(9, 10).value
        0.7105263157894737
        """
        total = covered + Z * Z
        centre = (correct + Z * Z / 2) / total
        spread = correct * (covered - correct) / covered if covered else 0.0
        half = Z * math.sqrt(spread + Z * Z / 4) / total
        evidence = float(correct), float(covered)
        return cls(float(centre), max(0.0, float(centre - half)), min(1.0, float(centre + half)), evidence)

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
    import numpy as np  # not above: a program is printed without it

    right = np.asarray(y_true, dtype=object) == np.asarray(y_pred, dtype=object)
    sure = np.asarray(confidence, dtype=float)
    if not right.ndim == sure.ndim == 1 or len(right) != len(sure) or not len(sure):
        raise ValueError("y_true, y_pred and confidence must be of one length, of at least one row")
    if ((sure < 0) | (sure > 1)).any():
        raise ValueError("a confidence must be from 0 to 1, or NaN where a row has no label")
    return float(1 - np.mean(np.where(np.isnan(sure), 0.25, np.where(right, (1 - sure) ** 2, sure**2))))
