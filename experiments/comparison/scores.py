"""Scores of learners on data sets, and which of the data sets count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

# Behind these decimals a difference of two scores is what floating-point numbers leave of zero.
DECIMALS = 12


class ComparisonError(ValueError):
    """Scores that cannot be compared; the message is one line."""


@dataclass(frozen=True, slots=True)
class Folds:
    """The scores of a learner on the splits of a data set.

    Attributes
    ----------
    scores : pandas.Series of float64, shape (n_splits,)
        By the number of the split: the same number is the same split for every learner.
    test_train_ratio : float
        Test rows of a split for each of its training rows, such as 1/9 for ten folds.
    """

    scores: pd.Series
    test_train_ratio: float


@dataclass(frozen=True, slots=True)
class Scores:
    """What is compared: one score for each data set and learner.

    Attributes
    ----------
    metric : str
        What the scores are.
    high : bool
        Whether the higher score is the better one.
    means : pandas.DataFrame of float64, shape (n_datasets, n_learners)
        NaN where a learner has no score.
    why_not : dict of (str, str) to str
        By data set and learner, why there is no score.
    folds : dict of (str, str) to Folds
        By data set and learner, as far as they are known.
    families : dict of str to str
        By data set, what it is a version of; a data set that is not there is on its own.
    notes : list of str
        What a reader has to know of how the scores were put together.
    """

    metric: str
    high: bool
    means: pd.DataFrame
    why_not: Mapping[tuple[str, str], str] = field(default_factory=dict)
    folds: Mapping[tuple[str, str], Folds] = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def gains(self) -> pd.DataFrame:
        """The scores with the sign that makes the higher one the better one."""
        return self.means if self.high else -self.means


@dataclass(frozen=True, slots=True)
class Blocks:
    """The data sets on which learners are compared, and those that are left out.

    Attributes
    ----------
    gains : pandas.DataFrame of float64, shape (n_blocks, n_learners)
        Without NaN, data sets by name; higher is better.
    left_out : dict of str to str
        By data set, why it does not count.
    """

    gains: pd.DataFrame
    left_out: dict[str, str]


def blocks(scores: Scores, learners: list[str] | None = None) -> Blocks:
    """Return the data sets for which all of some learners have a score, of each family only one.

    Parameters
    ----------
    scores : Scores
    learners : list of str, optional
        By default all.

    Returns
    -------
    Blocks

    Notes
    -----
    Tests over data sets take these for independent. Two versions of one table are not: of a family the first
    by name that is complete counts, whatever its scores are.
    """
    names = list(map(str, scores.means)) if learners is None else learners
    gains = scores.gains[names].sort_index()
    left_out: dict[str, str] = {}
    kept: dict[str, str] = {}
    for dataset in map(str, gains.index):
        lacking = [str(name) for name, absent in gains.loc[dataset].isna().items() if absent]
        if lacking:
            said = (f"{name} {scores.why_not.get((dataset, name), 'has no score')}" for name in lacking)
            left_out[dataset] = "; ".join(said)
            continue
        family = scores.families.get(dataset, dataset)
        if family in kept:
            left_out[dataset] = f"a version of {kept[family]}"
        else:
            kept[family] = dataset
    return Blocks(gains.loc[list(kept.values())], left_out)


def differences(blocks: Blocks, first: str, second: str) -> np.ndarray:
    """Return by how much the first learner is better than the second, shape (n_blocks,), float64."""
    gains = blocks.gains
    return np.round(gains[first].to_numpy(np.float64) - gains[second].to_numpy(np.float64), DECIMALS)
