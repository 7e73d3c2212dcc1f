"""Scores of splits by their counts, and bounds on the scores of many (compiled kernels).

Counts are pairs throughout: the weight of positives, and that of negatives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from foldse.heuristics import SCORES, is_valid
from foldse.runtime.kernels import compiled_in, kernel

__all__ = ["HEURISTICS", "improve_on", "may_contain_best"]

HEURISTICS: Final = tuple(SCORES)  # the kernels know a score by its position here
_CONVEX: Final = tuple(score.convex for score in SCORES.values())
_MAGIC_GINI: Final = HEURISTICS.index("magic_gini")
_is_valid = compiled_in(is_valid)


def _scores_from(position: int) -> Callable[[int, float, float, float, float], float]:
    """Return a function (heuristic, tp, fn, tn, fp) -> score for the scores from a position on.

    Numba cannot index a tuple of different functions: it is a chain of branches, made here from the table.
    They are not kernels: closures of one line would share a file of machine code, whose index two processes
    that compile at once can mix up.
    """
    formula = compiled_in(SCORES[HEURISTICS[position]].formula)
    if position + 1 == len(HEURISTICS):

        def score(heuristic, tp, fn, tn, fp):
            if heuristic != position:
                raise ValueError("no score has this position in HEURISTICS")
            return formula(float(tp), float(fn), float(tn), float(fp))

    else:
        others = _scores_from(position + 1)

        def score(heuristic, tp, fn, tn, fp):
            if heuristic == position:
                return formula(float(tp), float(fn), float(tn), float(fp))
            return others(heuristic, tp, fn, tn, fp)

    return compiled_in(score)


_score = _scores_from(0)


@kernel
def _magic_gini_may_reach(inside, totals, best):
    """Return whether a split's magic Gini may be as large as a score, told without a root.

    Parameters
    ----------
    inside, totals : (int, int)
    best : float

    Returns
    -------
    bool

    Notes
    -----
    sqrt a + sqrt b is at most l where a + b + 2 sqrt(ab) is at most l^2. The factor leaves room for rounding.
    """
    limit = best * (totals[0] + totals[1])
    a = float(inside[0]) * float(inside[1])
    b = float(totals[0] - inside[0]) * float(totals[1] - inside[1])
    rest = limit * limit * 1.000000001 - a - b
    return rest >= 0.0 and 4.0 * a * b <= rest * rest * 1.000000001


@kernel
def improve_on(best, heuristic, inside, totals, allowed):
    """Return the score of a split and which literal has it, if it is larger than the best so far.

    Parameters
    ----------
    best : float
    heuristic : int
        Position in `HEURISTICS`.
    inside : (int, int)
        Weight of the examples that satisfy the literal.
    totals : (int, int)
        Of all examples.
    allowed : int
        Which of the two may be taken: bit 0 for the literal, bit 1 for its complement.

    Returns
    -------
    score : float
        `best` where it is not larger.
    complement : int
        0 if the literal is taken, 1 if its complement is, -1 if the score is not larger or neither may be
        taken.

    Notes
    -----
    A literal and its complement have the same score and one of them is valid, or both: then the literal comes
    first, if it is allowed. So the split is scored once.
    """
    (tp, fp), (n_pos, n_neg) = inside, totals
    fn, tn = n_pos - tp, n_neg - fp
    complement = 0
    if not allowed & 1 or not _is_valid(tp, fn, tn, fp):
        complement = 1
        tp, fn, tn, fp = fn, tp, fp, tn
        if not allowed & 2 or not _is_valid(tp, fn, tn, fp):
            return best, -1
    if heuristic == _MAGIC_GINI and not _magic_gini_may_reach(inside, totals, best):
        return best, -1
    score = _score(heuristic, tp, fn, tn, fp)
    if score > best:
        return score, complement
    return best, -1


@kernel
def _rectangle_may_reach(heuristic, least, block, totals, best):
    """Return whether a split within a block of values may score as much as the best so far.

    Parameters
    ----------
    heuristic : int
        Position in `HEURISTICS`, of a score that is convex.
    least : (int, int)
        Weight of the examples that every split of the block has inside.
    block : (int, int)
        Weight of the examples of the block.
    totals : (int, int)
        Of all examples.
    best : float

    Returns
    -------
    bool

    Notes
    -----
    All splits of the block lie in a rectangle of (tp, fp), over which a convex score is largest at a corner.
    """
    for corner in range(4):
        tp = least[0] + (block[0] if corner & 1 else 0)
        fp = least[1] + (block[1] if corner & 2 else 0)
        if heuristic == _MAGIC_GINI:
            if _magic_gini_may_reach((tp, fp), totals, best):
                return True
            continue
        fn, tn = totals[0] - tp, totals[1] - fp
        if not _is_valid(tp, fn, tn, fp):
            tp, fn, tn, fp = fn, tp, fp, tn
        # The sum leaves room for rounding; the scores are of the order of one.
        if _score(heuristic, tp, fn, tn, fp) + 1e-9 > best:
            return True
    return False


@kernel
def may_contain_best(heuristic, below, block, n_numeric, totals, best):
    """Return whether a threshold at a value of a block may score as much as the best so far.

    Parameters
    ----------
    heuristic : int
        Position in `HEURISTICS`.
    below, block, n_numeric, totals : (int, int)
        Weight of the examples with a number below the block, in the block, with any number, and of all.
    best : float

    Returns
    -------
    bool
    """
    if block[0] == 0 and block[1] == 0:
        return False
    if not _CONVEX[heuristic] or best == -np.inf:
        return True
    if _rectangle_may_reach(heuristic, below, block, totals, best):
        return True
    if n_numeric == totals:
        return False  # without other values > is the complement of <=
    above = (n_numeric[0] - below[0] - block[0], n_numeric[1] - below[1] - block[1])
    return _rectangle_may_reach(heuristic, above, block, totals, best)
