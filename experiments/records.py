"""The records that the parts of an experiment pass on to each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd


@dataclass(frozen=True, slots=True)
class Dataset:
    """One table, read and checked, with what is known of it.

    Attributes
    ----------
    id : str
        Name of the data set, as in the paper's tables.
    X : pandas.DataFrame of shape (n_rows, n_columns)
        The attributes. A numeric column is float64, with NaN for a missing value, or, where some of
        its values are text, object; a categorical one is text (object, str values) with None for a
        missing value.
    y : pandas.Series of shape (n_rows,)
        The labels, text; its name is what rules are headed with.
    positive : str or None
        The label that rules are learned for; None where there are more than two classes.
    numeric, categorical : tuple of str
        The roles of the columns; together they are all columns of `X`.
    digest : str
        SHA-256 over the values, the label and the roles: two data sets with the same digest are the same.
    source : str
        Where the rows came from, for the footnote of a table: ``"bundled"`` or the name of a file.
    published_rows, published_columns : int or None
        Size that the paper prints (columns with the label); None where the paper has no such data set.
    notes : tuple of str
        What sets these rows apart from the paper's, for the footnotes of a table.
    """

    id: str
    X: pd.DataFrame
    y: pd.Series
    positive: str | None
    numeric: tuple[str, ...]
    categorical: tuple[str, ...]
    digest: str
    source: str
    published_rows: int | None = None
    published_columns: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def classes(self) -> tuple[str, ...]:
        """The labels, sorted."""
        return tuple(sorted(self.y.unique()))


@dataclass(frozen=True, slots=True)
class Fold:
    """Positions of the training and the test rows of one fold, or of another split.

    Attributes
    ----------
    index : int
        Running number over all repetitions, from 0; the step under which metrics are logged.
    repeat : int
        Which repetition of the protocol, from 0.
    train, test : numpy.ndarray of int64
        Row positions, in the order in which the learner gets the rows.
    seed : int, default=0
        For what a learner draws at random: the seed that the rows were split with.
    """

    index: int
    repeat: int
    train: np.ndarray
    test: np.ndarray
    seed: int = 0


@dataclass(frozen=True, slots=True)
class FoldResult:
    """What came of one learner on one fold.

    Attributes
    ----------
    fold : int
        `Fold.index`.
    status : str
        ``"ok"``, or what went wrong: one of `experiments.statuses.STATUSES`.
    metrics : dict of str to float
        Figures of a fold that is ok; empty otherwise. A figure that a learner does not have is absent.
    rules : str
        The learned program as text; empty where there is none.
    error : str
        Last line of the traceback of a fold that is not ok.
    traceback : str
        The whole of it, for the log; not part of `to_dict`.
    repeat : int
        `Fold.repeat`.
    seconds : float
        Wall clock of the fold, with all that surrounds fit and predict.
    """

    fold: int
    status: str
    metrics: dict[str, float] = field(default_factory=dict)
    rules: str = ""
    error: str = ""
    traceback: str = ""
    repeat: int = 0
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain JSON values."""
        return {
            "fold": self.fold,
            "status": self.status,
            "metrics": dict(self.metrics),
            "rules": self.rules,
            "error": self.error,
            "repeat": self.repeat,
            "seconds": self.seconds,
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> FoldResult:
        """Return the record that `to_dict` gave."""
        return cls(**values)
