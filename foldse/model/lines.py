"""A printed program line by line, and how counts and shares are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal as Choice

from foldse.model.confidence import Confidence
from foldse.model.literals import Literal, Op

__all__ = ["ProgramLine", "amount", "counted", "goals", "percent"]


@dataclass(frozen=True, slots=True)
class ProgramLine:
    """A line of a printed program and what it covers of the training rows.

    Attributes
    ----------
    text : str
    kind : {"rule", "exception", "default"}
    depth : int
        0 for a rule and the default, 1 for an exception, 2 for an exception of an exception, ...
    covered : float or None
        Weight of the training rows that the rule decides or, for an exception, withholds from its rule.
        None if it is not known, as for a rule that was not learned.
    correct : float or None
        Weight of the covered rows that are decided, or withheld, correctly.
    confidence : Confidence or None
        Of a rule, see `foldse.model.rule.Rule`.
    """

    text: str
    kind: Choice["rule", "exception", "default"]
    depth: int
    covered: float | None
    correct: float | None
    confidence: Confidence | None = None


def counted(number: int, noun: str) -> str:
    """Return a count with its noun: ``1 rule``, ``2 rules``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def amount(weight: float) -> str:
    """Return a weight of rows: a whole one as a count, others with six digits."""
    return f"{int(weight):,}" if weight == int(weight) and weight < 1e15 else f"{weight:,.6g}"


def percent(part: float, whole: float) -> str:
    """Return a share with one decimal; 100% and 0% are exact. An empty text if there is no whole."""
    if not whole:
        return ""
    share = 100 * part / whole
    if 0 < part < whole:
        return f"{min(max(share, 0.1), 99.9):.1f}%"
    return f"{share:.0f}%"


def goals(
    body: Iterable[Literal], predicates: Mapping[str, str], variables: Mapping[str, str]
) -> Iterator[str]:
    """Yield the goals of a body in the paper's notation.

    Parameters
    ----------
    body : iterable of Literal
    predicates : mapping of str to str
        The predicate name of each feature.
    variables : mapping of str to str
        The variable of each feature that is compared by size.

    Yields
    ------
    str
    """
    bound = set()
    for literal in body:
        name = predicates[literal.feature]
        if not literal.op.is_threshold:
            yield f"{'not ' if literal.op is Op.NE else ''}{name}(X,{literal.value_text})"
            continue
        variable = variables[literal.feature]
        if literal.feature not in bound:
            bound.add(literal.feature)
            yield f"{name}(X,{variable})"
        plain = literal.op.negation if literal.op.is_negated else literal.op
        comparison = f"{variable}{'=<' if plain is Op.LE else '>'}{literal.value_text}"
        yield f"not({comparison})" if literal.op.is_negated else comparison
