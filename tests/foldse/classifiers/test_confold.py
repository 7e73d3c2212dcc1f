"""CON-FOLD, and its two prunings of FOLD-SE: against the oracle, and worked out by hand."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldse import Confidence, ConFoldClassifier, FoldSEClassifier, inverse_brier_score
from tests import naive
from tests.tables import as_naive, frame, mixed_tables


@settings(max_examples=150)
@given(
    table=mixed_tables(labels=("a", "b", "c"), max_rows=40),
    improvement=st.sampled_from([None, 0.0, 0.02, 0.1]),
    confidence=st.sampled_from([None, 0.5, 0.6]),
)
def test_the_oracle_learns_the_same(table, improvement, confidence):
    rows, labels = table
    clf = ConFoldClassifier(improvement, confidence, heuristic="weighted_gini").fit(frame(rows), labels)
    expected = naive.fit_confold(rows, labels, improvement, confidence, naive.weighted_gini)
    found = [(rule.head, as_naive(rule), rule.confidence.value) for rule in clf.raw_rules_]
    assert [x[:2] for x in found] == [x[:2] for x in expected]
    assert [x[2] for x in found] == pytest.approx([x[2] for x in expected])


@settings(max_examples=60)
@given(table=mixed_tables(max_rows=40), improvement=st.sampled_from([0.02, 0.1]))
def test_supports_are_of_the_rows_that_each_rule_decides(table, improvement):
    rows, labels = table
    clf = FoldSEClassifier(tail=0, improvement_threshold=improvement, confidence_threshold=0.6)
    clf.fit(frame(rows), labels)
    rules = [as_naive(rule) for rule in clf.rules_]
    decided = [next((i for i, rule in enumerate(rules) if naive.covers(rule, r)), -1) for r in rows]
    for i, support in enumerate([*(rule.support for rule in clf.rules_), clf.rules_.default_support]):
        place = -1 if i == len(rules) else i
        here = [y for y, d in zip(labels, decided, strict=True) if d == place]
        assert list(support) == [here.count(label) for label in clf.classes_.tolist()]


def test_confidence_by_hand():
    assert Confidence.of(0, 0) == Confidence(0.5, 0.0, 1.0)
    # (9 + 4.5) / (10 + 9) = 13.5 / 19; half = 3 * sqrt(0.9 + 2.25) / 19
    found = Confidence.of(9, 10)
    assert found.value == pytest.approx(13.5 / 19)
    half = 3 * 3.15**0.5 / 19
    assert (found.low, found.high) == pytest.approx((13.5 / 19 - half, 13.5 / 19 + half))
    assert Confidence.of(10, 10).high == 1.0
    with pytest.raises(ValueError, match="confidence must lie in its interval"):
        Confidence.given(1.2)


def test_inverse_brier_score_by_hand():
    # right at 0.9: 0.01; wrong at 0.8: 0.64; no label: 0.25; the mean is 0.3
    assert inverse_brier_score(["a", "b", "a"], ["a", "a", None], [0.9, 0.8, np.nan]) == pytest.approx(0.7)
    with pytest.raises(ValueError, match="one length"):
        inverse_brier_score(["a"], ["a", "b"], [1.0])
    with pytest.raises(ValueError, match="from 0 to 1"):
        inverse_brier_score(["a"], ["a"], [1.5])


@pytest.fixture
def people():
    """Twenty women, of whom all but one survive, and twenty men, of whom four boys of ten do."""
    X = pd.DataFrame({"sex": ["f"] * 20 + ["m"] * 20, "age": [30.0] * 20 + [40.0] * 10 + [5.0] * 10})
    y = ["yes"] * 19 + ["no"] + ["no"] * 10 + ["yes"] * 4 + ["no"] * 6
    return X, pd.Series(y, name="survived")


def test_a_rule_below_the_threshold_is_dropped_and_nothing_learned_anew(people):
    X, y = people
    sure = FoldSEClassifier(tail=0, pos_label="yes").fit(X, y)
    assert str(sure.rules_) == "survived(X,'yes') :- sex(X,'f')."
    assert sure.rules_[0].confidence == Confidence.of(19, 20)  # (19 + 4.5) / 29 = 0.81
    kept = FoldSEClassifier(tail=0, pos_label="yes", confidence_threshold=0.81).fit(X, y)
    assert kept.rules_ == sure.rules_
    dropped = FoldSEClassifier(tail=0, pos_label="yes", confidence_threshold=0.82, abstain="unknown")
    assert set(dropped.fit(X, y).predict(X)) == {"unknown"}
    assert dropped.rules_.default_support == (17.0, 23.0)
    assert np.isnan(dropped.predict_confidence(X)).all()


@pytest.mark.parametrize(
    ("labels", "abstain", "dtype"),
    [
        (["no", "yes"], False, object),
        (["no", "yes"], None, object),
        (["no", "yes"], "unknown", object),
        ([0, 1], -1, np.int64),
        ([0, 1], None, object),
        ([False, True], None, object),
        ([0.0, 1.0], -1.0, np.float64),
    ],
)
def test_what_is_predicted_where_no_rule_fires(people, labels, abstain, dtype):
    X, y = people
    y = y.map({"no": labels[0], "yes": labels[1]})
    clf = FoldSEClassifier(tail=0, pos_label=labels[1], abstain=abstain).fit(X, y)
    found = clf.predict(X)
    assert found.tolist() == [labels[1]] * 20 + [labels[0] if abstain is False else abstain] * 20
    assert found.dtype == dtype
    assert clf.predict_proba(X).shape == (40, 2)


@pytest.mark.parametrize("value", [-0.1, 1.5, "0.02", True])
@pytest.mark.parametrize("name", ["improvement_threshold", "confidence_threshold"])
def test_thresholds_out_of_range(people, name, value):
    with pytest.raises(ValueError, match=f"{name} must be a number from 0 to 1 or None"):
        FoldSEClassifier(**{name: value}).fit(*people)


@settings(max_examples=80)
@given(table=mixed_tables(max_rows=60), most=st.integers(1, 3))
def test_no_rule_has_more_literals_than_allowed(table, most):
    rows, labels = table
    clf = FoldSEClassifier(tail=0, max_rule_length=most).fit(frame(rows), labels)
    for rule in clf.rules_:
        assert all(len(part.body) <= most for part in rule.parts())
    raw = [as_naive(rule) for rule in clf.raw_rules_]
    simple = [as_naive(rule) for rule in clf.rules_]
    assert [[naive.covers(r, x) for x in rows] for r in raw] == [
        [naive.covers(r, x) for x in rows] for r in simple
    ]


@pytest.mark.parametrize("value", [0, -1, 1.5, True])
def test_most_literals_out_of_range(people, value):
    with pytest.raises(ValueError, match="max_rule_length must be a whole number above 0"):
        FoldSEClassifier(max_rule_length=value).fit(*people)
