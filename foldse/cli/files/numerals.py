"""Numbers as people write them, and texts that look like numbers."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

__all__ = ["Numerals", "code_among", "note_on_groups", "note_on_text"]

BLANKS = " \u00a0\u2009\u202f"
APOSTROPHES = "'\u2019"
EXACT = 2**53  # beyond it a float does not tell whole numbers apart
LONGEST = 300  # digits: more are no measurement, and Python refuses to read thousands of them
DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?")


@dataclass(frozen=True, slots=True)
class Numerals:
    """How numbers are written.

    Attributes
    ----------
    decimal : str
        The decimal sign.
    thousands : str or None
        The sign between groups of three digits; a blank stands for every kind of blank.
    strip : tuple of str
        What is removed from a number, such as ``$`` or ``%``.
    """

    decimal: str = "."
    thousands: str | None = None
    strip: tuple[str, ...] = ()

    def number(self, text: str) -> int | float | None:
        """Return the number that a text is; None if it is not one."""
        text = text.strip(" \t")
        if not text.isascii():
            text = text.replace("\u2212", "-")
        for sign in self.strip:
            text = text.replace(sign, "").strip(BLANKS)
        found = _pattern(self.decimal, self.thousands).fullmatch(text)
        if found is None:
            return None
        sign, whole, rest = found.group("sign", "whole", "rest")
        if whole is not None:
            if not whole.isdigit():
                whole = re.sub(r"\D", "", whole)
            if len(whole) > LONGEST:
                return None
            if not rest:
                return int(sign + whole)
            return float(sign + whole + rest.replace(self.decimal, "."))
        return float(text.replace(self.decimal, "."))


@functools.cache
def _pattern(decimal: str, thousands: str | None) -> re.Pattern[str]:
    point = re.escape(decimal)
    whole = "[0-9]+"
    if thousands:
        alike = next((group for group in (BLANKS, APOSTROPHES) if thousands in group), thousands)
        whole = rf"[0-9]{{1,3}}(?:[{re.escape(alike)}][0-9]{{3}})+|[0-9]+"
    exponent = "(?:[eE][+-]?[0-9]+)?"
    return re.compile(
        rf"(?P<sign>[+-]?)(?P<whole>{whole})(?P<rest>(?:{point}[0-9]*)?{exponent})"
        rf"|[+-]?{point}[0-9]+{exponent}|[+-]?(?i:inf|infinity)"
    )


def code_among(texts: Collection[str], numbers: Collection[int | float | None]) -> str | None:
    """Return why numbers are codes: the text that starts with a zero or is too long; None if none does."""
    for text in texts:
        if re.match(r"\s*[+-]?0[0-9]", text):
            return f"{text.strip()!r} starts with a zero"
    for text, number in zip(texts, numbers, strict=True):
        if isinstance(number, int) and abs(number) > EXACT:
            return f"{text.strip()!r} has more digits than a number keeps"
    return None


def note_on_text(name: str, distinct: Sequence[str], numerals: Numerals) -> str | None:
    """Return a note on a column of text that looks like numbers or dates; None if it does not.

    Parameters
    ----------
    name : str
    distinct : sequence of str
        The different values of the column.
    numerals : Numerals
        How the numbers of the file are written.
    """
    if not distinct:
        return None
    if all(DATE.fullmatch(text) for text in distinct):
        return (
            f"column {name!r} has dates, each of them a category of its own; write numbers, such as the year "
            f"or the age in days, or give --drop {name!r}"
        )
    numbers = [numerals.number(text) for text in distinct]
    others = [text for text, number in zip(distinct, numbers, strict=True) if number is None]
    if not others:
        if code_among(distinct, numbers):
            return None  # codes, which are text
        return f"column {name!r} is text, as its cells are text; --numeric {name!r} makes them numbers"
    ways = [
        options
        for options, other in _other_ways(others, numerals)
        if all(other.number(text) is not None for text in others)
    ]
    if ways:
        fewest = min(map(len, ways))
        shown = " or ".join(" ".join(options) for options in ways if len(options) == fewest)
        return f"column {name!r} is text, as it has {others[0]!r}; {shown} makes such values numbers"
    if 2 * len(others) >= len(distinct):
        return None
    shown = ", ".join(map(repr, others[:3])) + (", ..." if len(others) > 3 else "")
    return (
        f"column {name!r} is text, as it has {shown} beside numbers; --missing {others[0]!r} or "
        f"--numeric {name!r} makes the others numbers"
    )


def note_on_groups(name: str, texts: Iterable[str], decimal: str) -> str | None:
    """Return a note on numbers whose decimal sign may separate thousands: 1.234; None if there are none."""
    group = re.compile(rf"[+-]?[1-9][0-9]{{0,2}}[{re.escape(decimal)}][0-9]{{3}}")
    found = next((text for text in texts if group.fullmatch(text.strip())), None)
    if found is None:
        return None
    other = "," if decimal == "." else "."
    return (
        f"column {name!r}: {found.strip()} is read with three decimals; --decimal {other!r} "
        f"--thousands {decimal!r} if it is a thousand and more"
    )


def _other_ways(texts: Sequence[str], numerals: Numerals) -> Iterator[tuple[list[str], Numerals]]:
    """Yield other ways to write numbers, each with the options that choose it."""
    symbols = {c for text in texts for c in text if c == "%" or unicodedata.category(c) == "Sc"}
    for strip in [(), tuple(sorted(symbols))] if symbols else [()]:
        removed = [f"--strip {sign!r}" for sign in strip]
        for decimal in (numerals.decimal, "," if numerals.decimal == "." else "."):
            other = [] if decimal == numerals.decimal else [f"--decimal {decimal!r}"]
            for thousands in (None, "." if decimal == "," else ",", " ", "'"):
                grouped = [] if thousands is None else [f"--thousands {thousands!r}"]
                way = replace(numerals, decimal=decimal, thousands=thousands or numerals.thousands)
                options = [*other, *grouped, *removed]
                if options and way.thousands != decimal:
                    yield options, replace(way, strip=(*numerals.strip, *strip))
