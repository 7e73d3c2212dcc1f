"""Which bin counts which code."""

import pytest

from foldse.search import histogram_layout
from foldse.search.histogram_layout import HistogramLayout, _shift, has_bins, is_exact
from tests.foldse.search import by_hand

# Ten numbers and three categories beside two numbers; two rows.
TABLE = by_hand.table([0, 12], [0, 1], numeric=[10, 2])


def fields(layout, *names):
    return [tuple(int(known[name]) for name in names) for known in layout.features]


def test_every_code_has_a_bin_unless_numbers_are_to_share_them():
    layout = HistogramLayout.from_table(TABLE, None)
    assert fields(layout, "row", "first_code", "n_codes", "n_numeric", "shift", "n_bins") == [
        (0, 0, 13, 10, 0, 13),
        (1, 13, 2, 2, 0, 2),
    ]


def test_the_smallest_feature_comes_first_with_sixteen_bins_between():
    layout = HistogramLayout.from_table(TABLE, None)
    assert fields(layout, "start") == [(32,), (0,)]
    assert layout.n_bins == 64


def test_numbers_that_are_more_than_twice_the_bins_share_them_by_four_or_more():
    # Ten numbers in at most four bins: by fours, three of them; categories keep theirs.
    assert fields(HistogramLayout.from_table(TABLE, 4), "shift", "n_bins") == [(2, 6), (0, 2)]
    assert fields(HistogramLayout.from_table(TABLE, 2), "shift", "n_bins") == [(3, 5), (0, 2)]
    assert fields(HistogramLayout.from_table(TABLE, 5), "shift", "n_bins") == [(0, 13), (0, 2)]


@pytest.mark.parametrize(
    ("n_numbers", "n_rows", "shift"),
    [
        (1024, 0, 0),
        (1025, 0, 2),
        (2048, 0, 2),
        (2049, 0, 3),
        (4096, 128 * 4096, 0),
        (4096, 128 * 4095, 3),
        (4097, 10**9, 4),
    ],
)
def test_a_table_of_many_rows_for_each_number_keeps_more_bins(n_numbers, n_rows, shift):
    assert _shift(n_numbers, 512, n_rows) == shift


def test_features_of_the_most_bins_go_without_where_there_are_too_many(monkeypatch):
    monkeypatch.setattr(histogram_layout, "MIN_TOTAL_BINS", 44)
    assert fields(HistogramLayout.from_table(TABLE, 100), "start") == [(-1,), (0,)]
    monkeypatch.setattr(histogram_layout, "MIN_TOTAL_BINS", 45)
    assert fields(HistogramLayout.from_table(TABLE, 100), "start") == [(32,), (0,)]


def test_a_table_of_many_cells_may_have_a_bin_for_512_of_them(monkeypatch):
    monkeypatch.setattr(histogram_layout, "MIN_TOTAL_BINS", 1)
    table = by_hand.table([0, 12] * 512 * 11, [0, 1] * 512 * 11, numeric=[10, 2])
    assert fields(HistogramLayout.from_table(table, 100), "start") == [(-1,), (0,)]
    table = by_hand.table([0, 12] * 512 * 12, [0, 1] * 512 * 12, numeric=[10, 2])
    assert fields(HistogramLayout.from_table(table, 100), "start") == [(32,), (0,)]


def test_which_features_have_bins_and_one_for_each_code():
    known = by_hand.layout((13, 10, 0, 0), (13, 10, 2, 32), (5, 5, 0, -1))
    assert [bool(has_bins(k, 13)) for k in known] == [True, True, False]
    assert [bool(has_bins(k, 12)) for k in known] == [False, True, False]
    assert [bool(has_bins(k, 5)) for k in known] == [False, False, False]
    assert [bool(is_exact(k, 13)) for k in known] == [True, False, False]
    layout = HistogramLayout(known, 64)
    assert layout.needs_refinement(13).tolist() == [False, True, True]
    assert layout.needs_refinement(12).tolist() == [True, True, True]
