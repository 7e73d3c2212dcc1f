"""scikit-learn's decision tree, for which text has to be one-hot encoded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from benchmarks.contenders.base import Contender
from benchmarks.contenders.forms import text_columns
from benchmarks.tables import Table


class OneHotTree(Contender):
    """scikit-learn's tree on a matrix that was made for it beforehand."""

    id = "sklearn_tree"
    title = "scikit-learn tree"
    gets = (
        "a dense float32 matrix with text one-hot encoded and labels as 0 and 1; making these is not timed, "
        "which is in its favour (defaults: grown until its leaves are pure; one thread, it has no more)"
    )
    module = "sklearn"
    max_cells = 200_000_000

    def cells(self, table: Table) -> int:
        """Return the cells of the one-hot matrix."""
        return len(table.y) * _width(table.X)

    def prepare(self, table: Table) -> tuple[Any, Any]:
        return _encoder(table.X).fit_transform(table.X).astype(np.float32), table.is_positive

    def fit(self, X: Any, y: Any) -> Any:
        return DecisionTreeClassifier(random_state=0).fit(X, y)

    def predict(self, model: Any, X: Any) -> np.ndarray:
        return np.asarray(model.predict(X))


class OneHotTreeConverted(OneHotTree):
    """scikit-learn's tree on the raw frame, one-hot encoding included: the same work as foldse's."""

    id = "sklearn_tree_converted"
    title = "scikit-learn tree with conversion"
    gets = "the raw frame and text labels; the one-hot encoding (a pipeline of scikit-learn's) is timed"

    def prepare(self, table: Table) -> tuple[Any, Any]:
        return table.X, table.y

    def fit(self, X: Any, y: Any) -> Any:
        return make_pipeline(_encoder(X), DecisionTreeClassifier(random_state=0)).fit(X, y)


def _encoder(X: pd.DataFrame) -> Any:
    """Return a one-hot encoder of the text columns that passes numbers on."""
    onehot = OneHotEncoder(handle_unknown="ignore", sparse_output=False, dtype=np.float32)
    # Dense, since with sparse input the tree takes no missing numbers.
    return make_column_transformer((onehot, text_columns(X)), remainder="passthrough", sparse_threshold=0)


def _width(X: pd.DataFrame) -> int:
    texts = text_columns(X)
    return X.shape[1] - len(texts) + sum(X[name].nunique(dropna=False) for name in texts)
