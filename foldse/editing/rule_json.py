"""What the model file holds, read from JSON: its fields, its rules and what its columns held."""

from __future__ import annotations

import math
from typing import Any

from foldse.model.confidence import Confidence
from foldse.model.lines import predicate_name
from foldse.model.literals import Category, Literal, Op, is_number
from foldse.model.rule import ORIGINS, Rule
from foldse.reading.conversion import OBJECT_NUMBERS, TYPES
from foldse.strict_json import ModelFileError, check_fields, checked, shown

__all__ = [
    "OPTIONAL_RULE_FIELDS",
    "OPTIONAL_TREE_FIELDS",
    "RULE_FIELDS",
    "TREE_FIELDS",
    "RuleReader",
    "feature_types_of",
    "float_of",
    "target_of",
]

FIELDS = (
    "format",
    "version",
    "estimator",
    "parameters",
    "features",
    "features_are_names",
    "classes",
    "target",
)
RULE_FIELDS = (*FIELDS, "rules", "default")
TREE_FIELDS = (*FIELDS, "nodes")
OPTIONAL_TREE_FIELDS = ("feature_types", "code_page")
OPTIONAL_RULE_FIELDS = (*OPTIONAL_TREE_FIELDS, "default_support", "raw_rules")


class RuleReader:
    """Reads rules, literals, labels and supports, checking them against the features and labels of a model.

    Parameters
    ----------
    features : tuple of str
        Names of the columns.
    classes : tuple
        The labels.
    """

    def __init__(self, features: tuple[str, ...], classes: tuple[Any, ...]):
        self.features, self.classes = features, classes
        self._known = set(features)

    def rules(self, found: Any, where: str) -> tuple[Rule, ...]:
        """Read rules that conclude a class."""
        entries = checked(found, list, where)
        return tuple(self.rule(entry, f"{where}[{i}]") for i, entry in enumerate(entries))

    def rule(self, entry: Any, where: str) -> Rule:
        """Read a rule that concludes a class."""
        return self._rule(entry, where, is_top=True)

    def _rule(self, entry: Any, where: str, is_top: bool) -> Rule:
        required = ("head", "body") if is_top else ("body",)
        optional = ("exceptions", "support", "origin", *(["confidence"] if is_top else []))
        check_fields(entry, where, required, optional)
        body = checked(entry["body"], list, f"{where}.body")
        if not body:
            raise ModelFileError(f"{where}.body is empty; a rule has at least one literal")
        exceptions = checked(entry.get("exceptions", []), list, f"{where}.exceptions")
        support: tuple[float, ...] = ()
        if "support" in entry:
            support = self.support(entry["support"], f"{where}.support")
        origin = entry.get("origin", "learned")
        if origin not in ORIGINS:
            raise ModelFileError(f"{where}.origin is {shown(origin)}; it must be one of {', '.join(ORIGINS)}")
        return Rule(
            self.label(entry["head"], f"{where}.head") if is_top else None,
            tuple(self.literal(literal, f"{where}.body[{i}]") for i, literal in enumerate(body)),
            tuple(
                self._rule(exception, f"{where}.exceptions[{i}]", is_top=False)
                for i, exception in enumerate(exceptions)
            ),
            support=support,
            confidence=self.confidence(entry["confidence"], f"{where}.confidence")
            if "confidence" in entry
            else None,
            origin=origin,
        )

    def confidence(self, found: Any, where: str) -> Confidence:
        """Read a confidence: a number, or the weight of the examples from which it comes."""
        if is_number(found) and 0 <= found <= 1:
            return Confidence.given(found)
        is_pair = isinstance(found, list) and len(found) == 2 and all(is_number(x) for x in found)
        if not is_pair or not 0 <= found[0] <= found[1]:
            raise ModelFileError(
                f"{where} is {shown(found)}; it must be a number from 0 to 1, or [correct, covered]: the "
                "weight of the examples that the rule is right about, and of those that it covers"
            )
        return Confidence.of(float_of(found[0], where), float_of(found[1], where))

    def literal(self, entry: Any, where: str) -> Literal:
        """Read ``[feature, comparison, value]``."""
        if not isinstance(entry, list) or len(entry) != 3:
            raise ModelFileError(f"{where} is {shown(entry)}; a literal is [feature, comparison, value]")
        feature, comparison, value = entry
        if not isinstance(feature, str) or feature not in self._known:
            raise ModelFileError(
                f"{where} compares {shown(feature)}, which is not a feature of the model; its features are "
                f"{', '.join(map(repr, self.features[:20]))}{', ...' if len(self.features) > 20 else ''}"
            )
        if comparison not in list(Op):
            raise ModelFileError(
                f"{where} has the comparison {shown(comparison)}; it must be one of {', '.join(Op)}"
            )
        op = Op(comparison)
        return Literal(feature, op, _threshold(value, where) if op.is_threshold else _category(value, where))

    def label(self, found: Any, where: str) -> Any:
        """Read a label, which must be one of the model's, in type, too."""
        for label in self.classes:
            is_same_type = type(found) is type(label) or (is_number(found) and is_number(label))
            if is_same_type and found == label:
                return label
        known = ", ".join(map(repr, self.classes))
        raise ModelFileError(
            f"{where} is {shown(found)}, which is not a label of the model; its labels are {known}"
        )

    def support(self, found: Any, where: str) -> tuple[float, ...]:
        """Read the weight of each class."""
        entries = checked(found, list, where)
        if len(entries) != len(self.classes) or not all(is_number(x) and x >= 0 for x in entries):
            raise ModelFileError(
                f"{where} is {shown(found)}; it must be {len(self.classes)} numbers from 0, one a class"
            )
        return tuple(float_of(entry, where) for entry in entries)


def _threshold(value: Any, where: str) -> float:
    if not is_number(value):
        raise ModelFileError(f"{where} compares by size with {shown(value)}, which is not a number")
    return float_of(value, where)


def float_of(value: int | float, where: str) -> float:
    """Return a number as a float that is equal to it."""
    try:
        result = float(value)
    except OverflowError:
        result = math.inf
    if result != value:
        raise ModelFileError(f"{where} has {shown(value)}, which is not a 64-bit float; write the nearest")
    return result


def _category(value: Any, where: str) -> Category:
    if isinstance(value, dict) and list(value) == ["number"] and value["number"] in ("inf", "-inf"):
        return float(value["number"])
    if isinstance(value, float) and value.is_integer():
        return int(value)  # as tables are read: 1 and 1.0 are one category
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise ModelFileError(
        f"{where} compares with {shown(value)}; a category is text, a number, true, false or null"
    )


def feature_types_of(document: dict[str, Any], n_features: int) -> tuple[str, ...]:
    """Read what each feature held; nothing is known of it from a file without."""
    if "feature_types" not in document:
        return ("",) * n_features
    entries = checked(document["feature_types"], list, "feature_types")
    if len(entries) != n_features:
        raise ModelFileError(f"feature_types has {len(entries)} entries; there are {n_features} features")
    for i, entry in enumerate(entries):
        parts = checked(entry, str, f"feature_types[{i}]").split("+")
        if entry not in ("", OBJECT_NUMBERS) and parts != [name for name in TYPES if name in parts]:
            raise ModelFileError(
                f"feature_types[{i}] is {shown(entry)}; it must be some of {', '.join(TYPES)}, in this order "
                f"and joined by +, or {OBJECT_NUMBERS}"
            )
    return tuple(entries)


def target_of(document: dict[str, Any]) -> str:
    """Read what is predicted, a predicate name."""
    target = checked(document["target"], str, "target")
    if predicate_name(target) != target:
        raise ModelFileError(
            f"target is {shown(target)}, which is not a predicate name; it could be "
            f"{predicate_name(target)!r}"
        )
    return target
