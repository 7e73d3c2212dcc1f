"""FOLD-SE, FOLD-R++ and FOLD-RM, counted as they were published."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from experiments.learners.base import Learner, LearnerError, NotApplicableError, check_number
from experiments.records import Dataset
from foldse import FoldRPPClassifier, FoldSEClassifier
from foldse.heuristics import SCORES


class _RuleLearner(Learner):
    compiled = True
    packages = ("foldse", "numpy", "numba")
    estimator: Any

    def fit(self, X: pd.DataFrame, y: pd.Series) -> None:
        self.estimator.fit(X, y)

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        return np.asarray(self.estimator.predict(X), dtype=object)

    def rules(self) -> str:
        return str(self.estimator.rules_)

    def measure(self) -> dict[str, float]:
        return {
            "predicates": float(self.estimator.n_predicates_),
            "rules_raw": float(self.estimator.n_rules_raw_),
            "rules_simplified": float(self.estimator.n_rules_),
        }


class FoldSE(_RuleLearner):
    """FOLD-SE, and FOLD-SE-M on more than two classes; `rules` counts them after simplification.

    Parameters
    ----------
    dataset : Dataset
        Gives the roles of the columns and the positive label.
    heuristic, ratio, tail
        As in ``foldse.FoldSEClassifier``.
    negated_thresholds : bool
        Whether numbers have the comparisons ``not <=`` and ``not >``, too: six operators, else FOLD-R++'s
        four.
    prune_exceptions : bool
        Whether `tail` holds for exceptions, or for rules only.
    drop_wrong : bool
        Of more than two classes: whether rows of another class that a rule covers are dropped.
    """

    def __init__(
        self,
        dataset: Dataset,
        *,
        heuristic: str = "magic_gini",
        ratio: float = 0.5,
        tail: float = 0.005,
        negated_thresholds: bool = True,
        prune_exceptions: bool = True,
        drop_wrong: bool = True,
    ) -> None:
        check_heuristic(heuristic)
        check_number("ratio", ratio, 0, 1)
        check_tail(tail)
        self.estimator = FoldSEClassifier(
            ratio=ratio,
            tail=tail,
            heuristic=heuristic,
            negated_thresholds=check_flag("negated_thresholds", negated_thresholds),
            prune_exceptions=check_flag("prune_exceptions", prune_exceptions),
            remove_covered="all" if check_flag("drop_wrong", drop_wrong) else "correct",
            **_roles(dataset),
        )

    def measure(self) -> dict[str, float]:
        return {"rules": float(self.estimator.n_rules_), **super().measure()}


class FoldRPP(_RuleLearner):
    """FOLD-R++, and its M extension on more than two classes; `rules` counts them before simplification.

    Parameters
    ----------
    dataset : Dataset
        Gives the roles of the columns and the positive label.
    heuristic, ratio
        As in ``foldse.FoldRPPClassifier``.
    drop_wrong : bool
        As in `FoldSE`.
    """

    def __init__(
        self,
        dataset: Dataset,
        *,
        heuristic: str = "information_gain",
        ratio: float = 0.5,
        drop_wrong: bool = True,
    ) -> None:
        check_heuristic(heuristic)
        check_number("ratio", ratio, 0, 1)
        self.estimator = FoldRPPClassifier(
            ratio=ratio,
            heuristic=heuristic,
            remove_covered="all" if check_flag("drop_wrong", drop_wrong) else "correct",
            **_roles(dataset),
        )

    def measure(self) -> dict[str, float]:
        return {"rules": float(self.estimator.n_rules_raw_), **super().measure()}


class FoldRM(FoldRPP):
    """FOLD-RM: FOLD-R++ with information gain, for more than two classes only.

    Parameters
    ----------
    dataset : Dataset
        Gives the roles of the columns.
    ratio, drop_wrong
        As in `FoldRPP`.
    """

    def __init__(self, dataset: Dataset, *, ratio: float = 0.5, drop_wrong: bool = True) -> None:
        if dataset.positive is not None:
            raise NotApplicableError(
                f"FOLD-RM is for more than two classes, {dataset.id} has two: use foldrpp_ig"
            )
        super().__init__(dataset, ratio=ratio, drop_wrong=drop_wrong)


def check_flag(name: str, value: Any) -> bool:
    """Return `value`, or raise a one-line `LearnerError` unless it is true or false."""
    if not isinstance(value, bool):
        raise LearnerError(f"learner.{name}={value} must be true or false")
    return value


def check_heuristic(name: Any) -> None:
    """Raise a one-line `LearnerError` unless the library has a heuristic of this name."""
    if name not in SCORES:
        raise LearnerError(f"unknown learner.heuristic={name}: there are {', '.join(sorted(SCORES))}")


def check_tail(tail: Any) -> None:
    """Raise a one-line `LearnerError` unless `tail` is a share below 1 or a whole number of rows."""
    good = not isinstance(tail, bool) and (
        (isinstance(tail, int) and tail >= 0) or (isinstance(tail, float) and 0 <= tail < 1)
    )
    if not good:
        raise LearnerError(
            f"learner.tail={tail} is out of range: "
            "it must be a share from 0 to below 1, or a whole number of rows"
        )


def _roles(dataset: Dataset) -> dict[str, Any]:
    return {
        "pos_label": dataset.positive,
        "numeric_features": list(dataset.numeric),
        "categorical_features": list(dataset.categorical),
    }
