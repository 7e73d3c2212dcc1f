"""Delimited text: its encoding, separator and decimal sign are found out, what is no number stays text."""

from __future__ import annotations

import codecs
import csv
import io
import re
import warnings
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from foldse.cli.errors import CommandError
from foldse.cli.files.columns import is_number
from foldse.cli.options import Reading

__all__ = ["MISSING", "Dialect", "detect", "read_delimited"]

# What pandas takes for a missing value, too.
MISSING = (
    *("", "NA", "N/A", "n/a", "<NA>", "NaN", "nan", "-NaN", "-nan", "null", "NULL", "None"),
    *("#N/A", "#N/A N/A", "#NA", "1.#IND", "1.#QNAN", "-1.#IND", "-1.#QNAN"),
)
SEPARATORS = [",", ";", "\t", "|"]
NAMES = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}
SAMPLE_BYTES = 1_000_000
SAMPLE_LINES = 2_000
LINES_FOR_SEPARATOR = 200  # more are slower, and no surer
SIZE_FOR_SEPARATOR = 50_000  # characters: of a wide table fewer lines do
EXACT = 2**53  # beyond it a float does not tell whole numbers apart


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a text is to be split.

    Attributes
    ----------
    separator : str
    quote : str
    escape : str or None
    decimal : str
    blanks : bool
        Whether a blank follows each separator, which is then no part of the value.
    """

    separator: str
    quote: str
    escape: str | None
    decimal: str
    blanks: bool

    def __str__(self) -> str:
        names = {"\t": "tab", " ": "blanks"}
        parts = [f"separator {names.get(self.separator, repr(self.separator))}"]
        if self.blanks:
            parts[0] += " and a blank"
        if self.quote != '"':
            parts.append(f"quotes {self.quote}")
        if self.decimal != ".":
            parts.append("decimal comma" if self.decimal == "," else f"decimal {self.decimal!r}")
        return ", ".join(parts)


def decoded(data: bytes, name: str, given: str | None) -> tuple[bytes, str]:
    """Return text as UTF-8, and the encoding that it was in."""
    encoding = given or _encoding(data)
    try:
        codec = codecs.lookup(encoding).name
    except LookupError:
        raise CommandError(
            f"the encoding {encoding!r} is not known; one is utf-8, cp1252 or latin-1"
        ) from None
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CommandError(
            f"{name} is no {encoding} text at line {line}; name its encoding, such as --encoding cp1252"
        ) from None
    return text.removeprefix("\ufeff").encode("utf-8", "surrogatepass"), encoding


def _encoding(data: bytes) -> str:
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return encoding
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return "utf-8"
    import chardet

    # Only the words that tell: the digits and separators around them mislead the statistics.
    words = set(re.findall(rb'[^\s;,|"0-9]*[\x80-\xff][^\s;,|"0-9]*', data[:SAMPLE_BYTES]))
    found = chardet.detect(b" ".join(sorted(words)), encoding_era=chardet.EncodingEra.MODERN_WEB)
    return (found["encoding"] or "cp1252").lower()


def detect(text: str, reading: Reading, is_tab: bool, name: str) -> Dialect:
    """Find out how a text is split.

    Parameters
    ----------
    text : str
        The first lines.
    reading : Reading
        What the user has said is taken as it is.
    is_tab : bool
        Whether the file says by its name that tabs separate.
    name : str
        Of the file.

    Returns
    -------
    Dialect
    """
    lines = [line for line in text.splitlines() if line.strip()][:SAMPLE_LINES]
    quote, escape = '"', None
    separator = NAMES.get(reading.separator, reading.separator) if reading.separator else None
    if separator is None and is_tab:
        separator = "\t"
    if separator is None:
        import clevercsv

        n_lines = max(5, SIZE_FOR_SEPARATOR // (1 + max(map(len, lines[:LINES_FOR_SEPARATOR]))))
        sample = "\n".join(lines[: min(n_lines, LINES_FOR_SEPARATOR)])
        for candidates in (SEPARATORS, [" "]):
            found = clevercsv.detect.Detector().detect(sample, delimiters=candidates)
            if found is not None and found.delimiter:
                separator = found.delimiter
                quote, escape = found.quotechar or '"', found.escapechar or None
                break
        else:
            raise CommandError(f"{name} has one column only, as far as can be told; name its --separator")
    if len(separator) != 1:
        raise CommandError(f"the separator {separator!r} is not one character; {', '.join(NAMES)} are known")
    rows = list(csv.reader(lines, delimiter=separator, quotechar=quote, escapechar=escape))
    later = [cell for row in rows for cell in row[1:] if cell]
    blanks = separator != " " and bool(later) and all(cell[0] == " " for cell in later)
    decimal = reading.decimal or _decimal(rows[1:], separator)
    if decimal == separator:
        raise CommandError(f"{decimal!r} cannot separate columns and be the decimal sign; give --separator")
    return Dialect(separator, quote, escape, decimal, blanks)


def _decimal(rows: list[list[str]], separator: str) -> str:
    """Return the decimal sign: the comma, if more cells are numbers with a comma than with a point."""
    cells = [cell.strip() for row in rows for cell in row]
    commas = [cell for cell in cells if re.fullmatch(r"[+-]?\d*,\d+", cell)]
    points = sum(re.fullmatch(r"[+-]?\d*\.\d+", cell) is not None for cell in cells)
    grouped = sum(re.fullmatch(r"[+-]?[1-9]\d{0,2},\d{3}", cell) is not None for cell in commas)
    return "," if len(commas) > points and grouped < len(commas) else "."


def read_delimited(
    data: bytes,
    name: str,
    reading: Reading,
    is_tab: bool = False,
    text: Collection[str] = (),
    numeric: Collection[str] = (),
) -> tuple[pd.DataFrame, Dialect, str, list[str]]:
    """Read delimited text.

    Parameters
    ----------
    data : bytes
    name : str
        Of the file, for messages.
    reading : Reading
    is_tab : bool, default=False
    text, numeric : collection of str
        Columns that are text, or numbers, whatever they look like.

    Returns
    -------
    frame : pandas.DataFrame
        Columns of numbers, and of text.
    dialect : Dialect
    encoding : str
    notes : list of str
        Columns that look like numbers and have stayed text.

    Raises
    ------
    CommandError
        If rows have more cells than there are names, a name is there twice, or the text cannot be decoded.

    Notes
    -----
    A column in which a number starts with a zero that is no number's (007), or has more digits than a
    float keeps, stays text: it is a code.
    """
    utf8, encoding = decoded(data, name, reading.encoding)
    sample = utf8[:SAMPLE_BYTES]
    if len(utf8) > SAMPLE_BYTES:
        sample = sample[: sample.rfind(b"\n") + 1] or sample
    dialect = detect(sample.decode("utf-8", "ignore"), reading, is_tab, name)
    text_of = _Text(utf8, dialect, reading, name)
    frame = text_of.frame([column for column in text_of.names if column in text])
    free = [column for column in text_of.names if column not in text and column not in numeric]
    truths = [column for column in free if _has_truths(frame[column])]
    checked = [c for c in free if c not in truths and _may_be_code(frame[c], text_of.has_zeros)]
    written = text_of.columns([*truths, *checked])
    notes = []
    for column in truths:
        frame[column] = written[column]
    for column in checked:
        why = _code(written[column], frame[column])
        if why is not None:
            frame[column] = written[column]
            notes.append(f"column {column!r} is text, as {why}; --numeric {column!r} makes it numbers")
    return frame, dialect, encoding, notes


class _Text:
    """A text that pandas reads, as a whole or some columns as they are written."""

    def __init__(self, utf8: bytes, dialect: Dialect, reading: Reading, name: str):
        self.utf8, self.dialect, self.name = utf8, dialect, name
        self.settings: dict[str, Any] = {
            "sep": r"\s+" if dialect.separator == " " else dialect.separator,
            "quotechar": dialect.quote,
            "escapechar": dialect.escape,
            "skipinitialspace": dialect.blanks,
            "encoding": "utf-8",
            "encoding_errors": "surrogatepass",
            "keep_default_na": False,
            "index_col": False,
        }
        self.names = self._names(reading.no_header)
        self.settings |= {
            "names": self.names,
            "header": None if reading.no_header else 0,
            "na_values": [*(("",) if reading.no_default_missing else MISSING), *(reading.missing or ())],
        }
        self.numbers: dict[str, Any] = {"decimal": dialect.decimal, "thousands": reading.thousands}
        if tuple(int(part) for part in pd.__version__.split(".")[:2]) < (3, 1):
            self.numbers["float_precision"] = "round_trip"  # since pandas 3.1 the default

    @cached_property
    def has_zeros(self) -> bool:
        """Whether any cell may start with a zero that is no number's."""
        before = rb"(?:^|[\s\"'" + re.escape(self.dialect.separator.encode()) + rb"])"
        return re.search(before + rb"[+-]?0[0-9]", self.utf8, re.MULTILINE) is not None

    def _names(self, no_header: bool) -> list[str]:
        first = self._read(nrows=1, header=None, dtype=str, na_values=[]).iloc[0].tolist()
        if no_header:
            return [f"x{place}" for place in range(len(first))]
        names = [f"Unnamed: {place}" if cell in ("", None) else cell for place, cell in enumerate(first)]
        for column in names:
            if names.count(column) > 1:
                raise CommandError(
                    f"{self.name} has two columns named {column!r}; rename one of them, or give --no-header "
                    "if its first line is a row"
                )
        return names

    def frame(self, as_text: list[str]) -> pd.DataFrame:
        """Return all columns: numbers where all cells are, text elsewhere."""
        return self._read(dtype=dict.fromkeys(as_text, str), low_memory=False, **self.numbers)

    def columns(self, names: list[str]) -> pd.DataFrame:
        """Return some columns as they are written."""
        if not names:
            return pd.DataFrame()
        return self._read(usecols=names, dtype=str, index_col=None)

    def _read(self, **settings: Any) -> pd.DataFrame:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            try:
                return pd.read_csv(io.BytesIO(self.utf8), **{**self.settings, **settings})
            except pd.errors.ParserWarning:
                raise CommandError(
                    f"{self.name}: the rows have more cells than the first line has names; name all columns, "
                    "or give --no-header or another --separator"
                ) from None
            except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
                said = str(error).removeprefix("Error tokenizing data. C error: ").strip()
                raise CommandError(f"{self.name}: {said}; perhaps another --separator is right") from None


def _may_be_code(values: pd.Series, has_zeros: bool) -> bool:
    """Return whether numbers may be codes, for which the text has to be looked at."""
    if values.dtype == object:
        return True  # whole numbers that no integer type of numpy holds
    return is_number(values) and (has_zeros or bool((values.abs() >= EXACT).any()))


def _has_truths(values: pd.Series) -> bool:
    if values.dtype == object:
        return any(isinstance(value, bool | np.bool_) for value in values)
    return values.dtype == bool


def _code(texts: pd.Series, values: pd.Series) -> str | None:
    """Return why a column is one of codes, None if it is not."""
    known = texts[texts.notna()]
    zeros = known.str.match(r"\s*[+-]?0\d")
    if zeros.any():
        return f"{known[zeros].iloc[0].strip()!r} starts with a zero"
    if values.dtype == object or (values.abs() >= EXACT).any():
        whole = known[known.str.fullmatch(r"\s*[+-]?\d{16,}\s*")]
        for text in whole[[abs(int(text)) > EXACT for text in whole]].head(1):
            return f"{text.strip()!r} has more digits than a number keeps"
    return None
