"""The command line app with its commands."""

from __future__ import annotations

from typing import Annotated

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
from foldse.cli.errors import set_debug
from foldse.cli.options import command

__all__ = ["app"]

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


command(app, fit.fit)
command(app, show.show)
command(app, edit.edit)
command(app, predict.predict)
command(app, explain.explain)
command(app, evaluate.evaluate)
command(app, export.export)
command(app, compare.compare)
