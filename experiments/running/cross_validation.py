"""Cross-validation: which rows train and which test, drawn from one seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold, StratifiedKFold

from experiments.records import Fold
from experiments.running.protocol import Protocol, ProtocolError


@dataclass(frozen=True, slots=True)
class CrossValidation(Protocol):
    """Cross-validation, once or several times.

    Attributes
    ----------
    folds : int
        Parts that the rows are split into; each is the test part once.
    repeats : int
        Times that the whole is done, each with a seed of its own.
    seed : int
        Seed of the first repetition; the following ones take `seed` + 1, `seed` + 2, ...
    shuffle : bool
        Whether rows are shuffled; without it a fold is a contiguous piece of the file.
    stratified : bool
        Whether every fold gets the same share of each class.
    """

    folds: int = 10
    repeats: int = 1
    seed: int = 42
    shuffle: bool = True
    stratified: bool = False

    def __post_init__(self) -> None:
        for name, least in (("folds", 2), ("repeats", 1), ("seed", 0)):
            self.check_whole_number(name, least)
        for name in ("shuffle", "stratified"):
            self.check_flag(name)
        if self.repeats > 1 and not self.shuffle:
            raise ProtocolError(
                "protocol.repeats above 1 needs protocol.shuffle=true: unshuffled repetitions are alike"
            )

    def __str__(self) -> str:
        return (
            f"folds={self.folds} repeats={self.repeats} seed={self.seed} "
            f"shuffle={str(self.shuffle).lower()} stratified={str(self.stratified).lower()}"
        )

    def split(self, y: pd.Series, positive: str | None = None) -> tuple[Fold, ...]:
        """Return `folds` times `repeats` splits; in a repetition the test parts partition the rows.

        Fewer rows than folds are an error, and so is, with `stratified`, a class with fewer rows than folds.
        Without stratification a small class is none: it is then absent from some test parts, as in the
        paper's shuttle (a class of 10) and ecoli (a class of 2) rows.
        """
        if len(y) < self.folds:
            raise ProtocolError(
                f"protocol.folds={self.folds} is more than the {len(y)} rows: take fewer folds"
            )
        if self.stratified:
            counts = y.value_counts()
            label, count = counts.index[-1], int(counts.iloc[-1])
            if count < self.folds:
                raise ProtocolError(
                    f"class {label!r} has {count} rows, fewer than protocol.folds={self.folds}: "
                    f"take protocol.stratified=false or at most {count} folds"
                )
        made: list[Fold] = []
        for repeat in range(self.repeats):
            kind = StratifiedKFold if self.stratified else KFold
            seed = self.seed + repeat
            shuffling = {"shuffle": True, "random_state": seed} if self.shuffle else {}
            for train, test in kind(n_splits=self.folds, **shuffling).split(np.zeros(len(y)), y):
                made.append(Fold(len(made), repeat, train.astype(np.int64), test.astype(np.int64), seed))
        return tuple(made)
