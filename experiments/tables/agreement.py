"""How far two tables agree: one that was made anew, and the one that it is held to."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd

from experiments.metrics import METRICS

_CELL = ["dataset", "learner", "settings", "protocol", "metric"]
_LINE = _CELL[:-1]
# What depends on the machine, and is no difference.
_MACHINE = [metric.id for metric in METRICS.values() if metric.is_time or metric.id == "peak_memory_mb"]
_MOST = 10


def read(path: Path) -> pd.DataFrame | None:
    """Return a table's CSV file; None where there is none or it has no settings yet."""
    if not path.is_file():
        return None
    frame = pd.read_csv(path, keep_default_na=False, na_values={name: [""] for name in ("mean", "std")})
    return frame if set(_CELL) <= set(frame) else None


def as_written(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows as they are after writing and reading."""
    text = rows.to_csv(index=False)
    return pd.read_csv(
        io.StringIO(text), keep_default_na=False, na_values={name: [""] for name in ("mean", "std")}
    )


def lost(made: pd.DataFrame, there: pd.DataFrame) -> list[str]:
    """Return the lines with figures that are in `there` and not in `made`, as data set and learner."""
    figures = there[there["mean"].notna() & (there["dataset"] != "average")]
    kept = set(made.loc[made["mean"].notna(), _LINE].itertuples(index=False, name=None))
    missing = [
        line for line in dict.fromkeys(figures[_LINE].itertuples(index=False, name=None)) if line not in kept
    ]
    return [
        f"{dataset} {learner}{f' {settings}' if settings else ''}"
        for dataset, learner, settings, _ in missing
    ]


def agreement(made: pd.DataFrame, there: pd.DataFrame) -> list[str]:
    """Say how many figures of a table are those of another, and which differ by how much; times are left out.

    Parameters
    ----------
    made, there : pandas.DataFrame
        Rows of the table that was made anew, and of the one it is compared with.

    Returns
    -------
    list of str
        One line that counts, then at most ten figures that differ, the largest relative difference first.
    """
    measured = [frame[frame["mean"].notna() & ~frame["metric"].isin(_MACHINE)] for frame in (made, there)]
    both = measured[0].merge(measured[1], on=_CELL, suffixes=("", "_there"))
    both = both[both["dataset"] != "average"]
    change = (both["mean"] - both["mean_there"]).abs()
    equal = int((change < 5e-7).sum())
    n_there = int((measured[1]["dataset"] != "average").sum())
    said = f"{equal} of {len(both)} figures equal the shipped ones exactly, times and memory aside"
    if len(both) < n_there:
        said += f"; {n_there - len(both)} shipped figures have no counterpart"
    order = (
        (change / both["mean_there"].abs().clip(lower=1e-9)).sort_values(ascending=False, kind="stable").index
    )
    different = [i for i in order if change[i] >= 5e-7]
    lines = [f"{said}."]
    for i in different[:_MOST]:
        row = both.loc[i]
        name = " ".join(str(row[part]) for part in ("dataset", "learner", "settings", "metric") if row[part])
        lines.append(f"  {name}: {row['mean']:g}, shipped {row['mean_there']:g}")
    if len(different) > _MOST:
        lines.append(f"  and {len(different) - _MOST} more")
    return lines
