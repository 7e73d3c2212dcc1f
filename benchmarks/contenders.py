"""The learners that are compared, each in the form that suits it.

What `prepare` does is not timed. The adapters of `experiments.learners` prepare columns inside `fit`, so they
cannot be used where others are given an advantage over foldse.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
import warnings
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Final

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from benchmarks.tables import WARM_ROWS, Table
from foldse import FoldRPPClassifier, FoldSEClassifier
from foldse.runtime.kernels import compile_kernels


class Contender(ABC):
    """One learner, in the form in which it is compared.

    Parameters
    ----------
    threads : int
        How many threads it may use.

    Attributes
    ----------
    title : str
        Name in tables and plots.
    gets : str
        What `fit` and `predict` are given, for the report.
    package : str
        What has to be installed.
    max_cells : float
        Largest table, in `cells`, that it is run on.
    """

    title: ClassVar[str]
    gets: ClassVar[str]
    package: ClassVar[str]
    max_cells: ClassVar[float] = math.inf

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def is_installed(self) -> bool:
        """Tell whether its package is available."""
        return importlib.util.find_spec(self.package) is not None

    def cells(self, table: Table) -> int:
        """Return the size that `max_cells` limits: rows times columns."""
        return table.shape[0] * table.shape[1]

    def prepare(self, table: Table) -> tuple[Any, Any]:
        """Return table and labels in the form that `fit` takes; by default the raw ones. Not timed."""
        return table.X, table.y

    @abstractmethod
    def estimator(self) -> Any:
        """Return an unfitted estimator."""

    def fit(self, X: Any, y: Any) -> Any:
        """Return a model."""
        return self.estimator().fit(X, y)

    def predict(self, model: Any, X: Any) -> np.ndarray:
        """Return a label for each row, in the form of the labels that `prepare` returned."""
        return np.asarray(model.predict(X))

    def warm_up(self, table: Table) -> None:
        """Run on the first rows, so that imports, compiled kernels and threads are ready."""
        compile_kernels()  # foldse would learn from so few rows without
        X, y = self.prepare(table.head(WARM_ROWS))
        self.predict(self.fit(X, y), X)


class FoldSE(Contender):
    """FOLD-SE with its defaults."""

    title = "FOLD-SE"
    gets = "the raw frame and text labels; reading and encoding them is timed"
    package = "foldse"

    def estimator(self) -> Any:
        return FoldSEClassifier()


class FoldRPP(FoldSE):
    """FOLD-R++ with its defaults."""

    title = "FOLD-R++"

    def estimator(self) -> Any:
        return FoldRPPClassifier()


class XGBoost(Contender):
    """XGBoost's defaults, with native categories."""

    title = "XGBoost"
    gets = (
        "the frame with text as pandas categories, labels as 0 and 1; preparing these is not timed, in its "
        "favour (tree_method hist, enable_categorical, 100 trees)"
    )
    package = "xgboost"

    def prepare(self, table: Table) -> tuple[Any, Any]:
        return with_categories(table.X)[0], table.is_positive

    def estimator(self) -> Any:
        xgboost = importlib.import_module("xgboost")
        return xgboost.XGBClassifier(
            n_estimators=100, tree_method="hist", enable_categorical=True, n_jobs=self.threads
        )


class XGBoostConverted(XGBoost):
    """XGBoost with its conversion of the raw frame: the same work as foldse's."""

    title = "XGBoost with conversion"
    gets = "the raw frame and text labels; turning text into categories and labels into numbers is timed"
    prepare = Contender.prepare

    def fit(self, X: Any, y: Any) -> Any:
        codes, labels = pd.factorize(y, sort=True)
        converted, known = with_categories(X)
        return super().fit(converted, codes), known, np.asarray(labels)

    def predict(self, model: Any, X: Any) -> np.ndarray:
        fitted, known, labels = model
        return labels[super().predict(fitted, with_categories(X, known)[0])]


class LightGBM(XGBoost):
    """LightGBM's defaults, with native categories."""

    title = "LightGBM"
    gets = "the same as XGBoost (100 trees of up to 31 leaves)"
    package = "lightgbm"

    def estimator(self) -> Any:
        lightgbm = importlib.import_module("lightgbm")
        return lightgbm.LGBMClassifier(n_estimators=100, n_jobs=self.threads, verbosity=-1)


class OneHotTree(Contender):
    """scikit-learn's decision tree, which needs text one-hot encoded."""

    title = "scikit-learn tree"
    gets = (
        "a dense float32 matrix with text one-hot encoded, labels as 0 and 1; preparing these is not timed, "
        "in its favour (defaults: grown until its leaves are pure; one thread, it has no more)"
    )
    package = "sklearn"
    max_cells = 200_000_000

    def cells(self, table: Table) -> int:
        """Return the cells of the one-hot matrix."""
        texts = text_columns(table.X)
        n_values = sum(table.X[name].nunique(dropna=False) for name in texts)
        return len(table.y) * (table.shape[1] - len(texts) + n_values)

    def prepare(self, table: Table) -> tuple[Any, Any]:
        return _one_hot().fit_transform(table.X).astype(np.float32), table.is_positive

    def estimator(self) -> Any:
        return DecisionTreeClassifier(random_state=0)


class OneHotTreeConverted(OneHotTree):
    """scikit-learn's tree with the one-hot encoding of the raw frame: the same work as foldse's."""

    title = "scikit-learn tree with conversion"
    gets = "the raw frame and text labels; the one-hot encoding (a pipeline of scikit-learn's) is timed"
    prepare = Contender.prepare

    def estimator(self) -> Any:
        return make_pipeline(_one_hot(), super().estimator())


class Ripper(Contender):
    """RIPPER by the package wittgenstein."""

    title = "RIPPER (wittgenstein)"
    gets = (
        "the raw frame, labels as 0 and 1; rules are learned for the less frequent class, as is usual for "
        "RIPPER (one thread, it has no more)"
    )
    package = "wittgenstein"
    max_cells = 1_000_000

    def prepare(self, table: Table) -> tuple[Any, Any]:
        # A name that no column has: wittgenstein would overwrite the column.
        return table.X, pd.Series(table.is_positive, name="the label of the row")

    def estimator(self) -> Any:
        return importlib.import_module("wittgenstein").RIPPER(random_state=0)

    def fit(self, X: Any, y: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = self.estimator()
            model.fit(X, y, pos_class=0)
            return model

    def predict(self, model: Any, X: Any) -> np.ndarray:
        return np.where(np.asarray(model.predict(X), dtype=bool), 0, 1)


class AuthorsFoldRPP(Contender):
    """FOLD-R++ by the authors of the paper, the package foldrpp."""

    title = "FOLD-R++ by its authors"
    gets = (
        "a list of dicts, one per row, as its own reader makes it; making it is not timed, in its favour "
        "(ratio 0.5; one thread, it has no more)"
    )
    package = "foldrpp"
    max_cells = 4_000_000

    def prepare(self, table: Table) -> tuple[Any, Any]:
        texts = text_columns(table.X)
        self._is_text = [name in texts for name in table.X.columns]
        records: list[dict[str, Any]] = as_records(table.X)
        for record, label in zip(records, table.is_positive.tolist(), strict=True):
            record["label"] = label
        return records, table.is_positive

    def estimator(self) -> Any:
        columns = {
            is_text: [f"c{i}" for i, it in enumerate(self._is_text) if it == is_text] for is_text in (0, 1)
        }
        model = importlib.import_module("foldrpp").Foldrpp(columns[True], columns[False], "label", 1)
        # Ties between literals are broken by the order of these: the frame's, as in foldse.
        model.attrs = [f"c{i}" for i in range(len(self._is_text))]
        return model

    def fit(self, X: Any, y: Any) -> Any:
        model = self.estimator()
        model.fit(X, ratio=0.5)
        return model


CONTENDERS: Final[dict[str, type[Contender]]] = {
    "foldse": FoldSE,
    "foldrpp": FoldRPP,
    "xgboost": XGBoost,
    "xgboost_converted": XGBoostConverted,
    "lightgbm": LightGBM,
    "sklearn_tree": OneHotTree,
    "sklearn_tree_converted": OneHotTreeConverted,
    "ripper": Ripper,
    "foldrpp_authors": AuthorsFoldRPP,
}


def text_columns(X: pd.DataFrame) -> list[str]:
    """Return the names of the columns that are not numbers."""
    return [str(name) for name in X.columns if not pd.api.types.is_numeric_dtype(X[name])]


def with_categories(
    X: pd.DataFrame, known: dict[str, pd.Index] | None = None
) -> tuple[pd.DataFrame, dict[str, pd.Index]]:
    """Return a frame with text as pandas categories, and the values of each text column.

    Parameters
    ----------
    X : pandas.DataFrame
    known : dict of str to pandas.Index, optional
        The values of each text column at fit; another value becomes missing.

    Notes
    -----
    The categories are whole numbers, which is all that the boosting libraries need; they would copy and
    compare categories of text. Columns are named by position, since the libraries refuse some characters.
    """
    texts = set(text_columns(X))
    values: dict[str, pd.Index] = {} if known is None else known
    made: dict[str, Any] = {}
    for position, name in enumerate(X.columns):
        column: Any = X[name]
        if name in texts:
            if known is None:
                codes, values[name] = pd.factorize(column, sort=True)
            else:
                codes = known[name].get_indexer(column)
            column = pd.Categorical.from_codes(codes, categories=pd.RangeIndex(max(1, len(values[name]))))
        made[f"c{position}"] = column
    return pd.DataFrame(made, copy=False), values


def as_records(X: pd.DataFrame) -> list[dict[str, Any]]:
    """Return each row as a dict by position of the column, without its missing values."""
    numeric = pd.api.types.is_numeric_dtype
    columns = [X[name].to_numpy(dtype=float if numeric(X[name]) else object).tolist() for name in X]
    return [
        {f"c{position}": value for position, value in enumerate(row) if value == value}
        for row in zip(*columns, strict=True)
    ]


def _one_hot() -> Any:
    """Return a one-hot encoder of the text columns that passes numbers on."""
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False, dtype=np.float32)
    # Dense, since with sparse input the tree takes no missing numbers.
    return make_column_transformer((encoder, text_columns), remainder="passthrough", sparse_threshold=0)
