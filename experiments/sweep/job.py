"""One job of a sweep: config in, outcome out. Nothing that it meets stops the sweep."""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter

from hydra.conf import HydraConf
from hydra.core.hydra_config import HydraConfig
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from experiments.config import written_overrides
from experiments.console import without_password
from experiments.data import load as datasets
from experiments.data.config import OWN
from experiments.data.download import Downloads
from experiments.learners import LearnerError, LearnerSpec, NotApplicableError, NotInstalledError
from experiments.metrics import TIMES, metric_of
from experiments.records import Dataset, FoldResult
from experiments.running import protocol as protocols
from experiments.running.folds import run_limited
from experiments.running.summary import Summary
from experiments.running.worker import Limits, LimitsError
from experiments.statuses import BAD_INPUT, FAILED, FINISHED, NOT_APPLICABLE, NOT_INSTALLED, OK
from experiments.store import run_cache
from experiments.store.location import TrackingError
from experiments.store.tags import describe, flatten
from experiments.store.tracking import RunRecord, Store
from experiments.sweep import progress
from experiments.tables.experiment import table_name

OUTCOME_FILE = "outcome.json"
_BAD_INPUT = (datasets.DataError, LearnerError, LimitsError, protocols.ProtocolError, OmegaConfBaseException)


@dataclass(slots=True)
class Outcome:
    """The result of a job.

    Attributes
    ----------
    dataset, learner : str
    settings : list of str
        What the command line or the sweep sets of learner and protocol, such as ``"tail=0.01"``.
    table : str or None
        The table that the job is part of.
    status : str
        ``"ok"``, ``"not applicable"``, ``"not installed"``, the status of the first fold that is not ok, or
        ``"bad input"``, which leaves nothing in the store.
    message : str
        Why it is not ok, or why it has fewer repetitions than asked for: one line.
    run_id : str
        The MLflow run; empty where none was made.
    seconds : float
        From the start of the job to its end.
    learning_seconds : float
        The part of it that is fit and predict, the warm-up included; the rest is overhead.
    summary : dict of str to Summary
    rules : str
        The rules of the last fold.
    recalled : bool
        Whether all this is of a run that was finished before.
    """

    dataset: str
    learner: str
    status: str
    settings: list[str] = field(default_factory=list)
    table: str | None = None
    message: str = ""
    run_id: str = ""
    seconds: float = 0.0
    learning_seconds: float = 0.0
    summary: dict[str, Summary] = field(default_factory=dict)
    rules: str = ""
    recalled: bool = False

    @property
    def good(self) -> bool:
        """Whether nothing went wrong."""
        return self.status in FINISHED

    @property
    def name(self) -> str:
        """What the job is called in messages."""
        return " · ".join([self.dataset, self.learner, *self.settings])

    def line(self) -> str:
        """Return the outcome as one line."""
        if self.status != OK:
            return f"{self.name}: {self.status}: {self.message}"
        figures = [
            f"{name} {metric_of(name).text(self.summary[name].mean)}"
            for name in ("accuracy", "rules", "predicates", "nodes")
            if name in self.summary
        ]
        spent = "found" if self.recalled else f"{self.seconds:.1f} s"
        remarks = "; ".join([spent, *([self.message] if self.message else [])])
        return f"{self.name}: {', '.join(figures)} ({remarks})"

    @classmethod
    def read(cls, path: Path) -> Outcome:
        """Read the file that `run` left in the folder of its job."""
        values = json.loads(path.read_text(encoding="utf-8"))
        values["summary"] = {
            name: Summary(**{**figures, "repetitions": tuple(figures["repetitions"])})
            for name, figures in values["summary"].items()
        }
        return cls(**values)


def settings_of(overrides: Iterable[str]) -> list[str]:
    """Return what overrides set of learner and protocol, such as ``"tail=0.01"`` and ``"seed=1"``."""
    pairs = (override.lstrip("+").split("=", 1) for override in overrides if "=" in override)
    return [
        f"{key.partition('.')[2]}={value}"
        for key, value in pairs
        if key.startswith(("learner.", "protocol."))
    ]


def job_name(overrides: Sequence[str], chosen: Mapping[str, str]) -> str:
    """Return what a job of a sweep is called before it runs."""
    names = {**chosen, **dict(o.split("=", 1) for o in overrides if "=" in o)}
    return " · ".join([str(names["dataset"]), str(names["learner"]), *settings_of(overrides)])


def jobs_at_once(hydra: HydraConf) -> int:
    """Return how many jobs of a sweep its launcher runs at once, as its ``n_jobs`` says."""
    n_jobs = hydra.launcher.get("n_jobs", 1) if hydra.mode == RunMode.MULTIRUN else 1
    if n_jobs is None or n_jobs > 0:
        return n_jobs or 1
    return max(1, (os.cpu_count() or 1) + 1 + n_jobs)  # as joblib counts: -1 is one a processor


def run(cfg: DictConfig) -> None:
    """Run one job; Hydra calls it, in this process or in a worker.

    Its result is left as a file in the job's folder, where the parent process finds it with any launcher.

    Parameters
    ----------
    cfg : omegaconf.DictConfig
        The whole config.
    """
    hydra = HydraConfig.get()
    started = perf_counter()
    # The names that were chosen: the config itself may be what is wrong.
    chosen = hydra.runtime.choices
    outcome = Outcome(
        str(chosen.get("dataset")),
        str(chosen.get("learner")),
        FAILED,
        settings_of(written_overrides(hydra)),
        table_name(hydra),
    )
    try:
        _attempt(cfg, outcome)
    except _BAD_INPUT as error:
        outcome.status, outcome.message = BAD_INPUT, str(error)
    except TrackingError as error:
        outcome.status, outcome.message = FAILED, str(error)
    except Exception as error:
        folder = Path(hydra.runtime.output_dir)
        (folder / "traceback.txt").write_text(without_password(traceback.format_exc()), encoding="utf-8")
        last = traceback.format_exception_only(error)[-1].strip()
        outcome.status, outcome.message = FAILED, f"{last} (see {folder / 'traceback.txt'})"
    outcome.message = without_password(" ".join(outcome.message.split()))
    outcome.seconds = perf_counter() - started
    (Path(hydra.runtime.output_dir) / OUTCOME_FILE).write_text(json.dumps(asdict(outcome)), encoding="utf-8")
    progress.current().end(outcome.line(), outcome.good)


def _attempt(cfg: DictConfig, outcome: Outcome) -> None:
    dataset = _load(cfg)
    if outcome.dataset == OWN:  # the config of a file named on the command line
        outcome.dataset = dataset.id
    protocol = protocols.read(cfg.protocol)
    limits = Limits.from_config(cfg.limits)
    folds = protocol.split(dataset.y, dataset.positive)
    spec = _spec(cfg, dataset)
    # From here on the input is good: what goes wrong now is a run of its own.
    job = run_cache.job_key(cfg, dataset, protocol, limits)
    store = Store.from_config(cfg.tracking)
    with run_cache.job_lock(cfg, job[run_cache.JOB_TAG]) as checkpoint:
        rerun = cfg.tracking.get("rerun", False)
        if rerun:
            checkpoint.remove()
        found = run_cache.lookup(store, job, limits)
        if found is not None and not rerun:
            if outcome.table:
                store.mark(found.run_id, outcome.table)
            _recall(store, found, outcome)
            return
        tags = {**describe(cfg, dataset, protocol, jobs_at_once(HydraConfig.get())), **job}
        with store.run(outcome.name, tags, flatten(cfg), outcome.table) as run:
            outcome.run_id = run.id
            if not isinstance(spec, LearnerSpec):
                outcome.status, outcome.message = spec
                run.not_applicable(outcome.message, outcome.status)
                return
            reporter = progress.current()
            reporter.start(outcome.name, len(folds))
            done = checkpoint.read()

            def on_fold(result: FoldResult) -> None:
                checkpoint.add(result)
                reporter.fold()

            results, warm_seconds = run_limited(dataset, spec, folds, limits, on_fold, done)
            cut = len(results) < len(folds)
            new = [result for result in results if result.fold not in done]
            spent = sum(result.metrics.get(time, 0.0) for result in new for time in TIMES)
            outcome.learning_seconds = warm_seconds + spent
            outcome.summary = run.log(OmegaConf.to_yaml(cfg, resolve=True), results, protocol.ddof)
            outcome.rules = results[-1].rules
            broken = [result for result in results if result.status != OK]
            outcome.status = broken[0].status if broken else OK
            if cut and not broken:
                run.tags[run_cache.CUT_TAG] = "true"
                done_repeats, asked = results[-1].repeat + 1, folds[-1].repeat + 1
                outcome.message = (
                    f"{done_repeats} of {asked} repetitions in limits.job_seconds={limits.job_seconds:g}"
                )
            if broken:
                outcome.message = f"{len(broken)} of {len(results)} folds: {broken[0].error}"
        if not run.tags.get(run_cache.CUT_TAG):  # those of a run that was cut may be added to
            checkpoint.remove()


def _spec(cfg: DictConfig, dataset: Dataset) -> LearnerSpec | tuple[str, str]:
    """Return how the learner is made, or the status and the reason of a run without it."""
    try:
        spec = LearnerSpec.from_config(cfg.learner)
        spec.build(dataset)
        return spec
    except NotApplicableError as reason:
        return NOT_APPLICABLE, str(reason)
    except NotInstalledError as reason:
        return NOT_INSTALLED, str(reason)  # tried again by the next run


def _recall(store: Store, found: RunRecord, outcome: Outcome) -> None:
    """Fill in what a run found that was finished before."""
    outcome.run_id, outcome.status, outcome.recalled = found.run_id, found.status, True
    outcome.message = found.tags.get("error", "")
    outcome.summary = run_cache.summary_of(found)
    if found.status == OK and HydraConfig.get().mode == RunMode.RUN:
        outcome.rules = json.loads(store.text(found.run_id, "folds.json"))[-1]["rules"]


# The data set of the job before: a sweep has all jobs of one in a row.
_loaded: dict[str, Dataset] = {}


def _load(cfg: DictConfig) -> Dataset:
    key = f"{OmegaConf.to_yaml(cfg.dataset, resolve=True)}{cfg.paths.data}"
    if key not in _loaded:
        _loaded.clear()
        folder = Path(cfg.paths.data) if cfg.paths.data else None
        _loaded[key] = datasets.load(cfg.dataset, folder, Downloads.from_config(cfg.paths))
    return _loaded[key]
