"""What FOLD-SE and FOLD-R++ share: learning a program, and predicting by it."""

from __future__ import annotations

import math
import numbers
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
import pandas as pd
import scipy.sparse
from sklearn.utils.validation import check_is_fitted

from foldse.classifiers.editing import EditableRules
from foldse.classifiers.importances import importances
from foldse.classifiers.training import TrainingData
from foldse.classifiers.weights import IntegerWeights
from foldse.explain.counterfactual import Counterfactual, counterfactual
from foldse.explain.english import describe
from foldse.learning.covering import ClassWeights, Induction, InductionOptions
from foldse.learning.rule_list import RuleList, TiedClasses, learn_all_classes, learn_one_class
from foldse.model.frame import DEFAULT
from foldse.model.rules import RuleSet
from foldse.reading.containers import as_table
from foldse.search.examples import SearchOptions
from foldse.search.ties import TIES, order_ties

__all__ = ["RuleClassifier"]

CHOICES = {"remove_covered": ("all", "correct"), "ties": TIES, "blocking": ("value", "comparison")}


class RuleClassifier(EditableRules):
    """What the rule learners share."""

    ratio: float
    remove_covered: str
    stop_at_invalid: bool
    # As FOLD-R++ does it; parameters of FOLD-SE.
    negated_thresholds: bool = False
    prune_exceptions: bool = True
    ties: str = "columns"
    blocking: str = "value"
    improvement_threshold: float | None = None
    confidence_threshold: float | None = None
    max_literals: int | None = None
    abstain: Any = False
    # As FOLD-SE and FOLD-R++ do it; CON-FOLD differs.
    learns_all_classes: bool = False
    exceptions_remove_all: bool = False
    tied_classes: TiedClasses = "first"

    def _min_cover(self, n_rows: int, weights: IntegerWeights | None) -> int:
        """Return the least weight that a rule covers, on the scale of the weights."""
        if weights is None:
            return 1
        mean = -(-int(weights.values.sum()) // n_rows)
        return min(math.ceil(weights.scale), mean)  # a row; of weights below 1 one of the mean weight

    def _check_parameters(self) -> None:
        super()._check_parameters()
        is_number = isinstance(self.ratio, numbers.Real) and not isinstance(self.ratio, bool)
        if not is_number or not 0 <= self.ratio < math.inf:
            raise ValueError(f"ratio must be a number of at least 0, got {self.ratio!r}")
        for name in ("negated_thresholds", "prune_exceptions", "stop_at_invalid"):
            value = getattr(self, name)
            if not isinstance(value, bool | np.bool_):
                raise ValueError(f"{name} must be True or False, got {value!r}")
        for name in ("improvement_threshold", "confidence_threshold"):
            value = getattr(self, name)
            is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
            if value is not None and not (is_number and 0 <= value <= 1):
                raise ValueError(f"{name} must be a number from 0 to 1 or None, got {value!r}")
        most = self.max_literals
        is_count = isinstance(most, numbers.Integral) and not isinstance(most, bool)
        if most is not None and not (is_count and most > 0):
            raise ValueError(f"max_literals must be a whole number above 0 or None, got {most!r}")
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                raise ValueError(f"{name} must be one of {', '.join(known)}; got {getattr(self, name)!r}")

    def _learn(self, data: TrainingData) -> None:
        self._set_program(self.induce(data))
        self._warn_of_no_rules()

    def _warn_of_no_rules(self) -> None:
        if self.rules_.rules or len(self.classes_) < 2:
            return
        ways = "a smaller tail or a larger ratio"
        if self.confidence_threshold is not None:
            ways += f", or a confidence_threshold below {self.confidence_threshold:g},"
        warnings.warn(
            f"no valid rule was found: every row is predicted as {self.rules_.default!r}; {ways} may give "
            "rules",
            stacklevel=4,
        )

    def learn_encoded(self, data: TrainingData) -> Self:
        """Learn from encoded rows, as `fit` does from a table, but without a warning where no rule is found.

        Parameters
        ----------
        data : TrainingData
            Every weight above 0.

        Returns
        -------
        Self
        """
        self.classes_, self.feature_names_ = data.classes, data.names
        self.n_features_in_ = len(data.names)
        self.feature_types_ = tuple(feature.types for feature in data.table.features)
        self.code_page_ = None
        self._set_program(self.induce(data))
        return self

    def _set_program(self, raw: RuleSet) -> None:
        """Take a program as learned, and what is told of it."""
        self.raw_rules_ = raw
        self.rules_ = raw.simplified(self.max_literals)
        self.n_rules_raw_, self.n_predicates_raw_ = raw.n_rules, raw.n_predicates
        self.n_rules_, self.n_predicates_ = self.rules_.n_rules, self.rules_.n_predicates

    def induce(self, data: TrainingData) -> RuleSet:
        """Learn a program from encoded rows; nothing of the classifier is changed.

        Parameters
        ----------
        data : TrainingData

        Returns
        -------
        RuleSet
            As it was learned, not simplified.
        """
        heads = data.classes.tolist()
        weights = data.weighted(self.class_weight)
        scale = 1 if weights is None else weights.scale
        classes = ClassWeights(data.labels, len(heads), None if weights is None else weights.values, scale)
        table = order_ties(data.table, self.ties)
        induction = Induction(
            table,
            classes,
            SearchOptions(self.heuristic, bool(self.negated_thresholds), self.blocking == "value"),
            InductionOptions(
                self.ratio,
                self._min_cover(data.n_rows, weights),
                bool(self.prune_exceptions),
                self.exceptions_remove_all,
                self.improvement_threshold,
                self.max_literals,
            ),
        )
        decided = np.zeros(data.n_rows, dtype=np.uint8)
        if len(heads) == 1:
            learned, default = RuleList(classes, decided), 0
        elif len(heads) == 2 and not self.learns_all_classes:
            positive = data.positive
            assert positive is not None
            learned, default = learn_one_class(induction, positive, decided), 1 - positive
        else:
            learned = learn_all_classes(
                induction,
                decided,
                keep_wrong=self.remove_covered == "correct",
                stop_at_invalid=bool(self.stop_at_invalid),
                tied=self.tied_classes,
            )
            default = int(np.argmax(classes.of(np.arange(data.n_rows, dtype=np.uint32))))
        rules = RuleSet(
            tuple(
                rule.translate(table, scale, heads[head], confidence)
                for head, rule, confidence in learned.rules
            ),
            features=data.names,
            target=data.target,
            classes=tuple(heads),
            default=heads[default],
            default_support=tuple((learned.default_support() / scale).tolist()),
            reader=self._schema(),
        )
        if self.confidence_threshold is None:
            return rules
        kept = tuple(
            rule
            for rule in rules
            if rule.confidence is None or rule.confidence.value >= self.confidence_threshold
        )
        if len(kept) == len(rules):
            return rules
        shares = None if weights is None else weights.values / scale
        return _with_supports(replace(rules, rules=kept), data, shares)

    def _first_firing(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        return self.rules_.first_firing(self._columns(X, self.rules_.used_features))

    def predict(self, X: Any) -> np.ndarray:
        """Return the label that the rules conclude for each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            In any container that `fit` takes. Columns are matched by name, in any order, where there are
            names: those that the rules do not use may be missing, further ones are left out with a warning.
            Without names all columns are there, in their order. A category that was not there at fit is
            equal to no category of a rule.

        Returns
        -------
        numpy.ndarray of shape (n_rows,)
            The head of the first rule that fires; where none does, the other class of two, and the most
            frequent class of the training data of more, or else ``abstain`` if it is not False.
        """
        fired = self._first_firing(X)
        heads = [rule.head for rule in self.rules_] + [self.rules_.default]
        labels = self.classes_[np.searchsorted(self.classes_, np.array(heads, dtype=self.classes_.dtype))]
        if self.abstain is not False:
            labels = np.append(labels[:-1].astype(self._dtype_with(self.abstain)), [self.abstain])
        return labels[fired]

    def _dtype_with(self, label: Any) -> np.dtype:
        """Return the dtype for the classes and one more label: theirs, if the label is of their kind."""
        alone = np.array([label])
        return self.classes_.dtype if alone.dtype.kind == self.classes_.dtype.kind else np.dtype(object)

    def predict_confidence(self, X: Any) -> np.ndarray:
        """Return how sure the rule is that decides each row, see `foldse.model.confidence.Confidence`.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As for `predict`.

        Returns
        -------
        numpy.ndarray of float64, shape (n_rows,)
            NaN where no rule fires.
        """
        fired = self._first_firing(X)
        sure = [np.nan if rule.confidence is None else rule.confidence.value for rule in self.rules_]
        return np.array([*sure, np.nan])[fired]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the share of each class among the training rows that the same rule decides.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As for `predict`.

        Returns
        -------
        numpy.ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``. Smoothed by Laplace: (n_k + 1) / (n + n_classes), with
            n_k the weight of class k among the training rows for which this rule was the first to fire.
            The largest share need not be that of the predicted class. Where `predict` abstains, the shares
            are those of the training rows for which no rule fires. Equal shares where nothing was counted, as
            for rules that were written by hand, see `remeasure`.
        """
        fired = self._first_firing(X)
        nothing = (0.0,) * len(self.classes_)  # was counted of a rule without support
        counted = [*(rule.support for rule in self.rules_), self.rules_.default_support]
        supports = np.array([support or nothing for support in counted])
        shares = (supports + 1.0) / (supports.sum(axis=1, keepdims=True) + len(self.classes_))
        return shares[fired]

    def apply(self, X: Any) -> np.ndarray:
        """Return which rule decides each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As for `predict`.

        Returns
        -------
        numpy.ndarray of intp, shape (n_rows,)
            The position in ``rules_`` of the first rule that fires, which is also its row in
            ``rules_.to_frame()``; -1 where none does and the default decides.
        """
        fired = self._first_firing(X).astype(np.intp)
        return np.where(fired == len(self.rules_), DEFAULT, fired)

    def decision_path(self, X: Any) -> scipy.sparse.csr_matrix:
        """Return which rules and exceptions fire on each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As for `predict`.

        Returns
        -------
        scipy.sparse.csr_matrix of bool, shape (n_rows, n_rules_)
            A column for each rule and exception, in the order of ``rules_.walk()`` and of the rows of
            ``rules_.to_frame()``. A rule fires where its body holds and none of its exceptions fires, whether
            or not an earlier rule decides the row; an exception likewise, whether or not its rule is asked.
        """
        check_is_fitted(self)
        table = self._columns(X, self.rules_.used_features)
        rows: list[np.ndarray] = [np.empty(0, dtype=np.intp)] * self.rules_.n_rules
        for place, fires, _ in self.rules_.firing(table):
            if place != DEFAULT:
                rows[place] = np.flatnonzero(fires)
        ends = np.cumsum([0, *map(len, rows)])
        found = np.concatenate([np.empty(0, dtype=np.intp), *rows])
        by_rule = scipy.sparse.csc_matrix(
            (np.ones(len(found), dtype=bool), found, ends), shape=(table.n_rows, len(rows))
        )
        return by_rule.tocsr()

    def importances(self, X: Any, y: Any, scoring: Any = None) -> pd.DataFrame:
        """Return how much the score drops without each column, and without each literal, of the rules.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As for `predict`.
        y : array-like of shape (n_rows,)
            Labels of these rows.
        scoring : str or callable, optional
            The name of a score of scikit-learn, or a function of an estimator, `X` and `y`; accuracy by
            default.

        Returns
        -------
        pandas.DataFrame
            A row for each column that the rules use, in the order of the table, then one for each distinct
            literal, in the order in which they are printed. ``kind`` is "column" or "literal"; ``feature``;
            ``literal``, None for a column; ``n_uses``, in how many places of the rules it is; ``score``,
            without it; ``importance``, by how much the score of the whole rules is higher.

        Raises
        ------
        ValueError, TypeError
            If `scoring` is no score or gives more than one number, or as for `predict`.

        Notes
        -----
        What is left out counts as true, in rules and in exceptions alike. So a rule without a condition left
        fires on all rows that reach it, and an exception without one withholds all of them: to drop them
        would make the condition false instead. Nothing is learned anew and nothing is shuffled;
        `predict_proba` of the changed rules goes by the training rows of the unchanged ones. Of two
        conditions of a rule that mean the same, either can be left out at no loss: both have the
        importance 0.
        """
        check_is_fitted(self)
        return importances(self, X, y, scoring)

    def counterfactual(
        self,
        x: Any,
        target: Any = None,
        fixed: Sequence[str] = (),
        allow_missing: bool = True,
        name: str | None = None,
    ) -> Counterfactual:
        """Find the smallest change of one row that changes its label.

        Parameters
        ----------
        x : pandas.Series, dict, array-like of shape (n_features,), or table of one row
            A table keeps its dtypes, which matter where numbers are categories by their dtype only.
        target : object, optional
            The label to reach; any other by default.
        fixed : sequence of str
            Features that may not change.
        allow_missing : bool, default=True
            Whether a value may become missing.
        name : str, optional
            What the row is called.

        Returns
        -------
        Counterfactual
            With the fewest changed features, and among those the fewest literals changed; exact.

        Raises
        ------
        ValueError
            If no change reaches the label.
        """
        if isinstance(x, Mapping) and any(isinstance(v, str) or np.ndim(v) == 0 for v in x.values()):
            x = [x]
        has_names = isinstance(x, Mapping) or getattr(getattr(x, "dtype", None), "names", None) is not None
        has_names |= isinstance(x, list | tuple) and any(isinstance(row, Mapping) for row in x)
        if has_names or (hasattr(x, "__arrow_c_stream__") and not isinstance(x, pd.Series)):
            x = as_table(x)
        return counterfactual(self, x, target, fixed, allow_missing, name)

    def describe(self, templates: Any = None, subject: str = "X") -> str:
        """Tell the whole model in English.

        Parameters
        ----------
        templates : mapping of str to str, optional
            For a feature a sentence with ``@(X)`` for the subject and ``@(V)`` for the value, such as
            ``"@(X) is a passenger of class @(V)"``.
        subject : str, default="X"
            What the sentences speak of.

        Returns
        -------
        str
            A paragraph a rule, exceptions as ``unless``, then the default.
        """
        return describe(self, templates, subject)


def _with_supports(rules: RuleSet, data: TrainingData, weights: np.ndarray | None) -> RuleSet:
    """Return a program with the weights of the rows that each rule decides, and of those that none does."""
    cells = rules.first_firing(data.table) * len(data.classes) + data.labels
    sums = np.bincount(cells, weights, minlength=(len(rules) + 1) * len(data.classes)).astype(float)
    supports = [tuple(row) for row in sums.reshape(-1, len(data.classes)).tolist()]
    listed = (replace(rule, support=support) for rule, support in zip(rules, supports, strict=False))
    return replace(rules, rules=tuple(listed), default_support=supports[-1])
