"""Justifications: the paper's words, and that what they say entails the prediction."""

import json
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldse import FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier, Literal, Op, Rule
from foldse.explain.proof import State
from tests import naive
from tests.foldse.cases import (
    DATA,
    DEAR,
    FEMALE,
    HAVE_DATA,
    PASSENGERS,
    SETS,
    SURVIVED,
    THIRD_CLASS,
    dataset,
    holding,
    roles,
    titanic,
)
from tests.tables import as_naive, frame, mixed_tables

KELLY = """\
survived(Mr. Kelly,'0') does hold because
    the value of sex is 'male' which should not equal 'female' does hold"""
JAMES = """\
survived(Mrs. James,'0') does not hold because
    the value of sex is 'female' which should not equal 'female' does not hold
survived(Mrs. James,'0') does not hold because
    the value of class is '1' which should equal '3' does not hold"""
HEALY = """\
survived(Miss. Healy,'0') does not hold because
    the value of sex is 'female' which should not equal 'female' does not hold
survived(Miss. Healy,'0') does not hold because
    the value of class is '3' which should equal '3' does hold and
    the value of sex is 'female' which should equal 'female' does hold and
    the value of fare is 7.0 which should not be less equal to 23.25 does not hold"""
PANULA = """\
survived(Mrs. Panula,'0') does hold because
    the value of class is '3' which should equal '3' does hold and
    the value of sex is 'female' which should equal 'female' does hold and
    the value of fare is 39.69 which should not be less equal to 23.25 does hold"""


def test_titanic_example_word_for_word():
    justifications = titanic().explain(PASSENGERS, names="Name")
    assert [str(j) for j in justifications] == [KELLY, JAMES, HEALY, PANULA]
    assert [j.prediction for j in justifications] == ["0", "1", "1", "0"]
    assert [j.fired for j in justifications] == [0, None, None, 1]


def test_rules_after_the_one_that_fired_are_not_needed():
    rules = titanic().explain(PASSENGERS)[0].rules
    assert [rule.state for rule in rules] == [State.TRUE, State.NOT_NEEDED]
    assert {(node.state, node.value) for node in rules[1].literals} == {
        (State.NOT_NEEDED, value) for value in ("3", "male", 7.83)
    }


@pytest.mark.data
@HAVE_DATA
def test_titanic_example_on_the_real_passengers():
    data, test = dataset("titanic"), dataset("titanic_test")
    clf = FoldSEClassifier(pos_label="0", **roles(data)).fit(data.X, data.y)
    names = pd.read_csv(Path(DATA) / "titanic" / "test.csv")["Name"]
    told = {j.subject: str(j) for j in clf.explain(test.X, names=names)}
    assert told["Kelly Mr. James"] == KELLY.replace("Mr. Kelly", "Kelly Mr. James")
    first_class = "Snyder Mrs. John Pillsbury (Nelle Stevenson)"
    assert told[first_class] == JAMES.replace("Mrs. James", first_class)


X = pd.DataFrame(
    {
        "age": np.array([5.0, 40.0, np.nan, 70.0]),
        "smoker": [True, False, True, False],
        "dose": pd.Series([2.5, "none", None, float("inf")], dtype=object),
        "grade": pd.Series([1, 2, 2, 3], dtype="category"),
    }
)
Y = pd.Series([True, False, True, False], name="at risk?")


def test_numbers_text_truth_values_and_missing_ones():
    rules = [
        Rule(
            True,
            (
                Literal("smoker", Op.EQ, True),
                Literal("age", Op.NOT_GT, 60.0),
                Literal("grade", Op.NE, 3),
                Literal("dose", Op.GT, 2.0),
            ),
        ),
        Rule(True, (Literal("age", Op.LE, 50.0), Literal("dose", Op.EQ, "none"))),
        Rule(True, (Literal("dose", Op.NE, None), Literal("age", Op.EQ, None))),
    ]
    texts = [str(j) for j in holding(rules, X, Y, default=False).explain(X)]
    assert texts[0].splitlines() == [
        "at_risk(X0,'True') does hold because",
        "    the value of smoker is 'True' which should equal 'True' does hold and",
        "    the value of age is 5.0 which should not be greater than 60.0 does hold and",
        "    the value of grade is '1' which should not equal '3' does hold and",
        "    the value of dose is 2.5 which should be greater than 2.0 does hold",
    ]
    assert texts[1].splitlines() == [
        "at_risk(X1,'True') does hold because",
        "    the value of age is 40.0 which should be less equal to 50.0 does hold and",
        "    the value of dose is 'none' which should equal 'none' does hold",
    ]
    assert texts[2].splitlines() == [
        "at_risk(X2,'True') does not hold because",
        "    the value of smoker is 'True' which should equal 'True' does hold and",
        "    the value of age is missing which should not be greater than 60.0 does hold and",
        "    the value of grade is '2' which should not equal '3' does hold and",
        "    the value of dose is missing which should be greater than 2.0 does not hold",
        "at_risk(X2,'True') does not hold because",
        "    the value of age is missing which should be less equal to 50.0 does not hold",
        "at_risk(X2,'True') does not hold because",
        "    the value of dose is missing which should not equal missing does not hold",
    ]
    assert "    the value of age is 70.0 which should equal missing does not hold" in texts[3].splitlines()


INNER = Rule(None, (Literal("Fare", Op.GT, 50.0), FEMALE))
OUTER = Rule(None, (THIRD_CLASS.negated(), FEMALE), (INNER,))
UNUSED = Rule(None, (Literal("Fare", Op.LE, 1.0), FEMALE))
WITH_EXCEPTIONS = [Rule("0", (DEAR.negated(),)), Rule("0", (DEAR,), (OUTER, UNUSED))]


def test_exceptions_are_clauses_of_their_rule():
    table = PASSENGERS.assign(Fare=[30.0, 71.28, 30.0, 30.0], Class=["3", "1", "2", "3"])
    clf = holding(WITH_EXCEPTIONS, table.drop(columns="Name"), SURVIVED, default="1")
    told = clf.explain(table, names=["Kelly", "James", "Healy", "Panula"])
    assert str(told[1]).splitlines() == [
        "survived(James,'0') does hold because",
        "    the value of fare is 71.28 which should not be less equal to 23.25 does hold and",
        "    exception ab2(James,'True') does not hold because",
        "        the value of class is '1' which should not equal '3' does hold and",
        "        the value of sex is 'female' which should equal 'female' does hold and",
        "        exception ab1(James,'True') does hold because",
        "            the value of fare is 71.28 which should be greater than 50.0 does hold and",
        "            the value of sex is 'female' which should equal 'female' does hold and",
        "    exception ab3(James,'True') does not hold because",
        "        the value of fare is 71.28 which should be less equal to 1.0 does not hold",
    ]
    assert str(told[2]).splitlines() == [
        "survived(Healy,'0') does not hold because",
        "    the value of fare is 30.0 which should be less equal to 23.25 does not hold",
        "survived(Healy,'0') does not hold because",
        "    the value of fare is 30.0 which should not be less equal to 23.25 does hold and",
        "    exception ab2(Healy,'True') does hold because",
        "        the value of class is '2' which should not equal '3' does hold and",
        "        the value of sex is 'female' which should equal 'female' does hold and",
        "        exception ab1(Healy,'True') does not hold because",
        "            the value of fare is 30.0 which should be greater than 50.0 does not hold",
    ]
    assert told[2].rules[1].exceptions[1].state is State.NOT_NEEDED
    names = [str(rule).split(",")[0] for rule in str(clf.rules_).splitlines()[2:]]
    assert names == ["ab1(X", "ab2(X", "ab3(X"]


def test_of_more_classes_which_rules_failed_before_one_held():
    table = pd.DataFrame({"x": list("aabbccd")})
    rules = [Rule(label, (Literal("x", Op.EQ, value),)) for label, value in (("u", "a"), ("v", "b"))]
    clf = holding(rules, table, pd.Series(list("uuvvwww"), name="kind"), default="w")
    told = [str(j).splitlines() for j in clf.explain(table)]
    assert told[2] == [
        "kind(X2,'u') does not hold because",
        "    the value of x is 'b' which should equal 'a' does not hold",
        "kind(X2,'v') does hold because",
        "    the value of x is 'b' which should equal 'b' does hold",
    ]
    assert told[4] == [
        "kind(X4,'u') does not hold because",
        "    the value of x is 'c' which should equal 'a' does not hold",
        "kind(X4,'v') does not hold because",
        "    the value of x is 'c' which should equal 'b' does not hold",
        "kind(X4,'w') does hold by default",
    ]


def test_a_constant_model_has_nothing_to_justify():
    clf = FoldSEClassifier().fit(PASSENGERS[["Sex"]], ["0"] * 4)
    told = clf.explain(PASSENGERS)[0]
    assert (str(told), told.rules, told.rule) == ("target(X0,'0') does hold by default", (), None)


# Each justification entails its prediction, by what it says alone.


def three_valued(rule, known):
    """Return True, False or None, as what is known of literals has it; a naive rule."""
    literals, exceptions = rule
    parts = [known.get(literal) for literal in literals]
    for exception in exceptions:
        value = three_valued(exception, known)
        parts.append(None if value is None else not value)
    return False if False in parts else None if None in parts else True


def said(node, known, row):
    """Collect the literals of the nodes that were needed, each checked on the row by the oracle."""
    is_open = True
    for part in node.literals:
        literal = (part.literal.feature, str(part.literal.op), part.literal.value)
        if is_open:
            assert part.state is (State.TRUE if naive.holds(literal, row) else State.FALSE)
            known[literal] = part.state is State.TRUE
            is_open = part.state is State.TRUE
        else:
            assert part.state is State.NOT_NEEDED
    for exception in node.exceptions:
        if is_open:
            said(exception, known, row)
            is_open = exception.state is State.FALSE
        else:
            assert exception.state is State.NOT_NEEDED
    assert node.state is (State.TRUE if is_open else State.FALSE)


def by_name(rule):
    """Return a library rule in the oracle's form, over rows that are mappings."""
    literals = [(x.feature, str(x.op), x.value) for x in rule.body]
    return literals, [by_name(e) for e in rule.exceptions]


def assert_entailed(justification, rules, row):
    known = {}
    for _, node in justification.shown:
        said(node, known, row)
    outcomes = [(rule.head, three_valued(by_name(rule), known)) for rule in rules]
    fired = next((head for head, outcome in outcomes if outcome), None)
    if fired is None:
        assert all(outcome is False for _, outcome in outcomes)
        assert justification.prediction == rules.default
    else:
        before = outcomes[: [outcome for _, outcome in outcomes].index(True)]
        assert all(outcome is False for head, outcome in before if head != fired)
        assert justification.prediction == fired


def naive_rows(data):
    """Return the rows as mappings, each value what the config says that it is."""
    columns = {name: [float(v) if v == v else None for v in data.X[name]] for name in data.numeric}
    columns |= {name: [v if isinstance(v, str) else None for v in data.X[name]] for name in data.categorical}
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


@pytest.mark.parametrize("kind", [FoldSEClassifier, FoldRPPClassifier])
@pytest.mark.parametrize("name", SETS)
def test_a_thousand_predictions_are_entailed(name, kind):
    data = dataset(name)
    clf = kind(**roles(data)).fit(data.X, data.y)
    chosen = np.random.default_rng(0).permutation(len(data.y))[:1000]
    table, rows = data.X.iloc[chosen], naive_rows(data)
    justifications = clf.explain(table)
    assert [j.prediction for j in justifications] == clf.predict(table).tolist()
    for position, justification in zip(chosen, justifications, strict=True):
        assert_entailed(justification, clf.rules_, rows[position])


@settings(max_examples=150)
@given(
    table=st.one_of(mixed_tables(), mixed_tables(labels=("a", "b", "c"))),
    kind=st.sampled_from([FoldSEClassifier, FoldRPPClassifier]),
    raw=st.booleans(),
)
def test_justifications_of_mixed_tables_are_entailed(table, kind, raw):
    rows, labels = table
    clf = kind().fit(frame(rows), labels)
    if raw:  # more exceptions are left in it
        clf.rules_ = clf.raw_rules_
    justifications = clf.explain(frame(rows))
    assert [j.prediction for j in justifications] == clf.predict(frame(rows)).tolist()
    for row, justification in zip(rows, justifications, strict=True):
        assert_entailed(justification, clf.rules_, {f"x{i}": value for i, value in enumerate(row)})
        for style in ("paper", "short", "english"):
            assert justification.to_text(style)
        json.dumps(justification.to_dict(), allow_nan=False)


@settings(max_examples=60)
@given(table=st.one_of(mixed_tables(), mixed_tables(labels=("a", "b", "c"))))
def test_a_tree_is_justified_by_its_path(table):
    rows, labels = table
    clf = HeuristicTreeClassifier().fit(frame(rows), labels)
    justifications = clf.explain(frame(rows))
    assert [j.prediction for j in justifications] == clf.predict(frame(rows)).tolist()
    for row, justification in zip(rows, justifications, strict=True):
        path = justification.rule
        if path is None:
            assert clf.tree_.root.literal is None
            continue
        assert naive.covers(as_naive(path.rule), row)
        node = clf.tree_.root
        for literal in path.rule.body:
            node = node.yes if literal == node.literal else node.no
        assert node.literal is None
        assert str(justification).count("does hold") == len(path.literals) + 1


# What rows are called, and the other forms.


def test_names():
    clf = titanic()
    table = PASSENGERS.drop(columns="Name")
    assert [j.subject for j in clf.explain(table)] == ["X0", "X1", "X2", "X3"]
    assert [j.subject for j in clf.explain(table.set_index(pd.Index([7, 8, 8, 9])))] == [
        "X0",
        "X1",
        "X2",
        "X3",
    ]
    assert clf.explain(table.set_index(PASSENGERS["Name"]))[1].subject == "Mrs. James"
    assert clf.explain(PASSENGERS, names="Name")[1].subject == "Mrs. James"
    given_names = [
        j.subject for j in clf.explain(table, names=np.array([3, None, "a\n b", np.nan], dtype=object))
    ]
    assert given_names == ["3", "X1", "a b", "X3"]
    with pytest.raises(ValueError, match="names has 2 entries and X has 4 rows"):
        clf.explain(table, names=["a", "b"])
    with pytest.raises(ValueError, match="names is 'Name', but X has no such column"):
        clf.explain(table, names="Name")


def test_arrays():
    clf = FoldSEClassifier(tail=0).fit(np.array([[1.0], [2.0], [3.0]]), [0, 0, 1])
    assert str(clf.explain([[9.0]])[0]).splitlines()[1] == (
        "    the value of x0 is 9.0 which should be less equal to 2.0 does not hold"
    )


def test_a_sequence():
    justifications = titanic().explain(PASSENGERS, names="Name")
    assert len(justifications) == 4
    assert justifications[-1].subject == "Mrs. Panula"
    assert justifications[np.int64(1)].subject == "Mrs. James"
    assert [j.subject for j in justifications[1:3]] == ["Mrs. James", "Miss. Healy"]
    with pytest.raises(IndexError):
        justifications[4]
    assert repr(justifications) == "<justifications of 4 rows>"
    assert repr(justifications[0]).startswith("<justification: survived(Mr. Kelly,'0') by rule 1: sex is")


def test_dict_is_plain_json():
    clf = holding(WITH_EXCEPTIONS, PASSENGERS.drop(columns="Name"), SURVIVED, default="1")
    told = clf.explain(PASSENGERS.assign(Fare=[np.inf, 7.0, np.nan, 7.0]), names="Name")
    first = told[0].to_dict()
    assert json.loads(json.dumps(first, allow_nan=False)) == first
    assert list(first) == ["schema", "subject", "target", "prediction", "fired", "rules"]
    assert first["rules"][0] == {
        "name": "survived",
        "head": "0",
        "state": "false",
        "literals": [
            {"feature": "Fare", "op": "<=", "value": 23.25, "met": "inf", "kind": "number", "state": "false"}
        ],
        "exceptions": [],
    }
    exception = first["rules"][1]["exceptions"][0]
    assert [exception[key] for key in ("name", "head", "state")] == ["ab2", None, "false"]
    assert [x["state"] for x in exception["literals"]] == ["false", "not needed"]
    missing = told[2].to_dict()["rules"][0]["literals"][0]
    assert (missing["met"], missing["kind"]) == (None, "missing")


def test_styles():
    justification = titanic().explain(PASSENGERS, names="Name")[1]
    assert justification.to_text() == justification.to_text("paper") == str(justification)
    with pytest.raises(ValueError, match="style must be one of paper, short, english; got 'prolog'"):
        justification.to_text("prolog")


@pytest.mark.timed
@pytest.mark.data
@HAVE_DATA
def test_ten_thousand_rows_in_a_second():
    data = dataset("adult")
    clf = FoldSEClassifier(pos_label="<=50K", **roles(data)).fit(data.X, data.y)
    table = data.X.iloc[:10_000]
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        texts = [str(j) for j in clf.explain(table)]
        seconds.append(time.perf_counter() - start)
    assert len(texts) == 10_000
    assert min(seconds) < 1
