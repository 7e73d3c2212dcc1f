"""How probable it is that one learner is better than another, alike, or worse."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

# Strength of the prior: one half of a data set on which the learners are equal.
_PRIOR = 0.5
_PER_BATCH = 5000


@dataclass(frozen=True, slots=True)
class Probabilities:
    """What is probable on a data set like these; the three add up to 1.

    Attributes
    ----------
    better, alike, worse : float
        That the first learner is better than the second by more than the region of practical equivalence,
        that the difference is within it, and that the first is worse by more.
    """

    better: float
    alike: float
    worse: float


def bayesian_signed_ranks(
    differences: np.ndarray, rope: float = 0.0, seed: int = 42, n_samples: int = 50_000
) -> Probabilities:
    """Return the posterior probabilities of better, alike and worse.

    Parameters
    ----------
    differences : numpy.ndarray of float64, shape (n_blocks,)
        Positive where the first learner is better.
    rope : float, default=0.0
        Half the width of the region of practical equivalence, at least 0.
    seed : int, default=42
        The same seed gives the same probabilities.
    n_samples : int, default=50_000
        Samples of the posterior; the probabilities are within about 0.005 of their limits.

    Notes
    -----
    The differences, with a pseudo-difference of 0 and weight 0.5 before them, get weights from a Dirichlet
    distribution. A sample is the weighted share of the pairs (each with itself, too) whose mean is beyond the
    region, and of those that are within it. The probabilities are the shares of the samples in which better,
    alike or worse is the largest. A mean at the edge of the region counts half on either side. Benavoli et
    al., "A Bayesian Wilcoxon Signed-Rank Test Based on the Dirichlet Process", 2014, and "Time for a Change",
    2017.
    """
    values = np.concatenate(([0.0], differences))
    sums = np.round(values[:, None] + values[None, :], 12)
    above, below = _beyond(sums, 2 * rope), _beyond(-sums, 2 * rope)
    weights = np.ones(len(values))
    weights[0] = _PRIOR
    random = np.random.RandomState(seed)
    counts = np.zeros(3, dtype=np.int64)
    for start in range(0, n_samples, _PER_BATCH):
        drawn = random.dirichlet(weights, min(_PER_BATCH, n_samples - start))
        shares = [((drawn @ region) * drawn).sum(axis=1) for region in (above, below)]
        # Without a region nothing is alike; what rounding leaves of it must not win.
        alike = 1 - shares[0] - shares[1] if rope > 0 else np.zeros(len(drawn))
        counts += np.bincount(np.argmax([shares[0], alike, shares[1]], axis=0), minlength=3)
    better, alike_, worse = (counts / n_samples).tolist()
    return Probabilities(better, alike_, worse)


def _beyond(sums: np.ndarray, threshold: float) -> np.ndarray:
    threshold = round(threshold, 12)
    return (sums > threshold) + 0.5 * (sums == threshold)
