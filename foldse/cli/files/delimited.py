"""Delimited text as columns of text; what is damaged or can be read in two ways is refused.

A file is parsed once, and strictly. What its cells mean is decided afterwards, column by column (`columns`).
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator
from itertools import islice

import pandas as pd

from foldse.cli.errors import CommandError
from foldse.cli.files.columns import TEXT
from foldse.cli.files.dialect import NAMES, Dialect, detect
from foldse.cli.files.encoding import decoded
from foldse.cli.files.numerals import Numerals
from foldse.cli.files.source import Source
from foldse.cli.messages import count
from foldse.cli.options import Reading

__all__ = ["read_delimited"]

SAMPLE_CHARACTERS = 500_000
ROWS_AT_ONCE = 50_000
LONGEST_CELL = 2**31 - 1


def read_delimited(
    source: Source, reading: Reading, is_tab: bool = False, known: Collection[str] = ()
) -> tuple[pd.DataFrame, Dialect, str, list[str]]:
    """Read delimited text.

    Parameters
    ----------
    source : Source
    reading : Reading
    is_tab : bool, default=False
        Whether the name of the file says that tabs separate.
    known : collection of str
        Names that the columns have, among others.

    Returns
    -------
    frame : pandas.DataFrame
        Columns of text as it is written.
    dialect : Dialect
    encoding : str
    notes : list of str
        What may have been read otherwise than meant.

    Raises
    ------
    CommandError
        If the text cannot be decoded, can be split in several ways, has a row with more or fewer cells than
        the first, a quote that is not closed, or a name twice.
    """
    name = source.name
    text, encoding, notes = decoded(source, reading.encoding)
    skipped = reading.skip_lines or 0
    said = re.match(r"sep=(.)(?:\r\n|\r|\n)", text, re.IGNORECASE)  # as Excel writes and reads it
    separator = NAMES.get(reading.separator, reading.separator) if reading.separator is not None else None
    if said and not skipped:
        skipped, separator = 1, separator if separator is not None else said[1]
    stream = io.StringIO(text, newline="")
    for _ in range(skipped):
        stream.readline()
    start = stream.tell()
    if text.startswith("#", start) and reading.skip_lines is None:
        raise CommandError(
            f"{name} begins with '#': give --skip-lines 1 if its first line is a comment, "
            "--skip-lines 0 if it has the names"
        )
    csv.field_size_limit(LONGEST_CELL)
    sample = text[start : start + SAMPLE_CHARACTERS]
    separator = "\t" if separator is None and is_tab else separator
    dialect = detect(sample, len(text) > start + len(sample), reading, separator, name, known)
    frame, more = _table(stream, dialect, reading, name, skipped)
    return frame, dialect, encoding, [*notes, *more]


def _table(
    stream: io.StringIO, dialect: Dialect, reading: Reading, name: str, before: int
) -> tuple[pd.DataFrame, list[str]]:
    """Read all rows of a stream of which some lines have been read before."""
    notes: list[str] = []
    rows = _rows(stream, dialect, reading, name, before, notes)
    first = next(rows, None)
    if first is None:
        raise CommandError(f"{name} has no rows")
    if reading.no_header:
        names, begun = [f"x{place}" for place in range(len(first))], [first]
    else:
        names, begun = _names(first, name), []
    columns = pd.Index(names, dtype=object)
    parts = [pd.DataFrame(begun, columns=columns, dtype=TEXT)]
    while chunk := list(islice(rows, ROWS_AT_ONCE)):
        parts.append(pd.DataFrame(chunk, columns=columns, dtype=TEXT))
    frame = pd.concat(parts, ignore_index=True)
    for place in range(len(first) if not reading.no_header else 0):
        if not first[place] and any(first[:place]) and (frame.iloc[:, place] != "").any():
            raise CommandError(
                f"{name}: the first line has no name for column {place + 1}; name it, or give --skip-lines "
                "if the names come later"
            )
    if not reading.no_header:
        notes += _names_like_values(frame)
    return frame, notes


def _rows(
    stream: io.StringIO, dialect: Dialect, reading: Reading, name: str, before: int, notes: list[str]
) -> Iterator[list[str]]:
    """Yield rows of as many cells as the first; an empty line is a row of a single column, and else none."""
    width = 0
    last = n_empty = n_skipped = n_broken = 0
    try:
        for line, row in dialect.rows(iter(stream)):
            first, last = last + 1 + before, line
            if not row or (len(row) == 1 and not row[0].strip()):
                n_empty += 1
                if width != 1:
                    continue
                row = [""]  # of blanks, too
            elif not width and reading.no_header and len(row) == 1:
                yield from ([""] for _ in range(n_empty))
            elif width != 1:
                n_skipped, n_empty = n_skipped + (n_empty if width else 0), 0
            width = width or len(row)
            if before + line > first and reading.quote is None:
                n_broken += _broken(row, dialect, f"{name}: line {first}")
            if len(row) != width:
                raise CommandError(_ragged(row, width, name, first, before + line))
            yield row
    except csv.Error as error:
        what = "a quote is not closed" if "end of data" in str(error) else "text follows a closing quote"
        raise CommandError(
            f"{name}: {what} in the row of line {before + last + 1}; mend it, or give --quote none if quotes "
            "are part of the text"
        ) from None
    if width == 1 and n_empty:
        notes.append(f"{count(n_empty, 'empty line')} read as {count(n_empty, 'row')} without a value")
    if n_skipped:
        notes.append(f"skipped {count(n_skipped, 'empty line')}")
    if n_broken:
        notes.append(
            f"{count(n_broken, 'cell')} in quotes with line breaks; --quote none if that is not meant"
        )


def _broken(row: list[str], dialect: Dialect, where: str) -> int:
    """Return how many cells have line breaks.

    Raises
    ------
    CommandError
        If the lines of a cell look like rows, as between two cells that begin with a quote which is a part of
        the text.
    """
    broken = [(place, cell) for place, cell in enumerate(row) if re.search(r"[\r\n]", cell)]
    for place, cell in broken:
        found = (
            [line.count(dialect.separator) for line in re.split(r"\r\n|\r|\n", cell)]
            if dialect.separator
            else []
        )
        after = len(row) - 1
        if found and after and found == [after - place, *[after] * (len(found) - 2), place]:
            raise CommandError(
                f"{where}: a quote encloses {len(found)} lines that look like rows; give --quote none if "
                f"quotes are part of the text, or --quote {dialect.quote!r} if the cell has these line breaks"
            )
    return len(broken)


def _ragged(row: list[str], width: int, name: str, first: int, last: int) -> str:
    """Return the message on a row that has more or fewer cells than the names."""
    text = f"{name}: line {first} has {count(len(row), 'cell')} and the first line {width}"
    if last > first:
        return (
            f"{text}; a quote opens there and closes in line {last}: --quote none if it is part of the text"
        )
    if len(row) > width:
        return (
            f"{text}; name all columns, or give --skip-lines if the names come later, or another --separator"
        )
    return f"{text}; complete or remove it, or give another --separator"


def _names(first: list[str], name: str) -> list[str]:
    names = [cell or f"Unnamed: {place}" for place, cell in enumerate(first)]
    for column in names:
        if names.count(column) > 1:
            raise CommandError(
                f"{name} has two columns named {column!r}; rename one of them, or give --no-header if its "
                "first line is a row"
            )
    return names


def _names_like_values(frame: pd.DataFrame) -> list[str]:
    """Return a note if the names look like a row: numbers, but for positions, or values of their columns."""
    numbers = [Numerals().number(str(name)) for name in frame.columns]
    given = [number for number in numbers if number is not None]
    are_counted = given[:1] in ([], [0], [1]) and given == [given[0] + place for place in range(len(given))]
    if not are_counted or all((frame[name] == name).any() for name in frame.columns):
        shown = ", ".join(repr(name) for name in frame.columns[:3])
        return [
            f"the first line ({shown}, ...) was read as the names of the columns; --no-header if it is a row"
        ]
    return []
