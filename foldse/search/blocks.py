"""Pairs of counts, and their sums over blocks of codes (compiled kernels).

Counts come in pairs: those of the positives, and those of the negatives. A block is ``2**shift`` codes.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from foldse.runtime.kernels import kernel

__all__ = ["BLOCK_SHIFT", "by_class", "n_blocks", "sum_blocks", "sums_of"]

BLOCK_SHIFT: Final = 6  # blocks of 64 codes, where each has a bin of its own


@kernel
def by_class(counts, positive_row, begin, end):
    """Return the counts of some bins, of the positives and of the negatives.

    Parameters
    ----------
    counts : array of int, shape (2, n_bins)
    positive_row, begin, end : int

    Returns
    -------
    (array of int, array of int)
        Views.
    """
    return counts[positive_row, begin:end], counts[1 - positive_row, begin:end]


@kernel
def sums_of(counts):
    """Return the sums of a pair of counts.

    Parameters
    ----------
    counts : (array of int, array of int)

    Returns
    -------
    (int64, int64)
    """
    pos, neg = np.int64(0), np.int64(0)
    for position in range(len(counts[0])):
        pos += counts[0][position]
        neg += counts[1][position]
    return pos, neg


@kernel
def n_blocks(n_codes):
    """Return how many blocks of 64 so many codes make.

    Parameters
    ----------
    n_codes : int

    Returns
    -------
    int
    """
    return (n_codes + (1 << BLOCK_SHIFT) - 1) >> BLOCK_SHIFT


@kernel
def sum_blocks(counts, shift, is_candidate, blocks):
    """Sum the counts of the candidate blocks; the sums of the others are zero.

    Parameters
    ----------
    counts : (array of int, array of int), shape (n_codes,)
    shift : int
    is_candidate : array of uint8, shape at least (n_blocks,)
    blocks : (array of int64, array of int64), shape (n_blocks,)
        Written to.

    Returns
    -------
    None
    """
    for block in range(len(blocks[0])):
        blocks[0][block], blocks[1][block] = 0, 0
        if is_candidate[block]:
            begin, end = block << shift, min((block + 1) << shift, len(counts[0]))
            blocks[0][block], blocks[1][block] = sums_of((counts[0][begin:end], counts[1][begin:end]))
