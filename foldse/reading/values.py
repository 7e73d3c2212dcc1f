"""Any table as columns of numbers and categories: the one place that knows the dtypes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from foldse.model.literals import Value, is_number
from foldse.reading.columns import (
    CategoryColumn,
    Column,
    Columns,
    MixedColumn,
    NumberColumn,
    SparseColumn,
    TextColumn,
    distinct_texts,
)
from foldse.reading.conversion import (
    CODE,
    NUMBER,
    OBJECT_NUMBERS,
    TEXT,
    as_number,
    converted,
    is_word,
    single_type,
)
from foldse.reading.scalars import canonical, too_large, unusable

__all__ = ["column_names", "numbered", "object_columns", "read_columns"]


def numbered(n_features: int) -> tuple[str, ...]:
    """Return the names of features that have none: x0, x1, ..."""
    return tuple(f"x{i}" for i in range(n_features))


def column_names(X: Any) -> tuple[str, ...]:
    """Return the names of the features of a table: its column labels as text, or x0, x1, ...

    Raises
    ------
    ValueError
        If two columns have the same name, or names that differ only in type (1 and '1').
    """
    if not isinstance(X, pd.DataFrame):
        return numbered(X.shape[1])
    names = tuple(str(label) for label in X.columns)
    if len(set(names)) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ValueError(f"column {twice!r} is there more than once; rename or drop one of the columns")
    return names


def object_columns(X: pd.DataFrame | np.ndarray) -> set[str]:
    """Return the names of the columns of dtype object, whose values may be of several types."""
    dtypes = X.dtypes if isinstance(X, pd.DataFrame) else [X.dtype] * X.shape[1]
    return {
        name
        for name, dtype in zip(column_names(X), dtypes, strict=True)
        if pd.api.types.is_object_dtype(dtype)
    }


def read_columns(
    X: pd.DataFrame | np.ndarray,
    numeric: Iterable[str] = (),
    categorical: Iterable[str] = (),
    only: Iterable[str] | None = None,
    names: Sequence[str] | None = None,
    learned: Mapping[str, str] | None = None,
) -> Columns:
    """Read a table as columns of numbers and categories.

    Parameters
    ----------
    X : pandas.DataFrame or numpy.ndarray of shape (n_rows, n_features)
        Not changed.
    numeric : iterable of str
        Features whose values are numbers where they can be read as such, text included; what is not a
        number stays a category.
    categorical : iterable of str
        Features all of whose values are categories, numbers included.
    only : iterable of str, optional
        Features to read; all by default.
    names : sequence of str, optional
        What the columns are called; by default as `column_names` has it.
    learned : mapping of str to str, optional
        What features held when a model was learned, see `foldse.reading.conversion.types_of`. The values
        of a feature that held one type are converted to it; in a column of objects words may join numbers.

    Returns
    -------
    Columns

    Raises
    ------
    ValueError
        If a column name is there twice, or a value cannot be converted to what its feature held.
    TypeError
        If a column holds values that are neither numbers nor categories, such as dates.

    Notes
    -----
    The package documents what values mean.
    """
    numeric, categorical = set(numeric), set(categorical)
    wanted = None if only is None else set(only)
    columns = []
    for position, name in enumerate(column_names(X) if names is None else names):
        if wanted is not None and name not in wanted:
            continue
        values = X.iloc[:, position] if isinstance(X, pd.DataFrame) else pd.Series(X[:, position], copy=False)
        if isinstance(values.dtype, np.dtype) and not values.dtype.isnative:
            values = values.astype(values.dtype.newbyteorder("="))  # pandas looks at no foreign byte order
        types = "" if learned is None else learned.get(name, "")
        if single_type(types) is not None:
            columns.append(_as_learned(name, values, types, is_declared=name in numeric))
        elif name in categorical or CODE in types.split("+"):
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
    if _are_numbers(values):
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
    return _as_mixed(name, [_parse(value) for value in distinct], positions)


def _as_learned(name: str, values: pd.Series, types: str, is_declared: bool) -> Column:
    """Read a column as one type; words stay categories where they may join numbers."""
    learned = single_type(types)
    assert learned is not None
    if learned == NUMBER and (_is_number_dtype(values.dtype) or _are_numbers(values)):
        return _number_column(name, values)
    if learned == TEXT and isinstance(values.dtype, pd.StringDtype):
        return TextColumn(name, values)
    distinct, positions = _distinct_values(name, values)
    read: list[Value] = []
    for place, value in enumerate(distinct):
        try:
            read.append(converted(name, value, learned))
        except ValueError:
            is_text = learned == NUMBER and isinstance(value, str)
            stays = is_text and (is_declared or (types == OBJECT_NUMBERS and is_word(str(value))))
            if not stays and (positions == place).any():  # a dtype may have categories that do not occur
                raise
            read.append(value)
    if learned == NUMBER:
        return _as_mixed(name, read, positions)
    return CategoryColumn(name, *_merged(read, positions))


def _as_mixed(name: str, read: list[Value], positions: np.ndarray) -> Column:
    """Return values, of which the numbers are floats, as a column of numbers if they all are."""
    kept, positions = _merged(read, positions)
    if all(isinstance(value, float) for value in kept):
        return NumberColumn(name, np.array([*kept, np.nan], dtype=np.float64)[positions])
    return MixedColumn(name, kept, positions)


def _merged(read: list[Value], positions: np.ndarray) -> tuple[list[Value], np.ndarray]:
    """Merge values that were distinct as text and are no longer: '1' and '1.0'."""
    known: dict[tuple[type, Value], int] = {}
    place = [-1 if value is None else known.setdefault((type(value), value), len(known)) for value in read]
    if len(known) < len(read):
        positions = np.array([*place, -1])[positions]
    return [value for _, value in known], positions


def _is_number_dtype(dtype: Any) -> bool:
    return pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype)


def _are_numbers(values: pd.Series) -> bool:
    """Whether an object column holds numbers only, missing values aside."""
    if not pd.api.types.is_object_dtype(values.dtype):
        return False
    kind = pd.api.types.infer_dtype(values, skipna=True)
    return kind in ("integer", "floating", "mixed-integer-float", "decimal", "empty")


def _number_column(name: str, values: pd.Series) -> Column:
    if pd.api.types.is_complex_dtype(values.dtype):
        raise unusable(name, f"dtype {values.dtype}")
    if isinstance(values.dtype, np.dtype) and values.dtype != object:
        return NumberColumn(name, values.to_numpy())
    if isinstance(values.dtype, pd.SparseDtype):
        return SparseColumn(name, values)
    try:
        return NumberColumn(name, values.to_numpy(dtype=np.float64, na_value=np.nan))
    except OverflowError:
        raise too_large(name) from None


def _parse(value: Value) -> Value:
    """Return a number, or text that is one, as a float, and what is none as it is."""
    if isinstance(value, str):
        number = as_number(value)
        return value if number is None else number
    return float(value) if is_number(value) else value  # type: ignore[arg-type]


def _distinct_values(name: str, values: pd.Series) -> tuple[list[Value], np.ndarray]:
    """Return distinct canonical values and each row's position among them, -1 for a missing one."""
    dtype = values.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return [canonical(name, value) for value in dtype.categories], values.array.codes
    if isinstance(dtype, pd.StringDtype):
        texts, positions = distinct_texts(values)
        return list(texts), positions
    if dtype.kind not in "OUSbiuf" or pd.api.types.is_complex_dtype(dtype):
        raise unusable(name, f"dtype {dtype}")
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
