"""What may be done about a row: which values may change, to what, at what cost, and what must hold then."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from foldse.explain.domains import Allowed
from foldse.explain.proof import ObservedValue
from foldse.model.literals import Literal, Op, is_number
from foldse.model.rule import Rule
from foldse.reading.conversion import NUMBER, converted, single_type
from foldse.reading.scalars import canonical

__all__ = ["Actions", "Constraints", "Within", "read_actions"]

Within: TypeAlias = Mapping[str, tuple[float | None, float | None] | Sequence[Any]]
"""By feature a closed range of numbers, as a tuple, or a list of categories."""

Constraints: TypeAlias = Rule | Literal | Iterable[Rule | Literal]
"""A rule without a head says what must not hold, a literal what must."""

UP, DOWN = DIRECTIONS = ("up", "down")


@dataclass(frozen=True, slots=True)
class Actions:
    """What may be changed, checked.

    Attributes
    ----------
    fixed : frozenset of str
        The features that stay as they are.
    ranges : mapping of str to tuple of float
        The closed range of new numbers.
    lists : mapping of str to tuple of ObservedValue
        The new values.
    directions : mapping of str to str
        ``"up"`` or ``"down"``.
    costs : mapping of str to Fraction
        What it costs to change a feature; 1 if it is not named.
    forbidden : tuple of Rule
        What must not hold once the row is changed.
    allow_missing : bool
        Whether a value may become missing.
    """

    fixed: frozenset[str]
    ranges: Mapping[str, tuple[float, float]]
    lists: Mapping[str, tuple[ObservedValue, ...]]
    directions: Mapping[str, str]
    costs: Mapping[str, Fraction]
    forbidden: tuple[Rule, ...]
    allow_missing: bool

    def allowed(self, feature: str, observed: ObservedValue) -> Allowed | None:
        """Return the values that a feature may take, given the one it has; None if it has to stay.

        Raises
        ------
        ValueError
            If it has a direction and is no number.
        """
        low, high = self.ranges.get(feature, (-math.inf, math.inf))
        direction = self.directions.get(feature)
        if direction is not None:
            if not observed.is_number:
                raise ValueError(
                    f"directions says {direction!r} of {feature!r}, and its value is {observed}, which is no "
                    "number; give its values in within instead"
                )
            old = float(observed.value)  # type: ignore[arg-type]
            low, high = (max(low, old), high) if direction == UP else (low, min(high, old))
        if feature in self.fixed:
            return None
        by_size = feature in self.ranges or direction is not None
        return Allowed(low, high, by_size, self.lists.get(feature), self.allow_missing)

    def cost(self, features: Iterable[str]) -> Fraction:
        """Return what it costs to change some features."""
        return sum((self.costs.get(feature, Fraction(1)) for feature in features), Fraction(0))

    def prices(self, features: Sequence[str]) -> list[int]:
        """Return the costs of features as whole numbers, which add up without rounding."""
        costs = [self.cost([feature]) for feature in features]
        unit = math.lcm(*(cost.denominator for cost in costs))
        return [int(cost * unit) for cost in costs]

    def __str__(self) -> str:
        named = [
            ("fixed", self.fixed),
            ("within", {*self.ranges, *self.lists}),
            ("directions", self.directions.keys()),
        ]
        said = [f"{setting} ({', '.join(sorted(features))})" for setting, features in named if features]
        said += ["allow_missing=False"] * (not self.allow_missing)
        said += [f"constraints ({len(self.forbidden)})"] * bool(self.forbidden)
        return ", ".join(said)


def read_actions(
    clf: Any,
    fixed: Iterable[str] = (),
    allow_missing: bool = True,
    within: Within | None = None,
    directions: Mapping[str, str] | None = None,
    costs: Mapping[str, float] | None = None,
    constraints: Constraints = (),
) -> Actions:
    """Check what is said about changes, as far as that needs no row.

    Parameters
    ----------
    clf : fitted FoldSEClassifier or FoldRPPClassifier
    fixed : iterable of str, default=()
    allow_missing : bool, default=True
    within : mapping of str to tuple or list, optional
    directions : mapping of str to str, optional
    costs : mapping of str to float, optional
    constraints : Rule, Literal, or iterable of them, default=()

    Returns
    -------
    Actions
        A feature that costs infinitely much is among the fixed ones.

    Raises
    ------
    ValueError, TypeError
        If a feature is unknown or a setting is not one that it takes; the message names both.

    Notes
    -----
    `foldse.explain.counterfactual.counterfactuals` says what the settings mean.
    """
    features = clf.rules_.features
    held = dict(zip(features, clf.feature_types_, strict=True))
    stays = _known("fixed", [fixed] if isinstance(fixed, str) else fixed, features)
    ranges, lists = {}, {}
    for feature, given in _by_feature("within", within, features).items():
        if isinstance(given, tuple):
            ranges[feature] = _range(feature, given, held[feature])
        else:
            lists[feature] = _list(feature, given, held[feature], allow_missing)
    ways = _by_feature("directions", directions, features)
    for feature, way in ways.items():
        if way not in DIRECTIONS:
            raise ValueError(f"directions of {feature!r} is {way!r}; it is 'up' or 'down'")
        if not _may_hold_numbers(held[feature]):
            raise ValueError(
                f"directions says {way!r} of {feature!r}, which holds categories; list them in within"
            )
    prices = _by_feature("costs", costs, features)
    for feature, cost in prices.items():
        if not is_number(canonical(feature, cost)) or not cost > 0:
            raise ValueError(f"costs of {feature!r} is {cost!r}; it is a number above 0")
    endless = {feature for feature, cost in prices.items() if math.isinf(cost)}
    return Actions(
        fixed=frozenset(stays) | endless,
        ranges=ranges,
        lists=lists,
        directions=ways,
        # As it is written: to a person 0.1 and 0.2 are as much as 0.3.
        costs={f: Fraction(repr(float(cost))) for f, cost in prices.items() if f not in endless},
        forbidden=_forbidden(constraints, held),
        allow_missing=allow_missing,
    )


def _known(setting: str, names: Iterable[Any], features: Sequence[str]) -> list[str]:
    found = [str(name) for name in names]
    for name in found:
        if name not in features:
            known = ", ".join(features[:20]) + (", ..." if len(features) > 20 else "")
            raise ValueError(f"{setting} names {name!r}, which is not a feature; the features are {known}")
    return found


def _by_feature(setting: str, given: Mapping[str, Any] | None, features: Sequence[str]) -> dict[str, Any]:
    if given is not None and not isinstance(given, Mapping):
        raise TypeError(f"{setting} must be a dict with features as keys, got {given!r}")
    values = dict(given or {})
    return dict(zip(_known(setting, values, features), values.values(), strict=True))


def _may_hold_numbers(held: str) -> bool:
    return not held or NUMBER in held.split("+")  # "" if it is not known what the feature held


def _range(feature: str, given: tuple[Any, ...], held: str) -> tuple[float, float]:
    if not _may_hold_numbers(held):
        raise ValueError(
            f"within of {feature!r} is the range {given!r}, and {feature!r} holds categories; "
            "give a list of those allowed"
        )
    ends = [
        limit if end is None else canonical(feature, end)
        for end, limit in zip(given, (-math.inf, math.inf), strict=False)
    ]
    if len(given) != 2 or not all(map(is_number, ends)):
        raise ValueError(
            f"within of {feature!r} is {given!r}; a range is (low, high), two numbers or None for no limit, "
            "and categories are a list"
        )
    low, high = (float(end) for end in ends)  # type: ignore[arg-type]
    if low > high:
        raise ValueError(f"within of {feature!r} is {given!r}, and its low end is above its high one")
    return low, high


def _list(feature: str, given: Any, held: str, allow_missing: bool) -> tuple[ObservedValue, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ValueError(
            f"within of {feature!r} is {given!r}; it is a range (low, high) or a list of categories"
        )
    if single_type(held) == NUMBER:
        raise ValueError(
            f"within of {feature!r} is the list {list(given)!r}, and {feature!r} holds numbers; "
            "give a range (low, high)"
        )
    values = []
    for item in given:
        value = canonical(feature, item)
        if value is None and not allow_missing:
            raise ValueError(f"within of {feature!r} lists a missing value, and allow_missing is False")
        if single_type(held) is not None:
            try:
                value = converted(feature, value, held)
            except ValueError:
                raise ValueError(
                    f"within of {feature!r} lists {item!r}, and {feature!r} held {held} when the model was "
                    "learned; list values as the table had them"
                ) from None
        by_size = is_number(value) and _may_hold_numbers(held)
        values.append(ObservedValue(float(value) if by_size else value, by_size))  # type: ignore[arg-type]
    return tuple(values)


def _forbidden(constraints: Constraints, held: Mapping[str, str]) -> tuple[Rule, ...]:
    """Return constraints as rules that must not hold."""
    given = [constraints] if isinstance(constraints, Rule | Literal) else constraints
    rules = []
    for constraint in given:
        if isinstance(constraint, Literal):
            rules.append(Rule(None, (constraint.negated(),)))
        elif isinstance(constraint, Rule) and constraint.head is None:
            rules.append(constraint)
        elif isinstance(constraint, Rule):
            raise ValueError(
                f"a constraint is a rule without a head, which says what must not hold; this one concludes "
                f"{constraint.head!r}"
            )
        else:
            raise TypeError(f"a constraint is a Rule or a Literal, got {constraint!r}")
    for rule in rules:
        for literal in (literal for part in rule.parts() for literal in part.body):
            _known("constraints", [literal.feature], list(held))
            _check_comparison(literal, held[literal.feature])
    return tuple(rules)


def _check_comparison(literal: Literal, held: str) -> None:
    """Refuse a literal about values that its feature cannot have."""
    kind = single_type(held)
    if literal.op.is_threshold:
        if not _may_hold_numbers(held):
            raise ValueError(
                f"constraints compare {literal.feature!r} by size, and it holds categories; use = and !="
            )
    elif kind == NUMBER and literal.value is not None:
        raise ValueError(
            f"constraints compare {literal.feature!r} with a category, and it holds numbers; use <= and >"
        )
    elif kind is not None:
        try:
            value = converted(literal.feature, literal.value, held)
            same = Literal(literal.feature, Op.EQ, literal.value).holds(value)
        except ValueError:
            same = False
        if not same:
            raise ValueError(
                f"constraints compare {literal.feature!r} with {literal.value!r}, and it held {held} when "
                "the model was learned; compare with such a value"
            )
