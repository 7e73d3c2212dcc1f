"""A rule in fewer and plainer literals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from foldse.model.literals import Literal, Op
from foldse.model.rule import Rule

__all__ = ["simplify"]


def simplify(
    rule: Rule, max_rule_length: int | None = None, may_stand: Callable[[Literal], bool] | None = None
) -> Rule:
    """Return an equivalent rule that is shorter to read.

    Parameters
    ----------
    rule : Rule
    max_rule_length : int, optional
        No exception becomes a literal of a rule that would then have more.
    may_stand : callable, optional
        Tells of a literal whether a rule may have it: no exception becomes one that it may not, and bounds
        are not merged into one.

    Returns
    -------
    Rule
        An exception that is one literal, with no exceptions of its own, has become a negated literal of
        its rule; of several bounds of one feature from the same side only the tightest is left; bounds from
        both sides read ``x > 3, x =< 5`` unless both are negated comparisons; categorical literals come
        first, then numeric ones, a feature's together, those with two negated bounds last.

    Notes
    -----
    As the authors' programs do it (not described in the paper), except that theirs keep two bounds from one
    side if they differ in the comparison: ``x =< 5, not(x > 3)`` is here ``x =< 3``. FOLD-SE learned no such
    rule from any of the paper's data. Exceptions are simplified before the rule, so that an exception which
    simplification brings down to one literal is folded too.
    """
    body = list(rule.body)
    exceptions = []
    for part in rule.exceptions:
        exception = simplify(part, max_rule_length, may_stand)
        if len(exception.body) == 1 and not exception.exceptions:
            longer = [*body, exception.body[0].negated()]
            may_have = may_stand is None or may_stand(longer[-1])
            if may_have and (max_rule_length is None or len(_tightest(longer)) <= max_rule_length):
                body = longer
                continue
        exceptions.append(exception)
    tightest = _tightest(body)
    if may_stand is not None and not all(map(may_stand, tightest)):
        tightest = tuple(dict.fromkeys(body))
    return replace(rule, body=tightest, exceptions=tuple(exceptions))


def _tightest(body: Iterable[Literal]) -> tuple[Literal, ...]:
    """Merge the bounds of a feature from one side, and order the literals for print."""
    merged: dict[Any, Literal] = {}
    for literal in body:
        if not literal.op.is_threshold:
            merged.setdefault(literal, literal)
            continue
        # A bound from above is tighter when smaller, one from below when larger. A plain comparison, which
        # holds of numbers only, asks more than a negated one, which holds of what is no number, too.
        from_above = literal.op in (Op.LE, Op.NOT_GT)
        known = merged.get((literal.feature, from_above))
        if known is not None:
            plain = next((x.op for x in (known, literal) if not x.op.is_negated), literal.op)
            tighter = min if from_above else max
            literal = Literal(literal.feature, plain, tighter(known.threshold, literal.threshold))
        merged[literal.feature, from_above] = literal
    categorical = [x for x in merged.values() if not x.op.is_threshold]
    numeric = [x for x in merged.values() if x.op.is_threshold]
    bounds: dict[str, list[Literal]] = {}
    for literal in numeric:
        bounds.setdefault(literal.feature, []).append(literal)
    of_features = sorted(map(_from_both_sides, bounds.values()), key=_is_negated_pair)
    return (*categorical, *(x for of_feature in of_features for x in of_feature))


def _is_negated_pair(bounds: list[Literal]) -> bool:
    return len(bounds) == 2 and all(x.op.is_negated for x in bounds)


def _from_both_sides(bounds: list[Literal]) -> list[Literal]:
    """Write the bounds of one feature, lower first, as plain comparisons where one of two is plain."""
    bounds = sorted(bounds, key=lambda x: x.op in (Op.LE, Op.NOT_GT))
    if len(bounds) < 2 or _is_negated_pair(bounds):
        return bounds
    # What satisfies the plain one is a number, for which a negated comparison is the opposite plain one.
    plain = {Op.NOT_LE: Op.GT, Op.NOT_GT: Op.LE}
    return [replace(x, op=plain.get(x.op, x.op)) for x in bounds]
