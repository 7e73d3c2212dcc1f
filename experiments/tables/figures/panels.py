"""What the figures of the ablations are made of: panels by data set, dot plots, legends and notes."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

from experiments.metrics import metric_of
from experiments.statuses import NOT_RUN
from experiments.tables.build import Table
from experiments.tables.published import AVERAGE, READINGS
from experiments.tables.series import Series

# Okabe and Ito's colours, which all readers tell apart; black is what was published.
BLUE, VERMILLION, GREEN, PURPLE, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#555555"
STYLE: dict[str, Any] = {
    "svg.hashsalt": "foldse",  # the names inside a file do not change from one drawing to the next
    "svg.fonttype": "none",
    "font.family": ["DejaVu Sans", "sans-serif"],
    "font.size": 8,
    "axes.titlesize": 8.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
    "axes.linewidth": 0.6,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "lines.linewidth": 1.0,
    "figure.dpi": 72,
}
MEAN = "mean"
BARS = "Bars: standard deviation over the folds."
_WIDTH = 13.0
# The largest ratio of two figures in a panel that is still drawn on a plain scale.
_PLAIN = 8
_MOST_NOTES = 14


@dataclass(frozen=True, slots=True)
class Look:
    """How a line of the table is drawn.

    Attributes
    ----------
    label : str
        Its name in the legend.
    colour, marker, line : str
        As matplotlib names them.
    series : Series or None
        The line of the table; None where a look is that of several.
    lane : int
        In a dot plot: lines of one lane are at one height, and joined.
    """

    label: str
    colour: str
    marker: str
    line: str = "-"
    series: Series | None = None
    lane: int = 0


class Values:
    """The figures of a table for some of its lines, by data set, line and metric.

    Parameters
    ----------
    table : Table
    lines : sequence of Series
        Those that are drawn; None stands for one that the table lacks.
    metrics : sequence of str
        Those that are drawn.

    Attributes
    ----------
    datasets : list of str
        In the order of the table.
    complete : list of str
        Those that have all metrics of all lines: the mean is over them, a second reading left out.
    """

    def __init__(self, table: Table, lines: Sequence[Series | None], metrics: Sequence[str]) -> None:
        rows = table.rows[table.rows["dataset"] != AVERAGE]
        self.lines = list(lines)
        self.datasets: list[str] = list(dict.fromkeys(rows["dataset"]))
        self.cells: dict[tuple[str, Series | None, str], dict[str, Any]] = {}
        for record in rows.to_dict("records"):
            row = {str(key): value for key, value in record.items()}
            self.cells[row["dataset"], table.line_of(row), row["metric"]] = row
        self.complete = [
            name
            for name in self.datasets
            if name not in READINGS
            and not any(math.isnan(self.get(name, line, m)) for line in lines for m in metrics)
        ]

    def get(self, dataset: str, line: Series | None, metric: str, column: str = "mean") -> float:
        """Return a figure, NaN where there is none; the data set may be `MEAN`."""
        if dataset != MEAN:
            return float(self.cells.get((dataset, line, metric), {}).get(column, math.nan))
        if column == "std" or not self.complete:
            return math.nan
        return sum(self.get(name, line, metric, column) for name in self.complete) / len(self.complete)

    def all(self, dataset: str, metric: str, column: str = "mean") -> list[float]:
        """Return the figures of all lines."""
        return [self.get(dataset, line, metric, column) for line in self.lines]

    def title(self, dataset: str) -> str:
        """Return what is written over a panel."""
        if dataset != MEAN:
            return dataset
        return f"mean of {len(self.complete)} data set{'s' * (len(self.complete) != 1)}"

    def notes(self, of: str = "") -> Iterator[str]:
        """Say what is not drawn, and why; `of` names the settings where a figure has several families."""
        of = f" of {of}" if of else ""
        left_out = [name for name in self.datasets if name not in self.complete]
        if left_out:
            yield f"The mean{of} leaves out {', '.join(left_out)}."
        for dataset in self.datasets:
            missing: dict[str, list[str]] = {}
            for line in self.lines:
                cell = self.cells.get((dataset, line, "accuracy"), {"mean": math.nan, "status": NOT_RUN})
                if line is not None and math.isnan(float(cell["mean"])):
                    missing.setdefault(str(cell["status"]), []).append(line.label)
            for status, labels in missing.items():
                yield f"No figure ({status}): {dataset} with {'; '.join(labels)}."


def grid(datasets: Sequence[str], parts: Sequence[str] = ("",)) -> tuple[Figure, dict[str, Axes]]:
    """Make a panel a data set, and a large one for their mean.

    Parameters
    ----------
    datasets : sequence of str
    parts : sequence of str
        What is drawn in each panel, one above the other.

    Returns
    -------
    figure : matplotlib.figure.Figure
    panels : dict of str to matplotlib.axes.Axes
        By data set and part, such as ``"heart accuracy"``; where there are no parts, by data set. The name is
        also the label of the panel.
    """
    n_columns = max(3, min(5, math.ceil(math.sqrt(len(datasets) + 4))))
    n_rows = max(2, math.ceil((len(datasets) + 4) / n_columns))
    height = 2.1 if len(parts) == 1 else 2.7
    figure = Figure(figsize=(_WIDTH * n_columns / 5, n_rows * height))
    figure.subplots_adjust(wspace=0.28, hspace=0.65 / (height - 0.65))
    cells = figure.add_gridspec(n_rows, n_columns)
    free = ((r, c) for r in range(n_rows) for c in range(n_columns) if r > 1 or c > 1)
    places = [
        (MEAN, cells[:2, :2]),
        *((name, cells[r, c]) for name, (r, c) in zip(datasets, free, strict=False)),
    ]
    panels = {}
    for name, place in places:
        inner = place.subgridspec(len(parts), 1, hspace=0.14)
        for i, part in enumerate(parts):
            label = f"{name} {part}".strip()
            panels[label] = figure.add_subplot(inner[i, 0], label=label)
    return figure, panels


def outer_labels(panels: Iterable[Axes], x: str, y: str) -> None:
    """Name the axes of the panels at the left and at the foot, and of the large one."""
    panels = list(panels)
    spots = [ax.get_subplotspec().get_topmost_subplotspec() for ax in panels]  # type: ignore[union-attr]
    foot: dict[int, int] = {}
    for spot in spots:
        for column in spot.colspan:
            foot[column] = max(foot.get(column, 0), spot.rowspan.stop)
    for ax, spot in zip(panels, spots, strict=True):
        if spot.colspan.start == 0:
            ax.set_ylabel(y)
        if len(spot.colspan) > 1 or any(foot[column] == spot.rowspan.stop for column in spot.colspan):
            ax.set_xlabel(x)


def scale(axis: Axis, figures: Iterable[float]) -> None:
    """Choose a plain or a logarithmic scale, and few ticks with plain numbers."""
    known = [figure for figure in figures if not math.isnan(figure)]
    if not known or min(known) <= 0 or max(known) / min(known) <= _PLAIN:
        axis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
        return
    set_scale = axis.axes.set_xscale if axis is axis.axes.xaxis else axis.axes.set_yscale
    set_scale("log")
    subs = (1.0, 2.0, 5.0) if max(known) / min(known) < 50 else (1.0,)
    axis.set_major_locator(LogLocator(subs=subs, numticks=20))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axis.set_minor_locator(NullLocator())


def finish(
    figure: Figure,
    title: str,
    handles: Sequence[Line2D],
    notes: Iterable[str],
    protocol: str,
    left: float = 0.6,
) -> None:
    """Add title and legend above the panels and the notes below them, and room for both.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        Its height is that of the panels.
    title : str
    handles : sequence of matplotlib.lines.Line2D
    notes : iterable of str
    protocol : str
    left : float
        Inches to the left of the panels.
    """
    width, body = map(float, figure.get_size_inches())
    told = list(dict.fromkeys([f"Cross-validation: {protocol}.", *notes]))
    if len(told) > _MOST_NOTES:
        told[_MOST_NOTES - 1 :] = [f"And {len(told) - _MOST_NOTES + 1} more: the table has them."]
    lines = [line for note in told for line in textwrap.wrap(note, int(width * 16))]
    columns = max(1, min(len(handles), int(width / 2.15)))
    top = 0.65 + 0.18 * math.ceil(len(handles) / columns)
    foot = 0.15 + 0.15 * len(lines)
    height = top + body + 0.45 + foot
    figure.set_size_inches(width, height)
    figure.subplots_adjust(
        left=left / width, right=1 - 0.12 / width, top=1 - top / height, bottom=(foot + 0.45) / height
    )
    figure.legend(
        handles=handles,
        title=title,
        title_fontproperties={"size": 11, "weight": "bold"},
        alignment="left",
        loc="upper left",
        bbox_to_anchor=(0.05 / width, 1 - 0.05 / height),
        borderaxespad=0,
        ncols=columns,
        frameon=False,
        handlelength=2.6,
    )
    figure.text(
        0.15 / width, foot / height, "\n".join(lines), va="top", size=7.5, linespacing=1.35, color="#333333"
    )


def protocol_of(table: Table) -> str:
    """Return the protocols of a table, as a figure names them."""
    return "; ".join(dict.fromkeys(line.protocol for line in table.lines))


def handle(look: Look, filled: bool = True) -> Line2D:
    """Return the entry of a look in a legend."""
    fill = look.colour if filled else "white"
    return Line2D(
        [], [], color=look.colour, marker=look.marker, mfc=fill, ls=look.line, ms=5, label=look.label
    )


def dots(table: Table, title: str, families: Sequence[tuple[str, Sequence[Look], Sequence[str]]]) -> Figure:
    """Draw a line of dots a data set, in a panel a family of settings and metric.

    Settings of one lane are joined: the first is large and hollow, the second small and filled, so that both
    are seen where they are equal. A black stroke is the published figure.

    Parameters
    ----------
    table : Table
    title : str
    families : sequence of (str, sequence of Look, sequence of str)
        Name, lines and metrics of each family.
    """
    made = [
        (name, looks, metrics, Values(table, [one.series for one in looks], metrics))
        for name, looks, metrics in families
    ]
    names = [*made[0][3].datasets, MEAN]
    n_lanes = max(one.lane for _, looks, _ in families for one in looks) + 1
    n_panels = sum(len(metrics) for _, _, metrics in families)
    height = len(names) * max(0.28, 0.14 * n_lanes + 0.08)
    figure = Figure(figsize=(max(8.5, min(_WIDTH, 3.4 * n_panels)), height))
    figure.subplots_adjust(wspace=0.06)
    panels = iter(figure.subplots(1, n_panels, sharey=True, squeeze=False)[0])
    seen_published = False
    for name, looks, metrics, values in made:
        for metric in metrics:
            ax = next(panels)
            ax.set_label(f"{name} {metric}".strip())
            heading = metric_of(metric).short
            ax.set_title(f"{name}: {heading}" if name else heading)
            seen_published |= _dot_panel(ax, names, looks, metric, values, n_lanes)
    first = figure.axes[0]
    first.set_yticks(range(len(names)), names)
    first.set_ylim(len(names) - 0.5, -0.5)
    # Settings by lane; a family repeats those of the first one.
    handles = [handle(one, filled) for one, filled in _with_fill(families[0][1])]
    for entry in handles:
        entry.set_linestyle("")
    if seen_published:
        handles.append(Line2D([], [], ls="", marker="|", mec="black", ms=9, mew=1.4, label="published"))
    notes = [note for name, _, _, values in made for note in values.notes(name)]
    left = 0.3 + 0.075 * max(map(len, names))
    finish(figure, title, handles, [BARS, *notes], protocol_of(table), left)
    return figure


def _with_fill(looks: Sequence[Look]) -> Iterator[tuple[Look, bool]]:
    lanes = [one.lane for one in looks]
    for i, one in enumerate(looks):
        yield one, lanes.count(one.lane) == 1 or one.lane in lanes[:i]


def _dot_panel(
    ax: Axes, names: Sequence[str], looks: Sequence[Look], metric: str, values: Values, n_lanes: int
) -> bool:
    """Draw a panel; tell whether it has a published figure."""
    at: Mapping[int, float] = {
        one.lane: (one.lane - (n_lanes - 1) / 2) * 0.8 / max(n_lanes, 2) for one in looks
    }
    for i in range(0, len(names), 2):
        ax.axhspan(i - 0.5, i + 0.5, color="#F2F2F2", lw=0, zorder=0)
    published, drawn = set(), []
    for i, dataset in enumerate(names):
        lanes: dict[int, list[float]] = {}
        for one in looks:
            lanes.setdefault(one.lane, []).append(values.get(dataset, one.series, metric))
            figure = values.get(dataset, one.series, metric, "published_mean")
            if not math.isnan(figure):
                published.add((figure, i + at[one.lane]))
        for lane, ends in lanes.items():
            if len(ends) > 1:
                ax.plot(
                    ends, [i + at[lane]] * len(ends), color=GREY, lw=0.8, zorder=1, label=f"_join {dataset}"
                )
    for one, filled in _with_fill(looks):
        x = [values.get(dataset, one.series, metric) for dataset in names]
        y = [i + at[one.lane] for i in range(len(names))]
        std = [values.get(dataset, one.series, metric, "std") for dataset in names]
        ax.errorbar(x, y, xerr=std, fmt="none", ecolor=one.colour, elinewidth=0.6, alpha=0.7, zorder=2)
        fill, size = (one.colour, 4.0) if filled else ("white", 6.5)
        ax.plot(x, y, one.marker, mfc=fill, mec=one.colour, ms=size, zorder=3, label=one.label)
        drawn += x
    if published:
        places = sorted(published)
        ax.plot(*zip(*places, strict=True), "|", color="black", ms=8, mew=1.3, zorder=4, label="published")
    scale(ax.xaxis, [*drawn, *(figure for figure, _ in published)])
    ax.axhline(len(names) - 1.5, color=GREY, lw=0.6)
    ax.tick_params(left=False)
    ax.grid(axis="x", color="#DDDDDD", lw=0.5, zorder=0)
    return bool(published)
