"""How sure a rule is of its label: the centre and the ends of Wilson's score interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

__all__ = ["Confidence"]


@dataclass(frozen=True, slots=True)
class Confidence:
    """The probability that a rule is right, as far as the rows that it covers tell.

    Attributes
    ----------
    value : float
        From 0 to 1; 0.5 where nothing is known.
    low, high : float
        Ends of the interval around it.

    Notes
    -----
    The confidence of McGinness and Baumgartner, "CON-FOLD: Explainable Machine Learning with Confidence",
    arXiv 2408.07854: the centre of Wilson's score interval, (tp + z**2 / 2) / (n + z**2) with tp of n covered
    rows right. It is nearer to a half than the precision, the more so the fewer rows are covered. The ends
    are those of the same interval (Wilson, "Probable Inference, the Law of Succession, and Statistical
    Inference", 1927): value -+ z / (n + z**2) * sqrt(tp * (n - tp) / n + z**2 / 4).
    """

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, correct: float, covered: float, z: float = 3.0) -> Self:
        """Return the confidence in a rule.

        Parameters
        ----------
        correct : float
            Weight of the covered rows on which the rule is right; from 0 to `covered`.
        covered : float
            Weight of the covered rows; at least 0.
        z : float, default=3.0
            Half the width of the interval, in standard deviations; above 0. The paper takes 3.

        Returns
        -------
        Confidence

        Raises
        ------
        ValueError
            If a number is out of its range.
        """
        if not 0 <= correct <= covered < math.inf:
            raise ValueError(f"correct must be from 0 to covered, got {correct} of {covered}")
        if not 0 < z < math.inf:
            raise ValueError(f"z must be a finite number above 0, got {z}")
        total = covered + z * z
        value = (correct + z * z / 2) / total
        spread = correct * (covered - correct) / covered if covered else 0.0
        half = z / total * math.sqrt(spread + z * z / 4)
        return cls(value, max(value - half, 0.0), min(value + half, 1.0))
