"""The best literal on a set of examples, by prefix sums over counted codes.

`Examples` is all that induction sees of the data: positives and negatives that can be counted, searched
for their best literal, narrowed by a literal, and exchanged. Counts of the parts of a table add up, so an
engine that holds its rows elsewhere has to supply `Examples.counts` and the rows' partition only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numba import njit

from foldse.counting import count_codes, on_features, partition, without
from foldse.encoding import EncodedTable
from foldse.heuristics import SCORES, chi_square, gini_printed, information_gain, magic_gini, weighted_gini
from foldse.literals import Op

__all__ = ["CodeLiteral", "Examples", "SearchOptions"]

HEURISTICS: Final = tuple(SCORES)  # their positions are what the kernels branch on
OPS: Final = tuple(Op)  # likewise
_LE, _NOT_LE, _GT, _NOT_GT, _EQ, _NE = range(6)

# A feature with more codes than this many times the rows at hand is not worth counters that have to be
# cleared and read through: the codes that occur are collected and sorted instead.
SPARSE: Final = 2

RUN: Final = 64  # values that are passed over together if none of them can be the best threshold


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


@njit(cache=True, nogil=True)
def _may_beat(tp, fp, n_pos, n_neg, best):
    """Whether a split's magic Gini may be above the best so far, told without a root.

    (sqrt a + sqrt b)^2 is at least a + b. The factor leaves room for rounding.
    """
    limit = best * (n_pos + n_neg)
    a = float(tp) * float(fp)
    b = float(n_pos - tp) * float(n_neg - fp)
    return (a + b) * 0.999999999 <= limit * limit


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def _scan_numbers(counts, side, blocked, negated, heuristic, n_pos, n_neg, best):
    """Return (score, position, op) of the best threshold; op -1 if none beats the best so far.

    `counts` has a row for each number, in ascending order.
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
    best_position, best_op = -1, -1
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
            if blocked[position]:
                continue
            best, complement = _better(heuristic, below_pos, below_neg, n_pos, n_neg, negated, best)
            if complement >= 0:
                best_position, best_op = position, _LE + complement
            if negated and only_numbers:
                continue
            above_pos, above_neg = numbers_pos - below_pos, numbers_neg - below_neg
            best, complement = _better(heuristic, above_pos, above_neg, n_pos, n_neg, negated, best)
            if complement >= 0:
                best_position, best_op = position, _GT + complement
    return best, best_position, best_op


@njit(cache=True, nogil=True)
def _scan_categories(counts, side, blocked, heuristic, n_pos, n_neg, best):
    """Return (score, position, op) of the best equality; op -1 if none beats the best so far."""
    best_position, best_op = -1, -1
    for position in range(len(counts)):
        pos, neg = counts[position, side], counts[position, 1 - side]
        if (pos == 0 and neg == 0) or blocked[position]:
            continue
        best, complement = _better(heuristic, pos, neg, n_pos, n_neg, True, best)
        if complement >= 0:
            best_position, best_op = position, _EQ + complement
    return best, best_position, best_op


@njit(cache=True, nogil=True)
def _collect(column, rows, weights, side, counts, codes, n_codes):
    """Count rows in cleared counters and append each code that is new; return how many there are."""
    for row in rows:
        code = column[row]
        if counts[code, 0] == 0 and counts[code, 1] == 0:
            codes[n_codes] = code
            n_codes += 1
        counts[code, side] += 1 if weights is None else weights[row]
    return n_codes


@njit(cache=True, nogil=True)
def _scan(
    table_codes,
    members,
    offsets,
    n_numbers,
    counts,
    limit,
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
    """Return (score, feature, code, op) of the best literal of a block's features; op -1 if none is valid.

    A feature of at most `limit` codes is read from `counts`, another counted here, code by code.
    """
    best, best_feature, best_code, best_op = -np.inf, -1, -1, -1
    largest = 0
    for member in range(len(members)):
        size = offsets[members[member] + 1] - offsets[members[member]]
        if size > limit:
            largest = max(largest, size)
    scratch = np.zeros((largest, 2), dtype=counts.dtype)
    found = np.empty(len(positive) + len(negative) if largest else 0, dtype=np.int64)
    for member in range(len(members)):
        feature = members[member]
        start, end = offsets[feature], offsets[feature + 1]
        if end - start <= limit:
            here, dull, split = counts[start:end], blocked[start:end], n_numbers[feature]
            codes = found[:0]
        else:
            n_found = _collect(table_codes[member], positive, weights, side, scratch, found, 0)
            n_found = _collect(table_codes[member], negative, weights, 1 - side, scratch, found, n_found)
            codes = np.sort(found[:n_found])
            here, dull = scratch[codes], blocked[start:end][codes]
            split = np.searchsorted(codes, n_numbers[feature])
            for code in codes:
                scratch[code, 0] = 0
                scratch[code, 1] = 0
        best, position, op = _scan_numbers(
            here[:split], side, dull[:split], negated, heuristic, n_pos, n_neg, best
        )
        if op >= 0:
            best_feature, best_op = feature, op
            best_code = codes[position] if len(codes) else position
        best, position, op = _scan_categories(here[split:], side, dull[split:], heuristic, n_pos, n_neg, best)
        if op >= 0:
            best_feature, best_op = feature, op
            best_code = codes[split + position] if len(codes) else split + position
    return best, best_feature, best_code, best_op


class Examples:
    """Positive and negative rows of an encoded table.

    Parameters
    ----------
    table : EncodedTable
    positive, negative : numpy.ndarray of int32
        Rows, ascending.
    weights : numpy.ndarray of int64, shape (n_rows,), optional
        Weight of each row of the table, above 0; each row counts once by default. Integers, so that sums
        are exact in any order.

    Attributes
    ----------
    n_positive, n_negative : int
        Total weight of either side.

    Notes
    -----
    Counters are kept for the features whose codes are few for the rows at hand, and made from those of the
    examples they were narrowed from wherever that means to count fewer rows.
    """

    __slots__ = (
        "_counts",
        "_larger",
        "_side",
        "n_negative",
        "n_positive",
        "negative",
        "positive",
        "table",
        "weights",
    )

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
        # Counters of the examples that these were narrowed from, whether they may be overwritten, and
        # the rows that were left out.
        self._larger: tuple[np.ndarray, bool, np.ndarray, np.ndarray] | None = None

    def weigh(self, rows: np.ndarray) -> int:
        """Return the total weight of some rows."""
        return len(rows) if self.weights is None else int(self.weights[rows].sum())

    @property
    def limit(self) -> int:
        """The number of codes up to which a feature has counters."""
        return SPARSE * (len(self.positive) + len(self.negative))

    def counts(self) -> np.ndarray:
        """Return, for each code of a feature that has counters, the weight of the examples that have it.

        Returns
        -------
        numpy.ndarray of shape (n_codes, 2)
            What it holds for other features is undefined.
        """
        if self._counts is None:
            n_rows = len(self.positive) + len(self.negative)
            if self._larger is not None:
                larger, spent, *left_out = self._larger
                self._larger = None
                if sum(map(len, left_out)) < n_rows:
                    self._counts = larger if spent else larger.copy()
                    self._count(left_out, -1)
                    return self._counts
                if spent:
                    self._counts = larger
                    larger.fill(0)
            if self._counts is None:
                # Unweighted counts need four bytes only, as rows do.
                dtype = np.int32 if self.weights is None else np.int64
                self._counts = np.zeros((int(self.table.offsets[-1]), 2), dtype=dtype)
            self._count([self.positive, self.negative], 1)
        return self._counts

    def _count(self, sides: list[np.ndarray], sign: int) -> None:
        assert self._counts is not None
        for side, rows in zip((self._side, 1 - self._side), sides, strict=True):
            count_codes(self.table, rows, self.weights, self._counts, side, sign, self.limit)

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
        counts = self.counts()
        heuristic = HEURISTICS.index(options.heuristic)
        found = on_features(
            self.table,
            self.n_rows,
            lambda codes, features: _scan(
                codes,
                features,
                self.table.offsets,
                self.table.n_numbers,
                counts,
                self.limit,
                self._side,
                self.positive,
                self.negative,
                self.weights,
                blocked,
                options.negated_thresholds,
                heuristic,
                self.n_positive,
                self.n_negative,
            ),
        )
        _, feature, code, op = max(found, key=lambda best: (best[0], -best[1]))
        return None if op < 0 else CodeLiteral(feature, code, OPS[op])

    @property
    def n_rows(self) -> int:
        """Number of rows, whatever their weights."""
        return len(self.positive) + len(self.negative)

    def narrowed(self, literal: CodeLiteral, last_use: bool = False) -> Examples:
        """Return the examples that satisfy a literal.

        Parameters
        ----------
        literal : CodeLiteral
        last_use : bool, default=False
            Whether these examples are done with, so that their counters may be overwritten.
        """
        inside, outside = self.split(literal)
        if self._counts is not None:
            inside._side = self._side
            inside._larger = (self._counts, last_use, outside.positive, outside.negative)
        return inside

    def split(self, literal: CodeLiteral) -> tuple[Examples, Examples]:
        """Return the examples that satisfy a literal and those that do not."""
        interval = self.table.interval(literal.feature, literal.code, literal.op)
        positive_in, positive_out = partition(self.table, interval, self.positive)
        negative_in, negative_out = partition(self.table, interval, self.negative)
        return (
            Examples(self.table, positive_in, negative_in, self.weights),
            Examples(self.table, positive_out, negative_out, self.weights),
        )

    def exchanged(self) -> Examples:
        """Return the examples with positives and negatives exchanged; these ones are done with."""
        other = Examples.__new__(Examples)
        other.table, other.weights = self.table, self.weights
        other.positive, other.negative = self.negative, self.positive
        other.n_positive, other.n_negative = self.n_negative, self.n_positive
        other._counts, other._side, other._larger = self._counts, 1 - self._side, None
        if self._larger is not None:
            larger, spent, positive, negative = self._larger
            other._larger = (larger, spent, negative, positive)
        return other

    def without_positives(self, rows: np.ndarray, marks: np.ndarray) -> Examples:
        """Return the examples less some of the positives; these ones are done with.

        Parameters
        ----------
        rows : numpy.ndarray of int32
        marks : numpy.ndarray of uint8, shape (table.n_rows,)
            Scratch space, zero before and after.
        """
        rest = Examples(self.table, without(self.positive, rows, marks), self.negative, self.weights)
        rest._side = self._side
        if self._counts is not None:
            rest._larger = (self._counts, True, rows, np.empty(0, dtype=np.int32))
        return rest
