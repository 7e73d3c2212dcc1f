"""What the rule learners share: learning a program."""

from __future__ import annotations

import math
import numbers
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np

from foldse.classifiers.prediction import ProgramClassifier
from foldse.editing.expert import expert_rules
from foldse.editing.vocabulary import Vocabulary
from foldse.learning.covering import ClassWeights, Induction, InductionOptions
from foldse.learning.rule_list import RuleList, TiedClasses, learn_all_classes, learn_one_class
from foldse.learning.training import TrainingData
from foldse.learning.weights import IntegerWeights
from foldse.model.confidence import Confidence
from foldse.model.literals import Literal, Op
from foldse.model.rule import Rule
from foldse.model.rules import RuleSet
from foldse.reading.encoding import EncodedTable
from foldse.search.candidates import bits_of
from foldse.search.examples import SearchOptions
from foldse.search.ties import TIES, order_ties

__all__ = ["RuleClassifier"]

UPPER_BOUNDS = frozenset({Op.LE, Op.NOT_GT})  # hold of what is small
LOWER_BOUNDS = frozenset({Op.GT, Op.NOT_LE})
CHOICES = {"remove_covered": ("all", "correct"), "ties": TIES, "blocking": ("value", "comparison")}


class RuleClassifier(ProgramClassifier):
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
    max_rule_length: int | None = None
    abstain: Any = False
    expert_rules: Any = None
    exclude_features: Sequence[str] | None = None
    operators: Sequence[str] | None = None
    directions: Mapping[str, str] | None = None
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
        most = self.max_rule_length
        is_count = isinstance(most, numbers.Integral) and not isinstance(most, bool)
        if most is not None and not (is_count and most > 0):
            raise ValueError(f"max_rule_length must be a whole number above 0 or None, got {most!r}")
        self._check_restrictions()
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                raise ValueError(f"{name} must be one of {', '.join(known)}; got {getattr(self, name)!r}")

    def _learn(self, data: TrainingData) -> None:
        self._check_directions(data.table)
        self._set_program(self.induce(self._with_given(data)))
        self._warn_of_no_rules()

    def _warn_of_no_rules(self) -> None:
        if self.rules_.rules or len(self.classes_) < 2:
            return
        ways = "a smaller tail or a larger ratio"
        if self.confidence_threshold is not None:
            ways += f", or a confidence_threshold below {self.confidence_threshold:g},"
        label = self.rules_.otherwise
        outcome = "no row gets a label" if label is None else f"every row is predicted as {label!r}"
        warnings.warn(
            f"no valid rule was found: {outcome}; {ways} may give rules",
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
        self.rules_ = self.simplified(raw)
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
        decided = np.zeros(data.n_rows, dtype=np.uint8)
        given = tuple(self._given(data, classes, decided))
        table = self._searched(order_ties(data.table, self.ties))
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
                self.max_rule_length,
            ),
        )
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
            given
            + tuple(
                rule.translate(table, scale, heads[head], confidence)
                for head, rule, confidence in learned.rules
            ),
            features=data.names,
            target=data.target,
            classes=tuple(heads),
            default=heads[default],
            default_support=tuple((learned.default_support() / scale).tolist()),
            reader=self._schema(),
            abstain=self.abstain,
        )
        if self.confidence_threshold is None:
            return rules
        kept = tuple(
            rule
            for rule in rules
            if rule.origin != "learned" or rule.confidence.value >= self.confidence_threshold  # type: ignore[union-attr]
        )
        if len(kept) == len(rules):
            return rules
        shares = None if weights is None else weights.values / scale
        return _with_supports(replace(rules, rules=kept), data, shares)

    def _with_given(self, data: TrainingData) -> TrainingData:
        """Return the data with the rules that come before those learned, checked against the whole table."""
        if self.expert_rules is None:
            return data
        labels = tuple(data.classes.tolist())
        vocabulary = Vocabulary.of_table(data.table, self.feature_types_, data.target, labels)
        return replace(data, given=expert_rules(self.expert_rules, vocabulary))

    def _given(self, data: TrainingData, classes: ClassWeights, decided: np.ndarray) -> Iterator[Rule]:
        """Yield the rules that come before those learned, and mark the rows that they decide."""
        labels = data.classes.tolist()
        for rule, value in data.given:
            if rule.head not in labels:
                continue  # among some of the rows
            fires = np.flatnonzero(rule.covers(data.table) & (decided == 0)).astype(np.uint32)
            support = classes.of(fires) / classes.scale
            head = labels.index(rule.head)
            sure = Confidence.of(support[head], support.sum()) if value is None else Confidence.given(value)
            decided[fires] = 1
            yield replace(rule, support=tuple(support.tolist()), confidence=sure)

    def simplified(self, raw: RuleSet) -> RuleSet:
        """Return a program in fewer literals, all of which the parameters allow."""
        restricted = self.operators is not None or self.directions is not None
        return raw.simplified(self.max_rule_length, self._may_stand if restricted else None)

    def _may_stand(self, literal: Literal) -> bool:
        return literal.op in self._ops_of(literal.feature)

    def _ops_of(self, feature: str) -> frozenset[Op]:
        """Return the comparisons that literals may make of a feature."""
        ops = frozenset(Op if self.operators is None else map(Op, self.operators))
        if not self.negated_thresholds:
            ops -= {Op.NOT_LE, Op.NOT_GT}
        direction = (self.directions or {}).get(feature)
        return ops if direction is None else ops - UPPER_BOUNDS if direction == "up" else ops - LOWER_BOUNDS

    def _searched(self, table: EncodedTable) -> EncodedTable:
        """Return a table without the features, and the comparisons, that no literal may have."""
        if self.exclude_features is not None:
            excluded = {str(name) for name in self.exclude_features}
            kept = [i for i, feature in enumerate(table.features) if feature.name not in excluded]
            if not kept:
                raise ValueError("exclude_features names every column; leave at least one to learn from")
            table = table.reordered(kept, table.last_first[kept].tolist())
        if self.operators is None and self.directions is None:
            return table
        allowed = [bits_of(self._ops_of(feature.name)) for feature in table.features]
        return replace(table, allowed=np.array(allowed, dtype=np.int64))

    def _check_restrictions(self) -> None:
        if self.operators is not None:
            known = ", ".join(Op)
            if isinstance(self.operators, str) or not len(self.operators):
                raise ValueError(f"operators must be a list of some of {known}; got {self.operators!r}")
            for op in self.operators:
                if op not in list(Op):
                    raise ValueError(f"operators has {op!r}; it must be some of {known}")
        for feature, direction in (self.directions or {}).items():
            if direction not in ("up", "down"):
                raise ValueError(f"directions[{feature!r}] must be 'up' or 'down', got {direction!r}")

    def _check_directions(self, table: EncodedTable) -> None:
        """Refuse a direction of a column without a number."""
        for feature in table.features:
            if feature.name in (self.directions or {}) and not feature.n_numbers:
                raise ValueError(
                    f"directions names {feature.name!r}, a column of categories: it has no thresholds"
                )


def _with_supports(rules: RuleSet, data: TrainingData, weights: np.ndarray | None) -> RuleSet:
    """Return a program with the weights of the rows that each rule decides, and of those that none does."""
    cells = rules.first_firing(data.table) * len(data.classes) + data.labels
    sums = np.bincount(cells, weights, minlength=(len(rules) + 1) * len(data.classes)).astype(float)
    supports = [tuple(row) for row in sums.reshape(-1, len(data.classes)).tolist()]
    listed = (replace(rule, support=support) for rule, support in zip(rules, supports, strict=False))
    return replace(rules, rules=tuple(listed), default_support=supports[-1])
