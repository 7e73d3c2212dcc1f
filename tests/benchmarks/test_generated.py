import numpy as np
import pytest

from benchmarks.contenders import text_columns
from benchmarks.generated import MIXED, generate

NUMBERS = ["continuous_0", "rounded_2", "count_4", "skewed_6"]
TEXTS = ["text_of_6_1", "text_of_2_3", "text_of_30_5", "text_of_200_7"]


@pytest.mark.parametrize(("kind", "rows", "columns"), [("mixed", 300, 19), ("numeric", 20, 33)])
def test_shape_and_labels(kind, rows, columns):
    X, y = generate(kind, rows, columns)
    assert X.shape == (rows, columns)
    assert set(y) == {"no", "yes"}
    assert (y.dtype, len(y)) == ("str", rows)
    assert X.columns.is_unique


def test_the_same_twice():
    for first, second in zip(generate("mixed", 500, 16), generate("mixed", 500, 16), strict=True):
        assert first.equals(second)


@pytest.mark.parametrize("kind", ["mixed", "numeric"])
def test_a_smaller_table_is_a_part_of_a_larger_one(kind):
    X, y = generate(kind, 400, 24)
    fewer_rows, fewer_labels = generate(kind, 150, 24)
    assert fewer_rows.equals(X.iloc[:150])
    assert fewer_labels.equals(y.iloc[:150])
    assert generate(kind, 400, 10)[0].equals(X.iloc[:, :10])
    assert generate(kind, 400, 10)[1].equals(y)


def test_kinds_of_columns():
    X, _ = generate("mixed", 3000, len(MIXED))
    assert text_columns(X) == TEXTS
    assert [X[name].nunique() for name in TEXTS] == [6, 2, 30, 200]
    assert X["continuous_0"].nunique() == 3000
    assert X["count_4"].dtype == np.int64
    assert set(X.columns[X.isna().any()]) == {"text_of_30_5", "skewed_6"}
    assert (X["skewed_6"] == 0).mean() > 0.3


def test_the_label_follows_its_rule_but_for_the_noise():
    X, y = generate("mixed", 20_000, 8)
    rule = (X["continuous_0"] <= 0.8) & ~((X["text_of_6_1"] == "t1") & (X["count_4"] > 70))
    assert np.mean((y == "yes") == rule) == pytest.approx(0.9, abs=0.01)


def test_a_table_that_cannot_be_made_is_refused():
    with pytest.raises(ValueError, match="no kind 'other'"):
        generate("other", 10, 10)
    with pytest.raises(ValueError, match="5 columns"):
        generate("mixed", 10, 4)
