"""Rules as data: what each rule and exception of a program covers, as the rows of a frame."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from foldse.model.confidence import Confidence
from foldse.model.lines import ProgramLine
from foldse.model.rule import CalledRule, Table, literal_holds

__all__ = ["DEFAULT", "Coverage", "Firing", "coverage_of_training", "coverage_on", "firing", "rules_frame"]

DEFAULT = -1  # in the place of a rule


class Firing(NamedTuple):
    """Where a rule or an exception fires.

    Attributes
    ----------
    place : int
        Its position in the walk of the program; -1 for the default.
    fires : numpy.ndarray of bool, shape (n_rows,)
        The rows on which its body holds and none of its exceptions fires, whatever other rules do.
    decides : numpy.ndarray of bool, shape (n_rows,)
        Of these the rows that no earlier rule decides and, for an exception, on which the bodies above it
        hold: what it withholds from the rule, or the exception, that calls it.
    """

    place: int
    fires: np.ndarray
    decides: np.ndarray


def firing(parts: Sequence[CalledRule], table: Table) -> Iterator[Firing]:
    """Yield where each part of a program fires: each rule, its exceptions after it, and last the default.

    Parameters
    ----------
    parts : sequence of CalledRule
        As `RuleSet.walk` yields them.
    table : Table

    Yields
    ------
    Firing
    """
    exceptions = {part.name: place for place, part in enumerate(parts) if part.depth}
    below = [[exceptions[name] for name in part.exceptions] for part in parts]
    reached = np.ones(table.n_rows, dtype=bool)
    for rule in range(sum(part.depth == 0 for part in parts)):
        tree = [rule]  # outer ones first; no recursion, since exceptions may be hundreds deep
        for place in tree:
            tree += below[place]
        bodies: dict[int, np.ndarray] = {}
        fires: dict[int, np.ndarray] = {}
        for place in reversed(tree):
            body = np.ones(table.n_rows, dtype=bool)
            for literal in parts[place].rule.body:
                body &= literal_holds(literal, table)
            bodies[place], fires[place] = body, body.copy()
            for exception in below[place]:
                fires[place] &= ~fires[exception]
        within = {rule: reached}
        for place in tree:
            within |= dict.fromkeys(below[place], within[place] & bodies[place])
            yield Firing(place, fires[place], within[place] & fires[place])
        reached = reached & ~fires[rule]
    yield Firing(DEFAULT, reached, reached)


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the parts of a program cover; the last one is the default.

    Attributes
    ----------
    covered : numpy.ndarray of float64, shape (n_parts,)
        Weight of the rows that each decides or withholds; NaN where that is not known.
    support : numpy.ndarray of float64, shape (n_parts, n_classes)
        The same by label.
    total : float
        Weight of all rows.
    of_classes : numpy.ndarray of float64, shape (n_classes,)
        Weight of all rows of each label.
    """

    covered: np.ndarray
    support: np.ndarray
    total: float
    of_classes: np.ndarray


def coverage_of_training(
    parts: Sequence[CalledRule], default_support: tuple[float, ...], n_classes: int
) -> Coverage:
    """Return what a program covered when it was learned; NaN of parts that were not learned."""
    supports = [*(part.rule.support for part in parts), default_support]
    support = np.array([known or (math.nan,) * n_classes for known in supports], dtype=np.float64)
    decides = [part.depth == 0 for part in parts] + [True]
    of_classes = support[decides].sum(axis=0)
    return Coverage(support.sum(axis=1), support, float(of_classes.sum()), of_classes)


def coverage_on(
    parts: Sequence[CalledRule], table: Table, classes: Sequence[Any], y: Any, sample_weight: Any
) -> Coverage:
    """Return what a program covers of a table.

    Parameters
    ----------
    parts : sequence of CalledRule
    table : Table
    classes : sequence
        The labels of the model.
    y : array-like of shape (n_rows,), or None
        Without labels, what depends on them is NaN.
    sample_weight : array-like of shape (n_rows,), or None

    Returns
    -------
    Coverage

    Raises
    ------
    ValueError
        If there are not as many labels or weights as rows, a label is missing or none of the model's, or a
        weight is negative or not finite.
    """
    labels = None if y is None else _label_positions(y, classes, table.n_rows)
    weights = _weights(sample_weight, table.n_rows)
    n_classes = len(classes)

    def by_label(rows: np.ndarray | slice) -> np.ndarray:
        if labels is None:
            return np.full(n_classes, np.nan)
        return np.bincount(labels[rows], weights[rows], minlength=n_classes)

    covered = np.zeros(len(parts) + 1)
    support = np.zeros((len(parts) + 1, n_classes))
    for place, _, decides in firing(parts, table):  # the default, -1, is the last one here, too
        covered[place], support[place] = weights[decides].sum(), by_label(decides)
    return Coverage(covered, support, float(weights.sum()), by_label(slice(None)))


def _label_positions(y: Any, classes: Sequence[Any], n_rows: int) -> np.ndarray:
    """Return the position of each label among those of the model."""
    values = np.asarray(y, dtype=object)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {values.shape} instead.")
    if len(values) != n_rows:
        raise ValueError(f"X has {n_rows} rows and y has {len(values)}; they must be the same")
    codes, found = pd.factorize(values)
    if (codes < 0).any():
        raise ValueError(
            f"y has {(codes < 0).sum()} missing values, the first in row {np.argmax(codes < 0)}; "
            "drop or label these rows"
        )
    known = {label: place for place, label in enumerate(classes)}
    for label in found:
        if label not in known:
            raise ValueError(
                f"y holds {label!r}, which is not a label of the model; its labels are "
                f"{', '.join(map(repr, classes))}"
            )
    return np.array([known[label] for label in found], dtype=np.intp)[codes]


def _weights(sample_weight: Any, n_rows: int) -> np.ndarray:
    if sample_weight is None:
        return np.ones(n_rows)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(n_rows,)}!")
    bad = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(bad):
        raise ValueError(
            f"sample_weight of row {bad[0]} is {weights[bad[0]]}; weights must be finite and not negative"
        )
    return weights


def rules_frame(
    parts: Sequence[CalledRule],
    lines: Sequence[ProgramLine],
    classes: Sequence[Any],
    target: str,
    default: Any,
    coverage: Coverage,
) -> pd.DataFrame:
    """Return the parts of a program and its default as a frame, see `RuleSet.to_frame`.

    Parameters
    ----------
    parts : sequence of CalledRule
    lines : sequence of ProgramLine
        One for each part, and last that of the default.
    classes : sequence
    target : str
        Name of the row of the default.
    default : object
        Its label, or what is said in its place; of what is none of `classes` nothing is right or wrong.
    coverage : Coverage

    Returns
    -------
    pandas.DataFrame
    """
    labels = [*(part.label for part in parts), default]
    place_of = {label: place for place, label in enumerate(classes)}
    of = np.array([place_of.get(label, 0) for label in labels], dtype=np.intp)
    withholds = np.array([line.depth % 2 == 1 for line in lines])
    covered, total = coverage.covered, coverage.total
    of_label = coverage.support[np.arange(len(labels)), of]
    correct = np.where(withholds, covered - of_label, of_label)
    rightful = np.where(withholds, total - coverage.of_classes[of], coverage.of_classes[of])
    if default not in place_of:
        correct[-1] = rightful[-1] = np.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        precision, recall = correct / covered, correct / rightful
        share, lift = covered / total, precision / (rightful / total)
    confidence = [_confidence(*counts) for counts in zip(correct.tolist(), covered.tolist(), strict=True)]
    return pd.DataFrame(
        {
            "name": [*(part.name for part in parts), target],
            "kind": [line.kind for line in lines],
            "depth": [line.depth for line in lines],
            "label": pd.Series(labels, dtype=object),
            "text": [line.text for line in lines],
            "length": [*(len(part.rule.body) for part in parts), 0],
            "n_exceptions": [*(len(part.exceptions) for part in parts), 0],
            "covered": covered,
            "coverage": share,
            **{f"support_{label}": coverage.support[:, place] for place, label in enumerate(classes)},
            "correct": correct,
            "precision": precision,
            "recall": recall,
            "lift": lift,
            "confidence": [value for value, _, _ in confidence],
            "confidence_low": [low for _, low, _ in confidence],
            "confidence_high": [high for _, _, high in confidence],
        }
    )


def _confidence(correct: float, covered: float) -> tuple[float, float, float]:
    if math.isnan(correct):
        return math.nan, math.nan, math.nan
    # Sums of weights that are no whole numbers may be off by their last digit.
    known = Confidence.of(min(max(correct, 0.0), covered), covered)
    return known.value, known.low, known.high
