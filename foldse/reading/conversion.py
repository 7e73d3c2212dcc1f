"""Later values as the training table had them: what a feature held is part of the model."""

from __future__ import annotations

import re
from collections.abc import Iterable

from foldse.model.literals import Category, Value, is_number

__all__ = [
    "BOOL",
    "CODE",
    "NUMBER",
    "OBJECT_NUMBERS",
    "TEXT",
    "TYPES",
    "as_number",
    "check_notation",
    "converted",
    "is_word",
    "single_type",
    "types_of",
]

NUMBER, CODE, BOOL, TEXT = TYPES = ("number", "code", "bool", "text")
"""What a feature may hold: numbers compared by size, numbers as categories, truth values, text."""

OBJECT_NUMBERS = "number+object"
"""What a feature held whose column was of objects and had numbers only: words may come later."""

WORDS = {
    NUMBER: "numbers",
    CODE: "numbers as categories",
    BOOL: "truth values",
    TEXT: "text",
    OBJECT_NUMBERS: "numbers",
}


# A sign or currency, digits in groups, a decimal point or comma, a unit that is not a letter.
_NOTATION = re.compile(r"\W*\d[\d.,'\s]*\W*")


def types_of(has_numbers: bool, categories: Iterable[Category]) -> str:
    """Return what a feature holds, missing values aside: some of `TYPES`, joined by ``+``."""
    kinds = {type(category) for category in categories}
    found = {NUMBER: has_numbers, CODE: bool(kinds & {int, float}), BOOL: bool in kinds, TEXT: str in kinds}
    return "+".join(name for name in TYPES if found[name])


def as_number(text: str) -> float | None:
    """Return the number that a text is, in ASCII digits; None if it is none, as ``nan`` is."""
    try:
        number = float(text) if text.isascii() and "_" not in text else float("nan")
    except ValueError:
        return None
    return None if number != number else number + 0.0


def single_type(types: str) -> str | None:
    """Return the type that later values of a feature are converted to; None if it held several or none."""
    if types == OBJECT_NUMBERS:
        return NUMBER
    return types if types in TYPES else None


def _is_notation(text: str) -> bool:
    """Return whether a text is a number in another notation, such as ``'1,000'``, ``'$10.00'``, ``'3%'``."""
    return as_number(text) is None and _NOTATION.fullmatch(text) is not None


def is_word(text: str) -> bool:
    """Return whether a text is neither a number, in any notation, nor true or false."""
    is_truth = text.lower() in ("true", "false")
    return not is_truth and as_number(text) is None and not _is_notation(text)


def check_notation(name: str, categories: Iterable[Category]) -> None:
    """Refuse the categories of a column that should hold numbers if they are numbers in another notation.

    Words may well stand in such a column, and nothing else.
    """
    found = [c for c in categories if isinstance(c, str) and _is_notation(c)]
    if found:
        raise ValueError(
            f"column {name!r} is named in numeric_features and holds no number, but {found[0]!r}; "
            "convert it to numbers or leave it out of numeric_features"
        )


def converted(name: str, value: Value, learned: str) -> Value:
    """Return a value as a feature of one type held it when the model was learned.

    Parameters
    ----------
    name : str
        Of the column, for the error.
    value : str, bool, int, float or None
    learned : str
        One of `TYPES`.

    Returns
    -------
    str, bool, int, float or None
        Only conversions that lose nothing and need no guess: text that is a number becomes one, true and
        false in any case become truth values, and these and the numbers 1 and 0 become each other. A number
        never becomes text, as 7 may have been ``'7'``, ``'7.0'`` or ``'007'``.

    Raises
    ------
    ValueError
        If the value cannot be converted.
    """
    if value is None:
        return None
    if learned == TEXT and isinstance(value, str):
        return value
    if learned in (NUMBER, CODE):
        number = as_number(value) if isinstance(value, str) else float(value)
        if learned == NUMBER and number is not None:
            return number
        if learned == CODE and is_number(value):
            return value
        if learned == CODE and number is not None:
            return int(number) if number.is_integer() else number
    if learned == BOOL:
        if isinstance(value, str) and value.lower() in ("true", "false"):
            return value.lower() == "true"
        if not isinstance(value, str) and value in (0, 1):
            return bool(value)
    remedy = "convert the column to what it was"
    if learned == NUMBER:
        remedy = "give a number or a missing value, or learn with the column in numeric_features"
    raise ValueError(
        f"column {name!r} held {WORDS[learned]} when the model was learned, and now holds {value!r}; {remedy}"
    )
