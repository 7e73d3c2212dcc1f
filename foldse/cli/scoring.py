"""How good predictions are: on rows held out, in folds, and on rows given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from foldse.cli import messages
from foldse.cli.errors import CommandError
from foldse.cli.problem import Problem, positive_of

__all__ = ["METRICS", "Scores", "cross_validated", "folds", "held_out", "metrics"]

METRICS = ("accuracy", "precision", "recall", "f1")


def metrics(y: Any, predicted: Any, positive: Any = None, weights: Any = None) -> dict[str, float]:
    """Return accuracy, precision, recall and F1.

    Parameters
    ----------
    y, predicted : array-like of shape (n_rows,)
    positive : object, optional
        The label that precision, recall and F1 are of; None takes the mean over the labels.
    weights : array-like of shape (n_rows,), optional

    Returns
    -------
    dict of str to float
        A score that divides by nothing is 0.
    """
    from sklearn.metrics import accuracy_score, precision_recall_fscore_support

    # As positions of labels: scikit-learn is not to guess from their types.
    labels = sorted(
        {*pd.unique(pd.Series(y)).tolist(), *pd.unique(pd.Series(predicted)).tolist()}, key=_order
    )
    place = {label: position for position, label in enumerate(labels)}
    given = np.array([place[label] for label in pd.Series(y).tolist()])
    found = np.array([place[label] for label in pd.Series(predicted).tolist()])
    if positive is None:
        wanted, average = None, "macro"
    else:
        wanted, average = [place.get(positive, len(labels))], "macro"
    precision, recall, f1, _ = precision_recall_fscore_support(
        given, found, labels=wanted, average=average, sample_weight=weights, zero_division=0
    )
    accuracy = accuracy_score(given, found, sample_weight=weights)
    return {name: float(v) for name, v in zip(METRICS, (accuracy, precision, recall, f1), strict=True)}


def _order(label: Any) -> tuple[bool, Any]:
    return isinstance(label, str), label


@dataclass(frozen=True, slots=True)
class Scores:
    """What a classifier reached on rows that it was not fitted on.

    Attributes
    ----------
    how : str
        Which rows these were, in words.
    mean, std : dict of str to float
        Of each metric over the folds; `std` is empty where there was one only.
    """

    how: str
    mean: dict[str, float]
    std: dict[str, float]


def _fit(clf: Any, problem: Problem, rows: np.ndarray) -> Any:
    from sklearn.base import clone

    weights = None if problem.weights is None else problem.weights[rows]
    return clone(clf).fit(problem.X.iloc[rows], problem.y.iloc[rows], sample_weight=weights)


def _score(clf: Any, problem: Problem, rows: np.ndarray, positive: Any) -> dict[str, float]:
    weights = None if problem.weights is None else problem.weights[rows]
    return metrics(problem.y.iloc[rows], clf.predict(problem.X.iloc[rows]), positive, weights)


def held_out(clf: Any, problem: Problem, share: float, seed: int) -> Scores:
    """Fit on a part of the rows and score on the rest.

    Parameters
    ----------
    clf : classifier
        Not changed.
    problem : Problem
    share : float
        Of the rows, to score on.
    seed : int

    Raises
    ------
    CommandError
        If there are too few rows.
    """
    from sklearn.model_selection import train_test_split

    n_rows = len(problem.y)
    n_test = int(np.ceil(share * n_rows))
    if n_test >= n_rows:
        raise CommandError(f"{n_rows} rows are too few to hold some out; give --no-score")
    counts = problem.y.value_counts()
    stratified = counts.min() >= 2 and min(n_test, n_rows - n_test) >= len(counts)
    learned, held = train_test_split(
        np.arange(n_rows), test_size=n_test, random_state=seed, stratify=problem.y if stratified else None
    )
    fitted = _fit(clf, problem, learned)
    how = (
        f"held out {len(held):,} of {n_rows:,} rows ({'stratified, ' if stratified else ''}seed {seed}), "
        "learned from the others"
    )
    positive = positive_of(fitted) if problem.y.nunique() == 2 else None
    return Scores(how, _score(fitted, problem, held, positive), {})


def folds(problem: Problem, n_folds: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return stratified, shuffled folds as pairs of rows to learn from and rows to score on.

    Raises
    ------
    CommandError
        If every label has fewer rows than there are folds.
    """
    from sklearn.model_selection import StratifiedKFold

    counts = problem.y.value_counts()
    if counts.max() < n_folds or len(problem.y) < n_folds:
        raise CommandError(f"no label has {n_folds} rows, for as many folds; take fewer folds")
    splitter = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    return list(splitter.split(problem.X, pd.factorize(problem.y, sort=True)[0]))


def cross_validated(
    clf: Any,
    problem: Problem,
    n_folds: int,
    seed: int,
    watch: Callable[[Any], None] = lambda fitted: None,
) -> Scores:
    """Fit and score in folds; `watch` is given each fitted classifier."""
    results = []
    with messages.progress("folds", n_folds) as advance:
        for learned, held in folds(problem, n_folds, seed):
            fitted = _fit(clf, problem, learned)
            watch(fitted)
            positive = positive_of(fitted) if problem.y.nunique() == 2 else None
            results.append(_score(fitted, problem, held, positive))
            advance()
    table = pd.DataFrame(results)
    how = f"{n_folds}-fold cross-validation (stratified, seed {seed})"
    mean, std = ({m: float(v[m]) for m in METRICS} for v in (table.mean(), table.std(ddof=0)))
    return Scores(how, mean, std)
