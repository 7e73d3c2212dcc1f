"""How alike two programs are, worked out by hand."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldse import HeuristicTreeClassifier, Literal, Op, Rule, similarity
from foldse.model.similarity import Similarity
from tests.foldse.model.by_hand import ADULT, DEAR, FEMALE, YOUNG, X, Y, holding, passengers

CHEAP = Literal("fare", Op.LE, 5.0)


def aged(*bounds):
    """Return a program of a rule for each upper bound of the age."""
    return holding(*(Rule("yes", (Literal("age", Op.LE, float(bound)),)) for bound in bounds))


def test_a_program_is_like_itself():
    clf = passengers()
    assert similarity(clf, clf) == Similarity(1.0, 1.0, None)
    assert similarity(clf.rules_, passengers(), X) == Similarity(1.0, 1.0, 1.0)


def test_by_hand():
    # sex, age <= 10, fare > 40, age > 30, and of the other sex, fare > 40, fare <= 5, age <= 12.
    other = holding(Rule("yes", (FEMALE, CHEAP), (Rule(None, (DEAR, Literal("age", Op.LE, 12.0))),)))
    assert {FEMALE, YOUNG, DEAR, ADULT} == set(passengers().rules_.literals())
    assert similarity(passengers(), other) == Similarity(2 / 6, 1.0, None)
    # The other one says yes to nobody, the first to 0, 2, 3 and 7. No age of X is between 10 and 12.
    assert similarity(passengers(), other, X) == Similarity(2 / 6, 1.0, 0.5)
    assert similarity(other, passengers(), X, tolerance=0) == Similarity(3 / 5, 1.0, 0.5)
    assert similarity(aged(10), holding(Rule("yes", (FEMALE, YOUNG)))) == Similarity(1 / 2, 1 / 2, None)


def test_a_tolerance_is_a_share_of_the_numbers_in_between():
    # The ages 5 5 7 40 40 40 40 60: between 10 and 40 are four of eight.
    assert similarity(aged(10), aged(40), X).literals == 0
    assert similarity(aged(10), aged(40), X, tolerance=0.49).literals == 0
    assert similarity(aged(10), aged(40), X, tolerance=0.5).literals == 1
    missing = pd.concat([X, X.assign(age=np.nan)])  # what is no number has no rank
    assert similarity(aged(10), aged(40), missing, tolerance=0.49).literals == 0
    above = holding(Rule("yes", (Literal("age", Op.GT, 10.0),)))
    assert similarity(aged(10), above, X, tolerance=1).literals == 0  # another comparison


def test_a_literal_is_matched_once():
    assert similarity(aged(5, 7), aged(6), X, tolerance=1).literals == 1 / 2
    assert similarity(aged(5, 40), aged(40, 60), X, tolerance=0.7).literals == 1.0


def test_without_numbers_only_equal_thresholds_match():
    text = holding(Rule("yes", (Literal("sex", Op.LE, 1.0),)))
    other = holding(Rule("yes", (Literal("sex", Op.LE, 2.0),)))
    assert similarity(text, other, X, tolerance=1).literals == 0
    assert similarity(text, text, X, tolerance=0).literals == 1


def test_two_programs_without_literals():
    assert similarity(holding(), holding(), X) == Similarity(1.0, 1.0, 1.0)
    assert similarity(holding(), passengers()) == Similarity(0.0, 0.0, None)


THRESHOLDS = st.lists(st.sampled_from([1.0, 2, 3, 4, 5, 6]), unique=True, max_size=4)


@settings(max_examples=80, deadline=None)
@given(THRESHOLDS, THRESHOLDS, st.lists(st.integers(0, 7), min_size=1, max_size=8), st.integers(0, 8))
def test_as_many_as_possible_are_matched(a, b, values, steps):
    table = X.head(1).loc[[0] * len(values)].assign(age=[float(value) for value in values])
    tolerance = steps / 8

    def close(x, y):
        between = sum(min(x, y) < value <= max(x, y) for value in values)
        return between / len(values) <= tolerance

    shorter, longer = sorted((a, b), key=len)
    most = max(sum(map(close, shorter, chosen)) for chosen in permutations(longer, len(shorter)))
    expected = most / (len(a) + len(b) - most) if a or b else 1.0
    assert similarity(aged(*a), aged(*b), table, tolerance).literals == expected
    assert similarity(aged(*b), aged(*a), table, tolerance).literals == expected


def test_what_cannot_be_compared():
    clf = passengers()
    with pytest.raises(ValueError, match=r"tolerance must be a share from 0 to 1, got 1.5"):
        similarity(clf, clf, X, tolerance=1.5)
    with pytest.raises(ValueError, match="tolerance is a share of the values of X; give X, too"):
        similarity(clf, clf, tolerance=0.1)
    tree = HeuristicTreeClassifier().fit(X, Y)
    with pytest.raises(TypeError, match="b is a HeuristicTreeClassifier; give a RuleSet or a fitted"):
        similarity(clf, tree)
