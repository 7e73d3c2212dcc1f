"""Repeated hold-out: a share of the rows tests, the others train, once for each seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

from experiments.records import Fold
from experiments.running.protocol import Protocol, ProtocolError


@dataclass(frozen=True, slots=True)
class HoldOut(Protocol):
    """Repeated hold-out.

    Attributes
    ----------
    test_share : float
        Share of the rows that test, rounded up to a whole number of rows.
    repeats : int
        Number of splits.
    seed : int
        Seed of the first split; the following ones take `seed` + 1, `seed` + 2, ...
    seeds : tuple of int or None
        The seeds one by one, in place of `repeats` and `seed`.
    stratified : bool
        Whether training and test rows have the same shares of the classes; of two classes, of the positive
        label and the other one.
    ddof : int
        Delta degrees of freedom of the standard deviation over the splits.

    Notes
    -----
    Splits are those of scikit-learn's ``train_test_split``, rows in its order. All splits together are one
    repetition: their mean is the figure.
    """

    test_share: float = 0.2
    repeats: int = 10
    seed: int = 42
    seeds: tuple[int, ...] | None = None
    stratified: bool = True
    ddof: int = 0

    def __post_init__(self) -> None:
        share: Any = self.test_share
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share < 1:
            raise ProtocolError(f"protocol.test_share={share} must be a number between 0 and 1")
        for name, least in (("repeats", 1), ("seed", 0), ("ddof", 0)):
            self.check_whole_number(name, least)
        self.check_flag("stratified")
        if self.seeds is not None:
            listed: Any = self.seeds
            if not isinstance(listed, list | tuple) or not listed or not all(map(_is_seed, listed)):
                raise ProtocolError(
                    f"protocol.seeds={listed} must be a list of whole numbers, such as [42,43]"
                )
            if len(set(listed)) < len(listed):
                raise ProtocolError(f"protocol.seeds={list(listed)} names a seed twice")
            object.__setattr__(self, "seeds", tuple(listed))
        if self.ddof >= len(self._seeds):
            raise ProtocolError(f"protocol.ddof={self.ddof} needs more than {len(self._seeds)} splits")

    @property
    def _seeds(self) -> tuple[int, ...]:
        return self.seeds or tuple(range(self.seed, self.seed + self.repeats))

    def __str__(self) -> str:
        seeds = self._seeds
        first, last = seeds[0], seeds[-1]
        counted = len(seeds) > 1 and seeds == tuple(range(first, last + 1))
        listed = f"{first}-{last}" if counted else ",".join(map(str, seeds))
        return (
            f"hold_out={self.test_share:g} seeds={listed} "
            f"stratified={str(self.stratified).lower()} ddof={self.ddof}"
        )

    def split(self, y: pd.Series, positive: str | None = None) -> tuple[Fold, ...]:
        """Return a split for each seed."""
        classes = y.to_numpy(dtype=object) if positive is None else (y == positive).to_numpy(dtype=int)
        stratify = {"stratify": classes} if self.stratified else {}
        made = []
        for index, seed in enumerate(self._seeds):
            try:
                train, test = train_test_split(
                    np.arange(len(y)), test_size=self.test_share, random_state=seed, **stratify
                )
            except ValueError as error:
                reason = str(error).splitlines()[0].rstrip(".")
                remedy = "; take protocol.stratified=false" if self.stratified else ""
                raise ProtocolError(
                    f"protocol.test_share={self.test_share:g} of {len(y)} rows: {reason}{remedy}"
                ) from None
            made.append(Fold(index, 0, train.astype(np.int64), test.astype(np.int64), seed))
        return tuple(made)


def _is_seed(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
