"""The figures of the ablations, drawn from the rows of their rebuilt tables and from nothing else.

Every series has a marker and a line of its own besides its colour, so that a print in black and white reads
the same. The text of a figure is text, and the same table gives the same bytes.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from pathlib import Path

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from experiments.tables.build import Table
from experiments.tables.figures.panels import (
    BARS,
    BLUE,
    GREEN,
    GREY,
    MEAN,
    PURPLE,
    STYLE,
    VERMILLION,
    Look,
    Values,
    dots,
    finish,
    grid,
    handle,
    outer_labels,
    protocol_of,
    scale,
)
from experiments.tables.figures.point_labels import label_points
from experiments.tables.series import Series

_MARKERS = ("o", "s", "^", "v", "D", "P")

# Predicates and accuracy by kind of pruning and tail.
Points = dict[tuple[str, float], tuple[float, float]]


def pareto(points: Sequence[tuple[float, float]]) -> list[bool]:
    """Tell which points no other one beats: none has at least the accuracy at no more size, and differs.

    Parameters
    ----------
    points : sequence of (float, float)
        Size and accuracy; one with a NaN is never optimal.
    """
    known = [point for point in points if not any(map(math.isnan, point))]
    return [
        point in known and not any(o[0] <= point[0] and o[1] >= point[1] and o != point for o in known)
        for point in points
    ]


def tail(table: Table) -> Figure:
    """Draw accuracy against predicates as the tail grows: the front of what can be had."""
    kinds = (
        (Look("pruned in rules and exceptions", BLUE, "o"), "true"),
        (Look("pruned in rules only", VERMILLION, "s", "--"), "false"),
    )
    colours = {kind: drawn.colour for drawn, kind in kinds}
    settings = {
        (line.parameters.get("prune_exceptions", "true"), float(line.parameters["tail"])): line
        for line in table.lines
        if "tail" in line.parameters
    }
    shares = sorted({share for _, share in settings})
    values = Values(table, list(settings.values()), ("accuracy", "predicates"))
    figure, panels = grid(values.datasets)
    points: dict[str, Points] = {}
    for dataset, ax in panels.items():
        points[dataset] = {
            (kind, share): (
                values.get(dataset, settings.get((kind, share)), "predicates"),
                values.get(dataset, settings.get((kind, share)), "accuracy"),
            )
            for _, kind in kinds
            for share in shares
        }
        _fronts(ax, points[dataset], kinds)
        ax.set_title(values.title(dataset))
        ax.margins(0.18, 0.22)
        scale(ax.xaxis, [x for x, _ in points[dataset].values()])
        scale(ax.yaxis, ())
    outer_labels(panels.values(), "predicates", "accuracy")
    handles = [handle(drawn) for drawn, _ in kinds]
    for label, fill in (("filled: no other setting beats it", GREY), ("hollow: one does", "white")):
        handles.append(Line2D([], [], ls="", marker="o", mec=GREY, mfc=fill, label=label))
    notes = ["Numbers at the points: the tail in % of the training rows.", *values.notes()]
    finish(figure, table.experiment.title, handles, notes, protocol_of(table))
    figure.draw_without_rendering()  # the places of the points are final from here on
    names = [f"{100 * share:g}" for share in shares]
    for dataset, ax in panels.items():
        known = [
            (*place, shares.index(share), colours[kind])
            for (kind, share), place in points[dataset].items()
            if not math.isnan(sum(place))
        ]
        label_points(ax, known, names)
    return figure


def _fronts(ax: Axes, points: Points, kinds: Sequence[tuple[Look, str]]) -> None:
    """Draw a line a kind of pruning, with a filled marker where no other point of the panel is better."""
    best = dict(zip(points, pareto(list(points.values())), strict=True))
    for drawn, kind in kinds:
        mine = [key for key in points if key[0] == kind]
        line = [points[key] for key in mine]
        ax.plot(
            *zip(*line, strict=True),
            color=drawn.colour,
            ls=drawn.line,
            alpha=0.6,
            label=f"line {drawn.label}",
        )
        for optimal in (False, True):
            part = [points[key] if best[key] is optimal else (math.nan, math.nan) for key in mine]
            ax.plot(
                *zip(*part, strict=True),
                drawn.marker,
                mec=drawn.colour,
                mfc=drawn.colour if optimal else "white",
                ms=6.5 if kind == "false" else 4.5,
                zorder=2.2 if kind == "false" else 2.4,
                label=f"{'best' if optimal else 'beaten'} {drawn.label}",
            )


def ratio(table: Table) -> Figure:
    """Draw accuracy and predicates as the ratio grows."""
    lines = sorted(
        (line for line in table.lines if "ratio" in line.parameters),
        key=lambda line: float(line.parameters["ratio"]),
    )
    x = [float(line.parameters["ratio"]) for line in lines]
    drawn = {
        "accuracy": Look("accuracy", BLUE, "o"),
        "predicates": Look("predicates", VERMILLION, "s", "--"),
    }
    values = Values(table, lines, tuple(drawn))
    figure, panels = grid(values.datasets, tuple(drawn))
    for dataset in (MEAN, *values.datasets):
        for metric, one in drawn.items():
            ax = panels[f"{dataset} {metric}"]
            y, std = values.all(dataset, metric), values.all(dataset, metric, "std")
            ax.errorbar(x, y, yerr=std, fmt="none", ecolor=one.colour, elinewidth=0.6)
            ax.plot(x, y, color=one.colour, ls=one.line, marker=one.marker, ms=4, label=metric)
            ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "¼", "½", "¾", "1"])
            ax.margins(0.05, 0.12)
            scale(ax.yaxis, y)
        panels[f"{dataset} accuracy"].set_title(values.title(dataset))
        panels[f"{dataset} accuracy"].tick_params(labelbottom=False)
    for metric in drawn:
        those = [ax for label, ax in panels.items() if label.endswith(f" {metric}")]
        outer_labels(those, "" if metric == "accuracy" else "ratio", metric)
    handles = [handle(one) for one in drawn.values()]
    finish(figure, table.experiment.title, handles, [BARS, *values.notes()], protocol_of(table))
    return figure


def heuristic(table: Table) -> Figure:
    """Draw accuracy and size of FOLD-SE, FOLD-R++ and the tree under each score."""
    scores = {
        "magic_gini": ("magic_gini", BLUE, "o"),
        "information_gain": ("information_gain", VERMILLION, "s"),
        "weighted_gini": ("weighted_gini", GREEN, "^"),
        "chi_square": ("chi_square", PURPLE, "v"),
        "gini_printed": ("gini_printed (as in the paper's Equation 1)", GREY, "X"),
    }
    families = []
    for learner, name, size in (
        ("foldse", "FOLD-SE", "predicates"),
        ("foldrpp", "FOLD-R++", "predicates"),
        ("tree", "tree", "nodes"),
    ):
        mine = {line.parameters.get("heuristic"): line for line in table.lines if line.learner == learner}
        looks = [
            Look(*look, series=mine.get(score), lane=lane)
            for lane, (score, look) in enumerate(scores.items())
        ]
        families.append((name, looks, ("accuracy", size)))
    return dots(table, table.experiment.title, families)


def operators(table: Table) -> Figure:
    """Draw FOLD-SE with and without its two further comparisons."""
    mine = {line.parameters.get("negated_thresholds"): line for line in table.lines}
    looks = [
        Look("with not <= and not >", BLUE, "o", series=mine.get("true")),
        Look("without", VERMILLION, "s", series=mine.get("false")),
    ]
    return dots(table, table.experiment.title, [("", looks, ("accuracy", "rules", "predicates"))])


def multiclass(table: Table) -> Figure:
    """Draw the readings of the multi-class form: the tail, whether the list ends, which rows are removed."""
    lines = [line for line in table.lines if {"tail", "remove_covered"} <= set(line.parameters)]
    endings = {"true": "list ends", "false": "list goes on"}

    def reading(line: Series) -> tuple[float, str]:
        return float(line.parameters["tail"]), line.parameters.get("stop_at_invalid", "")

    lanes = sorted({reading(line) for line in lines})
    several = len({ending for _, ending in lanes}) > 1
    colours = {"all": BLUE, "correct": VERMILLION}
    looks = []
    for line in sorted(lines, key=lambda line: (reading(line), line.parameters["remove_covered"])):
        (share, ending), removed = reading(line), line.parameters["remove_covered"]
        lane = lanes.index((share, ending))
        label = f"tail {100 * share:g} %, {removed} covered rows removed"
        if several:
            label += f", {endings[ending]}"
        looks.append(Look(label, colours[removed], _MARKERS[lane % len(_MARKERS)], series=line, lane=lane))
    return dots(table, table.experiment.title, [("", looks, ("accuracy", "rules", "predicates"))])


def ties(table: Table) -> Figure:
    """Draw the orders of ties: a lane an order, a colour for what a used literal blocks."""
    lines = [line for line in table.lines if {"ties", "blocking"} <= set(line.parameters)]
    orders = list(dict.fromkeys(line.parameters["ties"] for line in lines))
    colours = {"value": BLUE, "comparison": VERMILLION}
    looks = []
    for line in sorted(lines, key=lambda line: orders.index(line.parameters["ties"])):
        order, blocking = line.parameters["ties"], line.parameters["blocking"]
        lane = orders.index(order)
        label = f"ties={order}, blocking={blocking}"
        looks.append(Look(label, colours[blocking], _MARKERS[lane % len(_MARKERS)], series=line, lane=lane))
    return dots(table, table.experiment.title, [("", looks, ("accuracy", "rules", "predicates"))])


FIGURES: dict[str, Callable[[Table], Figure]] = {
    "ablation_tail": tail,
    "ablation_ratio": ratio,
    "ablation_heuristic": heuristic,
    "ablation_operators": operators,
    "ablation_multiclass": multiclass,
    "ablation_ties": ties,
}


def draw(table: Table) -> Figure | None:
    """Draw the figure of a table; None where it has none.

    Parameters
    ----------
    table : Table
    """
    if table.experiment.base not in FIGURES:
        return None
    with style.context(["default", STYLE]):
        return FIGURES[table.experiment.base](table)


def write(table: Table, folder: Path, name: str | None = None) -> Path | None:
    """Write the figure of a table as ``<experiment>.svg``.

    Parameters
    ----------
    table : Table
    folder : Path
        Made where it does not exist.
    name : str, optional
        Of the file, without suffix; by default that of the table.

    Returns
    -------
    Path or None
        None where the table has no figure.
    """
    figure = draw(table)
    if figure is None:
        return None
    buffer = io.BytesIO()
    with style.context(["default", STYLE]):
        FigureCanvasSVG(figure).print_svg(
            buffer, metadata={"Date": None, "Creator": None, "Title": table.name}
        )
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name or table.experiment.file_name}.svg"
    path.write_bytes(buffer.getvalue())
    return path
