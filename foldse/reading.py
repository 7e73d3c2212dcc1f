"""Any table as columns of numbers and categories: the one place that knows the dtypes."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse

from foldse.columns import (
    CategoryColumn,
    Column,
    Columns,
    MixedColumn,
    NumberColumn,
    TextColumn,
    distinct_texts,
)
from foldse.literals import Value

__all__ = ["as_table", "column_names", "read_columns"]


def as_table(X: Any) -> pd.DataFrame | np.ndarray:
    """Return a table as a data frame or as a 2-D array.

    Parameters
    ----------
    X : pandas.DataFrame, numpy.ndarray, Arrow table, or array-like of shape (n_rows, n_features)
        What offers itself as an Arrow stream (a table of pyarrow or polars, a relation of DuckDB) becomes a
        data frame; lists of rows become an array.

    Raises
    ------
    TypeError, ValueError
        If the table is sparse, not two-dimensional, or empty.
    """
    if scipy.sparse.issparse(X):
        raise TypeError("Sparse data is not supported: rules are learned from dense tables; pass X.toarray()")
    if not isinstance(X, pd.DataFrame | pd.Series) and hasattr(X, "__arrow_c_stream__"):
        import pyarrow as pa  # there, since the table is made by it or for it

        X = pa.table(X).to_pandas()
    if not isinstance(X, pd.DataFrame):
        given, X = X, np.asarray(X)
        if X.dtype.kind in "US" and not isinstance(given, np.ndarray):
            X = np.array(given, dtype=object)  # a list of mixed rows is not all text
        if X.ndim != 2:
            raise ValueError(
                f"Expected 2D array, got {X.ndim}D array instead; "
                "Reshape your data: a single column as X.reshape(-1, 1), a single row as X.reshape(1, -1)"
            )
    for size, what in zip(X.shape, ("sample(s)", "feature(s)"), strict=True):
        if size == 0:
            raise ValueError(f"0 {what} (shape={X.shape}) while a minimum of 1 is required.")
    return X


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
    if _is_number_dtype(dtype):
        return _number_column(name, values)
    if not pd.api.types.is_object_dtype(dtype):
        return _as_categories(name, values)
    kind = pd.api.types.infer_dtype(values, skipna=True)
    if kind in ("integer", "floating", "mixed-integer-float", "empty"):
        return _number_column(name, values)
    return MixedColumn(name, *_distinct_values(name, values))


def _as_categories(name: str, values: pd.Series) -> Column:
    """Read a column all of whose values are categories."""
    if isinstance(values.dtype, pd.StringDtype):
        return TextColumn(name, values)
    return CategoryColumn(name, *_distinct_values(name, values))


def _as_numbers(name: str, values: pd.Series) -> Column:
    """Read a column whose values are numbers where they can be."""
    if _is_number_dtype(values.dtype):
        return _number_column(name, values)
    distinct, positions = _distinct_values(name, values)
    read = [_parse(value) if isinstance(value, str) else value for value in distinct]
    # '1' and '1.0' are one number: what was distinct as text need not be distinct any more.
    known: dict[tuple[type, Value], int] = {}
    place = [known.setdefault((type(value), value), len(known)) for value in read]
    if len(known) < len(read):
        positions = np.array([*place, -1])[positions]
    kept = [value for _, value in known]
    if all(isinstance(value, float) for value in kept):
        return NumberColumn(name, np.array([*kept, np.nan], dtype=np.float64)[positions])
    return MixedColumn(name, kept, positions)


def _is_number_dtype(dtype: Any) -> bool:
    return pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype)


def _number_column(name: str, values: pd.Series) -> Column:
    if pd.api.types.is_complex_dtype(values.dtype):
        raise _unusable(name, f"dtype {values.dtype}")
    if isinstance(values.dtype, np.dtype) and values.dtype != object:
        return NumberColumn(name, values.to_numpy())
    return NumberColumn(name, values.to_numpy(dtype=np.float64, na_value=np.nan))


def _parse(text: str) -> Value:
    """Read text as a number if it is one; ``nan`` is none."""
    try:
        number = float(text)
    except ValueError:
        return text
    return text if number != number or "_" in text else number + 0.0


def _distinct_values(name: str, values: pd.Series) -> tuple[list[Value], np.ndarray]:
    """Return distinct canonical values and each row's position among them, -1 for a missing one."""
    dtype = values.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return [canonical(name, value) for value in dtype.categories], values.cat.codes.to_numpy()
    if isinstance(dtype, pd.StringDtype):
        texts, positions = distinct_texts(values)
        return list(texts), positions
    if dtype.kind not in "OUSbiuf" or pd.api.types.is_complex_dtype(dtype):
        raise _unusable(name, f"dtype {dtype}")
    try:
        positions, found = pd.factorize(values.astype(object) if dtype.kind in "US" else values)
    except TypeError:  # a value that cannot be hashed
        for value in values:
            canonical(name, value)
        raise
    uniques = [canonical(name, value) for value in found]
    if dtype.kind == "O" and any(not isinstance(value, str) and value in (0, 1) for value in uniques):
        return _told_apart(name, values)
    return uniques, positions


def _told_apart(name: str, values: pd.Series) -> tuple[list[Value], np.ndarray]:
    """Return distinct values where some are equal to Python but not the same: 1 and True."""
    known: dict[tuple[type, Value], int] = {}
    positions = np.empty(len(values), dtype=np.int64)
    for row, value in enumerate(values):
        read = canonical(name, value)
        positions[row] = -1 if read is None else known.setdefault((type(read), read), len(known))
    return [value for _, value in known], positions


def canonical(name: str, value: Any) -> Value:
    """Return a value as text, truth value, number or None.

    Parameters
    ----------
    name : str
        Of the column, for the error.
    value : object

    Returns
    -------
    str, bool, int, float or None
        None for a missing value; a number as int where it is whole, so that 1, 1.0 and np.int8(1) are
        one.

    Raises
    ------
    TypeError
        If the value is none of these.
    """
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
