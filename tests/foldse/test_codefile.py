"""Tables on disk: the same codes, and so the same rules, as in memory."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldse import FoldSEClassifier
from foldse.codefile import open_codes, write_codes
from foldse.reading.encoding import encode
from foldse.reading.values import read_columns
from tests.tables import frame, mixed_tables


@settings(max_examples=40)
@given(table=mixed_tables(), size=st.integers(1, 30))
def test_in_chunks_of_any_size_the_codes_are_those_of_the_whole(table, size, tmp_path_factory):
    X = frame(table[0])
    folder = tmp_path_factory.mktemp("codes")
    write_codes(lambda: (X.iloc[i : i + size] for i in range(0, len(X), size)), folder)
    opened, whole = open_codes(folder), encode(read_columns(X))
    assert [f.categories for f in opened.features] == [f.categories for f in whole.features]
    for position in range(X.shape[1]):
        assert np.array_equal(opened.codes(position), whole.codes(position))
        assert opened.codes(position).dtype == whole.codes(position).dtype
        assert np.array_equal(opened.features[position].numbers, whole.features[position].numbers)


def big(n=3000):
    r = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "a": r.normal(size=n),
            "b": r.choice(["x", "y", None], n),
            "c": r.integers(0, 500, n),
            "d": r.random(n) < 0.5,
        }
    )
    return X, pd.Series(np.where((X["a"] > 0.2) ^ (X["b"] == "x"), "p", "q"), name="z")


def test_a_parquet_file_is_learned_from_its_codes(tmp_path):
    X, y = big()
    pq.write_table(pa.Table.from_pandas(X), tmp_path / "x.parquet", row_group_size=700)
    write_codes(
        lambda: pq.ParquetFile(tmp_path / "x.parquet").iter_batches(batch_size=400), tmp_path / "codes"
    )
    from_codes = FoldSEClassifier().fit(open_codes(tmp_path / "codes"), y)
    from_frame = FoldSEClassifier().fit(X, y)
    assert str(from_codes.rules_) == str(from_frame.rules_)
    assert np.array_equal(from_codes.predict(X), from_frame.predict(X))


def test_an_arrow_table_is_the_frame():
    X, y = big()
    table = pa.Table.from_pandas(X)
    assert str(FoldSEClassifier().fit(table, y).rules_) == str(FoldSEClassifier().fit(X, y).rules_)
    clf = FoldSEClassifier().fit(X, y)
    assert np.array_equal(clf.predict(table), clf.predict(X))


def test_what_is_not_finished_or_of_another_format_is_refused(tmp_path):
    X, _ = big(20)
    with pytest.raises(ValueError, match="holds no finished table"):
        open_codes(tmp_path)
    with pytest.raises(ValueError, match="there are no rows to encode"):
        write_codes(lambda: [], tmp_path)
    with pytest.raises(ValueError, match=r"a chunk has the columns a, b; the first has a, b, c, d"):
        write_codes(lambda: [X, X[["a", "b"]]], tmp_path)
    write_codes(lambda: [X], tmp_path)
    header = tmp_path / "table.json"
    header.write_text(header.read_text().replace('"format": 1', '"format": 2'))
    with pytest.raises(ValueError, match="of format 2, and this version reads 1"):
        open_codes(tmp_path)
