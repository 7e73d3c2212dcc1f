"""Scores of splits that beat the best, and bounds on blocks of splits, on counts that one can check."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldse.heuristics import SCORES
from foldse.search.split_scores import HEURISTICS, _magic_gini_may_reach, improve_on, may_contain_best

MAGIC = HEURISTICS.index("magic_gini")
TOTALS = (7, 8)  # of the paper's example


def test_the_literal_scores_if_it_is_valid():
    # i > 3 holds for 3 positives and no negative: -sqrt(4 * 8) / 15.
    score, complement = improve_on(-np.inf, MAGIC, (3, 0), TOTALS, 3)
    assert (score, complement) == (pytest.approx(-math.sqrt(32) / 15), 0)


def test_its_complement_scores_if_only_that_is_valid():
    # i <= 2 holds for no positive and 4 negatives: not(i <= 2) scores -sqrt(7 * 4) / 15.
    score, complement = improve_on(-np.inf, MAGIC, (0, 4), TOTALS, 3)
    assert (score, complement) == (pytest.approx(-math.sqrt(28) / 15), 1)
    assert improve_on(-np.inf, MAGIC, (0, 4), TOTALS, 1) == (-np.inf, -1)


def test_of_a_literal_and_its_complement_that_are_equally_right_the_literal_comes_first():
    assert improve_on(-np.inf, MAGIC, (1, 1), (2, 2), 3) == (-0.5, 0)
    assert improve_on(-np.inf, MAGIC, (1, 1), (2, 2), 2) == (-0.5, 1)  # both are valid, one is allowed
    assert improve_on(-np.inf, MAGIC, (1, 1), (2, 2), 0) == (-np.inf, -1)


@pytest.mark.parametrize("heuristic", range(len(HEURISTICS)))
def test_an_equal_score_does_not_replace_the_best(heuristic):
    score, complement = improve_on(-np.inf, heuristic, (3, 1), TOTALS, 3)
    assert complement == 0
    assert improve_on(score, heuristic, (3, 1), TOTALS, 3) == (score, -1)
    assert improve_on(np.nextafter(score, -np.inf), heuristic, (3, 1), TOTALS, 3) == (score, 0)


@given(st.tuples(*[st.integers(0, 10**5)] * 4).filter(lambda c: c[0] + c[2] >= c[1] + c[3] > 0))
def test_a_split_reaches_its_own_magic_gini_and_not_much_more(counts):
    tp, fn, tn, fp = counts
    score = SCORES["magic_gini"](*counts)
    assert _magic_gini_may_reach((tp, fp), (tp + fn, tn + fp), score)
    if score < -1e-3:
        assert not _magic_gini_may_reach((tp, fp), (tp + fn, tn + fp), score * (1 - 1e-6))


def test_a_block_without_rows_or_of_no_better_threshold_is_passed_over():
    # Ten positives above ten negatives: within the first five negatives the best is not(<=) of all five,
    # -sqrt(10 * 5) / 20.
    best = -math.sqrt(50) / 20
    assert not may_contain_best(MAGIC, (0, 0), (0, 0), (10, 10), (10, 10), -np.inf)
    assert may_contain_best(MAGIC, (0, 0), (0, 5), (10, 10), (10, 10), best)
    assert not may_contain_best(MAGIC, (0, 0), (0, 5), (10, 10), (10, 10), best + 1e-6)
    assert may_contain_best(MAGIC, (0, 0), (0, 5), (10, 10), (10, 10), -np.inf)


def test_beside_other_values_what_lies_above_is_a_literal_of_its_own():
    # 4 negatives, a block of one, 10 positives; and 10 negatives that are no numbers. > holds for all
    # positives and no negative, which scores 0; not(<=) holds for these other negatives, too.
    assert may_contain_best(MAGIC, (0, 4), (0, 1), (10, 5), (10, 15), -1e-9)
    # With 10 positives that are no numbers > holds for these 10 of 20, not(<=) for all 20.
    assert may_contain_best(MAGIC, (0, 4), (0, 1), (10, 5), (20, 5), -1e-9)
    assert not may_contain_best(MAGIC, (0, 3), (0, 1), (10, 5), (20, 15), -1e-3)


@pytest.mark.parametrize("name", SCORES)
@given(st.data())
def test_a_block_that_holds_a_better_threshold_is_never_passed_over(name, data):
    def counts(low=0):
        return data.draw(st.tuples(st.integers(low, 20), st.integers(low, 20)))

    heuristic = HEURISTICS.index(name)
    below, inside, after, beyond, others = counts(), counts(), counts(), counts(), counts()
    block = (inside[0] + after[0], inside[1] + after[1])
    n_numeric = (below[0] + block[0] + beyond[0], below[1] + block[1] + beyond[1])
    totals = (n_numeric[0] + others[0], n_numeric[1] + others[1])
    if not sum(inside):
        return
    at = (below[0] + inside[0], below[1] + inside[1])
    scores = [
        improve_on(-np.inf, heuristic, side, totals, 3)[0]
        for side in (at, (n_numeric[0] - at[0], n_numeric[1] - at[1]))
    ]
    assert may_contain_best(heuristic, below, block, n_numeric, totals, max(scores))
