"""What a sweep shows while it runs: a bar in a terminal, one line per finished job elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from experiments.console import err, printable


class Reporter:
    """One line per finished job: for logs, and for the worker processes of a parallel launcher.

    Parameters
    ----------
    jobs : sequence of str
        What the sweep will run, in its order; empty where that is not known.
    sweep : bool
        Whether this is a sweep: a single run prints its own summary, and no line.
    """

    def __init__(self, jobs: Sequence[str] = (), sweep: bool = True) -> None:
        self.jobs = list(jobs)
        self.sweep = sweep
        self.console = err()
        self.done = 0
        self.broken = 0

    def start(self, job: str, folds: int) -> None:
        """A job begins."""

    def fold(self) -> None:
        """A fold of the job that runs has ended."""

    def end(self, line: str, good: bool) -> None:
        """A job has ended; `line` says what came of it."""
        self.done += 1
        self.broken += not good
        if not self.sweep:
            return
        if self.jobs:
            line = f"[{self.done:>{len(str(len(self.jobs)))}}/{len(self.jobs)}] {line}"
        self.console.print(line, style=None if good else "red", soft_wrap=True)

    def stop(self) -> None:
        """Leave the terminal as it was."""


class Live(Reporter):
    """Two bars: the jobs of the sweep with what is left, and the folds of the one that runs."""

    def __init__(self, jobs: Sequence[str] = (), sweep: bool = True) -> None:
        super().__init__(jobs, sweep)
        self.bars = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}", style="dim", markup=False),
            console=self.console,
            transient=True,
        )
        self.total: TaskID | None = None
        self.folds: TaskID | None = None

    def start(self, job: str, folds: int) -> None:
        if not self.bars.live.is_started:
            # Not before the first job: Hydra may still refuse the sweep, and prints why.
            if len(self.jobs) > 1:
                self.total = self.bars.add_task("jobs", total=len(self.jobs), left=self._left())
            self.bars.start()
        if self.folds is not None:
            self.bars.remove_task(self.folds)
        self.folds = self.bars.add_task(printable(job), total=folds, left="folds")

    def fold(self) -> None:
        if self.folds is not None:
            self.bars.advance(self.folds)

    def end(self, line: str, good: bool) -> None:
        super().end(line, good)
        if self.total is not None:
            self.bars.update(self.total, completed=self.done, left=self._left())

    def stop(self) -> None:
        self.bars.stop()

    def _left(self) -> str:
        left = self.jobs[self.done :]
        if not left:
            return ""
        broken = f"{self.broken} failed, " if self.broken else ""
        following = f", then {left[1]}" if len(left) > 1 else ""
        return f"{broken}{len(left)} left{following}"


_current: Reporter | None = None


def begin(jobs: Sequence[str] = (), sweep: bool = False) -> Reporter:
    """Make the reporter of this process."""
    global _current
    kind = Live if err().is_terminal else Reporter
    _current = kind(jobs, sweep)
    return _current


def current() -> Reporter:
    """Return the reporter of this process; a worker process of a sweep gets one that prints lines."""
    global _current
    if _current is None:
        _current = Reporter()
    return _current
