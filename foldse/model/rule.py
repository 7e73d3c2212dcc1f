"""A default rule with its exceptions, and which rows of a table it covers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from foldse.model.confidence import Confidence
from foldse.model.literals import Category, Literal, Op

if TYPE_CHECKING:  # a program is read, printed and run on single rows without it
    import numpy as np

__all__ = ["ORIGINS", "CalledRule", "Reader", "Rows", "Rule", "Table", "literal_holds"]

Rows: TypeAlias = "slice | np.ndarray"
"""Some rows of a table: a slice, or their positions."""

EVERY_ROW = slice(None)

ORIGINS = ("learned", "expert", "edited")
"""Where a rule may be from."""


class Table(Protocol):
    """What a rule needs of a table to be evaluated on it, a column at a time."""

    @property
    def n_rows(self) -> int:
        """Number of rows."""

    def numbers(self, feature: str, rows: Rows = EVERY_ROW) -> np.ndarray:
        """Return a feature of some rows as float64, NaN where the value is not a number."""

    def equals(self, feature: str, category: Category, rows: Rows = EVERY_ROW) -> np.ndarray:
        """Return, as bool, in which of some rows a feature holds a category."""


class Reader(Protocol):
    """How a program reads a table that is given to it, in whatever container."""

    def read(self, X: Any, only: frozenset[str]) -> Table:
        """Return a table with some features of `X`; an error names a feature that is not there."""


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A default rule: the head holds if every literal of the body holds and no exception does.

    Attributes
    ----------
    head : object
        The class that the rule concludes; None for an exception, which concludes that its rule fails.
    body : tuple of Literal
        At least one literal.
    exceptions : tuple of Rule
        Rules that may have exceptions of their own.
    support : tuple of float
        Weight of the training rows of each class, in the order of `RuleSet.classes`, for which this is
        the first rule that fires; of an exception, the rows that it fires on among those that its rule was
        learned on (of two classes, negatives that an earlier rule covers are still among them). Empty for
        a rule that nothing was counted for, such as one that was not learned.
    confidence : Confidence or None
        On the training rows that were left when the rule was learned; None for exceptions, and where it is
        not known.
    origin : {"learned", "expert", "edited"}, default="learned"
        Where the rule is from: learned; given before learning, or written without a model; or added to a
        learned program, or changed in it. Does not count when rules are compared.
    """

    head: Any
    body: tuple[Literal, ...]
    exceptions: tuple[Rule, ...] = ()
    support: tuple[float, ...] = field(default=(), compare=False)
    confidence: Confidence | None = field(default=None, compare=False)
    origin: str = field(default="learned", compare=False)

    def _key(self) -> tuple[tuple[Any, tuple[Literal, ...], int], ...]:
        # Flat, since tuples of tuples are compared by recursion, and exceptions may be hundreds deep.
        return tuple((rule.head, rule.body, len(rule.exceptions)) for rule in self.parts())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rule) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def parts(self) -> Iterator[Rule]:
        """Yield the rule and all exceptions below it, outer ones first."""
        found = [self]
        for rule in found:
            yield rule
            found += rule.exceptions

    @property
    def n_rules(self) -> int:
        """Number of rules: this one and all exceptions below it."""
        return sum(1 for _ in self.parts())

    @property
    def n_predicates(self) -> int:
        """Number of literals in this rule and in all exceptions below it, calls of exceptions aside."""
        return sum(len(rule.body) for rule in self.parts())

    @property
    def features(self) -> frozenset[str]:
        """Names of the features that the rule and its exceptions look at."""
        return frozenset(literal.feature for rule in self.parts() for literal in rule.body)

    def covers(self, table: Table) -> np.ndarray:
        """Return, as bool of shape (n_rows,), the rows for which the rule fires."""
        import numpy as np  # here, since a scorer without numpy reads rules, too

        covered = np.ones(table.n_rows, dtype=bool)
        for literal in self.body:
            covered &= literal_holds(literal, table)
        for exception in self.exceptions:
            if not covered.any():
                break
            covered &= ~exception.covers(table)
        return covered


class CalledRule(NamedTuple):
    """A rule or an exception in its place in a program.

    Attributes
    ----------
    name : str
        The predicate of its head as it is printed: the target, or ``ab1``, ``ab2``, ...
    rule : Rule
    label : object
        What the rule concludes or, of an exception, what the outermost rule does.
    depth : int
        0 for a rule, 1 for an exception, 2 for an exception of an exception, ...
    exceptions : tuple of str
        Names of its own exceptions, in order.
    """

    name: str
    rule: Rule
    label: Any
    depth: int
    exceptions: tuple[str, ...]


def literal_holds(literal: Literal, table: Table, rows: Rows = EVERY_ROW) -> np.ndarray:
    """Return, as bool, in which of some rows of a table a literal holds.

    See `Literal.holds` for one value. A comparison with NaN, which stands for what is not a number, is false,
    as it should be.
    """
    op, negated = (literal.op.negation, True) if literal.op.is_negated else (literal.op, False)
    if op is Op.EQ:
        holds = table.equals(literal.feature, literal.value, rows)
    elif op is Op.LE:
        holds = table.numbers(literal.feature, rows) <= literal.threshold
    else:
        holds = table.numbers(literal.feature, rows) > literal.threshold
    return ~holds if negated else holds
