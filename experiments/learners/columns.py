"""Ways to prepare the columns of a data set for learners that take numbers, by name.

Each is made with the names of the numeric and of the categorical columns. ``fit`` takes from the training
rows what the preparation needs, ``transform`` returns rows as the estimator takes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler


class Native:
    """Numbers as they are and text as pandas categories, both with missing values.

    A value that the training rows did not have becomes missing. Categories are whole numbers, since XGBoost
    refuses the text dtype of pandas 3, and columns are named by position, since it refuses ``[``, ``]`` and
    ``<`` in a name.
    """

    def __init__(self, numeric: Sequence[str], categorical: Sequence[str]) -> None:
        self.numeric, self.categorical = numeric, categorical

    def fit(self, X: pd.DataFrame) -> None:
        self.codes = CategoryCodes(X, self.categorical)

    def transform(self, X: pd.DataFrame) -> pd.DataFrame:
        columns: dict[str, Any] = {f"n{i}": values for i, values in enumerate(self._numbers(X).T)}
        columns.update({f"c{i}": self._category(codes) for i, codes in enumerate(self.codes.transform(X))})
        return pd.DataFrame(columns)

    def _numbers(self, X: pd.DataFrame) -> np.ndarray:
        return numbers(X, self.numeric)

    def _category(self, codes: pd.Categorical[int]) -> Any:
        return codes


class Native255(Native):
    """The same for scikit-learn's boosting: a column of more than 255 categories becomes a number.

    Its histograms take no more, nor a numeric column without any number: that is filled with zeros.
    """

    def fit(self, X: pd.DataFrame) -> None:
        super().fit(X)
        self.empty = np.isnan(numbers(X, self.numeric)).all(axis=0)

    def _numbers(self, X: pd.DataFrame) -> np.ndarray:
        return np.where(self.empty, 0.0, numbers(X, self.numeric))

    def _category(self, codes: pd.Categorical[int]) -> Any:
        if len(codes.categories) <= 255:
            return codes
        return np.where(codes.codes < 0, np.nan, codes.codes)


class NativeText(Native):
    """The same with text for categories (``v0``, ``v1``, ..., None for a missing value), as EBM takes it."""

    def _category(self, codes: pd.Categorical[int]) -> Any:
        return pd.Series([None if code < 0 else f"v{code}" for code in codes.codes], dtype=object)


class Ordinal:
    """One dense matrix: numbers imputed by the median, each text column as codes of its sorted values.

    A missing value, and one that the training rows did not have, has the code -1.

    Attributes
    ----------
    names : list of str
        What each column of the matrix holds; set by `fit`.
    """

    def __init__(self, numeric: Sequence[str], categorical: Sequence[str]) -> None:
        self.numeric, self.categorical = numeric, categorical

    def fit(self, X: pd.DataFrame) -> None:
        values = numbers(X, self.numeric)
        filled = ~np.isnan(values).all(axis=0)
        self.medians = np.zeros(values.shape[1])
        self.medians[filled] = np.nanmedian(values[:, filled], axis=0)
        self.codes = CategoryCodes(X, self.categorical)
        self.names = [*self.numeric, *self._category_names()]

    def transform(self, X: pd.DataFrame) -> np.ndarray:
        values = numbers(X, self.numeric)
        imputed = np.where(np.isnan(values), self.medians, values)
        pairs = zip(self.codes.transform(X), self.codes.values, strict=True)
        return np.hstack([imputed, *(self._matrix(column.codes, len(known)) for column, known in pairs)])

    def _category_names(self) -> list[str]:
        return list(self.categorical)

    def _matrix(self, codes: np.ndarray, n_values: int) -> np.ndarray:
        return codes[:, None].astype(np.float64)


class OneHot(Ordinal):
    """One dense matrix: numbers imputed by the median, one column of zeros and ones for each text value.

    A missing value, and one that the training rows did not have, has no one.
    """

    def _category_names(self) -> list[str]:
        pairs = zip(self.categorical, self.codes.values, strict=True)
        return [f"{name} = {value}" for name, values in pairs for value in values]

    def _matrix(self, codes: np.ndarray, n_values: int) -> np.ndarray:
        return (codes[:, None] == np.arange(n_values)).astype(np.float64)


class Scaled:
    """Numbers imputed by the median and scaled to unit variance, text one-hot encoded, for networks.

    A missing text is a value of its own. Dense up to 200 columns of text values, sparse beyond.
    """

    def __init__(self, numeric: Sequence[str], categorical: Sequence[str]) -> None:
        self.numeric, self.categorical = numeric, categorical

    def fit(self, X: pd.DataFrame) -> None:
        self.scaling: Pipeline = make_pipeline(
            # keep_empty_features: a column without any number in this fold does not deserve a warning.
            SimpleImputer(strategy="median", keep_empty_features=True),
            StandardScaler(),
        )
        self.encoding = OneHotEncoder(handle_unknown="ignore")
        if self.numeric:
            self.scaling.fit(numbers(X, self.numeric))
        if self.categorical:
            self.encoding.fit(texts(X, self.categorical))

    def transform(self, X: pd.DataFrame) -> np.ndarray | sparse.csr_matrix:
        scaled = self.scaling.transform(numbers(X, self.numeric)) if self.numeric else np.empty((len(X), 0))
        if not self.categorical:
            return scaled
        onehot = self.encoding.transform(texts(X, self.categorical))
        # Few values: dense is faster. Many: only sparse fits into memory.
        if onehot.shape[1] <= 200:
            return np.hstack([scaled, onehot.toarray()])
        return sparse.hstack([sparse.csr_matrix(scaled), onehot], format="csr")


class OneHotAll:
    """Every value of every column, numbers too, as a column of zeros and ones; sparse float32.

    A missing value is a value of its own; one that the training rows did not have has no one.
    """

    def __init__(self, numeric: Sequence[str], categorical: Sequence[str]) -> None:
        pass  # the roles make no difference

    def fit(self, X: pd.DataFrame) -> None:
        self.columns = list(X)
        self.values = [pd.Index(pd.unique(X[name].dropna())) for name in self.columns]
        self.width = sum(len(values) + 1 for values in self.values)

    def transform(self, X: pd.DataFrame) -> Any:
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


class OneHotAllDense(OneHotAll):
    """The same with its zeros stored, as float64."""

    def transform(self, X: pd.DataFrame) -> np.ndarray:
        return super().transform(X).astype(np.float64).toarray()


COLUMNS: Final[dict[str, type[Any]]] = {
    "native": Native,
    "native_255": Native255,
    "native_text": NativeText,
    "ordinal": Ordinal,
    "onehot": OneHot,
    "onehot_all": OneHotAll,
    "onehot_all_dense": OneHotAllDense,
    "scaled": Scaled,
}


class CategoryCodes:
    """Text columns as codes of their sorted values.

    Parameters
    ----------
    X : pandas.DataFrame
        The training rows: a value that they do not have gets the code -1, as does a missing one.
    columns : sequence of str

    Attributes
    ----------
    values : list of pandas.Index
        The values of each column, sorted.
    """

    def __init__(self, X: pd.DataFrame, columns: Sequence[str]) -> None:
        self.columns = list(columns)
        self.values = [pd.Index(sorted({str(value) for value in X[name].dropna()})) for name in self.columns]

    def transform(self, X: pd.DataFrame) -> list[pd.Categorical[int]]:
        """Return one categorical a column; one without any value has the single, unused category 0."""
        made: list[pd.Categorical[int]] = []
        for name, values in zip(self.columns, self.values, strict=True):
            # None is not text and so in no index: its code is -1, pandas' missing.
            codes = values.get_indexer(pd.Index(X[name], dtype=object))
            made.append(pd.Categorical.from_codes(codes, categories=pd.RangeIndex(max(1, len(values)))))
        return made


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
