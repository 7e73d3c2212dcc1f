"""What the figures were measured on: processor, versions, state of the code, date."""

from __future__ import annotations

import datetime
import hashlib
import json
import platform
from collections.abc import Mapping
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import foldse
from benchmarks.settings import Settings
from experiments.store import tags

ROOT: Final = Path(__file__).resolve().parents[1]
WHEN: Final = "date"
PACKAGES: Final = (
    "numpy", "pandas", "pyarrow", "numba", "scikit-learn", "xgboost", "xgboost-cpu", "lightgbm",
    "wittgenstein", "foldrpp",
)  # fmt: skip


def describe(settings: Settings) -> dict[str, Any]:
    """Return the environment of a run as plain values."""
    hardware = tags.hardware()
    return {
        WHEN: datetime.datetime.now(datetime.UTC).date().isoformat(),
        "mode": "quick" if settings.quick else "full",
        "threads": settings.threads,
        "processor": hardware["processor"],
        "processors": hardware["cores"],
        "memory_gb": hardware.get("memory_gb"),
        "system": hardware["system"],
        "python": platform.python_version(),
        "packages": _versions(),
        "foldse": foldse.__version__,
        "foldse_sources": sources_digest(ROOT / "foldse"),
    }


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return what makes the figures of two runs incomparable, one line each."""
    return [
        f"{key}: {before.get(key)} before, {value} now"
        for key, value in now.items()
        if key != WHEN and before.get(key) != value
    ]


def read(path: Path) -> list[dict[str, Any]]:
    """Return the environments in which a folder of results was measured."""
    states: list[dict[str, Any]] = json.loads(path.read_text()) if path.exists() else []
    return states


def write(path: Path, states: list[dict[str, Any]]) -> None:
    """Write the environments in which a folder of results was measured."""
    path.write_text(json.dumps(states, indent=2) + "\n")


def sources_digest(folder: Path) -> str:
    """Return a short digest of the source files of a package."""
    sha = hashlib.sha256()
    for file in sorted(folder.rglob("*.py")):
        sha.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return sha.hexdigest()[:12]


def _versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found
