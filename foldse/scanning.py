"""The best literal among counted codes (compiled kernels).

A literal is an operator, as its position in `foldse.literals.Op`, and the code of a value.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from foldse.cellplan import CELLS, FIRST, NUMBERS, ROW, SHIFT, SIZE, START
from foldse.compiling import kernel
from foldse.heuristics import SCORES, chi_square, gini_printed, information_gain, magic_gini, weighted_gini
from foldse.literals import Op

__all__ = ["HEURISTICS", "OPS", "SPARSE", "scan_counted", "scan_runs"]

HEURISTICS: Final = tuple(SCORES)  # their positions are what the kernels branch on
OPS: Final = tuple(Op)  # likewise
_LE, _NOT_LE, _GT, _NOT_GT, _EQ, _NE = range(6)

# A feature with more counters than this many times the rows at hand is not worth clearing and reading them
# all: the codes that occur are counted and looked through run by run instead.
SPARSE: Final = 32

RUN_SHIFT: Final = 6  # 64 values are passed over together if none of them can be the best threshold


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
def _run_may_beat(heuristic, least_pos, least_neg, here_pos, here_neg, n_pos, n_neg, best):
    """Whether any split within a run of values may be as good as the best so far.

    Magic Gini, information gain and weighted Gini are convex functions of the two counts, so that over
    the rectangle in which all splits of the run lie they are largest at a corner.
    """
    for corner in range(4):
        tp = least_pos + (here_pos if corner & 1 else 0)
        fp = least_neg + (here_neg if corner & 2 else 0)
        if heuristic == 0:
            if _may_beat(tp, fp, n_pos, n_neg, best):
                return True
            continue
        fn, tn = n_pos - tp, n_neg - fp
        if tp + tn < fn + fp:
            tp, fn, tn, fp = fn, tp, fp, tn
        # The sum leaves room for rounding; the scores are of the order of one.
        if _score(heuristic, tp, fn, tn, fp) + 1e-9 > best:
            return True
    return False


@kernel
def _opens(heuristic, below, here, numbers, totals, best):
    """Whether a threshold of a run may be as good as the best so far; pairs are (positive, negative)."""
    if here[0] == 0 and here[1] == 0:
        return False
    if heuristic > 2 or best == -np.inf:
        return True
    if _run_may_beat(heuristic, below[0], below[1], here[0], here[1], totals[0], totals[1], best):
        return True
    if numbers == totals:
        return False  # without other values > is the complement of <=
    above_pos = numbers[0] - below[0] - here[0]
    above_neg = numbers[1] - below[1] - here[1]
    return _run_may_beat(heuristic, above_pos, above_neg, here[0], here[1], totals[0], totals[1], best)


@kernel
def _among(counter, blocked):
    """Whether a counter is in a list that is short."""
    for other in blocked:  # noqa: SIM110  (numba compiles no generator)
        if other == counter:
            return True
    return False


@kernel
def _sum(counts):
    result = np.int64(0)
    for count in counts:
        result += count
    return result


@kernel
def _sum_runs(counts, shift, sums):
    """Write the sum of each run of counts."""
    for run in range(len(sums)):
        sums[run] = _sum(counts[run << shift : min((run + 1) << shift, len(counts))])


@kernel
def _scan_numbers(
    pos, neg, runs_pos, runs_neg, opened, shift, first, blocked, negated, heuristic, totals, best
):
    """Return (score, code, op) of the best threshold; op -1 if none beats the best so far.

    `pos` and `neg` are by code, in the runs that are `opened`; the others cannot hold the best.
    """
    numbers = (_sum(runs_pos), _sum(runs_neg))
    n_pos, n_neg = totals
    # Where every value is a number, > is the complement of <= and adds nothing to its negation.
    only_below = negated and numbers == totals
    best_code, best_op = -1, -1
    below_pos, below_neg = np.int64(0), np.int64(0)
    for run in range(len(runs_pos)):
        here = (np.int64(runs_pos[run]), np.int64(runs_neg[run]))
        if not opened[run] or not _opens(heuristic, (below_pos, below_neg), here, numbers, totals, best):
            below_pos += here[0]
            below_neg += here[1]
            continue
        for code in range(run << shift, min((run + 1) << shift, len(pos))):
            if pos[code] == 0 and neg[code] == 0:
                continue
            below_pos += np.int64(pos[code])
            below_neg += np.int64(neg[code])
            score, complement = _better(heuristic, below_pos, below_neg, n_pos, n_neg, negated, best)
            if complement >= 0 and not _among(first + code, blocked):
                best, best_code, best_op = score, code, _LE + complement
            if only_below:
                continue
            above_pos, above_neg = numbers[0] - below_pos, numbers[1] - below_neg
            score, complement = _better(heuristic, above_pos, above_neg, n_pos, n_neg, negated, best)
            if complement >= 0 and not _among(first + code, blocked):
                best, best_code, best_op = score, code, _GT + complement
    return best, best_code, best_op


@kernel
def _scan_categories(pos, neg, split, first, blocked, heuristic, totals, best):
    """Return (score, code, op) of the best equality; op -1 if none beats the best so far.

    Position 0 of the counts is code `split`.
    """
    best_code, best_op = -1, -1
    for position in range(len(pos)):
        if pos[position] == 0 and neg[position] == 0:
            continue
        tp, fp = np.int64(pos[position]), np.int64(neg[position])
        score, complement = _better(heuristic, tp, fp, totals[0], totals[1], True, best)
        if complement >= 0 and not _among(first + split + position, blocked):
            best, best_code, best_op = score, split + position, _EQ + complement
    return best, best_code, best_op


@kernel
def _scan_between_runs(runs_pos, runs_neg, shift, first, blocked, negated, heuristic, totals, best):
    """Return the score of the best threshold between two runs, or the best so far.

    The last number that occurs in a run is such a threshold, unless it is blocked: a run with a blocked
    number is left out.
    """
    numbers = (_sum(runs_pos), _sum(runs_neg))
    n_pos, n_neg = totals
    below_pos, below_neg = np.int64(0), np.int64(0)
    only_below = negated and numbers == totals
    for run in range(len(runs_pos)):
        below_pos += np.int64(runs_pos[run])
        below_neg += np.int64(runs_neg[run])
        if runs_pos[run] == 0 and runs_neg[run] == 0:
            continue
        score = _better(heuristic, below_pos, below_neg, n_pos, n_neg, negated, best)[0]
        if not only_below:
            above_pos, above_neg = numbers[0] - below_pos, numbers[1] - below_neg
            score = _better(heuristic, above_pos, above_neg, n_pos, n_neg, negated, score)[0]
        if score > best:
            usable = True
            for value in blocked:
                usable &= not 0 <= value - first - (run << shift) < 1 << shift
            if usable:
                best = score
    return best


@kernel
def _count_numbers_of(column, numbers, shift, opened, rows, weights, counts):
    """Add rows to the counters of the numbers of some runs, those that `opened` has a 1 for."""
    numbers, shift = np.uint32(numbers), np.uint32(shift)
    for row in rows:
        code = np.uint32(column[row])
        if code < numbers:
            # No branch to mispredict: for the other runs nothing is added, to one of the first few counters.
            here = np.uint32(opened[code >> shift])
            cell = (code & -here) | (row & np.uint32(15) & (here - np.uint32(1)))
            counts[cell] += here if weights is None else here * weights[row]


@kernel
def _count_all_of(column, shift, opened, rows, weights, counts):
    """Add rows to the counters of their codes, and note the runs in which any lies."""
    shift = np.uint32(shift)
    for row in rows:
        code = np.uint32(column[row])
        counts[code] += 1 if weights is None else weights[row]
        opened[code >> shift] = 1


@kernel
def _count_numbers(column, width, numbers, shift, opened, rows, weights, counts):
    if width == 1:
        _count_numbers_of(column, numbers, shift, opened, rows, weights, counts)
    elif width == 2:
        _count_numbers_of(column.view(np.uint16), numbers, shift, opened, rows, weights, counts)
    else:
        _count_numbers_of(column.view(np.uint32), numbers, shift, opened, rows, weights, counts)


@kernel
def _count_all(column, width, shift, opened, rows, weights, counts):
    if width == 1:
        _count_all_of(column, shift, opened, rows, weights, counts)
    elif width == 2:
        _count_all_of(column.view(np.uint16), shift, opened, rows, weights, counts)
    else:
        _count_all_of(column.view(np.uint32), shift, opened, rows, weights, counts)


@kernel
def _open_runs(pos, neg, heuristic, totals, best, opened):
    """Whether any run may hold a threshold as good as the best so far; all of them are marked.

    With no room for marks the first is enough.
    """
    numbers = (_sum(pos), _sum(neg))
    below_pos, below_neg = np.int64(0), np.int64(0)
    found = False
    for run in range(len(pos)):
        here = (np.int64(pos[run]), np.int64(neg[run]))
        if _opens(heuristic, (below_pos, below_neg), here, numbers, totals, best):
            found = True
            if len(opened) == 0:
                break
            opened[run] = 1
        below_pos += here[0]
        below_neg += here[1]
    return found


@kernel
def _is_counted(feature, plan, limit):
    """Whether a feature has counters, of runs or of codes, and not too many for the rows at hand."""
    return plan[feature, START] >= 0 and plan[feature, CELLS] <= limit


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
        if not _is_counted(feature, plan, limit):
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
        best, code, op = _scan_numbers(
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
        best, code, op = _scan_categories(
            pos[numbers:], neg[numbers:], numbers, first, blocked, heuristic, totals, best
        )
        if op >= 0:
            best_feature, best_code, best_op = feature, code, op
    reached = max(best, reached)
    # Of literals as good the one of the first feature wins, which may be one that is left.
    local, more = np.nextafter(reached, -np.inf), False
    for feature in members:
        if not _is_counted(feature, plan, limit):
            more = True
        elif plan[feature, SHIFT] > 0:
            numbers, start, cells = plan[feature, NUMBERS], plan[feature, START], plan[feature, CELLS]
            split = cells - (plan[feature, SIZE] - numbers)
            pos, neg = counts[side, start : start + split], counts[1 - side, start : start + split]
            more = split < cells or _open_runs(pos, neg, heuristic, totals, local, every_run[:0])
        if more:
            break
    return best, best_feature, best_code, best_op, reached, more


@kernel
def scan_runs(
    codes,
    width,
    members,
    plan,
    limit,
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
    reached,
):
    """Return (score, feature, code, op) of the best literal of the other features; op -1 if there is none.

    What scores less than `reached` does not count. Where the counters are for runs of numbers, the numbers
    are counted of those runs that may hold the best threshold; a feature without counters, or with too many
    for the rows at hand, is counted here altogether.

    `codes` are the bytes of codes that have `width` of these: one kernel for all dtypes.
    """
    totals = (np.int64(n_pos), np.int64(n_neg))
    best, best_feature, best_code, best_op = -np.inf, -1, -1, -1
    most_runs, largest = 0, 0
    for feature in members:
        most_runs = max(most_runs, plan[feature, SIZE] >> RUN_SHIFT, plan[feature, CELLS])
        largest = max(largest, plan[feature, SIZE])
    runs = np.empty((2, most_runs + 2), dtype=np.int64)
    fine = np.empty((2, 0), dtype=counts.dtype)  # made once a run is opened, and zero again after each use
    opened = np.zeros(most_runs + 2, dtype=np.uint8)  # likewise
    for feature in members:
        first, size, numbers = plan[feature, FIRST], plan[feature, SIZE], plan[feature, NUMBERS]
        start, cells = plan[feature, START], plan[feature, CELLS]
        counted = _is_counted(feature, plan, limit)
        if counted and plan[feature, SHIFT] == 0:
            continue
        shift = plan[feature, SHIFT] if counted else RUN_SHIFT
        column = codes[plan[feature, ROW]]
        # Of literals as good the one of the first feature wins, which may be this one: just below.
        local = np.nextafter(max(best, reached), -np.inf)
        n_runs = (numbers + (1 << shift) - 1) >> shift
        any_open = True
        if counted:
            split = cells - (size - numbers)
            for run in range(split):
                runs[0, run] = counts[side, start + run]
                runs[1, run] = counts[1 - side, start + run]
            any_open = _open_runs(runs[0, :split], runs[1, :split], heuristic, totals, local, opened)
            if any_open:
                if fine.shape[1] == 0:
                    fine = np.zeros((2, largest), dtype=counts.dtype)
                _count_numbers(column, width, numbers, shift, opened, positive, weights, fine[0])
                _count_numbers(column, width, numbers, shift, opened, negative, weights, fine[1])
        else:
            if fine.shape[1] == 0:
                fine = np.zeros((2, largest), dtype=counts.dtype)
            _count_all(column, width, shift, opened, positive, weights, fine[0])
            _count_all(column, width, shift, opened, negative, weights, fine[1])
            for run in range(n_runs):
                runs[0, run], runs[1, run] = 0, 0
                if opened[run]:
                    end = min((run + 1) << shift, numbers)
                    runs[0, run] = _sum(fine[0, run << shift : end])
                    runs[1, run] = _sum(fine[1, run << shift : end])
        code, op = -1, -1
        if any_open:
            local, code, op = _scan_numbers(
                fine[0, :numbers],
                fine[1, :numbers],
                runs[0, :n_runs],
                runs[1, :n_runs],
                opened,
                shift,
                first,
                blocked,
                negated,
                heuristic,
                totals,
                local,
            )
        if counted:
            local, category, equality = _scan_categories(
                counts[side, start + split : start + cells],
                counts[1 - side, start + split : start + cells],
                numbers,
                first,
                blocked,
                heuristic,
                totals,
                local,
            )
            if equality >= 0:
                code, op = category, equality
        else:
            for run in range(numbers >> shift, ((size - 1) >> shift) + 1):
                if not opened[run]:
                    continue
                begin, end = max(run << shift, numbers), min((run + 1) << shift, size)
                local, category, equality = _scan_categories(
                    fine[0, begin:end], fine[1, begin:end], begin, first, blocked, heuristic, totals, local
                )
                if equality >= 0:
                    code, op = category, equality
        if op >= 0 and (local > best or (local == best and feature < best_feature)):
            best, best_feature, best_code, best_op = local, feature, code, op
        for run in range(((size - 1) >> shift) + 1):
            if opened[run]:
                opened[run] = 0
                for used in range(run << shift, min((run + 1) << shift, size)):
                    fine[0, used], fine[1, used] = 0, 0
    return best, best_feature, best_code, best_op
