"""Rules that are given before learning, and columns that may not be compared."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldse import Confidence, ConFoldClassifier, FoldSEClassifier, FoldSECV, load_model
from tests import naive
from tests.tables import as_naive, frame, mixed_tables

# Ten men, ten women, ten children; what each says of being rescued: 2, 9 and 5.
PEOPLE = pd.DataFrame({"who": ["man"] * 10 + ["woman"] * 10 + ["child"] * 10, "deck": list("AB") * 15})
RESCUED = pd.Series(
    (["yes"] * 2 + ["no"] * 8 + ["yes"] * 9 + ["no"] + ["yes"] * 5 + ["no"] * 5), name="rescued"
)
RULE = "rescued(X,'yes') :- who(X,'child')."


def test_by_hand():
    """Without the children, whom the rule takes, a woman is who is no man; two men are too few for a rule."""
    plain = FoldSEClassifier(tail=3, pos_label="yes", exclude_features=["deck"]).fit(PEOPLE, RESCUED)
    assert str(plain.rules_) == f"rescued(X,'yes') :- who(X,'woman').\n{RULE}"
    clf = FoldSEClassifier(tail=3, pos_label="yes", expert_rules=RULE, exclude_features=["deck"])
    clf.fit(PEOPLE, RESCUED)
    assert str(clf.rules_) == f"{RULE}\nrescued(X,'yes') :- not who(X,'man')."
    first, second = clf.rules_
    assert (first.origin, second.origin) == ("expert", "learned")
    assert (first.support, second.support) == ((5.0, 5.0), (1.0, 9.0))
    assert first.confidence == Confidence.of(5, 10)
    assert second.confidence == Confidence.of(9, 10)
    assert clf.rules_.default_support == (8.0, 2.0)


def test_a_rule_for_the_other_class():
    text = "rescued(X,'no') :- deck(X,'A')."
    clf = FoldSEClassifier(tail=0, pos_label="yes", expert_rules=(text, 0.9)).fit(PEOPLE, RESCUED)
    assert (clf.predict(PEOPLE)[PEOPLE["deck"] == "A"] == "no").all()
    assert clf.rules_[0].confidence == Confidence.given(0.9)


def test_a_given_rule_is_kept_whatever_its_confidence():
    clf = FoldSEClassifier(expert_rules=RULE, confidence_threshold=0.99).fit(PEOPLE, RESCUED)
    assert str(clf.rules_) == RULE


@pytest.mark.parametrize("kind", [FoldSEClassifier, ConFoldClassifier])
def test_saved_and_learned_again(kind, tmp_path):
    rules = [
        (RULE, 0.9),
        "rescued(X,'no') :- who(X,'man'), not ab1(X,'True').\nab1(X,'True') :- deck(X,'B').",
    ]
    clf = kind(expert_rules=rules).fit(PEOPLE, RESCUED)
    clf.save(tmp_path / "model.json")
    read = load_model(tmp_path / "model.json")
    assert [rule.origin for rule in read.rules_[:2]] == ["expert", "expert"]
    assert (read.predict(PEOPLE) == clf.predict(PEOPLE)).all()
    again = kind(**read.get_params()).fit(PEOPLE, RESCUED)
    assert again.rules_ == clf.rules_
    assert [rule.confidence for rule in again.rules_] == [rule.confidence for rule in clf.rules_]
    given_rules = json.loads((tmp_path / "model.json").read_text())["parameters"]["expert_rules"]
    assert given_rules[0] == {
        "head": "yes",
        "body": [["who", "=", "child"]],
        "exceptions": [],
        "confidence": 0.9,
        "origin": "expert",
    }


@settings(max_examples=80)
@given(table=mixed_tables(labels=("a", "b", "c"), max_rows=40), all_classes=st.booleans())
def test_learning_goes_on_with_the_rows_that_are_left(table, all_classes):
    rows, labels = table
    X = frame(rows)
    labels = labels if all_classes else ["b" if y == "c" else y for y in labels]
    if len(set(labels)) < 2:
        return
    first = FoldSEClassifier(tail=0, pos_label=None).fit(X, labels).rules_.rules[:1]
    clf = FoldSEClassifier(tail=2, expert_rules=list(first)).fit(X, labels)
    fires = [any(naive.covers(as_naive(rule), row) for rule in first) for row in rows]
    left = [(r, y) for r, y, covered in zip(rows, labels, fires, strict=True) if not covered]
    rest, rest_labels = [r for r, _ in left], [y for _, y in left]
    if len(set(labels)) > 2:
        expected = naive.fit_multiclass(
            rest, rest_labels, naive.magic_gini, naive.FULL, tail=2, keep_wrong=True
        )
    else:
        counts = {y: labels.count(y) for y in sorted(set(labels))}
        positive = max(counts, key=counts.get)
        found = naive.fit_binary(rest, rest_labels, positive, naive.magic_gini, naive.FULL, tail=2)
        expected = [(positive, rule) for rule in found]
    learned = clf.raw_rules_.rules[len(first) :]
    assert [(rule.head, as_naive(rule)) for rule in learned] == expected


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("rescued(X,'yes') :- whom(X,'child').", "line 1, column 21: .*whom.*who"),
        ("rescued(X,'yes') :- who(X,'kid').", "kid"),
        ("rescued(X,'maybe') :- who(X,'child').", "maybe"),
        ("rescued(X,'yes') :- who(X,N1), N1=<3.0.", "who"),
        ([("rescued(X,'yes') :- who(X,'child').", 1.5)], "confidence 1.5"),
    ],
)
def test_rules_that_do_not_fit_the_table(rules, message):
    clf = FoldSEClassifier(expert_rules=rules)
    with pytest.raises(ValueError, match=message):
        clf.fit(PEOPLE, RESCUED)
    assert not hasattr(clf, "rules_")


def test_excluded_columns_are_compared_nowhere():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({name: rng.integers(0, 5, 300) * 1.0 for name in "abcd"})
    y = (X["a"] + X["b"] > 4).map({True: "yes", False: "no"})
    clf = FoldSEClassifier(tail=0, exclude_features=["a", "c"]).fit(X, y)
    assert clf.rules_.used_features == {"b", "d"}
    assert clf.rules_.rules == FoldSEClassifier(tail=0).fit(X[["b", "d"]], y).rules_.rules


@pytest.mark.parametrize(
    ("excluded", "message"),
    [
        (["who", "deck"], "exclude_features names every column"),
        (["whom"], "exclude_features names 'whom'"),
        ("who", "exclude_features is the text 'who'"),
    ],
)
def test_excluded_columns_that_cannot_be(excluded, message):
    with pytest.raises(ValueError, match=message):
        FoldSEClassifier(exclude_features=excluded).fit(PEOPLE, RESCUED)


def test_given_rules_in_a_search_over_settings():
    clf = FoldSECV(expert_rules=RULE, tail=[0.0, 0.1], cv=2).fit(PEOPLE, RESCUED)
    assert str(clf.rules_).startswith(RULE)
