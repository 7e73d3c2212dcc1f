"""``foldse predict``: labels for rows."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from foldse.cli import messages
from foldse.cli.options import Data, Model, Reading

__all__ = ["predict"]


def predict(
    model: Model,
    data: Data,
    reading: Reading,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write here: CSV, or TSV by the name's ending, also .gz."
        ),
    ] = None,
    proba: Annotated[
        bool, typer.Option("--proba", help="Also the share of each label among the rows decided alike.")
    ] = False,
    keep: Annotated[
        list[str] | None,
        typer.Option("--keep", metavar="COLUMN", help="Copy this column of the data. Repeatable."),
    ] = None,
) -> None:
    """Predict the label of each row of a file.

    Writes CSV with the column "prediction", a line for each row, in the order of the rows. Columns are found
    by their names; further ones do not matter. Give the options for reading that fit was given.

    \b
    Examples:
      foldse predict model.json new.csv
      foldse predict model.json new.csv --proba --keep id -o labels.csv
      zcat new.csv.gz | foldse predict model.json - | sort | uniq -c
    """  # noqa: D301
    import pandas as pd

    from foldse.cli.files.columns import is_number, to_text
    from foldse.cli.fitted import features_of, read_for, read_model
    from foldse.cli.files.tables import column_of

    clf = read_model(model)
    table = read_for(clf, data, reading)
    names = table.columns.tolist()
    result = {}
    for name in (column_of(given, names, "--keep") for given in keep or ()):
        result[name] = table[name] if is_number(table[name]) else to_text(table[name])
    X = features_of(clf, table)
    result["prediction"] = pd.Series(clf.predict(X))
    if proba:
        shares = clf.predict_proba(X)
        for place, label in enumerate(clf.classes_.tolist()):
            result[f"share {label}"] = pd.Series(shares[:, place])
    frame = pd.DataFrame(result)
    if output is None:
        frame.to_csv(sys.stdout, index=False, lineterminator="\n")
    else:
        is_tab = {suffix.lower() for suffix in output.suffixes[-2:]} & {".tsv", ".tab"}
        frame.to_csv(output, index=False, sep="\t" if is_tab else ",", lineterminator="\n")
        messages.note(f"wrote {messages.count(len(frame), 'row')} to {output}")
