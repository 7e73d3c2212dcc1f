"""The best literal on a set of examples, by prefix sums over counted codes (compiled kernels).

`Examples` is all that induction sees of the data: positives and negatives that can be counted, searched
for their best literal, narrowed by a literal, and swapped. Counts of parts of a table add up, so another
engine can stand in for it by supplying the same five methods.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numba import njit

from foldse.encoding import CodeInterval, EncodedTable
from foldse.heuristics import SCORES, chi_square, gini_printed, information_gain, magic_gini, weighted_gini
from foldse.literals import Op

__all__ = ["CodeLiteral", "Examples", "SearchOptions"]

HEURISTICS: Final = tuple(SCORES)  # their positions are what the kernels branch on
OPS: Final = tuple(Op)  # likewise
_LE, _NOT_LE, _GT, _NOT_GT, _EQ, _NE = range(6)


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What may be searched, and how literals are scored.

    Attributes
    ----------
    heuristic : str
        A key of `foldse.heuristics.SCORES`.
    negated_thresholds : bool
        Whether ``not<=`` and ``not>`` are among the comparisons: FOLD-SE's six against FOLD-R++'s four.
    """

    heuristic: str
    negated_thresholds: bool


@dataclass(frozen=True, slots=True)
class CodeLiteral:
    """A literal in terms of codes."""

    feature: int
    code: int
    op: Op


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def _count(codes, members, offsets, rows, weights, side, counts):
    """Add the rows to the counters of one side, for every feature of a block."""
    for member in range(len(members)):
        base = offsets[members[member]]
        column = codes[member]
        if weights is None:
            for row in rows:
                counts[base + column[row], side] += 1
        else:
            for row in rows:
                counts[base + column[row], side] += weights[row]


@njit(cache=True, nogil=True)
def _scan(counts, positive, offsets, n_numbers, blocked, negated_thresholds, heuristic, n_pos, n_neg):
    """Return (feature, code, op) of the best literal, of several as good the first; feature -1 if none.

    A literal and its complement have the same score, and exactly one of them is valid unless both are:
    the split is scored once, for the first of the two that is.
    """
    negative = 1 - positive
    best, best_feature, best_code, best_op = -np.inf, -1, -1, -1
    for feature in range(len(n_numbers)):
        base = offsets[feature]
        end = base + n_numbers[feature]
        numbers_pos, numbers_neg = 0, 0
        for counter in range(base, end):
            numbers_pos += counts[counter, positive]
            numbers_neg += counts[counter, negative]
        # Where every value is a number, > is the complement of <= and can add nothing to its negation.
        comparable = numbers_pos == n_pos and numbers_neg == n_neg
        below_pos, below_neg = 0, 0
        for counter in range(base, end):
            here_pos, here_neg = counts[counter, positive], counts[counter, negative]
            if here_pos == 0 and here_neg == 0:
                continue
            below_pos += here_pos
            below_neg += here_neg
            if blocked[counter]:
                continue
            tp, fp = below_pos, below_neg
            fn, tn = n_pos - tp, n_neg - fp
            if tp + tn >= fn + fp:
                score = _score(heuristic, tp, fn, tn, fp)
                if score > best:
                    best, best_feature, best_code, best_op = score, feature, counter - base, _LE
            elif negated_thresholds:
                score = _score(heuristic, fn, tp, fp, tn)
                if score > best:
                    best, best_feature, best_code, best_op = score, feature, counter - base, _NOT_LE
            if negated_thresholds and comparable:
                continue
            tp, fp = numbers_pos - below_pos, numbers_neg - below_neg
            fn, tn = n_pos - tp, n_neg - fp
            if tp + tn >= fn + fp:
                score = _score(heuristic, tp, fn, tn, fp)
                if score > best:
                    best, best_feature, best_code, best_op = score, feature, counter - base, _GT
            elif negated_thresholds:
                score = _score(heuristic, fn, tp, fp, tn)
                if score > best:
                    best, best_feature, best_code, best_op = score, feature, counter - base, _NOT_GT
        for counter in range(end, offsets[feature + 1]):
            tp, fp = counts[counter, positive], counts[counter, negative]
            if (tp == 0 and fp == 0) or blocked[counter]:
                continue
            fn, tn = n_pos - tp, n_neg - fp
            if tp + tn >= fn + fp:
                score = _score(heuristic, tp, fn, tn, fp)
                if score > best:
                    best, best_feature, best_code, best_op = score, feature, counter - base, _EQ
            else:
                score = _score(heuristic, fn, tp, fp, tn)
                if score > best:
                    best, best_feature, best_code, best_op = score, feature, counter - base, _NE
    return best_feature, best_code, best_op


@njit(cache=True, nogil=True)
def _split(column, lo, hi, negated, rows, inside, outside):
    """Write the rows whose code is in the interval to `inside`, the others to `outside`.

    Returns how many are inside.
    """
    n_inside, n_outside = 0, 0
    for row in rows:
        code = column[row]
        # Both are written and one is kept: no branch to mispredict.
        inside[n_inside] = row
        outside[n_outside] = row
        taken = int((lo <= code) & (code < hi)) ^ negated
        n_inside += taken
        n_outside += 1 - taken
    return n_inside


def _partition(
    table: EncodedTable, interval: CodeInterval, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    inside, outside = np.empty_like(rows), np.empty_like(rows)
    n_inside = _split(
        table.codes(interval.feature), interval.lo, interval.hi, int(interval.negated), rows, inside, outside
    )
    return inside[:n_inside], outside[: len(rows) - n_inside]


class Examples:
    """Positive and negative rows of an encoded table.

    Parameters
    ----------
    table : EncodedTable
    positive, negative : numpy.ndarray of int32
        Rows, ascending.
    weights : numpy.ndarray of int64, shape (n_rows,), optional
        Weight of each row of the table; each row counts once by default. Integers, so that sums are
        exact in any order.

    Attributes
    ----------
    n_positive, n_negative : int
        Total weight of either side.
    """

    __slots__ = ("_counts", "_side", "n_negative", "n_positive", "negative", "positive", "table", "weights")

    def __init__(
        self,
        table: EncodedTable,
        positive: np.ndarray,
        negative: np.ndarray,
        weights: np.ndarray | None = None,
    ):
        self.table = table
        self.positive, self.negative = positive, negative
        self.weights = weights
        self.n_positive, self.n_negative = self.weigh(positive), self.weigh(negative)
        self._counts: np.ndarray | None = None
        self._side = 0  # which column of the counters holds the positives

    def weigh(self, rows: np.ndarray) -> int:
        """Return the total weight of some rows."""
        return len(rows) if self.weights is None else int(self.weights[rows].sum())

    def counts(self) -> np.ndarray:
        """Return, for each code of each feature, the weight of the examples that have it.

        Returns
        -------
        numpy.ndarray of shape (n_codes, 2)
        """
        if self._counts is None:
            counts = np.zeros((int(self.table.offsets[-1]), 2), dtype=np.int64)
            for codes, members in zip(self.table.blocks, self.table.block_features, strict=True):
                for side, rows in ((self._side, self.positive), (1 - self._side, self.negative)):
                    _count(codes, members, self.table.offsets, rows, self.weights, side, counts)
            self._counts = counts
        return self._counts

    def best_literal(self, options: SearchOptions, blocked: np.ndarray) -> CodeLiteral | None:
        """Return the literal with the largest score, or None if none is valid.

        Parameters
        ----------
        options : SearchOptions
        blocked : numpy.ndarray of uint8, shape (n_codes,)
            Codes that may stand in no literal.

        Returns
        -------
        CodeLiteral or None
            Of several as good the first: in column order; in a column thresholds ascending, each with
            ``<=``, ``not<=``, ``>``, ``not>``, then categories in sorted order, each with ``=``, ``!=``.
        """
        feature, code, op = _scan(
            self.counts(),
            self._side,
            self.table.offsets,
            self.table.n_numbers,
            blocked,
            options.negated_thresholds,
            HEURISTICS.index(options.heuristic),
            self.n_positive,
            self.n_negative,
        )
        return None if feature < 0 else CodeLiteral(feature, code, OPS[op])

    def split(self, literal: CodeLiteral) -> tuple[Examples, Examples]:
        """Return the examples that satisfy a literal and those that do not."""
        interval = self.table.interval(literal.feature, literal.code, literal.op)
        parts: list[Any] = [_partition(self.table, interval, rows) for rows in (self.positive, self.negative)]
        (positive_in, positive_out), (negative_in, negative_out) = parts
        return (
            Examples(self.table, positive_in, negative_in, self.weights),
            Examples(self.table, positive_out, negative_out, self.weights),
        )

    def swapped(self) -> Examples:
        """Return the examples with positives and negatives exchanged; what has been counted is kept."""
        other = Examples.__new__(Examples)
        other.table, other.weights = self.table, self.weights
        other.positive, other.negative = self.negative, self.positive
        other.n_positive, other.n_negative = self.n_negative, self.n_positive
        other._counts, other._side = self._counts, 1 - self._side
        return other

    def without_positives(self, rows: np.ndarray) -> Examples:
        """Return the examples less some of the positives."""
        return Examples(
            self.table, np.setdiff1d(self.positive, rows, assume_unique=True), self.negative, self.weights
        )
