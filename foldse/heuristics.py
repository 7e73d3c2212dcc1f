"""Scores of a candidate literal, by name.

A score looks only at the four counts that a literal leaves behind on the examples (E+, E-):
``tp`` and ``fn``, the positives that satisfy it and those that do not; ``fp`` and ``tn``, the negatives
that satisfy it and those that do not. The larger score is the better literal.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from numba.extending import register_jitable

__all__ = ["SCORES", "chi_square", "gini_printed", "information_gain", "magic_gini", "weighted_gini"]

# Every score below is written so that a literal and its complement, (tp, fn, tn, fp) and
# (fn, tp, fp, tn), get the same float to the last bit: each is a commutative sum of one term for the
# rows inside and one for the rows outside. The search relies on it and scores the two once.
# Counts are turned into floats first, so that interpreted and compiled code round alike.


@register_jitable
def magic_gini(tp: float, fn: float, tn: float, fp: float) -> float:
    """Magic Gini impurity, negated: the score with which FOLD-SE's published results come out.

    Parameters
    ----------
    tp, fn, tn, fp : int or float, at least 0
        Counts (or weights) of the examples.

    Returns
    -------
    float
        ``-(sqrt(tp*fp) + sqrt(tn*fn)) / (tp+fn+tn+fp)``, between -0.5 and 0; minus infinity where
        ``tp + tn < fp + fn``.

    Notes
    -----
    Deviates from Equation 1 of the FOLD-SE paper as printed (see `gini_printed`), which gives neither the
    scores of the paper's own worked example nor its result tables; this one gives both. It is the
    splitting criterion of Dietterich, Kearns and Mansour (1996).
    """
    tp, fn, tn, fp = float(tp), float(fn), float(tn), float(fp)
    if tp + tn < fp + fn:
        return -math.inf
    total = tp + fn + tn + fp
    if total == 0.0:
        return -math.inf
    return -(math.sqrt(tp * fp) + math.sqrt(tn * fn)) / total


@register_jitable
def _impurity_term(a: float, b: float, total: float) -> float:
    """Return ``a/total * ln(a/(a+b)) + b/total * ln(b/(a+b))`` with empty terms dropped."""
    first = a / total * math.log(a / (a + b)) if a > 0.0 else 0.0
    second = b / total * math.log(b / (a + b)) if b > 0.0 else 0.0
    return first + second


@register_jitable
def information_gain(tp: float, fn: float, tn: float, fp: float) -> float:
    """Information gain as FOLD-R++ computes it: the negated conditional entropy, in nats.

    Parameters
    ----------
    tp, fn, tn, fp : int or float, at least 0
        Counts (or weights) of the examples.

    Returns
    -------
    float
        The sum of ``x/N * ln(x/s)`` over tp and fp (s = tp+fp) and over tn and fn (s = tn+fn), between
        -ln 2 and 0; minus infinity where ``tp + tn < fp + fn``.

    Notes
    -----
    The entropy of the unsplit examples is left out: it is the same for every literal of a search.
    """
    tp, fn, tn, fp = float(tp), float(fn), float(tn), float(fp)
    if tp + tn < fp + fn:
        return -math.inf
    total = tp + fn + tn + fp
    if total == 0.0:
        return -math.inf
    return _impurity_term(tp, fp, total) + _impurity_term(tn, fn, total)


@register_jitable
def weighted_gini(tp: float, fn: float, tn: float, fp: float) -> float:
    """Weighted Gini impurity of the two sides of a split, negated.

    Parameters
    ----------
    tp, fn, tn, fp : int or float, at least 0
        Counts (or weights) of the examples.

    Returns
    -------
    float
        ``-(2*tp*fp/(tp+fp) + 2*tn*fn/(tn+fn)) / (tp+fn+tn+fp)``, between -0.5 and 0; minus infinity
        where ``tp + tn < fp + fn``.
    """
    tp, fn, tn, fp = float(tp), float(fn), float(tn), float(fp)
    if tp + tn < fp + fn:
        return -math.inf
    total = tp + fn + tn + fp
    if total == 0.0:
        return -math.inf
    inside = 2.0 * (tp * fp) / (tp + fp) if tp + fp > 0.0 else 0.0
    outside = 2.0 * (tn * fn) / (tn + fn) if tn + fn > 0.0 else 0.0
    return -(inside + outside) / total


@register_jitable
def chi_square(tp: float, fn: float, tn: float, fp: float) -> float:
    """Pearson's chi-square statistic of the 2 x 2 table, without continuity correction.

    Parameters
    ----------
    tp, fn, tn, fp : int or float, at least 0
        Counts (or weights) of the examples.

    Returns
    -------
    float
        ``N * (tp*tn - fp*fn)^2 / ((tp+fp)(tn+fn)(tp+fn)(tn+fp))``, at least 0, and 0 where a margin is
        empty; minus infinity where ``tp + tn < fp + fn``.
    """
    tp, fn, tn, fp = float(tp), float(fn), float(tn), float(fp)
    if tp + tn < fp + fn:
        return -math.inf
    total = tp + fn + tn + fp
    margins = (tp + fp) * (tn + fn) * ((tp + fn) * (tn + fp))
    if total == 0.0:
        return -math.inf
    if margins == 0.0:
        return 0.0
    difference = tp * tn - fp * fn
    return total * (difference * difference) / margins


@register_jitable
def gini_printed(tp: float, fn: float, tn: float, fp: float) -> float:
    """Magic Gini impurity as Equation 1 of the FOLD-SE paper prints it: without the sizes of the sides.

    Parameters
    ----------
    tp, fn, tn, fp : int or float, at least 0
        Counts (or weights) of the examples.

    Returns
    -------
    float
        ``-sqrt(tp*fp)/(tp+fp) - sqrt(tn*fn)/(tn+fn)``, between -1 and 0, an empty side counting as
        pure; minus infinity where ``tp + tn < fp + fn``.

    Notes
    -----
    Kept for the ablation: the paper's results do not follow from it. See `magic_gini`.
    """
    tp, fn, tn, fp = float(tp), float(fn), float(tn), float(fp)
    if tp + tn < fp + fn:
        return -math.inf
    if tp + fn + tn + fp == 0.0:
        return -math.inf
    inside = math.sqrt(tp * fp) / (tp + fp) if tp + fp > 0.0 else 0.0
    outside = math.sqrt(tn * fn) / (tn + fn) if tn + fn > 0.0 else 0.0
    return -(inside + outside)


SCORES: Final[dict[str, Callable[[float, float, float, float], float]]] = {
    "magic_gini": magic_gini,
    "information_gain": information_gain,
    "weighted_gini": weighted_gini,
    "chi_square": chi_square,
    "gini_printed": gini_printed,
}
"""The scores by the name that an estimator's ``heuristic`` parameter takes."""
