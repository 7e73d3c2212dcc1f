"""scikit-learn's multi-layer perceptron: as it was published, and imputed, scaled, one-hot encoded."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.impute import SimpleImputer
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from experiments.learners.base import Learner, check_number
from experiments.learners.columns import OneHot, numbers, texts
from experiments.records import Dataset

INFINITY = float("inf")
HELD_OUT = 0.1


class MLP(Learner):
    """One network a fold: numbers imputed by the median and scaled, text one-hot encoded.

    Parameters
    ----------
    dataset : Dataset
        Gives the roles of the columns.
    hidden_layer_sizes, alpha, learning_rate_init, max_iter, seed
        As in ``sklearn.neural_network.MLPClassifier``.
    early_stopping_rows : int
        From so many training rows on, a tenth of them is held out, and training ends when its accuracy
        stays put. Below it the tenth would be too small to tell, and training ends by the loss.
    n_jobs : int
        Threads of the matrix products. These are small: with more threads than idle cores they take ten
        times as long.
    """

    packages = ("scikit-learn",)

    def __init__(
        self,
        dataset: Dataset,
        *,
        hidden_layer_sizes: Sequence[int] = (100,),
        alpha: float = 0.0001,
        learning_rate_init: float = 0.001,
        max_iter: int = 500,
        early_stopping_rows: int = 10000,
        n_jobs: int = 1,
        seed: int = 0,
    ) -> None:
        for size in hidden_layer_sizes:
            check_number("hidden_layer_sizes", size, 1, INFINITY, whole=True)
        check_number("alpha", alpha, 0, INFINITY)
        check_number("learning_rate_init", learning_rate_init, 1e-12, 1)
        check_number("max_iter", max_iter, 1, INFINITY, whole=True)
        check_number("early_stopping_rows", early_stopping_rows, 0, INFINITY, whole=True)
        check_number("n_jobs", n_jobs, 1, INFINITY, whole=True)
        self.n_jobs = n_jobs
        self.numeric = dataset.numeric
        self.categorical = dataset.categorical
        self.early_stopping_rows = early_stopping_rows
        self.model = MLPClassifier(
            hidden_layer_sizes=tuple(hidden_layer_sizes),
            alpha=alpha,
            learning_rate_init=learning_rate_init,
            max_iter=max_iter,
            validation_fraction=HELD_OUT,
            random_state=seed,
        )

    def fit(self, X: pd.DataFrame, y: pd.Series) -> None:
        self.labels, codes = np.unique(y.to_numpy(dtype=object), return_inverse=True)
        self._prepare(X)
        if len(self.labels) == 1:
            return
        self.model.early_stopping = len(y) >= self.early_stopping_rows and can_hold_out(codes)
        with warnings.catch_warnings(), threadpool_limits(self.n_jobs):
            # Reaching max_iter is a setting of the experiment, not a fault of the fold.
            warnings.simplefilter("ignore", ConvergenceWarning)
            # scikit-learn turns Ctrl-C into a warning and a half-trained network: that is no result.
            warnings.filterwarnings("error", "Training interrupted by user", UserWarning)
            try:
                self.model.fit(self._matrix(X), codes)
            except UserWarning as warning:
                raise KeyboardInterrupt from warning

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        if len(self.labels) == 1:
            return np.full(len(X), self.labels[0], dtype=object)
        with threadpool_limits(self.n_jobs):
            return self.labels[self.model.predict(self._matrix(X))]

    def _prepare(self, X: pd.DataFrame) -> None:
        self.scaling: Pipeline = make_pipeline(
            # keep_empty_features: a column that is all missing in this fold is no ground for a warning.
            SimpleImputer(strategy="median", keep_empty_features=True),
            StandardScaler(),
        )
        self.encoding = OneHotEncoder(handle_unknown="ignore")
        if self.numeric:
            self.scaling.fit(numbers(X, self.numeric))
        if self.categorical:
            self.encoding.fit(texts(X, self.categorical))

    def _matrix(self, X: pd.DataFrame) -> np.ndarray | sparse.csr_matrix:
        scaled = self.scaling.transform(numbers(X, self.numeric)) if self.numeric else np.empty((len(X), 0))
        if not self.categorical:
            return scaled
        onehot = self.encoding.transform(texts(X, self.categorical))
        # Few values a column: dense is faster and fits. Many: only sparse does.
        if onehot.shape[1] <= 200:
            return np.hstack([scaled, onehot.toarray()])
        return sparse.hstack([sparse.csr_matrix(scaled), onehot], format="csr")


class MLPPaper(MLP):
    """The network as it was published: every column one-hot encoded, numbers too.

    Parameters
    ----------
    dataset : Dataset
    hidden_layer_sizes, alpha, learning_rate_init, max_iter, n_jobs, seed
        As in `MLP`; training ends by the loss alone.
    """

    def __init__(
        self,
        dataset: Dataset,
        *,
        hidden_layer_sizes: Sequence[int] = (100,),
        alpha: float = 0.0001,
        learning_rate_init: float = 0.001,
        max_iter: int = 200,
        n_jobs: int = 1,
        seed: int = 0,
    ) -> None:
        super().__init__(
            dataset,
            hidden_layer_sizes=hidden_layer_sizes,
            alpha=alpha,
            learning_rate_init=learning_rate_init,
            max_iter=max_iter,
            early_stopping_rows=2**62,
            n_jobs=n_jobs,
            seed=seed,
        )

    def _prepare(self, X: pd.DataFrame) -> None:
        self.onehot = OneHot().fit(X)

    def _matrix(self, X: pd.DataFrame) -> np.ndarray | sparse.csr_matrix:
        return self.onehot.transform(X)


def can_hold_out(codes: np.ndarray) -> bool:
    """Tell whether a stratified tenth can be held out: every class twice, and a place for each class.

    Parameters
    ----------
    codes : numpy.ndarray of int of shape (n_rows,)
        Labels as whole numbers from 0 on.
    """
    counts = np.bincount(codes)
    return bool(counts.min() >= 2 and int(HELD_OUT * len(codes)) >= len(counts))
