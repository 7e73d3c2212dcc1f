"""Rows counted by bin."""

import numpy as np
import pytest

from foldse.search.histogram_layout import HistogramLayout
from foldse.search.histograms import HistogramUpdate
from tests.foldse.search import by_hand

COLUMNS = [
    [0, 1, 2, 2, 1],
    [0, 0, 1, 0, 1],
    [1, 1, 0, 0, 1],
    [0, 0, 0, 0, 0],
    [3, 2, 1, 0, 3],
    [7, 4, 3, 8, 9],
]
# Five features are counted four at a time and one; the last has eight numbers in bins of four, then two
# categories.
LAYOUT = HistogramLayout(
    by_hand.layout((3, 3, 0, 0), (2, 2, 0, 3), (2, 2, 0, 5), (1, 1, 0, 7), (4, 4, 0, 8), (10, 8, 2, 12)), 16
)
WEIGHTS = np.array([5, 7, 1, 2, 3])


def updated(update, counts, dtype=np.uint8, features=range(6), max_bins=100, weights=None):
    codes = np.array(COLUMNS, dtype=dtype)
    counts = np.array(counts)
    update.apply(codes, np.array(features, dtype=np.int64), LAYOUT, max_bins, weights, counts)
    return counts.tolist()


EMPTY = np.zeros((2, 16), dtype=np.int32)
BOTH = HistogramUpdate((by_hand.rows(0, 1), by_hand.rows(2, 3, 4)))


def test_both_classes_are_counted():
    first, second = updated(BOTH, EMPTY)
    assert first[:12] == [1, 1, 0, 2, 0, 0, 2, 2, 0, 0, 1, 1]
    assert first[12:] == [0, 2, 0, 0]  # numbers 7 and 4 share the second bin
    assert second[:12] == [0, 1, 2, 1, 2, 2, 1, 3, 1, 1, 0, 1]
    assert second[12:] == [1, 0, 1, 1]  # number 3, and both categories


@pytest.mark.parametrize("dtype", [np.uint16, np.uint32])
def test_codes_of_any_width_are_counted_alike(dtype):
    assert updated(BOTH, EMPTY, dtype) == updated(BOTH, EMPTY)


def test_weights_are_added():
    first, second = updated(BOTH, EMPTY.astype(np.int64), weights=WEIGHTS)
    assert first[:3] == [5, 7, 0]
    assert first[8:] == [0, 0, 7, 5, 0, 12, 0, 0]
    assert second[:3] == [0, 3, 3]
    assert second[12:] == [1, 0, 2, 3]


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_rows_that_are_subtracted_leave_the_sibling(weights):
    counts = EMPTY.astype(np.int64)
    everything = HistogramUpdate((by_hand.rows(0, 1, 2), by_hand.rows(3, 4)))
    counted = updated(everything, counts, weights=weights)
    less = HistogramUpdate((by_hand.rows(1), by_hand.rows(3)), signs=(-1, -1))
    sibling = HistogramUpdate((by_hand.rows(0, 2), by_hand.rows(4)))
    assert updated(less, counted, weights=weights) == updated(sibling, counts, weights=weights)


def test_a_class_is_cleared_where_it_is_counted_anew():
    update = HistogramUpdate(BOTH.rows, clear=(True, False))
    first, second = updated(update, EMPTY + 5)
    assert first == updated(BOTH, EMPTY)[0]
    assert second == [n + 5 for n in updated(BOTH, EMPTY)[1]]


def test_only_the_features_asked_for_change_and_none_with_too_many_bins():
    counts = updated(
        HistogramUpdate(BOTH.rows, clear=(True, True)), EMPTY + 9, features=[0, 4, 5], max_bins=3
    )
    assert counts[0][:3] == [1, 1, 0]
    assert counts[0][3:] == [9] * 13
    assert BOTH.n_rows == 5
