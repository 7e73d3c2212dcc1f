"""The best literal among counted codes (compiled kernels).

A literal is an operator, as its position in `foldse.literals.Op`, and the code of a value.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from foldse.compiling import kernel
from foldse.heuristics import SCORES, chi_square, gini_printed, information_gain, magic_gini, weighted_gini
from foldse.literals import Op

__all__ = ["HEURISTICS", "OPS", "SPARSE", "scan_features"]

HEURISTICS: Final = tuple(SCORES)  # their positions are what the kernels branch on
OPS: Final = tuple(Op)  # likewise
_LE, _NOT_LE, _GT, _NOT_GT, _EQ, _NE = range(6)

# A feature with more codes than this many times the rows at hand is not worth counters that have to be
# cleared and read through: the codes that occur are collected and sorted instead.
SPARSE: Final = 32

RUN: Final = 64  # values that are passed over together if none of them can be the best threshold


@kernel
def _score(heuristic, tp, fn, tn, fp):
    if heuristic == 0:
        return magic_gini(tp, fn, tn, fp)
    if heuristic == 1:
        return information_gain(tp, fn, tn, fp)
    if heuristic == 2:
        return weighted_gini(tp, fn, tn, fp)
    if heuristic == 3:
        return chi_square(tp, fn, tn, fp)
    return gini_printed(tp, fn, tn, fp)


@kernel
def _better(heuristic, tp, fp, n_pos, n_neg, both, best):
    """Return (score, complement) of a split if it beats the best so far, else (best, -1).

    A literal and its complement have the same score and one of them is valid, or both: the split is
    scored once. `complement` is 0 if the literal itself is the first valid one and 1 if its complement
    is, which counts only if the comparison has one (`both`).
    """
    fn, tn = n_pos - tp, n_neg - fp
    complement = 0
    if tp + tn < fn + fp:
        if not both:
            return best, -1
        complement = 1
        tp, fn, tn, fp = fn, tp, fp, tn
    if heuristic == 0 and not _may_beat(tp, fp, n_pos, n_neg, best):
        return best, -1
    score = _score(heuristic, tp, fn, tn, fp)
    if score > best:
        return score, complement
    return best, -1


@kernel
def _may_beat(tp, fp, n_pos, n_neg, best):
    """Whether a split's magic Gini may be above the best so far, told without a root.

    (sqrt a + sqrt b)^2 is at least a + b. The factor leaves room for rounding.
    """
    limit = best * (n_pos + n_neg)
    a = float(tp) * float(fp)
    b = float(n_pos - tp) * float(n_neg - fp)
    return (a + b) * 0.999999999 <= limit * limit


@kernel
def _run_may_beat(heuristic, below_pos, below_neg, here_pos, here_neg, n_pos, n_neg, best):
    """Whether any split within a run of values may beat the best so far.

    Magic Gini, information gain and weighted Gini are convex functions of the two counts, so that over
    the rectangle in which all splits of the run lie they are largest at a corner.
    """
    for corner in range(4):
        tp = below_pos + (here_pos if corner & 1 else 0)
        fp = below_neg + (here_neg if corner & 2 else 0)
        fn, tn = n_pos - tp, n_neg - fp
        if tp + tn < fn + fp:
            tp, fn, tn, fp = fn, tp, fp, tn
        if heuristic == 0 and not _may_beat(tp, fp, n_pos, n_neg, best):
            continue
        # The sum leaves room for rounding; the scores are of the order of one.
        if _score(heuristic, tp, fn, tn, fp) + 1e-9 > best:
            return True
    return False


@kernel
def _among(counter, blocked):
    """Whether a counter is in a list that is short."""
    for other in blocked:  # noqa: SIM110  (numba compiles no generator)
        if other == counter:
            return True
    return False


@kernel
def _scan_numbers(counts, codes, base, side, blocked, negated, heuristic, n_pos, n_neg, best):
    """Return (score, code, op) of the best threshold; op -1 if none beats the best so far.

    `counts` has a row for each number, in ascending order, the code of which is in `codes`, or is its
    position if that is empty; `base` is the counter of code 0.
    """
    runs = np.empty(((len(counts) + RUN - 1) // RUN, 2), dtype=np.int64)
    for run in range(len(runs)):
        first, second = 0, 0
        for position in range(run * RUN, min((run + 1) * RUN, len(counts))):
            first += counts[position, 0]
            second += counts[position, 1]
        runs[run, 0], runs[run, 1] = first, second
    numbers_pos, numbers_neg = runs[:, side].sum(), runs[:, 1 - side].sum()
    # Where every value is a number, > is the complement of <= and adds nothing to its negation.
    only_numbers = numbers_pos == n_pos and numbers_neg == n_neg
    skips = only_numbers and heuristic <= 2
    best_code, best_op = -1, -1
    below_pos, below_neg = 0, 0
    for run in range(len(runs)):
        start, end = run * RUN, min((run + 1) * RUN, len(counts))
        if skips and end - start == RUN and best > -np.inf:
            run_pos, run_neg = runs[run, side], runs[run, 1 - side]
            if not _run_may_beat(heuristic, below_pos, below_neg, run_pos, run_neg, n_pos, n_neg, best):
                below_pos += run_pos
                below_neg += run_neg
                continue
        for position in range(start, end):
            here_pos, here_neg = counts[position, side], counts[position, 1 - side]
            if here_pos == 0 and here_neg == 0:
                continue
            below_pos += here_pos
            below_neg += here_neg
            score, complement = _better(heuristic, below_pos, below_neg, n_pos, n_neg, negated, best)
            if complement >= 0:
                code = codes[position] if len(codes) else position
                if not _among(base + code, blocked):
                    best, best_code, best_op = score, code, _LE + complement
            if negated and only_numbers:
                continue
            above_pos, above_neg = numbers_pos - below_pos, numbers_neg - below_neg
            score, complement = _better(heuristic, above_pos, above_neg, n_pos, n_neg, negated, best)
            if complement >= 0:
                code = codes[position] if len(codes) else position
                if not _among(base + code, blocked):
                    best, best_code, best_op = score, code, _GT + complement
    return best, best_code, best_op


@kernel
def _scan_categories(counts, codes, first, base, side, blocked, heuristic, n_pos, n_neg, best):
    """Return (score, code, op) of the best equality; op -1 if none beats the best so far.

    As `_scan_numbers`, but that the first position is code `first`.
    """
    best_code, best_op = -1, -1
    for position in range(len(counts)):
        pos, neg = counts[position, side], counts[position, 1 - side]
        if pos == 0 and neg == 0:
            continue
        score, complement = _better(heuristic, pos, neg, n_pos, n_neg, True, best)
        if complement >= 0:
            code = codes[position] if len(codes) else first + position
            if not _among(base + code, blocked):
                best, best_code, best_op = score, code, _EQ + complement
    return best, best_code, best_op


@kernel
def _fill(column, rows, weights, side, counts):
    """Add rows to the counters of one feature."""
    for row in rows:
        counts[column[row], side] += 1 if weights is None else weights[row]


@kernel
def _collect(column, rows, weights, side, counts, codes, n_codes):
    """Count rows in cleared counters and append each code that is new; return how many there are."""
    for row in rows:
        code = column[row]
        if counts[code, 0] == 0 and counts[code, 1] == 0:
            codes[n_codes] = code
            n_codes += 1
        counts[code, side] += 1 if weights is None else weights[row]
    return n_codes


@kernel
def scan_features(
    table_codes,
    members,
    block_rows,
    offsets,
    starts,
    n_numbers,
    counts,
    side,
    positive,
    negative,
    weights,
    blocked,
    negated,
    heuristic,
    n_pos,
    n_neg,
):
    """Return (score, feature, code, op) of the best literal of some features; op -1 if none is valid.

    A feature is read from `counts` if it has counters there, and is counted here otherwise: in counters
    for all its codes, or, where these are many for the rows at hand, code by code.
    """
    best, best_feature, best_code, best_op = -np.inf, -1, -1, -1
    n_rows = len(positive) + len(negative)
    limit = SPARSE * n_rows
    largest, any_sparse = 0, False
    for feature in members:
        size = offsets[feature + 1] - offsets[feature]
        if starts[feature] < 0 or size > limit:
            largest = max(largest, size)
            any_sparse |= size > limit
    scratch = np.zeros((largest, 2), dtype=counts.dtype)  # and zero again after each use
    found = np.empty(n_rows if any_sparse else 0, dtype=np.int32)
    for feature in members:
        column = table_codes[block_rows[feature]]
        base, size, split = offsets[feature], offsets[feature + 1] - offsets[feature], n_numbers[feature]
        dense = size <= limit
        codes = found[:0]
        if dense and starts[feature] >= 0:
            here = counts[starts[feature] : starts[feature] + size]
        elif dense:
            here = scratch[:size]
            _fill(column, positive, weights, side, here)
            _fill(column, negative, weights, 1 - side, here)
        else:
            n_found = _collect(column, positive, weights, side, scratch, found, 0)
            n_found = _collect(column, negative, weights, 1 - side, scratch, found, n_found)
            codes = np.sort(found[:n_found])
            here = scratch[codes]
            split = np.searchsorted(codes, split)
            for code in codes:
                scratch[code, 0] = 0
                scratch[code, 1] = 0
        best, code, op = _scan_numbers(
            here[:split], codes[:split], base, side, blocked, negated, heuristic, n_pos, n_neg, best
        )
        if op >= 0:
            best_feature, best_code, best_op = feature, code, op
        best, code, op = _scan_categories(
            here[split:], codes[split:], split, base, side, blocked, heuristic, n_pos, n_neg, best
        )
        if op >= 0:
            best_feature, best_code, best_op = feature, code, op
        if dense and starts[feature] < 0:
            here[:] = 0
    return best, best_feature, best_code, best_op
