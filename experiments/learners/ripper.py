"""RIPPER by the package wittgenstein, which the paper compares with, kept from its known faults."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pandas as pd

from experiments.learners.base import Learner, NotApplicableError, check_number, optional_import
from experiments.records import Dataset

LABEL = "label"
MISSING = "missing"


class Ripper(Learner):
    """One rule set for the positive label.

    The package gets nothing but text codes in columns of our own naming, with an index from 0 and a named
    label: it errs where a label has no name or a column's, where an index repeats, where text looks like a
    number, and where bins are narrower than the two decimals it names them with. The bins are the ones that
    it would make, quantiles of the training rows, open at both ends.

    Parameters
    ----------
    dataset : Dataset
        Gives the roles of the columns and the positive label.
    k, prune_size, dl_allowance
        As in ``wittgenstein.RIPPER``.
    bins : int
        Bins of a numeric column that has more values than this.
    seed : int
        Of its split into growing and pruning rows.
    """

    size_of_constant: ClassVar[dict[str, float]] = {"rules": 0.0, "predicates": 0.0}

    def __init__(
        self,
        dataset: Dataset,
        *,
        k: int = 2,
        prune_size: float = 0.33,
        dl_allowance: int = 64,
        bins: int = 10,
        seed: int = 0,
    ) -> None:
        check_number("k", k, 0, whole=True)
        check_number("prune_size", prune_size, 0, 1)
        check_number("dl_allowance", dl_allowance, 0, whole=True)
        check_number("bins", bins, 2, whole=True)
        if dataset.positive is None:
            raise NotApplicableError(
                f"wittgenstein's RIPPER is for two classes, {dataset.id} has {len(dataset.classes)}"
            )
        with optional_import("experiments"):
            from wittgenstein import RIPPER
        self.positive = dataset.positive
        (self.negative,) = (label for label in dataset.classes if label != dataset.positive)
        self.target = str(dataset.y.name)
        self.columns = [Binned(str(name), bins if name in dataset.numeric else None) for name in dataset.X]
        self.model = RIPPER(
            k=k, prune_size=prune_size, dl_allowance=dl_allowance, n_discretize_bins=None, random_state=seed
        )

    def fit(self, X: pd.DataFrame, y: pd.Series) -> None:
        for column in self.columns:
            column.fit(X[column.name])
        is_positive = y.to_numpy(dtype=object) == self.positive
        frame = pd.DataFrame(
            {f"c{i}": pd.Series(codes, dtype=object) for i, codes in enumerate(self._codes(X))}
        )
        labels = pd.Series(np.where(is_positive, "yes", "no"), name=LABEL, dtype=object)
        self.model.fit(frame, y=labels, pos_class="yes")
        self.learned: list[list[tuple[int, str]]] = [
            [(int(condition.feature[1:]), str(condition.val)) for condition in rule.conds]
            for rule in self.model.ruleset_.rules
        ]

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        # Evaluated here, by position: the package finds rows by their index.
        codes = self._codes(X)
        covered = np.zeros(len(X), dtype=bool)
        for rule in self.learned:
            holds = np.ones(len(X), dtype=bool)
            for column, code in rule:
                holds &= codes[column] == code
            covered |= holds
        return np.where(covered, self.positive, self.negative).astype(object)

    def measure(self) -> dict[str, float]:
        ruleset = self.model.ruleset_
        return {"rules": float(len(ruleset)), "predicates": float(ruleset.count_conds())}

    def rules(self) -> str:
        lines = []
        for rule in self.learned:
            body = " and ".join(self.columns[column].tell(code) for column, code in rule)
            lines.append(f"{self.target} = {self.positive!r} if {body or 'true'}")
        return "\n".join(lines)

    def _codes(self, X: pd.DataFrame) -> list[np.ndarray]:
        return [column.transform(X[column.name]) for column in self.columns]


class Binned:
    """A column as text codes: ``v0``, ``v1``, ... for its values or bins, ``missing``, and ``unseen``.

    Parameters
    ----------
    name : str
    bins : int or None
        None for a categorical column.
    """

    def __init__(self, name: str, bins: int | None) -> None:
        self.name, self.bins = name, bins

    def fit(self, values: pd.Series) -> None:
        """Note the values of the training rows, or quantiles of its numbers where there are many."""
        self.edges: np.ndarray | None = None
        numbers, texts = self._split(values)
        if self.bins is not None:
            present = numbers[~np.isnan(numbers)]
            if len(np.unique(present)) > self.bins:
                inner = np.quantile(present, np.arange(1, self.bins) / self.bins)
                self.edges = np.unique(inner)
                self.first_text = len(self.edges) + 1
        known: list[Any] = [] if self.edges is not None else list(np.unique(numbers[~np.isnan(numbers)]))
        if self.edges is None:
            self.first_text = len(known)
        self.values = known + sorted({text for text in texts if text is not None})
        self.codes = {value: i for i, value in enumerate(self.values, self.first_text - len(known))}

    def transform(self, values: pd.Series) -> np.ndarray:
        """Return the code of each value."""
        numbers, texts = self._split(values)
        made = np.full(len(values), MISSING, dtype=object)
        for i, (number, text) in enumerate(zip(numbers.tolist(), texts, strict=True)):
            if text is not None:
                made[i] = f"v{self.codes[text]}" if text in self.codes else "unseen"
            elif number == number and self.edges is None:
                made[i] = f"v{self.codes[number]}" if number in self.codes else "unseen"
        if self.edges is not None:
            there = ~np.isnan(numbers)
            places = np.searchsorted(self.edges, numbers[there])  # a bin has its upper edge
            made[there] = np.array([f"v{i}" for i in range(len(self.edges) + 1)], dtype=object)[places]
        return made

    def tell(self, code: str) -> str:
        """Return what a code says of the column."""
        if not code.startswith("v"):
            return f"{self.name} is {code}"
        place = int(code[1:])
        if self.edges is not None and place <= len(self.edges):
            low = f"{self.edges[place - 1]!s} < " if place else ""
            high = f" <= {self.edges[place]!s}" if place < len(self.edges) else ""
            return f"{low}{self.name}{high}"
        known = {position: value for value, position in self.codes.items()}
        return f"{self.name} = {known[place]!r}"

    def _split(self, values: pd.Series) -> tuple[np.ndarray, list[str | None]]:
        """Return the numbers, NaN elsewhere, and the texts, None elsewhere."""
        if pd.api.types.is_numeric_dtype(values.dtype):
            return values.to_numpy(dtype=np.float64, na_value=np.nan), [None] * len(values)
        cells = values.astype(object).tolist()
        numbers = np.array([c if isinstance(c, float | int) else np.nan for c in cells], dtype=np.float64)
        return numbers, [c if isinstance(c, str) else None for c in cells]
