"""Scores from runs and from files, and the command that compares them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from experiments.compare import main
from experiments.comparison.compare import Settings, compare
from experiments.comparison.reading import read_scores
from experiments.comparison.report import markdown
from experiments.comparison.runs import scores_of_runs, select
from experiments.comparison.scores import ComparisonError, Folds, Scores
from experiments.records import FoldResult
from experiments.tables.runs import TableRun, read_csv, to_frame

PROTOCOL = "folds=2 repeats={} seed=42 shuffle=true stratified=false"


def run(dataset, learner, accuracy, repetitions=(), status="ok", settings=None, protocol=PROTOCOL, **means):
    """Return a run of the table ``toy``."""
    repeats = len(repetitions) or 1
    tags = {"dataset": dataset, "learner": learner, "status": status, "rows": "10", "repeats": str(repeats)}
    tags["protocol"] = protocol.format(repeats)
    means = {} if status != "ok" else {"accuracy": accuracy, **means}
    each = {"accuracy": repetitions} if repetitions else {}
    stds = dict.fromkeys(means, 0.0)
    return TableRun(f"{dataset}-{learner}", "2026", {"toy": 1}, tags, settings or {}, means, stds, each)


def read(runs, **options):
    return scores_of_runs(select(runs, ["toy"]), "accuracy", True, **options)


def test_learners_are_compared_on_the_repetitions_that_both_have():
    runs = [
        run("heart", "foldse", 0.7, (0.8, 0.6)),
        run("heart", "xgboost", 0.75),
        run("wine", "foldse", 0.5, (0.4, 0.6)),
        run("wine", "xgboost", 0.9, (0.8, 1.0)),
    ]
    found = read(runs)
    assert found.means.loc["heart"].to_dict() == {"foldse": 0.8, "xgboost": 0.75}
    assert found.means.loc["wine"].to_dict() == {"foldse": 0.5, "xgboost": 0.9}
    assert any("of foldse only those repetitions" in note for note in found.notes)


def test_what_has_no_score_is_said():
    runs = [
        run("heart", "foldse", 0.7),
        run("heart", "jrip", None, status="timeout"),
        run("wine", "foldse", 0.7),
    ]
    found = read(runs)
    assert found.why_not == {("heart", "jrip"): "timeout", ("wine", "jrip"): "has no run"}
    assert np.isnan(found.means.at["heart", "jrip"])


def test_settings_of_one_learner_are_several_learners_where_they_share_a_data_set():
    two = [
        run("heart", "foldse", 0.7, settings={"tail": "0"}),
        run("heart", "foldse", 0.6, settings={"tail": "0.1"}),
    ]
    assert list(read(two).means) == ["foldse (tail=0)", "foldse (tail=0.1)"]
    two[1] = run("wine", "foldse", 0.6, settings={"tail": "0.1"})
    found = read(two)
    assert list(found.means) == ["foldse"]
    assert any("different settings" in note for note in found.notes)


def test_runs_of_several_protocols_are_no_comparison():
    runs = [run("heart", "foldse", 0.7), run("heart", "jrip", 0.7, protocol="hold_out=0.2 seeds=1")]
    with pytest.raises(ComparisonError, match="several protocols"):
        read(runs)
    with pytest.raises(ComparisonError, match="no run of the experiment other; there are toy"):
        select(runs, ["other"])


def test_folds_give_a_test_on_each_data_set():
    folds = {"foldse": [0.80, 0.84, 0.80, 0.84], "jrip": [0.70, 0.75, 0.69, 0.74]}

    def folds_of(run_id):
        values = folds[run_id.partition("-")[2]]
        return [FoldResult(i, "ok", {"accuracy": v}, repeat=i // 2) for i, v in enumerate(values)]

    runs = [run("heart", "foldse", 0.82, (0.82, 0.82)), run("heart", "jrip", 0.72, (0.725, 0.715))]
    scores = read(runs, folds_of=folds_of)
    assert scores.folds["heart", "jrip"].test_train_ratio == 1  # of two folds, one tests and one trains
    found = compare(scores, Settings("foldse"))
    row = found.datasets.iloc[0]
    # Differences 0.10, 0.09, 0.11, 0.10; s^2 = 2e-4 / 3, variance of the mean (1/4 + 1) s^2.
    assert row.difference == pytest.approx(0.1)
    assert row.t == pytest.approx(0.1 / np.sqrt(1.25 * 2e-4 / 3))
    assert "heart" in markdown(found, "toy")


def test_a_wide_and_a_long_file_say_the_same(tmp_path):
    wide, long = tmp_path / "wide.csv", tmp_path / "long.csv"
    wide.write_text("dataset,a,b\nd1,0.9,0.8\nd2,0.7,\n")
    long.write_text(
        "dataset,learner,fold,accuracy\nd1,a,0,1.0\nd1,a,1,0.8\nd1,b,0,0.8\nd1,b,1,0.8\nd2,a,0,0.7\n"
    )
    first, second = (read_scores(path, "accuracy", True) for path in (wide, long))
    pd.testing.assert_frame_equal(first.means, second.means)
    assert second.folds["d1", "a"].scores.tolist() == [1.0, 0.8]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "has no column dataset; it has a, b"),
        ("dataset,a\nd1,0.5\nd1,0.6\n", "two lines for the data set d1"),
        ("dataset,a,b\nd1,0.5,NA\n", r"column b: 'NA' in row 2 is not a number"),
        ("dataset,learner,f1\nd1,a,1\n", "has no column accuracy; say metric=<one of dataset, learner, f1>"),
        ("dataset,learner,accuracy\nd1,a,1\nd1,a,2\n", "two scores of dataset d1, learner a"),
    ],
)
def test_files_that_cannot_be_used(tmp_path, text, message):
    path = tmp_path / "scores.csv"
    path.write_text(text)
    with pytest.raises(ComparisonError, match=message):
        read_scores(path, "accuracy", True)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Settings("c"), "control=c is not one of the learners"),
        (Settings("a", alpha=1.0), "alpha=1 must be"),
        (Settings("a", rope=-1.0), "rope=-1 must be"),
    ],
)
def test_settings_out_of_their_range(settings, message):
    scores = Scores("accuracy", True, pd.DataFrame({"a": [1.0], "b": [0.5]}, index=["d1"]))
    with pytest.raises(ComparisonError, match=message):
        compare(scores, settings)


def test_folds_of_different_splits_are_not_paired():
    means = pd.DataFrame({"a": [0.5], "b": [0.6]}, index=["d1"])
    folds = {
        ("d1", "a"): Folds(pd.Series([0.5], index=[0]), 1.0),
        ("d1", "b"): Folds(pd.Series([0.6], index=[1]), 1.0),
    }
    assert compare(Scores("accuracy", True, means, {}, folds), Settings("a")).datasets.empty


def test_the_command_reads_runs_and_writes_its_files(tmp_path, capsys):
    runs = []
    for i, dataset in enumerate(["d1", "d2", "d3", "d4"]):
        runs += [
            run(dataset, "foldse", 0.90 - i / 100, predicates=3.0),
            run(dataset, "jrip", 0.88 - i / 50, predicates=4.0),
            run(dataset, "tree", 0.70 + i / 100),
        ]
    path = tmp_path / "runs.csv"
    to_frame(runs, {one.run_id: ["toy"] for one in runs}).to_csv(path, index=False)
    assert len(read_csv(path)) == 12
    arguments = ["toy", "--from", str(path), f"paths.results={tmp_path}"]
    assert main(arguments) == 0
    shown = capsys.readouterr().out
    assert "Mean ranks on the 4 data sets" in shown
    assert "| foldse : jrip |         4 |            4-0-0 |" in shown
    assert "| foldse  |                   4 |            4 |" in shown
    folder = tmp_path / "comparisons"
    assert {path.name.removeprefix("toy_accuracy") for path in folder.iterdir()} == {
        ".md", "_scores.csv", "_pairs.csv", "_front.csv", "_ranks.csv", "_ranks.svg", "_ranks.png",
    }  # fmt: skip
    assert pd.read_csv(folder / "toy_accuracy_pairs.csv").loc[0, "p"] == 0.125
    # With two learners there are no ranks, and their files go.
    assert main([*arguments, "learners=jrip,foldse", "control=all"]) == 0
    assert "| jrip : foldse |" in capsys.readouterr().out
    assert not (folder / "toy_accuracy_ranks.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--from"], "--from needs a file"),
        (["metrics=f1"], "unknown setting metrics: did you mean metric? there are metric"),
        (["metric=loops"], "say which loops is the better one: better=high or better=low"),
        (["a.csv", "rope=x"], "rope=x must be a number"),
        (["a.csv", "learners=a,z"], "there is no learner z; there are a, b"),
        (["a.csv", "b.csv"], "a.csv is a file of scores; give it alone"),
        (["no.csv"], "no.csv cannot be read"),
    ],
)
def test_errors_of_the_command_are_one_line(tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("dataset,a,b\nd1,0.5,0.6\n")
    assert main(arguments) == 1
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1
