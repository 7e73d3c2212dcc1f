"""Several learners at once: mean ranks, whether they differ at all, and which of them do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from experiments.comparison.scores import DECIMALS, ComparisonError


@dataclass(frozen=True, slots=True)
class Friedman:
    """Whether learners differ at all.

    Attributes
    ----------
    ranks : pandas.Series of float64, shape (n_learners,)
        Mean rank of each learner, 1 for the best; ties share the mean of their ranks.
    n_blocks : int
    chi_square, p_chi_square : float
        Friedman's statistic, corrected for ties, and its p-value.
    f, p_f : float
        Iman and Davenport's statistic and its p-value, which is the one to read.
    """

    ranks: pd.Series
    n_blocks: int
    chi_square: float
    p_chi_square: float
    f: float
    p_f: float


def friedman(gains: pd.DataFrame) -> Friedman:
    """Test whether all learners are alike.

    Parameters
    ----------
    gains : pandas.DataFrame of float64, shape (n_blocks, n_learners)
        Complete; higher is better.

    Returns
    -------
    Friedman

    Raises
    ------
    ComparisonError
        If there are fewer than two data sets or three learners.

    Notes
    -----
    With k learners on N data sets, chi square is (k - 1) times the sum over learners of
    (R - N (k + 1) / 2)^2, divided by the sum of the squared deviations of all ranks from (k + 1) / 2, over N;
    R is the sum of a learner's ranks. F = (N - 1) chi / (N (k - 1) - chi) has k - 1 and (k - 1)(N - 1)
    degrees of freedom. Friedman 1937; Iman and Davenport 1980; Demsar, "Statistical Comparisons of
    Classifiers over Multiple Data Sets", 2006.
    """
    n, k = gains.shape
    if n < 2 or k < 3:
        raise ComparisonError(
            f"a comparison of ranks needs at least 2 data sets and 3 learners; there are {n} and {k}"
        )
    ranks = ranked(gains)
    deviations = ranks.to_numpy() - (k + 1) / 2
    spread = float((deviations**2).sum())
    chi = (k - 1) * float((deviations.sum(axis=0) ** 2).sum()) / spread if spread else 0.0
    rest = n * (k - 1) - chi
    f = (n - 1) * chi / rest if rest > 1e-9 else np.inf
    return Friedman(
        ranks.mean(),
        n,
        chi,
        float(stats.chi2.sf(chi, k - 1)),
        float(f),
        float(stats.f.sf(f, k - 1, (k - 1) * (n - 1))),
    )


def ranked(gains: pd.DataFrame) -> pd.DataFrame:
    """Return the rank of each learner on each data set, 1 for the best; ties share the mean rank."""
    return gains.round(DECIMALS).rank(axis=1, ascending=False, method="average")


def nemenyi(ranks: pd.Series, n_blocks: int) -> pd.DataFrame:
    """Return Nemenyi's p-value of each pair of learners.

    Parameters
    ----------
    ranks : pandas.Series of float64, shape (n_learners,)
        Mean ranks.
    n_blocks : int
        Number of data sets.

    Returns
    -------
    pandas.DataFrame of float64, shape (n_learners, n_learners)
        Adjusted for the number of pairs; 1 on the diagonal.

    Notes
    -----
    The difference of two mean ranks over sqrt(k (k + 1) / (12 N)) is the studentized range of k normal
    numbers. Nemenyi 1963.
    """
    k = len(ranks)
    values = ranks.to_numpy(np.float64)
    gaps = np.abs(values[:, None] - values[None, :]) / np.sqrt(k * (k + 1) / (12 * n_blocks))
    p = np.minimum(stats.studentized_range.sf(gaps, k, np.inf), 1.0)
    np.fill_diagonal(p, 1.0)
    return pd.DataFrame(p, index=ranks.index, columns=ranks.index)


def critical_difference(n_learners: int, n_blocks: int, alpha: float = 0.05) -> float:
    """Return how far apart two mean ranks have to be at least to differ by Nemenyi's test.

    Parameters
    ----------
    n_learners, n_blocks : int
    alpha : float, default=0.05
        Level of the test, above 0 and below 1.
    """
    q = stats.studentized_range.isf(alpha, n_learners, np.inf)
    return float(q * np.sqrt(n_learners * (n_learners + 1) / (12 * n_blocks)))


def cliques(ranks: pd.Series, distance: float) -> list[list[str]]:
    """Return the largest groups of learners of which no two are that far apart, best first.

    Parameters
    ----------
    ranks : pandas.Series of float64, shape (n_learners,)
    distance : float
        The critical difference.
    """
    ordered = ranks.sort_values(kind="stable")
    found: list[list[str]] = []
    for start in range(len(ordered)):
        members = [
            str(name) for name, rank in ordered.iloc[start:].items() if rank - ordered.iloc[start] < distance
        ]
        if len(members) > 1 and not any(set(members) <= set(group) for group in found):
            found.append(members)
    return found
