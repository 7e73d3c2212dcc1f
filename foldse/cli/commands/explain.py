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
    answers: Annotated[
        int | None,
        typer.Option("--answers", min=1, metavar="N", help="Up to how many changes to show. [default: 1]"),
    ] = None,
    within: Annotated[
        list[str] | None,
        typer.Option(
            "--within",
            metavar="COLUMN=VALUES",
            help="New values allowed: income=20000:60000, income=20000: or class=2,3. Repeatable.",
        ),
    ] = None,
    direction: Annotated[
        list[str] | None,
        typer.Option(
            "--direction",
            metavar="COLUMN=up|down",
            help="The only way in which a number may change: age=up. Repeatable.",
        ),
    ] = None,
    constraint: Annotated[
        list[str] | None,
        typer.Option(
            "--constraint",
            metavar="GOALS",
            help="What must not hold together after the change, as rules are written: \"home(X,'ice'), "
            'weight(X,N1), N1=<5". Repeatable.',
        ),
    ] = None,
    cost: Annotated[
        list[str] | None,
        typer.Option(
            "--cost",
            metavar="COLUMN=COST",
            help="What changing a column costs: age=5. The lowest total is best. Repeatable. [default: 1]",
        ),
    ] = None,
) -> None:
    """Explain predictions.

    An explanation names the rules that were tried and the values that each of them found in the row. With
    --counterfactual it adds the smallest set of changed values that leads to another label; --within,
    --direction, --fixed, --cost and --constraint say what can be changed and how easily. Use the same reading
    options as for fit.

    \b
    Examples:
      foldse explain model.json new.csv --row 12
      foldse explain model.json new.csv --row 0:3 --format english --names name
      foldse explain model.json new.csv --row 12 --counterfactual --fixed age --wanted ">50K"
      foldse explain model.json new.csv --row 12 -c --answers 3 --direction age=up --within age=:60
      foldse explain model.json new.csv --row 12 --format html > why.html
    """  # noqa: D301
    from foldse.cli.errors import UsageError
    from foldse.cli.files.tables import column_of
    from foldse.cli.fitted import features_of, read_for, read_model, rows_of, settings_of
    from foldse.cli.problem import label_of

    asked = {
        "--fixed": fixed,
        "--wanted": wanted is not None,
        "--answers": answers,
        "--within": within,
        "--direction": direction,
        "--cost": cost,
        "--constraint": constraint,
    }
    for option, is_given in asked.items():
        if is_given and not counterfactual:
            raise UsageError(f"{option} needs --counterfactual")
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
    if counterfactual and not hasattr(clf, "counterfactual"):
        raise UsageError("--counterfactual is for rules, and this model is a tree")
    settings = settings_of(clf, fixed, within, direction, cost, constraint) if counterfactual else {}
    X = features_of(clf, chosen)
    justifications = clf.explain(X, names=called)

    def changes(place: int) -> list[Any] | str:
        """Return the counterfactuals of a row, or a text that says why there is none."""
        x = X.iloc[[place]]
        try:
            return clf.counterfactual(x, target=label, name=called[place], n=answers or 1, **settings)
        except ValueError as error:
            return str(error)

    found = [changes(place) for place in range(len(rows))] if counterfactual else None
    if style is Style.JSON:
        entries = []
        for place, justification in enumerate(justifications):
            entry = {"row": rows[place], "explanation": justification.to_dict()}
            if found is not None:
                there = found[place]
                documents = [] if isinstance(there, str) else [answer.to_dict() for answer in there]
                if answers is None:
                    entry["counterfactual"] = documents[0] if documents else None
                else:
                    entry["counterfactuals"] = documents
            entries.append(entry)
        emit(as_json_text(entries), data=True)
        return
    if style is Style.HTML:
        parts = []
        for place, justification in enumerate(justifications):
            parts.append(justification.to_html())
            if found is not None:
                parts += [f"<pre>{html.escape(text)}</pre>" for text in _texts(found[place])]
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
        for text in [] if found is None else _texts(found[place]):
            emit(text)


def _texts(found: list[Any] | str) -> list[str]:
    return [found] if isinstance(found, str) else [str(answer) for answer in found]
