"""Distinct numbers and positions by hand: by a table of whole numbers, by hashing, by sorting."""

import numpy as np
import pytest

from foldse.reading.factorize import (
    _hash_numbers,
    _rank_whole,
    _representatives,
    _survey,
    distinct_numbers,
    mark_present,
    remap,
)

NAN = float("nan")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([3.0, -1.0, 2.0], (True, True, -1, 3)),
        ([3.0, NAN, 2.5], (True, False, 2.5, 3)),
        ([NAN, NAN], (False, True, np.inf, -np.inf)),
        ([], (False, True, np.inf, -np.inf)),
        ([0.0, np.inf], (True, True, 0, np.inf)),
    ],
)
def test_what_numbers_there_are(values, expected):
    assert tuple(_survey(np.array(values, dtype=np.float64))) == expected


def test_whole_numbers_are_ranked_by_a_table():
    positions = np.empty(5, dtype=np.int32)
    numbers = _rank_whole(np.array([4.0, NAN, -2.0, 4.0, 1.0]), -2.0, 7, positions)
    assert (numbers.tolist(), positions.tolist()) == ([-2, 1, 4], [2, 3, 0, 2, 1])


@pytest.mark.filterwarnings("ignore:overflow")
def test_few_numbers_are_told_apart_by_hashing():
    positions = np.empty(6, dtype=np.int32)
    numbers = _hash_numbers(np.array([0.5, -0.0, NAN, 0.25, 0.0, 0.5]), 3, positions)
    assert (numbers.tolist(), positions.tolist()) == ([0.5, 0, 0.25], [0, 1, -1, 2, 1, 0])
    assert len(_hash_numbers(np.array([0.5, 1.5, 2.5, 2.5]), 2, positions[:4])) == 3


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("n", [512, 513, 5000])
def test_a_hash_table_that_grows_keeps_what_it_holds(n):
    values = np.arange(n) / 7
    positions = np.empty(2 * n, dtype=np.int32)
    numbers = _hash_numbers(np.concatenate([values, values[::-1]]), n, positions)
    assert numbers.tolist() == values.tolist()
    assert positions.tolist() == [*range(n), *range(n)[::-1]]


def test_numbers_at_their_positions():
    numbers = np.zeros(2)
    _representatives(np.array([2.5, NAN, -0.0, 2.5]), np.array([1, 2, 0, 1], dtype=np.int32), numbers)
    assert numbers.tolist() == [0, 2.5]
    assert not np.signbit(numbers[0])


def test_the_last_stands_for_what_is_missing():
    positions = np.array([0, -1, 2], dtype=np.int32)
    occurs = np.zeros(5, dtype=np.bool_)
    mark_present(positions, occurs)
    assert occurs.tolist() == [True, False, True, False, True]
    codes = np.empty(3, dtype=np.int32)
    remap(positions, np.array([7, 8, 9, 4], dtype=np.int32), codes)
    assert codes.tolist() == [7, 4, 9]


@pytest.mark.parametrize(
    ("values", "numbers", "positions"),
    [
        ([3, 1, 3], [1, 3], [1, 0, 1]),
        ([0.5, NAN, 0.25], [0.25, 0.5], [1, 2, 0]),
        ([-0.0, 0.0], [0.0], [0, 0]),
        ([np.inf, -np.inf, 1.0], [-np.inf, 1, np.inf], [2, 0, 1]),
        ([NAN], [], [0]),
        (np.array([2**53, 2**53 + 1, 5]), [5, 2**53], [1, 1, 0]),  # as floats two of them are equal
        (np.array([2**64 - 1, 0], dtype=np.uint64), [0, 2.0**64], [1, 0]),
        (np.array([1, 0, 1], dtype=np.int8), [0, 1], [1, 0, 1]),
    ],
)
def test_distinct_numbers_ascending(values, numbers, positions):
    found = distinct_numbers(np.array(values), 10)
    assert (found[0].tolist(), found[1], found[2].tolist()) == (numbers, len(numbers), positions)


def test_many_numbers_are_sorted_and_listed_up_to_a_limit():
    values = np.array([*np.arange(200) / 7, NAN])[::-1].copy()
    numbers, n_numbers, positions = distinct_numbers(values, 200)
    assert (numbers.tolist(), n_numbers) == ((np.arange(200) / 7).tolist(), 200)
    assert positions.tolist() == [*range(201)][::-1]
    numbers, n_numbers, again = distinct_numbers(values, 199)
    assert (numbers, n_numbers) == (None, 200)
    assert again.tolist() == positions.tolist()
