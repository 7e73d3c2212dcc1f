"""Runs cases in worker processes, ends those that take too long, and hands on the rows of each case."""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Final

from benchmarks.measures import MEASURES
from benchmarks.measures.other_work import OtherWork
from benchmarks.records import FAILED, OVER_LIMIT, STOPPED, Case, NotRunError, Row, without_figures
from benchmarks.settings import Settings
from experiments.running.worker import Limits, StoppedError, Worker

ROOT: Final = Path(__file__).resolve().parents[1]
THREAD_VARIABLES: Final = (
    "NUMBA_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
)
STOP_SIGNALS: Final = ("SIGTERM", "SIGINT")


def run(cases: Sequence[Case], settings: Settings, log: Path) -> Iterator[tuple[Case, list[Row], float]]:
    """Run cases and yield each with its rows and the seconds that it took, as soon as it ends.

    Each case has a process of its own; in a quick run those of one table share one.

    Parameters
    ----------
    cases : sequence of Case
    settings : Settings
    log : path
        File to which the output of the processes is appended.
    """
    # The processes inherit these. The authors' FOLD-R++ iterates over sets: the hash seed fixes its order.
    os.environ.update(dict.fromkeys(THREAD_VARIABLES, str(settings.threads)), PYTHONHASHSEED="0")
    for _, batch in groupby(cases, key=lambda case: case.table if settings.quick else case):
        with Worker(CaseRunner, (settings, str(log)), Limits()) as worker:
            for case in batch:
                start = time.monotonic()
                yield case, _rows(worker, case, settings.limit), time.monotonic() - start


def _rows(worker: Worker, case: Case, limit: float) -> list[Row]:
    """Return the rows of a case, the last one without figures if its process was ended."""
    rows: list[Row] = []
    stage = "set-up"
    deadline = time.monotonic() + limit
    work: Case | None = case
    try:
        while True:
            worker.limits = replace(worker.limits, seconds=max(1e-3, deadline - time.monotonic()))
            found = worker.call(work)
            work = None
            if found is None:
                return rows
            if isinstance(found, str):
                stage = found
            else:
                rows.append(found)
    except StoppedError as error:
        status, note = FAILED, str(error)
        if error.status == "timeout":
            status, note = OVER_LIMIT, f"ended after {limit:g} s"
        elif note.endswith(STOP_SIGNALS):
            status = STOPPED
        shape = (rows[0].rows, rows[0].columns) if rows else (0, 0)
        return [*rows, without_figures(case, stage, status, note, shape)]


class CaseRunner:
    """Measures cases in a worker process; each call returns the next stage or row of a case.

    Parameters
    ----------
    settings : Settings
    log : str
        File to which everything that libraries print is appended.
    """

    def __init__(self, settings: Settings, log: str) -> None:
        self.settings = settings
        self.work = OtherWork()
        with open(log, "a") as file:
            for output in (1, 2):
                os.dup2(file.fileno(), output)

    def __call__(self, case: Case | None) -> str | Row | None:
        """Begin a case, or go on with it.

        Parameters
        ----------
        case : Case or None
            None goes on.

        Returns
        -------
        str, Row or None
            The stage that begins, a row that was found, or None at the end of the case.
        """
        if case is not None:
            self.case, self.stage = case, "set-up"
            self.steps = MEASURES[case.benchmark](case, self.settings)
            self.work.since()
        try:
            found = next(self.steps, None)
        except NotRunError as error:
            found = without_figures(self.case, self.stage, error.status, str(error))
        except Exception as error:
            traceback.print_exc()
            found = without_figures(self.case, self.stage, FAILED, self._one_line(error))
        if found is None:
            return None
        share = self.work.since()
        if isinstance(found, str):
            self.stage = found
            return found
        return found._replace(other_work=share)

    def _one_line(self, error: Exception) -> str:
        """Return the first line of an error, without the names of this machine's folders."""
        text = traceback.format_exception_only(error)[0].strip().splitlines()[0]
        for folder in filter(None, (self.settings.data, str(ROOT), sys.prefix, str(Path.home()))):
            text = text.replace(folder, "...")
        return text
