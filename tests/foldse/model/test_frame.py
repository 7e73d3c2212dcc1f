"""Rules as data: a frame worked out by hand, one on the paper's Titanic program, and the oracle's."""

import copy
import math
import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from foldse import FoldSEClassifier, Literal, Op, Rule, RuleSet, load_model
from tests import naive
from tests.foldse.cases import DATA, HAVE_DATA, dataset, roles
from tests.foldse.model.by_hand import FEMALE, YOUNG, X, Y, passengers
from tests.tables import as_naive, frame, mixed_tables

COLUMNS = [
    *("name", "kind", "depth", "label", "text", "length", "n_exceptions", "covered", "coverage"),
    *("support_no", "support_yes", "correct", "precision", "recall", "lift"),
    *("confidence", "confidence_low", "confidence_high"),
]


def test_by_hand():
    rules = passengers().rules_
    found = rules.to_frame(X, Y, default=True)
    assert list(found) == COLUMNS
    assert found["name"].tolist() == ["survived", "survived", "ab1", "ab2", "survived"]
    assert found["kind"].tolist() == ["rule", "rule", "exception", "exception", "default"]
    assert found["depth"].tolist() == [0, 0, 2, 1, 0]
    assert found["label"].tolist() == ["yes", "yes", "yes", "yes", "no"]
    assert found["text"].tolist() == [*str(rules).splitlines(), "otherwise survived(X,'no')"]
    assert found["length"].tolist() == [1, 1, 1, 1, 0]
    assert found["n_exceptions"].tolist() == [1, 0, 0, 1, 0]
    # Rows 0 2 | 3 7 | 2 | 1 6 | 1 4 5 6; yes are 0, 2 and 3.
    assert found["covered"].tolist() == [2, 2, 1, 2, 4]
    assert found["coverage"].tolist() == [1 / 4, 1 / 4, 1 / 8, 1 / 4, 1 / 2]
    assert found["support_no"].tolist() == [0, 1, 0, 2, 4]
    assert found["support_yes"].tolist() == [2, 1, 1, 0, 0]
    assert found["correct"].tolist() == [2, 1, 1, 2, 4]
    assert found["precision"].tolist() == [1, 1 / 2, 1, 1, 1]
    assert found["recall"].tolist() == [2 / 3, 1 / 3, 1 / 3, 2 / 5, 4 / 5]
    assert found["lift"].tolist() == pytest.approx([8 / 3, 4 / 3, 8 / 3, 8 / 5, 8 / 5])
    assert found["confidence"].tolist() == pytest.approx([13 / 22, 1 / 2, 11 / 20, 13 / 22, 17 / 26])
    # Of 1 of 2: -+ 3 / 11 * sqrt(1 / 2 + 9 / 4).
    half = 3 / 11 * math.sqrt(11 / 4)
    assert found["confidence_low"][1] == pytest.approx(0.5 - half)
    assert found["confidence_high"][1] == pytest.approx(0.5 + half)
    pd.testing.assert_frame_equal(rules.to_frame(X, Y), found.iloc[:-1])


def test_rows_by_hand():
    rules = passengers().rules_
    expected = [[0, 2], [3, 7], [2], [1, 6]]
    assert [rules.rows(X, place).tolist() for place in range(4)] == expected
    assert rules.rows(X, "ab2").tolist() == [1, 6]
    assert rules.rows(X, -1).tolist() == [1, 4, 5, 6]
    assert rules.rows(X.set_axis(list("abcdefgh")), np.int64(0)).tolist() == [0, 2]
    with pytest.raises(ValueError, match="2 rules are called 'survived'; give a position from 0 to 3, or -1"):
        rules.rows(X, "survived")
    with pytest.raises(ValueError, match="no rules are called 'ab3'; give a position"):
        rules.rows(X, "ab3")
    for place in (4, -2):
        with pytest.raises(ValueError, match=f"there is no rule {place}; the 4 rules and exceptions are"):
            rules.rows(X, place)


def test_weights_are_repeated_rows():
    rules = passengers().rules_
    weights = [2, 0, 1, 3, 1, 1, 4, 2]
    again = np.repeat(np.arange(8), weights)
    found = rules.to_frame(X, Y, sample_weight=weights, default=True)
    pd.testing.assert_frame_equal(found, rules.to_frame(X.iloc[again], Y.iloc[again], default=True))
    assert found["covered"].tolist() == [3, 5, 1, 4, 6]
    half = rules.to_frame(X, Y, sample_weight=np.array(weights) / 2, default=True)
    assert half["covered"].tolist() == [1.5, 2.5, 0.5, 2, 3]
    assert half["lift"].tolist() == found["lift"].tolist()


def test_without_labels_only_what_is_covered_is_known():
    known = passengers().rules_.to_frame(X, Y, default=True)
    found = passengers().rules_.to_frame(X, default=True)
    assert list(found) == COLUMNS
    same = COLUMNS[:9]
    pd.testing.assert_frame_equal(found[same], known[same])
    assert found[COLUMNS[9:]].isna().all(axis=None)


def test_a_rule_that_covers_nothing_has_no_precision():
    found = passengers().rules_.to_frame(X.iloc[[4]], ["no"])
    assert found["covered"].tolist() == [0, 0, 0, 0]
    assert found["precision"].isna().all()
    assert found["confidence"].tolist() == [0.5] * 4
    assert found["confidence_low"].tolist() == [0] * 4


def test_of_training_by_the_supports():
    # As in test_rules: ab2 withholds four rows from the label 0, three of them of 1; ab1 grants it again to
    # three, one of them of 0. Of 20 rows 7 are of 0.
    inner = Rule(None, (FEMALE, YOUNG), support=(1.0, 2.0))
    outer = Rule(None, (YOUNG, FEMALE), (inner,), support=(1.0, 3.0))
    rules = RuleSet(
        (Rule("0", (FEMALE,), (outer,), (6.0, 2.0)), Rule("1", (YOUNG,), support=(0.0, 8.0))),
        ("age", "sex"),
        "y",
        ("0", "1"),
        "1",
        (1.0, 3.0),
    )
    found = rules.to_frame(default=True)
    assert found["covered"].tolist() == [8, 8, 3, 4, 4]
    assert found["correct"].tolist() == [6, 8, 1, 3, 3]
    assert found["coverage"].tolist() == [0.4, 0.4, 0.15, 0.2, 0.2]
    assert found["recall"].tolist() == [6 / 7, 8 / 13, 1 / 7, 3 / 13, 3 / 13]
    assert found["lift"].tolist() == pytest.approx([6 / 8 / (7 / 20), 20 / 13, 20 / 21, 15 / 13, 15 / 13])


def test_rules_that_were_not_learned_have_no_figures_of_training():
    found = passengers().rules_.to_frame(default=True)
    assert len(found) == 5
    assert found[COLUMNS[7:]].isna().all(axis=None)
    known = passengers().rules_
    part = replace(known, rules=(replace(known[0], support=(1.0, 3.0)), known[1])).to_frame()
    assert part["precision"].tolist()[0] == 0.75
    assert part["confidence"].tolist()[0] == pytest.approx(7.5 / 13)
    assert part["coverage"].isna().all()  # of how many rows is not known


def test_no_rules():
    rules = replace(passengers().rules_, rules=())
    assert rules.to_frame(X, Y).shape == (0, len(COLUMNS))
    whole = rules.to_frame(X, Y, default=True)
    assert whole[["covered", "correct", "precision"]].to_numpy().tolist() == [[8, 5, 5 / 8]]


def test_exceptions_may_be_deeper_than_python_calls_functions():
    exception = Rule(None, (FEMALE,))
    for _ in range(2999):
        exception = Rule(None, (FEMALE,), (exception,))
    rules = replace(passengers().rules_, rules=(Rule("yes", (FEMALE,), (exception,)),))
    found = rules.to_frame(X, Y)
    # Of 3000 exceptions, the innermost named first, every other one holds: so the outermost does not.
    assert len(found) == 3001
    assert found["covered"].tolist() == [4, *[4, 0] * 1500]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"y": Y}, "y is given without X; give both"),
        ({"sample_weight": [1]}, "sample_weight is given without X; give both"),
        ({"X": X, "y": Y[:3]}, "X has 8 rows and y has 3; they must be the same"),
        (
            {"X": X, "y": Y.replace("no", "maybe")},
            "y holds 'maybe', which is not a label .* are 'no', 'yes'$",
        ),
        ({"X": X, "y": [None, *Y[1:]]}, "y has 1 missing values, the first in row 0; drop or label these"),
        ({"X": X, "y": np.array([Y, Y])}, r"y should be a 1d array, got an array of shape \(2, 8\)"),
        ({"X": X, "y": Y, "sample_weight": [1, 2]}, r"sample_weight.shape == \(2,\), expected \(8,\)"),
        ({"X": X, "y": Y, "sample_weight": [1] * 7 + [-1]}, "sample_weight of row 7 is -1.0; weights must"),
        ({"X": X.drop(columns="fare")}, "X is missing 1 of the 3 columns seen during fit: 'fare'; add them"),
    ],
)
def test_what_cannot_be_measured(given, message):
    with pytest.raises(ValueError, match=message):
        passengers().rules_.to_frame(**given)


def test_rules_of_no_classifier_read_no_table():
    rules = replace(passengers().rules_, reader=None)
    with pytest.raises(ValueError, match=r"these rules have no reader, .* give reader=clf\.rules_\.reader"):
        rules.to_frame(X, Y)


def test_labels_in_any_container():
    polars = pytest.importorskip("polars")
    expected = passengers().rules_.to_frame(X, Y)
    for y in (
        Y.tolist(),
        Y.to_numpy(),
        Y.astype("category"),
        Y.to_frame().to_numpy(),
        polars.Series(Y.tolist()),
    ):
        pd.testing.assert_frame_equal(passengers().rules_.to_frame(X, y), expected)
    numbers = passengers(y=(Y == "yes").astype(int), default=0)
    numbers.rules_ = replace(numbers.rules_, rules=tuple(replace(rule, head=1) for rule in numbers.rules_))
    found = numbers.rules_.to_frame(X, (Y == "yes").astype(float))
    assert found["support_1"].tolist() == expected["support_yes"].tolist()
    with pytest.raises(
        ValueError, match="y holds 'yes', which is not a label of the model; its labels are 0, 1"
    ):
        numbers.rules_.to_frame(X, Y)


def test_copies_and_files_read_tables_as_the_model(tmp_path):
    clf = FoldSEClassifier(pos_label="yes", numeric_features=["age"]).fit(X.astype({"age": str}), Y)
    text = X.astype({"age": str})
    expected = clf.rules_.to_frame(text, Y, default=True)
    assert expected["covered"].sum() > 0
    clf.save(tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    copies = [loaded, pickle.loads(pickle.dumps(clf)), copy.deepcopy(clf)]
    for rules in (*(other.rules_ for other in copies), pickle.loads(pickle.dumps(clf.rules_))):
        pd.testing.assert_frame_equal(rules.to_frame(text, Y, default=True), expected)
    pd.testing.assert_frame_equal(loaded.rules_.to_frame(default=True), clf.rules_.to_frame(default=True))
    simplified = clf.raw_rules_.simplified().to_frame(text, Y, default=True)
    pd.testing.assert_frame_equal(simplified, expected)


@st.composite
def programs(draw, literals, labels):
    """Rules with exceptions up to three deep, of some literals."""

    def rule(head, depth):
        body = tuple(draw(st.lists(st.sampled_from(literals), min_size=1, max_size=2)))
        n_exceptions = draw(st.integers(0, 2 if depth < 3 else 0))
        return Rule(head, body, tuple(rule(None, depth + 1) for _ in range(n_exceptions)))

    return tuple(rule(draw(st.sampled_from(labels)), 0) for _ in range(draw(st.integers(0, 3))))


LABELS = ("a", "b", "c")


@pytest.mark.filterwarnings("ignore:no valid rule was found")
@settings(max_examples=150, deadline=None)
@given(table=mixed_tables(labels=LABELS, max_rows=15, max_columns=3), data=st.data())
def test_the_oracles_frame(table, data):
    rows, y = table
    known = [Literal(f"x{f}", Op(op), value) for f, op, value in naive.candidates(rows, naive.FULL)]
    assume(known)
    rules = data.draw(programs(known, LABELS))
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    clf = FoldSEClassifier().fit(frame(rows), y)
    clf.rules_ = replace(clf.rules_, rules=rules, default="b")
    clf.n_rules_ = clf.rules_.n_rules

    parts, rest = naive.firing([as_naive(rule) for rule in rules], rows)
    found = clf.rules_.to_frame(frame(rows), y, weights, default=True)
    walked = list(clf.rules_.walk())
    assert len(found) == len(parts) + 1 == clf.n_rules_ + 1
    total = sum(weights)
    for place, (_, covered) in enumerate([*parts, (None, rest)]):
        row = found.iloc[place]
        label, depth = (walked[place].label, walked[place].depth) if place < len(parts) else ("b", 0)

        def is_right(r, label=label, depth=depth):
            return (y[r] == label) is (depth % 2 == 0)

        weight = sum(weights[r] for r in covered)
        correct = sum(weights[r] for r in covered if is_right(r))
        rightful = sum(w for r, w in enumerate(weights) if is_right(r))
        assert row["covered"] == weight
        assert [row[f"support_{x}"] for x in LABELS] == [
            sum(weights[r] for r in covered if y[r] == x) for x in LABELS
        ]
        assert row["correct"] == correct
        for name, part, whole in (
            ("coverage", weight, total),
            ("precision", correct, weight),
            ("recall", correct, rightful),
            ("lift", correct * total, weight * rightful),
        ):
            assert (row[name] == pytest.approx(part / whole)) if whole else math.isnan(row[name])
        assert row["confidence"] == pytest.approx((correct + 4.5) / (weight + 9))
        which = place if place < len(parts) else -1
        assert clf.rules_.rows(frame(rows), which).tolist() == covered

    path = clf.decision_path(frame(rows))
    assert path.shape == (len(rows), len(parts))
    assert [np.flatnonzero(column).tolist() for column in path.toarray().T] == [fires for fires, _ in parts]
    decided = {r: place for place, (_, covered) in enumerate(parts[: len(rules)]) for r in covered}
    assert clf.apply(frame(rows)).tolist() == [decided.get(r, -1) for r in range(len(rows))]


@pytest.mark.data
@HAVE_DATA
def test_titanic_as_the_file_counts_it():
    """The paper's program; rows counted in the file by the words of its conditions."""
    assert DATA
    train, test = dataset("titanic"), dataset("titanic_test")
    clf = FoldSEClassifier(pos_label="0", **roles(train)).fit(train.X, train.y)
    found = clf.rules_.to_frame(default=True)
    # Of 577 men 468 died; of 144 women in third class 27 paid more than 23.25, of whom 24 died.
    assert found["covered"].tolist() == [577, 27, 287]
    assert found["support_0"].tolist() == [468, 24, 57]
    assert found["correct"].tolist() == [468, 24, 230]
    pd.testing.assert_frame_equal(clf.rules_.to_frame(train.X, train.y, default=True), found)
    measured = clf.rules_.to_frame(test.X, test.y, default=True)
    assert measured["correct"].sum() == round(clf.score(test.X, test.y) * len(test.y))
    used = test.X[sorted(clf.rules_.used_features)]
    pd.testing.assert_frame_equal(clf.rules_.to_frame(used, test.y, default=True), measured)
