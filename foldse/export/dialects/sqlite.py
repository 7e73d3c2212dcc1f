"""SQL for SQLite."""

from __future__ import annotations

import math

from foldse.export.dialects.base import NUMBERS, CheckingDialect, Kind, joined
from foldse.reading.conversion import BOOL, TEXT

__all__ = ["SQLite"]


class SQLite(CheckingDialect):
    """SQLite: every value has a type of its own; NaN is NULL, and truth values are 0 and 1."""

    title = "SQLite"
    infinity = "9e999"

    def differs(self, cell: str, operand: str) -> str:
        return f"{cell} IS NOT {operand}"

    def quoted(self, text: str) -> str:
        return joined(text, "char(0)")

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

    def refused(self, kind: Kind, column: str, message: str) -> str:
        # SQLite can raise an error of its own in triggers only. This one is "integer overflow".
        return f"abs(-9223372036854775807 - ({column} IS NOT NULL)) /* {message.replace('*/', '* /')} */"

    def confused(self, kinds: set[Kind], numerals: bool) -> str | None:
        if Kind.TRUTH in kinds and kinds & NUMBERS:
            return "in SQLite truth values are the numbers 0 and 1"
        return None
