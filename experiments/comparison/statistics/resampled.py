"""Two learners on the splits of one data set: Nadeau and Bengio's corrected resampled t-test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from experiments.comparison.scores import ComparisonError
from experiments.comparison.statistics.pairs import Interval


@dataclass(frozen=True, slots=True)
class ResampledT:
    """The result of the test.

    Attributes
    ----------
    t : float
        Infinite where all splits have the same difference, other than zero.
    p : float
        Two-sided p-value, with n_splits - 1 degrees of freedom.
    difference : Interval
        The mean difference.
    """

    t: float
    p: float
    difference: Interval


def corrected_t(differences: np.ndarray, test_train_ratio: float, alpha: float = 0.05) -> ResampledT:
    """Test whether the mean difference over splits of the same rows is zero.

    Parameters
    ----------
    differences : numpy.ndarray of float64, shape (n_splits,)
        Positive where the first learner is better. With differences replaced by the scores of one learner,
        the interval is that of its score.
    test_train_ratio : float
        Test rows of a split for each of its training rows, such as 1/9 for ten folds; above 0.
    alpha : float, default=0.05
        One minus the confidence level of the interval.

    Raises
    ------
    ComparisonError
        If there are fewer than two splits.

    Notes
    -----
    Splits share training rows, so their scores vary less than those of independent samples would: the
    variance of the mean is (1 / n + ratio) s^2, not s^2 / n. Nadeau and Bengio, "Inference for the
    Generalization Error", 2003; with repeated cross-validation, Bouckaert and Frank 2004.
    """
    n = len(differences)
    if n < 2:
        raise ComparisonError("a test on one data set needs at least two splits")
    mean, deviation = float(differences.mean()), float(differences.std(ddof=1))
    error = float(np.sqrt(1 / n + test_train_ratio)) * deviation
    of_constant = 0.0 if mean == 0 else float(np.copysign(np.inf, mean))
    t = of_constant if error < 1e-15 else mean / error
    half = float(stats.t.isf(alpha / 2, n - 1)) * error
    return ResampledT(
        t, float(2 * stats.t.sf(abs(t), n - 1)), Interval(mean, float(mean - half), float(mean + half))
    )
