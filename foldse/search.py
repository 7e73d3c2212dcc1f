"""The best literal on a set of examples, by prefix sums over counted codes.

`Examples` is all that induction sees of the data: positives and negatives that can be counted, searched
for their best literal, narrowed by a literal, and exchanged. Counts of the parts of a table add up, so an
engine that holds its rows elsewhere has to supply `Examples.counts` and the rows' partition only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from foldse.counting import count_codes, on_features, partition, without
from foldse.encoding import EncodedTable
from foldse.literals import Op
from foldse.scanning import HEURISTICS, OPS, SPARSE, scan_features

__all__ = ["CodeLiteral", "Examples", "SearchOptions"]


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

    def counts(self) -> np.ndarray:
        """Return the weight of the examples that have each code of the features with counters.

        Returns
        -------
        numpy.ndarray of shape (n_counters, 2)
            Of features with more codes than `SPARSE` times the rows what it holds is undefined.
        """
        if self._counts is not None:
            return self._counts
        here = (self.positive, self.negative)
        if self._larger is None:
            # Unweighted counts need four bytes only, as rows do.
            dtype = np.int32 if self.weights is None else np.int64
            self._counts = np.zeros((self.table.n_counters, 2), dtype=dtype)
            left_out: list[np.ndarray] | tuple[None, None] = (None, None)
        else:
            larger, spent, *left_out = self._larger
            self._larger = None
            self._counts = larger if spent else larger.copy()
        for side, rows, others in zip((self._side, 1 - self._side), here, left_out, strict=True):
            if others is not None and len(others) <= len(rows):
                self._count(side, others, -1)
            else:
                if others is not None:
                    self._counts[:, side] = 0
                self._count(side, rows, 1)
        return self._counts

    def _count(self, side: int, rows: np.ndarray, sign: int) -> None:
        assert self._counts is not None
        count_codes(self.table, rows, self.weights, self._counts, side, sign, SPARSE * self.n_rows)

    def best_literal(self, options: SearchOptions, blocked: Sequence[int]) -> CodeLiteral | None:
        """Return the literal with the largest score, or None if none is valid.

        Parameters
        ----------
        options : SearchOptions
        blocked : sequence of int
            Values that may stand in no literal, as the numbers of their codes, see `EncodedTable.offsets`.

        Returns
        -------
        CodeLiteral or None
            Of several as good the first: in column order; in a column thresholds ascending, each with
            ``<=``, ``not<=``, ``>``, ``not>``, then categories in sorted order, each with ``=``, ``!=``.
        """
        counts = self.counts()
        heuristic = HEURISTICS.index(options.heuristic)
        values = np.array(blocked, dtype=np.int64)
        found = on_features(
            self.table,
            self.n_rows,
            lambda codes, features: scan_features(
                codes,
                features,
                self.table.block_rows,
                self.table.offsets,
                self.table.counter_starts,
                self.table.n_numbers,
                counts,
                self._side,
                self.positive,
                self.negative,
                self.weights,
                values,
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
