"""Learning an ordered list of rules, for one class or for all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal as Choice
from typing import NamedTuple, TypeAlias

import numpy as np

from foldse.learning.covering import ClassWeights, Induction
from foldse.learning.rule import CodeRule
from foldse.model.confidence import Confidence
from foldse.search.rows import add_by_label, split_by_label

__all__ = ["ListedRule", "RuleList", "TiedClasses", "learn_all_classes", "learn_one_class"]

TiedClasses: TypeAlias = Choice["first", "last_seen"]
"""Which of several classes of the same weight a rule is learned for: the first in the order of the labels,
or the one whose first row comes last."""


class ListedRule(NamedTuple):
    """A rule in its place in a list.

    Attributes
    ----------
    head : int
        Position of the class that it concludes.
    rule : CodeRule
        Its support is of the rows that it decides.
    confidence : Confidence
        On the rows that were left when it was learned.
    """

    head: int
    rule: CodeRule
    confidence: Confidence


@dataclass(slots=True)
class RuleList:
    """An ordered list of rules, made rule by rule; the first that fires decides a row.

    Parameters
    ----------
    classes : ClassWeights
    decided : numpy.ndarray of uint8, shape (n_rows,)
        1 for the rows that other rules decide, which come before these; the rows of a rule that is added are
        marked, too.

    Attributes
    ----------
    rules : list of ListedRule
    """

    classes: ClassWeights
    decided: np.ndarray
    rules: list[ListedRule] = field(init=False, default_factory=list)

    def append(self, head: int, rule: CodeRule) -> None:
        """Add a rule, which decides those of its rows that no rule before it does."""
        support = np.zeros(self.classes.n_classes, dtype=np.int64)
        for rows in (rule.covered_positive, rule.covered_negative):
            add_by_label(rows, self.classes.labels, self.classes.weights, self.decided, support)
        scale = self.classes.scale
        confidence = Confidence.of(rule.support[head] / scale, rule.support.sum() / scale)
        self.rules.append(ListedRule(head, rule.drop_rows(support), confidence))

    def default_support(self) -> np.ndarray:
        """Return the weight by class of the rows that no rule decides."""
        return self.classes.of(np.flatnonzero(self.decided == 0).astype(np.uint32))


def learn_one_class(induction: Induction, positive: int, decided: np.ndarray) -> RuleList:
    """Learn rules for one class against the rest.

    Parameters
    ----------
    induction : Induction
    positive : int
        Position of the class to learn rules for.
    decided : numpy.ndarray of uint8, shape (n_rows,)
        1 for the rows that are left out, since other rules decide them.

    Returns
    -------
    RuleList
    """
    rules = RuleList(induction.classes, decided.copy())
    rows = split_by_label(induction.classes.labels, positive, decided)
    for rule in induction.rules(induction.examples(*rows)):
        rules.append(positive, rule)
    return rules


def learn_all_classes(
    induction: Induction,
    decided: np.ndarray,
    keep_wrong: bool = False,
    stop_at_invalid: bool = False,
    tied: TiedClasses = "first",
) -> RuleList:
    """Learn an ordered rule list for all classes: FOLD-SE-M, FOLD-RM or CON-FOLD, as the induction is set.

    Parameters
    ----------
    induction : Induction
    decided : numpy.ndarray of uint8, shape (n_rows,)
        1 for the rows that are left out, since other rules decide them.
    keep_wrong : bool, default=False
        Whether rows of another class that a rule covers are left to the rules after it; by default they are
        removed, too.
    stop_at_invalid : bool, default=False
        Whether the list ends where the most frequent class yields no valid rule; by default the next most
        frequent one is tried, until none yields a rule.
    tied : {"first", "last_seen"}, default="first"
        See `TiedClasses`.

    Returns
    -------
    RuleList

    Notes
    -----
    While rows remain, one rule is learned for the class with the largest remaining weight, and the rows that
    it covers are removed. The paper does not say which of several such classes is taken, whether rows of
    another class are removed with them, nor what follows an invalid rule: as it is listed, and in FOLD-RM's
    code, the list ends. CON-FOLD's code keeps the remaining rows with those of the last rule's class in
    front, and so does ``"last_seen"``.
    """
    classes = induction.classes
    rules = RuleList(classes, decided.copy())
    removed = decided.copy()
    order = np.flatnonzero(removed == 0) if tied == "last_seen" else None
    remaining = classes.of(np.flatnonzero(removed == 0).astype(np.uint32))
    while remaining.any():
        most_frequent = _by_weight(remaining, None if order is None else classes.labels[order])
        for positive in most_frequent[:1] if stop_at_invalid else most_frequent:
            rule = induction.rule(induction.examples(*split_by_label(classes.labels, positive, removed)))
            if rule is not None:
                break
        else:
            break
        rules.append(positive, rule)
        covered = [rule.covered_positive, *([] if keep_wrong else [rule.covered_negative])]
        remaining -= classes.of(*covered)
        for rows in covered:
            removed[rows] = 1
        if order is not None:
            order = order[removed[order] == 0]
            is_first = classes.labels[order] == positive
            order = np.concatenate((order[is_first], order[~is_first]))
    return rules


def _by_weight(remaining: np.ndarray, seen: np.ndarray | None) -> list[int]:
    """Return the classes of which any weight remains, the largest first; see `TiedClasses`."""
    left = np.flatnonzero(remaining)
    if seen is None:
        return left[np.argsort(-remaining[left], kind="stable")].tolist()
    classes, first_rows = np.unique(seen, return_index=True)
    first_seen = dict(zip(classes.tolist(), first_rows.tolist(), strict=True))
    return sorted(left.tolist(), key=lambda c: (-int(remaining[c]), -first_seen[c]))
