"""FOLD-SE's phases beside one pass that counts every code of the table once."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from benchmarks.measures import common
from benchmarks.pairing import repeated, summarise
from benchmarks.records import Case, Report
from benchmarks.settings import Settings
from foldse import FoldSEClassifier
from foldse.cellplan import NUMBERS, ROW, SIZE, CellPlan
from foldse.counting import NO_ROWS, Change, Part, on_features


class Phases(FoldSEClassifier):
    """FOLD-SE that notes when its table was encoded and learning began, and keeps the codes."""

    def _learn(self, *arguments: Any) -> None:
        self.began_learning = time.perf_counter()
        self.codes = arguments[0]
        super()._learn(*arguments)


def run(case: Case, settings: Settings, report: Report) -> None:
    """Measure ``encode``, ``learn`` and their sum ``fit``; the baseline is the pass, in the same round.

    Encoding is all of `fit` before the search for rules: reading the frame and the labels, and the codes.
    Learning is the rest. The pass adds each row to the counter of its code, for every column, with the
    kernel, the codes and the threads that learning uses.
    """
    report.stage("set-up")
    table = common.table(case.table, settings.data)
    head = table.head(common.WARM_ROWS)
    Phases().fit(head.X, head.y)
    codes = Phases().fit(table.X, table.y).codes
    # Fit counts columns of many numbers in runs of these; the pass counts every code.
    features = codes.plan.features
    plan = CellPlan.of(
        features[:, ROW], features[:, SIZE], features[:, NUMBERS], codes.n_rows, most_runs=None
    )
    counts = np.zeros((2, plan.n_cells), dtype=np.int32)
    everything = Change((np.arange(codes.n_rows, dtype=np.uint32), NO_ROWS))

    def count(parts: list[Part]) -> None:
        for block, members in parts:
            everything.apply(block, members, plan, plan.n_cells, None, counts)

    common.settle()
    rounds: list[tuple[float, float, float]] = []

    def round_() -> tuple[float, float]:
        model = Phases()
        start = time.perf_counter()
        model.fit(table.X, table.y)
        end = time.perf_counter()
        on_features(codes, codes.n_rows * len(features), count)
        passed = time.perf_counter() - end
        rounds.append((model.began_learning - start, end - model.began_learning, passed))
        return passed, end - start

    round_()
    rounds.clear()  # that one only warmed up
    report.stage("fit")
    fits = repeated(round_, settings.rounds)
    for measure, pairs in (
        ("encode", [(passed, encoded) for encoded, _, passed in rounds]),
        ("learn", [(passed, learned) for _, learned, passed in rounds]),
        ("fit", fits),
    ):
        report.row(summarise(case, table.shape, measure, pairs))
