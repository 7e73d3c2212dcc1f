"""The distinct values of an array and each row's position among them (compiled kernels)."""

from __future__ import annotations

import itertools

import numpy as np

from foldse.compiling import kernel

__all__ = ["distinct_numbers", "note", "recode"]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio: spreads neighbouring keys

PART = 500_000  # numbers that are sorted at a time: what a sort takes should be little beside a table

EXACT = 2**53  # below which a float tells whole numbers apart

DIGIT_BITS = 11
DIGITS = 6  # of DIGIT_BITS bits, all 64


@kernel
def _survey(values):
    """Return (any number, all of them whole, least, largest) of the values that are numbers."""
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
    """Rank whole numbers of a small range by a table with a place for each; return the distinct ones."""
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
    return (bits * GOLDEN) >> np.uint64(64 - table_bits)


@kernel
def _hash_numbers(values, most, positions):
    """Number the distinct values in order of appearance, -1 for NaN; return them.

    Gives up, and returns more than `most` values, as soon as there are more.
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
def _rank_by_sorting(values, positions):
    """Rank numbers by a radix sort, in time that grows with their number; return how many are distinct."""
    keys = np.empty(len(values), dtype=np.uint64)
    numbers = keys.view(np.float64)
    sign = np.uint64(1) << np.uint64(63)
    mask = np.uint64((1 << DIGIT_BITS) - 1)
    counts = np.zeros((DIGITS, 1 << DIGIT_BITS), dtype=np.int32)
    n_present = 0
    for row in range(len(values)):
        number = float(values[row]) + 0.0
        if number == number:
            numbers[n_present] = number
            # Flipped so that the order of the bits as a whole number is that of the numbers.
            key = keys[n_present]
            key = ~key if key & sign else key | sign
            keys[n_present] = key
            for digit in range(DIGITS):
                counts[digit, (key >> np.uint64(digit * DIGIT_BITS)) & mask] += 1
            n_present += 1
    differs = np.empty(DIGITS, dtype=np.bool_)
    n_differing = 0
    for digit in range(DIGITS):
        differs[digit] = n_present > 0
        for count in counts[digit]:
            if count == n_present:
                differs[digit] = False
        n_differing += int(differs[digit])
    # Rows go to and fro between two arrays, of which the last must not be the result.
    scratch = np.empty(len(values), dtype=np.int32)
    rows, other_rows = (scratch, positions) if n_differing % 2 == 0 else (positions, scratch)
    n_present = 0
    for row in range(len(values)):
        if values[row] == values[row]:
            rows[n_present] = row
            n_present += 1
    other_keys = np.empty_like(keys)
    for digit in range(DIGITS):
        if not differs[digit]:
            continue
        shift = np.uint64(digit * DIGIT_BITS)
        total = 0
        for value in range(1 << DIGIT_BITS):
            total, counts[digit, value] = total + counts[digit, value], total
        for i in range(n_present):
            key = keys[i]
            value = (key >> shift) & mask
            place = counts[digit, value]
            counts[digit, value] = place + 1
            other_keys[place] = key
            other_rows[place] = rows[i]
        keys, other_keys = other_keys, keys
        rows, other_rows = other_rows, rows
    n_distinct = 0
    for i in range(n_present):
        if i == 0 or keys[i] != keys[i - 1]:
            n_distinct += 1
        positions[rows[i]] = n_distinct - 1
    for row in range(len(values)):
        if values[row] != values[row]:
            positions[row] = n_distinct
    return n_distinct


@kernel
def _representatives(values, positions, numbers):
    """Write the number at each position."""
    for row in range(len(values)):
        if positions[row] < len(numbers):
            numbers[positions[row]] = float(values[row]) + 0.0


@kernel
def note(positions, occurs):
    """Set what stands at each position; a position of -1 is the last."""
    for position in positions:
        occurs[position] = True


@kernel
def recode(positions, rank, codes):
    """Write ``rank[position]`` for each position to `codes`; a position of -1 is the last of `rank`."""
    for row in range(len(positions)):
        codes[row] = rank[positions[row]]


@kernel
def _rows_between(values, above, upto, rows):
    n_rows = 0
    for row in range(len(values)):
        rows[n_rows] = row
        n_rows += int((values[row] > above) & (values[row] <= upto))
    return n_rows


@kernel
def _place_least(values, positions):
    """Give minus infinity, which is in no part, the first position; return whether it occurs."""
    found = 0
    for row in range(len(values)):
        if values[row] == -np.inf:
            positions[row] = 0
            found = 1
    return found


@kernel
def _place_missing(values, position, positions):
    for row in range(len(values)):
        if values[row] != values[row]:
            positions[row] = position


def _rank_in_parts(values: np.ndarray, positions: np.ndarray) -> int:
    """Rank numbers, a range of them at a time if they are many: a sort takes five times their codes."""
    if len(values) <= PART:
        return int(_rank_by_sorting(values, positions))
    # Every so many-th value: bounds between parts of about the same size. They decide about time only.
    sample = np.sort(values[:: max(1, len(values) // 10_000)])
    sample = sample[~np.isnan(sample)] if sample.dtype.kind == "f" else sample
    n_parts = -(-len(values) // PART)
    bounds = [-np.inf, *(float(b) for b in np.quantile(sample, np.arange(1, n_parts) / n_parts)), np.inf]
    n_numbers = int(_place_least(values, positions))
    rows = np.empty(len(values), dtype=np.int32)
    for above, upto in itertools.pairwise(bounds):
        here = rows[: _rows_between(values, above, upto, rows)]
        ranks = np.empty(len(here), dtype=np.int32)
        found = int(_rank_by_sorting(values[here], ranks))
        positions[here] = ranks + np.int32(n_numbers)
        n_numbers += found
    _place_missing(values, n_numbers, positions)
    return n_numbers


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
        recode(positions, rank, positions)
        return found[order], len(found), positions
    n_numbers = _rank_in_parts(values, positions)
    if n_numbers > most:
        return None, n_numbers, positions
    numbers = np.empty(n_numbers, dtype=np.float64)
    _representatives(values, positions, numbers)
    return numbers, n_numbers, positions
