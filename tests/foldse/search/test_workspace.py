"""Dealing features to threads: each once, and no more shares than there is work for."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from foldse.reading.encoding import encode
from foldse.reading.values import read_columns
from foldse.search.workspace import CELLS_PER_THREAD, FeatureShares, Share


@pytest.fixture
def table(monkeypatch):
    """Eleven features in two blocks: three of more than 256 codes among eight of five."""
    monkeypatch.setattr("foldse.search.workspace.n_threads", lambda: 3)
    rows = np.arange(400)
    frame = pd.DataFrame({f"c{i}": rows if i in (2, 3, 9) else rows % 5 for i in range(11)})
    return encode(read_columns(frame, set(frame.columns), set()))


def features_of(share: Share) -> list[int]:
    return sorted(int(feature) for _, features in share.parts for feature in features)


@pytest.mark.parametrize(
    ("n_cells", "n_shares"), [(0, 1), (2 * CELLS_PER_THREAD - 1, 1), (2 * CELLS_PER_THREAD, 2), (10**9, 3)]
)
def test_each_feature_is_in_one_share(table, n_cells, n_shares):
    shares = FeatureShares(table).each(n_cells, lambda share: share)
    assert len(shares) == n_shares
    assert sorted(feature for share in shares for feature in features_of(share)) == list(range(11))
    for share in shares:
        assert share.features.tolist() == features_of(share)


def test_a_part_has_features_of_its_block(table):
    (share,) = FeatureShares(table).each(0, lambda share: share)
    (narrow, of_narrow), (wide, of_wide) = share.parts
    assert (narrow.dtype, of_narrow.tolist()) == (np.uint8, [0, 1, 4, 5, 6, 7, 8, 10])
    assert (wide.dtype, of_wide.tolist()) == (np.uint16, [2, 3, 9])


def test_features_that_are_counted_together_stay_together(table):
    # Four at a time: eight narrow features make two shares of four.
    shares = FeatureShares(table).each(2 * CELLS_PER_THREAD, lambda share: share)
    assert [share.parts[0][1].tolist() for share in shares] == [[0, 1, 4, 5], [6, 7, 8, 10]]


def test_a_feature_alone_is_one_share(monkeypatch):
    monkeypatch.setattr("foldse.search.workspace.n_threads", lambda: 3)
    table = encode(read_columns(pd.DataFrame({"a": [1, 2]}), {"a"}, set()))
    assert len(FeatureShares(table).each(10**9, lambda share: share)) == 1


def test_a_feature_of_each_width_goes_to_each_share(monkeypatch):
    monkeypatch.setattr("foldse.search.workspace.n_threads", lambda: 3)
    rows = np.arange(70_000)
    frame = pd.DataFrame({"narrow": rows % 3, "wide": rows % 300, "widest": rows})
    table = encode(read_columns(frame, set(frame.columns), set()))
    shares = FeatureShares(table).each(10**9, lambda share: share)
    assert [features_of(share) for share in shares] == [[0], [1], [2]]


def test_a_large_table_is_one_share(table, monkeypatch):
    monkeypatch.setattr("foldse.search.workspace.MAX_PARALLEL_ROWS", 399)
    assert len(FeatureShares(table).each(10**9, lambda share: share)) == 1
