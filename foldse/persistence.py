"""Models in files: strict, versioned JSON that a person may read and edit."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from foldse.classifiers import (
    ConFoldClassifier,
    FoldRPPClassifier,
    FoldSEClassifier,
    HeuristicTreeClassifier,
)
from foldse.editing.rule_json import (
    OPTIONAL_RULE_FIELDS,
    OPTIONAL_TREE_FIELDS,
    RULE_FIELDS,
    TREE_FIELDS,
    RuleReader,
    feature_types_of,
    float_of,
    target_of,
)
from foldse.model.document import NAME_LISTS, OPTIONAL_PARAMETERS, to_json
from foldse.model.literals import is_number
from foldse.model.rules import RuleSet
from foldse.model.tree import Node, Tree
from foldse.strict_json import ModelFileError, check_fields, checked, checked_names, read_document, shown

__all__ = ["ModelFileError", "from_json", "load_model", "to_json"]

ESTIMATORS = {
    kind.saved_as: kind
    for kind in (FoldSEClassifier, FoldRPPClassifier, ConFoldClassifier, HeuristicTreeClassifier)
}


def load_model(path: str | os.PathLike[str]) -> Any:
    """Read a classifier from a file that ``save`` wrote, perhaps edited since.

    Parameters
    ----------
    path : path

    Returns
    -------
    FoldSEClassifier, FoldRPPClassifier or HeuristicTreeClassifier
        Fitted; predicts as the saved one.

    Raises
    ------
    ModelFileError
        If the file is not a model, or not one that this version reads; the message is one line and says
        where.
    """
    try:
        return from_json(Path(path).read_bytes().decode("utf-8-sig"))  # some editors put a mark in front
    except UnicodeDecodeError as error:
        raise ModelFileError(f"{path}: not UTF-8 text at byte {error.start}") from None
    except ModelFileError as error:
        raise ModelFileError(f"{path}: {error}") from None


def from_json(text: str) -> Any:
    """Read a classifier from the text that `to_json` wrote, perhaps edited since.

    Parameters
    ----------
    text : str

    Returns
    -------
    FoldSEClassifier, FoldRPPClassifier or HeuristicTreeClassifier

    Raises
    ------
    ModelFileError
        If the text is not a model, or not one that this version reads.

    Notes
    -----
    Rules may be changed, added and removed; their numbers are counted anew. A rule may lack ``exceptions``,
    ``support``, ``confidence`` and ``origin``, and the default ``default_support``; without support,
    `predict_proba` gives equal shares. The rules as they were learned, ``raw_rules``, are kept as long as
    their simplification is the rules of the file; otherwise the rules stand for them, too.
    """
    document = read_document(text)
    kind = ESTIMATORS.get(str(document.get("estimator")))
    if kind is None:
        raise ModelFileError(
            f"estimator is {shown(document.get('estimator'))}; it must be one of {', '.join(ESTIMATORS)}"
        )
    is_tree = kind is HeuristicTreeClassifier
    check_fields(
        document,
        "the file",
        TREE_FIELDS if is_tree else RULE_FIELDS,
        OPTIONAL_TREE_FIELDS if is_tree else OPTIONAL_RULE_FIELDS,
    )

    features = tuple(checked_names(document["features"], "features"))
    if not features:
        raise ModelFileError("features is empty; a model has at least one")
    classes = _classes(document["classes"])
    reader = RuleReader(features, tuple(classes.tolist()))
    clf = kind(**_parameters(document["parameters"], kind))
    clf.classes_ = classes
    clf.feature_names_ = features
    clf.n_features_in_ = len(features)
    clf.feature_types_ = feature_types_of(document, len(features))
    clf.code_page_ = _code_page(document)
    if checked(document["features_are_names"], bool, "features_are_names"):
        clf.feature_names_in_ = np.array(features, dtype=object)
    try:
        clf._check_parameters()
        clf._roles(features)
    except (TypeError, ValueError) as error:
        raise ModelFileError(f"parameters: {error}") from None
    if clf.pos_label is not None and clf.pos_label not in reader.classes:
        raise ModelFileError(
            f"parameters.pos_label is {shown(clf.pos_label)}, which is not a label of the model"
        )
    target = target_of(document)
    if is_tree:
        clf.target_ = target
        clf.tree_ = Tree(_tree(document["nodes"], reader), reader.classes)
        depths = [depth for _, depth in clf.tree_.leaves()]
        clf.n_leaves_, clf.mean_depth_ = len(depths), sum(depths) / len(depths)
    else:
        _set_rules(clf, document, target, reader)
    return clf


def _set_rules(clf: Any, document: dict[str, Any], target: str, reader: RuleReader) -> None:
    clf.rules_ = rules = RuleSet(
        reader.rules(document["rules"], "rules"),
        features=reader.features,
        target=target,
        classes=reader.classes,
        default=reader.label(document["default"], "default"),
        default_support=reader.support(document["default_support"], "default_support")
        if "default_support" in document
        else (),
        reader=clf._schema(),
        abstain=clf.abstain,
    )
    raw = replace(rules, rules=reader.rules(document.get("raw_rules", []), "raw_rules"))
    clf.raw_rules_ = raw if clf.simplified(raw).rules == rules.rules else rules
    clf.n_rules_, clf.n_predicates_ = rules.n_rules, rules.n_predicates
    clf.n_rules_raw_, clf.n_predicates_raw_ = clf.raw_rules_.n_rules, clf.raw_rules_.n_predicates


def _tree(found: Any, reader: RuleReader) -> Node:
    """Read the nodes of a tree, each of which comes before those below it; return the root."""
    entries = checked(found, list, "nodes")
    nodes: list[Node] = []
    for i, entry in enumerate(entries):
        where = f"nodes[{i}]"
        is_inner = isinstance(entry, dict) and "literal" in entry
        check_fields(entry, where, ("literal", "yes", "no", "support") if is_inner else ("support",))
        support = np.array(reader.support(entry["support"], f"{where}.support"))
        literal = reader.literal(entry["literal"], f"{where}.literal") if is_inner else None
        if not support.any() and not is_inner:
            raise ModelFileError(f"{where}.support is all 0; a leaf needs a class that is more frequent")
        nodes.append(Node(support, literal))
    parents = [0] * len(nodes)
    for i, entry in enumerate(entries):
        for side in ("yes", "no") if "literal" in entry else ():
            below = entry[side]
            if type(below) is not int or not i < below < len(nodes):
                raise ModelFileError(
                    f"nodes[{i}].{side} is {shown(below)}; it must be the number of a later node"
                )
            parents[below] += 1
            setattr(nodes[i], side, nodes[below])
    for i, n_parents in enumerate(parents):
        if n_parents != (i > 0):
            raise ModelFileError(f"nodes[{i}] is below {n_parents} nodes; only the first is below none")
    if not nodes:
        raise ModelFileError("nodes is empty; a tree has at least one")
    return nodes[0]


def _parameters(found: Any, kind: type) -> dict[str, Any]:
    names = kind._get_param_names()  # type: ignore[attr-defined]
    left_out = {name: OPTIONAL_PARAMETERS[name] for name in names if name in OPTIONAL_PARAMETERS}
    check_fields(found, "parameters", [name for name in names if name not in left_out], list(left_out))
    read = {**left_out, **found}
    for name in found:
        where, value = f"parameters.{name}", found[name]
        if name == "class_weight":
            read[name] = _class_weight(value, where)
        elif name in NAME_LISTS:
            if value is not None:
                checked_names(value, where)
        elif name == "heuristic":
            checked(value, str, where)
        elif name == "directions":
            pairs = checked(value, list, where)
            if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
                raise ModelFileError(f"{where} is {shown(value)}; it must be a list of [feature, direction]")
            read[name] = dict(pairs)
        elif name == "expert_rules":
            checked(value, list, where)
        elif isinstance(value, list | dict) or (value is None and name not in ("pos_label", "abstain")):
            raise ModelFileError(f"{where} is {shown(value)}; it must be a single value")
    return read


def _code_page(document: dict[str, Any]) -> str | None:
    """Read the encoding of the file that the model was learned from, if it says one."""
    if "code_page" not in document:
        return None
    name = checked(document["code_page"], str, "code_page")
    try:
        b"a".decode(name)
    except (LookupError, ValueError):
        raise ModelFileError(
            f"code_page is {shown(name)}, which Python does not know; write one such as 'cp1252' or remove it"
        ) from None
    return name


def _class_weight(found: Any, where: str) -> Any:
    """Read "balanced" or a list of labels with their weights."""
    if found is None or isinstance(found, str):
        return found
    weights = {}
    for i, pair in enumerate(checked(found, list, where)):
        is_pair = isinstance(pair, list) and len(pair) == 2 and is_number(pair[1])
        if not is_pair or not isinstance(pair[0], str | bool | int | float) or pair[0] in weights:
            raise ModelFileError(
                f"{where}[{i}] is {shown(pair)}; it must be [label, weight], each label once, or {where} "
                '"balanced"'
            )
        weights[pair[0]] = float_of(pair[1], where)
    return weights


def _classes(found: Any) -> np.ndarray:
    check_fields(found, "classes", ("dtype", "labels"))
    name, labels = found["dtype"], checked(found["labels"], list, "classes.labels")
    if not labels or any(not isinstance(label, str | bool | int | float) for label in labels):
        raise ModelFileError("classes.labels must be text, truth values or numbers, at least one")
    try:
        dtype = np.dtype(checked(name, str, "classes.dtype"))
        if dtype.kind not in "biufUO":
            raise TypeError
        classes = np.array(labels, dtype=dtype)
        is_exact = [(type(a), a) for a in classes.tolist()] == [(type(b), b) for b in labels]
        is_sorted = all(a < b for a, b in pairwise(labels))
    except (TypeError, ValueError, OverflowError):
        is_exact = is_sorted = False
    if not is_exact or not is_sorted:
        raise ModelFileError(
            f"classes.labels {shown(labels)} must be of dtype {shown(name)}, distinct and ascending"
        )
    return classes
