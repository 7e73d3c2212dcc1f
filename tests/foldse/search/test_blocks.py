"""Pairs of counts and their sums over blocks of codes."""

import numpy as np

from foldse.search.blocks import by_class, n_blocks, sum_blocks, sums_of
from tests.foldse.search.by_hand import pair

NUMBERS = pair([0, 0, 1, 2, 1], [3, 1, 1, 0, 0])


def test_views_by_class():
    counts = np.array([[1, 2, 3], [4, 5, 6]])
    assert [side.tolist() for side in by_class(counts, 0, 1, 3)] == [[2, 3], [5, 6]]
    assert [side.tolist() for side in by_class(counts, 1, 1, 3)] == [[5, 6], [2, 3]]
    assert sums_of(pair([1, 2], [3, 5])) == (3, 8)


def test_sums_of_blocks():
    assert [n_blocks(n) for n in (0, 1, 64, 65)] == [0, 1, 1, 2]
    blocks = pair([9, 9, 9], [9, 9, 9])
    sum_blocks(NUMBERS, 1, np.array([1, 0, 1], dtype=np.uint8), blocks)
    assert [side.tolist() for side in blocks] == [[0, 0, 1], [4, 0, 0]]
