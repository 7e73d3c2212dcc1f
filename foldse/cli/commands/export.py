"""``foldse export``: a model as a program for another engine."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from foldse.cli import messages
from foldse.cli.options import Model
from foldse.cli.output import emit, write

__all__ = ["export"]


class Engine(StrEnum):
    """The language of an export."""

    PROLOG = "prolog"
    SCASP = "scasp"
    CLINGO = "clingo"
    SQL = "sql"
    C = "c"
    JAVA = "java"
    JAVASCRIPT = "javascript"
    RUST = "rust"
    PMML = "pmml"
    ONNX = "onnx"
    ENGLISH = "english"
    HTML = "html"


class Database(StrEnum):
    """The dialect of SQL."""

    DUCKDB = "duckdb"
    SQLITE = "sqlite"
    POSTGRESQL = "postgresql"
    MARIADB = "mariadb"
    MYSQL = "mysql"
    BIGQUERY = "bigquery"
    SNOWFLAKE = "snowflake"


def export(
    model: Model,
    to: Annotated[
        Engine, typer.Option("--to", help="Language; html is a card with the coverage of each rule.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write to this file. [default: print]"),
    ] = None,
    table: Annotated[
        str,
        typer.Option(
            "--table", metavar="NAME", help="For sql: the table with the rows, perhaps as schema.table."
        ),
    ] = "data",
    dialect: Annotated[Database, typer.Option("--dialect", help="For sql: the database.")] = Database.DUCKDB,
    key: Annotated[
        str | None,
        typer.Option(
            "--key", metavar="COLUMN", help="For sql: a column that identifies rows, selected as well."
        ),
    ] = None,
) -> None:
    """Write the rules of a model as a program: for a logic engine, a database, as source code, or in English.

    \b
    Examples:
      foldse export model.json --to prolog -o model.pl
      foldse export model.json --to sql --table people --key id
      foldse export model.json --to c -o model.c
      foldse export model.json --to english
    """  # noqa: D301
    from foldse.cli.errors import CommandError
    from foldse.cli.fitted import read_model

    clf = read_model(model)
    if not hasattr(clf, "rules_"):
        raise CommandError(f"{model} is a tree, and only rules can be exported; foldse show prints it")
    if to is Engine.ONNX:
        _write_onnx(clf, output)
        return
    from foldse import export as exports

    if to is Engine.ENGLISH:
        text = clf.describe()
    elif to is Engine.SQL:
        text = exports.to_sql(clf, table.split("."), str(dialect), key)
    elif to is Engine.HTML:
        text = (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Rules</title>'
            f"</head><body>{clf.rules_.to_html()}</body></html>"
        )
    elif to is Engine.SCASP:
        text = exports.to_prolog(clf, "scasp")
    elif to is Engine.JAVA and output is not None:
        text = exports.to_java(clf, output.stem)  # a public class is in a file of its name
    else:
        text = getattr(exports, f"to_{to}")(clf)
    text = text.rstrip("\n")
    if output is None:
        emit(text, data=True)
    else:
        write(output, f"{text}\n".encode())
        messages.note(f"wrote {output}")


def _write_onnx(clf: Any, output: Path | None) -> None:
    """Write a model of ONNX, which is no text."""
    from foldse.cli.errors import CommandError
    from foldse.export import to_onnx

    if output is None:
        raise CommandError("a model of ONNX is not text; name its file with --output")
    try:
        model = to_onnx(clf)
    except ImportError as error:
        raise CommandError(str(error)) from None
    write(output, model.SerializeToString())
    messages.note(f"wrote {output}")
