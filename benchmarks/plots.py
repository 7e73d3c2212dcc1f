"""The plots: ratios as bars on a logarithmic scale, growth as curves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.markdown import figure as figure_text
from benchmarks.plan import PARKINSON, mixed
from benchmarks.records import Row
from benchmarks.results import Results, table_title, title
from benchmarks.tables import REAL

# Okabe and Ito's colours, told apart by readers who do not see all colours; one for each contender.
COLOURS: Final = {
    "foldse": "#000000",
    "foldrpp": "#0072B2",
    "xgboost": "#D55E00",
    "xgboost_converted": "#E8A27C",
    "lightgbm": "#009E73",
    "sklearn_tree": "#CC79A7",
    "sklearn_tree_converted": "#E5BCD3",
    "ripper": "#E69F00",
    "foldrpp_authors": "#56B4E9",
}
ON_BARS: Final = (*REAL, PARKINSON, mixed(1_000_000))
BAR: Final = 0.2  # inches


def draw(rows: Sequence[Row], folder: Path) -> dict[str, str]:
    """Draw what the rows allow, as SVG files; return their names by the name of the plot."""
    import matplotlib

    results = Results(rows)
    drawn = {}
    with matplotlib.rc_context({"svg.hashsalt": "foldse", "svg.fonttype": "none", "font.size": 9}):
        for measure in ("fit", "predict"):
            text = f"{measure} time over FOLD-SE's"
            if figure := _bars(results, "compare", measure, text, ON_BARS):
                drawn[measure] = _save(figure, folder / f"{measure}_ratios.svg")
        text = "peak extra memory of fit over FOLD-SE's"
        if figure := _bars(results, "memory", "peak", text, results.tables("memory")):
            drawn["memory"] = _save(figure, folder / "memory_ratios.svg")
        for by in ("rows", "columns"):
            if figure := _curves(results, by):
                drawn[f"growth_{by}"] = _save(figure, folder / f"growth_{by}.svg")
    return drawn


def _save(figure: Any, path: Path) -> str:
    figure.savefig(path, metadata={"Date": None, "Creator": None}, bbox_inches="tight")
    return path.name


def _axes(width: float, height: float) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height))
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _bars(results: Results, benchmark: str, measure: str, text: str, tables: Sequence[str]) -> Any:
    """Draw a group of bars for each table, a bar for each contender; None where there is nothing to draw."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    groups = []
    for name in tables:
        bars = [
            (contender, ratio)
            for contender in results.contenders(benchmark, "foldse", measure)
            if (ratio := results.ratio(benchmark, name, contender, "foldse", measure))
        ]
        if bars:
            groups.append((name, bars))
    if not groups:
        return None
    n_slots = sum(len(bars) + 1 for _, bars in groups)
    figure, axes = _axes(7, BAR * n_slots + 0.8)
    place, ticks, labels = 0, [], []
    used: dict[str, Any] = {}
    for name, bars in groups:
        ticks.append(place + (len(bars) - 1) / 2)
        labels.append(table_title(name))
        for contender, ratio in bars:
            # From 1, so that who is faster than FOLD-SE reaches to the left.
            drawn = axes.barh(place, ratio - 1, left=1, height=0.85, color=COLOURS[contender])
            used.setdefault(contender, drawn)
            axes.annotate(
                figure_text(ratio),
                (ratio, place),
                xytext=(3 if ratio >= 1 else -3, 0),
                textcoords="offset points",
                ha="left" if ratio >= 1 else "right",
                va="center",
                fontsize=7,
            )
            place += 1
        place += 1
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.axvline(1, color="black", linewidth=0.8)
    ratios = [ratio for _, bars in groups for _, ratio in bars]
    axes.set_xlim(min(0.5, *ratios) / 1.5, max(2, *ratios) * 2)  # room for the figures
    axes.set_yticks(ticks, labels)
    axes.tick_params(axis="y", length=0)
    axes.invert_yaxis()
    axes.margins(y=0.01)
    axes.set_xlabel(f"{text} (logarithmic)")
    names = [name for name in COLOURS if name in used]
    axes.legend(
        [used[name] for name in names],
        [title(name) for name in names],
        frameon=False,
        loc="upper left",
        bbox_to_anchor=(1, 1),
    )
    return figure


def _curves(results: Results, by: str) -> Any:
    """Draw fit time over size, with a line of slope 1; None where there are fewer than two sizes."""
    curves = results.growth(by)
    if not curves or len(curves["foldse"]) < 2:
        return None
    figure, axes = _axes(6, 4)
    for name, curve in curves.items():
        sizes, times = zip(*curve, strict=True)
        width = 2.2 if name == "foldse" else 1.2
        axes.plot(
            sizes, times, marker="o", markersize=4, linewidth=width, color=COLOURS[name], label=title(name)
        )
    smallest, largest = curves["foldse"][0][0], curves["foldse"][-1][0]
    axes.plot(
        (smallest, largest),
        (1, largest / smallest),
        color="grey",
        linestyle=":",
        label=f"in proportion to the {by}",
    )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(by)
    axes.set_ylabel(f"fit time over FOLD-SE's on {smallest:,} {by}")
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    return figure
