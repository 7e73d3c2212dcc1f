"""How good predictions are: on rows held out, in folds, and on given rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd

from foldse.cli.errors import CommandError
from foldse.cli.problem import Constant, Problem

__all__ = [
    "METRICS",
    "Fold",
    "Scores",
    "averaged",
    "folds",
    "hold_out",
    "metrics",
    "predictions",
    "run_folds",
]

METRICS = ("accuracy", "precision", "recall", "f1")
Part = tuple[np.ndarray, np.ndarray]  # the rows to learn from, and the rows to score on


def metrics(y: Any, predicted: Any, positive: Any = None, weights: Any = None) -> dict[str, float]:
    """Return accuracy, precision, recall and F1.

    Parameters
    ----------
    y, predicted : array-like of shape (n_rows,)
        None is predicted for a row without a label, which is wrong, and is no label of its own.
    positive : object, optional
        The label that precision, recall and F1 are of; None takes the mean over the labels.
    weights : array-like of shape (n_rows,), optional

    Returns
    -------
    dict of str to float
        NaN where a score is not defined: the recall of a label that no row has, and precision and F1 of
        one that is not predicted either. A mean over labels leaves these out. The precision of a label that
        some rows have and that is never predicted is 0.
    """
    from sklearn.metrics import accuracy_score, precision_recall_fscore_support

    # As positions of labels: scikit-learn is not to guess from their types.
    positions, labels = pd.factorize(pd.Series([*pd.Series(y).tolist(), *pd.Series(predicted).tolist()]))
    given, found = positions[: len(y)], positions[len(y) :]
    wanted: Sequence[int] = range(len(labels))
    if positive is not None:
        wanted = [next((place for place, label in enumerate(labels) if label == positive), len(labels))]
    precision, recall, f1, support = precision_recall_fscore_support(
        given, found, labels=wanted, average=None, sample_weight=weights, zero_division=np.nan
    )
    precision[np.isnan(precision) & (support > 0)] = 0
    accuracy = accuracy_score(given, found, sample_weight=weights)
    return {
        "accuracy": float(accuracy),
        "precision": _mean(precision),
        "recall": _mean(recall),
        "f1": _mean(f1),
    }


def predictions(clf: Any, X: pd.DataFrame) -> list[Any]:
    """Return the predicted labels; None where the model abstains, whatever it says there."""
    predicted = np.asarray(clf.predict(X)).tolist()
    rules = getattr(clf, "rules_", None)
    if rules is None or rules.otherwise in rules.classes:
        return predicted
    return [None if label == rules.otherwise else label for label in predicted]


def _mean(values: Iterable[float]) -> float:
    """Return the mean of what is defined; NaN if nothing is."""
    defined = [value for value in values if not math.isnan(value)]
    return float(np.mean(defined)) if defined else math.nan


@dataclass(frozen=True, slots=True)
class Fold:
    """What was learned from a part of the rows, and its scores on another."""

    model: Any
    scores: dict[str, float]
    fit_seconds: float
    without_label: int = 0


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores on rows that were not learned from.

    Attributes
    ----------
    how : str
        Which rows these were, in words.
    mean : dict of str to float
        Of each metric, over the folds in which it is defined; NaN if there are none.
    std : dict of str to float
        Population standard deviation over the same folds; empty for a single hold-out.
    undefined : dict of str to int
        Number of folds in which a metric is not defined, if there are any.
    without_label : int
        Number of rows for which the model abstains, in all folds; they count as wrong.
    """

    how: str
    mean: dict[str, float]
    std: dict[str, float]
    undefined: dict[str, int]
    without_label: int = 0


def averaged(results: Sequence[Fold], how: str) -> Scores:
    """Return the means over folds, each over those in which the metric is defined."""
    values = {metric: [fold.scores[metric] for fold in results] for metric in METRICS}
    defined = {metric: [value for value in of if not math.isnan(value)] for metric, of in values.items()}
    mean = {metric: _mean(of) for metric, of in defined.items()}
    std = {metric: float(np.std(of)) if of else math.nan for metric, of in defined.items()}
    missing = {metric: len(results) - len(of) for metric, of in defined.items() if len(of) < len(results)}
    abstained = sum(fold.without_label for fold in results)
    return Scores(how, mean, std if len(results) > 1 else {}, missing, abstained)


def hold_out(problem: Problem, share: float, seed: int) -> tuple[Part, str]:
    """Return rows to learn from and a share of the rows to score on, and in words which these are.

    Raises
    ------
    CommandError
        If there are too few rows.
    """
    from sklearn.model_selection import train_test_split

    n_rows = len(problem.y)
    n_test = math.ceil(share * n_rows)
    if n_test >= n_rows:
        raise CommandError(f"{n_rows} rows are too few to hold some out; give --no-score")
    counts = problem.y.value_counts()
    stratified = counts.min() >= 2 and min(n_test, n_rows - n_test) >= len(counts)
    learned, held = train_test_split(
        np.arange(n_rows), test_size=n_test, random_state=seed, stratify=problem.y if stratified else None
    )
    how = f"held out {n_test:,} of {n_rows:,} rows ({'stratified, ' if stratified else ''}seed {seed})"
    return (learned, held), how


def folds(problem: Problem, n_folds: int, seed: int) -> tuple[list[Part], str]:
    """Return stratified, shuffled folds, and in words what they are.

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
    parts = list(splitter.split(problem.X, pd.factorize(problem.y, sort=True)[0]))
    return parts, f"{n_folds}-fold cross-validation (stratified, seed {seed})"


def run_folds(
    clf: Any, problem: Problem, parts: Sequence[Part], advance: Callable[[], None] = lambda: None
) -> Iterator[Fold]:
    """Fit and score a classifier in each part; what learns from rows of one label predicts that label.

    Parameters
    ----------
    clf : classifier
        Not changed.
    problem : Problem
        Its positive label is that of every part.
    parts : sequence of pairs of ndarray
    advance : callable
        Called after each part.
    """
    from sklearn.base import clone

    for learned, held in parts:
        y = problem.y.iloc[learned]
        fresh = clone(clf) if y.nunique() > 1 else Constant()
        if "pos_label" in fresh.get_params() and problem.positive is not None:
            fresh.set_params(pos_label=problem.positive)
        X, weights = problem.X.iloc[learned], problem.weights
        start = perf_counter()
        fresh.fit(X, y, sample_weight=None if weights is None else weights[learned])
        seconds = perf_counter() - start
        predicted = predictions(fresh, problem.X.iloc[held])
        held_weights = None if weights is None else weights[held]
        scores = metrics(problem.y.iloc[held], predicted, problem.positive, held_weights)
        yield Fold(fresh, scores, seconds, predicted.count(None))
        advance()
