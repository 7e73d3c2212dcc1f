"""Default rules with exceptions: what they cover, how they are simplified, counted and printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from foldse.model.html import model_card
from foldse.model.lines import ProgramLine, goals
from foldse.model.literals import Category, Literal, Op, quote

__all__ = [
    "CalledRule",
    "Rows",
    "Rule",
    "RuleSet",
    "Table",
    "literal_holds",
    "predicate_name",
    "simplify",
]


Rows: TypeAlias = slice | np.ndarray
"""Some rows of a table: a slice, or their positions."""

EVERY_ROW = slice(None)


class Table(Protocol):
    """What a rule needs of a table to be evaluated on it, a column at a time."""

    n_rows: int

    def numbers(self, feature: str, rows: Rows = EVERY_ROW) -> np.ndarray:
        """Return a feature of some rows as float64, NaN where the value is not a number."""

    def equals(self, feature: str, category: Category, rows: Rows = EVERY_ROW) -> np.ndarray:
        """Return, as bool, in which of some rows a feature holds a category."""


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
        a rule that was not learned.
    """

    head: Any
    body: tuple[Literal, ...]
    exceptions: tuple[Rule, ...] = ()
    support: tuple[float, ...] = field(default=(), compare=False)

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
        covered = np.ones(table.n_rows, dtype=bool)
        for literal in self.body:
            covered &= literal_holds(literal, table)
        for exception in self.exceptions:
            if not covered.any():
                break
            covered &= ~exception.covers(table)
        return covered


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


def simplify(rule: Rule) -> Rule:
    """Return an equivalent rule that is shorter to read.

    Parameters
    ----------
    rule : Rule

    Returns
    -------
    Rule
        An exception that is one literal, with no exceptions of its own, has become a negated literal of
        its rule; of several bounds of one feature from the same side only the tightest is left; categorical
        literals come first, then numeric ones, a feature's together.

    Notes
    -----
    As the authors' programs do it (not described in the paper), except that theirs keep two bounds from one
    side if they differ in the comparison: ``x =< 5, not(x > 3)`` is here ``x =< 3``. FOLD-SE learned no such
    rule from any of the paper's data. Exceptions are simplified before the rule, so that an exception which
    simplification brings down to one literal is folded too.
    """
    body = list(rule.body)
    exceptions = []
    for exception in map(simplify, rule.exceptions):
        if len(exception.body) == 1 and not exception.exceptions:
            body.append(exception.body[0].negated())
        else:
            exceptions.append(exception)
    return replace(rule, body=_tightest(body), exceptions=tuple(exceptions))


def _tightest(body: Iterable[Literal]) -> tuple[Literal, ...]:
    """Merge the bounds of a feature from one side, and order the literals for print."""
    merged: dict[Any, Literal] = {}
    for literal in body:
        if not literal.op.is_threshold:
            merged.setdefault(literal, literal)
            continue
        # A bound from above is tighter when smaller, one from below when larger. A plain comparison, which
        # holds of numbers only, asks more than a negated one, which holds of what is no number, too.
        from_above = literal.op in (Op.LE, Op.NOT_GT)
        known = merged.get((literal.feature, from_above))
        if known is not None:
            plain = next((x.op for x in (known, literal) if not x.op.is_negated), literal.op)
            tighter = min if from_above else max
            literal = Literal(literal.feature, plain, tighter(known.threshold, literal.threshold))
        merged[literal.feature, from_above] = literal
    literals = list(merged.values())
    categorical = [x for x in literals if not x.op.is_threshold]
    numeric = [x for x in literals if x.op.is_threshold]
    first_use = {x.feature: i for i, x in reversed(list(enumerate(numeric)))}
    return (*categorical, *sorted(numeric, key=lambda x: first_use[x.feature]))


def predicate_name(name: str, taken: Iterable[str] = ()) -> str:
    """Turn any text into the name of a predicate: a lower-case letter, then letters, digits, underscores.

    Parameters
    ----------
    name : str
        Name of a column.
    taken : iterable of str
        Names that are in use; a number is appended to the name until it is none of them.

    Returns
    -------
    str
    """
    base = re.sub(r"[^a-z0-9]+", "_", str(name).lower()).strip("_")
    if not base or not base[0].isalpha() or re.fullmatch(r"ab\d+|not", base):  # ab1, ... are exceptions
        base = f"x_{base}".rstrip("_")
    taken = set(taken)
    candidate, number = base, 2
    while candidate in taken:
        candidate, number = f"{base}_{number}", number + 1
    return candidate


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


@dataclass(frozen=True, slots=True)
class RuleSet(Sequence[Rule]):
    """A learned program: rules in order, the first that fires decides, and a default where none does.

    Attributes
    ----------
    rules : tuple of Rule
        The rules, without the exceptions, which hang below them.
    features : tuple of str
        Names of all features of the training table, in its order.
    target : str
        What the heads say, as a predicate name: the name of y, or ``"target"``.
    classes : tuple
        The labels, sorted.
    default : object
        The label of a row for which no rule fires.
    default_support : tuple of float
        Weight of the training rows of each class for which no rule fires.

    Notes
    -----
    ``str()`` is the program as the paper prints it: exceptions are predicates ``ab1``, ``ab2``, ... in
    the order in which the rules call them, and a rule's numeric features are bound to N1, N2, ...
    """

    rules: tuple[Rule, ...]
    features: tuple[str, ...]
    target: str
    classes: tuple[Any, ...]
    default: Any
    default_support: tuple[float, ...] = field(default=(), compare=False)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    def __getitem__(self, index: Any) -> Any:
        return self.rules[index]

    @property
    def n_rules(self) -> int:
        """Number of rules, exceptions included."""
        return sum(rule.n_rules for rule in self.rules)

    @property
    def n_predicates(self) -> int:
        """Number of literals in all rules and exceptions."""
        return sum(rule.n_predicates for rule in self.rules)

    def simplified(self) -> RuleSet:
        """Return the same program with every rule simplified, see `simplify`."""
        return replace(self, rules=tuple(simplify(rule) for rule in self.rules))

    def first_firing(self, table: Table) -> np.ndarray:
        """Return the position of the rule that decides each row, as int32; ``len(self)`` for the default."""
        fired = np.full(table.n_rows, len(self.rules), dtype=np.int32)
        for index in range(len(self.rules) - 1, -1, -1):
            fired[self.rules[index].covers(table)] = index
        return fired

    def predicate_names(self) -> dict[str, str]:
        """Return a distinct predicate name for each feature, distinct from the target's, too."""
        names: dict[str, str] = {}
        taken = {self.target}
        for feature in self.features:
            names[feature] = predicate_name(feature, taken)
            taken.add(names[feature])
        return names

    @property
    def used_features(self) -> frozenset[str]:
        """Names of the features that the rules compare."""
        return frozenset(literal.feature for literal in self.literals())

    def literals(self) -> Iterator[Literal]:
        """Yield every literal of the rules and of their exceptions, in the order of `walk`."""
        for called in self.walk():
            yield from called.rule.body

    def walk(self) -> Iterator[CalledRule]:
        """Yield the rules, then their exceptions, in the order and under the names in which they are printed.

        Yields
        ------
        CalledRule

        Notes
        -----
        Exceptions are numbered in the order in which the lines above call them, outer ones first. All that
        prints, exports or explains a program takes names and order from here.
        """
        found = [(self.target, rule, rule.head, 0) for rule in self.rules]
        n_exceptions = 0
        for name, rule, label, depth in found:
            numbers = range(n_exceptions + 1, n_exceptions + 1 + len(rule.exceptions))
            n_exceptions += len(rule.exceptions)
            names = tuple(f"ab{number}" for number in numbers)
            yield CalledRule(name, rule, label, depth, names)
            found += [(*x, label, depth + 1) for x in zip(names, rule.exceptions, strict=True)]

    def lines(self, nested: bool = False) -> Iterator[ProgramLine]:
        """Yield the program as it is printed, and the default, with what each line covers.

        Parameters
        ----------
        nested : bool, default=False
            Whether exceptions follow the rule that calls them; by default they come after all rules, as in
            ``str()``.

        Yields
        ------
        ProgramLine
        """
        predicates = self.predicate_names()
        for called in self._nested() if nested else self.walk():
            head = f"{called.name}(X,{quote(str(called.label) if called.depth == 0 else 'True')})"
            body = [
                *goals(called.rule.body, predicates),
                *(f"not {x}(X,'True')" for x in called.exceptions),
            ]
            yield ProgramLine(
                f"{head} :- {', '.join(body)}.",
                "exception" if called.depth else "rule",
                called.depth,
                *self._coverage(called.rule.support, called.label, called.depth),
            )
        otherwise = f"otherwise {self.target}(X,{quote(str(self.default))})"
        yield ProgramLine(otherwise, "default", 0, *self._coverage(self.default_support, self.default, 0))

    def _nested(self) -> Iterator[CalledRule]:
        walked = list(self.walk())
        exceptions = {called.name: called for called in walked if called.depth}
        stack = [called for called in reversed(walked) if not called.depth]
        while stack:
            called = stack.pop()
            yield called
            stack += [exceptions[name] for name in reversed(called.exceptions)]

    def _coverage(
        self, support: tuple[float, ...], label: Any, depth: int
    ) -> tuple[float | None, float | None]:
        if not support:
            return None, None
        covered, of_label = sum(support), support[self.classes.index(label)]
        # An exception withholds the label; an exception of that one grants it again.
        return covered, covered - of_label if depth % 2 else of_label

    def __str__(self) -> str:
        return "\n".join(line.text for line in self.lines() if line.kind != "default")

    def to_html(self) -> str:
        """Return a model card as HTML: the rules with their coverage and precision on the training rows."""
        return model_card(self.target, self.n_predicates, list(self.lines(nested=True)))

    def _repr_html_(self) -> str:
        return self.to_html()
