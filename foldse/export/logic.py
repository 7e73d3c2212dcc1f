"""What the logic forms share: the clauses of a program, and the facts of a table."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from foldse.model.lines import predicate_name
from foldse.model.literals import (
    Category,
    Literal,
    Op,
    number_text,
)
from foldse.model.rule import CalledRule
from foldse.model.rules import RuleSet
from foldse.reading.columns import Column

__all__ = ["LogicProgram", "UnwritableTextError", "rules_of"]


class UnwritableTextError(ValueError):
    """Text that a language has no way to write."""


def rules_of(clf: Any) -> RuleSet:
    """Return the rules of a fitted rule learner, or say what is wrong with it."""
    check_is_fitted(clf)
    rules = getattr(clf, "rules_", None)
    if not isinstance(rules, RuleSet):
        raise TypeError(
            f"{type(clf).__name__} has no rules to export; give a FoldSEClassifier or a FoldRPPClassifier"
        )
    return rules


class LogicProgram(ABC):
    """Writes a rule set, and tables for it, as a logic program; a subclass knows one language.

    Parameters
    ----------
    rules : RuleSet
    reserved : collection of str
        Names that the language does not leave to a column.

    Attributes
    ----------
    thresholds : dict of str to numpy.ndarray
        For each feature that is compared by size, the distinct thresholds, ascending.
    categorical : tuple of str
        The features that are compared with a category.
    names : dict of str to str
        The predicate of each feature.

    Notes
    -----
    The lines are the paper's, with ``row(X)`` in front where a rule would begin with a negation, which
    is not a safe start, and with the default as a rule of its own, by negation as failure; a program that
    abstains without a label has none. Rules for
    several classes are an ordered list: ``ruleK`` says that rule K fires, ``earlierK`` that a rule
    before it does, and the head holds if the first is so and the second is not. These predicates have
    one argument and those of columns two or more, so that they never meet.
    """

    def __init__(self, rules: RuleSet, reserved: Collection[str] = ()):
        self.rules = rules
        used: dict[str, set[float]] = {}
        categorical = set()
        for literal in rules.literals():
            if literal.op.is_threshold:
                used.setdefault(literal.feature, set()).add(literal.threshold + 0.0)  # -0.0 is 0.0
            else:
                categorical.add(literal.feature)
        self.thresholds = {f: np.array(sorted(used[f])) for f in rules.features if f in used}
        self.categorical = tuple(f for f in rules.features if f in categorical)
        self.names = rules.predicate_names()
        self._taken = {rules.target, *self.names.values(), *reserved}
        for feature, name in self.names.items():
            if name in reserved:
                self.names[feature] = self.new_name(name)

    def new_name(self, name: str) -> str:
        """Return a predicate name that is not in use, and reserve it."""
        found = predicate_name(name, self._taken)
        self._taken.add(found)
        return found

    # How the language writes things

    @abstractmethod
    def text(self, text: str) -> str:
        """Write text as a term; raise `UnwritableTextError` where that cannot be done."""

    @abstractmethod
    def symbol(self, name: str) -> str:
        """Write a category that is not text: ``missing``, ``true`` or ``false``."""

    @abstractmethod
    def number(self, text: str) -> str:
        """Write a category that is a number."""

    @abstractmethod
    def equality(self, literal: Literal) -> str:
        """Write the goal that a feature holds a category."""

    @abstractmethod
    def comparison(self, literal: Literal, variables: dict[str, str]) -> Iterator[str]:
        """Yield the goals of a comparison by size; `variables` has the features bound so far."""

    @abstractmethod
    def size_facts(self, feature: str, values: np.ndarray) -> Iterator[str]:
        """Yield the facts that comparisons by size need, NaN being no number."""

    @abstractmethod
    def category_facts(self, feature: str, column: Column) -> Iterator[str]:
        """Yield the facts that comparisons with categories need."""

    def binds_row(self, literal: Literal) -> bool:
        """Whether the first goal of a literal binds X."""
        return literal.op is not Op.NE

    def category(self, category: Category) -> str:
        """Write a category; different categories are different terms."""
        if category is None:
            return self.symbol("missing")
        if isinstance(category, bool):
            return self.symbol("true" if category else "false")
        if isinstance(category, str):
            try:
                return self.text(category)
            except UnwritableTextError:
                return f"escaped({self.text(category.encode('unicode_escape').decode('ascii'))})"
        if isinstance(category, int):
            return self.number(str(category))
        return self.number(number_text(category) if math.isfinite(category) else str(category))

    def head(self, label: Any) -> str:
        """Write the atom that a row X has a label."""
        return f"{self.rules.target}(X,{self.text(str(label))})"

    # The program

    @property
    def is_one_class(self) -> bool:
        """Whether all rules conclude one class and the default none or another, so that any order will do."""
        heads, otherwise = {str(rule.head) for rule in self.rules}, self.rules.otherwise
        return len(heads) == 1 and (otherwise is None or str(otherwise) not in heads)

    def clauses(self) -> list[str]:
        """Return the program, line by line; exceptions are numbered as where the rules are printed."""
        walked = list(self.rules.walk())
        rules, exceptions = walked[: len(self.rules)], walked[len(self.rules) :]
        lines = self._one_class(rules) if self.is_one_class else self._ordered(rules)
        return lines + [self._clause(f"{x.name}(X,{self.text('True')})", x) for x in exceptions]

    def _one_class(self, rules: Sequence[CalledRule]) -> list[str]:
        lines = [self._clause(self.head(rule.label), rule) for rule in rules]
        if self.rules.otherwise is not None:
            lines.append(f"{self.head(self.rules.otherwise)} :- row(X), not {self.head(self.rules[0].head)}.")
        return lines

    def _ordered(self, rules: Sequence[CalledRule]) -> list[str]:
        n_rules = len(rules)
        lines = []
        for k, rule in enumerate(rules, 1):
            lines.append(f"{self.head(rule.label)} :- rule{k}(X){f', not earlier{k}(X)' if k > 1 else ''}.")
        otherwise = self.rules.otherwise
        if otherwise is not None:
            none_fires = f", not earlier{n_rules + 1}(X)" if n_rules else ""
            lines.append(f"{self.head(otherwise)} :- row(X){none_fires}.")
        elif not n_rules:  # so that the predicate is known
            lines.append(f"{self.head(self.rules.default)} :- row(X), not row(X).")
        lines += [self._clause(f"rule{k}(X)", rule) for k, rule in enumerate(rules, 1)]
        for k in range(2, n_rules + (1 if otherwise is None else 2)):
            lines += [f"earlier{k}(X) :- earlier{k - 1}(X)."] if k > 2 else []
            lines.append(f"earlier{k}(X) :- rule{k - 1}(X).")
        return lines

    def _clause(self, head: str, called: CalledRule) -> str:
        variables: dict[str, str] = {}
        body = called.rule.body
        goals = [] if self.binds_row(body[0]) else ["row(X)"]
        for literal in body:
            if literal.op.is_threshold:
                goals.extend(self.comparison(literal, variables))
            else:
                goals.append(("not " if literal.op is Op.NE else "") + self.equality(literal))
        goals += [f"not {name}(X,{self.text('True')})" for name in called.exceptions]
        return f"{head} :- {', '.join(goals)}."

    # The facts

    def facts(self, clf: Any, X: Any) -> list[str]:
        """Return the rows of a table as facts, line by line, a predicate's together."""
        columns = clf._columns(X, frozenset((*self.thresholds, *self.categorical)))
        lines = [f"row({row})." for row in range(columns.n_rows)]
        for feature in self.thresholds:
            lines.extend(self.size_facts(feature, columns.numbers(feature)))
        for feature in self.categorical:
            lines.extend(self.category_facts(feature, columns[feature]))
        return lines

    def category_terms(self, column: Column) -> list[str | None]:
        """Return the term of each row's category, None for a number."""
        values = column.distinct()
        terms = [*[None] * values.n_numbers, *(self.category(value) for value in values.categories)]
        return [terms[position] for position in values.positions.tolist()]
