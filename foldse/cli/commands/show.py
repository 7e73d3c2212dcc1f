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
) -> None:
    """Print the rules of a model, with the coverage and precision of each on its training rows.

    \b
    Example:
      foldse show model.json
    """  # noqa: D301
    from foldse.cli.fitted import read_model
    from foldse.cli.report import model_as_dict, model_as_text

    clf = read_model(model)
    if as_json:
        emit(as_json_text(model_as_dict(clf)), data=True)
    else:
        emit(model_as_text(clf))
