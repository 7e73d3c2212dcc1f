"""What learned rules may say: comparisons, and the direction of thresholds, by column."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldse import FoldSEClassifier, Op, load_model
from tests import naive
from tests.tables import as_naive, frame, mixed_tables

UP, DOWN = {"not<=", ">"}, {"<=", "not>"}


@settings(max_examples=150)
@given(
    table=mixed_tables(max_rows=40),
    ops=st.sets(st.sampled_from(sorted(Op)), min_size=1),
    choices=st.lists(st.sampled_from([None, "up", "down"]), min_size=8, max_size=8),
)
def test_the_oracle_learns_the_same(table, ops, choices):
    rows, labels = table
    X = frame(rows)
    numeric = [any(naive.is_number(row[i]) for row in rows) for i in range(len(rows[0]))]
    directions = {
        name: choice
        for name, choice, has_numbers in zip(X.columns, choices, numeric, strict=False)
        if choice and has_numbers
    }
    clf = FoldSEClassifier(tail=0, pos_label="yes", operators=sorted(ops), directions=directions)
    clf.fit(X, labels)
    allowed = {
        i: ops - {"up": DOWN, "down": UP}.get(directions.get(name), set()) for i, name in enumerate(X.columns)
    }
    expected = naive.fit_binary(rows, labels, "yes", naive.magic_gini, allowed)
    assert [as_naive(rule) for rule in clf.raw_rules_] == expected
    for literal in clf.rules_.literals():
        assert literal.op in allowed[X.columns.get_loc(literal.feature)]
    raw, simple = ([as_naive(rule) for rule in program] for program in (clf.raw_rules_, clf.rules_))
    assert [[naive.covers(rule, row) for row in rows] for rule in raw] == [
        [naive.covers(rule, row) for row in rows] for rule in simple
    ]


def test_a_direction_by_hand():
    """Young and old are 'yes': with age only upwards, the young are out of reach."""
    X = pd.DataFrame({"age": [1.0, 2, 3, 4, 5, 6, 7, 8]})
    y = ["yes", "yes", "no", "no", "no", "yes", "yes", "yes"]
    clf = FoldSEClassifier(tail=0, pos_label="yes", directions={"age": "up"}).fit(X, y)
    assert str(clf.rules_) == "target(X,'yes') :- age(X,N1), not(N1=<5.0)."
    clf = FoldSEClassifier(tail=0, pos_label="yes", directions={"age": "up"}, operators=[">"]).fit(X, y)
    assert str(clf.rules_) == "target(X,'yes') :- age(X,N1), N1>5.0."


@pytest.mark.parametrize(("direction", "allowed"), [("up", UP), ("down", DOWN)])
def test_many_numbers_share_bins(direction, allowed):
    """A column whose codes have no bins of their own is searched elsewhere."""
    X = pd.DataFrame({"a": np.random.default_rng(0).normal(size=5000)})
    y = np.where(X["a"].abs() < 1, "yes", "no")
    clf = FoldSEClassifier(pos_label="yes", directions={"a": direction}).fit(X, y)
    assert {literal.op for literal in clf.rules_.literals()} <= allowed
    assert (clf.predict(X) == y).all()  # an interval is a rule with an exception


def test_saved_and_learned_again(tmp_path):
    X = pd.DataFrame({"age": [1.0, 2, 3, 4], "sex": ["f", "m", "f", "m"]})
    clf = FoldSEClassifier(tail=0, operators=["<=", "="], directions={"age": "down"}, max_rule_length=1)
    clf.fit(X, ["yes", "yes", "no", "no"]).save(tmp_path / "model.json")
    read = load_model(tmp_path / "model.json")
    assert read.get_params() == clf.get_params()
    assert read.raw_rules_ == clf.raw_rules_


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"operators": ["<"]}, "operators has '<'; it must be some of <=, not<=, >, not>, =, !="),
        ({"operators": []}, "operators must be a list of some of"),
        ({"operators": "<="}, "operators must be a list of some of"),
        ({"directions": {"age": "upwards"}}, r"directions\['age'\] must be 'up' or 'down', got 'upwards'"),
        ({"directions": {"ages": "up"}}, "directions names 'ages', but X has no such column"),
        ({"directions": {"sex": "up"}}, "directions names 'sex', a column of categories"),
    ],
)
def test_restrictions_that_cannot_be(given, message):
    X = pd.DataFrame({"age": [1.0, 2, 3, 4], "sex": ["f", "m", "f", "m"]})
    with pytest.raises(ValueError, match=message):
        FoldSEClassifier(**given).fit(X, ["yes", "yes", "no", "no"])
