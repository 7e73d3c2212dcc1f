"""MLflow: one run a (data set, learner, protocol), written in a few batches and read back for the tables."""

from __future__ import annotations

import json
import re
import tempfile
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mlflow.entities import Metric, Param, RunTag
from mlflow.tracking import MlflowClient
from omegaconf import DictConfig

from experiments.console import without_password
from experiments.metrics import ordered
from experiments.records import FoldResult
from experiments.running.summary import Summary, summarize
from experiments.statuses import CRASHED, FAILED, NOT_APPLICABLE, OK, RUNNING
from experiments.store.location import (
    TrackingError,
    artifact_location,
    client,
    few_retries,
    one_at_a_time,
    one_line,
)
from experiments.store.tags import now, table_tag

# A request to an MLflow server takes no more than these.
_METRICS_PER_REQUEST = 900  # with tags, 1000
_PARAMS_PER_REQUEST = 100
_LONGEST_TAG = 5000
# The figures of the folds; without it, a name is that of the mean over them.
_FOLD = "fold/"
# Tags with the means of the repetitions, one a metric: reading the history of a metric takes a request a run.
_REPETITIONS = "repetitions."
# With more folds than these, their programs are in one file a repetition.
_MOST_PROGRAMS = 50
# When a run was last made or asked for: of as many digits until 2286, so that text sorts as numbers do.
_STAMP = "stamp"


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
    tags, params
        As they were logged.
    metrics : dict of str to float
        The mean of each metric under its name, its population standard deviation under ``<name>_std``.
    """

    run_id: str
    finished: bool
    started: int
    tags: dict[str, str] = field(default_factory=dict)
    metrics: dict[str, float] = field(default_factory=dict)
    params: dict[str, str] = field(default_factory=dict)

    @property
    def status(self) -> str:
        """``"ok"``, or why no table counts it."""
        status = self.tags.get("status", RUNNING)
        return status if self.finished or status != OK else FAILED

    @property
    def measured(self) -> list[str]:
        """The metrics that it has a mean of."""
        return ordered(name for name in self.metrics if f"{name}_std" in self.metrics)

    def mean(self, metric: str) -> float | None:
        """Return the mean of a metric over the folds, None where it has none."""
        return self.metrics.get(metric)

    def std(self, metric: str) -> float | None:
        """Return the population standard deviation of a metric over the folds, None where it has none."""
        return self.metrics.get(f"{metric}_std")

    @property
    def repetitions(self) -> dict[str, tuple[float, ...]]:
        """The mean of each repetition by metric; empty for a single repetition."""
        return {
            tag.removeprefix(_REPETITIONS): tuple(json.loads(value))
            for tag, value in self.tags.items()
            if tag.startswith(_REPETITIONS)
        }

    def asked(self, table: str) -> int:
        """When a table last asked for the run, see `Store.stamp`."""
        value = self.tags.get(table_tag(table), "")
        return int(value) if value.isdigit() else self.started


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
        with one_at_a_time(uri), few_retries():
            try:
                self.client = client(uri)
                found = self.client.get_experiment_by_name(experiment)
                self.experiment_id = (
                    found.experiment_id
                    if found is not None
                    else self.client.create_experiment(
                        experiment, artifact_location=artifact_location(uri, artifacts)
                    )
                )
            except (
                Exception
            ) as error:  # a wrong scheme, no such server, no right to write: each its own class
                raise TrackingError(f"tracking.uri={uri} cannot be used: {one_line(error)}") from error

    @classmethod
    def from_config(cls, cfg: DictConfig) -> Store:
        """Open the store of the config group ``tracking``."""
        return cls(cfg.uri, cfg.experiment, cfg.artifacts)

    @contextmanager
    def run(
        self, name: str, tags: Mapping[str, str], params: Mapping[str, Any], table: str | None = None
    ) -> Iterator[Run]:
        """Make a run; it ends FINISHED, or FAILED where a fold failed or the block raised.

        Parameters
        ----------
        name : str
            What MLflow's pages show.
        tags : mapping
        params : mapping
            Logged at once, so that a run that is killed tells what it was.
        table : str, optional
            The table that it is part of.
        """
        stamp = self.stamp()
        tags = {_STAMP: stamp, **({table_tag(table): stamp} if table else {}), **tags}
        made = self.client.create_run(self.experiment_id, run_name=name, tags={"status": RUNNING, **tags})
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
        return self._search("")

    def find(self, tag: str, value: str) -> list[RunRecord]:
        """Return the runs with a tag of this value, the latest first."""
        return self._search(f"tags.`{tag}` = '{value}'")

    def mark(self, run_id: str, table: str) -> None:
        """Make a finished run part of a table."""
        stamp = self.stamp()
        for tag in (table_tag(table), _STAMP):
            self.client.set_tag(run_id, tag, stamp)

    def stamp(self) -> str:
        """Return the time in milliseconds since 1970, or the latest stamp plus 1 if the clock went back."""
        latest = self.client.search_runs(
            [self.experiment_id], f"tags.`{_STAMP}` != ''", max_results=1, order_by=[f"tags.`{_STAMP}` DESC"]
        )
        return str(max(int(now()), *(int(run.data.tags[_STAMP]) + 1 for run in latest), 0))

    def delete(self, run_id: str) -> None:
        """Take a run out of what is read; MLflow can restore it."""
        self.client.delete_run(run_id)

    def text(self, run_id: str, path: str) -> str:
        """Return a text artifact."""
        with tempfile.TemporaryDirectory() as folder:
            return Path(self.client.download_artifacts(run_id, path, folder)).read_text(encoding="utf-8")

    def _search(self, condition: str) -> list[RunRecord]:
        records: list[RunRecord] = []
        token: str | None = None
        while True:
            page = self.client.search_runs(
                [self.experiment_id],
                condition,
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
                    _summarized(run.data.metrics),
                    dict(run.data.params),
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
        self.tags: dict[str, str] = {"status": OK}
        self.metrics: list[Metric] = []

    def log_params(self, params: Mapping[str, Any]) -> None:
        """Log parameters; a list is written as JSON."""
        made = [Param(_name(key), str(value)) for key, value in params.items()]
        for batch in _batches(made, _PARAMS_PER_REQUEST):
            self.client.log_batch(self.id, params=batch)

    def log(self, config: str, results: Iterable[FoldResult], ddof: int = 0) -> dict[str, Summary]:
        """Log the results of all folds.

        Parameters
        ----------
        config : str
            The resolved config as YAML.
        results : iterable of FoldResult
        ddof : int, default=0
            Of the standard deviation over the folds.

        Returns
        -------
        dict of str to Summary
            What the tables will show; empty where a fold is not ok.
        """
        results = list(results)
        summary = summarize(results, ddof)
        derived = [f"{name}_{part}" for name in summary for part in ("std", "spread")]
        if twice := [name for name in derived if name in summary]:
            raise TrackingError(f"metric {twice[0]!r} of the learner has the name of a deviation; rename it")
        logged = int(now())
        self.metrics = [
            Metric(_FOLD + _name(name), value, logged, result.fold)
            for result in results
            for name, value in result.metrics.items()
        ]
        for name, figures in summary.items():
            self.metrics += [
                Metric(_name(name), figures.mean, logged, 0),
                Metric(f"{_name(name)}_std", figures.std, logged, 0),
            ]
            if figures.spread is not None:
                self.metrics.append(Metric(f"{_name(name)}_spread", figures.spread, logged, 0))
                self.tags[_REPETITIONS + _name(name)] = _repetitions_text(name, figures.repetitions)
        texts = {
            "config.yaml": config,
            "folds.json": json.dumps([result.to_dict() for result in results], indent=1),
        }
        texts.update(_programs(results))
        texts.update({f"traceback/fold_{r.fold:02d}.txt": r.traceback for r in results if r.traceback})
        self.log_texts(texts)
        broken = [result for result in results if result.status != OK]
        self.tags["folds"] = str(len(results) - len(broken))
        self.tags["repeats"] = str(len({result.repeat for result in results}))
        if broken:
            self.tags.update(status=broken[0].status, error=broken[0].error)
        return summary

    def log_texts(self, texts: Mapping[str, str]) -> None:
        """Write text artifacts, given by path, in one go."""
        with tempfile.TemporaryDirectory() as folder:
            for path, text in texts.items():
                target = Path(folder) / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(without_password(text), encoding="utf-8")
            self.client.log_artifacts(self.id, folder)

    def not_applicable(self, reason: str, status: str = NOT_APPLICABLE) -> None:
        """Note that the learner cannot be run on the data set, and why; the run ends without figures."""
        self.tags.update(status=status, error=reason, folds="0")

    def close(self) -> None:
        """End the run: FAILED where a fold failed or crashed, else FINISHED, at a limit, too."""
        self._end("FAILED" if self.tags["status"] in (FAILED, CRASHED) else "FINISHED")

    def crash(self, error: BaseException) -> None:
        """End the run as FAILED (KILLED by an interrupt), with the traceback as an artifact."""
        self.metrics.clear()
        self.tags.update(status=FAILED, error=traceback.format_exception_only(error)[-1].strip())
        try:
            self.log_texts({"traceback/run.txt": "".join(traceback.format_exception(error))})
        finally:
            self._end("FAILED" if isinstance(error, Exception) else "KILLED")

    def _end(self, status: str) -> None:
        *full, last = list(_batches(self.metrics, _METRICS_PER_REQUEST)) or [[]]
        for batch in full:
            self.client.log_batch(self.id, metrics=batch)
        tags = [RunTag(key, value[:_LONGEST_TAG]) for key, value in self.tags.items()]
        self.client.log_batch(self.id, metrics=last, tags=tags)
        self.client.set_terminated(self.id, status)


def _programs(results: list[FoldResult]) -> dict[str, str]:
    """Return the learned programs by the path of their file: one a fold, of many folds one a repetition."""
    if len(results) <= _MOST_PROGRAMS:
        return {f"rules/fold_{result.fold:02d}.txt": f"{_program(result)}\n" for result in results}
    parts: dict[str, list[str]] = {}
    for result in results:
        path = f"rules/repeat_{result.repeat:02d}.txt"
        parts.setdefault(path, []).append(f"% fold {result.fold}\n{_program(result)}\n")
    return {path: "\n".join(programs) for path, programs in parts.items()}


def _repetitions_text(name: str, means: tuple[float, ...]) -> str:
    """Return the means of the repetitions as a tag."""
    text = json.dumps([float(f"{mean:.9g}") for mean in means])
    if len(text) > _LONGEST_TAG:
        raise TrackingError(
            f"{len(means)} repetitions of {name} are too many for a tag: set protocol.repeats lower"
        )
    return text


def _program(result: FoldResult) -> str:
    """Return the learned program of a fold, or why there is none."""
    if result.rules:
        return result.rules
    if result.status != OK:
        return f"no program: the fold ended as {result.status!r}: {result.error}"
    return "no program: the model of this learner cannot be written as rules"


def _batches(items: list[Any], size: int) -> Iterator[list[Any]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def _summarized(metrics: Mapping[str, float]) -> dict[str, float]:
    """Return means and deviations by their present names, without the figures of the last fold.

    The first stores have the mean as ``<name>_mean``, and the figures of the folds under the plain name.
    """
    if any(name.startswith(_FOLD) for name in metrics):
        return {name: value for name, value in metrics.items() if not name.startswith(_FOLD)}
    kept: dict[str, float] = {}
    for name in (key.removesuffix("_mean") for key in metrics if key.endswith("_mean")):
        if f"{name}_std" in metrics:
            kept |= {name: metrics[f"{name}_mean"], f"{name}_std": metrics[f"{name}_std"]}
    return kept


def _name(key: str) -> str:
    return re.sub(r"[^\w\-./ ]", "_", key)
