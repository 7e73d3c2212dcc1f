"""Any file of data as a table of numbers and text, and one line that says how it was read."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Collection

import pandas as pd

from foldse.cli import messages
from foldse.cli.errors import CommandError, close_matches, needs
from foldse.cli.files.columns import (
    is_number,
    normalised,
    numerals,
    to_numbers,
    to_text,
)
from foldse.cli.files.delimited import MISSING, read_delimited
from foldse.cli.files.source import Format, Source, open_source
from foldse.cli.options import Reading

__all__ = ["read_table"]


def read_table(
    path: str,
    reading: Reading,
    text: Collection[str] = (),
    numeric: Collection[str] = (),
    required: bool = True,
) -> pd.DataFrame:
    """Read a file as columns of numbers and columns of text.

    Parameters
    ----------
    path : str
        Of a file; ``-`` is standard input.
    reading : Reading
    text, numeric : collection of str
        Columns to be read as text, or as numbers where their values are.
    required : bool, default=True
        Whether it is an error if the file does not have one of these.

    Returns
    -------
    pandas.DataFrame
        With names of type str. How the file was read has been said on standard error.

    Raises
    ------
    CommandError
        If the file is none of its kind, or a reader is not installed.
    """
    source = open_source(path, reading.format)
    if source.format in (Format.CSV, Format.TSV):
        is_tab = source.format is Format.TSV
        frame, dialect, encoding, notes = read_delimited(
            source.data, source.name, reading, is_tab, text, numeric
        )
        how, decimal = f"{source.format.upper()}, {encoding}, {dialect}", dialect.decimal
    else:
        frame, how = _READERS[source.format](source, reading)
        decimal, notes = reading.decimal or ".", []
        frame = _named(frame, source.name)
        frame = _without_missing(frame, reading)
    if not len(frame):
        raise CommandError(f"{source.name} has names of columns and no rows")
    names = frame.columns.tolist()
    for column in (*text, *numeric) if required else ():
        if column not in names:
            raise CommandError(
                f"{source.name} has no column {column!r}; {close_matches(column, names, 'columns')}"
            )
    columns = {}
    for column in names:
        values = frame[column]
        if column in text:
            columns[column] = to_text(values)
        elif column in numeric:
            columns[column] = to_numbers(values, decimal, reading.thousands)
            notes += _other_than_numbers(columns[column])
        else:
            columns[column] = normalised(values)
            notes += _nearly_numbers(columns[column], decimal, reading.thousands, notes)
    table = pd.DataFrame(columns)
    n_numbers = sum(is_number(table[column]) for column in names)
    messages.note(
        f"{source.name}: {how}; {messages.count(len(table), 'row')}, {messages.count(len(names), 'column')} "
        f"({n_numbers} of numbers, {len(names) - n_numbers} of text)"
    )
    for said in notes:
        messages.note(said)
    return table


def _other_than_numbers(values: pd.Series) -> list[str]:
    """Return a note if a column that is to be of numbers has text."""
    if is_number(values):
        return []
    texts = values[[isinstance(value, str) for value in values]]
    shown = ", ".join(map(repr, texts.drop_duplicates().head(3).tolist()))
    return [f"column {values.name!r} has text in {messages.count(len(texts), 'row')}, such as {shown}"]


def _nearly_numbers(values: pd.Series, decimal: str, thousands: str | None, said: list[str]) -> list[str]:
    """Return a note if most values of a text column are numbers and a few others make it text."""
    if is_number(values) or any(f"column {values.name!r} " in note for note in said):
        return []
    distinct = values[values.notna()].drop_duplicates()
    others = distinct[numerals(distinct, decimal, thousands).isna().to_numpy()]
    group = "." if decimal == "," else ","
    if thousands is None and len(others):
        digits = rf"[+-]?\d{{1,3}}(?:{re.escape(group)}\d{{3}})+(?:{re.escape(decimal)}\d+)?"
        if others.str.fullmatch(digits).all():
            why = f"its numbers have {group!r} between digits"
            return [f"column {values.name!r} is text, as {why}; --thousands {group!r} reads them"]
    if 2 * len(others) >= len(distinct) or not len(distinct):
        return []
    if not len(others):
        if distinct.str.match(r"\s*[+-]?0\d").any():
            return []  # codes, which are text rightly
        why, remedy = "its numbers are written as text", f"--numeric {values.name!r} makes them numbers"
    else:
        shown = ", ".join(map(repr, others.head(3).tolist()))
        why = f"it has {shown}{', ...' if len(others) > 3 else ''} beside numbers"
        remedy = f"--missing {others.iloc[0]!r} or --numeric {values.name!r} makes the others numbers"
    return [f"column {values.name!r} is text, as {why}; {remedy}"]


def _named(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    names = [f"Unnamed: {i}" if pd.isna(c) else str(c) for i, c in enumerate(frame.columns)]
    for column in names:
        if names.count(column) > 1:
            raise CommandError(f"{name} has two columns named {column!r}; rename one of them")
    frame.columns = pd.Index(names, dtype=object)
    return frame


def _without_missing(frame: pd.DataFrame, reading: Reading) -> pd.DataFrame:
    """Take the texts that stand for no value out of a table that has types."""
    stands = {"", *(() if reading.no_default_missing else MISSING), *(reading.missing or ())}
    columns = {}
    for column in frame.columns:
        values = frame[column]
        if isinstance(values.dtype, pd.CategoricalDtype):
            values = values.astype(values.cat.categories.dtype if not values.isna().any() else object)
            values = to_text(values)
        if values.dtype == object or isinstance(values.dtype, pd.StringDtype):
            cells = [None if isinstance(cell, str) and cell in stands else cell for cell in values]
            values = pd.Series(cells, name=column, dtype=None if _all_text(cells) else object)
        elif reading.missing and is_number(values):
            numbers = pd.to_numeric(pd.Series(sorted(reading.missing)), errors="coerce").dropna()
            values = values.mask(values.isin(numbers)) if values.isin(numbers).any() else values
        columns[column] = values
    return pd.DataFrame(columns)


def _all_text(cells: list) -> bool:
    return all(cell is None or isinstance(cell, str) for cell in cells)


def _parquet(source: Source, reading: Reading) -> tuple[pd.DataFrame, str]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise needs("pyarrow", "reading parquet") from None
    try:
        table = pq.read_table(io.BytesIO(source.data))
    except (pa.ArrowException, OSError) as error:
        raise CommandError(f"{source.name} is no parquet file: {error}") from None
    frame = table.to_pandas(integer_object_nulls=True)  # whole numbers stay so where some are missing
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    return frame, "parquet"


def _arff(source: Source, reading: Reading) -> tuple[pd.DataFrame, str]:
    try:
        import arff  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        raise needs("liac-arff", "reading ARFF") from None
    from foldse.cli.files.delimited import decoded

    utf8, encoding = decoded(source.data, source.name, reading.encoding)
    text = utf8.decode("utf-8")
    for kind in (arff.DENSE, arff.LOD):
        try:
            document = arff.loads(text, return_type=kind)
        except arff.BadLayout:
            continue
        except arff.ArffException as error:
            raise CommandError(f"{source.name} is no ARFF file: {error}") from None
        names = [name for name, _ in document["attributes"]]
        rows = document["data"]
        if kind == arff.LOD:  # what a sparse row leaves out is 0, or the first value
            first = [0.0 if isinstance(kind, str) else kind[0] for _, kind in document["attributes"]]
            rows = [[row.get(place, default) for place, default in enumerate(first)] for row in rows]
        frame = pd.DataFrame(rows, columns=pd.Index(names, dtype=object), dtype=object)
        return frame, f"ARFF, {encoding}"
    raise CommandError(f"{source.name} is no ARFF file: its data are neither dense nor sparse")


def _excel(source: Source, reading: Reading) -> tuple[pd.DataFrame, str]:
    try:
        import python_calamine
    except ImportError:
        raise needs("python-calamine", "reading a workbook") from None
    try:
        book = pd.ExcelFile(io.BytesIO(source.data), engine="calamine")
    except (python_calamine.CalamineError, ValueError) as error:
        raise CommandError(f"{source.name} is no workbook: {error}") from None
    with book:
        sheets = [str(sheet) for sheet in book.sheet_names]
        wanted = reading.sheet or "0"
        if wanted not in sheets:
            if not wanted.isdecimal() or int(wanted) >= len(sheets):
                raise CommandError(
                    f"{source.name} has no sheet {wanted!r}; {close_matches(wanted, sheets, 'sheets')}"
                )
            wanted = sheets[int(wanted)]
        # As objects, since pandas would make numbers of the text '007'. Names are read as a row, since pandas
        # would rename the second of two that are equal.
        cells = pd.read_excel(
            book, sheet_name=wanted, header=None, dtype=object, na_values=[], keep_default_na=False
        )
    if cells.empty:
        raise CommandError(f"{source.name}: the sheet {wanted!r} is empty")
    if reading.no_header:
        cells.columns = pd.Index([f"x{place}" for place in range(cells.shape[1])], dtype=object)
    else:
        header = [None if name == "" else name for name in cells.iloc[0]]
        cells = cells.iloc[1:].reset_index(drop=True)
        cells.columns = pd.Index(header, dtype=object)
    return cells.map(lambda cell: None if cell == "" else cell), f"workbook, sheet {wanted!r}"


_READERS: dict[Format, Callable[[Source, Reading], tuple[pd.DataFrame, str]]] = {
    Format.PARQUET: _parquet,
    Format.ARFF: _arff,
    Format.EXCEL: _excel,
}
