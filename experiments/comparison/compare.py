"""All that is concluded from scores, in one record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pandas as pd

from experiments.comparison.scores import Blocks, ComparisonError, Scores, blocks, differences
from experiments.comparison.statistics.bayesian import Probabilities, bayesian_signed_ranks
from experiments.comparison.statistics.front import times_on_front
from experiments.comparison.statistics.pairs import (
    Interval,
    SignedRanks,
    Tally,
    holm,
    signed_ranks,
    tally,
    typical_difference,
)
from experiments.comparison.statistics.ranks import Friedman, critical_difference, friedman, nemenyi
from experiments.comparison.statistics.resampled import corrected_t

EVERY_PAIR = "all"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a comparison is asked for.

    Attributes
    ----------
    control : str
        The learner that is compared with each other one, or ``"all"`` for every pair.
    rope : float
        Region of practical equivalence: a difference of at most this size counts as none.
    alpha : float
        Level of the tests; intervals have the level 1 - alpha.
    seed : int
        Of the samples of the Bayesian test.
    """

    control: str
    rope: float = 0.0
    alpha: float = 0.05
    seed: int = 42


@dataclass(frozen=True, slots=True)
class Pair:
    """Two learners on the data sets that both have.

    Attributes
    ----------
    first, second : str
    n_blocks : int
    exact, practical : Tally
        Of the differences as they are, and with the region of practical equivalence.
    test : SignedRanks
    p_holm : float
        The p-value of `test`, adjusted for the number of pairs.
    difference : Interval
        Typical difference over data sets; positive where the first is better.
    bayes : Probabilities
    left_out : dict of str to str
        By data set, why it does not count.
    """

    first: str
    second: str
    n_blocks: int
    exact: Tally
    practical: Tally
    test: SignedRanks
    p_holm: float
    difference: Interval
    bayes: Probabilities
    left_out: dict[str, str]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is concluded.

    Attributes
    ----------
    scores : Scores
    settings : Settings
    complete : Blocks
        The data sets that all learners have.
    friedman : Friedman or None
        None for two learners, or fewer than two complete data sets.
    nemenyi : pandas.DataFrame or None
    critical_difference : float or None
    pairs : list of Pair
    datasets : pandas.DataFrame
        One line a pair and data set: the corrected resampled t-test over the splits, where they are known.
    front : pandas.DataFrame
        As `experiments.comparison.statistics.front.times_on_front`; empty where no sizes are known.
    """

    scores: Scores
    settings: Settings
    complete: Blocks
    friedman: Friedman | None
    nemenyi: pd.DataFrame | None
    critical_difference: float | None
    pairs: list[Pair]
    datasets: pd.DataFrame
    front: pd.DataFrame


def compare(scores: Scores, settings: Settings, sizes: pd.DataFrame | None = None) -> Comparison:
    """Compare learners.

    Parameters
    ----------
    scores : Scores
    settings : Settings
    sizes : pandas.DataFrame of float64, shape (n_datasets, n_learners), optional
        Such as numbers of predicates: the second objective.

    Raises
    ------
    ComparisonError
        If there is nothing to compare, or a setting is out of its range.
    """
    learners = list(map(str, scores.means))
    _check(settings, learners)
    complete = blocks(scores)
    several = len(learners) > 2 and len(complete.gains) > 1
    ranks = friedman(complete.gains) if several else None
    named = (
        combinations(learners, 2)
        if settings.control == EVERY_PAIR
        else [(settings.control, name) for name in learners if name != settings.control]
    )
    pairs = list(named)
    return Comparison(
        scores,
        settings,
        complete,
        ranks,
        nemenyi(ranks.ranks, ranks.n_blocks) if ranks else None,
        critical_difference(len(learners), ranks.n_blocks, settings.alpha) if ranks else None,
        _pairs(scores, settings, pairs),
        _by_dataset(scores, settings, pairs),
        times_on_front(scores.gains, sizes) if sizes is not None else pd.DataFrame(),
    )


def _check(settings: Settings, learners: Sequence[str]) -> None:
    if len(learners) < 2:
        raise ComparisonError(f"there is one learner only, {', '.join(learners)}; a comparison needs two")
    if settings.control != EVERY_PAIR and settings.control not in learners:
        raise ComparisonError(
            f"control={settings.control} is not one of the learners; say all, or one of {', '.join(learners)}"
        )
    if not 0 < settings.alpha < 1:
        raise ComparisonError(f"alpha={settings.alpha:g} must be above 0 and below 1")
    if settings.rope < 0:
        raise ComparisonError(f"rope={settings.rope:g} must be at least 0")


def _pairs(scores: Scores, settings: Settings, named: Sequence[tuple[str, str]]) -> list[Pair]:
    found = []
    for first, second in named:
        both = blocks(scores, [first, second])
        if len(both.gains):
            gaps = differences(both, first, second)
            found.append((first, second, both, gaps, signed_ranks(gaps)))
    if not found:
        raise ComparisonError("no data set has the scores of two of the learners")
    adjusted = holm([test.p for *_, test in found])
    return [
        Pair(
            first,
            second,
            len(gaps),
            tally(gaps),
            tally(gaps, settings.rope),
            test,
            p_holm,
            typical_difference(gaps, settings.alpha),
            bayesian_signed_ranks(gaps, settings.rope, settings.seed),
            both.left_out,
        )
        for (first, second, both, gaps, test), p_holm in zip(found, adjusted, strict=True)
    ]


def _by_dataset(scores: Scores, settings: Settings, named: Sequence[tuple[str, str]]) -> pd.DataFrame:
    """Test each data set by itself on the splits that both learners have."""
    rows = []
    sign = 1.0 if scores.high else -1.0
    for first, second in named:
        of_pair: list[dict[str, Any]] = []
        for dataset in map(str, scores.means.sort_index().index):
            a, b = scores.folds.get((dataset, first)), scores.folds.get((dataset, second))
            if a is None or b is None:
                continue
            gaps = sign * (a.scores - b.scores).dropna()
            if len(gaps) < 2:
                continue
            result = corrected_t(gaps.to_numpy(), a.test_train_ratio, settings.alpha)
            of_pair.append(
                {
                    "dataset": dataset,
                    "first": first,
                    "second": second,
                    "splits": len(gaps),
                    "difference": result.difference.estimate,
                    "low": result.difference.low,
                    "high": result.difference.high,
                    "t": result.t,
                    "p": result.p,
                }
            )
        for row, p_holm in zip(of_pair, holm([row["p"] for row in of_pair]), strict=True):
            rows.append(row | {"p_holm": p_holm})
    return pd.DataFrame(rows)
