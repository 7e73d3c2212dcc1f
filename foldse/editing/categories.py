"""What a category that is written in a program is: text, a number, a truth value or a missing value."""

from __future__ import annotations

import re
from collections.abc import Collection

from foldse.editing.tokens import Token
from foldse.model.literals import Category, category_key, exact_text, is_cut, quote, shortened
from foldse.reading.conversion import BOOL, CODE, OBJECT_NUMBERS, TEXT, as_number, is_word

__all__ = ["as_category"]

_TRUTHS = {"true": True, "false": False}


def as_category(
    value: Token,
    types: str,
    compared: Collection[Category] = (),
    held: Collection[Category] | None = None,
    feature: str = "",
) -> Category:
    """Return the category that a token stands for.

    Parameters
    ----------
    value : Token
    types : str
        What the column held, see `foldse.reading.conversion.types_of`; empty where that is not known.
    compared : collection
        Categories with which the program compares the column already: of what prints the same, one of these
        is meant.
    held : collection, optional
        All categories of the column, if these are known.
    feature : str
        For the errors.

    Returns
    -------
    str, bool, int, float or None

    Raises
    ------
    ValueError
        If it was cut for print and is not among those compared, or may be several values.
    """
    if value.kind == "?":
        return None
    if value.kind == "text":
        return value.value
    if value.kind == "number":
        return _number(value.value)
    if value.kind == "name" and value.value in _TRUTHS and (not types or BOOL in types.split("+")):
        return _TRUTHS[value.value]
    text = value.value
    known = [c for c in compared if c is not None and shortened(str(c)) == text]
    if len(known) == 1:
        return known[0]
    if is_cut(text) and not known:
        raise ValueError(
            f"{quote(text)} was cut for print, and the program has no such category of {feature!r}; write "
            'all of it, or in double quotes, "...", if this is all of it'
        )
    readings = known or _readings(text, types)
    if len(readings) > 1 and held is not None:
        keys = {category_key(category) for category in held}
        readings = [c for c in readings if category_key(c) in keys] or readings[:1]
    if len(readings) > 1:
        forms = " or ".join(shortened(exact_text(c)) for c in readings)
        raise ValueError(f"{quote(text)} may be several categories of {feature!r}; write {forms}")
    return readings[0]


def _readings(text: str, types: str) -> list[Category]:
    """Return what a column of some types may hold that prints as a text; the text itself if nothing."""
    kinds = types.split("+")
    found: list[Category] = []
    number = _number(text)
    # Of several types one prints in one way only: of numbers and text, '007' is text.
    if CODE in kinds and number is not None and (types == CODE or str(number) == text):
        found.append(number)
    if BOOL in kinds and text.lower() in _TRUTHS and (types == BOOL or text in ("True", "False")):
        found.append(_TRUTHS[text.lower()])
    if TEXT in kinds or (types == OBJECT_NUMBERS and is_word(text)):
        found.append(text)
    return found or [text]


def _number(text: str) -> int | float | None:
    """Return the number that a text is, whole ones exactly, as tables are read; None if it is none."""
    if re.fullmatch(r"[+-]?[0-9]{1,400}", text):
        return int(text)
    number = as_number(text)
    return int(number) if number is not None and number.is_integer() else number
