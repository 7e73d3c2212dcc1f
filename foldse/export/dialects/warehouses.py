"""SQL for BigQuery and Snowflake."""

from __future__ import annotations

from foldse.export.dialects.base import Dialect, Kind
from foldse.reading.conversion import NUMBER, OBJECT_NUMBERS

__all__ = ["BigQuery", "Snowflake"]

_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\x00"}


class Warehouse(Dialect):
    """A database whose columns are cast to what they held; what cannot be cast ends the query in an error.

    Attributes
    ----------
    types : dict of Kind to str
        The type that a column is cast to.
    tries : str
        The cast that gives NULL instead of an error.
    nan : str
        How it is written that a number, ``{0}``, is NaN.
    """

    types: dict[Kind, str]
    tries: str
    nan: str

    def quoted(self, text: str) -> str:
        """Write text; a backslash is an escape."""
        return "'" + "".join(_ESCAPES.get(char, char) for char in text) + "'"

    def real(self, value: float) -> str:
        text = repr(value)
        return text if "e" in text else text + "e0"

    def truth(self, value: bool) -> str:
        return "TRUE" if value else "FALSE"

    def integer(self, value: int) -> str | None:
        return str(value) if abs(value) < 10**29 else None

    def read(self, kind: Kind, column: str, numerals: bool) -> str:
        if kind is Kind.MISSING:
            return f"{column} IS NULL"
        text = f"CAST({column} AS {self.types[Kind.TEXT]})"
        number = f"{self.tries}({text} AS {self.types[Kind.SIZE]})"
        if numerals and kind is Kind.TEXT:
            return f"CASE WHEN {number} IS NULL THEN {text} END"
        value = number if numerals else f"CAST({column} AS {self.types[kind]})"
        if kind in (Kind.SIZE, Kind.CODE):
            return f"CASE WHEN NOT {self.nan.format(value)} THEN {value} END"
        return value

    def read_learned(self, kind: Kind, column: str, feature: str, learned: str) -> str:
        is_number = learned in (NUMBER, OBJECT_NUMBERS)
        if kind is Kind.MISSING and is_number and learned != OBJECT_NUMBERS:
            return f"{self.read(Kind.SIZE, column, numerals=False)} IS NULL"
        return self.read(kind, column, numerals=learned == OBJECT_NUMBERS)

    def confused(self, kinds: set[Kind], numerals: bool) -> str | None:
        several = len({Kind.CODE if kind is Kind.LONG_CODE else kind for kind in kinds}) > 1
        if several and not (numerals and kinds == {Kind.SIZE, Kind.TEXT}):
            return f"a column of {self.title} holds values of one type"
        return None


class BigQuery(Warehouse):
    """BigQuery: NaN is equal to nothing, itself included."""

    title = "BigQuery"
    infinity = "CAST('inf' AS FLOAT64)"
    mark = "`"
    tries = "SAFE_CAST"
    nan = "IS_NAN({0})"
    types = {  # noqa: RUF012
        Kind.SIZE: "FLOAT64",
        Kind.CODE: "FLOAT64",
        Kind.LONG_CODE: "NUMERIC",
        Kind.TEXT: "STRING",
        Kind.TRUTH: "BOOL",
    }

    def identifier(self, name: str) -> str:
        super().identifier(name)
        return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"


class Snowflake(Warehouse):
    """Snowflake: NaN is the largest number and equal to itself."""

    title = "Snowflake"
    infinity = "CAST('inf' AS DOUBLE)"
    tries = "TRY_CAST"
    nan = "EQUAL_NULL({0}, CAST('NaN' AS DOUBLE))"
    types = {  # noqa: RUF012
        Kind.SIZE: "DOUBLE",
        Kind.CODE: "DOUBLE",
        Kind.LONG_CODE: "NUMBER(38, 0)",
        Kind.TEXT: "VARCHAR",
        Kind.TRUTH: "BOOLEAN",
    }
