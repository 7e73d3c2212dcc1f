"""The best literal among histograms (compiled kernels).

Codes are passed over in blocks that cannot hold the best threshold (see `foldse.search.blocks`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from foldse.runtime.kernels import kernel
from foldse.search.blocks import BLOCK_SHIFT, by_class, n_blocks, sum_blocks, sums_of
from foldse.search.candidates import EQ, GT, LE, Candidate, just_below, none_above
from foldse.search.histogram_layout import has_bins, is_exact
from foldse.search.split_scores import improve_on, may_contain_best

__all__ = [
    "Criterion",
    "Histograms",
    "Scan",
    "mark_candidates",
    "scan_categories",
    "scan_histograms",
    "scan_thresholds",
]


class Criterion(NamedTuple):
    """Which literals are valid, and how they are scored.

    Attributes
    ----------
    blocked : numpy.ndarray of int64
        Comparisons that may not be made, see `foldse.search.candidates.blocked_by`.
    allowed : int
        Which comparisons may be made: a bit for each of `foldse.search.candidates.OPS`.
    heuristic : int
        Position in `foldse.search.split_scores.HEURISTICS`.
    totals : (int, int)
        Weight of the positives and of the negatives.
    """

    blocked: np.ndarray
    allowed: int
    heuristic: int
    totals: tuple[int, int]


class Histograms(NamedTuple):
    """Counts of all features, and where they are.

    Attributes
    ----------
    layout : numpy.ndarray of FEATURE_BINS, shape (n_features,)
    max_bins : int
        The counts of features of more bins are undefined.
    counts : numpy.ndarray of int, shape (2, n_bins)
    positive_row : int
        Which row of the counts is that of the positives.
    """

    layout: np.ndarray
    max_bins: int
    counts: np.ndarray
    positive_row: int


class Scan(NamedTuple):
    """What `scan_histograms` finds.

    Attributes
    ----------
    best : Candidate
        Of the features with a bin for each code.
    best_known : float
        The largest score that is known to occur, there or at the bounds of shared bins.
    needs_refinement : bool
        Whether `foldse.search.refine.refine` may find an equally good literal in the other features.
    """

    best: Candidate
    best_known: float
    needs_refinement: bool


@kernel
def _is_blocked(comparison, blocked):
    """Return whether a value may not be compared in some way.

    Parameters
    ----------
    comparison : int
        See `foldse.search.candidates.blocked_by`.
    blocked : array of int64
        Short.

    Returns
    -------
    bool
    """
    for other in blocked:  # noqa: SIM110  (numba compiles no generator)
        if other == comparison:
            return True
    return False


@kernel
def scan_thresholds(counts, blocks, is_candidate, shift, feature, first_code, allowed, criterion, best):
    """Return the best threshold of a feature if it beats the best so far, else that.

    Parameters
    ----------
    counts : (array of int, array of int), shape (n_numeric,)
        By code, in the candidate blocks.
    blocks : (array of int64, array of int64), shape (n_blocks,)
        Sums of the counts of all blocks.
    is_candidate : array of uint8, shape at least (n_blocks,)
        Zero for blocks that cannot hold the best.
    shift, feature, first_code : int
    allowed : int
        Which comparisons of this feature may be made, as in `Criterion`.
    criterion : Criterion
    best : Candidate

    Returns
    -------
    Candidate
    """
    (pos, neg), n_numeric = counts, sums_of(blocks)
    heuristic, totals = criterion.heuristic, criterion.totals
    below_allowed, above_allowed = (allowed >> LE) & 3, (allowed >> GT) & 3
    # Where every value is a number, > is the complement of <= and adds nothing to its negation.
    only_below = below_allowed == 3 and n_numeric == totals
    best_score, best_code, best_op = best.score, -1, -1
    below_pos, below_neg = np.int64(0), np.int64(0)
    for block in range(len(blocks[0])):
        inside = (np.int64(blocks[0][block]), np.int64(blocks[1][block]))
        if not is_candidate[block] or not may_contain_best(
            heuristic, (below_pos, below_neg), inside, n_numeric, totals, best_score
        ):
            below_pos += inside[0]
            below_neg += inside[1]
            continue
        for code in range(block << shift, min((block + 1) << shift, len(pos))):
            if pos[code] == 0 and neg[code] == 0:
                continue
            below_pos += np.int64(pos[code])
            below_neg += np.int64(neg[code])
            below = (below_pos, below_neg)
            score, complement = improve_on(best_score, heuristic, below, totals, below_allowed)
            if complement >= 0 and not _is_blocked(first_code + code, criterion.blocked):
                best_score, best_code, best_op = score, code, LE + complement
            if only_below:
                continue
            above = (n_numeric[0] - below_pos, n_numeric[1] - below_neg)
            score, complement = improve_on(best_score, heuristic, above, totals, above_allowed)
            if complement >= 0 and not _is_blocked(~(first_code + code), criterion.blocked):
                best_score, best_code, best_op = score, code, GT + complement
    if best_op < 0:
        return best
    return Candidate(best_score, feature, best_code, best_op)


@kernel
def scan_categories(counts, begin, last_first, feature, first_code, allowed, criterion, best):
    """Return the best equality of a feature if it beats the best so far, else that.

    Parameters
    ----------
    counts : (array of int, array of int)
        By code.
    begin : int
        Code that position 0 of the counts is of.
    last_first : int
        1 if of equal scores the last is taken, else 0.
    feature, first_code : int
    allowed : int
        Which comparisons of this feature may be made, as in `Criterion`.
    criterion : Criterion
    best : Candidate

    Returns
    -------
    Candidate
    """
    best_score, best_code, best_op = best.score, -1, -1
    n_categories = len(counts[0])
    for step in range(n_categories):
        position = n_categories - 1 - step if last_first else step
        inside = (np.int64(counts[0][position]), np.int64(counts[1][position]))
        if inside[0] == 0 and inside[1] == 0:
            continue
        score, complement = improve_on(
            best_score, criterion.heuristic, inside, criterion.totals, (allowed >> EQ) & 3
        )
        if complement >= 0 and not _is_blocked(first_code + begin + position, criterion.blocked):
            best_score, best_code, best_op = score, begin + position, EQ + complement
    if best_op < 0:
        return best
    return Candidate(best_score, feature, best_code, best_op)


@kernel
def _best_bound_of_bins(bins, shift, first_code, allowed, criterion, best):
    """Return the score of the best threshold between two bins of numbers, or the best so far.

    Parameters
    ----------
    bins : (array of int, array of int)
        Counts of the numbers of a feature.
    shift, first_code : int
    allowed : int
        Which comparisons of this feature may be made, as in `Criterion`.
    criterion : Criterion
    best : float

    Returns
    -------
    float

    Notes
    -----
    The last number that occurs in a bin is such a threshold, unless it is blocked: a bin with a blocked
    number is left out.
    """
    n_numeric = sums_of(bins)
    heuristic, totals = criterion.heuristic, criterion.totals
    below_allowed, above_allowed = (allowed >> LE) & 3, (allowed >> GT) & 3
    below_pos, below_neg = np.int64(0), np.int64(0)
    only_below = below_allowed == 3 and n_numeric == totals
    for position in range(len(bins[0])):
        below_pos += np.int64(bins[0][position])
        below_neg += np.int64(bins[1][position])
        if bins[0][position] == 0 and bins[1][position] == 0:
            continue
        score = improve_on(best, heuristic, (below_pos, below_neg), totals, below_allowed)[0]
        if not only_below:
            above = (n_numeric[0] - below_pos, n_numeric[1] - below_neg)
            score = improve_on(score, heuristic, above, totals, above_allowed)[0]
        if score > best:
            usable = True
            for value in criterion.blocked:
                blocked = max(value, ~value)
                usable &= not 0 <= blocked - first_code - (position << shift) < 1 << shift
            if usable:
                best = score
    return best


@kernel
def mark_candidates(bins, criterion, best, is_candidate):
    """Mark the bins of numbers that may hold a threshold better than a score; return whether any does.

    Parameters
    ----------
    bins : (array of int, array of int), shape (n_numeric_bins,)
    criterion : Criterion
    best : float
    is_candidate : array of uint8, shape at least (n_numeric_bins,), or (0,)
        1 is written for each of them. Without room for marks the search ends at the first.

    Returns
    -------
    bool
    """
    n_numeric = sums_of(bins)
    below_pos, below_neg = np.int64(0), np.int64(0)
    found = False
    for position in range(len(bins[0])):
        inside = (np.int64(bins[0][position]), np.int64(bins[1][position]))
        below = (below_pos, below_neg)
        if may_contain_best(criterion.heuristic, below, inside, n_numeric, criterion.totals, best):
            found = True
            if len(is_candidate) == 0:
                break
            is_candidate[position] = 1
        below_pos += inside[0]
        below_neg += inside[1]
    return found


@kernel
def scan_histograms(features, histograms, criterion):
    """Search the features that have a bin for each code, and find out about the others.

    Parameters
    ----------
    features : array of int64
        Ascending.
    histograms : Histograms
    criterion : Criterion

    Returns
    -------
    Scan
    """
    layout, counts, positive_row = histograms.layout, histograms.counts, histograms.positive_row
    best, best_known = none_above(-np.inf), -np.inf
    most_blocks = 0
    for feature in features:
        most_blocks = max(most_blocks, layout[feature].n_bins >> BLOCK_SHIFT)
    sums = np.empty((2, most_blocks + 2), dtype=np.int64)
    all_blocks = np.ones(most_blocks + 2, dtype=np.uint8)
    for feature in features:
        known = layout[feature]
        if not has_bins(known, histograms.max_bins):
            continue
        first_code, n_numeric, shift = known.first_code, known.n_numeric, known.shift
        allowed = known.allowed & criterion.allowed
        end = known.start + known.n_bins
        split = end - (known.n_codes - n_numeric)
        numeric = by_class(counts, positive_row, known.start, split)
        if shift > 0:
            best_known = _best_bound_of_bins(numeric, shift, first_code, allowed, criterion, best_known)
            continue
        blocks = (sums[0, : n_blocks(n_numeric)], sums[1, : n_blocks(n_numeric)])
        sum_blocks(numeric, BLOCK_SHIFT, all_blocks, blocks)
        best = scan_thresholds(
            numeric, blocks, all_blocks, BLOCK_SHIFT, feature, first_code, allowed, criterion, best
        )
        categories = by_class(counts, positive_row, split, end)
        best = scan_categories(
            categories, n_numeric, known.last_first, feature, first_code, allowed, criterion, best
        )
    best_known = max(best.score, best_known)
    # An equal literal of an earlier feature wins, which may be one of the others.
    bound, needs_refinement = just_below(best_known), False
    for feature in features:
        known = layout[feature]
        if not has_bins(known, histograms.max_bins):
            needs_refinement = True
        elif not is_exact(known, histograms.max_bins):
            split = known.start + known.n_bins - (known.n_codes - known.n_numeric)
            bins = by_class(counts, positive_row, known.start, split)
            needs_refinement = known.n_codes > known.n_numeric or mark_candidates(
                bins, criterion, bound, all_blocks[:0]
            )
        if needs_refinement:
            break
    return Scan(best, best_known, needs_refinement)
