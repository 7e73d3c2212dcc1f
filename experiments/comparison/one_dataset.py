"""Learners on a single data set: scores with intervals, ranks, and which are worse than the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from experiments.comparison.statistics.pairs import holm
from experiments.comparison.statistics.ranks import ranked
from experiments.comparison.statistics.resampled import corrected_t
from experiments.comparison.text import p_text, table
from experiments.records import FoldResult

_METRIC = "accuracy"
_SIZES = ("rules", "predicates")


def on_one_dataset(
    results: Mapping[str, Sequence[FoldResult]], test_train_ratio: float, alpha: float = 0.05
) -> str:
    """Return a table of learners, best first.

    Parameters
    ----------
    results : mapping of str to sequence of FoldResult
        By learner, those of the same splits, two at least.
    test_train_ratio : float
        Test rows of a split for each of its training rows.
    alpha : float, default=0.05
        One minus the level of the intervals.

    Notes
    -----
    The interval of an accuracy, and the p-value of its difference to the best one (adjusted by Holm for the
    number of learners), are those of `corrected_t`. A rank is the mean over the splits.
    """
    scores = pd.DataFrame(
        {name: {fold.fold: fold.metrics[_METRIC] for fold in folds} for name, folds in results.items()}
    ).dropna()
    order = scores.mean().sort_values(ascending=False, kind="stable").index
    best, others = order[0], list(order[1:])
    gaps = {name: (scores[best] - scores[name]).to_numpy() for name in others}
    p_values = holm([corrected_t(gap, test_train_ratio, alpha).p for gap in gaps.values()])
    against = {best: "", **dict(zip(others, map(p_text, p_values), strict=True))}
    ranks = ranked(scores).mean()
    lines = [["learner", f"{_METRIC} ({100 * (1 - alpha):g} %)", "mean rank", f"p, to {best}", *_SIZES]]
    for name in order:
        of = corrected_t(scores[name].to_numpy(), test_train_ratio, alpha).difference
        interval = f"{of.estimate:.3f} ({max(of.low, 0):.3f} to {min(of.high, 1):.3f})"
        sizes = [_mean(results[name], size) for size in _SIZES]
        lines.append([str(name), interval, f"{ranks[name]:.2f}", against[name], *sizes])
    return table(lines)


def _mean(results: Sequence[FoldResult], metric: str) -> str:
    values = [fold.metrics[metric] for fold in results if metric in fold.metrics]
    return f"{sum(values) / len(values):.1f}" if values else ""
