"""Why a prediction holds: for each row the rules that were tried, and the values they compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, overload

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from foldse.explain.english import english_text, paper_text, short_text
from foldse.explain.html import justification_to_html
from foldse.explain.proof import (
    Decision,
    ObservedValue,
    Program,
    plain,
    value_reader,
)
from foldse.explain.wording import Templates
from foldse.model.literals import printable
from foldse.model.rule import Rule
from foldse.model.rules import RuleSet
from foldse.model.tree import Tree
from foldse.reading import column_names
from foldse.reading.columns import Columns

__all__ = ["Justification", "Justifications", "explain", "subject_names"]

STYLES = ("paper", "short", "english")


class Justification(Decision):
    """Why one row is predicted as it is: a `Decision` that can be read.

    Notes
    -----
    ``str()`` is the English form of the FOLD-SE paper's Titanic example. In a notebook a justification
    shows itself as a tree.
    """

    __slots__ = ()

    def to_text(self, style: str = "paper", templates: Templates | None = None) -> str:
        """Return the justification as text.

        Parameters
        ----------
        style : {"paper", "short", "english"}
            The paper's form, one clause a line; one line; or sentences.
        templates : mapping, optional
            Sentences for features, for the style ``"english"``, which is then the default; see
            `foldse.explain.wording.Sentences`.

        Returns
        -------
        str

        Raises
        ------
        ValueError
            For another style, or for a template of an unknown feature or without a placeholder.
        """
        if style not in STYLES:
            raise ValueError(f"style must be one of {', '.join(STYLES)}; got {style!r}")
        if style == "short":
            return short_text(self)
        if style == "english" or templates:
            return english_text(self, templates)
        return paper_text(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the justification as plain JSON values.

        Returns
        -------
        dict
            ``schema`` (1), ``subject``, ``target``, ``prediction``, ``fired`` (position of the rule that
            fired or None) and ``rules``: each ``name``, ``head``, ``state``, ``literals`` (``feature``,
            ``op``, ``value``, ``met``, ``kind``, ``state``) and ``exceptions`` (as rules). A state is
            true, false or not needed, a kind number, category or missing; an infinity that was met is text.
        """
        return {
            "schema": 1,
            "subject": self.subject,
            "target": self.target,
            "prediction": plain(self.prediction),
            "fired": self.fired,
            "rules": [node.to_dict() for node in self.rules],
        }

    def to_html(self) -> str:
        """Return the justification as a tree that folds, for a notebook or a browser: one HTML element."""
        return justification_to_html(self)

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<justification: {self.to_text('short')}>"


class Justifications(Sequence[Justification]):
    """The justifications of the rows of a table, each built when it is asked for."""

    def __init__(self, n_rows: int, build: Callable[[int], Justification]):
        self._n_rows, self._build = n_rows, build

    def __len__(self) -> int:
        return self._n_rows

    @overload
    def __getitem__(self, index: int) -> Justification: ...

    @overload
    def __getitem__(self, index: slice) -> list[Justification]: ...

    def __getitem__(self, index: int | slice) -> Justification | list[Justification]:
        """Return the justification of a row, or a list of several."""
        if isinstance(index, slice):
            return [self._build(row) for row in range(*index.indices(self._n_rows))]
        return self._build(range(self._n_rows)[index])

    def __repr__(self) -> str:
        return f"<justifications of {self._n_rows} rows>"


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
    holds = program.truths(table)
    values = _readers(table, program.features)
    firing = rules.first_firing(table)
    labels = [rule.head for rule in rules] + [rules.otherwise]

    def build(row: int, subject: str) -> Justification:
        first = int(firing[row])
        fired = first if first < len(rules) else None
        observed = tuple([value(row) for value in values])
        return Justification(subject, labels[first], fired, program, holds[row].tobytes(), observed)

    return build


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
