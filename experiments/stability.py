"""``python -m experiments.stability``: whether the splits of a data set lead to the same program."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from experiments.comparison.arguments import Arguments, run_command
from experiments.comparison.runs import parse_folds, runs_by_place, select
from experiments.comparison.scores import ComparisonError
from experiments.comparison.stability import Stability, stability
from experiments.comparison.text import table
from experiments.config import ConfigError, compose
from experiments.console import out
from experiments.data.config import DataError
from experiments.data.download import Downloads
from experiments.data.load import load
from experiments.records import Dataset
from experiments.store.location import TrackingError, exists
from experiments.store.tracking import Store
from experiments.tables.runs import TableRun, from_store

_USAGE = """\
usage: python -m experiments.stability [EXPERIMENT ...] [KEY=VALUE ...]

Compare the programs that a learner has learned from the splits of a data set: how many differ, how alike
their columns and literals are, how often they say the same, and how their sizes spread. Programs are those of
the runs of named experiments (without one, of all runs) in the tracking store. Files go to
<paths.results>/comparisons.

  datasets=a,b        only these
  learners=a,b        only these
  tolerance=0.05      thresholds with at most this share of the column's values between them are the same
  tracking.uri=...    another store
  paths.data=...      folder with the data sets: without their rows, thresholds are compared as numbers
  paths.results=...   another folder"""
_KEYS = ("datasets", "learners", "tolerance")


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare the programs of the runs that `arguments` name; return the exit code."""
    return run_command(_compare, _USAGE, _KEYS, arguments)


def _compare(asked: Arguments) -> None:
    cfg = compose(asked.overrides)
    tolerance = asked.number("tolerance", 0.05)
    if not 0 <= tolerance <= 1:
        raise ComparisonError(f"tolerance={tolerance:g} must be a share from 0 to 1")
    if asked.runs is not None:
        raise ComparisonError("--from has no programs; they are in the store alone")
    if not exists(cfg.tracking.uri):
        raise TrackingError(f"tracking.uri={cfg.tracking.uri}: no such file")
    store = Store.from_config(cfg.tracking)
    runs, _ = runs_by_place(select(from_store(store.read()), asked.sources))
    rows = []
    tables: dict[str, Dataset | None] = {}
    for (dataset, learner), run in _wanted(runs, asked).items():
        if not run.ok:
            continue
        if dataset not in tables:
            tables[dataset] = _rows_of(dataset, run, asked.overrides)
        found = stability(parse_folds(store.text(run.run_id, "folds.json")), tables[dataset], tolerance)
        if found.programs:
            rows.append({"dataset": dataset, "learner": learner, **_figures(found)})
    if not rows:
        raise ComparisonError(
            "no run has programs: the learners have none, or datasets= and learners= leave none"
        )
    made = pd.DataFrame(rows)
    out().print(_shown(made), soft_wrap=True)
    title = "-".join(asked.sources).replace("/", "-") or "all_runs"
    path = Path(cfg.paths.results) / "comparisons" / f"{title}_stability.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    made.to_csv(path, index=False, lineterminator="\n", float_format="%.6g")
    out().print(str(path), soft_wrap=True)


def _wanted(runs: dict[tuple[str, str], TableRun], asked: Arguments) -> dict[tuple[str, str], TableRun]:
    """Return the runs of the data sets and learners that are asked for."""
    for place, key in enumerate(("datasets", "learners")):
        known = {names[place] for names in runs}
        wanted = asked.names(key)
        if wanted is None:
            continue
        if unknown := [name for name in wanted if name not in known]:
            raise ComparisonError(
                f"{key}: there is no run of {unknown[0]}; there are {', '.join(sorted(known))}"
            )
        runs = {names: run for names, run in runs.items() if names[place] in wanted}
    return dict(sorted(runs.items()))


def _rows_of(name: str, run: TableRun, overrides: Sequence[str]) -> Dataset | None:
    """Return the table of a run; None where it is not to be had, or is another one."""
    try:
        cfg = compose([f"dataset={name}", *overrides])
        dataset = load(cfg.dataset, cfg.paths.data, Downloads.from_config(cfg.paths))
    except (DataError, ConfigError):
        return None
    return dataset if dataset.digest == run.tags.get("digest") else None


def _figures(found: Stability) -> dict[str, float]:
    made: dict[str, float] = {
        "programs": found.programs,
        "distinct": found.distinct,
        "columns": found.columns,
        "literals": found.literals,
        "agreement": found.agreement,
    }
    for name, figures in found.sizes.items():
        parts = ("mean", "std", "least", "most")
        made |= {f"{name}_{part}": value for part, value in zip(parts, figures, strict=True)}
    return made


def _shown(made: pd.DataFrame) -> str:
    lines = [
        [
            "data set",
            "learner",
            "programs",
            "distinct",
            "columns",
            "literals",
            "agreement",
            "rules",
            "predicates",
        ]
    ]
    for row in made.to_dict("records"):
        shares = [_text(row[name], ".2f") for name in ("columns", "literals", "agreement")]
        sizes = [
            f"{row[f'{name}_mean']:.1f} ({row[f'{name}_least']:g} to {row[f'{name}_most']:g})"
            if not math.isnan(row[f"{name}_mean"])
            else ""
            for name in ("rules", "predicates")
        ]
        lines.append(
            [row["dataset"], row["learner"], str(row["programs"]), str(row["distinct"]), *shares, *sizes]
        )
    return table(lines)


def _text(value: float, form: str) -> str:
    return "" if math.isnan(value) else format(value, form)


if __name__ == "__main__":
    sys.exit(main())
