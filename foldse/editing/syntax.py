"""The text of a program as clauses: what is written, not yet what it means."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from foldse.editing.tokens import Place, RuleSyntaxError, Token, tokens
from foldse.model.literals import Op

__all__ = [
    "Binding",
    "Call",
    "Clause",
    "Comparison",
    "Goal",
    "Test",
    "clauses",
    "constraint_clauses",
    "is_exception",
]

VALUES = ("quoted", "text", "name", "number", "?")
COMPARISONS = {"=<": Op.LE, "<=": Op.LE, ">": Op.GT}
OTHER_COMPARISONS = ("<", ">=", "=", "=:=", "\\=")


@dataclass(frozen=True, slots=True)
class Test:
    """``sex(X,'female')`` or ``not sex(X,'female')``."""

    column: Token
    value: Token
    negated: bool


@dataclass(frozen=True, slots=True)
class Binding:
    """``age(X,N1)``: a variable stands for the value of a column."""

    column: Token
    variable: Token


@dataclass(frozen=True, slots=True)
class Comparison:
    """``N1=<5.0`` or ``not(N1=<5.0)``."""

    variable: Token
    op: Op
    threshold: Token


@dataclass(frozen=True, slots=True)
class Call:
    """``not ab1(X,'True')``."""

    name: str
    place: Place


Goal: TypeAlias = Test | Binding | Comparison | Call


@dataclass(frozen=True, slots=True)
class Clause:
    """A rule, an exception or a constraint as it is written.

    Attributes
    ----------
    head : Token
        The name in the head; of a constraint, which has none, its first token.
    value : Token or None
        The value in the head; of a constraint None.
    goals : tuple of Goal
    """

    head: Token
    value: Token | None
    goals: tuple[Goal, ...]

    @property
    def is_exception(self) -> bool:
        """Whether the head is that of an exception: ``ab1``, ``ab2``, ..."""
        return self.value is not None and is_exception(self.head)

    @property
    def place(self) -> Place:
        """Where it begins."""
        return self.head.place


def is_exception(name: Token) -> bool:
    """Return whether a name is one that exceptions have, which no column's predicate is."""
    return name.kind == "name" and re.fullmatch(r"ab[0-9]+", name.value) is not None


def clauses(text: str) -> list[Clause]:
    """Read a program as clauses.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of Clause

    Raises
    ------
    RuleSyntaxError
        If it is not in the notation of the paper.
    """
    reader = _Reader(list(tokens(text)))
    found = []
    while reader.next.kind != "end":
        found.append(reader.clause())
    return found


def constraint_clauses(text: str) -> list[Clause]:
    """Read constraints, and the exceptions that they call, as clauses.

    Parameters
    ----------
    text : str
        Of each constraint the goals, with or without ``:-`` before them. The last needs no full stop.

    Returns
    -------
    list of Clause

    Raises
    ------
    RuleSyntaxError
        If it is not in the notation of the paper.
    """
    reader = _Reader(list(tokens(text)))
    found: list[Clause] = []
    while reader.next.kind != "end" or not found:
        found.append(reader.clause() if is_exception(reader.next) else reader.constraint())
    return found


class _Reader:
    """Reads tokens from the first to the last; a token ahead always suffices."""

    def __init__(self, given: list[Token]):
        self._tokens, self._position = given, 0
        self._subject: str | None = None  # the variable for the row, the same in all of a clause

    @property
    def next(self) -> Token:
        return self._tokens[self._position]

    def _take(self, *kinds: str, expected: str = "") -> Token:
        token = self.next
        if token.kind not in kinds:
            expected = expected or " or ".join(repr(kind) for kind in kinds)
            raise RuleSyntaxError(token.place, f"expected {expected}, found {token}")
        self._position += 1
        return token

    def clause(self) -> Clause:
        self._subject = None
        head = self._take("name", expected="the head of a rule, such as y(X,'yes')")
        value = self._argument()
        if value.kind not in VALUES or value.kind == "?":
            raise RuleSyntaxError(value.place, f"the head concludes a label in quotes, found {value}")
        if self.next.kind == ".":
            raise RuleSyntaxError(head.place, "the rule has no goals; write at least one after ':-'")
        self._take(":-")
        if self.next.kind == ".":
            raise RuleSyntaxError(self.next.place, "the rule has no goals; write at least one after ':-'")
        goals = [self._goal()]
        while self._take(",", ".", expected="',' or, at the end of a rule, '.'").kind == ",":
            goals.append(self._goal())
        return Clause(head, value, tuple(goals))

    def constraint(self) -> Clause:
        self._subject = None
        first = self.next
        if first.kind == ":-":
            self._take(":-")
        goals = [self._goal()]
        while self.next.kind == ",":
            self._take(",")
            goals.append(self._goal())
        if self.next.kind == ":-":
            raise RuleSyntaxError(first.place, "a constraint has no head; write only what must not hold")
        if self.next.kind != "end":
            self._take(".", expected="',' or, at the end of a constraint, '.'")
        return Clause(first, None, tuple(goals))

    def _argument(self) -> Token:
        """Read ``(X,value)``; return the value."""
        self._take("(")
        subject = self._take("variable", expected="the variable that stands for the row, such as X")
        if self._subject not in (None, subject.value):
            raise RuleSyntaxError(
                subject.place, f"the row is {self._subject} in this rule, and here it is {subject.value}"
            )
        self._subject = subject.value
        self._take(",")
        value = self._take(*VALUES, "variable", expected="a category in quotes, a variable or ?")
        self._take(")")
        return value

    def _goal(self) -> Goal:
        if self.next.kind == "\\+":
            raise RuleSyntaxError(self.next.place, r"write 'not' in place of '\+'")
        if self.next.kind != "name" or self.next.value != "not":
            return self._plain_goal(None)
        negation = self._take("name")
        if self.next.kind != "(":
            return self._plain_goal(negation)
        self._take("(")
        goal = self._plain_goal(negation)
        self._take(")")
        return goal

    def _plain_goal(self, negation: Token | None) -> Goal:
        first = self._take("name", "quoted", "variable", expected="a goal, such as sex(X,'female') or N1>5.0")
        if first.kind == "variable":
            return self._comparison(first, negation is not None)
        if first.kind == "name" and first.value == "not":
            raise RuleSyntaxError(first.place, "'not' after 'not'; leave out both")
        value = self._argument()
        if is_exception(first):
            if negation is None:
                raise RuleSyntaxError(first.place, f"an exception is called by: not {first.value}(X,'True')")
            if value.value != "True":
                raise RuleSyntaxError(value.place, f"an exception is called with 'True', found {value}")
            return Call(first.value, first.place)
        if value.kind != "variable":
            return Test(first, value, negation is not None)
        if negation is not None:
            raise RuleSyntaxError(
                negation.place,
                f"a variable cannot be bound under 'not'; negate the comparison: not({value.value}=<5.0)",
            )
        if value.value == self._subject:
            raise RuleSyntaxError(value.place, f"{value.value} stands for the row; use another variable")
        return Binding(first, value)

    def _comparison(self, variable: Token, negated: bool) -> Comparison:
        sign = self._take(*COMPARISONS, *OTHER_COMPARISONS, expected="'=<' or '>'")
        if sign.kind in OTHER_COMPARISONS:
            raise RuleSyntaxError(
                sign.place,
                f"{sign} is no comparison of rules; they are =<, >, not(...=<...) and not(...>...)",
            )
        threshold = self._take("number", "name", "quoted", expected="a number")
        if threshold.kind != "number":
            raise RuleSyntaxError(
                threshold.place, f"the threshold must be a finite number, found {threshold}"
            )
        op = COMPARISONS[sign.kind]
        return Comparison(variable, op.negation if negated else op, threshold)
