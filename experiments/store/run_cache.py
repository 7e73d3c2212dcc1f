"""What was run is not run again: finding the run of a job, and clearing away what a killed one left."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock
from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig

from experiments.config import written_overrides
from experiments.console import without_password
from experiments.learners import LearnerSpec
from experiments.records import Dataset
from experiments.running.protocol import Protocol
from experiments.running.summary import Summary
from experiments.running.worker import Limits
from experiments.statuses import FINISHED, OUT_OF_MEMORY, RUNNING, TIMEOUT
from experiments.store.checkpoint import Checkpoint
from experiments.store.code_version import code_version, git_state
from experiments.store.location import database
from experiments.store.tracking import RunRecord, Store

# To be counted up when the runner measures otherwise, so that all is measured anew.
MEASURES = 1
JOB_TAG = "job"
HOST_TAG = "host"
# Set where limits.job_seconds ended a run before its last repetition.
CUT_TAG = "repetitions_cut"


def job_key(cfg: DictConfig, dataset: Dataset, protocol: Protocol, limits: Limits) -> dict[str, str]:
    """Return the tags by which the run of a job is found again, and those that say how it was made.

    The job is the data (by their digest), the learner's id and settings, the protocol and the version of the
    learner's code (`code_version`). Neither the title of a learner nor the limits are part of it: they do not
    change what a finished run found.

    Parameters
    ----------
    cfg : omegaconf.DictConfig
        The whole config.
    dataset : Dataset
    protocol : Protocol
    limits : Limits
    """
    spec = LearnerSpec.from_config(cfg.learner)
    version = code_version(spec)
    job = [MEASURES, dataset.id, dataset.digest, spec.id, spec.settings, str(protocol), version]
    return {
        JOB_TAG: hashlib.sha256(json.dumps(job, sort_keys=True).encode()).hexdigest()[:32],
        HOST_TAG: socket.gethostname(),
        "code": version,
        "limit_seconds": str(limits.seconds),
        "limit_memory_mb": str(limits.memory_mb),
        "limit_job_seconds": str(limits.job_seconds),
        **git_state(),
        **_command(),
    }


def _command() -> dict[str, str]:
    """Return the tag ``command``: the command line that makes this one run, whatever sweep it is part of."""
    if not HydraConfig.initialized():
        return {}
    overrides = written_overrides(HydraConfig.get())
    return {"command": without_password(shlex.join(["python", "-m", "experiments", *overrides]))}


@contextmanager
def job_lock(cfg: DictConfig, job: str) -> Iterator[Checkpoint]:
    """Let one process at a time do a job: one that waited finds the run of the other.

    The lock falls with its process, so a run that is still open while it is held was left by a killed one,
    and so are the folds of the checkpoint that it gives.
    """
    path = database(cfg.tracking.uri)
    folder = Path(f"{path}.locks") if path is not None else Path(cfg.paths.outputs) / "locks"
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / f"{job}.lock"):
        yield Checkpoint(folder / f"{job}.jsonl")


def lookup(store: Store, tags: dict[str, str], limits: Limits) -> RunRecord | None:
    """Return the latest finished run of a job; None where it has to be run.

    A run that was stopped at a limit, or that has fewer repetitions than the protocol, counts unless more is
    allowed now. Runs of the job that a killed
    process of this machine left open are deleted: the caller holds the lock of `job_lock`.
    """
    kept = None
    for run in store.find(JOB_TAG, tags[JOB_TAG]):
        if run.tags.get("status") == RUNNING:
            if run.tags.get(HOST_TAG) == tags[HOST_TAG]:
                store.delete(run.run_id)
        elif kept is None and run.finished and run.status in FINISHED and not _allows_more(limits, run):
            kept = run
    return kept


def summary_of(run: RunRecord) -> dict[str, Summary]:
    """Return the summary that a run was logged with."""
    repetitions = run.repetitions
    return {
        name: Summary(run.mean(name) or 0.0, run.std(name) or 0.0, repetitions.get(name, ()))
        for name in run.measured
    }


def _allows_more(limits: Limits, run: RunRecord) -> bool:
    if run.status == TIMEOUT:
        return _more(limits.seconds, run.tags.get("limit_seconds"))
    if run.status == OUT_OF_MEMORY:
        return _more(limits.memory_mb, run.tags.get("limit_memory_mb"))
    if run.tags.get(CUT_TAG):
        return _more(limits.job_seconds, run.tags.get("limit_job_seconds"))
    return False


def _more(now: Any, then: str | None) -> bool:
    if then is None or not re.fullmatch(r"[\d.e+-]+", then):
        return False
    return now is None or float(now) > float(then)
