"""Every metric of a run: its name, heading, unit, decimals, and where it is shown, each written once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Metric:
    """What is known of a metric.

    Attributes
    ----------
    id : str
        Its name in the store, in CSV files and in `FoldResult.metrics`.
    heading : str
        Its name in tables and at axes.
    unit : str
        What is shown behind the heading; empty for a count or a share.
    factor : float
        From the stored unit to the one shown.
    decimals, printed : int
        Decimals of a measured figure in tables, and of a published one.
    better : str
        ``"high"`` or ``"low"``; empty where neither is.
    tolerance : float or None
        How far a mean may be from the published one to agree with it; None where agreement is not counted.
    is_time : bool
        Whether it is a time: those of different machines are shown, never compared.
    family : str
        The group of columns that it belongs to in a table; empty where tables leave it to their CSV.
    summary : bool
        Whether the summary of a sweep on screen shows it.
    paper : str
        Its name in the paper's figures, where that is another; `paper_factor` leads to our unit.
    """

    id: str
    heading: str
    unit: str = ""
    factor: float = 1.0
    decimals: int = 3
    printed: int = 2
    better: str = ""
    tolerance: float | None = None
    is_time: bool = False
    family: str = ""
    summary: bool = False
    paper: str = ""
    paper_factor: float = 1.0

    @property
    def name(self) -> str:
        """Heading and unit."""
        return f"{self.heading}, {self.unit}" if self.unit else self.heading

    @property
    def short(self) -> str:
        """The heading without what stands in brackets."""
        return self.heading.split(" (")[0]

    @property
    def published_as(self) -> str:
        """Its name in the paper's figures."""
        return self.paper or self.id

    @property
    def last_place(self) -> float:
        """The unit of the last place that the paper prints."""
        return 10.0**-self.printed

    def text(self, value: float, published: bool = False) -> str:
        """Return a figure as tables show it; `value` is in the stored unit."""
        return f"{value * self.factor:.{self.printed if published else self.decimals}f}"


_SCORE = "Prediction"
_SIZE = "Model size"
_TIME = "Time"

# In the order of tables. Those without a family are in the CSV alone: all at once would be no table to read.
METRICS: Final = {
    metric.id: metric
    for metric in (
        Metric("accuracy", "accuracy", better="high", tolerance=0.02, family=_SCORE, summary=True),
        Metric("precision", "precision", better="high"),
        Metric("recall", "recall", better="high"),
        Metric("f1", "F1", better="high", family=_SCORE, summary=True),
        Metric("inverse_brier", "inverse Brier score", better="high", family=_SCORE),
        Metric("no_label", "rows without a label", better="low", family=_SCORE),
        Metric("rules", "rules", "", 1, 1, 1, "low", 1.0, family=_SIZE, summary=True),
        Metric("predicates", "predicates", "", 1, 1, 1, "low", 3.0, family=_SIZE, summary=True),
        Metric("predicates_distinct", "distinct predicates", "", 1, 1, 1, "low"),
        Metric("rules_raw", "rules before simplification", "", 1, 1, 1, "low"),
        Metric("rules_simplified", "rules after simplification", "", 1, 1, 1, "low"),
        Metric("nodes", "nodes (leaves; the paper's term)", "", 1, 1, 1, "low", family=_SIZE, summary=True),
        Metric("depth", "mean leaf depth", "", 1, 1, 1, "low", family=_SIZE, summary=True),
        Metric(
            "fit_seconds", "fit", "ms", 1000, 0, 0, "low", is_time=True, family=_TIME, summary=True,
            paper="train_ms", paper_factor=0.001,
        ),
        Metric("predict_seconds", "predict", "ms", 1000, 1, 0, "low", is_time=True),
        Metric("peak_memory_mb", "peak memory", "MB", 1, 1, 0, "low"),
    )
}  # fmt: skip
TIMES: Final = tuple(metric.id for metric in METRICS.values() if metric.is_time)
SHOWN: Final = tuple(metric for metric in METRICS.values() if metric.family)


def metric_of(name: str) -> Metric:
    """Return what is known of a metric; of one that only a learner knows, its name."""
    return METRICS.get(name) or Metric(name, name.replace("_", " "))


def ordered(names: Iterable[str]) -> list[str]:
    """Return names of metrics, each once: the known ones in the order of tables, then the others sorted."""
    there = set(names)
    return [name for name in METRICS if name in there] + sorted(there - set(METRICS))
