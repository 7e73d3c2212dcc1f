"""Learning rules: one rule, and a set of rules for one class (the two loops of the paper).

Rules are learned in codes (`CodeRule`) and translated once they are found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from foldse.learning.pruning import prune
from foldse.learning.rule import CodeRule
from foldse.reading.encoding import EncodedTable
from foldse.search.candidates import blocked_by, blocked_from_start
from foldse.search.examples import CodeLiteral, Examples, SearchOptions
from foldse.search.rows import NO_MARKS, NO_ROWS, add_by_label
from foldse.search.workspace import Workspace

__all__ = ["ClassWeights", "Induction", "InductionOptions"]


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
    scale : float, default=1
        What a weight of 1 is in `weights`.
    """

    labels: np.ndarray
    n_classes: int
    weights: np.ndarray | None = None
    scale: float = 1

    def of(self, *parts: np.ndarray) -> np.ndarray:
        """Return the weight of each class among some rows, as int64 of shape (n_classes,)."""
        sums = np.zeros(self.n_classes, dtype=np.int64)
        for rows in parts:
            add_by_label(rows, self.labels, self.weights, NO_MARKS, sums)
        return sums


@dataclass(frozen=True, slots=True)
class InductionOptions:
    """When a rule is long enough, which rules are valid, and what exceptions do.

    Attributes
    ----------
    ratio : float, at least 0
        A rule is specialised until it covers at most `ratio` times as many negatives as positives.
    min_cover : int, default=1
        A rule that covers less weight of its positives is dropped and ends its set: the paper's tail.
    prune_exceptions : bool, default=True
        Whether that holds for exceptions, too.
    exceptions_remove_all : bool, default=False
        Whether the examples of both classes that an exception covers are left out of the search for the next
        one, as in CON-FOLD; by default those only that it covers correctly.
    min_improvement : float, optional
        An exception by which the confidence of its rule grows less is removed, see `foldse.learning.pruning`;
        by default all stay.
    max_rule_length : int, optional
        A rule, and an exception, is specialised by at most so many literals; what negatives remain are left
        to its exceptions.
    """

    ratio: float
    min_cover: int = 1
    prune_exceptions: bool = True
    exceptions_remove_all: bool = False
    min_improvement: float | None = None
    max_rule_length: int | None = None


class Induction:
    """Learns default rules with exceptions from the examples of one table.

    Parameters
    ----------
    table : EncodedTable
    classes : ClassWeights
    search : SearchOptions
    options : InductionOptions
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
        search: SearchOptions,
        options: InductionOptions,
        workspace: Workspace | None = None,
    ):
        self.table, self.classes, self.search, self.options = table, classes, search, options
        self.min_cover = max(1, options.min_cover)
        self._blocked = list(blocked_from_start(table))
        self._workspace = workspace or Workspace(table, classes.weights is not None)

    def examples(self, positive: np.ndarray, negative: np.ndarray) -> Examples:
        """Return rows of the table, which will be permuted, as examples."""
        return Examples(self.table, positive, negative, self.classes.weights, self._workspace)

    def rules(self, examples: Examples) -> Iterator[CodeRule]:
        """Yield rules until the positives are covered or a rule is invalid (LearnRuleSet)."""
        # With fewer positives than a rule has to cover no rule is valid: that needs no search.
        while examples.n_positive >= self.min_cover:
            rule = self.rule(examples)
            if rule is None:
                return
            # What the rule covers has been moved to the front.
            examples = examples.without_covered(len(rule.covered_positive))
            yield rule

    def rule(self, examples: Examples) -> CodeRule | None:
        """Return one rule, or None if it is invalid (LearnRule)."""
        rule = self._rule(examples, self.min_cover)
        if rule is None or self.options.min_improvement is None or not rule.exceptions:
            return rule
        pruned = prune(rule, self.table, examples, self.options.min_improvement, self.classes.scale)
        positive = examples.move_to_front(pruned.covers(self.table, examples.positive))
        negative = examples.negative[pruned.covers(self.table, examples.negative)]
        return replace(
            pruned,
            support=self.classes.of(positive, negative),
            covered_positive=positive,
            covered_negative=negative,
        )

    def _rule(self, examples: Examples, min_cover: int) -> CodeRule | None:
        ratio, max_rule_length = self.options.ratio, self.options.max_rule_length
        body: list[CodeLiteral] = []
        exceptions: list[CodeRule] = []
        n_blocked = len(self._blocked)
        while True:
            literal = examples.best_literal(self.search, self._blocked)
            if literal is None:
                break
            body.append(literal)
            position = int(self.table.offsets[literal.feature]) + literal.code
            self._blocked += blocked_by(position, None if self.search.blocks_value else literal.op)
            examples = examples.subset(literal, last_use=len(body) > 1)
            if examples.n_positive < min_cover:
                break  # whatever comes now, the rule will not cover enough
            if examples.n_negative <= examples.n_positive * ratio or len(body) == max_rule_length:
                exceptions = self._exceptions(examples)
                break
        del self._blocked[n_blocked:]
        if not body:
            return None
        # The exceptions were learned on the same examples exchanged: the two sides change places, and what
        # they cover correctly is in front.
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
        min_cover = self.min_cover if self.options.prune_exceptions else 1
        rest, found = examples.swap_classes(), []
        while rest.n_positive >= min_cover:
            exception = self._rule(rest, min_cover)
            if exception is None:
                break
            # What it covers wrongly would be permuted by the search for the next.
            wrong = exception.covered_negative.copy()
            found.append(replace(exception, covered_negative=wrong))
            rest = rest.without_covered(
                len(exception.covered_positive), wrong if self.options.exceptions_remove_all else NO_ROWS
            )
        return found
