"""Looking rows up, and what tables and plots show of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from benchmarks.contenders import CONTENDERS
from benchmarks.plan import PARKINSON
from benchmarks.records import OK, Case, Row
from benchmarks.tables import GENERATED

# In the order of tables and plots.
SHOWN: Final = tuple(name for name in CONTENDERS if name != "foldse")


class Results:
    """The rows of a run.

    Parameters
    ----------
    rows : sequence of Row
    """

    def __init__(self, rows: Sequence[Row]):
        self.rows = list(rows)
        self._by_case: dict[Case, list[Row]] = {}
        for row in self.rows:
            self._by_case.setdefault(row.case, []).append(row)

    def find(self, benchmark: str, table: str, contender: str, baseline: str, measure: str) -> Row | None:
        """Return the row of a measure, or, where there is none, the row that says why the case has none."""
        found = self._by_case.get(Case(benchmark, table, contender, baseline), [])
        measured = [row for row in found if row.status == OK and row.measure == measure]
        return next(iter(measured or [row for row in found if row.status != OK]), None)

    def ratio(self, benchmark: str, table: str, contender: str, baseline: str, measure: str) -> float | None:
        """Return a median ratio, None where there is none."""
        row = self.find(benchmark, table, contender, baseline, measure)
        return row.ratio if row is not None and row.status == OK else None

    def tables(self, benchmark: str, baseline: str | None = None) -> list[str]:
        """Return the tables of a benchmark: real ones first, generated ones by columns and rows."""
        names = {
            row.table for row in self.rows if row.benchmark == benchmark and baseline in (None, row.baseline)
        }
        order = {row.table: position for position, row in reversed(list(enumerate(self.rows)))}

        def key(name: str) -> tuple[int, int, int, int]:
            match = GENERATED.fullmatch(name)
            if not match:
                return (0, order[name], 0, 0)
            return (1 if name == PARKINSON else 2, 0, int(match[3]), int(match[2]))

        return sorted(names, key=key)

    def contenders(self, benchmark: str, baseline: str, measure: str) -> list[str]:
        """Return who has a row, in the order of tables and plots."""
        there = {
            row.contender
            for row in self.rows
            if (row.benchmark, row.baseline) == (benchmark, baseline)
            and (row.measure == measure or row.status != OK)
        }
        return [name for name in SHOWN if name in there]

    def growth(self, by: str) -> dict[str, list[tuple[int, float]]]:
        """Return, for each contender, size and fit time over FOLD-SE's on the smallest generated table.

        Parameters
        ----------
        by : {"rows", "columns"}
            What grows; the other one is that of most generated tables.
        """
        fits = [
            row
            for row in self.rows
            if (row.benchmark, row.baseline, row.measure, row.status) == ("compare", "foldse", "fit", OK)
            and (match := GENERATED.fullmatch(row.table))
            and match[1] == "mixed"
        ]
        fixed = "columns" if by == "rows" else "rows"
        counts: dict[int, set[int]] = {}
        for row in fits:
            counts.setdefault(getattr(row, fixed), set()).add(getattr(row, by))
        if not counts:
            return {}
        most = max(counts, key=lambda size: len(counts[size]))
        curves: dict[str, dict[int, float]] = {}
        for row in fits:
            if getattr(row, fixed) == most and row.median is not None and row.baseline_median is not None:
                curves.setdefault("foldse", {}).setdefault(getattr(row, by), row.baseline_median)
                curves.setdefault(row.contender, {})[getattr(row, by)] = row.median
        unit = curves["foldse"][min(curves["foldse"])]
        return {
            name: [(size, seconds / unit) for size, seconds in sorted(curves[name].items())]
            for name in ("foldse", *SHOWN)
            if name in curves
        }


def title(contender: str) -> str:
    """Return the name of a contender as tables and plots show it."""
    return CONTENDERS[contender].title if contender in CONTENDERS else contender.replace("_", " ")


def table_title(name: str) -> str:
    """Return the name of a table as tables and plots show it."""
    match = GENERATED.fullmatch(name)
    if not match:
        return name or "-"
    rows = _short(int(match[2]))
    if name == PARKINSON:
        return f"parkinson's shape, {match[2]} x {match[3]}"
    return f"{match[1]}, {rows} x {int(match[3]):,}"


def _short(number: int) -> str:
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if number >= size and number % size == 0:
            return f"{number // size}{letter}"
    return str(number)
