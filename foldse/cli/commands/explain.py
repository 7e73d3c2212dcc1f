"""``foldse explain``: why rows are predicted as they are, and what would change it."""

from __future__ import annotations

import html
import json
from enum import StrEnum
from typing import Annotated, Any

import typer

from foldse.cli.options import Data, Model, Reading

__all__ = ["explain"]


class Style(StrEnum):
    """How an explanation is written."""

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
            help="text is the paper's form; short is one line a row; html is a page; json is a list.",
        ),
    ] = Style.TEXT,
    names: Annotated[
        str | None,
        typer.Option(
            "--names", metavar="COLUMN", help="Column with the names of rows. [default: X0, X1, ...]"
        ),
    ] = None,
    counterfactual: Annotated[
        bool, typer.Option("--counterfactual", "-c", help="Also the smallest change that changes the label.")
    ] = False,
    fixed: Annotated[
        list[str] | None,
        typer.Option("--fixed", metavar="COLUMN", help="This column may not change. Repeatable."),
    ] = None,
    wanted: Annotated[
        str | None,
        typer.Option(
            "--wanted", metavar="LABEL", help="The label that the change is to lead to. [default: any]"
        ),
    ] = None,
) -> None:
    """Say why rows are predicted as they are.

    An explanation names the rules that were tried and what each of them met in the row. With
    --counterfactual, the fewest values that would have to be different for another label come with it. Give
    the options for reading that fit was given.

    \b
    Examples:
      foldse explain model.json new.csv --row 12
      foldse explain model.json new.csv --row 0:3 --format english --names name
      foldse explain model.json new.csv --row 12 --counterfactual --fixed age --wanted ">50K"
      foldse explain model.json new.csv --row 12 --format html > why.html
    """  # noqa: D301
    from foldse.cli.errors import UsageError
    from foldse.cli.fitted import features_of, read_for, read_model, rows_of
    from foldse.cli.files.tables import column_of
    from foldse.cli.problem import label_of

    if not counterfactual and (fixed or wanted is not None):
        raise UsageError("--fixed and --wanted are for --counterfactual; give that, too")
    clf = read_model(model)
    table = read_for(clf, data, reading)
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
        """Return the counterfactual of a row, or the text that there is none."""
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
        typer.echo(json.dumps(entries, indent=2, ensure_ascii=False))
        return
    if style is Style.HTML:
        parts = []
        for place, justification in enumerate(justifications):
            parts.append(justification.to_html())
            if changes is not None:
                parts.append(f"<pre>{html.escape(str(changes[place]))}</pre>")
        typer.echo(
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Why</title>'
            '<meta name="viewport" content="width=device-width"></head>'
            f"<body>{''.join(parts)}</body></html>"
        )
        return
    kind = "paper" if style is Style.TEXT else str(style)
    for place, justification in enumerate(justifications):
        if place and style is not Style.SHORT:
            typer.echo()
        typer.echo(justification.to_text(kind))
        if changes is not None:
            typer.echo(str(changes[place]))
