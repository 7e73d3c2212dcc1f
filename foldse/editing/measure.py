"""What the rules of a program cover of data: counted anew, whether they were learned or written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from foldse.model.confidence import Confidence
from foldse.model.rule import Rule, Table, literal_holds
from foldse.model.rules import RuleSet

__all__ = ["measured"]


def measured(
    rules: RuleSet, table: Table, labels: np.ndarray, weights: np.ndarray | None = None, scale: float = 1
) -> RuleSet:
    """Return a program with the supports that it has on a table.

    Parameters
    ----------
    rules : RuleSet
    table : Table
        With all features that the rules compare.
    labels : numpy.ndarray of int, shape (n_rows,)
        Position of each row's label among the classes.
    weights : numpy.ndarray of int64, shape (n_rows,), optional
        What the rows weigh; 1 by default.
    scale : float, default=1
        What a weight of 1 is among `weights`.

    Returns
    -------
    RuleSet
        The support of a rule is the weight by class of the rows that it decides; that of an exception, of the
        rows that no earlier rule decides, that satisfy the bodies above it, and on which it fires; that of
        the default, of the rows that no rule decides. The confidence of a rule is of the rows that it
        decides, unless a person has set it.

    Notes
    -----
    On the training data, rules have the supports that they had when they were learned. Those of exceptions
    may differ: each was learned on the rows that the exceptions before it had left.
    """

    def weigh(rows: np.ndarray) -> tuple[float, ...]:
        of_rows = None if weights is None else weights[rows]
        sums = np.bincount(labels[rows], of_rows, minlength=len(rules.classes))
        return tuple((sums / scale).tolist())

    undecided = np.ones(table.n_rows, dtype=bool)
    found = []
    for rule in rules:
        counted, fires = _measured(rule, table, undecided, weigh)
        found.append(replace(counted, confidence=_confidence(counted, rules.classes)))
        undecided &= ~fires
    return replace(rules, rules=tuple(found), default_support=weigh(undecided))


def _measured(
    rule: Rule, table: Table, rows: np.ndarray, weigh: Callable[[np.ndarray], tuple[float, ...]]
) -> tuple[Rule, np.ndarray]:
    """Return a rule with supports among the rows that reach it, and all rows on which it fires."""
    body = np.ones(table.n_rows, dtype=bool)
    for literal in rule.body:
        body &= literal_holds(literal, table)
    fires, exceptions = body.copy(), []
    for exception in rule.exceptions:
        counted, excepted = _measured(exception, table, rows & body, weigh)
        exceptions.append(counted)
        fires &= ~excepted
    return replace(rule, exceptions=tuple(exceptions), support=weigh(rows & fires)), fires


def _confidence(rule: Rule, classes: Sequence[Any]) -> Confidence:
    if rule.confidence is not None and rule.confidence.evidence is None:
        return rule.confidence
    return Confidence.of(rule.support[classes.index(rule.head)], sum(rule.support))
