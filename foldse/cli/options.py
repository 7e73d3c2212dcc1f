"""Options that several commands share, in groups, and how a command takes such a group."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from typing import Annotated, Any, get_type_hints

import typer

from foldse.cli.errors import reported, set_debug
from foldse.cli.messages import set_quiet
from foldse.heuristics import SCORES

__all__ = ["Data", "Format", "Learner", "Learning", "Model", "Reading", "Settings", "command"]


class Format(StrEnum):
    """How a table is written."""

    CSV = "csv"
    TSV = "tsv"
    PARQUET = "parquet"
    ARFF = "arff"
    EXCEL = "excel"


class Learner(StrEnum):
    """The algorithm that learns."""

    FOLDSE = "foldse"
    FOLDRPP = "foldrpp"
    TREE = "tree"


Heuristic = StrEnum("Heuristic", {name.upper(): name for name in SCORES})  # type: ignore[misc]


Data = Annotated[str, typer.Argument(metavar="DATA", help="Data file; - for standard input.")]
Model = Annotated[str, typer.Argument(metavar="MODEL", help="Model file written by fit.")]

READING = "Reading the data"
LEARNING = "Learning"


def _option(
    *names: str,
    group: str,
    help: str,
    metavar: str | None = None,
    min: int | None = None,
    max: int | None = None,
) -> Any:
    return typer.Option(*names, help=help, metavar=metavar, rich_help_panel=group, min=min, max=max)


@dataclass(frozen=True, slots=True)
class Reading:
    """How a file is read; None where that is detected."""

    format: Annotated[
        Format | None, _option("--input-format", group=READING, help="Kind of file. [default: from its name]")
    ] = None
    encoding: Annotated[
        str | None,
        _option("--encoding", metavar="NAME", group=READING, help="Text encoding. [default: detected]"),
    ] = None
    separator: Annotated[
        str | None,
        _option(
            "--separator",
            metavar="CHAR",
            group=READING,
            help="Column separator: a character, or tab, comma, semicolon, pipe, space, or none for a "
            "single column. [default: detected]",
        ),
    ] = None
    decimal: Annotated[
        str | None,
        _option("--decimal", metavar="CHAR", group=READING, help="Decimal sign. [default: detected]"),
    ] = None
    thousands: Annotated[
        str | None,
        _option(
            "--thousands", metavar="CHAR", group=READING, help="Thousands separator, such as , or a blank."
        ),
    ] = None
    strip: Annotated[
        list[str] | None,
        _option(
            "--strip",
            metavar="TEXT",
            group=READING,
            help="Text to remove from numbers, such as $ or %. Repeatable.",
        ),
    ] = None
    quote: Annotated[
        str | None,
        _option(
            "--quote",
            metavar="CHAR",
            group=READING,
            help="Quote character, or none if quotes are part of the text. [default: detected]",
        ),
    ] = None
    skip_lines: Annotated[
        int | None,
        _option(
            "--skip-lines",
            metavar="LINES",
            group=READING,
            help="Lines to skip before the names: a title or comments.",
            min=0,
        ),
    ] = None
    sheet: Annotated[
        str | None,
        _option(
            "--sheet",
            metavar="NAME",
            group=READING,
            help="Sheet of a workbook: its name, or its position from 0. [default: 0]",
        ),
    ] = None
    missing: Annotated[
        list[str] | None,
        _option(
            "--missing", metavar="TEXT", group=READING, help="Text that marks a missing value. Repeatable."
        ),
    ] = None
    no_default_missing: Annotated[
        bool,
        _option(
            "--no-default-missing", group=READING, help="Only empty cells and --missing are missing values."
        ),
    ] = False
    no_header: Annotated[
        bool,
        _option("--no-header", group=READING, help="The first line is data; columns are named x0, x1, ..."),
    ] = False


@dataclass(frozen=True, slots=True)
class Learning:
    """The target, the columns to learn from, and the seed."""

    target: Annotated[
        str,
        typer.Option(
            "--target",
            "-t",
            metavar="COLUMN",
            help="Column to predict: its name, or its position from 0 (-1 is the last).",
        ),
    ]
    positive: Annotated[
        str | None,
        typer.Option(
            "--positive",
            "-p",
            metavar="LABEL",
            help="Positive class (binary only), for which rules are learned. [default: the more frequent]",
        ),
    ] = None
    numeric: Annotated[
        list[str] | None,
        _option(
            "--numeric",
            metavar="COLUMN",
            group=LEARNING,
            help="Read this column as numbers; other values stay categories. Repeatable.",
        ),
    ] = None
    categorical: Annotated[
        list[str] | None,
        _option(
            "--categorical",
            metavar="COLUMN",
            group=LEARNING,
            help="Read this column as categories. Repeatable.",
        ),
    ] = None
    drop: Annotated[
        list[str] | None,
        _option("--drop", metavar="COLUMN", group=LEARNING, help="Ignore this column. Repeatable."),
    ] = None
    weight: Annotated[
        str | None,
        _option("--weight", metavar="COLUMN", group=LEARNING, help="Column of row weights."),
    ] = None
    skip_unlabelled: Annotated[
        bool,
        _option("--skip-unlabelled", group=LEARNING, help="Ignore rows without a label."),
    ] = False
    seed: Annotated[
        int,
        _option(
            "--seed",
            group=LEARNING,
            help="Seed of the hold-out split and of the folds.",
            min=0,
            max=2**32 - 1,
        ),
    ] = 0


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a learner; None for its default."""

    ratio: Annotated[
        float | None,
        _option(
            "--ratio",
            group=LEARNING,
            help="A rule is specialized until it covers at most this many negatives per positive. "
            "[default: 0.5]",
        ),
    ] = None
    tail: Annotated[
        str | None,
        _option(
            "--tail",
            metavar="SHARE|ROWS",
            group=LEARNING,
            help="Drop rules that cover fewer rows: a share below 1, or a count. FOLD-SE only. "
            "[default: 0.005]",
        ),
    ] = None
    heuristic: Annotated[
        Heuristic | None,
        _option(
            "--heuristic",
            group=LEARNING,
            help="Score of candidate conditions. [default: the one of the learner's paper]",
        ),
    ] = None


def _quiet(value: bool) -> bool:
    set_quiet(value)
    return value


def _debug(value: bool) -> bool:
    if value:  # it may have been given before the command's name
        set_debug(True)
    return value


@dataclass(frozen=True, slots=True)
class Common:
    """What every command takes."""

    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print results and errors only.", callback=_quiet)
    ] = False
    debug: Annotated[
        bool,
        typer.Option(
            "--debug", help="On an error, show where it comes from.", is_eager=True, callback=_debug
        ),
    ] = False


def command(app: typer.Typer, function: Callable[..., None]) -> None:
    """Add a function to an app as the command of its name.

    Parameters
    ----------
    app : typer.Typer
    function : callable
        A parameter whose type is a dataclass of options stands for all its options. Every command has
        those of `Common`, too. Errors are reported as `reported` does.
    """
    hints = get_type_hints(function, include_extras=True)
    groups = {name: kind for name, kind in hints.items() if isinstance(kind, type) and is_dataclass(kind)}
    own = inspect.signature(function).parameters.values()
    parameters = [
        _keyword(parameter.name, parameter.default, hints[parameter.name])
        for parameter in own
        if parameter.name not in groups
    ]
    for group in (*groups.values(), Common):
        kinds = get_type_hints(group, include_extras=True)
        parameters += [
            _keyword(f.name, inspect.Parameter.empty if f.default is MISSING else f.default, kinds[f.name])
            for f in fields(group)
        ]

    @reported
    def run(**given: Any) -> None:
        filled = {
            name: group(**{f.name: given[f.name] for f in fields(group)}) for name, group in groups.items()
        }
        function(**{p.name: given[p.name] for p in own if p.name not in groups}, **filled)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__doc__ = function.__doc__
    app.command(function.__name__)(run)


def _keyword(name: str, default: Any, annotation: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
