"""What would have to be different for a row to be predicted otherwise: the fewest changes, exactly."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from foldse.explain.domains import Domain, domain
from foldse.explain.justification import subject_names
from foldse.explain.proof import ObservedValue, Program, plain
from foldse.explain.wording import value_words
from foldse.model.literals import Literal, Value, quote
from foldse.model.rule import Rule
from foldse.model.rules import RuleSet
from foldse.reading import column_names
from foldse.reading.columns import Column

__all__ = ["Counterfactual", "FeatureChange", "counterfactual"]


class FeatureChange(NamedTuple):
    """One feature's change: its name, the value it has and the value it would have to have."""

    feature: str
    old: Value
    new: Value


@dataclass(frozen=True, eq=False)
class Counterfactual:
    """The smallest change to a row that makes it be predicted otherwise.

    Attributes
    ----------
    subject : str
        Name of the row.
    original, prediction : object
        What is predicted for the row as it is, and once it is changed.
    changes : tuple of FeatureChange
        In the order of the features.
    literals : tuple of Literal
        The program's literals that hold for one of the two and not for the other.
    row : pandas.Series
        The changed row.
    """

    subject: str
    original: Any
    prediction: Any
    changes: tuple[FeatureChange, ...]
    literals: tuple[Literal, ...]
    row: pd.Series
    _rules: RuleSet
    # For each change, how the old and the new value read, and the condition on any new one.
    _texts: tuple[tuple[str, str, str], ...]

    def __str__(self) -> str:
        names = self._rules.predicate_names()
        heads = [
            f"{self._rules.target}({self.subject},{quote(str(label))})"
            for label in (self.prediction, self.original)
        ]
        clauses = [
            f"    the value of {names[change.feature]} were {new} instead of {old}"
            for change, (old, new, _) in zip(self.changes, self._texts, strict=True)
        ]
        return f"{heads[0]} would hold instead of {heads[1]} if\n" + " and\n".join(clauses)

    def __repr__(self) -> str:
        return f"<counterfactual: {' '.join(str(self).split())}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the counterfactual as plain JSON values.

        Returns
        -------
        dict
            ``schema`` (1), ``subject``, ``target``, ``original``, ``prediction`` and ``changes``, each
            ``feature``, ``from``, ``to`` and ``condition``, which is what any other value has to meet.
        """
        return {
            "schema": 1,
            "subject": self.subject,
            "target": self._rules.target,
            "original": plain(self.original),
            "prediction": plain(self.prediction),
            "changes": [
                {"feature": feature, "from": plain(old), "to": plain(new), "condition": condition}
                for (feature, old, new), (_, _, condition) in zip(self.changes, self._texts, strict=True)
            ],
        }


def counterfactual(
    clf: Any,
    x: Any,
    target: Any = None,
    fixed: Iterable[str] = (),
    allow_missing: bool = True,
    name: str | None = None,
) -> Counterfactual:
    """Return the smallest change to a row that makes it be predicted otherwise.

    Parameters
    ----------
    clf : fitted FoldSEClassifier or FoldRPPClassifier
    x : pandas.Series, pandas.DataFrame of one row, or array-like of shape (n_features,)
        The row. As one row of a frame it keeps its dtypes, which matter where numbers are categories by
        their dtype only.
    target : object, optional
        The label to reach; by default any other than the predicted one.
    fixed : iterable of str, default=()
        Features that must stay as they are.
    allow_missing : bool, default=True
        Whether a value may become missing where that is the smallest change.
    name : str, optional
        What to call the row; by default its label where it is text, and X0 elsewhere.

    Returns
    -------
    Counterfactual

    Raises
    ------
    ValueError
        If no change of the features that may be changed reaches the target, the target is not a label or is
        the one predicted, `fixed` names no feature, or `x` is not one row.

    Notes
    -----
    Not in the paper. The rules tell only finitely many values of a feature apart: the intervals between
    their thresholds, the categories that they name, any other category, missing. Over these regions the
    search is exact. It minimises, compared in this order, the number of features changed, the number of
    literals whose truth changes, how unnatural the changes are, how far numbers move, and the positions
    of the features (see `foldse.explain.domains.domain`); what is equal in all of it is decided by the
    order of the rules. It is a best-first search: the cheapest row within what is still allowed is tried, and
    if it is not predicted as wanted, what it lacks is asked for, one way at a time.
    """
    check_is_fitted(clf)
    if not hasattr(clf, "rules_"):
        raise TypeError(f"a counterfactual is found from rules, and {type(clf).__name__} has none")
    rules: RuleSet = clf.rules_
    frame = _one_row(clf, x)
    original = clf.predict(frame).tolist()[0]
    targets = _targets(rules, original, target)
    fixed = _checked_names(fixed, rules)
    program = Program(rules)
    table = clf._columns(frame, frozenset(program.features))
    domains = [
        domain(
            column,
            [literal for literal in program.literals if literal.feature == column.name],
            rules.features.index(column.name),
            allow_missing,
            clf.feature_types_[rules.features.index(column.name)],
        )
        for column in _in_order(table, rules)
    ]
    found = _search(rules, domains, targets, frozenset(fixed))
    if found is None:
        wanted = f"the label {target!r}" if target is not None else f"another label than {original!r}"
        free = [d.feature for d in domains if d.feature not in fixed]
        raise ValueError(
            f"no change of {', '.join(free) if free else 'any feature that may change'} leads to {wanted}"
        )
    changed = [(d, d.regions[region]) for d, region in zip(domains, found, strict=True) if region]
    row = frame.copy()
    for d, region in changed:
        _put(row, d.feature, region.value)
    prediction = clf.predict(row).tolist()[0]
    if prediction not in targets:
        raise RuntimeError(
            f"the rules and predict disagree on {row.to_dict('records')[0]}; please report this"
        )
    return Counterfactual(
        subject=subject_names(frame, 1, None if name is None else [name])[0],
        original=original,
        prediction=prediction,
        changes=tuple(FeatureChange(d.feature, d.observed.value, region.value) for d, region in changed),
        literals=tuple(
            literal
            for d, region in changed
            for bit, literal in enumerate(d.literals)
            if (d.regions[0].truths ^ region.truths) >> bit & 1
        ),
        row=row.iloc[0],
        _rules=rules,
        _texts=tuple(
            (
                str(d.observed),
                _with_condition(ObservedValue(region.value, region.is_number), region.says),
                region.says,
            )
            for d, region in changed
        ),
    )


def _with_condition(new: ObservedValue, says: str) -> str:
    """Return the new value and, where others would do as well, what they have in common."""
    return str(new) if says == value_words(new.value) else f"{new} ({says})"


def _one_row(clf: Any, x: Any) -> pd.DataFrame:
    """Return a row as a frame."""
    if isinstance(x, pd.Series):
        return x.to_frame().T
    if not isinstance(x, pd.DataFrame):
        # The values of a list may be of several types; an array is of one.
        values = x if isinstance(x, np.ndarray) else np.array(x, dtype=object)
        if values.ndim == 1:
            values = values.reshape(1, -1)
        if values.ndim != 2 or values.shape[1] != clf.n_features_in_:
            raise ValueError(
                f"x has shape {values.shape}, but one row of {clf.n_features_in_} features is needed"
            )
        x = pd.DataFrame(values, columns=list(clf.feature_names_))
    if len(x) != 1:
        raise ValueError(f"x has {len(x)} rows; a counterfactual is found for one, such as X.iloc[[0]]")
    return x


def _put(frame: pd.DataFrame, feature: str, value: Value) -> None:
    position = column_names(frame).index(feature)
    if isinstance(frame.dtypes.iloc[position], pd.CategoricalDtype):
        # Its dtype may be all that says that a number is a category here.
        frame.isetitem(position, pd.Categorical([value]))
    else:
        frame.isetitem(position, np.array([value], dtype=object))


def _in_order(table: Iterable[Column], rules: RuleSet) -> list[Column]:
    return sorted(table, key=lambda column: rules.features.index(column.name))


def _targets(rules: RuleSet, original: Any, target: Any) -> list[Any]:
    """Return the labels that will do."""
    if target is None:
        return [label for label in rules.classes if label != original]
    found = [label for label in rules.classes if label == target]
    if not found:
        known = ", ".join(repr(label) for label in rules.classes)
        raise ValueError(f"target {target!r} is not a label; the labels are {known}")
    if found[0] == original:
        raise ValueError(f"target {target!r} is what is predicted already")
    return found


def _checked_names(fixed: Iterable[str], rules: RuleSet) -> frozenset[str]:
    names = [fixed] if isinstance(fixed, str) else [str(name) for name in fixed]
    for feature in names:
        if feature not in rules.features:
            known = ", ".join(rules.features[:20]) + (", ..." if len(rules.features) > 20 else "")
            raise ValueError(f"fixed names {feature!r}, which is not a feature; the features are {known}")
    return frozenset(names)


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


def _search(
    rules: RuleSet, domains: Sequence[Domain], targets: Sequence[Any], fixed: frozenset[str]
) -> tuple[int, ...] | None:
    """Return the regions of the cheapest row that is predicted as a target; None without one."""
    places = {d.feature: position for position, d in enumerate(domains)}
    nodes = [_compiled(rule, domains, places) for rule in rules]
    heads = [*(rule.head for rule in rules), rules.default]
    start = tuple(1 if d.feature in fixed else d.everywhere for d in domains)

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
        restrictions = _unmet(nodes, goal, row)
        if restrictions is None:
            return row
        for restriction in restrictions:
            left = list(allowed)
            for position, regions in restriction:
                left[position] &= regions
            key = goal, tuple(left)
            if all(left) and key not in seen:
                seen.add(key)
                heapq.heappush(heap, entry(*key))
    return None


def _unmet(nodes: Sequence[_Node], goal: int, row: Sequence[int]) -> Iterator[Restriction] | None:
    """Return what a row lacks for the goal; None if nothing."""
    if goal < len(nodes) and not nodes[goal].holds(row):
        return nodes[goal].to_hold(row)
    for node in nodes[:goal]:
        if node.holds(row):
            return node.to_fail(row)
    return None


def _compiled(rule: Rule, domains: Sequence[Domain], places: dict[str, int]) -> _Node:
    literals = []
    for literal in rule.body:
        position = places[literal.feature]
        known = domains[position].literals
        bit = next(
            k
            for k, other in enumerate(known)
            if other == literal and type(other.value) is type(literal.value)
        )
        literals.append((position, domains[position].holding[bit]))
    return _Node(tuple(literals), tuple(_compiled(e, domains, places) for e in rule.exceptions))
