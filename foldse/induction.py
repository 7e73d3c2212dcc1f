"""Learning rules: one rule, a set of rules for one class, an ordered list for more classes.

Rules are learned in codes (`CodeRule`) and translated once they are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from foldse.counting import rows_with, without
from foldse.encoding import EncodedTable
from foldse.rules import Rule
from foldse.search import CodeLiteral, Examples, SearchOptions

Weigh: TypeAlias = Callable[[np.ndarray], tuple[float, ...]]

__all__ = ["CodeRule", "Induction", "LearnedRules", "learn_all_classes", "learn_one_class"]


@dataclass(frozen=True, slots=True)
class CodeRule:
    """A learned rule and the rows of the examples, at the time it was learned, for which it fires."""

    body: tuple[CodeLiteral, ...]
    exceptions: tuple[CodeRule, ...]
    covered_positive: np.ndarray
    covered_negative: np.ndarray

    def translate(self, table: EncodedTable, head: object, support: tuple[float, ...], weigh: Weigh) -> Rule:
        """Return the rule in terms of the table's values.

        Parameters
        ----------
        table : EncodedTable
        head : object
        support : tuple of float
            Of the rule itself.
        weigh : callable
            Returns the weight of some rows by class: the support of an exception.
        """
        return Rule(
            head,
            tuple(table.literal(x.feature, x.code, x.op) for x in self.body),
            tuple(
                exception.translate(
                    table,
                    None,
                    weigh(np.concatenate((exception.covered_positive, exception.covered_negative))),
                    weigh,
                )
                for exception in self.exceptions
            ),
            support,
        )


class Induction:
    """Learns default rules with exceptions from the examples of one table.

    Parameters
    ----------
    table : EncodedTable
    options : SearchOptions
    ratio : float
        A rule is specialised until it covers at most `ratio` times as many negatives as positives.
    min_cover : int, at least 1
        A rule that covers less weight of its positives is dropped and ends its set: the paper's tail.
    prune_exceptions : bool, default=True
        Whether that holds for exceptions, too.

    Notes
    -----
    The two listings of the FOLD-SE paper (LearnRuleSet and LearnRule), with what they leave open settled
    as its programs show: a literal blocks its value in its rule and in the exceptions below it, not in
    the rule's siblings; the literal search that ends a rule without a valid literal leaves the rule
    without exceptions; exceptions are learned with positives and negatives exchanged.
    """

    def __init__(
        self,
        table: EncodedTable,
        options: SearchOptions,
        ratio: float,
        min_cover: int = 1,
        prune_exceptions: bool = True,
    ):
        self.table, self.options, self.ratio = table, options, ratio
        self.min_cover = max(1, min_cover)
        self.min_cover_of_exceptions = self.min_cover if prune_exceptions else 1
        self._blocked = table.infinities()
        self._marks = np.zeros(table.n_rows, dtype=np.uint8)  # scratch space, always left at zero

    def rules(self, examples: Examples) -> Iterator[CodeRule]:
        """Yield rules until the positives are covered or a rule is invalid (LearnRuleSet)."""
        return self._rules(examples, self.min_cover)

    def rule(self, examples: Examples) -> CodeRule | None:
        """Return one rule, or None if it is invalid (LearnRule)."""
        return self._rule(examples, self.min_cover)

    def _rules(self, examples: Examples, min_cover: int) -> Iterator[CodeRule]:
        # With fewer positives than a rule has to cover no rule is valid: that needs no search.
        while examples.n_positive >= min_cover:
            rule = self._rule(examples, min_cover)
            if rule is None:
                return
            yield rule
            examples = examples.without_positives(rule.covered_positive, self._marks)

    def _rule(self, examples: Examples, min_cover: int) -> CodeRule | None:
        body: list[CodeLiteral] = []
        exceptions: tuple[CodeRule, ...] = ()
        while True:
            literal = examples.best_literal(self.options, self._blocked)
            if literal is None:
                break
            body.append(literal)
            self._blocked.append(int(self.table.offsets[literal.feature]) + literal.code)
            examples = examples.narrowed(literal, last_use=len(body) > 1)
            if examples.n_positive < min_cover:
                break  # whatever comes now, the rule will not cover enough
            if examples.n_negative <= examples.n_positive * self.ratio:
                exceptions = tuple(self._rules(examples.exchanged(), self.min_cover_of_exceptions))
                break
        del self._blocked[len(self._blocked) - len(body) :]
        if not body:
            return None
        rule = self._covering(body, exceptions, examples)
        return rule if examples.weigh(rule.covered_positive) >= min_cover else None

    def _covering(
        self, body: list[CodeLiteral], exceptions: tuple[CodeRule, ...], examples: Examples
    ) -> CodeRule:
        """Return a rule with what its exceptions leave it of the examples of its body.

        The exceptions were learned on the same examples exchanged, so the two sides change places, too.
        """
        positive, negative = examples.positive, examples.negative
        for exception in exceptions:
            positive = without(positive, exception.covered_negative, self._marks)
            negative = without(negative, exception.covered_positive, self._marks)
        return CodeRule(tuple(body), exceptions, positive, negative)


@dataclass(frozen=True, slots=True)
class LearnedRules:
    """An ordered rule list over all classes, in codes.

    Attributes
    ----------
    rules : tuple of (int, CodeRule)
        Each with the position of the class it concludes.
    first_rule : numpy.ndarray of int32, shape (n_rows,)
        For each training row the position of the first rule that fires; ``len(rules)`` where none does.
    """

    rules: tuple[tuple[int, CodeRule], ...]
    first_rule: np.ndarray


def learn_one_class(
    induction: Induction, labels: np.ndarray, positive: int, weights: np.ndarray | None
) -> LearnedRules:
    """Learn rules for one class against the rest.

    Parameters
    ----------
    induction : Induction
    labels : numpy.ndarray of int, shape (n_rows,)
        Position of each row's class.
    positive : int
        The class to learn rules for.
    weights : numpy.ndarray of int64 or None

    Returns
    -------
    LearnedRules
    """
    is_positive = (labels == positive).view(np.uint8)
    examples = Examples(induction.table, rows_with(is_positive, 1), rows_with(is_positive, 0), weights)
    rules = tuple((positive, rule) for rule in induction.rules(examples))
    return LearnedRules(rules, _first_rule(rules, len(labels)))


def learn_all_classes(
    induction: Induction,
    labels: np.ndarray,
    n_classes: int,
    weights: np.ndarray | None,
    drop_wrong: bool = True,
) -> LearnedRules:
    """Learn an ordered rule list for all classes: FOLD-SE-M, or FOLD-RM with FOLD-R++'s options.

    Parameters
    ----------
    induction : Induction
    labels : numpy.ndarray of int, shape (n_rows,)
        Position of each row's class.
    n_classes : int
    weights : numpy.ndarray of int64 or None
    drop_wrong : bool, default=True
        Whether rows of another class that a rule covers are dropped, too, or left to the rules after it.

    Returns
    -------
    LearnedRules

    Notes
    -----
    While rows remain, one rule is learned for the class with the largest remaining weight (of several the
    first), and the rows that it covers are dropped. An invalid rule ends the list. The paper does not say
    whether rows of another class are dropped with them.
    """
    rules: list[tuple[int, CodeRule]] = []
    # By class the rows that no rule covers yet.
    remaining = [rows_with(labels, label) for label in range(n_classes)]
    marks = np.zeros(len(labels), dtype=np.uint8)
    while any(len(rows) for rows in remaining):
        sizes = [len(rows) if weights is None else int(weights[rows].sum()) for rows in remaining]
        positive = int(np.argmax(sizes))
        others = np.concatenate([rows for label, rows in enumerate(remaining) if label != positive])
        rule = induction.rule(Examples(induction.table, remaining[positive], np.sort(others), weights))
        if rule is None:
            break
        rules.append((positive, rule))
        for label, rows in enumerate(remaining):
            if label == positive:
                remaining[label] = without(rows, rule.covered_positive, marks)
            elif drop_wrong:
                remaining[label] = without(rows, rule.covered_negative, marks)
    return LearnedRules(tuple(rules), _first_rule(rules, len(labels)))


def _first_rule(rules: Sequence[tuple[int, CodeRule]], n_rows: int) -> np.ndarray:
    first = np.full(n_rows, len(rules), dtype=np.int32)
    for position in range(len(rules) - 1, -1, -1):
        _, rule = rules[position]
        first[rule.covered_positive] = position
        first[rule.covered_negative] = position
    return first
