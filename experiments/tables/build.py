"""The rows of a table: what the runs measured beside what the paper prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from experiments.metrics import METRICS, TIMES, metric_of, ordered
from experiments.running.summary import spread
from experiments.statuses import NOT_RUN, OK
from experiments.tables import repetitions
from experiments.tables.experiment import Experiment
from experiments.tables.notes import notes
from experiments.tables.published import AVERAGE, READINGS, Published, is_attempt
from experiments.tables.runs import TableRun
from experiments.tables.series import Series, choose, title_of

COLUMNS = (
    "table",
    "dataset",
    "rows",
    "cols",
    "learner",
    "metric",
    "mean",
    "std",
    "folds",
    "status",
    "published_mean",
    "published_std",
    "difference",
    "settings",
    "protocol",
    "repeats",
    "spread",
    "percentile",
    "agrees",
)
_FIGURES = ("mean", "std", "published_mean", "published_std", "difference", "spread", "percentile")


@dataclass(frozen=True, slots=True)
class Table:
    """One rebuilt table.

    Attributes
    ----------
    experiment : Experiment
        What it is of, with its title.
    rows : pandas.DataFrame
        Tidy: one row a (data set, line, metric), with the columns `COLUMNS`. Where there are several
        repetitions, `spread` is the standard deviation (ddof=1) between their means; see `repetitions` for
        `percentile` and `agrees`.
    lines : tuple of Series
        Learners with their settings, in order; `line_of` finds that of a row.
    notes : tuple of str
        What must be known of the figures.
    agreement : pandas.DataFrame
        By line and metric how many published figures agree, see `repetitions.summary`.
    """

    experiment: Experiment
    rows: pd.DataFrame
    lines: tuple[Series, ...] = ()
    notes: tuple[str, ...] = ()
    agreement: pd.DataFrame = field(default_factory=lambda: repetitions.summary([]))

    @property
    def name(self) -> str:
        """The experiment, and behind a slash what the command line changed of it."""
        return self.experiment.name

    @property
    def agreement_grid(self) -> list[list[str]]:
        """The agreement as the cells of a small table, headings first; empty where there is none."""
        labels = {(line.learner, line.settings, line.protocol): line.label for line in self.lines}
        return repetitions.grid(self.agreement, labels) if len(self.agreement) else []

    def line_of(self, row: Mapping[str, Any]) -> Series:
        """Return the line that a row is of."""
        return next(
            line
            for line in self.lines
            if (line.learner, line.settings, line.protocol)
            == (row["learner"], row["settings"], row["protocol"])
        )


def build(name: str, runs: Sequence[TableRun], published: Published) -> Table | None:
    """Make a table.

    Parameters
    ----------
    name : str
    runs : sequence of TableRun
        All runs; those of the table are chosen.
    published : Published

    Returns
    -------
    Table or None
        None where no run is part of it.
    """
    chosen = choose(name, runs)
    if not chosen.runs:
        return None
    name, lines = chosen.experiment.base, list(chosen.lines.values())
    rows: list[dict[str, Any]] = []
    for (_, one), run in chosen.runs.items():
        rows += _rows(name, run.tags, run, chosen.lines[one], published)
    for dataset, learner in published.printed(name):
        if not any((run.dataset, run.learner) == (dataset, learner) for run in chosen.runs.values()):
            mine = [line for line in lines if line.learner == learner]
            line = mine[0] if mine else Series(learner, "", lines[0].protocol, title_of(learner))
            lines += [] if mine else [line]
            rows_, cols = published.sizes[name, dataset]
            tags = {"dataset": dataset, "rows": str(rows_), "cols": str(cols)}
            rows += _rows(name, tags, None, line, published)
    rows += averages(name, rows)
    # Said outright: to pandas a column of nothing but None is not one of numbers.
    frame = pd.DataFrame(rows, columns=list(COLUMNS)).astype(dict.fromkeys(_FIGURES, float))
    said = notes(chosen, rows, lines, published)
    return Table(chosen.experiment, frame, tuple(lines), said, repetitions.summary(rows))


def _rows(
    name: str, tags: Mapping[str, str], run: TableRun | None, line: Series, published: Published
) -> list[dict[str, Any]]:
    """Return a row for each metric that is measured or, where the run has no figures, published."""
    status = run.status if run else NOT_RUN
    means, stds = (run.means, run.stds) if run is not None and run.ok else ({}, {})
    if run is not None and run.shared_machine:
        means = {metric: mean for metric, mean in means.items() if metric not in TIMES}
    made = []
    for metric in ordered([*METRICS, *means]):
        figure = published.lookup(tags["dataset"], line.learner, metric, name, line.parameters, line.protocol)
        mean = means.get(metric)
        if mean is None and (status == OK or (figure is None and metric != "accuracy")):
            continue
        # Times come from different machines: they stand side by side, and a difference would say nothing.
        difference = mean - figure.mean if mean is not None and figure and metric not in TIMES else None
        each = run.repetitions.get(metric, ()) if run is not None and mean is not None else ()
        known = metric_of(metric)
        held_to = figure.mean if figure and each and repetitions.is_compared(known) else None
        made.append(
            {
                "table": name,
                "dataset": tags["dataset"],
                "rows": int(tags["rows"]),
                "cols": int(tags["cols"]),
                "learner": line.learner,
                "metric": metric,
                "mean": _round(mean),
                "std": _round(stds.get(metric)),
                "folds": run.count("folds") if run else 0,
                "status": status,
                "published_mean": _round(figure.mean) if figure else None,
                "published_std": _round(figure.std) if figure else None,
                "difference": _round(difference),
                "settings": line.settings,
                "protocol": line.protocol,
                "repeats": run.repeats if run else 0,
                "spread": _round(spread(each)),
                "percentile": None if held_to is None else repetitions.percentile(each, held_to, known),
                "agrees": None if held_to is None else repetitions.agrees(each, held_to, known),
            }
        )
    return made


def averages(name: str, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return plain means over the same data sets for every line, as the paper's last rows are.

    The data sets are those on which each line has an accuracy, but for lines that have one on fewer than
    half: these get no average. A second reading of a data set is left out. The published average is
    recomputed from the paper's rows for the same data sets, where it has them all; its printed averages do
    not all follow from them. The status says over how many of the data sets it is.
    """
    total = list(dict.fromkeys(row["dataset"] for row in rows if row["dataset"] not in READINGS))
    measured: dict[tuple[str, str, str], dict[str, dict[str, Mapping[str, Any]]]] = {}
    for row in rows:
        line = measured.setdefault((row["learner"], row["settings"], row["protocol"]), {})
        if row["mean"] is not None and row["dataset"] in total:
            line.setdefault(row["metric"], {})[row["dataset"]] = row
    shared = same_datasets(total, [set(line.get("accuracy", {})) for line in measured.values()])
    if len(total) < 2 or len(shared) < 2:
        return []
    made: list[dict[str, Any]] = []
    for (learner, settings, protocol), by_metric in measured.items():
        for metric, cells in by_metric.items():
            if not set(shared) <= set(cells):
                continue
            used = [cells[dataset] for dataset in shared]
            printed = [row["published_mean"] for row in used if row["published_mean"] is not None]
            ours = _mean([row["mean"] for row in used])
            theirs = _mean(printed) if len(printed) == len(used) else None
            difference = ours - theirs if theirs is not None and metric not in TIMES else None
            made.append(
                {
                    "table": name,
                    "dataset": AVERAGE,
                    "rows": round(_mean([row["rows"] for row in used])),
                    "cols": round(_mean([row["cols"] for row in used])),
                    "learner": learner,
                    "metric": metric,
                    "mean": _round(ours),
                    "folds": len(used),
                    "status": OK if len(used) == len(total) else f"{len(used)} of {len(total)} data sets",
                    "published_mean": _round(theirs),
                    "difference": _round(difference),
                    "settings": settings,
                    "protocol": protocol,
                    "repeats": min(row["repeats"] for row in used),
                    "agrees": None,
                }
            )
    return made


def same_datasets(total: Sequence[str], each: Sequence[set[str]]) -> list[str]:
    """Return the data sets that all lines have, lines that have fewer than half of them left out."""
    counted = [there for there in each if 2 * len(there) >= len(total)]
    return [dataset for dataset in total if counted and all(dataset in there for there in counted)]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _round(value: float | None) -> float | None:
    """Six decimals: beyond them a mean of folds differs from machine to machine."""
    return None if value is None else round(value, 6) + 0.0  # no -0.0


def differs(row: Mapping[str, Any], line: Series) -> bool:
    """Tell whether a figure differs from the published one.

    With several repetitions it differs where it does not agree (`repetitions.agrees`); otherwise where it is
    more than two standard deviations away. The deviation is the published one, where there is none our own
    over the folds; half a unit of the last printed place is allowed besides. An average has none and never
    differs, nor does a line whose settings are no attempt at the published figure.
    """
    difference = row["difference"]
    if pd.isna(difference) or row["dataset"] == AVERAGE or not is_attempt(line):
        return False
    if row["agrees"] is not None and not pd.isna(row["agrees"]):
        return not row["agrees"]
    deviation = next((row[key] for key in ("published_std", "std") if not pd.isna(row[key])), None)
    if deviation is None:
        return False
    return bool(abs(difference) > 2 * deviation + metric_of(row["metric"]).last_place / 2)
