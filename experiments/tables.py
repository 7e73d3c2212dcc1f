"""The tables of the paper, rebuilt from the tracking store alone, beside the published figures.

``python -m experiments.tables`` rebuilds every table that the store has runs of.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from hydra.errors import HydraException
from omegaconf import DictConfig

from experiments.config import compose
from experiments.console import out, say_error
from experiments.published import AVERAGE, READINGS, Published, PublishedError
from experiments.runner import METRICS, TIMES
from experiments.tags import table_tag
from experiments.tracking import RunRecord, Store, TrackingError, exists

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
NOT_RUN = "not run"


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
        Where the data differ from what the paper says of them.
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


def build(name: str, records: Sequence[RunRecord], published: Published) -> Table | None:
    """Make a table of the latest runs that are part of it.

    Of each data set and learner the latest run that is ok counts; where there is none, the latest one gives
    its status. All runs of a table share one protocol, the one of its latest run.

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
    mine = [run for run in records if table_tag(name) in run.tags and run.status != "running"]
    if not mine:
        return None
    mine.sort(key=lambda run: run.asked(name), reverse=True)  # a run that was found again counts as of then
    protocol = mine[0].tags["protocol"]
    mine = [run for run in mine if run.tags["protocol"] == protocol]
    chosen: dict[tuple[str, str], RunRecord] = {}
    for run in mine:
        key = (run.tags["dataset"], run.tags["learner"])
        if key not in chosen or (run.status == "ok" and chosen[key].status != "ok"):
            chosen[key] = run
    # Small data sets first, as in the paper; learners as the sweep named them.
    learners = {run.tags["learner"]: run.asked(name) for run in mine}  # the earliest, since it comes last
    order = sorted(chosen, key=lambda key: (int(chosen[key].tags["rows"]), key[0], learners[key[1]], key[1]))
    rows = [row for key in order for row in _rows(name, chosen[key], published)]
    rows += _not_run(name, set(order), published)
    rows += _averages(name, rows, published)
    sizes = {key[0]: (int(chosen[key].tags["rows"]), int(chosen[key].tags["cols"])) for key in order}
    sources = {key[0]: chosen[key].tags["source"] for key in order}
    # Said outright: a column of nothing but None is no column of numbers to pandas.
    frame = pd.DataFrame(rows, columns=list(COLUMNS)).astype(dict.fromkeys(_FIGURES, float))
    return Table(name, protocol, frame, sources, tuple(_size_notes(name, sizes, published)))


def _rows(name: str, run: RunRecord, published: Published) -> list[dict[str, object]]:
    dataset, learner = run.tags["dataset"], run.tags["learner"]
    made = []
    for metric in METRICS:
        figure = published.lookup(dataset, learner, metric, name)
        mean = run.metrics.get(f"{metric}_mean") if run.status == "ok" else None
        if mean is None and (run.status == "ok" or (figure is None and metric != "accuracy")):
            continue
        # Times come from different machines: they stand side by side, and a difference would say nothing.
        difference = mean - figure.mean if mean is not None and figure and metric not in TIMES else None
        made.append(
            {
                "table": name,
                "dataset": dataset,
                "rows": int(run.tags["rows"]),
                "cols": int(run.tags["cols"]),
                "learner": learner,
                "metric": metric,
                "mean": _round(mean),
                "std": _round(run.metrics.get(f"{metric}_std")) if mean is not None else None,
                "folds": int(run.tags.get("folds", 0)),
                "status": run.status,
                "published_mean": _round(figure.mean) if figure else None,
                "published_std": _round(figure.std) if figure else None,
                "difference": _round(difference),
            }
        )
    return made


def _not_run(name: str, there: set[tuple[str, str]], published: Published) -> list[dict[str, object]]:
    """Return a row for each printed figure of a table of the paper that the store has no run for."""
    made = []
    for dataset, learner in published.printed(name):
        if (dataset, learner) in there:
            continue
        size = published.sizes[name, dataset]
        tags = {"dataset": dataset, "learner": learner, "rows": str(size[0]), "cols": str(size[1])}
        made += _rows(name, RunRecord("", True, 0, {**tags, "status": NOT_RUN}), published)
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
                "status": "ok" if len(used) == total else f"{len(used)} of {total} data sets",
                "published_mean": _round(theirs),
                "published_std": None,
                "difference": _round(ours - theirs) if theirs is not None and metric not in TIMES else None,
            }
        )
    return made


def _size_notes(name: str, sizes: dict[str, tuple[int, int]], published: Published) -> Iterator[str]:
    """Say where a data set has another size than the paper prints."""
    for dataset, (rows, cols) in sizes.items():
        printed = published.sizes.get((name, READINGS.get(dataset, dataset)))
        if printed is not None and printed != (rows, cols):
            yield (
                f"{dataset} has {rows:,} rows and {cols} columns here, "
                f"{printed[0]:,} and {printed[1]} in the paper."
            )


def outside(row: Mapping[str, Any]) -> bool:
    """Tell whether a figure is more than two standard deviations from the published one.

    The deviation is the published one, where there is none our own over the folds; half a unit of the last
    printed place is allowed besides. An average has none and is never outside.
    """
    difference = row["difference"]
    if difference is None or pd.isna(difference) or row["dataset"] == AVERAGE:
        return False
    deviation = next((row[key] for key in ("published_std", "std") if not pd.isna(row[key])), None)
    if deviation is None:
        return False
    unit = 0.01 if row["metric"] in ("accuracy", "precision", "recall", "f1") else 0.1
    return bool(abs(difference) > 2 * deviation + unit / 2)


def write(table: Table, folder: Path) -> list[Path]:
    """Write a table as .csv, .md, .tex and .html.

    Parameters
    ----------
    table : Table
    folder : Path
        Made where it does not exist.

    Returns
    -------
    list of Path
        The four files.
    """
    from experiments.render import html, latex, markdown  # great-tables takes a second to import

    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "csv": table.rows.to_csv(index=False, lineterminator="\n"),
        "md": markdown(table),
        "tex": latex(table),
        "html": html(table),
    }
    paths = []
    for suffix, text in texts.items():
        path = folder / f"{table.name}.{suffix}"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


def rebuild(cfg: DictConfig, only: str | None = None) -> list[Table]:
    """Rebuild the tables that the store has runs of, and write them to ``<paths.results>/tables``.

    The figures of the ablations are drawn from them, to ``<paths.results>/figures``.

    Parameters
    ----------
    cfg : omegaconf.DictConfig
        The config groups ``tracking`` and ``paths`` are read.
    only : str, optional
        Rebuild this table alone.
    """
    if not exists(cfg.tracking.uri):
        raise TrackingError(
            f"tracking.uri={cfg.tracking.uri}: no such file; "
            "fill it with python -m experiments -m experiment=quickstart"
        )
    published = Published.read(Path(cfg.paths.published))
    records = Store.from_config(cfg.tracking).read()
    made = [build(name, records, published) for name in ([only] if only else names(records))]
    tables = [table for table in made if table is not None]
    for table in tables:
        write(table, Path(cfg.paths.results) / "tables")
    if any(table.name.startswith("ablation") for table in tables):
        from experiments import figures  # matplotlib takes a second to import

        for table in tables:
            figures.write(table, Path(cfg.paths.results) / "figures")
    return tables


def main(arguments: Sequence[str] | None = None) -> int:
    """Rebuild every table; `arguments` are overrides such as ``tracking.uri=...``. Return the exit code."""
    from experiments.render import terminal

    try:
        tables = rebuild(compose(sys.argv[1:] if arguments is None else arguments))
    except (TrackingError, PublishedError, HydraException) as error:
        say_error(str(error))
        return 1
    for table in tables:
        out().print(terminal(table, out().width))
    if not tables:
        out().print(
            "The store has no runs of a named experiment: run python -m experiments -m experiment=quickstart"
        )
    return 0


def _round(value: float | None) -> float | None:
    """Six decimals: beyond them a mean of folds differs from machine to machine."""
    return None if value is None else round(value, 6)


if __name__ == "__main__":
    sys.exit(main())
