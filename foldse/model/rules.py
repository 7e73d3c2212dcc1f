"""A learned program: how its rules are ordered, named, counted and printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from foldse.model.html import model_card
from foldse.model.lines import ProgramLine, goals
from foldse.model.literals import Literal, quote
from foldse.model.rule import Rule, Table
from foldse.model.simplify import simplify

__all__ = ["CalledRule", "RuleSet", "predicate_name"]


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


def _inner_first(rule: Rule) -> Iterator[tuple[Rule, int]]:
    """Return a rule and all exceptions below it with their depths, each after its own exceptions."""
    # No recursion: exceptions may be hundreds deep.
    found, stack = [], [(rule, 0)]
    while stack:
        part, depth = stack.pop()
        found.append((part, depth))
        stack += [(exception, depth + 1) for exception in part.exceptions]
    return reversed(found)


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
    ``str()`` is the program as the paper prints it: exceptions are predicates ``ab1``, ``ab2``, ..., inner
    ones first, and numeric features are bound to N1, N2, ... in the order in which the lines use them first;
    a feature has the same variable in all lines.
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

    def simplified(self, max_literals: int | None = None) -> RuleSet:
        """Return the same program with every rule simplified, see `simplify`."""
        return replace(self, rules=tuple(simplify(rule, max_literals) for rule in self.rules))

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
        Exceptions are numbered inner first, as the paper prints them: a rule calls ``ab3``, whose definition
        calls ``ab1`` and ``ab2``. All that prints, exports or explains a program takes names and order from
        here.
        """
        rules: list[CalledRule] = []
        exceptions: list[CalledRule] = []
        uncalled: list[str] = []  # exceptions whose rule is yet to come; its own are the last
        for rule in self.rules:
            for part, depth in _inner_first(rule):
                first = len(uncalled) - len(part.exceptions)
                called = tuple(uncalled[first:])
                del uncalled[first:]
                if depth == 0:
                    rules.append(CalledRule(self.target, part, rule.head, 0, called))
                else:
                    uncalled.append(f"ab{len(exceptions) + 1}")
                    exceptions.append(CalledRule(uncalled[-1], part, rule.head, depth, called))
        yield from rules
        yield from exceptions

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
        predicates, variables = self.predicate_names(), self._variables()
        for called in self._nested() if nested else self.walk():
            head = f"{called.name}(X,{quote(str(called.label) if called.depth == 0 else 'True')})"
            body = [
                *goals(called.rule.body, predicates, variables),
                *(f"not {x}(X,'True')" for x in called.exceptions),
            ]
            yield ProgramLine(
                f"{head} :- {', '.join(body)}.",
                "exception" if called.depth else "rule",
                called.depth,
                *self._coverage(called.rule.support, called.label, called.depth),
                called.rule.confidence,
            )
        otherwise = f"otherwise {self.target}(X,{quote(str(self.default))})"
        yield ProgramLine(otherwise, "default", 0, *self._coverage(self.default_support, self.default, 0))

    def _variables(self) -> dict[str, str]:
        """Return the variable of each feature that is compared by size."""
        features = dict.fromkeys(x.feature for x in self.literals() if x.op.is_threshold)
        return {feature: f"N{number}" for number, feature in enumerate(features, 1)}

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
