"""XGBoost as a classifier of tables with text, for comparison."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin

from foldse.cli.files.columns import is_number

__all__ = ["BoostedTrees", "with_categories"]


class BoostedTrees(ClassifierMixin, BaseEstimator):
    """XGBoost with its default settings, for labels of any type."""

    def fit(self, X: pd.DataFrame, y: pd.Series, sample_weight: Any = None) -> BoostedTrees:
        """Fit; X is a table as `with_categories` returns."""
        import xgboost

        positions, labels = pd.factorize(y, sort=True)
        self.classes_ = np.asarray(labels)
        self.model_ = xgboost.XGBClassifier(tree_method="hist", enable_categorical=True, verbosity=0)
        self.model_.fit(X, positions, sample_weight=sample_weight)
        return self

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        """Return the label of each row."""
        return self.classes_[self.model_.predict(X)]


def with_categories(X: pd.DataFrame) -> pd.DataFrame:
    """Return a table as XGBoost takes it: text as categories, no infinity, names without brackets."""
    columns: dict[str, pd.Series] = {}
    for place, name in enumerate(X.columns):
        values = X[name]
        if is_number(values):
            columns[f"c{place}"] = values.astype(np.float64).replace([np.inf, -np.inf], np.nan)
        else:
            columns[f"c{place}"] = values.map(str, na_action="ignore").astype("category")
    return pd.DataFrame(columns)
