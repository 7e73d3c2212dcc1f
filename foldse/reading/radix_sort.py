"""The ranks of numbers most of which differ, by sorting their bits (compiled kernels).

Numbers are dealt to parts, each a range of them, and a part is sorted at a time: it stays in a cache, and
what the sort takes is little beside a large table. All passes over the whole column go in order.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from foldse.runtime.kernels import kernel

__all__ = ["rank_by_sorting"]

PART: Final = 1 << 18  # numbers that are sorted at a time, about
MOST_PARTS: Final = 64  # about: each number is compared with the bounds of all
SAMPLED: Final = 64  # numbers for each part, to tell where it ends

DIGIT_BITS: Final = 11
FIRST_DIGITS: Final = 3  # of the range of a part: sorted by these, few numbers are out of place
ALL_DIGITS: Final = 6
MOST_MOVES: Final = 4  # for each number, to put those in place


@kernel
def _key(number):
    """Return bits that, as a whole number, are in the order of the numbers; equal numbers have equal bits.

    Parameters
    ----------
    number : float

    Returns
    -------
    uint64
    """
    bits = np.float64(number + 0.0).view(np.uint64)  # -0.0 is 0.0
    return ~bits if bits >> np.uint64(63) else bits | (np.uint64(1) << np.uint64(63))


@kernel
def _deal(values, bounds, parts):
    """Write the part of each value; return how many there are of each.

    Parameters
    ----------
    values : array of float64 or int64, shape (n_rows,)
    bounds : array of float64, shape (n_parts - 1,)
        The largest numbers of all parts but the last, ascending.
    parts : array of int32, shape (n_rows,)
        Written to; n_parts for NaN.

    Returns
    -------
    array of int64, shape (n_parts + 1,)
    """
    n_parts = len(bounds) + 1
    sizes = np.zeros(n_parts + 1, dtype=np.int64)
    for row in range(len(values)):
        number = float(values[row])
        # All bounds, at several a step: halving them would take a mispredicted branch for each half.
        part = 0
        for i in range(len(bounds)):  # an iterator would not be compiled to that
            part += int(number > bounds[i])
        if number != number:
            part = n_parts
        parts[row] = part
    for part in parts:
        sizes[part] += 1
    return sizes


@kernel
def _sort_by_digits(keys, rows, spare_keys, spare_rows, least, drop, n_digits):
    """Sort keys, and the rows that go with them, by digits of ``(key - least) >> drop``.

    Parameters
    ----------
    keys, spare_keys : array of uint64, shape (n,)
        Overwritten.
    rows, spare_rows : array of int32, shape (n,)
        Overwritten.
    least : uint64
        Of the keys.
    drop : uint64
        How many of the last bits are not looked at.
    n_digits : int
        Of `DIGIT_BITS` bits each.

    Returns
    -------
    bool
        Whether they ended up in the spare arrays.
    """
    mask = np.uint64((1 << DIGIT_BITS) - 1)
    counts = np.zeros((n_digits, 1 << DIGIT_BITS), dtype=np.int32)
    for key in keys:
        above = (key - least) >> drop
        for digit in range(n_digits):
            counts[digit, (above >> np.uint64(digit * DIGIT_BITS)) & mask] += 1
    moved = False
    for digit in range(n_digits):
        if counts[digit].max() == len(keys):
            continue
        total = 0
        for value in range(1 << DIGIT_BITS):
            total, counts[digit, value] = total + counts[digit, value], total
        shift = np.uint64(digit * DIGIT_BITS)
        for i in range(len(keys)):
            key = keys[i]
            value = (((key - least) >> drop) >> shift) & mask
            place = counts[digit, value]
            counts[digit, value] = place + 1
            spare_keys[place] = key
            spare_rows[place] = rows[i]
        keys, spare_keys = spare_keys, keys
        rows, spare_rows = spare_rows, rows
        moved = not moved
    return moved


@kernel
def _put_in_place(keys, rows):
    """Sort what is nearly sorted; return whether that took few moves.

    Parameters
    ----------
    keys : array of uint64, shape (n,)
        Sorted in place; partly after too many moves.
    rows : array of int32, shape (n,)
        Moved with the keys.

    Returns
    -------
    bool
    """
    moves = 0
    for i in range(1, len(keys)):
        key, row, place = keys[i], rows[i], i
        while place > 0 and keys[place - 1] > key:
            keys[place], rows[place] = keys[place - 1], rows[place - 1]
            place -= 1
        keys[place], rows[place] = key, row
        moves += i - place
        if moves > MOST_MOVES * len(keys):
            return False
    return True


@kernel
def _rank_keys(dealt, first, rows, keys, spare_keys, spare_rows):
    """Replace keys by their ranks; return how many are distinct.

    Parameters
    ----------
    dealt : array of uint64, shape (n,)
        The keys; changed in place.
    first : int
        The least rank.
    rows, spare_rows : array of int32, shape (n,)
        Overwritten.
    keys, spare_keys : array of uint64, shape (n,)
        Overwritten.

    Returns
    -------
    int
    """
    n_keys = len(dealt)
    if n_keys == 0:
        return 0
    least = largest = dealt[0]
    for key in dealt:
        least, largest = min(least, key), max(largest, key)
    if least == largest:
        dealt[:] = np.uint64(first)
        return 1
    for i in range(n_keys):
        keys[i], rows[i] = dealt[i], i
    drop = np.uint64(0)
    while (largest - least) >> drop >> np.uint64(FIRST_DIGITS * DIGIT_BITS):
        drop += np.uint64(1)
    moved = _sort_by_digits(keys, rows, spare_keys, spare_rows, least, drop, FIRST_DIGITS)
    if moved:
        keys, spare_keys, rows, spare_rows = spare_keys, keys, spare_rows, rows
    if drop and not _put_in_place(keys, rows):  # most are close together, a few far away from these
        moved = _sort_by_digits(keys, rows, spare_keys, spare_rows, least, np.uint64(0), ALL_DIGITS)
        if moved:
            keys, rows = spare_keys, spare_rows
    rank = np.uint64(first)
    for i in range(n_keys):
        if i and keys[i] != keys[i - 1]:
            rank += np.uint64(1)
        dealt[rows[i]] = rank
    return int(rank) - first + 1


@kernel
def _rank_parts(values, sizes, positions):
    """Replace the part of each value by its rank; return how many numbers are distinct.

    Parameters
    ----------
    values : array of float64 or int64, shape (n_rows,)
    sizes : array of int64, shape (n_parts + 1,)
        As `_deal` returns them.
    positions : array of int32, shape (n_rows,)
        As `_deal` writes them; changed in place.

    Returns
    -------
    int
    """
    n_parts = len(sizes) - 1
    ends = np.cumsum(sizes[:n_parts])
    n_numbers = ends[-1]
    places = ends - sizes[:n_parts]
    dealt = np.empty(n_numbers, dtype=np.uint64)
    for row in range(len(values)):
        part = positions[row]
        if part < n_parts:
            dealt[places[part]] = _key(float(values[row]))
            places[part] += 1
    largest = sizes[:n_parts].max()
    keys, spare_keys = np.empty(largest, dtype=np.uint64), np.empty(largest, dtype=np.uint64)
    rows, spare_rows = np.empty(largest, dtype=np.int32), np.empty(largest, dtype=np.int32)
    n_distinct = np.int64(0)
    for part in range(n_parts):
        size, end = sizes[part], ends[part]
        n_distinct += _rank_keys(
            dealt[end - size : end],
            n_distinct,
            rows[:size],
            keys[:size],
            spare_keys[:size],
            spare_rows[:size],
        )
        places[part] = end - size
    for row in range(len(values)):
        part = positions[row]
        if part == n_parts:
            positions[row] = n_distinct
        else:
            positions[row] = dealt[places[part]]
            places[part] += 1
    return n_distinct


def _bounds(values: np.ndarray) -> np.ndarray:
    """Return bounds between parts of about the same size, from a sample: they decide about time only.

    A number that many rows have becomes a part of its own, which needs no sort.
    """
    n_parts = min(MOST_PARTS, 1 + len(values) // PART)
    if n_parts == 1:
        return np.empty(0)
    rows = np.random.default_rng(0).integers(0, len(values), SAMPLED * n_parts)
    sample = np.sort(values[rows].astype(np.float64))
    sample = sample[~np.isnan(sample)]
    if len(sample) < n_parts:
        return np.empty(0)
    bounds, times = np.unique(sample[len(sample) * np.arange(1, n_parts) // n_parts], return_counts=True)
    return np.unique([*bounds, *np.nextafter(bounds[times > 1], -np.inf)])


def rank_by_sorting(values: np.ndarray, positions: np.ndarray) -> int:
    """Rank numbers among their distinct values.

    Parameters
    ----------
    values : numpy.ndarray of float64 or int64, shape (n_rows,)
        NaN is a missing value.
    positions : numpy.ndarray of int32, shape (n_rows,)
        Set to the position of each value among the distinct ones, ascending; behind them for a missing one.

    Returns
    -------
    int
        How many are distinct.

    Notes
    -----
    Takes, beside `positions`, eight bytes a row, and 24 a row of the largest part that is sorted.
    """
    sizes = _deal(values, _bounds(values), positions)
    return int(_rank_parts(values, sizes, positions))
