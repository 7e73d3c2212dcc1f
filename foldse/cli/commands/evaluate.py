"""``foldse evaluate``: scores of a model on labelled rows."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from foldse.cli.options import Data, Model, Reading
from foldse.cli.output import as_json_text, emit

__all__ = ["evaluate"]


def evaluate(
    model: Model,
    data: Data,
    reading: Reading,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            "-t",
            metavar="COLUMN",
            help="Column of labels: its name, or its position from 0. [default: the target of fit]",
        ),
    ] = None,
    positive: Annotated[
        str | None,
        typer.Option(
            "--positive",
            "-p",
            metavar="LABEL",
            help="Label for precision, recall and F1. [default: the positive label of fit; with more "
            "than two labels, the mean over them]",
        ),
    ] = None,
    skip_unlabelled: Annotated[
        bool, typer.Option("--skip-unlabelled", help="Ignore rows without a label.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Compare predictions with the labels in a file.

    Prints accuracy, precision, recall, F1 and the confusion matrix. Rows with a label that the model does not
    know count as errors, and so do rows to which the model gives no label.

    \b
    Examples:
      foldse evaluate model.json test.csv --target income
      foldse evaluate model.json test.csv -t income --json | jq .accuracy
    """  # noqa: D301
    from foldse.cli import messages
    from foldse.cli.fitted import features_of, read_labelled, read_model
    from foldse.cli.messages import visible
    from foldse.cli.problem import label_of, positive_of
    from foldse.cli.report import aligned, scores_text
    from foldse.cli.scoring import Scores, metrics, predictions

    clf = read_model(model)
    table, y = read_labelled(clf, data, reading, target, skip_unlabelled)
    classes = clf.classes_.tolist()
    wanted = positive_of(clf) if positive is None else label_of(positive, classes, "--positive")
    predicted = predictions(clf, features_of(clf, table))
    without_label = predicted.count(None)
    scores = metrics(y, predicted, wanted)
    found = y.tolist()
    rows = [*classes, *sorted(set(found) - set(classes), key=str)]
    columns = [*classes, None] if without_label else classes
    counts = Counter(zip(found, predicted, strict=True))
    table_of_counts = [[counts[label, as_label] for as_label in columns] for label in rows]
    if as_json:
        result = {
            "schema": 1,
            "rows": len(found),
            "without_label": without_label,
            **scores,
            "positive": wanted,
            "labels": rows,
            "predicted": columns,
            "confusion": table_of_counts,
        }
        emit(as_json_text(result), data=True)
        return
    shown = Scores("", scores, {}, {}, without_label)
    emit(f"{messages.count(len(found), 'row')}: {scores_text(shown, wanted)}\n")
    header = ["label", *("without" if label is None else f"as {visible(str(label))}" for label in columns)]
    lines = [
        [visible(str(label)), *(f"{n:,}" for n in row)]
        for label, row in zip(rows, table_of_counts, strict=True)
    ]
    emit(aligned(header, lines))
