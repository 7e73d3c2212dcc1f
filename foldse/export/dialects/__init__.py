"""What differs between databases, one module each."""

from foldse.export.dialects.base import NUMBERS, Dialect, Kind
from foldse.export.dialects.duckdb import DuckDB
from foldse.export.dialects.mariadb import MariaDB
from foldse.export.dialects.postgresql import PostgreSQL
from foldse.export.dialects.sqlite import SQLite
from foldse.export.dialects.warehouses import BigQuery, Snowflake

__all__ = ["DIALECTS", "NUMBERS", "Dialect", "Kind"]

DIALECTS: dict[str, Dialect] = {
    "bigquery": BigQuery(),
    "duckdb": DuckDB(),
    "mariadb": MariaDB(),
    "mysql": MariaDB(),
    "postgresql": PostgreSQL(),
    "snowflake": Snowflake(),
    "sqlite": SQLite(),
}
