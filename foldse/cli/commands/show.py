"""``foldse show``: print what a model file holds."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from foldse.cli.options import Model

__all__ = ["show"]


def show(
    model: Model,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rules as JSON.")] = False,
) -> None:
    """Print the rules of a model again, with what each covered of the rows that it was learned from.

    \b
    Example:
      foldse show model.json
    """  # noqa: D301
    from foldse.cli.fitted import read_model
    from foldse.cli.report import model_as_dict, model_as_text

    clf = read_model(model)
    typer.echo(
        json.dumps(model_as_dict(clf), indent=2, ensure_ascii=False) if as_json else model_as_text(clf)
    )
