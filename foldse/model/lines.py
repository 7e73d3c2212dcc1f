"""A printed program line by line, and how counts and shares are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal as Choice

from foldse.model.confidence import Confidence
from foldse.model.literals import Literal, Op

__all__ = ["ProgramLine", "amount", "counted", "goals", "percent", "predicate_name", "weight_decided"]


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
        Weight of the covered rows that are decided, or withheld, correctly; also None for the default of a
        program that abstains, which gives them none of the labels.
    confidence : Confidence or None
        Of a rule, see `foldse.model.rule.Rule`.
    origin : str
        Where the rule is from, see `Rule`; of the default ``"learned"``.
    """

    text: str
    kind: Choice["rule", "exception", "default"]
    depth: int
    covered: float | None
    correct: float | None
    confidence: Confidence | None = None
    origin: str = "learned"


def weight_decided(lines: Iterable[ProgramLine]) -> float:
    """Return the weight of the rows that the lines decide together; 0 where that of one is not known."""
    deciding = [line.covered for line in lines if line.kind != "exception"]
    return 0.0 if None in deciding else sum(covered or 0 for covered in deciding)


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
    body: Iterable[Literal],
    predicates: Mapping[str, str],
    variables: Mapping[str, str],
    category_text: Callable[[Literal], str],
) -> Iterator[str]:
    """Yield the goals of a body in the paper's notation.

    Parameters
    ----------
    body : iterable of Literal
    predicates : mapping of str to str
        The predicate name of each feature.
    variables : mapping of str to str
        The variable of each feature that is compared by size.
    category_text : callable
        How the category of a literal is written.

    Yields
    ------
    str
    """
    bound = set()
    for literal in body:
        name = predicates[literal.feature]
        if not literal.op.is_threshold:
            yield f"{'not ' if literal.op is Op.NE else ''}{name}(X,{category_text(literal)})"
            continue
        variable = variables[literal.feature]
        if literal.feature not in bound:
            bound.add(literal.feature)
            yield f"{name}(X,{variable})"
        plain = literal.op.negation if literal.op.is_negated else literal.op
        comparison = f"{variable}{'=<' if plain is Op.LE else '>'}{literal.value_text}"
        yield f"not({comparison})" if literal.op.is_negated else comparison


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
