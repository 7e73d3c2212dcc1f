"""Models in files: what comes back, and what people may edit."""

import json
import math
import os
import threading
from importlib import resources
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldse import FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier, Literal, Op, Rule, RuleSet
from foldse.persistence import from_json, load_model, to_json
from tests.tables import frame, mixed_tables

ALL = [FoldSEClassifier, FoldRPPClassifier, HeuristicTreeClassifier]
X = pd.DataFrame({"Sex": ["f", "m", "f", "m", "m", "f"], "age": [1.0, 2.0, 30.0, 0.1 + 0.2, np.nan, 6.0]})
Y = pd.Series(["yes", "no", "yes", "yes", "no", "yes"], name="Survived?")
SCHEMA = json.loads(resources.files("foldse").joinpath("schema/model-1.json").read_text("utf-8"))


def check(text):
    """Check against the schema, and that the text is strict JSON."""

    def refuse(constant):
        raise AssertionError(constant)

    document = json.loads(text, parse_constant=refuse)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    return document


def assert_same(again, clf, X):
    assert type(again) is type(clf)
    assert set(vars(again)) == set(vars(clf))
    assert again.predict(X).dtype == clf.predict(X).dtype
    assert again.predict(X).tolist() == clf.predict(X).tolist()
    assert np.array_equal(again.predict_proba(X), clf.predict_proba(X))
    for name in (
        "n_rules_",
        "n_predicates_",
        "n_rules_raw_",
        "n_predicates_raw_",
        "n_leaves_",
        "mean_depth_",
    ):
        assert getattr(again, name, None) == getattr(clf, name, None)
    assert to_json(again) == to_json(clf)
    if hasattr(clf, "rules_"):
        assert again.rules_.to_html() == clf.rules_.to_html()


def test_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize(
    "labels",
    [
        np.array(["yes", "no"]),
        np.array(["yes", "no"], dtype=object),
        pd.Series(["yes", "no"]),
        pd.Series(["yes", "no"], dtype="category"),
        pd.array([1, 0], dtype="Int64"),
        np.array([1, 0], dtype="int8"),
        np.array([2**64 - 1, 0], dtype="uint64"),
        np.array([True, False]),
        np.array([2.0, -1.0]),
        np.array([2.0, -1.0], dtype="float16"),
        np.array([2**80, -1], dtype=object),
    ],
    ids=lambda labels: f"{type(labels).__name__}-{labels.dtype}",
)
def test_labels_keep_their_type(kind, labels):
    y = pd.Series(labels)[[0, 1, 0, 0, 1, 0]] if isinstance(labels, pd.Series) else labels[[0, 1, 0, 0, 1, 0]]
    clf = kind().fit(X, y)
    again = from_json(to_json(clf))
    check(to_json(clf))
    assert again.classes_.dtype == clf.classes_.dtype
    assert_same(again, clf, X)


@pytest.mark.parametrize("kind", ALL)
def test_file(kind, tmp_path):
    clf = kind(
        pos_label="yes", numeric_features=pd.Index(["age"]).tolist(), categorical_features=("Sex",)
    ).fit(X, Y)
    path = tmp_path / "model.json"
    path.write_text("an older file")
    clf.save(path)
    assert [p.name for p in tmp_path.iterdir()] == ["model.json"]
    again = load_model(str(path))
    assert_same(again, clf, X)
    assert again.get_params() == clf.get_params() | {"categorical_features": ["Sex"]}
    assert again.feature_names_in_.tolist() == ["Sex", "age"]
    assert again.predict(X[["age", "Sex"]]).tolist() == clf.predict(X).tolist()


@pytest.mark.parametrize("kind", ALL)
def test_arrays_without_names(kind):
    clf = kind().fit(X.to_numpy(dtype=object), Y)
    again = from_json(to_json(clf))
    assert not hasattr(again, "feature_names_in_")
    assert_same(again, clf, X.to_numpy(dtype=object))


@pytest.mark.parametrize("kind", ALL)
def test_one_class(kind):
    clf = kind().fit(X, ["a"] * 6)
    check(to_json(clf))
    assert_same(from_json(to_json(clf)), clf, X)


@pytest.mark.parametrize("pos_label", [np.int8(1), np.int64(1), 1.0, True])
def test_pos_label_of_any_number_type(pos_label):
    clf = FoldSEClassifier(pos_label=pos_label).fit(X, np.array([1, 0, 1, 1, 0, 1]))
    again = from_json(to_json(clf))
    assert again.predict(X).tolist() == clf.predict(X).tolist()
    assert again.pos_label == 1


@settings(max_examples=40)
@given(mixed_tables(labels=("no", "yes", "maybe")), st.sampled_from(ALL), st.sampled_from(["x0", None]))
def test_any_table(table, kind, categorical):
    rows, y = table
    clf = kind(categorical_features=categorical and [categorical]).fit(frame(rows), y)
    check(to_json(clf))
    assert_same(from_json(to_json(clf)), clf, frame(rows))


CATEGORIES = ["1", 1, True, 1.5, None, "", 'a\x00\u2028😀"\\', 2**70, math.inf, -math.inf, "x" * 10_000]


def test_categories_and_thresholds_come_back_as_they_are():
    clf = FoldSEClassifier().fit(X, Y)
    literals = [Literal("Sex", op, category) for category in CATEGORIES for op in (Op.EQ, Op.NE)]
    bounds = [-0.0, 5e-324, 0.1 + 0.2, 1e16, 2.0**53, 1.7976931348623157e308]
    literals += [Literal("age", op, bound) for bound in bounds for op in list(Op)[:4]]
    clf.rules_ = RuleSet(
        tuple(Rule("no", (x,)) for x in literals), ("Sex", "age"), "t", ("no", "yes"), "yes", (0, 1)
    )
    clf.raw_rules_ = clf.rules_
    check(to_json(clf))
    found = [rule.body[0] for rule in from_json(to_json(clf)).rules_]
    assert [(type(x.value), repr(x.value), x.op) for x in found] == [
        (type(x.value), repr(x.value), x.op) for x in literals
    ]


def test_deep_trees():
    table = pd.DataFrame({"x": np.arange(1000.0)})
    clf = HeuristicTreeClassifier(heuristic="information_gain").fit(table, np.arange(1000) % 2)
    assert clf.mean_depth_ > 10
    assert_same(from_json(to_json(clf)), clf, table)


def test_file_is_made_to_be_read():
    clf = FoldSEClassifier(pos_label="yes").fit(X, Y)
    assert to_json(clf).splitlines() == [
        "{",
        '  "format": "foldse model",',
        '  "version": 1,',
        '  "estimator": "FoldSEClassifier",',
        '  "parameters": {',
        *(
            '    "categorical_features": null,',
            '    "heuristic": "magic_gini",',
            '    "numeric_features": null,',
        ),
        *('    "pos_label": "yes",', '    "ratio": 0.5,', '    "remove_covered": "correct",'),
        *('    "stop_at_invalid": false,', '    "tail": 0.005'),
        "  },",
        '  "features": ["Sex", "age"],',
        '  "features_are_names": true,',
        '  "classes": {"dtype": "object", "labels": ["no", "yes"]},',
        '  "feature_types": ["text", "number"],',
        '  "target": "survived",',
        '  "rules": [',
        *("    {", '      "head": "yes",', '      "body": [["Sex", "=", "f"]],'),
        *(
            '      "exceptions": [],',
            '      "support": [0.0, 3.0],',
            '      "confidence": [3.0, 3.0]',
            "    },",
        ),
        *("    {", '      "head": "yes",', '      "body": [["age", "<=", 0.30000000000000004]],'),
        *(
            '      "exceptions": [],',
            '      "support": [0.0, 1.0],',
            '      "confidence": [1.0, 1.0]',
            "    }",
        ),
        "  ],",
        '  "default": "no",',
        '  "default_support": [2.0, 0.0]',
        "}",
    ]


def test_a_file_of_before_the_readings_were_parameters_says_how_it_was_learned():
    old = document()
    for name in ("remove_covered", "stop_at_invalid"):
        del old["parameters"][name]
    params = read(old).get_params()
    assert (params["remove_covered"], params["stop_at_invalid"], params["ties"]) == ("all", True, "columns")


# Edited files


def document(kind=FoldSEClassifier, **parameters):
    return json.loads(to_json(kind(**parameters).fit(X, Y)))


def read(document):
    return from_json(json.dumps(document))


def test_rules_may_be_edited():
    edited = document(pos_label="yes")
    edited["rules"][0]["exceptions"].append({"body": [["age", ">", 5], ["Sex", "!=", None]]})
    edited["rules"].append({"head": "no", "body": [["Sex", "=", "m"]]})
    edited["rules"].append({"head": "yes", "body": [["age", "not>", 100]]})
    check(json.dumps(edited))
    clf = read(edited)
    assert str(clf.rules_).splitlines() == [
        "survived(X,'yes') :- sex(X,'f'), not ab1(X,'True').",
        "survived(X,'yes') :- age(X,N1), N1=<0.30000000000000004.",
        "survived(X,'no') :- sex(X,'m').",
        "survived(X,'yes') :- age(X,N1), not(N1>100.0).",
        "ab1(X,'True') :- age(X,N1), N1>5.0, not sex(X,?).",
    ]
    assert (clf.n_rules_, clf.n_predicates_) == (5, 6)
    assert (clf.n_rules_raw_, clf.n_predicates_raw_) == (5, 6)
    assert clf.raw_rules_ == clf.rules_
    assert clf.predict(X).tolist() == ["yes", "no", "yes", "yes", "no", "yes"]
    # Rule 3, which nothing was counted for, decides the first of these.
    proba = clf.predict_proba(pd.DataFrame({"Sex": ["m", "f"], "age": [50.0, 1.0]}))
    assert proba.tolist() == [[0.5, 0.5], [0.2, 0.8]]
    assert_same(from_json(to_json(clf)), clf, X)


def test_rules_as_learned_are_kept_until_rules_are_edited():
    table = pd.DataFrame({"a": list("xxxxyy"), "b": list("ppqqpq")})
    clf = FoldRPPClassifier(pos_label="yes").fit(table, ["yes", "yes", "yes", "no", "no", "no"])
    raw = RuleSet(
        (Rule("yes", (Literal("a", Op.EQ, "x"),), (Rule(None, (Literal("b", Op.EQ, "q"),)),), (1.0, 2.0)),),
        *(("a", "b"), "target", ("no", "yes"), "no", (1.0, 1.0)),
    )
    clf.raw_rules_, clf.rules_ = raw, raw.simplified()
    saved = json.loads(to_json(clf))
    check(to_json(clf))
    assert read(saved).n_rules_raw_ == 2
    assert read(saved).raw_rules_[0].support == (1.0, 2.0)
    saved["rules"][0]["body"][1][2] = "p"
    assert read(saved).n_rules_raw_ == 1
    saved["rules"][0]["body"] = [["a", "=", 1], ["b", "!=", True]]
    saved["raw_rules"][0] |= {"body": [["a", "=", True]], "exceptions": [{"body": [["b", "=", True]]}]}
    assert read(saved).raw_rules_[0].body[0].value == 1  # 1 is not True
    saved["rules"], saved["raw_rules"] = [], []
    assert read(saved).n_rules_ == 0
    assert read(saved).predict(table).tolist() == ["no"] * 6


def test_a_mark_in_front_is_no_harm(tmp_path):
    path = tmp_path / "model.json"
    path.write_text(to_json(FoldSEClassifier().fit(X, Y)), encoding="utf-8-sig")
    assert load_model(path).predict(X[:1]).tolist() == ["yes"]


# Where a model is saved to


def test_a_link_is_kept_and_its_file_replaced(tmp_path):
    clf = FoldSEClassifier().fit(X, Y)
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "v1.json").write_text("an older file")
    (tmp_path / "model.json").symlink_to(tmp_path / "models" / "v1.json")
    clf.save(tmp_path / "model.json")
    assert (tmp_path / "model.json").is_symlink()
    assert (tmp_path / "models" / "v1.json").read_text() == to_json(clf)
    assert [path.name for path in (tmp_path / "models").iterdir()] == ["v1.json"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_device_or_a_pipe_is_written_to(tmp_path):
    clf = FoldSEClassifier().fit(X, Y)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    clf.save(pipe)
    reader.join(timeout=10)
    assert read == [to_json(clf)]
    assert pipe.is_fifo()
    clf.save(os.devnull)
    assert not Path(os.devnull).is_file()


# Programs with exceptions of exceptions


def test_exceptions_two_hundred_deep(tmp_path):
    rule = Rule(None, (Literal("Sex", Op.EQ, "f"), Literal("age", Op.GT, 0.0)), support=(1.0, 0.0))
    for i in range(1, 200):
        rule = Rule(None, (Literal("Sex", Op.EQ, "f"), Literal("age", Op.GT, -float(i))), (rule,), (1.0, 0.0))
    clf = FoldSEClassifier(pos_label="yes").fit(X, Y)
    clf.rules_ = clf.raw_rules_ = RuleSet(
        (Rule("yes", (Literal("Sex", Op.EQ, "f"),), (rule,), (1.0, 1.0)),),
        *(("Sex", "age"), "survived", ("no", "yes"), "no", (1.0, 1.0)),
    )
    clf.save(tmp_path / "model.json")
    again = load_model(tmp_path / "model.json")
    assert again.rules_ == clf.rules_
    assert hash(again.rules_.rules) == hash(clf.rules_.rules)
    # All 200 exceptions hold of a positive age; each undoes the one above, so that the rule fires again.
    assert again.predict(pd.DataFrame({"Sex": ["f"], "age": [5.0]})).tolist() == ["yes"]
    found = again.counterfactual({"Sex": "f", "age": 5.0})
    assert found.prediction == "no"
    assert again.predict(found.row.to_frame().T).tolist() == ["no"]
    assert again.explain(X)[0].to_dict()["rules"][0]["exceptions"]
