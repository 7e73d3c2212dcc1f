"""The best literal among codes that have no bins of their own (compiled kernels).

They are counted one by one: of numbers that share bins, those in bins that may hold the best threshold; of a
feature without bins, or with too many for so few rows, all codes that occur.
"""

from __future__ import annotations

import numpy as np

from foldse.runtime.kernels import kernel
from foldse.search.blocks import BLOCK_SHIFT, by_class, n_blocks, sum_blocks
from foldse.search.candidates import just_below, none_above, wins
from foldse.search.histogram_layout import has_bins
from foldse.search.scan import mark_candidates, scan_categories, scan_thresholds
from foldse.search.workspace import DUMMY_BINS

__all__ = ["refine"]


@kernel
def _add_candidates(column, n_numeric, shift, is_candidate, rows, weights, counts):
    """Add the rows whose number lies in a candidate bin to the counts of the codes.

    Parameters
    ----------
    column : array of unsigned int, shape (n_rows,)
        Codes of the feature.
    n_numeric, shift : int
        See `foldse.search.histogram_layout.FEATURE_BINS`.
    is_candidate : array of uint8, shape at least (n_numeric_bins,)
        1 or 0.
    rows : array of uint32
    weights : array of int64, shape (n_rows,), or None
    counts : array of int32 or int64, shape at least (n_codes,)
        Of one class; changed in place.

    Returns
    -------
    None
    """
    n_numeric, shift = np.uint32(n_numeric), np.uint32(shift)
    for row in rows:
        code = np.uint32(column[row])
        if code < n_numeric:
            # No branch to mispredict: for the other bins nothing is added, to one of the first few counts.
            counted = np.uint32(is_candidate[code >> shift])
            position = code * counted + row % np.uint32(DUMMY_BINS) * (np.uint32(1) - counted)
            counts[position] += counted if weights is None else counted * weights[row]


@kernel
def _add_all(column, is_candidate, rows, weights, counts):
    """Add rows to the counts of their codes, and mark the blocks in which any lies.

    Parameters
    ----------
    column : array of unsigned int, shape (n_rows,)
        Codes of the feature.
    is_candidate : array of uint8, shape at least (n_blocks,)
        Set to 1 for these blocks.
    rows : array of uint32
    weights : array of int64, shape (n_rows,), or None
    counts : array of int32 or int64, shape at least (n_codes,)
        Of one class; changed in place.

    Returns
    -------
    None
    """
    shift = np.uint32(BLOCK_SHIFT)
    for row in rows:
        code = np.uint32(column[row])
        counts[code] += 1 if weights is None else weights[row]
        is_candidate[code >> shift] = 1


@kernel
def _add(column, bins, exhaustive, is_candidate, rows, weights, counts):
    """Add the rows of both classes to the counts of their codes.

    Parameters
    ----------
    column : array of unsigned int, shape (n_rows,)
    bins : record of FEATURE_BINS
    exhaustive : bool
        Whether all codes are counted, see `_add_all`, or some, see `_add_candidates`.
    is_candidate : array of uint8
    rows : (array of uint32, array of uint32)
        Of positives and of negatives.
    weights : array of int64, shape (n_rows,), or None
    counts : array of int32 or int64, shape (2, at least n_codes)
        Changed in place.

    Returns
    -------
    None
    """
    for side in range(2):
        if exhaustive:
            _add_all(column, is_candidate, rows[side], weights, counts[side])
        else:
            _add_candidates(
                column, bins.n_numeric, bins.shift, is_candidate, rows[side], weights, counts[side]
            )


@kernel
def _count(column, width, bins, exhaustive, is_candidate, rows, weights, counts):
    """Add rows whatever the dtype of the codes, see `_add`.

    Parameters
    ----------
    column : array of uint8, shape (width * n_rows,)
        The bytes of the codes.
    width : int
        How many bytes a code has.
    bins, exhaustive, is_candidate, rows, weights, counts
        As of `_add`.

    Returns
    -------
    None
    """
    if width == 1:
        _add(column, bins, exhaustive, is_candidate, rows, weights, counts)
    elif width == 2:
        _add(column.view(np.uint16), bins, exhaustive, is_candidate, rows, weights, counts)
    else:
        _add(column.view(np.uint32), bins, exhaustive, is_candidate, rows, weights, counts)


@kernel
def _clear(is_candidate, shift, n_codes, counts):
    """Set the marks of all blocks and the counts of their codes to zero.

    Parameters
    ----------
    is_candidate : array of uint8, shape at least (n_blocks,)
        Marks of the blocks in which counts may differ from zero; changed in place.
    shift, n_codes : int
    counts : array of int32 or int64, shape (2, at least n_codes)
        Changed in place.

    Returns
    -------
    None
    """
    for block in range(((n_codes - 1) >> shift) + 1):
        if is_candidate[block]:
            is_candidate[block] = 0
            for code in range(block << shift, min((block + 1) << shift, n_codes)):
                counts[0, code], counts[1, code] = 0, 0


@kernel
def _search_shared_bins(
    column, width, feature, histograms, rows, weights, criterion, best, sums, is_candidate, code_counts
):
    """Return the best literal of a feature whose numbers share bins if it beats the best so far, else that.

    Parameters
    ----------
    column, width, rows, weights
        See `_count`.
    feature : int
    histograms : Histograms
    criterion : Criterion
    best : Candidate
    sums : array of int64, shape (2, at least n_numeric_bins)
        Overwritten.
    is_candidate : array of uint8, shape at least (n_numeric_bins,)
        Zero before; marks the bins whose codes were counted afterwards.
    code_counts : array of int32 or int64, shape (2, at least n_codes)
        Zero before.

    Returns
    -------
    Candidate
    """
    known = histograms.layout[feature]
    first_code, n_numeric, allowed = known.first_code, known.n_numeric, known.allowed & criterion.allowed
    end = known.start + known.n_bins
    split = end - (known.n_codes - n_numeric)
    blocks = (sums[0, : split - known.start], sums[1, : split - known.start])
    bins = by_class(histograms.counts, histograms.positive_row, known.start, split)
    for position in range(split - known.start):
        blocks[0][position], blocks[1][position] = bins[0][position], bins[1][position]
    if mark_candidates(blocks, criterion, best.score, is_candidate):
        _count(column, width, known, False, is_candidate, rows, weights, code_counts)
        numeric = by_class(code_counts, 0, 0, n_numeric)
        best = scan_thresholds(
            numeric, blocks, is_candidate, known.shift, feature, first_code, allowed, criterion, best
        )
    categories = by_class(histograms.counts, histograms.positive_row, split, end)
    return scan_categories(
        categories, n_numeric, known.last_first, feature, first_code, allowed, criterion, best
    )


@kernel
def _search_all_codes(
    column, width, feature, histograms, rows, weights, criterion, best, sums, is_candidate, code_counts
):
    """Return the best literal of a feature without bins if it beats the best so far, else that.

    Parameters
    ----------
    column, width, rows, weights
        See `_count`.
    feature : int
    histograms : Histograms
    criterion : Criterion
    best : Candidate
    sums : array of int64, shape (2, at least n_blocks)
        Overwritten.
    is_candidate : array of uint8, shape at least (n_blocks,)
        Zero before; marks the blocks that occur afterwards.
    code_counts : array of int32 or int64, shape (2, at least n_codes)
        Zero before.

    Returns
    -------
    Candidate
    """
    known = histograms.layout[feature]
    first_code, n_numeric, n_codes = known.first_code, known.n_numeric, known.n_codes
    allowed = known.allowed & criterion.allowed
    _count(column, width, known, True, is_candidate, rows, weights, code_counts)
    blocks = (sums[0, : n_blocks(n_numeric)], sums[1, : n_blocks(n_numeric)])
    numeric = by_class(code_counts, 0, 0, n_numeric)
    sum_blocks(numeric, BLOCK_SHIFT, is_candidate, blocks)
    best = scan_thresholds(
        numeric, blocks, is_candidate, BLOCK_SHIFT, feature, first_code, allowed, criterion, best
    )
    first_block, end_block = n_numeric >> BLOCK_SHIFT, n_blocks(n_codes)
    for step in range(end_block - first_block):
        block = end_block - 1 - step if known.last_first else first_block + step
        if is_candidate[block]:
            begin = max(block << BLOCK_SHIFT, n_numeric)
            categories = by_class(code_counts, 0, begin, min((block + 1) << BLOCK_SHIFT, n_codes))
            best = scan_categories(
                categories, begin, known.last_first, feature, first_code, allowed, criterion, best
            )
    return best


@kernel
def refine(codes, width, features, histograms, rows, weights, criterion, best_known, code_counts):
    """Return the best literal of features without a bin for each code, if any scores enough.

    Parameters
    ----------
    codes : array of uint8, shape (n_matrix_rows, width * n_rows)
        The bytes of the codes: one kernel for all dtypes.
    width : int
        How many bytes a code has.
    features : array of int64
        Of this matrix.
    histograms : Histograms
    rows : (array of uint32, array of uint32)
        Of positives and of negatives.
    weights : array of int64, shape (n_rows,), or None
    criterion : Criterion
    best_known : float
        What a literal has to score at least.
    code_counts : array of int32 or int64, shape (2, most codes of any feature)
        Zero before and after; lent by `Workspace.lend_code_counts`.

    Returns
    -------
    Candidate
        Its operator is -1 if no literal scores enough.
    """
    layout = histograms.layout
    best = none_above(-np.inf)
    most_blocks = 0
    for feature in features:
        most_blocks = max(most_blocks, layout[feature].n_codes >> BLOCK_SHIFT, layout[feature].n_bins)
    sums = np.empty((2, most_blocks + 2), dtype=np.int64)
    is_candidate = np.zeros(most_blocks + 2, dtype=np.uint8)  # zero again after each feature
    for feature in features:
        known = layout[feature]
        column = codes[known.row]
        # An equal literal of an earlier feature wins, which may be this one.
        beaten = none_above(just_below(max(best.score, best_known)))
        if has_bins(known, histograms.max_bins):
            shift = known.shift
            found = _search_shared_bins(
                column,
                width,
                feature,
                histograms,
                rows,
                weights,
                criterion,
                beaten,
                sums,
                is_candidate,
                code_counts,
            )
        else:
            shift = BLOCK_SHIFT
            found = _search_all_codes(
                column,
                width,
                feature,
                histograms,
                rows,
                weights,
                criterion,
                beaten,
                sums,
                is_candidate,
                code_counts,
            )
        if found.op >= 0 and wins(found, best):
            best = found
        _clear(is_candidate, shift, known.n_codes, code_counts)
    return best
