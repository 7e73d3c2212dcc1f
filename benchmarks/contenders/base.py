"""What the benchmark asks of a learner."""

from __future__ import annotations

import importlib.util
from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from benchmarks.tables import Table


class Contender(ABC):
    """One learner, in the form in which it is compared.

    Parameters
    ----------
    threads : int
        How many threads it may use.

    Attributes
    ----------
    id, title : str
        Name in the files, and in tables and plots.
    gets : str
        What `fit` and `predict` are given, for the report.
    module : str
        What has to be installed.
    max_cells : int or None
        Rows times columns up to which it is run.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    gets: ClassVar[str]
    module: ClassVar[str]
    max_cells: ClassVar[int | None] = None

    def __init__(self, threads: int) -> None:
        self.threads = threads

    @classmethod
    def is_installed(cls) -> bool:
        """Tell whether its package is there."""
        return importlib.util.find_spec(cls.module) is not None

    def cells(self, table: Table) -> int:
        """Return the size that `max_cells` caps."""
        return table.shape[0] * table.shape[1]

    @abstractmethod
    def prepare(self, table: Table) -> tuple[Any, Any]:
        """Return table and labels in the form that `fit` takes. Not timed."""

    @abstractmethod
    def fit(self, X: Any, y: Any) -> Any:
        """Return a model."""

    @abstractmethod
    def predict(self, model: Any, X: Any) -> np.ndarray:
        """Return a label for each row, in the form of the labels that `prepare` returned."""

    @staticmethod
    def take(X: Any, rows: np.ndarray) -> Any:
        """Return some rows of a prepared table or of its labels."""
        if isinstance(X, pd.DataFrame | pd.Series):
            return X.iloc[rows].reset_index(drop=True)
        if isinstance(X, list):
            return [X[row] for row in rows]
        return X[rows]
