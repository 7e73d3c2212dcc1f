"""Rows partitioned, split and weighed, by hand."""

import numpy as np
import pytest

from foldse.reading.encoding import CodeInterval
from foldse.search import rows as module
from foldse.search.rows import NO_MARKS, add_by_label, partition, put_last, split_by_label, total
from foldse.search.workspace import Workspace
from tests.foldse.search import by_hand

TABLE = by_hand.table([3, 0, 2, 1, 2, 3, 0, 1])
LABELS = np.array([0, 2, 1, 2, 0, 2, 1, 1])
WEIGHTS = np.array([1, 2, 4, 8, 16, 32, 64, 128])


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
@pytest.mark.parametrize("in_threads", [False, True])
def test_rows_of_an_interval_go_to_the_front_in_their_order(dtype, in_threads, monkeypatch):
    monkeypatch.setattr(module, "MIN_PARALLEL_ROWS", 1 if in_threads else 100)
    table = by_hand.table([3, 0, 2, 1, 2, 3, 0, 1], dtypes=[dtype])
    sides = by_hand.rows(5, 4, 3, 2), by_hand.rows(0, 1, 6, 7)
    workspace = Workspace(table, weighted=False)
    assert partition(table, CodeInterval(0, 1, 3, False), sides, workspace) == [3, 1]
    assert [side.tolist() for side in sides] == [[4, 3, 2, 5], [7, 0, 1, 6]]
    assert partition(table, CodeInterval(0, 1, 3, True), sides, workspace) == [1, 3]
    assert [side.tolist() for side in sides] == [[5, 4, 3, 2], [0, 1, 6, 7]]


def test_no_row_or_all_in_the_interval():
    sides = by_hand.rows(5, 4), by_hand.rows()
    workspace = Workspace(TABLE, weighted=False)
    assert partition(TABLE, CodeInterval(0, 0, 4, False), sides, workspace) == [2, 0]
    assert partition(TABLE, CodeInterval(0, 2, 2, False), sides, workspace) == [0, 0]
    assert sides[0].tolist() == [5, 4]


def test_some_rows_go_last_and_no_mark_is_left():
    workspace = Workspace(TABLE, weighted=False)
    found = by_hand.rows(7, 3, 5, 0, 1)
    assert put_last(found, [by_hand.rows(3), by_hand.rows(), by_hand.rows(1, 7)], workspace) == 2
    assert found.tolist() == [5, 0, 7, 3, 1]
    assert not workspace.marks.any()
    assert put_last(found, [by_hand.rows()], workspace) == 5
    assert found.tolist() == [5, 0, 7, 3, 1]


def test_sums_of_weights():
    assert total(by_hand.rows(0, 2, 7), None) == 3
    assert total(by_hand.rows(0, 2, 7), WEIGHTS) == 133
    sums = np.zeros(3, dtype=np.int64)
    add_by_label(by_hand.rows(0, 1, 4, 4), LABELS, None, NO_MARKS, sums)
    assert sums.tolist() == [3, 0, 1]
    add_by_label(by_hand.rows(5, 6), LABELS, WEIGHTS, NO_MARKS, sums)
    assert sums.tolist() == [3, 64, 33]


def test_a_marked_row_counts_once():
    sums, marks = np.zeros(3, dtype=np.int64), np.zeros(8, dtype=np.uint8)
    marks[6] = 1
    add_by_label(by_hand.rows(6, 7, 7), LABELS, WEIGHTS, marks, sums)
    assert sums.tolist() == [0, 128, 0]
    assert np.flatnonzero(marks).tolist() == [6, 7]


def test_rows_with_a_label_and_the_others():
    having, others = split_by_label(LABELS, 2)
    assert (having.tolist(), others.tolist()) == ([1, 3, 5], [0, 2, 4, 6, 7])
    assert (having.dtype, others.dtype) == (np.uint32, np.uint32)
    left_out = np.array([0, 1, 1, 0, 0, 0, 0, 0], dtype=np.uint8)
    assert [part.tolist() for part in split_by_label(LABELS, 2, left_out)] == [[3, 5], [0, 4, 6, 7]]
    assert [part.tolist() for part in split_by_label(LABELS, 7)] == [[], list(range(8))]
