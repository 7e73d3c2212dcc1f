"""Decision trees: the paper's, scikit-learn's, and imodels' rule learners."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeClassifier, export_text

from experiments.learners.base import Learner, LearnerError, NotApplicableError, check_number, need
from experiments.learners.columns import numbers
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


class _Matrix(Learner):
    """A learner on a dense matrix: numbers imputed by the median, one column a text value."""

    model: Any

    def __init__(self, dataset: Dataset) -> None:
        self.numeric, self.categorical = dataset.numeric, dataset.categorical

    def fit(self, X: pd.DataFrame, y: pd.Series) -> None:
        self.labels, codes = np.unique(y.to_numpy(dtype=object), return_inverse=True)
        values = numbers(X, self.numeric)
        there = ~np.isnan(values).all(axis=0)
        self.medians = np.zeros(values.shape[1])
        self.medians[there] = np.nanmedian(values[:, there], axis=0)
        self.values = {name: sorted({str(v) for v in X[name].dropna()}) for name in self.categorical}
        self.names = [*self.numeric, *(f"{name} = {v}" for name, vs in self.values.items() for v in vs)]
        if len(self.labels) > 1:
            self.learn(self._matrix(X), codes)

    def learn(self, matrix: np.ndarray, codes: np.ndarray) -> None:
        """Fit the model."""
        self.model.fit(matrix, codes)

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        if len(self.labels) == 1:
            return np.full(len(X), self.labels[0], dtype=object)
        return self.labels[np.asarray(self.model.predict(self._matrix(X)), dtype=int)]

    def _matrix(self, X: pd.DataFrame) -> np.ndarray:
        values = numbers(X, self.numeric)
        parts = [np.where(np.isnan(values), self.medians, values)]
        for name, known in self.values.items():
            codes = pd.Index(known, dtype=object).get_indexer(pd.Index(X[name], dtype=object))
            parts.append((codes[:, None] == np.arange(len(known))).astype(np.float64))
        return np.hstack(parts)


class SklearnTree(_Matrix):
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


class Imodels(_Matrix):
    """A rule learner of the package imodels, for two classes.

    Parameters
    ----------
    dataset : Dataset
        Gives the roles of the columns.
    kind : {"GreedyRuleListClassifier", "FIGSClassifier"}
        Class of the package.
    seed : int
    """

    packages = ("imodels", "scikit-learn")
    kinds = ("GreedyRuleListClassifier", "FIGSClassifier")

    def __init__(self, dataset: Dataset, *, kind: str, seed: int = 0) -> None:
        super().__init__(dataset)
        if kind not in self.kinds:
            raise LearnerError(f"unknown learner.kind={kind}: there are {', '.join(self.kinds)}")
        if dataset.positive is None:
            raise NotApplicableError(f"imodels' {kind} is for two classes, {dataset.id} has more")
        made = getattr(need("imodels", "field"), kind)
        self.model = made() if kind == "GreedyRuleListClassifier" else made(random_state=seed)

    def learn(self, matrix: np.ndarray, codes: np.ndarray) -> None:
        # Names without a letter that its rule strings would trip over.
        self.model.fit(matrix, codes, feature_names=[f"X{i}" for i in range(matrix.shape[1])])

    def rules(self) -> str:
        return "" if len(self.labels) == 1 else str(self.model)
