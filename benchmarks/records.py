"""What is measured and what comes of it: cases, rows of results, and the CSV file that keeps them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pandas as pd

OK = "ok"
OVER_LIMIT = "over the limit"
FAILED = "failed"
SKIPPED = "skipped"  # the table is larger than the contender is run on
MISSING = "missing"  # a data file or a package that is not available
STOPPED = "stopped"  # its process was ended by someone else
RETRIED = (MISSING, STOPPED)  # what the next run tries again


class NotRunError(Exception):
    """A case that is not run; the message is one line.

    Attributes
    ----------
    status : str
        `SKIPPED` or `MISSING`.
    """

    def __init__(self, status: str, message: str):
        super().__init__(message)
        self.status = status


class Case(NamedTuple):
    """One thing to measure, in a process of its own.

    Attributes
    ----------
    benchmark : str
        A key of `benchmarks.measures.MEASURES`.
    table : str
        Name of a table, see `benchmarks.tables.load`; empty where there is none.
    contender : str
        The learner that is measured, a key of `benchmarks.contenders.CONTENDERS`.
    baseline : str
        What ratios are relative to: another contender or, depending on the benchmark, a smaller table or a
        pass over the codes.
    """

    benchmark: str
    table: str
    contender: str
    baseline: str


class Row(NamedTuple):
    """One line of results.csv: a measure of the contender, of the baseline, and their ratio.

    Attributes
    ----------
    benchmark, table, contender, baseline : str
        As in `Case`.
    rows, columns : int
        Size of the table, without the label.
    measure : str
        Such as ``fit`` or ``predict``.
    unit : str
        Of median, min and max: ``s``, ``MB`` or ``share``.
    median, min, max : float
        Of the contender, over `n` repeats. Figures that are missing are NaN.
    baseline_median, baseline_min, baseline_max : float
        Of the baseline, over the same repeats.
    ratio, ratio_min, ratio_max : float
        Median and extremes of contender / baseline, taken pair by pair.
    n : int
        Number of repeats.
    other_work : float
        Share of the processors that other programs used meanwhile, from 0 to 1.
    status : str
        `OK`, or why there are no figures.
    note : str
        More about the status.
    """

    benchmark: str
    table: str
    rows: int
    columns: int
    contender: str
    baseline: str
    measure: str
    unit: str = ""
    median: float = math.nan
    min: float = math.nan
    max: float = math.nan
    baseline_median: float = math.nan
    baseline_min: float = math.nan
    baseline_max: float = math.nan
    ratio: float = math.nan
    ratio_min: float = math.nan
    ratio_max: float = math.nan
    n: int = 0
    other_work: float = math.nan
    status: str = OK
    note: str = ""

    @property
    def case(self) -> Case:
        """The case that the row belongs to."""
        return Case(self.benchmark, self.table, self.contender, self.baseline)


def without_figures(case: Case, measure: str, status: str, note: str, shape: tuple[int, int] = (0, 0)) -> Row:
    """Return the row of a case, or of a part of it, that gave no figures."""
    benchmark, table, contender, baseline = case
    return Row(benchmark, table, *shape, contender, baseline, measure, status=status, note=note)


def read(path: Path) -> list[Row]:
    """Return the rows of a file of results, none if there is no such file."""
    if not path.exists():
        return []
    figures = [name for name, default in Row._field_defaults.items() if isinstance(default, float)]
    frame = pd.read_csv(path, keep_default_na=False, na_values={name: [""] for name in figures})
    return [Row(*values) for values in frame[list(Row._fields)].itertuples(index=False, name=None)]


def write(path: Path, rows: Iterable[Row]) -> None:
    """Write a file of results, figures to six digits; an interrupted call leaves the old file."""
    part = path.with_suffix(".part")
    frame = pd.DataFrame(list(rows), columns=list(Row._fields))
    frame.to_csv(part, index=False, float_format="%.6g", lineterminator="\n")
    part.replace(path)


def finished(rows: Iterable[Row]) -> set[Case]:
    """Return the cases that need not be run again: nothing was missing and nobody stopped them."""
    rows = list(rows)
    return {row.case for row in rows} - {row.case for row in rows if row.status in RETRIED}
