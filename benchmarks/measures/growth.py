"""Fit on a table and on a smaller one in turn: how time grows with the rows."""

from __future__ import annotations

from benchmarks.measures import common
from benchmarks.pairing import summarise
from benchmarks.records import Case, Report
from benchmarks.settings import Settings


def run(case: Case, settings: Settings, report: Report) -> None:
    """Measure ``fit`` on ``case.table``; the baseline is the same learner on the table ``case.baseline``."""
    report.stage("set-up")
    large = common.table(case.table, settings.data)
    small = common.table(case.baseline, settings.data)
    learner = common.contender(case.contender, settings, large)
    common.warm_up(learner, small)
    (X0, y0), (X1, y1) = learner.prepare(small), learner.prepare(large)
    common.settle()
    report.stage("fit")
    fits = common.Calls(lambda: learner.fit(X0, y0), lambda: learner.fit(X1, y1))
    report.row(summarise(case, large.shape, "fit", fits.time(settings.rounds)))
