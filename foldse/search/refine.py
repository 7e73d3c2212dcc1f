"""The best literal among codes that have no counters of their own (compiled kernels).

They are counted one by one, run by run: of numbers that share counters, the runs that may hold the best
threshold; of a feature without counters, or with too many for the rows at hand, all runs that occur.
"""

from __future__ import annotations

import numpy as np

from foldse.runtime.kernels import kernel
from foldse.search.histogram_layout import (
    CELLS,
    FIRST,
    NUMBERS,
    ROW,
    SHIFT,
    SIZE,
    START,
    is_counted,
)
from foldse.search.scan import (
    RUN_SHIFT,
    n_runs,
    open_runs,
    pair,
    scan_categories,
    scan_numbers,
    sum_runs,
)
from foldse.search.workspace import LEAST_CODES

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
            cell = code * here + row % np.uint32(LEAST_CODES) * (np.uint32(1) - here)
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
def _scan_counted_runs(column, width, place, counted, rows, weights, criterion, best, room, opened, fine):
    """Return (score, code, op) of the best literal of a feature that has counters for runs of numbers.

    `place` is the feature's row of the plan of counters. Runs in `opened` and counters in `fine` may differ
    from zero afterwards.
    """
    first, numbers, shift = place[FIRST], place[NUMBERS], place[SHIFT]
    start, end = place[START], place[START] + place[CELLS]
    split = end - (place[SIZE] - numbers)
    runs = (room[0, : split - start], room[1, : split - start])
    of_runs = pair(counted.counts, counted.side, start, split)
    for run in range(split - start):
        runs[0][run], runs[1][run] = of_runs[0][run], of_runs[1][run]
    code, op = -1, -1
    if open_runs(runs, criterion, best, opened):
        for side in range(2):
            _count_numbers(column, width, numbers, shift, opened, rows[side], weights, fine[side])
        of_numbers = pair(fine, 0, 0, numbers)
        best, code, op = scan_numbers(of_numbers, runs, opened, shift, first, criterion, best)
    of_categories = pair(counted.counts, counted.side, split, end)
    best, category, equality = scan_categories(of_categories, numbers, first, criterion, best)
    if equality >= 0:
        code, op = category, equality
    return best, code, op


@kernel
def _scan_all_codes(column, width, place, rows, weights, criterion, best, room, opened, fine):
    """Return (score, code, op) of the best literal of a feature without counters, likewise."""
    first, numbers, size = place[FIRST], place[NUMBERS], place[SIZE]
    for side in range(2):
        _count_all(column, width, RUN_SHIFT, opened, rows[side], weights, fine[side])
    runs = (room[0, : n_runs(numbers)], room[1, : n_runs(numbers)])
    of_numbers = pair(fine, 0, 0, numbers)
    sum_runs(of_numbers, RUN_SHIFT, opened, runs)
    best, code, op = scan_numbers(of_numbers, runs, opened, RUN_SHIFT, first, criterion, best)
    for run in range(numbers >> RUN_SHIFT, n_runs(size)):
        if not opened[run]:
            continue
        begin, end = max(run << RUN_SHIFT, numbers), min((run + 1) << RUN_SHIFT, size)
        best, category, equality = scan_categories(pair(fine, 0, begin, end), begin, first, criterion, best)
        if equality >= 0:
            code, op = category, equality
    return best, code, op


@kernel
def scan_runs(codes, width, members, counted, rows, weights, criterion, reached, fine):
    """Return (score, feature, code, op) of the best literal of features without a counter for each code.

    What scores less than `reached` does not count; op is -1 if nothing is left.

    `codes` are the bytes of codes that have `width` of these: one kernel for all dtypes. `rows` is a pair of
    those of positives and negatives. `fine` has a counter for each side and each code of any feature, zero
    before and after; only what is counted is touched.
    """
    plan = counted.plan
    best, best_feature, best_code, best_op = -np.inf, -1, -1, -1
    most_runs = 0
    for feature in members:
        most_runs = max(most_runs, plan[feature, SIZE] >> RUN_SHIFT, plan[feature, CELLS])
    room = np.empty((2, most_runs + 2), dtype=np.int64)
    opened = np.zeros(most_runs + 2, dtype=np.uint8)  # zero again after each feature
    for feature in members:
        place = plan[feature]
        column = codes[place[ROW]]
        # Of literals as good the one of the first feature wins, which may be this one: just below.
        local = np.nextafter(max(best, reached), -np.inf)
        if is_counted(feature, plan, counted.limit):
            shift = place[SHIFT]
            local, code, op = _scan_counted_runs(
                column, width, place, counted, rows, weights, criterion, local, room, opened, fine
            )
        else:
            shift = RUN_SHIFT
            local, code, op = _scan_all_codes(
                column, width, place, rows, weights, criterion, local, room, opened, fine
            )
        if op >= 0 and (local > best or (local == best and feature < best_feature)):
            best, best_feature, best_code, best_op = local, feature, code, op
        _clear(opened, shift, place[SIZE], fine)
    return best, best_feature, best_code, best_op
