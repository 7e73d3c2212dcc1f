"""The figures of the ablations, drawn from the rows of their rebuilt tables and from nothing else.

Every series has a marker and a line of its own besides its colour, so that a print in black and white reads
the same. The text of a figure is text, and the same table gives the same bytes.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from experiments.tables.build import Table
from experiments.tables.panels import (
    BARS,
    BLUE,
    GREEN,
    GREY,
    MEAN,
    PURPLE,
    STYLE,
    VERMILLION,
    Series,
    Values,
    dots,
    finish,
    grid,
    handle,
    outer_labels,
    scale,
)
from experiments.tables.point_labels import label_points

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
    found = _settings(table, r"foldse_tail_([\d.]+)(_rules_only)?")
    shares = sorted({float(match[1]) for match in found.values()})
    kinds = (
        (Series("", "pruned in rules and exceptions", BLUE, "o"), ""),
        (Series("", "pruned in rules only", VERMILLION, "s", "--"), "_rules_only"),
    )
    colours = {kind: drawn.colour for drawn, kind in kinds}
    settings = {(float(match[1]), match[2] or ""): learner for learner, match in found.items()}
    values = Values(table, list(found), ("accuracy", "predicates"))
    figure, panels = grid(values.datasets)
    points: dict[str, Points] = {}
    for dataset, ax in panels.items():
        points[dataset] = {
            (kind, share): (
                values.get(dataset, settings.get((share, kind), ""), "predicates"),
                values.get(dataset, settings.get((share, kind), ""), "accuracy"),
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
    title = "FOLD-SE: accuracy against size as the tail grows"
    finish(figure, title, handles, notes, table.protocol)
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


def _fronts(ax: Axes, points: Points, kinds: Sequence[tuple[Series, str]]) -> None:
    """Draw a line a kind of pruning, with a filled marker where no other point of the panel is better."""
    best = dict(zip(points, pareto(list(points.values())), strict=True))
    for drawn, kind in kinds:
        mine = [key for key in points if key[0] == kind]
        line = [points[key] for key in mine]
        ax.plot(*zip(*line, strict=True), color=drawn.colour, ls=drawn.line, alpha=0.6, label=f"line{kind}")
        for optimal in (False, True):
            part = [points[key] if best[key] is optimal else (math.nan, math.nan) for key in mine]
            ax.plot(
                *zip(*part, strict=True),
                drawn.marker,
                mec=drawn.colour,
                mfc=drawn.colour if optimal else "white",
                ms=6.5 if kind else 4.5,
                zorder=2.2 if kind else 2.4,
                label=f"{'best' if optimal else 'beaten'}{kind}",
            )


def ratio(table: Table) -> Figure:
    """Draw accuracy and predicates as the ratio grows."""
    found = _settings(table, r"foldse_ratio_([\d.]+)")
    learners = sorted(found, key=lambda learner: float(found[learner][1]))
    x = [float(found[learner][1]) for learner in learners]
    drawn = {
        "accuracy": Series("", "accuracy", BLUE, "o"),
        "predicates": Series("", "predicates", VERMILLION, "s", "--"),
    }
    values = Values(table, learners, tuple(drawn))
    figure, panels = grid(values.datasets, tuple(drawn))
    for dataset in (MEAN, *values.datasets):
        for metric, one in drawn.items():
            ax = panels[f"{dataset} {metric}"]
            y, std = values.line(dataset, metric), values.line(dataset, metric, "std")
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
    title = "FOLD-SE: accuracy and size as the ratio grows"
    finish(figure, title, [handle(one) for one in drawn.values()], [BARS, *values.notes()], table.protocol)
    return figure


def heuristic(table: Table) -> Figure:
    """Draw accuracy and size of FOLD-SE, FOLD-R++ and the tree under each score."""
    scores = {
        "mgi": ("magic_gini", BLUE, "o"),
        "ig": ("information_gain", VERMILLION, "s"),
        "weighted_gini": ("weighted_gini", GREEN, "^"),
        "chi_square": ("chi_square", PURPLE, "v"),
        "gini_printed": ("gini_printed (as in the paper's Equation 1)", GREY, "X"),
    }
    families = []
    for family, name, size in (
        ("foldse", "FOLD-SE", "predicates"),
        ("foldrpp", "FOLD-R++", "predicates"),
        ("tree", "tree", "nodes"),
    ):
        series = [
            Series("foldse" if (family, key) == ("foldse", "mgi") else f"{family}_{key}", *look, lane=lane)
            for lane, (key, look) in enumerate(scores.items())
        ]
        families.append((name, series, ("accuracy", size)))
    return dots(table, "Literal scores in three learners", families)


def operators(table: Table) -> Figure:
    """Draw FOLD-SE with and without its two further comparisons."""
    series = [
        Series("foldse_six_operators", "with not <= and not >", BLUE, "o"),
        Series("foldse_four_operators", "without", VERMILLION, "s"),
    ]
    title = "FOLD-SE with and without the comparisons not <= and not >"
    return dots(table, title, [("", series, ("accuracy", "rules", "predicates"))])


def multiclass(table: Table) -> Figure:
    """Draw the readings of the multi-class form: what a rule drops, and the tail."""
    found = _settings(table, r"foldse_tail_([\d.]+)(_keep_wrong)?")
    tails = sorted({float(match[1]) for match in found.values()})
    markers = ["o", "s", "^", "v", "D", "P"]
    series = [
        Series(
            learner,
            f"tail {100 * float(match[1]):g} %, wrong rows {'kept' if match[2] else 'dropped'}",
            VERMILLION if match[2] else BLUE,
            markers[tails.index(float(match[1])) % len(markers)],
            lane=tails.index(float(match[1])),
        )
        for learner, match in sorted(found.items(), key=lambda item: (float(item[1][1]), item[0]))
    ]
    title = "FOLD-SE-M: are rows of another class that a rule covers dropped, and with which tail?"
    return dots(table, title, [("", series, ("accuracy", "rules", "predicates"))])


FIGURES: dict[str, Callable[[Table], Figure]] = {
    "ablation_tail": tail,
    "ablation_ratio": ratio,
    "ablation_heuristic": heuristic,
    "ablation_operators": operators,
    "ablation_multiclass": multiclass,
}


def draw(table: Table) -> Figure | None:
    """Draw the figure of a table; None where it has none.

    Parameters
    ----------
    table : Table
    """
    if table.name not in FIGURES:
        return None
    with style.context(["default", STYLE]):
        return FIGURES[table.name](table)


def write(table: Table, folder: Path) -> Path | None:
    """Write the figure of a table as ``<experiment>.svg``.

    Parameters
    ----------
    table : Table
    folder : Path
        Made where it does not exist.

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
    path = folder / f"{table.name}.svg"
    path.write_bytes(buffer.getvalue())
    return path


def _settings(table: Table, pattern: str) -> dict[str, re.Match[str]]:
    """Return the learners of a table whose whole name follows a pattern, with their matches."""
    names = dict.fromkeys(map(str, table.rows["learner"]))
    return {name: match for name in names if (match := re.fullmatch(pattern, name))}
