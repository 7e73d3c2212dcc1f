"""Ranks of numbers against NumPy's sorted distinct values."""

from __future__ import annotations

import numpy as np
import pytest

from foldse.reading import radix_sort as ranking
from foldse.reading.factorize import distinct_numbers
from foldse.reading.radix_sort import rank_by_sorting


def oracle(values: np.ndarray) -> tuple[int, np.ndarray]:
    numbers = np.unique(values[~np.isnan(values.astype(np.float64))].astype(np.float64))
    return len(numbers), np.searchsorted(numbers, values.astype(np.float64)).astype(np.int32)


def checked(values: np.ndarray) -> int:
    positions = np.full(len(values), -7, dtype=np.int32)
    n_numbers = rank_by_sorting(values, positions)
    expected, ranks = oracle(values)
    assert n_numbers == expected
    np.testing.assert_array_equal(positions, np.where(np.isnan(values), expected, ranks))
    return n_numbers


def clustered(rng: np.random.Generator, n_rows: int) -> np.ndarray:
    """Most numbers within the last bits of one another, and a few that stretch the range."""
    near = (np.float64(1.0).view(np.uint64) + rng.integers(0, 1 << 12, n_rows).astype(np.uint64)).view(
        np.float64
    )
    near[:: max(1, n_rows // 7)] = 1e300
    near[3 :: max(4, n_rows // 5)] = -1e-300
    return near


MADE = {
    "normal": lambda rng, n: rng.normal(size=n),
    "spread over all exponents": lambda rng, n: np.exp(rng.uniform(-700, 700, n)) * rng.choice([-1, 1], n),
    "clustered": clustered,
    "repeated": lambda rng, n: rng.normal(size=max(1, n // 3))[rng.integers(0, max(1, n // 3), n)],
    "equal": lambda rng, n: np.full(n, 0.1),
    "half of them zero": lambda rng, n: np.where(rng.random(n) < 0.5, 0.0, rng.normal(size=n)),
    "whole": lambda rng, n: rng.integers(-(2**52), 2**52, n),
    "descending": lambda rng, n: -np.arange(n) / 3,
}


@pytest.mark.parametrize("kind", MADE)
@pytest.mark.parametrize("n_rows", [1, 2, 100, 5_000])
@pytest.mark.parametrize("part", [1 << 18, 700, 16])
def test_ranks_are_those_of_sorted_distinct_numbers(kind, n_rows, part, monkeypatch):
    monkeypatch.setattr(ranking, "PART", part)
    checked(MADE[kind](np.random.default_rng(n_rows), n_rows))


@pytest.mark.parametrize("part", [1 << 18, 300])
def test_missing_infinite_and_negative_zero(part, monkeypatch):
    monkeypatch.setattr(ranking, "PART", part)
    values = np.random.default_rng(3).normal(size=4_000)
    for step, value in ((7, np.nan), (11, np.inf), (13, -np.inf), (17, 0.0), (19, -0.0)):
        values[::step] = value
    checked(values)


def test_ranks_do_not_depend_on_where_parts_end(monkeypatch):
    values = np.random.default_rng(5).standard_cauchy(20_000)
    found = []
    for part in (1 << 18, 5_000, 1_000, 50):
        monkeypatch.setattr(ranking, "PART", part)
        positions = np.empty(len(values), dtype=np.int32)
        found.append((rank_by_sorting(values, positions), positions))
    for n_numbers, positions in found[1:]:
        assert n_numbers == found[0][0]
        np.testing.assert_array_equal(positions, found[0][1])


@pytest.mark.parametrize("often", [0.0, -1.5, 7])
def test_a_number_that_many_rows_have_is_not_sorted_with_others(often, monkeypatch):
    monkeypatch.setattr(ranking, "PART", 500)
    rng = np.random.default_rng(2)
    values = np.where(rng.random(10_000) < 0.8, often, rng.normal(size=10_000))
    parts = np.empty(len(values), dtype=np.int32)
    sizes = ranking._deal(values, ranking._bounds(values), parts)
    assert set(values[parts == parts[values == often][0]].tolist()) == {often}
    assert sizes.sum() == len(values)
    checked(values)


def test_a_period_in_the_rows_does_not_matter(monkeypatch):
    monkeypatch.setattr(ranking, "PART", 500)
    values = np.random.default_rng(2).normal(size=16_384)
    values[::4] = 0.0
    sizes = ranking._deal(values, ranking._bounds(values), np.empty(len(values), dtype=np.int32))
    assert sizes.max() < 2 * 16_384 // 4
    checked(values)


def test_only_missing_or_nothing():
    for n_rows in (0, 5):
        positions = np.full(n_rows, 9, dtype=np.int32)
        assert rank_by_sorting(np.full(n_rows, np.nan), positions) == 0
        assert positions.tolist() == [0] * n_rows


@pytest.mark.parametrize("most", [10, 10_000])
def test_a_column_of_many_numbers_lists_them_up_to_a_limit(most):
    values = np.random.default_rng(8).normal(size=3_000)
    numbers, n_numbers, positions = distinct_numbers(values, most)
    assert n_numbers == 3_000
    if most < n_numbers:
        assert numbers is None
    else:
        np.testing.assert_array_equal(numbers, np.sort(values))
        np.testing.assert_array_equal(numbers[positions], values)
