"""Peak extra memory of one fit, in a fresh process for each."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict

from benchmarks.measures import common
from benchmarks.measures.pairing import repeated, summarise
from benchmarks.records import Case, Row
from benchmarks.settings import Settings
from benchmarks.tables import Table
from experiments.running import memory
from foldse.reading.encoding import encode
from foldse.reading.values import read_columns

MB = 1e6  # bytes


def measure(case: Case, settings: Settings) -> Iterator[str | Row]:
    """Measure ``peak``, the largest amount of memory that fit takes beyond what was in use before.

    The baseline is another contender, or, for ``codes``, the size of the encoded table.
    """
    table = common.table(case.table, settings.data)
    shape = table.shape
    for name in {case.contender, case.baseline} - {"codes"}:
        common.contender(name, settings, table)
    del table
    common.table.cache_clear()

    def figures(contender: str) -> dict[str, float]:
        job = {"table": case.table, "contender": contender, "settings": asdict(settings)}
        found: dict[str, float] = common.in_new_process("-m", __name__, text=json.dumps(job))
        return found

    def pair() -> tuple[float, float]:
        own = figures(case.contender)
        return own["codes"] if case.baseline == "codes" else figures(case.baseline)["peak"], own["peak"]

    yield "peak"
    yield summarise(case, shape, "peak", repeated(pair, settings.process_rounds), "MB")


def measure_here(name: str, contender: str, settings: Settings) -> dict[str, float]:
    """Return, in MB of 10**6 bytes, the peak of one fit and the size of the codes (0 for other learners)."""
    table = common.table(name, settings.data)
    learner = common.contender(contender, settings)
    learner.warm_up(table)
    X, y = learner.prepare(table)
    common.settle()
    release_arrow_memory()
    peak = memory.Peak()
    model = learner.fit(X, y)
    extra = peak.mb() * memory.MB / MB
    del model
    return {"peak": max(extra, 1024 / MB), "codes": _codes(table) if learner.package == "foldse" else 0.0}


def release_arrow_memory() -> None:
    """Return what Arrow has freed to the system, so that fit cannot use it unnoticed."""
    with suppress(ImportError):
        import pyarrow

        pyarrow.default_memory_pool().release_unused()


def _codes(table: Table) -> float:
    encoded = encode(read_columns(table.X))
    return sum(encoded.codes(feature).nbytes for feature in range(len(encoded.features))) / MB


if __name__ == "__main__":
    given = json.load(sys.stdin)
    print(json.dumps(measure_here(given["table"], given["contender"], Settings(**given["settings"]))))
