"""What a model knows of the columns it was learned from, and how it reads later tables by that."""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from foldse.reading.columns import Columns
from foldse.reading.containers import as_table
from foldse.reading.values import column_names, numbered, read_columns

__all__ = ["Schema", "outside"]


@dataclass(frozen=True, slots=True)
class Schema:
    """The columns of the training table: how a table to be predicted is matched with them and read.

    Attributes
    ----------
    names : tuple of str
        All columns, in the order of the training table.
    types : tuple of str
        What each of them held, see `foldse.reading.conversion.types_of`.
    numeric, categorical : frozenset of str
        Columns that were declared to hold numbers, or categories.
    has_names : bool
        Whether the names were given; otherwise they were made from positions.
    estimator : str
        What the model is called in warnings and errors.
    """

    names: tuple[str, ...]
    types: tuple[str, ...]
    numeric: frozenset[str]
    categorical: frozenset[str]
    has_names: bool
    estimator: str

    def read(self, X: Any, only: frozenset[str]) -> Columns:
        """Read some columns of a table.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            In any container. Columns are matched by name, and those that are not in `only` may be missing;
            without names on one side they are matched by position, and all have to be there.
        only : frozenset of str
            The columns to read.

        Returns
        -------
        Columns

        Raises
        ------
        ValueError, TypeError
            If one of the columns is missing, or holds what cannot be read as what it held at fit.

        Warns
        -----
        UserWarning
            If columns are matched by position though one side has names, or some were not there at fit.
        """
        table, names = self._matched(X, only)
        learned = dict(zip(self.names, self.types, strict=True))
        return read_columns(table, self.numeric, self.categorical, only, names, learned)

    def select(self, X: Any, only: frozenset[str]) -> pd.DataFrame:
        """Return some columns of a table as a frame with the names they had at fit; see `read`."""
        table, names = self._matched(X, only)
        places = [place for place, name in enumerate(names) if name in only]
        chosen = [names[place] for place in places]
        if isinstance(table, pd.DataFrame):
            return table.iloc[:, places].set_axis(chosen, axis=1)
        return pd.DataFrame({name: table[:, place] for name, place in zip(chosen, places, strict=True)})

    def _matched(self, X: Any, only: frozenset[str]) -> tuple[pd.DataFrame | np.ndarray, tuple[str, ...]]:
        """Return a table and the name of each of its columns, all of `only` among them."""
        table = as_table(X)
        if self._by_position(table, only):
            if table.shape[1] != len(self.names):
                raise ValueError(
                    f"X has {table.shape[1]} features, but {self.estimator} is expecting "
                    f"{len(self.names)} features as input"
                )
            return table, self.names
        names = column_names(table)
        there, known = set(names), set(self.names)
        missing = [name for name in self.names if name in only and name not in there]
        if missing:
            shown = ", ".join(map(repr, missing[:5])) + (", ..." if len(missing) > 5 else "")
            raise ValueError(
                f"X is missing {len(missing)} of the {len(self.names)} columns seen during fit: {shown}; "
                "add them under these names"
            )
        extra = [repr(name) for name in names if name not in known]
        if extra:
            warnings.warn(
                f"X has columns that were not seen during fit and are ignored: "
                f"{', '.join(extra[:10])}{', ...' if len(extra) > 10 else ''}",
                UserWarning,
                stacklevel=outside(),
            )
        return table, names

    def _by_position(self, table: pd.DataFrame | np.ndarray, only: frozenset[str]) -> bool:
        """Say whether columns are matched by position, as one of the two tables has no names for them."""
        if not isinstance(table, pd.DataFrame):
            if self.has_names:
                warnings.warn(
                    f"X does not have valid feature names, but {self.estimator} was fitted with feature "
                    "names; columns are matched by position",
                    UserWarning,
                    stacklevel=outside(),
                )
            return True
        if self.has_names or self.names != numbered(len(self.names)):
            return False
        there = set(column_names(table))
        # The names x0, x1, ... are those of the model if all of them are there, or nothing else is.
        if there >= set(self.names) or (only <= there <= set(self.names)):
            return False
        if any(isinstance(name, str) for name in table.columns):
            warnings.warn(
                f"X has feature names, but {self.estimator} was fitted without feature names; "
                "columns are matched by position",
                UserWarning,
                stacklevel=outside(),
            )
        return True


def outside() -> int:
    """Return the stack level, for the caller, of the first frame that is not of this package."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "foldse":
        frame, level = frame.f_back, level + 1
    return level
