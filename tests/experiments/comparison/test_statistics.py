"""The tests over data sets: a table of four data sets and three learners by hand, and other formulas."""

from __future__ import annotations

from itertools import product
from math import sqrt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from experiments.comparison.scores import ComparisonError, Scores, blocks, differences
from experiments.comparison.statistics.bayesian import bayesian_signed_ranks
from experiments.comparison.statistics.front import front, times_on_front
from experiments.comparison.statistics.pairs import Tally, holm, signed_ranks, tally, typical_difference
from experiments.comparison.statistics.ranks import cliques, critical_difference, friedman, nemenyi
from experiments.comparison.statistics.resampled import corrected_t

# a and b tie on the fourth data set. Ranks: a 1 1 2 1.5, b 2 3 1 1.5, c 3 2 3 3.
TABLE = pd.DataFrame(
    {"a": [0.9, 0.8, 0.7, 0.6], "b": [0.8, 0.5, 0.75, 0.6], "c": [0.6, 0.7, 0.5, 0.4]},
    index=["d1", "d2", "d3", "d4"],
)


@pytest.fixture(scope="module")
def large():
    rng = np.random.default_rng(7)
    values = rng.normal(0.8, 0.1, (23, 1)) + rng.normal(0, 0.03, (23, 6)) + np.linspace(0, 0.04, 6)
    return pd.DataFrame(values.round(2), columns=list("abcdef"))  # rounded, so that there are ties


def test_friedman_of_the_small_table():
    found = friedman(TABLE)
    assert found.ranks.to_dict() == {"a": 1.375, "b": 1.875, "c": 2.75}
    # Sums 5.5, 7.5, 11 deviate from 8 by -2.5, -0.5, 3: squares 15.5. Squared deviations of single ranks
    # from 2: 2 for each of three data sets, 0.25 + 0.25 + 1 for the fourth: 7.5. chi = 2 * 15.5 / 7.5.
    assert found.chi_square == pytest.approx(62 / 15)
    assert found.p_chi_square == pytest.approx(np.exp(-31 / 15))  # two degrees of freedom
    # F = 3 chi / (8 - chi) = (62 / 5) / (58 / 15) = 93 / 29, with 2 and 6 degrees of freedom.
    assert found.f == pytest.approx(93 / 29)
    assert found.p_f == pytest.approx((1 + 2 * (93 / 29) / 6) ** -3)


def test_friedman_is_scipys(large):
    found = friedman(large)
    chi, p = stats.friedmanchisquare(*large.to_numpy().T)
    assert (found.chi_square, found.p_chi_square) == pytest.approx((chi, p))


def test_friedman_of_equal_and_of_perfectly_ordered_learners():
    same = friedman(pd.DataFrame(0.5, index=range(3), columns=list("abc")))
    assert (same.chi_square, same.p_f) == (0.0, 1.0)
    ordered = friedman(pd.DataFrame([[3, 2, 1]] * 5, columns=list("abc")))
    assert (ordered.f, ordered.p_f) == (np.inf, 0.0)
    with pytest.raises(ComparisonError, match="3 learners"):
        friedman(TABLE[["a", "b"]])


def test_nemenyi_of_the_small_table():
    ranks = friedman(TABLE).ranks
    # sqrt(k (k + 1) / (6 N)) = sqrt(12 / 24); Demsar's table has 2.343 for three learners.
    assert critical_difference(3, 4) == pytest.approx(2.343 * sqrt(0.5), abs=0.001)
    # 2.85 is that of six learners: 2.85 sqrt(42 / 138).
    assert critical_difference(6, 23) == pytest.approx(2.850 * sqrt(42 / 138), abs=0.001)
    p = nemenyi(ranks, 4)
    assert p.at["a", "c"] == pytest.approx(p.at["c", "a"])
    assert p.at["a", "a"] == 1
    # The difference with p = 0.05 is the critical one.
    edge = pd.Series({"a": 1.0, "b": 1.0 + critical_difference(3, 4), "c": 1.0})
    assert nemenyi(edge, 4).at["a", "b"] == pytest.approx(0.05, abs=1e-6)


def test_nemenyi_is_that_of_scikit_posthocs(large):
    posthocs = pytest.importorskip("scikit_posthocs")
    found = friedman(large)
    theirs = posthocs.posthoc_nemenyi_friedman(large)
    assert np.allclose(nemenyi(found.ranks, 23), theirs, atol=1e-6)


def test_cliques_are_the_largest_groups_within_the_distance():
    ranks = pd.Series({"d": 4.0, "a": 1.0, "b": 2.0, "c": 2.9})
    assert cliques(ranks, 1.5) == [["a", "b"], ["b", "c"], ["c", "d"]]
    assert cliques(ranks, 2.0) == [["a", "b", "c"], ["c", "d"]]
    assert cliques(ranks, 0.5) == []


def test_wilcoxon_and_holm_of_the_small_table():
    gaps = differences(blocks(Scores("accuracy", True, TABLE)), "a", "b")
    assert gaps.tolist() == [0.1, 0.3, -0.05, 0.0]
    # Ranks of 0.1, 0.3, 0.05: 2, 3, 1. Of the 8 assignments of signs, sums of at most 1: {} and {1}.
    found = signed_ranks(gaps)
    assert (found.better, found.worse, found.p) == (5, 1, 2 * 2 / 8)
    assert found.effect == pytest.approx(4 / 6)
    # All four differences positive: 2 / 16.
    assert signed_ranks(np.array([0.3, 0.1, 0.2, 0.2])).p == 2 / 16
    assert signed_ranks(np.zeros(4)).p == 1
    # 3 * 0.01; 2 * 0.02 = 0.04; 1 * 0.03 is raised to 0.04.
    assert holm([0.02, 0.01, 0.03]) == pytest.approx([0.04, 0.03, 0.04])
    assert holm([0.6, 0.7]) == [1.0, 1.0]


def test_wilcoxon_is_scipys():
    gaps = np.random.default_rng(3).normal(0.02, 0.05, 25)
    assert signed_ranks(gaps).p == pytest.approx(stats.wilcoxon(gaps, method="exact").pvalue)
    many = np.random.default_rng(3).normal(0.02, 0.1, 90)
    assert signed_ranks(many).p == pytest.approx(stats.wilcoxon(many, method="asymptotic").pvalue)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=9))
def test_wilcoxon_with_ties_counts_every_assignment_of_signs(values):
    gaps = np.array(values, dtype=float)
    nonzero = gaps[gaps != 0]
    ranks = stats.rankdata(np.abs(nonzero))
    middle = ranks.sum() / 2
    off = abs(ranks[nonzero > 0].sum() - middle)
    sums = [
        sum(rank for rank, on in zip(ranks, signs, strict=True) if on)
        for signs in product((0, 1), repeat=len(ranks))
    ]
    expected = np.mean([abs(total - middle) >= off for total in sums])
    assert signed_ranks(gaps).p == pytest.approx(expected)


def test_wins_ties_and_losses():
    gaps = np.array([0.1, 0.01, 0.0, -0.005, -0.3])
    assert tally(gaps) == Tally(2, 1, 2)
    assert tally(gaps, 0.01) == Tally(1, 3, 1)
    assert str(tally(gaps, 0.01)) == "1-3-1"


def test_typical_difference_is_the_median_of_pairwise_means():
    found = typical_difference(np.array([1.0, 2.0, 6.0]), alpha=0.25)
    # Means: 1, 1.5, 2, 3.5, 4, 6. Sums of ranks 0 to 6 have cumulated shares 1, 2, ... of 8: one is cut off.
    assert (found.estimate, found.low, found.high) == (2.75, 1.0, 6.0)
    assert typical_difference(np.array([1.0, 2.0, 6.0])).low == -np.inf


@pytest.mark.parametrize("n", [12, 80])
def test_the_interval_has_what_the_test_does_not_reject(n):
    gaps = np.random.default_rng(5).normal(0.3, 1, n)
    found = typical_difference(gaps)
    inside, outside = 1e-9, -1e-9
    assert signed_ranks(gaps - found.low - inside).p > 0.05 > signed_ranks(gaps - found.low - outside).p
    assert signed_ranks(gaps - found.high + inside).p > 0.05 > signed_ranks(gaps - found.high + outside).p


def test_corrected_t_of_four_splits():
    # Mean 0.02, squared deviations 0, 4, 4, 0 e-4: s^2 = 8e-4 / 3; variance of the mean (1/4 + 1/3) s^2.
    found = corrected_t(np.array([0.02, 0.04, 0.0, 0.02]), 1 / 3)
    error = sqrt(7 / 12 * 8e-4 / 3)
    assert found.t == pytest.approx(0.02 / error)
    assert found.p == pytest.approx(2 * stats.t.sf(0.02 / error, 3))
    assert found.difference.high - 0.02 == pytest.approx(3.18245 * error, rel=1e-5)  # t of 3 degrees, 0.975
    assert corrected_t(np.array([0.1, 0.1]), 1 / 9).p == 0
    assert corrected_t(np.zeros(3), 1 / 9).p == 1
    with pytest.raises(ComparisonError, match="two splits"):
        corrected_t(np.array([0.1]), 1 / 9)


def test_corrected_t_is_that_of_baycomp_and_without_correction_scipys():
    baycomp = pytest.importorskip("baycomp")
    gaps = np.random.default_rng(1).normal(0.01, 0.02, 10)
    # The posterior of the correlated t-test is the same distribution: its shares are one-sided p-values.
    left, right = baycomp.CorrelatedTTest(np.zeros(10), gaps).probs()
    assert corrected_t(gaps, 1 / 9).p == pytest.approx(2 * min(left, right))
    assert corrected_t(gaps, 0.0).p == pytest.approx(stats.ttest_1samp(gaps, 0).pvalue)


def test_the_bayesian_test_of_one_data_set():
    # With one difference of 1 the weights are Dirichlet(0.5, 1): w of the data set is Beta(1, 0.5). Pairs:
    # (d, d) has weight w^2 and mean 1, (d, 0) 2w(1 - w) and mean 0.5, (0, 0) mean 0. With a region of 0.7,
    # better is w^2: the largest where w > sqrt(1/2), P = (1 - sqrt(1/2))^0.5.
    found = bayesian_signed_ranks(np.array([1.0]), 0.7, seed=1)
    assert found.better == pytest.approx(sqrt(1 - sqrt(0.5)), abs=0.01)
    assert found.worse == 0
    assert found.better + found.alike == pytest.approx(1)


@pytest.mark.parametrize("rope", [0.0, 0.01])
def test_the_bayesian_test_is_that_of_baycomp(rope):
    baycomp = pytest.importorskip("baycomp")
    rng = np.random.default_rng(0)
    first = rng.normal(0.8, 0.05, 9)
    second = first + rng.normal(0.008, 0.02, 9)
    gaps = np.round(first - second, 12)
    ours = bayesian_signed_ranks(gaps, rope, seed=3, n_samples=3000)
    theirs = baycomp.SignedRankTest(gaps, np.zeros(9), rope, nsamples=3000, random_state=3).probs()
    assert [ours.better, ours.alike, ours.worse] == pytest.approx(list(theirs))
    assert bayesian_signed_ranks(gaps, rope, seed=3, n_samples=3000) == ours
    assert bayesian_signed_ranks(-gaps, rope, seed=3, n_samples=3000).worse == pytest.approx(ours.better)


def test_the_front_has_what_nothing_dominates():
    points = pd.DataFrame({"gain": [3, 2, 2, 1, 3], "size": [-3, -1, -2, -2, -3]}, index=list("abcde"))
    assert front(points) == ["a", "b", "e"]  # a and e are equal; b beats c and d
    gains = pd.DataFrame({"a": [0.9, 0.8], "b": [0.8, 0.9], "x": [1.0, 1.0]}, index=["d1", "d2"])
    sizes = pd.DataFrame({"a": [5.0, 5.0], "b": [2.0, 2.0], "x": [np.nan, np.nan]}, index=["d1", "d2"])
    made = times_on_front(gains, sizes)
    assert made.to_dict("index") == {"a": {"datasets": 2, "on_front": 1}, "b": {"datasets": 2, "on_front": 2}}


def test_blocks_are_complete_and_have_one_of_a_family():
    means = TABLE.copy()
    means.loc["d2", "c"] = np.nan
    scores = Scores("accuracy", True, means, {("d2", "c"): "timeout"}, families={"d1": "f", "d4": "f"})
    found = blocks(scores)
    assert list(found.gains.index) == ["d1", "d3"]
    assert found.left_out == {"d2": "c timeout", "d4": "a version of d1"}
    assert list(blocks(scores, ["a", "b"]).gains.index) == ["d1", "d2", "d3"]
    low = Scores("rules", False, TABLE)
    assert differences(blocks(low), "a", "b").tolist() == [-0.1, -0.3, 0.05, 0.0]
