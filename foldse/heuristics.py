"""Scores of a candidate literal, by name.

A score looks only at the four counts (or weights) that a literal leaves behind on the examples (E+, E-):
``tp`` and ``fn``, the positives that satisfy it and those that do not; ``fp`` and ``tn``, the negatives
that satisfy it and those that do not. The larger score is the better literal.

To add a score, write a function of the four counts and a line in `SCORES`: the search, the estimators and
the command line read that table. The function is called for valid literals only (see `is_valid`), with
floats, and is compiled: it may use ``math`` and functions inside itself. The search scores a literal and its
complement, (fn, tp, fp, tn), once, as whichever of the two is valid. Where both are, their scores must be
the same float to the last bit: sum one term for the rows inside and one for the rows outside.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

__all__ = [
    "SCORES",
    "Score",
    "chi_square",
    "gini_printed",
    "information_gain",
    "is_valid",
    "magic_gini",
    "weighted_gini",
]


def is_valid(tp: float, fn: float, tn: float, fp: float) -> bool:
    """Return whether a literal gets at least as many examples right as wrong, and there are any.

    Parameters
    ----------
    tp, fn, tn, fp : int or float, at least 0
    """
    return tp + tn >= fp + fn and tp + tn > 0


@dataclass(frozen=True, slots=True)
class Score:
    """A score of literals, and what is known of it.

    Attributes
    ----------
    formula : callable
        The score of a valid literal: (tp, fn, tn, fp), as floats, to float.
    convex : bool
        Whether the formula is a convex function of (tp, fp) for given totals, tp + fn and fp + tn. Then no
        point of a rectangle beats its best corner, and the search passes over thresholds in bulk. The bound
        leaves 1e-9 for rounding: scores have to be of the order of one. False is always right, and slower.
    """

    formula: Callable[[float, float, float, float], float]
    convex: bool

    def __call__(self, tp: float, fn: float, tn: float, fp: float) -> float:
        """Return the score of a literal, minus infinity where it is not valid.

        Parameters
        ----------
        tp, fn, tn, fp : int or float, at least 0
            Counts or weights of the examples.
        """
        if not is_valid(tp, fn, tn, fp):
            return -math.inf
        # As floats, so that interpreted and compiled code round alike.
        return self.formula(float(tp), float(fn), float(tn), float(fp))


def magic_gini(tp: float, fn: float, tn: float, fp: float) -> float:
    """Magic Gini impurity, negated: the score with which FOLD-SE's published results come out.

    Parameters
    ----------
    tp, fn, tn, fp : float, at least 0

    Returns
    -------
    float
        ``-(sqrt(tp*fp) + sqrt(tn*fn)) / (tp+fn+tn+fp)``, between -0.5 and 0.

    Notes
    -----
    Deviates from Equation 1 of the FOLD-SE paper as printed (see `gini_printed`), which gives neither the
    scores of the paper's own worked example nor its result tables; this one gives both. It is the
    splitting criterion of Dietterich, Kearns and Mansour (1996).
    """
    return -(math.sqrt(tp * fp) + math.sqrt(tn * fn)) / (tp + fn + tn + fp)


def information_gain(tp: float, fn: float, tn: float, fp: float) -> float:
    """Information gain as FOLD-R++ computes it: the negated conditional entropy, in nats.

    Parameters
    ----------
    tp, fn, tn, fp : float, at least 0

    Returns
    -------
    float
        The sum of ``x/N * ln(x/s)`` over tp and fp (s = tp+fp) and over tn and fn (s = tn+fn), empty terms
        dropped: between -ln 2 and 0.

    Notes
    -----
    The entropy of the unsplit examples is left out: it is the same for every literal of a search.
    """
    total = tp + fn + tn + fp

    def side(a: float, b: float) -> float:
        first = a / total * math.log(a / (a + b)) if a > 0.0 else 0.0
        second = b / total * math.log(b / (a + b)) if b > 0.0 else 0.0
        return first + second

    return side(tp, fp) + side(tn, fn)


def weighted_gini(tp: float, fn: float, tn: float, fp: float) -> float:
    """Weighted Gini impurity of the two sides of a split, negated.

    Parameters
    ----------
    tp, fn, tn, fp : float, at least 0

    Returns
    -------
    float
        ``-(2*tp*fp/(tp+fp) + 2*tn*fn/(tn+fn)) / (tp+fn+tn+fp)``, between -0.5 and 0.
    """
    inside = 2.0 * (tp * fp) / (tp + fp) if tp + fp > 0.0 else 0.0
    outside = 2.0 * (tn * fn) / (tn + fn) if tn + fn > 0.0 else 0.0
    return -(inside + outside) / (tp + fn + tn + fp)


def chi_square(tp: float, fn: float, tn: float, fp: float) -> float:
    """Pearson's chi-square statistic of the 2 x 2 table, without continuity correction.

    Parameters
    ----------
    tp, fn, tn, fp : float, at least 0

    Returns
    -------
    float
        ``N * (tp*tn - fp*fn)^2 / ((tp+fp)(tn+fn)(tp+fn)(tn+fp))``, at least 0; 0 where a margin is empty.
    """
    margins = (tp + fp) * (tn + fn) * ((tp + fn) * (tn + fp))
    if margins == 0.0:
        return 0.0
    difference = tp * tn - fp * fn
    return (tp + fn + tn + fp) * (difference * difference) / margins


def gini_printed(tp: float, fn: float, tn: float, fp: float) -> float:
    """Magic Gini impurity as Equation 1 of the FOLD-SE paper prints it: without the sizes of the sides.

    Parameters
    ----------
    tp, fn, tn, fp : float, at least 0

    Returns
    -------
    float
        ``-sqrt(tp*fp)/(tp+fp) - sqrt(tn*fn)/(tn+fn)``, between -1 and 0, an empty side counting as pure.

    Notes
    -----
    Kept for the ablation: the paper's results do not follow from it. See `magic_gini`.
    """
    inside = math.sqrt(tp * fp) / (tp + fp) if tp + fp > 0.0 else 0.0
    outside = math.sqrt(tn * fn) / (tn + fn) if tn + fn > 0.0 else 0.0
    return -(inside + outside)


SCORES: Final[dict[str, Score]] = {
    "magic_gini": Score(magic_gini, convex=True),
    "information_gain": Score(information_gain, convex=True),
    "weighted_gini": Score(weighted_gini, convex=True),
    "chi_square": Score(chi_square, convex=False),  # convex, but as large as the number of rows
    "gini_printed": Score(gini_printed, convex=False),
}
"""The scores by the name that an estimator's ``heuristic`` parameter takes."""
