"""What FOLD-SE and FOLD-R++ share: learning a program, and predicting by it."""

from __future__ import annotations

import math
import numbers
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, overload

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from foldse.classifiers.base import TableClassifier
from foldse.classifiers.training import TrainingData
from foldse.classifiers.weights import IntegerWeights
from foldse.explain.actions import Constraints, Within
from foldse.explain.counterfactual import Counterfactual, counterfactuals
from foldse.explain.english import describe
from foldse.learning.covering import ClassWeights, Induction, InductionOptions
from foldse.learning.rule_list import RuleList, TiedClasses, learn_all_classes, learn_one_class
from foldse.model.rules import RuleSet
from foldse.reading.containers import as_table
from foldse.search.examples import SearchOptions
from foldse.search.ties import TIES, order_ties

__all__ = ["RuleClassifier"]

CHOICES = {"remove_covered": ("all", "correct"), "ties": TIES, "blocking": ("value", "comparison")}


class RuleClassifier(TableClassifier):
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
        raw = self.induce(data)
        self._set_program(raw)
        if not raw.rules and len(raw.classes) > 1:
            warnings.warn(
                f"no valid rule was found: every row is predicted as {raw.default!r}; a smaller tail or a "
                "larger ratio may give rules",
                stacklevel=3,
            )

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
            names; further columns are left out with a warning. A category that was not there at fit is
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
            are those of the training rows for which no rule fires.
        """
        fired = self._first_firing(X)
        supports = np.array([rule.support for rule in self.rules_] + [self.rules_.default_support])
        shares = (supports + 1.0) / (supports.sum(axis=1, keepdims=True) + len(self.classes_))
        return shares[fired]

    @overload
    def counterfactual(
        self,
        x: Any,
        target: Any = ...,
        fixed: Iterable[str] = ...,
        allow_missing: bool = ...,
        name: str | None = ...,
        *,
        n: None = ...,
        within: Within | None = ...,
        directions: Mapping[str, str] | None = ...,
        costs: Mapping[str, float] | None = ...,
        constraints: Constraints = ...,
    ) -> Counterfactual: ...

    @overload
    def counterfactual(
        self,
        x: Any,
        target: Any = ...,
        fixed: Iterable[str] = ...,
        allow_missing: bool = ...,
        name: str | None = ...,
        *,
        n: int,
        within: Within | None = ...,
        directions: Mapping[str, str] | None = ...,
        costs: Mapping[str, float] | None = ...,
        constraints: Constraints = ...,
    ) -> list[Counterfactual]: ...

    def counterfactual(
        self,
        x: Any,
        target: Any = None,
        fixed: Iterable[str] = (),
        allow_missing: bool = True,
        name: str | None = None,
        *,
        n: int | None = None,
        within: Within | None = None,
        directions: Mapping[str, str] | None = None,
        costs: Mapping[str, float] | None = None,
        constraints: Constraints = (),
    ) -> Counterfactual | list[Counterfactual]:
        """Find the smallest changes of one row that change its label.

        Parameters
        ----------
        x : pandas.Series, dict, array-like of shape (n_features,), or table of one row
            A table keeps its dtypes, which matter where numbers are categories by their dtype only.
        target : object, optional
            The label to reach; any other by default.
        fixed : iterable of str, default=()
            Features that may not change.
        allow_missing : bool, default=True
            Whether a value may become missing.
        name : str, optional
            What the row is called.
        n : int, optional
            How many answers to find, at least 1; by default the best one, which is returned by itself.
        within : mapping of str to tuple or list, optional
            New values that are allowed: of numbers a closed range, such as ``(20_000, None)``, of categories
            a list. The present value may stay.
        directions : mapping of str to str, optional
            For a feature of numbers ``"up"`` or ``"down"``, the only way it may change.
        costs : mapping of str to float, optional
            What it costs to change a feature, above 0; 1 by default. Infinity is as good as `fixed`.
        constraints : Rule, Literal, or iterable of them, default=()
            What the changed row has to meet: a rule without a head says what must not hold, a literal what
            must. The row as it is need not meet them.

        Returns
        -------
        Counterfactual or list of Counterfactual
            With the lowest total cost, among those the fewest changed features, and then the fewest literals
            changed; exact. With `n` a list in this order, shorter if there are no more answers. No answer
            makes all changes of another one, be it the same or, of a number, further the same way.

        Raises
        ------
        ValueError
            If no change that is allowed reaches the label, or a setting is wrong; the message names it.
        TypeError
            If a constraint is neither a rule nor a literal, or another setting is no mapping.

        Notes
        -----
        `foldse.explain.counterfactual.counterfactuals` documents the search.
        """
        if isinstance(x, Mapping) and any(isinstance(v, str) or np.ndim(v) == 0 for v in x.values()):
            x = [x]
        has_names = isinstance(x, Mapping) or getattr(getattr(x, "dtype", None), "names", None) is not None
        has_names |= isinstance(x, list | tuple) and any(isinstance(row, Mapping) for row in x)
        if has_names or (hasattr(x, "__arrow_c_stream__") and not isinstance(x, pd.Series)):
            x = as_table(x)
        found = counterfactuals(
            self,
            x,
            target=target,
            fixed=fixed,
            allow_missing=allow_missing,
            name=name,
            n=1 if n is None else n,
            within=within,
            directions=directions,
            costs=costs,
            constraints=constraints,
        )
        return found[0] if n is None else found

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
