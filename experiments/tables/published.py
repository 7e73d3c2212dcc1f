"""The figures that the paper prints, by data set, learner and metric.

``python -m experiments.tables.published audit`` lists what in them does not follow from the paper's own rows.
"""

from __future__ import annotations

import csv
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from hydra.errors import HydraException

from experiments.metrics import METRICS, metric_of

# In the tables of two classes the published XGBoost and MLP one-hot encoded every column, numbers too: a
# setting of its own. Used well, they have no published counterpart there.
_PUBLISHED_AS = {
    "xgboost_paper": "xgboost",
    "xgboost_paper_dense": "xgboost",
    "mlp_paper": "mlp",
    "foldrm_keep_wrong": "foldrm",
    # The score as the paper prints it, for the ablation of heuristics.
    "foldrpp_gini_printed": "foldrpp_mgi",
    "tree_gini_printed": "tree_mgi",
}
# Settings of FOLD-SE that an ablation names, such as foldse_tail_0.01: they are held to its column.
_VARIANTS = "foldse_"
# Another reading of a data set is held to the same figures.
READINGS = {"breast_w_numeric": "breast_w"}
AVERAGE = "average"
_USED_WELL = ("xgboost", "mlp")
# Where most published figures are those of learners used well, both settings stand beside them.
BOTH_SETTINGS = {
    "multiclass": "The published XGBoost and MLP stand beside both settings: most are those of learners used "
    "well, ecoli's are one-hot encoded, numbers too (docs/reproduction.md)."
}

_COLUMNS = ["table", "dataset", "rows", "cols", "learner", "metric", "mean", "std"]


def is_variant(learner: str) -> bool:
    """Tell whether a learner is a setting of FOLD-SE that an ablation names."""
    return learner.startswith(_VARIANTS)


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
    """

    def __init__(
        self,
        figures: dict[tuple[str, str, str], list[Figure]],
        sizes: dict[tuple[str, str], tuple[int, int]] | None = None,
        cells: dict[str, dict[tuple[str, str], None]] | None = None,
    ) -> None:
        self.figures = figures
        self.sizes = sizes or {}
        self.cells = cells or {}

    @classmethod
    def read(cls, path: Path | str) -> Self:
        """Read the tidy file ``results/published/results.csv``.

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
        return cls(figures, sizes, cells)

    def lookup(self, dataset: str, learner: str, metric: str, table: str = "") -> Figure | None:
        """Return the figure to compare a measured one with, in our units; None where there is none.

        Parameters
        ----------
        dataset, learner, metric : str
            Our names.
        table : str
            The paper's table that is preferred; otherwise the first that has the figure is taken.
        """
        if learner in _USED_WELL and table not in BOTH_SETTINGS:
            return None
        name, factor = metric_of(metric).published_as, metric_of(metric).paper_factor
        column = "foldse" if is_variant(learner) else _PUBLISHED_AS.get(learner, learner)
        found = self.figures.get((READINGS.get(dataset, dataset), column, name), [])
        chosen = next((figure for figure in found if figure.table == table), found[0] if found else None)
        if chosen is None or factor == 1.0:
            return chosen
        return Figure(chosen.table, chosen.mean * factor, None if chosen.std is None else chosen.std * factor)

    def sizes_of(self, dataset: str) -> dict[str, tuple[int, int]]:
        """Return the rows and columns that the paper prints for a data set, by table."""
        return {table: size for (table, name), size in self.sizes.items() if name == dataset}

    def printed(self, table: str) -> list[tuple[str, str]]:
        """Return the (data set, learner) pairs of a table of the paper, under our names; none of others."""
        ours = {"xgboost": "xgboost_paper", "mlp": "mlp_paper"}
        pairs = self.cells.get(table, {})
        return [(dataset, ours.get(learner, learner)) for dataset, learner in pairs if dataset != AVERAGE]


@dataclass(frozen=True, slots=True)
class WrongAverage:
    """A printed average that its table's rows do not give, neither rounded nor cut off."""

    table: str
    learner: str
    metric: str
    printed: float
    recomputed: float
    rows: int


_LAST_PLACE = {metric.published_as: metric.last_place for metric in METRICS.values()}


def wrong_averages(published: Published) -> list[WrongAverage]:
    """Return the printed averages that do not follow from the paper's rows, its NA left out."""
    found = []
    by_table: dict[tuple[str, str, str], dict[str, float]] = {}
    for (dataset, learner, metric), figures in published.figures.items():
        for figure in figures:
            by_table.setdefault((figure.table, learner, metric), {})[dataset] = figure.mean
    for (table, learner, metric), means in by_table.items():
        printed = means.pop(AVERAGE, None)
        if printed is None or not means:
            continue
        mean, unit = math.fsum(means.values()) / len(means), _LAST_PLACE[metric]
        places = printed / unit
        rounded, cut = math.floor(mean / unit + 0.5 + 1e-9), math.floor(mean / unit + 1e-9)
        if round(places) not in (rounded, cut):
            found.append(WrongAverage(table, learner, metric, printed, mean, len(means)))
    order = list(published.cells)
    return sorted(found, key=lambda wrong: order.index(wrong.table))


def disagreements(published: Published) -> list[str]:
    """Return, a line each, where two tables of the paper print different sizes or figures."""
    lines = []
    for place, what in enumerate(("rows", "columns")):
        by_dataset: dict[str, dict[int, list[str]]] = {}
        for (table, dataset), size in published.sizes.items():
            if dataset != AVERAGE:
                by_dataset.setdefault(dataset, {}).setdefault(size[place], []).append(table)
        lines += [
            f"{dataset}: {what} " + "; ".join(f"{n} in {', '.join(tables)}" for n, tables in sizes.items())
            for dataset, sizes in by_dataset.items()
            if len(sizes) > 1
        ]
    for (dataset, learner, metric), figures in published.figures.items():
        if dataset != AVERAGE and len({figure.mean for figure in figures}) > 1:
            said = "; ".join(f"{figure.mean:g} in {figure.table}" for figure in figures)
            lines.append(f"{dataset}: {metric} of {learner} {said}")
    for table in published.cells:
        sizes_here = [
            size for (t, dataset), size in published.sizes.items() if t == table and dataset != AVERAGE
        ]
        printed = published.sizes.get((table, AVERAGE))
        if printed is None:
            continue
        for place, what in enumerate(("rows", "columns")):
            mean = sum(size[place] for size in sizes_here) / len(sizes_here)
            if printed[place] not in (math.floor(mean), math.floor(mean + 0.5)):
                lines.append(
                    f"{table}: average of the {what} {printed[place]} printed, {mean:.1f} recomputed"
                )
    return lines


def audit(published: Published) -> str:
    """Return what does not follow from the paper's own rows, as text."""
    wrong = wrong_averages(published)
    lines = [f"{len(wrong)} printed averages do not follow from the rows of their table:"]
    for w in wrong:
        printed, recomputed = (
            (f"{w.printed:.0f}", f"{w.recomputed:.0f}")
            if w.metric == "train_ms"
            else (f"{w.printed:g}", f"{w.recomputed:.4g}")
        )
        lines.append(
            f"  {w.table}: {w.metric} of {w.learner}: {printed} printed, {recomputed} from {w.rows} rows"
        )
    lines += ["The tables disagree, or their sizes do not follow:"]
    lines += [f"  {line}" for line in disagreements(published)]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the audit; return the exit code."""
    from experiments.config import compose
    from experiments.console import out, say_error

    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] != ["audit"]:
        say_error("usage: python -m experiments.tables.published audit [paths.published=<file>]")
        return 2
    try:
        published = Published.read(compose(given[1:]).paths.published)
    except (PublishedError, HydraException) as error:
        say_error(str(error))
        return 1
    out().print(audit(published), markup=False, soft_wrap=True)
    return 0


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


if __name__ == "__main__":
    sys.exit(main())
