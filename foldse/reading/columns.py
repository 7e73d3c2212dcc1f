"""Columns of numbers and categories: what the encoding and the evaluation of rules see of a table."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from foldse.model.literals import Category, Value, is_number
from foldse.model.rule import EVERY_ROW, Rows
from foldse.reading.factorize import distinct_numbers, mark_present, remap

__all__ = [
    "CategoryColumn",
    "Column",
    "Columns",
    "DistinctValues",
    "MixedColumn",
    "NumberColumn",
    "SparseColumn",
    "TextColumn",
    "distinct_texts",
    "sort_key",
]


MANY_LITERALS = 16  # about one column of text: it is cheaper then to number its values first

ARROW_ROWS = 1 << 18  # of text that pyarrow numbers at a time

MANY_NUMBERS = 1 << 16  # a list of more would take more memory than their codes


@dataclass(frozen=True, slots=True)
class DistinctValues:
    """The values of a column in the order in which ties are broken, and each row's position among them.

    Attributes
    ----------
    numbers : numpy.ndarray of float64, or None
        Ascending; None where there are more than `MANY_NUMBERS`, which are then looked up in the column.
    n_numbers : int
    categories : tuple
        A missing value first, then numbers that are categories, truth values and text, each sorted.
    positions : numpy.ndarray of int32, shape (n_rows,)
        In `numbers`, or beyond them in `categories`.
    """

    numbers: np.ndarray | None
    n_numbers: int
    categories: tuple[Category, ...]
    positions: np.ndarray


class Column:
    """One feature of a table: each value is a number, a category or missing.

    Attributes
    ----------
    name : str
    """

    def __init__(self, name: str):
        self.name = name

    def numbers(self, rows: Rows = EVERY_ROW) -> np.ndarray:
        """Return the values of some rows as float64, NaN where a value is not a number."""
        raise NotImplementedError

    def equals(self, category: Category, rows: Rows = EVERY_ROW) -> np.ndarray:
        """Return, as bool, in which of some rows the value is this category; None is a missing value."""
        raise NotImplementedError

    def distinct(self, most_numbers: int | None = MANY_NUMBERS) -> DistinctValues:
        """Return the distinct values; of more than `most_numbers` numbers only how many there are."""
        raise NotImplementedError


class NumberColumn(Column):
    """A column of numbers, NaN for a missing value; any real dtype."""

    def __init__(self, name: str, values: np.ndarray):
        super().__init__(name)
        self._values = values

    def _array(self, rows: Rows = EVERY_ROW) -> np.ndarray:
        return self._values[rows]

    def numbers(self, rows: Rows = EVERY_ROW) -> np.ndarray:
        """Return the values themselves."""
        return self._array(rows).astype(np.float64, copy=False)

    def equals(self, category: Category, rows: Rows = EVERY_ROW) -> np.ndarray:
        """Compare with a missing value, the only category there can be."""
        values = self._array(rows)
        return np.isnan(values) if category is None else np.zeros(len(values), dtype=bool)

    def distinct(self, most_numbers: int | None = MANY_NUMBERS) -> DistinctValues:
        """Return the distinct values."""
        most = len(self._values) if most_numbers is None else most_numbers
        numbers, n_numbers, positions = distinct_numbers(self._array(), most)
        missing = len(positions) > 0 and positions.max() == n_numbers
        return DistinctValues(numbers, n_numbers, (None,) if missing else (), positions)


class SparseColumn(NumberColumn):
    """A column of numbers of a pandas sparse dtype, which is made dense while it is looked at only.

    Parameters
    ----------
    name : str
        Of the feature.
    values : pandas.Series
        Numbers.
    """

    def __init__(self, name: str, values: pd.Series):
        super().__init__(name, values)  # type: ignore[arg-type]

    def _array(self, rows: Rows = EVERY_ROW) -> np.ndarray:
        return self._values.iloc[rows].to_numpy(dtype=np.float64, na_value=np.nan)  # type: ignore[attr-defined]


class MixedColumn(Column):
    """A column whose distinct values are known; some may be numbers and others categories.

    Parameters
    ----------
    name : str
        Of the feature.
    values : sequence
        Distinct canonical values, see `foldse.reading.canonical`. A number among them is a number, not
        a category.
    positions : numpy.ndarray of int, shape (n_rows,)
        Position of each row's value in `values`; -1 for a missing one.
    """

    def __init__(self, name: str, values: Sequence[Value], positions: np.ndarray):
        super().__init__(name)
        self._values, self._positions = list(values), positions

    # Both are looked up again and again: a program may ask for thousands of categories.

    @functools.cached_property
    def _numbers(self) -> np.ndarray:
        numbers = [value if self._is_number(value) else np.nan for value in self._values]
        return np.array([*numbers, np.nan], dtype=np.float64)

    @functools.cached_property
    def _places(self) -> dict[tuple[type, Category], int]:
        categories = ((place, v) for place, v in enumerate(self._values) if not self._is_number(v))
        return {(type(None), None): -1, **{(type(v), v): place for place, v in categories}}

    def numbers(self, rows: Rows = EVERY_ROW) -> np.ndarray:
        """Return the numbers among the values."""
        return self._numbers[self._positions[rows]]

    def equals(self, category: Category, rows: Rows = EVERY_ROW) -> np.ndarray:
        """Compare with a category."""
        place = self._places.get((type(category), category))
        positions = self._positions[rows]
        return np.zeros(len(positions), dtype=bool) if place is None else positions == place

    def distinct(self, most_numbers: int | None = MANY_NUMBERS) -> DistinctValues:
        """Return the distinct values that occur."""
        occurs = np.zeros(len(self._values) + 1, dtype=bool)
        mark_present(self._positions, occurs)
        numbers: list[int] = []
        categories: list[int] = []
        for i in np.flatnonzero(occurs[:-1]).tolist():
            (numbers if self._is_number(self._values[i]) else categories).append(i)
        numbers.sort(key=lambda i: sort_key(self._values[i]))
        categories.sort(key=lambda i: sort_key(self._values[i]))
        missing = [-1] if occurs[-1] else []
        order = [*numbers, *missing, *categories]
        rank = np.zeros(len(occurs), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        positions = np.empty(len(self._positions), dtype=np.int32)
        remap(self._positions, rank, positions)
        return DistinctValues(
            np.array([self._values[i] for i in numbers], dtype=np.float64) + 0.0,
            len(numbers),
            (*(None for _ in missing), *(self._values[i] for i in categories)),
            positions,
        )

    def _is_number(self, value: Value) -> bool:
        return is_number(value)


class CategoryColumn(MixedColumn):
    """A column without numbers: what looks like one is a category."""

    def _is_number(self, value: Value) -> bool:
        return False


class TextColumn(Column):
    """A column of text that is not looked through before it has to be.

    Parameters
    ----------
    name : str
        Of the feature.
    values : pandas.Series
        Text, as a pandas string dtype.
    """

    def __init__(self, name: str, values: pd.Series):
        super().__init__(name)
        self._values = values
        self._n_asked = 0
        self._numbered: CategoryColumn | None = None

    def numbers(self, rows: Rows = EVERY_ROW) -> np.ndarray:
        """Return NaN only."""
        return np.full(len(self._values.iloc[rows]), np.nan)

    def equals(self, category: Category, rows: Rows = EVERY_ROW) -> np.ndarray:
        """Compare with text, or with a missing value."""
        self._n_asked += 1
        if self._n_asked > MANY_LITERALS:
            if self._numbered is None:
                self._numbered = CategoryColumn(self.name, *distinct_texts(self._values))
            return self._numbered.equals(category, rows)
        values = self._values.iloc[rows]
        if category is None:
            return values.isna().to_numpy(dtype=bool)
        if not isinstance(category, str):
            return np.zeros(len(values), dtype=bool)
        return (values == category).to_numpy(dtype=bool, na_value=False)

    def distinct(self, most_numbers: int | None = MANY_NUMBERS) -> DistinctValues:
        """Return the distinct values."""
        return CategoryColumn(self.name, *distinct_texts(self._values)).distinct()


class Columns:
    """A table as columns.

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

    def __getitem__(self, feature: str) -> Column:
        return self._by_name[feature]

    def numbers(self, feature: str, rows: Rows = EVERY_ROW) -> np.ndarray:
        """Return a feature of some rows as float64, NaN where the value is not a number."""
        return self._by_name[feature].numbers(rows)

    def equals(self, feature: str, category: Category, rows: Rows = EVERY_ROW) -> np.ndarray:
        """Return, as bool, in which of some rows a feature holds a category."""
        return self._by_name[feature].equals(category, rows)


def distinct_texts(values: pd.Series) -> tuple[list[str], np.ndarray]:
    """Return the distinct texts of a column and each row's position among them, -1 where one is missing."""
    if getattr(values.dtype, "storage", None) == "pyarrow":
        import pyarrow as pa  # there, since the column is made of it; it works without the interpreter's lock

        texts = pa.array(values)
        return _distinct_texts_of_arrow(texts.chunks if isinstance(texts, pa.ChunkedArray) else [texts])
    found, uniques = pd.factorize(values)
    return list(uniques), found


def _distinct_texts_of_arrow(chunks: list[Any]) -> tuple[list[str], np.ndarray]:
    """Return the same for arrays of pyarrow, some rows at a time: it keeps what it used for them."""
    import pyarrow as pa

    parts = [chunk.slice(start, ARROW_ROWS) for chunk in chunks for start in range(0, len(chunk), ARROW_ROWS)]
    if len(parts) == 1:
        texts, positions = _numbered(parts[0])
        return texts.to_pylist(), positions
    ends = np.cumsum([0, *map(len, parts)])
    positions = np.empty(ends[-1], dtype=np.int32)
    here = [positions[begin:end] for begin, end in itertools.pairwise(ends)]
    dictionaries = []
    for part, found in zip(parts, here, strict=True):
        texts, found[:] = _numbered(part)
        dictionaries.append(pa.DictionaryArray.from_arrays(np.arange(len(texts), dtype=np.int32), texts))
    if not parts:
        return [], positions
    merged = pa.chunked_array(dictionaries).unify_dictionaries().chunks
    for dictionary, found in zip(merged, here, strict=True):
        remap(found, np.append(dictionary.indices.to_numpy(), np.int32(-1)), found)
    return merged[0].dictionary.to_pylist(), positions


def _numbered(texts: Any) -> tuple[Any, np.ndarray]:
    encoded = texts.dictionary_encode()
    positions = encoded.indices
    if positions.null_count:
        positions = positions.fill_null(-1)
    return encoded.dictionary, positions.to_numpy()


def sort_key(category: Any) -> tuple[int, float, str]:
    """Return what categories are sorted by: numbers, then truth values, then text."""
    if isinstance(category, str):
        return (2, 0.0, category)
    return (1 if isinstance(category, bool) else 0, float(category), "")
