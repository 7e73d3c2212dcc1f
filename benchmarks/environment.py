"""What the figures were measured on: processor, versions, state of the code, date."""

from __future__ import annotations

import datetime
import hashlib
import importlib.metadata
import json
import os
import platform
from pathlib import Path
from typing import Any, Final

from benchmarks.settings import Settings

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGES: Final = {
    "numpy": ("numpy",),
    "pandas": ("pandas",),
    "pyarrow": ("pyarrow",),
    "numba": ("numba",),
    "scikit-learn": ("scikit-learn",),
    "XGBoost": ("xgboost", "xgboost-cpu"),
    "LightGBM": ("lightgbm",),
    "wittgenstein": ("wittgenstein",),
    "foldrpp": ("foldrpp",),
}
WHEN: Final = "date"


def describe(settings: Settings) -> dict[str, Any]:
    """Return the environment of a run as plain values."""
    return {
        WHEN: datetime.datetime.now(datetime.UTC).date().isoformat(),
        "mode": "quick" if settings.quick else "full",
        "threads": settings.threads,
        "processor": _processor(),
        "processors": _processors(),
        "memory_gb": _memory(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": {name: _version(names) for name, names in PACKAGES.items()},
        "foldse": _version(("foldse",)) or _declared_version(),
        "foldse_sources": sources_digest(ROOT / "foldse"),
    }


def differences(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Return what makes figures of two runs incomparable, one line each."""
    return [
        f"{key}: {before.get(key)} before, {value} now"
        for key, value in now.items()
        if key != WHEN and before.get(key) != value
    ]


def read(path: Path) -> list[dict[str, Any]]:
    """Return the environments that a folder of results was measured in."""
    states: list[dict[str, Any]] = json.loads(path.read_text()) if path.exists() else []
    return states


def write(path: Path, states: list[dict[str, Any]]) -> None:
    """Write the environments that a folder of results was measured in."""
    path.write_text(json.dumps(states, indent=2) + "\n")


def sources_digest(folder: Path) -> str:
    """Return a short digest over the source files of a package."""
    sha = hashlib.sha256()
    for file in sorted(folder.rglob("*.py")):
        sha.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return sha.hexdigest()[:12]


def _version(names: tuple[str, ...]) -> str | None:
    for name in names:
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return None


def _declared_version() -> str:
    import foldse

    return foldse.__version__


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def _processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _memory() -> float | None:
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9)
    except (ValueError, OSError, AttributeError):
        return None
