"""The distinct values of an array and each row's position among them (compiled kernels)."""

from __future__ import annotations

import numpy as np

from foldse.reading.radix_sort import rank_by_sorting
from foldse.runtime.kernels import kernel

__all__ = ["distinct_numbers", "mark_present", "remap"]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio: spreads neighbouring keys

EXACT = 2**53  # below which a float tells whole numbers apart


@kernel
def _survey(values):
    """Return what numbers there are.

    Parameters
    ----------
    values : array of float64 or int64, shape (n_rows,)
        NaN is not a number.

    Returns
    -------
    any_number, all_whole : bool
    least, largest : float
    """
    least, largest = np.inf, -np.inf
    whole = True
    for value in values:
        number = float(value)
        if number < least:
            least = number
        if number > largest:
            largest = number
        whole &= (number == np.floor(number)) | (number != number)
    return least <= largest, whole, least, largest


@kernel
def _rank_whole(values, least, n_possible, positions):
    """Rank whole numbers of a small range by a table with a place for each; return the distinct ones.

    Parameters
    ----------
    values : array of float64 or int64, shape (n_rows,)
    least : float or int
        Of the numbers.
    n_possible : int
        The largest number less the least, plus one.
    positions : array of int32, shape (n_rows,)
        Written to: the rank of each value, the number of ranks for NaN.

    Returns
    -------
    array of float64
        Ascending.
    """
    place = np.zeros(n_possible, dtype=np.int32)
    for value in values:
        if value == value:
            place[int(value - least)] = 1
    n_distinct = 0
    for possible in range(n_possible):
        if place[possible]:
            place[possible] = n_distinct
            n_distinct += 1
        else:
            place[possible] = -1
    numbers = np.empty(n_distinct, dtype=np.float64)
    for possible in range(n_possible):
        if place[possible] >= 0:
            numbers[place[possible]] = least + possible
    for row in range(len(values)):
        value = values[row]
        positions[row] = place[int(value - least)] if value == value else n_distinct
    return numbers


@kernel
def _slot(bits, table_bits):
    """Return where a key is looked for first.

    Parameters
    ----------
    bits : uint64
        Of the number.
    table_bits : int
        The table has 2**table_bits slots.

    Returns
    -------
    uint64
    """
    return (bits * GOLDEN) >> np.uint64(64 - table_bits)


@kernel
def _hash_numbers(values, most, positions):
    """Number the distinct values in order of appearance; return them.

    Parameters
    ----------
    values : array of float64 or int64, shape (n_rows,)
    most : int
        As soon as there are more distinct values, gives up.
    positions : array of int32, shape (n_rows,)
        Written to: the number of each value, -1 for NaN.

    Returns
    -------
    array of float64
        Longer than `most` after giving up.
    """
    table_bits = 10
    table = np.full(1 << table_bits, -1, dtype=np.int32)
    numbers = np.empty(most + 1, dtype=np.float64)
    keys = numbers.view(np.uint64)
    n_distinct = 0
    for row in range(len(values)):
        number = float(values[row]) + 0.0  # -0.0 is 0.0
        if number != number:
            positions[row] = -1
            continue
        numbers[n_distinct] = number  # where it belongs if it is new
        slot = _slot(keys[n_distinct], table_bits)
        last = np.uint64((1 << table_bits) - 1)
        while table[slot] >= 0 and numbers[table[slot]] != number:
            slot = (slot + np.uint64(1)) & last
        if table[slot] < 0:
            table[slot] = n_distinct
            n_distinct += 1
            if n_distinct > most:
                break
            if 2 * n_distinct > len(table):
                table_bits += 2
                table = np.full(1 << table_bits, -1, dtype=np.int32)
                last = np.uint64((1 << table_bits) - 1)
                for known in range(n_distinct):
                    slot = _slot(keys[known], table_bits)
                    while table[slot] >= 0:
                        slot = (slot + np.uint64(1)) & last
                    table[slot] = known
            positions[row] = n_distinct - 1
        else:
            positions[row] = table[slot]
    return numbers[:n_distinct]


@kernel
def _representatives(values, positions, numbers):
    """Write the number at each position.

    Parameters
    ----------
    values : array of float64 or int64, shape (n_rows,)
    positions : array of int32, shape (n_rows,)
        Of the values among the distinct ones; behind them for NaN.
    numbers : array of float64
        The distinct values; written to.

    Returns
    -------
    None
    """
    for row in range(len(values)):
        if positions[row] < len(numbers):
            numbers[positions[row]] = float(values[row]) + 0.0


@kernel
def mark_present(positions, occurs):
    """Mark what occurs.

    Parameters
    ----------
    positions : array of int32, shape (n_rows,)
        -1 is the last.
    occurs : array of bool
        Set at each position.

    Returns
    -------
    None
    """
    for position in positions:
        occurs[position] = True


@kernel
def remap(positions, rank, codes):
    """Write the rank of each position.

    Parameters
    ----------
    positions : array of int32, shape (n_rows,)
        -1 is the last of `rank`.
    rank : array of int
    codes : array of int, shape (n_rows,)
        Written to; may be `positions`.

    Returns
    -------
    None
    """
    for row in range(len(positions)):
        codes[row] = rank[positions[row]]


def distinct_numbers(values: np.ndarray, most: int) -> tuple[np.ndarray | None, int, np.ndarray]:
    """Rank numbers among their distinct values.

    Parameters
    ----------
    values : numpy.ndarray of float or int, shape (n_rows,)
        NaN is a missing value.
    most : int
        Up to how many distinct numbers are returned.

    Returns
    -------
    numbers : numpy.ndarray of float64, or None
        The distinct numbers, ascending, 0.0 for -0.0; None if there are more than `most`.
    n_numbers : int
        How many there are.
    positions : numpy.ndarray of int32, shape (n_rows,)
        Position of each value among them; `n_numbers` for a missing one.
    """
    # Two dtypes are compiled for; a copy in one of them costs less than to compile for another.
    as_float = values.dtype.kind == "f" or values.dtype == np.uint64
    values = np.ascontiguousarray(values, dtype=np.float64 if as_float else np.int64)
    positions = np.empty(len(values), dtype=np.int32)
    any_number, whole, least, largest = _survey(values)
    if values.dtype.kind == "i" and any_number and max(-least, largest) >= EXACT:
        values = values.astype(np.float64)  # as they are compared: a threshold is a float
    if any_number and whole and largest - least < max(4 * len(values), 1 << 16):
        numbers = _rank_whole(values, values.dtype.type(least), int(largest - least) + 1, positions)
        return numbers, len(numbers), positions
    few = max(len(values) // 16, 64)
    with np.errstate(over="ignore"):  # of the hash, which NumPy would tell of where nothing is compiled
        found = _hash_numbers(values, few, positions)
    if len(found) <= few:
        order = np.argsort(found)
        rank = np.empty(len(found) + 1, dtype=np.int32)
        rank[order] = np.arange(len(found), dtype=np.int32)
        rank[-1] = len(found)
        remap(positions, rank, positions)
        return found[order], len(found), positions
    n_numbers = rank_by_sorting(values, positions)
    if n_numbers > most:
        return None, n_numbers, positions
    numbers = np.empty(n_numbers, dtype=np.float64)
    _representatives(values, positions, numbers)
    return numbers, n_numbers, positions
