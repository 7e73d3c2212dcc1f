"""Rule learners of the package imodels."""

from __future__ import annotations

import numpy as np

from experiments.learners.base import LearnerError, NotApplicableError, check_number, need
from experiments.learners.matrix import Matrix
from experiments.records import Dataset


class Imodels(Matrix):
    """A rule learner of the package imodels, for two classes.

    Parameters
    ----------
    dataset : Dataset
        Gives the roles of the columns.
    kind : {"GreedyRuleListClassifier", "FIGSClassifier"}
        Class of the package.
    seed : int, default=0

    Notes
    -----
    FIGS of imodels 3.0 does not pass its ``random_state`` on to the stumps that it grows, which draw on the
    random state that all of NumPy shares: every process takes another of splits as good. The seed is set
    there while it learns.
    """

    packages = ("imodels", "scikit-learn")
    kinds = ("GreedyRuleListClassifier", "FIGSClassifier")

    def __init__(self, dataset: Dataset, *, kind: str, seed: int = 0) -> None:
        super().__init__(dataset)
        if kind not in self.kinds:
            raise LearnerError(f"unknown learner.kind={kind}: there are {', '.join(self.kinds)}")
        if dataset.positive is None:
            raise NotApplicableError(f"imodels' {kind} is for two classes, {dataset.id} has more")
        made = getattr(need("imodels", "field"), kind)
        check_number("seed", seed, 0, 2**32 - 1, whole=True)
        self.model, self.seed = made(), seed

    def learn(self, matrix: np.ndarray, codes: np.ndarray) -> None:
        state = np.random.get_state()  # noqa: NPY002  (what FIGS draws on)
        np.random.seed(self.seed)  # noqa: NPY002
        try:
            # Names without a letter that its rule strings would trip over.
            self.model.fit(matrix, codes, feature_names=[f"X{i}" for i in range(matrix.shape[1])])
        finally:
            np.random.set_state(state)  # noqa: NPY002

    def rules(self) -> str:
        return "" if len(self.labels) == 1 else str(self.model)
