"""Which cases a run has, in their order: small and telling ones first, the largest tables last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from benchmarks.records import Case
from benchmarks.tables import REAL

PARKINSON: Final = "numeric_756x753"  # the shape of that data set, whose file could not be had
COLUMNS: Final = 24  # of the tables whose rows grow
ROWS: Final = 100_000  # of the tables whose columns grow

OTHERS: Final = ("xgboost", "lightgbm", "sklearn_tree", "ripper", "foldrpp_authors")
CONVERTED: Final = ("xgboost_converted", "sklearn_tree_converted")
PASSES: Final = ("pass", "plain_loop")  # see benchmarks.measures.roofline


def mixed(rows: int, columns: int = COLUMNS) -> str:
    """Return the name of a generated table."""
    return f"mixed_{rows}x{columns}"


def plan(quick: bool, only: Sequence[str] = ()) -> list[Case]:
    """Return the cases of the quick or the full run.

    Parameters
    ----------
    quick : bool
    only : sequence of str
        Where there are any: keeps the cases that have one of these as benchmark, table, contender or
        baseline; ``adult+xgboost`` asks for both.
    """
    cases = list(dict.fromkeys(_quick() if quick else _full()))
    if not only:
        return cases
    return [
        case
        for case in cases
        if any(
            {case.benchmark, case.table, case.contender, case.baseline}.issuperset(names.split("+"))
            for names in only
        )
    ]


def _compare(table: str, baseline: str, contenders: Iterable[str]) -> list[Case]:
    return [Case("compare", table, contender, baseline) for contender in contenders]


def _full() -> list[Case]:
    cases = [
        Case("startup", "", name, "foldse")
        for name in ("foldse_package", "foldse_fresh", "xgboost", "lightgbm", "sklearn_tree", "ripper")
    ]
    cases += [Case("roofline", name, "foldse", baseline) for name in REAL for baseline in PASSES]
    for name in (*REAL, PARKINSON):
        cases += _compare(name, "foldse", ("foldrpp", *OTHERS, *CONVERTED))
        # On parkinson's shape RIPPER takes longer than the limit: once is enough.
        cases += _compare(
            name, "foldrpp", OTHERS if name in REAL else ("xgboost", "lightgbm", "foldrpp_authors")
        )
    for columns in (10, 30, 100, 300, 1000):
        cases += _compare(mixed(ROWS, columns), "foldse", ("foldrpp", "xgboost", "lightgbm", "sklearn_tree"))
    for rows in (10_000, 100_000, 1_000_000, 4_000_000, 10_000_000):
        name = mixed(rows)
        cases += [Case("roofline", name, "foldse", baseline) for baseline in PASSES]
        cases += _compare(name, "foldse", ("xgboost", "lightgbm"))
        if rows <= 1_000_000:
            cases += _compare(name, "foldse", ("foldrpp", "sklearn_tree", "ripper", "foldrpp_authors"))
            cases += _compare(name, "foldrpp", ("xgboost", "foldrpp_authors"))
    cases += [
        Case("growth", mixed(4 * rows), contender, mixed(rows))
        for contender in ("foldse", "foldrpp")
        for rows in (250_000, 1_000_000)
    ]
    for name in ("credit_card", "adult", "rain", PARKINSON, mixed(1_000_000), mixed(10_000_000)):
        cases.append(Case("memory", name, "foldse", "codes"))
        others = ("xgboost", "lightgbm", "sklearn_tree", "foldrpp")
        cases += [
            Case("memory", name, other, "foldse")
            for other in (others if name != mixed(10_000_000) else others[:2])
        ]
    return cases


def _quick() -> list[Case]:
    cases = [Case("startup", "", name, "foldse") for name in ("foldse_package", "xgboost")]
    for name in REAL:
        cases.append(Case("roofline", name, "foldse", "pass"))
        cases += _compare(name, "foldse", ("xgboost", "lightgbm", "foldrpp"))
        if name != "rain":  # where the tree takes ten seconds
            cases += _compare(name, "foldse", ("sklearn_tree",))
    cases += _compare("adult", "foldse", ("xgboost_converted",))
    cases += _compare("adult", "foldrpp", ("foldrpp_authors",))
    cases += _compare("intention", "foldse", ("ripper",))
    cases += _compare(PARKINSON, "foldse", ("xgboost", "lightgbm"))
    for columns in (10, 100, 300):
        cases += _compare(mixed(1_000, columns), "foldse", ("xgboost",))
    for rows in (10_000, 100_000, 1_000_000):
        cases += _compare(mixed(rows), "foldse", ("lightgbm",))
        if rows < 1_000_000:  # where XGBoost takes half a minute
            cases += _compare(mixed(rows), "foldse", ("xgboost",))
    cases.append(Case("growth", mixed(1_000_000), "foldse", mixed(250_000)))
    cases.append(Case("memory", "credit_card", "foldse", "codes"))
    cases.append(Case("memory", "credit_card", "xgboost", "foldse"))
    # Cases of one table share a process: put them together.
    order = {case.table: position for position, case in reversed(list(enumerate(cases)))}
    return sorted(cases, key=lambda case: order[case.table])
