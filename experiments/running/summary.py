"""What the folds of a run come to: means, spreads, and the mean of each repetition."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from experiments.records import FoldResult
from experiments.statuses import OK

# The repetitions are a sample of all that could have been drawn.
SPREAD_DDOF = 1


@dataclass(frozen=True, slots=True)
class Summary:
    """A metric over the folds of a run.

    Attributes
    ----------
    mean, std : float
        Over all folds; the standard deviation has the protocol's ddof.
    repetitions : tuple of float
        Mean over the folds of each repetition; empty for a single one.
    """

    mean: float
    std: float
    repetitions: tuple[float, ...] = ()

    @property
    def spread(self) -> float | None:
        """Standard deviation between repetitions (ddof=1); None for a single one."""
        return spread(self.repetitions)


def spread(repetitions: Iterable[float]) -> float | None:
    """Return the standard deviation (ddof=1) between the means of repetitions; None for fewer than two."""
    means = list(repetitions)
    return float(np.std(means, ddof=SPREAD_DDOF)) if len(means) > 1 else None


def summarize(results: Iterable[FoldResult], ddof: int = 0) -> dict[str, Summary]:
    """Return the summary of each metric; none unless every fold is ok.

    Parameters
    ----------
    results : iterable of FoldResult
    ddof : int, default=0
        Of the standard deviation over the folds, 0 as in the paper.
    """
    results = list(results)
    if not results or any(result.status != OK for result in results):
        return {}
    summary = {}
    for name in dict.fromkeys(name for result in results for name in result.metrics):
        by_repetition: dict[int, list[float]] = {}
        for result in results:
            if name in result.metrics:
                by_repetition.setdefault(result.repeat, []).append(result.metrics[name])
        values = [value for each in by_repetition.values() for value in each]
        means = tuple(float(np.mean(each)) for each in by_repetition.values())
        std = float(np.std(values, ddof=ddof)) if len(values) > ddof else 0.0
        summary[name] = Summary(float(np.mean(values)), std, means if len(means) > 1 else ())
    return summary
