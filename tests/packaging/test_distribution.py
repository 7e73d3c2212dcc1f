"""What is in the wheel and in the sdist."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_string
from pathlib import Path

import pytest

import foldse

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
INFO = f"foldse-{foldse.__version__}.dist-info"

pytestmark = pytest.mark.commands


@pytest.fixture(scope="module")
def wheel(distribution):
    with zipfile.ZipFile(distribution.wheel) as archive:
        yield archive


def test_the_wheel_holds_the_library_and_its_metadata_and_nothing_else(wheel):
    names = wheel.namelist()
    assert {name.split("/")[0] for name in names} == {"foldse", INFO}
    sources = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "foldse").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in names if name.startswith("foldse/")} == sources
    assert {"foldse/py.typed", "foldse/schema/model-1.json"} <= set(names)
    assert {Path(name).suffix for name in sources} == {".py", ".typed", ".json"}


def test_the_wheel_has_the_licence_and_says_which_it_is(wheel):
    assert wheel.read(f"{INFO}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
    metadata = message_from_string(wheel.read(f"{INFO}/METADATA").decode())
    assert metadata["Name"] == "foldse"
    assert metadata["Version"] == foldse.__version__
    assert metadata["License-Expression"] == "BSD-3-Clause"
    assert metadata["Requires-Python"] == ">=3.11"
    assert "Typing :: Typed" in metadata.get_all("Classifier")
    assert metadata.get_payload() == (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_wheel_runs_everywhere_and_has_the_commands_of_the_project(wheel, distribution):
    assert distribution.wheel.name.endswith("-py3-none-any.whl")
    scripts = [f"{name} = {target}" for name, target in PROJECT.get("scripts", {}).items()]
    entries = f"{INFO}/entry_points.txt"
    written = wheel.read(entries).decode().splitlines() if entries in wheel.namelist() else []
    assert [line for line in written if "=" in line] == scripts


def test_the_sdist_holds_what_it_is_built_from(distribution):
    with tarfile.open(distribution.sdist) as archive:
        names = [Path(*Path(name).parts[1:]) for name in archive.getnames()]
    tops = {name.parts[0] for name in names if name.parts}
    assert tops - {".gitignore"} == {
        "foldse",
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "CITATION.cff",
        "PKG-INFO",
    }


def test_an_index_would_take_both(distribution):
    if importlib.util.find_spec("twine") is None:
        pytest.skip("twine is not installed; it is part of the extra test")
    done = subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", *map(str, distribution)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("PASSED") == 2
