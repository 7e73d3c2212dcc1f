"""The process in which cases are measured: reads a job, writes a line of JSON for each thing it finds.

Started by `benchmarks.runner`, so that a case that takes too long or crashes does not reach the others.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, TextIO

from benchmarks.measures import MEASURES
from benchmarks.measures.common import NotRunError
from benchmarks.other_work import OtherWork
from benchmarks.records import FAILED, MISSING, Case, Report, Row
from benchmarks.settings import Settings
from benchmarks.tables import MissingTableError

ROOT: Final = Path(__file__).resolve().parents[1]


def main() -> None:
    """Run the cases that standard input names, one after the other."""
    job: dict[str, Any] = json.load(sys.stdin)
    settings = Settings.make(job["quick"], job["threads"], job["data"], job["limit"])
    # Libraries print what they like to standard output: that goes to the log, beside standard error.
    with os.fdopen(os.dup(1), "w") as channel:
        os.dup2(2, 1)
        for fields in job["cases"]:
            _run(Case(**fields), settings, channel)


def _run(case: Case, settings: Settings, channel: TextIO) -> None:
    stage = "set-up"
    work = OtherWork()

    def tell(**message: Any) -> None:
        channel.write(json.dumps(message) + "\n")
        channel.flush()

    def begin(name: str) -> None:
        nonlocal stage
        stage = name
        work.since()
        tell(stage=name)

    def found(row: Row) -> None:
        tell(row=asdict(replace(row, other_work=work.since())))

    try:
        MEASURES[case.benchmark](case, settings, Report(begin, found))
    except MissingTableError as error:
        found(Row.without_figures(case, stage, MISSING, str(error)))
    except NotRunError as error:
        found(Row.without_figures(case, stage, error.status, str(error)))
    except Exception as error:
        traceback.print_exc()
        found(Row.without_figures(case, stage, FAILED, _one_line(error, settings)))
    tell(done=True)


def _one_line(error: Exception, settings: Settings) -> str:
    """Return the first line of an error, without the names of this machine's folders."""
    lines = str(error).strip().splitlines()
    text = f"{type(error).__name__}: {lines[0] if lines else ''}".rstrip(": ")
    for folder in filter(None, (settings.data, str(ROOT), sys.prefix, str(Path.home()))):
        text = text.replace(folder, "...")
    return text


if __name__ == "__main__":
    main()
