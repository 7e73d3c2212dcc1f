"""The tags and params by which people, tables and later commands find a run."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import platform
import sys
import time
from importlib import metadata
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf

from experiments.records import Dataset
from experiments.running.protocol import Protocol

_VERSIONED = (
    "foldse", "numpy", "pandas", "scikit-learn", "numba", "xgboost", "xgboost-cpu", "wittgenstein",
    "lightgbm", "interpret-core", "imodels", "python-weka-wrapper3", "mlflow",
)  # fmt: skip


def describe(cfg: DictConfig, dataset: Dataset, protocol: Protocol, jobs_at_once: int = 1) -> dict[str, str]:
    """Return the tags by which tables and people find a run.

    Parameters
    ----------
    cfg : omegaconf.DictConfig
        The whole config.
    dataset : Dataset
    protocol : Protocol
    jobs_at_once : int, default=1
        How many jobs may share the machine: times of more than one are not those of one alone.
    """
    shared = {"jobs_at_once": jobs_at_once} if jobs_at_once > 1 else {}
    tags: dict[str, Any] = {
        "dataset": dataset.id,
        "learner": str(cfg.learner.id),
        "protocol": str(protocol),
        "digest": dataset.digest,
        "source": dataset.source,
        "rows": str(len(dataset.y)),
        "cols": str(dataset.X.shape[1] + 1),  # with the label, as the paper counts
        "versions": json.dumps(_versions()),
        "hardware": json.dumps(hardware() | shared),
    }
    if dataset.notes:
        tags["notes"] = dataset.notes
    return {tag: value if isinstance(value, str) else json.dumps(value) for tag, value in tags.items()}


def table_tag(table: str) -> str:
    """Return the tag of the runs that a table is made of; a run may be part of several.

    Its value is when the table last asked for the run, see `Store.stamp`.
    """
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


@functools.cache
def _versions() -> dict[str, str]:
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for package in _VERSIONED:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


@functools.cache
def hardware() -> dict[str, object]:
    """Describe the machine: processor, its cores, memory, system; not its name."""
    processor = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                processor = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    found: dict[str, object] = {"processor": processor, "cores": os.cpu_count()}
    with contextlib.suppress(AttributeError, OSError, ValueError):  # Windows has no such call
        found["memory_gb"] = round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
    found["system"] = f"{platform.system()} {platform.machine()}"
    return found


def now() -> str:
    """Return the time in milliseconds since 1970."""
    return str(int(time.time() * 1000))
