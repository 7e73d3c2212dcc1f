"""What can become of a fold, a run or a row of a table, each status written once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Status:
    """What is known of a status.

    Attributes
    ----------
    name : str
        As stored and shown.
    finished : bool
        Whether it is a result, so that the job is not run again: a fold over a limit is one, like the paper's
        NA. What else went wrong may have been the machine.
    note : str
        What a table says of it below; empty where its name says all.
    """

    name: str
    finished: bool = False
    note: str = ""


OK: Final = "ok"
FAILED: Final = "failed"
TIMEOUT: Final = "timeout"
OUT_OF_MEMORY: Final = "out of memory"
CRASHED: Final = "crashed"
NOT_APPLICABLE: Final = "not applicable"
NOT_INSTALLED: Final = "not installed"
NOT_TRIED: Final = "not tried"
NOT_RUN: Final = "not run"
RUNNING: Final = "running"
BAD_INPUT: Final = "bad input"

# In the order of the notes below a table.
STATUSES: Final = {
    status.name: status
    for status in (
        Status(OK, finished=True),
        Status(NOT_RUN, note="there is no run of it, for instance because the data file is not available"),
        Status(TIMEOUT, finished=True, note="a fold exceeded its time limit"),
        Status(OUT_OF_MEMORY, finished=True, note="a fold exceeded its memory limit, or the machine's"),
        Status(
            NOT_APPLICABLE,
            finished=True,
            note="the learner does not take as many classes as the data set has",
        ),
        Status(NOT_INSTALLED, note="a package that the learner needs is missing"),
        Status(FAILED, note="the learner raised an error; the run's log has it"),
        Status(CRASHED, note="the learner ended its process"),
        Status(NOT_TRIED, note="an earlier fold exceeded its time limit"),
        Status(BAD_INPUT),  # leaves no run
        Status(RUNNING),  # in no table
    )
}
FINISHED: Final = tuple(status.name for status in STATUSES.values() if status.finished)
