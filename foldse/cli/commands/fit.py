"""``foldse fit``: learn from a file, print the rules and how good they are, save the model."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from foldse.cli import messages
from foldse.cli.errors import CommandError, UsageError
from foldse.cli.options import Data, Learner, Learning, Reading, Settings, Size
from foldse.cli.output import as_json_text, emit, write

__all__ = ["fit"]

FRONT_FITS = 240  # 40 settings, on 5 parts of the rows and on all of them


def fit(
    data: Data,
    learning: Learning,
    settings: Settings,
    size: Size,
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

    With --front, or a limit such as --max-literals 6, many settings are tried, and the comments above the
    program show what each size costs in accuracy. The score is then one of the whole procedure: settings are
    chosen anew in every part that is learned from.

    CSV, TSV, parquet, ARFF and workbooks (xlsx, xls, ods) are read, also compressed (gz, bz2, xz, zip).
    Encoding, separator, quotes and decimal comma are detected and reported on stderr; options override them.
    A file that can be read in two ways, or has rows of different lengths, is refused.

    \b
    Examples:
      foldse fit people.csv --target income --positive "<=50K" -o model.json
      foldse fit survey.tsv.gz --target -1 --cv 10 --drop id --missing "?"
      foldse fit kunden.csv -t kauf --encoding cp1252 --separator ";" --decimal ","
      foldse fit people.csv -t income --learner tree --no-score --json | jq .model
      foldse fit people.csv -t income --max-literals 6 -o model.json
      foldse fit people.csv -t income --learner confold --abstain unknown
    """  # noqa: D301
    if not 0 < holdout < 1:
        raise UsageError(f"--holdout must be a share between 0 and 1, got {holdout:g}")
    if cv is not None and no_score:
        raise UsageError("--cv and --no-score exclude each other")

    from foldse.cli.problem import estimator, read_problem
    from foldse.cli.report import front_as_dicts, front_as_text, model_as_dict, model_as_text, scores_text
    from foldse.cli.scoring import averaged, folds, hold_out, run_folds
    from foldse.runtime.kernels import prepare

    problem = read_problem(data, reading, learning)
    fits = 1 + (cv or int(not no_score))
    learned = estimator(learner, learning, problem, settings, size)
    prepare(problem.X.size * (fits - 1) * (FRONT_FITS if size.is_asked else 1) * learned.interpreted_cost)
    parts: list[Any] = []
    if cv is not None:
        parts, how = folds(problem, cv, learning.seed)
    elif not no_score and len(problem.labels) > 1:
        part, how = hold_out(problem, holdout, learning.seed)
        parts, how = [part], f"{how}, learned from the others"
    with messages.progress("learning"):
        _learn(learned, problem, settings.expert_rules)
    clf = learned.best_estimator_ if size.is_asked else learned
    clf.code_page_ = problem.code_page
    from foldse.export import to_json

    model = to_json(clf)
    if output is not None:
        write(output, model.encode("utf-8"))
        messages.note(f"saved the model to {output}")
    if not as_json:
        if size.is_asked:
            emit(f"{front_as_text(learned)}\n")
        emit(model_as_text(clf))  # before the score, which takes longer
    scores = None
    if parts and len(problem.labels) > 1:
        if size.is_asked:
            how += "; settings chosen within the rows learned from"
        with messages.progress("scoring", len(parts)) as advance:
            try:
                scores = averaged(list(run_folds(_scored(learned), problem, parts, advance)), how)
            except ValueError as error:
                if not size.is_asked:
                    raise
                messages.note(f"no score, as from a part of the rows {error}")
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
        if size.is_asked:
            result |= {"front": front_as_dicts(learned), "chosen": learned.best_params_}
        emit(as_json_text(result), data=True)
    elif scores is not None:
        lines = scores_text(scores, problem.positive).splitlines()
        emit("\n".join([f"% {scores.how}:", *(f"%   {line}" for line in lines)]))


def _learn(clf: Any, problem: Any, expert_rules: str | None) -> None:
    from foldse.editing.tokens import RuleSyntaxError

    try:
        clf.fit(problem.X, problem.y, sample_weight=problem.weights)
    except RuleSyntaxError as error:
        raise CommandError(f"{expert_rules}: {error}") from None


def _scored(clf: Any) -> Any:
    """Return what is fitted to parts of the rows: expert rules are as they were read against all of them."""
    if getattr(clf, "expert_rules", None) is None:
        return clf
    from sklearn.base import clone

    from foldse.editing.expert import ExpertRule

    given = [
        ExpertRule(replace(rule, support=(), confidence=None), None)
        for rule in clf.rules_
        if rule.origin == "expert"
    ]
    return clone(clf).set_params(expert_rules=given)
