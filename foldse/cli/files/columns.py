"""Columns as files hold them, made numbers or text: one meaning whatever the kind of file."""

from __future__ import annotations

import datetime
import decimal as decimals
import numbers
from typing import Any

import numpy as np
import pandas as pd

from foldse.cli.errors import CommandError

__all__ = ["is_number", "normalised", "numerals", "to_numbers", "to_text", "to_truths"]


def is_number(values: pd.Series) -> bool:
    """Return whether a column is of numbers, truth values aside."""
    return pd.api.types.is_numeric_dtype(values.dtype) and not pd.api.types.is_bool_dtype(values.dtype)


def normalised(values: pd.Series) -> pd.Series:
    """Return a column as numbers if all of its values are numbers, and as text otherwise.

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
            return values
        if values.isna().any() or not pd.api.types.is_integer_dtype(values.dtype):
            return pd.Series(values.to_numpy(np.float64, na_value=np.nan), values.index, name=values.name)
        return pd.Series(values.to_numpy(np.int64), values.index, name=values.name)
    if isinstance(values.dtype, pd.StringDtype):
        return values
    if values.dtype == object:
        known = values[values.notna()].tolist()
        if known and all(_is_real(value) for value in known):
            reals = pd.Series([np.nan if pd.isna(v) else float(v) for v in values], name=values.name)
            is_whole = all(isinstance(value, numbers.Integral) for value in known)
            return reals.astype(np.int64) if is_whole and len(known) == len(values) else reals
        if all(isinstance(value, str) for value in known):
            return values
    elif pd.api.types.is_complex_dtype(values.dtype):
        raise CommandError(f"column {values.name!r} has complex numbers; leave it out: --drop")
    return to_text(values)


def _is_real(value: Any) -> bool:
    return isinstance(value, numbers.Real | decimals.Decimal) and not isinstance(value, bool | np.bool_)


def to_text(values: pd.Series) -> pd.Series:
    """Return a column as text: a whole number without a point, a date as year-month-day."""
    if isinstance(values.dtype, pd.StringDtype):
        return values
    texts = {}
    missing = values.isna().to_numpy()
    cells = values.tolist()
    result: list[str | None] = []
    for cell, is_missing in zip(cells, missing, strict=True):
        if is_missing:
            result.append(None)
            continue
        key = (type(cell), cell) if not isinstance(cell, list | dict | np.ndarray) else None
        if key is None:
            raise CommandError(
                f"column {values.name!r} has a value of type {type(cell).__name__}; leave it out: --drop"
            )
        if key not in texts:
            texts[key] = _text(cell)
        result.append(texts[key])
    return pd.Series(result, index=values.index, name=values.name)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    if isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_):
        if isinstance(value, numbers.Integral):
            return str(int(value))
        real = float(value)
        return str(int(real)) if real.is_integer() else repr(real)
    return str(value)


def numerals(values: pd.Series, decimal: str = ".", thousands: str | None = None) -> pd.Series:
    """Return text as float64, NaN where it is no number."""
    texts = values.astype(object)
    if thousands:
        texts = texts.map(lambda text: text.replace(thousands, "") if isinstance(text, str) else text)
    if decimal != ".":
        texts = texts.map(lambda text: _with_point(text, decimal) if isinstance(text, str) else text)
    return pd.to_numeric(texts, errors="coerce").astype(np.float64)


def _with_point(text: str, decimal: str) -> str | None:
    return None if "." in text else text.replace(decimal, ".")


def to_numbers(values: pd.Series, decimal: str = ".", thousands: str | None = None) -> pd.Series:
    """Return a column as numbers where its values are numbers; others stay text."""
    if is_number(values):
        return normalised(values)
    values = to_text(values)
    read = numerals(values, decimal, thousands)
    other = read.isna() & values.notna()
    if not other.any():
        return read
    mixed = read.astype(object)
    mixed[other] = values.astype(object)[other]
    return mixed


def to_truths(values: pd.Series) -> pd.Series:
    """Return a column with the texts true and false, in any case, as truth values; others stay."""
    truths = {"true": True, "false": False}
    texts = to_text(values).astype(object)
    return texts.map(lambda text: truths.get(text.lower(), text) if isinstance(text, str) else text)
