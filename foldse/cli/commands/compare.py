"""``foldse compare``: learners side by side, in the same folds."""

from __future__ import annotations

import json
from time import perf_counter
from typing import Annotated, Any

import typer

from foldse.cli.errors import UsageError
from foldse.cli.options import Data, Learner, Learning, Reading

__all__ = ["compare"]

TITLES = {Learner.FOLDSE: "FOLD-SE", Learner.FOLDRPP: "FOLD-R++", Learner.TREE: "tree"}


def compare(
    data: Data,
    learning: Learning,
    reading: Reading,
    cv: Annotated[int, typer.Option("--cv", metavar="FOLDS", help="How many folds.")] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Compare FOLD-SE, FOLD-R++, a decision tree and XGBoost on a file, by cross-validation.

    All learners see the same folds, and have their default settings. Accuracy and F1 are means over the
    folds, std is the standard deviation of the accuracy; rules and predicates (the conditions in them)
    are means of what fit prints; of the tree they are its leaves and its inner nodes. The time of a fit
    is the median over the folds. XGBoost is in the comparison if it is installed (pip install xgboost);
    it takes text columns as categories.

    \b
    Examples:
      foldse compare people.csv --target income
      foldse compare people.csv --target income --cv 5 --seed 1 --json
    """  # noqa: D301
    if cv < 2:
        raise UsageError(f"--cv needs at least 2 folds, and not {cv}")

    from foldse.cli import messages
    from foldse.cli.boosting import boosted_trees
    from foldse.cli.problem import estimator, read_problem
    from foldse.cli.report import aligned
    from foldse.cli.scoring import folds

    problem = read_problem(data, reading, learning)
    if len(problem.labels) < 2:
        raise UsageError(f"the target has one label only, {problem.labels[0]!r}; there is nothing to compare")
    parts = folds(problem, cv, learning.seed)
    learners: list[tuple[str, Any]] = [
        (title, estimator(learner, learning, problem)) for learner, title in TITLES.items()
    ]
    learners.append(("XGBoost", boosted_trees(problem)))
    rows = []
    with messages.progress("folds", cv * sum(clf is not None for _, clf in learners)) as advance:
        for title, clf in learners:
            rows.append({"learner": title, **(_measured(clf, problem, parts, advance) if clf else {})})
    if as_json:
        typer.echo(
            json.dumps(
                {"schema": 1, "rows": len(problem.y), "folds": cv, "seed": learning.seed, "learners": rows},
                indent=2,
            )
        )
        return
    header = ["learner", "accuracy", "std", "F1", "rules", "predicates", "fit ms"]
    typer.echo(aligned(header, [_cells(row) for row in rows if len(row) > 1]))
    for row in rows:
        if len(row) == 1:
            typer.echo(f"{row['learner']:8}  not installed: pip install xgboost")


def _measured(clf: Any, problem: Any, parts: list[tuple[Any, Any]], advance: Any) -> dict[str, float | None]:
    import numpy as np
    from sklearn.base import clone

    from foldse.cli.problem import positive_of
    from foldse.cli.scoring import metrics

    positive = None
    scores, sizes, seconds = [], [], []
    for learned, held in parts:
        X, y = problem.X.iloc[learned], problem.y.iloc[learned]
        weights = None if problem.weights is None else problem.weights[learned]
        fresh = clone(clf)
        start = perf_counter()
        fresh.fit(X, y, sample_weight=weights)
        seconds.append(perf_counter() - start)
        positive = positive_of(fresh) if hasattr(fresh, "pos_label") else fresh.positive(y)
        held_weights = None if problem.weights is None else problem.weights[held]
        scores.append(
            metrics(problem.y.iloc[held], fresh.predict(problem.X.iloc[held]), positive, held_weights)
        )
        sizes.append(_size(fresh))
        advance()
    accuracy = [score["accuracy"] for score in scores]
    rules, predicates = (
        (None, None) if sizes[0] is None else np.mean(np.array(sizes, dtype=np.float64), axis=0).tolist()
    )
    return {
        "accuracy_mean": float(np.mean(accuracy)),
        "accuracy_std": float(np.std(accuracy)),
        "f1_mean": float(np.mean([score["f1"] for score in scores])),
        "rules": rules,
        "predicates": predicates,
        "fit_ms": 1000 * float(np.median(seconds)),
    }


def _size(clf: Any) -> tuple[int, int] | None:
    if hasattr(clf, "rules_"):
        return clf.n_rules_, clf.n_predicates_
    if hasattr(clf, "tree_"):
        return clf.n_leaves_, clf.n_leaves_ - 1
    return None


def _cells(row: dict[str, Any]) -> list[str]:
    sizes = ["" if row[name] is None else f"{row[name]:.1f}" for name in ("rules", "predicates")]
    scores = [f"{row[name]:.3f}" for name in ("accuracy_mean", "accuracy_std", "f1_mean")]
    return [row["learner"], *scores, *sizes, f"{row['fit_ms']:.1f}"]
