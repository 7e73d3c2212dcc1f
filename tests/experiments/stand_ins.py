"""Small data sets and learners that the tests of the experiments share."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from typing import ClassVar

import numba
import numpy as np
import pandas as pd

from experiments.learners import Learner
from experiments.learners.base import optional_import
from experiments.records import Dataset


def make_dataset(
    columns: dict[str, list], labels: list[str], positive: str | None = None, id: str = "toy"
) -> Dataset:
    """Return a data set; columns with a number in them are numeric."""
    X = pd.DataFrame({name: pd.Series(values) for name, values in columns.items()})
    numeric = tuple(name for name, values in columns.items() if any(isinstance(v, float) for v in values))
    for name in X:
        if name not in numeric:
            X[name] = pd.Series(columns[name], dtype=object)
    categorical = tuple(name for name in columns if name not in numeric)
    y = pd.Series(labels, name="label", dtype=object)
    return Dataset(id, X, y, positive, numeric, categorical, digest=f"digest of {id}", source="bundled")


def two_classes(rows: int = 40) -> Dataset:
    """Return a numeric column that tells the classes apart and a text column that does not."""
    values = [float(i) for i in range(rows)]
    return make_dataset(
        {"size": values, "colour": ["red", "blue"] * (rows // 2)},
        ["big" if value >= rows / 2 else "small" for value in values],
        positive="big",
    )


class Majority(Learner):
    """Predicts the most frequent label, and keeps count of what was done with it."""

    fits: ClassVar[list[int]] = []
    predictions: ClassVar[list[int]] = []

    def __init__(self, dataset: Dataset, *, rules_per_fold: int = 3) -> None:
        self.n_rules = rules_per_fold

    def fit(self, X: pd.DataFrame, y: pd.Series) -> None:
        self.fits.append(len(X))
        self.label = y.mode()[0]

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        self.predictions.append(len(X))
        return np.full(len(X), self.label, dtype=object)

    def measure(self) -> dict[str, float]:
        return {"rules": float(self.n_rules)}

    def rules(self) -> str:
        return f"always {self.label}"


class Measures(Majority):
    """Measures a single figure, called as its setting says."""

    fits: ClassVar[list[int]] = []
    size_of_constant: ClassVar[dict[str, float]] = {"loops": 0.0}

    def __init__(self, dataset: Dataset, *, figure: str = "loops") -> None:
        super().__init__(dataset)
        self.figure = figure

    def measure(self) -> dict[str, float]:
        return {self.figure: 0.5}


class CompiledMajority(Majority):
    """The same, said to be compiled."""

    compiled = True
    fits: ClassVar[list[int]] = []
    predictions: ClassVar[list[int]] = []


class Compiles(CompiledMajority):
    """Compiles something when it is first fitted in a process."""

    fits: ClassVar[list[int]] = []
    predictions: ClassVar[list[int]] = []
    kernel = staticmethod(numba.njit(lambda x: x + 1))

    def fit(self, X: pd.DataFrame, y: pd.Series) -> None:
        self.kernel(len(X))
        super().fit(X, y)


class FailsOnRow(Majority):
    """Fails where a certain row is among the training rows."""

    def __init__(self, dataset: Dataset, *, row: int = 0) -> None:
        super().__init__(dataset)
        self.row = row

    def fit(self, X: pd.DataFrame, y: pd.Series) -> None:
        if self.row in X.index:
            raise RuntimeError(f"row {self.row} is not to my taste")
        super().fit(X, y)


class NeedsWhatIsNotThere(Majority):
    """Needs a package that nobody has."""

    def __init__(self, dataset: Dataset) -> None:
        with optional_import("field"):
            import no_such_package  # type: ignore[import-not-found]  # noqa: F401
        super().__init__(dataset)


class FailsCompiled(CompiledMajority):
    """Fails at its first use."""

    def fit(self, X: pd.DataFrame, y: pd.Series) -> None:
        1 / 0  # noqa: B018


class Nasty(Majority):
    """Does what no learner should, where a certain row is among the training rows."""

    def __init__(self, dataset: Dataset, *, row: int = 0) -> None:
        super().__init__(dataset)
        self.row = row

    def fit(self, X: pd.DataFrame, y: pd.Series) -> None:
        if self.row in X.index:
            self.misbehave()
        super().fit(X, y)

    def misbehave(self) -> None:
        """Do it."""


class Greedy(Nasty):
    """Allocates without end, in large pieces."""

    def misbehave(self) -> None:
        kept = []
        while True:
            kept.append(np.ones(1_000_000))


class GreedyInPieces(Nasty):
    """Allocates without end, in small pieces."""

    def misbehave(self) -> None:
        kept: list = []
        while True:
            kept = [kept, str(len(kept))]


class Sleeper(Nasty):
    """Sleeps for ever, with a child process that does, too."""

    def __init__(self, dataset: Dataset, *, row: int = 0, seconds: int = 10**6) -> None:
        super().__init__(dataset, row=row)
        self.seconds = seconds

    def misbehave(self) -> None:
        subprocess.run(["sleep", str(self.seconds)], check=True)
        time.sleep(1e6)


class Quitter(Nasty):
    """Ends its process."""

    def misbehave(self) -> None:
        os._exit(7)


class Killed(Nasty):
    """Is ended from outside, as by a system that is short of memory."""

    def misbehave(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class SleeperCompiled(Sleeper):
    """The same, already while it is warmed up."""

    compiled = True


class Large(Majority):
    """Takes a known amount of memory for a moment."""

    def fit(self, X: pd.DataFrame, y: pd.Series) -> None:
        np.ones(50 << 17).sum()  # 50 MB
        super().fit(X, y)


class Slow(Majority):
    """Takes its time."""

    def __init__(self, dataset: Dataset, *, seconds: float = 0.2) -> None:
        super().__init__(dataset)
        self.seconds = seconds

    def fit(self, X: pd.DataFrame, y: pd.Series) -> None:
        time.sleep(self.seconds)
        super().fit(X, y)
