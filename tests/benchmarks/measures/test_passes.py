"""The passes that learning is measured against count every code once."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from benchmarks.measures.passes import kernel_pass, plain_loop
from foldse.reading.encoding import encode
from foldse.reading.values import read_columns


@pytest.fixture
def table():
    """Six features: few codes, many, text, missing values, a constant."""
    random = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "few": random.integers(0, 4, 3000),
            "many": random.random(3000),
            "text": random.choice(["x", "y", "z"], 3000),
            "missing": np.where(random.random(3000) < 0.3, np.nan, random.integers(0, 9, 3000)),
            "constant": np.ones(3000),
            "two": random.integers(0, 2, 3000),
        }
    )
    return encode(read_columns(frame, set(frame.columns) - {"text"}, {"text"}))


def test_the_kernel_counts_every_code(table):
    count, counts = kernel_pass(table, np.zeros(table.n_rows, dtype=np.uint8))
    count()
    assert len(counts) == 6
    for feature, found in enumerate(counts):
        assert found.tolist() == np.bincount(table.codes(feature), minlength=len(found)).tolist()


def test_the_plain_loop_counts_every_code_by_label(table):
    labels = np.arange(table.n_rows, dtype=np.uint8) % 3
    count, counts = plain_loop(table, labels)
    count()
    assert len(counts) == 6
    for feature, found in enumerate(counts):
        for label in range(3):
            codes = table.codes(feature)[labels == label]
            assert found[:, label].tolist() == np.bincount(codes, minlength=len(found)).tolist()
