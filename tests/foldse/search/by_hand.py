"""What the tests of the kernels share: a table whose codes, bins and scores can be worked out by hand."""

import numpy as np

from foldse.reading.encoding import FeatureCodes, assemble
from foldse.search.candidates import ALL_OPS, BASIC_OPS, blocked_by
from foldse.search.histogram_layout import FEATURE_BINS
from foldse.search.scan import Criterion, Histograms
from foldse.search.split_scores import HEURISTICS


def table(*columns, numeric=None, dtypes=()):
    """Return a table of columns of codes; all of them are numbers unless their count is given."""
    widths = [np.dtype(dtype).itemsize for dtype in dtypes] or [1] * len(columns)
    matrix_of = [{1: 0, 2: 1, 4: 2}[width] for width in widths]
    n_codes = [max(column) + 1 for column in columns]
    n_numeric = n_codes if numeric is None else numeric
    features = tuple(
        FeatureCodes(f"x{i}", k, tuple(f"c{j}" for j in range(n - k)), np.arange(k, dtype=float))
        for i, (n, k) in enumerate(zip(n_codes, n_numeric, strict=True))
    )
    matrices, places = [], []
    for position, dtype in enumerate((np.uint8, np.uint16, np.uint32)):
        rows = [column for column, m in zip(columns, matrix_of, strict=True) if m == position]
        matrices.append(np.array(rows, dtype=dtype).reshape(len(rows), len(columns[0])))
    for i, m in enumerate(matrix_of):
        places.append((m, matrix_of[:i].count(m)))
    return assemble(features, matrices, places)


def layout(*features):
    """Return a layout of (n_codes, n_numeric, shift, start) a feature; a start of -1 is none."""
    known = np.zeros(len(features), dtype=FEATURE_BINS)
    first_code = 0
    for i, (n_codes, n_numeric, shift, start) in enumerate(features):
        n_bins = -(-n_numeric // 2**shift) + n_codes - n_numeric
        known[i] = (i, first_code, n_codes, n_numeric, 0, ALL_OPS, shift, start, n_bins)
        first_code += n_codes
    return known


def criterion(totals, heuristic="magic_gini", blocked=(), negated=True, comparisons=()):
    """Values that are blocked for all comparisons, and single comparisons."""
    blocked = [x for position in blocked for x in blocked_by(position)]
    return Criterion(
        np.array([*blocked, *comparisons], dtype=np.int64),
        ALL_OPS if negated else BASIC_OPS,
        HEURISTICS.index(heuristic),
        totals,
    )


def histograms(known, positive, negative, max_bins=1000):
    return Histograms(known, max_bins, np.array([positive, negative], dtype=np.int64), 0)


def pair(positive, negative):
    return np.array(positive, dtype=np.int64), np.array(negative, dtype=np.int64)


def rows(*numbers):
    return np.array(numbers, dtype=np.uint32)
