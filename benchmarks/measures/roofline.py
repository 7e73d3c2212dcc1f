"""FOLD-SE's phases beside one pass that counts every code of the table once."""

from __future__ import annotations

import dataclasses
import time
from typing import Any

import numpy as np

from benchmarks.measures import common
from benchmarks.pairing import repeated, summarise
from benchmarks.records import Case, Report
from benchmarks.settings import Settings
from foldse import FoldSEClassifier
from foldse.counting import count_codes


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
    n_codes = int(codes.offsets[-1])
    # Fit keeps no counters for columns of very many values; the pass counts them, too.
    codes = dataclasses.replace(codes, counter_starts=codes.offsets[:-1].copy(), n_counters=n_codes)
    rows = np.arange(len(table.y), dtype=np.int32)
    counts = np.zeros((n_codes, 2), dtype=np.int32)
    common.settle()
    rounds: list[tuple[float, float, float]] = []

    def round_() -> tuple[float, float]:
        model = Phases()
        start = time.perf_counter()
        model.fit(table.X, table.y)
        end = time.perf_counter()
        count_codes(codes, rows, None, counts, side=0, sign=1, limit=n_codes)
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
