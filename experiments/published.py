"""The figures that the paper prints, by data set, learner and metric."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Self

# The published XGBoost and MLP one-hot encoded every column, numbers too: a setting of its own. The same
# learners used well have no published counterpart.
_PUBLISHED_AS = {"xgboost_paper": "xgboost", "mlp_paper": "mlp"}
_NOT_PUBLISHED = ("xgboost", "mlp")

# Metrics that the paper gives under another name and unit: name there, factor to ours.
_NAMED = {"fit_seconds": ("train_ms", 0.001)}

_COLUMNS = ["table", "dataset", "rows", "cols", "learner", "metric", "mean", "std"]


class PublishedError(ValueError):
    """A file of published figures that cannot be read; the message is one line."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One printed figure.

    Attributes
    ----------
    table : str
        The paper's table that it stands in.
    mean : float
    std : float or None
        None where the paper prints none.
    """

    table: str
    mean: float
    std: float | None


class Published:
    """All printed figures.

    Parameters
    ----------
    figures : dict
        Figures by (data set, learner, metric) under the paper's names, in the order of the file.
    """

    def __init__(self, figures: dict[tuple[str, str, str], list[Figure]]) -> None:
        self.figures = figures

    @classmethod
    def read(cls, path: Path | str) -> Self:
        """Read the tidy file ``results/published/results.csv``.

        Raises
        ------
        PublishedError
            If it is not there or has other columns.
        """
        figures: dict[tuple[str, str, str], list[Figure]] = {}
        try:
            with Path(path).open(newline="", encoding="utf-8") as file:
                reader = csv.DictReader(file)
                if reader.fieldnames != _COLUMNS:
                    raise PublishedError(
                        f"paths.published: {path} must have the columns {','.join(_COLUMNS)}"
                    )
                for row in reader:
                    mean, std = _number(row["mean"]), _number(row["std"])
                    if mean is not None:  # the paper's NA
                        key = (row["dataset"], row["learner"], row["metric"])
                        figures.setdefault(key, []).append(Figure(row["table"], mean, std))
        except OSError as error:
            raise PublishedError(f"paths.published: {path} cannot be read ({error.strerror})") from None
        return cls(figures)

    def lookup(self, dataset: str, learner: str, metric: str, table: str = "") -> Figure | None:
        """Return the figure to compare a measured one with, in our units; None where there is none.

        Parameters
        ----------
        dataset, learner, metric : str
            Our names.
        table : str
            The paper's table that is preferred; otherwise the first that has the figure is taken.
        """
        if learner in _NOT_PUBLISHED:
            return None
        name, factor = _NAMED.get(metric, (metric, 1.0))
        found = self.figures.get((dataset, _PUBLISHED_AS.get(learner, learner), name), [])
        chosen = next((figure for figure in found if figure.table == table), found[0] if found else None)
        if chosen is None or factor == 1.0:
            return chosen
        return Figure(chosen.table, chosen.mean * factor, None if chosen.std is None else chosen.std * factor)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
