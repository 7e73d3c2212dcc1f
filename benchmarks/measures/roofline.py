"""FOLD-SE's phases beside one pass that counts every code of the table once.

The pass takes two forms: ``pass`` is the kernel of fit with the threads of fit, the fastest way to count that
we know; ``plain_loop`` is what one writes first, one column after another in one thread.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from benchmarks.measures import common
from benchmarks.measures.pairing import repeated, summarise
from benchmarks.measures.passes import kernel_pass, plain_loop
from benchmarks.records import Case, Row
from benchmarks.settings import Settings
from benchmarks.tables import WARM_ROWS
from foldse import FoldSEClassifier
from foldse.learning.training import TrainingData


class Phases(FoldSEClassifier):
    """FOLD-SE that notes when its table was encoded and learning began, and keeps codes and labels."""

    def _learn(self, data: TrainingData) -> None:
        self.began_learning = time.perf_counter()
        self.codes, self.labels = data.table, data.labels
        super()._learn(data)


def measure(case: Case, settings: Settings) -> Iterator[str | Row]:
    """Measure ``encode``, ``learn`` and their sum ``fit``; the baseline is a pass, in the same round.

    Encoding is all of `fit` before the search for rules: reading the frame and the labels, and the codes.
    Learning is the rest.
    """
    table = common.table(case.table, settings.data)
    head = table.head(WARM_ROWS)
    Phases().fit(head.X, head.y)
    fitted = Phases().fit(table.X, table.y)
    codes, labels = fitted.codes, fitted.labels
    count = {"pass": kernel_pass, "plain_loop": plain_loop}[case.baseline](codes, labels).count
    common.settle()
    rounds: list[tuple[float, float, float]] = []

    def round_() -> tuple[float, float]:
        model = Phases()
        start = time.perf_counter()
        model.fit(table.X, table.y)
        end = time.perf_counter()
        count()
        passed = time.perf_counter() - end
        rounds.append((model.began_learning - start, end - model.began_learning, passed))
        return passed, end - start

    round_()
    rounds.clear()  # that one only warmed up
    yield "fit"
    fits = repeated(round_, settings.rounds)
    encoded = [(passed, encode) for encode, _, passed in rounds]
    learned = [(passed, learn) for _, learn, passed in rounds]
    for name, pairs in (("encode", encoded), ("learn", learned), ("fit", fits)):
        yield summarise(case, table.shape, name, pairs)
