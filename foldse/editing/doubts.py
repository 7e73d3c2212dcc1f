"""Rules that cannot fire, or that an earlier rule always covers, as far as comparing literals shows."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence

from foldse.model.literals import Literal, Op, category_key
from foldse.model.rule import Rule
from foldse.model.rules import RuleSet
from foldse.runtime.callers import outside

__all__ = ["contradiction", "doubts", "implies", "warn_of_doubts"]


def contradiction(body: Iterable[Literal]) -> tuple[Literal, Literal] | None:
    """Return two literals of a body that no value satisfies together; None if no two are found.

    Notes
    -----
    Two literals are enough: the values that satisfy one are an interval of numbers, with or without all that
    is no number, one category, or all but one. Two negated bounds are satisfied by what is no number.
    """
    earlier: dict[str, list[Literal]] = {}
    for literal in body:
        others = earlier.setdefault(literal.feature, [])
        for other in others:
            if _exclude(other, literal):
                return other, literal
        others.append(literal)
    return None


def _exclude(a: Literal, b: Literal) -> bool:
    if a.op.is_threshold and b.op.is_threshold:
        upper, lower = (a, b) if a.op in (Op.LE, Op.NOT_GT) else (b, a)
        if upper.op not in (Op.LE, Op.NOT_GT) or lower.op in (Op.LE, Op.NOT_GT):
            return False  # bounds from one side
        return lower.threshold >= upper.threshold and not (lower.op.is_negated and upper.op.is_negated)
    if a.op.is_threshold or b.op.is_threshold:
        threshold, category = (a, b) if a.op.is_threshold else (b, a)
        return category.op is Op.EQ and not threshold.op.is_negated
    is_same = category_key(a.value) == category_key(b.value)
    return (a.op is Op.EQ or b.op is Op.EQ) and is_same != (a.op is b.op)


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
            pair = contradiction(inside)
            always = next((x for x in below if _covers(parts[x].rule, inside)), None)
            if pair is None and always is None:
                stack += [(exception, inside) for exception in below]
                continue
            dead.add(place)
            reason = f"its exception {texts[always]} always does" if always is not None else ""
            if pair is not None:
                reason = f"{pair[0]} and {pair[1]} exclude each other"
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
