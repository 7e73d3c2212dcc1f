import math

import pytest

from benchmarks.__main__ import FULL_RESULTS, main
from benchmarks.measures.pairing import summarise
from benchmarks.records import FAILED, OVER_LIMIT, Case, without_figures
from benchmarks.report import markdown, plots
from benchmarks.report.claims import judge
from benchmarks.report.render import report
from benchmarks.report.results import Results, table_title

STATE = {
    "date": "2026-01-31",
    "mode": "full",
    "threads": 2,
    "processor": "a processor",
    "processors": 2,
    "memory_gb": 16,
    "system": "Linux x86_64",
    "python": "3.12.1",
    "packages": {"numpy": "2.4.0", "LightGBM": None},
    "foldse": "0.1.0",
    "foldse_sources": "0123456789ab",
}


def fit(table, contender, *pairs, rows=10, columns=24, baseline="foldse", benchmark="compare", measure="fit"):
    case = Case(benchmark, table, contender, baseline)
    return summarise(case, (rows, columns), measure, pairs)


ADULT = fit("adult", "xgboost", (0.01, 0.2), (0.02, 0.2), (0.01, 0.3), rows=32561, columns=14)
GROWTH = [
    fit("mixed_1000x24", "xgboost", (0.5, 5.0), rows=1000),
    fit("mixed_4000x24", "xgboost", (2.0, 15.0), rows=4000),
    fit("mixed_1000x10", "xgboost", (0.25, 1.0), rows=1000, columns=10),
]


def lines(text, start):
    return [line for line in text.splitlines() if line.startswith(start)]


def test_a_cell_has_the_median_ratio_and_the_extremes():
    assert markdown.ratio(ADULT) == "**20.0** (10.0 to 30.0)"
    assert markdown.ratio(GROWTH[0]) == "**10.0**"  # one pair has no extremes
    assert markdown.ratio(None) == ""


def test_a_cell_says_why_there_is_no_figure():
    case = ADULT.case
    assert markdown.ratio(without_figures(case, "fit", OVER_LIMIT, "ended after 900 s")) == "over 900 s"
    assert markdown.ratio(without_figures(case, "fit", FAILED, "ValueError: no")) == "failed"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (12345.6, "12,346"),
        (123.4, "123"),
        (12.34, "12.3"),
        (1.234, "1.23"),
        (0.1234, "0.123"),
        (0.00012, "1.2e-04"),
        (0.0, "0"),
        (math.nan, ""),
    ],
)
def test_figures_have_three_digits(value, text):
    assert markdown.figure(value) == text


def test_seconds():
    assert [markdown.seconds(value) for value in (0.0123, 1.5, math.nan)] == ["12.3 ms", "1.50 s", ""]


def test_a_table_escapes_bars():
    assert markdown.table(("a", "b"), [("x|y", "1")]) == "| a | b |\n| --- | ---: |\n| x\\|y | 1 |\n"


def test_titles_of_tables():
    names = ["adult", "mixed_10000000x24", "mixed_100000x1000", "mixed_1500x10", "numeric_756x753", ""]
    assert [table_title(name) for name in names] == [
        "adult",
        "mixed, 10M x 24",
        "mixed, 100k x 1,000",
        "mixed, 1500 x 10",
        "parkinson's shape, 756 x 753",
        "-",
    ]


def test_tables_come_real_ones_first_then_by_columns_and_rows():
    rows = [
        *reversed(GROWTH),
        fit("numeric_756x753", "xgboost", (1.0, 1.0)),
        fit("rain", "xgboost", (1.0, 1.0)),
        ADULT,
    ]
    assert Results(rows).tables("compare") == [
        "rain",
        "adult",
        "numeric_756x753",
        "mixed_1000x10",
        "mixed_1000x24",
        "mixed_4000x24",
    ]


def test_growth_is_in_units_of_foldse_on_the_smallest_table():
    results = Results([*GROWTH, ADULT])
    assert results.growth("rows") == {
        "foldse": {1000: 1.0, 4000: 4.0},
        "xgboost": {1000: 10.0, 4000: 30.0},
    }
    assert results.growth("columns") == {
        "foldse": {10: 1.0, 24: 2.0},
        "xgboost": {10: 4.0, 24: 20.0},
    }
    assert Results([ADULT]).growth("rows") == {}


def test_claims_are_held_against_every_row():
    held = [
        fit(name, "xgboost", (1.0, 20.0)) for name in ("adult", "credit_card", "intention", "eeg", "rain")
    ]
    broken = fit("rain", "xgboost", (1.0, 9.0))
    assert [verdict.holds for verdict in judge(Results(held))] == [True]
    assert [verdict.holds for verdict in judge(Results(held[:-1]))] == [None]
    assert [verdict.holds for verdict in judge(Results([*held[:-1], broken]))] == [False]
    assert judge(Results([])) == []


def test_a_target_is_shown_with_its_figures_and_whether_it_is_met():
    row = fit("adult", "foldrpp_authors", (1.0, 49.0), baseline="foldrpp")
    text = "FOLD-R++ fits adult at least 50 times as fast as its authors' package"
    assert lines(report([row], [STATE], {}), f"| {text}") == [f"| {text} | 49.0x | **no** |"]


def test_claims_of_at_most():
    for pair, holds in (((1.0, 4.4), True), ((1.0, 4.5), False)):
        row = fit("mixed_4000000x24", "foldse", pair, baseline="mixed_1000000x24", benchmark="growth")
        assert [verdict.holds for verdict in judge(Results([row]))] == [holds]


def test_the_report():
    late = without_figures(Case("compare", "adult", "ripper", "foldse"), "fit", OVER_LIMIT, "ended after 9 s")
    predict = fit("adult", "xgboost", (0.001, 0.05), measure="predict")
    text = report([ADULT, predict, late, *GROWTH], [STATE], {"fit": "fit_ratios.svg"})
    assert lines(text, "| adult |") == [
        "| adult | **20.0** (10.0 to 30.0) | over 9 s |",
        "| adult | **50.0** | over 9 s |",
        "| adult | fit | 10.0 ms | 200 ms |",
        "| adult | predict | 1.00 ms | 50.0 ms |",
    ]
    assert "| 4,000 | 4.00 | 30.0 |" in text
    assert "![Fit time relative to FOLD-SE](fit_ratios.svg)" in text
    assert "| processor | a processor, 2 processors, 16 GB |" in text
    assert "LightGBM absent" in text
    assert "| compare | adult | RIPPER (wittgenstein) | fit | over the limit | ended after 9 s |" in text
    assert "Memory" not in text.replace("# Speed and memory", "")  # no rows, no section


def test_the_roofline_has_both_passes_where_they_were_measured():
    rows = [
        fit(name, "foldse", pair, baseline=baseline, benchmark="roofline", measure=measure)
        for name, baseline, measure, pair in (
            ("adult", "pass", "encode", (0.002, 0.02)),
            ("adult", "pass", "learn", (0.002, 0.008)),
            ("adult", "pass", "fit", (0.002, 0.028)),
            ("adult", "plain_loop", "learn", (0.004, 0.009)),
            ("rain", "pass", "learn", (0.001, 0.005)),
        )
    ]
    assert lines(report(rows, [STATE], {}), "| adult |")[0] == (
        "| adult | 2.00 ms | 4.00 ms | **10.0** | **4.00** | **14.0** | **2.25** |"
    )
    assert lines(report(rows[-1:], [STATE], {}), "| rain |")[0] == "| rain | 1.00 ms |  |  | **5.00** |  |  |"


def test_the_report_says_if_figures_are_of_different_states():
    assert "different environments" not in report([ADULT], [STATE], {})
    assert "2 different environments" in report([ADULT], [STATE, STATE], {})


def test_plots_are_the_same_twice(tmp_path):
    drawn = plots.draw([ADULT, *GROWTH], tmp_path)
    assert set(drawn) == {"fit", "growth_rows", "growth_columns"}
    first = {name: (tmp_path / file).read_text() for name, file in drawn.items()}
    plots.draw([ADULT, *GROWTH], tmp_path)
    assert first == {name: (tmp_path / file).read_text() for name, file in drawn.items()}
    assert "XGBoost" in first["fit"]
    assert "proportional to the rows" in first["growth_rows"]


def test_the_shipped_report_follows_from_the_shipped_results(tmp_path):
    for name in ("results.csv", "environment.json"):
        (tmp_path / name).write_bytes((FULL_RESULTS / name).read_bytes())
    assert main(["--report", "--out", str(tmp_path)]) == 0
    assert (tmp_path / "report.md").read_text() == (FULL_RESULTS / "report.md").read_text()
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in FULL_RESULTS.iterdir()}
