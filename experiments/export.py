"""Every finished run of the store as one row of a CSV file, with machine, versions and date.

``python -m experiments.export`` writes ``<paths.results>/runs.csv``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
from hydra.errors import HydraException

from experiments.config import compose
from experiments.console import out, say_error
from experiments.metrics import METRICS, ordered
from experiments.statuses import RUNNING
from experiments.store.tags import table_tag
from experiments.store.tracking import (
    RunRecord,
    Store,
    TrackingError,
    exists,
)
from experiments.tables.build import choose, names

_TAGS = (
    "dataset",
    "rows",
    "cols",
    "source",
    "digest",
    "learner",
    "code",
    "protocol",
    "status",
    "folds",
    "error",
)
_LIMITS = ("limit_seconds", "limit_memory_mb")


def frame(records: Sequence[RunRecord]) -> pd.DataFrame:
    """Return the runs as a table.

    Parameters
    ----------
    records : sequence of RunRecord
        All runs, the latest first; those that are still open are left out.

    Returns
    -------
    pandas.DataFrame
        One row a run, by data set, learner and start: what it is of, its start (UTC), the tables it is part
        of and those that show it (a later run may have taken its place), mean and population standard
        deviation of each metric, and machine and versions, a column each.
    """
    shown: dict[str, list[str]] = {}
    for name in names(records):
        for run in choose(name, records):
            shown.setdefault(run.run_id, []).append(name)
    rows = []
    metrics = ordered([*METRICS, *(metric for run in records for metric in run.measured)])
    for run in records:
        if run.status == RUNNING:
            continue
        prefix = table_tag("")
        row: dict[str, object] = {"run": run.run_id}
        row["started"] = datetime.fromtimestamp(run.started / 1000, UTC).isoformat(timespec="seconds")
        row["tables"] = " ".join(sorted(t.removeprefix(prefix) for t in run.tags if t.startswith(prefix)))
        row["shown_in"] = " ".join(shown.get(run.run_id, []))
        row.update({tag: run.tags.get(tag, "") for tag in _TAGS} | {"status": run.status})
        for metric in metrics:
            row.update({f"{metric}_mean": run.mean(metric), f"{metric}_std": run.std(metric)})
        row.update({tag: run.tags.get(tag, "") for tag in _LIMITS})
        for tag in ("hardware", "versions"):
            row.update({f"{tag}.{key}": value for key, value in (run.decoded(tag) or {}).items()})
        rows.append(row)
    made = pd.DataFrame(rows)
    return made.sort_values(["dataset", "learner", "started"], ignore_index=True) if rows else made


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the file; `arguments` are overrides such as ``tracking.uri=...``. Return the exit code."""
    try:
        cfg = compose(sys.argv[1:] if arguments is None else arguments)
        if not exists(cfg.tracking.uri):
            raise TrackingError(f"tracking.uri={cfg.tracking.uri}: no such file")
        made = frame(Store.from_config(cfg.tracking).read())
    except (TrackingError, HydraException) as error:
        say_error(str(error))
        return 1
    path = Path(cfg.paths.results) / "runs.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    made.to_csv(path, index=False, lineterminator="\n", float_format="%.6g")
    out().print(f"{len(made)} runs: {path}", soft_wrap=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
