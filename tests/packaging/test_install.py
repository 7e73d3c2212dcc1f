"""The wheel in a fresh environment, with nothing else but what it asks for.

The version that runs the tests is tried always, the others of `VERSIONS` where they are found and it is asked
for them: ``FOLDSE_ALL_PYTHONS=1 python -m pytest tests/packaging/test_install.py``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.pythons import VERSIONS, find, here

ROOT = Path(__file__).parents[2]
RULES = """\
flies(X,'yes') :- kind(X,'bird'), weight(X,N1), N1=<11.0, not ab1(X,'True').
ab1(X,'True') :- home(X,'ice'), weight(X,N1), not(N1=<3.5).
"""

pytestmark = pytest.mark.commands


def run(*command: str | Path, cwd: Path) -> str:
    # Neither the checkout nor the environment of the tests must be found.
    env = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))
    }
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def pip(commands: Path, *arguments: str | Path, cwd: Path) -> None:
    """Run the pip of the tests for another environment, which then needs none of its own."""
    run(sys.executable, "-m", "pip", "--python", commands / "python", *arguments, cwd=cwd)


@pytest.fixture(scope="module", params=VERSIONS)
def installed(request, distribution, tmp_path_factory):
    """The folder of the commands of an environment that has the wheel."""
    version = request.param
    if version != here() and not os.environ.get("FOLDSE_ALL_PYTHONS"):
        pytest.skip("only the version that runs the tests, unless FOLDSE_ALL_PYTHONS is set")
    python = find(version)
    if python is None:
        pytest.skip(f"no Python {version} is found")
    folder = tmp_path_factory.mktemp(f"python{version}")
    environment = folder / "environment"
    run(python, "-m", "venv", "--without-pip", environment, cwd=folder)
    commands = environment / ("Scripts" if os.name == "nt" else "bin")
    constrained = ["-c", ROOT / "constraints.txt", "--no-compile"]
    pip(commands, "install", "--quiet", *constrained, distribution.wheel, cwd=folder)
    return commands


def test_the_library_learns_saves_and_exports(installed, tmp_path):
    shutil.copy(ROOT / "docs" / "animals.csv", tmp_path)
    shutil.copy(Path(__file__).with_name("smoke.py"), tmp_path)
    assert run(installed / "python", "smoke.py", "animals.csv", cwd=tmp_path) == RULES
    pip(installed, "check", cwd=tmp_path)


def test_the_command_learns_from_a_file(installed, tmp_path):
    command = installed / ("foldse.exe" if sys.platform == "win32" else "foldse")
    if not command.exists():
        pytest.skip("this version has no command")
    assert "fit" in run(command, "--help", cwd=tmp_path)
    shutil.copy(ROOT / "docs" / "animals.csv", tmp_path)
    fit = [command, "fit", "animals.csv", "--target", "flies", "--positive", "yes", "-o", "model.json"]
    assert "kind(X,'bird')" in run(*fit, cwd=tmp_path)
    assert (tmp_path / "model.json").exists()
