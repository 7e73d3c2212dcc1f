"""Tables and p-values as text."""

from __future__ import annotations

import math
from collections.abc import Sequence


def table(lines: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table that is also readable as text; the first line has the headings.

    Parameters
    ----------
    lines : sequence of sequence of str
        All of the same length. The first column is aligned left, the others right.
    """
    widths = [max(len(cells[place]) for cells in lines) for place in range(len(lines[0]))]
    rule = [":" + "-" * (widths[0] - 1), *("-" * (width - 1) + ":" for width in widths[1:])]
    padded = [[cells[0].ljust(widths[0]), *map(str.rjust, cells[1:], widths[1:])] for cells in lines]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (padded[0], rule, *padded[1:]))


def p_text(p: float) -> str:
    """Return a p-value with two digits that count."""
    if math.isnan(p):
        return "undefined"
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}"
