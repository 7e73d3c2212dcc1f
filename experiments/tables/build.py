"""The tables of the paper, rebuilt from the tracking store alone, beside the published figures.

``python -m experiments.tables`` rebuilds every table that the store has runs of.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from experiments.metrics import METRICS, TIMES, metric_of, ordered
from experiments.statuses import NOT_RUN, OK, RUNNING, STATUSES, TIMEOUT
from experiments.store.tags import table_tag
from experiments.store.tracking import (
    RunRecord,
)
from experiments.tables.published import (
    AVERAGE,
    BOTH_SETTINGS,
    READINGS,
    Published,
    is_variant,
)

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
)
_FIGURES = ("mean", "std", "published_mean", "published_std", "difference")
_PREFIX = table_tag("")


@dataclass(frozen=True, slots=True)
class Table:
    """One rebuilt table.

    Attributes
    ----------
    name : str
        The experiment that it is of.
    protocol : str
        The protocol that all its runs share.
    rows : pandas.DataFrame
        Tidy: one row a (data set, learner, metric), with the columns `COLUMNS`.
    sources : dict of str to str
        Where the rows of each data set came from.
    notes : tuple of str
        Where the data differ from what the paper says of them, and what became of runs without figures.
    """

    name: str
    protocol: str
    rows: pd.DataFrame
    sources: dict[str, str]
    notes: tuple[str, ...] = ()


def names(records: Iterable[RunRecord]) -> list[str]:
    """Return the tables that the runs are part of, sorted."""
    return sorted(
        {tag.removeprefix(_PREFIX) for run in records for tag in run.tags if tag.startswith(_PREFIX)}
    )


def choose(name: str, records: Sequence[RunRecord]) -> list[RunRecord]:
    """Return the runs that a table shows: small data sets first, learners as the sweep named them.

    Of each data set and learner the latest run that is ok counts; where there is none, the latest one gives
    its status. All runs of a table share one protocol, the one of its latest run.

    Parameters
    ----------
    name : str
    records : sequence of RunRecord
        All runs, the latest first.
    """
    mine = [run for run in records if table_tag(name) in run.tags and run.status != RUNNING]
    mine.sort(key=lambda run: run.asked(name), reverse=True)  # a run that was found again counts as of then
    mine = [run for run in mine if run.tags["protocol"] == mine[0].tags["protocol"]]
    chosen: dict[tuple[str, str], RunRecord] = {}
    for run in mine:
        key = (run.tags["dataset"], run.tags["learner"])
        if key not in chosen or (run.status == OK and chosen[key].status != OK):
            chosen[key] = run
    learners = {run.tags["learner"]: run.asked(name) for run in mine}  # the earliest, since it comes last
    order = sorted(chosen, key=lambda key: (int(chosen[key].tags["rows"]), key[0], learners[key[1]], key[1]))
    return [chosen[key] for key in order]


def build(name: str, records: Sequence[RunRecord], published: Published) -> Table | None:
    """Make a table of the runs that `choose` returns.

    Parameters
    ----------
    name : str
    records : sequence of RunRecord
        All runs, the latest first.
    published : Published

    Returns
    -------
    Table or None
        None where no run is part of it.
    """
    chosen = choose(name, records)
    if not chosen:
        return None
    rows = [row for run in chosen for row in _rows(name, run.tags, run.status, run, published)]
    rows += _not_run(name, chosen, published)
    rows += _averages(name, rows, published)
    sources = {run.tags["dataset"]: run.tags["source"] for run in chosen}
    # Said outright: a column of nothing but None is no column of numbers to pandas.
    frame = pd.DataFrame(rows, columns=list(COLUMNS)).astype(dict.fromkeys(_FIGURES, float))
    notes = (
        *_data_notes(name, chosen, published),
        *_agreement_notes(rows),
        *([BOTH_SETTINGS[name]] if name in BOTH_SETTINGS else []),
        *_stopped_notes(chosen),
        *_version_notes(chosen),
    )
    return Table(name, chosen[0].tags["protocol"], frame, sources, notes)


def _rows(
    name: str, tags: Mapping[str, str], status: str, run: RunRecord | None, published: Published
) -> list[dict[str, object]]:
    dataset, learner = tags["dataset"], tags["learner"]
    made = []
    for metric in ordered([*METRICS, *(run.measured if run else ())]):
        figure = published.lookup(dataset, learner, metric, name)
        mean = run.mean(metric) if run is not None and status == OK else None
        if mean is None and (status == OK or (figure is None and metric != "accuracy")):
            continue
        # Times come from different machines: they stand side by side, and a difference would say nothing.
        difference = mean - figure.mean if mean is not None and figure and metric not in TIMES else None
        made.append(
            {
                "table": name,
                "dataset": dataset,
                "rows": int(tags["rows"]),
                "cols": int(tags["cols"]),
                "learner": learner,
                "metric": metric,
                "mean": _round(mean),
                "std": _round(run.std(metric)) if run is not None and mean is not None else None,
                "folds": int(tags.get("folds", 0)),
                "status": status,
                "published_mean": _round(figure.mean) if figure else None,
                "published_std": _round(figure.std) if figure else None,
                "difference": _round(difference),
            }
        )
    return made


def _not_run(name: str, chosen: Sequence[RunRecord], published: Published) -> list[dict[str, object]]:
    """Return a row for each printed figure of a table of the paper that the store has no run for."""
    there = {(run.tags["dataset"], run.tags["learner"]) for run in chosen}
    made = []
    for dataset, learner in published.printed(name):
        if (dataset, learner) in there:
            continue
        size = published.sizes[name, dataset]
        tags = {"dataset": dataset, "learner": learner, "rows": str(size[0]), "cols": str(size[1])}
        made += _rows(name, tags, NOT_RUN, None, published)
    return made


def _averages(name: str, rows: list[dict[str, object]], published: Published) -> list[dict[str, object]]:
    """Return the plain means over the data sets, as the paper's last rows are; a second reading left out.

    The published side is recomputed from the paper's rows for the same data sets: its printed averages do not
    all follow from them. Where some data sets have no figure, the status says of how many it is.
    """
    groups: dict[tuple[object, object], list[dict[str, object]]] = {}
    for row in rows:
        if row["dataset"] not in READINGS:
            groups.setdefault((row["learner"], row["metric"]), []).append(row)
    total = len({row["dataset"] for row in rows} - set(READINGS))
    made: list[dict[str, object]] = []
    for (learner, metric), group in groups.items():
        measured = [row for row in group if row["mean"] is not None]
        both = [row for row in measured if row["published_mean"] is not None]
        used = both if len(both) > 1 else measured
        if total < 2 or len(used) < 2:
            continue

        def mean(column: str, used: list[dict[str, object]] = used) -> float:
            return sum(float(str(row[column])) for row in used) / len(used)

        ours, theirs = mean("mean"), mean("published_mean") if used is both else None
        made.append(
            {
                "table": name,
                "dataset": AVERAGE,
                "rows": round(mean("rows")),
                "cols": round(mean("cols")),
                "learner": learner,
                "metric": metric,
                "mean": _round(ours),
                "std": None,
                "folds": len(used),
                "status": OK if len(used) == total else f"{len(used)} of {total} data sets",
                "published_mean": _round(theirs),
                "published_std": None,
                "difference": _round(ours - theirs) if theirs is not None and metric not in TIMES else None,
            }
        )
    return made


def _data_notes(name: str, chosen: Sequence[RunRecord], published: Published) -> Iterator[str]:
    """Say where data are not those of the paper, and where the paper's tables differ about their size."""
    there = {run.tags["dataset"]: run for run in chosen}
    for dataset, run in there.items():
        printed = published.sizes_of(READINGS.get(dataset, dataset))
        expected = printed.get(name, next(iter(printed.values()), None))
        rows, cols = int(run.tags["rows"]), int(run.tags["cols"])
        if expected is not None and expected != (rows, cols):
            yield (
                f"{dataset} has {rows:,} rows and {cols} columns here, "
                f"{expected[0]:,} and {expected[1]} in the paper."
            )
    remarks = {run.tags["dataset"]: run.tags["notes"] for run in chosen if "notes" in run.tags}
    for dataset, remark in remarks.items():
        yield from (f"{dataset}: {text}." for text in json.loads(remark))
    for dataset in dict.fromkeys(dataset for dataset, _ in published.printed(name)):
        printed = published.sizes_of(dataset)
        if dataset not in there and len(set(printed.values())) > 1:
            sizes = dict.fromkeys(f"{rows:,} × {cols}" for rows, cols in printed.values())
            yield f"{dataset} is {' or '.join(sizes)} in the paper, by table."


def _agreement_notes(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Count for each learner on how many data sets it is near the published figures."""
    counts: dict[str, dict[str, list[bool]]] = {}
    for row in rows:
        if row["dataset"] in (AVERAGE, *READINGS):
            continue
        tolerance = metric_of(row["metric"]).tolerance
        if row["difference"] is not None and tolerance is not None:
            by_metric = counts.setdefault(row["learner"], {})
            by_metric.setdefault(row["metric"], []).append(abs(row["difference"]) <= tolerance)
    if counts:
        each = [
            f"{learner} {' / '.join(str(sum(near)) for near in by_metric.values())} "
            f"of {max(map(len, by_metric.values()))}"
            for learner, by_metric in counts.items()
        ]
        yield (
            f"Agreement with the paper (data sets within {METRICS['accuracy'].tolerance:g} accuracy / "
            f"{METRICS['rules'].tolerance:g} rule / {METRICS['predicates'].tolerance:g} predicates): "
            f"{'; '.join(each)}."
        )


def _stopped_notes(chosen: Sequence[RunRecord]) -> Iterator[str]:
    """Say what each status without figures means, and the limits that folds were over."""
    over: dict[float, dict[str, list[str]]] = {}
    for run in chosen:
        if run.status == TIMEOUT:
            learners = over.setdefault(float(run.tags["limit_seconds"]), {})
            learners.setdefault(run.tags["learner"], []).append(run.tags["dataset"])
    if over:
        each = [
            f"{limit:g} s: "
            + ", ".join(f"{learner} on {', '.join(datasets)}" for learner, datasets in over[limit].items())
            for limit in sorted(over)
        ]
        yield f"{TIMEOUT}: {STATUSES[TIMEOUT].note} ({'; '.join(each)})."
    statuses = {run.status for run in chosen} - {TIMEOUT}
    yield from (
        f"{name}: {status.note}." for name, status in STATUSES.items() if name in statuses and status.note
    )


def _version_notes(chosen: Sequence[RunRecord]) -> Iterator[str]:
    """Say which learners' runs are of more than one version of their code."""
    versions: dict[str, set[str]] = {}
    for run in chosen:
        if run.status == OK:
            versions.setdefault(run.tags["learner"], set()).add(run.tags.get("code", ""))
    several = [learner for learner, found in versions.items() if len(found) > 1]
    if several:
        yield f"Runs of more than one version of the code, see runs.csv: {', '.join(several)}."


def outside(row: Mapping[str, Any]) -> bool:
    """Tell whether a figure is more than two standard deviations from the published one.

    The deviation is the published one, where there is none our own over the folds; half a unit of the last
    printed place is allowed besides. An average has none and is never outside, nor is a setting that an
    ablation varies: it is no attempt at the published figure.
    """
    difference = row["difference"]
    if difference is None or pd.isna(difference) or row["dataset"] == AVERAGE or is_variant(row["learner"]):
        return False
    deviation = next((row[key] for key in ("published_std", "std") if not pd.isna(row[key])), None)
    if deviation is None:
        return False
    return bool(abs(difference) > 2 * deviation + metric_of(row["metric"]).last_place / 2)


def _round(value: float | None) -> float | None:
    """Six decimals: beyond them a mean of folds differs from machine to machine."""
    return None if value is None else round(value, 6)
