"""What differs between databases: how they write values, and how they tell what kind a value is."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from enum import StrEnum
from typing import Any

from foldse.model.literals import is_number
from foldse.reading.conversion import OBJECT_NUMBERS, WORDS

__all__ = ["NUMBERS", "CheckingDialect", "Dialect", "Kind", "joined"]


class Kind(StrEnum):
    """What a column is read as; where a value is of another kind, that is NULL."""

    SIZE = "size"  # a number to be compared by size
    TEXT = "text"
    TRUTH = "truth"
    CODE = "code"  # a number that is a category
    LONG_CODE = "long code"  # one beyond the integers that a float tells apart
    MISSING = "missing"  # this one is true or false

    @classmethod
    def of(cls, value: Any) -> Kind:
        """Return the kind of a category."""
        if value is None:
            return cls.MISSING
        if isinstance(value, str):
            return cls.TEXT
        if not is_number(value):
            return cls.TRUTH
        return cls.LONG_CODE if isinstance(value, int) and abs(value) >= 2**53 else cls.CODE


NUMBERS = {Kind.SIZE, Kind.CODE, Kind.LONG_CODE}


class Dialect(ABC):
    """One database's SQL.

    Attributes
    ----------
    title : str
    infinity : str
    mark : str
        What names are quoted with.
    """

    title: str
    infinity: str
    mark = '"'

    def identifier(self, name: str) -> str:
        """Quote the name of a table or column."""
        if not name or "\0" in name:
            raise ValueError(f"a table or column cannot be named {name!r} in SQL; rename it")
        return self.mark + name.replace(self.mark, 2 * self.mark) + self.mark

    def differs(self, cell: str, operand: str) -> str:
        """Write that a cell, which may be NULL, is not equal to a value."""
        return f"{cell} IS DISTINCT FROM {operand}"

    def text(self, text: str) -> str:
        """Write text."""
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{text[:40]!r} is not valid Unicode, which SQL needs; clean the text") from None
        return self.quoted(text)

    @abstractmethod
    def quoted(self, text: str) -> str:
        """Write text that is valid Unicode."""

    @abstractmethod
    def real(self, value: float) -> str:
        """Write a finite float so that the database reads the same float."""

    @abstractmethod
    def truth(self, value: bool) -> str:
        """Write a truth value."""

    @abstractmethod
    def integer(self, value: int) -> str | None:
        """Write an integer; None where a column can hold none that is equal."""

    def value(self, value: Any) -> str | None:
        """Write a label, a category or a threshold with its type; None where it cannot be in a column."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, bool):
            return self.truth(value)
        if isinstance(value, int):
            return self.integer(value)
        if math.isinf(value):
            return self.infinity if value > 0 else f"-{self.infinity}"
        return self.real(value)

    @abstractmethod
    def read(self, kind: Kind, column: str, numerals: bool) -> str:
        """Write the expression that reads a column as one kind; `numerals`: text may be a number."""

    @abstractmethod
    def read_learned(self, kind: Kind, column: str, feature: str, learned: str) -> str:
        """Write the expression that reads a column of one type, see `foldse.reading.conversion.converted`."""

    @abstractmethod
    def confused(self, kinds: set[Kind], numerals: bool) -> str | None:
        """Say why values of several kinds in one column could not be told apart, if so."""


def joined(text: str, nul: str) -> str:
    """Write text as the standard does; `nul` is how the NUL character is written."""
    parts = ["'" + part.replace("'", "''") + "'" for part in text.split("\0")]
    return parts[0] if len(parts) == 1 else "(" + f" || {nul} || ".join(parts) + ")"


class CheckingDialect(Dialect):
    """A database that can tell what a value is: what the library refuses ends the query in an error."""

    def read_learned(self, kind: Kind, column: str, feature: str, learned: str) -> str:
        missing = self.read(Kind.MISSING, column, numerals=False)
        if kind is Kind.MISSING:
            return missing
        cases = [f"CASE WHEN {missing} THEN NULL"]
        cases += [f"WHEN {case} THEN {value}" for case, value in self.cases(kind, column, learned)]
        if learned == OBJECT_NUMBERS:
            cases.append(f"WHEN {self.is_word(column)} THEN NULL")
        refused = self.refused(kind, column, f"column {feature!r} held {WORDS[learned]}")
        return "\n      ".join([*cases, f"ELSE {refused}", "END"])

    @abstractmethod
    def cases(self, kind: Kind, column: str, learned: str) -> list[tuple[str, str]]:
        """Return when a column can be read as one type, and how."""

    @abstractmethod
    def is_word(self, column: str) -> str:
        """Write when text is neither a number, in any notation, nor true or false."""

    @abstractmethod
    def refused(self, kind: Kind, column: str, message: str) -> str:
        """Write an expression of the type of a kind that ends the query in an error."""
