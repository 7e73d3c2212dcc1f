"""The commands as a user gives them: real processes, a real store."""

import csv
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time

import pytest
from mlflow.tracking import MlflowClient

from experiments.config import ROOT

pytestmark = pytest.mark.commands


class Shell:
    def __init__(self, database):
        self.database = database
        self.results = database.parent / "results"

    def run(self, *arguments, module="experiments", **places):
        environment = {
            key: value for key, value in os.environ.items() if key not in ("FOLDSE_DATA", "COLUMNS")
        }
        environment["NO_PROXY"] = environment["no_proxy"] = "127.0.0.1"
        places = {
            "tracking.uri": f"sqlite:///{self.database}",
            "paths.results": self.results,
            "paths.outputs": self.database.parent / "outputs",
            **{key.replace("_", ".", 1): value for key, value in places.items()},
        }
        return subprocess.run(
            [sys.executable, "-m", module, *arguments, *(f"{key}={places[key]}" for key in places)],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=180,
        )

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


def test_repetitions_are_added_to_those_of_a_run_that_had_too_little_time(shell):
    job = ["dataset=breast_w", "learner=foldse", "protocol.folds=2", "protocol.repeats=3"]
    short = shell.run(*job, "limits.job_seconds=0.001")
    again = shell.run(*job, "limits.job_seconds=0.001")
    long = shell.run(*job)

    assert "1 of 3 repetitions in limits.job_seconds=0.001" in short.stdout
    assert "found: MLflow run" in again.stdout
    assert long.returncode == 0, long.stderr
    runs = {run.data.tags["repeats"]: run for run in shell.runs()}
    assert set(runs) == {"1", "3"}
    client = MlflowClient(f"sqlite:///{shell.database}")
    first, whole = (
        [metric.value for metric in client.get_metric_history(runs[n].info.run_id, "fold/fit_seconds")]
        for n in ("1", "3")
    )
    assert (len(first), len(whole)) == (2, 6)
    assert whole[:2] == first  # to the last digit: they were not run again
    assert list(shell.database.parent.glob("*.locks/*.jsonl")) == []


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["dataset=brest_w"], 2, "unknown dataset 'brest_w': did you mean breast_w? there are acute, "),
        (
            ["-m", "learner=foldse,ripley"],
            2,
            "unknown learner 'ripley': did you mean ripper? there are confold, ",
        ),
        (["dataset=adult"], 1, "set paths.data=<folder> or the variable FOLDSE_DATA"),
        (["learner.tial=0.1"], 2, "unknown setting learner.tial: did you mean tail? learner has "),
        (["dataset=heart,wine"], 2, "To sweep over it, add --multirun"),
        (["dataset.file=../heart.csv.gz"], 1, "dataset.file=../heart.csv.gz leaves the data folder"),
        (["dataset.positive=true"], 1, "positive has the truth value true"),
        (["dataset.label=nix"], 1, "no label column 'nix'"),
        (["dataset.positive=nix"], 1, "positive label 'nix' is not in column"),
        (["learner.ratio=-1"], 1, "ratio=-1"),
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
    assert "[1/4] heart · foldrm · folds=3: not applicable" in done.stderr
    assert re.search(r"\[2/4\] heart · foldse · folds=3: accuracy 0\.\d+", done.stderr)
    assert done.stderr.count("error: adult · ") == 2
    assert done.stderr.rstrip().endswith("error: 2 of 4 jobs went wrong")
    assert "Traceback" not in done.stderr
    assert {run.info.status for run in shell.runs()} == {"FINISHED"}
    assert len(shell.runs()) == 2
    status = {(row["learner"], row["status"]) for row in shell.table("quickstart")}
    assert status == {("foldrm", "not applicable"), ("foldse", "ok")}


def test_a_learner_that_is_not_installed_is_a_row_and_is_looked_for_again(shell):
    options = (
        "-m", "experiment=quickstart", "dataset=heart", "learner=foldrpp_ig", "protocol.folds=3",
        "learner._target_=tests.experiments.stand_ins.NeedsWhatIsNotThere",
        "~learner.heuristic", "~learner.ratio", "~learner.remove_covered", "~learner.stop_at_invalid",
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
        "~learner.heuristic", "~learner.ratio", "~learner.remove_covered", "~learner.stop_at_invalid",
        "+learner.row=5", "protocol.folds=3",
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


def test_jobs_at_once_log_the_same_but_for_times(shell):
    sweep = (
        "-m",
        "dataset=heart,voting",
        "learner=foldse,foldrpp_ig",
        "protocol.folds=3",
        "tracking.rerun=true",
    )
    assert shell.run(*sweep).returncode == 0
    done = shell.run(*sweep, "hydra/launcher=joblib", "hydra.launcher.n_jobs=2")
    assert done.returncode == 0, done.stderr

    by_job = {}
    for run in shell.runs():
        figures = {
            name: value
            for name, value in run.data.metrics.items()
            if "_seconds" not in name and "_memory" not in name
        }
        at_once = json.loads(run.data.tags["hardware"]).get("jobs_at_once", 1)
        by_job.setdefault((run.data.tags["dataset"], run.data.tags["learner"]), {})[at_once] = figures
    assert len(by_job) == 4
    for runs in by_job.values():
        assert set(runs) == {1, 2}
        assert runs[1] == runs[2]


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


@pytest.fixture
def own_configs(tmp_path):
    """A folder of a user's own: a data set whose labels would clear the screen, and an experiment with it."""
    rows = [f"{i},{'b' if i % 3 else 'c'},{'yes' if i % 2 else LABEL}" for i in range(60)]
    (tmp_path / "mine.csv").write_text("a,b,label\n" + "\n".join(rows) + "\n", encoding="utf-8")
    dataset = (
        "id: mine[1]\nsource: file\nfile: mine.csv\nsha256: null\nlabel: label\ntarget: outcome\n"
        'positive: "no\\e[2J"\nnumeric: [a]\ncategorical: rest\n'
    )
    for group in ("dataset", "experiment"):
        (tmp_path / group).mkdir()
    (tmp_path / "dataset" / "mine.yaml").write_text(dataset, encoding="utf-8")
    (tmp_path / "dataset" / "tab.yaml").write_text("id: tab\n\tsource: file\n", encoding="utf-8")
    (tmp_path / "experiment" / "own.yaml").write_text(
        "# @package _global_\nhydra: {mode: MULTIRUN, sweeper: {params: {dataset: 'mine,heart', "
        "learner: foldse, protocol.folds: 2}}}\n",
        encoding="utf-8",
    )
    return tmp_path


LABEL = "no\x1b[2J"


def test_an_experiment_of_ones_own_names_a_data_set_of_the_same_folder(shell, own_configs):
    done = shell.run("--config-dir", str(own_configs), "experiment=own", paths_data=own_configs)

    assert done.returncode == 0, done.stderr
    assert "[1/2] mine · foldse · folds=2: accuracy " in done.stderr
    for run in shell.runs():
        assert f"MLflow run {run.info.run_id}  " in done.stdout
    assert {row["dataset"] for row in shell.table("own")} >= {"mine[1]", "heart"}

    again = shell.run(module="experiments.tables")  # a name with brackets spoils no rebuild
    assert again.returncode == 0, again.stderr
    assert "mine[1]" in again.stdout


def test_what_others_wrote_reaches_no_terminal_raw(shell, own_configs):
    single = ("--config-dir", str(own_configs), "dataset=mine", "learner=foldse", "protocol.folds=2")
    done = shell.run(*single, paths_data=own_configs)
    assert done.returncode == 0, done.stderr
    assert r"outcome(X,'no\x1b\[2J')" in done.stdout  # as a Prolog atom has it
    assert "\x1b" not in done.stdout + done.stderr

    done = shell.run(*single, "dataset.positive=maybe", paths_data=own_configs)
    assert done.returncode == 1
    assert r"\x1b[2J" in done.stderr
    assert "\x1b" not in done.stdout + done.stderr


def test_a_tab_in_a_config_is_named_with_its_line(shell, own_configs):
    done = shell.run("--config-dir", str(own_configs), "dataset=tab")

    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {own_configs}/dataset/tab.yaml, line 2: ")
    assert done.stderr.endswith("indent with spaces, not tabs\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("place", ["paths_results", "paths_outputs"])
def test_what_cannot_be_written_is_one_line(shell, tmp_path, place):
    (tmp_path / "file").touch()
    done = shell.run(
        "experiment=quickstart", "dataset=wine", "learner=tree_ig", "protocol.folds=2",
        **{place: tmp_path / "file" / "folder"},
    )  # fmt: skip

    assert done.returncode == 1
    errors = [line for line in done.stderr.splitlines() if not line.startswith("[1/1] wine")]
    assert len(errors) == 1
    assert errors[0].startswith("error: ")
    assert "Not a directory" in errors[0]
    assert len(shell.runs()) == (1 if place == "paths_results" else 0)
    if place == "paths_results":
        done = shell.run(module="experiments.export", paths_results=tmp_path / "file" / "folder")
        assert (done.returncode, done.stderr.count("\n"), done.stdout) == (1, 1, "")


@pytest.mark.parametrize("module", ["experiments.fetch", "experiments.export", "experiments.tables"])
def test_every_command_has_help(module):
    done = subprocess.run(
        [sys.executable, "-m", module, "--help"], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert f"python -m {module}" in done.stdout
    assert done.stderr == ""


@pytest.fixture
def server(database):
    """An MLflow server on this machine; its address has a password."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [
            sys.executable, "-m", "mlflow", "server", "--backend-store-uri", f"sqlite:///{database}",
            "--artifacts-destination", str(database.parent / "served"), "--workers", "1", "--port", str(port),
        ],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        env={**os.environ, "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"},
    )  # fmt: skip
    for _ in range(600):
        with socket.socket() as wanted:
            if wanted.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    yield f"http://me:s3cret@127.0.0.1:{port}"
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def test_the_password_of_a_server_is_written_nowhere(shell, server):
    job = ("dataset=wine", "protocol.folds=2")
    one = shell.run(*job, "learner=tree_ig", tracking_uri=server)
    two = shell.run("-m", *job, "learner=tree_ig,tree_mgi", tracking_uri=server)
    bad = shell.run(*job, tracking_uri="postgresql://me:s3cret@127.0.0.1:9/none")

    assert (one.returncode, two.returncode, bad.returncode) == (0, 0, 1), one.stderr + two.stderr
    assert "me:***@127.0.0.1" in bad.stderr
    for done in (one, two, bad):
        assert "s3cret" not in done.stdout + done.stderr
    written = [path for path in shell.database.parent.rglob("*") if path.is_file()]
    names = {path.name for path in written}
    assert {"config.yaml", "overrides.yaml", "hydra.yaml", "multirun.yaml", "outcome.json"} <= names
    assert [path for path in written if b"s3cret" in path.read_bytes()] == []
    assert len(shell.runs()) == 2
