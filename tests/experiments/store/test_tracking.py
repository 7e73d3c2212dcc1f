import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from mlflow.tracking import MlflowClient

from experiments.config import ROOT, compose
from experiments.records import FoldResult
from experiments.running.cross_validation import CrossValidation
from experiments.store.location import TrackingError, exists, was_deleted
from experiments.store.tags import describe, flatten
from experiments.store.tracking import Store
from tests.experiments.stand_ins import two_classes

RESULTS = [
    FoldResult(0, "ok", {"accuracy": 0.5, "fit_seconds": 0.01}, "a :- b."),
    FoldResult(1, "ok", {"accuracy": 1.0, "fit_seconds": 0.03}, "a :- c."),
]
FAILED = FoldResult(1, "failed", error="ValueError: no", traceback="Traceback ...\nValueError: no\n")


@pytest.fixture
def store(database):
    return Store(f"sqlite:///{database}", "tests")


def artifact(store, run_id, path):
    return Path(store.client.download_artifacts(run_id, path)).read_text(encoding="utf-8")


def test_a_run_has_metrics_by_fold_and_summed_up_params_tags_and_artifacts(store):
    with store.run("d · l", {"dataset": "d"}, {"learner.ratio": 0.5, "odd,[key]": "v"}) as run:
        run.log("ratio: 0.5\n", RESULTS)

    logged = store.client.get_run(run.id)
    assert logged.info.status == "FINISHED"
    assert logged.data.params == {"learner.ratio": "0.5", "odd__key_": "v"}
    tags = {key: value for key, value in logged.data.tags.items() if not key.startswith("mlflow.")}
    assert int(tags.pop("stamp")) > 0
    assert tags == {"dataset": "d", "status": "ok", "folds": "2", "repeats": "1"}
    history = store.client.get_metric_history(run.id, "fold/accuracy")
    assert [(metric.step, metric.value) for metric in history] == [(0, 0.5), (1, 1.0)]
    assert logged.data.metrics == pytest.approx(
        {
            "fold/accuracy": 1.0,  # the last one
            "accuracy": 0.75,
            "accuracy_std": 0.25,
            "fold/fit_seconds": 0.03,
            "fit_seconds": 0.02,
            "fit_seconds_std": 0.01,
        }
    )
    (record,) = store.read()
    assert record.measured == ["accuracy", "fit_seconds"]
    assert (record.mean("accuracy"), record.std("accuracy")) == pytest.approx((0.75, 0.25))
    assert record.mean("rules") is record.std("rules") is None
    assert artifact(store, run.id, "config.yaml") == "ratio: 0.5\n"
    assert json.loads(artifact(store, run.id, "folds.json")) == [result.to_dict() for result in RESULTS]
    assert artifact(store, run.id, "rules/fold_01.txt") == "a :- c.\n"


def test_artifacts_lie_beside_the_database(store, database):
    with store.run("r", {}, {}) as run:
        run.log("", RESULTS)

    beside = database.parent / "mlartifacts" / run.id / "artifacts"
    assert sorted(path.name for path in beside.iterdir()) == ["config.yaml", "folds.json", "rules"]


def test_artifacts_may_lie_elsewhere(database, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    store = Store(f"sqlite:///{database}", "tests", str(elsewhere))
    with store.run("r", {}, {}) as run:
        run.log("", RESULTS)

    assert (elsewhere / run.id / "artifacts" / "folds.json").is_file()


def test_a_failed_fold_makes_the_run_failed_with_its_traceback_and_no_means(store):
    with store.run("r", {}, {}) as run:
        assert run.log("", [RESULTS[0], FAILED]) == {}

    logged = store.client.get_run(run.id)
    assert logged.info.status == "FAILED"
    assert logged.data.tags["status"] == "failed"
    assert logged.data.tags["error"] == "ValueError: no"
    assert logged.data.tags["folds"] == "1"
    assert logged.data.metrics == {"fold/accuracy": 0.5, "fold/fit_seconds": 0.01}
    assert store.read()[0].measured == []
    assert artifact(store, run.id, "traceback/fold_01.txt") == FAILED.traceback


@pytest.mark.parametrize(
    ("error", "status"), [(OSError("disk full"), "FAILED"), (KeyboardInterrupt(), "KILLED")]
)
def test_a_crash_ends_the_run_and_goes_on(store, error, status):
    with pytest.raises(type(error)), store.run("r", {}, {}) as run:
        raise error

    logged = store.client.get_run(run.id)
    assert logged.info.status == status
    assert logged.data.tags["status"] == "failed"
    assert type(error).__name__ in artifact(store, run.id, "traceback/run.txt")
    assert [record.status for record in store.read()] == ["failed"]


def test_a_run_that_is_open_is_running(store):
    with store.run("r", {}, {}) as run:
        assert [record.status for record in store.read()] == ["running"]
        run.not_applicable("two classes")
    (record,) = store.read()
    assert record.finished
    assert record.status == "not applicable"


def test_more_metrics_than_a_request_takes_are_all_logged(store):
    results = [FoldResult(i, "ok", {f"m{j}": float(i) for j in range(30)}) for i in range(50)]
    with store.run("r", {}, {f"p{i}": i for i in range(250)}) as run:
        run.log("", results)

    logged = store.client.get_run(run.id)
    assert len(logged.data.params) == 250
    assert len(logged.data.metrics) == 3 * 30
    assert [m.step for m in store.client.get_metric_history(run.id, "fold/m29")] == list(range(50))
    assert logged.data.tags["status"] == "ok"


@pytest.mark.parametrize("n", [299, 300, 301])
def test_a_full_request_has_room_for_the_tags(store, n):
    with store.run("r", {}, {}) as run:
        run.log("", [FoldResult(0, "ok", {f"m{i}": 1.0 for i in range(n)})])
    (record,) = store.read()
    assert len(record.measured) == n
    assert record.status == "ok"


def test_a_run_of_the_first_stores_is_read_by_the_present_names(store):
    made = store.client.create_run(store.experiment_id, tags={"status": "ok"})
    for fold, value in enumerate((0.5, 1.0)):
        store.client.log_metric(made.info.run_id, "accuracy", value, step=fold)
    for name, value in (("accuracy_mean", 0.75), ("accuracy_std", 0.25)):
        store.client.log_metric(made.info.run_id, name, value)
    store.client.set_terminated(made.info.run_id)
    (record,) = store.read()
    assert record.metrics == {"accuracy": 0.75, "accuracy_std": 0.25}
    assert record.measured == ["accuracy"]


def test_a_metric_is_stored_under_a_name_that_mlflow_takes(store):
    with store.run("r", {}, {}) as run:
        run.log("", [FoldResult(0, "ok", {"rules[all], 50%": 2.0})])
    (record,) = store.read()
    assert record.measured == ["rules_all__ 50_"]
    assert record.mean("rules_all__ 50_") == 2.0


def test_a_metric_with_the_name_of_a_deviation_is_refused(store):
    results = [FoldResult(0, "ok", {"margin": 1.0, "margin_std": 2.0})]
    with pytest.raises(TrackingError, match="'margin_std' of the learner"), store.run("r", {}, {}) as run:
        run.log("", results)
    assert store.read()[0].status == "failed"


def test_runs_are_read_the_latest_first(store):
    for name in "abc":
        with store.run(name, {"dataset": name}, {}) as run:
            run.log("", RESULTS)
    started = [record.started for record in store.read()]
    assert started == sorted(started, reverse=True)
    assert {record.tags["dataset"] for record in store.read()} == {"a", "b", "c"}


def test_processes_that_meet_on_a_fresh_database_do_not_spoil_it(tmp_path):
    uri = f"sqlite:///{tmp_path / 'mlflow.db'}"
    code = f"from experiments.store.tracking import Store; Store({uri!r}, 'tests')"
    processes = [
        subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for process in processes:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors

    assert len(MlflowClient(uri).search_experiments(filter_string="name = 'tests'")) == 1


@pytest.mark.parametrize("uri", ["nix://somewhere", "sqlite:////proc/no/mlflow.db", "http://127.0.0.1:9"])
def test_a_store_that_cannot_be_used_is_named_in_one_line(uri):
    with pytest.raises(TrackingError, match=r"^tracking\.uri=") as caught:
        Store(uri, "tests")
    assert uri in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "MLFLOW_HTTP_REQUEST_MAX_RETRIES" not in os.environ


def test_whether_there_is_a_store_is_told_without_making_one(database, tmp_path):
    path = tmp_path / "mlflow.db"
    assert not exists(f"sqlite:///{path}")
    assert not path.exists()
    assert exists(f"sqlite:///{database}")


def test_a_store_that_was_used_and_is_gone_is_noticed(database, tmp_path):
    assert not was_deleted(f"sqlite:///{tmp_path / 'new.db'}")
    (tmp_path / "a store" / "mlflow.db.locks").mkdir()
    assert not was_deleted(f"sqlite:///{database}")
    database.unlink()
    assert was_deleted(f"sqlite:///{database}")


def test_a_password_is_in_no_message_and_no_artifact(store):
    with pytest.raises(TrackingError, match=r"http://me:\*\*\*@127\.0\.0\.1:9 ") as caught:
        Store("http://me:s3cret@127.0.0.1:9", "tests")
    assert "s3cret" not in str(caught.value)
    failed = FoldResult(0, "failed", error="no", traceback="no route to postgresql://me:s3@cret@h/db\n")
    with store.run("r", {}, {}) as run:
        run.log("tracking:\n  uri: http://me:s3cret@host:5000\n", [failed])
    assert artifact(store, run.id, "config.yaml") == "tracking:\n  uri: http://me:***@host:5000\n"
    assert artifact(store, run.id, "traceback/fold_00.txt") == "no route to postgresql://me:***@h/db\n"


def test_a_fold_without_a_program_has_a_file_that_says_why(store):
    over = FoldResult(2, "timeout", error="over limits.seconds=5")
    with store.run("r", {}, {}) as run:
        run.log("", [RESULTS[0], FoldResult(1, "ok", {"accuracy": 1.0}), over])
    programs = [artifact(store, run.id, f"rules/fold_{i:02}.txt") for i in range(3)]
    assert programs == [
        "a :- b.\n",
        "no program: the model of this learner cannot be written as rules\n",
        "no program: the fold ended as 'timeout': over limits.seconds=5\n",
    ]


def test_params_are_the_config_but_for_where_things_are():
    params = flatten(compose(["dataset=heart", "learner=foldse", "learner.tail=3"]))

    assert params["learner.tail"] == "3"
    assert params["protocol.folds"] == "10"
    assert json.loads(params["dataset.numeric"])[0] == "age"
    assert not any(key.startswith(("paths", "tracking")) for key in params)


def test_tags_tell_what_a_run_is_of(store):
    described = describe(compose(["learner=foldse"]), two_classes(), CrossValidation())
    assert not any(key.startswith("table.") for key in described)
    with store.run("r", described, {}, "quickstart"):
        pass
    (record,) = store.read()
    tags = record.tags

    assert tags["dataset"] == "toy"
    assert tags["learner"] == "foldse"
    assert tags["rows"] == "40"
    assert tags["cols"] == "3"
    assert int(tags["table.quickstart"]) > 0
    assert json.loads(tags["versions"])["python"] == ".".join(map(str, sys.version_info[:3]))
    assert set(json.loads(tags["hardware"])) >= {"processor", "cores", "system"}
