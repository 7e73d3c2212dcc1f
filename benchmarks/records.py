"""The records that the parts of the benchmark pass on: a case to be run, a row of results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

OK = "ok"
OVER_LIMIT = "over the limit"
FAILED = "failed"
SKIPPED = "skipped"  # by rule: the contender's sizes are capped
MISSING = "missing"  # a data file or a package that is not at hand
STOPPED = "stopped"  # its process was ended by someone else
AGAIN = (MISSING, STOPPED)  # what the next run tries again


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to measure, in a process of its own.

    Attributes
    ----------
    benchmark : str
        A key of `benchmarks.measures.MEASURES`.
    table : str
        Name of a table, see `benchmarks.tables.load`; empty where there is none.
    contender : str
        Who is measured; a key of `benchmarks.contenders.CONTENDERS`.
    baseline : str
        What ratios are to: another contender, or, as the benchmark says, a smaller table or a pass over
        the codes.
    """

    benchmark: str
    table: str
    contender: str
    baseline: str


@dataclass(frozen=True, slots=True)
class Row:
    """One line of results.csv: a measure of the contender, of the baseline, and their ratio.

    Attributes
    ----------
    benchmark, table, contender, baseline : str
        As in `Case`.
    rows, columns : int
        Size of the table, the label not counted.
    measure : str
        Such as ``fit`` or ``predict``.
    unit : str
        Of median, min and max: ``s``, ``MB`` or ``share``.
    median, min, max : float or None
        Of the contender, over `n` repeats.
    baseline_median, baseline_min, baseline_max : float or None
        Of the baseline, over the same repeats.
    ratio, ratio_min, ratio_max : float or None
        Median and extremes of contender / baseline, taken pair by pair.
    n : int
        Number of pairs.
    other_work : float or None
        Share of the machine's processors that other programs used meanwhile; None if not known.
    status : str
        ``ok``, or why there are no figures.
    note : str
        More about the status.
    """

    benchmark: str
    table: str
    rows: int
    columns: int
    contender: str
    baseline: str
    measure: str
    unit: str = ""
    median: float | None = None
    min: float | None = None
    max: float | None = None
    baseline_median: float | None = None
    baseline_min: float | None = None
    baseline_max: float | None = None
    ratio: float | None = None
    ratio_min: float | None = None
    ratio_max: float | None = None
    n: int = 0
    other_work: float | None = None
    status: str = OK
    note: str = ""

    @classmethod
    def without_figures(
        cls, case: Case, measure: str, status: str, note: str, shape: tuple[int, int] = (0, 0)
    ) -> Self:
        """Return the row of a case, or a part of it, that gave no figures."""
        return cls(
            case.benchmark,
            case.table,
            *shape,
            case.contender,
            case.baseline,
            measure,
            status=status,
            note=note,
        )

    @property
    def case(self) -> Case:
        """The case that the row is of."""
        return Case(self.benchmark, self.table, self.contender, self.baseline)

    def to_text(self) -> dict[str, str]:
        """Return the fields as a CSV file holds them, figures to six digits."""
        return {name: _text(value) for name, value in asdict(self).items()}

    @classmethod
    def from_text(cls, texts: dict[str, str]) -> Self:
        """Read what `to_text` wrote.

        Raises
        ------
        ValueError, KeyError
            If a field is absent or no number, as in a line that was cut off.
        """
        values: dict[str, Any] = {}
        for field in fields(cls):
            text = texts[field.name]
            if text is None:
                raise ValueError(f"no field {field.name}")
            kind = str(field.type)
            if kind == "int":
                values[field.name] = int(text)
            elif kind == "float | None":
                values[field.name] = float(text) if text else None
            else:
                values[field.name] = text
        return cls(**values)


@dataclass(frozen=True, slots=True)
class Report:
    """How a measure tells what it does and finds, while it runs.

    Attributes
    ----------
    stage : callable
        Called with the name of what is begun: what a row is named by if it does not end in time.
    row : callable
        Called with each finished row.
    """

    stage: Callable[[str], None]
    row: Callable[[Row], None]


def _text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
