"""Peak extra memory of one fit, in a fresh process for each."""

from __future__ import annotations

import ctypes
import json
import resource
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.measures import common
from benchmarks.pairing import repeated, summarise
from benchmarks.records import Case, Report
from benchmarks.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
STATUS = Path("/proc/self/status")
CLEAR_PEAK = Path("/proc/self/clear_refs")


def run(case: Case, settings: Settings, report: Report) -> None:
    """Measure ``peak``, the memory that fit takes at its peak beyond what was in use before.

    The baseline is another contender, or, where it is ``codes``, the size of the encoded table.
    """
    report.stage("set-up")
    table = common.table(case.table, settings.data)
    shape = table.shape
    for name in {case.contender, case.baseline} - {"codes"}:
        common.contender(name, settings, table)
    del table
    common.table.cache_clear()

    def pair() -> tuple[float, float]:
        own = _in_a_process(case.table, case.contender, settings)
        if case.baseline == "codes":
            return own["codes"], own["peak"]
        return _in_a_process(case.table, case.baseline, settings)["peak"], own["peak"]

    report.stage("peak")
    pairs = repeated(pair, settings.memory_rounds)
    report.row(summarise(case, shape, "peak", pairs, "MB"))


def _in_a_process(table: str, contender: str, settings: Settings) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.measures.memory"],
        input=json.dumps(
            {"table": table, "contender": contender, "threads": settings.threads, "data": settings.data}
        ),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"ended with {done.returncode}"])[-1]
        raise RuntimeError(f"the process that measures memory failed: {last}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def measure(job: dict[str, Any]) -> dict[str, float]:
    """Return, in MB, the peak of one fit and the size of its codes (0 for other learners than ours)."""
    settings = Settings.make(False, job["threads"], job["data"])
    table = common.table(job["table"], job["data"])
    learner = common.contender(job["contender"], settings)
    common.warm_up(learner, table)
    X, y = learner.prepare(table)
    common.settle()
    give_back()
    before = _kilobytes("VmRSS")
    cleared = _clear_peak()
    peak_before = _kilobytes("VmHWM")
    model = learner.fit(X, y)
    peak = _kilobytes("VmHWM")
    del model
    # Without a peak that can be cleared, making the table may have needed more than fit: a lower bound.
    extra = peak - (before if cleared else peak_before)
    return {"peak": max(extra, 1) * 1024 / 1e6, "codes": _codes(table) if learner.module == "foldse" else 0.0}


def give_back() -> None:
    """Return freed memory to the system, so that fit cannot use it unseen."""
    with suppress(ImportError):
        import pyarrow

        pyarrow.default_memory_pool().release_unused()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _clear_peak() -> bool:
    try:
        CLEAR_PEAK.write_text("5")
    except OSError:
        return False
    return True


def _kilobytes(key: str) -> int:
    """Return memory in use, or its peak, in KB of 1024 bytes."""
    if STATUS.exists():
        for line in STATUS.read_text().splitlines():
            if line.startswith(f"{key}:"):
                return int(line.split()[1])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // 1024 if sys.platform == "darwin" else peak


def _codes(table: common.Table) -> float:
    from foldse.reading import read_columns
    from foldse.reading.encoding import encode

    encoded = encode(read_columns(table.X))
    return sum(encoded.codes(feature).nbytes for feature in range(len(encoded.features))) / 1e6


if __name__ == "__main__":
    print(json.dumps(measure(json.load(sys.stdin))))
