"""A literal, the six comparisons, and how a literal reads.

The comparisons follow the mixed-type table of the FOLD-SE paper: a number and a category are never
equal, and neither ``<=`` nor ``>`` holds between them, so that their negations do.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

__all__ = [
    "Category",
    "Literal",
    "Op",
    "Value",
    "category_key",
    "exact_text",
    "is_cut",
    "is_number",
    "printable",
    "quote",
]

Category: TypeAlias = str | bool | int | float | None
"""A category: text, a truth value, a number in a categorical column, or None for a missing value."""

Value: TypeAlias = Category
"""What one cell of a table holds."""


class Op(StrEnum):
    """The six comparisons, in the order in which ties are broken (thresholds first, then categories)."""

    LE = "<="
    NOT_LE = "not<="
    GT = ">"
    NOT_GT = "not>"
    EQ = "="
    NE = "!="

    @property
    def negation(self) -> Op:
        """The comparison that holds exactly where this one does not."""
        return _NEGATION[self]

    @property
    def is_threshold(self) -> bool:
        """Whether the comparison is with a number's size; otherwise it is with a category."""
        return self not in (Op.EQ, Op.NE)

    @property
    def is_negated(self) -> bool:
        """Whether the comparison negates a plain one, and so holds where values cannot be compared."""
        return self in (Op.NE, Op.NOT_LE, Op.NOT_GT)


_NEGATION = {
    Op.LE: Op.NOT_LE,
    Op.NOT_LE: Op.LE,
    Op.GT: Op.NOT_GT,
    Op.NOT_GT: Op.GT,
    Op.EQ: Op.NE,
    Op.NE: Op.EQ,
}


def is_number(value: object) -> bool:
    """Whether a value is a number; a truth value is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def category_key(category: Category) -> tuple[str, Category]:
    """Return what tells categories apart, which to Python may be equal: 1, True and '1' are three."""
    return "number" if is_number(category) else type(category).__name__, category


def _same(value: Value, category: Category) -> bool:
    if is_number(value) and is_number(category):
        return value == category  # 1 and 1.0 are one number
    return type(value) is type(category) and value == category  # but True is not 1


_PLAIN: dict[Op, Callable[[Value, Value], bool]] = {
    Op.LE: lambda value, bound: is_number(value) and value <= bound,  # type: ignore[operator]
    Op.GT: lambda value, bound: is_number(value) and value > bound,  # type: ignore[operator]
    Op.EQ: _same,
}


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A comparison of one feature with one value.

    Attributes
    ----------
    feature : str
        Name of the feature.
    op : Op
        The comparison.
    value : float, str, bool, int or None
        The threshold of ``<=``, ``>`` and their negations: a finite float. The category of ``=`` and
        ``!=``; None stands for a missing value, which is a category of its own.
    """

    feature: str
    op: Op
    value: Value

    def __post_init__(self) -> None:
        if self.op.is_threshold and not (is_number(self.value) and math.isfinite(self.value)):  # type: ignore[arg-type]
            raise ValueError(
                f"the threshold of {self.feature!r} {self.op} must be a finite number, got {self.value!r}"
            )

    def __setstate__(self, state: list[Any]) -> None:
        """Restore a copy; skops gives the comparison back as plain text."""
        for name, value in zip(("feature", "op", "value"), (state[0], Op(state[1]), state[2]), strict=True):
            object.__setattr__(self, name, value)

    def _key(self) -> tuple[str, Op, tuple[str, Value]]:
        return self.feature, self.op, category_key(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Literal) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def holds(self, value: Value, by_size: bool | None = None) -> bool:
        """Whether one value satisfies the literal.

        Parameters
        ----------
        value : float, int, str, bool or None
            What the feature holds; None is a missing value.
        by_size : bool, optional
            Whether the value is a number that is compared by size, and so equal to no category, or a
            category, which may be a number, too. By default the comparison decides.

        Returns
        -------
        bool

        Examples
        --------
        >>> Literal("age", Op.NOT_LE, 30.0).holds("unknown")
        True
        """
        if self.op.is_negated:
            return not self.negated().holds(value, by_size)
        if by_size is self.op.is_threshold or by_size is None:
            return _PLAIN[self.op](value, self.value)
        return False

    def negated(self) -> Literal:
        """Return the literal that holds exactly where this one does not."""
        return Literal(self.feature, self.op.negation, self.value)

    def __str__(self) -> str:
        return f"{printable(self.feature)} {self.op} {self.value_text}"

    @property
    def threshold(self) -> float:
        """The value of a comparison by size."""
        assert is_number(self.value)
        return float(self.value)  # type: ignore[arg-type]

    @property
    def value_text(self) -> str:
        """The threshold or the category as rules print it."""
        return number_text(self.threshold) if self.op.is_threshold else category_text(self.value)


# What would move the cursor, break a line or turn the direction of writing: it is escaped where it is shown.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_SHORT_ESCAPES = {"\n": r"\n", "\t": r"\t", "\r": r"\r"}


def printable(text: str) -> str:
    r"""Return text with control characters escaped as in Prolog, ``\x1b\``, for a terminal to show."""
    return _CONTROL.sub(lambda c: _SHORT_ESCAPES.get(c[0], f"\\x{ord(c[0]):x}\\"), text)


def quote(text: str, mark: str = "'") -> str:
    """Write text as a quoted Prolog atom; quotes, backslashes and control characters are escaped."""
    escaped = text.replace("\\", "\\\\").replace(mark, f"\\{mark}")
    return f"{mark}{printable(escaped)}{mark}"


def number_text(value: float) -> str:
    """Write a number so that it reads back as the same float: 6849.0, 0.027, 1.0e+16."""
    text = repr(float(value))
    if "e" in text and "." not in text:
        text = text.replace("e", ".0e")  # logic languages want a point in a float
    return text


LONGEST_SHOWN = 120  # characters of a category; of a longer one the start and the end are shown
SHOWN_START, SHOWN_END = 60, 20


def shortened(text: str) -> str:
    """Cut text that is too long to be shown, and say how much was cut; what is saved or exported is whole."""
    if len(text) <= LONGEST_SHOWN:
        return text
    n_cut = len(text) - SHOWN_START - SHOWN_END
    return f"{text[:SHOWN_START]}...[{n_cut} characters]...{text[-SHOWN_END:]}"


_CUT = re.compile(rf"(?s).{{{SHOWN_START}}}\.\.\.\[[0-9]+ characters\]\.\.\..{{{SHOWN_END}}}")


def is_cut(text: str) -> bool:
    """Return whether text looks as `shortened` leaves it."""
    return _CUT.fullmatch(text) is not None


def exact_text(value: Category) -> str:
    """Write a category so that it can be no other: ``1``, ``true``, ``"text"``, ``?``; text is never cut."""
    if isinstance(value, str):
        return quote(value, '"')
    if is_number(value):
        return str(value).replace("inf", "1e999")  # a numeral that no float holds
    return "?" if value is None else str(value).lower()


def category_text(value: Category) -> str:
    """Write a category as the paper does, quoted; a missing value is an unquoted question mark.

    For people: long text is cut, see `shortened`.
    """
    return "?" if value is None else quote(shortened(str(value)))
