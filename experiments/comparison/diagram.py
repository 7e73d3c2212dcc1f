"""The critical-difference diagram: mean ranks on a line, and bars over learners that do not differ."""

from __future__ import annotations

from typing import Any

import matplotlib
import pandas as pd
from matplotlib.figure import Figure

from experiments.comparison.statistics.ranks import cliques

_STYLE: Any = {
    "svg.hashsalt": "foldse",  # the names inside a file do not change from one drawing to the next
    "svg.fonttype": "none",
    "font.family": ["DejaVu Sans", "sans-serif"],
    "font.size": 9,
}
_LINE = 0.24  # inches between two names


def draw(ranks: pd.Series, distance: float, alpha: float = 0.05) -> Figure:
    """Return the diagram.

    Parameters
    ----------
    ranks : pandas.Series of float64, shape (n_learners,)
        Mean ranks by learner.
    distance : float
        The critical difference.
    alpha : float, default=0.05
        The level that it belongs to.

    Returns
    -------
    matplotlib.figure.Figure

    Notes
    -----
    The form is that of Demsar 2006: the best rank is on the left, its half of the names, too.
    """
    ordered = ranks.sort_values(kind="stable")
    k = len(ordered)
    groups = cliques(ranks, distance)
    half = (k + 1) // 2
    bars = 0.14 * len(groups)
    below = bars + 0.1 + _LINE * half
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(8.0, 0.8 + below + 0.15))
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set_xlim(1 - 0.45 * (k - 1), k + 0.45 * (k - 1))
        axes.set_ylim(-below - 0.1, 0.85)
        axes.axis("off")
        line: dict[str, Any] = {"color": "black", "solid_capstyle": "butt"}
        axes.plot([1, k], [0, 0], lw=1.0, **line)
        for rank in range(1, k + 1):
            axes.plot([rank, rank], [0, 0.07], lw=1.0, **line)
            axes.text(rank, 0.1, str(rank), ha="center", va="bottom")
        axes.plot([1, 1 + min(distance, k - 1)], [0.5, 0.5], lw=2.0, **line)
        axes.text(1, 0.56, f"critical difference {distance:.2f} (Nemenyi, {alpha:g})", va="bottom")
        for place, group in enumerate(groups):
            inside = ordered[group]
            y = -0.12 - 0.14 * place
            axes.plot([inside.min() - 0.03, inside.max() + 0.03], [y, y], lw=3.5, **line)
        for place, (name, rank) in enumerate(ordered.items()):
            left = place < half
            row = place if left else k - 1 - place
            y = -bars - 0.1 - _LINE * (row + 0.5)
            edge = 1 - 0.03 * (k - 1) if left else k + 0.03 * (k - 1)
            axes.plot([rank, rank, edge], [0, y, y], lw=0.8, **line)
            text = f"{name}  {rank:.2f}" if left else f"{rank:.2f}  {name}"
            gap = -0.01 * k if left else 0.01 * k
            axes.text(edge + gap, y, text, ha="right" if left else "left", va="center")
    return figure
