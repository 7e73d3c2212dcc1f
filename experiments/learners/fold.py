"""FOLD-SE, FOLD-R++, FOLD-RM and the paper's decision tree, counted as they were published."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pandas as pd

from experiments.learners.base import Learner, NotApplicableError
from experiments.records import Dataset
from foldse import FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier
from foldse.runtime.kernels import compile_kernels

ROLES = ("pos_label", "numeric_features", "categorical_features")


class _OwnLearner(Learner):
    """A classifier of this library: its parameters are the settings, the data set gives the roles of columns.

    Parameters
    ----------
    dataset : Dataset
    **settings
        The parameters of `classifier` but for `ROLES`.
    """

    compiled = True
    classifier: ClassVar[type[Any]]

    def __init__(self, dataset: Dataset, **settings: Any) -> None:
        roles = (dataset.positive, list(dataset.numeric), list(dataset.categorical))
        self.estimator = self.classifier(**settings, **dict(zip(ROLES, roles, strict=True)))
        self.estimator._check_parameters()

    @classmethod
    def setting_names(cls) -> list[str]:
        return [name for name in cls.classifier().get_params() if name not in ROLES]

    def fit(self, X: pd.DataFrame, y: pd.Series) -> None:
        compile_kernels()  # a small table would be learned from without
        self.estimator.fit(X, y)
        self.classes = self.estimator.classes_

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        return np.asarray(self.estimator.predict(X), dtype=object)

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        return self.estimator.predict_proba(X)


class _RuleLearner(_OwnLearner):
    size_of_constant: ClassVar[dict[str, float]] = {
        "rules": 0.0,
        "predicates": 0.0,
        "rules_raw": 0.0,
        "rules_simplified": 0.0,
    }
    counted: ClassVar[str]  # what `rules` counts

    def measure(self) -> dict[str, float]:
        counts = {
            "predicates": float(self.estimator.n_predicates_),
            "rules_raw": float(self.estimator.n_rules_raw_),
            "rules_simplified": float(self.estimator.n_rules_),
        }
        return {"rules": counts[self.counted], **counts}

    def rules(self) -> str:
        return str(self.estimator.rules_)


class FoldSE(_RuleLearner):
    """FOLD-SE, and FOLD-SE-M on more than two classes; `rules` counts them after simplification."""

    classifier = FoldSEClassifier
    counted = "rules_simplified"


class FoldRPP(_RuleLearner):
    """FOLD-R++, and its M extension on more than two classes; `rules` counts them before simplification."""

    classifier = FoldRPPClassifier
    counted = "rules_raw"


class FoldRM(FoldRPP):
    """FOLD-RM: FOLD-R++ for more than two classes only."""

    def __init__(self, dataset: Dataset, **settings: Any) -> None:
        if dataset.positive is not None:
            raise NotApplicableError(
                f"FOLD-RM is for more than two classes, {dataset.id} has two: use foldrpp_ig"
            )
        super().__init__(dataset, **settings)


class HeuristicTree(_OwnLearner):
    """A tree that splits on the best literal; `nodes` and `depth` as the paper counts them."""

    classifier = HeuristicTreeClassifier
    size_of_constant: ClassVar[dict[str, float]] = {"nodes": 1.0, "depth": 1.0}

    def measure(self) -> dict[str, float]:
        # The paper's Nodes is the number of leaves, its Depth the mean depth of a leaf with the root at 1.
        return {"nodes": float(self.estimator.n_leaves_), "depth": float(self.estimator.mean_depth_)}

    def rules(self) -> str:
        return str(self.estimator.tree_)
