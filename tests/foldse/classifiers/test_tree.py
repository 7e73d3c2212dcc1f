"""The decision tree: grown by hand on small tables, and against a plain one."""

import pandas as pd
import pytest
from hypothesis import given, settings

from foldse import HeuristicTreeClassifier
from tests import naive
from tests.tables import frame, mixed_tables


def test_grown_by_hand():
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": ["x", "y", "x", "y"]})
    clf = HeuristicTreeClassifier(pos_label="p").fit(X, ["p", "p", "p", "n"])
    assert str(clf.tree_).splitlines() == ["if a <= 3.0", "    p", "else", "    n"]
    assert (clf.n_leaves_, clf.mean_depth_) == (2, 2.0)


def test_a_pure_table_is_one_leaf_at_depth_one():
    clf = HeuristicTreeClassifier().fit(pd.DataFrame({"a": [1.0, 2.0]}), ["p", "p"])
    assert (clf.n_leaves_, clf.mean_depth_) == (1, 1.0)


def test_exclusive_or_is_learned_although_no_first_split_helps():
    X = pd.DataFrame({"a": [0.0, 0.0, 1.0, 1.0], "b": [0.0, 1.0, 0.0, 1.0]})
    clf = HeuristicTreeClassifier().fit(X, [0, 1, 1, 0])
    assert clf.predict(X).tolist() == [0, 1, 1, 0]
    assert (clf.n_leaves_, clf.mean_depth_) == (4, 3.0)


def grow(pos, neg, used, score):
    """Return (number of leaves, sum of leaf depths) of the tree below."""
    while pos and neg:
        literal = naive.best_literal(pos, neg, used, score, naive.BASIC)
        if literal is None:
            break
        used = used | {(literal[0], literal[2])}
        sides = [
            (
                [r for r in pos if naive.holds(literal, r) is side],
                [r for r in neg if naive.holds(literal, r) is side],
            )
            for side in (True, False)
        ]
        if all(p or n for p, n in sides):
            parts = [grow(p, n, used, score) for p, n in sides]
            leaves = sum(n for n, _ in parts)
            return leaves, sum(depths for _, depths in parts) + leaves
    return 1, 1


@pytest.mark.parametrize("heuristic", ["magic_gini", "weighted_gini", "chi_square", "gini_printed"])
@settings(max_examples=60)
@given(table=mixed_tables(max_rows=30))
def test_against_a_plain_tree(heuristic, table):
    rows, labels = table
    clf = HeuristicTreeClassifier(heuristic, pos_label="yes").fit(frame(rows), labels)
    pos = [r for r, y in zip(rows, labels, strict=True) if y == "yes"]
    neg = [r for r, y in zip(rows, labels, strict=True) if y == "no"]
    leaves, depths = grow(pos, neg, frozenset(), naive.SCORES[heuristic])
    assert clf.n_leaves_ == leaves
    assert clf.mean_depth_ == pytest.approx(depths / leaves)


@settings(max_examples=40)
@given(table=mixed_tables(labels=("a", "b", "c")))
def test_each_row_gets_the_shares_of_the_rows_that_end_with_it(table):
    rows, labels = table
    clf = HeuristicTreeClassifier().fit(frame(rows), labels)
    shares = clf.predict_proba(frame(rows))
    by_leaf = {}
    for share, label in zip(map(tuple, shares), labels, strict=True):
        by_leaf.setdefault(share, []).append(label)
    for share, members in by_leaf.items():
        assert share == pytest.approx([members.count(c) / len(members) for c in "abc"])
    assert sum(len(m) for m in by_leaf.values()) == len(rows)
