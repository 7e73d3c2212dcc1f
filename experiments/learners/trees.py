"""The paper's decision tree."""

from __future__ import annotations

import numpy as np
import pandas as pd

from experiments.learners.base import Learner
from experiments.learners.rules import check_heuristic
from experiments.records import Dataset
from foldse import HeuristicTreeClassifier


class HeuristicTree(Learner):
    """A tree that splits on the best literal; `nodes` and `depth` as the paper counts them.

    Parameters
    ----------
    dataset : Dataset
        Gives the roles of the columns.
    heuristic
        As in ``foldse.HeuristicTreeClassifier``.
    """

    compiled = True

    def __init__(self, dataset: Dataset, *, heuristic: str = "magic_gini") -> None:
        check_heuristic(heuristic)
        self.estimator = HeuristicTreeClassifier(
            heuristic=heuristic,
            pos_label=dataset.positive,
            numeric_features=list(dataset.numeric),
            categorical_features=list(dataset.categorical),
        )

    def fit(self, X: pd.DataFrame, y: pd.Series) -> None:
        self.estimator.fit(X, y)

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        return np.asarray(self.estimator.predict(X), dtype=object)

    def measure(self) -> dict[str, float]:
        # The paper's Nodes is the number of leaves, its Depth the mean depth of a leaf with the root at 1.
        return {"nodes": float(self.estimator.n_leaves_), "depth": float(self.estimator.mean_depth_)}

    def rules(self) -> str:
        return str(self.estimator.tree_)
