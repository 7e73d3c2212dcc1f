"""Whether the splits of a data set lead to the same program."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from experiments.records import Dataset, FoldResult
from experiments.statuses import OK
from foldse import FoldSEClassifier, RuleSet, RuleSyntaxError, parse_rules, similarity

# So many rows, evenly spaced, tell how far apart two thresholds are, and how often two programs agree.
MOST_ROWS = 5000


@dataclass(frozen=True, slots=True)
class Stability:
    """How alike the programs of the splits are.

    Attributes
    ----------
    programs : int
        Splits with a program.
    distinct : int
        How many different programs they have, as text.
    columns, literals : float
        Mean Jaccard index of the columns and of the literals of two programs of the same repetition; NaN
        where programs are not rules in the notation of this library.
    agreement : float
        Mean share of the rows for which two programs of the same repetition say the same; NaN where programs
        or rows are not at hand.
    sizes : dict of str to tuple of float
        Mean, standard deviation (ddof=1), least and largest of ``rules`` and ``predicates``.
    """

    programs: int
    distinct: int
    columns: float
    literals: float
    agreement: float
    sizes: dict[str, tuple[float, float, float, float]]


def stability(
    results: Sequence[FoldResult], dataset: Dataset | None = None, tolerance: float = 0.05
) -> Stability:
    """Return how alike the programs of a run are.

    Parameters
    ----------
    results : sequence of FoldResult
    dataset : Dataset, optional
        The table: with it, thresholds are compared by ranks, and programs by what they predict.
    tolerance : float, default=0.05
        From 0 to 1: two thresholds of a column count as the same if at most this share of the column's values
        lies between them. Without the table they have to be the same number.

    Notes
    -----
    Two splits are compared only within a repetition, where their training rows overlap alike. The figures of
    a pair are those of `foldse.similarity`.
    """
    good = [result for result in results if result.status == OK and result.rules]
    texts = [result.rules.strip() for result in good]
    rows = None if dataset is None else _sample(dataset.X)
    parsed = _parsed(sorted(set(texts)), dataset, rows)
    return Stability(
        len(texts),
        len(set(texts)),
        *_means(good, parsed, rows, tolerance),
        {name: _spread(results, name) for name in ("rules", "predicates")},
    )


def _parsed(
    texts: Sequence[str], dataset: Dataset | None, rows: pd.DataFrame | None
) -> dict[str, RuleSet] | None:
    """Return the programs by their text; None where one is not in this library's notation."""
    try:
        if dataset is None or rows is None:
            return {text: parse_rules(text) for text in texts}
        known: dict[str, Any] = {"features": list(rows), "classes": list(dataset.classes)}
        reader = _reader(dataset, rows)
        return {text: replace(parse_rules(text, **known), reader=reader) for text in texts}
    except RuleSyntaxError:
        return None


def _reader(dataset: Dataset, rows: pd.DataFrame) -> Any:
    """Return how the rows are read: only a fitted classifier knows, whatever it has learned."""
    labels = np.arange(len(rows)) % 2
    roles: dict[str, Any] = {
        "numeric_features": list(dataset.numeric),
        "categorical_features": list(dataset.categorical),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that it has learned nothing
        return FoldSEClassifier(tail=0.5, **roles).fit(rows, labels).rules_.reader


def _means(
    results: Sequence[FoldResult],
    parsed: dict[str, RuleSet] | None,
    rows: pd.DataFrame | None,
    tolerance: float,
) -> tuple[float, float, float]:
    if parsed is None:
        return np.nan, np.nan, np.nan
    options: dict[str, Any] = {} if rows is None else {"X": rows, "tolerance": tolerance}
    same = (1.0, 1.0, np.nan if rows is None else 1.0)
    known: dict[tuple[str, str], tuple[float, float, float]] = {}
    pairs = []
    for a, b in combinations(results, 2):
        if a.repeat != b.repeat:
            continue
        first, second = sorted((a.rules.strip(), b.rules.strip()))
        if first == second:
            pairs.append(same)
            continue
        if (first, second) not in known:
            found = similarity(parsed[first], parsed[second], **options)
            agreed = np.nan if found.predictions is None else found.predictions
            known[first, second] = (found.columns, found.literals, agreed)
        pairs.append(known[first, second])
    if not pairs:
        return np.nan, np.nan, np.nan
    columns, literals, agreement = np.mean(pairs, axis=0).tolist()
    return columns, literals, agreement


def _sample(X: pd.DataFrame) -> pd.DataFrame:
    places = np.unique(np.linspace(0, len(X) - 1, min(len(X), MOST_ROWS)).astype(int))
    return X.iloc[places].reset_index(drop=True)


def _spread(results: Sequence[FoldResult], name: str) -> tuple[float, float, float, float]:
    values = np.array([result.metrics[name] for result in results if name in result.metrics])
    if not len(values):
        return np.nan, np.nan, np.nan, np.nan
    deviation = float(values.std(ddof=1)) if len(values) > 1 else np.nan
    return float(values.mean()), deviation, float(values.min()), float(values.max())
