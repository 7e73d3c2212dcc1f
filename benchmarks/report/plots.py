"""The plots: ratios as bars on a logarithmic scale, growth as curves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from benchmarks.plan import PARKINSON, mixed
from benchmarks.records import OK, Row
from benchmarks.report.markdown import figure as figure_text
from benchmarks.report.results import Results, table_title, title
from benchmarks.tables import REAL
from experiments.tables.figures.panels import BLUE, GREEN, PURPLE, STYLE, VERMILLION

# One colour of Okabe and Ito's for each contender; with the conversion timed, a lighter one.
COLOURS: Final = {
    "foldse": "black",
    "foldrpp": BLUE,
    "xgboost": VERMILLION,
    "lightgbm": GREEN,
    "sklearn_tree": PURPLE,
    "ripper": "#E69F00",
    "foldrpp_authors": "#56B4E9",
}
LIGHTER: Final = 0.5
ON_BARS: Final = (*REAL, PARKINSON, mixed(1_000_000))
BAR: Final = 0.2  # inches
LEGEND: Final[dict[str, Any]] = {"frameon": False, "loc": "upper left", "bbox_to_anchor": (1, 1)}


def draw(rows: Sequence[Row], folder: Path) -> dict[str, str]:
    """Draw what the rows allow, as SVG files; return their names by the name of the plot."""
    results = Results(rows)
    drawn = {}
    with mpl.rc_context(STYLE):
        figures = {
            "fit": _bars(results, "compare", "fit", "fit time relative to FOLD-SE", ON_BARS),
            "predict": _bars(results, "compare", "predict", "predict time relative to FOLD-SE", ON_BARS),
            "memory": _bars(
                results, "memory", "peak", "peak memory of fit relative to FOLD-SE", results.tables("memory")
            ),
            "growth_rows": _curves(results, "rows"),
            "growth_columns": _curves(results, "columns"),
        }
        for name, figure in figures.items():
            if figure is not None:
                drawn[name] = f"{name}.svg" if name.startswith("growth") else f"{name}_ratios.svg"
                figure.savefig(
                    folder / drawn[name], metadata={"Date": None, "Creator": None}, bbox_inches="tight"
                )
    return drawn


def _bars(results: Results, benchmark: str, measure: str, text: str, tables: Sequence[str]) -> Figure | None:
    """Draw a group of bars for each table, a bar for each contender; None if there is nothing to draw."""
    groups = []
    for name in tables:
        found = [
            results.find(benchmark, name, contender, "foldse", measure)
            for contender in results.contenders(benchmark, "foldse", measure)
        ]
        if bars := [(row.contender, row.ratio) for row in found if row and row.status == OK]:
            groups.append((name, bars))
    if not groups:
        return None
    ratios = [ratio for _, bars in groups for _, ratio in bars]
    figure = Figure(figsize=(7, BAR * (len(ratios) + len(groups)) + 0.8))
    axes = figure.add_subplot()
    place, ticks = 0, {}
    used: dict[str, Any] = {}
    for name, bars in groups:
        ticks[table_title(name)] = place + (len(bars) - 1) / 2
        for contender, ratio in bars:
            # From 1, so that the bar of a faster learner points to the left.
            base = contender.removesuffix("_converted")
            alpha = 1 if base == contender else LIGHTER
            bar = axes.barh(place, ratio - 1, left=1, height=0.85, color=COLOURS[base], alpha=alpha)
            axes.bar_label(bar, [figure_text(ratio)], padding=3, fontsize=7)
            used.setdefault(contender, bar)
            place += 1
        place += 1
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xlim(min(0.5, *ratios) / 1.5, max(2, *ratios) * 2)  # room for the figures
    axes.set_yticks([*ticks.values()], [*ticks])
    axes.tick_params(axis="y", length=0)
    axes.invert_yaxis()
    axes.margins(y=0.01)
    axes.set_xlabel(f"{text} (logarithmic)")
    axes.legend(used.values(), [title(name) for name in used], **LEGEND)
    return figure


def _curves(results: Results, by: str) -> Figure | None:
    """Draw fit time by size, and a line of slope 1; None if there are fewer than two sizes."""
    curves = results.growth(by)
    sizes = list(curves.get("foldse", ()))
    if len(sizes) < 2:
        return None
    figure = Figure(figsize=(6, 4))
    axes = figure.add_subplot()
    for name, curve in curves.items():
        width = 2.2 if name == "foldse" else 1.2
        axes.plot(
            *zip(*curve.items(), strict=True),
            marker="o",
            markersize=4,
            linewidth=width,
            color=COLOURS[name],
            label=title(name),
        )
    ends = sizes[0], sizes[-1]
    axes.plot(ends, (1, ends[1] / ends[0]), color="grey", linestyle=":", label=f"proportional to the {by}")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(by)
    axes.set_ylabel(f"fit time relative to FOLD-SE on {sizes[0]:,} {by}")
    axes.legend(**LEGEND)
    return figure
