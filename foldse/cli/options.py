"""Options that several commands have in common, as groups, and the way to give a command such a group."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from typing import Annotated, Any, get_type_hints

import typer

from foldse.cli.errors import reported, set_debug
from foldse.cli.files.source import Format
from foldse.cli.messages import set_quiet
from foldse.heuristics import SCORES

__all__ = ["Data", "Learner", "Learning", "Model", "Reading", "Settings", "command"]


class Learner(StrEnum):
    """What learns."""

    FOLDSE = "foldse"
    FOLDRPP = "foldrpp"
    TREE = "tree"


Heuristic = StrEnum("Heuristic", {name.upper(): name for name in SCORES})  # type: ignore[misc]


Data = Annotated[str, typer.Argument(metavar="DATA", help="File of rows to read; - for standard input.")]
Model = Annotated[str, typer.Argument(metavar="MODEL", help="Model file that fit has written.")]

READING = "Reading the data"
LEARNING = "Learning"


def _option(*names: str, group: str, help: str, metavar: str | None = None) -> Any:
    return typer.Option(*names, help=help, metavar=metavar, rich_help_panel=group)


@dataclass(frozen=True, slots=True)
class Reading:
    """How a file is read; None where that is to be found out."""

    format: Annotated[
        Format | None, _option("--input-format", group=READING, help="Kind of file. [default: by its name]")
    ] = None
    encoding: Annotated[
        str | None,
        _option("--encoding", metavar="NAME", group=READING, help="Encoding of text. [default: detected]"),
    ] = None
    separator: Annotated[
        str | None,
        _option(
            "--separator",
            metavar="CHAR",
            group=READING,
            help="What separates columns: a character, or tab, comma, semicolon, pipe, space. "
            "[default: detected]",
        ),
    ] = None
    decimal: Annotated[
        str | None,
        _option("--decimal", metavar="CHAR", group=READING, help="Decimal sign. [default: detected]"),
    ] = None
    thousands: Annotated[
        str | None,
        _option("--thousands", metavar="CHAR", group=READING, help="Sign between groups of digits."),
    ] = None
    sheet: Annotated[
        str | None,
        _option(
            "--sheet",
            metavar="NAME",
            group=READING,
            help="Sheet of a workbook, or its place from 0. [default: 0]",
        ),
    ] = None
    missing: Annotated[
        list[str] | None,
        _option(
            "--missing", metavar="TEXT", group=READING, help="Text that stands for no value. Repeatable."
        ),
    ] = None
    no_default_missing: Annotated[
        bool,
        _option("--no-default-missing", group=READING, help="Only empty cells and --missing are no value."),
    ] = False
    no_header: Annotated[
        bool,
        _option("--no-header", group=READING, help="The first line is data; columns are x0, x1, ..."),
    ] = False


@dataclass(frozen=True, slots=True)
class Learning:
    """What is learned, and from which columns."""

    target: Annotated[
        str,
        typer.Option(
            "--target",
            "-t",
            metavar="COLUMN",
            help="Column to be predicted: its name, or its place from 0 (-1 is the last).",
        ),
    ]
    positive: Annotated[
        str | None,
        typer.Option(
            "--positive",
            "-p",
            metavar="LABEL",
            help="Of two labels, the one that rules are learned for. [default: the more frequent]",
        ),
    ] = None
    numeric: Annotated[
        list[str] | None,
        _option(
            "--numeric",
            metavar="COLUMN",
            group=LEARNING,
            help="Read this column as numbers where it can be. Repeatable.",
        ),
    ] = None
    categorical: Annotated[
        list[str] | None,
        _option(
            "--categorical", metavar="COLUMN", group=LEARNING, help="Read this column as text. Repeatable."
        ),
    ] = None
    drop: Annotated[
        list[str] | None,
        _option("--drop", metavar="COLUMN", group=LEARNING, help="Leave this column out. Repeatable."),
    ] = None
    weight: Annotated[
        str | None,
        _option("--weight", metavar="COLUMN", group=LEARNING, help="Column with the weight of each row."),
    ] = None
    skip_unlabelled: Annotated[
        bool,
        _option("--skip-unlabelled", group=LEARNING, help="Leave out rows that have no label."),
    ] = False
    seed: Annotated[
        int, _option("--seed", group=LEARNING, help="Decides which rows are held out, and the folds.")
    ] = 0


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a learner; None for its default."""

    ratio: Annotated[
        float | None,
        _option(
            "--ratio",
            group=LEARNING,
            help="A rule is specialised until it covers at most this many negatives for each positive. "
            "[default: 0.5]",
        ),
    ] = None
    tail: Annotated[
        str | None,
        _option(
            "--tail",
            metavar="SHARE|ROWS",
            group=LEARNING,
            help="Rules that cover fewer rows are dropped: a share below 1, or a count. FOLD-SE only. "
            "[default: 0.005]",
        ),
    ] = None
    heuristic: Annotated[
        Heuristic | None,
        _option(
            "--heuristic",
            group=LEARNING,
            help="How conditions are scored. [default: that of the learner's paper]",
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
        bool,
        typer.Option("--quiet", "-q", help="Say nothing but results and errors.", callback=_quiet),
    ] = False
    debug: Annotated[
        bool,
        typer.Option(
            "--debug",
            help="On an error, show where it comes from.",
            is_eager=True,
            callback=_debug,
        ),
    ] = False


def command(app: typer.Typer, name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a function a command of an app.

    Parameters
    ----------
    app : typer.Typer
    name : str

    Returns
    -------
    callable
        A decorator. A parameter of the function whose type is a dataclass of options stands for all options
        of that class; every command has those of `Common`, too. Errors are told as `reported` does.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(function, include_extras=True)
        bundles: dict[str, type] = {"": Common}
        parameters = []
        for parameter in inspect.signature(function).parameters.values():
            kind = hints[parameter.name]
            if isinstance(kind, type) and is_dataclass(kind):
                bundles[parameter.name] = kind
            else:
                parameters.append(_keyword(parameter.name, parameter.default, kind))
        for bundle in sorted(bundles.values(), key=(Learning, Settings, Reading, Common).index):
            kinds = get_type_hints(bundle, include_extras=True)
            parameters += [_keyword(f.name, _default(f.default), kinds[f.name]) for f in fields(bundle)]

        @functools.wraps(function)
        def run(**given: Any) -> None:
            groups = {
                parameter: bundle(**{f.name: given.pop(f.name) for f in fields(bundle)})
                for parameter, bundle in bundles.items()
            }
            groups.pop("")
            function(**given, **groups)

        del run.__wrapped__  # else the function's own parameters would be read
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        final = reported(run)
        final.__signature__ = run.__signature__  # type: ignore[attr-defined]
        app.command(name)(final)
        return function

    return decorate


def _default(value: Any) -> Any:
    return inspect.Parameter.empty if value is dataclasses.MISSING else value


def _keyword(name: str, default: Any, annotation: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
