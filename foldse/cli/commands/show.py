"""``foldse show``: print a model, or its rules as a table of figures."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foldse.cli.options import Model, Reading
from foldse.cli.output import as_json_text, emit

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["show"]


class Form(StrEnum):
    """How a table of rules is written."""

    TEXT = "text"
    CSV = "csv"
    JSON = "json"


def show(
    model: Model,
    reading: Reading,
    data: Annotated[
        str | None,
        typer.Option(
            "--data",
            metavar="FILE",
            help="Print a table of the rules, measured on the rows of this file; - for standard input.",
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            "-t",
            metavar="COLUMN",
            help="Column of labels in --data: its name, or its position from 0. [default: the target of fit]",
        ),
    ] = None,
    skip_unlabelled: Annotated[
        bool, typer.Option("--skip-unlabelled", help="Ignore rows of --data without a label.")
    ] = False,
    form: Annotated[
        Form | None,
        typer.Option(
            "--format",
            help="Print a table of the rules: as text, CSV or JSON; without --data of the training rows. "
            "[default: text, with --data]",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rules as JSON.")] = False,
    rules_only: Annotated[
        bool,
        typer.Option("--rules-only", help="Print the rules alone, complete: to be edited, see foldse edit."),
    ] = False,
) -> None:
    """Print the rules of a model, with the coverage and precision of each on its training rows.

    With --data or --format, prints a table with a line for each rule, for each exception and for the default:
    what it covers, precision, recall, lift and confidence. Without a column of labels in --data, only what it
    covers is known.

    \b
    Examples:
      foldse show model.json
      foldse show model.json --rules-only > rules.pl
      foldse show model.json --format csv > rules.csv
      foldse show model.json --data test.csv --target income
    """  # noqa: D301
    from foldse.cli.errors import CommandError, UsageError
    from foldse.cli.fitted import read_model
    from foldse.cli.report import frame_as_dict, frame_as_text, model_as_dict, model_as_text, program_text

    if data is None and (target is not None or skip_unlabelled):
        raise UsageError("--target and --skip-unlabelled need --data")
    is_table = data is not None or form is not None
    if is_table and as_json:
        raise UsageError("--json prints the program; of the table of rules give --format json")
    if rules_only and (is_table or as_json):
        raise UsageError("--rules-only prints the program as text; leave --json, --data and --format out")
    clf = read_model(model)
    if rules_only:
        if not hasattr(clf, "rules_"):
            raise CommandError(f"{model} is a tree, and has no rules; foldse show prints it")
        emit(program_text(clf.rules_), data=True)
        return
    if not is_table:
        emit(as_json_text(model_as_dict(clf)) if as_json else model_as_text(clf), data=as_json)
        return
    if not hasattr(clf, "rules_"):
        raise UsageError("--data and --format are for rules, and this model is a tree")
    X, y = (None, None) if data is None else _measured_on(clf, data, reading, target, skip_unlabelled)
    frame = clf.rules_.to_frame(X, y, default=True)
    if form is Form.CSV:
        emit(frame.to_csv(index=False, lineterminator="\n").removesuffix("\n"), data=True)
    elif form is Form.JSON:
        emit(as_json_text(frame_as_dict(frame)), data=True)
    else:
        emit(frame_as_text(frame))


def _measured_on(
    clf: Any, data: str, reading: Reading, target: str | None, skip_unlabelled: bool
) -> tuple[pd.DataFrame, pd.Series | None]:
    """Return the rows of a file and their labels, if it has any."""
    from foldse.cli import messages
    from foldse.cli.fitted import features_of, label_column, labelled, read_for, target_of

    table = read_for(clf, data, reading, (target_of(clf) if target is None else target,)).frame
    column = label_column(clf, table, target)
    if column is None:
        messages.note(
            f"no column is named like the target {target_of(clf)!r}: only what the rules cover is known"
        )
        return features_of(clf, table), None
    table, y = labelled(clf, table, column, skip_unlabelled)
    return features_of(clf, table), y
