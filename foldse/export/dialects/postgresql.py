"""SQL for PostgreSQL."""

from __future__ import annotations

from typing import Any

from foldse.export.dialects.base import CheckingDialect, Kind, joined
from foldse.reading.conversion import BOOL, TEXT

__all__ = ["PostgreSQL"]


class PostgreSQL(CheckingDialect):
    """PostgreSQL 12 or later: every column has one type; NaN is the largest number and equal to itself.

    Notes
    -----
    Expressions are typed before a row is read, whichever branch is taken: values are read by way of their
    text, which every type has, and which PostgreSQL writes and reads exactly.
    """

    title = "PostgreSQL"
    infinity = "CAST('Infinity' AS DOUBLE PRECISION)"
    numeral = r"^\s*[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|inf|infinity)\s*$"
    notation = r"^[^[:alnum:]_]*[0-9][0-9.,''[:space:]]*[^[:alnum:]_]*$"
    texts = "('text', 'character varying', 'character', 'name')"
    numbers = "('smallint', 'integer', 'bigint', 'numeric', 'real', 'double precision')"

    def quoted(self, text: str) -> str:
        written = joined(text, "")
        return "E" + written.replace("\\", "\\\\") if "\\" in text else written  # whatever the settings

    def value(self, value: Any) -> str | None:
        if isinstance(value, str) and "\0" in value:
            return None  # no text has it
        return super().value(value)

    def real(self, value: float) -> str:
        if (value * 4).is_integer() and abs(value) < 1e13:
            return repr(value)
        return f"CAST('{value!r}' AS DOUBLE PRECISION)"

    def truth(self, value: bool) -> str:
        return "TRUE" if value else "FALSE"

    def integer(self, value: int) -> str | None:
        return str(value)

    def _is(self, types: str, column: str) -> str:
        return f"CAST(pg_typeof({column}) AS TEXT) IN {types}"

    def _text(self, column: str) -> str:
        return f'CAST({column} AS TEXT) COLLATE "C"'

    def _double(self, column: str) -> str:
        """Write the number that is in a column of numbers or of text, None for NaN."""
        text = f"CAST({column} AS TEXT)"
        single = f"CAST(CAST({text} AS REAL) AS DOUBLE PRECISION)"
        double = f"CAST(trim(E' \\t\\n\\r\\x0b\\f' FROM {text}) AS DOUBLE PRECISION)"
        is_single = self._is("('real')", column)
        return f"NULLIF(CASE WHEN {is_single} THEN {single} ELSE {double} END, 'NaN')"

    def _is_numeral(self, column: str) -> str:
        return f"CAST({column} AS TEXT) ~* '{self.numeral}'"

    def read(self, kind: Kind, column: str, numerals: bool) -> str:
        is_text, is_number = self._is(self.texts, column), self._is(self.numbers, column)
        if kind is Kind.MISSING:
            is_float = self._is("('real', 'double precision', 'numeric')", column)
            return f"({column} IS NULL OR ({is_float} AND CAST({column} AS TEXT) = 'NaN'))"
        if kind is Kind.TEXT:
            is_proper = f"{is_text} AND NOT {self._is_numeral(column)}" if numerals else is_text
            return f"CASE WHEN {is_proper} THEN {self._text(column)} END"
        if kind is Kind.TRUTH:
            is_truth = self._is("('boolean')", column)
            return f"CASE WHEN {is_truth} THEN CAST(CAST({column} AS TEXT) AS BOOLEAN) END"
        if kind is Kind.LONG_CODE:
            return f"CASE WHEN {is_number} THEN CAST(CAST({column} AS TEXT) AS NUMERIC) END"
        from_text = f"WHEN {is_text} AND {self._is_numeral(column)} THEN {self._double(column)} "
        return f"CASE {from_text if numerals else ''}WHEN {is_number} THEN {self._double(column)} END"

    def cases(self, kind: Kind, column: str, learned: str) -> list[tuple[str, str]]:
        is_text, is_number = self._is(self.texts, column), self._is(self.numbers, column)
        is_truth = self._is("('boolean')", column)
        if learned == TEXT:
            return [(is_text, self._text(column))]
        word = f"lower(CAST({column} AS TEXT))"
        if learned == BOOL:
            return [
                (f"({is_truth} OR {is_text}) AND {word} IN ('true', 'false')", f"{word} = 'true'"),
                (f"{is_number} AND {self._double(column)} IN (0, 1)", f"{self._double(column)} = 1"),
            ]
        number = self._double(column)
        if kind is Kind.LONG_CODE:
            number = f"CAST(CAST({column} AS TEXT) AS NUMERIC)"
        return [
            (is_number, number),
            (is_truth, f"CASE WHEN {word} = 'true' THEN 1 ELSE 0 END"),
            (f"{is_text} AND {self._is_numeral(column)}", number),
        ]

    def is_word(self, column: str) -> str:
        text = f"CAST({column} AS TEXT)"
        is_other = f"{self._is_numeral(column)} OR {text} ~ '{self.notation}'"
        return f"{self._is(self.texts, column)} AND NOT ({is_other} OR lower({text}) IN ('true', 'false'))"

    def refused(self, kind: Kind, column: str, message: str) -> str:
        # An expression cannot raise an error of its own; that of a cast shows the text.
        message += " when the model was learned, and now holds "
        types = {Kind.TEXT: "TEXT", Kind.TRUTH: "BOOLEAN", Kind.LONG_CODE: "NUMERIC"}
        failing = f"CAST({self.text(message)} || CAST({column} AS TEXT) AS INTEGER)"
        return f"CAST({failing} AS {types.get(kind, 'DOUBLE PRECISION')})"

    def confused(self, kinds: set[Kind], numerals: bool) -> str | None:
        several = len({Kind.CODE if kind is Kind.LONG_CODE else kind for kind in kinds}) > 1
        if several and not (numerals and kinds == {Kind.SIZE, Kind.TEXT}):
            return f"a column of {self.title} holds values of one type"
        return None
