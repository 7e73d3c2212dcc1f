"""``foldse show``: print a model."""

from __future__ import annotations

from typing import Annotated

import typer

from foldse.cli.options import Model
from foldse.cli.output import as_json_text, emit

__all__ = ["show"]


def show(
    model: Model,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rules as JSON.")] = False,
    rules_only: Annotated[
        bool,
        typer.Option("--rules-only", help="Print the rules alone, complete: to be edited, see foldse edit."),
    ] = False,
) -> None:
    """Print the rules of a model, with the coverage and precision of each on its training rows.

    \b
    Examples:
      foldse show model.json
      foldse show model.json --rules-only > rules.pl
    """  # noqa: D301
    from foldse.cli.errors import CommandError, UsageError
    from foldse.cli.fitted import read_model
    from foldse.cli.report import model_as_dict, model_as_text, program_text

    if as_json and rules_only:
        raise UsageError("--json and --rules-only are two forms; choose one")
    clf = read_model(model)
    if rules_only:
        if not hasattr(clf, "rules_"):
            raise CommandError(f"{model} is a tree, and has no rules; foldse show prints it")
        emit(program_text(clf.rules_), data=True)
    elif as_json:
        emit(as_json_text(model_as_dict(clf)), data=True)
    else:
        emit(model_as_text(clf))
