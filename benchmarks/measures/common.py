"""What the measures share."""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.contenders import CONTENDERS, Contender
from benchmarks.pairing import Rounds, alternate
from benchmarks.records import MISSING, SKIPPED
from benchmarks.settings import Settings
from benchmarks.tables import Table, load

WARM_ROWS = 1_000


class NotRunError(Exception):
    """A case that is not run; the message is one line.

    Attributes
    ----------
    status : str
        `benchmarks.records.SKIPPED` or `MISSING`.
    """

    def __init__(self, status: str, message: str):
        super().__init__(message)
        self.status = status


@functools.lru_cache(maxsize=1)
def table(name: str, data: str) -> Table:
    """Return a table; the last one is kept, since cases of one table follow each other."""
    return load(name, data)


def contender(name: str, settings: Settings, on: Table | None = None) -> Contender:
    """Make a contender.

    Raises
    ------
    NotRunError
        If it is not installed, or is not run on a table of this size.
    """
    kind = CONTENDERS[name]
    if not kind.is_installed():
        raise NotRunError(MISSING, f"the package {kind.module} is not installed")
    made = kind(settings.threads)
    if on is not None and kind.max_cells is not None:
        cells = made.cells(on)
        if cells > kind.max_cells:
            raise NotRunError(SKIPPED, f"{cells:.1e} cells, it is run up to {kind.max_cells:.1e}")
    return made


def warm_up(learner: Contender, on: Table) -> None:
    """Run a learner on the first rows: its imports, compiled kernels and threads are there afterwards."""
    X, y = learner.prepare(on.head(WARM_ROWS))
    learner.predict(learner.fit(X, y), X)


def settle() -> None:
    """Take what is there out of the sight of the garbage collector, so that no call pays for it."""
    gc.collect()
    gc.freeze()


class Calls:
    """Two calls that are timed in turn, and what each returned last."""

    def __init__(self, first: Callable[[], Any], second: Callable[[], Any]):
        self._calls = (first, second)
        self.results: list[Any] = [None, None]

    def time(self, rounds: Rounds) -> Sequence[tuple[float, float]]:
        """Return the seconds of each pair of calls."""
        return alternate(lambda: self._call(0), lambda: self._call(1), rounds)

    def _call(self, which: int) -> None:
        self.results[which] = None  # what the last call left does not count as memory in use
        self.results[which] = self._calls[which]()
