"""What a classifier learns from: encoded rows with their labels and weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from foldse.learning.weights import IntegerWeights, weights_by_class
from foldse.model.rule import Rule
from foldse.reading.encoding import EncodedTable

__all__ = ["TrainingData", "positive_class"]


def positive_class(
    classes: np.ndarray, labels: np.ndarray, weights: IntegerWeights | None, pos_label: Any
) -> int | None:
    """Return the position of the class to learn rules for; None where there are more than two.

    Parameters
    ----------
    classes : numpy.ndarray
        Labels.
    labels : numpy.ndarray of int, shape (n_rows,)
        Position of each row's class.
    weights : IntegerWeights or None
    pos_label : object
        The label that is wanted; None for the more frequent one, of two as frequent the first.

    Raises
    ------
    ValueError
        If `pos_label` is not a label, or there are more than two.
    """
    if len(classes) > 2:
        if pos_label is not None:
            raise ValueError(
                f"pos_label is {pos_label!r}, but y has {len(classes)} classes; "
                "leave pos_label out, rules are learned for every class"
            )
        return None
    if pos_label is None:
        values = None if weights is None else weights.values
        return int(np.argmax(np.bincount(labels, weights=values, minlength=len(classes))))
    found = np.flatnonzero(classes == pos_label)
    if not len(found):
        raise ValueError(
            f"pos_label {pos_label!r} is not a class of y; "
            f"its labels are {', '.join(repr(c) for c in classes.tolist())}"
        )
    return int(found[0])


@dataclass(frozen=True, slots=True)
class TrainingData:
    """Rows to learn from.

    Attributes
    ----------
    table : EncodedTable
    labels : numpy.ndarray of int, shape (n_rows,)
        Position of each row's label in `classes`.
    classes : numpy.ndarray
        The labels, sorted.
    target : str
        What is learned, as a predicate name.
    weights : IntegerWeights or None
        Of the rows, by ``sample_weight``; 1 each by default.
    pos_label : object
        The label to learn rules for, of two; None for the more frequent one.
    given : tuple of (Rule, float or None)
        Rules that come before those learned, and how sure of them one is.
    """

    table: EncodedTable
    labels: np.ndarray
    classes: np.ndarray
    target: str
    weights: IntegerWeights | None = None
    pos_label: Any = None
    given: tuple[tuple[Rule, float | None], ...] = ()

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.labels)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the features, in column order."""
        return tuple(feature.name for feature in self.table.features)

    @property
    def positive(self) -> int | None:
        """Position of the label to learn rules for; None where there are more than two."""
        return positive_class(self.classes, self.labels, self.weights, self.pos_label)

    def weighted(self, class_weight: Mapping[Any, float] | str | None) -> IntegerWeights | None:
        """Return the weights of the rows times those of their classes; None where each counts once."""
        return weights_by_class(class_weight, self.classes.tolist(), self.labels, self.weights)

    def take(self, rows: np.ndarray) -> Self:
        """Return some rows, as if no other had been read: values and labels that do not occur are unknown.

        Parameters
        ----------
        rows : numpy.ndarray of int
        """
        present, labels = np.unique(self.labels[rows], return_inverse=True)
        return replace(
            self,
            table=self.table.take(rows),
            labels=labels.astype(self.labels.dtype),
            classes=self.classes[present],
            weights=None if self.weights is None else self.weights.take(rows),
        )
