"""The best literal on a set of examples, by prefix sums over counted codes.

`Examples` is all that induction sees of the data: positives and negatives that can be counted, searched
for their best literal, narrowed by a literal, and exchanged. Counts of the parts of a table add up, so an
engine that holds its rows elsewhere has to supply `Examples.counters` and the rows' partition only.

Rows are permuted in place, never copied: what is narrowed, or set aside, is a part of the rows of where it
came from. A view of rows therefore keeps its *set* as long as only parts of it are worked on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from foldse.model.literals import Op
from foldse.reading.encoding import EncodedTable
from foldse.search.histograms import Change
from foldse.search.refine import scan_runs
from foldse.search.rows import (
    NO_ROWS,
    partition,
    put_last,
    total,
)
from foldse.search.scan import (
    OPS,
    Counted,
    Criterion,
    scan_counted,
)
from foldse.search.sharing import Share
from foldse.search.split_scores import HEURISTICS
from foldse.search.workspace import Scratch

__all__ = ["CodeLiteral", "Examples", "SearchOptions"]


Found = tuple[float, int, int, int]
"""A score, and the feature, code and operator that have it, or an operator of -1."""

NOTHING: Final[Found] = (-np.inf, -1, -1, -1)

# A feature with more counters than this many times the rows at hand is not worth clearing and reading them
# all: the codes that occur are counted and looked through run by run instead.
SPARSE: Final = 32


def _rank(found: Found) -> tuple[float, int]:
    """Of literals as good the one of the first feature is taken."""
    return found[0], -found[1]


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
    positive, negative : numpy.ndarray of uint32
        Rows, in any order, which is changed in place.
    weights : numpy.ndarray of int64, shape (n_rows,), optional
        Weight of each row of the table, above 0; each row counts once by default. Integers, so that sums
        are exact in any order.
    scratch : Scratch, optional
        To be shared with other examples of the same table.

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
        "_scratch",
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
        scratch: Scratch | None = None,
    ):
        self.table = table
        self.positive, self.negative = positive, negative
        self.weights = weights
        self._scratch = Scratch(table, weights is not None) if scratch is None else scratch
        self.n_positive, self.n_negative = self.weigh(positive), self.weigh(negative)
        self._counts: np.ndarray | None = None
        self._side = 0  # which row of the counters is of the positives
        # Counters of the examples that these were narrowed from, whether they may be overwritten, and
        # the rows that were left out.
        self._larger: tuple[np.ndarray, bool, np.ndarray, np.ndarray] | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows, whatever their weights."""
        return len(self.positive) + len(self.negative)

    def weigh(self, rows: np.ndarray) -> int:
        """Return the total weight of some rows."""
        return total(rows, self.weights)

    def counters(self) -> tuple[np.ndarray, Change | None]:
        """Return the weight of the examples in each cell of the table's plan of counters.

        Returns
        -------
        counts : numpy.ndarray of shape (2, n_cells)
            Of features with more cells than `SPARSE` times the rows what it holds is undefined.
        change : Change or None
            What has to be done to them yet, by the caller, who is told once.
        """
        if self._counts is not None:
            return self._counts, None
        rows = [self.positive, self.negative]
        signs, clear = [1, 1], [False, False]
        if self._larger is None:
            self._counts = np.zeros((2, self._scratch.plan.n_cells), dtype=self._scratch.count_dtype)
        else:
            larger, spent, *left_out = self._larger
            self._larger = None
            self._counts = larger if spent else larger.copy()
            for side, others in enumerate(left_out):
                if len(others) <= len(rows[side]):
                    rows[side], signs[side] = others, -1
                else:
                    clear[side] = True
        first, second = self._side, 1 - self._side  # the negatives' counters may be the first
        change = Change(
            (rows[first], rows[second]), (signs[first], signs[second]), (clear[first], clear[second])
        )
        return self._counts, change

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
        counts, change = self.counters()
        plan, limit = self._scratch.plan, SPARSE * self.n_rows
        counted = Counted(plan.features, limit, counts, self._side)
        criterion = Criterion(
            np.array(blocked, dtype=np.int64),
            options.negated_thresholds,
            HEURISTICS.index(options.heuristic),
            (self.n_positive, self.n_negative),
        )

        def scan(share: Share) -> tuple[Found, float, bool]:
            if change is not None:
                for codes, features in share.parts:
                    change.apply(codes, features, plan, limit, self.weights, counts)
            *found, reached, more = scan_counted(share.features, counted, criterion)
            return tuple(found), reached, more

        def scan_more(share: Share) -> Found:
            best = NOTHING
            for codes, features in share.parts:
                chosen = features[not_exact[features]]
                if len(chosen) == 0:
                    continue
                with self._scratch.lent_counters() as fine:
                    found = scan_runs(
                        codes.view(np.uint8),
                        codes.itemsize,
                        chosen,
                        counted,
                        (self.positive, self.negative),
                        self.weights,
                        criterion,
                        max(reached, best[0]),
                        fine,
                    )
                best = max(best, found, key=_rank)
            return best

        n_counted = 0 if change is None else change.n_rows
        scans = self._scratch.shares.each(n_counted * len(self.table.features), scan)
        found = [best for best, _, _ in scans]
        # The runs of one thread's features are opened only if they may beat what any thread has found.
        reached = max(reached for _, reached, _ in scans)
        if any(more for *_, more in scans):
            not_exact = plan.not_exact(limit)
            found += self._scratch.shares.each(self.n_rows * int(not_exact.sum()), scan_more)
        _, feature, code, op = max(found, key=_rank)
        return None if op < 0 else CodeLiteral(feature, code, OPS[op])

    def split(self, literal: CodeLiteral) -> tuple[Examples, Examples]:
        """Return the examples that satisfy a literal, whose rows go to the front, and those that do not."""
        interval = self.table.interval(literal.feature, literal.code, literal.op)
        positive, negative = partition(self.table, interval, (self.positive, self.negative), self._scratch)
        return (
            self._of(self.positive[:positive], self.negative[:negative]),
            self._of(self.positive[positive:], self.negative[negative:]),
        )

    def narrowed(self, literal: CodeLiteral, last_use: bool = False) -> Examples:
        """Return the examples that satisfy a literal: their rows are the first of these ones'.

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

    def exchanged(self) -> Examples:
        """Return the examples with positives and negatives exchanged; these ones are done with."""
        other = self._of(self.negative, self.positive)
        other._counts, other._side = self._counts, 1 - self._side
        if self._larger is not None:
            larger, spent, positive, negative = self._larger
            other._larger = (larger, spent, negative, positive)
        return other

    def after(self, n_positives: int) -> Examples:
        """Return the examples less the first so many of the positives; these ones are done with."""
        rest = self._of(self.positive[n_positives:], self.negative)
        rest._side = self._side
        if self._counts is not None:
            rest._larger = (self._counts, True, self.positive[:n_positives], NO_ROWS)
        return rest

    def less(self, positive: list[np.ndarray], n_negatives: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the positives that are in none of some parts of them, and all but the first negatives.

        The positives that are left go to the front.
        """
        n_kept = put_last(self.positive, positive, self._scratch)
        return self.positive[:n_kept], self.negative[n_negatives:]

    def _of(self, positive: np.ndarray, negative: np.ndarray) -> Examples:
        return Examples(self.table, positive, negative, self.weights, self._scratch)
