"""Two learners at a time, over data sets: signed ranks, wins and losses, and the typical difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

# From so many data sets on, the normal approximation of the signed-rank distribution is used.
_LARGE = 60


@dataclass(frozen=True, slots=True)
class Tally:
    """On how many data sets the first learner is better, alike or worse.

    Attributes
    ----------
    wins, ties, losses : int
    """

    wins: int
    ties: int
    losses: int

    def __str__(self) -> str:
        return f"{self.wins}-{self.ties}-{self.losses}"


def tally(differences: np.ndarray, rope: float = 0.0) -> Tally:
    """Count wins, ties and losses.

    Parameters
    ----------
    differences : numpy.ndarray of float64, shape (n_blocks,)
        Positive where the first learner is better.
    rope : float, default=0.0
        Region of practical equivalence: a difference of at most this size, at least 0, is a tie.
    """
    wins, losses = int((differences > rope).sum()), int((differences < -rope).sum())
    return Tally(wins, len(differences) - wins - losses, losses)


@dataclass(frozen=True, slots=True)
class SignedRanks:
    """Wilcoxon's signed-rank test of two learners.

    Attributes
    ----------
    better, worse : float
        Sum of the ranks of the data sets on which the first learner is better, and worse.
    p : float
        Two-sided p-value.
    effect : float
        Matched-pairs rank-biserial correlation: (better - worse) / (better + worse), from -1 to 1.
    """

    better: float
    worse: float
    p: float
    effect: float


def signed_ranks(differences: np.ndarray) -> SignedRanks:
    """Test whether the differences are symmetric around zero.

    Parameters
    ----------
    differences : numpy.ndarray of float64, shape (n_blocks,)
        Positive where the first learner is better.

    Notes
    -----
    Zeros are left out, as Wilcoxon (1945) did; sizes that are equal share their mean rank. The p-value is
    exact whatever the ties: the share of the assignments of signs to the ranks that are as far from the
    middle, counted without listing them; above 60 data sets it is the normal approximation. The effect is
    that of Kerby 2014.
    """
    nonzero = differences[differences != 0]
    if not len(nonzero):
        return SignedRanks(0.0, 0.0, 1.0, 0.0)
    ranks = stats.rankdata(np.abs(nonzero))
    better, worse = float(ranks[nonzero > 0].sum()), float(ranks[nonzero < 0].sum())
    low = min(better, worse)
    if len(nonzero) > _LARGE:
        deviation = np.sqrt((ranks**2).sum() / 4)
        p = 2 * float(stats.norm.cdf((low - (better + worse) / 2) / deviation))
    else:
        p = 2 * float(_sums(ranks)[: round(2 * low) + 1].sum())
    return SignedRanks(better, worse, min(p, 1.0), (better - worse) / (better + worse))


def _sums(ranks: np.ndarray) -> np.ndarray:
    """Return the probability of each sum of the ranks whose sign is positive, in steps of one half."""
    doubled = np.rint(2 * ranks).astype(int)  # mean ranks are whole or half numbers
    share = np.zeros(doubled.sum() + 1)
    share[0] = 1.0
    for rank in doubled:
        moved = np.zeros_like(share)
        moved[rank:] = share[: len(share) - rank]
        share = (share + moved) / 2
    return share


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for their number by Holm's step-down method, in the given order.

    Parameters
    ----------
    p_values : sequence of float

    Notes
    -----
    The i-th smallest of m is multiplied by m - i + 1, and never falls below the one before. Holm 1979.
    """
    order = np.argsort(p_values, kind="stable")
    adjusted, largest = [0.0] * len(p_values), 0.0
    for i, place in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - i) * p_values[place]))
        adjusted[place] = largest
    return adjusted


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and its confidence interval.

    Attributes
    ----------
    estimate, low, high : float
    """

    estimate: float
    low: float
    high: float


def typical_difference(differences: np.ndarray, alpha: float = 0.05) -> Interval:
    """Return the median difference that belongs to the signed-rank test, with its interval.

    Parameters
    ----------
    differences : numpy.ndarray of float64, shape (n_blocks,)
    alpha : float, default=0.05
        One minus the confidence level.

    Returns
    -------
    Interval
        Infinite where there are too few data sets for the level.

    Notes
    -----
    The median of the means of all pairs of differences, each paired with itself, too; the interval is cut
    off the sorted means where the signed-rank distribution has alpha / 2. Hodges and Lehmann 1963.
    """
    n = len(differences)
    means = np.sort(((differences[:, None] + differences[None, :]) / 2)[np.triu_indices(n)])
    cumulated = np.cumsum(_sums(np.arange(1, n + 1)))[::2] if n <= _LARGE else _normal_sums(n)
    cut = int((cumulated <= alpha / 2).sum())  # so many of the smallest means lie outside
    estimate = float(np.median(means))
    if cut == 0:
        return Interval(estimate, -np.inf, np.inf)
    return Interval(estimate, float(means[cut - 1]), float(means[-cut]))


def _normal_sums(n: int) -> np.ndarray:
    largest = n * (n + 1) // 2
    deviation = np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    return stats.norm.cdf((np.arange(largest + 1) - largest / 2) / deviation)
