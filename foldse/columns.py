"""Any table as columns of numbers and categories: the one place that knows pandas dtypes."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from foldse.literals import Category

__all__ = ["CategoryColumn", "Column", "Columns", "MixedColumn", "NumberColumn", "read_columns"]


class Column:
    """One feature of a table: each value is a number, a category or missing.

    Attributes
    ----------
    name : str
    """

    def __init__(self, name: str):
        self.name = name

    def numbers(self) -> np.ndarray:
        """Return the values as float64, NaN where a value is no number."""
        raise NotImplementedError

    def labels(self) -> tuple[np.ndarray, list[Category]]:
        """Return the categories and, for each row, the position of its category, -1 for a number.

        A missing value is the category None.
        """
        raise NotImplementedError

    def equals(self, category: Category) -> np.ndarray:
        """Return, as bool, where the value is this category."""
        labels, categories = self.labels()
        for position, known in enumerate(categories):
            if type(known) is type(category) and known == category:
                return labels == position
        return np.zeros(len(labels), dtype=bool)


class NumberColumn(Column):
    """A column of numbers, NaN for a missing value."""

    def __init__(self, name: str, values: np.ndarray):
        super().__init__(name)
        self._values = values

    def numbers(self) -> np.ndarray:
        """Return the values themselves."""
        return self._values

    def labels(self) -> tuple[np.ndarray, list[Category]]:
        """Return the missing values as the only category."""
        missing = np.isnan(self._values)
        if missing.any():
            return np.where(missing, np.int8(0), np.int8(-1)), [None]
        return np.full(len(missing), -1, dtype=np.int8), []


class CategoryColumn(Column):
    """A column without numbers.

    Parameters
    ----------
    name : str
    values : pandas.Series
        Text, truth values, a pandas categorical, or numbers that are to be taken as categories.
    """

    def __init__(self, name: str, values: pd.Series):
        super().__init__(name)
        self._values = values
        self._labels: tuple[np.ndarray, list[Category]] | None = None

    def numbers(self) -> np.ndarray:
        """Return NaN only."""
        return np.full(len(self._values), np.nan)

    def labels(self) -> tuple[np.ndarray, list[Category]]:
        """Return the codes of a factorization."""
        if self._labels is None:
            self._labels = _factorize(self.name, self._values)
        return self._labels

    def equals(self, category: Category) -> np.ndarray:
        """Compare text directly, which is faster than to factorize it."""
        if self._labels is None and isinstance(self._values.dtype, pd.StringDtype):
            if category is None:
                return self._values.isna().to_numpy()
            if not isinstance(category, str):
                return np.zeros(len(self._values), dtype=bool)
            return (self._values == category).to_numpy(dtype=bool, na_value=False)
        return super().equals(category)


class MixedColumn(Column):
    """A column in which some values are numbers and others categories."""

    def __init__(self, name: str, values: np.ndarray, labels: np.ndarray, categories: list[Category]):
        super().__init__(name)
        self._values, self._labels, self._categories = values, labels, categories

    def numbers(self) -> np.ndarray:
        """Return the numbers among the values."""
        return self._values

    def labels(self) -> tuple[np.ndarray, list[Category]]:
        """Return the categories among the values."""
        return self._labels, self._categories


class Columns:
    """A table as columns; what the encoding and the evaluation of rules work on.

    Attributes
    ----------
    n_rows : int
    names : tuple of str
    """

    def __init__(self, columns: Sequence[Column], n_rows: int):
        self._by_name = {column.name: column for column in columns}
        self.names = tuple(self._by_name)
        self.n_rows = n_rows

    def __iter__(self) -> Iterator[Column]:
        return iter(self._by_name.values())

    def numbers(self, feature: str) -> np.ndarray:
        """Return a feature as float64, NaN where the value is no number."""
        return self._by_name[feature].numbers()

    def equals(self, feature: str, category: Category) -> np.ndarray:
        """Return, as bool, where a feature holds a category."""
        return self._by_name[feature].equals(category)


def column_names(X: Any) -> tuple[str, ...]:
    """Return the names of the features of a table: its column labels as text, or x0, x1, ...

    Raises
    ------
    ValueError
        If two columns have the same name, or names that differ only in type (1 and '1').
    """
    if not isinstance(X, pd.DataFrame):
        return tuple(f"x{i}" for i in range(X.shape[1]))
    names = tuple(str(label) for label in X.columns)
    if len(set(names)) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ValueError(f"column {twice!r} is there more than once; rename or drop one of the columns")
    return names


def read_columns(
    X: pd.DataFrame | np.ndarray,
    numeric: Iterable[str] = (),
    categorical: Iterable[str] = (),
    only: Iterable[str] | None = None,
) -> Columns:
    """Read a table as columns of numbers and categories.

    Parameters
    ----------
    X : pandas.DataFrame or numpy.ndarray of shape (n_rows, n_features)
        Not changed.
    numeric : iterable of str
        Features whose values are numbers where they can be read as such, text included; what is no
        number stays a category.
    categorical : iterable of str
        Features all of whose values are categories, numbers included.
    only : iterable of str, optional
        Features to read; all by default.

    Returns
    -------
    Columns

    Raises
    ------
    ValueError
        If a column name is there twice.
    TypeError
        If a column holds values that are neither numbers nor categories, such as dates.

    Notes
    -----
    Without a role, number dtypes are numeric, text, categorical and bool dtypes categorical, and in an
    object column each value is what its type says.
    """
    numeric, categorical = set(numeric), set(categorical)
    wanted = None if only is None else set(only)
    columns = []
    for position, name in enumerate(column_names(X)):
        if wanted is not None and name not in wanted:
            continue
        values = X.iloc[:, position] if isinstance(X, pd.DataFrame) else pd.Series(X[:, position], copy=False)
        if name in categorical:
            columns.append(_as_categories(name, values))
        elif name in numeric:
            columns.append(_as_numbers(name, values))
        else:
            columns.append(_by_type(name, values))
    return Columns(columns, n_rows=len(X))


def _by_type(name: str, values: pd.Series) -> Column:
    """Read a column that was given no role."""
    dtype = values.dtype
    if pd.api.types.is_bool_dtype(dtype) or isinstance(dtype, pd.CategoricalDtype | pd.StringDtype):
        return _as_categories(name, values)
    if pd.api.types.is_numeric_dtype(dtype):
        return NumberColumn(name, _to_float(name, values))
    if dtype.kind in "US":
        return CategoryColumn(name, values.astype(object))
    if not pd.api.types.is_object_dtype(dtype):
        raise _unusable(name, f"dtype {dtype}")
    kind = pd.api.types.infer_dtype(values, skipna=True)
    if kind in ("string", "boolean"):
        return CategoryColumn(name, values)
    if kind in ("integer", "floating", "mixed-integer-float", "empty"):
        return NumberColumn(name, _to_float(name, values))
    return _mixed(name, [_canonical(name, value) for value in values])


def _as_categories(name: str, values: pd.Series) -> Column:
    if isinstance(values.dtype, pd.CategoricalDtype | pd.StringDtype) or values.dtype == object:
        return CategoryColumn(name, values)
    if pd.api.types.is_bool_dtype(values.dtype) or pd.api.types.is_numeric_dtype(values.dtype):
        return CategoryColumn(name, values)
    if values.dtype.kind in "US":
        return CategoryColumn(name, values.astype(object))
    raise _unusable(name, f"dtype {values.dtype}")


def _as_numbers(name: str, values: pd.Series) -> Column:
    dtype = values.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        values = values.astype(dtype.categories.dtype if not values.isna().any() else object)
        dtype = values.dtype
    if pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype):
        return NumberColumn(name, _to_float(name, values))
    canonical = [_canonical(name, value) for value in values]
    return _mixed(name, [_parse(value) if isinstance(value, str) else value for value in canonical])


def _parse(text: str) -> Category:
    """Read text as a number if it is one; ``nan`` is none."""
    try:
        number = float(text)
    except ValueError:
        return text
    return text if number != number or "_" in text else number


def _mixed(name: str, values: list[Category]) -> Column:
    """Tell the numbers from the categories in a list of canonical values."""
    found = np.full(len(values), np.nan)
    labels = np.full(len(values), -1, dtype=np.int64)
    positions: dict[tuple[type, Category], int] = {}
    for row, value in enumerate(values):
        if isinstance(value, int | float) and not isinstance(value, bool):
            found[row] = value
        else:
            labels[row] = positions.setdefault((type(value), value), len(positions))
    categories = [category for _, category in positions]
    if all(category is None for category in categories):
        return NumberColumn(name, found + 0.0)
    return MixedColumn(name, found + 0.0, labels, categories)


def _to_float(name: str, values: pd.Series) -> np.ndarray:
    if pd.api.types.is_complex_dtype(values.dtype):
        raise _unusable(name, f"dtype {values.dtype}")
    array = values.to_numpy(dtype=np.float64, na_value=np.nan)
    return array + 0.0  # -0.0 is 0.0


def _factorize(name: str, values: pd.Series) -> tuple[np.ndarray, list[Category]]:
    """Return canonical categories and each row's position among them."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        codes, uniques = values.cat.codes.to_numpy(), list(values.cat.categories)
    elif values.dtype == object and pd.api.types.infer_dtype(values, skipna=True) != "string":
        # Only here could values that are equal to Python, 1 and True, be different categories.
        uniques = []
        known: dict[tuple[type, Any], int] = {}
        codes = np.empty(len(values), dtype=np.int64)
        for row, value in enumerate(values):
            key = _canonical(name, value)
            position = known.setdefault((type(key), key), len(known))
            if position == len(uniques):
                uniques.append(key)
            codes[row] = position
    else:
        codes, found = pd.factorize(values)
        uniques = list(found)
    categories: list[Category] = [_canonical(name, unique) for unique in uniques]
    if (codes < 0).any():
        codes = np.where(codes < 0, len(categories), codes)
        categories.append(None)
    return codes, categories


def _canonical(name: str, value: Any) -> Category:
    """Return a value as text, truth value, number or None."""
    if isinstance(value, str):
        return str(value)
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        real = float(value)
        if real != real:
            return None
        return int(real) if real.is_integer() else real
    raise _unusable(name, f"a value of type {type(value).__name__}")


def _unusable(name: str, what: str) -> Exception:
    """Return the error for values that are neither numbers nor categories."""
    message = f"column {name!r} has {what}, which is neither number nor category; "
    if "complex" in what:
        remedy = "Complex data not supported: give its real and its imaginary part as two columns"
        return ValueError(message + remedy)  # the type that scikit-learn's contract asks for
    if "date" in what.lower() or "time" in what.lower():
        return TypeError(message + "convert it to a number first, for example the days since a day")
    return TypeError(message + "the argument must be a string or a number: convert it first")
