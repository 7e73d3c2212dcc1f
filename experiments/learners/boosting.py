"""Gradient boosting: XGBoost as it was published and as it is meant, LightGBM, scikit-learn's, EBM."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]
from xgboost import XGBClassifier

from experiments.learners.base import Learner, check_number, need
from experiments.learners.columns import CategoryCodes, OneHot, numbers
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
    packages = ("xgboost-cpu|xgboost",)

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
        self._prepare(X)
        if len(self.labels) > 1:
            self.model.fit(self._frame(X), codes)

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        if len(self.labels) == 1:  # nothing to learn, which XGBoost takes for an error
            return np.full(len(X), self.labels[0], dtype=object)
        return self.labels[self.model.predict(self._frame(X))]

    def _prepare(self, X: pd.DataFrame) -> None:
        self.codes = CategoryCodes().fit(X, self.categorical)

    def _frame(self, X: pd.DataFrame) -> Any:
        # Named by position: XGBoost refuses [, ] and < in a name.
        columns: dict[str, object] = {f"n{i}": values for i, values in enumerate(numbers(X, self.numeric).T)}
        columns.update({f"c{i}": values for i, values in enumerate(self.codes.transform(X))})
        return pd.DataFrame(columns)


class XGBoostPaper(XGBoost):
    """XGBoost as it was published: every column one-hot encoded, numbers too.

    Parameters
    ----------
    dataset : Dataset
    dense : bool
        Whether the zeros are stored, as float64.
    n_estimators, max_depth, learning_rate, n_jobs
        As in `XGBoost`.
    """

    def __init__(
        self,
        dataset: Dataset,
        *,
        dense: bool = False,
        n_estimators: int = 100,
        max_depth: int = 6,
        learning_rate: float = 0.3,
        n_jobs: int = 1,
    ) -> None:
        super().__init__(
            dataset,
            n_estimators=n_estimators,
            max_depth=max_depth,
            learning_rate=learning_rate,
            n_jobs=n_jobs,
        )
        self.dense = dense

    def _prepare(self, X: pd.DataFrame) -> None:
        self.onehot = OneHot().fit(X)

    def _frame(self, X: pd.DataFrame) -> Any:
        matrix = self.onehot.transform(X)
        return matrix.astype(np.float64).toarray() if self.dense else matrix


class _Coded(Learner):
    """A learner of scikit-learn's kind on columns with native categories, named by position."""

    def __init__(self, dataset: Dataset, model: Any, n_jobs: int) -> None:
        self.numeric, self.categorical, self.model = dataset.numeric, dataset.categorical, model
        self.n_jobs = n_jobs  # OpenMP waits for its threads by spinning: more than idle cores stand still

    def fit(self, X: pd.DataFrame, y: pd.Series) -> None:
        self.labels, codes = np.unique(y.to_numpy(dtype=object), return_inverse=True)
        self._prepare(X)
        if len(self.labels) > 1:
            with threadpool_limits(self.n_jobs), warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Missing values detected", UserWarning)  # of EBM's pictures
                self.model.fit(self._frame(X), codes)

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        if len(self.labels) == 1:
            return np.full(len(X), self.labels[0], dtype=object)
        with threadpool_limits(self.n_jobs):
            return self.labels[np.asarray(self.model.predict(self._frame(X)), dtype=int)]

    def _prepare(self, X: pd.DataFrame) -> None:
        self.codes = CategoryCodes().fit(X, self.categorical)

    def _frame(self, X: pd.DataFrame) -> pd.DataFrame:
        columns: dict[str, Any] = {f"n{i}": values for i, values in enumerate(self._numbers(X).T)}
        columns.update({f"c{i}": self._category(c) for i, c in enumerate(self.codes.transform(X))})
        return pd.DataFrame(columns)

    def _numbers(self, X: pd.DataFrame) -> np.ndarray:
        return numbers(X, self.numeric)

    def _category(self, values: pd.Categorical[int]) -> Any:
        return values


class LightGBM(_Coded):
    """LightGBM with native categories.

    Parameters
    ----------
    dataset : Dataset
        Gives the roles of the columns.
    n_estimators, num_leaves, learning_rate, n_jobs
        As in ``lightgbm.LGBMClassifier``.
    """

    compiled = True
    packages = ("lightgbm",)

    def __init__(
        self,
        dataset: Dataset,
        *,
        n_estimators: int = 100,
        num_leaves: int = 31,
        learning_rate: float = 0.1,
        n_jobs: int = 1,
    ) -> None:
        check_number("n_estimators", n_estimators, 1, INFINITY, whole=True)
        check_number("num_leaves", num_leaves, 2, INFINITY, whole=True)
        check_number("learning_rate", learning_rate, 0, INFINITY)
        check_number("n_jobs", n_jobs, 1, INFINITY, whole=True)
        model = need("lightgbm", "field").LGBMClassifier(
            n_estimators=n_estimators,
            num_leaves=num_leaves,
            learning_rate=learning_rate,
            n_jobs=n_jobs,
            verbose=-1,
        )
        super().__init__(dataset, model, n_jobs)


class HistGradientBoosting(_Coded):
    """scikit-learn's histogram gradient boosting; a column of more categories than it takes is a number.

    Parameters
    ----------
    dataset : Dataset
        Gives the roles of the columns.
    max_iter, learning_rate, seed
        As in ``sklearn.ensemble.HistGradientBoostingClassifier``.
    n_jobs : int
        Threads.
    """

    packages = ("scikit-learn",)
    most_categories = 255

    def __init__(
        self,
        dataset: Dataset,
        *,
        max_iter: int = 100,
        learning_rate: float = 0.1,
        n_jobs: int = 1,
        seed: int = 0,
    ) -> None:
        check_number("max_iter", max_iter, 1, INFINITY, whole=True)
        check_number("learning_rate", learning_rate, 0, INFINITY)
        check_number("n_jobs", n_jobs, 1, INFINITY, whole=True)
        model = HistGradientBoostingClassifier(
            max_iter=max_iter,
            learning_rate=learning_rate,
            categorical_features="from_dtype",
            early_stopping=False,
            random_state=seed,
        )
        super().__init__(dataset, model, n_jobs)

    def _prepare(self, X: pd.DataFrame) -> None:
        super()._prepare(X)
        self.unknown = np.isnan(numbers(X, self.numeric)).all(axis=0)

    def _numbers(self, X: pd.DataFrame) -> np.ndarray:
        # scikit-learn raises an error for a column without any number: one of zeros says as little.
        return np.where(self.unknown, 0.0, numbers(X, self.numeric))

    def _category(self, values: pd.Categorical[int]) -> Any:
        if len(values.categories) <= self.most_categories:
            return values
        return np.where(values.codes < 0, np.nan, values.codes)


class EBM(_Coded):
    """interpret's explainable boosting machine: a sum of curves and of pairwise tables.

    Parameters
    ----------
    dataset : Dataset
        Gives the roles of the columns.
    interactions, n_jobs, seed
        As in ``interpret.glassbox.ExplainableBoostingClassifier``.
    """

    packages = ("interpret-core",)

    def __init__(
        self, dataset: Dataset, *, interactions: float = 0.9, n_jobs: int = 1, seed: int = 0
    ) -> None:
        check_number("interactions", interactions, 0, INFINITY)
        check_number("n_jobs", n_jobs, 1, INFINITY, whole=True)
        glassbox = need("interpret.glassbox", "field")
        pairs = interactions if dataset.positive is not None else 0  # it has pairs for two classes only
        model = glassbox.ExplainableBoostingClassifier(interactions=pairs, n_jobs=n_jobs, random_state=seed)
        super().__init__(dataset, model, n_jobs)

    def _category(self, values: pd.Categorical[int]) -> Any:
        return pd.Series([None if code < 0 else f"v{code}" for code in values.codes], dtype=object)
