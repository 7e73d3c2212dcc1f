"""The estimators: labels, parameters, columns by name, and errors that say what to do."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from foldse import FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier, Op, load_model

ALL = [FoldSEClassifier, FoldRPPClassifier, HeuristicTreeClassifier]
X = pd.DataFrame({"sex": ["f", "m", "f", "m", "m", "f"], "age": [1.0, 2.0, 30.0, 40.0, np.nan, 6.0]})
Y = pd.Series(["yes", "no", "yes", "no", "no", "yes"], name="Survived?")


@parametrize_with_checks([kind() for kind in ALL])
def test_contract_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize(
    "labels", [["yes", "no"], [1, 0], [True, False], [2.0, -1.0], [np.int8(3), np.int8(1)]], ids=str
)
def test_labels_come_back_as_they_are(kind, labels):
    y = np.array([labels[0] if v == "yes" else labels[1] for v in Y])
    clf = kind().fit(X, y)
    assert clf.predict(X).dtype == y.dtype
    assert np.array_equal(clf.predict(X), y)
    assert np.array_equal(clf.classes_, np.unique(y))


def test_target_is_the_name_of_y_as_a_predicate():
    assert FoldSEClassifier().fit(X, Y).rules_.target == "survived"
    assert FoldSEClassifier().fit(X, Y.to_numpy()).rules_.target == "target"


def test_positive_is_the_more_frequent_class_of_as_frequent_the_first():
    assert {r.head for r in FoldSEClassifier().fit(X, Y).rules_} == {"no"}
    assert {r.head for r in FoldSEClassifier().fit(X.iloc[1:], Y.iloc[1:]).rules_} == {"no"}
    assert {r.head for r in FoldSEClassifier().fit(X.iloc[[0, 1, 2]], Y.iloc[[0, 1, 2]]).rules_} == {"yes"}
    assert {r.head for r in FoldSEClassifier(pos_label="yes").fit(X, Y).rules_} == {"yes"}


@pytest.mark.parametrize("kind", ALL)
def test_one_class_is_a_constant_model(kind):
    clf = kind().fit(X, ["yes"] * 6)
    assert clf.predict(X).tolist() == ["yes"] * 6
    assert clf.predict_proba(X).tolist() == [[1.0]] * 6


@pytest.mark.parametrize("kind", ALL)
def test_columns_are_matched_by_name(kind):
    clf = kind().fit(X, Y)
    assert np.array_equal(clf.predict(X[["age", "sex"]]), clf.predict(X))
    with pytest.raises(ValueError, match="X is missing 1 of the 2 columns seen during fit: 'sex'; add"):
        clf.predict(X[["age"]])


@pytest.mark.parametrize("kind", ALL)
def test_rows_pair_by_position_and_inputs_stay(kind):
    shuffled = X.set_index(pd.Index([5, 5, 1, 0, 2, 9]))
    before = shuffled.copy()
    clf = kind().fit(shuffled, Y)
    assert np.array_equal(clf.predict(shuffled), kind().fit(X, Y).predict(X))
    pd.testing.assert_frame_equal(shuffled, before)


def test_unseen_category_is_equal_to_nothing_and_not_missing():
    clf = FoldSEClassifier(pos_label="yes").fit(X, Y)
    assert str(clf.rules_) == "survived(X,'yes') :- sex(X,'f')."
    unseen = pd.DataFrame({"sex": ["?", None, "f"], "age": [1.0, 1.0, 1.0]})
    assert clf.predict(unseen).tolist() == ["no", "no", "yes"]


@pytest.mark.parametrize("kind", ALL)
def test_equal_rows_get_equal_answers(kind):
    twice = pd.concat([X, X])
    predicted = kind().fit(X, Y).predict(twice)
    assert np.array_equal(predicted[:6], predicted[6:])


@pytest.mark.parametrize("kind", ALL)
def test_arrays(kind):
    numeric = np.array([[1.0, 5.0], [2.0, 5.0], [3.0, 6.0], [4.0, 5.5]])
    assert kind().fit(numeric, [0, 0, 1, 1]).predict([[0.0, 5.0], [9.0, 5.0]]).tolist() == [0, 1]
    mixed = np.array([["a", 1], ["b", 2], ["a", 3], ["b", 4]], dtype=object)
    assert kind().fit(mixed, [0, 1, 0, 1]).predict(mixed).tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"ratio": -0.1}, "ratio must be .* at least 0, got -0.1"),
        ({"ratio": "0.5"}, "ratio must be"),
        ({"ratio": True}, "ratio must be"),
        ({"tail": 1.5}, "tail must be a share .* got 1.5"),
        ({"tail": -1}, "tail must be"),
        ({"tail": True}, "tail must be"),
        ({"heuristic": "gini"}, "heuristic must be one of magic_gini, .* got 'gini'"),
        ({"pos_label": "maybe"}, "pos_label 'maybe' is not a class of y; its labels are 'no', 'yes'"),
        ({"numeric_features": ["agge"]}, "numeric_features names 'agge', but X has no such column.*sex, age"),
        ({"categorical_features": ["sex", "sex"]}, "categorical_features names 'sex' more than once"),
        ({"numeric_features": ["sex"], "categorical_features": ["sex"]}, "'sex' is in numeric_features and"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        FoldSEClassifier(**parameters).fit(X, Y)


@pytest.mark.parametrize(
    ("table", "labels", "message"),
    [
        (X, [*Y[:5], None], "y has 1 missing values, the first in row 5"),
        (X, Y[:5], "X has 6 rows and y has 5"),
        (X[[]], Y, r"0 feature\(s\)"),
        (X[:0], Y[:0], r"0 sample\(s\)"),
        (X["age"], Y, "Expected 2D array, got 1D array"),
        (X, [1.5, 0, 1, 1, 0, 2.5], "Unknown label type: continuous; y holds 1.5"),
        (X, np.zeros((6, 2)), "y should be a 1d array"),
        (X.rename(columns={"age": "sex"}), Y, "column 'sex' is there more than once"),
    ],
)
@pytest.mark.parametrize("kind", ALL)
def test_bad_tables(kind, table, labels, message):
    with pytest.raises(ValueError, match=message):
        kind().fit(table, labels)


def test_labels_of_several_types():
    with pytest.raises(TypeError, match="y mixes labels of type int and str; convert"):
        FoldSEClassifier().fit(X, np.array(["a", 1, "a", 1, 1, "a"], dtype=object))


@pytest.mark.parametrize("weights", [[1.0] * 5, [-1.0] + [1.0] * 5, [np.nan] + [1.0] * 5, [0] * 6])
def test_bad_weights(weights):
    with pytest.raises(ValueError, match="sample_weight"):
        FoldSEClassifier().fit(X, Y, sample_weight=weights)


def test_more_than_two_classes_take_no_positive_label():
    with pytest.raises(ValueError, match="pos_label is 'a', but y has 3 classes"):
        FoldSEClassifier(pos_label="a").fit(X, list("abcabc"))


def test_uncovered_rows_of_many_classes_get_the_most_frequent():
    clf = FoldSEClassifier(tail=2).fit(pd.DataFrame({"x": list("aaabbbbcd")}), list("rrrsssstu"))
    assert clf.rules_.default == "s"
    assert clf.predict(pd.DataFrame({"x": list("abcz")})).tolist() == ["r", "s", "s", "s"]


@pytest.mark.parametrize(
    ("tail", "values"),
    [(0, "ab"), (0.42, "ab"), (0.43, "a"), (2, "ab"), (3, "a"), (4, "")],
)
def test_tail_is_a_share_rounded_down_or_a_count(tail, values):
    # Seven rows: three positives have a, two have b. 0.42 * 7 is 2.94, rounded down 2: b's rule stays.
    # 0.43 * 7 is 3.01, rounded down 3: it goes.
    table = pd.DataFrame({"x": list("aaabbcd")})
    clf = FoldSEClassifier(tail=tail, pos_label=1).fit(table, [1, 1, 1, 1, 1, 0, 0])
    assert [[str(literal) for literal in rule.body] for rule in clf.rules_] == [
        [f"x = '{v}'"] for v in values
    ]


@pytest.mark.parametrize("kind", [FoldSEClassifier, FoldRPPClassifier])
def test_the_covered_rows_that_leave_are_all_or_those_of_the_class(kind):
    # a covers four r and one s. Then s has most rows: b does not hold for its two c's. Of b there are one s
    # and one t left; the rule for s covers both, and takes the row of t with it or leaves it.
    table, labels = pd.DataFrame({"x": list("aaaabaccb")}), list("rrrrsssst")
    programs = {
        which: [
            (rule.head, str(rule.body[0])) for rule in kind(remove_covered=which).fit(table, labels).rules_
        ]
        for which in ("all", "correct")
    }
    shared = [("r", "x = 'a'"), ("s", "x != 'b'"), ("s", "x = 'b'")]
    assert programs == {"all": shared, "correct": [*shared, ("t", "x = 'b'")]}


def test_negated_thresholds_and_pruning_of_exceptions_can_be_turned_off():
    mixed = pd.DataFrame({"x": pd.Series([1.0, 2.0, 3.0, "a", "b", 4.0], dtype=object)})
    clf = FoldSEClassifier(tail=0, pos_label=1).fit(mixed, [0, 0, 1, 1, 1, 1])
    assert str(clf.rules_) == "target(X,'1') :- x(X,N1), not(N1=<2.0)."
    clf = FoldSEClassifier(tail=0, pos_label=1, negated_thresholds=False).fit(mixed, [0, 0, 1, 1, 1, 1])
    assert {literal.op for rule in clf.rules_ for literal in rule.body} <= {Op.LE, Op.GT, Op.EQ, Op.NE}
    # Five of x = a are 1; the one that is 0 has y = d and is too few for an exception with a tail of 2.
    table = pd.DataFrame({"x": list("aaaaaabbb"), "y": list("ccccedeec")})
    labels = [1, 1, 1, 1, 1, 0, 0, 0, 0]
    pruned = FoldSEClassifier(tail=2, pos_label=1).fit(table, labels)
    assert str(pruned.rules_) == "target(X,'1') :- x(X,'a')."
    kept = FoldSEClassifier(tail=2, pos_label=1, prune_exceptions=False).fit(table, labels)
    assert str(kept.rules_) == "target(X,'1') :- x(X,'a'), not y(X,'d')."


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"negated_thresholds": 1}, "negated_thresholds must be True or False, got 1"),
        ({"stop_at_invalid": None}, "stop_at_invalid must be True or False, got None"),
        ({"ties": "rows"}, "ties must be one of columns, .*, service; got 'rows'"),
        ({"blocking": "all"}, "blocking must be one of value, comparison; got 'all'"),
        ({"prune_exceptions": "no"}, "prune_exceptions must be True or False, got 'no'"),
        ({"remove_covered": "wrong"}, "remove_covered must be one of all, correct; got 'wrong'"),
        ({"remove_covered": ["all"]}, r"remove_covered must be one of all, correct; got \['all'\]"),
    ],
)
def test_bad_readings_of_the_paper(setting, message):
    with pytest.raises(ValueError, match=message):
        FoldSEClassifier(**setting).fit(X, Y)


def test_readings_of_the_paper_are_saved_where_they_are_not_the_default(tmp_path):
    choices = {
        "negated_thresholds": False,
        "prune_exceptions": False,
        "remove_covered": "all",
        "stop_at_invalid": True,
        "ties": "service",
        "blocking": "comparison",
    }
    clf = FoldSEClassifier(**choices).fit(X, Y)
    clf.save(tmp_path / "model.json")
    again = load_model(tmp_path / "model.json")
    assert again.get_params() == clone(clf).get_params() == clf.get_params()
    assert {name: again.get_params()[name] for name in choices} == choices
    document = json.loads((tmp_path / "model.json").read_text())
    # As everything was learned before these were parameters: left out.
    assert choices.keys() - document["parameters"].keys() == {"remove_covered", "stop_at_invalid"}
    FoldSEClassifier().fit(X, Y).save(tmp_path / "model.json")
    written = json.loads((tmp_path / "model.json").read_text())["parameters"]
    assert written.keys() & choices.keys() == {"remove_covered", "stop_at_invalid"}


def test_a_class_without_a_valid_rule_does_not_end_the_list():
    # Four rows of a lie among seven others, two of b alone: a is most frequent and has no rule, b has one.
    table = pd.DataFrame({"v": [0.0] * 11 + [1.0] * 2})
    labels = [*"aaaa", *"cccddde", *"bb"]
    assert [rule.head for rule in FoldSEClassifier(tail=0).fit(table, labels).rules_] == ["b"]
    with pytest.warns(UserWarning, match="no valid rule was found"):
        assert not len(FoldSEClassifier(tail=0, stop_at_invalid=True).fit(table, labels).rules_)


def test_a_model_without_rules_is_warned_of():
    table = pd.DataFrame({"v": [1.0] * 6})
    with pytest.warns(UserWarning, match="no valid rule was found: every row is predicted as 'a'; a smaller"):
        clf = FoldSEClassifier(tail=0).fit(table, ["a", "b", "b", "c", "a", "d"])
    assert clf.predict(table).tolist() == ["a"] * 6


def test_clone_search_and_cross_validation():
    table, labels = pd.concat([X] * 5, ignore_index=True), pd.concat([Y] * 5, ignore_index=True)
    assert clone(FoldSEClassifier(ratio=0.2)).ratio == 0.2
    search = GridSearchCV(FoldSEClassifier(), {"ratio": [0.1, 0.5], "tail": [0, 0.01]}, cv=3).fit(
        table, labels
    )
    assert search.best_score_ == 1.0
    assert cross_val_score(HeuristicTreeClassifier(), table, labels, cv=3).tolist() == [1.0] * 3


# Labels that are equal, or look it


@pytest.mark.parametrize("kind", ALL)
def test_masked_labels_are_missing(kind):
    labels = np.ma.array([1, 0, 1, 0, 7, 1], mask=[False, False, False, False, True, False])
    with pytest.raises(ValueError, match="y has 1 missing values, the first in row 4"):
        kind().fit(X, labels)
    assert kind().fit(X, np.ma.array([1, 0, 1, 0, 0, 1])).classes_.tolist() == [0, 1]


@pytest.mark.parametrize("kind", ALL)
def test_true_is_not_the_label_1(kind):
    with pytest.raises(TypeError, match="y mixes labels of type bool and int; convert them to one type"):
        kind().fit(X, np.array([1, 0, True, 0, 0, 1], dtype=object))
    with pytest.raises(TypeError, match="y mixes labels of type bool and int"):
        kind().fit(X, [True, False, 2, False, True, 2])


@pytest.mark.parametrize("kind", ALL)
def test_labels_that_differ_in_blanks_are_said(kind):
    with pytest.warns(
        UserWarning, match="the labels 'yes' and 'yes ' differ only in blanks and are two classes"
    ):
        clf = kind().fit(X, ["yes", "no", "yes ", "no", "no", "yes"])
    assert clf.classes_.tolist() == ["no", "yes", "yes "]
