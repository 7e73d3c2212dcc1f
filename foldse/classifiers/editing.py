"""Changing the program of a fitted classifier, and counting anew what its rules cover."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from foldse.classifiers.base import TableClassifier
from foldse.editing.doubts import warn_of_doubts
from foldse.editing.forms import rebuilt, rules_of
from foldse.editing.measure import measured
from foldse.editing.vocabulary import Vocabulary
from foldse.learning.weights import IntegerWeights, weights_by_class
from foldse.model.rule import Rule
from foldse.model.rules import RuleSet
from foldse.reading.containers import as_table

__all__ = ["EditableRules"]


class EditableRules(TableClassifier):
    """What is done to a program after it was learned; a fitted classifier itself is never changed."""

    rules_: RuleSet
    raw_rules_: RuleSet

    def with_rules(self, rules: Any, default: Any = None) -> Self:
        """Return a classifier with other rules.

        Parameters
        ----------
        rules : str, Rule, RuleSet, mapping, or iterable of these
            All rules of the new program, in order: text as a program prints, see `foldse.parse_rules`; rules
            as objects; or as they stand in a model file (the items of ``"rules"``).
        default : object, optional
            The label of a row for which no rule fires; by default what the model says now.

        Returns
        -------
        Self
            A fitted classifier. A rule that this one has, too, keeps its origin, the others are ``"edited"``
            unless they say ``"expert"``. Supports are kept up to the first rule that differs; those after it
            are not known until `remeasure` counts them.

        Raises
        ------
        ValueError, TypeError
            If a rule cannot be read, or names a column, type of category or label that the model does not
            have; of text a `RuleSyntaxError`, which says the line and the column.

        Warns
        -----
        UserWarning
            Of a rule that can never fire, or that an earlier one covers.
        """
        check_is_fitted(self)
        return self._edited(self._read_rules(rules), default)

    def add_rules(self, rules: Any, position: int | None = None) -> Self:
        """Return a classifier with further rules.

        Parameters
        ----------
        rules : str, Rule, RuleSet, mapping, or iterable of these
            As for `with_rules`.
        position : int, optional
            Before which rule, counted from 0; by default after the last, where they decide only what no other
            rule does.

        Returns
        -------
        Self
            As of `with_rules`.

        Raises
        ------
        ValueError, TypeError
            As of `with_rules`, and if there is no such position.
        """
        check_is_fitted(self)
        n_rules = len(self.rules_)
        place = n_rules if position is None else self._position(position, n_rules + 1)
        old = self.rules_.rules
        return self._edited((*old[:place], *self._read_rules(rules), *old[place:]))

    def replace_rule(self, position: int, rules: Any) -> Self:
        """Return a classifier with other rules in the place of one.

        Parameters
        ----------
        position : int
            Which rule, counted from 0.
        rules : str, Rule, RuleSet, mapping, or iterable of these
            As for `with_rules`.

        Returns
        -------
        Self
            As of `with_rules`.

        Raises
        ------
        ValueError, TypeError
            As of `with_rules`, and if there is no such rule.
        """
        check_is_fitted(self)
        place, old = self._position(position, len(self.rules_)), self.rules_.rules
        return self._edited((*old[:place], *self._read_rules(rules), *old[place + 1 :]))

    def drop_rules(self, *positions: int) -> Self:
        """Return a classifier without some of its rules.

        Parameters
        ----------
        *positions : int
            Which rules, counted from 0.

        Returns
        -------
        Self
            As of `with_rules`.

        Raises
        ------
        ValueError
            If there is no such rule.
        """
        check_is_fitted(self)
        dropped = {self._position(position, len(self.rules_)) for position in positions}
        return self._edited(tuple(rule for i, rule in enumerate(self.rules_) if i not in dropped))

    def reorder_rules(self, order: Sequence[int]) -> Self:
        """Return a classifier with its rules in another order.

        Parameters
        ----------
        order : sequence of int
            The present positions of the rules, counted from 0, in their new order; each once.

        Returns
        -------
        Self
            As of `with_rules`.

        Raises
        ------
        ValueError
            If a rule is left out or named twice.
        """
        check_is_fitted(self)
        places = [self._position(position, len(self.rules_)) for position in order]
        if sorted(places) != list(range(len(self.rules_))):
            raise ValueError(
                f"order is {list(order)}; it must name each of the {len(self.rules_)} rules once, from 0"
            )
        return self._edited(tuple(self.rules_[place] for place in places))

    def remeasure(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Return a classifier whose rules have the coverage that they have on given rows.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As for `predict`.
        y : array-like of shape (n_rows,)
            Labels of the model.
        sample_weight : array-like of shape (n_rows,), optional
            As for `fit`; ``class_weight`` is applied as there.

        Returns
        -------
        Self
            With new supports and confidences, and so with other shares of `predict_proba`: of a rule the
            weight of the rows that it decides, of an exception of those that it withholds from its rule, see
            `foldse.editing.measure.measured`. The rules themselves are the same.

        Raises
        ------
        ValueError, TypeError
            As of `predict`; and if `y` has another length or a label that the model does not know.
        """
        check_is_fitted(self)
        X = as_table(X)
        labels = self._known_labels(y, len(X))
        given = None if sample_weight is None else IntegerWeights.of(sample_weight, len(labels))
        weights = weights_by_class(self.class_weight, self.rules_.classes, labels, given)
        counted = measured(
            self.rules_,
            self._columns(X, self.rules_.used_features),
            labels,
            *(() if weights is None else (weights.values, weights.scale)),
        )
        return self._with_program(counted)

    def _known_labels(self, y: Any, n_rows: int) -> np.ndarray:
        """Return the positions of labels among those of the model."""
        reader = clone(self)
        _, labels = reader._read_labels(y, n_rows)
        vocabulary = Vocabulary.of(self)
        places = {label: place for place, label in enumerate(self.rules_.classes)}
        try:
            known = [places[vocabulary.same_label(label)] for label in reader.classes_.tolist()]
        except ValueError as error:
            raise ValueError(f"y has a label that the model does not know: {error}") from None
        return np.array(known, dtype=np.intp)[labels]

    def _position(self, position: int, end: int) -> int:
        if (
            not isinstance(position, int | np.integer)
            or isinstance(position, bool)
            or not 0 <= position < end
        ):
            known = f"it must be 0 to {end - 1}" if end else "there are no rules"
            raise ValueError(f"position is {position!r}; {known}")
        return int(position)

    def _read_rules(self, given: Any) -> tuple[Rule, ...]:
        return rules_of(given, Vocabulary.of(self), "edited")

    def _edited(self, rules: tuple[Rule, ...], default: Any = None) -> Self:
        """Return a classifier with other rules, which keep what is still true of them."""
        old = self.rules_
        known = {rule: rule for rule in reversed(old.rules)}
        n_same = 0
        while n_same < min(len(rules), len(old)) and rules[n_same] == old[n_same]:
            n_same += 1
        edited = [known.get(rule, rule) for rule in rules[n_same:]]
        uncounted = (rebuilt(rule, _uncounted) for rule in edited)
        program = replace(
            old,
            rules=(*old[:n_same], *uncounted),
            default=old.default if default is None else Vocabulary.of(self).same_label(default),
            default_support=old.default_support if n_same == len(rules) == len(old) else (),
            abstain=old.abstain if default is None else False,
        )
        warn_of_doubts(program)
        edited_clf = self._with_program(program)
        if program.abstain is not old.abstain:
            edited_clf.set_params(abstain=False)
        return edited_clf

    def _with_program(self, program: RuleSet) -> Self:
        """Return a copy with another program; the rules as they were learned stay if they are the same."""
        edited = copy.copy(self)
        is_same = program.rules == self.rules_.rules
        edited.raw_rules_ = (
            replace(self.raw_rules_, default=program.default, abstain=program.abstain) if is_same else program
        )
        edited.rules_ = program
        edited.n_rules_, edited.n_predicates_ = program.n_rules, program.n_predicates
        raw = edited.raw_rules_
        edited.n_rules_raw_, edited.n_predicates_raw_ = raw.n_rules, raw.n_predicates
        return edited


def _uncounted(rule: Rule) -> Rule:
    """Return a rule without what was counted of it; a confidence that a person has set stays."""
    is_given = rule.confidence is not None and rule.confidence.evidence is None
    return replace(rule, support=(), confidence=rule.confidence if is_given else None)
