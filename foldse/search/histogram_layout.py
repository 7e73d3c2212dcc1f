"""Where the codes of a table are counted: the bins of its histograms.

A feature of ten numbers and three categories, whose numbers share bins (`shift` is 2)::

    codes            0 1 2 3   4 5 6 7   8 9  | 10  11  12     n_numeric = 10, n_codes = 13
    bins                0         1       2   |  3   4   5     n_bins = 6
                     number c: bin c >> shift | then one for each category

    counts[0]    ... n   n   n   n   n   n  (padding)  n   n   n ...    rows of one class
    counts[1]    ... n   n   n   n   n   n  (padding)  n   n   n ...    rows of the other
                     ^ start of the feature            ^ start of the next

With a shift of 0 every code has its bin, and the scan sums blocks of 64 codes to pass over those that
cannot hold the best threshold (`foldse.search.scan`). With a larger one a bin is such a block, and only the
codes of bins that may hold the best threshold are counted one by one (`foldse.search.refine`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from foldse.reading.encoding import EncodedTable
from foldse.runtime.kernels import kernel
from foldse.search.candidates import ALL_OPS

__all__ = ["FEATURE_BINS", "HistogramLayout", "has_bins", "is_exact"]

FEATURE_BINS: Final = np.dtype(
    (
        np.record,
        [
            ("row", np.int64),  # of the feature in its matrix of codes
            ("first_code", np.int64),  # position of its code 0 among the codes of all features
            ("n_codes", np.int64),
            ("n_numeric", np.int64),  # codes that are numbers, which come first
            ("last_first", np.int64),  # 1 where of tied categories the last is taken, else 0
            ("allowed", np.int64),  # which comparisons may be made: a bit for each of candidates.OPS
            ("shift", np.int64),  # 2**shift numbers share a bin
            ("start", np.int64),  # its first bin; -1 where it has none
            ("n_bins", np.int64),
        ],
    )
)
"""What the kernels know of a feature."""

MAX_NUMERIC_BINS: Final = 512  # the bins of a feature, of both classes, stay in the fastest cache
BIN_PADDING: Final = 16  # bins between two features: no two threads write to one line of a cache
MIN_TOTAL_BINS: Final = 500_000  # that a table may have in any case: few megabytes


@kernel
def has_bins(bins, max_bins):
    """Return whether a feature has bins, and not too many.

    Parameters
    ----------
    bins : record of FEATURE_BINS
    max_bins : int

    Returns
    -------
    bool
    """
    return bins.start >= 0 and bins.n_bins <= max_bins


@kernel
def is_exact(bins, max_bins):
    """Return whether a feature has a bin for each code, and not too many.

    Parameters
    ----------
    bins : record of FEATURE_BINS
    max_bins : int

    Returns
    -------
    bool
    """
    return has_bins(bins, max_bins) and bins.shift == 0


@dataclass(frozen=True, slots=True)
class HistogramLayout:
    """Which bin counts which code.

    Attributes
    ----------
    features : numpy.ndarray of FEATURE_BINS, shape (n_features,)
    n_bins : int
        Of all features, with the padding between them.
    """

    features: np.ndarray
    n_bins: int

    @classmethod
    def from_table(
        cls, table: EncodedTable, max_numeric_bins: int | None = MAX_NUMERIC_BINS
    ) -> HistogramLayout:
        """Lay out the histograms of a table.

        Parameters
        ----------
        table : EncodedTable
        max_numeric_bins : int or None
            Numbers of a feature share this many bins if there are more than twice as many numbers, or eight
            times where the table has 128 rows for each number: then reading the rows again costs more than
            a slower histogram. None gives every code a bin of its own.

        Notes
        -----
        Bins go to the features that need the fewest first, as long as there are not too many in all: half a
        million, or one for each 512 cells of the table.
        """
        n_rows, n_numeric, sizes = table.n_rows, table.n_numbers, np.diff(table.offsets)
        features = np.zeros(len(sizes), dtype=FEATURE_BINS)
        features["row"] = [row for _, row in table.places]
        features["first_code"] = table.offsets[:-1]
        features["n_codes"] = sizes
        features["n_numeric"] = n_numeric
        features["last_first"] = table.last_first
        features["allowed"] = ALL_OPS if table.allowed is None else table.allowed
        max_total = math.inf
        if max_numeric_bins is not None:
            max_total = max(MIN_TOTAL_BINS, len(sizes) * n_rows // 512)
            features["shift"] = [_shift(int(n), max_numeric_bins, n_rows) for n in n_numeric]
        numeric_bins = np.ceil(n_numeric / 2.0 ** features["shift"]).astype(np.int64)
        features["n_bins"] = numeric_bins + sizes - n_numeric
        features["start"] = -1
        taken = 0
        for feature in np.argsort(features["n_bins"], kind="stable"):
            n_bins = int(features["n_bins"][feature])
            if taken + n_bins > max_total:
                break
            features["start"][feature] = taken
            taken += math.ceil(n_bins / BIN_PADDING + 1) * BIN_PADDING
        return cls(features, taken)

    def needs_refinement(self, max_bins: int) -> np.ndarray:
        """Return which features have not a bin for each code, as bool of shape (n_features,).

        Parameters
        ----------
        max_bins : int
            A feature of more bins counts as one without.
        """
        known = self.features
        return (known["start"] < 0) | (known["n_bins"] > max_bins) | (known["shift"] > 0)


def _shift(n_numbers: int, max_bins: int, n_rows: int) -> int:
    """Return how many numbers share a bin, as a power of two: none, or at least four."""
    if n_numbers <= max(2 * max_bins, min(8 * max_bins, n_rows // 128)):
        return 0
    shift = 2
    while (n_numbers + (1 << shift) - 1) >> shift > max_bins:
        shift += 1
    return shift
