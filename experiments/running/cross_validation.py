"""Cross-validation: which rows train and which test, drawn from one seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from omegaconf import DictConfig
from sklearn.model_selection import KFold, StratifiedKFold

from experiments.records import Fold


class ProtocolError(ValueError):
    """A protocol that the data cannot follow; the message is one line."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """A cross-validation scheme.

    Attributes
    ----------
    folds : int
        Parts that the rows are split into; each is the test part once.
    repeats : int
        Times that the whole is done, each with a seed of its own.
    seed : int
        Seed of the first repeat; the following ones take `seed` + 1, `seed` + 2, ...
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
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise ProtocolError(f"protocol.{name}={value} must be a whole number of at least {least}")
        for name in ("shuffle", "stratified"):
            if not isinstance(getattr(self, name), bool):
                raise ProtocolError(f"protocol.{name}={getattr(self, name)} must be true or false")
        if self.repeats > 1 and not self.shuffle:
            raise ProtocolError(
                "protocol.repeats above 1 needs protocol.shuffle=true: unshuffled repeats are alike"
            )

    @classmethod
    def from_config(cls, cfg: DictConfig) -> Protocol:
        """Read the config group ``protocol``."""
        return cls(cfg.folds, cfg.repeats, cfg.seed, cfg.shuffle, cfg.stratified)

    def __str__(self) -> str:
        """Return the settings as one line; runs with the same line are comparable."""
        return (
            f"folds={self.folds} repeats={self.repeats} seed={self.seed} "
            f"shuffle={str(self.shuffle).lower()} stratified={str(self.stratified).lower()}"
        )

    def split(self, y: pd.Series) -> tuple[Fold, ...]:
        """Split the rows of a data set.

        Parameters
        ----------
        y : pandas.Series of shape (n_rows,)
            The labels. Folds depend on the order of the rows: the same rows in another order give others.

        Returns
        -------
        tuple of Fold
            `folds` times `repeats` folds; within a repeat the test parts partition the rows.

        Raises
        ------
        ProtocolError
            Fewer rows than folds, or, with `stratified`, a class with fewer rows than folds. Without
            stratification a small class is no error: it is then absent from some test parts, which is what
            the paper's shuttle (a class of 10) and ecoli (a class of 2) rows are.
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
