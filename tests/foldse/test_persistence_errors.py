"""What is no model file, or cannot become one, is refused in one clear line."""

import json
import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldse import FoldSEClassifier, HeuristicTreeClassifier
from foldse.persistence import ModelFileError, from_json, load_model, to_json
from tests.foldse.test_persistence import X, Y, check, document, read


def put(value, *path):
    """Return a change of a document: set what is at a path."""

    def change(document):
        for key in path[:-1]:
            document = document[key]
        document[path[-1]] = value

    return change


def drop(*path):
    def change(document):
        for key in path[:-1]:
            document = document[key]
        del document[path[-1]]

    return change


RULES = [
    (put("model", "format"), 'this is not a model file; one has "format": "foldse model"'),
    (put(2, "version"), "the file is of version 2, and this foldse reads version 1; install a newer one"),
    (put("1", "version"), "version is '1'; it must be a number from 1"),
    (put(True, "version"), "version is True; it must be"),
    (drop("version"), "version is None"),
    (
        put("Tree", "estimator"),
        "estimator is 'Tree'; it must be one of FoldSEClassifier, FoldRPPClassifier, ConFold",
    ),
    (put(["FoldSEClassifier"], "estimator"), r"estimator is \['FoldSEClassifier'\]"),
    (put(1, "comment"), "the file has the unknown field 'comment'; known are format, version,"),
    (put([], "nodes"), "the file has the unknown field 'nodes'"),
    (drop("rules"), "the file lacks the field 'rules'"),
    (drop("default_support"), "the file lacks the field 'default_support'"),
    (put({}, "rules"), "rules is {}; it must be a list"),
    (put([], "features"), "features is empty; a model has at least one"),
    (put(["a", "a"], "features"), "features has 'a' twice"),
    (put(["a", 1], "features"), r"features\[1\] is 1; it must be text"),
    (put(["age"], "features"), "feature_types has 2 entries; there are 1 features"),
    (
        put(["text", "word"], "feature_types"),
        r"feature_types\[1\] is 'word'; it must be some of number, code",
    ),
    (
        put(["text", "text+number"], "feature_types"),
        r"feature_types\[1\] is 'text\+number'; .* in this order",
    ),
    (put(None, "feature_types"), "feature_types is None; it must be a list"),
    (put(1252, "code_page"), "code_page is 1252; it must be text"),
    (
        put("cp9999", "code_page"),
        "code_page is 'cp9999', which Python does not know; write one such as 'cp125",
    ),
    (put("hex", "code_page"), "code_page is 'hex', which Python does not know"),
    (put(1, "features_are_names"), "features_are_names is 1; it must be true or false"),
    (put("a b", "target"), "target is 'a b', which is not a predicate name; it could be 'a_b'"),
    (
        put("maybe", "default"),
        "default is 'maybe', which is not a label of the model; its labels are 'no', 'yes'",
    ),
    (put([1], "default_support"), r"default_support is \[1\]; it must be 2 numbers from 0, one a class"),
    (put([1, -1], "default_support"), "default_support is .* it must be 2 numbers"),
    (put([1, True], "default_support"), "default_support is .* it must be 2 numbers"),
    (put({"labels": ["a"]}, "classes"), "classes lacks the field 'dtype'"),
    (put([], "classes", "labels"), "classes.labels must be text, truth values or numbers, at least one"),
    (
        put(["yes", "no"], "classes", "labels"),
        "classes.labels .* must be of dtype 'object', distinct and ascending",
    ),
    (put(["no", "no"], "classes", "labels"), "distinct and ascending"),
    (put("int8", "classes", "dtype"), "classes.labels .* must be of dtype 'int8'"),
    (put("M8[s]", "classes", "dtype"), "must be of dtype 'M8"),
    (put("nonsense", "classes", "dtype"), "must be of dtype 'nonsense'"),
    (put("U1", "classes", "dtype"), "must be of dtype 'U1'"),
    (put(5, "parameters"), "parameters is 5; it must be an object"),
    (drop("parameters", "ratio"), "parameters lacks the field 'ratio'"),
    (put(1, "parameters", "depth"), "parameters has the unknown field 'depth'"),
    (put(-1, "parameters", "ratio"), "parameters: ratio must be a number of at least 0, got -1"),
    (put("1", "parameters", "ratio"), "parameters: ratio must be"),
    (put(None, "parameters", "ratio"), "parameters.ratio is None; it must be a single value"),
    (put("gini", "parameters", "heuristic"), "parameters: heuristic must be one of"),
    (put([], "parameters", "heuristic"), r"parameters.heuristic is \[\]; it must be text"),
    (
        put(["x"], "parameters", "numeric_features"),
        "parameters: numeric_features names 'x', but X has no such column",
    ),
    (put("Sex", "parameters", "numeric_features"), "parameters.numeric_features is 'Sex'; it must be a list"),
    (put("maybe", "parameters", "pos_label"), "parameters.pos_label is 'maybe', which is not a label"),
    (put(1, "rules", 0, "head"), r"rules\[0\].head is 1, which is not a label of the model"),
    (drop("rules", 0, "head"), r"rules\[0\] lacks the field 'head'"),
    (drop("rules", 0, "body"), r"rules\[0\] lacks the field 'body'"),
    (put([], "rules", 0, "body"), r"rules\[0\].body is empty; a rule has at least one literal"),
    (put(["Sex", "=", "f"], "rules", 0, "body"), r"rules\[0\].body\[0\] is 'Sex'; a literal is \[feature, "),
    (
        put(["sex", "=", "f"], "rules", 0, "body", 0),
        r"rules\[0\].body\[0\] compares 'sex', which is not a feature of the",
    ),
    (put([["Sex"], "=", "f"], "rules", 0, "body", 0), r"rules\[0\].body\[0\] compares \['Sex'\]"),
    (
        put(["Sex", "==", "f"], "rules", 0, "body", 0),
        r"has the comparison '=='; it must be one of <=, not<=, >, not>",
    ),
    (put(["Sex", 1, "f"], "rules", 0, "body", 0), "has the comparison 1;"),
    (
        put(["Sex", "=", ["f"]], "rules", 0, "body", 0),
        r"compares with \['f'\]; a category is text, a number, true, ",
    ),
    (put(["Sex", "=", {"number": "1"}], "rules", 0, "body", 0), "a category is text"),
    (put(["age", ">", "5"], "rules", 0, "body", 0), "compares by size with '5', which is not a number"),
    (put(["age", ">", True], "rules", 0, "body", 0), "compares by size with True, which is not a number"),
    (put(["age", ">", None], "rules", 0, "body", 0), "compares by size with None, which is not a number"),
    (
        put(["age", ">", 2**53 + 1], "rules", 0, "body", 0),
        "has 9007199254740993, which is not a 64-bit float",
    ),
    (put(["age", ">", 10**400], "rules", 0, "body", 0), "which is not a 64-bit float; write the nearest"),
    (put([{"body": [["age", ">", 1]], "head": "no"}], "rules", 0, "exceptions"), "unknown field 'head'"),
    (put([{"body": []}], "rules", 0, "exceptions"), r"rules\[0\].exceptions\[0\].body is empty"),
    (put("none", "rules", 0, "exceptions"), r"rules\[0\].exceptions is 'none'; it must be a list"),
    (put(["a"], "rules"), r"rules\[0\] is 'a'; it must be an object"),
    (put([{}], "raw_rules"), r"raw_rules\[0\] lacks the field 'head'"),
]
NODES = [
    (put([], "nodes"), "nodes is empty; a tree has at least one"),
    (put([], "rules"), "the file has the unknown field 'rules'"),
    (put(0, "nodes", 0, "yes"), r"nodes\[0\].yes is 0; it must be the number of a later node"),
    (put(99, "nodes", 0, "no"), r"nodes\[0\].no is 99; it must be the number of a later node"),
    (put(2, "nodes", 0, "yes"), r"nodes\[1\] is below 0 nodes; only the first is below none"),
    (put([0, 0], "nodes", 1, "support"), r"nodes\[1\].support is all 0"),
    (drop("nodes", 0, "literal"), r"nodes\[0\] has the unknown field 'yes'; known are support"),
    (drop("nodes", 0, "no"), r"nodes\[0\] lacks the field 'no'"),
    (put(["x", "=", 1], "nodes", 0, "literal"), r"nodes\[0\].literal compares 'x', which is not a feature"),
]


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        (kind, *case)
        for kind, cases in ((FoldSEClassifier, RULES), (HeuristicTreeClassifier, NODES))
        for case in cases
    ],
)
def test_changed_files(kind, change, message, tmp_path):
    changed = document(kind)
    change(changed)
    path = tmp_path / "model.json"
    path.write_text(json.dumps(changed))
    with pytest.raises(ModelFileError, match=f"^{re.escape(str(path))}: .*{message}") as caught:
        load_model(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500 + len(str(path))


TEXT = json.dumps(document())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file ends too early: it is empty or was cut off"),
        (" \n", "the file ends too early"),
        (TEXT + "}", "not JSON at line 1, column .*: Extra data"),
        ("a,b\n1,2\n", "not JSON at line 1, column 1"),
        ("[]", "this is not a model file"),
        ("5", "this is not a model file"),
        (TEXT.replace("0.5", "NaN"), "NaN is not JSON; a model file holds finite numbers"),
        (TEXT.replace("0.5", "-Infinity"), "-Infinity is not JSON"),
        (TEXT.replace("0.5", "1e999"), "the number 1e999 is larger than any 64-bit float"),
        (TEXT.replace("0.5", "1" * 5000), "JSON that cannot be read: Exceeds the limit"),
        (TEXT.replace('"version": 1', '"version": 1, "version": 1'), "the field 'version' is there twice"),
        ("[" * 100_000, "the file is nested too deeply"),
    ],
)
def test_broken_text(text, message):
    with pytest.raises(ModelFileError, match=message) as caught:
        from_json(text)
    assert "\n" not in str(caught.value)


def test_cut_off_anywhere():
    text = to_json(FoldSEClassifier().fit(X, Y)).rstrip()
    for length in range(len(text)):
        with pytest.raises(ModelFileError):
            from_json(text[:length])


def test_not_even_text(tmp_path):
    path = tmp_path / "model.json"
    path.write_bytes(b'{"format": "\xff')
    with pytest.raises(ModelFileError, match="not UTF-8 text at byte 12"):
        load_model(path)
    with pytest.raises(FileNotFoundError):
        load_model(tmp_path / "absent.json")


@settings(max_examples=60)
@given(st.data())
def test_no_change_of_a_value_passes_unseen_or_crashes(data):
    """Whatever a field is set to, there is a model or a ModelFileError, no other error."""
    changed = document(data.draw(st.sampled_from([FoldSEClassifier, HeuristicTreeClassifier])))
    place = changed
    while True:
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        inside = place[key]
        if not isinstance(inside, dict | list) or not inside or data.draw(st.booleans()):
            break
        place = inside
    values = (
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text()
    )
    place[key] = data.draw(
        values | st.lists(values, max_size=3) | st.dictionaries(st.text(), values, max_size=2)
    )
    try:
        read(changed).predict(X)
    except ModelFileError:
        return
    check(json.dumps(changed))


class Odd(FoldSEClassifier):
    """A classifier of a user's own."""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"pos_label": math.nan},
            "the parameter pos_label is nan of type float; a model file holds text, truth",
        ),
        ({"pos_label": ("a",)}, r"the parameter pos_label is \('a',\) of type tuple"),
        ({"pos_label": pd.Timestamp(0)}, "the parameter pos_label is Timestamp.* of type Timestamp"),
        ({"ratio": math.inf}, "the parameter ratio is inf of type float"),
        ({"numeric_features": ["\ud800"]}, "the model has text with '.ud800', which is not valid Unicode"),
    ],
)
def test_what_cannot_be_saved(change, message, tmp_path):
    clf = FoldSEClassifier().fit(X, Y).set_params(**change)
    with pytest.raises(ModelFileError, match=message):
        clf.save(tmp_path / "model.json")
    assert not list(tmp_path.iterdir())


def test_labels_and_classes_that_cannot_be_saved():
    with pytest.raises(ModelFileError, match=r"labels of dtype datetime64.* cannot be saved"):
        to_json(FoldSEClassifier().fit(X, np.array([0, 1, 0, 0, 1, 0], dtype="M8[s]")))
    with pytest.raises(ModelFileError, match=r"a label is .* of type bytes"):
        to_json(FoldSEClassifier().fit(X, np.array([b"a", b"b"] * 3, dtype=object)))
    with pytest.raises(ModelFileError, match="only foldse's own classifiers"):
        to_json(Odd().fit(X, Y))
