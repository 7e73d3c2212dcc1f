"""XGBoost as a classifier of tables with text, for comparison."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin

from foldse.cli.files.columns import is_number, to_text
from foldse.cli.problem import Problem

__all__ = ["BoostedTrees", "boosted_trees"]


class BoostedTrees(ClassifierMixin, BaseEstimator):
    """XGBoost with its default settings and its own handling of categories.

    Parameters
    ----------
    categories : dict of str to list of str
        For each column of text, what occurs in the whole table.
    """

    def __init__(self, categories: dict[str, list[str]]):
        self.categories = categories

    def _frame(self, X: pd.DataFrame) -> pd.DataFrame:
        columns = {}
        for place, name in enumerate(X.columns):  # under other names: XGBoost refuses some
            if name in self.categories:
                values: Any = pd.Categorical(to_text(X[name]), categories=self.categories[name])
            else:
                values = X[name].to_numpy(np.float64)
                values = np.where(np.isfinite(values), values, np.nan)
            columns[f"c{place}"] = values
        return pd.DataFrame(columns)

    def positive(self, y: pd.Series) -> Any:
        """Return the label that scores are of: of two the more frequent one, as the rules have it."""
        counts = y.value_counts().sort_index()
        return counts.idxmax() if len(counts) == 2 else None

    def fit(self, X: pd.DataFrame, y: pd.Series, sample_weight: Any = None) -> BoostedTrees:
        """Fit."""
        import xgboost

        positions, self.classes_ = pd.factorize(y, sort=True)
        self.model_ = xgboost.XGBClassifier(tree_method="hist", enable_categorical=True, verbosity=0)
        self.model_.fit(self._frame(X), positions, sample_weight=sample_weight)
        return self

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        """Return the label of each row."""
        return np.asarray(self.classes_)[self.model_.predict(self._frame(X))]


def boosted_trees(problem: Problem) -> BoostedTrees | None:
    """Return a classifier for a problem; None where XGBoost is not installed."""
    try:
        import xgboost  # noqa: F401
    except ImportError:
        return None
    return BoostedTrees(
        {
            name: sorted(to_text(problem.X[name]).dropna().unique().tolist())
            for name in problem.X.columns
            if not is_number(problem.X[name])
        }
    )
