"""The best literal on a set of examples, by prefix sums over histograms.

`Examples` is all that induction sees of the data: positives and negatives that can be counted, searched
for their best literal, partitioned by a literal, and swapped. Counts of the parts of a table add up, so an
engine that holds its rows elsewhere has to supply `Examples.histograms` and the rows' partition only.

Rows are permuted in place, never copied: a subset is a part of the rows of where it came from. A view of
rows therefore keeps its *set* as long as only parts of it are worked on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from foldse.model.literals import Op
from foldse.reading.encoding import EncodedTable
from foldse.search.candidates import ALL_OPS, BASIC_OPS, OPS, Candidate, wins
from foldse.search.histograms import HistogramUpdate
from foldse.search.refine import refine
from foldse.search.rows import NO_ROWS, partition, put_last, total
from foldse.search.scan import Criterion, Histograms, Scan, scan_histograms
from foldse.search.split_scores import HEURISTICS
from foldse.search.workspace import Share, Workspace

__all__ = ["CodeLiteral", "Examples", "SearchOptions"]

# A feature with more bins than this for each row is not worth clearing and reading them all: the codes that
# occur are counted and looked through block by block instead.
MAX_BINS_PER_ROW: Final = 32


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What may be searched, and how literals are scored.

    Attributes
    ----------
    heuristic : str
        A key of `foldse.heuristics.SCORES`.
    negated_thresholds : bool
        Whether ``not<=`` and ``not>`` are among the comparisons: FOLD-SE's six against FOLD-R++'s four.
    blocks_value : bool, default=True
        Whether a used literal blocks all comparisons with its value, or only its own and the negation of
        that.
    """

    heuristic: str
    negated_thresholds: bool
    blocks_value: bool = True


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
    workspace : Workspace, optional
        Shared with other examples of the same table.

    Attributes
    ----------
    n_positive, n_negative : int
        Total weight of either side.

    Notes
    -----
    Histograms are kept for the features whose bins are few for so many rows. Those of a subset are made by
    subtracting the rows that were left out from those of all (sibling subtraction) where these are fewer.
    """

    __slots__ = (
        "_counts",
        "_larger",
        "_positive_row",
        "_workspace",
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
        workspace: Workspace | None = None,
    ):
        self.table = table
        self.positive, self.negative = positive, negative
        self.weights = weights
        self._workspace = workspace or Workspace(table, weights is not None)
        self.n_positive, self.n_negative = self.weigh(positive), self.weigh(negative)
        self._counts: np.ndarray | None = None
        self._positive_row = 0  # which row of the counts is that of the positives
        # Counts of the examples that these are a subset of, whether they may be overwritten, and the rows
        # that were left out.
        self._larger: tuple[np.ndarray, bool, np.ndarray, np.ndarray] | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows, whatever their weights."""
        return len(self.positive) + len(self.negative)

    def weigh(self, rows: np.ndarray) -> int:
        """Return the total weight of some rows."""
        return total(rows, self.weights)

    def histograms(self) -> tuple[np.ndarray, HistogramUpdate | None]:
        """Return the weight of the examples in each bin.

        Returns
        -------
        counts : numpy.ndarray of shape (2, n_bins)
            Undefined for features with more than `MAX_BINS_PER_ROW` bins a row.
        update : HistogramUpdate or None
            What the caller has to do to them yet; returned once.
        """
        if self._counts is not None:
            return self._counts, None
        rows = [self.positive, self.negative]
        signs, clear = [1, 1], [False, False]
        if self._larger is None:
            self._counts = np.zeros((2, self._workspace.layout.n_bins), dtype=self._workspace.count_dtype)
        else:
            larger, reusable, *left_out = self._larger
            self._larger = None
            self._counts = larger if reusable else larger.copy()
            for side, others in enumerate(left_out):
                if len(others) <= len(rows[side]):
                    rows[side], signs[side] = others, -1
                else:
                    clear[side] = True
        first, second = self._positive_row, 1 - self._positive_row  # the negatives may come first
        update = HistogramUpdate(
            (rows[first], rows[second]), (signs[first], signs[second]), (clear[first], clear[second])
        )
        return self._counts, update

    def best_literal(self, options: SearchOptions, blocked: Sequence[int]) -> CodeLiteral | None:
        """Return the literal with the largest score, or None if none is valid.

        Parameters
        ----------
        options : SearchOptions
        blocked : sequence of int
            Comparisons that may not be made, see `foldse.search.candidates.blocked_by`.

        Returns
        -------
        CodeLiteral or None
            Ties are broken as `foldse.search.candidates` says.
        """
        counts, update = self.histograms()
        layout, max_bins = self._workspace.layout, MAX_BINS_PER_ROW * self.n_rows
        histograms = Histograms(layout.features, max_bins, counts, self._positive_row)
        criterion = Criterion(
            np.array(blocked, dtype=np.int64),
            ALL_OPS if options.negated_thresholds else BASIC_OPS,
            HEURISTICS.index(options.heuristic),
            (self.n_positive, self.n_negative),
        )

        def scan(share: Share) -> Scan:
            if update is not None:
                for codes, features in share.parts:
                    update.apply(codes, features, layout, max_bins, self.weights, counts)
            return scan_histograms(share.features, histograms, criterion)

        def scan_others(share: Share) -> list[Candidate]:
            found, bound = [], best_known
            for codes, features in share.parts:
                chosen = features[needs_refinement[features]]
                if len(chosen) == 0:
                    continue
                with self._workspace.lend_code_counts() as code_counts:
                    candidate = refine(
                        codes.view(np.uint8),
                        codes.itemsize,
                        chosen,
                        histograms,
                        (self.positive, self.negative),
                        self.weights,
                        criterion,
                        bound,
                        code_counts,
                    )
                found.append(candidate)
                bound = max(bound, candidate.score)
            return found

        n_counted = 0 if update is None else update.n_rows
        scans = self._workspace.shares.each(n_counted * len(self.table.features), scan)
        candidates = [scan.best for scan in scans]
        # What one thread left is refined only if it may beat what any thread has found.
        best_known = max(scan.best_known for scan in scans)
        if any(scan.needs_refinement for scan in scans):
            needs_refinement = layout.needs_refinement(max_bins)
            shares = self._workspace.shares
            for found in shares.each(self.n_rows * int(needs_refinement.sum()), scan_others):
                candidates += found
        best = candidates[0]
        for candidate in candidates[1:]:
            if candidate.op >= 0 and wins(candidate, best):
                best = candidate
        return None if best.op < 0 else CodeLiteral(best.feature, best.code, OPS[best.op])

    def split(self, literal: CodeLiteral) -> tuple[Examples, Examples]:
        """Return the examples that satisfy a literal, whose rows go to the front, and those that do not."""
        interval = self.table.interval(literal.feature, literal.code, literal.op)
        positive, negative = partition(self.table, interval, (self.positive, self.negative), self._workspace)
        return (
            self._of(self.positive[:positive], self.negative[:negative]),
            self._of(self.positive[positive:], self.negative[negative:]),
        )

    def subset(self, literal: CodeLiteral, last_use: bool = False) -> Examples:
        """Return the examples that satisfy a literal: their rows are the first of these.

        Parameters
        ----------
        literal : CodeLiteral
        last_use : bool, default=False
            Whether these examples are done with, so that their histograms may be overwritten.
        """
        inside, outside = self.split(literal)
        if self._counts is not None:
            inside._positive_row = self._positive_row
            inside._larger = (self._counts, last_use, outside.positive, outside.negative)
        return inside

    def swap_classes(self) -> Examples:
        """Return the examples with positives and negatives swapped; these ones are done with."""
        other = self._of(self.negative, self.positive)
        other._counts, other._positive_row = self._counts, 1 - self._positive_row
        if self._larger is not None:
            larger, reusable, positive, negative = self._larger
            other._larger = (larger, reusable, negative, positive)
        return other

    def without_covered(self, n_positives: int, negative: np.ndarray = NO_ROWS) -> Examples:
        """Return the examples without what a rule covers; these ones are done with.

        Parameters
        ----------
        n_positives : int
            How many positives are left out: the first.
        negative : numpy.ndarray of uint32, optional
            The negatives that are left out; they go to the end. Not a view of these examples.
        """
        n_negatives = put_last(self.negative, [negative], self._workspace)
        rest = self._of(self.positive[n_positives:], self.negative[:n_negatives])
        rest._positive_row = self._positive_row
        if self._counts is not None:
            rest._larger = (self._counts, True, self.positive[:n_positives], self.negative[n_negatives:])
        return rest

    def move_to_front(self, chosen: np.ndarray) -> np.ndarray:
        """Put some of the positives, given as bool by position, in front of the others; return them."""
        self.positive[:] = np.concatenate((self.positive[chosen], self.positive[~chosen]))
        return self.positive[: np.count_nonzero(chosen)]

    def subtract(self, positive: list[np.ndarray], n_negatives: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the positives that are in none of some parts of them, and all but the first negatives.

        The positives that are left go to the front.
        """
        n_kept = put_last(self.positive, positive, self._workspace)
        return self.positive[:n_kept], self.negative[n_negatives:]

    def _of(self, positive: np.ndarray, negative: np.ndarray) -> Examples:
        return Examples(self.table, positive, negative, self.weights, self._workspace)
