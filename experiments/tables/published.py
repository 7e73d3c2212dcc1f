"""The figures that the paper prints, by data set, learner and metric."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from experiments.metrics import metric_of
from experiments.tables.series import Series

# In the tables of two classes the published XGBoost and MLP one-hot encoded every column, numbers too:
# settings of their own. With standard preprocessing they have no published counterpart there.
_AS_PUBLISHED = {"xgboost": "xgboost_paper", "mlp": "mlp_paper"}
_COLUMNS_OF = {ours: column for column, ours in _AS_PUBLISHED.items()} | {"xgboost_paper_dense": "xgboost"}
# The printed form of the paper's own score is held to the figures of that score.
_SCORES = {"magic_gini": "mgi", "gini_printed": "mgi", "information_gain": "ig"}
_TREE_SCORES = _SCORES | {"weighted_gini": "weighted_gini", "chi_square": "chi_square"}
_FAMILIES = {"foldrpp": _SCORES, "tree": _TREE_SCORES}
# What the paper ran FOLD-SE with, and what it leaves open: any value of that is an attempt.
_PAPER = {
    "heuristic": "magic_gini",
    "ratio": "0.5",
    "tail": "0.005",
    "negated_thresholds": "true",
    "prune_exceptions": "true",
}
_OPEN = ("remove_covered", "stop_at_invalid", "ties", "blocking")
# Another reading of a data set is held to the same figures.
READINGS = {"breast_w_numeric": "breast_w"}
AVERAGE = "average"
# Where most published figures are those with standard preprocessing, both settings stand beside them.
BOTH_SETTINGS = {
    "multiclass": "The published XGBoost and MLP stand beside both settings: most are those of standard "
    "preprocessing, ecoli's of one-hot encoding numbers too (docs/reproduction.md)."
}

# The experiment that is held to the figures of the authors' web service, and to no others. The file with them
# is beside the paper's; its names of data sets are not all ours.
SERVICE = "service"
_SERVICE_FILE = "service_results.csv"
_SERVICE_DATASETS = {"breastw": "breast_w", "ecoli": "ecoli_cp"}
_SERVICE_SPLITS = "hold_out=0.2 seeds=42-51 stratified={} ddof=1"

# The one that is held to the figures of CON-FOLD's authors. Their splits have no seeds to be told by.
CONFOLD = "confold"
_CONFOLD_FILE = "confold_results.csv"

_COLUMNS = ["table", "dataset", "rows", "cols", "learner", "metric", "mean", "std"]


def column_of(learner: str, parameters: Mapping[str, str]) -> str | None:
    """Return the paper's column that a learner is held to; None where it has none.

    Parameters
    ----------
    learner : str
        Our id.
    parameters : mapping of str to str
        Its settings: FOLD-R++ and the tree have a column for each score.
    """
    family = learner.split("_")[0]
    heuristic = parameters.get("heuristic")
    if family in _FAMILIES and heuristic is not None:
        score = _FAMILIES[family].get(heuristic)
        return f"{family}_{score}" if score else None
    return _COLUMNS_OF.get(learner, learner)


def is_attempt(line: Series) -> bool:
    """Tell whether a line is an attempt at its published figures: its settings may be the paper's."""
    if line.learner.split("_")[0] in _FAMILIES:
        return line.parameters.get("heuristic") != "gini_printed"
    settings = ((name, line.parameters.get(name)) for name in line.varied)
    return all(value is not None and (name in _OPEN or value == _PAPER.get(name)) for name, value in settings)


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
    sizes : dict
        Printed rows and columns by (table, data set).
    cells : dict
        By table the (data set, learner) pairs that it has, in the order of the file.
    service : dict
        Figures of the authors' web service by (data set, protocol, metric).
    confold : dict
        Figures of the authors of CON-FOLD by (data set, learner, metric), under our names.
    """

    def __init__(
        self,
        figures: dict[tuple[str, str, str], list[Figure]],
        sizes: dict[tuple[str, str], tuple[int, int]] | None = None,
        cells: dict[str, dict[tuple[str, str], None]] | None = None,
        service: dict[tuple[str, str, str], Figure] | None = None,
        confold: dict[tuple[str, str, str], Figure] | None = None,
    ) -> None:
        self.figures = figures
        self.sizes = sizes or {}
        self.cells = cells or {}
        self.service = service or {}
        self.confold = confold or {}

    @classmethod
    def read(cls, path: Path | str) -> Self:
        """Read the tidy file ``results/published/results.csv``, and those of other sources beside it.

        Raises
        ------
        PublishedError
            If it is not there or has other columns.
        """
        figures: dict[tuple[str, str, str], list[Figure]] = {}
        sizes: dict[tuple[str, str], tuple[int, int]] = {}
        cells: dict[str, dict[tuple[str, str], None]] = {}
        try:
            with Path(path).open(newline="", encoding="utf-8") as file:
                reader = csv.DictReader(file)
                if reader.fieldnames != _COLUMNS:
                    raise PublishedError(
                        f"paths.published: {path} must have the columns {','.join(_COLUMNS)}"
                    )
                for row in reader:
                    mean, std = _number(row["mean"]), _number(row["std"])
                    sizes[row["table"], row["dataset"]] = int(row["rows"]), int(row["cols"])
                    cells.setdefault(row["table"], {})[row["dataset"], row["learner"]] = None
                    if mean is not None:  # the paper's NA
                        key = (row["dataset"], row["learner"], row["metric"])
                        figures.setdefault(key, []).append(Figure(row["table"], mean, std))
        except OSError as error:
            raise PublishedError(f"paths.published: {path} cannot be read ({error.strerror})") from None
        service, confold = (Path(path).with_name(name) for name in (_SERVICE_FILE, _CONFOLD_FILE))
        return cls(figures, sizes, cells, _read_service(service), _read_confold(confold))

    def lookup(
        self,
        dataset: str,
        learner: str,
        metric: str,
        table: str = "",
        parameters: Mapping[str, str] | None = None,
        protocol: str = "",
    ) -> Figure | None:
        """Return the figure to compare a measured one with, in our units; None where there is none.

        Parameters
        ----------
        dataset, learner, metric : str
            Our names.
        table : str
            The paper's table that is preferred; otherwise the first that has the figure is taken.
        parameters : mapping of str to str, optional
            The learner's settings, see `column_of`.
        protocol : str
            Counts in the table of the web service, whose figures are of two protocols.
        """
        if table == SERVICE:
            return self.service.get((dataset, protocol, metric)) if learner == "foldse" else None
        if table == CONFOLD:
            return self.confold.get((dataset, learner, metric))
        if learner in _AS_PUBLISHED and table not in BOTH_SETTINGS:
            return None
        name, factor = metric_of(metric).published_as, metric_of(metric).paper_factor
        column = column_of(learner, parameters or {})
        found = self.figures.get((READINGS.get(dataset, dataset), column or "", name), [])
        chosen = next((figure for figure in found if figure.table == table), found[0] if found else None)
        if chosen is None or factor == 1.0:
            return chosen
        return Figure(chosen.table, chosen.mean * factor, None if chosen.std is None else chosen.std * factor)

    def sizes_of(self, dataset: str) -> dict[str, tuple[int, int]]:
        """Return the rows and columns that the paper prints for a data set, by table."""
        return {table: size for (table, name), size in self.sizes.items() if name == dataset}

    def printed(self, table: str) -> list[tuple[str, str]]:
        """Return the (data set, learner) pairs of a table of the paper, under our names; none of others."""
        pairs = self.cells.get(table, {})
        return [
            (dataset, _AS_PUBLISHED.get(learner, learner)) for dataset, learner in pairs if dataset != AVERAGE
        ]


def _read_service(path: Path) -> dict[tuple[str, str, str], Figure]:
    """Return the figures of the authors' web service; none where the file is not there."""
    found: dict[tuple[str, str, str], Figure] = {}
    for row in _read_rows(path):
        dataset = _SERVICE_DATASETS.get(row["dataset"], row["dataset"])
        protocol = _SERVICE_SPLITS.format(str(row["split"] == "stratified").lower())
        for metric, figure in _of_row(row, SERVICE):
            found[dataset, protocol, metric] = figure
    return found


def _read_confold(path: Path) -> dict[tuple[str, str, str], Figure]:
    """Return the figures of the authors of CON-FOLD; none where the file is not there."""
    return {
        (row["dataset"], row["learner"], metric): figure
        for row in _read_rows(path)
        for metric, figure in _of_row(row, CONFOLD)
    }


def _read_rows(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _of_row(row: Mapping[str, str], table: str) -> Iterator[tuple[str, Figure]]:
    """Yield the metrics of a row that has a column for each."""
    for metric in ("accuracy", "rules"):
        if (mean := _number(row[f"{metric}_mean"])) is not None:
            yield metric, Figure(table, mean, _number(row.get(f"{metric}_std_ddof1", "")))


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
