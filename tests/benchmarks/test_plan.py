from benchmarks.contenders import CONTENDERS
from benchmarks.measures import MEASURES
from benchmarks.plan import plan


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
