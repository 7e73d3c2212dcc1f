"""Fit and predict of two contenders in turn on one table."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.contenders import Contender
from benchmarks.measures import common
from benchmarks.pairing import summarise
from benchmarks.records import Case, Report
from benchmarks.settings import Settings
from benchmarks.tables import REAL

HELD_OUT = 0.2
AFFORDABLE = 0.2  # of the limit of a case, that a fit may take for the accuracy to be measured, too


def run(case: Case, settings: Settings, report: Report) -> None:
    """Measure ``fit`` and ``predict`` on all rows, and on a real table the accuracy on held-out ones.

    FOLD-R++ beside its authors' gives ``same_predictions``, too: the share of rows that both label alike.
    """
    report.stage("set-up")
    table = common.table(case.table, settings.data)
    learners = [common.contender(name, settings, table) for name in (case.baseline, case.contender)]
    for learner in learners:
        common.warm_up(learner, table)
    (X0, y0), (X1, y1) = prepared = [learner.prepare(table) for learner in learners]
    common.settle()
    first, second = learners
    report.stage("fit")
    fits = common.Calls(lambda: first.fit(X0, y0), lambda: second.fit(X1, y1))
    times = fits.time(settings.rounds)
    report.row(summarise(case, table.shape, "fit", times))
    report.stage("predict")
    models = fits.results
    predictions = common.Calls(lambda: first.predict(models[0], X0), lambda: second.predict(models[1], X1))
    report.row(summarise(case, table.shape, "predict", predictions.time(settings.rounds)))
    if {case.baseline, case.contender} == {"foldrpp", "foldrpp_authors"}:
        alike = np.mean(
            _is_positive(predictions.results[0], table) == _is_positive(predictions.results[1], table)
        )
        report.row(summarise(case, table.shape, "same_predictions", [(1.0, float(alike))], "share"))
    if case.table in REAL and sum(times[-1]) < AFFORDABLE * settings.limit:
        report.stage("accuracy")
        scores = [_accuracy(learner, *made) for learner, made in zip(learners, prepared, strict=True)]
        report.row(summarise(case, table.shape, "accuracy", [(scores[0], scores[1])], "share"))


def _is_positive(predicted: np.ndarray, table: Any) -> np.ndarray:
    """Return, as bool, which predictions are the table's positive label, whatever form they have."""
    return predicted == (1 if predicted.dtype.kind in "iub" else table.positive)


def _accuracy(learner: Contender, X: Any, y: Any) -> float:
    """Return the accuracy on a fifth of the rows of a model of the others."""
    rows = np.random.default_rng(0).permutation(len(y))
    n_test = int(HELD_OUT * len(y))
    train, test = rows[n_test:], rows[:n_test]
    model = learner.fit(learner.take(X, train), learner.take(y, train))
    predicted = learner.predict(model, learner.take(X, test))
    return float(np.mean(predicted == np.asarray(learner.take(y, test))))
