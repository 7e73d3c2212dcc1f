"""Figures and tables in Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.records import OK, OVER_LIMIT, Row


def figure(value: float | None) -> str:
    """Return a number to three digits, without an exponent where it has few places."""
    if value is None:
        return ""
    if value >= 100 or value == 0:
        return f"{value:,.0f}"
    if value < 0.001:
        return f"{value:.1e}"
    digits = 1 if value >= 10 else 2 if value >= 1 else 3
    return f"{value:.{digits}f}"


def ratio(row: Row | None) -> str:
    """Return a cell of a table: median ratio and its extremes, or why there is none."""
    if row is None:
        return ""
    if row.status != OK:
        return f"over {row.note.removeprefix('ended after ')}" if row.status == OVER_LIMIT else row.status
    if row.n == 1:
        return f"**{figure(row.ratio)}**"
    return f"**{figure(row.ratio)}** ({figure(row.ratio_min)} to {figure(row.ratio_max)})"


def seconds(value: float | None) -> str:
    """Return a time in ms or s."""
    if value is None:
        return ""
    return f"{figure(value * 1000)} ms" if value < 1 else f"{figure(value)} s"


def table(header: Sequence[str], rows: Sequence[Sequence[str]], text_columns: int = 1) -> str:
    """Return a table; columns after the first few are aligned right."""
    rule = [" --- " if i < text_columns else " ---: " for i in range(len(header))]
    lines = [f"| {' | '.join(header)} |", f"|{'|'.join(rule)}|"]
    lines += [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    return "\n".join(lines) + "\n"
