"""The results as they arrive: one CSV file, to which each case's rows are appended when it ends."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Final

from benchmarks.records import AGAIN, Case, Row

COLUMNS: Final = [field.name for field in fields(Row)]


class Store:
    """Rows on disk.

    Parameters
    ----------
    path : path
        CSV file; need not exist.
    """

    def __init__(self, path: Path):
        self.path = path

    def rows(self) -> list[Row]:
        """Return all rows; a line that was cut off when a run was stopped is left out."""
        if not self.path.exists():
            return []
        found = []
        with self.path.open(newline="") as file:
            for texts in csv.DictReader(file):
                try:
                    found.append(Row.from_text(texts))
                except (KeyError, TypeError, ValueError):
                    continue
        return found

    def finished(self) -> set[Case]:
        """Return the cases that need not be run again: they neither lacked anything nor were stopped."""
        rows = self.rows()
        return {row.case for row in rows} - {row.case for row in rows if row.status in AGAIN}

    def begin(self, again: Iterable[Case]) -> None:
        """Drop the rows of some cases, and what a stopped run left half written."""
        dropped = set(again)
        kept = [row for row in self.rows() if row.case not in dropped]
        made = self.path.with_suffix(".part")
        made.write_text(_lines(kept, header=True))
        made.replace(self.path)

    def append(self, rows: Sequence[Row]) -> None:
        """Add the rows of one case."""
        with self.path.open("a", newline="") as file:
            file.write(_lines(rows))
            file.flush()
            os.fsync(file.fileno())


def _lines(rows: Iterable[Row], header: bool = False) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    if header:
        writer.writeheader()
    writer.writerows(row.to_text() for row in rows)
    return text.getvalue()
