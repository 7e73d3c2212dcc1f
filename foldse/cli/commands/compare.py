"""``foldse compare``: learners side by side, in the same folds."""

from __future__ import annotations

from dataclasses import replace
from math import isnan
from statistics import median
from typing import Annotated, Any

import typer

from foldse.cli.errors import UsageError
from foldse.cli.options import Data, Learner, Learning, Reading
from foldse.cli.output import as_json_text, emit

__all__ = ["compare"]

TITLES = {Learner.FOLDSE: "FOLD-SE", Learner.FOLDRPP: "FOLD-R++", Learner.TREE: "tree"}


def compare(
    data: Data,
    learning: Learning,
    reading: Reading,
    cv: Annotated[int, typer.Option("--cv", metavar="FOLDS", help="Number of folds.", min=2)] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Compare FOLD-SE, FOLD-R++, a decision tree and XGBoost on a file, by cross-validation.

    All learners have their default settings and see the same folds. Accuracy and F1 are means over the
    folds, std is the standard deviation of the accuracy. F1 is that of the positive label; with more than
    two labels, the mean over the labels. Rules and predicates (the conditions in them) are means; for the
    tree they count leaves and inner nodes. Fit time is the median. XGBoost takes part if it is
    installed (pip install xgboost), with text columns as categories.

    \b
    Examples:
      foldse compare people.csv --target income
      foldse compare people.csv --target income --cv 5 --seed 1 --json
    """  # noqa: D301
    from foldse.cli import messages
    from foldse.cli.boosting import BoostedTrees, with_categories
    from foldse.cli.problem import estimator, read_problem
    from foldse.cli.report import aligned, label_text
    from foldse.cli.scoring import averaged, folds, run_folds

    problem = read_problem(data, reading, learning)
    if len(problem.labels) < 2:
        raise UsageError(f"the target has one label only, {problem.labels[0]!r}; there is nothing to compare")
    parts, how = folds(problem, cv, learning.seed)
    tasks: list[tuple[str, Any, Any]] = [
        (title, estimator(learner, learning, problem), problem) for learner, title in TITLES.items()
    ]
    try:
        import xgboost  # noqa: F401
    except ImportError:
        pass
    else:
        tasks.append(("XGBoost", BoostedTrees(), replace(problem, X=with_categories(problem.X))))
    rows = []
    with messages.progress("folds", cv * len(tasks)) as advance:
        for title, clf, task in tasks:
            results = list(run_folds(clf, task, parts, advance))
            rows.append((title, averaged(results, how), _medians(results)))
    of = "the mean over the labels" if problem.positive is None else label_text(problem.positive)
    undefined = max(scores.undefined.get("f1", 0) for _, scores, _ in rows)
    if as_json:
        entries: list[dict[str, Any]] = [
            {
                "learner": title,
                "accuracy_mean": scores.mean["accuracy"],
                "accuracy_std": scores.std["accuracy"],
                "f1_mean": scores.mean["f1"],
                **sizes,
            }
            for title, scores, sizes in rows
        ]
        entries += [] if len(tasks) > len(TITLES) else [{"learner": "XGBoost"}]
        result = {
            "schema": 1,
            "rows": len(problem.y),
            "folds": cv,
            "seed": learning.seed,
            "positive": problem.positive,
        }
        emit(as_json_text({**result, "learners": entries}), data=True)
        return
    header = ["learner", "accuracy", "std", "F1", "rules", "predicates", "fit ms"]
    emit(aligned(header, [_cells(*row) for row in rows]))
    if len(tasks) == len(TITLES):
        emit("XGBoost   not installed: pip install xgboost")
    note = (
        f"; not defined in {messages.count(undefined, 'fold')}, which its mean leaves out"
        if undefined
        else ""
    )
    emit(f"\n{how}; F1 is of {of}{note}")


def _medians(results: list[Any]) -> dict[str, float | None]:
    """Return the mean size of what was learned, and the median time of a fit."""
    sizes = [size for size in (_size(fold.model) for fold in results) if size is not None]
    rules, predicates = (sum(of) / len(sizes) for of in zip(*sizes, strict=True)) if sizes else (None, None)
    seconds = median(fold.fit_seconds for fold in results)
    return {"rules": rules, "predicates": predicates, "fit_ms": 1000 * seconds}


def _size(clf: Any) -> tuple[int, int] | None:
    if hasattr(clf, "rules_"):
        return clf.n_rules_, clf.n_predicates_
    if hasattr(clf, "tree_"):
        return clf.n_leaves_, clf.n_leaves_ - 1
    return None


def _cells(title: str, scores: Any, sizes: dict[str, float | None]) -> list[str]:
    shown = [
        "-" if isnan(value) else f"{value:.3f}"
        for value in (scores.mean["accuracy"], scores.std["accuracy"], scores.mean["f1"])
    ]
    counts = ["" if sizes[name] is None else f"{sizes[name]:.1f}" for name in ("rules", "predicates")]
    return [title, *shown, *counts, f"{sizes['fit_ms']:.1f}"]
