"""Files whose cells have types: parquet, ARFF and workbooks."""

from __future__ import annotations

import io
import re
from collections.abc import Callable

import pandas as pd

from foldse.cli.errors import CommandError, needs
from foldse.cli.files.encoding import decoded
from foldse.cli.files.source import Source
from foldse.cli.options import Format, Reading
from foldse.editing.nearest import close_matches

__all__ = ["READERS"]

Found = tuple[pd.DataFrame, str, str | None, list[str]]  # the columns, how they were read, encoding, notes
DATE = re.compile(
    r"""(?im)^(\s*@attribute\s+(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s'"]+)\s+)date\b[^\r\n]*"""
)


def _parquet(source: Source, reading: Reading) -> Found:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise needs("pyarrow", "reading parquet") from None
    try:
        table = pq.read_table(io.BytesIO(source.data))
    except (pa.ArrowException, OSError) as error:
        raise CommandError(f"{source.name} is not a parquet file: {error}") from None
    try:
        frame = table.to_pandas(integer_object_nulls=True)  # whole numbers stay so where some are missing
    except (pa.ArrowException, ValueError, TypeError) as error:
        raise CommandError(f"{source.name}: {error}") from None
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    return frame, "parquet", None, []


def _arff(source: Source, reading: Reading) -> Found:
    try:
        import arff  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        raise needs("liac-arff", "reading ARFF") from None
    text, encoding, notes = decoded(source, reading.encoding)
    text = DATE.sub(r"\1string", text)  # which liac-arff does not know; a date is text here
    for kind in (arff.DENSE, arff.LOD):
        try:
            document = arff.loads(text, return_type=kind)
        except arff.BadLayout:
            continue
        except arff.ArffException as error:
            raise CommandError(f"{source.name} is not an ARFF file: {error}") from None
        names = [name for name, _ in document["attributes"]]
        rows = document["data"]
        if kind == arff.LOD:  # what a sparse row leaves out is 0, or the first value
            first = [0.0 if isinstance(kind, str) else kind[0] for _, kind in document["attributes"]]
            rows = [[row.get(place, default) for place, default in enumerate(first)] for row in rows]
        frame = pd.DataFrame(rows, columns=pd.Index(names, dtype=object), dtype=object)
        return frame, f"ARFF, {encoding}", encoding, notes
    raise CommandError(f"{source.name} is not an ARFF file: its data are neither dense nor sparse")


def _excel(source: Source, reading: Reading) -> Found:
    try:
        import python_calamine
    except ImportError:
        raise needs("python-calamine", "reading a workbook") from None
    try:
        book = pd.ExcelFile(io.BytesIO(source.data), engine="calamine")
    except (python_calamine.CalamineError, ValueError) as error:
        raise CommandError(f"{source.name} is not a workbook: {error}") from None
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
    return cells.map(lambda cell: None if cell == "" else cell), f"workbook, sheet {wanted!r}", None, []


READERS: dict[Format, Callable[[Source, Reading], Found]] = {
    Format.PARQUET: _parquet,
    Format.ARFF: _arff,
    Format.EXCEL: _excel,
}
