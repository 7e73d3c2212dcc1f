"""Every finished run of the store as one row of a CSV file, with machine, versions and date.

``python -m experiments.export`` writes ``<paths.results>/runs.csv``, from which
``python -m experiments.tables --from`` rebuilds the tables.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from hydra.errors import HydraException

from experiments.config import compose, read_overrides
from experiments.console import out, say_error
from experiments.store.location import TrackingError, exists
from experiments.store.tracking import RunRecord, Store
from experiments.tables.runs import from_store, to_frame
from experiments.tables.series import choose, names


def frame(records: Sequence[RunRecord]) -> pd.DataFrame:
    """Return the runs of a store as `experiments.tables.runs.to_frame` does; open ones are left out."""
    runs = from_store(records)
    shown: dict[str, list[str]] = {}
    for name in names(runs):
        for run in choose(name, runs).runs.values():
            shown.setdefault(run.run_id, []).append(name)
    return to_frame(runs, shown)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the file; `arguments` are overrides such as ``tracking.uri=...``. Return the exit code."""
    given = read_overrides("export", __doc__, sys.argv[1:] if arguments is None else arguments)
    try:
        cfg = compose(given)
        if not exists(cfg.tracking.uri):
            raise TrackingError(f"tracking.uri={cfg.tracking.uri}: no such file")
        made = frame(Store.from_config(cfg.tracking).read())
        path = Path(cfg.paths.results) / "runs.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        made.to_csv(path, index=False, lineterminator="\n", float_format="%.10g")
    except (TrackingError, HydraException, OSError) as error:
        say_error(str(error))
        return 1
    out().print(f"{len(made)} runs: {path}", soft_wrap=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
