"""The best literal among counted codes (compiled kernels).

A literal is an operator, as its position in `foldse.literals.Op`, and the code of a value.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from foldse.cellplan import CELLS, FIRST, NUMBERS, SHIFT, SIZE, START, is_counted
from foldse.compiling import kernel
from foldse.literals import Op
from foldse.splits import better, opens

__all__ = ["OPS", "RUN_SHIFT", "open_runs", "scan_categories", "scan_counted", "scan_numbers", "sum_of"]

OPS: Final = tuple(Op)  # their positions are what the kernels return
_LE, _NOT_LE, _GT, _NOT_GT, _EQ, _NE = range(6)

RUN_SHIFT: Final = 6  # 64 values are passed over together if none of them can be the best threshold


@kernel
def _among(counter, blocked):
    """Whether a counter is in a list that is short."""
    for other in blocked:  # noqa: SIM110  (numba compiles no generator)
        if other == counter:
            return True
    return False


@kernel
def sum_of(counts):
    """Return the sum of counts of any dtype, as int64."""
    result = np.int64(0)
    for count in counts:
        result += count
    return result


@kernel
def _sum_runs(counts, shift, sums):
    """Write the sum of each run of counts."""
    for run in range(len(sums)):
        sums[run] = sum_of(counts[run << shift : min((run + 1) << shift, len(counts))])


@kernel
def scan_numbers(
    pos, neg, runs_pos, runs_neg, opened, shift, first, blocked, negated, heuristic, totals, best
):
    """Return (score, code, op) of the best threshold; op -1 if none beats the best so far.

    `pos` and `neg` are by code, in the runs that are `opened`; the others cannot hold the best.
    """
    numbers = (sum_of(runs_pos), sum_of(runs_neg))
    n_pos, n_neg = totals
    # Where every value is a number, > is the complement of <= and adds nothing to its negation.
    only_below = negated and numbers == totals
    best_code, best_op = -1, -1
    below_pos, below_neg = np.int64(0), np.int64(0)
    for run in range(len(runs_pos)):
        here = (np.int64(runs_pos[run]), np.int64(runs_neg[run]))
        if not opened[run] or not opens(heuristic, (below_pos, below_neg), here, numbers, totals, best):
            below_pos += here[0]
            below_neg += here[1]
            continue
        for code in range(run << shift, min((run + 1) << shift, len(pos))):
            if pos[code] == 0 and neg[code] == 0:
                continue
            below_pos += np.int64(pos[code])
            below_neg += np.int64(neg[code])
            score, complement = better(heuristic, below_pos, below_neg, n_pos, n_neg, negated, best)
            if complement >= 0 and not _among(first + code, blocked):
                best, best_code, best_op = score, code, _LE + complement
            if only_below:
                continue
            above_pos, above_neg = numbers[0] - below_pos, numbers[1] - below_neg
            score, complement = better(heuristic, above_pos, above_neg, n_pos, n_neg, negated, best)
            if complement >= 0 and not _among(first + code, blocked):
                best, best_code, best_op = score, code, _GT + complement
    return best, best_code, best_op


@kernel
def scan_categories(pos, neg, split, first, blocked, heuristic, totals, best):
    """Return (score, code, op) of the best equality; op -1 if none beats the best so far.

    Position 0 of the counts is code `split`.
    """
    best_code, best_op = -1, -1
    for position in range(len(pos)):
        if pos[position] == 0 and neg[position] == 0:
            continue
        tp, fp = np.int64(pos[position]), np.int64(neg[position])
        score, complement = better(heuristic, tp, fp, totals[0], totals[1], True, best)
        if complement >= 0 and not _among(first + split + position, blocked):
            best, best_code, best_op = score, split + position, _EQ + complement
    return best, best_code, best_op


@kernel
def _scan_between_runs(runs_pos, runs_neg, shift, first, blocked, negated, heuristic, totals, best):
    """Return the score of the best threshold between two runs, or the best so far.

    The last number that occurs in a run is such a threshold, unless it is blocked: a run with a blocked
    number is left out.
    """
    numbers = (sum_of(runs_pos), sum_of(runs_neg))
    n_pos, n_neg = totals
    below_pos, below_neg = np.int64(0), np.int64(0)
    only_below = negated and numbers == totals
    for run in range(len(runs_pos)):
        below_pos += np.int64(runs_pos[run])
        below_neg += np.int64(runs_neg[run])
        if runs_pos[run] == 0 and runs_neg[run] == 0:
            continue
        score = better(heuristic, below_pos, below_neg, n_pos, n_neg, negated, best)[0]
        if not only_below:
            above_pos, above_neg = numbers[0] - below_pos, numbers[1] - below_neg
            score = better(heuristic, above_pos, above_neg, n_pos, n_neg, negated, score)[0]
        if score > best:
            usable = True
            for value in blocked:
                usable &= not 0 <= value - first - (run << shift) < 1 << shift
            if usable:
                best = score
    return best


@kernel
def open_runs(pos, neg, heuristic, totals, best, opened):
    """Whether any run may hold a threshold as good as the best so far; all of them are marked.

    With no room for marks the first is enough.
    """
    numbers = (sum_of(pos), sum_of(neg))
    below_pos, below_neg = np.int64(0), np.int64(0)
    found = False
    for run in range(len(pos)):
        here = (np.int64(pos[run]), np.int64(neg[run]))
        if opens(heuristic, (below_pos, below_neg), here, numbers, totals, best):
            found = True
            if len(opened) == 0:
                break
            opened[run] = 1
        below_pos += here[0]
        below_neg += here[1]
    return found


@kernel
def scan_counted(members, plan, limit, counts, side, blocked, negated, heuristic, n_pos, n_neg, reached):
    """Return (score, feature, code, op, reached, more) for the features with a counter for each code.

    Score to op are those of their best literal; what scores less than `reached` does not count, and op is -1
    if nothing is left. The new `reached` is the largest score that is known to occur: of one of these
    literals, or between the runs of numbers of a feature that has counters for these only. `more` is whether
    `scan_runs` may find a literal as good in the features that are left to it.
    """
    totals = (np.int64(n_pos), np.int64(n_neg))
    # Of literals as good the one of the first feature wins, which may be one of these: just below.
    best, best_feature, best_code, best_op = np.nextafter(reached, -np.inf), -1, -1, -1
    most_runs = 0
    for feature in members:
        most_runs = max(most_runs, plan[feature, CELLS] >> RUN_SHIFT)
    runs = np.empty((2, most_runs + 2), dtype=np.int64)
    every_run = np.ones(most_runs + 2, dtype=np.uint8)
    for feature in members:
        if not is_counted(feature, plan, limit):
            continue
        first, numbers, shift = plan[feature, FIRST], plan[feature, NUMBERS], plan[feature, SHIFT]
        start, cells = plan[feature, START], plan[feature, CELLS]
        pos, neg = counts[side, start : start + cells], counts[1 - side, start : start + cells]
        if shift > 0:
            split = cells - (plan[feature, SIZE] - numbers)
            reached = _scan_between_runs(
                pos[:split], neg[:split], shift, first, blocked, negated, heuristic, totals, reached
            )
            continue
        n_runs = (numbers + (1 << RUN_SHIFT) - 1) >> RUN_SHIFT
        _sum_runs(pos[:numbers], RUN_SHIFT, runs[0, :n_runs])
        _sum_runs(neg[:numbers], RUN_SHIFT, runs[1, :n_runs])
        best, code, op = scan_numbers(
            pos[:numbers],
            neg[:numbers],
            runs[0, :n_runs],
            runs[1, :n_runs],
            every_run,
            RUN_SHIFT,
            first,
            blocked,
            negated,
            heuristic,
            totals,
            best,
        )
        if op >= 0:
            best_feature, best_code, best_op = feature, code, op
        best, code, op = scan_categories(
            pos[numbers:], neg[numbers:], numbers, first, blocked, heuristic, totals, best
        )
        if op >= 0:
            best_feature, best_code, best_op = feature, code, op
    reached = max(best, reached)
    if best_op < 0:
        best = -np.inf
    # Of literals as good the one of the first feature wins, which may be one that is left.
    local, more = np.nextafter(reached, -np.inf), False
    for feature in members:
        if not is_counted(feature, plan, limit):
            more = True
        elif plan[feature, SHIFT] > 0:
            numbers, start, cells = plan[feature, NUMBERS], plan[feature, START], plan[feature, CELLS]
            split = cells - (plan[feature, SIZE] - numbers)
            pos, neg = counts[side, start : start + split], counts[1 - side, start : start + split]
            more = split < cells or open_runs(pos, neg, heuristic, totals, local, every_run[:0])
        if more:
            break
    return best, best_feature, best_code, best_op, reached, more
