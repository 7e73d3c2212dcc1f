"""A single value as text, truth value, number or missing; with the standard library alone."""

from __future__ import annotations

import numbers
from decimal import Decimal
from typing import Any

from foldse.model.literals import Value

__all__ = ["canonical", "too_large", "unusable"]


def canonical(name: str, value: Any) -> Value:
    """Return a value as text, truth value, number or None.

    Parameters
    ----------
    name : str
        Of the column, for the error.
    value : object

    Returns
    -------
    str, bool, int, float or None
        None for a missing value; a number as int where it is whole, so that 1, 1.0 and np.int8(1) are
        one.

    Raises
    ------
    TypeError, ValueError
        If the value is none of these, or a number larger than any 64-bit float.
    """
    if isinstance(value, str):
        return str(value)
    kind = type(value).__name__  # of numpy's and pandas' types, which may be none of this machine's
    if value is None or kind in ("NAType", "NaTType"):
        return None
    if kind in ("datetime64", "timedelta64") and value != value:
        return None
    if isinstance(value, bool) or kind in ("bool", "bool_"):
        return bool(value)
    if isinstance(value, numbers.Real | Decimal):
        try:
            real = float(value)
        except OverflowError:
            raise too_large(name) from None
        if real != real:
            return None
        if isinstance(value, numbers.Integral):
            return int(value)
        return int(real) if real.is_integer() else real
    raise unusable(name, f"a value of type {kind}")


def too_large(name: str) -> ValueError:
    """Return the error for a whole number that no float holds."""
    return ValueError(
        f"column {name!r} has a whole number larger than any 64-bit float; convert the column to text"
    )


DURATIONS = ("timedelta", "duration")
TIMES = ("date", "time", "period")


def unusable(name: str, what: str) -> Exception:
    """Return the error for values that are neither numbers nor categories."""
    message = f"column {name!r} has {what}, which is neither number nor category; "
    kind = what.lower()
    if "complex" in kind:
        remedy = "Complex data not supported: give its real and its imaginary part as two columns"
        return ValueError(message + remedy)  # the type that scikit-learn's contract asks for
    if any(word in kind for word in DURATIONS):
        return TypeError(message + f"convert it to a number first, such as X[{name!r}].dt.total_seconds()")
    if any(word in kind for word in TIMES):
        return TypeError(
            message + "convert it to a number first, for example the days since a day, "
            f"(X[{name!r}] - pd.Timestamp('2000-01-01')).dt.days, or to its year, month and weekday"
        )
    if "interval" in kind:
        return TypeError(message + f"convert it to text first: X[{name!r}].astype(str)")
    if "bytes" in kind:
        return TypeError(message + f"convert it to text first: X[{name!r}].str.decode('utf-8')")
    return TypeError(message + "the argument must be a string or a number: convert it first")
