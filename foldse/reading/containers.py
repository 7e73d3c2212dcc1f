"""Any container of a table as a data frame or a 2-D array: the one place that knows the containers.

A table whose columns have names becomes a `pandas.DataFrame`: one of pandas, what offers itself as an Arrow
stream (a table of pyarrow, polars, DuckDB or narwhals), a structured array, a dict of columns, a list of
dicts. What has no names becomes an array: a numeric or object array, a list of rows. The same data means the
same in all of them, see `foldse.reading`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse

__all__ = ["as_table"]


def as_table(X: Any) -> pd.DataFrame | np.ndarray:
    """Return a table as a data frame or as a 2-D array.

    Parameters
    ----------
    X : table
        A data frame of pandas; what offers itself as an Arrow stream; what has ``columns`` and
        ``to_pandas()``; a structured or record array; a dict of columns; a list of dicts, of which one
        that lacks a key lacks that value; a 2-D array, in which a masked value is a missing one; a list
        of rows of as many values each. Not changed.

    Returns
    -------
    pandas.DataFrame or numpy.ndarray of shape (n_rows, n_features)
        `X` itself where it is one of these.

    Raises
    ------
    TypeError, ValueError
        If the table is sparse, not computed yet, not two-dimensional, or empty.
    ImportError
        If an Arrow table is given and pyarrow is not installed.
    """
    if not isinstance(X, pd.DataFrame | pd.Series):
        X = _opened(X)
    if X.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {X.ndim}D array instead; "
            "Reshape your data: a single column as X.reshape(-1, 1), a single row as X.reshape(1, -1)"
        )
    for size, what in zip(X.shape, ("sample(s)", "feature(s)"), strict=True):
        if size == 0:
            raise ValueError(f"0 {what} (shape={X.shape}) while a minimum of 1 is required.")
    return X


def _opened(X: Any) -> pd.DataFrame | pd.Series | np.ndarray:
    """Return what holds the values of `X`, of whatever number of dimensions."""
    if scipy.sparse.issparse(X):
        raise TypeError(
            "Sparse data is not supported as a matrix: rules are learned from columns; pass X.toarray(), or "
            "pandas.DataFrame.sparse.from_spmatrix(X), of which one column at a time is made dense"
        )
    if isinstance(X, np.ndarray):
        return _from_array(X)
    if hasattr(X, "__arrow_c_stream__"):
        return _from_arrow(X)
    for method in ("toPandas", "collect", "compute"):
        if hasattr(X, method) and hasattr(type(X), "columns"):  # of Spark; lazy frames; Dask
            raise TypeError(
                f"X is a {type(X).__module__}.{type(X).__name__}, which holds a query and no rows yet; "
                f"pass X.{method}()"
            )
    if hasattr(X, "to_pandas") and hasattr(type(X), "columns"):
        return X.to_pandas()
    if isinstance(X, Mapping):
        return _from_mapping(X)
    if isinstance(X, list | tuple):
        return _from_rows(X)
    return _from_array(np.asarray(X))


def _from_arrow(X: Any) -> pd.DataFrame | np.ndarray:
    try:
        import pyarrow as pa
    except ImportError:
        raise ImportError(
            f"reading a {type(X).__module__}.{type(X).__name__} needs pyarrow: pip install pyarrow; "
            "or pass a dict of its columns as lists"
        ) from None
    if type(X).__name__ in ("Series", "ChunkedArray", "Array"):  # a single column streams, too
        return np.asarray(X)
    return pa.table(X).to_pandas()


def _from_array(X: np.ndarray) -> pd.DataFrame | np.ndarray:
    if X.dtype.names is not None and X.ndim == 1:  # rows with named fields
        fields = {name: X[name] for name in X.dtype.names}
        for name, values in fields.items():
            if values.ndim != 1:
                raise ValueError(
                    f"field {name!r} of X holds arrays of shape {values.shape[1:]}; make each of its values "
                    "a column of its own"
                )
        return _frame({name: _from_array(values) for name, values in fields.items()})
    if isinstance(X, np.ma.MaskedArray):
        if X.dtype.kind in "iuf":
            return np.ma.filled(X.astype(np.float64), np.nan)
        values = np.array(X.data, dtype=object)
        values[np.ma.getmaskarray(X)] = None  # to fill with None is to fill with text, for numpy
        return values
    return np.asarray(X)


def _from_mapping(X: Mapping[Any, Any]) -> pd.DataFrame:
    """Read a dict of columns; rows pair by position, even if a column has an index."""
    columns = {}
    for name, given in X.items():
        values = given
        if isinstance(values, np.ndarray):
            values = _from_array(values)
        elif not isinstance(values, pd.Series) and hasattr(values, "to_pandas"):
            values = values.to_pandas()  # of polars or pyarrow
        if isinstance(values, str) or not hasattr(values, "__len__"):
            raise ValueError(
                f"column {name!r} of X is the single value {values!r}; give a value for each row"
            )
        if getattr(values, "ndim", 1) != 1:
            raise ValueError(f"column {name!r} of X has {values.ndim} dimensions; a column has one")
        columns[name] = values
    lengths = {name: len(values) for name, values in columns.items()}
    for name, length in lengths.items():
        first = next(iter(lengths))
        if length != lengths[first]:
            raise ValueError(
                f"column {name!r} of X has {length} values and column {first!r} has {lengths[first]}; "
                "they must be as many"
            )
    return _frame(columns)


def _frame(columns: Mapping[Any, Any]) -> pd.DataFrame:
    made = {name: pd.Series(values, copy=False).reset_index(drop=True) for name, values in columns.items()}
    return pd.DataFrame(made, copy=False)


def _from_rows(X: list[Any] | tuple[Any, ...]) -> pd.DataFrame | np.ndarray:
    """Read a list of rows, in which each value keeps its type: an array would make True a 1, and 1 a '1'."""
    if any(isinstance(row, Mapping) for row in X):
        for position, row in enumerate(X):
            if not isinstance(row, Mapping):
                raise ValueError(
                    f"row {position} of X is a {type(row).__name__}, and others are dicts; use one"
                )
        return pd.DataFrame([dict(row) for row in X])
    if all(isinstance(row, np.ndarray) for row in X):
        return np.asarray(X)
    try:
        lengths = [1 if isinstance(row, str) else len(row) for row in X]
    except TypeError:
        return np.asarray(X, dtype=object)
    for position, length in enumerate(lengths):
        if length != lengths[0]:
            raise ValueError(
                f"row {position} of X has {length} values and row 0 has {lengths[0]}; they must be as many"
            )
    return np.asarray(X, dtype=object)
