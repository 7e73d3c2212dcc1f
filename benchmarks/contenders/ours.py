"""foldse's own learners, called as a user calls them."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.contenders.base import Contender
from benchmarks.tables import Table
from foldse import FoldRPPClassifier, FoldSEClassifier


class FoldSE(Contender):
    """FOLD-SE with its defaults on the raw frame."""

    id = "foldse"
    title = "FOLD-SE"
    gets = "the raw frame and text labels; reading and encoding them is timed"
    module = "foldse"
    estimator: type[FoldSEClassifier] | type[FoldRPPClassifier] = FoldSEClassifier

    def prepare(self, table: Table) -> tuple[Any, Any]:
        return table.X, table.y

    def fit(self, X: Any, y: Any) -> Any:
        return self.estimator().fit(X, y)

    def predict(self, model: Any, X: Any) -> np.ndarray:
        return np.asarray(model.predict(X))


class FoldRPP(FoldSE):
    """FOLD-R++ with its defaults on the raw frame."""

    id = "foldrpp"
    title = "FOLD-R++"
    estimator = FoldRPPClassifier
