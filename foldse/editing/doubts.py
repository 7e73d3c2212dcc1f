"""Rules that cannot fire, or that an earlier rule always covers, as far as comparing literals shows."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence

from foldse.model.literals import Literal, Op, category_key
from foldse.model.rule import Rule
from foldse.model.rules import RuleSet
from foldse.runtime.callers import outside

__all__ = ["contradiction", "doubts", "implies", "warn_of_doubts"]


def contradiction(body: Iterable[Literal]) -> tuple[Literal, ...] | None:
    """Return literals of a body that no value satisfies together; None if there are none.

    Notes
    -----
    Exact: a plain comparison by size holds of numbers only, of which the others are bounds; two negated ones
    hold of what is no number, too; and no number is equal to a category.
    """
    by_feature: dict[str, list[Literal]] = {}
    for literal in body:
        by_feature.setdefault(literal.feature, []).append(literal)
    found = (_contradiction(literals) for literals in by_feature.values())
    return next((literals for literals in found if literals is not None), None)


def _contradiction(literals: Sequence[Literal]) -> tuple[Literal, ...] | None:
    """Return literals of one feature that no value satisfies together; None if there are none."""
    plain = next((x for x in literals if x.op.is_threshold and not x.op.is_negated), None)
    equal = next((x for x in literals if x.op is Op.EQ), None)
    if plain is not None and equal is not None:
        return plain, equal
    if equal is not None:
        same = category_key(equal.value)
        for other in literals:
            if not other.op.is_threshold and (category_key(other.value) == same) is (other.op is Op.NE):
                return equal, other
    if plain is None:
        return None
    lower = max((x for x in literals if x.op in (Op.GT, Op.NOT_LE)), key=lambda x: x.threshold, default=None)
    upper = min((x for x in literals if x.op in (Op.LE, Op.NOT_GT)), key=lambda x: x.threshold, default=None)
    if lower is None or upper is None or lower.threshold < upper.threshold:
        return None
    return tuple(
        dict.fromkeys((lower, upper, plain if lower.op.is_negated and upper.op.is_negated else upper))
    )


def implies(body: Sequence[Literal], literal: Literal) -> bool:
    """Return whether a literal of the same feature shows that another holds, too."""
    return contradiction((literal.negated(), *(x for x in body if x.feature == literal.feature))) is not None


def _covers(earlier: Rule, body: Sequence[Literal]) -> bool:
    """Return whether a rule without exceptions fires wherever a body holds."""
    return not earlier.exceptions and all(implies(body, literal) for literal in earlier.body)


def doubts(rules: RuleSet) -> Iterator[tuple[str, tuple[Rule, ...]]]:
    """Yield what is odd about the rules of a program.

    Parameters
    ----------
    rules : RuleSet

    Yields
    ------
    message : str
        Rules are counted from 1; of exceptions it has the text.
    concerned : tuple of Rule
        The rules that it is about.
    """
    parts = list(rules.walk())
    texts = [line.text.removesuffix(".") for line in rules.lines()]
    named = [f"rule {place}, {text}," for place, text in enumerate(texts[: len(rules)], 1)]
    places = {part.name: place for place, part in enumerate(parts) if part.depth}
    dead: set[int] = set()
    for top in range(len(rules)):
        stack: list[tuple[int, tuple[Literal, ...]]] = [(top, ())]
        while stack:
            place, above = stack.pop()
            part = parts[place]
            inside = (*above, *part.rule.body)
            below = [places[name] for name in part.exceptions]
            clash = contradiction(inside)
            always = next((x for x in below if _covers(parts[x].rule, inside)), None)
            if clash is None and always is None:
                stack += [(exception, inside) for exception in below]
                continue
            dead.add(place)
            reason = f"its exception {texts[always]} always does" if always is not None else ""
            if clash is not None:
                reason = f"{' and '.join(map(str, clash))} exclude each other"
            name = f"the exception {texts[place]}" if part.depth else named[place]
            yield f"{name} can never fire: {reason}", (rules[top],)
    for place, rule in enumerate(rules):
        if place in dead:
            continue
        for before, earlier in enumerate(rules[:place]):
            if before not in dead and _covers(earlier, rule.body):
                yield (
                    f"{named[place]} never decides a row: rule {before + 1} comes before it and fires "
                    "wherever it does",
                    (rule, earlier),
                )
                break


def warn_of_doubts(rules: RuleSet) -> None:
    """Warn of what is odd about rules that were not learned, and about learned ones because of these."""
    if all(rule.origin == "learned" for rule in rules):
        return
    for message, concerned in doubts(rules):
        if any(rule.origin != "learned" for rule in concerned):
            warnings.warn(message, UserWarning, stacklevel=outside())
