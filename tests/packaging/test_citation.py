"""CITATION.cff: the fields that its format requires, and that it speaks of this version and licence."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import foldse

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def citation():
    return yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_has_what_the_format_requires(citation):
    assert citation["cff-version"] == "1.2.0"
    assert citation["message"]
    assert citation["title"] == "foldse"
    for work in (citation, *citation["references"]):
        assert work["type"] in ("software", "article")
        assert work["title"]
        assert all("name" in author or "family-names" in author for author in work["authors"])


def test_is_of_this_version_and_licence(citation):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert citation["version"] == foldse.__version__ == project["version"]
    assert citation["license"] == project["license"]
    assert citation["authors"] == project["authors"]


def test_cites_the_paper(citation):
    paper = citation["references"][0]
    assert paper["title"].startswith("FOLD-SE: An Efficient Rule-based Machine Learning Algorithm")
    assert [author["family-names"] for author in paper["authors"]] == ["Wang", "Gupta"]
    assert paper["doi"] == "10.48550/arXiv.2208.07912"
    assert all(re.fullmatch(r"10\.\d{4,9}/\S+", work["doi"]) for work in citation["references"])


def test_the_formats_own_tool_takes_it():
    tool = shutil.which("cffconvert")
    if tool is None:
        pytest.skip("cffconvert is not on PATH; it needs an environment of its own (jsonschema below 4)")
    done = subprocess.run([tool, "--validate"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
