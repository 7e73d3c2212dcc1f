"""A rule in codes, as it is learned."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldse.model.confidence import Confidence
from foldse.model.rule import Rule
from foldse.reading.encoding import EncodedTable
from foldse.search.examples import CodeLiteral
from foldse.search.rows import NO_ROWS

__all__ = ["CodeRule"]


@dataclass(frozen=True, slots=True)
class CodeRule:
    """A learned rule in codes.

    Attributes
    ----------
    body : tuple of CodeLiteral
    exceptions : tuple of CodeRule
        Without their rows.
    support : numpy.ndarray of int64, shape (n_classes,)
        Weight by class of the examples that it fires on.
    covered_positive, covered_negative : numpy.ndarray of uint32
        The examples, at the time it was learned, that it fires on. The positives are the first of those it
        was learned from, which later searches leave alone. The negatives are a view of rows that the next
        search permutes.
    """

    body: tuple[CodeLiteral, ...]
    exceptions: tuple[CodeRule, ...]
    support: np.ndarray
    covered_positive: np.ndarray
    covered_negative: np.ndarray

    def drop_rows(self, support: np.ndarray | None = None) -> CodeRule:
        """Return the rule without what takes memory, and with another support if one is given."""
        return CodeRule(
            self.body, self.exceptions, self.support if support is None else support, NO_ROWS, NO_ROWS
        )

    def covers(self, table: EncodedTable, rows: np.ndarray) -> np.ndarray:
        """Return, as bool, which of some rows the rule fires on."""
        covered = np.ones(len(rows), dtype=bool)
        for literal in self.body:
            known = table.interval(literal.feature, literal.code, literal.op)
            codes = table.codes(literal.feature)[rows]
            covered &= ((known.lo <= codes) & (codes < known.hi)) ^ known.negated
        for exception in self.exceptions:
            covered &= ~exception.covers(table, rows)
        return covered

    def translate(
        self, table: EncodedTable, scale: float, head: object = None, confidence: Confidence | None = None
    ) -> Rule:
        """Return the rule in terms of the table's values.

        Parameters
        ----------
        table : EncodedTable
        scale : float
            What a weight of 1 is in supports.
        head : object
        confidence : Confidence, optional
        """
        return Rule(
            head,
            tuple(table.literal(x.feature, x.code, x.op) for x in self.body),
            tuple(exception.translate(table, scale) for exception in self.exceptions),
            tuple((self.support / scale).tolist()),
            confidence,
        )
