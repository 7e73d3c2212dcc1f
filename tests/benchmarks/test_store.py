import csv

from benchmarks import environment
from benchmarks.contenders import CONTENDERS
from benchmarks.measures import MEASURES
from benchmarks.pairing import summarise
from benchmarks.plan import plan
from benchmarks.records import FAILED, MISSING, SKIPPED, STOPPED, Case, Row
from benchmarks.store import COLUMNS, Store

FIRST = Case("compare", "adult", "xgboost", "foldse")
SECOND = Case("compare", "rain", "xgboost", "foldse")
ROWS = [
    summarise(FIRST, (5, 2), "fit", [(1.0, 3.0), (1.0, 4.0)]),
    Row.without_figures(FIRST, "predict", FAILED, 'ValueError: a "quoted", odd one', (5, 2)),
]


def store_of(path, *rows):
    store = Store(path / "results.csv")
    store.begin([])
    store.append(rows)
    return store


def test_rows_come_back(tmp_path):
    store = store_of(tmp_path, *ROWS)
    assert store.rows() == ROWS
    assert store.finished() == {FIRST}


def test_the_file_is_tidy(tmp_path):
    store = store_of(tmp_path, *ROWS)
    with store.path.open(newline="") as file:
        header, first, second = csv.reader(file)
    assert header == COLUMNS
    assert first[:7] == ["compare", "adult", "5", "2", "xgboost", "foldse", "fit"]
    assert len(first) == len(second) == len(COLUMNS)


def test_a_line_that_was_cut_off_is_left_out(tmp_path):
    store = store_of(tmp_path, ROWS[0])
    whole = store.path.read_text()
    store.path.write_text(whole + whole.splitlines()[1][:40])
    assert store.rows() == ROWS[:1]
    store.begin([])
    assert store.path.read_text() == whole


def test_what_lacked_a_file_is_not_finished_and_what_is_capped_is(tmp_path):
    for status in (MISSING, STOPPED):
        store = store_of(tmp_path, *ROWS, Row.without_figures(SECOND, "set-up", status, "why"))
        assert store.finished() == {FIRST}
        store.begin([FIRST, SECOND])
    store.append(ROWS)
    store.append([Row.without_figures(SECOND, "set-up", SKIPPED, "too large")])
    assert store.finished() == {FIRST, SECOND}


def test_cases_that_are_run_again_lose_their_rows(tmp_path):
    store = store_of(tmp_path, *ROWS, summarise(SECOND, (7, 3), "fit", [(1.0, 2.0)]))
    store.begin([FIRST])
    assert [row.case for row in store.rows()] == [SECOND]


def test_every_planned_case_can_be_run():
    for quick in (True, False):
        cases = plan(quick)
        assert len(set(cases)) == len(cases)
        for case in cases:
            assert case.benchmark in MEASURES
            assert case.contender in {*CONTENDERS, "foldse_fresh", "foldse_package"}
    assert len(plan(True)) < len(plan(False))


def test_a_plan_can_be_narrowed():
    assert {case.table for case in plan(False, ["rain"])} == {"rain"}
    assert {case.contender for case in plan(False, ["lightgbm"])} == {"lightgbm"}
    both = plan(False, ["adult+xgboost+foldse", "growth"])
    assert {case.table for case in both if case.benchmark != "growth"} == {"adult"}
    assert {case.contender for case in both if case.benchmark != "growth"} == {"xgboost"}
    assert [case for case in both if case.benchmark == "growth"] == plan(False, ["growth"])
    assert plan(False, ["no such name"]) == []


def test_cases_of_one_table_follow_each_other_in_the_quick_plan():
    tables = [case.table for case in plan(True)]
    changes = [name for before, name in zip(["-", *tables], tables, strict=False) if name != before]
    assert len(changes) == len(set(changes))


def test_environments_are_told_apart():
    before = {"date": "2026-01-01", "threads": 2, "packages": {"numpy": "2.0"}}
    assert environment.differences(before, {**before, "date": "2026-02-01"}) == []
    assert environment.differences(before, {**before, "threads": 4}) == ["threads: 2 before, 4 now"]


def test_the_digest_of_sources_changes_with_them(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    first = environment.sources_digest(tmp_path)
    assert environment.sources_digest(tmp_path) == first
    (tmp_path / "a.py").write_text("x = 2\n")
    assert environment.sources_digest(tmp_path) != first
