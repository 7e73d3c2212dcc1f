"""``foldse fit``: learn from a file, print the rules and how good they are, save the model."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from foldse.cli import messages
from foldse.cli.errors import UsageError
from foldse.cli.options import Data, Learner, Learning, Reading, Settings
from foldse.cli.output import as_json_text, emit, write

__all__ = ["fit"]


def fit(
    data: Data,
    learning: Learning,
    settings: Settings,
    reading: Reading,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Save the model as JSON.")
    ] = None,
    learner: Annotated[Learner, typer.Option("--learner", "-l", help="Algorithm.")] = Learner.FOLDSE,
    holdout: Annotated[
        float,
        typer.Option("--holdout", metavar="SHARE", help="Share of the rows held out for the score."),
    ] = 0.2,
    cv: Annotated[
        int | None,
        typer.Option(
            "--cv", metavar="FOLDS", help="Score by cross-validation with this many folds instead.", min=2
        ),
    ] = None,
    no_score: Annotated[bool, typer.Option("--no-score", help="Do not score.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Learn rules from a data file and print them.

    The rules that are printed, and saved with -o, are learned from all rows. Each comes with the rows that it
    covers and its precision on them. The score estimates the performance on new rows: models learned from
    some of the rows are scored on the others (--holdout or --cv).

    A column is numeric if all its values are numbers; otherwise its values are categories. Codes such as
    007, or whole numbers with more than 16 digits, are categories. Columns that look numeric, or hold dates,
    but are read as categories are reported on stderr, with the option that changes it: --thousands "."
    reads 1.234,56, --strip $ reads $10.00. Empty cells are missing values, and so are NA, N/A, n/a, <NA>,
    #N/A, #NA, NaN, nan, null, NULL and None (see --missing and --no-default-missing).

    CSV, TSV, parquet, ARFF and workbooks (xlsx, xls, ods) are read, also compressed (gz, bz2, xz, zip).
    Encoding, separator, quotes and decimal comma are detected and reported on stderr; options override them.
    A file that can be read in two ways, or has rows of different lengths, is refused.

    \b
    Examples:
      foldse fit people.csv --target income --positive "<=50K" -o model.json
      foldse fit survey.tsv.gz --target -1 --cv 10 --drop id --missing "?"
      foldse fit kunden.csv -t kauf --encoding cp1252 --separator ";" --decimal ","
      foldse fit people.csv -t income --learner tree --no-score --json | jq .model
    """  # noqa: D301
    if not 0 < holdout < 1:
        raise UsageError(f"--holdout must be a share between 0 and 1, got {holdout:g}")
    if cv is not None and no_score:
        raise UsageError("--cv and --no-score exclude each other")

    from foldse.cli.jit import spare_compilation
    from foldse.cli.problem import estimator, read_problem
    from foldse.cli.report import model_as_dict, model_as_text, scores_text
    from foldse.cli.scoring import averaged, folds, hold_out, run_folds

    problem = read_problem(data, reading, learning)
    spare_compilation(problem.X.size, learner, 1 + (cv or int(not no_score)))
    clf = estimator(learner, learning, problem, settings)
    parts: list[Any] = []
    if cv is not None:
        parts, how = folds(problem, cv, learning.seed)
    elif not no_score and len(problem.labels) > 1:
        part, how = hold_out(problem, holdout, learning.seed)
        parts, how = [part], f"{how}, learned from the others"
    with messages.progress("learning"):
        clf.fit(problem.X, problem.y, sample_weight=problem.weights)
    clf.code_page_ = problem.code_page
    from foldse.export import to_json

    model = to_json(clf)
    if output is not None:
        write(output, model.encode("utf-8"))
        messages.note(f"saved the model to {output}")
    if not as_json:
        emit(model_as_text(clf))  # before the score, which takes longer
    scores = None
    if parts and len(problem.labels) > 1:
        with messages.progress("scoring", len(parts)) as advance:
            scores = averaged(list(run_folds(clf, problem, parts, advance)), how)
    if as_json:
        result: dict[str, Any] = {
            "schema": 1,
            "data": {
                "rows": len(problem.y),
                "features": problem.X.columns.tolist(),
                "target": str(problem.y.name),
                "labels": {str(label): int((problem.y == label).sum()) for label in problem.labels},
                "positive": problem.positive,
            },
            "program": model_as_dict(clf),
            "score": None if scores is None else asdict(scores),
            "model": json.loads(model),
        }
        emit(as_json_text(result), data=True)
    elif scores is not None:
        lines = scores_text(scores, problem.positive).splitlines()
        emit("\n".join([f"% {scores.how}:", *(f"%   {line}" for line in lines)]))
