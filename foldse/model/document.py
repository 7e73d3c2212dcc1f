"""A fitted classifier as a JSON document; `foldse.persistence` reads it back."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from foldse.model.literals import Category, Literal
from foldse.model.rule import Rule
from foldse.model.rules import RuleSet
from foldse.model.tree import Node, Tree
from foldse.strict_json import FORMAT, VERSION, ModelFileError

__all__ = ["NAME_LISTS", "OPTIONAL_PARAMETERS", "to_json"]

NAME_LISTS = ("numeric_features", "categorical_features", "exclude_features", "operators")
# Parameters that came after version 1 of the format: left out where they say what was done before them.
OPTIONAL_PARAMETERS = {
    "class_weight": None,
    "negated_thresholds": True,
    "prune_exceptions": True,
    "remove_covered": "all",
    "stop_at_invalid": True,
    "ties": "columns",
    "blocking": "value",
    "improvement_threshold": None,
    "confidence_threshold": None,
    "max_rule_length": None,
    "abstain": False,
    "expert_rules": None,
    "exclude_features": None,
    "operators": None,
    "directions": None,
}
WIDTH = 100
_END = object()  # of a list or an object


def to_json(clf: Any) -> str:
    """Write a fitted classifier as JSON.

    Parameters
    ----------
    clf : FoldSEClassifier, FoldRPPClassifier or HeuristicTreeClassifier
        Fitted.

    Returns
    -------
    str
        Indented, to be read and edited by people; of the schema in ``foldse/schema/model-1.json``.

    Raises
    ------
    ModelFileError
        If the model holds something that strict JSON does not: a label or ``pos_label`` that is neither text,
        truth value nor finite number, or text that is not valid Unicode.

    Notes
    -----
    A literal is ``[feature, comparison, value]``. Floats are written by shortest round trip. Text, truth
    values and numbers are categories as they stand, null is a missing value, and an infinite number that is
    a category is ``{"number": "inf"}``. ``feature_types`` says what each feature held, see
    `foldse.reading.conversion.types_of`. ``code_page`` is the encoding of the text file that the command
    line learned from, if it was neither UTF-8 nor UTF-16; ``foldse predict`` prefers it where the text of
    another file does not tell.
    """
    check_is_fitted(clf)
    clf = clf.saved_model() if hasattr(clf, "saved_model") else clf
    kind = vars(type(clf)).get("saved_as")  # not inherited: a subclass would be read back as its base
    if kind is None:
        raise ModelFileError(
            f"a model of type {type(clf).__name__} cannot be saved: only foldse's own classifiers can, "
            "and none of their subclasses"
        )
    document = {
        "format": FORMAT,
        "version": VERSION,
        "estimator": kind,
        "parameters": {
            name: _parameter(name, value) if name != "expert_rules" else _given(clf.rules_)
            for name, value in clf.get_params(deep=False).items()
            if name not in OPTIONAL_PARAMETERS or not _is_same(value, OPTIONAL_PARAMETERS[name])
        },
        "features": list(clf.feature_names_),
        "features_are_names": hasattr(clf, "feature_names_in_"),
        "classes": {
            "dtype": _dtype(clf.classes_.dtype),
            "labels": [_scalar("a label", label) for label in clf.classes_.tolist()],
        },
    }
    if any(clf.feature_types_):
        document["feature_types"] = list(clf.feature_types_)
    if clf.code_page_ is not None:
        document["code_page"] = clf.code_page_
    if hasattr(clf, "tree_"):
        document["target"] = clf.target_
        document["nodes"] = _nodes(clf.tree_)
    else:
        rules = clf.rules_
        document["target"] = rules.target
        document["rules"] = [_rule(rule) for rule in rules]
        document["default"] = _scalar("a label", rules.default)
        if rules.default_support:
            document["default_support"] = list(rules.default_support)
        if clf.raw_rules_.rules != rules.rules:
            document["raw_rules"] = [_rule(rule) for rule in clf.raw_rules_]
    text = _layout(document) + "\n"
    try:
        text.encode()
    except UnicodeEncodeError as error:
        bad = text[error.start : error.end]
        raise ModelFileError(f"the model has text with {bad!r}, which is not valid Unicode") from None
    return text


def _rule(rule: Rule) -> dict[str, Any]:
    document: dict[str, Any] = {} if rule.head is None else {"head": _scalar("a label", rule.head)}
    document["body"] = [_literal(literal) for literal in rule.body]
    document["exceptions"] = [_rule(exception) for exception in rule.exceptions]
    if rule.support:
        document["support"] = list(rule.support)
    if rule.confidence is not None:
        evidence = rule.confidence.evidence
        document["confidence"] = rule.confidence.value if evidence is None else list(evidence)
    if rule.origin != "learned":
        document["origin"] = rule.origin
    return document


def _given(rules: RuleSet) -> list[dict[str, Any]]:
    """Return the rules that were given before learning, without what was counted of them."""
    found = []
    for rule in rules:
        if rule.origin == "expert":
            sure = (
                rule.confidence if rule.confidence is not None and rule.confidence.evidence is None else None
            )
            found.append(_rule(replace(rule, support=(), confidence=sure)))
    return found


def _is_same(value: Any, other: Any) -> bool:
    return value == other and isinstance(value, bool | np.bool_) == isinstance(other, bool)  # 0 is not False


def _nodes(tree: Tree) -> list[dict[str, Any]]:
    """Return the nodes, each before those below it; a list, as JSON does not nest as deep as trees grow."""
    nodes: list[dict[str, Any]] = []
    stack: list[tuple[Node, dict[str, Any] | None, str]] = [(tree.root, None, "")]
    while stack:
        node, parent, side = stack.pop()
        if parent is not None:
            parent[side] = len(nodes)
        entry: dict[str, Any] = {}
        if node.literal is not None:
            assert node.yes is not None
            assert node.no is not None
            entry = {"literal": _literal(node.literal), "yes": 0, "no": 0}  # numbered when they come
            stack += [(node.no, entry, "no"), (node.yes, entry, "yes")]
        entry["support"] = [float(weight) for weight in node.support]
        nodes.append(entry)
    return nodes


def _literal(literal: Literal) -> list[Any]:
    value = float(literal.threshold) if literal.op.is_threshold else _category(literal.value)
    return [literal.feature, str(literal.op), value]


def _category(category: Category) -> Any:
    if isinstance(category, float) and not math.isfinite(category):
        return {"number": str(category)}
    return category


def _scalar(what: str, value: Any) -> Any:
    """Return a label as JSON has it."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool | int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    kind = type(value).__name__
    raise ModelFileError(
        f"{what} is {value!r} of type {kind}; a model file holds text, truth values and finite numbers: "
        "convert it and learn again"
    )


def _parameter(name: str, value: Any) -> Any:
    if value is None:
        return None
    if name in NAME_LISTS:
        names: Iterable[Any] = value
        return [str(feature) for feature in names]
    if name == "directions":
        return [[str(feature), str(direction)] for feature, direction in value.items()]
    if isinstance(value, Mapping):
        what = f"the parameter {name}"
        return [[_scalar(what, label), float(weight)] for label, weight in value.items()]
    return _scalar(f"the parameter {name}", value)


def _dtype(dtype: np.dtype) -> str:
    """Return the name by which numpy knows a dtype, on any machine."""
    if dtype.kind == "U":
        return f"U{dtype.itemsize // 4}"
    if dtype.kind in "biufO" and dtype.itemsize <= 8:
        return dtype.name
    raise ModelFileError(f"labels of dtype {dtype} cannot be saved; convert them to text or numbers")


def _layout(document: Any) -> str:
    """Write JSON: what fits on one line there, else an item a line, and plain values as many as fit."""
    lines: list[str] = []
    # Of each line its indentation, what stands before the value, the value, and what stands after it.
    stack: list[tuple[str, str, Any, str]] = [("", "", document, "")]
    while stack:
        indent, before, value, after = stack.pop()
        if value is _END:
            lines.append(f"{indent}{before}{after}")
            continue
        flat = json.dumps(value, ensure_ascii=False, allow_nan=False)
        if not isinstance(value, list | dict) or not value or len(indent) + len(flat) <= WIDTH:
            lines.append(f"{indent}{before}{flat}{after}")
            continue
        is_dict = isinstance(value, dict)
        lines.append(f"{indent}{before}{'{' if is_dict else '['}")
        names = [f"{json.dumps(key)}: " for key in value] if is_dict else [""] * len(value)
        items = list(value.values() if isinstance(value, dict) else value)
        if not is_dict and not any(isinstance(item, list | dict) for item in items):
            lines += _filled([json.dumps(item, ensure_ascii=False) for item in items], indent + "  ")
            lines.append(f"{indent}]{after}")
            continue
        commas = [","] * (len(items) - 1) + [""]
        rows = [(indent + "  ", *row) for row in zip(names, items, commas, strict=True)]
        stack += [(indent, "}" if is_dict else "]", _END, after), *reversed(rows)]
    return "\n".join(lines)


def _filled(items: list[str], indent: str) -> Iterator[str]:
    """Yield lines of as many items as fit."""
    line = indent + items[0]
    for item in items[1:]:
        line += ","
        if len(line) + len(item) < WIDTH:
            line += " " + item
        else:
            yield line
            line = indent + item
    yield line
