"""What was run is not run again: in a store, and with real processes that are killed."""

import os
import signal
import subprocess
import sys

import pytest
from mlflow.entities import ViewType
from mlflow.tracking import MlflowClient

from experiments.config import ROOT, compose
from experiments.records import FoldResult
from experiments.running.cross_validation import CrossValidation
from experiments.running.worker import Limits
from experiments.store import run_cache
from experiments.store.tracking import Store
from tests.experiments.stand_ins import make_dataset, two_classes
from tests.experiments.test_command_line import Shell

pytestmark = pytest.mark.commands

OK = [FoldResult(0, "ok", {"accuracy": 0.5}, "a :- b.")]


@pytest.fixture
def store(database):
    return Store(f"sqlite:///{database}", "foldse")


def tags(*overrides, dataset=None, protocol=None, limits=None):
    return run_cache.job_key(
        compose(overrides), dataset or two_classes(), protocol or CrossValidation(), limits or Limits()
    )


def test_a_job_is_its_data_learner_protocol_and_code(monkeypatch):
    job = tags()["job"]
    assert tags()["job"] == job
    assert tags("limits.seconds=5", "paths.results=/else", limits=Limits(seconds=5))["job"] == job
    others = [
        tags("learner.ratio=0.4"),
        tags("learner.id=other"),
        tags("learner=foldrpp_mgi"),
        tags(protocol=CrossValidation(seed=1)),
        tags(dataset=make_dataset({"x": [1.0, 2.0]}, ["a", "b"], "a", id="other")),
    ]
    monkeypatch.setattr(run_cache, "code_version", lambda spec: "another")
    others.append(tags())
    assert len({job, *(other["job"] for other in others)}) == 7


def test_a_title_is_no_part_of_a_job():
    assert tags("learner.title=Renamed")["job"] == tags()["job"]


def test_a_finished_run_is_found_and_a_failed_one_is_not(store):
    job = tags()
    assert run_cache.lookup(store, job, Limits()) is None
    with store.run("r", job, {}) as run:
        run.log("", [FoldResult(0, "failed", error="no")])
    with store.run("r", job, {}) as run:
        run.log("", [FoldResult(0, "crashed", error="no")])
    assert run_cache.lookup(store, job, Limits()) is None
    with store.run("r", job, {}) as run:
        run.log("", OK)

    found = run_cache.lookup(store, job, Limits())

    assert found.run_id == run.id
    assert run_cache.summary_of(found)["accuracy"].mean == 0.5
    assert run_cache.lookup(store, tags("learner.tail=3"), Limits()) is None


@pytest.mark.parametrize(
    ("status", "then", "now", "counts"),
    [
        ("timeout", Limits(seconds=10), Limits(seconds=10), True),
        ("timeout", Limits(seconds=10), Limits(seconds=5), True),
        ("timeout", Limits(seconds=10), Limits(seconds=20), False),
        ("timeout", Limits(seconds=10), Limits(), False),
        ("out of memory", Limits(memory_mb=10), Limits(memory_mb=20), False),
        ("out of memory", Limits(), Limits(), True),
        ("out of memory", Limits(), Limits(memory_mb=20), True),
    ],
)
def test_a_run_that_was_stopped_at_a_limit_counts_unless_more_is_allowed(store, status, then, now, counts):
    with store.run("r", tags(limits=then), {}) as run:
        run.log("", [FoldResult(0, status, error="over it")])

    assert (run_cache.lookup(store, tags(limits=now), now) is not None) is counts


@pytest.mark.parametrize(("then", "now", "counts"), [(60, 60, True), (60, 120, False), (60, None, False)])
def test_a_run_with_fewer_repetitions_counts_unless_it_may_take_longer(store, then, now, counts):
    with store.run("r", tags(limits=Limits(job_seconds=then)), {}) as run:
        run.log("", OK)
        run.tags[run_cache.CUT_TAG] = "true"

    assert (run_cache.lookup(store, tags(), Limits(job_seconds=now)) is not None) is counts


def test_a_run_gives_back_its_repetitions(store):
    results = [FoldResult(i, "ok", {"accuracy": value}, repeat=i) for i, value in enumerate((0.5, 0.75))]
    with store.run("r", tags(), {}) as run:
        logged = run.log("", results)

    assert run_cache.summary_of(run_cache.lookup(store, tags(), Limits())) == logged
    assert logged["accuracy"].repetitions == (0.5, 0.75)


def test_what_a_killed_process_of_this_machine_left_open_is_deleted(store):
    for host in (
        run_cache.job_key(compose(), two_classes(), CrossValidation(), Limits())["host"],
        "elsewhere",
    ):
        store.client.create_run(store.experiment_id, tags={**tags(), "host": host, "status": "running"})

    assert run_cache.lookup(store, tags(), Limits()) is None

    assert [record.tags["host"] for record in store.read()] == ["elsewhere"]


def test_one_process_at_a_time_does_a_job(database):
    cfg = compose([f"tracking.uri=sqlite:///{database}"])
    with run_cache.job_lock(cfg, "j"), run_cache.job_lock(cfg, "k"):
        code = (
            "from filelock import FileLock, Timeout\n"
            f"try: FileLock({f'{database}.locks/j.lock'!r}, timeout=0.1).acquire()\n"
            "except Timeout: print('locked')"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "locked\n"


def test_a_finished_run_is_shown_again_and_becomes_part_of_the_table_that_asks_for_it(database):
    shell = Shell(database)
    job = ("dataset=heart", "learner=foldse", "protocol.folds=3")
    first = shell.run(*job)
    again = shell.run(*job)
    assert "tracking.rerun=true runs it again" in again.stdout
    assert first.stdout.splitlines()[:15] == again.stdout.splitlines()[:15]
    assert ":-" in again.stdout
    assert again.stderr == ""
    (run,) = shell.runs()

    done = shell.run("-m", "experiment=quickstart", *job)

    assert "(found)" in done.stderr
    assert [found.info.run_id for found in shell.runs()] == [run.info.run_id]
    assert {row["status"] for row in shell.table("quickstart")} == {"ok"}
    assert shell.run(*job, "tracking.rerun=true").returncode == 0
    assert len(shell.runs()) == 2


def test_a_sweep_that_was_killed_goes_on_where_it_was(database):
    shell = Shell(database)
    names = "foldse,foldrpp_ig,tree_ig,tree_mgi"
    sweep = ("-m", "experiment=quickstart", "dataset=heart,wine", f"learner={names}", "protocol.folds=4")
    process = subprocess.Popen(
        [
            sys.executable, "-m", "experiments", *sweep, f"tracking.uri=sqlite:///{database}",
            f"paths.results={shell.results}", f"paths.outputs={database.parent / 'outputs'}",
        ],
        cwd=ROOT, stderr=subprocess.PIPE, text=True, env=os.environ,
    )  # fmt: skip
    for line in process.stderr:
        if line.startswith("[3/8]"):
            break
    client = MlflowClient(f"sqlite:///{database}")
    experiments = [found.experiment_id for found in client.search_experiments()]
    while len(runs := client.search_runs(experiments)) < 4 and process.poll() is None:
        pass  # until the fourth is open
    process.send_signal(signal.SIGKILL)
    process.wait()
    finished = {run.info.run_id for run in client.search_runs(experiments) if run.info.status == "FINISHED"}
    assert 3 <= len(finished) < 8
    assert len(runs) >= 4  # the fourth job had begun

    done = shell.run(*sweep)

    assert done.returncode == 0, done.stderr
    runs = client.search_runs(experiments)
    jobs = [(run.data.tags["dataset"], run.data.tags["learner"]) for run in runs]
    assert len(jobs) == len(set(jobs)) == 8
    assert {run.info.status for run in runs} == {"FINISHED"}
    assert finished <= {run.info.run_id for run in runs}
    assert done.stderr.count("(found)") == len(finished)
    # At most the one that was open when the process was killed.
    assert len(client.search_runs(experiments, run_view_type=ViewType.DELETED_ONLY)) <= 1
    rows = {(row["dataset"], row["learner"]) for row in shell.table("quickstart")}
    averages = {row for row in rows if row[0] == "average"}
    assert (len(rows - averages), len(averages)) == (8, 4)
