"""The tables that are measured, by name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
from omegaconf import OmegaConf

from benchmarks.generated import generate
from benchmarks.records import MISSING, NotRunError
from experiments.data import load as datasets

CONF: Final = Path(__file__).resolve().parents[1] / "conf" / "dataset"
REAL: Final = ("adult", "credit_card", "intention", "eeg", "rain")
WARM_ROWS: Final = 1_000  # of the table that a learner is warmed up on
GENERATED: Final = re.compile(r"(mixed|numeric)_(\d+)x(\d+)")


@dataclass(frozen=True, slots=True)
class Table:
    """A table with two classes, as a user has it.

    Attributes
    ----------
    name : str
    X : pandas.DataFrame
        Numbers as float64 or int64, text in pandas' text dtype; missing values in both.
    y : pandas.Series
        Labels, text.
    """

    name: str
    X: pd.DataFrame
    y: pd.Series

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns, the label not counted."""
        return self.X.shape

    @property
    def positive(self) -> str:
        """The more frequent label, which foldse learns rules for by default."""
        return str(self.y.value_counts().index[0])

    @property
    def is_positive(self) -> np.ndarray:
        """The labels as whole numbers, 1 for `positive` and 0 for the other."""
        return (self.y == self.positive).to_numpy(dtype=np.int64)

    def head(self, rows: int) -> Table:
        """Return the first rows, and the first row of each label so that none is missing."""
        kept = np.union1d(np.arange(min(rows, len(self.y))), self.y.drop_duplicates().index)
        X, y = self.X.iloc[kept], self.y.iloc[kept]
        return Table(self.name, X.reset_index(drop=True), y.reset_index(drop=True))


def load(name: str, data: str) -> Table:
    """Return a table.

    Parameters
    ----------
    name : str
        A data set of ``conf/dataset``, or ``mixed_<rows>x<columns>`` or ``numeric_<rows>x<columns>``.
    data : str
        Folder with the data files; empty where none is set.

    Raises
    ------
    NotRunError
        If its file is missing, or is another one.
    """
    if match := GENERATED.fullmatch(name):
        X, y = generate(match[1], int(match[2]), int(match[3]))
        return Table(name, X, y)
    cfg: Any = OmegaConf.to_container(OmegaConf.load(CONF / f"{name}.yaml"))
    if cfg["source"] != "bundled" and not (data and (Path(data) / cfg["file"]).is_file()):
        raise NotRunError(
            MISSING, f"no file {cfg['file']}; --data or FOLDSE_DATA names the folder that has it"
        )
    try:
        dataset = datasets.load(cfg, data or None)
    except datasets.DataError as error:
        raise NotRunError(MISSING, str(error)) from None
    X = pd.DataFrame({column: _as_text(values) for column, values in dataset.X.items()})
    return Table(name, X, dataset.y.astype("str"))


def _as_text(values: pd.Series) -> pd.Series:
    """Turn a column of text that is kept as objects into pandas' text dtype; leave any other."""
    if values.dtype == object and pd.api.types.infer_dtype(values, skipna=True) == "string":
        return values.astype("str")
    return values
