"""The distribution, built once."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]


class Distribution(NamedTuple):
    wheel: Path
    sdist: Path


@pytest.fixture(scope="session")
def distribution(tmp_path_factory) -> Distribution:
    """Wheel and sdist as ``python -m build`` makes them: the wheel from what the sdist holds."""
    pytest.importorskip("build", reason="build is not installed; it is part of the extra test")
    out = tmp_path_factory.mktemp("dist")
    isolated = [] if importlib.util.find_spec("hatchling") is None else ["--no-isolation"]
    done = subprocess.run(
        [sys.executable, "-m", "build", *isolated, "--outdir", str(out), str(ROOT)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,), (sdist,) = out.glob("*.whl"), out.glob("*.tar.gz")
    return Distribution(wheel, sdist)
