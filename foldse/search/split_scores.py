"""Scores of splits by their counts, and bounds on the scores of many (compiled kernels)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from foldse.heuristics import SCORES, is_valid
from foldse.runtime.kernels import kernel

__all__ = ["HEURISTICS", "better", "opens"]

HEURISTICS: Final = tuple(SCORES)  # the kernels know a score by its position here
_CONVEX: Final = tuple(score.convex for score in SCORES.values())
_MAGIC_GINI: Final = HEURISTICS.index("magic_gini")
_is_valid = kernel(is_valid)


def _scores_from(position: int) -> Callable[[int, float, float, float, float], float]:
    """Compile a kernel (heuristic, tp, fn, tn, fp) -> score for the scores from a position on.

    Numba cannot index a tuple of different functions: it is a chain of branches, made here from the table.
    """
    formula = kernel(SCORES[HEURISTICS[position]].formula)
    if position + 1 == len(HEURISTICS):

        @kernel
        def score(heuristic, tp, fn, tn, fp):
            if heuristic != position:
                raise ValueError("no score has this position in HEURISTICS")
            return formula(float(tp), float(fn), float(tn), float(fp))

    else:
        others = _scores_from(position + 1)

        @kernel
        def score(heuristic, tp, fn, tn, fp):
            if heuristic == position:
                return formula(float(tp), float(fn), float(tn), float(fp))
            return others(heuristic, tp, fn, tn, fp)

    return score


_score = _scores_from(0)


@kernel
def _may_beat(tp, fp, n_pos, n_neg, best):
    """Whether a split's magic Gini may be above the best so far, told without a root.

    sqrt a + sqrt b is at most l where a + b + 2 sqrt(ab) is at most l^2. The factor leaves room for rounding.
    """
    limit = best * (n_pos + n_neg)
    a = float(tp) * float(fp)
    b = float(n_pos - tp) * float(n_neg - fp)
    rest = limit * limit * 1.000000001 - a - b
    return rest >= 0.0 and 4.0 * a * b <= rest * rest * 1.000000001


@kernel
def better(heuristic, inside, totals, both, best):
    """Return (score, complement) of a split if it beats the best so far, else (best, -1).

    A literal and its complement have the same score and one of them is valid, or both: the split is
    scored once. `complement` is 0 if the literal itself is the first valid one and 1 if its complement
    is, which counts only if the comparison has one (`both`). Counts are pairs of positives and negatives:
    those `inside` satisfy the literal.
    """
    (tp, fp), (n_pos, n_neg) = inside, totals
    fn, tn = n_pos - tp, n_neg - fp
    complement = 0
    if not _is_valid(tp, fn, tn, fp):
        if not both:
            return best, -1
        complement = 1
        tp, fn, tn, fp = fn, tp, fp, tn
    if heuristic == _MAGIC_GINI and not _may_beat(tp, fp, n_pos, n_neg, best):
        return best, -1
    score = _score(heuristic, tp, fn, tn, fp)
    if score > best:
        return score, complement
    return best, -1


@kernel
def _run_may_beat(heuristic, least, here, totals, best):
    """Whether any split within a run of values may be as good as the best so far.

    Magic Gini, information gain and weighted Gini are convex functions of the two counts, so that over
    the rectangle in which all splits of the run lie they are largest at a corner.
    """
    n_pos, n_neg = totals
    for corner in range(4):
        tp = least[0] + (here[0] if corner & 1 else 0)
        fp = least[1] + (here[1] if corner & 2 else 0)
        if heuristic == _MAGIC_GINI:
            if _may_beat(tp, fp, n_pos, n_neg, best):
                return True
            continue
        fn, tn = n_pos - tp, n_neg - fp
        if not _is_valid(tp, fn, tn, fp):
            tp, fn, tn, fp = fn, tp, fp, tn
        # The sum leaves room for rounding; the scores are of the order of one.
        if _score(heuristic, tp, fn, tn, fp) + 1e-9 > best:
            return True
    return False


@kernel
def opens(heuristic, below, here, numbers, totals, best):
    """Whether a threshold of a run may be as good as the best so far; pairs are (positive, negative)."""
    if here[0] == 0 and here[1] == 0:
        return False
    if not _CONVEX[heuristic] or best == -np.inf:
        return True
    if _run_may_beat(heuristic, below, here, totals, best):
        return True
    if numbers == totals:
        return False  # without other values > is the complement of <=
    above = (numbers[0] - below[0] - here[0], numbers[1] - below[1] - here[1])
    return _run_may_beat(heuristic, above, here, totals, best)
