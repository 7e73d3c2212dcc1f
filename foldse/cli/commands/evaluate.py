"""``foldse evaluate``: scores of a model on labelled rows."""

from __future__ import annotations

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
    know count as errors.

    \b
    Examples:
      foldse evaluate model.json test.csv --target income
      foldse evaluate model.json test.csv -t income --json | jq .accuracy
    """  # noqa: D301
    import pandas as pd

    from foldse.cli import messages
    from foldse.cli.fitted import features_of, read_labelled, read_model
    from foldse.cli.messages import visible
    from foldse.cli.problem import label_of, positive_of
    from foldse.cli.report import aligned, scores_text
    from foldse.cli.scoring import Scores, metrics

    clf = read_model(model)
    table, y = read_labelled(clf, data, reading, target, skip_unlabelled)
    classes = clf.classes_.tolist()
    wanted = positive_of(clf) if positive is None else label_of(positive, classes, "--positive")
    predicted = clf.predict(features_of(clf, table)).tolist()
    scores = metrics(y, predicted, wanted)
    found = y.tolist()
    rows = [*classes, *sorted(set(found) - set(classes), key=str)]
    counts = pd.crosstab(pd.Series(found), pd.Series(predicted)).reindex(
        index=rows, columns=classes, fill_value=0
    )
    table_of_counts = counts.to_numpy().tolist()
    if as_json:
        result = {
            "schema": 1,
            "rows": len(found),
            **scores,
            "positive": wanted,
            "labels": rows,
            "predicted": classes,
            "confusion": table_of_counts,
        }
        emit(as_json_text(result), data=True)
        return
    emit(f"{messages.count(len(found), 'row')}: {scores_text(Scores('', scores, {}, {}), wanted)}\n")
    header = ["label", *(f"as {visible(str(label))}" for label in classes)]
    lines = [
        [visible(str(label)), *(f"{n:,}" for n in row)]
        for label, row in zip(rows, table_of_counts, strict=True)
    ]
    emit(aligned(header, lines))
