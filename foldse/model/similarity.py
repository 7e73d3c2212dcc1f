"""How alike two programs are: in their literals, in their columns, and in what they predict."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Set
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldse.model.literals import Literal, Op
from foldse.model.rule import Table
from foldse.model.rules import RuleSet

__all__ = ["Similarity", "similarity"]


@dataclass(frozen=True, slots=True)
class Similarity:
    """How alike two programs are; each figure is from 0 to 1.

    Attributes
    ----------
    literals : float
        Jaccard index of their distinct literals: those that both have over those that one of them has.
    columns : float
        The same of the columns that their literals compare.
    predictions : float or None
        Share of rows for which both conclude the same label; None without rows.
    """

    literals: float
    columns: float
    predictions: float | None


def similarity(a: Any, b: Any, X: Any = None, tolerance: float | None = None) -> Similarity:
    """Return how alike two programs are.

    Parameters
    ----------
    a, b : RuleSet, or fitted FoldSEClassifier or FoldRPPClassifier
        Columns are the same if they have the same name.
    X : table of shape (n_rows, n_features), optional
        Rows to compare the predictions on, with the columns that the rules of both use.
    tolerance : float, optional
        From 0 to 1, and only with `X`: thresholds of the same column and comparison count as equal if at most
        this share of the column's numbers in `X` is between them. By default they have to be the same number.

    Returns
    -------
    Similarity

    Raises
    ------
    ValueError, TypeError
        If `tolerance` is out of its range or given without `X`, or `X` cannot be read for one of them.

    Notes
    -----
    The figures are symmetric. Literals are compared as they stand: ``<=`` and ``not >`` of one number are two
    literals, and ``=`` and ``!=`` of one category are, too. A literal of one program is matched with at most
    one of the other, so that as many as possible are. The share of numbers between two thresholds is the
    distance of their ranks, the shares of numbers that are at most as large. Two programs without literals
    have the index 1. Jaccard, "The Distribution of the Flora in the Alpine Zone", 1912.
    """
    first, second = _rules(a, "a"), _rules(b, "b")
    if tolerance is not None:
        if not 0 <= tolerance <= 1:
            raise ValueError(f"tolerance must be a share from 0 to 1, got {tolerance!r}")
        if X is None:
            raise ValueError("tolerance is a share of the values of X; give X, too")
    tables = None if X is None else (first.read(X), second.read(X))
    literals = set(first.literals()), set(second.literals())
    if tables is None or tolerance is None:
        n_equal = len(literals[0] & literals[1])
    else:
        n_equal = _n_matched(*literals, tables[0], tolerance)
    columns = first.used_features, second.used_features
    return Similarity(
        _jaccard(n_equal, *literals),
        _jaccard(len(columns[0] & columns[1]), *columns),
        None if tables is None else _agreement(first, second, *tables),
    )


def _rules(model: Any, name: str) -> RuleSet:
    rules = getattr(model, "rules_", model)
    if not isinstance(rules, RuleSet):
        raise TypeError(
            f"{name} is a {type(model).__name__}; give a RuleSet or a fitted classifier with rules"
        )
    return rules


def _jaccard(n_common: int, a: Set[Any], b: Set[Any]) -> float:
    n_of_either = len(a) + len(b) - n_common
    return n_common / n_of_either if n_of_either else 1.0


def _n_matched(a: Set[Literal], b: Set[Literal], table: Table, tolerance: float) -> int:
    """Return how many literals can be paired, thresholds with those at a distance of the tolerance."""
    thresholds: dict[tuple[str, Op], tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for side, literals in enumerate((a, b)):
        for literal in literals:
            if literal.op.is_threshold:
                thresholds[literal.feature, literal.op][side].append(literal.threshold)
    n_matched = len({x for x in a if not x.op.is_threshold} & b)
    for (feature, _), (ours, theirs) in thresholds.items():
        if ours and theirs:
            numbers = table.numbers(feature)
            ordered = np.sort(numbers[~np.isnan(numbers)])
            n_matched += _n_paired(sorted(ours), sorted(theirs), ordered, tolerance)
    return n_matched


def _n_paired(ours: list[float], theirs: list[float], ordered: np.ndarray, tolerance: float) -> int:
    """Return the most pairs of thresholds at a distance of the tolerance; both lists are ascending."""
    ranks = [np.searchsorted(ordered, values, side="right").tolist() for values in (ours, theirs)]
    i = j = n_paired = 0
    # On a line, to pair the least two that can be paired is never worse.
    while i < len(ours) and j < len(theirs):
        between = abs(ranks[0][i] - ranks[1][j])
        if ours[i] == theirs[j] or (len(ordered) and between / len(ordered) <= tolerance):
            i, j, n_paired = i + 1, j + 1, n_paired + 1
        elif ours[i] < theirs[j]:
            i += 1
        else:
            j += 1
    return n_paired


def _agreement(a: RuleSet, b: RuleSet, table_a: Table, table_b: Table) -> float:
    labels = []
    for rules, table in ((a, table_a), (b, table_b)):
        heads = np.empty(len(rules) + 1, dtype=object)
        heads[:] = [*(rule.head for rule in rules), rules.default]
        labels.append(heads[rules.first_firing(table)])
    return float(np.mean(labels[0] == labels[1]))
