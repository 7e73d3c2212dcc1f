"""Any file of data as a table of numbers and text, with a line that says how it was read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from foldse.cli import messages
from foldse.cli.errors import CommandError, UsageError
from foldse.cli.files.columns import from_text, is_number, normalised, to_numbers, to_text
from foldse.cli.files.delimited import read_delimited
from foldse.cli.files.encoding import code_page_of
from foldse.cli.files.numerals import Numerals, note_on_groups, note_on_text
from foldse.cli.files.source import open_source
from foldse.cli.files.typed import READERS
from foldse.cli.options import Format, Reading
from foldse.editing.nearest import close_matches

__all__ = ["Table", "column_of", "read_table"]

# What pandas takes for a missing value, too.
MISSING = (
    *("", "NA", "N/A", "n/a", "<NA>", "NaN", "nan", "-NaN", "-nan", "null", "NULL", "None"),
    *("#N/A", "#N/A N/A", "#NA", "1.#IND", "1.#QNAN", "-1.#IND", "-1.#QNAN"),
)


@dataclass(frozen=True, slots=True)
class Table:
    """A file that was read.

    Attributes
    ----------
    frame : pandas.DataFrame
        Columns of numbers and of text, with names of type str.
    as_written : dict of str to pandas.Series
        The columns as the file has them.
    code_page : str or None
        The encoding, if it is one of those that a text does not tell for sure: any but UTF-8 and UTF-16.
    """

    frame: pd.DataFrame
    as_written: dict[str, pd.Series]
    code_page: str | None


def read_table(
    path: str,
    reading: Reading,
    text: Collection[str] = (),
    numeric: Collection[str] = (),
    *,
    drop: Sequence[str] = (),
    known: Collection[str] = (),
    required: bool = True,
    code_page: str | None = None,
) -> Table:
    """Read a file as columns of numbers and columns of text.

    Parameters
    ----------
    path : str
        Of a file; ``-`` is standard input.
    reading : Reading
    text, numeric : collection of str
        Columns to be read as text, or as numbers where their values are.
    drop : sequence of str
        Columns that are left as they are, whatever is in them, each by its name or its place.
    known : collection of str
        Names that the file has, which tell how it is split.
    required : bool, default=True
        Whether it is an error if the file lacks a column of `text` or `numeric`, or one of `numeric` has no
        number.
    code_page : str, optional
        That of an earlier file of the same kind, which counts where this one does not tell.

    Returns
    -------
    Table
        How the file was read has been said on standard error.

    Raises
    ------
    CommandError
        If the file is not what it seems, or its reader is not installed.
    """
    source = open_source(path, reading.format, code_page)
    is_text = source.format in (Format.CSV, Format.TSV)
    encoding: str | None
    if is_text:
        is_tab = source.format is Format.TSV
        frame, dialect, encoding, notes = read_delimited(source, reading, is_tab, known)
        how, decimal = f"{source.format.upper()}, {encoding}, {dialect}", dialect.decimal
    else:
        frame, how, encoding, notes = READERS[source.format](source, reading)
        decimal = reading.decimal or "."
        frame = _named(frame, source.name)
    if reading.thousands == decimal:
        raise UsageError(
            f"{decimal!r} is the decimal sign and cannot separate thousands; give --decimal, too"
        )
    if not len(frame):
        raise CommandError(f"{source.name} has names of columns and no rows")
    names = frame.columns.tolist()
    for column in (*text, *numeric) if required else ():
        if column not in names:
            raise CommandError(
                f"{source.name} has no column {column!r}; {close_matches(column, names, 'columns')}"
            )
    numerals = Numerals(decimal, reading.thousands, tuple(reading.strip or ()))
    stands = {"", *(() if reading.no_default_missing else MISSING), *(reading.missing or ())}
    dropped = {column_of(column, names, "--drop") for column in drop}
    columns = {}
    for column in names:
        if column in dropped:
            columns[column] = frame[column]  # kept for its place; what is in it does not matter
            continue
        values = _without_missing(frame[column], stands, reading.missing or ())
        if column in text:
            values = to_text(values)
        elif column in numeric:
            values, others = to_numbers(values, numerals)
            if others:
                notes.append(_not_numbers(values, others, numerals, required))
        elif is_text:
            texts = values
            values, said = from_text(texts, numerals)
            if is_number(values) and not dialect.is_sure:
                said = note_on_groups(column, texts.dropna(), decimal)
            notes += [said] if said else []
        else:
            values = normalised(values)
            said = (
                None
                if is_number(values)
                else note_on_text(column, values.dropna().unique().tolist(), numerals)
            )
            notes += [said] if said else []
        columns[column] = values
    table = pd.DataFrame(columns)
    n_numbers = sum(is_number(values) for values in columns.values())
    messages.note(
        f"{source.name}: {how}; {messages.count(len(table), 'row')}, "
        f"{messages.count(len(columns), 'column')} "
        f"({n_numbers} of numbers, {len(columns) - n_numbers} of text)"
    )
    for said in notes:
        messages.note(said)
    as_written = {str(name): frame[name] for name in frame.columns}
    return Table(table, as_written, None if encoding is None else code_page_of(encoding))


def column_of(given: str, names: list[str], option: str) -> str:
    """Return the name of a column that was given by its name or by its place.

    Raises
    ------
    CommandError
        If there is none; the message lists names that are close.
    """
    if given in names:
        return given
    try:
        place = int(given)
    except ValueError:
        raise CommandError(
            f"{option} {given!r} is not a column; {close_matches(given, names, 'columns')}"
        ) from None
    if -len(names) <= place < len(names):
        return names[place]
    raise CommandError(
        f"{option} {given}: the {messages.count(len(names), 'column')} have positions 0 to {len(names) - 1}"
    )


def _not_numbers(values: pd.Series, others: list[str], numerals: Numerals, required: bool) -> str:
    """Return the note that a column declared numeric has text; without any number that is an error."""
    is_text = [isinstance(value, str) for value in values]
    shown = ", ".join(map(repr, others[:3]))
    note = f"column {values.name!r} has text in {messages.count(sum(is_text), 'row')}, such as {shown}"
    if required and not any(isinstance(value, float) and not np.isnan(value) for value in values):
        why = note_on_text(str(values.name), others, numerals)
        hint = why.partition("; ")[2] if why else f"leave out --numeric {str(values.name)!r}"
        raise CommandError(f"--numeric {str(values.name)!r}: no value is a number, such as {shown}; {hint}")
    return note


def _named(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    names = [f"Unnamed: {i}" if pd.isna(c) else str(c) for i, c in enumerate(frame.columns)]
    for column in names:
        if names.count(column) > 1:
            raise CommandError(f"{name} has two columns named {column!r}; rename one of them")
    frame.columns = pd.Index(names, dtype=object)
    return frame


def _without_missing(values: pd.Series, stands: Collection[str], missing: Collection[str]) -> pd.Series:
    """Take what stands for no value out of a column."""
    if isinstance(values.dtype, pd.StringDtype):
        return values.mask(values.isin(list(stands)))
    if isinstance(values.dtype, pd.CategoricalDtype):
        categories = values.cat.categories.dtype
        values = values.astype(object if values.isna().any() else categories)
    if values.dtype == object:
        cells = [None if isinstance(cell, str) and cell in stands else cell for cell in values]
        return pd.Series(cells, values.index, dtype=object, name=values.name)
    if missing and is_number(values):
        numbers = pd.to_numeric(pd.Series(sorted(missing)), errors="coerce").dropna()
        return values.mask(values.isin(numbers))
    return values
