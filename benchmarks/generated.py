"""Tables made by a recipe: numbers and text of several kinds, and a label by a rule with an exception.

A table is fixed by its kind and size. Each column has a random stream of its own, so that a table of fewer
rows or columns is a part of the larger one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import pandas as pd

SEED: Final = 2208
LABEL_STREAM: Final = 1_000_000  # no column has this number
NOISE: Final = 0.1  # share of the labels that the rule does not explain
LEAST_COLUMNS: Final = 5

Maker = Callable[[np.random.Generator, int], object]


def generate(kind: str, rows: int, columns: int) -> tuple[pd.DataFrame, pd.Series]:
    """Return a table and its labels.

    Parameters
    ----------
    kind : {"mixed", "numeric"}
        ``mixed``: the eight kinds of columns of `MIXED` in turn. ``numeric``: numbers all of which differ.
    rows : int, at least 1
    columns : int, at least 5
    """
    if kind not in ("mixed", "numeric"):
        raise ValueError(f"there is no kind {kind!r} of table; there are mixed and numeric")
    if rows < 1 or columns < LEAST_COLUMNS:
        raise ValueError(
            f"a table needs a row and {LEAST_COLUMNS} columns, not {rows} rows and {columns} columns"
        )
    makers = list(MIXED.items()) if kind == "mixed" else [("continuous", _continuous)]
    made = {}
    for i in range(columns):
        name, make = makers[i % len(makers)]
        made[f"{name}_{i}"] = make(_stream(i), rows)
    X = pd.DataFrame(made, copy=False)
    return X, _labels(kind, X)


def _stream(number: int) -> np.random.Generator:
    return np.random.default_rng([SEED, number])


def _labels(kind: str, X: pd.DataFrame) -> pd.Series:
    """Label by a rule over the first columns, then change some labels at random."""
    first = X.iloc[:, 0].to_numpy()
    if kind == "mixed":
        # yes: first =< 0.8, unless the text is t1 and the count is above 70
        exception = (X.iloc[:, 1] == "t1").to_numpy(dtype=bool) & (X.iloc[:, 4].to_numpy() > 70)
    else:
        exception = X.iloc[:, 1].to_numpy() > 1.5
    changed = _stream(LABEL_STREAM).random(len(X)) < NOISE
    positive = ((first <= 0.8) & ~exception) ^ changed
    return pd.Series(_texts(np.where(positive, 1, 0), ["no", "yes"]), name="label", copy=False)


def _texts(codes: np.ndarray, values: list[str]) -> pd.api.extensions.ExtensionArray:
    """Return text by the positions in a list, -1 for a missing one, in pandas' own text dtype."""
    return pd.array(values, dtype="str").take(codes, allow_fill=True)


def _text(n_values: int, missing: float = 0.0) -> Maker:
    """Return a maker of text columns, which has the first values more often than the last."""

    def make(rng: np.random.Generator, rows: int) -> object:
        drawn = rng.random((rows, 2))
        codes = (drawn[:, 0] ** 2 * n_values).astype(np.int64)
        codes[drawn[:, 1] < missing] = -1
        return _texts(codes, [f"t{i}" for i in range(n_values)])

    return make


def _continuous(rng: np.random.Generator, rows: int) -> object:
    return rng.standard_normal(rows)


def _skewed(rng: np.random.Generator, rows: int) -> object:
    """Amounts: many zeros, a long tail of whole numbers, some missing."""
    drawn = rng.random((rows, 2))
    amounts = np.floor(np.expm1(8 * drawn[:, 0]))
    amounts[drawn[:, 0] < 0.4] = 0
    amounts[drawn[:, 1] < 0.05] = np.nan
    return amounts


MIXED: Final[dict[str, Maker]] = {
    "continuous": _continuous,
    "text_of_6": _text(6),
    "rounded": lambda rng, rows: np.round(rng.standard_normal(rows), 2),
    "text_of_2": _text(2),
    "count": lambda rng, rows: (rng.random(rows) * 100).astype(np.int64),
    "text_of_30": _text(30, missing=0.05),
    "skewed": _skewed,
    "text_of_200": _text(200),
}
