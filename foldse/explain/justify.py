"""Why the rows of a table are predicted as they are: the rules that were tried, and the values compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from foldse.explain.justification import Justification, Justifications
from foldse.explain.observed import value_reader
from foldse.explain.proof import ObservedValue, Program
from foldse.model.literals import printable
from foldse.model.rule import Rule, literal_holds
from foldse.model.rules import RuleSet
from foldse.model.tree import Tree
from foldse.reading.columns import Columns
from foldse.reading.values import column_names

__all__ = ["explain", "subject_names"]


def explain(clf: Any, X: Any, names: Any = None) -> Justifications:
    """Return why each row of a table is predicted as it is.

    Parameters
    ----------
    clf : fitted FoldSEClassifier, FoldRPPClassifier or HeuristicTreeClassifier
    X : pandas.DataFrame or array-like of shape (n_rows, n_features)
        As for ``predict``; a frame may have further columns.
    names : str or sequence, optional
        What to call the rows: a column of `X`, or one name a row. By default the index of `X` where it
        is text, and X0, X1, ... by the row's position elsewhere.

    Returns
    -------
    Justifications
        A sequence with one `Justification` a row.

    Raises
    ------
    ValueError
        If `names` is not a column of `X` or has another length.

    Notes
    -----
    Every literal is evaluated once for all rows, as ``predict`` does it; the trees are built row by row
    when they are asked for.
    """
    check_is_fitted(clf)
    is_tree = not hasattr(clf, "rules_")
    used = clf.tree_.features if is_tree else clf.rules_.used_features
    table = clf._columns(X, used)
    subjects = subject_names(X, table.n_rows, names)
    build = _from_tree(clf, table) if is_tree else _from_rules(clf.rules_, table)
    return Justifications(table.n_rows, lambda row: build(row, subjects[row]))


Builder: TypeAlias = Callable[[int, str], Justification]


def _from_rules(rules: RuleSet, table: Columns) -> Builder:
    program = Program(rules)
    holds = _truths(program, table)
    values = _readers(table, program.features)
    firing = rules.first_firing(table)
    labels = [rule.head for rule in rules] + [rules.otherwise]

    def build(row: int, subject: str) -> Justification:
        first = int(firing[row])
        fired = first if first < len(rules) else None
        observed = tuple([value(row) for value in values])
        return Justification(subject, labels[first], fired, program, holds[row].tobytes(), observed)

    return build


def _truths(program: Program, table: Columns) -> np.ndarray:
    """Return, as bool of shape (n_rows, n_literals), which of the distinct literals hold."""
    holds = np.empty((table.n_rows, len(program.literals)), dtype=bool)
    for position, literal in enumerate(program.literals):
        holds[:, position] = literal_holds(literal, table)
    return holds


def _readers(table: Columns, features: Sequence[str]) -> list[Callable[[int], float | ObservedValue]]:
    return [value_reader(table[feature]) for feature in features]


def _from_tree(clf: Any, table: Columns) -> Builder:
    tree: Tree = clf.tree_
    target = getattr(clf, "target_", "target")
    leaf_of = tree.leaf_of(table)
    reached = set(leaf_of.tolist())
    leaves = {number: found for number, found in enumerate(tree.paths()) if number in reached}
    programs: dict[int, tuple[Program, list[Callable[[int], float | ObservedValue]]]] = {}

    def build(row: int, subject: str) -> Justification:
        number = int(leaf_of[row])
        leaf, path = leaves[number]
        label = tree.classes[int(np.argmax(leaf.support))]
        if number not in programs:
            rules = (Rule(label, path),) if path else ()
            program = Program(RuleSet(rules, tuple(clf.feature_names_), target, tree.classes, label))
            programs[number] = program, _readers(table, program.features)
        program, values = programs[number]
        observed = tuple([value(row) for value in values])
        return Justification(subject, label, 0 if path else None, program, b"\1" * len(path), observed)

    return build


def subject_names(X: Any, n_rows: int, names: Any = None) -> Sequence[str]:
    """Return what to call the rows of a table, see `explain`; white space becomes one blank."""
    if names is None and isinstance(X, pd.DataFrame) and pd.api.types.infer_dtype(X.index) == "string":
        names = X.index
    elif isinstance(names, str):
        if not isinstance(X, pd.DataFrame) or names not in column_names(X):
            raise ValueError(f"names is {names!r}, but X has no such column; give a column or one name a row")
        names = X.iloc[:, column_names(X).index(names)]
    if names is None:
        return _Numbered(n_rows)
    given = list(names)
    if len(given) != n_rows:
        raise ValueError(f"names has {len(given)} entries and X has {n_rows} rows; they must be the same")
    missing = pd.isna(pd.Series(given, dtype=object))
    return [
        f"X{row}" if missing[row] else printable(" ".join(str(name).split()))
        for row, name in enumerate(given)
    ]


class _Numbered(Sequence[str]):
    """X0, X1, ... without a list of them."""

    def __init__(self, n_rows: int):
        self._n_rows = n_rows

    def __len__(self) -> int:
        return self._n_rows

    def __getitem__(self, row: Any) -> Any:
        return f"X{row}"
