"""Rules in whatever form they are given: text, objects, a program or JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from foldse.editing.parse import rules_from_text
from foldse.editing.rule_json import RuleReader
from foldse.editing.vocabulary import Vocabulary
from foldse.model.literals import Literal
from foldse.model.rule import ORIGINS, Rule

__all__ = ["rebuilt", "rules_of"]


def rules_of(given: Any, vocabulary: Vocabulary, origin: str) -> tuple[Rule, ...]:
    """Return rules, checked against columns and labels.

    Parameters
    ----------
    given : str, Rule, RuleSet, mapping, or iterable of these
        Text as a program prints, rules as objects, or as they stand in a model file.
    vocabulary : Vocabulary
        With features, classes and a target.
    origin : str
        Of rules that do not say their own.

    Returns
    -------
    tuple of Rule

    Raises
    ------
    RuleSyntaxError
        If text cannot be read, or names what is not there.
    ModelFileError
        If JSON is not the form of a rule.
    ValueError
        If a rule names a column, category or label that is not there, or concludes none.
    TypeError
        If something else is given.
    """
    if isinstance(given, str):
        return rules_from_text(given, vocabulary, origin)[0]
    if isinstance(given, Rule):
        return (_checked(given, vocabulary, origin, "the rule"),)
    if isinstance(given, Mapping):
        given = [given]
    elif not isinstance(given, Iterable):
        raise TypeError(
            "rules are given as text, Rule objects, a RuleSet or in the JSON form of a model file; "
            f"got {type(given).__name__}"
        )
    found: list[Rule] = []
    for place, item in enumerate(given):
        where = f"rules[{place}]"
        if isinstance(item, Mapping):
            reader = RuleReader(vocabulary.features or (), vocabulary.classes or ())
            item = reader.rule(dict(item), where)
        if isinstance(item, Rule):
            found.append(_checked(item, vocabulary, origin, where))
        else:
            found += rules_of(item, vocabulary, origin)
    return tuple(found)


def _checked(rule: Rule, vocabulary: Vocabulary, origin: str, where: str) -> Rule:
    """Return a rule without support, with its values as tables are read; of its own origin if it has one."""
    if rule.origin not in ORIGINS:
        raise ValueError(f"{where} has the origin {rule.origin!r}; it must be one of {', '.join(ORIGINS)}")
    if rule.head is None:
        raise ValueError(f"{where} concludes nothing; only an exception has no head")

    def checked(part: Rule) -> Rule:
        if not part.body:
            raise ValueError("it, or an exception of it, has no literal; write at least one")
        body: Iterable[Literal] = map(vocabulary.literal, part.body)
        own = part.origin if part.origin != "learned" else origin
        return replace(part, body=tuple(body), support=(), origin=own)

    try:
        return replace(rebuilt(rule, checked), head=vocabulary.same_label(rule.head))
    except (ValueError, TypeError) as error:
        raise type(error)(f"{where}: {error}") from None


def rebuilt(rule: Rule, change: Callable[[Rule], Rule]) -> Rule:
    """Return a rule in which every part, the rule itself and each exception, is changed.

    Parameters
    ----------
    rule : Rule
    change : callable
        Gets a part whose exceptions have been changed.

    Returns
    -------
    Rule
    """
    # No recursion: exceptions may be hundreds deep. From the last part on, those below a part come before it,
    # in a row, and are the first of what is not yet in its place.
    made: list[Rule] = []
    for part in reversed(list(rule.parts())):
        below = tuple(made[: len(part.exceptions)])
        del made[: len(part.exceptions)]
        made.append(change(replace(part, exceptions=below[::-1])))
    return made[0]
