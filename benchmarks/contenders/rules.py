"""The other rule learners: RIPPER, and FOLD-R++ by its authors."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.contenders.base import Contender
from benchmarks.contenders.forms import as_records, text_columns
from benchmarks.tables import Table


class Ripper(Contender):
    """RIPPER by the package wittgenstein."""

    id = "ripper"
    title = "RIPPER (wittgenstein)"
    gets = (
        "the raw frame and labels as 0 and 1; rules are learned for the less frequent class, as is RIPPER's "
        "custom (one thread, it has no more)"
    )
    module = "wittgenstein"
    max_cells = 1_000_000

    def prepare(self, table: Table) -> tuple[Any, Any]:
        # A name that no column has: wittgenstein would overwrite the column.
        return table.X, pd.Series(table.is_positive, name="the label of the row")

    def fit(self, X: Any, y: Any) -> Any:
        wittgenstein = importlib.import_module("wittgenstein")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = wittgenstein.RIPPER(random_state=0)
            model.fit(X, y, pos_class=0)
            return model

    def predict(self, model: Any, X: Any) -> np.ndarray:
        return np.where(np.asarray(model.predict(X), dtype=bool), 0, 1)


class AuthorsFoldRPP(Contender):
    """FOLD-R++ by the authors of the paper, the package foldrpp."""

    id = "foldrpp_authors"
    title = "FOLD-R++ by its authors"
    gets = (
        "a list of dicts, one a row, as its own reader makes it; making it is not timed, which is in its "
        "favour (ratio 0.5; one thread, it has no more)"
    )
    module = "foldrpp"
    max_cells = 4_000_000

    def prepare(self, table: Table) -> tuple[Any, Any]:
        records: list[dict[str, Any]] = as_records(table.X)
        positive = table.is_positive
        for record, label in zip(records, positive.tolist(), strict=True):
            record["label"] = label
        self._texts = set(text_columns(table.X))
        self._names = [str(name) for name in table.X.columns]
        return records, positive

    def fit(self, X: Any, y: Any) -> Any:
        foldrpp = importlib.import_module("foldrpp")
        texts = [f"c{i}" for i, name in enumerate(self._names) if name in self._texts]
        numbers = [f"c{i}" for i, name in enumerate(self._names) if name not in self._texts]
        model = foldrpp.Foldrpp(texts, numbers, "label", 1)
        # Of literals that are as good the first column's is taken: the order of the frame, as foldse's.
        model.attrs = [f"c{i}" for i in range(len(self._names))]
        model.fit(X, ratio=0.5)
        return model

    def predict(self, model: Any, X: Any) -> np.ndarray:
        return np.array(model.predict(X), dtype=np.int64)
