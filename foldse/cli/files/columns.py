"""Columns as files hold them, made numbers or text: one meaning whatever the kind of file."""

from __future__ import annotations

import datetime
import decimal as decimals
import numbers
import re
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pandas as pd

from foldse.cli.errors import CommandError
from foldse.cli.files.numerals import Numerals, code_among, note_on_text

__all__ = ["TEXT", "as_spelled", "from_text", "is_number", "normalised", "to_numbers", "to_text", "to_truths"]

TEXT = pd.Series([""]).dtype  # str, or object before pandas 3


def is_number(values: pd.Series) -> bool:
    """Return whether a column is of numbers, truth values aside."""
    return pd.api.types.is_numeric_dtype(values.dtype) and not pd.api.types.is_bool_dtype(values.dtype)


def from_text(values: pd.Series, numerals: Numerals) -> tuple[pd.Series, str | None]:
    """Return a column of a text file as numbers if all its values are numbers and none is a code.

    Parameters
    ----------
    values : pandas.Series of text
    numerals : Numerals

    Returns
    -------
    values : pandas.Series of int64, float64 or text
    note : str or None
        What it looks like, if it was kept as text but looks like something else.

    Notes
    -----
    A number that starts with a zero that belongs to no number (007), or has more digits than a float keeps,
    is a code.
    """
    codes, distinct = pd.factorize(values)
    texts = distinct.tolist()
    read = [numerals.number(text) for text in texts]
    if any(number is None for number in read):
        return to_text(values), note_on_text(str(values.name), texts, numerals)
    if why := code_among(texts, read):
        name = values.name
        return values, f"column {name!r} is text, as {why}; --numeric {name!r} makes it numbers"
    return _numeric(codes, read, values), None


def _numeric(codes: np.ndarray, distinct: Sequence[Any], values: pd.Series) -> pd.Series:
    is_whole = all(isinstance(number, int) and abs(number) < 2**63 for number in distinct)
    if is_whole and len(distinct) and (codes >= 0).all():
        read: np.ndarray = np.array(distinct, dtype=np.int64)[codes]
    else:
        read = np.array([*map(float, distinct), np.nan])[codes]
    return pd.Series(read, values.index, name=values.name)


def normalised(values: pd.Series) -> pd.Series:
    """Return a column of a file with types as numbers if all its values are numbers, else as text.

    Parameters
    ----------
    values : pandas.Series
        Of any dtype that a reader returns. Truth values, categories and dates become text.

    Returns
    -------
    pandas.Series

    Raises
    ------
    CommandError
        If a value is none of these, such as a list.
    """
    if is_number(values):
        if isinstance(values.dtype, np.dtype):
            if values.dtype.kind == "c":
                raise CommandError(f"column {values.name!r} has complex numbers; leave it out: --drop")
            return values
        if values.isna().any() or not pd.api.types.is_integer_dtype(values.dtype):
            return pd.Series(values.to_numpy(np.float64, na_value=np.nan), values.index, name=values.name)
        return pd.Series(values.to_numpy(np.int64), values.index, name=values.name)
    if values.dtype == object:
        known = values[values.notna()].tolist()
        if known and all(_is_real(value) for value in known):
            reals = pd.Series([np.nan if pd.isna(v) else float(v) for v in values], name=values.name)
            is_whole = all(isinstance(value, numbers.Integral) for value in known)
            return reals.astype(np.int64) if is_whole and len(known) == len(values) else reals
    return to_text(values)


def _is_real(value: Any) -> bool:
    return isinstance(value, numbers.Real | decimals.Decimal) and not isinstance(value, bool | np.bool_)


def to_text(values: pd.Series) -> pd.Series:
    """Return a column as text: a whole number without a point (2.0 is 2), a date as year-month-day."""
    if values.dtype != object:
        codes, distinct = pd.factorize(values)
        texts = np.array([*map(_text, distinct.tolist()), None], dtype=object)
        return pd.Series(texts[codes], values.index, dtype=TEXT, name=values.name)
    known: dict[tuple[type, Any], str] = {}  # by type, too: 1 and True are equal
    cells = []
    for cell, is_missing in zip(values.tolist(), values.isna().tolist(), strict=True):
        if isinstance(cell, list | dict | set | np.ndarray):
            raise CommandError(
                f"column {values.name!r} has a value of type {type(cell).__name__}; leave it out: "
                f"--drop {values.name!r}"
            )
        if not is_missing and (type(cell), cell) not in known:
            known[type(cell), cell] = _text(cell)
        cells.append(None if is_missing else known[type(cell), cell])
    return pd.Series(cells, values.index, dtype=TEXT, name=values.name)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value.partition(".")[0] if re.fullmatch(r"[+-]?(?:0|[1-9][0-9]*)\.0+", value) else value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    if isinstance(value, numbers.Real | decimals.Decimal) and not isinstance(value, bool | np.bool_):
        if isinstance(value, numbers.Integral):
            return str(int(value))
        real = float(value)
        return str(int(real)) if real.is_integer() else repr(real)
    return str(value)


def to_numbers(values: pd.Series, numerals: Numerals) -> tuple[pd.Series, list[str]]:
    """Return a column as numbers where its values are numbers, and the different texts that are not."""
    if is_number(values):
        return normalised(values), []
    codes, distinct = pd.factorize(to_text(values))
    read = [numerals.number(text) for text in distinct]
    others = [text for text, number in zip(distinct, read, strict=True) if number is None]
    if not others:
        return _numeric(codes, read, values), []
    mixed = [text if number is None else float(number) for text, number in zip(distinct, read, strict=True)]
    cells = np.array([*mixed, np.nan], dtype=object)[codes]
    return pd.Series(cells, values.index, dtype=object, name=values.name), others


def as_spelled(values: pd.Series, known: Collection[str]) -> pd.Series:
    """Return text with true and false spelled as in `known`, if that has nothing else."""
    spelled = {text.lower(): text for text in known}
    if not spelled or len(spelled) < len(set(known)) or not spelled.keys() <= {"true", "false"}:
        return values
    return values.map(lambda text: spelled.get(text.lower(), text), na_action="ignore")


def to_truths(values: pd.Series) -> pd.Series:
    """Return a column with the texts true and false, in any case, as truth values; others stay."""
    truths = {"true": True, "false": False}
    texts = to_text(values).astype(object)
    return texts.map(lambda text: truths.get(text.lower(), text), na_action="ignore")
