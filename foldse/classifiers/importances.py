"""What each column and each literal of a program is worth: the score without it."""

from __future__ import annotations

import copy
import numbers
from collections import Counter
from collections.abc import Set
from dataclasses import replace
from typing import Any

import pandas as pd
from sklearn.metrics import check_scoring

from foldse.model.literals import Literal
from foldse.model.rule import Rule

__all__ = ["importances"]


def importances(clf: Any, X: Any, y: Any, scoring: Any = None) -> pd.DataFrame:
    """Return the drop in score without each column and literal, see `RuleClassifier.importances`.

    Parameters
    ----------
    clf : fitted FoldSEClassifier or FoldRPPClassifier
    X : table of shape (n_rows, n_features)
    y : array-like of shape (n_rows,)
    scoring : str or callable, optional

    Returns
    -------
    pandas.DataFrame
    """
    rules = clf.rules_
    score = check_scoring(clf, scoring=scoring)
    uses = Counter(rules.literals())  # in the order of the walk
    left_out: list[tuple[str, str, str | None, set[Literal]]] = [
        ("column", feature, None, {literal for literal in uses if literal.feature == feature})
        for feature in rules.features
        if feature in rules.used_features
    ]
    left_out += [("literal", literal.feature, str(literal), {literal}) for literal in uses]
    table = clf._schema().select(X, rules.used_features) if uses else X
    model = copy.copy(clf)

    def score_without(literals: Set[Literal]) -> float:
        model.rules_ = replace(rules, rules=tuple(_without(rule, literals) for rule in rules))
        found = score(model, table, y)
        if not isinstance(found, numbers.Real):
            raise ValueError(f"scoring gives a {type(found).__name__}; give a score that is one number")
        return float(found)

    whole = score_without(frozenset())
    scores = [score_without(literals) for *_, literals in left_out]
    return pd.DataFrame(
        {
            "kind": [kind for kind, *_ in left_out],
            "feature": [feature for _, feature, *_ in left_out],
            "literal": pd.Series([text for _, _, text, _ in left_out], dtype=object),
            "n_uses": pd.Series(
                [sum(uses[literal] for literal in literals) for *_, literals in left_out], dtype="int64"
            ),
            "score": pd.Series(scores, dtype="float64"),
            "importance": pd.Series([whole - found for found in scores], dtype="float64"),
        }
    )


def _without(rule: Rule, literals: Set[Literal]) -> Rule:
    return replace(
        rule,
        body=tuple(literal for literal in rule.body if literal not in literals),
        exceptions=tuple(_without(exception, literals) for exception in rule.exceptions),
    )
