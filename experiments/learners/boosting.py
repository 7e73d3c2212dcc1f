"""XGBoost as a practitioner would use it: native categories, missing values left missing."""

from __future__ import annotations

import numpy as np
import pandas as pd
from xgboost import XGBClassifier

from experiments.learners.base import Learner, check_number
from experiments.learners.columns import CategoryCodes, numbers
from experiments.records import Dataset

INFINITY = float("inf")


class XGBoost(Learner):
    """Gradient boosted trees by histograms, columns and labels prepared on the training fold alone.

    Nothing is drawn at random with these settings, so there is no seed.

    Parameters
    ----------
    dataset : Dataset
        Gives the roles of the columns.
    n_estimators, max_depth, learning_rate, n_jobs
        As in ``xgboost.XGBClassifier``.
    """

    compiled = True

    def __init__(
        self,
        dataset: Dataset,
        *,
        n_estimators: int = 100,
        max_depth: int = 6,
        learning_rate: float = 0.3,
        n_jobs: int = 1,
    ) -> None:
        check_number("n_estimators", n_estimators, 1, INFINITY, whole=True)
        check_number("max_depth", max_depth, 0, INFINITY, whole=True)
        check_number("learning_rate", learning_rate, 0, 1)
        check_number("n_jobs", n_jobs, 1, INFINITY, whole=True)
        self.numeric = dataset.numeric
        self.categorical = dataset.categorical
        self.model = XGBClassifier(
            n_estimators=n_estimators,
            max_depth=max_depth,
            learning_rate=learning_rate,
            n_jobs=n_jobs,
            tree_method="hist",
            enable_categorical=True,
        )

    def fit(self, X: pd.DataFrame, y: pd.Series) -> None:
        # XGBoost wants the labels 0, 1, ... of the rows at hand, so a class that the fold lacks is no gap.
        self.labels, codes = np.unique(y.to_numpy(dtype=object), return_inverse=True)
        self.codes = CategoryCodes().fit(X, self.categorical)
        if len(self.labels) > 1:
            self.model.fit(self._frame(X), codes)

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        if len(self.labels) == 1:  # nothing to learn, which XGBoost takes for an error
            return np.full(len(X), self.labels[0], dtype=object)
        return self.labels[self.model.predict(self._frame(X))]

    def _frame(self, X: pd.DataFrame) -> pd.DataFrame:
        # Named by position: XGBoost refuses [, ] and < in a name.
        columns: dict[str, object] = {f"n{i}": values for i, values in enumerate(numbers(X, self.numeric).T)}
        columns.update({f"c{i}": values for i, values in enumerate(self.codes.transform(X))})
        return pd.DataFrame(columns)
