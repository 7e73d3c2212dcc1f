import pandas as pd
import pytest

from benchmarks import records
from benchmarks.__main__ import FULL_RESULTS
from benchmarks.measures.pairing import summarise
from benchmarks.records import FAILED, MISSING, OK, SKIPPED, STOPPED, Case, Row, without_figures

FIRST = Case("compare", "adult", "xgboost", "foldse")
SECOND = Case("compare", "rain", "xgboost", "foldse")
ROWS = [
    summarise(FIRST, (5, 2), "fit", [(1.0, 3.0), (1.0, 4.0)]),
    without_figures(FIRST, "predict", FAILED, 'ValueError: a "quoted", odd one', (5, 2)),
]


def test_rows_come_back(tmp_path):
    records.write(tmp_path / "results.csv", ROWS)
    found = records.read(tmp_path / "results.csv")
    pd.testing.assert_frame_equal(pd.DataFrame(found), pd.DataFrame(ROWS))
    assert records.read(tmp_path / "none.csv") == []


def test_the_shipped_file_comes_back_to_the_byte(tmp_path):
    rows = records.read(FULL_RESULTS / "results.csv")
    records.write(tmp_path / "results.csv", rows)
    assert (tmp_path / "results.csv").read_bytes() == (FULL_RESULTS / "results.csv").read_bytes()
    assert {row.status for row in rows} >= {OK, SKIPPED}


def test_a_write_that_fails_leaves_the_file_that_was_there(tmp_path):
    path = tmp_path / "results.csv"
    records.write(path, ROWS)
    before = path.read_bytes()
    (tmp_path / "results.part").mkdir()
    with pytest.raises(IsADirectoryError):
        records.write(path, ROWS[:1])
    assert path.read_bytes() == before


def test_no_rows_make_a_file_with_a_header(tmp_path):
    records.write(tmp_path / "results.csv", [])
    assert (tmp_path / "results.csv").read_text() == ",".join(Row._fields) + "\n"
    assert records.read(tmp_path / "results.csv") == []


@pytest.mark.parametrize(("status", "finished"), [(MISSING, False), (STOPPED, False), (SKIPPED, True)])
def test_a_case_that_lacked_something_or_was_stopped_is_not_finished(status, finished):
    rows = [*ROWS, ROWS[0]._replace(table="rain"), without_figures(SECOND, "set-up", status, "why")]
    assert records.finished(rows) == ({FIRST, SECOND} if finished else {FIRST})
