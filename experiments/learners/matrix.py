"""Learners that take a matrix of numbers only."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from experiments.learners.base import Learner
from experiments.learners.columns import numbers
from experiments.records import Dataset


class Matrix(Learner):
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
