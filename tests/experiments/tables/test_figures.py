"""What is drawn, read back from the axes, against the rows of small tables."""

import itertools
import math
import re
import shutil
import subprocess
import sys
from dataclasses import replace

import matplotlib as mpl
import pandas as pd
import pytest

from experiments.tables.build import COLUMNS, Table
from experiments.tables.experiment import Experiment
from experiments.tables.figures import ablations as figures
from experiments.tables.figures.panels import Values
from experiments.tables.figures.point_labels import ranges
from experiments.tables.series import Series
from tests.experiments.tables.test_build import Filled, folds

NAN = math.nan
BOTH, RULES = "pruned in rules and exceptions", "pruned in rules only"
OTHERS = {"rows": 9, "cols": 3, "folds": 10, "difference": NAN, "published_std": NAN}


def line(learner="foldse", **parameters):
    settings = ", ".join(f"{name}={value}" for name, value in parameters.items())
    return Series(learner, settings, "folds=10", f"{learner}, {settings}", parameters, tuple(parameters))


def tail(share, prune_exceptions="true"):
    return line(tail=share, prune_exceptions=prune_exceptions)


def table(name, *cells):
    """Return a table of (data set, line, metric, mean[, std[, published[, status]]])."""
    rows = []
    for cell in cells:
        dataset, series, metric, mean, std, published, status = (*cell, *(NAN, NAN, "ok")[len(cell) - 4 :])
        found = {"dataset": dataset, "learner": series.learner, "metric": metric, "mean": mean, "std": std}
        found.update(settings=series.settings, protocol=series.protocol, status=status)
        rows.append({"table": name, **OTHERS, **found, "published_mean": published})
    lines = tuple(dict.fromkeys(cell[1] for cell in cells))
    return Table(Experiment.read(name), pd.DataFrame(rows, columns=list(COLUMNS)), lines)


def both(dataset, learner, predicates, accuracy):
    return [(dataset, learner, "predicates", predicates), (dataset, learner, "accuracy", accuracy)]


def axes(figure, label):
    (found,) = [ax for ax in figure.axes if ax.get_label() == label]
    return found


def drawn(ax, label):
    """Return the points of a line, as pairs; those that are not there are left out."""
    (line,) = [line for line in ax.lines if line.get_label() == label]
    return [(float(x), float(y)) for x, y in line.get_xydata() if not math.isnan(x + y)]


def written(figure):
    return "\n".join(text.get_text() for text in figure.texts)


# heart: of its five points (7, .80) is beaten by (6, .80), and (9, .79) by all the others but (3, .75).
TAIL = table(
    "ablation_tail",
    *both("heart", tail("0"), 10.0, 0.82),
    *both("heart", tail("0.005"), 6.0, 0.80),
    *both("heart", tail("0.01"), 3.0, 0.75),
    *both("heart", tail("0", "false"), 9.0, 0.79),
    *both("heart", tail("0.005", "false"), 7.0, 0.80),
    *both("heart", tail("0.01", "false"), 3.0, 0.75),
    *both("wine", tail("0"), 4.0, 0.90),
    *both("wine", tail("0.005"), 4.0, 0.90),
    *both("wine", tail("0.01"), 2.0, 0.95),
    *both("wine", tail("0", "false"), 4.0, 0.90),
    *both("wine", tail("0.005", "false"), 4.0, 0.90),
    *both("wine", tail("0.01", "false"), 4.0, 0.91),
    *both("average", tail("0"), 99.0, 0.1),
)


def score(learner, heuristic):
    return line(learner, heuristic=heuristic)


def test_the_lines_of_the_tail_are_the_figures_of_the_table_in_its_order():
    ax = axes(figures.draw(TAIL), "heart")

    assert drawn(ax, f"line {BOTH}") == [(10.0, 0.82), (6.0, 0.80), (3.0, 0.75)]
    assert drawn(ax, f"line {RULES}") == [(9.0, 0.79), (7.0, 0.80), (3.0, 0.75)]


def test_points_that_no_other_beats_are_filled_and_the_others_hollow():
    ax = axes(figures.draw(TAIL), "heart")

    assert drawn(ax, f"best {BOTH}") == [(10.0, 0.82), (6.0, 0.80), (3.0, 0.75)]
    assert drawn(ax, f"beaten {BOTH}") == []
    assert drawn(ax, f"best {RULES}") == [(3.0, 0.75)]  # as good as one of the other line
    assert drawn(ax, f"beaten {RULES}") == [(9.0, 0.79), (7.0, 0.80)]
    fills = {line.get_label(): line.get_markerfacecolor() for line in ax.lines}
    assert fills[f"beaten {BOTH}"] == fills[f"beaten {RULES}"] == "white"
    assert "white" not in (fills[f"best {BOTH}"], fills[f"best {RULES}"])


def test_pareto_by_hand():
    points = [(1, 0.5), (2, 0.9), (2, 0.8), (3, 0.9), (4, 0.95), (1, 0.5), (NAN, 0.99), (0, NAN)]

    assert figures.pareto(points) == [True, True, False, False, True, True, False, False]


def test_the_large_panel_is_the_plain_mean_over_the_data_sets_and_not_over_the_average():
    ax = axes(figures.draw(TAIL), "mean")

    assert ax.get_title(loc="left") == "mean of 2 data sets"
    assert drawn(ax, f"line {BOTH}") == [
        (7.0, pytest.approx(0.86)),
        (5.0, pytest.approx(0.85)),
        (2.5, pytest.approx(0.85)),
    ]


def test_points_are_named_by_their_tail_in_percent_and_share_a_name_where_they_lie_together():
    figure = figures.draw(TAIL)

    # 0 and 0.5 % coincide in both lines, 1 % has a point in each.
    assert sorted(text.get_text() for text in axes(figure, "wine").texts) == ["0, 0.5", "1", "1"]
    assert sorted(text.get_text() for text in axes(figure, "heart").texts) == ["0", "0", "0.5", "0.5", "1"]


def test_no_name_lies_on_another_or_on_a_point():
    figure = figures.draw(TAIL)
    for ax in figure.axes:
        boxes = [text.get_window_extent() for text in ax.texts]
        boxes = [box.shrunk(0.98, 0.8) for box in boxes]
        for i, box in enumerate(boxes):
            assert not any(box.overlaps(other) for other in boxes[:i])
            at = [point for label in (f"line {BOTH}", f"line {RULES}") for point in drawn(ax, label)]
            assert not any(box.contains(*place) for place in ax.transData.transform(at))


def test_runs_of_three_names_and_more_are_a_range():
    names = ["0", "0.1", "0.25", "0.5", "1", "2.5"]

    assert ranges([0, 1, 2, 3], names) == "0–0.5"
    assert ranges([0, 1, 3], names) == "0, 0.1, 0.5"
    assert ranges([0, 2, 3, 4], names) == "0, 0.25–1"
    assert ranges([5], names) == "2.5"


def test_a_missing_figure_is_a_gap_with_a_note_and_its_data_set_is_in_no_mean():
    rows = TAIL.rows.copy()
    late = (rows["dataset"] == "wine") & (rows["settings"] == tail("0.005").settings)
    rows.loc[late, ["mean", "std"]] = NAN
    rows.loc[late, "status"] = "timeout"
    gone = (rows["dataset"] == "wine") & (rows["settings"] == tail("0", "false").settings)
    figure = figures.draw(replace(TAIL, rows=rows[~gone]))

    (line,) = [line for line in axes(figure, "wine").lines if line.get_label() == f"line {BOTH}"]
    assert [math.isnan(x) for x in line.get_xdata()] == [False, True, False]
    assert drawn(axes(figure, "wine"), f"line {RULES}") == [(4.0, 0.90), (4.0, 0.91)]
    assert axes(figure, "mean").get_title(loc="left") == "mean of 1 data set"
    assert drawn(axes(figure, "mean"), f"line {BOTH}") == [(10.0, 0.82), (6.0, 0.80), (3.0, 0.75)]
    notes = written(figure)
    assert "The mean leaves out wine." in notes
    assert "No figure (timeout): wine with foldse, tail=0.005, prune_exceptions=true." in notes
    assert "No figure (not run): wine with foldse, tail=0, prune_exceptions=false." in notes


def test_a_table_without_any_figure_is_drawn_with_its_reasons():
    failed = table("ablation_ratio", ("heart", line(ratio="0.5"), "accuracy", NAN, NAN, NAN, "failed"))

    figure = figures.draw(failed)

    assert drawn(axes(figure, "heart accuracy"), "accuracy") == []
    assert "No figure (failed): heart with foldse, ratio=0.5." in written(figure)


def test_accuracy_and_predicates_over_the_ratio_with_their_deviations():
    cells = [
        ("heart", line(ratio="1"), "accuracy", 0.7, 0.01),
        ("heart", line(ratio="1"), "predicates", 3.0, 0.5),
        ("heart", line(ratio="0.25"), "accuracy", 0.8, 0.02),
        ("heart", line(ratio="0.25"), "predicates", 9.0, 1.5),
    ]

    figure = figures.draw(table("ablation_ratio", *cells))

    assert drawn(axes(figure, "heart accuracy"), "accuracy") == [(0.25, 0.8), (1.0, 0.7)]
    assert drawn(axes(figure, "heart predicates"), "predicates") == [(0.25, 9.0), (1.0, 3.0)]
    (bars,) = axes(figure, "heart predicates").collections
    assert [segment[:, 1].tolist() for segment in bars.get_segments()] == [[7.5, 10.5], [2.5, 3.5]]


def test_scores_are_dots_by_learner_with_deviations_and_what_was_published():
    cells = [
        ("heart", score("foldse", "magic_gini"), "accuracy", 0.8, 0.1, 0.74),
        ("heart", score("foldse", "magic_gini"), "predicates", 7.0, 2.0, 9.1),
        ("heart", score("foldse", "information_gain"), "accuracy", 0.9),
        ("heart", score("foldse", "information_gain"), "predicates", 20.0),
        ("wine", score("foldse", "magic_gini"), "accuracy", 0.95),
        ("heart", score("foldrpp", "chi_square"), "accuracy", 0.6),
        ("heart", score("foldrpp", "chi_square"), "predicates", 44.0),
        ("heart", score("tree", "magic_gini"), "accuracy", 0.7),
        ("heart", score("tree", "magic_gini"), "nodes", 39.0),
    ]

    figure = figures.draw(table("ablation_heuristic", *cells))

    labels = [ax.get_label() for ax in figure.axes]
    assert labels == [f"{f} {m}" for f in ("FOLD-SE", "FOLD-R++") for m in ("accuracy", "predicates")] + [
        "tree accuracy",
        "tree nodes",
    ]
    ax = axes(figure, "FOLD-SE accuracy")
    (heart, wine) = drawn(ax, "magic_gini")
    assert (heart[0], wine[0]) == (0.8, 0.95)
    assert round(heart[1]) == 0
    assert wine[1] == pytest.approx(heart[1] + 1)  # a row a data set
    assert drawn(ax, "published") == [(0.74, heart[1])]
    assert drawn(ax, "information_gain")[0][0] == 0.9
    assert drawn(ax, "information_gain")[0][1] != heart[1]
    bars = [
        segment[:, 0].tolist()
        for lines in ax.collections
        for segment in getattr(lines, "get_segments", list)()
        if len(segment)
    ]
    assert [pytest.approx(0.7), pytest.approx(0.9)] in bars
    assert drawn(axes(figure, "FOLD-R++ predicates"), "chi_square")[0][0] == 44.0
    assert drawn(axes(figure, "tree nodes"), "magic_gini")[0][0] == 39.0
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()] == ["heart", "wine", "mean"]


def test_operators_are_pairs_on_one_line():
    cells = [
        (dataset, line(negated_thresholds=n), metric, value, NAN, published)
        for dataset, n, values, published in (
            ("heart", "true", (0.8, 4.0, 7.0), 0.75), ("heart", "false", (0.7, 5.0, 9.0), 0.75),
            ("wine", "true", (0.9, 6.0, 8.0), 0.95), ("wine", "false", (0.9, 6.0, 8.0), 0.95),
        )
        for metric, value in zip(("accuracy", "rules", "predicates"), values, strict=True)
    ]  # fmt: skip

    figure = figures.draw(table("ablation_operators", *cells))

    ax = axes(figure, "predicates")
    assert drawn(ax, "with not <= and not >") == [(7.0, 0), (8.0, 1), (7.5, 2)]
    assert drawn(ax, "without") == [(9.0, 0), (8.0, 1), (8.5, 2)]
    assert drawn(ax, "_join heart") == [(7.0, 0), (9.0, 0)]
    assert drawn(axes(figure, "accuracy"), "published") == [(0.75, 0), (0.85, 2), (0.95, 1)]


def test_the_multi_class_readings_are_pairs_a_tail():
    cells = [
        ("ecoli", line(tail=share, remove_covered=removed), metric, value)
        for share, removed, value in (
            ("0", "all", 1.0), ("0", "correct", 2.0), ("0.005", "all", 3.0), ("0.005", "correct", 4.0)
        )
        for metric in ("accuracy", "rules", "predicates")
    ]  # fmt: skip

    ax = axes(figures.draw(table("ablation_multiclass", *cells)), "rules")

    heights = {}
    for share, values in (("0", (1.0, 2.0)), ("0.5", (3.0, 4.0))):
        (dropped, _), (kept, _) = (
            drawn(ax, f"tail {share} %, all covered rows removed"),
            drawn(ax, f"tail {share} %, correct covered rows removed"),
        )  # fmt: skip
        assert (dropped[0], kept[0]) == values
        assert dropped[1] == kept[1]
        heights[share] = dropped[1]
    assert heights["0"] < heights["0.5"]


def test_a_second_reading_of_a_data_set_is_drawn_and_left_out_of_the_mean():
    cells = [
        cell
        for dataset, accuracy in (("breast_w", 0.9), ("breast_w_numeric", 0.1))
        for cell in both(dataset, line(ratio="0.5"), 3.0, accuracy)
    ]
    figure = figures.draw(table("ablation_ratio", *cells))

    assert drawn(axes(figure, "breast_w_numeric accuracy"), "accuracy") == [(0.5, 0.1)]
    assert drawn(axes(figure, "mean accuracy"), "accuracy") == [(0.5, 0.9)]


def test_figures_over_decades_have_a_logarithmic_scale_with_plain_numbers_and_zeros_never():
    def scale_of(*predicates):
        cells = [
            cell for i, n in enumerate(predicates) for cell in both("heart", tail(f"0.0{i}"), n, 0.5 + i / 99)
        ]
        ax = axes(figures.draw(table("ablation_tail", *cells)), "heart")
        return ax.get_xscale(), [text.get_text() for text in ax.get_xticklabels()]

    assert scale_of(3.0, 9.0)[0] == "linear"
    assert scale_of(0.0, 500.0)[0] == "linear"
    kind, ticks = scale_of(3.0, 3000.0)
    assert kind == "log"
    assert {"10", "100", "1,000"} <= set(ticks)


def test_the_same_table_gives_the_same_bytes_whatever_the_settings_of_matplotlib(tmp_path):
    before = dict(mpl.rcParams)
    first = figures.write(TAIL, tmp_path / "a").read_bytes()
    assert dict(mpl.rcParams) == before
    with mpl.rc_context({"font.size": 20, "svg.fonttype": "path", "axes.grid": True, "lines.linewidth": 9}):
        second = figures.write(TAIL, tmp_path / "b").read_bytes()

    assert first == second
    text = first.decode()
    assert re.search(r"<text[^>]*>heart</text>", text)  # text is text
    assert not re.search(r"\d{4}-\d\d-\d\d|[Mm]atplotlib v", text)  # neither date nor version


def test_a_table_of_the_paper_has_no_figure(tmp_path):
    assert figures.write(replace(TAIL, experiment=Experiment.read("quickstart")), tmp_path / "none") is None
    assert not (tmp_path / "none").exists()


def test_every_ablation_has_its_figure():
    from experiments.config import choices

    ablations = {name for name in choices("experiment") if name.startswith("ablation")}
    assert set(figures.FIGURES) == ablations


@pytest.mark.parametrize("name", sorted(figures.FIGURES))
def test_the_lines_of_an_ablation_are_all_drawn(name):
    swept = Experiment.read(name).axes
    keys = [key.removeprefix("learner.") for key in swept if key.startswith("learner.")]
    each = itertools.product(*(swept[f"learner.{key}"] for key in keys))
    lines = [
        line(learner, **dict(zip(keys, values, strict=True)))
        for values in each
        for learner in swept["learner"]
    ]
    metrics = ("accuracy", "rules", "predicates", "nodes")
    cells = [("heart", one, m, 1.0 + i) for i, one in enumerate(lines) for m in metrics]

    figure = figures.draw(table(name, *cells))

    # Each has a figure of its own: all are found among what is drawn.
    shown = {
        float(v) for ax in figure.axes for line in ax.lines for v in [*line.get_xdata(), *line.get_ydata()]
    }
    assert {1.0 + i for i in range(len(lines))} <= shown


def test_rebuilding_a_table_draws_its_figure_beside_it(database):
    filled = Filled(database)
    filled.log(
        "small", "foldse", folds(0.5, 1.0, predicates=3.0), table="ablation_ratio", settings={"ratio": 0.5}
    )
    filled.log("small", "foldse", folds(0.5, 1.0))
    made = filled.table("ablation_ratio")
    filled.table("toy")

    assert [path.name for path in (filled.folder / "results" / "figures").iterdir()] == ["ablation_ratio.svg"]
    assert Values(made, made.lines, ["accuracy"]).get("small", made.lines[0], "accuracy") == 0.75


def test_drawing_needs_no_display_and_imports_no_pyplot():
    code = "import sys, experiments.tables.figures.ablations; print('matplotlib.pyplot' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"


@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs a browser")
def test_a_browser_shows_the_figure_with_nothing_cut_off(tmp_path):
    path = figures.write(TAIL, tmp_path)
    script = (
        "<script>onload=()=>{const s=document.querySelector('svg'),b=s.getBoundingClientRect();"
        "let n=0,out=[];for(const t of s.querySelectorAll('text')){const r=t.getBoundingClientRect();n++;"
        "if(r.left<b.left-1||r.right>b.right+1||r.top<b.top-1||r.bottom>b.bottom+1)out.push(t.textContent)}"
        "document.title=n+' texts, cut: '+out.join('|')}</script>"
    )
    (tmp_path / "page.html").write_text(f"<!doctype html><body>{path.read_text()}{script}", encoding="utf-8")
    browser = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    page = subprocess.run(
        [*browser, f"file://{tmp_path / 'page.html'}"], capture_output=True, text=True, check=True
    ).stdout

    assert re.search(r"<title>[1-9]\d* texts, cut: </title>", page)
