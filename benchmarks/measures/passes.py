"""One pass that counts every code of a table once: what learning is measured against."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from foldse.reading.encoding import EncodedTable
from foldse.runtime.kernels import kernel
from foldse.search.histogram_layout import HistogramLayout
from foldse.search.histograms import HistogramUpdate
from foldse.search.rows import NO_ROWS
from foldse.search.workspace import FeatureShares, Share


class Pass(NamedTuple):
    """A pass over a table.

    Attributes
    ----------
    count : callable
        Adds each row to the bins of its codes.
    counts : list of numpy.ndarray of int32
        For each feature what its codes were counted to: by code, or by code and label.
    """

    count: Callable[[], object]
    counts: list[np.ndarray]


def kernel_pass(codes: EncodedTable, labels: np.ndarray) -> Pass:
    """Return a pass by the kernel and with the threads that learning uses; labels are not looked at."""
    # In fit the numbers of a column of many share bins; the pass counts every code.
    layout = HistogramLayout.from_table(codes, max_numeric_bins=None)
    counts = np.zeros((2, layout.n_bins), dtype=np.int32)
    everything = HistogramUpdate((np.arange(codes.n_rows, dtype=np.uint32), NO_ROWS))
    shares = FeatureShares(codes)

    def count(share: Share) -> None:
        for matrix, features in share.parts:
            everything.apply(matrix, features, layout, layout.n_bins, None, counts)

    return Pass(
        lambda: shares.each(codes.n_rows * len(codes.features), count),
        [counts[0, known.start : known.start + known.n_bins] for known in layout.features],
    )


@kernel
def _count_by_label(column, labels, counts):
    for row in range(len(column)):
        counts[column[row], labels[row]] += 1


def plain_loop(codes: EncodedTable, labels: np.ndarray) -> Pass:
    """Return a pass by a loop over the rows of each column, in one thread, by label."""
    columns = [codes.codes(feature) for feature in range(len(codes.features))]
    n_labels = int(labels.max()) + 1
    counts = [np.zeros((size, n_labels), dtype=np.int32) for size in np.diff(codes.offsets)]

    def count() -> None:
        for column, of_column in zip(columns, counts, strict=True):
            _count_by_label(column, labels, of_column)

    return Pass(count, counts)
