"""How long it takes until a program is ready: import, and the first fit."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import Final

from benchmarks.measures import common
from benchmarks.measures.pairing import repeated, summarise
from benchmarks.records import Case, Row
from benchmarks.settings import Settings

# What a user of each contender imports.
IMPORTS: Final = {
    "foldse": "from foldse import FoldSEClassifier",
    "foldse_package": "import foldse",
    "xgboost": "from xgboost import XGBClassifier",
    "lightgbm": "from lightgbm import LGBMClassifier",
    "sklearn_tree": "from sklearn.tree import DecisionTreeClassifier",
    "ripper": "from wittgenstein import RIPPER",
}
FRESH: Final = "foldse_fresh"  # foldse with an empty cache of kernels
PACKAGE: Final = "foldse_package"  # foldse without the classifiers, which import scikit-learn and pandas

PROGRAM: Final = """
import json, sys, time
start = time.perf_counter()
{statement}
imported = time.perf_counter() - start
first = 0.0
if {fit}:
    import pandas as pd
    X = pd.DataFrame({{"n": [i * 0.37 % 1 for i in range(500)], "c": ["ab"[i % 2] for i in range(500)]}})
    y = pd.Series(["yes" if (i * 0.37 % 1 < 0.6) ^ (i % 7 == 0) else "no" for i in range(500)])
    start = time.perf_counter()
    FoldSEClassifier().fit(X, y).predict(X)
    first = time.perf_counter() - start
print(json.dumps([imported, first]))
"""


def measure(case: Case, settings: Settings) -> Iterator[str | Row]:
    """Measure ``import``, and with ``foldse_fresh`` the ``first_fit``: one process for each figure.

    The baseline is foldse with its kernels cached on disk. The files themselves are in the system's cache.
    """
    if case.contender not in (FRESH, PACKAGE):
        common.contender(case.contender, settings)
    firsts: list[tuple[float, float]] = []

    def fresh() -> tuple[float, float]:
        with tempfile.TemporaryDirectory() as cache:
            own = _start("foldse", fit=True, NUMBA_CACHE_DIR=cache)
            _start("foldse", fit=True, NUMBA_CACHE_DIR=cache, FOLDSE_INTERPRETED_CELLS="0")
            cached = _start("foldse", fit=True, NUMBA_CACHE_DIR=cache)
        firsts.append((cached[1], own[1]))
        return cached[0], own[0]

    def other() -> tuple[float, float]:
        return _start("foldse")[0], _start(case.contender)[0]

    yield "import"
    pairs = repeated(fresh if case.contender == FRESH else other, settings.process_rounds)
    yield summarise(case, (0, 0), "import", pairs)
    if firsts:
        yield summarise(case, (0, 0), "first_fit", firsts)


def _start(name: str, fit: bool = False, **environment: str) -> tuple[float, float]:
    """Return the seconds of an import, and of a first fit and predict, in a new process."""
    program = PROGRAM.format(statement=IMPORTS[name], fit=fit)
    imported, first = common.in_new_process("-c", program, **environment)
    return imported, first
