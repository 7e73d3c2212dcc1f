"""Finds interpreters of other versions on this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

VERSIONS = ("3.11", "3.12", "3.13")


def here() -> str:
    """Return the version that runs the tests."""
    return "{}.{}".format(*sys.version_info)


def find(version: str) -> str | None:
    """Return the path of an interpreter, or None: this one, else from PATH, else one of pyenv's."""
    for candidate in _candidates(version):
        # A shim of pyenv is on PATH for versions that it does not run, too.
        tried = subprocess.run(
            [candidate, "-c", "import sys, venv; print('{}.{}'.format(*sys.version_info))"],
            capture_output=True,
            text=True,
            check=False,
        )
        if tried.returncode == 0 and tried.stdout.strip() == version:
            return candidate
    return None


def _candidates(version: str) -> Iterator[str]:
    if version == here():
        yield sys.executable
    for folder in os.environ["PATH"].split(os.pathsep):
        if found := shutil.which(f"python{version}", path=folder):
            yield found
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for installed in sorted((root / "versions").glob(f"{version}.*"), reverse=True):
        yield str(installed / "bin" / "python")
