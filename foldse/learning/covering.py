"""Learning rules: one rule, a set of rules for one class, an ordered list for more classes.

Rules are learned in codes (`CodeRule`) and translated once they are found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from foldse.model.rule import Rule
from foldse.reading.encoding import EncodedTable
from foldse.search.candidates import blocked_by, blocked_from_start
from foldse.search.examples import CodeLiteral, Examples, SearchOptions
from foldse.search.rows import (
    NO_MARKS,
    NO_ROWS,
    add_by_label,
    split_by_label,
)
from foldse.search.workspace import Workspace

__all__ = ["ClassWeights", "CodeRule", "Induction", "RuleList", "learn_all_classes", "learn_one_class"]


@dataclass(frozen=True, slots=True)
class ClassWeights:
    """What rows weigh, by class.

    Attributes
    ----------
    labels : numpy.ndarray of int, shape (n_rows,)
        Position of each row's class.
    n_classes : int
    weights : numpy.ndarray of int64, shape (n_rows,), optional
        1 a row by default.
    """

    labels: np.ndarray
    n_classes: int
    weights: np.ndarray | None = None

    def of(self, *parts: np.ndarray) -> np.ndarray:
        """Return the weight of each class among some rows, as int64 of shape (n_classes,)."""
        sums = np.zeros(self.n_classes, dtype=np.int64)
        for rows in parts:
            add_by_label(rows, self.labels, self.weights, NO_MARKS, sums)
        return sums


@dataclass(frozen=True, slots=True)
class CodeRule:
    """A learned rule in codes.

    Attributes
    ----------
    body : tuple of CodeLiteral
    exceptions : tuple of CodeRule
        Without their rows.
    support : numpy.ndarray of int64, shape (n_classes,)
        Weight by class of the examples that it fires on.
    covered_positive, covered_negative : numpy.ndarray of uint32
        The examples, at the time it was learned, that it fires on. The positives are the first of those it
        was learned from, which later searches leave alone. The negatives are a view of rows that the next
        search permutes.
    """

    body: tuple[CodeLiteral, ...]
    exceptions: tuple[CodeRule, ...]
    support: np.ndarray
    covered_positive: np.ndarray
    covered_negative: np.ndarray

    def drop_rows(self, support: np.ndarray | None = None) -> CodeRule:
        """Return the rule without what takes memory, and with another support if one is given."""
        return CodeRule(
            self.body, self.exceptions, self.support if support is None else support, NO_ROWS, NO_ROWS
        )

    def translate(self, table: EncodedTable, scale: float, head: object = None) -> Rule:
        """Return the rule in terms of the table's values.

        Parameters
        ----------
        table : EncodedTable
        scale : float
            What a weight of 1 is in supports.
        head : object
        """
        return Rule(
            head,
            tuple(table.literal(x.feature, x.code, x.op) for x in self.body),
            tuple(exception.translate(table, scale) for exception in self.exceptions),
            tuple((self.support / scale).tolist()),
        )


class Induction:
    """Learns default rules with exceptions from the examples of one table.

    Parameters
    ----------
    table : EncodedTable
    classes : ClassWeights
    options : SearchOptions
    ratio : float
        A rule is specialised until it covers at most `ratio` times as many negatives as positives.
    min_cover : int, at least 1
        A rule that covers less weight of its positives is dropped and ends its set: the paper's tail.
    prune_exceptions : bool, default=True
        Whether that holds for exceptions, too.
    workspace : Workspace, optional
        Of the table; by default one of its own.

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
        classes: ClassWeights,
        options: SearchOptions,
        ratio: float,
        min_cover: int = 1,
        prune_exceptions: bool = True,
        workspace: Workspace | None = None,
    ):
        self.table, self.classes, self.options, self.ratio = table, classes, options, ratio
        self.min_cover = max(1, min_cover)
        self.min_cover_of_exceptions = self.min_cover if prune_exceptions else 1
        self._blocked = list(blocked_from_start(table))
        self._workspace = workspace or Workspace(table, classes.weights is not None)

    def examples(self, positive: np.ndarray, negative: np.ndarray) -> Examples:
        """Return rows of the table, which will be permuted, as examples."""
        return Examples(self.table, positive, negative, self.classes.weights, self._workspace)

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
            # Partitioning has moved what the rule covers to the front.
            examples = examples.without_covered(len(rule.covered_positive))
            yield rule

    def _rule(self, examples: Examples, min_cover: int) -> CodeRule | None:
        body: list[CodeLiteral] = []
        exceptions: list[CodeRule] = []
        n_blocked = len(self._blocked)
        while True:
            literal = examples.best_literal(self.options, self._blocked)
            if literal is None:
                break
            body.append(literal)
            position = int(self.table.offsets[literal.feature]) + literal.code
            self._blocked += blocked_by(position, None if self.options.blocks_value else literal.op)
            examples = examples.subset(literal, last_use=len(body) > 1)
            if examples.n_positive < min_cover:
                break  # whatever comes now, the rule will not cover enough
            if examples.n_negative <= examples.n_positive * self.ratio:
                exceptions = self._exceptions(examples)
                break
        del self._blocked[n_blocked:]
        if not body:
            return None
        # The exceptions were learned on the same examples exchanged: the two sides change places, and what
        # they cover rightly is in front.
        positive, negative = examples.subtract(
            [exception.covered_negative for exception in exceptions],
            sum(len(exception.covered_positive) for exception in exceptions),
        )
        if examples.weigh(positive) < min_cover:
            return None
        kept = tuple(exception.drop_rows() for exception in exceptions)
        return CodeRule(tuple(body), kept, self.classes.of(positive, negative), positive, negative)

    def _exceptions(self, examples: Examples) -> list[CodeRule]:
        """Learn the exceptions of a rule whose body leaves some examples."""
        return [
            # What an exception covers wrongly would be permuted by the search for the next.
            replace(exception, covered_negative=exception.covered_negative.copy())
            for exception in self._rules(examples.swap_classes(), self.min_cover_of_exceptions)
        ]


@dataclass(slots=True)
class RuleList:
    """An ordered list of rules, made rule by rule; the first that fires decides a row.

    Parameters
    ----------
    classes : ClassWeights

    Attributes
    ----------
    rules : list of (int, CodeRule)
        Each with the position of the class it concludes; its support is of the rows that it decides.
    """

    classes: ClassWeights
    rules: list[tuple[int, CodeRule]] = field(init=False, default_factory=list)
    _decided: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self._decided = np.zeros(len(self.classes.labels), dtype=np.uint8)

    def append(self, head: int, rule: CodeRule) -> None:
        """Add a rule, which decides those of its rows that no rule before it does."""
        support = np.zeros(self.classes.n_classes, dtype=np.int64)
        for rows in (rule.covered_positive, rule.covered_negative):
            add_by_label(rows, self.classes.labels, self.classes.weights, self._decided, support)
        self.rules.append((head, rule.drop_rows(support)))

    def default_support(self) -> np.ndarray:
        """Return the weight by class of the rows that no rule decides."""
        everything = self.classes.of(np.arange(len(self._decided), dtype=np.uint32))
        return everything - sum(rule.support for _, rule in self.rules)


def learn_one_class(induction: Induction, positive: int) -> RuleList:
    """Learn rules for one class against the rest.

    Parameters
    ----------
    induction : Induction
    positive : int
        Position of the class to learn rules for.

    Returns
    -------
    RuleList
    """
    classes = induction.classes
    rules = RuleList(classes)
    for rule in induction.rules(induction.examples(*split_by_label(classes.labels, positive))):
        rules.append(positive, rule)
    return rules


def learn_all_classes(
    induction: Induction, keep_wrong: bool = False, stop_at_invalid: bool = False
) -> RuleList:
    """Learn an ordered rule list for all classes: FOLD-SE-M, or FOLD-RM with FOLD-R++'s options.

    Parameters
    ----------
    induction : Induction
    keep_wrong : bool, default=False
        Whether rows of another class that a rule covers are left to the rules after it; by default they are
        removed, too.
    stop_at_invalid : bool, default=False
        Whether the list ends where the most frequent class yields no valid rule; by default the next most
        frequent one is tried, until none yields a rule.

    Returns
    -------
    RuleList

    Notes
    -----
    While rows remain, one rule is learned for the class with the largest remaining weight (of several the
    first), and the rows that it covers are removed. The paper does not say whether rows of another class
    are removed with them, nor what follows an invalid rule: as it is listed, and in FOLD-RM's code, the list
    ends.
    """
    classes = induction.classes
    rules = RuleList(classes)
    removed = np.zeros(len(classes.labels), dtype=np.uint8)
    remaining = classes.of(np.arange(len(removed), dtype=np.uint32))
    while remaining.any():
        most_frequent = np.argsort(-remaining, kind="stable")[: np.count_nonzero(remaining)]
        for positive in most_frequent[:1] if stop_at_invalid else most_frequent:
            rule = induction.rule(induction.examples(*split_by_label(classes.labels, positive, removed)))
            if rule is not None:
                break
        else:
            break
        rules.append(int(positive), rule)
        covered = [rule.covered_positive, *([] if keep_wrong else [rule.covered_negative])]
        remaining -= classes.of(*covered)
        for rows in covered:
            removed[rows] = 1
    return rules
