"""The best literal among histograms made by hand, most of them of the paper's example."""

import math

import numpy as np
import pytest

from foldse.model.literals import Op
from foldse.search.blocks import sum_blocks
from foldse.search.candidates import (
    ALL_OPS,
    BASIC_OPS,
    EQ,
    GT,
    LE,
    OPS,
    Candidate,
    just_below,
    none_above,
    wins,
)
from foldse.search.scan import (
    _best_bound_of_bins,
    mark_candidates,
    scan_categories,
    scan_histograms,
    scan_thresholds,
)
from tests.foldse.search.by_hand import criterion, histograms, layout, pair

# Numbers 1 to 5, then x, y, z: 7 positives and 8 negatives.
POSITIVE = [0, 0, 1, 2, 1, 2, 1, 0]
NEGATIVE = [3, 1, 1, 0, 0, 0, 2, 1]
NUMBERS, CATEGORIES = pair(POSITIVE[:5], NEGATIVE[:5]), pair(POSITIVE[5:], NEGATIVE[5:])
TOTALS = (7, 8)
START = none_above(-np.inf)


def thresholds(counts, shift=1, candidates=None, best=START, **options):
    n = -(-len(counts[0]) // 2**shift)
    blocks = pair([0] * n, [0] * n)
    marks = np.ones(n, dtype=np.uint8) if candidates is None else np.array(candidates, dtype=np.uint8)
    sum_blocks(counts, shift, np.ones(n, dtype=np.uint8), blocks)
    known = criterion(**options)
    return scan_thresholds(counts, blocks, marks, shift, 3, 20, known.allowed, known, best)


def test_the_operators_are_where_the_kernels_take_them_to_be():
    assert [OPS[op] for op in (LE, GT, EQ)] == [Op.LE, Op.GT, Op.EQ]
    assert [OPS[op + 1] for op in (LE, GT, EQ)] == [OPS[op].negation for op in (LE, GT, EQ)]
    assert tuple(Op) == (Op.LE, Op.NOT_LE, Op.GT, Op.NOT_GT, Op.EQ, Op.NE)


def test_of_equal_candidates_that_of_the_first_feature_wins():
    assert wins(Candidate(-0.1, 5, 0, 0), Candidate(-0.2, 1, 0, 0))
    assert wins(Candidate(-0.1, 1, 0, 0), Candidate(-0.1, 5, 0, 0))
    assert not wins(Candidate(-0.1, 5, 0, 0), Candidate(-0.1, 1, 0, 0))
    assert not wins(Candidate(-0.2, 1, 0, 0), Candidate(-0.1, 5, 0, 0))
    assert just_below(-0.25) < -0.25 == np.nextafter(just_below(-0.25), 0)
    assert tuple(none_above(-0.25)) == (-0.25, -1, -1, -1)


def test_the_best_threshold_of_the_papers_example():
    # not(i <= 2) leaves 7 positives and 4 negatives: -sqrt(7 * 4) / 15 = -0.35.
    found = thresholds(NUMBERS, totals=TOTALS)
    assert tuple(found) == (pytest.approx(-math.sqrt(28) / 15), 3, 1, LE + 1)


def test_without_negated_thresholds_it_is_the_best_of_the_others():
    # i > 3: -0.38.
    found = thresholds(NUMBERS, totals=TOTALS, negated=False)
    assert tuple(found) == (pytest.approx(-math.sqrt(32) / 15), 3, 2, GT)


def test_a_blocked_value_stands_in_no_literal():
    # Number 2 is code 1 of a feature whose codes start at 20; next best is i > 3.
    found = thresholds(NUMBERS, totals=TOTALS, blocked=[7, 21])
    assert (found.code, found.op) == (2, GT)
    assert thresholds(NUMBERS, totals=TOTALS, blocked=range(20, 25)) == START


def test_a_comparison_is_blocked_with_its_negation_and_the_other_is_not():
    # Without <= 2 and its negation the best is > 3, -sqrt(32) / 15; without that, too, not(i <= 1), which
    # 7 positives and 5 negatives satisfy: -sqrt(35) / 15.
    assert thresholds(NUMBERS, totals=TOTALS, comparisons=[21])[2:] == (2, GT)
    assert thresholds(NUMBERS, totals=TOTALS, comparisons=[21, ~22])[2:] == (0, LE + 1)
    assert thresholds(NUMBERS, totals=TOTALS, comparisons=[~21]) == thresholds(NUMBERS, totals=TOTALS)


def test_what_does_not_beat_the_best_so_far_leaves_it():
    best = Candidate(-0.35, 1, 2, 3)
    assert thresholds(NUMBERS, totals=TOTALS, best=best) == best
    assert thresholds(NUMBERS, totals=TOTALS, best=Candidate(-0.36, 1, 2, 3)).feature == 3


def test_of_equal_thresholds_the_first_and_of_its_operators_the_first():
    # A negative, a positive, a positive, a negative: <= 1 has none of two positives, as has > 3.
    found = thresholds(pair([0, 1, 1, 0], [1, 0, 0, 1]), totals=(2, 2))
    assert (found.code, found.op) == (0, LE + 1)
    # A value that no row has is no threshold; and where > is valid it beats its equal not(<=) by nothing.
    found = thresholds(pair([0, 0, 2], [0, 2, 0]), totals=(2, 2), negated=True)
    assert (found.code, found.op) == (1, LE + 1)
    found = thresholds(pair([0, 0, 2], [0, 2, 0]), totals=(2, 2), negated=False)
    assert (found.code, found.op) == (1, GT)


def test_beside_categories_above_is_not_the_complement_of_below():
    # 2 negatives at 0, 2 positives at 1, and 3 negative categories: > 0 is right about all.
    found = thresholds(pair([0, 2], [2, 0]), totals=(2, 5))
    assert tuple(found) == (0, 3, 0, GT)
    # And with positives as categories not(> 0) leaves the positives: above are only negatives.
    found = thresholds(pair([2, 0], [0, 2]), totals=(5, 2))
    assert tuple(found) == (0, 3, 0, GT + 1)


def test_blocks_that_are_no_candidates_are_summed_and_passed_over():
    # Blocks of two: without the first, i <= 2 is no candidate, but its rows count below 3.
    assert thresholds(NUMBERS, candidates=[0, 1, 1], totals=TOTALS)[2:] == (2, GT)
    assert thresholds(NUMBERS, candidates=[0, 0, 1], totals=TOTALS)[2:] == (4, LE + 1)


@pytest.mark.parametrize("shift", [0, 1, 2, 6])
def test_the_size_of_blocks_does_not_matter(shift):
    assert thresholds(NUMBERS, shift, totals=TOTALS) == thresholds(NUMBERS, totals=TOTALS)


def test_the_best_category():
    # = x holds for 2 positives: -sqrt(5 * 8) / 15 = -0.42; the codes of categories begin at 5.
    found = scan_categories(CATEGORIES, 5, 0, 3, 20, ALL_OPS, criterion(TOTALS), START)
    assert tuple(found) == (pytest.approx(-math.sqrt(40) / 15), 3, 5, EQ)
    # Without x != z: 7 positives, 7 negatives of 8: -sqrt(7 * 7) / 15.
    found = scan_categories(CATEGORIES, 5, 0, 3, 20, ALL_OPS, criterion(TOTALS, blocked=[25]), START)
    assert tuple(found) == (pytest.approx(-7 / 15), 3, 7, EQ + 1)
    assert scan_categories(
        CATEGORIES, 5, 0, 3, 20, ALL_OPS, criterion(TOTALS), none_above(-0.4)
    ) == none_above(-0.4)
    # Two categories with a positive and a negative each: the first. One that does not occur is none.
    found = scan_categories(pair([0, 1, 1], [0, 1, 1]), 0, 0, 3, 20, ALL_OPS, criterion((2, 2)), START)
    assert (found.code, found.op) == (1, EQ)
    # Or the last.
    found = scan_categories(pair([0, 1, 1], [0, 1, 1]), 0, 1, 3, 20, ALL_OPS, criterion((2, 2)), START)
    assert (found.code, found.op) == (2, EQ)


def test_the_best_bound_between_bins():
    # Bins of two numbers: i <= 2, 4, 5 are the bounds, and the best is not(i <= 2).
    bins = pair([0, 3, 1], [4, 1, 0])
    assert _best_bound_of_bins(bins, 1, 20, ALL_OPS, criterion(TOTALS), -np.inf) == pytest.approx(
        -math.sqrt(28) / 15
    )
    assert _best_bound_of_bins(bins, 1, 20, ALL_OPS, criterion(TOTALS), -0.3) == -0.3
    # Without negation i > 2: 4 positives, 1 negative.
    found = _best_bound_of_bins(bins, 1, 20, BASIC_OPS, criterion(TOTALS, negated=False), -np.inf)
    assert found == pytest.approx(-(math.sqrt(4) + math.sqrt(3 * 7)) / 15)


@pytest.mark.parametrize("blocked", [20, 21])
def test_a_bin_with_a_blocked_number_is_no_bound(blocked):
    # Then i > 4 is the best: 1 positive, no negative; or > 5, not(i <= 5) of nothing but categories.
    bins = pair([0, 3, 1], [4, 1, 0])
    found = _best_bound_of_bins(bins, 1, 20, ALL_OPS, criterion(TOTALS, blocked=[blocked]), -np.inf)
    assert found == pytest.approx(-math.sqrt(6 * 8) / 15)
    for elsewhere in (19, 26):
        found = _best_bound_of_bins(bins, 1, 20, ALL_OPS, criterion(TOTALS, blocked=[elsewhere]), -np.inf)
        assert found == pytest.approx(-math.sqrt(28) / 15)


def test_candidates_are_the_bins_that_may_hold_a_better_threshold():
    # 10 negatives, 10 of both, 10 positives. Between bins the best is -sqrt(10 * 5) / 30; only the middle one
    # may hold a split of its negatives from its positives.
    bins = pair([0, 5, 10], [10, 5, 0])
    best = -math.sqrt(15 * 5) / 30
    marks = np.zeros(3, dtype=np.uint8)
    assert mark_candidates(bins, criterion((15, 15)), best + 1e-6, marks)
    assert marks.tolist() == [0, 1, 0]
    assert mark_candidates(bins, criterion((15, 15)), best + 1e-6, marks[:0])
    # Of two bins with as many of both no split of one parts them.
    assert not mark_candidates(pair([5, 5], [5, 5]), criterion((10, 10)), -0.1, marks)
    assert marks.tolist() == [0, 1, 0]


def scan(*arguments, features, max_bins=1000, **options):
    found = scan_histograms(
        np.array(features, dtype=np.int64),
        histograms(*arguments, max_bins=max_bins),
        criterion(TOTALS, **options),
    )
    return tuple(found.best)[1:], found.best_known, found.needs_refinement


def test_the_best_of_a_mixed_feature_and_of_its_equal_twin_the_first():
    # Two features with the same counts, and the bins of the second first.
    known = layout((8, 5, 0, 10), (8, 5, 0, 0))
    positive, negative = ([*side, 0, 0, *side] for side in (POSITIVE, NEGATIVE))
    best_known = pytest.approx(-math.sqrt(28) / 15)
    assert scan(known, positive, negative, features=[0, 1]) == ((0, 1, LE + 1), best_known, False)
    assert scan(known, positive, negative, features=[1]) == ((1, 1, LE + 1), best_known, False)
    # The value is blocked in the first only, and then in both: then i > 3.
    assert scan(known, positive, negative, features=[0, 1], blocked=[1])[0] == (1, 1, LE + 1)
    assert scan(known, positive, negative, features=[0, 1], blocked=[1, 9])[0] == (0, 2, GT)
    # A feature of too many bins has none.
    found = scan(known, positive, negative, features=[0, 1], max_bins=7)
    assert found == ((-1, -1, -1), -np.inf, True)


def test_a_category_beats_a_threshold_only_by_a_larger_score():
    # One number and one category each of which is right about all: the number comes first.
    known = layout((3, 2, 0, 0))
    assert scan(known, [0, 7, 0], [8, 0, 0], features=[0])[0] == (0, 0, LE + 1)
    assert scan(known, [0, 0, 7], [4, 4, 0], features=[0])[0][2] in (EQ, GT + 1, LE + 1)


def test_shared_bins_are_refined_only_if_they_may_win():
    # The example's numbers by twos, without categories, beside a feature that is right about all.
    shared = layout((6, 6, 1, 0), (2, 2, 0, 5))
    positive, negative = [0, 3, 4, 0, 0, 0, 7], [4, 1, 3, 0, 0, 8, 0]
    assert scan(shared, positive, negative, features=[0, 1]) == ((1, 0, LE + 1), 0, False)
    found = scan(shared, positive, negative, features=[0])
    assert found == ((-1, -1, -1), pytest.approx(-math.sqrt(28) / 15), True)
    # With a category they are refined in any case: whoever refines looks at the categories.
    mixed = layout((7, 6, 1, 0), (2, 2, 0, 6))
    assert scan(mixed, [*positive[:3], 0, 0, 0, 0, 7], [*negative[:3], 0, 0, 0, 8, 0], features=[0, 1])[2]


def test_an_earlier_feature_that_may_be_equal_is_refined():
    # Bin 1 of the first feature holds all rows: a split in it may be right about all, as the second is.
    known = layout((8, 8, 2, 0), (2, 2, 0, 4))
    found = scan(known, [7, 0, 0, 0, 0, 7], [8, 0, 0, 0, 8, 0], features=[0, 1])
    assert found == ((1, 0, LE + 1), 0, True)


def test_the_last_code_of_a_block_of_64_counts():
    # Numbers 0 to 64: negatives below, positives at 63 and 64, in the first and the second block.
    known = layout((65, 65, 0, 0))
    positive, negative = [0] * 63 + [4, 3], [1] * 8 + [0] * 57
    assert scan(known, positive, negative, features=[0]) == ((0, 7, LE + 1), 0, False)
    positive, negative = [0] * 64 + [7], [0] * 63 + [8, 0]
    assert scan(known, positive, negative, features=[0]) == ((0, 63, LE + 1), 0, False)
