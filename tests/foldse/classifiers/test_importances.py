"""The score without each column and literal, worked out by hand; which rule decides a row."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.metrics import accuracy_score

from foldse import FoldRPPClassifier, FoldSEClassifier, Literal, Op, Rule
from tests.foldse.model.by_hand import FEMALE, X, Y, holding, passengers

FIRES = [[1, 0, 0, 0], [0, 0, 0, 1], [1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 1]]
FIRES += [[0, 1, 1, 0]]
FIRES[0][1] = 1  # the second rule fires on row 0, too, which the first decides


def test_which_rule_decides():
    found = passengers().apply(X)
    assert found.tolist() == [0, -1, 0, 1, -1, -1, -1, 1]
    assert found.dtype == np.intp


def test_which_rules_fire():
    found = passengers().decision_path(X)
    assert isinstance(found, scipy.sparse.csr_matrix)
    assert found.dtype == bool
    assert found.toarray().tolist() == [[bool(fires) for fires in row] for row in FIRES]
    assert holding().decision_path(X).shape == (8, 0)
    assert holding().apply(X).tolist() == [-1] * 8


@pytest.mark.parametrize("kind", [FoldSEClassifier, FoldRPPClassifier])
def test_the_deciding_rule_fires_and_predicts(kind):
    clf = kind(pos_label="yes").fit(X, Y)
    heads = np.array([*(rule.head for rule in clf.rules_), clf.rules_.default])
    assert heads[clf.apply(X)].tolist() == clf.predict(X).tolist()
    path = clf.decision_path(X)
    assert path.shape == (8, clf.n_rules_)
    for row, rule in enumerate(clf.apply(X)):
        fires = path[row].toarray()[0, : len(clf.rules_)]
        assert (np.argmax(fires) if fires.any() else -1) == rule


def test_importances_by_hand():
    # Predicted are yes for 0, 2, 3 and 7, of which 7 is wrong: 7/8.
    found = passengers().importances(X, Y)
    assert found.drop(columns=["score", "importance"]).to_numpy().tolist() == [
        ["column", "sex", None, 1],
        ["column", "age", None, 2],
        ["column", "fare", None, 1],
        ["literal", "sex", "sex = 'f'", 1],
        ["literal", "age", "age <= 10.0", 1],
        ["literal", "fare", "fare > 40.0", 1],
        ["literal", "age", "age > 30.0", 1],
    ]
    # Without sex 0, 2, 3, 5 and 7 are yes; without age all are; without fare ab1 fires everywhere, so that
    # all women are; without age <= 10 all are, and without age > 30 the same as before.
    assert found["score"].tolist() == [6 / 8, 3 / 8, 5 / 8, 6 / 8, 3 / 8, 5 / 8, 7 / 8]
    assert found["importance"].tolist() == [1 / 8, 4 / 8, 2 / 8, 1 / 8, 4 / 8, 2 / 8, 0]


def test_any_score():
    clf = passengers()

    def errors(model, table, y):
        return -float(np.sum(model.predict(table) != y))

    assert clf.importances(X, Y, errors)["importance"].tolist() == [1, 4, 2, 1, 4, 2, 0]
    # The mean of 3 of 3 and of 4 of 5; without age it is that of 3 of 3 and of 0 of 5.
    balanced = clf.importances(X, Y, "balanced_accuracy").set_index("literal")
    assert balanced["score"]["age <= 10.0"] == 0.5
    assert balanced["importance"]["age <= 10.0"] == pytest.approx(0.4)
    learned = FoldSEClassifier(pos_label="yes").fit(X, Y)
    assert (learned.importances(X, Y == "yes", "roc_auc")["importance"] >= 0).all()
    with pytest.raises(ValueError, match="acuracy"):
        clf.importances(X, Y, "acuracy")
    with pytest.raises(ValueError, match="scoring gives a dict; give a score that is one number"):
        clf.importances(X, Y, ["accuracy", "balanced_accuracy"])


def test_a_literal_of_several_rules_is_left_out_of_all():
    twice = Literal("age", Op.GT, 30.0)
    clf = holding(Rule("no", (FEMALE, twice)), Rule("no", (FEMALE.negated(), twice)), default="yes")
    found = clf.importances(X, Y).set_index("literal")
    assert found["n_uses"].to_dict() == {None: 2, "sex = 'f'": 1, "age > 30.0": 2, "sex != 'f'": 1}
    # Without it nobody is yes: 5 of 8 are right.
    assert found["score"]["age > 30.0"] == 5 / 8


@pytest.mark.filterwarnings("error")
def test_importances_in_other_containers():
    clf = passengers()
    expected = clf.importances(X, Y)
    with pytest.warns(UserWarning, match="columns that were not seen during fit") as caught:
        pd.testing.assert_frame_equal(clf.importances(X[["fare", "sex", "age"]].assign(id=1), Y), expected)
    assert len(caught) == 1
    pd.testing.assert_frame_equal(clf.importances(X.to_dict("records"), Y.tolist()), expected)
    array = FoldSEClassifier(pos_label="yes").fit(X.to_numpy(dtype=object), Y)
    named = FoldSEClassifier(pos_label="yes").fit(X.set_axis(["x0", "x1", "x2"], axis=1), Y)
    found = array.importances(X.to_numpy(dtype=object), Y)
    pd.testing.assert_frame_equal(found, named.importances(X.set_axis(["x0", "x1", "x2"], axis=1), Y))
    with pytest.raises(ValueError, match="X is missing 1 of the 3 columns seen during fit: 'fare'"):
        clf.importances(X.drop(columns="fare"), Y)


def test_nothing_is_changed():
    clf = passengers()
    before = str(clf.rules_)
    clf.importances(X, Y)
    assert str(clf.rules_) == before
    assert accuracy_score(Y, clf.predict(X)) == 7 / 8
    assert holding().importances(X, Y).shape == (0, 6)
