"""The commands as a user gives them: real processes, a real store."""

import csv
import os
import re
import subprocess
import sys

import pytest
from mlflow.tracking import MlflowClient

from experiments.config import ROOT


class Shell:
    def __init__(self, database):
        self.database = database
        self.results = database.parent / "results"

    def run(self, *arguments, module="experiments"):
        environment = {
            key: value for key, value in os.environ.items() if key not in ("FOLDSE_DATA", "COLUMNS")
        }
        return subprocess.run(
            [
                sys.executable, "-m", module, *arguments, f"tracking.uri=sqlite:///{self.database}",
                f"paths.results={self.results}", f"paths.outputs={self.database.parent / 'outputs'}",
            ],
            cwd=ROOT, env=environment, capture_output=True, text=True, timeout=180,
        )  # fmt: skip

    def runs(self):
        client = MlflowClient(f"sqlite:///{self.database}")
        return client.search_runs([e.experiment_id for e in client.search_experiments()])

    def table(self, name):
        with (self.results / "tables" / f"{name}.csv").open(encoding="utf-8") as file:
            return list(csv.DictReader(file))


@pytest.fixture
def shell(database):
    return Shell(database)


def test_one_run_prints_its_figures_and_rules_and_is_logged(shell):
    done = shell.run("dataset=breast_w", "learner=foldse", "protocol.folds=3")

    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert re.search(r"^accuracy +0\.9\d+ +± ", done.stdout, re.MULTILINE)
    assert "diagnosis(X,'malignant') :- " in done.stdout
    (run,) = shell.runs()
    assert run.info.status == "FINISHED"
    assert run.data.tags["dataset"] == "breast_w"
    assert run.data.params["learner.tail"] == "0.005"
    assert {"accuracy", "rules_std", "predict_seconds", "fold/accuracy"} <= set(run.data.metrics)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["dataset=brest_w"], 2, "unknown dataset 'brest_w': did you mean breast_w? there are acute, "),
        (
            ["-m", "learner=foldse,ripley"],
            2,
            "unknown learner 'ripley': did you mean ripper? there are ebm, ",
        ),
        (["dataset=adult"], 1, "set paths.data=<folder> or the variable FOLDSE_DATA"),
        (["dataset.label=nix"], 1, "no label column 'nix'"),
        (["dataset.positive=nix"], 1, "positive label 'nix' is not in column"),
        (["learner.ratio=7"], 1, "learner.ratio=7 is out of range"),
        (
            ["dataset=wine", "protocol.stratified=true", "protocol.folds=50"],
            1,
            "fewer than protocol.folds=50",
        ),
        (["paths.data=${oc.env:NO_SUCH_VARIABLE}"], 1, "NO_SUCH_VARIABLE"),
    ],
)
def test_bad_input_is_one_line_a_code_that_is_not_0_and_nothing_in_the_store(shell, arguments, code, message):
    done = shell.run(*arguments)

    assert done.returncode == code
    assert message in done.stderr
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert shell.runs() == []


def test_a_sweep_goes_on_past_what_fails_and_says_so_at_the_end(shell):
    done = shell.run(
        "-m", "experiment=quickstart", "dataset=heart,adult", "learner=foldrm,foldse", "protocol.folds=3"
    )

    assert done.returncode == 1
    assert "[1/4] heart · foldrm: not applicable" in done.stderr
    assert re.search(r"\[2/4\] heart · foldse: accuracy 0\.\d+", done.stderr)
    assert done.stderr.count("error: adult · ") == 2
    assert done.stderr.rstrip().endswith("error: 2 of 4 jobs went wrong")
    assert "Traceback" not in done.stderr
    assert "quickstart: accuracy" in done.stdout
    assert {run.info.status for run in shell.runs()} == {"FINISHED"}
    assert len(shell.runs()) == 2
    status = {(row["learner"], row["status"]) for row in shell.table("quickstart")}
    assert status == {("foldrm", "not applicable"), ("foldse", "ok")}


def test_a_learner_that_is_not_installed_is_a_row_and_is_looked_for_again(shell):
    options = (
        "-m", "experiment=quickstart", "dataset=heart", "learner=foldrpp_ig", "protocol.folds=3",
        "learner._target_=tests.experiments.stand_ins.NeedsWhatIsNotThere",
        "~learner.heuristic", "~learner.ratio",
    )  # fmt: skip
    done = shell.run(*options)

    assert done.returncode == 1
    assert "not installed" in done.stderr
    assert "no_such_package is needed" in done.stderr
    assert "pip install -e '.[field]'" in done.stderr
    assert "Traceback" not in done.stderr
    assert {(row["status"], row["mean"]) for row in shell.table("quickstart")} == {("not installed", "")}
    shell.run(*options)
    assert len(shell.runs()) == 2


def test_a_learner_that_fails_is_a_failed_run_that_no_table_counts(shell):
    done = shell.run(
        "-m", "experiment=quickstart", "dataset=heart", "learner=foldrpp_ig",
        "learner._target_=tests.experiments.stand_ins.FailsOnRow",
        "~learner.heuristic", "~learner.ratio", "+learner.row=5", "protocol.folds=3",
    )  # fmt: skip

    assert done.returncode == 1
    assert "RuntimeError: row 5 is not to my taste" in done.stderr
    assert "Traceback" not in done.stderr
    (run,) = shell.runs()
    assert run.info.status == "FAILED"
    client = MlflowClient(f"sqlite:///{shell.database}")
    tracebacks = client.list_artifacts(run.info.run_id, "traceback")
    assert len(tracebacks) == 2  # all folds but the one that tests the row
    assert {(row["status"], row["mean"]) for row in shell.table("quickstart")} == {("failed", "")}


def test_the_tables_are_rebuilt_from_the_store_alone(shell):
    done = shell.run(
        "-m", "experiment=quickstart", "dataset=wine", "learner=foldse,tree_ig", "protocol.folds=3"
    )
    assert done.returncode == 0, done.stderr
    folder = shell.results / "tables"
    first = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert sorted(first) == [f"quickstart.{suffix}" for suffix in ("csv", "html", "md", "tex")]
    for path in folder.iterdir():
        path.unlink()

    done = shell.run(module="experiments.tables")

    assert done.returncode == 0, done.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == first


def test_two_runs_of_a_sweep_log_the_same_but_for_times(shell):
    sweep = ("-m", "dataset=heart", "learner=foldse,xgboost", "protocol.folds=3", "tracking.rerun=true")
    assert shell.run(*sweep).returncode == 0
    assert shell.run(*sweep).returncode == 0

    by_learner = {}
    for run in shell.runs():
        metrics = {
            name: value
            for name, value in run.data.metrics.items()
            if "_seconds" not in name and "_memory" not in name
        }
        by_learner.setdefault(run.data.tags["learner"], []).append(metrics)
    assert {learner: len(runs) for learner, runs in by_learner.items()} == {"foldse": 2, "xgboost": 2}
    for first, second in by_learner.values():
        assert first == second


def test_a_sweep_goes_on_past_learners_that_do_not_return(shell):
    names = ("Sleeper", "Quitter", "Greedy", "Majority")
    targets = ",".join(f"tests.experiments.stand_ins.{name}" for name in names)
    done = shell.run(
        "-m", "experiment=quickstart", "dataset=heart", "learner=tree_ig", "~learner.heuristic",
        f"learner._target_={targets}", "learner.id=${learner._target_}", "limits.seconds=2",
        "limits.memory_mb=200", "protocol.folds=3",
    )  # fmt: skip

    assert done.returncode == 1  # a crash is a fault, a limit is a result
    status = {row["learner"].rsplit(".", 1)[1]: row["status"] for row in shell.table("quickstart")}
    assert status == {"Sleeper": "timeout", "Quitter": "crashed", "Greedy": "out of memory", "Majority": "ok"}
    assert len(shell.runs()) == 4
