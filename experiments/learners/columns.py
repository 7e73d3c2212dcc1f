"""Columns of a data set in the forms that numeric learners take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
import pandas as pd
from scipy import sparse


def numbers(X: pd.DataFrame, columns: Sequence[str]) -> np.ndarray:
    """Return columns as float64; text among the numbers and infinities become NaN."""
    made = np.empty((len(X), len(columns)))
    for i, name in enumerate(columns):
        values = pd.to_numeric(X[name], errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
        made[:, i] = np.where(np.isfinite(values), values, np.nan)
    return made


def texts(X: pd.DataFrame, columns: Sequence[str]) -> np.ndarray:
    """Return columns as an object array of str, with None for a missing value."""
    made = np.empty((len(X), len(columns)), dtype=object)
    for i, name in enumerate(columns):
        made[:, i] = X[name].to_numpy(dtype=object)
    made[pd.isna(made)] = None
    return made


class CategoryCodes:
    """Text columns as pandas categories of whole numbers, fixed by the rows that it was fitted on.

    A value that the fitted rows did not have becomes missing. The categories are numbers since XGBoost
    refuses the text type of pandas 3.
    """

    def fit(self, X: pd.DataFrame, columns: Sequence[str]) -> Self:
        """Note the values of each column, sorted."""
        self.columns = list(columns)
        self.values = [pd.Index(sorted({str(value) for value in X[name].dropna()})) for name in self.columns]
        return self

    def transform(self, X: pd.DataFrame) -> list[pd.Categorical[int]]:
        """Return one categorical a column; one without any value has the single, unused category 0."""
        made: list[pd.Categorical[int]] = []
        for name, values in zip(self.columns, self.values, strict=True):
            # None is no text and so in no index: its code is -1, pandas' missing.
            codes = values.get_indexer(pd.Index(X[name], dtype=object))
            made.append(pd.Categorical.from_codes(codes, categories=pd.RangeIndex(max(1, len(values)))))
        return made


class OneHot:
    """Every value of every column, numbers too, as a column of zeros and ones; a missing value is a value.

    A value that the fitted rows did not have has no one.
    """

    def fit(self, X: pd.DataFrame) -> Self:
        """Note the values of each column."""
        self.columns = list(X)
        self.values = [pd.Index(pd.unique(X[name].dropna())) for name in self.columns]
        self.width = sum(len(values) + 1 for values in self.values)
        return self

    def transform(self, X: pd.DataFrame) -> sparse.csr_matrix:
        """Return the rows as a sparse matrix of float32."""
        rows, columns = [], []
        start = 0
        for name, values in zip(self.columns, self.values, strict=True):
            codes = np.where(X[name].isna(), len(values), values.get_indexer(pd.Index(X[name])))
            known = np.flatnonzero(codes >= 0)
            rows.append(known)
            columns.append(start + codes[known])
            start += len(values) + 1
        places = np.concatenate(rows), np.concatenate(columns)
        ones = np.ones(len(places[0]), dtype=np.float32)
        return sparse.csr_matrix((ones, places), shape=(len(X), self.width))
