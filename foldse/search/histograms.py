"""Counting the rows of an encoded table by bin (compiled kernels).

Rows are uint32 throughout, and what indexes an array is unsigned: the compiler then needs no test for
negative positions, which would take as long as the counting itself. Assignments to slices are written as
loops: they take a second to compile.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldse.runtime.kernels import kernel
from foldse.search.histogram_layout import HistogramLayout, has_bins, is_exact

__all__ = ["HistogramUpdate"]


@kernel
def _add_codes(codes, features, layout, rows, weights, sign, counts):
    """Add rows to the bins of features each code of which has one.

    Parameters
    ----------
    codes : array of unsigned int, shape (n_matrix_rows, n_rows)
    features : array of int64
    layout : array of FEATURE_BINS, shape (n_features,)
    rows : array of uint32
    weights : array of int64, shape (n_rows,), or None
    sign : int
        1 to add, -1 to subtract.
    counts : array of int32 or int64, shape (n_bins,)
        Of one class; changed in place.

    Returns
    -------
    None
    """
    # Four features at a time: adding to one bin twice in a row waits for the first addition.
    whole = len(features) - len(features) % 4
    for first in range(0, whole, 4):
        a, b = layout[features[first]], layout[features[first + 1]]
        c, d = layout[features[first + 2]], layout[features[first + 3]]
        codes_a, counts_a = codes[a.row], counts[a.start :]
        codes_b, counts_b = codes[b.row], counts[b.start :]
        codes_c, counts_c = codes[c.row], counts[c.start :]
        codes_d, counts_d = codes[d.row], counts[d.start :]
        for row in rows:
            weight = sign if weights is None else sign * weights[row]
            counts_a[codes_a[row]] += weight
            counts_b[codes_b[row]] += weight
            counts_c[codes_c[row]] += weight
            counts_d[codes_d[row]] += weight
    for feature in features[whole:]:
        column, of_feature = codes[layout[feature].row], counts[layout[feature].start :]
        for row in rows:
            of_feature[column[row]] += sign if weights is None else sign * weights[row]


@kernel
def _add_binned(column, n_numeric, shift, rows, weights, sign, counts):
    """Add rows to the bins of a feature whose numbers share them.

    Parameters
    ----------
    column : array of unsigned int, shape (n_rows,)
        Codes of the feature.
    n_numeric, shift : int
        See `FEATURE_BINS`.
    rows : array of uint32
    weights : array of int64, shape (n_rows,), or None
    sign : int
        1 to add, -1 to subtract.
    counts : array of int32 or int64
        Of one class, from the feature's first bin on; changed in place.

    Returns
    -------
    None
    """
    n_numeric, shift = np.uint32(n_numeric), np.uint32(shift)
    # Category k has the bin after the last of numbers plus k.
    back = n_numeric - np.uint32(((n_numeric - np.uint32(1)) >> shift) + np.uint32(1))
    for row in rows:
        code = np.uint32(column[row])
        position = code >> shift if code < n_numeric else np.uint32(code - back)
        counts[position] += sign if weights is None else sign * weights[row]


@kernel
def _update(codes, features, layout, max_bins, weights, rows, signs, clear, counts):
    """Change the histograms of both classes, for features that have bins and not too many.

    Parameters
    ----------
    codes : array of unsigned int, shape (n_matrix_rows, n_rows)
    features : array of int64
        Of this matrix.
    layout : array of FEATURE_BINS, shape (n_features,)
    max_bins : int
        Features of more bins are left alone.
    weights : array of int64, shape (n_rows,), or None
    rows : (array of uint32, array of uint32)
        For each row of `counts`.
    signs : (int, int)
        1 to add, -1 to subtract.
    clear : (bool, bool)
        Whether to begin with empty bins.
    counts : array of int32 or int64, shape (2, n_bins)
        Changed in place.

    Returns
    -------
    None
    """
    exact = np.empty(len(features), dtype=np.int64)
    for side in range(2):
        n_exact = 0
        for feature in features:
            known = layout[feature]
            if not has_bins(known, max_bins):
                continue
            if clear[side]:
                for position in range(known.start, known.start + known.n_bins):
                    counts[side, position] = 0
            if is_exact(known, max_bins):
                exact[n_exact] = feature
                n_exact += 1
            else:
                _add_binned(
                    codes[known.row],
                    known.n_numeric,
                    known.shift,
                    rows[side],
                    weights,
                    signs[side],
                    counts[side, known.start :],
                )
        _add_codes(codes, exact[:n_exact], layout, rows[side], weights, signs[side], counts[side])


@dataclass(frozen=True, slots=True)
class HistogramUpdate:
    """What happens to the histograms of both classes, in the order of the rows of the counts.

    Attributes
    ----------
    rows : (numpy.ndarray, numpy.ndarray) of uint32
        Counted in each.
    signs : (int, int)
        1 to add them, -1 to subtract them.
    clear : (bool, bool)
        Whether the bins are set to zero first.
    """

    rows: tuple[np.ndarray, np.ndarray]
    signs: tuple[int, int] = (1, 1)
    clear: tuple[bool, bool] = (False, False)

    @property
    def n_rows(self) -> int:
        """How many rows are counted."""
        return len(self.rows[0]) + len(self.rows[1])

    def apply(
        self,
        codes: np.ndarray,
        features: np.ndarray,
        layout: HistogramLayout,
        max_bins: int,
        weights: np.ndarray | None,
        counts: np.ndarray,
    ) -> None:
        """Change the histograms of some features.

        Parameters
        ----------
        codes : numpy.ndarray of unsigned int
            A matrix of the table.
        features : numpy.ndarray of int64
            Positions of features of the matrix.
        layout : HistogramLayout
        max_bins : int
            Features of more bins are left alone.
        weights : numpy.ndarray of int64, shape (n_rows of the table,), optional
            What each row counts; 1 by default.
        counts : numpy.ndarray of int, shape (2, layout.n_bins)
            Changed in place.
        """
        _update(
            codes, features, layout.features, max_bins, weights, self.rows, self.signs, self.clear, counts
        )
