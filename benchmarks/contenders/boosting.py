"""Gradient boosted trees by histograms, with native categories and the libraries' default size."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.contenders.base import Contender
from benchmarks.contenders.forms import with_categories
from benchmarks.tables import Table


class XGBoost(Contender):
    """XGBoost on a frame that was made for it beforehand."""

    id = "xgboost"
    title = "XGBoost"
    gets = (
        "the frame with text as pandas categories and labels as 0 and 1; making these is not timed, "
        "which is in its favour (tree_method hist, enable_categorical, 100 trees)"
    )
    module = "xgboost"

    def prepare(self, table: Table) -> tuple[Any, Any]:
        return with_categories(table.X)[0], table.is_positive

    def fit(self, X: Any, y: Any) -> Any:
        xgboost = importlib.import_module("xgboost")
        model = xgboost.XGBClassifier(
            n_estimators=100, tree_method="hist", enable_categorical=True, n_jobs=self.threads
        )
        return model.fit(X, y)

    def predict(self, model: Any, X: Any) -> np.ndarray:
        return np.asarray(model.predict(X))


class XGBoostConverted(XGBoost):
    """XGBoost on the raw frame, its conversion included: the same work as foldse's."""

    id = "xgboost_converted"
    title = "XGBoost with conversion"
    gets = "the raw frame and text labels; turning text into categories and labels into numbers is timed"

    def prepare(self, table: Table) -> tuple[Any, Any]:
        return table.X, table.y

    def fit(self, X: Any, y: Any) -> Any:
        codes, labels = pd.factorize(y, sort=True)
        converted, known = with_categories(X)
        return super().fit(converted, codes), known, np.asarray(labels)

    def predict(self, model: Any, X: Any) -> np.ndarray:
        fitted, known, labels = model
        return labels[super().predict(fitted, with_categories(X, known)[0])]


class LightGBM(Contender):
    """LightGBM on a frame that was made for it beforehand."""

    id = "lightgbm"
    title = "LightGBM"
    gets = "the same as XGBoost (100 trees of up to 31 leaves)"
    module = "lightgbm"

    def prepare(self, table: Table) -> tuple[Any, Any]:
        return with_categories(table.X)[0], table.is_positive

    def fit(self, X: Any, y: Any) -> Any:
        lightgbm = importlib.import_module("lightgbm")
        return lightgbm.LGBMClassifier(n_estimators=100, n_jobs=self.threads, verbosity=-1).fit(X, y)

    def predict(self, model: Any, X: Any) -> np.ndarray:
        return np.asarray(model.predict(X))
