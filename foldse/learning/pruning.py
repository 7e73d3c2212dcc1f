"""Pruning the exceptions of a rule by what they add to its confidence."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from foldse.learning.rule import CodeRule
from foldse.model.confidence import Confidence
from foldse.reading.encoding import EncodedTable
from foldse.search.examples import Examples

__all__ = ["prune"]


def prune(
    rule: CodeRule, table: EncodedTable, examples: Examples, min_improvement: float, scale: float = 1
) -> CodeRule:
    """Return a rule without the exceptions that do not raise its confidence by enough.

    Parameters
    ----------
    rule : CodeRule
    table : EncodedTable
    examples : Examples
        That the rule was learned from.
    min_improvement : float
        The exceptions are tried in order: one that raises the confidence of the rule, with those that are
        left, by less is removed. Of one that stays its own exceptions are tried in the same way.
    scale : float, default=1
        What a weight of 1 is in the weights of the examples.

    Returns
    -------
    CodeRule
        Its support and the rows that it covers are those of the rule that was given.

    Notes
    -----
    CON-FOLD's pruning by an improvement threshold, as its authors' code has it: the confidence of an
    exception is taken on all examples of the outermost rule with the classes exchanged, not on those only
    that its rule covers.
    """
    rows = np.concatenate((examples.positive, examples.negative))
    is_positive = np.arange(len(rows)) < len(examples.positive)
    weights = np.ones(len(rows)) if examples.weights is None else examples.weights[rows] / scale
    return _pruned(rule, _Evidence(table, rows, is_positive, weights), min_improvement)


@dataclass(frozen=True, slots=True)
class _Evidence:
    """Rows on which the confidence of rules is taken."""

    table: EncodedTable
    rows: np.ndarray
    is_positive: np.ndarray
    weights: np.ndarray

    def covered_by(self, rule: CodeRule) -> np.ndarray:
        return rule.covers(self.table, self.rows)

    def confidence(self, covered: np.ndarray) -> float:
        return Confidence.of(
            self.weights[covered & self.is_positive].sum(), self.weights[covered].sum()
        ).value

    def exchanged(self) -> _Evidence:
        return replace(self, is_positive=~self.is_positive)


def _pruned(rule: CodeRule, evidence: _Evidence, min_improvement: float) -> CodeRule:
    in_body = evidence.covered_by(replace(rule, exceptions=()))
    excepted = [evidence.covered_by(exception) for exception in rule.exceptions]
    n_excepting = np.sum(excepted, axis=0, dtype=np.int64)
    kept: list[CodeRule] = []
    for exception, here in zip(rule.exceptions, excepted, strict=True):
        others = n_excepting - here
        improved = evidence.confidence(in_body & (n_excepting == 0))
        if improved - evidence.confidence(in_body & (others == 0)) < min_improvement:
            n_excepting = others
            continue
        if exception.exceptions:
            exception = _pruned(exception, evidence.exchanged(), min_improvement)
            n_excepting = others + evidence.covered_by(exception)
        kept.append(exception)
    return replace(rule, exceptions=tuple(kept))
