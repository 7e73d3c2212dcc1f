"""``foldse edit``: a model with other rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from foldse.cli.options import Model, Reading
from foldse.cli.output import emit, write

__all__ = ["edit"]


def edit(
    model: Model,
    reading: Reading,
    rules: Annotated[
        str,
        typer.Option(
            "--rules", "-r", metavar="FILE", help="The new rules, all of them; - for standard input."
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Write the new model to this file.")
    ],
    data: Annotated[
        str | None,
        typer.Option(
            "--data", metavar="DATA", help="Labelled rows to count what each rule covers. [default: unknown]"
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
    weight: Annotated[
        str | None, typer.Option("--weight", metavar="COLUMN", help="Column of row weights in --data.")
    ] = None,
    skip_unlabelled: Annotated[
        bool, typer.Option("--skip-unlabelled", help="Ignore rows of --data without a label.")
    ] = False,
    default: Annotated[
        str | None,
        typer.Option("--default", metavar="LABEL", help="Label where no rule fires. [default: as before]"),
    ] = None,
) -> None:
    """Replace the rules of a model by edited ones.

    Write the rules to a file with foldse show --rules-only, change them in any editor, and read them back.
    They are checked against the columns and labels of the model; an error names the line and the column.
    What rules cover is known up to the first change, and with --data for all of them.

    \b
    Examples:
      foldse show model.json --rules-only > rules.pl
      foldse edit model.json --rules rules.pl -o edited.json
      foldse edit model.json --rules rules.pl --data people.csv -o edited.json
    """  # noqa: D301
    from foldse.cli import messages
    from foldse.cli.errors import CommandError, UsageError
    from foldse.cli.fitted import features_of, read_labelled, read_model
    from foldse.cli.problem import label_of, text_of, weights_of
    from foldse.cli.report import model_as_text
    from foldse.editing.tokens import RuleSyntaxError

    if data is None and (target is not None or weight is not None or skip_unlabelled):
        raise UsageError("--target, --weight and --skip-unlabelled are about --data, which is not given")
    clf = read_model(model)
    if not hasattr(clf, "rules_"):
        raise CommandError(f"{model} is a tree, and only rules can be edited")
    label = None if default is None else label_of(default, clf.classes_.tolist(), "--default")
    try:
        edited = clf.with_rules(text_of(rules), label)
    except RuleSyntaxError as error:
        raise CommandError(f"{rules}: {error}") from None
    if data is not None:
        table, y = read_labelled(clf, data, reading, target, skip_unlabelled)
        weights = None if weight is None else weights_of(table, weight)
        edited = edited.remeasure(features_of(clf, table), y, weights)
    from foldse.model.document import to_json

    write(output, to_json(edited).encode())
    emit(model_as_text(edited))
    messages.note(f"wrote {output}")
