"""The best literal among codes that have no counters of their own (compiled kernels).

They are counted one by one, run by run: of numbers that share counters, the runs that may hold the best
threshold; of a feature without counters, or with too many for the rows at hand, all runs that occur.
"""

from __future__ import annotations

import numpy as np

from foldse.cellplan import CELLS, FIRST, NUMBERS, ROW, SHIFT, SIZE, START, is_counted
from foldse.compiling import kernel
from foldse.scanning import RUN_SHIFT, open_runs, scan_categories, scan_numbers, sum_of

__all__ = ["scan_runs"]


@kernel
def _count_numbers_of(column, numbers, shift, opened, rows, weights, counts):
    """Add rows to the counters of the numbers of some runs, those that `opened` has a 1 for."""
    numbers, shift = np.uint32(numbers), np.uint32(shift)
    for row in rows:
        code = np.uint32(column[row])
        if code < numbers:
            # No branch to mispredict: for the other runs nothing is added, to one of the first few counters.
            here = np.uint32(opened[code >> shift])
            cell = code * here + (row & np.uint32(15)) * (np.uint32(1) - here)
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
def _clear(opened, shift, size, fine):
    """Close all runs, and set their counters to zero."""
    for run in range(((size - 1) >> shift) + 1):
        if opened[run]:
            opened[run] = 0
            for code in range(run << shift, min((run + 1) << shift, size)):
                fine[0, code], fine[1, code] = 0, 0


@kernel
def _scan_counted_runs(
    column, width, place, counts, side, positive, negative, weights, scored, best, runs, opened, fine
):
    """Return (score, code, op) of the best literal of a feature that has counters for runs of numbers.

    `place` is the feature's row of the plan of counters. Runs in `opened` and counters in `fine` may differ
    from zero afterwards.
    """
    blocked, negated, heuristic, n_pos, n_neg = scored
    totals = (np.int64(n_pos), np.int64(n_neg))
    first, numbers, shift = place[FIRST], place[NUMBERS], place[SHIFT]
    start, end = place[START], place[START] + place[CELLS]
    n_runs = place[CELLS] - (place[SIZE] - numbers)
    for run in range(n_runs):
        runs[0, run] = counts[side, start + run]
        runs[1, run] = counts[1 - side, start + run]
    code, op = -1, -1
    if open_runs(runs[0, :n_runs], runs[1, :n_runs], heuristic, totals, best, opened):
        _count_numbers(column, width, numbers, shift, opened, positive, weights, fine[0])
        _count_numbers(column, width, numbers, shift, opened, negative, weights, fine[1])
        best, code, op = scan_numbers(
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
            best,
        )
    best, category, equality = scan_categories(
        counts[side, start + n_runs : end],
        counts[1 - side, start + n_runs : end],
        numbers,
        first,
        blocked,
        heuristic,
        totals,
        best,
    )
    if equality >= 0:
        code, op = category, equality
    return best, code, op


@kernel
def _scan_all_codes(column, width, place, positive, negative, weights, scored, best, runs, opened, fine):
    """Return (score, code, op) of the best literal of a feature without counters, likewise."""
    blocked, negated, heuristic, n_pos, n_neg = scored
    totals = (np.int64(n_pos), np.int64(n_neg))
    first, numbers, size = place[FIRST], place[NUMBERS], place[SIZE]
    _count_all(column, width, RUN_SHIFT, opened, positive, weights, fine[0])
    _count_all(column, width, RUN_SHIFT, opened, negative, weights, fine[1])
    n_runs = (numbers + (1 << RUN_SHIFT) - 1) >> RUN_SHIFT
    for run in range(n_runs):
        runs[0, run], runs[1, run] = 0, 0
        if opened[run]:
            end = min((run + 1) << RUN_SHIFT, numbers)
            runs[0, run] = sum_of(fine[0, run << RUN_SHIFT : end])
            runs[1, run] = sum_of(fine[1, run << RUN_SHIFT : end])
    best, code, op = scan_numbers(
        fine[0, :numbers],
        fine[1, :numbers],
        runs[0, :n_runs],
        runs[1, :n_runs],
        opened,
        RUN_SHIFT,
        first,
        blocked,
        negated,
        heuristic,
        totals,
        best,
    )
    for run in range(numbers >> RUN_SHIFT, ((size - 1) >> RUN_SHIFT) + 1):
        if not opened[run]:
            continue
        begin, end = max(run << RUN_SHIFT, numbers), min((run + 1) << RUN_SHIFT, size)
        best, category, equality = scan_categories(
            fine[0, begin:end], fine[1, begin:end], begin, first, blocked, heuristic, totals, best
        )
        if equality >= 0:
            code, op = category, equality
    return best, code, op


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
    fine,
):
    """Return (score, feature, code, op) of the best literal of features without a counter for each code.

    What scores less than `reached` does not count; op is -1 if nothing is left.

    `codes` are the bytes of codes that have `width` of these: one kernel for all dtypes. `fine` has a counter
    for each side and each code of any feature, zero before and after; only what is counted is touched.
    """
    scored = (blocked, negated, heuristic, n_pos, n_neg)
    best, best_feature, best_code, best_op = -np.inf, -1, -1, -1
    most_runs = 0
    for feature in members:
        most_runs = max(most_runs, plan[feature, SIZE] >> RUN_SHIFT, plan[feature, CELLS])
    runs = np.empty((2, most_runs + 2), dtype=np.int64)
    opened = np.zeros(most_runs + 2, dtype=np.uint8)  # zero again after each feature
    for feature in members:
        place = plan[feature]
        column = codes[place[ROW]]
        # Of literals as good the one of the first feature wins, which may be this one: just below.
        local = np.nextafter(max(best, reached), -np.inf)
        if is_counted(feature, plan, limit):
            shift = place[SHIFT]
            local, code, op = _scan_counted_runs(
                column,
                width,
                place,
                counts,
                side,
                positive,
                negative,
                weights,
                scored,
                local,
                runs,
                opened,
                fine,
            )
        else:
            shift = RUN_SHIFT
            local, code, op = _scan_all_codes(
                column, width, place, positive, negative, weights, scored, local, runs, opened, fine
            )
        if op >= 0 and (local > best or (local == best and feature < best_feature)):
            best, best_feature, best_code, best_op = local, feature, code, op
        _clear(opened, shift, place[SIZE], fine)
    return best, best_feature, best_code, best_op
