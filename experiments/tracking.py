"""MLflow: one run a (data set, learner, protocol), written in a few batches and read back for the tables."""

from __future__ import annotations

import functools
import json
import logging
import os
import re
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

from filelock import FileLock
from omegaconf import DictConfig, OmegaConf

# Before the import: telemetry looks up a server at its first use, and each run would print where to see it.
os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
os.environ.setdefault("MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT", "true")

from mlflow.entities import Metric, Param, RunTag
from mlflow.tracking import MlflowClient

from experiments.protocol import Protocol
from experiments.records import Dataset, FoldResult
from experiments.runner import Summary, summarize

# A request to an MLflow server takes no more than these.
_METRICS_A_BATCH = 1000
_PARAMS_A_BATCH = 100
_LONGEST_TAG = 5000
_VERSIONED = ("foldse", "numpy", "pandas", "scikit-learn", "numba", "xgboost", "xgboost-cpu", "mlflow")


class TrackingError(RuntimeError):
    """A store that cannot be used; the message is one line."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What the tables need of one run.

    Attributes
    ----------
    run_id : str
    finished : bool
        Whether MLflow has it as FINISHED.
    started : int
        Start, in milliseconds since 1970.
    tags, metrics
        As they were logged.
    """

    run_id: str
    finished: bool
    started: int
    tags: dict[str, str] = field(default_factory=dict)
    metrics: dict[str, float] = field(default_factory=dict)

    @property
    def status(self) -> str:
        """``"ok"``, or why no table counts it."""
        status = self.tags.get("status", "running")
        return status if self.finished or status != "ok" else "failed"


class Store:
    """An MLflow tracking store and the experiment in it.

    Parameters
    ----------
    uri : str
        Any MLflow tracking URI.
    experiment : str
        Name of the MLflow experiment; made where it does not exist.
    artifacts : str, optional
        Folder for artifacts. By default ``mlartifacts`` beside an SQLite file, else what the server says.
    """

    def __init__(self, uri: str, experiment: str, artifacts: str | None = None) -> None:
        self.uri = uri
        with _one_at_a_time(uri), _few_retries():
            try:
                self.client = _client(uri)
                found = self.client.get_experiment_by_name(experiment)
                self.experiment_id = (
                    found.experiment_id
                    if found is not None
                    else self.client.create_experiment(
                        experiment, artifact_location=_location(uri, artifacts)
                    )
                )
            except (
                Exception
            ) as error:  # a wrong scheme, no such server, no right to write: each its own class
                raise TrackingError(f"tracking.uri={uri} cannot be used: {_one_line(error)}") from error

    @classmethod
    def from_config(cls, cfg: DictConfig) -> Store:
        """Open the store of the config group ``tracking``."""
        return cls(cfg.uri, cfg.experiment, cfg.artifacts)

    @contextmanager
    def run(self, name: str, tags: Mapping[str, str], params: Mapping[str, Any]) -> Iterator[Run]:
        """Make a run; it ends FINISHED, or FAILED where a fold failed or the block raised.

        Parameters
        ----------
        name : str
            What MLflow's pages show.
        tags : mapping
        params : mapping
            Logged at once, so that a run that is killed tells what it was.
        """
        made = self.client.create_run(self.experiment_id, run_name=name, tags={"status": "running", **tags})
        run = Run(self.client, made.info.run_id)
        try:
            run.log_params(params)
            yield run
            run.close()
        except BaseException as error:
            run.crash(error)
            raise

    def read(self) -> list[RunRecord]:
        """Return every run of the experiment, the latest first."""
        records: list[RunRecord] = []
        token: str | None = None
        while True:
            page = self.client.search_runs(
                [self.experiment_id],
                max_results=1000,
                order_by=["attributes.start_time DESC"],
                page_token=token,
            )
            records += [
                RunRecord(
                    run.info.run_id,
                    run.info.status == "FINISHED",
                    run.info.start_time,
                    dict(run.data.tags),
                    dict(run.data.metrics),
                )
                for run in page
            ]
            token = page.token
            if not token:
                return records


class Run:
    """One open run.

    Parameters
    ----------
    client : mlflow.tracking.MlflowClient
    run_id : str
    """

    def __init__(self, client: MlflowClient, run_id: str) -> None:
        self.client = client
        self.id = run_id
        # Written when the run ends, in one request: a commit takes longer than all the rest.
        self.tags: dict[str, str] = {"status": "ok"}
        self.metrics: list[Metric] = []

    def log_params(self, params: Mapping[str, Any]) -> None:
        """Log parameters; a list is written as JSON."""
        made = [Param(_name(key), str(value)) for key, value in params.items()]
        for start in range(0, len(made), _PARAMS_A_BATCH):
            self.client.log_batch(self.id, params=made[start : start + _PARAMS_A_BATCH])

    def log(self, config: str, results: Iterable[FoldResult]) -> dict[str, Summary]:
        """Log the results of all folds.

        Parameters
        ----------
        config : str
            The resolved config as YAML.
        results : iterable of FoldResult

        Returns
        -------
        dict of str to Summary
            What the tables will show; empty where a fold is not ok.
        """
        results = list(results)
        summary = summarize(results)
        now = int(time.time() * 1000)
        self.metrics = [
            Metric(name, value, now, result.fold)
            for result in results
            for name, value in result.metrics.items()
        ]
        for name, figures in summary.items():
            self.metrics += [
                Metric(f"{name}_mean", figures.mean, now, 0),
                Metric(f"{name}_std", figures.std, now, 0),
            ]
        texts = {
            "config.yaml": config,
            "folds.json": json.dumps([result.to_dict() for result in results], indent=1),
        }
        texts.update({f"rules/fold_{r.fold:02d}.txt": r.rules + "\n" for r in results if r.rules})
        texts.update({f"traceback/fold_{r.fold:02d}.txt": r.traceback for r in results if r.traceback})
        self.log_texts(texts)
        broken = [result for result in results if result.status != "ok"]
        self.tags["folds"] = str(len(results) - len(broken))
        if broken:
            self.tags.update(status=broken[0].status, error=broken[0].error)
        return summary

    def log_texts(self, texts: Mapping[str, str]) -> None:
        """Write text artifacts, given by path, in one go."""
        with tempfile.TemporaryDirectory() as folder:
            for path, text in texts.items():
                target = Path(folder) / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8")
            self.client.log_artifacts(self.id, folder)

    def not_applicable(self, reason: str) -> None:
        """Note that the learner is not meant for the data set; the run ends without figures."""
        self.tags.update(status="not applicable", error=reason, folds="0")

    def close(self) -> None:
        """End the run: FINISHED, or FAILED with status ``"failed"``."""
        self._end("FAILED" if self.tags["status"] == "failed" else "FINISHED")

    def crash(self, error: BaseException) -> None:
        """End the run as FAILED (KILLED by an interrupt), with the traceback as an artifact."""
        self.metrics.clear()
        self.tags.update(status="failed", error=traceback.format_exception_only(error)[-1].strip())
        try:
            self.log_texts({"traceback/run.txt": "".join(traceback.format_exception(error))})
        finally:
            self._end("FAILED" if isinstance(error, Exception) else "KILLED")

    def _end(self, status: str) -> None:
        while len(self.metrics) > _METRICS_A_BATCH:
            self.client.log_batch(self.id, metrics=self.metrics[:_METRICS_A_BATCH])
            del self.metrics[:_METRICS_A_BATCH]
        tags = [RunTag(key, value[:_LONGEST_TAG]) for key, value in self.tags.items()]
        self.client.log_batch(self.id, metrics=self.metrics, tags=tags)
        self.client.set_terminated(self.id, status)


def describe(cfg: DictConfig, dataset: Dataset, protocol: Protocol, table: str | None) -> dict[str, str]:
    """Return the tags by which tables and people find a run.

    Parameters
    ----------
    cfg : omegaconf.DictConfig
        The whole config.
    dataset : Dataset
    protocol : Protocol
    table : str or None
        The named experiment that the run is part of.
    """
    tags = {
        "dataset": dataset.id,
        "learner": str(cfg.learner.id),
        "protocol": str(protocol),
        "digest": dataset.digest,
        "source": dataset.source,
        "rows": str(len(dataset.y)),
        "cols": str(dataset.X.shape[1] + 1),  # with the label, as the paper counts
        "versions": _versions(),
    }
    if table:
        tags[table_tag(table)] = "true"
    return tags


def table_tag(table: str) -> str:
    """Return the tag of the runs that a table is made of; a run may be part of several."""
    return f"table.{table}"


def flatten(cfg: DictConfig) -> dict[str, str]:
    """Return the config as dotted names and text, without what only says where things are."""
    flat: dict[str, str] = {}

    def walk(prefix: str, node: Any) -> None:
        if isinstance(node, dict):
            for key, value in node.items():
                walk(f"{prefix}.{key}" if prefix else str(key), value)
        else:
            flat[prefix] = json.dumps(node) if isinstance(node, list) else str(node)

    for group, node in OmegaConf.to_container(cfg, resolve=True).items():  # type: ignore[union-attr]
        if group not in ("paths", "tracking"):
            walk(str(group), node)
    return flat


def exists(uri: str) -> bool:
    """Tell whether there is a store to read; only of a file can it be told beforehand."""
    path = _sqlite_path(uri)
    return path is None or path.is_file()


@functools.cache
def _client(uri: str) -> MlflowClient:
    # MLflow announces each migration of a fresh database; the progress bar is on the same terminal.
    for name in ("mlflow.store.db.utils", "alembic"):
        logging.getLogger(name).setLevel(logging.WARNING)
    if (path := _sqlite_path(uri)) is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
    return MlflowClient(tracking_uri=uri)


@contextmanager
def _one_at_a_time(uri: str) -> Iterator[None]:
    """Let one process at a time make a fresh SQLite database: several at once leave it beyond repair."""
    path = _sqlite_path(uri)
    if path is None:
        yield
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TrackingError(f"tracking.uri={uri} cannot be used: {_one_line(error)}") from error
    with FileLock(f"{path}.lock"):
        yield


@contextmanager
def _few_retries() -> Iterator[None]:
    """Give up on a server that is not there after seconds; once it answered, MLflow's own patience holds."""
    name = "MLFLOW_HTTP_REQUEST_MAX_RETRIES"
    if name in os.environ:
        yield
        return
    os.environ[name] = "2"
    try:
        yield
    finally:
        del os.environ[name]


def _sqlite_path(uri: str) -> Path | None:
    match = re.fullmatch(r"sqlite(?:\+\w+)?:///(.+?)(?:\?.*)?", uri)
    return Path(match[1]).absolute() if match else None


def _location(uri: str, artifacts: str | None) -> str | None:
    if artifacts:
        return artifacts if re.match(r"\w+://", artifacts) else Path(artifacts).absolute().as_uri()
    path = _sqlite_path(uri)
    return (path.parent / "mlartifacts").as_uri() if path is not None else None


@functools.cache
def _versions() -> str:
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for package in _VERSIONED:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return json.dumps(found)


def _name(key: str) -> str:
    return re.sub(r"[^\w\-./ ]", "_", key)


def _one_line(error: Exception) -> str:
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
