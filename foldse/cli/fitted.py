"""Models from files, tables read as a model needs them, and what options say of its rows and features."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype

from foldse.cli import messages
from foldse.cli.errors import CommandError, UsageError
from foldse.cli.files.columns import as_spelled, is_number, to_text, to_truths
from foldse.cli.files.tables import Table, column_of, read_table
from foldse.cli.options import Reading
from foldse.editing.parse import constraints_from_text
from foldse.editing.tokens import RuleSyntaxError
from foldse.editing.vocabulary import Vocabulary
from foldse.explain.actions import read_actions
from foldse.model.lines import predicate_name
from foldse.model.literals import Literal
from foldse.model.rule import Rule
from foldse.reading.conversion import BOOL, CODE, NUMBER, TEXT, as_number, single_type, types_of

__all__ = [
    "features_of",
    "label_column",
    "labelled",
    "labels_for",
    "read_for",
    "read_labelled",
    "read_model",
    "rows_of",
    "settings_of",
    "target_column",
    "target_of",
]


def read_model(path: str) -> Any:
    """Return the classifier that a file holds."""
    from foldse import load_model

    return load_model(path)


def target_of(clf: Any) -> str:
    """Return the name of what a model predicts, as a predicate name."""
    return clf.rules_.target if hasattr(clf, "rules_") else clf.target_


def _literals(clf: Any) -> Iterator[Literal]:
    if hasattr(clf, "rules_"):
        yield from clf.rules_.literals()
        return
    nodes = [clf.tree_.root]
    for node in nodes:  # grows while it is read
        if node.literal is not None:
            yield node.literal
            nodes += [node.yes, node.no]


def _held(clf: Any, values: dict[str, set[Any]]) -> dict[str, str]:
    """Return what each feature held at fit; of a model file that does not say so, what its rules compare."""
    numeric = {literal.feature for literal in _literals(clf) if literal.op.is_threshold}
    return {
        name: types or types_of(name in numeric, values.get(name, ()))
        for name, types in zip(clf.feature_names_, clf.feature_types_, strict=True)
    }


def read_for(
    clf: Any,
    path: str,
    reading: Reading,
    labels: tuple[str, ...] = (),
) -> Table:
    """Read a table for a model: each column as what the model compares it with.

    Parameters
    ----------
    clf : fitted classifier
    path : str
    reading : Reading
    labels : tuple of str
        Columns of labels, which are read as the model's are.

    Returns
    -------
    Table

    Raises
    ------
    CommandError
        If the table lacks a feature that the model compares.

    Notes
    -----
    A file with other rows may look otherwise: codes that are all digits in it, or a column of numbers with a
    word among them. What the model was fitted on counts, not what this file looks like.
    """
    values: dict[str, set[Any]] = {}
    for literal in _literals(clf):
        if not literal.op.is_threshold and literal.value is not None:
            values.setdefault(literal.feature, set()).add(literal.value)
    held = _held(clf, values)
    text = [name for name, types in held.items() if types in (TEXT, BOOL)]
    numeric = [name for name, types in held.items() if {NUMBER, CODE} & {*types.split("+")}]
    if all(isinstance(label, str) for label in clf.classes_.tolist()):
        text += [name for name in labels if name not in text]
    used = {literal.feature for literal in _literals(clf)}
    read = read_table(
        path,
        reading,
        text,
        numeric,
        known=used,
        required=False,
        code_page=clf.code_page_,
    )
    table = read.frame
    lacking = [name for name in clf.feature_names_ if name in used and name not in table.columns]
    if lacking:
        more = f" and {len(lacking) - 1} more" if len(lacking) > 1 else ""
        hint = ""
        if not set(clf.feature_names_) & set(table.columns):
            hint = "; none of its columns is there: has the file a line of names, and is --separator right?"
        raise CommandError(
            f"the data lack the column {lacking[0]!r}{more}, which the model was fitted on{hint}"
        )
    for name, types in held.items():
        if name not in table.columns:
            continue
        if types == TEXT:
            known = {str(value).lower() for value in values.get(name, ())}
            if known and not known & {"true", "false"} and is_bool_dtype(read.as_written[name].dtype):
                raise CommandError(
                    f"column {name!r} held text when the model was learned, and now holds truth values; "
                    "convert the column to what it was"
                )
            table[name] = as_spelled(table[name], values.get(name, ()))
        elif types == BOOL:
            table[name] = to_truths(table[name])
    return read


def features_of(clf: Any, table: pd.DataFrame) -> pd.DataFrame:
    """Return the columns of a table that a model was fitted on, as far as they are there, in its order."""
    return table[[name for name in clf.feature_names_ if name in table.columns]]


def labels_for(clf: Any, values: pd.Series) -> pd.Series:
    """Return a column of labels in the type of the model's labels."""
    classes = clf.classes_.tolist()
    if all(isinstance(label, bool) for label in classes):
        return to_truths(values)
    if all(isinstance(label, str) for label in classes):
        return as_spelled(to_text(values), classes)
    return values if is_number(values) else pd.to_numeric(values.astype(object), errors="coerce")


def read_labelled(
    clf: Any, path: str, reading: Reading, target: str | None, skip_unlabelled: bool
) -> tuple[pd.DataFrame, pd.Series]:
    """Read a table for a model as `read_for` does, and the labels of its rows.

    Parameters
    ----------
    clf : fitted classifier
    path : str
    reading : Reading
    target : str or None
        Column of labels; None for the one with the name of the model's target.
    skip_unlabelled : bool
        Whether rows without a label are left out; else they are an error.

    Returns
    -------
    table : pandas.DataFrame
        All columns of the file.
    labels : pandas.Series

    Raises
    ------
    CommandError
        If there is no such column, or a row has no label.
    """
    labels = (target,) if target is not None else (target_of(clf),)
    table = read_for(clf, path, reading, labels).frame
    column = label_column(clf, table, target)
    if column is None:
        raise CommandError(f"no column is named like the target {target_of(clf)!r}; name it: --target")
    return labelled(clf, table, column, skip_unlabelled)


def target_column(clf: Any, names: list[str]) -> str | None:
    """Return the column whose name gives the target's, if there is one such column."""
    found = [name for name in names if predicate_name(name) == target_of(clf)]
    return found[0] if len(found) == 1 and found[0] not in clf.feature_names_ else None


def label_column(clf: Any, table: pd.DataFrame, target: str | None) -> str | None:
    """Return the column of labels: the one that is named, else the one that is called as the target."""
    names = table.columns.tolist()
    return target_column(clf, names) if target is None else column_of(target, names, "--target")


def labelled(
    clf: Any, table: pd.DataFrame, column: str, skip_unlabelled: bool
) -> tuple[pd.DataFrame, pd.Series]:
    """Return the rows that have a label, and their labels.

    Parameters
    ----------
    clf : fitted classifier
    table : pandas.DataFrame
    column : str
        The column of labels.
    skip_unlabelled : bool
        Whether rows without a label are left out.

    Returns
    -------
    pandas.DataFrame, pandas.Series

    Raises
    ------
    CommandError
        If no row has a label, or one has none and is not to be left out.
    """
    y = labels_for(clf, table[column])
    missing = np.flatnonzero(y.isna().to_numpy())
    if not len(missing):
        return table, y
    if not skip_unlabelled:
        raise CommandError(
            f"the target {column!r} has no label of the model's type in "
            f"{messages.count(len(missing), 'row')}, first in row {missing[0]} (from 0); label them or "
            "give --skip-unlabelled"
        )
    kept = np.flatnonzero(y.notna().to_numpy())
    messages.note(f"left out {messages.count(len(missing), 'row')} without a label")
    if not len(kept):
        raise CommandError(f"the target {column!r} has no label in any row")
    return table.iloc[kept], y.iloc[kept]


def rows_of(given: list[str] | None, n_rows: int) -> list[int]:
    """Return the rows that texts such as 12, -1 and 3:7 stand for; all rows if none are given."""
    if not given:
        return list(range(n_rows))
    rows: list[int] = []
    for text in given:
        first, colon, last = text.partition(":")
        try:
            if colon:
                rows += range(*slice(int(first or 0), int(last) if last else None).indices(n_rows))
                continue
            row = int(text)
        except ValueError:
            raise CommandError(
                f"--row {text!r} is not a row; a row is 12, -1 or 3:7, counted from 0"
            ) from None
        if not -n_rows <= row < n_rows:
            raise CommandError(f"--row {row}: there are {n_rows:,} rows, 0 to {n_rows - 1}")
        rows.append(row % n_rows)
    return rows


def settings_of(
    clf: Any,
    fixed: Sequence[str] | None,
    within: Sequence[str] | None,
    direction: Sequence[str] | None,
    cost: Sequence[str] | None,
    constraint: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Return what options say as arguments of ``clf.counterfactual``.

    Parameters
    ----------
    clf : fitted FoldSEClassifier or FoldRPPClassifier
    fixed, within, direction, cost : sequence of str or None
        The texts of the options: a column, or ``COLUMN=`` and what is said of it.
    constraint : sequence of str, optional
        Goals that must not hold together.

    Returns
    -------
    dict

    Raises
    ------
    CommandError
        If there is no such column, or it does not take what is said of it.
    """
    names = list(clf.feature_names_)
    held = dict(zip(names, clf.feature_types_, strict=True))
    ranges: dict[str, Any] = {}
    for column, text in _pairs("--within", within, names):
        values = _values(column, text, held[column])
        if isinstance(values, list) and isinstance(ranges.get(column), list):
            values = ranges[column] + values
        elif column in ranges:
            raise UsageError(f"--within says two things of {column!r}; say one")
        ranges[column] = values
    settings: dict[str, Any] = {
        "fixed": [column_of(name, names, "--fixed") for name in fixed or ()],
        "within": ranges,
        "directions": dict(_pairs("--direction", direction, names)),
        "costs": {column: _cost(column, text) for column, text in _pairs("--cost", cost, names)},
        "constraints": [rule for text in constraint or () for rule in _constraints(clf, text)],
    }
    try:
        read_actions(clf, **settings)
    except ValueError as error:
        raise UsageError(str(error)) from None
    return settings


def _pairs(option: str, given: Iterable[str] | None, names: list[str]) -> list[tuple[str, str]]:
    """Return the column and what is said of it; a name may have a sign of equality in it."""
    pairs = []
    for text in given or ():
        cuts = [place for place, sign in enumerate(text) if sign == "="]
        if not cuts:
            raise UsageError(f"{option} {text!r} has no =; it is a column, =, and what is said of it")
        cut = next((cut for cut in cuts if text[:cut] in names), cuts[0])
        pairs.append((column_of(text[:cut], names, option), text[cut + 1 :]))
    return pairs


def _constraints(clf: Any, text: str) -> tuple[Rule, ...]:
    try:
        return constraints_from_text(text, Vocabulary.of(clf))
    except RuleSyntaxError as error:
        raise UsageError(f"--constraint {text!r}: {error}") from None


def _cost(column: str, text: str) -> float:
    number = as_number(text)
    if number is None:
        raise UsageError(f"--cost of {column!r} is {text!r}; it is a number above 0")
    return number


def _values(column: str, text: str, held: str) -> Any:
    """Return a range as a tuple and categories as a list, as the column's values tell."""
    low, colon, high = text.partition(":")
    is_range = colon and all(not end or as_number(end) is not None for end in (low, high))
    if single_type(held) == NUMBER or (is_range and (not held or NUMBER in held.split("+"))):
        if not is_range:
            raise UsageError(
                f"--within of {column!r} is {text!r}, and it holds numbers; give a range: 20:60, 20: or :60"
            )
        return tuple(as_number(end) if end else None for end in (low, high))
    words = next(csv.reader([text], skipinitialspace=True), [])  # quotes hold a comma
    return words
