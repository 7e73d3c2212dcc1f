"""``foldse export``: a model as a program for another engine."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

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
    ENGLISH = "english"
    HTML = "html"


class Database(StrEnum):
    """The dialect of SQL."""

    DUCKDB = "duckdb"
    SQLITE = "sqlite"


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
    """Write the rules of a model as a program for SWI-Prolog, s(CASP), clingo or a database, or in English.

    \b
    Examples:
      foldse export model.json --to prolog -o model.pl
      foldse export model.json --to sql --table people --key id
      foldse export model.json --to english
    """  # noqa: D301
    from foldse.cli.errors import CommandError
    from foldse.cli.fitted import read_model

    clf = read_model(model)
    if not hasattr(clf, "rules_"):
        raise CommandError(f"{model} is a tree, and only rules can be exported; foldse show prints it")
    from foldse.export import to_clingo, to_prolog, to_sql

    if to is Engine.ENGLISH:
        text = clf.describe()
    elif to is Engine.SQL:
        text = to_sql(clf, table.split("."), str(dialect), key)
    elif to is Engine.CLINGO:
        text = to_clingo(clf)
    elif to is Engine.HTML:
        text = (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Rules</title>'
            f"</head><body>{clf.rules_.to_html()}</body></html>"
        )
    else:
        text = to_prolog(clf, "swi" if to is Engine.PROLOG else "scasp")
    text = text.rstrip("\n")
    if output is None:
        emit(text, data=True)
    else:
        write(output, f"{text}\n".encode())
        messages.note(f"wrote {output}")
