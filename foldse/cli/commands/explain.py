"""``foldse explain``: why rows have their predictions, and what would change them."""

from __future__ import annotations

import html
from enum import StrEnum
from typing import Annotated, Any

import typer

from foldse.cli.options import Data, Model, Reading
from foldse.cli.output import as_json_text, emit

__all__ = ["explain"]


class Style(StrEnum):
    """The form of an explanation."""

    TEXT = "text"
    SHORT = "short"
    ENGLISH = "english"
    HTML = "html"
    JSON = "json"


def explain(
    model: Model,
    data: Data,
    reading: Reading,
    row: Annotated[
        list[str] | None,
        typer.Option(
            "--row",
            "-r",
            metavar="ROW",
            help="Row to explain, counted from 0: 12, -1 for the last, 3:7 for 3 to 6. Repeatable. "
            "[default: all]",
        ),
    ] = None,
    style: Annotated[
        Style,
        typer.Option(
            "--format",
            help="text is the paper's form; short is one line per row; html is a page; json is a list.",
        ),
    ] = Style.TEXT,
    names: Annotated[
        str | None,
        typer.Option("--names", metavar="COLUMN", help="Column that names the rows. [default: X0, X1, ...]"),
    ] = None,
    counterfactual: Annotated[
        bool,
        typer.Option("--counterfactual", "-c", help="Add the smallest change that leads to another label."),
    ] = False,
    fixed: Annotated[
        list[str] | None,
        typer.Option("--fixed", metavar="COLUMN", help="Column that may not change. Repeatable."),
    ] = None,
    wanted: Annotated[
        str | None,
        typer.Option(
            "--wanted", metavar="LABEL", help="Label that the change should lead to. [default: any other]"
        ),
    ] = None,
) -> None:
    """Explain predictions.

    An explanation names the rules that were tried and the values that each of them found in the row. With
    --counterfactual it adds the smallest set of changed values that leads to another label. Use the same
    reading options as for fit.

    \b
    Examples:
      foldse explain model.json new.csv --row 12
      foldse explain model.json new.csv --row 0:3 --format english --names name
      foldse explain model.json new.csv --row 12 --counterfactual --fixed age --wanted ">50K"
      foldse explain model.json new.csv --row 12 --format html > why.html
    """  # noqa: D301
    from foldse.cli.errors import UsageError
    from foldse.cli.files.tables import column_of
    from foldse.cli.fitted import features_of, read_for, read_model, rows_of
    from foldse.cli.problem import label_of

    if not counterfactual and (fixed or wanted is not None):
        raise UsageError("--fixed and --wanted need --counterfactual")
    clf = read_model(model)
    table = read_for(clf, data, reading).frame
    rows = rows_of(row, len(table))
    chosen = table.iloc[rows].reset_index(drop=True)
    called: list[str] = [f"X{number}" for number in rows]
    if names is not None:
        column = column_of(names, table.columns.tolist(), "--names")
        given = chosen[column]
        called = [
            name if missing else str(value)
            for name, value, missing in zip(called, given, given.isna(), strict=True)
        ]
    label = None if wanted is None else label_of(wanted, clf.classes_.tolist(), "--wanted")
    features = [column_of(name, list(clf.feature_names_), "--fixed") for name in fixed or ()]
    X = features_of(clf, chosen)
    justifications = clf.explain(X, names=called)

    def change(place: int) -> Any:
        """Return the counterfactual of a row, or a text that says why there is none."""
        try:
            return clf.counterfactual(X.iloc[[place]], target=label, fixed=features, name=called[place])
        except ValueError as error:
            return str(error)

    if counterfactual and not hasattr(clf, "counterfactual"):
        raise UsageError("--counterfactual is for rules, and this model is a tree")
    changes = [change(place) for place in range(len(rows))] if counterfactual else None
    if style is Style.JSON:
        entries = []
        for place, justification in enumerate(justifications):
            entry = {"row": rows[place], "explanation": justification.to_dict()}
            if changes is not None:
                found = changes[place]
                entry["counterfactual"] = None if isinstance(found, str) else found.to_dict()
            entries.append(entry)
        emit(as_json_text(entries), data=True)
        return
    if style is Style.HTML:
        parts = []
        for place, justification in enumerate(justifications):
            parts.append(justification.to_html())
            if changes is not None:
                parts.append(f"<pre>{html.escape(str(changes[place]))}</pre>")
        emit(
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Why</title>'
            '<meta name="viewport" content="width=device-width"></head>'
            f"<body>{''.join(parts)}</body></html>",
            data=True,
        )
        return
    kind = "paper" if style is Style.TEXT else str(style)
    for place, justification in enumerate(justifications):
        if place and style is not Style.SHORT:
            emit("")
        emit(justification.to_text(kind))
        if changes is not None:
            emit(str(changes[place]))
