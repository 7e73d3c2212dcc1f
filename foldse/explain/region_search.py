"""The cheapest rows of regions that a program gives a label, one after the other."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any, TypeAlias

from foldse.explain.domains import Domain
from foldse.model.rule import Rule
from foldse.model.rules import RuleSet

__all__ = ["cheapest_rows"]

Restriction: TypeAlias = tuple[tuple[int, int], ...]
"""For some features, by position, the set of regions that is left."""


@dataclass(frozen=True, slots=True)
class _Node:
    """A rule over regions: each literal as the feature's position and the regions where it holds."""

    literals: Restriction
    exceptions: tuple[_Node, ...]

    def holds(self, row: Sequence[int]) -> bool:
        return all(regions >> row[d] & 1 for d, regions in self.literals) and not any(
            exception.holds(row) for exception in self.exceptions
        )

    def to_hold(self, row: Sequence[int]) -> Iterator[Restriction]:
        """Yield restrictions, one of which every row meets for which the rule holds; `row` meets none.

        The rule does not hold for `row`.
        """
        if not all(regions >> row[d] & 1 for d, regions in self.literals):
            yield self.literals
            return
        exception = next(e for e in self.exceptions if e.holds(row))
        for restriction in exception.to_fail(row):
            yield self.literals + restriction

    def to_fail(self, row: Sequence[int]) -> Iterator[Restriction]:
        """Yield restrictions, one of which every row meets for which the rule fails; `row` meets none.

        The rule holds for `row`.
        """
        for d, regions in self.literals:
            yield ((d, ~regions),)
        for exception in self.exceptions:
            yield from exception.to_hold(row)


def cheapest_rows(
    rules: RuleSet, forbidden: Sequence[Rule], domains: Sequence[Domain], targets: Sequence[Any]
) -> Iterator[tuple[int, ...]]:
    """Yield rows that are predicted as a target, the cheapest first, none of which goes beyond another.

    Parameters
    ----------
    rules : RuleSet
    forbidden : sequence of Rule
        What must not hold of a row.
    domains : sequence of Domain
        Of all features that the rules and `forbidden` compare.
    targets : sequence of object
        The labels that will do. The row as it is has another.

    Yields
    ------
    tuple of int
        The region of each domain. A row goes beyond another if it makes all its changes, the same or, of a
        number, further the same way.

    Notes
    -----
    Best first: the cheapest row within what is still allowed is tried, and if it is not predicted as
    wanted, or something forbidden holds, what it lacks is asked for, one way at a time. A row that was found
    is forbidden from then on, with all that go beyond it, which cost more.
    """
    places = {d.feature: position for position, d in enumerate(domains)}
    nodes = [_compiled(rule, domains, places) for rule in rules]
    failing = [_compiled(rule, domains, places) for rule in forbidden]
    heads = [*(rule.head for rule in rules), rules.otherwise]
    start = tuple(d.everywhere for d in domains)

    @cache
    def cheapest(position: int, regions: int) -> tuple[tuple[int, ...], int]:
        domain = domains[position]
        return min((region.cost, k) for k, region in enumerate(domain.regions) if regions >> k & 1)

    def entry(goal: int, allowed: tuple[int, ...]) -> tuple[Any, ...]:
        best = [cheapest(position, regions) for position, regions in enumerate(allowed)]
        cost = tuple(map(sum, zip(*(cost for cost, _ in best), strict=True)))
        return cost, next(order), goal, allowed, tuple(region for _, region in best)

    # A goal is that one rule decides: it fires, or is the default, and all before it fail.
    order = count()
    heap = [entry(goal, start) for goal, head in enumerate(heads) if head in targets]
    heapq.heapify(heap)
    seen = {(goal, start) for _, _, goal, _, _ in heap}
    while heap:
        _, _, goal, allowed, row = heapq.heappop(heap)
        restrictions = _unmet(nodes, failing, goal, row)
        if restrictions is None:
            yield row
            found = tuple(
                (place, domains[place].as_far(region)) for place, region in enumerate(row) if region
            )
            failing.append(_Node(found, ()))
            restrictions = failing[-1].to_fail(row)
        for restriction in restrictions:
            left = list(allowed)
            for position, regions in restriction:
                left[position] &= regions
            key = goal, tuple(left)
            if all(left) and key not in seen:
                seen.add(key)
                heapq.heappush(heap, entry(*key))


def _unmet(
    nodes: Sequence[_Node], failing: Sequence[_Node], goal: int, row: Sequence[int]
) -> Iterator[Restriction] | None:
    """Return what a row lacks for the goal; None if nothing."""
    if goal < len(nodes) and not nodes[goal].holds(row):
        return nodes[goal].to_hold(row)
    for node in (*nodes[:goal], *failing):
        if node.holds(row):
            return node.to_fail(row)
    return None


def _compiled(rule: Rule, domains: Sequence[Domain], places: dict[str, int]) -> _Node:
    literals = []
    for literal in rule.body:
        domain = domains[places[literal.feature]]
        literals.append((places[literal.feature], domain.holding[domain.literals.index(literal)]))
    return _Node(tuple(literals), tuple(_compiled(e, domains, places) for e in rule.exceptions))
