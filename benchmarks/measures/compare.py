"""Two contenders alternately on one table, and one contender on a table and on a part of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.contenders import Contender
from benchmarks.measures import common
from benchmarks.measures.pairing import alternate, summarise
from benchmarks.records import Case, Row
from benchmarks.settings import Settings
from benchmarks.tables import REAL, Table

HELD_OUT = 0.2
AFFORDABLE = 0.2  # share of a case's time limit that fits may take for the accuracy to be measured, too


def compare(case: Case, settings: Settings) -> Iterator[str | Row]:
    """Measure ``fit`` and ``predict`` on all rows, and on a real table the accuracy on held-out rows.

    FOLD-R++ against its authors' package also gives ``same_predictions``, the share of rows that both label
    alike.
    """
    table = common.table(case.table, settings.data)
    learners = [common.contender(name, settings, table) for name in (case.baseline, case.contender)]
    for learner in learners:
        learner.warm_up(table)
    (X0, y0), (X1, y1) = prepared = [learner.prepare(table) for learner in learners]
    common.settle()
    first, second = learners
    yield "fit"
    times, models = alternate(lambda: first.fit(X0, y0), lambda: second.fit(X1, y1), settings.rounds)
    yield summarise(case, table.shape, "fit", times)
    yield "predict"
    predict_times, predicted = alternate(
        lambda: first.predict(models[0], X0), lambda: second.predict(models[1], X1), settings.rounds
    )
    yield summarise(case, table.shape, "predict", predict_times)
    if {case.baseline, case.contender} == {"foldrpp", "foldrpp_authors"}:
        alike = np.mean(_is_positive(predicted[0], table) == _is_positive(predicted[1], table))
        yield summarise(case, table.shape, "same_predictions", [(1.0, float(alike))], "share")
    if case.table in REAL and sum(times[-1]) < AFFORDABLE * settings.limit:
        yield "accuracy"
        own, other = (_accuracy(learner, *made) for learner, made in zip(learners, prepared, strict=True))
        yield summarise(case, table.shape, "accuracy", [(own, other)], "share")


def growth(case: Case, settings: Settings) -> Iterator[str | Row]:
    """Measure ``fit`` on ``case.table``; the baseline is the same learner on the table ``case.baseline``."""
    large = common.table(case.table, settings.data)
    small = common.table(case.baseline, settings.data)
    learner = common.contender(case.contender, settings, large)
    learner.warm_up(small)
    (X0, y0), (X1, y1) = learner.prepare(small), learner.prepare(large)
    common.settle()
    yield "fit"
    times, _ = alternate(lambda: learner.fit(X0, y0), lambda: learner.fit(X1, y1), settings.rounds)
    yield summarise(case, large.shape, "fit", times)


def _is_positive(predicted: np.ndarray, table: Table) -> np.ndarray:
    """Return, as bool, which predictions are the table's positive label, whatever their type."""
    return predicted == (1 if predicted.dtype.kind in "iub" else table.positive)


def _accuracy(learner: Contender, X: Any, y: Any) -> float:
    """Return the accuracy on a fifth of the rows of a model of the others."""
    rows = np.random.default_rng(0).permutation(len(y))
    n_test = int(HELD_OUT * len(y))
    train, test = rows[n_test:], rows[:n_test]
    model = learner.fit(_take(X, train), _take(y, train))
    return float(np.mean(learner.predict(model, _take(X, test)) == np.asarray(_take(y, test))))


def _take(values: Any, rows: np.ndarray) -> Any:
    """Return some rows of a prepared table or of its labels."""
    if isinstance(values, pd.DataFrame | pd.Series):
        return values.iloc[rows].reset_index(drop=True)
    return [values[row] for row in rows] if isinstance(values, list) else values[rows]
