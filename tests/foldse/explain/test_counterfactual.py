"""Counterfactuals: that they flip the prediction, and that nothing smaller does."""

import itertools
import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from foldse import FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier, Literal, Op, Rule
from foldse.explain.counterfactual import counterfactuals
from tests import naive
from tests.foldse.cases import (
    DEAR,
    FEMALE,
    PASSENGERS,
    SETS,
    SURVIVED,
    THIRD_CLASS,
    dataset,
    holding,
    roles,
    titanic,
)
from tests.foldse.explain.oracle import candidates, literals_of, predicted
from tests.tables import frame, mixed_tables

ROWS = PASSENGERS.set_index("Name")


def test_titanic():
    clf = titanic()
    found = clf.counterfactual(ROWS.iloc[0])
    assert found.changes == (("Sex", "male", "female"),)
    assert (found.original, found.prediction) == ("0", "1")
    assert found.row.to_dict() == {"Sex": "female", "Class": "3", "Fare": 7.83}
    assert {str(literal) for literal in found.literals} == {"Sex = 'female'", "Sex != 'female'"}
    assert str(found).splitlines() == [
        "survived(Mr. Kelly,'1') would hold instead of survived(Mr. Kelly,'0') if",
        "    the value of sex were 'female' instead of 'male'",
    ]


def test_several_changes_are_told_in_order():
    found = titanic().counterfactual(ROWS.iloc[[1]], fixed=["Sex"])
    assert found.changes == (("Class", "1", "3"),)
    found = titanic().counterfactual(ROWS.iloc[1].replace({71.28: 23.25}), fixed="Sex")
    assert str(found).splitlines() == [
        "survived(Mrs. James,'0') would hold instead of survived(Mrs. James,'1') if",
        "    the value of class were '3' instead of '1' and",
        "    the value of fare were 23.26 (more than 23.25) instead of 23.25",
    ]
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == {
        "schema": 1,
        "subject": "Mrs. James",
        "target": "survived",
        "original": "1",
        "prediction": "0",
        "cost": 2.0,
        "changes": [
            {"feature": "Class", "from": "1", "to": "3", "condition": "3"},
            {"feature": "Fare", "from": 23.25, "to": 23.26, "condition": "more than 23.25"},
        ],
    }


def test_a_row_may_come_in_many_forms():
    clf = titanic()
    values = ["male", "3", 7.83]
    forms = [
        ROWS.iloc[0],
        ROWS.iloc[[0]],
        ROWS.iloc[[0]].astype({"Sex": "category", "Class": "category"}),
        ROWS.iloc[[0]][["Fare", "Class", "Sex"]].assign(more=1),
        values,
        np.array(values, dtype=object),
        [values],
    ]
    for form in forms:
        assert clf.counterfactual(form).changes == (("Sex", "male", "female"),)
    assert clf.counterfactual(values).subject == "X0"
    assert clf.counterfactual(values, name="Kelly").subject == "Kelly"


def test_input_stays_as_it_is():
    before = ROWS.copy()
    table = ROWS.copy()
    titanic().counterfactual(table.iloc[[0]])
    titanic().counterfactual(table.iloc[0])
    pd.testing.assert_frame_equal(table, before)


def test_numbers_that_are_categories_by_their_dtype_stay_so():
    table = pd.DataFrame(
        {"grade": pd.Series([1, 2, 3, 1], dtype="category"), "on": [True, False, True, False]}
    )
    rules = [Rule("u", (Literal("grade", Op.EQ, 2), Literal("on", Op.NE, True)))]
    clf = holding(rules, table, list("uvvu"), default="v")
    found = clf.counterfactual(table.iloc[[0]])
    assert found.changes == (("grade", 1, 2), ("on", True, False))
    assert "the value of on were 'False' (other than True) instead of 'True'" in str(found)


@pytest.mark.parametrize(
    ("literal", "old", "new"),
    [
        (Literal("x", Op.LE, 5.0), 9.0, 5.0),
        (Literal("x", Op.GT, 5.0), 1.0, 6.0),
        (Literal("x", Op.NOT_LE, 23.25), 1.0, 23.26),
        (Literal("x", Op.NOT_GT, 5.0), 9.0, 5.0),
        (Literal("x", Op.GT, 0.027), 0.01, 0.028),
        (Literal("x", Op.GT, -1.5), -7.0, -1.4),
        (Literal("x", Op.GT, 1e16), 3.0, math.nextafter(1e16, math.inf)),
        (Literal("x", Op.GT, 1e-300), 0.0, 2e-300),
        (Literal("x", Op.LE, 5.0), math.inf, 5.0),
        (Literal("x", Op.GT, 5.0), -math.inf, 6.0),
        (Literal("x", Op.LE, 5.0), None, 5.0),
        (Literal("x", Op.GT, 5.0), "no number", 6.0),
        (Literal("x", Op.EQ, "a"), "b", "a"),
        (Literal("x", Op.NE, "a"), "a", "other"),
        (Literal("x", Op.NE, "other"), "other", "other_2"),
        (Literal("x", Op.EQ, None), "b", None),
        (Literal("x", Op.NE, None), None, 0.0),
    ],
)
def test_the_value_that_is_proposed(literal, old, new):
    table = pd.DataFrame({"x": pd.Series([old, 1.0, "a"], dtype=object)})
    clf = holding([Rule("yes", (literal,))], table, ["no", "no", "yes"], default="no")
    assert clf.counterfactual(table.iloc[[0]]).changes == (("x", old, new),)


def test_a_number_moves_no_further_than_it_has_to():
    body = (Literal("x", Op.LE, 9.0), Literal("x", Op.GT, 3.0))
    low = Rule("yes", (Literal("x", Op.LE, -3.0), Literal("x", Op.GT, -5.0)))
    table = pd.DataFrame({"x": [1.0, 20.0, 3.5]})
    clf = holding([Rule("yes", body), low], table, ["no", "no", "yes"], default="no")
    assert clf.counterfactual([1.0]).changes == (("x", 1.0, 4.0),)
    assert clf.counterfactual([20.0]).changes == (("x", 20.0, 9.0),)
    assert clf.counterfactual([3.5]).changes == (("x", 3.5, 3.0),)
    assert clf.counterfactual([8.5]).changes == (("x", 8.5, 10.0),)
    assert clf.counterfactual([-2.0]).changes == (("x", -2.0, -3.0),)
    assert clf.counterfactual([math.inf]).changes == (("x", math.inf, 9.0),)
    assert clf.counterfactual([-math.inf]).changes == (("x", -math.inf, -4.0),)


def test_missing_only_if_allowed_and_only_as_a_last_resort():
    rules = [Rule("yes", (Literal("x", Op.NOT_LE, 5.0), Literal("x", Op.NOT_GT, 5.0)))]
    clf = holding(rules, pd.DataFrame({"x": [1.0, None]}), ["no", "yes"], default="no")
    assert clf.counterfactual([1.0]).changes == (("x", 1.0, None),)
    with pytest.raises(ValueError, match="no change of x leads to another label than 'no'"):
        clf.counterfactual([1.0], allow_missing=False)
    rules = [Rule("yes", (Literal("x", Op.NOT_LE, 5.0),))]
    high = holding(rules, pd.DataFrame({"x": [1.0, 9.0]}), ["no", "yes"], default="no")
    assert high.counterfactual([1.0]).changes == (("x", 1.0, 6.0),)


def test_of_more_classes_any_other_or_the_one_that_is_asked_for():
    rules = [
        Rule("u", (Literal("x", Op.LE, 1.0),)),
        Rule("v", (Literal("x", Op.LE, 2.0), FEMALE)),
        Rule("w", (Literal("x", Op.GT, 3.0), FEMALE, THIRD_CLASS)),
    ]
    table = pd.DataFrame({"x": [0.0, 2.5, 9.0], "Sex": ["male"] * 3, "Class": ["1"] * 3})
    clf = holding(rules, table, list("uvw"), default="v")
    assert clf.counterfactual(table.iloc[0]).changes == (("x", 0.0, 2.0),)
    found = clf.counterfactual(table.iloc[0], target="w")
    assert found.changes == (("x", 0.0, 4.0), ("Sex", "male", "female"), ("Class", "1", "3"))
    assert clf.counterfactual(table.iloc[2], target="u").prediction == "u"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target": "2"}, "target '2' is not a label; the labels are '0', '1'"),
        ({"target": "0"}, "target '0' is what is predicted already"),
        ({"fixed": ["sex"]}, "fixed names 'sex', which is not a feature; the features are Sex, Class, Fare"),
        ({"fixed": ["Sex"]}, "no change of Class, Fare leads to another label than '0'"),
        ({"fixed": ["Sex", "Class", "Fare"]}, "no change of any feature that may change leads to"),
    ],
)
def test_what_cannot_be_reached_is_an_error(arguments, message):
    with pytest.raises(ValueError, match=message):
        titanic().counterfactual(ROWS.iloc[0], **arguments)


def test_what_is_no_row_is_an_error():
    clf = titanic()
    with pytest.raises(ValueError, match=r"x has 4 rows; .* such as X.iloc\[\[0\]\]"):
        clf.counterfactual(ROWS)
    with pytest.raises(ValueError, match=r"x has shape \(1, 2\), but one row of 3 features is needed"):
        clf.counterfactual(["male", "3"])
    with pytest.raises(TypeError, match="HeuristicTreeClassifier has none"):
        counterfactuals(HeuristicTreeClassifier().fit(ROWS, SURVIVED), ROWS.iloc[0])
    constant = FoldSEClassifier().fit(ROWS, ["0"] * 4)
    with pytest.raises(ValueError, match="no change of any feature that may change leads to another label"):
        constant.counterfactual(ROWS.iloc[0])


# Against every row there could be.


def literals_about(rules, feature):
    return [x for rule in rules for x in literals_of(rule) if x.feature == feature]


def literals_that_hold(rules, row):
    distinct = {x for rule in rules for x in literals_of(rule)}
    return {x for x in distinct if naive.holds((int(x.feature[1:]), str(x.op), x.value), row)}


def smallest(rules, types, row, targets, fixed):
    """Return the fewest features, and of these the fewest literals, whose change does; None without any."""
    free = [i for i, name in enumerate(rules.features) if name not in fixed]
    before = literals_that_hold(rules, row)
    for size in range(1, len(free) + 1):
        changes = []
        for chosen in itertools.combinations(free, size):
            options = [candidates(literals_about(rules, rules.features[i]), types[i]) for i in chosen]
            for values in itertools.product(*options):
                changed = list(row)
                for i, value in zip(chosen, values, strict=True):
                    changed[i] = value
                if predicted(rules, tuple(changed)) in targets:
                    changes.append(len(before ^ literals_that_hold(rules, tuple(changed))))
        if changes:
            return size, min(changes)
    return None


@settings(max_examples=150)
@given(
    table=st.one_of(mixed_tables(max_columns=3), mixed_tables(labels=("a", "b", "c"), max_columns=3)),
    kind=st.sampled_from([FoldSEClassifier, FoldRPPClassifier]),
    data=st.data(),
)
def test_none_is_smaller(table, kind, data):
    rows, labels = table
    X = frame(rows)
    clf = kind().fit(X, labels)
    assume(len(clf.rules_))
    if data.draw(st.booleans()):  # more exceptions are left in it
        clf.rules_ = clf.raw_rules_
    position = data.draw(st.integers(0, len(rows) - 1))
    original = clf.predict(X.iloc[[position]])[0]
    others = [label for label in clf.classes_ if label != original]
    target = data.draw(st.sampled_from([None, *others]))
    fixed = [name for name in X.columns if data.draw(st.integers(0, 4)) == 0]
    expected = smallest(clf.rules_, clf.feature_types_, rows[position], [target] if target else others, fixed)
    if expected is None:
        with pytest.raises(ValueError, match="leads to"):
            clf.counterfactual(X.iloc[[position]], target=target, fixed=fixed)
        return
    for row in (X.iloc[[position]], X.iloc[position]):
        found = clf.counterfactual(row, target=target, fixed=fixed)
        assert (len(found.changes), len(found.literals)) == expected
        assert not {change.feature for change in found.changes} & set(fixed)
        changed = found.row.to_frame().T
        assert clf.predict(changed).tolist() == [found.prediction]
        assert found.prediction in ([target] if target else others)
        differs = [
            n for n, a, b in zip(X.columns, rows[position], found.row, strict=True) if a is not b and a != b
        ]
        assert differs == [change.feature for change in found.changes]
        assert predicted(clf.rules_, tuple(None if v != v else v for v in found.row)) == found.prediction


@pytest.mark.parametrize("kind", [FoldSEClassifier, FoldRPPClassifier])
@pytest.mark.parametrize("name", SETS)
def test_real_rows_flip_and_no_single_feature_does_where_several_are_changed(name, kind):
    data = dataset(name)
    clf = kind(**roles(data)).fit(data.X, data.y)
    for position in np.random.default_rng(0).permutation(len(data.y))[:30]:
        row = data.X.iloc[[position]]
        found = clf.counterfactual(row)
        assert found.prediction != clf.predict(row)[0] == found.original
        assert clf.predict(found.row.to_frame().T)[0] == found.prediction
        if len(found.changes) == 1:
            continue
        for feature in clf.rules_.features:
            types = clf.feature_types_[clf.rules_.features.index(feature)]
            values = candidates(literals_about(clf.rules_, feature), types)
            table = pd.concat([row] * len(values)).astype({feature: object})
            table[feature] = pd.Series(values, index=table.index, dtype=object)
            assert (clf.predict(table) == found.original).all()


def test_of_equal_changes_the_more_natural_one_always():
    exception = Rule(None, (FEMALE, DEAR))
    clf = holding([Rule("0", (THIRD_CLASS,), (exception,))], ROWS, SURVIVED, default="1")
    # One feature and one literal either way, but no rule names another class, and a fare is a fare.
    first, second = (clf.counterfactual(ROWS.iloc[2]) for _ in range(2))
    assert first.changes == second.changes == (("Fare", 7.0, 23.26),)
    assert clf.counterfactual(ROWS.iloc[2], fixed=["Fare"]).changes == (("Class", "3", "other"),)
