"""What differs between databases: how they write values, and how they tell what kind a value is."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from enum import StrEnum
from typing import Any

from foldse.model.literals import is_number
from foldse.reading.conversion import BOOL, OBJECT_NUMBERS, TEXT, WORDS

__all__ = ["DIALECTS", "Dialect", "Kind", "identifier"]


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


def identifier(name: str) -> str:
    """Quote the name of a table or column."""
    if not name or "\0" in name:
        raise ValueError(f"a table or column cannot be named {name!r} in SQL; rename it")
    return '"' + name.replace('"', '""') + '"'


class Dialect(ABC):
    """One database's SQL.

    Attributes
    ----------
    nul : str
        How the NUL character is written.
    distinct : str
        The comparison that NULL satisfies.
    infinity : str
    """

    nul: str
    distinct: str
    infinity: str

    def text(self, text: str) -> str:
        """Write text."""
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{text[:40]!r} is not valid Unicode, which SQL needs; clean the text") from None
        parts = ["'" + part.replace("'", "''") + "'" for part in text.split("\0")]
        return parts[0] if len(parts) == 1 else "(" + f" || {self.nul} || ".join(parts) + ")"

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

    def read_learned(self, kind: Kind, column: str, feature: str, learned: str) -> str:
        """Write the expression that reads a column of one type, see `foldse.reading.conversion.converted`.

        Where the library refuses a value the query ends in an error.
        """
        missing = self.read(Kind.MISSING, column, numerals=False)
        if kind is Kind.MISSING:
            return missing
        cases = [f"CASE WHEN {missing} THEN NULL"]
        cases += [f"WHEN {case} THEN {value}" for case, value in self.cases(kind, column, learned)]
        if learned == OBJECT_NUMBERS:
            cases.append(f"WHEN {self.is_word(column)} THEN NULL")
        refused = self.refused(column, f"column {feature!r} held {WORDS[learned]}")
        return "\n      ".join([*cases, f"ELSE {refused}", "END"])

    @abstractmethod
    def cases(self, kind: Kind, column: str, learned: str) -> list[tuple[str, str]]:
        """Return when a column can be read as one type, and how."""

    @abstractmethod
    def is_word(self, column: str) -> str:
        """Write when text is neither a number, in any notation, nor true or false."""

    @abstractmethod
    def refused(self, column: str, message: str) -> str:
        """Write an expression that ends the query in an error."""

    @abstractmethod
    def confused(self, kinds: set[Kind], numerals: bool) -> str | None:
        """Say why values of several kinds in one column could not be told apart, if so."""


class DuckDB(Dialect):
    """DuckDB: every column has one type; NaN is the largest number and equal to itself."""

    nul = "chr(0)"
    distinct = "IS DISTINCT FROM"
    infinity = "CAST('inf' AS DOUBLE)"
    number_types = (
        *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE", "DECIMAL"),
        *("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"),
    )
    # What Python, and so the library, reads as a number, as far as ASCII goes.
    numeral = r"^\s*([+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|inf|infinity))\s*$"

    # A number in another notation, as `foldse.reading.conversion` has it.
    notation = r"[^\p{L}\p{N}_]*\p{Nd}[\p{Nd}.,'\s\p{Z}]*[^\p{L}\p{N}_]*"

    def real(self, value: float) -> str:
        text = repr(value)
        return text if "e" in text else text + "e0"  # without an exponent it would be a decimal

    def truth(self, value: bool) -> str:
        return "TRUE" if value else "FALSE"

    def integer(self, value: int) -> str | None:
        return str(value) if abs(value) < 2**127 else None

    def read(self, kind: Kind, column: str, numerals: bool) -> str:
        type_name = f"split_part(typeof({column}), '(', 1)"
        is_text = f"{type_name} IN ('VARCHAR', 'ENUM')"
        is_number = f"{type_name} NOT IN ('VARCHAR', 'ENUM', 'BOOLEAN')"
        text = f"CAST({column} AS VARCHAR)"
        number = f"nullif(TRY_CAST({column} AS DOUBLE), 'nan')"
        numeral = f"regexp_extract({text}, '{self.numeral}', 1, 'i')"
        if kind is Kind.MISSING:
            return f"({column} IS NULL OR ({type_name} IN ('FLOAT', 'DOUBLE') AND {text} = 'nan'))"
        if kind is Kind.TEXT:
            is_proper = f"{is_text} AND {numeral} = ''" if numerals else is_text
            return f"CASE WHEN {is_proper} THEN {text} END"
        if kind is Kind.TRUTH:
            return f"CASE WHEN {type_name} = 'BOOLEAN' THEN TRY_CAST({column} AS BOOLEAN) END"
        if kind is Kind.LONG_CODE:
            return f"CASE WHEN {is_number} THEN TRY_CAST({column} AS HUGEINT) END"
        from_text = f"WHEN {is_text} THEN TRY_CAST({numeral} AS DOUBLE) " if numerals else ""
        return f"CASE {from_text}WHEN {is_number} THEN {number} END"

    def cases(self, kind: Kind, column: str, learned: str) -> list[tuple[str, str]]:
        type_name = f"split_part(typeof({column}), '(', 1)"
        text = f"CAST({column} AS VARCHAR)"
        is_text, is_truth = f"{type_name} IN ('VARCHAR', 'ENUM')", f"{type_name} = 'BOOLEAN'"
        if learned == TEXT:
            return [(is_text, text)]
        is_number = f"{type_name} IN ({', '.join(map(self.text, self.number_types))})"
        truth, number = f"TRY_CAST({text} AS BOOLEAN)", f"TRY_CAST({column} AS DOUBLE)"
        if learned == BOOL:
            return [
                (is_truth, truth),
                (f"{is_text} AND lower({text}) IN ('true', 'false')", truth),
                (f"{is_number} AND {number} IN (0, 1)", f"{number} = 1"),
            ]
        target = "HUGEINT" if kind is Kind.LONG_CODE else "DOUBLE"
        numeral = f"regexp_extract({text}, '{self.numeral}', 1, 'i')"
        return [
            (is_number, f"TRY_CAST({column} AS {target})"),
            (is_truth, f"CAST({truth} AS {target})"),
            (f"{is_text} AND {numeral} <> ''", f"TRY_CAST({numeral} AS {target})"),
        ]

    def is_word(self, column: str) -> str:
        is_text = f"split_part(typeof({column}), '(', 1) IN ('VARCHAR', 'ENUM')"
        text = f"CAST({column} AS VARCHAR)"
        is_notation = f"regexp_full_match({text}, {self.text(self.notation)})"
        return f"{is_text} AND NOT ({is_notation} OR lower({text}) IN ('true', 'false'))"

    def refused(self, column: str, message: str) -> str:
        message += " when the model was learned, and now holds "
        return f"error({self.text(message)} || CAST({column} AS VARCHAR))"

    def confused(self, kinds: set[Kind], numerals: bool) -> str | None:
        several = len({Kind.CODE if kind is Kind.LONG_CODE else kind for kind in kinds}) > 1
        if several and not (numerals and kinds == {Kind.SIZE, Kind.TEXT}):
            return "a column of DuckDB holds values of one type"
        return None


class SQLite(Dialect):
    """SQLite: every value has a type of its own; NaN is NULL, and truth values are 0 and 1."""

    nul = "char(0)"
    distinct = "IS NOT"
    infinity = "9e999"

    def real(self, value: float) -> str:
        """Write a float; SQLite reads some decimals a bit too small or large, but calculates exactly."""
        if (value * 4).is_integer() and abs(value) < 1e13:
            return repr(value)
        mantissa, exponent = math.frexp(value)
        whole, exponent = int(mantissa * 2**53), exponent - 53
        while whole % 2 == 0:
            whole, exponent = whole // 2, exponent + 1
        sign = "/" if exponent < 0 else "*"
        powers = [62] * (abs(exponent) // 62) + [abs(exponent) % 62]
        factors = "".join(f" {sign} {2**power}" for power in powers if power)
        return f"(CAST({whole} AS REAL){factors} /* {value!r} */)"

    def truth(self, value: bool) -> str:
        return "1" if value else "0"

    def integer(self, value: int) -> str | None:
        if -(2**63) <= value < 2**63:
            return str(value)
        try:
            return self.real(float(value)) if int(float(value)) == value else None
        except OverflowError:
            return None

    def read(self, kind: Kind, column: str, numerals: bool) -> str:
        if kind is Kind.MISSING:
            return f"{column} IS NULL"
        if kind is Kind.TEXT:
            return f"CASE WHEN typeof({column}) = 'text' THEN {column} END"
        value = f"CAST({column} AS REAL)" if kind is Kind.SIZE else column
        return f"CASE WHEN typeof({column}) IN ('integer', 'real') THEN {value} END"

    def cases(self, kind: Kind, column: str, learned: str) -> list[tuple[str, str]]:
        if learned == TEXT:
            return [(f"typeof({column}) = 'text'", column)]
        value = f"CAST({column} AS REAL)" if kind is Kind.SIZE else column
        range_ = f" AND {column} IN (0, 1)" if learned == BOOL else ""
        return [(f"typeof({column}) IN ('integer', 'real'){range_}", value)]

    def is_word(self, column: str) -> str:
        # Without regular expressions: text with a digit is refused, which the library may take.
        numbers = f"{column} GLOB '*[0-9]*' OR lower({column}) LIKE '%inf%'"
        return f"typeof({column}) = 'text' AND NOT ({numbers} OR lower({column}) IN ('true', 'false'))"

    def refused(self, column: str, message: str) -> str:
        # SQLite can raise an error of its own in triggers only. This one is "integer overflow".
        return f"abs(-9223372036854775807 - ({column} IS NOT NULL)) /* {message.replace('*/', '* /')} */"

    def confused(self, kinds: set[Kind], numerals: bool) -> str | None:
        if Kind.TRUTH in kinds and kinds & NUMBERS:
            return "in SQLite truth values are the numbers 0 and 1"
        return None


DIALECTS: dict[str, Dialect] = {"duckdb": DuckDB(), "sqlite": SQLite()}
