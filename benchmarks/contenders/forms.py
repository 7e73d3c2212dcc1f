"""The raw frame in the forms that other learners take."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

Known = dict[str, pd.Index]


def text_columns(X: pd.DataFrame) -> list[str]:
    """Return the names of the columns that are not numbers."""
    return [str(name) for name in X.columns if not pd.api.types.is_numeric_dtype(X[name])]


def with_categories(X: pd.DataFrame, known: Known | None = None) -> tuple[pd.DataFrame, Known]:
    """Return a frame with text as pandas categories, and the values of each text column.

    Parameters
    ----------
    X : pandas.DataFrame
    known : dict of str to pandas.Index, optional
        The values of each text column at fit; another value is missing.

    Notes
    -----
    The categories are whole numbers, which is all that the boosting libraries need; categories of text they
    would copy and compare. Columns are named by position, since the libraries refuse some characters.
    """
    texts = set(text_columns(X))
    values: Known = {} if known is None else known
    made: dict[str, Any] = {}
    for position, name in enumerate(X.columns):
        column: Any = X[name]
        if name in texts:
            if known is None:
                codes, values[name] = pd.factorize(column, sort=True)
            else:
                codes = known[name].get_indexer(column)
            column = pd.Categorical.from_codes(codes, categories=pd.RangeIndex(max(1, len(values[name]))))
        made[f"c{position}"] = column
    return pd.DataFrame(made, copy=False), values


def as_records(X: pd.DataFrame) -> list[dict[str, float | str]]:
    """Return each row as a dict by position of the column, without its missing values."""
    columns: list[list[Any]] = [
        X[name].to_numpy(dtype=np.float64 if pd.api.types.is_numeric_dtype(X[name]) else object).tolist()
        for name in X.columns
    ]
    names = [f"c{position}" for position in range(len(columns))]
    return [
        {name: value for name, value in zip(names, row, strict=True) if value == value}
        for row in zip(*columns, strict=True)
    ]
