"""Fit on a table and on a smaller one alternately: how time grows with the rows."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measures import common
from benchmarks.measures.pairing import alternate, summarise
from benchmarks.records import Case, Row
from benchmarks.settings import Settings


def measure(case: Case, settings: Settings) -> Iterator[str | Row]:
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
