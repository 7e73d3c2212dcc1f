"""Justifications and whole programs as text: the paper's form, one line, and plain English."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from foldse.explain.proof import Decision, LiteralNode, RuleNode, State
from foldse.explain.wording import (
    Sentences,
    Templates,
    clause,
    observed_words,
    phrase,
)
from foldse.model.literals import Op, quote
from foldse.model.rule import Rule
from foldse.model.rules import RuleSet

__all__ = ["describe", "english_text", "paper_text", "short_text"]

INDENT = "    "


def paper_text(justification: Decision) -> str:
    """Return a justification as the paper prints it.

    Parameters
    ----------
    justification : Decision

    Returns
    -------
    str
        One clause a line, indented by depth: the head and whether it holds, then the clauses of the
        literals and exceptions that were tried.

    Notes
    -----
    The Titanic example of the FOLD-SE paper. Deviations: the paper leaves open where a clause is not
    needed, here such a clause is left out; a rule's clauses are joined by ``and``; an exception is a
    clause of its rule, as in s(CASP)'s justification trees.
    """
    subject, rules = justification.subject, justification.program.rules
    lines: list[str] = []
    for _, node in justification.shown:
        head = f"{node.name}({subject},{quote(str(node.head))})"
        lines += _paper_lines(node, head, justification, "")
    if justification.fired is not None:
        return "\n".join(lines)
    if justification.prediction is None:
        lines.append(f"no rule fires, so {subject} has no label")
    elif len(rules.classes) > 2 or rules.abstain is not False or not lines:
        lines.append(f"{rules.target}({subject},{quote(str(justification.prediction))}) does hold by default")
    return "\n".join(lines)


def _paper_lines(node: RuleNode, head: str, justification: Decision, indent: str) -> list[str]:
    verb = "does hold" if node.state is State.TRUE else "does not hold"
    lines = [f"{indent}{head} {verb} because"]
    indent += INDENT
    for part in node.tried:
        if len(lines) > 1:
            lines[-1] += " and"
        if isinstance(part, LiteralNode):
            lines.append(indent + clause(part, justification.program.predicates[part.literal.feature]))
        else:
            called = f"exception {part.name}({justification.subject},'True')"
            lines += _paper_lines(part, called, justification, indent)
    return lines


def short_text(justification: Decision) -> str:
    """Return a justification as one line.

    Parameters
    ----------
    justification : Decision

    Returns
    -------
    str
        What is concluded and by which rule or, by default, what every rule fails on.
    """
    names, nodes = justification.program.predicates, justification.rules
    text = f"{justification.target}({justification.subject},{quote(str(justification.prediction))})"
    if justification.fired is not None:
        by = f"by rule {justification.fired + 1}:" if len(nodes) > 1 else "because"
        return f"{text} {by} {_short_literals(nodes[justification.fired], names)}"
    if justification.prediction is None:
        text = f"no label of {justification.subject}"
    else:
        text += " by default"
    failed = [f"rule {number} fails as {_short_failure(node, names)}" for number, node in enumerate(nodes, 1)]
    return text + (f": {'; '.join(failed)}" if failed else "")


def _short_literals(node: RuleNode, names: dict[str, str]) -> str:
    return ", ".join(phrase(part, names[part.literal.feature]) for part in node.literals)


def _short_failure(node: RuleNode, names: dict[str, str]) -> str:
    """Return what a rule fails on: the last part that was tried."""
    last = node.tried[-1]
    if isinstance(last, LiteralNode):
        return phrase(last, names[last.literal.feature])
    return f"its exception {last.name} holds ({_short_literals(last, names)})"


def english_text(justification: Decision, templates: Templates | None = None) -> str:
    """Return a justification in plain English.

    Parameters
    ----------
    justification : Decision
    templates : mapping, optional
        Sentences for features, see `foldse.explain.wording.Sentences`.

    Returns
    -------
    str
        The conclusion, then its reasons, indented by depth. Of a rule that fails only the reason why.
    """
    narrator = _Narrator(Sentences(justification.program.rules, templates), justification.subject)
    if justification.prediction is None:
        conclusion = f"No rule fires, so {justification.subject} has no label"
    else:
        conclusion = narrator.sentences.head(justification.prediction, justification.subject)
        conclusion += " by default" if justification.fired is None else ""
    shown = justification.shown
    if not shown:
        return f"{conclusion}: there are no rules."
    lines = [f"{conclusion}, because"]
    for position, node in shown:
        if node.state is State.TRUE:
            lines += narrator.success(node, INDENT)
        else:
            lines += narrator.failure(node, f"rule {position + 1}", INDENT)
    return "\n".join(lines) + "."


class _Narrator:
    """Says for one subject why rules hold or fail."""

    def __init__(self, sentences: Sentences, subject: str):
        self.sentences, self.subject = sentences, subject

    def sentence(self, node: LiteralNode) -> str:
        literal = node.literal if node.state is State.TRUE else node.literal.negated()
        if node.observed.is_number and literal.op.is_threshold and literal.op.is_negated:
            # Of a number: not at most is more than.
            literal = replace(literal, op=Op.GT if literal.op is Op.NOT_LE else Op.LE)
        words = self.sentences.of(literal, self.subject)
        if literal.op is Op.EQ:
            return words
        return f"{words} (the {self.sentences.words[literal.feature]} is {observed_words(node.observed)})"

    def success(self, node: RuleNode, indent: str) -> list[str]:
        lines = [indent + self.sentence(part) for part in node.literals]
        blocks = [[line] for line in lines]
        blocks += [
            self.failure(exception, f"exception {exception.name}", indent) for exception in node.exceptions
        ]
        return _joined(blocks)

    def failure(self, node: RuleNode, name: str, indent: str) -> list[str]:
        last = node.tried[-1]
        if isinstance(last, LiteralNode):
            return [f"{indent}{name} does not apply: {self.sentence(last)}"]
        lines = [f"{indent}{name} does not apply: its exception {last.name} does, because"]
        return lines + self.success(last, indent + INDENT)


def _joined(blocks: list[list[str]]) -> list[str]:
    for block in blocks[:-1]:
        block[-1] += " and"
    return [line for block in blocks for line in block]


def describe(model: Any, templates: Templates | None = None, subject: str = "X") -> str:
    """Return a whole program in English.

    Parameters
    ----------
    model : fitted rule learner or RuleSet
    templates : mapping, optional
        Sentences for features, such as ``{"Class": "@(X) is a passenger of class @(V)"}``; the rest is
        said by default sentences, see `foldse.explain.wording.Sentences`.
    subject : str, default="X"
        What the sentences speak of.

    Returns
    -------
    str
        A paragraph a rule, exceptions as ``unless``, then the default.

    Raises
    ------
    ValueError
        If a template is for no feature or lacks ``@(X)`` or ``@(V)``.
    TypeError
        If the model is a tree.
    """
    if not isinstance(model, RuleSet):
        from sklearn.utils.validation import check_is_fitted  # not above: rows are explained without it

        check_is_fitted(model)
        if not hasattr(model, "rules_"):
            raise TypeError(f"{type(model).__name__} has no rules to describe; print its tree_ instead")
    rules: RuleSet = model if isinstance(model, RuleSet) else model.rules_
    sentences = Sentences(rules, templates)
    lines = []
    for number, rule in enumerate(rules, 1):
        lines.append(f"Rule {number}. {sentences.head(rule.head, subject)} if")
        lines += _conditions(rule, sentences, subject, INDENT)
        lines[-1] += "."
    otherwise = rules.otherwise
    default = f"{subject} has no label" if otherwise is None else sentences.head(otherwise, subject)
    if len({rule.head for rule in rules}) > 1:
        lines.insert(0, "The first rule that applies decides.")
    lines.append(f"If no rule applies, {default}." if rules else f"Always {default}.")
    return "\n".join(lines)


def _conditions(rule: Rule, sentences: Sentences, subject: str, indent: str) -> list[str]:
    blocks = [[indent + sentences.of(literal, subject)] for literal in rule.body]
    lines = _joined(blocks)
    for position, exception in enumerate(rule.exceptions):
        lines[-1] += ","
        lines.append(f"{indent}{'or ' if position else ''}unless")
        lines += _conditions(exception, sentences, subject, indent + INDENT)
    return lines
