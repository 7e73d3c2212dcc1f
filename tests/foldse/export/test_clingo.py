"""Clingo: what the program looks like, and that its ranks lose nothing."""

import math

import numpy as np
import pandas as pd
import pytest

from foldse import FoldSEClassifier, Literal, Op, Rule, RuleSet
from foldse.export import clingo_facts, to_clingo
from tests.foldse.export.engines import by_clingo

MAX = 1.7976931348623157e308
FEMALE = Literal("Sex", Op.EQ, "female")
X = pd.DataFrame({"Sex": ["male", "female", None], "Fare": [5.0, np.nan, 1e300]})


def model(*rules, X=X, target="survived", classes=("0", "1"), default="1", **roles):
    """Return a classifier with rules of our own."""
    clf = FoldSEClassifier(**roles).fit(X, [classes[i % len(classes)] for i in range(len(X))])
    clf.rules_ = RuleSet(rules, tuple(map(str, X.columns)), target, classes, default)
    return clf


def test_program_and_facts():
    exception = Rule(None, (Literal("Fare", Op.NOT_LE, 5.0), Literal("Fare", Op.GT, 0.25)))
    clf = model(Rule("0", (Literal("Sex", Op.NE, 'a "b"\n\\'),), (exception,)))
    assert to_clingo(clf).splitlines() == [
        "% Thresholds of fare by rank: 0: 0.25, 1: 5.0",
        "#show survived/2.",
        "#defined fare/3.",
        "#defined sex/2.",
        'survived(X,"0") :- row(X), not sex(X,"a \\"b\\"\\n\\\\"), not ab1(X,"True").',
        'survived(X,"1") :- row(X), not survived(X,"0").',
        'ab1(X,"True") :- fare(X,L1,H1), not H1<=1, L1>0.',
    ]
    assert clingo_facts(clf, X).splitlines() == [
        *("row(0).", "row(1).", "row(2)."),
        *("fare(0,1,1).", "fare(1,0,2).", "fare(2,2,2)."),
        *('sex(0,"male").', 'sex(1,"female").', "sex(2,missing)."),
    ]


@pytest.mark.parametrize("op", [op for op in Op if op.is_threshold])
@pytest.mark.parametrize("bound", [-0.0, 5e-324, 0.1, 2.0**31, 2.0**31 + 0.5, 2.0**63, MAX, -MAX])
def test_neighbours_of_a_threshold_are_told_apart(op, bound):
    beside = [math.nextafter(bound, -math.inf), math.nextafter(bound, math.inf)]
    table = pd.DataFrame({"Sex": "a", "Fare": [bound, *beside, math.inf, -math.inf, math.nan, -bound]})
    clf = model(Rule("0", (Literal("Fare", op, bound),)), Rule("0", (Literal("Fare", op, bound / 2),)))
    assert by_clingo(clf, table) == clf.predict(table).tolist()


def test_categories_of_every_type_are_distinct():
    categories = ["1", 1, True, "true", "missing", None, 'number("1")', 1.5, "1.5", "", float("inf")]
    categories += ["a\x00", "a", "a\\x00", 10**30, "\ud800", "\ud83d\ude00"]
    table = pd.DataFrame({"x": pd.Series(categories, dtype=object)})
    for position, category in enumerate(categories):
        clf = model(Rule("0", (Literal("x", Op.EQ, category),)), X=table, categorical_features=["x"])
        assert by_clingo(clf, table) == ["0" if i == position else "1" for i in range(len(table))]


@pytest.mark.parametrize("target", ["row", "missing", "number", "escaped", "x_not"])
def test_names_that_the_program_has_itself(target):
    names = ["row", "rule1", "earlier2", "missing", "not", "ab1", "Sex", "sex"]
    table = pd.DataFrame({name: ["a", "b", None] for name in names})
    bodies = [(Literal(name, Op.EQ, "a"), Literal(name, Op.NE, None)) for name in names]
    clf = model(*(Rule(str(i % 2), body) for i, body in enumerate(bodies)), X=table, target=target)
    assert by_clingo(clf, table) == ["0", "1", "1"]


def test_a_label_that_clingo_cannot_write():
    with pytest.raises(ValueError, match=r"clingo has no way to write the NUL character in 'a\\x00'"):
        to_clingo(model(Rule("a\x00", (FEMALE,)), classes=("0", "a\x00"), default="0"))


@pytest.mark.parametrize("labels", [[1, 0], [True, False], [2.0, -1.0], [np.int8(3), np.int8(1)]], ids=str)
def test_labels_are_their_text(labels):
    clf = FoldSEClassifier().fit(X, np.array([labels[0], labels[1], labels[1]]))
    assert by_clingo(clf, X) == [str(label) for label in clf.predict(X).tolist()]


def test_predictions_of_arrays_and_frames_in_any_order_of_columns():
    clf = model(Rule("0", (FEMALE, Literal("Fare", Op.NOT_LE, 7.0))))
    assert by_clingo(clf, X[["Fare", "Sex"]]) == by_clingo(clf, X.to_numpy(dtype=object)) == ["1", "0", "1"]
