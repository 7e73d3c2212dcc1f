"""``foldse predict``: labels for rows."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Annotated

import typer

from foldse.cli import messages
from foldse.cli.errors import CommandError, UsageError
from foldse.cli.options import Data, Model, Reading
from foldse.cli.output import emit, write

__all__ = ["predict"]


def predict(
    model: Model,
    data: Data,
    reading: Reading,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write to this file: CSV, or TSV if its name says so, also .gz. [default: print]",
        ),
    ] = None,
    proba: Annotated[
        bool,
        typer.Option(
            "--proba", help="Add the share of each label among the training rows decided by the same rule."
        ),
    ] = False,
    confidence: Annotated[
        bool,
        typer.Option(
            "--confidence", help="Add how sure the rule is that decides the row; empty where none fires."
        ),
    ] = False,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            "--keep",
            metavar="COLUMN",
            help="Copy this column of the data, as it is written there. Repeatable.",
        ),
    ] = None,
) -> None:
    """Predict the label of each row of a file.

    Writes CSV with the column "prediction", one line for each row, in the order of the rows. It is empty
    where the model gives no label. Columns are matched by name; others are ignored. Use the same reading
    options as for fit.

    \b
    Examples:
      foldse predict model.json new.csv
      foldse predict model.json new.csv --proba --keep id -o labels.csv
      foldse predict model.json new.csv --confidence
      zcat new.csv.gz | foldse predict model.json - | sort | uniq -c
    """  # noqa: D301
    import pandas as pd

    from foldse.cli.files.tables import column_of
    from foldse.cli.fitted import features_of, read_for, read_model

    clf = read_model(model)
    read = read_for(clf, data, reading)
    table = read.frame
    names = [column_of(name, table.columns.tolist(), "--keep") for name in keep or ()]
    X = features_of(clf, table)
    if confidence and not hasattr(clf, "rules_"):
        raise UsageError("--confidence is for rules, and this model is a tree; --proba is for both")
    added = {"prediction": pd.Series(clf.predict(X))}
    if confidence:
        added["confidence"] = pd.Series(clf.predict_confidence(X))
    if proba:
        shares = clf.predict_proba(X)
        added |= {f"share {label}": pd.Series(shares[:, i]) for i, label in enumerate(clf.classes_.tolist())}
    for name in names:
        if name in added:
            raise CommandError(
                f"--keep {name!r}: the result has a column of this name, too; rename it in {data}"
            )
    frame = pd.DataFrame({name: read.as_written[name] for name in names} | added)
    suffixes = [suffix.lower() for suffix in output.suffixes[-2:]] if output else []
    text = frame.to_csv(index=False, sep="\t" if {".tsv", ".tab"} & {*suffixes} else ",", lineterminator="\n")
    if output is None:
        emit(text.removesuffix("\n"), data=True)
        return
    packed = text.encode()
    if suffixes[-1:] == [".gz"]:
        packed = gzip.compress(packed, mtime=0)
    write(output, packed)
    messages.note(f"wrote {messages.count(len(frame), 'row')} to {output}")
