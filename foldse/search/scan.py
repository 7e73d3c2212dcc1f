"""The best literal among counted codes (compiled kernels).

A literal is an operator, as its position in `foldse.model.literals.Op`, and the code of a value. Counts come
in pairs: those of the positives, and those of the negatives.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from foldse.model.literals import Op
from foldse.runtime.kernels import kernel
from foldse.search.histogram_layout import (
    CELLS,
    FIRST,
    NUMBERS,
    SHIFT,
    SIZE,
    START,
    is_counted,
)
from foldse.search.split_scores import better, opens

__all__ = [
    "OPS",
    "RUN_SHIFT",
    "Counted",
    "Criterion",
    "n_runs",
    "open_runs",
    "pair",
    "scan_categories",
    "scan_counted",
    "scan_numbers",
    "sum_runs",
]

OPS: Final = tuple(Op)  # their positions are what the kernels return
_LE, _NOT_LE, _GT, _NOT_GT, _EQ, _NE = range(6)

RUN_SHIFT: Final = 6  # 64 values are passed over together if none of them can be the best threshold


class Criterion(NamedTuple):
    """Which literals are valid, and how they are scored.

    Attributes
    ----------
    blocked : numpy.ndarray of int64
        Values that may stand in none, as the numbers of their codes.
    negated : bool
        Whether thresholds may be negated.
    heuristic : int
        Position in `foldse.search.split_scores.HEURISTICS`.
    totals : (int, int)
        Weight of the positives and of the negatives.
    """

    blocked: np.ndarray
    negated: bool
    heuristic: int
    totals: tuple[int, int]


class Counted(NamedTuple):
    """Counters, and which of them hold something.

    Attributes
    ----------
    plan : numpy.ndarray of int64, shape (n_features, 7)
        See `CellPlan.features`.
    limit : int
        Features of more counters than this are undefined.
    counts : numpy.ndarray of int, shape (2, n_cells)
    side : int
        Which row of them is of the positives.
    """

    plan: np.ndarray
    limit: int
    counts: np.ndarray
    side: int


@kernel
def _among(counter, blocked):
    """Whether a counter is in a list that is short."""
    for other in blocked:  # noqa: SIM110  (numba compiles no generator)
        if other == counter:
            return True
    return False


@kernel
def pair(counts, side, begin, end):
    """Return the counts of positives and negatives in some cells."""
    return counts[side, begin:end], counts[1 - side, begin:end]


@kernel
def _sums(counts):
    """Return the sums of a pair of counts of any dtype, as int64."""
    pos, neg = np.int64(0), np.int64(0)
    for position in range(len(counts[0])):
        pos += counts[0][position]
        neg += counts[1][position]
    return pos, neg


@kernel
def n_runs(n_codes):
    """Return how many runs so many codes make."""
    return (n_codes + (1 << RUN_SHIFT) - 1) >> RUN_SHIFT


@kernel
def sum_runs(counts, shift, opened, runs):
    """Write the sums of the runs of counts that are `opened`; of the others, zero."""
    for run in range(len(runs[0])):
        runs[0][run], runs[1][run] = 0, 0
        if opened[run]:
            begin, end = run << shift, min((run + 1) << shift, len(counts[0]))
            runs[0][run], runs[1][run] = _sums((counts[0][begin:end], counts[1][begin:end]))


@kernel
def scan_numbers(counts, runs, opened, shift, first, criterion, best):
    """Return (score, code, op) of the best threshold; op -1 if none beats the best so far.

    `counts` are by code, in the runs that are `opened`; the others cannot hold the best.
    """
    (pos, neg), numbers = counts, _sums(runs)
    heuristic, negated, totals = criterion.heuristic, criterion.negated, criterion.totals
    # Where every value is a number, > is the complement of <= and adds nothing to its negation.
    only_below = negated and numbers == totals
    best_code, best_op = -1, -1
    below_pos, below_neg = np.int64(0), np.int64(0)
    for run in range(len(runs[0])):
        here = (np.int64(runs[0][run]), np.int64(runs[1][run]))
        if not opened[run] or not opens(heuristic, (below_pos, below_neg), here, numbers, totals, best):
            below_pos += here[0]
            below_neg += here[1]
            continue
        for code in range(run << shift, min((run + 1) << shift, len(pos))):
            if pos[code] == 0 and neg[code] == 0:
                continue
            below_pos += np.int64(pos[code])
            below_neg += np.int64(neg[code])
            score, complement = better(heuristic, (below_pos, below_neg), totals, negated, best)
            if complement >= 0 and not _among(first + code, criterion.blocked):
                best, best_code, best_op = score, code, _LE + complement
            if only_below:
                continue
            above = (numbers[0] - below_pos, numbers[1] - below_neg)
            score, complement = better(heuristic, above, totals, negated, best)
            if complement >= 0 and not _among(first + code, criterion.blocked):
                best, best_code, best_op = score, code, _GT + complement
    return best, best_code, best_op


@kernel
def scan_categories(counts, begin, first, criterion, best):
    """Return (score, code, op) of the best equality; op -1 if none beats the best so far.

    Position 0 of the counts is code `begin`.
    """
    best_code, best_op = -1, -1
    for position in range(len(counts[0])):
        here = (np.int64(counts[0][position]), np.int64(counts[1][position]))
        if here[0] == 0 and here[1] == 0:
            continue
        score, complement = better(criterion.heuristic, here, criterion.totals, True, best)
        if complement >= 0 and not _among(first + begin + position, criterion.blocked):
            best, best_code, best_op = score, begin + position, _EQ + complement
    return best, best_code, best_op


@kernel
def _scan_between_runs(runs, shift, first, criterion, best):
    """Return the score of the best threshold between two runs, or the best so far.

    The last number that occurs in a run is such a threshold, unless it is blocked: a run with a blocked
    number is left out.
    """
    numbers = _sums(runs)
    heuristic, negated, totals = criterion.heuristic, criterion.negated, criterion.totals
    below_pos, below_neg = np.int64(0), np.int64(0)
    only_below = negated and numbers == totals
    for run in range(len(runs[0])):
        below_pos += np.int64(runs[0][run])
        below_neg += np.int64(runs[1][run])
        if runs[0][run] == 0 and runs[1][run] == 0:
            continue
        score = better(heuristic, (below_pos, below_neg), totals, negated, best)[0]
        if not only_below:
            above = (numbers[0] - below_pos, numbers[1] - below_neg)
            score = better(heuristic, above, totals, negated, score)[0]
        if score > best:
            usable = True
            for value in criterion.blocked:
                usable &= not 0 <= value - first - (run << shift) < 1 << shift
            if usable:
                best = score
    return best


@kernel
def open_runs(runs, criterion, best, opened):
    """Whether any run may hold a threshold as good as the best so far; all of them are marked.

    With no room for marks the first is enough.
    """
    numbers = _sums(runs)
    below_pos, below_neg = np.int64(0), np.int64(0)
    found = False
    for run in range(len(runs[0])):
        here = (np.int64(runs[0][run]), np.int64(runs[1][run]))
        if opens(criterion.heuristic, (below_pos, below_neg), here, numbers, criterion.totals, best):
            found = True
            if len(opened) == 0:
                break
            opened[run] = 1
        below_pos += here[0]
        below_neg += here[1]
    return found


@kernel
def scan_counted(members, counted, criterion):
    """Return (score, feature, code, op, reached, more) for the features with a counter for each code.

    Score to op are those of their best literal; op is -1 if none is valid. `reached` is the largest score
    that is known to occur: of one of these literals, or between the runs of numbers of a feature that has
    counters for these only. `more` is whether `scan_runs` may find a literal as good in the features that
    are left to it.
    """
    plan, counts, side = counted.plan, counted.counts, counted.side
    best, best_feature, best_code, best_op = -np.inf, -1, -1, -1
    reached = -np.inf
    most_runs = 0
    for feature in members:
        most_runs = max(most_runs, plan[feature, CELLS] >> RUN_SHIFT)
    room = np.empty((2, most_runs + 2), dtype=np.int64)
    every_run = np.ones(most_runs + 2, dtype=np.uint8)
    for feature in members:
        if not is_counted(feature, plan, counted.limit):
            continue
        first, numbers, shift = plan[feature, FIRST], plan[feature, NUMBERS], plan[feature, SHIFT]
        start, end = plan[feature, START], plan[feature, START] + plan[feature, CELLS]
        split = end - (plan[feature, SIZE] - numbers)
        if shift > 0:
            reached = _scan_between_runs(pair(counts, side, start, split), shift, first, criterion, reached)
            continue
        of_numbers = pair(counts, side, start, split)
        runs = (room[0, : n_runs(numbers)], room[1, : n_runs(numbers)])
        sum_runs(of_numbers, RUN_SHIFT, every_run, runs)
        best, code, op = scan_numbers(of_numbers, runs, every_run, RUN_SHIFT, first, criterion, best)
        if op >= 0:
            best_feature, best_code, best_op = feature, code, op
        best, code, op = scan_categories(pair(counts, side, split, end), numbers, first, criterion, best)
        if op >= 0:
            best_feature, best_code, best_op = feature, code, op
    reached = max(best, reached)
    # Of literals as good the one of the first feature wins, which may be one that is left.
    local, more = np.nextafter(reached, -np.inf), False
    for feature in members:
        if not is_counted(feature, plan, counted.limit):
            more = True
        elif plan[feature, SHIFT] > 0:
            start, end = plan[feature, START], plan[feature, START] + plan[feature, CELLS]
            split = end - (plan[feature, SIZE] - plan[feature, NUMBERS])
            runs = pair(counts, side, start, split)
            more = split < end or open_runs(runs, criterion, local, every_run[:0])
        if more:
            break
    return best, best_feature, best_code, best_op, reached, more
