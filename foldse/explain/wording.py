"""How a literal reads in English: the paper's clauses, and sentences made from templates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from foldse.explain.proof import LiteralNode, ObservedValue, State
from foldse.model.literals import (
    Category,
    Literal,
    Op,
    category_text,
    number_text,
    printable,
    shortened,
)
from foldse.model.rules import RuleSet

__all__ = ["Sentences", "Templates", "clause", "phrase", "requirement", "value_words"]

Templates: TypeAlias = Mapping[str, str | Mapping[str, str]]
"""By feature, a template, or one for each of some comparisons (``"="``, ``"<="``, ``"not>"``, ...)."""

SUBJECT, VALUE = "@(X)", "@(V)"

_SHOULD = {
    Op.EQ: "should equal",
    Op.NE: "should not equal",
    Op.LE: "should be less equal to",
    Op.NOT_LE: "should not be less equal to",
    Op.GT: "should be greater than",
    Op.NOT_GT: "should not be greater than",
}

_IS = {
    Op.EQ: "is",
    Op.NE: "is not",
    Op.LE: "is at most",
    Op.NOT_LE: "is not at most",
    Op.GT: "is more than",
    Op.NOT_GT: "is not more than",
}


def requirement(literal: Literal) -> str:
    """Return what a literal asks of a value, in the paper's words: ``should not equal 'female'``."""
    return f"{_SHOULD[literal.op]} {_bound(literal)}"


def clause(node: LiteralNode, name: str) -> str:
    """Return the paper's clause of a literal.

    Parameters
    ----------
    node : LiteralNode
    name : str
        The feature's name in the clause.

    Returns
    -------
    str
        Such as ``the value of sex is 'male' which should not equal 'female' does hold``.
    """
    verb = "does hold" if node.state is State.TRUE else "does not hold"
    return f"the value of {name} is {node.observed} which {requirement(node.literal)} {verb}"


def phrase(node: LiteralNode, name: str) -> str:
    """Return in a few words the observed value and how it compares, which is true whatever the literal asked.

    Such as ``sex is 'male', not 'female'`` or ``fare 30.0 > 23.25``.
    """
    literal = node.literal if node.state is State.TRUE else node.literal.negated()
    bound = _bound(literal)
    if literal.op is Op.EQ:
        return f"{name} is {bound}"
    if literal.op is Op.NE:
        return f"{name} is {node.observed}, not {bound}"
    if node.observed.is_number:
        return f"{name} {node.observed} {'<=' if literal.op in (Op.LE, Op.NOT_GT) else '>'} {bound}"
    sign = str(literal.op).removeprefix("not")  # only a negated comparison holds for what is not a number
    return f"{name} is {node.observed}, not {sign} {bound}"


def _bound(literal: Literal) -> str:
    """Return the threshold or the category; in a sentence a missing value is called so."""
    return "missing" if literal.value is None else literal.value_text


def number_words(value: float) -> str:
    """Return a number as people write it: a whole one without a point."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else number_text(value)


def value_words(value: Category) -> str:
    """Return a category or a label as a word in a sentence: in quotes only if it could be misread.

    Examples
    --------
    >>> value_words("Married-civ-spouse"), value_words(""), value_words("missing")
    ('Married-civ-spouse', "''", "'missing'")
    """
    if value is None:
        return "missing"
    text = shortened(str(value))
    is_plain = re.fullmatch(r"[^\s'\"\\,.;:]+(?: [^\s'\"\\,.;:]+)*", text) and text.isprintable()
    return text if is_plain and text not in ("missing", "not") else category_text(text)


def observed_words(observed: ObservedValue) -> str:
    """Return an observed value as a word in a sentence."""
    value = observed.value
    return number_words(float(value)) if observed.is_number else value_words(value)  # type: ignore[arg-type]


def feature_words(rules: RuleSet) -> dict[str, str]:
    """Return for each feature its name as words: ``Marital_Status`` is the marital status.

    Abbreviations keep their capitals, and names that would become the same stay as they are.
    """
    words = {feature: _words(feature) for feature in rules.features}
    taken = Counter(words.values())
    return {feature: text if taken[text] == 1 else printable(feature) for feature, text in words.items()}


def _words(feature: str) -> str:
    parts = printable(feature.replace("_", " ")).split()
    return " ".join(p.lower() if p[1:] == p[1:].lower() else p for p in parts) or repr(feature)


class Sentences:
    """Sentences for the literals and the heads of a program.

    Parameters
    ----------
    rules : RuleSet
    templates : mapping, optional
        By feature, the sentence that says its value: ``{"Class": "@(X) is a passenger of class @(V)"}``,
        with ``@(X)`` the subject and ``@(V)`` the value, or ``at most 23.25`` and the like for a
        comparison by size. For other words a feature may have a mapping from comparisons to sentences:
        ``{"Fare": {"<=": "@(X) paid no more than @(V)", ">": "@(X) paid more than @(V)"}}``. The
        target's name stands for what the rules conclude, if no feature has that name.

    Raises
    ------
    ValueError
        If a template names no feature, no comparison, or lacks a placeholder.

    Notes
    -----
    The placeholders are those of the templates that the FOLD-SE authors give to s(CASP). Without one a
    sentence reads ``the fare of @(X) is at most @(V)``. A comparison without a sentence of its own is said
    by the sentence of what it negates, after ``it is not the case that``; that a value is missing is
    always said by the default.
    """

    def __init__(self, rules: RuleSet, templates: Templates | None = None):
        self.words = feature_words(rules)
        self.target = rules.target
        self._templates: dict[str, dict[Op | None, str]] = {}
        for name, given in (templates or {}).items():
            if name not in rules.features and name != rules.target:
                known = ", ".join(rules.features[:20]) + (", ..." if len(rules.features) > 20 else "")
                raise ValueError(
                    f"a template is for {name!r}, which is neither a feature nor the target "
                    f"{rules.target!r}; the features are {known}"
                )
            self._templates[name] = dict(_checked(name, given))

    def of(self, literal: Literal, subject: str) -> str:
        """Return the sentence that says that a literal holds for a subject."""
        given = self._templates.get(literal.feature, {})
        if literal.value is None or not given:
            return f"the {self.words[literal.feature]} of {subject} {_IS[literal.op]} {_value(literal)}"
        op = literal.op
        if op in given:
            return _fill(given[op], subject, _value(literal))
        plain = literal.negated() if op.is_negated else literal
        if plain.op in given:
            sentence = _fill(given[plain.op], subject, _value(literal))
        elif None in given:
            words = _IS[plain.op].removeprefix("is").strip()  # at most, more than, or nothing for =
            sentence = _fill(given[None], subject, f"{words} {_value(literal)}".strip())
        else:
            return f"the {self.words[literal.feature]} of {subject} {_IS[op]} {_value(literal)}"
        return f"it is not the case that {sentence}" if op.is_negated else sentence

    def head(self, label: Category, subject: str) -> str:
        """Return the sentence that says that a subject has a label."""
        given = {} if self.target in self.words else self._templates.get(self.target, {})
        template = given.get(Op.EQ, given.get(None))
        if template is None:
            return f"{self.target.replace('_', ' ')} is {value_words(label)} for {subject}"
        return _fill(template, subject, value_words(label))


def _value(literal: Literal) -> str:
    return number_words(literal.threshold) if literal.op.is_threshold else value_words(literal.value)


def _fill(template: str, subject: str, value: str) -> str:
    # In one pass, so that a subject which looks like a placeholder stays as it is.
    parts = re.split(r"(@\([XV]\))", template)
    return "".join({SUBJECT: subject, VALUE: value}.get(part, part) for part in parts)


def _checked(name: str, given: str | Mapping[str, str]) -> Iterator[tuple[Op | None, str]]:
    """Yield the templates of a feature by comparison; None is for all of them."""
    by_op = given if isinstance(given, Mapping) else {None: given}
    for key, template in by_op.items():
        if key is not None and key not in list(Op):
            raise ValueError(
                f"the templates of {name!r} are for the comparison {key!r}; "
                f"the comparisons are {', '.join(Op)}"
            )
        for placeholder, what in ((SUBJECT, "subject"), (VALUE, "value")):
            if not isinstance(template, str) or placeholder not in template:
                raise ValueError(
                    f"the template of {name!r} lacks {placeholder}, which stands for the {what}: {template!r}"
                )
        yield None if key is None else Op(key), template
