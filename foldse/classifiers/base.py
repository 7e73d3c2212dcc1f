"""What the classifiers share: reading a table and its labels, and matching columns by name."""

from __future__ import annotations

import os
import warnings
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.validation import check_is_fitted

from foldse.explain.justification import Justifications
from foldse.explain.justify import explain, subject_names
from foldse.heuristics import SCORES
from foldse.learning.training import TrainingData, positive_class
from foldse.learning.weights import IntegerWeights, class_weights
from foldse.model.document import to_json
from foldse.model.lines import predicate_name
from foldse.reading.columns import Columns
from foldse.reading.containers import as_table
from foldse.reading.conversion import NUMBER, OBJECT_NUMBERS, check_notation
from foldse.reading.encoding import EncodedTable, encode
from foldse.reading.schema import Schema
from foldse.reading.values import column_names, object_columns, read_columns
from foldse.runtime.callers import outside
from foldse.runtime.kernels import prepare

__all__ = ["TableClassifier"]


class TableClassifier(ClassifierMixin, BaseEstimator):
    """Base of the classifiers: `fit` reads the table, `_learn` is theirs."""

    saved_as: ClassVar[str]  # the name of the class in a model file; a subclass has none
    heuristic: str
    pos_label: Any
    numeric_features: Sequence[str] | None
    categorical_features: Sequence[str] | None
    class_weight: Mapping[Any, float] | str | None = None
    code_page_: str | None  # of the text file that the command line learned from
    drops_weightless: ClassVar[bool] = True  # rows without weight before `_learn`
    interpreted_cost: ClassVar[int] = 1  # of a cell while kernels are not compiled, in FOLD-SE's

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from a table.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Numbers and categories, read as documented in `foldse.reading`. A data frame of pandas or
            polars, a table of pyarrow or whatever else offers itself as an Arrow stream, a numeric, object
            or structured array, a dict of columns, a list of dicts or of rows (see
            `foldse.reading.containers.as_table`), or what `foldse.codefile.open_codes` returns. Not changed.
        y : array-like of shape (n_rows,)
            Labels of any sortable type. Paired with `X` by position.
        sample_weight : array-like of shape (n_rows,), optional
            Weight of each row, finite and not negative; 1 by default. An integer weight counts as that many
            equal rows; other weights are rounded to about 15 digits, so that sums are exact. Rows
            of weight 0 are left out.

        Returns
        -------
        Self
            The estimator itself.

        Raises
        ------
        ValueError, TypeError
            If a parameter is out of its range, `X` is sparse or empty, a column is there twice or holds what
            is neither number nor category, or a label is missing; the message names it.
        """
        self._check_parameters()
        is_encoded = isinstance(X, EncodedTable)  # see `foldse.codefile`
        X = X if is_encoded else as_table(X)
        names = tuple(feature.name for feature in X.features) if is_encoded else column_names(X)
        target, labels = self._read_labels(y, X.n_rows if is_encoded else len(X))
        numeric, categorical = self._roles(names)
        given = None if sample_weight is None else IntegerWeights.of(sample_weight, len(labels))
        positive_class(self.classes_, labels, given, self.pos_label)  # refuses one that is no label
        has_weight = self._has_weight(self.classes_, labels, given)
        kept = np.flatnonzero(has_weight) if self.drops_weightless else np.arange(len(labels))
        if not has_weight.any():
            raise ValueError(
                "every weight is zero, by sample_weight or class_weight; give at least one row a weight"
            )
        if len(kept) < len(labels):
            if is_encoded:
                raise ValueError("a weight is zero: leave such rows out before the table is encoded")
            X = X.iloc[kept] if isinstance(X, pd.DataFrame) else X[kept]
            labels, given = labels[kept], None if given is None else given.take(kept)
        self.feature_names_ = names
        self.n_features_in_ = len(names)
        if is_encoded or (isinstance(X, pd.DataFrame) and all(isinstance(c, str) for c in X.columns)):
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        prepare(len(labels) * len(names) * self.interpreted_cost)
        objects = set() if is_encoded else object_columns(X)
        table = X if is_encoded else encode(read_columns(X, numeric, categorical))
        for feature in table.features:
            if feature.name in numeric and not feature.n_numbers:
                check_notation(feature.name, feature.categories)
        self.feature_types_ = tuple(
            # A column that is declared numeric may hold numbers later, even if it has only words now.
            f"{NUMBER}+{feature.types}"
            if feature.name in numeric and feature.types and not feature.n_numbers
            else OBJECT_NUMBERS  # and one of objects words, even if it has only numbers now
            if feature.types == NUMBER and feature.name in objects and feature.name not in numeric
            else feature.types
            for feature in table.features
        )
        self.code_page_ = None
        self._learn(TrainingData(table, labels, self.classes_, target, given, self.pos_label))
        return self

    def _has_weight(
        self, classes: np.ndarray, labels: np.ndarray, given: IntegerWeights | None
    ) -> np.ndarray:
        """Return, as bool, which rows weigh more than 0."""
        has_weight = np.ones(len(labels), dtype=bool) if given is None else given.values > 0
        if self.class_weight is not None:
            factors = class_weights(self.class_weight, classes.tolist(), labels, given)
            has_weight &= factors[labels] > 0
        return has_weight

    @abstractmethod
    def _learn(self, data: TrainingData) -> None:
        """Learn from encoded rows and set the fitted attributes."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def explain(self, X: Any, names: Any = None) -> Justifications:
        """Say for each row why it gets its label, or why it does not get another.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As for ``predict``.
        names : str or array-like of shape (n_rows,), optional
            What rows are called: a column of `X`, or a name each. By default the index if it is text, else
            X0, X1, ...

        Returns
        -------
        Justifications
            A sequence of one `Justification` a row; ``str()`` of one is the paper's English form. That of a
            tree gives the path to the leaf.
        """
        check_is_fitted(self)
        X = as_table(X)
        if isinstance(names, str) and isinstance(X, pd.DataFrame) and names in column_names(X):
            position = column_names(X).index(names)
            names = subject_names(X, len(X), names)
            if column_names(X)[position] not in self.feature_names_:  # there for the names only
                X = X.iloc[:, [i for i in range(X.shape[1]) if i != position]]
        return explain(self, X, names)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to a file of strict JSON, which `load_model` reads.

        Parameters
        ----------
        path : str or PathLike
            An existing file is replaced once the new one is complete; of a symbolic link, the file that it
            points to. A device or a pipe is written to directly.

        Raises
        ------
        ModelFileError
            If a label or a parameter cannot be written as JSON.
        """
        text = to_json(self)
        path = Path(path)
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8", newline="\n")
            return
        path = path.resolve()
        part = path.with_name(path.name + ".part")
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(path)

    def _check_parameters(self) -> None:
        if self.heuristic not in SCORES:
            raise ValueError(f"heuristic must be one of {', '.join(SCORES)}; got {self.heuristic!r}")

    def _read_labels(self, y: Any, n_rows: int) -> tuple[str, np.ndarray]:
        """Set ``classes_``; return the target's name and each row's class position."""
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        if isinstance(y, pd.DataFrame) and y.shape[1] == 1:
            y = y.iloc[:, 0]
        elif not isinstance(y, pd.Series | np.ndarray) and hasattr(y, "to_pandas"):
            name, y = getattr(y, "name", None), y.to_pandas()  # of polars or pyarrow
            y = y if name is None or not isinstance(y, pd.Series) else y.rename(name)
        values = y if isinstance(y, pd.Series) else _flat(y)
        if len(values) != n_rows:
            raise ValueError(f"X has {n_rows} rows and y has {len(values)}; they must be the same")
        labels, uniques = pd.factorize(values)
        self._check_labels(values, uniques)
        if (labels < 0).any():
            raise ValueError(
                f"y has {(labels < 0).sum()} missing values, the first in row {np.argmax(labels < 0)}; "
                "drop or label these rows"
            )
        classes = np.asarray(uniques, dtype=values.dtype if isinstance(values, np.ndarray) else None)
        if classes.dtype.kind == "f" and np.isinf(classes).any():
            raise ValueError("y holds inf; a class label must be finite")
        if classes.dtype.kind == "f" and (classes != np.floor(classes)).any():
            raise ValueError(
                f"Unknown label type: continuous; y holds {classes[classes != np.floor(classes)][0]}, "
                "and a class label must be text, a truth value or a whole number"
            )
        try:
            order = np.argsort(classes, kind="stable")
        except TypeError:
            kinds = " and ".join(sorted({type(label).__name__ for label in uniques}))
            raise TypeError(f"y mixes labels of type {kinds}; convert them to one type") from None
        self.classes_ = classes[order]
        rank = np.empty(len(order), dtype=np.min_scalar_type(len(order)))
        rank[order] = np.arange(len(order))
        name = getattr(y, "name", None)
        return predicate_name("target" if name is None or name == "" else str(name)), rank[labels]

    def _check_labels(self, values: Any, uniques: Any) -> None:
        """Refuse labels that are equal to Python and not the same; warn of those that look the same."""
        if values.dtype == object and "mixed" in pd.api.types.infer_dtype(values, skipna=True):
            kinds = {type(label) for label in values}
            if kinds & {bool, np.bool_} and len(kinds) > 1:  # True is 1
                names = " and ".join(sorted(kind.__name__ for kind in kinds))
                raise TypeError(f"y mixes labels of type {names}; convert them to one type")
        known: dict[str, str] = {}
        for label in uniques:
            if isinstance(label, str) and known.setdefault(label.strip(), label) != label:
                warnings.warn(
                    f"the labels {known[label.strip()]!r} and {label!r} differ only in blanks and are two "
                    "classes; if they are one, strip them: y.str.strip()",
                    UserWarning,
                    stacklevel=outside(),
                )

    def _roles(self, names: tuple[str, ...]) -> tuple[set[str], set[str]]:
        roles = []
        for parameter in ("numeric_features", "categorical_features", "exclude_features", "directions"):
            named = getattr(self, parameter, None)
            if isinstance(named, str):
                raise ValueError(f"{parameter} is the text {named!r}; give a list of names: [{named!r}]")
            given = [] if named is None else [str(name) for name in named]
            for name in given:
                if name not in names:
                    raise ValueError(
                        f"{parameter} names {name!r}, but X has no such column; its columns are "
                        f"{', '.join(names[:20])}{', ...' if len(names) > 20 else ''}"
                    )
                if given.count(name) > 1:
                    raise ValueError(f"{parameter} names {name!r} more than once; name it once")
            roles.append(set(given))
        both = sorted(roles[0] & roles[1])
        if both:
            raise ValueError(
                f"{both[0]!r} is in numeric_features and in categorical_features; choose one of them"
            )
        return roles[0], roles[1]

    def _schema(self) -> Schema:
        """Return how a table to be predicted is read."""
        numeric, categorical = self._roles(self.feature_names_)
        return Schema(
            self.feature_names_,
            self.feature_types_,
            frozenset(numeric),
            frozenset(categorical),
            hasattr(self, "feature_names_in_"),
            type(self).__name__,
        )

    def _columns(self, X: Any, only: frozenset[str]) -> Columns | EncodedTable:
        """Read what the model looks at of a table to be predicted, matching columns by name."""
        check_is_fitted(self)
        return X if isinstance(X, EncodedTable) else self._schema().read(X, only)


def _flat(y: Any) -> np.ndarray:
    if isinstance(y, np.ma.MaskedArray):
        values = y.data.astype(object) if np.ma.is_masked(y) else y.data
        if np.ma.is_masked(y):
            values[np.ma.getmaskarray(y)] = None
        y = values
    array = np.asarray(y)
    is_list = not isinstance(y, np.ndarray)
    if is_list and (
        array.dtype.kind == "U"
        or (array.dtype.kind in "iuf" and isinstance(y, Sequence) and any(x is True for x in y))
    ):
        array = np.asarray(y, dtype=object)  # as a column of text: of no fixed width, and no type is lost
    if array.ndim == 2 and array.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected; pass y.ravel()",
            DataConversionWarning,
            stacklevel=4,
        )
        array = array[:, 0]
    if array.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {array.shape} instead.")
    return array
