"""Weights as large or as small as floats go: learned from, or refused with what to do about it."""

from __future__ import annotations

import warnings

import pandas as pd
import pytest

from foldse import FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier
from foldse.persistence import from_json, to_json
from tests.foldse.cli.running import call

CLASSIFIERS = [FoldSEClassifier, FoldRPPClassifier, HeuristicTreeClassifier]
X = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]})
Y = ["p", "p", "p", "p", "n", "n"]


@pytest.mark.parametrize(
    ("kind", "weight"),
    [
        *((kind, weight) for kind in CLASSIFIERS for weight in (1e300, 2.0**50)),
        *((kind, weight) for kind in CLASSIFIERS for weight in (1e-280, 1 / 7)),
    ],
)
def test_a_common_factor_changes_no_program(kind, weight):
    plain = kind(pos_label="p").fit(X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        heavy = kind(pos_label="p").fit(X, Y, sample_weight=[weight] * 6)
    assert heavy.predict(X).tolist() == plain.predict(X).tolist() == Y
    assert from_json(to_json(heavy)).predict(X).tolist() == Y
    if kind is not HeuristicTreeClassifier:
        assert str(heavy.rules_) == str(plain.rules_)
        assert heavy.rules_[0].support == pytest.approx((0.0, 4 * weight), rel=1e-14)


@pytest.mark.parametrize("kind", CLASSIFIERS)
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1e308] * 6, "sample_weight adds up to inf, which is too large; divide all weights by one number"),
        ([1.5e307, *[1] * 5], r"sample_weight adds up to 1.5e\+307, which is too large; divide"),
        ([5e-324] * 6, "sample_weight adds up to 2.96e-323, which is too small; multiply all weights by one"),
        ([0, 0, 0, 0, 0, 1e-291], "sample_weight adds up to 1e-291, which is too small; multiply"),
    ],
)
def test_totals_beyond_the_floats_are_refused(kind, weights, message):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match=f"^{message}"):
            kind().fit(X, Y, sample_weight=weights)


def test_large_weights_in_print(tmp_path):
    clf = FoldSEClassifier(pos_label="p").fit(X, Y, sample_weight=[1e300] * 6)
    card = clf.rules_.to_html()
    assert "training accuracy 100% (6e+300 rows)" in card
    assert "<td>4e+300</td><td>66.7%</td><td>100%</td>" in card
    X.assign(y=Y, w=1e300).to_csv(tmp_path / "t.csv", index=False)
    done = call("fit", tmp_path / "t.csv", "-t", "y", "--weight", "w", "--no-score")
    assert done.exit_code == 0, done.stderr
    assert "%   covers 4e+300 rows (66.7%), precision 100%" in done.stdout
    assert "training accuracy 100% (6e+300 rows)" in done.stdout
    X.assign(y=Y, w=1e308).to_csv(tmp_path / "t.csv", index=False)
    done = call("fit", tmp_path / "t.csv", "-t", "y", "--weight", "w", "--no-score")
    assert done.exit_code == 1
    assert "sample_weight adds up to inf, which is too large; divide all weights" in done.stderr


@pytest.mark.parametrize("kind", CLASSIFIERS)
@pytest.mark.parametrize("as_object", [False, True])
def test_intervals_of_cut_are_refused_with_the_way_out(kind, as_object):
    bins = pd.cut(X["x"], 3)
    table = pd.DataFrame({"bin": bins.astype(object) if as_object else bins})
    message = (
        r"column 'bin' has a value of type Interval, which is neither number nor category; "
        r"convert it to text first: X\['bin'\].astype\(str\)$"
    )
    with pytest.raises(TypeError, match=message):
        kind().fit(table, Y)
    clf = kind(pos_label="p").fit(table.astype(str), Y)  # as the message says
    assert clf.predict(table.astype(str)).tolist() == Y
    with pytest.raises(TypeError, match=message):
        clf.predict(table)


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_intervals_as_labels_are_learned_and_cannot_be_saved(kind):
    labels = pd.cut(X["x"], 2)
    clf = kind().fit(X, labels)
    assert clf.predict(X).tolist() == labels.tolist()
    with pytest.raises(
        ValueError, match=r"a label is Interval\(.*\) of type Interval; .*: convert it and learn"
    ):
        to_json(clf)
