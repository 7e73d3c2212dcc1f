"""The command line app with its commands, and how a command takes a group of options."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Annotated, Any, get_type_hints

import typer

import foldse
from foldse.cli.commands import (
    compare,
    edit,
    evaluate,
    explain,
    export,
    fit,
    predict,
    show,
)
from foldse.cli.errors import reported, set_debug
from foldse.cli.messages import set_quiet

__all__ = ["app", "command"]

EPILOG = """\b
Exit codes: 0 done; 1 the data or the model cannot be used; 2 wrong usage.
foldse COMMAND --help lists all options, with examples.
foldse --install-completion enables completion in your shell.
"""

app = typer.Typer(
    name="foldse",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EPILOG,
)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"foldse {foldse.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="On an error, show where it comes from.")] = False,
) -> None:
    """Learn a handful of readable rules from a data file, and use them.

    Results go to standard output, everything else to standard error.

    \b
    Examples:
      foldse fit people.csv --target income --positive "<=50K" -o model.json
      foldse predict model.json new.csv -o labels.csv
      foldse explain model.json new.csv --row 12
      foldse compare people.csv --target income
    """  # noqa: D301
    set_debug(debug)


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


command(app, fit.fit)
command(app, show.show)
command(app, edit.edit)
command(app, predict.predict)
command(app, explain.explain)
command(app, evaluate.evaluate)
command(app, export.export)
command(app, compare.compare)
