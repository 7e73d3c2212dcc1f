"""Encoded tables on disk: written a chunk at a time, read by mapping them into memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from foldse.model.literals import Category
from foldse.reading.columns import sort_key
from foldse.reading.containers import as_table
from foldse.reading.conversion import types_of
from foldse.reading.encoding import (
    CODE_DTYPES,
    EncodedTable,
    FeatureCodes,
    assemble,
    narrowest,
)
from foldse.reading.values import column_names, read_columns

__all__ = ["open_codes", "write_codes"]

HEADER = "table.json"
FORMAT = 1


def write_codes(
    chunks: Callable[[], Iterable[Any]],
    folder: str | Path,
    numeric: Sequence[str] = (),
    categorical: Sequence[str] = (),
) -> None:
    """Encode a table that need not fit in memory.

    Parameters
    ----------
    chunks : callable
        Returns an iterable of tables (anything that `fit` takes) that hold the rows in order; called twice,
        to collect the values and to write their codes. For a Parquet file for example
        ``lambda: pyarrow.parquet.ParquetFile(path).iter_batches()``.
    folder : str or Path
        Made where it does not exist; what an earlier call left there is replaced.
    numeric, categorical : sequence of str
        As the parameters ``numeric_features`` and ``categorical_features`` of the classifiers.

    Raises
    ------
    ValueError
        If there are no rows, or a chunk has other columns than the first or another type in one of them.

    Notes
    -----
    Memory holds one chunk and the distinct values of each column.
    """
    folder = Path(folder)
    names: tuple[str, ...] | None = None
    numbers: list[np.ndarray] = []
    categories: list[set[tuple[type, Category]]] = []
    n_rows = 0
    seen: dict[str, tuple[str, bool]] = {}
    for chunk in chunks():
        X = as_table(chunk)
        found = column_names(X)
        if names is None:
            names = found
            numbers = [np.empty(0)] * len(names)
            categories = [set() for _ in names]
        elif found != names:
            raise ValueError(f"a chunk has the columns {', '.join(found)}; the first has {', '.join(names)}")
        for position, column in enumerate(read_columns(X, numeric, categorical)):
            distinct = column.distinct(most_numbers=None)
            assert distinct.numbers is not None
            if column.name not in numeric:
                dtype = X.dtypes.iloc[position] if isinstance(X, pd.DataFrame) else X.dtype
                types = types_of(len(distinct.numbers) > 0, distinct.categories)
                _check_types(column.name, types, pd.api.types.is_object_dtype(dtype), seen)
            numbers[position] = np.union1d(numbers[position], distinct.numbers)
            categories[position].update((type(c), c) for c in distinct.categories)
        n_rows += len(X)
    if names is None or not n_rows:
        raise ValueError("there are no rows to encode; chunks() must return tables with rows")

    ordered = [_in_order(c for _, c in found) for found in categories]
    places: list[tuple[int, int]] = []
    for known, others in zip(numbers, ordered, strict=True):
        matrix = narrowest(len(known) + len(others))
        places.append((matrix, sum(b == matrix for b, _ in places)))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / HEADER).unlink(missing_ok=True)  # it is there only while the rest is whole
    matrices = _matrices(folder, places, n_rows, "w+")
    start = 0
    for chunk in chunks():
        X = as_table(chunk)
        part = slice(start, start + len(X))
        for position, column in enumerate(read_columns(X, numeric, categorical)):
            distinct = column.distinct(most_numbers=None)
            place = {(type(c), c): i for i, c in enumerate(ordered[position])}
            rank = [place[type(c), c] + len(numbers[position]) for c in distinct.categories]
            assert distinct.numbers is not None
            codes = np.append(np.searchsorted(numbers[position], distinct.numbers), rank).astype(np.int64)
            matrix, row = places[position]
            matrices[matrix][row, part] = codes[distinct.positions]
        start = part.stop
    for written in matrices:
        if isinstance(written, np.memmap):
            written.flush()
    arrays: dict[str, Any] = {str(i): known for i, known in enumerate(numbers)}
    np.savez(folder / "numbers.npz", **arrays)
    header = {
        "format": FORMAT,
        "rows": n_rows,
        "features": [
            {"name": name, "categories": found, "block": matrix, "row": row}
            for name, found, (matrix, row) in zip(names, ordered, places, strict=True)
        ],
    }
    (folder / HEADER).write_text(json.dumps(header, indent=1), encoding="utf-8")


def _check_types(name: str, types: str, is_object: bool, seen: dict[str, tuple[str, bool]]) -> None:
    """Refuse a column that another chunk holds as values of another type.

    A reader that sees one chunk at a time makes numbers of what is text in the whole column. In a column of
    objects each value is what its type says, so that chunks may well differ.
    """
    if not types:
        return
    first, was_object = seen.setdefault(name, (types, is_object))
    if types != first and not (is_object and was_object):
        raise ValueError(
            f"column {name!r} holds {first} in one chunk and {types} in another; read all chunks with one "
            "dtype, such as dtype=str, or name the column in numeric"
        )


def open_codes(folder: str | Path) -> EncodedTable:
    """Open what `write_codes` wrote; the codes stay on disk and are read as they are looked at.

    Parameters
    ----------
    folder : str or Path

    Returns
    -------
    EncodedTable
        Given to a classifier's ``fit`` in the place of `X`.

    Raises
    ------
    ValueError
        If the folder holds no finished table, or one of another format.
    """
    folder = Path(folder)
    try:
        header = json.loads((folder / HEADER).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"{folder} holds no finished table of codes; write it with write_codes") from None
    if header.get("format") != FORMAT:
        raise ValueError(
            f"{folder} is of format {header.get('format')}, and this version reads {FORMAT}; write it anew"
        )
    places = [(known["block"], known["row"]) for known in header["features"]]
    with np.load(folder / "numbers.npz") as archive:
        numbers = [archive[str(i)] for i in range(len(places))]
    features = tuple(
        FeatureCodes(known["name"], len(numbers[i]), tuple(known["categories"]), numbers[i])
        for i, known in enumerate(header["features"])
    )
    return assemble(features, _matrices(folder, places, header["rows"], "r"), places)


def _in_order(categories: Iterable[Category]) -> list[Category]:
    known = list(categories)
    missing = [c for c in known if c is None]
    return [*missing, *sorted((c for c in known if c is not None), key=sort_key)]


def _matrices(folder: Path, places: Sequence[tuple[int, int]], n_rows: int, mode: Any) -> list[np.ndarray]:
    """Map the codes of each dtype into memory."""
    matrices: list[np.ndarray] = []
    for matrix, dtype in enumerate(CODE_DTYPES):
        shape = (sum(b == matrix for b, _ in places), n_rows)
        path = folder / f"codes_{np.dtype(dtype).name}.bin"
        if not shape[0]:
            matrices.append(np.empty(shape, dtype=dtype))
        else:
            matrices.append(np.memmap(path, dtype=dtype, mode=mode, shape=shape))
    return matrices
