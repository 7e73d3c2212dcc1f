"""Figures and tables in Markdown."""

from __future__ import annotations

import math
from collections.abc import Sequence

from benchmarks.records import OK, OVER_LIMIT, Row


def figure(value: float) -> str:
    """Return a number with three digits, without an exponent unless it is very small; NaN is empty."""
    if math.isnan(value):
        return ""
    if value >= 100 or value == 0:
        return f"{value:,.0f}"
    if value < 0.001:
        return f"{value:.1e}"
    digits = 1 if value >= 10 else 2 if value >= 1 else 3
    return f"{value:.{digits}f}"


def ratio(row: Row | None) -> str:
    """Return a cell of a table: median ratio and range, or why there is none."""
    if row is None:
        return ""
    if row.status != OK:
        return f"over {row.note.removeprefix('ended after ')}" if row.status == OVER_LIMIT else row.status
    spread = f" ({figure(row.ratio_min)} to {figure(row.ratio_max)})" if row.n > 1 else ""
    return f"**{figure(row.ratio)}**{spread}"


def seconds(value: float) -> str:
    """Return a time in ms or s."""
    if math.isnan(value):
        return ""
    return f"{figure(value * 1000)} ms" if value < 1 else f"{figure(value)} s"


def table(header: Sequence[str], rows: Sequence[Sequence[str]], text_columns: int = 1) -> str:
    """Return a table, empty if it has no rows; columns after the first `text_columns` are aligned right."""
    if not rows:
        return ""
    rule = [" --- " if i < text_columns else " ---: " for i in range(len(header))]
    lines = [f"| {' | '.join(header)} |", f"|{'|'.join(rule)}|"]
    lines += [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    return "\n".join(lines) + "\n"
