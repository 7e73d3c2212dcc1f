"""Estimators that need more than `SklearnLearner` gives them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.tree import export_text

from experiments.learners.scikit_learn import SklearnLearner
from experiments.records import Dataset


class MLP(SklearnLearner):
    """scikit-learn's multi-layer perceptron, stopped early only where there are rows to tell by.

    Parameters
    ----------
    dataset : Dataset
    early_stopping_rows : int, optional
        From so many training rows on, a tenth of them is held out, and training ends when its accuracy stops
        rising. Below, the tenth would be too small, and training ends by the loss, as it does with None.
    **settings
        As in `SklearnLearner`.
    """

    def __init__(
        self,
        dataset: Dataset,
        *,
        estimator: Mapping[str, Any],
        columns: str,
        threads: int | None = None,
        early_stopping_rows: int | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__(dataset, estimator=estimator, columns=columns, threads=threads, seed=seed)
        self.early_stopping_rows = early_stopping_rows

    def fit_model(self, table: Any, codes: np.ndarray) -> None:
        if self.early_stopping_rows is not None:
            enough = len(codes) >= self.early_stopping_rows
            self.model.early_stopping = enough and can_hold_out(codes, self.model.validation_fraction)
        with warnings.catch_warnings():
            # Reaching max_iter is a setting of the experiment, not a fault of the fold.
            warnings.simplefilter("ignore", ConvergenceWarning)
            # scikit-learn turns Ctrl-C into a warning and a half-trained network, which is not a result.
            warnings.filterwarnings("error", "Training interrupted by user", UserWarning)
            try:
                self.model.fit(table, codes)
            except UserWarning as warning:
                raise KeyboardInterrupt from warning


def can_hold_out(codes: np.ndarray, share: float) -> bool:
    """Tell whether a stratified share can be held out: every class twice, and a place for each class.

    Parameters
    ----------
    codes : numpy.ndarray of int of shape (n_rows,)
        Labels as whole numbers from 0 on.
    share : float
        From 0 to 1.
    """
    counts = np.bincount(codes)
    return bool(counts.min() >= 2 and int(share * len(codes)) >= len(counts))


class SklearnTree(SklearnLearner):
    """scikit-learn's decision tree on one-hot columns; `nodes` and `depth` as the paper counts its own."""

    size_of_constant: ClassVar[dict[str, float]] = {"nodes": 1.0, "depth": 1.0}

    def measure(self) -> dict[str, float]:
        tree = self.model.tree_
        depths = np.ones(tree.node_count)
        for node in range(tree.node_count):  # parents come before their children
            for child in (tree.children_left[node], tree.children_right[node]):
                if child >= 0:
                    depths[child] = depths[node] + 1
        leaves = tree.children_left < 0
        return {"nodes": float(leaves.sum()), "depth": float(depths[leaves].mean())}

    def rules(self) -> str:
        names = {"feature_names": self.columns.names, "class_names": list(map(str, self.classes))}
        return export_text(self.model, **names, max_depth=10**6).rstrip()


class EBM(SklearnLearner):
    """interpret's explainable boosting machine, which has pairs of columns for two classes only."""

    def __init__(
        self, dataset: Dataset, *, estimator: Mapping[str, Any], threads: int | None = None, seed: int = 0
    ) -> None:
        pairs = {} if dataset.positive is not None else {"interactions": 0}
        super().__init__(
            dataset, estimator={**estimator, **pairs}, columns="native_text", threads=threads, seed=seed
        )

    def fit_model(self, table: Any, codes: np.ndarray) -> None:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Missing values detected", UserWarning)  # about its plots
            self.model.fit(table, codes)


class Imodels(SklearnLearner):
    """A rule learner of the package imodels, for two classes.

    FIGS of imodels 3.0 does not pass its ``random_state`` on to the stumps that it grows, which draw on
    NumPy's global random state: which of several equally good splits is chosen would differ between
    processes. That state is seeded while it learns, and restored.
    """

    def __init__(self, dataset: Dataset, *, estimator: Mapping[str, Any], seed: int = 0) -> None:
        super().__init__(dataset, estimator=estimator, columns="onehot", two_classes_only=True, seed=seed)

    def fit_model(self, table: Any, codes: np.ndarray) -> None:
        state = np.random.get_state()  # noqa: NPY002  (what FIGS draws on)
        np.random.seed(self.seed)  # noqa: NPY002
        try:
            # Names without a letter that its rule strings would trip over.
            self.model.fit(table, codes, feature_names=[f"X{i}" for i in range(table.shape[1])])
        finally:
            np.random.set_state(state)  # noqa: NPY002

    def rules(self) -> str:
        return str(self.model)
