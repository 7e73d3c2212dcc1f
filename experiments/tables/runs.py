"""What a table needs of a run, whether it comes from the tracking store or from ``runs.csv``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd

from experiments.metrics import METRICS, ordered
from experiments.statuses import OK, RUNNING
from experiments.store.tags import table_tag
from experiments.store.tracking import RunRecord
from experiments.tables.experiment import plain

_FACTS = ("dataset", "rows", "cols", "source", "digest", "notes", "learner", "title")
_TAGS = ("code", "protocol", "status", "folds", "error", "limit_seconds", "limit_memory_mb")
_MACHINE = ("hardware", "versions")
# Columns that the first files do not have.
_REPEATS, _REPETITIONS = "repeats", "repetitions"
_PREFIX = table_tag("")


class RunsFileError(ValueError):
    """A ``runs.csv`` that cannot be read; the message is one line."""


@dataclass(frozen=True, slots=True)
class TableRun:
    """One finished run.

    Attributes
    ----------
    run_id : str
    started : str
        ISO 8601, UTC.
    asked : dict of str to int
        By table that the run is part of, when the table last asked for it: a sequence that only grows.
    tags : dict of str to str
        The columns `_FACTS` and `_TAGS` of ``runs.csv`` and those of machine and versions, as text.
    settings : dict of str to str
        All parameters of the learner, in the order of its config.
    means, stds : dict of str to float
        By metric, over the folds.
    repetitions : dict of str to tuple of float
        By metric, the mean of each repetition; empty for a single one.
    """

    run_id: str
    started: str
    asked: dict[str, int]
    tags: dict[str, str]
    settings: dict[str, str] = field(default_factory=dict)
    means: dict[str, float] = field(default_factory=dict)
    stds: dict[str, float] = field(default_factory=dict)
    repetitions: dict[str, tuple[float, ...]] = field(default_factory=dict)

    @property
    def dataset(self) -> str:
        return self.tags["dataset"]

    @property
    def learner(self) -> str:
        return self.tags["learner"]

    @property
    def status(self) -> str:
        return self.tags["status"]

    @property
    def protocol(self) -> dict[str, str]:
        """All parameters of the protocol."""
        return dict(part.split("=", 1) for part in self.tags["protocol"].split() if "=" in part)

    @property
    def repeats(self) -> int:
        """How many repetitions of the protocol were run; 0 where the run has no figures."""
        return (self.count(_REPEATS) or 1) if self.ok else 0

    @property
    def ok(self) -> bool:
        """Whether it has figures."""
        return self.status == OK

    @property
    def shared_machine(self) -> bool:
        """Whether other jobs ran beside it, so that its times are not those of one alone."""
        return self.count("hardware.jobs_at_once") > 1

    def count(self, tag: str) -> int:
        """Return a tag that is a whole number, 0 where there is none."""
        return int(self.tags.get(tag) or 0)


def from_store(records: Iterable[RunRecord]) -> list[TableRun]:
    """Return the runs of the store that have ended, in its order."""
    return [_from_record(record) for record in records if record.status != RUNNING]


def _from_record(record: RunRecord) -> TableRun:
    tags = {tag: record.tags.get(tag, "") for tag in (*_FACTS, *_TAGS, _REPEATS)} | {"status": record.status}
    tags["title"] = record.params.get("learner.title", "")
    for group in _MACHINE:
        values = json.loads(record.tags.get(group) or "{}")
        tags.update({f"{group}.{key}": str(value) for key, value in values.items()})
    tags.update({tag: value for tag, value in record.tags.items() if tag.startswith("git.")})
    settings = {
        name.removeprefix("learner."): plain(value)
        for name, value in record.params.items()
        if name.startswith("learner.") and name not in ("learner.id", "learner.title")
    }
    if settings.get("seed") == record.params.get("protocol.seed"):
        settings.pop("seed", None)  # the protocol's, not a setting of its own
    names = [tag.removeprefix(_PREFIX) for tag in record.tags if tag.startswith(_PREFIX)]
    return TableRun(
        record.run_id,
        datetime.fromtimestamp(record.started / 1000, UTC).isoformat(timespec="seconds"),
        {name: record.asked(name) for name in names},
        tags,
        settings,
        {metric: mean for metric in record.measured if (mean := record.mean(metric)) is not None},
        {metric: std for metric in record.measured if (std := record.std(metric)) is not None},
        record.repetitions,
    )


def to_frame(runs: Sequence[TableRun], shown: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """Return runs as the rows of ``runs.csv``, by data set, learner and start.

    Parameters
    ----------
    runs : sequence of TableRun
    shown : mapping of str to sequence of str
        By id of a run, the tables that show it; a later run may have taken its place in others.

    Returns
    -------
    pandas.DataFrame
        One row a run: what it is of, its start, its tables, mean and population standard deviation of each
        metric, limits, machine and versions, a column each. ``settings`` is JSON.
    """
    metrics = ordered([*METRICS, *(metric for run in runs for metric in run.means)])
    rows = []
    for run in runs:
        row: dict[str, Any] = {"run": run.run_id, "started": run.started}
        row["tables"] = " ".join(sorted(run.asked))
        row["shown_in"] = " ".join(sorted(shown.get(run.run_id, [])))
        row.update({tag: run.tags.get(tag, "") for tag in _FACTS})
        row["settings"] = json.dumps(run.settings)
        row.update({tag: run.tags.get(tag, "") for tag in _TAGS[:5]})
        for metric in metrics:
            row.update({f"{metric}_mean": run.means.get(metric), f"{metric}_std": run.stds.get(metric)})
        row[_REPEATS] = run.repeats or ""
        each = {metric: [float(f"{mean:.6g}") for mean in means] for metric, means in run.repetitions.items()}
        row[_REPETITIONS] = json.dumps(each) if each else ""
        row.update({tag: run.tags.get(tag, "") for tag in _TAGS[5:]})
        row.update({tag: value for tag, value in run.tags.items() if "." in tag})
        rows.append(row)
    made = pd.DataFrame(rows)
    return made.sort_values(["dataset", "learner", "started"], ignore_index=True) if rows else made


def read_csv(path: Path) -> list[TableRun]:
    """Return the runs of ``runs.csv`` that a table shows, each as part of those that do.

    Raises
    ------
    RunsFileError
        If the file is not there or lacks a column.
    """
    try:
        frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    except OSError as error:
        raise RunsFileError(f"{path} cannot be read ({error.strerror})") from None
    lacking = {"run", "started", "shown_in", "settings", "dataset", "learner", *_TAGS} - set(frame)
    if lacking:
        raise RunsFileError(f"{path} lacks the column {min(lacking)}: python -m experiments.export writes it")
    metrics = [name.removesuffix("_mean") for name in map(str, frame) if name.endswith("_mean")]
    made = []
    for place, record in enumerate(frame.to_dict("records")):
        row = {str(key): str(value) for key, value in record.items()}
        figures = {
            part: {m: float(row[f"{m}_{part}"]) for m in metrics if row.get(f"{m}_{part}")}
            for part in ("mean", "std")
        }
        tags = {key: row[key] for key in row if key in (*_FACTS, *_TAGS, _REPEATS) or "." in key}
        asked = dict.fromkeys(row["shown_in"].split(), place)
        made.append(
            TableRun(
                row["run"],
                row["started"],
                asked,
                tags,
                json.loads(row["settings"] or "{}"),
                figures["mean"],
                figures["std"],
                {metric: tuple(means) for metric, means in json.loads(row.get(_REPETITIONS) or "{}").items()},
            )
        )
    return [run for run in made if run.asked]
