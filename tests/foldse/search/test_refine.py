"""Codes without bins of their own, counted and searched."""

import math

import numpy as np
import pytest

from foldse.search.candidates import EQ, GT, LE
from foldse.search.refine import _add_all, _add_candidates, _clear, refine
from tests.foldse.search import by_hand
from tests.foldse.search.by_hand import criterion, histograms, layout

# The paper's example: numbers 1 to 5 as codes 0 to 4, then x, y, z; rows 0 to 6 are the positives.
CODES = [2, 3, 3, 4, 5, 5, 6, 0, 0, 0, 1, 2, 6, 6, 7]
POSITIVES, NEGATIVES = by_hand.rows(*range(7)), by_hand.rows(*range(7, 15))
WIDTHS = [np.uint8, np.uint16, np.uint32]


def search(
    known,
    counts=(),
    codes=(CODES,),
    dtype=np.uint8,
    best_known=-np.inf,
    features=(0,),
    weights=None,
    **options,
):
    """Return feature, code and operator of the best literal, and its score."""
    codes = np.array(codes, dtype=dtype)
    fine = np.zeros((2, 80), dtype=np.int64)
    positive, negative = counts or ([0], [0])
    found = refine(
        codes.view(np.uint8),
        codes.itemsize,
        np.array(features, dtype=np.int64),
        histograms(known, positive, negative),
        (POSITIVES, NEGATIVES),
        weights,
        criterion((7, 8) if weights is None else (weights[:7].sum(), weights[7:].sum()), **options),
        best_known,
        fine,
    )
    assert not fine.any()
    return tuple(found)[1:], found.score


WITHOUT_BINS = layout((8, 5, 0, -1))
BY_TWOS = layout((8, 5, 1, 0))
COUNTS_BY_TWOS = [0, 3, 1, 2, 1, 0], [4, 1, 0, 0, 2, 1]


@pytest.mark.parametrize("dtype", WIDTHS)
def test_a_feature_without_bins(dtype):
    assert search(WITHOUT_BINS, dtype=dtype) == ((0, 1, LE + 1), pytest.approx(-math.sqrt(28) / 15))
    # With 2 blocked i > 3; without negation too; without any number the category x.
    assert search(WITHOUT_BINS, dtype=dtype, blocked=[1])[0] == (0, 2, GT)
    assert search(WITHOUT_BINS, dtype=dtype, negated=False)[0] == (0, 2, GT)
    assert search(WITHOUT_BINS, dtype=dtype, blocked=range(5))[0] == (0, 5, EQ)
    assert search(WITHOUT_BINS, dtype=dtype, blocked=range(8)) == ((-1, -1, -1), -np.inf)


@pytest.mark.parametrize("dtype", WIDTHS)
def test_a_feature_whose_numbers_share_bins(dtype):
    found = search(BY_TWOS, COUNTS_BY_TWOS, dtype=dtype)
    assert found == ((0, 1, LE + 1), pytest.approx(-math.sqrt(28) / 15))
    assert search(BY_TWOS, COUNTS_BY_TWOS, dtype=dtype, blocked=[1])[0] == (0, 2, GT)
    assert search(BY_TWOS, COUNTS_BY_TWOS, dtype=dtype, blocked=range(5))[0] == (0, 5, EQ)


def test_weights_count():
    # With i = x weighing ten times as much, i = x holds for 20 of 25 positives: -sqrt(5 * 8) / 33.
    weights = np.ones(15, dtype=np.int64)
    weights[4:6] = 10
    found = search(WITHOUT_BINS, weights=weights)
    assert found == ((0, 5, EQ), pytest.approx(-math.sqrt(5 * 8) / 33))
    by_twos = [0, 3, 1, 20, 1, 0], [4, 1, 0, 0, 2, 1]
    assert search(BY_TWOS, by_twos, weights=weights) == found


def test_what_is_known_to_occur_has_to_be_reached_and_may_be():
    score = search(WITHOUT_BINS)[1]
    for known, counts in ((WITHOUT_BINS, ()), (BY_TWOS, COUNTS_BY_TWOS)):
        assert search(known, counts, best_known=score)[0] == (0, 1, LE + 1)
        assert search(known, counts, best_known=np.nextafter(score, 0))[0] == (-1, -1, -1)


@pytest.mark.parametrize("features", [[0, 1], [1, 0]])
def test_of_equal_features_the_first_wins_in_whatever_order_they_are_searched(features):
    twins = layout((8, 5, 0, -1), (8, 5, 1, 0))
    found = search(twins, COUNTS_BY_TWOS, codes=(CODES, CODES), features=features)
    assert found[0] == (0, 1, LE + 1)
    # Where its value is blocked in the first, the second's is better than what is left.
    assert search(twins, COUNTS_BY_TWOS, codes=(CODES, CODES), features=features, blocked=[1])[0] == (
        1,
        1,
        LE + 1,
    )


def test_categories_of_a_feature_without_bins_in_several_blocks_of_64():
    # Codes 0 and 1 are numbers; positives have category 70, negatives 2 and 69; 64 begins a block.
    codes = [70] * 6 + [1] + [2, 69] * 4
    assert search(layout((71, 2, 0, -1)), codes=[codes])[0] == (0, 70, EQ)
    codes = [63] * 7 + [64] * 8
    assert search(layout((71, 2, 0, -1)), codes=[codes])[0] == (0, 63, EQ)
    assert search(layout((71, 64, 0, -1)), codes=[codes])[0] == (0, 63, LE)


def test_only_numbers_of_candidate_bins_are_counted():
    column, counts = np.array(CODES, dtype=np.uint8), np.zeros(20, dtype=np.int64)
    marks = np.array([1, 0, 1], dtype=np.uint8)
    every = by_hand.rows(*range(15))
    _add_candidates(column, 5, 1, marks, every, None, counts)
    assert counts.tolist() == [3, 1, 0, 0, 1] + [0] * 15
    _add_candidates(column, 5, 1, marks, every, np.arange(15), counts)
    assert counts.tolist() == [3 + 7 + 8 + 9, 1 + 10, 0, 0, 1 + 3] + [0] * 15


def test_all_codes_are_counted_and_their_blocks_marked_and_cleared():
    column, counts = np.array([0, 64, 64, 130], dtype=np.uint8), np.zeros((2, 140), dtype=np.int64)
    marks = np.zeros(4, dtype=np.uint8)
    _add_all(column, marks, by_hand.rows(0, 1, 2), None, counts[0])
    _add_all(column, marks, by_hand.rows(3), np.array([1, 1, 1, 9]), counts[1])
    assert marks.tolist() == [1, 1, 1, 0]
    assert {i: n for i, n in enumerate(counts[0].tolist()) if n} == {0: 1, 64: 2}
    assert {i: n for i, n in enumerate(counts[1].tolist()) if n} == {130: 9}
    marks[1] = 0
    _clear(marks, 6, 131, counts)
    assert marks.tolist() == [0] * 4
    assert counts.sum() == counts[0, 64] == 2  # its block was not marked
