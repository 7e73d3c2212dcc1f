"""Decision trees: the paper's and scikit-learn's."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeClassifier, export_text

from experiments.learners.base import Learner, LearnerError, check_number
from experiments.learners.matrix import Matrix
from experiments.learners.rules import check_heuristic
from experiments.records import Dataset
from foldse import HeuristicTreeClassifier

INFINITY = float("inf")


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
    packages = ("foldse", "numpy", "numba")

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


class SklearnTree(Matrix):
    """scikit-learn's decision tree; `nodes` and `depth` counted as the paper counts its own.

    Parameters
    ----------
    dataset : Dataset
        Gives the roles of the columns.
    criterion, min_samples_leaf, seed
        As in ``sklearn.tree.DecisionTreeClassifier``.
    """

    packages = ("scikit-learn",)

    def __init__(
        self, dataset: Dataset, *, criterion: str = "gini", min_samples_leaf: int = 1, seed: int = 0
    ) -> None:
        super().__init__(dataset)
        if criterion not in ("gini", "entropy", "log_loss"):
            raise LearnerError(f"unknown learner.criterion={criterion}: there are entropy, gini, log_loss")
        check_number("min_samples_leaf", min_samples_leaf, 1, INFINITY, whole=True)
        self.model = DecisionTreeClassifier(
            criterion=criterion, min_samples_leaf=min_samples_leaf, random_state=seed
        )

    def measure(self) -> dict[str, float]:
        if len(self.labels) == 1:
            return {"nodes": 1.0, "depth": 1.0}
        tree = self.model.tree_
        leaves: list[int] = []
        waiting = [(0, 1)]
        while waiting:
            node, depth = waiting.pop()
            if tree.children_left[node] < 0:
                leaves.append(depth)
            else:
                waiting += [(tree.children_left[node], depth + 1), (tree.children_right[node], depth + 1)]
        return {"nodes": float(len(leaves)), "depth": float(np.mean(leaves))}

    def rules(self) -> str:
        if len(self.labels) == 1:
            return ""
        names = list(map(str, self.labels))
        return export_text(self.model, feature_names=self.names, class_names=names, max_depth=10**6).rstrip()
