"""Runs cases in processes of their own, ends those that take too long, and hands on each case's rows."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, Final

from benchmarks.records import FAILED, OVER_LIMIT, STOPPED, Case, Row
from benchmarks.settings import Settings

ROOT: Final = Path(__file__).resolve().parents[1]
THREAD_VARIABLES: Final = (
    "NUMBA_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
)
STOP_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


def run(cases: Sequence[Case], settings: Settings, log: Path) -> Iterator[tuple[Case, list[Row], float]]:
    """Run cases and yield each with its rows and the seconds that it took, as soon as it ends.

    Parameters
    ----------
    cases : sequence of Case
    settings : Settings
    log : path
        File to which what the processes print is appended.
    """
    for batch in _batches(cases, settings.together):
        remaining = list(batch)
        while remaining:
            # A process that had to be ended leaves the rest of its batch to a new one.
            for case, rows, seconds in _run_process(tuple(remaining), settings, log):
                remaining.remove(case)
                yield case, rows, seconds


def _batches(cases: Sequence[Case], together: bool) -> list[list[Case]]:
    batches: list[list[Case]] = []
    for case in cases:
        if together and batches and batches[-1][0].table == case.table:
            batches[-1].append(case)
        else:
            batches.append([case])
    return batches


def _run_process(
    cases: Sequence[Case], settings: Settings, log: Path
) -> Iterator[tuple[Case, list[Row], float]]:
    job = {
        "quick": settings.quick,
        "threads": settings.threads,
        "data": settings.data,
        "limit": settings.limit,
        "cases": [asdict(case) for case in cases],
    }
    threads = {variable: str(settings.threads) for variable in THREAD_VARIABLES}
    with log.open("a") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            cwd=ROOT,
            # The authors' FOLD-R++ goes through sets: with this seed it chooses the same every time.
            env={**os.environ, **threads, "PYTHONHASHSEED": "0"},
            start_new_session=True,
        )
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            with suppress(BrokenPipeError):
                process.stdin.write(json.dumps(job))
                process.stdin.close()
            lines = _lines(process.stdout)
            for case in cases:
                start = time.monotonic()
                rows, ended = _read_case(case, lines, settings.limit, process)
                yield case, rows, time.monotonic() - start
                if ended:
                    return
        finally:
            _end(process)


def _read_case(
    case: Case, lines: queue.Queue[str | None], limit: float, process: subprocess.Popen[str]
) -> tuple[list[Row], bool]:
    """Collect the rows of a case; return them and whether its process has ended with it."""
    rows: list[Row] = []
    stage = "set-up"
    deadline = time.monotonic() + limit
    while True:
        try:
            line = lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            note = f"ended after {limit:g} s"
            return [*rows, Row.without_figures(case, stage, OVER_LIMIT, note, _shape(rows))], True
        if line is None:
            code = process.wait()
            status = STOPPED if -code in STOP_SIGNALS else FAILED
            note = f"its process ended by signal {-code}" if code < 0 else f"its process ended with {code}"
            return [*rows, Row.without_figures(case, stage, status, note, _shape(rows))], True
        message: dict[str, Any] = json.loads(line)
        if "stage" in message:
            stage = message["stage"]
        elif "row" in message:
            rows.append(Row(**message["row"]))
            assert rows[-1].case == case
        else:
            return rows, False


def _shape(rows: Sequence[Row]) -> tuple[int, int]:
    return (rows[0].rows, rows[0].columns) if rows else (0, 0)


def _lines(stream: IO[str]) -> queue.Queue[str | None]:
    """Return a queue of the lines of a stream, None at its end, so that they can be waited for in time."""
    found: queue.Queue[str | None] = queue.Queue()

    def read() -> None:
        for line in stream:
            found.put(line)
        found.put(None)

    threading.Thread(target=read, daemon=True).start()
    return found


def _end(process: subprocess.Popen[str]) -> None:
    """End a process and those that it started; it leads a group of its own."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
