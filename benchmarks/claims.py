"""What the project sets itself to reach, beside what was measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from benchmarks.plan import mixed
from benchmarks.records import OK, Row
from benchmarks.results import Results
from benchmarks.tables import REAL

Figure = Callable[[Row], float | None]


@dataclass(frozen=True, slots=True)
class Claim:
    """A bound on one figure of some rows.

    Attributes
    ----------
    text : str
    rows : tuple of (benchmark, table, contender, baseline, measure)
        All have to keep the bound.
    bound : float
    at_least : bool
        Whether the figure has to be at least the bound; otherwise at most.
    figure : callable
        What is compared; the median ratio by default.
    unit : str
        Printed after the figures; ``x`` for ratios.
    """

    text: str
    rows: tuple[tuple[str, str, str, str, str], ...]
    bound: float
    at_least: bool
    figure: Figure = lambda row: row.ratio
    unit: str = "x"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A claim and its figures: one for each of its rows, None where it was not measured."""

    claim: Claim
    figures: tuple[float | None, ...]

    @property
    def holds(self) -> bool | None:
        """Whether every figure keeps the bound; None where all that there are do, but not all are there."""
        known = [figure for figure in self.figures if figure is not None]
        kept = min(known) >= self.claim.bound if self.claim.at_least else max(known) <= self.claim.bound
        return (None if len(known) < len(self.figures) else True) if kept else False


CLAIMS: Final = (
    Claim(
        "fit on the raw frame at least 10 times faster than XGBoost, on adult, credit_card, intention, eeg, "
        "rain",
        tuple(("compare", table, "xgboost", "foldse", "fit") for table in REAL),
        10,
        at_least=True,
    ),
    Claim(
        "FOLD-R++ fits adult at least 50 times faster than its authors' package",
        (("compare", "adult", "foldrpp_authors", "foldrpp", "fit"),),
        50,
        at_least=True,
    ),
    Claim(
        "and predicts the same",
        (("compare", "adult", "foldrpp_authors", "foldrpp", "same_predictions"),),
        1,
        at_least=True,
        unit=" of the rows",
    ),
    Claim(
        "fit on 4 million rows takes at most 4.4 times as long as on 1 million",
        (("growth", mixed(4_000_000), "foldse", mixed(1_000_000), "fit"),),
        4.4,
        at_least=False,
    ),
    Claim(
        "learning takes at most 3 times as long as one pass over the codes, on adult and rain",
        tuple(("roofline", table, "foldse", "pass", "learn") for table in ("adult", "rain")),
        3,
        at_least=False,
    ),
    Claim(
        "predict on 1 million rows at least 10 times faster than XGBoost",
        (("compare", mixed(1_000_000), "xgboost", "foldse", "predict"),),
        10,
        at_least=True,
    ),
    Claim(
        "fit on credit_card takes at most 53 MB beyond what was in use",
        (("memory", "credit_card", "foldse", "codes", "peak"),),
        53,
        at_least=False,
        figure=lambda row: row.median,
        unit=" MB",
    ),
    Claim(
        "fit on 10 million rows takes at most 1.5 times the memory of their codes",
        (("memory", mixed(10_000_000), "foldse", "codes", "peak"),),
        1.5,
        at_least=False,
    ),
    Claim(
        "import foldse takes less than 1 s",
        (("startup", "", "foldse_package", "foldse", "import"),),
        1,
        at_least=False,
        figure=lambda row: row.median,
        unit=" s",
    ),
)


def judge(results: Results) -> list[Verdict]:
    """Return each claim with its figures, those without any left out."""
    verdicts = []
    for claim in CLAIMS:
        rows = [results.find(*key) for key in claim.rows]
        figures = tuple(claim.figure(row) if row is not None and row.status == OK else None for row in rows)
        if any(figure is not None for figure in figures):
            verdicts.append(Verdict(claim, figures))
    return verdicts
