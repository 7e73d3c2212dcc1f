"""SQL for MariaDB and MySQL."""

from __future__ import annotations

from foldse.export.dialects.base import NUMBERS, CheckingDialect, Kind
from foldse.reading.conversion import BOOL, TEXT

__all__ = ["MariaDB"]


class MariaDB(CheckingDialect):
    r"""MariaDB 10.5 and MySQL 8.0 or later: every column has one type, which no expression can ask for.

    Notes
    -----
    Truth values are the numbers 0 and 1; there is no NaN and no infinity. Text is compared byte by byte,
    since collations take ``'A'`` for ``'a'`` and ``'a '`` for ``'a'``. Text that has a backslash, which is an
    escape in some settings, or is not ASCII, which depends on the connection, is written in hexadecimal
    digits.
    """

    title = "MariaDB"
    infinity = "1.7976931348623157e308"
    mark = "`"
    blank = "[[:space:]]*"
    numeral = "([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?"
    infinite = "([iI][nN][fF]|[iI][nN][fF][iI][nN][iI][tT][yY])"
    notation = "^[^[:alnum:]_]*[0-9][0-9.,''[:space:]]*[^[:alnum:]_]*$"

    def differs(self, cell: str, operand: str) -> str:
        return f"NOT ({cell} <=> {operand})"

    def quoted(self, text: str) -> str:
        if text.isascii() and text.isprintable() and "\\" not in text:
            return "'" + text.replace("'", "''") + "'"
        return f"CONVERT(X'{text.encode().hex()}' USING utf8mb4)"

    def real(self, value: float) -> str:
        text = repr(value)
        return text if "e" in text else text + "e0"  # without an exponent it would be a decimal

    def truth(self, value: bool) -> str:
        return "TRUE" if value else "FALSE"

    def integer(self, value: int) -> str | None:
        return str(value) if abs(value) < 10**65 else None

    def _text(self, column: str) -> str:
        return f"CONVERT({column} USING utf8mb4)"

    def _matches(self, column: str, pattern: str) -> str:
        return f"{self._text(column)} REGEXP '^{self.blank}[+-]?{pattern}{self.blank}$'"

    def _numbers(self, column: str) -> list[tuple[str, str]]:
        """Return when a value is a number, and which."""
        minus = f"{self._text(column)} LIKE '%-%'"
        infinite = f"CASE WHEN {minus} THEN -{self.infinity} ELSE {self.infinity} END"
        return [
            (self._matches(column, self.numeral), f"{column} + 0e0"),
            (self._matches(column, self.infinite), infinite),
        ]

    def read(self, kind: Kind, column: str, numerals: bool) -> str:
        if kind is Kind.MISSING:
            return f"{column} IS NULL"
        text = f"CAST({self._text(column)} AS BINARY)"
        numbers = self._numbers(column)
        if kind is Kind.TEXT:
            if not numerals:
                return text
            is_number = " OR ".join(case for case, _ in numbers)
            return f"CASE WHEN NOT ({is_number}) THEN {text} END"
        if kind is Kind.TRUTH:
            return column
        if kind is Kind.LONG_CODE:
            return f"CAST({column} AS DECIMAL(65, 0))"
        return "CASE " + " ".join(f"WHEN {case} THEN {number}" for case, number in numbers) + " END"

    def cases(self, kind: Kind, column: str, learned: str) -> list[tuple[str, str]]:
        text = self._text(column)
        if learned == TEXT:
            return [("TRUE", f"CAST({text} AS BINARY)")]
        numbers = self._numbers(column)
        if learned == BOOL:
            is_word = f"lower({text}) IN ('true', 'false')"
            is_bit = f"{numbers[0][0]} AND {numbers[0][1]} IN (0, 1)"
            return [(is_word, f"lower({text}) = 'true'"), (is_bit, f"{numbers[0][1]} = 1")]
        if kind is Kind.LONG_CODE:
            return [(numbers[0][0], f"CAST({column} AS DECIMAL(65, 0))")]
        return numbers

    def is_word(self, column: str) -> str:
        text = self._text(column)
        is_number = " OR ".join(case for case, _ in self._numbers(column))
        return f"NOT ({is_number} OR {text} REGEXP '{self.notation}' OR lower({text}) IN ('true', 'false'))"

    def refused(self, kind: Kind, column: str, message: str) -> str:
        # An expression cannot raise an error of its own. This one is "Subquery returns more than 1 row".
        return f"(SELECT {column} UNION ALL SELECT {column}) /* {message.replace('*/', '* /')} */"

    def confused(self, kinds: set[Kind], numerals: bool) -> str | None:
        if Kind.TRUTH in kinds and kinds & NUMBERS:
            return f"in {self.title} truth values are the numbers 0 and 1"
        several = len({Kind.CODE if kind is Kind.LONG_CODE else kind for kind in kinds}) > 1
        if several and not (numerals and kinds == {Kind.SIZE, Kind.TEXT}):
            return f"a column of {self.title} holds values of one type"
        return None
