"""``foldse fit``: learn from a file, print the rules and how good they are, save the model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from foldse.cli import messages
from foldse.cli.errors import UsageError
from foldse.cli.options import Data, Learner, Learning, Reading, Settings

__all__ = ["fit"]


def fit(
    data: Data,
    learning: Learning,
    settings: Settings,
    reading: Reading,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Save the model as JSON here.")
    ] = None,
    learner: Annotated[Learner, typer.Option("--learner", "-l", help="What learns.")] = Learner.FOLDSE,
    holdout: Annotated[
        float,
        typer.Option("--holdout", metavar="SHARE", help="Share of the rows that are held out to score."),
    ] = 0.2,
    cv: Annotated[
        int | None,
        typer.Option("--cv", metavar="FOLDS", help="Score by cross-validation in so many folds instead."),
    ] = None,
    no_score: Annotated[bool, typer.Option("--no-score", help="Do not score; learn once.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Learn rules from a file of data and print them.

    The rules that are printed, and saved with -o, are learned from all rows. Each comes with the rows that it
    decides, and the share of these that have its label. The score tells what to expect of new rows: it comes
    from models learned from a part of the rows (--holdout, or --cv) and scored on the rest.

    A column is one of numbers if all of its values are; otherwise it is text. A column with codes such as
    007, or with whole numbers of more digits than a number keeps, is text; what has stayed text though it
    looks like numbers is said on standard error. An empty cell is no value, and so are NA, N/A, n/a,
    <NA>, #N/A, #NA, NaN, nan, null, NULL and None (see --missing and --no-default-missing).

    CSV, TSV, parquet, ARFF and workbooks (xlsx, xls, ods) are read, also packed (gz, bz2, xz, zip).
    Encoding, separator and decimal comma are detected and said on standard error; each can be given.

    \b
    Examples:
      foldse fit people.csv --target income --positive "<=50K" -o model.json
      foldse fit survey.tsv.gz --target -1 --cv 10 --drop id --missing "?"
      foldse fit kunden.csv -t kauf --encoding cp1252 --separator ";" --decimal ","
      foldse fit people.csv -t income --learner tree --no-score --json | jq .model
    """  # noqa: D301
    if not 0 < holdout < 1:
        raise UsageError(f"--holdout is a share between 0 and 1, and not {holdout:g}")
    if cv is not None and cv < 2:
        raise UsageError(f"--cv needs at least 2 folds, and not {cv}")
    if cv is not None and no_score:
        raise UsageError("--cv and --no-score do not go together")

    from foldse.cli.jit import spare_compilation
    from foldse.cli.problem import estimator, positive_of, read_problem
    from foldse.cli.report import model_as_dict, model_as_text, scores_text
    from foldse.cli.scoring import cross_validated, folds, held_out

    problem = read_problem(data, reading, learning)
    spare_compilation(problem.X.size, learner, 1 + (cv or int(not no_score)))
    clf = estimator(learner, learning, problem, settings)
    if cv is not None:
        folds(problem, cv, learning.seed)  # which are refused, if they are, before the work
    scores = None
    with messages.progress("learning"):
        clf.fit(problem.X, problem.y, sample_weight=problem.weights)
    if output is not None:
        clf.save(output)
    if not as_json:
        typer.echo(model_as_text(clf))  # before the score, which takes longer
    if not no_score and len(problem.labels) > 1:
        if cv is not None:
            scores = cross_validated(clf, problem, cv, learning.seed)
        else:
            with messages.progress("scoring"):
                scores = held_out(clf, problem, holdout, learning.seed)
    if as_json:
        from foldse.export import to_json

        result: dict[str, Any] = {
            "schema": 1,
            "data": {
                "rows": len(problem.y),
                "features": problem.X.columns.tolist(),
                "target": str(problem.y.name),
                "labels": {str(label): int((problem.y == label).sum()) for label in problem.labels},
            },
            "program": model_as_dict(clf),
            "score": None if scores is None else {"how": scores.how, "mean": scores.mean, "std": scores.std},
            "model": json.loads(to_json(clf)),
        }
        typer.echo(json.dumps(result, indent=2, ensure_ascii=False))
    elif scores is not None:
        positive = positive_of(clf)
        of = "all labels, in the mean" if positive is None else repr(positive)
        typer.echo(f"% {scores.how}:\n%   {scores_text(scores.mean, scores.std, of)}")
    if output is not None:
        messages.note(f"saved the model to {output}")
