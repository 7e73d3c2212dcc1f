"""The inverse of print: the text of a program becomes rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from foldse.editing.doubts import warn_of_doubts
from foldse.editing.syntax import Binding, Call, Clause, Comparison, Test, clauses, constraint_clauses
from foldse.editing.tokens import Place, RuleSyntaxError
from foldse.editing.vocabulary import Vocabulary
from foldse.model.literals import Literal, Op
from foldse.model.rule import Rule
from foldse.model.rules import RuleSet

__all__ = ["constraints_from_text", "parse_rules", "rules_from_text"]


def parse_rules(
    text: str,
    like: Any = None,
    *,
    features: Sequence[str] | None = None,
    classes: Sequence[Any] | None = None,
    default: Any = None,
) -> RuleSet:
    r"""Read a program from text, as ``print(clf.rules_)`` or ``foldse show`` writes it and people edit it.

    Parameters
    ----------
    text : str
        Rules and exceptions in any order of the latter. Comments (``% ...``), white space and the names of
        variables are free; ``<=`` may stand for ``=<``. ``'text'`` is whatever prints so in its column;
        where that is not one value, ``"text"`` is text, ``1`` a number, ``true`` a truth value. A column may
        also be named as it is, in quotes.
    like : FoldSEClassifier, FoldRPPClassifier or RuleSet, optional
        Where columns, their types, labels and the default are known from. A classifier knows what type each
        column held, not which categories; a `RuleSet` only knows what it compares itself with.
    features : sequence of str, optional
        Names of the columns, without `like`; by default predicate names are the names of columns.
    classes : sequence, optional
        The labels, without `like`; by default they are text, those that heads conclude and the default.
    default : object, optional
        The label of a row for which no rule fires; by default what `like` says of it. Without `like`, and
        with two labels of which the rules conclude one, the other; else None, which is no label.

    Returns
    -------
    RuleSet
        Its rules have no support. The origin of a rule that is in `like` is kept; of others it is
        ``"edited"`` or, without `like`, ``"expert"``.

    Raises
    ------
    RuleSyntaxError
        A ValueError, if the text cannot be read; names a column, label or category that is not known, or
        compares by size with what is no number; calls an exception that is not defined, or more than once,
        or defines one that is not called; uses a variable that is not bound, or binds one to two columns.
        The message is one line and begins with the line and the column of the text.
    ValueError
        If `default` is not a label.
    TypeError
        If `like` is no fitted rule learner, or is given with `features` or `classes`.

    Warns
    -----
    UserWarning
        Of a rule that was not learned and can never fire, or that an earlier one covers, as far as comparing
        literals shows.

    Notes
    -----
    Reading what a program prints gives an equal program, if `like` is the program or its classifier. Text
    that was cut for print is read as the one category of `like` that prints so; ``rules.to_text()`` cuts
    none.

    Examples
    --------
    >>> rules = parse_rules("flies(X,'yes') :- kind(X,'bird'), weight(X,W), W =< 11.  % kilograms")
    >>> print(rules)
    flies(X,'yes') :- kind(X,'bird'), weight(X,N1), N1=<11.0.
    >>> parse_rules("flies(X,'yes') :- wings(X,'2').", features=["kind", "wing"])
    Traceback (most recent call last):
    foldse.editing.tokens.RuleSyntaxError: line 1, column 19: there is no column 'wings'; did you mean 'wing'?
    """
    if like is not None and (features is not None or classes is not None):
        raise TypeError("like knows the features and the classes; leave these out")
    if like is None:
        vocabulary = Vocabulary(
            None if features is None else tuple(map(str, features)),
            None if classes is None else tuple(np.asarray(classes, dtype=object).tolist()),
        )
        rules, vocabulary = rules_from_text(text, vocabulary, "expert")
        program = _without_model(rules, vocabulary, default)
    else:
        vocabulary = Vocabulary.of(like)
        known = like if isinstance(like, RuleSet) else like.rules_
        origins = {rule: rule.origin for rule in known}
        rules, _ = rules_from_text(text, vocabulary, "edited")
        rules = tuple(replace(rule, origin=origins.get(rule, rule.origin)) for rule in rules)
        label = known.default if default is None else vocabulary.same_label(default)
        abstain = known.abstain if default is None else False
        program = replace(known, rules=rules, default=label, default_support=(), abstain=abstain)
    warn_of_doubts(program)
    return program


def _without_model(rules: tuple[Rule, ...], vocabulary: Vocabulary, default: Any) -> RuleSet:
    """Return a program whose columns and labels are those that its rules name, where none were given."""
    heads = dict.fromkeys(rule.head for rule in rules)
    classes = vocabulary.classes
    if classes is None:
        default = None if default is None else str(default)
        classes = tuple(sorted({*heads, *([] if default is None else [default])}))
    elif default is not None:
        default = vocabulary.same_label(default)
    if default is None and len(classes) == 2 and len(heads) == 1:
        default = next(label for label in classes if label not in heads)
    used = dict.fromkeys(x.feature for rule in rules for part in rule.parts() for x in part.body)
    features = tuple(used) if vocabulary.features is None else vocabulary.features
    return RuleSet(rules, features, vocabulary.target or "target", classes, default)


def rules_from_text(text: str, vocabulary: Vocabulary, origin: str) -> tuple[tuple[Rule, ...], Vocabulary]:
    """Read rules from text.

    Parameters
    ----------
    text : str
    vocabulary : Vocabulary
    origin : str
        Of the rules and their exceptions.

    Returns
    -------
    rules : tuple of Rule
    vocabulary : Vocabulary
        With the target, if it had none.

    Raises
    ------
    RuleSyntaxError
        See `parse_rules`.
    """
    found = clauses(text)
    for clause in found:
        if not clause.is_exception:
            with _at(clause.place):
                vocabulary = vocabulary.with_head(clause.head)
    return _rules(found, vocabulary, origin), vocabulary


def constraints_from_text(text: str, vocabulary: Vocabulary) -> tuple[Rule, ...]:
    """Read what must not hold from text.

    Parameters
    ----------
    text : str
        Goals that must not hold all together, as in ``sex(X,'male'), age(X,N), N=<5``, with or without ``:-``
        before them; several such, each with a full stop; and the exceptions that they call.
    vocabulary : Vocabulary

    Returns
    -------
    tuple of Rule
        Without heads.

    Raises
    ------
    RuleSyntaxError
        As of `parse_rules`.
    """
    return _rules(constraint_clauses(text), vocabulary, "expert")


def _rules(found: list[Clause], vocabulary: Vocabulary, origin: str) -> tuple[Rule, ...]:
    """Make rules of clauses, in their order."""
    tops = [clause for clause in found if not clause.is_exception]
    exceptions: dict[str, Clause] = {}
    for clause in found:
        if clause.value is None or not clause.is_exception:
            continue
        with _at(clause.place):
            if clause.value.value != "True":
                raise RuleSyntaxError(
                    clause.value.place, f"an exception concludes 'True', found {clause.value}"
                )
            name = clause.head.value
            if name in exceptions:
                first = exceptions[name].place.line
                raise ValueError(f"{name} is defined in line {first}, too; give each exception its own name")
            exceptions[name] = clause
    _check_calls([*tops, *exceptions.values()], exceptions)
    return tuple(_rule(clause, exceptions, vocabulary, origin) for clause in tops)


@contextmanager
def _at(place: Place) -> Iterator[None]:
    """Say of an error where it is."""
    try:
        yield
    except RuleSyntaxError:
        raise
    except ValueError as error:
        raise RuleSyntaxError(place, str(error)) from None


def _calls(clause: Clause) -> list[Call]:
    return [goal for goal in clause.goals if isinstance(goal, Call)]


def _check_calls(given: list[Clause], exceptions: dict[str, Clause]) -> None:
    """Check that every exception is called once, by a rule or by an exception that a rule leads to."""
    called: dict[str, Call] = {}
    for clause in given:
        for call in _calls(clause):
            if call.name not in exceptions:
                raise RuleSyntaxError(call.place, f"{call.name} is called and not defined")
            if call.name in called:
                line = called[call.name].place.line
                raise RuleSyntaxError(
                    call.place,
                    f"{call.name} is called in line {line}, too; define one for each rule",
                )
            called[call.name] = call
    for name, clause in exceptions.items():
        if name not in called:
            raise RuleSyntaxError(
                clause.place, f"{name} is defined and never called; call it: not {name}(X,'True')"
            )
    reached = [clause for clause in given if not clause.is_exception]
    for clause in reached:
        reached += [exceptions[call.name] for call in _calls(clause)]
    if len(reached) < len(given):
        clause = next(clause for clause in given if clause not in reached)
        raise RuleSyntaxError(
            clause.place, f"{clause.head.value} calls itself, by way of the exceptions it calls"
        )


def _rule(top: Clause, exceptions: dict[str, Clause], vocabulary: Vocabulary, origin: str) -> Rule:
    """Make a rule and all exceptions below it, without recursion, as these may be hundreds deep."""
    found = [top]
    for clause in found:
        found += [exceptions[call.name] for call in _calls(clause)]
    made: dict[str, Rule] = {}
    for clause in reversed(found):  # each comes after those that it calls
        below = tuple(made[call.name] for call in _calls(clause))
        head = None
        if clause.value is not None and not clause.is_exception:
            with _at(clause.value.place):
                head = vocabulary.label(clause.value.value)
        rule = Rule(head, _body(clause, vocabulary), below, origin=origin)
        made[clause.head.value] = rule
    return rule


def _body(clause: Clause, vocabulary: Vocabulary) -> tuple[Literal, ...]:
    """Return the literals of a clause in its order."""
    body: list[Literal] = []
    bound: dict[str, str] = {}
    compared: set[str] = set()
    for goal in clause.goals:
        if isinstance(goal, Test):
            with _at(goal.column.place):
                feature = vocabulary.column(goal.column)
            with _at(goal.value.place):
                category = vocabulary.category(feature, goal.value)
            body.append(Literal(feature, Op.NE if goal.negated else Op.EQ, category))
        elif isinstance(goal, Binding):
            name = goal.variable.value
            with _at(goal.column.place):
                feature = vocabulary.column(goal.column)
            if bound.setdefault(name, feature) != feature:
                raise RuleSyntaxError(
                    goal.variable.place,
                    f"{name} is bound to {bound[name]!r} and to {feature!r}; use two variables",
                )
        elif isinstance(goal, Comparison):
            name = goal.variable.value
            if name not in bound:
                raise RuleSyntaxError(
                    goal.variable.place,
                    f"{name} is compared before it is bound; bind it: age(X,{name}), {name}>5.0",
                )
            compared.add(name)
            with _at(goal.threshold.place):
                literal = Literal(bound[name], goal.op, float(goal.threshold.value))
                vocabulary.check(literal)
            body.append(literal)
    for goal in clause.goals:
        if isinstance(goal, Binding) and goal.variable.value not in compared:
            raise RuleSyntaxError(
                goal.variable.place,
                f"{goal.variable.value} is bound and not compared; compare it or leave it out",
            )
    if not body:
        raise RuleSyntaxError(
            clause.place, "the rule has exceptions only; write at least one goal besides them"
        )
    return tuple(body)
