"""SQL for DuckDB."""

from __future__ import annotations

from foldse.export.dialects.base import CheckingDialect, Kind, joined
from foldse.reading.conversion import BOOL, TEXT

__all__ = ["DuckDB"]


class DuckDB(CheckingDialect):
    """DuckDB: every column has one type; NaN is the largest number and equal to itself."""

    title = "DuckDB"
    infinity = "CAST('inf' AS DOUBLE)"
    number_types = (
        *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE", "DECIMAL"),
        *("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"),
    )
    # What Python, and so the library, reads as a number, as far as ASCII goes.
    numeral = r"^\s*([+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|inf|infinity))\s*$"

    # A number in another notation, as `foldse.reading.conversion` has it.
    notation = r"[^\p{L}\p{N}_]*\p{Nd}[\p{Nd}.,'\s\p{Z}]*[^\p{L}\p{N}_]*"

    def quoted(self, text: str) -> str:
        return joined(text, "chr(0)")

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

    def refused(self, kind: Kind, column: str, message: str) -> str:
        message += " when the model was learned, and now holds "
        return f"error({self.text(message)} || CAST({column} AS VARCHAR))"

    def confused(self, kinds: set[Kind], numerals: bool) -> str | None:
        several = len({Kind.CODE if kind is Kind.LONG_CODE else kind for kind in kinds}) > 1
        if several and not (numerals and kinds == {Kind.SIZE, Kind.TEXT}):
            return "a column of DuckDB holds values of one type"
        return None
