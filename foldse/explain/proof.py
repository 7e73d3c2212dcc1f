"""The proof that a prediction holds: a tree of rules, literals and exceptions, with the values observed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from foldse.model.literals import (
    Literal,
    Value,
    category_text,
    number_text,
)
from foldse.model.rule import Rule
from foldse.model.rules import RuleSet

__all__ = [
    "Decision",
    "LiteralNode",
    "ObservedValue",
    "Program",
    "RuleNode",
    "State",
    "plain",
]


class State(StrEnum):
    """What became of a node when the rules were tried in order."""

    TRUE = "true"
    FALSE = "false"
    NOT_NEEDED = "not needed"


TRUE, FALSE, NOT_NEEDED = State  # an attribute of an enumeration is slow to look up


class ObservedValue(NamedTuple):
    """The value of a feature in one row.

    Attributes
    ----------
    value : float, str, bool, int or None
    is_number : bool
        Whether it is compared by size; a number in a categorical column is not.
    """

    value: Value
    is_number: bool

    @property
    def kind(self) -> str:
        """``"number"``, ``"category"`` or ``"missing"``."""
        return "number" if self.is_number else "missing" if self.value is None else "category"

    def __str__(self) -> str:
        if self.is_number:
            return number_text(float(self.value))  # type: ignore[arg-type]
        return "missing" if self.value is None else category_text(self.value)


class LiteralNode(NamedTuple):  # there are many: the cheapest of records
    """A literal, the value observed in the row, and what became of it."""

    literal: Literal
    observed: ObservedValue
    state: State

    @property
    def value(self) -> Value:
        """The observed value; None if it is missing."""
        return self.observed.value

    def to_dict(self) -> dict[str, Any]:
        """Return the node as plain JSON values."""
        return {
            "feature": self.literal.feature,
            "op": str(self.literal.op),
            "value": self.literal.value,
            "met": plain(self.value),
            "kind": self.observed.kind,
            "state": str(self.state),
        }


@dataclass(frozen=True, slots=True)
class RuleNode:
    """A rule or an exception, its literals and exceptions, and what became of it.

    Attributes
    ----------
    rule : Rule
    name : str
        The predicate of its head as the program prints it: the target, or ``ab1``, ``ab2``, ...
    state : State
    literals : tuple of LiteralNode
        In the order in which they are tried: up to the first that is false.
    exceptions : tuple of RuleNode
        Tried if all literals hold: up to the first that is true.
    """

    rule: Rule
    name: str
    state: State
    literals: tuple[LiteralNode, ...]
    exceptions: tuple[RuleNode, ...] = ()

    @property
    def head(self) -> Any:
        """The label that the rule concludes; None for an exception."""
        return self.rule.head

    @property
    def tried(self) -> tuple[LiteralNode | RuleNode, ...]:
        """The literals, then the exceptions, that were needed."""
        parts: tuple[LiteralNode | RuleNode, ...] = (*self.literals, *self.exceptions)
        return tuple(part for part in parts if part.state is not State.NOT_NEEDED)

    def to_dict(self) -> dict[str, Any]:
        """Return the node, with all below it, as plain JSON values."""
        return {
            "name": self.name,
            "head": plain(self.head),
            "state": str(self.state),
            "literals": [node.to_dict() for node in self.literals],
            "exceptions": [node.to_dict() for node in self.exceptions],
        }


@dataclass(frozen=True, slots=True)
class _CompiledRule:
    """A rule, its name as in `RuleNode`, and the positions of its literals in the program."""

    rule: Rule
    name: str
    positions: tuple[int, ...]
    exceptions: tuple[_CompiledRule, ...]

    def evaluate(
        self, holds: Sequence[bool], observed: Mapping[str, ObservedValue], needed: bool
    ) -> RuleNode:
        """Return the node for one row; `needed` is whether the rule is tried at all."""
        undecided = needed
        literals = []
        for literal, position in zip(self.rule.body, self.positions, strict=True):
            state = NOT_NEEDED
            if undecided:
                undecided = holds[position]
                state = TRUE if undecided else FALSE
            literals.append(LiteralNode(literal, observed[literal.feature], state))
        exceptions = []
        for exception in self.exceptions:
            node = exception.evaluate(holds, observed, undecided)
            undecided = undecided and node.state is FALSE
            exceptions.append(node)
        state = NOT_NEEDED if not needed else TRUE if undecided else FALSE
        return RuleNode(self.rule, self.name, state, tuple(literals), tuple(exceptions))


class Program:
    """A rule set prepared for being evaluated row by row.

    Attributes
    ----------
    rules : RuleSet
    literals : tuple of Literal
        The distinct literals, in order of their first use.
    features : tuple of str
        The features that they compare.
    predicates : dict
        The predicate name of each feature, as the rule set prints it.
    """

    def __init__(self, rules: RuleSet):
        self.rules = rules
        self.predicates = rules.predicate_names()
        self.literals = tuple(dict.fromkeys(rules.literals()))
        self.features = tuple(dict.fromkeys(literal.feature for literal in self.literals))
        positions = {literal: position for position, literal in enumerate(self.literals)}
        compiled: dict[str, _CompiledRule] = {}
        top: list[_CompiledRule] = []
        walked = list(rules.walk())
        for name, rule, _, depth, exceptions in walked[len(rules) :] + walked[: len(rules)]:
            below = tuple(compiled[exception] for exception in exceptions)
            body = tuple(positions[literal] for literal in rule.body)
            compiled[name] = _CompiledRule(rule, name, body, below)
            if not depth:
                top.append(compiled[name])
        self._compiled = tuple(top)

    def evaluate(
        self, holds: Sequence[bool], values: Sequence[float | ObservedValue]
    ) -> tuple[RuleNode, ...]:
        """Return the nodes of the rules for one row.

        Parameters
        ----------
        holds : sequence of bool
            Of each distinct literal, whether it holds.
        values : sequence of float or ObservedValue
            The row's value of each feature; a number that is compared by size may be given bare.
        """
        observed = {
            feature: ObservedValue(value, is_number=True) if isinstance(value, float) else value
            for feature, value in zip(self.features, values, strict=True)
        }
        nodes: list[RuleNode] = []
        needed = True
        for rule in self._compiled:
            nodes.append(rule.evaluate(holds, observed, needed))
            needed = needed and nodes[-1].state is FALSE
        return tuple(nodes)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Decision:
    """The prediction for one row, and what it rests on.

    Attributes
    ----------
    subject : str
        Name of the row.
    prediction : object
        The label predicted; None if there is none.
    fired : int or None
        Position of the rule that fired; None if none did.
    program : Program
        The rules, the same object for all rows; of a tree the path to the row's leaf, as one rule.
    """

    subject: str
    prediction: Any
    fired: int | None
    program: Program
    # What the nodes are built from. Thousands of decisions that hold their nodes would be a burden
    # for the garbage collector, and most nodes are looked at once or never.
    _holds: bytes
    _values: tuple[float | ObservedValue, ...]

    @property
    def target(self) -> str:
        """What is predicted, as a predicate name."""
        return self.program.rules.target

    @property
    def rules(self) -> tuple[RuleNode, ...]:
        """The rules in order, each with its literals, its exceptions and what became of them.

        Those after the rule that fired are not needed.
        """
        return self.program.evaluate(self._holds, self._values)  # type: ignore[arg-type]

    @property
    def rule(self) -> RuleNode | None:
        """The rule that fired; None if none did."""
        return None if self.fired is None else self.rules[self.fired]

    @property
    def shown(self) -> tuple[tuple[int, RuleNode], ...]:
        """The rules that the prediction rests on, each with its position.

        The one that fired, and those that failed: before it, if rules conclude different labels, since
        each of them could have decided otherwise; all of them, if none fired.
        """
        numbered = tuple(enumerate(self.rules))
        if self.fired is None:
            return numbered
        several = len({node.head for _, node in numbered}) > 1
        return numbered[0 if several else self.fired : self.fired + 1]


def plain(value: Any) -> str | bool | int | float | None:
    """Return a value or a label as strict JSON has it: an infinity as text, other types as their text."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    return str(value)
