"""The targets of the project, beside what was measured."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from benchmarks.plan import mixed
from benchmarks.records import OK
from benchmarks.report.results import Results
from benchmarks.tables import REAL


@dataclass(frozen=True, slots=True)
class Claim:
    """A bound on one figure of some rows.

    Attributes
    ----------
    text : str
    rows : tuple of (benchmark, table, contender, baseline, measure)
        Each has to keep the bound.
    at_least, at_most : float
        The bound; the other one is left at 0 or infinity.
    figure : str
        Field of the row that is compared.
    unit : str
        Printed after the figures; ``x`` for ratios.
    """

    text: str
    rows: tuple[tuple[str, str, str, str, str], ...]
    at_least: float = 0.0
    at_most: float = math.inf
    figure: str = "ratio"
    unit: str = "x"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A claim and its figures: one for each of its rows, None where it was not measured."""

    claim: Claim
    figures: tuple[float | None, ...]

    @property
    def holds(self) -> bool | None:
        """Whether every figure keeps the bound; None if those that exist do but some are missing."""
        known = [figure for figure in self.figures if figure is not None]
        if not all(self.claim.at_least <= figure <= self.claim.at_most for figure in known):
            return False
        return True if len(known) == len(self.figures) else None


CLAIMS: Final = (
    Claim(
        f"fit on the raw frame is at least 10 times as fast as XGBoost on {', '.join(REAL)}",
        tuple(("compare", table, "xgboost", "foldse", "fit") for table in REAL),
        at_least=10,
    ),
    Claim(
        "FOLD-R++ fits adult at least 50 times as fast as its authors' package",
        (("compare", "adult", "foldrpp_authors", "foldrpp", "fit"),),
        at_least=50,
    ),
    Claim(
        "FOLD-R++ predicts the same as its authors' package on adult",
        (("compare", "adult", "foldrpp_authors", "foldrpp", "same_predictions"),),
        at_least=1,
        unit=" of the rows",
    ),
    Claim(
        "fit on 4 million rows takes at most 4.4 times as long as on 1 million",
        (("growth", mixed(4_000_000), "foldse", mixed(1_000_000), "fit"),),
        at_most=4.4,
    ),
    Claim(
        "learning takes at most 3 times as long as one pass over the codes, on adult and rain",
        tuple(("roofline", table, "foldse", "pass", "learn") for table in ("adult", "rain")),
        at_most=3,
    ),
    Claim(
        "predict on 1 million rows is at least 10 times as fast as XGBoost",
        (("compare", mixed(1_000_000), "xgboost", "foldse", "predict"),),
        at_least=10,
    ),
    Claim(
        "fit on credit_card takes at most 53 MB beyond what was in use",
        (("memory", "credit_card", "foldse", "codes", "peak"),),
        at_most=53,
        figure="median",
        unit=" MB",
    ),
    Claim(
        "fit on 10 million rows takes at most 1.5 times the memory of their codes",
        (("memory", mixed(10_000_000), "foldse", "codes", "peak"),),
        at_most=1.5,
    ),
    Claim(
        "`import foldse` takes at most 1 s",
        (("startup", "", "foldse_package", "foldse", "import"),),
        at_most=1,
        figure="median",
        unit=" s",
    ),
)


def judge(results: Results) -> list[Verdict]:
    """Return each claim with its figures, without those that were not measured at all."""
    verdicts = []
    for claim in CLAIMS:
        rows = [results.find(*key) for key in claim.rows]
        figures = tuple(getattr(row, claim.figure) if row and row.status == OK else None for row in rows)
        if any(figure is not None for figure in figures):
            verdicts.append(Verdict(claim, figures))
    return verdicts
