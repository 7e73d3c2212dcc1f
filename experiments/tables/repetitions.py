"""Where a published figure lies among the repetitions of a protocol, and how many figures agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd

from experiments.metrics import Metric, metric_of, ordered
from experiments.tables.published import AVERAGE, READINGS

# The share of the repetitions, the middle ones, that a published figure has to lie within.
MIDDLE: Final = 0.95
SUMMARY_COLUMNS: Final = ("table", "learner", "settings", "protocol", "metric", "cells", "agree")
_OF_THE_MACHINE = ("peak_memory_mb",)


def is_compared(metric: Metric) -> bool:
    """Tell whether figures of a metric are held to published ones: times and memory are the machine's."""
    return not metric.is_time and metric.id not in _OF_THE_MACHINE


def percentile(repetitions: Sequence[float], published: float, metric: Metric) -> float:
    """Return the percentile of a published figure among the means of repetitions, from 0 to 100.

    Means are rounded to the decimals that the paper prints; those equal to the published figure count half.
    """
    means, figure = _in_last_places(repetitions, metric), _in_last_places([published], metric)[0]
    return float(100 * (np.sum(means < figure) + 0.5 * np.sum(means == figure)) / len(means))


def agrees(repetitions: Sequence[float], published: float, metric: Metric) -> bool:
    """Tell whether a published figure lies within the middle 95 % of the means of repetitions.

    The bounds are the quantiles 0.025 and 0.975 (linear interpolation), rounded to the decimals that the
    paper prints.
    """
    bounds = np.quantile(repetitions, [(1 - MIDDLE) / 2, (1 + MIDDLE) / 2])
    low, high = _in_last_places(bounds, metric)
    return bool(low <= _in_last_places([published], metric)[0] <= high)


def _in_last_places(values: Iterable[float], metric: Metric) -> np.ndarray:
    """Return values, stored ones, in units of the last place that the paper prints; halves away from 0."""
    scaled = np.asarray(list(values)) * metric.factor * 10**metric.printed
    return np.floor(scaled + 0.5 + 1e-9).astype(np.int64)


def summary(rows: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Return by line and metric how many published figures there are, and how many of them agree.

    Parameters
    ----------
    rows : iterable of mapping
        Of one table. Averages, second readings of a data set, and rows of a single repetition do not count.

    Returns
    -------
    pandas.DataFrame
        With the columns `SUMMARY_COLUMNS`.
    """
    counts: dict[tuple[str, ...], list[bool]] = {}
    for row in rows:
        if row.get("agrees") is not None and row["dataset"] not in (AVERAGE, *READINGS):
            place = tuple(row[name] for name in SUMMARY_COLUMNS[:-2])
            counts.setdefault(place, []).append(bool(row["agrees"]))
    made = [(*place, len(cells), sum(cells)) for place, cells in counts.items()]
    return pd.DataFrame(made, columns=list(SUMMARY_COLUMNS))


def grid(counted: pd.DataFrame, labels: Mapping[tuple[str, str, str], str]) -> list[list[str]]:
    """Return a summary as the cells of a small table, headings first: lines by metrics.

    Parameters
    ----------
    counted : pandas.DataFrame
        See `summary`.
    labels : mapping
        Label by learner, settings and protocol.
    """
    metrics = ordered(counted["metric"])
    lines: dict[str, dict[str, str]] = {}
    for row in counted.to_dict("records"):
        label = labels[row["learner"], row["settings"], row["protocol"]]
        lines.setdefault(label, {})[row["metric"]] = f"{row['agree']} of {row['cells']}"
    heads = ["published figures that agree", *(metric_of(name).short for name in metrics)]
    return [heads, *([label, *(cells.get(name, "") for name in metrics)] for label, cells in lines.items())]
