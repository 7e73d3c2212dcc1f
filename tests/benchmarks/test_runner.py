"""Cases are measured in real worker processes, on tables of a few rows."""

import math
import multiprocessing
import os
import signal
import threading
import time

import pytest

from benchmarks import measures, runner
from benchmarks.records import FAILED, MISSING, OK, OVER_LIMIT, STOPPED, Case
from benchmarks.settings import Settings

COMPARE = Case("compare", "mixed_200x5", "foldrpp", "foldse")


def measured(tmp_path, *cases, **settings):
    given = Settings(quick=True, threads=2, data="", pair_seconds=0.1, **settings)
    return [(case, rows) for case, rows, _ in runner.run(cases, given, tmp_path / "log")]


def test_rows_of_every_measure(tmp_path):
    cases = [
        COMPARE,
        Case("growth", "mixed_400x5", "foldse", "mixed_200x5"),
        Case("roofline", "mixed_200x5", "foldse", "pass"),
        Case("memory", "mixed_200x5", "foldse", "codes"),
    ]
    found = measured(tmp_path, *cases, limit_seconds=900)
    assert [case for case, _ in found] == cases
    assert [[row.measure for row in rows] for _, rows in found] == [
        ["fit", "predict"],
        ["fit"],
        ["encode", "learn", "fit"],
        ["peak"],
    ]
    for case, rows in found:
        for row in rows:
            assert (row.case, row.status, row.rows) == (case, OK, int(case.table[6:9]))
            assert 0 < row.min <= row.median <= row.max
            assert 0 <= row.other_work <= 1


def test_a_case_without_its_file_or_over_its_limit_does_not_stop_the_others(tmp_path):
    late = Case("compare", "mixed_41600x24", "ripper", "foldse")  # RIPPER takes twenty seconds or more
    missing, slow, fast = measured(
        tmp_path, Case("compare", "adult", "xgboost", "foldse"), late, COMPARE, limit_seconds=10
    )
    assert [(row.status, row.measure) for row in missing[1]] == [(MISSING, "set-up")]
    assert [(row.status, row.note) for row in slow[1]] == [(OVER_LIMIT, "ended after 10 s")]
    assert [row.status for row in fast[1]] == [OK, OK]


def failing(error):
    """Return a measure that fails as a learner can."""

    def measure(*_):
        yield "fit"
        raise error

    return measure


@pytest.mark.parametrize(
    ("error", "note"),
    [
        (ValueError("first line\nsecond"), "ValueError: first line"),
        (RuntimeError(f"no {runner.ROOT}/x"), "RuntimeError: no .../x"),
        (MemoryError(), "MemoryError"),
    ],
)
def test_an_error_becomes_a_row_of_its_stage(monkeypatch, error, note):
    monkeypatch.setitem(measures.MEASURES, "compare", failing(error))
    run = runner.CaseRunner.__new__(runner.CaseRunner)  # its constructor sends all output to the log
    run.settings, run.work = Settings(quick=True, threads=1, data=""), runner.OtherWork()
    assert run(COMPARE) == "fit"
    row = run(None)
    assert (row.case, row.measure, row.status, row.note) == (COMPARE, "fit", FAILED, note)
    assert math.isnan(row.ratio)
    assert run(None) is None


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, STOPPED), (signal.SIGKILL, FAILED)])
def test_a_process_that_was_ended_becomes_a_row_and_is_replaced(tmp_path, number, status):
    def end_the_worker():
        while not (workers := multiprocessing.active_children()):
            time.sleep(0.01)
        os.kill(workers[0].pid, number)

    thread = threading.Thread(target=end_the_worker)
    thread.start()
    late = COMPARE._replace(table="mixed_300000x24")
    (_, ended), (_, rows) = measured(tmp_path, late, COMPARE, limit_seconds=900)
    thread.join()
    assert (ended[-1].case, ended[-1].status) == (late, status)
    assert ended[-1].note == f"the worker process was ended by {number.name}"
    assert [row.status for row in rows] == [OK, OK]
