"""Looking up rows, and the names that tables and plots show."""

from __future__ import annotations

from collections import Counter
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
        self._tables = dict.fromkeys(row.table for row in rows)
        self._by_case: dict[Case, list[Row]] = {}
        for row in self.rows:
            self._by_case.setdefault(row.case, []).append(row)

    def find(self, benchmark: str, table: str, contender: str, baseline: str, measure: str) -> Row | None:
        """Return the row of a measure or, if there is none, the row that says why the case has none."""
        found = self._by_case.get(Case(benchmark, table, contender, baseline), [])
        measured = [row for row in found if row.status == OK and row.measure == measure]
        return next(iter(measured or [row for row in found if row.status != OK]), None)

    def tables(self, benchmark: str, baseline: str | None = None) -> list[str]:
        """Return the tables of a benchmark: real ones first, then generated ones by columns and rows."""

        def key(name: str) -> tuple[int, int, int]:
            match = GENERATED.fullmatch(name)
            return (1 if name == PARKINSON else 2, int(match[3]), int(match[2])) if match else (0, 0, 0)

        found = {
            row.table for row in self.rows if row.benchmark == benchmark and baseline in (None, row.baseline)
        }
        return sorted((name for name in self._tables if name in found), key=key)

    def contenders(self, benchmark: str, baseline: str, measure: str) -> list[str]:
        """Return the contenders that have a row, in the order of tables and plots."""
        found = {
            row.contender
            for row in self.rows
            if (row.benchmark, row.baseline) == (benchmark, baseline)
            and (row.measure == measure or row.status != OK)
        }
        return [name for name in SHOWN if name in found]

    def growth(self, by: str) -> dict[str, dict[int, float]]:
        """Return each contender's fit time by size, relative to FOLD-SE's on the smallest generated table.

        Parameters
        ----------
        by : {"rows", "columns"}
            What grows; the other one is that of most generated tables.
        """
        fixed = "columns" if by == "rows" else "rows"
        fits = [
            row
            for row in self.rows
            if (row.benchmark, row.baseline, row.measure, row.status) == ("compare", "foldse", "fit", OK)
            and row.table.startswith("mixed_")
        ]
        sizes = {(getattr(row, fixed), getattr(row, by)) for row in fits}
        most = Counter(size for size, _ in sizes).most_common(1)
        curves: dict[str, dict[int, float]] = {}
        for row in fits:
            if getattr(row, fixed) == most[0][0]:
                curves.setdefault("foldse", {}).setdefault(getattr(row, by), row.baseline_median)
                curves.setdefault(row.contender, {})[getattr(row, by)] = row.median
        return {
            name: {
                size: curves[name][size] / min(curves["foldse"].items())[1] for size in sorted(curves[name])
            }
            for name in CONTENDERS
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
    if name == PARKINSON:
        return f"parkinson's shape, {match[2]} x {match[3]}"
    rows = match[2].removesuffix("000000") + "M" if match[2].endswith("000000") else match[2]
    rows = rows.removesuffix("000") + "k" if rows.endswith("000") else rows
    return f"{match[1]}, {rows} x {int(match[3]):,}"
