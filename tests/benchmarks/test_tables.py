import pytest

from benchmarks.records import MISSING, NotRunError
from benchmarks.tables import load


def test_tables_by_name(tmp_path):
    table = load("mixed_60x9", "")
    assert (table.name, table.shape) == ("mixed_60x9", (60, 9))
    assert table.is_positive.sum() == (table.y == table.positive).sum() > 30
    with pytest.raises(NotRunError, match="no file adult/adult") as caught:
        load("adult", str(tmp_path))
    assert caught.value.status == MISSING
    assert str(tmp_path) not in str(caught.value)


def test_the_head_of_a_table_has_both_labels():
    table = load("mixed_60x9", "")
    last = table.y[table.y != table.y.iloc[0]].index[0]
    head = table.head(1)
    assert head.y.tolist() == [table.y.iloc[0], table.y.iloc[last]]
    assert head.X.iloc[1].equals(table.X.iloc[last].rename(1))
