"""A mixed-type table as integer codes: what the literal search counts.

The codes of a feature are its numbers in ascending order, then its categories in sorted order (a missing
value first, then numbers, truth values and text), so that every literal is an interval of codes or
the complement of one.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from foldse.model.literals import Category, Literal, Op
from foldse.model.rule import EVERY_ROW, Rows
from foldse.reading.columns import Column, Columns
from foldse.reading.conversion import types_of
from foldse.runtime.threads import MAX_PARALLEL_ROWS, run_parallel

__all__ = ["CodeInterval", "EncodedTable", "FeatureCodes", "encode"]

CODE_DTYPES = (np.uint8, np.uint16, np.uint32)
MIN_PARALLEL_CELLS = 100_000  # of a table whose columns are encoded in threads


@dataclass(frozen=True, slots=True)
class FeatureCodes:
    """What the codes of one feature mean.

    Attributes
    ----------
    name : str
    n_numbers : int
        Codes below are numbers, in ascending order.
    categories : tuple
        Code n_numbers + k is the k-th of these.
    numbers : numpy.ndarray of float64, or None
        The numbers; None where they are too many to be listed, and are looked up in the column.
    column : Column or None
        Where the values came from; None where they are listed.
    """

    name: str
    n_numbers: int
    categories: tuple[Category, ...]
    numbers: np.ndarray | None
    column: Column | None = None

    def __len__(self) -> int:
        return self.n_numbers + len(self.categories)

    @property
    def types(self) -> str:
        """What the feature holds, see `foldse.reading.conversion.types_of`."""
        return types_of(self.n_numbers > 0, self.categories)


@dataclass(frozen=True, slots=True)
class CodeInterval:
    """A literal in terms of codes: it holds if ``lo <= code < hi``, or, negated, if not."""

    feature: int
    lo: int
    hi: int
    negated: bool


@dataclass(frozen=True, slots=True)
class EncodedTable:
    """A table of codes, feature-major, in the narrowest unsigned dtype that holds each feature.

    Attributes
    ----------
    features : tuple of FeatureCodes
        In column order.
    n_rows : int
    matrices : tuple of numpy.ndarray of shape (n_matrix_rows, n_rows)
        The codes: a row for each feature, one matrix for each of uint8, uint16 and uint32 that occurs.
    matrix_features : tuple of numpy.ndarray of int64
        For each matrix, the positions of its features in `features`, ascending.
    places : tuple of (int, int)
        For each feature its matrix and its row there.
    offsets : numpy.ndarray of int64, shape (n_features + 1,)
        Codes of all features in one row: code c of feature f is number ``offsets[f] + c``.
    n_numbers : numpy.ndarray of int64, shape (n_features,)
        How many codes of each feature are numbers.
    last_first : numpy.ndarray of bool, shape (n_features,)
        Of which features the search takes the last of tied categories, see `foldse.search.ties`; by default
        of none.
    allowed : numpy.ndarray of int64, shape (n_features,), or None
        Which comparisons of each feature the search may make, see `foldse.search.candidates.bits_of`; None
        for all.
    """

    features: tuple[FeatureCodes, ...]
    n_rows: int
    matrices: tuple[np.ndarray, ...]
    matrix_features: tuple[np.ndarray, ...]
    places: tuple[tuple[int, int], ...]
    offsets: np.ndarray
    n_numbers: np.ndarray
    last_first: np.ndarray
    allowed: np.ndarray | None = None

    def reordered(self, order: Sequence[int], last_first: Sequence[bool]) -> EncodedTable:
        """Return the table with its features in another order; the codes are shared.

        Parameters
        ----------
        order : sequence of int
            Positions of the features.
        last_first : sequence of bool
            For each feature of the new table, see the attribute.
        """
        features = tuple(self.features[feature] for feature in order)
        places = [self.places[feature] for feature in order]
        return replace(assemble(features, self.matrices, places), last_first=np.array(last_first, dtype=bool))

    def take(self, rows: np.ndarray) -> EncodedTable:
        """Return the table that `encode` makes of some rows: values that do not occur there have no codes.

        Parameters
        ----------
        rows : numpy.ndarray of int
            Positions, of which none need be there; the table has them in this order.
        """
        heaps: list[list[np.ndarray]] = [[] for _ in CODE_DTYPES]
        features, places = [], []
        for feature, known in enumerate(self.features):
            codes = self.codes(feature)[rows]
            occurs = np.bincount(codes, minlength=len(known)) > 0
            kept = np.flatnonzero(occurs)
            n_numbers = int(np.searchsorted(kept, known.n_numbers))
            if known.numbers is not None:
                numbers = known.numbers[kept[:n_numbers]]
            else:
                assert known.column is not None
                first_rows = np.empty(len(known), dtype=np.int64)
                first_rows[codes[::-1]] = rows[::-1]
                numbers = known.column.numbers(first_rows[kept[:n_numbers]]) + 0.0
            categories = tuple(known.categories[code - known.n_numbers] for code in kept[n_numbers:].tolist())
            matrix = narrowest(len(kept))
            places.append((matrix, len(heaps[matrix])))
            heaps[matrix].append((np.cumsum(occurs) - 1).astype(CODE_DTYPES[matrix])[codes])
            features.append(FeatureCodes(known.name, n_numbers, categories, numbers))
        matrices = [
            np.array(heap, dtype=dtype).reshape(len(heap), len(rows))
            for heap, dtype in zip(heaps, CODE_DTYPES, strict=True)
        ]
        return assemble(tuple(features), matrices, places)

    def codes(self, feature: int) -> np.ndarray:
        """Return the codes of one feature, of shape (n_rows,)."""
        matrix, row = self.places[feature]
        return self.matrices[matrix][row]

    def numbers(self, feature: str, rows: Rows = EVERY_ROW) -> np.ndarray:
        """Return a feature of some rows as float64, NaN where the value is not a number."""
        position = self._position(feature)
        known = self.features[position]
        if known.numbers is None:
            assert known.column is not None
            return known.column.numbers(rows)
        values = np.full(len(known), np.nan)
        values[: known.n_numbers] = known.numbers
        return values[self.codes(position)[rows]]

    def equals(self, feature: str, category: Category, rows: Rows = EVERY_ROW) -> np.ndarray:
        """Return, as bool, in which of some rows a feature holds a category."""
        position = self._position(feature)
        known = self.features[position]
        codes = self.codes(position)[rows]
        for code, other in enumerate(known.categories, known.n_numbers):
            if type(other) is type(category) and other == category:
                return codes == code
        return np.zeros(len(codes), dtype=bool)

    def _position(self, feature: str) -> int:
        return next(i for i, known in enumerate(self.features) if known.name == feature)

    def literal(self, feature: int, code: int, op: Op) -> Literal:
        """Return the literal that compares a feature with the value of one of its codes."""
        known = self.features[feature]
        if op.is_threshold:
            return Literal(known.name, op, self._number(feature, code))
        return Literal(known.name, op, known.categories[code - known.n_numbers])

    def _number(self, feature: int, code: int) -> float:
        """Return the number that a code stands for."""
        known = self.features[feature]
        if known.numbers is not None:
            return float(known.numbers[code])
        assert known.column is not None
        row = int(np.argmax(self.codes(feature) == code))
        return float(known.column.numbers()[row]) + 0.0

    def interval(self, feature: int, code: int, op: Op) -> CodeInterval:
        """Return the codes for which a comparison with the value of a code holds."""
        plain = op.negation if op.is_negated else op
        if plain is Op.LE:
            lo, hi = 0, code + 1
        elif plain is Op.GT:
            lo, hi = code + 1, int(self.n_numbers[feature])
        else:
            lo, hi = code, code + 1
        return CodeInterval(feature, lo, hi, op.is_negated)

    def infinities(self) -> list[int]:
        """Return infinite numbers, which are compared but stand in no literal, by `offsets`."""
        found = []
        for feature, known in enumerate(self.features):
            if known.n_numbers:
                for code in sorted({0, known.n_numbers - 1}):
                    if math.isinf(self._number(feature, code)):
                        found.append(int(self.offsets[feature]) + code)
        return found


def encode(columns: Columns) -> EncodedTable:
    """Encode a table.

    Parameters
    ----------
    columns : Columns

    Returns
    -------
    EncodedTable
    """
    n_columns = len(columns.names)
    # One matrix of full height for each dtype: memory that is never written is never used.
    heaps = [np.empty((n_columns, columns.n_rows), dtype=dtype) for dtype in CODE_DTYPES]
    # Rows are handed out as they are needed, so that those written lie together: each stretch of them leaves
    # parts of two large pages of memory unused. In threads it depends on time which feature has which row.
    next_rows = [itertools.count() for _ in CODE_DTYPES]

    def encode_column(column: Column) -> tuple[FeatureCodes, tuple[int, int]]:
        found = column.distinct()
        needed = column if found.numbers is None else None
        feature = FeatureCodes(column.name, found.n_numbers, found.categories, found.numbers, needed)
        matrix = narrowest(len(feature))
        row = next(next_rows[matrix])
        heaps[matrix][row] = found.positions
        return feature, (matrix, row)

    encoded = run_parallel(
        [functools.partial(encode_column, column) for column in columns],
        # What a column takes while it is encoded counts once for each thread.
        parallel=columns.n_rows * n_columns >= MIN_PARALLEL_CELLS and columns.n_rows <= MAX_PARALLEL_ROWS,
    )
    places = [place for _, place in encoded]
    matrices = [heap[: sum(b == matrix for b, _ in places)] for matrix, heap in enumerate(heaps)]
    return assemble(tuple(feature for feature, _ in encoded), matrices, places)


def assemble(
    features: tuple[FeatureCodes, ...], matrices: Sequence[np.ndarray], places: Sequence[tuple[int, int]]
) -> EncodedTable:
    """Make a table of matrices of codes.

    Parameters
    ----------
    features : tuple of FeatureCodes
    matrices : sequence of numpy.ndarray of shape (n_matrix_rows, n_rows)
        One for each of `CODE_DTYPES`; rows that no feature has a place in are never looked at.
    places : sequence of (int, int)
        For each feature its matrix and its row there.
    """
    sizes = np.array([len(feature) for feature in features], dtype=np.int64)
    n_numbers = np.array([feature.n_numbers for feature in features], dtype=np.int64)
    n_rows = matrices[0].shape[1]
    members = [
        np.array([feature for feature, (b, _) in enumerate(places) if b == matrix], dtype=np.int64)
        for matrix in range(len(matrices))
    ]
    used = [matrix for matrix in range(len(matrices)) if len(members[matrix])]
    return EncodedTable(
        features=features,
        n_rows=n_rows,
        matrices=tuple(matrices[matrix] for matrix in used),
        matrix_features=tuple(members[matrix] for matrix in used),
        places=tuple((used.index(matrix), row) for matrix, row in places),
        offsets=np.concatenate(([0], np.cumsum(sizes))),
        n_numbers=n_numbers,
        last_first=np.zeros(len(features), dtype=bool),
    )


def narrowest(n_codes: int) -> int:
    """Return which of `CODE_DTYPES` is the first to hold so many codes."""
    return next(i for i, dtype in enumerate(CODE_DTYPES) if n_codes <= 256 ** np.dtype(dtype).itemsize)
