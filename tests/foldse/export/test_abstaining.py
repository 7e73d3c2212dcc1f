"""Where no rule fires, every engine gives what predict does: no label, or the one that stands for it."""

import warnings

import pandas as pd
import pytest

from foldse import ConFoldClassifier, FoldSEClassifier
from foldse.export import to_json, to_sql
from foldse.persistence import from_json
from tests.foldse.export.engines import by_clingo, by_duckdb, by_sqlite, by_swipl, fired, needs_swipl

X = pd.DataFrame({"kind": ["a"] * 30 + ["b"] * 30 + ["c"] * 30 + ["d"] * 3})
LABELS = ["p"] * 30 + ["q"] * 30 + ["p"] * 30 + ["q"] * 3
NEW = pd.DataFrame({"kind": ["a", "b", "c", "d", "e", None]})
RULES = "y(X,{0!r}) :- kind(X,'a').  y(X,{1!r}) :- kind(X,'b').  y(X,{0!r}) :- kind(X,'c')."
KINDS = {
    "both classes": ConFoldClassifier(),
    "both classes and a label of its own": ConFoldClassifier(abstain="it's unknown"),
    "one class": FoldSEClassifier(pos_label="q", tail=10, abstain=None),
    "several rules of one class": FoldSEClassifier(
        pos_label="p", abstain=None, expert_rules="y(X,'p') :- kind(X,'a').\ny(X,'p') :- kind(X,'c')."
    ),
    "one class and a label of its own": FoldSEClassifier(pos_label="q", tail=10, abstain="unknown"),
    "no rules": FoldSEClassifier(tail=1000, pos_label="q", abstain=None),
}


@pytest.fixture(params=KINDS)
def clf(request):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "no valid rule was found: no row gets a label")
        found = KINDS[request.param].fit(X, pd.Series(LABELS, name="y"))
    if request.param.startswith("both"):
        found = found.with_rules(RULES.format("p", "q"))
    assert found.predict(NEW).tolist()[-1] == found.abstain
    return found


@needs_swipl
def test_logic(clf, tmp_path):
    predicted = clf.predict(NEW).tolist()
    assert by_clingo(clf, NEW) == predicted
    assert by_swipl(clf, NEW, tmp_path) == predicted
    assert by_swipl(clf, NEW, tmp_path, style="scasp") == predicted


def test_databases_and_model_files(clf):
    expected = clf.predict(NEW).tolist(), fired(clf, NEW)
    assert by_duckdb(clf, NEW) == expected
    assert by_sqlite(clf, NEW) == expected
    reloaded = from_json(to_json(clf))
    assert reloaded.rules_ == clf.rules_
    assert reloaded.predict(NEW).tolist() == expected[0]


def test_a_label_that_is_no_number_beside_numbers():
    numbers = pd.Series([7 if label == "p" else 8 for label in LABELS], name="y")
    rules = RULES.format("7", "8")
    clf = ConFoldClassifier(abstain="unknown").fit(X, numbers).with_rules(rules)
    assert by_sqlite(clf, NEW) == ([7, 8, 7, "unknown", "unknown", "unknown"], fired(clf, NEW))
    with pytest.raises(ValueError, match=r"says 'unknown' where no rule fires, .* abstain=None"):
        to_sql(clf, "t")
    clf = ConFoldClassifier().fit(X, numbers).with_rules(rules)
    assert by_duckdb(clf, NEW) == ([7, 8, 7, None, None, None], fired(clf, NEW))


def test_a_default_that_is_given_ends_it(clf):
    edited = clf.with_rules(clf.rules_, default="p")
    assert edited.predict(NEW).tolist() == [
        "p" if label == clf.abstain else label for label in clf.predict(NEW).tolist()
    ]
    assert from_json(to_json(edited)).predict(NEW).tolist() == edited.predict(NEW).tolist()
    assert clf.with_rules(clf.rules_).predict(NEW).tolist() == clf.predict(NEW).tolist()
