import csv

import pytest

from experiments.metrics import metric_of
from experiments.records import FoldResult
from experiments.tables.published import Published
from experiments.tables.rebuild import main
from experiments.tables.render import html, latex, markdown
from experiments.tables.repetitions import agrees, percentile, summary
from tests.experiments.tables.test_build import Filled, row

ACCURACY, RULES = metric_of("accuracy"), metric_of("rules")


@pytest.fixture
def filled(database):
    return Filled(database)


def repeated(*pairs, **others):
    """Return two folds for each repetition."""
    return [
        FoldResult(2 * repeat + i, "ok", {"accuracy": value, **others}, repeat=repeat)
        for repeat, pair in enumerate(pairs)
        for i, value in enumerate(pair)
    ]


def test_percentiles_by_hand():
    means = [0.701, 0.698, 0.804, 0.9]  # printed as 0.70, 0.70, 0.80, 0.90

    assert percentile(means, 0.69, ACCURACY) == 0
    assert percentile(means, 0.70, ACCURACY) == 25  # half of the two that are equal
    assert percentile(means, 0.75, ACCURACY) == 50
    assert percentile(means, 0.80, ACCURACY) == 62.5
    assert percentile(means, 0.95, ACCURACY) == 100


def test_the_middle_of_the_repetitions_by_hand():
    means = [0.9, 0.7, 0.8]
    # The quantiles 0.025 and 0.975 are a twentieth of the way from the first to the second and from the last
    # to the one before: 0.705 and 0.895, printed as 0.71 and 0.90.
    assert [agrees(means, figure, ACCURACY) for figure in (0.70, 0.71, 0.80, 0.90, 0.91)] == [
        False, True, True, True, False,
    ]  # fmt: skip


def test_rules_are_compared_to_one_decimal():
    # Always 4.04, printed as 4.0.
    assert agrees([4.04, 4.04], 4.0, RULES)
    assert not agrees([4.04, 4.04], 4.1, RULES)
    assert percentile([4.04, 4.04], 4.0, RULES) == 50


def test_a_table_over_repetitions_has_spread_percentile_and_agreement_by_hand(filled):
    # Means of the repetitions 0.70, 0.80, 0.90; 0.8 and 4.0 rules are published.
    filled.log("small", "foldse", repeated((0.6, 0.8), (0.7, 0.9), (0.8, 1.0), rules=5.0, fit_seconds=0.001))
    table = filled.table()

    accuracy, rules, time = (
        row(filled.csv(), "small", "foldse", name) for name in ("accuracy", "rules", "fit_seconds")
    )
    assert (accuracy["mean"], accuracy["folds"], accuracy["repeats"]) == ("0.8", "6", "3")
    # Squares of -0.1, 0, 0.1 over 2 between repetitions, of -0.2, 0, -0.1, 0.1, 0, 0.2 over 6 between folds.
    assert (accuracy["spread"], accuracy["std"]) == ("0.1", "0.129099")
    assert (accuracy["percentile"], accuracy["agrees"]) == ("50.0", "True")
    assert (rules["spread"], rules["percentile"], rules["agrees"]) == ("0.0", "0.0", "False")
    assert (time["percentile"], time["agrees"]) == ("", "")

    with (filled.folder / "results" / "tables" / "toy_agreement.csv").open(encoding="utf-8") as file:
        counted = {(r["learner"], r["metric"]): (r["cells"], r["agree"]) for r in csv.DictReader(file)}
    assert counted == {("foldse", "accuracy"): ("1", "1"), ("foldse", "rules"): ("1", "0")}

    text = markdown(table)
    assert "| FOLD-SE | **0.800 ± 0.100** (0.80, 50 %) | 5.0 ± 0.0* (4.0, 0 %) |" in text
    assert (
        "| published figures that agree | accuracy | rules |\n|:--|--:|--:|\n| FOLD-SE | 1 of 1 | 0 of 1 |"
        in text
    )
    assert "Mean over repetitions ± standard deviation between them, ddof=1; the population" in text
    assert "\\* The published value is outside the middle 95% of our repetitions." in text
    for made in (latex(table), html(table)):
        assert "Published figures that agree: FOLD-SE accuracy 1 of 1, rules 0 of 1." in made


def test_the_console_shows_how_many_figures_agree(filled, capsys):
    filled.log("small", "foldse", repeated((0.6, 0.8), (0.7, 0.9)))

    assert main(filled.overrides) == 0

    out = capsys.readouterr().out
    assert "published figures that agree  accuracy" in out
    assert "toy.csv .md .tex .html _agreement.csv" in out


def test_a_single_repetition_has_neither_percentile_nor_agreement(filled):
    filled.log("small", "foldse", repeated((0.6, 0.8)))
    table = filled.table()

    accuracy = row(filled.csv(), "small", "foldse", "accuracy")
    assert (accuracy["repeats"], accuracy["spread"], accuracy["percentile"], accuracy["agrees"]) == (
        "1", "", "", "",
    )  # fmt: skip
    assert not (filled.folder / "results" / "tables" / "toy_agreement.csv").exists()
    assert "published figures that agree" not in markdown(table)


def test_runs_with_fewer_repetitions_are_named(filled):
    three, two = repeated((0.6, 0.8), (0.7, 0.9), (0.8, 1.0)), repeated((0.6, 0.8), (0.7, 0.9))
    filled.log("small", "foldse", three, protocol="folds=2 repeats=3 seed=42")
    filled.log("small", "figs", two, protocol="folds=2 repeats=3 seed=42")

    assert "as many as ended within the time of a job: FIGS on small 2." in markdown(filled.table())


def test_the_export_keeps_the_repetitions(filled):
    from experiments.export import main as export

    filled.log("small", "foldse", repeated((0.6, 0.8), (0.7, 0.9), (0.8, 1.0)))
    filled.table()
    path = filled.folder / "results" / "tables" / "toy.csv"
    expected = path.read_text()
    path.unlink()

    assert export(filled.overrides) == 0
    assert main(["--from", str(filled.folder / "results" / "runs.csv"), *filled.overrides]) == 0
    assert path.read_text() == expected


def test_averages_and_second_readings_are_not_counted():
    def cell(dataset, agreed):
        return {
            "table": "t", "learner": "foldse", "settings": "", "protocol": "p", "metric": "rules",
            "dataset": dataset, "agrees": agreed,
        }  # fmt: skip

    rows = [
        cell(name, agreed)
        for name, agreed in (
            ("heart", True),
            ("wine", False),
            ("breast_w_numeric", True),
            ("average", True),
            ("cars", None),
        )
    ]
    assert summary(rows).to_dict("records") == [
        {
            "table": "t", "learner": "foldse", "settings": "", "protocol": "p", "metric": "rules",
            "cells": 2, "agree": 1,
        }
    ]  # fmt: skip


def test_the_web_service_is_held_to_its_own_figures_alone():
    from experiments.config import compose

    published = Published.read(compose().paths.published)
    plain = "hold_out=0.2 seeds=42-51 stratified=false ddof=1"
    stratified = plain.replace("false", "true")

    def mean(*arguments, **more):
        figure = published.lookup(*arguments, **more)
        return None if figure is None else figure.mean

    assert mean("heart", "foldse", "accuracy", "service", protocol=stratified) == 0.7481481
    assert published.lookup("heart", "foldse", "accuracy", "service", protocol=plain).std == 0.0731423
    assert mean("breast_w", "foldse", "rules", "service", protocol=stratified) == 4.4
    assert mean("ecoli_cp", "foldse", "rules", "service", protocol=plain) is None
    assert mean("heart", "foldse", "accuracy", "service", protocol="folds=10") is None
    assert mean("heart", "foldrpp", "accuracy", "service", protocol=plain) is None
    assert mean("heart", "foldse", "accuracy", "rule_learners", protocol=plain) == 0.74
    assert len(published.service) == 18


def test_confold_is_held_to_the_figures_of_its_authors_alone():
    from experiments.config import compose

    published = Published.read(compose().paths.published)
    protocol = "hold_out=0.2 seeds=42-71 stratified=false ddof=1"

    tuned = published.lookup("nursery", "confold_tuned", "rules", "confold", protocol=protocol)
    assert (tuned.mean, tuned.std) == (22.2, 2.8)
    assert published.lookup("wine", "foldrm", "accuracy", "confold").mean == 0.942
    assert published.lookup("wine", "foldrm", "accuracy", "multiclass").mean == 0.93  # the paper's
    assert published.lookup("wine", "confold", "rules", "confold") is None  # not recorded
    assert published.lookup("wine", "foldse", "accuracy", "confold") is None
    assert len(published.confold) == 7 * (2 + 1 + 2)


def test_how_near_confold_is_to_its_authors_is_counted_by_data_set():
    from experiments.tables.notes import _confold_notes

    line = {"learner": "confold", "settings": "", "protocol": "p"}
    cells = [
        ("wine", "accuracy", 0.90, 0.01),  # just within
        ("ecoli", "accuracy", 0.90, -0.011),
        ("wine", "rules", 40.0, -4.0),  # a tenth
        ("ecoli", "rules", 4.0, 0.5),
        ("nursery", "rules", None, None),  # not recorded
        ("average", "rules", 22.0, 0.0),
    ]
    rows = [
        {**line, "dataset": dataset, "metric": metric, "published_mean": mean, "difference": difference}
        for dataset, metric, mean, difference in cells
    ]
    (note,) = _confold_notes(rows, {("confold", "", "p"): "CON-FOLD"})
    assert note.endswith("of the authors': CON-FOLD accuracy 1 of 2, rules 1 of 2.")
    assert list(_confold_notes(rows[4:], {("confold", "", "p"): "CON-FOLD"})) == []
